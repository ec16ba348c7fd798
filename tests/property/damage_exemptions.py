# SPDX-License-Identifier: MIT
"""Finds the reason why a change by damage is no defect, in the tables of damage_ambiguities."""
import os
import re

from damage_ambiguities import (
    AMBIGUOUS, AMBIGUOUS_CASES, BLANK_LINES, COMPARED, DEFINITIONS, HEADINGS, OPTIONAL, Left, Lines)
from damage_documents import is_valid
from damage_verdicts import JOINED, LOST, MOVED, SPREAD, UNKNOWN, UNSTATED
from damages import BYTE, CUT, DIVIDE, DROP, DROPS, FIELD, JOIN, TYPE

# Kinds of damage whose changes include those of another kind.
LIKE = {DROPS: [DROP], CUT: [DROP], FIELD: [BYTE], TYPE: [BYTE]}

# Messages about documents, or lines of JSON, of which the rest cannot be read.
BROKEN = "not JSON|the input ends within|not in bpftrace's JSON format"

used = set()  # the entries of the tables that explained a change


def lines_of(damage):
    """Returns the damaged lines: a line that is joined with another one is one damaged line."""
    return damage.line.splitlines(keepends=True) if damage.lines else [damage.line]


def holds(entry, damage):
    """Returns whether an entry holds for the lines of a damage."""
    if isinstance(entry, Left):
        return any(re.match(entry.line, line) for line in lines_of(damage)) and not re.search(entry.absent, damage.data)
    if not isinstance(entry, Lines):
        return True
    front = os.path.commonprefix([damage.line, damage.made])
    return re.match(entry.made, damage.made) and re.fullmatch(entry.front, front, re.DOTALL) and \
        any(re.match(entry.line, line) for line in lines_of(damage))


def keys_of(damage, verdict):
    """Returns the kinds of changes in tables that include a change: one without a message includes that with one, also
    with one that does not know the weight."""
    kinds = [damage.kind, *LIKE.get(damage.kind, ())] + [JOIN] * damage.joins + [DIVIDE] * damage.divides
    verdicts = [verdict] + [JOINED] * (verdict == MOVED) + [LOST] * (verdict in (UNSTATED, UNKNOWN))
    return [(kind, v) for kind in kinds for v in verdicts]


def tables_of(format_, case_name):
    """Yields the tables of a format and a case, each with what names it in the whole."""
    for owner, tables in ((format_, AMBIGUOUS.get(format_, ())),
                          ((format_, case_name), AMBIGUOUS_CASES.get((format_, case_name), ()))):
        for i, table in enumerate((tables,) if isinstance(tables, dict) else tables):
            yield owner, i, table


def is_in_tables(format_, case, damage, verdict):
    """Returns whether an entry of the tables explains a change."""
    for owner, i, table in tables_of(format_, case.name):
        for key in keys_of(damage, verdict):
            if key in table and holds(table[key], damage):
                used.add((owner, i, key))
                return True
    return False


def is_heading(pattern, damage):
    """Returns whether a damaged line is a heading, or a line that is joined with one."""
    parts = damage.line.splitlines() if damage.joins or damage.lines else [damage.line]
    return any(re.match(pattern, part) for part in parts)


def is_other_column(pattern, case, after):
    """Returns whether the stacks stay the same and have other weights, or other ones are those of the only table with
    columns: stacks whose weight is 0 are not there."""
    titles = [line for line in case.data.splitlines() if re.match(pattern, line) and re.search(rb"[,;\t]", line)]
    return after.keys() == case.stacks.keys() or (after and len(titles) == 1)


def explains_document(format_, case, damage, verdict, texts):
    """Returns whether a JSON document is broken, which is reported; or a setting of all of it, or a definition that
    others refer to, is another one, which is reported; or a member is missing that may be."""
    document = case.document
    at = damage.at + len(damage.line) - len(damage.line.lstrip()) if damage.lines else damage.at
    path = document.path_at(at)
    if damage.lines and is_valid(case.data) and not is_valid(damage.data):
        return texts != []
    is_gone = document.is_in_key(at) or damage.lines > 0 or damage.data[at:at + 4] == b"null"
    if is_gone and re.search(OPTIONAL.get(format_, "$^"), path):
        used.add(("OPTIONAL", format_))
        return True
    is_definition = re.search(DEFINITIONS.get(format_, "$^"), path) is not None
    if is_definition:
        used.add(("DEFINITIONS", format_))
    if is_definition or "[]" not in path:
        return texts != [] or damage.numeric or is_definition and damage.lines > 0
    return is_gone and (texts != [] or damage.lines > 0 and (verdict in (LOST, SPREAD) or path.endswith("[]")))


def is_ambiguous(format_, case, damage, verdict, after, texts):
    """Returns whether the format cannot tell a change. A heading tells the unit and the column."""
    if any(re.search(BROKEN, text) for text in texts) and verdict not in (LOST, JOINED):
        return True
    if case.document is not None and explains_document(format_, case, damage, verdict, texts):
        return True
    if format_ in HEADINGS and is_heading(HEADINGS[format_], damage) and \
            (verdict != LOST or is_other_column(HEADINGS[format_], case, after)):
        used.add(("HEADINGS", format_))
        return True
    if is_in_tables(format_, case, damage, verdict):
        return True
    records = len(re.findall(COMPARED[format_].record, case.data)) if format_ in COMPARED else 0
    if format_ in COMPARED and records <= COMPARED[format_].few and \
            COMPARED[format_].may_explain(damage, verdict, records):
        used.add(("COMPARED", format_))
        return True
    if format_ in BLANK_LINES and damage.divides and verdict == MOVED:
        used.add(("BLANK_LINES", format_))
        return True
    return False


def unused(formats):
    """Returns the entries of the tables for some formats that explained no change."""
    entries = {(owner, i, key) for format_ in formats
               for owner, tables in [(format_, AMBIGUOUS.get(format_, ())), *(
                   item for item in AMBIGUOUS_CASES.items() if item[0][0] == format_)]
               for i, table in enumerate((tables,) if isinstance(tables, dict) else tables) for key in table}
    named = {"HEADINGS": HEADINGS, "COMPARED": COMPARED, "BLANK_LINES": BLANK_LINES, "OPTIONAL": OPTIONAL,
             "DEFINITIONS": DEFINITIONS}
    entries |= {(name, format_) for name, table in named.items() for format_ in formats if format_ in table}
    return sorted(map(str, entries - used))
