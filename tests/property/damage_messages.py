# SPDX-License-Identifier: MIT
"""Parses the messages of a run: their texts, their places, and what they say is left out.

The weight and number of records that are left out come from the note at the end of a run. A text stands here with N in
place of each number, so that texts that differ in numbers only are one.
"""
import collections
import re
from decimal import Decimal

# `texts`: the count of each text, and the largest of each of its numbers. `lines`: the lines at which each text stands;
# None stands for a text without a place. `weight`, `unknown`: of the records left out, the sum of the known weights,
# and how many have an unknown one.
Told = collections.namedtuple("Told", "texts lines weight unknown")

# Notes that state no amount: about damaged text whose records are unknown, and about sound records that a rule leaves
# out, such as those of other events than the chosen one, which state their number.
NO_SUM = "rest is left out|left out up to"
BY_RULE = r"left out: N|left out \(N"
STATED = "note: left out: N record"

# Notes that say that records, or parts of them, are left out or incomplete. Every warning and every error does.
OF_LOSSES = re.compile(
    "left out|not counted|only a part|is missing|without an end|without the rows below|never came back|"
    "whose last wait|a number that is written as a text|an earlier time|open calls end|which JSON does not")

MESSAGE = re.compile(r"(?m)^(?:(?:.*?(?::(?P<line>\d+))?(?::\d+)?: |)(?P<text>(?:warning|note|error): .*)"
                     r"|(?P<more> +\.\.\. and \d+ more.*))")
LEFT_OUT = re.compile(r"note: left out: (?P<records>\d+) records?(?:[,;] weight (?P<weight>-?[\d.]+)(?: of '.*?')?"
                      r"(?: for (?P<weighed>\d+) of them)?)?")
NOT_OF_RECORDS = "note: quality: "


def parse(messages):
    """Returns what messages say."""
    texts, lines, weight, unknown = {}, collections.defaultdict(set), Decimal(0), 0
    for match in MESSAGE.finditer(messages):
        text = match["text"] or match["more"]
        if text.startswith(NOT_OF_RECORDS):
            continue
        left_out = LEFT_OUT.match(text)
        if left_out:
            known = int(left_out["weighed"] or (left_out["records"] if left_out["weight"] else 0))
            weight, unknown = Decimal(left_out["weight"] or 0), int(left_out["records"]) - known
        numbers = [int(n) for n in re.findall(r"\d+", text)]
        key = re.sub(r"\d+", "N", text)
        n, largest = texts.get(key, (0, [0] * len(numbers)))
        texts[key] = n + 1, [max(pair) for pair in zip(numbers, largest, strict=True)]
        lines[key].add(int(match["line"]) if match["line"] else None)
    return Told(texts, lines, weight, unknown)


def new_texts(before, after):
    """Returns the texts that a run has, and that another one has less often, or with smaller numbers."""
    return [text for text, (n, numbers) in after.texts.items()
            if text not in before.texts or n > before.texts[text][0] or
            any(x > y for x, y in zip(numbers, before.texts[text][1], strict=True))]


def is_of_losses(text):
    """Returns whether a text says that records, or parts of them, are left out or damaged."""
    return text.startswith(("warning: ", "error: ")) or OF_LOSSES.search(text) is not None


def without(told, text, before):
    """Yields what messages may say if one text is hidden: if others are left, the weight that is left out may be
    theirs; otherwise it is that of before."""
    texts = {key: value for key, value in told.texts.items() if key != text}
    others = [key for key in new_texts(before, told._replace(texts=texts)) if key.startswith(("warning: ", "error: "))]
    if others:
        yield told._replace(texts=texts)
    if others and "left out" in text:
        yield told._replace(texts=texts, weight=before.weight, unknown=before.unknown)
    if not others:
        texts = {key: value for key, value in texts.items() if not key.startswith(STATED)}
        texts |= {key: value for key, value in before.texts.items() if key.startswith(STATED)}
        yield Told(texts, told.lines, before.weight, before.unknown)
