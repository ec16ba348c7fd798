# SPDX-License-Identifier: MIT
"""Recordings of programs whose shares are known, in each kind of build: the language, the linker's options, and where the
names and the unwind tables are. Each program does 60, 30 and 10 per cent of its work in three functions."""
import os
import platform
import pwd
import shutil
import subprocess
import unittest

import common
from lib.sample import SampleLoader
from recording import COMPILER, REASON, RecordCase

# Rounds are short, so that whatever slows the machine down slows all three functions down.
C = r"""
#include <stdlib.h>
static volatile unsigned long sink;
__attribute__((noinline)) void spin(unsigned long n) { for (volatile unsigned long i = 0; i < n; i++) sink += i; }
__attribute__((noinline)) void six(unsigned long n) { spin(6 * n); sink++; }
__attribute__((noinline)) void three(unsigned long n) { spin(3 * n); sink++; }
__attribute__((noinline)) void one(unsigned long n) { spin(n); sink++; }
int main(int argc, char **argv) {
    unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
    for (unsigned long i = 0; i < rounds; i++) {
        six(10000);
        three(10000);
        one(10000);
    }
    return (int)(sink & 0);
}
"""

RUST = r"""
use std::hint::black_box;
#[inline(never)] fn spin(n: u64) -> u64 { let mut s = 0; for i in 0..n { s = black_box(s + i); } s }
#[inline(never)] fn six(n: u64) -> u64 { black_box(spin(6 * n)) + 1 }
#[inline(never)] fn three(n: u64) -> u64 { black_box(spin(3 * n)) + 1 }
#[inline(never)] fn one(n: u64) -> u64 { black_box(spin(n)) + 1 }
fn main() {
    let rounds: u64 = std::env::args().nth(1).map_or(1, |r| r.parse().unwrap());
    let mut sum = 0u64;
    for _ in 0..rounds { sum = sum.wrapping_add(six(10000)).wrapping_add(three(10000)).wrapping_add(one(10000)); }
    black_box(sum);
}
"""

GO = r"""
package main
import ("os"; "strconv")
var sink uint64
//go:noinline
func spin(n uint64) { for i := uint64(0); i < n; i++ { sink += i } }
//go:noinline
func six(n uint64) { spin(6 * n); sink++ }
//go:noinline
func three(n uint64) { spin(3 * n); sink++ }
//go:noinline
func one(n uint64) { spin(n); sink++ }
func main() {
    rounds := 1
    if len(os.Args) > 1 { rounds, _ = strconv.Atoi(os.Args[1]) }
    for i := 0; i < rounds; i++ { six(10000); three(10000); one(10000) }
}
"""

SHARES = {"six": 60, "three": 30, "one": 10}
SAMPLES = 1000
FREQUENCY = 3989  # so that a quarter of a second of work has that many
HAS_COPIES = platform.machine() in ("x86_64", "aarch64")


@unittest.skipIf(REASON, REASON)
@unittest.skipUnless(HAS_COPIES, "other processors have frame pointers only")
class RecordBuilds(RecordCase):
    def run_tool(self, *words):
        own = {**os.environ, "HOME": pwd.getpwuid(os.getuid()).pw_dir} # where rustup looks for the compiler
        p = subprocess.run([str(w) for w in words], cwd=self.dir, env=own, capture_output=True, text=True)
        self.assertEqual(0, p.returncode, p.stderr)

    def compile_c(self, *flags, suffix="c", compiler=COMPILER):
        self.write(f"p.{suffix}", C)
        self.run_tool(compiler, *flags, "-o", "p", f"p.{suffix}")

    def assert_truth(self, *words, main="main"):
        """Records ./p, with more rounds until there are enough samples. Returns the messages."""
        rounds = 1000
        for _ in range(8):
            r = self.brazier("record", "-e", "cpu-clock", "-F", FREQUENCY, "--kernel", "no", *words, "-o", "out.folded", "--", "./p", rounds)
            self.assertEqual(0, r.code, r)
            folded = self.read("out.folded")
            n = self.samples(folded, "")
            if n >= SAMPLES:
                break
            rounds = rounds * max(2, min(20, SAMPLES * 5 // 4 // max(n, 1)))
        self.assertGreaterEqual(n, SAMPLES, r.err)
        for function, share in SHARES.items():
            found = self.samples(folded, rf";([a-z_]+::)*(main\.)?{function}(\.constprop\.0)?(;|$)")
            self.assertAlmostEqual(share, 100 * found / n, delta=5, msg=f"{function}: {folded}{r.err}")
        with_main = self.samples(folded, rf";{main};.*spin$")
        self.assertGreaterEqual(with_main, 0.99 * self.samples(folded, r"spin$"), f"{folded}{r.err}")
        return r.err

    def samples(self, folded, pattern):
        period = 1000000000 // FREQUENCY
        return round(self.amount(folded, pattern) / period)

    def test_dynamic_programs(self):
        self.compile_c("-O2")
        self.assertRegex(self.assert_truth(), r"copies of stacks, since \d+ of \d+ functions of ./p keep")

    def test_programs_with_frame_pointers(self):
        self.compile_c("-O2", "-fno-omit-frame-pointer")
        self.assert_truth("-g", "fp")

    def test_static_programs(self):
        """Such a program has no .eh_frame_hdr, but .eh_frame."""
        self.compile_c("-O2", "-static", "-no-pie")
        err = self.assert_truth()
        self.assertRegex(err, r"copies of stacks, since \d+ of \d+ functions of ./p keep a frame pointer")

    def test_stripped_static_programs_have_all_callers(self):
        self.compile_c("-O2", "-static", "-no-pie", "-s")
        r = self.brazier("record", "-e", "cpu-clock", "--kernel", "no", "-o", "out.folded", "--", "./p", 3000)
        self.assertRegex(r.err, r"copies of stacks, since \d+ of \d+ functions of ./p keep a frame pointer")
        self.assertRegex(self.read("out.folded"), r"(?m)^p;\[p\](;\[p\]){4,} \d+$")

    def test_static_programs_at_any_address(self):
        self.compile_c("-O2", "-static-pie")
        self.assert_truth()

    def test_programs_at_a_fixed_address(self):
        self.compile_c("-O2", "-no-pie")
        self.assert_truth()

    def test_programs_without_a_table_of_their_functions(self):
        self.compile_c("-O2", "-Wl,--no-eh-frame-hdr")
        self.assertRegex(self.assert_truth(), r"copies of stacks, since \d+ of \d+ functions of ./p keep")

    def test_programs_with_unwind_tables_only_in_their_debugging_information(self):
        self.compile_c("-O2", "-g", "-fno-asynchronous-unwind-tables")
        self.assert_truth()

    def test_programs_with_compressed_debugging_information(self):
        self.compile_c("-O2", "-g", "-gz", "-static", "-no-pie")
        self.assert_truth()

    def test_programs_with_split_debugging_information(self):
        self.compile_c("-O2", "-g", "-gsplit-dwarf")
        self.assert_truth()

    def test_programs_with_optimization_by_the_linker(self):
        self.compile_c("-O2", "-flto")
        self.assert_truth()

    @unittest.skipUnless(shutil.which("objcopy"), "there is no objcopy")
    def test_programs_whose_symbols_are_in_another_file(self):
        self.compile_c("-O2", "-g")
        self.run_tool("objcopy", "--only-keep-debug", "p", "p.debug")
        self.run_tool("objcopy", "--strip-all", "--add-gnu-debuglink=p.debug", "p")
        self.assert_truth()

    def test_programs_half_of_whose_functions_have_frame_pointers(self):
        functions = "".join(f"int f%d_{i}(int x) {{ return other(x) + {i}; }}\n" for i in range(9))
        for i, flag in enumerate(("-fomit-frame-pointer", "-fno-omit-frame-pointer")):
            self.write(f"{i}.c", "int other(int);\n" + functions.replace("%d", str(i)))
            self.run_tool(COMPILER, "-O1", flag, "-c", f"{i}.c")
        self.write("p.c", C + "int other(int x) { return x + (int)sink; }\n")
        self.run_tool(COMPILER, "-O2", "-fno-omit-frame-pointer", "-o", "p", "p.c", "0.o", "1.o")
        self.assertRegex(self.assert_truth(), r"copies of stacks, since \d+ of \d+ functions of ./p keep a frame pointer")

    def test_programs_with_a_library_without_frame_pointers(self):
        """It calls the program, so that frame pointers would lose the callers."""
        self.write("library.c", "void call(void (*f)(unsigned long), unsigned long n) { f(n); }\n"
                   "void twice(void (*f)(unsigned long), unsigned long n) { call(f, n); call(f, n); }\n")
        self.write("p.c", C.replace("int main", "void call(void (*f)(unsigned long), unsigned long n);\nint main")
                   .replace("six(10000);", "call(six, 10000);"))
        for flag, words in (("-fomit-frame-pointer", "copies of stacks, since libown.so, which ./p needs, keeps no frame "
                                                     "pointers"),
                            ("-fno-omit-frame-pointer", "frame pointers, since ")):
            self.run_tool(COMPILER, "-O1", flag, "-fno-optimize-sibling-calls", "-shared", "-fPIC", "-o", "libown.so",
                          "library.c")
            self.run_tool(COMPILER, "-O2", "-fno-omit-frame-pointer", "-o", "p", "p.c", "-L.", "-lown",
                          "-Wl,-rpath,$ORIGIN")
            self.assertIn(f"callers by {words}", self.assert_truth())

    def test_a_library_without_frame_pointers_that_is_loaded_later(self):
        """Nothing says beforehand that frame pointers will lose callers, so the end does."""
        keeps = "".join(f", *p{i} = own + {2 * i}" for i in range(7)) # more than there are registers
        uses = "".join(f"*p{i} += r; " for i in range(7))
        asks = ", ".join(f'"+r"(p{i})' for i in range(7))
        self.write("library.c", f"""unsigned long call(unsigned long (*f)(unsigned long), unsigned long n)
                   {{ unsigned long own[16], r = 0{keeps};
                     for (int i = 0; i < 16; i++) own[i] = 0x1234 + n;
                     __asm__ volatile("" : {asks} : : "memory");
                     for (int i = 0; i < 3; i++) {{ r += f(n); {uses} }}
                     return r + *p0 + *p6; }}""")
        self.write("p.c", """#include <dlfcn.h>
                   static unsigned long spin(unsigned long n)
                   { for (volatile unsigned long i = 0; i < 100000; i++) n += i; return n; }
                   __attribute__((noinline)) unsigned long work(unsigned long n) { n = spin(n); return n + spin(n); }
                   int main(void) { void *l = dlopen("./libown.so", RTLD_NOW); unsigned long r = 0;
                     unsigned long (*call)(unsigned long (*)(unsigned long), unsigned long) = dlsym(l, "call");
                     for (int i = 0; i < 500; i++) r += call(work, r); return r == 1; }""")
        self.run_tool(COMPILER, "-O2", "-fomit-frame-pointer", "-shared", "-fPIC", "-o", "libown.so", "library.c")
        self.run_tool(COMPILER, "-O1", "-fno-omit-frame-pointer", "-o", "p", "p.c", "-ldl")
        advice = "frame pointers do not lead to all callers here: record again with -g dwarf"
        r = self.brazier("record", "-e", "cpu-clock", "-o", "x.folded", "--", "./p")
        self.assertIn("callers by frame pointers", r.err)
        self.assertIn("callers where no code is mapped", r.err)
        self.assertIn(advice, r.err)
        for words in (["-g", "fp"], ["-g", "dwarf"]): # the user's choice
            self.assertNotIn(advice, self.brazier("record", "-e", "cpu-clock", "-o", "x.folded", *words, "--", "./p").err)

    @unittest.skipUnless(shutil.which("g++"), "there is no C++ compiler")
    def test_programs_of_cpp(self):
        self.compile_c("-O2", "-static", "-no-pie", suffix="cc", compiler="g++")
        self.assertIn("copies of stacks", self.assert_truth())

    @unittest.skipUnless(shutil.which("rustc"), "there is no Rust compiler")
    def test_programs_of_rust(self):
        self.write("p.rs", RUST)
        self.run_tool("rustc", "-O", "-o", "p", "p.rs")
        self.assert_truth(main="p::main")

    @unittest.skipUnless(shutil.which("go"), "there is no Go compiler")
    def test_programs_of_go(self):
        self.write("p.go", GO)
        self.run_tool("go", "build", "-o", "p", "p.go")
        self.assert_truth(main="main.main")


if __name__ == "__main__":
    common.main(SampleLoader(4))
