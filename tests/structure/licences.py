#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that each source names its licence in its first lines."""
import os
import re
import subprocess
import unittest
from pathlib import Path

SOURCE = Path(os.environ.get("BRAZIER_SOURCE", Path(__file__).resolve().parents[2]))
CODE = re.compile(r"\.(c|h|cpp|hpp|css|js|mjs|rs|py|sh|cmake)$|(^|/)CMakeLists\.txt$")
LEFT_OUT = re.compile(r"^(abi|sdk/template|tests/golden|tests/fuzz/(seeds|dict)|tests/corpus|docs/man|docs/gallery)/|node_modules|\.pb-c\.[ch]$")


class Licences(unittest.TestCase):
    def test_each_source_names_its_licence(self):
        p = subprocess.run(["git", "ls-files", "-z"], cwd=SOURCE, capture_output=True, text=True)
        if p.returncode != 0:
            self.skipTest("this is no clone")
        missing = []
        for name in p.stdout.split("\0"):
            path = SOURCE / name
            if not CODE.search(name) or LEFT_OUT.search(name) or not path.is_file() or path.stat().st_size == 0:
                continue
            lines = path.read_text(errors="replace").split("\n")[:20]
            if not any("SPDX-License-Identifier: MIT" in line for line in lines):
                missing.append(name)
        self.assertEqual([], missing)


if __name__ == "__main__":
    unittest.main(verbosity=2)
