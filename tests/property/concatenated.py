#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests files that consist of two profiles, one after the other, as `cat` makes them of all golden cases without messages:
either every weight is doubled, or a message says that it is not.
"""
import os
import pathlib
import re
import tempfile

from cases import brazier

SOURCE = pathlib.Path(os.environ["BRAZIER_SOURCE"])
CASES = SOURCE / "tests" / "golden" / "collapse"

BYTE_ORDER_MARK = "within a text, a byte order mark is a part of a name"
FIRST_WAIT = "the wait in front of the first run of a thread is unknown; in the second half it is not the first one"
OTHER = {
    "folded/utf16-big-endian.txt": BYTE_ORDER_MARK,
    "perf/byte-order-mark-utf16.txt": BYTE_ORDER_MARK,
    "perf/byte-order-mark.txt": BYTE_ORDER_MARK,
    "folded/names-ending-in-digits.txt": "this test takes the digits for a count",
    "timehist/columns.txt": FIRST_WAIT,
    "timehist/table.txt": FIRST_WAIT,
}


def fold(form, path):
    """Returns the weights of the stacks, and the messages."""
    p = brazier(["--no-config", "collapse", form, path])
    weights = {}
    for line in p.stdout.decode(errors="surrogateescape").splitlines():
        stack, numbers = re.fullmatch(r"(.*?)((?: -?[\d.]+){1,2})", line).groups()
        weights[stack] = [float(n) for n in numbers.split()]
    return weights, p.stderr.decode(errors="replace")


def join(content):
    """Returns a file twice. Text ends with a newline, as what appends to a file expects."""
    is_text = b"\0" not in content and not content.endswith(b"\n")
    return (content + b"\n" if is_text else content) + content


def check(case, folder):
    once, messages = fold(case.parent.name, case)
    if messages or not once:
        return False
    twice = pathlib.Path(folder) / case.name
    twice.write_bytes(join(case.read_bytes()))
    doubled, messages = fold(case.parent.name, twice)
    wanted = {stack: [2 * n for n in numbers] for stack, numbers in once.items()}
    is_good = messages or (set(doubled) == set(wanted) and all(
        abs(a - b) <= 1e-6 * abs(b) for s in wanted for a, b in zip(doubled[s], wanted[s])))
    name = f"{case.parent.name}/{case.name}"
    assert bool(is_good) != (name in OTHER), f"{name}: once {once}, twice {doubled}"
    return True


def main():
    suffixes = {".folded", ".stderr", ".args", ".odd"}
    with tempfile.TemporaryDirectory(prefix="brazier-concatenated-") as folder:
        n = sum(check(case, folder) for case in sorted(CASES.glob("*/*")) if case.is_file() and case.suffix not in suffixes)
    assert n > 200, n
    print(n, "cases")


if __name__ == "__main__":
    main()
