#!/usr/bin/env python3
"""Tests the examples and the guide as readers use them: installs brazier, and builds plug-ins
against the installation only, outside of the source tree.

usage: examples.py
"""
import os
import re
import shutil
import unittest

from common import CC, CXX, SOURCE, main
from installed import Installed

EXAMPLES = SOURCE / "sdk" / "examples"
GUIDE = SOURCE / "docs" / "plugin-guide.md"


def blocks(text):
    """Yields the fenced blocks of a document: (language, rest of the fence's line, text)."""
    for fence in re.finditer(r"^```(\w+)?(?: (\S+))?\n(.*?)^```$", text, re.M | re.S):
        yield fence.group(1), fence.group(2), fence.group(3)


def examples():
    """Yields (name, "collapse" or "output") of each example that can be compiled here."""
    for folder in sorted(EXAMPLES.iterdir()):
        text = (folder / "CMakeLists.txt").read_text()
        kind = re.search(rf"brazier_add_plugin\((\w+)-{folder.name}", text).group(1)
        if "LANGUAGES CXX" not in text or shutil.which(CXX):
            yield folder.name, kind


class Examples(Installed):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for name, kind in examples():  # the program must find what is built here
            (cls.shipped / f"{kind}-{name}.so").unlink(missing_ok=True)

    def copy_of(self, example):
        to = self.dir / example
        shutil.copytree(EXAMPLES / example, to)
        return to

    def passes_its_tests(self, example, kind, plugins):
        """Checks that its own inputs give the expected results."""
        tests = EXAMPLES / example / "tests"
        wanted = sorted(tests.glob("*.folded" if kind == "collapse" else f"*.{example}"))
        self.assertGreaterEqual(len(wanted), 3)
        for path in wanted:
            if kind == "collapse":
                given = next(p for p in tests.glob(f"{path.stem}.*") if p != path)
                words = ["collapse", example, given]
            else:
                words = ["run", path.with_suffix(".folded"), "--from", "folded", "--to", example]
            got = self.run_here(self.program, *words, BRAZIER_PLUGIN_PATH=str(plugins))
            self.assertEqual(got, path.read_text(), path.name)

    def test_what_is_not_built_here_is_not_there(self):
        for name, kind in examples():
            words = ["--to", name] if kind == "output" else ["--from", name]
            p = self.brazier("run", os.devnull, *words, program=self.program)
            self.assertRegex(p.stderr, f"no (collapser|output) '{name}'")

    def test_each_builds_with_the_cmake_package_and_passes_its_own_tests(self):
        for example, kind in examples():
            with self.subTest(example):
                source, build = self.copy_of(example), self.dir / f"build-{example}"
                self.run_here("cmake", "-S", source, "-B", build,
                              f"-DCMAKE_PREFIX_PATH={self.prefix}", "-DCMAKE_C_FLAGS=-Werror",
                              "-DCMAKE_CXX_FLAGS=-Werror")
                self.run_here("cmake", "--build", build)
                self.run_here("ctest", "--test-dir", build, "--output-on-failure",
                              "--no-tests=error")
                self.passes_its_tests(example, kind, build)

    def test_each_builds_as_its_readme_says_without_cmake(self):
        for example, kind in examples():
            with self.subTest(example):
                source = self.copy_of(example)
                command = re.search(r"^    (cc|c\+\+) (?:.*\\\n)*.*$",
                                    (source / "README.md").read_text(), re.M).group(0)
                for word, compiler in (("cc ", CC), ("c++ ", CXX)):
                    command = command.replace(f"    {word}", f"{compiler} ", 1)
                self.run_here("sh", "-ec", f"cd {source}\n{command}")
                self.passes_its_tests(example, kind, source)

    def test_each_shows_its_entry_alone_and_needs_the_c_library_alone(self):
        for example, kind in examples():
            with self.subTest(example):
                source, build = self.copy_of(example), self.dir / f"build-{example}"
                self.run_here("cmake", "-S", source, "-B", build,
                              f"-DCMAKE_PREFIX_PATH={self.prefix}")
                self.run_here("cmake", "--build", build)
                plugin = build / f"{kind}-{example}.so"
                shown = self.run_here("nm", "-D", "--defined-only", plugin).split()
                self.assertEqual("brz_plugin_v0", " ".join(shown[2:]))
                needed = re.findall(r"NEEDED\s+(\S+)", self.run_here("objdump", "-p", plugin))
                self.assertLessEqual(set(needed), {"libc.so.6", "libm.so.6"} |
                                     {n for n in needed if n.startswith("ld-linux")})
                if kind == "output":  # the shipped ones are checked elsewhere
                    self.run_here(self.program, "plugin", "check", plugin)

    def test_one_that_is_installed_is_found_without_being_told(self):
        source, build = self.copy_of("xdebug"), self.dir / "build"
        self.run_here("cmake", "-S", source, "-B", build, f"-DCMAKE_PREFIX_PATH={self.prefix}")
        self.run_here("cmake", "--build", build)
        self.run_here("cmake", "--install", build)
        self.addCleanup((self.shipped / "collapse-xdebug.so").unlink)
        got = self.run_here(self.program, "collapse", "xdebug", EXAMPLES / "xdebug/tests/people.xt")
        self.assertEqual(got, (EXAMPLES / "xdebug/tests/people.folded").read_text())


def code_lines(text):
    """Returns the lines of C that are neither empty nor comments."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    return [line for line in text.splitlines() if line.strip()]


@unittest.skipUnless(shutil.which("make"), "no make")
class Guide(Installed):
    """Follows docs/plugin-guide.md: writes its files, runs its commands, and compares their output
    with the document."""

    def test_all_that_it_says_happens(self):
        printed, steps = None, 0
        for language, name, text in blocks(GUIDE.read_text()):
            if language == "sh" and name == "run":
                printed = self.run_here("sh", "-ec", text, BRAZIER_PLUGIN_PATH="")
                steps += 1
            elif language == "text" and name == "printed":
                self.assertEqual(printed, text)
                steps += 1
            elif name is not None:
                (self.dir / name).parent.mkdir(parents=True, exist_ok=True)
                (self.dir / name).write_text(text)
                steps += 1
        self.assertGreaterEqual(steps, 20)

    def test_every_command_and_file_of_it_is_run(self):
        for language, name, text in blocks(GUIDE.read_text()):
            self.assertIsNotNone(name, f"a block that no test looks at:\n{text}")

    def test_a_new_format_is_no_more_than_sixty_lines(self):
        first = next(text for _, name, text in blocks(GUIDE.read_text()) if name == "tally/tally.c")
        self.assertIn("BRZ_PLUGIN(", first)
        self.assertLessEqual(len(code_lines(first)), 60)


if __name__ == "__main__":
    main()
