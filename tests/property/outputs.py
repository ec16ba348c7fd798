#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests all outputs with random profiles: reading them back gives the input exactly, and the bytes
do not depend on the number of threads, the chunk size, or the type of input.

A failure prints the seed of its case; `outputs.py SEED` runs this case alone.
"""
import os
import random
import sys
import tempfile
from collections import defaultdict
from fractions import Fraction

import read_back
from cases import brazier, sampled

CASES = sampled(60)

NAMES = ["main", "f", "g", "h", "std::vector<int>::push_back(int&&)", "\"quoted\\\"", "</script>",
         "名前", "é", "a b", "(3) c", "fn=x", "12", "operator()", "😀", "λ", "?", "_", "x" * 300]
WAYS = [["-j1"], ["-j1", "--chunk-size", "64"], ["-j3", "--range-size", "50"]]


# ---- profiles -------------------------------------------------------------------------------------


def random_profile(rng):
    """Returns ({stack: [before, after]}, decimals), with as many weights as folded text supports."""
    decimals = rng.choice([0, 0, 1, 3])
    names = rng.sample(NAMES, rng.randint(1, len(NAMES)))
    stacks = {}
    for _ in range(rng.randint(1, 60)):
        stack = tuple(rng.choice(names) for _ in range(rng.randint(1, rng.choice([2, 6, 40]))))
        top = rng.choice([3, 1000, 10 ** 12])
        values = [Fraction(rng.randint(0, top), 10 ** decimals) for _ in range(2)]
        if any(values):
            stacks[stack] = values
    return stacks or {("main",): [Fraction(1), Fraction(2)]}


def decimal(value):
    """Formats a Fraction whose denominator divides 1000."""
    whole = str(value * 1000).rjust(4, "0")
    return (whole[:-3] + "." + whole[-3:]).rstrip("0").rstrip(".")


def folded(stacks, rng):
    lines = [f"{';'.join(s)} {decimal(a)} {decimal(b)}\n" for s, (a, b) in stacks.items()]
    rng.shuffle(lines)
    return "".join(lines).encode()


def written(output, data, *options):
    p = brazier(["flamegraph", "--set", "folded.counts=2", "--to", output, *options], data)
    assert p.returncode == 0 and p.stderr == b"", p.stderr
    return p.stdout


# ---- expected results
# -----------------------------------------------------------------------------


def not_zero(found):
    return {stack: value for stack, value in found.items() if value != 0}


def weight_of(stacks, i):
    return not_zero({stack: values[i] for stack, values in stacks.items()})


def functions_of(stacks, i):
    """Returns {name: (self, total)}; recursion counts once."""
    own, total = defaultdict(Fraction), defaultdict(Fraction)
    for stack, values in stacks.items():
        own[stack[-1]] += values[i]
        for name in set(stack):
            total[name] += values[i]
    return {name: (own[name], total[name]) for name in total if total[name] != 0}


def calls_of(stacks, i):
    """Returns {(caller, callee): total}; a call within the same call is not counted again."""
    total = defaultdict(Fraction)
    for stack, values in stacks.items():
        for call in set(zip(stack, stack[1:])):
            total[call] += values[i]
    return not_zero(total)


def check_stacks(stacks, data):
    both = [weight_of(stacks, 0), weight_of(stacks, 1)]
    for w, name in enumerate(("before", "after")):
        wish = ["--weight", name]
        yield "json", [both[w]], read_back.read_json(written("json", data, *wish))
        microseconds = {s: 1000 * v for s, v in both[w].items()}
        yield "cpuprofile", [microseconds], \
            read_back.read_cpuprofile(written("cpuprofile", data, *wish))
    yield "speedscope", both, read_back.read_speedscope(written("speedscope", data))
    for output, rows in (("csv", read_back.rows_of_csv), ("jsonl", read_back.rows_of_jsonl)):
        for table in (output, f"samples-{output}"):
            found = read_back.read_rows(rows(written(table, data)), ["before", "after"])
            yield table, both, [not_zero(weight) for weight in found]
    yield "html", both, read_back.read_html(written("html", data))
    yield "firefox", both, read_back.read_firefox(written("firefox", data))
    yield "chrome-trace", [{s: 1000 * v for s, v in one.items()} for one in both], \
        read_back.read_chrome_trace(written("chrome-trace", data))


def scale_of(event):
    """Returns the unit of a weight's numbers, which its name contains."""
    return Fraction(1, 10 ** int(event.partition("_e")[2] or 0))


def check_pprof(stacks, data):
    types, weights = read_back.read_pprof(written("pprof", data, "--weight", "before"))
    assert [name.partition("_e")[0] for name, _ in types] == ["after", "before"], types
    scaled = [{s: v * scale_of(name) for s, v in w.items()} for (name, _), w in zip(types, weights)]
    yield "pprof", [weight_of(stacks, 1), weight_of(stacks, 0)], scaled


def check_functions(stacks, data):
    options = ["--all-weights", "--limit", "0", "--columns", "self,total,name", "--unit", "plain"]
    got = read_back.read_table(written("table", data, *options))
    yield "table", [functions_of(stacks, i) for i in (0, 1)], got
    for i, weight in enumerate(("before", "after")):
        got = read_back.read_markdown(written("markdown", data, "--weight", weight, "--limit", "100", "--budget", "1M"))
        want = {n: w for n, w in functions_of(stacks, i).items() if len(n) <= 80}
        yield f"markdown, table of {weight}", [want], [got]
    events, own, calls = read_back.read_callgrind(written("callgrind", data, "--weight", "before"))
    for i, event in enumerate(events):
        scale = scale_of(event)
        want = {n: s for n, (s, _) in functions_of(stacks, i).items()}
        yield f"callgrind, {event}", [not_zero(want)], \
            [{n: v[i] * scale for n, v in own.items() if v}]
        yield f"callgrind, calls, {event}", [calls_of(stacks, i)], \
            [{c: v[i] * scale for c, v in calls.items()}]


def same_bytes(data):
    outputs = ["table", "term", "callgrind", "chrome-trace", "cpuprofile", "firefox", "markdown", "pprof", "csv",
               "jsonl"]
    with tempfile.NamedTemporaryFile(suffix=".folded") as file:
        file.write(data)
        file.flush()
        for output in outputs:
            usual = ["--palette", "hot", *(["--set", "markdown.title=x"] if output == "markdown" else [])]
            first = written(output, data, *usual) # without a title, a file's name is in it
            for way in ([*way, *usual] for way in WAYS):
                yield f"{output} {way}", first, written(output, data, *way)
                yield f"{output} {way}, a file", first, written(output, b"", *way, file.name)


# ---- running --------------------------------------------------------------------------------------


def run_case(seed):
    rng = random.Random(seed)
    stacks = random_profile(rng)
    data = folded(stacks, rng)
    checks = [*check_stacks(stacks, data), *check_functions(stacks, data), *check_pprof(stacks, data)]
    bad = [(what, want, got) for what, want, got in checks
           if want != [not_zero(w) if "table" not in what else w for w in got]]
    if seed % 10 == 0:
        bad += [(what, len(a), len(b)) for what, a, b in same_bytes(data) if a != b]
    for what, want, got in bad:
        print(f"FAILED seed {seed}: {what}\n   want {want}\n   got  {got}"[:4000])
    return not bad


def main():
    seeds = [int(sys.argv[1])] if len(sys.argv) > 1 else range(CASES)
    failed = sum(not run_case(seed) for seed in seeds)
    print(f"{len(seeds) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
