#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that runs cost no more instructions, page faults and system calls than costs.tsv says.

valgrind counts the instructions of a run and lists its system calls; the system counts page faults, of which those of
a program that does nothing are subtracted. None of them depends on what else the machine does. Instructions and calls
may be 3 per cent more than the table says, faults 10 per cent: they also depend on the processor, for which the C
library chooses its functions, and on the kernel. A number that is as much smaller is reported, and does not fail.

Every third job is measured, or all if BRAZIER_EXHAUSTIVE=1 is in the environment, for --show and for --update.

usage: cost.py [--show] [--update REASON]
    --update writes the numbers of today into the table, with the reason for those that changed by more than that
"""
import argparse
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from lib import go_trace as go  # noqa: E402

TABLE = pathlib.Path(__file__).with_name("costs.tsv")
GOLDEN = TABLE.parents[1] / "golden" / "collapse"
SKIPPED = 77
TOLERANCE = {"instructions": 1.03, "faults": 1.10, "calls": 1.03}
# Small numbers vary by a few: keys of hash tables are random, and addresses of pages.
SPREAD = {"instructions": 5000, "faults": 6, "calls": 1}
KINDS = tuple(SPREAD)
RUNS = 5  # of a job, of which the one with the fewest faults counts
PAGES = 1024
# Copies of a repeated instruction count as one for each byte, and the sizes that use it depend on the caches.
TUNABLES = ":".join(f"glibc.cpu.x86_rep_{name}_threshold=1000000000" for name in ("movsb", "stosb"))


# ---- inputs -----------------------------------------------------------------------------------

def stacks(seed, number):
    """Returns distinct stacks of about 20 frames, which share callers as those of programs do."""
    chance = random.Random(seed)
    names = [f"std::map<int, long>::method_{i}(unsigned long)" if i % 3 else f"function_{i}" for i in range(800)]
    stack, result = [], set()
    while len(result) < number:
        stack = stack[:chance.randrange(1, max(2, len(stack)))] + \
            [names[min(chance.randrange(800), chance.randrange(800))] for _ in range(chance.randrange(2, 9))]
        stack = stack[:30]
        result.add(";".join(stack))
    return sorted(result)


def folded(seed, number, shuffled=False):
    lines = [f"{stack} {1 + len(stack) % 7}\n" for stack in stacks(seed, number)]
    if shuffled:
        random.Random(seed).shuffle(lines)
    return "".join(lines)


def perf_text(seed, number):
    """Returns what perf script prints for some events, of which many have the stack of another one."""
    chance = random.Random(seed)
    known, parts = stacks(seed, number // 4), []
    for i in range(number):
        parts.append(f"prog {4000 + i % 3} [00{i % 2}] {1000 + i * 0.001:.6f}:     250000 cpu-clock:ppp: \n")
        for frame in reversed(chance.choice(known).split(";")):
            parts.append(f"\t{0x550000000000 + hash_of(frame):x} {frame}+0x{len(frame):x} (/usr/lib/libprog.so.1)\n")
        parts.append("\n")
    return "".join(parts)


def rows(seed, number):
    """Returns the rows of the call tree of some stacks, which are sorted: level and name."""
    before = []
    for stack in stacks(seed, number):
        names = stack.split(";")
        shared = len(os.path.commonprefix([names, before]))
        yield from enumerate(names[shared:], shared)
        before = names


def vtune(seed, number):
    lines = [f'{" " * level}"{name}",{len(name) / 1000:.6f},libprog.so.1\n' for level, name in rows(seed, number)]
    return "Function Stack,CPU Time:Self,Module\n" + "".join(lines)


def vsprof(seed, number):
    lines = [f'{level + 1},"{name}","1,{len(name):03}",{len(name)}.00,0.{len(name):02},"libprog.dll",\n'
             for level, name in rows(seed, number)]
    return ("Level,Function Name,Number of Calls,Elapsed Inclusive Time,Elapsed Exclusive Time,Module Name,\n"
            "0,\"prog.exe\",0,0.00,0.00,\"\",\n" + "".join(lines))


def ghcprof(seed, number):
    """Returns a report, whose column of names is as wide as the longest one with its level."""
    all_rows = list(rows(seed, number))
    width = max(level + len(name) for level, name in all_rows) + 1
    lines = [f"{' ' * level + name:{width}}Data.Map {f'src/Data/Map/{len(name)}.hs:{level}:1-60':40}"
             f"{i:8} {level:11} {len(name) / 10:6.1f} {0.1:6.1f} {1.0:7.1f} {2.0:6.1f} {len(name):6} {len(name) * 16:9}\n"
             for i, (level, name) in enumerate(all_rows, 100)]
    return (f"{'COST CENTRE':{width}}MODULE   {'SRC':40}     no.     entries  %time %alloc   %time %alloc  ticks     bytes\n"
            "\n" + "".join(lines))


def go_trace(number):
    """Returns an execution trace of Go in which goroutines begin with a deep stack whose root has no name."""
    trace = go.Trace()
    stack = trace.stack(*(f"main.f{i % 50}" for i in range(999)), "")
    wait = trace.texts["select"]
    for goroutine in range(5, 5 + number):
        trace.events(1, (go.CREATE, 1, goroutine, stack, stack), (go.START, 1, goroutine, 1), (go.BLOCK, 1, wait, stack))
    trace.end()
    return trace.bytes()


def hash_of(text):
    """Returns a number that is the same in every run, which that of Python is not."""
    return sum(byte * 31 ** (i % 7) for i, byte in enumerate(text.encode())) & 0xffffff


def inputs():
    """Returns the contents of the inputs that are made here, by the names of their files."""
    return {
        "tiny.folded": "a;b 3\na;c 4\n",
        "perf.txt": perf_text(1, 3000),
        "shuffled.folded": folded(2, 5000, shuffled=True),
        "many.folded": folded(8, 20000, shuffled=True),
        "sorted.folded": folded(3, 12000),
        "other.folded": folded(4, 12000),
        "report.vtune": vtune(5, 20),
        "report.vsprof": vsprof(6, 40),
        "report.ghcprof": ghcprof(7, 60),
        "roots.trace": go_trace(300),
    }


# The words of each job. Names of golden inputs begin with their format.
JOBS = {
    "start": ["--version"],
    "folded-tiny": ["collapse", "folded", "tiny.folded"],
    "vtune-small": ["collapse", "vtune", GOLDEN / "vtune/top-down.csv"],
    "vsprof-small": ["collapse", "vsprof", GOLDEN / "vsprof/instrumentation.csv"],
    "ghcprof-small": ["collapse", "ghcprof", GOLDEN / "ghcprof/ticks.prof"],
    "vtune": ["collapse", "vtune", "report.vtune"],
    "vsprof": ["collapse", "vsprof", "report.vsprof"],
    "ghcprof": ["collapse", "ghcprof", "report.ghcprof"],
    "go-trace-roots": ["collapse", "go-trace", "roots.trace", "-w", "scheduler", "--group-by", "state"],
    "guess-small": ["collapse", "guess", GOLDEN / "sample/usual.txt"],
    "perf": ["collapse", "perf", "perf.txt"],
    "perf-svg": ["run", "perf.txt", "-t", "svg", "-o", "perf.svg"],
    "perf-sqlite": ["run", "perf.txt", "-o", "perf.sqlite"],
    "perf-samples": ["run", "perf.txt", "-o", "perf.samples.jsonl"],
    "folded-csv": ["run", "shuffled.folded", "-o", "folded.csv"],
    "folded": ["collapse", "folded", "many.folded"],
    "folded-svg": ["run", "shuffled.folded", "-t", "svg", "-o", "folded.svg"],
    "sorted-svg": ["run", "sorted.folded", "-t", "svg", "-o", "sorted.svg"],
    "folded-markdown": ["run", "shuffled.folded", "-t", "markdown", "-o", "folded.md"],
    "merge": ["merge", "sorted.folded", "other.folded"],
    "diff": ["diff", "sorted.folded", "other.folded", "-t", "folded"],
}


# ---- counts -----------------------------------------------------------------------------------

def environment(folder):
    return {"PATH": os.environ["PATH"], "HOME": str(folder), "TMPDIR": str(folder), "GLIBC_TUNABLES": TUNABLES}


def words_of(job):
    return [os.environ["BRAZIER"], *map(str, JOBS[job])] + (["-j", "1"] if job != "start" else [])


def count_instructions_and_calls(words, folder):
    """Returns both. valgrind reports them on standard error, among its own lines and those of the program."""
    run = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--trace-syscalls=yes",
                          *words], cwd=folder, env=environment(folder), capture_output=True, text=True,
                         errors="replace", check=False)
    if run.returncode != 0:
        raise SystemExit(f"{' '.join(words)}: status {run.returncode}\n{run.stderr[-2000:]}")
    collected = re.search(r"Collected : (\d+)", run.stderr)
    calls = re.findall(r"^SYSCALL\[.*?\]\(\d+\) (?!\.\.\. )", run.stderr, re.M)  # without the ends of slow ones
    return int(collected[1]), len(calls)


def count_faults(words, folder):
    """Returns the least number of minor faults of some runs."""
    least = None
    for _ in range(RUNS):
        process = subprocess.Popen(words, cwd=folder, env=environment(folder), stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        _, _, usage = os.wait4(process.pid, 0)
        process.returncode = 0
        least = usage.ru_minflt if least is None else min(least, usage.ru_minflt)
    return least


def faults_are_pages(folder):
    """Returns whether a page that is touched costs a fault: not where pages are large or come in groups."""
    program = "import mmap; m = mmap.mmap(-1, {} * 4096)\nfor i in range({}): m[i * 4096] = 1"
    few, many = (count_faults([sys.executable, "-c", program.format(PAGES * 2, n)], folder) for n in (1, PAGES))
    return abs(many - few - PAGES) < PAGES // 10


def measure(job, folder, idle_faults):
    words = words_of(job)
    instructions, calls = count_instructions_and_calls(words, folder)
    faults = None if idle_faults is None else count_faults(words, folder) - idle_faults
    return {"instructions": instructions, "faults": faults, "calls": calls}


# ---- the table --------------------------------------------------------------------------------

def read_table():
    rows = {}
    for line in TABLE.read_text().splitlines():
        if line and not line.startswith("#"):
            job, *numbers, reason = line.split("\t")
            rows[job] = ({kind: int(n) for kind, n in zip(KINDS, numbers)}, reason)
    return rows


def write_table(rows):
    head = [line for line in TABLE.read_text().splitlines() if line.startswith("#")]
    lines = ["\t".join([job, *(str(numbers[kind]) for kind in KINDS), reason]) for job, (numbers, reason) in rows.items()]
    TABLE.write_text("\n".join(head + lines) + "\n")


def most(kind, expected):
    return max(expected * TOLERANCE[kind], expected + SPREAD[kind])


def least(kind, expected):
    return min(expected / TOLERANCE[kind], expected - SPREAD[kind])


def changed(now, before):
    return any(now[kind] is not None and not least(kind, before[kind]) <= now[kind] <= most(kind, before[kind])
               for kind in KINDS)


def report(job, now, expected):
    """Prints the numbers of a job that differ from the table. Returns whether none is too large."""
    right = True
    for kind in KINDS:
        if now[kind] is None:
            continue
        if now[kind] > most(kind, expected[kind]):
            print(f"{job}: {now[kind]} {kind}, more than {expected[kind]} and {TOLERANCE[kind] - 1:.0%}")
            right = False
        elif now[kind] < least(kind, expected[kind]):
            print(f"{job}: {now[kind]} {kind}, less than {expected[kind]}: --update writes it into the table")
    return right


def missing():
    """Returns what this machine lacks to count as the table does, or None."""
    if os.environ.get("BRAZIER_SANITIZE") or os.environ.get("BRAZIER_EMULATED") == "ON":
        return "the program has a sanitizer, or is emulated"
    if shutil.which("valgrind") is None:
        return "there is no valgrind"
    if os.uname().machine != "x86_64" or " avx2 " not in pathlib.Path("/proc/cpuinfo").read_text():
        return "the table counts instructions of x86-64 with AVX2"
    return None


def update(results, rows, reason):
    """Writes the numbers into the table. A row whose numbers are as before keeps its reason."""
    for job, now in results.items():
        before, why = rows.get(job, (None, reason))
        if before is None or changed(now, before):
            rows[job] = ({kind: before[kind] if now[kind] is None else now[kind] for kind in KINDS}, reason)
        else:
            rows[job] = (before, why)
    write_table({job: rows[job] for job in JOBS})


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--update", metavar="REASON")
    arguments = parser.parse_args()
    lacks = missing()
    if lacks is not None:
        print(f"skipped: {lacks}")
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory(prefix="brazier-cost-", dir="/tmp") as name:
        folder = pathlib.Path(name)
        for file, text in inputs().items():
            (folder / file).write_bytes(text if isinstance(text, bytes) else text.encode())
        idle = count_faults([shutil.which("true")], folder) if faults_are_pages(folder) else None
        is_whole = arguments.show or arguments.update or os.environ.get("BRAZIER_EXHAUSTIVE") == "1"
        results = {job: measure(job, folder, idle) for job in list(JOBS)[0 if is_whole else 2::1 if is_whole else 3]}
    if idle is None:
        print("faults are not compared: a page that is touched does not cost one fault here")
    if arguments.show:
        for job, now in results.items():
            print(job, *(f"{now[kind]} {kind}" for kind in KINDS))
    rows = read_table()
    if arguments.update:
        update(results, rows, arguments.update)
        return
    if set(rows) != set(JOBS):
        raise SystemExit("costs.tsv has other jobs than cost.py")
    sys.exit(0 if all([report(job, now, rows[job][0]) for job, now in results.items()]) else 1)


if __name__ == "__main__":
    main()
