#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the picture of brazier view, and the keys that change it."""
import screen
from screen import SIZES


class Picture(screen.Case):
    def test_the_flame_graph_fills_terminals_of_several_sizes(self):
        for size in SIZES:
            s = self.view("stacks.folded", size=size)
            lines = s.shows("^all").rstrip("\n").split("\n")
            self.assertEqual(size[1], len(lines), lines)
            self.assertRegex(lines[-6], "write.*lex.*read")
            self.assertRegex(lines[-5], "emit.*parse")
            self.assertRegex(lines[-4], "main")
            self.assertIn("95 samples", lines[-1])
            s.end()

    def test_arrows_and_letters_move_to_callees_callers_and_neighbours(self):
        s = self.view("stacks.folded")
        s.shows("^all")
        for keys, name in ((["Up", "k"], "parse"), (["Left"], "emit"), (["l"], "parse"), (["Down"], "main"), (["j"], "all"),
                           (["PPage"], "read"), (["h"], "lex"), (["Home"], "all")):
            s.type(*keys)
            s.shows(f"^{name}$")

    def test_numbers_have_both_shares(self):
        s = self.view("stacks.folded")
        s.type("k", "k", "Enter", "k")
        s.shows(r"^40 samples, self 40 samples, 42.11% of all, 61.54% of the selection")

    def test_enter_zooms_and_backspace_undoes(self):
        s = self.view("stacks.folded")
        s.type("k", "k", "Enter")
        s.shows(r"100.00% of the selection")
        self.assertNotIn("write", s.text())
        s.type("BSpace")
        s.shows("write")
        s.type("BSpace")
        s.shows("nothing to undo")

    def test_i_puts_the_root_on_top(self):
        s = self.view("stacks.folded")
        s.shows("^all")
        s.type("i")
        s.shows(r"\A.?all")
        s.type("j", "j")
        s.shows("^parse$")

    def test_a_search_has_the_total_of_all_and_goes_on_by_weight(self):
        s = self.view("stacks.folded")
        s.shows("^all")
        s.type("/", "lex|emit", "Enter")
        s.shows(r"/lex\|emit: 2 frames, 55 samples, 57.89%")
        s.shows("^all ")  # Enter keeps the picture
        for key, name, place in (("n", "emit", 1), ("n", "lex", 2), ("n", "emit", 1), ("N", "lex", 2)):
            s.type(key)
            s.shows(f"^{name} .*: {place} of 2 frames")
        s.type("Escape")
        s.shows("^lex$")

    def test_a_frame_inside_another_match_counts_once(self):
        s = self.view("stacks.folded")
        s.type("/", "main|parse", "Enter")
        s.shows(r"2 frames, 95 samples, 100.00%")

    def test_an_invalid_expression_keeps_the_search(self):
        s = self.view("stacks.folded")
        s.type("/", "emit", "Enter", "/", "(", "Enter")
        s.shows(r"(?i)parenthes")
        s.shows(r"/emit: 1 frame,")

    def test_a_message_that_is_longer_than_a_line_has_several(self):
        s = self.view("stacks.folded", size=(40, 12))
        s.type("/", "emit(", "Enter")
        s.shows(r"in the expression 'emit\(', at character\n6: missing closing parenthesis")
        s.end()
        s = self.view("stacks.folded", size=(40, 1))
        s.type("/", "emit(", "Enter")
        s.shows("^in the expression 'emit")

    def test_a_match_narrower_than_a_column_is_shown_by_zooming(self):
        self.write("narrow.folded", "main;wide 1000000\nmain;outer;tiny 1\n")
        s = self.view("narrow.folded")
        s.shows("wide")
        self.assertNotIn("tiny", s.text())
        s.type("/", "tiny", "Enter", "n")
        s.shows("^tiny +/tiny")

    def test_the_typed_line_can_be_edited_and_left(self):
        s = self.view("stacks.folded")
        s.type("/", "lexx", "BSpace")
        s.shows("^/lex_")
        s.type("C-u")
        s.shows("^/_")
        s.type("Escape")
        s.shows("95 samples")

    def test_a_deep_stack_scrolls(self):
        self.write("deep.folded", ";".join(f"f{i}" for i in range(300)) + " 7\n")
        s = self.view("deep.folded", size=(40, 10))
        s.shows("^all")
        s.type("PPage", "PPage")
        s.shows("^f15$")
        for _ in range(40):
            s.type("PPage")
        s.shows("^f299$")
        s.type("Home")
        s.shows("^all")

    def test_help_lists_the_keys(self):
        for size in SIZES:
            s = self.view("stacks.folded", size=size)
            s.type("?")
            shown = s.shows("undo")
            if size[1] < 20:
                s.type("Space")  # turns the page
            shown += s.shows("quit")
            for key in ("Backspace", "Esc", "Enter", "Tab"):
                self.assertIn(key, shown)
            self.assertNotIn("…", shown)
            s.type("q")
            s.shows("^all")
            s.end()

    def test_a_click_chooses_and_another_one_zooms(self):
        s = self.view("stacks.folded")
        s.shows("^all$")
        s.click(19, 40)
        s.shows("^parse$")
        s.click(19, 40)
        s.shows("100.00% of the selection")
        s.click(2, 2)  # nothing is there
        s.click(0, 0, 64)
        s.shows("^read$")
        s.click(0, 0, 65)
        s.shows("^parse$")

    def test_a_click_chooses_a_row_of_the_table_and_a_half_of_the_callers(self):
        s = self.view("stacks.folded")
        s.type("t")
        s.shows("^1 of 6 functions")
        s.click(3, 60)
        s.shows("^3 of 6 functions")
        s.click(3, 60)
        s.shows("^write$")
        s.type("j", "s")
        s.shows("^30 samples")
        s.shows("^.main *$")
        s.click(9, 5)
        s.shows("^main$")
        s.shows("^30 samples, self 30 samples")

    def test_two_files_are_a_comparison(self):
        self.write("before.folded", "main;emit 30\nmain;parse 65\n")
        self.write("after.folded", "main;emit 10\nmain;parse 65\nmain;wait 20\n")
        s = self.view("before.folded", "after.folded")
        s.shows("^all")
        s.type("k", "k", "l")
        s.shows("^wait$")
        s.shows(r"^20 samples, self 20 samples, before 0 samples \(\+20 samples\), 21.05% of all")

    def test_losses_keep_their_sign(self):
        self.write("signed.folded", "main;gain 30\nmain;loss -10\n")
        s = self.view("signed.folded")
        s.shows("loss")
        s.type("k", "k", "l")
        s.shows(r"^-10 samples, self -10 samples, -25.00% of all")

    def test_shares_of_signed_weights_are_those_of_the_other_viewers(self):
        """The weights of tests/browser/signed.test.mjs."""
        self.write("signed.folded", "main;a 40\nmain;a;b -15\nmain;c -30\nfree -9\n")
        s = self.view("signed.folded", size=(120, 24))
        s.shows("^-14 samples, self 0 samples, gains 40 samples, losses 54 samples, -14.89% of all")
        s.type("/", "^a$", "Enter", "n")
        s.shows("^25 samples, self 40 samples, gains 40 samples, losses 15 samples, 26.60% of all")
        s.type("/", "^(a|b|c)$", "Enter")
        s.shows("3 frames, -5 samples, -5.32%$")
        s.type("t")
        s.shows(r"^ *40 +42.55% +25 +26.60% a$")

    def test_transforms_and_selections_apply(self):
        s = self.view("stacks.folded", "--reverse", "--drop", "emit")
        s.shows("lex.*read")
        self.assertNotIn("emit", s.text())


if __name__ == "__main__":
    screen.main()
