#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests libbrazier as its users find it: the exported symbols, the header in all supported
languages, and programs built against an installation only.

usage: package.py
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["BRAZIER_SOURCE"])
sys.path.insert(0, str(SOURCE / "tests" / "sdk"))
from common import BUILD, CC, CXX, SANITIZED, Case, main  # noqa: E402

COVERAGE = bool(os.environ.get("BRAZIER_COVERAGE"))

HEADER = SOURCE / "lib" / "include" / "brazier.h"
EXAMPLE = SOURCE / "lib" / "example"
PAGE = SOURCE / "docs" / "library.md"
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"]

STACKS = "server;accept 2\nserver;log 5\nserver;request;parse 11\nserver;request;render;draw 23\n"


def output_of(*args):
    return subprocess.run([str(a) for a in args], capture_output=True, text=True, check=True).stdout


def declared():
    """Returns the functions declared in the header."""
    code = re.sub(r"/\*.*?\*/", "", HEADER.read_text(), flags=re.S)
    return sorted(re.findall(r"^BRAZIER_API [^;]*?\b(brazier_\w+)\(", code, re.M))


class Library(Case):
    library = next(BUILD.glob("**/libbrazier.so"), None)

    def test_it_exports_what_the_header_declares_and_nothing_else(self):
        lines = output_of("nm", "-D", "--defined-only", "--with-symbol-versions",
                          self.library).splitlines()
        symbols = sorted(line.split()[-1] for line in lines if line.split()[-2] != "A")
        self.assertGreater(len(declared()), 20)
        self.assertEqual([f"{name}@@BRAZIER_0" for name in declared()], symbols)

    def test_it_is_called_what_programs_will_look_for(self):
        dynamic = output_of("readelf", "-dW", self.library)
        self.assertIn("Library soname: [libbrazier.so.0]", dynamic)
        self.assertNotIn("TEXTREL", dynamic)
        self.assertNotIn("RUNPATH", dynamic)

    @unittest.skipIf(SANITIZED or COVERAGE, "the compiler's runtime is there too")
    def test_it_uses_nothing_that_prints_or_ends_the_process(self):
        names = {line.split()[-1].split("@")[0]
                 for line in output_of("nm", "-D", "--undefined-only", self.library).splitlines()}
        self.assertEqual(set(), names & {"exit", "_Exit", "quick_exit", "atexit", "at_quick_exit",
                                         "printf", "puts", "putchar", "perror", "umask", "chdir",
                                         "setlocale", "setenv", "putenv", "system"})

    def test_the_program_exports_none_of_it(self):
        names = output_of("nm", "-D", "--defined-only", os.environ["BRAZIER"])
        self.assertNotIn("brazier_", names)


class Header(Case):
    def compile(self, name, *compiler):
        source = self.write(name, "#include <brazier.h>\n#include <brazier.h>\n"
                                  "brazier_status keep(brazier_pipeline *p);\n"
                                  "brazier_status keep(brazier_pipeline *p)\n"
                                  "{ return brazier_pipeline_run(p); }\n")
        p = subprocess.run([*compiler, *STRICT, f"-I{HEADER.parent}", "-c", source, "-o",
                            self.dir / "out.o"], capture_output=True, text=True)
        self.assertEqual((0, ""), (p.returncode, p.stderr))

    def test_it_is_c11_and_c23(self):
        for standard in ("c11", "c2x"):
            self.compile("user.c", CC, f"-std={standard}")

    @unittest.skipUnless(shutil.which(CXX), "no C++ compiler")
    def test_it_is_cplusplus_17_and_20(self):
        for standard in ("c++17", "c++20"):
            self.compile("user.cc", CXX, f"-std={standard}")

    def test_every_function_is_explained(self):
        text = HEADER.read_text()
        for name in declared():
            before = text[:re.search(rf"^BRAZIER_API [^;]*?\b{name}\(", text, re.M).start()]
            paragraph = before.rstrip().rsplit("\n\n", 1)[-1]
            self.assertIn("*/", paragraph, name)


@unittest.skipIf(SANITIZED, "the programs would have to be sanitized too")
class Installed(Case):
    @classmethod
    def setUpClass(cls):
        cls.prefix = pathlib.Path(tempfile.mkdtemp(prefix="brazier-prefix-")).resolve()
        cls.addClassCleanup(shutil.rmtree, cls.prefix, ignore_errors=True)
        subprocess.run(["cmake", "--install", BUILD, "--prefix", cls.prefix], check=True,
                       stdout=subprocess.DEVNULL)
        cls.libdir = next(cls.prefix.glob("**/libbrazier.so")).parent
        cls.env = {
            **{k: v for k, v in os.environ.items() if not k.startswith(("BRAZIER", "XDG_"))},
            "PKG_CONFIG_PATH": str(next(cls.prefix.glob("**/pkgconfig"))),
            "LD_LIBRARY_PATH": str(cls.libdir),
            "CC": CC,
            "CMAKE_GENERATOR": "Ninja",
            "HOME": str(cls.prefix),
        }

    def run_here(self, *command):
        p = subprocess.run([str(word) for word in command], cwd=self.dir, text=True,
                           capture_output=True, timeout=300, env=self.env)
        self.assertEqual(0, p.returncode, f"{command}\n{p.stdout}{p.stderr}")
        return p.stdout, p.stderr

    def check_example(self, program):
        folded, said = self.run_here(program)
        self.assertEqual(STACKS, folded)
        self.assertRegex(said, r"\Awarning: line 4 of the server: .*\n"
                               r"note: left out: 1 record of unknown weight\n"
                               r"a picture of some kB\ncancelled\n\Z")

    def test_the_header_and_the_links_are_there(self):
        self.assertEqual(HEADER.read_text(), (self.prefix / "include" / "brazier.h").read_text())
        self.assertEqual("libbrazier.so.0", os.readlink(self.libdir / "libbrazier.so"))

    def test_the_example_builds_with_pkg_config_as_its_readme_says(self):
        shutil.copytree(EXAMPLE, self.dir / "example")
        command = re.search(r"^    cc .*$", (EXAMPLE / "README.md").read_text(), re.M)[0]
        command = command.replace("cc ", f"{CC} {' '.join(STRICT)} -std=c11 ", 1)
        self.run_here("sh", "-ec", f"cd example\n{command}")
        self.check_example(self.dir / "example" / "program")

    def test_the_example_builds_with_the_cmake_package(self):
        shutil.copytree(EXAMPLE, self.dir / "example")
        build = self.dir / "build"
        self.run_here("cmake", "-S", self.dir / "example", "-B", build,
                      f"-DCMAKE_PREFIX_PATH={self.prefix}")
        self.run_here("cmake", "--build", build)
        self.check_example(build / "program")

    def test_an_installation_may_be_moved(self):
        moved = self.dir / "moved"
        shutil.copytree(self.prefix, moved, symlinks=True)
        self.run_here(CC, EXAMPLE / "program.c", "-o", self.dir / "program",
                      f"-I{self.prefix}/include", f"-L{self.libdir}", "-lbrazier")
        hidden = self.prefix.with_name(self.prefix.name + "-hidden")
        self.prefix.rename(hidden)
        try:
            p = subprocess.run([self.dir / "program"], capture_output=True, text=True,
                               env={**self.env, "LD_LIBRARY_PATH":
                                    str(moved / self.libdir.relative_to(self.prefix))})
        finally:
            hidden.rename(self.prefix)
        self.assertEqual((0, STACKS), (p.returncode, p.stdout), p.stderr)

    def test_the_examples_of_the_page_do_what_it_says(self):
        """Compiles each fenced C block that names a file; the block after it is the expected
        output."""
        text, programs = PAGE.read_text(), 0
        for fence in re.finditer(r"^```c (\S+)\n(.*?)^```\n.*?^```text (\S+)\n(.*?)^```",
                                 text, re.M | re.S):
            name, code, printed_by, printed = fence.groups()
            source = self.write(name, code)
            program = self.dir / source.stem
            self.write("perf.folded", "main;parse 3\nmain;draw;fill 7\nno count here\n")
            flags = self.run_here("pkg-config", "--cflags", "--libs", "brazier")[0].split()
            self.run_here(CC, "-std=c11", *STRICT, source, "-o", program, *flags)
            out, said = self.run_here(program)
            self.assertEqual((source.stem, printed), (printed_by, out + said))
            programs += 1
        self.assertGreaterEqual(programs, 2)
        self.assertIn("<svg", (self.dir / "flame.svg").read_text())

    def test_every_function_is_in_the_page(self):
        text = PAGE.read_text()
        self.assertEqual([], [name for name in declared() if name not in text])


if __name__ == "__main__":
    main()
