#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests that all outputs show the same numbers of one profile, in the units of the input."""
import json
import os
import pathlib
import re
import sys
from fractions import Fraction

import common
from common import Case

sys.path.insert(0, str(common.SOURCE / "tests/property"))
import read_back  # noqa: E402

# Time, samples and bytes of two stacks.
PROFILE = """weights: time/microseconds samples/samples/samples heap/bytes
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

# The number of samples that pictures show beside times and sizes, of main and of read.
BESIDE = {"time": (" in 65 samples", " in 40 samples"), "samples": ("", ""), "heap": (" in 65 samples", " in 40 samples")}

# The values of both stacks, by weight.
STACKS = {weight: {("main", "read"): read, ("main", "lex"): whole - read}
          for weight, (whole, read) in RAW.items()}


def times(factor, stacks):
    return {stack: factor * value for stack, value in stacks.items()}


def present(stacks):
    """Returns stacks without those of value 0."""
    return {stack: value for stack, value in stacks.items() if value != 0}


class Amounts(Case):
    def write_as(self, output, weight, *options):
        self.write("in.described", PROFILE)
        return self.good("run", *DESCRIBED, "in.described", "-t", output, "-w", weight, *options).out

    def test_pictures_tables_and_terminals_show_the_same(self):
        for weight, (whole, main, read) in SHOWN.items():
            picture = self.write_as("svg", weight, "--no-compact")
            for title in (f"all ({whole}, 100%)", f"main ({main}{BESIDE[weight][0]}, 100.00%)"):
                self.assertIn(f"<title>{title}</title>", picture)
            self.assertIn(f"<title>read ({read}{BESIDE[weight][1]}, ", picture)
            table = self.write_as("table", weight).splitlines()
            self.assertEqual(whole if weight == "samples" else f"{weight}: {whole}", table[0])
            row = next(line for line in table if line.endswith("  read"))
            self.assertEqual(2, row.count(read.removesuffix(" samples")))
            term = self.write_as("term", weight, "--color=never")
            self.assertIn(table[0] + "\n", term)
            self.assertRegex(term, f"% +{read.removesuffix(' samples')}  read\n")

    def test_no_name_makes_a_weight_the_number_of_samples(self):
        self.write("in.described", "weights: time/microseconds samples/count\nmain;read 1500000 40\n")
        named = self.good("run", *DESCRIBED, "in.described", "-t", "table", "-w", "time").out
        self.write("in.described", "weights: time/microseconds ticks/samples/samples\nmain;read 1500000 40\n")
        flagged = self.good("run", *DESCRIBED, "in.described", "-t", "table", "-w", "time").out
        self.assertEqual(["time: 1.5 s", "time: 1.5 s in 40 samples"],
                         [table.splitlines()[0] for table in (named, flagged)])

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

    def raw(self, output, weight):
        self.write("in.described", PROFILE)
        return self.good("run", *DESCRIBED, "in.described", "-t", output, "-w", weight).raw

    def assert_weights(self, expected, found):
        """Compares weights, of which `expected` has some by their position."""
        self.assertEqual(expected, {i: present(found[i]) for i in expected})

    def test_the_page_has_the_same_numbers(self):
        for weight, (_, main, read) in SHOWN.items():
            page = self.raw("html", weight)
            self.assert_weights(dict(enumerate(STACKS.values())), read_back.read_html(page))
            self.assertEqual(list(SHOWN)[read_back.html_data(page)["weight"]], weight)
            table = re.search(b'<div id="fallback">(.*?)</div>', page, re.S)[1].decode()
            totals = dict(re.findall("<td>([^<]*)<td>[^<]*<td><bdi>(.*)</bdi>", table))
            totals = {name: total for total, name in totals.items()}
            self.assertEqual([main, read], [f"{totals[name]}{' samples' * (weight == 'samples')}"
                                            for name in ("main", "read")])

    def test_exports_with_all_weights_have_the_same_values(self):
        for weight in RAW:
            own = [STACKS["samples"], STACKS["heap"]]
            self.assert_weights(dict(enumerate([times(Fraction(1, 1000), STACKS["time"]), *own])),  # milliseconds
                                read_back.read_firefox(self.raw("firefox", weight)))
            types, weights = read_back.read_pprof(self.raw("pprof", weight))
            for (name, unit), stacks in zip(types, weights):
                self.assertEqual({"time": "microseconds", "samples": "count", "heap": "bytes"}[name], unit)
                self.assertEqual(STACKS[name], present(stacks))
            events, own, _ = read_back.read_callgrind(self.raw("callgrind", weight))
            self.assertEqual({w: s["main", "read"] for w, s in STACKS.items()}, dict(zip(events, own["read"])))

    def test_exports_on_an_axis_of_time_have_the_same_values(self):
        """A unit of a weight that is no time is a millisecond there."""
        for weight, stacks in STACKS.items():
            microseconds = times(1 if weight == "time" else 1000, stacks)
            self.assertEqual([microseconds], [present(s) for s in read_back.read_cpuprofile(self.raw("cpuprofile", weight))])
            self.assertIn(microseconds, [present(s) for s in read_back.read_chrome_trace(self.raw("chrome-trace", weight))])

    def test_units_can_be_plain(self):
        self.assertIn("<title>main (1,750,000 microseconds, 100.00%)</title>",
                      self.write_as("svg", "time", "--no-compact", "--unit=plain"))
        self.assertIn("<title>main (1,750,000 ticks, 100.00%)</title>",
                      self.write_as("svg", "time", "--no-compact", "--countname=ticks"))
        self.assertTrue(self.write_as("table", "time", "--unit=plain").startswith("1750000 time (microseconds)\n"))


if __name__ == "__main__":
    common.main()
