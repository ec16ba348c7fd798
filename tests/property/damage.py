#!/usr/bin/env python3
"""Checks that damage to one record of a text stays with that record, and that what is missing is reported.

Drops a line of a sound input, or replaces a byte of it. The stacks that change are compared with those of the sound
input: a stack may be lost, which a message says with the right weight, or change where its record was damaged. These
changes are no defects, since the damaged input is as sound as another one:

* a damaged name is another name, and lines that are joined or divided are other frames (`are_alike`);
* one record may have another stack as a whole, if no other record has it (`is_change`);
* a damaged number is another number, so weights may differ if a digit, sign or point is concerned;
* a heading holds for all records below it (HEADINGS), and a setting for all of a JSON document (`changes_document`);
* what a format cannot tell, which AMBIGUOUS lists with the reasons.

`damage.py FORMAT...` runs some formats. BRAZIER_EXHAUSTIVE=1 damages each format more often, and BRAZIER_DAMAGE=60 each
input so many times. The inputs are the golden cases without messages, and those of the corpora, if they are there.
"""
import collections
import os
import random
import re
import sys
from decimal import Decimal

from cases import brazier

SOURCE = os.environ["BRAZIER_SOURCE"]
GOLDEN = os.path.join(SOURCE, "tests", "golden", "collapse")
ROUNDS = 400 if os.environ.get("BRAZIER_EXHAUSTIVE") == "1" else 60
OF_EACH = int(os.environ.get("BRAZIER_DAMAGE", "0"))
LARGEST = 20000  # bytes of an input
NEW_BYTES = b"#xZ7 \n;\x01@"
NOT_CASES = ".folded", ".stderr", ".args", ".odd"

# ---- what formats cannot tell --------------------------------------------------------------------

LOST = "lost without a message"
JOINED = "a stack that no record has"
MOVED = "a stack that no record has, with a message"
SPREAD = "several records lost"
MISCOUNTED = "the weight that is reported is not the one that is missing"

RECORD_IS_A_LINE = "a dropped line is a record, and what is left is a sound input"
ANY_NAME = "names may contain every byte, so joined lines are one line with a long name"
PROSE = "lines of other programs stand between the records, and a line that is none of the format is one of these"
NO_SEPARATOR = "only the damaged line divides two records"
HEADING = "a heading or a title holds for all records below it"
TREE = "the lines above a line are its callers, so its place in the tree is that of the lines that are left"
BEGIN_AND_END = "time passes between the beginnings and ends of calls: what has no end lasts as long as its caller"
NUMBERED = "records refer to others by their number in the input"
REFERENCES = "records refer to stacks and frames that other lines define, and a damaged definition concerns all of them"
DOCUMENT = "a document: after a broken bracket, nothing can be assigned"
WAITS = "the time of a wait counts for the stack of the row before, in which the task began to wait"
SIDES = "a kernel stack is known by one of its names, and without headers the user stack after it is of the same event"
FEW_EVENTS = "of one or two events, none shows the blank lines and headers that the others should have"
A_COMPLETE_EVENT = "a message of bpftrace that loses its first byte to a line break, where a header could be"
ESCAPES = "an escape in the text of a JSON line is a line break of what was printed"
TEXT_OF_A_MAP = "a map whose value is a text has no keys, and is skipped"
FEW_RECORDS = "of one or two event lines, none shows which fields and which event the others should have"
MIXED = "lines of several layouts, so none shows which fields the others should have"
FEW_COUNTS = "of one or two counts, none shows how many parts a stack has, and how counts are indented"
ONLY_A_NAME = "without ids, time and event, a line is an event line only because it is behind a blank line"
DIVIDED = "a new blank line ends the stack above it; a message reports the lines below it"
A_NUMBER_IS_A_COUNT = "a line that is divided behind its first number has the line of a count"
NO_WEIGHT = "a record without weight has no stack, until its 0 becomes another number"
NO_COSTS = "costs that are 0 may be missing, so a line that is divided behind its position is two lines"
COMMENT = "a comment may contain every text"
OPEN_QUOTE = "a quote that is not closed encloses what follows it on its line, up to the next quote"
CALLEES_HAVE_MORE = "callees have more than their callers, so a caller keeps less than its damaged callee has"

# Kinds of damage. Bytes that join two lines, or divide one, are damaged bytes, too.
DROP, BYTE, JOIN, DIVIDE = "a dropped line", "a damaged byte", "two joined lines", "a divided line"

# A reason that holds for damage to the lines that an expression matches.
Lines = collections.namedtuple("Lines", "reason line")


def if_reported(reason, *others):
    """Returns the changes to several records that a message reports, and others, with the reason."""
    reported = [(kind, verdict) for kind in (DROP, BYTE) for verdict in (MOVED, SPREAD)]
    return {key: reason for key in (*reported, *others)}


A_LINE = {(DROP, LOST): RECORD_IS_A_LINE}
FOLDED_LINE = {**A_LINE, (JOIN, JOINED): ANY_NAME}
NAMED_LINE = {**A_LINE, (BYTE, LOST): ANY_NAME, (BYTE, JOINED): ANY_NAME, (BYTE, SPREAD): ANY_NAME,
              (DROP, SPREAD): RECORD_IS_A_LINE}

# The same for single cases, whose layout tells less than others of the format.
AMBIGUOUS_CASES = {
    ("bcc", "empty-frames.txt"): FOLDED_LINE,
    ("bcc", "offwaketime-folded.txt"): FOLDED_LINE,
    ("bpftrace", "events.txt"): {(DIVIDE, JOINED): Lines(A_COMPLETE_EVENT, rb"Lost ")},
    **{("bpftrace", name): {(BYTE, JOINED): FEW_EVENTS} for name in (
        "not-indented-events.txt", "raw-crlf.txt", "raw-events.txt")},
    ("bpftrace", "events-without-header.txt"): {(BYTE, JOINED): SIDES, (BYTE, LOST): SIDES, (DROP, JOINED): SIDES,
                                                (DROP, LOST): SIDES},
    ("bpftrace", "keys-of-any-shape.txt"): {(DROP, LOST): Lines(RECORD_IS_A_LINE, rb"@\[.*\]: ")},
    ("bpftrace", "printed.json"): {(BYTE, JOINED): ESCAPES, (BYTE, LOST): Lines(TEXT_OF_A_MAP, rb'{"type": "map"')},
    ("pprof", "legacy-threads-by-name.txt"): {(BYTE, LOST): NO_SEPARATOR},
    ("vtune", "quotes.csv"): {(BYTE, LOST): OPEN_QUOTE},
    ("vsprof", "numbers.csv"): {(BYTE, MISCOUNTED): CALLEES_HAVE_MORE},
    ("vtune", "totals-only.csv"): {(BYTE, MISCOUNTED): CALLEES_HAVE_MORE},
    ("xdebug", "bug00178-fmt1.xt"): {(BYTE, LOST): BEGIN_AND_END},
    ("xdebug", "bug00314-win-fmt0.xt"): {(BYTE, LOST): BEGIN_AND_END},
    ("callgrind", "xdebug.out"): {(DIVIDE, JOINED): NO_COSTS},
    ("chrome-trace", "own.json"): {(BYTE, JOINED): HEADING},
    ("folded", "comments-and-blanks.txt"): {(DIVIDE, MISCOUNTED): COMMENT},
    ("folded", "two-counts.txt"): {(DIVIDE, MISCOUNTED): A_NUMBER_IS_A_COUNT},
    ("recursive", "two-counts.txt"): {(DIVIDE, MISCOUNTED): A_NUMBER_IS_A_COUNT},
    ("pmc", "two-events.txt"): {(JOIN, LOST): COMMENT},
    ("speedscope", "evented.json"): {(BYTE, MOVED): BEGIN_AND_END, (BYTE, SPREAD): BEGIN_AND_END},
    ("firefox", "own.json"): {(BYTE, LOST): HEADING},
    ("gdb", "core.txt"): {(DROP, JOINED): PROSE, (BYTE, JOINED): PROSE},
    ("gdb", "own-v.txt"): {(BYTE, JOINED): PROSE},
    ("dhat", "heap.json"): {(BYTE, JOINED): NO_WEIGHT},
    ("dtrace", "keys.txt"): {(DROP, JOINED): FEW_COUNTS},
    ("dtrace", "stack-ustack.txt"): {(DROP, JOINED): FEW_COUNTS},
    ("dtrace", "headers-between.txt"): {(BYTE, MISCOUNTED): A_NUMBER_IS_A_COUNT},
    ("dtrace", "other-blanks.txt"): {(BYTE, JOINED): FEW_COUNTS},
    **{("perf", name): A_LINE for name in (
        "fields-flat.txt", "one-line-stacks-with-source.txt", "single-line-stacks.txt",
        "tracepoints-alone.txt", "tracepoints-with-payload-and-stack.txt", "tracepoints-without-process.txt",
        "tracepoints-without-time.txt")},
    ("perf", "fields-comm-ids-ip-sym.txt"): {(DIVIDE, JOINED): ONLY_A_NAME},
    ("perf", "fields-comm-ip-sym.txt"): {(BYTE, JOINED): ONLY_A_NAME},
    ("perf", "fields-flat-ip-sym-dso.txt"): {**A_LINE, (BYTE, LOST): ANY_NAME},
    ("perf", "fields-ip-sym-dso.txt"): {(BYTE, JOINED): NO_SEPARATOR},
    ("perf", "fields-mode.txt"): {(DIVIDE, SPREAD): MIXED},
    ("perf", "fields-physical-address.txt"): {(DROP, LOST): NO_SEPARATOR, (BYTE, SPREAD): NO_SEPARATOR},
    ("perf", "fields-without-blank-lines.txt"): {(BYTE, JOINED): NO_SEPARATOR},
    ("perf", "one-line-stacks.txt"): {**A_LINE, (BYTE, LOST): FEW_RECORDS},
    ("perf", "fields-no-time.txt"): {(BYTE, JOINED): FEW_RECORDS},
    ("perf", "side-band-without-time.txt"): {(BYTE, JOINED): FEW_RECORDS},
    ("perf", "one-line-stacks-with-columns.txt"): {**A_LINE, (BYTE, LOST): MIXED, (BYTE, JOINED): MIXED,
                                                   (DIVIDE, MISCOUNTED): MIXED},
    ("perf", "tracepoints-without-event.txt"): {**A_LINE, (BYTE, JOINED): ONLY_A_NAME},
}

# Formats whose records show together what each of them has: of one or two, none shows that the damaged one is odd.
Compared = collections.namedtuple("Compared", "reason record may_explain")
COMPARED = {
    "dtrace": Compared(FEW_COUNTS, rb"(?m)^\s*\d+\r?$",
                       lambda damage, _: damage.kind == DROP or damage.divides or damage.joins),
    "perf": Compared(FEW_RECORDS, rb"(?m)^(?![\t#|]|.*PERF_RECORD).*\d\.\d+: .*:( .*|\r?)$",
                     lambda _, verdict: verdict != JOINED),
}

# Formats in which a damaged byte that becomes a newline divides a stack.
BLANK_LINES = {"bpftrace": DIVIDED, "perf": DIVIDED}

# The lines of a format that hold for all records below them: headings, titles, units, positions of modules.
HEADINGS = {
    "callgrind": rb"(version|creator|cmd|part|positions|events?|desc|summary|totals|ob|fl|fn|cfn|cob)\b",
    "instruments": rb".*\b(Weight|Time|Cycles|Bytes|Symbol|Self)\b",
    "massif": rb"(desc|cmd|time_unit|#|snapshot|time|mem_|heap_tree)",
    "pmc": rb"@ ",
    "pprof": rb"(heap|---|thread|goroutine|(sampling|cycles|resolution|format|ms since|discarded|period)\b|MAPPED|"
             rb"build=| *[0-9a-f]+-[0-9a-f]+[ :]|[\w ]*profile|[\w ]+$|.*=)",
    "vsprof": rb"(?i).*(level|function name|process name)\b.*\b(samples|inclusive|exclusive|elapsed|calls|percent)",
    "vtune": rb"(?i).*\b(function|callstack|module|call stack|source file)\b.*\b(time|module|self|total|count|size|"
             rb"stack|allocat\w*)\b|[^,;\t]*$",
}

# Formats whose messages state the weight of damaged lines only, not what their callers and callees lose or keep.
UNWEIGHED = {"aix", "strace"}

# The changes that are no defects, and the reasons, by format. Formats that are not here have none.
AMBIGUOUS = {
    "aix": dict.fromkeys(((DROP, LOST), (DROP, JOINED)), Lines(NO_SEPARATOR, rb"\d+: |---")),
    "austin": NAMED_LINE,
    "callgrind": if_reported(REFERENCES),
    "du": {**NAMED_LINE, **if_reported(TREE)},
    "faulthandler": {(DROP, LOST): NO_SEPARATOR, (DROP, JOINED): NO_SEPARATOR, (BYTE, JOINED): NO_SEPARATOR},
    "folded": NAMED_LINE,
    "ftrace": {**A_LINE, (BYTE, LOST): PROSE, (BYTE, JOINED): BEGIN_AND_END, (BYTE, SPREAD): BEGIN_AND_END,
               (DROP, SPREAD): BEGIN_AND_END},
    "gdb": {(DROP, LOST): PROSE},
    "ghcprof": {**if_reported(TREE, (DROP, JOINED)), **A_LINE},
    "go": {(DROP, JOINED): REFERENCES, (BYTE, JOINED): REFERENCES},
    "gprof": {(DROP, JOINED): HEADING, (BYTE, JOINED): HEADING},
    "heaptrack": {**if_reported(NUMBERED, (DROP, JOINED)), **A_LINE},
    "hprof": {**if_reported(REFERENCES), **A_LINE},
    "instruments": {**if_reported(TREE, (DROP, JOINED), (BYTE, JOINED)), **A_LINE},
    "java-exceptions": {**A_LINE, (DROP, JOINED): Lines(NO_SEPARATOR, rb"\s*(Caused by|Suppressed|\S.*Exception)")},
    "ljp": {**A_LINE, (BYTE, LOST): ANY_NAME, (DROP, SPREAD): TREE, (BYTE, SPREAD): TREE},
    "lldb": {(DROP, JOINED): PROSE, (BYTE, JOINED): PROSE},
    "massif": {**if_reported(TREE), **A_LINE},
    "papyrus": {**if_reported(TREE), **A_LINE},
    "pmc": {**if_reported(TREE), **A_LINE},
    "pprof": {**if_reported(HEADING, (DROP, JOINED)), **A_LINE},
    "pstack": dict.fromkeys(((DROP, LOST), (DROP, JOINED)), Lines(NO_SEPARATOR, rb"(core .*)?\d+:\s|---")),
    "recursive": NAMED_LINE,
    "sample": {(BYTE, JOINED): ANY_NAME, (DROP, SPREAD): HEADING, (BYTE, SPREAD): HEADING},
    "simpleperf-text": A_LINE,
    "stap": {(DROP, JOINED): NO_SEPARATOR, (BYTE, JOINED): ANY_NAME, (BYTE, LOST): ANY_NAME},
    "strace": {**A_LINE, (DROP, JOINED): Lines(NO_SEPARATOR, rb"(?! > )")},
    "timehist": {**A_LINE, (DROP, JOINED): WAITS, (BYTE, JOINED): WAITS},
    "vsprof": {**if_reported(TREE, (DROP, JOINED)), **A_LINE},
    "vtune": {**if_reported(TREE, (DROP, JOINED), (BYTE, JOINED)), **A_LINE},
    "xctrace": {**A_LINE, (BYTE, SPREAD): DOCUMENT},
    "xdebug": {**if_reported(BEGIN_AND_END, (DROP, JOINED), (BYTE, JOINED)), **A_LINE},
}


# ---- inputs --------------------------------------------------------------------------------------

Case = collections.namedtuple("Case", "name data stacks")


def fold(format_, data):
    """Returns the stacks of an input with their weights, and the messages."""
    p = brazier(["--no-config", "collapse", format_], data)
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
    """Yields the paths of the golden cases that have no messages."""
    folder = os.path.join(GOLDEN, format_)
    for name in sorted(os.listdir(folder)):
        base, ending = os.path.splitext(os.path.join(folder, name))
        if ending not in NOT_CASES and not os.path.exists(base + ".stderr"):
            yield base + ending


def cases_of(format_, paths):
    """Returns the inputs that are small text and have stacks, and no messages."""
    cases = []
    for path in paths:
        with open(path, "rb") as f:
            data = f.read(LARGEST + 1)
        if len(data) > LARGEST or b"\0" in data or not data.strip():
            continue
        stacks, messages = fold(format_, data)
        if sum(stacks.values()) > 0 and not messages:
            cases.append(Case(os.path.basename(path), data, stacks))
    return cases


# ---- damage --------------------------------------------------------------------------------------

# `line`: the damaged line. `at`: the damaged byte. `frames`: how many frames the damaged lines have, at most.
# `joins`: two lines are one. `divides`: one line is two.
Damage = collections.namedtuple("Damage", "text data line at kind numeric frames joins divides")

DIGITS = b"0123456789.-+,"


def frames_of(*lines):
    """Returns how many frames lines have at most: two, and those that perf found inlined."""
    return 2 + sum(line.count(b"->") for line in lines)


def drop_line(rng, data):
    lines = data.splitlines(keepends=True)
    i = rng.randrange(len(lines))
    numeric = re.fullmatch(rb"[\s\d.,-]*\d[\s\d.,-]*", lines[i]) is not None
    return Damage(f"line {i + 1} dropped: {lines[i]}", b"".join(lines[:i] + lines[i + 1:]), lines[i], None, DROP,
                  numeric, frames_of(lines[i]), False, False)


def replace_byte(rng, data):
    i = rng.randrange(len(data))
    new = bytes([rng.choice([c for c in NEW_BYTES if c != data[i]])])
    old = data[i:i + 1]
    numeric = old in DIGITS or new in b"0123456789.-"
    line = data.count(b"\n", 0, i) + 1
    start, end = data.rfind(b"\n", 0, i) + 1, data.find(b"\n", i + 1)
    return Damage(f"byte {i} of line {line}: {old} is {new}", data[:i] + new + data[i + 1:], data[start:end], i, BYTE,
                  numeric, frames_of(data[start:end]) + (new == b"\n"), old == b"\n", new == b"\n")


# ---- checks --------------------------------------------------------------------------------------

def is_renamed(a, b):
    """Returns whether two stacks differ in the name of one function."""
    return len(a) == len(b) and len({(x, y) for x, y in zip(a, b, strict=True) if x != y}) == 1


def are_alike(a, b, frames):
    """Returns whether two stacks differ in the name of one function, or in up to `frames` frames that follow each
    other, but not as a whole."""
    same = 0
    while same < min(len(a), len(b)) and a[same] == b[same]:
        same += 1
    ends = 0
    while ends < min(len(a), len(b)) - same and a[-1 - ends] == b[-1 - ends]:
        ends += 1
    shared = same + ends
    if max(len(a), len(b)) - shared <= frames and (shared > 0 or min(len(a), len(b)) == 1):
        return True
    return is_renamed(a, b)


def changes(before, after, frames):
    """Returns the stacks that are lost and those that are new, without those that became each other."""
    lost, new = before - after, after - before
    for stack in new:
        for other in lost:
            if new[stack] > 0 and lost[other] > 0 and are_alike(stack, other, frames):
                weight = min(new[stack], lost[other])
                new[stack] -= weight
                lost[other] -= weight
    return +lost, +new


def stated_weight(messages):
    """Returns the weight that a message says is left out, or None if it is not known as a whole."""
    if "rest is left out" in messages or "left out up to" in messages:
        return None
    found = re.search(r"note: left out: \d+ records?, weight (-?[\d.]+)", messages)
    return None if found is None else Decimal(found[1])


def is_change(case, lost, new):
    """Returns whether a record of the same weight has another stack, which no other record has."""
    return list(lost.values()) == list(new.values()) and len(lost) == 1 and next(iter(new)) not in case.stacks


def is_scaled(before, after):
    """Returns whether all stacks have the same part of their weight: a setting for all is another number."""
    return before.keys() == after.keys() and len({after[s] / before[s] for s in before if before[s]}) == 1


def is_right(damage, stated, missing):
    """Returns whether a stated weight is what is missing; a dropped line is not there to be weighed."""
    return stated == missing or (damage.kind == DROP and 0 < stated < missing)


def judge(case, damage, after, messages):
    """Returns the defect that the damage shows, or None."""
    lost, new = changes(case.stacks, after, damage.frames)
    if damage.numeric and is_scaled(case.stacks, after):
        return None
    stated = stated_weight(messages)
    if damage.numeric:
        new = {stack: weight for stack, weight in new.items()
               if not any(are_alike(stack, other, damage.frames) for other in case.stacks)}
        lost = {} if not new and len(lost) <= 1 else lost
    if new:
        return None if is_change(case, lost, new) else MOVED if messages else JOINED
    if lost and not messages:
        return LOST
    missing = sum(case.stacks.values()) - sum(after.values())
    if stated is not None and not damage.numeric and not is_right(damage, stated, missing):
        return MISCOUNTED
    return SPREAD if len(lost) > 1 + damage.joins else None


KEY = re.compile(rb'"(?:[^"\\]|\\.)*"(?=\s*:)|\\"[^"\\]*\\"(?=\s*:)')  # also of a document in a string
SETTING = re.compile("not a mode of|unknown (type|unit) of")


def is_in_key(data, at):
    """Returns whether a byte of a JSON document belongs to the key of a member."""
    return any(match.start() <= at < match.end() for match in KEY.finditer(data))


def is_document(case):
    return case.data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"{", b"[")


def changes_document(case, damage, messages):
    """Returns whether a JSON document is broken, which is reported; or has one member or element less, after which
    elements have other numbers; or another member, which readers skip; or another number or setting, which is
    reported and may hold for all of the document."""
    is_broken = "not JSON" in messages or "the input ends within" in messages
    is_setting = (damage.numeric and messages != "") or SETTING.search(messages) is not None
    return is_broken or is_setting or damage.kind == DROP or is_in_key(case.data, damage.at)


def is_in_table(table, damage, verdict):
    """Returns whether a table of changes has that of a damage. A change without a message includes that with one."""
    kinds = [damage.kind] + [JOIN] * damage.joins + [DIVIDE] * damage.divides
    verdicts = [verdict] + [JOINED] * (verdict == MOVED)
    found = (table.get((kind, v)) for kind in kinds for v in verdicts)
    return any(known is not None and (not isinstance(known, Lines) or re.match(known.line, damage.line))
               for known in found)


def is_heading(pattern, damage):
    """Returns whether a damaged line is a heading, or a line that is joined with one."""
    parts = damage.line.splitlines() if damage.joins else [damage.line]
    return any(re.match(pattern, part) for part in parts)


def is_ambiguous(format_, case, damage, verdict, messages):
    """Returns whether the format cannot tell the change."""
    if verdict == MISCOUNTED and format_ in UNWEIGHED:
        return True
    if is_document(case) and changes_document(case, damage, messages):
        return True
    if format_ in HEADINGS and is_heading(HEADINGS[format_], damage):
        return True
    tables = AMBIGUOUS.get(format_, {}), AMBIGUOUS_CASES.get((format_, case.name), {})
    if any(is_in_table(table, damage, verdict) for table in tables):
        return True
    if format_ in COMPARED and COMPARED[format_].may_explain(damage, verdict) and \
            len(re.findall(COMPARED[format_].record, case.data)) <= 2:
        return True
    return format_ in BLANK_LINES and damage.divides and verdict == MOVED


def check(format_, case, seed):
    """Damages a case. Returns what is wrong with the result, or None."""
    rng = random.Random(f"{format_} {case.name} {seed}")
    damage = (drop_line if rng.random() < .4 else replace_byte)(rng, case.data)
    after, messages = fold(format_, damage.data)
    verdict = judge(case, damage, after, messages)
    if verdict is None or is_ambiguous(format_, case, damage, verdict, messages):
        return None
    lost, new = changes(case.stacks, after, damage.frames)
    return f"{case.name}: {damage.text}: {verdict}\n  lost {dict(lost)}\n  new {dict(new)}\n  {messages}"


def check_all(format_, cases, rounds):
    """Damages each case of a format. Returns the number of checks, and of those that failed."""
    failed = 0
    for case in cases:
        for seed in range(rounds):
            wrong = check(format_, case, seed)
            failed += wrong is not None
            if wrong is not None:
                print(f"FAILED {format_}, seed {seed}, {wrong}")
    return len(cases) * rounds, failed


def main():
    formats = sys.argv[1:] or sorted(os.listdir(GOLDEN))
    done = failed = 0
    for format_ in formats:
        golden, real = (cases_of(format_, paths) for paths in (golden_files(format_), corpus_files(format_)))
        for cases, rounds in (golden, ROUNDS // (len(golden) + 1) + 1), (real, ROUNDS // 20):
            n, wrong = check_all(format_, cases, OF_EACH or rounds)
            done, failed = done + n, failed + wrong
    print(f"{done - failed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
