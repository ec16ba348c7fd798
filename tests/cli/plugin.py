#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests brazier plugin list, info, why, and brazier guess."""
import gzip
import json
import os
import shutil

import common
from common import PERF, PLUGINS, SOURCE, STACKS

FORMATS = PLUGINS.parents[2] / "share" / "brazier" / "formats"

SHIPPED = {"collapser": {"folded", "perf"}, "palette": {"hot", "aqua"},
           "output": {"folded", "json", "speedscope", "svg"}}


class Plugin(common.Case):
    def copy(self, name="output-folded.so"):
        to = self.dir / "mine.so"
        shutil.copy(PLUGINS / name, to)
        to.chmod(0o755)
        return to

    # ---- list ----

    def test_the_list_has_a_line_for_each_component(self):
        lines = self.good("plugin", "list").out.splitlines()
        self.assertEqual("KIND ID PLUG-IN VERSION FROM SUMMARY".split(), lines[0].split())
        found = {(words[0], words[1]) for words in (line.split() for line in lines[1:])}
        for kind, ids in SHIPPED.items():
            for id in ids:
                self.assertIn((kind, id), found)

    def test_the_list_as_json_has_the_same(self):
        lines = self.good("plugin", "list").out.splitlines()[1:]
        listed = json.loads(self.good("plugin", "list", "--json").out)
        self.assertEqual([tuple(line.split()[:5]) for line in lines],
                         [tuple(c[k] for k in ("kind", "id", "plugin", "version", "from"))
                          for c in listed])
        for c in listed:
            self.assertEqual("shipped", c["from"])
            self.assertTrue(c["path"].startswith((str(PLUGINS), str(FORMATS))))
            self.assertFalse(c["shadowed"])
            self.assertNotEqual("", c["summary"])

    def test_every_plugin_file_has_something_in_the_list(self):
        listed = {c["path"] for c in json.loads(self.good("plugin", "list", "--json").out)}
        files = {*PLUGINS.glob("*.so"), *FORMATS.glob("*.yaml")}
        self.assertEqual({str(p) for p in files}, listed)

    def test_a_named_plugin_comes_first_and_shadows(self):
        path = self.copy()
        listed = json.loads(self.good("plugin", "list", "--json", "--plugin", path).out)
        folded = [c for c in listed if (c["kind"], c["id"]) == ("output", "folded")]
        self.assertEqual([str(path)], [c["path"] for c in folded if not c["shadowed"]])
        self.assertEqual(1, sum(c["shadowed"] for c in folded))
        self.assertIn("(shadowed", self.good("plugin", "list", "--plugin", path).out)

    def test_no_plugins_means_shipped_ones_only(self):
        path = self.copy()
        listed = json.loads(self.good("plugin", "list", "--json", "--no-plugins", "--plugin",
                                      path).out)
        self.assertEqual({"shipped"}, {c["from"] for c in listed})

    # ---- info ----

    def test_info_tells_all_of_a_component(self):
        out = self.good("plugin", "info", "svg").out
        for word in ("output svg: ", "Plug-in:", "File:", "Endings:   .svg", "--title TEXT",
                     "frames narrower"):
            self.assertIn(word, out)

    def test_info_of_an_id_that_two_kinds_have(self):
        both = self.good("plugin", "info", "folded").out
        self.assertIn("collapser folded:", both)
        self.assertIn("output folded:", both)
        self.assertNotIn("output folded:", self.good("plugin", "info", "collapse.folded").out)
        self.assertNotIn("collapser folded:", self.good("plugin", "info", "output.folded").out)

    def test_a_kind_may_be_written_as_lists_have_it(self):
        self.assertEqual(self.good("plugin", "info", "collapse.perf").out,
                         self.good("plugin", "info", "collapser.perf").out)
        self.fails(2, "plugin", "info", "palette.perf")

    def test_every_component_has_info_and_a_schema_of_its_options(self):
        prefixes = {"collapser": "collapse", "palette": "palette", "output": "output"}
        for c in json.loads(self.good("plugin", "list", "--json").out):
            name = f"{prefixes[c['kind']]}.{c['id']}"
            self.assertTrue(self.good("plugin", "info", name).out
                            .startswith(f"{c['kind']} {c['id']}: {c['summary']}\n"))
            schema = json.loads(self.good("plugin", "info", name, "--schema").out)
            self.assertEqual(["object", "null"], schema["type"])
            for option in schema["properties"].values():
                self.assertNotEqual("", option["description"])

    def test_info_of_nothing(self):
        r = self.fails(2, "plugin", "info", "fodled")
        self.assertIn("'folded'", r.err)

    def test_a_file_whose_path_is_too_long_is_reported(self):
        path, folder = str(self.dir.resolve()), os.open(self.dir, os.O_RDONLY)
        while len(path) < 4085:
            name = "d" * min(200, 4085 - len(path) - 1)
            os.mkdir(name, dir_fd=folder)
            path, above = f"{path}/{name}", folder
            folder = os.open(name, os.O_RDONLY, dir_fd=above)
            os.close(above)
        os.close(os.open("collapse-x.so", os.O_WRONLY | os.O_CREAT, dir_fd=folder))
        os.close(folder)
        r = self.brazier("plugin", "list", env={"BRAZIER_PLUGIN_PATH": path})
        self.assertEqual(0, r.code, r)
        self.assertIn("/collapse-x.so is not used: File name too long\n", r.err)

    # ---- why ----

    def test_why_of_a_good_plugin(self):
        out = self.good("plugin", "why", self.copy()).out
        self.assertTrue(out.endswith("\nIt can be used.\n"))
        self.assertNotIn("NO ", out)

    def test_why_of_something_else(self):
        self.write("text.so", "not a plug-in\n")
        for path in ("text.so", common.BRAZIER, "/dev/null", "."):
            r = self.brazier("plugin", "why", path)
            self.assertEqual(1, r.code, r)
            self.assertTrue(r.out.endswith("It is not used.\n"), r)
        self.assertIn("no.so", self.fails(1, "plugin", "why", "no.so").err)

    def test_why_of_several_fails_if_one_does(self):
        good = self.copy()
        bad = self.write("text.so", "not a plug-in\n")
        for files in ((good, bad), (bad, good)):
            r = self.brazier("plugin", "why", *files)
            self.assertEqual(1, r.code)
            self.assertEqual(1, r.out.count("It can be used."))
            self.assertEqual(1, r.out.count("It is not used."))

    # ---- guess ----

    def test_guess_tells_the_format_and_how_sure_it_is(self):
        self.write("p.txt", PERF)
        self.write("s.folded", STACKS)
        self.write("p.gz", gzip.compress(PERF.encode()))
        out = self.good("guess", "p.txt", "s.folded", "p.gz").out
        self.assertRegex(out, r"\Ap\.txt: perf \(\d+\)\ns\.folded: folded \(\d+\)\n"
                              r"p\.gz: perf \(\d+\)\n\Z")
        self.assertRegex(self.good("guess", stdin=PERF).out, r"\Astdin: perf \(\d+\)\n\Z")

    def test_guess_goes_on_after_a_file_that_it_does_not_know(self):
        self.write("p.txt", PERF)
        self.write("x", "Lorem ipsum dolor sit amet\n" * 9)
        r = self.fails(1, "guess", "x", "p.txt")
        self.assertIn("x: ", r.err)
        self.assertIn("p.txt: perf", r.out)

    def test_a_magic_number_of_one_format_loads_no_other(self):
        """The answer is that of asking all, which brazier guess does."""
        path = SOURCE / "tests/golden/collapse/jfr/chunks.jfr"
        self.assertEqual(f"{path}: jfr (100)\n", self.good("guess", path).out)
        for words, others in ((("run", "-v", path, "-o", "x.svg"), False), (("guess", path), True)):
            r = self.brazier(*words, env={"LD_DEBUG": "files"})
            if "calling init" not in r.err:
                self.skipTest("the dynamic linker does not tell what it loads")
            self.assertIn("collapse-jfr.so", r.err)
            self.assertEqual(others, "collapse-perf.so" in r.err)
            self.assertTrue(others or "guessed jfr (100)" in r.err)

    def test_a_magic_number_is_no_way_around_what_the_configuration_denies(self):
        path = SOURCE / "tests/golden/collapse/jfr/chunks.jfr"
        self.write(".config/brazier/config.yaml", "deny: jfr\n", self.home)
        self.assertIn("in no format that brazier knows", self.fails(1, "run", path, "-o", "x.svg").err)

    def test_an_input_of_every_format_is_guessed_by_its_content(self):
        """`recursive` is never guessed, since it reads the same input as `folded`; nor are the shapes of formats in YAML,
        which read any text."""
        never = {"recursive", "blocks", "calls", "indented", "lines"}
        for folder in sorted((common.SOURCE / "tests/golden/collapse").iterdir()):
            if not folder.is_dir() or folder.name in never:
                continue
            words = (".args", ".stderr", ".odd", ".md") + (() if folder.name == "folded" else (".folded",))
            self.assertTrue(any(
                self.brazier("guess", "-", stdin=path.read_bytes()).out
                .startswith(f"stdin: {folder.name} (")
                for path in sorted(folder.iterdir()) if path.suffix not in words), folder.name)


if __name__ == "__main__":
    common.main()
