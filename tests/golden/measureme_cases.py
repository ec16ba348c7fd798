#!/usr/bin/env python3
"""Writes the inputs of tests/golden/collapse/measureme, which are binary. Run it after changing a case.

usage: measureme_cases.py
"""
import pathlib
import struct
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
from lib import cases  # noqa: E402
from lib.measureme import INDEX, INVALID, TEXTS, EVENTS, Profile, Reference  # noqa: E402


def usual(**how):
    """Nested queries, a gap, two threads, arguments, sizes and cache hits."""
    p = Profile(**how)
    p.interval("parse_crate", 100, 300, kind="GenericActivity")
    p.interval("hir_crate", 420, 450)
    p.interval("type_of", 505, 510, kind="IncrementalResultHashing")
    p.interval("type_of", 500, 560, id=p.virtual(Reference(p.known("type_of")), "\x1emy::Type"))
    p.interval("type_of", 570, 600, id=p.virtual(Reference(p.known("type_of")), "\x1eother::Type"))
    p.interval("typeck", 460, 700)
    p.interval("analysis", 400, 900, kind="GenericActivity")
    p.interval("codegen_module", 800, 1000, thread=7, kind="GenericActivity")
    p.instant("type_of", 580)
    p.integer("hir_crate", 12, kind="QueryCacheHitCount")
    p.integer("object_file", 4096, id=p.virtual("object_file", "\x1ecgu 1"))
    p.integer("object_file", 1024, id=p.virtual("object_file", "\x1ecgu 2"))
    p.integer("linked_artifact", 20000)
    return p.file()


def counter():
    p = Profile(counter="instructions:u")
    p.interval("b", 2_000_000_000_000, 3_000_000_000_000)
    p.interval("a", 1_000_000_000_000, 5_000_000_000_000)
    return p.file()


def old_description():
    """No counter, and a command that is no JSON."""
    p = Profile(cmd=r'rustc --crate-name x --cfg feature=\"it\'s\" \u{1b}', counter=None)
    p.interval("a", 1, 5)
    return p.file()


def no_crate_name():
    p = Profile(cmd="rustc --edition=2021 src/lib.rs")
    p.interval("a", 1, 5)
    return p.file()


def no_description():
    p = Profile(cmd=None)
    p.interval("a", 1, 5)
    return p.file()


def names():
    """Names with characters that mean something in folded text, and names that cannot be read."""
    p = Profile()
    for i, name in enumerate(("a;b", "two words 12", "ein Überschuß", "", "a\x01b", "\x1eonly argument")):
        p.interval(name, 10 * i, 10 * i + i + 1)
    p.interval("", 100, 101, id=INVALID)
    p.interval("", 102, 104, id=99_999)
    p.interval("", 106, 109, id=1 << 40)
    p.interval("", 120, 130, id=p.text("no end", end=b""))
    return p.file()


def references():
    """Texts of texts: deep, circular, and with the bytes of marks in their ids."""
    p = Profile()
    id = p.text("innermost")
    for _ in range(10):
        id = p.text("<", Reference(id), ">")
    p.interval("", 0, 10, id=id)
    p.index(0xfeff, p.text("marks in the id") - 100_000_003)
    p.interval("", 20, 40, id=p.text("(", Reference(0xfeff), ")"))
    circle = p.text("o", Reference(77))
    p.index(77, circle - 100_000_003)
    p.interval("", 50, 80, id=circle)
    return p.file()


def endless():
    """Texts that are implausibly long: each one is the one before, twice."""
    p = Profile()
    id = p.text("long")
    for _ in range(40):
        id = p.text(Reference(id), Reference(id))
    p.interval("", 0, 10, id=id)
    return p.file()


def nesting():
    """Equal intervals, intervals without duration, and some that touch each other."""
    p = Profile()
    for name, begin, end in (("c", 10, 20), ("b", 10, 20), ("a", 10, 20), ("z", 20, 20), ("y", 20, 20),
                             ("d", 20, 30), ("e", 30, 30), ("f", 0, 40)):
        p.interval(name, begin, end)
    return p.file()


def overlap():
    """Intervals that overlap: their caller lacks the time twice."""
    p = Profile()
    p.interval("a", 10, 50)
    p.interval("b", 40, 70)
    p.interval("caller", 0, 100)
    p.interval("c", 110, 150)
    p.interval("d", 110, 160)
    p.interval("e", 140, 190)
    return p.file()


def order():
    """The last interval of a thread does not end last."""
    p = Profile()
    p.interval("late", 500, 600)
    p.interval("early", 100, 200)
    p.interval("earliest", 50, 60)
    return p.file()


def damaged():
    """An interval that ends before it begins, a stream's magic number, and the size of a page."""
    p = Profile(page=100)
    for i in range(6):
        p.interval(f"f{i}", 10 * i, 10 * i + 5 if i != 3 else 7)
    p.streams[TEXTS] = b"XXXX" + p.streams[TEXTS][4:]
    data = p.file()
    return data + struct.pack("<BI", EVENTS, 300 << 10) + bytes(40)


def unknown_page():
    """Pages of other kinds are skipped, also one in front."""
    data = usual()
    page = struct.pack("<BI", 9, 10) + bytes(10)
    return data[:8] + page + data[8:] + page


def odd_ends():
    """Streams that end within an entry."""
    p = Profile()
    p.interval("a", 1, 5)
    p.add(INDEX, bytes(5))
    p.add(EVENTS, bytes(7))
    return p.file()


def only_events():
    p = Profile(cmd=None)
    p.interval("a", 1, 5)
    p.streams[TEXTS] = p.streams[INDEX] = b""
    return p.file()


def only_sizes():
    p = Profile()
    p.integer("object_file", 77)
    return p.file()


def header(magic, version):
    return magic + struct.pack("<I", version) + bytes(64)


CASES = {
    "usual": usual, "version-8": lambda: usual(version=8), "small-pages": lambda: usual(page=7),
    "counter": counter, "old-description": old_description, "no-description": no_description,
    "no-crate-name": no_crate_name,
    "names": names, "references": references, "endless": endless, "nesting": nesting, "overlap": overlap,
    "order": order, "damaged": damaged, "unknown-page": unknown_page, "odd-ends": odd_ends,
    "only-events": only_events, "only-sizes": only_sizes, "empty": lambda: Profile().file(),
    "cut": lambda: usual(page=64)[:-100], "cut-header": lambda: usual(page=64)[:-61],
    "version-7": lambda: header(b"MMPD", 7), "version-10": lambda: header(b"MMPD", 10),
    "three-files": lambda: header(b"MMES", 6), "short": lambda: b"MMPD\t\0",
    "other": lambda: b"something else that is no profile",
}


if __name__ == "__main__":
    cases.write(HERE / "collapse" / "measureme", CASES, ".mm_profdata")
