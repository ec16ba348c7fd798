#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests folded text whose lines are sorted, as collapsers write it, or sorted up to some line, and
files of pprof and speedscope with sorted samples: the results equal those for the same lines or
samples in random order, and for text also this script's own sums.

Sorted stacks are read, merged and drawn without looking them up. Inputs are sorted by their bytes or
by their lines, repeat lines, or are sorted but for one line; some have quoted names, empty names,
empty stacks, names that differ in their last letter only, or two counts. `sorted.py SEED` runs the
case of a single seed.
"""
import base64
import collections
import gzip
import json
import os
import random
import subprocess

from cases import brazier, run_cases, sampled

BRAZIER = os.environ["BRAZIER"]
CASES = sampled(40)
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


def plain_names(rng):
    names = ["f%d" % i * rng.choice([1, 1, 2, 9]) for i in range(rng.choice([2, 5, 60]))]
    odd = rng.sample(["f1_[k]", "f1_[i]", "f1!"], rng.choice([0, 0, 1]))
    return names + ["f1 x", "f1~", "f1 2", "[f1 <2>]", *odd]


def some_lines(rng, names):
    """Returns the lines of a file, by their stacks; some stacks come more than once."""
    lines = []
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


# ---- files with tables ----------------------------------------------------------------------------

# Makes files as large as those that are read in order; what it is made of cannot be compressed.
PADDING = base64.b64encode(random.Random(1).randbytes(800_000))


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        at, shift = at + 1, shift + 7
        if data[at - 1] < 128:
            return value, at


def fields(data):
    """Yields the number and the bytes of each field of a message."""
    at = 0
    while at < len(data):
        tag, value_at = varint(data, at)
        value, end = varint(data, value_at)
        if tag & 7 == 2:
            end += value
        yield tag >> 3, data[at:end]
        at = end


def text_field(number, text):
    size, n = b"", len(text)
    while n > 127:
        size += bytes([n & 127 | 128])
        n >>= 7
    return bytes([number << 3 | 2]) + size + bytes([n]) + text


def pprof_pair(rng, data):
    """Returns a profile of pprof, and the same one with its samples in random order."""
    parts = list(fields(gzip.decompress(data))) + [(6, text_field(6, PADDING))]
    samples = [part for number, part in parts if number == 2]
    mixed = iter(rng.sample(samples, len(samples)))
    pair = [b"".join(part for _, part in parts),
            b"".join(next(mixed) if number == 2 else part for number, part in parts)]
    return [gzip.compress(one, 1) for one in pair] if rng.random() < 0.5 else pair


def speedscope_pair(rng, data):
    """Does the same for a file of speedscope."""
    file = json.loads(data)
    file["padding"] = PADDING.decode()
    sorted_text = json.dumps(file, separators=(",", ":")).encode()
    for profile in file["profiles"]:
        pairs = list(zip(profile["samples"], profile["weights"]))
        rng.shuffle(pairs)
        profile["samples"], profile["weights"] = [p[0] for p in pairs], [p[1] for p in pairs]
    return [sorted_text, json.dumps(file, separators=(",", ":")).encode()]


def messages(*arguments):
    """Returns the output and the messages of a run."""
    p = brazier(["--no-config", *arguments])
    assert b"Sanitizer" not in p.stderr, p.stderr[-3000:]
    return p.returncode, p.stdout, p.stderr


def check_tables(rng, folder):
    """Checks a format whose samples refer to tables."""
    names = plain_names(rng) if rng.random() < 0.7 else some_names(rng)
    texts = [write(folder, side, sorted(some_lines(rng, names) + [(b"f0", b"3")])) for side in "abc"]
    name, pair_of = rng.choice([("pprof", pprof_pair), ("speedscope", speedscope_pair)])
    for side, text in zip("abc", texts):
        pair = pair_of(rng, run("run", "--from", "folded", "--to", name, text, "-o", "-"))
        for order, data in zip(("in", "not"), pair):
            os.makedirs(os.path.join(folder, order), exist_ok=True)
            with open(os.path.join(folder, order, side), "wb") as out:
                out.write(data)
    commands = [(["run", "--to", "folded"], 1), (["run", "--to", "svg"], 1), (["run", "--to", "json"], 1),
                (["merge", "--to", "folded"], 3), (["diff", "--to", "folded"], 2),
                (["diff", "--to", "svg"], 2)]
    for command, n in commands:
        want, *made = [messages(*command, *(os.path.join(folder, order, side) for side in "abc"[:n]),
                                *way, "-o", "-") for order, way in
                       (("not", ["-j1"]), ("in", ["-j1"]), ("in", ["-j3"]),
                        ("in", ["-j1", "--from", name]))]
        for got in made:
            got = (*got[:2], got[2].replace(os.path.join(folder, "in").encode(),
                                            os.path.join(folder, "not").encode()))
            assert got == want, (name, command, got[2], want[2])


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


def check_case(rng, folder, seed):
    files = []
    if seed % 3 == 0:
        check_tables(rng, folder)
    for side in ("a", "b", "c"):
        lines = arranged(rng, some_lines(rng, some_names(rng)) + [(b"f0", b"3")])
        shuffled = rng.sample(lines, len(lines))
        files.append((lines, write(folder, side, lines), write(folder, side + "r", shuffled)))
    sorted_files, random_files = [f[1] for f in files], [f[2] for f in files]
    check_sums(files[0][0], sorted_files[0])
    commands = [(["run", "--from", "folded", "--to", "folded"], 1), (["flamegraph", "--from", "folded", "--title", "sorted"], 1),
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
