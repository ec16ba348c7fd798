#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests formats that configurations define: names, guesses, options, messages, trust, shipped files."""
import json
import shutil
import subprocess
import unittest

import common
from common import BRAZIER, PERF, PLUGINS

KERNEL = "node;main;malloc;do_page_fault_[k] 10\nnode;main;parse 5\n"

REQUESTS = """formats:
  requests:
    use: perf
    summary: perf with the kernel marked
    files: ['req*.txt']
    options: {kernel: true}
pipelines:
  p: {collapse: requests, outputs: [folded]}
"""


def formats(*lines):
    return "formats:\n" + "".join(f"  {line}\n" for line in lines)


class Formats(common.Case):
    def setUp(self):
        super().setUp()
        self.write("p.txt", PERF)

    def config(self, text):
        return self.write(".brazier.yaml", text)

    def wrong(self, text, place, message, *args):
        """Checks the only error about a definition, with its place, the line and a caret."""
        self.config(text)
        r = self.fails(2, *(args or ("collapse", "mine", "p.txt")))
        self.assertEqual(1, r.err.count("error: "), r)
        self.assertIn(f".brazier.yaml:{place}: error: {message}", r.err)
        self.assertIn("^", r.err)

    # ---- names ----

    def test_a_format_is_used_by_its_name_like_a_plug_in(self):
        self.config(REQUESTS)
        for args in (["collapse", "requests", "p.txt"], ["run", "-f", "requests", "p.txt", "--to", "folded"],
                     ["run", "p", "p.txt"], ["collapse", "requests@formats", "p.txt"]):
            for way in common.WAYS:
                self.assertEqual(KERNEL, self.good(*args, *way).out, args + way)

    def test_lists_and_help_show_a_format(self):
        self.config(REQUESTS)
        self.assertRegex(self.good("plugin", "list").out,
                         r"collapser +requests +formats +\S+ +formats +perf with the kernel marked\n")
        info = self.good("plugin", "info", "requests").out
        for line in ("collapser requests: perf with the kernel marked", "Uses:      perf", "Files:     req*.txt"):
            self.assertIn(line + "\n", info)
        self.assertIn("Options of the collapser requests:", self.good("collapse", "requests", "--help").out)
        shown = self.good("config", "show", "p").out
        self.assertRegex(shown, r"use: perf  # format requests, .*\.brazier\.yaml\n")
        self.assertRegex(shown, r"kernel: true  # .*\.brazier\.yaml:6\n")
        self.assertIn('use: "perf"', self.good("config", "show").out)
        listed = json.loads(self.good("plugin", "list", "--json").out)
        self.assertEqual(["formats"], [c["plugin"] for c in listed if c["id"] == "requests"])

    def test_a_mistyped_name_gets_the_nearest_one(self):
        self.config(REQUESTS)
        r = self.fails(2, "collapse", "reqests", "p.txt")
        self.assertIn("no collapser 'reqests'; did you mean 'requests'?", r.err)

    def test_the_command_line_and_the_pipeline_override_options_of_a_format(self):
        self.config(REQUESTS + "  q: {collapse: {use: requests, options: {kernel: false}}, outputs: [folded]}\n"
                               "options: {requests: {pid: true}}\n")
        self.assertEqual("node-?;main;malloc;do_page_fault 10\nnode-?;main;parse 5\n",
                         self.good("collapse", "requests", "--no-kernel", "p.txt").out)
        self.assertEqual("node-?;main;malloc;do_page_fault 10\nnode-?;main;parse 5\n", self.good("run", "q", "p.txt").out)
        self.assertEqual("node;main;malloc;do_page_fault_[k] 10\nnode;main;parse 5\n",
                         self.good("collapse", "requests", "--set", "requests.pid=false", "p.txt").out)

    def test_options_of_the_collapser_apply_to_its_formats_too(self):
        self.config(REQUESTS + "options: {perf: {pid: true, kernel: false}}\n")
        self.assertEqual("node-?;main;malloc;do_page_fault_[k] 10\nnode-?;main;parse 5\n",
                         self.good("collapse", "requests", "p.txt").out)

    def test_a_format_may_use_a_format(self):
        self.config(REQUESTS.replace("pipelines:", "  again: {use: requests, options: {pid: true}}\npipelines:"))
        self.assertEqual(KERNEL.replace("node;", "node-?;"), self.good("collapse", "again", "p.txt").out)

    def test_a_format_may_replace_the_plug_in_that_it_uses(self):
        self.config(formats("perf: {use: perf, options: {kernel: true}}"))
        self.assertEqual(KERNEL, self.good("collapse", "perf", "p.txt").out)
        self.assertEqual(KERNEL, self.good("collapse", "guess", "p.txt").out)
        self.assertEqual("p.txt: perf (90)\n", self.good("guess", "p.txt").out)

    def test_a_format_of_a_collapser_that_recognises_its_files_does_not_compete_with_it(self):
        self.config(REQUESTS)
        self.write("req.txt", PERF)
        self.assertEqual("req.txt: perf (90)\n", self.good("guess", "req.txt").out)

    def test_allow_and_deny_apply_to_the_collapser_and_to_the_name(self):
        self.config(REQUESTS)
        for user in ("allow: [folded]", "deny: [perf]", "deny: [requests]"):
            self.write(".config/brazier/config.yaml", user + "\n", self.home)
            self.fails(2, "collapse", "requests", "p.txt")
        self.write(".config/brazier/config.yaml", "allow: [perf, folded]\n", self.home)
        self.assertEqual(KERNEL, self.good("collapse", "requests", "p.txt").out)

    # ---- mistakes ----

    def test_a_mistake_has_its_place_and_is_reported_once(self):
        for text, place, message in (
                (formats("mine: {use: prf}"), "2:15", "no collapser 'prf'; did you mean 'perf'?"),
                (formats("mine: {use: perf, option: {}}"), "2:21", "a format has no key 'option'; did you mean 'options'?"),
                (formats("mine: {options: {}}"), "2:3", "a format needs a collapser: use: NAME"),
                (formats("mine: {use: [perf]}"), "2:15", "write the name of a collapser here"),
                (formats("mine: perf"), "2:9", "a format is a map: use: COLLAPSER, options: {…}"),
                (formats("mine:", "  use: perf", "  options: {kernl: true}"), "4:15",
                 "'mine' has no option 'kernl'; did you mean 'kernel'?"),
                (formats("mine:", "  use: perf", "  options: {kernel: maybe}"), "4:23",
                 "'kernel' is true or false, not 'maybe'"),
                (formats("mine: {use: perf, files: {a: b}}"), "2:28", "write a text here, or a list of texts"),
                (formats("mine: {use: perf, contains: ['']}"), "2:32", "write a text here, or a list of texts"),
                (formats("mine: {use: perf, summary: [a]}"), "2:30", "write a text here"),
                (formats("mine: {use: perf, options: [a]}"), "2:30", "options are a map of names and values")):
            for args in ((), ("config", "check")):
                with self.subTest(text, args=args):
                    self.wrong(text, place, message, *args)

    def test_names_are_those_of_components(self):
        for name in ("Mine", "a.b", "guess", "a" * 33, "'a b'"):
            self.wrong(formats(f"{name}: {{use: perf}}"), "2:3", "the name of a format", "config", "check")

    def test_formats_in_a_circle_are_an_error(self):
        self.config(formats("mine: {use: other}", "other: {use: mine}"))
        r = self.fails(2, "collapse", "mine", "p.txt")
        self.assertIn(".brazier.yaml:3:16: error: formats use each other in a circle, without a plug-in: 'mine' uses 'other', "
                      "'other' uses 'mine'\n", r.err)
        self.config(formats("mine: {use: mine}"))
        self.assertIn("without a plug-in: 'mine' uses 'mine'\n", self.fails(2, "collapse", "mine", "p.txt").err)
        self.config(formats("perf: {use: other}", "other: {use: perf}"))
        self.good("collapse", "perf", "p.txt")

    def test_formats_are_nested_up_to_a_limit(self):
        chain = [f"f{i}: {{use: {'perf' if i == 0 else f'f{i - 1}'}}}" for i in range(12)]
        self.config(formats(*chain))
        self.good("collapse", "f5", "p.txt")
        self.assertIn("formats use each other too deeply", self.fails(2, "collapse", "f11", "p.txt").err)

    def test_a_mistake_does_not_concern_runs_with_other_formats(self):
        self.config(formats("mine: {use: prf}", "requests: {use: perf, options: {kernel: true}}"))
        self.assertEqual(KERNEL, self.good("collapse", "requests", "p.txt").out)
        r = self.brazier("collapse", "guess", "p.txt")
        self.assertEqual((0, common.PERF_STACKS), (r.code, r.out), r)

    def test_lists_warn_of_a_format_with_a_mistake(self):
        self.config(formats("mine: {use: prf}"))
        r = self.brazier("plugin", "list")
        self.assertEqual(0, r.code, r)
        self.assertIn(".brazier.yaml:2:3: warning: the format 'mine' is left out, because its definition has a mistake", r.err)

    def test_too_many_formats_are_refused(self):
        self.wrong(formats(*(f"f{i}: {{use: perf}}" for i in range(257))), "1:1", "too many formats", "collapse", "perf", "p.txt")

    # ---- examples ----

    EXAMPLES = """formats:
  requests:
    use: perf
    options: {kernel: true}
    examples:
      - text: |
          node 1421 [002] 10.5: 10 cpu-clock:
          \t55d000100 main (/opt/app/bin/node)

          x 1421 [002] 10.5: 1 cpu-clock:
          \t55d000100 main (/opt/app/bin/node)

        folded: |
          x;main 1
          node;main 10
"""

    def test_examples_are_checked_in_any_order_of_their_stacks(self):
        self.write("f.yaml", self.EXAMPLES)
        self.assertIn("f.yaml: good\n", self.good("config", "check", "f.yaml").out)

    def test_an_example_that_fails_shows_both_stacks_beside_each_other(self):
        self.write("f.yaml", self.EXAMPLES.replace("node;main 10", "node;main 11\n          z 1"))
        r = self.fails(2, "config", "check", "f.yaml")
        self.assertIn("f.yaml:13:9: error: example 1 of the format 'requests' has other stacks\n"
                      "            folded: |\n            ^~~~~~\n", r.err)
        self.assertIn("expected and real stacks:\n    expected      real\n  ! node;main 11  node;main 10\n"
                      "    x;main 1      x;main 1\n  ! z 1\n", r.err)

    def test_an_example_that_cannot_be_read_says_why(self):
        self.write("f.yaml", formats("mine:", "  use: perf", "  examples:", "    - text: a", "      folded: b 1"))
        r = self.fails(2, "config", "check", "f.yaml")
        self.assertIn("f.yaml:5:9: error: example 1 of the format 'mine' cannot be read: ", r.err)

    def test_the_form_of_examples_is_checked(self):
        for examples, column, message in (("a", 31, "examples are a list of maps"), ("[a]", 32, "an example is a map"),
                                          ("[{text: a}]", 32, "an example needs two texts"),
                                          ("[{text: a, foldd: b}]", 42, "an example has no key 'foldd'; did you mean 'folded'?")):
            self.wrong(formats(f"mine: {{use: perf, examples: {examples}}}"), f"2:{column}", message, "config", "check")

    def test_a_format_without_examples_gets_a_note(self):
        self.write("f.yaml", formats("mine: {use: perf}"))
        r = self.brazier("config", "check", "f.yaml")
        self.assertEqual(0, r.code, r)
        self.assertIn("f.yaml:2:3: note: the format 'mine' has no examples, so nothing checks it", r.err)

    # ---- trust ----

    def test_a_found_format_names_no_files_and_no_network(self):
        for option, why in (("kallsyms: a", "lets a format name a file"), ("debuginfod: true", "lets an option use the network")):
            self.wrong(formats("mine:", "  use: perf-data", f"  options: {{{option}}}"),
                       f"4:{15 + option.index(':') + 2}", f"refused: '{option.split(': ')[1]}' {why}")
            self.config(formats("mine:", "  use: perf-data", f"  options: {{{option}}}"))
            self.assertNotIn("refused", self.brazier("--trust-config", "collapse", "mine", "p.txt").err)

    # ---- shipped files ----

    def installation(self, **files):
        """Copies what a run needs, with shipped formats, to a folder of its own."""
        top = self.top / "installed"
        base = BRAZIER.parent.parent
        (top / "bin").mkdir(parents=True)
        shutil.copy2(BRAZIER, top / "bin")
        folder = top / PLUGINS.relative_to(base)
        folder.mkdir(parents=True)
        for name in ("collapse-perf.so", "collapse-folded.so", "output-folded.so"):
            shutil.copy2(PLUGINS / name, folder)
        shared = top / "share" / "brazier"
        shutil.copytree(base / "share" / "brazier", shared)
        shutil.rmtree(shared / "formats", ignore_errors=True)
        for name, text in files.items():
            self.write(f"formats/{name.replace('_yaml', '.yaml')}", text, shared)
        return top / "bin" / BRAZIER.name

    def shipped(self, program, *args):
        p = subprocess.run([program, *args], cwd=self.dir, env=self.environment(), capture_output=True, text=True)
        return p.returncode, p.stdout, p.stderr

    def test_a_shipped_format_is_found_beside_the_program(self):
        program = self.installation(rq_yaml="summary: as shipped\nuse: perf\noptions: {kernel: true}\n",
                                    perf_yaml="use: folded\n", index="rq\n")
        self.assertEqual((0, KERNEL, ""), self.shipped(program, "collapse", "rq", "p.txt"))
        self.assertEqual((0, common.PERF_STACKS, ""), self.shipped(program, "collapse", "perf", "p.txt"))
        self.assertRegex(self.shipped(program, "plugin", "list")[1], r"collapser +rq +formats +\S+ +shipped +as shipped\n")
        self.assertIn("did you mean 'rq'?", self.shipped(program, "collapse", "rqq", "p.txt")[2])
        self.config(formats("rq: {use: rq, options: {pid: true}}"))
        self.assertEqual((0, KERNEL.replace("node;", "node-?;"), ""), self.shipped(program, "collapse", "rq", "p.txt"))

    def test_a_mistake_in_a_shipped_format_has_its_place(self):
        program = self.installation(rq_yaml="use: perf\noptions: {kernl: true}\n", index="rq\n")
        code, _, err = self.shipped(program, "collapse", "rq", "p.txt")
        self.assertEqual(2, code)
        self.assertIn("formats/rq.yaml:2:11: error: 'rq' has no option 'kernl'", err)

    def test_examples_of_shipped_formats(self):
        for file in sorted((common.SOURCE / "formats").glob("*.yaml")):
            indented = "".join(f"    {line}" for line in file.read_text().splitlines(True))
            self.write("f.yaml", f"formats:\n  {file.stem}:\n{indented}")
            self.assertIn("f.yaml: good\n", self.good("config", "check", "f.yaml").out)


RPROF = r"""formats:
  rprof:
    files: ['rprof*.out']
    contains: 'sample.interval='
    use: lines
    options:
      header: '^sample\.interval=(?<interval>\d+)'
      ignore: '^#File '
      sample: '^(?<stack>("[^"]*" ?)+)'
      stack: {split: ' ', unquote: '"', order: leaf-first}
      weight: {group: interval, unit: us}
"""
PROFILE = 'sample.interval=20000\n"f" "g" "main"\n#File 1: x\n"g" "main"\n'
FOLDED = "main;g 20000\nmain;g;f 20000\n"


@unittest.skipUnless(all((PLUGINS / f"collapse-{name}.so").exists() for name in ("lines", "blocks")), "not built")
class Text(common.Case):
    """Formats whose collapsers read the lines that their expressions describe."""

    def setUp(self):
        super().setUp()
        self.write("f.yaml", RPROF)
        self.write("rprof-1.out", PROFILE)

    def test_a_format_is_guessed_by_its_expressions(self):
        self.assertEqual("rprof-1.out: rprof (100)\n", self.good("--config", "f.yaml", "guess", "rprof-1.out").out)
        self.write("other", PROFILE)
        self.assertEqual("other: rprof (90)\n", self.good("--config", "f.yaml", "guess", "other").out)
        for way in common.WAYS:
            self.assertEqual(FOLDED, self.good("--config", "f.yaml", "collapse", "guess", "other", *way).out, way)

    def test_a_format_does_not_hide_plug_ins_from_a_guess(self):
        self.write("p.txt", PERF)
        self.write("p.folded", common.STACKS)
        self.write("f.yaml", formats("every:", "  use: lines", "  options: {sample: '^(?<stack>.*)$'}"))
        self.assertEqual("p.txt: perf (90)\n", self.good("--config", "f.yaml", "guess", "p.txt").out)
        r = self.fails(1, "--config", "f.yaml", "guess", "p.folded")
        self.assertRegex(r.err, r"could be in several formats: (every|folded) \(70\), (every|folded) \(70\); --from")

    def test_a_mistake_in_an_expression_has_its_place(self):
        self.write("f.yaml", RPROF.replace("(?<interval>", "((?<interval>"))
        r = self.fails(2, "--config", "f.yaml", "collapse", "rprof", "other")
        self.assertIn("f.yaml:7:15: error: 'header' of 'rprof'", r.err)
        self.write("f.yaml", RPROF.replace("order: leaf-first", "order: leaf"))
        r = self.fails(2, "--config", "f.yaml", "collapse", "rprof", "other")
        self.assertIn("f.yaml:10:48: error: 'stack-order' is one of ", r.err)

    def test_a_mistake_in_a_key_of_blocks_has_its_place(self):
        for options, message in (
                ("{total: '^= (?<sum>.*)'}", "4:22: error: 'total' of 'b': the expression needs a group (?<total>...)"),
                ("{frame: '^ (.*)'}", "4:22: error: 'frame' of 'b': the expression needs a group (?<function>...), module, "
                                      "file or address"),
                ("{first-number: -1}", "4:29: error: 'first-number' must be within 0..1000, not '-1'"),
                ("{orphans: keep}", "4:24: error: 'orphans' is one of leave-out, count"),
                ("{outside: warn}", "4:24: error: 'outside' is one of report, ignore"),
                ("{kind: jit}", "4:21: error: 'kind' is one of other, user, kernel"),
                ("{numbers: 1}", "4:15: error: ")):
            with self.subTest(options):
                self.write("f.yaml", formats("b:", "  use: blocks", f"  options: {options}"))
                r = self.fails(2, "--config", "f.yaml", "collapse", "b", "other")
                self.assertIn(f"f.yaml:{message}", r.err)

    # ---- hostile formats ----

    def test_a_found_format_costs_time_and_memory_within_limits_and_nothing_else(self):
        secret = self.write("secret", "PRIVATE KEY\n", self.home)
        self.write("in.log", "a" * 40 + "!\n" + "a" * 60000 + "!\n")
        before = self.files()
        for options in ("{sample: '^(?<stack>(a+)+)$'}", "{sample: '^(?<stack>(a|a)*b)$'}", "{sample: '(?<stack>(.*)*)x'}",
                        "{sample: '(?<stack>(?R)*)'}", "{sample: '(?<stack>.*)', ignore: ['(a*)*b', '(.+)+c']}",
                        "{sample: '(?<stack>\\Q'}", "{sample: '(?C1)(?<stack>a)'}",
                        f"{{sample: '(?<stack>.*)', header: '{secret}'}}"):
            self.write(".brazier.yaml", formats("evil:", "  use: lines", f"  options: {options}"))
            for args in (("guess", "in.log"), ("collapse", "evil", "in.log"), ("format", "try", "in.log"), ("plugin", "list"),
                         ("config", "check")):
                with self.subTest(options, args=args):
                    r = self.brazier(*args, "-q") if args[0] != "collapse" else self.brazier(*args, "--max-memory", "1G")
                    self.assertIn(r.code, (0, 1, 2), r)
                    self.assertNotIn("PRIVATE", r.out + r.err)
        self.assertEqual(sorted([*before, ".brazier.yaml"]), sorted(set([*self.files(), ".brazier.yaml"])))

    def test_found_formats_of_all_shapes_are_bounded(self):
        secret = self.write("secret", "PRIVATE KEY\n", self.home)
        self.write("in.log", "t 1\n" + " " * 3000 + "\n" + ("a" * 40 + "!\n") * 3 + "a" * 6000 + "!\n1\n")
        before = self.files()
        slow = "(*LIMIT_MATCH=20000)(?<function>(a+)+)[xy]"  # the usual limit takes longer to reach
        for use, options in (("blocks", f"begin: '^t', frame: '{slow}'"), ("blocks", f"begin: '{slow}'"),
                             ("blocks", f"begin: '', end: '{slow}', frame: '(?<function>.*)'"),
                             ("blocks", "begin: '', end: '(?!)', frame: '(?<function>.*)', orphans: count"),
                             ("blocks", f"section: '{slow}', sections: last, total: '(?<total>.*)', field: '{slow}'"),
                             ("blocks", "begin: '(?<function>.)(?<next>.*)', frame: '(?<function>.)(?<next>.*)'"),
                             ("indented", f"frame: '{slow}'"), ("indented", "frame: '(?<depth> *)(?<function>.*)', depth: group"),
                             ("indented", f"begin: '{secret}', end: '{slow}'"), ("calls", f"begin: '{slow}', depth: column"),
                             ("calls", f"begin: '(?<time>.)(?<function>.*)', end: '{slow}'")):
            self.write(".brazier.yaml", formats("evil:", f"  use: {use}", f"  options: {{{options}}}"))
            for args in (("guess", "in.log"), ("collapse", "evil", "in.log", "--max-memory", "1G"), ("format", "try", "in.log"),
                         ("format", "check", "evil", "in.log")):
                with self.subTest(options, args=args):
                    r = self.brazier(*args)
                    self.assertIn(r.code, (0, 1, 2), r)
                    self.assertNotIn("PRIVATE", r.out + r.err)
        self.assertEqual(sorted([*before, ".brazier.yaml"]), sorted(set([*self.files(), ".brazier.yaml"])))

    def test_an_expression_that_reaches_its_limit_ends_the_run_at_that_line(self):
        self.write("in.log", ("a" * 40 + "!\n") * 20000)  # to reach it on each would take hours
        for key, options in (("begin", "begin: '(*LIMIT_MATCH=1000000)(?<function>(a+)+)[xy]'"),
                             ("section", "section: '(*LIMIT_MATCH=1000000)(a+)+[xy]'"),
                             ("end", "begin: '', end: '(*LIMIT_MATCH=1000000)(a+)+[xy]', frame: '(?<function>.*)'")):
            self.write("f.yaml", formats("evil:", "  use: blocks", f"  options: {{{options}}}"))
            for args in (("--config", "f.yaml", "collapse", "evil", "in.log"),
                         ("--config", "f.yaml", "collapse", "evil", "in.log", "-j2", "--range-size", "300000"),
                         ("format", "try", "in.log", "-f", "f.yaml")):
                with self.subTest(key, args=args):
                    r = self.fails(1, *args)
                    self.assertIn(f"in.log:1:1: error: the expression of {key} exceeds the match limit", r.err)

    def test_a_found_configuration_cannot_grow_in_memory(self):
        lists = "".join(f"x-{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, 12))
        self.write("in.log", "a b\n" * 20)
        for text, message in (
                (f"x-0: &a0 [a, a, a]\n{lists}" + formats("mine:", "  use: lines", "  contains: *a11"), "too many nodes"),
                (formats("mine:", "  use: lines", "  options: " + "{a: " * 20000 + "}" * 20000), "nested too deeply"),
                (formats("mine:", "  use: lines", "  options: {ignore: [" + "a," * 100000 + "]}"), "too many nodes"),
                (formats("mine:", "  use: lines", "  options: {roots: [" + "a," * 17 + "]}"), "there are at most 16 roots"),
                (formats("mine:", "  use: lines", "  options: {frame: '(?<function>.*)', name: '" + "{function}" * 17 + "'}"),
                 "'name' of 'mine': a name has at most 256 bytes and 16 groups"),
                (formats("mine:", "  use: lines", "  options: {name: '" + "a" * 257 + "'}"),
                 "'name' of 'mine': a name has at most 256 bytes and 16 groups")):
            with self.subTest(message):
                self.write(".brazier.yaml", text)
                self.assertIn(message, self.fails(2, "collapse", "mine", "in.log", "--max-memory", "100M").err)

    def test_an_expression_does_not_raise_the_limits(self):
        self.write("in.log", "a" * 60 + "!\n")
        raised = "(*LIMIT_MATCH=4000000000)(*LIMIT_HEAP=4000000000)(*LIMIT_DEPTH=4000000000)"
        self.write(".brazier.yaml", formats("mine:", "  use: lines", f"  options: {{sample: '{raised}^(?<stack>(a|aa)+)$'}}"))
        self.assertIn("exceeds the match limit of 10000000 steps on this line", self.fails(1, "collapse", "mine", "in.log").err)

    def test_a_guess_gives_up_on_an_expression_sooner_than_a_run(self):
        self.write("in.log", "a" * 18 + "!\n")
        options = "  options: {sample: '^(?<stack>(?:a+)+b|.*)$'}"
        self.write(".brazier.yaml", formats(*(f"f{i}:\n    use: lines\n  {options}" for i in range(256))))
        self.assertEqual("a" * 18 + "! 1\n", self.good("collapse", "f9", "in.log").out)
        self.assertIn("in no format that brazier knows", self.fails(1, "guess", "in.log").err)

    def test_lines_in_a_line_are_divided_up_to_a_limit(self):
        self.write("in.log", "t1 " + "ab" * 50000 + "\n")
        self.write(".brazier.yaml", formats("mine:", "  use: blocks", "  options:", "    begin: '^t(?<thread>\\d+)(?<next>.*)'",
                                            "    frame: '^(?<function>.)(?<next>.*)$'"))
        r = self.brazier("collapse", "mine", "in.log")
        self.assertEqual((0, 15), (r.code, r.out.count(";")), r)
        self.assertIn("... and 15 more like this", r.err)
        self.assertIn("fits no expression of the format: left out", r.err)

    def test_the_length_of_values_and_lists_is_limited(self):
        for definition, message in (("options: {sample: '" + "a" * 9000 + "'}", "'sample' is longer than 8192 bytes"),
                                    ("files: [" + "a, " * 65 + "]", "this list is too long"),
                                    ("contains: [" + "a, " * 65 + "]", "this list is too long")):
            self.write("f.yaml", formats("mine:", "  use: lines", "  " + definition))
            self.assertIn(message, self.fails(2, "--config", "f.yaml", "collapse", "mine", "rprof-1.out").err)

    # ---- format check ----

    def test_check_tests_a_format_with_its_examples_and_files(self):
        example = "    examples: [{text: \"sample.interval=20\\n'x'\\n\", folded: ''}]\n".replace("'x'", '\\"f\\" \\"main\\"').replace("''", "main;f 20")
        self.write("f.yaml", RPROF + example)
        r = self.good("--config", "f.yaml", "format", "check", "rprof", "rprof-1.out")
        for test in ("examples", "division", "damage", "limits"):
            self.assertRegex(r.out, f"(?m)^ok    {test} ")
        self.write("f.yaml", RPROF + example.replace("main;f 20", "main;f 21"))
        r = self.brazier("--config", "f.yaml", "format", "check", "rprof")
        self.assertEqual(1, r.code, r)
        self.assertRegex(r.out, "(?m)^FAIL  examples ")

    def test_check_has_an_option_for_the_configuration_like_try(self):
        self.write("f.yaml", formats("mine:", "  use: lines", "  examples: [{text: \"a;b 3\\n\", folded: 'a;b 3'}]"))
        r = self.good("format", "check", "mine", "-f", "f.yaml")
        self.assertEqual(self.good("--config", "f.yaml", "format", "check", "mine").out, r.out)
        self.assertEqual(r.out, self.good("format", "check", "--formats=f.yaml", "mine").out)
        self.assertIn("absent.yaml", self.fails(2, "format", "check", "mine", "-f", "absent.yaml").err)

    def test_plugin_check_tests_a_format_by_its_name(self):
        self.write("f.yaml", formats("mine:", "  use: lines", "  examples: [{text: \"a;b 3\\n\", folded: 'a;b 3'}]"))
        r = self.good("--config", "f.yaml", "plugin", "check", "mine")
        self.assertEqual(self.good("--config", "f.yaml", "format", "check", "mine").out, r.out)
        self.assertRegex(r.out, "(?m)^ok    examples ")
        self.assertIn("ok    examples ", self.good("plugin", "check", "eu-stack").out)
        for options in (["--samples", "."], ["--only", "static"], ["--json"]):
            r = self.fails(2, "--config", "f.yaml", "plugin", "check", "mine", *options)
            self.assertIn("'mine' is a format, to which these options do not apply: brazier format check mine FILE...", r.err)
        self.assertIn("nothing: No such file", self.fails(2, "plugin", "check", "nothing").err)
        self.write("mine", "no plug-in")  # a file comes first
        self.assertIn("static/load", self.brazier("--config", "f.yaml", "plugin", "check", "mine").out)

    def test_check_finds_an_expression_that_reaches_its_limit(self):
        self.write("slow.log", "aaaaaaaaaaaaaaaa\n")
        self.write("f.yaml", formats("mine:", "  use: lines", "  options: {sample: '^(?<stack>(a+)+)$'}"))
        r = self.brazier("--config", "f.yaml", "format", "check", "mine", "slow.log")
        self.assertEqual(1, r.code, r)
        self.assertRegex(r.out, "(?m)^FAIL  limits ")

    def test_check_refuses_what_it_cannot_use(self):
        for message, args in (("which one? brazier format check NAME", []), ("no collapser 'rprf'; did you mean 'rprof'?", ["rprf"]),
                              ("'perf' is a plug-in's: brazier plugin check FILE tests it", ["perf"]),
                              ("the format 'rprof' has no examples; name files", ["rprof"])):
            self.assertIn(message, self.fails(2, "--config", "f.yaml", "format", "check", *args).err)

    # ---- format try ----

    def test_try_shows_the_role_of_each_line(self):
        self.write("rprof-1.out", PROFILE + "oops\n")
        r = self.brazier("format", "try", "rprof-1.out", "-f", "f.yaml")
        self.assertEqual(0, r.code, r)
        for text in ("H     1  sample.interval=20000\n         interval: 20000\n", 'S     2  "f" "g" "main"\n',
                     "I     3  #File 1: x\n", "?     5  oops\n", "Stacks: 2\n  main;g 20000\n  main;g;f 20000\n",
                     "Lines: 5\n", "  S        2  samples\n", "  fit nothing: line 5\n"):
            self.assertIn(text, r.out)
        self.assertNotIn("\x1b", r.out)

    def test_try_prints_json_for_editors(self):
        r = json.loads(self.good("format", "try", "rprof-1.out", "-f", "f.yaml", "--json", "--lines", "2").out)
        self.assertEqual("rprof", r["format"])
        self.assertEqual({"line": 1, "role": "H", "text": "sample.interval=20000",
                          "groups": [{"name": "interval", "text": "20000"}]}, r["lines"][0])
        self.assertEqual([2, 4, 2, 2], [len(r["lines"]), r["count"], r["roles"]["S"], r["stacks"]])
        self.assertEqual(FOLDED.splitlines(), r["samples"])

    def test_try_chooses_the_named_format_the_only_one_or_the_guessed_one(self):
        self.write("two.yaml", RPROF + "  other: {use: lines, options: {sample: '^(?<stack>a)$'}}\n")
        self.assertIn("Stacks: 2\n", self.good("format", "try", "rprof-1.out", "-f", "two.yaml").out)
        r = self.brazier("format", "try", "rprof-1.out", "-f", "two.yaml", "--format", "other")
        self.assertEqual(1, r.code, r)
        self.assertIn("Stacks: 0\n", r.out)
        self.write(".brazier.yaml", RPROF)
        self.assertIn("Stacks: 2\n", self.good("format", "try", "rprof-1.out").out)

    def test_try_uses_colours_on_a_terminal(self):
        code, shown = self.on_terminal("format", "try", "rprof-1.out", "-f", "f.yaml")
        self.assertEqual(0, code, shown)
        self.assertIn("\x1b[36mH     1", shown)
        code, shown = self.on_terminal("format", "try", "rprof-1.out", "-f", "f.yaml", env={"NO_COLOR": "1"})
        self.assertNotIn("\x1b", shown)

    def test_control_characters_of_a_file_are_visible(self):
        self.write("rprof-1.out", PROFILE + "\x1b[31moops\n")
        self.assertIn("\\x1b[31moops\n", self.brazier("format", "try", "rprof-1.out", "-f", "f.yaml").out)

    def test_try_refuses_what_it_cannot_use(self):
        self.write("empty", "")
        self.write("binary", bytes(range(32)) * 40)
        self.write("p.folded", common.STACKS)
        for code, message, args in ((1, "empty: the input is empty", ["empty", "-f", "f.yaml"]),
                                    (1, "binary: is binary", ["binary", "-f", "f.yaml"]),
                                    (1, "cannot open 'none'", ["none", "-f", "f.yaml"]),
                                    (2, "no option '--fromat'; did you mean '--format'?", ["p.folded", "--fromat", "x"]),
                                    (2, "--lines is a whole number, not 'x'", ["p.folded", "--lines", "x"]),
                                    (2, "one FILE is enough, 'b' is too many", ["p.folded", "b"]),
                                    (2, "which file? brazier format try FILE", []),
                                    (2, "no format 'rprf' in f.yaml, which has rprof; did you mean 'rprof'?",
                                     ["rprof-1.out", "-f", "f.yaml", "--format", "rprf"]),
                                    (2, "the collapser of the format 'folded' does not say which lines it uses", ["p.folded"]),
                                    (2, "cannot open", ["p.folded", "-f", "none.yaml"])):
            self.assertIn(message, self.fails(code, "format", "try", *args).err)
        self.assertIn("no command 'format nwe'; did you mean 'new'?", self.fails(2, "format", "nwe").err)

    def test_a_closed_pipe_ends_the_program_quietly(self):
        self.write("long.out", PROFILE * 20000)
        r = self.in_shell('"$0" format try long.out -f f.yaml --lines 80000 | head -1')
        self.assertEqual(("H     1  sample.interval=20000\n", ""), (r.out, r.err))


if __name__ == "__main__":
    common.main()
