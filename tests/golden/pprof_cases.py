#!/usr/bin/env python3
"""Writes the inputs of tests/golden/collapse/pprof, which are binary. Run it after changing a case.

usage: pprof_cases.py
"""
import gzip
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
from lib import cases  # noqa: E402
from lib.pprof import Profile, field, message, varint  # noqa: E402

CPU = ("samples", "count"), ("cpu", "nanoseconds")


def with_functions(*types, names=("main", "load", "parse", "memcpy")):
    """A profile whose functions and locations are numbered alike, from 1."""
    p = Profile(*(types or CPU))
    for i, name in enumerate(names, 1):
        p.function(i, name, f"{name}.c", 10 * i)
        p.location(i, [(i, 10 * i + 1)], 1, 0x400000 + i)
    p.mapping(1, "/usr/bin/app", "abcdef0123456789")
    return p


def cpu():
    """Inlined lines, frames without functions, a kernel, a period and comments."""
    p = with_functions()
    p.mapping(2, "/usr/lib/x86_64-linux-gnu/libc.so.6")
    p.mapping(3, "[kernel.kallsyms]")
    p.location(5, [(4, 41), (3, 31), (2, 21)], 1, 0x400010)  # memcpy in parse in load
    p.location(6, [], 2, 0x7f0000001234)
    p.location(7, [], 0, 0x1234)
    p.location(8, [], 3, 0xffffffff81000000)
    for locations, n in (([5, 1], 12), ([3, 2, 1], 3), ([6, 1], 5), ([7], 1), ([8, 6, 1], 2),
                         ([3, 2, 1], 4), ([], 1)):
        p.sample(locations, [n, n * 10000000])
    p.add(9, 1700000000000000000)
    p.add(10, 3000000000)
    p.add(11, [(1, p.text("cpu")), (2, p.text("nanoseconds"))])
    p.add(12, 10000000)
    p.add(13, p.text("a comment"))
    p.add(7, p.text("runtime\\..*"))
    return p.bytes()


def heap():
    """The type to show is not the last one; one value is negative, as in a difference."""
    p = with_functions(("alloc_objects", "count"), ("alloc_space", "bytes"),
                       ("inuse_objects", "count"), ("inuse_space", "bytes"))
    p.sample([3, 2, 1], [10, 1024, 2, 256], [("bytes", 128, "bytes")])
    p.sample([4, 1], [7, 700, 0, 0])
    p.sample([2, 1], [-3, -99, 1, 64])
    p.add(14, p.text("inuse_space"))
    return p.bytes()


def labels():
    p = with_functions()
    p.sample([2, 1], [1, 10], [("user", "alice"), ("size", 4096, "bytes"), ("tid", 17)])
    p.sample([2, 1], [2, 20], [("user", "bob"), ("thread_name", "worker"), ("pid", 1)])
    p.sample([3, 2, 1], [4, 40], [("user", "alice"), ("empty", "")])
    return p.bytes()


def ids():
    """Ids are addresses, lists of numbers are not packed, texts come first, and the file is two
    messages, which count as one."""
    p = Profile(*CPU)
    for i, name in enumerate(("main", "load"), 1):
        p.function(i << 40, name)
        p.location(i * 0xfedcba987654321, [(i << 40, 0)])
    first = p.bytes()
    q = message([(2, message([(1, 2 * 0xfedcba987654321), (1, 0xfedcba987654321),
                              (2, 3), (2, 30000000)]))])
    texts = b"".join(field(6, t) for t in p.texts)
    return texts + first[:-len(texts)] + q


def names():
    p = with_functions(names=("operator;()", "two\nlines", b"\xff\xfe bytes".decode("latin-1"), "ü"))
    p.function(5, "", "a.c", 1, "_Zsystem")
    p.function(6, "", "a.c", 1)
    p.function(7, "demangled", "a.c", 1, "_Zmangled")
    for i in (5, 6, 7):
        p.location(i, [(i, 1)], 1)
    p.texts[p.text("ü")] = b"\xff\xfe"
    p.sample([4, 3, 2, 1], [1, 1])
    p.sample([7, 6, 5, 1], [1, 2])
    return p.bytes()


def broken():
    """Each record has a fault, which costs only that record."""
    p = with_functions()
    p.location(1, [(2, 1)])  # an id for the second time
    p.location(0, [(2, 1)])  # no id
    p.location(5, [(99, 1)], 1)  # no such function
    p.location(6, [(1, 1)], 99)  # no such mapping
    p.add(5, [(1, 7), (2, 9999)])  # no such text
    p.location(7, [(7, 1)], 1)
    p.sample([2, 1], [1, 10])
    p.sample([99, 1], [1, 10])
    p.sample([5, 1], [1, 10])
    p.sample([6], [1, 10])
    p.sample([7], [1, 10])
    p.sample([2, 1], [1])
    p.sample([2, 1], [1, 10, 100])
    p.add(2, b"\x0a\x02\x02\xff\x12\x02\x01\x0a")  # a number that does not end
    p.add(2, b"\x0b\x02")  # a group
    p.add(2, b"\x0a\x02\x02\x01\x12\x09\x01")  # a list that is longer than the sample
    return p.bytes()


def repeated():
    """Lists of locations that come again: alone, before another list, with a missing location, and damaged."""
    p = with_functions()
    p.location(300, [(4, 41), (3, 31)], 1, 0x400010)
    deep, missing = [4, 3, 2, 1, 1], [4, 99, 3, 2, 1]
    packed = b"".join(map(varint, deep))
    for i in range(3):
        p.sample(deep, [1, 10 + i])
        p.sample(missing, [1, 1])
        p.sample([300, 2, 300, 1], [1, 100])
    p.add(2, [(1, packed), (1, packed), (2, [1, 1000])])
    p.add(2, [(1, packed), (1, 300), (2, [1, 2000])])
    p.add(2, [(2, [1, 3000]), (1, 4), (1, packed)])
    p.add(2, message([(1, packed), (2, [1, 4000])]) + b"\x0b")
    p.sample(deep, [1, 10])
    return p.bytes()


def types():
    """Two types have the same name; the type to show does not exist."""
    p = with_functions(("samples", "count"), ("time", "milliseconds"), ("time", "μs"), ("", ""))
    p.sample([2, 1], [1, 2, 3, 4])
    p.add(14, p.text("none"))
    return p.bytes()


def no_ids():
    p = Profile(*CPU)
    p.add(5, [(2, p.text("main"))])
    p.location(1, [(1, 1)])
    p.sample([1], [1, 10])
    return p.bytes()


CASES = {
    "cpu.pb": cpu(), "heap.pb.gz": gzip.compress(heap(), mtime=0), "labels.pprof": labels(),
    "ids.pb": ids(), "names.pb": names(), "broken.pb": broken(), "types.pb": types(),
    "repeated.pb": repeated(),
    "no-ids.pb": no_ids(), "cut.pb": cpu()[:-60], "cut-early.pb": cpu()[:40],
    "no-types.pb": message([(2, message([(2, [1])])), (6, b""), (6, b"main"), (6, b"a"), (6, b"b")]),
    "group.pb": labels() + b"\x0b",
}


if __name__ == "__main__":
    cases.write(HERE / "collapse" / "pprof", CASES)
