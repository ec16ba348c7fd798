#!/bin/sh
# Folds each tests/*.txt, and compares with the .folded beside it. With --update it writes that
# instead, to be read before it is committed.
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
got=$(mktemp)
trap 'rm -f "$got"' EXIT

for input in "$tests"/*.txt; do
    "${BRAZIER:-brazier}" --no-config collapse @NAME@ "$input" --plugin "$plugin" > "$got"
    if [ -n "$update" ]; then
        cp "$got" "${input%.txt}.folded"
    else
        diff -u "${input%.txt}.folded" "$got"
    fi
    echo "good: $input"
done
