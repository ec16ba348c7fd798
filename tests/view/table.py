#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the table of brazier view."""
import screen

STACKS = "main;a;log 10\nmain;a;work;log 5\nmain;b;log 20\nmain;b;zap 50\n"


class Table(screen.Case):
    def open(self, *words, **more):
        self.write("calls.folded", STACKS)
        s = self.view("calls.folded", *words, **more)
        s.shows("^all$")
        s.type("t")
        return s

    def test_functions_have_self_and_total_weights(self):
        shown = self.open().shows("functions$")
        self.assertRegex(shown, r"^ +\*self +total +function")
        self.assertRegex(shown, r"(?m)^ +50 +58.82% +50 +58.82% zap$")
        self.assertRegex(shown, r"(?m)^ +0 +0.00% +85 +100.00% main$")
        self.assertRegex(shown, r"(?s)zap.*log.*a.*b.*main.*work")

    def test_o_sorts_by_each_column_and_the_choice_stays(self):
        s = self.open()
        s.shows("^1 of 6 functions")
        s.type("o")
        s.shows(r"\*total")
        s.shows(r"(?s)main\n.* b\n.* zap\n.* log\n")
        s.shows("^3 of 6 functions")
        s.type("o")
        s.shows(r"\*function")
        s.shows("^6 of 6 functions")
        s.type("o")
        s.shows(r"\*self")

    def test_a_function_below_itself_counts_once(self):
        self.write("self.folded", "main;f;g;f 10\nmain;f 5\nmain 5\n")
        s = self.view("self.folded")
        s.type("t")
        s.shows(r"^ +15 +75.00% +15 +75.00% f$")

    def test_enter_shows_the_heaviest_frame_of_the_function(self):
        s = self.open()
        s.shows("functions$")
        s.type("j", "Enter")
        s.shows("^log$")
        s.shows("^20 samples, self 20 samples")

    def test_s_shows_callers_and_callees(self):
        s = self.open()
        s.shows("functions$")
        s.type("j", "s")
        s.shows("^35 samples, self 35 samples")

    def test_a_search_goes_from_row_to_row(self):
        s = self.open()
        s.shows("functions$")
        s.type("/", "main|log", "Enter", "n")
        s.shows("^2 of 6 functions")
        s.type("n")
        s.shows("^5 of 6 functions")
        s.type("n")
        s.shows("^2 of 6 functions")
        s.type("N", "t")
        s.shows("^all +/main")

    def test_a_comparison_has_changes(self):
        self.write("other.folded", "main;a;log 20\nmain;b;zap 50\nmain;new 10\n")
        s = self.open("other.folded", size=(100, 24))
        s.type("o", "o")
        shown = s.shows(r"\*change")
        self.assertRegex(shown, r"(?m)^ +20 +25.00% +20 +25.00% +-15 +-18.75% log$")
        self.assertRegex(shown, r"(?m)^ +10 +12.50% +10 +12.50% +10 +12.50% new$")

    def test_a_small_terminal_scrolls_and_leaves_amounts_out(self):
        self.write("many.folded", "".join(f"main;f{i:02} {100 - i}\n" for i in range(50)))
        s = self.view("many.folded", size=(40, 10))
        s.type("t")
        s.shows(r"^ +2.65% +2.65% f00$")
        s.type("NPage")
        s.shows("^9 of 51 functions")
        s.type("End")
        s.shows("main$")
        s.type("Home")
        s.shows("f00$")

    def test_losses_keep_their_sign(self):
        self.write("signed.folded", "main;gain 30\nmain;loss -10\n")
        s = self.view("signed.folded")
        s.type("t")
        s.shows(r"^ +-10 +-25.00% +-10 +-25.00% loss$")


if __name__ == "__main__":
    screen.main()
