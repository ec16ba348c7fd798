#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that profiles in JSON have the same stacks when they are written as some programs write JSON.

Every golden case in JSON is rewritten with comments, commas after the last values, control characters in strings
and numbers that are not finite. The stacks stay the same, and each kind of deviation is counted.
"""
import json
import os
import re
import sys
import tempfile

from cases import brazier

GOLDEN = os.path.join(os.environ["BRAZIER_SOURCE"], "tests", "golden", "collapse")
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[^"]', re.DOTALL)
STRICT = {"bpftrace"}  # a JSON text per line, whose ends count


def cases():
    """Yields the format and path of the golden cases that are JSON."""
    for format_ in sorted(os.listdir(GOLDEN)):
        for name in sorted(os.listdir(os.path.join(GOLDEN, format_))):
            path = os.path.join(GOLDEN, format_, name)
            if format_ in STRICT or name.endswith((".args", ".stderr", ".folded", ".odd")):
                continue
            try:
                with open(path, encoding="utf-8") as f:
                    text = f.read()
                if isinstance(json.loads(text), (dict, list)):
                    yield format_, text
            except ValueError:
                continue


def tokens(text):
    """Divides a text into its strings and the other characters."""
    return TOKEN.findall(text)


def with_commas(text):
    parts, before, result, n = tokens(text), "", [], 0
    for part in parts:
        if part in ("}", "]") and before not in ("", "{", "["):
            result.append(",")
            n += 1
        before = part if part.strip() else before
        result.append(part)
    return "".join(result), "comma", n


def with_comments(text):
    result = ["/* a \" in a comment */" + p + "// to the end]\n" if p in ("{", ",", "]") else p for p in tokens(text)]
    return "// begin\n" + "".join(result), "comment", 1


def with_controls(text):
    parts = tokens(text)
    odd = [re.sub(r'(?<!\\)((?:\\\\)*)\\n', "\\1\n", p) if p[0] == '"' else p for p in parts]
    return "".join(odd), "control characters", sum(a != b for a, b in zip(parts, odd))


def with_nan(text):
    result, n = [], 0
    for i, part in enumerate(parts := tokens(text)):
        result.append(part)
        following = "".join(parts[i + 1:i + 99]).lstrip()
        if part == "{" and not following.startswith("}"):
            result.append('"not a number":' + ("NaN", "-Infinity", "inf", "-1.#IND")[n % 4] + ",")
            n += 1
    return "".join(result), "NaN", n


def fold(format_, text, folder):
    """Returns the stacks and the messages; no stacks if the format refuses the text."""
    path = os.path.join(folder, "input.json")
    with open(path, "w", encoding="utf-8", newline="") as f:
        f.write(text)
    p = brazier(["collapse", format_, path])
    return p.stdout if p.returncode == 0 else None, p.stderr.decode()


def counted(messages, words):
    """Returns how many deviations the notes count."""
    n = 0
    for block in re.split(r"\n(?=\S*:\d+:\d+: )", messages):
        if re.search(rf": note: .*{words}", block):
            n += 1 + sum(int(more) for more in re.findall(r"and (\d+) more like this", block))
            n += sum(int(more) for more in re.findall(r"note: (\d+) further deviations? from JSON", messages))
    return n


def check(format_, text, rewrite, folder):
    expected, _ = fold(format_, text, folder)
    odd, words, n = rewrite(text)
    if n == 0 or expected is None:
        return None
    stacks, messages = fold(format_, odd, folder)
    if stacks != expected:
        return f"stacks differ:\n{messages}\n{odd}"
    if counted(messages, words) == 0 or (rewrite is with_commas and counted(messages, words) != n):
        return f"{counted(messages, words)} deviations counted of {n}:\n{messages}\n{odd}"
    return None


def main():
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for format_, text in cases():
            for rewrite in with_commas, with_comments, with_controls, with_nan:
                wrong = check(format_, text, rewrite, folder)
                if wrong is not None:
                    print(f"FAILED {format_} {rewrite.__name__}: {wrong}")
                failed += wrong is not None
                passed += wrong is None
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
