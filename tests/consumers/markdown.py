#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests that cmark-gfm, GitHub's reader of Markdown, shows the names in a summary and nothing else of them.

usage: markdown.py
"""
import html.parser
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "property"))
import read_back  # noqa: E402

BRAZIER = os.environ["BRAZIER"]
EXTENSIONS = [word for name in ("table", "autolink", "strikethrough", "footnotes") for word in ("-e", name)]
EXPECTED_TAGS = {"h3", "p", "strong", "table", "thead", "tbody", "tr", "th", "td", "code"}
HOSTILE = ["[x](http://evil.example)", "![i](http://evil.example/i.png)", "www.evil.example", "a@evil.example",
           "https://evil.example", "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "a|b", "|", "||", "\\",
           "`", "``", "a`b``c", "@team", "#12", "&lt", "**bold**", "~~x~~", "$`x`$", "[^1]", "operator||",
           "- [ ] task", "<http://evil.example>", "[x]: http://evil.example", "x\\", "|`|", "`|`", "<!-- x", "]]>"]


class Reader(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.codes, self.rows, self.opened = set(), [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.opened.append(tag)
        if tag == "code":
            self.codes.append("")
        if tag == "tr":
            self.rows.append(0)
        if tag in ("td", "th"):
            self.rows[-1] += 1

    def handle_endtag(self, tag):
        assert self.opened.pop() == tag

    def handle_data(self, data):
        if "code" in self.opened:
            self.codes[-1] += data


def summary(stacks, *options):
    data = "".join(f"{';'.join(stack)} {count}\n" for stack, count in stacks.items()).encode()
    return subprocess.run([BRAZIER, "run", "--from", "folded", "-", "--to", "markdown", "--budget", "1M", "--limit",
                           "100", *options], input=data, capture_output=True, check=True).stdout


def read(markdown):
    page = subprocess.run(["cmark-gfm", "--unsafe", *EXTENSIONS], input=markdown, capture_output=True, check=True)
    reader = Reader()
    reader.feed(page.stdout.decode())
    return reader


class Markdown(unittest.TestCase):
    def test_names_are_shown_and_make_no_tags(self):
        for name in HOSTILE:
            with self.subTest(name=name):
                reader = read(summary({("main", name): 3, (name, "main", name): 2}))
                self.assertEqual(set(), reader.tags - EXPECTED_TAGS)
                self.assertEqual({"main", name}, set(reader.codes))
                self.assertEqual({3, 5}, set(reader.rows))

    def test_names_beside_each_other_stay_apart(self):
        stack = tuple(HOSTILE[:7])
        for i in range(len(HOSTILE)):
            stack = tuple((HOSTILE[i:] + HOSTILE[:i])[:7])
            reader = read(summary({stack: 1}))
            self.assertEqual(set(), reader.tags - EXPECTED_TAGS)
            self.assertEqual(list(stack), reader.codes[-7:])

    def test_blanks_around_names_stay(self):
        for name in (" ` ", "  ", " x ", " `"):
            self.assertEqual(["main", name, "leaf"], read(summary({("main", name, "leaf"): 1})).codes[-3:])

    def test_a_backslash_in_front_of_a_bar_is_shown_twice(self):
        self.assertEqual(["a\\\\|b"], read(summary({("a\\|b",): 1})).codes[1:])

    def test_titles_make_no_tags(self):
        for name in HOSTILE:
            reader = read(summary({("main",): 1}, f"--title={name}"))
            self.assertEqual(set(), reader.tags - EXPECTED_TAGS, name)

    def test_the_reader_of_the_properties_agrees(self):
        text = summary({("main", *HOSTILE[:9]): 1})
        names = {name.replace("\\|", "|") for name in read_back.code_spans(text.decode())}
        self.assertEqual(set(read(text).codes), names)


if __name__ == "__main__":
    if not shutil.which("cmark-gfm"):
        print("cmark-gfm is missing (Debian: cmark-gfm)")
        sys.exit(1 if "CI" in os.environ else 77)
    unittest.main()
