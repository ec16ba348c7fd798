#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests recordings of Java Flight Recorder: tags, times, kinds of frames, lines, metadata, limits.

usage: jfr.py PLUGIN [TEST...]
"""
import os
import pathlib
import sys
import unittest

PLUGIN = pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "cli"))
import common  # noqa: E402
from lib.fold_many import fold_many  # noqa: E402
from lib.jfr import STACK, TYPES, Chunk  # noqa: E402

GOLDEN = common.SOURCE / "tests/golden/collapse/jfr"
START = 1_700_000_000 * 10**9


class Recordings(common.Case):
    def lines(self, source, to, word, *more):
        text = self.good("--plugin", PLUGIN, "run", source, "-t", to, *more).out
        return [line for line in text.splitlines() if line.split(" ")[0] == word]

    def folded(self, data, *more):
        self.write("x.jfr", data)
        return self.good("collapse", "jfr", "x.jfr", *more).out

    def test_threads_states_and_values_become_tags(self):
        for more in ([], ["--isolate"]):
            tags = {line.split(" ", 1)[1] for line in self.lines(GOLDEN / "usual.jfr", "everything-tagged", "sample", *more)}
            self.assertTrue(any("tid=101" in x and "thread=main" in x and "state=STATE_RUNNABLE" in x for x in tags), tags)
            self.assertTrue(any("objectClass=java/lang/String" in x for x in tags), tags)
            self.assertTrue(any("path=/etc/hosts" in x for x in tags), tags)

    def test_ids_of_spans_become_labels(self):
        tags = "\n".join(self.lines(GOLDEN / "datadog.jfr", "everything-tagged", "sample"))
        self.assertIn("spanId#77", tags)
        self.assertIn("localRootSpanId#70", tags)
        self.assertNotIn("spanId#0", tags)

    def test_times_are_those_of_the_clock(self):
        samples = [line.rsplit("] ", 1)[1].split(" ")
                   for line in self.lines(GOLDEN / "usual.jfr", "everything-timed", "sample")]
        self.assertEqual([START + 100 * i for i in range(5)],
                         [int(words[0]) for words in samples if words[-1] == "cpu=1"])

    def test_frequencies_of_clocks_are_converted(self):
        c = Chunk(frequency=3 * 10**9, ticks=1 << 62)
        for seconds in (0, 1, 100_000):
            c.event("jdk.ExecutionSample", startTime=(1 << 62) + seconds * 3 * 10**9, stackTrace=c.stack("a.b"))
        self.write("x.jfr", c.bytes())
        self.assertEqual([START, START + 10**9, START + 100_000 * 10**9],
                         [int(x.split(" ")[2]) for x in self.lines("x.jfr", "everything-timed", "sample")])

    def test_types_of_frames_are_kinds_and_flags(self):
        stacks = "\n".join(self.lines(GOLDEN / "usual.jfr", "everything", "stack"))
        self.assertIn("demo/Main.main{|kind:2}", stacks)
        self.assertIn("page_fault{|kind:3}", stacks)
        self.assertRegex(stacks, r"demo/Main\.run\{\|kind:2\|flags:2\}")
        self.assertRegex(stacks, r"demo/Work\.step\{\|kind:2\|flags:3\}")

    def test_start_and_duration_become_metadata(self):
        found = self.lines(GOLDEN / "chunks.jfr", "everything", "meta")
        self.assertIn(f"meta start {START}", found)
        self.assertIn("meta duration 3000000000", found)

    def test_sums_do_not_depend_on_tags_and_times(self):
        def total(name, *more):
            r = self.brazier("collapse", "jfr", GOLDEN / f"{name}.jfr", *more)
            self.assertEqual(0, r.code, r.err)
            return sum(int(x.rsplit(" ", 1)[1]) for x in r.out.splitlines())
        for name in ("usual", "chunks", "damaged-middle"):
            for more in (["--detail", "lines", "--group-by", "thread"], ["--time-range", "0..1000s"]):
                self.assertEqual(total(name), total(name, *more), (name, more))

    @unittest.skipIf(os.environ.get("BRAZIER_SANITIZE") == "thread", "ThreadSanitizer takes more memory than the limit")
    def test_memory_is_that_of_the_largest_chunk(self):
        def chunk(i):
            c = Chunk()
            for k in range(300):
                c.event("jdk.ExecutionSample", startTime=5000, stackTrace=c.stack("a.b", f"c.d{k}"), sampledThread=c.thread(f"t{k}", k + 1))
            return c.bytes()
        one = chunk(0)
        self.write("x.jfr", one * 1500)
        r = self.brazier("collapse", "jfr", "x.jfr", "--max-memory", "64M", "--group-by", "thread")
        self.assertEqual(0, r.code, r.err)
        self.assertEqual({"1500"}, {x.rsplit(" ", 1)[1] for x in r.out.splitlines()})

    def test_a_name_that_all_frames_share_fails_the_run_within_its_limit(self):
        c = Chunk()
        name = c.class_of("x" * 1_000_000)
        methods = [c.constant("jdk.types.Method", {"type": name, "name": c.symbol(f"m{i}")}) for i in range(3000)]
        c.event("jdk.ExecutionSample", startTime=5000, stackTrace=c.constant(STACK, {"frames": [{"method": m} for m in methods]}))
        self.write("x.jfr", c.bytes())
        r = self.fails(1, "collapse", "jfr", "x.jfr")
        self.assertIn("implausibly large", r.err)

    def test_many_columns_are_limited(self):
        types = {**TYPES, **{f"demo.Event{i}": [("startTime", "long", "TICKS"), ("stackTrace", STACK, "pool")] for i in range(300)}}
        c = Chunk(types=types)
        for i in range(300):
            c.event(f"demo.Event{i}", startTime=5000, stackTrace=c.stack("a.b"))
        self.write("x.jfr", c.bytes())
        r = self.brazier("collapse", "jfr", "x.jfr", "-w", "demo.Event199")
        self.assertEqual((0, "a.b 1\n"), (r.code, r.out), r.err)
        self.assertIn("more than 200 columns", r.err)

    def test_prefixes_and_changed_bytes_are_survived(self):
        data = (GOLDEN / "checkpoints.jfr").read_bytes()
        variants = [bad for i in range(0, len(data), 7)
                    for bad in (data[:i], data[:i] + bytes([data[i] ^ 0xff]) + data[i + 1:])]
        for i, bad in enumerate(variants):
            self.write(f"{i}.jfr", bad)
        for i, r in enumerate(fold_many([("jfr", self.dir / f"{i}.jfr") for i in range(len(variants))])):
            self.assertIn(r.code, (0, 1), (i, r))
            if variants[i][4:6] == data[4:6] and r.code == 1:
                self.assertNotEqual("", r.said)


if __name__ == "__main__":
    common.main()
