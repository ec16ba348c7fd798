#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Configuring says what is missing: what cannot be done without, and what is then left out."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["BRAZIER_SOURCE"])

IS_EXHAUSTIVE = os.environ.get("BRAZIER_EXHAUSTIVE") == "1"

# The packages that brazier looks for by pkg-config.
MODULES = ["yaml-0.1", "zlib", "libzstd", "libpcre2-8", "expat", "cmocka"]

# A package whose library is in no table of this project.
UNKNOWN = "Name: other\nDescription: a library\nVersion: 1\nLibs: -lunheardof\n"


def file_of(module):
    """The .pc file of a package, or None."""
    folder = subprocess.run(["pkg-config", "--variable=pcfiledir", module], capture_output=True,
                            text=True).stdout.strip()
    return pathlib.Path(folder) / f"{module}.pc" if folder else None


class Configure(unittest.TestCase):
    # What configuring has found out about the compiler, which is the same in all tests: files of CMake, and
    # results of checks. CMake does not look again, as in a folder that is configured again.
    compiler, checks = None, {}

    @classmethod
    def setUpClass(cls):
        cls.kept = pathlib.Path(tempfile.mkdtemp(prefix="brazier-configure-")).resolve()
        cls.addClassCleanup(shutil.rmtree, cls.kept, ignore_errors=True)

    def setUp(self):
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="brazier-configure-")).resolve()
        self.addCleanup(shutil.rmtree, self.dir, ignore_errors=True)

    def known(self):
        """Prepares the build folder with what is known about the compiler. Returns options for the rest."""
        if self.compiler is not None:
            shutil.copytree(self.compiler, self.dir / "build" / "CMakeFiles" / self.compiler.name)
        return [f"-D{name}:INTERNAL={value}" for name, value in self.checks.items()]

    def learn(self):
        """Keeps what CMake has found out about the compiler."""
        build = self.dir / "build"
        if self.compiler is None:
            found = next((build / "CMakeFiles").glob("*/CMakeCCompiler.cmake")).parent
            type(self).compiler = pathlib.Path(shutil.copytree(found, self.kept / found.name))
        self.checks.update(re.findall(r"^(BRZ_HAVE_\w+):INTERNAL=(.*)$", (build / "CMakeCache.txt").read_text(),
                                      re.M))

    def configure(self, *options, hidden=(), replaced=()):
        """Configures where pkg-config finds all but the hidden packages, and others in place of the replaced ones.
        Returns the status and what was said, as one line."""
        packages = self.dir / "packages"
        packages.mkdir()
        for module in MODULES:
            file = file_of(module)
            if file is not None and module not in hidden:
                shutil.copy(file, packages)
        for module in replaced:
            (packages / f"{module}.pc").write_text(UNKNOWN)
        env = {k: v for k, v in os.environ.items() if not k.startswith("PKG_CONFIG")}
        p = subprocess.run(["cmake", "-S", SOURCE, "-B", self.dir / "build",
                            "-G", os.environ["BRAZIER_GENERATOR"],
                            f"-DCMAKE_C_COMPILER={os.environ['BRAZIER_CC']}",
                            f"-DPython3_EXECUTABLE={sys.executable}", *self.known(), *options],
                           env={**env, "PKG_CONFIG_LIBDIR": str(packages)}, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, text=True, timeout=300)
        self.learn()
        return p.returncode, " ".join(p.stdout.split())

    def test_without_cmocka_the_tests_are_left_out(self):
        code, said = self.configure(hidden=["cmocka"])
        self.assertEqual(0, code, said)
        self.assertIn("The tests are left out, brazier itself is built. They need cmocka "
                      "(Debian: libcmocka-dev).", said)
        self.assertFalse((self.dir / "build" / "CTestTestfile.cmake").exists())
        self.assertFalse((self.dir / "build" / "tests").exists())

    def test_all_libraries_that_are_missing_are_named_at_once(self):
        code, said = self.configure(hidden=["libzstd", "zlib", "yaml-0.1"])
        self.assertNotEqual(0, code, said)
        self.assertIn("needs libraries that pkg-config does not find: yaml-0.1 zlib libzstd Debian: "
                      "apt-get install libyaml-dev zlib1g-dev libzstd-dev ./dev setup", said)

    def test_plugins_without_their_library_are_left_out_and_without_tests_cmocka_is_not_looked_for(self):
        code, said = self.configure("-DBRZ_TESTS=OFF", hidden=["cmocka", "expat", "libdw", "sqlite3"])
        self.assertEqual(0, code, said)
        self.assertNotIn("cmocka", said)
        self.assertIn("xctrace is left out: it needs libexpat1-dev", said)
        self.assertIn("perf-data is left out: it needs libelf-dev and libdw-dev", said)
        self.assertIn("sqlite is left out: it needs libsqlite3-dev", said)

    def test_a_library_that_the_packages_do_not_describe_is_refused(self):
        """The packages list all libraries that they contain: their build would fail, which few people run."""
        for module in ("libzstd", "expat") if IS_EXHAUSTIVE else ("expat",):
            code, said = self.configure("-DBRZ_TESTS=OFF", replaced=[module])
            self.assertNotEqual(0, code, said)
            self.assertIn("packaging/libraries.csv does not describe libunheardof.a", said)
            shutil.rmtree(self.dir / "packages")
            shutil.rmtree(self.dir / "build")

    def test_pkg_config_itself_is_named(self):
        code, said = self.configure("-DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=TRUE")
        self.assertNotEqual(0, code, said)
        self.assertIn("pkg-config, which is missing", said)


if __name__ == "__main__":
    unittest.main()
