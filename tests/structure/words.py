#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that comments, messages and pages say "after" for what follows in a text: "behind" is for places and for what
something hides or leaves."""

import io
import os
import re
import sys
import tokenize
import unittest
from pathlib import Path

SOURCE = Path(os.environ.get("BRAZIER_SOURCE", Path(__file__).resolve().parents[2]))
FOLDERS = ["abi", "bench", "check", "cli", "cmake", "config", "core", "demo", "docs", "formats", "lib", "names", "packaging",
           "plugins", "record", "sdk", "tests", "view", "web"]
CODE = {".c", ".h", ".hpp", ".cpp", ".js", ".mjs", ".rs", ".css"}
PROSE = {".md", ".yaml", ".txt", ".cmake", ".sh"}
DATA = {"tests/golden", "tests/browser/node_modules", "tests/consumers/node_modules", "tests/fuzz/seeds"}
COMMENT_OR_TEXT = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.S)

# The right uses: things that are left over, that an interface or a link hides, or that lie farther from the eye.
LEGITIMATE = [r"\b(?:left|leaves?|leaving)(?: \w+){0,4} behind", r"(?:stays|descriptor left) behind",
              r"behind (?:a|the) (?:link|proxy|script|frames)", r"behind env", r"behind standard output",
              r"behind (?:one|a)\W+(?:versioned|small|header)", r"behind `[☰#]"]
LEGITIMATE = re.compile("|".join(LEGITIMATE), re.I)
IDENTIFIER = re.compile(r"\b(?!\w*(?:left|leaves?|leave|nothing)_)\w*behind\w*")


def words_of_python(text):
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    tests = re.findall(r"def test_\w+", text)
    kinds = (tokenize.COMMENT, tokenize.STRING)
    return " ".join([t.string for t in tokens if t.type in kinds] + [t.replace("_", " ") for t in tests])


def words_of(path):
    """Returns the comments, the messages and the names of tests of a file, or all of a page."""
    text = path.read_text(errors="replace")
    if "behind" not in text.lower():
        return ""
    if path.suffix == ".py":
        return words_of_python(text)
    return " ".join(COMMENT_OR_TEXT.findall(text)) if path.suffix in CODE else text


def wrong_words(text):
    """Returns the text around each "behind" that means "after"."""
    text = re.sub(r"\s*\n[\s*/#]*", " ", text)
    text = LEGITIMATE.sub("", text)
    return [text[max(m.start() - 30, 0):m.end() + 20] for m in re.finditer(r"\bbehind\b", text, re.I)]


def files():
    for folder in FOLDERS:
        for path in sorted((SOURCE / folder).rglob("*")):
            name = path.relative_to(SOURCE).as_posix()
            if path.suffix in CODE | PROSE | {".py"} and not name.startswith(tuple(DATA)) and path.is_file() \
                    and "node_modules" not in name and path != Path(__file__).resolve():
                yield path
    yield from SOURCE.glob("*.md")


class Words(unittest.TestCase):
    maxDiff = None

    def test_what_follows_is_after_and_not_behind(self):
        found = {str(p.relative_to(SOURCE)): wrong for p in files() if (wrong := wrong_words(words_of(p)))}
        self.assertEqual({}, found)

    def test_golden_cases_and_seeds_say_after_in_their_names(self):
        self.assertEqual([], [p.name for folder in DATA if "node_modules" not in folder
                              for p in (SOURCE / folder).rglob("*behind*")])

    def test_identifiers_say_after(self):
        found = {str(p.relative_to(SOURCE)): names for p in files() if p.suffix in {".c", ".h"}
                 if (names := IDENTIFIER.findall(COMMENT_OR_TEXT.sub("", p.read_text(errors="replace"))))}
        self.assertEqual({}, found)

    def test_the_check_finds_one_in_each_kind_of_text(self):
        self.assertEqual(1, len(wrong_words(words_of_python("# the name\n# behind the blank\n"))))
        self.assertEqual(1, len(wrong_words(words_of_python("def test_a_name_behind_a_blank(): pass\n"))))
        self.assertEqual(1, len(wrong_words("/* The text\n * behind the colon. */")))
        self.assertEqual([], wrong_words("/* Leaves nothing\n * behind. */"))


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=1))
