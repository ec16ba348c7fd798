#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""./dev installs what is missing by the names of the system's own packages, refuses words that it does not know,
and continuous integration runs commands that it has."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["BRAZIER_SOURCE"])
TOOLS = ["sh", "cat", "dirname", "env", "mkdir"]


class Packages(unittest.TestCase):
    def setUp(self):
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="brazier-packages-")).resolve()
        self.addCleanup(shutil.rmtree, self.dir, ignore_errors=True)
        self.bin = self.dir / "bin"
        self.bin.mkdir()
        for tool in TOOLS:
            (self.bin / tool).symlink_to(shutil.which(tool))
        self.program("id", "echo 0")
        shutil.copy(SOURCE / "dev", self.dir)

    def program(self, name, script):
        file = self.bin / name
        file.write_text(f"#!/bin/sh\n{script}\n")
        file.chmod(0o755)

    def install(self, manager, *unknown):
        """Runs ./dev on a system that has no tools but a package manager, whose installation fails: ./dev stops
        there. Returns the packages that it installs, and what it says."""
        log = self.dir / "log"
        cases = "".join(f"*' {name}') exit 1 ;; " for name in unknown)
        self.program(manager, f"""case "$*" in *update*) exit 0 ;; {cases}*simulate*) exit 0 ;; esac
            echo "$@" >>'{log}'; exit 1""")
        p = subprocess.run([str(self.dir / "dev"), "test", "--quick"], env={"PATH": str(self.bin)},
                           capture_output=True, text=True, timeout=60)
        self.assertEqual(1, p.returncode, p)
        return set(log.read_text().split()), p.stdout

    def test_names_of_debian(self):
        packages, _ = self.install("apt-get")
        self.assertLessEqual({"install", "gcc", "ninja-build", "pkg-config", "libyaml-dev", "zlib1g-dev",
                              "libcmocka-dev", "python3"}, packages)
        self.assertNotIn("chromium", packages)

    def test_names_of_fedora(self):
        packages, _ = self.install("dnf")
        self.assertLessEqual({"install", "gcc", "ninja-build", "pkgconf-pkg-config", "libyaml-devel", "zlib-devel",
                              "libzstd-devel", "pcre2-devel", "elfutils-devel", "elfutils-libelf-devel",
                              "libcmocka-devel"}, packages)
        self.assertEqual([], [p for p in packages if p.endswith("-dev")])

    def test_names_of_alpine(self):
        packages, _ = self.install("apk")
        self.assertLessEqual({"add", "gcc", "samurai", "pkgconf", "yaml-dev", "zlib-dev", "zstd-dev", "pcre2-dev",
                              "elfutils-dev", "xz-dev", "cmocka-dev"}, packages)
        self.assertEqual([], [p for p in packages if p.startswith("lib") and p not in ("libdeflate-dev", "libmicrohttpd-dev")])

    def test_a_package_that_the_system_lacks_is_left_out(self):
        packages, said = self.install("apk", "xz-dev")
        self.assertNotIn("xz-dev", packages)
        self.assertIn("elfutils-dev", packages)
        self.assertIn("this system has no package xz-dev; what needs it is left out", said)

    def test_what_is_no_preset_is_refused_with_the_names_of_presets(self):
        shutil.copy(SOURCE / "CMakePresets.json", self.dir)
        (self.bin / "sed").symlink_to(shutil.which("sed"))
        (self.bin / "tr").symlink_to(shutil.which("tr"))
        presets = json.loads((SOURCE / "CMakePresets.json").read_text())["testPresets"]
        names = " ".join(p["name"] for p in presets if not p.get("hidden"))
        for words in (["-R", "x"], ["nonsense"], ["--all", "de"], ["--quick", "base"], ["dev", "asan"], [""]):
            p = subprocess.run([str(self.dir / "dev"), "test", *words], env={"PATH": str(self.bin)},
                               capture_output=True, text=True, timeout=60)
            self.assertEqual(2, p.returncode, p)
            self.assertIn(f"presets are: {names}\n", p.stdout)
            self.assertEqual([], list((self.dir / "build").iterdir()))

    def test_workflows_run_commands_that_exist(self):
        usage = subprocess.run([str(SOURCE / "dev"), "help"], capture_output=True, text=True).stdout
        known = set(re.findall(r"^  ([a-z0-9]+)\b", usage, re.M))
        called = set()
        for file in (SOURCE / ".github" / "workflows").glob("*.yml"):
            text = file.read_text()
            called |= set(re.findall(r"run: \./dev ([a-z0-9]+)", text))
            for words in re.findall(r"\bcommand: \[?([^]}\n]*)", text):
                called |= {word.split()[0] for word in words.split(",")}
        self.assertLessEqual({"test", "package", "lint", "arm64", "demo"}, called)
        self.assertEqual(set(), called - known)

    def test_continuous_integration_runs_the_commands_of_the_readme(self):
        """The README's first command builds the packages."""
        called = re.findall(r"^\./dev ([a-z]+)", (SOURCE / ".ci" / "run").read_text(), re.M)
        self.assertLessEqual({"test", "package"}, set(called))


if __name__ == "__main__":
    unittest.main()
