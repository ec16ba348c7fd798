#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the picture of a recording that goes on: brazier record --live."""
import os
import platform
import re
import shlex
import signal
import sys
import unittest
import pathlib

import screen

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "cli"))
import recording  # noqa: E402
from lib.sample import SampleLoader  # noqa: E402

LONG = "600"  # seconds of a program that a test ends


class Live(screen.Case, recording.RecordCase):
    def setUp(self):
        super().setUp()
        r = self.brazier("record", "-o", "try.folded", "--", str(self.pointers), "work")
        if r.code != 0:
            self.skipTest("this machine refuses to record: " + r.err.splitlines()[-1])

    def live(self, *words, command="record", **more):
        line = self.command([command, "--live", *map(str, words)])
        return screen.Screen(self, " ".join(shlex.quote(w) for w in line), **more)

    def burning(self, what, seconds=LONG):
        return ["--", str(self.pointers), what, seconds]

    def samples(self, s):
        """The weight of the root in nanoseconds, as far as the screen shows it."""
        number, unit = re.search(r"^([0-9.]+) (ns|µs|ms|s|min)\b", s.shows(r"^[0-9.]+ \S+, self"), re.M).groups()
        return float(number) * {"ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9, "min": 6e10}[unit]

    def burned(self, s):
        """The seconds of a function in the table."""
        return float(re.search(r"^ *([0-9.]+) s .*% +burn *$", s.shows(r"^ *[0-9.]+ s .*% +burn *$"), re.M)[1])

    def test_the_picture_grows_until_the_user_quits(self):
        s = self.live("-e", "cpu-clock", "-o", "out.folded", *self.burning("work"), size=(100, 24))
        s.shows("burn")
        s.shows("all .*live [0-9]+ s")
        first = self.samples(s)
        for _ in range(600):
            if self.samples(s) > first:
                break
        self.assertGreater(self.samples(s), first)
        s.type("q")
        s.shows("ended with (0|130|143)")
        s.shows("^ echo")
        self.assertRegex(self.read("out.folded"), "(?m)work;burn")

    def test_it_stays_after_the_end_of_the_command(self):
        s = self.live("-o", "out.folded", *self.burning("work", "2"), size=(100, 24))
        s.shows("ended$")
        s.type("k", "k", "k")
        s.shows("main|_start|work")
        s.type("q")
        s.shows("ended with 0")
        self.assertRegex(self.read("out.folded"), "(?m)work;burn")

    def test_a_zoom_and_a_search_stay_in_newer_pictures(self):
        s = self.live(*self.burning("work"), size=(100, 24))
        s.shows("burn")
        s.type("/", "burn", "Enter", "n", "Enter")
        s.shows(r"/burn: 1 of [0-9]+ frame.*100.00%|/burn: [0-9]+ frame")
        s.type("R")
        s.shows("from R on.*/burn")
        s.shows("^burn .*from R on")
        s.shows("of the selection")
        s.type("BSpace")
        s.shows("of all$")
        s.type("q")
        s.shows("ended with")

    def test_the_table_grows_and_its_row_stays_chosen(self):
        s = self.live("-e", "cpu-clock", *self.burning("work"), size=(100, 24))
        s.shows("burn")
        s.type("t")
        s.shows("^ *[*]self .*function")
        s.type("o", "Home", "j")
        chosen = s.shows("^2 of [0-9]+ functions live [0-9]+ s *$").split("\n")[2].split()[-1]
        first = self.burned(s)
        for _ in range(600):
            if self.burned(s) > first:
                break
        self.assertGreater(self.burned(s), first)
        s.type("Enter")
        s.shows(f"^{chosen} ")
        s.type("q")
        s.shows("ended with")

    def test_pause_and_parts(self):
        s = self.live("--recent", "2s", *self.burning("work"), size=(100, 24))
        s.shows("burn")
        s.type("p")
        s.shows("paused")
        s.type("Space", "a")
        s.shows("live [0-9]+ s, last 2 s")
        s.type("a")
        s.shows("live [0-9]+ s$")
        s.type("q")
        s.shows("ended with")

    def test_signals_leave_the_terminal_as_it_was(self):
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            s = self.live(*self.burning("work"), size=(100, 24))
            s.shows("burn")
            os.kill(s.process(), number)
            s.shows("ended with")
            s.shows("^ echo")
            self.assertIn("recorded", s.text())
            s.end()

    def test_the_commands_output_follows_the_picture(self):
        s = self.live("--", "sh", "-c", f"echo said; echo complained >&2; exec {self.pointers} work 2; ", size=(100, 24))
        self.assertNotIn("said", s.shows("burn"))
        s.shows("ended$")
        s.type("q")
        s.shows("^said")
        s.shows("^complained")
        s.shows("ended with 0")

    def test_a_running_process(self):
        p = recording.subprocess.Popen([self.pointers, "work", LONG])
        self.addCleanup(p.wait)
        self.addCleanup(p.kill)
        s = self.live("-p", p.pid, command="view", size=(100, 24))
        s.shows("burn")
        s.type("q")
        s.shows("ended with 0")
        self.assertIsNone(p.poll())

    @unittest.skipUnless(platform.machine() == "x86_64", "the function is code for x86-64")
    def test_code_of_a_compiler_gets_its_name_while_it_runs(self):
        """Its map is written after the first samples."""
        self.write("compiler.c", recording.COMPILER_AT_RUN_TIME)
        recording.subprocess.run([recording.COMPILER, "-O1", "-fno-omit-frame-pointer", "-o", self.dir / "compiler",
                                  self.dir / "compiler.c"], check=True)
        p = recording.subprocess.Popen([self.dir / "compiler", "0", "20000"], stdout=recording.subprocess.DEVNULL)
        self.addCleanup(lambda: pathlib.Path(f"/tmp/perf-{p.pid}.map").unlink(missing_ok=True))
        self.addCleanup(p.wait)
        self.addCleanup(p.kill)
        s = self.live("-g", "fp", "-p", p.pid, "-o", "out.folded", command="view", size=(100, 24))
        s.shows("made_at_run_time")
        self.assertIsNone(p.poll())
        s.type("q")
        s.shows("ended with 0")
        folded = self.read("out.folded")
        self.assertRegex(folded, "(?m)^compiler;.*made_at_run_time ")
        self.assertNotIn(f"[perf-{p.pid}.map]", folded)

    def test_samples_of_a_program_that_sleeps_are_shown(self):
        """No later record says that nothing is missing before them."""
        s = self.live("-e", "cpu-clock", "--", "sh", "-c", f"{self.pointers} work 0.2; exec sleep {LONG}", size=(100, 24))
        s.shows("^.?burn")
        for _ in range(100):
            if self.samples(s) > 1.9e8:
                break
        self.assertGreater(self.samples(s), 1.9e8)
        s.type("q")
        s.shows("ended with")

    def test_a_process_that_never_runs_ends_with_the_reason(self):
        p = recording.subprocess.Popen(["sleep", LONG])
        self.addCleanup(p.wait)
        self.addCleanup(p.kill)
        stat = pathlib.Path(f"/proc/{p.pid}/stat")
        while ") S " not in stat.read_text() or "(sleep)" not in stat.read_text():
            pass
        s = self.live("-p", p.pid, size=(100, 24))
        s.shows("recording .*0 samples")
        os.kill(s.process(), signal.SIGINT)
        s.shows("error: no samples: the program hardly ran")
        s.shows("ended with 1$")

    def test_the_code_of_the_kernel_has_names_through_sudo(self):
        self.skip_unless_nobody_can_run()
        symbols = pathlib.Path("/proc/kallsyms")
        if not symbols.exists() or symbols.read_text()[:16].strip("0") == "":
            self.skipTest("the system hides the kernel's addresses")
        recording.Sudo(self.top)
        os.chown(self.dir, recording.NOBODY, recording.NOBODY)
        line = ["setpriv", "--reuid", recording.NOBODY, "--clear-groups", "env", f"PATH={self.top}/bin:{os.environ['PATH']}",
                *self.command(["record", "--live", "--root", "-o", "out.folded", "--", "dd", "if=/dev/zero", "of=/dev/null",
                               "bs=1"])]
        s = screen.Screen(self, " ".join(shlex.quote(str(w)) for w in line), size=(200, 24))
        self.assertNotIn("kernel.kallsyms", s.shows("do_syscall_64|ksys_|__arm64_sys|el0_svc"))
        s.type("q")
        s.shows("ended with")
        self.assertNotIn("kernel.kallsyms", self.read("out.folded"))

    def test_a_resized_terminal(self):
        s = self.live(*self.burning("work"), size=(100, 24))
        s.shows("burn")
        s.tmux("resize-window", "-x", "40", "-y", "10")
        s.shows("^.burn")
        s.type("q")
        s.shows("ended with")

    def test_it_needs_a_terminal(self):
        r = self.brazier("record", "--live", *self.burning("work", "0.1"))
        self.assertEqual(1, r.code, r)
        self.assertIn("standard output is not a terminal", r.err)

    def test_options_that_exclude_it(self):
        for words in (["--isolate"], ["--post-process", "cat"]):
            r = self.brazier("record", "--live", *words, *self.burning("work", "0.1"))
            self.assertEqual(2, r.code, r)
            self.assertIn("--live excludes", r.err)
        r = self.brazier("record", "--recent", "2s", *self.burning("work", "0.1"))
        self.assertEqual((2, True), (r.code, "--recent needs --live" in r.err))

    def test_a_value_of_another_option_is_no_live(self):
        for words, message in ((["--editor", "--live"], "--editor belongs to --web"),
                               (["--keep", "--live"], "standard output is not a terminal"),
                               (["-w", "--live"], "standard output is not a terminal")):
            r = self.brazier("view", *words, "no-such-file")
            self.assertIn(message, r.err, words)


if __name__ == "__main__":
    screen.main(SampleLoader())
