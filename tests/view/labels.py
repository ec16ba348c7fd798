#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests that a label that lacks a part of its name says so, at every width of a frame, in brazier view and in the output
for terminals; tests/browser/cut_labels.test.mjs tests the other viewers."""
import json
import pathlib
import re

import screen

NAMES = json.loads((pathlib.Path(__file__).parent.parent / "browser/fixtures/long_names.json").read_text())
DEPTH = 40


class Labels(screen.Case):
    def setUp(self):
        super().setUp()
        stack = [NAMES[i % len(NAMES)] for i in range(DEPTH)]
        self.write("labels.folded", "".join(f"{';'.join(stack[:i + 1])} 1\n" for i in range(DEPTH)))

    def check(self, labels, whole, sign):
        cut = [label for label in labels if label and label != "all" and label not in whole]
        self.assertGreater(len(cut), 4)
        self.assertEqual([], [label for label in cut if sign not in label])

    def test_view(self):
        for size in ((80, 45), (40, 45), (200, 45)):
            for variables, sign in (({}, "\u2026"), ({"LC_ALL": "C"}, "~")):
                s = self.view("labels.folded", size=size, env={"NO_COLOR": "1", **variables})
                rows = s.shows("^all").split("\n")[:-3]
                whole = [re.sub("[^\x00-\x7f]", "?", name) for name in NAMES] if variables else NAMES
                self.check([row.lstrip(" |").rstrip("-") for row in rows if "|" in row], whole, sign)
                s.end()

    def test_term(self):
        for columns in (80, 40, 200):
            r = self.brazier("run", "labels.folded", "-t", "term", "--set", f"term.width={columns}")
            labels = re.findall(r"(?m)^ *\|(.*?)-*$", r.out)
            self.assertGreater(len(labels), DEPTH / 2)
            self.check(labels, NAMES, "\u2026")


if __name__ == "__main__":
    screen.main()
