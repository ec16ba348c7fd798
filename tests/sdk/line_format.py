#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests collapsers that consist of one function per line: <brazier/line_format.h>.

usage: line_format.py
"""
import json
import random

from common import HERE, Case, compile_plugin, main


class LineFormat(Case):
    def setUp(self):
        super().setUp()
        self.plugin = self.dir / "lines.so"
        compile_plugin(HERE / "line_format.c", self.plugin)

    def fold(self, text, *words, format="root-first"):
        """Returns the folded result and the messages."""
        path = self.dir / "in.txt"
        path.write_bytes(text.encode())
        p = self.brazier("--no-config", "collapse", format, path, "--plugin", self.plugin, *words)
        self.assertEqual(0, p.returncode, p.stderr)
        return p.stdout, p.stderr

    def test_samples_are_counted(self):
        self.assertEqual(("a 1\na;b 5\na;c -2\n", ""),
                         self.fold("# heading\na<b 2\n\na<b 3\na \na<c -2\n"))

    def test_leaves_may_come_first(self):
        self.assertEqual(("a;b 5\n", ""), self.fold("b>a 5\n", format="leaf-first"))

    def test_a_frame_may_be_text_that_is_not_in_the_line(self):
        self.assertEqual(("a;star;b 1\n", ""), self.fold("a<*<b 1\n"))

    def test_more_may_be_known_of_frames_and_weights(self):
        text = "a@x|b@y 3\na@x|b@z 4\na@x|b@z +1\na@x|* 5\n"
        self.assertEqual("a;b 7\na;star 5\n", self.fold(text, format="described")[0])
        self.assertEqual("a;b 1\n", self.fold(text, "-w", "calls", format="described")[0])
        p = self.brazier("--no-config", "run", "in.txt", "--from", "described", "--to", "speedscope",
                         "--plugin", self.plugin)
        profile = json.loads(p.stdout)
        self.assertEqual({"a", "b", "star"}, {f["name"] for f in profile["shared"]["frames"]})
        self.assertEqual("nanoseconds", profile["profiles"][0]["unit"])
        p = self.brazier("--no-config", "run", "in.txt", "--from", "described", "--to", "json",
                         "--plugin", self.plugin)
        self.assertRegex(p.stdout, r'"name":"a"[^{]*"module":"x"')

    def test_lines_may_have_times_and_threads(self):
        text = "1000 7 a<b 2\n- - a<c 4\n3000 8 a<b 1\n2000 7 a<b 1\n"
        every = "a;b 4\na;c 4\n"
        for words, want in (([], every), (["--only", "thread=7"], "a;b 3\n"), (["--only", "thread=worker"], "a;b 4\n"),
                            (["--time-range", "1us.."], "a;b 2\n"), (["--chunk-size", "8"], every)):
            self.assertEqual((want, ""), self.fold(text, *words, format="timed"), words)

    def test_lines_of_other_systems_and_a_last_line_without_an_end(self):
        self.assertEqual(("a;b 3\n", ""), self.fold("a<b 1\r\n\r\na<b 2"))

    def test_an_odd_line_is_left_out_with_its_place(self):
        out, said = self.fold("a 1\nodd\nb 2\n 3\n")
        self.assertEqual("a 1\nb 2\n", out)
        self.assertIn("in.txt:2:1: warning: not a line of this format: left out", said)
        self.assertIn("and 1 more like this", said)

    def test_an_input_without_samples_is_reported(self):
        for text, why in (("", "the input is empty"), ("# only a comment\n", "no samples in it")):
            path = self.write("in.txt", text)
            p = self.brazier("collapse", "root-first", path, "--plugin", self.plugin)
            self.assertEqual((1, ""), (p.returncode, p.stdout))
            self.assertIn(why, p.stderr)

    def test_how_the_input_is_divided_does_not_show(self):
        dice = random.Random(1)
        lines = ["<".join(dice.choice("abcdefgh") * dice.choice([1, 40])
                          for _ in range(dice.randint(1, 9))) + f" {dice.randint(0, 99)}"
                 for _ in range(3000)]
        text = "\n".join(lines)
        want = self.fold(text)
        self.assertGreater(len(want[0].splitlines()), 1000)
        for words in (["--chunk-size", "64"], ["-j4", "--range-size", "1000"], ["-j1"]):
            self.assertEqual(want, self.fold(text, *words), words)

    def test_it_is_recognised_by_lines_that_are_all_its_own(self):
        for text, score in [("a<b 1\nc 2\n", 70), ("# x\na 1", 70), ("a 1\nodd\n", 0),
                            ("# nothing\n", 0), ("", 0)]:
            path = self.write("in.txt", text)
            p = self.brazier("guess", path, "--plugin", self.plugin, "-v")
            found = f"root-first ({score})" in p.stdout + p.stderr
            self.assertEqual(score > 0, found, (text, p.stdout, p.stderr))

    def test_a_sniffer_does_not_judge_by_a_line_that_goes_on(self):
        path = self.write("in.txt", "a<b 1\n" + "x" * (1 << 17))
        p = self.brazier("guess", path, "--plugin", self.plugin, "-v")
        self.assertIn("root-first (70)", p.stdout + p.stderr)


if __name__ == "__main__":
    main()
