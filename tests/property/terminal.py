#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the output "term" on terminals and elsewhere, and the choice of outputs by file endings."""
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import termios
import unicodedata
import unittest
from fcntl import ioctl

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
from lib.terminal import open_terminal  # noqa: E402

BRAZIER = os.environ["BRAZIER"]
STACKS = ("main;parse;read \u540d\u524d 40\nmain;parse;lex 25\nmain;emit;write e\u0301 20\nmain;e 10\n"
          "main;tiny;t 1\n").encode()
ESCAPE = re.compile("\x1b\\[[0-9;]*m")


def environment(**more):
    kept = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "NO_COLOR", "TERM")}
    return {**kept, "TERM": "xterm-256color", **more}


def on_terminal(columns, *options, **variables):
    """Returns the text sent to a terminal of `columns` columns."""
    ours, theirs = open_terminal()
    ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    p = subprocess.Popen([BRAZIER, "flamegraph", "--to", "term", "--no-legend", *options],
                         stdin=subprocess.PIPE, stdout=theirs, env=environment(**variables))
    p.stdin.write(STACKS)
    p.stdin.close()
    os.close(theirs)
    sent = b""
    try:
        while piece := os.read(ours, 4096):
            sent += piece
    except OSError:
        pass
    os.close(ours)
    assert p.wait() == 0
    return sent.decode().replace("\r\n", "\n")


def piped(*options, **variables):
    return subprocess.run([BRAZIER, "flamegraph", "--to", "term", "--no-legend", *options],
                          input=STACKS, capture_output=True, check=True,
                          env=environment(**variables)).stdout.decode()


def with_legend(*options, data=STACKS):
    return subprocess.run([BRAZIER, "flamegraph", "--to", "term", *options], input=data, check=True,
                          capture_output=True, env=environment()).stdout.decode()


def width(line):
    """Returns the width in columns, by Python's own tables."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
               for c in ESCAPE.sub("", line))


class Terminal(unittest.TestCase):
    def assert_width(self, columns, text):
        lines = text.splitlines()
        self.assertEqual([columns, columns], [width(line) for line in lines[-2:]])
        self.assertLessEqual(max(width(line) for line in lines), columns)

    def test_it_is_as_wide_as_the_terminal_and_has_colours(self):
        for columns in (20, 50, 133):
            text = on_terminal(columns)
            self.assertIn("\x1b[48;2;", text)
            self.assert_width(columns, text)

    def test_columns_and_the_option_win(self):
        self.assert_width(44, on_terminal(50, COLUMNS="44"))
        self.assert_width(33, on_terminal(50, "--width", "33", COLUMNS="44"))

    def test_the_depth_is_limited_and_the_rest_counted(self):
        whole, limited = piped(), piped("--set", "term.depth=1")
        self.assertEqual(whole.splitlines()[-2:], limited.splitlines())
        self.assertIn(", 8 frames too deep\n", with_legend("--set", "term.depth=1"))

    def test_the_legend_lists_the_five_heaviest_within_the_width(self):
        many = "".join(f"main;namespace{i}::function{i} {i}\n" for i in range(1, 10)).encode()
        for columns in (40, 80, 200):
            lines = with_legend("--width", str(columns), data=many).splitlines()
            legend = [line.split() for line in lines if re.match(r" *\d+\.\d\d%  ", line)]
            self.assertEqual([["20.00%", "9"], ["17.78%", "8"], ["15.56%", "7"], ["13.33%", "6"], ["11.11%", "5"]],
                             [row[:2] for row in legend])
            self.assertEqual([f"function{i}" for i in range(9, 4, -1)], [row[2].split("::")[-1] for row in legend])
            self.assertLessEqual(max(map(len, lines)), columns)

    def test_the_legend_has_the_colours_of_the_frames(self):
        rows = with_legend("--color", "always").splitlines()
        swatches = dict(re.findall("(\x1b\\[48;2;[0-9;]*m)  \x1b\\[0m .*  (\\w+)", "\n".join(rows)))
        self.assertEqual(5, len(swatches))
        for color, name in swatches.items():
            name = "" if name == "t" else name  # too narrow for its name
            self.assertRegex("\n".join(rows), re.escape(color.removesuffix("m")) + f";38;2;[0-9;]*m.{name}")

    def test_every_row_ends_without_a_colour(self):
        for line in on_terminal(50).splitlines():
            self.assertTrue(line.endswith("\x1b[0m"), line)

    def test_no_color_and_dumb_terminals_get_none(self):
        for text in (on_terminal(50, NO_COLOR="1"), on_terminal(50, TERM="dumb"),
                     on_terminal(50, "--color", "never")):
            self.assertNotIn("\x1b", text)
            self.assert_width(50, text)

    def test_an_empty_no_color_means_nothing(self):
        self.assertIn("\x1b[48;2;", on_terminal(50, NO_COLOR=""))

    def test_a_pipe_gets_no_colours_and_80_columns(self):
        text = piped()
        self.assertNotIn("\x1b", text)
        self.assert_width(80, text)
        self.assert_width(61, piped(COLUMNS="61"))

    def test_a_pipe_gets_colours_if_an_option_says_so(self):
        text = piped("--color", "always", NO_COLOR="1")
        self.assertIn("\x1b[48;2;", text)
        self.assert_width(80, text)

    def test_a_file_gets_no_colours_though_there_is_a_terminal(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "x.ansi")
            self.assertEqual("", on_terminal(50, "-o", str(path)))
            self.assertNotIn("\x1b", path.read_text())


class Endings(unittest.TestCase):
    def test_the_longest_ending_chooses_the_output(self):
        endings = {"folded": "folded txt collapsed", "json": "json", "firefox": "firefox.json firefox",
                   "speedscope": "speedscope.json speedscope", "chrome-trace": "trace.json trace",
                   "cpuprofile": "cpuprofile", "callgrind": "callgrind callgrind.out",
                   "markdown": "md markdown", "table": "table table.txt", "term": "ansi term", "svg": "svg",
                   "pprof": "pprof pb.gz", "csv": "csv", "jsonl": "jsonl ndjson", "samples-csv": "samples.csv",
                   "samples-jsonl": "samples.jsonl samples.ndjson"}
        for output, ending in ((o, e) for o, words in endings.items() for e in words.split()):
            with self.subTest(ending=ending), tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder, f"my.profile.{ending}")
                command = [BRAZIER, "-q", "run", "--from", "folded", "-"]
                subprocess.run([*command, "-o", str(path)], input=STACKS, check=True)
                want = subprocess.run([*command, "--to", output, "-o", "-"], input=STACKS, check=True,
                                      capture_output=True)
                self.assertEqual(want.stdout, path.read_bytes())


if __name__ == "__main__":
    unittest.main()
