#!/usr/bin/env python3
"""Tests that all outputs show the same numbers of one profile, in the units of the input."""
import json
import os
import pathlib
import re

import common
from common import Case

# Time, samples and bytes of two stacks.
PROFILE = """weights: time/microseconds samples/samples heap/bytes
main;read 1500000 40 1536
main;lex 250000 25 4096
"""
BUILD = pathlib.Path(os.environ["BRAZIER_BUILD"])
DESCRIBED = ["--plugin", str(BUILD / "tests/plugins/collapse-described.so"), "--from", "described"]

# The expected texts of the whole, of main and of read, by weight.
SHOWN = {
    "time": ("1.75 s in 65 samples", "1.75 s", "1.5 s"),
    "samples": ("65 samples", "65 samples", "40 samples"),
    "heap": ("5.5 KiB in 65 samples", "5.5 KiB", "1.5 KiB"),
}
RAW = {"time": (1750000, 1500000), "samples": (65, 40), "heap": (5632, 1536)}


class Amounts(Case):
    def write_as(self, output, weight, *options):
        self.write("in.described", PROFILE)
        return self.good("run", *DESCRIBED, "in.described", "-t", output, "-w", weight, *options).out

    def test_pictures_tables_and_terminals_show_the_same(self):
        for weight, (whole, main, read) in SHOWN.items():
            picture = self.write_as("svg", weight, "--no-compact")
            for title in (f"all ({whole}, 100%)", f"main ({main}, 100.00%)"):
                self.assertIn(f"<title>{title}</title>", picture)
            self.assertRegex(picture, f"<title>read \\({read}, ")
            table = self.write_as("table", weight).splitlines()
            self.assertEqual(whole if weight == "samples" else f"{weight}: {whole}", table[0])
            row = next(line for line in table if line.endswith("  read"))
            self.assertEqual(2, row.count(read.removesuffix(" samples")))
            term = self.write_as("term", weight, "--color=never")
            self.assertIn(table[0] + "\n", term)
            self.assertRegex(term, f"%  {read.removesuffix(' samples')}  read\n")

    def test_the_page_has_all_weights_with_their_units(self):
        page = self.write_as("html", "time")
        data = json.loads(re.search(r'id="profile">\n(.*?)\n</script>', page, re.S).group(1))
        self.assertEqual([("time", "microseconds", 0), ("samples", "samples", 0), ("heap", "bytes", 0)],
                         [(w["name"], w["unit"], w["decimals"]) for w in data["weights"]])

    def test_exports_have_the_same_values_in_their_units(self):
        for weight, (whole, read) in RAW.items():
            self.assertIn(f"main;read {read}\n", self.write_as("folded", weight))
            tree = json.loads(self.write_as("json", weight))
            self.assertEqual(whole, tree["value"])
            speedscope = json.loads(self.write_as("speedscope", weight))
            units = {p["unit"]: p["endValue"] for p in speedscope["profiles"]}
            unit = {"time": "microseconds", "samples": "none", "heap": "bytes"}[weight]
            self.assertEqual(whole, units[unit])

    def test_units_can_be_plain(self):
        self.assertIn("<title>main (1,750,000 microseconds, 100.00%)</title>",
                      self.write_as("svg", "time", "--no-compact", "--unit=plain"))
        self.assertIn("<title>main (1,750,000 ticks, 100.00%)</title>",
                      self.write_as("svg", "time", "--no-compact", "--countname=ticks"))
        self.assertTrue(self.write_as("table", "time", "--unit=plain").startswith("1750000 time (microseconds)\n"))


if __name__ == "__main__":
    common.main()
