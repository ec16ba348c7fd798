# SPDX-License-Identifier: MIT
"""Writes recordings of Java Flight Recorder."""
import struct

HEADER = 68
METADATA, CHECKPOINT = 0, 1
BASICS = {"boolean": 1, "byte": 1, "char": 2, "short": 2, "int": 4, "long": 8, "float": 4, "double": 8,
          "java.lang.String": 0}
STACK, THREAD, STATE = "jdk.types.StackTrace", "java.lang.Thread", "jdk.types.ThreadState"

# Fields: name, type, and what applies to it: "pool", "array", or the unit of a span of time.
SAMPLE = [("startTime", "long", "TICKS"), ("sampledThread", THREAD, "pool"), ("stackTrace", STACK, "pool"),
          ("state", STATE, "pool")]
SPAN = [("startTime", "long", "TICKS"), ("duration", "long", "TICKS"), ("eventThread", THREAD, "pool"),
        ("stackTrace", STACK, "pool")]
POINT = [field for field in SPAN if field[0] != "duration"]
TYPES = {
    "java.lang.Class": [("classLoader", "jdk.types.ClassLoader", "pool"), ("name", "jdk.types.Symbol", "pool"),
                        ("modifiers", "int")],
    "jdk.types.ClassLoader": [("type", "java.lang.Class", "pool"), ("name", "jdk.types.Symbol", "pool")],
    "jdk.types.Symbol": [("string", "java.lang.String")],
    "jdk.types.Method": [("type", "java.lang.Class", "pool"), ("name", "jdk.types.Symbol", "pool"),
                         ("descriptor", "jdk.types.Symbol", "pool"), ("modifiers", "int"), ("hidden", "boolean")],
    "jdk.types.FrameType": [("description", "java.lang.String")],
    "jdk.types.StackFrame": [("method", "jdk.types.Method", "pool"), ("lineNumber", "int"),
                             ("bytecodeIndex", "int"), ("type", "jdk.types.FrameType", "pool")],
    STACK: [("truncated", "boolean"), ("frames", "jdk.types.StackFrame", "array")],
    THREAD: [("osName", "java.lang.String"), ("osThreadId", "long"), ("javaName", "java.lang.String"),
             ("javaThreadId", "long")],
    STATE: [("name", "java.lang.String")],
    "jdk.ExecutionSample": SAMPLE,
    "jdk.NativeMethodSample": SAMPLE,
    "jdk.CPUTimeSample": [("startTime", "long", "TICKS"), ("stackTrace", STACK, "pool"),
                          ("eventThread", THREAD, "pool"), ("failed", "boolean"),
                          ("samplingPeriod", "long", "NANOSECONDS"), ("biased", "boolean")],
    "profiler.WallClockSample": [*SAMPLE, ("samples", "int")],
    "jdk.ObjectAllocationInNewTLAB": [*POINT, ("objectClass", "java.lang.Class", "pool"),
                                      ("allocationSize", "long"), ("tlabSize", "long")],
    "jdk.ObjectAllocationOutsideTLAB": [*POINT, ("objectClass", "java.lang.Class", "pool"),
                                        ("allocationSize", "long")],
    "jdk.ObjectAllocationSample": [*POINT, ("objectClass", "java.lang.Class", "pool"), ("weight", "long")],
    "profiler.LiveObject": [*POINT, ("objectClass", "java.lang.Class", "pool"), ("allocationSize", "long"),
                            ("allocationTime", "long", "TICKS")],
    "jdk.JavaMonitorEnter": [*SPAN, ("monitorClass", "java.lang.Class", "pool"),
                             ("previousOwner", THREAD, "pool"), ("address", "long")],
    "jdk.ThreadPark": [*SPAN, ("parkedClass", "java.lang.Class", "pool"), ("timeout", "long", "MILLISECONDS")],
    "profiler.NativeLock": [*SPAN, ("address", "long")],
    "profiler.Malloc": [*POINT, ("address", "long"), ("size", "long")],
    "profiler.Free": [*POINT, ("address", "long")],
    "jdk.MethodTrace": [*SPAN, ("method", "jdk.types.Method", "pool")],
    "datadog.ExecutionSample": [*POINT, ("state", STATE, "pool"), ("weight", "long"), ("spanId", "long"),
                                ("localRootSpanId", "long")],
    "datadog.MethodSample": [*POINT, ("state", STATE, "pool"), ("weight", "long"), ("spanId", "long"),
                             ("localRootSpanId", "long")],
    "datadog.ObjectSample": [*POINT, ("objectClass", "java.lang.Class", "pool"), ("size", "long"),
                             ("weight", "float")],
    "datadog.HeapLiveObject": [*POINT, ("age", "long"), ("objectClass", "java.lang.Class", "pool"),
                               ("size", "long"), ("weight", "float")],
    "jdk.FileRead": [*SPAN, ("path", "java.lang.String"), ("bytesRead", "long"), ("endOfFile", "boolean")],
    "jdk.ThreadSleep": [*SPAN, ("time", "long", "MILLISECONDS")],
    "jdk.GarbageCollection": [("startTime", "long", "TICKS"), ("duration", "long", "TICKS"), ("gcId", "int")],
    "jdk.ActiveSetting": [*SPAN, ("id", "long"), ("name", "java.lang.String"), ("value", "java.lang.String")],
}
KINDS = ["Interpreted", "JIT compiled", "Inlined", "Native", "C++", "Kernel"]


class Reference:
    """A text in the constants."""

    def __init__(self, id):
        self.id = id


class Chunk:
    """Collects a chunk. `packed` integers are of variable length; `encoding` is that of texts: "utf8", "chars"
    or "latin1"."""

    def __init__(self, packed=True, encoding="utf8", types=TYPES, version=(2, 1), start=1_700_000_000 * 10**9,
                 duration=10**9, ticks=5000, frequency=10**9, first_id=20):
        self.packed, self.encoding, self.version = packed, encoding, version
        self.types = {**{name: None for name in BASICS}, **types}
        self.ids = {name: first_id + i for i, name in enumerate(self.types)}
        self.times = start, duration, ticks, frequency
        self.body = bytearray()
        self.known, self.pending = {}, {}
        self.checkpoints, self.metadata_at = [], 0

    # ---- values

    def int(self, n, size=8):
        """Returns an integer of a type with `size` bytes."""
        n &= (1 << 8 * size) - 1
        if not self.packed:
            return n.to_bytes(size, "big")
        made = bytearray()
        while n >= 0x80 and len(made) < 8:
            made.append(n & 0x7f | 0x80)
            n >>= 7
        return bytes(made) + bytes([n])

    def text(self, s, encoding=None):
        if s is None:
            return b"\0"
        if isinstance(s, Reference):
            return b"\2" + self.int(s.id)
        if s == "":
            return b"\1"
        encoding = encoding or self.encoding
        if encoding == "chars":
            units = struct.unpack(f"<{len(s.encode('utf-16-le')) // 2}H", s.encode("utf-16-le"))
            return b"\4" + self.int(len(units), 4) + b"".join(self.int(c, 2) for c in units)
        data = s.encode("latin-1" if encoding == "latin1" else "utf-8")
        return (b"\5" if encoding == "latin1" else b"\3") + self.int(len(data), 4) + data

    def value(self, type, value):
        """Returns a value: a number, a text, or a dictionary of fields."""
        if type == "java.lang.String":
            return self.text(value)
        if type in ("float", "double"):
            return struct.pack(">f" if type == "float" else ">d", value or 0)
        if type in ("boolean", "byte"):
            return struct.pack("B", (value or 0) & 0xff)
        if type in BASICS:
            return self.int(value or 0, BASICS[type])
        return b"".join(self.field(how, type, (value or {}).get(name)) for name, type, *how in self.types[type])

    def field(self, how, type, value):
        if "array" in how:
            rest = [x for x in how if x != "array"]
            return self.int(len(value or []), 4) + b"".join(self.field(rest, type, v) for v in value or [])
        return self.int(value or 0) if "pool" in how else self.value(type, value)

    # ---- events

    def raw(self, id, payload):
        """Adds an event. Its size counts its own bytes; packed ones are of four bytes, as the JVM writes them."""
        type = self.int(id)
        size = 4 + len(type) + len(payload)
        head = bytes([size & 0x7f | 0x80, size >> 7 & 0x7f | 0x80, size >> 14 & 0x7f | 0x80, size >> 21])
        self.body += (head if self.packed else struct.pack(">I", size)) + type + payload
        return HEADER + len(self.body) - size

    def event(self, type, **values):
        return self.raw(self.ids[type], self.value(type, values))

    # ---- constants

    def constant(self, type, value):
        """Returns the id of a constant, which the next checkpoint has."""
        key = type, repr(value)
        if key not in self.known:
            self.known[key] = len(self.known) + 1
            self.pending.setdefault(type, []).append((self.known[key], value))
        return self.known[key]

    def symbol(self, s):
        return self.constant("jdk.types.Symbol", {"string": s})

    def class_of(self, name):
        return self.constant("java.lang.Class", {"name": self.symbol(name)})

    def frame(self, text):
        """Returns a frame of "package/Class.method:line kind"."""
        place, _, kind = text.partition(" ")
        name, _, line = place.partition(":") if "::" not in place else (place, "", "")
        parent, _, own = name.rpartition(".")
        method = {"type": self.class_of(parent) if parent else 0, "name": self.symbol(own),
                  "descriptor": self.symbol("()V")}
        return {"method": self.constant("jdk.types.Method", method), "lineNumber": int(line or -1),
                "type": self.constant("jdk.types.FrameType", {"description": kind or KINDS[0]})}

    def stack(self, *frames, truncated=0):
        """Returns the id of a stack, whose frames are from the root to the leaf."""
        return self.constant(STACK, {"truncated": truncated, "frames": [self.frame(x) for x in frames[::-1]]})

    def thread(self, name, number, java=None):
        return self.constant(THREAD, {"osName": name, "osThreadId": number, "javaName": java,
                                      "javaThreadId": number % 100})

    def state(self, name):
        return self.constant(STATE, {"name": name})

    def pool(self, type, rows):
        return self.int(self.ids[type]) + self.int(len(rows), 4) + b"".join(
            self.int(id) + self.value(type, value) for id, value in rows)

    def checkpoint(self):
        """Adds a checkpoint with the constants since the last one."""
        at = HEADER + len(self.body)
        distance = self.checkpoints[-1] - at if self.checkpoints else 0
        self.checkpoints.append(at)
        pools = [self.pool(type, rows) for type, rows in self.pending.items()]
        self.pending = {}
        self.raw(CHECKPOINT, self.int(0) + self.int(0) + self.int(distance) + b"\0" + self.int(len(pools), 4) +
                 b"".join(pools))

    # ---- metadata

    def metadata(self, texts_encoding=None):
        """Adds the metadata."""
        texts = {}

        def text(s):
            return self.int(texts.setdefault(s, len(texts)), 4)

        def element(name, attributes, children=()):
            made = text(name) + self.int(len(attributes), 4)
            made += b"".join(text(key) + text(str(value)) for key, value in attributes.items())
            return made + self.int(len(children), 4) + b"".join(children)

        def field(name, type, *how):
            attributes = {"name": name, "class": self.ids[type]}
            attributes |= {"constantPool": "true"} if "pool" in how else {}
            attributes |= {"dimension": "1"} if "array" in how else {}
            notes = [element("annotation", {"class": 1, "value": x}) for x in how if x not in ("pool", "array")]
            return element("field", attributes, notes)

        classes = [element("class", {"name": name, "id": self.ids[name]}, [field(*x) for x in fields or []])
                   for name, fields in self.types.items()]
        root = element("root", {}, [element("metadata", {}, classes), element("region", {"locale": "en_US"})])
        self.metadata_at = self.raw(METADATA, self.int(0) + self.int(0) + self.int(1) + self.int(len(texts), 4) +
                                    b"".join(self.text(s, texts_encoding) for s in texts) + root)

    def bytes(self, size=None, checkpoint=True):
        """Returns the chunk, with another `size` in its header if that is given."""
        if self.pending and checkpoint:
            self.checkpoint()
        if not self.metadata_at:
            self.metadata()
        last = self.checkpoints[-1] if self.checkpoints else 0
        full = HEADER + len(self.body)
        return struct.pack(">4sHHqqqqqqqI", b"FLR\0", *self.version, full if size is None else size, last,
                           self.metadata_at, *self.times, int(self.packed)) + bytes(self.body)
