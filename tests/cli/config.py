#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the configuration: searching, merging, messages about mistakes, trust."""
import json
import os
import random
import re
import shutil
import subprocess
import unittest

import common
from common import PERF, SOURCE, STACKS

PIPELINE = """version: 1
pipelines:
  cpu:
    outputs:
      - {use: folded, to: cpu.folded}
"""


def titled(title, more=""):
    return f"version: 1\noptions:\n  svg: {{title: {title}}}\n{more}"


class Config(common.Case):
    def title(self, *args, cwd=None, env=None):
        """Returns the title of a picture."""
        out = self.good("flamegraph", *args, stdin=STACKS, cwd=cwd, env=env).out
        return out.split('id="title"')[1].split(">")[1].split("<")[0]

    # ---- showing ----

    TRANSFORMS = [{"drop": "^swap: #x"}, {"keep": "a|b"}, {"hide": "[{]\"'"}, {"base": ["main", "e\nmit"]},
                  {"skip-after": "main"}, "reverse", "merge-recursion", {"rename": {"match": "(e)mit", "with": "$1: x"}},
                  {"demangle": "none"}, {"demangle": "full"}, "strip-module", "split-packages"]
    PALETTES = ["hot", "ours", ["aqua", "ours"], {"use": "java", "only": "x|\"y", "background": "#fffefd"},
                [{"use": "rules", "options": {"rules": [{"match": "^m", "color": "#123456", "legend": "it's: \"m\""}]}}, "mem"]]
    KEYS = {"max-time": "1500ms", "max-memory": "512M", "isolate": "true", "weight": "samples", "group-by": "process,thread",
            "only": "process=a: b", "cache": "false", "diffusion": "true"}

    def random_pipeline(self, rng):
        """Returns a pipeline as JSON, which is YAML."""
        outputs = [{"use": "folded", "to": "a b.folded"},
                   {"use": "svg", "to": "x.svg", "options": {"title": "a \"b\": #c", "width": 900, "inverted": True}},
                   rng.choice([{"use": "svg", "palette": rng.choice(self.PALETTES)}, "folded"])]
        p = {"inputs": rng.choice([["in.folded"], "in.folded"]), "palette": rng.choice(self.PALETTES),
             "collapse": rng.choice(["guess", "folded", {"use": "perf", "options": {"pid": True}}]),
             "transform": rng.sample(self.TRANSFORMS, rng.randrange(5)), "outputs": rng.sample(outputs, rng.randrange(1, 4))}
        for key in rng.sample(sorted(p), rng.randrange(3)):
            del p[key]
        for key in rng.sample(sorted(self.KEYS), rng.randrange(4)):
            p[key] = self.KEYS[key]
        return p

    def shown(self, name, config):
        """Returns what is shown of a pipeline, and the same without origins."""
        r = self.brazier("--config", config, "config", "show", name)
        self.assertEqual((0, ""), (r.code, r.err), r)
        return r.out, re.sub(r"  # .*$", "", r.out, flags=re.M)

    def test_a_pipeline_that_is_shown_is_a_configuration_with_the_same_pipeline(self):
        rng = random.Random(7)
        for name in ["p", "a: \"b\" #c"] * 25:
            whole = {"palettes": {"ours": [{"use": "rules", "options": {"rules": ["^e = #00ff00"]}}, "hot"]},
                     "options": {"svg": {"countname": "ms"}}, "pipelines": {name: self.random_pipeline(rng)}}
            self.write("a.yaml", json.dumps(whole))
            text, once = self.shown(name, "a.yaml")
            self.write("b.yaml", text)
            text, twice = self.shown(name, "b.yaml")
            self.write("c.yaml", text)
            again = self.shown(name, "c.yaml")[1]
            self.assertEqual(twice, again, whole)
            if "palette" in whole["pipelines"][name]:  # the default palettes have that of comparisons, which is then named
                self.assertEqual(once, twice, whole)

    def test_a_pipeline_that_is_shown_draws_the_same(self):
        rng = random.Random(3)
        self.write("in.folded", STACKS)
        for _ in range(12):
            pipeline = self.random_pipeline(rng)
            pipeline = {k: v for k, v in pipeline.items() if k not in ("only", "collapse", "inputs", "group-by")}
            self.write("a.yaml", json.dumps({"palettes": {"ours": ["hot"]}, "pipelines": {"p": pipeline}}))
            self.write("b.yaml", self.shown("p", "a.yaml")[0])
            results = []
            for config in ("a.yaml", "b.yaml"):
                r = self.brazier("--config", config, "run", "p", "in.folded")
                made = [self.dir / n for n in ("a b.folded", "x.svg") if (self.dir / n).exists()]
                results.append((r.code, r.raw, [f.read_bytes() for f in made]))
                for f in made:
                    f.unlink()
            self.assertEqual(*results)

    def test_each_setting_of_a_pipeline_that_is_shown_has_its_origin(self):
        self.write("c.yaml", "options:\n  svg: {title: x}\npipelines:\n  p:\n    max-time: 9s\n    transform:\n"
                             "      - drop: a\n    outputs:\n      - {use: svg, to: x.svg}\n")
        out = self.good("--config", "c.yaml", "config", "show", "p").out
        for line in ('- drop: "a"  # c.yaml:7', "max-time: 9s  # c.yaml:5", "- demangle: auto  # default",
                     '- to: "x.svg"  # c.yaml:9', 'title: "x"  # c.yaml:2', "height: 16  # default"):
            self.assertRegex(out, "(?m)^ +" + re.escape(line) + "$")

    # ---- discovery ----

    def test_without_any_configuration_nothing_is_said(self):
        self.assertEqual("Flame Graph", self.title())

    def test_the_projects_file_is_found_from_below(self):
        self.write(".brazier.yaml", titled("ours"))
        below = self.dir / "a" / "b" / "c"
        below.mkdir(parents=True)
        self.assertEqual("ours", self.title())
        self.assertEqual("ours", self.title(cwd=below))

    def test_the_name_may_be_without_a_dot_and_the_dot_wins(self):
        self.write("brazier.yaml", titled("plain"))
        self.assertEqual("plain", self.title())
        self.write(".brazier.yaml", titled("dotted"))
        self.assertEqual("dotted", self.title())

    def test_the_nearest_projects_file_is_the_only_one(self):
        self.write(".brazier.yaml", titled("outer", "palettes: {far: hot}\n"))
        self.write("in/.brazier.yaml", titled("inner"))
        inside = self.dir / "in"
        self.assertEqual("inner", self.title(cwd=inside))
        self.fails(2, "flamegraph", "--palette", "far", stdin=STACKS, cwd=inside)

    def test_the_users_file(self):
        self.write(".config/brazier/config.yaml", titled("mine"), self.home)
        self.assertEqual("mine", self.title())
        self.write("brazier/config.yaml", titled("xdg"), self.top / "xdg")
        self.assertEqual("xdg", self.title(env={"XDG_CONFIG_HOME": self.top / "xdg"}))
        self.assertEqual("mine", self.title(env={"XDG_CONFIG_HOME": "relative/is/ignored"}))

    def test_without_a_home_there_is_no_users_file(self):
        self.assertEqual("Flame Graph", self.title(env={"HOME": ""}))

    def test_a_named_file_is_instead_of_the_projects(self):
        self.write(".brazier.yaml", titled("ours", "palettes: {far: hot}\n"))
        self.write("other.yaml", titled("other"))
        self.assertEqual("other", self.title("--config", "other.yaml"))
        self.fails(2, "flamegraph", "--config", "other.yaml", "--palette", "far", stdin=STACKS)
        self.assertIn("no.yaml", self.fails(2, "flamegraph", "--config=no.yaml", stdin=STACKS).err)
        self.assertIn("directory", self.fails(2, "flamegraph", "--config=/", stdin=STACKS).err)

    def test_no_config_uses_neither_of_them(self):
        self.write(".brazier.yaml", titled("ours"))
        self.write(".config/brazier/config.yaml", titled("mine"), self.home)
        self.assertEqual("Flame Graph", self.title("--no-config"))

    # ---- precedence ----

    def test_nearer_files_win_key_by_key(self):
        self.write(".config/brazier/config.yaml", "options:\n  svg: {title: mine, subtitle: below}\n",
                   self.home)
        self.write(".brazier.yaml", titled("ours"))
        out = self.good("flamegraph", stdin=STACKS).out
        self.assertIn(">ours</text>", out)
        self.assertIn(">below</text>", out)

    def test_options_of_a_pipeline_win_over_those_for_all_uses(self):
        self.write(".brazier.yaml", """
options: {svg: {title: for all, subtitle: for all}}
pipelines:
  cpu: {outputs: [{use: svg, to: '-', options: {title: for this}}]}
""")
        out = self.good("run", "cpu", stdin=STACKS).out
        self.assertIn(">for this</text>", out)
        self.assertIn(">for all</text>", out)

    def test_the_command_line_wins_over_everything(self):
        self.write(".brazier.yaml", titled("ours", """pipelines:
  cpu: {outputs: [{use: svg, to: '-', options: {title: for this}}]}
"""))
        self.assertEqual("typed", self.title("--title", "typed"))
        self.assertEqual("set", self.title("--set", "svg.title=set"))
        self.assertIn(">set</text>", self.good("run", "cpu", "--set=svg.title=set",
                                               stdin=STACKS).out)

    def test_the_last_of_two_on_the_command_line_wins(self):
        self.assertEqual("b", self.title("--title=a", "--title=b"))
        self.assertEqual("b", self.title("--title=a", "--set=svg.title=b"))

    def test_a_project_replaces_a_pipeline_of_the_shipped_file_key_by_key(self):
        self.write(".brazier.yaml", "pipelines:\n  flame:\n    outputs:\n"
                                    "      - {use: folded, to: only.folded}\n")
        self.good("run", "flame", stdin=STACKS)
        self.assertEqual([".brazier.yaml", "only.folded"], self.files())

    # ---- pipelines ----

    def test_a_pipeline_by_its_name(self):
        self.write(".brazier.yaml", PIPELINE)
        self.write("p.txt", PERF)
        self.good("run", "cpu", "p.txt")
        self.assertEqual(common.PERF_STACKS, self.read("cpu.folded"))

    def test_a_file_of_a_pipelines_name_is_written_with_its_folder(self):
        self.write(".brazier.yaml", PIPELINE)
        self.write("cpu", STACKS)
        self.assertEqual(STACKS, self.good("run", "./cpu", "--to=folded").out)

    def test_a_pipeline_may_name_its_inputs(self):
        self.write("data/p.txt", PERF)
        self.write(".brazier.yaml", PIPELINE.replace("  cpu:\n", "  cpu:\n    inputs: data/p.txt\n"))
        self.good("run", "cpu")
        self.assertEqual(common.PERF_STACKS, self.read("cpu.folded"))

    def test_outputs_of_the_command_line_are_instead_of_the_pipelines(self):
        self.write(".brazier.yaml", PIPELINE)
        self.good("run", "cpu", "-o", "x.json", stdin=STACKS)
        self.assertEqual([".brazier.yaml", "x.json"], self.files())

    def test_the_pipeline_called_default_is_for_runs_that_name_none(self):
        self.write(".brazier.yaml", PIPELINE.replace("cpu", "default")
                   .replace("    outputs", "    transform: [reverse]\n    outputs"))
        self.good("run", stdin="a;b 1\n")
        self.assertEqual("b;a 1\n", self.read("default.folded"))
        self.assertEqual("b;a 1\n", self.good("run", "--to=folded", "-o", "-", stdin="a;b 1\n").out)

    def test_collapse_and_flamegraph_are_no_runs_of_the_default_pipeline(self):
        self.write(".brazier.yaml", PIPELINE.replace("cpu", "default")
                   .replace("    outputs", "    transform: [reverse]\n    outputs"))
        self.assertEqual("a;b 1\n", self.good("collapse", "folded", stdin="a;b 1\n").out)
        self.assertTrue(self.good("flamegraph", stdin="a;b 1\n").out.startswith("<?xml"))
        self.assertEqual([".brazier.yaml"], self.files())

    def test_a_nul_in_a_text_is_refused_with_its_place(self):
        """Tests a name with a NUL character, whose beginning the system would take for the whole
        name."""
        self.write("in.folded", STACKS)
        for line, column in (("    outputs: {use: folded, to: \"out\\0.folded\"}", 32),
                             ("    inputs: \"in.folded\\0\"", 13),
                             ("    palette: {use: hot, options: {numbers: \"hash\\x00\"}}", 44)):
            self.write("c.yaml", f"pipelines:\n  cpu:\n{line}\n")
            r = self.brazier("--config", "c.yaml", "run", "cpu", "in.folded")
            self.assertNotEqual(0, r.code, r)
            self.assertIn(f"c.yaml:3:{column}: error: a text with a NUL character", r.err)
            self.assertEqual(["c.yaml", "in.folded"], self.files())

    def test_a_misspelt_pipeline_gets_a_suggestion(self):
        self.write(".brazier.yaml", PIPELINE)
        self.assertIn("'cpu'", self.fails(2, "config", "show", "cpuu").err)

    def test_the_shipped_pipelines_work(self):
        self.write("p.txt", PERF)
        for name, files in (("flame", ["flame.folded", "flame.svg"]), ("icicle", ["icicle.svg"]),
                            ("callers", ["callers.svg"])):
            self.good("run", name, "p.txt")
            for file in files:
                self.assertIn(file, self.files())
                (self.dir / file).unlink()

    def test_a_pipeline_that_is_mistyped(self):
        self.write(".brazier.yaml", PIPELINE)
        for word, meant in (("cpi", "cpu"), ("flam", "flame"), ("icycle", "icicle")):
            r = self.fails(2, "run", word, stdin=STACKS)
            self.assertIn(f"no file and no pipeline '{word}'; did you mean '{meant}'?", r.err)
        self.assertIn("cannot open './cpi'", self.fails(1, "run", "./cpi").err)
        self.assertIn("cannot open 'nothing-like-it'", self.fails(1, "run", "nothing-like-it").err)
        self.write("cpi", STACKS)
        self.good("run", "cpi", "-o", "a.folded")

    def test_a_pipeline_with_a_dot_in_its_name(self):
        self.write(".brazier.yaml", PIPELINE.replace("cpu:", "v1.2:"))
        self.good("run", "v1.2", stdin=STACKS)
        self.assertEqual(STACKS, self.read("cpu.folded"))

    # ---- palettes ----

    def test_a_palette_of_the_project_by_its_name(self):
        self.write(".brazier.yaml", "palettes:\n  ours: {use: hot, options: {numbers: hash}}\n")
        ours = self.good("flamegraph", "--palette", "ours", stdin=STACKS).out
        self.assertEqual(self.good("flamegraph", "-p", "hot", "--numbers=hash", stdin=STACKS).out, ours)
        self.assertNotEqual(self.good("flamegraph", "-p", "hot", stdin=STACKS).out, ours)

    def test_a_palette_may_be_another_name_for_a_palette(self):
        self.write(".brazier.yaml", "palettes:\n  ours: {use: hot, options: {numbers: hash}}\n"
                                    "  default: ours\n  again: default\n  hot: hot\n")
        self.good("config", "check")
        ours = self.good("flamegraph", "--palette", "ours", stdin=STACKS).out
        for args in ([], ["--palette", "default"], ["--palette=again"]):
            self.assertEqual(ours, self.good("flamegraph", *args, stdin=STACKS).out)
        self.assertNotEqual(ours, self.good("flamegraph", "--palette=hot", stdin=STACKS).out)

    def test_palettes_that_are_made_of_each_other_are_an_error(self):
        self.write(".brazier.yaml", "palettes: {a: b, b: a}\n")
        self.assertIn("in a circle", self.fails(2, "config", "check").err)

    def test_options_of_a_named_palette_are_flags_too(self):
        self.write(".brazier.yaml", "palettes:\n  ours: {use: hot, options: {numbers: hash}}\n")
        self.assertEqual(self.good("flamegraph", "-p", "hot", stdin=STACKS).out,
                         self.good("flamegraph", "--palette=ours", "--numbers=random",
                                   stdin=STACKS).out)

    def test_what_a_palette_does_not_take_is_reported_before_an_input_is_read(self):
        for rule, why in (("{mtach: x, color: red}", "a rule has match,"),
                          ("{match: '(', color: red}", "missing closing parenthesis"),
                          ("{match: x, color: rde}", "a colour is #rrggbb"), ("7", "a rule is")):
            text = f"palettes: {{ours: {{use: rules, options: {{rules: [{rule}]}}}}}}\n"
            r = self.assert_mistake(text + "pipelines: {cpu: {palette: ours}}\n", (1, 49), "'rules' of 'rules': ", why)
            self.assertEqual(1, r.err.count("error: "), r)
            r = self.fails(2, "run", "cpu", "no-such-file")
            self.assertIn(why, r.err)
            self.assertNotIn("no-such-file", r.err)
        r = self.fails(2, "run", "-p", "rules", "-s", "rules.rules=x = rde", "no-such-file")
        self.assertIn("error: --set rules.rules=x = rde: 'rules' of 'rules': rule 'x = rde': a colour is", r.err)

    # ---- mistakes ----

    def assert_mistake(self, text, place, *words, args=("config", "check")):
        """Tests that a message about a mistake has file, line and column, and quotes the line with
        a caret."""
        self.write(".brazier.yaml", text)
        r = self.brazier(*args)
        self.assertNotEqual(0, r.code, r)
        line, column = place
        self.assertIn(f".brazier.yaml:{line}:{column}: error: ", r.err, r)
        for word in words:
            self.assertIn(word, r.err, r)
        shown = r.err.splitlines()
        at = next(i for i, x in enumerate(shown) if f".brazier.yaml:{line}:{column}:" in x)
        self.assertEqual("    " + text.splitlines()[line - 1].replace("\t", " "), shown[at + 1])
        self.assertEqual(column - 1 + 4, shown[at + 2].index("^"), r)
        return r

    def test_an_unknown_key(self):
        self.assert_mistake("version: 1\npipelnes: {}\n", (2, 1), "'pipelnes'", "'pipelines'")
        self.assert_mistake("pipelines:\n  cpu:\n    colapse: perf\n", (3, 5), "'colapse'",
                            "'collapse'")
        self.assert_mistake("pipelines:\n  cpu:\n    outputs: [{use: svg, too: x}]\n", (3, 26),
                            "'too'", "'to'")
        self.assert_mistake("palettes:\n  ours: {use: hot, option: {}}\n", (2, 20), "'option'",
                            "'options'")

    def test_an_unknown_component(self):
        self.assert_mistake("pipelines:\n  cpu: {collapse: prf}\n", (2, 19), "'prf'", "'perf'")
        self.assert_mistake("pipelines:\n  cpu: {palette: hott}\n", (2, 18), "'hott'", "'hot'")
        self.assert_mistake("pipelines:\n  cpu:\n    outputs:\n      - {use: svgg, to: a}\n",
                            (4, 15), "'svgg'", "'svg'")
        self.assert_mistake("palettes:\n  ours: {use: hott}\n", (2, 15), "'hott'", "'hot'")
        self.assert_mistake("options:\n  svgg: {}\n", (2, 3), "'svgg'", "'svg'")

    def test_an_unknown_option(self):
        self.assert_mistake("options:\n  svg: {titel: x}\n", (2, 9), "'titel'", "'title'")
        self.assert_mistake("pipelines:\n  cpu: {collapse: {use: perf, options: {kernl: true}}}\n",
                            (2, 41), "'kernl'", "'kernel'")
        self.assert_mistake("palettes:\n  ours: {use: hot, options: {number: hash}}\n", (2, 30),
                            "'number'", "'numbers'")

    def test_a_bad_value(self):
        self.assert_mistake("options:\n  svg: {width: wide}\n", (2, 16), "a whole number")
        self.assert_mistake("options:\n  svg: {width: -1}\n", (2, 16), "0")
        self.assert_mistake("options:\n  svg: {inverted: 3}\n", (2, 19), "true or false")
        self.assert_mistake("options:\n  hot: {numbers: sevens}\n", (2, 18), "random", "hash")
        self.assert_mistake("options:\n  svg: {title: [a, b]}\n", (2, 16))

    def test_a_bad_transform(self):
        self.assert_mistake("pipelines:\n  cpu: {transform: [revers]}\n", (2, 21), "'revers'",
                            "'reverse'")
        self.assert_mistake("pipelines:\n  cpu: {transform: [{drop: 'a(b'}]}\n", (2, 28))
        self.assert_mistake("pipelines:\n  cpu: {transform: [drop]}\n", (2, 21), "an expression")
        self.assert_mistake("pipelines:\n  cpu: {transform: [{reverse: x}]}\n", (2, 31), "nothing")
        self.assert_mistake("pipelines:\n  cpu: {transform: [{rename: {match: a, wth: b}}]}\n",
                            (2, 41), "'wth'", "'with'")
        self.assert_mistake("pipelines:\n  cpu: {transform: reverse}\n", (2, 20), "a list")

    def test_a_wrong_shape(self):
        self.assert_mistake("- a\n- b\n", (1, 1), "a map")
        self.assert_mistake("pipelines: [a]\n", (1, 12), "a map")
        self.assert_mistake("pipelines: {cpu: 3}\n", (1, 18), "a map")
        self.assert_mistake("pipelines: {cpu: {outputs: svg}}\n", (1, 28), "a list")
        self.assert_mistake("palettes: {ours: {options: {}}}\n", (1, 18), "use: NAME")
        for key in ("allow", "deny", "plugins", "plugin_path"):
            for value in ("{a: b}", "[[a]]", "['']", "''"):
                self.assert_mistake(f"{key}: {value}\n", (1, len(key) + 3),
                                    "a name or a list of names")
        for value in ("{a: b}", "''", "[{a: b}]", "['']", ""):
            column = 27 + value.startswith("[")
            self.assert_mistake(f"pipelines: {{cpu: {{inputs: {value}}}}}\n", (1, column),
                                "the name of a file")
        self.assert_mistake("pipelines: {cpu: {weight: [a]}}\n", (1, 27), "a weight")
        self.assert_mistake("pipelines: {cpu: {outputs: []}}\n", (1, 28), "at least one")
        self.assert_mistake("pipelines: {cpu: {outputs: [{use: svg, to: [a]}]}}\n", (1, 44),
                            "the name of a file")
        self.assert_mistake("pipelines: {cpu: {outputs: [{use: svg, to: ''}]}}\n", (1, 44),
                            "the name of a file")
        self.assert_mistake("pipelines: {cpu: {transform: [{base: [a, [b]]}]}}\n", (1, 42), "a text")
        self.assert_mistake("pipelines: {cpu: {transform: [{rename: {match: [a], with: b}}]}}\n",
                            (1, 48), "a text")

    def test_two_outputs_to_one_file(self):
        self.write(".brazier.yaml", "pipelines:\n  cpu:\n    outputs:\n"
                                    "      - {use: svg, to: a.svg}\n      - {use: svg, to: ./a.svg}\n")
        self.assertIn("two outputs to ./a.svg", self.fails(2, "config", "check").err)

    def test_another_version(self):
        self.assert_mistake("version: 2\n", (1, 10), "version 1")

    def test_what_is_no_yaml(self):
        self.write(".brazier.yaml", "pipelines: {cpu: [\n")
        r = self.fails(2, "config", "check")
        self.assertIn(".brazier.yaml:", r.err)
        self.assert_mistake("version: 1\na: b: c\n", (2, 5))
        self.assert_mistake("version: 1\n\tpalettes: {}\n", (2, 1))

    def test_bytes_that_are_no_text_are_reported_with_their_place(self):
        for text, place in ((b"version: 1\n# caf\xc3\xa9 \xe9\n", "2:8"), (b"# \xff\n", "1:3"),
                            (b"\xef\xbb\xbfversion: 1\r\n\r\n# \x01\n", "3:3"),
                            ("a: é\u2028b: é\x01".encode(), "2:5"), (b"version: 1\0\n", "1:11")):
            self.write(".brazier.yaml", text)
            self.assertIn(f".brazier.yaml:{place}: error: ", self.fails(2, "config", "check").err)

    def test_a_key_twice(self):
        self.assert_mistake("version: 1\noptions: {}\noptions: {}\n", (3, 1), "'options'")

    def test_every_mistake_is_reported_not_just_the_first(self):
        self.write(".brazier.yaml", "options: {svg: {titel: x, width: y}}\n"
                                    "palettes: {a: {use: hott}}\npipelines: {b: {colapse: perf}}\n")
        r = self.fails(2, "config", "check")
        self.assertEqual(4, r.err.count("error: "), r)

    def test_mistakes_do_not_hide_others(self):
        """Neither an unknown key hides what is below other keys, nor one part of an output the next part."""
        self.write(".brazier.yaml", "nokey: 1\nversion: 3\noptions:\n  svg: {titel: x, width: y}\npipelines:\n  a:\n    foo: 1\n"
                   "    max-time: x\n    collapse: {use: prf, opts: {}}\n    transform: [{drop: '('}, nothing]\n"
                   "    outputs:\n      - {use: folded, to: [a], foo: 1, options: {nope: 1}}\n"
                   "      - {use: html, palette: nope}\n  b: {palette: nope}\n  c: 3\nplugins: [[x]]\n")
        r = self.fails(2, "config", "check")
        for word in ("version 1", "'nokey'", "'titel'", "'width'", "'foo'", "max-time", "'prf'", "'opts'", "parenthesis",
                     "'nothing'", "where to write", "'nope'", "pipeline is a map", "'plugins'"):
            self.assertIn(word, r.err)
        self.assertEqual(17, r.err.count("error: "), r)

    def test_one_status_for_bad_usage_and_bad_configurations(self):
        """docs/cli.md and docs/limits.md promise 2."""
        usage = re.search(r"^\| (\d) \| bad usage or a bad configuration", (SOURCE / "docs/cli.md").read_text(), re.M)[1]
        refused = re.findall(r"(?:file is refused|bad usage) \(status (\d)\)", (SOURCE / "docs/limits.md").read_text())
        self.assertEqual({"2"}, {usage, *refused})
        self.fails(2, "run", "--nope", stdin=STACKS)
        self.fails(2, "run", "--jobs=1025", stdin=STACKS)
        for text in ("pipelines: [", "nokey: 1\n", "pipelines: 3\n", "pipelines: {default: {nokey: 1}}\n",
                     "pipelines: {default: {palette: nope}}\n", "pipelines: {default: {max-time: x}}\n",
                     "options: {svg: {nope: 1}}\n", "version: 2\n", "# " + "x" * (4 << 20) + "\n", "[" * 70 + "]" * 70,
                     "a: &a [1,1,1,1,1,1,1,1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\n"
                     "d: &d [*c,*c,*c,*c,*c,*c,*c,*c]\ne: [*d,*d,*d,*d,*d,*d,*d,*d]\n"):
            self.write(".brazier.yaml", text)
            for words in (["run", "--to", "svg"], ["config", "check"], ["config", "show", "default"]):
                r = self.brazier(*words, stdin=STACKS)
                self.assertEqual(2, r.code, (text[:50], r))
        self.fails(2, "run", "--config=no.yaml", stdin=STACKS)

    def test_a_mistake_stops_a_run_before_it_reads(self):
        self.write(".brazier.yaml", "pipelnes: {}\n")
        r = self.fails(2, "run", stdin=STACKS)
        self.assertIn(".brazier.yaml:1:1: error: ", r.err)
        self.write(".brazier.yaml", PIPELINE.replace("use: folded", "use: foldde"))
        self.assertIn(":5:15: error: ", self.fails(2, "run", "cpu", stdin=STACKS).err)

    def test_a_mistake_in_a_pipeline_that_is_not_used_does_not_stop_others(self):
        self.write(".brazier.yaml", PIPELINE + "  bad: {collapse: nothing}\n")
        self.good("run", "cpu", stdin=STACKS)

    # ---- what may be used ----

    def formats(self, *args):
        listed = json.loads(self.brazier("plugin", "list", "--json", *args).out)
        return [c["id"] for c in listed if c["kind"] == "collapser"]

    def test_a_list_of_what_may_be_used(self):
        everything = self.formats()
        for names, left in (("[perf, bcc]", ["bcc", "perf"]), ("[perf@perf]", ["perf"]),
                            ("perf", ["perf"]), ("[perf@other]", []), ("[]", everything),
                            ("", everything)):
            self.write(".brazier.yaml", f"allow: {names}\n")
            self.assertEqual(left, self.formats(), names)

    def test_a_list_of_what_may_not_be_used(self):
        everything = self.formats()
        for names in ("[perf]", "perf", "perf@perf"):
            self.write(".brazier.yaml", f"deny: {names}\n")
            self.assertEqual([f for f in everything if f != "perf"], self.formats(), names)
            r = self.fails(2, "collapse", "perf", stdin=PERF)
            self.assertIn("no collapser 'perf': the configuration does not allow that of", r.err)

    def test_no_file_allows_what_another_one_does_not(self):
        self.write(".config/brazier/config.yaml", "allow: [perf, bcc, svg, hot]\ndeny: bcc\n", self.home)
        for ours in ("allow: [perf, bcc, dtrace]\n", "deny: []\nallow: [perf, bcc]\n", "deny: svg\n"):
            self.write(".brazier.yaml", ours)
            self.assertEqual(["perf"], self.formats(), ours)
        shown = self.brazier("config", "show").out
        self.assertIn('- "svg"  # ' + str(self.home), shown)
        self.assertIn('deny: "svg"  # ' + str(self.dir), shown)
        self.assertIn('deny: "bcc"  # ' + str(self.home), shown)

    def test_a_name_that_nothing_has_may_be_a_mistake(self):
        self.write(".brazier.yaml", "deny: [prf, bcc@other, bcc]\n")
        r = self.brazier("config", "check")
        self.assertEqual(0, r.code, r)
        self.assertIn(".brazier.yaml:1:8: warning: there is no component 'prf'; "
                      "did you mean 'perf'?", r.err)
        self.assertIn(".brazier.yaml:1:13: warning: there is no component 'bcc@other'", r.err)
        self.assertEqual(2, r.err.count("warning: "), r)

    # ---- config check, show, init, schema ----

    def test_a_bad_configuration_is_no_obstacle_to_whoever_mends_it(self):
        self.write(".brazier.yaml", "pipelnes: {}\n")
        self.write("good.yaml", "version: 1\n")
        self.write("bad.yaml", "version: 2\n")
        r = self.brazier("run", "--help")
        self.assertEqual(0, r.code, r)
        self.assertIn("usage: brazier run", r.out)
        self.assertIn("good.yaml: good\n", self.good("config", "check", "good.yaml").out)
        self.assertIn("bad.yaml:1:10: error: ", self.fails(2, "config", "check", "bad.yaml").err)
        self.good("config", "init", "new.yaml")
        self.good("plugin", "new", "mine", "--kind", "palette")

    def test_check_of_a_file_is_about_that_file_alone(self):
        self.write(".brazier.yaml", "deny: svg\n")
        self.write("other.yaml", "pipelines: {cpu: {outputs: [{use: svg, to: a.svg}]}}\n")
        self.good("config", "check", "other.yaml")

    def test_check_names_each_file_that_is_good(self):
        self.write(".brazier.yaml", PIPELINE)
        self.write(".config/brazier/config.yaml", "version: 1\n", self.home)
        lines = self.good("config", "check").out.splitlines()
        self.assertEqual([f"{self.dir}/.brazier.yaml: good",
                          f"{self.home}/.config/brazier/config.yaml: good"], lines[:2])
        self.assertTrue(lines[2].endswith("/brazier.yaml: good"))

    def test_check_of_a_file_that_is_named(self):
        self.write("other.yaml", "palettes: {ours: {use: hott}}\n")
        r = self.fails(2, "config", "check", "other.yaml")
        self.assertIn("other.yaml:1:24: error: ", r.err)
        self.assertIn("no.yaml", self.fails(2, "config", "check", "no.yaml").err)

    def test_the_shipped_file_is_good(self):
        self.good("config", "check", common.SOURCE / "config" / "brazier.yaml")
        self.good("config", "check", "--no-config")

    def test_show_tells_where_everything_comes_from(self):
        self.write(".config/brazier/config.yaml", titled("mine"), self.home)
        self.write(".brazier.yaml", "options:\n  svg:\n    title: ours\n")
        out = self.good("config", "show").out
        self.assertIn(f'title: "ours"  # {self.dir}/.brazier.yaml:3', out)
        self.assertNotIn("mine", out)
        for file in (f"{self.dir}/.brazier.yaml", f"{self.home}/.config/brazier/config.yaml"):
            self.assertIn(f"# {file}\n", out)
        self.assertIn("pipelines:\n", out)

    def test_show_reports_the_mistakes_of_what_it_shows(self):
        """It shows the configuration in any case, also that of a file which is named."""
        for text, word in (("options:\n  svg: {titel: x}\n", "'titel'"), ("palettes:\n  p: {use: nix}\n", "'nix'"),
                           ("pipelines:\n  a: {colapse: perf}\n", "'colapse'")):
            for words in ([".brazier.yaml", "config", "show"], ["named.yaml", "--config", "named.yaml", "config", "show"]):
                self.write(words[0], text)
                r = self.fails(2, *words[1:])
                self.assertIn(text.partition("\n")[0] + "\n", r.out)
                self.assertIn(word, r.err)
                self.assertEqual(1, r.err.count("error: "), r)
                os.remove(self.dir / words[0])

    def test_show_of_a_pipeline_tells_every_setting_and_its_origin(self):
        self.write(".brazier.yaml", titled("ours", PIPELINE.split("\n", 1)[1].replace(
            "use: folded, to: cpu.folded", "use: svg, to: x.svg, options: {width: 700}")))
        out = self.good("config", "show", "cpu").out
        self.assertRegex(out, r'title: "ours" +# .*\.brazier\.yaml:3\n')
        self.assertRegex(out, r"width: 700 +# .*\.brazier\.yaml:7\n")
        self.assertRegex(out, r"height: 16 +# default\n")

    def test_show_of_everything_shipped(self):
        for name in ("flame", "icicle", "callers"):
            self.assertIn("collapse:", self.good("config", "show", name).out)

    def test_init_writes_a_good_file_and_never_over_another(self):
        r = self.good("config", "init")
        self.assertIn(".brazier.yaml", r.out)
        before = self.read(".brazier.yaml")
        self.good("config", "check")
        self.good("run", "cpu", stdin=STACKS)
        self.assertIn("cpu.svg", self.files())
        self.fails(1, "config", "init")
        self.assertEqual(before, self.read(".brazier.yaml"))
        self.good("config", "init", "sub.yaml")
        self.assertEqual(before, self.read("sub.yaml"))
        self.fails(1, "config", "init", "no/such/folder.yaml")

    def test_init_says_what_to_do_about_a_file_that_exists(self):
        self.write(".brazier.yaml", "old")
        self.assertIn(".brazier.yaml exists and is not overwritten; name another file", self.fails(1, "config", "init").err)

    def test_a_pipeline_like_none_is_referred_to_the_list(self):
        self.assertIn("no pipeline 'xyzzy' in the configuration (brazier config show lists them)",
                      self.fails(2, "config", "show", "xyzzy").err)

    def test_a_line_that_a_tab_indents(self):
        for text, line in (("a:\n\tb: c\n", 2), ("a:\n  \tb: c\n  d\n", 2), ("\ufeffa: b\r\n\tc: d\r\n", 2)):
            self.write("x.yaml", text)
            r = self.fails(2, "config", "check", "x.yaml")
            self.assertRegex(r.err, rf"x\.yaml:{line}:\d+: error: a tab indents the line; YAML allows only spaces")
        self.write("x.yaml", "a: [\n")
        self.assertNotIn("tab", self.fails(2, "config", "check", "x.yaml").err)

    def test_init_writes_to_standard_output(self):
        r = self.good("config", "init", "-")
        self.assertEqual([], self.files())
        self.good("config", "init", "new.yaml")
        self.assertEqual(r.out, self.read("new.yaml"))

    def test_the_schema_is_json_and_knows_every_component(self):
        schema = json.loads(self.good("config", "schema").out)
        self.assertEqual("http://json-schema.org/draft-07/schema#", schema["$schema"])
        listed = json.loads(self.good("plugin", "list", "--json").out)
        text = json.dumps(schema)
        for component in listed:
            self.assertIn(f'"{component["id"]}"', text)

    def test_the_schema_has_the_options_of_all_components_with_an_id(self):
        schema = json.loads(self.good("config", "schema", "--no-plugins").out)
        options = schema["properties"]["options"]["properties"]
        self.assertEqual({"args", "async", "name", "count-as", "details"},
                         set(options["chrome-trace"]["properties"]))
        self.assertIn("name", options["firefox"]["properties"])

    # ---- trust ----

    def plugin_config(self):
        plugin = self.dir / "mine.so"
        shutil.copy(common.PLUGINS / "output-folded.so", plugin)
        plugin.chmod(0o755)
        return f"plugins: [{plugin}]\n"

    def from_mine(self, *args):
        listed = json.loads(self.brazier("plugin", "list", "--json", *args).out)
        return [c for c in listed if c["path"].startswith(str(self.dir))]

    def test_a_file_that_was_found_loads_no_code(self):
        self.write(".brazier.yaml", self.plugin_config())
        r = self.brazier("run", "-o", "x.svg", stdin=STACKS)
        self.assertEqual(0, r.code, r)
        self.assertIn(".brazier.yaml:1:1: warning: ignored", r.err)
        self.assertIn("--trust-config", r.err)
        self.assertEqual([], self.from_mine())

    def test_a_file_that_was_named_or_is_trusted_loads_code(self):
        self.write(".brazier.yaml", self.plugin_config())
        self.assertEqual(1, len(self.from_mine("--trust-config")))
        self.assertEqual(1, len(self.from_mine("--config", ".brazier.yaml")))

    def test_the_users_own_file_loads_code(self):
        self.write(".config/brazier/config.yaml", self.plugin_config(), self.home)
        self.assertEqual(1, len(self.from_mine()))

    def test_folders_of_plugins_are_relative_to_the_file(self):
        shutil.copytree(common.PLUGINS, self.dir / "mine")
        for path in [self.dir / "mine", *(self.dir / "mine").iterdir()]:
            path.chmod(0o755)
        self.write("conf/b.yaml", "plugin_path: ../mine\n")
        self.assertGreater(len(self.from_mine("--config", "conf/b.yaml")), 3)

    @unittest.skipUnless(os.geteuid() == 0, "only root can give files away")
    def test_a_strangers_file_is_ignored(self):
        path = self.write(".brazier.yaml", titled("a stranger's"))
        os.chown(path, 12345, 12345)
        r = self.brazier("flamegraph", stdin=STACKS)
        self.assertEqual(0, r.code)
        self.assertIn("belongs to user 12345: ignored", r.err)
        self.assertNotIn("a stranger's", r.out)
        self.assertEqual("a stranger&apos;s", self.title("--trust-config"))

    def test_a_found_file_that_is_none_is_ignored(self):
        os.mkfifo(self.dir / ".brazier.yaml")
        (self.dir / "in" / ".brazier.yaml").mkdir(parents=True)
        for folder in (self.dir, self.dir / "in"):
            r = self.brazier("flamegraph", stdin=STACKS, cwd=folder, timeout=60)
            self.assertEqual(0, r.code, r)
            self.assertIn("warning: " + str(folder / ".brazier.yaml") + " is not a regular file: ignored",
                          r.err)

    def test_a_folder_that_cannot_be_read_is_no_obstacle(self):
        below = self.dir / "a" / "b"
        below.mkdir(parents=True)
        p = subprocess.run(["sh", "-c", 'rmdir ../b; exec "$0" "$@"', *self.command(["--version"])],
                           cwd=below, capture_output=True, env=self.environment())
        self.assertEqual(0, p.returncode, p.stderr)
        below.mkdir()
        p = subprocess.run(["sh", "-c", 'rmdir ../b; exec "$0" "$@"',
                            *self.command(["flamegraph"])], cwd=below, capture_output=True,
                           input=STACKS.encode(), env=self.environment())
        self.assertEqual((0, b""), (p.returncode, p.stderr))


if __name__ == "__main__":
    common.main()
