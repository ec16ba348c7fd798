#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests pictures of sorted folded text whose call tree is read directly from the lines: their bytes, the
messages and the status are those of a run that collapses the text, for any number of threads.

The stacks are distinct and sorted, and share callers over long stretches; some files have a line that
prevents the short way, see merged.py. A size of chunks makes a run take the long way.
`drawn.py SEED` runs the case of a single seed.
"""
import os

from cases import run_cases
from merged import LONG_WAY, ODD, run

CASES = 10
LENGTH = 1_100_000  # shorter inputs take the long way
UNUSUAL = [b"f1 x", b"f1!", b"f1(int, char)", b"f1~", b"__libc_start", b"a`b", b"<x>", b"1", b"x & 'y'", b"-", b"--",
           b"kernel_[k]", b"inlined_[i]", b"compiled_[j]", b"woken_[w]", b"f" * 33, b"f" * 32, b"g" * 500]


def some_stacks(rng):
    """Returns sorted distinct stacks of about LENGTH bytes."""
    names = [b"function_%d_%s" % (i, b"x" * rng.randrange(60)) for i in range(rng.choice([4, 60, 3000]))] + UNUSUAL
    depth, usual = rng.choice([3, 12, 40]), rng.choice(names)
    stacks, stack, length = set(), [], 0
    while length < LENGTH:
        kept = len(stack) - rng.randint(1, 4) if rng.random() < 0.9 else rng.randint(0, len(stack))
        stack = stack[:max(kept, 0)] + [usual] * rng.randint(0, 3) + rng.choices(names, k=rng.randint(1, 4))
        if len(stack) > depth:
            stack = stack[:rng.randint(1, depth)]
        stack = [*stack, b"%d" % len(stacks)] if rng.random() < 0.5 else stack
        line = b";".join(stack)
        length += 0 if line in stacks else len(line)
        stacks.add(line)
    return sorted(stacks)


def check_case(rng, folder, _seed):
    path = os.path.join(folder, "stacks.folded")
    lines = [(stack, b"%d" % rng.choice([1, 7, 12, 10**9])) for stack in some_stacks(rng)]
    if rng.random() < 0.3:
        lines[rng.randrange(len(lines))] = (lines[-1][0] + b"lost", b"-3")
        lines.sort()
    if rng.random() < 0.3:
        lines = sorted([*lines, rng.choice([*ODD, (lines[9][0] + b" !", b"1")])])
    with open(path, "wb") as out:
        out.writelines(b"%s %s\n" % line for line in lines)
    command = ["flamegraph", *rng.choice([[], ["--from", "folded"]]), *rng.choice([[], ["--inverted"]]),
               *rng.choice([[], ["--minwidth", "0"], ["--minwidth", "1"]]), path, "-o", "-"]
    want = run(*command, *LONG_WAY)
    for threads in rng.sample(range(1, 6), 2):
        made = run(*command, f"-j{threads}")
        assert made == want, (command, threads, made[0], want[0], made[2], want[2])


if __name__ == "__main__":
    run_cases(check_case, CASES)
