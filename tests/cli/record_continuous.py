#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests continuous recording: `brazier record --every`."""
import calendar
import os
import pathlib
import re
import signal
import subprocess
import time
import unittest

import common
from lib.sample import SampleLoader
from recording import REASON, RecordCase

TIME = re.compile(r"h-(\d{8}T\d{6}Z)\.folded")
EVERY = ["-e", "cpu-clock", "-g", "fp", "--every", "1s", "-o", "h-{time}.folded"]


def text_of(seconds):
    return time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(seconds))


@unittest.skipIf(REASON, REASON)
class Continuous(RecordCase):
    def times(self):
        """Returns the times in the names of the files, in seconds since 1970."""
        found = sorted(m[1] for m in map(TIME.fullmatch, self.files()) if m)
        return [calendar.timegm(time.strptime(t, "%Y%m%dT%H%M%SZ")) for t in found]

    def await_files(self, n, process=None):
        deadline = time.monotonic() + 60
        while len(self.times()) < n and time.monotonic() < deadline and (process is None or process.poll() is None):
            time.sleep(0.05)
        self.assertGreaterEqual(len(self.times()), n)

    def is_running(self, folder):
        """Returns whether a process has this current folder."""
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if os.readlink(process / "cwd") == str(folder) and int(process.name) != os.getpid():
                    return True
            except OSError:
                pass
        return False

    def test_a_recording_that_has_written_no_interval_fails(self):
        p = subprocess.Popen(["sleep", "600"])
        self.addCleanup(p.wait)
        self.addCleanup(p.kill)
        time.sleep(0.2)  # it runs until it sleeps
        r = self.brazier("record", *EVERY, "-p", p.pid, "--duration", "1500ms")
        self.assertEqual((1, []), (r.code, self.times()), r)
        self.assertIn("error: no interval has been written", r.err)

    def test_each_interval_is_a_file_named_after_its_time(self):
        p = self.start_program("forever")
        begin = int(time.time())
        r = self.brazier("record", *EVERY, "-p", p.pid, "--duration", "4s", "--title", "at {time}", "-o", "h-{time}.svg")
        end = time.time()
        self.assertEqual(0, r.code, r)
        times = self.times()
        self.assertGreaterEqual(len(times), 3, r.err)
        self.assertTrue(begin - 1 <= times[0] and times[-1] <= end, (begin, times, end))
        for at in times:
            self.assertRegex(self.read(f"h-{text_of(at)}.folded"), "program;.*burn|program;burn")
            self.assertIn(f">at {text_of(at)}<", self.read(f"h-{text_of(at)}.svg"))
        recorded = [float(t) for t in re.findall(r"recorded ([\d.]+) s", r.err)]
        self.assertGreater(sum(recorded), 3)

    def test_files_that_are_older_are_removed_and_no_others(self):
        now = time.time()
        old = [f"h-{text_of(now - age)}.folded" for age in (3600, 7200)]
        others = ["h-20250101T000000Z.folded.gz", "h-2025010100000000.folded", "g-20250101T000000Z.folded",
                  f"h-{text_of(now - 1800)}.svg", "h-{time}.folded"]
        for name in old + others:
            self.write(name, "a 1\n")
        (self.dir / "h-20250102T000000Z.folded").mkdir()
        (self.dir / "h-20250103T000000Z.folded").symlink_to(others[0])
        young = self.write(f"h-{text_of(now - 60)}.folded", "a 1\n")
        p = self.start_program("forever")
        r = self.brazier("record", *EVERY, "-p", p.pid, "--duration", "1.5s", "--keep-for", "30min")
        self.assertEqual(0, r.code, r)
        self.assertEqual([], [name for name in old if (self.dir / name).exists()])
        self.assertEqual([], [name for name in others if not (self.dir / name).exists()])
        self.assertTrue((self.dir / "h-20250102T000000Z.folded").is_dir())
        self.assertTrue((self.dir / "h-20250103T000000Z.folded").is_symlink())
        self.assertTrue(young.exists())

    def test_a_signal_ends_it_and_the_last_interval_is_written(self):
        for sig in signal.SIGTERM, signal.SIGINT:
            with self.subTest(sig):
                for file in self.dir.glob("h-*"):
                    file.unlink()
                p = self.start_program("forever")
                b = self.start("record", *EVERY[:-3], "10min", *EVERY[-2:], "-p", p.pid)
                time.sleep(1)
                b.send_signal(sig)
                _, err = b.communicate(timeout=60)
                self.assertEqual(0, b.returncode, err)
                self.assertEqual(1, len(self.times()), err)
                self.assertRegex(next(self.dir.glob("h-*.folded")).read_text(), "program;.*burn|program;burn")

    def test_below_nohup_the_end_of_the_terminal_is_no_end(self):
        p = self.start_program("forever")
        b = self.start("record", *EVERY, "-p", p.pid, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        self.await_files(1, b)
        before = len(self.times())
        b.send_signal(signal.SIGHUP)
        self.await_files(before + 2, b)
        b.send_signal(signal.SIGTERM)
        b.communicate(timeout=60)
        self.assertEqual(0, b.returncode)

    def test_it_ends_with_the_recorded_process(self):
        p = self.start_program("forever")
        b = self.start("record", *EVERY, "-p", p.pid)
        self.await_files(1, b)
        p.kill()
        b.communicate(timeout=60)
        self.assertIn(b.returncode, (0, 1))  # 1: the process ended between two intervals
        self.assertFalse(self.is_running(self.dir))

    def test_its_processes_end_with_it(self):
        p = self.start_program("forever")
        b = self.start("record", *EVERY, "-p", p.pid)
        self.await_files(1, b)
        b.kill()
        b.communicate(timeout=60)
        deadline = time.monotonic() + 30
        while self.is_running(self.dir) and time.monotonic() < deadline:
            time.sleep(0.05)
        self.assertFalse(self.is_running(self.dir))

    def test_an_interval_without_samples_is_no_reason_to_end(self):
        p = self.start_program("grow")
        b = self.start("record", *EVERY, "-p", p.pid)
        time.sleep(2.5)
        self.assertIsNone(b.poll())
        p.send_signal(signal.SIGUSR1)
        self.await_files(1, b)
        b.send_signal(signal.SIGTERM)
        _, err = b.communicate(timeout=60)
        self.assertEqual(0, b.returncode, err)
        self.assertIn(b"no samples", err)

    def test_a_recording_can_be_kept_of_each_interval(self):
        p = self.start_program("forever")
        r = self.brazier("record", *EVERY, "-p", p.pid, "--duration", "1.6s", "--save", "r-{time}.data")
        self.assertEqual(0, r.code, r)
        for at in self.times():
            self.assertRegex(self.brazier("run", f"r-{text_of(at)}.data", "-t", "folded").out, "program;.*burn|program;burn")

    def test_one_that_cannot_begin_fails_at_once(self):
        for words in (["-p", "2147483646"], ["-p", str(os.getpid()), "-o", "nowhere/{time}.folded"]):
            r = self.brazier("record", *EVERY, *words, timeout=30)
            self.assertEqual(1, r.code, r)
            self.assertEqual([], self.times())


class Usage(common.Case):
    @unittest.skipIf(REASON, REASON)
    def test_contradictions_are_refused(self):
        for words, why in (
                (["-a", "--every", "1s"], "needs -o with {time}"),
                (["-a", "--every", "1s", "-o", "x.svg"], "needs {time} once"),
                (["-a", "--every", "1s", "-o", "{time}/x.svg"], "after its folder"),
                (["-a", "--every", "1s", "-o", "{time}-{time}.svg"], "needs {time} once"),
                (["-a", "--every", "1s", "-o", "{time}.svg", "--save", "x.data"], "--save"),
                (["-a", "--every", "10ms", "-o", "{time}.svg"], "at least 1s"),
                (["-a", "--keep-for", "1h", "-o", "{time}.svg"], "needs --every"),
                (["-a", "--keep", "1h", "-o", "{time}.svg"], "needs --every"),
                (["-a", "--every", "1s", "-o", "{time}.svg", "--open"], "excludes --open"),
                (["-a", "--every", "1s", "--keep", "1h", "--split-by", "cpu", "-o", "{cpu}-{time}.svg"], "--split-by"),
                (["--every", "1s", "-o", "{time}.svg", "--", "true"], "without a command"),
                (["-a", "--every", "x", "-o", "{time}.svg"], "not a duration")):
            with self.subTest(words):
                r = self.brazier("record", *words)
                self.assertEqual(2, r.code, r)
                self.assertIn(why, r.err)


if __name__ == "__main__":
    common.main(SampleLoader())
