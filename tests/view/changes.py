#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the keys of brazier view that show other graphs of the profile."""
import random
import re
import time

import screen

STACKS = "main;a;log 10\nmain;a;work;log 5\nmain;b;log 20\nmain;b;zap 50\n"
CALLGRIND = """# callgrind format
events: Ir Dr

fn=main
1 20 3

fn=other
2 30 4
"""


class Changes(screen.Case):
    def setUp(self):
        super().setUp()
        self.write("calls.folded", STACKS)

    def open(self, *words, **more):
        s = self.view("calls.folded", *words, **more)
        s.shows("^all$")
        return s

    def test_o_puts_the_heaviest_first_and_back(self):
        s = self.open()
        s.shows("a .*b")
        s.type("k", "k", "o")
        s.shows("heaviest first")
        s.shows("b .*a")
        s.shows("zap .*log")
        s.type("o")
        s.shows("order of names")
        s.shows("log .*zap")
        s.type("k")
        s.shows("^zap$")  # the choice has stayed

    def test_an_order_keeps_the_zoom(self):
        s = self.open()
        s.type("k", "k", "h", "Enter", "o", "k")
        s.shows("^log$")
        s.shows("10 samples.* 11.76% of all, 66.67% of the selection")

    def test_r_reverses_stacks(self):
        s = self.open()
        s.type("r")
        s.shows("log .*zap")
        s.type("k")
        s.shows("^zap$")
        s.type("h")
        s.shows("^log$")
        s.shows("^35 samples, self 0 samples, 41.18% of all")
        s.type("r")
        s.shows("^.main *$")

    def test_capital_h_hides_a_function(self):
        s = self.open()
        s.type("k", "k", "H")
        s.shows("^.a .*.log .*.zap")
        s.type("BSpace")
        s.shows("b")

    def test_f_shows_only_a_function_with_its_callees(self):
        s = self.open()
        s.type("k", "k", "h", "f")
        s.shows("^a$")
        self.assertNotIn("main", s.text())
        s.shows("^15 samples, self 0 samples, 17.65% of all")
        s.type("k")
        s.shows("^log$")

    def test_s_shows_callers_above_callees(self):
        for size in screen.SIZES:
            s = self.open(size=size)
            s.type("k", "k", "k", "h", "s")
            self.assertNotIn("zap", s.shows(r"35 samples,? self 35 samples,? 41.18%"))
            s.shows("^log$")
            s.type("Tab", "k")
            s.shows("^b$")
            s.shows("20 samples")
            s.type("j", "Tab")
            s.shows("^log$")
            s.type("BSpace")
            s.shows("zap")
            s.end()

    def test_a_function_that_calls_itself_counts_once(self):
        self.write("calls.folded", "main;f;g;f 10\nmain;f 5\nmain 5\n")
        s = self.open()
        s.type("k", "k", "s")
        s.shows("^15 samples, self 5 samples, 75.00% of all")

    def test_a_search_goes_on_in_another_graph(self):
        s = self.open()
        s.type("/", "log", "Enter")
        s.shows("/log: 3 frames, 35 samples, 41.18%")
        s.type("r")
        s.shows("/log: 1 frame, 35 samples, 41.18%")
        s.type("BSpace")
        s.shows("/log: 3 frames")

    def test_the_root_is_no_function(self):
        s = self.open()
        for key in ("f", "H", "s"):
            s.type(key)
            s.shows("choose a frame first")
            s.type("Home")

    def test_a_comparison_keeps_both_sides(self):
        self.write("other.folded", "main;a;log 20\nmain;b;zap 50\nmain;new 10\n")
        s = self.open("other.folded")
        s.type("r", "/", "log", "Enter", "n")
        s.shows(r"^20 samples, self 0 samples, before 35 samples \(-15 samples\), 25.00% of all")

    def test_w_shows_the_next_weight(self):
        calls = self.write("calls.out", CALLGRIND)
        s = self.view(str(calls))
        s.shows("^50 instructions|^50 Ir|^50 ")
        s.type("w")
        s.shows(r"weight: Dr \(2 of 2\)")
        s.type("k", "s")
        s.shows("^4 Dr, self 4 Dr, 57.14% of all")
        s.type("BSpace", "BSpace", "Home")
        s.shows("^50 ")

    def test_w_says_that_there_is_one_weight(self):
        s = self.open()
        s.type("w")
        s.shows("the profile has one weight")
        self.write("other.folded", "main;a;log 20\n")
        s = self.open("other.folded")
        s.type("w")
        s.shows("a comparison has one weight")

    def test_a_flame_chart_stays_in_the_order_of_time(self):
        s = self.open("--flamechart")
        s.type("o")
        s.shows("in the order of time")

    def open_large(self, stacks):
        """Shows a profile of so many deep stacks, of which it takes some time to make another picture."""
        number = random.Random(7)
        self.write("large.folded", "".join("main;" + ";".join(f"f{number.randrange(500)}" for _ in range(400)) + " 1\n"
                                           for _ in range(stacks)))
        s = self.view("large.folded")
        s.shows("^all$")
        return s

    def test_a_change_is_completed_while_the_table_is_open(self):
        s = self.open_large(2000)
        s.type("k", "r")
        s.shows("Backspace cancels this|self 0")
        s.type("t", "o", "Home")
        s.shows("^ *2,000 +100.00% +2,000 +100.00% main$")
        s.type("t")
        s.shows("^all$")

    @staticmethod
    def comes_to_show(s, pattern, seconds=2):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if re.search(pattern, s.text(), re.M):
                return True
            time.sleep(0.02)
        return False

    def cancels(self, s):
        """Merges frames by name, turns the picture over, asks for another change, and cancels the first. Returns whether it
        lasted until then."""
        s.type("k", "r", "i", "o")
        if not self.comes_to_show(s, "still being made"):
            return False
        s.type("BSpace")
        return self.comes_to_show(s, "^cancelled")

    def test_keys_go_on_while_a_change_is_made(self):
        for stacks in (500, 2000, 8000):  # a fast machine has made a smaller one before the next key
            s = self.open_large(stacks)
            if self.cancels(s):
                break
        s.shows("^cancelled")
        s.shows("^.main")
        s.type("o")
        s.shows("heaviest first")
        s.type("r", "q")  # ends while the change is made
        s.shows("ended with 0")

    RUNS = "main;[cc1plus];[cc1plus];[cc1plus];f 10\nmain;[cc1plus];f 5\nmain;[cc1plus];[cc1plus] 3\nmain;g 2\n"

    def test_runs_of_unnamed_frames_are_folded(self):
        self.write("runs.folded", self.RUNS)
        s = self.view("runs.folded")
        s.shows(r"\[cc1plus\] \u00d73")
        s.type("k", "k")
        s.shows(r"^\[cc1plus\] \u00d73 *$")
        s.shows("^18 samples, self 3 samples, 90.00% of all")
        s.type("k")
        s.shows("^f *$")
        s.shows("^15 samples, ")
        s.type("z")
        s.shows("^5 samples, self 5 samples, 25.00% of all")
        s.type("z", "j")
        s.shows(r"^\[cc1plus\] \u00d73 *$")
        s.type("Enter")
        s.shows(r"^\[cc1plus\] *$")
        s.shows("^18 samples, self 0 samples, 90.00% of all")
        s.type("BSpace")
        s.shows(r"^\[cc1plus\] \u00d73 *$")
        s.type("r", "k")
        s.shows("^f *$")
        s.type("k")
        s.shows(r"^\[cc1plus\] \u00d73 *$")

    def test_without_runs_there_is_nothing_to_fold(self):
        s = self.open()
        s.type("z")
        s.shows("^no runs of unnamed frames")
        s.type("k", "k")
        s.shows("^a *$|^b *$")


if __name__ == "__main__":
    screen.main()
