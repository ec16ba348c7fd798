#!/usr/bin/env python3
"""The colours of pages are those of pictures: each call of a page has the colour that the same call has in a picture of
any of its weights.

usage: colors.py golden|corpus|next [--corpus DIR]      (a part of the inputs unless BRAZIER_EXHAUSTIVE=1; golden:
                                                         those of the golden cases)
"""
import bisect
import os
import pathlib
import re
import sys
import xml.etree.ElementTree as ET
import zlib

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
from lib import html_page  # noqa: E402
from lib.brazier import IS_EXHAUSTIVE, run  # noqa: E402
from lib.svg import first  # noqa: E402

SOURCE = HERE.parent.parent
NOT_INPUTS = {".odd", ".folded", ".args", ".stderr", ".md", ".tsv", ".svg"}
LARGEST = 400_000 # bytes: pictures with a group for each frame are large
PART = 4          # an input out of so many is tested


def written(path, to, *words):
    result = run(["-q", "run", str(path), "--to", to, "-o", "-", *words])
    return result.stdout.decode(errors="replace") if result.returncode == 0 else None


def xml_name(name):
    """XML has no control characters."""
    return re.sub("[\0-\x1f\x7f\u2400-\u2421\ufffd\ufffe\uffff]", "?", name)


FG = "{urn:brazier:flame-graph}"


def rows_of(picture):
    """Returns the frames of each row, {depth: [(x, width, name, colour)]}, sorted; lengths are weights."""
    root = ET.fromstring(picture)
    about = next(e for e in root.iter() if e.get("id") == "about")
    height, edge = (float(about.get(FG + name)) for name in ("rowheight", "edge"))
    rows = {}
    for group in next(e for e in root.iter() if e.get("id") == "frames"):
        rect = first(group, "rect")
        name = xml_name("".join(first(group, "title").itertext()).rsplit(" (", 1)[0])
        red, green, blue = map(int, re.findall(r"\d+", rect.get("fill")))
        depth = round((edge - float(rect.get("y"))) / height)
        rows.setdefault(depth, []).append((int(rect.get(FG + "x")), int(rect.get(FG + "w")), name,
                                           red << 16 | green << 8 | blue))
    return {depth: sorted(row) for depth, row in sorted(rows.items())}


def colors_of_picture(picture):
    """Returns {path: {colours}}: a picture may have several calls of a name beside each other."""
    rows, colors, paths = rows_of(picture), {}, {}
    for depth, row in rows.items():
        above, starts = rows.get(depth - 1, []), [f[0] for f in rows.get(depth - 1, [])]
        for x, width, name, color in row:
            at = bisect.bisect_right(starts, x) - 1
            path = (paths[depth - 1, at] if above else ()) + (name if depth > 0 else "all",)
            paths[depth, bisect.bisect_left(row, (x, width, name, color))] = path
            colors.setdefault(path, set()).add(color)
    return colors


def colors_of_page(page, weight):
    """Returns the same of a page."""
    tree, colors, paths = html_page.Tree(page), {}, []
    totals = tree.totals(weight)
    for i, name in enumerate(tree.names):
        paths.append((paths[tree.parents[i]] if i > 0 else ()) + (xml_name(name),))
        if totals[i] > 0:
            colors.setdefault(paths[i], set()).add(tree.colors[i])
    return colors


def differences(path):
    """Yields (weight, number of frames, those whose colours differ)."""
    text = written(path, "html")
    if text is None:
        return
    page = html_page.profile(text)
    for weight, info in enumerate(page["weights"]):
        if info.get("isCompared") or page.get("losses", {weight: 0})[weight] != 0: # the page colours by changes
            continue
        picture = written(path, "svg", "--set", "svg.compact=false", "--set", "svg.minwidth=0", "-w", info["name"])
        if picture is None: # nothing of this weight
            continue
        wanted, got = colors_of_picture(picture), colors_of_page(page, weight)
        yield info["name"], len(wanted), [(p, wanted.get(p), got.get(p)) for p in wanted.keys() | got.keys()
                                          if wanted.get(p) != got.get(p)]


def golden():
    return [p for p in sorted((SOURCE / "tests/golden/collapse").glob("*/*"))
            if p.suffix not in NOT_INPUTS and (IS_EXHAUSTIVE or zlib.crc32(p.name.encode()) % PART == 0)]


def corpus(variable, name):
    where = pathlib.Path(os.environ.get(variable, SOURCE.parent / "shared" / name))
    if "--corpus" in sys.argv:
        where = pathlib.Path(sys.argv[sys.argv.index("--corpus") + 1])
    if not where.exists():
        print("no corpus here")
        sys.exit(77)
    return [p for p in sorted(where.rglob("*")) if p.is_file() and p.suffix not in NOT_INPUTS and
            "expected" not in p.relative_to(where).parts]


def main():
    paths = {"golden": golden, "corpus": lambda: corpus("BRAZIER_CORPUS", "corpus"),
             "next": lambda: corpus("BRAZIER_CORPUS_NEXT", "corpus-next")}[sys.argv[1]]()
    weights = frames = failed = 0
    for path in paths:
        if not IS_EXHAUSTIVE and zlib.crc32(path.name.encode()) % PART != 0:
            continue
        if path.stat().st_size > LARGEST:
            continue
        for weight, n, wrong in differences(path):
            weights += 1
            frames += n
            failed += len(wrong) > 0
            if wrong:
                print(f"FAILED {path}, {weight}: {len(wrong)} of {n} frames, such as {wrong[0]}")
    print(f"{frames} frames of {weights} weights compared, {failed} failed")
    sys.exit(1 if failed or not weights else 0)


if __name__ == "__main__":
    main()
