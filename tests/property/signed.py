#!/usr/bin/env python3
"""Tests weights with signs: all outputs have the same sums, and in pictures no frame leaves the picture or its
parent. Widths are the sizes of gains and losses together; titles have the signed weights.

`signed.py SEED` runs the case of a single seed.
"""
import json
import os
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
from cases import brazier, run_cases  # noqa: E402
from lib import svg  # noqa: E402

CASES = 25
ROW = 16


def run(path, *words):
    p = brazier(["--no-config", "run", path, "-f", "folded", *words])
    assert p.returncode == 0 and b"Sanitizer" not in p.stderr, (words, p)
    return p.stdout


def some_stacks(rng):
    """Returns stacks with weights, of which some have both gains and losses below them."""
    stacks = {}
    for _ in range(rng.randint(2, 40)):
        stack = tuple(rng.choice("abc") for _ in range(rng.randint(1, 6)))
        stacks[stack] = rng.choice([-1, 1, 1]) * rng.choice([1, 2, 7, 30, 100])
    stacks[("a", "x")] = -rng.randint(1, 9)
    return stacks


def totals(stacks):
    """Returns the signed total and the size of each node, by its path."""
    nodes = {}
    for stack, value in stacks.items():
        for n in range(len(stack) + 1):
            total, size = nodes.get(stack[:n], (0, 0))
            nodes[stack[:n]] = total + value, size + abs(value)
    return nodes


def paths_of(frames):
    """Returns each frame by its path. Checks that it lies within its parent, and beside its siblings."""
    rows = sorted(frames, key=lambda f: (-f[3], f[1]))
    found, below = [], []
    for title, x, width, y, *_ in rows:
        assert -0.001 <= x and x + width <= 100.001, title
        name = re.fullmatch(r"(.*) \((-?[\d,]+) .*", title, re.S)
        parents = [p for p in below if p[3] == y + ROW and p[1] - 0.001 <= x and x + width <= p[1] + p[2] + 0.001]
        assert parents or not below, f"{title} lies in no frame"
        beside = [p for p in below if p[3] == y and p[1] + p[2] > x + 0.001]
        assert not beside, f"{title} covers {beside}"
        path = (*parents[0][0], name[1]) if below else ()
        below.append((path, x, width, y))
        found.append((path, int(name[2].replace(",", "")), width))
    return found


def check_picture(path, stacks, *words):
    nodes, seen = totals(stacks), {}
    picture = run(path, "-t", "svg", "--no-compact", "--minwidth", "0", "--nametype", "", *words)
    whole = nodes[()][1]
    for node, value, width in paths_of(svg.frames(picture)[1]):
        old_value, old_width = seen.get(node, (0, 0))
        seen[node] = old_value + value, old_width + width
    assert set(seen) == set(nodes), (words, set(seen) ^ set(nodes))
    for node, (value, size) in nodes.items():
        assert seen[node][0] == value, (words, node, seen[node], value)
        assert abs(seen[node][1] - 100 * size / whole) < 0.01, (words, node, seen[node], size, whole)


def folded(text):
    return {tuple(line.rsplit(b" ", 1)[0].decode().split(";")): int(line.rsplit(b" ", 1)[1])
            for line in text.splitlines()}


def check_data(path, folder, stacks):
    """Outputs that are read again, or have the tree."""
    assert folded(run(path, "-t", "folded")) == stacks
    for format in ("pprof", "speedscope"):
        copy = os.path.join(folder, "copy." + format)
        run(path, "-t", format, "-o", copy)
        p = brazier(["--no-config", "run", copy, "-t", "folded"])
        assert folded(p.stdout) == stacks, (format, p)
    tree = json.loads(run(path, "-t", "json"))
    assert tree["value"] == sum(stacks.values()), tree
    together = os.path.join(folder, "x.json")
    run(path, "-o", os.path.join(folder, "x.svg"), "-o", together)
    assert json.loads(open(together).read()) == tree, "a picture beside it changes the data"


def check_table(path, stacks):
    """Shares are those of all gains and losses, as in pictures."""
    whole = sum(map(abs, stacks.values()))
    selves = {}
    for stack, value in stacks.items():
        selves[stack[-1]] = selves.get(stack[-1], 0) + value
    lines = run(path, "-t", "table", "--limit", "0", "--unit", "plain").decode().splitlines()
    gains = sum(value for value in stacks.values() if value > 0)
    assert lines[0] == f"{sum(stacks.values())} samples (gains {gains}, losses {whole - gains})", lines[0]
    for own, share, _, total_share, name in map(str.split, lines[3:]):
        assert int(own) == selves.get(name, 0), (name, own, selves)
        assert abs(float(share.strip("%")) - 100 * int(own) / whole) < 0.006, (name, share, own, whole)
        assert abs(float(total_share.strip("%"))) <= 100, (name, total_share)


def check_case(rng, folder, _seed):
    stacks = some_stacks(rng)
    path = os.path.join(folder, "stacks.folded")
    lines = [f"{';'.join(stack)} {value}\n" for stack, value in stacks.items()]
    with open(path, "w") as out:
        out.writelines(rng.sample(lines, len(lines)))
    check_data(path, folder, stacks)
    check_picture(path, stacks)
    check_picture(path, stacks, "--flamechart")
    check_table(path, stacks)
    for format in ("html", "term", "timeline"):
        assert run(path, "-t", format)
    with open(path, "w") as out:
        out.writelines(f"{';'.join(stack)} {rng.randint(-9, 9)} {value}\n" for stack, value in stacks.items())
    for words in ([], ["--base-on", "both"], ["--flamechart"]):
        picture = run(path, "-t", "svg", "--no-compact", "--minwidth", "0", *words)
        paths_of(svg.frames(picture)[1])


if __name__ == "__main__":
    run_cases(check_case, CASES)
