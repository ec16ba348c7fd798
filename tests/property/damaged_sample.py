#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A damaged call graph of macOS sample never counts more samples than its threads have.

Random call graphs lose, repeat or cut off rows below their threads. Whatever is left of them, the
folded counts add up to those of the threads, at most. `damaged_sample.py SEED` runs one seed alone.
"""
import random
import sys

from cases import brazier, sampled

CASES = sampled(150)


def rows_below(rng, column, count, depth):
    """Rows of calls whose counts add up to no more than `count`."""
    rows = []
    while count > 0 and depth > 0 and rng.random() < 0.8:
        share = rng.randint(1, count)
        count -= share
        rows.append(" " * 4 + " " * column + f"{share} f{rng.randint(0, 5)}  (in app) + 1  [0x1]")
        rows += rows_below(rng, column + 2, share, depth - 1)
    return rows


def graph(rng):
    rows, total = [], 0
    for thread in range(rng.randint(1, 4)):
        count = rng.randint(1, 1000)
        total += count
        rows.append(f"    {count} Thread_{thread}")
        rows += rows_below(rng, 2, count, rng.randint(1, 6))
    return rows, total


def damage(rng, rows):
    """Deletes, repeats and cuts off some rows that are not those of threads."""
    for _ in range(rng.randint(0, 4)):
        calls = [i for i, row in enumerate(rows) if "Thread_" not in row]
        if not calls:
            break
        i = rng.choice(calls)
        kind = rng.randrange(3)
        if kind == 0:
            del rows[i]
        elif kind == 1:
            rows.insert(i, rows[i])
        else:
            rows[i] = rows[i][:rng.randint(0, len(rows[i]))]
    return rows


def folded_sum(rows):
    text = "Call graph:\n" + "\n".join(rows) + "\n\nTotal number in stack (recursive …):\n"
    p = brazier(["-q", "collapse", "sample", "--idle"], text.encode())
    assert b"Sanitizer" not in p.stderr and p.returncode in (0, 1), p.stderr.decode()
    return sum(int(line.rsplit(b" ", 1)[1]) for line in p.stdout.splitlines())


def check(seed):
    rng = random.Random(seed)
    rows, total = graph(rng)
    assert folded_sum(rows) == total, f"seed {seed}: an undamaged graph"
    damaged = folded_sum(damage(rng, rows))
    assert damaged <= total, f"seed {seed}: {damaged} samples counted of {total}"


def main():
    seeds = [int(sys.argv[1])] if len(sys.argv) > 1 else range(CASES)
    for seed in seeds:
        check(seed)
    print(f"{len(seeds)} passed, 0 failed")


if __name__ == "__main__":
    main()
