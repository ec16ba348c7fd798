#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the scripts of the GitHub action, with a `gh` that notes its words.

usage: action.py [TEST...]
"""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["BRAZIER_SOURCE"])
SCRIPTS = SOURCE / "packaging/action"
GH = """#!/bin/sh
printf '%s\\n' "$*" >>"$GH_LOG"
case $* in *--paginate*) printf '%s' "$GH_KNOWN" ;; esac
"""


class Action(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.dir = pathlib.Path(folder.name)
        (self.dir / "bin").mkdir()
        (self.dir / "bin/gh").write_text(GH)
        (self.dir / "bin/gh").chmod(0o755)
        (self.dir / "tmp").mkdir()
        self.out = self.dir / "tmp/brazier-out"

    def run_script(self, name, **variables):
        path = f"{self.dir / 'bin'}:{pathlib.Path(os.environ['BRAZIER']).parent}:{os.environ['PATH']}"
        return subprocess.run(["sh", SCRIPTS / name], cwd=self.dir, capture_output=True, text=True, env={
            **os.environ, "PATH": path, "RUNNER_TEMP": str(self.dir / "tmp"), "GITHUB_OUTPUT": str(self.dir / "output"),
            "GITHUB_STEP_SUMMARY": str(self.dir / "summary"), "GH_LOG": str(self.dir / "log"), **variables})

    def draw(self, stacks, thresholds=""):
        (self.dir / "in.folded").write_text(stacks)
        return self.run_script("draw.sh", BRAZIER_PROFILE="in.folded", BRAZIER_THRESHOLDS=thresholds)

    def test_the_first_run_draws_and_becomes_the_baseline(self):
        p = self.draw("main;read 3\n")
        self.assertEqual(0, p.returncode, p.stderr)
        self.assertEqual({"flame.svg", "profile.folded", "summary.md"}, {f.name for f in self.out.iterdir()})
        self.assertEqual("main;read 3\n", (self.dir / ".brazier-baseline/profile.folded").read_text())
        self.assertEqual(f"folder={self.out}\n", (self.dir / "output").read_text())
        self.assertEqual((self.out / "summary.md").read_text(), (self.dir / "summary").read_text())

    def test_later_runs_compare_and_a_threshold_fails_them(self):
        self.draw("main;read 3\n")
        p = self.draw("main;read 3\nmain;lex 3\n", "total(^none$) > 50%\n\ntotal(^lex$) > 10%\n")
        self.assertEqual(3, p.returncode, p.stderr)
        self.assertIn("New, by total", (self.out / "summary.md").read_text())
        self.assertTrue((self.out / "diff.svg").exists())
        self.assertEqual("main;read 3\n", (self.dir / ".brazier-baseline/profile.folded").read_text())

    def test_without_inputs_it_says_what_is_missing(self):
        p = self.run_script("draw.sh")
        self.assertEqual((2, "the action needs the input command or profile\n"), (p.returncode, p.stderr))

    def comment(self, known):
        self.out.mkdir()
        (self.out / "summary.md").write_text("### Profile\n")
        p = self.run_script("comment.sh", GH_KNOWN=known, BRAZIER_KEY="a b-->", BRAZIER_FOLDER=str(self.out),
                            BRAZIER_PULL="7", GITHUB_REPOSITORY="o/r")
        self.assertEqual(0, p.returncode, p.stderr)
        self.assertEqual("<!-- brazier ab -->\n### Profile\n", (self.out / "comment.md").read_text())
        return (self.dir / "log").read_text().splitlines()[-1]

    def test_a_comment_is_new_at_first(self):
        self.assertEqual(f"api --method POST repos/o/r/issues/7/comments -F body=@{self.out}/comment.md", self.comment(""))

    def test_a_comment_is_replaced_later(self):
        self.assertEqual(f"api --method PATCH repos/o/r/issues/comments/22 -F body=@{self.out}/comment.md",
                         self.comment("11\n22\n"))

    @unittest.skipUnless(shutil.which("shellcheck"), "no shellcheck")
    def test_shellcheck_finds_nothing(self):
        files = [*SCRIPTS.glob("*.sh"), SOURCE / "packaging/conda/build.sh"]
        p = subprocess.run(["shellcheck", *files], capture_output=True, text=True)
        self.assertEqual("", p.stdout)


if __name__ == "__main__":
    unittest.main()
