#!/bin/sh
# Changes the stacks of each tests/NAME.folded and compares them with NAME.expected; with the
# options in NAME.CASE.args, compares with NAME.CASE.expected. With --update it writes the expected
# files instead; read them before you commit them.
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
    "${BRAZIER:-brazier}" --no-config run "$@" --from folded --to folded --transform @NAME@ \
        --plugin "$plugin" -o - > "$got"
    if [ -n "$update" ]; then
        cp "$got" "$expected"
    else
        diff -u "$expected" "$got"
    fi
    echo "good: $expected"
}

for input in "$tests"/*.folded; do
    name=${input%.folded}
    compare "$name.expected" "$input"
    for args in "$name".*.args; do
        [ -e "$args" ] || continue
        eval "set -- $(cat "$args")"
        compare "${args%.args}.expected" "$input" "$@"
    done
done
