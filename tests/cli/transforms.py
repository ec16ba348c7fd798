#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests that transforms have the same effect on the command line and in YAML, alone and in a chain.
"""
import json
import re

import common

STACKS = """main;io;read;sys_read 7
main;io;read;copy 2
main;libc`malloc;libc`brk 3
main;rec;rec;rec;leaf 5
main;rec;other;rec 1
swapper;idle 9
"""

# words, the same in YAML, expected stacks
CASES = [
    (["--keep", "^io$"], "[{keep: '^io$'}]",
     "main;io;read;copy 2\nmain;io;read;sys_read 7\n"),
    (["--drop", "^swapper"], "[{drop: '^swapper'}]",
     "main;io;read;copy 2\nmain;io;read;sys_read 7\nmain;libc`malloc;libc`brk 3\n"
     "main;rec;other;rec 1\nmain;rec;rec;rec;leaf 5\n"),
    (["--keep", "io|idle", "--hide", "^(main|read)$"],
     "[{keep: 'io|idle'}, {hide: '^(main|read)$'}]",
     "io;copy 2\nio;sys_read 7\nswapper;idle 9\n"),
    (["--skip-after", "rec"], "[{skip-after: rec}]",
     "main;io;read;copy 2\nmain;io;read;sys_read 7\nmain;libc`malloc;libc`brk 3\nrec 1\n"
     "rec;leaf 5\nswapper;idle 9\n"),
    (["--skip-after", "rec", "--skip-after", "io"], "[{skip-after: [rec, io]}]",
     "io;read;copy 2\nio;read;sys_read 7\nmain;libc`malloc;libc`brk 3\nrec 1\nrec;leaf 5\n"
     "swapper;idle 9\n"),
    (["--base", "io"], "[{base: io}]", "io;read;copy 2\nio;read;sys_read 7\n"),
    (["--base", "io", "--base", "idle"], "[{base: [io, idle]}]",
     "idle 9\nio;read;copy 2\nio;read;sys_read 7\n"),
    (["--keep", "read", "--reverse"], "[{keep: read}, reverse]",
     "copy;read;io;main 2\nsys_read;read;io;main 7\n"),
    (["--keep", "rec", "--merge-recursion"], "[{keep: rec}, merge-recursion]",
     "main;rec;leaf 5\nmain;rec;other;rec 1\n"),
    (["--base", "io", "--rename", "_=>/", "--split-packages"],
     "[{base: io}, {rename: {match: _, with: /}}, split-packages]", "io;read;copy 2\nio;read;sys;read 7\n"),
    (["--keep", "brk", "--strip-module"], "[{keep: brk}, strip-module]",
     "main;malloc;brk 3\n"),
    (["--base", "io", "--rename", "^(sys)_(.*)=>$2 ($1)"],
     "[{base: io}, {rename: {match: '^(sys)_(.*)', with: '$2 ($1)'}}]",
     "io;read;copy 2\nio;read;read (sys) 7\n"),
    (["--reverse", "--skip-after", "read"], "[reverse, {skip-after: read}]",
     "idle;swapper 9\nleaf;rec;rec;rec;main 5\nlibc`brk;libc`malloc;main 3\nread;io;main 9\n"
     "rec;other;rec;main 1\n"),
    (["--skip-after", "read", "--reverse"], "[{skip-after: read}, reverse]",
     "copy;read 2\nidle;swapper 9\nleaf;rec;rec;rec;main 5\nlibc`brk;libc`malloc;main 3\n"
     "rec;other;rec;main 1\nsys_read;read 7\n"),
    (["--rename", "^(io|rec)$=>x", "--keep", "^x$", "--merge-recursion"],
     "[{rename: {match: '^(io|rec)$', with: x}}, {keep: '^x$'}, merge-recursion]",
     "main;x;leaf 5\nmain;x;other;x 1\nmain;x;read;copy 2\nmain;x;read;sys_read 7\n"),
]


class Transforms(common.Case):
    def setUp(self):
        super().setUp()
        self.write("in.folded", STACKS)

    def folded(self, *args):
        return self.good("run", *args, "in.folded", "--to=folded", "-o", "-").out

    def test_what_comes_of_each(self):
        for words, _, want in CASES:
            with self.subTest(words):
                self.assertEqual(want, self.folded(*words))

    def test_the_same_from_yaml(self):
        for words, yaml, want in CASES:
            with self.subTest(yaml):
                self.write(".brazier.yaml", f"pipelines: {{p: {{transform: {yaml}}}}}\n")
                self.assertEqual(want, self.folded("p"))

    def test_the_same_in_a_block_of_yaml(self):
        self.write(".brazier.yaml", """
pipelines:
  p:
    transform:
      - rename:
          match: '^(io|rec)$'
          with: x
      - keep: ^x$
      - merge-recursion
""")
        self.assertEqual(CASES[-1][2], self.folded("p"))

    def test_the_same_for_every_command(self):
        for words, _, want in CASES:
            self.assertEqual(want, self.good("collapse", "folded", "in.folded", *words).out)
            self.assertEqual(want, self.good("flamegraph", "--to=folded", "in.folded", *words).out)

    def test_those_of_the_command_line_come_after_the_pipelines(self):
        self.write(".brazier.yaml", "pipelines: {p: {transform: [reverse]}}\n")
        self.assertEqual(self.folded("--reverse", "--skip-after", "read"),
                         self.folded("p", "--skip-after", "read"))

    def test_names_of_the_command_line_are_no_more_of_the_pipelines(self):
        """Tests that `base: main` and `--base b` are two steps, but `--base main --base b` is one
        with two names."""
        config = self.write("c.yaml", "pipelines: {p: {transform: [{base: main}], outputs: [folded]}}\n")
        stacks = "main;b;c 1\nmain;x 2\ny 4\n"
        run = ["--config", config, "run", "p", "--base"]
        self.assertEqual("b;c 1\n", self.good(*run, "b", stdin=stacks).out)
        self.assertEqual("b;c 1\nx 2\n", self.good(*run, "b", "--base", "x", stdin=stacks).out)

    def test_a_list_of_names_is_as_long_as_it_is(self):
        names = ", ".join(f"f{i}" for i in range(200))
        config = self.write("c.yaml", f"pipelines: {{p: {{transform: [{{base: [{names}]}}], "
                                      "outputs: [folded]}}\n")
        stacks = "".join(f"main;f{i} 1\n" for i in range(300))
        r = self.good("--config", config, "run", "p", stdin=stacks)
        self.assertEqual(sorted(f"f{i} 1" for i in range(200)), sorted(r.out.splitlines()))

    def test_all_outputs_of_a_run_see_them(self):
        self.good("run", "in.folded", "--base", "idle", "-o", "a.folded", "-o", "a.json", "-o", "a.svg",
                  "--no-compact")
        self.assertEqual("idle 9\n", self.read("a.folded"))
        self.assertEqual(9, json.loads(self.read("a.json"))["value"])
        self.assertIn("<title>idle (9 samples, 100.00%)</title>", self.read("a.svg"))

    def test_all_weights_of_the_input_see_them(self):
        self.write("two.folded", "main;a 1 2\nmain;b 4 8\nother 16 32\n")
        for weight, sums in (("before", "a;main 1\nb;main 4\n"), ("after", "a;main 2\nb;main 8\n")):
            self.assertEqual(sums, self.good("collapse", "folded", "two.folded", "--keep", "main",
                                             "--reverse", "--weight", weight).out)

    def test_what_they_left_out_is_reported_on_demand(self):
        r = self.brazier("run", "-v", "in.folded", "--drop", "swapper", "-o", "x.svg")
        self.assertEqual(0, r.code)
        self.assertIn("note: transforms left out 1 distinct stacks", r.err)

    def test_nothing_left_is_an_error(self):
        self.assertIn("left no samples (keep)", self.fails(1, "run", "in.folded", "--reverse", "--keep", "nothing").err)

    def kept(self, stacks, *words):
        """Returns the stacks that a run keeps, with unchanged names."""
        out = self.good("collapse", "folded", "--demangle", "none", *words, stdin=stacks).out
        return sorted(out.splitlines())

    def test_a_match_that_needs_a_large_stack_is_found(self):
        """Tests that each expression keeps its place in every character of the name."""
        cpp = "executor_op<" * 400 + "int" + ">" * 400 + "::do_complete(void*)"
        long = "x" * 100_000 + "END"
        for name, other, expression in (
                (cpp, cpp[:-20], r"(?:.|\n)*do_complete"),
                (long, long[:-3], "^((x)|(y))*END$"),
                (long, long[:-3], "^(?:(x)|[^x])*?END")):
            self.assertTrue(re.search(expression, name))
            self.assertFalse(re.search(expression, other))
            stacks = f"main;{name} 5\nmain;{other} 1\n"
            self.assertEqual([f"main;{other} 1"], self.kept(stacks, "--drop", expression))
            self.assertEqual([f"main;{name} 5"], self.kept(stacks, "--keep", expression))
            self.assertEqual(["main 5", f"main;{other} 1"],
                             self.kept(stacks, "--hide", expression))
            self.assertEqual(sorted(["main;z 5", f"main;{other} 1"]), self.kept(
                stacks, "--rename", expression + ".*=>z"))

    def test_an_expression_that_hits_a_limit_fails_the_run(self):
        self.write("in.folded", "main;" + "a" * 1000 + "b 5\nx 2\n")
        for option, tail in (("--keep", ""), ("--drop", ""), ("--hide", ""), ("--rename", "=>x")):
            r = self.fails(1, "run", "in.folded", option, "^(a+)+$" + tail, "-o", "x.svg")
            self.assertEqual("brazier: error: the expression '^(a+)+$' exceeds the match limit of "
                             f"10000000 steps on the frame '{'a' * 60}...' (1001 bytes); "
                             "simplify its repetitions\n", r.err)
            self.assertEqual(["in.folded"], self.files())

    def test_a_chain_that_doubles_names_ends_at_a_limit(self):
        self.write("in.folded", "main;foo 3\n")
        r = self.fails(1, "run", "in.folded", *["--rename", ".+=>$0$0"] * 40, "-o", "x.svg")
        self.assertRegex(r.err, r"^brazier: error: replacing the expression '\.\+' in the frame "
                                r"'(main)+\.\.\.' \(65536 bytes\) gives a name of 131072 bytes, more "
                                r"than the limit of 65536\n$")
        self.assertEqual(["in.folded"], self.files())

    def test_what_a_limit_is_hit_on_is_safe_on_a_terminal(self):
        self.write("in.folded", b"main;\x1b[31m\xff\xc2\x9b 5\n")
        r = self.fails(1, "run", "in.folded", "--drop", "(*LIMIT_MATCH=1)(.|x)*[yz]", "-o", "x.svg")
        self.assertIn("exceeds the match limit of 1 steps on the frame ", r.err)
        self.assertFalse([c for c in r.err if ord(c) < 32 and c != "\n" or 127 <= ord(c) < 160], r.err)

    def test_names_that_are_no_utf8_are_matched_as_they_are_shown(self):
        stacks = b"main;caf\xe9 1\nmain;\xed\xa0\x80x 2\nmain;\xf8\x88\x80\x80\x80y 4\nmain;ok 8\n"
        self.assertEqual(["main;ok 8"], self.kept(stacks, "--drop", "\ufffd"))
        self.assertEqual(["main;caf\ufffd 1"], self.kept(stacks, "--keep", "^caf.$"))
        self.assertEqual(["main;ok 8"], self.kept(stacks, "--drop", "^caf|x$|y$"))
        self.assertEqual(["main;caf? 1"],
                         self.kept(stacks, "--keep", "caf", "--rename", "[^a-z]=>?"))

    def test_half_a_character_is_not_replaced(self):
        r = self.fails(2, "run", "in.folded", "--rename", r"\C=>x", "-o", "x.svg")
        self.assertIn("in the expression", r.err)

    def test_a_formats_own_option_of_that_name_goes_first(self):
        self.assertEqual("malloc;do_page_fault 10\nnode;main;parse 5\n", self.good(
            "collapse", "perf", "--skip-after", "malloc", stdin=common.PERF).out)


if __name__ == "__main__":
    common.main()
