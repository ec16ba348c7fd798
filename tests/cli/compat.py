#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the names and options of other tools."""
import errno
import os
import re
import shutil
import subprocess
import unittest

import common
import tools

# Lines as people type them, found in the tools' own pages and in articles and scripts that use them.
# Each row has a line and the text that it prints, or parts of that text.
LINES = (
    # FlameGraph's README and its scripts' headers
    ("./stackcollapse-perf.pl out.perf > out.perf-folded && cat out.perf-folded", common.PERF_STACKS),
    ("./stackcollapse.pl out.kern_stacks > out.kern_folded; cat out.kern_folded",
     "unix`main;unix`idle 1641\n"),
    ("./flamegraph.pl out.folded > kernel.svg; cat kernel.svg", ["<title>main (65 samples, 100.00%)"]),
    ("grep lex out.folded | ./flamegraph.pl > cpuid.svg; cat cpuid.svg",
     ["<title>lex (25 samples, 100.00%)"]),
    ("cat out.perf | ./stackcollapse-perf.pl | ./flamegraph.pl", ["<title>node (15 samples"]),
    ("cat out.perf | ./stackcollapse-perf.pl --all | ./flamegraph.pl --color=java --hash",
     ["<title>do_page_fault (10 samples, 66.67%)"]),
    ("./stackcollapse-perf.pl --kernel < ./out.perf | ./flamegraph.pl --color=js --hash> ./fg.svg; "
     "cat fg.svg", ["<title>do_page_fault ("]),
    ("./stackcollapse-perf.pl --tid out.perf", "node-?/1421;main;malloc;do_page_fault 10\n"
                                               "node-?/1421;main;parse 5\n"),
    ("./stackcollapse-perf.pl --event-filter=cpu-clock --pid out.perf | head -1",
     "node-?;main;malloc;do_page_fault 10\n"),
    ('./flamegraph.pl --title="Flame Graph: malloc()" trace.txt', [">Flame Graph: malloc()<"]),
    ("./difffolded.pl folded1 folded2 | ./flamegraph.pl > diff2.svg; cat diff2.svg",
     ["<title>f (5 samples, 50.00%; +20.00%)", 'fill="rgb(255,0,0)"', "rgb(105,105,255)"]),
    ("./difffolded.pl folded2 folded1 | ./flamegraph.pl --negate",
     ["<title>f (3 samples, 33.33%; +22.22%)"]),
    ("./difffolded.pl -n -s folded1 folded2", "main;f 3 5\nmain;g 6 5\n"),
    ("./flamegraph.pl --reverse --inverted --title 'Merged from leaves' out.folded",
     [">Merged from leaves<", "<title>read (40 samples"]),
    ("cat out.folded | ./flamegraph.pl --cp --colors mem > /dev/null && "
     "cat out.folded | ./flamegraph.pl --cp --colors hot > b.svg && cat b.svg palette.map",
     ["main->rgb(0,"]),
    ("find . -name out.folded -printf 'root;%f %s\\n' | ./flamegraph.pl --hash --countname=bytes "
     "--nametype=File:", ["<title>out.folded (37 bytes, 100.00%)", "File:"]),
    # articles about off-CPU time, wake-ups, memory, page faults
    ('./flamegraph.pl --color=io --title="Off-CPU Time Flame Graph" --countname=us < out.folded '
     "> offcpu.svg; cat offcpu.svg", [">Off-CPU Time Flame Graph<", "<title>main (65 us, 100.00%)"]),
    ("FlameGraph/flamegraph.pl --color=io --countname=us --width=900 \\\n"
     '    --title="Off-CPU Time Flame Graph: idle system" < out.folded',
     ['width="900"', ">Off-CPU Time Flame Graph: idle system<"]),
    ('flamegraph.pl --color=wakeup --title="Wakeup Time Flame Graph" --countname=us < out.folded',
     ['stop-color="#e0e0ff"', ">Wakeup Time Flame Graph<"]),
    ('./flamegraph.pl --color=chain --countname=us < out.chain', ["<title>waker (30 us, 100.00%)"]),
    ('cat out.folded | /usr/bin/env perl FlameGraph/flamegraph.pl --color=mem '
     '--title="Allocation Flame Graph" --width 2400', ['width="2400"', ">Allocation Flame Graph<"]),
    ("./flamegraph.pl --color=mem --title='malloc() bytes' --countname=bytes --minwidth 0.5 "
     "out.folded", [">malloc() bytes<", "bytes, 100.00%"]),
    ("perl FlameGraph/flamegraph.pl --hash --countname samples --width 1600 out.folded",
     ['width="1600"']),
    ("flamegraph.pl --inverted --bgcolors=blue --fonttype Courier --fontsize 10 --height 20 "
     "out.folded", ["Icicle Graph", "Courier", 'font-size="10"', 'stop-color="#e0e0ff"']),
    ("flamegraph.pl --factor=1000 --subtitle 'node 3' --notes weekly --flamechart out.folded",
     [">node 3<", "weekly", "<title>main (65,000 samples", ">Flame Chart<"]),
    ("./flamegraph.pl -width 700 -TITLE=x -inv < out.folded", ['width="700"', ">x<"]),
    ("cat out.folded out.folded | flamegraph.pl - > x.svg; cat x.svg", ["<title>main (130 samples"]),
    # other collapsers
    ("./stackcollapse-bpftrace.pl out.bpf | flamegraph.pl --hash", ["<title>do_idle+10 (3 samples"]),
    ("cat out.sample | ./stackcollapse-sample.awk | ./flamegraph.pl", ["<title>dyld`start (2 samples"]),
    ("awk -f stackcollapse-sample.awk MODULES=0 out.sample", "Thread_1;start 2\n"),
    ("stackcollapse-recursive.pl out.recursive", "main;r;h 3\n"),
    ("./stackcollapse-xdebug.php trace.xt | ./flamegraph.pl", ["<title>{main} (200 samples"]),
    ("./stackcollapse-gdb.pl gdb.txt | ./flamegraph.pl > gdb.svg; cat gdb.svg", ["<title>spin (2 samples"]),
    ("cat eu.txt | ./stackcollapse-elfutils.pl --tid", "TID=7;main;poll 1\n"),
    ("./stackcollapse-jstack.pl --no-include-tname jstack.txt", "demo.Main.main;demo.Work.spin 1\n"),
    ("./stackcollapse-jstack.pl --shorten-pkgs jstack.txt 2>/dev/null", "main;d.Main.main;d.Work.spin 1\n"),
    ("stackcollapse-ibmjava.pl javacore.txt", "main;demo/Main.main 1\n"),
    ("./stackcollapse-java-exceptions.pl --no-pkgs server.log", "Main.main;Store.put 1\n"),
    ("stackcollapse-faulthandler.pl < python.txt", "a.py:9:<module>;a.py:3:f 1\n"),
    ("go tool pprof -raw cpu.pprof 2>/dev/null; ./stackcollapse-go.pl raw.txt", "main.main;main.alpha 65\n"),
    ("stackcollapse-stap.pl stap.txt | flamegraph.pl", ["<title>cpu_idle (2,404 samples"]),
    ("./stackcollapse-aix.pl aix.txt", "./demo;main;alpha 1\n"),
    ("pmcstat -R x -G out.pmc 2>/dev/null; ./stackcollapse-pmc.pl out.pmc", "main;strlen 15\n"),
    ("./stackcollapse-ljp.awk traces.txt", "java.lang.Thread.run;alpha 42\n"),
    ("awk -f stackcollapse-ljp.awk < traces.txt", "java.lang.Thread.run;alpha 42\n"),
    ("./stackcollapse-instruments.pl calls.txt | ./flamegraph.pl --countname=ms",
     ["<title>main (20.5 ms, 100.00%)"]),
    ("stackcollapse-vtune-mc.pl mc.csv", "main(demo);alpha(lib.so) 16\n"),
    ("stackcollapse-vtune-mc.pl --size mc.csv", "main(demo);alpha(lib.so) 4096\n"),
    ("./stackcollapse-wcp.pl wcp.txt", "main;alpha 71\n"),
    ("./stackcollapse-chrome-tracing.py a.json b.json", "f 20\nf;g 10\n"),
    ("python3 ./stackcollapse-chrome-tracing.py a.json", "f 10\nf;g 5\n"),
    ("./stackcollapse-perf-sched.awk -v record_tid=1 sched.txt", "app-?/7;main;wait 2000000\n"),
    ("awk -f ./stackcollapse-perf-sched.awk sched.txt", "app;main;wait 2000000\n"),
    # sizes of files, packages, ranges of time
    ("./files.pl home | grep txt", "home;a_b;x.txt 12\n"),
    ("./files.pl home/ FlameGraph | grep txt | ./flamegraph.pl --hash --countname=bytes > files.svg; cat files.svg",
     ["<title>home (12 bytes, 100.00%)"]),
    ("cat ip.perf | ./pkgsplit-perf.pl", "java;java;util;Arrays$ArrayList;::toArray 2\njava;sun;nioX;Channel;::read 1\n"),
    ("cat long.perf | ./range-perf.pl 1 2.5 | ./stackcollapse-perf.pl", "app;b 1\n"),
    ("perl range-perf.pl --timeraw 100 101 < long.perf | stackcollapse-perf.pl", "app;a 1\n"),
    # inferno's documentation, and projects that use it
    ("cat out.perf | inferno-collapse-perf > perf.folded; cat perf.folded", common.PERF_STACKS),
    ("cat stacks.folded | inferno-flamegraph > profile.svg; cat profile.svg",
     ["<title>main (65 samples, 100.00%)"]),
    ("cat out.perf | inferno-collapse-perf | inferno-flamegraph > flamegraph.svg; cat flamegraph.svg",
     ["<title>node (15 samples"]),
    ("cat out.kern_stacks | inferno-collapse-dtrace > s.folded; cat s.folded",
     "unix`main;unix`idle 1641\n"),
    ("cat out.perf | inferno-collapse-guess", common.PERF_STACKS),
    ("inferno-collapse-sample out.sample | inferno-flamegraph -i", ["Icicle Graph"]),
    ("inferno-diff-folded folded1 folded2 | inferno-flamegraph > diff2.svg; cat diff2.svg",
     ["<title>f (5 samples, 50.00%; +20.00%)", 'fill="rgb(255,100,100)"']),
    ("inferno-diff-folded folded2 folded1 | inferno-flamegraph --negate", ["; +22.22%)"]),
    ("inferno-diff-folded folded1 folded2 | inferno-flamegraph --colordiffusion "
     '--title "bench (base -> head)"', ["bench (base -&gt; head)"]),
    ("cat a.folded b.folded | inferno-flamegraph > f.svg; cat f.svg", ["<title>f (3 samples"]),
    ("inferno-flamegraph --title 'CPU' --colors rust --countname samples --width 1800 --hash "
     "--minwidth 0.1 out.folded", [">CPU<", 'width="1800"']),
    ("inferno-flamegraph --flamechart --inverted -c aqua --deterministic < out.folded",
     [">Flame Chart<"]),
)

# docs/drop-in.md shows some of those of one line.
LISTED = [line for line, _ in LINES if "\n" not in line]

KERNEL = "node;main;malloc;do_page_fault_[k] 10\nnode;main;parse 5\n"


@unittest.skipUnless(tools.FOLDER.exists(), "built without the names of other tools")
class Compat(tools.ToolCase):
    def test_every_name_is_there_and_describes_its_options(self):
        self.assertEqual({*tools.NAMES, *tools.RECORDERS}, {p.name for p in tools.FOLDER.iterdir()})
        for name in tools.NAMES + tools.RECORDERS:
            r = self.call(name, "--help")
            self.assertEqual((0, ""), (r.code, r.err), name)
            self.assertIn(f"usage: {name.replace('cargo-', 'cargo ')}", r.out)
            options = r.out.split("Options:\n\n")[1]
            self.assertIn("--help", options)
            for option in re.split(r"\n(?=  [ -])(?! {10})", options.rstrip("\n")):
                self.assertRegex(option, r"^  (-\w,?|  ) +(--[\w-]+)?( TEXT| \[TEXT\]| NUMBER| COLOR)?\s+\w+",
                                 name)

    def test_the_lines_of_the_page_are_those_that_run_here(self):
        page = (common.SOURCE / "docs" / "drop-in.md").read_text()
        block = page.split("## Lines that run unchanged")[1].split("```sh\n")[1].split("```")[0]
        self.assertGreaterEqual(len(block.splitlines()), 12)
        self.assertEqual([], [line for line in block.splitlines() if line not in LISTED])
        self.assertGreaterEqual(len(LISTED), 40)

    def test_the_folder_is_not_needed(self):
        self.write("p.txt", common.PERF)
        for name in ("stackcollapse-perf.pl", "inferno-collapse-perf"):
            self.gives(common.PERF_STACKS, common.BRAZIER, "--as", name, "p.txt")
        for words, message in ((["--as"], "needs the name of a tool"),
                               (["--as", "flamgraph.pl"], "did you mean 'flamegraph.pl'?"),
                               (["--as", "nothing", "x"], "no tool 'nothing'")):
            self.assertIn(message, self.fails(2, *words).err)

    def test_names_of_perf_end_at_the_first_bracket(self):
        self.write("p.txt", "app 1 1.0: cycles:\n\t1 f(int)::{lambda(char)#1}::operator()(char) const (/a)\n\n")
        for name in ("inferno-collapse-perf", "inferno-collapse-guess", "stackcollapse-perf.pl"):
            self.gives("app;f 1\n", name, "p.txt")
        self.gives("app;f(int)::{lambda(char)#1}::operator() 1\n", common.BRAZIER, "collapse", "perf", "p.txt")

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
        self.assertIn("did you mean '--kernel'?",
                      self.call("inferno-collapse-perf", "--kernal").err)
        self.assertEqual(2, self.call("inferno-collapse-perf", "a", "b").code)

    def test_a_palette_that_only_copies_of_the_script_have_is_hot_with_a_warning(self):
        """The script itself refuses no name."""
        hot = self.call("flamegraph.pl", "--color=hot", stdin=tools.STACKS).out
        for name in ("bitcoin", "ovs", "cpp"):
            r = self.call("flamegraph.pl", f"--color={name}", stdin=tools.STACKS)
            self.assertEqual((0, hot), (r.code, r.out), r)
            self.assertIn(f"warning: no palette '{name}'; hot colours the frames instead", r.err)
        self.assertEqual(2, self.call("inferno-flamegraph", "--colors=bitcoin", stdin=tools.STACKS).code)

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

    def test_quotes_in_names_and_samples_without_a_stack(self):
        self.write("p.txt", "node 1 [000] 1.0: 2 cycles:\n\t1a RegExp:[&<>\\\"\\'] (/tmp/perf-1.map)\n"
                            "\n\nidle 2 [000] 1.1: 5 cycles:\n\n")
        self.gives("idle 5\nnode;RegExp:[&<>\\\\] 2\n", "stackcollapse-perf.pl", "p.txt")
        r = self.call("inferno-collapse-perf", "p.txt")
        self.assertEqual((0, "node;RegExp:[&<>\\\"\\'] 2\n"), (r.code, r.out), r)

    # ---- docs/differences.md ----

    HALFWAY = "a::b::h0123456789abcdef"
    MANGLED = "_ZN3foo3barEv"

    def test_names_that_are_mangled_halfway_are_readable(self):
        perf = f"app 1 1.0: 1 c:\n\t1 {self.HALFWAY}+0x1 (/x)\n\t3 {self.MANGLED} (/x)\n\n"
        for name in ("inferno-collapse-perf", "stackcollapse-perf.pl"):
            self.gives(f"app;{self.MANGLED};a::b 1\n", name, stdin=perf)
        dtrace = f"\n\n\n  x`{self.HALFWAY}+0x1\n  x`{self.MANGLED}+0x1\n  3\n"
        for name in ("inferno-collapse-dtrace", "stackcollapse.pl"):
            self.gives(f"x`{self.MANGLED};x`a::b 3\n", name, stdin=dtrace)
        sample = tools.SAMPLE.replace("start", self.HALFWAY)
        for name in ("inferno-collapse-sample", "stackcollapse-sample.awk"):
            self.gives("Thread_1;dyld`a::b 2\n", name, stdin=sample)
        frames = f'<frame id="2" name="{self.HALFWAY}"/><frame id="3" name="{self.MANGLED}"/>'
        self.gives(f"{self.MANGLED};a::b 1\n", "inferno-collapse-xctrace", stdin=(
            '<?xml version="1.0"?>\n<trace-query-result><node><schema name="time-profile"/><row>'
            f'<weight>1</weight><backtrace id="1">{frames}</backtrace></row></node>'
            '</trace-query-result>\n'))
        folded = f"m;{self.HALFWAY} 3\nm;{self.MANGLED} 3\n"
        for name in ("inferno-collapse-recursive", "stackcollapse-recursive.pl"):
            self.gives(f"m;{self.MANGLED} 3\nm;{self.HALFWAY} 3\n", name, stdin=folded)
        self.assertEqual("m;foo::bar 3\n", self.good("collapse", "recursive",
                                                     stdin=f"m;{self.MANGLED} 3\n").out)
        self.assertEqual(f"m;{self.MANGLED} 3\n",
                         self.good("collapse", "recursive", "--demangle=none",
                                   stdin=f"m;{self.MANGLED} 3\n").out)

    def test_no_samples_are_an_error_of_brazier_alone(self):
        for stdin in ("", "\n", "# a comment\n"):
            self.fails(1, "collapse", "recursive", stdin=stdin)
            self.assertEqual("", self.ends(0, "inferno-collapse-recursive", stdin=stdin).out)

    def test_samples_that_flamegraph_loses_are_kept(self):
        perf = common.PERF.rstrip("\n")
        self.gives(common.PERF_STACKS, "stackcollapse-perf.pl", stdin=perf)
        self.gives("x`g;x`f 3\n", "stackcollapse.pl", stdin="  x`f+0x1\n  x`g+0x2\n  3\n\n")

    def test_kernel_and_jit_code_are_recognised_as_by_inferno(self):
        perf = ("app 1 1.0: 1 c:\n\t1 a ([kernel.kallsyms])\n\t2 b (/lib/modules/5.4/ext4.ko)\n"
                "\t3 c (/boot/vmlinux-5.4.14-generic)\n\t4 d (/tmp/perf-1.map)\n"
                "\t5 e (/tmp/jitted-1-2.so)\n\t6 f (/opt/app)\n\n")
        for name in ("inferno-collapse-perf", "stackcollapse-perf.pl"):
            self.gives("app;f;e_[j];d_[j];c_[k];b_[k];a_[k] 1\n", name, "--all", stdin=perf)

    def test_source_lines(self):
        perf = "app 1 1.0: 1 c:\n\t1 f+0x1 (/x)\n  a.c:3\n\n"
        self.gives("app;f:a.c:3 1\n", "stackcollapse-perf.pl", "--srcline", stdin=perf)
        self.gives("app;f:a.c:3 1\n", "stackcollapse-perf.pl", "--inline", "--context", stdin=perf)
        self.gives("app;f 1\n", "stackcollapse-perf.pl", "--inline",
                   stdin=perf.replace("  a.c:3\n", ""))

    def test_names_that_begin_with_l(self):
        dtrace = "\n\n\n  x`f+0x1\n  Lookup::find+0x2\n  x`Loader+0x3\n  3\n"
        self.gives("x`Loader;Lookup::find;x`f 3\n", "stackcollapse.pl", stdin=dtrace)

    def test_rows_of_sample(self):
        sample = ("Call graph:\n    10 Thread_1\n    + 10 start  (in dyld) + 1  [0x1]\n"
                  "    +   6 -[Foo bar:baz:]  (in AppKit) + 1  [0x1]\n"
                  "    +   ! 6 work  (in app) + 3 [0x2]\n    +   3 work  (in app) + 7 [0x3]\n"
                  "    +   1 work  (in app) + 9 [0x3]\n\nTotal number in stack\n")
        self.gives("Thread_1;dyld`start;AppKit`-[Foo bar:baz:];app`work 6\n"
                   "Thread_1;dyld`start;app`work 4\n", "stackcollapse-sample.awk", stdin=sample)

    def test_frames_of_vtune(self):
        vtune = "Function Stack,CPU Time:Self,Module\nmain,1.0,app\n f,0.5,lib\n"
        for name in ("inferno-collapse-vtune", "stackcollapse-vtune.pl"):
            self.gives("app`main 1000\napp`main;lib`f 500\n", name, stdin=vtune)

    def test_differences_of_fractions(self):
        self.write("a", "m;g 2\nm;f 1.5\n")
        self.write("b", "m;f 3\n")
        for name in ("inferno-diff-folded", "difffolded.pl"):
            self.gives("m;f 1.5 3\nm;g 2 0\n", name, "a", "b")
            self.gives("m;f 1.2 3\nm;g 1.7 0\n", name, "-n", "a", "b")

    def titles(self, name, *words, stdin):
        r = self.ends(0, name, *words, stdin=stdin)
        return sorted(re.findall("<title>([^<]*)</title>", r.out))

    def test_counts_in_titles(self):
        for name in ("flamegraph.pl", "inferno-flamegraph"):
            self.assertEqual(["a (3 samples, 50.00%)", "all (6 samples, 100%)",
                              "b (4 samples, 66.67%)"],
                             self.titles(name, "--factor", ".5" if name[0] == "f" else "0.5",
                                         stdin="a 5\nb 7\n"))
            self.assertEqual(["a (1.5 samples, 17.65%)", "all (8.5 samples, 100%)",
                              "b (7 samples, 82.35%)"],
                             self.titles(name, stdin="a 1.5\nb 7\n"))

    def test_least_widths(self):
        stacks = "a 1\nb 2\nc 3\nd 1174\n"  # one sample is one pixel
        for width, drawn in (("1", "abcd"), ("1.1", "bcd"), ("2", "bcd"), ("2.1", "cd"),
                             ("0.1%", "bcd"), ("0.2%", "cd")):
            found = self.titles("flamegraph.pl", f"--minwidth={width}", stdin=stacks)
            self.assertEqual(drawn, "".join(sorted(t[0] for t in found if t[:3] != "all")), width)
        found = self.titles("inferno-flamegraph", "--minwidth=0.1", stdin=stacks)
        self.assertEqual("bcd", "".join(sorted(t[0] for t in found if t[:3] != "all")))

    def test_totals(self):
        self.assertEqual(["a (50 samples, 25.00%)", "all (200 samples, 100%)"],
                         self.titles("flamegraph.pl", "--total=200", stdin="a 50\n"))
        r = self.call("flamegraph.pl", "--total=5", stdin="a 50\n")
        self.assertIn("<title>all (50 samples, 100%)</title>", r.out)
        self.assertIn("'total' is ignored", r.err)

    def test_orders_in_time(self):
        stacks = "z 10\na 20\nz 30\n"
        for name, order in (("flamegraph.pl", "10 20 30"), ("inferno-flamegraph", "30 20 10")):
            r = self.ends(0, name, "--flamechart", stdin=stacks)
            places = re.findall(r'<title>[az] \((\d+) [^<]*</title><rect x="([\d.]+)%', r.out)
            places.sort(key=lambda place: float(place[1]))
            self.assertEqual(order, " ".join(count for count, _ in places))
            self.assertIn(">Flame Chart<", r.out)
        self.assertEqual(self.call("inferno-flamegraph", stdin=stacks).out,
                         self.call("inferno-flamegraph", "--no-sort", stdin=stacks).out)

    def test_bases(self):
        stacks = "main;a;b 5\nx;main 3\nother 1\n"
        self.assertEqual(["a (5 samples, 62.50%)", "all (8 samples, 100%)",
                          "b (5 samples, 62.50%)", "main (8 samples, 100.00%)"],
                         self.titles("inferno-flamegraph", "--base=main", stdin=stacks))
        for mode in ("--reverse", "--flamechart"):
            found = self.titles("inferno-flamegraph", "--base=main", mode, stdin=stacks)
            self.assertIn("all (8 samples, 100%)", found)

    def test_what_flamegraph_does_otherwise(self):
        picture = self.call("flamegraph.pl", stdin=tools.STACKS).out
        self.assertEqual(picture, self.call("flamegraph.pl", stdin=tools.STACKS).out)
        self.assertIn('x="0.0000%"', picture)
        self.assertEqual(*(self.call("flamegraph.pl", "--random", stdin=tools.STACKS).out
                           for _ in range(2)))
        self.assertEqual("", self.call("flamegraph.pl", stdin="a 1\n").err)
        self.assertEqual("", self.ends(255, "flamegraph.pl", "--fontsize=12.5", stdin="a 1\n").out)
        r = self.ends(0, "flamegraph.pl", "--notes", "<x>", stdin="a 1\n")
        self.assertIn("&lt;x&gt;", r.out)
        self.assertNotIn("--", [title.split(" (")[0] for title in
                                self.titles("flamegraph.pl", "--colors=chain", stdin="a;b 1\n")])

    # ---- other tools ----

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

    # ---- exit statuses: the table in docs/drop-in.md ----

    READS_ALL = ("flamegraph.pl", "stackcollapse.pl", "stackcollapse-aix.pl", "stackcollapse-bpftrace.pl",
                 "stackcollapse-elfutils.pl", "stackcollapse-faulthandler.pl", "stackcollapse-gdb.pl",
                 "stackcollapse-go.pl", "stackcollapse-ibmjava.pl", "stackcollapse-instruments.pl",
                 "stackcollapse-java-exceptions.pl", "stackcollapse-jstack.pl", "stackcollapse-perf.pl",
                 "stackcollapse-pmc.pl", "stackcollapse-recursive.pl", "stackcollapse-stap.pl",
                 "stackcollapse-vtune-mc.pl", "stackcollapse-wcp.pl", "stackcollapse-chrome-tracing.py",
                 "stackcollapse-ljp.awk", "stackcollapse-perf-sched.awk", "pkgsplit-perf.pl")
    # Scripts that end by die() for bad usage.
    DIES = ("flamegraph.pl", "range-perf.pl", "stackcollapse-perf.pl", "stackcollapse-elfutils.pl",
            "stackcollapse-ibmjava.pl", "stackcollapse-java-exceptions.pl", "stackcollapse-jstack.pl")
    OPENS_FILES = ("difffolded.pl", "stackcollapse-vtune.pl", "stackcollapse-vsprof.pl")

    def ends(self, status, name, *words, stdin=""):
        r = self.call(name, *words, stdin=stdin)
        self.assertEqual(status, r.code, r)
        return r

    def test_refused_words(self):
        for name in tools.NAMES + tools.RECORDERS:
            status = 1 if name == "files.pl" else 255 if name in self.DIES else 2
            r = self.ends(status, name, "--bogus")
            self.assertEqual("", r.out)
            self.assertIn(f"{name}: no option '--bogus'", r.err)
            self.assertEqual("usage: " in r.err, name in tools.SCRIPTS)
        self.ends(255, "flamegraph.pl", "--width=-5")
        self.ends(2, "inferno-flamegraph", "--width=-5")
        self.ends(2, "inferno-flamegraph", "--colors=nothing")

    def test_a_file_that_is_not_there(self):
        for name in tools.LINKS:
            words = ["missing"] * (2 if name == "inferno-diff-folded" else 1)
            self.assertEqual("", self.ends(1, name, *words).out)
        for name in self.READS_ALL:
            r = self.ends(2 if name == "flamegraph.pl" else 0, name, "missing")
            self.assertEqual("", r.out)
            self.assertIn(f"{name}: cannot open 'missing': No such file or directory", r.err)
            self.assertEqual(2 if name == "flamegraph.pl" else 1, len(r.err.splitlines()), r.err)
            self.assertNotIn("/dev/null", r.err)
        for name in self.OPENS_FILES:
            words = ["missing"] * (2 if name == "difffolded.pl" else 1)
            self.assertEqual("", self.ends(2, name, *words).out)
        self.ends(2, "stackcollapse-sample.awk", "missing")
        self.ends(1, "stackcollapse-xdebug.php", "missing")

    def test_the_errors_number_of_a_file(self):
        self.write("link", "").unlink()
        (self.dir / "link").symlink_to("link")
        for name in self.OPENS_FILES:
            words = ["link"] * (2 if name == "difffolded.pl" else 1)
            self.ends(errno.ELOOP, name, *words)

    def test_files_that_are_there_are_read_without_the_others(self):
        self.write("a", "main;f 3\n")
        alone = self.call("flamegraph.pl", "a").out
        r = self.ends(0, "flamegraph.pl", "missing", "a", "also missing")
        self.assertEqual(alone, r.out)
        self.assertIn("cannot open 'missing'", r.err)
        self.assertIn("cannot open 'also missing'", r.err)
        self.assertEqual("main;f 3\n",
                         self.ends(0, "stackcollapse-recursive.pl", "a", "missing").out)
        self.assertEqual("", self.ends(0, "stackcollapse-recursive.pl", "missing",
                                       stdin="main;g 1\n").out)

    def test_too_few_and_too_many_files(self):
        self.write("a", "main;f 3\n")
        for name in ("difffolded.pl", "inferno-diff-folded"):
            self.ends(2, name)
            self.ends(2, name, "a")
            self.ends(2, name, "a", "a", "a")
        for name in ("inferno-collapse-perf", "stackcollapse-vsprof.pl", "stackcollapse-vtune.pl",
                     "stackcollapse-xdebug.php"):
            self.ends(2, name, "a", "a")

    def test_helpers(self):
        self.assertIn("expected a folder", self.ends(1, "files.pl").err)
        self.assertIn("cannot read 'missing'", self.ends(0, "files.pl", "missing").err)
        for words in (["1"], ["1", "2x"], ["1", "nan"], ["1", "2", "3"]):
            self.assertEqual("", self.ends(255, "range-perf.pl", *words).out)
        text = "# x\njunk\n a 1 [0] 1.5: cycles:\n\t1 f (m)\n a 1 [0] 2.25: 7 cycles:\n\t1 g (m)\n"
        for words, expected in ((["0", "0.5"], " a 1 [0] 1.5: cycles:\n\t1 f (m)\n"),
                                (["--timezerosecs", "1", "2"], " a 1 [0] 2.25: 7 cycles:\n\t1 g (m)\n"),
                                (["--timeraw", "9", "10"], "")):
            self.gives(expected, "range-perf.pl", *words, stdin=text)

    def test_files_pl_shows_links_and_odd_names(self):
        folder = self.dir / "top"
        folder.mkdir()
        (folder / "a;b c\n").write_text("12345")
        (folder / "link").symlink_to("nowhere")
        lines = self.ends(0, "files.pl", "./top//").out.splitlines()
        self.assertEqual(sorted([f".;top {os.lstat(folder).st_size}", ".;top;a_b_c_ 5", ".;top;link 7"]), sorted(lines))

    def test_an_unknown_format(self):
        self.assertEqual("", self.ends(1, "inferno-collapse-guess", stdin="nothing known\n").out)

    def test_bad_records_are_left_out(self):
        r = self.ends(0, "inferno-collapse-recursive", stdin="no count\nmain;f 1\n")
        self.assertEqual("main;f 1\n", r.out)
        self.assertIn("stdin:1:1: warning", r.err)

    # ---- lines as people type them ----

    def test_lines_that_people_type(self):
        self.write_inputs()
        env = self.environment()
        env["PATH"] = f"{tools.FOLDER}{os.pathsep}{env['PATH']}"
        for line, expected in LINES:
            if "perl " in line and shutil.which("perl") is None:
                continue
            with self.subTest(line=line):
                p = subprocess.run(["sh", "-c", line], cwd=self.dir, env=env, timeout=60,
                                   stdin=subprocess.DEVNULL, capture_output=True, text=True)
                self.assertEqual("", p.stderr)
                if isinstance(expected, str):
                    self.assertEqual(expected, p.stdout)
                for part in expected if isinstance(expected, list) else []:
                    self.assertIn(part, p.stdout)

    def write_inputs(self):
        """Writes the files that LINES names, and FlameGraph's scripts as in its folder."""
        (self.dir / "FlameGraph").mkdir()
        (self.dir / "home" / "a b").mkdir(parents=True)
        (self.dir / "home" / "a b" / "x.txt").write_text("twelve bytes")
        for name in tools.SCRIPTS:
            for folder in (self.dir, self.dir / "FlameGraph"):
                (folder / name).symlink_to(tools.FOLDER / name)
        for name, text in {
                "out.perf": common.PERF,
                "out.folded": "main;parse;read 40\nmain;parse;lex 25\n",
                "stacks.folded": "main;parse;read 40\nmain;parse;lex 25\n",
                "trace.txt": "main;malloc 120\n",
                "a.folded": "main;f 1\n",
                "b.folded": "main;f 2\n",
                "folded1": "main;f 3\nmain;g 6\n",
                "folded2": "main;f 5\nmain;g 5\n",
                "out.chain": "idle;wait;--;waker 30\n",
                "ip.perf": "    java 13905 [000]  8048.096572: cpu-clock:      7fd781ac3053 "
                           "Ljava/util/Arrays$ArrayList;::toArray (/tmp/perf-13905.map)\n" * 2 +
                           "    java 13905 [000]  8048.096573: cpu-clock:      7fd781ac3054 "
                           "Lsun/nio2/Channel;::read+0x27 (/tmp/perf-13905.map)\n"
                           " swapper     0 [000]  8048.096574: cpu-clock:  ffffffff810013aa "
                           "native_safe_halt (/boot/vmlinux)\n",
                "long.perf": "".join(f"app 5 [000] {time}: cycles: \n\t 401000 {name} (/a)\n\n"
                                     for time, name in ((100.5, "a"), (102.5, "b"), (103.25, "c"))),
                "out.recursive": "main;r;r;h 1\nmain;r;h 2\n",
                "out.kern_stacks": "CPU     ID                    FUNCTION:NAME\n"
                                   "  0  64091                        :tick-60s\n\n"
                                   "  unix`idle+0x114\n  unix`main+0x8\n  1641\n",
                "out.bpf": "@[\n    do_idle+10\n    cpu_startup_entry+20\n]: 3\n",
                "out.sample": tools.SAMPLE,
                "gdb.txt": "Thread 1 (LWP 5):\n#0  0x01 in spin (n=1) at a.c:1\n#1  0x02 in main () at a.c:2\n" * 2,
                "eu.txt": "PID 7 - process\nTID 7:\n#0  0x01 poll\n#1  0x02 main\n",
                "jstack.txt": '"main" #1 prio=5 tid=0x01 nid=0x02 runnable [0x03]\n'
                              "   java.lang.Thread.State: RUNNABLE\n\tat demo.Work.spin(Work.java:5)\n"
                              "\tat demo.Main.main(Main.java:9)\n",
                "javacore.txt": '3XMTHREADINFO      "main" J9VMThread:0x01, state:R, prio=5\n'
                                "4XESTACKTRACE                at demo/Main.main(Main.java:9)\nNULL\n",
                "server.log": "java.io.IOException: x\n\tat demo.Store.put(Store.java:1)\n"
                              "\tat demo.Main.main(Main.java:2)\n",
                "python.txt": 'Thread 0x01 (most recent call first):\n  File "a.py", line 3 in f\n'
                              '  File "a.py", line 9 in <module>\n',
                "raw.txt": "PeriodType: cpu nanoseconds\nSamples:\nsamples/count cpu/nanoseconds[dflt]\n"
                           "         65  650000000: 1 2 \nLocations\n     1: 0x4b8256 M=1 main.alpha ./p.go:5 s=0\n"
                           "     2: 0x4b8a04 M=1 main.main ./p.go:16 s=0\nMappings\n",
                "stap.txt": "0xff : halt+0xb/0x10 [kernel]\n0xfe : cpu_idle+0xd6/0x120 [kernel]\n2404\n",
                "aix.txt": "7: ./demo\n---------- tid# 8 (pthread ID: 1) ----------\n"
                           "0xd0123456  alpha(??, ??) + 0x18\n0x10000300  main(??, ??) + 0x90\n",
                "out.pmc": "@ cycles [15 samples]\n\n100.0%  [15]       strlen @ /lib/libc.so.7\n"
                           " 100.0%  [15]        main @ /usr/bin/prog\n",
                "traces.txt": " 42 2  alpha(prog.java:455)\n       java.lang.Thread.run(Thread.java:744)\n"
                              "Total trace count = 42, Total traces = 1\n",
                "calls.txt": "Running Time\tSelf (ms)\t\tSymbol Name\n20.5ms  100.0%\t20.5\t \tmain\n",
                "mc.csv": "Function Stack,Allocation Size:Self,Deallocation Size:Self,Allocations:Self,Module\n"
                          "main,0,0,0,demo\n alpha,4096,1024,16,lib.so\n",
                "wcp.txt": "Full stacks with more than one sample:\n\n 59.167% ==== (71 samples)\n"
                           "       1: alpha   (at /src/a.c:10)\n       2: main   (at /src/a.c:30)\n",
                "a.json": '[{"ph":"X","name":"f","pid":1,"tid":1,"ts":0,"dur":15},'
                          '{"ph":"X","name":"g","pid":1,"tid":1,"ts":5,"dur":5}]\n',
                "b.json": '[{"ph":"X","name":"f","pid":1,"tid":1,"ts":0,"dur":15},'
                          '{"ph":"X","name":"g","pid":1,"tid":1,"ts":5,"dur":5}]\n',
                "sched.txt": "app     7 [000]  1.000000: sched:sched_switch: prev_comm=app prev_pid=7 prev_prio=120 "
                             "prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120\n"
                             "\tffffffff81 wait (k)\n\t 401000 main (/a)\n\n"
                             "swapper     0 [000]  3.000000: sched:sched_switch: prev_comm=swapper/0 prev_pid=0 "
                             "prev_prio=120 prev_state=R ==> next_comm=app next_pid=7 next_prio=120\n"
                             "\tffffffff82 idle (k)\n\n",
                "trace.xt": tools.XDEBUG}.items():
            self.write(name, text)

    # ---- pictures ----

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
        perl, named = [*self.PERL, "--minwidth=0.1px"], "--numbers=sum"
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
        linear = ["--set", "diff.scale=linear"]
        picture = self.draws(linear, "inferno-flamegraph", stdin="a;b 1 3\na;c 4 4\n")
        self.assertIn("<title>b (3 samples, 42.86%; +28.57%)</title>", picture)
        self.assertIn("<title>a (7 samples, 100.00%; 0.00%)</title>", picture)
        self.draws([*linear, "--negate"], "inferno-flamegraph", "--negate", stdin="a;b 1 3\na;c 4 4\n")

    def test_differences_keep_their_colours_in_every_palette(self):
        stacks = "a;b 1 3\na;c 4 4\na;d 5 1\n"
        shades = {"inferno-flamegraph": ("rgb(255,175,175)", "rgb(100,100,255)", "rgb(250,250,250)",
                                         "rgb(175,175,255)", "rgb(255,100,100)"),
                  "flamegraph.pl": ("rgb(255,105,105)", "rgb(0,0,255)", "rgb(255,255,255)",
                                    "rgb(105,105,255)", "rgb(255,0,0)")}
        for name, (red, blue, none, *negated) in shades.items():
            for palette in ("hot", "mem", "java", "blue"):
                for more in ([], ["--hash"], ["--negate"]):
                    r = self.call(name, "--colors", palette, *more, stdin=stacks)
                    self.assertEqual((0, ""), (r.code, r.err), r)
                    fills = dict(re.findall(r'<title>(\w+) \([^<]*</title><rect[^>]* fill="([^"]*)"',
                                            r.out))
                    if "--negate" in more:
                        self.assertEqual(negated, [fills["b"], fills["d"]])
                    else:
                        self.assertEqual((red, blue), (fills["b"], fills["d"]))
                    self.assertEqual(none, fills["c"])
        mem = self.call("inferno-flamegraph", "--colors=mem", stdin=stacks).out
        self.assertIn('stop-color="#e0ffe0"', mem)
        self.draws(["-p", "diffusion"], "inferno-flamegraph", "--colordiffusion", stdin=stacks)

    FLAMEGRAPHS = {"hot": ((205, 50), (0, 230), (0, 55)), "mem": ((0, 0), (190, 50), (0, 210)),
                   "blue": ((80, 60), (80, 60), (205, 50)), "aqua": ((50, 60), (165, 55), (165, 55)),
                   "io": ((80, 60), (80, 60), (190, 55)), "orange": ((190, 65), (90, 65), (0, 0))}

    def flamegraphs(self, palette, name):
        """Returns the colour that flamegraph.pl gives a name: Perl's first random number after
        seeding it with the sum of the name's characters."""
        x = (sum(map(ord, name)) << 16 | 0x330E) * 0x5DEECE66D + 0xB
        number = x % 2**48 / 2**48
        parts = (base + int(span * number) for base, span in self.FLAMEGRAPHS[palette])
        return "rgb({},{},{})".format(*parts)

    def fills(self, *words, stdin):
        r = self.call("flamegraph.pl", *words, stdin=stdin)
        self.assertEqual((0, ""), (r.code, r.err), r)
        return re.findall(r"<title>([^<]*) \(\d[^<]*</title><rect[^>]* fill=\"([^\"]*)\"", r.out)

    def test_colours_are_flamegraphs(self):
        names = ["main", "été", "std::vector", "java/lang/String:::hash", "x", "漢字", "a" * 3000]
        stacks = "".join(f"{n} {50 + i}\n" for i, n in enumerate(names))
        for palette in ("hot", "mem", "io", "blue", "aqua", "orange"):
            expected = {(n, self.flamegraphs(palette, n)) for n in names}
            found = set(self.fills("--color", palette, stdin=stacks))
            self.assertEqual(expected | {("all", self.flamegraphs(palette, ""))}, found)

    def test_chains_are_flamegraphs(self):
        found = self.fills("--color=chain", stdin="idle;wait;--;waker;irq;--;root 120\n")
        blue, aqua = (lambda n: (n, self.flamegraphs("blue", n)),
                      lambda n: (n, self.flamegraphs("aqua", n + "_[w]")))
        self.assertEqual([("all", self.flamegraphs("blue", "")), blue("idle"), blue("wait"),
                          ("--", "rgb(160,160,160)"), aqua("waker"), aqua("irq"),
                          ("--", "rgb(160,160,160)"), aqua("root")], found)
        picture = self.call("flamegraph.pl", "--colors", "chain", stdin="a;--;b 1\n").out
        self.assertIn('stop-color="#e0e0ff"', picture)

    def test_backgrounds(self):
        for name, status in (("inferno-flamegraph", 2), ("flamegraph.pl", 255)):
            for background in ("nosuch", "#12345", "#12345g", "Blue", "123456"):
                r = self.ends(status, name, "--bgcolors", background, stdin=tools.STACKS)
                self.assertEqual("", r.out)
                self.assertIn("yellow, blue, green, grey or #rrggbb", r.err)
            for background in ("yellow", "blue", "green", "grey", "#12aBcd"):
                self.ends(0, name, "--bgcolors", background, stdin=tools.STACKS)

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
        self.assertEqual(255, self.call("flamegraph.pl", "--deterministic").code)

    def test_variables_of_awk(self):
        self.write("s.txt", tools.SAMPLE)
        self.gives("Thread_1;dyld`start 2\n", "stackcollapse-sample.awk", "s.txt")
        for no in ("MODULES=0", "MODULES=", "MODULES=0.0"):
            self.gives("Thread_1;start 2\n", "stackcollapse-sample.awk", no, "s.txt")
        for yes in ("MODULES=1", "MODULES=no"):
            self.gives("Thread_1;dyld`start 2\n", "stackcollapse-sample.awk", yes, "s.txt")


if __name__ == "__main__":
    common.main()
