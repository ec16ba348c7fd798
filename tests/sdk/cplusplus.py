#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests plug-ins in C++ that use <brazier/plugin.hpp>.

usage: cplusplus.py
"""
import re
import shutil
import subprocess
import unittest

from common import CXX, EFFORT, ENTRY, HERE, SOURCE, Case, compile_plugin, main

FLAGS = ["-fvisibility-inlines-hidden", "-static-libstdc++", "-static-libgcc", "-Wl,-z,defs",
         f"-Wl,--version-script={SOURCE / 'sdk' / 'brazier-plugin.map'}"]


@unittest.skipUnless(shutil.which(CXX), "no compiler for C++")
class CPlusPlus(Case):
    def setUp(self):
        super().setUp()
        self.plugin = self.dir / "collapse-cpp-lines.so"
        compile_plugin(HERE / "lines.cpp", self.plugin, *FLAGS)

    def collapse(self, text, *words):
        path = self.write("in.txt", text)
        return self.brazier("--no-config", "collapse", "guess", path, "--plugin", self.plugin, *words)

    def test_samples_are_counted_however_the_input_is_divided(self):
        text = "lines\nmain>load 12\nmain 3\nmain>load 1"
        for words in ([], ["--chunk-size", "16"]):
            p = self.collapse(text, *words)
            self.assertEqual((0, "main 3\nmain;load 13\n", ""), (p.returncode, p.stdout, p.stderr))

    def test_an_exception_fails_the_run_with_its_message(self):
        p = self.collapse("lines\nmain 3\nmain>throw 1\n")
        self.assertEqual((1, ""), (p.returncode, p.stdout))
        self.assertIn("error: a name that throws", p.stderr)

    def test_it_exports_its_entry_alone_and_keeps_the_contract(self):
        shown = subprocess.run(["nm", "-D", "--defined-only", self.plugin], capture_output=True, text=True).stdout
        self.assertEqual([ENTRY], re.findall(r"\S+$", shown, re.M))
        self.write("samples/a.txt", "lines\nmain>load 12\nmain 3\n")
        self.write("samples/a.folded", "main 3\nmain;load 12\n")
        p = self.brazier("plugin", "check", self.plugin, "--samples", self.dir / "samples", "--effort", EFFORT, "--quiet",
                         timeout=300)
        self.assertEqual(0, p.returncode, p.stdout + p.stderr)


if __name__ == "__main__":
    main()
