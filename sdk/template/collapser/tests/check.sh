#!/bin/sh
# Folds each tests/NAME.txt and compares the result with NAME.folded; with the options in
# NAME.CASE.args, compares with NAME.CASE.folded. With --update it writes the expected files
# instead; read them before you commit them.
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

compare() { # EXPECTED INPUT OPTION...
    expected=$1
    shift
    "${BRAZIER:-brazier}" --no-config collapse @NAME@ "$@" --plugin "$plugin" > "$got"
    if [ -n "$update" ]; then
        cp "$got" "$expected"
    else
        diff -u "$expected" "$got"
    fi
    echo "good: $expected"
}

for input in "$tests"/*.txt; do
    name=${input%.txt}
    compare "$name.folded" "$input"
    for args in "$name".*.args; do
        [ -e "$args" ] || continue
        eval "set -- $(cat "$args")"
        compare "${args%.args}.folded" "$input" "$@"
    done
done
