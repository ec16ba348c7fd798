#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests formats in YAML as docs/formats-in-yaml.md shows them: guesses, checks, units, messages."""
import re
import unittest

import common
from common import PLUGINS, SOURCE

PAGE = (SOURCE / "docs" / "formats-in-yaml.md").read_text()


def examples():
    """Yields (name, configuration, text, folded) of each format of the page."""
    for block in re.findall(r"(?ms)^```yaml\n(formats:\n.*?)^```$", PAGE):
        name = re.match(r"formats:\n  (\S+):", block)[1]
        text, folded = (re.sub(r"(?m)^ {10}", "", re.search(rf"(?ms)^ +(?:- )?{key}: \|2?\n((?:(?: {{10}}.*?)?\n)+)", block)[1])
                        for key in ("text", "folded"))
        yield name, block, text, folded


def sorted_lines(text):
    return sorted(text.splitlines())


CALLS = r"""formats:
  calls-log:
    use: calls
    options: {begin: '^(?<time>\d+) > (?<function>\S+)$', end: '^(?<time>\d+) < ', time-unit: ms}
"""
OTHER = r"""  other:
    use: lines
    options: {sample: '^(?<stack>[a-z/]+) took (?<weight>\d+)$', stack: {split: '/'}}
"""
TRACE = "0 > main\n2 > parse\n5 < parse\n9 < main\n"


@unittest.skipUnless(all((PLUGINS / f"collapse-{name}.so").exists() for name in ("lines", "blocks", "calls")), "not built")
class FormatsInYaml(common.Case):
    # ---- guesses ----

    def test_calls_are_guessed_by_their_lines(self):
        self.write("f.yaml", CALLS)
        self.write("calls.log", TRACE)
        self.assertEqual("calls.log: calls-log (70)\n", self.good("--config", "f.yaml", "guess", "calls.log").out)
        self.assertEqual("main 6000000\nmain;parse 3000000\n",
                         self.good("--config", "f.yaml", "run", "calls.log", "--to", "folded", "-o", "-").out)
        self.write("other.log", "a > b\nc < d\n" * 9)
        self.fails(1, "--config", "f.yaml", "guess", "other.log")

    def test_calls_that_end_by_their_depth_are_guessed(self):
        self.write("f.yaml", formats_of_depth())
        self.write("calls.log", "0 main\n2   parse\n9 end\n")
        self.assertEqual("calls.log: deep (70)\n", self.good("--config", "f.yaml", "guess", "calls.log").out)

    def test_each_example_of_the_page_is_guessed(self):
        self.assertGreater(len(list(examples())), 9)
        for name, block, text, folded in examples():
            with self.subTest(name):
                self.write("f.yaml", block)
                self.write("in.log", text)
                self.assertIn(f"in.log: {name} (", self.good("--config", "f.yaml", "guess", "in.log").out)
                r = self.brazier("--config", "f.yaml", "collapse", "guess", "in.log")
                self.assertEqual((0, sorted_lines(folded)), (r.code, sorted_lines(r.out)))

    # ---- the format of format try ----

    def test_try_chooses_the_format_that_fits(self):
        self.write("two.yaml", CALLS + OTHER)
        self.write("calls.log", TRACE)
        self.write("took.log", "a/b took 3\n")
        self.assertIn("B     1  0 > main\n", self.good("format", "try", "calls.log", "-f", "two.yaml").out)
        self.assertIn("S     1  a/b took 3\n", self.good("format", "try", "took.log", "-f", "two.yaml").out)
        self.write(".brazier.yaml", CALLS + OTHER)
        self.assertIn("S     1  a/b took 3\n", self.good("format", "try", "took.log").out)

    def test_try_says_which_formats_it_can_show(self):
        self.write("two.yaml", CALLS + OTHER)
        self.write("same.yaml", CALLS + CALLS.replace("formats:\n", "").replace("calls-log", "again"))
        self.write("empty.yaml", "")
        self.write("nothing.log", "lorem ipsum\n" * 5)
        self.write("calls.log", TRACE)
        for message, args in (
                ("nothing.log fits no format of two.yaml: calls-log, other; --format NAME shows which lines do not fit",
                 ["nothing.log", "-f", "two.yaml"]),
                ("calls.log fits several formats: again, calls-log; --format NAME says which", ["calls.log", "-f", "same.yaml"]),
                ("no formats in empty.yaml", ["calls.log", "-f", "empty.yaml"]),
                ("no formats in empty.yaml", ["calls.log", "-f", "empty.yaml", "--format", "calls-log"]),
                ("no format 'h' in two.yaml, which has calls-log, other", ["calls.log", "-f", "two.yaml", "--format", "h"]),
                ("no format 'othr' in two.yaml, which has calls-log, other; did you mean 'other'?",
                 ["calls.log", "-f", "two.yaml", "--format", "othr"])):
            with self.subTest(message):
                self.assertIn(f"error: {message}\n", self.fails(2, "format", "try", *args).err)
        self.assertIn("; --format FORMAT names one", self.fails(2, "format", "try", "nothing.log").err)

    # ---- format check ----

    def test_each_example_of_the_page_passes_its_check(self):
        for name, block, *_ in examples():
            with self.subTest(name):
                self.write("f.yaml", block)
                self.assertNotIn("FAIL", self.good("--config", "f.yaml", "format", "check", name).out)

    def test_each_shipped_format_passes_its_check(self):
        for path in sorted((SOURCE / "formats").glob("*.yaml")):
            with self.subTest(path.stem):
                self.good("format", "check", path.stem)

    def test_no_shipped_format_has_what_is_probably_a_mistake(self):
        for path in sorted((SOURCE / "formats").glob("*.yaml")):
            with self.subTest(path.stem):  # a run looks for that in formats of configurations only
                body = "".join(f"    {line}" for line in path.read_text().splitlines(keepends=True))
                self.write("f.yaml", f"formats:\n  copy:\n{body}")
                self.good("--config", "f.yaml", "config", "check")

    def test_a_draft_whose_long_lines_fit_nothing_passes_its_check(self):
        self.write("requests.log", REQUESTS_LOG)
        self.write("f.yaml", self.brazier("format", "new", "requests", "requests.log").out)
        self.good("--config", "f.yaml", "format", "check", "requests")

    def test_a_failed_check_names_the_file_the_format_and_the_key(self):
        self.write("slow.log", "aaaaaaaaaaaaaaaa\n")
        slow = "    use: lines\n    options: {sample: '^(?<stack>(a+)+)$'}\n"
        self.write("f.yaml", f"formats:\n  slow:\n{slow}")
        r = self.brazier("--config", "f.yaml", "format", "check", "slow", "slow.log")
        self.assertEqual(1, r.code, r)
        self.assertRegex(r.out, "(?m)^FAIL  limits    f.yaml:2: format 'slow', slow.log: with long lines: the expression of sample ")
        self.write("f.yaml", f"formats:\n  slow:\n{slow}    examples: [{{text: \"aaa\\n\", folded: aaa 1}}]\n")
        r = self.brazier("--config", "f.yaml", "format", "check", "slow")
        self.assertRegex(r.out, "(?m)^FAIL  limits    f.yaml:2: format 'slow', example 1: with long lines: the expression of sample ")

    def test_a_limit_names_the_key_the_line_and_the_definition(self):
        self.write("slow.log", "a;b 1\n" + "a" * 40 + "!\n")
        self.write("f.yaml", "formats:\n  slow:\n    use: lines\n    options: {sample: '^(?<stack>(a+)+)$|^(?<stack>a;b)'}\n")
        for args in (("collapse", "slow", "slow.log"), ("run", "slow.log", "--from", "slow", "--isolate", "-o", "a.svg")):
            r = self.fails(1, "--config", "f.yaml", *args)
            self.assertIn("slow.log:2:1: error: the expression of sample exceeds the match limit of 10000000 steps on this line: "
                          "simplify its repetitions (format 'slow', f.yaml:2)\n", r.err)
        self.write("f.yaml", "formats: {mine: {use: eu-stack, options: {frame: '^(?<function>(a+)+)[xy]$'}}}\n")
        self.write("in.txt", "TID 1:\n" + "a" * 40 + "\n")
        self.assertIn("(format 'mine', f.yaml:1)\n", self.fails(1, "--config", "f.yaml", "collapse", "mine", "in.txt").err)

    # ---- kinds ----

    def test_frames_have_the_kind_of_their_group_or_of_the_format(self):
        config = r"""formats:
  kinds:
    use: lines
    options: {sample: '^(?<stack>.*) (?<weight>\d+)$', frame: '^(?:(?<kind>\w+):)?(?<function>\w+)$'}
"""
        words = ("user", "u", "kernel", "k", "process", "p", "jit", "j", "inlined", "i", "waker", "w")
        text = ";".join(f"{word}:f{i}" for i, word in enumerate(words)) + ";g 1\n"
        for otherwise in ("", "kernel", "user"):
            r = self.folded_rows(config.replace("use: lines\n    options: {", f"use: lines\n    options: {{kind: {otherwise or 'other'}, "),
                                 text, "--to", "json", "--extras")
            self.assertEqual(0, r.code, r)
            kinds = [k[0] or k[1] for k in re.findall(r'"name":"f\d+","value":1(?:,"libtype":"(\w+)")?|(none)', r.out)]
            self.assertEqual([word for word in words[::2] for _ in range(2)], kinds)
            last = re.search(r'"name":"g","value":1(?:,"libtype":"(\w+)")?', r.out)[1]
            self.assertEqual(otherwise or None, last)

    # ---- units ----

    UNITS = r"""formats:
  mixed:
    use: lines
    options:
      sample: '^(?:(?<time>[\d.]+): )?(?<stack>\S.*?) (?<weight>[\d.,]+) ?(?<unit>[^\d\s]+)?$'
      stack: {split: ' > '}
      weight: {unit: us}
"""

    def folded_rows(self, config, text, *args):
        name = config.split("\n")[1].split(":")[0].strip()
        self.write("f.yaml", config)
        self.write("in.log", text)
        return self.brazier("--config", "f.yaml", "collapse", name, "in.log", *args)

    def test_rows_have_units_of_their_own(self):
        r = self.folded_rows(self.UNITS, "1.5: a > b 12ms\na > c 2s\na > d 5us\na > e 1.5 min\na > f 1,000 ns\na > g 7\n")
        self.assertEqual((0, "", "a;b 12000\na;c 2000000\na;d 5\na;e 90000000\na;f 1\na;g 7\n"), (r.code, r.err, r.out))
        r = self.folded_rows(self.UNITS.replace("unit: us", "unit: bytes"), "a > b 2KB\na > b 2KiB\na > c 1MiB\na > d 3 B\n")
        self.assertEqual((0, "", "a;b 4048\na;c 1048576\na;d 3\n"), (r.code, r.err, r.out))
        for way in common.WAYS:
            self.assertEqual(r.out, self.good("--config", "f.yaml", "collapse", "mixed", "in.log", *way).out, way)

    def test_weights_and_durations_may_be_sums_of_units(self):
        config = self.UNITS.replace(r"(?<weight>[\d.,]+) ?(?<unit>[^\d\s]+)?", r"(?<weight>\d[\d.hms ]*?)(?<unit>s|ms)?") \
            .replace("unit: us", "unit: s")
        r = self.folded_rows(config, "a > b 1m35s\na > c 1h 2m3.5s\na > d 2m\na > e 1m30\na > f 1m 5ms\na > g 7\na > h 90ms\n")
        self.assertEqual((0, "", "a;b 95\na;c 3723.5\na;d 120\na;e 90\na;f 60.005\na;g 7\na;h 0.09\n"), (r.code, r.err, r.out))
        r = self.folded_rows(config, "a > b 1m35\na > c 1hms\na > d 1m 2 3s\n")
        self.assertEqual((0, "a;b 95\n"), (r.code, r.out))
        self.assertEqual(2, r.err.count("is no number, or too large") + r.err.count("more like this"), r)
        r = self.folded_rows(r"""formats:
  whole:
    use: calls
    options: {call: '^(?<time>\d+) (?<function>\w+) (?<duration>\w+)$', time-unit: s, begin: '', end: ''}
""", "1 a 1m2s\n2 b 30ms\n3 c 4parsecs\n")
        self.assertEqual((0, "a 62000000000\nb 30000000\n"), (r.code, r.out), r)

    def test_a_large_weight_has_the_same_value_wherever_the_decimals_stand(self):
        config = "formats:\n  mine: {use: lines}\n"
        first, finer, more = "a 9000000000000000000\n", "b 0.5\n", "b 7\n" * 300000
        for text in (first + finer + more, finer + first + more, finer + more + first, first + more + finer):
            for way in ([], ["-j2", "--range-size", "100000"], ["-j3", "--range-size", "600000"]):
                r = self.folded_rows(config, text, *way)
                self.assertEqual((0, "a 922337203685477580.7\nb 2100000.5\n"), (r.code, r.out), way)
                self.assertEqual("brazier: warning: sums do not fit into 64 bits: they stay at the limit\n", r.err)

    def test_a_row_with_an_unknown_unit_is_reported_with_its_line(self):
        r = self.folded_rows(self.UNITS, "a > b 12ms\na > c 2 parsecs\na > d 5KB\n", "-v")
        self.assertEqual((0, "a;b 12000\n"), (r.code, r.out))
        for line in (2, 3):
            self.assertIn(f"in.log:{line}:1: warning: the unit is unknown, or none of the weight's kind: left out\n", r.err)

    def test_rows_with_units_need_the_unit_of_the_weight(self):
        for unit in ("", "unit: requests"):
            r = self.folded_rows(self.UNITS.replace("unit: us", unit), "a > b 12ms\n")
            self.assertEqual(2, r.code, r)
            self.assertRegex(r.err, r"f.yaml:\d.*error: 'weight-unit' of 'mixed': the group unit is converted to this unit, "
                                    r"which is one of ns, us, ms,")

    def test_totals_times_and_durations_have_units(self):
        r = self.folded_rows(r"""formats:
  sums:
    use: blocks
    options:
      begin: '^took (?<weight>\d+)(?<unit>\w+)$'
      frame: '^ (?<function>\w+)$'
      total: '^all (?<total>\d+)(?<unit>\w+)$'
      weight: {unit: ms}
""", "took 2s\n a\ntook 5ms\n b\nall 2005ms\ntook 1s\n c\nall 1000ms\n")
        self.assertEqual((0, "", "a 2000\nb 5\nc 1000\n"), (r.code, r.err, r.out))
        calls = CALLS.replace(r"(?<time>\d+)", r"(?<time>[\d.]+)(?<unit>\w+)")
        r = self.folded_rows(calls, "0ms > main\n2ms > parse\n0.5s < parse\n1min < main\n")
        self.assertEqual((0, "", "main 59502000000\nmain;parse 498000000\n"), (r.code, r.err, r.out))
        r = self.folded_rows(calls, "0ms > main\n1KB > parse\n9ms < main\n")
        self.assertEqual((0, "main 9000000\n"), (r.code, r.out))
        self.assertIn("in.log:2:1: warning: the unit is none of time: left out\n", r.err)
        r = self.folded_rows(r"""formats:
  whole:
    use: calls
    options: {call: '^(?<time>\d+) (?<function>\w+) (?<duration>\d+)(?<unit>\w+)$', time-unit: s, begin: '', end: ''}
""", "1 a 2ms\n2 b 3us\n3 c 4 parsecs\n")
        self.assertEqual((0, "a 2000000\nb 3000\n"), (r.code, r.out), r)

    # ---- doubts ----

    def test_a_format_that_is_probably_wrong_gets_a_warning(self):
        for options, message in (
                ("{sample: '^(?<thread>\\d+) (?<stack>.*)$', roots: [nothere]}", "4:64: warning: 'roots' of 'mine': no expression has a "
                 "group 'nothere'"),
                ("{sample: '^(?<thread>\\d+) (?<stack>.*)$', roots: [thread, thraed]}",
                 "4:72: warning: 'roots' of 'mine': no expression has a group 'thraed'; did you mean 'thread'?"),
                ("{sample: '^(?<stack>.*) (?<wieght>\\d+)$', weight: {unit: ms}}",
                 "4:23: warning: 'sample' of 'mine': the group 'wieght' is a label; did you mean 'weight'?"),
                ("{sample: '^(?<stack>.*)$', weight: {unit: ms}}",
                 "4:56: warning: 'weight-unit' of 'mine': no expression has a group 'weight', so each sample counts 1"),
                ("{sample: '^(?<prcess>.*) (?<stack>.*)$'}", "did you mean 'process'?")):
            with self.subTest(options):
                self.write("f.yaml", f"formats:\n  mine:\n    use: lines\n    options: {options}\n    examples: []\n")
                self.write("in.log", "1 a;b 2\n")
                for args in (("--config", "f.yaml", "collapse", "mine", "in.log"), ("config", "check", "f.yaml"),
                             ("format", "try", "in.log", "-f", "f.yaml")):
                    r = self.brazier(*args)
                    self.assertEqual((0, 1), (r.code, r.err.count(message)), r)

    def test_names_of_ones_own_get_no_warning(self):
        for options in ("{sample: '^(?<threads>\\d+) (?<module2>.*) (?<module>.*) (?<stack>.*)$', roots: [threads, module2]}",
                        "{sample: '^(?<stack>.*)$', weight: {unit: ms, factor: 10}}",
                        "{header: '^# (?<host>.*)', sample: '^(?<stack>.*) (?<n>\\d+)$', roots: host, weight: {group: n, unit: ms}}"):
            self.write("f.yaml", f"formats:\n  mine:\n    use: lines\n    options: {options}\n")
            self.assertNotIn("warning", self.brazier("config", "check", "f.yaml").err)

    # ---- files ----

    def test_extra_keys_are_ignored_in_all_maps_of_a_configuration(self):
        self.write("in.log", "a b 1\nc d 2\n")
        self.write("f.yaml", r"""x-a: &expression '^(?<stack>.*) (?<weight>\d+)$'
formats:
  x-stuff: {anything: [1, 2]}
  mine: {x-note: mine, use: lines, options: {x-b: 1, sample: *expression, stack: {x-c: 2, split: ' '}}}
palettes:
  x-colors: [red]
  ours: {use: kind, x-note: ours, options: {x-d: 3}}
pipelines:
  x-p: 1
  cpu: {x-note: cpu, collapse: {use: mine, x-e: 4, options: {x-f: 5}}, palette: ours, outputs: [{use: folded, to: '-', x-g: 6}]}
options:
  x-none: {a: 1}
  svg: {x-h: 7, title: T}
""")
        self.assertIn("f.yaml: good\n", self.brazier("config", "check", "f.yaml").out)
        self.assertEqual("a;b 1\nc;d 2\n", self.good("--config", "f.yaml", "run", "cpu", "in.log").out)
        self.assertNotIn("x-stuff", self.good("--config", "f.yaml", "plugin", "list").out)
        self.good("--config", "f.yaml", "config", "show")
        self.write("f.yaml", "formats: {y-stuff: {anything: 1}}\n")
        self.fails(2, "config", "check", "f.yaml")

    def test_a_format_of_the_project_replaces_that_of_the_user_as_a_whole(self):
        self.write(".config/brazier/config.yaml", """formats:
  mine: {use: lines, summary: the user's, options: {ignore: '^b', weight: {unit: ms}}}
  other: {use: lines, options: {sample: '^(?<stack>.*)$'}}
palettes:
  ours: {use: kind, background: '#ffffff'}
pipelines:
  cpu: {collapse: mine, outputs: [folded]}
""", self.home)
        self.write("in.log", "a 1\nb 2\n")
        self.write(".brazier.yaml", "formats:\n  mine: {use: lines}\npalettes: {ours: {use: hot}}\npipelines: {cpu: {transform: [reverse]}}\n")
        self.assertEqual("a 1\nb 2\n", self.good("collapse", "mine", "in.log").out)
        self.assertNotIn("the user's", self.good("plugin", "list").out)
        self.good("collapse", "other", "in.log")
        shown = self.brazier("config", "show").out
        self.assertIn('background: "#ffffff"', shown)  # palettes and pipelines are merged
        self.assertEqual("a 1\nb 2\n", self.good("run", "cpu", "in.log", "--to", "folded", "-o", "-").out)
        self.write("base.yaml", "formats: {mine: {use: lines, options: {ignore: '^a'}}}\n")
        self.write("f.yaml", "extends: base.yaml\nformats: {mine: {use: lines}}\n")
        self.assertEqual("a 1\nb 2\n", self.good("--config", "f.yaml", "collapse", "mine", "in.log").out)

    # ---- golden cases ----

    def test_a_golden_case_uses_each_option_of_each_shape(self):
        for shape in ("lines", "blocks", "indented", "calls"):
            shown = self.good("collapse", shape, "--help").out.split(f"Options of the collapser {shape}:\n")[1].split("\n\n")[0]
            options = re.findall(r"(?m)^ +--(?:\[no-\])?([a-z-]+)", shown)
            self.assertGreater(len(options), 10)
            used = " ".join(path.read_text() for path in (SOURCE / "tests/golden/collapse" / shape).glob("*.args"))
            for path in (SOURCE / "formats").glob("*.yaml"):
                definition = path.read_text().split("\nexamples:")[0]
                if f"\nuse: {shape}\n" in definition:
                    used += "".join(f" --{key}" for key in re.findall(r"(?m)^  ([a-z-]+):", definition))
                    for key, rest in re.findall(r"(?m)^  ([a-z-]+): \{(.*)\}$", definition):
                        used += "".join(f" --{key}-{inner}" for inner in re.findall(r"(?:^|, )([a-z]+):", rest))
            missing = [option for option in options if not re.search(rf"(?:^|\s)--(no-)?{option}(?![a-z-])", used)]
            self.assertEqual([], missing, shape)

    # ---- places of messages ----

    def test_rows_with_more_than_the_row_above_are_reported_with_their_line(self):
        tree = "formats:\n  mine: {use: indented, options: {amount: total}}\n"
        r = self.folded_rows(tree, "main 10\n  a 4\n  b 7\n  c 1\nother 5\n")
        self.assertEqual((0, "main;a 4\nmain;b 7\nmain;c 1\nother 5\n"), (r.code, r.out))
        self.assertIn("in.log:3:1: warning: the rows down to this one have more than the row above them: they count alone\n", r.err)
        self.assertEqual(1, r.err.count("warning"))
        rows = tree.replace("amount: total", r"frame: '^\s*(?<function>\w+) (?<weight>-?\d+)$'")
        r = self.folded_rows(rows, "main 10\n  a -4\n")
        self.assertIn("in.log:2:1: warning: a row with less than nothing: its amount is left out\n", r.err)

    def test_an_option_that_is_set_twice_is_an_error(self):
        self.write("f.yaml", "formats:\n  mine:\n    use: lines\n    options:\n      weight-unit: ms\n      weight: {unit: us}\n")
        self.write("in.log", "a 1\n")
        for args in (("--config", "f.yaml", "collapse", "mine", "in.log"), ("config", "check", "f.yaml")):
            self.assertIn("f.yaml:6:16: error: 'weight-unit' is set twice: here and in line 5\n", self.fails(2, *args).err)

    def test_a_circle_names_the_formats(self):
        self.write("f.yaml", "formats:\n  a: {use: b}\n  b: {use: a}\n")
        self.assertIn("f.yaml:3:12: error: formats use each other in a circle, without a plug-in: 'a' uses 'b', 'b' uses 'a'\n",
                      self.fails(2, "--config", "f.yaml", "collapse", "a", "x").err)

    # ---- standard input ----

    def test_try_reads_formats_or_the_file_from_standard_input(self):
        self.write("f.yaml", CALLS)
        self.write("calls.log", TRACE)
        for args in ("calls.log -f - <f.yaml", "- -f f.yaml <calls.log"):
            self.assertIn("B     1  0 > main\n", self.in_shell(f'"$0" format try {args}').out)
        r = self.in_shell('"$0" format try - -f - <f.yaml')
        self.assertIn("standard input is either the file or its formats: '-' stands for both\n", r.err)
        self.assertIn("error: no formats in stdin\n", self.in_shell('"$0" format try calls.log -f - </dev/null').err)
        self.assertIn("stdin:1:1: error: no such key 'a'\n", self.in_shell('echo "a: b" | "$0" format try calls.log -f -').err)

    # ---- pages ----

    def test_the_page_begins_with_the_example_of_the_draft(self):
        self.write("requests.log", REQUESTS_LOG)
        drafted = self.brazier("format", "new", "requests", "requests.log").out
        self.assertIn(drafted[drafted.index("    examples:"):] + "```", PAGE)
        shown = re.search(r"(?ms)^\$ brazier format try requests.log\n(.*?)…", PAGE)[1]
        self.write("f.yaml", next(examples())[1])
        self.assertIn(shown, self.good("format", "try", "requests.log", "-f", "f.yaml").out)

    def test_help_and_manual_pages_list_the_letters_and_keys(self):
        shown = self.good("format", "--help").out
        pages = SOURCE / "docs" / "man"
        for letter in "HCBSFMETI?":
            self.assertRegex(shown, rf"(?m)^  {re.escape(letter)}  \S")
            self.assertIn(f"\n.It Cm \\&{letter}\n", (pages / "brazier-format.1").read_text())
            self.assertRegex((SOURCE / "docs" / "cli.md").read_text(), rf"(?m)^\| (\w, )?{re.escape(letter)}(, \w)? \| ")
        self.assertIn("brazier.yaml", shown)
        described = (pages / "brazier.yaml.5").read_text().split(".Ss Formats\n")[1].split(".Ss ")[0]
        for key in ("use", "options", "summary", "help", "files", "contains", "examples"):
            self.assertIn(f"\n.It Ic {key}\n", described)

    # ---- long lines ----

    def test_try_cuts_long_lines_groups_and_stacks(self):
        self.write("f.yaml", r"""formats:
  mine: {use: lines, options: {sample: '^(?<stack>.*) (?<weight>\d+)$'}}
""")
        self.write("in.log", "a" + "ä" * 50000 + " 7\n")
        out = self.good("format", "try", "in.log", "-f", "f.yaml").out
        self.assertLess(len(out), 4000)
        self.assertIn("\nStacks: 1\n  aää", out)
        for text in ("ä… (99004 bytes more)\n", "stack: aää", "ä… (99002 bytes more), weight: 7\n", "ä… (99002 bytes more) 7\n"):
            self.assertIn(text, out)
        self.assertNotIn("bytes more", self.good("format", "try", "in.log", "-f", "f.yaml", "--json").out)


REQUESTS_LOG = """12:00:01 [worker-1] handle > parse > lex 12ms
12:00:02 [worker-2] handle > write 3ms
12:00:02 [worker-1] handle > parse > read 7ms
"""


def formats_of_depth():
    return r"""formats:
  deep:
    use: calls
    options: {begin: '^(?<time>\d+) (?<depth> *)(?<function>\S+)$', depth: group}
"""


if __name__ == "__main__":
    common.main()
