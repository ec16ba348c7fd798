#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests that the layout of the interface equals that in abi_layout.c, and that the table detects
every change."""
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import unittest

import common

TABLE = common.HERE / "abi_layout.c"
FLAGS = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]


def without_comments(text):
    return re.sub(r"/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m[0]), text, flags=re.S)


def structs(text):
    """Yields (name, beginning, end) of the members of each struct in a header."""
    for m in re.finditer(r"^(?:typedef )?struct (\w+) \{\n(.*?)^\}", text, re.M | re.S):
        yield m[1], m.start(2), m.end(2)


def declarations(text, start, end):
    """Yields (position, text) of each declaration of members."""
    for m in re.finditer(r"[^\s;][^;]*;", text[start:end]):
        yield start + m.start(), m[0]


def named_members(declaration):
    """Returns the positions of the names in "const char *a, *b;" or "void (*f)(int);"."""
    pointer = re.search(r"\(\*(\w+)\)", declaration)
    if pointer:
        return [pointer.span(1)]
    return [m.span(1) for m in re.finditer(r"(\w+)(?:\[\d+\])?(?=[,;])", declaration)]


def exchange(text, a, b):
    """Returns the text with two spans exchanged; `a` comes first."""
    return text[:a[0]] + text[b[0]:b[1]] + text[a[1]:b[0]] + text[a[0]:a[1]] + text[b[1]:]


class Change:
    """A change of one struct or value: the whole header with it, and the text that has changed."""

    def __init__(self, header, what, text, struct=None, value=None):
        self.header, self.what, self.text = header, what, text
        self.struct, self.value = struct, value


def broken_struct(text, name, start, end):
    """Yields what is changed in a struct, and the text with it."""
    spans = []
    for at, declaration in declarations(text, start, end):
        yield f"8 bytes before {declaration}", text[:at] + "uint64_t inserted_; " + text[at:]
        if "(*" in declaration:
            call = text.index(")(", at) + 2
            yield f"a parameter more in {declaration}", text[:call] + "int more_, " + text[call:]
        elif re.match(r"u?int(32|64)_t", declaration):
            other = declaration[1:] if declaration[0] == "u" else "u" + declaration
            yield f"the other sign for {declaration}", text[:at] + other + text[at + len(declaration):]
        spans += [(at + a, at + b) for a, b in named_members(declaration)]
    for a, b in zip(spans, spans[1:]):
        yield f"{text[a[0]:a[1]]} and {text[b[0]:b[1]]} exchanged", exchange(text, a, b)
    yield "a member more", text[:end] + "    uint64_t more_;\n" + text[end:]


def broken_structs(header, text):
    for name, start, end in structs(text):
        for what, changed in broken_struct(text, name, start, end):
            yield Change(header, f"{name}: {what}", changed, struct=name)


def broken_values(header, text):
    for m in re.finditer(r"^#define (BRZ_\w+) +(\d\w*|UINT32_MAX|\(\d+u << \d+\)|\"[^\"]+\")$",
                         re.sub(r"[ \t]+$", "", text, flags=re.M), re.M):
        value = m[2][:-1] + 'x"' if m[2].startswith('"') else f"({m[2]} + 1)"
        changed = re.sub(rf"(#define {m[1]} +)\S.*", rf"\g<1>{value}", text)
        yield Change(header, f"another value of {m[1]}", changed, value=(m[1], value, m[2]))


def header_text(header):
    return without_comments((common.INCLUDE / "brazier" / f"{header}.h").read_text())


def members_of(text, struct):
    return next(text[start:end] for name, start, end in structs(text) if name == struct)


class Together:
    """A source file with the rows of the table for many changes, each on lines of its own. A changed
    struct gets a tag of its own, and the rows of the struct are repeated for it. A changed value is
    defined for its rows only."""

    def __init__(self):
        self.lines = ["#include <brazier/plugin.h>"]
        self.definition, self.rows = {}, {}  # the change of a line
        table = TABLE.read_text()
        self.lines += re.findall(r"^#define (?:.*\\\n)*.*$", table, re.M)
        self.lines = "\n".join(self.lines).split("\n")
        self.table = [(m[1], " ".join(m[0].split())) for m in
                      re.finditer(r"^(?:SIZE|AT|AT_ARRAY|VALUE)\((\w+),.*?\);$", table, re.M | re.S)]

    def add_line(self, line, change, where):
        self.lines.append(line)
        where[len(self.lines)] = change

    def add_rows(self, name, instead, change):
        for row in [row for subject, row in self.table if subject == name]:
            self.add_line(re.sub(rf"\b{name}\b", instead, row, count=1), change, self.rows)

    def add_struct(self, text, struct, change):
        tag = f"changed{len(self.lines)}_"
        body = " ".join(members_of(text, struct).split())
        self.add_line(f"struct {tag} {{ {body} }};", change, self.definition)
        self.add_rows(struct, tag, change)

    def add_value(self, name, value, old, change):
        self.lines += [f"#undef {name}", f"#define {name} {value}"]
        self.add_rows(name, name, change)
        self.lines += [f"#undef {name}", f"#define {name} {old}"]

    def add(self, change):
        if change.struct:
            self.add_struct(change.text, change.struct, change)
        else:
            self.add_value(*change.value, change)

    def noticed(self, folder):
        """Returns the changes with which a row of the table fails, and nothing else."""
        source = folder / "together.c"
        source.write_text("\n".join(self.lines) + "\n")
        p = subprocess.run(["gcc", *FLAGS, "-fno-diagnostics-show-caret", "-ftrack-macro-expansion=0",
                            "-fsyntax-only", f"-I{common.INCLUDE}", str(source)],
                           capture_output=True, text=True)
        failed = {int(n) for n in re.findall(r"together\.c:(\d+):\d+: error: ", p.stderr)}
        bad = {self.definition[n] for n in failed & self.definition.keys()}
        return {self.rows[n] for n in failed & self.rows.keys()} - bad


class Layout(common.Case):
    def run_table(self, compiler, include=common.INCLUDE, name="layout"):
        """Returns None if the table compiles and matches, otherwise the error."""
        program = self.dir / name
        command = [compiler, *FLAGS, f"-I{include}", f"-I{common.INCLUDE}", str(TABLE)]
        for words in ([*command, "-o", str(program)], [str(program)]):
            p = subprocess.run(words, capture_output=True, text=True)
            if p.returncode:
                return p.stdout + p.stderr
        return None

    def test_sizes_offsets_types_and_values_are_those_of_the_table(self):
        for compiler in ("gcc", "clang"):
            if shutil.which(compiler):
                self.assertIsNone(self.run_table(compiler))

    def test_a_change_of_any_member_or_value_is_noticed(self):
        with common.unless_passed("layout", [pathlib.Path(__file__), TABLE], ["gcc"]) as must_run:
            if must_run:
                self.notice_all_changes()

    def test_rows_that_are_repeated_fail_for_changes_alone(self):
        together = Together()
        for header in common.INTERFACE_HEADERS:
            text = header_text(header)
            for name, _, _ in structs(text):
                together.add_struct(text, name, name)
            for change in broken_values(header, text):
                together.add_value(change.value[0], change.value[2], change.value[2], change)
        self.assertGreater(len(together.rows), 400)
        self.assertEqual(set(), together.noticed(self.dir))
        together.add_struct("struct brz_str {\n    const char *data; uint32_t len;\n}", "brz_str", "shorter")
        self.assertEqual({"shorter"}, together.noticed(self.dir))

    def notice_all_changes(self):
        """Tries the changes together. Those that no row of the table shows are tried one by one, with
        the changed header in front of the others: texts are compared when the program runs."""
        self.assertIsNone(self.run_table("gcc"))
        changes = []
        for header in common.INTERFACE_HEADERS:
            text = header_text(header)
            changes += [*broken_structs(header, text), *broken_values(header, text)]
        self.assertGreater(len(changes), 450)
        together = Together()
        for change in changes:
            together.add(change)
        noticed = together.noticed(self.dir)
        rest = [change for change in changes if change not in noticed]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            tried = list(pool.map(self.try_change, enumerate(rest)))
        self.assertEqual([], [what for _, what in tried if what])
        # A few changes break inline functions, which then fail to compile first; more of them would
        # mean that the test generates other things than changes of headers.
        self.assertGreater(len(noticed) + sum(by_table for by_table, _ in tried), 0.85 * len(changes))
        print(f"[{len(changes)} changes, {len(rest)} one by one] ", end="")

    def try_change(self, numbered):
        """Returns whether the table alone complains of the change, not the headers, and the change
        if nothing detects it."""
        number, change = numbered
        include = self.dir / str(number)
        (include / "brazier").mkdir(parents=True)
        (include / "brazier" / f"{change.header}.h").write_text(change.text)
        error = self.run_table("gcc", include, f"layout-{number}")
        shutil.rmtree(include)
        complaint = re.search(r"^\S*/(\w+)\.\w+:\d+:\d+: error: ", error or "", re.M)
        by_table = complaint is None or complaint[1] == TABLE.stem
        return by_table, None if error else f"{change.header}.h: {change.what}"

    def test_the_table_has_every_constant_of_the_interface(self):
        table = TABLE.read_text()
        for header in common.INTERFACE_HEADERS:
            text = without_comments((common.INCLUDE / "brazier" / f"{header}.h").read_text())
            for name in re.findall(r"^#define (BRZ_\w+)\(? +\S", text, re.M):
                if name not in ("BRZ_EXPORT", "BRZ_EXTERN_C", "BRZ_BEGIN_DECLS", "BRZ_END_DECLS",
                                "BRZ_PLUGIN_NOTE", "BRZ_PREFETCHING"):
                    self.assertRegex(table, rf"\b{name}\b")


if __name__ == "__main__":
    if common.IS_LP64:
        common.main()
    raise SystemExit(77)
