#!/bin/sh
# Folds each tests/NAME.txt and compares the result with NAME.folded; with the options in
# NAME.CASE.args, compares with NAME.CASE.folded. With --update it writes the expected files
# instead; read them before you commit them.
#
# NAME.sum has the sum of NAME.txt, written by hand from what the profiler itself says. It is never
# rewritten: a result that was recorded from wrong numbers would pass its own test for ever.
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

compare_sum() { # SUM FOLDED
    got_sum=$(awk '{ sum += $NF } END { printf "%.0f\n", sum }' "$2")
    if [ "$got_sum" != "$(cat "$1")" ]; then
        echo "$2: the sum is $got_sum, but $1 says $(cat "$1")" >&2
        exit 1
    fi
}

for input in "$tests"/*.txt; do
    name=${input%.txt}
    compare "$name.folded" "$input"
    [ ! -e "$name.sum" ] || compare_sum "$name.sum" "$name.folded"
    for args in "$name".*.args; do
        [ -e "$args" ] || continue
        eval "set -- $(cat "$args")"
        compare "${args%.args}.folded" "$input" "$@"
    done
done
