#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that work grows no faster than what is read and written.

Each shape of input is run at n / 4, n and 4n bytes (a few at n, 2n and 4n). The test compares numbers of
blocks of instructions without a branch in their middle, which valgrind counts, so no result depends on the
machine or on what else it does. From n to 4n, four times as many more must be spent than from n / 4 to n: for quadratic work,
it is sixteen times as many. Shapes that seem to grow too fast are measured again, at last in instructions, which
take longer to count: in blocks, a copy by a repeated instruction weighs much.

usage: growth.py MEASURE WHAT... [--size BYTES] [--only PART] [--full] [--show]
    MEASURE is the program of measure.c; WHAT is a collapser's id, or "profiles": what follows them, or
    "guess": the functions of all collapsers that recognise their formats

All of them are measured in one process: starting valgrind and translating the host's code takes longer
than most formats. A collapser is measured without others: more than sixty that look at the beginning of
an input, to find out whether it is in their format, would cost more than one that reads it.

Shapes made of the golden cases, line by line, take most of the time. They run if BRAZIER_GROWTH=all is in
the environment. Of the others, a sample runs: every sixth one of a format, and every third of transforms and outputs;
all of them if BRAZIER_EXHAUSTIVE=1 is in the environment, or for --only, --show and --full.
"""
import argparse
import io
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
from lib import art_trace, go_trace, jfr, measureme, nettrace, perf_data, perfetto  # noqa: E402
from lib.otlp import Data, Tables  # noqa: E402
from lib.otlp import Profile as OtlpProfile  # noqa: E402
from lib.pprof import Profile, field, message, varint  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
SKIPPED = 77
SELF_TEST = "quadratic"
# Whether all shapes run, and not a sample: those that a user looks at, too.
IS_WHOLE = os.environ.get("BRAZIER_EXHAUSTIVE") == "1" or \
    any(word.startswith(("--only", "--show", "--full")) for word in sys.argv)

# Four times as much is allowed to be this many times more than four times as much: tables that grow by steps.
TOLERANCE = 1.35
# Blocks or instructions per byte below which growth does not matter: copying and searching with vectors.
CHEAP = {"none": 0.4, "cachegrind": 3.0}
# Long copies use vectors like short ones. To valgrind, each byte of a repeated instruction is a block.
TUNABLES = ":".join(f"glibc.cpu.x86_rep_{name}_threshold=1000000000" for name in ("movsb", "stosb"))
# A shape that costs less than this share of an empty run is measured again, this many times larger, as
# is one that seems to grow too fast: tables that grow by steps do so at small sizes. A step between two
# sizes is at another place for the last size; quadratic work is not.
SMALL, LARGER = 0.92, (8, 12)
# The beginning of an input by which a format is recognised has at most 64 KiB.
LARGER_TO_GUESS = (2, 1.5)
GUESS = "guess"


class Shape:
    """An input of any size: something in front, a unit over and over, something after. Each size is `spread` times
    the one before it. The spread is 2 if a byte costs less at small sizes: where stacks are not cut yet, for example,
    or where a line fits into the first buffer."""

    def __init__(self, name, unit, front=b"", back=b"", to="folded", words=(), scale=1, options=(), spread=4,
                 source=None):
        self.name, self.unit, self.front, self.back = name, unit, front, back
        self.to, self.words, self.scale, self.options, self.spread = to, words, scale, options, spread
        self.source = source  # the format, if it is not that of all shapes of its kind

    def sizes(self, size):
        """Returns a small size, and those to measure: the last one is four times the given size."""
        most = int(4 * size) * self.scale
        return [most // 32, most // self.spread ** 2, most // self.spread, most]

    def of(self, size):
        parts, length, i = [self.front], len(self.front), 0
        if not callable(self.unit):
            parts.append(self.unit * -(-max(size - length, 0) // len(self.unit)))
            length = size
        while length < size:
            part = self.unit(i)
            parts.append(part)
            length += len(part)
            i += 1
        return b"".join([*parts, self.back])


class ArchivedShape(Shape):
    """The same as a member of an archive of Very Sleepy."""

    def __init__(self, name, member, unit, other):
        super().__init__(name, unit)
        self.member, self.other = member, other

    def of(self, size):
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w") as z:
            z.writestr("Stats.txt", "")
            z.writestr(self.member, super().of(size))
            for name, text in self.other.items():
                z.writestr(name, text)
        return archive.getvalue()


# ---- shapes of any format --------------------------------------------------------------------------

# Bytes that mean something somewhere, on one line that does not end; and lines. --full has more.
RUNS = [b" ", b";", b"a", b"a ", b"1", b"(", b"<", b"[", b"{", b'"', b"->", b"+0x", b"::", b",", b"\xff"]
MORE_RUNS = [b"\t", b"a;", b"1.", b"()", b"\\", b"+", b"/", b"`", b"=", b"'", b"&", b"\xc3\xa9",
             b"\0", b"\r"]
LINES = [b"\n", b" \n", b";\n", b"a\n", b"a 1\n", b"\ta\n", b"  1\n", b"--\n", b'"\n']
MORE_LINES = [b"\r\n", b"\t\n", b"1\n", b"@[\n", b"]: 1\n", b"<a>\n", b'",\n', b"#\n", b"\0\n"]


def shown(data):
    text = repr(data[:40])[2:-1]
    return text + ("..." if len(data) > 40 else "")


def numbered(line):
    """Returns lines like this one, each with other numbers. One that a line begins with stays: it may
    be a level, and nested frames that all have samples are as many stacks as frames."""
    pieces = re.split(rb"(\d+)", line)
    first = 3 if pieces[0].strip() == b"" else 1
    return lambda i: b"".join(b"%d" % (int(p[:6]) % 1000 + i) if k % 2 and k >= first else p
                              for k, p in enumerate(pieces))


def of_any_format(full):
    """Yields the shapes that every format reads."""
    for run in RUNS + MORE_RUNS * full:
        yield Shape(f"one line of {shown(run)}", run)
    for line in LINES + MORE_LINES * full:
        yield Shape(f"lines of {shown(line)}", line)


def some_of_any_format(what):
    """Yields a ninth of the shapes of any format for a format; which ninth depends on its name, so that some format has
    each of them. Runs with all repeats have all of them for each."""
    return some_of(list(of_any_format(full=False)), 9, sum(what.encode()))


def some_of(shapes, parts, number=0):
    """Returns one of the parts of shapes, or all of them."""
    return shapes if IS_WHOLE else shapes[number % parts::parts]


# ---- shapes made of samples ----------------------------------------------------------------------

def samples(what):
    """Small golden cases, each of another size: the grammar's parts are in them."""
    folder = ROOT / "tests/golden/collapse" / what
    files = sorted((p for p in folder.glob("*")
                    if p.suffix not in (".folded", ".args", ".stderr", ".odd")
                    and 200 <= p.stat().st_size <= 6000),
                   key=lambda p: (p.stat().st_size, p.name))
    step = max(1, len(files) // 3)
    return files[step - 1::step][:2]


def some(lines, most):
    """Lines that are unlike each other."""
    seen, chosen = set(), []
    for i, line in enumerate(lines):
        kind = re.sub(rb"\w+", b"w", line)
        if kind not in seen:
            seen.add(kind)
            chosen.append(i)
    return chosen[:most]


def of_sample(path, runs, most):
    data = path.read_bytes()
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return
    lines = data.splitlines(True)
    yield Shape(f"{path.name}, over and over", data)
    for i in some(lines, most):
        front, line, back = b"".join(lines[:i]), lines[i], b"".join(lines[i + 1:])
        where = f"line {i + 1} of {path.name}"
        yield Shape(f"{where}, repeated", line, front, back)
        yield Shape(f"{where}, repeated with other numbers", numbered(line), front, back)
        yield Shape(f"{where}, repeated up to the end", line, front)
        if line.strip():
            yield Shape(f"{where}, without its end", line.rstrip(b"\r\n"), front, b"\n" + back)
    for run in runs:
        half = len(data) // 2
        yield Shape(f"a line of {shown(run)} in {path.name}", run, data[:half], data[half:])


# ---- shapes of one format --------------------------------------------------------------------------

XCTRACE = (b'<?xml version="1.0"?><trace-query-result><node xpath="//a"><schema name="time-profile">'
           b"<col><mnemonic>time</mnemonic></col></schema>")
EVENT = b"prog 1234 100.000001: 1 cycles: \n"
FRAME = b"\t    7f0000001000 foo+0x10 (/lib/a.so)\n"
XDEBUG = b"Version: 3.1\nFile format: 4\nTRACE START [2024-01-01 00:00:00]\n"
SPEEDSCOPE = b'{"shared":{"frames":[{"name":"a"},{"name":"b"}]},"profiles":'

def pprof_start():
    p = Profile(("samples", "count"))
    for i in range(1, 6):
        p.function(i, f"f{i}")
        p.location(i, [(i, 1), (1, 2)])
    p.sample([3, 2, 1], [1])
    return p.bytes()


PPROF = pprof_start()


def simpleperf_record(kind, fields):
    data = field(kind, message(fields))
    return struct.pack("<I", len(data)) + data


SIMPLEPERF = b"SIMPLEPERF\1\0" + simpleperf_record(5, [(1, b"cpu-clock")])


def nettrace_block(name, content, length=None):
    """A block that begins and ends at multiples of 4 bytes in the file. One of events has a header of the size for that."""
    name = name.encode()
    before = -(20 + len(name)) % 4
    after = -(20 + len(name) + before + len(content) + 21 * (name not in (b"StackBlock", b"SPBlock"))) % 4
    if name in (b"StackBlock", b"SPBlock"):
        content += bytes(-(len(content) + 21 + len(name) + before) % 4)
    else:
        content = struct.pack("<HHQQ", 20 + after, 1, 0, 0) + bytes(after) + content
    return b"\5\5\1" + struct.pack("<iii", 4, 4, len(name)) + name + b"\6" + struct.pack("<i", length or len(content)) + bytes(before) + content + b"\6"


def nettrace_start():
    t = nettrace.Trace()
    t.metadata((1, nettrace.SAMPLES, 0), (2, nettrace.RUNDOWN, 144))
    t.stacks(1, [0x1005])
    t.block(b"Other", bytes(3))  # a block ends one byte after a multiple of 4 and the length of its content
    assert len(t.data) % 4 == 0
    return bytes(t.data)


NETTRACE = nettrace_start()


go_event = go_trace.event


def go_batch(thread, *events, generation=1):
    content = b"".join(events)
    return go_event(1, generation, thread, 1, len(content)) + content


GO_TRACE = (go_trace.head(22) + go_batch(9, go_event(8, 1000)) + go_batch(9, b"\4", go_event(5, 1, 4), b"main") +
            go_batch(9, b"\2", go_event(3, 1, 1, 1, 1, 1, 1)) + go_batch(1, go_event(25, 1, 1, 1, 2)))


def go_old(kind, *args):
    content = b"".join(map(varint, args))
    return bytes([min(len(args) - 1, 3) << 6 | kind]) + (varint(len(content)) if len(args) > 3 else b"") + content


GO_OLD = (go_trace.head(19) + go_old(2, 1000) + b"\x25\1\4main\xc3\6\1\1\1\1\1\1" + go_old(1, 1, 1) + go_old(13, 1, 1, 1, 1) +
          go_old(14, 1, 1, 1))

PERF_REPORT = (b"# Samples: 1  of event 'a'\n# Overhead  Command  Shared Object  Symbol\n"
               b"# ........  .......  .............  ........\n#\n")
PERF_REPORT_ROW = PERF_REPORT + b"    90.00%  a        a              [.] f\n"

V8LOG_TEXT = b"Statistical profiling result from a, (9000000 ticks, 1 unaccounted, 0 excluded).\n"
V8LOG_BOTTOM_UP = V8LOG_TEXT + b" [Bottom up (heavy) profile]:\n   ticks parent  name\n"

ART_TEXT = b"*version\n3\nclock=dual\n*threads\n1\tmain\n*methods\n0x4\tA\tf\t()V\tA.java\n"
ART_TRACE = ART_TEXT + b"*end\n" + art_trace.Trace().header()


def art_event(thread, method, action, time):
    return struct.pack("<HIII", thread & 0xffff, method << 2 & 0xffffffff | action, time & 0xffffffff, time & 0xffffffff)

NETTRACE_SAMPLE = b"\x89\1\1\0\4\2\0\0\0"


def perfetto_start():
    t = perfetto.Trace()
    t.begin(defaults=perfetto.perf_defaults(10), first=True)
    t.thread(2, 17, 21)
    t.track(3, "other", pid=17)
    t.perf(t.stack("main", "work"), 1)
    t.symbols("/lib/x", b"id", {1: [("a", "a.c", 1)]})
    return t.bytes()


PERFETTO = perfetto_start()


def perfetto_packet(*fields):
    return field(1, message([(10, 1), (13, 2), *fields]))


def perfetto_table(table, number, fields, *data):
    return perfetto_packet((12, field(table, message([(1, number), *fields]))), *data)


def perfetto_event(kind, i, *fields):
    return perfetto_packet((8, 1000 + i), (11, message([(9, kind), *fields])))


def perfetto_heap(i, *fields, last=True):
    return perfetto_packet((37, message([(5, message([(1, 17), (9, 5), (2, message([(1, 1), (2, i), *fields]))]))] + ([] if last else [(6, 1)]))))


def otlp_start():
    """Functions and a resource without samples; a dictionary may be divided, and what follows adds to it."""
    t = Tables()
    t.code("main", "load", "parse")
    t.stack([1, 2, 3])
    t.attribute("thread.id", 7)
    d = Data(t)
    p = OtlpProfile(t, ("samples", "count"))
    p.sample([1], [1])
    d.resource({"service.name": "a"}, p)
    return d.bytes(dictionary_first=True)


def otlp_profile(samples):
    return field(1, field(2, field(2, field(1, message([(1, 1), (2, 1)])) + samples)))


def otlp_sample(fields):
    return otlp_profile(field(2, message(fields)))


OTLP = otlp_start()
OTLP_JSON = b'{"resourceProfiles":[{"scopeProfiles":[{"profiles":[{"samples":['
OTLP_TABLES = b'],"dictionary":{"stringTable":["","a"],"functionTable":[{"nameStrindex":1}],"locationTable":[{"lines":[{}]}],"stackTable":[{"locationIndices":[0]}]}}'

OLD_HEAP = b"heap profile: 1: 8 [1: 8] @ growthz\n"


def pprof_sample(_):
    return field(2, message([(1, [5, 4, 3, 2, 1]), (2, [1])]))


def pprof_texts(i):
    """A text, a function with that name, a location and a sample."""
    return (field(6, b"name%d" % i) + field(5, message([(1, i + 6), (2, i + 8)])) +
            field(4, message([(1, i + 6), (4, message([(1, i + 6)]))])) +
            field(2, message([(1, [i + 6, 1]), (2, [1])])))


def pprof_locations(i):
    place = i * 4096 + (1 << 40)
    return (field(4, message([(1, place), (4, message([(1, 1)]))])) +
            field(2, message([(1, [place, 1]), (2, [1])])))


def pprof_positions(i):
    """A function of the same name, whose first line is 2^16 times the column of the call in it."""
    return (field(5, message([(1, i + 6), (2, 1), (5, (i & 0x7fff) << 16)])) +
            field(4, message([(1, i + 6), (4, message([(1, i + 6), (3, i & 0x7fff)]))])) +
            field(2, message([(1, [i + 6, 1]), (2, [1])])))
def recording(make, order="<", **more):
    """Returns the records that `make` adds to a recording."""
    r = perf_data.Recording(perf_data.Event("cpu-clock", **more), order=order)
    make(r)
    return r.data


def recording_start():
    r = perf_data.Recording()
    r.comm(10, "app")
    r.mmap2(10, 0x400000, 0x100000, "/usr/bin/app")
    return r.pipe()


RECORDING = recording_start()
IN_APP = [perf_data.IN_USER, 0x400010, 0x400020, 0x400030]


def recorded(make):
    return lambda i: recording(lambda r: make(r, i))


PERF_DATA = [
    Shape("one sample over and over", recorded(lambda r, i: r.sample(10, IN_APP, time=i + 2)), RECORDING),
    Shape("distinct addresses",
          recorded(lambda r, i: r.sample(10, [perf_data.IN_USER, 0x400000 + 8 * i], time=i + 2)), RECORDING),
    Shape("times that decrease",
          recorded(lambda r, i: r.sample(10, IN_APP, time=(1 << 40) - i)), RECORDING),
    Shape("times in no order",
          recorded(lambda r, i: r.sample(10, IN_APP, time=2 + i * 7919 % 10007)), RECORDING),
    Shape("a round after each sample",
          recorded(lambda r, i: (r.sample(10, IN_APP, time=i + 2), r.round())), RECORDING),
    Shape("mappings, ascending",
          recorded(lambda r, i: r.mmap2(10, 0x500000 + 4096 * i, 4096, "/lib/a.so", time=i + 2)), RECORDING),
    Shape("mappings, descending",
          recorded(lambda r, i: r.mmap2(10, (1 << 46) - 4096 * i, 4096, "/lib/a.so", time=i + 2)), RECORDING),
    Shape("mappings that overlap",
          recorded(lambda r, i: r.mmap2(10, 0x500000, 4096 * (i + 1), "/lib/a.so", time=i + 2)), RECORDING),
    Shape("distinct modules",
          recorded(lambda r, i: r.mmap2(10, 0x500000 + 4096 * i, 4096, f"/lib/{i}.so", time=i + 2)),
          RECORDING),
    Shape("forks that map",
          recorded(lambda r, i: (r.mmap2(10 + i, 0x500000 + 8192 * i, 4096, "/lib/a.so", time=i + 2),
                                 r.fork(11 + i, 10 + i, time=i + 2))), RECORDING, spread=2),
    Shape("processes that map and end",
          recorded(lambda r, i: (r.fork(11 + i, 10, time=2 * i + 2),
                                 r.mmap2(11 + i, 0x500000, 4096, "/lib/a.so", time=2 * i + 2),
                                 r.exit(11 + i, 10, time=2 * i + 3))), RECORDING),
    Shape("distinct threads",
          recorded(lambda r, i: (r.comm(10, f"t{i}", tid=11 + i), r.sample(10, IN_APP, tid=11 + i))),
          RECORDING),
    Shape("a name that changes",
          recorded(lambda r, i: (r.comm(10, f"t{i}", time=i + 2), r.sample(10, IN_APP, time=i + 2))),
          RECORDING),
    Shape("records without a size", bytes(8), RECORDING),
    Shape("records that are nearly right", b"\1\0\0\0\2\0\x08\0\xff\0\0\0\0\0\0\0", RECORDING),
    Shape("events", recorded(lambda r, i: r.raw(64, r.attr(r.events[0]) + r.pack("Q", i))), RECORDING),
]


def switched_recording(make=lambda r, i: None, i=None):
    """Returns a unit of a recording with tracepoints of switches, or with i None its beginning."""
    kind = perf_data.USUAL | perf_data.IDENTIFIER | perf_data.RAW
    r = perf_data.Recording(
        perf_data.Event("sched:sched_switch", 2, perf_data.SCHED_SWITCH, kind, perf_data.SAMPLE_ID_ALL, 1,
                        ids=[1]),
        perf_data.Event("sched:sched_waking", 2, perf_data.SCHED_WAKING, kind, perf_data.SAMPLE_ID_ALL, 1,
                        ids=[2]))
    if i is not None:
        make(r, i)
        return r.data
    r.features[1] = r.tracing_data()
    r.comm(10, "app")
    r.mmap2(10, 0x400000, 0x100000, "/usr/bin/app")
    return r.pipe()


def switched(name, make, *options):
    return Shape(f"{name}, {options[0]}", lambda i: switched_recording(make, i), switched_recording(),
                 options=options)


def two_switches(r, i, thread, frames):
    """A thread leaves, is woken by one before it, and comes back."""
    chain = [perf_data.IN_USER, *frames]
    r.sched_switch(30 * i + 10, thread, 1, chain, pid=10)
    r.sched_waking(30 * i + 20, 2 + i % 50, thread, chain, pid=10)
    r.sched_switch(30 * i + 30, 1, thread, chain, pid=10)


PERF_DATA += [shape for options in (["off-cpu", "states"], ["wakeup"], ["wall-clock"]) for shape in (
    switched("switches of few threads", lambda r, i: two_switches(r, i, 2 + i % 50, IN_APP[1:]), *options),
    switched("switches of many threads", lambda r, i: two_switches(r, i, i + 2, IN_APP[1:]), *options),
    switched("switches at distinct addresses",
             lambda r, i: two_switches(r, i, 2 + i % 50, [0x400000 + 8 * i, 0x400020]), *options),
    switched("threads that leave and never come back",
             lambda r, i: r.sched_switch(i + 2, i + 2, 1, IN_APP, pid=10), *options),
    switched("losses", lambda r, i: (two_switches(r, i, 2 + i % 50, IN_APP[1:]),
                                     r.change(2, r.pack("QQ", 0, 1), time=30 * i + 30)), *options),
)]


def switched_text(i, thread):
    """The same as text."""
    head, words = b"app %d/%d [000] 0.%09d: sched:sched_", (
        b"switch: prev_comm=app prev_pid=%d prev_prio=120 prev_state=S ==> next_comm=app next_pid=%d "
        b"next_prio=120\n")
    back = b"".join([FRAME, b"\n"])
    return (head % (thread, thread, 30 * i) + words % (thread, 1) + back +
            head % (2 + i % 50, 2 + i % 50, 30 * i + 10) + b"waking: comm=app pid=%d prio=120\n" % thread + back +
            head % (1, 1, 30 * i + 20) + words % (1, thread) + back)


def chrome_event(phase, name, time):
    return b'{"ph":"%s","pid":1,"tid":1,"ts":%d,"name":"f%d"},' % (phase, time, name)


def chrome_complete(name, time, duration):
    return b'{"ph":"X","pid":1,"tid":1,"ts":%d,"dur":%d,"name":"f%d"},' % (time, duration, name)


def rustc_profile(front=lambda p: None, page=256 << 10):
    """Returns the beginning of a self-profile of rustc, whose events follow in pages of their own."""
    p = measureme.Profile(page=page)
    p.known("Query"), p.known("a")
    front(p)
    return p, p.file()


RUSTC, RUSTC_START = rustc_profile()


def rustc_page(stream, data):
    return struct.pack("<BI", stream, len(data)) + data


def rustc_event(begin, end, thread=1, id=None):
    """Returns a page with an interval."""
    before = len(RUSTC.streams[measureme.EVENTS])
    RUSTC.interval("a", begin, end, thread, id=id)
    event = RUSTC.streams[measureme.EVENTS][before:]
    RUSTC.streams[measureme.EVENTS] = RUSTC.streams[measureme.EVENTS][:before]
    return rustc_page(measureme.EVENTS, event)


def rustc_name(i):
    """Returns a text that the index lists, and an interval of that name."""
    text = b"name%06d\xff" % i
    place = len(RUSTC.streams[measureme.TEXTS]) + i * len(text)
    return (rustc_page(measureme.TEXTS, text) + rustc_page(measureme.INDEX, struct.pack("<QQ", i + 1, place)) +
            rustc_event(2 * i, 2 * i + 1, id=i + 1))


def rustc_reference(i):
    """Returns a text that refers to the one before it, and an interval of that name."""
    text = b"x\xfe" + struct.pack("<Q", i) + b"\xff"
    place = len(RUSTC.streams[measureme.TEXTS]) + i * len(text)
    return (rustc_page(measureme.TEXTS, text) + rustc_page(measureme.INDEX, struct.pack("<QQ", i + 1, place)) +
            rustc_event(2 * i, 2 * i + 1, id=i + 1))


MEASUREME = [
    Shape("intervals", lambda i: rustc_event(2 * i, 2 * i + 1), RUSTC_START),
    Shape("intervals that overlap", lambda i: rustc_event(i, i + 2), RUSTC_START),
    Shape("intervals in descending order", lambda i: rustc_event((1 << 40) - 2 * i, (1 << 40) - 2 * i + 1),
          RUSTC_START),
    Shape("threads", lambda i: rustc_event(i, i + 1, thread=i), RUSTC_START),
    Shape("distinct names", rustc_name, RUSTC_START),
    Shape("names that refer to each other", rustc_reference, RUSTC_START),
    Shape("pages of a byte", rustc_page(measureme.TEXTS, b"a"), RUSTC_START),
    Shape("entries of the index with one id", rustc_page(measureme.INDEX, struct.pack("<QQ", 1, 8)),
          RUSTC_START),
]


def java_chunk():
    """Returns a chunk that was not finished, with metadata and constants, and its beginning."""
    c = jfr.Chunk()
    c.thread("main", 101)
    c.class_of("x" * 1000)
    stack = c.stack("demo/Main.main", "demo/Main.run", "demo/Work.step")
    c.checkpoint()
    return c, c.bytes(size=0), stack


JAVA, JAVA_START, JAVA_STACK = java_chunk()
JAVA_LENGTH = len(JAVA.body)


def java_events(add):
    """Returns what `add` adds to the chunk."""
    del JAVA.body[JAVA_LENGTH:]
    add(JAVA)
    return bytes(JAVA.body[JAVA_LENGTH:])


def java_sample(c, stack=JAVA_STACK, thread=1):
    c.event("jdk.ExecutionSample", startTime=5000, sampledThread=thread, stackTrace=stack)


def java_pool(c, type, *rows):
    c.raw(jfr.CHECKPOINT, c.int(0) * 3 + b"\0" + c.int(1, 4) + c.pool(type, rows))


def java_stack(i):
    """Returns a stack with a method of its own, and a sample of it."""
    def add(c):
        java_pool(c, "jdk.types.Method", (100 + i, {"type": 3, "name": 1 + i % 5}))
        java_pool(c, jfr.STACK, (100 + i, {"frames": [{"method": 100 + i}, {"method": 99 + i}]}))
        java_sample(c, 100 + i)
    return java_events(add)


def java_thread(i):
    def add(c):
        java_pool(c, jfr.THREAD, (100 + i, {"osName": f"t{i}", "osThreadId": i + 1}))
        java_sample(c, thread=100 + i)
    return java_events(add)


def java_file():
    c = jfr.Chunk()
    java_sample(c, c.stack("a.b"))
    return c.bytes()


JFR = [
    Shape("one sample over and over", java_events(java_sample), JAVA_START),
    Shape("samples with tags", java_events(java_sample), JAVA_START, options=["group-by=thread"]),
    Shape("distinct stacks in checkpoints of their own", java_stack, JAVA_START),
    Shape("threads", java_thread, JAVA_START, options=["group-by=thread"]),
    Shape("constants with one id", java_events(lambda c: java_pool(c, "jdk.types.Symbol", (1, {"string": "a"}))),
          JAVA_START, java_events(java_sample)),
    Shape("chunks", java_file()),
    Shape("headers of chunks that were not finished", b"FLR\0\0\2" + bytes(62), java_file()),
    Shape("damage between chunks", b"FLR", java_file()),
    Shape("metadata over and over", java_events(lambda c: c.metadata()), JAVA_START, java_events(java_sample)),
]
FIREFOX = (b'{"meta":{"preprocessedProfileVersion":70},"shared":{"stringArray":["a"],"stackTable":'
           b'{"frame":[0,0],"prefixOffset":[0,1]},"frameTable":{"func":[0]},"funcTable":{"name":[0]}}')


def firefox_thread(i):
    return (b'{"stringArray":["f%d (a -> b -> c://d:1:2)"],"frameTable":{"location":[0]},"stackTable":'
            b'{"frame":[0],"prefix":[null]},"samples":{"stack":[0]}},' % i)


def python_function(i):
    """Returns a function as Python's marshal format has it."""
    return b")\3z\1ai\1\0\0\0z\x08" + b"f%07d" % i


def python_edge():
    return b")\4" + b"i\1\0\0\0" * 2 + b"g\0\0\0\0\0\0\xf0\x3f" * 2


def python_row(i, callers):
    return python_function(i) + b")\5" + python_edge()[2:] + b"{" + callers + b"0"


LINE = b"a" * 63 + b"\n"

def svg_frame(name, left, width, y):
    name = name.encode() if isinstance(name, str) else b"f%d" % name
    return b"<g><title>%s (%d samples, 1%%)</title><rect x='%d' y='%d' width='%d'/></g>\n" % (name, width, left, y, width)


PAGE_OF_KEYS = (b"<html><script>\nfunction f(key, level, left, width) {}\nconst cpool = [\n'all',\n'!a'];\nunpack(cpool)\n"
                b"n(0,9000000000000)\n")

OWN = {
    "aix": [
        Shape("distinct names", lambda i: b"7: ./a\n0x01  f%d(??) + 0x1\n0x02  main(??) + 0x1\n" % i),
        Shape("a deep stack", lambda i: b"0x01  f%d(??) + 0x1\n" % i, b"7: ./a\n"),
        Shape("threads", lambda i: b"---------- tid# %d (pthread ID: 1) ----------\n0x01  f(??) + 0x1\n" % i, b"7: ./a\n"),
    ],
    "eu-stack": [
        Shape("distinct names", lambda i: b"PID 1 - process\nTID 1:\n#0  0x01 f%d - /lib/a.so\n#1  0x02 main\n" % i),
        Shape("a deep stack", lambda i: b"#%d  0x01 f%d\n" % (i, i), b"PID 1 - process\nTID 1:\n"),
        Shape("details of a frame", b"    a.c:1:2\n", b"PID 1 - process\nTID 1:\n#0  0x01 f\n"),
        Shape("threads", lambda i: b"TID %d:\n#0  0x01 f\n" % i, b"PID 1 - process\n"),
    ],
    "faulthandler": [
        Shape("distinct names",
              lambda i: b'Thread 0x01 (most recent call first):\n  File "a.py", line 3 in f%d\n' % i),
        Shape("a deep stack", lambda i: b'  File "a.py", line 3 in f%d\n' % i,
              b"Thread 0x01 (most recent call first):\n"),
        Shape("calls of py-spy", lambda i: b"    f%d (a.py:3)\n        Locals:\n" % i, b'Thread 1 (active): "a"\n'),
    ],
    "gdb": [
        Shape("distinct names", lambda i: b"Thread 1 (LWP 5):\n#0  0x01 in f%d (n=1) at a.c:1\n#1  main ()\n" % i),
        Shape("distinct arguments", lambda i: b"Thread 1 (LWP 5):\n#0  0x01 in f (n=%d) at a.c:1\n" % i),
        Shape("a deep stack", lambda i: b"#%d  0x01 in f%d (n=1) at a.c:1\n" % (i, i), b"Thread 1 (LWP 5):\n"),
        Shape("a frame of many lines", b"    x=1,\n", b"Thread 1 (LWP 5):\n#0  f (", b"    y=2) at a.c:1\n"),
        Shape("a frame that does not end", b"    at (\n", b"Thread 1 (LWP 5):\n#0  f (a"),
        Shape("stacks without threads", b"#0  f () at a.c:1\n"),
        Shape("libraries", b") from ", b"Thread 1 (LWP 5):\n#0  f (a", b"#\n"),
    ],
    "callgrind": [
        Shape("distinct functions", lambda i: b"fn=(%d) f%d\n1 5\n" % (i, i), b"events: Ir\n"),
        Shape("lines of a function", lambda i: b"+%d 5\n" % (i % 9), b"events: Ir\nfn=f\n"),
        Shape("a chain of calls", lambda i: b"fn=f%d\n1 0\ncfn=f%d\ncalls=1 1\n1 5\n" % (i, i + 1), b"events: Ir\n",
              b"fn=last\n1 5\n"),
        Shape("callers of a function", lambda i: b"fn=f%d\n1 5\ncfn=g\ncalls=1 1\n1 5\n" % i, b"events: Ir\nfn=g\n1 9999\n"),
        Shape("calls of a function", lambda i: b"cfn=f%d\ncalls=1 1\n1 5\n" % i, b"events: Ir\nfn=main\n1 5\n"),
        Shape("a cycle", lambda i: b"fn=f%d\n1 5\ncfn=f%d\ncalls=1 1\n1 5\n" % (i, i * 7 // 8), b"events: Ir\n"),
        Shape("calls in layers", lambda i: b"fn=f%d\n1 5\n" % i + b"".join(
            b"cfn=f%d\ncalls=1 1\n1 9999\n" % (i - i % 8 + 8 + k) for k in range(8)), b"events: Ir\n"),
    ],
    "dhat": [
        Shape("program points", lambda i: b'{"tb":%d,"tbk":1,"fs":[1,%d]},' % (i, i % 2),
              b'{"dhatFileVersion":2,"bklt":false,"bkacc":false,"ftbl":["a","b"],"pps":[', b'{"tb":1,"tbk":1,"fs":[1]}]}'),
        Shape("frames", lambda i: b'"0x%x: f%d (a.c:1)",' % (i, i),
              b'{"dhatFileVersion":2,"bklt":false,"bkacc":false,"pps":[{"tb":1,"tbk":1,"fs":[1]}],"ftbl":["a",', b'"b"]}'),
        Shape("a deep stack", b"1,", b'{"dhatFileVersion":2,"ftbl":["a","b"],"pps":[{"tb":1,"tbk":1,"fs":[', b"0]}]}"),
    ],
    "go": [
        Shape("rows of -top", lambda i: b"      10ms  1.08%% 95.70%%       10ms  1.08%%  main.f%d\n" % i,
              b"File: a\nType: cpu\nShowing nodes accounting for 1s, 100% of 1s total\n      flat  flat%   sum%        cum   cum%\n"),
        Shape("samples of -raw", lambda i: b"  1  2: %d 1\n" % (i % 100),
              b"PeriodType: cpu nanoseconds\nSamples:\nsamples/count cpu/nanoseconds\n",
              b"Locations\n     1: 0x01 M=1 main.f a.go:1 s=0\n"),
        Shape("locations of -raw", lambda i: b"     %d: 0x01 M=1 main.f%d a.go:1 s=0\n" % (i, i),
              b"PeriodType: cpu nanoseconds\nSamples:\nsamples/count\n  1: 1\nLocations\n"),
        Shape("inlined functions", lambda i: b"        main.f%d a.go:1 s=0\n" % i,
              b"PeriodType: cpu nanoseconds\nSamples:\nsamples/count\n  1: 1\nLocations\n     1: 0x01 M=1 main.f a.go:1 s=0\n"),
        Shape("traces", lambda i: b"-----------+-----\n  10ms   f%d\n         main\n" % i, b"Type: cpu\n"),
    ],
    "go-trace": [
        Shape("waits", lambda i: go_batch(1, go_event(20, 1, 1, 1), go_event(21, 1, 1, 2 * i + 1, 0), go_event(16, 1, 1, 2 * i + 2)), GO_TRACE),
        Shape("batches", lambda i: go_batch(1, go_event(37, 1, i)), GO_TRACE),
        Shape("threads", lambda i: go_batch(i + 5, go_event(37, 1, i)), GO_TRACE),
        Shape("goroutines", lambda i: go_batch(1, go_event(14, 1, i + 5, 1, 1)), GO_TRACE),
        Shape("threads that wait for one event", lambda i: go_batch(i + 5, go_event(16, 1, 1, 7)), GO_TRACE),
        Shape("threads that wait for events of one goroutine", lambda i: go_batch(i + 5, go_event(16, 1, 1, i + 7)), GO_TRACE),
        Shape("threads that wait for events of many goroutines", lambda i: go_batch(i + 5, go_event(21, 1, i, 7, 0)), GO_TRACE),
        Shape("generations", lambda i: go_batch(1, go_event(25, 1, 1, 1, 2), generation=i + 5), GO_TRACE),
        Shape("distinct stacks", lambda i: go_batch(9, b"\2", go_event(3, i, 2, i, 1, 1, 1, 7, 1, 1, 2)) +
              go_batch(1, go_event(20, 1, 1, i), go_event(21, 1, 1, 2 * i + 1, i), go_event(16, 1, 1, 2 * i + 2)), GO_TRACE),
        Shape("a deep stack", lambda i: go_event(20, 1, 1, 2) + go_event(21, 1, 1, 2 * i + 1, 2) + go_event(16, 1, 1, 2 * i + 2),
              GO_TRACE + go_batch(9, b"\2", go_event(3, 2, 900) + b"\1" * 3600) + go_event(1, 1, 1, 1, 1 << 30)),
        Shape("distinct texts", lambda i: go_batch(9, b"\4", go_event(5, i + 9, 3) + b"abc"), GO_TRACE),
        Shape("a long text", b"a", GO_TRACE + go_event(1, 1, 9, 1, 1 << 30) + b"\4\5\7" + varint(1 << 29)),
        Shape("distinct reasons", lambda i: go_batch(9, b"\4", go_event(5, i + 9, 8) + b"%08d" % i) +
              go_batch(1, go_event(20, 1, i + 9, 1), go_event(21, 1, 1, 2 * i + 1, 0), go_event(16, 1, 1, 2 * i + 2)), GO_TRACE),
        Shape("--group-by reason: a long reason", lambda i: go_event(20, 1, 3, 1) + go_event(21, 1, 1, 2 * i + 1, 0) +
              go_event(16, 1, 1, 2 * i + 2), GO_TRACE + go_batch(9, b"\4", go_event(5, 3, 8000) + b"a" * 8000) + go_event(1, 1, 1, 1, 1 << 30),
              options=["group-by=reason"]),
        Shape("samples", lambda i: go_batch(9, b"\6", go_event(7, i, 1, 1, 1, 1)), GO_TRACE),
        Shape("--group-by thread: samples", lambda i: go_batch(9, b"\6", go_event(7, i, 1, 1, i, 1)), GO_TRACE,
              options=["group-by=thread"]),
        Shape("old events", lambda i: go_old(20, 1, 1) + go_old(21, 1, 1, 2 * i + 3, 1) + go_old(14, 1, 1, 2 * i + 4), GO_OLD),
        Shape("old batches", lambda i: go_old(1, i, 1) + go_old(33, 1, 1), GO_OLD),
        Shape("old threads that wait for one goroutine", lambda i: go_old(1, i + 5, 1) + go_old(14, 1, 1, i + 9), GO_OLD),
        Shape("old texts", lambda i: b"\x25" + varint(i + 9) + b"\3abc", GO_OLD),
        Shape("old stacks", lambda i: b"\xc3" + varint(len(varint(i)) + 5) + varint(i) + b"\1\1\1\1\1", GO_OLD),
    ],
    "go-trace-text": [
        Shape("waits", lambda i: b"M=1 P=1 G=1 StateTransition Time=%d GoID=1 Running->Waiting\nStack=\n\tf%d @ 0x1\n\t\ta.go:1\n" % (i, i)),
        Shape("goroutines", lambda i: b"M=1 P=1 G=1 StateTransition Time=%d GoID=%d Running->Waiting\n" % (i, i)),
        Shape("a deep stack", lambda i: b"\tf%d @ 0x1\n\t\ta.go:1\n" % i, b"M=1 P=1 G=1 StackSample Time=1\nStack=\n"),
    ],
    "gprof": [
        Shape("functions", lambda i: b"[%d] 1.0 0.01 0.00 5 f%d [%d]\n  0.00 0.00 5/5 f%d [%d]\n---\n" % (i, i, i, i + 1, i + 1),
              b"index % time    self  children    called     name\n"),
        Shape("rows", lambda i: b" 1.00 0.01 0.01 5 0.00 0.00 f%d\n" % i, b" time   seconds   seconds    calls  ms/call  ms/call  name\n"),
        Shape("children", lambda i: b"  0.00 0.00 5/5 f%d [%d]\n" % (i, i + 2),
              b"index % time    self  children    called     name\n[1] 1.0 0.01 0.00 5 f [1]\n"),
    ],
    "goroutine": [
        Shape("distinct names", lambda i: b"goroutine %d [sleep]:\nmain.f%d(0x1)\n\ta.go:1 +0x1\n\n" % (i, i)),
        Shape("a deep stack", lambda i: b"main.f%d(0x1)\n\ta.go:1 +0x1\n" % i, b"goroutine 1 [sleep]:\n"),
        Shape("text after a goroutine", b"rax 0x1\n", b"goroutine 1 [sleep]:\nmain.f()\n\ta.go:1\n\n"),
    ],
    "instruments": [
        Shape("distinct names", lambda i: b"1 ms\t1 ms\t \tf%d\n" % i, b"Weight\tSelf Weight\t\tSymbol Name\n"),
        Shape("levels", lambda i: b"1 ms\t1 ms\t \t%sf\n" % (b" " * (i % 50)), b"Weight\tSelf Weight\t\tSymbol Name\n"),
        Shape("callers of callees", lambda i: b"1 ms\t0 s\t \t%sf%d\n" % (b" " * (1 + i % 50), i),
              b"Weight\tSelf Weight\t\tSymbol Name\n9 ms\t9 ms\t \tf\n"),
        Shape("sums", lambda i: b"1 MB 1%%\t1\t \t%sf%d\n" % (b" " * (i % 9), i), b"Bytes Used\tCount\t\tSymbol Name\n"),
    ],
    "java-exceptions": [
        Shape("distinct names", lambda i: b"a.BException\n\tat a.B.f%d(B.java:1)\n\tat a.B.main(B.java:2)\n" % i),
        Shape("a deep stack", lambda i: b"\tat a.B.f%d(B.java:1)\n" % i, b"a.BException\n"),
        Shape("causes", lambda i: b"Caused by: a.CException\n\tat a.C.f(C.java:%d)\n\t... 1 more\n" % i,
              b"a.BException\n\tat a.B.f(B.java:1)\n"),
    ],
    "jstack": [
        Shape("distinct names", lambda i: b'"w" #1 tid=0x01 nid=0x02 runnable\n   java.lang.Thread.State: RUNNABLE\n'
                                          b"\tat a.B.f%d(B.java:1)\n\n" % i),
        Shape("a deep stack", lambda i: b"\tat a.B.f%d(B.java:1)\n" % i, b'"w" #1 tid=0x01 nid=0x02 runnable\n'),
        Shape("text after a thread", b"0x01 object\n", b'"w" #1 tid=0x01 nid=0x02 runnable\n\tat a.B.f(B.java:1)\n\n'),
        Shape("threads of a javacore", lambda i: b'3XMTHREADINFO      "w" J9VMThread:0x01, state:R, prio=5\n'
                                                 b"4XESTACKTRACE                at a/B.f(B.java:%d)\n" % i),
    ],
    "ljp": [
        Shape("distinct names", lambda i: b" 1 2  f%d(p.java:1)\n      main(p.java:2)\n" % i),
        Shape("a deep stack", lambda i: b"      f%d(p.java:1)\n" % i, b" 1 2  f(p.java:1)\n"),
    ],
    "lldb": [
        Shape("frames on one line", lambda i: b"    frame #%d: 0x02 a`g%d" % (i + 1, i), b"thread #1\n  frame #0: 0x01 f"),
        Shape("distinct names", lambda i: b"* thread #1, name = 'a'\n  * frame #0: 0x01 a`f%d(n=1) + 5 at a.c:1\n" % i),
        Shape("a deep stack", lambda i: b"    frame #%d: 0x01 a`f%d + 5\n" % (i + 1, i), b"thread #1:\n"),
        Shape("brackets", b"(", b"thread #1:\n    frame #0: 0x01 a`f", b")\n"),
        Shape("notes", b" [opt]", b"thread #1:\n    frame #0: 0x01 a`f", b")\n"),
        Shape("places", b" at ", b"thread #1:\n    frame #0: 0x01 a`f", spread=2),
    ],
    "austin": [
        Shape("distinct names", lambda i: b"P1;T2;a.py:f%d:1 5,0,7\n" % i, b"# austin: 3\n"),
        Shape("a deep stack", lambda i: b";a.py:f%d:1" % i, b"# austin: 3\nP1;T2", b" 5\n"),
    ],
    "du": [
        Shape("distinct names", lambda i: b"4\t./f%d\n" % i),
        Shape("folders", lambda i: b"4\t./f%d/g\n5\t./f%d\n" % (i, i)),
        Shape("a deep path", b"/f", b"4\t.", b"\n"),
    ],
    "timehist": [
        Shape("distinct names", lambda i: b" 1.%06d [0001] app[7] 1.000 0.500 2.000 f%d <- main\n" % (i, i), b"time cpu sch delay run time\n"),
        Shape("tasks", lambda i: b" 1.%06d [0001] app[%d] 1.000 0.500 2.000 f <- main\n" % (i, i), b"time cpu sch delay run time\n"),
        Shape("brackets", b"]", b" 1.0 [0001] app", b" 1.000\n"),
        Shape("a deep stack", lambda i: b" <- f%d" % i, b" 1.0 [0001] app[7] 1.000 0.500 2.000 f", b"\n"),
    ],
    "perf-json": [
        Shape("distinct names", lambda i: b'{"comm":"a","callchain":[{"symbol":"f%d"}]},' % i, b'{"linux-perf-json-version":1,"samples":['),
        Shape("a deep stack", lambda i: b'{"symbol":"f%d"},' % i, b'{"linux-perf-json-version":1,"samples":[{"callchain":['),
    ],
    "gprof2dot": [
        Shape("functions", lambda i: b'{"name":"f%d"},' % i, b'{"costs":[{"description":"n"}],"functions":['),
        Shape("events", lambda i: b'{"callchain":[0,1,%d],"cost":[1]},' % (i % 2),
              b'{"costs":[{"description":"n"}],"functions":[{"name":"a"},{"name":"b"}],"events":['),
    ],
    "pstats": [
        Shape("distinct names", lambda i: python_row(i, b""), b"{", b"0"),
        Shape("a deep stack", lambda i: python_row(i, python_function(i - 1) + python_edge()), b"{", b"0"),
        Shape("calls of each other", lambda i: python_row(i % 97, python_function(i * 7919 % 97) + python_edge()),
              b"{", b"0"),
        Shape("references", b"r\0\0\0\0" + b"r\1\0\0\0", b"{\xa9\3\xfa\1ai\1\0\0\0\xfa\1f" + python_row(1, b"")[8:-2]),
        Shape("callers of a function", lambda i: python_function(i) + python_edge(), b"{" + python_row(1, b"")[:-1], b"00"),
    ],
    "pstack": [
        Shape("distinct names", lambda i: b" feed1234 f%d (3) + 15\n" % i, b"7: demo\n"),
        Shape("threads", b"----- thread 5 -----\n feed1234 f (3) + 15\n", b"7: demo\n"),
    ],
    "simpleperf-text": [
        Shape("distinct names", lambda i: b"sample:\n  event_type: c\n  event_count: 1\n  file: /a\n  symbol: f%d\n" % i),
        Shape("events", lambda i: b"sample:\n  event_type: c%d\n  event_count: 1\n  file: /a\n  symbol: f\n" % (i % 9)),
        Shape("a deep stack", lambda i: b"    file: /a\n    symbol: f%d\n" % i, b"sample:\n"),
    ],
    "massif": [
        Shape("distinct names", lambda i: b" n0: 1 0x01: f%d (a.c:1)\n" % i,
              b"time_unit: i\nheap_tree=peak\nn9: 1000000000 (heap allocation functions) malloc\n"),
        Shape("a deep stack", lambda i: b"%sn1: 1 0x01: f (a.c:1)\n" % (b" " * (i % 60)), b"heap_tree=peak\n"),
        Shape("snapshots", b"#-----------\nheap_tree=detailed\nn0: 5 0x01: f (a.c:1)\n"),
    ],
    "heaptrack": [
        Shape("distinct names", lambda i: b"s %x f%d\ni %x 0 %x\nt %x 0\na 8 %x\n+ %x\n" % (
            len("f%d" % i), i, i, i + 1, i + 1, i + 1, i), b"v 10400 3\nX a\n"),
        Shape("nested traces", lambda i: b"t 1 %x\na 8 %x\n+ %x\n" % (i, i + 1, i),
              b"v 10400 3\nX a\ns 1 f\ni 400 0 1\n", spread=2),
        Shape("memory that comes and goes", b"+ 0\n+ 0\n- 0\n- 0\n",
              b"v 10400 3\nX a\ns 1 f\ni 400 0 1\nt 1 0\na 8 1\n"),
        Shape("peaks", lambda i: b"a %x 1\n+ %x\n" % (i, i), b"v 10400 3\nX a\ns 1 f\ni 400 0 1\nt 1 0\n"),
        Shape("suppressions", lambda i: b"S leak:f%d*\ns 3 foo\n" % i, b"v 10400 3\nX a\n"),
        Shape("an inlined function over and over", b" 1 0 0", b"v 10400 3\nX a\ns 1 f\ni 400 0 1"),
    ],
    "pmc": [
        Shape("rows on one line", lambda i: b"  1.0%%  [1]  f%d" % i, b"@ c [1 samples]\n100.0%  [900000]  main"),
        Shape("distinct names", lambda i: b"1.00%%  [1]  f%d\n 100.0%%  [1]  main\n" % i, b"@ cycles [9 samples]\n"),
        Shape("a deep stack", lambda i: b"%s100.0%%  [1]  f\n" % (b" " * (i % 60)), b"@ cycles [9 samples]\n"),
        Shape("rows that are left out", b" 100.0%  [9]  f\n", b"@ cycles [9 samples]\n1.00%  [1]  f\n"),
        Shape("events", lambda i: b"@ cycles%d [1 samples]\n100.0%%  [1]  f\n" % (i % 40)),
    ],
    "stap": [
        Shape("distinct names", lambda i: b"0x01 : f%d+0x1/0x2 [m]\n0x02 : main+0x1/0x2 [m]\n3\n" % i),
        Shape("a deep stack", lambda i: b"0x01 : f%d+0x1/0x2 [m]\n" % i, b"", b"3\n"),
    ],
    "simpleperf": [
        Shape("samples", lambda i: simpleperf_record(1, [(1, i), (2, 5), *[(3, message([(2, 0), (3, i % 9)]))] * 9]),
              SIMPLEPERF),
        Shape("files", lambda i: simpleperf_record(3, [(1, i), (2, b"/a.so"), (3, b"f%d" % i)]) +
              simpleperf_record(1, [(3, message([(2, i), (3, 0)]))]), SIMPLEPERF),
        Shape("threads", lambda i: simpleperf_record(4, [(1, i), (2, 5), (3, b"t%d" % i)]), SIMPLEPERF),
        Shape("records without contents", struct.pack("<I", 1) + b"\0", SIMPLEPERF),
    ],
    "perf-trace": [
        Shape("distinct calls", lambda i: b"   %d.000 ( 0.001 ms): sh/%d call_%d(fd: 3) = 0\n" % (i, i, i)),
        Shape("a deep stack", lambda i: b" " * 39 + b"f%d (/a.so)\n" % i, b"   1.000 ( 0.001 ms): sh/1 read() = 0\n"),
        Shape("rows", lambda i: b"   call_%d 3 1 0.100 0.010 0.020 0.030 1.00%%\n" % i, b" sh (1), 9 events\n\n"),
        Shape("tables", lambda i: b" sh %d (%d), 9 events\n\n   read 3 1 0.100 0.010 0.020 0.030 1.00%%\n\n" % (i, i)),
        Shape("events on one line", lambda i: b"   %d.000 ( 0.001 ms): sh/1 read() = 0 " % i),
        Shape("brackets on one line", b"(): "),
        Shape("counts on one line", b"1 events ", b" sh, "),
    ],
    "rbspy": [
        Shape("distinct frames", lambda i: b'{"trace":[{"name":"f%d","relative_path":"a.rb","lineno":%d}],"pid":%d}\n' % (i, i, i), b"rbspy02\n"),
        Shape("a deep stack", lambda i: b'{"name":"f%d"},' % i, b'rbspy02\n{"trace":['),
        Shape("nested lists", b"[", b'rbspy02\n{"trace":'),
    ],
    "strace": [
        Shape("distinct calls", lambda i: b"call_%d(1) = 0\n > /a.so(f%d+0x1) [0x1]\n" % (i, i)),
        Shape("a deep stack", lambda i: b" > /a.so(f%d+0x1) [0x1]\n" % i, b"read(1) = 0\n"),
        Shape("threads", lambda i: b"[pid %d] read(1) = 0 <0.1>\n > /a.so(f+0x1) [0x1]\n" % i),
    ],
    "wcp": [
        Shape("distinct names", lambda i: b" 1.0%% = (1 sample)\n 1: f%d   (at a.c:1)\n 2: main   (at a.c:2)\n\n" % i),
        Shape("a deep stack", lambda i: b" %d: f%d   (at a.c:1)\n" % (i, i), b" 1.0% = (1 sample)\n"),
        Shape("text after a stack", b"text\n", b" 1.0% = (1 sample)\n 1: f\n\n"),
        Shape("frames on one line", lambda i: b"%d: f (at a.c:1);" % (i + 1), b" 1.0% = (1 sample)\n ", b"\n"),
        Shape("numbers of frames", lambda i: b" %d: f\n" % (i * 3), b" 1.0% = (1 sample)\n"),
    ],
    "folded": [
        Shape("distinct names", lambda i: b"f%d;g%d;h%d 1\n" % (i, i * 7, i * 13)),
        Shape("a deep stack", lambda i: b"f%d;" % i, b"", b"leaf 1\n"),
        Shape("a deep stack of one name", b"f;", b"", b"leaf 1\n"),
        Shape("deeper and deeper stacks of few names", lambda i: b"f;" * (i % 100) + b"f 1\n"),
        Shape("two counts", lambda i: b"a;b%d %d %d\n" % (i, i, i)),
        Shape("fractions", lambda i: b"a;b%d 0.%d\n" % (i, i)),
    ],
    "perf": [
        Shape("events without stacks or blank lines", EVENT),
        Shape("events of one frame without blank lines", EVENT + FRAME),
        Shape("events without stacks", EVENT + b"\n"),
        Shape("frames without events", FRAME),
        Shape("a deep stack", lambda i: b"\t    7f%010x f%d+0x10 (/lib/a.so)\n" % (i, i), EVENT, b"\n"),
        Shape("distinct names", lambda i: EVENT + b"\t    7f%010x f%d (/m%d)\n\n" % (i, i, i)),
        Shape("distinct processes",
              lambda i: b"prog%d %d 1.0: 1 cycles: \n%s\n" % (i, i, FRAME)),
        Shape("distinct events", lambda i: b"prog 1 1.0: 1 cycles%d: \n%s\n" % (i, FRAME)),
        Shape("inlined functions", b"a->", EVENT + b"\t    7f0000001000 ", b"b (/lib/a.so)\n\n"),
        *(Shape(f"switches of {name} threads, {options[0]}", unit, options=options)
          for options in (["off-cpu", "states"], ["wakeup"], ["wall-clock"])
          for name, unit in (("few", lambda i: switched_text(i, 2 + i % 50)),
                             ("many", lambda i: switched_text(i, i + 2)))),
        Shape("records of switches, wall-clock",
              lambda i: b"app %d [000] 0.%09d: PERF_RECORD_SWITCH %s\n" % (2 + i % 50, 10 * i, (
                  b"OUT preempt", b"IN         ", b"OUT        ")[i // 50 % 3]), options=["wall-clock"]),
        Shape("events with payloads", b"prog 1 [0] 1.0: sched:a: a=1 b=2 ==> c\n"),
        Shape("fields of a payload, weight-field", lambda i: b"f%d=%d " % (i, i), b"prog 1 [0] 1.0: sched:a: n=1 ",
              b"\n" + FRAME, options=["perf.weight-field=n"]),
        Shape("words of a payload, weight-field", b"n ", b"prog 1 [0] 1.0: sched:a: n=1 ", b"\n" + FRAME,
              options=["perf.weight-field=n"]),
        Shape("events with fields, weight-field", lambda i: b"prog 1 [0] 1.0: sched:a%d: n=%d\n%s\n" % (i, i, FRAME),
              options=["perf.event=all", "perf.weight-field=n"]),
    ],
    "bpftrace": [
        Shape("distinct names", lambda i: b"@[\n    f%d+1\n]: 1\n" % i),
        Shape("a deep stack", lambda i: b"    f%d+1\n" % i, b"@[\n", b"]: 1\n"),
        Shape("maps that do not end", b"@[\n    f+1\n"),
        Shape("keys of many parts", b"a, ", b"@[", b"b]: 1\n"),
        Shape("nested JSON arrays", b"[", b'{"type": "map", "data": {"@": '),
        Shape("nested JSON objects", b'{"a":', b'{"type": "map", "data": '),
    ],
    "bcc": [
        Shape("distinct names", lambda i: b"    f%d\n    -                app (1)\n        5\n\n" % i,
              b"Sampling\n\n"),
        Shape("a deep stack", lambda i: b"    f%d\n" % i, b"Sampling\n\n",
              b"    -                app (1)\n        5\n\n"),
        Shape("stacks without counts", b"    f\n    -                app (1)\n\n"),
    ],
    "dtrace": [
        Shape("distinct names", lambda i: b"  m`f%d+0x1\n  5\n\n" % i, b"\n\n\n"),
        Shape("a deep stack", lambda i: b"  m`f%d+0x1\n" % i, b"\n\n\n", b"  5\n\n"),
        Shape("arguments", b"a<b>(", b"\n\n\n  m`", b"\n  5\n\n"),
    ],
    "sample": [
        Shape("rows on one line", lambda i: b"      1 f%d  (in app) + 1  [0x2]" % i, b"Call graph:\n    900000 main"),
        Shape("deeper and deeper",
              lambda i: b"    " + b"+ " * (i % 200) + b"%d f%d  (in a) [0x1]\n" % (1000 - i % 200, i),
              b"Call graph:\n"),
    ],
    "xctrace": [
        Shape("mismatched tags", b'<row><sample-time id="1">1</sample-time></oops>', XCTRACE),
        Shape("broken rows", b"<row><<", XCTRACE),
        Shape("rows that do not end", b"<row>", XCTRACE),
        Shape("rows with backtraces that do not end", b'<row><backtrace><frame name="a"/></backtrace>', XCTRACE),
        Shape("a comment that does not end", b"<row>", XCTRACE + b"<!--"),
        Shape("a value that does not end", b"row ", XCTRACE + b'<row a="'),
        Shape("distinct ids",
              lambda i: b'<row><backtrace id="%d"><frame id="%d" name="f%d" addr="0x1"/></backtrace></row>'
              % (2 * i + 1, 2 * i + 2, i), XCTRACE),
        Shape("distinct ids that are no numbers",
              lambda i: b'<row><backtrace id="b%d"><frame id="f%d" name="f%d" addr="0x1"/></backtrace></row>'
              % (i, i, i), XCTRACE),
        Shape("a deep backtrace", lambda i: b'<frame id="%d" name="f%d" addr="0x1"/>' % (i + 2, i),
              XCTRACE + b'<row><backtrace id="1">', b"</backtrace></row></node></trace-query-result>"),
        Shape("attributes", lambda i: b' a%d="1"' % i, XCTRACE + b"<row><frame", b"/></row>"),
        Shape("documents", XCTRACE + b"</node></trace-query-result>"),
    ],
    "xdebug": [
        Shape("calls that do not end",
              lambda i: b"%d\t%d\t0\t0.%06d\t%d\tf%d\t1\t\t/a.php\t1\n" % (i + 1, i, i, i, i % 50),
              XDEBUG),
        Shape("calls in one line", b"    0.0001     1000   -> f() /a.php:1"),
        Shape("arrows in a call", b"a -> ", b"    0.0001     1000   -> f("),
        Shape("one call over and over",
              lambda i: (b"1\t%d\t0\t0.%06d\t%d\tf%d\t1\t\t/a.php\t1\n1\t%d\t1\t0.%06d\t%d\n"
                         % (i, 2 * i, i, i, i, 2 * i + 1, i)),
              XDEBUG),
    ],
    "ghcprof": [
        Shape("nested JSON arrays", b"["),
        Shape("nested JSON objects", b'{"children":'),
        Shape("nested children", b'{"id":1,"entries":1,"ticks":1,"alloc":1,"children":[',
              b'{"program":"a","cost_centres":[{"id":1,"label":"a","module":"m"}],"profile":'),
    ],
    "chrome-trace": [
        Shape("nested JSON arrays", b"[", b'{"traceEvents":'),
        Shape("events that do not end", lambda i: chrome_event(b"B", i, i), b"["),
        Shape("events that do not end, of one name", lambda i: chrome_event(b"B", 0, i), b"["),
        Shape("ends of other events", lambda i: chrome_event(b"E", i % 7, i),
              b"[" + b"".join(chrome_event(b"B", i % 5, -i) for i in range(300))),
        Shape("ends of outer events", lambda i: chrome_event(b"BE"[i % 2:i % 2 + 1], i % 2, i),
              b"[" + b"".join(chrome_event(b"B", 1, -i) for i in range(300))),
        Shape("ends without a name", b'{"ph":"E","pid":1,"tid":1,"ts":9},',
              b"[" + b"".join(chrome_event(b"B", 1, -i) for i in range(300))),
        Shape("events that overlap", lambda i: chrome_complete(i, i, 2), b"["),
        Shape("nested events", lambda i: chrome_complete(i % 9, i, 1 << 40), b"[", scale=1),
        Shape("events in descending order", lambda i: chrome_complete(i % 9, -i, 1), b"["),
        Shape("events at one time", lambda i: chrome_complete(i % 9, 5, 1), b"["),
        Shape("distinct names", lambda i: chrome_complete(i, 2 * i, 1), b"["),
        Shape("threads", lambda i: b'{"ph":"X","pid":1,"tid":%d,"ts":1,"dur":1,"name":"a"},' % i, b"["),
        Shape("operations", lambda i: b'{"ph":"b","pid":1,"id":%d,"ts":1,"name":"a"},' % i, b"["),
        Shape("profiles", lambda i: b'{"ph":"P","id":%d,"name":"Profile"},' % i, b"["),
        Shape("parts of a profile", b'{"ph":"P","id":1,"name":"ProfileChunk","args":{"data":{"cpuProfile":'
              b'{"nodes":[{"id":1,"callFrame":{"functionName":"f"}}],"samples":[1]},"timeDeltas":[1]}}},', b"["),
        Shape("a chain of stack frames", lambda i: b'"%d":{"name":"f","parent":%d},' % (i, i + 1),
              b'{"samples":[{"sf":1}],"stackFrames":{'),
    ],
    "cpuprofile": [
        Shape("nested JSON arrays", b"[", b'{"nodes":'),
        Shape("nested nodes", b'{"functionName":"a","hitCount":0,"children":[', b'{"head":'),
        Shape("a chain of nodes", lambda i: b'{"id":%d,"children":[%d]},' % (i, i + 1),
              b'{"samples":[1,1],"timeDeltas":[1,1],"nodes":['),
        Shape("a circle of nodes", lambda i: b'{"id":%d,"parent":%d},' % (i, i ^ 1), b'{"nodes":['),
        Shape("nodes with one id", b'{"id":1,"children":[1,1]},', b'{"nodes":['),
        Shape("samples", b"1,", b'{"nodes":[{"id":1}],"timeDeltas":[1,1],"samples":['),
        Shape("times", b"1,", b'{"nodes":[{"id":1}],"samples":[1,1],"timeDeltas":['),
        Shape("a sample with a long id", b"1", b'{"nodes":[{"id":1}],"timeDeltas":[1,1,1],"samples":[1,'),
    ],
    "firefox": [
        Shape("nested JSON arrays", b"[", b'{"meta":'),
        Shape("nested processes", b'{"processes":['),
        Shape("nested profiles", b'{"profile":'),
        Shape("processes without threads", b"{},", b'{"processes":['),
        Shape("empty threads", b'{"samples":{"stack":[]}},', b'{"threads":['),
        Shape("threads with the shared tables", b'{"samples":{"stack":[0,1]}},',
              FIREFOX + b',"threads":[', b"]}"),
        Shape("threads with tables of their own", firefox_thread, FIREFOX + b',"threads":[', b"]}"),
        Shape("threads in strings", b'"{}",', b'{"threads":['),
        Shape("samples", b"0,", FIREFOX + b',"threads":[{"samples":{"stack":['),
        Shape("rows of samples", b"[0,1],", FIREFOX +
              b',"threads":[{"samples":{"schema":{"stack":0,"time":1},"data":['),
        Shape("a chain of stacks", lambda i: b"[%d,0]," % i,
              FIREFOX + b',"threads":[{"samples":{"stack":[1000,999]},"stackTable":'
              b'{"schema":{"prefix":0,"frame":1},"data":[[null,0],'),
    ],
    "d3": [
        Shape("nested nodes", b'{"name":"a","value":1,"children":['),
        Shape("distinct names", lambda i: b'{"name":"f%d","value":1},' % i, b'{"name":"","children":['),
    ],
    "ftrace": [
        Shape("calls that do not end", lambda i: b" 0)               |%sf() {\n" % (b" " * (i % 300))),
        Shape("switches between threads", lambda i: b" 0)  a-%d  =>  a-%d\n" % (i, i + 1)),
        Shape("distinct processors", lambda i: b" %d)   1.000 us    |  f%d();\n" % (i, i)),
        Shape("functions with callers", lambda i: b" a-%d [000] 1.5: f%d <-g\n" % (i, i)),
        Shape("distinct events, weight-field", lambda i: b" a-%d [000] 1.5: e%d: n=%d\n" % (i, i, i),
              options=["ftrace.weight-field=n"]),
        Shape("a deep stack, weight-field", lambda i: b" => f%d\n" % i,
              b" a-1 [000] 1.5: e: n=1\n a-1 [000] 1.5: <stack trace>\n", options=["ftrace.weight-field=n"]),
    ],
    "heapprofile": [
        Shape("nested nodes", b'{"callFrame":{"functionName":"a"},"selfSize":0,"children":[',
              b'{"head":'),
        Shape("distinct names",
              lambda i: b'{"callFrame":{"functionName":"f%d"},"selfSize":1},' % i,
              b'{"head":{"children":['),
        Shape("samples", b'{"nodeId":1},', b'{"head":{"id":1},"samples":['),
    ],
    "pyinstrument": [
        Shape("nested nodes", b'{"function":"a","time":1,"children":[', b'{"sample_count":1,"root_frame":'),
        Shape("distinct names", lambda i: b'{"identifier":"f%d\\u0000a.py","time":1},' % i,
              b'{"sample_count":1,"root_frame":{"function":"a","children":['),
    ],
    "sleepy": [
        ArchivedShape("distinct symbols", "Symbols.txt", lambda i: b's%d "m" "f%d" "a.c" 1\n' % (i, i),
                      {"Callstacks.txt": "1 s1 s2\n"}),
        ArchivedShape("stacks", "Callstacks.txt", b"0.5 s s s\n", {"Symbols.txt": 's "m" "f" "a.c" 1\n'}),
        Shape("ends of archives", b"PK\5\6"),
    ],
    "austin-mojo": [
        Shape("distinct frames", lambda i: b"\x0b%cf%07d\0\3%c\0%c\1\2\1\x31\0\5%c\x09\1" % (i % 50 + 2, i, i % 50, i % 50 + 2, i % 50),
              b"MOJ\1\2\1\x31\0"),
        Shape("a deep stack", b"\5\1", b"MOJ\1\2\1\x31\0\3\1\0\1\1", b"\x09\1"),
        Shape("samples", b"\2\1\x31\0\5\1\x09\1", b"MOJ\1\2\1\x31\0\3\1\0\1\1"),
        Shape("a long text", b"f", b"MOJ\1\2\1\x31\0\x0b\2"),
        Shape("references to nothing", b"\5\2", b"MOJ\1\2\1\x31\0"),
        Shape("processes", lambda i: b"\2" + bytes([0x80 | i & 63, 0x80 | i >> 6 & 127, i >> 13 & 127]) + b"\x31\0\4\x09\1", b"MOJ\1"),
    ],
    "hprof": [
        Shape("distinct names", lambda i: b"TRACE %d:\n\ta.f%d(A.java:5)\nCPU SAMPLES BEGIN (total = 1)\n1 1.0%% 1.0%% 5 %d a.f\n" % (i, i, i),
              b"JAVA PROFILE 1.0.1\n"),
        Shape("a deep stack", lambda i: b"\ta.f%d(A.java:5)\n" % (i % 90), b"TRACE 1:\n",
              b"CPU SAMPLES BEGIN (total = 1)\n1 1.0% 1.0% 5 1 a.f\n"),
        Shape("traces that are missing", lambda i: b"1 1.0%% 1.0%% 5 %d a.f%d\n" % (i, i), b"CPU SAMPLES BEGIN (total = 1)\n"),
        Shape("tables of sites", lambda i: b"SITES BEGIN (ordered by live bytes)\n1 1.0%% 1.0%% 5 1 5 1 %d char[]\n" % (i % 9),
              b"JAVA PROFILE 1.0.1\n", b"1 1.0% 1.0% 5 1 5 1 1 char[]\n"),
        Shape("threads", lambda i: b'THREAD START (obj=1, id = %d, name="t%d", group="main")\n' % (i, i),
              b"JAVA PROFILE 1.0.1\n", b"CPU SAMPLES BEGIN (total = 1)\n1 1.0% 1.0% 5 1 a.f\n"),
        Shape("files", b"JAVA PROFILE 1.0.1\nTRACE 1:\n\ta.f(A.java:5)\nSITES BEGIN (ordered by live bytes)\n1 1.0% 1.0% 5 1 5 1 1 c\n"),
    ],
    "papyrus": [
        Shape("distinct names", lambda i: b"%d:PUSH:7:1:None:a..f%d\n%d:POP:7:1:None:a..f%d\n" % (i, i, i + 1, i), b"a log opened (PC)\n"),
        Shape("a deep stack", lambda i: b"%d:PUSH:7:1:None:a..f\n" % i, b"a log opened (PC)\n", spread=2),
        Shape("ends without a beginning", b"5:POP:7:1:None:a..g\n",
              b"a log opened (PC)\n" + b"".join(b"%d:PUSH:7:1:None:a..f\n" % i for i in range(900))),
        Shape("stacks", lambda i: b"%d:PUSH:%d:1:None:a..f\n" % (i, i), b"a log opened (PC)\n"),
        Shape("logs", b"a log opened (PC)\n5:PUSH:7:1:None:a..f\n9:PUSH:7:1:None:a..f\n"),
    ],
    "safari": [
        Shape("distinct names", lambda i: b'{"stackFrames":[{"name":"f%d"}]},' % i, b'{"recording":{"instrumentTypes":[],"sampleStackTraces":['),
        Shape("a deep stack", b'{"name":"f"},', b'{"recording":{"instrumentTypes":[],"sampleStackTraces":[{"stackFrames":[', b"{}]}]}}"),
        Shape("durations", b"0.25,", b'{"recording":{"sampleStackTraces":[{"stackFrames":[{"name":"f"}]}],"sampleDurations":['),
    ],
    "otel-coredump": [
        Shape("distinct names", lambda i: b'{"lwp":1,"frames":["f%d+1 in a.py:3"]},' % i, b'{"coredump-ref":"a","threads":['),
        Shape("a deep stack", b'"f+1 in a.py:3",', b'{"coredump-ref":"a","threads":[{"lwp":1,"frames":[',
              b'"g+1 in a.py:3"]}]}'),
        Shape("a long frame", b"+1 in ", b'{"coredump-ref":"a","threads":[{"lwp":1,"frames":["', b'"]}]}'),
    ],
    "v8log": [
        Shape("distinct codes", lambda i: b'{"name":"f%d","type":"CPP"},' % i, b'{"ticks":[{"s":[0,1]}],"code":['),
        Shape("ticks", lambda i: b'{"tm":%d,"vm":0,"s":[0,1,1,1]},' % i,
              b'{"code":[{"name":"f","type":"CPP"},{"name":"g","type":"JS","func":0}],"functions":[{"name":"g a.js:1:1"}],"ticks":['),
        Shape("a deep stack", b"0,1,", b'{"code":[{"name":"f","type":"CPP"}],"ticks":[{"s":[', b"0,1]}]}"),
        Shape("codes of one function", lambda i: b'{"name":"g","type":"JS","func":0},',
              b'{"functions":[{"name":"g a.js:1:1"}],"ticks":[{"s":[0,1]}],"code":['),
    ],
    "stackprof": [
        Shape("distinct frames", lambda i: b'"%d":{"name":"f%d"},' % (i, i), b'{"mode":"cpu","interval":1,"frames":{'),
        Shape("samples", lambda i: b"1,1,%d," % i, b'{"mode":"cpu","interval":1,"frames":{"1":{"name":"a"}},"raw":['),
        Shape("calls", lambda i: b'"%d":{"name":"f","samples":1,"edges":{"%d":1}},' % (i, i + 1),
              b'{"mode":"cpu","interval":1,"frames":{', b'"x":{}}}'),
        Shape("calls of one frame", lambda i: b'"%d":1,' % (i % 7),
              b'{"mode":"cpu","interval":1,"frames":{"1":{"name":"a","samples":1},"2":{"name":"b","edges":{', b'"1":1}}}}'),
        Shape("nested arrays of Ruby", b"[\6", b"\4\b{\6:\rmetadata"),
        Shape("symbols of Ruby", lambda i: b":\t%04x" % (i & 0xffff), b"\4\b{\x08:\tmodei\6:\x06m[\3\xff\xff\x0f"),
        Shape("links of Ruby", b"@\6", b"\4\b{\6:\x08raw[\3\xff\xff\x0f"),
        Shape("frames of Ruby", lambda i: b"i\3" + i.to_bytes(3, "little") + b"{\6:\tname\"\x09f%03x" % (i & 0xfff),
              b"\4\b{\7:\tmodei\6:\x0bframes{\3\xff\xff\x01"),
        Shape("unknown frames", lambda i: b"1,%d,1," % (i + 9),
              b'{"mode":"cpu","interval":1,"frames":{"1":{"name":"a"}},"raw":['),
    ],
    "speedscope": [
        Shape("nested JSON arrays", b"[", SPEEDSCOPE + b'[{"samples":'),
        Shape("nested JSON objects", b'{"a":', SPEEDSCOPE),
        Shape("distinct names", lambda i: b'{"name":"f%d"},' % i, b'{"shared":{"frames":['),
        Shape("samples", lambda i: b"[0,1],", SPEEDSCOPE + b'[{"weights":[1],"samples":[', b"[1]]}]}"),
        Shape("a deep stack", b"0,", SPEEDSCOPE + b'[{"weights":[1],"samples":[[', b"1]]}]}"),
        Shape("profiles", b'{"name":"a","unit":"none","samples":[[1]],"weights":[1]},',
              SPEEDSCOPE + b"["),
        Shape("frames that do not end", b'{"type":"O","frame":0,"at":0},',
              SPEEDSCOPE + b'[{"events":['),
        Shape("ends of frames that are not open", b'{"type":"C","frame":1,"at":0},',
              SPEEDSCOPE + b'[{"events":[' + b'{"type":"O","frame":0,"at":0},' * 500),
    ],
    "jfr": JFR,
    "measureme": MEASUREME,
    "perf-data": PERF_DATA,
    "java-threads": [
        Shape("distinct names", lambda i: b'{"tid":1,"stack":["a.f%d(A.java:3)"]},' % i, b'{"threadDump":{"threadContainers":[{"threads":['),
        Shape("a deep stack", b'"a.f(A.java:3)",', b'{"threadDump":{"threadContainers":[{"threads":[{"tid":1,"stack":[', b'"a.g(A.java:3)"]}]}]}}'),
        Shape("containers", b'{"threads":[{"tid":1,"stack":["a.f(A.java:3)"]}],"threadCount":"2"},', b'{"threadDump":{"threadContainers":['),
        Shape("a long frame", b"a.(", b'{"threadDump":{"threadContainers":[{"threads":[{"stack":["', b'"]}]}]}}'),
    ],
    "metrickit": [
        Shape("nested frames", lambda i: b'{"binaryName":"b%d","sampleCount":%d,"subFrames":[' % (i % 9, (1 << 40) - i),
              b'{"callStacks":[{"callStackRootFrames":['),
        Shape("distinct names", lambda i: b'{"binaryName":"b%d","sampleCount":1},' % i,
              b'{"callStacks":[{"callStackRootFrames":['),
        Shape("threads", b'{"callStackRootFrames":[{"binaryName":"b","subFrames":[{"binaryName":"c"}]}]},',
              b'{"callStackPerThread":true,"callStacks":['),
        Shape("a branched stack of a thread", b'{"binaryName":"b"},',
              b'{"callStackPerThread":true,"callStacks":[{"callStackRootFrames":[{"subFrames":['),
    ],
    "py-spy": [
        Shape("distinct names", lambda i: b'{"frames":[{"name":"f%d","filename":"a.py","line":%d}],"os_thread_id":%d},' % (i, i, i), b"["),
        Shape("a deep stack", lambda i: b'{"name":"f%d","filename":"a.py"},' % i, b'[{"frames":['),
        Shape("dumps", b'[{"frames":[{"name":"f","filename":"a.py"}],"os_thread_id":1}]\n'),
        Shape("nested values", b'{"locals":[', b'[{"frames":['),
    ],
    "flamebearer": [
        Shape("distinct names", lambda i: b'"f%d",' % i, b'{"flamebearer":{"levels":[[0,9,9,0]],"names":['),
        Shape("nodes of a level", b"0,1,1,1,", b'{"flamebearer":{"names":["total","a"],"levels":[[0,1000000000,0,0],[', b"0,1,1,1]]}}"),
        Shape("a deep stack", lambda i: b"[0,%d,1,1]," % ((1 << 40) - i), b'{"flamebearer":{"names":["total","a"],"levels":[[0,2000000000000,0,0],', b"[0,1,1,1]]}}"),
        Shape("nodes outside of others", b"0,1,1,1,", b'{"flamebearer":{"names":["total","a"],"levels":[[0,1,0,0],[', b"0,1,1,1]]}}"),
        Shape("two wide levels", lambda i: b"0,1,0,1,", b'{"flamebearer":{"names":["total","a"],"levels":[[' + b"0,1,0,1," * 900 + b"0,1,0,1],[", b"0,1,1,1]]}}"),
        Shape("damaged nodes", b'"x",', b'{"flamebearer":{"names":["total","a"],"levels":[[0,9,9,0],['),
    ],
    "svg": [
        Shape("frames beside each other", lambda i: svg_frame(i, 10 + i, 1, 100), b"<svg>" + svg_frame("all", 10, 1 << 30, 116), b"</svg>"),
        Shape("a deep stack", lambda i: svg_frame(i, 10, (1 << 30) - i, i * 16), b"<svg>", b"</svg>"),
        Shape("frames in one place", lambda i: svg_frame(i, 10, 100, 100), b"<svg>" + svg_frame("all", 10, 1 << 30, 132) + svg_frame("a", 10, 200, 116) * 400, b"</svg>"),
        Shape("rows of frames in one place", lambda i: svg_frame(i, 10, 100, i % 2 * 16), b"<svg>", b"</svg>"),
        Shape("frames in none of the row below", lambda i: svg_frame(i, 500 + i, 1, 100), b"<svg>" + svg_frame("all", 10, 20, 116), b"</svg>"),
        Shape("titles without an end", b"<g><title>", b"<svg>"),
        Shape("tags without an end", b"<rect x=", b"<svg>"),
        Shape("quotes without an end", b"<rect x='\">", b"<svg>"),
        Shape("entities", b"&amp;&x", b"<svg><g><title>", b"(1 samples, 1%)</title><rect x='1' y='1' width='1'/></g></svg>"),
        Shape("declarations", b"<!-- - ", b"<svg>"),
        Shape("brazier's records", b"?@AB", b"<svg><metadata id='about'/><metadata class='tree'>AAA", b"</metadata><metadata class='names'>all\na\nb</metadata></svg>"),
        Shape("brazier's names", lambda i: b"a%d\n" % i, b"<svg><metadata id='about'/><metadata class='tree'>@?A</metadata><metadata class='names'>", b"</metadata></svg>"),
        Shape("brazier's elements", b"<metadata class='tree'>PAA</metadata>", b"<svg><metadata id='about'/><metadata class='tree'>@?A</metadata>", b"</svg>"),
    ],
    "html": [
        Shape("calls beside each other", lambda i: b"n(%d,1)\n" % (i * 8 + 1), PAGE_OF_KEYS + b"u(1,1)\n", b"</script>"),
        Shape("a deep stack", lambda i: b"u(1,%d)\n" % ((1 << 40) - i), PAGE_OF_KEYS, b"</script>"),
        Shape("names", lambda i: b",'!%d'\n" % i, PAGE_OF_KEYS.split(b"]")[0], b"];\nn(1,1)\n</script>"),
        Shape("damaged calls", b"f(1,9,x)\n", PAGE_OF_KEYS, b"</script>"),
        Shape("scripts", b"<script>{\"c\":1}</script>", b"<html>"),
        Shape("objects that are no call tree", b"{\"a\":{\"b\":1}},", b"<html><script>\"children\"", b"</script>"),
        Shape("objects without an end", b"{\"a\":", b"<html><script>\"children\"", b"</script>"),
        Shape("items of a list", lambda i: b"<li><div>[0] 1%% 5</div><span class='t1'>a%d</span>\n" % i, b"<html><ul>", b"</ul>"),
        Shape("items that are none", b"<li><div>1%</div>", b"<html><ul>", b"</ul>"),
        Shape("nested lists", lambda i: b"<li><div>1%% %d</div><span class='t1'>a</span><ul>" % ((1 << 40) - i), b"<html><ul>"),
        Shape("brazier's calls", b" ", b"<html><script type=\"application/json\" id=\"profile\">{\"weights\":[{\"name\":\"a\"}],\"texts\":[\"\",\"b\"],\"frames\":{\"name\":\"!\"},\"selves\":[\"!!!\"],\"calls\":{\"frame\":\"    \",\"up\":\"", b"\"}}</script>"),
    ],
    "perf-report": [
        Shape("rows", lambda i: b"     0.01%%  a        a              [.] f%d\n" % i, PERF_REPORT),
        Shape("rows with graphs", lambda i: b"     0.01%%  a        a              [.] f%d\n            |\n            ---f%d\n               main\n\n" % (i, i), PERF_REPORT),
        Shape("a chain", lambda i: b"               f%d\n" % i, PERF_REPORT_ROW + b"            ---f\n"),
        Shape("branches", lambda i: b"               |--0.01%%--f%d\n" % i, PERF_REPORT_ROW + b"            ---f\n"),
        Shape("branches of -g folded", lambda i: b"0.01%% f;g%d\n" % i, PERF_REPORT_ROW),
        Shape("a chain of -g folded", b"g;", PERF_REPORT_ROW + b"0.01% f;"),
        Shape("bars", b"|", PERF_REPORT_ROW),
        Shape("headings", b"# Samples: 1  of event 'a'\n# Overhead  Symbol\n# ........  ........\n"),
    ],
    "v8log-text": [
        Shape("functions", lambda i: b"      1    0.0%%    0.0%%  JS: *f%d /a.js:1:1\n" % i, V8LOG_TEXT + b" [JavaScript]:\n   ticks  total  nonlib   name\n"),
        Shape("functions with callers", lambda i: b"      1    0.0%%  JS: *f%d /a.js:1:1\n      1  100.0%%    JS: *g /a.js:1:1\n" % i, V8LOG_BOTTOM_UP),
        Shape("callers of a function", lambda i: b"      1    0.0%%    JS: *f%d /a.js:1:1\n" % i, V8LOG_BOTTOM_UP + b"9000000  100.0%  UNKNOWN\n"),
        Shape("callers of callers", lambda i: b"      1  100.0%%%s  f%d\n" % (b"  " * (i % 100), i), V8LOG_BOTTOM_UP),
        Shape("a long blank", b" ", V8LOG_BOTTOM_UP + b"      1  100.0%", b"f\n"),
        Shape("texts", V8LOG_TEXT),
    ],
    "art-trace": [
        Shape("calls", lambda i: art_event(1, 1, 0, 2 * i) + art_event(1, 1, 1, 2 * i + 1), ART_TRACE),
        Shape("nested calls", lambda i: art_event(1, 1, 0, i), ART_TRACE),
        Shape("nested calls of distinct methods", lambda i: art_event(1, i, 0, i), ART_TRACE),
        Shape("ends of distinct methods", lambda i: art_event(1, i, 1, i), ART_TRACE),
        Shape("ends of calls that are not open", lambda i: art_event(1, i + 2, 1, i), ART_TRACE + art_event(1, 1, 0, 0)),
        Shape("distinct threads", lambda i: art_event(i, 1, 0, i) + art_event(i, 1, 1, i + 1), ART_TRACE),
        Shape("alternating threads", lambda i: art_event(i % 64, i % 7, i // 64 % 2, i), ART_TRACE),
        Shape("threads in the text", lambda i: b"%d\tthread %d\n" % (i, i), b"*version\n3\n*threads\n"),
        Shape("methods in the text", lambda i: b"0x%x\tA\tf%d\n" % (4 * i, i), b"*version\n3\n*methods\n"),
        Shape("a long line", b"a", b"*version\n3\n*methods\n"),
    ],
    "nettrace": [
        Shape("samples", lambda i: nettrace_block("EventBlock", NETTRACE_SAMPLE + b"\0\1\0\0\0" * 40), NETTRACE),
        Shape("blocks of one sample", lambda i: nettrace_block("EventBlock", NETTRACE_SAMPLE), NETTRACE),
        Shape("a long block of samples", b"\0\1", NETTRACE + nettrace_block("EventBlock", NETTRACE_SAMPLE, 1 << 30)),
        Shape("distinct threads", lambda i: nettrace_block("EventBlock", b"\x8f\1\0" + varint(i) + b"\0" + varint(i) +
                                                           b"\1\0\4\2\0\0\0"), NETTRACE),
        Shape("distinct stacks", lambda i: nettrace_block("StackBlock", struct.pack("<IIIQ", i, 1, 8, i)) +
              nettrace_block("EventBlock", b"\x89\1" + varint(i) + b"\0\4\2\0\0\0"), NETTRACE),
        Shape("methods in descending order", lambda i: nettrace_block("EventBlock", b"\x81\2\0\x80\1" +
                                                                      nettrace.method((1 << 40) - 16 * i, 16, "A", "f%d" % i).ljust(128, b"\0")), NETTRACE),
        Shape("descriptions", lambda i: nettrace_block("MetadataBlock", b"\x80\0\x26" + nettrace.description(i, "A", 1)[:38].ljust(38, b"\0")), NETTRACE),
        Shape("sequence points", nettrace_block("SPBlock", bytes(12)), NETTRACE),
        Shape("a long name", b"a\0", NETTRACE + nettrace_block("EventBlock", b"\x81\2\0\x80\x80\x80\x40" + bytes(40), 1 << 30)),
    ],
    "perfetto": [
        Shape("samples", lambda i: perfetto_packet((8, i), (66, message([(1, i % 9), (2, 17), (3, 21), (4, 1), (6, 9 * i)]))), PERFETTO),
        Shape("samples of many processors and threads",
              lambda i: perfetto_packet((8, i), (66, message([(1, i), (2, i), (3, i), (4, 1), (6, 9 * i)]))), PERFETTO),
        Shape("distinct stacks", lambda i: perfetto_table(7, i + 9, [(2, 1), (2, i % 2 + 1)], (66, message([(4, i + 9)]))), PERFETTO),
        Shape("distinct frames", lambda i: perfetto_table(5, i + 9, [(2, b"f%d" % i)]) + perfetto_table(6, i + 9, [(2, i + 9)]) +
              perfetto_table(7, i + 9, [(2, i + 9)], (66, message([(4, i + 9)]))), PERFETTO),
        Shape("long stacks", lambda i: perfetto_table(7, i + 9, [(2, [1, 2] * 100 + [1 + i % 2])], (66, message([(4, i + 9)]))), PERFETTO),
        Shape("generations", lambda i: field(1, message([(10, 1), (13, 1), (12, field(5, message([(1, 1), (2, b"f")])))])), PERFETTO),
        Shape("sequences", lambda i: field(1, message([(10, i), (8, i), (13, 1)])), PERFETTO),
        Shape("samples of Chrome", lambda i: perfetto_packet((54, message([(1, [1] * 20), (2, [5] * 20)]))), PERFETTO),
        Shape("counters of samples", lambda i: perfetto_packet((135, message([(6, 1), (9, field(2, b"c%d" % i)), (11, 5)]))), PERFETTO),
        Shape("stacks in samples", lambda i: perfetto_packet((135, message([(5, field(1, field(1, b"f%d" % i)))]))), PERFETTO),
        Shape("allocations of one stack", lambda i: perfetto_heap(i, last=False), PERFETTO),
        Shape("heap profiles", perfetto_heap, PERFETTO),
        Shape("heaps", lambda i: perfetto_packet((37, message([(5, message([(1, i), (2, message([(1, 1), (2, 5)]))]))]))), PERFETTO),
        Shape("events within each other", lambda i: perfetto_event(1, i, (11, 2), (23, b"f%d" % (i % 9))), PERFETTO),
        Shape("events of many tracks", lambda i: perfetto_event(i % 2 + 1, i, (11, 99 + i // 2), (23, b"f%d" % i)), PERFETTO),
        Shape("ends of events that are not open", lambda i: perfetto_event(2, i, (11, 2), (23, b"f%d" % i)), PERFETTO),
        Shape("operations", lambda i: perfetto_packet((8, i), (11, message([(23, b"f"), (6, message([(2, 98), (11, i), (7, b"s%d" % i)]))]))), PERFETTO),
        Shape("tracks", lambda i: field(1, field(60, message([(1, i + 9), (5, i + 8), (4, message([(1, i), (2, i), (5, b"t")]))]))), PERFETTO),
        Shape("snapshots of clocks", lambda i: field(1, message([(10, i), (6, field(1, message([(1, 64 + i % 64), (2, i), (3, 1)])))])), PERFETTO),
        Shape("symbols", lambda i: field(1, field(61, message([(1, b"/lib/%d" % i), (3, message([(1, i), (2, field(1, b"f"))]))]))), PERFETTO),
        Shape("original names", lambda i: field(1, field(64, message([(1, b"p%d" % (i % 99)), (3, message([(1, b"a%d" % i), (2, b"b"),
                                                                                                       (4, message([(1, b"c"), (2, b"d")]))]))]))), PERFETTO),
        Shape("original names of a class", lambda i: field(1, field(64, field(3, message(
            [(1, b"a" * 300), (2, b"b")] + [(4, message([(1, b"c%d" % (40 * i + m)), (2, b"d")])) for m in range(40)])))), PERFETTO),
        Shape("calls of atrace", lambda i: field(1, field(1, field(2, perfetto.print_event(i, i % 9, "B|17|f%d" % i)))), PERFETTO),
        Shape("damaged packets", field(1, b"\x50\x01\x92"), PERFETTO),
    ],
    "otlp": [
        Shape("one sample over and over", lambda i: otlp_sample([(1, 1), (4, [1])]), OTLP),
        Shape("samples with distinct attributes",
              lambda i: field(2, field(6, message([(1, i % 9), (2, message([(3, i)]))]))) + otlp_sample([(1, 1), (2, [i, 1, 1]), (4, [1])]), OTLP),
        Shape("distinct stacks", lambda i: field(2, field(7, message([(1, [1, 2, 3] * (i % 9))]))) + otlp_sample([(1, i), (4, [1])]), OTLP),
        Shape("distinct names", lambda i: field(2, field(5, b"f%d" % i) + field(3, message([(1, i + 5)])) + field(2, message([(3, message([(1, i + 3)]))])) +
                                                field(7, message([(1, [i + 3])]))) + otlp_sample([(1, i + 2), (4, [1])]), OTLP),
        Shape("a long list of times", lambda i: b"\1" * 8, OTLP + b"\x0a\x90\x80\x80\x01\x12\x8b\x80\x80\x01\x12\x86\x80\x80\x01\x12\x81\x80\x80\x01\x08\x01\x2a\xfb\xff\xff\x00"),
        Shape("types of values", lambda i: field(2, field(5, b"t%d" % i)) + otlp_profile(field(1, message([(1, i + 5), (2, 1)]))), OTLP),
        Shape("resources", lambda i: field(1, field(1, field(1, message([(1, b"k%d" % i), (2, field(1, b"v"))]))) + field(2, b"")), OTLP),
        Shape("framed messages", lambda i: len(OTLP).to_bytes(4, "big") + OTLP),
        Shape("samples in JSON", b'{"values":["1"],"timestampsUnixNano":["5"]},', OTLP_JSON, b"]}]}]}" + OTLP_TABLES),
        Shape("keys in JSON", b'"a_b":1,', b'{"resourceProfiles":[],'),
        Shape("nested values in JSON", b'{"arrayValue":{"values":[', b'{"resourceProfiles":[{"scopeProfiles":[{"profiles":[{"attributeIndices":[0],"samples":[{"values":[1]}]}]}]}],"dictionary":{"attributeTable":[{"value":'),
        Shape("lines of JSON", b'{"resourceProfiles":[]}\n'),
        Shape("damaged lines of JSON", b'{"resourceProfiles":]}\n'),
        Shape("a name that many locations of JSON refer to", b'{"lines":[{"functionIndex":0}]},',
              b'{"dictionary":{"stringTable":["' + b"a" * 4000 + b'"],"functionTable":[{"nameStrindex":0}],"locationTable":['),
    ],
    "pprof": [
        Shape("names of a thread on one line", lambda i: b"  0x%x: f%d" % (i + 9, i),
              b"--- threadz 1 ---\n--- Thread 7 (name: a/1) stack: ---\n  PC:"),
        Shape("one sample over and over", pprof_sample, PPROF),
        Shape("distinct names", pprof_texts, PPROF),
        Shape("text profiles one after another", lambda i: b"goroutine profile: total 1\n1 @ 0x%x\n" % (i + 16)),
        Shape("text profiles of distinct names", lambda i: b"p%d profile: total 1\n1 @ 0x10\n" % i),
        Shape("ids that are addresses", pprof_locations, PPROF),
        Shape("first lines and columns that cancel out", pprof_positions, PPROF),
        Shape("old text with distinct addresses", lambda i: b"1: 8 [1: 8] @ 0x%x 0x%x\n" % (i + 2, i + 1),
              OLD_HEAP),
        Shape("old text with symbols in descending order",
              lambda i: b"#\t0x%x\tf%d+0x1\tm.go:%d\n" % ((1 << 40) - i, i, i), OLD_HEAP),
        Shape("old text with mappings in descending order",
              lambda i: b"  %x-%x: m%d\n" % ((1 << 40) - 16 * i, (1 << 40) - 16 * i + 8, i),
              OLD_HEAP + b"1: 8 [1: 8] @ 0x10\n--- Memory map: ---\n"),
        Shape("threads with the stack of a deep one",
              b"--- Thread 1 (name: a/1) stack: ---\n  [same as previous thread]\n",
              b"--- Thread 1 (name: a/1) stack: ---\n  PC:" + b" 0x10" * 4000 + b"\n"),
        Shape("old samples of the processor", lambda i: struct.pack("<5Q", 1, 3, i + 1, 32 + i % 2, i),
              struct.pack("<5Q", 0, 3, 0, 10000, 0)),
    ],
    "vtune": [],
    "vsprof": [],
    # The collapser of the test of this test: shapes with options grow too fast.
    "quadratic": [
        Shape("lines", LINE),
        Shape("the rest of the input for each line", LINE, options=["walk"]),
        Shape("the rest of the input for each line, with vectors", LINE, options=["search"]),
    ],
    "recursive": [],
    "lines": [
        Shape("distinct names", lambda i: b"main;f%d 1\n" % i),
        Shape("a deep stack", lambda i: b"f%d;" % i, back=b"g 1\n"),
        Shape("blanks in front of a weight", b" ", b"main", b"1\n"),
        Shape("words that could be weights", b" 1", b"main", b" x\n"),
        Shape("finer weights", lambda i: b"main 0.%0*d\n" % (1 + i % 9, 1)),
    ],
    "blocks": [
        Shape("distinct names", lambda i: b"thread\n f%d\n main\n" % i),
        Shape("a deep stack", lambda i: b" f%d\n" % i, b"thread\n"),
        Shape("frames without a beginning", b" f\n"),
        Shape("beginnings without frames", lambda i: b"thread %d\n" % i),
        Shape("a block without an end", lambda i: b" f%d\n" % i, options=["blocks.begin=", "blocks.end=^=$"]),
        Shape("ends without frames", lambda i: b"= %d\n" % i, options=["blocks.begin=", "blocks.end=^= (?<weight>.*)$"]),
        Shape("blank lines between stacks", lambda i: b" f%d\n\n\n" % i, options=["blocks.begin=", "blocks.end=^$"]),
    ],
    "indented": [
        Shape("distinct names", lambda i: b"main 1\n f%d 1\n" % i),
        Shape("rows up and down", lambda i: b" " * (i % 40) + b"f%d 1\n" % i),
        Shape("finer weights", lambda i: b" f 0.%0*d\n" % (1 + i % 9, 1), b"main 1\n"),
        Shape("rows without a weight", b" f\n", b"main 1\n"),
    ],
    "calls": [
        Shape("distinct names", lambda i: b"%d -> f%d\n%d <- f%d\n" % (i, i, i, i)),
        Shape("ends without a beginning", lambda i: b"%d <- g\n" % i, b"0 -> f\n"),
        Shape("ends of the outer call", lambda i: b"%d -> f\n%d -> g\n%d <- f\n" % (i, i, i)),
    ],
}


def speedscope_event(i):
    return b'{"type":"O","frame":%d,"at":%d},' % (i % 2, i)


# Nested calls, each of which takes time of its own: as many stacks as calls, each with the frames of the one
# before it and one more. The outputs write no more than a line per function or per call.
NESTED = {
    "chrome-trace": [
        Shape("nested events without an end", lambda i: chrome_event(b"B", i % 9, i), b"["),
        Shape("nested events that end in the wrong order",
              lambda i: chrome_event(b"B", i, 2 * i) + chrome_event(b"E", i - 1, 2 * i + 1), b"["),
        Shape("nested complete events", lambda i: chrome_complete(i % 9, i, (1 << 40) - 2 * i), b"["),
        Shape("nested complete events that overlap", lambda i: chrome_complete(i % 9, i, 1 << 40), b"["),
        Shape("calls beside nested events",
              lambda i: chrome_event(b"B", i % 9, 3 * i) + (chrome_complete(9, 3 * i + 1, 1) if i < 99 else b""), b"["),
    ],
    "speedscope": [Shape("nested frames without an end", speedscope_event, SPEEDSCOPE + b'[{"events":[')],
    "xdebug": [Shape("nested calls without an end",
                     lambda i: b"%d\t%d\t0\t0.%06d\t%d\tf%d\t1\t\t/a.php\t1\n" % (i + 1, i, i, i, i % 9), XDEBUG)],
    "ftrace": [Shape("nested calls without an end", lambda i: b" 0)               |%sf() {\n" % (b" " * i))],
    "measureme": [Shape("nested intervals", lambda i: rustc_event((1 << 40) - i, (1 << 40) + i), RUSTC_START)],
    "d3": [Shape("nested nodes with values of their own",
                 lambda i: b'{"name":"f%d","value":%d,"children":[' % (i % 9, (1 << 40) - i))],
    "pyinstrument": [Shape("nested nodes with time of their own",
                           lambda i: b'{"function":"f%d","time":%d,"children":[' % (i % 9, (1 << 30) - i),
                           b'{"sample_count":1,"root_frame":')],
    "heapprofile": [Shape("nested nodes with sizes of their own",
                          lambda i: b'{"callFrame":{"functionName":"f%d"},"selfSize":1,"children":[' % (i % 9), b'{"head":')],
    "cpuprofile": [Shape("nested nodes with hits of their own",
                         lambda i: b'{"functionName":"f%d","hitCount":1,"children":[' % (i % 9), b'{"head":'),
                   Shape("a chain of nodes with hits of their own",
                         lambda i: b'{"id":%d,"callFrame":{"functionName":"f%d"},"hitCount":1,"children":[%d]},' % (i, i % 9, i + 1),
                         b'{"nodes":[')],
    "ghcprof": [Shape("nested children with ticks of their own", b'{"id":1,"entries":1,"ticks":1,"alloc":1,"children":[',
                      b'{"program":"a","cost_centres":[{"id":1,"label":"a","module":"m"}],"profile":')],
}
for shapes in NESTED.values():
    for nested in shapes:
        nested.to = "table"


def of_profiles():
    """Yields shapes for transforms, and for outputs."""
    wide = lambda i: b"main;f%d;g%d 1\n" % (i % 300, i)
    deep, deep_one = (lambda i: b"f%d;" % i), b"f;"
    recursion = lambda i: b"a;b;" * 20 + b"c%d 1\n" % i
    transforms = [("keep", "f1"), ("drop", "f1"), ("hide", "f1"), ("base", "f1"), ("reverse",),
                  ("skip-after", "f1"), ("merge-recursion",), ("rename", "f(.)", "g\\1"), ("strip-module",),
                  ("split-packages",)]
    for words in transforms:
        name = "--" + " ".join(words)
        yield Shape(f"{name}: distinct names", wide, words=words)
        yield Shape(f"{name}: a deep stack", deep, back=b"leaf 1\n", words=words)
        yield Shape(f"{name}: recursion", recursion, words=words)
        yield Shape(f"{name}: one name, deep", deep_one, back=b"leaf 1\n", words=words)
    for words in [("keep", "f3"), ("keep", "x"), ("drop", "x"), ("rename", "f(.)", "g\\1"), ("strip-module",), ("hide", "f3"),
                  ("skip-after", "x"), ("base", "x"), ("merge-recursion",), ("split-packages",)]:
        yield Shape(f"--{' '.join(words)}: nested calls", lambda i: chrome_event(b"B", i % 9, i), b"[", to="table",
                    source="chrome-trace", scale=6, words=words)
    yield Shape("--group-by thread: nested calls", lambda i: chrome_event(b"B", i % 9, i), b"[", to="table",
                source="chrome-trace", scale=6, options=["group-by=thread"])
    yield Shape("nested calls of mangled names", lambda i: chrome_event(b"B", i % 9, i).replace(b'"f', b'"_ZN1a1fEv.'), b"[", to="table",
                source="chrome-trace", scale=6)
    for to in ("svg", "html", "json", "firefox", "chrome-trace", "cpuprofile", "callgrind", "markdown", "table", "term"):
        yield Shape(f"{to}: nested calls", lambda i: chrome_event(b"B", i, i), b"[", to=to, source="chrome-trace")
    for to in ("svg", "html", "json", "speedscope", "firefox", "pprof", "chrome-trace", "cpuprofile",
               "callgrind", "markdown", "table", "term"):
        yield Shape(f"{to}: distinct names", wide, to=to)
        yield Shape(f"{to}: distinct roots", lambda i: b"f%d 1\n" % i, to=to)
        yield Shape(f"{to}: a deep stack", deep, back=b"leaf 1\n", to=to)
        yield Shape(f"{to}: one name, deep", deep_one, back=b"leaf 1\n", to=to)
        yield Shape(f"{to}: recursion", recursion, to=to)


# Formats that share the reading of blocks with gdb or jstack, of lines with pmc or of JSON with speedscope, which take the
# shapes of any format.
ALIKE = {"aix", "blocks", "calls", "indented", "lines", "austin", "austin-mojo", "callgrind", "d3", "du", "eu-stack", "faulthandler", "flamebearer", "ftrace", "go", "go-trace-text", "goroutine", "gprof2dot", "heaptrack", "hprof", "instruments",
         "java-exceptions", "java-threads", "lldb", "ljp", "massif", "metrickit", "otel-coredump", "papyrus", "perf-json", "perf-report", "perf-trace", "pstack", "pstats", "py-spy", "pyinstrument", "rbspy", "safari", "simpleperf-text", "sleepy", "stackprof", "stap", "timehist", "v8log", "v8log-text", "wcp"}


def shapes_of(what, full):
    if what == "profiles":
        yield from some_of(list(of_profiles()), 3)  # of each transform and each output, other ones
        return
    if what == GUESS:
        yield from of_any_format(full)
        return
    thorough = full or os.environ.get("BRAZIER_GROWTH") == "all"
    if what != SELF_TEST and (thorough or what not in ALIKE):
        yield from of_any_format(full) if thorough else some_of_any_format(what)
    own = OWN.get(what, [])
    for shape in some_of([*own, *NESTED.get(what, [])], 1 if what == SELF_TEST else 6):
        shape.scale = 6
        yield shape
    runs = RUNS + MORE_RUNS if full else RUNS[::2]
    if not thorough and own:
        return
    for path in samples(what):
        yield from of_sample(path, runs, most=12 if full else 4)
        runs = runs if full else ()


# ---- measuring -----------------------------------------------------------------------------------

class Result:
    """The bytes read and written of a shape, and the blocks or instructions, by size."""

    def __init__(self, tool, bytes_, counts):
        self.tool, self.bytes, self.counts = tool, bytes_, counts

    def excess(self):
        """Returns the growth of work against that of bytes: 1 if linear, 2 if quadratic."""
        counts, bytes_, cheap = self.counts, self.bytes, CHEAP[self.tool]
        more, most = counts[1] - counts[0], counts[2] - counts[1]
        read_more, read_most = bytes_[1] - bytes_[0], bytes_[2] - bytes_[1]
        if most < cheap * read_most:
            return 0
        return most / max(more, cheap * read_more) / (read_most / read_more)

    def is_too_fast(self):
        return self.excess() > TOLERANCE


def names_of(what):
    """Returns the names of a format and of the collapser that it uses, if it is YAML."""
    path = ROOT / f"formats/{what}.yaml"
    if not path.exists():
        return [what]
    return [what, re.search("(?m)^use: (.*)", path.read_text())[1]]


class Meter:
    """A process that measures shapes. It translates code only once for all of them, of any format. The tool of valgrind
    is "none", which counts blocks, or "cachegrind", which counts instructions, at the end of a process."""

    def __init__(self, program, plugin=None, tool="none"):
        self.tool = tool
        self.program = program
        self.top = tempfile.TemporaryDirectory(prefix="brazier-growth-")
        self.folder = pathlib.Path(self.top.name)
        self.read = {}  # bytes of the logs that were read
        # The library of expressions writes machine code where that of another format was: valgrind looks whether code
        # is still the same that it has translated. Code of files does not change.
        self.process = subprocess.Popen(
            ["valgrind", *self.tool_words(), "--run-libc-freeres=no", "--smc-check=all-non-file", program,
             *(["--fork"] if tool == "cachegrind" else []), *([plugin] if plugin else [])],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env={**os.environ, "LD_BIND_NOW": "1", "MALLOC_MMAP_THRESHOLD_": "16384", "GLIBC_TUNABLES": TUNABLES})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()
        self.top.cleanup()

    def tool_words(self):
        if self.tool == "cachegrind":
            return ["-q", "--tool=cachegrind", "--cache-sim=no",
                    f"--cachegrind-out-file={self.folder}/count.%p"]
        return ["--tool=none", "--stats=yes", "--vex-iropt-unroll-thresh=0",
                f"--log-file={self.folder}/count.%p"]

    def counts(self, process):
        """Returns the numbers of blocks or instructions that a process has reported since the last call."""
        with open(self.folder / f"count.{process}") as log:
            log.seek(self.read.get(process, 0))
            lines = log.readlines()
            self.read[process] = log.tell()
        return [int(re.sub(r"^summary:|.* scheduler:|,|event checks.*", "", line))
                for line in lines if line.startswith("summary:") or "event checks" in line]

    def costs(self, jobs):
        """Returns what the runs of each job have cost, of which there are these marks: see measure.c."""
        if jobs[0][0].startswith("#"):
            counts = self.counts(self.process.pid)
            return [[counts[2 * n + 1] - counts[2 * n] for n in (int(mark[1:]) for mark in marks[1:])]
                    for marks in jobs]
        ends = [[self.counts(process)[-1] for process in marks] for marks in jobs]
        return [[n - idle for n in counts] for idle, *counts in ends]

    def job(self, number, source, shape, size):
        """Writes the inputs of a shape. Returns their sizes, and the line for the process."""
        inputs = [shape.of(size) for size in shape.sizes(size)]
        paths = [self.folder / f"{number}-{i}" for i in range(len(inputs))]
        for path, data in zip(paths, inputs):
            path.write_bytes(data)
        words = [",".join([shape.source or source, *shape.options]), shape.to, str(len(inputs) - 1), *map(str, paths)]
        return [len(data) for data in inputs[1:]], "\t".join([*words, *shape.words]) + "\n"

    def measure(self, what, shapes, size):
        """Returns a result for each shape."""
        source, config = "folded" if what == "profiles" else what, "version: 1\n"
        if what not in ("profiles", GUESS):
            outputs = sorted({shape.to for shape in shapes} - {"folded"})
            config = f"{{version: 1, allow: [{', '.join([*names_of(what), 'folded@folded-output', *outputs])}]}}\n"
        jobs = [self.job(number, source, shape, size) for number, shape in enumerate(shapes)]
        self.process.stdin.write(config + "".join(line for _, line in jobs) + "\n")
        self.process.stdin.flush()
        answers = []
        for read, _ in jobs:
            words = self.process.stdout.readline().split()
            if len(words) != 2 * len(read) + 2:
                sys.exit(f"{what}: {self.program} ended with {self.process.wait()}, after {len(answers)} of "
                         f"{len(shapes)} shapes: {words}")
            written, marks = map(int, words[2::2]), words[1::2]
            answers.append(([a + b for a, b in zip(read, written)], marks))
        self.process.stdout.readline()
        return [Result(self.tool, bytes_, costs)
                for (bytes_, _), costs in zip(answers, self.costs([marks for _, marks in answers]))]


def verdicts(meter, what, shapes, size):
    """Measures shapes; those that are small or seem to grow too fast again, with larger sizes."""
    results = meter.measure(what, shapes, size)
    larger = LARGER_TO_GUESS if what == GUESS else LARGER

    def measure_again(which, factor):
        if not which:
            return
        again = meter.measure(what, [shapes[i] for i in which], factor * size)
        for i, result in zip(which, again):
            results[i] = result

    def too_fast():
        return [i for i, result in enumerate(results) if result.is_too_fast()]

    small = [i for i, result in enumerate(results) if shapes[i].scale == 1 and
             result.counts[2] - result.counts[1] < SMALL * result.counts[0]]
    measure_again(sorted({*small, *(i for i in too_fast() if shapes[i].scale == 1)}), larger[0])
    measure_again([i for i in too_fast() if shapes[i].scale == 1], larger[1])
    measure_again([i for i in too_fast() if shapes[i].scale != 1], 1.5)
    return results


def measure_all(arguments, shapes):
    """Returns the results of the shapes of each format, in instructions for those that grow too fast in
    blocks."""
    with Meter(arguments.program, arguments.plugin) as meter:
        results = {what: verdicts(meter, what, shapes[what], arguments.size) for what in shapes}
    doubtful = {what: [i for i, result in enumerate(results[what]) if result.is_too_fast()] for what in shapes}
    if not any(doubtful.values()):
        return results
    with Meter(arguments.program, arguments.plugin, tool="cachegrind") as meter:
        for what, which in doubtful.items():
            again = verdicts(meter, what, [shapes[what][i] for i in which], arguments.size) if which else []
            for i, result in zip(which, again):
                results[what][i] = result
    return results


def report(what, shapes, results, show):
    """Prints the shapes of a format that grow too fast, or all. Returns whether the verdicts are right."""
    for shape, result in zip(shapes, results):
        if show or result.is_too_fast():
            unit = "instructions" if result.tool == "cachegrind" else "blocks"
            print(f"{result.excess():5.2f}  {result.counts[2] / result.bytes[2]:8.1f} per byte  "
                  f"{what}: {shape.name}: {unit} {result.counts}, bytes {result.bytes}")
    bad = sum(result.is_too_fast() for result in results)
    print(f"{what}: {len(shapes)} shapes, {bad} grow too fast")
    if what != SELF_TEST:
        return bad == 0
    missed = [shape.name for shape, result in zip(shapes, results)
              if result.is_too_fast() != bool(shape.options)]
    if missed:
        print(f"{what}: wrong verdicts: {missed}")
    return not missed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("what", nargs="+")
    parser.add_argument("--size", type=int, default=8_000)
    parser.add_argument("--only", default="")
    parser.add_argument("--full", action="store_true", help="more shapes than a test has time for")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--plugin", help="a plug-in that has the collapser")
    arguments = parser.parse_args()
    if shutil.which("valgrind") is None or os.environ.get("BRAZIER_SANITIZE"):
        print("skipped: there is no valgrind, or the program has a sanitizer, which valgrind cannot run")
        sys.exit(SKIPPED)
    shapes = {what: [s for s in shapes_of(what, arguments.full) if arguments.only in s.name]
              for what in arguments.what}
    results = measure_all(arguments, shapes)
    right = [report(what, shapes[what], results[what], arguments.show) for what in shapes]
    sys.exit(0 if all(right) else 1)


if __name__ == "__main__":
    main()
