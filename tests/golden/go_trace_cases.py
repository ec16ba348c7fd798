#!/usr/bin/env python3
"""Writes the inputs of tests/golden/collapse/go-trace, which are binary. Run it after changing a case.

usage: go_trace_cases.py
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
from lib import cases  # noqa: E402
from lib import go_trace as go  # noqa: E402
from lib.go_trace import OldTrace, Trace  # noqa: E402

GOEXIT = ("runtime.goexit", "asm_amd64.s", 1594, 0x46d000)
CHAN = "runtime.chanrecv1"


def stacks(t):
    """Stacks of a program: it waits for a channel, reads from the network and from a file, locks, and works."""
    return {"chan": t.stack(CHAN, "main.worker"), "net": t.stack("internal/poll.(*FD).Read", "net.(*conn).Read", "main.serve"),
            "file": t.stack("syscall.read", "os.ReadFile", "main.load[...]", "main.main"), "lock": t.stack("sync.(*Mutex).Lock", "main.worker"),
            "work": t.stack("main.spin", "main.worker", GOEXIT), "spawn": t.stack("main.main"), "worker": t.stack("main.worker"),
            "serve": t.stack("main.serve"), "send": t.stack("runtime.chansend1", "main.main"),
            "sleep": t.stack("time.Sleep", "main.main")}


def reason(t, text):
    return t.texts[text]


def usual(version=23, clock=True):
    """Main and two goroutines on two threads, over two generations."""
    t = Trace(version)
    s = stacks(t)
    t.events(7, (go.PROC_STATUS, 1, 0, 1), (go.STATUS, 1, 1, 7, go.RUNNING),
             (go.CREATE, 10, 18, s["worker"], s["spawn"]), (go.CREATE, 10, 19, s["serve"], s["spawn"]),
             (go.SYSCALL, 20, 1, s["file"]), (go.SYSCALL_END, 300), (go.STOP, 50, reason(t, "preempted"), s["spawn"]),
             (go.START, 5, 1, 1), (go.UNBLOCK, 400, 18, 2, s["send"]), (go.BLOCK, 20, reason(t, "sleep"), s["sleep"]),
             (go.PROC_STOP, 1), time=1000)
    t.events(8, (go.PROC_START, 1, 1, 1), (go.START, 2, 18, 1), (go.BLOCK, 30, reason(t, "chan receive"), s["chan"]),
             (go.START, 3, 19, 1), (go.BLOCK, 40, reason(t, "network"), s["net"]), time=1020)
    t.events(8, (go.START, 1, 18, 3), (go.BLOCK, 60, reason(t, "sync"), s["lock"]), time=1900)
    t.samples((1950, 18, s["work"]), (1400, 1, s["file"]), (1955, 0, s["spawn"]))
    t.experiment(b"anything")
    t.end(clock)
    s = stacks(t)
    t.events(7, (go.STATUS_STACK, 5, 1, 0, go.WAITING, s["sleep"]), (go.STATUS, 1, 19, 0, go.WAITING), (go.STATUS, 1, 18, 0, go.WAITING),
             (go.UNBLOCK, 200, 19, 1, 0), (go.UNBLOCK, 20, 18, 1, s["send"]), (go.START, 40, 18, 2), (go.DESTROY, 70), time=2500)
    t.samples((2810, 18, s["work"]))
    t.end()
    return t


def others():
    """Events that are rare: coroutines, calls from C, a blocked system call, a goroutine whose status is a system call."""
    t = Trace(26)
    s = stacks(t)
    t.events(1, (go.STATUS, 1, 1, 1, go.RUNNING), (go.CREATE_BLOCKED, 5, 2, s["worker"], s["spawn"]), (go.SWITCH, 10, 2, 1),
             (go.SWITCH, 30, 1, 1), (go.SWITCH, 50, 2, 2), (go.SWITCH_DESTROY, 70, 1, 2), (go.SYSCALL, 5, 2, s["file"]),
             (go.SYSCALL_END_BLOCKED, 500), (go.START, 40, 1, 3), (go.STOP, 60, reason(t, "runtime.Gosched"), s["spawn"]),
             (go.STATUS, 1, 9, 4, go.IN_SYSCALL), (go.STATUS, 1, 10, 0, go.WAITING), time=100)
    t.events(3, (go.CREATE_SYSCALL, 5, 30), (go.SYSCALL_END, 25), (go.SYSCALL, 10, 3, s["file"]), (go.DESTROY_SYSCALL, 15), time=100)
    t.events(4, (go.SYSCALL_END_BLOCKED, 1), time=2000)
    t.events(5, (128, 1, 2, 3, 4), (130, 1, 2), (37, 1, 4096), (40, 1, 5, 0, reason(t, "task"), 0), time=100)
    t.end()
    return t.bytes()


def order():
    """Times of threads disagree: sequence numbers give the order."""
    t = Trace()
    s = stacks(t)
    t.events(1, (go.STATUS, 1, 1, 1, go.RUNNING), (go.CREATE, 10, 2, s["worker"], s["spawn"]), (go.UNBLOCK, 500, 2, 2, s["send"]), time=100)
    t.events(2, (go.START, 5, 2, 1), (go.BLOCK, 300, reason(t, "select"), s["chan"]), (go.START, 60, 2, 3), (go.DESTROY, 400), time=100)
    t.end()
    return t.bytes()


def damaged():
    """An unknown event, a cut one, a stack and a text that are missing, an event of no goroutine, a state that no event ends."""
    t = Trace()
    s = stacks(t)
    wait = reason(t, "select")
    t.events(1, (go.STATUS, 1, 1, 1, go.RUNNING), (go.BLOCK, 10, 99, 99), (go.UNBLOCK, 20, 1, 1, 98), (go.START, 30, 1, 2),
             (go.BLOCK, 40, wait, s["chan"]), time=100)
    t.batch(1, go.event(go.UNBLOCK, 50, 1, 3, s["send"]) + b"\x63" + go.event(go.START, 60, 1, 4), time=300)
    t.batch(1, go.event(go.START, 70, 1, 4) + bytes([go.BLOCK, 0x80]), time=500)
    t.events(2, (go.BLOCK, 5, wait, s["chan"]), (go.STATUS, 1, 5, 0, 9), (go.STATUS, 1, 6, 0, go.WAITING), (go.START, 20, 6, 7), time=100)
    t.batch(3, bytes([go.CPU_SAMPLES]) + go.event(go.CPU_SAMPLE, 1, 1, 1, 1, s["work"]) + b"\x07\x01")
    t.batch(3, bytes([go.STRINGS, go.STRING, 120, 255]))
    t.batch(3, bytes([go.STACKS, go.STACK, 120]) + go.varint(5000))
    t.end()
    return t.bytes()


def no_clock():
    t = usual(22, clock=False)
    return t.bytes()


def without_frequency():
    t = Trace()
    s = stacks(t)
    t.events(1, (go.STATUS, 1, 1, 1, go.RUNNING), (go.BLOCK, 10, reason(t, "select"), s["chan"]), (go.UNBLOCK, 20, 1, 1, 0), time=100)
    t.samples((5, 1, s["work"]))
    t.tables()
    return t.bytes()


def old(version=19):
    """The same in the format before: two processors, an end of a system call whose time is earlier, samples."""
    t = OldTrace(version)
    s = stacks(t) if version >= 7 else {name: t.stack(0x401000 + i, 0x402000) for i, name in enumerate(
        ("chan", "net", "file", "lock", "work", "spawn", "worker", "serve", "send", "sleep"))}

    def e(kind, *args):
        return (kind, 1, *args) if version < 7 else (kind, *args)

    def seq(n):
        return () if version < 7 else (n,)
    t.events(0, e(go.OLD_CREATE, 1, 1, s["spawn"], 0), e(go.OLD_CREATE, 1, 2, s["worker"], 0), e(go.OLD_WAITING, 1, 2),
             e(go.OLD_CREATE, 1, 3, s["worker"], 0), e(go.OLD_IN_SYSCALL, 1, 3), e(5, 1, 4711), e(go.OLD_START, 1, 1, *seq(1)),
             e(go.OLD_SYSCALL, 5, s["file"]), e(go.OLD_CREATE, 7, 4, s["serve"], s["spawn"]), e(go.OLD_UNBLOCK, 9, 2, *seq(2), s["send"]),
             e(go.OLD_SYSCALL, 11, s["file"]), e(go.OLD_SYSCALL_BLOCK, 20), e(6, 1), time=1000)
    t.events(1, e(5, 1, 4712), e(go.OLD_START, 3, 2, *seq(3)), e(go.OLD_RECEIVE, 30, s["chan"]), e(go.OLD_START, 5, 4, *seq(1)),
             e(go.OLD_NETWORK, 50, s["net"]), e(go.OLD_SYSCALL_EXIT, 100, 1, 2, 1150), e(go.OLD_START, 3, 1, *seq(3)),
             e(go.OLD_PREEMPT, 30, s["spawn"]), e(go.OLD_START, 10, 1, *seq(4)), time=1050, sequence=13)
    if version >= 7:
        t.events(1, (go.OLD_UNBLOCK_LOCAL, 10, 2, s["send"]), (go.OLD_SLEEP, 20, s["sleep"]), (go.OLD_START_LOCAL, 5, 2),
                 (go.OLD_END, 30), (go.OLD_TIMERS, 3), (go.OLD_SYSCALL_EXIT, 2, 3, 2, 0), time=1400)
    if version >= 11:
        t.log(b"value", 4, 5, t.texts["key"], 0)
    if version >= 19:
        t.events(1, (go.OLD_SAMPLE, 3, 1470, 1, 2, s["work"]), (go.OLD_SAMPLE, 3, 1300, 1, 1, s["file"]), time=1500)
    return t


def old_damaged():
    """Events with a wrong number of arguments, a stack that lacks one, an unknown event in front of the tables."""
    t = OldTrace()
    s = t.stack(CHAN, "main.worker")
    t.event(go.OLD_STACK, 50, 1, 2, 3, 4)
    t.events(0, (go.OLD_CREATE, 1, 1, 0, 0), (go.OLD_START, 10, 1, 1), (go.OLD_SELECT, 20, s), (go.OLD_UNBLOCK, 5, 1), (60, 1), time=100)
    return t.bytes()


def old_order():
    """An event of another processor that never comes."""
    t = OldTrace()
    s = t.stack(CHAN, "main.worker")
    t.events(0, (go.OLD_CREATE, 1, 1, s, 0), (go.OLD_START, 10, 1, 1), (go.OLD_SELECT, 20, s), time=100)
    t.events(1, (go.OLD_UNBLOCK, 10, 1, 7, s), (go.OLD_START, 10, 1, 8), (go.OLD_END, 10), time=200)
    return t.bytes()


CASES = {
    "usual": lambda: usual().bytes(), "clock": lambda: usual(25).bytes(), "newest": lambda: usual(26).bytes(),
    "newer": lambda: usual(31).bytes(), "three-digits": lambda: usual(123).bytes(),
    "others": others, "order": order, "damaged": damaged, "no-clock": no_clock,
    "without-frequency": without_frequency, "cut": lambda: usual().bytes()[:500], "empty": lambda: go.head(22),
    "old": lambda: old().bytes(), "old-1.11": lambda: old(11).bytes(), "old-1.7": lambda: old(7).bytes(),
    "old-1.5": lambda: old(5).bytes(), "old-damaged": old_damaged, "old-order": old_order,
    "old-cut": lambda: old().bytes(clock=False)[:150], "too-old": lambda: go.head(4),
}

if __name__ == "__main__":
    cases.write(HERE / "collapse" / "go-trace", CASES, ".trace")
