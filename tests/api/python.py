#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests lib/python/brazier.py, the library for Python.

usage: python.py [TEST...]
"""
import html
import io
import os
import pathlib
import sys
import tempfile
import threading
import unittest
import warnings
from decimal import Decimal
from unittest import mock

sys.path.insert(0, str(pathlib.Path(os.environ["BRAZIER_SOURCE"]) / "lib/python"))
import brazier  # noqa: E402

STACKS = b"main;parse;read 40\nmain;parse;lex 25\nmain;emit 20\n"
LATER = b"main;parse;read 40\nmain;parse;lex 30\nmain;emit;flush 7\n"


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.dir = pathlib.Path(folder.name)
        self.file = self.dir / "x.folded"
        self.file.write_bytes(STACKS)


class Inputs(Case):
    def test_a_file_bytes_streams_and_mappings_give_the_same(self):
        want = {"main;parse;read": 40, "main;parse;lex": 25, "main;emit": 20}
        stacks = {tuple(stack.split(";")): count for stack, count in want.items()}
        for given in (self.file, str(self.file), STACKS, bytearray(STACKS), io.BytesIO(STACKS), want, stacks,
                      io.StringIO(STACKS.decode())):
            self.assertEqual(want, brazier.fold(given), given)

    def test_a_list_is_one_profile(self):
        found = brazier.fold([self.file, STACKS, {"main;emit": 2}])
        self.assertEqual({"main;parse;read": 80, "main;parse;lex": 50, "main;emit": 42}, found)

    def test_a_stream_is_read_once_and_used_several_times(self):
        profile = brazier.Profile(io.BytesIO(STACKS))
        self.assertEqual(profile.folded(), profile.folded())

    def test_names_with_separators_and_line_ends_stay_one_frame(self):
        self.assertEqual({"a:b;c d": 1}, brazier.fold({("a;b", "c\nd"): 1}))

    def test_decimals_are_exact(self):
        self.assertEqual({"a": Decimal("0.1"), "b": Decimal("12.25")}, brazier.fold(b"a 0.1\nb 12.25\n", format="folded"))

    def test_the_format_is_guessed(self):
        self.assertEqual("folded", brazier.guess(self.file))
        self.assertEqual("folded", brazier.guess({"a": 1}))
        with self.assertRaisesRegex(brazier.Error, "format"):
            brazier.guess(b"\x00\x01\x02" * 40)


class Tables(Case):
    def test_functions_have_self_and_total(self):
        self.assertEqual([{"name": "read", "self": 40, "total": 40}, {"name": "lex", "self": 25, "total": 25},
                          {"name": "emit", "self": 20, "total": 20}, {"name": "main", "self": 0, "total": 85},
                          {"name": "parse", "self": 0, "total": 65}], brazier.table(STACKS))

    def test_order_and_limit(self):
        self.assertEqual(["main", "parse"], [r["name"] for r in brazier.table(STACKS, sort="total", limit=2)])

    def test_odd_names_are_whole(self):
        names = ["a  b", "NEW, BY TOTAL", "12 34 x", "\u540d\u524d", "x" * 300, "{count}", "and 3 more"]
        found = {row["name"] for row in brazier.table({(name,): 1 for name in names})}
        self.assertEqual(set(names), found)

    def test_a_comparison_has_both_sides(self):
        rows = {r.pop("name"): r for r in brazier.compare(STACKS, LATER, format="folded").table()}
        self.assertEqual({"before": 25, "after": 30, "delta": 5}, rows["lex"])
        self.assertEqual({"before": 0, "after": 7, "delta": 7}, rows["flush"])
        self.assertEqual({"before": 20, "after": 0, "delta": -20}, rows["emit"])
        totals = {r["name"]: r for r in brazier.compare(STACKS, LATER, format="folded").table(sort="total")}
        self.assertEqual(-8, totals["main"]["delta"])

    def test_negative_weights_stay(self):
        self.assertEqual({"name": "free", "self": -12, "total": -12},
                         brazier.table(b"main;free -12\nmain;a 20\n", format="folded")[1])

    def test_stacks_are_tuples(self):
        self.assertIn({"stack": ("main", "emit"), "value": 20}, brazier.Profile(STACKS).stacks())

    def test_pandas_gets_the_rows(self):
        pandas = mock.Mock()
        with mock.patch.dict(sys.modules, {"pandas": pandas}):
            brazier.Profile(STACKS).dataframe(sort="total")
        pandas.DataFrame.assert_called_once_with(brazier.table(STACKS, sort="total"))


class Drawing(Case):
    def test_files_and_bytes_are_the_same(self):
        for name, to in (("x.svg", "svg"), ("x.html", "html"), ("x.md", "markdown"), ("x.json", "json")):
            path = self.dir / name
            self.assertIsNone(brazier.draw(self.file, path))
            self.assertEqual(path.read_bytes(), bytes(brazier.draw(self.file, to=to)))

    def test_options_are_those_of_the_output_of_the_name(self):
        profile = brazier.Profile(STACKS)
        for name in ("x.svg", "x.svg.gz", "x.timeline.html", "x.md"):
            profile.draw(self.dir / name, title="Nightly")
        self.assertIn("Nightly", (self.dir / "x.svg").read_text())
        self.assertIn("Nightly", str(profile.draw(title="Nightly")))
        with self.assertRaisesRegex(brazier.Error, "titel.*title"):
            profile.draw(titel="Nightly")

    def test_settings_and_transforms_apply(self):
        self.assertEqual({"emit;main": 20}, brazier.fold(STACKS, transforms=[("keep", "^emit$"), "reverse"]))
        picture = brazier.draw(STACKS, palette="java", options={"svg.title": "By options"})
        self.assertIn("By options", str(picture))

    def test_a_notebook_shows_the_page_in_a_sandbox(self):
        shown = brazier.Profile(STACKS)._repr_html_()
        self.assertTrue(shown.startswith('<iframe sandbox="allow-scripts allow-downloads" '), shown[:80])
        page = html.unescape(shown.partition('srcdoc="')[2].removesuffix('"></iframe>'))
        self.assertEqual(page, str(brazier.Profile(STACKS).page()))
        self.assertNotIn("allow-same-origin", shown[:200])

    def test_hostile_names_stay_within_the_frame(self):
        stacks = {('"></iframe><script>alert(1)</script>',): 1}
        for shown in (brazier.draw(stacks)._repr_html_(), brazier.Profile(stacks)._repr_html_(),
                      brazier.draw(stacks, to="folded")._repr_html_()):
            self.assertNotIn("<script", shown)
            self.assertLessEqual(shown.count("</iframe>"), 1)

    def test_a_summary_is_markdown(self):
        self.assertIn("| 40 | 47.06% |", brazier.Profile(STACKS).markdown())
        self.assertLessEqual(len(brazier.Profile({f"f{i}": i + 1 for i in range(500)}).markdown("1K").encode()), 1024)


class Failures(Case):
    def test_errors_are_exceptions_with_the_messages(self):
        for given, words in ((self.dir / "none", "none"), (b"", "empty|no samples|format")):
            with self.assertRaisesRegex(brazier.Error, words) as raised:
                brazier.fold(given)
            self.assertEqual("error", raised.exception.messages[-1][0])

    def test_settings_that_are_wrong_name_the_nearest_one(self):
        with self.assertRaisesRegex(brazier.Error, "palete"):
            brazier.fold(STACKS, palete="java")

    def test_bad_records_are_warnings(self):
        with self.assertWarnsRegex(brazier.ProfileWarning, "left out"):
            found = brazier.Profile(STACKS + b"broken\n", format="folded")
            self.assertEqual(85, sum(found.folded().values()))
        self.assertEqual(["warning", "note"], [severity for severity, _, _ in found.messages])

    def test_a_warning_names_the_line_of_the_caller(self):
        for way in (lambda p: p.folded(), lambda p: p.table(), lambda p: p.draw(), lambda p: p.draw(self.dir / "x.svg"),
                    lambda p: p.markdown(), lambda p: p.page()):
            with self.assertWarns(brazier.ProfileWarning) as caught:
                way(brazier.Profile(STACKS + b"broken\n", format="folded"))
            self.assertEqual(__file__, caught.filename)
        with self.assertWarns(brazier.ProfileWarning) as caught:
            brazier.fold(STACKS + b"broken\n", format="folded")
        self.assertEqual(__file__, caught.filename)

    def test_a_failed_file_stays_as_it_was(self):
        path = self.dir / "x.svg"
        path.write_text("old")
        with self.assertRaises(brazier.Error):
            brazier.draw(b"", path)
        self.assertEqual("old", path.read_text())

    def test_a_missing_library_is_an_import_error_that_names_the_variable(self):
        with mock.patch.object(brazier, "_library", None), \
                mock.patch.dict(os.environ, {"BRAZIER_LIBRARY": str(self.dir / "none.so")}):
            with self.assertRaisesRegex(ImportError, "BRAZIER_LIBRARY"):
                brazier.version()


class Threads(Case):
    def test_threads_use_one_profile_at_once(self):
        profile, found = brazier.Profile(self.file), []
        threads = [threading.Thread(target=lambda: found.append(profile.folded())) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual([profile.folded()] * 8, found)


if __name__ == "__main__":
    warnings.simplefilter("error", ResourceWarning)
    unittest.main()
