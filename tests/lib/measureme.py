# SPDX-License-Identifier: MIT
"""Writes and folds self-profiles of rustc: files of measureme."""
import struct

FIRST_DATA = 100_000_003
METADATA = 100_000_001
INVALID = 100_000_002
INSTANT, INTEGER = (1 << 48) - 1, (1 << 48) - 2
EVENTS, TEXTS, INDEX = 0, 1, 2


class Reference:
    """A part of a text that is another text."""

    def __init__(self, id):
        self.id = id


class Profile:
    """Collects a file. `page` is the size of pages."""

    def __init__(self, version=9, page=256 << 10, counter="wall-time", cmd="rustc --crate-name demo src/lib.rs"):
        self.version, self.page = version, page
        header = struct.pack("<I", version)
        self.streams = {EVENTS: bytearray(b"MMES" + header), TEXTS: bytearray(b"MMSD" + header),
                        INDEX: bytearray(b"MMSI" + header)}
        self.pages = []
        self.texts = {}
        self.next_id = 1
        if cmd is not None:
            self.describe(cmd, counter)

    def describe(self, cmd, counter):
        text = '{ "start_time": 1700000000000000000, "process_id": 4711, "cmd": "%s"' % cmd
        if counter is not None:
            text += ', "counter": { "name": "%s", "units": [["ns", 1], ["s", 1000000000]] }' % counter
        self.index(METADATA, self.text(text + " }") - FIRST_DATA)

    def pack_id(self, id):
        return struct.pack("<Q" if self.version >= 9 else "<I", id)

    def add(self, which, data):
        self.streams[which] += data

    def text(self, *parts, end=b"\xff"):
        """Adds a text. Returns its id."""
        id = len(self.streams[TEXTS]) + FIRST_DATA
        for part in parts:
            self.add(TEXTS, b"\xfe" + self.pack_id(part.id) if isinstance(part, Reference) else
                     part if isinstance(part, bytes) else part.encode())
        self.add(TEXTS, end)
        return id

    def index(self, id, address):
        self.add(INDEX, self.pack_id(id) + self.pack_id(address))

    def virtual(self, *parts):
        """Adds a text that the index lists. Returns its id."""
        self.next_id += 1
        self.index(self.next_id, self.text(*parts) - FIRST_DATA)
        return self.next_id

    def known(self, text):
        if text not in self.texts:
            self.texts[text] = self.text(text)
        return self.texts[text]

    def event(self, kind, label, thread, first, second, id=None):
        kind, id = self.known(kind), self.known(label) if id is None else id
        high = (first >> 32) << 16 | second >> 32
        self.add(EVENTS, self.pack_id(kind) + self.pack_id(id) +
                 struct.pack("<IIII", thread, first & 0xffffffff, second & 0xffffffff, high))

    def interval(self, label, begin, end, thread=1, kind="Query", **more):
        self.event(kind, label, thread, begin, end, **more)

    def instant(self, label, time, thread=1, kind="QueryCacheHit"):
        self.event(kind, label, thread, time, INSTANT)

    def integer(self, label, value, thread=1, kind="ArtifactSize", **more):
        self.event(kind, label, thread, value, INTEGER, **more)

    def file(self):
        """The file: pages of the three streams in turns."""
        out = bytearray(b"MMPD" + struct.pack("<I", self.version))
        for at in range(0, max(map(len, self.streams.values())), self.page):
            for which, data in self.streams.items():
                page = data[at:at + self.page]
                if page:
                    out += struct.pack("<BI", which, len(page)) + page
        return bytes(out)


# ---- folding, as an oracle -------------------------------------------------------------------------

def streams(data):
    at, found = 8, {EVENTS: bytearray(), TEXTS: bytearray(), INDEX: bytearray()}
    while at < len(data):
        which, size = struct.unpack_from("<BI", data, at)
        found[which] += data[at + 5:at + 5 + size]
        at += 5 + size
    return found


class Texts:
    """The texts of a file."""

    def __init__(self, found, version):
        self.data, self.wide = found[TEXTS], version >= 9
        layout, size = ("<QQ", 16) if self.wide else ("<II", 8)
        self.places = dict(struct.unpack_from(layout, found[INDEX], at)
                           for at in range(8, len(found[INDEX]) - size + 1, size))

    def get(self, id):
        at = id - FIRST_DATA if id >= FIRST_DATA else self.places.get(id)
        if at is None:
            return b"<unknown>"
        out = b""
        while self.data[at] != 0xff:
            if self.data[at] == 0xfe:
                out += self.get(struct.unpack_from("<Q" if self.wide else "<I", self.data, at + 1)[0])
                at += 9 if self.wide else 5
            else:
                end = at
                while self.data[end] < 0xfe:
                    end += 1
                out += self.data[at:end]
                at = end
        return out


def events(data):
    """Yields (kind, label, thread, first, second)."""
    version = struct.unpack_from("<I", data, 4)[0]
    found = streams(data)
    texts = Texts(found, version)
    layout, size = ("<QQIIII", 32) if version >= 9 else ("<IIIIII", 24)
    for at in range(8, len(found[EVENTS]) - size + 1, size):
        kind, id, thread, first, second, high = struct.unpack_from(layout, found[EVENTS], at)
        yield (texts.get(kind), texts.get(id).split(b"\x1e")[0], thread,
               first | (high >> 16) << 32, second | (high & 0xffff) << 32)


class Thread:
    def __init__(self, first, second):
        self.begin, self.end, self.outermost, self.open = first, second, 0, []


def fold(data):
    """{stack: own time}, by the rules of measureme: backwards, a stack of open intervals per thread, whose
    durations are taken from their callers."""
    sums, threads = {}, {}
    for _, label, id, first, second in reversed(list(events(data))):
        if second >= INTEGER:
            continue
        thread = threads.setdefault(id, Thread(first, second))
        thread.begin = min(thread.begin, first)
        while thread.open and not (thread.open[-1][0] <= first and second <= thread.open[-1][1]):
            thread.open.pop()
        if thread.open:
            sums[thread.open[-1][2]] -= second - first
        else:
            thread.outermost += second - first
        path = (thread.open[-1][2] if thread.open else b"rustc") + b";" + label
        sums[path] = sums.get(path, 0) + second - first
        thread.open.append((first, second, path))
    sums[b"rustc"] = sum(t.end - t.begin - t.outermost for t in threads.values())
    return sums


def folded(data):
    """The sums as folded text, without zeros."""
    return b"".join(b"%s %d\n" % pair for pair in sorted(fold(data).items()) if pair[1] != 0)
