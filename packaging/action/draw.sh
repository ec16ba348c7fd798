#!/bin/sh
# SPDX-License-Identifier: MIT
# Records or reads a profile for the GitHub action, draws it, and compares it with the baseline. Ends with the status of
# the comparison: 3 if a threshold is exceeded. The inputs are in BRAZIER_COMMAND, BRAZIER_PROFILE, BRAZIER_TARBALL and
# BRAZIER_THRESHOLDS.
set -eu

folder=${RUNNER_TEMP:-/tmp}/brazier-out
baseline=.brazier-baseline/profile.folded
rm -rf "$folder"
mkdir -p "$folder" .brazier-baseline
[ -z "${GITHUB_OUTPUT:-}" ] || printf 'folder=%s\n' "$folder" >>"$GITHUB_OUTPUT"

if [ -n "${BRAZIER_TARBALL:-}" ]; then
    mkdir -p "${RUNNER_TEMP:-/tmp}/brazier"
    tar -xf "$BRAZIER_TARBALL" -C "${RUNNER_TEMP:-/tmp}/brazier" --strip-components=1
    PATH=${RUNNER_TEMP:-/tmp}/brazier/bin:$PATH
    export PATH
fi
if ! command -v brazier >/dev/null; then
    echo "brazier is not in PATH: set the input tarball" >&2
    exit 2
fi

if [ -n "${BRAZIER_COMMAND:-}" ]; then
    brazier record -F 1999 -o "$folder/flame.svg" -o "$folder/profile.folded" -- sh -c "$BRAZIER_COMMAND"
elif [ -n "${BRAZIER_PROFILE:-}" ]; then
    brazier run --from guess "$BRAZIER_PROFILE" -o "$folder/flame.svg" -o "$folder/profile.folded"
else
    echo "the action needs the input command or profile" >&2
    exit 2
fi

status=0
if [ -e "$baseline" ]; then
    set -- -o "$folder/diff.svg" -o "$folder/summary.md"
    while IFS= read -r threshold; do
        [ -z "$threshold" ] || set -- "$@" --fail-if "$threshold"
    done <<END
${BRAZIER_THRESHOLDS:-}
END
    brazier diff "$baseline" "$folder/profile.folded" "$@" || status=$?
else
    brazier run --from folded "$folder/profile.folded" -o "$folder/summary.md"
fi
[ ! -e "$folder/summary.md" ] || [ -z "${GITHUB_STEP_SUMMARY:-}" ] || cat "$folder/summary.md" >>"$GITHUB_STEP_SUMMARY"
[ "$status" -ne 0 ] || cp "$folder/profile.folded" "$baseline" # saved on the default branch only
exit "$status"
