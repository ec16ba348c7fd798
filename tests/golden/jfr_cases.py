#!/usr/bin/env python3
"""Writes the inputs of tests/golden/collapse/jfr, which are binary. Run it after changing a case.

usage: jfr_cases.py
"""
import pathlib
import struct
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
from lib import cases  # noqa: E402
from lib.jfr import STACK, THREAD, TYPES, Chunk, Reference  # noqa: E402

MAIN = ["demo/Main.main:5", "demo/Main.run:17 JIT compiled"]


def add_samples(c, first=0):
    """Samples of two threads, in methods of all kinds."""
    one, two = c.thread("main", 101, "main"), c.thread("GC Thread#0", 102)
    running, asleep = c.state("STATE_RUNNABLE"), c.state("STATE_SLEEPING")
    work = c.stack(*MAIN, "demo/Work.step:40 Inlined")
    other = c.stack(*MAIN, "demo/Work.step:41 Inlined")
    native = c.stack(*MAIN, "java/lang/System.arraycopy Native", "libc.so.6.memcpy C++", "page_fault Kernel")
    for i, stack in enumerate((work, work, other, native)):
        c.event("jdk.ExecutionSample", startTime=5000 + first + 100 * i, sampledThread=one, stackTrace=stack,
                state=running)
    c.event("jdk.ExecutionSample", startTime=5400 + first, sampledThread=two, state=running,
            stackTrace=c.stack("libjvm.so.GangWorker::loop C++"))
    c.event("jdk.ExecutionSample", startTime=5500 + first, sampledThread=one, state=asleep,
            stackTrace=c.stack(*MAIN, "java/lang/Thread.sleep Native"))
    c.event("jdk.NativeMethodSample", startTime=5600 + first, sampledThread=one, state=running,
            stackTrace=c.stack(*MAIN, "sun/nio/ch/EPoll.wait Native"))


def usual(**how):
    """Samples, allocations, locks, files, and an event without a stack trace."""
    c = Chunk(**how)
    add_samples(c)
    one = c.thread("main", 101, "main")
    here = c.stack(*MAIN, "demo/Work.make:60")
    at = {"startTime": 6000, "eventThread": one, "stackTrace": here}
    c.event("jdk.ObjectAllocationInNewTLAB", **at, objectClass=c.class_of("[B"), allocationSize=24, tlabSize=4096)
    c.event("jdk.ObjectAllocationOutsideTLAB", **at, objectClass=c.class_of("[B"), allocationSize=100_000)
    c.event("jdk.ObjectAllocationSample", **at, objectClass=c.class_of("java/lang/String"), weight=3_000_000)
    c.event("profiler.LiveObject", **at, objectClass=c.class_of("demo/Leak"), allocationSize=48)
    c.event("jdk.JavaMonitorEnter", **at, duration=1500, monitorClass=c.class_of("java/lang/Object"), address=1)
    c.event("jdk.ThreadPark", **at, duration=2500)
    c.event("profiler.NativeLock", **at, duration=10, address=1)
    c.event("profiler.Malloc", **at, address=1, size=640)
    c.event("profiler.Free", **at, address=1)
    c.event("jdk.MethodTrace", **at, duration=77)
    c.event("jdk.CPUTimeSample", **at, samplingPeriod=10_000_000)
    c.event("jdk.FileRead", **at, duration=900, path="/etc/hosts", bytesRead=12)
    c.event("jdk.ThreadSleep", startTime=6000, eventThread=one, duration=0, stackTrace=here)
    c.event("jdk.GarbageCollection", startTime=6000, duration=100, gcId=1)
    return c.bytes()


def datadog():
    c = Chunk()
    at = {"startTime": 6000, "eventThread": c.thread("main", 101, "main"), "stackTrace": c.stack(*MAIN)}
    c.event("datadog.ExecutionSample", **at, weight=3, spanId=77, localRootSpanId=70)
    c.event("datadog.MethodSample", **at, weight=5)
    c.event("datadog.ObjectSample", **at, objectClass=c.class_of("[C"), size=100, weight=2.5)
    c.event("datadog.HeapLiveObject", **at, age=3, objectClass=c.class_of("[C"), size=64, weight=4)
    return c.bytes()


def wall(engine):
    """All threads are sampled, or some: async-profiler says which in a setting."""
    c = Chunk()
    c.event("jdk.ActiveSetting", startTime=5000, name="event", value=engine)
    thread = c.thread("main", 101, "main")
    for kind, n in (("STATE_SLEEPING", 8), ("STATE_RUNNABLE", 2)):
        at = {"startTime": 5000, "sampledThread": thread, "state": c.state(kind)}
        c.event("profiler.WallClockSample", **at, stackTrace=c.stack(*MAIN), samples=n)
        c.event("jdk.ExecutionSample", **at, stackTrace=c.stack(*MAIN, "a.b"))
    return c.bytes()


def chunks():
    """Three chunks with other types and constants under the same ids, another clock, and packed integers in one."""
    made = []
    for i, packed in enumerate((True, False, True)):
        c = Chunk(packed=packed, first_id=20 + 50 * i, start=(1_700_000_000 + i) * 10**9, frequency=10**(9 - i))
        if i == 1:
            c.class_of("demo/Unused")
        c.event("jdk.ThreadPark", startTime=5000, duration=100, eventThread=c.thread("t", 7),
                stackTrace=c.stack(f"demo/Part{i}.run"))
        c.event("jdk.ExecutionSample", startTime=5000, sampledThread=c.thread("t", 7),
                stackTrace=c.stack("demo/Main.main", f"demo/Part{i}.run"))
        made.append(c.bytes())
    return made


def encodings():
    """Texts in every encoding, in constants and events."""
    c = Chunk()
    types = {"utf8": "demo/Größe", "latin1": "demo/Größe", "chars": "demo/Größe\U0001f600"}
    for encoding, name in types.items():
        c.encoding = encoding
        method = {"type": c.class_of(name), "name": c.symbol(f"in_{encoding}")}
        stack = c.constant(STACK, {"frames": [{"method": c.constant("jdk.types.Method", method)}]})
        c.event("jdk.FileRead", startTime=5000, duration=1, path=f"/{encoding}/ü", stackTrace=stack)
        c.checkpoint()
    c.encoding = "utf8"
    text = c.constant("java.lang.String", "/from/constants")
    c.event("jdk.FileRead", startTime=5000, duration=1, path=Reference(text), stackTrace=c.stack("a.b"))
    c.event("jdk.FileRead", startTime=5000, duration=1, path=None, stackTrace=c.stack("a.b"))
    c.metadata("latin1")
    return c.bytes()


def surrogates():
    """Halves of pairs of UTF-16, which are no characters."""
    c = Chunk()
    for units in ((0xd83d, 0x61), (0xde00,), (0x61, 0xd83d), (0xd83d, 0xd83d, 0xde00)):
        path = b"\4" + c.int(len(units), 4) + b"".join(c.int(u, 2) for u in units)
        c.raw(c.ids["jdk.FileRead"], c.int(5000) + c.int(1) + c.int(0) + c.int(c.stack("a.b")) + path + c.int(0) + b"\0")
    return c.bytes()


def checkpoints():
    """Constants in several checkpoints. Of two with an id, the later one counts."""
    c = Chunk()
    state = c.state("STATE_RUNNABLE")
    for name in ("first", "second"):
        c.event("jdk.ExecutionSample", startTime=5000, stackTrace=c.stack(f"a.{name}"), state=state)
        c.pending.setdefault(THREAD, []).append((9, {"osName": name, "osThreadId": 5}))
        c.checkpoint()
    c.event("jdk.ExecutionSample", startTime=5000, stackTrace=c.stack("a.first"), sampledThread=9, state=state)
    return c.bytes()


def other_fields():
    """Fields in another order, of other types, and more of them: only the metadata says which."""
    types = {**TYPES,
             "demo.Point": [("x", "short"), ("y", "char"), ("z", "byte")],
             "demo.Shape": [("points", "demo.Point", "array"), ("names", "java.lang.String", "array"),
                            ("area", "double"), ("origin", "demo.Point")],
             "jdk.ExecutionSample": [("shape", "demo.Shape"), ("stackTrace", STACK, "pool"), ("ratio", "float"),
                                     ("frozen", "boolean"), ("tags", "jdk.types.Symbol", "pool", "array"),
                                     ("startTime", "long", "TICKS"), ("spanId", "long"), ("note", "java.lang.String")],
             "jdk.types.StackFrame": [("note", "java.lang.String"), *TYPES["jdk.types.StackFrame"][::-1]]}
    c = Chunk(types=types)
    point = {"x": -5, "y": 0xffff, "z": -1}
    c.event("jdk.ExecutionSample", startTime=5000, stackTrace=c.stack(*MAIN), spanId=12, note="a note",
            shape={"points": [point, point], "names": ["one", None, ""], "area": 1.5, "origin": point}, ratio=0.5,
            tags=[1, 2, 3])
    return c.bytes()


def generated():
    """Classes that the JVM generates: lambdas, hidden ones, and accessors of reflection."""
    c = Chunk()
    for name in ("demo/App$$Lambda$12.run", "demo/App$$Lambda$13.run", "demo/App$$Lambda$14+0x80/55.run",
                 "demo.app.App$$Lambda+0x0000000301/66.run", "demo.app.App$$Lambda+0x0000000302/67.run",
                 "jdk/internal/reflect/GeneratedMethodAccessor12.invoke", "demo/Generated7.run",
                 "jdk/internal/reflect/GeneratedConstructorAccessor3.newInstance", "demo/Accessor7.run",
                 "java/lang/invoke/LambdaForm$MH.0x0000000801.invoke"):
        c.event("jdk.ExecutionSample", startTime=5000, stackTrace=c.stack("demo/Main.main", name))
    return c.bytes()


def stacks():
    """Stacks that are missing, empty, truncated, or of methods without names."""
    c = Chunk()
    nameless = c.constant("jdk.types.Method", {"type": 0, "name": 0})
    for stack in (0, 999, c.stack(), c.stack("a.b", "c.d", truncated=1), c.stack("own_name"),
                  c.constant(STACK, {"frames": [{"method": nameless}, {"method": 998}]})):
        c.event("jdk.ExecutionSample", startTime=5000, stackTrace=stack)
        c.event("jdk.ThreadSleep", startTime=5000, duration=7, stackTrace=stack)
    return c.bytes()


def odd_times():
    """Times before the start of the chunk, and spans that are no spans."""
    c = Chunk(start=1000, ticks=5000, frequency=2 * 10**9)
    for start, duration in ((4000, 10), (1000, 20), (5000, -1), (9000, 1 << 62), (5002, 1 << 63)):
        c.event("jdk.ThreadPark", startTime=start, duration=duration, stackTrace=c.stack(f"a.at{start}"))
    return c.bytes()


def cycle():
    """Constants that refer to each other: a class loader whose class is its own."""
    types = {**TYPES, "jdk.types.Symbol": [("name", "jdk.types.Symbol", "pool")]}
    c = Chunk(types=types)
    c.pending["jdk.types.Symbol"] = [(1, {"name": 2}), (2, {"name": 1})]
    c.pending["jdk.types.Method"] = [(1, {"name": 1})]
    c.pending[STACK] = [(1, {"frames": [{"method": 1}]})]
    c.event("jdk.ExecutionSample", startTime=5000, stackTrace=1)
    return c.bytes()


def empty_records(n):
    """An array with an implausible number of records that take no bytes."""
    types = {**TYPES, "demo.Nothing": [], "demo.Nest": [("a", "demo.Nothing", "array")],
             "jdk.FileRead": [("nest", "demo.Nest"), *TYPES["jdk.FileRead"]]}
    c = Chunk(types=types)
    at = c.int(0) * 2 + c.int(0) + c.int(c.stack("a.b")) + b"\1" + c.int(1) + b"\0"
    c.event("jdk.ExecutionSample", startTime=5000, stackTrace=c.stack("a.b"))
    c.raw(c.ids["jdk.FileRead"], c.int(n, 4) + at)
    return c.bytes()


def within_itself():
    """A record that contains itself."""
    types = {**TYPES, "demo.Self": [("a", "demo.Self"), ("b", "demo.Self")],
             "jdk.FileRead": [*TYPES["jdk.FileRead"], ("self", "demo.Self")]}
    types["demo.Self"] = [("n", "int")]
    c = Chunk(types=types)
    c.event("jdk.ExecutionSample", startTime=5000, stackTrace=c.stack("a.b"))
    c.event("jdk.FileRead", startTime=5000, stackTrace=c.stack("a.b"))
    c.types["demo.Self"] = [("a", "demo.Self"), ("b", "demo.Self")]
    return c.bytes()


def damaged_event():
    """An event that ends within its fields, and one of an unknown type."""
    c = Chunk()
    c.raw(c.ids["jdk.ExecutionSample"], c.int(5000))
    c.raw(4711, b"anything")
    c.event("jdk.ExecutionSample", startTime=5000, stackTrace=c.stack("a.b"))
    return c.bytes()


def damaged_middle():
    """An event whose size is wrong: constants and metadata after it are found by the header."""
    c = Chunk()
    add_samples(c)
    c.checkpoint()
    place = len(c.body)
    c.event("jdk.ExecutionSample", startTime=5000, stackTrace=c.stack("a.b"))
    c.checkpoint()
    c.stack("c.d")
    c.checkpoint()
    data = bytearray(c.bytes())
    data[68 + place:68 + place + 4] = b"\x81\0\0\0"
    good = Chunk()
    good.event("jdk.ExecutionSample", startTime=5000, stackTrace=good.stack("next.chunk"))
    return bytes(data) + good.bytes()


def damaged_constants():
    """Constants of an unknown type, after good ones; and ones that end too early."""
    c = Chunk()
    c.event("jdk.ExecutionSample", startTime=5000, stackTrace=c.stack("a.b"))
    c.checkpoint()
    c.raw(1, c.int(0) + c.int(0) + c.int(0) + b"\0" + c.int(2, 4) + c.int(4711) + c.int(1, 4) + b"abc")
    c.raw(1, c.int(0) + c.int(0) + c.int(0) + b"\0" + c.int(2, 4) + c.int(c.ids[STACK]) + c.int(1 << 30, 4) + b"\x05")
    return c.bytes()


def damaged_metadata():
    """Chunks without metadata and with damaged ones, and a good one after them."""
    bad = Chunk()
    bad.event("jdk.ExecutionSample", startTime=5000, stackTrace=bad.stack("a.b"))
    bad.metadata_at = 68
    cut = Chunk()
    cut.raw(0, cut.int(0) * 3 + cut.int(2, 4) + cut.text("root") + cut.text("x") + cut.int(0, 4) + cut.int(1, 4) + cut.int(9, 4))
    cut.metadata_at = 68
    return bad.bytes() + cut.bytes() + chunks()[0]


def deep_metadata():
    """Elements nested without end."""
    c = Chunk()
    c.raw(0, c.int(0) * 3 + c.int(1, 4) + c.text("root") + (c.int(0, 4) * 2 + c.int(1, 4)) * 1000)
    c.metadata_at = 68
    return c.bytes()


def with_size(data, size):
    return data[:8] + struct.pack(">q", size) + data[16:]


def unfinished():
    """Chunks that the JVM was still writing, without the places of their parts."""
    one, two, three = chunks()
    return (with_size(one, 0)[:16] + bytes(16) + one[32:]) + with_size(two, -1) + three


def between():
    """Bytes between chunks, and a chunk of another version."""
    one, two, three = chunks()
    old = bytearray(two)
    old[4:8] = struct.pack(">HH", 1, 0)
    return one + b"F and FLR, but no chunk" + bytes(old) + three + b"FLR\0\0\2"


CASES = {
    "usual": usual, "usual-not-packed": lambda: usual(packed=False), "datadog": datadog,
    "wall": lambda: wall("wall"), "wall-and-cpu": lambda: wall("cpu"), "chunks": lambda: b"".join(chunks()),
    "encodings": encodings, "surrogates": surrogates, "checkpoints": checkpoints, "other-fields": other_fields,
    "generated": generated, "stacks": stacks, "odd-times": odd_times, "cycle": cycle,
    "empty-records": lambda: empty_records(1 << 30), "within-itself": within_itself,
    "damaged-event": damaged_event, "damaged-middle": damaged_middle, "damaged-constants": damaged_constants,
    "damaged-metadata": damaged_metadata, "deep-metadata": deep_metadata, "unfinished": unfinished,
    "between": between, "cut": lambda: b"".join(chunks())[:-40], "cut-header": lambda: chunks()[0] + chunks()[1][:30],
    "no-events": lambda: Chunk().bytes(), "version-0.9": lambda: Chunk(version=(0, 9)).bytes()[:200],
    "version-1.0": lambda: Chunk(version=(1, 0)).bytes()[:200], "version-3": lambda: Chunk(version=(3, 0)).bytes()[:200],
    "short": lambda: b"FLR\0\0\2", "other": lambda: b"something else that is no recording",
}


if __name__ == "__main__":
    cases.write(HERE / "collapse" / "jfr", CASES, ".jfr")
