#!/usr/bin/env python3
"""Tests formats that configurations define: names, guesses, options, messages, trust, shipped files."""
import json
import shutil
import subprocess

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
        self.assertRegex(shown, r"use: requests  # .*\.brazier\.yaml\n")
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
        self.assertIn(".brazier.yaml:3:16: error: no collapser 'mine'", r.err)

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


if __name__ == "__main__":
    common.main()
