# SPDX-License-Identifier: MIT
"""Runs the random cases of a property test, and brazier."""
import os
import pathlib
import random
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
from lib.brazier import IS_EXHAUSTIVE, run as brazier, run_shared  # noqa: E402, F401


def sampled(cases):
    """Returns how many of the cases, which differ in their seed only, a test runs: a sixth, or all of them with all
    repeats."""
    return cases if IS_EXHAUSTIVE else -(-cases // 6)


def run_cases(check, cases):
    """Calls check(rng, folder, seed) for each seed below `cases`, or for the seed in the command line. Prints the
    seed of a case that fails."""
    seeds = [int(sys.argv[1])] if len(sys.argv) > 1 else range(cases)
    with tempfile.TemporaryDirectory(prefix=f"brazier-{os.path.basename(sys.argv[0])}-") as folder:
        for seed in seeds:
            try:
                check(random.Random(seed), folder, seed)
            except AssertionError:
                print("seed", seed, file=sys.stderr)
                raise
    print(len(seeds), "cases")
