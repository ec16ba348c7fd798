#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests folded text with a line per sample: the result equals this script's own sums of the lines,
whatever their number and order.

Stacks are long and short, with common beginnings or ends, or differ in a single letter, so that a
cache of lines must compare all of a line. `repeated.py SEED` runs the cases of a single seed.
"""
import collections
import fractions
import os
import random

from cases import brazier, run_cases, sampled

CASES = sampled(24)


def run(*arguments):
    p = brazier(["-q", "--no-config", *arguments])
    assert p.returncode == 0 and b"Sanitizer" not in p.stderr, p.stderr[-3000:]
    return p.stdout


# ---- lines ----------------------------------------------------------------------------------------


def some_stacks(rng):
    """Returns stacks of all lengths; some differ in only one letter."""
    names = ["f%d" % i * rng.randint(1, 12) for i in range(rng.choice([3, 40]))]
    stacks = {";".join(rng.choices(names, k=rng.choice([1, 2, 5, 30, 200])))
              for _ in range(rng.choice([2, 30, 3000]))}
    for stack in list(stacks)[:500]:
        at = rng.randrange(len(stack))
        if stack[at] != ";":
            stacks.add(stack[:at] + "x" + stack[at + 1:])
    return sorted(stacks)


def some_count(rng, decimals):
    return fractions.Fraction(rng.choice([0, 1, 1, 1, 7, 99999]), 10 ** rng.randint(0, decimals))


def text_of(count):
    """Formats a fraction with no more digits than necessary."""
    text = "%.6f" % float(count)
    return text.rstrip("0").rstrip(".")


# ---- cases ----------------------------------------------------------------------------------------


def check_sums(rng, folder):
    stacks = some_stacks(rng)
    columns = rng.choice([1, 1, 2])
    decimals = rng.choice([0, 0, 3])
    expected = [collections.Counter() for _ in range(columns)]
    path = os.path.join(folder, "in.folded")
    size = 0
    with open(path, "w") as out:
        while size < 1_700_000:
            # finer counts come late: sums already present must become finer, too, as must lines
            # without a count before the change, and stacks that first occur in such lines
            late = size > 1_200_000
            counts = [some_count(rng, decimals if late else 0) for _ in range(columns)]
            if late and rng.random() < 0.3:
                counts = counts[-1:]
            stack = ("late;" if late else "") + (rng.choice(stacks) if rng.random() < 0.9 else stacks[0])
            for sums, count in zip(expected[-len(counts):], counts):
                sums[stack] += count
            size += out.write("%s %s\n" % (stack, " ".join(map(text_of, counts))))
    for ways in (["-j1"], ["-j3", "--range-size", "300000"], ["-j1", "--chunk-size", "4096"]):
        for weight, sums in zip(["before", "after"] if columns == 2 else ["samples"], expected):
            made = run("collapse", "folded", *ways, "-w", weight, path).decode()
            got = dict(line.rsplit(" ", 1) for line in made.splitlines())
            want = {stack: text_of(n) for stack, n in sums.items() if n != 0}
            got = {s: text_of(fractions.Fraction(n)) for s, n in got.items() if n != "0"}
        assert got == want, (ways, weight, sorted(set(got.items()) ^ set(want.items()))[:6])


def check_order(rng, folder):
    """Checks that adjacent stacks that differ stay separate in a flame chart."""
    stacks = some_stacks(rng)[:20]
    lines = rng.choices(stacks, k=20000)
    path = os.path.join(folder, "in.folded")
    with open(path, "w") as out:
        out.writelines("%s 1\n" % line for line in lines)
    whole = run("run", path, "-j1", "--flamechart", "--to", "svg", "-o", "-")
    pieces = run("run", path, "-j1", "--flamechart", "--chunk-size", "4096", "--to", "svg", "-o", "-")
    assert whole == pieces


def check_case(rng, folder, seed):
    check_sums(rng, folder)
    if seed % 4 == 0:
        check_order(random.Random(seed), folder)


if __name__ == "__main__":
    run_cases(check_case, CASES)
