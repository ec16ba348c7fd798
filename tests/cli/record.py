#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests `brazier record` with small programs, where the kernel permits recording: options, commands, events and files."""
import os
import pathlib
import platform
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys
import time
import unittest

import common
from lib.sample import SampleLoader
from recording import COMPILER, HAS_PERF_DATA, PERF, REASON, RecordCase


def sees_tracepoints():
    """Returns whether this process may see which tracepoints there are."""
    return any(os.access(f"{folder}/events", os.R_OK | os.X_OK)
               for folder in ("/sys/kernel/tracing", "/sys/kernel/debug/tracing"))


class Options(common.Case):
    """Tests what needs no permission."""

    def assert_usage(self, words, *args):
        err = self.fails(2, "record", *args).err
        for word in words:
            self.assertIn(word, err)
        self.assertEqual([], self.files())

    def test_something_must_be_recorded(self):
        self.assert_usage(["nothing to record", "-p PID"])
        self.assert_usage(["either processes (-p, -t), or all (-a)"], "-a", "-p", "1")
        self.assert_usage(["either processes (-p, -t), or all (-a)"], "-p", "1", "--cgroup", "x", "--", "true")

    def test_a_letter_that_means_something_else_in_other_commands(self):
        self.assert_usage(["-t is --tid here and takes a number, not 'folded'", "--to FORMAT"], "-t", "folded", "--", "true")
        self.assert_usage(["-p is --pid here and takes a number, not 'hot'", "pgrep", "--palette NAME"], "-phot", "--", "true")
        self.assert_usage(["--tid: 'folded' is not a number"], "--tid", "folded", "--", "true")

    def test_invalid_values(self):
        for args, words in ((["-F", "0"], ["--freq", "'0'", "number from 1"]),
                            (["-F", "fast"], ["--freq", "'fast'"]),
                            (["-c", "-3"], ["--period", "'-3'"]),
                            (["-g", "dwarf,99999"], ["--call-graph", "65528"]),
                            (["-g", "fast"], ["--call-graph", "fp", "dwarf"]),
                            (["-p", "1,x"], ["--pid", "'1,x'"]),
                            (["--duration", "0"], ["--duration", "10s"]),
                            (["--kernel", "maybe"], ["--kernel", "yes, no or auto"]),
                            (["-F", "9", "-c", "9"], ["exclude each other"]),
                            (["--from", "perf"], ["--from", "'perf'", "perf-data"]),
                            (["--frq", "9"], ["'--frq'", "'--freq'"])):
            self.assert_usage(words, *args, "--", "true")

    def test_texts_that_are_empty_or_forgotten_are_refused(self):
        """They are those of a variable that is not set, or the words in front of the command."""
        for option, what in (("--save", "the name of a file"), ("--post-process", "a command"),
                             ("--cgroup", "the name of a control group")):
            self.assert_usage([f"{option}: '' is not {what}"], option, "", "--", "touch", "ran")
            self.assert_usage([f"{option}: '--' is not {what}"], option, "--", "touch", "ran")

    def test_a_recording_is_not_saved_to_standard_output(self):
        self.assert_usage(["--save: '-' is not the name of a file"], "--save", "-", "--", "touch", "ran")
        self.assertEqual([], self.files())

    def test_options_that_have_no_effect_are_refused(self):
        self.assert_usage(["--until-exit needs a command"], "-p", os.getpid(), "--until-exit", "--duration", "1s")
        self.assert_usage(["--keep-files needs --save"], "--keep-files", "--", "touch", "ran")
        if os.geteuid() != 0:  # --root means nothing to root
            self.assert_usage(["--keep-files and --root exclude"], "--keep-files", "--root", "--save", "x", "--", "touch", "ran")
        if not HAS_PERF_DATA:
            return
        for option in (["--wall-clock"], ["--states"], ["--off-cpu-min=1ms"]):
            self.assert_usage([f"{option[0].partition('=')[0]} needs --off-cpu"], *option, "--", "touch", "ran")
        for option in (["--wakers"], ["--off-cpu", "--wakers"], ["--off-cpu", "--wakeup-depth", "2"]):
            self.assert_usage([" needs --wakeup"], *option, "--", "touch", "ran")

    @unittest.skipUnless(HAS_PERF_DATA, "built without elfutils")
    def test_options_about_waits_may_be_turned_off_without_them(self):
        for option in ("--wall-clock=false", "--states=no", "--wakers=off", "--no-wall-clock"):
            self.assert_usage(["--weight: 'other' is not recorded"], option, "-w", "other", "--", "touch", "ran")

    def test_a_weight_that_is_not_recorded_is_refused(self):
        """A recording that takes long would be lost."""
        for words in ([], ["-e", "cpu-clock,page-faults"], ["--off-cpu"]):
            self.assert_usage(["--weight: 'page-fault' is not recorded"], *words, "-w", "page-fault", "--", "touch", "ran")
        self.assert_usage(["--weight: 'off-cpu' is not recorded"], "-w", "off-cpu", "--", "touch", "ran")

    def test_the_call_graph_option_of_perf_is_explained(self):
        """It has no value."""
        for words in (["-g", "--"], ["-ag", "--"], ["-g", "-o", "x.svg", "--"], ["-g", "--kernel=no"]):
            self.assert_usage(["--call-graph needs fp, dwarf, dwarf,SIZE, auto or none; callers are recorded without it, too"],
                              *words, "touch", "ran")

    def test_an_output_that_is_named_like_a_recording_is_refused(self):
        """With perf, -o names the recording."""
        self.assert_usage(["-o x.perf.data would be a picture; --save x.perf.data keeps the recording"], "-o", "x.perf.data",
                          "--", "touch", "ran")

    def test_an_invalid_output_is_reported_before_the_command_runs(self):
        r = self.brazier("record", "--to", "sgv", "--", "touch", "ran")
        self.assertEqual(2, r.code, r)
        self.assertIn("sgv", r.err)
        self.assertEqual([], self.files())

    def test_an_output_that_cannot_be_written_is_reported_before_the_command_runs(self):
        """A recording that takes long would be lost."""
        (self.dir / "folder.svg").mkdir()
        for outputs, word in ((["-o", "missing/x.svg"], "'missing': it does not exist"),
                              (["-o", "x.svg", "-o", "missing/x.folded"], "'missing': it does not exist"),
                              (["-o", "folder.svg"], "it is a folder")):
            r = self.brazier("record", *outputs, "--", "touch", "ran")
            self.assertEqual(1, r.code, r)
            self.assertIn(word, r.err)
            self.assertEqual([], self.files())

    def test_the_default_output_follows_no_link(self):
        self.write("secret", "old")
        (self.dir / "flame.svg").symlink_to("secret")
        r = self.brazier("record", "--", "touch", "ran")
        self.assertEqual(1, r.code, r)
        self.assertIn("refused: 'flame.svg' is a symbolic link, and only -o FILE follows links", r.err)
        self.assertEqual("old", self.read("secret"))
        self.assertEqual(["flame.svg", "secret"], self.files())

    @unittest.skipUnless(HAS_PERF_DATA, "this build has no collapser perf-data")
    def test_the_help_shows_each_option_once(self):
        """Options of the collapser whose names the command has cannot be given by these names."""
        names = re.findall(r"^ +(?:-\w, )?--(?:\[no-\])?([\w-]+)", self.brazier("record", "--help").out, re.M)
        self.assertIn("wall-clock", names)
        for name in ("kernel", "off-cpu", "pid", "tid", "wakeup"):
            self.assertEqual(1, names.count(name), name)

    def test_unknown_events(self):
        for event, code, words in (("cpu-clok", 2, ["'cpu-clok'", "'cpu-clock'"]), ("", 2, ["no event ''"]),
                                   ("cycles,", 2, ["no event ''"]),
                                   ("cycles,page-faults,cylces", 2, ["'cylces'", "'cycles'"]),
                                   ("cpu-clok:u", 2, ["no event 'cpu-clok'", "'cpu-clock'"]),
                                   ("cpu-clock:z", 2, ["no modifier 'z' in 'cpu-clock:z'"]),
                                   ("cpu-clock:", 2, ["no event 'cpu-clock:'"]),
                                   ("sched:sched_switch:q", 2, ["no modifier 'q' in 'sched:sched_switch:q'"]),
                                   ("sched:nonsense", 2 if sees_tracepoints() else 1, ["sched:nonsense"])):
            r = self.brazier("record", "-e", event, "--", "touch", "ran")
            self.assertEqual(code, r.code, r)
            for word in words:
                self.assertIn(word, r.err)
            self.assertEqual([], self.files())

    @unittest.skipUnless(os.geteuid() == 0, "only root may see tracepoints")
    def test_an_unknown_tracepoint_is_bad_usage_where_tracepoints_can_be_seen(self):
        mount = 'mount -t tracefs none /sys/kernel/tracing || exit 77; exec "$0" "$@"'
        words = self.command(["record", "-e", "sched:sched_swich:u", "--", "touch", "ran"])
        p = subprocess.run(["unshare", "--mount", "sh", "-c", mount, *words], cwd=self.dir, text=True,
                           env=self.environment(), capture_output=True, timeout=120)
        if p.returncode == 77 or "unshare: " in p.stderr:
            self.skipTest("tracefs cannot be mounted")
        self.assertEqual(2, p.returncode, p.stderr)
        self.assertIn("no tracepoint 'sched:sched_swich'; did you mean 'sched:sched_switch'?", p.stderr)
        self.assertEqual([], self.files())


@unittest.skipIf(REASON, REASON)
class Record(RecordCase):
    # ---- commands ----

    def test_a_program_is_recorded(self):
        folded, err = self.record("--", self.program, until="^program;.*main;work;burn")
        self.assert_callers(folded, "^program;.*main;work;burn")
        self.assertIn("out.folded is written", err)
        self.assertRegex(err, r"recorded \d+\.\d\d s, \d+ samples of (cycles|cpu-clock)")
        self.assertEqual(["out.folded"], self.files())

    def test_the_default_output_is_a_picture(self):
        r = self.brazier("record", "-F", "500", "--title", "My program", "--", self.program)
        self.assertEqual(0, r.code, r)
        self.assertEqual(["flame.svg"], self.files())
        self.assertIn("My program", self.read("flame.svg"))
        self.brazier("record", "--to", "folded", "--", self.program)
        self.assertEqual(["flame.folded", "flame.svg"], self.files())

    def test_options_of_the_picture_have_the_names_of_run(self):
        r = self.brazier("record", "--colors", "aqua", "--hash", "-o", "x.svg", "--post-process", "cat", "--",
                         self.program)
        self.assertEqual(0, r.code, r)
        r = self.brazier("record", "--colors", "aqua", "--random", "-o", "x.svg", "--", self.program)
        self.assertEqual(0, r.code, r)

    def test_frame_pointers(self):
        folded, err = self.record("--", self.pointers, until="^pointers;.*main;work;burn")
        self.assert_callers(folded, "^pointers;.*main;work;burn")
        self.assertIn("callers by frame pointers, since", err)

    def test_the_choice_of_a_method_looks_at_the_program_behind_a_script(self):
        self.write("script", f"#!{self.pointers}\n").chmod(0o755)
        _, err = self.record("--", "./script")
        self.assertRegex(err, f"callers by frame pointers, since [0-9]+ of [0-9]+ functions of {self.pointers} keep")
        (self.dir / "script").unlink()

    def test_the_choice_of_a_method_looks_at_the_program_behind_env(self):
        for words in ("", "-S ", "-S A=1 "):
            self.write("script", f"#!/usr/bin/env {words}{self.pointers}\n").chmod(0o755)
            _, err = self.record("--", "./script")
            self.assertRegex(err, f"callers by frame pointers, since [0-9]+ of [0-9]+ functions of {self.pointers} keep")
        (self.dir / "script").unlink()

    def test_the_choice_of_a_method_skips_folders_in_path(self):
        (self.top / "bin" / "pointers").mkdir(parents=True)
        _, err = self.record("--", "pointers", env={"PATH": f"{self.top}/bin:{self.folder}:{os.environ['PATH']}"})
        self.assertRegex(err, f"since [0-9]+ of [0-9]+ functions of {self.pointers} keep")

    @unittest.skipUnless(os.uname().machine == "x86_64", "the choice looks at code of x86-64")
    def test_the_choice_of_a_method_looks_at_main(self):
        """Most functions may come from a library with frame pointers that is linked into the program."""
        self.write("library.c", "int work(int);\n" + "".join(f"int f{i}(int x) {{ return work(x) + {i}; }}\n" for i in range(200)))
        self.write("main.c", "int work(int), f0(int);\n"
                   "int main(int n, char **v) { if (n < 2) return 0; return work(f0(n)) + **v; }\n")
        self.write("work.c", "int work(int n) { volatile int i = n; for (; i < 10000000; i++); return 0; }\n")

        def build(*sources):
            subprocess.run([COMPILER, "-o", "p", *sources], cwd=self.dir, check=True)
            return self.record("-e", "cpu-clock", "--", "./p", "x", code=ord("."))[1]
        for name, flag in (("library", "-fno-omit-frame-pointer"), ("main", "-fomit-frame-pointer"),
                           ("work", "-fomit-frame-pointer"), ("main-with", "-fno-omit-frame-pointer")):
            subprocess.run([COMPILER, "-O2", flag, "-c", "-o", f"{name}.o", name.split("-")[0] + ".c"], cwd=self.dir,
                           check=True)
        lacks = "callers by copies of stacks, since main() of ./p keeps no frame pointer"
        self.assertIn(lacks, build("main.o", "library.o", "work.o"))
        self.assertIn(lacks, build("-s", "-no-pie", "main.o", "library.o", "work.o"))
        # A main() that saves the frame pointer after its first branch.
        self.assertIn("callers by frame pointers, since", build("main-with.o", "library.o", "work.o"))

    @unittest.skipUnless(shutil.which("clang") and shutil.which("ld.lld"), "no compiler for arm64")
    def test_the_choice_of_a_method_on_arm64(self):
        """Functions that call nothing have no frame there and do not count."""
        if platform.machine() not in ("x86_64", "aarch64"):
            self.skipTest("other processors have frame pointers only")
        callers = "".join(f"int f{i}(int x) {{ return g(x) + {i}; }}\n" for i in range(20))
        leaves = "".join(f"int h{i}(int x) {{ return x * {i}; }}\n" for i in range(60))
        self.write("p.c", f"__attribute__((noinline)) int g(int x) {{ return x ^ 5; }}\n{callers}{leaves}"
                          "void _start(void) { for (;;) g(1); }\n")
        for flags, words in ((["-fno-omit-frame-pointer"], "frame pointers, since 20 of 20 functions"),
                             (["-fno-omit-frame-pointer", "-mbranch-protection=standard"],
                              "frame pointers, since 20 of 20 functions"),
                             (["-fomit-frame-pointer"], "copies of stacks, since 0 of 20 functions")):
            subprocess.run(["clang", "--target=aarch64-linux-gnu", "-O1", *flags, "-funwind-tables", "-nostdlib",
                            "-fuse-ld=lld", "-Wl,--eh-frame-hdr", "-o", "p", "p.c"], cwd=self.dir, check=True)
            r = self.brazier("record", "-e", "cpu-clock", "--duration", "100ms", "-o", "out.folded", "--", "./p")
            self.assertIn(f"callers by {words} of ./p keep a frame pointer", r.err)

    @unittest.skipUnless(shutil.which("objcopy"), "there is no objcopy")
    def test_go_programs_have_frame_pointers(self):
        self.write("table", "x")
        subprocess.run(["objcopy", "--add-section", ".gopclntab=table", self.program, "go"], cwd=self.dir, check=True)
        _, err = self.record("--", "./go")
        self.assertIn("callers by frame pointers, since ./go is a Go program", err)

    def test_programs_of_32_bits_are_recorded_by_frame_pointers(self):
        with open(self.program, "rb") as f:
            program = bytearray(f.read())
        program[4] = 1 # ELFCLASS32
        self.write("small", bytes(program))
        os.chmod(self.dir / "small", 0o755)
        r = self.brazier("record", "-e", "cpu-clock", "--duration", "100ms", "-o", "out.folded", "--", "./small")
        self.assertIn("callers by frame pointers, since ./small is not a 64-bit program, whose stacks can be unwound",
                      r.err)

    @unittest.skipUnless(COMPILER, "no compiler")
    def test_compiled_code_of_java_has_frame_pointers_on_request(self):
        self.write("jli.c", "void launch(void) {}\n")
        self.write("main.c", "void launch(void);\nint main(void) { launch(); return 0; }\n")
        subprocess.run([COMPILER, "-shared", "-fPIC", "-o", "libjli.so", "jli.c"], cwd=self.dir, check=True)
        subprocess.run([COMPILER, "-O2", "-fomit-frame-pointer", "-o", "java", "main.c", "libjli.so",
                        "-Wl,-rpath,$ORIGIN"], cwd=self.dir, check=True)
        r = self.brazier("record", "-e", "cpu-clock", "-o", "out.folded", "--", "./java")
        self.assertIn("callers by frame pointers, since ./java starts a Java virtual machine, whose compiled code has "
                      "them with -XX:+PreserveFramePointer", r.err)

    def test_a_missing_program_is_the_only_message(self):
        for name in ("./missing", "missing-program"):
            r = self.brazier("record", "--", name)
            self.assertEqual(127, r.code)
            self.assertEqual(f"brazier: error: cannot execute '{name}': no such program\n", r.err)

    def test_times_of_the_scheduler_that_are_not_counted_are_refused(self):
        for words, option in ((["--wakeup", "-w", "wakers"], "--wakers"),
                              (["--off-cpu", "-w", "wakers"], "--wakeup --wakers"),
                              (["--off-cpu", "-w", "wall-clock"], "--wall-clock")):
            r = self.brazier("record", *words, "--", self.program)
            self.assertEqual(2, r.code)
            self.assertIn(f"--weight {words[2]} needs {option}, which counts it", r.err)

    @unittest.skipUnless(shutil.which("g++"), "there is no C++ compiler")
    def test_inlined_functions_of_cpp_have_their_namespace_and_class(self):
        self.write("p.cc", """
            #define INLINED inline __attribute__((always_inline))
            static volatile long sink;
            namespace shop {
            struct Till { INLINED void add(long n) { for (long i = 0; i < n; i++) sink += i; } };
            namespace { INLINED void hide(long n) { for (long i = 0; i < n; i++) sink ^= i; } }
            }
            int main() { shop::Till t; for (int i = 0; i < 400; i++) { t.add(300000); shop::hide(300000); } }
        """)
        subprocess.run(["g++", "-O2", "-g", "-o", "p", "p.cc"], cwd=self.dir, check=True)
        folded, _ = self.record("-e", "cpu-clock", "--", "./p", until="main;shop::Till::add ")
        self.assertRegex(folded, r"(?m)main;shop::\(anonymous namespace\)::hide \d+$")
        self.assertNotRegex(folded, ";(add|hide)[; ]")

    def test_copies_of_stacks(self):
        folded, err = self.record("-g", "dwarf,4096", "--", self.program, until="^program;.*main;work;burn")
        self.assert_callers(folded, "^program;.*main;work;burn")
        self.assertNotIn("callers by", err)

    def test_no_callers(self):
        self.record("-g", "none", "--", self.program, until=r"^program;burn \d+$")

    def test_children_and_threads(self):
        folded, _ = self.record("--", self.program, "fork", until="^program;.*child_work;burn")
        self.assert_callers(folded, "^program;.*child_work;burn")
        folded, _ = self.record("--", self.program, "thread", until="^(helper|program);.*thread_work;burn")
        self.assert_callers(folded, "^(helper|program);.*thread_work;burn")

    def test_the_status_of_the_command_is_kept(self):
        self.record("-F", "9999", "--", "sh", "-c", f"'{self.program}'; exit 7", code=7)
        self.record("--", "sh", "-c", f"'{self.program}'; kill -9 $$", code=128 + 9)

    def test_a_signal_that_ends_the_command_is_reported(self):
        """The shell does not report it, since it sees the status of brazier."""
        for name, number in (("SEGV", 11), ("KILL", 9)):
            _, err = self.record("--", "sh", "-c", f"'{self.program}'; kill -{name} $$", code=128 + number)
            self.assertIn(f"warning: the command was ended by signal {number}: {signal.strsignal(number)}\n", err)
        _, err = self.record("--", "sh", "-c", f"'{self.program}'; exit 139", code=139)
        self.assertNotIn("signal", err)

    def test_the_status_of_the_command_is_kept_below_a_parent_that_ignores_children(self):
        p = self.below(lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN), "record", "-o", "out.folded", "--", "sh",
                       "-c", f"'{self.program}'; exit 7")
        self.assertEqual(7, p.returncode, p.stderr)

    def test_a_command_below_nohup_outlives_a_hang_up(self):
        p = self.below(lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN), "record", "-o", "out.folded", "--", "sh",
                       "-c", f"kill -HUP $PPID; kill -HUP $$; '{self.program}'; echo end; exit 5")
        self.assertEqual((5, "end\n"), (p.returncode, p.stdout), p.stderr)
        self.assert_stacks(self.read("out.folded"), "work;burn")

    def test_a_command_that_cannot_be_executed(self):
        self.write("out.folded", "old")
        self.write("data", "no program")
        self.write("script", "#!/nonsense/interpreter\n").chmod(0o755)
        for name, word in (("./nonsense", "no such program"), ("./data", "Permission denied"),
                           ("./script", "the interpreter that it names does not exist")):
            folded, err = self.record("--", name, code=127)
            self.assertIn(f"cannot execute '{name}': {word}", err)
            self.assertEqual("old", folded)

    def test_words_of_the_command_are_not_options(self):
        r = self.brazier("record", "-o", "out.folded", "sh", "-c", f"echo $0 $1; '{self.program}'", "-o", "x.svg")
        self.assertEqual((0, "-o x.svg\n"), (r.code, r.out), r)
        self.assertEqual(["out.folded"], self.files())

    def test_the_command_has_the_streams_and_signals_of_the_shell(self):
        r = self.brazier("record", "-o", "out.folded", "--", sys.executable, "-c",
                         "import signal, sys\n"
                         "print(sys.stdin.read(), signal.pthread_sigmask(signal.SIG_BLOCK, []))\n"
                         "sum(range(3000000))", stdin="given")
        self.assertEqual("given set()\n", r.out, r)

    def test_a_command_that_exits_at_once(self):
        r = self.brazier("record", "-o", "out.folded", "-F", "10", "--", self.program, "exit", "0")
        if r.code != 0:  # most often, there is no sample
            self.assertEqual(1, r.code, r)
            self.assertRegex(r.err, "no samples: the program hardly ran in .* ms; -F sets a higher frequency, brazier "
                                    r"record --off-cpu -- \S+ draws where it waits")
            self.assertEqual([], self.files())

    def test_the_recording_in_isolation(self):
        self.record("-g", "fp", "--isolate", "--", self.pointers, until="^pointers;")

    # ---- events ----

    def test_events_are_columns(self):
        r = self.brazier("record", "-e", "cpu-clock,page-faults", "-e", "task-clock", "-o", "out.folded", "--save",
                         "x.perf.data", "--", "sh", "-c", f"'{self.program}' touch; '{self.program}' work 0.2")
        self.assertEqual(0, r.code, r)
        self.assertEqual(self.brazier("run", "x.perf.data", "-w", "cpu-clock", "-t", "folded").out.split()[-1],
                         self.read("out.folded").split()[-1], "not the first event")
        folded = self.brazier("run", "x.perf.data", "-w", "page-faults", "-t", "folded").out
        self.assert_stacks(folded, ";touch")
        self.assertLess(self.amount(folded, ""), 1e6, "page faults, not nanoseconds")
        for clock in ("cpu-clock", "task-clock"):
            folded = self.brazier("run", "x.perf.data", "-w", clock, "-t", "folded").out
            self.assert_stacks(folded, r";work;burn \d{6,}$")  # nanoseconds

    def test_a_period(self):
        folded, _ = self.record("-g", "fp", "-e", "page-faults", "-c", "1", "--", self.pointers, "touch", "1000")
        self.assertIn(self.amount(folded, ";touch"), range(1000, 1100))

    def test_a_frequency_that_is_too_high_is_lowered(self):
        limit = pathlib.Path("/proc/sys/kernel/perf_event_max_sample_rate").read_text().strip()
        _, err = self.record("-g", "fp", "-e", "page-faults", "-F", "99999999", "--", self.program, "touch")
        self.assertIn(f"{limit} samples per second of page-faults instead of 99999999", err)

    def test_the_highest_frequency(self):
        limit = pathlib.Path("/proc/sys/kernel/perf_event_max_sample_rate").read_text().strip()
        _, err = self.record("-g", "fp", "-e", "page-faults", "-F", "max", "--", self.program, "touch")
        self.assertIn(f"note: {limit} samples per second of page-faults, the most that the kernel permits", err)

    def test_the_highest_frequency_of_a_clock_leaves_the_program_time(self):
        """The kernel slows no clock down, so that a program would not end."""
        if int(pathlib.Path("/proc/sys/kernel/perf_event_max_sample_rate").read_text()) <= 10000:
            self.skipTest("the kernel permits no more")
        for words in (["-F", "max"], ["-F", "99999999"], ["-F", "10001"]):
            _, err = self.record("-g", "dwarf", "-e", "cpu-clock,task-clock", *words, "--save", "x.perf.data", "--", self.program)
            for clock in ("cpu-clock", "task-clock"):
                self.assertIn(f"note: 10000 samples per second of {clock}: more of a clock would leave the program no time\n",
                              err)
            self.assertNotIn("kernel permits", err)
        _, err = self.record("-g", "fp", "-e", "cpu-clock", "-F", "10000", "--", self.program)
        self.assertNotIn("samples per second", err)

    def test_an_event_that_does_not_occur(self):
        """A higher frequency is no remedy."""
        r = self.fails(1, "record", "-e", "context-switches", "--kernel", "no", "--", self.program, "sleep")
        self.assertRegex(r.err, r"no samples: context-switches did not occur outside the kernel within \d+ ms\n")

    def test_an_event_that_occurs_less_often_than_the_period(self):
        r = self.fails(1, "record", "-e", "cpu-clock", "-c", "600000000000", "--", self.program)
        self.assertRegex(r.err, r"no samples: cpu-clock did not reach the 600000000000 of --period within \d+ ms\n")

    def test_an_event_that_is_named_twice_counts_once(self):
        folded, err = self.record("-g", "fp", "-e", "page-faults,page-faults", "-c", "1", "-e", "page-faults", "--",
                                  self.pointers, "touch", "1000")
        self.assertIn(self.amount(folded, ";touch"), range(1000, 1100))
        self.assertRegex(err, r"samples of page-faults\n")

    def test_the_status_of_a_command_that_fails_is_kept_without_samples(self):
        r = self.brazier("record", "-e", "major-faults", "-o", "out.folded", "--", self.program, "exit", "7")
        self.assertEqual(7, r.code, r)
        self.assertIn("error: no samples", r.err)
        self.fails(1, "record", "-e", "major-faults", "--ignore-status", "-o", "out.folded", "--", self.program, "exit",
                   "7")
        self.assertEqual([], self.files())

    @staticmethod
    def await_sleep(pid):
        """Waits until a process that executes `sleep` waits."""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            name, state = re.search(r"\((.*)\) (\w)", pathlib.Path(f"/proc/{pid}/stat").read_text()).groups()
            if (name, state) == ("sleep", "S") and "nanosleep" in pathlib.Path(f"/proc/{pid}/wchan").read_text():
                return
            time.sleep(0.05)

    def test_a_process_that_waits_all_the_time(self):
        p = subprocess.Popen(["sleep", "600"])
        self.addCleanup(p.wait)
        self.addCleanup(p.kill)
        self.await_sleep(p.pid)
        for options in ([], ["--off-cpu"]):
            r = self.fails(1, "record", *options, "-p", p.pid, "--duration", "300ms", "-o", "out.folded")
            self.assertIn(f"gdb -p {p.pid} -batch -ex 'thread apply all bt' | brazier run - ", r.err)
            self.assertNotIn("--switch-events", r.err)

    def test_files_of_parts_are_announced_as_such(self):
        r = self.brazier("record", "--split-by", "process", "-o", "x-{process}.folded", "--", self.program)
        self.assertEqual(0, r.code, r)
        self.assertIn("note: x-{process}.folded is written for each process\n", r.err)

    @unittest.skipUnless(os.geteuid() == 0, "only root may record context switches and tracepoints")
    def test_context_switches_and_tracepoints(self):
        self.record("-e", "context-switches", "--", self.program, "sleep", until="main")
        if not os.access("/sys/kernel/tracing/events/sched", os.R_OK):
            self.skipTest("tracefs is not mounted")
        self.record("-e", "sched:sched_switch", "--save", "x.perf.data", "--", self.program, "sleep", until="main")
        if PERF:
            text = subprocess.run([PERF, "script", "-i", "x.perf.data"], cwd=self.dir, capture_output=True, text=True)
            self.assertIn("prev_comm=program", text.stdout, text.stderr)

    # ---- files ----

    def test_a_saved_recording_is_read_by_perf(self):
        self.record("-g", "fp", "--save", "x.perf.data", "--", self.pointers)
        again = self.brazier("run", "x.perf.data", "-t", "folded")
        self.assert_callers(again.out, "main;work;burn")
        self.assertEqual(0o600, (self.dir / "x.perf.data").stat().st_mode & 0o777)
        if PERF is None:
            self.skipTest("there is no perf")
        p = subprocess.run([PERF, "script", "-i", "x.perf.data"], cwd=self.dir, capture_output=True, text=True)
        self.assertEqual(0, p.returncode, p.stderr)
        self.assertIn("burn+0x", p.stdout)
        self.assertEqual(len(re.findall(r"^\w+ +\d+ \[", p.stdout, re.M)),
                         len(re.findall(r"^pointers +\d+ \[", p.stdout, re.M)))

    def test_perf_finds_callers_in_saved_copies_of_stacks(self):
        """perf needs to know where the beginning of a file is mapped, which has no code."""
        options = "" if PERF is None else subprocess.run([PERF, "version", "--build-options"], capture_output=True,
                                                         text=True).stdout
        if not re.search(r"(libunwind|dwarf-unwind-support): \[ (on|OK)", options, re.I):
            self.skipTest("there is no perf that unwinds stacks")
        p = self.start_program("forever")
        for words in (["--", self.program], ["-p", p.pid, "--duration", "200ms"]):
            self.record("-g", "dwarf", "--save", "x.perf.data", *words)
            script = subprocess.run([PERF, "script", "--no-inline", "-i", "x.perf.data"], cwd=self.dir,
                                    capture_output=True, text=True)
            self.assertEqual(0, script.returncode, script.stderr)
            self.assertRegex(script.stdout, r"burn\+0x.*\n(.*\n)?.* main\+0x", words)

    def test_a_recording_that_cannot_be_saved(self):
        r = self.fails(1, "record", "--save", "nowhere/x.perf.data", "--", "touch", "ran")
        self.assertIn("cannot create 'nowhere/x.perf.data'", r.err)

    def test_an_output_does_not_replace_the_saved_recording(self):
        (self.dir / "folder").mkdir()
        for name, outputs in (("x.svg", ["-o", "x.svg"]), ("flame.svg", []), ("folder/../x.svg", ["-o", "x.folded", "-o", "x.svg"])):
            r = self.fails(2, "record", "--save", name, *outputs, "--", "touch", "ran")
            self.assertIn(f"{name} would be both the recording and an output\n", r.err)
        self.assertEqual([], self.files())

    def test_each_output_is_named(self):
        _, err = self.record("-o", "x.svg", "--", self.program)
        self.assertIn("note: out.folded is written\nbrazier: note: x.svg is written\n", err)

    def test_a_saved_recording_replaces_no_special_file(self):
        os.mkfifo(self.dir / "pipe")
        (self.dir / "folder").mkdir()
        for name in ("pipe", "folder"):
            r = self.fails(1, "record", "--save", name, "--", "touch", "ran")
            self.assertIn(f"cannot replace '{name}': it is no regular file", r.err)
        self.assertTrue((self.dir / "pipe").is_fifo())
        self.assertFalse((self.dir / "ran").exists())
        self.assertEqual([], self.files())

    # ---- other file systems ----

    def test_without_sys_every_processor_is_recorded(self):
        """An empty system for a chroot has no list of processors."""
        last = max(os.sched_getaffinity(0))
        if last == 0 or shutil.which("taskset") is None:
            self.skipTest("there is one processor, or no taskset")
        p = self.in_own_mounts("mount -t tmpfs none /sys", "record", "-g", "fp", "-e", "cpu-clock", "-o", "out.folded", "--",
                               "taskset", "-c", str(last), sys.executable, "-c", "sum(range(9000000))")
        self.assertEqual(0, p.returncode, p.stderr)
        self.assertEqual(["out.folded"], self.files())

    def test_a_system_without_a_writable_folder(self):
        p = self.in_own_mounts("mount -t tmpfs -o ro tmpfs /var/tmp\nmount -t tmpfs -o ro tmpfs /tmp", "record", "--",
                               "true", env={"TMPDIR": ""})
        if not os.path.exists("/var/tmp") or p.returncode in (126, 127):
            self.skipTest("the program is below /tmp")
        self.assertEqual(1, p.returncode, p.stderr)
        self.assertIn("no file can be created in /var/tmp or /tmp: Read-only file system (TMPDIR names another folder)",
                      p.stderr)

    def test_the_code_of_the_kernel_ends_where_its_list_of_symbols_says(self):
        """Its end is not read from there where the map of the machine's memory has it."""
        symbols = {words[2]: int(words[0], 16) for line in pathlib.Path("/proc/kallsyms").read_text().splitlines()
                   if (words := line.split(" "))[2] in ("_text", "_stext", "_etext")}
        if not all(symbols.values()) or "_etext" not in symbols:
            self.skipTest("the kernel hides addresses")
        hidden = self.write("iomem", "00000000-00000000 : Kernel code\n")
        for prepare in ("true", f"mount --bind '{hidden}' /proc/iomem"):
            p = self.in_own_mounts(prepare, "record", "-g", "fp", "-e", "cpu-clock", "--save", "x.perf.data", "-o",
                                   "out.folded", "--", self.program)
            self.assertEqual(0, p.returncode, p.stderr)
            data = (self.dir / "x.perf.data").read_bytes()
            between = b".{32}" if os.access("/sys/kernel/notes", os.R_OK) else b""  # a build id, and flags
            found = re.search(rb"(.{24})" + between + rb"\[kernel\.kallsyms\](_s?text)\0", data, re.S)
            start, size, _ = struct.unpack("<QQQ", found[1])
            self.assertEqual((symbols[found[2].decode()], symbols["_etext"]), (start, start + size))

    def test_a_sample_of_the_exec_has_the_name_of_the_command(self):
        """The event is on before the kernel reports the new name."""
        p = self.in_own_mounts("mount -t tracefs none /sys/kernel/tracing", "record", "-e", "task:task_rename", "-g",
                               "none", "-o", "out.folded", "--", shutil.which("true"))
        self.assertEqual(0, p.returncode, p.stderr)
        self.assertRegex((self.dir / "out.folded").read_text(), r"\Atrue;\S+ 1\n\Z")

    def test_names_that_the_kernel_hides(self):
        hidden = self.write("kallsyms", "0000000000000000 T _text\n0000000000000000 T _etext\n")
        level = self.write("level", "1\n")
        p = self.in_own_mounts(f"mount --bind '{hidden}' /proc/kallsyms\n"
                               f"mount --bind '{level}' /proc/sys/kernel/kptr_restrict", "record", "-g", "fp", "-o",
                               "out.folded", "--", self.program)
        self.assertEqual(0, p.returncode, p.stderr)
        self.assertIn("the kernel's functions have no names: kernel.kptr_restrict is 1; sudo sysctl "
                      "kernel.kptr_restrict=0 shows them", p.stderr)

    # ---- limits ----

    def test_the_recorder_of_another_process_needs_something_to_record(self):
        r = self.brazier("record", "--recorder=0")
        self.assertEqual(1, r.code, r)
        self.assertIn("nothing to record", r.err)

    def test_few_descriptors(self):
        code = "import resource, os, sys; resource.setrlimit(resource.RLIMIT_NOFILE, (24, 24)); " \
               "os.execv(sys.argv[1], sys.argv[1:])"
        events = [f"{name}{modifiers}" for name in ("page-faults", "faults", "minor-faults", "major-faults")
                  for modifiers in ("", ":u", ":uu", ":uuu")]
        p = subprocess.run([sys.executable, "-c", code, *self.command(
            ["record", "-e", ",".join(events), "--", "touch", "ran"])], cwd=self.dir,
            env=self.environment(), capture_output=True, text=True)
        self.assertEqual(1, p.returncode, p.stderr)
        self.assertRegex(p.stderr, r"the recording needs \d+ open files, more than are permitted: ulimit -n \d+")
        self.assertEqual([], self.files())

    def test_plugins_that_cannot_be_opened_are_not_said_to_be_missing(self):
        for command in (["record", "-o", "x.svg", "--", "touch", "ran"], ["run", "a.folded", "-o", "x.svg"]):
            self.write("a.folded", "a;b 1\n")
            r = self.brazier(*command, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (4, 4)))
            self.assertEqual(1, r.code, r)
            self.assertRegex(r.err, r"^brazier: error: plug-ins? .*: Too many open files \(ulimit -n permits more\)\n")
            self.assertEqual(1, r.err.count("Too many open files"))
            self.assertNotRegex(r.err, "no (output|collapser)")

    # ---- stacks through a command ----

    def test_stacks_pass_through_a_command(self):
        folded, err = self.record("--post-process", "sed 's/;work;/;toil;/'", "--title", "T", "-o", "x.svg",
                                "--no-inlines", "--", self.program, until="main;toil;burn")
        self.assertIn("toil", self.read("x.svg"))
        self.assertEqual(1, err.count("x.svg is written"), err)
        self.assertEqual(["out.folded", "x.svg"], self.files())

    def test_a_command_for_stacks_that_fails(self):
        self.write("out.folded", "old")
        folded, err = self.record("--post-process", "cat; exit 3", "--", self.program, code=1)
        self.assertIn("--post-process: 'cat; exit 3' ended with status 3", err)
        self.assertEqual("old", folded)

    # ---- browser ----

    def test_the_picture_is_opened(self):
        opener = self.write("bin/xdg-open", f"#!/bin/sh\necho \"$1\" > '{self.dir}/shown'\n")
        opener.chmod(0o755)
        r = self.brazier("record", "--open", "-o", "x.svg", "--", self.program,
                         env={"PATH": f"{self.dir}/bin:{os.environ['PATH']}"})
        self.assertEqual(0, r.code, r)
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline and not (self.dir / "shown").exists():
            time.sleep(0.05)
        time.sleep(0.1)
        self.assertEqual("x.svg\n", self.read("shown"))

    def test_a_missing_browser_is_reported_once(self):
        opener = self.write("bin/xdg-open", "#!/bin/sh\necho \"xdg-open: no method available\" >&2\nexit 3\n")
        opener.chmod(0o755)
        r = self.brazier("record", "--open", "-o", "x.svg", "--", self.program,
                         env={"PATH": f"{self.dir}/bin:{os.environ['PATH']}"})
        self.assertEqual(0, r.code, r)
        self.assertIn("brazier: warning: the picture is not shown: xdg-open finds no browser; open the file in one, or set "
                      "$BROWSER\n", r.err)
        self.assertNotIn("no method", r.err)

    def test_a_picture_whose_name_looks_like_an_option_is_opened(self):
        opener = self.write("bin/xdg-open", f"#!/bin/sh\necho \"$1\" > '{self.dir}/part'\n"
                            f"mv '{self.dir}/part' '{self.dir}/shown'\n")
        opener.chmod(0o755)
        for name in ("-x.svg", "a:b.svg"):
            r = self.brazier("record", "--open", f"--output={name}", "--", self.program,
                             env={"PATH": f"{self.dir}/bin:{os.environ['PATH']}"})
            self.assertEqual(0, r.code, r)
            deadline = time.monotonic() + 20
            while time.monotonic() < deadline and not (self.dir / "shown").exists():
                time.sleep(0.05)
            self.assertEqual(f"./{name}\n", self.read("shown"))
            (self.dir / "shown").unlink()


if __name__ == "__main__":
    common.main(SampleLoader(6))
