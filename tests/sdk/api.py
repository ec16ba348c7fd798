#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the reference of the SDK: Doxygen finds documentation for every symbol of the headers, and
reports symbols without it.

usage: api.py
"""
import os
import pathlib
import re
import shutil
import subprocess
import unittest

from common import INCLUDE, Case, main, public_headers

DOXYFILE = pathlib.Path(os.environ.get("BRAZIER_DOXYFILE", "Doxyfile"))

# Macros for internal use between headers.
GUESSED = {"BRZ_LIBC_KNOWS_CPU"}


@unittest.skipUnless(shutil.which("doxygen"), "no doxygen")
class Api(Case):
    def doxygen(self, include=INCLUDE):
        """Runs Doxygen on a folder of headers. Returns its messages and the output folder."""
        text = DOXYFILE.read_text().replace(str(INCLUDE), str(include))
        text += (f'\nOUTPUT_DIRECTORY = "{self.dir}"\n'
                 f'GENERATE_TAGFILE = "{self.dir / "symbols"}"\n')
        p = subprocess.run(["doxygen", "-"], input=text, capture_output=True, text=True)
        return p.returncode, p.stderr, self.dir / "html"

    def test_everything_is_documented(self):
        code, said, html = self.doxygen()
        self.assertEqual((0, ""), (code, said))
        index = (html / "index.html").read_text()
        for header in public_headers():
            if header.count("/") == 1:
                self.assertRegex(index, rf">\s*{re.escape(header)}\s*<", "not on the main page")

    def test_the_pages_do_not_name_the_folder_of_the_source(self):
        """Packages of the same source have the same bytes wherever they are built."""
        _, _, html = self.doxygen()
        source = re.sub(r"\W", ".", str(INCLUDE.parent.parent))  # names of anchors have other characters
        for page in html.rglob("*.html"):
            self.assertIsNone(re.search(source, re.sub("_+", "_", page.read_text())), page.name)

    def test_every_symbol_of_the_headers_is_in_the_reference(self):
        self.doxygen()
        documented = set(re.findall(r"<name>(\w+)</name>", (self.dir / "symbols").read_text()))
        wanted = set()
        for header in public_headers():
            text = (INCLUDE / header).read_text()
            wanted |= set(re.findall(r"^static inline [^;{(]*?(\w+)\(", text, re.M))
            wanted |= set(re.findall(r"^#define (BRZ_\w+)\b", text, re.M))
            wanted |= set(re.findall(r"^} (\w+);", text, re.M))
        self.assertEqual(set(), wanted - documented - GUESSED)
        self.assertGreater(len(wanted), 250)

    def test_what_is_not_documented_would_be_found(self):
        for text, said in [
                ("static inline int brz_bare(void)\n{\n    return 0;\n}\n", "brz_bare(void)"),
                ("#define BRZ_BARE 1\n", "BRZ_BARE"),
                ("/** A. */\ntypedef struct brz_a {\n    int bare;\n} brz_a;\n", "Member bare"),
                ("typedef struct brz_a {\n    int b; /**< b */\n} brz_a;\n", "Compound brz_a")]:
            with self.subTest(said):
                include = self.dir / "include"
                include.mkdir(exist_ok=True)
                (include / "bare.h").write_text("/** @file\n * It is bare.\n */\n" + text)
                code, complaint, _ = self.doxygen(include)
                self.assertNotEqual(0, code)
                self.assertIn(said, complaint)
                self.assertIn("is not documented", complaint)


if __name__ == "__main__":
    main()
