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
inferno-collapse-vtune inferno-collapse-xctrace inferno-diff-folded inferno-flamegraph
difffolded.pl flamegraph.pl stackcollapse-bpftrace.pl stackcollapse-perf.pl stackcollapse-recursive.pl stackcollapse-sample.awk
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

    def test_guessed_formats_are_read_as_by_their_own_tool(self):
        self.write("v.csv", "Function Stack,CPU Time:Self,Module\nmain,1.2345,app\n f,0.0004,app\n")
        for name in ("inferno-collapse-vtune", "inferno-collapse-guess"):
            self.gives("app`main 1235\n", name, "v.csv")

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

    # ---- pictures ----

    def draws(self, ours, name, *args, stdin="main;parse;read 40\nmain;parse;lex 25\nmain 35\n"):
        """The tool's picture, which `brazier flamegraph` draws with the options `ours`."""
        r = self.call(name, *args, stdin=stdin)
        same = self.call(common.BRAZIER, "-q", "--no-config", "flamegraph", "--no-legend",
                         "--deltas=self", *ours, stdin=stdin)
        self.assertEqual((0, "", 0), (r.code, r.err, same.code), r)
        self.assertEqual(same.out, r.out, f"{name} {args}")
        return r.out

    PERL = ["--width=1200", "--fonttype=Verdana", "--truncate-text-right"]

    def test_pictures_of_inferno(self):
        options = ["--title=t", "--subtitle=s", "--notes=n", "--width=700", "--height=20",
                   "--fontsize=10", "--fonttype=serif", "--fontwidth=0.5", "--countname=x",
                   "--factor=2.5", "--nametype=N:", "--bgcolors=blue", "--hash", "--minwidth=30",
                   "--uicolor=#112233", "--search-color=#445566", "--stroke-color=#778899",
                   "--truncate-text-right", "--no-javascript", "--pretty-xml", "--inverted"]
        self.draws(options, "inferno-flamegraph", *options)
        for theirs, ours in ((["-i"], ["--inverted"]), (["-c", "mem"], ["-p", "mem"]),
                             (["--colors=js", "--hash"], ["-p", "js", "--numbers=hash"]),
                             (["--colordiffusion"], ["-p", "diffusion"]),
                             (["--deterministic"], ["--numbers=deterministic"]),
                             (["--reverse"], ["--reverse"]), (["--no-sort"], []),
                             (["--base", "parse"], ["--base=parse"]),
                             (["--flamechart"], ["--flamechart-back"]), (["-qv"], [])):
            self.draws(ours, "inferno-flamegraph", *theirs)

    def test_pictures_of_flamegraph(self):
        perl, named = [*self.PERL, "--minwidth=0.1px"], "--numbers=deterministic"
        self.draws([*perl, named], "flamegraph.pl")
        for theirs, ours in ((["--hash"], ["--numbers=hash"]), (["--random"], []),
                             (["-colors", "java"], ["-p", "java", named]),
                             (["--flamechart"], ["--flamechart", named]),
                             (["--total=300"], ["--total=300", named]),
                             (["--minwidth", "400"], ["--minwidth=400px", named]),
                             (["--minwidth=30%"], ["--minwidth=30%", named]),
                             (["--encoding=UTF-8", "-width=900"], ["--width=900", named]),
                             (["-inverted", "--negate"], ["--inverted", "--negate", named])):
            self.draws([*perl, *ours], "flamegraph.pl", *theirs)

    def test_differences_are_those_of_the_frames_themselves(self):
        picture = self.draws([], "inferno-flamegraph", stdin="a;b 1 3\na;c 4 4\n")
        self.assertIn("<title>b (3 samples, 42.86%; +28.57%)</title>", picture)
        self.assertIn("<title>a (7 samples, 100.00%; 0.00%)</title>", picture)
        self.draws(["--negate"], "inferno-flamegraph", "--negate", stdin="a;b 1 3\na;c 4 4\n")

    def test_pictures_of_several_files(self):
        self.write("a", "main;f 1\n")
        self.write("b", "main;f 2\n")
        for name in ("inferno-flamegraph", "flamegraph.pl"):
            one = self.call(name, stdin="main;f 3\n").out
            self.assertEqual(one, self.call(name, "a", "b").out)
            self.assertEqual(one, self.call(name, "a", "-", stdin="main;f 2\n").out)

    def test_colours_that_are_kept(self):
        for name in ("inferno-flamegraph", "flamegraph.pl"):
            self.write("palette.map", "f->rgb(1,2,3)\n")
            self.assertIn("rgb(1,2,3)", self.call(name, "--cp", stdin="main;f 1\n").out)
            self.assertIn("main->rgb(", (self.dir / "palette.map").read_text())

    def test_attributes_of_functions(self):
        self.write("n", 'parse\thref=https://example.org/\ttitle="of parse"\n')
        for name in ("inferno-flamegraph", "flamegraph.pl"):
            r = self.call(name, "--nameattr", "n", stdin="main;parse 1\n")
            self.assertEqual((0, ""), (r.code, r.err), r)
            self.assertRegex(r.out, '<a xlink:href="https://example.org/" target="_top"[^>]*>'
                                    '<title>of parse</title>')
        r = self.call("inferno-flamegraph", "--nameattr=missing", stdin="main;parse 1\n")
        self.assertEqual((1, ""), (r.code, r.out), r)
        self.assertIn("cannot read 'missing'", r.err)

    def test_no_stacks_are_no_picture(self):
        for stdin in ("", "no stack\n", "a 0\n"):
            for name, code in (("inferno-flamegraph", 1), ("flamegraph.pl", 2)):
                r = self.call(name, stdin=stdin)
                self.assertEqual((code, ""), (r.code, r.out), r)
                self.assertNotEqual("", r.err)
        self.assertEqual(1, self.call("inferno-flamegraph", "missing").code)
        self.assertEqual(2, self.call("inferno-flamegraph", "--total=3").code)
        self.assertEqual(2, self.call("flamegraph.pl", "--deterministic").code)

    def test_variables_of_awk(self):
        self.write("s.txt", "Call graph:\n    2 Thread_1\n    + 2 start  (in dyld) + 1  [0x1]\n\n"
                            "Total number in stack (recursive counted multiple, when >=5):\n")
        self.gives("Thread_1;dyld`start 2\n", "stackcollapse-sample.awk", "s.txt")
        self.gives("Thread_1;start 2\n", "stackcollapse-sample.awk", "MODULES=0", "s.txt")


if __name__ == "__main__":
    common.main()
