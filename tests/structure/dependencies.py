#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the dependencies of the source tree: no circles between files, no include of a higher room.

A file and the header of the same name are one unit. Includes and calls are checked each for itself:
a header may declare the functions of several files, so includes do not show every dependency.
"""

import os
import re
import sys
import unittest
from collections import defaultdict
from pathlib import Path

SOURCE = Path(os.environ.get("BRAZIER_SOURCE", Path(__file__).resolve().parents[2]))

# The rooms of core, lowest first, and what lies on top of core.
ROOMS = ["names", "core/base", "core/input", "core/plugin", "core/profile", "core/sorted", "core/host", "core/collapse", "core/draw",
         "core/isolate", "core/report", "core/request", "core/config", "core/run", "record", "view", "web", "lib",
         "check/guard", "check/inputs", "check/contract", "check/drive", "check/tests", "check/report", "cli"]
# The rooms of plug-ins, lowest first.
PLUGIN_ROOMS = ["plugins/common", "plugins/common/names", "plugins/common/table", "plugins/common/json", "plugins/common/nesting",
                "plugins/common/dump", "plugins/common/fields", "plugins/common/call_graph", "plugins/common/off_cpu",
                "plugins/common/v8", "plugins/common/symbols", "plugins/common/symbols/elf",
                "plugins/common/symbols/dwarf", "plugins/common/symbols/unwind",
                "plugins/collapse/perf_data/process", "plugins/collapse/perf_data/file",
                "plugins/collapse/perf_data/stack", "plugins/collapse/perf_data/report",
                "plugins/collapse/perf_data"]
FOLDERS = ["names/*.[ch]", "core/*/*.[ch]", "lib/*.[ch]", "lib/include/*.h", "check/**/*.[ch]", "record/*.[ch]", "view/*.[ch]", "web/*.[ch]", "cli/**/*.[ch]",
           "plugins/**/*.[ch]", "sdk/examples/*/*.[ch]"]
# Folders whose files all lie in one of these rooms.
DIVIDED = ["core", "check"]
# Words that name a language or a foreign format, which core does not know.
FOREIGN = re.compile(
    r"\b(ocaml|rust|java|python|php|perl|ruby|swift|haskell|node\.?js|dotnet|golang|go tool|jfr|pprof|speedscope|v8|gperftools|"
    r"perf\.data|perf-data|perf script|perf record|dtrace|bpftrace|systemtap|xctrace|instruments|vtune|chrome|firefox|"
    r"callgrind|massif|heaptrack|hprof|jstack|gdb|lldb|strace|ftrace|stackprof|austin|py-spy|xdebug|perfetto|inferno|"
    r"flamegraph\.pl)\b", re.I)
# Words that are also the ids of shipped plug-ins, but do not name them, and what they name.
OTHER_MEANINGS = {
    ("core/collapse/condition.c", "json"): "a condition of the signatures",
    ("core/collapse/condition.c", "table"): "a condition of the signatures",
    ("core/config/schema.c", "chain"): "a definition of the schema",
    ("core/config/schema.c", "folded"): "a key of examples",
    ("core/host/services.c", "sample"): "a service",
    ("core/report/quality.c", "package"): "a member of the report in JSON",
    ("core/report/unnamed.c", "module"): "part of a message's code",
    ("core/request/run_option.c", "diffusion"): "an option of a run",
    ("core/request/run_option.c", "json"): "a form of reports",
    ("core/run/check_destinations.c", "html"): "part of a media type",
    ("core/run/check_destinations.c", "json"): "part of a media type",
}
# Rooms of plug-ins whose folders are all listed in PLUGIN_ROOMS.
DIVIDED_PLUGINS = ["plugins/common", "plugins/collapse/perf_data"]
INCLUDE_ROOTS = ["core", "lib", "lib/include", "cli", "."]

# A function that other files can call.
DEFINITION = re.compile(r"^(?!static\b|typedef\b|struct\b|enum\b|union\b|extern\b|#|\s)[\w*\s]*?\b(\w+)\("
                        r"[^;{}]*\)\s*\{", re.M)
COMMENT_OR_TEXT = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.S)


def unit(path):
    return str(path.with_suffix(""))


def room(unit_name, rooms=ROOMS):
    for r in sorted(rooms, key=len, reverse=True):
        if unit_name.startswith(r + "/"):
            return r
    return None


def plug_in(path):
    """The file or folder of a plug-in, or a room of what plug-ins share."""
    return path.parts[:3] if path.parts[0] in ("plugins", "sdk") else None


def shipped_ids():
    """The ids of all shipped plug-ins."""
    text = (SOURCE / "plugins/CMakeLists.txt").read_text()
    listed = re.findall(r"foreach\(\w+ IN ITEMS ([\w\s-]+)\)\s*brz_add_plugin", text)
    return set(re.findall(r"brz_add_plugin\(\w+ ([\w-]+)", text)) | set(" ".join(listed).split())


def names_in_literals(text):
    """The words of string literals, except those of sentences and of includes."""
    code = re.sub(r"^#include [^\n]*|/\*.*?\*/", " ", text, flags=re.M | re.S)
    literals = re.findall(r'"((?:\\.|[^"\\\n])*)"', code)
    return {word for t in literals if " " not in t for word in re.findall(r"[\w-]+", t)}


class Tree:
    """The source files, what they include, and what they define and name."""

    def __init__(self, source):
        self.source = source
        self.files = sorted({p.relative_to(source) for f in FOLDERS for p in source.glob(f)})
        self.text = {f: (source / f).read_text(errors="replace") for f in self.files}
        self.includes = defaultdict(set)  # unit -> units
        self.calls = defaultdict(set)
        for f in self.files:
            self.find_includes(f)
        self.find_calls()

    def resolve(self, file, name):
        for folder in [file.parent, *map(Path, INCLUDE_ROOTS)]:
            path = Path(os.path.normpath(folder / name))
            if path in self.text:
                return path
        return None

    def find_includes(self, file):
        for name in re.findall(r'^#include "([^"]+)"', self.text[file], re.M):
            path = self.resolve(file, name)
            if path is not None and unit(path) != unit(file):
                self.includes[unit(file)].add(unit(path))

    def find_calls(self):
        """Plug-ins may define functions of equal names: a name means the nearest one."""
        code = {f: COMMENT_OR_TEXT.sub(" ", t) for f, t in self.text.items() if f.suffix == ".c"}
        defined = defaultdict(set)
        for f, text in code.items():
            for name in DEFINITION.findall(text):
                defined[name].add(f)
        for f, text in code.items():
            own = set(re.findall(r"^static[^;{]*?\b(\w+)\(", text, re.M))
            for name in set(re.findall(r"\b[A-Za-z_]\w+\b", text)) & set(defined) - own:
                if f in defined[name]:
                    continue
                near = [{d for d in defined[name] if d.parent == f.parent},
                        {d for d in defined[name] if plug_in(f) and plug_in(d) == plug_in(f)},
                        {d for d in defined[name] if len(defined[name]) == 1
                         and (name.startswith(("brz_", "cli_")) or d.parts[:2] == ("plugins", "common"))}]
                self.calls[unit(f)] |= {unit(d) for d in next(filter(None, near), ())}


def circles(graph):
    """The strongly connected components of more than one node, by Tarjan's algorithm."""
    index, low, on, stack, found = {}, {}, set(), [], []
    for root in list(graph):
        if root in index:
            continue
        work = [(root, iter(sorted(graph[root])))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on.add(root)
        while work:
            node, targets = work[-1]
            for t in targets:
                if t not in index:
                    index[t] = low[t] = len(index)
                    stack.append(t)
                    on.add(t)
                    work.append((t, iter(sorted(graph.get(t, ())))))
                    break
                if t in on:
                    low[node] = min(low[node], index[t])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    members = []
                    while not members or members[-1] != node:
                        members.append(stack.pop())
                        on.discard(members[-1])
                    if len(members) > 1:
                        found.append(sorted(members))
    return sorted(found)


class Dependencies(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.tree = Tree(SOURCE)

    def test_the_tree_is_read(self):
        self.assertIn("core/base/buf", self.tree.includes["core/config/config"] |
                      self.tree.includes["core/plugin/options"])
        self.assertGreater(sum(map(len, self.tree.calls.values())), 500)

    def test_no_includes_form_a_circle(self):
        self.assertEqual([], circles(self.tree.includes))

    def test_no_calls_form_a_circle(self):
        self.assertEqual([], circles(self.tree.calls))

    def test_includes_and_calls_together_form_no_circle(self):
        """A header of shared state is named for the state, so that no file is a part of its own parts."""
        units = set(self.tree.includes) | set(self.tree.calls)
        self.assertEqual([], circles({u: self.tree.includes[u] | self.tree.calls[u] for u in units}))

    def above(self, graph, rooms):
        """The dependencies of files on files of higher rooms."""
        return [f"{u} on {t}" for u, targets in sorted(graph.items()) for t in sorted(targets)
                if room(u, rooms) and room(t, rooms)
                and rooms.index(room(t, rooms)) > rooms.index(room(u, rooms))]

    def test_no_file_includes_a_header_of_a_higher_room(self):
        self.assertEqual([], self.above(self.tree.includes, ROOMS))

    def test_no_file_of_a_plug_in_depends_on_a_higher_room(self):
        self.assertEqual([], self.above(self.tree.includes, PLUGIN_ROOMS))
        self.assertEqual([], self.above(self.tree.calls, PLUGIN_ROOMS))

    def test_no_format_includes_a_file_of_another(self):
        wrong = [f"{u} includes {t}" for u, targets in sorted(self.tree.includes.items())
                 for t in sorted(targets)
                 if u.startswith("plugins/collapse/") and t.startswith("plugins/collapse/")
                 and u.split("/")[2] != t.split("/")[2]]
        self.assertEqual([], wrong)

    def test_every_file_of_a_divided_folder_is_in_a_room(self):
        self.assertEqual([], [str(f) for f in self.tree.files
                              if f.parts[0] in DIVIDED and room(str(f)) != str(f.parent)])

    def test_plug_ins_and_examples_include_no_header_of_the_host(self):
        wrong = [f"{u} includes {t}" for u, targets in sorted(self.tree.includes.items())
                 for t in sorted(targets)
                 if u.startswith(("plugins/", "sdk/")) and room(t) not in (None, "names")]
        self.assertEqual([], wrong)

    def test_a_unit_test_lies_in_the_room_of_its_file(self):
        tests = [p.relative_to(SOURCE / "tests/unit") for p in SOURCE.glob("tests/unit/**/test_*.c")]
        self.assertGreater(len(tests), 70)
        wrong = [str(t) for t in tests if t.parent.name not in ("sdk", "check", "record", "view", "web", "plugins")
                 and not any(list((SOURCE / top / t.parent).glob(t.stem.removeprefix("test_") + ".[ch]")) for top in ("core", "."))]
        self.assertEqual([], wrong)

    def test_core_names_its_rooms_in_includes(self):
        for f in self.tree.files:
            if f.parts[0] == "core":
                for name in re.findall(r'^#include "([^"]+)"', self.tree.text[f], re.M):
                    self.assertIn("/", name, str(f))

    def test_core_names_no_language_and_no_foreign_format(self):
        """Sentences for the user, such as help texts, may."""
        code = {f: re.sub(r'"(?:\\.|[^"\\\n])*"', lambda m: "" if " " in m[0] else m[0], t)
                for f, t in self.tree.text.items() if f.parts[0] == "core"}
        self.assertEqual({}, {str(f): m[0] for f, t in code.items() if (m := FOREIGN.search(t))})

    def test_core_names_no_shipped_plug_in(self):
        """The defaults of a run are in config/defaults.h. Sentences for the user may name plug-ins."""
        ids = shipped_ids()
        self.assertLess({"svg", "hot", "folded", "perf-data"}, ids)
        found = {(str(f), word) for f, t in self.tree.text.items() if f.parts[0] == "core"
                 for word in names_in_literals(t) & ids}
        self.assertEqual(set(OTHER_MEANINGS), found)

    def test_every_folder_of_a_divided_plug_in_is_a_room(self):
        folders = {str(f.parent) for f in self.tree.files if str(f).startswith(tuple(p + "/" for p in DIVIDED_PLUGINS))}
        self.assertEqual(set(PLUGIN_ROOMS), folders)

    def test_a_circle_is_found(self):
        self.assertEqual([["a", "b", "c"]],
                         circles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}))


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=1))
