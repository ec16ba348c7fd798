#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that pictures and pages return the stacks that they are drawn from.

brazier draws random profiles and golden cases, and reads the flame graphs back: from the data for the script, from
groups of titles and rectangles, and from pages. Titles and widths alone give the same, too, if no number is rounded.
"""
import os
import re
import sys

from cases import run_cases, run_shared, sampled

GOLDEN = os.path.join(os.environ["BRAZIER_SOURCE"], "tests", "golden", "collapse")
NAMES = ("main", "parse", "std::map<int, char>::find", 'say "x" & y', "f (3 samples, 5.00%)", "all", "größe", "a\\n'b'",
         "operator()(int)", "]]>", "&lt;", "[unknown]", "x" * 200)
GROUPS = ["--no-compact", "--no-javascript", "--minwidth", "0"]
# Pictures have no annotations of frames, and of a comparison one weight of two.
UNLIKE = re.compile(rb"_\[[kijw]\]| -?[\d.]+ -?[\d.]+$", re.MULTILINE)
CONTROL = re.compile(rb"\xe2\x90[\x80-\xa1]")  # pictures of control characters, which folded stacks replace by blanks
NOT_CASES = (".folded", ".stderr", ".args", ".odd")


def lines_of(output):
    return sorted(line for line in output.split(b"\n") if line)


def draw(arguments, path, options):
    """Draws an input; returns its stacks, or None if there is nothing to draw."""
    p = run_shared([*arguments, "-o", path, "-o", f"{path}.folded", *options])
    if p.returncode != 0:
        return None
    with open(f"{path}.folded", "rb") as f:
        return lines_of(f.read())


def check_picture(what, stacks, path):
    p = run_shared(["collapse", "html" if path.endswith(".html") else "svg", path])
    assert p.returncode == 0, (what, p.stderr)
    got = lines_of(CONTROL.sub(b" ", p.stdout))
    assert got == stacks, (what, [s for s in stacks if s not in got][:3], [s for s in got if s not in stacks][:3], p.stderr)


def check_pictures(what, arguments, folder, ways):
    for name, options in ways:
        path = os.path.join(folder, name)
        stacks = draw(arguments, path, options)
        if stacks and not UNLIKE.search(b"\n".join(stacks)):
            check_picture(f"{what} {name}", stacks, path)


def without_weights(path):
    """Removes the attributes that other tools' pictures do not have."""
    with open(path, "rb") as f:
        data = f.read()
    with open(path, "wb") as f:
        f.write(re.sub(rb' fg:[xwu]="\d+"', b"", data))


def random_stacks(rng, signed):
    stacks = {}
    for _ in range(rng.randrange(1, 40)):
        stack = ";".join(rng.choice(NAMES) for _ in range(rng.randrange(1, 8)))
        stacks[stack] = rng.choice((1, 7, 1234, 10 ** 9)) * (rng.choice((1, -1)) if signed else 1)
    return "".join(f"{stack} {value}\n" for stack, value in stacks.items())


def check(rng, folder, seed):
    path = os.path.join(folder, "stacks.folded")
    signed = seed % 4 == 3
    with open(path, "w", encoding="utf-8") as f:
        f.write(random_stacks(rng, signed))
    ways = [("a.svg", []), ("b.html", []), ("c.svg", ["--inverted", "--minwidth", "5"])]
    arguments = ["run", path, "--from", "folded"]
    check_pictures(f"seed {seed}", arguments, folder, ways)
    if signed:
        return
    check_pictures(f"seed {seed}", arguments, folder, [("d.svg", GROUPS), ("e.svg", [*GROUPS, "--inverted"])])
    picture = os.path.join(folder, "f.svg")
    stacks = draw(arguments, picture, [*GROUPS, "--unit", "plain", "--width", "100000"])
    if stacks and b"000000000\n" not in b"\n".join(stacks) + b"\n":
        without_weights(picture)
        check_picture(f"seed {seed} without weights", stacks, picture)


def check_golden(folder):
    n = 0
    for format_ in sorted(os.listdir(GOLDEN)):
        names = [x for x in sorted(os.listdir(os.path.join(GOLDEN, format_))) if not x.endswith(NOT_CASES)]
        for name in names[:sampled(6)]:
            path = os.path.join(GOLDEN, format_, name)
            check_pictures(path, ["run", path, "--from", format_], folder, [("a.svg", []), ("b.html", [])])
            n += 1
    print(n, "golden cases")


def check_all(rng, folder, seed):
    check(rng, folder, seed)
    if seed == 0:
        check_golden(folder)


if __name__ == "__main__":
    sys.stdout.reconfigure(line_buffering=True)
    run_cases(check_all, sampled(60))
