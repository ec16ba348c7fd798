#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the headers of the SDK with the compilers and languages that plug-ins may use.

All headers together, and the headers for C++, are compiled by each compiler. What depends less on the compiler is
compiled by some of them in turns, and by each one if BRAZIER_EXHAUSTIVE=1 is in the environment.
"""
import concurrent.futures
import functools
import os
import pathlib
import re
import shutil
import subprocess
import unittest

import common

# The headers are both C and C++, so they need C casts: -Wold-style-cast stays off.
WARNINGS = ["-Wall", "-Wextra", "-pedantic", "-Wshadow", "-Wconversion", "-Werror"]
# Flags that plug-in authors compile with: see test_plugins_of_each_kind_compile_without_a_warning.
AUTHORS = ["-Wall", "-Wextra", "-O2", "-Werror"]
# Warnings of clang's -Weverything that the headers do not avoid.
EVERYTHING_BUT = {
    "padded": "structs of the kits, which do not cross the interface, may have padding",
    "declaration-after-statement": "the headers are C11",
    "unsafe-buffer-usage": "the headers are C, which has nothing but pointers",
    "switch-default": "a switch over all values of a type needs no default",
    "pre-c11-compat": "the headers are C11",
    "c++98-compat": "the headers are C++17",
    "c++98-compat-pedantic": "the headers are C++17",
    "old-style-cast": "C has no other casts",
    "zero-as-null-pointer-constant": "C11 has no nullptr",
}
EVERY_HEADER = "every header"
LANGUAGES = [("c", "c11"), ("c", "c17"), ("c++", "c++17"), ("c++", "c++20")]
COMPILERS = {"c": ["gcc", "clang"], "c++": ["g++", "clang++"]}


def compile_text(compiler, language, standard, text, *flags):
    """Returns the compiler's messages; empty if it accepts the text."""
    # Unused static functions in an included file are not errors; compile as such, without
    # optimisation.
    p = subprocess.run([compiler, "-x", language, f"-std={standard}", *flags, "-fsyntax-only",
                        "-I", str(common.INCLUDE), "-"], input=text, capture_output=True, text=True)
    return p.stderr if p.returncode else ""


def compile_object(compiler, language, standard, text, *flags):
    """Returns the messages of a compiler that also optimises: some warnings need that."""
    p = subprocess.run([compiler, "-x", language, f"-std={standard}", *flags, "-fPIC", "-c", "-o", "/dev/null",
                        "-I", str(common.INCLUDE), "-"], input=text, capture_output=True, text=True)
    return p.stderr


@functools.lru_cache(None)
def can_compile(compiler, language, bits):
    """Returns whether there is such a compiler, with a standard library for that size of pointers."""
    if shutil.which(compiler) is None:
        return False
    text = "#include <cstdlib>\n" if language == "c++" else "#include <stdlib.h>\n"
    return compile_text(compiler, language, LANGUAGES[0][1] if language == "c" else "c++17", text,
                        f"-m{bits}") == ""


def in_turns(items, number):
    """Returns one of some items for each number, or all of them in exhaustive runs."""
    return items if common.EXHAUSTIVE or not items else [items[number % len(items)]]


def including(headers):
    return "".join(f"#include <{h}>\n" for h in headers)


def padding_of(text, structs):
    """Returns clang's messages about padding. clang lays out a struct only if its size is used."""
    text += "".join(f'_Static_assert(sizeof(struct {s}) > 0, "");\n' for s in structs)
    return compile_text("clang", "c", "c11", text, "-Wpadded", "-Werror")


# A function of each role, and calls that the services of the role have or lack.
ROLES = {
    "collapser": ("brz_rc f(brz_ctx *ctx);\nbrz_rc f(brz_ctx *ctx)",
                  ["ctx->host->intern(ctx, \"a\", 1);", "brz_leave(ctx, 1, 2);"],
                  ["ctx->host->color(ctx, NULL, 0);", "ctx->host->background(ctx, NULL);",
                   "ctx->host->legend(ctx, NULL, NULL);"]),
    "palette": ("brz_rc f(brz_palette_ctx *ctx);\nbrz_rc f(brz_palette_ctx *ctx)", [],
                ["ctx->host->intern(ctx, \"a\", 1);", "ctx->host->emit(ctx, NULL, 0, 1, 0);",
                 "ctx->host->metadata(ctx, NULL);", "ctx->host->color(ctx, NULL, 0);",
                 "BRZ_WARN(ctx, \"a\", NULL, 0, \"a\");"]),
    "output": ("brz_rc f(brz_output_ctx *ctx);\nbrz_rc f(brz_output_ctx *ctx)",
               ["ctx->host->color(ctx, NULL, 0);", "ctx->host->legend(ctx, NULL, NULL);"],
               ["ctx->host->intern(ctx, \"a\", 1);", "ctx->host->emit(ctx, NULL, 0, 1, 0);",
                "ctx->host->metadata(ctx, NULL);", "brz_text_keep(ctx, BRZ_STR(\"a\"));",
                "((brz_ctx *)0)->host->diag(ctx, NULL);"]),
    "transform": ("brz_rc f(brz_transform_ctx *ctx);\nbrz_rc f(brz_transform_ctx *ctx)",
                  ["ctx->host->intern(ctx, \"a\", 1);", "ctx->host->frame(ctx, NULL);",
                   "ctx->host->open_related(ctx, BRZ_STR(\"a\"), 0, NULL);"],
                  ["ctx->host->emit(ctx, NULL, 0, 1, 0);", "ctx->host->color(ctx, NULL, 0);",
                   "ctx->host->metadata(ctx, NULL);"]),
}
COMMON_CALLS = ["ctx->host->alloc(ctx, 1, 0);", "ctx->host->log(ctx, BRZ_NOTE, BRZ_STR(\"a\"));",
                "ctx->host->diag(ctx, NULL);", "ctx->host->stopped(ctx);",
                "ctx->host->extension(ctx, \"a\");"]


class Roles(unittest.TestCase):
    """The services of a role: calls of others do not compile."""

    def messages(self, compiler, language, standard, calls):
        """Compiles a function for each (role, call), on a line of its own. Returns the messages."""
        text = including(["brazier/plugin.h", "brazier/text.h"])
        for number, (role, call) in enumerate(calls):
            function = ROLES[role][0].replace(" f(", f" f{number}(").replace("\n", " ")
            text += f"{function} {{ {call} return BRZ_OK; }}\n"
        return compile_text(compiler, language, standard, text, "-ftrack-macro-expansion=0",
                            *WARNINGS)

    def test_a_call_of_another_roles_service_does_not_compile(self):
        good = [(role, call) for role, (_, allowed, _) in ROLES.items() for call in allowed + COMMON_CALLS]
        bad = [(role, call) for role, (_, _, refused) in ROLES.items() for call in refused]
        for language, standard in [("c", "c11"), ("c++", "c++17")]:
            compiler = COMPILERS[language][0]
            if shutil.which(compiler) is None:
                continue
            self.assertEqual("", self.messages(compiler, language, standard, good))
            said = self.messages(compiler, language, standard, bad)
            for line, call in enumerate(bad, start=3):
                self.assertRegex(said, rf"(?m)^<stdin>:{line}:\d+: error: ", call)


class Headers(unittest.TestCase):
    def check_all(self, bits):
        every = [compiler for language in COMPILERS.values() for compiler in language]
        with common.unless_passed(f"headers-{bits}", [pathlib.Path(__file__)], every) as must_run:
            if must_run:
                self.compile_all(bits)

    def compile_all(self, bits):
        headers = common.public_headers()
        self.assertGreater(len(headers), 20)
        # A header that is included again must be as it was, so the second half has no effect.
        twice = {"all together, twice": including(headers + headers)}
        # A missing include shows in any compiler: one of each language tries other orders, in turns.
        orders = [("all together, backwards", including(reversed(headers))), *((h, including([h])) for h in headers)]
        firsts = [("gcc", "c11"), ("g++", "c++17")]
        firsts = [first for first in firsts if shutil.which(first[0])]
        jobs, found = [], set()
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for language, standard in LANGUAGES:
                for compiler in COMPILERS[language]:
                    if not can_compile(compiler, language, bits):
                        continue
                    found.add(compiler)
                    texts = {**twice, **{what: text for number, (what, text) in enumerate(orders)
                                         if bits == 64 and (compiler, standard) in in_turns(firsts, number)}}
                    for what, text in texts.items():
                        jobs.append((f"{what} ({compiler} -std={standard})", pool.submit(
                            compile_text, compiler, language, standard, text, f"-m{bits}",
                            *WARNINGS)))
        if not found:
            self.skipTest(f"no compiler for {bits} bits")
        print(f"[{', '.join(sorted(found))}: {len(jobs)} compilations] ", end="")
        complaints = [f"{what}:\n{job.result()}" for what, job in jobs if job.result()]
        self.assertEqual([], complaints, "\n".join(complaints))

    @unittest.skipUnless(common.IS_LP64, "not a machine of 64 bits")
    def test_each_header_compiles_alone_and_with_all_others_for_64_bits(self):
        self.check_all(64)

    @unittest.skipUnless(common.IS_X86_64, "-m32 is x86's")
    def test_all_headers_compile_together_for_32_bits(self):
        self.check_all(32)

    @unittest.skipIf(shutil.which("clang") is None, "clang alone warns of padding")
    @unittest.skipUnless(common.IS_LP64, "not a machine of 64 bits")
    def test_structs_of_the_interface_have_no_padding(self):
        headers = [f"brazier/{h}.h" for h in common.INTERFACE_HEADERS]
        structs = [s for h in headers
                   for s in re.findall(r"^(?:typedef )?struct (\w+) \{",
                                       (common.INCLUDE / h).read_text(), re.M)]
        self.assertGreater(len(structs), 20)
        self.assertEqual("", padding_of(including(headers), structs))

    @unittest.skipIf(shutil.which("clang") is None, "clang alone warns of padding")
    @unittest.skipUnless(common.IS_LP64, "not a machine of 64 bits")
    def test_members_have_types_that_the_platform_fixes(self):
        fixed = r"(?:const )?(?:void|char|struct \w+|brz_\w+|size_t|double|bool|u?int(?:8|16|32|64)_t)"
        declared = re.compile(
            rf"^\s*{fixed} (?:const )?\**(?:const \*)?(?:\w+(?:\[\w+\])?(?:, \w+)*|\(\*\w+\)\(.*\));$", re.S)
        n = 0
        for header in common.INTERFACE_HEADERS:
            text = (common.INCLUDE / "brazier" / f"{header}.h").read_text()
            text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
            for body in re.findall(r"^(?:typedef )?struct \w+ \{\n(.*?)^\}", text, re.M | re.S):
                for member in re.findall(r"[^;]+;", body):
                    n += 1
                    self.assertRegex(" ".join(member.split()), declared)
                    self.assertNotRegex(member, r"\b(int|long|short|unsigned|enum|wchar_t|time_t|float)\b")
        self.assertGreater(n, 200)

    def test_padding_would_be_found(self):
        self.assertIn("padding", padding_of("struct padded { char a; long b; };\n", ["padded"]))

    def test_headers_include_each_other_and_the_standard_library_only(self):
        allowed = {"stdbool.h", "stddef.h", "stdint.h", "string.h", "stdio.h", "math.h",
                   "immintrin.h", "emmintrin.h", "sys/platform/x86.h"}
        for header in common.public_headers():
            text = (common.INCLUDE / header).read_text()
            for name in re.findall(r'#\s*include\s*[<"]([^>"]+)[>"]', text):
                self.assertTrue(name in allowed or name in common.public_headers(),
                                f"{header} includes {name}")

    def test_headers_declare_nothing_without_a_prefix(self):
        for header in common.public_headers():
            text = (common.INCLUDE / header).read_text()
            for name in re.findall(r"^\s*#\s*define\s+(\w+)", text, re.M):
                self.assertRegex(name, r"^BR(Z|AZIER)_", header)
            for name in re.findall(r"^static inline [^;{(]*?(\w+)\(", text, re.M):
                self.assertRegex(name, r"^brz_", header)

    def test_a_plugin_is_made_without_a_warning_in_each_language(self):
        text = including(["brazier/plugin.h"]) + """
            static const brz_component *const components[] = {NULL};
            BRZ_PLUGIN("name", "1.0", "MIT", "https://example.org", components)
            """.rstrip(" ")
        for language, standard in LANGUAGES:
            for compiler in filter(shutil.which, COMPILERS[language]):
                self.assertEqual("", compile_text(compiler, language, standard, text, "-fPIC",
                                                  *WARNINGS), compiler)

    def plugins(self):
        """Yields a name and the source of a plug-in of each kind, of each kit, and of one that includes everything."""
        for kind in ("collapser", "output", "palette", "transform"):
            text = (common.SOURCE / "sdk/template" / kind / "@NAME@.c").read_text()
            yield kind, "c", text.replace("@NAME@", kind)
        for path in [common.HERE / "lines.cpp", common.HERE / "jstack.c", common.HERE / "line_format.c", *sorted((common.SOURCE / "abi").glob("v*/*.c")),
                     common.SOURCE / "sdk/examples/dot/dot.cpp"]:
            yield path.name, "c" if path.suffix == ".c" else "c++", path.read_text()
        every = including(common.public_headers())
        yield EVERY_HEADER, "c", every + (common.HERE / "jstack.c").read_text()

    def test_plugins_of_each_kind_compile_without_a_warning(self):
        everything = ["-O2", "-Weverything", "-Werror", "-Wno-unknown-warning-option",
                      *(f"-Wno-{name}" for name in EVERYTHING_BUT)]
        with common.unless_passed("plugins", [pathlib.Path(__file__), *(common.SOURCE / "sdk").rglob("*.[ch]*")],
                                  ["gcc", "clang", "g++", "clang++"]) as must_run:
            for number, (name, language, text) in enumerate(self.plugins() if must_run else []):
                standard = "c11" if language == "c" else "c++17"
                ways = [way for way in zip(COMPILERS[language], (AUTHORS, everything)) if shutil.which(way[0])]
                for compiler, flags in ways if name == EVERY_HEADER else in_turns(ways, number):
                    with self.subTest(name, compiler=compiler):
                        self.assertEqual("", compile_object(compiler, language, standard, text, *flags))

    def test_the_version_of_the_sdk_is_that_of_the_project(self):
        cmake = (common.SOURCE / "CMakeLists.txt").read_text()
        major, minor, patch = map(int, re.search(r"project\(brazier VERSION (\d+)\.(\d+)\.(\d+)",
                                                 cmake).groups())
        base = (common.INCLUDE / "brazier" / "base.h").read_text()
        sdk = int(re.search(r"#define BRZ_SDK_VERSION (\d+)u", base)[1])
        self.assertEqual(major * 1000000 + minor * 1000 + patch, sdk)

    def test_the_wrappers_for_cplusplus_are_short_and_compile_alone(self):
        text = (common.INCLUDE / "brazier/plugin.hpp").read_text()
        self.assertLessEqual(len(text.splitlines()), 300)
        compilers = list(filter(shutil.which, COMPILERS["c++"]))
        for number, standard in enumerate(("c++17", "c++20")):
            for compiler in in_turns(compilers, number):
                self.assertEqual("", compile_text(compiler, "c++", standard, "#include <brazier/plugin.hpp>\n", *WARNINGS))

    def test_a_target_newer_than_the_headers_is_an_error(self):
        text = "#define BRZ_TARGET_MINOR 99\n" + including(["brazier/plugin.h"])
        self.assertIn("newer than these headers", compile_text("gcc", "c", "c11", text))


if __name__ == "__main__":
    common.main()
