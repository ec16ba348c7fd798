#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the inputs of the tests. The expected results are written by hand from the numbers below: a test whose result
was recorded would also pass if fixed-width numbers were read as varints."""
import pathlib
import struct

HERE = pathlib.Path(__file__).parent
MAGIC = b"\x7dMETR"


def varint(n):
    return bytes([n & 0x7f | 0x80]) + varint(n >> 7) if n > 0x7f else bytes([n])


def field(number, content):
    """A varint, or a text, a message or a packed list."""
    if isinstance(content, int):
        return varint(number << 3) + varint(content)
    data = content.encode() if isinstance(content, str) else content
    return varint(number << 3 | 2) + varint(len(data)) + data


def fixed64(number, n):
    return varint(number << 3 | 1) + struct.pack("<q", n)


def packed(frames):
    return b"".join(map(varint, frames))


def sample(frames, values, time, thread):
    return field(4, field(1, packed(frames)) + field(2, struct.pack(f"<{len(values)}Q", *values)) +
                 fixed64(3, time) + field(4, thread))


NAMES = b"".join(field(1, name) for name in ("main", "load", "draw", "libdraw.so"))
FRAMES = b"".join(field(2, frame) for frame in (field(1, 1), field(1, 2) + field(3, 7), field(1, 3) + field(2, 4)))
COLUMNS = field(3, field(1, "time") + field(2, "nanoseconds")) + field(3, field(1, "size") + field(2, "bytes"))

CALLS = MAGIC + NAMES + FRAMES + COLUMNS + sample([2, 1], [414, 1], 1000, 7) + sample([3, 1], [30, 1 << 40], 2000, 8) + \
    sample([2, 1], [6, 0], -5, 7)

# Values one by one, and frames before their names.
PLAIN = MAGIC + FRAMES + COLUMNS + field(4, field(1, 2) + field(1, 1) + fixed64(2, 9) + fixed64(2, 3)) + NAMES

# A frame that does not exist, a list that is no multiple of 8 bytes, and the end of the input within a sample.
DAMAGED = CALLS + sample([9], [1, 1], 0, 7) + field(4, field(1, packed([1])) + field(2, b"\1\0\0\0\0")) + \
    sample([1], [5, 5], 0, 7) + sample([1], [1, 1], 0, 7)[:-3]

# A frame and a column that are cut off within a number and a text; the samples keep their frames and columns.
TABLES = MAGIC + NAMES + field(2, field(1, 1)) + field(2, field(1, 2) + b"\x18\x80") + \
    field(3, field(1, "time") + b"\x12\x0bnano") + sample([2, 1], [12], 0, 7)

for name, content in (("calls", CALLS), ("plain", PLAIN), ("damaged", DAMAGED), ("tables", TABLES)):
    (HERE / f"{name}.pb").write_bytes(content)
