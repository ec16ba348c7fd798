#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests each option of a run on sorted folded text, whose stacks may be added up, compared and drawn without a
profile: output, messages and status equal those for the same lines in another order.

The options come from the table of the host. A new row fails this test until VALUES has words for it.
"""
import os
import pathlib
import random
import re
import subprocess
import tempfile

BRAZIER = os.environ["BRAZIER"]
SOURCE = pathlib.Path(os.environ["BRAZIER_SOURCE"])
LINES = 14_000  # more than a megabyte: smaller inputs always make a profile

RUN = ["run", "a.folded"]
MERGE = ["merge", "a.folded", "b.folded"]
DIFF = ["diff", "a.folded", "b.folded"]
DRAW = ["flamegraph", "a.folded"]

# For each option, the commands and words to try.
VALUES = {
    "output": [(RUN, ["-o", "x.svg"]), (MERGE, ["-o", "x.folded.gz"])],
    "to": [(RUN, ["-t", "json"]), (RUN, ["-t", "top"]), (MERGE, ["-t", "folded"])],
    "palette": [(RUN, ["-p", "hot"])],
    "palette-map": [(RUN, ["--palette-map", "x.map"])],
    "cp": [(RUN, ["--cp"])],
    "diffusion": [(RUN, ["--diffusion"]), (RUN, ["--no-diffusion"])],
    "weight": [(RUN, ["-w", "samples"]), (RUN, ["-w", "none"]), (MERGE, ["-w", "samples"])],
    "split-by": [(RUN, ["--split-by", "thread", "-o", "x-{thread}.svg"])],
    "set": [(RUN, ["-s", "svg.width=900"]), (RUN, ["-s", "folded.nothing=1"]), (MERGE, ["-s", "folded.header=false"])],
    "from": [(RUN, ["-f", "folded"]), (MERGE, ["-f", "folded"])],
    "sysroot": [(RUN, ["--sysroot", "/nonexistent"]), (MERGE, ["--sysroot", "/nonexistent"])],
    "quality": [(RUN, ["--quality"]), (RUN, ["--quality=json"]), (RUN, ["--quality=each"])],
    "jobs": [(RUN, ["-j1"]), (RUN, ["-j3"]), (MERGE, ["-j1"]), (DIFF, ["-j3"])],
    "isolate": [(RUN, ["--isolate"]), (RUN, ["--no-isolate"]), (MERGE, ["--isolate"])],
    "cache": [(RUN, ["--cache"]), (RUN, ["--no-cache"])],
    "max-memory": [(RUN, ["--max-memory", "2G"]), (MERGE, ["--max-memory", "2G"])],
    "max-time": [(RUN, ["--max-time", "90s"]), (MERGE, ["--max-time", "90s"])],
    "as-it-was": [(RUN, ["--as-it-was"])],
    "chunk-size": [(RUN, ["--chunk-size", "1000"]), (MERGE, ["--chunk-size", "1000"])],
    "range-size": [(RUN, ["--range-size", "9000"])],
    "keep-going": [([*MERGE, "missing.folded"], ["--keep-going"]), (MERGE, ["--keep-going"]),
                   ([*RUN, "missing.folded"], ["--keep-going"]), (RUN, ["--keep-going"])],
    "normalize": [(DIFF, ["--normalize"]), (DIFF, ["--normalize=floor"])],
    "normalize-down": [(DIFF, ["--normalize-down"])],
    "strip-hex": [(DIFF, ["--strip-hex"])],
    "before": [(["diff", "a.folded"], ["--before", "0s..1s", "--after", "1s..2s"])],
    "after": [(["diff", "a.folded"], ["--after", "1s..2s"])],
    "fail-if": [(DIFF, ["--fail-if", "total(f1) > +1%"])],
    "fail-unmatched": [(DIFF, ["--fail-if", "total(none) > +1%", "--fail-unmatched"])],
    "fail-report": [(DIFF, ["--fail-if", "total(f1) > +1%", "--fail-report", "json"])],
    "base-on": [(DIFF, ["--base-on", "before"]), (DIFF, ["--base-on", "both"])],
    "negate": [(DIFF, ["--negate"]), (DIFF, ["--negate", "-t", "svg"])],
    "deltas": [(DIFF, ["--deltas", "self"])],
    "detail": [(RUN, ["--detail", "lines"])],
    "group-by": [(RUN, ["--group-by", "thread"])],
    "label": [(RUN, ["--label", "host={name}"]), (MERGE, ["--label", "host={name}"])],
    "only": [(RUN, ["--only", "thread=x"])],
    "time-range": [(RUN, ["--time-range", "0s..1s"])],
    "demangle": [(RUN, ["--demangle", "none"]), (MERGE, ["--demangle", "full"])],
    "keep": [(RUN, ["--keep", "f1"])],
    "drop": [(RUN, ["--drop", "f1"])],
    "hide": [(RUN, ["--hide", "f1"])],
    "skip-after": [(RUN, ["--skip-after", "f1"])],
    "base": [(RUN, ["--base", "f1"])],
    "reverse": [(RUN, ["--reverse"])],
    "merge-recursion": [(RUN, ["--merge-recursion"])],
    "rename": [(RUN, ["--rename", "f=>g"])],
    "strip-module": [(RUN, ["--strip-module"])],
    "split-packages": [(RUN, ["--split-packages"])],
    "pipeline": [(["--config", "c.yaml", "run", "tall", "a.folded"], [])],
    "in-place": [(MERGE, []), (MERGE, ["-o", "x.folded"])],
    "otherwise-from": [(DRAW, []), ([*DRAW, "b.folded"], []), ([*DRAW, "other.txt"], [])],
    "otherwise-to": [(DRAW, ["-o", "x.odd"]), (["collapse", "folded", "a.folded"], []), (MERGE, ["-o", "x"])],
    "allow-empty": [([*RUN, "empty.folded"], ["--as-it-was"]), ([*MERGE, "empty.folded"], ["--as-it-was"]),
                    ([*MERGE, "empty.folded"], [])],
    "compare": [(DIFF, []), (DIFF, ["-t", "svg"])],
    # of all runs and commands, not in the table
    "verbosity": [(RUN, ["-v"]), (RUN, ["-q"]), (MERGE, ["-v"]), (DIFF, ["-v"])],
}
# Options without BRZ_RUN_PLAIN whose result follows the order of the input, and one that only `record` sets.
LEFT_OUT = {"flamechart", "flamechart-back", "order", "otherwise-weight"}
CONFIGURATION = "version: 1\npipelines:\n  tall:\n    output: svg\n    palette: hot\n    group-by: thread\n"


def rows_of_table():
    """Returns the text of the row of each option."""
    table, = SOURCE.glob("core/*/run_option.c")
    parts = re.split(r'\{\.name = "([^"]+)"', table.read_text().split("\n};")[0])[1:]
    return dict(zip(parts[::2], parts[1::2]))


def check_values():
    """Checks that each option has values once, and that one which may be plain is not left out."""
    rows = rows_of_table()
    unknown = set(rows) - set(VALUES) - LEFT_OUT
    assert not unknown, f"VALUES of this test has no words for {sorted(unknown)}"
    plain = {name for name, row in rows.items() if "BRZ_RUN_PLAIN" in row or ".plain_most" in row}
    assert len(plain) > 10 and plain <= set(VALUES), f"plain options without values: {sorted(plain - set(VALUES))}"
    keys = re.findall(r'^    "([\w-]+)": \[', pathlib.Path(__file__).read_text(), re.M)
    assert sorted(keys) == sorted(VALUES), "VALUES has a name twice"


def some_lines(rng, seed):
    """Returns sorted lines, each stack once, that need no profile."""
    stacks = {f"main;f{rng.randrange(40)};" + ";".join(
        f"{seed}_part_{rng.randrange(200)}_of_a_program" for _ in range(3)) for _ in range(LINES)}
    return [f"{stack} {rng.randint(1, 50)}\n" for stack in sorted(stacks)]


def make_inputs(folder):
    rng = random.Random(7)
    for name in ("a", "b"):
        lines = some_lines(rng, "ab"[rng.randrange(2)])
        for order, content in (("sorted", lines), ("mixed", rng.sample(lines, len(lines)))):
            place = folder / order
            place.mkdir(exist_ok=True)
            (place / f"{name}.folded").write_text("".join(content))
            (place / "c.yaml").write_text(CONFIGURATION)
            (place / "empty.folded").write_text("")
            (place / "other.txt").write_text("{}\n")
        assert sum(map(len, lines)) > 1 << 20


def result(place, words):
    """Returns what a run writes and says, and its status."""
    if not any(word.startswith(("-o", "--config")) for word in words):
        words = [*words, "-o", "-"]
    if not any(word.startswith(("--config", "--cp")) for word in words):
        words = ["--no-config", *words]
    before = set(os.listdir(place))
    p = subprocess.run([BRAZIER, *words], cwd=place, capture_output=True)
    assert b"Sanitizer" not in p.stderr, p.stderr
    files = {}
    for name in sorted(set(os.listdir(place)) - before):
        files[name] = (place / name).read_bytes()
        (place / name).unlink()
    return {"status": p.returncode, "output": p.stdout, "messages": p.stderr, "files": files}


def check(folder, name, words):
    expected, got = result(folder / "mixed", words), result(folder / "sorted", words)
    for part, value in expected.items():
        assert got[part] == value, f"--{name}: {words}: {part} differ: {str(value)[:300]} ... {str(got[part])[:300]}"


def main():
    check_values()
    n = 0
    with tempfile.TemporaryDirectory(prefix="brazier-plain-") as folder:
        make_inputs(pathlib.Path(folder))
        for name, runs in VALUES.items():
            for command, words in runs:
                check(pathlib.Path(folder), name, [*command, *words])
                n += 1
    print(n, "cases")


if __name__ == "__main__":
    main()
