#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests hostile checkouts: a found configuration cannot do what it must not."""
import contextlib
import itertools
import os
import re
import shutil
import socket
import subprocess
import sys
import threading

import common
from common import STACKS

ALLOWED = "(this file was found, not named; --trust-config or --config allows it)"
PERF = "a 1 1.0: 1 cycles:\n\t  401136 main+0x1 (/bin/a)\n  {}:1\n\n"


def pipeline(rest):
    return "pipelines:\n  default:\n    " + rest + "\n"


def limited(*lines):
    return pipeline("\n    ".join(lines))


def to(name, use="folded"):
    return pipeline(f"outputs: [{{use: {use}, to: {name}}}]")


class Hostile(common.Case):
    shares = False  # a plug-in that is loaded stays as it is

    def setUp(self):
        super().setUp()
        self.secret = self.write(".ssh/id_rsa", "PRIVATE KEY\n", self.home)
        self.precious = self.write(".bashrc", "precious\n", self.home)
        self.write("p.folded", STACKS)
        self.before = self.outside()

    def outside(self):
        """Returns all names and contents outside of the checkout."""
        return {str(p): p.read_bytes() if p.is_file() else p.stat().st_mode
                for p in self.top.rglob("*")
                if self.dir not in [p, *p.parents] and not p.is_symlink()}

    @contextlib.contextmanager
    def repeating(self, step):
        """Repeats a step in the background."""
        stop = threading.Event()

        def work():
            while not stop.is_set():
                step()

        t = threading.Thread(target=work)
        t.start()
        try:
            yield
        finally:
            stop.set()
            t.join()

    def swapping(self, a, b, third):
        """Swaps two names, as fast as possible. Moves a folder away that brazier creates meanwhile."""
        made = itertools.count()

        def swap():
            for old, new in ((a, third), (b, a), (third, b)):
                while os.path.lexists(old):
                    try:
                        os.rename(old, new)
                    except OSError:
                        os.rename(new, f"{third}-{next(made)}")
        return self.repeating(swap)

    def config(self, text, folder=None):
        return self.write(".brazier.yaml", text, folder)

    def refused(self, why, line=3, *args, file="p.folded", **more):
        """Runs the default pipeline, which must be refused at that line and write nothing."""
        there = self.files()
        r = self.fails(2, "run", file, *args, **more)
        self.assertRegex(r.err, rf"\.brazier\.yaml:{line}:\d+: error: refused: ")
        self.assertIn(why, r.err)
        self.assertIn(ALLOWED, r.err)
        self.assertEqual("", r.out)
        self.assertEqual(there, self.files())
        self.assertEqual(self.before, self.outside())
        check = self.fails(2, "config", "check")
        self.assertIn(why, check.err)
        self.assertIn(why, self.brazier("config", "show", "default").err)
        self.assertIn(why, self.brazier("config", "show").err)
        return r


class Outputs(Hostile):
    def test_an_absolute_path(self):
        self.config(to(self.precious))
        self.refused("lies outside of this file's folder")

    def test_dots_that_lead_out(self):
        self.config(to("../home/.bashrc"))
        self.refused("has '..' in it")

    def test_dots_anywhere(self):
        (self.dir / "sub").mkdir()
        for name in ("sub/../../home/x.folded", "sub/../x.folded", "./../x.folded", "sub/..", ".."):
            self.config(to(name))
            self.refused("has '..' in it")

    def test_a_symbolic_link(self):
        (self.dir / "link.folded").symlink_to(self.precious)
        self.config(to("link.folded"))
        self.refused("leads through a symbolic link")
        self.assertTrue((self.dir / "link.folded").is_symlink())

    def test_a_link_that_leads_nowhere_yet(self):
        (self.dir / "link.folded").symlink_to(self.home / "new.folded")
        self.config(to("link.folded"))
        self.refused("leads through a symbolic link")

    def test_a_linked_folder(self):
        (self.dir / "out").symlink_to(self.home)
        (self.dir / "a").mkdir()
        (self.dir / "a" / "b").symlink_to(self.home)
        for name in ("out/x.folded", "a/b/x.folded", "out/./x.folded", "a//b//x.folded"):
            self.config(to(name))
            self.refused("leads through a symbolic link")

    def test_links_of_the_kernel(self):
        for name in ("/proc/self/cwd/x.folded", "/proc/self/fd/1", "/dev/stdout", "/dev/stderr",
                     "/dev/fd/1", "/dev/full"):
            self.config(to(name))
            self.refused("lies outside of this file's folder")

    def test_a_folder_for_a_file(self):
        (self.dir / "d.folded").mkdir()
        for name in (".", "./", "d.folded", "d.folded/", "new.folded/", f"{self.dir}"):
            self.config(to(name))
            self.refused("is not a regular file")

    def test_a_pipe_or_a_socket(self):
        os.mkfifo(self.dir / "pipe.folded")
        s = socket.socket(socket.AF_UNIX)
        self.addCleanup(s.close)
        here = os.getcwd()
        os.chdir(self.dir)
        s.bind("socket.folded")
        os.chdir(here)
        for name in ("pipe.folded", "socket.folded"):
            self.config(to(name))
            self.refused("is not a regular file")

    def test_hidden_files_and_folders(self):
        (self.dir / ".git" / "hooks").mkdir(parents=True)
        for name in (".git/hooks/pre-commit", ".git/x.folded", ".git/config", ".envrc",
                     ".brazier.yaml", ".x.folded", "./.x.folded", ".GIT/x.folded", "git~1/x.folded",
                     "GIT~1/x.folded", "'\u200c.git/x.folded'", "'\ufeff.x.folded'"):
            self.config(to(name))
            self.refused("is hidden")

    def test_names_that_no_output_has(self):
        for name in ("Makefile", "brazier.yaml", "setup.py", "venv/x.pth", "x.svg", "folded",
                     "x.folded.sh"):
            self.config(to(name))
            self.refused("does not end like a file of 'folded' (.folded, .collapsed, .txt)")

    def test_an_executable_file(self):
        tool = self.write("tool.txt", "#!/bin/sh\n")
        tool.chmod(0o755)
        self.config(to("tool.txt"))
        self.refused("is an executable file")
        self.assertEqual("#!/bin/sh\n", self.read("tool.txt"))

    def test_an_input(self):
        for name in ("p.folded", "./p.folded", f"{self.dir}/p.folded"):
            self.config(to(name))
            self.assertIn("is an input too", self.fails(2, "run", "p.folded").err)
            self.config(pipeline(f"inputs: p.folded\n    outputs: [{{use: folded, to: {name}}}]"))
            self.assertIn("is an input too", self.fails(2, "config", "check").err)
        self.assertEqual(STACKS, self.read("p.folded"))

    def test_a_path_that_is_too_long(self):
        self.config(to("a/" * 2500 + "x.folded"))
        self.refused("is too long")

    def test_a_hard_link_is_replaced_and_not_written_through(self):
        os.link(self.precious, self.dir / "hard.folded")
        self.config(to("hard.folded"))
        self.good("run", "p.folded")
        self.assertEqual("precious\n", self.precious.read_text())
        self.assertIn("main;emit 10", self.read("hard.folded"))

    def test_the_second_of_two(self):
        self.config(pipeline("outputs:\n      - {use: folded, to: good.folded}\n"
                             f"      - {{use: folded, to: {self.precious}}}"))
        self.refused("lies outside of this file's folder", 5)

    def test_an_anchor_is_no_way_around(self):
        self.config(f"palettes: {{x: &p {{use: hot, only: '{self.precious}'}}}}\n"
                    f"pipelines:\n  other: &o {{outputs: [&t {{use: folded, to: {self.precious}}}]}}\n"
                    "  default: *o\n")
        self.refused("lies outside of this file's folder")

    def test_parts_of_a_pipeline_of_the_user(self):
        self.write(".config/brazier/config.yaml", to("mine.folded"), self.home)
        self.before = self.outside()
        self.config(to(self.precious))
        self.refused("lies outside of this file's folder")

    def test_a_shipped_pipeline(self):
        self.config(f"pipelines:\n  flame:\n    outputs: [{{use: svg, to: {self.home}/x.svg}}]\n")
        r = self.fails(2, "run", "flame", "p.folded")
        self.assertIn("lies outside of this file's folder", r.err)
        self.assertEqual(self.before, self.outside())

    def test_from_a_folder_below(self):
        (self.dir / "a" / ".hidden").mkdir(parents=True)
        self.config(to("x.folded"))
        self.good("run", "../p.folded", cwd=self.dir / "a")
        self.assertIn("main;emit 10", self.read("a/x.folded"))
        self.config(to("../x.folded"))
        self.assertIn("has '..' in it",
                      self.fails(2, "run", "../p.folded", cwd=self.dir / "a").err)
        self.config(to("x.folded"))
        self.assertIn("is hidden",
                      self.fails(2, "run", "../../p.folded", cwd=self.dir / "a/.hidden").err)

    def test_the_users_own_configuration(self):
        hostile = self.home / ".config" / "brazier"
        hostile.mkdir(parents=True)
        self.before = self.outside()
        self.write("c.folded", "x: [y] # 1\n")
        self.config(to(hostile / "config.yaml"))
        self.refused("lies outside", file="c.folded")

    def test_a_project_that_is_the_home_folder(self):
        self.write("p.folded", STACKS, self.home)
        for name in (".config/brazier/config.yaml", ".bashrc", ".profile", "bin/brazier"):
            self.config(to(name), self.home)
            r = self.fails(2, "run", "p.folded", cwd=self.home)
            self.assertIn(ALLOWED, r.err)
        self.assertEqual("precious\n", self.precious.read_text())

    def test_a_swapped_folder(self):
        """Tests that swapping a folder and a link as fast as possible has no effect."""
        inner, outer = self.dir / "out", self.dir / "swap"
        inner.mkdir()
        outer.symlink_to(self.home)
        self.config(to("out/x.folded"))
        with self.swapping(inner, outer, self.dir / "third"):
            for _ in range(60):
                self.assertIn(self.brazier("run", "p.folded").code, (0, 1, 2))
        self.assertEqual(self.before, self.outside())

    def test_a_swapped_file(self):
        name, link = self.dir / "x.folded", self.dir / "link"
        self.config(to("x.folded"))

        def swap():
            link.symlink_to(self.home / "x.folded")
            os.rename(link, name)

        with self.repeating(swap):
            for _ in range(60):
                self.assertIn(self.brazier("run", "p.folded").code, (0, 1, 2))
        self.assertEqual(self.before, self.outside())


class Inputs(Hostile):
    def test_a_file_elsewhere(self):
        (self.dir / "link").symlink_to("/etc/passwd")
        (self.dir / "etc").symlink_to("/etc")
        (self.dir / "sub").mkdir()
        for name, why in (("/etc/passwd", "lies outside"), ("link", "symbolic link"),
                          ("etc/passwd", "symbolic link"), ("../home/.ssh/id_rsa", "'..'"),
                          ("[p.folded, sub/../../x]", "'..'"), ("sub", "not a regular file"),
                          ("/proc/self/environ", "lies outside"), ("/dev/stdin", "lies outside"),
                          (".git/config", "is hidden"), (".env", "is hidden")):
            self.config(pipeline(f"inputs: {name}\n    outputs: [{{use: folded, to: x.folded}}]"))
            r = self.fails(2, "run", "default")
            self.assertRegex(r.err, r"\.brazier\.yaml:3:\d+: error: refused: ")
            self.assertIn(why, r.err)
            self.assertIn(why, self.fails(2, "config", "check").err)
        self.assertNotIn("x.folded", self.files())

    def test_a_pipe(self):
        os.mkfifo(self.dir / "pipe")
        self.config(pipeline("inputs: pipe"))
        self.assertIn("is not a regular file", self.fails(2, "run", "default", timeout=60).err)

    def test_inputs_of_the_command_line_are_the_users(self):
        self.write("mine.folded", STACKS, self.home)
        self.config(pipeline("inputs: /etc/passwd\n    outputs: [{use: folded, to: x.folded}]"))
        self.good("run", self.home / "mine.folded")
        self.assertIn("main;emit 10", self.read("x.folded"))

    def test_a_file_below(self):
        self.write("in/q.folded", STACKS)
        for name in ("in/q.folded", "./in//q.folded", f"{self.dir}/in/q.folded"):
            self.config(pipeline(f"inputs: {name}\n    outputs: [{{use: folded, to: x.folded}}]"))
            self.good("run", "default")

    def test_standard_input(self):
        self.config(pipeline("inputs: '-'\n    outputs: [{use: folded, to: '-'}]"))
        self.assertIn("main;emit 10", self.good("run", "default", stdin=STACKS).out)


class OtherFiles(Hostile):
    def test_a_palette_map_elsewhere(self):
        (self.dir / "link.map").symlink_to(self.home / "new.map")
        for name, why in ((self.home / "new.map", "lies outside"), ("../new.map", "'..'"),
                          ("link.map", "symbolic link"), (".git/x.map", "is hidden"),
                          ("colours", "does not end in '.map'"), ("sub/../../x.map", "'..'")):
            self.config(pipeline(f"palette-map: {name}\n    outputs: [{{use: svg, to: x.svg}}]"))
            self.refused(why)

    def test_a_palette_map_below(self):
        (self.dir / "maps").mkdir()
        self.config(pipeline("palette-map: maps/a.map\n    outputs: [{use: svg, to: x.svg}]"))
        self.good("run", "p.folded")
        self.assertIn("main->rgb(", self.read("maps/a.map"))
        self.write("maps/a.map", "main->rgb(1,2,3)\n")
        self.good("run", "p.folded")
        self.assertIn("#010203", self.read("x.svg"))

    def test_palette_maps_of_the_command_line_are_the_users(self):
        self.config(pipeline("palette-map: /x.map\n    outputs: [{use: svg, to: x.svg}]"))
        self.good("run", "p.folded", "--palette-map", self.home / "mine.map")

    def source(self, folder, top=False):
        option = f"{{source: {folder}}}"
        text = pipeline("collapse: {use: perf, options: {srcline: true}}\n    outputs: [{use: html, "
                        f"to: x.html{'' if top else ', options: ' + option}}}]")
        self.config((f"options: {{html: {option}}}\n" if top else "") + text)

    def test_sources_elsewhere(self):
        self.write("p.txt", PERF.format(self.secret))
        (self.dir / "link").symlink_to(self.home)
        for top in (False, True):
            for name, why in ((self.home, "lies outside"), ("..", "'..'"), ("../..", "'..'"),
                              ("link", "symbolic link"), ("link/.ssh", "is hidden"),
                              ("/", "lies outside"), (".git", "is hidden")):
                self.source(name, top)
                r = self.fails(2, "run", "p.txt")
                self.assertIn(why, r.err)
                self.assertIn(ALLOWED, r.err)
                self.assertNotIn("x.html", self.files())
                self.assertIn(why, self.fails(2, "config", "check").err)

    def test_options_for_other_commands(self):
        self.config(f"options: {{svg: {{nameattr: {self.secret}}}}}\n")
        r = self.fails(2, "flamegraph", "p.folded")
        self.assertRegex(r.err, r"\.brazier\.yaml:1:\d+: error: refused: ")

    def test_sources_below(self):
        self.write("src/a.c", "hello source\n")
        self.write("p.txt", PERF.format("/build/src/a.c"))
        for name in ("src", "./src/", ".", self.dir):
            self.source(name)
            self.good("run", "p.txt")
            self.assertTrue("hello source" in self.read("x.html"))


class Sources(Hostile):
    """Tests an untrusted input with a source folder that the user chose."""

    def setUp(self):
        super().setUp()
        self.src = self.dir / "src"
        self.write("a.c", "shown\n", self.src)

    def page(self, *names):
        self.write("p.txt", "".join(PERF.format(name) for name in names))
        r = self.brazier("run", "-f", "perf", "--set", "perf.srcline=true", "p.txt", "-o", "x.html",
                         "--set", f"html.source={self.src}")
        self.assertEqual(0, r.code, r)
        return self.read("x.html")

    def test_links_that_lead_out(self):
        (self.src / "out").symlink_to(self.home)
        (self.src / "key.c").symlink_to(self.secret)
        (self.src / "up.c").symlink_to("../../home/.ssh/id_rsa")
        page = self.page("/b/out/.ssh/id_rsa", "key.c", "up.c", "/b/a.c")
        self.assertTrue("shown" in page)
        self.assertFalse("PRIVATE" in page)

    def test_names_that_lead_out(self):
        page = self.page(self.secret, "../../home/.ssh/id_rsa", "x/../../../home/.ssh/id_rsa",
                         f"/../../..{self.secret}", "src/../../../home/.ssh/id_rsa")
        self.assertFalse("PRIVATE" in page)

    def test_links_that_stay_inside(self):
        (self.src / "sub").mkdir()
        (self.src / "sub" / "link.c").symlink_to("../a.c")
        self.assertTrue("shown" in self.page("/b/sub/link.c"))

    def test_secrets_of_the_folder_itself(self):
        for name in (".env", ".git/config", ".git/x/y.c", "a/.git/config", ".netrc", "b/.npmrc",
                     ".GIT/config"):
            self.write(name, "PRIVATE\n", self.src)
        (self.src / "alias.c").symlink_to(".env")
        (self.src / "git").symlink_to(".git")
        page = self.page("/b/.env", "/b/.git/config", ".git/x/y.c", "a/.git/config", ".netrc",
                         "b/.npmrc", ".GIT/config", "alias.c", "git/config")
        self.assertFalse("PRIVATE" in page)

    def test_sources_in_hidden_folders(self):
        self.write(".venv/lib/x.py", "shown\n", self.src)
        self.assertTrue("shown" in self.page("/b/.venv/lib/x.py"))

    def test_special_files(self):
        os.mkfifo(self.src / "pipe.c")
        (self.src / "zero.c").symlink_to("/dev/zero")
        (self.src / "d.c").mkdir()
        self.page("pipe.c", "zero.c", "d.c", "/dev/zero", "/dev/stdin")

    def test_a_swapped_folder(self):
        inner, outer = self.src / "sub", self.src / "swap"
        self.write("id_rsa", "shown\n", inner)
        self.write("id_rsa", "PRIVATE\n", self.home)
        outer.symlink_to(self.home)
        with self.swapping(inner, outer, self.src / "third"):
            for _ in range(40):
                self.assertFalse("PRIVATE" in self.page("sub/id_rsa"))


class Isolation(Hostile):
    def isolated(self, *args):
        r = self.brazier("config", "show", "default", *args)
        self.assertEqual(0, r.code, r)
        return "isolate: true" in r.out, r.err

    def mine(self, wish):
        self.write(".config/brazier/config.yaml", pipeline(f"isolate: {wish}"), self.home)

    def test_a_project_does_not_undo_it(self):
        self.mine("true")
        self.config(pipeline("isolate: false"))
        on, said = self.isolated()
        self.assertTrue(on)
        self.assertRegex(said, r"\.brazier\.yaml:3:14: warning: ignored: ")
        self.assertIn("--no-isolate or --trust-config", said)

    def test_a_project_does_not_undo_it_by_saying_nothing(self):
        self.mine("true")
        for text in ("pipelines:\n", "pipelines: {default: }\n", "pipelines: {default: ~}\n",
                     pipeline("isolate:"), pipeline("isolate: maybe")):
            self.config(text)
            self.assertTrue(self.isolated()[0], text)

    def test_a_pipeline_that_is_called_like_an_input(self):
        """Tests that isolation holds for all pipelines: the first word of a run may be a pipeline's
        name."""
        self.mine("true")
        self.config("pipelines:\n  p.folded:\n    inputs: p.folded\n    isolate: false\n")
        r = self.brazier("config", "show", "p.folded")
        self.assertIn("isolate: true", r.out)
        self.config("pipelines:\n  p.folded: {inputs: p.folded}\n  default: {isolate: false}\n")
        self.assertIn("isolate: true", self.brazier("config", "show", "p.folded").out)
        self.assertNotIn("isolate", self.brazier("config", "show", "p.folded", "--trust-config").out)

    def test_a_mistake_of_the_users_is_not_a_way_to_undo_it(self):
        self.mine("yes")
        self.config(pipeline("isolate: false"))
        self.assertIn("isolate is true or false", self.fails(2, "run", "p.folded").err)

    def test_a_project_may_ask_for_it(self):
        self.mine("false")
        self.config(pipeline("isolate: true"))
        self.assertEqual((True, ""), self.isolated())

    def test_who_is_trusted_and_the_command_line_may_undo_it(self):
        self.mine("true")
        self.config(pipeline("isolate: false"))
        self.assertEqual((False, ""), self.isolated("--trust-config"))
        self.assertEqual((False, ""), self.isolated("--config", ".brazier.yaml"))


class Limits(Hostile):
    def shown(self, *args, name="default"):
        r = self.brazier("config", "show", name, *args)
        self.assertEqual(0, r.code, r)
        return re.findall(r"^ +(max-.*?)  # ", r.out, re.M), r.err

    def mine(self, *lines):
        self.write(".config/brazier/config.yaml", limited(*lines), self.home)

    def test_a_project_does_not_raise_them(self):
        self.mine("max-memory: 1K", "max-time: 2s")
        self.config(limited("max-memory: 2K", "max-time: 1min"))
        limits, said = self.shown()
        self.assertEqual(["max-memory: 1024", "max-time: 2s"], limits)
        for option in ("--max-memory", "--max-time"):
            self.assertIn(f"{option} or --trust-config", said)

    def test_a_project_does_not_raise_them_by_saying_nothing(self):
        self.mine("max-memory: 1K")
        for text in ("pipelines:\n", "pipelines: {default: ~}\n", pipeline("max-memory:"),
                     pipeline("max-memory: much")):
            self.config(text)
            self.assertEqual(["max-memory: 1024"], self.shown()[0], text)

    def test_a_pipeline_that_is_called_like_an_input(self):
        self.mine("max-time: 2s")
        self.config("pipelines:\n  p.folded: {inputs: p.folded, max-time: 1h}\n")
        self.assertEqual(["max-time: 2s"], self.shown(name="p.folded")[0])
        self.assertEqual(["max-time: 3600s"], self.shown("--trust-config", name="p.folded")[0])

    def test_a_mistake_of_the_users_is_not_a_way_to_raise_them(self):
        self.mine("max-time: soon")
        self.config(pipeline("max-time: 1h"))
        self.assertIn("max-time is a duration", self.fails(2, "run", "p.folded").err)

    def test_a_project_may_lower_them(self):
        self.mine("max-memory: 2K", "max-time: 2s")
        self.config(limited("max-memory: 1K", "max-time: 1s"))
        self.assertEqual((["max-memory: 1024", "max-time: 1s"], ""), self.shown())

    def test_who_is_trusted_may_raise_them(self):
        self.mine("max-time: 2s")
        self.config(pipeline("max-time: 1min"))
        self.assertEqual((["max-time: 60s"], ""), self.shown("--trust-config"))
        self.assertEqual((["max-time: 60s"], ""), self.shown("--config", ".brazier.yaml"))


class Trusted(Hostile):
    def test_trust_lifts_all_of_it(self):
        self.config(to(self.home / "x.txt"))
        for args in (("--trust-config",), ("--config", ".brazier.yaml")):
            self.good("run", "p.folded", *args)
            self.assertIn("main;emit 10", (self.home / "x.txt").read_text())
            (self.home / "x.txt").unlink()
        self.good("config", "check", "--trust-config")

    def test_outputs_of_the_command_line_are_the_users(self):
        (self.dir / "link.folded").symlink_to(self.home / "linked.folded")
        self.config(to("/x.folded"))
        self.good("run", "p.folded", "-o", self.home / "mine.folded", "-o", "link.folded")
        self.assertTrue((self.home / "linked.folded").exists())

    def test_the_users_own_configuration_may_write_anywhere(self):
        self.write(".config/brazier/config.yaml", to(self.home / "mine.folded"), self.home)
        self.good("run", "p.folded")

    def test_a_good_project_needs_no_trust(self):
        (self.dir / "out").mkdir()
        self.config(pipeline("outputs:\n      - {use: svg, to: out/flame.svg}\n"
                             "      - {use: speedscope, to: p.speedscope.json}\n"
                             f"      - {{use: html, to: {self.dir}/out/page.html}}"))
        for _ in range(2):
            self.good("run", "p.folded")
        self.good("config", "check")
        self.assertEqual([".brazier.yaml", "out/flame.svg", "out/page.html", "p.folded",
                          "p.speedscope.json"], self.files())

    def test_a_replaced_file_keeps_its_mode(self):
        self.write("x.folded", "old").chmod(0o640)
        self.config(to("x.folded"))
        self.good("run", "p.folded")
        self.assertEqual(0o640, (self.dir / "x.folded").stat().st_mode & 0o7777)


class Files(Hostile):
    def test_a_file_that_everybody_can_write_is_ignored(self):
        self.config("options: {svg: {title: strange}}\n").chmod(0o666)
        r = self.brazier("flamegraph", "p.folded")
        self.assertEqual(0, r.code)
        self.assertIn("can be written by everybody: ignored", r.err)
        self.assertNotIn("strange", r.out)
        self.assertIn("strange", self.good("flamegraph", "p.folded", "--trust-config").out)

    def test_a_file_that_cannot_be_read_is_reported(self):
        if os.geteuid() == 0:
            self.skipTest("root reads all files")
        self.config("version: 1\n").chmod(0)
        self.assertIn("cannot open", self.fails(1, "flamegraph", "p.folded").err)

    def test_a_link_that_leads_nowhere_is_no_file(self):
        (self.dir / ".brazier.yaml").symlink_to("nowhere")
        self.good("flamegraph", "p.folded")

    def test_a_link_is_ignored(self):
        """Tests that no line of a linked file is shown: it may be a secret that must not be in a
        log."""
        (self.dir / ".brazier.yaml").symlink_to(self.secret)
        r = self.brazier("flamegraph", "p.folded")
        self.assertEqual(0, r.code, r)
        self.assertIn(".brazier.yaml is a symbolic link: ignored", r.err)
        self.assertNotIn("PRIVATE", r.err)
        self.assertNotIn("PRIVATE", self.fails(2, "config", "check", ".brazier.yaml").err)

    def test_a_link_that_is_trusted_is_used(self):
        self.write("mine.yaml", "options: {svg: {title: strange}}\n", self.home)
        (self.dir / ".brazier.yaml").symlink_to(self.home / "mine.yaml")
        for args in (("--trust-config",), ("--config", ".brazier.yaml")):
            self.assertIn("strange", self.good("flamegraph", "p.folded", *args).out)


class ShippedPipelines(Hostile):
    """Tests links with the names of the files that the shipped pipelines write."""

    def test_they_do_not_write_through_a_link(self):
        for name, pipeline in (("flame.svg", "flame"), ("flame.folded", "flame"),
                               ("icicle.svg", "icicle"), ("callers.svg", "callers")):
            with self.subTest(name):
                link = self.dir / name
                link.symlink_to(self.precious)
                r = self.fails(2, "run", pipeline, "p.folded")
                self.assertIn(f"refused: '{name}' leads through a symbolic link", r.err)
                self.assertIn("-o FILE does", r.err)
                self.assertEqual(self.before, self.outside())
                link.unlink()

    def test_they_follow_no_link_where_the_folder_has_no_path(self):
        """Tests a path of more than 4096 bytes, which the system cannot return."""
        target = self.home / "new.svg"
        name = "d" * 200
        script = (f"import os, sys\nfor i in range(25):\n    os.mkdir('{name}')\n"
                  f"    os.chdir('{name}')\n"
                  "os.symlink(sys.argv[1], 'flame.svg')\n"
                  "open('p.folded', 'w').write('main;emit 10\\n')\n"
                  "os.execv(sys.argv[2], sys.argv[2:])\n")
        r = subprocess.run([sys.executable, "-c", script, str(target), str(common.BRAZIER), "run",
                            "flame", "p.folded"], cwd=self.dir, env=self.environment(),
                           capture_output=True, text=True, timeout=120)
        self.assertEqual(2, r.returncode, r)
        self.assertIn("refused: 'flame.svg' leads through a symbolic link", r.stderr)
        self.assertFalse(target.exists())

    def test_they_write_where_nothing_is_in_the_way(self):
        self.good("run", "flame", "p.folded")
        self.good("run", "flame", "p.folded")
        self.assertIn("main;emit 10", (self.dir / "flame.folded").read_text())

    def test_an_output_that_the_command_line_names_follows_links(self):
        target = self.write("target.folded", "")
        (self.dir / "link.folded").symlink_to(target)
        self.good("run", "flame", "p.folded", "-o", "link.folded")
        self.assertIn("main;emit 10", target.read_text())


class Checking(Hostile):
    def test_a_file_that_would_be_found_is_checked_as_one(self):
        for name in (".brazier.yaml", "brazier.yaml", "sub/.brazier.yaml"):
            self.write(name, to(self.precious))
            r = self.fails(2, "config", "check", name)
            self.assertRegex(r.err, rf"^{name}:3:\d+: error: refused: ")
            self.good("config", "check", name, "--trust-config")

    def test_a_pipe_of_that_name_is_not_waited_for(self):
        os.mkfifo(self.dir / ".brazier.yaml")
        r = self.fails(2, "config", "check", ".brazier.yaml", timeout=60)
        self.assertIn("cannot open '.brazier.yaml'", r.err)
        (self.dir / "sub" / "brazier.yaml").mkdir(parents=True)
        r = self.fails(2, "config", "check", "sub/brazier.yaml")
        self.assertIn("Is a directory", r.err)

    def test_a_file_elsewhere_is_checked_from_its_folder(self):
        self.write(".brazier.yaml", to("x.folded"))
        self.good("config", "check", self.dir / ".brazier.yaml", cwd=self.home)
        self.write(".brazier.yaml", to(self.precious))
        r = self.fails(2, "config", "check", self.dir / ".brazier.yaml", cwd=self.home)
        self.assertIn("lies outside", r.err)

    def test_another_file_is_checked_as_one_that_is_named(self):
        self.write("mine.yaml", to(self.home / "x.folded"))
        self.good("config", "check", "mine.yaml")

    def test_looking_into_a_file_loads_none_of_its_code(self):
        plugin = self.dir / "output-mine.so"
        shutil.copy(common.PLUGINS / "output-folded.so", plugin)
        plugin.chmod(0o755)
        self.config(f"plugins: [{plugin}]\n" + to("x.folded", "folded@output-mine"))
        r = self.brazier("config", "check", ".brazier.yaml")
        self.assertIn(":1:1: warning: ignored: this file was found, not named", r.err)
        self.assertIn("folded@output-mine", r.err)
        self.assertNotIn(str(plugin), self.brazier("plugin", "list", "--json").out)

    def test_show_writes_no_control_characters(self):
        self.config('pipelines:\n  "a\\e[31m\\nX": {weight: "\\e]0;x\\a\\x9b31m", isolate: true}\n')
        for args in ((), ("a\x1b[31m\nX",)):
            r = self.brazier("config", "show", *args)
            self.assertEqual(0, r.code, r)
            for text in (r.out, r.err):
                self.assertEqual([], [c for c in text if c < " " and c != "\n" or "\x7f" <= c < "\xa0"])

    def test_names_of_files_with_control_characters_are_refused(self):
        """A terminal that lists the folder later would obey them."""
        for part in ('palette-map: "\\e[2J.map"', 'inputs: "\\e[2J"', 'outputs: [{use: folded, to: "a\\e[2J.folded"}]',
                     'outputs: [{use: folded, to: "a\\nb/x.folded"}]', 'outputs: [{use: folded, to: "a\\x9b.folded"}]',
                     'outputs: [{use: folded, to: "a\\x7f.folded"}]'):
            self.config(f"pipelines: {{default: {{{part}}}}}\n")
            for words in (("config", "check"), ("run",)):
                r = self.fails(2, *words, stdin="a;b 1\n")
                self.assertIn("has a control character in it", r.err)
                self.assertEqual([], [c for c in r.err if c < " " and c != "\n" or "\x7f" <= c < "\xa0"])
        self.assertEqual([".brazier.yaml"], [f for f in self.files() if "folded" not in f or "\x1b" in f])

    def test_folders_of_outputs_are_made_below_the_projects_folder(self):
        self.config("pipelines: {default: {outputs: [{use: folded, to: out/deep/x.folded}]}}\n")
        self.good("run", stdin="a;b 1\n")
        self.assertEqual("a;b 1\n", self.read("out/deep/x.folded"))
        (self.dir / "link").symlink_to(self.home)
        self.config("pipelines: {default: {outputs: [{use: folded, to: link/made/x.folded}]}}\n")
        self.assertIn("symbolic link", self.fails(2, "run", stdin="a;b 1\n").err)
        self.assertFalse((self.home / "made").exists())

    def test_folders_of_outputs_of_a_named_file_are_made_below_the_working_directory(self):
        output = "pipelines: {{default: {{outputs: [{{use: folded, to: '{}'}}]}}}}\n"
        self.write("c/named.yaml", output.format("out//deep/./x.folded"))
        self.good("--config", "c/named.yaml", "run", stdin="a;b 1\n")
        self.assertEqual("a;b 1\n", self.read("out/deep/x.folded"))
        self.config(output.format("trusted/x.folded"))
        self.good("--trust-config", "run", stdin="a;b 1\n")
        self.assertEqual("a;b 1\n", self.read("trusted/x.folded"))
        split = output.replace("outputs", "split-by: process, outputs")
        self.write("c/named.yaml", split.format("parts/deep/{process}.folded"))
        self.good("--config", "c/named.yaml", "run", stdin=common.THREADS_PERF)
        self.assertEqual(["node-1421.folded"], [f.name for f in (self.dir / "parts/deep").iterdir()])
        self.write("file", "")
        for name, why in ((self.home / "made/x.folded", "does not exist"), ("c/../made/x.folded", "does not exist"),
                          ("file/x.folded", "Not a directory"), ("file/made/x.folded", "Not a directory")):
            self.write("c/named.yaml", output.format(name))
            self.assertIn(why, self.fails(1, "--config", "c/named.yaml", "run", stdin="a;b 1\n").err)
        self.assertFalse((self.home / "made").exists() or (self.dir / "made").exists())
        self.assertIn("does not exist", self.fails(1, "run", "-o", "made/x.folded", stdin="a;b 1\n").err)

    def test_show_says_which_file_is_bounded(self):
        self.config("version: 1\n")
        bounds = "#   found, not named: it reads and writes below its folder"
        self.assertIn(f"# {self.dir}/.brazier.yaml\n{bounds}", self.good("config", "show").out)
        self.assertNotIn(bounds, self.good("config", "show", "--trust-config").out)


if __name__ == "__main__":
    common.main()
