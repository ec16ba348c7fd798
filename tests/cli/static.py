#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests what a static program does differently: it contains the shipped plug-ins, and loads no others."""
import json
import shutil
import subprocess
import unittest

import common
from common import BRAZIER, PERF, PERF_STACKS, SOURCE

REFUSAL = "static program, which contains its plug-ins and loads no others"


class Static(common.Case):
    def listed(self, *words):
        return json.loads(self.good("plugin", "list", "--json", *words).out)

    def test_the_program_needs_no_dynamic_linker(self):
        segments = subprocess.run(["readelf", "-lW", BRAZIER], capture_output=True, text=True, check=True).stdout
        self.assertNotIn("INTERP", segments)

    def test_each_shipped_component_is_part_of_the_program(self):
        formats = {p.stem for p in (SOURCE / "formats").glob("*.yaml")}
        for c in self.listed():
            self.assertEqual("shipped", c["from"])
            if c["plugin"] != "formats":
                kind = {"collapser": "collapse"}.get(c["kind"], c["kind"])
                self.assertEqual(f"{BRAZIER.resolve()}/{kind}-{c['id']}.so", c["path"])
        self.assertLessEqual(formats, {c["id"] for c in self.listed()})
        self.assertIn(f"File:      {BRAZIER.resolve()}/collapse-perf.so\n", self.good("plugin", "info", "perf").out)

    def test_it_runs_alone_in_a_folder_without_plugins(self):
        path = self.dir / "brazier"
        shutil.copy(BRAZIER, path)
        result = subprocess.run([path, "--no-config", "run", "-", "-t", "folded"], input=PERF.encode(), capture_output=True)
        self.assertEqual((0, PERF_STACKS.encode(), b""), (result.returncode, result.stdout, result.stderr))

    def test_plugins_of_others_are_refused_with_the_reason(self):
        source = SOURCE / "sdk" / "examples" / "tally-turns"
        path = self.dir / "collapse-other.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-I", SOURCE / "sdk" / "include", *source.glob("*.c"), "-o", path],
                       check=True)
        listed = self.brazier("plugin", "list", "--plugin", path)
        self.assertEqual(0, listed.code, listed)
        self.assertIn(f"warning: plug-in {path} is not used: load: this brazier is a {REFUSAL}", listed.err)
        why = self.brazier("plugin", "why", path)
        self.assertEqual(1, why.code, why)
        self.assertIn(f"NO   load        this brazier is a {REFUSAL}", why.out)
        self.assertIn("It is not used.", why.out)

    def test_a_component_that_is_denied_or_unknown_is_named(self):
        path = self.write("in.txt", PERF)
        unknown = self.brazier("run", "--from", "purf", path, "-t", "folded")
        self.assertEqual(2, unknown.code, unknown)
        self.assertIn("did you mean 'perf'", unknown.err)


if __name__ == "__main__":
    unittest.main()
