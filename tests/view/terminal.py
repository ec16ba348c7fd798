#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests how brazier view treats its terminal: colours, characters, signals, and what is none."""
import os
import signal
import subprocess

import screen

# A terminal with colours of 24 bits.
DIRECT = r"""direct|a terminal with direct colours,
\tRGB, colors#0x1000000, pairs#0x7FFF,
\tsetab=\E[%?%p1%{8}%<%t4%p1%d%e48;2;%p1%{65536}%/%d;%p1%{256}%/%{255}%&%d;%p1%{255}%&%d%;m,
\tsetaf=\E[%?%p1%{8}%<%t3%p1%d%e38;2;%p1%{65536}%/%d;%p1%{256}%/%{255}%&%d;%p1%{255}%&%d%;m,
\tuse=tmux-256color,
""".replace("\\t", "\t")


class Terminal(screen.Case):
    # ---- what is no terminal ----

    def test_a_pipe_is_no_terminal(self):
        r = self.fails(2, "view", "stacks.folded")
        self.assertIn("standard output is not a terminal", r.err)
        self.assertIn("-o x.html", r.err)

    def test_an_unknown_terminal_gets_words(self):
        for term in ("no-such-terminal", "dumb", ""):
            s = self.view("stacks.folded", env={"TERM": term})
            shown = s.shows("ended with 2")
            self.assertIn("TERM", shown)
            s.end()

    def test_options_of_files_are_refused(self):
        for words in (["-o", "x.svg"], ["-t", "svg"], ["--split-by", "thread"], ["--palette-map", "x"]):
            self.assertIn("writes no files", self.fails(2, "view", "stacks.folded", *words).err)
        self.assertIn("compares two", self.fails(2, "view", *["stacks.folded"] * 3).err)

    def test_options_of_outputs_say_which_have_them(self):
        for option in ("--inverted", "--no-legend", "--width=80"):
            self.assertRegex(self.fails(2, "view", "stacks.folded", option).err, f"no option '{option.split('=')[0]}.*' here; brazier run has one with .*--to term")

    def test_a_file_that_cannot_be_read_leaves_the_terminal_alone(self):
        s = self.view("absent.folded")
        shown = s.shows("ended with 1")
        self.assertIn("absent.folded", shown)

    # ---- input ----

    def test_a_pipe_is_read_while_keys_come_from_the_terminal(self):
        s = screen.Screen(self, f"cat stacks.folded | {self.command(['view', '-'])[0]} view -")
        s.shows("^all")
        s.type("k", "k")
        s.shows("^parse$")
        s.type("q")
        s.shows("ended with 0")

    # ---- colours and characters ----

    def test_colours_are_those_that_the_terminal_has(self):
        self.write("direct.ti", DIRECT)
        subprocess.run(["tic", "-x", "-o", self.home / ".terminfo", self.dir / "direct.ti"], check=True, capture_output=True)
        for term, pattern in (("tmux-256color", r"\x1b\[[0-9;]*48;5;\d+"), ("tmux", r"\x1b\[[0-9;]*4[0-7]m"),
                              ("direct", r"\x1b\[[0-9;]*48;2;\d+;\d+;\d+")):
            s = self.view("stacks.folded", env={"TERM": term})
            s.shows("main")
            self.assertRegex(s.text(colors=True), pattern, term)
            s.end()

    def test_no_color_draws_frames_by_characters(self):
        s = self.view("stacks.folded", env={"NO_COLOR": "1"})
        self.assertRegex(s.shows(r"\|main-+"), r"\|emit-+\|parse-+")
        self.assertNotRegex(s.text(colors=True), r"\x1b\[[0-9;]*[34][0-8][;m]")

    def test_wide_and_combining_characters_take_their_cells(self):
        self.write("wide.folded", "main;漢字漢字漢字 50\nmain;e\u0301te\u0301 50\n")
        s = self.view("wide.folded", env={"NO_COLOR": "1"})
        line = s.shows("漢字").split("\n")[-6]
        self.assertEqual("|e\u0301te\u0301" + "-" * 36 + "|漢字漢字漢字" + "-" * 27, line)
        s.end()
        s = self.view("wide.folded", env={"NO_COLOR": "1"}, size=(20, 10))
        self.assertRegex(s.shows("^all"), "(?m)\\|e\u0301te\u0301-+\\|漢字漢…字$")

    def test_a_terminal_without_unicode_gets_ascii(self):
        self.write("wide.folded", "main;漢字;ascii 50\nmain;[lib];[lib] 50\n")
        s = self.view("wide.folded", env={"LANG": "C", "LC_ALL": "C"})
        self.assertTrue(s.shows("ascii").isascii(), s.text())
        s.shows(r"\[lib\] x2")

    def test_names_cannot_control_the_terminal(self):
        name = "x\x1b]2,owned\x07\x1b[2J\u202ey\u009b31m"
        self.write("hostile.folded", f"main;{name};z 50\n".encode())
        s = self.view("hostile.folded")
        s.shows("main")
        s.type("k", "k")
        s.shows("^x\ufffd\\]2,owned\ufffd")
        self.assertNotEqual("owned", s.tmux("display-message", "-p", "#{pane_title}").strip())
        self.assertIn("main", s.text())

    def test_y_copies_the_name_without_control_characters(self):
        self.write("hostile.folded", "main;x\x1b[2Jy\u00e9 50\n".encode())
        s = self.view("hostile.folded")
        s.tmux("set", "-s", "set-clipboard", "on")
        s.shows("main")
        s.type("k", "k", "y")
        s.shows("clipboard")
        self.assertEqual("x\ufffd[2Jy\u00e9", s.tmux("show-buffer"))

    # ---- sizes, signals and the end ----

    def test_a_terminal_that_changes_its_size_is_drawn_again(self):
        s = self.view("stacks.folded")
        s.shows("^all")
        s.tmux("resize-window", "-x", 100, "-y", 30)
        s.type("k", "k")
        s.shows("^parse")
        self.assertEqual(30, len(s.shows(r"\A\n{23,}").split("\n")) - 1)
        s.tmux("resize-window", "-x", 20, "-y", 4)
        s.shows(r"\A.*main[^\n]*\n.*all|\A.*parse[^\n]*\n.*main")

    def test_quitting_leaves_the_terminal_as_it_was(self):
        s = self.view("stacks.folded")
        s.shows("^all")
        s.type("q")
        self.assertNotIn("main", s.shows(r"ended with 0\n echo$"))

    def test_signals_leave_the_terminal_as_it_was(self):
        for sig in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            s = self.view("stacks.folded")
            s.shows("^all")
            os.kill(s.process(), sig)
            self.assertNotIn("main", s.shows(rf"ended with {128 + sig}\n echo$"))
            s.end()

    def test_control_c_ends_the_viewer(self):
        s = self.view("stacks.folded")
        s.shows("^all")
        s.type("C-c")
        s.shows("ended with 130")

    def test_a_stopped_viewer_gives_the_terminal_back_and_goes_on(self):
        s = screen.Screen(self, f"sh -mc '{self.command([])[0]} view stacks.folded; echo stopped; sleep 1; fg >/dev/null'")
        s.shows("^all")
        s.type("C-z")
        s.shows("stopped")
        s.shows("^all")
        s.type("k", "k")
        s.shows("^parse")
        s.type("q")
        s.shows("ended with 0")

    def test_a_closed_terminal_ends_the_viewer(self):
        s = self.view("stacks.folded")
        s.shows("^all")
        process = s.process()
        s.end()
        for _ in range(600):
            if not os.path.exists(f"/proc/{process}"):
                return
            signal.sigtimedwait([], 0.05)
        self.fail("the viewer runs on")

    def test_the_profile_of_a_large_file_is_shown(self):
        self.write("large.folded", "".join(f"main;f{i % 100};g{i} {1 + i % 7}\n" for i in range(20000)))
        s = self.view("large.folded", size=(200, 50))
        s.shows("^all")
        s.type("k", "k", "Enter", "k")
        s.shows(r"^g\d+$")


if __name__ == "__main__":
    screen.main()
