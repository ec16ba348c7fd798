#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests configurations that extend others, keys for anchors, and thresholds in pipelines."""
import os

import common
from common import PERF, STACKS

ROOT = """formats:
  requests: {use: perf, options: {kernel: true}}
palettes:
  ours: blue
pipelines:
  cpu: {collapse: folded, outputs: [{use: folded, to: cpu.folded}]}
"""


class Extends(common.Case):
    def setUp(self):
        super().setUp()
        self.write(".git/HEAD", "x")
        self.write(".brazier.yaml", ROOT)
        self.write("sub/p.txt", PERF)
        self.write("sub/in.folded", STACKS)
        self.sub = self.dir / "sub"

    def extend(self, path="../.brazier.yaml", more="", name="sub/.brazier.yaml"):
        return self.write(name, f"extends: {path}\n{more}")

    def refused(self, path, why, **more):
        self.extend(path)
        r = self.fails(2, "collapse", "folded", "in.folded", cwd=self.sub, **more)
        self.assertIn(f"sub/.brazier.yaml:1:10: error: refused: '{path}' {why}", r.err)

    # ---- found files ----

    def test_a_nested_project_gets_what_the_root_defines(self):
        self.extend(more="pipelines: {cpu: {transform: [reverse]}}\n")
        self.assertIn("_[k]", self.good("collapse", "requests", "p.txt", cwd=self.sub).out)
        self.good("run", "cpu", "in.folded", cwd=self.sub)
        self.assertEqual("emit;main 10\nlex;parse;main 25\nread;parse;main 40\nwrite;emit;main 20\n", self.read("sub/cpu.folded"))
        self.good("run", "in.folded", "--palette", "ours", "-o", "a.svg", cwd=self.sub)
        self.assertIn("sub/.brazier.yaml: good\n", self.brazier("config", "check", cwd=self.sub).out)

    def test_files_extend_each_other_up_to_a_limit(self):
        self.extend()
        self.extend(name="sub/a/.brazier.yaml")
        self.write("sub/a/p.txt", PERF)
        self.assertIn("_[k]", self.good("collapse", "requests", "p.txt", cwd=self.sub / "a").out)
        path = "sub"
        for i in range(6):
            path += f"/{i}"
            self.extend(name=f"{path}/.brazier.yaml")
        r = self.fails(2, "collapse", "folded", stdin=STACKS, cwd=self.dir / path)
        self.assertIn("files extend each other too deeply, or in a circle", r.err)

    def test_a_found_file_extends_only_project_files_above_it_in_its_checkout(self):
        self.write(".brazier.yaml", ROOT, self.top)
        self.write("sub/other/.brazier.yaml", ROOT)
        self.write("other.yaml", ROOT)
        self.refused("../../.brazier.yaml", "is outside of the checkout")
        self.refused("../other.yaml", "is not named .brazier.yaml or brazier.yaml")
        self.refused("other/.brazier.yaml", "is not in a folder above")
        self.refused("./.brazier.yaml", "is not in a folder above")
        self.refused(str(self.dir / ".brazier.yaml"), "is an absolute path")
        self.refused("../brazier.yaml", "No such file or directory")
        self.refused("../none/.brazier.yaml", "No such file or directory")

    def test_a_checkout_within_another_does_not_extend_that(self):
        self.write("sub/.git", "gitdir: x")
        self.refused("../.brazier.yaml", "is outside of the checkout")

    def test_an_extended_file_obeys_the_rules_for_found_ones(self):
        self.write("brazier.yaml", ROOT).chmod(0o666)
        self.extend("../brazier.yaml")
        r = self.fails(2, "collapse", "folded", "in.folded", cwd=self.sub)
        self.assertIn("can be written by everybody: ignored", r.err)
        (self.dir / "brazier.yaml").unlink()
        os.symlink(self.write("x.yaml", ROOT), self.dir / "brazier.yaml")
        r = self.fails(2, "collapse", "folded", "in.folded", cwd=self.sub)
        self.assertIn("is a symbolic link: ignored", r.err)

    def test_an_extended_file_is_confined_to_its_own_folder(self):
        self.write(".brazier.yaml", "pipelines: {p: {inputs: sub/in.folded, outputs: [{use: folded, to: sub/../x.folded}]}}\n")
        self.extend()
        r = self.fails(2, "run", "p", cwd=self.sub)
        self.assertIn("refused: 'sub/../x.folded'", r.err)
        self.write(".brazier.yaml", f"pipelines: {{p: {{outputs: [{{use: folded, to: {self.dir}/x.folded}}]}}}}\n")
        self.good("run", "p", "in.folded", cwd=self.sub)  # below the root, above the nested project
        self.write(".brazier.yaml", f"pipelines: {{p: {{outputs: [{{use: folded, to: {self.top}/x.folded}}]}}}}\n")
        self.assertIn("refused: ", self.fails(2, "run", "p", "in.folded", cwd=self.sub).err)

    def test_neither_file_loosens_what_the_user_set(self):
        self.write(".config/brazier/config.yaml", "pipelines: {p: {isolate: true, max-time: 10s}}\n", self.home)
        loose = "pipelines: {p: {isolate: false, max-time: 99s, outputs: [folded]}}\n"
        self.write(".brazier.yaml", loose)
        self.extend(more=loose)
        shown = self.brazier("config", "show", "p", cwd=self.sub)
        self.assertRegex(shown.out, r"isolate: true  # .*config\.yaml:1")
        self.assertRegex(shown.out, r"max-time: 10s  # .*config\.yaml:1")
        self.assertEqual(2, shown.err.count("may only be stricter than"), shown)

    def test_allow_of_each_file_applies(self):
        self.write(".brazier.yaml", ROOT + "allow: [folded]\n")
        self.extend(more="allow: [folded, perf]\n")
        self.fails(2, "collapse", "perf", "p.txt", cwd=self.sub)
        self.good("collapse", "folded", "in.folded", cwd=self.sub)

    # ---- named files ----

    def test_a_named_file_extends_any_file_relative_to_its_folder(self):
        self.write("more/base.yaml", ROOT)
        self.write("a.yaml", "extends: more/base.yaml\n")
        self.assertIn("_[k]", self.good("--config", "a.yaml", "collapse", "requests", "sub/p.txt").out)
        self.write("a.yaml", "extends: more/none.yaml\n")
        r = self.fails(2, "--config", "a.yaml", "collapse", "perf", "sub/p.txt")
        self.assertIn("a.yaml:1:10: error: cannot open 'more/none.yaml': No such file or directory", r.err)

    def test_a_circle_of_files_is_an_error(self):
        self.write("a.yaml", "extends: b.yaml\n")
        self.write("b.yaml", "extends: a.yaml\n")
        r = self.fails(2, "--config", "a.yaml", "collapse", "perf", "sub/p.txt")
        self.assertIn("error: files extend each other too deeply, or in a circle", r.err)

    def test_extends_is_a_path(self):
        self.write("a.yaml", "extends: [b.yaml]\n")
        r = self.fails(2, "--config", "a.yaml", "collapse", "perf", "sub/p.txt")
        self.assertIn("a.yaml:1:10: error: 'extends' is the path of a configuration", r.err)

    # ---- keys for anchors ----

    def test_keys_that_begin_with_x_are_for_anchors(self):
        self.write("a.yaml", "x-outputs: &outputs [{use: folded, to: '-'}]\nx-none: {a: 1}\n"
                             "pipelines:\n  p: {x-why: text, outputs: *outputs}\n"
                             "palettes: {q: {x-a: 1, use: hot}}\nformats: {r: {x-b: 2, use: perf, options: {kernel: true}}}\n")
        self.assertEqual(STACKS.splitlines()[0], self.good("--config", "a.yaml", "run", "p", "sub/in.folded").out.splitlines()[0])
        self.assertIn("_[k]", self.good("--config", "a.yaml", "collapse", "r", "sub/p.txt").out)
        self.assertEqual(0, self.brazier("config", "check", "a.yaml").code)

    # ---- thresholds ----

    THRESHOLDS = "pipelines:\n  cpu:\n    fail-if: ['total(parse) > +5%', 'self(emit) > 50%']\n    outputs: [{use: folded, to: d.folded}]\n"

    def test_a_pipeline_has_thresholds_for_comparisons(self):
        self.write("a.yaml", self.THRESHOLDS)
        self.write("after.folded", STACKS.replace("40", "80"))
        r = self.brazier("--config", "a.yaml", "diff", "cpu", "sub/in.folded", "after.folded")
        self.assertEqual(3, r.code, r)
        self.assertIn("total(parse)", r.err)
        self.assertTrue(self.read("d.folded"))
        r = self.brazier("--config", "a.yaml", "diff", "cpu", "sub/in.folded", "sub/in.folded")
        self.assertEqual(0, r.code, r)
        self.assertEqual(0, self.brazier("config", "check", "a.yaml").code)
        self.assertIn("fail-if:", self.good("--config", "a.yaml", "config", "show", "cpu").out)

    def test_a_run_refuses_thresholds(self):
        self.write("a.yaml", self.THRESHOLDS)
        r = self.fails(2, "--config", "a.yaml", "run", "cpu", "sub/in.folded")
        self.assertRegex(r.err, r"a\.yaml:3:14: error: fail-if.*: thresholds belong to comparisons: brazier diff PIPELINE")

    def test_a_wrong_threshold_has_its_place(self):
        self.write("a.yaml", "pipelines: {cpu: {fail-if: 'totl(parse) > 5%'}}\n")
        for args in (("config", "check", "a.yaml"), ("--config", "a.yaml", "diff", "cpu", "sub/in.folded", "sub/in.folded")):
            self.assertIn("a.yaml:1:28: error: ", self.fails(2, *args).err)

    def test_a_file_named_like_a_pipeline_is_compared(self):
        self.write("a.yaml", self.THRESHOLDS)
        self.write("cpu", STACKS)
        self.assertIn("main;emit 10 10\n", self.good("--config", "a.yaml", "diff", "cpu", "sub/in.folded").out)


if __name__ == "__main__":
    common.main()
