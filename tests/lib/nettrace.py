# SPDX-License-Identifier: MIT
"""Writes traces of .NET's EventPipe."""
import struct

from lib.pprof import varint

HEADLINE = b"Nettrace" + struct.pack("<I", 20) + b"!FastSerialization.1"
SAMPLES = "Microsoft-DotNETCore-SampleProfiler"
RUNDOWN = "Microsoft-Windows-DotNETRuntimeRundown"
RUNTIME = "Microsoft-Windows-DotNETRuntime"
EXTERNAL, MANAGED = 1, 2


def utf16(text):
    return text.encode("utf-16-le", "surrogatepass") + b"\0\0"


def description(id, provider, number):
    """The payload of an event that describes a kind of events."""
    return struct.pack("<I", id) + utf16(provider) + struct.pack("<I", number) + utf16("") + struct.pack("<QIII", 0, 1, 4, 0)


def method(start, size, space, name, signature="void  ()", module=7):
    return struct.pack("<QQQIII", 99, module, start, size, 0x6000001, 1) + utf16(space) + utf16(name) + utf16(signature) + b"\1\0"


def module(id, il, native=""):
    return struct.pack("<QQII", id, 5, 1, 0) + utf16(il) + utf16(native) + b"\1\0"


class Trace:
    """Collects a trace. Events are written with all members, or compressed, with those that changed."""

    def __init__(self, compressed=True, pointer_size=8, begin=1000, frequency=1000000000):
        self.data = bytearray(HEADLINE)
        self.compressed, self.pointer_size, self.sequence = compressed, pointer_size, {}
        self.object(b"Trace", struct.pack("<8HQQiiii", 2026, 11, 1, 30, 12, 0, 0, 500, begin, frequency, pointer_size, 4711, 8,
                                          1000000))

    def object(self, name, content):
        self.data += b"\5\5\1" + struct.pack("<iii", 4, 4, len(name)) + name + b"\6" + content + b"\6"

    def block(self, name, content):
        at = len(self.data) + 3 + 12 + len(name) + 1 + 4
        self.object(name, struct.pack("<i", len(content)) + bytes(-at % 4) + content)

    def events(self, events, name=b"EventBlock"):
        """`events` is [(description, payload, members)]: thread, stack, time, writer, sequence."""
        header = struct.pack("<HHQQ", 20, int(self.compressed), 0, 0)
        self.block(name, header + (self.packed(events) if self.compressed else b"".join(map(self.plain, events))))

    def members(self, description, how):
        thread = how.get("thread", 21)
        writer = how.get("writer", thread)
        self.sequence[writer] = how.get("sequence", self.sequence.get(writer, 0) + (description != 0))
        return thread, writer, self.sequence[writer], how.get("stack", 0), how.get("time", 1000)

    def packed(self, events):
        out, last, size = b"", [0] * 6, 0
        for description, payload, how in events:
            thread, writer, sequence, stack, time = self.members(description, how)
            now = [description, writer, sequence, thread, stack, time]
            flags, parts = 64, b""
            if now[0] != last[0]:
                flags, parts = flags | 1, varint(now[0])
            step = sequence - last[2] - (description != 0)
            if writer != last[1] or step:
                flags, parts = flags | 2, parts + varint(step & 0xffffffff) + varint(writer) + varint(3)
            if now[3] != last[3]:
                flags, parts = flags | 4, parts + varint(thread)
            if now[4] != last[4]:
                flags, parts = flags | 8, parts + varint(stack)
            parts += varint(time - last[5])
            if how.get("activity"):
                flags, parts = flags | 48, parts + bytes(32)
            if len(payload) != size:
                flags, parts = flags | 128, parts + varint(len(payload))
            out, last, size = out + bytes([flags]) + parts + payload, now, len(payload)
        return out

    def plain(self, event):
        description, payload, how = event
        thread, writer, sequence, stack, time = self.members(description, how)
        body = struct.pack("<IIQQIIQ32xI", description | 1 << 31, sequence, thread, writer, 3, stack, time, len(payload)) + payload
        return struct.pack("<I", len(body)) + body + bytes(-len(body) % 4)

    def metadata(self, *kinds):
        self.events([(0, description(*kind), {}) for kind in kinds], b"MetadataBlock")

    def stacks(self, first, *stacks):
        """Stacks of addresses, leaf first."""
        letter = "Q" if self.pointer_size == 8 else "I"
        parts = (struct.pack(f"<I{len(s)}{letter}", self.pointer_size * len(s), *s) for s in stacks)
        self.block(b"StackBlock", struct.pack("<II", first, len(stacks)) + b"".join(parts))

    def point(self):
        self.block(b"SPBlock", struct.pack("<QI", 0, 0))

    def bytes(self):
        return bytes(self.data) + b"\1"
