#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the documentation: examples run, options exist, configurations are valid, links resolve,
manual pages have no errors."""
import collections
import re
import shutil
import subprocess
import unittest

import common
import tools
from common import SOURCE

DOCS = SOURCE / "docs"
PAGES = sorted(p for p in [*SOURCE.glob("*.md"), *DOCS.rglob("*.md"), *SOURCE.glob("sdk/**/*.md")])
MAN = DOCS / "man"

FILES = {
    "perf.txt": common.PERF,
    "stacks.folded": common.STACKS,
    "before.folded": "main;emit 30\nmain;parse 65\n",
    "after.folded": "main;emit 10\nmain;parse 65\nmain;wait 20\n",
}


def blocks(page, language):
    """Yields (line, text) of each block of code in a language."""
    text = page.read_text()
    for match in re.finditer(rf"^```{language}\n(.*?)^```$", text, re.M | re.S):
        yield text[:match.start()].count("\n") + 2, match.group(1)


class Docs(common.Case):
    # ---- options ----

    def options_of(self, command):
        """Returns the options in --help, except those of components."""
        out = self.good(*([command] if command else []), "--help").out
        found = set()
        for section in out.split("\n\n"):
            if section.startswith("Options of"):
                continue
            for letter, name in re.findall(r"^ +(?:-(\w), )?--(?:\[no-\])?([a-z0-9-]+)", section,
                                           re.M):
                found |= {"--" + name} | ({"-" + letter} if letter else set())
            found |= set(re.findall(r"\[(--[a-z-]+)\]", section.split("\n")[0]))
        return found

    def all_options(self):
        every = set().union(*(self.options_of(c) for c in [None, *common.COMMANDS]))
        subcommands = self.good("plugin", "--help").out + self.good("config", "--help").out
        return every | set(re.findall(r"\[(--[a-z-]+)", subcommands))

    def test_every_option_is_in_the_pages_of_the_command_line_and_no_other(self):
        """Those of a run are in the page of components, which also has the ones of components, without dashes."""
        page = ((DOCS / "cli.md").read_text() + (DOCS / "components.md").read_text()).replace("[no-]", "")
        described = set()
        for cell in re.findall(r"^\| (`-(?:\\\||[^|])*) \|", page, re.M):
            described |= {word.split()[0] for word in re.findall(r"`(-[^`]+)`", cell)}
        self.assertEqual(set(), self.all_options() - described, "not in docs/cli.md or docs/components.md")
        self.assertEqual(set(), described - self.all_options(), "only in docs/cli.md or docs/components.md")

    def test_every_option_is_in_the_manual_page_and_no_other(self):
        page = (MAN / "brazier.1").read_text()
        described = set()
        for item in re.findall(r"^\.It (Fl .*)$", page, re.M):
            described |= {"-" + word.replace("\\-", "-")
                          for word in re.findall(r"Fl (\S+)", item)}
        self.assertEqual(set(), self.all_options() - described, "not in docs/man/brazier.1")
        self.assertEqual(set(), described - self.all_options(), "only in docs/man/brazier.1")

    def test_every_command_is_in_both(self):
        cli, man = (DOCS / "cli.md").read_text(), (MAN / "brazier.1").read_text()
        for command in common.COMMANDS:
            self.assertIn(f"\n## {command}\n", cli)
            self.assertIn(f"\n.It Cm {command}", man)
            for sub in re.findall(r"^([a-z]+) ", self.good(command, "--help").out, re.M):
                if command in ("plugin", "config"):
                    self.assertIn(f"brazier {command} {sub}", cli)

    # ---- configurations ----

    def test_every_yaml_is_a_good_configuration(self):
        checked = 0
        for page in PAGES:
            for line, text in blocks(page, "yaml"):
                shape = re.search(r"use: (lines|blocks|indented|calls)$", text, re.M)
                if shape and not (common.PLUGINS / f"collapse-{shape[1]}.so").exists():
                    continue
                with self.subTest(f"{page.relative_to(SOURCE)}:{line}"):
                    self.write("c.yaml", text)
                    r = self.brazier("config", "check", "c.yaml", "--no-plugins")
                    self.assertEqual((0, ""), (r.code, r.err), r)
                    checked += 1
        self.assertGreater(checked, 3)

    def test_the_manual_pages_example_is_a_good_configuration(self):
        text = (MAN / "brazier.yaml.5").read_text()
        self.write("c.yaml", text.split(".Bd -literal -offset indent\n")[1].split(".Ed\n")[0])
        self.good("config", "check", "c.yaml")

    def test_every_key_is_in_the_pages_of_the_configuration(self):
        page, man = (DOCS / "config.md").read_text(), (MAN / "brazier.yaml.5").read_text()
        for name in ("nonsense: 1", "pipelines: {a: {nonsense: 1}}"):
            self.write("c.yaml", name)
            self.assertIn("nonsense", self.fails(2, "config", "check", "c.yaml").err)
        schema = common.json.loads(self.good("config", "schema").out)
        keys = set(schema["properties"]) | set(schema["definitions"]["pipeline"]["properties"])
        for transform in schema["definitions"]["transform"]["anyOf"][1]["properties"]:
            keys.add(transform)
        for key in keys:
            self.assertIn(f"`{key}`", page, "docs/config.md")
            self.assertRegex(man, rf"\.It Ic {key}( |$|\n)", "docs/man/brazier.yaml.5")

    def test_every_key_of_formats_palettes_and_outputs_is_in_the_pages(self):
        schema = common.json.loads(self.good("config", "schema").out)["definitions"]
        for part, page in (("format", "formats-in-yaml.md"), ("palette", "palettes.md"), ("output", "config.md")):
            text = (DOCS / page).read_text()
            for form in schema[part].get("anyOf", [schema[part]]):
                properties = form.get("properties", {})
                inner = {f"{key}[].{name}" for key in properties for name in properties[key].get("items", {}).get("properties", {})}
                for key in {*properties, *inner}:
                    self.assertRegex(text, rf"`{re.escape(key)}`|(?m:^ *{re.escape(key)}: )|[{{ ]{re.escape(key)}: ", page)

    def test_every_option_is_in_the_page_of_components(self):
        options = common.json.loads(self.good("config", "schema", "--no-plugins").out)["properties"]["options"]["properties"]
        sections = collections.defaultdict(str)
        for name, text in re.findall(r"(?ms)^### (\S+)$(.*?)(?=^###? |\Z)", (DOCS / "components.md").read_text()):
            sections[name] += text  # components of two kinds may have one name
        for component, schema in options.items():
            for key, option in schema["properties"].items():
                if "description" in option:  # others are the beginning of several
                    self.assertIn(f"| `{key}` |", sections[component.split("@")[0]], component)

    def test_every_group_of_expressions_is_in_the_page_of_formats(self):
        names = re.findall(r'= "(\w+)"', (SOURCE / "plugins/collapse/text/groups.c").read_text())
        self.assertGreater(len(names), 15)
        page = (DOCS / "formats-in-yaml.md").read_text()
        for name in [*names, "weight"]:
            self.assertRegex(page, rf"(?m)^\|(?: group)? `(?:[^|]*`)?{name}`", name)

    # ---- examples ----

    def test_every_console_shows_what_happens(self):
        checked = 0
        for page in PAGES:
            for line, text in blocks(page, "console"):
                with self.subTest(f"{page.relative_to(SOURCE)}:{line}"):
                    self.check_console(text)
                    checked += 1
        self.assertGreater(checked, 10)

    def check_console(self, text):
        """Runs commands after "$ " and compares their output, first stdout, then stderr; "..."
        matches any lines."""
        for name, content in FILES.items():
            self.write(name, content)
        for step in re.split(r"^\$ ", text, flags=re.M)[1:]:
            command, _, want = step.partition("\n")
            p = subprocess.run(["bash", "-c", "set -o pipefail; " + command], cwd=self.dir,
                               env={**self.environment(),
                                    "PATH": f"{common.BRAZIER.parent}:/usr/bin:/bin"},
                               stdin=subprocess.DEVNULL, capture_output=True, text=True)
            pattern = re.escape(want).replace(re.escape("...\n"), "(?s:.*)")
            self.assertRegex(p.stdout + p.stderr, rf"\A{pattern}\Z", command)
            self.assertEqual("error: " in want, p.returncode != 0, command)

    # ---- links ----

    def anchors(self, page):
        for heading in re.findall(r"^#+ (.*)$", page.read_text(), re.M):
            yield re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")

    def test_tables_have_a_heading_and_no_gaps(self):
        """A row after a blank line is shown as text."""
        for page in sorted([*(SOURCE / "docs").rglob("*.md"), *SOURCE.glob("*.md")]):
            blocks = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S).split("\n\n")
            for block in blocks:
                rows = [line for line in block.splitlines() if line.startswith("|")]
                if rows:
                    self.assertRegex("\n".join(rows), r"\A\|.*\|\n\|[-:|]+\|(\n|\Z)", f"{page}: {rows[0]}")

    def test_every_link_leads_somewhere(self):
        for page in PAGES:
            text = re.sub(r"```.*?```", "", page.read_text(), flags=re.S)
            for target in re.findall(r"\]\(([^)\s]+)\)", text):
                if re.match(r"[a-z]+:", target):
                    continue
                file, _, anchor = target.partition("#")
                to = (page.parent / file).resolve() if file else page
                self.assertTrue(to.exists(), f"{page.relative_to(SOURCE)}: {target}")
                if anchor and to.suffix == ".md":
                    self.assertIn(anchor, set(self.anchors(to)),
                                  f"{page.relative_to(SOURCE)}: {target}")

    # ---- other tools ----

    def cases(self, section, name):
        """Yields the files that the name of a test in a row of docs/differences.md can refer to."""
        tests = SOURCE / "tests"
        name = name.replace("…", "*")
        formats = tests / "golden" / "collapse" / section.lower()
        yield from formats.glob(f"{name}.*")
        yield from (tests / "golden" / "palette").glob(f"{name}.*")
        yield from (tests / "golden" / "palette").glob(f"{name}.colors")
        if section == "All formats":
            yield from (tests / "golden" / "collapse").glob(f"*/{name}.*")
        if "/" in name:
            yield from tests.glob(f"{name}.py")
            yield from (tests / "golden").glob(f"{name}.*")
            yield from tests.glob(f"{name.replace('unit/', 'unit/*/test_')}.c")

    def test_each_difference_has_its_test(self):
        section, checked = "", 0
        for line in (DOCS / "differences.md").read_text().splitlines():
            section = line[3:] if line.startswith("## ") else section
            row = re.split(r"(?<!\\)\|", line)[1:-1]
            if len(row) < 3 or set(row[0]) <= set("-") or row[-1].strip() == "test":
                continue
            names = re.findall(r"`([^`]+)`", row[-1])
            self.assertNotEqual([], names, line)
            for name in names:
                self.assertTrue(any(self.cases(section, name)), f"{section}: no test {name}")
                checked += 1
        self.assertGreater(checked, 100)

    @unittest.skipUnless(tools.FOLDER.exists(), "built without the names of other tools")
    def test_each_tool_is_in_the_page_of_other_tools(self):
        table = re.findall(r"^\| (`[^|]*) \| `brazier|^\| (`flamegraph.pl`) \| the same",
                           (DOCS / "drop-in.md").read_text(), re.M)
        named = set(re.findall(r"`([^`]+)`", " ".join(a + b for a, b in table)))
        self.assertEqual({*tools.NAMES, *tools.RECORDERS}, named)

    # ---- the tour of the code ----

    def test_every_room_of_the_host_is_in_the_tour(self):
        tour = (DOCS / "architecture.md").read_text()
        folders = {p.parent for top in ("names", "core", "lib", "cli", "check", "record", "view", "web")
                   for p in (SOURCE / top).rglob("*.[ch]")}
        rooms = {str(f.relative_to(SOURCE)) for f in folders} - {"lib/include", "lib/example"}
        self.assertGreater(len(rooms), 15)
        self.assertEqual(set(), {r for r in rooms if not re.search(rf"## {r}\n|`{r}/?`", tour)})

    def test_every_file_that_the_tour_names_exists(self):
        tour = (DOCS / "architecture.md").read_text()
        named = set(re.findall(r"`(?:\w+/)*(\w+\.[ch])`", tour))
        there = {p.name for folder in ("names", "config", "core", "lib", "cli", "check", "record", "view", "web", "plugins", "sdk")
                 for p in (SOURCE / folder).rglob("*.[ch]")}
        self.assertGreater(len(named), 50)
        self.assertEqual(set(), named - there - {"cmd_NAME.c", "test_GROUP.c"})

    def test_every_folder_of_tests_is_in_the_tour(self):
        tour = (DOCS / "architecture.md").read_text()
        there = {f"tests/{p.parent.name}" for p in (SOURCE / "tests").glob("*/CMakeLists.txt")}
        self.assertGreater(len(there), 10)
        self.assertEqual(set(), there - set(re.findall(r"`(tests/\w+)`", tour)))

    # ---- manual pages ----

    @unittest.skipUnless(shutil.which("mandoc"), "no mandoc")
    def test_mandoc_finds_nothing_to_complain_about(self):
        for page in sorted(MAN.iterdir()):
            p = subprocess.run(["mandoc", "-Tlint", "-Wstyle", page], capture_output=True, text=True)
            said = [line for line in p.stdout.splitlines()
                    if "referenced manual not found" not in line and "Mdocdate" not in line]
            self.assertEqual([], said)

    @unittest.skipUnless(shutil.which("groff"), "no groff")
    def test_groff_has_no_warnings(self):
        for page in sorted(MAN.iterdir()):
            p = subprocess.run(["groff", "-ww", "-mandoc", "-Tutf8", "-z", page],
                               capture_output=True, text=True)
            self.assertEqual((0, ""), (p.returncode, p.stderr))


if __name__ == "__main__":
    common.main()
