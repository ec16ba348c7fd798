#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the examples as readers use them: installs brazier, and builds plug-ins against the
installation only, outside of the source tree. Each is built in two ways, with CMake and as its
README says: in turns in one of them, unless BRAZIER_EXHAUSTIVE=1 is in the environment.

usage: examples.py
"""
import os
import pathlib
import re
import shutil
import tempfile
import unittest

from common import CXX, EFFORT, EXHAUSTIVE, SOURCE, main
from installed import Installed

EXAMPLES = SOURCE / "sdk" / "examples"
SHIPPED = {"bpftrace", "xdebug"}


def examples():
    """Yields (name, "collapse", "output" or "transform") of each example that can be compiled here."""
    for folder in sorted(EXAMPLES.iterdir()):
        text = (folder / "CMakeLists.txt").read_text()
        kind = re.search(rf"brazier_add_plugin\((\w+)-{folder.name}", text).group(1)
        if "LANGUAGES CXX" not in text or shutil.which(CXX):
            yield folder.name, kind


def in_turns(turn):
    """Returns every other example, or all of them in exhaustive runs."""
    return list(examples()) if EXHAUSTIVE else list(examples())[turn::2]


class Examples(Installed):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for name, kind in examples():  # the program must find what is built here
            (cls.shipped / f"{kind}-{name}.so").unlink(missing_ok=True)
        cls.builds = pathlib.Path(tempfile.mkdtemp(prefix="brazier-examples-")).resolve()
        cls.addClassCleanup(shutil.rmtree, cls.builds, ignore_errors=True)

    def copy_of(self, example, to):
        shutil.copytree(EXAMPLES / example, to / example)
        return to / example

    def built(self, example):
        """Returns where an example is built with CMake; all tests share it."""
        build = self.builds / f"build-{example}"
        if not build.exists():
            source = self.copy_of(example, self.builds)
            p = self.configure(source, build, f"-DCMAKE_PREFIX_PATH={self.prefix}", "-DCMAKE_C_FLAGS=-Werror",
                               "-DCMAKE_CXX_FLAGS=-Werror")
            self.assertEqual(0, p.returncode, p.stdout + p.stderr)
        self.run_here("cmake", "--build", build)
        return build

    def passes_its_tests(self, example, kind, plugins):
        """Checks that its own inputs give the expected results, and that it shows nothing but its entry."""
        tests = EXAMPLES / example / "tests"
        wanted = sorted(tests.glob("*.folded" if kind == "collapse" else f"*.{example}"))
        self.assertGreaterEqual(len(wanted), 3)
        for path in wanted:
            if kind == "transform":
                options = path.with_suffix(".args").read_text().replace("{tests}", str(tests)).split()
                words = ["run", path.with_suffix(".folded"), "--from", "folded", "--to", "folded",
                         "--transform", example, *options]
            elif kind == "collapse":
                given = next(p for p in tests.glob(f"{path.stem}.*") if p != path)
                words = ["collapse", example, given]
            else:
                words = ["run", path.with_suffix(".folded"), "--from", "folded", "--to", example]
            got = self.run_here(self.program, *words, BRAZIER_PLUGIN_PATH=str(plugins))
            self.assertEqual(got, path.read_text(), path.name)
        self.shows_its_entry_alone(plugins / f"{kind}-{example}.so")

    def shows_its_entry_alone(self, plugin):
        shown = self.run_here("nm", "-D", "--defined-only", plugin).split()
        self.assertEqual("brz_plugin_v1", " ".join(shown[2:]))
        needed = re.findall(r"NEEDED\s+(\S+)", self.run_here("objdump", "-p", plugin))
        self.assertLessEqual(set(needed), {"libc.so.6", "libm.so.6"} | {n for n in needed if n.startswith("ld-linux")})

    def test_what_is_not_built_here_is_not_there(self):
        for name, kind in examples():
            option = {"collapse": "--from", "output": "--to", "transform": "--transform"}[kind]
            p = self.brazier("run", os.devnull, option, name, program=self.program)
            self.assertRegex(p.stderr, f"no (collapser|output|transform) '{name}'")

    def test_each_builds_with_the_cmake_package_and_passes_its_own_tests(self):
        for example, kind in in_turns(0):
            with self.subTest(example):
                build = self.built(example)
                self.run_here("ctest", "--test-dir", build, "--output-on-failure",
                              "--no-tests=error")
                self.passes_its_tests(example, kind, build)

    def test_each_builds_as_its_readme_says_without_cmake(self):
        for example, kind in in_turns(1):
            with self.subTest(example):
                source = self.copy_of(example, self.dir)
                command = re.search(r"^    (cc|c\+\+) (?:.*\\\n)*.*$",
                                    (source / "README.md").read_text(), re.M).group(0)
                for word, compiler in (("cc ", self.env["CC"]), ("c++ ", self.env["CXX"])):
                    command = command.replace(f"    {word}", f"{compiler} ", 1)
                self.run_here("sh", "-ec", f"cd {source}\n{command}")
                self.passes_its_tests(example, kind, source)

    def test_each_that_is_not_shipped_fulfils_the_contract(self):
        for example, kind in in_turns(0):
            if example not in SHIPPED:  # which are checked elsewhere
                with self.subTest(example):
                    samples = ["--samples", EXAMPLES / example / "tests"] if kind == "collapse" else []
                    self.run_here(self.program, "plugin", "check", self.built(example) / f"{kind}-{example}.so", *samples,
                                  "--effort", EFFORT)

    def test_blocks_with_tags_and_times_and_protocol_buffers_are_short(self):
        for source, most in (("beam/beam.c", 60), ("meter/meter.c", 180)):
            self.assertLessEqual(len((EXAMPLES / source).read_text().splitlines()), most)

    def test_blocks_are_selected_by_thread_and_time(self):
        plugin = self.built("beam") / "collapse-beam.so"
        for words, want in ((["thread=shell"], "app:run/1 50000\napp:run/1;lists:seqsort/2 250000\n"),
                            (["thread=85"], "app:run/1;lists:map/2 12500\n"),
                            (["thread=84", "--time-range", "0.2ms.."], "app:run/1 50000\n")):
            got = self.run_here(self.program, "--no-config", "collapse", "beam", EXAMPLES / "beam/tests/turns.txt",
                                "--plugin", plugin, "--only", *words)
            self.assertEqual(want, got, words)

    def test_blocks_are_selected_by_label(self):
        plugin = self.built("tally-turns") / "collapse-tally-turns.so"
        for words, want in ((["--only", "thread=8", "--only", "route=/home"], "main 250000\n"),
                            (["--only", "route=/cart"], "main;load 1500000\n"),
                            (["--time-range", "..1ms"], "main;load 1500000\n")):
            got = self.run_here(self.program, "--no-config", "collapse", "tally-turns",
                                EXAMPLES / "tally-turns/tests/sample.txt", "--plugin", plugin, *words)
            self.assertEqual(want, got, words)

    def test_each_block_that_is_left_out_is_reported(self):
        p = self.brazier("--no-config", "collapse", "beam", EXAMPLES / "beam/tests/damaged.txt", "--plugin",
                         self.built("beam") / "collapse-beam.so")
        self.assertEqual((0, "main 2000\n"), (p.returncode, p.stdout))
        for words in ("damaged.txt:3:1: warning: begins no block of this format: left out",
                      "damaged.txt:6:1: warning: a block without frames: left out",
                      "left out: 4 records; weight 2000 for 1 of them, unknown for the others"):
            self.assertIn(words, p.stderr)

    def test_each_damaged_message_is_reported(self):
        p = self.brazier("--no-config", "collapse", "meter", EXAMPLES / "meter/tests/tables.pb", "--plugin",
                         self.built("meter") / "collapse-meter.so", "-v")
        self.assertEqual((0, "main;load 12\n"), (p.returncode, p.stdout))
        said = [line for line in p.stderr.splitlines() if "tables.pb: byte 0x" in line]
        self.assertEqual(2, len(said), p.stderr)

    def test_fixed_numbers_that_are_read_as_varints_do_not_pass_as_samples(self):
        source = self.copy_of("meter", self.dir)
        text = (source / "meter.c").read_text()
        (source / "meter.c").write_text(text.replace("BRZ_PROTO_FIXED64", "BRZ_PROTO_VARINT"))
        flags = self.run_here("pkg-config", "--cflags", "--libs", "brazier-plugin").split()
        plugin = source / "collapse-meter.so"
        self.run_here(self.env["CC"], "-std=c11", "-shared", "-fPIC", source / "meter.c", "-o", plugin, *flags)
        p = self.brazier("--no-config", "collapse", "meter", source / "tests/calls.pb", "--plugin", plugin)
        self.assertEqual((1, ""), (p.returncode, p.stdout))
        self.assertIn("3 records of unknown weight", p.stderr)

    def test_one_that_is_installed_is_found_without_an_option(self):
        self.run_here("cmake", "--install", self.built("xdebug"))
        self.addCleanup((self.shipped / "collapse-xdebug.so").unlink)
        got = self.run_here(self.program, "collapse", "xdebug", EXAMPLES / "xdebug/tests/people.xt")
        self.assertEqual(got, (EXAMPLES / "xdebug/tests/people.folded").read_text())


if __name__ == "__main__":
    main()
