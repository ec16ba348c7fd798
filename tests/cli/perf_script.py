#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares what brazier reads from recordings with the text that perf script prints about them, by counts of stacks.

usage: perf_script.py [TEST...]
"""
import collections
import os
import pathlib
import re
import shutil
import subprocess
import unittest

import common
from lib.sample import SampleLoader
from recording import COMPILER, PERF, REASON, RecordCase
from lib.compiled import compile_once

DEEP = r"""
static volatile unsigned long sink;
__attribute__((noinline)) static void spin(void) { for (volatile int i = 0; i < 20000; i++) sink += i; }
__attribute__((noinline)) static int down(int n) { if (n == 0) { spin(); return 1; } int r = down(n - 1); sink++; return r; }
int main(void) { for (int i = 0; i < 2000; i++) sink += down(i % 200); return 0; }
"""
CPLUSPLUS = r"""
#include <algorithm>
#include <map>
#include <string>
#include <vector>
namespace shop {
template <typename T> struct Sorter { virtual ~Sorter() {} virtual void sort(std::vector<T> &v) { std::sort(v.begin(), v.end(),
    [](const T &a, const T &b) { return b < a; }); } };
struct Names { std::map<std::string, int> seen; int operator()(const std::string &s) { return ++seen[s]; } };
}
int main() {
    std::vector<long> v;
    shop::Sorter<long> sorter;
    shop::Names names;
    for (long i = 0; i < 400000; i++) { v.push_back(i * 7919 % 1000003); names("name" + std::to_string(i % 97)); }
    sorter.sort(v);
    return names("name1") == 0;
}
"""
SHELL = ["sh", "-c", "i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done; true & wait; ls / >/dev/null"]
SCRIPT = ["python3", "-c", "sum(i * i for i in range(400000))"]
NODE = ["node", "--perf-basic-prof", "-e",
        "function f(n){let s=0;for(let i=0;i<n;i++)s+=i%7;return s};for(let i=0;i<40;i++)f(1e6)"]

# Names of labels within functions of Node.js. perf finds either, by the shape of its tree of symbols.
LABELS = re.compile("(construct_stub_(create|invoke)_deopt_addr|Builtins_JSConstructStubGeneric)(?=;|$)")
# Arguments of templates of Node.js whose functions the linker made one: each of their names is right.
FOLDED = re.compile(r"ElementsKind\)\d+, (?:unsigned |signed )?\w+")

# Options of perf record, and the program, whose first word may stand for a compiled one.
KINDS = {
    # programs
    "frame_pointers": ("-g", ["pointers"]),
    "no_frame_pointers": ("-g", ["program"]),
    "deep_stacks": ("-g", ["deep"]),
    "c_plus_plus": ("-g", ["cplusplus"]),
    "static_program": ("-g", ["static"]),
    "stripped_program": ("-g", ["stripped"]),
    "program_at_a_fixed_address": ("-g", ["fixed"]),
    "compressed_debugging_information": ("-g", ["packed"]),
    "threads": ("-g", ["pointers", "thread"]),
    "children": ("-g", ["pointers", "fork"]),
    "shell": ("-g", SHELL),
    "python": ("-g", SCRIPT),
    "compiled_at_run_time": ("-g", NODE),
    # events
    "task_clock": ("-e task-clock -g", ["pointers"]),
    "page_faults": ("-e page-faults -c 1 -g", ["pointers", "touch", "3000"]),
    "minor_faults": ("-e minor-faults -g", ["pointers", "touch", "3000"]),
    "context_switches": ("-e context-switches -c 1 -g", ["pointers", "sleep"]),
    "two_events": ("-e cpu-clock,page-faults -g", ["pointers", "touch", "3000"]),
    "a_group_of_events": ("-e {cpu-clock,page-faults} -g", ["pointers", "touch", "3000"]),
    "a_group_that_is_read": ("-e {cpu-clock,page-faults}:S -g", ["pointers", "touch", "3000"]),
    "only_the_program": ("-e cpu-clock:u -g", ["pointers"]),
    "only_the_kernel": ("-e cpu-clock:k -g", ["pointers", "touch", "20000"]),
    "tracepoint": ("-e sched:sched_switch -g", ["pointers", "sleep"]),
    "two_tracepoints": ("-e sched:sched_switch,sched:sched_wakeup -g", ["pointers", "sleep"]),
    "system_calls": ("-e syscalls:sys_enter_clock_nanosleep,syscalls:sys_exit_clock_nanosleep -g", ["pointers", "sleep"]),
    "tracepoint_beside_a_clock": ("-e cpu-clock,sched:sched_switch -g", ["pointers"]),
    # sampling
    "few_samples": ("-F 49 -g", ["pointers"]),
    "a_period": ("-c 1000000 -g", ["pointers"]),
    "many_samples": ("-F max -g", ["pointers"]),
    "after_a_delay": ("-D 10 -g", ["pointers"]),
    "no_callers": ("", ["pointers"]),
    "callers_of_the_kernel_alone": ("--call-graph fp -e cpu-clock -g --kernel-callchains", ["pointers", "touch", "20000"]),
    # fields of samples
    "addresses": ("-g -d", ["pointers"]),
    "processors": ("-g --sample-cpu", ["pointers"]),
    "no_times_of_samples": ("-g --no-timestamp", ["pointers"]),
    "raw_samples": ("-g -R", ["pointers"]),
    "weights": ("-g -W", ["pointers"]),
    "registers": ("-g --user-regs=ip,sp,bp", ["pointers"]),
    "registers_of_interrupts": ("-g --intr-regs=ip,sp", ["pointers"]),
    "counters_per_thread": ("-g -s", ["pointers", "thread"]),
    "identifiers": ("-g --sample-identifier", ["pointers"]),
    "another_clock": ("-g -k CLOCK_MONOTONIC", ["pointers"]),
    "control_groups": ("-g --all-cgroups", ["pointers"]),
    "namespaces": ("-g --namespaces", ["pointers"]),
    "switches": ("-g --switch-events", ["pointers"]),
    # targets and files
    "build_ids_of_mappings": ("-g --buildid-mmap", ["pointers"]),
    "no_build_ids": ("-g -B", ["pointers"]),
    "compressed": ("-g -z", ["pointers"]),
    "small_rings": ("-g -m 1", ["pointers"]),
    "one_processor": ("-g -C 0", ["pointers"]),
    "whole_machine": ("-g -a", ["pointers"]),
    "children_left_out": ("-g --no-inherit", ["pointers", "fork"]),
    "folder_of_files": ("-g --threads", ["pointers"]),
    "folder_with_the_kernel": ("-g --kcore", ["pointers"]),
    "written_as_one_piece": ("-g --no-buffering", ["pointers"]),
    "pipe": ("-g -o -", ["pointers"]),
    "pipe_with_tracepoints": ("-e sched:sched_switch -g -o -", ["pointers", "sleep"]),
    # copies of stacks: perf loses outer frames of many, so leaves are compared
    "copies_of_stacks": ("--call-graph dwarf", ["program"]),
    "copies_of_small_parts": ("--call-graph dwarf,1024", ["deep"]),
    "copies_of_c_plus_plus": ("--call-graph dwarf", ["cplusplus"]),
    "compressed_copies": ("--call-graph dwarf -z", ["program"]),
    "copies_in_a_pipe": ("--call-graph dwarf -o -", ["program"]),
}

# Options of brazier record, likewise.
OWN = {
    "own_frame_pointers": ("-g fp", ["pointers"]),
    "own_copies": ("-g dwarf", ["program"]),
    "own_events": ("-g fp -e cpu-clock,page-faults", ["pointers", "touch", "3000"]),
    "own_tracepoints": ("-g fp -e sched:sched_switch", ["pointers", "sleep"]),
    "own_whole_machine": ("-g fp -a", ["pointers"]),
    "own_off_cpu": ("-g fp --off-cpu", ["pointers", "sleep"]),
    "own_threads": ("-g fp", ["pointers", "thread"]),
    "own_children": ("-g fp", ["pointers", "fork"]),
}


@unittest.skipIf(REASON, REASON)
@unittest.skipUnless(PERF and "version 6.1." in subprocess.run([PERF, "--version"], capture_output=True, text=True).stdout,
                     "there is no perf 6.1, whose names --compat perf-script has")
@unittest.skipUnless(os.geteuid() == 0, "only root may record the kernel and tracepoints")
class PerfScript(RecordCase):
    def make(self, name):
        """Compiles one of the programs that only these tests need, when the first of them runs."""
        usual = (self.folder / "program.c").read_text()
        text, words = {"deep": (DEEP, []), "static": (usual, ["-static"]), "stripped": (usual, ["-s"]),
                       "fixed": (usual, ["-no-pie"]), "packed": (usual, ["-gz"]),
                       "cplusplus": (CPLUSPLUS, ["-xc++"])}.get(name, (None, None))
        compiler = shutil.which("g++") if name == "cplusplus" else COMPILER
        if text is None or compiler is None or (self.folder / name).exists():
            return
        source = self.folder / f"{name}.{'cc' if name == 'cplusplus' else 'c'}"
        source.write_text(text)
        compile_once([compiler, "-O1", "-g", "-pthread", "-fno-omit-frame-pointer", *words], source, self.folder / name)

    def program_of(self, words):
        self.make(words[0])
        own = self.folder / words[0]
        if not own.exists() and shutil.which(words[0]) is None:
            self.skipTest(f"there is no {words[0]}")
        return [str(own) if own.exists() else words[0], *words[1:]]

    def perf(self, *words, **more):
        return subprocess.run([PERF, *words], cwd=self.dir, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=120,
                              **more)

    def record_by_perf(self, words, program):
        words = words.split()
        words = words if "-e" in words else ["-e", "cpu-clock", *words]
        if "-o" in words:
            with open(self.dir / "x.data", "wb") as out:
                r = self.perf("record", *words, "--", *program, stdout=out)
        else:
            r = self.perf("record", "-o", "x.data", *words, "--", *program, stdout=subprocess.DEVNULL)
        if r.returncode != 0 or not (self.dir / "x.data").exists():
            self.skipTest(f"perf cannot record this here: {r.stderr.decode()[:300]}")

    def record_by_brazier(self, words, program):
        r = self.brazier("record", "-o", "x.folded", "--save", "x.data", *words.split(), "--", *program)
        self.assertEqual(0, r.code, r)

    def script(self):
        """Returns what perf script prints, with callers as they are: without inlined functions."""
        is_pipe = (self.dir / "x.data").is_file() and (self.dir / "x.data").read_bytes()[8:16] == b"\x10" + bytes(7)
        with open(self.dir / "x.data" if is_pipe else os.devnull, "rb") as data:
            r = subprocess.run([PERF, "script", "--no-inline", "-i", "-" if is_pipe else "x.data"],
                               cwd=self.dir, stdin=data, capture_output=True, timeout=300)
        self.assertEqual(0, r.returncode, r.stderr.decode())
        return r.stdout.decode(errors="replace")

    @staticmethod
    def samples(text):
        """Returns the number of samples and the sum of their periods, by the names of events without modifiers. An event
        follows numbers; a process may be called "tmux: server"."""
        found = collections.defaultdict(lambda: [0, 0])
        for match in re.finditer(r"^(?!\t).*?(?<=[\d\]:])\s+(?:(\d+) +)?([a-z][\w-]*(?::[\w-]+)*):(?=\s)", text, re.M):
            counted = found[re.sub(r":[ukhGHpPDSWeb]+$", "", match[2])]
            counted[0] += 1
            counted[1] += int(match[1] or 1)
        return {name: tuple(both) for name, both in found.items()}

    def folded(self, *words):
        """Returns the weights of the stacks of a file."""
        r = self.brazier("run", "-t", "folded", *words)
        self.assertEqual(0, r.code, r)
        found = collections.Counter()
        for stack, _, n in (line.rpartition(" ") for line in r.out.splitlines()):
            found[FOLDED.sub("ElementsKind", LABELS.sub("label", stack))] += int(n)
        return found

    @staticmethod
    def leaves(folded):
        found = collections.Counter()
        for stack, n in folded.items():
            found[stack.rpartition(";")[2]] += n
        return found

    def check(self, is_copied):
        """`is_copied`: perf loses outer frames of copied stacks, so only the innermost ones are compared."""
        text = self.script()
        samples = self.samples(text)
        self.write("x.txt", text)
        for pid in set(re.findall(r"^node +(\d+)", text, re.M)):
            self.addCleanup(pathlib.Path(f"/tmp/perf-{pid}.map").unlink, missing_ok=True)
        self.assertNotEqual({}, samples)
        for name, (n, total) in samples.items():
            with self.subTest(event=name):
                read = self.folded("x.data", "--from", "perf-data", "--compat", "perf-script", "--no-inlines", "-w", name)
                printed = self.folded("x.txt", "--from", "perf", "--event", "all", "--frameless", "-w", name)
                self.assertIn(sum(read.values()), (total, n), "the sum of all samples")
                if is_copied:
                    read, printed = self.leaves(read), self.leaves(printed)
                self.assertEqual(printed, read)


def add(name, words, program, is_own):
    def test(self):
        (self.record_by_brazier if is_own else self.record_by_perf)(words, self.program_of(program))
        self.check("dwarf" in words)
    setattr(PerfScript, f"test_{name}", test)


for kind, (options, command) in KINDS.items():
    add(kind, options, command, False)
for kind, (options, command) in OWN.items():
    add(kind, options, command, True)

if __name__ == "__main__":
    common.main(SampleLoader(12))
