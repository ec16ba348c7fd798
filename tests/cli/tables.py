#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the output sqlite: its tables, the queries of docs/tables.md, and adding to a database."""
import contextlib
import gzip
import os
import re
import signal
import sqlite3
import subprocess
import time
import unittest

import common
from common import BRAZIER, PLUGINS, SOURCE, STACKS

BUILD = BRAZIER.resolve().parent.parent
PLUGIN = ["--plugin", BUILD / "tests/plugins/collapse-described.so"]

# Two threads with a label, and two weights.
SERVICE = """weights: cpu/nanoseconds alloc/bytes
about: start=1700000000000000000 clock-start=1000 producer=p comment=c
tag: process=7 process-name=app thread=8 thread-name=main request=home time=1000
main;work;malloc{libc.so|malloc.c|5|user} 500 64
tag: process=7 process-name=app thread=8 thread-name=main request=home time=1700
main;work 250 0
tag: process=7 process-name=app thread=9 thread-name=idle request=list time=2500
main;malloc{libc.so|malloc.c|5|user} 150 32
tag: process=7 process-name=app thread=9 thread-name=idle time=3000
main;work;work;read 100 0
"""
LATER = SERVICE.replace("} 500 64", "} 1500 64")

EXPECTED = {
    "The heaviest functions by their own weight": [
        ("malloc", 650, "nanoseconds", 65.0), ("work", 250, "nanoseconds", 25.0), ("read", 100, "nanoseconds", 10.0)],
    "The same with their callees": [("main", 1000, 100.0), ("work", 850, 85.0), ("malloc", 650, 65.0), ("read", 100, 10.0)],
    "Folded stacks": [("main;malloc 150",), ("main;work 250",), ("main;work;malloc 500",), ("main;work;work;read 100",)],
    "The callers of a function": [("work", 2000), ("main", 300)],
    "The weight of each module": [("libc.so", 650), ("", 350)],
    "The weight of each thread": [("app", 8, "main", 2500), ("app", 9, "idle", 500)],
    "The weight of each value of a label": [("home", 2500), ("list", 300)],
    "Samples per interval": [(1, 2, 750), (2, 1, 150), (3, 1, 100)],
    "All that a function calls": [("malloc", 2000), ("work", 500), ("read", 200)],
    "What changed": [("malloc", 17.5), ("work", -12.5), ("read", -5.0)],
}


def queries():
    """Yields the queries of docs/tables.md, with the sentences before them."""
    text = (SOURCE / "docs" / "tables.md").read_text()
    for sentence, query in re.findall(r"([^\n]+):\n\n```sql\n(.*?)```", text, re.S):
        yield sentence, query


class Case(common.Case):
    def database(self, name="x.sqlite"):
        db = sqlite3.connect(self.dir / name)
        self.addCleanup(db.close)
        return db

    def rows(self, query, name="x.sqlite"):
        with contextlib.closing(sqlite3.connect(self.dir / name)) as db:
            return db.execute(query).fetchall()

    def assert_sound(self, name="x.sqlite"):
        self.assertEqual([("ok",)], self.rows("PRAGMA integrity_check", name))
        self.assertEqual([], self.rows("PRAGMA foreign_key_check", name))

    def add(self, name="x.sqlite", *more, text=STACKS):
        return self.good("run", "-f", "folded", "-", "-o", name, "--append", *more, stdin=text)


class Tables(Case):
    def add_described(self, text, *more, name="x.sqlite"):
        self.write("in.txt", text)
        self.good(*PLUGIN, "run", "--from", "described", "in.txt", "-o", name, *more)

    def service(self):
        for text in SERVICE, LATER:
            self.add_described(text, "--append", "--name", "a")
        self.assert_sound()

    def test_the_queries_of_the_page_have_these_results(self):
        self.service()
        found = {}
        for sentence, query in queries():
            key = next(k for k in EXPECTED if sentence.startswith(k))
            found[key] = self.rows(query)
        self.assertEqual(EXPECTED, found)
        self.assertEqual(10, len(found))

    def test_a_table_of_the_page_has_the_columns_of_the_database(self):
        self.service()
        text = (SOURCE / "docs" / "tables.md").read_text()
        rows = re.findall(r"^\| `(\w+)` \| [^|]+ \| (`(?:profile_id|weight_id|frame_id|stack_id|tag_id)`[^|]+|the same[^|]+) \|$",
                          text, re.M)
        kinds = {name: kind for name, kind in self.rows("SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view')")}
        self.assertEqual(set(kinds), {name for name, _ in rows})
        for name, columns in rows:
            words = set(re.findall(r"`(\w+)`", columns)) - {"comment", "user", "kernel"}
            words -= {"process"} if name == "frames" else set()
            real = {row[1] for row in self.rows(f"PRAGMA table_info({name})")}
            if not columns.startswith("the same"):
                self.assertEqual(real, words, name)

    def test_samples_have_their_times_tags_and_labels(self):
        self.service()
        self.assertEqual(
            [(1, 1000, 8, "main", "home", 500), (2, 1700, 8, "main", "home", 250), (3, 2500, 9, "idle", "list", 150),
             (4, 3000, 9, "idle", None, 100)],
            self.rows("SELECT s.number, time, thread, thread_name, l.value, s.value FROM samples AS s JOIN weights AS w"
                      " USING (weight_id) JOIN tags USING (tag_id) LEFT JOIN labels AS l USING (tag_id)"
                      " WHERE w.profile_id = 1 AND w.name = 'cpu' ORDER BY s.number"))
        self.add_described(SERVICE, "--no-samples", name="sums.sqlite")
        self.assertEqual([(0,)], self.rows("SELECT count(*) FROM samples", "sums.sqlite"))
        self.assertEqual([(0,)], self.rows("SELECT count(*) FROM tags", "sums.sqlite"))

    def test_profiles_share_frames_and_stacks(self):
        self.service()
        count = "SELECT (SELECT count(*) FROM frames), (SELECT count(*) FROM stacks)"
        self.assertEqual([(4, 7)], self.rows(count))
        self.add(text="main;work 1\nmain;other 2\n")
        self.assertEqual([(5, 8)], self.rows(count))
        self.assertEqual([(3,)], self.rows("SELECT count(*) FROM profiles"))
        self.assert_sound()

    def test_a_profile_has_its_facts(self):
        self.add_described(SERVICE, "--name", "n")
        self.add_described(SERVICE, "--append", "--host", "other")
        self.assertEqual([("n", "", "p", 1700000000000000000, 1000), ("", "other", "p", 1700000000000000000, 1000)],
                         self.rows("SELECT name, host, producer, start, clock_start FROM profiles"))
        self.assertEqual([("comment", "c")] * 2, self.rows("SELECT key, value FROM facts"))

    def test_values_with_decimals_are_exact_and_views_have_the_unit(self):
        self.add(text="a;b 1.5\na;c 0.25\n")
        self.assertEqual([(100, 175)], self.rows("SELECT divisor, total FROM weights"))
        self.assertEqual([("b", 1.5), ("c", 0.25)], self.rows("SELECT name, value FROM self ORDER BY name"))

    def test_names_that_differ_in_their_annotation_only_are_one_frame(self):
        self.write("in.txt", "app 1 [0] 1.0: 1 cpu-clock:\n\tffffffff81050 f_[k] ([kernel.kallsyms])\n\n"
                             "app 1 [0] 1.1: 1 cpu-clock:\n\tffffffff81050 f ([kernel.kallsyms])\n\n")
        self.brazier("run", "-f", "perf", "in.txt", "-o", "x.sqlite", "--kernel")
        self.assert_sound()

    def test_a_comparison_has_both_sides_as_weights(self):
        self.write("a.folded", "main;a 3\nmain;b 4\n")
        self.write("b.folded", "main;a 5\n")
        self.good("diff", "a.folded", "b.folded", "-o", "x.sqlite")
        self.assertEqual([("before", 7), ("after", 5)], self.rows("SELECT name, total FROM weights"))


class Fleet(Case):
    """The recipe of docs/fleet.md."""

    SECTION = (SOURCE / "docs" / "fleet.md").read_text().split("\n## One database\n")[1].split("\n## ")[0]

    def setUp(self):
        super().setUp()
        hour = 3600 * 10 ** 9
        (self.dir / "profiles").mkdir()
        for host, slow in (("web-1", 100), ("web-2", 100), ("web-3", 500)):
            for time in 0, 1:
                parse = 300 if time == 1 else 100
                self.write("in.txt", f"weights: cpu/nanoseconds\nabout: start={1700000000 * 10 ** 9 // hour * hour + time * hour + 1}\n"
                                     f"main;parse;read {parse}\nmain;log {slow}\nmain 100\n")
                self.good(*PLUGIN, "run", "--from", "described", "in.txt", "-o", f"profiles/{host}-{time}.pb.gz")
        (self.top / "bin").mkdir()
        (self.top / "bin" / "brazier").symlink_to(BRAZIER)
        script = re.search(r"```sh\n(.*?)```", self.SECTION, re.S)[1]
        p = subprocess.run(["sh", "-ec", script], cwd=self.dir, capture_output=True, text=True,
                           env=self.environment({"PATH": f"{self.top / 'bin'}:{os.environ['PATH']}"}))
        self.assertEqual((0, "", ""), (p.returncode, p.stdout, p.stderr))

    def test_its_queries(self):
        heaviest, differs, over_time = re.findall(r"```sql\n(.*?)```", self.SECTION.split("\n### ")[0], re.S)
        self.assert_sound("fleet.sqlite")
        self.assertEqual([(f"web-{i}-{t}", f"web-{i}") for i in (1, 2, 3) for t in (0, 1)],
                         self.rows("SELECT name, host FROM profiles ORDER BY name", "fleet.sqlite"))
        self.assertEqual([("log", 1400, 3), ("read", 1200, 3), ("main", 600, 3)], self.rows(heaviest, "fleet.sqlite"))
        # Shares of log: 200 of 800, the same, and 1000 of 1600.
        self.assertEqual([("web-3", "log", 25.0), ("web-1", "read", 8.33), ("web-2", "read", 8.33),
                          ("web-1", "main", 4.17), ("web-2", "main", 4.17)], self.rows(differs, "fleet.sqlite"))
        self.assertEqual([("2023-11-14 22:00", 23.08), ("2023-11-14 23:00", 47.37)], self.rows(over_time, "fleet.sqlite"))


class Files(Case):
    def test_a_pipe_and_a_compressed_file_have_the_same_bytes(self):
        self.good("run", "-f", "folded", "-", "-o", "x.sqlite", stdin=STACKS)
        self.good("run", "-f", "folded", "-", "-o", "x.sqlite.gz", stdin=STACKS)
        piped = self.good("run", "-f", "folded", "-", "--to", "sqlite", stdin=STACKS).raw
        bytes_ = (self.dir / "x.sqlite").read_bytes()
        self.assertEqual((bytes_, bytes_), (piped, gzip.decompress((self.dir / "x.sqlite.gz").read_bytes())))
        self.add("new.sqlite")
        self.assertEqual(bytes_, (self.dir / "new.sqlite").read_bytes())

    def test_memory_that_was_used_before_changes_no_byte(self):
        found = set()
        for fill in "0", "85", "170":
            self.good("run", "-f", "folded", "-", "-o", "x.sqlite", stdin=STACKS, env={"MALLOC_PERTURB_": fill})
            found.add((self.dir / "x.sqlite").read_bytes())
        self.assertEqual(1, len(found))

    def test_appending_in_the_same_order_gives_the_same_bytes(self):
        for name in "x.sqlite", "y.sqlite":
            for text in STACKS, "main;new 3\n", STACKS:
                self.add(name, text=text)
        self.assertEqual((self.dir / "x.sqlite").read_bytes(), (self.dir / "y.sqlite").read_bytes())

    def test_without_append_a_file_is_replaced_when_the_new_one_is_complete(self):
        self.add()
        old = (self.dir / "x.sqlite").read_bytes()
        self.fails(1, "run", "-f", "folded", "-", "-o", "x.sqlite", stdin="no stack\n")
        self.assertEqual(old, (self.dir / "x.sqlite").read_bytes())
        self.good("run", "-f", "folded", "-", "-o", "x.sqlite", stdin="a 1\n")
        self.assertEqual([(1,)], self.rows("SELECT count(*) FROM profiles"))

    def test_a_database_with_a_journal_is_not_replaced(self):
        self.add()
        before = (self.dir / "x.sqlite").read_bytes()
        db = sqlite3.connect(self.dir / "x.sqlite", isolation_level=None)
        db.executescript("BEGIN; DELETE FROM samples; INSERT INTO facts VALUES (1, 1, 'a', 'b')")
        self.assertIn("x.sqlite-journal", self.files())
        r = self.fails(1, "run", "-f", "folded", "-", "-o", "x.sqlite", stdin=STACKS)
        self.assertIn("x.sqlite: cannot be replaced", r.err)
        db.close()
        self.assertEqual((["x.sqlite"], before), (self.files(), (self.dir / "x.sqlite").read_bytes()))
        self.good("run", "-f", "folded", "-", "-o", "x.sqlite", stdin=STACKS)

    def test_a_scratch_file_that_cannot_be_made_fails_the_run(self):
        r = self.fails(1, "run", "-f", "folded", "-", "-o", "x.sqlite", stdin=STACKS, env={"TMPDIR": "/nowhere"})
        self.assertIn("scratch file", r.err)
        self.assertEqual([], self.files())

    def test_no_scratch_file_is_left(self):
        folder = self.top / "scratch"
        folder.mkdir()
        self.good("run", "-f", "folded", "-", "-o", "x.sqlite", stdin=STACKS, env={"TMPDIR": folder})
        self.assertEqual([], list(folder.iterdir()))


class Refused(Case):
    def refused(self, code, why, name, *more):
        before = (self.dir / name).read_bytes() if (self.dir / name).exists() else None
        r = self.fails(code, "run", "-f", "folded", "-", "-o", name, "--append", *more, stdin=STACKS)
        self.assertIn(why, r.err)
        self.assertEqual(before, (self.dir / name).read_bytes() if (self.dir / name).exists() else None)
        self.assertNotIn(f"{name}-journal", self.files())

    def test_what_is_no_database(self):
        self.write("x.sqlite", STACKS * 100)
        self.refused(1, "x.sqlite: it is not a database", "x.sqlite")

    def test_the_database_of_another_program(self):
        self.database().executescript("CREATE TABLE bookmarks(url)")
        self.refused(1, "another program", "x.sqlite")

    def test_a_later_version(self):
        self.add()
        self.database().executescript("PRAGMA user_version = 2")
        self.refused(1, "another version of brazier", "x.sqlite")

    def test_changed_tables(self):
        self.add()
        self.database().executescript("ALTER TABLE samples ADD COLUMN more")
        self.refused(1, "its tables were changed", "x.sqlite")

    def test_a_damaged_database(self):
        self.add()
        data = bytearray((self.dir / "x.sqlite").read_bytes())
        data[4096:] = b"\xff" * len(data[4096:])
        self.write("x.sqlite", bytes(data))
        self.refused(1, "malformed", "x.sqlite")

    def test_a_pipe_and_a_compressed_file(self):
        r = self.fails(2, "run", "-f", "folded", "-", "--to", "sqlite", "--append", stdin=STACKS)
        self.assertIn("name one with -o", r.err)
        self.refused(2, "it is compressed", "x.sqlite.gz")

    def test_a_configuration_that_was_found(self):
        self.write(".brazier.yaml", "version: 1\npipelines:\n  default:\n    outputs:\n"
                                    "      - {use: sqlite, to: x.sqlite, options: {append: true}}\n")
        r = self.fails(2, "run", "-f", "folded", "-", stdin=STACKS)
        self.assertIn("name the file with -o", r.err)
        self.assertNotIn("x.sqlite", self.files())

    @unittest.skipIf(os.geteuid() == 0, "root can write everywhere")
    def test_a_folder_that_cannot_be_written(self):
        (self.dir / "closed").mkdir()
        (self.dir / "closed").chmod(0o555)
        self.refused(1, "cannot be created", "closed/x.sqlite")

    def test_a_database_that_cannot_be_written(self):
        self.add()
        (self.dir / "x.sqlite").chmod(0o444)
        if os.geteuid() != 0:
            self.refused(1, "readonly", "x.sqlite")

    def test_triggers_do_not_run(self):
        self.add()
        self.database().executescript("CREATE TRIGGER t AFTER INSERT ON profiles BEGIN DELETE FROM frames; END")
        self.add()
        self.assertEqual([(6,)], self.rows("SELECT count(*) FROM frames"))
        self.assert_sound()

    def test_own_indices_and_views_are_allowed(self):
        self.add()
        self.database().executescript("CREATE INDEX mine ON samples(time); CREATE VIEW ours AS SELECT * FROM self")
        self.add()
        self.assert_sound()


class Together(Case):
    def test_many_runs_at_once_are_all_in(self):
        number = 6
        runs = [self.start("run", "-f", "folded", "-", "-o", "x.sqlite", "--append", "--name", str(i))
                for i in range(number)]
        for p in runs:
            p.stdin.write(STACKS.encode())
            p.stdin.close()
        for p in runs:
            self.assertEqual((0, b""), (p.wait(), p.stderr.read()))
            p.stdout.close()
            p.stderr.close()
        self.assertEqual([(number,)], self.rows("SELECT count(DISTINCT name) FROM profiles"))
        self.assertEqual([(6, 7)], self.rows("SELECT (SELECT count(*) FROM frames), (SELECT count(*) FROM stacks)"))
        self.assert_sound()
        self.assertEqual(["x.sqlite"], self.files())

    def test_a_run_waits_for_another_program(self):
        self.add()
        db = sqlite3.connect(self.dir / "x.sqlite", isolation_level=None)
        db.execute("BEGIN EXCLUSIVE")
        p = self.start("run", "-f", "folded", "-", "-o", "x.sqlite", "--append")
        p.stdin.write(STACKS.encode())
        p.stdin.close()
        time.sleep(0.3)
        self.assertIsNone(p.poll())
        db.execute("ROLLBACK")
        db.close()
        self.assertEqual((0, b""), (p.wait(), p.stderr.read()))
        p.stdout.close()
        p.stderr.close()
        self.assertEqual([(2,)], self.rows("SELECT count(*) FROM profiles"))

    def test_a_database_that_stays_locked_fails_the_run(self):
        self.add()
        db = sqlite3.connect(self.dir / "x.sqlite", isolation_level=None)
        self.addCleanup(db.close)
        db.execute("BEGIN EXCLUSIVE")
        r = self.fails(1, "run", "-f", "folded", "-", "-o", "x.sqlite", "--append", "--wait", "100ms", stdin=STACKS)
        self.assertIn("another program uses it", r.err)
        db.execute("ROLLBACK")
        self.assertEqual([(1,)], self.rows("SELECT count(*) FROM profiles"))

    def test_a_signal_ends_the_wait(self):
        self.add()
        db = sqlite3.connect(self.dir / "x.sqlite", isolation_level=None)
        self.addCleanup(db.close)
        db.execute("BEGIN EXCLUSIVE")
        p = self.start("run", "-f", "folded", "-", "-o", "x.sqlite", "--append")
        p.stdin.write(STACKS.encode())
        p.stdin.close()
        time.sleep(0.3)
        p.send_signal(signal.SIGINT)
        self.assertNotEqual(0, p.wait(timeout=30))
        p.stdout.close()
        p.stderr.close()

    def test_another_output_that_fails_adds_nothing(self):
        self.add()
        r = self.brazier("run", "-f", "folded", "-", "-o", "x.sqlite", "--append", "-o", "/dev/full", stdin=STACKS)
        self.assertNotEqual(0, r.code, r)
        self.assertEqual([(1,)], self.rows("SELECT count(*) FROM profiles"))

    def test_a_new_file_is_removed_if_nothing_was_added(self):
        self.write("in.folded", STACKS)
        r = self.in_shell('ulimit -f 8; exec "$0" "$@"', "run", "in.folded", "-o", "x.sqlite", "--append")
        self.assertEqual((1, ["in.folded"]), (r.code, self.files()), r)
        self.assertIn("x.sqlite: the database cannot be written: disk I/O error", r.err)

    def test_a_database_stays_as_it_was_if_the_disk_is_full(self):
        self.add()
        before = (self.dir / "x.sqlite").read_bytes()
        self.write("in.folded", "".join(f"main;{i} 1\n" for i in range(5000)))
        r = self.in_shell('ulimit -f 300; exec "$0" "$@"', "run", "in.folded", "-o", "x.sqlite", "--append")
        self.assertEqual((1, before), (r.code, (self.dir / "x.sqlite").read_bytes()), r)
        self.assertEqual(["in.folded", "x.sqlite"], self.files())
        r = self.in_shell('ulimit -f 300; exec "$0" "$@"', "run", "in.folded", "-o", "y.sqlite")
        self.assertEqual((1, ["in.folded", "x.sqlite"]), (r.code, self.files()), r)


if __name__ == "__main__":
    if not (PLUGINS / "output-sqlite.so").exists():
        print("skipped: this build has no output sqlite")
        raise SystemExit(77)
    common.main()
