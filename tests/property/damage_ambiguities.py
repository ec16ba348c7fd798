# SPDX-License-Identifier: MIT
"""Lists what formats cannot tell: changes by damage that are no defects, with the lines and the reasons."""
import collections
import re

from damage_verdicts import FRAME_LOST, IGNORED, JOINED, LOST, MISCOUNTED, MOVED, SPREAD, UNKNOWN, UNSTATED
from damages import BYTE, CUT, DIVIDE, DROP, DROPS, FIELD, JOIN, TYPE

RECORD_IS_A_LINE = "a dropped line is a record, and what is left is a sound input"
ANY_NAME = "names may contain every byte, so joined lines are one line with a long name"
SEVERAL_NAMES = "a line may have several names, so a line that is cut off has fewer of them"
WITHOUT_ROWS = "a row without those below it counts its total, and one that is left out is known by its own amount"
ADDRESSES = "a stack is a list of addresses, and nothing tells how many it has"
NO_FRAMES = "a sample may have no frames, which the front of its line does not show"
PROSE = "lines of other programs stand between the records, and a line that is none of the format is one of these"
NO_SEPARATOR = "only the damaged line divides two records"
HEADING = "a heading or a title holds for all records below it"
TREE = "the lines above a line are its callers, so its place in the tree is that of the lines that are left"
BEGIN_AND_END = "time passes between the beginnings and ends of calls: what has no end lasts as long as its caller"
NUMBERED = "records refer to others by their number in the input"
REFERENCES = "records refer to stacks and frames that other lines define, and a damaged definition concerns all of them"
DOCUMENT = "a document: after a broken bracket, nothing can be assigned"
SIDES = "a kernel stack is known by one of its names, and without headers the user stack after it is of the same event"
COMMON_FRAMES = "without the line that counts its common frames, a trace is that of its own frames"
FEW_RECORDS = "of one or two event lines, none shows which fields and which event the others should have"
MIXED = "lines of several layouts, so none shows which fields the others should have"
FEW_COUNTS = "of one or two counts, none shows how many parts a stack has, and how counts are indented"
ONLY_A_NAME = "without ids, time and event, a line is an event line only because it is after a blank line"
DIVIDED = "a new blank line ends the stack above it; a message reports the lines below it"
OTHER_NUMBER_OF_GROUPS = "a number without one of its groups of three digits is another number of this form"
DAMAGED_TWICE = "the line has a damaged byte already, and with two of them it is any text"
ONLY_TIMES = "a sample with times and without values counts 1 at each time"
NUMBER_OR_TEXT = "an integer is a text or a number, so that another number in place of a text is sound"
A_NUMBER_IS_A_COUNT = "a line that is divided after its first number has the line of a count"
NO_COSTS = "costs that are 0 may be missing, so a divided line is two lines, and one without a blank has fewer costs"
COMMENT = "a comment may contain every text"
RAW_DATA = "a line with the letter x is one of raw data, which is another format, and told so"
BLANK_IN_NUMBER = "the number of the line has a blank between its thousands"
OTHER_NUMBER = "after the line break, what is left of a number is another one"
DIVIDED_OFFSET = "after the line break, what is left of an offset may be the number of a process"
IDLE = "a sample without frames is one in which nothing ran"
OTHER_THREAD = "a damaged name of a thread is that of another thread"
TWICE = "the current thread stands there twice, which only the lines with its name and the headings above them tell"
TOTAL_ALONE = "a row has no other rows below it than those that are joined, so its total counts, which has theirs"
SETTLED = "calls of a row that is left out are settled with those of the rows around it"
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
OTHER_EVENT = "of an event line that is gone, nothing tells the event, which may be another one than that of the others"
DIVIDED_EVENT = "after the line break, what is left of an event line is one that has lost its first fields"
FIRST_EVENT = "of several events, that of the first sample counts"
HEX_NAME = "the name of a process is a hexadecimal number, so the line looks like a line of a stack"
EMPTY_THREAD = "without the line that says that a thread has no frame, they may be missing"
WHICH_COMMON = "which frames are common, only their number tells"
DIVIDED_TIME = "the time of a function is divided among the stacks of its callers"
NO_LINES = "an event may have no lines, and has as many blank lines then as one that has lost its lines and a blank one"
NO_LENGTH = "a list of frames does not tell how many it has"
ITEMS = "a name may contain a comma and a blank, so the number of the items of a key tells nothing"
FIRST_MAP = "of several maps, that of the first entry counts"
FEW_EVENTS = "one or two events do not show how many stacks each has: the last line of one may be another header"
MAP_NAME = "several maps are several columns: without its name, an entry has no known one"
OPEN_QUOTE = "a quote that is not closed encloses what follows it on its line, up to the next quote"
ANY_END = "a distribution may end after any of its rows, each of which has a count"
KEYS = "a line of keys has as many as the script prints"
ESTIMATED = "calls and their costs tell how the time of a function is divided among the stacks of its callers"
OTHER_FUNCTION = "a file is a part of a function: with another one, it is another function"
UNTIMED = "of a list with one number less, the last sample has no time"
OTHER_COLUMN = "the note states, and names, the weight of another column than the folded one"
LENGTHS = "after a damaged length in a list of numbers, nothing tells where the next sample begins"
BROKEN_ROW = "a tag that breaks off may be that of any element"
OUTERMOST = "without the end of the outermost call, it lasts until the next event"
NO_MEMORY = "a trace may have no memory, and the blanks after it tell the level"
LAST_MAPPING = "the last line is an address that breaks off, of a list that needs none"
INDENT = "blanks in front of a name are the level of a row: a damaged one is another level, or begins the name or a line"
EMPTY_CELL = "an empty cell is 0, so one without its only digit is"
FIRST_OF_STACK = "a row of a caller that has a value is the first one of another stack"
ROUNDED = "a function without some of its stacks has the rest of its sum, which may have a part that is rounded off"
NO_CALLS = "without times, calls are the weight, and a function that only runs by itself has no number of them"
SOME_ENTRIES = "a report may have the entries of some functions only, which others call"
ROUNDED_SUM = "the cumulative seconds are rounded to the hundredth that the row has"
INTERRUPTED = "a call without a thread that breaks off may go on where it is resumed, and its name alone is any text"
SEVERAL_STACKS = "with a count and the frames around it, the line between two stacks is gone, and what is left is one"
BETWEEN_TIMES = "a time is the end of a sample and the beginning of the next one, so without it neither has a duration"
NO_MAPPINGS = "without the list of mappings, addresses are unknown, and a profile needs no list"
SCALED_TOGETHER = "the numbers of several samples are scaled together, since only their sum is known"
JOINED_NUMBERS = "two numbers without the comma between them are one, so both samples are lost, with one message"
NO_FRAMES = "brazier writes null for a stack without frames"
SHORTER_LIST = "a list of events without one of them is one, too"
CALLEES_HAVE_MORE = "callees have more than their callers, so a caller keeps less than its damaged callee has"

NESTED = "frames are nested by their places: those that a lost one calls lie in no caller, and its own caller counts it"
TITLED = "rectangles without a title are no frames, and narrow frames are missing in sound pictures and lists, too"
PACKED = "numbers and names are packed without anything that tells of damage"

# A reason that holds for damage to the lines that an expression matches, if it makes of them what another one matches,
# and the damage is where a third one matches all that is in front of it.
Lines = collections.namedtuple("Lines", "reason line made front", defaults=(rb"", rb".*"))

# One that holds for damage to lines, one of which an expression matches, if another one is nowhere in what is left.
Left = collections.namedtuple("Left", "reason line absent")

CALLERS_FOLLOW = "the callers of a function follow its row, and the text leaves out rare ones: what is missing at the end is such"
NAMED_TWICE = "a function stands in two tables, and one with a damaged name is another one, of which the total tells"


def of_lines(reason, line, *keys):
    """Returns the changes by damage to the lines that an expression matches, with the reason."""
    return dict.fromkeys(keys, Lines(reason, line))


def if_reported(reason, line, *others):
    """Returns the changes to several records that a message reports, and others, by damage to the lines that an
    expression matches, or to one that is joined with such a line, with the reason."""
    reported = [(kind, verdict) for kind in (DROP, BYTE) for verdict in (MOVED, SPREAD)]
    return of_lines(reason, rb"(?:.*\n)?(?:%s)" % line, *reported, *others)


def rows(line):
    """Returns the change by a dropped line of those that an expression matches: each is a record."""
    return of_lines(RECORD_IS_A_LINE, line, (DROP, LOST))


A_LINE = {(DROP, LOST): RECORD_IS_A_LINE}
FOLDED_LINE = {**A_LINE, (JOIN, JOINED): ANY_NAME}
NAMED_LINE = {**A_LINE, (JOIN, LOST): ANY_NAME, (JOIN, JOINED): ANY_NAME}
CUT_NAME = {(FIELD, FRAME_LOST): ANY_NAME}
DIVIDED_NAME = {(DIVIDE, MOVED): ANY_NAME}

# The same for single cases, whose layout tells less than others of the format.
AMBIGUOUS_CASES = {
    ("bcc", "empty-frames.txt"): {**FOLDED_LINE, (CUT, IGNORED): FEW_RECORDS},
    ("bcc", "offwaketime-folded.txt"): (
        FOLDED_LINE, {key: Lines(PROSE, rb"\w+;", rb"\w*$") for key in ((FIELD, LOST), (CUT, IGNORED))}),
    ("bcc", "offwaketime_example.txt"): {
        (BYTE, MISCOUNTED): Lines(PROSE, rb"# \./offwaketime 5", rb"# .*; *\w* 5|# .*;")},
    ("bcc", "profile_example.txt"): rows(rb"func_ab;"),
    ("bcc", "crlf.txt"): {(JOIN, FRAME_LOST): Lines(PROSE, rb"\r\n +more", rb"\r\x01")},
    ("bcc", "stackcount.txt"): ({(JOIN, FRAME_LOST): Lines(PROSE, rb"\n    parprimes", rb"\0 +")},
                                of_lines(NO_SEPARATOR, rb"    \d+$", (DROPS, LOST))),
    ("bcc", "offwaketime.txt"): {(CUT, LOST): Lines(OTHER_NUMBER, rb" +\d+", rb" +\d+$")},
    ("bcc", "wakeuptime.txt"): {(JOIN, FRAME_LOST): Lines(PROSE, rb"\^C", rb"\^C.? +")},
    ("bpftrace", "histograms-and-statistics.txt"): of_lines(NO_SEPARATOR, rb"(.*\n)?\]: ", (DROPS, LOST)),
    ("bpftrace", "user-before-kernel.txt"): of_lines(NO_SEPARATOR, rb"\]: 4|, \]: 2", (DROPS, LOST)),
    ("bpftrace", "stack-per-event.txt"): of_lines(NO_LINES, rb"\n?        0x[0-9a-f]{8,}", (DROPS, LOST)),
    ("bpftrace", "maps.json"): (of_lines(FIRST_MAP, rb'\{"type": "map", "data": \{"@"', (DROP, JOINED)),
                                of_lines(NO_LENGTH, rb'\{"type": "map", ', (FIELD, FRAME_LOST))),
    ("bpftrace", "perf-mode-low-addresses.txt"): {
        (FIELD, FRAME_LOST): Lines(ITEMS, rb", cc1, 27246\]", rb", 27246\]|, cc1\]")},
    ("bpftrace", "printed.json"): (of_lines(PROSE, rb'{"type": "printf"', (BYTE, UNSTATED)),
                                   of_lines(NO_LENGTH, rb'{"type": "printf"', (FIELD, FRAME_LOST)),
                                   of_lines(ANY_NAME, rb'{"type": "value"', (FIELD, FRAME_LOST))),
    ("bpftrace", "not-indented-events.txt"): (
        of_lines(FEW_EVENTS, rb"\w+\+\d+", (BYTE, JOINED), (BYTE, FRAME_LOST), (CUT, IGNORED)),
        of_lines(FEW_EVENTS, rb"\d+ \w+", (BYTE, FRAME_LOST))),
    ("bpftrace", "perf-mode-low-addresses-events.txt"): of_lines(FEW_EVENTS, rb"cc1 12", (BYTE, FRAME_LOST)),
    **{("bpftrace", name): (of_lines(FEW_EVENTS, rb"ffffffff8|55a8a23d0c20|\r$", (BYTE, JOINED)),
                            {(CUT, IGNORED): FEW_EVENTS,
                             (DIVIDE, JOINED): Lines(FEW_EVENTS, rb"7fc5652ada10", rb"\w+\n")})
       for name in ("raw-crlf.txt", "raw-events.txt")},
    ("bpftrace", "rust-names.txt"): {(JOIN, FRAME_LOST): Lines(ANY_NAME, rb".*::h[0-9a-f]{16}\+")},
    ("bpftrace", "events-without-header.txt"): {(BYTE, JOINED): SIDES, (BYTE, LOST): SIDES, (DROP, JOINED): SIDES,
                                                (BYTE, FRAME_LOST): Lines(SIDES, rb" +read\+13", rb" +read"),
                                                (FIELD, FRAME_LOST): SIDES, (CUT, IGNORED): SIDES,
                                                (DROP, LOST): SIDES},
    ("bpftrace", "keys-of-any-shape.txt"): {(DROP, LOST): Lines(RECORD_IS_A_LINE, rb"@\[.*\]: "),
                                            (DROPS, JOINED): Lines(NO_SEPARATOR, rb"\]: 8|, a:b, |, 1234\]: 3")},
    ("ghcprof", "two-reports.prof"): of_lines(NO_SEPARATOR, rb"$", (DROP, UNKNOWN)),
    **{(format_, "two-counts.txt"): {(BYTE, JOINED): A_NUMBER_IS_A_COUNT, (BYTE, LOST): A_NUMBER_IS_A_COUNT}
       for format_ in ("folded", "recursive")},
    ("vtune", "quotes.csv"): {(BYTE, LOST): Lines(OPEN_QUOTE, rb" *\"", rb"[^\n]*\"")},
    ("vtune", "callstacks.csv"): {(BYTE, FRAME_LOST): Lines(FIRST_OF_STACK, rb",\w+,0\.0,", rb",\w+,\d*\.?\d*,")},
    ("vsprof", "numbers.csv"): {(BYTE, MISCOUNTED): CALLEES_HAVE_MORE,
                                (BYTE, LOST): Lines(OTHER_NUMBER, rb'2,"no-break","1\xc2', rb'2,"no-break","\xc2'),
                                (BYTE, UNKNOWN): Lines(BLANK_IN_NUMBER, rb'.*"\d+ \d')},
    ("callgrind", "xdebug.out"): rows(rb"\d"),
    ("callgrind", "callers.out"): (rows(rb"\d"), of_lines(NO_COSTS, rb"\d", (FIELD, JOINED))),
    ("callgrind", "callgrind.cfn-reset.log"): rows(rb"\d"),
    ("callgrind", "callgrind.multiple-event-types.log"): rows(rb"\d"),
    ("callgrind", "callgrind.subposition-compression.log"): (rows(rb"[-+]?\d"),
                                                             of_lines(RELATIVE, rb"[-+]\d", (BYTE, UNKNOWN)),
                                                             of_lines(NO_COSTS, rb"[-+*\d]", (FIELD, LOST))),
    ("gprof", "no-time.txt"): {(BYTE, UNSTATED): Lines(NO_CALLS, rb"\[1\] .* 7  ", rb"\[1\](?!.* 7  )")},
    ("gprof", "cycle.prof"): of_lines(SOME_ENTRIES, rb".*<cycle 1>", (CUT, LOST), (DROPS, LOST)),
    ("chrome-trace", "clang.json"): {(BYTE, JOINED): NAMED_SUM},
    ("du", "files.txt"): {(CUT, JOINED): Lines(ANY_NAME, rb"\d+ /", rb"\d+ /$")},
    ("du", "without-a-folder.txt"): of_lines(TREE, rb".*/src/", (DROP, JOINED)),
    ("faulthandler", "dumps.txt"): of_lines(EMPTY_THREAD, rb" +<no Python frame>", (DROP, MISCOUNTED),
                                            (BYTE, MISCOUNTED)),
    ("sample", "waiting.txt"): (of_lines(TREE, rb"[\s+!:|]*\d", (DROP, JOINED)),
                                of_lines(NAMED_WAIT, rb" +\d+ (__psynch_cvwait|mach_msg2_trap|read) ", (BYTE, JOINED))),
    ("perf", "several-events.txt"): (
        of_lines(FIRST_EVENT, rb"app 100 \[000\] 1\.0: ", (BYTE, MOVED), (DROP, MOVED)),
        {(FIELD, LOST): Lines(FEW_RECORDS, rb"app 100 \[000\] 1\.[02]: \d ", rb"app 100 \[000\] 1\.[02]: cycles:u:")}),
    ("perf", "fields-branch-stack.txt"): {(FIELD, LOST): Lines(
        FEW_RECORDS, rb".*: +7 cycles:u:", rb".*\d: +cycles:u:")},
    ("perf", "fields-ids-damaged.txt"): {(BYTE, JOINED): Lines(FEW_RECORDS, rb"gcc  4402/4403", rb"gcc  44024403")},
    ("perf", "blank-in-place-of-tab.txt"): {
        (BYTE, JOINED): Lines(FEW_RECORDS, rb"gcc  4402/4403", rb"gcc  44024403")},
    ("perf", "common-ends.txt"): of_lines(NO_SEPARATOR, rb"app 1/1 \[001\] 38\.0", (DROP, JOINED), (FIELD, MOVED)),
    ("perf", "several-events-without-stacks.txt"): of_lines(
        FIRST_EVENT, rb"app 100 \[000\] 1\.0: ", (BYTE, MOVED), (DROP, MOVED), (DROPS, MISCOUNTED)),
    ("perf", "java.txt"): {(BYTE, FRAME_LOST): Lines(ANY_NAME, rb"\t.*V->L", rb".*V(-[^>]|[^-]>|.?)L")},
    ("perf", "perf-cycles-instructions-01.txt"): (
        of_lines(OTHER_EVENT, rb".*: +(cycles|instructions): ", (DROP, UNKNOWN), (FIELD, UNKNOWN)),
        {(BYTE, UNKNOWN): Lines(OTHER_EVENT, rb".*: +(cycles|instructions): ", rb".*: +[a-z]*[^a-z][a-z]*: *$")}),
    ("perf", "tracepoints-with-payload.txt"): of_lines(
        OTHER_EVENT, rb"cat +4540 ", (DROPS, MISCOUNTED), (FIELD, MOVED)),
    ("perf", "cut-off-stack-before-event-line.txt"): of_lines(NO_SEPARATOR, rb"app .*1\.000400: ", (DROP, JOINED)),
    ("perf", "tracepoints-of-hex-names.txt"): {(BYTE, JOINED): HEX_NAME,
                                               **dict.fromkeys([(CUT, MISCOUNTED), (FIELD, MISCOUNTED)], Lines(
                                                   HEX_NAME, rb" +(bc|cc1|dd) ", rb" +\w+( \d*)?$"))},
    **{("perf", name): (rows(rb"app 100/100 "), of_lines(
        PAYLOAD, rb"app 100/100 ", (DROP, MISCOUNTED), (BYTE, MISCOUNTED), (BYTE, SPREAD), (BYTE, MOVED),
        (DIVIDE, JOINED)), {
            (FIELD, UNSTATED): Lines(FEW_RECORDS, rb"app 100/100 ", rb"app( [\d/]*)?$"),
            (FIELD, JOINED): Lines(PAYLOAD, rb"app 100/100 .*address ", rb".*address \w+ error_code *$"),
            (CUT, IGNORED): Lines(PAYLOAD, rb"app 100/100 ", rb".*: +\d+ demo:any:")}) for name in (
                "tracepoints-payloads.txt", "tracepoints-payloads-without-modules.txt")},
    ("perf", "one-line-stacks-with-source.txt"): A_LINE,
    ("perf", "fields-no-ids.txt"): of_lines(MIXED, rb"(gcc|cc1) ", (DROP, UNKNOWN), (BYTE, UNKNOWN), (BYTE, UNSTATED),
                                            (FIELD, LOST)),
    ("rbspy", "no-frames.txt"): of_lines(NO_FRAMES, rb'\{"trace":\[\]', (BYTE, MISCOUNTED), (FIELD, MISCOUNTED), (CUT, MISCOUNTED)),
    ("perf-trace", "tracepoints-and-table.txt"): of_lines(PROSE, rb"\s+\d+\.\d+ cc/", (BYTE, LOST), (FIELD, LOST)),
    ("strace", "calls.txt"): {
        (BYTE, MISCOUNTED): Lines(INTERRUPTED, rb"getpid\(", rb"getpid\([^=]*(\n|$)"),
        (FIELD, LOST): Lines(INTERRUPTED, rb"getpid\(", rb"[getpid]*$|= \d+$")},
    ("java-exceptions", "cause-without-a-byte.txt"): of_lines(DAMAGED_TWICE, rb"Caused b", (BYTE, MOVED)),
    ("perf", "source-text.txt"): (of_lines(SOURCE_TEXT, rb"(\n)?\|15 ", (BYTE, MISCOUNTED)),
                                  {(BYTE, LOST): Lines(FEW_RECORDS, rb"app 100 1\.0: 2 ",
                                                       rb"app 100 1\.0:\s+cycles: ")}),
    ("bcc", "prose.txt"): (rows(rb"\^Cdd;"), {(CUT, JOINED): FEW_COUNTS},
                           of_lines(PROSE, rb"    \./tool 5|some prose", (DROP, MISCOUNTED), (BYTE, JOINED)),
                           of_lines(FEW_COUNTS, rb"        2", (DROP, LOST))),
    ("instruments", "inverted.txt"): (of_lines(ANY_NAME, rb"\d.*\t ", (BYTE, JOINED)),
                                      of_lines(TREE, rb"8\.00 ms", (BYTE, UNKNOWN))),
    ("jstack", "javacore.txt"): of_lines(TWICE, rb"1XMCURTHDINFO", (DROPS, MISCOUNTED)),
    ("jstack", "javacore-current-damaged.txt"): (
        of_lines(TWICE, rb"1XMCURTHDINFO", (DROP, MISCOUNTED)),
        of_lines(TWICE, rb"1XMTHDINFO", (BYTE, LOST), (DROP, LOST))),
    ("instruments", "incomplete.txt"): of_lines(TOTAL_ALONE, rb"8\.00 ms", (JOIN, MISCOUNTED)),
    ("vtune", "totals-only.csv"): of_lines(CALLEES_HAVE_MORE, rb" other,", (BYTE, MISCOUNTED)),
    **{("hprof", name): rows(rb" *\d+ +[\d.,]+% +[\d.,]+% +\d+ +\d+ ") for name in ("locks.txt", "times.txt")},
    ("vsprof", "instrumentation.csv"): {(BYTE, UNKNOWN): SETTLED},
    ("vsprof", "calls-settled.csv"): {(BYTE, UNKNOWN): CALLEES_HAVE_MORE},
    ("vsprof", "inclusive-alone.csv"): {(BYTE, MISCOUNTED): CALLEES_HAVE_MORE},
    ("vtune", "total-seconds.csv"): of_lines(OWN_OF_TOTAL, rb".+,", (BYTE, UNKNOWN)),
    ("vtune", "callstacks-limited.csv"): (of_lines(OWN_OF_TOTAL, rb".+,", (BYTE, UNKNOWN)),
                                          of_lines(ROUNDED, rb",", (CUT, MISCOUNTED)),
                                          {(BYTE, FRAME_LOST): Lines(FIRST_OF_STACK, rb",\w+,0s,", rb",\w+,\d+s?,")}),
    ("xctrace", "sentinels.xml"): of_lines(REFERENCES, rb"<row>.* id=", (DROP, MISCOUNTED)),
    ("speedscope", "own.json"): of_lines(OTHER_COLUMN, rb"\[0", (BYTE, MISCOUNTED)),
    ("pprof", "legacy-two-heaps.txt"): {(CUT, IGNORED): Lines(LAST_MAPPING, rb"0x500000-", rb"0x5[0-9a-fx-]*$")},
    ("xctrace", "doctype.xml"): {(FIELD, UNKNOWN): Lines(BROKEN_ROW, rb"<row>", rb"<(r|ro)?$")},
    ("chrome-trace", "ties.json"): of_lines(OTHER_THREAD, rb'{"ph":"[BE]"', (BYTE, LOST)),
    ("chrome-trace", "own.json"): of_lines(HEADING, rb'"otherData"', (BYTE, JOINED), (DROP, JOINED)),
    ("chrome-trace", "profile.json"): (of_lines(PART, rb'.*"ProfileChunk"', (BYTE, MISCOUNTED)),
                                       of_lines(PART, rb'.*"(Cpu)?Profile(Chunk)?"', (DROP, LOST))),
    ("chrome-trace", "not-closed.json"): {(FIELD, LOST): Lines(SHORTER_LIST, rb'\[?\{"ph"', rb"\[$")},
    ("cpuprofile", "root-samples.cpuprofile"): of_lines(UNTIMED, rb'"samples"', (BYTE, UNSTATED)),
    ("bcc", "profile-delimited.txt"): of_lines(NO_SEPARATOR, rb"    -  ", (DROPS, LOST)),
    ("bcc", "stackcount_example.txt"): ({(JOIN, FRAME_LOST): Lines(ANY_NAME, rb".*\n.*\[unknown\]")},
                                        rows(rb"python;")),
    ("firefox", "own.json"): {(BYTE, LOST): HEADING,
                              (TYPE, JOINED): Lines(NO_FRAMES, rb'"stack":\[', rb'"stack":\[.*null')},
    ("firefox", "gecko-1.json"): of_lines(REFERENCES, rb'    "\{', (BYTE, MOVED), (BYTE, SPREAD)),
    ("gdb", "core.txt"): {(DROP, JOINED): PROSE, (BYTE, JOINED): PROSE},
    ("gdb", "thread-after-stop.txt"): {**{(kind, JOINED): PROSE for kind in (DROP, BYTE, FIELD)}, (DROPS, LOST): PROSE},
    ("d3", "self.json"): {(TYPE, MOVED): HEADING},
    ("instruments", "own-below-total.txt"): {
        (BYTE, MISCOUNTED): Lines(WITHOUT_ROWS, rb"(.*\n)?1,000.25 Mc"),
        (JOIN, MISCOUNTED): Lines(TREE, rb".*\n1,405.00 Mc   99.9%"),
        (FIELD, LOST): Lines(OTHER_NUMBER_OF_GROUPS, rb"1,000.25 Mc", rb"000.25 Mc")},
    ("dtrace", "keys.txt"): ({(DROP, JOINED): FEW_COUNTS}, of_lines(KEYS, rb"  k?(ba)?sh  ", (FIELD, FRAME_LOST)),
                             of_lines(NO_SEPARATOR, rb" +3\n", (DROPS, LOST))),
    ("dtrace", "addresses.txt"): {(FIELD, JOINED): Lines(A_NUMBER_IS_A_COUNT, rb" +0x104cecffd", rb" +0$")},
    ("dtrace", "distribution-without-end.txt"): of_lines(ANY_END, rb" +(\d+ \||value  -)", (DROPS, LOST), (CUT, LOST)),
    ("dtrace", "no-header-first-name-cut.txt"): {(BYTE, LOST): Lines(FEW_COUNTS, rb" +app`main\+0x2", rb" +[a;]")},
    ("dtrace", "headers-between.txt"): {(BYTE, MISCOUNTED): A_NUMBER_IS_A_COUNT},
    ("dtrace", "other-blanks.txt"): {(BYTE, JOINED): FEW_COUNTS},
    **{("perf", name): A_LINE for name in (
        "fields-flat.txt", "one-line-stacks.txt", "tracepoints-alone.txt", "tracepoints-with-payload-and-stack.txt",
        "tracepoints-without-time.txt")},
    ("perf", "traced-branches.txt"): {**A_LINE, (BYTE, SPREAD): FIRST_EVENT},
    ("perf", "tracepoints-without-process.txt"): A_LINE,
    ("perf", "fields-no-ids-but-brackets.txt"): {
        (FIELD, LOST): Lines(FEW_RECORDS, rb"wk", rb"wk(: \(x\))? \[0*3\] [23] cycles: *$")},
    ("perf", "single-line-stacks.txt"): (A_LINE, {(BYTE, LOST): Lines(COMMENT, rb"\s", rb"#"), (BYTE, JOINED): Lines(
        FEW_RECORDS, rb".*\d\.\d+: ", rb".*: +\d +\d+ \w+:")}),
    ("perf", "fields-comm-ip-sym.txt"): {(BYTE, JOINED): ONLY_A_NAME, (DROP, JOINED): NO_SEPARATOR},
    ("perf", "fields-flat-ip-sym-dso.txt"): {**A_LINE, (BYTE, LOST): ANY_NAME},
    ("perf", "fields-ip-sym-dso.txt"): {(BYTE, JOINED): NO_SEPARATOR},
    ("perf", "fields-physical-address.txt"): {(DROP, LOST): NO_SEPARATOR,
                                              (FIELD, UNSTATED): Lines(NO_SEPARATOR, rb"app 100 ", rb"app?( \d*)?$")},
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
                       lambda damage, *_: damage.kind == DROP or damage.divides or damage.joins),
    "perf": Compared(FEW_RECORDS, 2, rb"(?m)^(?![\t#|]|.*PERF_RECORD).*\d\.\d+: .*:( .*|\r?)$",
                     lambda damage, verdict, records: verdict != JOINED if records <= 1 else
                     verdict == LOST and re.match(rb".*\d\.\d+: +\d+ +\S+:", damage.line) and
                     re.match(rb".*\d\.\d+:( +\d+| +[a-z-]+:.*)? *\r?$", damage.made)),
}

# Formats in which a damaged byte that becomes a newline divides a stack.
BLANK_LINES = {"bpftrace": DIVIDED, "dtrace": DIVIDED, "perf": DIVIDED}

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

# Members of JSON documents that may be missing, as the keys that lead to them.
OPTIONAL = {
    "chrome-trace": r"\.(children|dur|tid|pid|name|args|cat|id|sf|stack|parent|bp|scope|tts|tdur|line|url|column|"
                    r"detail|file)$",
    "cpuprofile": r"\.(samples|timestamps|children|hitCount|url|lineNumber|columnNumber|functionName|positionTicks|"
                  r"timeDeltas)$",
    "d3": r"\.(children|value|name|file|line|libtype|module|c|v|n|l)$",
    "firefox": r"\.\w+$",
    "ghcprof": r"\.(children|ticks|alloc|entries|label|module|src_loc)$",
    "gprof2dot": r"\.(name|module|description|unit)$",
    "heapprofile": r"\.(children|selfSize|functionName|url|lineNumber|columnNumber|id)$",
    "metrickit": r"\.(subFrames|sampleCount|binaryName|binaryUUID|offsetIntoBinaryTextSegment|address)$",
    "safari": r"^\.recording\.sampleDurations$",
    "speedscope": r"\.(name|file|line|col|unit|weights|activeProfileIndex|exporter)$",
}

# Values of JSON documents that other values refer to by their number or name, and units of whole profiles.
DEFINITIONS = {
    "cpuprofile": r"\.nodes\[\]\.(id|children|parent|callFrame)",
    "firefox": r"(Table|Array|schema|libs|\.categories|weightType)\b",
    "flamebearer": r"^\.flamebearer\.(levels|names)|\.format$",
    "gprof2dot": r"^\.(functions|costs)\[\]",
    "heapprofile": r"\.(id|children|callFrame)\b",
    "otlp": r"^\.dictionary|\.stackIndex$",
    "speedscope": r"^\.shared\.frames|^\.profiles\[\]\.unit$",
    "stackprof": r"^\.frames",
    "v8log": r"^\.(code|functions)\[\]",
}

# The changes that are no defects, and the reasons, by format. Formats that are not here have none.
AMBIGUOUS = {
    "chrome-trace": (of_lines(PHASE, rb'.*"ph":', (BYTE, SPREAD)),
                     of_lines(BEGIN_AND_END, rb'.*"ts":', (BYTE, FRAME_LOST)),
                     of_lines(OTHER_THREAD, rb'.*"tid":', (TYPE, JOINED))),
    "bpftrace": (of_lines(RECORD_IS_A_LINE, rb'\{"type"', (DROP, LOST), (DROP, SPREAD)),
                 of_lines(MAP_NAME, rb"(.*\n)?@\w+\[", (BYTE, UNKNOWN), (DROP, UNKNOWN)),
                 {(BYTE, LOST): Lines(MAP_NAME, rb"@\w+\[", rb"@\w+\[")}),
    "aix": (of_lines(NO_SEPARATOR, rb"\d+: |---", (DROP, JOINED)),
            {(BYTE, MOVED): Lines(DIVIDED_OFFSET, rb"0x", rb"0x.*\n\d\d+$")}),
    "cpuprofile": ({(BYTE, SPREAD): Lines(BETWEEN_TIMES, rb"", rb"", rb'.*"timestamps":\s*\[[^]]*')},
                   {(BYTE, SPREAD): Lines(JOINED_NUMBERS, rb"", rb"", rb'.*"samples":\s*\[[^]]*')}),
    "austin": (NAMED_LINE, of_lines(HEADING, rb"# mode:", (BYTE, LOST))),
    "callgrind": (if_reported(REFERENCES, rb"calls=|[-+*\d]"), of_lines(ESTIMATED, rb"[-+*\d]", (BYTE, FRAME_LOST)),
                  of_lines(OTHER_FUNCTION, rb"cf[il]=", (BYTE, JOINED), (BYTE, FRAME_LOST)),
                  of_lines(ANY_NAME, rb"fn=", (JOIN, LOST)),
                  {(BYTE, JOINED): Lines(NO_COSTS, rb"\d+ \d+$", rb"\d+$")}),
    "du": (NAMED_LINE, CUT_NAME, DIVIDED_NAME,
           of_lines(ANY_NAME, rb"[\d.]+\w?[ \t]", (BYTE, FRAME_LOST), (BYTE, JOINED)),
           {(BYTE, LOST): Lines(ANY_NAME, rb"\d", rb"[\d.]+[ \t]")},
           of_lines(OWN_OF_TOTAL, rb"\d+", (BYTE, UNKNOWN)), {(DIVIDE, LOST): Lines(OTHER_NUMBER, rb"\d", rb"\n\d")}),
    "faulthandler": (of_lines(NO_SEPARATOR, rb"(Current t|T)hread ", (DROP, JOINED)),
                     {(DIVIDE, MISCOUNTED): Lines(DIVIDED, rb"  ", rb".*\n\s*$")}),
    "folded": (NAMED_LINE, CUT_NAME, {
        (BYTE, LOST): Lines(OTHER_NUMBER, rb".* \d\.\d+", rb".* (\.\d+|\d+\.?)$"),
        (BYTE, JOINED): Lines(A_NUMBER_IS_A_COUNT, rb".* \d+ \d+", rb".* \d+ ?$"),
        (CUT, IGNORED): Lines(OTHER_NUMBER, rb".* 0\.\d+", rb".* 0?\.?0*$")},
               of_lines(HEADING, rb"# ", (BYTE, LOST), (BYTE, SPREAD), (DROP, SPREAD)),
               of_lines(COMMENT, rb"#", (BYTE, JOINED), (BYTE, MISCOUNTED)),
               {(BYTE, LOST): Lines(COMMENT, rb"", rb"\s*#")},
               {(BYTE, JOINED): Lines(A_NUMBER_IS_A_COUNT, rb".*\d", rb".*[\d.][ \t]+[\d.]+\s*$"),
                (DIVIDE, JOINED): Lines(A_NUMBER_IS_A_COUNT, rb".*\d", rb".*\d\n")}),
    "dtrace": of_lines(SEVERAL_NAMES, rb".*->", (FIELD, FRAME_LOST)),
    "ftrace": (rows(rb".*(;|<-.*)\s*$"),
               of_lines(OTHER_THREAD, rb"\s*\d+\)", (BYTE, FRAME_LOST)),
               {(BYTE, FRAME_LOST): Lines(COMMENT, rb"", rb"\s*#")},
               of_lines(BEGIN_AND_END, rb".*funcgraph_|.*\d+\)|cpus=", (BYTE, JOINED), (BYTE, SPREAD), (DROP, SPREAD)),
               {(BYTE, LOST): Lines(COMMENT, rb" ", rb" *#")},
               of_lines(BEGIN_AND_END, rb".*[{};]", (BYTE, UNSTATED), (BYTE, UNKNOWN)),
               {(JOIN, LOST): Lines(COMMENT, rb"#"), (BYTE, UNSTATED): Lines(PROSE, rb".*<-", rb"(?!.*<-)")},
               of_lines(BEGIN_AND_END, rb".*[{}]", (DROP, UNSTATED), (DROP, UNKNOWN))),
    "perf-calls": of_lines(BEGIN_AND_END, rb".*:   ", (BYTE, UNKNOWN), (BYTE, UNSTATED), (BYTE, SPREAD),
                           (DROP, UNKNOWN), (DROP, UNSTATED), (DROP, SPREAD)),
    "ghcprof": (of_lines(TREE, rb"\s*\S.*\d\.\d", (BYTE, MOVED)),
                of_lines(HEADING, rb"COST CENTRE|\s*\n| {20,}", (BYTE, SPREAD), (DROP, SPREAD)),
                of_lines(TREE, rb" +\S", (BYTE, FRAME_LOST)), rows(rb"\s*\S.*\d\.\d"),
                of_lines(HEADING, rb"COST CENTRE", (BYTE, UNKNOWN), (DROP, UNKNOWN))),
    "svg": (if_reported(NESTED, rb"", (CUT, MOVED), (DROPS, MOVED), (DROPS, SPREAD),
                        *((kind, verdict) for kind in (BYTE, DROP, FIELD) for verdict in (MISCOUNTED, UNSTATED)),
                        *((FIELD, verdict) for verdict in (MOVED, SPREAD, UNKNOWN))),
            of_lines(TITLED, rb"(?:.*\n)?<(?:rect|text|g)\b", (FIELD, FRAME_LOST), (BYTE, FRAME_LOST))),
    "html": (if_reported(NESTED, rb"", (CUT, MOVED), (DROPS, MOVED), (DROPS, SPREAD), (FIELD, MOVED), (FIELD, SPREAD),
                         *((kind, verdict) for kind in (BYTE, DROP, FIELD) for verdict in (MISCOUNTED, UNSTATED, UNKNOWN))),
             of_lines(DOCUMENT, rb"var data = |const stacks = ", (BYTE, JOINED), (FIELD, FRAME_LOST), (BYTE, LOST),
                      (BYTE, FRAME_LOST)),
             of_lines(PACKED, rb'.*"selves":|.*"calls":|.*"frames":', (FIELD, JOINED),
                      *((BYTE, verdict) for verdict in (JOINED, LOST, FRAME_LOST))),
             of_lines(PACKED, rb"'", (BYTE, FRAME_LOST)),
             of_lines(TREE, rb"(?:.*\n)?(?:<li>|</?ul)", (DROP, LOST), (DROP, JOINED)),
             of_lines(TITLED, rb"<li>", (BYTE, FRAME_LOST))),
    "perf-report": (if_reported(TREE, rb" *\S|[ |]*$", *((kind, verdict) for kind in (FIELD, JOIN, DIVIDE, DROPS, DROP, BYTE, CUT)
                                                     for verdict in (MOVED, JOINED, SPREAD, FRAME_LOST, MISCOUNTED))),
                    of_lines(HEADING, rb"(?:.*\n)?#", *((kind, verdict) for kind in (BYTE, DROP, DROPS, FIELD, JOIN, DIVIDE) for verdict in
                                               (SPREAD, UNSTATED, UNKNOWN, FRAME_LOST, LOST, JOINED, MOVED))),
                    of_lines(TREE, rb"[ |]*--\d", (BYTE, LOST)),
                    {(CUT, MOVED): TREE, (CUT, JOINED): TREE, (CUT, LOST): TREE}, rows(rb" *\d")),
    "v8log-text": (if_reported(TREE, rb" *\d", *((kind, MOVED) for kind in (FIELD, JOIN, DIVIDE, DROPS))),
                   of_lines(NAMED_TWICE, rb" *\d", (BYTE, MOVED)),
                   of_lines(HEADING, rb" \[| +ticks|\s*$", *((kind, verdict) for kind in (BYTE, DROP, DROPS, FIELD)
                                                           for verdict in (SPREAD, MOVED))),
                   {(CUT, MOVED): CALLERS_FOLLOW, (CUT, JOINED): CALLERS_FOLLOW}),
    "go": (of_lines(REFERENCES, rb"(.*\n)?(Locations|\s+-?\d+(B|:)|\s+\d+ +\d+:)",
                    (DROP, JOINED), (BYTE, JOINED)),
           rows(rb"\s+\d+\s+\d+:"), {(CUT, MOVED): REFERENCES},
           of_lines(NUMBERED, rb"\s+\d+\s+\d+: \d", (BYTE, FRAME_LOST)),
           {(DIVIDE, LOST): Lines(OTHER_NUMBER, rb"\s+\d", rb"\s+\n[\d.]+")},
           of_lines(BINARY_UNITS, rb"(.*\n)?\s+[\d.]+[kMG]B", (BYTE, UNKNOWN), (DROP, UNKNOWN)),
           of_lines(HEADING, rb"(.*\n)?\w+/\w+ ", (BYTE, SPREAD), (DROP, SPREAD), (BYTE, LOST), (DROP, UNKNOWN))),
    "go-trace-text": of_lines(BEGIN_AND_END, rb"(.*\n)?M=.* StateTransition ", (BYTE, UNKNOWN), (DROP, UNKNOWN),
                         (DROP, UNSTATED)),
    "gprof": (of_lines(HEADING, rb" *%|Flat profile|Each sample", (DROP, JOINED)),
              of_lines(DIVIDED_TIME, rb" {8,}|\[\d+\]| *\d+\.\d+ ", (DROP, JOINED), (BYTE, JOINED)),
              of_lines(DIVIDED_TIME, rb"\[\d+\]", (BYTE, SPREAD), (DROP, SPREAD)),
              of_lines(ROUNDED_SUM, rb" +\d+\.\d\d +\d+\.\d\d +0\.01 ", (DROP, LOST)),
              of_lines(HEADING, rb"(?i)(index\b| *%| *time\b)", (DROP, UNSTATED), (DROP, SPREAD), (BYTE, UNSTATED),
                       (BYTE, SPREAD))),
    "heaptrack": (of_lines(NUMBERED, rb"(?:.*\n)?[tsai] ", (DROP, MOVED), (DROP, JOINED), (BYTE, MOVED),
                           (BYTE, SPREAD)),
                  rows(rb"[+-] "),
                  of_lines(NUMBERED, rb"a ", (DROP, UNKNOWN), (BYTE, UNKNOWN)),
                  of_lines(LETTER, rb"(.*\n)?[+-] ", (BYTE, UNKNOWN)), {(BYTE, LOST): Lines(COMMENT, rb"[+-] ", rb"#")},
                  of_lines(HEADING, rb"v ", (BYTE, UNSTATED), (BYTE, SPREAD)),
                  of_lines(NUMBERED, rb"# ", (DIVIDE, MOVED)),
                  dict.fromkeys([(BYTE, UNSTATED), (BYTE, SPREAD)], Lines(RAW_DATA, rb". ", rb"x ")),
                  of_lines(SEVERAL_NAMES, rb"i ", (FIELD, FRAME_LOST))),
    "hprof": (of_lines(REFERENCES, rb"(?:.*\n)?(?:CPU|SITES|MONITOR|TRACE|\s+\w|\s*\d+ )", (BYTE, MOVED),
                       (BYTE, SPREAD), (DROP, SPREAD)),
              rows(rb" *\d+ +[\d.,]+% +[\d.,]+% +\d+ +\d+ +\d+ +\d+ "),
              of_lines(SHARE, rb" *\d+ +[\d.,]+% ", (BYTE, UNKNOWN)),
              of_lines(HEADING, rb"CPU|SITES|MONITOR|JAVA", (BYTE, UNKNOWN), (DROP, UNKNOWN))),
    "instruments": (if_reported(TREE, rb"\s*[\d.,]+ ?[\w%]"), rows(rb"\s*\d"),
                    of_lines(TREE, rb".*\d.*\t ", (BYTE, FRAME_LOST)),
                    {(BYTE, JOINED): Lines(TREE, rb".*\t +\S", rb".*\t(?! )[^\t]*$")}),
    "java-exceptions": (of_lines(NO_SEPARATOR, rb"\s*(Caused by|Suppressed|\S.*Exception)", (DROP, JOINED)),
                        of_lines(COMMON_FRAMES, rb"\s*\.\.\. \d+ more", (DROP, MOVED), (DROP, JOINED), (BYTE, MOVED)),
                        of_lines(COMMON_FRAMES, rb"Caused ", (FIELD, MOVED)),
                        of_lines(WHICH_COMMON, rb"\s+at ", (DROP, JOINED)),
                        of_lines(PROSE, rb"\s*at ", (DROP, LOST)),
                        of_lines(COMMON_FRAMES, rb"\s*Caused", (DROP, UNSTATED))),
    "lldb": of_lines(HEADING, rb"Process", (DROP, JOINED), (BYTE, JOINED)),
    "massif": of_lines(TREE, rb"(?:.*\n)? *n\d+: ", (BYTE, MOVED), (BYTE, SPREAD)),
    "otlp": (of_lines(RECORD_IS_A_LINE, rb'\{"resourceProfiles"', (DROP, LOST)),
             of_lines(REFERENCES, rb'\{"resourceProfiles"', (BYTE, MOVED), (BYTE, SPREAD), (BYTE, UNSTATED)),
             of_lines(NUMBER_OR_TEXT, rb'.*"\d+"', (TYPE, LOST)),
             of_lines(ONLY_TIMES, rb'.*"(values|timestampsUnixNano)"', (BYTE, LOST))),
    "papyrus": (if_reported(TREE, rb"\d+:(QUEUE_)?(PUSH|POP):"), rows(rb"\d+:(PUSH|POP):"),
                of_lines(BEGIN_AND_END, rb"\d+:(PUSH|POP):", (BYTE, UNKNOWN), (BYTE, UNSTATED)),
                {(DIVIDE, JOINED): Lines(OTHER_NUMBER, rb"\d", rb"\n\d"),
                 **of_lines(PROSE, rb"(.*\n)?\d+:(PUSH|POP):", (JOIN, UNSTATED), (JOIN, UNKNOWN)),
                 (BYTE, LOST): Lines(BEGIN_AND_END, rb"\d+:(PUSH|POP):", rb"\d+:(PUSH|POP):[^\n]*$")}),
    "perf": ({(DIVIDE, MISCOUNTED): Lines(NO_EVENT, rb".*\d: +PERF_RECORD_", rb".*\d: *\n"),
              (FIELD, MISCOUNTED): Lines(NO_EVENT, rb".*\d: +PERF_RECORD_", rb"[^:]*:? *$")},
             {(DIVIDE, MISCOUNTED): Lines(DIVIDED_EVENT, rb".*\d\.\d+: ", rb"[^\n]*\n *[\d.\]]*:? .*:")},
             {(DIVIDE, MISCOUNTED): Lines(DIVIDED, rb"\t", rb"\s*\n|[^\n]*\n\s*$")},
             of_lines(SEVERAL_NAMES, rb".*->", (FIELD, FRAME_LOST), (CUT, JOINED), (CUT, MOVED))),
    "pmc": (of_lines(TREE, rb"(?:.*\n)? *[\d.]+%", (BYTE, MOVED), (BYTE, SPREAD)), rows(rb"\d")),
    "pprof": (of_lines(HEADING, rb"(?:.*\n)?(?: *-?\d+[: ].*@|  PC:| +creator:| 0x)", (BYTE, MOVED), (DROP, MOVED),
                       (DROP, JOINED)), rows(rb" *\d+ +(\d+ )?@"),
              of_lines(ADDRESSES, rb".*0x", (FIELD, FRAME_LOST), (FIELD, JOINED)),
              {(CUT, JOINED): Left(NO_MAPPINGS, rb"", rb"MAPPED_LIBRARIES:|--- Memory map:")},
              of_lines(SCALED_TOGETHER, rb" *\d+: +\d+ .*@", (DROPS, MISCOUNTED)),
              of_lines(SCALED, rb" *\d+:? +\d+ .*@", (BYTE, UNKNOWN))),
    "pstack": of_lines(NO_SEPARATOR, rb"(core .*)?\d+:\s|---", (DROP, JOINED)),
    "recursive": (NAMED_LINE, CUT_NAME, DIVIDED_NAME, {(BYTE, LOST): Lines(COMMENT, rb"", rb"\s*#")}),
    "sample": (if_reported(TREE, rb"[\s+!:|]*\d|Call graph:"),
               of_lines(HEADING, rb"Call graph:", (DROP, UNSTATED), (BYTE, UNSTATED))),
    "spindump": (if_reported(TREE, rb" +\*? *\d"), of_lines(TREE, rb" +\*? *\d", (DROP, JOINED), (CUT, JOINED))),
    "speedscope": (of_lines(BEGIN_AND_END, rb'.*"type":"[OC]"', (TYPE, MOVED), (TYPE, SPREAD)),
                   {(BYTE, LOST): Lines(IDLE, rb'.*"samples":', rb".*\[\s\]")}),
    "stap": (of_lines(NO_SEPARATOR, rb"(.*\n)?\s*\d+\s*$", (DROP, JOINED)),
             of_lines(SEVERAL_STACKS, rb"\s*\d+\s*$", (DROPS, LOST))),
    "strace": of_lines(RECORD_IS_A_LINE, rb"(?! > )", (DROP, LOST), (DROP, JOINED)),
    "rbspy": of_lines(RECORD_IS_A_LINE, rb"[{\[]", (DROP, LOST)),
    "perf-trace": (rows(rb"   [a-z]\w* +\d"), of_lines(RECORD_IS_A_LINE, rb"\s*(\d+\.\d+|\?) ", (DROP, LOST), (DROP, JOINED))),
    "timehist": (rows(rb"\s*\d+\.\d+ \["),
                 of_lines(SEVERAL_NAMES, rb".*<- ", (FIELD, FRAME_LOST), (FIELD, JOINED))),
    "vsprof": (if_reported(TREE, rb"\d+[,;]", (DROP, JOINED)), rows(rb"\d+,"), {(FIELD, LOST): Lines(
        OTHER_NUMBER_OF_GROUPS, rb'\d+,".*","\d{1,3}(,\d{3}){2}",', rb'\d+,".*","\d{1,3},\d{3}",')}),
    "vtune": (if_reported(TREE, rb".*[,;\t]", (DROP, JOINED), (BYTE, JOINED)), rows(rb".*[,;\t]"),
              {(BYTE, FRAME_LOST): Lines(INDENT, rb"\"? +\S", rb"\s*\n[^\n]+|[^\n]*$", rb"\"? *"),
               (BYTE, LOST): Lines(EMPTY_CELL, rb".*[,;\t]\d[,;\t]", rb".*[,;\t][,;\t]")}),
    "xctrace": (rows(rb".*<row>"),
                {(FIELD, FRAME_LOST): Lines(NO_LENGTH, rb".*<(tagged-)?backtrace.*<frame.*<frame",
                                            rb".*<(tagged-)?backtrace.*<frame [^<]*/></")},
                of_lines(DOCUMENT, rb"\s*<", (BYTE, SPREAD)),
                of_lines(REFERENCES, rb".*<(node|row|schema)", (BYTE, MOVED)),
                of_lines(DOCUMENT, rb"(\xef\xbb\xbf)?<\?", (BYTE, UNKNOWN)),
                of_lines(REFERENCES, rb".*<(row|schema)", (DROP, MOVED)),
                of_lines(HEADING, rb".*<schema", (BYTE, JOINED))),
    "stackprof": of_lines(LENGTHS, rb'.*"raw":', (BYTE, SPREAD), (BYTE, MOVED)),
    "xdebug": (dict.fromkeys([(FIELD, FRAME_LOST), (FIELD, LOST)], Lines(
                   NO_MEMORY, rb".*-> \{main\}", rb"\s+\d+\.\d+ +-> \{main\}")),
               of_lines(OUTERMOST, rb"1\t\d+\t1\t", (DROPS, MISCOUNTED)),
               if_reported(BEGIN_AND_END, rb"\d+\t\d+\t|\s*\d+\.\d+ |\s*<tr>|TRACE START|File format|Version",
                           (DROP, JOINED), (BYTE, JOINED)), rows(rb"\s*(\d|<tr>)"),
               of_lines(BEGIN_AND_END, rb"\s*(\d|<tr>)", (BYTE, UNKNOWN))),
}
