#!/usr/bin/env python3
"""Writes the inputs of tests/golden/collapse/perfetto, which are binary. Run it after changing a case.

usage: perfetto_cases.py
"""
import pathlib
import sys
import zlib

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
from lib import cases  # noqa: E402
from lib.perfetto import (BEGIN, BOOT, CLEARED, END, FOLLOWS, INSTANT, JIT, KERNEL, MONOTONIC, STATE, Trace, negative,  # noqa: E402
                          perf_defaults, print_event)
from lib.pprof import field, message  # noqa: E402

LIBC_ID = bytes(range(16, 36))
START = 1_700_000_000_000_000_000


def perf(*followers):
    """Samples of two processors and threads: frames of a program, a library and the kernel, and skipped ones."""
    t = Trace()
    t.clocks((BOOT, 5000), (MONOTONIC, 4000), (1, START))
    t.processes([(17, "/usr/bin/app")], [(21, "worker", 17), (17, "app", 17)])
    t.begin(defaults=perf_defaults(1, *followers), first=True)
    app = t.mapping("/usr/bin/app", b"\xab\xcd\xef")
    libc = t.mapping("/usr/lib/libc.so.6", LIBC_ID)
    kernel = t.mapping("/kernel", range=(0, 0))
    main = t.frame("main", app, 0x1100)
    load = t.frame("_ZN3app4loadEv", app, 0x1200, "app/load.cc", 12)
    unnamed = t.frame("", libc, 0x2300)
    call = t.frame("do_syscall_64", kernel, 0x10)
    extra = [5] * len(followers)
    t.perf(t.stack(main, load), 6000, 1000, followers=extra)
    t.perf(t.stack(main, load), 6100, 3000, cpu=1, followers=extra)
    t.perf(t.stack(main, load, unnamed), 7000, 2500, followers=[n * 3 for n in extra])
    t.perf(t.stack(main, load, unnamed, call, packed=True), 8000, 4000, tid=17)
    t.perf(None, 8100, 5000, fields=[(18, 4)])
    t.perf(None, 8200, 6000, fields=[(18, 3)])
    t.perf(t.stack(main), 8300, 6500, fields=[(16, 6)])
    t.packet(1, 8400, flags=FOLLOWS, perf_sample=message([(1, 0), (17, 9)]))
    t.packet(1, 8500, flags=FOLLOWS, perf_sample=message([(19, message([(1, 0)]))]))
    return t


def quiet(*followers, **how):
    """Samples without anything to report."""
    t = Trace()
    t.begin(defaults=perf_defaults(10, *followers, **how), first=True)
    t.perf(t.stack("main", "work"), 1000, 70, followers=[7] * len(followers))
    t.perf(t.stack("main", "work"), 2000, 100, followers=[9] * len(followers))
    t.perf(t.stack("main"), 3000, 150)
    return t


def runs():
    """Many samples one after another, between names of threads and symbols, and a compressed packet within them."""
    t = Trace()
    t.begin(defaults=perf_defaults(10), first=True)
    app = t.mapping("/usr/bin/app", b"\xab\xcd\xef")
    main, work = t.frame("main", app, 0x1100), t.frame("", app, 0x1200)
    for i in range(8):
        t.perf(t.stack(main, work), 1000 * i, 10 * i)
    t.processes([(17, "/usr/bin/app")], [(21, "worker", 17), (22, "helper", 17)])
    for i in range(8, 16):
        t.perf(t.stack(main), 1000 * i, 10 * i, tid=22)
    return t.bytes() + quiet().compressed(2) + t.bytes()


def sequences():
    """Tables that are void from a packet on, a packet that was lost, and a sequence whose beginning is missing."""
    t = Trace()
    t.perf(9, 900, sequence=3)
    t.begin(defaults=perf_defaults(10))
    t.perf(t.stack("main", "a"), 1000, 10)
    t.begin(defaults=perf_defaults(10))
    t.perf(t.stack("main", "b"), 2000, 20)
    t.perf(t.stack("main", "b"), 3000, 30)
    t.perf(1, 4000, 40, lost=True)
    t.perf(1, 5000, 50)
    t.begin(sequence=2)
    t.perf(t.stack("other", sequence=2), 6000, sequence=2, pid=18, tid=18)
    return t.bytes()


def odd():
    """Numbers that no table has, a damaged entry, a damaged sample and a damaged packet."""
    t = Trace()
    t.begin()
    t.perf(t.stack("main", t.frame("lost", 9), 77), 1000)
    t.perf(78, 2000)
    t.perf(t.stack("main", t.number(6, "odd", [(2, 99)])), 3000)
    t.packet(1, 4000, flags=FOLLOWS, perf_sample=b"\x20\x80")
    t.packet(1, 5000, flags=FOLLOWS, raw=[(12, field(5, b"\x08\x32\x12\x7f")), (66, message([(4, 1)]))])
    t.parts.append(field(1, b"\x50\x01\x92"))
    t.perf(t.stack("main"), 6000)
    return t.bytes()


def symbols():
    """Symbols and original names come last; code has inlined calls."""
    t = Trace()
    t.begin()
    native = t.mapping("/data/app/com.shop-1/lib/libshop.so", LIBC_ID)
    java = t.mapping("/data/app/com.shop-1/base.apk")
    memory = t.mapping("memfd:jit-cache (deleted)")
    main = t.frame("a.b.c", java, 1)
    stack = t.stack(main, t.frame("a.b.x", memory, 2, kind=JIT), t.frame("", native, 0x1234), t.frame("", native, 0x99))
    t.perf(stack, 1000)
    t.perf(t.stack(t.frame("java.lang.Thread.run", java, 3), t.frame("a.b", java, 4), "irq", t.frame("top", kind=KERNEL)), 2000)
    t.symbols("/data/app/com.shop-1/lib/libshop.so", LIBC_ID,
              {0x1234: [("memcpy", "string.h", 9), ("Cart::add", "cart.cc", 41)], 0x99: []})
    methods = [(4, message([(1, b"c"), (2, b"checkOut")])), (4, message([(1, b"c"), (2, b"other")]))]
    t.packet(0, deobfuscation_mapping=message([(1, b"com.shop"), (3, message([(1, b"a.b"), (2, b"com.shop.Cart"), *methods]))]))
    return t.bytes()


def names():
    """Names with separators and blanks, bytes that are no UTF-8, a build id in digits, paths of one part."""
    t = Trace()
    t.begin()
    chrome = t.number(19, "chrome", [(2, t.text(16, "0123456789ABCDEF0123456789ABCDEF1")), (5, 9), (7, t.text(17, "/opt/chrome/chrome"))])
    vdso = t.number(19, "vdso", [(5, 9), (7, t.text(17, "[vdso]"))])
    t.perf(t.stack("a;b", "c d", t.frame(b"\xff\xfe", 0), t.frame("", chrome, 7), t.frame("", vdso, 8), "\u00fcber"), 1000)
    return t.bytes()


def chrome():
    """Samples of Chrome's profiler: a thread, and differences of times."""
    t = Trace()
    t.clocks((BOOT, 9_000_000), (MONOTONIC, 2_000_000))
    t.begin()
    t.packet(1, flags=FOLLOWS, thread_descriptor=message([(1, 40), (2, 41), (5, b"CrRendererMain"), (6, 5000)]))
    one, two = t.stack("Main", "Layout"), t.stack("Main", "Paint")
    t.packet(1, flags=FOLLOWS, streaming_profile_packet=message([(1, one), (1, two), (1, one), (2, 10), (2, 20), (2, 30)]))
    t.packet(1, flags=FOLLOWS, streaming_profile_packet=message([(1, [two, 9]), (2, [40, negative(-5)])]))
    return t.bytes()


def followers():
    """Samples with 20 counters, of which 17 are read, and one with a value more than there are counters."""
    t = Trace()
    for sequence, n in ((1, 19), (2, 1)):
        t.begin(sequence, defaults=perf_defaults(1, *range(10, 10 + n)))
        for time in (1000, 2000):
            t.perf(t.stack("main", f"with_{n}", sequence=sequence), time, count=time, followers=[time] * max(n, 2), sequence=sequence)
    return t.bytes()


def stack_samples():
    """Samples with counters of the defaults, of tables, and of their own; stacks in tables and inline."""
    t = Trace()
    wall = message([(2, b"wall"), (3, 1), (5, 1000)])
    t.begin(defaults=message([(100, message([(1, b"python.wall"), (2, wall), (3, message([(2, b"faults"), (3, 5)]))]))]))
    task = t.number(48, "task", [(2, 17), (3, 21)])
    where = t.number(49, "where", [(2, 3), (3, 1)])
    bytes_of = t.number(50, "bytes", [(2, b"alloc"), (3, 4)])
    inline = message([(1, message([(1, f), (2, b"app.py"), (3, line)])) for f, line in ((b"<module>", 1), (b"work", 7))])
    t.packet(1, 1000, flags=FOLLOWS, stack_sample=message([(2, task), (4, where), (5, inline), (11, 5), (14, [2])]))
    t.packet(1, 2000, flags=FOLLOWS, stack_sample=message([(2, task), (6, t.stack("main", "io")), (11, 6)]))
    t.packet(1, 3000, flags=FOLLOWS, stack_sample=message([(1, message([(2, 18)])), (6, t.stack("main")), (10, bytes_of), (11, 64),
                                                           (12, message([(2, b"blocks")])), (14, [3])]))
    t.packet(1, 4000, flags=FOLLOWS, stack_sample=message([(9, message([(4, b"ticks")])), (11, 8)]))
    t.begin(2)
    t.packet(2, 5000, flags=FOLLOWS, stack_sample=message([(6, t.stack("alone", sequence=2)), (11, 9), (12, message([(2, b"blocks")])), (14, [4])]))
    return t.bytes()


def heap():
    """Two processes and heaps; a second profile replaces the totals of the first one."""
    t = Trace()
    t.processes([(17, "/usr/bin/app"), (18, "/usr/bin/other")])
    t.begin()
    a, b, c = t.stack("main", "load"), t.stack("main", "parse"), t.stack("main", "parse", "new")
    t.heap(17, [(a, 1000, 0, 10, 0), (b, 500, 500, 5, 5)], "libc.malloc", time=1, index=0)
    t.begin()
    a, b, c = t.stack("main", "load"), t.stack("main", "parse"), t.stack("main", "parse", "new")
    t.heap(17, [(a, 3000, 1000, 30, 10)], "libc.malloc", continued=True, time=2, index=1)
    t.heap(17, [(c, 4096, 0, 1, 0)], "libc.malloc", continued=True, time=2, index=2)
    t.heap(17, [(c, 64, 0, 2, 0)], "pool", continued=True, time=2, index=3)
    t.heap(18, [(b, 700, 100, 7, 1)], "libc.malloc", time=2, index=4)
    return t.bytes()


def heap_tables():
    """A profile with tables of its own, in several packets, and two parts of one heap in a packet."""
    t = Trace()
    texts = [(1, message([(1, i), (2, s)])) for i, s in enumerate((b"main", b"load", b"lib", b"libapp.so", LIBC_ID), 1)]
    mapping = (4, message([(1, 1), (2, 5), (5, 99), (7, 3), (7, 4)]))
    frames = [(2, message([(1, i), (2, i), (3, 1), (4, 16 * i)])) for i in (1, 2)]
    stacks = [(3, message([(1, 1), (2, 1), (2, 2)])), (3, message([(1, 2), (2, 1)]))]
    t.heap(17, [(1, 100, 50, 4, 2)], continued=True, tables=[*texts, mapping, *frames], index=7)
    t.heap(17, [(2, 10, 0, 1, 0)], tables=stacks, index=8)
    t.heap(17, [(1, 1, 0, 1, 0)], tables=[*texts, mapping, *frames, *stacks], index=9)
    return t.bytes()


def heap_most():
    """The state at the moment of the maximum; and a heap without frees."""
    t = Trace()
    t.begin()
    t.heap(17, [(t.stack("main", "load"), 8192, 2), (t.stack("main"), 64, 1)], "libc.malloc")
    return t.bytes()


def heap_art():
    t = Trace()
    t.begin()
    t.heap(17, [(t.stack("Main.run", "new"), 300, 100, 3, 1)], "com.android.art")
    return t.bytes()


def heap_fields():
    """Samples without any number that is known."""
    t = Trace()
    t.begin()
    t.packet(1, 1, profile_packet=message([(5, message([(1, 17), (2, message([(1, t.stack("main"))]))]))]))
    return t.bytes()


def heap_odd():
    """A profile without its last packet, a gap, an unknown stack, and what the profiler reports."""
    t = Trace()
    t.begin()
    a, b = t.stack("main", "load"), t.stack("main")
    t.heap(17, [(a, 100, 0, 1, 0)], continued=True, time=1, index=0)
    t.heap(17, [(a, 300, 0, 3, 0), (9, 5, 0, 1, 0)], time=2, index=2, fields=[(7, 1), (6, 1)])
    t.heap(17, [(b, 40, 0, 1, 0)], continued=True, time=3, index=3)
    t.packet(1, 1, profile_packet=message([(5, message([(1, 17), (2, b"\x08\x80")])), (6, 1)]))
    t.packet(1, heap_graph=message([(1, 17)]))
    return t.bytes()


def events():
    """Events of two threads; those of a process and of an operation count with --async."""
    t = Trace()
    t.clocks((BOOT, 5000), (1, START))
    t.begin()
    t.track(1, pid=17, process="shop")
    t.thread(2, 17, 21, "main")
    t.thread(3, 17, 22, "worker")
    t.track(4, "downloads", parent=1)
    t.event(BEGIN, 1000, "run", 2)
    t.event(BEGIN, 2000, "load;all", 2)
    t.event(INSTANT, 2500, "mark", 2)
    t.event(END, 4000, track=2)
    t.event(BEGIN, 4000, "draw", 2, interned=False)
    t.event(END, 6000, "draw", 2)
    t.event(END, 9000, track=2)
    t.event(BEGIN, 3000, "job", 3)
    t.event(END, 3500, track=3)
    t.event(BEGIN, 1000, "fetch", 4)
    t.event(END, 8000, track=4)
    t.event(BEGIN, 2000, "start", 1)
    t.event(END, 3000, track=1)
    t.event(BEGIN, 100, "no track", 99)
    t.event(END, 150, track=99)
    t.event(STATE, 150, "waiting", 4)
    return t


def quiet_events():
    t = Trace()
    t.begin()
    t.thread(2, 17, 21, "main")
    t.event(BEGIN, 1000, "run", 2)
    t.event(BEGIN, 2000, "load", 2)
    t.event(END, 4000, track=2)
    t.event(END, 9000, track=2)
    return t


def odd_events():
    """Events that do not nest, have no time, no name or an unknown one, and damaged ones."""
    t = Trace()
    t.begin()
    t.thread(2, 17, 21)
    t.event(END, 500, track=2)
    t.event(BEGIN, 1000, "a", 2)
    t.event(BEGIN, 2000, "b", 2)
    t.event(END, 3000, "a", 2)
    t.event(END, 5000, "b", 2)
    t.event(BEGIN, None, "late", 2)
    t.event(BEGIN, 6000, track=2)
    t.event(BEGIN, 6500, track=2, fields=[(10, 77)])
    t.event(END, 7000, track=2)
    t.packet(1, 7500, flags=FOLLOWS, track_event=b"\x48\x01\x58")
    t.event(BEGIN, 8000, "open", 2)
    t.event(INSTANT, 9000, track=2)
    t.event(BEGIN, 9500, "last", 2)
    t.event(BEGIN, 0, "delta", 2, fields=[(1, 5)])
    return t.bytes()


def legacy_events():
    """Phases of older programs, the thread of a sequence, differences of times, and operations."""
    t = Trace()
    t.clocks((BOOT, 1_000_000), (MONOTONIC, 600_000))
    t.begin()
    t.packet(1, flags=FOLLOWS, thread_descriptor=message([(1, 17), (2, 21), (6, 1000)]))
    t.event(0, None, "whole", fields=[(1, 10)], legacy=[(2, ord("X")), (3, 100)])
    t.event(0, None, "inner", fields=[(1, 20)], legacy=[(2, ord("B"))])
    t.event(0, None, "inner", fields=[(1, 30)], legacy=[(2, ord("E"))])
    t.event(0, None, "other", fields=[(16, 1500)], legacy=[(2, ord("X")), (3, 7), (18, 30), (19, 31)])
    t.event(0, None, fields=[(1, 1)], legacy=[(1, t.text(2, "ending")), (2, ord("X")), (3, 8), (19, 22)])
    category = t.text(1, "net")
    for phase, time, extra in (("b", 2000, []), ("b", 2010, []), ("e", 2020, []), ("e", 2100, []), ("S", 2200, [(7, b"scope")]),
                               ("F", 2300, [(7, b"scope")])):
        t.event(0, None, "request", fields=[(16, time), (3, category)], legacy=[(2, ord(phase)), (11, 5), *extra])
    t.event(0, None, "request", fields=[(16, 2000)], legacy=[(2, ord("b")), (10, 5)])
    t.event(0, None, "request", fields=[(16, 2001)], legacy=[(2, ord("e")), (10, 5)])
    t.event(0, None, "ProfileChunk", fields=[(16, 2000)], legacy=[(2, ord("P")), (11, 5)])
    return t.bytes()


def clocks():
    """A clock of a sequence in microseconds that counts differences, as default clock."""
    t = Trace()
    defaults = message([(58, 64), (11, message([(11, 2)]))])
    t.packet(1, 0, flags=CLEARED, clock=BOOT, defaults=defaults,
             clock_snapshot=message([(1, message([(1, BOOT), (2, 1_000_000)])), (1, message([(1, 64), (2, 500), (3, 1), (4, 1000)]))]))
    t.thread(2, 17, 21)
    t.event(BEGIN, 10, "run")
    t.event(BEGIN, 5, "inner")
    t.event(END, 7)
    t.event(END, 1_100_000, clock=BOOT)
    return t.bytes()


def atrace(**how):
    """Calls that Android's programs print into the kernel's tracer, on two processors."""
    t = Trace()
    one = [print_event(1000, 21, "B|17|run\n"), print_event(1500, 21, "B|17|load|all\n"), print_event(2500, 21, "E|17\n"),
           print_event(1600, 22, "B|17|job"), print_event(1700, 22, "E")]
    two = [print_event(3000, 21, "E|17\n"), print_event(1000, 21, "S|17|fetch|5\n"), print_event(4000, 23, "F|17|fetch|5\n"),
           print_event(4100, 23, "C|17|count|5\n"), message([(1, 5000), (2, 21), (4, b"")])]
    for cpu, some in enumerate((one, two)):
        t.packet(0, ftrace_events=message([(1, cpu)] + [(2, e) for e in some]))
    return t


def scheduling():
    t = Trace()
    t.packet(0, ftrace_events=message([(1, 0), (2, message([(1, 5000), (2, 21), (4, b"")]))]))
    t.packet(1, 7)
    return t.bytes()


def both():
    """Samples, allocations and events: the samples are shown."""
    t = quiet()
    t.heap(17, [(t.stack("main", "new"), 100, 0, 1, 0)])
    t.thread(2, 17, 21)
    t.event(BEGIN, 1000, "run", 2)
    t.event(END, 2000, track=2)
    return t.bytes()


def damaged_compressed():
    t = quiet_events()
    data = t.compressed(2)
    return data[:-20] + bytes(12) + data[-8:]


def nested_compressed():
    """Compressed packets with compressed packets in them, and those that end in a damaged one."""
    t = quiet()
    inner = field(1, field(50, zlib.compress(t.bytes())))
    damaged = field(1, field(50, zlib.compress(b"\x0a\x7f")))
    return t.bytes() + field(1, field(50, zlib.compress(inner))) + damaged


def long_mapping():
    """A long mapping to which all frames of a stack refer."""
    t = Trace()
    t.begin(first=True)
    mapping = t.number(19, "long", [(4, 1)] + [(100, b"0" * 300)] * 200)
    t.perf(t.stack(*(t.frame("", mapping, 1 + i) for i in range(400)), packed=True), 1)
    return t.compressed()


def long_task():
    """A long task to which all samples refer."""
    t = Trace()
    t.begin(first=True)
    stack, task = t.stack("main"), t.number(48, "long", [(2, 17)] + [(100, b"0" * 300)] * 200)
    for time in range(400):
        t.packet(time=time, flags=FOLLOWS, stack_sample=message([(2, task), (6, stack)]))
    return t.compressed()


def long_package():
    """Original names of a package whose name is too long to compare it with the module of each frame."""
    t = quiet()
    for package in b"p" * 1025, b"p":
        t.packet(0, deobfuscation_mapping=message([(1, package), (3, message([(1, b"a"), (2, b"A")]))]))
    t.perf(t.stack("a.run"), 9)
    return t.bytes()


def damaged_atrace():
    """An event of the tracer that is damaged, beside whole ones."""
    t = Trace()
    t.packet(ftrace_events=message([(2, print_event(1, 7, "B|7|f")), (2, b"\x08\x05\x2a\x7f"), (2, print_event(9, 7, "E|7"))]))
    return t.bytes()


CASES = {
    "perf": lambda: perf().bytes(),
    "counters": lambda: quiet(11, 13, name="my;cycles").bytes(),
    "followers": followers,
    "quiet": lambda: quiet().bytes(),
    "sequences": sequences,
    "odd": odd,
    "symbols": symbols,
    "names": names,
    "chrome": chrome,
    "stack-samples": stack_samples,
    "heap": heap,
    "heap-tables": heap_tables,
    "heap-most": heap_most,
    "heap-art": heap_art,
    "heap-fields": heap_fields,
    "heap-odd": heap_odd,
    "events": lambda: events().bytes(),
    "quiet-events": lambda: quiet_events().bytes(),
    "odd-events": odd_events,
    "legacy-events": legacy_events,
    "clocks": clocks,
    "atrace": lambda: atrace().bytes(),
    "scheduling": scheduling,
    "both": both,
    "compressed": lambda: quiet_events().compressed(2),
    "damaged-compressed": damaged_compressed,
    "nested-compressed": nested_compressed,
    "long-mapping": long_mapping,
    "long-task": long_task,
    "long-package": long_package,
    "damaged-atrace": damaged_atrace,
    "twice": lambda: 2 * quiet().bytes(),
    "cut": lambda: quiet_events().bytes()[:-20],
    "empty": b"",
    "runs": runs,
    "nothing": lambda: field(1, message([(10, 1), (8, 5)])),
}

if __name__ == "__main__":
    cases.write(HERE / "collapse/perfetto", CASES, ".pftrace")
