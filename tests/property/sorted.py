#!/usr/bin/env python3
"""Tests folded text whose lines are sorted, as collapsers write it, or sorted up to some line: the
results equal those for the same lines in random order, and this script's own sums.

Sorted stacks are read, merged and drawn without looking them up. Inputs are sorted by their bytes or
by their lines, repeat lines, or are sorted but for one line; some have quoted names, empty names,
empty stacks, names that differ in their last letter only, or two counts. `sorted.py SEED` runs the
case of a single seed.
"""
import collections
import os
import subprocess

from cases import brazier, run_cases

BRAZIER = os.environ["BRAZIER"]
CASES = 40
WAYS = [["-j1"], ["-j1", "--chunk-size", "100"], ["-j3", "--range-size", "700"]]


def run(*arguments):
    p = brazier(["-q", "--no-config", *arguments])
    assert p.returncode == 0 and b"Sanitizer" not in p.stderr, p.stderr[-3000:]
    return p.stdout


# ---- lines ----------------------------------------------------------------------------------------


def some_names(rng):
    names = ["f%d" % i * rng.choice([1, 1, 2, 9]) for i in range(rng.choice([2, 5, 60]))]
    names += rng.sample(["", "f1 x", "f1!", "f1~", "f1_[k]", "f1_[i]", "\u00e4", "\u20ac"], 3)
    return names + rng.sample(['q:"a;b"', '"', 'q:"a', "f1 2"], rng.choice([0, 0, 2]))


def some_lines(rng):
    """Returns the lines of a file, by their stacks; some stacks come more than once."""
    names, lines = some_names(rng), []
    columns, stack = rng.choice([1, 1, 1, 2]), []
    deepest = rng.choice([3, 20, 20, 300])
    for _ in range(rng.choice([1, 10, 300, 300])):
        stack = stack[:rng.randint(0, len(stack))]
        stack += rng.choices(names, k=rng.randint(0 if len(lines) % 50 == 7 else 1, deepest))
        stack = stack[:deepest]
        for _ in range(rng.choice([1, 1, 1, 3])):
            counts = " ".join(str(rng.choice([0, 1, 7, 12])) for _ in range(columns))
            lines.append((";".join(stack).encode(), counts.encode()))
    return lines


def arranged(rng, lines):
    """Returns the lines sorted, perhaps with a line or a part in the wrong place."""
    by_line = rng.random() < 0.3
    lines = sorted(lines, key=lambda line: b" ".join(line) if by_line else line[0])
    how = rng.choice(["all", "all", "all", "one", "twice", "parts"])
    if how == "one":
        lines.insert(rng.randrange(len(lines)), lines.pop(rng.randrange(len(lines))))
    if how == "twice":
        lines += lines
    if how == "parts":
        at = rng.randrange(len(lines))
        lines = lines[at:] + lines[:at]
    return lines


def write(folder, name, lines):
    path = os.path.join(folder, name)
    with open(path, "wb") as out:
        out.writelines(stack + b" " + counts + b"\n" for stack, counts in lines)
    return path


# ---- cases ----------------------------------------------------------------------------------------


def check_sums(lines, path):
    """Compares with sums, unless the grammar of odd names would have to be repeated here."""
    if any(b'"' in stack or stack.strip() != stack or stack == b"" or stack[:1] == b";" or
           stack.split(b" ")[-1][:1].isdigit() or b" " in counts for stack, counts in lines):
        return
    sums = collections.Counter()
    for stack, count in lines:
        sums[stack] += int(count)
    if not any(sums.values()):
        return
    made = run("collapse", "folded", "-j1", path).splitlines()
    want = [b"%s %d" % (stack, n) for stack, n in sorted(sums.items())]
    assert made == want, sorted(set(made) ^ set(want))[:6]


def check_case(rng, folder, _seed):
    files = []
    for side in ("a", "b", "c"):
        lines = arranged(rng, some_lines(rng) + [(b"f0", b"3")])
        shuffled = rng.sample(lines, len(lines))
        files.append((lines, write(folder, side, lines), write(folder, side + "r", shuffled)))
    sorted_files, random_files = [f[1] for f in files], [f[2] for f in files]
    check_sums(files[0][0], sorted_files[0])
    commands = [(["run", "--from", "folded", "--to", "folded"], 1), (["flamegraph", "--from", "folded"], 1),
                (["run", "--from", "folded", "--to", "json"], 1),
                (["merge", "--from", "folded", "--to", "folded"], 3),
                (["diff", "--from", "folded", "--to", "folded"], 2), (["diff", "--from", "folded"], 2),
                (["diff", "--from", "folded", "--normalize", "--to", "folded"], 2)]
    for command, n in commands:
        want = run(*command, *random_files[:n], "-j1", "-o", "-")
        for way in WAYS:
            made = run(*command, *sorted_files[:n], *way, "-o", "-")
            assert made == want, (command, way)
    with open(sorted_files[0], "rb") as pipe:
        piped = subprocess.run([BRAZIER, "run", "--from", "folded", "--to", "folded", "-", "-o", "-"], stdin=pipe,
                               capture_output=True, check=True).stdout
    assert piped == run("run", "--from", "folded", "--to", "folded", random_files[0], "-o", "-")


if __name__ == "__main__":
    run_cases(check_case, CASES)
