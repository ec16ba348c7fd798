#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the options of other tools: Getopt::Long's rules for FlameGraph's names, clap's for
inferno's."""
import shutil
import subprocess
import unittest

import common
import tools

# Words of flamegraph.pl, and the plain spelling of the same.
ACCEPTED = (
    (["--color=java"], ["--colors=java"]),
    (["--inv"], ["--inverted"]),
    (["-inv"], ["--inverted"]),
    (["+inv"], ["--inverted"]),
    (["-i"], ["--inverted"]),
    (["--count", "us"], ["--countname=us"]),
    (["--Title=X"], ["--title=X"]),
    (["--TITLE", "X"], ["--title=X"]),
    (["-title=X"], ["--title=X"]),
    (["--ti", "a=b"], ["--title=a=b"]),
    (["--title=a=b"], ["--title=a=b"]),
    (["--title", "--inverted"], ["--title=--inverted"]),
    (["--title", "-"], ["--title=-"]),
    (["--title", ""], ["--title", ""]),
    (["-cp", "--cp"], ["--cp"]),
    (["--widt=+1_000"], ["--width=1000"]),
    (["--fontsi", "1_4"], ["--fontsize=14"]),
    (["--fac", ".5"], ["--factor=0.5"]),
    (["--min", "20%"], ["--minwidth=20%"]),
    (["--rand"], ["--random"]),
    (["--rev", "--neg"], ["--reverse", "--negate"]),
    (["--nameT=F"], ["--nametype=F"]),
    (["--flame"], ["--flamechart"]),
)

# Words that it refuses, with the end of Getopt::Long's message, without its full name.
REFUSED = (
    (["--bogus"], None),
    (["--no-hash"], None),
    (["--nohash"], None),
    (["---inv"], None),
    (["--=x"], None),
    (["-ip"], None),
    (["+x"], None),
    (["-h"], "Option h is ambiguous (hash, height, help)"),
    (["--h"], "Option h is ambiguous (hash, height, help)"),
    (["--t=3"], "Option t is ambiguous (title, total)"),
    (["--c", "x"], "Option c is ambiguous (colors, countname, cp)"),
    (["--font=3"], "Option font is ambiguous (fontsize, fonttype, fontwidth)"),
    (["--NAME=3"], "Option name is ambiguous (nameattr, nametype)"),
    (["--n"], "Option n is ambiguous (nameattr, nametype, negate, notes)"),
    (["--r"], "Option r is ambiguous (random, reverse)"),
    (["--hash=1"], "Option hash does not take an argument"),
    (["--inv="], "Option inverted does not take an argument"),
    (["--title="], "Option title requires an argument"),
    (["--tit"], "Option title requires an argument"),
    (["--width="], "Option width requires an argument"),
    (["--width=abc"], 'Value "abc" invalid for option width (number expected)'),
    (["--wid", "12.5"], 'Value "12.5" invalid for option width (number expected)'),
    (["--fontsize=x"], 'Value "x" invalid for option fontsize (real number expected)'),
    (["--factor", "5."], 'Value "5." invalid for option factor (real number expected)'),
    (["--factor", "-"], 'Value "-" invalid for option factor (real number expected)'),
    (["--factor=1e"], 'Value "1e" invalid for option factor (real number expected)'),
)

# Parses flamegraph.pl's options with the module itself.
GETOPT = r"""
use Getopt::Long;
my %o;
exit(GetOptions(\%o, qw(fonttype=s width=i height=i encoding=s fontsize=f fontwidth=f minwidth=s
    title=s subtitle=s nametype=s countname=s nameattr=s total=s factor=f colors=s bgcolors=s hash
    random cp reverse inverted flamechart negate notes=s help)) ? 0 : 1);
"""


@unittest.skipUnless(tools.FOLDER.exists(), "built without the names of other tools")
class Getopt(tools.ToolCase):
    def picture(self, *words):
        r = self.call("flamegraph.pl", *words, stdin=tools.STACKS)
        self.assertEqual((0, ""), (r.code, r.err), r)
        return r.out

    def test_names_may_be_cut_short_in_any_case_after_any_prefix(self):
        for typed, plain in ACCEPTED:
            with self.subTest(typed=typed):
                self.assertEqual(self.picture(*plain), self.picture(*typed))

    def test_what_is_not_clear_or_not_an_option_is_refused(self):
        for typed, message in REFUSED:
            with self.subTest(typed=typed):
                r = self.call("flamegraph.pl", *typed, stdin=tools.STACKS)
                self.assertEqual((255, ""), (r.code, r.out), r)
                self.assertIn(f"flamegraph.pl: {message or 'no option'}", r.err)
                self.assertIn("usage: flamegraph.pl", r.err)

    def test_the_module_itself_agrees(self):
        if shutil.which("perl") is None:
            self.skipTest("perl is not installed")
        for typed, message in [*((t, "") for t, _ in ACCEPTED), *REFUSED]:
            with self.subTest(typed=typed):
                p = subprocess.run(["perl", "-e", GETOPT, "--", *typed], capture_output=True,
                                   text=True, env={"LC_ALL": "C"}, check=False)
                self.assertEqual(message == "", p.returncode == 0, p)
                if message is None:
                    self.assertIn("Unknown option", p.stderr)
                else:
                    self.assertEqual(message, p.stderr.strip())

    def test_all_that_is_wrong_is_said(self):
        r = self.call("flamegraph.pl", "--bogus", "--t=3", "--width=x")
        for message in ("no option '--bogus'", "Option t is ambiguous", 'Value "x" invalid'):
            self.assertIn(message, r.err)

    def test_options_may_stand_after_files(self):
        self.write("a", tools.STACKS)
        self.assertEqual(self.picture("--inverted"), self.picture("a", "--inv"))
        self.write("--inv", tools.STACKS)
        self.assertEqual(self.picture(), self.picture("--", "--inv"))

    def test_a_misspelled_name_is_put_right(self):
        self.assertIn("did you mean '--colors'?", self.call("flamegraph.pl", "--colours=x").err)

    def test_other_scripts_take_short_names_too(self):
        self.write("p.txt", common.PERF)
        kernel = "node;main;malloc;do_page_fault_[k] 10\nnode;main;parse 5\n"
        for words in (["--ker"], ["-kernel"], ["--KERNEL"], ["--al"], ["--kernel", "--j"],
                      ["-ev=cpu-clock", "--ker"]):
            self.gives(kernel, "stackcollapse-perf.pl", *words, "p.txt")
            self.gives(kernel, "stackcollapse-perf.pl", "p.txt", *words)
        r = self.call("stackcollapse-perf.pl", "--a", "p.txt")
        self.assertEqual((255, ""), (r.code, r.out), r)
        self.assertIn("Option a is ambiguous (addrs, all)", r.err)


@unittest.skipUnless(tools.FOLDER.exists(), "built without the names of other tools")
class Clap(tools.ToolCase):
    def refuses(self, name, *words):
        r = self.call(name, *words, stdin=tools.STACKS)
        self.assertEqual((2, ""), (r.code, r.out), r)
        self.assertIn(f"{name}: ", r.err)
        return r.err

    def test_names_are_whole(self):
        for words in (["--inv"], ["--Title=X"], ["-title=x"], ["--color=java"], ["+inv"]):
            if words != ["+inv"]:  # which is a file
                self.refuses("inferno-flamegraph", *words)
        self.assertEqual(1, self.call("inferno-flamegraph", "+inv").code)
        self.refuses("inferno-collapse-perf", "--ker")

    def test_options_that_exclude_each_other_are_refused(self):
        for words in (["--hash", "--deterministic"], ["--reverse", "--no-sort"],
                      ["--no-sort", "--flamechart"], ["--flamechart", "--reverse"],
                      ["--colordiffusion", "-c", "mem"], ["--colors=mem", "--colordiffusion"]):
            self.assertIn("exclude each other", self.refuses("inferno-flamegraph", *words))
        for words in (["--time", "--bytes"], ["--ticks", "--bytes"], ["--ticks", "--time"]):
            self.assertIn("exclude each other", self.refuses("inferno-collapse-ghcprof", *words))

    def test_an_option_is_given_once(self):
        for words in (["--hash", "--hash"], ["--title=a", "--title", "b"], ["-c", "mem", "--colors=io"],
                      ["-i", "--inverted"], ["-qq"]):
            self.assertIn("once", self.refuses("inferno-flamegraph", *words))
        self.draws(["--base=parse", "--base=main"], "inferno-flamegraph", "--base", "parse",
                   "--base=main", "-vv")

    def test_a_word_with_a_dash_is_no_value(self):
        for words in (["--title", "--hash"], ["--factor", "-1"], ["-c"], ["--title"]):
            self.assertIn("needs a value", self.refuses("inferno-flamegraph", *words))
        self.draws(["--title=-x"], "inferno-flamegraph", "--title=-x")
        self.draws(["--title=-"], "inferno-flamegraph", "--title", "-")

    def test_letters_take_values_in_three_ways(self):
        for words in (["-c", "mem"], ["-cmem"], ["-c=mem"], ["-ic", "mem"]):
            inverted = ["--inverted"] if "-ic" in words else []
            self.draws(["-p", "mem", *inverted], "inferno-flamegraph", *words)


if __name__ == "__main__":
    common.main()
