#!/usr/bin/env python3
"""Which format is recognised in which file: the confusion of formats with each other.

Every input of the golden cases is recognised as its own format, or as none: never as another. Every
input of the corpus, if one is there, is recognised as its own, from a file, through a pipe, and
compressed. Files that are something else than their folder says, or nothing at all, stand in
guesses.tsv.

The corpus of formats to come, if one is there, has a folder for each. What brazier reads of it is
recognised; of all else the format is named, and nothing is folded. No collapser that is named although
it is the wrong one reads an input without a word: it fails, or it reports what it left out.

usage: guess.py golden|corpus|next [--corpus DIR]
"""
import gzip
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
from lib.brazier import IS_EXHAUSTIVE  # noqa: E402
from lib.fold_many import fold_many  # noqa: E402

SOURCE = HERE.parent.parent
BRAZIER = os.environ["BRAZIER"]
NOT_INPUTS = {".odd", ".folded", ".args", ".stderr", ".md", ".tsv"}


def guess(*args, **how):
    p = subprocess.run([BRAZIER, "guess", *args], capture_output=True, **how)
    if p.returncode not in (0, 1):
        return f"exit status {p.returncode}"
    words = p.stdout.decode().split("\n")[0].rsplit(": ", 1)[-1].split()
    return words[0] if p.returncode == 0 and words else "none"


FILES_OF_A_PROCESS = 50


def guess_together(paths):
    """The answers about files, in their order, of one process; or of one for each file, if that process fails."""
    p = subprocess.run([BRAZIER, "guess", *paths], capture_output=True, text=True, errors="replace")
    answers = dict(line.rsplit(": ", 1) for line in p.stdout.splitlines() if ": " in line)
    refused = {path for path in paths if f": {path}: " in p.stderr or f"'{path}'" in p.stderr}
    if p.returncode != (1 if refused else 0) or answers.keys() | refused != set(paths) or answers.keys() & refused:
        return [guess(path) for path in paths]
    return [answers[path].split()[0] if path in answers else "none" for path in paths]


def guess_each(paths):
    """Yields each path with what is guessed. A process loads its plug-ins once for many files."""
    for i in range(0, len(paths), FILES_OF_A_PROCESS):
        some = paths[i:i + FILES_OF_A_PROCESS]
        yield from zip(some, guess_together([str(path) for path in some]))


def exceptions():
    lines = (HERE / "guesses.tsv").read_text().splitlines()[1:]
    return {path: expected for path, expected, _ in (line.split("\t") for line in lines)}


class Report:
    passed = failed = 0

    def check(self, what, good, got):
        self.passed += good
        self.failed += not good
        if not good:
            print(f"FAILED {what}: {got}")


def golden(report):
    known = exceptions()
    folders = sorted(p for p in (SOURCE / "tests/golden/collapse").iterdir() if p.is_dir())
    paths = [p for folder in folders for p in sorted(folder.iterdir()) if p.suffix not in NOT_INPUTS]
    for path, got in guess_each(paths):
        folder = path.parent.name
        own = "folded" if folder == "recursive" else folder
        name = f"golden/{folder}/{path.name}"
        report.check(name, got in (known.get(name, own), "none"), got)


def corpus(report):
    where = SOURCE.parent / "shared" / "corpus"
    where = pathlib.Path(os.environ.get("BRAZIER_CORPUS", where))
    if "--corpus" in sys.argv:
        where = pathlib.Path(sys.argv[sys.argv.index("--corpus") + 1])
    if not where.exists():
        print("no corpus here")
        sys.exit(77)
    known, paths = exceptions(), []
    for path in sorted(where.rglob("*")):
        parts = path.relative_to(where).parts
        if path.is_file() and path.suffix not in NOT_INPUTS and "expected" not in parts and len(parts) >= 2:
            paths.append(path)
    for path, got in guess_each(paths):
        relative = path.relative_to(where)
        expected = known.get(str(relative), relative.parts[0])
        report.check(str(relative), got == expected, got)
        data = path.read_bytes()
        got = guess("-", input=data)
        report.check(f"{relative} through a pipe", got == expected, got)
        got = guess("-", input=gzip.compress(data))
        report.check(f"{relative} through a pipe, compressed", got == expected, got)


FORMATS = sorted(p.name for p in (HERE.parent / "golden" / "collapse").iterdir())
# Folders whose files are in a format of another name, and formats that read others' text.
SAME_AS = {"gprof2dot-json": "gprof2dot", "pprof-text": "pprof", "perf-sched": "perf", "vtune-mc": "vtune", "recursive": "folded",
           "svg": "folded", "chrome": "chrome-trace", "ibmjava": "jstack", "go-goroutine": "goroutine",
           "axe": "gprof", "pmcstat": "pmc", "cachegrind": "callgrind", "jemalloc": "pprof", "go-raw": "go", "go-top": "go", "go-traces": "go"}
# Shapes whose expressions are not configured: they read each line as a frame, a block or a row.
SHAPES = {"lines", "blocks", "indented"}
# Formats that read the text of others.
ALSO_READ = {"folded": {"recursive", "bcc", "austin"}, "austin": {"folded", "recursive", "bcc"}}
# Files of which nothing gives the format away.
UNNAMED = {"pprof-text/go_type_parameters.txt", "perf-data/own/kernel.kallsyms"}
# Files of each format that are read in all others, or in one of this many parts of them.
FILES_OF_A_FORMAT, LARGEST, PARTS = (3, 300_000, 1) if IS_EXHAUSTIVE else (1, 60_000, 3)


def files_of(where):
    """[(path, its path below `where`)] of inputs."""
    found = []
    for path in sorted(where.rglob("*")):
        relative = path.relative_to(where)
        if not path.is_file() or len(relative.parts) < 2:
            continue
        if {"expected", "sysroot-visible"}.isdisjoint(relative.parts):
            found.append((path, relative))
    return found


def fold(path):
    p = subprocess.run([BRAZIER, "run", "--to", "folded", str(path)], capture_output=True)
    return p.returncode, p.stdout, p.stderr.decode(errors="replace")


def check_named(report, path, relative):
    """A file that brazier does not read."""
    code, out, err = fold(path)
    named = "this is " in err or str(relative) in UNNAMED
    report.check(f"{relative}: refused and named", code == 1 and out == b"" and named, err)


def wrong_names(path, own, number):
    """Returns (format, path) of each format that the file does not have, or of a part of them that depends on `number`."""
    others = set(FORMATS) - SHAPES - {own} - ALSO_READ.get(own, set())
    return [(f, path) for f in sorted(others)[number % PARTS::PARTS]]


def check_wrong_names(report, where, jobs):
    for (format, path), got in zip(jobs, fold_many(jobs)):
        report.check(f"{path.relative_to(where)} as {format}",
                     got.code == 1 or (got.code == 0 and got.messages > 0), got)


def corpus_to_come(report):
    where = pathlib.Path(os.environ.get("BRAZIER_CORPUS_NEXT",
                                        SOURCE.parent / "shared" / "corpus-next"))
    if "--corpus" in sys.argv:
        where = pathlib.Path(sys.argv[sys.argv.index("--corpus") + 1])
    if not where.exists():
        print("no corpus of formats to come here (BRAZIER_CORPUS_NEXT names one)")
        sys.exit(77)
    seen, known, wrong, owns, read = {}, exceptions(), [], {}, []
    for path, relative in files_of(where):
        folder = relative.parts[0]
        own = owns[path] = known.get(str(relative), SAME_AS.get(folder, folder))
        if own in FORMATS:
            read.append(path)
        else:
            check_named(report, path, relative)
        seen[folder] = seen.get(folder, 0) + 1
        if seen[folder] <= FILES_OF_A_FORMAT and path.stat().st_size <= LARGEST:
            wrong += wrong_names(path, own, len(seen))
    for path, got in guess_each(read):
        report.check(str(path.relative_to(where)), got == owns[path], got)
    check_wrong_names(report, where, wrong)


def main():
    report = Report()
    {"golden": golden, "corpus": corpus, "next": corpus_to_come}[sys.argv[1]](report)
    print(f"{report.passed} passed, {report.failed} failed")
    sys.exit(1 if report.failed or not report.passed else 0)


if __name__ == "__main__":
    main()
