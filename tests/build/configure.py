#!/usr/bin/env python3
"""Configuring says what is missing: what cannot be done without, and what is then left out."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["BRAZIER_SOURCE"])

# The packages that brazier looks for by pkg-config.
MODULES = ["yaml-0.1", "zlib", "libzstd", "libpcre2-8", "libprotobuf-c", "expat", "cmocka"]


def file_of(module):
    """The .pc file of a package, or None."""
    folder = subprocess.run(["pkg-config", "--variable=pcfiledir", module], capture_output=True,
                            text=True).stdout.strip()
    return pathlib.Path(folder) / f"{module}.pc" if folder else None


class Configure(unittest.TestCase):
    def setUp(self):
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="brazier-configure-")).resolve()
        self.addCleanup(shutil.rmtree, self.dir, ignore_errors=True)

    def configure(self, *options, hidden=()):
        """Configures where pkg-config finds all but the hidden packages. Returns the status and what
        was said, as one line."""
        packages = self.dir / "packages"
        packages.mkdir()
        for module in MODULES:
            file = file_of(module)
            if file is not None and module not in hidden:
                shutil.copy(file, packages)
        env = {k: v for k, v in os.environ.items() if not k.startswith("PKG_CONFIG")}
        p = subprocess.run(["cmake", "-S", SOURCE, "-B", self.dir / "build",
                            "-G", os.environ["BRAZIER_GENERATOR"],
                            f"-DCMAKE_C_COMPILER={os.environ['BRAZIER_CC']}", *options],
                           env={**env, "PKG_CONFIG_LIBDIR": str(packages)}, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, text=True, timeout=300)
        return p.returncode, " ".join(p.stdout.split())

    def test_without_cmocka_the_tests_are_left_out(self):
        code, said = self.configure(hidden=["cmocka"])
        self.assertEqual(0, code, said)
        self.assertIn("The tests are left out, brazier itself is built. They need cmocka "
                      "(Debian: libcmocka-dev).", said)
        self.assertFalse((self.dir / "build" / "CTestTestfile.cmake").exists())
        self.assertFalse((self.dir / "build" / "tests").exists())

    def test_without_the_tests_cmocka_is_not_looked_for(self):
        code, said = self.configure("-DBRZ_TESTS=OFF", hidden=["cmocka"])
        self.assertEqual(0, code, said)
        self.assertNotIn("cmocka", said)

    def test_all_libraries_that_are_missing_are_named_at_once(self):
        code, said = self.configure(hidden=["libzstd", "zlib", "yaml-0.1"])
        self.assertNotEqual(0, code, said)
        self.assertIn("needs libraries that pkg-config does not find: yaml-0.1 zlib libzstd Debian: "
                      "apt-get install libyaml-dev zlib1g-dev libzstd-dev ./dev setup", said)

    def test_plugins_without_their_library_are_left_out(self):
        code, said = self.configure("-DBRZ_TESTS=OFF", hidden=["expat", "libprotobuf-c", "libdw"])
        self.assertEqual(0, code, said)
        self.assertIn("xctrace is left out: it needs libexpat1-dev", said)
        self.assertIn("perf-data is left out: it needs libelf-dev and libdw-dev", said)
        self.assertIn("pprof is left out: it needs libprotobuf-c-dev", said)

    def test_pkg_config_itself_is_named(self):
        code, said = self.configure("-DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=TRUE")
        self.assertNotEqual(0, code, said)
        self.assertIn("pkg-config, which is missing", said)


if __name__ == "__main__":
    unittest.main()
