# SPDX-License-Identifier: MIT
"""Writes execution traces of Go, in the format since Go 1.22 and in the one before."""
from lib.pprof import varint

# Kinds of events since Go 1.22.
BATCH, STACKS, STACK, STRINGS, STRING, CPU_SAMPLES, CPU_SAMPLE, FREQUENCY = range(1, 9)
PROCS, PROC_START, PROC_STOP, PROC_STEAL, PROC_STATUS = range(9, 14)
CREATE, CREATE_SYSCALL, START, DESTROY, DESTROY_SYSCALL, STOP, BLOCK, UNBLOCK = range(14, 22)
SYSCALL, SYSCALL_END, SYSCALL_END_BLOCKED, STATUS = range(22, 26)
SWITCH, SWITCH_DESTROY, CREATE_BLOCKED, STATUS_STACK, EXPERIMENTAL, SYNC, CLOCK, END_OF_GENERATION = range(45, 53)

# States of goroutines.
RUNNABLE, RUNNING, IN_SYSCALL, WAITING = range(1, 5)

# Kinds of events up to Go 1.21.
OLD_BATCH, OLD_FREQUENCY, OLD_STACK = range(1, 4)
OLD_CREATE, OLD_START, OLD_END, OLD_STOP, OLD_SCHED, OLD_PREEMPT, OLD_SLEEP, OLD_BLOCK, OLD_UNBLOCK = range(13, 22)
OLD_SEND, OLD_RECEIVE, OLD_SELECT, OLD_SYNC, OLD_COND, OLD_NETWORK = range(22, 28)
OLD_SYSCALL, OLD_SYSCALL_EXIT, OLD_SYSCALL_BLOCK, OLD_WAITING, OLD_IN_SYSCALL = range(28, 33)
OLD_TIMERS, OLD_FUTILE, OLD_STRING, OLD_START_LOCAL, OLD_UNBLOCK_LOCAL, OLD_SYSCALL_EXIT_LOCAL = range(35, 41)
OLD_LOG, OLD_SAMPLE = 48, 49

NO_THREAD = (1 << 64) - 1


def head(version):
    return (b"go 1.%d trace" % version).ljust(16, b"\0")


def event(kind, *args):
    return bytes([kind]) + b"".join(map(varint, args))


class Texts:
    """Numbers texts, from 1."""

    def __init__(self):
        self.numbers = {}

    def __getitem__(self, text):
        return self.numbers.setdefault(text, len(self.numbers) + 1)


def stack(texts, frames):
    """The frames of a stack, the leaf first: a name, or name, file, line and address."""
    out = b""
    for frame in frames:
        name, file, line, address = frame if isinstance(frame, tuple) else (frame, "main.go", 7, 0x401000 + texts[frame])
        out += varint(address) + varint(texts[name]) + varint(texts[file]) + varint(line)
    return out


class Trace:
    """A trace of Go 1.22 or later: generations of batches."""

    def __init__(self, version=22, frequency=1000000000):
        self.version, self.frequency, self.generation = version, frequency, 1
        self.data = bytearray(head(version))
        self.clear()

    def clear(self):
        self.texts, self.stacks = Texts(), {}

    def stack(self, *frames):
        """The number of a stack, which is leaf first."""
        return self.stacks.setdefault(frames, len(self.stacks) + 1)

    def batch(self, thread, content, time=0, size=None):
        self.data += event(BATCH, self.generation, thread, time, len(content) if size is None else size) + content

    def events(self, thread, *events, time=0):
        """`events` are (kind, argument...), the first of which is the time since the one before."""
        self.batch(thread, b"".join(event(*e) for e in events), time)

    def samples(self, *samples):
        """`samples` are (time, goroutine, stack)."""
        self.batch(NO_THREAD, bytes([CPU_SAMPLES]) + b"".join(event(CPU_SAMPLE, time, 1, 0, g, s) for time, g, s in samples))

    def experiment(self, content):
        self.data += event(EXPERIMENTAL, 1, self.generation, NO_THREAD, 0, len(content)) + content

    def clock(self):
        clock = event(FREQUENCY, self.frequency)
        if self.version >= 25:
            clock = bytes([SYNC]) + clock + event(CLOCK, 5, 99, 1764504000, 250000000)
        self.batch(NO_THREAD, clock)

    def tables(self):
        content = b"".join(event(STACK, number, len(frames)) + stack(self.texts, frames) for frames, number in self.stacks.items())
        self.batch(NO_THREAD, bytes([STACKS]) + content)
        texts = b"".join(event(STRING, number, len(text.encode())) + text.encode() for text, number in self.texts.numbers.items())
        self.batch(NO_THREAD, bytes([STRINGS]) + texts)

    def end(self, clock=True):
        """Ends a generation."""
        if clock:
            self.clock()
        self.tables()
        if self.version >= 26:
            self.data += bytes([END_OF_GENERATION])
        self.generation += 1
        self.clear()

    def bytes(self):
        return bytes(self.data)


class OldTrace:
    """A trace of Go up to 1.21. Of a version before 1.7, events have a sequence number in front of the time."""

    def __init__(self, version=19, frequency=1000000000):
        self.version, self.frequency = version, frequency
        self.data = bytearray(head(version))
        self.texts, self.stacks = Texts(), {}

    def stack(self, *frames):
        return self.stacks.setdefault(frames, len(self.stacks) + 1)

    def event(self, kind, *args):
        content, more = b"".join(map(varint, args)), len(args) - (2 if self.version < 7 else 1)
        if more > 2:
            content = varint(len(content)) + content
        self.data += bytes([min(more, 3) << 6 | kind]) + content

    def events(self, processor, *events, time=0, sequence=0):
        self.event(OLD_BATCH, processor, *([sequence] if self.version < 7 else []), time)
        for e in events:
            self.event(*e)

    def log(self, text, *args):
        self.event(OLD_LOG, *args)
        self.data += varint(len(text)) + text

    def string(self, number, text):
        self.data += bytes([OLD_STRING]) + varint(number) + varint(len(text)) + text

    def bytes(self, clock=True):
        """Ends the trace with the clock, stacks and texts."""
        if clock:
            self.event(OLD_FREQUENCY, self.frequency, *([0] if self.version < 7 else []))
        for frames, number in self.stacks.items():
            if self.version < 7:
                self.event(OLD_STACK, number, len(frames), *frames)
                continue
            content = varint(number) + varint(len(frames)) + stack(self.texts, frames)
            self.data += bytes([3 << 6 | OLD_STACK]) + varint(len(content)) + content
        for text, number in self.texts.numbers.items():
            self.string(number, text.encode())
        return bytes(self.data)
