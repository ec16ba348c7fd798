#!/usr/bin/env python3
"""Records the programs of docs/gallery-languages.md: runs its commands and keeps what they record.

usage: BRAZIER=build/release/bin/brazier python3 docs/gallery_record.py [LANGUAGE...]

This needs the languages (Debian: golang-go, cargo, g++, openjdk-17-jdk-headless, nodejs, python3) and the
permission to record. Recordings contain the paths of the programs, so that these are run in a folder that
is the same on every machine. Then draw the page with `./dev gallery`, and look at it.
"""
import gzip
import os
import pathlib
import shutil
import subprocess
import sys

from gallery_languages import LANGUAGES, PROGRAMS, RECORDINGS

WORK = pathlib.Path("/tmp/programs")


def record(language):
    """Runs the commands of a language in WORK and keeps the recording."""
    path = f"{pathlib.Path(os.environ['BRAZIER']).resolve().parent}:{os.environ['PATH']}"
    subprocess.run(["sh", "-exc", "\n".join(language.commands)], cwd=WORK, check=True,
                   stdin=subprocess.DEVNULL, env={**os.environ, "PATH": path})
    data = (WORK / language.recording).read_bytes()
    RECORDINGS.mkdir(exist_ok=True)
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
