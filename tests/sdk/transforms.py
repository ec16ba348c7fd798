#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests transforms of plug-ins in runs: from a configuration and from the command line, on several threads and in
isolation. sdk/examples/trim and sdk/examples/owners are the plug-ins, and transforms/edits.c has what goes wrong."""
import json
import pathlib
import shutil
import tempfile
import unittest

import common

EXAMPLES = common.SOURCE / "sdk" / "examples"
STACKS = """main;tokio::run;tokio::poll;serve;std::fmt 3
main;tokio::run;tokio::poll;serve;read 4
main;load 2
"""
OWNERS = "serve* network\nload storage\n"
OWNED = """network;main;tokio::run;tokio::poll;serve;read 4
network;main;tokio::run;tokio::poll;serve;std::fmt 3
storage;main;load 2
"""


class Transforms(common.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.plugins = pathlib.Path(tempfile.mkdtemp(prefix="brazier-transforms-")).resolve()
        cls.addClassCleanup(shutil.rmtree, cls.plugins)
        for name in ("trim", "owners"):
            common.compile_plugin(EXAMPLES / name / f"{name}.c", cls.plugins / f"transform-{name}.so")
        common.compile_plugin(common.HERE / "transforms" / "edits.c", cls.plugins / "edits.so",
                              "-D_GNU_SOURCE")

    def setUp(self):
        super().setUp()
        self.input = self.write("in.folded", STACKS)
        self.write("OWNERS", OWNERS)

    def run_it(self, *words, **more):
        return self.brazier("--plugin-dir", self.plugins, "run", *words, **more)

    def folded(self, *words, **more):
        """Returns the stacks of a run without messages."""
        p = self.run_it(self.input, "--from", "folded", "--to", "folded", *words, **more)
        self.assertEqual((0, ""), (p.returncode, p.stderr), p)
        return p.stdout

    def configured(self, transforms, *words, **more):
        config = self.write("own.yaml", f"pipelines:\n  p:\n    transform: {transforms}\n"
                                        "    outputs: [{use: folded, to: '-'}]\n")
        return self.brazier("--plugin-dir", self.plugins, "--config", config, "run", "p", self.input, *words, **more)

    def test_one_that_is_written_like_a_built_in_one_is_pointed_at_use(self):
        p = self.configured("[trim]")
        self.assertEqual(2, p.returncode)
        self.assertIn("own.yaml:3:17: error: transform 'trim' is in a plug-in: write {use: trim}\n", p.stderr)
        self.assertIn("no transform 'trimm'", self.configured("[trimm]").stderr)

    # ---- how they are chosen ----------------------------------------------------------------

    def test_a_configuration_names_them_among_the_built_in_ones(self):
        p = self.configured("[{use: trim, options: {prefixes: ['tokio::']}}, {hide: ^std}, "
                            "{use: owners, options: {owners: OWNERS}}]")
        self.assertEqual((0, "network;main;serve 3\nnetwork;main;serve;read 4\nstorage;main;load 2\n", ""),
                         (p.returncode, p.stdout, p.stderr))

    def test_the_command_line_names_them_with_their_options(self):
        self.assertEqual(OWNED, self.folded("--transform", "owners", "--owners", "OWNERS"))
        self.assertEqual(OWNED, self.folded("--transform", "owners@owners", "--set", "owners.owners=OWNERS"))
        self.assertEqual("main;[rt] 9\n", self.folded(
            "--transform", "trim", "--prefixes", "s", "--prefixes", "t", "--prefixes=load", "--as", "[rt]",
            "--hide", "^read$"))

    def test_they_are_applied_in_the_order_in_which_they_are_written(self):
        self.assertIn("(nobody);load 2\n", self.folded("--skip-after", "load", "--transform", "owners"))
        self.assertIn("\nload 2\n", "\n" + self.folded("--transform", "owners", "--skip-after", "load"))

    def test_a_path_is_relative_to_the_configuration(self):
        (self.dir / "elsewhere").mkdir()
        p = self.configured("[{use: owners, options: {owners: OWNERS}}]", cwd=self.dir / "elsewhere")
        self.assertEqual((0, OWNED), (p.returncode, p.stdout), p.stderr)

    def test_a_configuration_that_was_found_reads_files_below_its_folder_only(self):
        (self.dir / "project").mkdir()
        self.write("project/brazier.yaml", "pipelines: {p: {transform: [{use: owners, options: {owners: ../OWNERS}}]}}\n")
        p = self.brazier("--plugin-dir", self.plugins, "run", "p", self.input, "--to", "folded",
                         cwd=self.dir / "project")
        self.assertEqual((2, ""), (p.returncode, p.stdout))
        self.assertIn("brazier.yaml:1:", p.stderr)
        self.assertIn("refused: '../OWNERS'", p.stderr)

    def test_what_is_not_there_is_said_at_its_place(self):
        p = self.configured("[{use: ownrs}]")
        self.assertEqual(2, p.returncode)
        self.assertIn("own.yaml:3:23: error: no transform 'ownrs'; did you mean 'owners'?", p.stderr)
        self.assertIn("\n" + 26 * " " + "^~~~~\n", p.stderr)
        p = self.configured("[{use: owners, options: {ownrs: x}}]")
        self.assertEqual(2, p.returncode)
        self.assertRegex(p.stderr, r"own.yaml:3:41: error: .*'ownrs'.*did you mean 'owners'")
        p = self.configured("[{use: owners, option: {owners: x}}]")
        self.assertEqual(2, p.returncode)
        self.assertRegex(p.stderr, r"own.yaml:3:\d+: error: the transform of a plug-in has no key 'option'")
        p = self.run_it(self.input, "--transform", "ownrs", "--to", "folded")
        self.assertEqual((2, "brazier: error: no transform 'ownrs'; did you mean 'owners'?\n"),
                         (p.returncode, p.stderr))
        p = self.run_it(self.input, "--owners", "OWNERS", "--to", "folded")
        self.assertEqual(2, p.returncode)
        self.assertIn("no option '--owners' here; there is one with --transform owners", p.stderr)

    def test_faults_of_options_are_said_in_isolation_too(self):
        for more in ([], ["--isolate"]):
            p = self.run_it("no-such-file" if more == [] else self.input, "--from", "folded", "--to", "folded",
                            "--transform", "edits", "--how", "odd", *more)
            self.assertEqual(2, p.returncode, p)
            self.assertIn("'how'", p.stderr)
            self.assertIn("is odd", p.stderr)

    # ---- what is shown of them --------------------------------------------------------------

    def test_they_are_listed_and_described(self):
        p = self.brazier("--plugin-dir", self.plugins, "plugin", "list", "--json")
        found = {c["id"] for c in json.loads(p.stdout) if c["kind"] == "transform"}
        self.assertEqual({"trim", "owners", "edits"}, found)
        p = self.brazier("--plugin-dir", self.plugins, "plugin", "info", "transform.trim")
        self.assertIn("transform trim: trim the frames of frameworks\n", p.stdout)
        self.assertIn("--prefixes TEXT", p.stdout)
        p = self.brazier("plugin", "why", self.plugins / "transform-trim.so")
        self.assertIn("ok   components  trim\nIt can be used.\n", p.stdout)
        p = self.run_it("--transform", "trim", "--help")
        self.assertIn("Options of the transform trim:\n", p.stdout)

    def test_the_configuration_is_shown_and_checked(self):
        p = self.configured("[{use: owners, options: {owners: OWNERS}}]")
        p = self.brazier("--plugin-dir", self.plugins, "--config", "own.yaml", "config", "show", "p")
        self.assertEqual(0, p.returncode, p.stderr)
        self.assertRegex(p.stdout, r"(?m)^      - use: owners +#.*\n        options:\n          owners: \"OWNERS\"|"
                                   r"- use: owners.*\n +options:\n +owners: .*OWNERS")
        self.write("shown.yaml", p.stdout)
        again = self.brazier("--plugin-dir", self.plugins, "--config", "shown.yaml", "run", "p", self.input)
        self.assertEqual((0, OWNED), (again.returncode, again.stdout), again.stderr)
        p = self.brazier("--plugin-dir", self.plugins, "--config", "own.yaml", "config", "check")
        self.assertEqual(0, p.returncode, p.stderr)

    def test_the_schema_has_them(self):
        p = self.brazier("--plugin-dir", self.plugins, "config", "schema")
        uses = json.loads(p.stdout)["definitions"]["transform"]["anyOf"][2]
        ids = [c["if"]["properties"]["use"]["const"] for c in uses["allOf"]]
        self.assertEqual(["edits", "owners", "trim"], sorted(ids))

    def test_no_output_replaces_a_file_that_an_option_names(self):
        p = self.run_it(self.input, "--transform", "owners", "--owners", "OWNERS", "--to", "folded", "-o", "OWNERS")
        self.assertEqual(2, p.returncode)
        self.assertIn("the file of the option 'owners'", p.stderr)
        self.assertEqual(OWNERS, (self.dir / "OWNERS").read_text())

    # ---- the same everywhere ----------------------------------------------------------------

    def test_threads_and_isolation_change_nothing(self):
        lines = [f"f{i % 7};g{i % 11};h{i % 13};serve{i % 3};x{i} {1 + i % 5}\n" for i in range(20000)]
        self.input = self.write("many.folded", "".join(lines))
        for words in (["owners", "--owners", "OWNERS"], ["trim", "--prefixes", "g", "--as", "G"],
                      ["edits", "--how", "heavy"]):
            with self.subTest(words):
                one = self.folded("-j1", "--transform", *words)
                self.assertGreater(len(one), 1000)
                for more in (["-j4"], ["-j3", "--range-size", "5000"], ["--isolate", "-j2"]):
                    self.assertEqual(one, self.folded("--transform", *words, *more), more)

    def test_values_are_those_of_distinct_stacks(self):
        self.input = self.write("twice.folded", "a;b 3\nc 1\na;b 3\n" * 3)
        for more in (["-j1"], ["-j4", "--range-size", "8"]):
            self.assertEqual("a;b 18\n", self.folded("--transform", "edits", "--how", "heavy", *more))

    def test_stacks_that_begin_with_each_other_get_what_they_would_get_alone(self):
        lines = [";".join(f"f{k}" for k in range(n)) + " 1\n" for n in range(1, 300)]
        self.input = self.write("deep.folded", "".join(lines))
        self.assertEqual(sorted("(nobody);" + line for line in lines),
                         sorted(self.folded("--transform", "owners").splitlines(True)))

    def test_other_columns_and_tags_stay_with_their_stacks(self):
        p = self.run_it(common.SOURCE / "tests/golden/collapse/pprof/cpu.pb", "--transform", "owners", "--to", "pprof",
                        "-o", "out.pb")
        self.assertEqual((0, ""), (p.returncode, p.stderr))
        for weight in ("samples", "cpu"):
            def total(file):
                q = self.run_it(file, "--weight", weight, "--to", "folded")
                return sum(int(line.rpartition(" ")[2]) for line in q.stdout.splitlines())
            self.assertEqual(total(common.SOURCE / "tests/golden/collapse/pprof/cpu.pb"), total("out.pb"))

    # ---- what goes wrong --------------------------------------------------------------------

    def test_a_file_that_cannot_be_read_fails_the_run(self):
        p = self.run_it(self.input, "--transform", "owners", "--owners", "nowhere", "--to", "folded")
        self.assertEqual((1, "", "brazier: error: owners: the file of owners cannot be read\n"),
                         (p.returncode, p.stdout, p.stderr))

    @unittest.skipIf(common.SANITIZED, "a sanitizer does not work in a sandbox")
    def test_isolation_opens_files_that_options_name_and_no_others(self):
        self.assertEqual(OWNED, self.folded("--isolate", "--transform", "owners", "--owners", "OWNERS"))
        self.write("secret", "serve* mine\n")
        p = self.run_it(self.input, "--from", "folded", "--to", "folded", "--transform", "edits", "--how", "file",
                        "--isolate", env={"EDITS_FILE": self.dir / "secret"})
        self.assertEqual(0, p.returncode, p)
        self.assertIn("with --isolate, only files below --sysroot DIR are read", p.stderr)
        self.assertNotIn("opened", p.stdout)

    @unittest.skipIf(common.SANITIZED, "a sanitizer does not work in a sandbox")
    def test_isolation_checks_options_before_it_reads(self):
        self.input = self.write("odd.folded", "a;b 1\nno count\n")
        words = ["--from", "folded", "--to", "folded", "--transform", "edits", "--how"]
        p = self.run_it(self.input, *words, "not", "--isolate")
        self.assertEqual((0, "a;b 1\n"), (p.returncode, p.stdout), p)
        self.assertIn("odd.folded:2:1: ", p.stderr)
        for more in ([], ["--isolate"]):
            p = self.run_it(self.input, *words, "odd", *more)
            self.assertEqual((2, ""), (p.returncode, p.stdout), p)
            self.assertIn("is odd", p.stderr)
            self.assertNotIn("odd.folded", p.stderr)

    def test_breaches_are_its_own(self):
        for how, message in (("invented", "apply: a frame that the host did not give out"),
                             ("longer", "apply: more frames than the stack had"),
                             ("null", "apply: the frames are NULL"),
                             ("unnamed", "intern: the name is NULL"),
                             ("silent", "transform 'edits' failed")):
            for more in ([], ["--isolate"])[:1 if common.SANITIZED else 2]:
                with self.subTest(how, more=more):
                    p = self.run_it(self.input, "--from", "folded", "--to", "folded", "--transform", "edits",
                                    "--how", how, *more)
                    self.assertEqual((1, ""), (p.returncode, p.stdout), p)
                    self.assertIn(message, p.stderr)
                    self.assertIn("edits", p.stderr)

    def test_all_stacks_left_out_are_an_error(self):
        p = self.run_it(self.input, "--transform", "edits", "--how", "nothing", "--to", "folded")
        self.assertEqual((1, "brazier: error: the transforms left no samples (edits)\n"), (p.returncode, p.stderr))

    def test_equal_messages_are_counted(self):
        lines = "".join(f"a{i} 1\n" for i in range(5000))
        self.input = self.write("many.folded", lines)
        for more in (["-j1"], ["-j4"]):
            p = self.run_it(self.input, "--from", "folded", "--to", "folded", "--transform", "edits", "--how", "odd-ones",
                            *more)
            self.assertEqual(0, p.returncode)
            self.assertEqual("brazier: warning: edits: 5000 stacks are odd\n", p.stderr)

    def test_one_that_is_slow_ends_with_the_time_of_the_run(self):
        p = self.run_it(self.input, "--from", "folded", "--to", "folded", "--transform", "edits", "--how", "slow",
                        "--max-time", "300ms")
        self.assertEqual((1, ""), (p.returncode, p.stdout), p)
        self.assertIn("the run takes longer than 0.3s", p.stderr)


if __name__ == "__main__":
    common.main()
