#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests that lists, and runs in isolation, run no code of a plug-in in the program's own process.

Loading a library runs its constructors. A confined child process does that and describes the plug-in
to the program.
"""
import json
import os
import re
import subprocess
import unittest

import common

HERE = common.HERE / "described"
ZOO = common.HERE / "zoo"
MARK = "mark-of-the-constructor"


class Described(common.Case):
    def setUp(self):
        super().setUp()
        self.input = self.write("in.folded", "a;b 1\na;c 2\n")
        self.zoo_input = self.write("in.zoo", "zoo says\n")

    def make(self, source):
        path = self.dir / "plugins" / f"{source.stem}.so"
        path.parent.mkdir(exist_ok=True)
        common.compile_plugin(source, path, *common.override_flags())
        return path

    def start(self, *words):
        """Runs the program and returns its process number too."""
        env = {k: v for k, v in os.environ.items() if not k.startswith(("BRAZIER", "XDG_"))}
        p = subprocess.Popen([str(common.BRAZIER), *map(str, words)], cwd=self.dir, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             env={**env, "HOME": str(self.dir / "no-home")})
        out, err = p.communicate(timeout=120)
        return p.pid, p.returncode, out, err

    def test_lists_and_infos_load_in_a_child(self):
        path = self.make(HERE / "tells-its-process.c")
        for words in (["plugin", "list"], ["plugin", "list", "--json"], ["plugin", "info", "zoo"],
                      ["collapse", "zoo", "--help"]):
            with self.subTest(words):
                pid, code, out, err = self.start("--plugin", path, *words)
                self.assertEqual((0, ""), (code, err))
                loaders = set(map(int, re.findall(r"loaded by (\d+)", out)))
                self.assertEqual(1, len(loaders), out)
                self.assertNotIn(pid, loaders)

    def test_a_list_describes_options_and_kinds_as_a_run_sees_them(self):
        path = self.make(HERE / "tells-its-process.c")
        p = self.brazier("--plugin", path, "plugin", "list", "--json")
        found = [c for c in json.loads(p.stdout) if c["plugin"] == "tells"]
        self.assertEqual([("collapser", "zoo"), ("palette", "zoo")],
                         sorted((c["kind"], c["id"]) for c in found))
        schema = json.loads(self.brazier("--plugin", path, "plugin", "info", "--schema",
                                         "collapse.zoo").stdout)
        self.assertEqual({"number", "word"}, set(schema["properties"]))
        self.assertEqual(7, schema["properties"]["number"]["default"])

    def test_a_run_in_isolation_loads_in_the_child(self):
        path = self.make(HERE / "tells-its-process.c")
        for words in (["collapse", "zoo", self.zoo_input], ["collapse", "guess", self.zoo_input]):
            with self.subTest(words):
                pid, code, out, err = self.start("--plugin", path, *words, "--isolate",
                                                 "--set=zoo.word=w")
                self.assertEqual(0, code, err)
                loader = int(re.fullmatch(r"in (\d+);w 7\n", out)[1])
                self.assertNotIn(loader, (0, pid))
                pid, code, out, err = self.start("--plugin", path, *words, "--set=zoo.word=w")
                self.assertEqual((0, f"in {pid};w 7\n"), (code, out), err)

    def test_isolation_in_a_configuration_counts_too(self):
        path = self.make(HERE / "tells-its-process.c")
        config = self.write("own.yaml", "pipelines:\n  mine:\n    isolate: true\n    collapse: zoo\n"
                            "    outputs:\n      - use: folded\n")
        pid, code, out, err = self.start("--config", config, "--plugin", path, "run", "mine",
                                         self.zoo_input)
        self.assertEqual(0, code, err)
        self.assertNotIn(int(re.fullmatch(r"in (\d+);none 7\n", out)[1]), (0, pid))

    def test_isolation_needs_nothing_of_plugins_that_a_run_does_not_use(self):
        for name in ("crash-in-constructor", "quits-in-constructor"):
            path = self.make(ZOO / f"{name}.c")
            p = self.brazier("--plugin", path, "collapse", "folded", self.input, "--isolate")
            self.assertEqual((0, "a;b 1\na;c 2\n"), (p.returncode, p.stdout), p.stderr)
            self.assertIn(f"{name}.so is not used: load: ", p.stderr)

    def test_the_rule_of_options_is_checked_in_the_child(self):
        path = self.make(HERE / "tells-its-process.c")
        p = self.brazier("--plugin", path, "collapse", "zoo", self.zoo_input, "--isolate",
                         "--number=13")
        self.assertEqual((2, ""), (p.returncode, p.stdout))
        self.assertRegex(p.stderr, r"--number.*'number' of 'zoo': is unlucky")

    def test_a_palette_is_used_in_the_program_although_its_collapser_is_isolated(self):
        path = self.make(HERE / "tells-its-process.c")
        out = self.dir / "out.svg"
        p = self.brazier("--plugin", path, "run", self.zoo_input, "--isolate", "--palette", "zoo",
                         "-o", out)
        self.assertEqual((0, ""), (p.returncode, p.stderr))
        self.assertRegex(out.read_text().lower(), r"123456|rgb\(18, ?52, ?86\)")

    @unittest.skipIf(common.SANITIZED, "a sanitizer needs what the sandbox forbids")
    def test_a_constructor_cannot_write(self):
        path = self.make(ZOO / "writes-in-constructor.c")
        for words in (["plugin", "list"], ["plugin", "why", path],
                      ["collapse", "zoo", self.input, "--isolate"]):
            with self.subTest(words):
                p = self.brazier("--plugin", path, *words)
                self.assertIn("forbidden system call openat", p.stdout + p.stderr)
                self.assertFalse((self.dir / MARK).exists())
        self.brazier("--plugin", path, "collapse", "zoo", self.input)
        self.assertTrue((self.dir / MARK).exists())

    @unittest.skipIf(common.SANITIZED, "a sanitizer needs what the sandbox forbids")
    def test_a_constructor_cannot_direct_signals_to_other_processes(self):
        path = self.make(HERE / "signals-others.c")
        for words in (["plugin", "list"], ["collapse", "zoo", self.input, "--isolate"]):
            with self.subTest(words):
                p = self.brazier("--plugin", path, *words)
                self.assertIn("forbidden system call fcntl", p.stdout + p.stderr)

    def test_a_list_goes_on_after_bad_plugins(self):
        bad = ["abort-in-constructor", "crash-in-constructor", "exit-in-constructor",
               "quits-in-constructor", "endless-constructor"]
        words = [w for name in [*bad, "good"] for w in ("--plugin", self.make(ZOO / f"{name}.c"))]
        p = self.brazier(*words, "plugin", "list")
        self.assertEqual(0, p.returncode)
        for name in bad:
            self.assertRegex(p.stderr, rf"plug-in \S+/{name}\.so is not used: load: ")
        self.assertIn("endless-constructor.so is not used: load: it does not end within 10 seconds",
                      p.stderr)
        self.assertRegex(p.stdout, r"(?m)^collapser +zoo ")
        self.assertRegex(p.stdout, r"(?m)^collapser +perf ")

    def test_plugins_of_a_folder_share_a_child_unless_one_is_bad(self):
        (self.dir / "plugins").mkdir()
        for name in "ab":
            common.compile_plugin(HERE / "tells-its-process.c", self.dir / "plugins" / f"{name}.so")
        words = ["--plugin-dir", self.dir / "plugins", "plugin", "list"]
        pid, code, out, err = self.start(*words)
        loaders = set(map(int, re.findall(r"loaded by (\d+)", out)))
        self.assertEqual((0, "", 1), (code, err, len(loaders)))
        self.assertNotIn(pid, loaders)
        bad = {"abort-in-constructor", "crash-in-constructor", "exit-in-constructor", "quits-in-constructor", "unresolved"}
        for name in bad:
            self.make(ZOO / f"{name}.c")
        common.compile_plugin(HERE / "tells-its-process.c", self.dir / "plugins" / "z.so")
        pid, code, out, err = self.start(*words)
        self.assertEqual(0, code)
        self.assertEqual(bad, set(re.findall(r"plug-in \S+/([a-z-]+)\.so is not used: load: ", err)))
        self.assertEqual(6, len(re.findall(r"loaded by (\d+)", out)), out)

    def test_a_slow_plugin_delays_the_others_of_its_folder_only(self):
        self.make(ZOO / "endless-constructor.c")
        self.make(ZOO / "good.c")
        p = self.brazier("--plugin-dir", self.dir / "plugins", "plugin", "list")
        self.assertEqual(0, p.returncode)
        self.assertIn("endless-constructor.so is not used: load: it does not end within 10 seconds", p.stderr)
        self.assertRegex(p.stdout, r"(?m)^collapser +zoo ")

    def test_a_plugin_with_other_defaults_than_described_is_refused(self):
        path = self.make(HERE / "changes-its-default.c")
        p = self.brazier("--plugin", path, "collapse", "zoo", self.zoo_input)
        self.assertEqual((0, "zoo 1\n"), (p.returncode, p.stdout), p.stderr)
        p = self.brazier("--plugin", path, "collapse", "zoo", self.zoo_input, "--isolate")
        self.assertNotEqual(0, p.returncode)
        self.assertIn("it describes itself differently each time it is loaded", p.stderr)

    def test_a_described_plugin_tells_which_components_it_leaves_out(self):
        path = self.make(ZOO / "options-unknown-types.c")
        why = "is not used: option 'number' has a type that this brazier does not know"
        for words in (["plugin", "list"], ["collapse", "folded", self.input, "--isolate"]):
            with self.subTest(words):
                p = self.brazier("--plugin", path, *words)
                self.assertEqual(0, p.returncode, p.stderr)
                self.assertIn(f"{path}: collapser 'first' {why}; collapser 'second' {why}; update brazier\n",
                              p.stderr)

    @unittest.skipIf(common.SANITIZED, "a sanitizer needs what the sandbox forbids")
    def test_a_constructor_that_prevents_restrictions_gets_no_stronger_note(self):
        path = self.make(HERE / "fakes-restrictions.c")
        p = self.brazier("--plugin", path, "-v", "collapse", "zoo", self.input, "--isolate")
        if p.stdout != "it reads 1\n":
            self.assertEqual(0, p.stdout.count("reads"), p.stderr)
        self.assertRegex(p.stderr, r"in\.folded: read in isolation: .*; code of plug-ins that are not shipped may "
                         r"read files below the folders of libraries\n")
        p = self.brazier("-v", "collapse", "folded", self.input, "--isolate")
        self.assertRegex(p.stderr, r"in\.folded: read in isolation: ")
        self.assertNotIn("not shipped", p.stderr)

    def test_odd_texts_are_shown_escaped(self):
        path = self.make(HERE / "odd-texts.c")
        for words in (["plugin", "list"], ["plugin", "info", "zoo"], ["collapse", "zoo", "--help"]):
            with self.subTest(words):
                p = self.brazier("--plugin", path, *words)
                self.assertEqual(0, p.returncode, p.stderr)
                self.assertIn(r"odd\u202eddo\x0acollapser perf", p.stdout)
                self.assertNotIn("\u202e", p.stdout)
        p = self.brazier("--plugin", path, "plugin", "info", "zoo")
        self.assertIn("First line\\u202e\nsecond line\n", p.stdout)
        self.assertIn(r"a number\u202erebmun", p.stdout)

    def test_a_plugin_that_tells_lies_is_refused(self):
        """The description is checked like the plug-in itself."""
        for name in ("option-over-the-end", "illegal-id", "same-id-twice"):
            path = self.make(ZOO / f"{name}.c")
            p = self.brazier("--plugin", path, "plugin", "list")
            self.assertRegex(p.stderr, rf"{name}\.so is not used: components: ")


class Hinted(common.Case):
    """A guess loads a plug-in only if one of its hints is true, or if its component may hide another."""

    def guess(self, name, text, *flags):
        folder = self.dir / f"of-{name}"
        folder.mkdir(exist_ok=True)
        common.compile_plugin(HERE / "hinted.c", folder / name, *flags)
        return self.brazier("--plugin-dir", folder, "collapse", "guess", self.write("in.txt", text))

    def test_a_plugin_whose_hints_are_false_is_not_loaded(self):
        p = self.guess("collapse-zoo.so", "a;b 1\na;c 2\n")
        self.assertEqual((0, "a;b 1\na;c 2\n", ""), (p.returncode, p.stdout, p.stderr))

    def test_a_plugin_with_a_true_hint_is_loaded(self):
        p = self.guess("collapse-zoo.so", "zoo says\n")
        self.assertEqual((0, "zoo 1\n", "loaded\n"), (p.returncode, p.stdout, p.stderr))

    def test_a_file_that_may_contain_any_component_is_loaded(self):
        p = self.guess("zoo.so", "a;b 1\na;c 2\n")
        self.assertEqual((0, "a;b 1\na;c 2\n", "loaded\n"), (p.returncode, p.stdout, p.stderr))

    def test_a_plugin_that_hides_a_shipped_one_is_loaded(self):
        p = self.guess("collapse-folded.so", "a;b 1\na;c 2\n", '-DID="folded"')
        self.assertEqual((1, ""), (p.returncode, p.stdout))
        self.assertIn("loaded\n", p.stderr)


if __name__ == "__main__":
    common.main()
