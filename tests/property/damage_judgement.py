# SPDX-License-Identifier: MIT
"""Judges the result of a damaged input: what is folded and what is reported must add up to the sound input.

A stack may be lost, which a message near the damage says with the right weight. These changes are no defects, since
the damaged input is as sound as another one:

* a damaged name is another name, also one that contains the names of two frames (`Pair`);
* a damaged number is another number, so weights may differ if a digit, sign or point becomes another one;
* what stood on dropped lines may be missing, and what stood around them may be one record.
"""
import collections
import re

from damage_messages import BY_RULE, NO_SUM, STATED, is_of_losses, new_texts
from damage_verdicts import FRAME_LOST, JOINED, LOST, MISCOUNTED, MOVED, SPREAD, UNKNOWN, UNSTATED
from damages import CUT, DROP, DROPS

NEAR = 4  # lines

# Formats whose records have a weight of 1 each, whatever their lines say.
ONE_EACH = {"aix", "eu-stack", "faulthandler", "gdb", "goroutine", "java-exceptions", "java-threads", "jstack", "lldb",
            "otel-coredump", "pstack", "py-spy"}

# Formats of whose rows each counts 1, whatever it says.
ROWS_OF_ONE = {"xctrace"}

# Formats that state the total of each call, of which a caller has what those that it calls leave: another total leaves
# it another rest.
TOTALS = {"d3", "instruments", "metrickit", "pyinstrument"}

# Call trees with a row for each call and its total: where the input ends, each row that is open has the rest of it.
ROWS_OF_TOTALS = {"instruments", "pmc"}

# Formats whose stacks begin with what a line above the frames states, the process or keys: of two stacks between which
# that line is gone, the one that is left has the first one's.
HEADED = {"bpftrace", "perf"}

# Formats whose events may lose the line above their frames: the frames are those of the event above, which may break
# off where lines are gone.
HEADED_EVENTS = {"bpftrace"}

# Formats that leave out records of sound inputs, such as samples of other events: these may be among the lines that are
# gone, and then less is left out.
WITH_OTHER_RECORDS = {"perf"}

# Formats of which a case has names without a word of three letters: frames are looked for as a whole.
SHORT_NAMES = {"java-exceptions"}

# Formats that name a function once, and refer to it by a number.
NUMBERED_NAMES = {"callgrind", "heaptrack", "hprof", "pprof", "xctrace"}


# ---- stacks --------------------------------------------------------------------------------------

def is_renamed(a, b):
    """Returns whether two stacks differ in the name of one function."""
    return len(a) == len(b) and len({(x, y) for x, y in zip(a, b, strict=True) if x != y}) == 1


def differing(a, b):
    """Returns the frames of two stacks between those that both begin and end with."""
    same = 0
    while same < min(len(a), len(b)) and a[same] == b[same]:
        same += 1
    ends = 0
    while ends < min(len(a), len(b)) - same and a[-1 - ends] == b[-1 - ends]:
        ends += 1
    return a[same:len(a) - ends], b[same:len(b) - ends]


def are_alike(a, b, frames):
    """Returns whether two stacks differ in what one damaged line of a frame may do, but not as a whole: the name of one
    function, or up to `frames` - 1 frames that follow each other; one of these may become one frame more or less."""
    parts = [len(part) for part in differing(a, b)]
    shares = max(parts) < max(len(a), len(b))
    if max(parts) <= frames - 1 + (min(parts) == 1) and (shares or min(len(a), len(b)) == 1):
        return True
    return is_renamed(a, b)


def is_shorter(a, b):
    """Returns whether a stack lost a frame whose name no other frame has taken up."""
    if len(b) >= len(a):
        return False
    gone, made = differing(a, b)
    names = letters_of(made)
    return not all(letters(frame) in names for frame in gone)


def letters(name):
    """Returns the letters and digits of a name without the first and last, which may be the damaged ones, and without
    the mark of its kind, such as _[i]."""
    return re.sub(r"^0x|_\[\w\]$|\W", "", name)[1:-1]


def letters_of(stack):
    return re.sub(r"\W", "", "".join(stack))


def is_spliced(format_, stack, parts):
    """Returns whether a stack is the beginning of one of these stacks, or the end, or one of each together, apart from
    what the line above the frames states."""
    first = 1 if format_ in HEADED else 0

    def is_rest(rest):
        return any(rest == b[len(b) - len(rest):] or format_ in HEADED_EVENTS and rest == b[1:1 + len(rest)]
                   for b in parts)
    return any(stack[first:i] == a[first:i] and is_rest(stack[i:]) for a in parts for i in range(len(stack) + 1))


def paired(before, after, tests):
    """Returns the stacks that are lost and those that are new, without those that became each other by one of the
    tests; and pairs of those that did."""
    lost, new, pairs = before - after, after - before, []
    for is_pair in tests:
        for stack in new:
            for other in lost:
                if new[stack] > 0 and lost[other] > 0 and is_pair(stack, other):
                    weight = min(new[stack], lost[other])
                    new[stack] -= weight
                    lost[other] -= weight
                    pairs.append((other, stack))
    return +lost, +new, pairs


def is_one_name(pairs):
    """Returns whether the pairs of stacks differ in the same name."""
    return len({(x, y) for a, b in pairs for x, y in zip(a, b, strict=True) if x != y}) == 1


def changes(before, after, frames):
    """Does so with stacks in which one name is another one, if that explains all. Otherwise does so with stacks that
    are alike, or with those with another name first if that leaves no new one: if the former leave one, or may be
    of different records since more than one frame may differ."""
    def is_like(stack, other):
        return are_alike(stack, other, frames)
    renamed = paired(before, after, [is_renamed])
    if not renamed[0] and not renamed[1] and is_one_name(renamed[2]):
        return renamed
    first = paired(before, after, [is_like])
    other = paired(before, after, [is_renamed, is_like]) if first[1] or frames > 2 else first
    return first if other[1] else other


def is_change(case, lost, new):
    """Returns whether a record of the same weight has another stack, which no other record has."""
    return list(lost.values()) == list(new.values()) and len(lost) == 1 and next(iter(new)) not in case.stacks


def is_scaled(before, after):
    """Returns whether all stacks have the same part of their weight: a setting for all is another number."""
    return before.keys() == after.keys() and len({after[s] / before[s] for s in before if before[s]}) == 1


def is_named_in(format_, stack, text, whole):
    """Returns whether a part of an input has a word of one of the frames of a stack, or the whole has none."""
    words = [word.encode() for frame in stack for word in re.findall(r"\w{3,}", frame)]
    if format_ in SHORT_NAMES:
        words += [frame.encode() for frame in stack if len(frame) > 2]
    return any(word in text for word in words) or not any(word in whole for word in words)


def keeps_names(a, b, lines):
    """Returns whether a stack has all names of another one, maybe in another order: if frames are missing, others have
    their names, or `lines` are gone."""
    gone = list((collections.Counter(a) - collections.Counter(b)).elements())
    names = letters_of(b)
    return len(gone) <= max(lines, 2) and (lines > 0 or all(letters(frame) in names for frame in gone))


# ---- weights -------------------------------------------------------------------------------------

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


def is_two_numbers(damage):
    """Returns whether a line is divided within a number, after which each part has another weight."""
    return damage.divides and re.search(rb"\d\n\d", damage.made) is not None


def may_be_unknown(format_, case, damage, lost, rest):
    """Returns whether the weight of what is lost, without that of records whose weight is stated, is a number of the
    damaged line, or of a document, whose records have several. No number of a line that is not one of the format is
    known to be the sound one."""
    if not lost or is_two_numbers(damage) or damage.kind in (DROPS, CUT) or case.document is not None:
        return True
    return format_ not in ONE_EACH and is_in_line(damage, {rest, *(case.stacks[stack] for stack in lost)})


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
        least = -case.told.weight if format_ in WITH_OTHER_RECORDS else 0
        are_dropped = damage.kind in (DROPS, CUT) and least <= stated < missing
        return None if is_repeated or is_dropped or are_dropped or is_two_numbers(damage) else MISCOUNTED
    return UNSTATED if lost and not any(re.search(BY_RULE, text) for text in said) else None


# ---- messages ------------------------------------------------------------------------------------

def blocks_of(data):
    """Returns for each line which block it is in: blocks are divided by blank lines, or else lines that are not
    indented begin one, if others are."""
    lines = data.split(b"\n")
    is_divided = any(not line.strip() for line in lines[1:-2])
    blocks, n, was_blank = [], 0, False
    for line in lines:
        is_blank = not line.strip()
        n += was_blank and not is_blank if is_divided else line[:1] not in (b" ", b"\t")
        blocks.append(n)
        was_blank = is_blank
    return blocks


def is_near(lines, damage):
    """Returns whether one of the places of a message is in the record of a damage, or in the one before or after it."""
    if None in lines:
        return True
    if any(abs(line - damage.number) <= NEAR + damage.lines for line in lines):
        return True
    blocks = blocks_of(damage.data)
    block = blocks[min(damage.number, len(blocks)) - 1]
    return any(abs(blocks[min(line, len(blocks)) - 1] - block) <= 1 for line in lines)


def excuses(case, damage, told, is_anywhere):
    """Returns the new messages that say of a loss, near the damage if they have a place. The sum of what is left out
    has none: it says enough, and the rest of the judgement compares it."""
    return [text for text in new_texts(case.told, told) if is_of_losses(text) and
            (is_anywhere or is_near(told.lines.get(text, {None}), damage))]


# ---- the judgement -------------------------------------------------------------------------------

def judge_new(case, damage, lost, new, messages, told):
    """Returns what is wrong with stacks that no record has."""
    is_kept = is_change(case, lost, new) and (messages or keeps_names(*lost, *new, damage.lines))
    if not is_kept:
        return [MOVED] if messages else [JOINED]
    return [MISCOUNTED] if told.weight != case.told.weight else []


def judge_dropped(format_, case, damage, lost, after, is_joined):
    """Returns what is wrong with stacks that are lost with several lines, or with the end of an input: each must be
    named there, but for one that is joined with another one. Without any stack, the run fails."""
    text = damage.line if damage.kind == DROPS else case.data[damage.at - len(damage.made):]
    unnamed = [stack for stack in lost if not is_named_in(format_, stack, text, case.data)]
    return [] if format_ in NUMBERED_NAMES or not after or len(unnamed) <= is_joined else [LOST]


def is_part(stack, whole):
    """Returns whether a stack is the beginning or the end of another one, maybe with the root of that, and with another
    name of the frame at which it is cut. A frame alone has at least the beginning of its name, or none."""
    n = len(stack)
    if n == 1:
        return stack[0] == "[unknown]" or any(frame.startswith(stack[0]) for frame in whole)
    parts = whole[:n], whole[len(whole) - n:], whole[:1] + whole[len(whole) - n + 1:]
    return n <= len(whole) and any(sum(x != y for x, y in zip(stack, part, strict=False)) <= 1 for part in parts)


def without_spliced(format_, case, damage, new):
    """Returns the new stacks without one that is made of what stands around the lines that are gone, or that is a part
    of a stack at whose lines the input ends, or several in rows of totals."""
    may_be_several = format_ in ROWS_OF_TOTALS
    if damage.kind == CUT and (len(new) == 1 or may_be_several) and \
            any(all(is_part(stack, whole) for stack in new) for whole in case.stacks):
        return {}
    is_made = len(new) == 1 and damage.kind in (DROPS, CUT) and is_spliced(format_, next(iter(new)), case.stacks)
    return {} if is_made else new


def judge(format_, case, damage, after, told_after, is_anywhere=False):
    """Returns the defects that the damage shows."""
    lost, new, pairs = changes(case.stacks, after, damage.frames)
    if damage.numeric and is_scaled(case.stacks, after):
        return []
    messages = excuses(case, damage, told_after, is_anywhere)
    if damage.numeric:
        new = {stack: weight for stack, weight in new.items() if not any(
            are_alike(stack, other, damage.frames) or format_ in TOTALS and stack == other[:len(stack)]
            for other in case.stacks)}
        lost = {} if not new and len(lost) <= 1 else lost
    unspliced = without_spliced(format_, case, damage, new)
    is_joined, new = pairs != [] or unspliced != new, unspliced
    if new:
        return judge_new(case, damage, lost, new, messages, told_after)
    missing = sum(case.stacks.values()) - sum(after.values())
    if damage.kind in (DROPS, CUT) and not any(re.search(f"{NO_SUM}|{STATED}", text) for text in messages):
        return [] if messages else judge_dropped(format_, case, damage, lost, after, is_joined)
    if lost and not messages:
        return [LOST]
    if not damage.lines and not messages and any(is_shorter(a, b) and not (damage.numeric and (
            b in case.stacks or b == a[:len(b)])) for a, b in pairs):  # a caller has the rest of its total
        return [FRAME_LOST]
    wrong = None if damage.numeric else judge_weight(format_, case, damage, lost, missing, told_after)
    is_rest = damage.kind == CUT or any(re.search(NO_SUM, text) for text in messages)
    most = len(lost) if is_rest else max(damage.lines, 1) + damage.joins
    return [wrong] * (wrong is not None) + [SPREAD] * (len(lost) > most)
