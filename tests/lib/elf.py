# SPDX-License-Identifier: MIT
"""Writes small ELF files of 64 bits: a segment, symbols, a build id, a link to debugging symbols."""
import struct
import zlib

NOTYPE, OBJECT, FUNC = 0, 1, 2
LOCAL, GLOBAL, WEAK = 0, 1, 2
X86_64, ARM64 = 62, 183


class Elf:
    """A program whose code lies at `offset` of the file, and at `address` in memory."""

    def __init__(self, address=0x401000, offset=0x1000, size=0x1000, build_id=None, order="<",
                 machine=X86_64, memory=None):
        """`memory` is the size in memory, if it is larger than in the file."""
        self.address, self.offset, self.size, self.order = address, offset, size, order
        self.machine, self.memory = machine, size if memory is None else memory
        self.extra = []  # further sections: (name, bytes)
        self.more_segments = []  # (offset, address, size)
        self.build_id, self.symbols, self.dynamic, self.link = build_id, [], [], None
        self.jumps = []
        self.frames = b""
        self.code = bytearray(size)  # of the segment

    def symbol(self, name, at, size=0, kind=FUNC, binding=GLOBAL, dynamic=False, visible=0, section=".text"):
        """Adds a symbol `at` bytes after the beginning of the code; `section` may be a further one."""
        (self.dynamic if dynamic else self.symbols).append((name, at, size, kind, binding, visible, section))

    def debug_link(self, name, data):
        self.link = name, zlib.crc32(data)

    def pack(self, layout, *values):
        return struct.pack(self.order + layout, *values)

    def unwinding(self, *functions, signal=False, debug=False):
        """Adds .eh_frame, or .debug_frame: [(at, size, instructions)] of functions. On x86-64, the
        frame of each begins with the stack pointer + 8, where the return address is; on arm64, with
        the stack pointer, and the return address is in its register."""
        def entry(body):
            body += bytes(-(len(body) + 4) % 8)
            return self.pack("I", len(body)) + body
        frames = b"".join(data for name, data in self.extra if name == ".debug_frame") if debug else self.frames
        register, rules = (16, b"\x0c\x07\x08\x90\x01") if self.machine == X86_64 else (30, b"\x0c\x1f\x00")
        kind = b"\0" if debug else b"zRS\0" if signal else b"zR\0"
        head = bytes([1, 0x78, register]) + (b"" if debug else b"\x01\x00")
        base = len(frames)
        frames += entry(self.pack("IB", 0xffffffff if debug else 0, 1) + kind + head + rules)
        for at, size, instructions in functions:
            back = self.pack("I", base if debug else len(frames) + 4 - base)
            place = self.pack("QQ", self.address + at, size) + (b"" if debug else b"\0")
            frames += entry(back + place + instructions)
        if debug:
            self.extra = [e for e in self.extra if e[0] != ".debug_frame"] + [(".debug_frame", frames)]
        else:
            self.frames = frames

    def table(self, symbols):
        """(symbols, names)"""
        names, table = b"\0", bytes(24)
        for name, at, size, kind, binding, visible, section in symbols:
            number = 0 if at is None else self.number_of(section)
            table += self.pack("IBBHQQ", len(names), binding << 4 | kind, visible, number,
                               0 if at is None else self.address + at, size)
            names += name.encode() + b"\0"
        return table, names

    def number_of(self, section):
        """The number of a section in the table of them."""
        if section == ".text":
            return 1
        pairs = (self.dynamic or self.jumps, self.jumps, self.symbols)
        before = 2 + 2 * sum(map(bool, pairs)) + (self.build_id is not None) + bool(self.frames)
        return before + [name for name, _ in self.extra].index(section)

    def sections(self):
        """[(name, type, flags, address, offset or None, bytes, link, entry size)]"""
        found = [(".text", 1, 6, self.address, self.offset, bytes(self.size), 0, 0)]
        dynamic = self.dynamic + [(name, None, 0, FUNC, GLOBAL, 0, "") for name in self.jumps]
        if dynamic:
            table, names = self.table(dynamic)
            found += [(".dynsym", 11, 2, 0, None, table, len(found) + 2, 24),
                      (".dynstr", 3, 2, 0, None, names, 0, 0)]
        if self.jumps:
            first = len(self.dynamic) + 1
            relocations = b"".join(self.pack("QQq", 0, (first + i) << 32 | 7, 0)
                                   for i in range(len(self.jumps)))
            found += [(".rela.plt", 4, 2, 0, None, relocations, 2, 24),
                      (".plt", 1, 6, self.address + 0x800, self.offset + 0x800, None, 0, 16)]
        if self.symbols:
            table, names = self.table(self.symbols)
            found += [(".symtab", 2, 0, 0, None, table, len(found) + 2, 24),
                      (".strtab", 3, 0, 0, None, names, 0, 0)]
        if self.build_id is not None:
            note = self.pack("III", 4, len(self.build_id), 3) + b"GNU\0" + self.build_id
            found.append((".note.gnu.build-id", 7, 2, 0, None, note, 0, 0))
        if self.frames:
            found.append((".eh_frame", 1, 2, 0, None, self.frames + bytes(4), 0, 0))
        for name, data in self.extra:
            found.append((name, 1, 0, 0, None, data, 0, 0))
        if self.link is not None:
            name, crc = self.link
            text = name.encode() + b"\0"
            text += bytes(-len(text) % 4) + self.pack("I", crc)
            found.append((".gnu_debuglink", 1, 0, 0, None, text, 0, 0))
        return found

    def bytes(self):
        sections = self.sections()
        names = b"\0" + b"".join(s[0].encode() + b"\0" for s in sections) + b".shstrtab\0"
        sections.append((".shstrtab", 3, 0, 0, None, names, 0, 0))
        body, headers, at = b"", bytes(64), self.offset + self.size
        for name, kind, flags, address, offset, data, link, entry in sections:
            place, size = offset, 0x200 if data is None else len(data)
            if place is None:
                place = at + len(body)
                body += data + bytes(-len(data) % 8)
            headers += self.pack("IIQQQQIIQQ", names.index(name.encode() + b"\0"), kind, flags, address,
                                 place, size, link, 0, 4 if kind == 7 else 8, entry)
        kind = 1 if self.order == "<" else 2
        head = b"\x7fELF" + bytes([2, kind, 1]) + bytes(9)
        head += self.pack("HHIQQQIHHHHHH", 2, self.machine, 1, 0, 64, at + len(body), 0, 64, 56,
                          1 + len(self.more_segments), 64, len(sections) + 1, len(sections))
        head += self.pack("IIQQQQQQ", 1, 5, self.offset, self.address, self.address, self.size,
                          self.memory, 4096)
        for offset, address, size in self.more_segments:
            head += self.pack("IIQQQQQQ", 1, 5, offset, address, address, size, size, 4096)
        return (head + bytes(self.offset))[:self.offset] + bytes(self.code) + body + headers
