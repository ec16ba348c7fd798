#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests how perf-data reads the files of recorded programs: their segments, packed symbols, jumps
to libraries, call-frame information, and debugging information in several files.

usage: perf_modules.py [TEST...]
"""
import ctypes
import ctypes.util
import http.server
import itertools
import lzma
import os
import pathlib
import platform
import re
import shutil
import socket
import struct
import subprocess
import threading
import unittest
import zlib

import common
import perf_data as base
from lib import perf_data
from lib.elf import ARM64, Elf, OBJECT
from lib.perf_data import IN_USER, KERNEL_MODE, KERNEL_PID, Recording
from lib.sample import SampleLoader
from lib.vdso import vdso
from perf_data import APP, ID, OTHER, recording

COMPILER = base.COMPILER
ON_X86_64 = platform.machine() == "x86_64"
PAGES = 0x1000


def segments(data):
    """[(offset, address, size in the file)] of an ELF file of 64 bits."""
    start, n = struct.unpack_from("<Q", data, 32)[0], struct.unpack_from("<H", data, 56)[0]
    found = [struct.unpack_from("<IIQQQQQQ", data, start + 56 * i) for i in range(n)]
    return [(s[2], s[3], s[5]) for s in found if s[0] == 1]


def offset_of(data, address):
    return next(o + address - a for o, a, n in segments(data) if a <= address < a + n)


def build_id_of(data):
    """The build id of an ELF file, which its first such note has."""
    at = data.index(b"\x04\0\0\0\x14\0\0\0\x03\0\0\0GNU\0") + 16
    return data[at:at + 20]


def whole(data, *offsets, name="/srv/app", build_id=None, at=APP, machine=None):
    """A recording of a program whose file is mapped from its beginning. `machine` are texts of features."""
    r = Recording()
    r.features.update((number, r.string(text)) for number, text in (machine or {}).items())
    r.comm(10, "app")
    r.mmap2(10, at, (len(data) + PAGES) // PAGES * PAGES, name, build_id=build_id)
    for offset in offsets:
        r.sample(10, [IN_USER, at + offset], time=9)
    return r.file()


@unittest.skipUnless(base.HAS_PERF_DATA, "this build has no collapser perf-data")
class PerfModules(common.Case):
    put, fold, stripped = base.PerfData.put, base.PerfData.fold, base.PerfData.stripped

    def run_tool(self, *words):
        r = subprocess.run(list(map(str, words)), cwd=self.dir, capture_output=True, text=True)
        self.assertEqual(0, r.returncode, f"{words}: {r.stderr}")
        return r.stdout

    # ---- segments

    def test_a_segment_ends_where_its_bytes_in_the_file_end(self):
        e = Elf(memory=0x5000)
        e.more_segments = [(0x2000, 0x501000, 0x1000)]
        e.symbol("zeroed_data_with_a_long_name", 0x1100, 0x40, OBJECT)
        e.symbol("code", 0x501100 - e.address, 0x40)
        data = e.bytes()
        self.put("/srv/app", data)
        self.assertEqual("app;code 1\n", self.fold(whole(data, 0x2110))[0])

    # ---- packed symbols

    def packed(self, inner):
        e = self.stripped()
        e.extra = [(".gnu_debugdata", lzma.compress(inner, lzma.FORMAT_XZ))]
        return e.bytes()

    def test_packed_symbols_are_read(self):
        self.put("/srv/app", self.packed(base.program().bytes()))
        out, err = self.fold(recording([0x150], [0x804]))
        if "lacks liblzma" in err:
            self.skipTest("built without liblzma")
        self.assertEqual(("app;exported 1\napp;load 1\n", ""), (out, err))

    def test_a_file_with_debugging_information_counts_before_packed_symbols(self):
        e = self.stripped(ID)
        e.extra = [(".gnu_debugdata", lzma.compress(base.program().bytes(), lzma.FORMAT_XZ))]
        self.put("/srv/app", e.bytes())
        debug = Elf(build_id=ID)
        debug.symbol("full", 0x140, 0x40)
        self.put("/usr/lib/debug/.build-id/" + ID.hex()[:2] + "/" + ID.hex()[2:] + ".debug", debug.bytes())
        self.assertEqual("app;full 1\n", self.fold(recording([0x150]))[0])

    def test_packed_symbols_that_are_damaged_or_grow_too_much(self):
        good = lzma.compress(base.program().bytes(), lzma.FORMAT_XZ)
        for data in (good[:-20], good[:30] + b"\xff" + good[31:], b"", b"text", lzma.compress(b"text"),
                     lzma.compress(base.program().bytes() + bytes(50 << 20), lzma.FORMAT_XZ)):
            e = self.stripped()
            e.extra = [(".gnu_debugdata", data)]
            self.put("/srv/app", e.bytes())
            out, err = self.fold(recording([0x150]))
            self.assertEqual("app;[app] 1\n", out)
            self.assertRegex(err, "its file is stripped|lacks liblzma")
            if data and "lacks liblzma" not in err:
                self.assertIn("its packed symbols are damaged or unpack to many times their size", err)

    # ---- jumps

    CALLS = """#include <stdlib.h>
#include <string.h>
int main(int n, char **words) {
    void *(*reserve)(size_t) = malloc;
    char *text = reserve((size_t)n + strlen(words[0]));
    return atexit(0) + abs(atoi(strcpy(malloc(9), words[0]))) + (text != 0);
}
"""

    def jumps(self, tool, path):
        """[(offset, name)] of the jumps that a disassembler names."""
        data = (self.dir / path).read_bytes()
        listed = re.findall(r"^([0-9a-f]+) <([\w.]+@plt)>:$", self.run_tool(tool, "-d", path), re.M)
        return data, sorted((offset_of(data, int(address, 16)), name) for address, name in listed)

    def check_jumps(self, tool, path):
        data, listed = self.jumps(tool, path)
        self.assertGreater(len(listed), 0)
        self.put("/srv/app", data)
        out, _ = self.fold(whole(data, *(offset for offset, _ in listed)))
        counts = {}
        for _, name in listed:
            counts[name] = counts.get(name, 0) + 1
        self.assertEqual("".join(f"app;{name} {n}\n" for name, n in sorted(counts.items())), out)

    @unittest.skipIf(common.SANITIZED, "a sanitizer needs more addresses")
    @unittest.skipUnless(COMPILER and ON_X86_64, "no compiler for x86-64")
    def test_many_jumps_with_a_long_name_take_little_memory(self):
        name = "long_" * 12000
        self.write("many.s", f'.section .plt.got,"ax",@progbits\njmp *{name}@GOTPCREL(%rip)\n.skip 800000\n')
        self.run_tool(COMPILER, "-shared", "-nostdlib", "-o", "many.so", "many.s")
        data = bytearray((self.dir / "many.so").read_bytes())
        offset = int(re.search(r"\.plt\.got +PROGBITS +\w+ (\w+)", self.run_tool("readelf", "-SW", "many.so"))[1], 16)
        distance = struct.unpack_from("<i", data, offset + 2)[0]
        for i in range(100000):
            struct.pack_into("<BBi", data, offset + 8 * i, 0xff, 0x25, distance - 8 * i)
        data = bytes(data)
        self.put("/srv/app", data)
        self.write("p.data", whole(data, offset))
        r = subprocess.run(["sh", "-c", 'ulimit -v 3000000; exec "$@"', "sh", common.BRAZIER, "collapse", "perf-data",
                            "p.data", "--sysroot", "root", "-q", "-j1"], cwd=self.dir, capture_output=True, text=True)
        self.assertEqual((0, f"app;{name}@plt 1\n"), (r.returncode, r.stdout), r.stderr)

    @unittest.skipUnless(COMPILER and ON_X86_64 and shutil.which("objdump"), "no compiler for x86-64")
    def test_jumps_to_libraries_on_x86_64(self):
        self.write("calls.c", self.CALLS)
        for flags in ([], ["-Wl,-z,lazy"], ["-Wl,-z,now"], ["-fcf-protection=full", "-Wl,-z,ibtplt", "-Wl,-z,lazy"],
                      ["-fcf-protection=full", "-Wl,-z,ibtplt", "-Wl,-z,now"], ["-fno-plt"],
                      ["-no-pie", "-fno-pie"], ["-s"]):
            self.run_tool(COMPILER, "-O1", "-fno-builtin", *flags, "-o", "calls", "calls.c")
            if flags != ["-fno-plt"]:
                self.check_jumps("objdump", "calls")

    CHOICE = """
static int one(int x) { return x + 1; }
static void *pick(void) { return one; }
int chosen(int) __attribute__((ifunc("pick")));
void _start(void) { for (volatile int x = 0;; x = chosen(x)); }
"""

    @unittest.skipUnless(COMPILER and ON_X86_64 and shutil.which("objdump"), "no compiler for x86-64")
    def test_jumps_to_functions_that_choose_their_code(self):
        self.write("choice.c", self.CHOICE)
        self.run_tool(COMPILER, "-O1", "-nostdlib", "-static", "-no-pie", "-fno-pie", "-o", "choice", "choice.c")
        data = (self.dir / "choice").read_bytes()
        listed = self.run_tool("objdump", "-d", "-j", ".plt", "choice")
        at = re.search(r"^ *([0-9a-f]+):.*jmp +\*", listed, re.M)
        self.put("/srv/app", data)
        self.assertEqual("app;chosen@plt 1\n", self.fold(whole(data, offset_of(data, int(at[1], 16))))[0])

    MIXED = """
static int one(int x) { return x + 1; }
static void *pick(void) { return one; }
__attribute__((visibility("hidden"), ifunc("pick"))) int chosen(int);
int other(int);
int f(int x) { return chosen(x) + other(x); }
"""

    @unittest.skipUnless(COMPILER and ON_X86_64, "no compiler for x86-64")
    def test_jumps_in_the_way_of_perf_script(self):
        """perf 6.1 has no name for functions that choose their code, nor for jumps outside of .plt."""
        self.write("mixed.c", self.MIXED)
        self.run_tool(COMPILER, "-O1", "-nostdlib", "-shared", "-fPIC", "-o", "mixed.so", "mixed.c")
        data = (self.dir / "mixed.so").read_bytes()
        self.put("/srv/app", data)
        plt = int(re.search(r" \.plt +PROGBITS +\w+ (\w+)", self.run_tool("readelf", "-SW", "mixed.so"))[1], 16)
        own = self.fold(whole(data, plt + 16, plt + 32))[0]
        self.assertEqual("app;chosen@plt 1\napp;other@plt 1\n", own)
        printed = self.fold(whole(data, plt + 16, plt + 32), "--compat", "perf-script")[0]
        self.assertEqual("app;@plt 1\napp;other@plt 1\n", printed)

    ARM64_CALLS = """.text
.globl f
f:
    stp x29, x30, [sp, #-16]!
    bl first
    bl second
    bl third
    ldp x29, x30, [sp], #16
    ret
%s"""

    @unittest.skipUnless(all(map(shutil.which, ("clang", "ld.lld", "llvm-objdump"))), "no tools for arm64")
    def test_jumps_to_libraries_on_arm64(self):
        note = """.section .note.gnu.property, "a"
.p2align 3
.word 4, 16, 5
.asciz "GNU"
.word 0xc0000000, 4, 3, 0
"""
        for tail in ("", note):
            self.write("calls.s", self.ARM64_CALLS % tail)
            self.run_tool("clang", "--target=aarch64-linux-gnu", "-c", "calls.s", "-o", "calls.o")
            self.run_tool("ld.lld", "-shared", "-o", "calls", "calls.o")
            self.check_jumps("llvm-objdump", "calls")

    # ---- call-frame information

    def stacks(self, *stacks, **more):
        return base.PerfData.stacks(self, *stacks, **more)

    STACK = base.PerfData.STACK

    def test_rules_of_debug_frame(self):
        words = [APP + 0x210, 0, 0, APP + 0x310, 5, APP + 0x350, 5, 0]
        rules = (0x100, 0x100, b""), (0x200, 0x100, b"\x44\x0e\x18"), (0x300, 0x100, b"\x41\x0e\x10")
        e = Elf(build_id=ID)
        for i, name in enumerate(("leaf", "middle", "outer")):
            e.symbol(name, 0x100 * (i + 1), 0x100)
        e.unwinding(*rules[:2])
        e.unwinding(*rules[2:], debug=True)
        self.put("/srv/app", e.bytes())
        data = self.stacks((0x108, 0, words), build_id=ID)
        self.assertEqual(("app;outer;outer;middle;leaf 1\n", ""), self.fold(data))

    def test_rules_of_the_file_with_debugging_information(self):
        words = [APP + 0x150, 0]
        debug = base.program(ID)
        debug.unwinding((0x100, 0x80, b""), debug=True)
        self.put("/srv/app", self.stripped(ID).bytes())
        self.put("/usr/lib/debug/.build-id/" + ID.hex()[:2] + "/" + ID.hex()[2:] + ".debug", debug.bytes())
        self.assertEqual("app;load;main 1\n", self.fold(self.stacks((0x108, 0, words)))[0])

    ALL_ON_ARM64 = (1 << 33) - 1

    def arm64_stack(self, ip, link, fp, words, order="<", machine="aarch64", sp=None, at=APP):
        event = perf_data.Event("cpu-clock", registers=self.ALL_ON_ARM64, stack=1024,
                                sample_type=perf_data.USUAL | perf_data.REGS_USER | perf_data.STACK_USER)
        r = Recording(event, order=order)
        sp = self.STACK if sp is None else sp
        r.comm(10, "app")
        r.mmap2(10, at, 0x1000, "/srv/app", 0x1000)
        data = r.pack(f"{len(words)}Q", *words)
        registers = [*range(29), self.STACK + fp, link, sp, at + ip]
        more = r.pack("Q33QQ", 2, *registers, len(data)) + data + r.pack("Q", len(data))
        r.sample(10, [], time=9, ip=at + ip, more=more)
        if machine is not None:
            r.features[6] = r.string(machine)
        return r.file()

    # Instructions of rules: after 4 bytes of code, the frame has 32 bytes, with both registers at its
    # lower end, and the frame pointer is the stack pointer.
    FRAME = b"\x44\x0e\x20\x9d\x04\x9e\x03"
    SIGNED = b"\x44\x2d" + FRAME

    def on_arm64(self, order="<", frame=FRAME, jumps=(), **more):
        e = Elf(order=order, machine=ARM64)
        e.jumps += jumps
        for i, name in enumerate(("leaf", "middle", "outer")):
            e.symbol(name, 0x100 * (i + 1), 0x100)
        e.unwinding((0x100, 0x100, b""), (0x200, 0x100, frame), (0x300, 0x100, frame), **more)
        return e.bytes()

    def test_stacks_are_unwound_on_arm64(self):
        words = [self.STACK + 32, APP + 0x314, 0, 0, 0, 0, 0, 0]
        for order in "<>":
            for debug in (False, True):
                self.put("/srv/app", self.on_arm64(order, debug=debug))
                for machine in ("aarch64", None):
                    data = self.arm64_stack(0x108, APP + 0x210, 0, words, order, machine)
                    self.assertEqual("app;outer;middle;leaf 1\n", self.fold(data)[0])
                data = self.arm64_stack(0x214, 7, 0, words, order)
                self.assertEqual("app;outer;middle 1\n", self.fold(data)[0])

    def test_signatures_of_return_addresses_are_removed(self):
        """They begin above the address space, which has 36 to 52 bits."""
        for order, debug, bits in itertools.product("<>", (False, True), (39, 48)):
            at, seal = APP % (1 << bits), 0x2a << bits
            words = [self.STACK + 32, at + 0x314 | 0x55 << bits, 0, 0, 0, 0, 0, 0]
            self.put("/srv/app", self.on_arm64(order, self.SIGNED, debug=debug))
            data = self.arm64_stack(0x108, at + 0x210 | seal, 0, words, order, at=at)
            self.assertEqual("app;outer;middle;leaf 1\n", self.fold(data)[0])
            # Between signing and saving, the return address is in its register.
            data = self.arm64_stack(0x206, at + 0x314 | seal, 0, [0] * 8, order, at=at)
            self.assertEqual("app;outer;middle 1\n", self.fold(data)[0])

    def test_frame_pointers_on_arm64(self):
        e = Elf(machine=ARM64)
        for i, name in enumerate(("leaf", "middle", "outer")):
            e.symbol(name, 0x100 * (i + 1), 0x100)
        e.unwinding((0x300, 0x100, self.FRAME))
        self.put("/srv/app", e.bytes())
        words = [self.STACK + 48, APP + 0x210, 1, 2, 3, 4, 0, APP + 0x310, 0, 0]
        data = self.arm64_stack(0x108, 5, 0, words)
        self.assertEqual("app;outer;middle;leaf 1\n", self.fold(data)[0])

    def test_a_function_without_a_frame_is_left_once(self):
        self.put("/srv/app", self.on_arm64())
        data = self.arm64_stack(0x108, APP + 0x110, 0, [0] * 8)
        self.assertEqual("app;leaf;leaf 1\n", self.fold(data)[0])

    def arm64_chain(self, ip, link, chain, order="<", machine="aarch64", mode=(), abi=2, at=APP):
        """A sample with frame pointers and the register of return addresses, as perf and brazier
        record it."""
        event = perf_data.Event("cpu-clock", registers=1 << 30, sample_type=perf_data.USUAL | perf_data.REGS_USER)
        r = Recording(event, order=order)
        r.comm(10, "app")
        r.mmap2(10, at, 0x1000, "/srv/app", 0x1000)
        more = r.pack("QQ", abi, link) if abi else r.pack("Q", 0)
        r.sample(10, [*mode, IN_USER, at + ip, *(at + c for c in chain)], time=9, more=more)
        if machine is not None:
            r.features[6] = r.string(machine)
        return r.file()

    def test_a_leaf_on_arm64_has_its_caller(self):
        """Frame pointers lead from a function without a frame to the caller of its caller."""
        for order, machine, bits in itertools.product("<>", ("aarch64", None), (39, 48)):
            self.put("/srv/app", self.on_arm64(order, self.SIGNED))
            at = APP % (1 << bits)
            link = at + 0x210 | 0x2a << bits
            data = self.arm64_chain(0x108, link, [0x314], order, machine, at=at)
            self.assertEqual("app;outer;middle;leaf 1\n", self.fold(data)[0])
            kernel = (perf_data.IN_KERNEL, 1 << 63)
            data = self.arm64_chain(0x108, link, [0x314], order, machine, mode=kernel, at=at)
            self.assertEqual("app;outer;middle;leaf;[unknown] 1\n", self.fold(data)[0])
            # Signing comes before saving.
            data = self.arm64_chain(0x206, at + 0x310 | 0x2a << bits, [0x314], order, machine, at=at)
            self.assertEqual("app;outer;outer;middle 1\n", self.fold(data)[0])

    def test_a_jump_to_a_library_on_arm64_has_its_caller(self):
        """Some linkers write no call-frame information for it."""
        self.put("/srv/app", self.on_arm64(jumps=["far"]))
        self.assertEqual("app;outer;middle;far@plt 1\n", self.fold(self.arm64_chain(0x824, APP + 0x210, [0x314]))[0])
        words = [self.STACK + 32, APP + 0x314, 0, 0, 0, 0, 0, 0]
        data = self.arm64_stack(0x824, APP + 0x210, 0, words)
        self.assertEqual("app;outer;middle;far@plt 1\n", self.fold(data)[0])

    def test_a_function_on_arm64_that_saved_its_caller_has_it_once(self):
        self.put("/srv/app", self.on_arm64())
        for link in (APP + 0x314, APP + 0x210, 7, 0):
            self.assertEqual("app;outer;middle 1\n", self.fold(self.arm64_chain(0x210, link, [0x314]))[0])

    def test_a_register_that_leads_nowhere_is_no_caller_on_arm64(self):
        self.put("/srv/app", self.on_arm64())
        for link, abi, ip in ((7, 2, 0x108), (0, 2, 0x108), (APP + 0x210, 1, 0x108), (0, 0, 0x108),
                              (APP + 0x210, 2, 0x900)):
            out = self.fold(self.arm64_chain(ip, link, [0x314], abi=abi))[0]
            self.assertEqual("app;outer;" + ("[app] 1\n" if ip == 0x900 else "leaf 1\n"), out)

    def test_a_leaf_on_arm64_as_perf_script_has_it(self):
        """It takes equal addresses for the same caller."""
        self.put("/srv/app", self.on_arm64())
        data = self.arm64_chain(0x108, APP + 0x210, [0x210, 0x314])
        self.assertEqual("app;outer;middle;middle;leaf 1\n", self.fold(data)[0])
        self.assertEqual("app;outer;middle;leaf 1\n", self.fold(data, "--compat", "perf-script")[0])

    def test_the_place_of_an_event_counts_once(self):
        """arm64's kernel begins with it and then has it from a frame."""
        self.put("/srv/app", self.on_arm64())
        place, caller = 0xffff800008000100, 0xffff800008000200
        for kind, config, times in ((2, 77, 1), (1, 3, 1), (1, 0, 2)):
            r = Recording(perf_data.Event("some:event", kind=kind, config=config))
            r.comm(10, "app")
            r.mmap2(10, APP, 0x1000, "/srv/app", 0x1000)
            for chain in ((place, place, caller), (place, place)):
                r.sample(10, [perf_data.IN_KERNEL, *chain, IN_USER, APP + 0x108], time=9)
            self.assertEqual(f"app;leaf{times * ';[unknown]'} 1\napp;leaf{(times + 1) * ';[unknown]'} 1\n",
                             self.fold(r.file())[0])
            self.assertEqual("app;leaf;[unknown];[unknown] 1\napp;leaf;[unknown];[unknown];[unknown] 1\n",
                             self.fold(r.file(), "--compat", "perf-script")[0])

    # ---- identity

    def test_debugging_symbols_of_another_build_are_reported(self):
        debug = "/usr/lib/debug/.build-id/" + ID.hex()[:2] + "/" + ID.hex()[2:] + ".debug"
        self.put("/srv/app", self.stripped(ID).bytes())
        self.put(debug, base.program(OTHER).bytes())
        _, err = self.fold(recording([0x150]))
        self.assertIn("in /srv/app: its file is stripped, and its debugging symbols are those of another build",
                      err)

    @unittest.skipUnless(platform.system() == "Linux" and ctypes.sizeof(ctypes.c_void_p) == 8, "no vdso")
    def test_the_vdso_of_this_machine_has_names_if_it_is_the_recorded_one(self):
        data, own = vdso()
        if own is None:
            self.skipTest("no vdso with a build id")
        offsets = range(0x400, len(data), 64)
        of_cache = whole(data, *offsets, name="[vdso]", build_id=own)
        (self.dir / "root").mkdir(exist_ok=True)
        out, _ = self.fold(of_cache)
        self.assertIn("vdso_", out)
        self.put("/cache/.build-id/" + own.hex()[:2] + "/" + own.hex()[2:] + "/vdso", data)
        self.assertEqual(self.fold(of_cache, "--build-id-dir", "/cache")[0], out)
        out, err = self.fold(whole(data, *offsets, name="[vdso]", build_id=OTHER))
        self.assertEqual(f"app;[[vdso]] {len(offsets)}\n", out)
        self.put("/proc/sys/kernel/hostname", "box\n")
        self.put("/proc/sys/kernel/osrelease", "6.1.0\n")
        for host, expected in (("box", self.fold(of_cache)[0]), ("other", f"app;[[vdso]] {len(offsets)}\n")):
            machine = {3: host, 4: "6.1.0"}
            self.assertEqual(expected, self.fold(whole(data, *offsets, name="[vdso]", machine=machine))[0])
        self.assertNotIn("not those that were recorded", err)
        of_32_bits = whole(data, *offsets, name="[vdso]", build_id=own, at=0xf7f00000)
        self.assertEqual(f"app;[[vdso]] {len(offsets)}\n", self.fold(of_32_bits)[0])

    # ---- the kernel

    def test_a_relative_list_of_the_kernel_is_in_the_current_folder(self):
        r = Recording()
        r.comm(10, "app")
        r.mmap(KERNEL_PID, 0xffffffff81000000, 0x1000, "[kernel.kallsyms]_text", misc=KERNEL_MODE)
        r.sample(10, [perf_data.IN_KERNEL, 0xffffffff81000010], time=9, misc=KERNEL_MODE)
        (self.dir / "sub").mkdir()
        self.write("sub/p.data", r.file())
        self.write("kernel.list", "ffffffff81000000 T startup\n")
        r = self.brazier("collapse", "perf-data", "sub/p.data", "--kallsyms", "kernel.list")
        self.assertEqual("app;startup 1\n", r.out, r)
        r = self.brazier("collapse", "perf-data", "--kallsyms", "kernel.list",
                         stdin=(self.dir / "sub/p.data").read_bytes())
        self.assertEqual("app;startup 1\n", r.out, r)

    def test_code_of_the_kernels_start_has_names(self):
        """It lies after the end of the code that recordings name, and is on the stacks of idle processors.
        Modules may lie there, too."""
        at = 0xffffffff81000000
        r = Recording()
        r.comm(0, "swapper")
        r.mmap(KERNEL_PID, at, 0x100000, "[kernel.kallsyms]_text", at, misc=KERNEL_MODE)
        r.mmap(KERNEL_PID, at + 0x300000, 0x1000, "[ext4]", 0, 0, KERNEL_MODE)
        r.sample(0, [perf_data.IN_KERNEL, at + 0x10, at + 0x300010, at + 0x200010], time=9, misc=KERNEL_MODE)
        self.put("/kallsyms", "ffffffff81000000 T _text\nffffffff81000000 T do_idle\nffffffff81100000 T _etext\n"
                              "ffffffff81200000 T start_kernel\nffffffff81201000 T _einittext\n")
        self.assertEqual("swapper;start_kernel;[[ext4]];do_idle 1\n",
                         self.fold(r.file(), "--kallsyms", "/kallsyms")[0])

    def of_kernel(self, build_id, ip=0xffffffff81000010):
        r = Recording()
        r.comm(10, "app")
        r.mmap2(KERNEL_PID, 1 << 63, (1 << 63) - 1, "[kernel.kallsyms]_no_symbol", misc=KERNEL_MODE,
                build_id=build_id)
        r.sample(10, [perf_data.IN_KERNEL, ip], time=9, misc=KERNEL_MODE)
        return r.file()

    def test_addresses_of_a_kernel_that_hides_its_own(self):
        """They are the kernel's, not code of the program without a mapping."""
        r = Recording()
        r.comm(10, "app")
        r.mmap2(10, APP, PAGES, "/srv/app")
        r.sample(10, [perf_data.IN_KERNEL, 1 << 63, 1 << 62, IN_USER, APP + 0x150], time=9)
        self.put("/srv/app", base.program(ID).bytes())
        _, err = self.fold(r.file())
        self.assertIn("2 addresses of the kernel have no name: the kernel hid its addresses; ", err)
        self.assertNotIn("in no module", err)

    def test_the_list_of_the_running_kernel_is_for_its_recordings(self):
        def note(build_id):
            return struct.pack("=III", 4, 6, 257) + b"Xen\0" + bytes(8) + \
                struct.pack("=III", 4, 20, 3) + b"GNU\0" + build_id
        self.put("/proc/kallsyms", "ffffffff81000000 T startup\n")
        self.put("/sys/kernel/notes", note(ID))
        self.assertEqual("app;startup 1\n", self.fold(self.of_kernel(ID))[0])
        self.assertEqual("app;startup 1\n", self.fold(self.of_kernel(ID), "--kallsyms", "/proc/kallsyms")[0])
        self.assertEqual("app;[[kernel.kallsyms]] 1\n", self.fold(self.of_kernel(OTHER))[0])
        out, err = self.fold(self.of_kernel(OTHER), "--kallsyms", "/proc/kallsyms")
        self.assertEqual("app;[[kernel.kallsyms]] 1\n", out)
        self.assertIn("warning: the list is that of the running kernel, which is not the recorded one: "
                      "/proc/kallsyms\n", err)

    def of_machine(self, host, release, reference_at=0xffffffff81000000):
        r = Recording()
        r.features = {3: r.string(host), 4: r.string(release)}
        r.comm(10, "app")
        r.mmap(KERNEL_PID, reference_at, 0x100000, "[kernel.kallsyms]_text", reference_at, misc=KERNEL_MODE)
        r.sample(10, [perf_data.IN_KERNEL, reference_at + 0x10], time=9, misc=KERNEL_MODE)
        return r

    def test_a_recording_without_build_ids_has_the_symbols_of_its_kernel_while_that_runs(self):
        """perf writes no build ids into pipes, or with compressed records."""
        self.put("/proc/kallsyms", "ffffffff81000000 T _text\nffffffff81000000 T startup\n")
        self.put("/proc/sys/kernel/hostname", "box\n")
        self.put("/proc/sys/kernel/osrelease", "6.1.0\n")
        same = self.of_machine("box", "6.1.0")
        self.assertEqual("app;startup 1\n", self.fold(same.file())[0])
        self.assertEqual("app;startup 1\n", self.fold(same.pipe())[0])
        for other in (self.of_machine("other", "6.1.0"), self.of_machine("box", "6.1.1"),
                      self.of_machine("box", "6.1.0", 0xffffffff92000000)):
            for words in ((), ("--compat", "perf-script")):
                self.assertEqual("app;[[kernel.kallsyms]] 1\n", self.fold(other.file(), *words)[0])

    @unittest.skipUnless(pathlib.Path("/proc/kallsyms").exists(), "no /proc/kallsyms")
    def test_the_list_of_the_running_kernel_is_read_to_its_end(self):
        lines = pathlib.Path("/proc/kallsyms").read_text().splitlines()
        last = [line.split() for line in lines if re.match(r"[0-9a-f]*[1-9a-f] [tT] \w+$", line)]
        r = Recording()
        r.comm(10, "app")
        r.mmap(KERNEL_PID, 1 << 63, (1 << 63) - 1, "[kernel.kallsyms]_no_symbol", misc=KERNEL_MODE)
        at, _, name = last[-1] if last else (1 << 63, "", "")
        r.sample(10, [perf_data.IN_KERNEL, int(str(at), 16)], time=9, misc=KERNEL_MODE)
        self.write("p.data", r.file())
        r = self.brazier("collapse", "perf-data", "p.data", "--kallsyms", "/proc/kallsyms")
        self.assertNotIn("cannot be read", r.err)
        if last:
            others = [n for a, _, n in last if a == at]
            self.assertIn(r.out, [f"app;{n} 1\n" for n in others])
        else:
            self.assertIn("has no addresses", r.err)

    # ---- compilers

    def test_code_that_a_compiler_moves_is_named_at_both_places(self):
        for order in "<>":
            def record(kind, body):
                return struct.pack(order + "IIQ", kind, len(body) + 16, 5) + body

            def load(address, index, name):
                return record(0, struct.pack(order + "IIQQQQ", 10, 10, address, address, 16, index) +
                              name.encode() + b"\0" + bytes(16))

            def move(old, new, index):
                return record(1, struct.pack(order + "IIQQQQQ", 10, 10, new, old, new, 16, index))
            dump = struct.pack(order + "IIIIIIQQ", 0x4a695444, 1, 40, 62, 0, 10, 0, 0)
            dump += load(0x1000, 1, "one") + load(0x1010, 2, "two") + record(4, bytes(24))
            dump += move(0x1000, 0x2000, 1) + move(0x1010, 0x1000, 2) + move(0x1, 0x3000, 7)
            self.put("/tmp/jit-10.dump", dump)
            r = Recording()
            r.comm(10, "app")
            r.mmap2(10, 0x9000, 0x1000, "/tmp/jit-10.dump")
            r.mmap2(10, 0x1000, 0x3000, "//anon")
            for ip in (0x1008, 0x1018, 0x2008, 0x3008):
                r.sample(10, [IN_USER, ip], time=9)
            out, err = self.fold(r.file())
            self.assertEqual("app;[perf-10.map] 1\napp;one 1\napp;two 2\n", out)
            self.assertIn("unwinding information of compiled code is not used: 1\n", err)

    # ---- debugging information in several files

    def shared_by_dwz(self):
        """A program with places in it, whose debugging information is partly in the file shared.debug."""
        data, places = base.PerfData.compiled(self, "-Wl,--build-id")
        for i in (1, 2):
            self.write(f"inlines{i}", data).chmod(0o755)
        self.run_tool("dwz", "-m", "shared.debug", "-M", "/usr/lib/debug/.dwz/shared.debug", "inlines1", "inlines2")
        return (self.dir / "inlines1").read_bytes(), places

    @unittest.skipUnless(COMPILER and ON_X86_64 and shutil.which("dwz"), "no compiler for x86-64, or no dwz")
    def test_shared_parts_of_debugging_information(self):
        data, places = self.shared_by_dwz()
        self.assertIn(b".gnu_debugaltlink", data)
        self.put("/srv/app", data)
        out, err = self.fold(whole(data, *(s + o for s, o in places)))
        self.assertNotIn("inner", out)
        self.assertIn("needs a file that is not here, so their inlined functions and lines are missing: 1, such "
                      "as /srv/app", err)
        self.put("/usr/lib/debug/.dwz/shared.debug", (self.dir / "shared.debug").read_bytes())
        out, err = self.fold(whole(data, *(s + o for s, o in places), build_id=build_id_of(data)))
        self.assertEqual("app;outer 1\napp;outer;middle 1\napp;outer;middle;inner 1\n", out)
        self.assertEqual("", err)
        self.put("/usr/lib/debug/.dwz/shared.debug", base.program(OTHER).bytes())
        self.assertNotIn("inner", self.fold(whole(data, *(s + o for s, o in places)))[0])

    # Functions with code in several places, and inlined calls with code in several places.
    UNITS = ("""
volatile int sink;
void other(int x);
static inline __attribute__((always_inline)) void inner(int x) { sink = x; if (__builtin_expect(x > 5, 0)) other(x); }
static inline __attribute__((always_inline)) int middle(int x) { inner(x); sink = 2; inner(x + 1); return x; }
__attribute__((noinline)) int outer(int x) { for (int i = 0; i < x; i++) middle(i); return middle(x); }
__attribute__((cold, noinline)) int rare(int x) { return middle(x) + outer(x); }
void _start(void) { outer(1); rare(2); for (;;) sink = 2; }
""", """
extern volatile int sink;
static inline __attribute__((always_inline)) void deep(int x) { sink = x * 3; sink = x + 1; }
__attribute__((noinline)) void other(int x) { deep(x); sink = x; deep(x + 2); }
""")

    def built(self, compiler, *flags):
        """The program made of UNITS; its split debugging information is in self.units."""
        for i, text in enumerate(self.UNITS):
            self.write(f"unit{i}.c", text)
            self.run_tool(compiler, "-c", "-g", "-O2", "-fno-pie", *flags, "-o",
                          f"unit{i}.o", f"unit{i}.c")
        self.run_tool(COMPILER, "-nostdlib", "-static", "-no-pie", "-o", "units", "unit0.o", "unit1.o")
        self.units = {str(path): path.read_bytes() for path in self.dir.glob("*.dwo")}
        for path in self.units:
            pathlib.Path(path).unlink()
        return (self.dir / "units").read_bytes()

    def lines_of(self, data):
        """The folded text of all code of a program, with lines, and the messages."""
        return self.lines_of_some(data, 1 << 20)

    def lines_of_some(self, data, n):
        """The same of the first n bytes of the code."""
        self.put("/srv/app", data)
        offset, _, size = next((o, a, n) for o, a, n in segments(data) if a <= self.entry(data) < a + n)
        return self.fold(whole(data, *range(offset, offset + min(size, n))), "--srcline")

    @unittest.skipUnless(COMPILER and ON_X86_64, "no compiler for x86-64")
    def test_code_without_an_entry_of_its_function_has_lines(self):
        """The assembler has lines, and no entries of labels that are not of the type @function."""
        self.write("bare.s", "\t.globl _start\n_start:\n\tnop\n\tret\n")
        self.run_tool(COMPILER, "-g", "-nostdlib", "-static", "-no-pie", "-o", "bare", "bare.s")
        out, _ = self.lines_of((self.dir / "bare").read_bytes())
        self.assertRegex(out, r"\Aapp;_start:\S*bare.s:3 1\napp;_start:\S*bare.s:4 1\n\Z")

    def many_units(self, *flags):
        """A program made of UNITS, with much debugging information between them. With -flto, code is in front of it,
        and what it refers to is after it."""
        members = "\n".join(f"struct s{i} {{ int m_{i * 7919 % 1000}_{i}; long o_{i}; struct s{i} *n_{i}; }} v{i};"
                            for i in range(4000))
        self.write("between.c", members)
        for i, text in enumerate(self.UNITS):
            self.write(f"unit{i}.c", text)
        compiler = [COMPILER, "-g", "-O2", "-fno-pie", "-nostdlib", "-static", "-no-pie"]
        plain = [flag for flag in flags if flag != "-flto"]
        self.run_tool(*compiler, *plain, "-c", "-o", "between.o", "between.c")
        self.run_tool(*compiler, *flags, "-save-temps", "-o", "units", "unit0.c", "between.o", "unit1.c")
        if "-flto" in flags:
            code, named = (sorted(map(str, self.dir.glob(x))) for x in ("*.ltrans.o", "*.debug.temp.o"))
            self.assertTrue(code and named, self.files())
            self.run_tool(*compiler, *plain, "-o", "units", *code, "between.o", *named)
        return (self.dir / "units").read_bytes()

    def compressed(self, kind="zlib"):
        """Compresses the debugging information of the program, which is the result."""
        self.run_tool("objcopy", f"--compress-debug-sections={kind}", "units", "small")
        return (self.dir / "small").read_bytes()

    @staticmethod
    def section(data, name):
        """The place of a section in a file."""
        table, = struct.unpack_from("<Q", data, 40)
        size, n, names = struct.unpack_from("<HHH", data, 58)
        texts = struct.unpack_from("<Q", data, table + names * size + 24)[0]
        for at in range(table, table + n * size, size):
            text, _, _, _, offset, length = struct.unpack_from("<IIQQQQ", data, at)
            if data[texts + text:].startswith(name + b"\0"):
                return offset, length
        raise AssertionError(name)

    @unittest.skipUnless(COMPILER and ON_X86_64 and shutil.which("objcopy"), "no tools for x86-64")
    def test_compressed_sections_are_unpacked(self):
        """With -flto, inlined functions are in other units than their code."""
        for flags in (["-gdwarf-5"], ["-gdwarf-4"], ["-gdwarf-5", "-flto"], ["-gdwarf-4", "-flto"]):
            with self.subTest(flags):
                data = self.many_units(*flags)
                expected = self.lines_of(data)
                self.assertRegex(expected[0], "outer.*:.*;middle:.*;inner:.*unit0.c:4")
                self.assertLess(200000, self.section(data, b".debug_info")[1])
                self.assertEqual(expected, self.lines_of(self.compressed()))

    @unittest.skipUnless(COMPILER and ON_X86_64 and shutil.which("objcopy"), "no tools for x86-64")
    def test_sections_that_are_compressed_with_zstd(self):
        if "zstd" not in subprocess.run(["objcopy", "--help"], capture_output=True, text=True).stdout:
            self.skipTest("this objcopy does not know zstd")
        expected = self.lines_of(self.many_units("-gdwarf-5"))
        data = self.compressed("zstd")
        self.assertIn(b"\x28\xb5\x2f\xfd", data)
        self.assertEqual(expected, self.lines_of(data))

    @unittest.skipUnless(COMPILER and ON_X86_64 and shutil.which("objcopy"), "no tools for x86-64")
    def test_damage_of_compressed_sections_costs_the_units_after_it(self):
        expected = self.lines_of(self.many_units("-gdwarf-5"))[0]
        data = bytearray(self.compressed())
        offset, length = self.section(data, b".debug_info")
        data[offset + length - 400:offset + length - 350] = bytes(50)
        got = self.lines_of(bytes(data))[0]
        before = [line for line in expected.splitlines() if "unit0.c" in line and "other" not in line]
        self.assertLess(5, len(before))
        self.assertEqual(before, [line for line in got.splitlines() if "unit0.c" in line and "other" not in line])
        self.assertNotIn("deep", got)
        self.assertIn("other", got)

    @unittest.skipUnless(COMPILER and ON_X86_64 and shutil.which("readelf"), "no tools for x86-64")
    def test_entries_that_are_followed_by_earlier_ones(self):
        """A damaged unit: the entry after each one with entries in it is the first of the unit."""
        data = bytearray(self.built(COMPILER, "-gdwarf-4"))
        expected = self.lines_of(bytes(data))[0]
        start, _ = self.section(data, b".debug_info")
        listed = self.run_tool("readelf", "--debug-dump=info", "units")
        places = [int(place, 16) for place in re.findall(r"<([0-9a-f]+)> +DW_AT_sibling", listed)]
        first = int(re.search(r"<1><([0-9a-f]+)>", listed)[1], 16)
        self.assertGreater(len(places), 5)
        for place in places:
            struct.pack_into("<I", data, start + place, first)
        names = {line.split(":")[0] for line in self.lines_of(bytes(data))[0].splitlines()}
        self.assertEqual({line.split(":")[0] for line in expected.splitlines()}, names)

    @unittest.skipUnless(COMPILER and ON_X86_64, "no compiler for x86-64")
    def test_functions_that_share_a_long_list_of_ranges(self):
        """150 KB for 30,000 functions with 30,000 ranges each would take 20 GB."""
        n = 30000
        self.write("ranges.s", f"""
            .text
            .globl _start
    _start: .rept {n}; nop; .endr
            ret
            .section .debug_abbrev, "", @progbits
            .byte 1, 0x11, 1, 0x11, 1, 0x55, 0x17, 0, 0, 2, 0x2e, 0, 0x55, 0x17, 0, 0, 0
            .section .debug_ranges, "", @progbits
    list:   .set i, 0
            .rept {n}; .quad i, i + 1; .set i, i + 1; .endr
            .quad 0, 0
            .section .debug_info, "", @progbits
            .long end - begin
    begin:  .short 4
            .long 0
            .byte 8
            .byte 1
            .quad _start
            .long list
            .rept {n}; .byte 2; .long list; .endr
            .byte 0
    end:
    """)
        self.run_tool(COMPILER, "-nostdlib", "-static", "-no-pie", "-o", "ranges", "ranges.s")
        out, err = self.lines_of_some((self.dir / "ranges").read_bytes(), 3)
        self.assertEqual("app;_start 3\n", out)
        self.assertIn("has more ranges of addresses than its size allows", err)

    @staticmethod
    def entry(data):
        return struct.unpack_from("<Q", data, 24)[0]

    def check_split(self, compiler, *flags):
        shutil.rmtree(self.dir / "root", ignore_errors=True)
        expected = self.lines_of(self.built(compiler, *flags))
        self.assertRegex(expected[0], "outer:.*;middle:.*;inner:.*unit0.c:4")
        data = self.built(compiler, *flags, "-gsplit-dwarf")
        _, err = self.lines_of(data)
        self.assertIn("needs a file that is not here, so their inlined functions and lines are missing: 1, such as "
                      "/srv/app", err)
        for path, unit in self.units.items():
            self.put(path, unit)
        self.assertEqual(expected, self.lines_of(data))

    @unittest.skipUnless(COMPILER and ON_X86_64, "no compiler for x86-64")
    def test_split_debugging_information(self):
        for flags in (["-gdwarf-5"], ["-gdwarf-4"], ["-gdwarf-5", "-gz"], ["-gdwarf-5", "-ffunction-sections"],
                      ["-gdwarf-4", "-ffunction-sections"]):
            with self.subTest(flags):
                self.check_split(COMPILER, *flags)

    @unittest.skipUnless(shutil.which("clang") and ON_X86_64, "no clang for x86-64")
    def test_split_debugging_information_of_clang(self):
        for flags in (["-gdwarf-5"], ["-gdwarf-4"], ["-gdwarf-5", "-ffunction-sections"]):
            with self.subTest(flags):
                self.check_split("clang", *flags)

    def check_packaged(self, tool, *flags):
        expected = self.lines_of(self.built(COMPILER, *flags))
        data = self.built(COMPILER, *flags, "-gsplit-dwarf")
        for path, unit in self.units.items():
            pathlib.Path(path).write_bytes(unit)
        self.run_tool(tool, "-o", "units.dwp", *sorted(self.units))
        for path in self.units:
            pathlib.Path(path).unlink()
        self.put("/srv/app.dwp", (self.dir / "units.dwp").read_bytes())
        self.assertEqual(expected, self.lines_of(data))

    @unittest.skipUnless(COMPILER and ON_X86_64 and shutil.which("dwp"), "no compiler for x86-64, or no dwp")
    def test_packaged_debugging_information(self):
        self.check_packaged("dwp", "-gdwarf-4")

    @unittest.skipUnless(COMPILER and ON_X86_64 and shutil.which("llvm-dwp"), "no compiler for x86-64, or no llvm-dwp")
    def test_packaged_debugging_information_of_llvm(self):
        self.check_packaged("llvm-dwp", "-gdwarf-5")

    def enlarge(self, data, section, size):
        """Moves a section of an ELF file to the end, where it gets `size` bytes more, all zero and without
        room on the disk."""
        table, = struct.unpack_from("<Q", data, 40)
        entry, n, names = struct.unpack_from("<HHH", data, 58)
        at = [table + entry * i for i in range(n)]
        names, = struct.unpack_from("<Q", data, at[names] + 24)

        def name(i):
            start = names + struct.unpack_from("<I", data, at[i])[0]
            return data[start:data.index(b"\0", start)].decode()
        i = next(i for i in range(n) if name(i) == section)
        offset, length = struct.unpack_from("<QQ", data, at[i] + 24)
        out = bytearray(data)
        struct.pack_into("<QQ", out, at[i] + 24, len(data), length + size)
        return bytes(out) + data[offset:offset + length], len(data) + length + size

    def put_large(self, path, data, section, size):
        data, whole = self.enlarge(data, section, size)
        self.put(path, data)
        os.truncate(self.dir / "root" / path.lstrip("/"), whole)

    @unittest.skipUnless(COMPILER and ON_X86_64 and shutil.which("dwp"), "no compiler for x86-64, or no dwp")
    def test_units_of_a_package_share_its_strings(self):
        """Copies of all strings for both units would take too much memory."""
        self.check_packaged("dwp", "-gdwarf-4")
        expected = self.lines_of((self.dir / "units").read_bytes())
        self.put_large("/srv/app.dwp", (self.dir / "units.dwp").read_bytes(), ".debug_str.dwo", 600 << 20)
        self.assertEqual(expected, self.lines_of((self.dir / "units").read_bytes()))

    @unittest.skipUnless(COMPILER and ON_X86_64, "no compiler for x86-64")
    def test_split_debugging_information_that_is_too_large_is_reported_as_such(self):
        data = self.built(COMPILER, "-gdwarf-5", "-gsplit-dwarf")
        for path, unit in self.units.items():
            self.put(path, unit)
        path = next(path for path in self.units if "unit0" in path)
        self.put_large(path, self.units[path], ".debug_str.dwo", 1 << 30)
        out, err = self.lines_of(data)
        self.assertNotIn("inner", out)
        self.assertNotIn("is not here", err)
        self.assertIn("the split debugging information of modules takes more than 1 GiB of memory, so some of their "
                      "inlined functions and lines are missing: 1, such as /srv/app", err)

    # ---- compressed sections that claim much memory

    UNPACKED = "compressed debugging information unpacks to many times its size, such as that of {}, which needs {} MiB: "

    @staticmethod
    def zeros(size, kind):
        """A compressed stream of zeros: of zstd, blocks of a repeated byte; of zlib, as much as has to be there."""
        if kind == 1:
            return zlib.compress(bytes(100)) + bytes(size // 1000)
        blocks = [min(1 << 17, size - at) for at in range(0, size, 1 << 17)]
        return b"\x28\xb5\x2f\xfd\x00\x38" + b"".join(
            (n << 3 | 2 | (i + 1 == len(blocks))).to_bytes(3, "little") + b"\0" for i, n in enumerate(blocks))

    def claim(self, data, section, size, kind=2, old=None):
        """Replaces a section of an ELF file by a compressed one that unpacks to `size` zeros. With `old`, it has the
        old form, and this name, which is no longer than its own."""
        stream = self.zeros(size, kind)
        packed = struct.pack("<IIQQ", kind, 0, size, 1) + stream
        if old is not None:
            data = data.replace(b"\0" + section + b"\0", b"\0" + old.ljust(len(section), b"\0") + b"\0")
            section, packed = old, b"ZLIB" + struct.pack(">Q", size) + stream
        out = bytearray(data)
        table, = struct.unpack_from("<Q", data, 40)
        entry, n, names = struct.unpack_from("<HHH", data, 58)
        texts = struct.unpack_from("<Q", data, table + names * entry + 24)[0]
        at = next(at for at in range(table, table + n * entry, entry)
                  if data[texts + struct.unpack_from("<I", data, at)[0]:].startswith(section + b"\0"))
        flags = struct.unpack_from("<Q", data, at + 8)[0] | (0x800 if old is None else 0)
        struct.pack_into("<Q", out, at + 8, flags)
        struct.pack_into("<QQ", out, at + 24, len(data), len(packed))
        return bytes(out) + packed

    def check_unpacked(self, data, path, megabytes, *more):
        """The program has its names, but nothing of what is too large; little memory is used."""
        at = offset_of(data, self.entry(data))
        self.write("p.data", whole(data, at))
        r = self.brazier("collapse", "perf-data", "p.data", "--sysroot", self.dir / "root", "--max-memory", "450M",
                         "--quality=each", *more)
        self.assertEqual((0, "app;_start 1\n"), (r.code, r.out), r)
        self.assertIn("1 module lacks inlined functions, lines or unwind tables, since " +
                      self.UNPACKED.format(path, megabytes), r.err)

    @unittest.skipUnless(COMPILER and ON_X86_64, "no compiler for x86-64")
    def test_compressed_sections_that_claim_much_memory_are_not_unpacked(self):
        data = self.many_units("-gdwarf-5")
        for section, kind in ((b".debug_str", 2), (b".debug_str", 1), (b".debug_info", 2), (b".debug_line", 1)):
            bomb = self.claim(data, section, 1 << 30, kind)
            self.put("/srv/app", bomb)
            self.check_unpacked(bomb, "/srv/app", 1024)
        out, err = self.fold(whole(bomb, offset_of(bomb, self.entry(bomb))), "--no-inlines")
        self.assertEqual("app;_start 1\n", out)
        self.assertNotIn("unpacks", err)
        bomb = self.claim(self.claim(data, b".debug_str", 200 << 20), b".debug_abbrev", 100 << 20)
        self.put("/srv/app", bomb)
        self.check_unpacked(bomb, "/srv/app", 300)

    @unittest.skipUnless(COMPILER and ON_X86_64, "no compiler for x86-64")
    def test_sections_in_the_old_form_that_claim_much_memory_are_not_unpacked(self):
        data = self.many_units("-gdwarf-5")
        bomb = self.claim(data, b".debug_line_str", 1 << 30, 1, old=b".zdebug_info")
        self.put("/srv/app", bomb)
        self.check_unpacked(bomb, "/srv/app", 1024)

    @unittest.skipUnless(COMPILER and ON_X86_64 and shutil.which("objcopy"), "no tools for x86-64")
    def test_separate_debugging_information_that_claims_much_memory_is_not_unpacked(self):
        self.write("units", self.many_units("-gdwarf-5", "-Wl,--build-id")).chmod(0o755)
        self.run_tool("objcopy", "--only-keep-debug", "units", "units.debug")
        self.run_tool("objcopy", "--strip-all", "units", "stripped")
        data = (self.dir / "stripped").read_bytes()
        self.put("/srv/app", data)
        digits = build_id_of(data).hex()
        self.put(f"/usr/lib/debug/.build-id/{digits[:2]}/{digits[2:]}.debug",
                 self.claim((self.dir / "units.debug").read_bytes(), b".debug_str", 1 << 30))
        self.check_unpacked(data, "/srv/app", 1024)

    @unittest.skipUnless(COMPILER and ON_X86_64 and shutil.which("dwz"), "no compiler for x86-64, or no dwz")
    def test_shared_debugging_information_that_claims_much_memory_is_not_unpacked(self):
        data, _ = self.shared_by_dwz()
        self.put("/srv/app", data)
        self.put("/usr/lib/debug/.dwz/shared.debug",
                 self.claim((self.dir / "shared.debug").read_bytes(), b".debug_str", 1 << 30))
        self.check_unpacked(data, "/srv/app", 1024)

    @unittest.skipUnless(COMPILER and ON_X86_64, "no compiler for x86-64")
    def test_split_debugging_information_that_claims_much_memory_is_not_unpacked(self):
        data = self.built(COMPILER, "-gdwarf-5", "-gsplit-dwarf")
        for path, unit in self.units.items():
            self.put(path, self.claim(unit, b".debug_str.dwo", 1 << 30))
        self.put("/srv/app", data)
        self.check_unpacked(data, "/srv/app", 1024)

    def test_unwind_tables_that_claim_much_memory_are_not_unpacked(self):
        e = base.program()
        e.unwinding((0x100, 0x80, b""), debug=True)
        e.extra.append((".debug_str", bytes(8)))
        data = self.claim(e.bytes(), b".debug_str", 1 << 30)
        self.put("/srv/app", data)
        self.write("p.data", base.PerfData.stacks(base.PerfData("test_names_are_demangled"), (0x108, 0, [APP + 0x150])))
        r = self.brazier("collapse", "perf-data", "p.data", "--sysroot", self.dir / "root", "--max-memory", "450M",
                         "--quality=each")
        self.assertEqual((0, "app;main 1\n"), (r.code, r.out), r)
        self.assertIn(self.UNPACKED.format("/srv/app", 1024), r.err)

    @unittest.skipUnless(COMPILER and ON_X86_64, "no compiler for x86-64")
    def test_files_share_the_memory_for_sections_that_grow_much(self):
        """Each could have it alone. What grows little has its own."""
        data = self.many_units("-gdwarf-5")
        bomb = self.claim(data, b".debug_aranges", 150 << 20)
        r = Recording()
        r.comm(10, "app")
        for i, name in enumerate(("/srv/one", "/srv/two")):
            self.put(name, bomb)
            at = APP + (i << 32)
            r.mmap2(10, at, (len(bomb) + PAGES) // PAGES * PAGES, name)
            r.sample(10, [IN_USER, at + offset_of(bomb, self.entry(bomb))], time=9)
        out, err = self.fold(r.file(), "--srcline")
        self.assertIn(self.UNPACKED.format("/srv/two", 150), err)
        self.assertIn("1 module lacks inlined functions, lines or unwind tables, since ", err)
        self.assertRegex(out, r"app;_start 1\napp;_start:\S*unit0.c:\d+ 1\n")

    @unittest.skipUnless(COMPILER and ON_X86_64, "no compiler for x86-64")
    def test_split_debugging_information_of_another_build_is_not_used(self):
        self.built(COMPILER, "-gsplit-dwarf")
        for path, unit in self.units.items():
            self.put(path, unit)
        data = self.built(COMPILER, "-gsplit-dwarf", "-DNEW", "-O1")
        out, err = self.lines_of(data)
        self.assertNotIn("inner", out)
        self.assertIn("needs a file that is not here", err)

    @unittest.skipUnless(COMPILER and ON_X86_64, "no compiler for x86-64")
    def test_a_relative_folder_of_the_compiler_is_that_of_the_program(self):
        """Not that of the recording, which lies outside of the sysroot."""
        flags = ["-gdwarf-5", f"-fdebug-prefix-map={self.dir.resolve()}=build"]
        expected = self.lines_of(self.built(COMPILER, *flags))
        self.assertRegex(expected[0], "outer:.*;middle:.*;inner:.*unit0.c:4")
        data = self.built(COMPILER, *flags, "-gsplit-dwarf")
        units = {pathlib.Path(path).name: unit for path, unit in self.units.items()}
        for name, unit in units.items():
            self.write(f"build/{name}", unit)
        out, err = self.lines_of(data)
        self.assertNotIn("inner", out)
        self.assertIn("needs a file that is not here", err)
        for name, unit in units.items():
            self.put(f"/srv/build/{name}", unit)
        self.assertEqual(expected, self.lines_of(data))

    # ---- servers of debugging information

    def serve(self, files):
        """Starts a server on the loopback interface. Returns the environment, and the list of the
        paths that are asked for."""
        asked = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                asked.append(self.path)
                data = files.get(self.path)
                self.send_response(404 if data is None else 200)
                self.send_header("Content-Length", str(len(data or b"")))
                self.end_headers()
                self.wfile.write(data or b"")

            def log_message(self, *words):
                pass
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return {"DEBUGINFOD_URLS": f"http://127.0.0.1:{server.server_port}",
                "DEBUGINFOD_CACHE_PATH": self.dir / "fetched", "no_proxy": "127.0.0.1"}, asked

    def folded(self, *words, env):
        return self.brazier("collapse", "perf-data", "p.data", "--sysroot", self.dir / "root",
                            "--quality=each", *words, env=env)

    HAS_CLIENT = ctypes.util.find_library("debuginfod") is not None

    @unittest.skipUnless(HAS_CLIENT, "no libdebuginfod")
    def test_files_are_fetched_on_request_only(self):
        path = f"/buildid/{ID.hex()}/"
        env, asked = self.serve({path + "executable": self.stripped(ID).bytes(),
                                 path + "debuginfo": base.program(ID).bytes()})
        (self.dir / "root").mkdir()
        self.write("p.data", recording([0x150], build_id=ID, name="/nowhere/app"))
        r = self.folded(env=env)
        self.assertEqual(("app;[app] 1\n", []), (r.out, asked))
        r = self.folded("--debuginfod", env=env)
        self.assertEqual(("app;load 1\n", [path + "executable", path + "debuginfo"]), (r.out, asked))
        self.assertEqual("p.data: note: files that servers of debugging information have: 2 of 2\n",
                         base.FEW.sub("", r.err))
        r = self.folded("--debuginfod", env=env)  # from the library's cache
        self.assertEqual(("app;load 1\n", 2), (r.out, len(asked)))

    @unittest.skipUnless(HAS_CLIENT, "no libdebuginfod")
    def test_a_fetched_file_with_another_build_id_is_not_used(self):
        path = f"/buildid/{ID.hex()}/"
        env, asked = self.serve({path + "executable": base.program(OTHER).bytes()})
        (self.dir / "root").mkdir()
        self.write("p.data", recording([0x150], build_id=ID, name="/nowhere/app"))
        self.assertEqual("app;[app] 1\n", self.folded("--debuginfod", env=env).out)
        self.assertEqual([path + "executable"], asked)

    @unittest.skipUnless(HAS_CLIENT, "no libdebuginfod")
    def test_servers_that_are_not_there(self):
        (self.dir / "root").mkdir()
        self.write("p.data", recording([0x150], build_id=ID, name="/nowhere/app"))
        r = self.folded("--debuginfod", env={"DEBUGINFOD_URLS": ""})
        self.assertIn("warning: --debuginfod fetches no more files: the variable DEBUGINFOD_URLS names no server\n",
                      r.err)
        env, _ = self.serve({})
        r = self.folded("--debuginfod", env=env)
        self.assertEqual("app;[app] 1\n", r.out)
        self.assertIn("note: files that servers of debugging information have: 0 of 1\n", r.err)

    @unittest.skipUnless(HAS_CLIENT, "no libdebuginfod")
    def test_servers_that_do_not_answer_are_not_asked_forever(self):
        (self.dir / "root").mkdir()
        r = Recording()
        r.comm(10, "app")
        for i in range(6):
            r.mmap2(10, APP + i * PAGES, PAGES, f"/nowhere/{i}", build_id=bytes([i] * 20))
            r.sample(10, [IN_USER, APP + i * PAGES], time=9)
        self.write("p.data", r.file())
        with socket.socket() as bound:  # nobody listens
            bound.bind(("127.0.0.1", 0))
            env = {"DEBUGINFOD_URLS": f"http://127.0.0.1:{bound.getsockname()[1]}",
                   "DEBUGINFOD_CACHE_PATH": self.dir / "fetched", "no_proxy": "127.0.0.1"}
            r = self.folded("--debuginfod", env=env)
        self.assertEqual(6, len(r.out.splitlines()))
        self.assertIn("warning: --debuginfod fetches no more files: the servers do not answer\n", r.err)
        self.assertIn("note: files that servers of debugging information have: 0 of 3\n", r.err)

    def test_the_network_is_not_for_found_configurations_nor_for_isolation(self):
        self.write("p.data", recording([0x150], build_id=ID, name="/nowhere/app"))
        r = self.fails(2, "collapse", "perf-data", "p.data", "--debuginfod", "--isolate")
        self.assertIn("'debuginfod' of 'perf-data' uses the network, which --isolate forbids", r.err)
        found = self.write("brazier.yaml", "options:\n  perf-data:\n    debuginfod: true\n")
        r = self.fails(2, "collapse", "perf-data", "p.data")
        self.assertIn("refused: 'true' lets an option use the network (this file was found, not named; "
                      "--trust-config or --config allows it)", r.err)
        r = self.brazier("--config", found, "collapse", "perf-data", "p.data", env={"DEBUGINFOD_URLS": ""})
        self.assertEqual("app;[app] 1\n", r.out)


if __name__ == "__main__":
    common.main(SampleLoader())
