#!/usr/bin/env python3
"""Writes the inputs of tests/golden/collapse/simpleperf, which are binary. Run it after changing a case.

usage: simpleperf_cases.py
"""
import pathlib
import struct
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
from lib import cases  # noqa: E402
from lib.pprof import field, message  # noqa: E402

SAMPLE, LOST, FILE, THREAD, META = range(1, 6)
UNKNOWN = (1 << 64) - 1


def report(*records):
    """A report of records, each a pair of its kind and the fields of its message."""
    packed = [field(kind, message(fields)) for kind, fields in records]
    return b"SIMPLEPERF\1\0" + b"".join(struct.pack("<I", len(r)) + r for r in packed) + bytes(4)


def sample(time, thread, chain, count=250_000, event=0):
    """A sample with a chain of (file, symbol) or (file, symbol, execution), leaf first."""
    entries = [(3, message(list(zip((2, 3, 4), entry)))) for entry in chain]
    return SAMPLE, [(1, time), (2, thread), *entries, (4, count), (5, event)]


TABLES = [
    (FILE, [(1, 0), (2, b"/system/lib64/libc.so"), (3, b"__start_thread"), (3, b"read")]),
    (FILE, [(1, 1), (2, b"/data/app/base.odex"), (3, b"com.example.Main.run"), (3, b"a; b")]),
    (FILE, [(1, 2), (2, b"[kernel.kallsyms]")]),
    (THREAD, [(1, 11), (2, 10), (3, b"RenderThread")]),
    (THREAD, [(1, 10), (2, 10), (3, b"com.example")]),
]
META_INFO = (META, [(1, b"cpu-clock"), (1, b"sched:sched_switch"), (2, b"com.example")])
SAMPLES = [
    sample(1000, 11, [(0, 1), (1, 0), (0, 0)]),
    sample(2000, 11, [(0, 1), (1, 0), (0, 0)]),
    sample(3000, 10, [(2, UNKNOWN), (0, 1), (1, 1, 2), (0, 0)]),
    sample(4000, 10, [(9, 0), (1, 7), (0, 0)], 7, 1),
    sample(5000, 12, [(0, 0)]),
]
USUAL = report(META_INFO, (LOST, [(1, 5), (2, 0)]), *SAMPLES, *TABLES)

CASES = {
    "usual.trace": USUAL,
    "lost.trace": report(META_INFO, (LOST, [(1, 5), (2, 3)]), *SAMPLES[:1], *TABLES),
    "tables-first.trace": report(META_INFO, *TABLES, *SAMPLES),
    "damaged.trace": report(META_INFO, (SAMPLE, [(1, 1000), (2, 11)]), (SAMPLE, [(3, b"\x10")]), *SAMPLES[:2],
                            (THREAD, [(1, 11), (3, b"x" * 9)]), *TABLES),
    "cut-off.trace": report(META_INFO, *TABLES, *SAMPLES)[:-40],
}


if __name__ == "__main__":
    cases.write(HERE / "collapse" / "simpleperf", CASES)
