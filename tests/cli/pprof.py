#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests profiles of pprof as inputs, beyond the golden cases."""
import json

import common
from lib.pprof import Profile, field, message

GOLDEN = common.SOURCE / "tests/golden/collapse/pprof"


class Pprof(common.Case):
    def columns(self, path, *names):
        """The folded text of each column."""
        return [self.good("collapse", "pprof", "-w", name, path).out for name in names]

    def test_a_profile_that_was_written_again_has_the_same_columns(self):
        for name, types in (("cpu.pb", ("samples", "cpu")),
                            ("heap.pb.gz", ("alloc_objects", "alloc_space", "inuse_objects",
                                            "inuse_space"))):
            self.good("run", GOLDEN / name, "-o", "again.pb.gz")
            self.assertEqual(self.columns(GOLDEN / name, *types), self.columns("again.pb.gz", *types))
            self.assertEqual(self.good("collapse", "pprof", GOLDEN / name).out,
                             self.good("collapse", "pprof", "again.pb.gz").out)

    def test_the_format_is_guessed_whatever_the_name_says(self):
        self.write("profile.txt", (GOLDEN / "heap.pb.gz").read_bytes())
        self.assertIn("pprof (90)", self.good("guess", "profile.txt").out)
        r = self.good("run", "--to", "folded", stdin=(GOLDEN / "cpu.pb").read_bytes())
        self.assertEqual((GOLDEN / "cpu.folded").read_text(), r.out)

    def test_files_and_lines_reach_the_outputs(self):
        text = self.good("run", GOLDEN / "cpu.pb", "--to", "speedscope").out
        frames = {(f["name"], f.get("file"), f.get("line")) for f in json.loads(text)["shared"]["frames"]}
        self.assertIn(("parse", "parse.c", 31), frames)

    def test_losses_are_drawn_beside_the_largest_number_of_weights(self):
        """Pictures need no column of their own for gains and losses: all 255 stay."""
        for n in (1, 254, 255):
            p = Profile(*[(f"w{i}", "count") for i in range(n)])
            for i, name in enumerate("abc", 1):
                p.function(i, name)
                p.location(i, [(i, 1)])
            for stack, value in (([1], 5), ([2, 1], -3), ([3, 1], 4)):
                p.sample(stack, [value] + [7] * (n - 1))
            self.write(f"{n}.pb", p.bytes())
        for output in ("svg", "term", "table", "folded"):
            title = ["--title", "losses"] if output == "svg" else []
            wanted = self.good("run", "1.pb", "-w", "w0", "-t", output, *title).out
            for n in (254, 255):
                r = self.brazier("run", f"{n}.pb", "-w", "w0", "-t", output, *title)
                self.assertEqual((0, wanted), (r.code, r.out), (output, n))
                self.assertNotIn("weights", r.err)
        page = self.good("run", "255.pb", "-w", "w0", "-t", "html").out
        self.assertEqual(255, page.count('"decimals":'))

    def test_a_small_file_cannot_describe_stacks_of_any_size(self):
        p = Profile(("samples", "count"))
        p.function(1, "main")
        p.location(1, [(1, n) for n in range(20000)])
        for _ in range(20):
            p.sample([1] * 5000, [1])
        self.write("large.pb", p.bytes())
        for more in ([], ["--isolate"]) if common.IS_EXHAUSTIVE else ([],):
            r = self.fails(1, "collapse", "pprof", "large.pb", *more)
            self.assertIn("the stacks are implausibly large for an input of this size", r.err)

    def test_more_types_than_a_profile_can_have_columns(self):
        p = Profile(*((f"type{i}", "count") for i in range(300)))
        p.function(1, "main")
        p.location(1, [(1, 1)])
        p.sample([1], list(range(1, 301)))
        self.write("wide.pb", p.bytes())
        r = self.brazier("collapse", "pprof", "-w", "type200", "wide.pb")
        self.assertEqual("main 201\n", r.out)
        self.assertIn("more than 255 sample types: the rest is left out", r.err)

    def test_a_damaged_sample_is_left_out_with_its_weight_if_that_is_known(self):
        p = Profile(("samples", "count"))
        p.function(1, "main")
        p.location(1, [(1, 1)])
        p.sample([1], [5])
        cut_label = b"\x1a\x7f"
        self.write("damaged.pb", p.bytes() + field(2, message([(1, [1]), (2, [7])]) + cut_label))
        r = self.brazier("collapse", "pprof", "damaged.pb")
        self.assertEqual((0, "main 5\n"), (r.code, r.out), r)
        self.assertIn("a damaged sample: left out", r.err)
        self.assertIn("note: left out: 1 record, weight 7\n", r.err)
        self.write("damaged.pb", p.bytes() + field(2, message([(1, [1])]) + cut_label))
        self.assertIn("note: left out: 1 record of unknown weight\n", self.brazier("collapse", "pprof", "damaged.pb").err)

    def test_a_profile_without_samples_is_refused(self):
        p = Profile(("samples", "count"))
        p.text("main"), p.text("other")
        self.write("empty.pb", p.bytes())
        self.assertIn("no samples in it", self.fails(1, "run", "--to", "folded", "empty.pb").err)

    def test_files_in_older_formats_are_named(self):
        for text in (b"--- symbol\nbinary=/srv/app\n0x1 main\n---\n--- heap\n",
                     b"\0" * 8 + b"\3" + b"\0" * 31, message([(3, b"")])):
            self.write("old.prof", text)
            self.fails(1, "collapse", "pprof", "old.prof")


if __name__ == "__main__":
    common.main()
