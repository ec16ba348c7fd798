# SPDX-License-Identifier: MIT
"""Writes traces of Perfetto."""
import zlib

from lib.pprof import field, message

CLEARED, FOLLOWS = 1, 2
MONOTONIC, BOOT = 3, 6
BEGIN, END, INSTANT, STATE = 1, 2, 3, 5
NATIVE, KERNEL, JIT = 1, 2, 4


class Trace:
    """Collects packets. The tables of a sequence go into its next packet."""

    def __init__(self):
        self.parts, self.tables, self.known = [], {}, {}
        self.packet(0, trace_uuid=message([(1, 4711), (2, 17)]))

    def packet(self, sequence=1, time=None, flags=None, clock=None, defaults=None, lost=False, first=False, raw=(), **data):
        """`data` is one of the fields below, whose value is the bytes of its message."""
        fields = [(3, 0)]
        if time is not None:
            fields.append((8, time))
        if clock is not None:
            fields.append((58, clock))
        if sequence:
            fields.append((10, sequence))
        if flags is not None:
            fields.append((13, flags))
        if lost:
            fields.append((42, 1))
        if first:
            fields.append((87, 1))
        if defaults is not None:
            fields.append((59, defaults))
        if self.tables.get(sequence):
            fields.append((12, message(self.tables.pop(sequence))))
        fields += [(FIELDS[name], value) for name, value in data.items()] + list(raw)
        self.parts.append(field(1, message(fields)))

    def begin(self, sequence=1, **how):
        """Begins the tables of a sequence again."""
        self.known = {k: v for k, v in self.known.items() if k[0] != sequence}
        self.packet(sequence, flags=CLEARED, **how)

    def number(self, table, key, fields, sequence=1):
        """Returns the number of an entry of a table, which is added once."""
        place = sequence, table, key
        if place not in self.known:
            self.known[place] = 1 + sum(k[:2] == place[:2] for k in self.known)
            entry = message([(1, self.known[place]), *fields])
            self.tables.setdefault(sequence, []).append((table, entry))
        return self.known[place]

    def text(self, table, text, sequence=1):
        raw = text.encode() if isinstance(text, str) else text
        return self.number(table, raw, [(2, raw)], sequence)

    def mapping(self, path, build_id=b"", range=(0x1000, 0x9000), sequence=1):
        parts = [self.text(17, part, sequence) for part in path.split("/") if part]
        fields = [(2, self.text(16, build_id, sequence))] if build_id else []
        fields += [(4, range[0]), (5, range[1])] + [(7, part) for part in parts]
        return self.number(19, (path, build_id), fields, sequence)

    def frame(self, name, mapping=0, address=0, file="", line=0, kind=None, sequence=1):
        fields = [(2, self.text(5, name, sequence))] if name else []
        fields += [(3, mapping), (4, address)] if mapping else []
        fields += [(5, self.text(18, file, sequence)), (6, line)] if file else []
        fields += [(7, kind)] if kind is not None else []
        return self.number(6, (name, mapping, address, line), fields, sequence)

    def stack(self, *frames, sequence=1, packed=False):
        """A callstack: numbers of frames or names, root first."""
        numbers = [f if isinstance(f, int) else self.frame(f, sequence=sequence) for f in frames]
        fields = [(2, numbers)] if packed else [(2, n) for n in numbers]
        return self.number(7, tuple(numbers), fields, sequence)

    def perf(self, stack, time, count=None, cpu=0, pid=17, tid=21, followers=(), sequence=1, fields=(), **how):
        sample = [(1, cpu), (2, pid), (3, tid)] + ([(4, stack)] if stack is not None else [])
        sample += ([(6, count)] if count is not None else []) + [(7, n) for n in followers] + list(fields)
        self.packet(sequence, time, flags=FOLLOWS, perf_sample=message(sample), **how)

    def heap(self, pid, samples, heap="", continued=False, time=0, sequence=1, index=None, fields=(), tables=()):
        """A heap profile: `samples` is [(stack, allocated, freed, allocations, frees)] or [(stack, most, count)]."""
        numbers = {5: (1, 2, 3, 5, 6), 3: (1, 8, 9)}
        process = [(1, pid)] + ([(11, heap.encode())] if heap else []) + ([(9, time)] if time else []) + list(fields)
        process += [(2, message(list(zip(numbers[len(s)], s)))) for s in samples]
        profile = list(tables) + [(5, message(process))] + ([(6, 1)] if continued else [])
        profile += [(7, index)] if index is not None else []
        self.packet(sequence, 1, profile_packet=message(profile))

    def event(self, kind, time, name=None, track=None, sequence=1, interned=True, fields=(), legacy=(), **how):
        event = [(9, kind)] if kind else []
        if name is not None:
            event.append((10, self.text(2, name, sequence)) if interned else (23, name.encode()))
        if track is not None:
            event.append((11, track))
        event += list(fields) + ([(6, message(list(legacy)))] if legacy else [])
        self.packet(sequence, time, flags=FOLLOWS, track_event=message(event), **how)

    def thread(self, uuid, pid, tid, name="", sequence=1, reference=None):
        thread = [(1, pid), (2, tid)] + ([(5, name.encode())] if name else [])
        thread += [(6, reference)] if reference is not None else []
        self.packet(sequence, track_descriptor=message([(1, uuid), (4, message(thread))]))

    def track(self, uuid, name="", parent=0, pid=None, process="", sequence=1):
        fields = [(1, uuid)] + ([(5, parent)] if parent else []) + ([(2, name.encode())] if name else [])
        fields += [(3, message([(1, pid), (6, process.encode())]))] if pid is not None else []
        self.packet(sequence, track_descriptor=message(fields))

    def clocks(self, *clocks, sequence=1, primary=None):
        """`clocks` is [(clock, time)] or [(clock, time, is_difference, unit)]."""
        parts = [(1, message(list(enumerate(clock, 1)))) for clock in clocks]
        self.packet(sequence, clock_snapshot=message(parts + ([(2, primary)] if primary else [])))

    def processes(self, processes, threads=()):
        parts = [(1, message([(1, pid), (3, words.encode())])) for pid, words in processes]
        self.packet(0, process_tree=message(parts + [(2, message([(1, tid), (2, name.encode()), (3, pid)])) for tid, name, pid in threads]))

    def symbols(self, path, build_id, addresses):
        """`addresses` is {address: [(function, file, line), …]}, the innermost line first."""
        parts = [(3, message([(1, address), *((2, message([(1, f.encode()), (2, file.encode()), (3, line)])) for f, file, line in lines)]))
                 for address, lines in addresses.items()]
        self.packet(0, module_symbols=message([(1, path.encode()), (2, build_id), *parts]))

    def bytes(self):
        return b"".join(self.parts)

    def compressed(self, first=0, pack=zlib.compress, number=50):
        """The trace with all packets but the first ones compressed."""
        return b"".join(self.parts[:first]) + field(1, field(number, pack(b"".join(self.parts[first:]))))


FIELDS = {"ftrace_events": 1, "process_tree": 2, "clock_snapshot": 6, "track_event": 11, "profile_packet": 37,
          "thread_descriptor": 44, "streaming_profile_packet": 54, "heap_graph": 56, "track_descriptor": 60, "module_symbols": 61,
          "deobfuscation_mapping": 64, "perf_sample": 66, "trace_uuid": 89, "stack_sample": 135}


def perf_defaults(counter=1, *followers, clock=None, name=""):
    """Defaults of packets: the timebase and the counters read with it; 1: cpu-clock, 10: cycles, 11: instructions."""
    timebase = [(4, counter)] + ([(10, name.encode())] if name else [])
    parts = [(1, message(timebase))] + [(4, message([(1, f)])) for f in followers]
    return message([(12, message(parts))] + ([(58, clock)] if clock else []))


def print_event(time, tid, text):
    return message([(1, time), (2, tid), (5, message([(1, 9), (2, text.encode())]))])


def negative(n):
    """A number below 0 as a varint has it."""
    return n & (1 << 64) - 1
