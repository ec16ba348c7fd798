#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests outputs with labels: in random profiles with and without threads and times, each set of labels has
exactly its own weight of each stack, and all sets together have the weight of the profile.

`labels.py SEED` runs the case of a single seed.
"""
import os
import pathlib
from collections import defaultdict
from fractions import Fraction

import read_back
from cases import brazier, run_cases, sampled

BUILD = pathlib.Path(os.environ["BRAZIER"]).resolve().parent.parent
DESCRIBED = ["--plugin", str(BUILD / "tests/plugins/collapse-described.so"), "--from", "described"]
CASES = 150 if os.environ.get("BRAZIER_EXHAUSTIVE") == "1" else sampled(40)
WEIGHTS = {"cpu": "nanoseconds", "alloc": "bytes"}
KEYS = ["host", "state", "a b", "名", '"q"', "x=y"]
TEXTS = ["a", "b", "a b", "é", '"', "\\", "; ,", "1", "="]


def escaped(text):
    return "".join(f"\\x{byte:02x}" for byte in text.encode())


def random_label(rng):
    """Returns a label as the input has it, and as outputs describe it."""
    key = rng.choice(KEYS)
    if rng.random() < 0.7:
        text = rng.choice(TEXTS)
        return f"{escaped(key)}={escaped(text)}", read_back.text_of_label(key, text)
    number, unit = rng.choice([0, 7, -1, 2 ** 63 - 1]), rng.choice(["", "bytes", "ms"])
    value = {"value": number, "unit": unit} if unit else number
    return f"{escaped(key)}#{number}" + f"/{unit}" * bool(unit), read_back.text_of_label(key, value)


def without_zeros(weights, factors=(1, 1)):
    """Returns the values without those of 0, divided by the factors of the weights."""
    return [{(labels, stack): value / factor for labels, stacks in weight.items()
             for stack, value in stacks.items() if value != 0} for weight, factor in zip(weights, factors)]


def random_threads(rng):
    threads = ["process=7 process-name=app thread=8 thread-name=main", "process=7 thread=9", "thread-name=x",
               "process=8 thread=8 cpu=1", "process=8 thread=8 cpu=2", ""]
    return rng.sample(threads, rng.randint(1, len(threads))) if rng.random() < 0.5 else ["", "cpu=1"]


def random_profile(rng):
    """Returns the lines of a profile, and [{labels: {stack: value}}] with an item for each weight."""
    sets = [[random_label(rng) for _ in range(rng.randint(0, 3))] for _ in range(rng.choice([1, 2, 5, 30]))]
    threads, is_timed, names = random_threads(rng), rng.random() < 0.5, ["main", "f", "g"]
    lines, now = ["weights: " + " ".join(f"{w}/{unit}" for w, unit in WEIGHTS.items())], 0
    found = [read_back.by_labels() for _ in WEIGHTS]
    for _ in range(rng.randint(1, 60)):
        labels, stack = rng.choice(sets), tuple(rng.choices(names, k=rng.randint(1, 4)))
        values = [rng.choice([0, 1, 5, 10 ** 6, 10 ** 12]) for _ in WEIGHTS]
        now += rng.choice([1, 2, 5, 10 ** 6])  # times of a thread are distinct
        parts = [rng.choice(threads), *(label for label, _ in labels)] + [f"time={now}"] * is_timed
        lines += [f"tag: {' '.join(p for p in parts if p)}".rstrip(), f"{';'.join(stack)} {' '.join(map(str, values))}"]
        for weight, value in zip(found, values):
            weight[tuple(sorted(text for _, text in labels))][stack] += value
    if not all(any(labels for labels, _ in weight) for weight in without_zeros(found)):
        return random_profile(rng)
    return "\n".join(lines) + "\n", found


def totals(weights):
    """Returns the weight of each stack."""
    found = []
    for weight in weights:
        found.append(defaultdict(Fraction))
        for (_, stack), value in weight.items():
            found[-1][stack] += value
    return found


def written(path, output, *options):
    p = brazier(["--no-config", "flamegraph", *DESCRIBED, "--to", output, *options, path])
    notes = [line for line in p.stderr.splitlines() if b": note: " not in line]
    assert p.returncode == 0 and notes == [], p.stderr
    return p.stdout


def check(rng, folder, _):
    text, found = random_profile(rng)
    path = pathlib.Path(folder) / "labels.txt"
    path.write_text(text)
    want = without_zeros(found)
    got = {
        "json": [labels for weight in WEIGHTS
                 for labels in read_back.labelled_json(written(path, "json", "--weight", weight))],
        "speedscope": read_back.labelled_speedscope(written(path, "speedscope"), WEIGHTS),
        "firefox": read_back.labelled_firefox(written(path, "firefox"), WEIGHTS),
        "chrome-trace": read_back.labelled_chrome_trace(written(path, "chrome-trace"), WEIGHTS),
        "samples-csv": read_back.labelled_rows(read_back.rows_of_csv(written(path, "samples-csv")), WEIGHTS),
        "samples-jsonl": read_back.labelled_rows(read_back.rows_of_jsonl(written(path, "samples-jsonl")), WEIGHTS),
    }
    milli, micro = Fraction(1, 10 ** 6), Fraction(1, 10 ** 3)
    factors = {"firefox": (milli, 1), "chrome-trace": (micro, 1000)}
    for output, weights in got.items():
        weights = without_zeros(weights, factors.get(output, (1, 1)))
        assert weights == want, f"{output}:\n want {want}\n got  {weights}\n{text}"[:6000]
        assert totals(weights) == totals(want), output


if __name__ == "__main__":
    run_cases(check, CASES)
