#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the installed SDK: it contains everything that an author needs, can be moved, and has no
library to link.

usage: installation.py
"""
import re
import shutil
import subprocess

from common import BUILD, INCLUDE, main, public_headers
from installed import Installed

PLUGIN = """
#include <brazier/plugin.h>
static const brz_component *const components[] = {NULL};
BRZ_PLUGIN("empty", "1.0", "MIT", "https://example.org/issues", components)
"""


class Installation(Installed):
    def sdk_alone(self):
        """Returns a folder with the contents of an SDK package only."""
        prefix = self.dir / "sdk"
        self.run_here("cmake", "--install", BUILD, "--prefix", prefix, "--component", "sdk")
        return prefix

    def abi(self, part):
        return re.search(rf"#define BRZ_ABI_{part} +(\d+)", (INCLUDE / "brazier/base.h").read_text())[1]

    def test_all_parts_are_there(self):
        prefix = self.sdk_alone()
        self.assertEqual(public_headers(), sorted(str(p.relative_to(prefix / "include"))
                                                  for p in prefix.glob("include/**/*.h")))
        for part in ("**/pkgconfig/brazier-plugin.pc", "**/cmake/brazier/brazierConfig.cmake",
                     "**/cmake/brazier/brazierConfigVersion.cmake", "**/brazier/brazier-plugin.map",
                     "**/brazier/template/common/Makefile", "**/doc/brazier/examples/dot/dot.cpp",
                     "**/brazier/template/collapser/tests/check.sh"):
            self.assertEqual(1, len(list(prefix.glob(part))), part)
        self.assertFalse((prefix / "bin").exists())

    def test_documents_for_authors_are_there(self):
        for part in ("plugin-guide.md", "plugin-abi.md", "decisions/001-native-plug-ins.md"):
            self.assertEqual(1, len(list(self.prefix.glob(f"**/doc/brazier/{part}"))), part)

    def test_links_of_documents_lead_to_installed_files(self):
        docs = next(self.prefix.glob("**/doc/brazier"))
        pages = [*docs.glob("*.md"), *docs.glob("formats/*.md"), *docs.glob("examples/*/README.md")]
        self.assertIn(docs / "plugin-guide.md", pages)
        dead = []
        for page in pages:
            text = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.M | re.S)
            for link in re.findall(r"\]\((?!https?:|#|mailto:)([^)#\s]+)", text):
                if link.startswith("..") and not (page.parent / link).exists():
                    dead.append(f"{page.relative_to(docs)}: {link}")
        self.assertEqual([], dead)

    def test_there_is_nothing_to_link(self):
        prefix = self.sdk_alone()
        self.assertEqual([], [p for p in prefix.rglob("*") if p.suffix in (".a", ".so")])
        libs = self.run_here("pkg-config", "--libs", "brazier-plugin").split()
        self.assertEqual([], [word for word in libs if word.startswith(("-l", "-L"))])

    def test_pkg_config_tells_what_holds(self):
        def variable(name):
            return self.run_here("pkg-config", f"--variable={name}", "brazier-plugin").strip()
        self.run_here("pkg-config", "--validate", "brazier-plugin")
        self.assertEqual(self.abi("MAJOR"), variable("abi_major"))
        self.assertEqual(self.abi("MINOR"), variable("abi_minor"))
        self.run_here("test", "-f", variable("mapfile"))
        self.run_here("test", variable("plugindir"), "-ef", self.shipped)
        version = self.run_here(self.program, "--version").split()[1]
        self.assertEqual(version, self.run_here("pkg-config", "--modversion",
                                                "brazier-plugin").strip())

    def configure_empty(self, text, prefix):
        self.write("project/CMakeLists.txt", "cmake_minimum_required(VERSION 3.21)\n"
                   f"project(empty LANGUAGES C)\n{text}\n")
        self.write("project/empty.c", PLUGIN)
        return self.configure(self.dir / "project", self.dir / "build", f"-DCMAKE_PREFIX_PATH={prefix}")

    def test_the_cmake_package_suits_its_own_version_alone(self):
        for version, good in [("0.1", True), ("0.2", False), ("9.0", False), ("", True)]:
            shutil.rmtree(self.dir / "build", ignore_errors=True)
            p = self.configure_empty(f"find_package(brazier {version} REQUIRED)", self.prefix)
            self.assertEqual(good, p.returncode == 0, f"{version}: {p.stderr}")

    def test_it_works_where_it_was_moved_to(self):
        moved = self.dir / "some" / "where"
        shutil.copytree(self.sdk_alone(), moved)
        shutil.rmtree(self.dir / "sdk")
        p = self.configure_empty("find_package(brazier REQUIRED)\nbrazier_add_plugin(output-empty empty.c)", moved)
        self.assertEqual(0, p.returncode, p.stderr)
        self.run_here("cmake", "--build", "build")
        self.assertTrue((self.dir / "build" / "output-empty.so").exists())
        elsewhere = {"PKG_CONFIG_PATH": str(next(moved.glob("**/pkgconfig")))}
        self.run_here("sh", "-ec", f"{self.env['CC']} -shared -fPIC project/empty.c "
                      '-o empty.so $(pkg-config --cflags --libs brazier-plugin)', **elsewhere)
        shown = self.run_here("nm", "-D", "--defined-only", "empty.so").split()
        self.assertEqual("brz_plugin_v1", " ".join(shown[2:]))

    def test_a_symbol_that_nobody_has_is_an_error_of_the_linker(self):
        self.configure_empty("find_package(brazier REQUIRED)\nbrazier_add_plugin(output-empty empty.c)", self.prefix)
        self.write("project/empty.c", "void *brz_nowhere(void);\n" + PLUGIN +
                   "\nvoid *(*const brz_used)(void) = brz_nowhere;\n")
        p = subprocess.run(["cmake", "--build", "build"], cwd=self.dir, env=self.env,
                           capture_output=True, text=True)
        self.assertNotEqual(0, p.returncode)
        self.assertIn("brz_nowhere", p.stdout)


if __name__ == "__main__":
    main()
