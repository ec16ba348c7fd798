#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests --detail: by what a run distinguishes frames, and how their names show it.

usage: detail.py PLUGIN [TEST...]
"""
import pathlib
import sys

PLUGIN = pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "cli"))
import common  # noqa: E402

PERF = """node 1421/1421 [002] 10.500000: 10 cpu-clock:
\t       55d000150 parse+0x10 (/opt/app/bin/node)
  parse.c:20
\t       55d000100 main+0x20 (/opt/app/bin/node)
  main.c:12

node 1421/1421 [002] 10.600000: 5 cpu-clock:
\tffffffff81050000 do_page_fault+0x10 ([kernel.kallsyms])
\t       55d000170 parse+0x30 (/opt/app/bin/node)
  parse.c:24
\t       55d000100 main+0x20 (/opt/app/bin/node)
  main.c:12

"""
FAST = """node 1421/1421 [002] 10.500000: 10 cpu-clock:
\t       55d000150 parse+0x10 (/opt/app/bin/node)
\t       55d000100 main+0x20 (/opt/app/bin/node)

node 1421/1421 [002] 10.600000: 5 cpu-clock:
\t       55d000158 parse+0x18 (/opt/app/bin/node)
\t       55d000100 main+0x20 (/opt/app/bin/node)

"""
PLACES = """weight n count 0 0
sample - - main{line:10|address:16};work{line:3|column:7|address:64} 1
sample - - main{line:12|address:24};work{line:3|column:9|address:64} 2
sample - - main{line:12|address:32};work_[k]{kind:3|line:4|address:65} 4
"""
SPEEDSCOPE = """{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[
{"name":"main","file":"m.c","line":7},{"name":"f","file":"m.c","line":30},{"name":"f","file":"m.c","line":31}]},
"profiles":[{"type":"sampled","name":"p","unit":"none","startValue":0,"endValue":3,
"samples":[[0,1],[0,2],[0,1]],"weights":[1,1,1]}]}
"""
CPUPROFILE = """{"nodes":[{"id":1,"callFrame":{"functionName":"(root)","scriptId":"0","url":"","lineNumber":-1,
"columnNumber":-1},"hitCount":0,"children":[2]},{"id":2,"callFrame":{"functionName":"","scriptId":"1",
"url":"a.js","lineNumber":9,"columnNumber":4},"hitCount":3,"children":[]}],"startTime":0,"endTime":3,
"samples":[2,2,2],"timeDeltas":[1,1,1]}
"""


class Detail(common.Case):
    def show(self, level, *words, text=PERF, to="folded"):
        """Returns the output of a run, which is the same in all ways to run."""
        self.write("in.txt", text)
        detail = ["--detail", level] if level else []
        runs = [self.brazier("--plugin", PLUGIN, "run", "in.txt", "-t", to, *detail, *words, *way)
                for way in common.WAYS]
        for r in runs:
            self.assertEqual((runs[0].code, runs[0].out, runs[0].err), (r.code, r.out, r.err), r)
        self.assertEqual((0, ""), (runs[0].code, runs[0].err), runs[0])
        return runs[0].out

    def test_functions_are_distinguished_by_default(self):
        expected = "node;main;parse 10\nnode;main;parse;do_page_fault 5\n"
        self.assertEqual(expected, self.show(None))
        self.assertEqual(expected, self.show("functions"))

    def test_lines_are_distinguished_and_shown(self):
        self.assertEqual("node;main:12;parse:20 10\nnode;main:12;parse:24;do_page_fault 5\n",
                         self.show("lines"))

    def test_addresses_are_distinguished_and_shown(self):
        self.assertEqual("node;main:12 <0x55d000100>;parse:20 <0x55d000150> 10\n"
                         "node;main:12 <0x55d000100>;parse:24 <0x55d000170>;"
                         "do_page_fault <0xffffffff81050000> 5\n", self.show("addresses"))

    def test_addresses_are_read_on_the_fast_path(self):
        self.assertEqual("node;main;parse 15\n", self.show("lines", text=FAST))
        self.assertEqual("node;main <0x55d000100>;parse <0x55d000150> 10\n"
                         "node;main <0x55d000100>;parse <0x55d000158> 5\n",
                         self.show("addresses", text=FAST))

    def test_digits_in_a_name_are_not_its_address(self):
        text = "weight n count 0 0\nsample - - main{address:10};f@0xa{address:10};g@0xab{address:10} 1\n"
        self.assertEqual("main <0xa>;f@0xa;g@0xab <0xa> 1\n", self.show("addresses", text=text))

    def test_an_annotation_stays_at_the_end(self):
        self.assertEqual("main:10;work:3 1\nmain:12;work:3 2\nmain:12;work:4_[k] 4\n",
                         self.show("lines", text=PLACES))

    def test_a_name_that_ends_like_one_without_the_kind_has_no_annotation(self):
        text = "weight n count 0 0\nsample - - main{line:10};work_[k]{line:4} 1\n"
        self.assertEqual("main:10;work_[k]:4 1\n", self.show("lines", text=text))
        self.assertIn('"name":"work_[k]"', self.show(None, text=text, to="json"))

    def test_what_an_option_of_the_format_shows_is_not_repeated(self):
        self.assertEqual("node;main:main.c:12;parse:parse.c:20 10\n"
                         "node;main:main.c:12;parse:parse.c:24;do_page_fault 5\n",
                         self.show("lines", "--from", "perf", "--srcline"))

    def test_transforms_see_names_without_lines(self):
        self.assertEqual("parse:20 10\nparse:24;do_page_fault 5\n",
                         self.show("lines", "--base", "parse"))

    def test_lines_combine_with_groups(self):
        self.assertEqual("node 1421;node;main <0x55d000100>;parse <0x55d000150> 10\n"
                         "node 1421;node;main <0x55d000100>;parse <0x55d000158> 5\n",
                         self.show("addresses", "--group-by", "thread", text=FAST))

    def test_lines_of_other_formats_are_shown(self):
        self.assertEqual("main:7;f:30 2\nmain:7;f:31 1\n", self.show("lines", text=SPEEDSCOPE))
        self.assertEqual("(anonymous):10 2\n", self.show("lines", text=CPUPROFILE))
        self.assertEqual("main;f 3\n", self.show(None, text=SPEEDSCOPE))
        self.assertEqual("(anonymous) 2\n", self.show(None, text=CPUPROFILE))

    def test_an_output_with_places_contains_lines_by_default(self):
        self.assertIn("main{|line:10|address:16};work{|line:3|column:7|address:64} 3\n",
                      self.show(None, text=PLACES, to="everything"))
        self.assertIn('"line":12', self.show(None, text=PERF, to="speedscope"))

    def test_what_the_run_does_not_distinguish_is_dropped_before_stacks_are_stored(self):
        for level, stacks in [("functions", 2), ("lines", 3), ("addresses", 3)]:
            self.write("in.txt", PLACES + "sample - - other 1\n")
            r = self.brazier("-v", "--plugin", PLUGIN, "run", "in.txt", "-t", "folded", "--drop", "work",
                             "--detail", level, "-j1")
            self.assertEqual("other 1\n", r.out, r)
            self.assertIn(f"transforms left out {stacks} distinct stacks", r.err)

    def test_a_pipeline_may_choose_the_detail(self):
        self.write("in.txt", PERF)
        self.write("c.yaml", "pipelines:\n  p:\n    detail: lines\n    outputs: [folded]\n")
        r = self.brazier("--config", "c.yaml", "run", "p", "in.txt")
        self.assertEqual((0, "node;main:12;parse:20 10\nnode;main:12;parse:24;do_page_fault 5\n"),
                         (r.code, r.out), r)
        r = self.brazier("--config", "c.yaml", "run", "p", "in.txt", "--detail", "functions")
        self.assertEqual(0, r.code, r)

    def test_both_sides_of_a_comparison_have_the_detail(self):
        self.write("a.txt", FAST)
        self.write("b.txt", FAST.replace(": 5 ", ": 50 "))
        r = self.brazier("diff", "a.txt", "b.txt", "-t", "folded", "--detail", "addresses")
        self.assertEqual((0, "node;main <0x55d000100>;parse <0x55d000150> 10 10\n"
                          "node;main <0x55d000100>;parse <0x55d000158> 5 50\n"), (r.code, r.out), r)

    def test_an_unknown_level_is_bad_usage(self):
        self.write("in.txt", PERF)
        r = self.brazier("run", "in.txt", "-t", "folded", "--detail", "line")
        self.assertEqual((2, ""), (r.code, r.out), r)
        self.assertIn("functions, lines", r.err)


if __name__ == "__main__":
    common.main()
