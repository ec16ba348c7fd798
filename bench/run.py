#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures brazier against yardsticks, and prints a table.

Absolute times on a shared machine are meaningless: each figure is the median ratio of two programs
that run in turns. Inputs are generated from the shipped recording.

usage: run.py --build DIR [--rounds N] [--quick] [--recordings DIR] [ROW...]     (rows by their short names)
"""
import argparse
import gzip
import json
import os
import pathlib
import random
import resource
import shutil
import statistics
import struct
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))
from cost.cost import count_faults, count_instructions_and_calls  # noqa: E402
from lib import go_trace, jfr, measureme, nettrace, otlp, perf_data, perfetto  # noqa: E402
from lib.pprof import Profile, field, message  # noqa: E402
NULL = subprocess.DEVNULL
FOLDED = "--from", "folded", "--to", "folded"
# Jobs on recordings: name, command, files, targets in millions of instructions and in page faults.
RECORDED = (
    ("recorded-perf", ("collapse", "perf"), ("perf-mix.txt",), 175, 700),
    ("recorded-svg", ("flamegraph",), ("folded-80k.txt",), 100, 1900),
    ("recorded-diff", ("diff", *FOLDED), ("folded-80k.txt", "folded-80k-b.txt"), 60, 225),
    ("recorded-merge", ("merge", *FOLDED), ("folded-80k.txt", "folded-80k-b.txt"), 60, 225),
)


class Bench:
    def __init__(self, build, rounds, quick, recordings):
        self.build = pathlib.Path(build).resolve()
        self.rounds = rounds
        self.scale = 10 if quick else 1
        self.recordings = recordings
        self.program = self.build / "bin" / "brazier"
        self.data = self.build / "bench" / "data"
        self.data.mkdir(parents=True, exist_ok=True)
        self.rows = []
        self.environment = {**os.environ, "HOME": str(self.data), "XDG_CONFIG_HOME": "",
                            "XDG_DATA_HOME": ""}

    # ---- inputs ----

    def tool(self, name):
        return str(self.build / "bench" / f"bench_{name}")

    def recording(self):
        path = self.data / "recording.txt"
        if not path.exists():
            packed = ROOT / "demo" / "node-typescript.perf.txt.gz"
            path.write_bytes(gzip.decompress(packed.read_bytes()))
        return path

    def generated(self, how, amount, tool="generate"):
        amount //= self.scale
        path = self.data / f"{how}-{amount}"
        if not path.exists():
            part = path.with_suffix(".part")
            with open(part, "wb") as out:
                subprocess.run([self.tool(tool), how, self.recording(), str(amount)],
                               stdout=out, check=True)
            part.rename(path)
        return str(path)

    def sorted_tree(self, frames):
        """Returns the path of folded lines in the order that collapsers write."""
        path = pathlib.Path(self.generated("tree", frames) + ".sorted")
        if not path.exists():
            lines = pathlib.Path(self.generated("tree", frames)).read_bytes().splitlines(True)
            path.write_bytes(b"".join(sorted(lines)))
        return str(path)

    def profile(self, functions, stacks, samples):
        """Returns the path of a pprof profile: stacks of 30 frames, in random order."""
        samples //= self.scale
        path = self.data / f"pprof-{samples}"
        if path.exists():
            return str(path)
        p, chance = Profile(("samples", "count"), ("cpu", "nanoseconds")), random.Random(1)
        for i in range(1, functions + 1):
            p.function(i, f"function_{i}", "file.c", i)
            p.location(i, [(i, i)])
        some = [field(2, message([(1, [chance.randint(1, functions) for _ in range(30)]),
                                  (2, [1, 10_000_000])])) for _ in range(stacks)]
        path.write_bytes(p.bytes() + b"".join(chance.choices(some, k=samples)))
        return str(path)

    def otlp_profile(self, functions, stacks, samples):
        """Returns the path of a profile of OpenTelemetry: stacks of 30 frames, samples in random order."""
        samples //= self.scale
        path = self.data / f"otlp-{samples}"
        if path.exists():
            return str(path)
        t, chance = otlp.Tables(), random.Random(1)
        t.functions += [{"name": i, "file": 0, "line": i, "system": 0} for i in range(1, functions + 1)]
        t.texts += [f"function_{i}" for i in range(1, functions + 1)]
        t.locations += [{"lines": [(i, i)], "mapping": None, "address": 0, "attributes": []} for i in range(1, functions + 1)]
        t.stacks += [[chance.randint(1, functions) for _ in range(30)] for _ in range(stacks)]
        d, p = otlp.Data(t), otlp.Profile(t, ("cpu", "nanoseconds"))
        d.resource({"service.name": "shop"}, p)
        some = [field(2, message([(1, i), (4, [10_000_000])])) for i in range(1, stacks + 1)]
        p.bytes = lambda version: otlp.Profile.bytes(p, version) + b"".join(chance.choices(some, k=samples))
        path.write_bytes(d.bytes())
        return str(path)

    def event_pipe(self, samples):
        """Returns the path of a trace of .NET: stacks of 30 frames, in random order."""
        samples //= self.scale
        path = self.data / f"nettrace-{samples}"
        if path.exists():
            return str(path)
        t, chance = nettrace.Trace(), random.Random(1)
        t.metadata((1, nettrace.SAMPLES, 0), (2, nettrace.RUNDOWN, 144))
        t.events([(2, nettrace.method(i * 256, 256, "App.Program", f"Method{i}"), {}) for i in range(1, 3001)])
        t.stacks(1, *[[chance.randint(1, 3000) * 256 + 9 for _ in range(30)] for _ in range(20_000)])
        for first in range(0, samples, 4000):
            t.events([(1, b"\2\0\0\0", {"stack": chance.randint(1, 20_000), "time": 1000 + 1_000_000 * (first + i), "thread": 21 + i % 8})
                      for i in range(4000)])
        path.write_bytes(t.bytes())
        return str(path)

    def execution_trace(self, waits):
        """Returns the path of a trace of Go: four threads, whose goroutines wait with stacks of 30 frames."""
        waits //= self.scale
        path = self.data / f"go-trace-{waits}"
        if path.exists():
            return str(path)
        t, chance = go_trace.Trace(), random.Random(1)
        stacks = [t.stack(*[f"main.function{chance.randint(1, 3000)}" for _ in range(30)]) for _ in range(2000)]
        reason = t.texts["chan receive"]
        for thread in range(4):
            t.events(thread, (go_trace.STATUS, 1, thread + 1, thread, go_trace.RUNNING))
            for first in range(0, waits // 4, 4000):
                t.events(thread, *[e for i in range(first, first + 4000) for e in (
                    (go_trace.BLOCK, 20, reason, chance.choice(stacks)), (go_trace.UNBLOCK, 30, thread + 1, 2 * i + 1, 0),
                    (go_trace.START, 10, thread + 1, 2 * i + 2))], time=100 + 60 * first)
        t.end()
        path.write_bytes(t.bytes())
        return str(path)

    def perfetto_samples(self, samples):
        """Returns the path of a trace of Perfetto: stacks of 30 frames, in random order."""
        samples //= self.scale
        path = self.data / f"perfetto-{samples}"
        if path.exists():
            return str(path)
        t, chance = perfetto.Trace(), random.Random(1)
        t.tables[1] = [(5, message([(1, i), (2, f"app::function{i}".encode())])) for i in range(1, 3001)]
        t.tables[1] += [(6, message([(1, i), (2, i)])) for i in range(1, 3001)]
        t.tables[1] += [(7, message([(1, i), (2, [chance.randint(1, 3000) for _ in range(30)])])) for i in range(1, 20_001)]
        t.begin(defaults=perfetto.perf_defaults(1))
        for i in range(samples):
            t.perf(chance.randint(1, 20_000), 1000 * i, 1000 * i, cpu=i % 8, tid=21 + i % 8)
        path.write_bytes(t.bytes())
        return str(path)

    def level_graph(self, nodes):
        """Returns the path of a flame graph of Pyroscope: 30 levels, each node with one caller."""
        width = nodes // self.scale // 30
        path = self.data / f"flamebearer-{width}"
        if not path.exists():
            chance, total = random.Random(1), 100 * width
            levels = [[0, total, 0, 0]] + [[x for _ in range(width) for x in (0, 100, 100 * (level == 29), chance.randint(1, 3000))]
                                           for level in range(30)]
            names = ["total"] + [f"package.function_{i}" for i in range(3000)]
            path.write_text(json.dumps({"flamebearer": {"names": names, "levels": levels, "numTicks": total},
                                        "metadata": {"format": "single", "units": "samples", "sampleRate": 100}}))
        return str(path)

    def thread_dump(self, threads):
        """Returns the path of a thread dump of Java in JSON: stacks of 20 frames."""
        threads //= self.scale
        path = self.data / f"java-threads-{threads}"
        if not path.exists():
            chance = random.Random(1)
            stacks = [[f"java.base/demo.Part{i}.run(Part{i}.java:{i})" for i in chance.choices(range(1, 500), k=20)] for _ in range(1000)]
            some = [{"tid": str(i), "name": f"worker-{i}", "stack": chance.choice(stacks)} for i in range(threads)]
            path.write_text(json.dumps({"threadDump": {"processId": "1", "threadContainers": [
                {"container": "<root>", "threads": some, "threadCount": str(threads)}]}}))
        return str(path)

    def self_profile(self, events):
        """Returns the path of a self-profile of rustc: intervals up to 8 deep, of two names at each depth."""
        events //= self.scale
        path = self.data / f"measureme-{events}"
        if path.exists():
            return str(path)
        p, chance, time, begun = measureme.Profile(), random.Random(1), 0, []
        kind, ids = p.known("Query"), [p.known(f"query_{i}") for i in range(16)]
        made = bytearray()
        while len(made) < 32 * events:
            time += chance.randint(1, 50)
            if len(begun) < 8 and chance.random() < 0.5 or not begun:
                begun.append(time)
                continue
            first = begun.pop()
            made += struct.pack("<QQIIII", kind, ids[2 * len(begun) + chance.randrange(2)], 1, first & 0xffffffff,
                                time & 0xffffffff, first >> 32 << 16 | time >> 32)
        p.add(measureme.EVENTS, bytes(made))
        path.write_bytes(p.file())
        return str(path)

    def java_recording(self, chunks):
        """Returns the path of a recording of Java, whose chunks have 20,000 samples of 500 stacks."""
        path = self.data / f"jfr-{chunks}"
        if path.exists():
            return str(path)
        c, chance = jfr.Chunk(), random.Random(1)
        threads = [c.thread(f"worker-{i}", 100 + i, f"worker-{i}") for i in range(16)]
        frames = [f"demo/Part{i}.run{i % 7}:{i} JIT compiled" for i in range(200)]
        stacks = [c.stack(*chance.choices(frames, k=chance.randint(5, 40))) for _ in range(500)]
        state = c.state("STATE_RUNNABLE")
        for i in range(20_000):
            c.event("jdk.ExecutionSample", startTime=5000 + 1000 * i, sampledThread=chance.choice(threads),
                    stackTrace=chance.choice(stacks), state=state)
        path.write_bytes(c.bytes() * chunks)
        return str(path)

    def distinct(self, stacks, part=0):
        """Returns the path of sorted folded lines with distinct stacks. Parts differ in every 20th
        line and in their counts."""
        path = pathlib.Path(self.generated("distinct", stacks) + f".sorted{part}")
        if not path.exists():
            lines = pathlib.Path(self.generated("distinct", stacks)).read_bytes().splitlines(True)
            counts = {line.rsplit(b" ", 1)[0]: int(line.rsplit(b" ", 1)[1]) for line in lines}
            path.write_bytes(b"".join(
                b"%s %d\n" % (stack, counts[stack] + part)
                for i, stack in enumerate(sorted(counts)) if part == 0 or i % 20 != part % 20))
        return str(path)

    def sample_of(self, stacks, n, part):
        """Returns the path of sorted folded lines: a sample of distinct stacks, each part another one."""
        path = self.data / f"sample-{stacks}-{n}.{part}"
        if not path.exists():
            lines = pathlib.Path(self.distinct(stacks)).read_bytes().splitlines(True)
            path.write_bytes(b"".join(lines[i] for i in sorted(random.Random(part).sample(range(len(lines)), n))))
        return str(path)

    # ---- measuring ----

    def seconds(self, args, **more):
        start = time.perf_counter()
        subprocess.run(args, stdout=NULL, stderr=NULL, check=True, env=self.environment, **more)
        return time.perf_counter() - start

    def ratio(self, ours, yardstick, rounds=None):
        """Returns the median of ours / yardstick, run in turns, and the median time of ours."""
        self.seconds(ours), self.seconds(yardstick)
        pairs = [(self.seconds(ours), self.seconds(yardstick))
                 for _ in range(rounds or self.rounds)]
        return statistics.median(a / b for a, b in pairs), statistics.median(a for a, _ in pairs)

    def processor_seconds(self, args):
        """Returns the processor time of a command and of the commands that it starts."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.seconds(args)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def processor_ratio(self, ours, yardstick, rounds):
        """Returns the median ratio of processor times, run in turns: other load changes it less."""
        return statistics.median(self.processor_seconds(ours) / self.processor_seconds(yardstick)
                                 for _ in range(rounds))

    def fold(self, *args):
        return [str(self.program), "-q", "--no-config", "collapse", *args, "-o", "/dev/null"]

    def row(self, name, what, value, target, unit="x", better="at most", note=""):
        good = value <= target if better == "at most" else value >= target
        self.rows.append((name, what, f"{value:.2f} {unit}", f"{better} {target:g} {unit}",
                          "" if good else "MISSED", note))
        print(f"  {name}: {value:.2f} {unit}", file=sys.stderr)

    # ---- rows ----

    def perf(self):
        path = self.generated("repeat", 200_000_000)
        value, seconds = self.ratio(self.fold("perf", "-j1", path), [self.tool("memchr"), path])
        self.row("perf", "fold perf text, 1 thread, against memchr per line", value, 2.0,
                 note=f"{os.path.getsize(path) / seconds / 1e9:.2f} GB/s")

    def perf_unique(self):
        path = self.generated("unique", 200_000_000)
        value, seconds = self.ratio(self.fold("perf", "-j1", path), [self.tool("memchr"), path])
        self.row("perf-unique", "the same, hardly any repeated stacks", value, 3.5,
                 note=f"{os.path.getsize(path) / seconds / 1e9:.2f} GB/s")

    def threads(self):
        path = self.generated("repeat", 500_000_000)
        value, _ = self.ratio(self.fold("perf", "-j1", path), self.fold("perf", "-j2", path))
        self.row("threads", "fold 500 MB of perf text: 1 thread against 2", value, 1.5,
                 better="at least")

    def pipe(self):
        path = self.generated("repeat", 200_000_000)
        piped = ["sh", "-c", 'cat "$1" | "$0" -q --no-config collapse perf -j1 -o /dev/null',
                 str(self.program), path]
        value, _ = self.ratio(piped, self.fold("perf", "-j1", path))
        self.row("pipe", "fold from a pipe against from a file, 1 thread", value, 2.0,
                 note="a pipe delivers some 2 GB/s at best")

    def compressed(self):
        path = self.generated("repeat", 200_000_000)
        packed = path + ".zst"
        if not os.path.exists(packed):
            subprocess.run(["zstd", "-q", "-3", path, "-o", packed], check=True)
        value, _ = self.ratio(self.fold("perf", "-j1", packed), self.fold("perf", "-j1", path))
        self.row("zstd", "fold zstd-compressed text against plain", value, 2.0)

    def text(self, name, how, target, tool="generate"):
        """Folds 200 MB of a format with one thread, against memchr per line."""
        path = self.generated(how, 200_000_000, tool)
        value, seconds = self.ratio(self.fold(name, "-j1", path), [self.tool("memchr"), path])
        self.row(name if name == how else f"{name}-{how}",
                 f"fold {name} text, 1 thread, against memchr per line", value, target,
                 note=f"{os.path.getsize(path) / seconds / 1e9:.2f} GB/s")

    def stacks(self):
        self.text("folded", "stacks", 3.5)

    def dtrace(self):
        self.text("dtrace", "dtrace", 3.5)

    def sample(self):
        self.text("sample", "sample", 8)

    def ghcprof(self):
        self.text("ghcprof", "ghcprof", 8)

    def gdb(self):
        self.text("gdb", "gdb", 8)

    def jstack(self):
        self.text("jstack", "jstack", 8)

    def massif(self):
        self.text("massif", "massif", 8)

    def callgrind(self):
        self.text("callgrind", "callgrind", 8)

    def pprof(self):
        path = self.profile(3000, 5000, 600_000)
        value, seconds = self.ratio(self.fold("pprof", "-j1", path), [self.tool("memchr"), path])
        self.row("pprof", "fold a pprof profile, 1 thread, against memchr per line", value, 7,
                 note=f"{os.path.getsize(path) / seconds / 1e9:.2f} GB/s, half a frame per byte")

    def otlp(self):
        path = self.otlp_profile(3000, 50_000, 2_000_000)
        value, seconds = self.ratio(self.fold("otlp", path), [self.tool("memchr"), path])
        self.row("otlp", "fold an OpenTelemetry profile, against memchr per line", value, 16,
                 note=f"{os.path.getsize(path) / seconds / 1e9:.2f} GB/s, a sample per 12 bytes")

    def nettrace(self):
        path = self.event_pipe(1_000_000)
        value, seconds = self.ratio(self.fold("nettrace", path), [self.tool("memchr"), path])
        self.row("nettrace", "fold a trace of .NET, against memchr per line", value, 36,
                 note=f"{os.path.getsize(path) / seconds / 1e9:.2f} GB/s, a sample per 20 bytes")

    def go_trace(self):
        path = self.execution_trace(1_000_000)
        value, seconds = self.ratio(self.fold("go-trace", path), [self.tool("memchr"), path])
        self.row("go-trace", "fold an execution trace of Go, against memchr per line", value, 22,
                 note=f"{os.path.getsize(path) / seconds / 1e6:.0f} MB/s, three events of 14 bytes for each wait")

    def perfetto(self):
        path = self.perfetto_samples(1_000_000)
        value, seconds = self.ratio(self.fold("perfetto", path), [self.tool("memchr"), path])
        self.row("perfetto", "fold a trace of Perfetto, against memchr per line", value, 20,
                 note=f"{os.path.getsize(path) / seconds / 1e9:.2f} GB/s, a sample per 40 bytes")

    def flamebearer(self):
        path = self.level_graph(1_000_000)
        value, seconds = self.ratio(self.fold("flamebearer", path), [self.tool("memchr"), path])
        self.row("flamebearer", "fold a flame graph of Pyroscope, against memchr per line", value, 100,
                 note=f"{os.path.getsize(path) / seconds / 1e9:.2f} GB/s, a frame per 16 bytes")

    def java_threads(self):
        path = self.thread_dump(50_000)
        value, seconds = self.ratio(self.fold("java-threads", path), [self.tool("memchr"), path])
        self.row("java-threads", "fold a thread dump of Java in JSON, against memchr per line", value, 40,
                 note=f"{os.path.getsize(path) / seconds / 1e9:.2f} GB/s")

    def measureme(self):
        path = self.self_profile(2_000_000)
        value, seconds = self.ratio(self.fold("measureme", path), [self.tool("memchr"), path])
        self.row("measureme", "fold a self-profile of rustc, against memchr per line", value, 22,
                 note=f"{os.path.getsize(path) / seconds / 1e9:.2f} GB/s, an event per 32 bytes")

    def jfr(self):
        path = self.java_recording(100)
        value, seconds = self.ratio(self.fold("jfr", path), [self.tool("memchr"), path])
        self.row("jfr", "fold a recording of Java, against memchr per line", value, 80,
                 note=f"{os.path.getsize(path) / seconds / 1e9:.2f} GB/s, a sample per 17 bytes")

    def folded(self):
        path = self.generated("folded", 400_000)
        value, _ = self.ratio(self.fold("folded", "-j1", path), [self.tool("memchr"), path])
        self.row("folded", "fold folded text, all lines distinct, against memchr per line", value,
                 20, note="no target yet: no line repeats")

    def vtune(self):
        self.text("vtune", "vtune", 8, "tables")

    def vsprof(self):
        self.text("vsprof", "vsprof", 8, "tables")

    def xctrace(self):
        self.text("xctrace", "xctrace", 8, "tables")

    def bpftrace(self):
        self.text("bpftrace", "bpftrace", 8)

    def xdebug(self):
        self.text("xdebug", "xdebug", 8)

    def json_profile(self, name, target):
        """Folds a file with a sample for each of many stacks, which brazier itself wrote."""
        source = self.sorted_tree(1_100_000)
        path = f"{source}.{name}"
        if not os.path.exists(path):
            subprocess.run([self.program, "-q", "--no-config", "run", "--from", "folded", source,
                            "--to", name, "-o", path], check=True, env=self.environment)
        value, seconds = self.ratio(self.fold(name, path), [self.tool("memchr"), path])
        self.row(name, f"fold {name} files, against memchr per line", value, target,
                 note=f"{os.path.getsize(path) / seconds / 1e9:.2f} GB/s")

    def speedscope(self):
        self.json_profile("speedscope", 60)

    def chrome_trace(self):
        self.json_profile("chrome-trace", 60)

    def firefox(self):
        self.json_profile("firefox", 60)

    def cpuprofile(self):
        self.json_profile("cpuprofile", 60)

    def two_files(self, command, what):
        """Runs the command on two halves of 100 MB, against the yardstick over 200 MB of the same."""
        half, whole = (self.generated("stacks", n) for n in (100_000_000, 200_000_000))
        ours = [str(self.program), "-q", "--no-config", command, "--from", "folded", "-j1", half,
                half, "-o", "/dev/null", "--to", "folded"]
        value, _ = self.ratio(ours, [self.tool("memchr"), whole])
        self.row(command, f"{what}, 1 thread, against memchr per line", value, 4)

    def diff(self):
        self.two_files("diff", "compare two folded files")

    def merge(self):
        self.two_files("merge", "add up two folded files")

    # ---- distinct stacks ----

    def on_distinct(self, name, what, args, inputs, target):
        """Runs a command on inputs, against the yardstick over each of them."""
        ours = [str(self.program), "-q", "--no-config", *args, "-j1", *inputs, "-o", "/dev/null"]
        value, seconds = self.ratio(ours, [self.tool("memchr"), *inputs])
        size = sum(map(os.path.getsize, inputs))
        self.row(name, what + ", distinct sorted stacks, against memchr per line", value, target,
                 note=f"{size / seconds / 1e9:.2f} GB/s")

    def folded_distinct(self):
        self.on_distinct("folded-distinct", "fold folded text", ["collapse", "folded"],
                         [self.distinct(34_749)], 6)

    def flamegraph_distinct(self):
        self.on_distinct("flamegraph-distinct", "draw a picture", ["flamegraph"],
                         [self.distinct(34_749)], 8)

    def diff_distinct(self):
        self.on_distinct("diff-distinct", "compare two files",
                         ["diff", "--from", "folded", "--to", "folded"],
                         [self.distinct(34_749), self.distinct(347_490, 1)], 8)

    def merge_distinct(self):
        self.on_distinct("merge-distinct", "add up 20 files",
                         ["merge", "--from", "folded", "--to", "folded"],
                         [self.distinct(34_749, part) for part in range(20)], 8)

    def merge_many(self):
        inputs = [self.sample_of(34_749, 3_180, part) for part in range(1000)]
        ours = [str(self.program), "-q", "--no-config", "merge", "-j1", "--max-memory", "64M", *inputs, "-o", "/dev/null"]
        value, seconds = self.ratio(ours, ["cat", *inputs])
        size = sum(map(os.path.getsize, inputs))
        self.row("merge-many", "add up 1,000 files of 1 MB in 64 MiB, against copying them in memory", value, 10,
                 note=f"{size / seconds / 1e9:.2f} GB/s")

    def picture(self, name, what, path, target):
        args = [str(self.program), "-q", "--no-config", "flamegraph", "--minwidth", "0", path,
                "-o", "/dev/null"]
        drawn = subprocess.run([*args[:-2], "--no-compact", "-o", "-"], stdout=subprocess.PIPE, check=True,
                               env=self.environment).stdout.count(b"<g>")
        value, seconds = self.ratio(args, [self.tool("memchr"), path])
        self.row(name, f"{what} to SVG, nanoseconds per frame ({drawn:,} frames)",
                 seconds * 1e9 / drawn, target, unit="ns",
                 note=f"{value:.0f} x memchr per line of its input")

    def svg(self):
        self.picture("svg", "folded", self.sorted_tree(100_000), 250)

    def svg_large(self):
        self.picture("svg-large", "folded", self.sorted_tree(1_100_000), 250)

    def svg_unsorted(self):
        self.picture("svg-unsorted", "unsorted folded text of very many names",
                     self.generated("folded", 100_000), 450)

    def memory(self):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        amount = 1_000_000_000 // self.scale
        peak = subprocess.run(
            ["sh", "-c",
             f'"{self.tool("generate")}" repeat "{self.recording()}" {amount} |'
             f' "{sys.executable}" -c "import resource,subprocess,sys;'
             "subprocess.run(sys.argv[1:],check=True);"
             'print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"'
             f' "{self.program}" -q --no-config collapse perf -o /dev/null'],
            stdout=subprocess.PIPE, check=True, text=True, env=self.environment).stdout
        del before
        self.row("memory", f"peak memory folding {amount / 1e9:g} GB from a pipe",
                 int(peak) / 1024, 64, unit="MiB")

    def startup(self):
        path = self.data / "small.txt"
        path.write_bytes(self.recording().read_bytes()[:4096])
        ours = self.fold("perf", str(path))
        runs = 40

        def many(args):
            start = time.perf_counter()
            for _ in range(runs):
                os.waitpid(os.posix_spawn(args[0], args, self.environment), 0)
            return time.perf_counter() - start

        ours, empty = [*ours], [self.tool("empty")]
        many(ours), many(empty)
        value = statistics.median(many(ours) / many(empty) for _ in range(self.rounds))
        self.row("startup", "fold 4 KB against a C program that does nothing", value, 2.0)

    def plugin_list(self):
        """Lists all plug-ins, which loads each of them."""
        args = [str(self.program), "--no-config", "plugin", "list"]
        listed = subprocess.run([*args, "--json"], stdout=subprocess.PIPE, check=True,
                                env=self.environment).stdout.count(b'"plugin":')
        value, seconds = self.ratio(args, [self.tool("empty")])
        self.row("plugin-list", f"load {listed} plug-ins and list them, milliseconds",
                 seconds * 1e3, 10, unit="ms",
                 note=f"{value:.0f} x a C program that does nothing")

    # ---- the viewers ----

    def viewer(self, subject, targets):
        """Adds the figures of bench/viewers.mjs; skips them if there is no browser."""
        node = shutil.which("node") or shutil.which("nodejs")
        if node is None or not (ROOT / "tests/browser/node_modules").exists():
            print(f"  {subject}: left out, as there is no Node.js with playwright-core", file=sys.stderr)
            return
        shown = subprocess.run([node, ROOT / "bench/viewers.mjs", subject], check=True, text=True,
                               stdout=subprocess.PIPE,
                               env={**self.environment, "BRAZIER": str(self.program)}).stdout
        yardstick = ""
        for line in shown.splitlines():
            word, _, rest = line.partition(" ")
            if word == "yardstick":
                yardstick = rest
            elif word == "figure":
                name, *figures = rest.split()
                if name not in targets:
                    continue
                value, other = map(float, figures)
                what, target, unit = targets[name]
                self.row(f"{subject}-{name}", what, value, target, unit=unit,
                         note=f"{value / other:.1f} x {yardstick}")

    def picture_viewer(self):
        """Opens pictures and works with them. A picture of a million frames shows those of at least
        0.01 % and lists up to 150,000."""
        for subject, frames, most in (("picture", "20,000", 600), ("big-picture", "100,000", 1500),
                                      ("million-picture", "a million", 2000)):
            self.viewer(subject, {
                "open": (f"open an SVG of {frames} frames", most, "ms"),
                "bytes": ("size of it per shown frame", 120, "bytes"),
                "zoom": ("zoom in it", 100, "ms"),
                "search": ("search in it", 100, "ms"),
                "hide": ("hide frames of a name in it", most / 4, "ms")})

    def page_viewer(self):
        """Opens pages and works with them. The script and the names are most of small ones."""
        for subject, frames in (("small-page", "20,000"), ("big-page", "100,000"), ("page", "a million")):
            self.viewer(subject, {
                "open": (f"open an HTML page of {frames} frames", 1000, "ms"),
                **({"bytes": ("size of the page per frame", 8, "bytes")} if subject == "page" else {}),
                "drawing": ("draw it once while zooming", 1000 / 60, "ms"),
                "zoom": ("zoom in it", 100, "ms"),
                "search": ("search in it", 100, "ms")})

    # ---- recording ----

    def under(self, recorder):
        """Returns the processor time of a program that computes, under a recorder."""
        code = ("import time\nfor i in range(%d): sum(range(1000))\nprint(time.process_time())"
                % (60000 // self.scale))
        p = subprocess.run([*recorder, "--", sys.executable, "-c", code], capture_output=True, text=True,
                           env=self.environment)
        return float(p.stdout.split()[0]) if p.returncode == 0 and p.stdout else None

    def record(self):
        """Records the same program with brazier and with perf. Does without both if the kernel or
        the lack of perf prevents it."""
        perf = shutil.which("perf")
        for method in ("fp", "dwarf"):
            ours = [str(self.program), "-q", "--no-config", "record", "-e", "cpu-clock", "-g", method,
                    "--to", "folded", "-o", "/dev/null"]
            theirs = [perf or "perf", "record", "-q", "-e", "cpu-clock", "-F", "997", "--call-graph", method,
                      "-o", str(self.data / "perf.data")]
            if perf is None or self.under(ours) is None or self.under(theirs) is None:
                print(f"  record-{method}: nothing can be recorded here, or there is no perf", file=sys.stderr)
                continue
            pairs = [(self.under(ours), self.under(theirs)) for _ in range(self.rounds)]
            self.row(f"record-{method}", f"a program under brazier record -g {method} against perf record",
                     statistics.median(a / b for a, b in pairs), 1.05)

    # ---- recordings of perf ----

    def calling(self, compiler):
        """Returns a program with frame pointers that calls 1,500 functions, about 20 deep. Some calls depend on random
        numbers, so that a sixth of the samples have a stack of their own."""
        program, code, n = self.data / "calling", self.data / "calling.c", 1500
        if not program.exists():
            text = ["#include <stdint.h>\ntypedef uint32_t u; static volatile u spin; typedef u fn(u, u);",
                    f"static fn {', '.join(f'f{i}' for i in range(n))};"]
            for i in range(n):
                often, seldom, rarely, least = (f"f{(i * k + c) % n}(s, d - 1)"
                                                for k, c in ((7, 3), (31, 17), (101, 5), (211, 9)))
                text.append(f"static __attribute__((noinline)) u f{i}(u s, u d) {{ s = s * 1664525u + 1013904223u;"
                            " if (d == 0) { for (u k = 0; k < 200; k++) spin = s ^ k; return s; } u r = s >> 24;"
                            f" return (r < 236 ? {often} : r < 250 ? {seldom} : r < 254 ? {rarely} : {least}) + 1; }}")
            text.append("int main(void) { for (u s = 1;; s = s * 69069u + 1) f0(s, 6 + (s >> 28)); }")
            code.write_text("\n".join(text))
            subprocess.run([compiler, "-w", "-O1", "-fno-omit-frame-pointer", "-fno-optimize-sibling-calls", "-o", program,
                            code], check=True)
        return str(program)

    def compiling(self, compiler):
        """Returns a shell command that compiles sources for ever."""
        files = " ".join(f"'{path}'" for path in sorted((ROOT / "core").glob("*/*.c")))
        return (f"while :; do printf '%s\\n' {files} | xargs -n 1 {compiler} -I'{ROOT}/core' -I'{ROOT}/sdk/include' -w -O2"
                " -S -o /dev/null; done 2> /dev/null")

    def recorded_by_perf(self, method, samples, program):
        """Returns the path of a recording with about so many samples, or None if nothing can be recorded. Each
        processor runs a program, which `program` returns for a compiler. perf also keeps the kernel's list of symbols,
        below the home folder."""
        perf, compiler = shutil.which("perf"), shutil.which("gcc") or shutil.which("cc")
        path = self.data / f"{method}-{samples}.perf.data"
        if path.exists():
            return str(path)
        if perf is None or compiler is None:
            return None
        cpus, run = os.cpu_count(), program(compiler)
        p = subprocess.run([perf, "record", "-q", "-e", "cpu-clock", "-F", "4999", "--call-graph", method, "-o", path,
                            "timeout", str(samples / 4999 / cpus), "sh", "-c", f"({run}) & " * cpus + "wait"],
                           stdout=NULL, stderr=NULL, env=self.environment)
        if p.returncode not in (0, 124):  # 124: the time is over
            path.unlink(missing_ok=True)
        return str(path) if path.exists() else None

    def draw(self, path, *more):
        return [str(self.program), "-q", "--no-config", "run", path, "--from", "perf-data", *more,
                "-o", str(self.data / "x.svg")]

    def through_text(self, path):
        """Returns a command that draws a recording from the text of perf script, and the tools it uses. Without
        inferno, brazier's own tools take their place, which need less time."""
        script = f'perf script --no-inline -i "{path}" 2> /dev/null'
        if shutil.which("inferno-collapse-perf") and shutil.which("inferno-flamegraph"):
            tools = "inferno-collapse-perf", "inferno-flamegraph"
            line = f'{script} | {tools[0]} | {tools[1]} > "{self.data}/y.svg"'
        else:
            tools = "brazier collapse perf", "brazier flamegraph"
            b = f'"{self.program}" -q --no-config'
            line = f'{script} | {b} collapse perf - | {b} flamegraph - -o "{self.data}/y.svg"'
        return ["sh", "-c", line], f"perf script --no-inline | {tools[0]} | {tools[1]}"

    def perf_data_row(self, name, what, ours, yardstick, target, better):
        """Compares times from start to end; the note has the ratio of processor times. `better` tells whether the
        figure says how many times faster or slower ours is."""
        rounds = min(3, self.rounds)
        value, seconds = self.ratio(ours, yardstick, rounds)
        processor = self.processor_ratio(ours, yardstick, rounds)
        value, processor = (1 / value, 1 / processor) if better == "at least" else (value, processor)
        self.row(name, what, value, target, better=better, note=f"{seconds:.3f} s; processor time {processor:.2f} x")

    def perf_data(self):
        """Draws recordings without inlined functions, against the way through text; and with inlined functions, against
        the same command with --no-inlines. With --quick, the recordings are a tenth of those that the targets mean."""
        for method, samples, program, name, target in (
                ("fp", 300_000 // self.scale, self.calling, "fp", 20),
                ("dwarf", 75_000 // self.scale, self.compiling, "dwarf", 20), ("fp", 500, self.compiling, "small", 12)):
            path = self.recorded_by_perf(method, samples, program)
            if path is None:
                print(f"  perf-data-{name}: nothing can be recorded here, or perf or a compiler is missing",
                      file=sys.stderr)
                continue
            theirs, tools = self.through_text(path)
            kind = f"{pathlib.Path(path).stat().st_size / 1e6:.2f} MB ({method})"
            self.perf_data_row(f"perf-data-{name}", f"brazier run --no-inlines, {kind}: times faster than {tools}",
                               self.draw(path, "--no-inlines"), theirs, target, "at least")
            self.perf_data_row(f"perf-data-{name}-inlines", f"brazier run, {kind}: time relative to --no-inlines",
                               self.draw(path), self.draw(path, "--no-inlines"), 2, "at most")

    def large_recording(self):
        """Returns the path of a recording of 1 GB with copies of stacks, in the layout of a pipe."""
        path = self.data / f"rounds-{self.scale}.perf.data"
        if not path.exists():
            kind = perf_data.USUAL | perf_data.REGS_USER | perf_data.STACK_USER
            head = perf_data.Recording(perf_data.Event("cpu-clock", sample_type=kind, registers=perf_data.BP_SP_IP,
                                                       stack=8192))
            head.comm(10, "app")
            head.mmap2(10, 0x400000, 0x100000, "/usr/bin/app")
            template, ended = perf_data.Recording(*head.events), perf_data.Recording(*head.events)
            template.stack(10, 0x400010, 1 << 40, 1 << 40, [0] * 1024, time=1 << 50)
            ended.round()
            at = template.data.index(struct.pack("<Q", 1 << 50))
            before, behind = template.data[:at], template.data[at + 8:]
            with open(path, "wb") as out:
                out.write(head.pipe())
                for i in range(1_000_000_000 // self.scale // len(template.data)):
                    out.write(before + struct.pack("<Q", i + 2) + behind + (ended.data if i % 128 == 0 else b""))
        return path

    def peak(self, command, what, **streams):
        """Runs a command. Returns the maximum of a figure of its memory in MiB."""
        process = subprocess.Popen(command, env=self.environment, **streams)
        peak = 0
        while process.poll() is None:
            status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
            peak = max([peak] + [int(line.split()[1]) for line in status.splitlines() if line.startswith(what)])
            time.sleep(0.005)
        return peak / 1024

    def perf_data_memory(self):
        """Folds a recording with copies of stacks; measures memory that is not the mapped file."""
        path = self.large_recording()
        size = f"{path.stat().st_size / 1e9:.1f} GB"
        self.row("perf-data-memory", f"memory beside a mapped recording of {size}",
                 self.peak(self.fold("perf-data", str(path)), "RssAnon"), 200, unit="MiB")

    def perf_data_pipe(self):
        """Folds a recording that arrives through a pipe, against copying it through one."""
        path = self.large_recording()
        size = f"{path.stat().st_size / 1e9:.1f} GB"
        fold = " ".join(f"'{word}'" for word in self.fold("perf-data", "-"))
        value, seconds = self.ratio(["sh", "-c", f"cat '{path}' | {fold}"], ["sh", "-c", f"cat '{path}' | cat > /dev/null"])
        self.row("perf-data-pipe", f"fold a recording of {size} from a pipe, against copying it", value, 2,
                 note=f"{path.stat().st_size / 1e9 / seconds:.2f} GB/s")
        feeder = subprocess.Popen(["cat", path], stdout=subprocess.PIPE)
        self.row("perf-data-pipe-memory", f"memory for a recording of {size} from a pipe",
                 self.peak(self.fold("perf-data", "-"), "VmRSS", stdin=feeder.stdout), 64, unit="MiB")
        feeder.stdout.close()
        feeder.wait()

    # ---- recordings beside the repository ----

    def unpacked(self, name):
        """Returns the path of a recording of --recordings, or None if it is not there."""
        packed, path = pathlib.Path(self.recordings or "") / f"{name}.zst", self.data / name
        if self.recordings is None or not packed.exists():
            return None
        if not path.exists():
            subprocess.run(["zstd", "-dq", packed, "-o", path], check=True)
        return str(path)

    def recorded(self):
        """Counts what jobs on recordings cost. Unlike times, that does not depend on what else the machine does."""
        for name, words, files, instructions, faults in RECORDED:
            paths = [self.unpacked(file) for file in files]
            if None in paths or shutil.which("valgrind") is None:
                print(f"  {name}: left out, as --recordings has no {' and '.join(files)}, or there is no valgrind",
                      file=sys.stderr)
                continue
            ours = [str(self.program), "-q", "--no-config", *words, "-j1", *paths, "-o", str(self.data / "recorded")]
            value, size = self.ratio(ours, ["wc", "-l", *paths])[0], sum(map(os.path.getsize, paths))
            counted, what = count_instructions_and_calls(ours, self.data)[0], f"{words[0]} {' and '.join(files)}"
            self.row(name, f"{what}, millions of instructions", counted / 1e6, instructions, unit="M",
                     note=f"{counted / size:.1f} a byte; {value:.1f} x wc -l")
            self.row(f"{name}-faults", f"{what}, page faults", count_faults(ours, self.data), faults, unit="faults")

    # ---- the plug-ins ----

    def boundary(self):
        path = self.generated("repeat", 100_000_000)
        plugin = next((self.build).glob("lib*/**/collapse-perf.so"))
        linked, loaded = map(int, subprocess.run(
            [self.tool("boundary"), str(plugin), path, str(3 * self.rounds)],
            stdout=subprocess.PIPE, check=True, text=True).stdout.split())
        self.row("boundary", "perf collapser loaded against linked in", 100 * (loaded / linked - 1),
                 2.0, unit="%")

    def run(self, names):
        rows = {"perf": self.perf, "perf-unique": self.perf_unique, "threads": self.threads,
                "pipe": self.pipe, "zstd": self.compressed, "folded": self.folded,
                "vtune": self.vtune, "vsprof": self.vsprof, "xctrace": self.xctrace,
                "folded-stacks": self.stacks, "dtrace": self.dtrace, "sample": self.sample,
                "ghcprof": self.ghcprof, "pprof": self.pprof, "otlp": self.otlp, "nettrace": self.nettrace, "go-trace": self.go_trace, "perfetto": self.perfetto, "flamebearer": self.flamebearer, "java-threads": self.java_threads,
                "measureme": self.measureme, "jfr": self.jfr, "diff": self.diff, "merge": self.merge,
                "svg": self.svg, "svg-large": self.svg_large, "svg-unsorted": self.svg_unsorted,
                "folded-distinct": self.folded_distinct,
                "flamegraph-distinct": self.flamegraph_distinct,
                "diff-distinct": self.diff_distinct, "merge-distinct": self.merge_distinct,
                "merge-many": self.merge_many,
                "memory": self.memory, "startup": self.startup, "plugin-list": self.plugin_list,
                "picture": self.picture_viewer, "page": self.page_viewer,
                "record": self.record, "perf-data": self.perf_data, "perf-data-memory": self.perf_data_memory, "perf-data-pipe": self.perf_data_pipe, "recorded": self.recorded, "boundary": self.boundary, "bpftrace": self.bpftrace, "xdebug": self.xdebug,
                "gdb": self.gdb, "jstack": self.jstack, "massif": self.massif, "callgrind": self.callgrind,
                "speedscope": self.speedscope, "cpuprofile": self.cpuprofile,
                "firefox": self.firefox, "chrome-trace": self.chrome_trace}
        for name in names or rows:
            if name not in rows:
                sys.exit(f"no row '{name}'; there are {', '.join(rows)}")
            rows[name]()
        widths = [max(len(r[i]) for r in self.rows) for i in range(6)]
        print()
        for r in self.rows:
            print("  ".join(cell.ljust(w) for cell, w in zip(r, widths)).rstrip())


def main():
    args = argparse.ArgumentParser(description=__doc__,
                                   formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--build", required=True)
    args.add_argument("--rounds", type=int, default=9)
    args.add_argument("--quick", action="store_true", help="inputs a tenth of the size")
    args.add_argument("--recordings", metavar="DIR",
                      help="a folder of recordings, packed by zstd, for the row 'recorded'")
    args.add_argument("rows", nargs="*")
    o = args.parse_args()
    Bench(o.build, o.rounds, o.quick, o.recordings).run(o.rows)


if __name__ == "__main__":
    main()
