#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the symbols of the shipped plug-ins and of the program: each plug-in exports one symbol and
imports only those of libc, but for optional plug-ins, which name their libraries here."""
import functools
import re
import subprocess
import unittest

import common

# The C and mathematical libraries, as named by glibc and musl, and the loader.
LIBRARIES = re.compile(r"(libc|libm|ld-linux[-\w]*|ld-musl-\w+|libc\.musl-\w+)\.so(\.\d+)?$")

# The program itself: a test may run it in an emulator.
PROGRAM = common.BUILD / "bin" / "brazier"

# The libraries of plug-ins that are built only where these are: see docs/dependencies.md.
PCRE2 = re.compile(r"libpcre2-8\.so\.\d+$")
OPTIONAL = {"collapse-perf-data.so": re.compile(r"lib(elf|dw|lzma|zstd)\.so\.\d+$"),
            "output-sqlite.so": re.compile(r"libsqlite3\.so\.\d+$"),
            **{f"collapse-{shape}.so": PCRE2 for shape in ("blocks", "calls", "indented", "lines")}}


@functools.lru_cache(None)
def outputs(*command):
    """Returns what a tool prints about each plug-in and about the program: {path: text}. It is started once for
    all of them, since its start takes longer than its work."""
    paths = [*map(str, sorted(common.PLUGINS.glob("*.so"))), str(PROGRAM)]
    text = subprocess.run([*command, *paths], capture_output=True, text=True, check=True).stdout
    parts = re.split(r"^(?:File: (.+)|(/.+):)$\n", text, flags=re.M)
    found = {file or nm: part for file, nm, part in zip(parts[1::3], parts[2::3], parts[3::3])}
    assert list(found) == paths, (command, list(found))
    return found


def output_of(path, *command):
    return outputs(*command)[str(path)]


def dynamic_symbols(path, which):
    """Returns (type, name with version) of the defined or undefined dynamic symbols."""
    text = output_of(path, "nm", "-D", f"--{which}-only", "--with-symbol-versions")
    return [tuple(line.split()[-2:]) for line in text.splitlines() if line]


def dynamic_section(path):
    """Returns [(tag, value)] of the dynamic section."""
    return re.findall(r"^\s*0x[0-9a-f]+ \((\w+)\)\s+(.*)$", output_of(path, "readelf", "-dW"), re.M)


class Symbols(common.Case):
    def each_plugin(self):
        found = sorted(common.PLUGINS.glob("*.so"))
        self.assertGreater(len(found), 5)
        for path in found:
            with self.subTest(plugin=path.name):
                yield path

    def test_a_plugin_exports_its_entry_alone(self):
        for path in self.each_plugin():
            names = [name.split("@")[0] for _, name in dynamic_symbols(path, "defined")]
            self.assertEqual([common.ENTRY], names)

    def test_the_entry_is_data_that_becomes_read_only(self):
        for path in self.each_plugin():
            line = next(x for x in output_of(path, "readelf", "-sW", "--dyn-syms").splitlines()
                        if x.endswith(f" {common.ENTRY}"))
            self.assertIn("OBJECT", line)
            section = re.search(rf"^\s*\[ *{line.split()[6]}\] (\S+)",
                                output_of(path, "readelf", "-SW"), re.M)[1]
            self.assertIn(section, (".data.rel.ro", ".rodata"))

    @unittest.skipIf(common.SANITIZED, "a sanitizer's runtime is there too")
    def test_a_plugin_needs_symbols_of_the_c_library_alone(self):
        for path in self.each_plugin():
            optional = OPTIONAL.get(path.name)
            for kind, name in dynamic_symbols(path, "undefined"):
                if kind != "w":
                    self.assertNotRegex(name, r"^_?brz_")
                    self.assertRegex(name, r"@(GLIBC|ELFUTILS|XZ)_|^\w+$" if optional else
                                     r"@GLIBC_|^\w+$")
            for tag, value in dynamic_section(path):
                library = re.search(r"\[(.*)\]", value)[1] if tag == "NEEDED" else "libc.so.6"
                if optional is None or not optional.match(library):
                    self.assertRegex(library, LIBRARIES)

    def test_a_plugin_has_no_text_relocations_and_no_runpath(self):
        for path in self.each_plugin():
            tags = {tag for tag, _ in dynamic_section(path)}
            self.assertEqual(set(), tags & {"TEXTREL", "RPATH", "RUNPATH"})
            flags = " ".join(v for tag, v in dynamic_section(path) if tag == "FLAGS")
            self.assertNotIn("TEXTREL", flags)

    @unittest.skipIf(common.SANITIZED, "not linked so with a sanitizer")
    def test_a_plugin_is_bound_at_once_and_stays(self):
        for path in self.each_plugin():
            flags = " ".join(v for tag, v in dynamic_section(path) if tag == "FLAGS_1")
            self.assertIn("NOW", flags)
            self.assertIn("NODELETE", flags)

    def test_the_stack_stays_without_code(self):
        for path in [*self.each_plugin(), PROGRAM]:
            stack = re.search(r"^\s*GNU_STACK\s.*\s(\w+)\s+0x\w+$",
                              output_of(path, "readelf", "-lW"), re.M)
            self.assertEqual("RW", stack[1])

    def sdk_version(self):
        """Returns the version of the SDK as the note has it."""
        header = (common.INCLUDE / "brazier/base.h").read_text()
        return int(re.search(r"#define BRZ_SDK_VERSION (\d+)", header)[1]).to_bytes(4, "little").hex()

    def test_a_plugin_has_the_note(self):
        for path in self.each_plugin():
            notes = output_of(path, "readelf", "-nW")
            self.assertRegex(notes, r"\.note\.brz\.plugin\n.*\n\s+brazier\s+0x0000000c")
            data = output_of(path, "readelf", "-x", ".note.brz.plugin")
            words = re.findall(r"^\s+0x[0-9a-f]+ ((?:[0-9a-f]+ ){1,4})", data, re.M)
            self.assertEqual("08000000 0c000000 01000000 6272617a 69657200 01000000 00000000 "
                             + self.sdk_version(),
                             "".join(words).strip())

    def test_the_program_exports_nothing_of_its_own(self):
        defined = dynamic_symbols(PROGRAM, "defined")
        self.assertEqual([], [name for _, name in defined if re.match(r"_?(brz|cli)_", name)])
        if not common.SANITIZED:
            # copies of the C library's variables, and the functions by which it notices that a
            # plug-in ends the process
            self.assertEqual(["_Exit", "_exit"],
                             sorted(name for _, name in defined if "@GLIBC_" not in name))


if __name__ == "__main__":
    common.main()
