#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests that random folded stacks are drawn by the rules of flame graphs.

The model below states these rules as simply as possible: it maps folded lines to the list of
frames, with their positions, titles and labels, in drawing order. A failure prints the seed of its
case; `svg.py SEED` runs this case alone, `svg.py --cases N` runs more cases.
"""
import math
import os
import pathlib
import random
import re
import sys
import unicodedata
from decimal import ROUND_HALF_UP, Decimal
from xml.sax.saxutils import unescape

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
from cases import brazier, sampled  # noqa: E402
from lib import svg  # noqa: E402

# The model draws pictures as other tools do.
LOOKS = ["--no-compact", "--no-legend", "--unit=plain", "--countname=samples", "--label=tail",
         "--label-color=black", "--palette=diff,hot"]
CASES = sampled(400)

# ---- the model ------------------------------------------------------------------------------------


class Options:
    width, height, fontsize, fontwidth = 0, 16, 12, 0.59
    minwidth, factor = 0.01, 1.0
    inverted = reverse = truncate_right = False
    subtitle, countname = "", "samples"

    def words(self):
        for name in ("width", "height", "fontsize", "fontwidth", "minwidth", "factor", "subtitle",
                     "countname"):
            if getattr(self, name) != getattr(Options, name):
                yield f"--{name}={getattr(self, name)}"
        for name in ("inverted", "reverse", "truncate_right"):
            if getattr(self, name):
                yield "--" + name.replace("truncate_right", "truncate-text-right")


def closed_frames(lines, reverse):
    """Yields (stack, start, end) of each frame in drawing order: the first line that does not
    contain a frame closes it, outer frames first. The outermost frame is the empty stack."""
    stacks = sorted((";".join(reversed(s.split(";"))) if reverse else s, n) for s, n in lines)
    open_frames, time = [], 0
    for stack, count in [*stacks, (None, 0)]:
        path = () if stack is None else ((), *(tuple(stack.split(";")[:i + 1])
                                               for i in range(stack.count(";") + 1)))
        shared = 0
        while shared < min(len(path), len(open_frames)) and open_frames[shared][0] == path[shared]:
            shared += 1
        for known, start in open_frames[shared:]:
            yield known, start, time
        open_frames[shared:] = [(p, time) for p in path[shared:]]
        time += count


def display_name(name):
    return re.sub(r"_\[[kijw]\]$", "", name)


def grouped(count):
    return f"{count:,}"


def half_up(x):
    return int(Decimal(x).quantize(Decimal(1), ROUND_HALF_UP))


def title(o, stack, weight, total):
    count = half_up(weight * o.factor) if o.factor != 1 else weight
    if not stack:
        return f"all ({grouped(count)} {o.countname}, 100%)"
    percent = 100 * half_up(weight * o.factor) / (total * o.factor)
    return f"{display_name(stack[-1])} ({grouped(count)} {o.countname}, {percent:.2f}%)"


def columns(text):
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def label(o, name, width, image):
    """Returns the label that fits within the frame, 3 pixels from its sides, in a font slightly
    wider than specified."""
    room = math.floor((width / 100 * (image - 20) - 6) / (o.fontsize * o.fontwidth * 1.02))
    if room < 3:
        return ""
    if columns(name) <= room:
        return name
    part = name
    while columns(part) > room - 2:
        part = part[:-1] if o.truncate_right else part[1:]
    return part + ".." if o.truncate_right else ".." + part


class Frame:
    def __init__(self, **facts):
        self.__dict__.update(facts)

    def differs(self, other):
        """Returns the facts that differ; numbers may differ by a unit of their last digit."""
        for key, want in self.__dict__.items():
            got = getattr(other, key)
            same = abs(want - got) < 0.000101 if isinstance(want, float) else want == got
            if not same:
                yield f"{key} is {got!r} instead of {want!r}"


def model(lines, o):
    """Returns the picture's height and its frames."""
    image = o.width or 1200
    closed = list(closed_frames(lines, o.reverse))
    total = sum(n for _, n in lines)
    least = min(o.minwidth / (100 / total), total)
    kept = [(s, a, b) for s, a, b in closed if b - a >= least]
    top = (4 * o.fontsize + 4 if o.inverted else 3 * o.fontsize) + (2 * o.fontsize if o.subtitle
                                                                   else 0)
    bottom = o.fontsize + 10 if o.inverted else 2 * o.fontsize + 10
    height = (max(len(s) for s, _, _ in kept) + 1) * o.height + top + bottom
    found = []
    for stack, start, end in kept:
        depth = len(stack)
        y = top + depth * o.height if o.inverted else height - bottom - (depth + 1) * o.height + 1
        x, width = 100 * start / total, 100 * (end - start) / total
        name = display_name(stack[-1]) if stack else "all"
        found.append(Frame(title=title(o, stack, end - start, total), x=x, y=float(y), width=width,
                           height=float(o.height - 1), start=start, weight=end - start,
                           label=label(o, name, width, image), label_x=x + 100 * 3 / image,
                           label_y=3 + (y + y + o.height - 1) / 2))
    return height, found


# ---- the program ----------------------------------------------------------------------------------

GROUP = re.compile(
    r'<g><title>(?P<title>[^<]*)</title><rect x="(?P<x>[\d.]+)%" y="(?P<y>-?\d+)" '
    r'width="(?P<width>[\d.]+)%" height="(?P<height>\d+)" fill="rgb\(\d+,\d+,\d+\)" '
    r'fg:x="(?P<start>\d+)" fg:w="(?P<weight>\d+)"/><text x="(?P<label_x>[\d.]+)%" '
    r'y="(?P<label_y>-?[\d.]+)">(?P<label>[^<]*)</text></g>')
KINDS = {"title": str, "label": str, "start": int, "weight": int}


def text_of(xml):
    return unescape(xml, {"&quot;": '"', "&apos;": "'"})


def drawn(lines, o):
    text = "".join(f"{s} {n}\n" for s, n in lines)
    p = brazier(["--no-config", "flamegraph", *LOOKS, *o.words()], text.encode())
    assert p.returncode == 0 and p.stderr == b"", p.stderr
    picture = svg.drawing(p.stdout).decode()
    found = []
    for group in re.findall("<g>.*?</g>", picture):
        match = GROUP.fullmatch(group)
        assert match, f"not as frames are written: {group}"
        found.append(Frame(**{key: text_of(value) if KINDS.get(key, float) is str
                              else KINDS.get(key, float)(value)
                              for key, value in match.groupdict().items()}))
    return svg.frames(p.stdout)[0], found


# ---- random cases ---------------------------------------------------------------------------------

NAMES = ["main", "a", "b", "c", "a b", "f", "f", "f::<T>", "std::vector<int>", "a&b", "\"q\"", "",
         "x_[k]", "y_[i]", "_[j]", "z_[x]", "<init>", "naïve", "関数", "-", "--", "!", "~", "A",
         "a_rather_long_name_that_will_hardly_ever_fit_anywhere"]


def random_lines(r):
    names = r.sample(NAMES, r.randint(2, len(NAMES)))
    deepest = r.choice([1, 3, 8, 25])
    counts = r.choice([lambda: r.randint(1, 5), lambda: r.randint(1, 1000),
                       lambda: int(10 ** r.uniform(0, 6))])
    lines = []
    while not lines:
        for _ in range(r.choice([1, 2, 10, 40])):
            stack = ";".join(r.choice(names) for _ in range(r.randint(1, deepest)))
            if stack.strip() == stack != "" and not stack.startswith("#"):
                lines.append((stack, counts()))
    return lines


def random_options(r):
    o = Options()
    o.inverted, o.reverse, o.truncate_right = (r.random() < 0.3 for _ in range(3))
    o.width = r.choice([0, 0, 0, 300, 1200, 2345])
    o.height = r.choice([16, 16, 3, 21])
    o.fontsize = r.choice([12, 12, 7, 20])
    o.fontwidth = r.choice([0.59, 0.59, 0.3, 1.25])
    o.minwidth = r.choice([0.01, 0.01, 0.0, 1.0, 12.5, 100.0])
    o.factor = r.choice([1.0, 1.0, 1.0, 2.5, 1000.0, 0.001])
    o.subtitle = r.choice(["", "", "below"])
    o.countname = r.choice(["samples", "ms", "<&>"])
    return o


def check(seed):
    """Returns the differences found in a case, as lines."""
    r = random.Random(seed)
    lines, o = random_lines(r), random_options(r)
    (height, want), (got_height, got) = model(lines, o), drawn(lines, o)
    problems = [] if height == got_height else [f"height {got_height} instead of {height}"]
    if len(want) != len(got):
        problems.append(f"{len(got)} frames instead of {len(want)}")
    for i, (a, b) in enumerate(zip(want, got)):
        problems += [f"frame {i}, {a.title}: {what}" for what in a.differs(b)]
    if problems:
        problems = [f"seed {seed}: {' '.join(o.words())}"] + ["   " + p for p in problems[:8]] + \
                   [f"   | {s} {n}" for s, n in lines[:12]]
    return problems


def main(words):
    seeds = range(CASES)
    if words[:1] == ["--cases"]:
        seeds = range(int(words[1]))
    elif words:
        seeds = [int(words[0])]
    failed = 0
    for seed in seeds:
        problems = check(seed)
        failed += bool(problems)
        if problems and failed <= 5:
            print("\n".join(problems))
    print(f"{len(seeds) - failed} cases passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
