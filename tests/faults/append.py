#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A database to which a run adds a profile is as it was, or has the whole profile, whatever fails or ends the run. SQLite
may undo what was written only when the database is opened the next time.

Every third call fails once, in turns alone and with all of its kind that follow, and every twenty-first allocation; a run is
killed at every third call. All calls fail in both ways if BRAZIER_EXHAUSTIVE=1 is in the environment."""
import contextlib
import errno

import signal
import sqlite3
import unittest

import common
from calls import ERRORS
from killed import CALLS

MORE = "main;more 1\nmain;parse 2\n"
WORDS = "run -f folded one.folded -o x.sqlite --append"
STEP = 1 if common.IS_EXHAUSTIVE else 3


def contents(path):
    """Returns all rows, as SQL; "": no file, or an empty one."""
    if not path.exists():
        return ""
    with contextlib.closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return "\n".join(list(db.iterdump())[1:-1])


class Append(common.Case):
    """A run whose database exists, or does not."""

    def setUp(self):
        super().setUp()
        self.place = common.Place(common.Pipeline(WORDS, {"one.folded": MORE}, []))
        self.addCleanup(self.place.remove)
        self.file = self.place.dir / "x.sqlite"

    def prepare(self, first):
        """Restores the database in front of each run."""
        for path in self.place.dir.glob("x.sqlite*"):
            path.unlink()
        if first is not None:
            self.file.write_bytes(first)

    def databases(self):
        """Yields the bytes of the database before the run (None: no file), and its rows before and after the run."""
        first = None
        for _ in range(2):
            self.prepare(first)
            before = contents(self.file)
            self.assertEqual((0, ""), self.place.run(None))
            yield first, before, contents(self.file)
            self.prepare(first)
            self.place.run(None)
            first = self.file.read_bytes()

    def check(self, first, before, after, status, said):
        found = contents(self.file)
        self.assertTrue(found == after or (found == before and status != 0), f"{len(found)} bytes of SQL: {said}")

    def sites(self, first, **faults):
        self.prepare(first)
        return len(self.place.sites("calls", **faults))

    def test_each_call_fails(self):
        calls = {**ERRORS, "unlink": errno.EPERM}
        for first, before, after in self.databases():
            for call, error in calls.items():
                for at in range(0, self.sites(first, call=call, how=error), STEP):
                    ways = {}, {"onwards": 1}
                    for more in ways if common.IS_EXHAUSTIVE else ways[at % 2:at % 2 + 1]:
                        self.prepare(first)
                        status, said = self.place.run("calls", call=call, how=error, at=at, **more)
                        with self.subTest(call=call, at=at, more=more, first=first is not None):
                            self.assertIn(status, (0, 1), said)
                            self.assertTrue(status == 0 or "error: " in said, said)
                            self.check(first, before, after, status, said)

    def test_interrupted_calls(self):
        for first, _, after in self.databases():
            for odd in {"interrupt": 1}, {"short": 1, "interrupt": 1}:
                self.prepare(first)
                self.assertEqual((0, ""), self.place.run("calls", **odd), odd)
                self.assertEqual(after, contents(self.file), odd)

    def test_each_allocation_fails(self):
        for first, before, after in self.databases():
            self.prepare(first)
            n = len(self.place.sites("allocation"))
            for at in range(0, n, 1 if common.IS_EXHAUSTIVE else 21):
                self.prepare(first)
                status, said = self.place.run("allocation", at=at)
                with self.subTest(at=at, first=first is not None):
                    self.assertIn(status, (0, 1), said)
                    self.check(first, before, after, status, said)

    def test_killed_at_each_call(self):
        for first, before, after in self.databases():
            for call in CALLS + ",unlink",:
                for at in range(0, self.sites(first, call=call, how="KILL"), STEP):
                    self.prepare(first)
                    status, said = self.place.run("calls", call=call, how="KILL", at=at)
                    with self.subTest(at=at, first=first is not None):
                        self.assertIn(status, (0, -signal.SIGKILL), said)
                        self.check(first, before, after, status, said)


if __name__ == "__main__":
    if not (common.PLUGINS / "output-sqlite.so").exists():
        print("skipped: this build has no output sqlite")
        raise SystemExit(77)
    common.main()
