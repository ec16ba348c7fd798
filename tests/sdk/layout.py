#!/usr/bin/env python3
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


def broken_structs(text):
    for name, start, end in structs(text):
        spans = []
        for at, declaration in declarations(text, start, end):
            yield f"{name}: 8 bytes before {declaration}", \
                text[:at] + "uint64_t inserted_; " + text[at:]
            if "(*" in declaration:
                call = text.index(")(", at) + 2
                yield f"{name}: a parameter more in {declaration}", \
                    text[:call] + "int more_, " + text[call:]
            elif re.match(r"u?int(32|64)_t", declaration):
                other = declaration[1:] if declaration[0] == "u" else "u" + declaration
                yield f"{name}: the other sign for {declaration}", \
                    text[:at] + other + text[at + len(declaration):]
            spans += [(at + a, at + b) for a, b in named_members(declaration)]
        for a, b in zip(spans, spans[1:]):
            yield f"{name}: {text[a[0]:a[1]]} and {text[b[0]:b[1]]} exchanged", exchange(text, a, b)
        yield f"{name}: a member more", text[:end] + "    uint64_t more_;\n" + text[end:]


def broken_values(text):
    for m in re.finditer(r"^#define (BRZ_\w+) +(\d\w*|UINT32_MAX|\(\d+u << \d+\)|\"[^\"]+\")$",
                         re.sub(r"[ \t]+$", "", text, flags=re.M), re.M):
        value = m[2][:-1] + 'x"' if m[2].startswith('"') else f"({m[2]} + 1)"
        yield f"another value of {m[1]}", re.sub(rf"(#define {m[1]} +)\S.*", rf"\g<1>{value}", text)


class Layout(common.Case):
    def run_table(self, compiler, include=common.INCLUDE, name="layout"):
        """Returns None if the table compiles and matches, otherwise the error. Most errors are found
        without a program to be made and run."""
        program = self.dir / name
        command = [compiler, *FLAGS, f"-I{include}", f"-I{common.INCLUDE}", str(TABLE)]
        for words in ([*command, "-fsyntax-only"], [*command, "-o", str(program)], [str(program)]):
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

    def notice_all_changes(self):
        self.assertIsNone(self.run_table("gcc"))
        changes = []
        for header in common.INTERFACE_HEADERS:
            text = without_comments((common.INCLUDE / "brazier" / f"{header}.h").read_text())
            changes += [(header, *change) for change in broken_structs(text)]
            changes += [(header, *change) for change in broken_values(text)]
        self.assertGreater(len(changes), 450)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            tried = list(pool.map(self.try_change, enumerate(changes)))
        self.assertEqual([], [what for _, what in tried if what])
        # A few changes break inline functions, which then fail to compile first; more of them would
        # mean that the test generates other things than changes of headers.
        self.assertGreater(sum(still_c for still_c, _ in tried), 0.85 * len(changes))
        print(f"[{len(changes)} changes] ", end="")

    def try_change(self, numbered):
        """Returns whether the table alone complains of the change, not the headers, and the change
        if nothing detects it. The changed header lies in front of the others."""
        number, (header, what, text) = numbered
        include = self.dir / str(number)
        (include / "brazier").mkdir(parents=True)
        (include / "brazier" / f"{header}.h").write_text(text)
        error = self.run_table("gcc", include, f"layout-{number}")
        shutil.rmtree(include)
        complaint = re.search(r"^\S*/(\w+)\.\w+:\d+:\d+: error: ", error or "", re.M)
        by_table = complaint is None or complaint[1] == TABLE.stem
        return by_table, None if error else f"{header}.h: {what}"

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
