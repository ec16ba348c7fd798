# SPDX-License-Identifier: MIT
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
IN_KERNEL, IN_USER, IN_USER_LATER, IN_GUEST_KERNEL = (n & (1 << 64) - 1 for n in (-128, -512, -640, -2176))
KERNEL_PID = (1 << 32) - 1
SCHED_SWITCH, SCHED_WAKING, KMALLOC = 372, 375, 480
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
        self.order, self.events, self.pieces = order, list(events) or [Event("cpu-clock")], []
        self.features = {}

    @property
    def data(self):
        """The bytes of all records, joined when they are needed: adding each one to them would copy all others."""
        self.pieces = [b"".join(self.pieces)]
        return self.pieces[0]

    @data.setter
    def data(self, data):
        self.pieces = [data]

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

    def trailer(self, event, pid, tid, time, cpu=0):
        e = self.events[event]
        values = {TID: (pid, tid), TIME: (time,), ID: e.ids[:1] or (0,), STREAM_ID: (0,),
                  CPU: (cpu, 0), IDENTIFIER: e.ids[:1] or (0,)}
        return b"".join(self.pack(layout, *values[bit]) for bit, layout in TRAILER
                        if e.sample_type & bit and e.flags & SAMPLE_ID_ALL)

    # ---- records

    def raw(self, kind, body, misc=0, size=None):
        record = self.pack("IHH", kind, misc, len(body) + 8 if size is None else size) + body
        self.pieces.append(record)
        return record

    def change(self, kind, body, misc=0, pid=0, tid=0, time=0, event=0, cpu=0):
        self.raw(kind, body + self.trailer(event, pid, tid, time, cpu), misc)

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

    def namespaces(self, pid, mounts, time=1):
        """`mounts` is the inode of the namespace of mounts, the sixth of seven."""
        inodes = [1, 2, 3, 4, 5, mounts, 7]
        self.change(16, self.pack("IIQ", pid, pid, 7) + b"".join(self.pack("QQ", 4, i) for i in inodes), 0, pid, pid, time)

    def exit(self, pid, ppid, tid=None, time=1):
        tid = pid if tid is None else tid
        self.change(4, self.pack("IIIIQ", pid, ppid, tid, ppid, time), 0, pid, tid, time)

    def sample(self, pid, chain, tid=None, time=2, period=1, event=0, misc=USER_MODE, cpu=0, ip=None,
               counts=(), more=b""):
        """`counts` are the values of counters, by their ids; `more` holds the fields after the call chain."""
        e, tid = self.events[event], pid if tid is None else tid
        leaf = next((w for w in chain if w < 1 << 63), 0) if ip is None else ip
        parts = ((IDENTIFIER, "Q", e.ids[:1] or [0]), (IP, "Q", [leaf]), (TID, "II", [pid, tid]),
                 (TIME, "Q", [time]), (ADDR, "Q", [7]), (ID, "Q", e.ids[:1] or [0]),
                 (STREAM_ID, "Q", [5]), (CPU, "II", [cpu, 0]), (PERIOD, "Q", [period]))
        body = b"".join(self.pack(layout, *values) for bit, layout, values in parts
                        if e.sample_type & bit)
        if e.sample_type & READ:
            body += self.counts(e.read_format, counts)
        if e.sample_type & CALLCHAIN:
            more = self.pack(f"Q{len(chain)}Q", len(chain), *chain) + more
        self.raw(9, body + more, misc)

    def counts(self, form, counts):
        """The values of a group of counters, or of a single one, and their ids if `form` has these."""
        times = self.pack("Q", 11) * (form & 3).bit_count()
        lost = self.pack("Q", 5) if form & 16 else b""
        ends = [(self.pack("Q", id) if form & 4 else b"") + lost for _, id in counts]
        values = [self.pack("Q", value) for value, _ in counts]
        if not form & 8:
            return values[0] + times + ends[0]
        return self.pack("Q", len(counts)) + times + b"".join(v + e for v, e in zip(values, ends))

    def stack(self, pid, ip, sp, bp, words, time=2, chain=(), misc=USER_MODE, before=(), absent=0, **more):
        """A sample with registers, whose mask is BP, SP and IP and those `before` them, and a copy of the
        stack. `absent` bytes after it could not be copied."""
        data = self.pack(f"{len(words)}Q", *words)
        rest = self.pack(f"{4 + len(before)}Q", 2, *before, bp, sp, ip) + self.pack("Q", len(data) + absent) + data
        self.sample(pid, list(chain), time=time, ip=ip, misc=misc,
                    more=rest + bytes(absent) + self.pack("Q", len(data)), **more)

    # ---- switches

    def switched(self, time, tid, is_out, pid=None, preempted=False, cpu=0, event=0):
        """A record of the kernel that a thread leaves or enters a processor."""
        misc = (1 << 13 if is_out else 0) | (1 << 14 if preempted else 0)
        self.change(14, b"", misc, tid if pid is None else pid, tid, time, event, cpu)

    def sched_switch(self, time, tid, other, chain=(), state=1, pid=None, cpu=0, event=0):
        payload = self.pack("HBBi16siiq16sii", SCHED_SWITCH, 0, 0, tid, b"old", tid, 120, state,
                            b"new", other, 120)
        self.payload(payload, time, tid, chain, pid, cpu, event)

    def sched_waking(self, time, tid, wakee, chain=(), pid=None, cpu=0, event=1, flags=0):
        payload = self.pack("HBBi16siii", SCHED_WAKING, flags, 0, tid, b"woken", wakee, 120, cpu)
        self.payload(payload, time, tid, chain, pid, cpu, event)

    def kmalloc(self, time, tid, requested, allocated, chain=(), node=-1, event=0):
        payload = self.pack("HBBiQQQQ4sh", KMALLOC, 0, 0, tid, 0xffffffff8120b385, 0xffff888100, requested,
                            allocated, b"KERN", node)
        self.payload(payload, time, tid, chain, None, 0, event)

    def payload(self, data, time, tid, chain, pid, cpu, event):
        data += bytes(-(len(data) + 4) % 8)
        self.sample(tid if pid is None else pid, list(chain), tid=tid, time=time, event=event,
                    cpu=cpu, misc=KERNEL_MODE, more=self.pack("I", len(data)) + data)

    def tracing_data(self, is_big=None, states='{ 0x01, "S" }, { 0x02, "D" }, { 0x20, "Z" }', has_kmem=False):
        """The description of the tracepoints, as the feature and the record have it."""
        order = ">" if (self.order == ">" if is_big is None else is_big) else "<"

        def sized(text):
            return struct.pack(order + "Q", len(text)) + text.encode()

        def described(name, number, fields, words, signed=1):
            common = (("unsigned short common_type", 0, 2), ("unsigned char common_flags", 2, 1),
                      ("unsigned char common_preempt_count", 3, 1), ("int common_pid", 4, 4))
            lines = [f"\tfield:{d};\toffset:{o};\tsize:{s};\tsigned:{signed};\n"
                     for d, o, s in (*common, *fields)]
            lines.insert(4, "\n")
            return sized(f"name: {name}\nID: {number}\nformat:\n{''.join(lines)}\nprint fmt: {words}\n")

        switch = (("char prev_comm[16]", 8, 16), ("pid_t prev_pid", 24, 4), ("int prev_prio", 28, 4),
                  ("long prev_state", 32, 8), ("char next_comm[16]", 40, 16), ("pid_t next_pid", 56, 4),
                  ("int next_prio", 60, 4))
        waking = (("char comm[16]", 8, 16), ("pid_t pid", 24, 4), ("int prio", 28, 4),
                  ("int target_cpu", 32, 4))
        flags = f'"%s", (REC->prev_state & 0xff) ? __print_flags(REC->prev_state & 0xff, "|", {states}) : "R"'
        body = b"\x17\x08\x44tracing0.6\0" + bytes([order == ">", 8]) + struct.pack(order + "I", 4096)
        body += b"header_page\0" + sized("page") + b"header_event\0" + sized("event")
        body += struct.pack(order + "I", 1) + sized("name: function\nID: 1\n")
        kmalloc = (("unsigned long call_site", 8, 8), ("const void * ptr", 16, 8), ("size_t bytes_req", 24, 8),
                   ("size_t bytes_alloc", 32, 8), ("char gfp_flags[4]", 40, 4), ("short node", 44, 2))
        body += struct.pack(order + "I", 2 + has_kmem) + b"other\0" + struct.pack(order + "I", 1) + \
            described("sched_switch", 9, (), '"other"')
        if has_kmem:
            layout = described("kmalloc", KMALLOC, kmalloc, '"bytes_req=%zu"', signed=0)
            node = b"offset:44;\tsize:2;\tsigned:"
            body += b"kmem\0" + struct.pack(order + "I", 1) + layout.replace(node + b"0", node + b"1")
        body += b"sched\0" + struct.pack(order + "I", 3) + \
            described("sched_process_exit", 8, (), '"x"') + \
            described("sched_switch", SCHED_SWITCH, switch, flags) + \
            described("sched_waking", SCHED_WAKING, waking, '"comm=%s"')
        return body + struct.pack(order + "I", 0) + struct.pack(order + "I", 0)

    def round(self):
        self.raw(68, b"")

    @staticmethod
    def packed(data):
        return subprocess.run(["zstd", "-q", "-c"], input=data, capture_output=True, check=True).stdout

    def oversized(self, pieces):
        """Adds pieces of a zstd stream as one compressed record, as perf 6.16 does: its size has 16 bits, that
        of its data includes the headers of all pieces but the first, and there is no padding."""
        rest = b"".join(self.pack("IHHQ", 83, 0, 16 + len(p), 77) + p for p in pieces[1:])
        length = len(pieces[0]) + len(rest)
        self.pieces.append(self.pack("IHHQ", 83, 0, (length + 16 + 7) // 8 * 8 & 0xffff, length) + pieces[0] + rest)

    def compressed(self, data, pieces, kind=81):
        """Adds records as one zstd stream that is divided at `pieces`."""
        packed = self.packed(data)
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
            if feature == 1:
                head.raw(66, self.pack("II", len(body), 0))
                head.data += padded(body)
            else:
                head.raw(80, self.pack("Q", feature) + padded(body))
        magic = b"PERFILE2" if self.order == "<" else b"2ELIFREP"
        return magic + self.pack("Q", 16) + head.data + self.data
