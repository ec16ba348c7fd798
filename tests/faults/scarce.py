#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs on systems that lack something: /proc, a folder for temporary files, descriptors, memory. They work, or fail with a
message. Languages with other decimal points and other capital letters change nothing."""
import os
import resource
import shutil
import subprocess
import unittest

import common
from lib.compiled import locale_folder

LIMITS = (8 << 20, 16 << 20, 24 << 20, 32 << 20, 48 << 20, 64 << 20, 96 << 20, 128 << 20, 192 << 20, 256 << 20, 512 << 20)
LOCALES = (("de_DE", "ISO-8859-1"), ("tr_TR", "ISO-8859-9"))  # with the character set that is not UTF-8
OF_LOADER = "error while loading shared libraries"  # where memory does not suffice to start a program


def unshared(script):
    """Returns the words of a program that runs its words after a script in mounts of its own."""
    user = [] if os.geteuid() == 0 else ["-Ur"]
    return ["unshare", *user, "-m", "sh", "-c", f'{script} && exec "$0" "$@"']


NO_PROC = unshared("mount -t tmpfs none /proc")
READ_ONLY = unshared("for f in /tmp /var/tmp; do mount --bind $f $f && mount -o remount,bind,ro $f || exit 9; done")


def can_run(words):
    return shutil.which("unshare") and subprocess.run([*words, "true"], capture_output=True).returncode == 0


class Scarce(unittest.TestCase):
    maxDiff = None

    def run_all(self, check, prefix=(), env=None, pipelines=None, **more):
        """Runs each pipeline with words in front of it; calls check(place, expected, status, messages)."""
        for name in pipelines or common.PIPELINES:
            with self.subTest(name):
                place = common.Place(common.PIPELINES[name])
                self.addCleanup(place.remove)
                expected = place.expect()
                place.environment.update(env or {})
                place.prepare()
                p = subprocess.run([*prefix, *place.command], cwd=place.dir, env=place.environment, capture_output=True,
                                   stdin=subprocess.DEVNULL, timeout=60, **more)
                place.printed = p.stdout
                check(place, expected, p.returncode, p.stderr.decode(errors="replace"))

    def works(self, place, expected, status, said):
        self.assertEqual((0, "", []), (status, said, place.left_over()))
        self.assertTrue(expected == (place.outputs(), place.printed), "other outputs")

    def is_whole(self, place, expected, status, said):
        if status == 127 and OF_LOADER in said:
            self.assertEqual(place.old(), place.outputs())
        else:
            self.assertIsNone(common.problem_of(place, expected, status, said), said)

    @unittest.skipUnless(can_run(NO_PROC), "mounts cannot be changed")
    def test_without_proc(self):
        self.run_all(self.works, NO_PROC)

    @unittest.skipUnless(can_run(READ_ONLY), "mounts cannot be changed")
    def test_without_a_folder_for_temporary_files(self):
        """Only databases and merges of many files need one: their message names TMPDIR."""
        def check(place, expected, status, said):
            if status == 0:
                self.works(place, expected, status, said)
            else:
                self.is_whole(place, expected, status, said)
                self.assertIn("TMPDIR", said)
        self.run_all(check, READ_ONLY, {"TMPDIR": ""})

    def test_few_descriptors(self):
        """Runs of few files need no more than sixteen."""
        for n in range(3, 17) if common.IS_EXHAUSTIVE else (3, 5, 8, 12, 16):
            limit = lambda n=n: resource.setrlimit(resource.RLIMIT_NOFILE, (n, n))  # noqa: E731
            self.run_all(self.works if n == 16 else self.is_whole, preexec_fn=limit,
                         pipelines=None if n == 16 or common.IS_EXHAUSTIVE else ("config", "isolate", "gzip", "merge"))

    def test_little_memory(self):
        for n in LIMITS if common.IS_EXHAUSTIVE else LIMITS[::2]:
            limit = lambda n=n: resource.setrlimit(resource.RLIMIT_AS, (n, n))  # noqa: E731
            self.run_all(self.is_whole, preexec_fn=limit,
                         pipelines=None if common.IS_EXHAUSTIVE else ("perf-svg", "html", "threads", "isolate", "diff"))

    def test_languages(self):
        charsets = [(name, charset) for name, latin in LOCALES for charset in ("UTF-8", latin)]
        for number, (name, charset) in enumerate(charsets):
            folder = locale_folder(name, charset)
            if folder is None:
                self.skipTest("there are no sources of locales")
            language = f"{name}.{charset}"
            self.run_all(self.works, env={"LC_ALL": language, "LANG": language, "LOCPATH": str(folder)},
                         pipelines=None if common.IS_EXHAUSTIVE else list(common.PIPELINES)[number::len(charsets)])

    @unittest.skipIf(common.CANNOT_RECORD, common.CANNOT_RECORD)
    def test_recordings(self):
        """Recordings work without a folder for temporary files if they are saved, and fail with a message otherwise."""
        for save in ("", "--save saved"):
            outputs = ["out.folded", "saved"] if save else ["out.folded"]
            place = common.Place(common.Pipeline(f"record -q -e cpu-clock -F 2000 -g fp -o out.folded {save} -- sh burn.sh",
                                                 {"burn.sh": common.BURN}, outputs))
            self.addCleanup(place.remove)
            for prefix in (NO_PROC, READ_ONLY):
                if not can_run(prefix):
                    continue
                place.environment["TMPDIR"] = ""
                place.prepare()
                p = subprocess.run([*prefix, *place.command], cwd=place.dir, env=place.environment, capture_output=True,
                                   text=True, timeout=60)
                new = {name: content != common.OLD for name, content in place.outputs().items()}
                with self.subTest(save=save, prefix=prefix[-1][:20]):
                    self.assertEqual([], place.left_over())
                    self.assertIn((p.returncode, set(new.values())), ((0, {True}), (1, {False})), p.stderr)
                    self.assertTrue(p.returncode == 0 or "error: " in p.stderr, p.stderr)


if __name__ == "__main__":
    common.main()
