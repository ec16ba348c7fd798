# SPDX-License-Identifier: MIT
"""Damages inputs: each function here makes one damage to a text, at a random place."""
import collections
import re

# Kinds of damage. Bytes that join two lines, or divide one, are damaged bytes, too.
DROP, DROPS, CUT = "a dropped line", "several dropped lines", "a cut end"
BYTE, JOIN, DIVIDE, FIELD = "a damaged byte", "two joined lines", "a divided line", "a dropped field"
TYPE = "a value of another type"

NEW_BYTES = b"#xZ7 \n;\x01@\t\0"
MOST_LINES = 6  # that are dropped together
DIGITS = b"0123456789.-+,"
OF_JSON_NUMBERS = b"0123456789.-+eE"

# `text`: what is done, for sed. `line`: the damaged line, or lines. `made`: what it becomes. `at`: the offset of the
# damage. `number`: the number of the (first) damaged line. `numeric`: a number becomes another one. `frames`: how many
# frames the damaged lines have, at most. `lines`: how many lines are gone. `joins`: two lines are one. `divides`: one
# line is two.
Damage = collections.namedtuple("Damage", "text data line made at number kind numeric frames lines joins divides",
                                defaults=(False, 2, 0, False, False))


def frames_of(*lines):
    """Returns how many frames lines have at most: two, and those that perf found inlined."""
    return 2 + sum(line.count(b"->") for line in lines)


def is_document(data):
    """Returns whether an input is a JSON document, which may begin with comments. Lines that each hold a document are
    none."""
    return re.match(rb"(\xef\xbb\xbf)?(\s|//.*|/\*.*?\*/)*[{[]", data) is not None and \
        not re.match(rb"\s*\{.*\}\s*\n\s*\{.*\}", data)


def as_sed(byte):
    """Returns a byte as sed takes it."""
    return {b"\n": r"\n", b"\t": r"\t"}.get(byte) or (byte.decode() if byte >= b" " else f"\\x{byte[0]:02x}")


def line_at(data, at):
    """Returns the number of the line of a byte, and where the line begins and ends."""
    start = data.rfind(b"\n", 0, at) + 1
    end = data.find(b"\n", at)
    return data.count(b"\n", 0, at) + 1, start, len(data) if end < 0 else end


# ---- lines ---------------------------------------------------------------------------------------

def drop(rng, data, n):
    lines = data.splitlines(keepends=True)
    i = rng.randrange(len(lines))
    gone = lines[i:i + n]
    at = sum(map(len, lines[:i]))
    script = f"{i + 1}d" if len(gone) == 1 else f"{i + 1},{i + len(gone)}d"
    return Damage(f"sed {script}: {gone}", b"".join(lines[:i] + lines[i + n:]), b"".join(gone), b"", at, i + 1,
                  DROP if len(gone) == 1 else DROPS, frames=frames_of(*gone) + len(gone) - 1, lines=len(gone))


def drop_line(rng, data):
    return drop(rng, data, 1)


def drop_lines(rng, data):
    return drop(rng, data, rng.randint(2, MOST_LINES))


def cut_end(rng, data):
    """Cuts off the end, after a line or within one."""
    at = rng.randrange(1, len(data))
    if rng.random() < .5:
        at = data.rfind(b"\n", 0, at) + 1 or at
    number, start, end = line_at(data, at)
    return Damage(f"head -c {at}", data[:at], data[start:end], data[start:at], at, number, CUT,
                  lines=data.count(b"\n", at))


# ---- within a line -------------------------------------------------------------------------------

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


def replace_byte(rng, data):
    i = rng.randrange(len(data))
    new = bytes([rng.choice([c for c in NEW_BYTES if c != data[i]])])
    old = data[i:i + 1]
    number, start, _ = line_at(data, i)
    end = data.find(b"\n", i + 1) % (len(data) + 1)
    script = f"{number}{{N;s/\\n/{as_sed(new)}/}}" if old == b"\n" else f"{number}s/./{as_sed(new)}/{i - start + 1}"
    return Damage(f"sed '{script}': {old} is {new}: {data[start:end]}", data[:i] + new + data[i + 1:],
                  data[start:end], data[start:i] + new + data[i + 1:end], i, number, BYTE, stays_number(data, i, new),
                  frames_of(data[start:end]) + (new == b"\n"), 0, old == b"\n", new == b"\n")


def is_of_number(data, start, end):
    """Returns whether bytes are digits, signs or points of a number, of which others remain. In a document, the point
    of a number needs digits on one side only."""
    if not all(c in DIGITS for c in data[start:end]):
        return False
    if is_document(data) and (re.search(rb"\d\.$", data[max(start - 2, 0):start]) or
                              re.match(rb"\.\d", data[end:end + 2])):
        return True
    return any(data[i:i + 1].isdigit() for i in (start - 1, end) if 0 <= i < len(data))


def delete_byte(rng, data):
    i = rng.randrange(len(data))
    old = data[i:i + 1]
    number, start, _ = line_at(data, i)
    end = data.find(b"\n", i + 1) % (len(data) + 1)
    script = f"{number}{{N;s/\\n//}}" if old == b"\n" else f"{number}s/.//{i - start + 1}"
    return Damage(f"sed '{script}': {old} is gone: {data[start:end]}", data[:i] + data[i + 1:], data[start:end],
                  data[start:i] + data[i + 1:end], i, number, BYTE,
                  is_of_number(data, i, i + 1), frames_of(data[start:end]), joins=old == b"\n")


def random_line(rng, data, size):
    """Returns the number of a line of some bytes, and where it begins and ends, or None."""
    for _ in range(20):
        number, start, end = line_at(data, rng.randrange(len(data)))
        if end - start >= size:
            return number, start, end
    return None


def cut_line(rng, data):
    """Cuts off the end of a line."""
    found = random_line(rng, data, 2)
    if found is None:
        return drop_line(rng, data)
    number, start, end = found
    first = len(data[start:end]) - len(data[start:end].lstrip())
    at = rng.randrange(start + min(first, end - start - 2) + 1, end)
    return Damage(f"sed -E '{number}s/^(.{{{at - start}}}).*/\\1/': {data[start:end]}", data[:at] + data[end:],
                  data[start:end], data[start:at], at, number, FIELD, is_of_number(data, at, end),
                  frames_of(data[start:end]))


FIELDS = re.compile(rb"[^\s,]+")


def drop_field(rng, data):
    """Drops a word of a line, with the blanks or the comma that separate it from the next one."""
    found = random_line(rng, data, 2)
    words = list(FIELDS.finditer(data, found[1], found[2])) if found else []
    if len(words) < 2:
        return drop_line(rng, data)
    number, start, end = found
    i = rng.randrange(len(words))
    begin = words[i].start() if i + 1 < len(words) else words[i - 1].end()
    after = words[i + 1].start() if i + 1 < len(words) else words[i].end()
    made = data[start:begin] + data[after:end]
    text = made.decode(errors="replace").rstrip()
    return Damage(f"sed '{number}c\\{text}': without {words[i][0]}: {data[start:end]}",
                  data[:start] + made + data[end:], data[start:end], made, words[i].start(), number, FIELD,
                  frames=frames_of(data[start:end]))


# ---- values of documents -------------------------------------------------------------------------

SCALAR = re.compile(rb'(?<=[:\[,\s])("(?:[^"\\\n]|\\.)*"|-?\d[\d.eE+-]*|true|false|null)(?=\s*[,\]}])')
VALUES = b'"x"', b"1", b"null", b"[]", b"{}", b"true"


def change_type(rng, data):
    """Replaces a value of a JSON document by one of another type, or a byte if no value follows a random place."""
    found = SCALAR.search(data, rng.randrange(len(data)))
    if found is None:
        return replace_byte(rng, data)
    old = found[1]
    new = rng.choice([value for value in VALUES if value[:1].isdigit() != old[:1].isdigit() and value[:1] != old[:1]])
    number, start, end = line_at(data, found.start(1))
    made = data[start:found.start(1)] + new + data[found.end(1):end]
    return Damage(f"sed '{number}s/./{new.decode()}/{found.start(1) - start + 1}', {old} as a whole: "
                  f"{data[start:end][:200]}", data[:start] + made + data[end:], data[start:end], made, found.start(1),
                  number, TYPE)


OF_LINES = (drop_line, 6), (drop_lines, 2), (cut_end, 2), (replace_byte, 8), (delete_byte, 3), (cut_line, 2), \
    (drop_field, 2)
OF_DOCUMENTS = (*OF_LINES[:-1], (change_type, 6))


def make_damage(rng, data):
    """Damages an input."""
    kinds, shares = zip(*(OF_DOCUMENTS if is_document(data) else OF_LINES), strict=True)
    return rng.choices(kinds, shares)[0](rng, data)
