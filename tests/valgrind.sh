#!/bin/sh
# SPDX-License-Identifier: MIT
# The unit tests, and runs of the program as people make them, under valgrind: no invalid access, no
# use of what was never written, no memory or descriptor left behind.
#
# usage: valgrind.sh BUILD          (a build without sanitizers)

set -u
build=$(cd "$1" && pwd)
source=$(cd "$(dirname "$0")/.." && pwd)
brazier=$build/bin/brazier
perf=$source/tests/golden/collapse/perf
folded=$source/tests/golden/collapse/folded
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export HOME="$work" XDG_CONFIG_HOME="$work" XDG_DATA_HOME="$work"
export BRAZIER_SOURCE="$source" BRAZIER_BUILD="$build" BRAZIER="$brazier"
export BRAZIER_UNDER_VALGRIND=1 # the tests of isolation are skipped: see needs_isolation()
for BRAZIER_PLUGINS in "$build"/lib/brazier/plugins-v*; do export BRAZIER_PLUGINS; done

# Exit status of valgrind if it found an error. No program here returns it.
FOUND=99
passed=0
failed=0

under_valgrind() {
    valgrind --quiet --error-exitcode=$FOUND --leak-check=full --track-fds=no --num-callers=20 \
        --show-leak-kinds=definite,possible --errors-for-leak-kinds=definite,possible \
        --child-silent-after-fork=yes --fair-sched=try \
        --suppressions="$source/tests/valgrind.supp" --log-file="$work/valgrind.log" "$@"
}

# judge NAME STATUS EXPECTED
judge() {
    if [ "$2" -eq "$3" ]; then
        passed=$((passed + 1))
        return
    fi
    failed=$((failed + 1))
    printf 'FAILED %s: exit status %s, not %s\n' "$1" "$2" "$3"
    head -40 valgrind.log
    tail -5 said
}

# run NAME STATUS ARGUMENT...: the program, which must exit with that status. Reads standard input.
run() {
    name=$1
    expected=$2
    shift 2
    under_valgrind "$brazier" "$@" >made 2>said
    judge "$name" $? "$expected"
}

unit_tests() {
    for room in "$build"/tests/unit/unit_*; do
        for file in $("$room"); do
            under_valgrind "$room" "$file" >made 2>said </dev/null
            judge "test_$file" $? 0
        done
    done
    for test in "$build"/tests/api/test_*; do
        [ -x "$test" ] || continue
        case $test in
        */test_api_process) continue ;; # it limits memory, of which valgrind needs more
        esac
        under_valgrind "$test" >made 2>said </dev/null
        judge "$(basename "$test")" $? 0
    done
}

# About two megabytes of samples, so that several threads and buffers have something to do.
make_inputs() {
    i=0
    while [ $i -lt 120 ]; do
        cat "$perf"/*.txt
        i=$((i + 1))
    done >large.txt
    gzip -k large.txt
    zstd -q -k large.txt
    head -c 20000 large.txt.gz >cut.txt.gz
    head -c 300 large.txt.zst >cut.txt.zst
    : >empty.txt
    head -c 100000 /dev/urandom >random.bin
    printf '\377\376a\000;\000b\000 \0001\000\n\000' >wide.txt
    printf 'version: 1\npipelines:\n  two:\n    outputs: [{use: svg, to: a.svg}, {use: json, to: a.json}]\n' >two.yaml
    printf 'version: 1\npipelines: {p: {colapse: perf}}\n' >wrong.yaml
}

good_runs() {
    run "a file" 0 collapse perf large.txt </dev/null
    run "threads on a file" 0 collapse perf -j3 --range-size 100000 large.txt </dev/null
    # shellcheck disable=SC2002
    cat large.txt | run "a pipe" 0 collapse perf -j1
    # shellcheck disable=SC2002
    cat large.txt | run "threads on a pipe" 0 collapse perf -j3 --range-size 100000
    run "small chunks" 0 collapse perf -j1 --chunk-size 64 "$perf/several-events.txt" </dev/null
    run "gzip" 0 collapse perf large.txt.gz </dev/null
    run "zstd" 0 collapse perf large.txt.zst </dev/null
    run "gzip, cut off" 0 collapse perf cut.txt.gz </dev/null
    run "UTF-16" 0 collapse folded wide.txt </dev/null
    run "several files" 0 collapse folded "$folded/plain.txt" "$folded/fractions.txt" </dev/null
    run "transforms" 0 collapse perf --reverse --keep work --rename 'w(o)=>$1' large.txt </dev/null
    run "a picture" 0 run large.txt -o flame.svg </dev/null
    run "another palette" 0 run large.txt -o flame.svg --palette aqua </dev/null
    run "speedscope" 0 run large.txt -o flame.json --to speedscope </dev/null
    run "a pipeline" 0 --config two.yaml run two large.txt </dev/null
    run "guessing" 0 guess large.txt </dev/null
    run "plug-ins" 0 plugin list </dev/null
    run "configuration" 0 config show </dev/null
    run "help" 0 --help </dev/null
    run "a format's help" 0 collapse perf --help </dev/null
}

bad_runs() {
    run "no such file" 1 run nowhere.txt -o flame.svg </dev/null
    run "a folder" 1 run . -o flame.svg </dev/null
    run "no such format" 2 collapse nothing large.txt </dev/null
    run "no such option" 2 collapse perf --nothing large.txt </dev/null
    run "a bad value" 2 run large.txt --set svg.width=wide -o flame.svg </dev/null
    run "a bad pattern" 2 collapse perf --drop '(' large.txt </dev/null
    run "a bad configuration" 2 --config wrong.yaml run p large.txt </dev/null
    run "nothing in it" 1 collapse folded empty.txt </dev/null
    run "noise" 1 run random.bin -o flame.svg </dev/null
    run "zstd, cut off at once" 1 collapse perf cut.txt.zst </dev/null
    run "no place for the output" 1 run large.txt -o nowhere/flame.svg </dev/null
    run "nothing left" 1 collapse perf --keep nothing-like-it large.txt </dev/null
}

make_inputs
unit_tests
good_runs
bad_runs
printf '%s passed, %s failed\n' $passed $failed
[ $failed -eq 0 ]
