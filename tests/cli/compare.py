#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests brazier diff and brazier merge."""
import itertools
import json
import os
import re
import unittest

import common

BEFORE = "main;a 10\nmain;b 20\nmain;gone 10\n"
AFTER = "main;a 30\nmain;b 20\nmain;new 0x7f12 30\n"


def titles(svg):
    return set(re.findall(r"<title>([^<]*)</title>", svg))


class Diff(common.Case):
    def setUp(self):
        super().setUp()
        self.write("before.folded", BEFORE)
        self.write("after.folded", AFTER)

    def diff(self, *more):
        return self.good("diff", "before.folded", "after.folded", *more).out

    def test_folded_text_has_both_counts_and_all_stacks_sorted(self):
        self.assertEqual("main;a 10 30\nmain;b 20 20\nmain;gone 10 0\nmain;new 0x7f12 0 30\n",
                         self.diff())

    def test_stacks_that_are_there_twice_are_added(self):
        self.write("before.folded", BEFORE + BEFORE)
        self.assertIn("main;b 40 20\n", self.diff())

    def test_fractions_are_kept(self):
        self.write("before.folded", "main;a 1.25\n")
        self.write("after.folded", "main;a 2\nmain;b 0.5\n")
        self.assertEqual("main;a 1.25 2\nmain;b 0 0.5\n", self.diff())

    def test_normalize_gives_both_sides_the_same_total(self):
        counts = [line.split()[-2:] for line in self.diff("--normalize").splitlines()]
        self.assertEqual(80, sum(float(a) for a, _ in counts))
        self.assertEqual(80, sum(float(b) for _, b in counts))
        self.assertEqual("main;a 20 30\n", self.diff("-n").splitlines(True)[0])

    def test_strip_hex_makes_addresses_equal(self):
        self.write("before.folded", "main;f 0xAB12 1\nmain;f 0x99 2\n")
        self.write("after.folded", "main;f 0x1 5\n")
        self.assertEqual("main;f 0x... 3 5\n", self.diff("--strip-hex"))

    def test_a_table_has_both_sides_the_changes_and_what_is_new_or_vanished(self):
        rows = [line.split() for line in self.diff("-t", "table").splitlines()]
        self.assertEqual("40 before, 80 after (samples)".split(), rows[0])
        self.assertEqual("SELF BEFORE SELF AFTER \u0394 SELF \u0394% NAME".split(), rows[2])
        self.assertEqual([["0", "30", "+30", "new", "new", "0x7f12"], ["10", "30", "+20", "+200.00%", "a"],
                          ["10", "0", "-10", "vanished", "gone"], ["0", "0", "0", "0.00%", "main"],
                          ["20", "20", "0", "0.00%", "b"]], rows[3:8])
        self.assertEqual([["NEW,", "BY", "TOTAL"], ["30", "new", "0x7f12"], [],
                          ["VANISHED,", "BY", "TOTAL"], ["10", "gone"]], rows[9:])
        totals = self.diff("-t", "table", "--sort=total", "--limit=1")
        self.assertRegex(totals, r"TOTAL BEFORE +TOTAL AFTER +\u0394 TOTAL +\u0394% +NAME\n +40 +80 +\+40 +\+100.00% +main\n")
        r = self.fails(1, "run", "after.folded", "-t", "table", "--columns=before,name")
        self.assertIn("belong to comparisons", r.err)

    def test_a_terminal_shows_the_largest_changes_in_the_colours_of_the_picture(self):
        drawn = self.diff("-t", "term", "--width=80", "--color=always")
        self.assertIn("before: 40 samples, after: 80 samples", drawn)
        self.assertRegex(drawn, r"\+37.50%  \+30  new 0x7f12 \(new\)\n")
        self.assertRegex(drawn, r"-12.50%  -10  gone \(vanished\)\n")
        picture = self.diff("-t", "svg", "--no-compact")
        for name in ("all", "main", "a", "b"):
            red, green, blue = re.search(rf'<title>{name} \([^<]*</title><rect[^>]* fill="rgb\((\d+),(\d+),(\d+)',
                                         picture).groups()
            self.assertIn(f"48;2;{red};{green};{blue};38;2;0;0;0m\u258f{name} ", drawn)

    def test_two_ranges_of_time_of_one_file(self):
        self.write("perf.txt", common.THREADS_PERF)
        ranges = ["--before=0s..0.5s", "--after=0.5s.."]
        out = self.good("diff", "perf.txt", *ranges).out
        self.assertEqual("node;main 0 7\nnode;main;do_page_fault 10 0\nworker;main;parse 5 0\n", out)
        copies = self.good("diff", "perf.txt", "perf.txt", *ranges).out
        self.assertEqual(out, copies)
        for words, message in ((["perf.txt"], "two ranges of time"),
                               (["perf.txt", "--before=0s..1s"], "both --before FROM..TO and --after"),
                               (["perf.txt", "--before=0s..1s", "--after=1"], "--after: 'time-range' takes FROM..TO"),
                               (["-", *ranges], "standard input can be read only once"),
                               (["perf.txt", *ranges, "--time-range=0s..1s"], "does not go with")):
            self.assertIn(message, self.fails(2, "diff", *words, stdin=common.THREADS_PERF).err)
        r = self.fails(1, "diff", "perf.txt", "--before=0s..1s", "--after=9s..10s")
        self.assertIn("--after: no samples are in this range of time", r.err)
        self.assertIn("have no times", self.fails(1, "diff", "after.folded", *ranges).err)

    def test_a_picture_and_folded_text_in_one_run(self):
        self.assertEqual("", self.diff("-o", "x.svg", "-o", "x.folded", "--no-compact"))
        self.assertEqual(self.diff(), self.read("x.folded"))
        self.assertIn("a (30 samples, 37.50%; +25.00%)", titles(self.read("x.svg")))

    def test_differences_add_up_along_the_tree_or_stay_with_the_frame(self):
        whole = titles(self.diff("--to", "svg", "--no-compact"))
        own = titles(self.diff("--to", "svg", "--no-compact", "--deltas", "self"))
        self.assertIn("main (80 samples, 100.00%; +50.00%)", whole)
        self.assertIn("main (80 samples, 100.00%; 0.00%)", own)

    def test_a_table_of_losses_has_changes_of_their_size(self):
        """A sum of 0 is not new and does not vanish if there are gains and losses in it."""
        self.write("two.folded", "main;a 5 7\nmain;b -3 2\nmain;c -2 -9\nmain;d 1 0\n")
        rows = [line.split() for line in self.good("run", "two.folded", "-t", "table").out.splitlines()]
        self.assertEqual([["-2", "-9", "-7", "-350.00%", "c"], ["-3", "2", "+5", "+166.67%", "b"], ["5", "7", "+2", "+40.00%", "a"],
                          ["1", "0", "-1", "vanished", "d"], ["0", "0", "0", "0.00%", "main"], [], ["VANISHED,", "BY", "TOTAL"],
                          ["1", "d"]], rows[3:])
        self.write("sum.folded", "main;a 5 7\nmain;b -5 2\n")
        self.assertNotIn("NEW", self.good("run", "sum.folded", "-t", "table").out)

    def test_what_vanished_is_drawn_when_the_other_side_is_the_base(self):
        after = titles(self.diff("--to", "svg", "--no-compact"))
        before = titles(self.diff("--to", "svg", "--no-compact", "--base-on", "before"))
        both = titles(self.diff("--to", "svg", "--no-compact", "--base-on", "both"))
        self.assertFalse([t for t in after if t.startswith("gone")])
        self.assertIn("gone (10 samples, 25.00%; -25.00%)", before)
        self.assertFalse([t for t in before if t.startswith("new")])
        self.assertTrue([t for t in both if t.startswith("gone (10")])
        self.assertTrue([t for t in both if t.startswith("new 0x7f12 (30")])

    def test_colours_say_what_became_heavier(self):
        svg = self.diff("--to", "svg", "--no-compact")
        heavier = re.search(r"<title>a \(.*?rgb\((\d+),(\d+),(\d+)\)", svg).groups()
        same = re.search(r"<title>b \(.*?rgb\((\d+),(\d+),(\d+)\)", svg).groups()
        red, green, blue = map(int, heavier)
        self.assertGreater(red, green)
        self.assertEqual(green, blue)
        self.assertEqual(len(set(same)), 1)
        again = self.diff("--to", "svg", "--no-compact", "--negate")
        red, green, blue = map(int, re.search(r"<title>a \(.*?rgb\((\d+),(\d+),(\d+)\)",
                                              again).groups())
        self.assertGreater(blue, red)

    def test_two_counts_can_be_drawn_later(self):
        self.write("diff.folded", self.diff())
        later = self.good("flamegraph", "--no-compact", "diff.folded").out
        self.assertEqual(titles(self.diff("--to", "svg", "--no-compact")), titles(later))

    def test_a_flame_chart_of_two_counts_keeps_the_order_of_the_lines(self):
        stacks = "main;b 1 2\nmain;a 3 4\nmain;b 6 5\n"
        found = titles(self.good("flamegraph", "--flamechart", "--no-compact", stdin=stacks).out)
        self.assertEqual({"all (11 samples, 100%)", "main (11 samples, 100.00%; +9.09%)",
                          "b (2 samples, 18.18%; +9.09%)", "a (4 samples, 36.36%; +9.09%)",
                          "b (5 samples, 45.45%; -9.09%)"}, found)

    def test_a_flame_chart_of_two_profiles_is_refused(self):
        for option in ("--flamechart", "--flamechart-back"):
            r = self.fails(2, "diff", "before.folded", "after.folded", option, "-o", "x.svg")
            self.assertIn("two profiles have no common order in time", r.err)
            self.assertEqual(["after.folded", "before.folded"], self.files())

    def test_any_two_formats(self):
        self.write("old.txt", common.PERF)
        self.write("new.folded", "# weight: cpu-clock (nanoseconds)\nnode;main;parse 9\n")
        self.assertEqual("node;main;malloc;do_page_fault 10 0\nnode;main;parse 5 9\n",
                         self.good("diff", "old.txt", "new.folded").out)

    def test_an_empty_side_is_said_and_compared(self):
        self.write("before.folded", "# nothing\n")
        r = self.brazier("diff", "before.folded", "after.folded", "--from", "folded")
        self.assertEqual(0, r.code, r)
        self.assertIn("before.folded: no samples", r.err)
        self.assertIn("main;a 0 30\n", r.out)

    def test_a_side_without_samples_adds_no_weights_to_the_other(self):
        empty = common.SOURCE / "tests/golden/collapse/heaptrack/empty.txt"
        r = self.brazier("diff", empty, "after.folded", "--to", "folded")
        self.assertEqual(0, r.code, r)
        self.assertIn("empty.txt: no samples in it", r.err)
        self.assertIn("main;a 0 30\n", r.out)

    def test_wrong_words(self):
        self.fails(2, "diff", "before.folded")
        self.fails(2, "diff", "before.folded", "after.folded", "after.folded")
        r = self.fails(2, "diff", "before.folded", "after.folded", "--base-on", "befor")
        self.assertIn("did you mean 'before'?", r.err)
        self.fails(1, "diff", "before.folded", "missing.folded")


SPEEDSCOPE = """{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[
{"name":"f"}]},"profiles":[{"type":"sampled","name":"p","unit":"UNIT","startValue":0,"endValue":3,
"samples":[[0]],"weights":[3]}]}
"""


class Units(common.Case):
    def setUp(self):
        super().setUp()
        for unit in ("nanoseconds", "milliseconds", "seconds"):
            self.write(unit, SPEEDSCOPE.replace("UNIT", unit))

    def test_times_in_different_units_are_converted_to_the_shortest(self):
        for way in ([], ["-j1"], ["-j3"], ["--isolate"]):
            for files in (["nanoseconds", "milliseconds", "seconds"], ["seconds", "milliseconds", "nanoseconds"],
                          ["milliseconds", "seconds", "nanoseconds"]):
                r = self.good("run", *files, "-t", "folded", *way)
                self.assertEqual("f 3003000003\n", r.out, r)
            self.assertEqual("f 3000000 3\n", self.good("diff", "milliseconds", "nanoseconds", "-t", "folded", *way).out)
            self.assertEqual("f 3 3000000\n", self.good("diff", "nanoseconds", "milliseconds", "-t", "folded", *way).out)

    def test_a_format_in_json_is_named_to_a_command_that_does_not_read_it(self):
        r = self.fails(1, "flamegraph", "seconds")
        self.assertIn("looks like speedscope, not like folded; add --from speedscope", r.err)


class FailIf(common.Case):
    """The profiles weigh 40 and 80: a 10 and 30, b 20 and 20, gone 10 and 0, new 0 and 30."""

    def setUp(self):
        super().setUp()
        self.write("before.folded", BEFORE)
        self.write("after.folded", AFTER)

    def diff(self, *thresholds, more=()):
        words = [word for t in thresholds for word in ("--fail-if", t)]
        return self.brazier("diff", "before.folded", "after.folded", *words, *more)

    def test_the_exit_status_says_whether_a_threshold_is_exceeded(self):
        for threshold, is_exceeded in (
                ("total(^a$) > 29", True), ("total(^a$) > 30", False), ("total(^a$) >= 30", True),
                ("total(^a$) > 37.49%", True), ("total(^a$) > 37.5%", False),
                ("total(^a$) > +19", True), ("total(^a$) > +20", False),
                ("total(^a$) > +199%", True), ("total(^a$) > +200%", False),
                ("total(^a$) > +12.4pp", True), ("total(^a$) > +12.5pp", False),
                ("total(^a$) >= +12.5pp", True), ("total(new) > +1000000%", True),
                ("total(gone) < -99%", True), ("total(gone) < -100%", False),
                ("total(gone) <= -100%", True), ("total(gone) <= -25pp", True),
                ("total(main) > 99%", True), ("self(main) > 0", False), ("self(a|b) >= 50", True),
                ("total(^b$) > +0%", False), ("self( (0x7f)) > 1", True), ("  self(a)>+5%  ", True)):
            with self.subTest(threshold):
                r = self.diff(threshold)
                self.assertEqual(3 if is_exceeded else 0, r.code, r)
                self.assertIn("  exceeded  " if is_exceeded else "  kept", r.err)

    def test_losses_have_shares_and_growth_by_their_size(self):
        self.write("before.folded", "main;a -20\nmain;b 10\nmain;c 10\n")
        self.write("after.folded", "main;a -10\nmain;b 5\nmain;c 5\n")
        for threshold, is_exceeded in (
                ("total(^a$) > +49%", True), ("total(^a$) > +50%", False), ("total(^a$) < -49%", False),
                ("total(^a$) >= +0pp", True), ("total(b) < -49%", True), ("total(b) > 24%", True)):
            with self.subTest(threshold):
                r = self.diff(threshold)
                self.assertEqual(3 if is_exceeded else 0, r.code, r)
        self.assertIn(" -20 (-50.00%)  -10 (-50.00%)  +10 (+50.00%)\n", self.diff("total(^a$) > 1").err)

    def test_a_stack_counts_once_for_several_functions_that_match(self):
        self.assertIn(" 40 (100.00%)  80 (100.00%)  +40 (+100.00%)\n", self.diff("total(.) > 100").err)

    def test_several_thresholds_have_a_table(self):
        r = self.diff("total(^a$) > +5%", "total(^b$) > +5%", more=["-o", "diff.svg"])
        self.assertEqual(3, r.code)
        self.assertEqual("brazier: error: thresholds: 1 of 2 is exceeded, in samples\n"
                         "  RESULT    THRESHOLD         BEFORE       AFTER        CHANGE\n"
                         "  exceeded  total(^a$) > +5%  10 (25.00%)  30 (37.50%)  +20 (+200.00%)\n"
                         "  kept      total(^b$) > +5%  20 (50.00%)  20 (25.00%)  +0 (+0.00%)\n", r.err)
        self.assertIn("</svg>", self.read("diff.svg"))

    def test_json_is_a_line_of_its_own(self):
        r = self.diff("self(new) > 1", more=["--fail-report=json"])
        self.assertEqual(3, r.code)
        self.assertEqual({"unit": "samples", "thresholds": [{
            "threshold": "self(new) > 1", "exceeded": True, "before": 0, "after": 30,
            "before_total": 40, "after_total": 80, "matched": True}]},
            json.loads(r.err.splitlines()[1]))

    def test_large_and_broken_weights_are_exact(self):
        self.write("before.folded", "main;a 9007199254740993\n")
        self.write("after.folded", "main;a 9007199254740996\n")
        err = self.diff("total(^a$) > 0").err
        self.assertIn(" 9007199254740993 (", err)
        self.assertIn(" +3 (", err)
        self.write("before.folded", "main;a 0.25\n")
        self.write("after.folded", "main;a 10.5\n")
        self.assertIn(" 0.25 (100.00%)  10.50 (100.00%)  +10.25 (", self.diff("total(^a$) > 0").err)

    def test_normalizing_and_transforms_come_first(self):
        self.assertEqual(0, self.diff("total(^b$) > 19", "total(^b$) < -49%", more=["--drop=^b$"]).code)
        self.assertEqual(3, self.diff("total(^b$) <= -50%", more=["-n"]).code)
        self.assertEqual(3, self.diff("total(^c$) > 19", more=["--rename=^b$=>c"]).code)

    def test_a_threshold_without_a_function_fails_on_request(self):
        """A function that was renamed would escape its threshold."""
        r = self.diff("total(renamed) > +5%", "total(main) > 1000000", more=["--fail-unmatched"])
        self.assertEqual(3, r.code, r)
        self.assertRegex(r.err, r"thresholds: 1 of 2 is exceeded.*\n.*\n +unmatched +total\(renamed\)")
        report = self.diff("total(renamed) > +5%", more=["--fail-unmatched", "--fail-report=json"])
        self.assertEqual(3, report.code)
        self.assertIn('"exceeded":true', report.err)
        self.assertIn('"matched":false', report.err)
        self.assertIn("(--fail-unmatched makes that a failure)", self.diff("total(renamed) > +5%").err)

    def test_options_about_thresholds_need_one(self):
        for option in ("--fail-unmatched", "--fail-report=json"):
            r = self.fails(2, "diff", "before.folded", "after.folded", option, "-o", "x.svg")
            self.assertIn(f"{option.split('=')[0]}: there is no threshold; add one with --fail-if", r.err)
            self.assertNotIn("x.svg", self.files())
        self.good("diff", "before.folded", "after.folded", "--fail-report=text")

    def test_a_function_that_is_not_there_is_named(self):
        r = self.diff("total(renamed) > +5%")
        self.assertEqual(0, r.code)
        self.assertIn("warning: no function of the two profiles matches the threshold 'total(renamed) > +5%'",
                      r.err)

    def test_large_sorted_files_are_measured_too(self):
        lines = "".join(f"main;f{i:06};{'x' * 60} 1\n" for i in range(10000))
        self.write("before.folded", lines)
        self.write("after.folded", lines.replace(" 1\n", " 2\n"))
        self.assertEqual(3, self.diff("total(f000001) > +99%").code)

    def test_two_ranges_of_time(self):
        self.write("perf.txt", common.THREADS_PERF)
        r = self.brazier("diff", "perf.txt", "--before=0s..0.5s", "--after=0.5s..",
                         "--fail-if=self(^main$) > 50%")
        self.assertEqual(3, r.code, r)

    def test_a_wrong_expression_is_bad_usage(self):
        for threshold, message in (
                ("", "expected total(REGEX)"), ("totl(a) > 5", "did you mean 'total'?"),
                ("total(a", "in parentheses"), ("total() > 5", "in parentheses"),
                ("total a > 5", "expected total(REGEX)"), ("total(a > 5", "in parentheses"),
                ("total(a) = 5", "expected >, >=, < or <="), ("total(a) >", "expected an amount"),
                ("total(a) > 1.2.3", "expected an amount"), ("total(a) > +", "expected an amount"),
                ("total(a) > 5ms", "ends with its number"), ("total(a) > 5 % %", "ends with its number"),
                ("total(a) > 2pp", "such as +2pp"), ("total((a) > 5", "missing closing parenthesis")):
            with self.subTest(threshold):
                r = self.diff(threshold, more=["-o", "x.svg"])
                self.assertEqual(2, r.code, r)
                self.assertIn(f"--fail-if: '{threshold}': ", r.err)
                self.assertIn(message, r.err)
        self.assertNotIn("x.svg", self.files())
        r = self.diff("total(a) > 5", "total(b)", more=["--fail-report=xml"])
        self.assertIn("--fail-report takes one of text, json", r.err)
        self.assertIn("no option '--fail-if'", self.fails(2, "run", "after.folded", "--fail-if=self(a) > 1").err)
        r = self.diff("total(a) > 5", more=["--split-by=thread", "-o", "x-{thread}.svg"])
        self.assertEqual(2, r.code, r)
        self.assertIn("leave out --split-by", r.err)

    def test_an_expression_that_hits_a_limit_fails_the_run(self):
        self.write("after.folded", f"{'a' * 60}! 1\n")
        r = self.fails(1, "diff", "before.folded", "after.folded", "--fail-if", "self(^(a+)+$) > 1",
                       "-o", "x.svg")
        self.assertNotIn("x.svg", self.files(), r)


class Merge(common.Case):
    def test_any_order_and_any_grouping_give_the_same(self):
        parts = ["main;a 1\nmain;b 2.5\n", "main;b 1\nother 4\n", "main;a 7\nmain;a;deep 1\n"]
        for i, part in enumerate(parts):
            self.write(f"{i}.folded", part)
        want = self.good("merge", "0.folded", "1.folded", "2.folded").out
        self.assertEqual("main;a 8\nmain;a;deep 1\nmain;b 3.5\nother 4\n", want)
        for order in itertools.permutations(["0.folded", "1.folded", "2.folded"]):
            self.assertEqual(want, self.good("merge", *order).out)
            self.good("merge", *order[:2], "-o", "some.folded")
            self.assertEqual(want, self.good("merge", "some.folded", order[2]).out)

    def test_profiles_of_different_formats_are_added(self):
        self.write("p.txt", common.PERF.replace("cpu-clock", "samples"))
        self.write("s.folded", "node;main;parse 9\n")
        self.assertIn("node;main;parse 14", self.good("merge", "p.txt", "s.folded").out)

    @unittest.skipIf(common.SANITIZED == "thread", "the memory of ThreadSanitizer grows with what a run does")
    def test_many_files_that_hold_the_same_need_no_more_memory(self):
        import resource
        stacks = "".join(f"main;f{i:06};{'x' * 60} 1\n" for i in range(20000))
        self.write("x.folded", stacks)
        peaks = []
        for n in (2, 40):
            # A sanitizer's quarantine would keep what is freed.
            env = self.environment({"ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") +
                                    ":quarantine_size_mb=1:thread_local_quarantine_size_kb=64"})
            p = self.start("merge", *["x.folded"] * n, env=env)
            p.stdin.close()
            p.stdin = None
            out, _ = p.communicate(timeout=120)
            self.assertTrue(out.startswith(b"main;f000000;"))
            self.assertTrue(out.split(b"\n")[0].endswith(b" %d" % n))
            peaks.append(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
        self.assertLess(peaks[1], peaks[0] * 1.6)

    def test_ten_thousand_inputs_need_few_descriptors(self):
        import resource
        stacks = "".join(f"main;f{i:02};g 1\n" for i in range(9))
        for name, text in (("x.folded", stacks), ("y.txt", common.PERF)):
            self.write(name, text)
        few = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))  # noqa: E731
        for inputs, want in ((["x.folded"] * 10000, stacks.replace(" 1\n", " 10000\n")),
                             (["x.folded"] * 250, stacks.replace(" 1\n", " 250\n")),
                             (["y.txt"] * 260, "node;main;malloc;do_page_fault 2600\nnode;main;parse 1300\n")):
            self.assertEqual(want, self.good("merge", *inputs, preexec_fn=few).out)
            self.write("list", "\0".join(inputs))
            self.assertEqual(want, self.good("merge", "--files-from=list", preexec_fn=few).out)

    def test_lists_of_files(self):
        odd = "a name\nof two lines"
        for name in ("a.folded", "b.folded", odd):
            self.write(name, "main;a 1\n")
        for lists, stdin, count in ((["list"], None, 2), (["-"], f"a.folded\0{odd}\0", 2),
                                    (["list", "-"], "b.folded", 3), (["list", "list"], None, 4)):
            self.write("list", "a.folded\n\nb.folded\n")
            words = [f"--files-from={name}" for name in lists]
            self.assertEqual(f"main;a {count}\n", self.good("merge", *words, stdin=stdin).out)
            self.assertEqual(f"main;a {count + 1}\n", self.good("merge", "b.folded", *words, stdin=stdin).out)
        self.write("list", "\n\n")
        self.assertIn("--files-from list: no names in it", self.fails(1, "merge", "--files-from=list").err)
        self.assertIn("--files-from nix: cannot be read: No such file", self.fails(1, "merge", "--files-from=nix").err)

    def test_keep_going_names_and_counts_inputs_that_cannot_be_read(self):
        self.write("a.folded", "main;a 1\n")
        self.write("b.folded", "main;a 2\n")
        self.write("bad.json", '{"x": 1}\n')
        self.write("cut.folded.gz", b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xcb")
        inputs = ["a.folded", "bad.json", "cut.folded.gz", "nix.folded", "b.folded"]
        for way in common.WAYS:
            r = self.fails(1, "merge", *inputs, "-o", "all.folded", *way)
            self.assertNotIn("all.folded", self.files())
            r = self.fails(1, "merge", *inputs, "-o", "all.folded", "--keep-going", *way)
            self.assertEqual("main;a 3\n", self.read("all.folded"), r)
            for name in inputs[1:4]:
                self.assertIn(name, r.err)
            self.assertIn("warning: left out: 3 of 5 inputs\n", r.err)
            os.remove(self.dir / "all.folded")
        r = self.fails(1, "merge", *inputs[1:4], "-o", "all.folded", "--keep-going")
        self.assertNotIn("all.folded", self.files(), r)
        self.assertEqual("main;a 3\n", self.good("merge", "a.folded", "b.folded", "--keep-going").out)
        self.fails(2, "merge", *inputs, "--keep-going", "--nonsense")

    def test_keep_going_leaves_out_inputs_in_another_unit(self):
        for name, unit in (("a", "bytes"), ("b", "bytes"), ("c", "seconds")):
            self.write(f"{name}.json", json.dumps({
                "$schema": "https://www.speedscope.app/file-format-schema.json",
                "shared": {"frames": [{"name": "main"}]},
                "profiles": [{"type": "sampled", "name": "x", "unit": unit, "startValue": 0,
                              "endValue": 1, "samples": [[0]], "weights": [1]}]}))
        inputs = ["a.json", "b.json", "c.json"]
        self.fails(1, "merge", *inputs)
        r = self.fails(1, "merge", *inputs, "--keep-going")
        self.assertIn("c.json: has 'time' in seconds, but a.json has 'bytes', which cannot be added", r.err)
        self.assertIn("left out: 1 of 3 inputs", r.err)
        self.assertEqual("main 2\n", r.out)

    def unlike(self):
        """Writes recordings of two hosts, one of which has no counters of cycles."""
        self.write("cycles.txt", common.PERF.replace("cpu-clock", "cycles"))
        self.write("clock.txt", common.PERF)
        return "clock.txt: has 'cpu-clock' in nanoseconds, but cycles.txt has 'cycles' in count"

    def test_unlike_weights_are_not_added(self):
        message = self.unlike()
        for command in (["merge"], ["run", "-t", "folded"], ["run", "-o", "x.svg"], ["collapse", "perf"]):
            r = self.fails(1, *command, "cycles.txt", "clock.txt")
            self.assertIn(message + ", which cannot be added; ", r.err)
            self.assertEqual(("", ["clock.txt", "cycles.txt"]), (r.out, self.files()))
        self.fails(1, "merge", "clock.txt", "cycles.txt")

    def test_keep_going_counts_inputs_with_unlike_weights(self):
        message = self.unlike()
        self.write("more.txt", common.PERF.replace("cpu-clock", "cycles"))
        r = self.fails(1, "merge", "cycles.txt", "clock.txt", "more.txt", "--keep-going")
        self.assertIn(message, r.err)
        self.assertIn("left out: 1 of 3 inputs", r.err)
        self.assertEqual("node;main;malloc;do_page_fault 20\nnode;main;parse 10\n", r.out)

    def test_every_command_that_adds_up_inputs_keeps_going(self):
        """Runs that draw sorted folded text without a profile keep going, too. A comparison needs both inputs."""
        message = self.unlike()
        self.write("bad.json", '{"x": 1}\n')
        inputs = ["cycles.txt", "nix.txt", "clock.txt", "bad.json"]
        for command in (["merge"], ["run", "-t", "folded"], ["collapse", "guess"],
                        ["flamegraph", "--from", "guess", "-t", "folded"]):
            for way in common.WAYS:
                r = self.fails(1, *command, *inputs, "--keep-going", *way)
                self.assertEqual(common.PERF_STACKS, r.out, r)
                self.assertIn(message, r.err)
                self.assertIn("'nix.txt': ", r.err)
                self.assertIn("bad.json: ", r.err)
                self.assertIn("warning: left out: 3 of 4 inputs\n", r.err)
            self.assertEqual("", self.fails(1, *command, *inputs).out)
            self.fails(1, *command, "nix.txt", "bad.json", "--keep-going")
        self.write("p.yaml", "pipelines:\n  all:\n    inputs: [cycles.txt, clock.txt]\n    outputs: [{use: folded, to: all.folded}]\n")
        self.assertIn("left out: 1 of 2 inputs", self.fails(1, "--config", "p.yaml", "run", "all", "--keep-going").err)
        self.assertEqual(common.PERF_STACKS, self.read("all.folded"))
        self.assertIn("no option '--keep-going'", self.fails(2, "diff", *inputs[:2], "--keep-going").err)

    def test_a_picture_of_many_sorted_files_keeps_going(self):
        stacks = "".join(f"main;f{i:06};{'x' * 60} 1\n" for i in range(20000))
        self.write("a.folded", stacks)
        self.write("b.folded", stacks.replace(" 1\n", " 2\n"))
        self.good("run", "a.folded", "b.folded", "-o", "want.svg")
        r = self.fails(1, "run", "a.folded", "nix.folded", "b.folded", "-o", "got.svg", "--keep-going")
        self.assertIn("left out: 1 of 3 inputs", r.err)
        self.assertEqual(self.read("want.svg"), self.read("got.svg"))

    def test_unlike_weights_are_compared_only_as_shares(self):
        message = self.unlike()
        r = self.fails(1, "diff", "cycles.txt", "clock.txt")
        self.assertIn(message + ", which cannot be compared; ", r.err)
        r = self.brazier("diff", "cycles.txt", "clock.txt", "-n")
        self.assertEqual((0, common.PERF_STACKS.replace(" 10", " 10 10").replace(" 5", " 5 5")), (r.code, r.out), r)

    def test_comparisons_with_folded_text_that_names_no_weight_warn(self):
        self.unlike()
        self.write("old.folded", "node;main;parse 5\n")
        r = self.brazier("diff", "old.folded", "cycles.txt")
        self.assertEqual(0, r.code, r)
        self.assertIn("warning: cycles.txt: has 'cycles' in count, but old.folded has 'samples', which are compared", r.err)
        self.write("new.folded", "node;main;parse 5\n")
        self.good("diff", "old.folded", "new.folded")
        self.good("diff", "old.folded", "cycles.txt", "-n")

    def test_an_input_without_the_named_weight_is_named(self):
        self.unlike()
        for inputs in (["cycles.txt", "clock.txt"], ["clock.txt", "cycles.txt"]):
            r = self.fails(1, "merge", "-w", "cycles", *inputs)
            self.assertIn("clock.txt: has no values of 'cycles'", r.err)

    def test_periods_are_not_added_to_numbers_of_samples(self):
        self.write("periods.txt", common.PERF)
        self.write("samples.txt", common.PERF.replace(" 10 cpu-clock", " cpu-clock").replace(" 5 cpu-clock", " cpu-clock"))
        r = self.fails(1, "merge", "periods.txt", "samples.txt")
        self.assertIn("samples.txt: 'cpu-clock' is in samples here and in nanoseconds in periods.txt", r.err)

    def test_folded_text_carries_its_weight_on_request(self):
        self.unlike()
        self.good("run", "cycles.txt", "-o", "cycles.folded", "--weight-line")
        self.good("run", "clock.txt", "-o", "clock.folded", "--weight-line")
        self.assertEqual("# weight: cpu-clock (nanoseconds)\n" + common.PERF_STACKS, self.read("clock.folded"))
        self.assertEqual(common.PERF_STACKS, self.good("merge", "clock.folded").out)
        self.assertIn("node;main;parse 10", self.good("merge", "clock.folded", "clock.txt").out)
        r = self.fails(1, "merge", "cycles.folded", "clock.folded")
        self.assertIn("clock.folded: has 'cpu-clock' in nanoseconds, but cycles.folded has 'cycles' in count", r.err)
        self.fails(1, "diff", "cycles.folded", "clock.folded")
        self.assertEqual("# weight: after (nanoseconds)\nnode;main;malloc;do_page_fault 10 10\nnode;main;parse 5 5\n",
                         self.good("diff", "clock.folded", "clock.folded", "--weight-line").out)
        for format in ("folded", "recursive"):
            r = self.fails(1, "collapse", format, "cycles.folded", "clock.folded")
            self.assertIn("'cpu-clock'", r.err)

    def test_joined_files_of_folded_text_have_one_weight(self):
        first, other = "# weight: a (s)\nf;g 1\n", "# weight: b (s)\nf;g 1\n"
        self.assertEqual("f;g 2\n", self.good("collapse", "folded", stdin=first + first).out)
        for text in (first + other, "f;g 1\n" + other):
            for way in common.WAYS:
                self.write("in.folded", text)
                r = self.fails(1, "collapse", "folded", "in.folded", *way)
                self.assertIn("have another weight than those before", r.err)

    def test_no_record_counts_as_cut_off_after_an_error_that_ends_the_run(self):
        lines = "".join(f"a;b{i} 2\n" for i in range(100))
        text = f"# weight: x (count)\n{lines}# weight: y (count)\n{lines}"
        self.write("in.folded", text)
        for way in common.WAYS:
            for words, stdin in ((["in.folded"], ""), ([], text)):
                r = self.fails(1, "collapse", "folded", *words, *way, stdin=stdin)
                self.assertIn("have another weight than those before", r.err)
                self.assertNotIn("warning: ", r.err)

    def test_a_comment_with_a_unit_alone_names_no_weight(self):
        text = "# weight: (nanoseconds)\na;b 1\n# weight: ()\na;c 2\n"
        self.assertEqual("# weight: samples (samples)\na;b 1\na;c 2\n",
                         self.good("run", "-f", "folded", "-t", "folded", "--weight-line", stdin=text).out)

    def test_large_sorted_files_with_unlike_weights_are_not_added(self):
        lines = "".join(f"main;f{i:06};{'x' * 60} 1\n" for i in range(20000))
        self.write("a.folded", "# weight: a (s)\n" + lines)
        self.write("b.folded", lines)
        for more in ([], ["-j1"], ["-o", "x.folded"]):
            r = self.fails(1, "merge", "a.folded", "b.folded", *more)
            self.assertIn("b.folded: has 'samples', but a.folded has 'a' in s", r.err)
        self.assertEqual(lines.replace(" 1\n", " 2\n"), self.good("merge", "a.folded", "a.folded").out)
        self.assertIn('"name":"a","unit":"', self.good("run", "a.folded", "-t", "speedscope").out)

    def test_an_empty_input_does_not_choose_the_weight(self):
        self.write("empty.txt", "# ========\n")
        self.write("a.txt", common.PERF)
        for order in (["empty.txt", "a.txt"], ["a.txt", "empty.txt"]):
            r = self.brazier("merge", "-f", "perf", *order)
            self.assertEqual((0, common.PERF_STACKS), (r.code, r.out), r)

    def test_outputs_of_all_kinds(self):
        self.write("x.folded", "main;a 3\n")
        self.good("merge", "x.folded", "x.folded", "-o", "x.json")
        self.assertEqual(6, json.loads(self.read("x.json"))["value"])


if __name__ == "__main__":
    common.main()
