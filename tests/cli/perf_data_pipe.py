#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests recordings in the pipe layout that arrive through a pipe: the result and the messages are
those of the same bytes in a file, for any division into chunks, and memory does not grow with the input.

usage: perf_data_pipe.py [TEST...]
"""
import fcntl
import pathlib
import random
import re
import struct
import subprocess
import time
import unittest

import common
from lib import perf_data
from lib.elf import Elf
from lib.perf_data import IN_USER, Event, Recording

HAS_PERF_DATA = any(pathlib.Path(common.BRAZIER).resolve().parent.parent.glob(
    "lib*/**/collapse-perf-data.so"))
APP, STACK = 0x555555554000, 0x7fff0000

# Sizes of chunks; None is the usual one.
SIZES = (None, 70001, 3000017)

# Options that change the result; the second one keeps the samples in their order.
OPTIONS = ([], ["--to", "speedscope", "--flamechart"], ["--off-cpu"])


def copied(*events):
    """A recording whose first event has copies of stacks."""
    return Recording(Event("cpu-clock", registers=perf_data.BP_SP_IP, stack=8192, ids=[1],
                           sample_type=perf_data.USUAL | perf_data.REGS_USER | perf_data.STACK_USER |
                           perf_data.IDENTIFIER), *events)


def describe_program(r, pid, t):
    r.comm(pid, f"app{pid}", time=t)
    r.mmap2(pid, APP, 0x10000, "/srv/app", 0x1000, time=t)


def fill(r, rounds, seed=1, first=100):
    """Adds rounds of samples with copies of stacks, forks, names, switches, lost records and mappings, which are
    out of order within a round."""
    chance, t = random.Random(seed), first
    for number in range(rounds):
        pid = 10 + number % 7
        if number < 7:
            describe_program(r, pid, t)
        r.fork(pid + 100, pid, time=t + 1)
        for i in range(12):
            at, callers = chance.randrange(0x100, 0x400), chance.randrange(1, 5)
            words = [word for _ in range(callers) for word in (APP + chance.randrange(0x100, 0x400), 5, 5)]
            words += [5] * (1000 - len(words))
            r.stack(chance.choice((pid, pid + 100)), APP + at, STACK, STACK + 16, words,
                    time=t + 2 + chance.randrange(40))
        r.change(2, r.pack("QQ", 1, chance.randrange(5)), 0, pid, pid, t + 5)
        r.comm(pid, f"name{number % 5}", time=t + 20)
        r.switched(t + 45, pid, True)
        r.switched(t + 48, pid, False)
        r.exit(pid + 100, pid, time=t + 49)
        t += 50
        if chance.randrange(3):
            r.round()
    return r


def damage(data, chance):
    """The data with a few changes, of which each kind of damage has some."""
    data = bytearray(data)
    kind = chance.randrange(5)
    for _ in range(chance.choice((1, 1, 3, 20))):
        at = chance.randrange(16, len(data))
        n = min(chance.choice((1, 8, 5000, 300000)), len(data) - at)
        if kind == 0:
            data[at] = chance.randrange(256)
        elif kind == 1:
            data[at:at + n] = bytes(n)
        elif kind == 2:
            data[at:at + n] = chance.randbytes(n)
        elif kind == 3:
            del data[at:at + n // 4 * 4]
        elif len(data) > 1 << 21:
            del data[max(at, 1 << 21):]
    return bytes(data)


@unittest.skipUnless(HAS_PERF_DATA, "this build has no collapser perf-data")
class Pipe(common.Case):
    def setUp(self):
        super().setUp()
        e = Elf()
        for i in range(4):
            e.symbol(f"f{i}", 0x100 * i + 0x100, 0x100)
        e.unwinding(*((0x100 * i + 0x100, 0x100, b"\x44\x0e\x18") for i in range(4)))
        self.write("root/srv/app", e.bytes())

    def fold(self, source, *args, stdin=None):
        r = self.brazier("run", source, "--from", "perf-data", "--to", "folded", "--sysroot", "root", "-o", "-",
                         "--quality=each", *args, stdin=stdin)
        return r.code, r.out, sorted(r.err.replace("stdin", "INPUT").replace("p.data", "INPUT").splitlines())

    def assert_same(self, data, *args, sizes=SIZES):
        """Compares the results of a file and of a pipe. Returns that."""
        self.write("p.data", data)
        expected = self.fold("p.data", *args)
        for size in sizes:
            more = [] if size is None else ["--chunk-size", size]
            self.assertEqual(expected, self.fold("-", *args, *more, stdin=data), (size, args))
        return expected

    def test_a_pipe_gives_the_same_as_a_file(self):
        data = fill(copied(), 40).pipe()
        self.assertGreater(len(data), 3 << 20)
        for options in OPTIONS:
            code, out, _ = self.assert_same(data, *options)
            self.assertEqual(0, code)
            self.assertIn("f1", out)

    def test_compressed_records(self):
        inner = fill(copied(), 40)
        for seed, kind in ((1, 81), (2, 83)):
            chance, r = random.Random(seed), copied()
            packed = len(r.packed(inner.data))
            cuts = sorted(chance.sample(range(1, packed), packed // 30000 + 2))
            r.compressed(inner.data, cuts, kind)
            fill(r, 30, seed=5, first=9000) # samples of their own, so that the input is long enough
            self.assert_same(r.pipe())

    def test_damage_has_the_same_effects_and_places(self):
        data, chance = fill(copied(), 40).pipe(), random.Random(7)
        for _ in range(12):
            self.assert_same(damage(data, chance), sizes=(chance.choice(SIZES),))

    def test_the_other_byte_order(self):
        r = Recording(order=">")
        r.comm(10, "app")
        for t in range(60000):
            r.sample(10, [IN_USER, APP + t % 50], time=10 + t)
            if t % 5000 == 0:
                r.data, done = b"", (done if t else b"") + r.data
        r.data = done + r.data
        self.assertGreater(len(r.pipe()), 3 << 20)
        self.assertEqual(0, self.assert_same(r.pipe())[0])

    def test_data_after_a_record_may_be_longer_than_a_chunk(self):
        r = fill(copied(), 20)
        r.raw(71, r.pack("QQQQIIII", 5 << 20, 0, 0, 0, 0, 0, 0, 0))
        r.data += bytes(range(256)) * (5 << 12)
        code, _, err = self.assert_same(fill(r, 20, seed=2, first=5000).pipe())
        self.assertEqual(0, code)
        self.assertTrue(any("hardware traces are not decoded: 1 piece" in line for line in err), err)

    def test_a_description_that_comes_late_holds_from_there_on(self):
        """At the beginning, it holds for records before it as well."""
        e = Elf(build_id=bytes(range(20)))
        e.symbol("main", 0x100, 0x40)
        self.write("root/srv/early", e.bytes())
        self.write("root/srv/late", e.bytes())
        r = copied()
        for pid, name in ((50, "early"), (51, "late")):
            r.comm(pid, name)
            r.mmap2(pid, APP, 0x10000, f"/srv/{name}", 0x1000)
        r.stack(50, APP + 0x120, STACK, STACK, [0] * 1000, time=9)
        r.raw(67, r.build_id(None, "/srv/early", bytes(range(1, 21)))[8:], 1 << 15 | 2)
        fill(r, 40)
        r.raw(67, r.build_id(None, "/srv/late", bytes(range(1, 21)))[8:], 1 << 15 | 2)
        r.stack(51, APP + 0x120, STACK, STACK, [0] * 1000, time=9000)
        out = self.assert_same(r.pipe())[1]
        self.assertIn("early;[early] 1\n", out)
        self.assertIn("late;[late] 1\n", out)

    def test_events_that_are_described_late(self):
        """Samples of others are collected then, and the list of events grows."""
        r = copied()
        describe_program(r, 50, 1)
        for number in range(40):
            for t in range(100):
                r.stack(50, APP + 0x120, STACK, STACK, [5] * 100, time=10 + 200 * number + t)
            e = Event(f"late{number}", 1, 100 + number, ids=[100 + number], sample_type=perf_data.USUAL |
                      perf_data.IDENTIFIER, flags=perf_data.SAMPLE_ID_ALL)
            r.events.append(e)
            r.raw(64, r.attr(e) + r.pack("Q", *e.ids))
            r.raw(78, r.pack("QQ", 2, *e.ids) + perf_data.text(e.name))
            r.sample(50, [IN_USER, APP + 0x320], time=10 + 200 * number + 150, event=len(r.events) - 1)
        head = r.events[:1]
        r.events = head
        data = r.pipe()
        for options in ([], ["-w", "late39"]):
            code, out, _ = self.assert_same(data, *options, "-j4")
            self.assertEqual(0, code)
            self.assertIn("app50;f2 1\n" if options else "app50;[unknown];f0 4000\n", out)

    # ---- a pipe that is still written

    def feed(self, pieces, *args):
        """Passes pieces through a pipe; functions among them are called when all before was read."""
        p = self.start("run", "-", "--from", "perf-data", "--to", "folded", "--sysroot", "root", "-o", "-", "-q", *args)
        for piece in pieces:
            if callable(piece):
                self.await_empty(p.stdin)
                piece()
            else:
                p.stdin.write(piece)
                p.stdin.flush()
        out, err = p.communicate(timeout=60)
        self.assertEqual((0, b""), (p.returncode, err))
        return out.decode()

    def await_empty(self, pipe):
        """Waits until the other side has read everything, and has had time to use it."""
        deadline = time.monotonic() + 30
        while struct.unpack("i", fcntl.ioctl(pipe, 0x541b, b"\0" * 4))[0] > 0:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)
        time.sleep(0.3)

    def test_code_of_a_compiler_gets_the_names_that_are_written_later(self):
        """Samples with such code wait, and those after them if the order counts."""
        r = copied()
        r.comm(60, "java")
        r.mmap2(60, 0x1000, 0x1000, "//anon")
        for t in range(300):
            r.switched(2 * t + 3, 60, True)
            r.switched(2 * t + 4, 60, False)
            describe_program(r, 60, 2 * t + 2)
            r.comm(60, "java", time=2 * t + 2)
            r.stack(60, APP + 0x150, STACK, STACK, [0] * 1000, time=2 * t + 2)
            r.stack(60, 0x1000 + t % 16, STACK, STACK, [5] * 1000, time=2 * t + 2)
            if t % 20 == 0:
                r.round()
        data = r.pipe()
        self.assertGreater(len(data), 4 << 20)
        names = "1000 8 first\n1008 8 second\n"
        for options in ([], ["--to", "svg", "--flamechart", "--title", "late"], ["--off-cpu", "--wall-clock"]):
            (self.dir / "root/tmp/perf-60.map").unlink(missing_ok=True)
            self.write("root/tmp/perf-60.map", "")
            out = self.feed([data[:-8192], lambda: self.write("root/tmp/perf-60.map", names), data[-8192:]], *options)
            self.write("p.data", data)
            self.assertEqual(self.fold("p.data", *options, "-q")[1], out, options)
            self.assertIn("second", out)
            self.assertNotIn("[perf-60.map]", out)

    @unittest.skipIf(common.SANITIZED == "thread", "ThreadSanitizer needs memory of its own")
    def test_many_counters_of_a_stack_of_compiled_code(self):
        """Each of 250 counters would keep a copy of the stack until the code has its name."""
        kind = perf_data.USUAL | perf_data.READ | perf_data.IDENTIFIER
        events = [perf_data.Event("", 4, i, sample_type=kind, read_format=4 | 8, flags=perf_data.SAMPLE_ID_ALL,
                                  ids=[7 + i]) for i in range(250)]
        r = perf_data.Recording(*events)
        r.comm(60, "java")
        r.mmap2(60, 0x100000, 0x100000, "//anon")
        for t in range(60):
            first = 0x100010 + t % 2 * 7000
            r.sample(60, [perf_data.IN_USER, *range(first, first + 7000)], time=t + 3,
                     counts=tuple((t + 1, 7 + k) for k in range(250)))
            r.round()
        for options in ([], ["--flamechart"]):
            done = self.brazier("run", "-", "--from", "perf-data", "--to", "svg", "-o", "-", "-w", "raw-f9", *options,
                                "--chunk-size", 65536, "--max-memory", "250M", stdin=r.pipe())
            self.assertEqual(0, done.code, done.err)

    def test_symbols_that_were_released_are_read_again(self):
        """Those of large programs that run in turns need more memory than a stream may have for them."""
        n, programs, e, r = 30_000, 10, Elf(size=1 << 16), Recording()
        for i in range(n):
            e.symbol(f"run_0_{i:05}", 2 * i, 2)
        data = e.bytes()
        r.comm(10, "app")
        for k in range(programs):
            (self.dir / f"root/srv/large{k}").write_bytes(data.replace(b"run_0_", f"run_{k}_".encode()))
            r.mmap2(10, APP + (k << 32), 1 << 16, f"/srv/large{k}", 0x1000)
        for t in range(20_000):
            r.sample(10, [IN_USER, APP + (t % programs << 32) + 2 * (t * 37 % n)], time=10 + t)
            if t % 100 == 99:
                r.round()
        code, out, _ = self.assert_same(r.pipe())
        self.assertEqual(0, code)
        self.assertEqual({f"app;run_{t % programs}_{t * 37 % n:05} 1" for t in range(20_000)}, set(out.splitlines()))

    def test_memory_does_not_grow_with_the_input(self):
        if common.SANITIZED:
            self.skipTest("sanitizers need memory of their own")
        part = fill(copied(), 100)
        body, head = part.data, copied().pipe()
        p = self.start("run", "-", "--from", "perf-data", "--to", "folded", "-o", "-", "-q", "--sysroot", "root",
                       stdout=subprocess.DEVNULL)
        self.assertGreater(12 * len(body), 100 << 20)
        p.stdin.write(head)
        for _ in range(12):
            p.stdin.write(body)
        self.await_empty(p.stdin)
        status = pathlib.Path(f"/proc/{p.pid}/status").read_text()
        p.communicate(timeout=60)
        self.assertEqual(0, p.returncode)
        self.assertLess(int(re.search(r"VmHWM:\s*(\d+) kB", status)[1]), 40 << 10)


if __name__ == "__main__":
    unittest.main()
