#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests that any file that brazier writes and reads can be converted to any other such format without changing
the default column: the value of each stack, in the same unit if both formats have it, and otherwise in a decimal
multiple.

usage: matrix.py PLUGIN [TEST...]     PLUGIN is everything.c
"""
import pathlib
import re
import sys
from fractions import Fraction

PLUGIN = pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "cli"))
import common  # noqa: E402

GOLDEN = common.SOURCE / "tests/golden/collapse"
SOURCES = ["speedscope/evented.json", "firefox/shared.json", "xdebug/machines.xt",
           "ghcprof/report.json"]
FOLDED = "a;b 1.75\na;c 3\na 2\n_ 0.125\n"
FORMATS = {"folded": "folded", "pprof": "pb.gz", "speedscope": "speedscope.json", "firefox": "firefox.json",
           "cpuprofile": "cpuprofile", "chrome-trace": "trace.json"}
TIMES = {"seconds": 10**9, "milliseconds": 10**6, "microseconds": 1000, "nanoseconds": 1}


class Matrix(common.Case):
    def formats(self):
        """Returns the formats that this build writes and reads."""
        have = {kind: {p.name for p in common.PLUGINS.glob(f"{kind}-*.so")} for kind in ("collapse", "output")}
        return [f for f in FORMATS if all(f"{kind}-{f}.so" in have[kind] for kind in have)]

    def column(self, path):
        """Returns the default column as unit and {stack: value}; times are in nanoseconds."""
        printed = self.brazier("-q", "--plugin", PLUGIN, "run", path, "--to", "everything")
        self.assertEqual(0, printed.code, printed)
        weights = [line.split(" ") for line in printed.out.splitlines() if line.startswith("weight ")]
        shown = next(i for i, w in enumerate(weights) if w[-1] == "shown")
        _, name, unit, decimals, *_ = weights[shown]
        scale = Fraction(TIMES.get(unit, 1), 10**int(decimals))
        found = {}
        for line in printed.out.splitlines():
            if line.startswith("stack "):
                words = line.split(" ")
                names = re.sub(r"\{(\|\w+:.*?)?\}(?=;|$)", "", " ".join(words[1:-len(weights)])).replace("_[k]", "")
                found[names] = found.get(names, 0) + int(words[shown - len(weights)]) * scale
        unit = "time" if unit in TIMES else "count" if unit == "samples" or "_e" in name else unit
        return unit, {names: value for names, value in found.items() if value != 0}

    def check(self, first, second):
        """Compares the columns of two files; that of the first one is given. Their ratio must be a power of ten."""
        (unit, values), (other_unit, others) = first, self.column(second)
        self.assertEqual(sorted(values), sorted(others))
        ratio = sum(others.values()) / sum(values.values())
        self.assertEqual({names: value * ratio for names, value in values.items()}, others)
        if unit == other_unit != "count":
            self.assertEqual(1, ratio)
        self.assertRegex(str(ratio), r"^(1/)?10*$")

    def test_every_pair_of_formats_keeps_the_default_column(self):
        folded = self.write("in.folded", FOLDED)
        for source in [folded, *SOURCES]:
            for i, first in enumerate(self.formats()):
                path = self.dir / f"{i}.{FORMATS[first]}"
                self.good("-q", "run", GOLDEN / source, "-o", path)
                column = self.column(path)
                for second in self.formats():
                    with self.subTest(f"{source} as {first} as {second}"):
                        other = self.dir / f"{i}-other.{FORMATS[second]}"
                        self.good("-q", "run", path, "-o", other)
                        self.check(column, other)


if __name__ == "__main__":
    common.main()
