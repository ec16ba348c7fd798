# SPDX-License-Identifier: MIT
"""Writes method traces of Android."""
import struct

ENTER, EXIT, UNROLL = 0, 1, 2


class Trace:
    """Collects a trace. Version 3 has both clocks, version 2 one."""

    def __init__(self, version=3, clock="dual", start=1_700_000_000_000_000, **facts):
        self.version, self.clock, self.start, self.facts = version, clock, start, facts
        self.threads, self.methods, self.records, self.n = [], [], bytearray(), 0

    def thread(self, id, name):
        self.threads.append(f"{id}\t{name}\n")

    def method(self, id, owner, name, signature="()V", file="A.java", *more):
        self.methods.append("\t".join((hex(id << 2), owner, name, signature, file, *more)) + "\n")

    def event(self, thread, method, action, wall, cpu=None):
        """Adds an event; a trace of one clock has `wall` for its time, whatever the clock."""
        times = (wall,) if self.version == 2 else (wall if cpu is None else cpu, wall)
        self.records += struct.pack("<HI", thread, method << 2 | action) + b"".join(struct.pack("<I", t) for t in times)
        self.n += 1

    def text(self):
        facts = {"data-file-overflow": "false", "clock": self.clock, "elapsed-time-usec": 1000, "num-method-calls": self.n,
                 "clock-call-overhead-nsec": 100, "vm": "art", "pid": 4711, **{k.replace("_", "-"): v for k, v in self.facts.items()}}
        lines = "".join(f"{k}={v}\n" for k, v in facts.items())
        return (f"*version\n{self.version}\n{lines}*threads\n{''.join(self.threads)}*methods\n{''.join(self.methods)}*end\n"
                ).encode("utf-8", "surrogateescape")

    def header(self, version=None):
        header = struct.pack("<4sHHQ", b"SLOW", version or self.version, 32, self.start)
        return (header + (struct.pack("<H", 14) if self.version == 3 else b"")).ljust(32, b"\0")

    def bytes(self):
        return self.text() + self.header() + bytes(self.records)
