#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the cache of unpacked debugging information."""
import functools
import os
import pathlib
import platform
import shutil
import signal
import stat
import struct
import subprocess
import tempfile
import time
import unittest
import zlib

import common
import perf_data as base
from lib.compiled import compile_once
from lib.perf_data import IN_USER
from perf_data import APP
import perf_modules

TEXT = """static inline __attribute__((always_inline)) int inner(int a) {{ return a * {factor} + 1; }}
static inline __attribute__((always_inline)) int outer(int a) {{ return inner(a) ^ 5; }}
volatile int result;
void _start(void) {{ for (;;) result = outer(result); }}
"""


@functools.cache
def program(factor, *flags):
    """A program with more than a megabyte of unpacked debugging information: long names, since many would take long to
    compile."""
    members = "\n".join(f"struct s{i} {{ int m_{i * 7919 % 100000}_{'m' * 500}; }} v{i};" for i in range(3000))
    with tempfile.TemporaryDirectory(prefix="brazier-cache-") as folder:
        source, app = pathlib.Path(folder, "app.c"), pathlib.Path(folder, "app")
        source.write_text(TEXT.format(factor=factor) + members)
        compile_once([base.COMPILER, "-g", "-gz=zlib", "-O2", "-fno-pie", "-nostdlib", "-static", "-no-pie",
                      "-Wl,--build-id", *flags], source, app)
        return app.read_bytes()


def entry_point(data):
    return int.from_bytes(data[24:32], "little")


@unittest.skipUnless(base.HAS_PERF_DATA and base.COMPILER and platform.machine() == "x86_64",
                     "no perf-data, or no compiler for x86-64")
class Cache(common.Case):
    shares = False  # a process remembers what it has read

    def setUp(self):
        super().setUp()
        self.cache = self.home / ".cache" / "brazier"
        self.app = self.dir / "app"
        self.build()

    def build(self, factor=3, *flags):
        """Makes the program and its recording."""
        data = program(factor, *flags)
        self.app.unlink(missing_ok=True)
        self.app.write_bytes(data)
        self.app.chmod(0o755)
        at = perf_modules.offset_of(data, entry_point(data))
        self.write("x.perf.data", perf_modules.whole(data, *range(at, at + 24), name=str(self.app)))

    def fold(self, *options, env=None):
        r = self.brazier("collapse", "perf-data", "--srcline", "x.perf.data", *options, env=env)
        self.assertEqual(0, r.code, r)
        self.assertNotIn("cache", r.err)
        return r.out

    def entries(self):
        return sorted(p for p in self.cache.iterdir()) if self.cache.exists() else []

    @staticmethod
    def spoil(entry):
        """Replaces the sections of an entry by zeros, but not their names and headers after them."""
        data, image = entry.read_bytes(), 4096
        table, = struct.unpack_from("<Q", data, image + 40)
        names, = struct.unpack_from("<Q", data, len(data) - 64 + 24)
        assert 64 < names < table
        with open(entry, "r+b") as f:
            f.seek(image + 64)
            f.write(bytes(names - 64))

    def test_a_later_run_uses_what_the_first_one_kept(self):
        expected = self.fold("--no-cache")
        self.assertRegex(expected, "outer:.*;inner:")
        self.assertEqual([], self.entries())
        self.assertEqual(expected, self.fold())
        entry, = self.entries()
        self.assertEqual(0o600, stat.S_IMODE(entry.stat().st_mode))
        self.assertEqual(0o700, stat.S_IMODE(self.cache.stat().st_mode))
        self.assertRegex(entry.name, "^perf-data[.]dwarf1-[0-9a-f]{40}-[0-9a-f]+-[0-9a-f]+$")
        before = entry.stat()
        self.assertEqual(expected, self.fold())
        after = entry.stat()
        self.assertEqual((before.st_ino, before.st_mtime_ns), (after.st_ino, after.st_mtime_ns))
        self.spoil(entry)  # proves that it is read
        self.assertNotIn("inner", self.fold())
        self.assertEqual(expected, self.fold("--no-cache"))

    def test_the_folder_of_the_environment(self):
        for name in ("elsewhere", "below/"):
            self.fold(env={"XDG_CACHE_HOME": f"{self.dir}/{name}"})
            self.assertEqual(1, len(list((self.dir / name / "brazier").iterdir())))
        self.assertEqual([], self.entries())
        for cache in ("", "relative"):
            self.fold(env={"XDG_CACHE_HOME": cache})
            self.assertEqual(1, len(self.entries()))
            self.assertFalse((self.dir / "relative").exists())
        expected = self.fold("--no-cache")
        self.assertEqual(expected, self.fold(env={"HOME": ""}))
        self.assertEqual(expected, self.fold(env={"HOME": self.dir / "missing" / "home"}))
        self.assertFalse((self.dir / "missing").exists())

    def test_a_program_that_was_built_anew_is_read_anew(self):
        first = self.fold()
        for how in ("with another build id", "with the same one"):
            with self.subTest(how):
                self.build(7, *(["-Wl,--build-id=0x" + "ab" * 20] if "same" in how else []))
                expected = self.fold("--no-cache")
                self.assertEqual(expected, self.fold())
                self.assertEqual(expected, self.fold())
        self.assertIn("inner", first)
        self.build(9, "-Wl,--build-id=0x" + "ab" * 20)
        self.assertEqual(self.fold("--no-cache"), self.fold())

    def test_damaged_entries_are_replaced(self):
        expected = self.fold()
        entry, = self.entries()
        good = entry.read_bytes()

        def other_mode():
            entry.chmod(0o622)

        def link():
            moved = self.write("moved", good)
            entry.unlink()
            entry.symlink_to(moved)

        def pipe():
            entry.unlink()
            os.mkfifo(entry)

        damages = [lambda: entry.write_bytes(b""), lambda: entry.write_bytes(good[:100]),
                   lambda: entry.write_bytes(good[:4096]), lambda: entry.write_bytes(good[:-1]),
                   lambda: entry.write_bytes(good + b"\0"), lambda: entry.write_bytes(b"B" + good[1:]),
                   lambda: entry.write_bytes(good[:40] + b"\1" + good[41:]), other_mode, link, pipe]
        for i, damage in enumerate(damages):
            with self.subTest(i):
                damage()
                self.assertEqual(expected, self.fold())
                self.assertEqual(good, entry.read_bytes())
                self.assertTrue(stat.S_ISREG(entry.lstat().st_mode))

    def test_entries_whose_headers_are_damaged_are_replaced(self):
        """libelf writes to an image with compressed sections, but an entry is mapped for reading only."""
        expected = self.fold()
        entry, = self.entries()
        good, image = entry.read_bytes(), 4096
        table, = struct.unpack_from("<Q", good, image + 40)
        flags = image + table + 64 + 8  # of the first section, .debug_info
        offset, size = struct.unpack_from("<QQ", good, flags + 16)
        packed = bytearray(good)
        content = zlib.compress(good[image + offset:image + offset + size])
        struct.pack_into("<Q", packed, flags, 0x800)  # SHF_COMPRESSED
        struct.pack_into("<IIQQ", packed, image + offset, 1, 0, size, 1)
        packed[image + offset + 24:image + offset + 24 + len(content)] = content
        struct.pack_into("<Q", packed, flags + 24, 24 + len(content))
        damaged = [packed]
        for at in (image, image + 4, image + 60, image + table - 20, flags, flags + 16, flags + 56 + 4, len(good) - 1):
            one = bytearray(good)
            one[at] ^= 1
            damaged.append(one)
        for i, one in enumerate(damaged):
            with self.subTest(i):
                entry.write_bytes(one)
                self.assertEqual(expected, self.fold())
                self.assertEqual(good, entry.read_bytes())

    def test_a_folder_in_which_an_entry_has_its_place(self):
        expected = self.fold()
        entry, = self.entries()
        entry.unlink()
        entry.mkdir()
        self.assertEqual(expected, self.fold())
        self.assertEqual([entry], self.entries())

    def test_a_folder_that_others_can_write_to_is_not_used(self):
        expected = self.fold("--no-cache")
        self.cache.mkdir(parents=True)
        for mode in (0o777, 0o770):
            self.cache.chmod(mode)
            self.assertEqual(expected, self.fold())
            self.assertEqual([], self.entries())
        self.cache.chmod(0o700)
        self.fold()
        entry, = self.entries()
        self.spoil(entry)
        self.cache.chmod(0o770)
        self.assertEqual(expected, self.fold())

    def test_a_link_in_the_place_of_the_folder_is_not_followed(self):
        (self.dir / "there").mkdir()
        self.cache.parent.mkdir()
        self.cache.symlink_to(self.dir / "there")
        self.fold()
        self.assertEqual([], list((self.dir / "there").iterdir()))

    def test_restricted_runs_keep_and_use_nothing(self):
        root = self.dir / "root"
        (root / str(self.dir)[1:]).mkdir(parents=True)
        shutil.copy(self.app, root / str(self.app)[1:])
        for options in (["--isolate"], ["--sysroot", root], ["--isolate", "--sysroot", root]):
            self.fold(*options)
            self.assertEqual([], self.entries())
        self.write("brazier.yaml", "pipelines:\n  p: {collapse: perf-data, cache: false, outputs: [{use: folded, to: out.folded}]}\n")
        r = self.brazier("run", "--config", "brazier.yaml", "p", "x.perf.data")
        self.assertEqual((0, []), (r.code, self.entries()), r)

    def test_a_folder_that_is_read_only(self):
        self.cache.mkdir(parents=True)
        self.cache.chmod(0o500)
        self.addCleanup(self.cache.chmod, 0o700)
        self.assertEqual(self.fold("--no-cache"), self.fold())

    def test_the_least_recently_used_entries_are_deleted(self):
        self.cache.mkdir(parents=True)
        day = 86400
        for name, age in (("oldest-1-a", 9), ("older-1-b", 8), ("recent-1-c", 2), ("newest-1-d", 1)):
            path = self.cache / name
            with open(path, "wb") as f:
                f.truncate(200 << 20)  # takes no space
            os.utime(path, times=(time.time() - age * day,) * 2)
        self.fold()
        names = {p.name for p in self.entries()}
        self.assertLessEqual({"recent-1-c", "newest-1-d"}, names)
        self.assertFalse({"oldest-1-a", "older-1-b"} & names)
        self.assertEqual(3, len(names))

    def test_unfinished_entries_of_killed_runs_are_deleted(self):
        self.fold()
        entry, = self.entries()
        entry.unlink()
        self.write(f".{entry.name}.brazier-1", b"unfinished", self.cache)
        for name in (".old-1-a.brazier-1", ".new-1-b.brazier-1"):
            with open(self.cache / name, "wb") as f:
                f.truncate(300 << 20)  # takes no space
            os.utime(self.cache / name, times=(time.time() - 10 * name.count("old"),) * 2)
        self.fold()
        self.assertEqual([self.cache / ".new-1-b.brazier-1", entry], self.entries())

    @unittest.skipIf(common.SANITIZED, "a sanitizer must be loaded first")
    def test_a_run_that_is_interrupted_leaves_no_unfinished_entry(self):
        """The library makes fsync() as slow as that of a slow disk."""
        self.write("slow.c", "#include <unistd.h>\nint fsync(int fd) { (void)fd; for (unsigned n = 60; n > 0;) n = sleep(n); "
                             "return 0; }\n")
        subprocess.run([base.COMPILER, "-shared", "-fPIC", "-o", "slow.so", "slow.c"], cwd=self.dir, check=True)
        p = subprocess.Popen(self.command(["collapse", "perf-data", "--srcline", "x.perf.data"]), cwd=self.dir,
                             env=self.environment({"LD_PRELOAD": self.dir / "slow.so"}), stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL)
        self.addCleanup(p.kill)
        while not self.cache.exists() and p.poll() is None:
            time.sleep(0.01)
        time.sleep(0.3)
        p.send_signal(signal.SIGINT)
        self.assertEqual(130, p.wait(timeout=60))
        self.assertEqual([], self.entries())

    def test_an_entry_of_the_future_is_the_least_recently_used(self):
        self.cache.mkdir(parents=True)
        for name, age in (("of-the-future-1-a", -99), ("recent-1-b", 9)):
            path = self.cache / name
            with open(path, "wb") as f:
                f.truncate(300 << 20)  # takes no space
            os.utime(path, times=(time.time() - age * 86400,) * 2)
        self.fold()
        self.assertEqual({"recent-1-b"}, {p.name for p in self.entries() if not p.name.startswith("perf-data")})

    def test_other_files_in_the_folder_stay(self):
        self.cache.mkdir(parents=True)
        names = ["perf.data", "notes", "a-b", "a-1", ".x.brazier-1", ".x-1.brazier-1", ".brazier-1", "-1-2", "x-1-2.svg", "x-1-F"]
        for name in names:
            path = self.cache / name
            with open(path, "wb") as f:
                f.truncate(600 << 20)  # takes no space
            os.utime(path, times=(0, 0))
        self.fold()
        self.assertLessEqual(set(names), {p.name for p in self.entries()})
        self.assertEqual(len(names) + 1, len(self.entries()))

    @unittest.skipUnless(os.geteuid() == 0, "needs the rights of root")
    def test_root_leaves_no_folder_in_the_home_of_a_user(self):
        for existing in (self.home, self.home / ".cache"):
            existing.mkdir(exist_ok=True)
            os.chown(existing, 12345, 12345)
            self.fold()
            self.assertEqual([], list(existing.iterdir()))
            (self.home / ".cache").mkdir(exist_ok=True)

    def test_damaged_sections_are_not_kept(self):
        data = bytearray(self.app.read_bytes())
        offset, length = perf_modules.PerfModules.section(data, b".debug_info")
        data[offset + length - 400:offset + length - 350] = bytes(50)
        self.app.write_bytes(data)
        expected = self.fold("--no-cache")
        self.assertEqual(expected, self.fold())
        self.assertEqual([], self.entries())

    def test_a_use_is_noted_once_a_day(self):
        self.fold()
        entry, = self.entries()
        old = time.time() - 3 * 86400
        os.utime(entry, times=(old, old))
        self.fold()
        self.assertLess(old + 86400, entry.stat().st_mtime)

    def test_small_files_are_not_kept(self):
        self.write("app.c", TEXT.format(factor=3))
        subprocess.run([base.COMPILER, "-g", "-gz=zlib", "-O2", "-nostdlib", "-static", "-Wl,--build-id", "-o",
                        self.app, "app.c"], cwd=self.dir, check=True)
        self.fold()
        self.assertEqual([], self.entries())

    def test_many_runs_at_once(self):
        expected = self.fold("--no-cache")
        runs = [subprocess.Popen(self.command(["collapse", "perf-data", "--srcline", "x.perf.data"]), cwd=self.dir,
                                 env=self.environment(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
                for _ in range(8)]
        self.assertEqual([expected] * 8, [p.communicate(timeout=60)[0] for p in runs])
        self.assertEqual(1, len(self.entries()))


if __name__ == "__main__":
    unittest.main()
