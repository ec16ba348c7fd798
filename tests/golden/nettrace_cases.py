#!/usr/bin/env python3
"""Writes the inputs of tests/golden/collapse/nettrace, which are binary. Run it after changing a case.

usage: nettrace_cases.py
"""
import pathlib
import struct
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
from lib import cases  # noqa: E402
from lib.nettrace import EXTERNAL, HEADLINE, MANAGED, RUNDOWN, RUNTIME, SAMPLES, Trace, method, module  # noqa: E402

MAIN, WORK, LATE = 0x7f0000001000, 0x7f0000002000, 0x7f0000003000


def sample(type, **how):
    return 1, struct.pack("<I", type), how


def begin(**how):
    t = Trace(**how)
    t.metadata((1, SAMPLES, 0), (2, RUNDOWN, 144), (3, RUNDOWN, 154), (4, RUNTIME, 143), (5, "Mine", 0))
    return t


def end(t, mask=-1):
    """Names, as the runtime writes them when the session ends."""
    t.events([(2, method(MAIN & mask, 256, "App.Program", "Main", "void  (string[])"), {"writer": 1}),
              (2, method(WORK & mask, 256, "App.Program", "Work", "instance int32  (int32,string)"), {"writer": 1}),
              (2, method(LATE & mask, 16, "", "dynamicClass", "", 8), {"writer": 1}),
              (3, module(7, "/app/App.dll"), {"writer": 1})])
    return t


def usual(**how):
    """Two threads, a stack that is not in any method, samples in native code, events of others."""
    t, mask = begin(**how), -1 if how.get("pointer_size", 8) == 8 else 0xffffffff
    main, work, late = ((a & mask) + 5 for a in (MAIN, WORK, LATE))
    t.stacks(1, [work, main], [main], [0x1234, main], [late], [])
    t.events([sample(MANAGED, stack=1, time=1000), sample(MANAGED, stack=1, time=2000), (5, b"abc", {"time": 2000}),
              sample(EXTERNAL, stack=2, time=2500, thread=22), sample(MANAGED, stack=3, time=3000, activity=True),
              sample(MANAGED, stack=4, time=4000), sample(EXTERNAL, stack=5, time=5000)])
    return end(t, mask)


def points():
    """Ids of stacks are given again after a sequence point."""
    t = begin()
    t.stacks(1, [WORK + 5, MAIN + 5])
    t.events([sample(MANAGED, stack=1)])
    t.point()
    t.stacks(1, [MAIN + 5])
    t.events([sample(MANAGED, stack=1), sample(MANAGED, stack=1)])
    return end(t).bytes()


def early_methods():
    """The runtime states methods when it compiles them, too; code of a method may move."""
    t = begin()
    t.stacks(1, [MAIN + 5])
    t.events([(4, method(MAIN, 256, "App", "Main"), {"writer": 9}), sample(MANAGED, stack=1)])
    return t.bytes()


def dropped():
    t = begin()
    t.stacks(1, [MAIN + 5])
    t.events([sample(MANAGED, stack=1), sample(MANAGED, stack=1, sequence=6), sample(MANAGED, stack=9)])
    return end(t).bytes()


def names():
    t = begin()
    t.stacks(1, [WORK + 5, MAIN + 5])
    t.events([sample(MANAGED, stack=1)])
    t.events([(2, method(MAIN, 256, "A;B", "C d", "void  (class A,class B)"), {"writer": 1}),
              (2, method(WORK, 256, "\u00dcber", "\U0001f600\ud800x", "void  ()"), {"writer": 1})])
    return t.bytes()


def damaged():
    """An event is longer than its block, and a description is cut off."""
    t = begin()
    t.events([(0, b"\7\0\0\0M", {})], b"MetadataBlock")
    t.stacks(1, [MAIN + 5], [WORK + 5])
    header = struct.pack("<HHQQ", 20, 1, 0, 0)
    events = t.packed([sample(MANAGED, stack=1), (5, b"x" * 50, {}), sample(MANAGED, stack=2)])
    t.block(b"EventBlock", header + events[:-30])
    t.events([sample(MANAGED, stack=2, writer=8)])
    return end(t).bytes()


def odd_time():
    """The month of the start is out of range, and so is the rate of the clock."""
    t = usual(frequency=0)
    at = t.data.index(b"Trace\6") + 8
    t.data[at:at + 2] = b"\xff\xff"
    return t.bytes()


CASES = {
    "odd-time": odd_time,
    "usual": lambda: usual().bytes(),
    "plain": lambda: usual(compressed=False).bytes(),
    "32-bit": lambda: usual(pointer_size=4).bytes(),
    "points": points,
    "early-methods": early_methods,
    "dropped": dropped,
    "names": names,
    "damaged": damaged,
    "cut": lambda: usual().bytes()[:-250],
    "cut-early": HEADLINE + b"\5\5\1",
    "no-samples": lambda: end(begin()).bytes(),
    "twice": lambda: 2 * usual(pointer_size=4).bytes(),
}

if __name__ == "__main__":
    cases.write(HERE / "collapse/nettrace", CASES, ".nettrace")
