#!/usr/bin/env python3
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
        text, folded = (re.sub(r"(?m)^ {10}", "", re.search(rf"(?ms)^ +(?:- )?{key}: \|2?\n((?: {{10}}.*?\n)+)", block)[1])
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
