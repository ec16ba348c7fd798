#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests that a stack which a collapser stores at each of its samples gives the bytes of one that it stores once.

usage: stored.py
"""
import subprocess
import unittest

from common import BRAZIER, HERE, Case, compile_plugin, main

STACKS = ["main;read;parse", "main;read", "idle", "main;read;parse;lex", "exit;read"]
INPUT = "".join(f"{STACKS[(i * i + i // 3) % len(STACKS)]} {1 + i % 4}\n" for i in range(200))

OUTPUTS = ["callgrind", "chrome-trace", "cpuprofile", "firefox", "folded", "html", "json", "markdown", "pprof", "speedscope", "svg",
           "table", "term", "timeline"]

# Runs that use the stacks in other ways.
WAYS = [[], ["-j3", "--range-size", "100"], ["--isolate"], ["--reverse"], ["--group-by", "thread"],
        ["--only", "thread=m"], ["--flamechart"]]


class Stored(Case):
    def setUp(self):
        super().setUp()
        self.plugin = self.dir / "collapse-stored.so"
        compile_plugin(HERE / "stored.c", self.plugin)
        self.input = self.write("in.txt", INPUT)

    def written(self, output, again, *words):
        p = subprocess.run([str(w) for w in (
            BRAZIER, "--no-config", "run", self.input, "--plugin", self.plugin, "--from", "stored", "--to", output,
            "--set", f"stored.again={again}", *words)], capture_output=True, timeout=60, cwd=self.dir)
        self.assertEqual(0, p.returncode, p.stderr)
        return p.stdout, p.stderr

    def test_a_stack_may_be_stored_at_each_sample(self):
        for output in OUTPUTS:
            for way in WAYS if output in ("folded", "json") else WAYS[:2]:
                once = self.written(output, "false", *way)
                self.assertGreater(len(once[0]), 50)
                self.assertEqual(once, self.written(output, "true", *way), (output, way))


if __name__ == "__main__":
    main()
