#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the output annotate: the instructions of recorded functions with their weights.

usage: annotate.py [TEST...]
"""
import json
import os
import re
import unittest

import common
import perf_data as base
from lib.elf import ARM64, Elf
from lib.perf_data import IDENTIFIER, IN_USER, USUAL, Event, Recording
from perf_data import APP, ID, OTHER

HAS_CAPSTONE = os.environ.get("BRAZIER_HAS_CAPSTONE") != "OFF"
# A loop: xor %eax,%eax; 2: inc %eax; cmp %edi,%eax; jne 2; ret; a byte that is no instruction
LOOP = bytes.fromhex("31c0" "ffc0" "39f8" "75fa" "c3" "06")


def program(build_id=ID, machine=None, code=LOOP):
    e = Elf(build_id=build_id, **{} if machine is None else {"machine": machine})
    e.code[0x100:0x100 + len(code)] = code
    e.symbol("loop", 0x100, len(code))
    e.symbol("other", 0x200, 0x10)
    return e.bytes()


def recorded(*counts, build_id=ID):
    """A recording with so many samples at offsets of the code of the program: (offset, number)."""
    r = Recording()
    r.comm(10, "app")
    r.mmap2(10, APP, 0x1000, "/srv/app", offset=0x1000, build_id=build_id)
    for offset, n in counts:
        for _ in range(n):
            r.sample(10, [IN_USER, APP + offset], time=9)
    return r.file()


def recorded_twice(clocks, faults):
    """The same with two events."""
    r = Recording(*(Event(name, 1, config, USUAL | IDENTIFIER, ids=[1 + i])
                    for i, (name, config) in enumerate((("cpu-clock", 0), ("page-faults", 2)))))
    r.comm(10, "app")
    r.mmap2(10, APP, 0x1000, "/srv/app", offset=0x1000, build_id=ID)
    for event, counts in enumerate((clocks, faults)):
        for offset, n in counts:
            r.sample(10, [IN_USER, APP + offset], time=9, period=n, event=event)
    return r.file()


@unittest.skipUnless(base.HAS_PERF_DATA, "this build has no collapser perf-data")
class Annotate(common.Case):
    put = base.PerfData.put

    def annotate(self, data, *words):
        """The listing, the same with and without --isolate."""
        self.write("p.data", data)
        results = [self.brazier("run", "p.data", "-t", "annotate", "--sysroot", self.dir / "root", *more, *words)
                   for more in ([], ["--isolate"])]
        for r in results:
            self.assertEqual(0, r.code, r)
        self.assertEqual(results[0].out, results[1].out)
        return results[0].out

    @unittest.skipUnless(HAS_CAPSTONE, "this build has no disassembler")
    def test_instructions_have_their_weights_and_jumps(self):
        self.put("/srv/app", program())
        listing = self.annotate(recorded((0x102, 3), (0x106, 4), (0x108, 1), (0x204, 2)), "--functions", "1")
        self.assertEqual("loop in /srv/app: 8 ns, 80.00%\n"
                         "                401100    xorl    %eax, %eax\n"
                         "  37.50%  3 ns  401102  > incl    %eax\n"
                         "                401104    cmpl    %edi, %eax\n"
                         "  50.00%  4 ns  401106    jne     0x401102 \u2191\n"
                         "  12.50%  1 ns  401108    retq\n"
                         "                401109    .byte   0x06\n", listing)

    @unittest.skipUnless(HAS_CAPSTONE, "this build has no disassembler")
    def test_options(self):
        self.put("/srv/app", program())
        data = recorded((0x106, 4), (0x204, 9))
        self.assertEqual("loop in /srv/app: 4 ns, 30.77%\n"
                         "                \u2026\n"
                         " 100.00%  4 ns  401106    jne     0x401102 \u2191\n",
                         self.annotate(data, "--function", "loop", "--around", "0"))
        self.assertIn("cmp     eax, edi\n", self.annotate(data, "--syntax", "intel"))
        self.assertEqual(2, len(re.findall("^[a-z]", self.annotate(data), re.M)))

    @unittest.skipUnless(HAS_CAPSTONE, "this build has no disassembler")
    def test_other_processors(self):
        self.put("/srv/app", program(machine=ARM64, code=bytes.fromhex("21040011" "c0035fd6")))
        self.assertIn("  401100    add     w1, w1, #1\n", self.annotate(recorded((0x104, 1))))
        self.put("/srv/app", program(machine=9999))
        self.assertIn("does not know the processor", self.annotate(recorded((0x104, 1))))

    def test_a_file_that_may_be_another_one_is_not_shown(self):
        for there, wanted in ((OTHER, ID), (None, ID), (ID, None), (None, None)):
            self.put("/srv/app", program(build_id=there))
            listing = self.annotate(recorded((0x102, 3), build_id=wanted))
            self.assertIn("the code of this function is not known", listing, (there, wanted))
            self.assertNotIn("incl", listing, (there, wanted))

    def test_functions_beyond_the_file_and_too_large_ones(self):
        for size in (0x1000, 0x200000, 0xffffffffffffff00):
            e = Elf(build_id=ID)
            e.symbol("loop", 0x100, size)
            self.put("/srv/app", e.bytes())
            self.assertIn("the code of this function is not known", self.annotate(recorded((0x102, 3))), hex(size))

    def test_a_file_that_is_cut_off(self):
        data = program()
        for size in (0, 63, 64, 0x1000, 0x1102, 0x1fff, len(data) - 1000, len(data) - 1):
            self.put("/srv/app", data[:size])
            self.assertIn("3 ns, 100.00%\n", self.annotate(recorded((0x102, 3))), size)

    def test_profiles_without_addresses(self):
        self.write("x.folded", "a;b 3\n")
        r = self.brazier("run", "x.folded", "-t", "annotate")
        self.assertEqual((0, ""), (r.code, r.out))
        for said in (r.err, self.brazier("run", "x.folded", "-t", "annotate-html").err):
            self.assertIn("neither addresses nor lines", said)
            self.assertIn("'brazier record' and perf.data files have addresses", said)

    def test_a_page_of_lines_needs_their_source(self):
        frames = [{"name": "main", "file": "w.c", "line": 2}]
        profile = {"type": "sampled", "name": "", "unit": "none", "startValue": 0, "endValue": 1, "samples": [[0]], "weights": [1]}
        self.write("x.speedscope.json", json.dumps({"$schema": "https://www.speedscope.app/file-format-schema.json",
                                                    "shared": {"frames": frames}, "profiles": [profile]}))
        words = ["run", "x.speedscope.json", "-o", "x.annotate.html"]
        self.assertIn("annotate-html.source=FOLDER", self.brazier(*words).err)
        self.write("w.c", "one\ntwo\nthree\n")
        self.assertEqual("", self.brazier(*words, "--set", "annotate-html.source=.").err)

    def code(self, *words):
        """The instructions in a page."""
        r = self.brazier("run", "p.data", "-t", "annotate-html", "--sysroot", self.dir / "root", *words)
        self.assertEqual(0, r.code, r)
        return json.loads(re.search(r'"code":(\[.*\]),\n"lines":', r.out, re.S)[1])

    def test_a_page_has_the_numbers_of_each_weight(self):
        self.put("/srv/app", program())
        self.write("p.data", recorded_twice([(0x102, 3), (0x106, 5)], [(0x106, 7), (0x204, 1)]))
        for words in ([], ["-w", "page-faults"]):
            loop, other = self.code(*words)
            self.assertEqual(("loop", [8, 7]), (loop["name"], loop["self"]))
            self.assertEqual([[3, 0], [5, 7]], [row[2] for row in loop["rows"] if len(row) > 2 and row[2]])
            self.assertEqual(("other", [0, 1]), (other["name"], other["self"]))
        self.write("p.data", recorded((0x102, 3)))
        self.assertEqual(3, self.code()[0]["self"])

    @unittest.skipUnless(HAS_CAPSTONE, "this build has no disassembler")
    def test_a_page_warns_only_if_it_lacks_rows(self):
        """The limit is 200,000 rows, 100,000 in each function here."""
        nops = b"\x90" * 100000
        for more, wanted in ((0, False), (1, True)):
            e = Elf(build_id=ID, size=0x40000)
            e.code[0x100:0x100 + 2 * len(nops) + more] = nops * 2 + b"\x90" * more
            e.symbol("one", 0x100, len(nops))
            e.symbol("two", 0x100 + len(nops), len(nops) + more)
            self.put("/srv/app", e.bytes())
            r = Recording()
            r.comm(10, "app")
            r.mmap2(10, APP, 0x40000, "/srv/app", offset=0x1000, build_id=ID)
            for i in range(0x100, 0x100 + 2 * len(nops), 200):
                r.sample(10, [IN_USER, APP + i], time=9)
            self.write("p.data", r.file())
            p = self.brazier("run", "p.data", "-o", "x.annotate.html", "--sysroot", self.dir / "root")
            page = self.read("x.annotate.html")
            self.assertEqual(200000, len(re.findall(r'^\["[0-9a-f]+"', page, re.M)))
            self.assertEqual(wanted, "more than 200,000" in p.err, p)

    def test_outputs_beside_it_stay_as_they_are(self):
        self.put("/srv/app", program())
        self.write("p.data", recorded((0x102, 3), (0x106, 4)))
        words = ["run", "p.data", "--sysroot", self.dir / "root"]
        self.assertEqual(0, self.brazier(*words, "-o", "x.asm", "-o", "both.folded", "-o", "both.svg").code)
        self.assertEqual(0, self.brazier(*words, "-o", "one.folded", "-o", "one.svg").code)
        for name in ("folded", "svg"):
            self.assertEqual(self.read(f"one.{name}"), self.read(f"both.{name}"))


if __name__ == "__main__":
    common.main()
