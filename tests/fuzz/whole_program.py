#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs command lines of the whole program, with options and inputs that are chosen at random.

The inputs are those of the golden cases, damaged or not. Commands read them with options of their collapser, change
them by transforms, tags, labels and comparisons, merge them, try formats in YAML on them, and write each output. A run
ends with the status 0, 1 or 2, in time, without a word of a sanitizer or of a signal; one that fails has a message and
leaves no output; one that succeeds gives the same bytes again.

usage: whole_program.py [SEED [NUMBER]]
    A failure prints its seed: with this seed, only that run is repeated, or as many as NUMBER from there on.
BRAZIER_RUNS in the environment is the number of runs, and BRAZIER_SEED the first seed.
"""
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

BRAZIER = os.environ["BRAZIER"]
SOURCE = pathlib.Path(__file__).resolve().parents[2]
GOLDEN = SOURCE / "tests/golden/collapse"
USUAL = 600 if os.environ.get("BRAZIER_EXHAUSTIVE") == "1" else 40
NOT_INPUTS = {".odd", ".folded", ".args", ".stderr", ".md", ".tsv"}
LARGEST = 200_000
SECONDS = 120
REPEATED = 4  # one in so many runs is repeated
# What a broken run prints at the beginning of a line; inputs, which messages quote, have the same words.
BROKEN = re.compile(rb"(?m)^(==\d+==ERROR: |SUMMARY: \w+Sanitizer|\S+:\d+:\d+: runtime error: |free\(\): |.*: Assertion )"
                    rb"|fault in plug-in")
ENVIRONMENT = {**{k: v for k, v in os.environ.items() if k not in ("COLUMNS", "NO_COLOR")},
               "ASAN_OPTIONS": "detect_leaks=1:allocator_may_return_null=1", "UBSAN_OPTIONS": "print_stacktrace=1"}

WORDS = ["", "main", "a", ".*", "^$", "(", "[a-z]+", "é", "%", ";", "{name}", "{0}", "0", "-1", "1e9", "99999999999999999999",
         "1.5", "true", "x" * 300, "\x1b[31m", "<&\">", "../x", "all", "first", "none", "auto", "list"]
EXPRESSIONS = ["main", "a", ".*", "^$", "[a-z]+", "é", "(a+)+$", "(?i)X", "x|y|", "[^;]{1,3}"]
PIECES = [b"", b"0", b"-1", b"4294967296", b"18446744073709551615", b"9223372036854775808", b"1e308", b"nan", b"\0", b"\xff\xff\xff\xff",
          b"\n", b"\r\n", b"\t", b";", b" ", b"{", b"}", b"[", b"]", b"\"", b"\\", b"<", b">", b"(", b")", b"\xc3\xa9", b"\xf0\x9f\x98\x80",
          b"_[k]", b"a" * 5000, b"(" * 300, b"[" * 300]
ENDINGS = ["svg", "html", "json", "folded", "pb.gz", "speedscope.json", "cpuprofile", "callgrind", "csv", "jsonl",
           "samples.csv", "samples.jsonl", "md", "sqlite", "svg.gz", "folded.zst", "firefox.json", "chrome.json"]


# ---- damage --------------------------------------------------------------------------------------

def damaged(rng, data, other):
    """Returns the input after some changes: of bits, of pieces, and by pieces of another input."""
    text = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 5, 20))):
        at = rng.randrange(len(text) + 1)
        end = min(len(text), at + rng.choice((1, 2, 4, 30, 1000)))
        kind = rng.randrange(6)
        if kind == 0 and at < len(text):
            text[at] ^= 1 << rng.randrange(8)
        elif kind == 1:
            text[at:end] = b""
        elif kind == 2:
            text[at:at + rng.randrange(3)] = rng.choice(PIECES)
        elif kind == 3:
            text[at:at] = text[at:end] * rng.choice((1, 2, 50))
        elif kind == 4 and other:
            begin = rng.randrange(len(other))
            text[at:end] = other[begin:begin + rng.choice((10, 300))]
        elif kind == 5 and rng.randrange(4) == 0:
            del text[at:]
    return bytes(text[:4 * LARGEST])


# ---- options -------------------------------------------------------------------------------------

def value_of(rng, option):
    """Returns a value that fits the option, mostly."""
    if "enum" in option and rng.randrange(30):
        return str(rng.choice(option["enum"]))
    types = option.get("type", "string")
    if types == "boolean" and rng.randrange(30):
        return rng.choice(("true", "false"))
    if types in ("integer", "number") and rng.randrange(30):
        return str(rng.choice((option.get("minimum", 0), option.get("maximum", 1000), 1, 7)))
    return rng.choice(WORDS)


class Commands:
    """Makes command lines."""

    def __init__(self):
        schema = json.loads(subprocess.run([BRAZIER, "config", "schema", "--no-config", "--no-plugins"],
                                           capture_output=True, check=True).stdout)
        parts = schema["properties"]["options"]["properties"]
        self.options = {name: part["properties"] for name, part in parts.items()}
        self.transforms = schema["definitions"]["transform"]["anyOf"][1]["properties"]
        self.palettes = schema["definitions"]["palette"]["anyOf"][0]["examples"]
        self.inputs = {}
        for path in sorted(GOLDEN.glob("*/*")):
            if path.is_file() and path.suffix not in NOT_INPUTS and 0 < path.stat().st_size <= LARGEST:
                self.inputs.setdefault(path.parent.name, []).append(path)
        self.formats = sorted(self.inputs)
        self.yaml = sorted((SOURCE / "formats").glob("*.yaml"))

    def settings(self, rng, *components):
        """Returns options of components."""
        words = []
        for component in components:
            options = self.options.get(component, {})
            for name in rng.sample(sorted(options), min(len(options), rng.choice((0, 0, 1, 3)))):
                words += ["-s", f"{component}.{name}={value_of(rng, options[name])}"]
        return words

    def changes(self, rng):
        """Returns transforms and what chooses stacks."""
        words = []
        for name in rng.sample(sorted(self.transforms), rng.choice((0, 0, 1, 3))):
            kind = self.transforms[name]["allOf"][0].get("type")
            if kind == "object":
                words += ["--rename", f"{rng.choice(EXPRESSIONS)}=>{rng.choice(WORDS)}"]
            elif "boolean" in (kind or []):
                words += ["--" + name]
            else:
                values = self.transforms[name]["allOf"][0].get("enum", EXPRESSIONS if rng.randrange(10) else WORDS)
                words += ["--" + name, rng.choice(values)]
        for some in (["--group-by", rng.choice(("process", "thread", "host", "state", "cpu"))], ["--flamechart"],
                     ["--only", "thread=main"], ["--time-range", rng.choice(("0s..1s", "..5ms", "1ns.."))],
                     ["-w", rng.choice(("list", "cpu", "samples", "1"))], ["--detail", rng.choice(("lines", "addresses"))],
                     ["--isolate"], ["-j3", "--range-size", "100"], ["-j1", "--chunk-size", "33"], ["--quality"],
                     ["--diffusion"], ["--max-memory", "900M"], [f"--{rng.choice(WORDS)}"]):
            if rng.randrange(16) == 0:
                words += some
        return words

    def output(self, rng):
        """Returns the words for an output, and its file."""
        ending = rng.choice(ENDINGS)
        words = ["-o", f"out.{ending}"]
        if rng.randrange(3) == 0:
            words += ["-p", rng.choice(self.palettes)]
        return words + self.settings(rng, ending.split(".")[0]), f"out.{ending}"

    def draw(self, rng, format_, names):
        to, file = self.output(rng)
        given = ["-f", rng.choice((format_, format_, rng.choice(self.formats)))] if rng.randrange(3) else []
        given += rng.choice(([], [], [], ["--label", "host={name}"], ["--off-cpu"], ["--weight-field", "period"]))
        return ["run", *names, *given, *to, *self.settings(rng, format_), *self.changes(rng)], file

    def collapse(self, rng, format_, names):
        return ["collapse", format_, *names, "-o", "out.folded", *self.settings(rng, format_), *self.changes(rng)], "out.folded"

    def compare(self, rng, _, names):
        to, file = self.output(rng)
        return ["diff", names[0], names[-1], *to, *self.changes(rng)], file

    def merge(self, rng, format_, names):
        more = ["-f", format_] if rng.randrange(2) else []
        return ["merge", *names, *names, *more, "-o", "out.folded", *self.changes(rng)], "out.folded"

    def split(self, rng, format_, names):
        part = rng.choice(("thread", "process", "cpu", "host"))
        return ["run", names[0], "-f", format_, "--split-by", part, "-o", f"out-{{{part}}}.svg", *self.changes(rng)], None

    def guess(self, *_):
        return ["guess", "in", "other"], None

    def annotate(self, rng, _, names):
        return ["run", names[0], "-t", rng.choice(("annotate", "annotate-html", "table", "term", "timeline")), "-o", "out",
                *self.changes(rng)], "out"

    def try_format(self, rng, *_):
        """Tries a format in YAML, which is damaged, on an input."""
        return ["format", "try", rng.choice(("in", "other")), "-f", "formats.yaml"], None

    def line(self, rng, format_, names):
        """Returns a command line and the file that it writes."""
        make = rng.choice((self.draw, self.draw, self.draw, self.collapse, self.collapse, self.compare, self.merge, self.split,
                           self.guess, self.annotate, self.try_format))
        words, file = make(rng, format_, names)
        return ["--no-config", *words] if "format" != words[0] else words, file

    def write_inputs(self, rng, folder, format_):
        paths = [rng.choice(self.inputs[format_]) for _ in range(2)]
        data = [path.read_bytes() for path in paths]
        for name, one, other in zip(("in", "other"), data, reversed(data)):
            (folder / name).write_bytes(damaged(rng, one, other) if rng.randrange(5) else one)
        text = rng.choice(self.yaml).read_bytes()
        text = damaged(rng, text, b"") if rng.randrange(2) else text
        (folder / "formats.yaml").write_bytes(b"formats:\n  mine:\n" + b"".join(b"    " + line for line in text.splitlines(keepends=True)))
        return [path.name for path in paths]


# ---- runs ----------------------------------------------------------------------------------------

def run(words, folder):
    try:
        p = subprocess.run([BRAZIER, *words], cwd=folder, capture_output=True, env=ENVIRONMENT, timeout=SECONDS,
                           stdin=subprocess.DEVNULL, check=False)
    except subprocess.TimeoutExpired:
        return None, b"", b""
    return p.returncode, p.stdout, p.stderr


def problem(code, said, file, folder):
    """Returns what is wrong with the end of a run, or None."""
    if code is None:
        return f"did not end in {SECONDS} s"
    if code not in (0, 1, 2):
        return f"status {code}"
    if BROKEN.search(said):
        return "broken"
    if code != 0 and b"error: " not in said and b"brazier: " not in said and b": " not in said:
        return "failed without a message"
    if code != 0 and file is not None and (folder / file).exists():
        return "failed, and left an output"
    left = [p.name for p in folder.iterdir() if p.name.startswith(".")]
    return f"left {left}" if left else None


def outputs_of(folder):
    return {p.name: p.read_bytes() for p in folder.iterdir() if p.name.startswith("out")}


def without_time(files):
    """Returns files without those that name the time of the run."""
    return {name: data for name, data in files.items() if "sqlite" not in name}


def check(commands, seed):
    """Returns what is wrong with the run of a seed, or None."""
    rng = random.Random(f"command line {seed}")
    with tempfile.TemporaryDirectory(prefix="brazier-lines-") as name:
        folder = pathlib.Path(name)
        format_ = rng.choice(commands.formats)
        sources = commands.write_inputs(rng, folder, format_)
        words, file = commands.line(rng, format_, ["in"] if rng.randrange(3) else ["in", "other"])
        code, out, said = run(words, folder)
        wrong = problem(code, said, file, folder)
        if wrong is None and code == 0 and seed % REPEATED == 0:
            files = without_time(outputs_of(folder))
            for path in folder.glob("out*"):
                path.unlink()
            again = run(words, folder)
            if again[:2] != (code, out) or without_time(outputs_of(folder)) != files:
                wrong = "other bytes in a second run"
        if wrong is None:
            return None
        kept = os.environ.get("BRAZIER_FINDINGS")
        if kept:
            shutil.copytree(folder, pathlib.Path(kept) / str(seed), dirs_exist_ok=True)
        return f"{wrong}: brazier {' '.join(map(repr, words))} ({format_}: {sources})\n{said[-1500:].decode(errors='replace')}"


def main():
    alone = len(sys.argv) > 1
    first = int(sys.argv[1]) if alone else int(os.environ.get("BRAZIER_SEED", "0"))
    number = int(sys.argv[2]) if len(sys.argv) > 2 else 1 if alone else int(os.environ.get("BRAZIER_RUNS", USUAL))
    commands = Commands()
    failed = 0
    for seed in range(first, first + number):
        wrong = check(commands, seed)
        if wrong is not None:
            failed += 1
            print(f"FAILED seed {seed}: {wrong}", flush=True)
    print(f"{number - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
