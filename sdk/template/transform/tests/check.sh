#!/bin/sh
# Changes the stacks of each tests/*.folded and compares them with the .expected file beside it.
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
got=$(mktemp)
trap 'rm -f "$got"' EXIT

for input in "$tests"/*.folded; do
    "${BRAZIER:-brazier}" --no-config run "$input" --from folded --to folded --transform @NAME@ \
        --plugin "$plugin" -o - > "$got"
    if [ -n "$update" ]; then
        cp "$got" "${input%.folded}.expected"
    else
        diff -u "${input%.folded}.expected" "$got"
    fi
    echo "good: $input"
done
