#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that each function of the SDK's headers has a user: the host, a plug-in, an example, a template, a plug-in of
the tests or of the guide, or another function of the headers. A test of the function itself is no user."""

import os
import re
import sys
import unittest
from pathlib import Path

SOURCE = Path(os.environ.get("BRAZIER_SOURCE", Path(__file__).resolve().parents[2]))
HEADERS = ["sdk/include/**/*.h"]
USERS = ["core/**/*.[ch]", "cli/**/*.[ch]", "check/**/*.[ch]", "names/*.[ch]", "record/*.[ch]", "view/*.[ch]", "web/*.[ch]", "plugins/**/*.[ch]",
         "sdk/examples/**/*.[ch]", "sdk/examples/**/*.cpp", "sdk/template/**/*.c", "sdk/include/**/*.hpp",
         "tests/sdk/**/*.c", "tests/sdk/**/*.cpp", "abi/**/*.c", "docs/plugin-guide.md"]
DEFINITION = re.compile(r"^static inline [^;{=]*?\b(brz_\w+)\([^;{]*\)\s*\{", re.M)
NAME = re.compile(r"\bbrz_\w+")
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)


def names_in(patterns):
    """The names of each file, without those in comments. Of a page, only the code counts."""
    for path in sorted({p for pattern in patterns for p in SOURCE.glob(pattern)}):
        text = path.read_text(errors="replace")
        if path.suffix == ".md":
            text = "".join(re.findall(r"^```c.*?^```", text, re.M | re.S))
        yield path, NAME.findall(COMMENT.sub(" ", text))


def without_user(defined, used, in_headers):
    return sorted(name for name in defined if name not in used and in_headers.count(name) < 2)


class Users(unittest.TestCase):
    def test_each_function_of_the_headers_has_a_user(self):
        defined = {name for p in SOURCE.glob(HEADERS[0]) for name in DEFINITION.findall(p.read_text())}
        self.assertGreater(len(defined), 200)
        in_headers = [name for _, names in names_in(HEADERS) for name in names]
        used = {name for _, names in names_in(USERS) for name in names}
        self.assertEqual([], without_user(defined, used, in_headers))

    def test_a_function_without_a_user_is_found(self):
        self.assertEqual(["brz_c"], without_user({"brz_a", "brz_b", "brz_c"}, {"brz_a"},
                                                 ["brz_a", "brz_b", "brz_b", "brz_c"]))


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=1))
