#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Follows docs/plugin-guide.md with an installed brazier.

usage: guide.py
"""
import re
import shutil
import unittest

from common import SOURCE, main
from installed import Installed

GUIDE = SOURCE / "docs" / "plugin-guide.md"


def blocks(text):
    """Yields the fenced blocks of a document: (language, rest of the fence's line, text)."""
    for fence in re.finditer(r"^```(\w+)?(?: (\S+))?\n(.*?)^```$", text, re.M | re.S):
        yield fence.group(1), fence.group(2), fence.group(3)


def code_lines(text):
    """Returns the lines of C that are neither empty nor comments."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    return [line for line in text.splitlines() if line.strip()]


@unittest.skipUnless(shutil.which("make"), "no make")
class Guide(Installed):
    """Follows docs/plugin-guide.md: writes its files, runs its commands, and compares their output
    with the document."""

    def test_all_that_it_says_happens(self):
        printed, steps = None, 0
        for language, name, text in blocks(GUIDE.read_text()):
            if language == "sh" and name == "run":
                printed = self.run_here("sh", "-ec", text, BRAZIER_PLUGIN_PATH="")
                steps += 1
            elif language == "text" and name == "printed":
                self.assertEqual(printed, text)
                steps += 1
            elif name is not None:
                (self.dir / name).parent.mkdir(parents=True, exist_ok=True)
                (self.dir / name).write_text(text)
                steps += 1
        self.assertGreaterEqual(steps, 20)

    def test_every_command_and_file_of_it_is_run(self):
        for language, name, text in blocks(GUIDE.read_text()):
            self.assertIsNotNone(name, f"a block that no test looks at:\n{text}")

    def test_a_new_format_is_no_more_than_sixty_lines(self):
        first = next(text for _, name, text in blocks(GUIDE.read_text()) if name == "tally/tally.c")
        self.assertIn("BRZ_PLUGIN(", first)
        self.assertLessEqual(len(code_lines(first)), 60)


if __name__ == "__main__":
    main()
