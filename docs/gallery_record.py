#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Records the programs of docs/gallery-languages.md: runs its commands and keeps what they record.

usage: BRAZIER=build/release/bin/brazier python3 docs/gallery_record.py [LANGUAGE...]

This needs the languages (Debian: golang-go, cargo, g++, openjdk-17-jdk-headless, nodejs, python3) and the
permission to record. Recordings contain the paths of the programs, so that these are run in a folder that
is the same on every machine. Then draw the page with `./dev gallery`, and look at it.
"""
import gzip
import fcntl
import os
import pathlib
import pty
import shutil
import struct
import subprocess
import sys
import termios

import gallery_terminal
from gallery_languages import LANGUAGES, PROGRAMS, RECORDINGS

WORK = pathlib.Path("/tmp/programs")


def environment():
    folder = pathlib.Path(os.environ["BRAZIER"]).resolve().parent
    return {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "TERM": "xterm"}


def run_in_terminal(command):
    """Runs a command in WORK. Returns the bytes that it writes to its terminal."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, gallery_terminal.COLUMNS, 0, 0))
    shown = b""
    with subprocess.Popen(["sh", "-c", command], cwd=WORK, env=environment(), stdin=theirs, stdout=theirs,
                          stderr=theirs) as process:
        os.close(theirs)
        try:
            while some := os.read(ours, 65536):
                shown += some
        except OSError:  # the program has ended
            pass
    os.close(ours)
    if process.returncode != 0:
        sys.exit(f"{command}: {shown.decode()}")
    return shown.replace(b"\r\n", b"\n")


def run(language):
    if not language.console:
        subprocess.run(["sh", "-exc", "\n".join(language.commands)], cwd=WORK, check=True,
                       stdin=subprocess.DEVNULL, env=environment())
        return
    text = b"".join(b"$ %s\n%s" % (command.encode(), run_in_terminal(command)) for command in language.commands)
    (RECORDINGS / language.console).write_bytes(text)


def record(language):
    """Runs the commands of a language in WORK and keeps the recording."""
    RECORDINGS.mkdir(exist_ok=True)
    run(language)
    data = (WORK / language.recording).read_bytes()
    kept = language.kept
    kept.write_bytes(data if kept.name == pathlib.PurePath(language.recording).name else gzip.compress(data, 9, mtime=0))
    print(f"{kept}: {kept.stat().st_size} bytes")


def main():
    wanted = set(sys.argv[1:]) or {language.id for language in LANGUAGES}
    unknown = wanted - {language.id for language in LANGUAGES}
    if unknown:
        sys.exit(f"no such language: {', '.join(sorted(unknown))}")
    shutil.copytree(PROGRAMS, WORK)  # fails if it is there
    try:
        for language in LANGUAGES:
            if language.id in wanted:
                record(language)
    finally:
        shutil.rmtree(WORK)


if __name__ == "__main__":
    main()
