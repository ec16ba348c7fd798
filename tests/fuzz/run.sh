#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs fuzz targets of a build with libFuzzer, one after the other, and summarises their findings.
#
# usage: run.sh BUILD SECONDS [TARGET...]     (no TARGET: each one)
#
# The corpus of a target stays in BUILD/tests/fuzz/corpus/TARGET for the next run; inputs that
# violate a property are stored in BUILD/tests/fuzz/findings/TARGET, and the exit status is 1 then.

set -u
if [ $# -lt 2 ]; then
    sed -n '2,7s/^# \{0,1\}//p' "$0"
    exit 2
fi
source=$(cd "$(dirname "$0")" && pwd)
fuzz=$(cd "$1" && pwd)/tests/fuzz
seconds=$2
shift 2
if [ $# -eq 0 ]; then
    # shellcheck disable=SC2046
    set -- $(ls "$fuzz/targets")
fi

export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1
export UBSAN_OPTIONS=print_stacktrace=1

# Prints the existing folders and files among a target's inputs.
inputs_of() {
    while IFS= read -r folder; do
        [ -e "$folder" ] && printf '%s\n' "$folder"
    done <"$fuzz/targets/$1"
}

run_target() {
    corpus=$fuzz/corpus/$1
    findings=$fuzz/findings/$1
    log=$fuzz/$1.log
    dictionary=$source/dict/$1.dict
    mkdir -p "$corpus" "$findings"
    [ -e "$dictionary" ] && dictionary=-dict=$dictionary || dictionary=-verbosity=1
    # shellcheck disable=SC2046
    "$fuzz/bin/fuzz_$1" -max_total_time="$seconds" -max_len=200000 -timeout=25 -rss_limit_mb=2048 \
        -print_final_stats=1 -artifact_prefix="$findings/" "$dictionary" \
        "$corpus" $(inputs_of "$1") >"$log" 2>&1
}

# Prints a number of libFuzzer's final statistics.
statistic() {
    sed -n "s/^stat::$2: *//p" "$fuzz/$1.log"
}

status=0
for target; do
    if [ ! -x "$fuzz/bin/fuzz_$target" ]; then
        printf '%s: no such target\n' "$target"
        status=2
        continue
    fi
    run_target "$target"
    result=$?
    edges=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$fuzz/$target.log" | tail -1)
    printf '%-14s %10s runs  %6s edges  %5s inputs kept  %s\n' "$target" \
        "$(statistic "$target" number_of_executed_units)" "$edges" \
        "$(find "$fuzz/corpus/$target" -type f | wc -l)" \
        "$([ $result -eq 0 ] && echo nothing found || echo "FOUND SOMETHING")"
    if [ $result -ne 0 ]; then
        status=1
        grep -m 3 -e 'finding:' -e 'ERROR:' -e 'runtime error:' "$fuzz/$target.log" | sed 's/^/    /'
        printf '    %s\n' "log: $fuzz/$target.log" "input: $(ls -t "$fuzz/findings/$target"/* | head -1)"
    fi
done
exit $status
