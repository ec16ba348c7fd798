#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests `brazier plugin new`: the generated project builds against an installation and passes its
own tests unchanged, with make and with CMake: each kind with one of them, unless BRAZIER_EXHAUSTIVE=1 is in the
environment.

usage: new.py
"""
import os
import re
import shutil
import stat
import subprocess
import unittest

from common import EFFORT, EXHAUSTIVE, SOURCE, main
from installed import Installed
from lib.sample import SampleLoader

PREFIXES = {"collapser": "collapse", "palette": "palette", "output": "output", "transform": "transform"}
WITH_MAKE, WITH_CMAKE = (PREFIXES, PREFIXES) if EXHAUSTIVE else (("palette", "transform"), ("collapser", "output"))
TEMPLATE = SOURCE / "sdk" / "template"
STRICT = "-O2 -Werror -Wpedantic -Wshadow -Wconversion"


class New(Installed):
    def new(self, name, kind, *words):
        self.run_here(self.program, "plugin", "new", name, "--kind", kind, *words)
        return self.dir / name

    def refused(self, *words, code=2):
        p = self.brazier("plugin", "new", *words, program=self.program)
        self.assertEqual((code, ""), (p.returncode, p.stdout), p.stderr)
        return p.stderr

    # ---- the generated project works ----

    @unittest.skipUnless(shutil.which("make"), "no make")
    def test_each_kind_builds_and_passes_make_check_as_it_was_written(self):
        for kind, prefix in ((kind, PREFIXES[kind]) for kind in WITH_MAKE):
            with self.subTest(kind):
                folder = self.new(f"new-{kind}", kind)
                out = self.run_here("make", "-C", folder, "check", f"CFLAGS={STRICT}")
                self.assertIn("good: tests/sample.", out)
                self.assertTrue((folder / f"{prefix}-new-{kind}.so").exists())

    def test_each_kind_builds_and_passes_its_tests_with_cmake(self):
        for kind, prefix in ((kind, PREFIXES[kind]) for kind in WITH_CMAKE):
            with self.subTest(kind):
                folder = self.new(f"new-{kind}", kind)
                p = self.configure(folder, folder / "build", f"-DCMAKE_PREFIX_PATH={self.prefix}",
                                   f"-DCMAKE_C_FLAGS={STRICT}", f"-DCHECK_FLAGS=--effort;{EFFORT}")
                self.assertEqual(0, p.returncode, p.stdout + p.stderr)
                self.run_here("cmake", "--build", folder / "build")
                out = self.run_here("ctest", "--test-dir", folder / "build",
                                    "--output-on-failure", "--no-tests=error")
                self.assertIn("samples", out)
                self.assertTrue((folder / "build" / f"{prefix}-new-{kind}.so").exists())

    @unittest.skipUnless(shutil.which("make"), "no make")
    def test_it_works_for_those_whose_files_are_writable_by_their_group(self):
        old = os.umask(0o002)
        self.addCleanup(os.umask, old)
        self.run_here("make", "-C", self.new("shared", "collapser"), "check")

    @unittest.skipUnless(shutil.which("make"), "no make")
    def test_make_check_fails_if_something_else_comes_of_a_sample(self):
        for kind in PREFIXES:
            with self.subTest(kind):
                folder = self.new(f"new-{kind}", kind)
                sample = next(folder.glob("tests/sample.txt"), folder / "tests" / "sample.folded")
                sample.write_text(sample.read_text() + ("more : 1\n" if kind == "collapser"
                                                        else "more 1\n"))
                for total in folder.glob("tests/sample.sum"):
                    total.write_text("47\n")
                p = subprocess.run(["make", "-C", folder, "check"], env=self.env, text=True,
                                   capture_output=True)
                self.assertNotEqual(0, p.returncode)
                self.assertIn("+more", p.stdout)
                self.run_here("make", "-C", folder, "update")
                self.run_here(folder / "tests" / "check.sh", next(folder.glob("*.so")))

    @unittest.skipUnless(shutil.which("make"), "no make")
    def test_the_sum_of_a_sample_is_written_by_hand(self):
        folder = self.new("summed", "collapser")
        self.assertEqual("46\n", (folder / "tests/sample.sum").read_text())
        source = folder / "summed.c"
        source.write_text(source.read_text().replace("&sample->value))", "&sample->value) || sample->value++ < 0)"))
        for target in ("update", "check"):  # an update rewrites the stacks, but not the sum
            p = subprocess.run(["make", "-C", folder, target], env=self.env, text=True, capture_output=True)
            self.assertNotEqual(0, p.returncode)
            self.assertIn("tests/sample.folded: the sum is 50, but tests/sample.sum says 46", p.stderr)

    @unittest.skipUnless(shutil.which("make"), "no make")
    def test_what_is_installed_is_found_without_an_option(self):
        folder = self.new("found", "collapser")
        self.run_here("make", "-C", folder, "install")
        self.addCleanup((self.shipped / "collapse-found.so").unlink)
        got = self.run_here(self.program, "run", folder / "tests" / "sample.txt", "--to", "folded")
        self.assertEqual((folder / "tests" / "sample.folded").read_text(), got)

    @unittest.skipUnless(shutil.which("make"), "no make")
    def test_an_installation_into_a_package_goes_where_the_plugins_are(self):
        folder = self.new("packed", "palette")
        self.run_here("make", "-C", folder, "install", f"DESTDIR={self.dir / 'package'}")
        installed = self.dir / "package" / self.shipped.relative_to("/") / "palette-packed.so"
        self.assertEqual(0o755, stat.S_IMODE(installed.stat().st_mode))

    def test_the_sample_is_recognised_and_other_text_is_not(self):
        folder = self.new("known", "collapser")
        flags = self.run_here("pkg-config", "--cflags", "--libs", "brazier-plugin").split()
        plugin = folder / "collapse-known.so"
        self.run_here(self.env["CC"], "-std=c11", "-shared", "-fPIC", folder / "known.c", "-o",
                      plugin, *flags)
        (self.dir / "prose.txt").write_text("See also : the other page.\nmain > load : 12\n")
        out = self.brazier("guess", folder / "tests" / "sample.txt", self.dir / "prose.txt",
                           "--plugin", plugin, program=self.program).stdout
        self.assertRegex(out, r"sample\.txt: known \(70\)")
        self.assertNotIn("prose.txt: known", out)

    # ---- contents of the project ----

    def test_marks_are_filled_in_everywhere(self):
        for kind in PREFIXES:
            folder = self.new(f"new-{kind}", kind)
            files = [p for p in folder.rglob("*") if p.is_file()]
            self.assertGreaterEqual(len(files), 8)
            for path in files:
                self.assertNotRegex(path.read_text() + str(path), "@[A-Z]+@", str(path))
            names = {str(p.relative_to(folder)) for p in files}
            self.assertLessEqual({f"new-{kind}.c", "Makefile", "CMakeLists.txt", "README.md",
                                  ".gitignore", ".github/workflows/ci.yml", "tests/check.sh"},
                                 names)

    def test_what_is_written_is_short_and_says_its_licence(self):
        for kind in PREFIXES:
            text = (TEMPLATE / kind / "@NAME@.c").read_text()
            lines = [line for line in text.splitlines() if line.strip()]
            self.assertLessEqual(len(lines), 50, kind)
            self.assertIn("SPDX-License-Identifier: MIT", text)
            self.assertIn("| rule | because | clause |", (TEMPLATE / kind / "README.md").read_text())

    def test_a_directory_may_be_named(self):
        (self.dir / "empty").mkdir()
        self.run_here(self.program, "plugin", "new", "x", "--kind=output", "--directory", "empty")
        self.assertTrue((self.dir / "empty" / "x.c").exists())

    def test_names_are_those_of_components(self):
        for name in ("a", "9", "a--b", "x" * 32):
            self.assertTrue((self.new(name, "palette") / f"{name}.c").exists())

    def test_the_file_for_continuous_integration_is_sound_yaml(self):
        ci = self.new("ci", "collapser") / ".github" / "workflows" / "ci.yml"
        said = self.brazier("config", "check", ci).stderr
        self.assertEqual({"name", "on", "env", "jobs"}, set(re.findall(r"no such key '(\w+)'", said)))
        self.assertEqual(4, said.count("error: "), said)

    @unittest.skipUnless(shutil.which("make"), "no make")
    def test_the_last_step_of_continuous_integration_works(self):
        folder = self.new("ci", "collapser")
        steps = (folder / ".github" / "workflows" / "ci.yml").read_text()
        script = re.search(r"Check the plug-in\n +run: \|\n((?: {10}.*\n)+)", steps)[1]
        script = script.replace("/tmp/", f"{self.dir}/copy-").replace("/usr/local", str(self.prefix))
        self.assertIn("make -C", script)
        self.run_here("sh", "-ec", f"cd {folder}\n{script}", PKG_CONFIG_PATH="")
        self.assertTrue((self.dir / "copy-ci" / "collapse-ci.so").exists())

    # ---- rejected commands ----

    def test_what_is_there_is_not_written_over(self):
        folder = self.new("mine", "output")
        before = (folder / "mine.c").read_text()
        (folder / "mine.c").write_text("precious")
        said = self.refused("mine", "--kind", "output", code=1)
        self.assertIn("mine: exists and is not empty; nothing is written", said)
        self.assertEqual("precious", (folder / "mine.c").read_text())
        self.assertNotEqual("precious", before)
        (self.dir / "file").write_text("precious")
        self.assertIn("Not a directory", self.refused("file", "--kind", "output", code=1))
        self.assertEqual("precious", (self.dir / "file").read_text())

    def test_names_that_no_component_can_have_are_refused(self):
        for name, instead in [("Foo_Bar", "foo-bar"), ("x" * 33, "x" * 32), ("../up", "up"),
                              ("a/b", "a-b"), ("naïve.c", "na-ve-c"), ("_", None), ("", None)]:
            with self.subTest(name):
                said = self.refused(name, "--kind", "palette")
                self.assertIn("cannot be a plug-in's name: 1 to 32 of a-z, 0-9 and '-'", said)
                if instead is not None:
                    self.assertIn(f"how about '{instead}'?", said)
        self.assertEqual([], list(self.dir.iterdir()))

    def test_words_that_are_missing_or_wrong_are_reported(self):
        for words, said in [
                (["--kind", "output"], "which name? brazier plugin new NAME --kind"),
                (["x"], "of which kind? brazier plugin new NAME --kind"),
                (["x", "y", "--kind", "output"], "one NAME is enough, 'y' is too many"),
                (["x", "--kind", "collapse"], "did you mean 'collapser'?"),
                (["x", "--kind", "palete"], "did you mean 'palette'?"),
                (["x", "--knd", "palette"], "did you mean '--kind'?")]:
            self.assertIn(said, self.refused(*words))
        self.assertEqual([], list(self.dir.iterdir()))

    def test_a_component_that_will_be_hidden_is_reported(self):
        p = self.brazier("plugin", "new", "perf", "--kind", "collapser", program=self.program)
        self.assertEqual(0, p.returncode)
        self.assertIn("there is already a collapser 'perf'", p.stderr)

    def test_a_place_from_which_nothing_is_loaded_is_reported(self):
        open_to_all = self.dir / "open"
        open_to_all.mkdir()
        open_to_all.chmod(0o777)
        p = self.brazier("plugin", "new", "x", "--kind", "output", program=self.program,
                         cwd=open_to_all)
        self.assertEqual(0, p.returncode)
        self.assertIn("plug-ins are not loaded from there", p.stderr)
        self.assertIn("chmod", p.stderr)

    def test_without_the_sdk_it_says_so(self):
        alone = self.dir / "alone" / "bin" / "brazier"
        alone.parent.mkdir(parents=True)
        shutil.copy(self.program, alone)
        p = self.brazier("plugin", "new", "x", "--kind", "output", program=alone)
        if p.returncode == 0:
            self.skipTest("the SDK is installed where this was configured for")
        self.assertEqual(1, p.returncode)
        self.assertIn("brazier's SDK is not installed", p.stderr)
        self.assertFalse((self.dir / "x").exists())


if __name__ == "__main__":
    main(SampleLoader())
