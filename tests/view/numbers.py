#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests that brazier view and the outputs for terminals have the numbers that pictures and pages have, see
tests/browser/numbers.test.mjs."""
import json
import pathlib
import re

import screen

FIXTURE = pathlib.Path(__file__).parent.parent / "browser/fixtures/numbers.json"


class Numbers(screen.Case):
    def setUp(self):
        super().setUp()
        self.numbers = json.loads(FIXTURE.read_text())
        self.write("numbers.folded", self.numbers["stacks"])

    def test_a_search_and_a_zoom(self):
        found, zoom = self.numbers["search"], self.numbers["zoom"]
        s = self.view("numbers.folded", size=(120, 24))
        s.shows("^all")
        s.type("/", found["pattern"], "Enter")
        s.shows(f"{found['frames']} frames, {found['total']} samples, {found['totalShare']}")
        s.type("Escape", "/", f"^{zoom['to']}$", "Enter", "n", "Enter", "/", f"^{zoom['point']}$", "Enter", "k", "h")
        s.shows(f"^{zoom['point']} ")
        s.shows(f"^{zoom['total']} samples, self .*, {zoom['ofAll']} of all, {zoom['ofSelection']} of the selection")

    def test_the_table(self):
        s = self.view("numbers.folded")
        s.shows("^all")
        s.type("t")
        for name, *numbers in self.numbers["table"]:
            s.shows("^ *" + " +".join(re.escape(str(n)) for n in numbers) + f" {name}$")

    def test_the_outputs_table_and_term(self):
        table = self.brazier("run", "numbers.folded", "-t", "table").out
        term = self.brazier("run", "numbers.folded", "-t", "term").out
        for name, own, share, total, total_share in self.numbers["table"]:
            self.assertRegex(table, rf"(?m)^ *{own} +{share} +{total} +{total_share} +{name}$")
            if own > 0:
                self.assertRegex(term, rf"(?m)^ *{share} +{own} +{name}$")


if __name__ == "__main__":
    screen.main()
