# SPDX-License-Identifier: MIT
"""The line at the end says nothing about good recordings, and names first what helps most for broken ones."""
import platform
import re
import shutil
import subprocess
import unittest

import common
from lib.brazier import IS_EXHAUSTIVE
from lib.sample import SampleLoader
from recording import COMPILER, REASON, RecordCase

HEAD = r"""
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile unsigned long sink;
__attribute__((noinline)) void spin(unsigned long n) { for (volatile unsigned long i = 0; i < n; i++) sink += i; }
"""

# Each takes the number of rounds as its first word.
GOOD = {
    "shares": r"""
__attribute__((noinline)) void six(void) { spin(60000); sink++; }
__attribute__((noinline)) void four(void) { spin(40000); sink++; }
int main(int argc, char **argv) { for (long i = atol(argv[1]); i > 0; i--) { six(); four(); } return 0; }
""",
    "recursion": r"""
__attribute__((noinline)) int down(int n) { if (n == 0) { spin(100000); return 1; } int r = down(n - 1); sink++; return r + 1; }
int main(int argc, char **argv) { for (long i = atol(argv[1]); i > 0; i--) sink += down(40); return 0; }
""",
    "threads": r"""
static void *work(void *n) { for (long i = (long)n; i > 0; i--) spin(100000); return n; }
int main(int argc, char **argv) {
    pthread_t t[4];
    for (int i = 0; i < 4; i++) pthread_create(&t[i], NULL, work, (void *)(atol(argv[1]) / 4));
    for (int i = 0; i < 4; i++) pthread_join(t[i], NULL);
    return 0;
}
""",
    "children": r"""
int main(int argc, char **argv) {
    if (argc > 2) { for (long i = atol(argv[1]); i > 0; i--) spin(100000); return 0; }
    char n[32];
    snprintf(n, sizeof n, "%ld", atol(argv[1]) / 4);
    for (int i = 0; i < 4; i++) {
        if (fork() == 0) { execl("/proc/self/exe", "program", n, "child", (char *)NULL); _exit(1); }
        wait(NULL);
    }
    return 0;
}
""",
    "memory": r"""
__attribute__((noinline)) void fill(unsigned char *at, size_t n) { for (size_t i = 0; i < n; i++) at[i] = (unsigned char)(i ^ sink); }
int main(int argc, char **argv) {
    size_t n = 100000;
    unsigned char *at = malloc(n);
    for (long i = atol(argv[1]); i > 0; i--) { fill(at, n); sink += at[i % n]; }
    free(at);
    return 0;
}
""",
}


@unittest.skipIf(REASON, REASON)
@unittest.skipUnless(platform.machine() in ("x86_64", "aarch64"), "other processors have frame pointers only")
class RecordQuality(RecordCase):
    def compile(self, source, *flags, name="p"):
        self.write(f"{name}.c", HEAD + source)
        subprocess.run([COMPILER, "-O2", "-g", "-pthread", "-Wl,--build-id", *flags, "-o", name, f"{name}.c"], cwd=self.dir,
                       check=True, capture_output=True)

    def run_until(self, enough, *words, program="./p", rounds=3000):
        """Records with more rounds until there are enough samples. Returns the messages."""
        for _ in range(8):
            r = self.brazier("record", "-e", "cpu-clock", "-o", "out.folded", *words, "--", program, rounds)
            n = int(re.search(r"(\d+) samples? of", r.err)[1]) if " of cpu-clock" in r.err else 0
            if n >= enough:
                return r.err
            rounds *= max(2, min(20, enough * 5 // 4 // max(n, 1)))
        self.fail(r.err)

    def run_without_losses(self, *words, **more):
        """Records again if the machine was too busy for the recorder: the kernel then loses records."""
        for _ in range(5):
            err = self.run_until(*words, **more)
            if "were lost" not in err and "was lost" not in err:
                return err
        return err

    def assert_good(self, name, enough=500 if IS_EXHAUSTIVE else 250):
        """Six recordings: two methods, with and without the kernel, and two frequencies."""
        self.compile(GOOD[name], "-fomit-frame-pointer")
        self.compile(GOOD[name], "-fno-omit-frame-pointer", name="pointers")
        for program, words in (("./p", []), ("./p", ["--kernel", "no"]), ("./p", ["-g", "dwarf,16384", "-F", "4999"]),
                               ("./pointers", ["-g", "fp"]), ("./pointers", ["-g", "fp", "--kernel", "no"]),
                               ("./pointers", ["-g", "fp", "-F", "4999"])):
            err = self.run_without_losses(enough * (5 if "4999" in words else 1), *words, program=program, rounds=1500)
            self.assertNotIn("quality:", err, (name, program, words))

    def test_a_program_of_two_functions_has_no_finding(self):
        self.assert_good("shares")

    def test_recursion_has_no_finding(self):
        self.assert_good("recursion")

    def test_threads_have_no_finding(self):
        self.assert_good("threads")

    def test_children_that_execute_programs_have_no_finding(self):
        self.assert_good("children", 1500) # the dynamic linker that starts each has no frame pointers

    def test_a_program_that_fills_memory_has_no_finding(self):
        self.assert_good("memory")

    # ---- broken ones

    def first_of(self, *words, **more):
        """Returns the code and the remedy of the first finding of a run."""
        r = self.brazier(*words, "--quality=json", **more)
        line = next((text for text in r.err.splitlines() if text.startswith("{")), None)
        self.assertIsNotNone(line, r)
        found = common.json.loads(line)["findings"]
        self.assertNotEqual([], found, r)
        return found[0]["code"], found[0]["remedy"]

    def assert_first(self, code, remedy, *words, program="./p", rounds=5000, **more):
        """Checks the first finding of a recording, which has samples enough."""
        self.run_until(300, *words, "--save", "x.perf.data", program=program, rounds=rounds)
        found = self.first_of("run", "x.perf.data", "-o", "out.folded", **more)
        self.assertEqual(code, found[0], found)
        self.assertIn(remedy, found[1])

    def test_code_without_frame_pointers(self):
        self.compile(GOOD["recursion"].replace("sink++; return r", "sink += strlen(getenv(\"HOME\") + 0); return r"),
                     "-fomit-frame-pointer")
        self.run_until(300, "-g", "fp", "--kernel", "no", "--save", "x.perf.data")
        found = self.first_of("run", "x.perf.data", "-o", "out.folded")
        self.assertIn(found[0], ("single-frame", "frame-pointers"))
        self.assertIn("--call-graph dwarf", found[1])

    def test_copies_that_are_too_small(self):
        self.compile(GOOD["recursion"].replace("down(40)", "down(400)"), "-fomit-frame-pointer")
        words = "-g", "dwarf,2048"
        for _ in range(6): # 2 KiB become 64: a size is doubled while no copy has shown the end of a stack
            self.assert_first("stack-cut", "record more of each: --call-graph dwarf,", *words)
            advised = self.first_of("run", "x.perf.data", "-o", "out.folded")[1]
            words = "-g", re.search(r"--call-graph (dwarf,\d+)", advised)[1]
            if "cut off" not in self.run_until(300, *words):
                return
        self.fail(f"the size that is advised is not enough: {words}")

    def test_copies_that_are_as_large_as_possible(self):
        self.compile(GOOD["recursion"].replace("down(40)", "down(400)").replace(
            "int r =", "volatile char large[1024]; large[n] = 1; int r ="), "-fomit-frame-pointer")
        self.assert_first("stack-cut", "--call-graph fp", "-g", "dwarf,65528", "-F", "199")

    def test_chains_that_are_as_deep_as_possible(self):
        self.compile(GOOD["recursion"].replace("down(40)", "down(400)"), "-fno-omit-frame-pointer")
        self.assert_first("depth", "kernel.perf_event_max_stack", "-g", "fp")

    def test_code_without_tables(self):
        self.compile(GOOD["shares"], "-g0", "-fomit-frame-pointer", "-fno-asynchronous-unwind-tables", "-fno-unwind-tables")
        self.assert_first("stack-rules", "-fasynchronous-unwind-tables", "-g", "dwarf")

    def test_no_callers(self):
        self.compile(GOOD["shares"])
        self.assert_first("no-stacks", "-g", "-g", "none")

    def test_few_samples(self):
        self.compile(GOOD["shares"])
        self.run_until(1, "--save", "x.perf.data", rounds=50)
        self.assertEqual("few-samples", self.first_of("run", "x.perf.data", "-o", "out.folded")[0])

    def test_a_frequency_in_step_with_timers(self):
        self.compile(GOOD["shares"])
        self.assert_first("lock-step", "-F 997", "-F", "1000")

    def test_a_program_that_was_built_again(self):
        self.compile(GOOD["shares"])
        self.run_until(300, "--save", "x.perf.data")
        self.compile(GOOD["memory"])
        found = self.first_of("run", "x.perf.data", "-o", "out.folded")
        self.assertEqual("build-id", found[0])
        r = self.brazier("run", "x.perf.data", "-o", "out.folded")
        self.assertNotRegex(r.err, "no name|unwind tables")

    def test_a_program_that_was_removed(self):
        self.compile(GOOD["shares"])
        self.run_until(300, "--save", "x.perf.data")
        (self.dir / "p").unlink()
        found = self.first_of("run", "x.perf.data", "-o", "out.folded")
        self.assertEqual("unknown", found[0])
        self.assertIn("--sysroot", found[1])
        self.assertNotIn("unwind tables", self.brazier("run", "x.perf.data", "-o", "out.folded").err)

    def test_a_stripped_program(self):
        self.compile(GOOD["shares"], "-s")
        self.assert_first("unknown", "debugging symbols are not installed")

    def compiled_at_run_time(self):
        return r"""
int main(int argc, char **argv) {
    static const unsigned char code[] = {0x55, 0x48, 0x89, 0xe5, 0x48, 0xff, 0xcf, 0x75, 0xfb, 0x5d, 0xc3};
    void *at = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memcpy(at, code, sizeof code);
    for (long i = atol(argv[1]); i > 0; i--) ((void (*)(long))at)(100000);
    return 0;
}
"""

    @unittest.skipUnless(platform.machine() == "x86_64", "the function is code for x86-64")
    def test_compiled_code_without_a_map(self):
        self.compile(self.compiled_at_run_time(), "-fno-omit-frame-pointer")
        self.assert_first("jit", "node --perf-basic-prof", "-g", "fp")

    @unittest.skipUnless(platform.machine() == "x86_64", "the function is code for x86-64")
    def test_a_virtual_machine_of_java_without_a_map(self):
        self.compile(self.compiled_at_run_time(), "-fno-omit-frame-pointer", name="java")
        self.assert_first("jit", "jcmd PID Compiler.perfmap", "-g", "fp", program="./java")

    def test_a_handler_on_another_stack(self):
        self.compile(r"""
static void handle(int s) { (void)s; spin(3000000); }
int main(int argc, char **argv) {
    stack_t other = {.ss_sp = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
                     .ss_size = 1 << 20};
    struct sigaction a = {.sa_handler = handle, .sa_flags = SA_ONSTACK};
    sigaltstack(&other, NULL);
    sigaction(SIGUSR1, &a, NULL);
    for (long i = atol(argv[1]) / 100; i > 0; i--) raise(SIGUSR1);
    return 0;
}
""")
        self.assert_first("stack-elsewhere", "--call-graph fp", "-g", "dwarf")

    def test_interpreters(self):
        loop = {"perl": ("Perl", "my $s = 0; for (my $i = 0; $i < $ARGV[0] * 1000; $i++) { $s += $i }"),
                "php": ("PHP", "for ($i = 0, $s = 0; $i < $argv[1] * 1000; $i++) { $s += $i; }"),
                "ruby": ("Ruby", "s = 0; (ARGV[0].to_i * 1000).times { |i| s += i }")}
        for name, (language, code) in loop.items():
            if shutil.which(name) is None:
                continue
            symbols = subprocess.run(["nm", "-D", shutil.which(name)], capture_output=True, text=True).stdout
            if name == "perl" and "Perl_runops_standard" not in symbols:
                continue
            self.write("script", code)
            script = self.write("run.sh", f"#!/bin/sh\nexec {name} {'' if name != 'php' else '--'} {self.dir}/script \"$1\"\n")
            script.chmod(0o755)
            self.run_until(300, "-g", "dwarf", "--save", "x.perf.data", program="./run.sh")
            r = self.brazier("run", "x.perf.data", "-o", "out.folded")
            self.assertIn(f"in the interpreter of {language}, whose functions have no frames", r.err)


if __name__ == "__main__":
    common.main(SampleLoader(6))
