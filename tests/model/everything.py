#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests that all parts of a profile pass from a collapser to an output unchanged, whatever the number of
threads and processes.

usage: everything.py PLUGIN [TEST...]
"""
import pathlib
import sys

PLUGIN = pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "cli"))
import common  # noqa: E402

HEADER = "weight time nanoseconds 0 0\nweight size bytes 2 3\n"
META = """meta start 1700000000000000000
meta clock-start 5000
meta duration 42
meta period 99
meta period-name cpu
meta period-unit hertz
meta producer everything 1.0
meta command ./app --fast
meta host there
meta architecture x86_64
meta comment the first one
meta comment another one
meta kernel 6.1
"""
FRAME = ("f{module:m.so|file:f.c|system:_Zf|build:abc|line:7|column:8|first:3|kind:3|flags:5|"
         "address:4096}")
SAMPLES = f"""sample pid=1,process=app,tid=2,thread=worker,cpu=0,bytes#9/KiB,url=/b,url=/a 30 main;{FRAME} 5 100
sample pid=1,process=app,tid=3,cpu=1 10 main;{FRAME} 7 0
sample - - main 1 2
sample tid=3,pid=1,cpu=1,process=app 20 main;{FRAME} 11 50
"""


class Everything(common.Case):
    def everything(self, text, to, *words):
        self.write("in.txt", text)
        printed = [self.brazier("--plugin", PLUGIN, "run", "in.txt", "--from", "everything", "-t", to,
                             *words, *way) for way in common.WAYS]
        for r in printed:
            self.assertEqual((0, ""), (r.code, r.err), r)
            self.assertEqual(printed[0].out, r.out, r.args)
        return printed[0].out

    def lines(self, text, to, word, *words):
        return [line for line in self.everything(text, to, *words).splitlines()
                if line.startswith(word)]

    def test_metadata_comes_out_as_it_went_in(self):
        self.assertEqual(META.splitlines(), self.lines(HEADER + META + SAMPLES, "everything", "meta"))

    def test_the_earlier_of_two_facts_counts(self):
        text = HEADER + "meta host first\nmeta comment a\n" + 40 * SAMPLES + \
            "meta host second\nmeta comment b\nmeta comment a\n"
        self.assertEqual(["meta host first", "meta comment a", "meta comment b"],
                         self.lines(text, "everything", "meta"))

    def test_columns_keep_their_attributes_and_name_the_default(self):
        self.assertEqual(["weight time nanoseconds 0 0", "weight size bytes 2 3 shown"],
                         self.lines(HEADER + SAMPLES, "everything", "weight"))
        self.assertEqual(["weight time nanoseconds 0 0 shown", "weight size bytes 2 3"],
                         self.lines(HEADER + SAMPLES, "everything", "weight", "-w", "time"))

    def test_frames_keep_all_attributes(self):
        all_of = ("f{|module:m.so|file:f.c|system:_Zf|build:abc|line:7|column:8|first:3|kind:3|flags:5|"
                  "address:4096}")
        self.assertEqual(["stack main{} 1 2", f"stack main{{}};{all_of} 23 150"],
                         self.lines(HEADER + SAMPLES, "everything", "stack"))

    def test_without_tags_there_are_no_samples(self):
        self.assertEqual([], self.lines(HEADER + SAMPLES, "everything", "sample"))

    def test_samples_are_summed_by_stack_and_tag(self):
        printed = self.lines(HEADER + 3 * SAMPLES.replace(FRAME, "f"), "everything-tagged", "sample")
        tag = "[,pid=1,tid=2,cpu=0,process=app,thread=worker,bytes#9/KiB,url=/a,url=/b]"
        self.assertEqual([
            "sample [] - main{} time=3 size=6",
            f"sample {tag} - main{{}};f{{}} time=15 size=300",
            "sample [,pid=1,tid=3,cpu=1,process=app] - main{};f{} time=54 size=150"], printed)

    def test_single_samples_are_in_the_order_of_their_times(self):
        printed = self.lines(HEADER + SAMPLES.replace(FRAME, "f"), "everything-timed", "sample")
        self.assertEqual(["- time=1 size=2", "10 time=7", "20 time=11 size=50", "30 time=5 size=100"],
                         [" ".join([time, *values]) for _, _, time, _, *values in map(str.split, printed)])

    def test_equal_samples_at_one_time_stay_two_samples(self):
        sample = "sample cpu=1 5 main;f 3 4\n"
        self.assertEqual(2 * ["sample [,cpu=1] 5 main{};f{} time=3 size=4"],
                         self.lines(HEADER + 2 * sample, "everything-timed", "sample"))

    def test_numbers_of_labels_have_decimals(self):
        samples = "".join(f"sample size#{n}/KiB - f 1 1\n" for n in ("1.50", "1.5", "-0.050", "15", "15.0"))
        self.assertEqual([f"sample [,size#{n}/KiB] - f{{}} time={k} size={k}"
                          for n, k in (("15", 2), ("1.5", 2), ("-0.05", 1))],
                         self.lines(HEADER + samples, "everything-tagged", "sample"))
        self.assertEqual([f"stack size: {n} KiB{{|kind:1}};f{{}} {k} {k}" for n, k in (("-0.05", 1), ("1.5", 2), ("15", 2))],
                         self.lines(HEADER + samples, "everything", "stack", "--group-by", "size"))

    def test_times_may_be_negative(self):
        samples = "sample cpu=1 5 f 1 1\nsample cpu=1 -7 g 1 1\nsample cpu=1 - h 1 1\n"
        printed = self.lines(HEADER + samples, "everything-timed", "sample")
        self.assertEqual(["-", "-7", "5"], [line.split(" ")[2] for line in printed])
        later = self.lines(HEADER + samples, "everything-timed", "sample", "--time-range", "1ns..")
        self.assertEqual(["5"], [line.split(" ")[2] for line in later])

    def test_samples_of_the_same_time_stay_in_the_order_of_the_input(self):
        text = "weight n count 0 0\n" + "".join(f"sample - {i // 10} f{i % 7} {i}\n"
                                                for i in range(500))
        printed = self.lines(text, "everything-timed", "sample")
        self.assertEqual(["", *(f"n={i}" for i in range(1, 500))],
                         ["".join(line.split(" ")[4:]) for line in printed])

    def test_transforms_keep_samples_with_their_stacks(self):
        text = HEADER + SAMPLES.replace(FRAME, "f") + "sample cpu=9 99 main;g 8 1\n"
        printed = self.lines(text, "everything-timed", "sample", "--drop", "g")
        self.assertEqual(4, len(printed))
        self.assertNotIn("cpu=9", "".join(printed))

    def test_inputs_keep_their_samples_and_facts(self):
        self.write("more.txt", HEADER + "meta host other\nmeta x y\nsample cpu=0 15 main;h 1 1\n")
        self.write("in.txt", HEADER + META + SAMPLES)
        r = self.brazier("--plugin", PLUGIN, "run", "in.txt", "more.txt", "--from", "everything", "-t",
                         "everything-timed")
        self.assertEqual((0, ""), (r.code, r.err))
        self.assertNotIn("\nmeta host", r.out)
        self.assertIn("\nmeta x y\n", r.out)
        self.assertIn("\nsample [,cpu=0] 15 main{};h{} time=1 size=1\n", r.out)

    def facts_of(self, *command):
        printed = [self.brazier("--plugin", PLUGIN, *command, "--from", "everything", "-t", "everything", *way)
                   for way in common.WAYS]
        for r in printed:
            self.assertEqual((0, printed[0].out), (r.code, r.out), r)
        return [line for line in printed[0].out.splitlines() if line.startswith("meta ")]

    def test_facts_of_several_inputs_are_those_of_all(self):
        """No order of inputs gives another result."""
        facts = {"a": "start 2000\nmeta duration 30\nmeta host h\nmeta command a\nmeta producer p",
                 "b": "start 1000\nmeta duration 12\nmeta host h\nmeta command b\nmeta producer p",
                 "c": "host h\nmeta command a\nmeta producer p"}
        for name, lines in facts.items():
            self.write(name, HEADER + f"meta {lines}\nsample - - f 1 1\n")
        for words in ("ab", "ba"):
            self.assertEqual(["meta start 1000", "meta duration 42", "meta producer p", "meta host h"],
                             self.facts_of("merge", *words))
            self.assertEqual(["meta start 1000", "meta producer p", "meta host h"], self.facts_of("diff", *words))
        for words in ("abc", "cab", "acb"):
            kept = set(self.facts_of("merge", *words))
            self.assertEqual({"meta start 1000", "meta producer p", "meta host h"}, kept)
        self.assertIn("meta command a", self.facts_of("merge", "a", "c"))
        self.assertIn("meta duration 30", self.facts_of("diff", "a", "a"))

    def test_metadata_that_does_not_fit_is_counted_once(self):
        comments = "".join(f"meta comment {i}\n" for i in range(1030))
        self.write("in.txt", "weight n count 0 0\n" + comments + "sample - - f 1\n")
        for way in common.WAYS:
            r = self.brazier("--plugin", PLUGIN, "run", "in.txt", "-t", "folded", *way)
            self.assertEqual((0, "f 1\n", "brazier: warning: in.txt: more than 1024 comments or pairs of metadata: "
                              "6 are left out\n"), (r.code, r.out, r.err), r)


if __name__ == "__main__":
    common.main()
