#!/usr/bin/env python3
"""Writes the inputs of tests/golden/collapse/art-trace, which are binary. Run it after changing a case.

usage: art_trace_cases.py
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
from lib import cases  # noqa: E402
from lib.art_trace import ENTER, EXIT, UNROLL, Trace  # noqa: E402

MAIN, LOOP, DRAW, LOAD = 1, 2, 3, 4


def begin(**how):
    t = Trace(**how)
    t.thread(4711, "main")
    t.thread(4720, "Worker 1")
    t.method(MAIN, "com.example.Main", "main", "([Ljava/lang/String;)V", "Main.java")
    t.method(LOOP, "android.os.Looper", "loop", "()V", "Looper.java")
    t.method(DRAW, "com.example.View", "draw", "(Landroid/graphics/Canvas;)V", "View.java")
    t.method(LOAD, "com.example.Store$1", "<init>", "()V", "Store.java")
    return t


def usual(**how):
    """Two threads; one call ends by an exception, and those of main are open at the end."""
    t = begin(**how)
    for event in ((4711, MAIN, ENTER, 10, 0), (4711, LOOP, ENTER, 15, 4), (4720, LOAD, ENTER, 20, 0),
                  (4711, DRAW, ENTER, 100, 10), (4711, DRAW, EXIT, 180, 70), (4720, LOAD, UNROLL, 220, 30),
                  (4711, DRAW, ENTER, 300, 71), (4711, DRAW, EXIT, 340, 110)):
        t.event(*event)
    return t


def before():
    """The trace begins within calls, as Debug.startMethodTracing() does."""
    t = begin()
    for event in ((4711, DRAW, EXIT, 5, 0), (4711, LOAD, ENTER, 10, 4), (4711, LOAD, EXIT, 30, 20), (4711, LOOP, EXIT, 50, 30),
                  (4711, MAIN, EXIT, 60, 35)):
        t.event(*event)
    return t.bytes()


def odd():
    """A call without an end, an end of a call that is not open, an unknown event and method."""
    t = begin()
    for event in ((4711, MAIN, ENTER, 0), (4711, LOOP, ENTER, 10), (4711, DRAW, EXIT, 20), (4711, 9, ENTER, 30), (4711, 9, 3, 35),
                  (4711, MAIN, EXIT, 50), (9, LOAD, ENTER, 50), (9, LOAD, EXIT, 40)):
        t.event(*event)
    return t.bytes()


def wraps():
    """Times have 32 bits of microseconds: 71 minutes."""
    t = begin()
    for event in ((4711, MAIN, ENTER, 2**32 - 100, 5), (4711, LOOP, ENTER, 100, 20), (4711, LOOP, EXIT, 150, 50),
                  (4711, MAIN, EXIT, 160, 60)):
        t.event(*event)
    return t.bytes()


def names():
    t = Trace(version=2, clock="wall", vm="dalvik", pid="x")
    t.thread(1, "a;b \udcff")
    t.method(1, "java/lang/String", "a;b", "()V", "String.java", "17")
    t.method(2, "", "free")
    t.methods += ["0x10\n", "zz\tA\tb\n"]
    t.threads.append("no thread\n")
    for event in ((1, 1, ENTER, 0), (1, 2, ENTER, 5), (1, 2, EXIT, 9), (1, 1, EXIT, 19)):
        t.event(*event)
    return t.bytes()


def deep():
    t = Trace()
    t.method(1, "", "f")
    for i in range(1030):
        t.event(1, 1, ENTER, 0)
    for i in range(1030):
        t.event(1, 1, EXIT, 100)
    return t.bytes()


CASES = {
    "usual": lambda: usual().bytes(),
    "wall": lambda: usual(version=2, clock="wall").bytes(),
    "thread-clock": lambda: usual(version=2, clock="thread-cpu").bytes(),
    "unknown-clock": lambda: usual(version=2, clock="sun").bytes(),
    "before": before,
    "odd": odd,
    "wraps": wraps,
    "names": names,
    "deep": deep,
    "twice": lambda: 2 * usual().bytes(),
    "empty": lambda: begin().bytes(),
    "overflow": lambda: usual(data_file_overflow="true").bytes(),
    "cut": lambda: usual().bytes()[:-20],
    "cut-text": lambda: usual().bytes()[:200],
    "cut-header": lambda: begin().bytes()[:-20],
    "version-4": lambda: begin().text() + begin().header(4),
}

if __name__ == "__main__":
    cases.write(HERE / "collapse/art-trace", CASES, ".trace")
