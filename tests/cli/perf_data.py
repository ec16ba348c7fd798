#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the names that perf-data finds in files below --sysroot: programs, their debugging symbols,
lists of the kernel, maps of compilers.

usage: perf_data.py [TEST...]
"""
import functools
import os
import pathlib
import platform
import random
import re
import shutil
import stat
import struct
import subprocess
import unittest

import common
from lib import perf_data
from lib.elf import Elf, LOCAL, NOTYPE, OBJECT, WEAK
from lib.perf_data import IN_KERNEL, IN_USER, IN_USER_LATER, KERNEL_MODE, KERNEL_PID, Recording, USER_MODE
from lib.sample import SampleLoader

HAS_PERF_DATA = any(pathlib.Path(common.BRAZIER).resolve().parent.parent.glob(
    "lib*/**/collapse-perf-data.so"))
STRACE = shutil.which("strace")
COMPILER = shutil.which("gcc") or shutil.which("cc")
ID, OTHER = bytes(range(1, 21)), bytes(range(2, 22))
APP = 0x555555554000


def program(build_id=None, **more):
    e = Elf(build_id=build_id, **more)
    e.symbol("main", 0x100, 0x40)
    e.symbol("load", 0x140, 0x40)
    return e


def recording(*chains, build_id=None, name="/srv/app", kind="file"):
    """A recording of a program that is mapped at APP from the offset 0x1000 of its file."""
    r = Recording()
    r.comm(10, "app")
    r.mmap2(10, APP, 0x1000, name, 0x1000, build_id=build_id)
    for chain in chains:
        r.sample(10, [IN_USER, *(APP + a for a in chain)], time=9)
    return r.pipe() if kind == "pipe" else r.file()


def go_table(magic, *functions, first=None, order="<", word=8):
    """The table of functions of a Go program: [(at, name)], of which the last one has the end instead of a name;
    since Go 1.17, [(at, name, flags)], too.
    `first` is the address that the table states for the code, since Go 1.18."""
    def pack(size, *values):
        return struct.pack(order + {4: "I", 8: "Q"}[size] * len(values), *values)
    new = magic in (0xfffffff0, 0xfffffff1)
    field, base = (4, 0x401000) if new else (word, 0)
    records = pairs = b""
    words = 1 if magic == 0xfffffffb else 8 if new else 7
    head = 8 + words * word
    name_base = 0 if words == 1 else head
    text = b"\0" + b"".join(name + b"\0" for _, name, *_ in functions[:-1])
    list_base = head if words == 1 else head + len(text)
    record_at = (2 * len(functions) - 1) * field
    at_name = 1
    rest_size = 0 if words == 1 else 36 if magic == 0xfffffff1 else 32
    for i, (at, name, *flags) in enumerate(functions[:-1]):
        offset = record_at + i * (field + 4 + rest_size) + (list_base if words == 1 else 0)
        pairs += pack(field, 0x401000 - base + at, offset)
        place = at_name + (head + record_at + (len(functions) - 1) * (field + 4) if words == 1 else 0)
        records += pack(field, 0x401000 - base + at) + pack(4, place)
        records += bytes(max(rest_size - 3, 0)) + (bytes([*flags, 0])[:1] + bytes(2) if rest_size else b"")
        at_name += len(name) + 1
    pairs += pack(field, 0x401000 - base + functions[-1][0])
    start = pack(4, magic) + bytes([0, 0, 1, word])
    n = len(functions) - 1
    if words == 1:
        return start + pack(word, n) + pairs + records + text
    numbers = [n, 1] + ([base if first is None else first] if new else []) + [name_base, 0, 0, 0, list_base]
    return start + pack(word, *numbers) + text + pairs + records


# Marks places, whose addresses are in the file after the words.
INLINES = """
static volatile int sink;
#define MARK(n) __asm__ volatile("1:\\n.pushsection .rodata\\n.ascii \\"PLACE" #n "\\"\\n.quad 1b\\n.popsection")
static inline __attribute__((always_inline)) void inner(int x) { sink = x; MARK(1); sink = x + 1; }
static inline __attribute__((always_inline)) void middle(int x) {
    inner(x);
    MARK(2);
    sink = x;
}
__attribute__((noinline)) void outer(int x) { middle(x); MARK(3); sink = x; }
void _start(void) { outer(1); for (;;) sink = 2; }
"""


# The function outer with two blocks that overlap; the second one has the inlined function inner.
BLOCKS = """
 .text
 .globl outer
 .type outer, @function
outer: .fill 16, 1, 0x90
end: .size outer, .-outer
 .section .debug_abbrev
 .uleb128 1; .uleb128 0x11; .byte 1; .uleb128 0x11, 1, 0x12, 7, 0, 0    # a unit: low_pc, high_pc
 .uleb128 2; .uleb128 0x2e; .byte 1; .uleb128 3, 8, 0x11, 1, 0x12, 7, 0, 0    # a function: name, low_pc, high_pc
 .uleb128 3; .uleb128 0x0b; .byte 1; .uleb128 0x11, 1, 0x12, 7, 0, 0    # a block
 .uleb128 4; .uleb128 0x1d; .byte 0; .uleb128 0x31, 0x13, 0x11, 1, 0x12, 7, 0, 0    # a call: abstract_origin
 .uleb128 5; .uleb128 0x2e; .byte 0; .uleb128 3, 8, 0, 0    # a function without code
 .byte 0
 .section .debug_info
unit: .long past - . - 4; .short 4; .long .debug_abbrev; .byte 8
 .uleb128 1; .quad outer, end - outer
inner: .uleb128 5; .asciz "inner"
 .uleb128 2; .asciz "outer"; .quad outer, end - outer
 .uleb128 3; .quad outer, 12; .byte 0
 .uleb128 3; .quad outer + 4, 12
 .uleb128 4; .long inner - unit; .quad outer + 4, 4
 .byte 0, 0, 0
past:
"""

FEW = re.compile(r"^[^\n]*: note: \d+ (?:samples are few|sample is little), [^\n]*\n", re.M)


class Processes:
    """A model of processes whose mappings change: writes records, and knows the stacks of samples."""

    PAGE, SLOTS = 0x10000, 6

    def __init__(self, random_):
        self.random, self.names, self.maps, self.replaced = random_, {10: "app"}, {10: {}}, set()

    def change(self, r, time):
        pid = self.random.choice(list(self.names))
        kind = self.random.random()
        if kind < 0.7:
            slot, library = self.random.randrange(self.SLOTS), self.random.randrange(9)
            r.mmap2(pid, APP + slot * self.PAGE, self.PAGE, f"/srv/lib{library}", time=time)
            if pid in self.replaced:
                self.replaced.discard(pid)
                self.maps[pid] = {}
            self.maps[pid][slot] = library
        elif kind < 0.8:
            self.names[pid] = f"app{time}"
            r.comm(pid, self.names[pid], time=time, is_exec=True)
            self.replaced.add(pid)
        elif kind < 0.9 and len(self.names) > 1:
            r.exit(pid, 1, time=time)
            for of in (self.names, self.maps):
                del of[pid]
            self.replaced.discard(pid)
        else:
            child = self.random.choice([pid for pid in range(10, 40) if pid not in self.names])
            r.fork(child, pid, time=time)
            self.names[child], self.maps[child] = self.names[pid], dict(self.maps[pid])
            if pid in self.replaced:
                self.replaced.add(child)

    def sample(self, r, time):
        pid = self.random.choice(list(self.names))
        slots = [self.random.randrange(self.SLOTS) for _ in range(self.random.randrange(1, 6))]
        r.stack(pid, APP, 0x7fff0000, 0, [0], time=time,
                chain=[IN_USER, *(APP + slot * self.PAGE + 0x100 for slot in slots)])
        libraries = [self.maps[pid].get(slot) for slot in reversed(slots)]
        return ";".join([self.names[pid], *("[unknown]" if i is None else f"[lib{i}]" for i in libraries)])


@unittest.skipUnless(HAS_PERF_DATA, "this build has no collapser perf-data")
class PerfData(common.Case):
    def put(self, path, data):
        target = self.dir / "root" / path.lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data if isinstance(data, bytes) else data.encode())

    def test_an_event_is_called_as_in_the_text_of_the_recording(self):
        """Tests that modifiers belong to no name, unless events differ in nothing else."""
        kind = perf_data.USUAL | perf_data.IDENTIFIER
        text = "app 10/10 1.0: 7 cpu-clock:ppp:\n\t555555555000 main (/srv/app)\n\n"
        for names, shown in ((["cpu-clock:ppp"], "cpu-clock"), (["cpu-clock:u", "faults:u"], "cpu-clock"),
                             (["cpu-clock:u", "cpu-clock:k"], "cpu-clock:u")):
            r = Recording(*(perf_data.Event(name, 1, 0, kind, ids=[i + 1]) for i, name in enumerate(names)))
            r.comm(10, "app")
            for i in range(len(names)):
                r.sample(10, [IN_USER, APP], time=9, period=5, event=i)
            r.describe()
            self.write("p.data", r.file())
            self.write("p.txt", text)
            r = self.brazier("run", "p.data", "-w", "none", "-t", "folded")
            self.assertIn(f"it has {shown}", r.err)
            self.assertEqual("app;[unknown] 5\n", self.brazier("run", "p.data", "-w", names[0], "-t", "folded").out)
            if shown == "cpu-clock":
                self.assertIn("app;main 7\n", self.brazier("run", "p.txt", "p.data", "-t", "folded").out)
                self.assertIn("app;[unknown] 5\n", self.brazier("merge", "p.data", "p.txt").out)

    def fold(self, data, *args, sysroot="root"):
        """Folded text, the same with and without --isolate, and the messages, without the one that samples
        are few."""
        self.write("p.data", data)
        results = []
        for more in ([], ["--isolate"]):
            r = self.brazier("collapse", "perf-data", "p.data", "--sysroot", self.dir / sysroot,
                             "--quality=each", *more,
                             *args)
            self.assertEqual(0, r.code, r)
            results.append(r)
        self.assertEqual(results[0].out, results[1].out)
        return results[0].out, FEW.sub("", results[0].err)

    # ---- programs

    def test_functions_have_the_names_of_the_program(self):
        for order in "<>":
            self.put("/srv/app", program(order=order).bytes())
            out, err = self.fold(recording([0x120, 0x180], [0x150]))
            self.assertEqual(("app;load 1\napp;load;main 1\n", ""), (out, err))

    def test_another_recording_in_the_same_file_is_reported(self):
        """`cat` makes such files, and perf reads the first one, too."""
        self.put("/srv/app", program().bytes())
        data = recording([0x120, 0x180], [0x150])
        for more in (data, Recording().pipe()):
            out, err = self.fold(data + more)
            self.assertEqual("app;load 1\napp;load;main 1\n", out)
            self.assertEqual(f"p.data: byte 0x{len(data):x}: warning: another recording follows, which is not read: "
                             "give each one as a file of its own\n", err)

    def test_symbols_of_sections_that_are_not_in_memory_name_no_code(self):
        """Rust's metadata has addresses from 0 on, as its code has in a library."""
        e = program(address=0)
        e.extra.append((".rustc", bytes(8)))
        e.symbol("rust_metadata", 0, 0x800, OBJECT, section=".rustc")
        self.put("/srv/app", e.bytes())
        r = Recording()
        r.comm(10, "app")
        r.mmap2(10, APP, 0x1000, "/srv/app", 0x1000)
        for at in (0x110, 0x210):
            r.sample(10, [IN_USER, APP + at], time=9)
        self.assertEqual("app;[app] 1\napp;main 1\n", self.fold(r.file())[0])

    def test_a_thread_that_the_kernel_has_released(self):
        """Its number is -1, as perf shows it."""
        r = Recording()
        r.sample(0xffffffff, [IN_USER, APP], time=9)
        self.assertEqual(":-1;[unknown] 1\n", self.fold(r.file())[0])

    def test_threads_that_have_ended_have_the_number_that_perf_prints(self):
        r = Recording()
        r.sample(0xffffffff, [IN_KERNEL, 0xffffffff81000000], time=9)
        out, _ = self.fold(r.file(), "--tid")
        self.assertEqual(":-1--1/-1;", out[:10])

    def test_a_call_at_the_end_of_a_function_belongs_to_it(self):
        self.put("/srv/app", program().bytes())
        data = recording([0x100, 0x140])
        self.assertEqual("app;main;main 1\n", self.fold(data)[0])
        self.assertEqual("app;load;main 1\n", self.fold(data, "--compat", "perf-script")[0])

    def test_a_register_in_the_place_of_a_return_address_ends_the_stack(self):
        """Code without frame pointers has anything there. perf script then shows no frame, as for an empty chain."""
        self.put("/srv/app", program().bytes())
        stray = (1 << 64) - 64
        r = Recording()
        r.comm(10, "app")
        r.mmap2(10, APP, 0x1000, "/srv/app", 0x1000)
        r.sample(10, [IN_USER, APP + 0x150, APP + 0x120, stray, APP + 0x120], time=9)
        out, err = self.fold(r.file())
        self.assertEqual("app;main;load 1\n", out)
        self.assertIn("1 of 1 stacks has callers where no code is mapped", err)
        self.assertNotIn("marker", err)
        r.sample(10, [IN_USER, APP + 0x120], time=9)
        out, err = self.fold(r.file(), "--compat", "perf-script")
        self.assertEqual("app 1\napp;main 1\n", out)
        self.assertNotIn("left out", err)
        self.assertNotIn("marker", err)
        r.sample(10, [stray, APP + 0x150], time=10)
        out, err = self.fold(r.file())
        self.assertIn("call chains with an unknown marker count for their leaf only: 1", err)

    def test_of_several_names_of_an_address_the_one_that_perf_shows_counts(self):
        e = Elf()
        for i, names in enumerate(([("a", 0, 2, 2), ("b", 9, 2, 1)], [("w", 9, 2, 2), ("s", 9, 2, 1)],
                                   [("l", 9, 2, 0), ("g", 9, 2, 1)], [("__x", 9, 2, 1), ("_y", 9, 2, 1)],
                                   [("short", 9, 2, 1), ("longer", 9, 2, 1)])):
            for name, size, kind, binding in names:
                e.symbol(name, 0x100 * i, size, kind, binding)
        self.put("/srv/app", e.bytes())
        out, _ = self.fold(recording(*([0x100 * i] for i in range(5))))
        self.assertEqual("app;_y 1\napp;b 1\napp;g 1\napp;longer 1\napp;s 1\n", out)

    def test_symbols_without_a_size_end_at_the_next_one(self):
        e = Elf()
        e.symbol("first", 0x100)
        e.symbol("second", 0x200)
        self.put("/srv/app", e.bytes())
        out, _ = self.fold(recording([0x1ff], [0x200], [0xff]))
        self.assertEqual("app;[app] 1\napp;first 1\napp;second 1\n", out)

    def test_a_symbol_around_others_counts_where_they_do_not(self):
        e = Elf()
        e.symbol("outer", 0x100, 0x100)
        e.symbol("inner", 0x120, 0x10)
        self.put("/srv/app", e.bytes())
        out, _ = self.fold(recording([0x110], [0x125], [0x140], [0x200]))
        self.assertEqual("app;[app] 1\napp;inner 1\napp;outer 2\n", out)

    def test_labels_and_versions(self):
        e = Elf()
        e.symbol("label", 0x100, 0, NOTYPE, LOCAL)
        e.symbol("hidden", 0x108, 0, NOTYPE, LOCAL, visible=2)
        e.symbol("$x", 0x110, 0, NOTYPE, LOCAL)
        e.symbol("read@@GLIBC_2.2.5", 0x200, 0x10)
        e.symbol("data", 0x300, 8, OBJECT)
        self.put("/srv/app", e.bytes())
        out, _ = self.fold(recording([0x10c], [0x114], [0x204], [0x304]))
        self.assertEqual("app;data 1\napp;label 2\napp;read 1\n", out)
        out, _ = self.fold(recording([0x204]), "--compat", "perf-script")
        self.assertEqual("app;read@@GLIBC_2.2.5 1\n", out)
        text = "app 1 1.0: 1 cycles:\n\t204 read@@GLIBC_2.2.5+0x4 (/srv/app)\n\n"
        self.assertEqual(out, self.good("collapse", "perf", stdin=text).out)

    def test_of_equally_good_names_the_first_one_in_the_table_counts(self):
        for names in (["open_b", "open_a"], ["open_a", "open_b"]):
            e = Elf()
            for name in names:
                e.symbol(name, 0x100, 0x10)
                e.symbol(name, 0x100, 0x10, dynamic=True)
            e.symbol("only_in_one", 0x200, 0x10, dynamic=True)
            e.symbol("only_in_two", 0x200, 0x10)
            self.put("/srv/app", e.bytes())
            self.assertEqual(f"app;only_in_two 1\napp;{names[0]} 1\n", self.fold(recording([0x104], [0x204]))[0])

    def test_stripped_files_have_symbols_for_linking_and_jumps(self):
        e = Elf()
        e.symbol("exported", 0x100, 0x10, dynamic=True)
        e.symbol("alias", 0x100, 0x10, binding=WEAK, dynamic=True)
        e.jumps = ["malloc", "free"]
        self.put("/srv/app", e.bytes())
        out, err = self.fold(recording([0x104], [0x810], [0x82f], [0x400]))
        self.assertEqual("app;[app] 1\napp;exported 1\napp;free@plt 1\napp;malloc@plt 1\n", out)
        self.assertIn("1 address has no name, in /srv/app: its file is stripped", err)

    def test_names_that_begin_with_a_bracket_are_kept(self):
        e = Elf()
        for i, name in enumerate(("(paren)", "(a;b) c", "(anonymous namespace)::f(int)", "f(int)")):
            e.symbol(name, 0x100 + 0x40 * i, 0x40)
        self.put("/srv/app", e.bytes())
        self.assertEqual("app;(a:b) c 1\napp;(anonymous namespace)::f 1\napp;(paren) 1\napp;f 1\n",
                         self.fold(recording([0x104], [0x144], [0x184], [0x1c4]))[0])

    def test_stripped_go_programs_name_their_functions(self):
        functions = (0x100, b"main.main"), (0x140, b"main.(*T).add"), (0x180, b"main.gen[...]"), (0x1c0, None)
        expected = "app;[app] 1\napp;main.(*T).add 1\napp;main.gen[...] 1\napp;main.main 1\n"
        for magic in (0xfffffffb, 0xfffffffa, 0xfffffff0, 0xfffffff1):
            for order in "<>":
                for name in (".gopclntab", ".data.rel.ro.gopclntab"):
                    e = Elf(order=order)
                    e.extra = [(name, go_table(magic, *functions, order=order))]
                    self.put("/srv/app", e.bytes())
                    chains = recording([0x104], [0x150], [0x1bf], [0x1c0])
                    self.assertEqual(expected, self.fold(chains)[0], (hex(magic), order, name))
        self.assertIn("app;[app] 4\n", self.fold(chains, "--compat", "perf-script")[0])

    def test_tables_of_go_without_the_address_of_the_code_count_from_text(self):
        table = go_table(0xfffffff1, (0x0, b"main.main"), (0x80, None), first=0)
        for more, expected in (((), "main.main"), (((".init", b"\x90"),), "[app]")):
            e = Elf()
            e.extra = [(".gopclntab", table), *more]
            self.put("/srv/app", e.bytes())
            self.assertEqual(f"app;{expected} 1\n", self.fold(recording([0x10]))[0])

    def test_tables_of_go_in_a_section_of_other_data(self):
        """As in programs at any address that a linker of C makes."""
        table = go_table(0xfffffff1, (0x100, b"main.main"), (0x180, None))
        false = table[:8] + bytes(48)
        for data, more, expected in ((bytes(16) + false + table, ((".go.buildinfo", b"x"),), "main.main"),
                                     (table, ((".go.buildinfo", b"x"),), "main.main"),
                                     (table[:40], ((".go.buildinfo", b"x"),), "[app]"), (table, (), "[app]")):
            e = Elf()
            e.extra = [(".data.rel.ro", data), *more]
            self.put("/srv/app", e.bytes())
            self.assertEqual(f"app;{expected} 1\n", self.fold(recording([0x110]))[0])

    def test_damaged_tables_of_go_name_nothing_wrong(self):
        for magic in (0xfffffffb, 0xfffffffa, 0xfffffff1):
            table = go_table(magic, (0x100, b"main.main"), (0x140, b"main.add"), (0x180, None))
            for i in range(0, len(table), 5):
                for damaged in (table[:i], table[:i] + b"\xff" + table[i + 1:]):
                    e = Elf()
                    e.extra = [(".gopclntab", damaged)]
                    self.put("/srv/app", e.bytes())
                    self.assertRegex(self.fold(recording([0x104]))[0], r"\Aapp;[^;]+ 1\n\Z")

    def test_a_file_without_a_build_id_is_not_the_recorded_one(self):
        self.put("/srv/app", program().bytes())
        out, err = self.fold(recording([0x150], build_id=ID))
        self.assertEqual("app;[app] 1\n", out)
        self.assertIn("1 file is not the one that was recorded, so its symbols are not used: put", err)

    def test_names_are_demangled(self):
        e = Elf()
        e.symbol("_ZN3foo3barEi", 0x100, 0x10)
        self.put("/srv/app", e.bytes())
        self.assertEqual("app;foo::bar 1\n", self.fold(recording([0x104]))[0].replace("(int)", ""))

    def test_types_in_front_of_a_function_are_kept(self):
        """Zig and Crystal put them in brackets, without which the name of the function is lost."""
        names = "list.ArrayList(u8,fn (u8) u8).append", "*Set(Int32)@Set(T)#add<Int32>:Set(Int32)", \
            "main()::{lambda()#1}::f", "main.(*Worker).Spin", "kfun:#main(kotlin.Array<T>){}", "(unclosed.f", "f(int)"
        e = Elf()
        for i, name in enumerate(names):
            e.symbol(name, 0x100 + 0x40 * i, 0x40)
        self.put("/srv/app", e.bytes())
        out, _ = self.fold(recording(*([0x104 + 0x40 * i] for i in range(len(names)))))
        kept = [*names[:4], "kfun:#main", "(unclosed.f", "f"]
        self.assertEqual("".join(sorted(f"app;{name} 1\n" for name in kept)), out)

    def test_the_text_of_a_recording_gives_the_same_names(self):
        """Newer versions of perf print arguments, older ones do not."""
        names = (("_Z3sumi", "sum", "sum(int)"),
                 ("_ZZ3sumiENKUlcE_clEc", "sum(int)::{lambda(char)#1}::operator()",
                  "sum(int)::{lambda(char)#1}::operator()(char) const"),
                 ("_ZZ4mainENKUlvE_clEv", "main::{lambda()#1}::operator()", "main::{lambda()#1}::operator()() const"),
                 ("_ZNKSt8functionIFviEEclEi", "std::function<void (int)>::operator()",
                  "std::function<void (int)>::operator()(int) const"),
                 ("_ZN1AcvbEv", "A::operator bool", "A::operator bool()"),
                 ("_ZNK1AcvPFviEEv", "A::operator void (*)(int)", "A::operator void (*)(int)() const"),
                 ("_ZN1A3barEPFviE", "A::bar", "A::bar(void (*)(int))"),
                 ("_ZN12_GLOBAL__N_13fooEv", "(anonymous namespace)::foo", "(anonymous namespace)::foo()"),
                 ("_ZdlPv", "operator delete", "operator delete(void*)"),
                 ("_ZZN1AclEiENKUlvE_clEv", "A::operator()(int)::{lambda()#1}::operator()",
                  "A::operator()(int)::{lambda()#1}::operator()() const"))
        e = Elf()
        for i, (mangled, _, _) in enumerate(names):
            e.symbol(mangled, 0x100 + 0x40 * i, 0x40)
        self.put("/srv/app", e.bytes())
        data = recording(*([0x104 + 0x40 * i] for i in range(len(names))))
        for words in ([], ["--compat", "perf-script"]):
            out, _ = self.fold(data, *words)
            self.assertEqual("".join(sorted(f"app;{name} 1\n" for _, name, _ in names)), out)
        for kind in range(3):
            self.write("p.txt", "".join(f"app 10 9.0: cycles:\n\t{1:16x} {name[kind]}+0x4 (/srv/app)\n\n"
                                        for name in names))
            self.assertEqual(out, self.brazier("collapse", "perf", "p.txt").out)

    # ---- identity

    def test_a_file_with_another_build_id_is_not_used(self):
        self.put("/srv/app", program(OTHER).bytes())
        out, err = self.fold(recording([0x150], build_id=ID))
        self.assertEqual("app;[app] 1\n", out)
        self.assertIn("warning: 1 file is not the one that was recorded, so its symbols are not used: put", err)
        self.assertIn("into perf's build-id cache (perf buildid-cache --add FILE), or all recorded files below", err)
        folder = "/cache/.build-id/" + ID.hex()[:2] + "/" + ID.hex()[2:]
        self.put(f"{folder}/elf", program(ID).bytes())
        self.assertEqual("app;load 1\n", self.fold(recording([0x150], build_id=ID), "--build-id-dir", "/cache")[0])
        self.put("/srv/app", program(ID).bytes())
        self.assertEqual(("app;load 1\n", ""), self.fold(recording([0x150], build_id=ID)))

    def test_build_ids_of_the_recording_count_before_and_after_its_samples(self):
        self.put("/srv/app", program(OTHER).bytes())
        r = Recording()
        r.comm(10, "app")
        r.mmap2(10, APP, 0x1000, "/srv/app", 0x1000)
        r.sample(10, [IN_USER, APP + 0x150], time=9)
        r.features[2] = r.build_id(10, "/srv/app", ID)
        self.assertEqual("app;[app] 1\n", self.fold(r.file())[0])
        r.features = {}
        r.raw(67, r.build_id(10, "/srv/app", ID)[8:], misc=1 << 15 | 2)
        self.assertEqual("app;[app] 1\n", self.fold(r.pipe())[0])

    def test_a_file_in_the_place_of_a_deleted_one_needs_its_build_id(self):
        name = "/srv/app (deleted)"
        self.put("/srv/app", program(ID).bytes())
        self.assertEqual("app;load 1\n", self.fold(recording([0x150], build_id=ID, name=name))[0])
        self.assertEqual("app;[app] 1\n", self.fold(recording([0x150], name=name))[0])

    def test_a_file_that_is_no_program(self):
        for data in (b"", b"\x7fELF", b"text", program().bytes()[:5000], bytes(9000)):
            self.put("/srv/app", data)
            self.assertEqual("app;[app] 1\n", self.fold(recording([0x150]))[0])

    # ---- debugging symbols

    def stripped(self, build_id=None):
        e = Elf(build_id=build_id)
        e.symbol("exported", 0x800, 0x10, dynamic=True)
        return e

    def test_symbols_come_from_the_file_that_the_debug_link_names(self):
        debug = program().bytes()
        e = self.stripped()
        e.debug_link("app.debug", debug)
        for place in ("/srv/app.debug", "/srv/.debug/app.debug", "/usr/lib/debug/srv/app.debug"):
            shutil.rmtree(self.dir / "root", ignore_errors=True)
            self.put("/srv/app", e.bytes())
            self.put(place, debug)
            self.assertEqual("app;load 1\n", self.fold(recording([0x150]))[0], place)
        self.put(place, program(size=0x2000).bytes()) # another checksum
        self.assertEqual("app;[app] 1\n", self.fold(recording([0x150]))[0])

    def test_symbols_come_from_a_file_with_the_same_build_id(self):
        self.put("/srv/app", self.stripped(ID).bytes())
        path = "/usr/lib/debug/.build-id/" + ID.hex()[:2] + "/" + ID.hex()[2:] + ".debug"
        self.put(path, program(OTHER).bytes())
        self.assertEqual("app;[app] 1\n", self.fold(recording([0x150]))[0])
        self.put(path, program(ID).bytes())
        self.assertEqual("app;load 1\n", self.fold(recording([0x150]))[0])

    def test_the_build_id_cache_has_programs_and_symbols(self):
        folder = "/cache/.build-id/" + ID.hex()[:2] + "/" + ID.hex()[2:]
        self.put(folder + "/elf", program(ID).bytes())
        data = recording([0x150], build_id=ID, name="/gone/app")
        self.assertEqual("app;[app] 1\n", self.fold(data)[0])
        self.assertEqual("app;load 1\n", self.fold(data, "--build-id-dir", "/cache")[0])
        self.put(folder + "/elf", self.stripped(ID).bytes())
        self.put(folder + "/debug", program(ID).bytes())
        self.assertEqual("app;load 1\n", self.fold(data, "--build-id-dir", "/cache")[0])

    # ---- inlined functions

    def compiled(self, *flags, source=INLINES, linking="-static"):
        """(file, [(offset, address)] of the places)"""
        self.write("inlines.c", source)
        subprocess.run([COMPILER, "-g", "-O1", "-nostdlib", linking, "-no-pie", "-fno-pie", *flags,
                        "-o", "inlines", "inlines.c"], cwd=self.dir, check=True, capture_output=True)
        data = (self.dir / "inlines").read_bytes()
        start, n = struct.unpack_from("<Q", data, 32)[0], struct.unpack_from("<H", data, 56)[0]
        segments = [struct.unpack_from("<IIQQQQQQ", data, start + 56 * i) for i in range(n)]
        places = []
        for i in (1, 2, 3):
            address, = struct.unpack_from("<Q", data, data.index(b"PLACE%d" % i) + 6)
            places += [(s[2], address - s[3]) for s in segments if s[0] == 1 and s[3] <= address < s[3] + s[6]]
        return data, places

    @staticmethod
    def recording_of(places):
        """A sample at each place in a program."""
        r = Recording()
        r.comm(10, "app")
        r.mmap2(10, APP, 0x1000, "/srv/app", places[0][0])
        for _, offset in places:
            r.sample(10, [IN_USER, APP + offset], time=9)
        return r

    @unittest.skipUnless(COMPILER and platform.machine() == "x86_64", "no compiler for x86-64")
    def test_inlined_functions_are_frames(self):
        for flags in (["-gdwarf-5"], ["-gdwarf-4"], ["-gz=zlib"], ["-gz=zlib-gnu"]):
            data, places = self.compiled(*flags)
            self.put("/srv/app", data)
            r = self.recording_of(places)
            out, _ = self.fold(r.file())
            self.assertEqual("app;outer 1\napp;outer;middle 1\napp;outer;middle;inner 1\n", out)
            self.assertEqual("app;outer 3\n", self.fold(r.file(), "--no-inlines")[0])
            self.assertIn("app;outer;middle_[i];inner_[i] 1\n", self.fold(r.file(), "--inlined")[0])
            out, _ = self.fold(r.file(), "--srcline")
            lines = re.sub(r":[^;:]*/inlines.c", "", out).splitlines()
            self.assertIn("app;outer:10;middle:6;inner:4 1", lines)
            self.assertTrue({"app;outer:10;middle:7 1", "app;outer:10;middle:8 1"} & set(lines), lines)

    @unittest.skipUnless(pathlib.Path("/sys/kernel/mm").is_dir(), "no files of the kernel")
    def test_files_of_the_kernel_are_not_opened(self):
        """Those in /sys have a size, and may be the memory of a device."""
        for name in ("/sys/kernel/mm/transparent_hugepage/enabled", "/sys/../proc/self/status", "/proc/self/maps"):
            if not pathlib.Path(name).exists():
                continue
            r = Recording()
            r.comm(10, "app")
            r.mmap2(10, APP, 0x1000, name)
            r.sample(10, [IN_USER, APP + 0x150], time=9)
            self.write("p.data", r.file())
            r = self.brazier("collapse", "perf-data", "p.data", "-v")
            self.assertEqual("app;[unknown] 1\n", r.out.replace(f"[{pathlib.Path(name).name}]", "[unknown]"))
            self.assertNotIn(f"opened {name}", r.err)
            if ".." not in name:
                self.assertIn("it is a file that the kernel makes", r.err)

    def fold_places(self, data, places):
        """The stacks of the places in a program."""
        self.put("/srv/app", data)
        return self.fold(self.recording_of(places).file())[0]

    @unittest.skipUnless(COMPILER and platform.machine() == "x86_64", "no compiler for x86-64")
    def test_inlined_functions_right_after_the_jumps_to_libraries(self):
        self.write("library.c", "void call(void) {}\n")
        subprocess.run([COMPILER, "-shared", "-nostdlib", "-o", "liblibrary.so", "library.c"], cwd=self.dir, check=True,
                       capture_output=True)
        source = INLINES + "void call(void);\nvoid jump(void) { call(); }\n"
        for flags in ([], ["-fcf-protection", "-Wl,-z,ibtplt"]):
            data, places = self.compiled("./liblibrary.so", *flags, source=source, linking="-Wl,--no-as-needed")
            self.assertEqual("app;outer 1\napp;outer;middle 1\napp;outer;middle;inner 1\n",
                             self.fold_places(data, places))

    @unittest.skipUnless(shutil.which("gcc") and platform.machine() == "x86_64", "no gcc for x86-64")
    def test_inlined_functions_in_a_function_that_is_defined_in_another_one(self):
        """DWARF describes the code of lambdas of C++ in this way."""
        outer = re.search("^__attribute__.*void outer.*$", INLINES, re.M)[0]
        source = INLINES.replace(outer, "").replace("void _start(void) {", f"void _start(void) {{ {outer}")
        for version in ("-gdwarf-5", "-gdwarf-4"):
            self.assertEqual("app;outer.0 1\napp;outer.0;middle 1\napp;outer.0;middle;inner 1\n",
                             self.fold_places(*self.compiled(version, source=source)))

    @unittest.skipUnless(COMPILER and platform.machine() == "x86_64", "no compiler for x86-64")
    def test_inlined_functions_in_blocks_that_overlap(self):
        """gcc writes such blocks with -flto."""
        self.write("blocks.s", BLOCKS)
        subprocess.run([COMPILER, "-nostdlib", "-static", "-no-pie", "-Wl,-e,outer", "-Wl,-Ttext=0x401000", "-o", "blocks",
                        "blocks.s"], cwd=self.dir, check=True, capture_output=True)
        self.assertEqual("app;outer 2\napp;outer;inner 1\n",
                         self.fold_places((self.dir / "blocks").read_bytes(), [(0x1000, at) for at in (2, 5, 10)]))

    @unittest.skipUnless(shutil.which("g++") and platform.machine() == "x86_64", "no C++ compiler for x86-64")
    def test_the_code_of_a_lambda_has_its_name(self):
        """DWARF has no other name of it if it has no symbol."""
        inner = re.search("^static inline.*void inner.*$", INLINES, re.M)[0]
        source = INLINES.replace(inner, "").replace("    inner(x);", "    auto inner = [](int x) " + inner[inner.index("{"):]
                                                    + ";\n    inner(x);")
        data, places = self.compiled("-x", "c++", "-O2", "-fno-exceptions", source=source)
        out = self.fold_places(data, places)
        self.assertEqual(1, out.count(";middle;operator() 1\n"), out)

    def with_addresses(self, change):
        """The program and another unit, after a change of .debug_aranges; None removes that section."""
        self.write("other.c", "int other(int x) { return x + 1; }\n")
        _, places = self.compiled("-gdwarf-5", "other.c")
        run = functools.partial(subprocess.run, cwd=self.dir, check=True, capture_output=True)
        if change is None:
            run(["objcopy", "-R", ".debug_aranges", "inlines"])
        else:
            run(["objcopy", "--dump-section", ".debug_aranges=aranges", "inlines"])
            section = bytearray((self.dir / "aranges").read_bytes())
            change(section)
            self.write("aranges", bytes(section))
            run(["objcopy", "--update-section", ".debug_aranges=aranges", "inlines"])
        return (self.dir / "inlines").read_bytes(), places

    @unittest.skipUnless(COMPILER and shutil.which("objcopy") and platform.machine() == "x86_64", "no tools for x86-64")
    def test_units_are_found_whatever_the_table_of_addresses_says(self):
        def swap(section):
            second = 4 + struct.unpack_from("<I", section)[0]
            section[6:10], section[second + 6:second + 10] = section[second + 6:second + 10], section[6:10]

        def cut(section):
            del section[4 + struct.unpack_from("<I", section)[0]:]

        def drop(section):
            del section[:4 + struct.unpack_from("<I", section)[0]]
        for change in (bytes, None, swap, cut, drop):
            self.assertEqual("app;outer 1\napp;outer;middle 1\napp;outer;middle;inner 1\n",
                             self.fold_places(*self.with_addresses(change)), change)

    # ---- layouts

    def directory(self, *streams):
        """Writes a recording as `perf record --threads` does: rec/data, and rec/data.N of the streams."""
        main = Recording()
        main.comm(10, "app", time=0)
        main.mmap2(10, APP, 0x1000, "/srv/app", 0x1000, time=0)
        main.describe()
        main.features[24] = main.pack("Q", 1)
        self.write("rec/data", main.file())
        for i, make in enumerate(streams):
            r = Recording()
            make(r)
            self.write(f"rec/data.{i}", r.data)

    @staticmethod
    def even(r):
        for time in range(10, 30, 2):
            r.sample(10, [IN_USER, APP + 0x110], time=time)

    @staticmethod
    def odd(r):
        inner = Recording()
        for time in range(11, 31, 2):
            inner.sample(10, [IN_USER, APP + 0x150 if time < 15 else APP + 0x110], time=time)
        inner.comm(10, "new", time=20)
        r.compressed(inner.data, [30])

    def test_a_folder_is_a_recording_of_several_files(self):
        self.put("/srv/app", program().bytes())
        self.directory(self.even, self.odd)
        for name in ("rec", "rec/", "rec/data"):
            for more in ([], ["--isolate", "--sysroot", self.dir]):
                r = self.brazier("run", name, "--to", "folded", "--sysroot", self.dir / "root", *more)
                self.assertEqual(0, r.code, r)
                names = r.out.replace("[app]", "main") if more else r.out.replace("load", "main")
                self.assertEqual({"app;main", "new;main"}, {x.rsplit(" ", 1)[0] for x in names.splitlines()})
                self.assertEqual(20, sum(int(x.rsplit(" ", 1)[1]) for x in names.splitlines()))
                self.assertEqual(9, sum(int(x.rsplit(" ", 1)[1]) for x in names.splitlines()
                                         if x.startswith("new")), r.out)

    def test_damage_in_a_file_of_a_folder_has_its_place(self):
        self.directory(self.even, lambda r: (self.even(r), r.raw(0, b"", size=0), self.even(r)))
        r = self.brazier("collapse", "perf-data", "rec/data")
        self.assertEqual(0, r.code, r)
        self.assertEqual("app;[app] 30\n", r.out)
        self.assertRegex(r.err, "data.1: byte 0x[0-9a-f]+: a damaged record: the bytes up to the next")

    def test_a_file_of_a_folder_without_the_others(self):
        self.directory()
        r = self.brazier("collapse", "perf-data", "rec/data")
        self.assertIn("this is one file of a recording that is a folder, and the others", r.err)

    def test_offsets_beyond_4_gib(self):
        r = Recording()
        r.comm(10, "app")
        r.mmap2(10, APP, 0x1000, "/srv/app", 0x1000)
        r.sample(10, [IN_USER, APP], time=9)
        hole = (5 << 30) + 8
        r.raw(71, r.pack("QQQIIII", hole, 0, 0, 0, 0, 0, 0))
        before = len(r.data)
        r.sample(10, [IN_USER, APP, APP + 16], time=10, period=2)
        after = r.data[before:]
        r.data = r.data[:before]
        r.features = {3: r.string("box")}
        head = r.file(size=before + hole + len(after))
        end = len(head) + hole + len(after)
        with open(self.dir / "p.data", "wb") as f:
            f.write(head)
            f.seek(hole, 1)
            f.write(after)
            f.write(r.pack("QQ", end + 16, 68) + r.string("box"))
        self.addCleanup((self.dir / "p.data").unlink)
        if (self.dir / "p.data").stat().st_blocks > 1 << 16:
            self.skipTest("this file system has no sparse files")
        r = self.brazier("collapse", "perf-data", "p.data")
        self.assertEqual((0, "app;[app] 1\napp;[app];[app] 2\n"), (r.code, r.out), r)
        self.assertIn("hardware traces are not decoded: 1 piece,", r.err)

    # ---- stacks

    STACK = 0x7fff0000

    def stacks(self, *stacks, mapped=0x1000, machine=None, registers=perf_data.BP_SP_IP, build_id=None, before=(),
               size=1024, absent=0, **more):
        """A recording of stacks: (ip, bp, words), relative to the program and to the stack. `before` has the
        registers before those of BP_SP_IP; `size` bytes were to be copied."""
        event = perf_data.Event("cpu-clock", registers=registers, stack=size,
                                sample_type=perf_data.USUAL | perf_data.REGS_USER | perf_data.STACK_USER)
        r = Recording(event, **more)
        r.comm(10, "app")
        r.mmap2(10, APP, mapped, "/srv/app", 0x1000, build_id=build_id)
        for ip, bp, words in stacks:
            r.stack(10, APP + ip, self.STACK, self.STACK + bp, words, time=9, before=before, absent=absent)
        if machine is not None:
            r.features[6] = r.string(machine)
        return r.file()

    def nest(self, **more):
        """A program of leaf in middle in outer, whose frames have 8, 24 and 16 bytes."""
        e = Elf(**more)
        for i, name in enumerate(("leaf", "middle", "outer")):
            e.symbol(name, 0x100 * (i + 1), 0x100)
        e.unwinding((0x100, 0x100, b""), (0x200, 0x100, b"\x44\x0e\x18"), (0x300, 0x100, b"\x41\x0e\x10"))
        return e

    def test_stacks_are_unwound_by_rules(self):
        self.put("/srv/app", self.nest().bytes())
        words = [APP + 0x210, 0, 0, APP + 0x310, 5, APP + 0x350, 5, 0]
        out, err = self.fold(self.stacks((0x108, 0, words), (0x208, 0, words[1:])))
        self.assertEqual("app;outer;outer;middle 1\napp;outer;outer;middle;leaf 1\n", out)
        self.assertEqual("", err)

    def test_frames_that_count_from_a_register_of_their_caller(self):
        """As those of the dynamic linker do, which align the stack; the callee has saved the register."""
        e = Elf()
        for i, name in enumerate(("leaf", "middle", "outer")):
            e.symbol(name, 0x100 * (i + 1), 0x100)
        e.unwinding((0x100, 0x100, b"\x41\x0e\x10\x83\x02"), (0x200, 0x100, b"\x41\x0d\x03\x0e\x20"),
                    (0x300, 0x100, b"\x41\x0e\x10"))
        self.put("/srv/app", e.bytes())
        words = [self.STACK + 0x40, APP + 0x210, *(9 * [0]), APP + 0x310, 5, 0]
        self.assertEqual(("app;outer;middle;leaf 1\n", ""), self.fold(self.stacks((0x108, 0, words))))

    def test_leaves_that_have_their_caller_in_a_register(self):
        """As libgcc when it continues after a call that threw: it has taken the address from the stack, or
        counts its frame from a register that callees need not keep."""
        e = Elf()
        for i, name in enumerate(("jump", "switch", "outer")):
            e.symbol(name, 0x100 * (i + 1), 0x100)
        e.unwinding((0x100, 0x100, b"\x0e\0\x09\x10\x02"), (0x200, 0x100, b"\x0c\x02\x08"),
                    (0x300, 0x100, b"\x41\x0e\x10"))
        self.put("/srv/app", e.bytes())
        registers = 1 << 2 | perf_data.BP_SP_IP
        out, err = self.fold(self.stacks((0x108, 0, [5, 0, 0]), registers=registers, before=[APP + 0x310]))
        self.assertEqual(("app;outer;jump 1\n", ""), (out, err))
        out, err = self.fold(self.stacks((0x208, 0, [1, 2, APP + 0x310, 5, 0]), registers=registers,
                                         before=[self.STACK + 16]))
        self.assertEqual(("app;outer;switch 1\n", ""), (out, err))

    def test_a_caller_in_a_register_that_callees_keep_makes_no_circle(self):
        e = program()
        e.unwinding((0x100, 0x40, b"\x0e\0\x09\x10\x06"))
        self.put("/srv/app", e.bytes())
        bp = APP + 0x110 - self.STACK
        self.assertEqual("app;main 1\n", self.fold(self.stacks((0x108, bp, [0, 0])))[0])

    def test_jumps_to_libraries_that_have_no_rules(self):
        """As those of lld, and those of static programs."""
        e = program()
        e.unwinding((0x100, 0x80, b""))
        e.jumps.append("far")
        data = bytearray(e.bytes())
        first, lazy, marked, number = b"\xff\x35....\xff\x25....", b"\xff\x25....\x68", b"\xf3\x0f\x1e\xfa\x68", b"...."
        for at, jump in ((0x800, first), (0x810, lazy + number), (0x820, marked + number), (0x830, lazy[:2])):
            data[0x1000 + at:0x1000 + at + len(jump)] = jump
        self.put("/srv/app", bytes(data))
        for at, pushed in ((0x800, 1), (0x805, 1), (0x806, 2), (0x810, 0), (0x816, 0), (0x81b, 1), (0x824, 0), (0x829, 1),
                           (0x830, 0), (0x83b, 0)):
            words = [7] * pushed + [APP + 0x150, APP + 0x110, 0]
            out, err = self.fold(self.stacks((at, 0, words)))
            self.assertRegex(out, r"\Aapp;main;load;(far@plt|\[app\]) 1\n\Z", hex(at))
            self.assertNotIn("stops", err)

    def test_stacks_of_other_machines_are_not_unwound(self):
        self.put("/srv/app", self.nest().bytes())
        words = [APP + 0x210, 0, 0, APP + 0x310, 5, APP + 0x350, 5, 0]
        out, err = self.fold(self.stacks((0x108, 0, words), machine="aarch64"))
        self.assertEqual("app;leaf 1\n", out)
        self.assertIn("1 of 1 copied stacks is not unwound: only those of 64-bit programs on x86-64", err)
        out, _ = self.fold(self.stacks((0x108, 0, words), machine="x86_64"))
        self.assertEqual("app;outer;outer;middle;leaf 1\n", out)
        out, err = self.fold(self.stacks((0x108, 0, words), registers=1 << 7 | 1 << 8 | 1 << 31))
        self.assertEqual("app;leaf 1\n", out)
        self.assertIn("1 of 1 copied stacks is not unwound", err)

    def test_rules_depend_on_the_address(self):
        self.put("/srv/app", self.nest().bytes())
        out, _ = self.fold(self.stacks((0x202, 0, [APP + 0x310, 5, 0])))
        self.assertEqual("app;outer;middle 1\n", out)

    def test_a_copy_that_is_too_short_ends_the_stack(self):
        self.put("/srv/app", self.nest().bytes())
        words = [APP + 0x210, 0, 0, APP + 0x310, 5]
        for n in range(6):
            out, err = self.fold(self.stacks((0x108, 0, words[:n])))
            deep = ["leaf", "middle;leaf", "outer;middle;leaf"][0 if n < 1 else 1 if n < 4 else 2]
            self.assertEqual(f"app;{deep} 1\n", out)
            self.assertIn("1 of 1 copied stacks is cut off where its copy ends: record more", err)

    def test_the_remedy_for_copies_that_are_too_short_is_a_larger_size(self):
        self.put("/srv/app", self.nest().bytes())
        for size, remedy in ((1024, "dwarf,16384"), (8192, "dwarf,16384"), (16384, "dwarf,32768"),
                             (40000, "dwarf,65528"), (65528, "fp, if the code has frame pointers")):
            _, err = self.fold(self.stacks((0x108, 0, [APP + 0x210, 0]), size=size))
            self.assertIn("where its copy ends: ", err)
            self.assertIn(f"--call-graph {remedy}\n", err)

    def test_larger_copies_do_not_help_where_the_kernel_could_not_copy(self):
        """The system has no memory for parts of a stack that a function has reserved and never used."""
        self.put("/srv/app", self.nest().bytes())
        out, err = self.fold(self.stacks((0x108, 0, [APP + 0x210, 0]), absent=16))
        self.assertEqual("app;middle;leaf 1\n", out)
        self.assertIn("1 of 1 copied stacks ends at memory that could not be copied: a function has reserved it", err)
        self.assertNotIn("record more", err)

    def test_the_ends_of_stacks_are_counted_by_reason(self):
        self.put("/srv/app", self.nest().bytes())
        whole = [APP + 0x210, 0, 0, APP + 0x310, 5, 0]
        no_rules = [APP + 0x410, 1, 2]
        unmapped = [APP + 0x210, 0, 0, 0x1234, 5, 0]
        backwards = (0x208, 0, [0, 0, APP + 0x310, 5, 0])
        _, err = self.fold(self.stacks((0x108, 0, whole), (0x108, 0, no_rules), (0x108, 0, unmapped),
                                       (0x108, 0, whole), backwards))
        self.assertIn("1 of 5 copied stacks stops in code without unwind tables: compile it with", err)
        self.assertIn("1 of 5 copied stacks stops where no code is mapped: ", err)
        self.assertEqual(2, err.count("copied stacks"), err)

    ELSEWHERE = "1 of 1 copied stacks continues on another stack, which is not copied: record C that Go calls"

    def test_the_stack_that_a_signal_interrupted_is_not_copied(self):
        """The handler ran on a stack of its own, below or above the other one. The rules are those of libc."""
        e = self.nest()
        e.symbol("restore", 0x501, 0x10)
        # The frame's address is at the stack pointer + 16, that of the code at + 24.
        e.unwinding((0x500, 0x11, b"\x0f\x03\x77\x10\x06\x10\x10\x02\x77\x18"), signal=True)
        self.put("/srv/app", e.bytes())
        for sp, ip, name in ((self.STACK - 0x10000, 0x310, "outer"), (self.STACK + (1 << 30), 0x310, "outer"),
                             (0x7fffffff0000, 0x410, "[app]")):
            stack = (0x108, 0, [APP + 0x501, 0, 0, sp, APP + ip] + 20 * [7])
            for more in ([], ["-j2"]):
                out, err = self.fold(self.stacks(stack), *more)
                self.assertEqual(f"app;{name};restore;leaf 1\n", out)
                self.assertIn(self.ELSEWHERE, err)
                self.assertEqual(1, err.count("copied stacks"), err)
        out, err = self.fold(self.stacks((0x108, 0, [APP + 0x501, 0, 0, self.STACK + 4000, APP + 0x310])))
        self.assertEqual("app;outer;restore;leaf 1\n", out)
        self.assertIn("1 of 1 copied stacks is cut off where its copy ends", err)
        out, err = self.fold(self.stacks((0x108, 0, [APP + 0x501, 0, 0, self.STACK + (1 << 30), 0x1234])))
        self.assertIn("1 of 1 copied stacks stops where no code is mapped", err)

    def test_a_function_that_has_moved_to_another_stack_ends_the_copy(self):
        """It keeps its own in the frame pointer. A frame pointer that is no such address is damage, and one that was
        found without rules proves nothing."""
        e = self.nest()
        e.symbol("move", 0x400, 0x40)
        e.unwinding((0x400, 0x40, b"\x0c\x06\x10\x86\x02"))
        self.put("/srv/app", e.bytes())
        words = [APP + 0x410, 0, 0]
        broken = "1 of 1 copied stacks stops at a frame that cannot be right"
        for bp, found in ((self.STACK - 0x10000, self.ELSEWHERE), (self.STACK + (2 << 20), self.ELSEWHERE),
                          (self.STACK + (1 << 40), self.ELSEWHERE), (self.STACK - 0xfff8, broken), (0x10, broken),
                          (1 << 63, broken), (APP + 0x100, broken),
                          (self.STACK + 0x8000, "1 of 1 copied stacks is cut off")):
            out, err = self.fold(self.stacks((0x108, bp - self.STACK, words)))
            self.assertEqual("app;move;leaf 1\n", out)
            self.assertIn(found, err, hex(bp))
        words = [self.STACK - 0x10000, APP + 0x410, 0]
        self.assertIn(broken, self.fold(self.stacks((0x508, 0, words)))[1])

    def test_functions_of_go_that_change_the_stack_end_the_copy(self):
        """Their rules are for the stack on which they begin. Before that, they lead on."""
        outer = (0x300, b"outer"), (0x400, None)
        for magic in (0xfffffffa, 0xfffffff0, 0xfffffff1):
            for flags, found in ((2, self.ELSEWHERE), (6, self.ELSEWHERE), (3, ""), (0, None), (1, None)):
                e = self.nest()
                e.extra = [(".gopclntab", go_table(magic, (0x100, b"leaf"), (0x200, b"middle", flags), *outer))]
                self.put("/srv/app", e.bytes())
                words = [APP + 0x210, 0, 0, 7]
                out, err = self.fold(self.stacks((0x108, 0, words)))
                self.assertEqual("app;middle;leaf 1\n" if found is not None else "app;[unknown];middle;leaf 1\n", out)
                self.assertIn("stops where no code is mapped" if found is None else found, err)
                self.assertEqual(found != "", "copied stacks" in err, err)
                if flags == 2:
                    self.assertEqual(("app;outer;middle 1\n", ""),
                                     self.fold(self.stacks((0x208, 0, [0, 0, APP + 0x310, 0, 0]))))
                    self.assertIn("app;[unknown];middle;leaf 1\n",
                                  self.fold(self.stacks((0x108, 0, words)), "--compat", "perf-script")[0])

    def test_a_function_of_a_context_is_the_outermost_one(self):
        """No call precedes the code to which it returns: makecontext() made that address."""
        for before, found in (((0x200, 0x80), ""), ((0x200, 0x100), "stops at a frame")):
            e = program()
            e.symbol("start_context", 0x300, 0x10)
            e.unwinding((0x100, 0x80, b""), (*before, b"\x0c\x03\x08"), (0x300, 0x10, b""))
            self.put("/srv/app", e.bytes())
            _, err = self.fold(self.stacks((0x108, 1 << 40, [APP + 0x300, 7])))
            self.assertIn(found, err)
            self.assertEqual(found != "", "copied stacks" in err, err)

    def test_threads_trace_samples_between_changes_of_processes(self):
        """Samples are traced ahead of their turn: each must see the names and mappings of its own time. A model
        says which; one of them is damaged."""
        random_ = random.Random(1)
        event = perf_data.Event("cpu-clock", registers=perf_data.BP_SP_IP, stack=1024,
                                sample_type=perf_data.USUAL | perf_data.REGS_USER | perf_data.STACK_USER)
        r, model, want = Recording(event), Processes(random_), {}
        r.comm(10, "app")
        for i in range(9000):
            time = 10 + 2 * i
            if random_.random() < 0.2:
                model.change(r, time)
            else:
                stack = model.sample(r, time)
                want[stack] = want.get(stack, 0) + 1
            if i == 5000:
                r.raw(9, bytes(24), USER_MODE)
        self.write("p.data", r.file())
        lines = "".join(sorted(f"{stack} {n}\n" for stack, n in want.items()))
        for name in ("p.data", "-"):
            for more in (["-j1"], ["-j2"], ["-j8", "--chunk-size", "7000"], ["-j4", "--isolate"]):
                got = self.brazier("collapse", "perf-data", name, *more, stdin=r.pipe() if name == "-" else None)
                self.assertEqual(0, got.code, got)
                self.assertEqual(lines, "".join(sorted(got.out.splitlines(True))), (name, more))
                self.assertIn("a damaged sample", got.err)

    def test_threads_unwind_stacks_between_changes_of_processes(self):
        self.put("/srv/app", program().bytes())
        random_ = random.Random(2)
        event = perf_data.Event("cpu-clock", registers=perf_data.BP_SP_IP, stack=1024,
                                sample_type=perf_data.USUAL | perf_data.REGS_USER | perf_data.STACK_USER)
        r, starts = Recording(event), [APP, APP + 0x10000, APP + 0x20000]
        for pid in (10, 11, 12):
            r.comm(pid, f"app{pid}")
        for i in range(5000):
            pid, start = random_.choice((10, 11, 12)), random_.choice(starts)
            if random_.random() < 0.1:
                r.mmap2(pid, start, 0x1000, "/srv/app", random_.choice((0x1000, 0x1040)), time=10 + i)
            else:
                words = [0, start + random_.randrange(0x1000), 0, 0, 0]
                sp = 0x7fff0000
                words += [random_.randrange(1 << 60) for _ in range(120)]
                r.stack(pid, start + 0x150, sp, sp, words, time=10 + i)
            if i % 50 == 0:
                r.round()
        packed = Recording(event)
        packed.compressed(r.data, range(5000, len(r.packed(r.data)), 5000))
        results = []
        for data in (r.file(), packed.file()):  # unpacked records lie in memory that is used again
            self.write("p.data", data)
            results += [self.brazier("collapse", "perf-data", "p.data", "--sysroot", self.dir / "root", "--quality=each",
                                     *more) for more in (["-j1"], ["-j2"], ["-j8"], ["-j4", "--isolate"])]
        self.assertIn("app10;main;load ", results[0].out)
        for one in results:
            self.assertEqual((0, results[0].out, results[0].err), (one.code, one.out, one.err))

    def test_samples_after_the_end_of_a_process_have_names(self):
        """The kernel reports the end before it has finished with the thread."""
        self.put("/srv/app", program().bytes())
        r = Recording()
        r.comm(10, "app")
        r.mmap2(10, APP, 0x1000, "/srv/app", 0x1000)
        r.exit(10, 1, time=3)
        r.sample(10, [IN_USER, APP + 0x150], time=4)
        # Mappings of another process with the same number, whose start is not recorded.
        r.mmap2(10, APP + 0x10000, 0x1000, "/srv/app", 0x1000, time=5)
        r.sample(10, [IN_USER, APP + 0x150], time=6)
        r.sample(10, [IN_USER, APP + 0x10150], time=6)
        self.assertEqual("app;[unknown] 1\napp;load 2\n", self.fold(r.file())[0])

    def test_names_of_cplusplus_in_the_way_of_perf_script(self):
        e = Elf()
        for i, name in enumerate(("_ZNK2FnclEd", "_ZThn16_NK1C1gEd", "_ZN4core3fmt5write17h0123456789abcdefE")):
            e.symbol(name, 0x100 * (i + 1), 0x100)
        self.put("/srv/app", e.bytes())
        data = recording([0x110], [0x210], [0x310])
        self.assertEqual("app;Fn::operator() 1\napp;core::fmt::write 1\napp;non-virtual thunk to C::g(double) const 1\n",
                         self.fold(data)[0])
        self.assertEqual("app;Fn::operator() 1\napp;core::fmt::write 1\napp;non-virtual thunk to C::g 1\n",
                         self.fold(data, "--compat", "perf-script")[0])

    def test_mappings_of_data_name_addresses_in_the_way_of_perf_script(self):
        """perf record -d records them, too. The kernel marks them, and perf reads some from /proc without the mark."""
        self.put("/srv/app", program().bytes())
        r = Recording()
        r.comm(10, "app")
        r.mmap2(10, APP, 0x1000, "/srv/app", 0x1000)
        r.mmap2(10, 0x600000, 0x1000, "[heap]", protection=3)
        r.mmap2(10, 0x700000, 0x1000, "/srv/app", 0x5000, protection=1, misc=USER_MODE | 1 << 13)
        r.mmap2(10, 0x800000, 0x1000, "//anon", protection=3, misc=USER_MODE | 1 << 13)
        r.sample(10, [IN_USER, APP + 0x150, 0x600100, 0x700100, 0x800100], time=9)
        self.assertEqual("app;[unknown];[unknown];[unknown];load 1\n", self.fold(r.file())[0])
        self.assertEqual("app;[anon];[app];[[heap]];load 1\n", self.fold(r.file(), "--compat", "perf-script")[0])

    # ---- groups of counters

    def group(self, form, order="<", flags=perf_data.SAMPLE_ID_ALL, n=2, more=perf_data.IDENTIFIER):
        kind = perf_data.USUAL | perf_data.READ | more
        events = [perf_data.Event(name, config=2 * i, sample_type=kind, read_format=form, flags=flags, ids=[7 + i])
                  for i, name in enumerate(("cpu-clock", "page-faults")[:n])]
        r = Recording(*events, order=order)
        r.comm(10, "app")
        r.mmap2(10, APP, 0x1000, "/srv/app", 0x1000)
        return r

    def columns(self, r, *words):
        self.write("p.data", r.file())
        for threads in ("-j1", "-j4"):
            runs = [self.brazier("collapse", "perf-data", "p.data", "--sysroot", self.dir / "root", threads, "-w", w)
                    for w in words]
            self.assertEqual([0] * len(words), [r.code for r in runs], runs)
            yield [r.out for r in runs]

    def test_samples_of_a_group_count_for_all_its_counters(self):
        """Each sample counts the growth of each counter since the sample before."""
        self.put("/srv/app", program().bytes())
        for order, form in (("<", 4 | 8), ("<", 1 | 2 | 4 | 8 | 16), (">", 2 | 4 | 8)):
            r = self.group(form, order)
            r.sample(10, [IN_USER, APP + 0x150], time=3, period=1, counts=((100, 7), (3, 8)))
            r.sample(10, [IN_USER, APP + 0x120], time=4, period=1, counts=((250, 7), (3, 8)))
            r.sample(10, [], time=5, ip=0, period=1, counts=((300, 7), (4, 8)))
            r.sample(10, [IN_USER, APP + 0x150], time=6, period=1, counts=((310, 7), (9, 8)))
            expected = ["app;[unknown] 50\napp;load 110\napp;main 150\n", "app;[unknown] 1\napp;load 8\n"]
            for found in self.columns(r, "cpu-clock", "page-faults"):
                self.assertEqual(expected, found, (order, form))

    def test_inherited_counters_of_a_group_belong_to_their_threads(self):
        self.put("/srv/app", program().bytes())
        r = self.group(4 | 8, flags=perf_data.SAMPLE_ID_ALL | 2)
        r.sample(10, [IN_USER, APP + 0x150], time=3, counts=((100, 7), (3, 8)))
        r.sample(10, [IN_USER, APP + 0x120], tid=11, time=4, counts=((40, 7), (5, 8)))
        r.sample(10, [IN_USER, APP + 0x150], time=5, counts=((110, 7), (4, 8)))
        for found in self.columns(r, "cpu-clock", "page-faults"):
            self.assertEqual([":11;main 40\napp;load 110\n", ":11;main 5\napp;load 4\n"], found)

    def test_a_counter_of_a_processor_belongs_to_all_threads(self):
        """perf -a lets counters inherit, too, which does not change what they count."""
        self.put("/srv/app", program().bytes())
        for form, counts in ((4, ((100, 7),)), (4 | 8, ((100, 7), (3, 8)))):
            r = self.group(form, flags=perf_data.SAMPLE_ID_ALL | 2, n=len(counts),
                           more=perf_data.IDENTIFIER | perf_data.CPU)
            for i in range(6):
                r.sample(10, [IN_USER, APP + 0x150], tid=10 + i % 3, time=3 + i,
                         counts=tuple((n * (i + 1), id) for n, id in counts))
            names = ("cpu-clock", "page-faults")[:len(counts)]
            expected = [f":11;load {2 * n}\n:12;load {2 * n}\napp;load {2 * n}\n" for n, _ in counts]
            for found in self.columns(r, *names):
                self.assertEqual(expected, found)

    def test_inherited_counters_of_samples_that_tell_their_processor(self):
        """perf record --sample-cpu. A value below that of another thread shows that each has its own."""
        self.put("/srv/app", program().bytes())
        r = self.group(4 | 8, flags=perf_data.SAMPLE_ID_ALL | 2, more=perf_data.IDENTIFIER | perf_data.CPU)
        for i in range(6):
            r.sample(10, [IN_USER, APP + 0x150], tid=10 + i % 2, time=3 + i,
                     counts=((100 * (i // 2 + 1), 7), (9 - i % 2 + i // 2, 8)))
        for found in self.columns(r, "cpu-clock", "page-faults"):
            self.assertEqual([":11;load 200\napp;load 300\n", ":11;load 10\napp;load 11\n"], found)

    def test_a_single_counter_and_one_that_begins_again(self):
        self.put("/srv/app", program().bytes())
        r = self.group(1 | 4, n=1)
        for time, value in enumerate((100, 150, 20), 2):
            r.sample(10, [IN_USER, APP + 0x150], time=time, period=1, counts=((value, 7),))
        for found in self.columns(r, "cpu-clock"):
            self.assertEqual(["app;load 170\n"], found)

    def test_many_samples_of_a_group(self):
        self.put("/srv/app", program().bytes())
        r, parts = self.group(4 | 8), []
        parts.append(r.data)
        for i in range(5000):
            r.data = b""
            r.sample(10, [IN_USER, APP + (0x150 if i % 2 else 0x120)], time=10 + i,
                     counts=((10 * (i + 1), 7), (i // 2, 8)))
            parts.append(r.data)
        r.data = b"".join(parts)
        for found in self.columns(r, "cpu-clock", "page-faults"):
            self.assertEqual(["app;load 25000\napp;main 25000\n", "app;main 2499\n"], found)

    def test_counters_of_samples_whose_user_part_comes_later(self):
        self.put("/srv/app", program().bytes())
        r = self.group(4 | 8)

        def later(cookie, time, address):
            r.change(22, r.pack("QQ2Q", cookie, 2, IN_USER, APP + address), pid=10, tid=10, time=time)
        r.sample(10, [IN_USER_LATER, 1], time=3, counts=((100, 7), (3, 8)))
        # The kernel never returned with this cookie; its sample gives way to the next one.
        r.sample(10, [IN_USER_LATER, 2], time=4, counts=((150, 7), (5, 8)))
        later(2, 5, 0x120)
        r.sample(10, [IN_USER, APP + 0x120], time=6, counts=((151, 7), (6, 8)))
        r.sample(10, [IN_USER_LATER, 3], time=7, counts=((161, 7), (10, 8)))
        r.sample(10, [IN_USER_LATER, 3], time=8, counts=((171, 7), (14, 8)))
        later(3, 9, 0x150)
        leaf = "app;[unknown] 100\n", "app;[unknown] 3\n"
        for found in self.columns(r, "cpu-clock", "page-faults"):
            self.assertEqual([leaf[0] + "app;load 20\napp;main 51\n", leaf[1] + "app;load 8\napp;main 3\n"], found)

    @unittest.skipIf(common.SANITIZED == "thread", "ThreadSanitizer needs memory of its own")
    def test_many_counters_of_a_deep_stack_that_waits(self):
        """Each of 250 counters would keep a copy of the stack."""
        kind = perf_data.USUAL | perf_data.READ | perf_data.IDENTIFIER
        events = [perf_data.Event("", 4, i, sample_type=kind, read_format=4 | 8, flags=perf_data.SAMPLE_ID_ALL,
                                  ids=[7 + i]) for i in range(250)]
        r, parts = Recording(*events), []
        for i in range(60):
            r.data = b""
            r.sample(10, [IN_KERNEL, *range(1 << 63, (1 << 63) + 7000), IN_USER_LATER, 1], time=10 + i,
                     misc=perf_data.KERNEL_MODE, counts=tuple((i + 1, 7 + k) for k in range(250)))
            parts.append(r.data)
        r.data = b"".join(parts)
        self.write("p.data", r.file())
        r = self.brazier("collapse", "perf-data", "p.data", "-w", "raw-f9", "--max-memory", "140M")
        self.assertEqual(0, r.code, r.err)
        self.assertTrue(r.out.endswith(" 60\n"), r.out[-40:])

    def test_samples_with_values_but_without_ids_count_by_their_period(self):
        self.put("/srv/app", program().bytes())
        r = self.group(8)
        r.sample(10, [IN_USER, APP + 0x150], time=3, period=5, counts=((100, 7), (3, 8)))
        for found in self.columns(r, "cpu-clock"):
            self.assertEqual(["app;load 5\n"], found)

    def test_a_single_counter_needs_no_known_id(self):
        self.put("/srv/app", program().bytes())
        r = self.group(4, n=1)
        r.events[0].ids = []
        for i in range(1, 3):
            r.sample(10, [IN_USER, APP + 0x150], time=2 + i, counts=((100 * i, 7),))
        out, err = self.fold(r.file())
        self.assertEqual("app;load 200\n", out)
        self.assertNotIn("does not describe", err)

    def test_counters_without_an_event_are_counted(self):
        self.put("/srv/app", program().bytes())
        r = self.group(4 | 8)
        r.sample(10, [IN_USER, APP + 0x150], time=3, counts=((100, 7), (3, 99)))
        out, err = self.fold(r.file())
        self.assertEqual("app;load 100\n", out)
        self.assertIn("samples of events that the recording does not describe are left out: 1", err)

    @unittest.skipIf(common.SANITIZED == "thread", "ThreadSanitizer needs memory of its own")
    def test_processes_that_end_free_their_mappings(self):
        r, parts = Recording(), []
        for i in range(60000):
            one = Recording()
            one.fork(10 + i, 1, time=3 * i + 2)
            one.mmap2(10 + i, APP, 0x1000, "/srv/app", time=3 * i + 3)
            one.exit(10 + i, 1, time=3 * i + 4)
            if i % 1000 == 999:
                one.round()
            parts.append(one.data)
        r.data = b"".join(parts)
        r.sample(1, [IN_USER, APP], time=1 << 40)
        self.write("p.data", r.file())
        r = self.brazier("collapse", "perf-data", "p.data", "--max-memory", "140M")
        self.assertEqual(0, r.code, r)

    def test_frame_pointers_serve_where_there_are_no_rules(self):
        self.put("/srv/app", program().bytes())
        words = [1, 2, self.STACK + 40, APP + 0x150, 3, 0, 0]
        out, _ = self.fold(self.stacks((0x108, 16, words), (0x108, 8, words), (0x108, 1 << 60, words)))
        self.assertEqual("app;load;main 1\napp;main 2\n", out)

    def test_the_caller_of_main_ends_a_stack_without_rules(self):
        """musl, the libc of Alpine, has none, and does not keep the frame pointer."""
        for name in ("main", "run"):
            e = Elf()
            e.symbol(name, 0x100, 0x40)
            e.symbol("begin", 0x140, 0x40)
            e.unwinding((0x100, 0x40, b""))
            self.put("/srv/app", e.bytes())
            for bp, words in ((1 << 60, [APP + 0x150, 0]), (8, [APP + 0x150, 0, 0x1234])):
                out, err = self.fold(self.stacks((0x108, bp, words)))
                self.assertEqual(f"app;begin;{name} 1\n", out)
                self.assertEqual(name == "run", "stops in code without unwind tables" in err, err)

    def test_a_frame_pointer_of_zero_ends_stacks_of_callers_only(self):
        """Code without rules and frame pointers, such as that of Free Pascal, often has zero in that register."""
        self.put("/srv/app", program().bytes())
        words = [self.STACK + 24, 7, 3, 0, APP + 0x150]
        self.assertEqual(("app;load;main 1\n", ""), self.fold(self.stacks((0x108, 24, words))))
        out, err = self.fold(self.stacks((0x108, -self.STACK, words)))
        self.assertEqual("app;main 1\n", out)
        self.assertIn("1 of 1 copied stacks stops in code without unwind tables", err)

    def test_signals_interrupt_at_the_address_itself(self):
        e = program()
        e.symbol("restore", 0x300, 0x10)
        # The frame is at the stack pointer + 8, as the return address says; the caller is not after a call.
        e.unwinding((0x300, 0x10, b""), signal=True)
        self.put("/srv/app", e.bytes())
        out, _ = self.fold(self.stacks((0x304, 0, [APP + 0x140, 0])))
        self.assertEqual("app;load;restore 1\n", out)

    def test_the_code_to_which_handlers_of_signals_return_has_its_name(self):
        """The kernel made that return address, so there is no call before it; as in libc, the rules begin a byte
        earlier. perf script shows [unknown] there in copies of stacks."""
        for is_signal, name in ((True, "restore"), (False, "[app]")):
            e = program()
            e.symbol("restore", 0x301, 0x10)
            e.unwinding((0x100, 0x80, b""))
            e.unwinding((0x300, 0x10, b""), signal=is_signal)
            self.put("/srv/app", e.bytes())
            copied = self.stacks((0x108, 0, [APP + 0x301, APP + 0x140, 0]))
            self.assertEqual(f"app;load;{name};main 1\n" if is_signal else f"app;main;{name};main 1\n",
                             self.fold(copied)[0])
            chain = recording([0x108, 0x301, 0x150])
            self.assertEqual(f"app;load;{name};main 1\n", self.fold(chain)[0])
            self.assertEqual("app;load;restore;main 1\n", self.fold(chain, "--compat", "perf-script")[0])
            self.assertIn(";[app];main 1\n", self.fold(copied, "--compat", "perf-script")[0])

    def test_the_code_to_which_functions_of_contexts_return_has_its_name(self):
        """makecontext() made that return address. A call that does not return may stand before an exported function,
        but then the rules of the function with that call end there, not earlier."""
        for size, name in ((0xf, "start_context"), (0x10, "[app]")):
            e = program()
            e.symbol("start_context", 0x310, 0x10)
            e.unwinding((0x100, 0x80, b""), (0x300, size, b""), (0x310, 0x10, b""))
            self.put("/srv/app", e.bytes())
            self.assertEqual(f"app;{name};load 1\n", self.fold(recording([0x148, 0x310]))[0])

    def test_expressions(self):
        e = program()
        # The frame is at the stack pointer + 8 + 8 * (instruction pointer and 1), as in tables of jumps.
        e.unwinding((0x100, 0x40, b"\x0f\x09\x77\x08\x80\x00\x31\x1a\x33\x24\x22"))
        self.put("/srv/app", e.bytes())
        words = [APP + 0x150, APP + 0x110, 0]
        out, _ = self.fold(self.stacks((0x108, 0, words), (0x109, 0, words)))
        self.assertEqual("app;load;main 1\napp;main;main 1\n", out)

    def test_stacks_never_go_in_circles(self):
        self.put("/srv/app", program().bytes())
        words = [self.STACK, APP + 0x150] * 60
        out, _ = self.fold(self.stacks((0x108, 0, words)))
        self.assertEqual("app;load;main 1\n", out)

    def test_code_of_the_kernel_and_a_stack(self):
        self.put("/srv/app", self.nest().bytes())
        event = perf_data.Event("cpu-clock", registers=perf_data.BP_SP_IP, stack=1024,
                                sample_type=perf_data.USUAL | perf_data.REGS_USER | perf_data.STACK_USER)
        r = Recording(event)
        r.comm(10, "app")
        r.mmap2(10, APP, 0x1000, "/srv/app", 0x1000)
        r.mmap(KERNEL_PID, 0xffffffff81000000, 0x1000, "[kernel.kallsyms]_text", misc=KERNEL_MODE)
        r.stack(10, APP + 0x108, self.STACK, 0, [APP + 0x210], time=9, misc=KERNEL_MODE,
                chain=[IN_KERNEL, 0xffffffff81000010])
        out, _ = self.fold(r.file())
        self.assertEqual("app;middle;leaf;[[kernel.kallsyms]] 1\n", out)

    # ---- the kernel, compilers

    def kernel(self, at=0xffffffff81000000):
        r = Recording()
        r.comm(10, "app")
        r.mmap(KERNEL_PID, at, 0x100000, "[kernel.kallsyms]_text", at, 0, KERNEL_MODE)
        r.mmap(KERNEL_PID, at + 0x200000, 0x1000, "[ext4]", 0, 0, KERNEL_MODE)
        for offset in (0x10, 0x110, 0x200010):
            r.sample(10, [IN_KERNEL, at + offset], time=9, misc=KERNEL_MODE)
        return r.file()

    LIST = ("ffffffff81000000 T _text\nffffffff81000000 T startup\nffffffff81000100 t handler\n"
            "ffffffff81000180 A absolute\nnonsense\nffffffff81200000 t ext4_read\t[ext4]\n")

    def test_a_list_of_the_kernels_symbols(self):
        self.put("/kallsyms", self.LIST)
        out, _ = self.fold(self.kernel(), "--kallsyms", "/kallsyms")
        self.assertEqual("app;ext4_read 1\napp;handler 1\napp;startup 1\n", out)

    def test_the_list_may_be_of_another_start_of_the_machine(self):
        self.put("/kallsyms", self.LIST)
        out, err = self.fold(self.kernel(0xffffffffa1000000), "--kallsyms", "/kallsyms")
        self.assertEqual("app;[[ext4]] 1\napp;handler 1\napp;startup 1\n", out)
        self.assertIn("in [ext4]: the kernel's list is of another boot, in which its modules were "
                      "elsewhere\n", err)

    def test_code_of_the_kernels_start_lies_after_its_mapping(self):
        """perf finds it once it has the list of symbols, and nothing after the last one."""
        self.put("/kallsyms", "ffffffff81000000 T _text\nffffffff81000100 T rest_init\n"
                 "ffffffff81200000 T start_kernel\nffffffff81200100 T start\n")
        r = Recording()
        r.comm(0, "swapper")
        r.mmap(KERNEL_PID, 0xffffffff81000000, 0x100000, "[kernel.kallsyms]_text", 0xffffffff81000000, 0, KERNEL_MODE)
        r.sample(0, [IN_KERNEL, 0xffffffff81000110, 0xffffffff81200080, 0xffffffff81200110, 0xffffffff81900000],
                 time=9, misc=KERNEL_MODE)
        for words, module in (((), "[[kernel.kallsyms]]"), (("--compat", "perf-script"), "[unknown]")):
            self.assertEqual(f"swapper;{module};start;start_kernel;rest_init 1\n",
                             self.fold(r.file(), "--kallsyms", "/kallsyms", *words)[0])

    def test_a_list_without_addresses_is_of_no_use(self):
        self.put("/kallsyms", re.sub("^f[0-9a-f]*", "0" * 16, self.LIST, flags=re.M))
        out, err = self.fold(self.kernel(), "--kallsyms", "/kallsyms")
        self.assertEqual("app;[[ext4]] 1\napp;[[kernel.kallsyms]] 2\n", out)
        self.assertIn("warning: the list of the kernel's symbols has no addresses, since root did not make "
                      "it: /kallsyms\n", err)
        self.assertIn("`--from perf-data --kallsyms FILE` names a list", err)
        _, err = self.fold(self.kernel(), "--kallsyms", "/absent")
        self.assertIn("warning: the list of the kernel's symbols cannot be read: /absent\n", err)

    TRAMPOLINES = {"aligns": b"\x48\x83\xec\x08\xff\xd1\x48\x83\xc4\x08\xc3",
                   "has a frame pointer": b"\x55\x48\x89\xe5\xff\xd1\x5d\xc3"}

    def python(self, trampoline, start="_Py_trampoline_func_start"):
        """The program of nest() with the trampoline of CPython."""
        e = self.nest()
        e.code[0x400:0x400 + len(trampoline)] = trampoline
        e.symbol(start, 0x400, dynamic=True)
        e.symbol("_Py_trampoline_func_end", 0x400 + len(trampoline), dynamic=True)
        return e.bytes()

    def fold_copies(self, words, bp=0, ip=APP + 0x110, machine=None, n=1):
        """Folds a stack of the program, in which compiled code is mapped at 0x10000, from a file and a pipe and by
        one and two threads. Returns the stack."""
        event = perf_data.Event("cpu-clock", registers=perf_data.BP_SP_IP, stack=1024,
                                sample_type=perf_data.USUAL | perf_data.REGS_USER | perf_data.STACK_USER)
        r = Recording(event)
        r.comm(10, "app")
        r.mmap2(10, APP, 0x1000, "/srv/app", 0x1000)
        r.mmap2(10, 0x700000, 0x1000, "/srv/other", 0x1000)
        r.mmap2(10, 0x10000, 0x20000, "//anon")
        for time in range(n):
            r.stack(10, ip, self.STACK, self.STACK + bp if bp else 0, words, time=9 + time)
        found = set()
        for name, data in (("file", r.file()), ("pipe", r.pipe())):
            self.write(name, data)
            for jobs in ("1", "2"):
                for args in ([], ["-"]):
                    stdin = data if args else b""
                    got = self.brazier("collapse", "perf-data", "-j", jobs, "--sysroot", self.dir / "root",
                                       *(args or [name]), stdin=stdin)
                    self.assertEqual(0, got.code, got)
                    found.add(got.out)
        self.assertEqual(1, len(found), found)
        return found.pop().removeprefix("app;").removesuffix(f" {n}\n")

    def map_copies(self, trampoline):
        """Puts a program and the names of its first three copies. Returns the addresses after their calls."""
        self.put("/srv/app", self.python(trampoline))
        self.put("/srv/other", self.nest(address=0x701000).bytes())
        step = len(trampoline)
        self.put("/tmp/perf-10.map", "".join(f"{0x10000 + i * step:x} {step:x} py::f{i}\n" for i in range(3)))
        return [0x10000 + i * step + 6 for i in range(3)]

    def test_stacks_go_through_the_trampoline_of_python_that_aligns_the_stack(self):
        """Up to 3.13. The frame pointer may have any value, also that of a frame above the caller."""
        copies = self.map_copies(self.TRAMPOLINES["aligns"])
        words = [copies[2], 0, APP + 0x310, 5, APP + 0x350, 7, 0]
        for bp in (0, 0x10, 0x20):
            self.assertEqual("outer;outer;py::f2;leaf", self.fold_copies(words, bp))
        twice = [copies[1], 0, APP + 0x210, 0, 0, copies[2], 0, APP + 0x310, 5, APP + 0x350, 7, 0]
        self.assertEqual("outer;outer;py::f2;middle;py::f1;leaf", self.fold_copies(twice, n=3000))

    def test_stacks_go_through_the_trampoline_of_python_that_has_a_frame_pointer(self):
        copies = self.map_copies(self.TRAMPOLINES["has a frame pointer"])
        words = [copies[1], self.STACK + 0x28, APP + 0x310, 5, APP + 0x350, 7, 0]
        self.assertEqual("outer;outer;py::f1;leaf", self.fold_copies(words, bp=8, n=3000))

    def test_words_that_only_look_like_callers_of_a_trampoline_are_not_taken(self):
        copies = self.map_copies(self.TRAMPOLINES["aligns"])
        true = [copies[1], 0, APP + 0x310, 5, APP + 0x350, 7, 0]
        self.assertEqual("outer;outer;py::f1;leaf", self.fold_copies(true))
        for what, at, word in (("of another module", 2, 0x700310), ("without rules", 2, APP + 0x450),
                               ("whose caller is not code", 4, 0x123456), ("of data", 2, 3),
                               ("of compiled code", 2, copies[2])):
            words = true[:at] + [word] + true[at + 1:]
            self.assertEqual("py::f1;leaf", self.fold_copies(words), what)
        moved = [copies[1] + 1] + true[1:]
        self.assertEqual("py::f1;leaf", self.fold_copies(moved), "a call that no copy has there")
        self.assertEqual("py::f1;leaf", self.fold_copies(true, ip=0x700110), "called from another module")
        self.put("/srv/app", self.python(self.TRAMPOLINES["aligns"], start="other"))
        self.assertEqual("py::f1;leaf", self.fold_copies(true), "of a program without a trampoline")
        self.put("/srv/app", self.python(b"\x90" + self.TRAMPOLINES["aligns"]))
        self.assertEqual("py::f1;leaf", self.fold_copies(true), "of a trampoline of an unknown kind")

    def test_a_stack_that_is_cut_at_a_trampoline_is_cut(self):
        copies = self.map_copies(self.TRAMPOLINES["aligns"])
        self.assertEqual("py::f1;leaf", self.fold_copies([copies[1], 0]))
        self.assertEqual("outer;py::f1;leaf", self.fold_copies([copies[1], 0, APP + 0x310]))

    def test_the_map_of_a_compiler(self):
        self.put("/tmp/perf-10.map", "1000 10 old name\n1000 20 new name\n0x1018 8 late;one\n"
                 "xyz\n1100 10\n1200 10 LFoo/Bar;::run->inner\n")
        r = Recording()
        r.comm(10, "java")
        r.mmap2(10, 0x1000, 0x1000, "//anon")
        for ip in (0x1000, 0x1017, 0x101f, 0x1020, 0x1105, 0x1205):
            r.sample(10, [IN_USER, ip], time=9)
        out, _ = self.fold(r.file(), "--jit")
        self.assertEqual("java;Foo/Bar:::run_[j];inner_[j] 1\njava;[perf-10.map]_[j] 2\n"
                         "java;late:one_[j] 1\njava;new name_[j] 2\n", out)

    def test_no_blank_is_left_in_front_of_arguments(self):
        """Java and Mono put one there."""
        self.put("/tmp/perf-10.map", "1000 10 M:mix (ulong)\n1010 10 StubRoutines (1)\n")
        r = Recording()
        r.comm(10, "mono")
        r.mmap2(10, 0x1000, 0x1000, "//anon")
        for ip in (0x1000, 0x1010):
            r.sample(10, [IN_USER, ip], time=9)
        self.assertEqual("mono;M:mix 1\nmono;StubRoutines 1\n", self.fold(r.file())[0])
        self.assertIn("mono;M:mix 1\n", self.fold(r.file(), "--compat", "perf-script")[0])

    def test_the_map_of_a_compiler_names_code_in_files_without_a_path(self):
        """.NET compiles into such files. Other processes, and anonymous memory, keep their own labels."""
        r = Recording()
        for pid in (10, 11):
            r.comm(pid, f"app{pid}")
            r.mmap2(pid, 0x1000, 0x1000, "/memfd:doublemapper (deleted)", 0x7000)
            r.mmap2(pid, 0x8000, 0x1000, "//anon")
            for ip in (0x1004, 0x1104, 0x8004):
                r.sample(pid, [IN_USER, ip], time=9)
        unnamed = "app{0};[memfd:doublemapper] {1}\napp{0};[perf-{0}.map]_[j] 1\n"
        out, err = self.fold(r.file(), "--jit")
        self.assertEqual(unnamed.format(10, 2) + unnamed.format(11, 2), out)
        self.put("/tmp/perf-10.map", "1000 10 int32 [app] A::Run(int32)[Tier0]\n")
        for data in (r.file(), r.pipe()):
            out, err = self.fold(data, "--jit")
            named = "app10;int32 [app] A::Run_[j] 1\n"
            self.assertEqual(unnamed.format(10, 1) + named + unnamed.format(11, 2), out)
        out, _ = self.fold(r.file(), "--jit", "--compat", "perf-script")
        self.assertEqual(unnamed.format(10, 2) + unnamed.format(11, 2), out)

    def test_a_sample_without_any_address_is_left_out(self):
        r = Recording(perf_data.Event("cpu-clock", sample_type=perf_data.USUAL & ~perf_data.IP))
        r.comm(10, "app")
        r.mmap2(10, APP, 0x1000, "/srv/app", 0x1000)
        r.sample(10, [], time=8)
        r.sample(10, [IN_USER, APP + 0x120], time=9)
        out, err = self.fold(r.file())
        self.assertEqual("app;[app] 1\n", out)
        self.assertIn("samples without a frame are left out: 1", err)

    def test_perf_shows_a_sample_with_an_empty_chain_by_its_name(self):
        r = Recording()
        r.comm(10, "app")
        r.mmap2(10, APP, 0x1000, "/srv/app", 0x1000)
        r.sample(10, [], time=9, ip=APP + 0x100)
        self.assertEqual("app 1\n", self.fold(r.file(), "--compat", "perf-script")[0])
        self.assertEqual("app;[app] 1\n", self.fold(r.file())[0])

    # ---- containers

    def of_compiled_code(self, *more):
        """A recording of compiled code in process 10, after other records."""
        r = Recording()
        r.comm(10, "java")
        for name, *words in more:
            getattr(r, name)(*words)
        r.mmap2(10, 0x1000, 0x1000, "//anon")
        r.sample(10, [IN_USER, 0x1004], time=9)
        return r.file()

    def test_the_map_of_a_compiler_in_a_container(self):
        """The process has another number inside, and another /tmp."""
        self.put("/proc/10/status", "Name:\tjava\nUmask:\t0022\nNSpid:\t10\t3\t7\nThreads:\t1\n")
        self.put("/proc/10/root/tmp/perf-7.map", "1000 10 inside\n")
        self.put("/proc/10/root/tmp/perf-10.map", "1000 10 another process\n")
        self.put("/tmp/perf-10.map", "1000 10 outside\n")
        self.assertEqual("java;inside 1\n", self.fold(self.of_compiled_code())[0])
        self.put("/proc/10/root/tmp/perf-7.map", "")
        self.put("/proc/10/status", "Name:\tjava\n")
        self.assertEqual("java;outside 1\n", self.fold(self.of_compiled_code())[0])

    def test_the_number_of_an_ended_process_may_be_that_of_another_one(self):
        self.put("/proc/10/status", "Name:\tsh\nNSpid:\t10\t7\n")
        self.put("/proc/10/root/tmp/perf-7.map", "1000 10 inside\n")
        self.put("/tmp/perf-10.map", "1000 10 outside\n")
        self.assertEqual("java;outside 1\n", self.fold(self.of_compiled_code())[0])

    def test_files_of_an_ended_process_through_another_one_with_the_same_mounts(self):
        self.put("/proc/11/root/tmp/perf-7.map", "1000 10 of the map\n")
        inside = ("namespaces", 10, 99), ("namespaces", 11, 99), ("namespaces", 12, 98)
        dump = struct.pack("<IIIIIIQQ", 0x4a695444, 1, 40, 62, 0, 7, 0, 0)
        self.assertEqual("java;[perf-10.map] 1\n", self.fold(self.of_compiled_code(*inside))[0], "its number is unknown")
        announced = *inside, ("mmap2", 10, 0x9000, 0x1000, "/tmp/jit-7.dump")
        self.assertEqual("java;of the map 1\n", self.fold(self.of_compiled_code(*announced))[0], "its dump has its number")
        body = struct.pack("<IIQQQQ", 7, 7, 0x1000, 0x1000, 16, 1) + b"of the dump\0" + bytes(16)
        self.put("/proc/11/root/tmp/jit-7.dump", dump + struct.pack("<IIQ", 0, len(body) + 16, 5) + body)
        self.assertEqual("java;of the dump 1\n", self.fold(self.of_compiled_code(*announced))[0])
        self.put("/proc/11/root/srv/app", program(build_id=ID).bytes())
        r = Recording()
        r.comm(10, "app")
        for pid in (10, 11):
            r.namespaces(pid, 99)
        r.mmap2(10, APP, 0x1000, "/srv/app", 0x1000, build_id=ID)
        r.sample(10, [IN_USER, APP + 0x100], time=9)
        self.assertEqual("app;main 1\n", self.fold(r.file())[0])

    @staticmethod
    def contain(r, processes, kept, recorder=77):
        """Describes processes, by their number, that inside, and their mounts; and the mounts that the recorder keeps."""
        body = r.pack("II", 1, len(processes)) + b"".join(r.pack("IIQ", *p) for p in processes)
        r.features[240] = body + r.pack("II", len(kept), recorder) + b"".join(r.pack("QQ", *k) for k in kept)

    def test_the_recorder_tells_where_the_files_of_containers_are(self):
        """Without build ids, the file outside is another one."""
        self.put("/srv/app", program().bytes())
        inside = Elf()
        inside.symbol("inside", 0x100, 0x40)
        self.put("/proc/77/fd/5/srv/app", inside.bytes())
        self.put("/proc/77/fd/5/tmp/perf-3.map", "1000 10 compiled\n")
        for kind, processes, name in (("file", [(10, 3, 99)], "inside"), ("pipe", [(10, 3, 99)], "inside"),
                                      ("file", [(10, 3, 98)], "main"), ("file", [(11, 3, 99)], "main")):
            r = Recording()
            self.contain(r, processes, [(99, 5)])
            r.comm(10, "app")
            r.mmap2(10, APP, 0x1000, "/srv/app", 0x1000)
            r.mmap2(10, 0x1000, 0x1000, "//anon")
            for ip in (APP + 0x100, 0x1004):
                r.sample(10, [IN_USER, ip], time=9)
            out = self.fold(r.pipe() if kind == "pipe" else r.file())[0]
            compiled = "compiled" if name == "inside" else "[perf-10.map]"
            self.assertEqual(sorted([f"app;{compiled} 1", f"app;{name} 1"]), out.splitlines(), (kind, processes))

    def test_programs_of_ended_containers_come_from_the_build_id_cache(self):
        """The file outside with the same path is another one; symbols may be in the folder of debugging information."""
        digits = ID.hex()[:2] + "/" + ID.hex()[2:]
        self.put("/srv/app", program(OTHER).bytes())
        r = Recording()
        self.contain(r, [(10, 3, 99)], [(99, 5)])
        r.namespaces(10, 99)
        r.comm(10, "app")
        r.mmap2(10, APP, 0x1000, "/srv/app", 0x1000, build_id=ID)
        r.sample(10, [IN_USER, APP + 0x100], time=9)
        self.assertEqual("app;[app] 1\n", self.fold(r.file(), "--build-id-dir", "/cache")[0])
        self.put(f"/cache/.build-id/{digits}/elf", self.stripped(ID).bytes())
        self.assertEqual("app;[app] 1\n", self.fold(r.file(), "--build-id-dir", "/cache")[0])
        self.put(f"/usr/lib/debug/.build-id/{digits}.debug", program(ID).bytes())
        self.assertEqual("app;main 1\n", self.fold(r.file(), "--build-id-dir", "/cache")[0])
        self.put(f"/cache/.build-id/{digits}/elf", program(ID).bytes())
        shutil.rmtree(self.dir / "root/usr")
        self.assertEqual(("app;main 1\n", ""), self.fold(r.pipe(), "--build-id-dir", "/cache"))

    def test_damaged_descriptions_of_containers_are_reported(self):
        for n, part in ((2, b""), (1, b"\1\0\0\0"), (0xffffffff, bytes(64))):
            r = Recording()
            r.comm(10, "app")
            r.features[240] = r.pack("II", 1, n) + part
            r.sample(10, [IN_USER, 0x10], time=9)
            out, err = self.fold(r.file())
            self.assertEqual("app;[unknown] 1\n", out)
            self.assertIn("a part of the recording's description is damaged", err)

    def test_later_code_replaces_all_code_below_it(self):
        self.put("/tmp/perf-10.map", "1000 10 old\n1010 10 older\n1040 40 around\n1000 30 new\n1050 8 within\n")
        r = Recording()
        r.comm(10, "java")
        r.mmap2(10, 0x1000, 0x1000, "//anon")
        for ip in (0x1004, 0x1014, 0x102f, 0x1030, 0x1048, 0x1050, 0x1058, 0x107f, 0x1080):
            r.sample(10, [IN_USER, ip], time=9)
        self.assertEqual("java;[perf-10.map] 2\njava;around 3\njava;new 3\njava;within 1\n",
                         self.fold(r.file())[0])

    def test_a_dump_that_adds_a_module(self):
        r = Recording()
        r.comm(10, "app")
        for pid in range(1, 200):
            r.mmap2(pid, 0x9000, 0x1000, f"/tmp/jit-{pid}.dump")
        r.sample(10, [IN_USER, 0x10], time=9)
        self.assertEqual("app;[unknown] 1\n", self.fold(r.file())[0])

    def test_the_dump_of_a_compiler(self):
        for order in "<>":
            def load(address, size, name, kind=0):
                body = struct.pack(order + "IIQQQQ", 10, 10, address, address, size, 1)
                body += name.encode() + b"\0" + bytes(size)
                return struct.pack(order + "IIQ", kind, len(body) + 16, 5) + body
            dump = struct.pack(order + "IIIIIIQQ", 0x4a695444, 1, 40, 62, 0, 10, 0, 0)
            dump += load(0x1000, 16, "old") + load(0x2000, 16, "debug", 2) + load(0x1000, 32, "new")
            dump += load(0x1018, 8, "late") + load(0x3000, 8, "last")[:-4]
            self.put("/root/.debug/jit/jit-10.dump", dump)
            r = Recording()
            r.comm(10, "app")
            r.mmap2(10, 0x9000, 0x1000, "/root/.debug/jit/jit-10.dump")
            r.mmap2(10, 0x1000, 0x3000, "//anon")
            for ip in (0x1000, 0x1017, 0x101f, 0x2000, 0x3000):
                r.sample(10, [IN_USER, ip], time=9)
            out, _ = self.fold(r.file())
            self.assertEqual("app;[perf-10.map] 2\napp;late 1\napp;new 2\n", out)

    # ---- exec, deleted files and aliases

    def test_mappings_end_with_the_first_one_after_an_exec(self):
        """Up to there the kernel runs on behalf of the old program, as perf shows it later, too."""
        self.put("/srv/app", program().bytes())
        r = Recording()
        r.comm(10, "app")
        r.mmap2(10, APP, 0x1000, "/srv/app", 0x1000)
        r.comm(10, "new", time=5, is_exec=True)
        r.sample(10, [IN_USER, APP + 0x110], time=6)
        r.mmap2(10, APP + 0x100000, 0x1000, "/srv/new", 0x1000, time=7)
        r.sample(10, [IN_USER, APP + 0x150], time=8)
        self.assertEqual("new;[unknown] 1\nnew;main 1\n", self.fold(r.file())[0])
        self.assertEqual("new;load 1\nnew;main 1\n", self.fold(r.file(), "--compat", "perf-script")[0])

    def test_code_of_deleted_files_has_the_name_of_the_file(self):
        for name, label in (("/srv/gone (deleted)", "[gone]"), ("/memfd:made (deleted)", "[memfd:made]")):
            self.assertEqual(f"app;{label} 1\n", self.fold(recording([0x150], name=name))[0])

    def test_perf_shows_the_last_name_of_an_address_of_the_kernel(self):
        self.put("/kallsyms", "ffffffff81000000 T _text\nffffffff81000100 T copy\nffffffff81000100 T __pi_copy\n"
                 "ffffffff81000200 T next\n")
        r = Recording()
        r.mmap(KERNEL_PID, 0xffffffff81000000, 0x1000, "[kernel.kallsyms]_text", 0xffffffff81000000, 0, KERNEL_MODE)
        r.comm(10, "app")
        r.sample(10, [IN_KERNEL, 0xffffffff81000110], time=9, misc=KERNEL_MODE)
        self.assertEqual("app;copy 1\n", self.fold(r.file(), "--kallsyms", "/kallsyms")[0])
        self.assertEqual("app;__pi_copy 1\n",
                         self.fold(r.file(), "--kallsyms", "/kallsyms", "--compat", "perf-script")[0])

    # ---- compressed records that are too large for their header

    @unittest.skipUnless(shutil.which("zstd"), "no zstd")
    def test_compressed_records_of_perf_6_16_that_are_too_large_for_their_header(self):
        chance, inner = random.Random(6), Recording()
        for i in range(1300):
            inner.sample(10, [IN_USER, *(chance.getrandbits(47) for _ in range(30))], time=10 + i, period=i)
        packed = Recording.packed(inner.data)
        self.assertGreater(len(packed), 200_000)
        whole = 65519
        for sizes in ([65513], [whole], [65518, 65513], [[whole, 1]], [[whole, 4000], [whole, whole, 20]],
                      [[300, 65400], 65514]):
            r, at = Recording(), 0
            r.comm(10, "app")
            for size in sizes:
                pieces = []
                for n in size if isinstance(size, list) else [size]:
                    pieces.append(packed[at:at + n])
                    at += n
                r.oversized(pieces)
            while at < len(packed):
                body = packed[at:at + 60_000]
                r.raw(83, perf_data.padded(r.pack("Q", len(body)) + body))
                at += len(body)
            r.round()
            for data in (r.file(), r.pipe(), r.file(size=0)):
                out, err = self.fold(data)
                self.assertEqual(sum(range(1300)), sum(int(x.rsplit(" ", 1)[1]) for x in out.splitlines()), sizes)
                self.assertNotIn("damaged", err)

    # ---- hostile names

    def test_names_of_the_recording_open_regular_files_below_the_root_only(self):
        (self.dir / "root").mkdir()
        for name in ("/dev/zero", "/proc/self/mem", "/srv/../../etc/passwd", "/", "//", "/" + "x" * 5000):
            out, _ = self.fold(recording([0x150], name=name))
            self.assertTrue(out.startswith("app;["), out)

    @unittest.skipUnless(STRACE, "no strace")
    def test_hostile_names_open_nothing_outside_the_root(self):
        """All files that the process opens are traced: none of those outside, whatever name or link leads
        there, and no file that is not a regular one."""
        outside, root = self.dir / "outside", self.dir / "root"
        for folder in (outside, root / "srv/folder"):
            folder.mkdir(parents=True)
        (outside / "app").write_bytes(program().bytes())
        os.mkfifo(root / "srv/fifo")
        (root / "srv/inner").symlink_to("fifo")
        (root / "srv/link").symlink_to(outside / "app")
        (root / "srv/up").symlink_to("../../outside/app")
        (root / "srv/device").symlink_to("/dev/zero")
        (root / "out").symlink_to(outside)
        names = ["/srv/fifo", "/srv/inner", "/srv/link", "/srv/up", "/srv/device", "/srv/folder", "/out/app",
                 "/srv/../../outside/app", f"{outside}/../outside/app", f"{outside}/app", "../outside/app",
                 "outside/app", "/dev/stdin", "/proc/self/fd/0", "/tmp/perf-10.map", "//anon", "[vdso]"]
        if os.geteuid() == 0:
            os.mknod(root / "srv/null", 0o666 | stat.S_IFCHR, os.makedev(1, 3))
            names.append("/srv/null")
        r = Recording()
        r.comm(10, "app")
        for i, name in enumerate(names):
            r.mmap2(10, APP + 0x10000 * i, 0x1000, name, 0x1000)
            r.sample(10, [IN_USER, APP + 0x10000 * i + 0x150], time=9)
        self.write("p.data", r.file())
        trace = self.dir / "trace"
        env = self.environment()
        env["ASAN_OPTIONS"] = env.get("ASAN_OPTIONS", "") + ":detect_leaks=0"  # which cannot be traced
        for more in ([], ["--isolate"]):
            words = self.command(["collapse", "perf-data", "p.data", "--sysroot", root, *more])
            done = subprocess.run([STRACE, "-f", "-y", "-e", "trace=open,openat,openat2", "-o", trace, *words],
                                  capture_output=True, text=True, cwd=self.dir, env=env, timeout=60)
            self.assertEqual(0, done.returncode, done.stderr)
            self.assertNotIn("main", done.stdout)
            opened = re.findall(r"^(?!.*O_PATH).*= \d+<([^>]*)>", trace.read_text(), re.M)
            self.assertIn(str(self.dir / "p.data"), opened)
            self.assertEqual([], [p for p in opened if p.startswith((str(outside), str(root) + "/srv/", "/dev/zero"))])


if __name__ == "__main__":
    common.main(SampleLoader())
