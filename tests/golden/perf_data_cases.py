#!/usr/bin/env python3
"""Writes the inputs of tests/golden/collapse/perf-data, which are binary. Run it after changing a
case.

usage: perf_data_cases.py
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
from lib import cases, perf_data  # noqa: E402
from lib.perf_data import (ADDR, BRANCH_STACK, CALLCHAIN, CPU, Event, FREQ, ID, IDENTIFIER,  # noqa: E402
                           IN_GUEST_KERNEL, IN_KERNEL, IN_USER, IN_USER_LATER, IP, KERNEL_MODE, KERNEL_PID,
                           PERIOD, RAW, READ, Recording, SAMPLE_ID_ALL, STREAM_ID, TID, TIME, USUAL)

APP, LIB, KERNEL = 0x400000, 0x7f0000000000, 0xffffffff81000000


def start(*events, order="<"):
    """A recording of a process that maps a program and a library."""
    r = Recording(*events, order=order)
    r.mmap(KERNEL_PID, KERNEL, 0x1000000, "[kernel.kallsyms]_text", KERNEL, 0, KERNEL_MODE)
    r.comm(10, "app", time=1, is_exec=True)
    r.mmap2(10, APP, 0x1000, "/usr/bin/app", 0x1000, 2)
    r.mmap2(10, LIB, 0x1000, "/usr/lib/libload.so", 0, 3)
    return r


def samples(r):
    r.sample(10, [IN_USER, APP + 16, APP + 32], time=10, period=5)
    r.sample(10, [IN_USER, LIB + 8, APP + 32, 0x1234], time=11, period=7)
    r.sample(10, [IN_KERNEL, KERNEL + 4, KERNEL + 64, IN_USER, LIB + 12, APP + 32], time=12, period=3,
             misc=KERNEL_MODE)
    return r


def usual(order="<"):
    r = samples(start(order=order))
    r.describe()
    return r


def killed():
    """The recorder did not write the size of the data, nor features."""
    return samples(start()).file(size=0)


def cut():
    return samples(start()).file()[:-20]


def orders():
    """Records of two rounds that are out of order: the mapping and the name come after samples that
    are later."""
    r = Recording()
    r.sample(10, [IN_USER, APP + 16], time=30)
    r.sample(10, [IN_USER, APP + 16], time=40)
    r.comm(10, "first", time=5)
    r.mmap2(10, APP, 0x1000, "/usr/bin/app", 0, 6)
    r.round()
    r.comm(10, "second", time=35)
    r.sample(10, [IN_USER, APP + 16], time=50)
    r.round()
    r.sample(10, [IN_USER, APP + 16], time=45)
    r.round()
    return r.file()


def threads():
    """Names that change, threads, forks with and without exec, and a tid that is used again."""
    r = start()
    r.fork(10, 10, tid=11, ptid=10, time=4)
    r.sample(10, [IN_USER, APP + 1], tid=11, time=5)
    r.comm(10, "net worker", tid=11, time=6)
    r.sample(10, [IN_USER, APP + 1], tid=11, time=7)
    r.fork(20, 10, time=8)
    r.sample(20, [IN_USER, LIB + 1], time=9)
    r.mmap2(20, LIB, 0x800, "/usr/lib/libchild.so", 0, 10)
    r.sample(20, [IN_USER, LIB + 1, LIB + 0x900], time=11)
    r.sample(10, [IN_USER, LIB + 1], time=12)
    r.comm(20, "other", time=13, is_exec=True)
    r.sample(20, [IN_USER, LIB + 1], time=14)
    r.mmap2(20, APP, 0x1000, "/usr/bin/other", 0, 15)
    r.sample(20, [IN_USER, APP + 1], time=16)
    r.exit(10, 10, tid=11, time=17)
    r.fork(30, 20, tid=11, ptid=20, time=18)
    r.sample(30, [IN_USER, APP + 1], tid=11, time=19)
    r.fork(40, 10, time=20, misc=1 << 13)
    r.sample(40, [IN_USER, APP + 1], time=21)
    r.sample(77, [IN_USER, APP + 1], tid=78, time=22)
    r.sample(0, [IN_KERNEL, KERNEL + 1], time=23, misc=KERNEL_MODE)
    return r.file()


def maps():
    """Mappings that overlap, data, memory without a file, code of compilers, modules of the kernel."""
    r = start()
    r.mmap2(10, APP + 0x400, 0x400, "/usr/lib/libover.so", 0, 4)
    r.mmap2(10, LIB, 0x1000, "/usr/share/data", 0, 5, protection=1)
    r.mmap(10, LIB + 0x10000, 0x1000, "//anon", 0, 6)
    r.mmap(10, LIB + 0x20000, 0x1000, "[vdso]", 0x5000, 7)
    r.mmap2(10, LIB + 0x30000, 0x1000, "/memfd:jit (deleted)", 0, 8)
    r.mmap(KERNEL_PID, KERNEL + 0x2000000, 0x1000, "/lib/modules/6.1/kernel/fs/ext4.ko", 0, 0,
           KERNEL_MODE)
    r.change(17, r.pack("QIHH", KERNEL + 0x3000000, 64, 1, 0) + perf_data.text("bpf_prog_1234_x"))
    r.mmap(10, 1 << 60, (1 << 64) - 1, "/usr/lib/libend.so", 0, 9)
    for ip in (0x3ff, 0x400, 0x7ff, 0x800, 0xfff, 0x1000):
        r.sample(10, [IN_USER, APP + ip], time=10)
    for ip in (0x10, 0x10010, 0x20010, 0x30010, 1 << 50):
        r.sample(10, [IN_USER, LIB + ip], time=11)
    for ip in (0x1fff, 0x2000000, 0x2001000, 0x3000010):
        r.sample(10, [IN_KERNEL, KERNEL + ip], time=12, misc=KERNEL_MODE)
    r.sample(10, [IN_USER, (1 << 60) + 5], time=13)
    return r.file()


def events():
    """Two events with ids, told apart by them; one of them has a fixed period."""
    kind = USUAL | IDENTIFIER
    r = start(Event("cycles:u", 0, 0, kind, ids=[101, 102]),
              Event("sched:sched_switch", 2, 300, (kind | RAW) & ~PERIOD, SAMPLE_ID_ALL, 4, ids=[201]),
              Event("dummy:u", 1, 9, kind, ids=[301]))
    for i in range(2):
        r.sample(10, [IN_USER, APP + 16, APP + 32], time=10, period=100)
        r.sample(10, [IN_USER, APP + 16], time=11, event=1, more=r.pack("I", 4) + b"data")
    unknown = Recording(Event("x", sample_type=kind, ids=[999]))
    unknown.sample(10, [IN_USER, APP], time=12)
    r.data += unknown.data
    r.describe()
    return r


def fields():
    """Samples with every field, in a group of counters."""
    kind = USUAL | IDENTIFIER | ADDR | ID | STREAM_ID | CPU | READ | RAW | BRANCH_STACK | \
        perf_data.REGS_USER | perf_data.STACK_USER | 1 << 14
    e, other = (Event(name, 0, i, kind, ids=[5 + i], read_format=0x1f, branch_type=1 << 17 | 1 << 19,
                      registers=0b1011, stack=64) for i, name in enumerate(("cycles", "instructions")))
    r = start(e, other)
    chain = r.pack("5Q", 4, IN_USER, APP + 16, APP + 32, APP + 48)
    rest = r.pack("I", 4) + b"data" + r.pack("QQ", 1, 3) + bytes(24) + bytes(8)
    rest += r.pack("QQQQ", 2, 1, 2, 3) + r.pack("Q", 8) + bytes(8) + r.pack("Q", 8) + r.pack("Q", 77)
    e.sample_type &= ~CALLCHAIN
    r.sample(10, [APP + 16], time=10, period=6, counts=((6, 5), (2, 6)), more=chain + rest)
    e.sample_type |= CALLCHAIN
    return r.file()


def leaves():
    """No call chains: the leaf alone."""
    r = start(Event("cpu-clock", sample_type=IP | TID | TIME, flags=SAMPLE_ID_ALL, period=1000))
    r.sample(10, [APP + 16], time=10)
    r.sample(10, [KERNEL + 16], time=11, misc=KERNEL_MODE)
    return r.file()


def old():
    """A perf of long ago: short attributes, no trailers, times in samples only."""
    r = start(Event("cycles", 0, 0, flags=FREQ, size=64))
    samples(r)
    return r.file()


def newer():
    """Attributes that are longer than any known ones."""
    return samples(start(Event("cpu-clock", size=200))).file()


def lost():
    """What the kernel and perf could not record, and records that nobody knows."""
    r = start()
    r.change(2, r.pack("QQ", 0, 40), time=4)
    r.change(13, r.pack("Q", 42), time=5)
    r.change(13, r.pack("Q", 1000), misc=1 << 15, time=6)
    r.change(5, r.pack("QQQ", 7, 0, 0), time=7)
    r.change(6, r.pack("QQQ", 8, 0, 0), time=8)
    r.change(11, r.pack("QQQ", 0, 64, 1), time=9)
    r.change(12, r.pack("II", 10, 10), time=9)
    r.mmap2(10, LIB + 0x5000, 0x1000, "/usr/lib/libslow.so", 0, 9, misc=2 | 1 << 12)
    r.raw(71, r.pack("QQQIIII", 24, 0, 0, 0, 0, 0, 0))
    r.data += b"\xff" * 24
    r.raw(99, bytes(8))
    r.raw(40, bytes(8))
    r.sample(10, [IN_USER, APP + 16, (1 << 64) - 700, 5], time=10)
    r.sample(10, [(1 << 64) - 640, 99], time=11)
    return samples(r).file()


def damaged():
    """Samples that claim more than they have, and a record without a size."""
    r = samples(start())
    bad = Recording()
    bad.raw(9, bad.pack("QIIQQQ", 1, 10, 10, 13, 1, 1 << 61) + bytes(16))
    bad.raw(9, bad.pack("Q", 1))
    bad.raw(3, b"")
    bad.raw(10, bytes(24))
    r.data += bad.data + bytes(16) + b"\xee" * 32
    r.sample(10, [IN_USER, APP + 16], time=20, period=1000)
    r.round()
    r.raw(1, bytes(32))
    return r.file()


def bad_size():
    """A name, the size of whose record is not a multiple of 8."""
    r = start()
    at = len(r.data)
    r.comm(10, "app", time=4)
    r.data = r.data[:at + 6] + r.pack("H", 36) + r.data[at + 8:]
    return samples(r).file()


def bad_trace(**more):
    """A piece of a hardware trace that claims more bytes than follow."""
    r = start()
    r.raw(71, r.pack("QQQIIII", 1 << 60, 0, 0, 0, 0, 0, 0))
    return samples(r).file(**more)


def disk_full():
    """Zeros at the end."""
    return samples(start()).file(size=0) + bytes(4096)


def packed(kind, pieces):
    """All records but the first ones are one zstd stream; records continue in the next piece."""
    r, inner = start(), Recording()
    for i in range(200):
        inner.sample(10, [IN_USER, APP + 16 + i % 3, APP + 32], time=10 + i, period=i)
    r.compressed(inner.data, pieces, kind)
    r.round()
    return r.file()


def unpackable():
    r = start()
    r.sample(10, [IN_USER, APP + 16], time=10)
    r.raw(81, b"\x28\xb5\x2f\xfd" + b"\xff" * 20)
    r.raw(81, b"\xff" * 24)
    r.sample(10, [IN_USER, APP + 16], time=11)
    return r.file()


TRACED = USUAL | IDENTIFIER | CPU | RAW
SWITCH_EVENT = ("sched:sched_switch", 2, perf_data.SCHED_SWITCH, TRACED & ~PERIOD, SAMPLE_ID_ALL, 1)
WAKING_EVENT = ("sched:sched_waking", 2, perf_data.SCHED_WAKING, TRACED & ~PERIOD, SAMPLE_ID_ALL, 1)
CLOCK_EVENT = ("cpu-clock", 1, 0, TRACED & ~RAW)
SLEEP = [IN_KERNEL, KERNEL + 4, KERNEL + 64, IN_USER, LIB + 12, APP + 32]
LOCK = [IN_KERNEL, KERNEL + 4, IN_USER, LIB + 16, APP + 64]
WAKE = [IN_KERNEL, KERNEL + 96, IN_USER, LIB + 20, APP + 48]


def traced(order="<", *more):
    """A recording of two threads of a process and one of another one."""
    r = start(Event(*SWITCH_EVENT, ids=[201]), Event(*WAKING_EVENT, ids=[202]), *more, order=order)
    r.fork(10, 10, tid=11, ptid=10, time=4)
    r.comm(10, "worker", tid=11, time=5)
    r.comm(30, "server", time=6, is_exec=True)
    r.mmap2(30, APP, 0x1000, "/usr/bin/server", 0, 7)
    r.features[1] = r.tracing_data()
    return r


def off_cpu(order="<"):
    """Sleeping, preempted and blocked threads; those that never come back, or were away before;
    the idle thread; a thread that ends; a switch that is recorded twice; a timer that wakes."""
    r = traced(order)
    r.sched_switch(100, 10, 0, SLEEP, cpu=0)
    r.sched_switch(100, 10, 0, SLEEP, cpu=0)
    r.sched_switch(120, 0, 11, [IN_KERNEL, KERNEL], cpu=1)
    r.sched_switch(150, 11, 30, LOCK, state=2, pid=10, cpu=1)
    r.sched_waking(180, 30, 10, WAKE, cpu=1)
    r.sched_waking(185, 30, 10, LOCK, cpu=1)
    r.sched_switch(200, 0, 10, [IN_KERNEL, KERNEL], cpu=0)
    r.sched_waking(230, 10, 11, WAKE, cpu=0)
    r.sched_switch(250, 30, 11, SLEEP, state=0x100, cpu=1)
    r.sched_switch(300, 10, 30, LOCK, cpu=0)
    r.sched_switch(310, 30, 0, SLEEP, cpu=0)
    r.sched_waking(400, 0, 30, [IN_KERNEL, KERNEL + 128], flags=0x08, cpu=0)
    r.sched_switch(410, 0, 30, [IN_KERNEL, KERNEL], cpu=0)
    r.sched_waking(420, 30, 10, WAKE, cpu=0)
    r.sched_switch(430, 30, 10, SLEEP, cpu=0)
    r.exit(10, 10, tid=11, time=431)
    r.sched_switch(432, 11, 0, LOCK, pid=10, cpu=1)
    r.sched_switch(439, 0, 11, [], cpu=1)
    r.sched_switch(440, 11, 77, LOCK, pid=10, state=0x20, cpu=1)
    r.sched_switch(500, 77, 0, [], cpu=1)
    r.describe()
    return r


def off_cpu_lost():
    """Records of one processor are lost; a thread leaves twice; a payload is cut off."""
    r = traced()
    r.sched_switch(100, 10, 0, SLEEP, cpu=0)
    r.sched_switch(110, 11, 0, LOCK, pid=10, cpu=1)
    r.change(2, r.pack("QQ", 0, 40), time=120, cpu=1)
    r.sched_switch(200, 0, 11, [], cpu=1)
    r.sched_switch(210, 0, 10, [], cpu=0)
    r.sched_switch(300, 11, 0, LOCK, pid=10, cpu=1)
    r.sched_switch(400, 11, 0, SLEEP, pid=10, cpu=1)
    r.sample(10, SLEEP, time=410, more=r.pack("I", 12) + bytes(12))
    r.sched_switch(500, 0, 11, [], cpu=1)
    r.describe()
    return r.file()


def off_cpu_killed():
    """Without features, nothing describes the tracepoints."""
    r = traced()
    r.sched_switch(100, 10, 0, SLEEP)
    r.sched_switch(200, 0, 10, [])
    return r.file(size=0)


def off_cpu_frequency():
    """The frequency of the samples applies to the switches, too."""
    r = start(Event(*SWITCH_EVENT[:4], SAMPLE_ID_ALL | FREQ, 99, ids=[201]))
    r.features[1] = r.tracing_data()
    r.sched_switch(100, 10, 0, SLEEP)
    r.sched_switch(200, 0, 10, [])
    r.describe()
    return r.file()


def wall_clock():
    """Samples of a clock beside the switches."""
    r = traced("<", Event(*CLOCK_EVENT, ids=[203]))
    r.sample(10, [IN_USER, APP + 16, APP + 32], time=50, event=2, period=1000)
    r.sample(10, [IN_USER, APP + 16, APP + 32], time=90, event=2, period=1000)
    r.sched_switch(100, 10, 0, SLEEP)
    r.sched_waking(150, 30, 10, WAKE)
    r.sched_switch(200, 0, 10, [])
    r.sched_switch(205, 10, 0, LOCK, state=0x100)
    r.sched_switch(235, 0, 10, [])
    r.sample(10, [IN_USER, APP + 48], time=240, event=2, period=1000)
    r.describe()
    return r.file()


def off_cpu_records():
    """Records of switches, which have no stacks: that of the last sample counts, or of the sample
    that the switch itself causes."""
    kind = USUAL | IDENTIFIER | CPU
    r = start(Event("cpu-clock", 1, 0, kind, ids=[1]),
              Event("context-switches", 1, 3, kind, ids=[2], flags=SAMPLE_ID_ALL, period=1))
    r.fork(10, 10, tid=11, ptid=10, time=4)
    r.switched(90, 11, True, pid=10)
    r.switched(95, 11, False, pid=10)
    r.sample(10, [IN_USER, APP + 16, APP + 32], time=100, period=1000)
    r.switched(110, 10, True, cpu=1)
    r.switched(150, 10, False, cpu=2)
    r.sample(10, [IN_USER, LIB + 8, APP + 32], time=160, event=1)
    r.switched(161, 10, True, preempted=True)
    r.switched(181, 10, False)
    r.exit(10, 10, time=190)
    r.switched(191, 10, True)
    r.switched(192, 11, True, pid=10)
    r.describe()
    return r.file()


def late():
    """A sample that is older than what the end of the round before has delivered."""
    r = start()
    for time in (10, 20):
        r.sample(10, [IN_USER, APP + 16], time=time)
        r.round()
    r.round()
    r.sample(10, [IN_USER, APP + 32], time=15)
    return r.file()


def packed_damage():
    """Unpacked records, one of which has no size, another one a size that leads to nowhere."""
    r, inner = start(), Recording()
    inner.sample(10, [IN_USER, APP + 16], time=10)
    inner.data += bytes(16) + b"\xee" * 32
    for _ in range(2):
        inner.sample(10, [IN_USER, APP + 32], time=11)
    inner.raw(3, b"", size=12)
    inner.sample(10, [IN_USER, APP + 48], time=12)
    r.compressed(inner.data, [20, 40])
    r.round()
    return r.file()


def packed_again():
    """A compressed stream that is damaged, and another one after it, which ends within a record."""
    r, inner, last = start(), Recording(), Recording()
    inner.sample(10, [IN_USER, APP + 16], time=10)
    r.compressed(inner.data, [])
    r.raw(81, b"\xff" * 24)
    r.raw(81, b"\xfe" * 24)
    last.sample(10, [IN_USER, APP + 32], time=11)
    r.compressed(last.data + last.data[:20], [9])
    return r.file()


def branches():
    """Stacks by the processor's notes of calls: of user code, of the kernel and user code, without any
    note, and branches that are not calls."""
    kind = USUAL | BRANCH_STACK | IDENTIFIER
    r = start(Event("cycles:u", 0, 0, kind, ids=[5], branch_type=1 << 11),
              Event("branches:u", 0, 4, kind, ids=[6], branch_type=1 << 3))
    calls = r.pack("QQQQQQQ", 2, APP + 0x20, LIB + 8, 0, APP + 0x40, APP + 0x10, 0)
    r.sample(10, [IN_USER, LIB + 12, 0x1234], time=10, more=calls)
    r.sample(10, [IN_KERNEL, KERNEL + 4, IN_USER, LIB + 12, 0x1234], time=11, misc=KERNEL_MODE, more=calls)
    r.sample(10, [IN_USER, LIB + 12, APP + 0x30], time=12, more=r.pack("Q", 0))
    r.sample(10, [IN_USER, LIB + 12], time=13, event=1, more=calls)
    return r.file()


def deferred():
    """User parts of stacks that come later: of two samples, of none, never, and with another cookie."""
    r = start()
    user = [APP + 16, APP + 32]

    def later(cookie, time, tid=10):
        r.change(22, r.pack("QQ3Q", cookie, 3, IN_USER, *user), pid=10, tid=tid, time=time)
    r.fork(10, 10, tid=11, ptid=10, time=2)
    r.sample(10, [IN_KERNEL, KERNEL + 4, IN_USER_LATER, 1], time=10, period=5, misc=KERNEL_MODE)
    r.sample(10, [IN_USER_LATER, 2], tid=11, time=11, period=7)
    r.sample(10, [IN_KERNEL, KERNEL + 4, IN_USER_LATER, 1], time=12, period=6, misc=KERNEL_MODE)
    later(1, 13)
    later(2, 14, tid=11)
    later(9, 15)
    r.sample(10, [IN_KERNEL, KERNEL + 4, IN_USER_LATER, 3], time=16, period=1, misc=KERNEL_MODE)
    r.sample(10, [IN_KERNEL, KERNEL + 4, IN_USER_LATER, 4], time=17, period=2, misc=KERNEL_MODE)
    later(4, 18)
    r.sample(10, [IN_KERNEL, KERNEL + 4, IN_USER_LATER, 5], time=19, period=4, misc=KERNEL_MODE)
    r.change(22, r.pack("QQ", 5, 1 << 60), pid=10, tid=10, time=20)
    return r.file()


def allocations(order="<"):
    """Allocations of the kernel, whose payloads say how many bytes they have; a payload that is cut off; samples of
    an event without a payload."""
    kind = TRACED & ~PERIOD
    r = start(Event("kmem:kmalloc", 2, perf_data.KMALLOC, kind, SAMPLE_ID_ALL, 1, ids=[301]),
              Event("sched:sched_waking", 2, perf_data.SCHED_WAKING, kind, SAMPLE_ID_ALL, 1, ids=[302]), order=order)
    r.features[1] = r.tracing_data(has_kmem=True)
    r.kmalloc(100, 10, 60, 64, [IN_KERNEL, KERNEL + 4, IN_USER, APP + 16])
    r.kmalloc(110, 10, 200, 256, [IN_KERNEL, KERNEL + 4, IN_USER, APP + 32], node=3)
    r.kmalloc(120, 10, 33, 64, [IN_KERNEL, KERNEL + 4, IN_USER, APP + 16])
    r.kmalloc(125, 10, 1 << 63, 8, [IN_KERNEL, KERNEL + 64], node=0)
    r.sched_waking(130, 10, 11, [IN_KERNEL, KERNEL + 96])
    r.sample(10, [IN_KERNEL, KERNEL + 4], time=140, more=r.pack("I", 36) + bytes(36))
    r.kmalloc(150, 10, 5, 8)
    r.describe()
    return r


def tracepoints(layout):
    """Tracepoints whose names are in the descriptions of their formats only."""
    kind = (USUAL | IDENTIFIER) & ~PERIOD
    r = start(Event("", 2, 300, kind, SAMPLE_ID_ALL, 1, ids=[1]),
              Event("", 2, 301, kind, SAMPLE_ID_ALL, 1, ids=[2]),
              Event("", 2, 9, kind, SAMPLE_ID_ALL, 1, ids=[3]))
    for event in range(3):
        r.sample(10, [IN_KERNEL, KERNEL + 4], time=10, event=event, misc=KERNEL_MODE)

    def sized(text):
        return r.pack("Q", len(text)) + text

    def format_of(name, number):
        return sized(b"name: %s\nID: %d\nformat:\n\tfield:int x;\n" % (name, number))
    body = b"\x17\x08\x44tracing0.6\0\0\x08" + r.pack("I", 4096)
    body += b"header_page\0" + sized(b"page") + b"header_event\0" + sized(b"event")
    body += r.pack("I", 1) + sized(b"name: function\nID: 1\n") + r.pack("I", 2)
    body += b"sched\0" + r.pack("I", 2) + format_of(b"sched_switch", 300) + format_of(b"sched_waking", 301)
    body += b"irq\0" + r.pack("I", 0) + bytes(20)
    if layout == "file":
        r.features[1] = body
        return r.file()
    records, r.data = r.data, b""
    r.raw(66, r.pack("II", len(body), 0))
    r.data += perf_data.padded(body) + records
    return r.pipe()


def two_events(version):
    """The first sample is of the second event."""
    r = start(*(Event(name, 1, config, USUAL | IDENTIFIER, ids=[i])
                for i, (name, config) in enumerate((("cpu-clock", 0), ("page-faults", 2)), 1)))
    r.describe(version=version)
    r.sample(10, [IN_USER, APP + 16, APP + 32], time=11, event=1, period=3)
    r.sample(10, [IN_USER, APP + 16], time=12, period=4)
    return r.file()


def guests():
    """Code of a guest's kernel has the addresses of the host's, whose names it must not get."""
    r = start()
    r.sample(10, [IN_KERNEL, KERNEL + 4, KERNEL + 64], time=10, misc=KERNEL_MODE)
    r.sample(10, [IN_KERNEL, KERNEL + 4, IN_GUEST_KERNEL, KERNEL + 4, KERNEL + 64], time=11, period=3,
             misc=KERNEL_MODE)
    r.sample(10, [IN_GUEST_KERNEL, KERNEL + 4, KERNEL + 64, IN_USER, APP + 16], time=12, period=5)
    r.describe()
    return r.file()


CASES = {
    "guests.data": guests,
    "two-events-of-perf.data": lambda: two_events("6.1"),
    "two-events-of-brazier.data": lambda: two_events("brazier 0.1"),
    "usual.data": usual().file, "big-endian.data": usual(">").file, "pipe.data": usual().pipe,
    "big-endian-pipe.data": usual(">").pipe, "killed.data": killed, "cut.data": cut,
    "orders.data": orders, "threads.data": threads, "maps.data": maps, "events.data": events().file,
    "events-pipe.data": events().pipe, "fields.data": fields, "leaves.data": leaves, "old.data": old,
    "newer.data": newer, "lost.data": lost, "damaged.data": damaged, "disk-full.data": disk_full,
    "bad-size.data": bad_size, "bad-trace.data": bad_trace,
    "bad-trace-killed.data": lambda: bad_trace(size=0),
    "off-cpu.data": off_cpu().file, "off-cpu-pipe.data": off_cpu().pipe,
    "off-cpu-big-endian.data": off_cpu(">").file, "off-cpu-lost.data": off_cpu_lost,
    "off-cpu-killed.data": off_cpu_killed, "off-cpu-frequency.data": off_cpu_frequency,
    "off-cpu-records.data": off_cpu_records,
    "wall-clock.data": wall_clock,
    "packed.data": lambda: packed(81, [9, 40, 41]), "packed2.data": lambda: packed(83, [100]),
    "branches.data": branches, "deferred.data": deferred,
    "tracepoints.data": lambda: tracepoints("file"), "tracepoints-pipe.data": lambda: tracepoints("pipe"),
    "allocations.data": allocations().file, "allocations-pipe.data": allocations().pipe,
    "allocations-big-endian.data": allocations(">").file,
    "late.data": late, "packed-damage.data": packed_damage, "packed-again.data": packed_again,
    "unpackable.data": unpackable, "first-version.data": lambda: b"PERFFILE" + bytes(96),
    "short.data": lambda: b"PERFILE2" + bytes(4), "no-events.data": lambda: b"PERFILE2" + bytes(96),
}


if __name__ == "__main__":
    cases.write(HERE / "collapse" / "perf-data", CASES)
