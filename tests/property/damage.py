#!/usr/bin/env python3
"""Checks that damage to one record of a text stays with that record, and that what is missing is reported.

Drops a line of a sound input, or replaces a byte of it. The stacks that change are compared with those of the sound
input: a stack may be lost, which a message says with the right weight, or change where its record was damaged. Messages
and weights that the sound input has already do not count. These changes are no defects, since the damaged input is as
sound as another one:

* a damaged name is another name, and lines that are joined or divided are other frames (`are_alike`);
* one record may have another stack as a whole, if no other record has it (`is_change`);
* a damaged number is another number, so weights may differ if a digit, sign or point becomes another one;
* a heading holds for all records below it (HEADINGS), and a setting for all of a JSON document (`changes_document`);
* what a format cannot tell, which AMBIGUOUS lists with the reasons.

`damage.py FORMAT...` runs some formats. BRAZIER_EXHAUSTIVE=1 damages each format more often, and BRAZIER_DAMAGE=60 each
input so many times. The inputs are the golden cases, and those of the corpora, if they are there.
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
NEW_BYTES = b"#xZ7 \n;\x01@\t\0"
NOT_CASES = ".folded", ".stderr", ".args", ".odd"

# ---- what formats cannot tell --------------------------------------------------------------------

LOST = "lost without a message"
JOINED = "a stack that no record has"
MOVED = "a stack that no record has, with a message"
SPREAD = "several records lost"
MISCOUNTED = "the weight that is reported is not the one that is missing"
UNSTATED = "lost with a message that states no weight"
UNKNOWN = "lost with a weight that is said to be unknown"

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
SIDES = "a kernel stack is known by one of its names, and without headers the user stack after it is of the same event"
A_COMPLETE_EVENT = "a message of bpftrace that loses its first byte to a line break, where a header could be"
COMMON_FRAMES = "without the line that counts its common frames, a trace is that of its own frames"
FEW_RECORDS = "of one or two event lines, none shows which fields and which event the others should have"
MIXED = "lines of several layouts, so none shows which fields the others should have"
FEW_COUNTS = "of one or two counts, none shows how many parts a stack has, and how counts are indented"
ONLY_A_NAME = "without ids, time and event, a line is an event line only because it is after a blank line"
DIVIDED = "a new blank line ends the stack above it; a message reports the lines below it"
A_NUMBER_IS_A_COUNT = "a line that is divided after its first number has the line of a count"
NO_COSTS = "costs that are 0 may be missing, so a divided line is two lines, and one without a blank has fewer costs"
COMMENT = "a comment may contain every text"
SUM_ALONE = "a sum of the file tells that a row is missing, and nothing which"
RAW_DATA = "a line with the letter x is one of raw data, which is another format, and told so"
BLANK_IN_NUMBER = "the number of the line has a blank between its thousands"
OTHER_NUMBER = "after the line break, what is left of a number is another one"
SUM_OF_CYCLE = "a row that is none of the format may be that of a function, and only its name tells the sum of a cycle"
IDLE = "a sample without frames is one in which nothing ran"
OTHER_THREAD = "a damaged name of a thread is that of another thread"
TWICE = "the current thread stands there twice, which only the lines with its name and the headings above them tell"
TOTAL_ALONE = "a row has no other rows below it than those that are joined, so its total counts, which has theirs"
SETTLED = "calls of a row that is left out are settled with those of the rows around it"
A_PERIOD = "a line that is none of the format may have a period"
RELATIVE = "the numbers of a line are differences to those of the lines above"
NO_EVENT = "a line that ends after its time may be that of a sample, or of a record between samples"
PAYLOAD = "what an event prints may have several lines and every text, also that of another event or of a stack"
SOURCE_TEXT = "a line of source may contain every text, also that of an event line"
OWN_OF_TOTAL = "a row has its total: what is its own, the rows below it leave"
SCALED = "the weight is computed from the numbers of the line, by the rate in the heading"
SHARE = "the weight is the share of the line in the total of the heading"
BINARY_UNITS = "the amount of the line is in units of 1024"
LETTER = "what a line is, its first letter tells, and which allocation it is of, its number"
PHASE = "without its phase, an event has no known duration, and without an event, its calls have no caller"
PART = "an event is a part of a profile by its name"
NAMED_WAIT = "a thread that waits is known by the name of its function"
NAMED_SUM = "a sum is known by its name"
FIRST_EVENT = "of several events, that of the first sample counts"
HEX_NAME = "the name of a process is a hexadecimal number, so the line looks like a line of a stack"
EMPTY_THREAD = "without the line that says that a thread has no frame, they may be missing"
WHICH_COMMON = "which frames are common, only their number tells"
DIVIDED_TIME = "the time of a function is divided among the stacks of its callers"
FEW_EVENTS = "one or two events do not show how many stacks each has: the last line of one may be another header"
MAP_NAME = "several maps are several columns: without its name, an entry has no known one"
OPEN_QUOTE = "a quote that is not closed encloses what follows it on its line, up to the next quote"
CALLEES_HAVE_MORE = "callees have more than their callers, so a caller keeps less than its damaged callee has"

# Kinds of damage. Bytes that join two lines, or divide one, are damaged bytes, too.
DROP, BYTE, JOIN, DIVIDE = "a dropped line", "a damaged byte", "two joined lines", "a divided line"

# A reason that holds for damage to the lines that an expression matches, if it makes of them what another one matches.
Lines = collections.namedtuple("Lines", "reason line made", defaults=(rb"",))


def if_reported(reason, *others):
    """Returns the changes to several records that a message reports, and others, with the reason."""
    reported = [(kind, verdict) for kind in (DROP, BYTE) for verdict in (MOVED, SPREAD)]
    return {key: reason for key in (*reported, *others)}


def of_lines(reason, line, *keys):
    """Returns the changes by damage to the lines that an expression matches, with the reason."""
    return dict.fromkeys(keys, Lines(reason, line))


def rows(line):
    """Returns the change by a dropped line of those that an expression matches: each is a record."""
    return of_lines(RECORD_IS_A_LINE, line, (DROP, LOST))


A_LINE = {(DROP, LOST): RECORD_IS_A_LINE}
FOLDED_LINE = {**A_LINE, (JOIN, JOINED): ANY_NAME}
NAMED_LINE = {**A_LINE, (JOIN, LOST): ANY_NAME, (JOIN, JOINED): ANY_NAME, (JOIN, SPREAD): ANY_NAME,
              (DIVIDE, MOVED): ANY_NAME}

# The same for single cases, whose layout tells less than others of the format.
AMBIGUOUS_CASES = {
    ("bcc", "empty-frames.txt"): FOLDED_LINE,
    ("bcc", "offwaketime-folded.txt"): FOLDED_LINE,
    ("bpftrace", "events.txt"): {(DIVIDE, JOINED): Lines(A_COMPLETE_EVENT, rb"Lost ")},
    ("bpftrace", "printed.json"): of_lines(PROSE, rb'{"type": "printf"', (BYTE, UNSTATED)),
    ("bpftrace", "not-indented-events.txt"): of_lines(FEW_EVENTS, rb"do_syscall_64\+115", (BYTE, JOINED)),
    **{("bpftrace", name): of_lines(FEW_EVENTS, rb"ffffffff817cc076|55a8a23d0c20|\r$", (BYTE, JOINED)) for name in (
        "raw-crlf.txt", "raw-events.txt")},
    ("bpftrace", "events-without-header.txt"): {(BYTE, JOINED): SIDES, (BYTE, LOST): SIDES, (DROP, JOINED): SIDES,
                                                (DROP, LOST): SIDES},
    ("bpftrace", "keys-of-any-shape.txt"): {(DROP, LOST): Lines(RECORD_IS_A_LINE, rb"@\[.*\]: ")},
    ("ghcprof", "two-reports.prof"): of_lines(NO_SEPARATOR, rb"$", (DROP, UNKNOWN)),
    **{(format_, "two-counts.txt"): {(BYTE, JOINED): A_NUMBER_IS_A_COUNT, (BYTE, LOST): A_NUMBER_IS_A_COUNT}
       for format_ in ("folded", "recursive")},
    ("austin", "full.txt"): {(BYTE, LOST): Lines(A_NUMBER_IS_A_COUNT, rb".*,", rb".*\d \d+,")},
    ("vtune", "quotes.csv"): {(BYTE, LOST): OPEN_QUOTE},
    ("vsprof", "numbers.csv"): {(BYTE, MISCOUNTED): CALLEES_HAVE_MORE,
                                (BYTE, UNKNOWN): Lines(BLANK_IN_NUMBER, rb'.*"\d+ \d')},
    ("callgrind", "xdebug.out"): (rows(rb"\d"), of_lines(NO_COSTS, rb"\d+ ", (DIVIDE, JOINED), (DIVIDE, UNSTATED)),
                                  dict.fromkeys([(BYTE, JOINED), (BYTE, UNSTATED)], Lines(
                                      NO_COSTS, rb"\d+ -?\d+ -?\d+$", rb"\d+ -?\d+$"))),
    **{("callgrind", name): rows(rb"\d") for name in ("callers.out", "callgrind.cfn-reset.log")},
    ("callgrind", "callgrind.multiple-event-types.log"): (rows(rb"\d"), of_lines(NO_COSTS, rb"\d+ ", (DIVIDE, JOINED))),
    ("callgrind", "callgrind.subposition-compression.log"): (rows(rb"[-+]?\d"),
                                                             of_lines(RELATIVE, rb"[-+]\d", (BYTE, UNKNOWN))),
    ("gprof", "vtune.txt"): {(BYTE, MISCOUNTED): Lines(SUM_OF_CYCLE, rb"\[7\] .* <cycle 1 as a whole>",
                                                       rb"(?!\[7\] .* <cycle 1 as a whole>)")},
    ("chrome-trace", "clang.json"): {(BYTE, JOINED): NAMED_SUM},
    ("du", "without-a-folder.txt"): of_lines(TREE, rb".*/src/", (DROP, JOINED)),
    ("faulthandler", "dumps.txt"): of_lines(EMPTY_THREAD, rb" +<no Python frame>", (DROP, MISCOUNTED),
                                            (BYTE, MISCOUNTED)),
    ("java-exceptions", "log.txt"): of_lines(WHICH_COMMON, rb"\s+at ", (DROP, JOINED)),
    ("sample", "waiting.txt"): (of_lines(TREE, rb"[\s+!:|]*\d", (DROP, JOINED)),
                                of_lines(NAMED_WAIT, rb" +\d+ (__psynch_cvwait|mach_msg2_trap|read) ", (BYTE, JOINED))),
    **{("perf", name): of_lines(FIRST_EVENT, rb"app 100 \[000\] 1\.0: ", (BYTE, MOVED), (DROP, MOVED)) for name in (
        "several-events.txt", "several-events-without-stacks.txt")},
    ("perf", "cut-off-stack-before-event-line.txt"): of_lines(NO_SEPARATOR, rb"app .*1\.000400: ", (DROP, JOINED)),
    ("perf", "tracepoints-of-hex-names.txt"): {(BYTE, JOINED): HEX_NAME},
    **{("perf", name): (rows(rb"app 100/100 "), of_lines(
        PAYLOAD, rb"app 100/100 ", (DROP, MISCOUNTED), (BYTE, MISCOUNTED), (BYTE, SPREAD), (BYTE, MOVED),
        (DIVIDE, JOINED))) for name in (
            "tracepoints-payloads.txt", "tracepoints-payloads-without-modules.txt")},
    ("perf", "one-line-stacks-with-source.txt"): (A_LINE, of_lines(A_PERIOD, rb".*\d\.\d+:", (BYTE, UNKNOWN))),
    ("perf", "fields-no-ids.txt"): of_lines(MIXED, rb"(gcc|cc1) ", (DROP, UNKNOWN), (BYTE, UNKNOWN), (BYTE, UNSTATED)),
    ("ljp", "crlf.txt"): {**rows(rb" 3 1 "), (JOIN, LOST): ANY_NAME},
    ("perf", "source-text.txt"): (of_lines(SOURCE_TEXT, rb"(\n)?\|15 ", (BYTE, MISCOUNTED)),
                                  {(BYTE, LOST): Lines(FEW_RECORDS, rb"app 100 1\.0: 2 ",
                                                       rb"app 100 1\.0:\s+cycles: ")}),
    ("bcc", "prose.txt"): (rows(rb"\^Cdd;"),
                           of_lines(PROSE, rb"    \./tool 5|some prose", (DROP, MISCOUNTED), (BYTE, JOINED)),
                           of_lines(FEW_COUNTS, rb"        2", (BYTE, LOST), (DROP, LOST))),
    ("instruments", "inverted.txt"): (of_lines(ANY_NAME, rb"\d.*\t ", (BYTE, JOINED)),
                                      of_lines(TREE, rb"8\.00 ms", (BYTE, UNKNOWN))),
    ("jstack", "javacore-current-damaged.txt"): (
        of_lines(TWICE, rb"1XMCURTHDINFO", (DROP, MISCOUNTED)),
        of_lines(TWICE, rb"1XMTHDINFO", (BYTE, LOST), (DROP, LOST))),
    ("instruments", "incomplete.txt"): (of_lines(TOTAL_ALONE, rb"8\.00 ms", (JOIN, MISCOUNTED)),
                                        of_lines(ANY_NAME, rb"8\.00 ms", (BYTE, JOINED))),
    ("vtune", "totals-only.csv"): of_lines(CALLEES_HAVE_MORE, rb" other,", (BYTE, MISCOUNTED)),
    **{("hprof", name): rows(rb" *\d+ +[\d.,]+% +[\d.,]+% +\d+ +\d+ ") for name in ("locks.txt", "times.txt")},
    **{("vsprof", name): {(BYTE, UNKNOWN): SETTLED} for name in ("equal-stacks.csv", "instrumentation.csv")},
    ("vsprof", "calls-settled.csv"): {(BYTE, UNKNOWN): CALLEES_HAVE_MORE},
    ("vsprof", "inclusive-alone.csv"): {(BYTE, MISCOUNTED): CALLEES_HAVE_MORE},
    **{("vtune", name): of_lines(OWN_OF_TOTAL, rb".+,", (BYTE, UNKNOWN)) for name in (
        "callstacks-limited.csv", "total-seconds.csv")},
    ("xctrace", "sentinels.xml"): of_lines(REFERENCES, rb"<row>.* id=", (DROP, MISCOUNTED)),
    ("chrome-trace", "ties.json"): of_lines(OTHER_THREAD, rb'{"ph":"[BE]"', (BYTE, LOST)),
    ("chrome-trace", "own.json"): of_lines(HEADING, rb'"otherData"', (BYTE, JOINED)),
    ("chrome-trace", "profile.json"): of_lines(PART, rb'.*"ProfileChunk"', (BYTE, MISCOUNTED)),
    ("firefox", "own.json"): {(BYTE, LOST): HEADING},
    ("gdb", "core.txt"): {(DROP, JOINED): PROSE, (BYTE, JOINED): PROSE},
    ("dtrace", "keys.txt"): {(DROP, JOINED): FEW_COUNTS},
    ("dtrace", "headers-between.txt"): {(BYTE, MISCOUNTED): A_NUMBER_IS_A_COUNT},
    ("dtrace", "other-blanks.txt"): {(BYTE, JOINED): FEW_COUNTS},
    **{("perf", name): A_LINE for name in (
        "fields-flat.txt", "one-line-stacks.txt", "tracepoints-alone.txt", "tracepoints-with-payload-and-stack.txt",
        "tracepoints-without-time.txt")},
    ("perf", "tracepoints-without-process.txt"): {**A_LINE, (BYTE, JOINED): Lines(FEW_RECORDS, rb" +\d+ sched:",
                                                                                  rb" +\d+ +\d+ sched:")},
    ("perf", "fields-no-ids-but-brackets.txt"): {(DIVIDE, UNSTATED): Lines(FEW_RECORDS, rb"wk .*1\.0: \d",
                                                                           rb"wk .*1\.0: \n")},
    ("perf", "single-line-stacks.txt"): (A_LINE, {(BYTE, LOST): Lines(COMMENT, rb"\s", rb"#"), (BYTE, JOINED): Lines(
        FEW_RECORDS, rb".*\d\.\d+: ", rb".*: +\d +\d+ \w+:")}),
    ("perf", "fields-comm-ip-sym.txt"): {(BYTE, JOINED): ONLY_A_NAME, (DROP, JOINED): NO_SEPARATOR},
    ("perf", "fields-flat-ip-sym-dso.txt"): {**A_LINE, (BYTE, LOST): ANY_NAME},
    ("perf", "fields-ip-sym-dso.txt"): {(BYTE, JOINED): NO_SEPARATOR},
    ("perf", "fields-physical-address.txt"): {(DROP, LOST): NO_SEPARATOR},
    ("perf", "fields-without-blank-lines.txt"): {(DROP, JOINED): NO_SEPARATOR},
    ("perf", "fields-no-time.txt"): {(BYTE, JOINED): FEW_RECORDS},
    ("perf", "one-line-stacks-with-columns.txt"): {**A_LINE, (BYTE, LOST): MIXED, (BYTE, MISCOUNTED): MIXED,
                                                   (DROP, MISCOUNTED): MIXED},
    ("perf", "tracepoints-without-event.txt"): A_LINE,
}

# Formats whose records show together what each of them has: of one or two, none shows that the damaged one is odd.
Compared = collections.namedtuple("Compared", "reason few record may_explain")
COMPARED = {
    "dtrace": Compared(FEW_COUNTS, 2, rb"(?m)^\s*\d+\r?$",
                       lambda damage, _: damage.kind == DROP or damage.divides or damage.joins),
    "perf": Compared(FEW_RECORDS, 1, rb"(?m)^(?![\t#|]|.*PERF_RECORD).*\d\.\d+: .*:( .*|\r?)$",
                     lambda _, verdict: verdict != JOINED),
}

# Formats in which a damaged byte that becomes a newline divides a stack.
BLANK_LINES = {"bpftrace": DIVIDED, "perf": DIVIDED}

# The lines of a format that hold for all records below them: headings, titles, units, positions of modules.
HEADINGS = {
    "callgrind": rb"(version|creator|cmd|part|positions|events?|desc|ob|fl|fn|cfn|cob)\b",
    "instruments": rb".*\b(Weight|Time|Cycles|Bytes|Symbol|Self)\b",
    "massif": rb"(desc|cmd|time_unit|#|snapshot|time|mem_|heap_tree)",
    "pmc": rb"@ ",
    "pprof": rb"(heap|---|thread|goroutine|(sampling|cycles|resolution|format|ms since|discarded|period)\b|MAPPED|"
             rb"build=| *[0-9a-f]+-[0-9a-f]+[ :]|[\w ]*profile|[\w ]+$|.*=)",
    "vsprof": rb"(?i).*(level|function name|process name)\b.*\b(samples|inclusive|exclusive|elapsed|calls|percent)",
    "vtune": rb"(?i).*\b(function|callstack|module|call stack|source file)\b.*\b(time|module|self|total|count|size|"
             rb"stack|allocat\w*)\b|[^,;\t]*$",
}

# Formats whose records have a weight of 1 each, whatever their lines say.
ONE_EACH = {"aix", "eu-stack", "faulthandler", "gdb", "goroutine", "java-exceptions", "jstack", "lldb", "otel-coredump",
            "pstack"}

# Formats of whose rows each counts 1, whatever it says.
ROWS_OF_ONE = {"xctrace"}

# Formats whose messages state the weight of damaged lines only, not what their callers and callees lose or keep.
UNWEIGHED = {"strace"}

# The changes that are no defects, and the reasons, by format. Formats that are not here have none.
AMBIGUOUS = {
    "chrome-trace": of_lines(PHASE, rb'.*"ph":', (BYTE, UNKNOWN), (BYTE, SPREAD)),
    "bpftrace": (of_lines(MAP_NAME, rb"(.*\n)?@\w+\[", (BYTE, UNKNOWN), (DROP, UNKNOWN)),
                 {(BYTE, LOST): Lines(MAP_NAME, rb"@\w+\[", rb"@\w+\[")}),
    "aix": of_lines(NO_SEPARATOR, rb"\d+: |---", (DROP, JOINED)),
    "austin": (NAMED_LINE, of_lines(HEADING, rb"# mode:", (BYTE, LOST)),
               {(BYTE, LOST): Lines(A_NUMBER_IS_A_COUNT, rb"P\d", rb".*\d \d+$")}),
    "callgrind": (if_reported(REFERENCES), of_lines(SUM_ALONE, rb"[-+*\d]", (DROP, UNSTATED)),
                  of_lines(ANY_NAME, rb"fn=", (JOIN, LOST)),
                  {(BYTE, JOINED): Lines(NO_COSTS, rb"\d+ \d+$", rb"\d+$")}),
    "du": (NAMED_LINE, if_reported(TREE),
           {(BYTE, JOINED): ANY_NAME, (BYTE, LOST): Lines(ANY_NAME, rb"\d", rb"[\d.]+[ \t]")},
           of_lines(OWN_OF_TOTAL, rb"\d+", (BYTE, UNKNOWN)), {(DIVIDE, LOST): Lines(OTHER_NUMBER, rb"\d", rb"\n\d")}),
    "faulthandler": (of_lines(NO_SEPARATOR, rb"(Current t|T)hread ", (DROP, JOINED)),
                     {(DIVIDE, MISCOUNTED): Lines(DIVIDED, rb"  ", rb".*\n\s*$")}),
    "folded": (NAMED_LINE, of_lines(HEADING, rb"# ", (BYTE, LOST), (BYTE, SPREAD), (DROP, SPREAD)),
               of_lines(COMMENT, rb"#", (BYTE, JOINED), (BYTE, MISCOUNTED)),
               {(BYTE, LOST): Lines(COMMENT, rb"", rb"\s*#")},
               {(BYTE, JOINED): Lines(A_NUMBER_IS_A_COUNT, rb".*\d", rb".*[\d.][ \t]+[\d.]+\s*$"),
                (DIVIDE, JOINED): Lines(A_NUMBER_IS_A_COUNT, rb".*\d", rb".*\d\n")}),
    "ftrace": (rows(rb".*(;|<-.*)\s*$"), {(BYTE, JOINED): BEGIN_AND_END, (BYTE, SPREAD): BEGIN_AND_END,
               (DROP, SPREAD): BEGIN_AND_END, (BYTE, LOST): Lines(COMMENT, rb" ", rb" *#")},
               of_lines(BEGIN_AND_END, rb".*[{};]", (BYTE, UNSTATED), (BYTE, UNKNOWN)),
               {(JOIN, LOST): Lines(COMMENT, rb"#"), (BYTE, UNSTATED): Lines(PROSE, rb".*<-", rb"(?!.*<-)")},
               of_lines(BEGIN_AND_END, rb".*[{}]", (DROP, UNSTATED), (DROP, UNKNOWN))),
    "ghcprof": (if_reported(TREE), rows(rb"\s*\S.*\d\.\d"),
                of_lines(HEADING, rb"COST CENTRE", (BYTE, UNKNOWN), (DROP, UNKNOWN))),
    "go": ({(DROP, JOINED): REFERENCES, (BYTE, JOINED): REFERENCES}, rows(rb"\s+\d+\s+\d+:"),
           {(DIVIDE, LOST): Lines(OTHER_NUMBER, rb"\s+\d", rb"\s+\n[\d.]+")},
           of_lines(BINARY_UNITS, rb"(.*\n)?\s+[\d.]+[kMG]B", (BYTE, UNKNOWN), (DROP, UNKNOWN)),
           of_lines(HEADING, rb"(.*\n)?\w+/\w+ ", (BYTE, SPREAD), (DROP, SPREAD), (BYTE, LOST), (DROP, UNKNOWN))),
    "go-trace": of_lines(BEGIN_AND_END, rb"(.*\n)?M=.* StateTransition ", (BYTE, UNKNOWN), (DROP, UNKNOWN),
                         (DROP, UNSTATED)),
    "gprof": ({(DROP, JOINED): HEADING, (BYTE, JOINED): HEADING},
              of_lines(DIVIDED_TIME, rb"\[\d+\]", (BYTE, SPREAD), (DROP, SPREAD)),
              {(BYTE, LOST): Lines(DIVIDED_TIME, *[rb" +\d+\.\d{3} +\d+\.\d{3}  +\w"] * 2)},
              of_lines(HEADING, rb"(?i)(index\b| *%| *time\b)", (DROP, UNSTATED), (DROP, SPREAD), (BYTE, UNSTATED),
                       (BYTE, SPREAD))),
    "heaptrack": (if_reported(NUMBERED, (DROP, JOINED)), rows(rb"[+-] "),
                  of_lines(NUMBERED, rb"a ", (DROP, UNKNOWN), (BYTE, UNKNOWN)),
                  of_lines(LETTER, rb"(.*\n)?[+-] ", (BYTE, UNKNOWN)), {(BYTE, LOST): Lines(COMMENT, rb"[+-] ", rb"#")},
                  of_lines(HEADING, rb"v ", (BYTE, UNSTATED)), {(BYTE, UNSTATED): Lines(RAW_DATA, rb". ", rb"x ")}),
    "hprof": (if_reported(REFERENCES),
              rows(rb" *\d+ +[\d.,]+% +[\d.,]+% +\d+ +\d+ +\d+ +\d+ "),
              of_lines(SHARE, rb" *\d+ +[\d.,]+% ", (BYTE, UNKNOWN)),
              of_lines(HEADING, rb"CPU|SITES|MONITOR|JAVA", (BYTE, UNKNOWN), (DROP, UNKNOWN))),
    "instruments": (if_reported(TREE), rows(rb"\s*\d")),
    "java-exceptions": (of_lines(NO_SEPARATOR, rb"\s*(Caused by|Suppressed|\S.*Exception)", (DROP, JOINED)),
                        of_lines(COMMON_FRAMES, rb"\s*\.\.\. \d+ more", (DROP, MOVED)),
                        of_lines(PROSE, rb"\s*at ", (DROP, LOST)),
                        of_lines(COMMON_FRAMES, rb"\s*Caused", (DROP, UNSTATED))),
    "lldb": of_lines(HEADING, rb"Process", (DROP, JOINED), (BYTE, JOINED)),
    "massif": if_reported(TREE),
    "papyrus": (if_reported(TREE), rows(rb"\d+:(PUSH|POP):"),
                of_lines(BEGIN_AND_END, rb"\d+:(PUSH|POP):", (BYTE, UNKNOWN), (BYTE, UNSTATED)),
                {(DIVIDE, JOINED): Lines(OTHER_NUMBER, rb"\d", rb"\n\d"),
                 (JOIN, UNSTATED): PROSE, (JOIN, UNKNOWN): PROSE,
                 (BYTE, LOST): Lines(BEGIN_AND_END, rb"\d+:(PUSH|POP):", rb"\d+:(PUSH|POP):[^\n]*$")}),
    "perf": {(DIVIDE, MISCOUNTED): Lines(NO_EVENT, rb".*\d: +PERF_RECORD_", rb".*\d: *\n")},
    "pmc": (if_reported(TREE), rows(rb"\d")),
    "pprof": (if_reported(HEADING, (DROP, JOINED)), rows(rb" *\d+ +(\d+ )?@"),
              of_lines(SCALED, rb" *\d+:? +\d+ .*@", (BYTE, UNKNOWN))),
    "pstack": of_lines(NO_SEPARATOR, rb"(core .*)?\d+:\s|---", (DROP, JOINED)),
    "recursive": (NAMED_LINE, {(BYTE, LOST): Lines(COMMENT, rb"", rb"\s*#")}),
    "sample": (if_reported(TREE), {(JOIN, JOINED): ANY_NAME},
               of_lines(HEADING, rb"Call graph:", (DROP, UNSTATED), (BYTE, UNSTATED))),
    "speedscope": (of_lines(BEGIN_AND_END, rb'.*"type":"[OC]"', (BYTE, UNKNOWN)),
                   {(BYTE, LOST): Lines(IDLE, rb'.*"samples":', rb".*\[\s\]")}),
    "stap": (of_lines(NO_SEPARATOR, rb"(.*\n)?\s*\d+\s*$", (DROP, JOINED), (BYTE, JOINED)),
             {(DIVIDE, LOST): Lines(OTHER_NUMBER, rb"\s*\d", rb"\s*\n\d")}),
    "strace": of_lines(RECORD_IS_A_LINE, rb"(?! > )", (DROP, LOST), (DROP, JOINED)),
    "timehist": rows(rb"\s*\d+\.\d+ \["),
    "vsprof": (if_reported(TREE, (DROP, JOINED)), rows(rb"\d+,")),
    "vtune": (if_reported(TREE, (DROP, JOINED), (BYTE, JOINED)), rows(rb".*[,;\t]")),
    "xctrace": (rows(rb".*<row>"), {(BYTE, SPREAD): DOCUMENT, (BYTE, MOVED): REFERENCES},
                of_lines(DOCUMENT, rb"(\xef\xbb\xbf)?<\?", (BYTE, UNKNOWN)),
                of_lines(REFERENCES, rb".*<(row|schema)", (DROP, MOVED)),
                of_lines(HEADING, rb".*<schema", (BYTE, JOINED))),
    "xdebug": (if_reported(BEGIN_AND_END, (DROP, JOINED), (BYTE, JOINED)), rows(rb"\s*(\d|<tr>)"),
               of_lines(BEGIN_AND_END, rb"\s*(\d|<tr>)", (BYTE, UNKNOWN))),
}


# ---- inputs --------------------------------------------------------------------------------------

# The messages of a run: the number of occurrences of each text, with the largest of each of its numbers; the known
# weight that is left out; and the number of left-out records whose weight is unknown.
Told = collections.namedtuple("Told", "texts weight unknown")

Case = collections.namedtuple("Case", "name data stacks told")

# Notes that do not state how much is left out: of damaged text whose records are unknown, and of records that are
# sound, and left out by a rule, such as those of other events than the chosen one, which tell their number.
NO_SUM = "rest is left out|left out up to"
BY_RULE = r"left out: N|left out \(N"
STATED = "note: left out: N record"

# Warnings about sound inputs. Any other warning means that the input is already damaged or cut off. Such an input is not
# damaged again: the second damage could repair or hide the first one, or leave too little to recognise a record.
OF_SOUND = re.compile(
    "samples that simpleperf lost|samples with an earlier time|samples without a time|"
    "no line for a folder in it|places in stacks without a location|frames without an end|ends of events that have not|"
    "events without an end|not in the list: |without a name: |the report has no times|not a suppression|"
    "declares an entity|nested more than")

MESSAGE = re.compile(r"(?m)^(?:(?:.*?: |)(?P<text>(?:warning|note|error): .*)|(?P<more> +\.\.\. and \d+ more.*))")
LEFT_OUT = re.compile(r"note: left out: (?P<records>\d+) records?(?:[,;] weight (?P<weight>-?[\d.]+)(?: of '.*?')?"
                      r"(?: for (?P<weighed>\d+) of them)?)?")
NOT_OF_RECORDS = "note: quality: "


def told(messages):
    """Returns what messages say, wherever they say that it is."""
    texts, weight, unknown = {}, Decimal(0), 0
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
    return Told(texts, weight, unknown)


def new_texts(before, after):
    """Returns the texts that a run has, and that another one has less often, or with smaller numbers."""
    return [text for text, (n, numbers) in after.texts.items()
            if text not in before.texts or n > before.texts[text][0] or
            any(x > y for x, y in zip(numbers, before.texts[text][1], strict=True))]


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
    """Yields the paths of the golden cases."""
    folder = os.path.join(GOLDEN, format_)
    for name in sorted(os.listdir(folder)):
        base, ending = os.path.splitext(os.path.join(folder, name))
        if ending not in NOT_CASES:
            yield base + ending


def is_sound(said):
    """Returns whether messages say of no damage."""
    return all(OF_SOUND.search(text) for text in said.texts if text.startswith("warning: "))


def cases_of(format_, paths):
    """Returns the inputs that are small text and have stacks."""
    cases = []
    for path in paths:
        with open(path, "rb") as f:
            data = f.read(LARGEST + 1)
        if len(data) > LARGEST or b"\0" in data or not data.strip():
            continue
        stacks, messages = fold(format_, data)
        if sum(stacks.values()) > 0 and is_sound(told(messages)):
            cases.append(Case(os.path.basename(path), data, stacks, told(messages)))
    return cases


# ---- damage --------------------------------------------------------------------------------------

# `line`: the damaged line. `at`: the damaged byte. `frames`: how many frames the damaged lines have, at most.
# `joins`: two lines are one. `divides`: one line is two.
# `made`: what the damaged line becomes.
Damage = collections.namedtuple("Damage", "text data line at kind numeric frames joins divides made")

DIGITS = b"0123456789.-+,"
OF_JSON_NUMBERS = b"0123456789.-+eE"


def frames_of(*lines):
    """Returns how many frames lines have at most: two, and those that perf found inlined."""
    return 2 + sum(line.count(b"->") for line in lines)


def drop_line(rng, data):
    lines = data.splitlines(keepends=True)
    i = rng.randrange(len(lines))
    return Damage(f"sed {i + 1}d: {lines[i]}", b"".join(lines[:i] + lines[i + 1:]), lines[i], None, DROP,
                  False, frames_of(lines[i]), False, False, b"")


def is_document(data):
    """Returns whether an input is a JSON document, which may begin with comments."""
    return re.match(rb"(\xef\xbb\xbf)?(\s|//.*|/\*.*?\*/)*[{[]", data) is not None


def is_edge(data, before, after):
    """Returns whether what is between two bytes is the beginning or end of a number. A document may have blanks beside
    each number, other formats where blanks are already, and empty lines."""
    if is_document(data):
        return (before in OF_JSON_NUMBERS) != (after in OF_JSON_NUMBERS)
    return (before.strip() in (b"", b":") and re.match(rb"[\d.]", after)) or (before.isdigit() and not after.strip())


def stays_number(data, i, new):
    """Returns whether a byte becomes another digit, sign or point of a number, or a blank beside a number a digit, or a
    digit a blank: a number stays, and maybe an empty line after it."""
    old, before, after = data[i:i + 1], data[max(i - 1, 0):i], data[i + 1:i + 2]
    ends_line = before.isdigit() and after in (b"", b"\r", b"\n")
    blanks = b" \t\r\n" if is_document(data) or ends_line else b" \t\r"
    if (old in blanks and new.isdigit()) or (re.match(rb"[\d.]", old) and new in blanks):
        return is_edge(data, before, after)
    return old in DIGITS and new in DIGITS and any(c.isdigit() for c in (old, before, after))


def as_text(new):
    """Returns a byte as sed takes it."""
    return {b"\n": r"\n", b"\t": r"\t"}.get(new) or (new.decode() if new >= b" " else f"\\x{new[0]:02x}")


def replace_byte(rng, data):
    i = rng.randrange(len(data))
    new = bytes([rng.choice([c for c in NEW_BYTES if c != data[i]])])
    old = data[i:i + 1]
    line = data.count(b"\n", 0, i) + 1
    start, end = data.rfind(b"\n", 0, i) + 1, data.find(b"\n", i + 1) % (len(data) + 1)
    text = f"{old} is {new}: {data[start:end]}"
    script = f"{line}{{N;s/\\n/{as_text(new)}/}}" if old == b"\n" else f"{line}s/./{as_text(new)}/{i - start + 1}"
    return Damage(f"sed '{script}': {text}", data[:i] + new + data[i + 1:], data[start:end], i, BYTE,
                  stays_number(data, i, new), frames_of(data[start:end]) + (new == b"\n"), old == b"\n", new == b"\n",
                  data[start:i] + new + data[i + 1:end])


# ---- checks --------------------------------------------------------------------------------------

def is_renamed(a, b):
    """Returns whether two stacks differ in the name of one function."""
    return len(a) == len(b) and len({(x, y) for x, y in zip(a, b, strict=True) if x != y}) == 1


def are_alike(a, b, frames):
    """Returns whether two stacks differ in what one damaged line of a frame may do, but not as a whole: the name of one
    function, or up to `frames` - 1 frames that follow each other; one of these may become one frame more or less."""
    same = 0
    while same < min(len(a), len(b)) and a[same] == b[same]:
        same += 1
    ends = 0
    while ends < min(len(a), len(b)) - same and a[-1 - ends] == b[-1 - ends]:
        ends += 1
    shared = same + ends
    parts = len(a) - shared, len(b) - shared
    if max(parts) <= frames - 1 + (min(parts) == 1) and (shared > 0 or min(len(a), len(b)) == 1):
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


def is_change(case, lost, new):
    """Returns whether a record of the same weight has another stack, which no other record has."""
    return list(lost.values()) == list(new.values()) and len(lost) == 1 and next(iter(new)) not in case.stacks


def is_scaled(before, after):
    """Returns whether all stacks have the same part of their weight: a setting for all is another number."""
    return before.keys() == after.keys() and len({after[s] / before[s] for s in before if before[s]}) == 1


def significant(number):
    """Returns the digits of a number without its sign, unit and place of the point."""
    if number.startswith(b"0x"):
        number = b"%d" % int(number, 16)
    return re.sub(rb"\D", b"", number).strip(b"0")


NUMBERS = re.compile(rb"0x[0-9a-f]+|\d[\d.]*"), re.compile(rb"\d[\d,]*"), re.compile(rb"\d[\d.,]*")


def is_in_line(damage, weights):
    """Returns whether a number of the damaged line is one of these weights."""
    numbers = {significant(n) for number in NUMBERS for n in number.findall(damage.line)}
    return not numbers.isdisjoint(significant(f"{weight:f}".encode()) for weight in weights)


def may_be_unknown(format_, case, damage, lost, rest):
    """Returns whether the weight of what is lost, without that of records whose weight is stated, is a number of the
    damaged line. No number of a line that is not one of the format is known to be the sound one."""
    if not lost or is_two_numbers(damage):
        return True
    return format_ not in ONE_EACH and is_in_line(damage, {rest, *(case.stacks[stack] for stack in lost)})


def is_two_numbers(damage):
    """Returns whether a line is divided within a number, after which each part has another weight."""
    return damage.divides and re.search(rb"\d\n\d", damage.made) is not None


def judge_weight(format_, case, damage, lost, missing, after):
    """Returns what is wrong with the weight that messages say is missing, or None."""
    said = new_texts(case.told, after)
    stated = after.weight - case.told.weight
    is_known = after.unknown <= case.told.unknown
    if (stated != 0 or is_known and any(text.startswith(STATED) for text in said)) and stated == missing:
        return None
    if not is_known or any(re.search(NO_SUM, text) for text in said):
        return None if may_be_unknown(format_, case, damage, lost, missing - stated) else UNKNOWN
    if stated != 0 or any(text.startswith(STATED) for text in said):
        is_repeated = stated < 0 and not lost  # damage to what was left out of the sound input
        is_dropped = damage.kind == DROP and 0 < stated < missing and \
            (is_in_line(damage, [missing - stated]) or format_ in ROWS_OF_ONE and missing - stated == 1)
        return None if is_repeated or is_dropped or is_two_numbers(damage) else MISCOUNTED
    return UNSTATED if lost and not any(re.search(BY_RULE, text) for text in said) else None


def judge(format_, case, damage, after, told_after):
    """Returns the defects that the damage shows."""
    lost, new = changes(case.stacks, after, damage.frames)
    if damage.numeric and is_scaled(case.stacks, after):
        return []
    messages = new_texts(case.told, told_after)
    if damage.numeric:
        new = {stack: weight for stack, weight in new.items()
               if not any(are_alike(stack, other, damage.frames) for other in case.stacks)}
        lost = {} if not new and len(lost) <= 1 else lost
    if new:
        return [] if is_change(case, lost, new) else [MOVED] if messages else [JOINED]
    if lost and not messages:
        return [LOST]
    missing = sum(case.stacks.values()) - sum(after.values())
    wrong = None if damage.numeric else judge_weight(format_, case, damage, lost, missing, told_after)
    return [wrong] * (wrong is not None) + [SPREAD] * (len(lost) > 1 + damage.joins)


KEY = re.compile(rb'"(?:[^"\\]|\\.)*"(?=\s*:)|\\"[^"\\]*\\"(?=\s*:)')  # also of a document in a string
BROKEN = "not JSON|the input ends within|not in bpftrace's JSON format"
SETTING = re.compile("not a mode of|unknown (type|unit) of")


def is_in_key(data, at):
    """Returns whether a byte of a JSON document belongs to the key of a member."""
    return any(match.start() <= at < match.end() for match in KEY.finditer(data))


def changes_document(case, damage, texts):
    """Returns whether a JSON document is broken, which is reported; or has one member or element less, after which
    elements have other numbers; or another member, which readers skip; or another number or setting, which is
    reported and may hold for all of the document."""
    if damage.kind == DROP:
        return True
    messages = "\n".join(texts)
    is_broken = re.search(BROKEN, messages) is not None
    is_number = damage.numeric or case.data[damage.at:damage.at + 1].isdigit()
    is_setting = (is_number and messages != "") or SETTING.search(messages) is not None
    return is_broken or is_setting or is_in_key(case.data, damage.at)


def as_tuple(tables):
    """Returns the tables of changes of a format or case, of which most have one."""
    return (tables,) if isinstance(tables, dict) else tables


def is_in_table(table, damage, verdict):
    """Returns whether a table of changes has that of a damage. A change without a message includes that with one, also
    with one that does not know the weight."""
    kinds = [damage.kind] + [JOIN] * damage.joins + [DIVIDE] * damage.divides
    verdicts = [verdict] + [JOINED] * (verdict == MOVED) + [LOST] * (verdict in (UNSTATED, UNKNOWN))
    found = (table.get((kind, v)) for kind in kinds for v in verdicts)
    return any(known is not None and (not isinstance(known, Lines) or
                                      re.match(known.line, damage.line) and re.match(known.made, damage.made))
               for known in found)


def is_heading(pattern, damage):
    """Returns whether a damaged line is a heading, or a line that is joined with one."""
    parts = damage.line.splitlines() if damage.joins else [damage.line]
    return any(re.match(pattern, part) for part in parts)


def is_other_column(pattern, case, after):
    """Returns whether the stacks stay the same and have other weights, or other ones are those of the only table with
    columns: stacks whose weight is 0 are not there."""
    titles = [line for line in case.data.splitlines() if re.match(pattern, line) and re.search(rb"[,;\t]", line)]
    return after.keys() == case.stacks.keys() or (after and len(titles) == 1)


def is_ambiguous(format_, case, damage, verdict, after, texts):
    """Returns whether the format cannot tell the change. A heading tells the unit and the column."""
    if verdict == MISCOUNTED and format_ in UNWEIGHED:
        return True
    if is_document(case.data) and changes_document(case, damage, texts):
        return True
    if format_ in HEADINGS and is_heading(HEADINGS[format_], damage) and \
            (verdict != LOST or is_other_column(HEADINGS[format_], case, after)):
        return True
    tables = AMBIGUOUS.get(format_, ()), AMBIGUOUS_CASES.get((format_, case.name), ())
    if any(is_in_table(table, damage, verdict) for several in tables for table in as_tuple(several)):
        return True
    if format_ in COMPARED and COMPARED[format_].may_explain(damage, verdict) and \
            len(re.findall(COMPARED[format_].record, case.data)) <= COMPARED[format_].few:
        return True
    return format_ in BLANK_LINES and damage.divides and verdict == MOVED


def check(format_, case, seed):
    """Damages a case. Returns what is wrong with the result, or None."""
    rng = random.Random(f"{format_} {case.name} {seed}")
    damage = (drop_line if rng.random() < .4 else replace_byte)(rng, case.data)
    after, messages = fold(format_, damage.data)
    told_after = told(messages)
    texts = new_texts(case.told, told_after)
    wrong = [verdict for verdict in judge(format_, case, damage, after, told_after)
             if not is_ambiguous(format_, case, damage, verdict, after, texts)]
    if not wrong:
        return None
    lost, new = changes(case.stacks, after, damage.frames)
    return f"{case.name}: {damage.text}: {', '.join(wrong)}\n  lost {dict(lost)}\n  new {dict(new)}\n  {messages}"


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
