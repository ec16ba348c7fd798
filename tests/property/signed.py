#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests weights with signs: all outputs have the same sums, and in pictures no frame leaves the picture or its
parent. Widths are the sizes of gains and losses together; titles have the signed weights, their shares of that, and the
gains and losses of frames that have both. Comparisons of such weights follow the same rules on each side.

`signed.py SEED` runs the case of a single seed.
"""
import json
import os
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import read_back  # noqa: E402
from cases import brazier, run_cases, sampled  # noqa: E402
from lib import svg  # noqa: E402

CASES = sampled(25)
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


TITLE = re.compile(r"(?P<name>.*) \((?P<net>-?[\d,]+) samples?, (?P<share>-?[\d.]+)%(?:; (?P<change>[+-]?[\d.]+)%)?"
                   r"(?:; gains (?P<gains>[\d,]+), losses (?P<losses>[\d,]+))?\)", re.S)


def number(text):
    return int(text.replace(",", "")) if text else 0


def nodes_of(picture, deltas=False):
    """Returns the frames of a picture: {path: [net, width in percent, change in percent]}. Checks that each lies
    within its parent and beside its siblings, and the parts of its title; parts of a flame chart are added up.
    Leaves out frames without a width."""
    rows = sorted((f for f in svg.frames(picture)[1] if f[2] > 0), key=lambda f: (-f[3], f[1]))
    found, below = {}, []
    for title, x, width, y, *_ in rows:
        assert -0.001 <= x and x + width <= 100.001, title
        parents = [p for p in below if p[3] == y + ROW and p[1] - 0.001 <= x and x + width <= p[1] + p[2] + 0.001]
        assert parents or not below, f"{title} lies in no frame"
        beside = [p for p in below if p[3] == y and p[1] + p[2] > x + 0.001]
        assert not beside, f"{title} covers {beside}"
        part = TITLE.fullmatch(title)
        assert part, title
        net, share = number(part["net"]), float(part["share"])
        has_both = part["gains"] is not None
        assert has_both or abs(abs(share) - width) < 0.01, (title, width)
        assert not has_both or number(part["gains"]) - number(part["losses"]) == net, title
        assert not has_both or min(number(part["gains"]), number(part["losses"])) > 0, title
        assert deltas == (part["change"] is not None) or not below, title
        path = (*parents[0][0], part["name"]) if below else ()
        below.append((path, x, width, y))
        node = found.setdefault(path, [0, 0, 0, 0])
        for i, value in enumerate((net, width, float(part["change"] or 0), share)):
            node[i] += value
    return found


def check_nodes(found, want, whole, what):
    assert set(found) == set(want), (what, set(found) ^ set(want))
    for path, (net, size) in want.items():
        assert found[path][0] == net, (what, path, found[path], net)
        assert abs(found[path][1] - 100 * size / whole) < 0.01, (what, path, found[path], size, whole)
        assert abs(found[path][3] - 100 * net / whole) < 0.05, (what, path, found[path], net, whole)


def check_picture(path, stacks, *words):
    nodes = totals(stacks)
    picture = run(path, "-t", "svg", "--no-compact", "--minwidth", "0", "--nametype", "", *words)
    check_nodes(nodes_of(picture), nodes, nodes[()][1], words)


def weights_of(page):
    """Returns the stacks of a page with their values, by weight."""
    names = [weight["name"] for weight in read_back.html_data(page)["weights"]]
    return {name: {stack: v for stack, v in weight.items() if v != 0}
            for name, weight in zip(names, read_back.read_html(page), strict=True)}


# ---- comparisons ----------------------------------------------------------------------------------


def check_comparison(path, sides):
    """Widths are sizes of the chosen side, or of both; titles have its signed weight and the change."""
    before, after = ({s: v[i] for s, v in sides.items()} for i in (0, 1))
    changes = {path: total for path, (total, _) in totals({s: b - a for s, (a, b) in sides.items()}).items()}
    sizes = {"before": totals(before), "after": totals(after)}
    sizes["both"] = {path: tuple(map(sum, zip(sizes["before"][path], sizes["after"][path], strict=True)))
                     for path in sizes["before"]}
    for base, nodes in sizes.items():
        whole = nodes[()][1]
        drawn = {path: node for path, node in nodes.items() if node[1] > 0}
        if whole == 0:
            continue
        picture = run(path, "-t", "svg", "--no-compact", "--minwidth", "0", "--base-on", base)
        found = nodes_of(picture, True)
        check_nodes(found, drawn, whole, base)
        for node, values in found.items():
            assert node == () or abs(values[2] - 100 * changes[node] / whole) < 0.01, (base, node, values, changes[node])
        weights = weights_of(run(path, "-t", "html", "--base-on", base))
        for name, want in (("before", before), ("after", after)):
            assert weights[name] == {s: v for s, v in want.items() if v != 0}, (base, name)


# ---- other outputs --------------------------------------------------------------------------------


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
    assert lines[2].split() == "SELF SELF% TOTAL TOTAL% GAINS LOSSES NAME".split()
    for own, share, total, total_share, gained, lost, name in map(str.split, lines[3:]):
        assert int(own) == selves.get(name, 0), (name, own, selves)
        assert abs(float(share.strip("%")) - 100 * int(own) / whole) < 0.006, (name, share, own, whole)
        assert int(total) == int(gained) - int(lost), (name, total, gained, lost)
        parts = [value for stack, value in stacks.items() if name in stack]
        assert int(gained) == sum(value for value in parts if value > 0), (name, gained, parts)
        assert int(lost) == -sum(value for value in parts if value < 0), (name, lost, parts)
        assert abs(float(total_share.strip("%")) - 100 * int(total) / whole) < 0.006, (name, total_share)
    sizes = [abs(int(line.split()[0])) for line in lines[3:]]
    assert sizes == sorted(sizes, reverse=True), "a loss is listed as early as a gain"


def check_page(path, stacks):
    """A page has all gains and losses, also in the order of time."""
    for words in ([], ["--flamechart"]):
        page = run(path, "-t", "html", *words)
        assert list(weights_of(page).values()) == [stacks], words
        data = read_back.html_data(page)
    assert data["time"]["root"]["total"] == sum(map(abs, stacks.values()))
    losses = sum(read_back.html_column(data["time"]["losses"])) + data["time"]["root"]["losses"]
    assert losses == -sum(value for value in stacks.values() if value < 0)


def check_terminal(path, stacks):
    lines = run(path, "-t", "term", "-s", "term.width=200").decode().splitlines()
    gains = sum(value for value in stacks.values() if value > 0)
    losses = gains - sum(stacks.values())
    assert f"{gains - losses} samples (gains {gains}, losses {losses})".replace(",", "") in \
        "".join(lines).replace(",", ""), lines


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
    check_page(path, stacks)
    check_terminal(path, stacks)
    assert run(path, "-t", "timeline")
    sides = {stack: (rng.randint(-9, 9), value) for stack, value in stacks.items()}
    with open(path, "w") as out:
        out.writelines(f"{';'.join(stack)} {before} {after}\n" for stack, (before, after) in sides.items())
    check_comparison(path, sides)
    nodes_of(run(path, "-t", "svg", "--no-compact", "--minwidth", "0", "--flamechart"), True)


if __name__ == "__main__":
    run_cases(check_case, CASES)
