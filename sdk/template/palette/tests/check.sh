#!/bin/sh
# Colours each tests/*.folded and compares the colours of the names with the .colors file beside it.
# The option --update writes that file instead; read it before you commit it.
#
# usage: check.sh [--update] PLUGIN.so
set -eu
update=
if [ "$1" = --update ]; then
    update=yes
    shift
fi
plugin=$1
tests=$(dirname "$0")
got=$(mktemp -d)
trap 'rm -rf "$got"' EXIT

for input in "$tests"/*.folded; do
    rm -f "$got/colors"
    "${BRAZIER:-brazier}" --no-config flamegraph "$input" --palette @NAME@ --plugin "$plugin" \
        --palette-map "$got/colors" > "$got/flame.svg"
    if [ -n "$update" ]; then
        cp "$got/colors" "${input%.folded}.colors"
    else
        diff -u "${input%.folded}.colors" "$got/colors"
    fi
    echo "good: $input"
done
