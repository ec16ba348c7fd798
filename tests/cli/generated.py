#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests that generated files in the tree agree with the program."""
import json
import os
import subprocess
import sys
import unittest

import common

ADVICE = "is not what the components say: run ./dev schema, read what it changed, commit it"


# Plug-ins that are not built if a library is missing.
OPTIONAL = ["collapse-xctrace.so"]


@unittest.skipUnless(all((common.PLUGINS / p).exists() for p in OPTIONAL), "not all is built")
class Generated(common.Case):
    def test_the_schema(self):
        printed = self.good("config", "schema", "--no-config", "--no-plugins").out
        file = common.SOURCE / "config" / "brazier.schema.json"
        json.loads(printed)
        self.assertTrue(file.read_text() == printed, f"{file} {ADVICE}")

    def test_the_page_of_components(self):
        env = {**self.environment(), "BRAZIER": os.environ["BRAZIER"]}
        printed = subprocess.run([sys.executable, common.SOURCE / "docs" / "components.py"],
                                 capture_output=True, text=True, check=True, env=env).stdout
        file = common.SOURCE / "docs" / "components.md"
        self.assertTrue(file.read_text() == printed, f"{file} {ADVICE}")

    def test_the_index_of_formats(self):
        env = {**self.environment(), "BRAZIER": os.environ["BRAZIER"]}
        printed = subprocess.run([sys.executable, common.SOURCE / "docs" / "formats_index.py"],
                                 capture_output=True, text=True, check=True, env=env).stdout
        file = common.SOURCE / "formats" / "index"
        self.assertTrue(file.read_text() == printed, f"{file} {ADVICE}")

    def test_the_keys_of_formats(self):
        env = {**self.environment(), "BRAZIER": os.environ["BRAZIER"]}
        printed = subprocess.run([sys.executable, common.SOURCE / "docs" / "format_keys.py"],
                                 capture_output=True, text=True, check=True, env=env).stdout
        file = common.SOURCE / "docs" / "formats-in-yaml.md"
        self.assertTrue(file.read_text() == printed, f"{file} {ADVICE}")

    def test_the_manual_pages(self):
        env = {**self.environment(), "BRAZIER": os.environ["BRAZIER"]}
        subprocess.run([sys.executable, common.SOURCE / "docs" / "man_pages.py", self.dir], check=True, env=env)
        self.assertEqual(sorted(["brazier.yaml.5", *(f"brazier-{c}.1" for c in common.COMMANDS)]), sorted(self.files()))
        for name in self.files():
            file = common.SOURCE / "docs" / "man" / name
            self.assertTrue(file.exists() and file.read_text() == self.read(name), f"{file} {ADVICE}")


if __name__ == "__main__":
    common.main()
