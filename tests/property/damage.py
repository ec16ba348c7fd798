#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that damage to one record of a text stays with that record, and that what is missing is reported.

Drops lines of a sound input, cuts it, or changes a byte, a field or a value of it (damages.py). The stacks that change
are compared with those of the sound input (damage_judgement.py). Messages and weights that the sound input has already
do not count. What a format cannot tell, damage_ambiguities.py lists with the reasons.

Hides each new warning of a run in turn, too, which must make it fail: that shows which warnings this test notices.

`damage.py FORMAT...` runs some formats, `damage.py 2/4` the second of four parts. BRAZIER_DAMAGE=60 damages each input
so many times. BRAZIER_DAMAGE_TABLES=1 also reports entries of the tables that explain nothing, and warnings that no
damage shows to be necessary (damage_unnoticed.tsv lists those with the reasons): use it with BRAZIER_DAMAGE=400.
damage_defects.tsv lists the failures that are known and not mended yet. The inputs are the golden cases, and those of
the corpora, if they are there.
"""
import collections
import os
import random
import re
import sys
from decimal import Decimal

import damage_messages
from cases import run_shared
from damage_documents import Document
from damage_exemptions import is_ambiguous, unused
from damage_judgement import changes, judge
from damage_messages import is_of_losses, new_texts
from damage_verdicts import IGNORED
from damages import CUT, is_document, line_at, make_damage
from lib.brazier import IS_EXHAUSTIVE

SOURCE = os.environ["BRAZIER_SOURCE"]
GOLDEN = os.path.join(SOURCE, "tests", "golden", "collapse")
CHECKS_TABLES = os.environ.get("BRAZIER_DAMAGE_TABLES") == "1"
ROUNDS = 1200 if IS_EXHAUSTIVE else 150  # of a format
OF_EACH = int(os.environ.get("BRAZIER_DAMAGE", "0"))
USUAL, LARGEST = 20000, 400000  # bytes of an input
NOT_CASES = ".folded", ".stderr", ".args", ".odd"
HERE = os.path.dirname(os.path.abspath(__file__))
UNNOTICED = os.path.join(HERE, "damage_unnoticed.tsv")
DEFECTS = os.path.join(HERE, "damage_defects.tsv")


# ---- inputs --------------------------------------------------------------------------------------

# `document`: the places of values, if the input is a JSON document.
Case = collections.namedtuple("Case", "name data stacks told document")

# Warnings about sound inputs. Others say that it is damaged or breaks off: a second damage beside the first
# one may repair or hide it, and of what is left, too little shows what a record of it is.
OF_SOUND = re.compile(
    "samples that simpleperf lost|samples with an earlier time|samples without a time|"
    "no line for a folder in it|places in stacks without a location|frames without an end|ends of events that have not|"
    "events without an end|not in the list: |without a name: |the report has no times|not a suppression|"
    "declares an entity|nested more than")


def fold(format_, data):
    """Returns the stacks of an input with their weights, and the messages."""
    p = run_shared(["--no-config", "-v", "collapse", format_], data)
    assert p.returncode in (0, 1) and b"Sanitizer" not in p.stderr, p.stderr.decode(errors="replace")
    stacks = collections.Counter()
    for line in p.stdout.decode(errors="replace").splitlines():
        stack, weight = line.rsplit(" ", 1)
        stacks[tuple(stack.split(";"))] += Decimal(weight)
    return stacks, p.stderr.decode(errors="replace")


def corpora():
    """Yields the folders of the corpora that are there."""
    beside = os.path.join(os.path.dirname(SOURCE), "shared")
    for variable, name in (("BRAZIER_CORPUS", "corpus"), ("BRAZIER_CORPUS_NEXT", "corpus-next")):
        folder = os.environ.get(variable, os.path.join(beside, name))
        if os.path.exists(os.path.join(folder, "CASES.tsv")):
            yield folder


def corpus_files(format_):
    """Yields the paths of the inputs of a format in the corpora."""
    for folder in corpora():
        with open(os.path.join(folder, "CASES.tsv"), encoding="utf-8") as f:
            rows = [line.split("\t") for line in f]
        yield from (os.path.join(folder, name) for name in sorted({row[1] for row in rows if row[0] == format_}))


def golden_files(format_):
    """Yields the paths of the golden cases."""
    folder = os.path.join(GOLDEN, format_)
    for name in sorted(os.listdir(folder)):
        base, ending = os.path.splitext(os.path.join(folder, name))
        if ending not in NOT_CASES:
            yield base + ending


def is_sound(told):
    """Returns whether messages say of no damage."""
    return all(OF_SOUND.search(text) for text in told.texts if text.startswith("warning: "))


def first_part(data):
    """Returns the first records of a large input, and all of a document."""
    if len(data) <= USUAL or is_document(data) or data.lstrip()[:1] == b"<":
        return data
    blank = data.rfind(b"\n\n", 0, USUAL)
    return data[:blank + 2 if blank > 0 else data.rfind(b"\n", 0, USUAL) + 1]


def cases_of(format_, paths):
    """Returns the inputs that are text and have stacks."""
    cases = []
    for path in paths:
        with open(path, "rb") as f:
            data = f.read(LARGEST + 1)
        if len(data) > LARGEST or b"\0" in data or not data.strip():
            continue
        data = first_part(data)
        stacks, messages = fold(format_, data)
        told = damage_messages.parse(messages)
        if sum(stacks.values()) > 0 and is_sound(told):
            document = Document(data) if is_document(data) else None
            cases.append(Case(os.path.basename(path), data, stacks, told, document))
    return cases


def rows_of(path):
    """Returns the rows of a table, without their last column, which is for readers."""
    with open(path, encoding="utf-8") as f:
        return {tuple(line.rstrip("\n").split("\t")[:-1]) for line in f if not line.startswith("#")}


# Defects that are not mended yet, as format, case, kind of damage and verdict; and those of them that a run met.
known_defects = rows_of(DEFECTS)
met = set()


# ---- checks --------------------------------------------------------------------------------------

def is_ignored(format_, damage, case, after, told):
    """Returns whether the line that is cut off at the end of an input has no effect and no message, and the whole line
    does."""
    if damage.kind != CUT or not damage.made.strip() or damage.data.endswith(b"\n") or case.document is not None:
        return False
    if any(is_of_losses(text) for text in new_texts(case.told, told)):
        return False
    _, start, _ = line_at(case.data, damage.at)
    return after == fold(format_, case.data[:start])[0] and \
        after != fold(format_, case.data[:start + len(damage.line)])[0]


def defects(format_, case, damage, after, told):
    """Returns the defects that a damage shows, without those that the format cannot tell."""
    texts = [text for text in new_texts(case.told, told) if is_of_losses(text)]
    return [verdict for verdict in judge(format_, case, damage, after, told, case.document is not None)
            if not is_ambiguous(format_, case, damage, verdict, after, texts)]


def kind_of(text):
    """Returns the kind of a message: its text without names of the input."""
    return re.sub(r"'[^']*'|\"[^\"]*\"", "'…'", text)


class Notice:
    """Which warnings are seen, and which of these a check needs."""

    def __init__(self):
        self.seen, self.needed = set(), set()

    def add(self, format_, case, damage, after, told):
        """Adds the warnings of a run without defects: hides each that is new, after which it must have one."""
        for text in new_texts(case.told, told):
            kind = format_, kind_of(text)
            if not text.startswith("warning: ") or kind in self.needed:
                continue
            self.seen.add(kind)
            if any(defects(format_, case, damage, after, hidden)
                   for hidden in damage_messages.without(told, text, case.told)):
                self.needed.add(kind)


def check(format_, case, seed, notice):
    """Damages a case. Returns what is wrong with the result, or None."""
    rng = random.Random(f"{format_} {case.name} {seed}")
    damage = make_damage(rng, case.data)
    after, messages = fold(format_, damage.data)
    told = damage_messages.parse(messages)
    wrong = defects(format_, case, damage, after, told)
    if not wrong and is_ignored(format_, damage, case, after, told) and \
            not is_ambiguous(format_, case, damage, IGNORED, after, []):
        wrong = [IGNORED]
    if not wrong:
        notice.add(format_, case, damage, after, told)
        return None
    places = {(format_, case.name, damage.kind, verdict) for verdict in wrong}
    met.update(places & known_defects)
    if places <= known_defects:
        return None
    lost, new, _ = changes(case.stacks, after, damage.frames)
    return f"{case.name}: {damage.kind}: {damage.text}: {', '.join(wrong)}\n" \
           f"  lost {dict(lost)}\n  new {dict(new)}\n  {messages}"


def check_all(format_, cases, rounds, notice):
    """Damages each case of a format. Returns the number of checks, and of those that failed."""
    done = failed = 0
    for case in cases:
        for seed in range(OF_EACH or max(rounds * USUAL // max(len(case.data), USUAL), 1)):
            wrong = check(format_, case, seed, notice)
            done, failed = done + 1, failed + (wrong is not None)
            if wrong is not None:
                print(f"FAILED {format_}, seed {seed}, {wrong}")
    return done, failed




def check_tables(formats, notice):
    """Checks that each entry of the tables explains a change, and each warning is needed or is in the list. Returns how
    many are not."""
    wrong = [f"no damage needs this entry: {entry}" for entry in unused(formats)]
    unnoticed, known = notice.seen - notice.needed, rows_of(UNNOTICED)
    wrong += [f"no damage needs this warning of {format_}: {text}" for format_, text in sorted(unnoticed - known)]
    wrong += [f"damage_unnoticed.tsv lists a warning of {format_} that is needed or does not come: {text}"
              for format_, text in sorted(known - unnoticed) if format_ in formats]
    wrong += [f"damage_defects.tsv lists a defect that is mended: {' '.join(row)}"
              for row in sorted(known_defects - met) if row[0] in formats]
    for text in wrong:
        print(f"FAILED: {text}")
    return len(wrong)


def formats_of(words):
    """Returns the formats of a command line: those that it names, or those of a part, such as 2/4."""
    every = sorted(os.listdir(GOLDEN))
    if len(words) != 1 or "/" not in words[0]:
        return words or every
    part, parts = map(int, words[0].split("/"))
    return every[part - 1::parts]


def main():
    formats = formats_of(sys.argv[1:])
    done = failed = 0
    notice = Notice()
    for format_ in formats:
        golden, real = (cases_of(format_, paths) for paths in (golden_files(format_), corpus_files(format_)))
        for cases, rounds in (golden, ROUNDS // (len(golden) + 1) + 1), (real, ROUNDS // 20):
            n, wrong = check_all(format_, cases, rounds, notice)
            done, failed = done + n, failed + wrong
    if CHECKS_TABLES:
        failed += check_tables(formats, notice)
    print(f"{done - failed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
