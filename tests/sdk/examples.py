#!/usr/bin/env python3
"""The examples and the tutorial, as their readers will meet them: brazier is installed somewhere,
and a plug-in is built against that alone, away from this source tree.

usage: examples.py
"""
import os
import re
import shutil

from common import CC, SOURCE, main
from installed import Installed

EXAMPLES = SOURCE / "sdk" / "examples"
TUTORIAL = SOURCE / "docs" / "plugin-guide.md"


def blocks(text):
    """Fenced blocks of a document: (language, what else stands behind the fence, text)."""
    for fence in re.finditer(r"^```(\w+)?(?: (\S+))?\n(.*?)^```$", text, re.M | re.S):
        yield fence.group(1), fence.group(2), fence.group(3)


class Examples(Installed):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for example in EXAMPLES.iterdir():  # what is found must be what is built here
            (cls.shipped / f"collapse-{example.name}.so").unlink()

    def copy_of(self, example):
        to = self.dir / example
        shutil.copytree(EXAMPLES / example, to)
        return to

    def folds_its_inputs(self, example, plugins):
        inputs = [p for p in (EXAMPLES / example / "tests").iterdir()
                  if p.suffix in (".txt", ".xt")]
        self.assertGreaterEqual(len(inputs), 3)
        for path in inputs:
            got = self.run_here(self.program, "collapse", example, path,
                                BRAZIER_PLUGIN_PATH=str(plugins))
            self.assertEqual(got, path.with_suffix(".folded").read_text(), path.name)

    def test_what_is_not_built_here_is_not_there(self):
        for example in EXAMPLES.iterdir():
            p = self.brazier("collapse", example.name, os.devnull, program=self.program)
            self.assertIn(f"no collapser '{example.name}'", p.stderr)

    def test_each_builds_with_the_cmake_package_and_passes_its_own_tests(self):
        for example in sorted(p.name for p in EXAMPLES.iterdir()):
            with self.subTest(example):
                source, build = self.copy_of(example), self.dir / f"build-{example}"
                self.run_here("cmake", "-S", source, "-B", build,
                              f"-DCMAKE_PREFIX_PATH={self.prefix}", "-DCMAKE_C_FLAGS=-Werror")
                self.run_here("cmake", "--build", build)
                self.run_here("ctest", "--test-dir", build, "--output-on-failure",
                              "--no-tests=error")
                self.folds_its_inputs(example, build)

    def test_each_builds_as_its_readme_says_without_cmake(self):
        for example in sorted(p.name for p in EXAMPLES.iterdir()):
            with self.subTest(example):
                source = self.copy_of(example)
                command = re.search(r"^    cc (?:.*\\\n)*.*$", (source / "README.md").read_text(),
                                    re.M).group(0)
                self.run_here("sh", "-ec", f"cd {source}\n{command.replace('cc ', CC + ' ', 1)}")
                self.folds_its_inputs(example, source)

    def test_one_that_is_installed_is_found_without_being_told(self):
        source, build = self.copy_of("xdebug"), self.dir / "build"
        self.run_here("cmake", "-S", source, "-B", build, f"-DCMAKE_PREFIX_PATH={self.prefix}")
        self.run_here("cmake", "--build", build)
        self.run_here("cmake", "--install", build)
        self.addCleanup((self.shipped / "collapse-xdebug.so").unlink)
        got = self.run_here(self.program, "collapse", "xdebug", EXAMPLES / "xdebug/tests/people.xt")
        self.assertEqual(got, (EXAMPLES / "xdebug/tests/people.folded").read_text())


class Tutorial(Installed):
    """Every step of docs/plugin-guide.md, in order: files are written, commands are run, and
    what they print must be what the document says."""

    def test_all_that_it_says_happens(self):
        printed, steps = None, 0
        for language, name, text in blocks(TUTORIAL.read_text()):
            if language == "sh" and name == "run":
                command = text.replace("cc ", CC + " ")
                printed = self.run_here("sh", "-ec", command, BRAZIER_PLUGIN_PATH="")
                steps += 1
            elif language == "text" and name == "printed":
                self.assertEqual(printed, text)
                steps += 1
            elif name is not None:
                (self.dir / name).parent.mkdir(parents=True, exist_ok=True)
                (self.dir / name).write_text(text)
                steps += 1
        self.assertGreaterEqual(steps, 10)


if __name__ == "__main__":
    main()
