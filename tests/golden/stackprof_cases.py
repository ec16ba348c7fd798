#!/usr/bin/env python3
"""Writes the binary inputs of tests/golden/collapse/stackprof, in Ruby's Marshal format. Run it after changing a case.

usage: stackprof_cases.py
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
from lib import cases  # noqa: E402

MAIN, RUN, BLOCK, COLLECTION = 94037490293840, 94037490293841, 94037490293842, 7


class Symbol(str):
    """A symbol of Ruby."""


class Raw(bytes):
    """A value that is encoded already."""


class Dump:
    """Writes values as Ruby does: equal symbols and identical objects become links."""

    def __init__(self):
        self.data, self.symbols, self.objects = bytearray(b"\4\10"), {}, []

    def number(self, n):
        if n == 0:
            return self.data.append(0)
        if -123 <= n <= 122:
            return self.data.append((n + 5 if n > 0 else n - 5) & 0xff)
        size = next(i for i in range(1, 5) if -(1 << 8 * i) <= n < 1 << 8 * i)
        self.data += bytes([size if n > 0 else 256 - size]) + (n & (1 << 8 * size) - 1).to_bytes(size, "little")

    def text(self, type, text):
        self.data += type
        self.number(len(text))
        self.data += text

    def symbol(self, name):
        if name in self.symbols:
            self.data += b";"
            return self.number(self.symbols[name])
        self.symbols[name] = len(self.symbols)
        self.text(b":", name.encode())

    def string(self, value):
        self.data += b"I"
        self.text(b'"', value.encode())
        self.number(1)
        self.symbol("E")
        self.data += b"T"

    def large(self, value):
        size = (value.bit_length() + 15) // 16
        self.data += b"l" + (b"+" if value >= 0 else b"-")
        self.number(size)
        self.data += abs(value).to_bytes(2 * size, "little")

    def add(self, value):
        if isinstance(value, Raw):
            self.data += value
        elif value is None or isinstance(value, bool):
            self.data += {None: b"0", True: b"T", False: b"F"}[value]
        elif isinstance(value, Symbol):
            self.symbol(value)
        elif isinstance(value, int) and -(1 << 30) <= value < 1 << 30:
            self.data += b"i"
            self.number(value)
        else:
            self.object(value)
        return self

    def object(self, value):
        for i, other in enumerate(self.objects):
            if other is value:
                self.data += b"@"
                return self.number(i)
        self.objects.append(value)
        if isinstance(value, str):
            self.string(value)
        elif isinstance(value, int):
            self.large(value)
        elif isinstance(value, float):
            self.text(b"f", f"{value:g}".encode())
        else:
            items = value if isinstance(value, list) else [x for pair in value.items() for x in pair]
            self.data += b"[" if isinstance(value, list) else b"{"
            self.number(len(value))
            for item in items:
                self.add(item)


def frame(name, file, line=None, **more):
    members = {"name": name, "file": file, "line": line, "total_samples": 5, "samples": 2, **more}
    return {Symbol(key): value for key, value in members.items() if value is not None}


def profile(**members):
    app, worker = "/srv/app.rb", "/srv/lib/wörker.rb"
    usual = {
        "version": 1.2, "mode": Symbol("cpu"), "interval": 1000, "samples": 6, "gc_samples": 1, "missed_samples": 0,
        "metadata": {Symbol("user"): "me", Symbol("list"): [1, -300, 70000, -70000, 1 << 80, 1.5, None, True]},
        "frames": {MAIN: frame("<main>", app, edges={RUN: 5}, lines={3: [5, 0]}),
                   RUN: frame("Worker#run", worker, 4, edges={BLOCK: 3}),
                   BLOCK: frame("block in Worker#run", worker, 6),
                   COLLECTION: frame("(garbage collection)", "")},
        "raw": [2, MAIN, RUN, 2, 3, MAIN, RUN, BLOCK, 3, 1, COLLECTION, 1],
        "raw_sample_timestamps": [9000005000 + 1000 * i for i in range(6)],
        "raw_timestamp_deltas": [1000] * 6,
    }
    usual.update(members)
    return {Symbol(key): value for key, value in usual.items() if value is not None}


def dump(**members):
    return bytes(Dump().add(profile(**members)).data)


def object_with_default():
    """A hash with a default value, frames without a name, a line beyond 32 bits, a mode as a text."""
    frames = {1: {Symbol("file"): "a.rb", Symbol("line"): 1 << 40}, 2: Raw(b"}\0000")}
    return dump(mode="object", interval=10, metadata=Raw(b"}\0i\6"), samples=3, frames=frames, raw=[2, 1, 2, 3])


def shared_frame():
    """Frames that are all one large hash: reading it for each of them would take too long."""
    long = Raw(b"{" + bytes([5 + 80]) + (b"0" + b'"\x01\xfa' + b"x" * 250) * 80)
    links = Raw(b"{\x02\xe8\3" + b"".join(b"i" + bytes([2]) + i.to_bytes(2, "little") + b"@\6" for i in range(1000, 2000)))
    return dump(version=None, metadata=long, frames=links)


CASES = {
    "usual": dump,
    "object-with-default": object_with_default,
    "no-raw": lambda: dump(raw=None),
    "cut-in-samples": lambda: dump(raw_sample_timestamps=None, raw_timestamp_deltas=None)[:-8],
    "cut": lambda: dump()[:-170],
    "rest": lambda: dump() + b"more",
    "unknown-id": lambda: dump(raw=[2, MAIN, 8, 2, 1, COLLECTION, 4]),
    "odd-number": lambda: dump(raw=[1, MAIN, 2, 1, MAIN, "x"]),
    "no-number-of-frames": lambda: dump(raw=[1, None, 6, -1, 4]),
    "links-to-nothing": lambda: dump(mode=Raw(b";\x7f"), interval=Raw(b"@\xfa"), raw=Raw(b"[\x08i\x06@\x03\xff\xff\xffi\x0b")),
    "class": lambda: dump(metadata=Raw(b"o:\x08Dog\0")),
    "negative-length": lambda: dump(metadata=Raw(b"[\xf6")),
    "large-names": lambda: dump(frames={i: frame(NAME, str(i)) for i in range(3)}, raw=[3, 0, 1, 2, 6]),
    "times-of-lost": lambda: dump(raw=[1, MAIN, 2, 1, 8, 2, 1, COLLECTION, 2]),
    "shared-frame": shared_frame,
    "odd-interval": lambda: dump(interval="1000", mode=Symbol("gpu")),
}

NAME = "f" * 1000

if __name__ == "__main__":
    cases.write(HERE / "collapse/stackprof", CASES, ".dump")
