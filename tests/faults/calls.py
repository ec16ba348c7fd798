#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each system call of a run fails, alone and with all of its kind that follow; reads and writes that
are short or interrupted change nothing."""
import errno
import unittest

import common

ERRORS = {"read": errno.EIO, "pread": errno.EIO, "write": errno.ENOSPC, "fsync": errno.EIO,
          "close": errno.EIO, "rename": errno.EXDEV, "open": errno.EMFILE, "stat": errno.EIO,
          "fchmod": errno.EPERM, "flock": errno.ENOLCK, "lseek": errno.ESPIPE,
          "opendir": errno.EMFILE, "readdir": errno.EIO, "poll": errno.EINVAL,
          "fork": errno.EAGAIN, "pipe": errno.EMFILE, "pthread_create": errno.EAGAIN,
          "dup": errno.EMFILE, "ioctl": errno.EPERM, "mmap": errno.ENODEV, "mkstemp": errno.EACCES,
          "link": errno.EPERM}

# A run that writes a file makes each of these calls.
USUAL = ("read", "write", "fsync", "close", "rename", "open", "stat", "flock")


class Calls(common.Case):
    def fail_each(self, name):
        place = self.place(name)
        tries = []
        for call, error in ERRORS.items():
            total, alone, onwards = place.calls_to_fail("calls", call=call, how=error)
            if call in USUAL and place.pipeline.outputs:
                self.assertGreater(total, 0, call)
            tries += [("calls", {"call": call, "how": error, "at": at, **more})
                      for more, calls in (({}, alone), ({"onwards": 1}, onwards)) for at in calls]
        self.try_all(name, tries)


class Odd(common.Case):
    def be_odd(self, name):
        place = self.place(name)
        expected = place.expect()
        for odd in ({"short": 1}, {"interrupt": 1}, {"short": 1, "interrupt": 1}):
            self.assertEqual((0, ""), place.run("calls", **odd), odd)
            self.assertEqual(expected, (place.outputs(), place.printed), odd)
            self.assertEqual([], place.left_over(), odd)


@unittest.skipUnless("merge-packed" in common.PIPELINES, "there is no zstd")
class Scratch(common.Case):
    """The files of a merge in a file system that has no files without a name."""

    def setUp(self):
        self.merge = self.place("merge-packed")
        self.expected = self.merge.expect()

    def check(self, **faults):
        status, said = self.merge.run("calls", named=1, **faults)
        self.assertIsNone(common.problem_of(self.merge, self.expected, status, said), (faults, said))
        self.assertEqual([], list(self.merge.scratch.iterdir()), faults)

    def test_they_lose_their_name_at_once(self):
        self.check()

    def test_a_merge_does_without_those_that_cannot_be_read(self):
        last = len(self.merge.sites("calls", named=1, call="pread", how=errno.EIO)) - 1
        self.check(call="pread", how=errno.EIO, at=last)

    def test_a_merge_does_without_those_that_cannot_be_created(self):
        faults = {"call": "mkstemp", "how": errno.EACCES}
        groups = len(self.merge.sites("calls", named=1, **faults))
        self.assertEqual(4, groups)
        for at in range(groups):
            self.check(**faults, at=at)
        self.check(**faults, at=0, onwards=1)


for a_name in common.PIPELINES:
    method = f"test_{a_name.replace('-', '_')}"
    setattr(Calls, method, lambda self, name=a_name: self.fail_each(name))
    setattr(Odd, method, lambda self, name=a_name: self.be_odd(name))


if __name__ == "__main__":
    common.main()
