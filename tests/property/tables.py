#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests that the sums in a database of the output sqlite are those of the profile: for an input of each format, and for
random profiles that are added to one database.

`tables.py SEED` runs the random case of a single seed.
"""
import contextlib
import os
import pathlib
import sqlite3
import sys
import tempfile
from collections import defaultdict
from fractions import Fraction

import read_back
from cases import IS_EXHAUSTIVE, brazier, run_cases, sampled

GOLDEN = pathlib.Path(os.environ["BRAZIER_SOURCE"]) / "tests/golden/collapse"
PER_FORMAT = 1000 if IS_EXHAUSTIVE else 1
NAMES = ["main", "f", "g", "a b", "é", "operator()", '"q"', "x;y", "λ", "?"]


def run(*words):
    p = brazier(["--no-config", "-q", *map(str, words)])
    assert p.returncode == 0, p
    return p.stdout


def without_zeros(sums):
    return {key: value for key, value in sums.items() if value != 0}


def path_of(stack):
    return ";".join(name.replace(";", ":") for name in stack)


def functions_of(stacks):
    """Returns {name: self} and {name: total} of {stack: value}."""
    own, total = defaultdict(Fraction), defaultdict(Fraction)
    for stack, value in stacks.items():
        if stack:
            own[stack[-1]] += value
        for name in set(stack):
            total[name] += value
    return without_zeros(own), without_zeros(total)


def check_database(file, profile, weights):
    """Compares the sums of a profile with [(name of the weight, {stack: value})]."""
    with contextlib.closing(sqlite3.connect(file)) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []
        ids = dict(db.execute("SELECT name, weight_id FROM weights WHERE profile_id = ?", (profile,)))
        for name, stacks in weights:
            divisor, total = db.execute("SELECT divisor, total FROM weights WHERE weight_id = ?", (ids[name],)).fetchone()

            def sums(query):
                found = defaultdict(Fraction)
                for key, value in db.execute(query, (ids[name],)):
                    found[key] += Fraction(value, divisor)
                return without_zeros(found)

            paths = defaultdict(Fraction)
            for stack, value in stacks.items():
                paths[path_of(stack)] += value
            assert sums("SELECT path, self FROM stack_weights JOIN paths USING (stack_id) WHERE weight_id = ?") == \
                without_zeros(paths), (file, name)
            own, all_of = functions_of(stacks)
            assert sums("SELECT f.name, self FROM stack_weights JOIN stacks USING (stack_id) JOIN frames AS f USING (frame_id)"
                        " WHERE weight_id = ?") == own, (file, name)
            assert sums("SELECT f.name, total FROM stack_weights JOIN stacks USING (stack_id) JOIN frames AS f"
                        " USING (frame_id) WHERE weight_id = ? AND NOT is_recursive") == all_of, (file, name)
            whole = sum(stacks.values())
            assert Fraction(total, divisor) == whole, (file, name, total, whole)
            for table in "stack_weights", "samples":
                column = "self" if table == "stack_weights" else "value"
                found = db.execute(f"SELECT sum({column}) FROM {table} WHERE weight_id = ?", (ids[name],)).fetchone()[0]
                assert found is None or Fraction(found, divisor) == whole, (file, name, table)
            for view, want in (("self", own), ("total", all_of)):
                got = dict(db.execute(f"SELECT name, value FROM {view} WHERE weight_id = ? AND value <> 0", (ids[name],)))
                assert got.keys() == want.keys() and all(abs(got[k] - want[k]) <= abs(want[k]) * 1e-12 for k in want), view


# ---- inputs of all formats ------------------------------------------------------------------------


def samples_of(folder):
    """Returns some cases of a format that a run reads without options."""
    found = sorted(p for p in folder.iterdir() if p.suffix not in (".folded", ".args", ".stderr", ".odd")
                   or (folder.name == "folded" and p.suffix == ".folded" and not p.with_suffix(".txt").exists()))
    whole = [p for p in found if p.is_file() and p.with_suffix(".folded").exists() and not p.with_suffix(".stderr").exists()]
    return whole[:PER_FORMAT]


def weights_of(file):
    with contextlib.closing(sqlite3.connect(file)) as db:
        return [name for name, in db.execute("SELECT name FROM weights ORDER BY weight_id")]


def check_formats(folder):
    file, n = os.path.join(folder, "x.sqlite"), 0
    for format_folder in sorted(p for p in GOLDEN.iterdir() if p.is_dir()):
        for path in samples_of(format_folder):
            if "deep" in path.name:
                continue  # deeper than Python reads JSON
            words = "run", "--from", format_folder.name, path
            p = brazier(["--no-config", "-q", *map(str, words), "-o", file])
            if p.returncode != 0:
                continue  # a case of what is refused, or a plug-in that was not built
            weights = [(w, read_back.read_json(run(*words, "--weight", w, "--to", "json", "--no-extras"))[0])
                       for w in weights_of(file)]
            check_database(file, 1, weights)
            n += 1
    assert n > 40, n
    print(n, "inputs")


# ---- random profiles ------------------------------------------------------------------------------


def random_stacks(rng):
    names = rng.sample(NAMES, rng.randint(1, len(NAMES)))
    stacks = defaultdict(Fraction)
    for _ in range(rng.randint(1, 40)):
        stack = tuple(rng.choice(names).replace(";", ":") for _ in range(rng.randint(1, rng.choice([2, 6, 30]))))
        stacks[stack] += rng.choice([1, 5, 10 ** 12, -3])
    return stacks if sum(stacks.values()) > 0 else {("main",): Fraction(1)}


def check_random(rng, folder, seed):
    file, profiles = os.path.join(folder, f"{seed}.sqlite"), []
    for i in range(rng.randint(1, 4)):
        profiles.append(random_stacks(rng))
        path = os.path.join(folder, f"{i}.folded")
        pathlib.Path(path).write_text("".join(f"{';'.join(s)} {v}\n" for s, v in profiles[-1].items()))
        run("run", "--from", "folded", path, "-o", file, "--append")
    for i, stacks in enumerate(profiles):
        check_database(file, i + 1, [("samples", stacks)])


if __name__ == "__main__":
    if not (pathlib.Path(os.environ["BRAZIER_PLUGINS"]) / "output-sqlite.so").exists():
        print("skipped: this build has no output sqlite")
        sys.exit(77)
    if len(sys.argv) == 1:
        with tempfile.TemporaryDirectory() as a_folder:
            check_formats(a_folder)
    run_cases(check_random, sampled(60))
