#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests files of sorted folded text that are added up, or compared, line by line, without a profile:
the output, the messages and the status are those of a run that makes a profile, and this script's own
sums.

The files have sorted distinct stacks; some have a line that prevents the short way, anywhere: in the
wrong order, twice, with an unusual count or name. Some are compressed, and some of these are damaged. A
size of chunks makes a run take the long way.
`merged.py SEED` runs the case of a single seed.
"""
import collections
import gzip
import os
import random
import resource
import subprocess

from cases import brazier, run_cases, sampled

CASES = 60 if os.environ.get("BRAZIER_EXHAUSTIVE") == "1" else sampled(30)
MANY = 600  # inputs: more than stay open
LONG_WAY = ["--chunk-size", "100000"]
# Short inputs take the long way: a filler makes one file long enough, also if it is compressed.
LETTERS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
FILLER = [(b"~filler %07d;%sx" % (i, bytes(random.Random(i).choices(LETTERS, k=90))), b"1") for i in range(15000)]
ODD = [(b"_ZN3foo3barEv;a", b"1"), (b"a;_RNvC1a", b"2"), (b"m`_ZN3foo3barEv", b"2"), (b'q:"a;b";c', b"3"),
       (b"a\tb", b"1"), (b"\xc3\xa4", b"1"), (b"\xff", b"1"), (b"a; b", b"1"), (b"a ", b"1"), (b";a", b"1"),
       (b"a;;b", b"1"), (b"a", b"0"), (b"a", b"1.5"), (b"a", b"007"), (b"a", b"9223372036854775807"), (b"a 5", b"6"),
       (b"a 1.5", b"6"), (b"# comment", b"1"), (b"#", b"1"), (b"a", b"x"), (b"", b"1"), (b"a\r", b"1"), (b"a", b"-1")]


def run(*arguments):
    p = brazier(["--no-config", *arguments])
    assert b"Sanitizer" not in p.stderr, p.stderr[-3000:]
    return p.returncode, p.stdout, p.stderr


def some_stacks(rng):
    names = ["f%d" % i * rng.choice([1, 1, 2, 9]) for i in range(rng.choice([2, 5, 60]))]
    names += ["f1 x", "f1!", "f1(int, char)", "f1~", "f1_[k]", "__libc_start", "a`b", "<x>", "f.1", "1", "x 1 y"]
    stacks, stack = set(), []
    for _ in range(rng.choice([1, 10, 300])):
        stack = stack[:rng.randint(0, len(stack))]
        stack += rng.choices(names, k=rng.randint(1, rng.choice([3, 20])))
        stacks.add(";".join(stack[:30]).encode())
    return stacks


def some_files(rng):
    """Returns the lines of each file, in order."""
    stacks, files = sorted(some_stacks(rng)), []
    for _ in range(MANY if rng.random() < 0.05 else rng.choice([1, 2, 3, 20])):
        chosen = [s for s in stacks if rng.random() < 0.8] or stacks
        files.append([(s, b"%d" % rng.choice([1, 7, 12, 10**14])) for s in chosen])
    at = rng.randrange(len(files))
    files[at] = sorted(files[at] + FILLER)
    return files


def spoil(rng, lines):
    """Adds a line that is not plain, or puts one in the wrong place."""
    how = rng.choice(["odd", "odd", "odd", "order", "twice", "end"])
    if how == "odd":
        lines = sorted([*lines, rng.choice(ODD)])
    elif how == "order":
        lines.insert(rng.randrange(len(lines)), lines.pop(rng.randrange(len(lines))))
    elif how == "twice":
        at = rng.randrange(len(lines))
        lines.insert(at, lines[at])
    return lines, b"" if how == "end" else b"\n"


def packed(rng, data, may_be_damaged):
    """Compresses the bytes of a file in some way, and damages some."""
    cut = rng.randrange(len(data) + 1)
    how = rng.choice(["gzip", "gzip", "members", "zstd", "zstd", "twice"])
    if how == "gzip":
        data = gzip.compress(data, 1)
    elif how == "members":
        data = gzip.compress(data[:cut], 1) + gzip.compress(data[cut:], 1)
    elif how == "twice" and may_be_damaged:
        data = gzip.compress(gzip.compress(data, 1), 1)
    else:
        data = subprocess.run(["zstd", "-qc1"], input=data, capture_output=True, check=True).stdout
    if may_be_damaged and rng.random() < 0.3:
        data = data[:rng.randrange(len(data))] + rng.choice([b"", b"x" * 40])
    return data


def check_case(rng, folder, _seed):
    files, names, plain = some_files(rng), [], rng.random() < 0.5
    worst, packs = rng.randrange(len(files)), rng.choice([0, 0, 0.3, 1])
    for i, lines in enumerate(files):
        end = b"\n"
        if i == worst and not plain:
            lines, end = spoil(rng, lines)
        path = os.path.join(folder, f"{i}.folded")
        with open(path, "wb") as out:
            data = b"\n".join(b" ".join(line) for line in lines) + end
            out.write(packed(rng, data, i == worst and not plain) if rng.random() < packs else data)
        names.append(path)
    commands = [(["merge", "--from", "folded", *names], sum_of)] if rng.random() < 0.7 else \
        [(["run", *names, "-t", "folded"], sum_of)]
    if len(names) > 1:
        commands.append((["diff", "--from", "folded", names[worst], names[worst - 1]],
                         lambda _: both_of(files[worst], files[worst - 1])))
    for command, expected in commands:
        check_command(command, expected(files) if plain else None, folder)


def sum_of(files):
    sums = collections.Counter()
    for lines in files:
        for stack, count in lines:
            sums[stack] += int(count)
    return b"".join(b"%s %d\n" % line for line in sorted(sums.items()))


def both_of(before, after):
    before, after = ({stack: int(count) for stack, count in lines} for lines in (before, after))
    return b"".join(b"%s %d %d\n" % (stack, before.get(stack, 0), after.get(stack, 0))
                    for stack in sorted({*before, *after}))


def check_command(command, expected, folder):
    """Compares both ways, and their output with the expected one, if that is known."""
    made, want = run(*command, "-o", "-"), run(*command, "-o", "-", *LONG_WAY)
    assert made == want, (command, made[0], want[0], made[2], want[2])
    if expected is None:
        return
    assert made[1] == expected and made[0] == 0, command
    to = os.path.join(folder, "out.folded")
    assert run(*command, "-o", to) == (0, b"", made[2]) and open(to, "rb").read() == made[1]


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_NOFILE, (400, 400))  # fewer than the files of a case
    run_cases(check_case, CASES)
