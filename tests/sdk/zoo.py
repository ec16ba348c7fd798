#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests files that are not plug-ins, invalid plug-ins and unusual ones: each gets the right
messages.

zoo/NAME.c is an animal; zoo/expected/NAME.txt contains the messages of `plugin why`, of a run
that is given the plug-in without needing it, and of a run that needs it. Files that no compiler
generates are created below, under "visitors". --update writes the expected files; read them
before you commit.
"""
import os
import pathlib
import re
import shutil
import unittest

import common

ZOO = common.HERE / "zoo"
EXPECTED = ZOO / "expected"

# Animals that would block a run that loads them; `plugin why` does not load them.
ENDLESS = {"endless-constructor"}
# Animals that end any run that loads them, since they share its process.
FATAL = {"abort-in-constructor", "crash-in-constructor", "exit-in-constructor", "quits-in-constructor", "wild-pointer"}
# Animals that only a system with seccomp refuses, or that call _exit(): a sanitizer needs what the
# sandbox forbids, and replaces _exit() itself.
CONFINED = {"chdir-in-constructor", "quits-in-constructor", "writes-in-constructor"}
GOOD = {"changes-the-process-state", "cplusplus", "good", "unknown-flags", "writes-in-constructor", "longer-structs", "null-sniff", "options-unknown-types", "reserved-kind", "shorter-collapser", "unknown-kind", "unknown-sdk", "through-a-link"}


def is_root():
    return os.geteuid() == 0


class Zoo(common.Case):
    def setUp(self):
        super().setUp()
        self.input = self.write("in.folded", "a;b 1\na;c 2\n")

    def replacements(self):
        return [
            (re.escape(str(self.dir)), "DIR"),
            (r"brazier \d+\.\d+\.\d+ with ABI", "brazier VERSION with ABI"),
            (r"SDK \d+\.\d+\.\d+(?=\n|$)", "SDK VERSION"),
            (r"; needs lib\S+( (lib|ld-)\S+)*", ""),
            (r"uid \d+", "uid UID"),
            (r"user \d+", "user UID"),
            (r"chown \d+", "chown UID"),
        ]

    def meet(self, name, path):
        """Gives a file to the program in three ways."""
        t = common.Transcripts(self, self.replacements())
        shown = path.name
        t.add(f"brazier plugin why {shown}", self.brazier("plugin", "why", path))
        if name not in ENDLESS:
            p = self.brazier("--plugin", path, "collapse", "folded", self.input)
            t.add(f"brazier --plugin {shown} collapse folded in.folded", p)
            if name not in FATAL:
                self.assertEqual((0, "a;b 1\na;c 2\n"), (p.returncode, p.stdout),
                                 "a run that does not need it is stopped")
            p = self.brazier("--plugin", path, "collapse", "zoo", self.input)
            t.add(f"brazier --plugin {shown} collapse zoo in.folded", p)
            self.assertEqual(name in GOOD, p.returncode == 0)
        t.check(EXPECTED / f"{name}.txt")

    def make(self, name):
        source = next(ZOO.glob(f"{name}.c*"))
        path = self.dir / f"{name}.so"
        flags = common.override_flags() if source.suffix == ".c" else []
        common.compile_plugin(source, path, *flags)
        return path

    def test_an_output_without_endings_is_selected_by_its_name(self):
        path, out = self.make("output-without-endings"), self.dir / "out.zoo"
        p = self.brazier("--plugin", path, "flamegraph", self.input, "--to", "zoo", "-o", out)
        self.assertEqual((0, "", b""), (p.returncode, p.stderr, out.read_bytes()))
        p = self.brazier("--plugin", path, "run", self.input, "-o", self.dir / "other.zoo")
        self.assertEqual(2, p.returncode)
        self.assertRegex(p.stderr, r"no output writes files with that ending \(\.[a-z]")
        p = self.brazier("--plugin", path, "plugin", "info", "zoo")
        self.assertIn("Endings:   none\n", p.stdout)

    def test_a_file_for_two_majors_is_used_in_any_order_of_its_notes(self):
        sources = [ZOO / "good.c", common.HERE / "entry-of-major-2.c"]
        for first, second in (sources, sources[::-1]):
            with self.subTest(first.name):
                path = self.dir / f"{first.stem}.so"
                common.compile_plugin(second, path, f"-I{ZOO}", first)  # links `first` first
                image = path.read_bytes()
                notes = re.findall(rb"\x01\0\0\0brazier\0(.)", image, re.S)
                self.assertEqual([b"\x01", b"\x02"] if first == sources[0] else [b"\x02", b"\x01"], notes)
                p = self.brazier("--plugin", path, "collapse", "zoo", self.input)
                self.assertEqual((0, "lines 2\n", ""), (p.returncode, p.stdout, p.stderr))
                p = self.brazier("plugin", "why", path)
                self.assertRegex(p.stdout, r"(?m)^ok   note +needs plug-in ABI 1\.0, ")
                p = self.brazier("plugin", "check", path, "--only", "static/symbols")
                self.assertEqual(0, p.returncode, p.stdout)

    def test_a_file_that_is_named_after_another_component_is_to_be_renamed(self):
        folder = self.dir / "plugins"
        folder.mkdir()
        path = self.make("good").rename(folder / "collapse-other.so")
        p = self.brazier("plugin", "why", path)
        self.assertEqual(0, p.returncode)
        self.assertTrue(p.stdout.endswith(
            "It can be used with --plugin only, since its name promises another component than collapser zoo; "
            "rename it to collapse-zoo.so.\n"), p.stdout)
        p = self.brazier("--plugin-dir", folder, "collapse", "zoo", self.input)
        self.assertEqual((2, f"brazier: error: no collapser 'zoo': the name of {path} promises another component; "
                          "rename it to collapse-zoo.so\n"), (p.returncode, p.stderr))
        self.assertEqual(0, self.brazier("--plugin", path, "collapse", "zoo", self.input).returncode)
        path = path.rename(folder / "collapse-zoo.so")
        self.assertEqual(0, self.brazier("--plugin-dir", folder, "collapse", "zoo", self.input).returncode)
        self.assertIn("It can be used.\n", self.brazier("plugin", "why", path).stdout)

    # ---- visitors ---------------------------------------------------------------------------

    def test_a_missing_file(self):
        t = common.Transcripts(self, self.replacements())
        path = self.dir / "nothing.so"
        t.add("brazier plugin why nothing.so", self.brazier("plugin", "why", path))
        p = self.brazier("--plugin", path, "collapse", "folded", self.input)
        t.add("brazier --plugin nothing.so collapse folded in.folded", p)
        t.check(EXPECTED / "missing.txt")

    def test_a_text_file(self):
        self.meet("text", self.write("text.so", "#!/bin/sh\nexit 0\n"))

    def test_an_empty_file(self):
        self.meet("empty", self.write("empty.so", ""))

    def test_a_directory(self):
        (self.dir / "directory.so").mkdir()
        self.meet("directory", self.dir / "directory.so")

    def test_a_fifo(self):
        os.mkfifo(self.dir / "fifo.so")
        self.meet("fifo", self.dir / "fifo.so")

    def test_a_file_that_everybody_can_write(self):
        path = self.make("good")
        path.chmod(0o757)
        self.meet("world-writable", path)

    def test_a_file_that_a_group_can_write(self):
        path = self.make("good")
        path.chmod(0o775)
        self.meet("group-writable", path)

    def test_a_file_in_a_folder_that_everybody_can_write(self):
        path = self.dir / "it's open" / "good.so"
        path.parent.mkdir()
        self.make("good").rename(path)
        path.parent.chmod(0o777)
        self.meet("world-writable-folder", path)

    def test_a_file_below_a_folder_that_everybody_can_write(self):
        path = self.dir / "open" / "mine" / "good.so"
        path.parent.mkdir(parents=True)
        self.make("good").rename(path)
        path.parent.parent.chmod(0o777)
        self.meet("world-writable-above", path)

    @unittest.skipUnless(is_root(), "root alone can make a folder like /tmp")
    def test_a_file_in_a_folder_like_tmp(self):
        path = self.dir / "tmp" / "good.so"
        path.parent.mkdir()
        self.make("good").rename(path)
        path.parent.chmod(0o1777)
        self.meet("sticky-folder", path)

    @unittest.skipUnless(is_root(), "root alone can give a file away")
    def test_a_file_of_somebody_else(self):
        path = self.make("good")
        os.chown(path, 12345, 0)
        self.meet("foreign", path)

    @unittest.skipUnless(is_root(), "root alone can give a folder away")
    def test_a_file_in_a_folder_of_somebody_else(self):
        path = self.dir / "theirs" / "good.so"
        path.parent.mkdir()
        self.make("good").rename(path)
        os.chown(path.parent, 12345, 0)
        self.meet("foreign-folder", path)

    @unittest.skipIf(is_root(), "root can read everything")
    def test_a_file_that_cannot_be_read(self):
        path = self.make("good")
        path.chmod(0)
        self.meet("unreadable", path)

    def test_a_link_to_a_good_file(self):
        target = self.make("good")
        link = self.dir / "link.so"
        link.symlink_to(target)
        self.meet("through-a-link", link)

    def test_a_program(self):
        path = self.dir / "program.so"
        shutil.copy(common.BRAZIER, path)
        path.chmod(0o755)
        self.meet("program", path)

    def test_a_library_that_is_no_plugin(self):
        source = self.write("library.c", "int answer(void);\nint answer(void) { return 42; }\n")
        common.compile_plugin(source, self.dir / "library.so")
        self.meet("library", self.dir / "library.so")

    def test_a_plugin_for_another_machine(self):
        try:
            common.compile_plugin(ZOO / "good.c", self.dir / "other.so", "-m32", "-nostdlib")
        except AssertionError:
            self.skipTest("no compiler for another machine")
        self.meet("other-machine", self.dir / "other.so")

    def test_a_plugin_that_was_cut_off(self):
        whole = self.make("good").read_bytes()
        path = self.dir / "cut-off.so"
        path.write_bytes(whole[:len(whole) // 2])
        path.chmod(0o755)
        self.meet("cut-off", path)

    def test_a_plugin_that_was_cut_off_anywhere_crashes_nothing(self):
        whole = self.make("good").read_bytes()
        path = self.dir / "cut-off.so"
        used = 0
        for length in list(range(0, 128)) + list(range(128, len(whole), 97)):
            path.write_bytes(whole[:length])
            path.chmod(0o755)
            p = self.brazier("--plugin", path, "collapse", "folded", self.input)
            self.assertEqual((0, "a;b 1\na;c 2\n"), (p.returncode, p.stdout), f"{length}: {p}")
            used += p.stderr == ""
        # Debug information is at the end and not needed.
        self.assertLess(used, 60)


def animal_test(name):
    @unittest.skipIf(common.SANITIZED and name in CONFINED, "not with a sanitizer")
    def test(self):
        self.meet(name, self.make(name))
    return test


for animal in sorted(p.stem for p in ZOO.glob("*.c*")):
    setattr(Zoo, f"test_animal_{animal.replace('-', '_')}", animal_test(animal))


class Keepers(unittest.TestCase):
    def test_no_expected_text_is_left_over(self):
        known = {p.stem for p in ZOO.glob("*.c*")}
        known |= set(re.findall(r'(?:meet\(|EXPECTED / )"([\w-]+)', pathlib.Path(__file__).read_text()))
        self.assertEqual(set(), {p.stem for p in EXPECTED.iterdir()} - known)


if __name__ == "__main__":
    common.main()
