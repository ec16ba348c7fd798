# SPDX-License-Identifier: MIT
"""Writes profiles of pprof: messages of Protocol Buffers as functions."""


def varint(n):
    n &= (1 << 64) - 1
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    return bytes(out) + bytes([n])


def field(number, value):
    """A field: a number becomes a varint, bytes a text or a message."""
    if isinstance(value, bytes):
        return varint(number << 3 | 2) + varint(len(value)) + value
    return varint(number << 3) + varint(value)


def message(fields):
    """A message of [(number, value)]; a list of numbers is packed."""
    parts = (field(n, b"".join(map(varint, v)) if isinstance(v, list) else v) for n, v in fields)
    return b"".join(parts)


class Profile:
    """Collects a profile. Texts are numbered in the order of their first use."""

    def __init__(self, *types):
        self.texts = [b""]
        self.fields = []
        for name, unit in types:
            self.add(1, [(1, self.text(name)), (2, self.text(unit))])

    def text(self, text):
        text = text.encode() if isinstance(text, str) else text
        if text not in self.texts:
            self.texts.append(text)
        return self.texts.index(text)

    def add(self, number, value):
        """Adds a field: a number, bytes, or a list of fields that makes a message."""
        self.fields.append((number, message(value) if isinstance(value, list) else value))

    def mapping(self, number, file, build_id=""):
        self.add(3, [(1, number), (2, 0x400000), (3, 0x500000), (5, self.text(file)),
                     (6, self.text(build_id))])

    def function(self, number, name, file="", line=0, system_name=None):
        system = self.text(name if system_name is None else system_name)
        self.add(5, [(1, number), (2, self.text(name)), (3, system), (4, self.text(file)), (5, line)])

    def location(self, number, lines=(), mapping=0, address=0):
        """`lines` is [(function, line)] or [(function, line, column)], the innermost one first."""
        self.add(4, [(1, number), (2, mapping), (3, address)] +
                 [(4, message(list(enumerate(line, 1)))) for line in lines])

    def sample(self, locations, values, labels=()):
        """`labels` is [(key, text)] or [(key, number, unit)]."""
        self.add(2, [(1, locations), (2, values)] + [(3, self.label(*one)) for one in labels])

    def label(self, key, value, unit=""):
        if isinstance(value, int):
            return message([(1, self.text(key)), (3, value), (4, self.text(unit))])
        return message([(1, self.text(key)), (2, self.text(value))])

    def bytes(self):
        return message(self.fields + [(6, text) for text in self.texts])
