# SPDX-License-Identifier: MIT
"""Takes a sample of the tests of a file."""
import unittest

from lib.brazier import IS_EXHAUSTIVE


class SampleLoader(unittest.TestLoader):
    """Loads one of some parts of the tests of each class, the same in each run; all of them with all repeats.
    Tests that the command line names are always loaded."""

    def __init__(self, parts=3):
        super().__init__()
        self.parts = parts

    def getTestCaseNames(self, case):  # noqa: N802
        names = super().getTestCaseNames(case)
        return names if IS_EXHAUSTIVE else [name for name in names if sum(name.encode()) % self.parts == 0]
