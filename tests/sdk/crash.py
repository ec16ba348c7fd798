#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests crashing plug-ins: the message names the plug-in and its activity, and no incomplete files
are left. With --isolate only the current input is lost.

crash/crasher.c fails in the phase and manner given in the environment.
"""
import itertools
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

import common
from lib.sample import SampleLoader

WORDS = {"segv": ("segmentation fault", signal.SIGSEGV), "bus": ("bus error", signal.SIGBUS),
         "fpe": ("arithmetic error", signal.SIGFPE), "ill": ("illegal instruction", signal.SIGILL),
         "abort": ("abort", signal.SIGABRT), "overflow": ("segmentation fault", signal.SIGSEGV),
         "exit": ("the process was ended", None), "_exit": ("the process was ended", None)}
READING = ["sniff", "prelude", "boundary", "open", "parse", "merge", "finish", "close"]
DRAWING = ["apply", "prepare", "color", "legend", "write"]  # functions that make a picture of folded stacks
RANGES = {"sniff": "0-32", "prelude": "0-32", "boundary": r"\d+-\d+", "parse": r"\d+-\d+"}
# Signals whose handler is the same for each of them: every phase gets one, and every one some phases.
LIKE_SEGV = ["bus", "fpe", "ill"]


def ways_to_crash(phase):
    """Returns the ways to crash that a phase is tested with; all in an exhaustive run."""
    phases = READING + DRAWING
    other = LIKE_SEGV[phases.index(phase) % len(LIKE_SEGV)]
    return [how for how in WORDS if common.EXHAUSTIVE or how == other or how not in LIKE_SEGV]


TEXT = "crasher 1\nother 2\ncrasher 3\na 4\n"
FOLDED = "a 4\ncrasher 4\nother 2\n"
# Sanitizers install their own handlers and do not work in a sandbox.
IS_SANITIZED = common.SANITIZED


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))


class CrashCase(common.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = pathlib.Path(tempfile.mkdtemp(prefix="brazier-crash-")).resolve()
        cls.addClassCleanup(shutil.rmtree, folder)
        cls.plugin = folder / "crasher.so"
        common.compile_plugin(common.HERE / "crash" / "crasher.c", cls.plugin, "-D_GNU_SOURCE",
                              "-Wno-infinite-recursion")

    def setUp(self):
        super().setUp()
        self.input = self.write("in.txt", TEXT)

    def crash(self, phase, how, *words, env=None, **more):
        env = {"CRASH_PHASE": phase, "CRASH_HOW": how, "CRASH_FILE": self.dir / "victim", **(env or {})}
        return self.brazier("--plugin", self.plugin, *words, env=env, **more)

    def words_for(self, phase, *more):
        """Returns a command that reaches a phase."""
        if phase in DRAWING:
            legend = ["--set", "svg.legend=true"] if phase == "legend" else []
            transform = ["--transform", "crasher"] if phase == "apply" else []
            return ["flamegraph", *legend, *transform, "-p", "crasher", *more]
        how = ["guess"] if phase == "sniff" else ["crasher"]
        split = ["-j2", "--range-size", "10"] if phase in ("boundary", "merge") else ["-j1"]
        return ["collapse", *how, *split, *more]

    @staticmethod
    def processes(p):
        """Returns the ids of a running process and its children."""
        try:
            children = pathlib.Path(f"/proc/{p.pid}/task/{p.pid}/children").read_text().split()
        except OSError:
            children = []
        return [str(p.pid), *children]

    @classmethod
    def processor_time(cls, p):
        """Returns the seconds of processor time that a process and its children have used."""
        ticks = 0
        for pid in cls.processes(p):
            try:
                fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                ticks += int(fields[11]) + int(fields[12])
            except OSError:
                pass
        return ticks / os.sysconf("SC_CLK_TCK")

    def wait_until(self, p, is_there):
        """Waits for a condition, however slow the machine is, or for the end of the process."""
        if not os.path.isdir("/proc/self/fd"):
            time.sleep(2)
            return
        while p.poll() is None and not is_there():
            time.sleep(0.01)

    def wait_until_it_hangs(self, p):
        """Waits until a run has used more processor time than one whose plug-in does not hang, by far."""
        enough = 0.4 if IS_SANITIZED else 0.1
        self.wait_until(p, lambda: self.processor_time(p) > enough)

    def assert_nothing_is_left(self, before):
        self.assertEqual(before, sorted(p.name for p in self.dir.iterdir()))


@unittest.skipIf(IS_SANITIZED, "a sanitizer tells of crashes in its own way")
class Attribution(CrashCase):
    """Crashes in the program's own process."""

    def check(self, phase, how, end=None):
        out = self.write("out.crasher" if phase == "write" else "out.svg", "earlier\n")
        self.write("in.txt", FOLDED if phase in DRAWING else TEXT)
        before = sorted(p.name for p in self.dir.iterdir())
        p = self.crash(phase, how, *self.words_for(phase, "in.txt", "-o", out))
        words, sig = end or WORDS[how]
        self.assertEqual(1 if sig is None else -sig, p.returncode, p)
        lines = p.stderr.splitlines()
        self.assertEqual(2, len(lines), p.stderr)
        place = f", bytes {RANGES[phase]}" if phase in RANGES else ""
        subject = {"write": " of " + str(out)}.get(phase, "" if phase in DRAWING else " of in.txt")
        self.assertRegex(lines[0], re.escape(f"brazier: error: {words} in plug-in crasher 1.5 "
                                             f"({self.plugin}), {phase}") + place +
                         re.escape(subject) + "$")
        ways = "--no-plugins runs without third-party plug-ins"
        if phase in READING:
            ways += ", with --isolate only the input is lost"
        self.assertEqual(f"brazier: note: {ways}; report to https://example.org/crashes", lines[1])
        self.assertEqual("earlier\n", out.read_text())
        self.assert_nothing_is_left(before)

    def test_a_crash_when_it_is_loaded_names_the_file(self):
        for how in WORDS:
            with self.subTest(how=how):
                p = self.crash("load", how, "collapse", "crasher", "in.txt")
                words, sig = WORDS[how]
                self.assertEqual(1 if sig is None else -sig, p.returncode, p)
                self.assertIn(f"error: {words} in plug-in {self.plugin}, load\n", p.stderr)

    def test_an_exit_that_nothing_can_notice_fails_in_isolation(self):
        """In the program's own process a system call ends all, with the status that it has."""
        p = self.crash("parse", "raw-exit", "collapse", "crasher", "--isolate", "in.txt")
        self.assertEqual((1, ""), (p.returncode, p.stdout))
        self.assertIn("in.txt is left out: ", p.stderr)

    def test_all_ways_to_exit(self):
        for how in ("_Exit", "quick_exit", "thread-exit", "thread-_exit"):
            for phase in ("sniff", "parse", "color", "write"):
                with self.subTest(how=how, phase=phase):
                    self.check(phase, how, ("the process was ended", None))

    def test_frames_that_lie_nowhere_are_the_transforms(self):
        self.check("apply", "wild-frames", WORDS["segv"])

    def test_a_crash_of_a_thread_that_a_plugin_started_is_its_own(self):
        for phase in ("parse", "write"):
            self.check(phase, "thread-segv", ("segmentation fault", signal.SIGSEGV))

    def check_memory(self, phase, how, said):
        """Exhausts a small memory limit in a phase."""
        out = self.write("out.crasher" if phase == "write" else "out.svg", "earlier\n")
        self.write("in.txt", FOLDED if phase in DRAWING else TEXT)
        before = sorted(p.name for p in self.dir.iterdir())
        p = self.crash(phase, how, *self.words_for(phase, "in.txt", "-o", out),
                       preexec_fn=limit_memory)
        self.assertEqual((1, ""), (p.returncode, p.stdout), p)
        self.assertRegex(p.stderr, f"^brazier: error: out of memory{said}")
        self.assertEqual(1, p.stderr.count("\n"), p.stderr)
        self.assertEqual("earlier\n", out.read_text())
        self.assert_nothing_is_left(before)

    def test_memory_that_the_host_has_not_is_no_bug_of_the_plugin(self):
        for phase in ("prelude", "open", "parse", "finish", "prepare", "write"):
            with self.subTest(phase=phase):
                self.check_memory(phase, "memory", r" \(\d+ bytes wanted\)$")

    def test_a_plugin_that_finds_no_memory_is_not_reported_as_a_bug(self):
        for phase in READING + DRAWING:
            for how, word in (("malloc", "segmentation fault"), ("give-up", "the process was ended")):
                with self.subTest(phase=phase, how=how):
                    self.check_memory(phase, how, f": {word} in plug-in crasher .*, {phase}")

    def test_a_transform_in_isolation_fails_the_run_and_is_named(self):
        out = self.write("out.svg", "earlier\n")
        self.write("in.txt", FOLDED)
        for how in [*WORDS, "raw-exit", "wild-frames"]:
            with self.subTest(how=how):
                p = self.crash("apply", how, *self.words_for("apply", "in.txt", "-o", out, "--isolate"))
                self.assertEqual((1, "earlier\n"), (p.returncode, out.read_text()), p)
                self.assertRegex(p.stderr, r"^brazier: error: the transforms failed: .*plug-in crasher 1\.5[ ,]")
                self.assert_nothing_is_left(["in.txt", "out.svg"])

    def test_the_safe_mode_does_not_load_it(self):
        p = self.crash("load", "segv", "--no-plugins", "collapse", "folded", "in.txt")
        self.assertEqual((0, FOLDED), (p.returncode, p.stdout))


def attribution_test(phase, how):
    def test(self):
        self.check(phase, how)
    return test


for a_phase in READING + DRAWING:
    for a_how in ways_to_crash(a_phase):
        setattr(Attribution, f"test_{a_how}_in_{a_phase}_is_reported", attribution_test(a_phase, a_how))


class Misuse(CrashCase):
    """Invalid calls of the host by outputs and palettes. The zoo contains those by collapsers."""

    def check(self, phase, how, said, *words):
        out = self.write("out.crasher" if phase == "write" else "out.svg", "earlier\n")
        self.write("in.txt", FOLDED if phase in DRAWING else TEXT)
        before = sorted(p.name for p in self.dir.iterdir())
        p = self.crash(phase, how, *self.words_for(phase, *words, "in.txt", "-o", out))
        self.assertEqual((1, ""), (p.returncode, p.stdout), p)
        self.assertIn(f"brazier: error: {said}", p.stderr)
        self.assertEqual("earlier\n", out.read_text())
        self.assert_nothing_is_left(before)

    def culprit(self, phase):
        return f" in plug-in crasher 1.5 ({self.plugin}), {phase}"

    def test_a_function_without_a_context(self):
        said = "it called the host from a function that has no context"
        self.check("boundary", "no-context", said + self.culprit("boundary"))
        self.check("boundary", "no-context", "in.txt is left out: " + said, "--isolate")

    def test_a_thread_of_its_own(self):
        said = "it called the host on a thread of its own"
        for phase in ("parse", "prepare"):
            self.check(phase, "thread-host", said + self.culprit(phase))
        self.check("parse", "thread-host", "in.txt is left out: " + said, "--isolate")

    def test_arguments_that_are_invalid(self):
        self.check("write", "no-node", "crasher: color: a node that the tree does not have")
        self.check("write", "no-colors", "crasher: background: the array is NULL")
        self.check("write", "no-legend", "crasher: legend: the tree or the legend is NULL or too short")

    def test_an_output_that_reports_a_saturated_profile(self):
        self.write("in.txt", FOLDED)
        p = self.crash("write", "saturated", *self.words_for("write", "in.txt", "-o", "out.crasher"))
        self.assertEqual(0, p.returncode, p)
        self.assertIn("warning: crasher: a sum is too large", p.stderr)


class Closing(CrashCase):
    """`close` of palettes, outputs and transforms, which is called last whatever happened before."""

    def check(self, out, status):
        self.write("in.txt", FOLDED)
        for role in ("palette", "output", "transform"):
            p = self.crash(f"close-{role}", "talk", "flamegraph", "-p", "crasher", "--transform", "crasher",
                           "in.txt", "--to", "crasher", "-o", out)
            self.assertEqual(status, p.returncode, p)
            self.assertEqual(3, p.stderr.count("warning: crasher: a "), p)

    def test_they_are_closed_once_after_a_picture(self):
        self.check("out.crasher", 0)
        self.assertEqual("half of it\n", (self.dir / "out.crasher").read_text())

    def test_they_are_closed_once_after_a_failed_write(self):
        self.check("/dev/full", 1)


class ProcessState(CrashCase):
    """Changes of the working directory and the umask, on which the outputs of a run depend."""

    def check(self, phase, how, said):
        out = "out.crasher" if phase == "write" else "out.svg"
        self.write("in.txt", FOLDED if phase in DRAWING else TEXT)
        words = self.words_for(phase, "in.txt", *([] if phase == "sniff" else ["-o", out]))
        p = self.crash(phase, how, *words, preexec_fn=lambda: os.umask(0o027))
        self.assertEqual(0, p.returncode, p)
        self.assertRegex(p.stderr, rf"^brazier: warning: .* changed {said}; restored\n$")
        function = {"open": "parse", "boundary": "parse", "merge": "finish"}.get(phase, phase)
        self.assertIn("one of output " if phase in ("color", "legend", "write")
                      else f"plug-in crasher 1.5 ({self.plugin}), {function}: ", p.stderr)
        self.assertIn(f"({self.plugin})", p.stderr)
        if phase != "sniff":
            self.assertEqual(0o640, (self.dir / out).stat().st_mode & 0o777)
            (self.dir / out).unlink()

    def test_chdir_in_any_phase(self):
        for phase in READING + DRAWING:
            with self.subTest(phase=phase):
                self.check(phase, "chdir", "the working directory")

    def test_umask_in_any_phase(self):
        for phase in READING + DRAWING:
            with self.subTest(phase=phase):
                self.check(phase, "umask", "the umask")

    def test_both_at_once(self):
        self.check("parse", "chdir-umask", "the working directory and the umask")

    @unittest.skipIf(IS_SANITIZED, "a sanitizer tells of crashes in its own way")
    def test_a_crash_after_that_leaves_no_temporary_files(self):
        self.write("in.txt", FOLDED)
        p = self.crash("write", "chdir-segv", "flamegraph", "in.txt", "-o", "out.crasher")
        self.assertEqual(-signal.SIGSEGV, p.returncode)
        self.assert_nothing_is_left(["in.txt"])


class Hang(CrashCase):
    """A plug-in that does not return, in the program's own process."""

    def interrupt(self, phase, signals, how="hang", patience="0.1"):
        """The end of a run that gets signals while the plug-in hangs in a phase. It is ended after `patience`
        seconds; None is the default of the program."""
        out = self.write("out.crasher" if phase == "write" else "out.svg", "earlier\n")
        self.write("in.txt", FOLDED if phase in DRAWING else TEXT)
        before = sorted(p.name for p in self.dir.iterdir())
        ready = self.dir / "ready"
        bare = {k: v for k, v in os.environ.items() if not k.startswith("BRAZIER")}
        p = subprocess.Popen([common.BRAZIER, "--plugin", self.plugin,
                              *self.words_for(phase, "in.txt", "-o", out)],
                             cwd=self.dir, stderr=subprocess.PIPE, text=True,
                             env={**bare, "CRASH_PHASE": phase, "CRASH_HOW": how,
                                  "CRASH_READY": str(ready),
                                  **({} if patience is None else {"BRAZIER_STOP_SECONDS": patience})})
        while p.poll() is None and not ready.exists():
            time.sleep(0.01)
        for sig in signals:
            p.send_signal(sig)
        try:
            _, err = p.communicate(timeout=120)
        except subprocess.TimeoutExpired:
            p.kill()
            p.communicate()
            self.fail(f"{phase}: it does not end")
        ready.unlink()
        self.assertEqual("earlier\n", out.read_text())
        self.assert_nothing_is_left(before)
        return p.returncode, err

    def test_one_signal_ends_it_and_says_where(self):
        for i, phase in enumerate(READING + DRAWING):
            sig = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)[i % 3]
            with self.subTest(phase=phase):
                status, err = self.interrupt(phase, [sig], how="doze")
                self.assertEqual(128 + sig, status, err)
                self.assertIn("error: it did not stop when asked to in plug-in crasher 1.5 "
                              f"({self.plugin}), {phase}", err)

    def test_one_sigterm_or_sigint_ends_a_hang_in_sniff_or_parse(self):
        """Each phase and each signal meets a plug-in that uses the processor, and one that does not."""
        ways = [("sniff", signal.SIGTERM, "hang"), ("sniff", signal.SIGINT, "doze"),
                ("parse", signal.SIGTERM, "doze"), ("parse", signal.SIGINT, "hang")]
        for phase, sig, usual in ways:
            for how in ["hang", "doze"] if common.EXHAUSTIVE else [usual]:
                with self.subTest(phase=phase, sig=sig, how=how):
                    status, err = self.interrupt(phase, [sig], how=how)
                    self.assertEqual(128 + sig, status, err)
                    self.assertIn(f"crasher 1.5 ({self.plugin}), {phase}", err)

    def test_one_that_sleeps(self):
        status, err = self.interrupt("parse", [signal.SIGTERM], how="sleep", patience=None)
        self.assertEqual(143, status)
        self.assertIn("it did not stop when asked to in plug-in crasher", err)

    def test_a_sniffer_has_a_budget(self):
        """The budget is processor time, so that other load does not exhaust it."""
        for words, seconds, said in (
                (["guess", "in.txt"], "1 second", ""),
                (["run", "in.txt", "-o", "out.svg"], "0.25 seconds", ""),
                (["guess", "--isolate", "in.txt"], "0.2 seconds", "in.txt is left out: ")):
            p = self.brazier("--plugin", self.plugin, *words,
                             env={"CRASH_PHASE": "sniff", "CRASH_HOW": "hang",
                                  "BRAZIER_SNIFF_SECONDS": seconds.split()[0]})
            self.assertEqual((1, ""), (p.returncode, p.stdout), p.stderr)
            self.assertIn(f"brazier: error: {said}it took more than {seconds} of processor time in "
                          f"plug-in crasher 1.5 ({self.plugin}), sniff, bytes 0-32 of in.txt\n",
                          p.stderr)
            self.assert_nothing_is_left(["in.txt"])

    def test_a_sniffer_that_hangs_loses_each_input_that_is_guessed(self):
        self.write("good.folded", "x 5\n")
        p = self.brazier("--plugin", self.plugin, "merge", "--isolate", "-f", "guess", "in.txt",
                         "good.folded", env={"CRASH_PHASE": "sniff", "CRASH_HOW": "hang",
                                             "BRAZIER_SNIFF_SECONDS": "0.2"})
        self.assertEqual((1, ""), (p.returncode, p.stdout))
        self.assertEqual(2, p.stderr.count("is left out: it took more than 0.2 seconds"))

    def test_one_that_is_being_loaded(self):
        status, err = self.interrupt("load", [signal.SIGTERM])
        self.assertEqual(143, status)
        self.assertIn(f"it did not stop when asked to in plug-in {self.plugin}, load", err)

    def test_two_signals_leave_nothing_behind_either(self):
        ways = ["hang", "doze"] if common.EXHAUSTIVE else ["doze"]
        for phase, how in itertools.product(("parse", "write"), ways):
            status, _ = self.interrupt(phase, [signal.SIGTERM, signal.SIGTERM], how=how, patience=None)
            self.assertIn(status, (-signal.SIGTERM, 143))  # the second may come too late


@unittest.skipUnless(os.path.isdir("/proc/self/fd"), "needs /proc")
class Truncation(CrashCase):
    """Truncates an input while a collapser reads it."""

    SIZE, LEFT = 6 << 20, 2 << 20

    def truncate_during(self, phase, *words, size=SIZE, left=LEFT):
        """Truncates the input once the program has opened it. Returns the status and the messages."""
        big = self.write("big.txt", "a 4\n" * (size // 4))
        out = self.write("out.folded", "earlier\n")
        bare = {k: v for k, v in os.environ.items() if not k.startswith("BRAZIER")}
        ready = self.dir / "ready"
        is_confined = "--isolate" in words  # and may not write a file
        p = subprocess.Popen([common.BRAZIER, "--plugin", self.plugin, "collapse", "crasher",
                              *words, big, "-o", out], cwd=self.dir,
                             env={**bare, "CRASH_PHASE": phase, "CRASH_HOW": "wait",
                                  "CRASH_SIZE": str(left), **({} if is_confined else {"CRASH_READY": str(ready)})},
                             stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                             text=True)
        if is_confined:  # the plug-in waits, so the size has been examined
            while p.poll() is None and not self.has_open(p.pid, big):
                time.sleep(0.01)
            self.wait_until_it_hangs(p)
        else:
            self.wait_until(p, ready.exists)
        os.truncate(big, left)
        _, err = p.communicate(timeout=300)
        ready.unlink(missing_ok=True)
        self.assertEqual("earlier\n", out.read_text())
        self.assertEqual(["big.txt", "in.txt", "out.folded"],
                         sorted(x.name for x in self.dir.iterdir()))
        return p.returncode, err

    @staticmethod
    def has_open(pid, path):
        return any(os.path.realpath(fd) == str(path)
                   for fd in pathlib.Path(f"/proc/{pid}/fd").iterdir())

    def check(self, phase, *words, **more):
        status, err = self.truncate_during(phase, *words, **more)
        self.assertEqual((1, f"brazier: error: {self.dir}/big.txt: cannot be read: it became "
                             "shorter while it was read\n"), (status, err))

    def test_one_thread(self):
        self.check("parse", "-j1")

    def test_many_threads(self):
        self.check("parse", "-j4", "--range-size", "100000")

    def test_while_a_boundary_is_looked_for(self):
        self.check("boundary", "-j2", "--range-size", "3000000")

    def test_to_less_than_the_collapser_has_seen(self):
        self.check("parse", "-j2", left=1000)

    def test_between_the_look_at_the_beginning_and_the_rest(self):
        self.check("prelude", "-j1")
        self.check("open", "-j4", "--range-size", "100000")

    @unittest.skipIf(IS_SANITIZED, "there is no filter with a sanitizer")
    def test_in_isolation(self):
        for words in (["-j1"], ["-j3", "--range-size", "100000"]):
            self.check("parse", "--isolate", *words)


class Isolation(CrashCase):
    """Crashes with --isolate."""

    def check_lost(self, phase, how, said, place=None):
        """Checks that the input is lost with a message and that the rest of the run continues."""
        self.write("good.folded", "x 5\n")
        before = sorted(p.name for p in self.dir.iterdir())
        words = self.words_for(phase, "--isolate", "in.txt")
        p = self.crash(phase, how, *words)
        self.assertEqual((1, ""), (p.returncode, p.stdout), p)
        lines = p.stderr.splitlines()
        place = place or (f", bytes {RANGES[phase]}" if phase in RANGES else "")
        attribution = re.escape(f" in plug-in crasher 1.5 ({self.plugin}), {phase}")
        self.assertRegex(lines[0], f"^brazier: error: in.txt is left out: {said}{attribution}"
                                   f"{place} of in.txt$")
        self.assertEqual("brazier: note: --no-plugins runs without third-party plug-ins; report to "
                         "https://example.org/crashes", lines[1])
        self.assertEqual(2, len(lines))
        self.assert_nothing_is_left(before)

    @unittest.skipIf(IS_SANITIZED, "a sanitizer tells of crashes in its own way")
    def test_a_crash_in_any_phase_loses_the_input(self):
        for phase in READING:
            for how in ways_to_crash(phase):
                with self.subTest(phase=phase, how=how):
                    self.check_lost(phase, how, WORDS[how][0])

    @unittest.skipIf(IS_SANITIZED, "there is no filter with a sanitizer")
    def test_what_a_collapser_has_no_use_for_is_forbidden(self):
        if "seccomp" not in self.brazier("collapse", "folded", "--isolate", "-v", "in.txt").stderr:
            self.skipTest("this kernel has no seccomp")
        victim = self.write("victim", "alive\n")
        calls = {"open": "openat", "unlink": "unlink(at)?", "socket": "socket", "fork": "clone|fork",
                 "exec": "execve", "kill": "kill", "code": "mmap", "write": "write",
                 "handler": "rt_sigaction", "raw-exit": "exit_group", "chdir": "chdir",
                 "umask": "umask"}
        for phase in ("sniff", "parse", "boundary"):  # the last one in several threads
            for how, call in calls.items():
                with self.subTest(phase=phase, how=how):
                    self.check_lost(phase, how, f"forbidden system call ({call})")
                    self.assertEqual("alive\n", victim.read_text())

    def test_a_call_that_a_c_library_can_do_without_fails_only(self):
        """musl registers for memory barriers when the first thread starts."""
        p = self.crash("parse", "membarrier", "collapse", "crasher", "--isolate", "in.txt")
        self.assertEqual((0, FOLDED, ""), (p.returncode, p.stdout, p.stderr))

    @unittest.skipIf(IS_SANITIZED, "there is no filter with a sanitizer")
    def test_threads_of_their_own_are_named_too(self):
        if "seccomp" not in self.brazier("collapse", "folded", "--isolate", "-v", "in.txt").stderr:
            self.skipTest("this kernel has no seccomp")
        for how, said in (("open", "forbidden system call openat"), ("segv", "segmentation fault"),
                          ("exit", "the process was ended")):
            p = self.crash("parse", how, "collapse", "crasher", "--isolate", "-j2", "--range-size",
                           "8", stdin=TEXT)
            self.assertEqual((1, ""), (p.returncode, p.stdout))
            self.assertIn(f"stdin is left out: {said} in plug-in crasher 1.5 ", p.stderr)

    @unittest.skipIf(IS_SANITIZED, "there is no filter with a sanitizer")
    def test_a_plugin_that_speaks_for_its_process_is_not_believed(self):
        """The plug-in does not know the pipe, so it tries every descriptor."""
        found = 0
        for fd in range(3, 10):
            p = self.brazier("--plugin", self.plugin, "collapse", "crasher", "--isolate", "-j1",
                             "in.txt", env={"CRASH_PHASE": "parse", "CRASH_HOW": "lie",
                                            "CRASH_FILE": fd})
            self.assertEqual((1, ""), (p.returncode, p.stdout))
            self.assertRegex(p.stderr, "in.txt is left out: (forbidden system call write|"
                                       "its process sent invalid data: .*) "
                                       r"(in |\()plug-in crasher 1.5")
            found += "sent invalid data: " in p.stderr
        self.assertEqual(1, found)

    @unittest.skipIf(IS_SANITIZED, "there is no limit with a sanitizer")
    def test_memory_without_end_is_not_given(self):
        for phase in ("prelude", "parse"):
            self.check_lost(phase, "memory", r"out of memory \(\d+ bytes wanted\)")

    def test_what_it_logs_is_said_and_made_harmless(self):
        p = self.crash("parse", "talk", "collapse", "crasher", "--isolate", "-j1", "in.txt")
        self.assertEqual((0, FOLDED), (p.returncode, p.stdout))
        self.assertEqual(["brazier: warning: crasher: a \\x1b[31mword"] * 3, p.stderr.splitlines())

    def test_reports_of_all_inputs_are_said_as_without_it(self):
        for name in ("one", "two"):
            self.write(f"{name}.folded", f"{name} 1\nno count\nnor here\n{name};b 2\n")
        files = ["one.folded", "in.txt", "two.folded"]
        self.write("in.txt", "a;b 1\nodd\n")
        for split in (["-j1"], ["-j3", "--range-size", "8"]):
            for more in ([], ["-v"]):
                plain = self.brazier("merge", "-f", "folded", *split, *more, *files)
                isolated = self.brazier("merge", "-f", "folded", "--isolate", *split, *more, *files)
                said = [x for x in isolated.stderr.splitlines() if "read in isolation" not in x]
                self.assertEqual((0, plain.stdout), (isolated.returncode, isolated.stdout))
                self.assertEqual(plain.stderr.splitlines(), said)
                self.assertIn("two.folded:2:1: warning: " if more else "and 4 more", plain.stderr)

    def test_nothing_is_written_if_all_inputs_are_lost(self):
        self.write("b.txt", "b 2\n")
        out = self.write("out.folded", "earlier\n")
        p = self.crash("sniff", "exit", "merge", "--isolate", "in.txt", "b.txt", "-o", out)
        self.assertEqual((1, "earlier\n"), (p.returncode, out.read_text()))
        self.assertEqual(2, p.stderr.count("is left out"))

    def test_good_inputs_are_merged_without_the_bad_one(self):
        self.write("good.folded", "x 5\n")
        self.write("better.folded", "y 6\n")
        for names in (["good.folded", "in.txt", "better.folded"],
                      ["in.txt", "good.folded", "better.folded"]):
            p = self.crash("parse", "exit", "merge", "--isolate", *names)
            self.assertEqual((1, "x 5\ny 6\n"), (p.returncode, p.stdout), p.stderr)
            self.assertIn("in.txt is left out", p.stderr)

    def test_a_comparison_needs_both_sides(self):
        self.write("good.folded", "x 5\n")
        out = self.write("out.svg", "earlier\n")
        for names in (["good.folded", "in.txt"], ["in.txt", "good.folded"]):
            p = self.crash("parse", "exit", "diff", "--isolate", *names, "-o", out)
            self.assertEqual((1, "earlier\n"), (p.returncode, out.read_text()))
            self.assertIn("in.txt is left out", p.stderr)

    def test_a_comparison_is_the_same(self):
        self.write("good.folded", "x 5\na 1\n")
        plain = self.brazier("--plugin", self.plugin, "diff", "good.folded", "in.txt")
        isolated = self.brazier("--plugin", self.plugin, "diff", "good.folded", "in.txt", "--isolate")
        self.assertEqual((0, plain.stdout), (isolated.returncode, isolated.stdout))

    def test_only_the_guess_is_isolated_too(self):
        p = self.brazier("--plugin", self.plugin, "guess", "--isolate", "in.txt")
        self.assertEqual((0, "in.txt: crasher (89)\n"), (p.returncode, p.stdout.replace("90", "89")))
        p = self.crash("sniff", "exit", "guess", "--isolate", "in.txt", self.write("b", "b 1\n"))
        self.assertEqual((1, ""), (p.returncode, p.stdout))
        self.assertEqual(2, p.stderr.count("is left out: the process was ended in plug-in crasher"))

    def test_yaml_asks_for_it_and_the_command_line_has_the_last_word(self):
        self.write("brazier.yaml", "version: 1\npipelines:\n  one:\n    inputs: in.txt\n"
                                   "    collapse: crasher\n    isolate: true\n"
                                   "    outputs: [{use: folded, to: '-'}]\n")
        words = ["--config", "brazier.yaml", "run", "one"]
        self.assertIn("in.txt is left out", self.crash("parse", "exit", *words).stderr)
        self.assertNotIn("left out", self.crash("parse", "exit", *words, "--no-isolate").stderr)
        p = self.brazier("--plugin", self.plugin, *words, "-v")
        self.assertEqual((0, FOLDED), (p.returncode, p.stdout), p)
        self.assertIn("in.txt: read in isolation: ", p.stderr)
        self.write("brazier.yaml", "pipelines: {one: {isolate: perhaps}}\n")
        self.assertIn("isolate is true or false", self.brazier(*words).stderr)

    # ---- plug-ins that do not end --------------------------------------------------------------

    def interrupt(self, *words, sig=signal.SIGINT, **env):
        bare = {k: v for k, v in os.environ.items() if not k.startswith("BRAZIER")}
        # The child is ended after its own time; the message may take longer under load.
        bare.update({"HOME": "/nonexistent", "BRAZIER_STOP_SECONDS": "60", **env})
        p = subprocess.Popen([common.BRAZIER, "--plugin", self.plugin, *map(str, words)], env=bare,
                             cwd=self.dir, text=True, stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(p.stdin.close)
        self.addCleanup(p.stdout.close)
        self.addCleanup(p.stderr.close)
        if "CRASH_HOW" in env:
            self.wait_until_it_hangs(p)
        else:
            self.wait_until(p, lambda: len(self.processes(p)) > 1)
        p.send_signal(sig)
        try:
            p.wait(timeout=120)
        except subprocess.TimeoutExpired:
            p.kill()
            p.wait()
        return p.returncode, p.stdout.read(), p.stderr.read()

    def test_ctrl_c_ends_what_hangs_and_says_where(self):
        status, out, err = self.interrupt("collapse", "crasher", "--isolate", "-j1", "in.txt",
                                          CRASH_PHASE="parse", CRASH_HOW="hang")
        self.assertEqual((130, ""), (status, out))
        self.assertIn("in.txt is left out: it did not stop when asked to in plug-in crasher "
                      f"1.5 ({self.plugin}), parse, bytes 0-32 of in.txt\n", err)

    def test_ctrl_c_during_a_hang_ends_the_run_with_all_inputs(self):
        self.write("good.folded", "x 5\n")
        for phase, split in (("parse", ["-j1"]), ("parse", ["-j3", "--range-size", "8"])):
            status, out, err = self.interrupt("merge", "--isolate", *split, "in.txt", "good.folded",
                                              CRASH_PHASE=phase, CRASH_HOW="hang")
            self.assertEqual((130, ""), (status, out), err)
            self.assertIn("in.txt is left out: it did not stop", err)

    def test_another_signal_ends_the_run(self):
        self.write("good.folded", "x 5\n")
        status, out, _ = self.interrupt("merge", "--isolate", "in.txt", "good.folded",
                                        sig=signal.SIGTERM, CRASH_PHASE="parse", CRASH_HOW="hang")
        self.assertEqual((143, ""), (status, out))

    def test_ctrl_c_while_it_waits_for_input_ends_the_run(self):
        self.write("good.folded", "x 5\n")
        status, out, err = self.interrupt("merge", "-f", "folded", "--isolate", "-", "good.folded")
        self.assertEqual((130, "", ""), (status, out, err))

    def test_no_child_outlives_the_program(self):
        mark = f"{self.dir}/in.txt"
        bare = {"HOME": "/nonexistent", "CRASH_PHASE": "parse", "CRASH_HOW": "hang"}
        p = subprocess.Popen([common.BRAZIER, "--plugin", self.plugin, "collapse", "crasher",
                              "--isolate", mark], env=bare, stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL)
        self.wait_until_it_hangs(p)
        p.kill()
        p.wait()
        for _ in range(1000):
            if mark not in subprocess.run(["ps", "-eo", "args"], capture_output=True,
                                          text=True).stdout:
                return
            time.sleep(0.05)
        self.fail("it lives on")


class Limits(CrashCase):
    """Exceeds --max-memory and --max-time."""

    def limited(self, phase, how, *words, **more):
        """Returns the messages of a run that fails in a phase; checks that no file has changed."""
        out = self.write("out.crasher" if phase == "write" else "out.svg", "earlier\n")
        self.write("in.txt", FOLDED if phase in DRAWING else TEXT)
        before = sorted(p.name for p in self.dir.iterdir())
        p = self.crash(phase, how, *self.words_for(phase, "in.txt", "-o", out, *words), **more)
        self.assertEqual((1, ""), (p.returncode, p.stdout), p)
        self.assertEqual("earlier\n", out.read_text())
        self.assert_nothing_is_left(before)
        return p.stderr

    def limited_in_time(self, phase, how, *limits):
        """Returns the first of some limits, in seconds, within which a run comes as far as a phase, which does not end,
        and the messages of that run. On a busy machine, a run may exceed a limit before it calls the plug-in."""
        ready = self.plugin.with_name("ready")
        for limit in limits:
            said = self.limited(phase, how, "--max-time", f"{limit}s", env={"CRASH_READY": ready})
            if ready.exists():
                ready.unlink()
                return limit, said
            self.assertEqual(f"brazier: error: the run takes longer than {limit}s, the limit (max-time)\n", said)
        self.fail(f"{phase} is not called")

    @unittest.skipIf(IS_SANITIZED, "there is no limit with a sanitizer")
    def test_memory_of_the_host_and_of_plugins_counts(self):
        limit = r"(out of memory \(.*max-memory is 67108864\)|more memory than 64M, the limit \(max-memory\))"
        for phase in ("prelude", "parse", "apply", "prepare", "write"):
            for how in ("memory", "malloc"):
                for isolate in ([], ["--isolate"]):
                    with self.subTest(phase=phase, how=how, isolate=isolate):
                        said = self.limited(phase, how, "--max-memory", "64M", *isolate)
                        self.assertRegex(said, limit)
                        self.assertNotIn("report to", said)

    @unittest.skipIf(IS_SANITIZED, "there is no filter with a sanitizer")
    def test_memory_that_the_system_does_not_count_is_refused_in_isolation(self):
        if "seccomp" not in self.brazier("collapse", "folded", "--isolate", "-v", "in.txt").stderr:
            self.skipTest("this kernel has no seccomp")
        forbidden, full = "forbidden system call mmap", r"out of memory \(max-memory is 67108864\): abort"
        for how, said in (("shared", forbidden), ("shared-validated", forbidden),
                          ("stack", forbidden), ("read-only", full)):
            with self.subTest(how=how):
                self.assertRegex(self.limited("parse", how, "--isolate", "--max-memory", "64M"),
                                 f"in.txt is left out: {said} in plug-in crasher")

    @unittest.skipIf(IS_SANITIZED, "a sanitizer tells of crashes in its own way")
    def test_what_does_not_end_is_ended_and_named(self):
        for phase, how in (("parse", "hang" if common.EXHAUSTIVE else "doze"), ("prepare", "doze")):
            limit, said = self.limited_in_time(phase, how, "0.1", "1", "10", "100")
            self.assertIn(f"brazier: error: the run takes longer than {limit}s, the limit (max-time) in "
                          f"plug-in crasher 1.5 ({self.plugin}), {phase}", said)

    def test_what_does_not_end_in_isolation_is_lost(self):
        said = self.limited("parse", "hang", "--isolate", "--max-time", "100ms")
        self.assertIn("in.txt is left out: it did not stop when asked to", said)
        self.assertIn("error: the run takes longer than 0.1s, the limit (max-time)\n", said)

    def test_time_passes_while_a_pipe_says_nothing(self):
        read, write = os.pipe()
        self.addCleanup(os.close, write)
        p = subprocess.run([common.BRAZIER, "collapse", "folded", "--max-time", "100ms"], stdin=read,
                           capture_output=True, text=True)
        os.close(read)
        self.assertEqual((1, ""), (p.returncode, p.stdout))
        self.assertIn("the run takes longer than 0.1s", p.stderr)

    @unittest.skipIf(IS_SANITIZED, "there is no limit with a sanitizer")
    def test_a_guess_has_limits(self):
        for how, words, said in (
                ("hang" if common.EXHAUSTIVE else "doze", ["--max-time", "100ms"], "the run takes longer than 0.1s, the limit "
                 f"(max-time) in plug-in crasher 1.5 ({self.plugin}), sniff"),
                ("hang" if common.EXHAUSTIVE else "block", ["--max-time", "100ms", "--isolate"],
                 "in.txt is left out: it did not stop when asked to in plug-in crasher"),
                ("malloc", ["--max-memory", "64M"], "out of memory (max-memory is 67108864)"),
                ("malloc", ["--max-memory", "64M", "--isolate"],
                 "in.txt is left out: out of memory (max-memory is 67108864)")):
            with self.subTest(how=how, words=words):
                p = self.crash("sniff", how, "guess", "in.txt", *words)
                self.assertEqual((1, ""), (p.returncode, p.stdout), p)
                self.assertIn(f"brazier: error: {said}", p.stderr)
        p = self.brazier("guess", "--max-memory", "1G", "--max-time", "1h", self.write("b", "b 1\n"))
        self.assertEqual((0, ""), (p.returncode, p.stderr))

    def test_limits_that_are_not_reached_change_nothing(self):
        for isolate in ([], ["--isolate"]):
            p = self.brazier("--plugin", self.plugin, "collapse", "crasher", "in.txt", "--max-memory",
                             "2G", "--max-time", "1h", *isolate)
            self.assertEqual((0, FOLDED, ""), (p.returncode, p.stdout, p.stderr))

    def test_yaml_has_limits_and_the_command_line_has_the_last_word(self):
        self.write("brazier.yaml", "pipelines:\n  one:\n    inputs: in.txt\n    collapse: crasher\n"
                                   "    isolate: true\n    max-time: 100ms\n"
                                   "    outputs: [{use: folded, to: '-'}]\n")
        words = ["--config", "brazier.yaml", "run", "one"]
        how = "hang" if common.EXHAUSTIVE else "block"
        self.assertIn("longer than 0.1s", self.crash("parse", how, *words).stderr)
        p = self.brazier("--plugin", self.plugin, *words, "--max-time", "1h")
        self.assertEqual((0, FOLDED, ""), (p.returncode, p.stdout, p.stderr))

    def test_bad_limits_are_refused(self):
        for option, kind in (("--max-memory", "a size, such as 512M"),
                             ("--max-time", "a duration, such as 90s")):
            for value in ("0", "-1", "much", "", "1 %"):
                for command in (["collapse", "folded"], ["guess"]):
                    p = self.brazier(*command, "in.txt", option, value)
                    self.assertEqual((2, f"brazier: error: {option} takes {kind}, not '{value}'\n"),
                                     (p.returncode, p.stderr))
            self.write("brazier.yaml", f"pipelines: {{one: {{{option[2:]}: 0}}}}\n")
            p = self.brazier("--config", "brazier.yaml", "run", "one", "in.txt")
            self.assertEqual(2, p.returncode)
            self.assertIn(f"{option[2:]} is {kind}", p.stderr)


if __name__ == "__main__":
    common.main(SampleLoader())
