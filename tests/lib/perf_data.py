"""Writes recordings of Linux perf: perf.data in both layouts and byte orders."""
import struct
import subprocess

IP, TID, TIME, ADDR, READ, CALLCHAIN, ID, CPU, PERIOD, STREAM_ID, RAW, BRANCH_STACK, REGS_USER, \
    STACK_USER = (1 << i for i in range(14))
IDENTIFIER = 1 << 16
BP_SP_IP = 1 << 6 | 1 << 7 | 1 << 8
USUAL = IP | TID | TIME | CALLCHAIN | PERIOD
FREQ, SAMPLE_ID_ALL = 1 << 10, 1 << 18
KERNEL_MODE, USER_MODE = 1, 2
IN_KERNEL, IN_USER = -128 & (1 << 64) - 1, -512 & (1 << 64) - 1
KERNEL_PID = (1 << 32) - 1
TRAILER = ((TID, "II"), (TIME, "Q"), (ID, "Q"), (STREAM_ID, "Q"), (CPU, "II"), (IDENTIFIER, "Q"))


def padded(data, n=8):
    return data + bytes(-len(data) % n)


def text(s):
    return padded(s.encode() + b"\0")


class Event:
    """An event, with its attributes and ids."""

    def __init__(self, name, kind=1, config=0, sample_type=USUAL, flags=SAMPLE_ID_ALL | FREQ,
                 period=999, ids=(), read_format=0, branch_type=0, registers=0, stack=0, size=128):
        self.name, self.ids, self.sample_type, self.flags = name, list(ids), sample_type, flags
        self.kind, self.config, self.period, self.size = kind, config, period, size
        self.read_format, self.branch_type = read_format, branch_type
        self.registers, self.stack = registers, stack


class Recording:
    """Collects records; `order` is "<" or ">"."""

    def __init__(self, *events, order="<"):
        self.order, self.events, self.data = order, list(events) or [Event("cpu-clock")], b""
        self.features = {}

    def pack(self, layout, *values):
        return struct.pack(self.order + layout, *values)

    # ---- parts

    def attr(self, e):
        flags = struct.pack("<Q", e.flags)
        if self.order == ">":
            flags = bytes(int(f"{b:08b}"[::-1], 2) for b in flags)
        body = self.pack("IIQQQQ", e.kind, e.size, e.config, e.period, e.sample_type, e.read_format)
        body += flags + self.pack("IIQQQQI", 0, 0, 0, 0, e.branch_type, e.registers, e.stack)
        return (body + bytes(e.size))[:e.size]

    def string(self, s):
        data = padded(s.encode() + b"\0", 64)
        return self.pack("I", len(data)) + data

    def trailer(self, event, pid, tid, time):
        e = self.events[event]
        values = {TID: (pid, tid), TIME: (time,), ID: e.ids[:1] or (0,), STREAM_ID: (0,),
                  CPU: (0, 0), IDENTIFIER: e.ids[:1] or (0,)}
        return b"".join(self.pack(layout, *values[bit]) for bit, layout in TRAILER
                        if e.sample_type & bit and e.flags & SAMPLE_ID_ALL)

    # ---- records

    def raw(self, kind, body, misc=0, size=None):
        record = self.pack("IHH", kind, misc, len(body) + 8 if size is None else size) + body
        self.data += record
        return record

    def change(self, kind, body, misc=0, pid=0, tid=0, time=0, event=0):
        self.raw(kind, body + self.trailer(event, pid, tid, time), misc)

    def comm(self, pid, name, tid=None, time=1, is_exec=False):
        tid = pid if tid is None else tid
        self.change(3, self.pack("II", pid, tid) + text(name), 1 << 13 if is_exec else 0, pid, tid,
                    time)

    def mmap(self, pid, start, size, name, offset=0, time=1, misc=USER_MODE):
        self.change(1, self.pack("IIQQQ", pid, pid, start, size, offset) + text(name), misc, pid,
                    pid, time)

    def mmap2(self, pid, start, size, name, offset=0, time=1, build_id=None, protection=5,
              misc=USER_MODE):
        identity = self.pack("IIQQ", 8, 1, 2, 3)
        if build_id is not None:
            identity = bytes([len(build_id), 0, 0, 0]) + build_id.ljust(20, b"\0")
            misc |= 1 << 14
        self.change(10, self.pack("IIQQQ", pid, pid, start, size, offset) + identity +
                    self.pack("II", protection, 2) + text(name), misc, pid, pid, time)

    def fork(self, pid, ppid, tid=None, ptid=None, time=1, misc=0):
        tid, ptid = pid if tid is None else tid, ppid if ptid is None else ptid
        self.change(7, self.pack("IIIIQ", pid, ppid, tid, ptid, time), misc, pid, tid, time)

    def exit(self, pid, ppid, tid=None, time=1):
        tid = pid if tid is None else tid
        self.change(4, self.pack("IIIIQ", pid, ppid, tid, ppid, time), 0, pid, tid, time)

    def sample(self, pid, chain, tid=None, time=2, period=1, event=0, misc=USER_MODE, cpu=0, ip=None,
               more=b""):
        """`more` holds the fields behind the call chain."""
        e, tid = self.events[event], pid if tid is None else tid
        leaf = next((w for w in chain if w < 1 << 63), 0) if ip is None else ip
        parts = ((IDENTIFIER, "Q", e.ids[:1] or [0]), (IP, "Q", [leaf]), (TID, "II", [pid, tid]),
                 (TIME, "Q", [time]), (ADDR, "Q", [7]), (ID, "Q", e.ids[:1] or [0]),
                 (STREAM_ID, "Q", [5]), (CPU, "II", [cpu, 0]), (PERIOD, "Q", [period]))
        body = b"".join(self.pack(layout, *values) for bit, layout, values in parts
                        if e.sample_type & bit)
        if e.sample_type & CALLCHAIN:
            more = self.pack(f"Q{len(chain)}Q", len(chain), *chain) + more
        self.raw(9, body + more, misc)

    def stack(self, pid, ip, sp, bp, words, time=2, chain=(), misc=USER_MODE, **more):
        """A sample with registers, whose mask is BP, SP and IP, and a copy of the stack."""
        data = self.pack(f"{len(words)}Q", *words)
        rest = self.pack("QQQQ", 2, bp, sp, ip) + self.pack("Q", len(data)) + data
        self.sample(pid, list(chain), time=time, ip=ip, misc=misc,
                    more=rest + self.pack("Q", len(data)), **more)

    def round(self):
        self.raw(68, b"")

    def compressed(self, data, pieces, kind=81):
        """Adds records as one zstd stream that is divided at `pieces`."""
        packed = subprocess.run(["zstd", "-q", "-c"], input=data, capture_output=True,
                                check=True).stdout
        for start, end in zip([0, *pieces], [*pieces, len(packed)]):
            body = packed[start:end]
            if kind == 83:
                body = padded(self.pack("Q", len(body)) + body)
            self.raw(kind, body)

    def build_id(self, pid, name, build_id, misc=USER_MODE):
        misc |= 1 << 15
        body = self.pack("i", -1 if pid is None else pid) + build_id.ljust(20, b"\0")
        body += bytes([len(build_id), 0, 0, 0]) + padded(name.encode() + b"\0", 64)
        return self.pack("IHH", 0, misc, len(body) + 8) + body

    # ---- features

    def describe(self, machine="box", version="6.1", command=("perf", "record", "./app")):
        names = b"".join(self.attr(e) + self.pack("I", len(e.ids)) + self.string(e.name) +
                         self.pack(f"{len(e.ids)}Q", *e.ids) for e in self.events)
        self.features.update({
            3: self.string(machine), 4: self.string("6.18.0"), 5: self.string(version),
            6: self.string("x86_64"),
            11: self.pack("I", len(command)) + b"".join(map(self.string, command)),
            12: self.pack("II", len(self.events), self.events[0].size) + names,
        })

    # ---- layouts

    def file(self, size=None):
        """The layout of a file. `size` replaces the size of the data, 0 as of a recorder that was
        killed."""
        entries, ids = b"", b""
        start = 104 + sum(e.size + 16 for e in self.events)
        for e in self.events:
            entries += self.attr(e) + self.pack("QQ", start + len(ids), 8 * len(e.ids))
            ids += self.pack(f"{len(e.ids)}Q", *e.ids)
        data = start + len(ids)
        bits = [sum(1 << f % 64 for f in self.features if f // 64 == i) for i in range(4)]
        header = b"PERFILE2" if self.order == "<" else b"2ELIFREP"
        header += self.pack("QQQQQQQQ", 104, self.events[0].size + 16, 104, len(entries), data,
                            len(self.data) if size is None else size, 0, 0)
        out = header + self.pack("4Q", *bits) + entries + ids + self.data
        if size is not None:
            return out
        at, table, bodies = len(out) + 16 * len(self.features), b"", b""
        for _, body in sorted(self.features.items()):
            table += self.pack("QQ", at + len(bodies), len(body))
            bodies += body
        return out + table + bodies

    def pipe(self):
        head = Recording(*self.events, order=self.order)
        for e in self.events:
            head.raw(64, self.attr(e) + self.pack(f"{len(e.ids)}Q", *e.ids))
        for feature, body in sorted(self.features.items()):
            head.raw(80, self.pack("Q", feature) + padded(body))
        magic = b"PERFILE2" if self.order == "<" else b"2ELIFREP"
        return magic + self.pack("Q", 16) + head.data + self.data
