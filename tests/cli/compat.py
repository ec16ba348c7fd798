#!/usr/bin/env python3
"""The names and options of the tools before it."""
import os
import pathlib
import subprocess
import unittest

import common

FOLDER = common.BRAZIER.parent.parent / "libexec" / "brazier" / "compat"
NAMES = """inferno-collapse-dtrace inferno-collapse-ghcprof inferno-collapse-guess
inferno-collapse-perf inferno-collapse-recursive inferno-collapse-sample inferno-collapse-vsprof
inferno-collapse-vtune inferno-collapse-xctrace inferno-diff-folded difffolded.pl
stackcollapse-bpftrace.pl stackcollapse-perf.pl stackcollapse-recursive.pl stackcollapse-sample.awk
stackcollapse-vsprof.pl stackcollapse-vtune.pl stackcollapse-xdebug.php stackcollapse.pl""".split()
KERNEL = "node;main;malloc;do_page_fault_[k] 10\nnode;main;parse 5\n"


@unittest.skipUnless(FOLDER.exists(), "built without the names of other tools")
class Compat(common.Case):
    def call(self, name, *args, stdin=None):
        """Runs a tool as a script does: by its name, found through PATH."""
        env = self.environment()
        env["PATH"] = f"{FOLDER}{os.pathsep}{env['PATH']}"
        given = {"input": stdin.encode()} if stdin is not None else {"stdin": subprocess.DEVNULL}
        p = subprocess.run([name, *args], cwd=self.dir, env=env, capture_output=True, timeout=60,
                           **given)
        return common.Result([name, *args], p.returncode, p.stdout, p.stderr)

    def gives(self, expected, name, *args, stdin=None):
        r = self.call(name, *args, stdin=stdin)
        self.assertEqual((0, "", expected), (r.code, r.err, r.out), r)

    def test_every_name_is_there_and_tells_what_it_takes(self):
        for name in NAMES:
            self.assertTrue((FOLDER / name).exists(), name)
            r = self.call(name, "--help")
            self.assertEqual((0, ""), (r.code, r.err), name)
            self.assertIn(f"usage: {name}", r.out)

    def test_no_name_is_left_over(self):
        there = {p.name for p in pathlib.Path(FOLDER).iterdir()}
        self.assertEqual(set(), set(NAMES) - there)

    def test_files_and_standard_input(self):
        self.write("p.txt", common.PERF)
        self.gives(common.PERF_STACKS, "inferno-collapse-perf", "p.txt")
        self.gives(common.PERF_STACKS, "inferno-collapse-perf", stdin=common.PERF)
        self.gives(common.PERF_STACKS, "stackcollapse-perf.pl", stdin=common.PERF)
        self.gives(common.PERF_STACKS.replace("10", "20").replace(" 5", " 10"),
                   "stackcollapse-perf.pl", "p.txt", "p.txt")

    def test_options_in_all_their_spellings(self):
        self.write("p.txt", common.PERF)
        for words in (["--kernel"], ["--all"], ["-n", "2", "--kernel"], ["-n2", "--kernel"],
                      ["--nthreads=2", "--kernel"], ["--nthreads", "2", "-q", "--kernel"],
                      ["-qn2", "--kernel", "--event-filter", "cpu-clock"]):
            self.gives(KERNEL, "inferno-collapse-perf", *words, "p.txt")
        self.gives(KERNEL, "stackcollapse-perf.pl", "-kernel", "--event-filter=cpu-clock", "p.txt")
        self.gives("node;main;malloc;do_page_fault 10\nparse 5\n", "inferno-collapse-perf",
                   "--skip-after", "parse", "p.txt")

    def test_wrong_options_end_with_2(self):
        for name, word in (("inferno-collapse-perf", "--kernal"), ("inferno-collapse-perf", "-x"),
                           ("inferno-collapse-dtrace", "--kernel"), ("difffolded.pl", "-x"),
                           ("inferno-collapse-perf", "--kernel=yes"),
                           ("inferno-collapse-perf", "--event-filter")):
            r = self.call(name, word)
            self.assertEqual((2, ""), (r.code, r.out), r)
            self.assertIn(name, r.err)
        self.assertIn("did you mean 'kernel'?",
                      self.call("inferno-collapse-perf", "--kernal").err)
        self.assertEqual(2, self.call("inferno-collapse-perf", "a", "b").code)

    def test_missing_files_end_with_1(self):
        self.assertEqual(1, self.call("inferno-collapse-perf", "missing.txt").code)

    def test_nothing_in_is_nothing_out(self):
        for name in ("inferno-collapse-perf", "stackcollapse-perf.pl", "inferno-collapse-sample"):
            r = self.call(name, stdin="")
            self.assertEqual((0, ""), (r.code, r.out), r)

    def test_no_configuration_is_read(self):
        self.write(".brazier.yaml", "nonsense: true\n")
        self.write("p.txt", common.PERF)
        self.gives(common.PERF_STACKS, "inferno-collapse-perf", "p.txt")

    def test_names_are_not_demangled(self):
        self.write("d.txt", "\n  a.out`_ZN3foo3barEv+0x1\n  3\n")
        self.gives("a.out`_ZN3foo3barEv 3\n", "inferno-collapse-dtrace", "d.txt")

    def test_formats_are_guessed(self):
        self.write("p.txt", common.PERF)
        self.gives(common.PERF_STACKS, "inferno-collapse-guess", "p.txt")

    def test_recursion(self):
        self.gives("main;r;h 3\n", "inferno-collapse-recursive", stdin="main;r;r;h 1\nmain;r;h 2\n")
        self.gives("main;r;h 3\n", "stackcollapse-recursive.pl",
                   stdin="main;r;r;h 1\nmain;r;h 2\n")

    def test_differences(self):
        self.write("a", "main;f 0x1 1\nmain;g 2\n")
        self.write("b", "main;f 0x2 5\nmain;g 5\n")
        for name in ("inferno-diff-folded", "difffolded.pl"):
            self.gives("main;f 0x1 1 0\nmain;f 0x2 0 5\nmain;g 2 5\n", name, "a", "b")
            self.gives("main;f 0x... 1 5\nmain;g 2 5\n", name, "-s", "a", "b")
            self.gives("main;f 0x... 3 5\nmain;g 6 5\n", name, "-n", "-s", "a", "b")

    def test_variables_of_awk(self):
        self.write("s.txt", "Call graph:\n    2 Thread_1\n    + 2 start  (in dyld) + 1  [0x1]\n\n"
                            "Total number in stack (recursive counted multiple, when >=5):\n")
        self.gives("Thread_1;dyld`start 2\n", "stackcollapse-sample.awk", "s.txt")
        self.gives("Thread_1;start 2\n", "stackcollapse-sample.awk", "MODULES=0", "s.txt")


if __name__ == "__main__":
    common.main()
