# SPDX-License-Identifier: MIT
"""Shared by the tests of faults: runs pipelines while something goes wrong."""
import array
import concurrent.futures
import gzip
import os
import pathlib
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))  # tests/lib
SOURCE = pathlib.Path(os.environ["BRAZIER_SOURCE"])
BRAZIER = pathlib.Path(os.environ["BRAZIER"])
PLUGINS = pathlib.Path(os.environ["BRAZIER_PLUGINS"])
LIBRARIES = pathlib.Path(os.environ.get("BRAZIER_FAULTS", "nowhere"))
GOLDEN = SOURCE / "tests" / "golden" / "collapse"
OLD = b"earlier\n"
IS_EXHAUSTIVE = os.environ.get("BRAZIER_EXHAUSTIVE") == "1"
PART = 4  # runs that are not exhaustive let every fourth call of those fail that have callers of their own

FOLDED = "main;parse;lex_[k] 3\nmain;parse 4\nmain;std::vector<int>::push_back 5\nmain;draw;fill 9\n"
MANGLED = "main;_ZN4core3fmt5write17h0123456789abcdefE 3\nmain;_Z3fooi 2\n"
PERF = """app 1421 [002] 10.5: 10 cpu-clock:
\tffffffff81050 do_page_fault ([kernel.kallsyms])
\t7f3a00010 malloc+0x10 (/usr/lib/libc-2.31.so)
\t55d000100 main (/opt/app/bin/app)

app 1421 [002] 10.6: 5 cpu-clock:
\t3a0c12345 parse (/opt/app/bin/app)
\t55d000100 main (/opt/app/bin/app)

"""
CONFIG = """version: 1
options:
  svg: {title: ours}
palettes:
  ours:
    use: rules
    options:
      rules:
        - {match: '^std::', color: '#ff0000'}
pipelines:
  all:
    inputs: one.folded
    collapse: folded
    palette: [ours, hot]
    transform: [drop: '^lex', rename: ['^dr', 'DR'], merge-recursion]
    outputs:
      - {use: svg, to: out.svg}
      - {use: table, to: out.table}
      - {use: json, to: out.json}
"""


SORTED = "".join(f"main;f{i:03} {i + 1}\n" for i in range(300))
FILLING = 90 << 10  # of each compressed input: only those of 1 MiB together are merged line by line


# A script that takes some milliseconds of processor time.
BURN = "i=0; while [ $i -lt 15000 ]; do i=$((i+1)); done\n"


EVERY = "record -q -e cpu-clock -F 500 -g fp --every 1s --duration 1500ms -o h-{time}.folded -p "


def continuous(case):
    """Returns a pipeline that records a busy process in intervals."""
    p = subprocess.Popen(["sh", "-c", f"while sleep 0.01; do {BURN.strip()}; done"])
    case.addCleanup(p.wait)
    case.addCleanup(p.kill)
    return Pipeline(EVERY + str(p.pid), {}, [])


def why_no_recording():
    """Returns why this machine or build cannot record, or None."""
    if not (PLUGINS / "collapse-perf-data.so").exists():
        return "this build has no collapser perf-data"
    p = subprocess.run([BRAZIER, "record", "--no-config", "-e", "cpu-clock", "-g", "fp", "-o", "/dev/null", "--to", "folded",
                        "--", "sh", "-c", BURN], capture_output=True, text=True)
    return f"brazier cannot record here: {p.stderr.strip()}" if p.returncode != 0 else None


CANNOT_RECORD = why_no_recording()


class Pipeline:
    """A command, the files that it reads and the names of those that it writes. What it prints is
    an output, too."""

    def __init__(self, words, inputs, outputs):
        self.words, self.inputs, self.outputs = words, inputs, outputs


def large_gzip(text):
    """Compresses a text to a large file that takes little time to read: it has a long comment."""
    packed = gzip.compress(text.encode(), mtime=0)
    return packed[:3] + b"\x10" + packed[4:10] + b"x" * FILLING + b"\0" + packed[10:]


def large_zstd(text):
    """The same, with a frame to skip at the end. Returns None if there is no zstd."""
    packed = zstd_of(text)
    return packed and packed + struct.pack("<II", 0x184D2A50, FILLING) + bytes(FILLING)


def zstd_of(text):
    return subprocess.run(["zstd", "-qc"], input=text.encode(), capture_output=True).stdout


def pipelines():
    xctrace = min((p for p in (GOLDEN / "xctrace").glob("*.xml")
                   if not p.with_suffix(".stderr").exists()), key=lambda p: p.name).read_bytes()
    zstd = zstd_of(PERF)
    # Thirteen inputs form four groups, each added up on its own thread.
    packed = {f"{i}.gz": large_gzip(SORTED) for i in range(12)}
    packed["12.zst"] = large_zstd(SORTED.replace("f2", "g2"))
    folded = {"one.folded": FOLDED, "two.folded": FOLDED.replace(" 4", " 40")}
    one = {"one.folded": FOLDED}
    found = {
        "perf-svg": Pipeline("run perf.txt -o out.svg", {"perf.txt": PERF}, ["out.svg"]),
        "folded-pprof": Pipeline("run -f folded one.folded -o out.pb.gz", one, ["out.pb.gz"]),
        "xctrace": Pipeline("run x.xml -o out.svg", {"x.xml": xctrace}, ["out.svg"]),
        "gzip": Pipeline("run -f perf perf.gz -o out.speedscope.json",
                         {"perf.gz": gzip.compress(PERF.encode(), mtime=0)}, ["out.speedscope.json"]),
        "zstd": Pipeline("run perf.zst -o out.firefox.json", {"perf.zst": zstd},
                         ["out.firefox.json"]),
        "utf-16": Pipeline("collapse perf wide.txt -o out.folded",
                           {"wide.txt": PERF.encode("utf-16")}, ["out.folded"]),
        "diff": Pipeline("diff one.folded two.folded -o out.svg", folded, ["out.svg"]),
        "merge": Pipeline("merge one.folded two.folded -o out.folded", folded, ["out.folded"]),
        "merge-packed": Pipeline(f"merge -j4 -f folded {' '.join(packed)} -o out.folded", packed,
                                 ["out.folded"]),
        "packed": Pipeline("run -f folded one.folded --label host={name} -o out.pb.gz -o out.svg.gz -o out.folded.zst",
                           one, ["out.pb.gz", "out.svg.gz", "out.folded.zst"]),
        "html": Pipeline("run -f folded one.folded -o out.html", one, ["out.html"]),
        "isolate": Pipeline("run --isolate one.folded -o out.svg", one, ["out.svg"]),
        "config": Pipeline("--config ours.yaml run all", {**one, "ours.yaml": CONFIG},
                           ["out.svg", "out.table", "out.json"]),
        "palette-map": Pipeline("run -f folded one.folded --palette-map ours.map -o out.svg",
                                {**one}, ["out.svg", "ours.map"]),
        "threads": Pipeline("collapse folded one.folded -j3 --range-size 20 -o out.folded", one,
                            ["out.folded"]),
        "guess": Pipeline("guess perf.txt one.folded", {**one, "perf.txt": PERF}, []),
        "list": Pipeline("plugin list --json", {}, []),
        "show": Pipeline("--config ours.yaml config show", {**one, "ours.yaml": CONFIG}, []),
        "demangle": Pipeline("run -f folded rust.folded -o out.callgrind -o out.cpuprofile",
                             {"rust.folded": MANGLED}, ["out.callgrind", "out.cpuprofile"]),
    }
    if (PLUGINS / "output-sqlite.so").exists():
        found["sqlite"] = Pipeline("run -f folded one.folded -o out.sqlite -o out.csv", one, ["out.sqlite", "out.csv"])
    if not zstd:
        del found["zstd"], found["merge-packed"]
    return found


class Server:
    """A process that has loaded the program with a library, and runs it for each request: see counter.h."""

    def __init__(self, place, library):
        self.said, self.printed = (open(place.top / f"{library}-{name}", "w+b") for name in ("said", "printed"))
        requests, self.requests = os.pipe()
        self.answers, answers = os.pipe()
        env = {**place.environment, "LD_PRELOAD": str(LIBRARIES / f"{library}.so"),
               "FAULT_SERVE": f"{requests},{answers}"}
        self.process = subprocess.Popen(place.command, cwd=place.dir, env=env, stdin=subprocess.DEVNULL,
                                        stdout=self.printed, stderr=self.said, pass_fds=(requests, answers),
                                        start_new_session=True)
        os.close(requests)
        os.close(answers)

    def run(self, faults):
        """Returns the status, the messages and what was printed."""
        os.write(self.requests, (" ".join(f"{k.upper()}={v}" for k, v in faults.items()) + "\n").encode())
        if not select.select([self.answers], [], [], 60)[0]:
            raise AssertionError(f"does not end: {faults}")
        status = os.waitstatus_to_exitcode(int(os.read(self.answers, 100)))
        self.said.seek(0)
        self.printed.seek(0)
        return status, self.said.read().decode(errors="replace"), self.printed.read()

    def end(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        for file in self.said, self.printed:
            file.close()
        os.close(self.requests)
        os.close(self.answers)


class Place:
    """A folder with a pipeline's inputs, in which it runs again and again."""

    def __init__(self, pipeline):
        self.pipeline = pipeline
        memory = pathlib.Path("/dev/shm")
        self.top = pathlib.Path(tempfile.mkdtemp(
            prefix="brazier-faults-", dir=memory if os.access(memory, os.W_OK) else None)).resolve()
        self.dir = self.top / "work"
        self.scratch = self.top / "scratch"
        self.dir.mkdir()
        self.scratch.mkdir()
        for name, content in pipeline.inputs.items():
            (self.dir / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        self.environment = {"HOME": str(self.top), "PATH": os.environ["PATH"], "LC_ALL": "C",
                            "XDG_CONFIG_HOME": str(self.top), "XDG_DATA_HOME": str(self.top),
                            "TMPDIR": str(self.scratch)}
        self.command = [str(BRAZIER), *pipeline.words.split()]
        self.servers = {}

    def remove(self):
        for server in self.servers.values():
            server.end()
        shutil.rmtree(self.top, ignore_errors=True)

    def prepare(self):
        for name in self.pipeline.outputs:
            if not name.endswith(".map"):
                (self.dir / name).write_bytes(OLD)
            elif (self.dir / name).exists():
                (self.dir / name).unlink()

    def run(self, library, **faults):
        """Runs the pipeline; returns its status and its messages, and keeps what it printed."""
        self.prepare()
        if library:
            which = library, *sorted(self.environment.items())
            if which not in self.servers:
                self.servers[which] = Server(self, library)
            status, said, self.printed = self.servers[which].run(faults)
            return status, said
        p = subprocess.run(self.command, cwd=self.dir, env=self.environment, capture_output=True,
                           stdin=subprocess.DEVNULL, close_fds=False, timeout=60)
        self.printed = p.stdout
        return p.returncode, p.stderr.decode(errors="replace")

    def outputs(self):
        """The bytes of each output; None: no such file."""
        return {name: (self.dir / name).read_bytes() if (self.dir / name).exists() else None
                for name in self.pipeline.outputs}

    def old(self):
        return {name: None if name.endswith(".map") else OLD for name in self.pipeline.outputs}

    def left_over(self):
        """Names of files that are neither inputs nor outputs, in the folder of the run and in that of scratch files."""
        return sorted({p.name for p in self.dir.iterdir()} - set(self.pipeline.inputs) -
                      set(self.pipeline.outputs)) + sorted(f"scratch/{p.name}" for p in self.scratch.iterdir())

    def remove_left_over(self):
        for name in self.left_over():
            (self.dir / name if "/" not in name else self.top / name).unlink()

    def expect(self):
        """Runs the pipeline without faults; returns its outputs and what it printed."""
        status, said = self.run(None)
        if (status, said) != (0, "") or None in self.outputs().values():
            raise AssertionError(f"{self.pipeline.words}: {status}: {said}")
        return self.outputs(), self.printed

    def sites(self, library, **faults):
        """Returns a number for each call of a run without faults: that of its stack of callers."""
        path = self.top / "sites"
        status, said = self.run(library, sites=path, **faults)
        if status != 0:
            raise AssertionError(f"{self.pipeline.words}: {status}: {said}")
        return array.array("Q", path.read_bytes())

    def calls_to_fail(self, library, **faults):
        """Returns the number of calls of a run without faults, which of them to let fail alone, and which with all that
        follow, by their number: a sample of the first ones from each stack of callers that no pipeline before had, in turns
        alone and with all that follow. An exhaustive run (BRAZIER_EXHAUSTIVE=1) lets all of them fail in both ways."""
        sites = self.sites(library, **faults)
        if IS_EXHAUSTIVE:
            return len(sites), range(len(sites)), range(len(sites))
        known = FAILED.setdefault((library, *sorted(faults.items())), set())
        first = {}
        for at, site in enumerate(sites):
            if site not in known:
                first.setdefault(site, at)
        known.update(first)
        chosen = sorted(first.values())[::PART]
        return len(sites), chosen[::2], chosen[1::2]


# Stacks of callers whose calls have failed in the pipelines that were tested before, for each kind of call.
FAILED = {}


def are_whole(outputs, old, wanted):
    """True if each output is as it was, or as it is to be."""
    return all(found in (old[name], wanted[name]) for name, found in outputs.items())


def problem_of(place, expected, status, said, word="", signals=()):
    """Says what is wrong with a run in which something failed, or None. `word` is part of the
    message; a run may also end by one of the signals."""
    outputs, wanted = place.outputs(), expected[0]
    if place.left_over():
        return f"left behind {place.left_over()}"
    if status == 0:
        return None if (outputs, place.printed) == expected else "status 0 with wrong output"
    if not are_whole(outputs, place.old(), wanted):
        return "half an output"
    if -status in signals or status - 128 in signals:
        return None
    if status != 1:
        return f"status {status}"
    if "error: " not in said or word not in said:
        return "status 1 without the right message"
    if " in plug-in " in said and "out of memory" not in said:
        return "a plug-in is blamed"
    return None


class Case(unittest.TestCase):
    maxDiff = None

    def place(self, name):
        place = Place(PIPELINES[name])
        self.addCleanup(place.remove)
        return place

    def try_all(self, name, tries, word="", signals=()):
        """Runs a pipeline once for each of `tries`, (library, faults), on all processors."""
        workers = len(os.sched_getaffinity(0))
        places = [self.place(name) for _ in range(workers)]
        expected = places[0].expect()

        def work(k):
            bad = []
            for library, faults in tries[k::workers]:
                status, said = places[k].run(library, **faults)
                problem = problem_of(places[k], expected, status, said, word, signals)
                if problem is not None:
                    bad.append(f"{faults}: {problem}: {said.strip()[-300:]}")
                    places[k].remove_left_over()
            return bad

        with concurrent.futures.ThreadPoolExecutor(workers) as pool:
            bad = [line for found in pool.map(work, range(workers)) for line in found]
        self.assertEqual([], bad[:20], f"{len(bad)} of {len(tries)}: {PIPELINES[name].words}")


PIPELINES = pipelines()


def main():
    if not (LIBRARIES / "allocation.so").exists():
        print("skipped: preloading does not work with this C library, or with a sanitizer")
        sys.exit(77)
    unittest.main(verbosity=2)
