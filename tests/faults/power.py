#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A loss of power leaves each output as it was, or complete; the next run works with whatever it left, and removes temporary
files. A database to which a run adds a profile has all of it, or nothing. What caches have is complete."""
import shutil
import subprocess
import unittest

import common
import disk
from append import MORE, WORDS, contents
from lib.compiled import compile_once

COMPILER = shutil.which("gcc") or shutil.which("cc")
NEXT_RUNS = 200 if common.IS_EXHAUSTIVE else 10  # of each pipeline, after losses of power


class PowerCase(unittest.TestCase):
    maxDiff = None

    def journal(self, place, folder):
        """Runs a pipeline; returns the disk before the run, and the journal of the run."""
        journal = place.top / "journal"
        journal.unlink(missing_ok=True)
        before = disk.Disk(folder)
        environment = {**place.environment, "LD_PRELOAD": str(common.LIBRARIES / "disk.so"),
                       "FAULT_JOURNAL": str(journal), "FAULT_FOLDER": str(folder)}
        p = subprocess.run(place.command, cwd=place.dir, env=environment, capture_output=True, stdin=subprocess.DEVNULL,
                           timeout=60)
        self.assertEqual(0, p.returncode, p.stderr)
        return before, journal

    @staticmethod
    def restore(folder, files):
        """Lets a folder have these files."""
        for path in folder.rglob("*"):
            if not path.is_dir():
                path.unlink()
        for name, content in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)


class Outputs(PowerCase):
    def lose_power(self, name):
        place = common.Place(common.PIPELINES[name])
        self.addCleanup(place.remove)
        expected = place.expect()
        place.prepare()
        old = place.old()
        found = list(disk.states_of(*self.journal(place, place.dir)))
        self.assertGreater(len(found), 2 * len(place.pipeline.outputs))
        for about, files in found:
            outputs = {name: files.get(name) for name in place.pipeline.outputs}
            self.assertTrue(common.are_whole(outputs, old, expected[0]), about)
        for about, files in found[::max(1, len(found) // NEXT_RUNS)]:
            self.restore(place.dir, files)
            p = subprocess.run(place.command, cwd=place.dir, env=place.environment, capture_output=True,
                               stdin=subprocess.DEVNULL, timeout=60)
            self.assertEqual((0, b"", expected[0], []), (p.returncode, p.stderr, place.outputs(), place.left_over()), about)


for a_name, a_pipeline in common.PIPELINES.items():
    if a_pipeline.outputs and a_name != "isolate":  # whose child may not examine files, as disk.c does
        setattr(Outputs, f"test_{a_name.replace('-', '_')}", lambda self, name=a_name: self.lose_power(name))


@unittest.skipUnless((common.PLUGINS / "output-sqlite.so").exists(), "this build has no output sqlite")
class Append(PowerCase):
    def lose_power(self, place):
        path = place.dir / "x.sqlite"
        before = contents(path)
        found = list(disk.states_of(*self.journal(place, place.dir)))
        after = contents(path)
        seen = set()
        for about, files in found:
            self.restore(place.dir, files)
            rows = contents(path)
            self.assertIn(rows, (before, after), about)
            seen.add(rows)
        self.assertEqual({before, after}, seen)

    def test_a_new_database_and_one_that_exists(self):
        place = common.Place(common.Pipeline(WORDS, {"one.folded": MORE}, []))
        self.addCleanup(place.remove)
        self.lose_power(place)
        self.restore(place.dir, {"one.folded": MORE.encode()})
        place.run(None)
        self.lose_power(place)


class Configuration(PowerCase):
    def test_a_definition_that_is_added_to_a_file(self):
        old = "version: 1\n# mine\n"
        text = "".join(f"2026-01-0{i} 10:00:00 main|parse|lex {i}\n" for i in range(1, 9))
        place = common.Place(common.Pipeline("format new -f formats.yaml ours log.txt",
                                             {"log.txt": text, "formats.yaml": old}, []))
        self.addCleanup(place.remove)
        found = list(disk.states_of(*self.journal(place, place.dir)))
        new = (place.dir / "formats.yaml").read_text()
        self.assertNotEqual(old, new)
        self.assertEqual({old, new}, {files["formats.yaml"].decode() for _, files in found})


@unittest.skipIf(common.CANNOT_RECORD, common.CANNOT_RECORD)
class Recording(PowerCase):
    def test_a_recording_that_is_saved(self):
        words = "record -q -e cpu-clock -F 2000 -o out.folded --save saved -- sh burn.sh"
        place = common.Place(common.Pipeline(words, {"burn.sh": common.BURN}, ["out.folded", "saved"]))
        self.addCleanup(place.remove)
        place.prepare()
        found = list(disk.states_of(*self.journal(place, place.dir)))
        new = place.outputs()
        for about, files in found:
            self.assertTrue(common.are_whole({name: files[name] for name in new}, place.old(), new), about)
        self.assertIn(new["saved"], [files["saved"] for _, files in found])

    def test_a_recording_of_intervals(self):
        place = common.Place(common.continuous(self))
        self.addCleanup(place.remove)
        found = list(disk.states_of(*self.journal(place, place.dir)))
        new = {path.name: path.read_bytes() for path in place.dir.glob("h-*.folded")}
        self.assertNotEqual({}, new)
        for about, files in found:
            for name in new:
                self.assertIn(files.get(name), (None, new[name]), about)

    @unittest.skipUnless(COMPILER, "there is no C compiler")
    def test_entries_of_the_cache(self):
        """The program has more than a megabyte of unpacked debugging information, which the cache keeps."""
        words = "collapse perf-data --srcline saved -o out.folded"
        place = common.Place(common.Pipeline(words, {}, ["out.folded"]))
        self.addCleanup(place.remove)
        members = "\n".join(f"struct s{i} {{ int m_{i * 7919 % 100000}_{i}; long o_{i}; struct s{i} *n_{i}; }} v{i};"
                            for i in range(16000))
        (place.top / "burn.c").write_text(f"{members}\nint main(void)\n{{\n for (volatile int i = 0; i < 100000000; i++);\n}}\n")
        compile_once([COMPILER, "-g", "-gz=zlib", "-O1"], place.top / "burn.c", place.top / "burn")
        p = subprocess.run([common.BRAZIER, "record", "-e", "cpu-clock", "-g", "fp", "--save", place.dir / "saved", "-o",
                            "/dev/null", "--to", "folded", "--", place.top / "burn"], capture_output=True, env=place.environment)
        self.assertEqual(0, p.returncode, p.stderr)
        cache = place.top / ".cache"
        shutil.rmtree(cache, ignore_errors=True)
        cache.mkdir()
        found = list(disk.states_of(*self.journal(place, cache)))
        new = {str(path.relative_to(cache)): path.read_bytes() for path in cache.rglob("*") if path.is_file()}
        self.assertNotEqual({}, new)
        for about, files in found:
            for name in new:
                self.assertIn(files.get(name), (None, new[name]), about)


if __name__ == "__main__":
    common.main()
