#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests how a recording ends: by time, by signals, and with all processes of its command."""
import contextlib
import os
import pathlib
import re
import signal
import time
import unittest

import common
from lib.sample import SampleLoader
from recording import REASON, RecordCase


@unittest.skipIf(REASON, REASON)
class End(RecordCase):
    def test_duration_ends_the_command(self):
        self.record("--duration", "300ms", "--", self.program, "forever", until="work;burn")

    def test_a_duration_without_a_unit_is_one_of_seconds(self):
        _, err = self.record("-e", "cpu-clock", "--duration", "0.3", "--", self.program, "forever", until="work;burn")
        self.assertRegex(err, r"recorded 0\.[3-9]\d s|recorded [1-9]\d*\.\d\d s")

    def await_end(self, pids):
        deadline = time.monotonic() + 20
        while any(pathlib.Path(f"/proc/{pid}").exists() for pid in pids) and time.monotonic() < deadline:
            time.sleep(0.05)
        return [pid for pid in pids if pathlib.Path(f"/proc/{pid}").exists()]

    def test_processes_of_the_command_end_with_it(self):
        """Also those that do not end by themselves, but not a daemon, whose parent has ended before."""
        script = "exec > /dev/null 2>&1; sh -c 'sleep 600 & echo $! > daemon'; sleep 600 & echo $! > child; " \
                 "sh -c 'trap \"\" TERM; echo $$ > stubborn; sleep 600; sleep 600; sleep 600'"
        r = self.brazier("record", "-e", "cpu-clock", "--duration", "300ms", "-o", "out.folded", "--", "sh", "-c", script)
        self.assertIn("the command does not end, so it is killed", r.err)
        child, stubborn, daemon = (int(self.read(name)) for name in ("child", "stubborn", "daemon"))
        self.assertEqual([], self.await_end([child, stubborn]))
        os.kill(daemon, signal.SIGKILL)

    def test_processes_that_ignore_ctrl_c_end_with_the_second_one(self):
        (self.dir / "script").write_text(f"trap '' INT\n'{self.program}' stubborn & echo $! > child\n"
                                         f"'{self.program}' stubborn > /dev/null\n")
        code, err = self.interrupt("sh", str(self.dir / "script"), signals=2)
        self.assertEqual(128 + signal.SIGKILL, code, err)
        self.assertEqual([], self.await_end([int(self.read("child"))]))

    def test_a_signal_to_the_recorder_ends_the_processes_of_the_command(self):
        """The command ends at once, and those that it has started do not end with it by themselves."""
        script = "sleep 600 & echo $! > child; sh -c 'trap \"\" TERM; echo $$ > stubborn; sleep 600; sleep 600' & " \
                 "while [ ! -s stubborn ]; do :; done; echo ready; while :; do :; done"
        for sig in (signal.SIGTERM, signal.SIGINT):
            p = self.start("record", "-e", "cpu-clock", "-o", "out.folded", "--", "bash", "-c", f"set -m; {script}")
            self.assertEqual(b"ready\n", p.stdout.readline())
            p.send_signal(sig)
            child, stubborn = (int(self.read(name)) for name in ("child", "stubborn"))
            p.communicate(timeout=60)
            self.assertEqual(128 + sig, p.returncode)
            self.assertEqual([], self.await_end([child, stubborn]))
            (self.dir / "stubborn").unlink()

    def test_processes_that_start_while_the_command_ends_are_killed_too(self):
        """One that survives the signal starts others, which have its output: they were left over."""
        script = "sh -c 'trap \"\" TERM; echo $$ > stubborn; while :; do sleep 600 & echo $! >> started; sleep 0.3; done' & " \
                 "while [ ! -s started ]; do :; done; echo ready; while :; do :; done"
        p = self.start("record", "-e", "cpu-clock", "-o", "out.folded", "--", "bash", "-c", f"set -m; {script}")
        self.assertEqual(b"ready\n", p.stdout.readline())
        p.send_signal(signal.SIGTERM)
        p.communicate(timeout=60)
        self.assertEqual(128 + signal.SIGTERM, p.returncode)
        started = list(map(int, self.read("started").split()))
        self.assertGreater(len(started), 1)
        self.assertEqual([], self.await_end([int(self.read("stubborn")), *started]))

    def test_until_exit_lets_the_command_end(self):
        r = self.brazier("record", "-o", "out.folded", "--duration", "100ms", "--until-exit", "--", "sh", "-c",
                         f"'{self.program}' work 0.5; echo done; exit 3")
        self.assertEqual((3, "done\n"), (r.code, r.out), r)

    def test_until_exit_waits_for_processes_that_the_command_leaves(self):
        self.record("--until-exit", "--", "sh", "-c", f"'{self.program}' fork 0.5 & exec '{self.program}'",
                    until="child_work;burn")

    def test_a_delay(self):
        folded, _ = self.record("-g", "fp", "--delay", "200ms", "--duration", "400ms", "--", self.pointers, "forever",
                                until="main;work;burn")
        self.assert_callers(folded, "main;work;burn")

    def test_a_recording_that_ends_before_the_delay(self):
        for options in ([], ["--off-cpu"]):
            r = self.fails(1, "record", *options, "--delay", "600s", "--", self.program)
            self.assertIn("error: no samples: the recording ended before the time of --delay had passed\n", r.err)
            self.assertNotIn("recorded ", r.err)
            self.assertEqual([], self.files())

    @staticmethod
    def await_work(group):
        """Waits until a process of a group other than its leader has used 0.1 s of a processor, or one below it."""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
                with contextlib.suppress(OSError):
                    fields = path.read_text().rpartition(")")[2].split()
                    if int(fields[2]) == group != int(path.parent.name) and int(fields[11]) >= os.sysconf("SC_CLK_TCK") / 10:
                        return
            time.sleep(0.05)

    @staticmethod
    def await_receipt(p, number):
        """Waits until a process has received a signal: a second one before that would not count."""
        deadline = time.monotonic() + 60
        while p.poll() is None and time.monotonic() < deadline:
            pending = re.findall(r"^(?:Sig|Shd)Pnd:\s*(\w+)", pathlib.Path(f"/proc/{p.pid}/status").read_text(), re.M)
            if not any(int(mask, 16) & 1 << (number - 1) for mask in pending):
                return
            time.sleep(0.01)

    def interrupt(self, *command, signals=1):
        """Interrupts a recording like Ctrl-C: the signal goes to the recorder and to the command."""
        p = self.start("record", "-o", "out.folded", "--", *command, start_new_session=True)
        self.assertEqual(b"ready\n", p.stdout.readline())
        self.await_work(p.pid)
        for _ in range(signals):
            os.killpg(p.pid, signal.SIGINT)
            self.await_receipt(p, signal.SIGINT)
        out, err = p.communicate(timeout=60)
        deadline = time.monotonic() + 20
        with self.assertRaises(ProcessLookupError):
            while time.monotonic() < deadline:  # the system takes a moment to remove killed orphans
                os.killpg(p.pid, 0)
                time.sleep(0.05)
        return p.returncode, err.decode()

    def test_ctrl_c_ends_the_recording_and_not_the_picture(self):
        code, err = self.interrupt(str(self.program), "forever")
        self.assertEqual(128 + signal.SIGINT, code, err)
        self.assert_stacks(self.read("out.folded"), "work;burn")

    def test_a_command_that_ignores_ctrl_c(self):
        code, err = self.interrupt(str(self.program), "stubborn")
        self.assertEqual(128 + signal.SIGTERM, code, err)
        self.assert_stacks(self.read("out.folded"), "burn")
        code, err = self.interrupt(str(self.program), "stubborn", signals=2)
        self.assertEqual(128 + signal.SIGKILL, code, err)

    @staticmethod
    def is_running(program):
        """Returns whether a process executes a file."""
        for exe in pathlib.Path("/proc").glob("[0-9]*/exe"):
            try:
                if os.readlink(exe) == str(program):
                    return True
            except OSError:
                pass
        return False

    def test_nothing_is_left_after_a_kill(self):
        self.write("out.folded", "old")
        p = self.start("record", "-o", "out.folded", "--save", "x.perf.data", "--", str(self.program), "forever", env=self.environment(
            {"TMPDIR": str(self.dir)}))
        self.assertEqual(b"ready\n", p.stdout.readline())
        p.kill()
        p.wait()
        for stream in (p.stdin, p.stdout, p.stderr):
            stream.close()
        self.assertEqual(["out.folded"], self.files())
        self.assertEqual("old", self.read("out.folded"))
        deadline = time.monotonic() + 60
        while self.is_running(self.program) and time.monotonic() < deadline:
            time.sleep(0.05)
        self.assertFalse(self.is_running(self.program))

    def test_a_line_on_the_terminal(self):
        code, shown = self.on_terminal("record", "-o", "out.folded", "--", self.program, "work", "0.7")
        self.assertEqual(0, code, shown)
        self.assertRegex(shown, r"\rrecording \d\.\d s, \d+ samples?, \d+/s, 0 lost".replace("\\r", "\\r\x1b\\[K"))
        self.assertNotIn(" 1 samples", shown)
        self.assertNotIn("begins soon", shown)

    def test_a_line_on_the_terminal_before_the_delay_has_passed(self):
        _, shown = self.on_terminal("record", "-o", "out.folded", "--delay", "300ms", "--", self.program, "work", "0.7")
        self.assertIn("recording begins soon: 0.", shown)


if __name__ == "__main__":
    common.main(SampleLoader())
