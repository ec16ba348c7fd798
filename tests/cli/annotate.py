#!/usr/bin/env python3
"""Tests the output annotate: the instructions of recorded functions with their weights.

usage: annotate.py [TEST...]
"""
import os
import re
import unittest

import common
import perf_data as base
from lib.elf import ARM64, Elf
from lib.perf_data import IN_USER, Recording
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
        self.assertIn("neither addresses nor lines", r.err)

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
