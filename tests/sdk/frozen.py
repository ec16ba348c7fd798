#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests plug-ins and hosts of different versions: the recorded ABI holds, plug-ins built from the
headers of every recorded minor work with the current host, and plug-ins of other majors and of newer
minors are rejected with both versions.

    abi/vN.abi                  types of the newest minor, as printed by abidw
    abi/vN.M/include            headers of a recorded minor
            /collapse.c …       a plug-in of each kind, built with these headers only
            /tests/NAME.txt     inputs
            /tests/NAME.out     expected results (--update writes them)
"""
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

import common

ABI = common.SOURCE / "abi"
sys.path.insert(0, str(ABI))
import make  # noqa: E402

BASELINE = ABI / f"v{common.ABI_MAJOR}.abi"
FROZEN = sorted(ABI.glob("v*.*/"), key=lambda p: [int(n) for n in p.name[1:].split(".")])
CURRENT = ABI / f"v{common.ABI_MAJOR}.{common.ABI_MINOR}"

KINDS = ("collapse", "palette", "output", "transform")


# Commands of each frozen plug-in: the result's name, and the words of the command.
RUNS = [
    ("lines", ["collapse", "guess", "TESTS/lines.txt"]),
    ("lines-second-weight", ["collapse", "guess", "-w", "cost", "TESTS/lines.txt"]),
    ("lines-options", ["collapse", "frozen", "--mark", "--least", "1", "--factor", "2.5", "--root",
                       "R", "--order", "leaf", "--size", "1M", "--duration", "2s", "--color",
                       "#ffffff", "--skip", "_irq", "--skip", "deep", "TESTS/lines.txt"]),
    ("calls", ["collapse", "guess", "TESTS/calls.txt"]),
    ("calls-second-weight", ["collapse", "frozen-calls", "-w", "size", "TESTS/calls.txt"]),
    ("picture", ["run", "TESTS/lines.txt", "--set", "frozen.mark=true", "-p", "frozen", "-t",
                 "frozen"]),
    ("picture-shy", ["run", "TESTS/lines.txt", "--set", "frozen.shy=true", "-p", "frozen,blue",
                     "-t", "frozen", "--set", "blue.numbers=hash"]),
    ("comparison", ["diff", "TESTS/before.folded", "TESTS/after.folded", "-p", "frozen", "-t",
                    "frozen"]),
    ("no-header", ["collapse", "frozen", "TESTS/calls.txt"]),
    ("in-order", ["collapse", "frozen", "--in-order", "TESTS/lines.txt"]),
    ("bad-options", ["collapse", "frozen", "--root", "R", "--skip", "deep", "--skip", "R",
                     "TESTS/lines.txt"]),
    ("samples", ["run", "TESTS/calls.txt", "-t", "frozen-samples"]),
    ("samples-of-a-part", ["run", "TESTS/calls.txt", "--only", "thread=1", "-t", "frozen-samples"]),
    ("transformed", ["run", "TESTS/lines.txt", "--transform", "frozen", "--drop", "wor", "--least",
                     "1", "-t", "folded"]),
    ("transformed-root", ["run", "TESTS/lines.txt", "--transform", "frozen", "--drop", "deep",
                          "--set", "frozen.root-file=TESTS/names.txt", "-t", "folded"]),
    ("transformed-no-file", ["run", "TESTS/lines.txt", "--transform", "frozen", "--set",
                             "frozen.root-file=/nonexistent/names.txt", "-t", "folded"]),
]

# Ways to run that must not affect the result.
WAYS = [["-j1"], ["-j1", "--chunk-size", "64"], ["-j3", "--range-size", "1"],
        ["--isolate", "--sysroot", "/"]]


def has_abidiff():
    return shutil.which("abidw") and shutil.which("abidiff")


class Changed:
    """Copies the headers with replacements."""

    def __init__(self, folder, header=None, replace=()):
        self.include = folder / "include"
        shutil.copytree(common.INCLUDE, self.include)
        for name, old, new in replace if header is None else [(header, *r) for r in replace]:
            path = self.include / "brazier" / name
            text = path.read_text()
            assert old in text, f"{name} has no {old!r}"
            path.write_text(text.replace(old, new, 1))


# Structs that never grow: they are passed by value, or are part of another one.
FIXED = {"brz_str", "brz_strlist", "brz_plugin_note"}


def longer_structs(folder):
    """Returns a copy of the headers in which each struct has a further member, as of a later minor."""
    include = folder / "longer"
    shutil.copytree(common.INCLUDE, include)
    n = 0
    for header in common.INTERFACE_HEADERS:
        path = include / "brazier" / f"{header}.h"
        text = path.read_text()
        for name in re.findall(r"^(?:typedef )?struct (\w+) \{", text, re.M):
            if name not in FIXED:
                text, found = re.subn(rf"(^(?:typedef )?struct {name} \{{\n(?:.*\n)*?)(^\}})",
                                      r"\1    uint64_t later[5];\n\2", text, count=1, flags=re.M)
                n += found
        path.write_text(text)
    assert n > 30, n
    return include


class Baseline(common.Case):
    """Compares abi/vN.abi with the headers."""

    def difference(self, include):
        """Returns abidiff's report on headers compared with the baseline, or None if they agree."""
        written = self.dir / "now.abi"
        make.write_abi(include, written)
        p = subprocess.run(["abidiff", "--harmless", str(BASELINE), str(written)], capture_output=True, text=True)
        return None if p.returncode == 0 else p.stdout

    def setUp(self):
        super().setUp()
        if not has_abidiff():
            self.skipTest("abidw and abidiff are missing (abigail-tools)")
        if not common.IS_X86_64:
            self.skipTest("what is written down is of another machine")

    def test_the_types_are_those_that_were_written_down(self):
        self.assertIsNone(self.difference(common.INCLUDE), f"""
The ABI is not what {BASELINE.name} says. If that is meant: raise BRZ_ABI_MINOR in <brazier/base.h>,
add rows to abi_layout.c, then ./dev abi""")

    def test_the_frozen_headers_of_this_minor_are_those_that_were_written_down(self):
        self.assertIsNone(self.difference(CURRENT / "include"))

    def test_each_sort_of_change_is_noticed(self):
        changes = {
            "a member more at the end": [("host.h", "brz_str content);\n};", "brz_str content);\n"
                                          "    void (*more)(brz_ctx *);\n};")],
            "a member inserted": [("tree.h", "    int64_t self; ", "    int64_t more, self; ")],
            "two members exchanged": [("tree.h", "    int64_t self; ", "    int64_t swap; "),
                                      ("tree.h", "    int64_t total;    /**<",
                                       "    int64_t self;    /**<"),
                                      ("tree.h", "    int64_t swap; ", "    int64_t total; ")],
            "another type": [("collapser.h", "    int32_t score;", "    uint32_t score;")],
            "another parameter": [("palette.h", "brz_rc (*prepare)(brz_palette_ctx *, const brz_tree *)",
                                   "brz_rc (*prepare)(brz_ctx *, brz_tree *)")],
            "another number": [("base.h", "typedef uint32_t brz_stack;",
                                "typedef int32_t brz_stack;")],
            "a member renamed": [("option.h", "size_t offset;", "size_t place;")],
        }
        for what, replace in changes.items():
            with self.subTest(what):
                folder = self.dir / what.replace(" ", "-")
                self.assertIsNotNone(self.difference(Changed(folder, replace=replace).include))


class Written(unittest.TestCase):
    """Checks that abi/ is complete."""

    def test_the_headers_of_this_minor_are_there(self):
        self.assertTrue(BASELINE.exists() and CURRENT.is_dir(), "run ./dev abi")
        self.assertEqual((common.ABI_MAJOR, common.ABI_MINOR),
                         common.version_of(CURRENT / "include"))

    def test_no_minor_was_left_out(self):
        minors = [int(p.name.split(".")[1]) for p in FROZEN
                  if p.name.startswith(f"v{common.ABI_MAJOR}.")]
        self.assertEqual(list(range(common.ABI_MINOR + 1)), minors)

    def test_each_minor_has_a_plugin_of_each_kind(self):
        for folder in FROZEN:
            for kind in KINDS:
                self.assertTrue((folder / f"{kind}.c").exists(), folder)

    def test_the_probe_has_every_public_struct(self):
        probe = (ABI / "probe.c").read_text()
        for header in common.INTERFACE_HEADERS:
            text = (common.INCLUDE / "brazier" / f"{header}.h").read_text()
            for name in re.findall(r"^(?:typedef )?struct (\w+) \{", text, re.M):
                self.assertIn(f"TYPE({name})", probe)

    def test_what_was_released_is_not_written_over(self):
        p = subprocess.run([sys.executable, ABI / "make.py"], capture_output=True, text=True)
        self.assertEqual(1, p.returncode)
        self.assertIn("raise BRZ_ABI_MINOR first", p.stderr)


class OldPlugins(common.Case):
    """Runs the plug-ins of every frozen minor in the current host."""

    def build(self, folder, include=None):
        for kind in KINDS:
            to = self.dir / "plugins" / f"frozen-{kind}.so"
            to.parent.mkdir(exist_ok=True)
            subprocess.run([common.CC, "-std=c11", "-O1", "-shared", "-fPIC", "-fvisibility=hidden",
                            f"-I{include or folder / 'include'}", str(folder / f"{kind}.c"), "-o",
                            str(to)], check=True)
            to.chmod(0o755)
        return self.dir / "plugins"

    def printed(self, folder, plugins, words):
        p = self.brazier("--plugin-dir", plugins, *(w.replace("TESTS", str(folder / "tests"))
                                                    for w in words))
        text = f"{p.stdout}{p.stderr}[{p.returncode}]\n"
        return text.replace(str(folder / "tests") + "/", "")

    def test_plugins_of_each_minor_do_what_they_did(self):
        for folder in FROZEN:
            if common.version_of(folder / "include")[0] != common.ABI_MAJOR:
                continue  # belongs to a major that this host does not support
            plugins = self.build(folder)
            for name, words in RUNS:
                with self.subTest(minor=folder.name, run=name):
                    expected = folder / "tests" / f"{name}.out"
                    printed = self.printed(folder, plugins, words)
                    if common.Transcripts.UPDATE:
                        expected.write_text(printed)
                    self.assertMultiLineEqual(expected.read_text(), printed)
                    for way in WAYS:
                        self.assertMultiLineEqual(printed, self.printed(folder, plugins, words + way))

    def test_longer_structs_change_nothing(self):
        plugins = self.build(CURRENT, longer_structs(self.dir))
        for name, words in RUNS:
            with self.subTest(run=name):
                expected = (CURRENT / "tests" / f"{name}.out").read_text()
                self.assertMultiLineEqual(expected, self.printed(CURRENT, plugins, words))

    def test_their_plugins_have_no_warnings_today(self):
        for kind in KINDS:
            common.compile_plugin(CURRENT / f"{kind}.c", self.dir / f"{kind}.so", "-Wextra",
                                  "-Wconversion", "-Wshadow")


# Changes that a later minor could make.
NEXT_MINOR = [
    ("base.h", f"#define BRZ_ABI_MINOR {common.ABI_MINOR}",
     f"#define BRZ_ABI_MINOR {common.ABI_MINOR + 1}"),
    ("collapser.h", "    const void *(*offer)(const char *id);\n} brz_collapser;",
     "    const void *(*offer)(const char *id);\n"
     f"#if BRZ_TARGET_MINOR >= {common.ABI_MINOR + 1}\n"
     "    brz_rc (*reopen)(brz_ctx *);\n"
     "#endif\n} brz_collapser;"),
    ("host.h", "uint32_t flags, brz_related_file *);\n",
     "uint32_t flags, brz_related_file *);\n"
     f"#if BRZ_TARGET_MINOR >= {common.ABI_MINOR + 1}\n"
     "    void (*sing)(brz_ctx *);\n"
     "#endif\n"),
]


class NewPlugins(common.Case):
    """Runs plug-ins built from the headers of a later minor in the current host."""

    def setUp(self):
        super().setUp()
        self.input = self.write("in.folded", "a;b 1\na;c 2\n")
        self.newer = Changed(self.dir, replace=NEXT_MINOR).include

    def make(self, target, text):
        source = self.write("newer.c", f'#include "{common.HERE}/zoo/zoo.h"\n{text}')
        path = self.dir / "newer.so"
        flags = [] if target is None else [f"-DBRZ_TARGET_MINOR={target}"]
        subprocess.run([common.CC, "-std=c11", "-shared", "-fPIC", "-fvisibility=hidden", "-w",
                        f"-I{self.newer}", *flags, str(source), "-o", str(path)], check=True)
        path.chmod(0o755)
        return path

    PLAIN = ("static const brz_collapser collapser = {COLLAPSER};\n"
             "static const brz_component component = {COMPONENT};\nZOO_PLUGIN\n")

    def test_one_that_uses_nothing_new_works(self):
        path = self.make(None, self.PLAIN)
        p = self.brazier("--plugin", path, "collapse", "zoo", self.input)
        self.assertEqual((0, "lines 2\n", ""), (p.returncode, p.stdout, p.stderr))

    def test_one_that_uses_what_is_new_is_refused_with_both_versions_and_the_remedy(self):
        minor = common.ABI_MINOR
        path = self.make(minor + 1, self.PLAIN)
        p = self.brazier("--plugin", path, "collapse", "zoo", self.input)
        self.assertEqual(2, p.returncode)
        version = self.brazier("--version").stdout.split()[1]
        self.assertIn(
            f"plug-in {path} is not used: note: needs plug-in ABI {common.ABI_MAJOR}.{minor + 1}, "
            f"this is brazier {version} with ABI {common.ABI_MAJOR}.{minor}; update brazier or "
            f"rebuild with -DBRZ_TARGET_MINOR={minor}\n", p.stderr)

    def test_the_remedy_works(self):
        path = self.make(common.ABI_MINOR, self.PLAIN)
        p = self.brazier("--plugin", path, "collapse", "zoo", self.input)
        self.assertEqual((0, "lines 2\n"), (p.returncode, p.stdout))

    def test_what_is_new_does_not_exist_for_who_did_not_ask_for_it(self):
        with self.assertRaises(subprocess.CalledProcessError):
            self.make(common.ABI_MINOR, "static const brz_collapser c = {.reopen = 0};\n")

    def test_what_is_new_is_found_missing_by_who_asks_the_host(self):
        path = self.make(common.ABI_MINOR, """
static brz_rc ask(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    brz_frame f = ctx->host->intern(ctx, "none", 4);
    *used = chunk->len;
    if (ctx->host->struct_size >
        offsetof(brz_collapser_host, save) + sizeof ctx->host->save)
        f = ctx->host->intern(ctx, "more", 4);
    return ctx->host->emit(ctx, &f, 1, 1, 0);
}
static const brz_collapser collapser = {COLLAPSER, .parse = ask};
static const brz_component component = {COMPONENT};
ZOO_PLUGIN
""")
        p = self.brazier("--plugin", path, "collapse", "zoo", self.input)
        self.assertEqual((0, "none 1\n"), (p.returncode, p.stdout))


class OtherMajors(common.Case):
    """Gives plug-ins of other majors to the current host."""

    def refusal(self, major, minor):
        """Builds a plug-in for a version of the ABI. Returns what a run that names it says."""
        replace = [("base.h", f"#define BRZ_ABI_{word} {old}\n", f"#define BRZ_ABI_{word} {new}\n")
                   for word, old, new in [("MAJOR", common.ABI_MAJOR, major),
                                          ("MINOR", common.ABI_MINOR, minor)]]
        path = self.dir / "other.so"
        subprocess.run([common.CC, "-std=c11", "-shared", "-fPIC", "-fvisibility=hidden", "-w",
                        f"-DBRZ_TARGET_MINOR={minor}",
                        f"-I{Changed(self.dir, replace=replace).include}",
                        str(common.HERE / "zoo/good.c"), "-o", str(path)], check=True)
        path.chmod(0o755)
        p = self.brazier("--plugin", path, "collapse", "zoo", self.write("in.folded", "a;b 1\n"))
        self.assertEqual(2, p.returncode)
        version = self.brazier("--version").stdout.split()[1]
        begin = (f"brazier: warning: plug-in {path} is not used: note: needs plug-in ABI "
                 f"{major}.{minor}, this is brazier {version} with ABI "
                 f"{common.ABI_MAJOR}.{common.ABI_MINOR}; ")
        line = p.stderr.splitlines()[0]
        self.assertTrue(line.startswith(begin), p.stderr)
        return line[len(begin):]

    def test_a_plugin_of_the_preview_is_refused_with_one_sentence(self):
        self.assertEqual("rebuild it with this brazier's headers", self.refusal(0, 1))

    def test_a_plugin_of_the_next_major_is_refused_with_one_sentence(self):
        self.assertEqual("update brazier, or rebuild it with this brazier's headers",
                         self.refusal(common.ABI_MAJOR + 1, 3))


if __name__ == "__main__":
    common.main()
