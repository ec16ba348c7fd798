# SPDX-License-Identifier: MIT
"""Makes what a disk may have after a loss of power, from the journal that disk.c writes.

What was written to a file, and names that were given or removed, are certain after fsync() of the file or the folder alone.
Until then, a disk may have all of it, none, or parts in any order."""
import pathlib

# What may be on the disk of uncertain changes of one kind, in their order: each is a function of the list.
PARTS = {
    "all": lambda changes: changes,
    "none": lambda changes: [],
    "only the last": lambda changes: changes[-1:],
    "all but the first": lambda changes: changes[1:],
    "every other": lambda changes: changes[1::2],
}
# One more for what was written: the sizes are there, the bytes are not.
EMPTY = "zeros"


class File:
    """The changes of an inode."""

    def __init__(self, content=b""):
        self.certain, self.uncertain = content, []

    def sync(self):
        self.certain, self.uncertain = applied(self.certain, self.uncertain), []

    def content(self, part):
        if part == EMPTY:
            return applied(self.certain, [(at, data if data is None else bytes(len(data))) for at, data in self.uncertain])
        return applied(self.certain, PARTS[part](self.uncertain))


def applied(content, changes):
    """Applies writes (offset, bytes) and new sizes (size, None)."""
    content = bytearray(content)
    for at, data in changes:
        if len(content) < at:
            content.extend(bytes(at - len(content)))
        if data is None:
            del content[at:]
        else:
            content[at:at + len(data)] = data
    return bytes(content)


def entries(journal):
    """Yields kind, inode, number and bytes of each entry."""
    data, at = journal.read_bytes(), 0
    while at < len(data):
        end = data.index(b"\n", at)
        kind, inode, number, size = data[at:end].decode().split()
        at = end + 1 + int(size)
        yield kind, int(inode), int(number), data[end + 1:at]


class Disk:
    """The files of a folder while a program changes them."""

    def __init__(self, folder):
        """Takes the files that are there now for certain ones."""
        self.folder = folder
        self.files, self.names, self.changes = {}, {}, {}
        for path in [folder, *folder.rglob("*")]:
            if path.is_dir():
                self.changes[str(path.relative_to(folder))] = []
            else:
                self.names[str(path.relative_to(folder))] = path.stat().st_ino
                self.files[path.stat().st_ino] = File(path.read_bytes())
        self.folders = {path.stat().st_ino: str(path.relative_to(folder)) for path in [folder, *folder.rglob("*")]
                        if path.is_dir()}

    def add_name(self, name, inode):
        """Adds a change of a name: None removes it."""
        self.changes.setdefault(str(pathlib.PurePath(name).parent), []).append((name, inode))

    def apply(self, kind, inode, number, data):
        if kind == "sync" and inode in self.folders:
            folder = self.folders[inode]
            self.names.update(self.changes[folder])
            self.changes[folder] = []
        elif kind == "file":
            self.files[inode] = File()
        elif kind == "name":
            self.add_name(data.decode(), inode)
        elif kind == "remove":
            self.add_name(data.decode(), None)
        elif kind == "move":
            old, new = data.decode().split("\n")
            self.add_name(new, inode)
            self.add_name(old, None)
        elif inode in self.files and kind == "sync":
            self.files[inode].sync()
        elif inode in self.files:
            self.files[inode].uncertain.append((number, data if kind == "write" else None))

    def states(self):
        """Yields a description and the files of each state that the disk may have now."""
        for part in PARTS:
            names = dict(self.names)
            for changes in self.changes.values():
                names.update(PARTS[part](changes))
            for bytes_part in [*PARTS, EMPTY]:
                yield f"names: {part}, bytes: {bytes_part}", {
                    name: self.files[inode].content(bytes_part)
                    for name, inode in sorted(names.items()) if inode in self.files}


def states_of(disk, journal):
    """Yields the states that the disk may have after each entry of a journal, without repetitions."""
    known = set()
    for n, entry in enumerate(entries(journal)):
        disk.apply(*entry)
        for about, files in disk.states():
            what = tuple(files.items())
            if what not in known:
                known.add(what)
                yield f"after {n + 1} changes, the last one {entry[0]} {entry[3][:60] if entry[0] in ('name', 'move') else ''}; {about}", files
