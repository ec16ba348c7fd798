#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Recordings whose calls fail end with a message, and leave an earlier output and an earlier recording as they were."""
import errno
import re
import unittest

import common
from calls import ERRORS

CALLS = {**ERRORS, "perf_event_open": errno.EACCES, "signalfd": errno.EMFILE, "exec": errno.ENOENT, "ioctl": errno.EINVAL}
WORDS = "record -q -e cpu-clock:u -F 5000 -g fp -o out.folded --save saved -- sh burn.sh"
FOLDED = re.compile(rb"(?:[^\n]+ \d+\n)+")
MAGIC = b"PERFILE2"
SAMPLE = None if common.IS_EXHAUSTIVE else 3  # of the calls of each kind


# What libraries do if they get no memory: the C library ends the program, and libdw does not notice.
OF_LIBRARIES = ("cannot allocate memory for thread-local data", "segmentation fault in plug-in perf-data")


def some(calls):
    """Returns a sample, without randomness: the first calls and the last ones, and others in equal distances."""
    calls = list(calls)
    if SAMPLE is None or len(calls) <= SAMPLE:
        return calls
    return sorted({calls[i * (len(calls) - 1) // (SAMPLE - 1)] for i in range(SAMPLE)})


@unittest.skipIf(common.CANNOT_RECORD, common.CANNOT_RECORD)
class Recording(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.place = common.Place(common.Pipeline(WORDS, {"burn.sh": common.BURN}, ["out.folded", "saved"]))
        self.addCleanup(self.place.remove)

    def problem(self, status, said):
        """Says what is wrong with a recording in which something failed, or None."""
        found = self.place.outputs()
        whole = {"out.folded": FOLDED.fullmatch(found["out.folded"]), "saved": found["saved"][:8] == MAGIC}
        old = {name: content == common.OLD for name, content in found.items()}
        if self.place.left_over():
            return f"left behind {self.place.left_over()}"
        if status == 0:
            return None if all(whole.values()) else "status 0 without the outputs"
        if not all(whole[name] or old[name] for name in found):
            return "half an output"
        if any(words in said for words in OF_LIBRARIES):
            return None
        if status not in (1, 127):  # 127: the command cannot be started, as in a shell
            return f"status {status}"
        return None if "error: " in said else "no message"

    def fail_each(self, library, tries):
        bad = []
        for faults in tries:
            status, said = self.place.run(library, **faults)
            problem = self.problem(status, said)
            if problem is not None:
                bad.append(f"{faults}: {problem}: {said.strip()[-300:]}")
                self.place.remove_left_over()
        self.assertEqual([], bad[:20], f"{len(bad)} of {len(tries)}")

    def test_it_records(self):
        for library in "calls", "allocation":
            self.assertEqual((0, ""), self.place.run(library))
            self.assertIsNone(self.problem(0, ""))

    def test_interrupted_calls(self):
        for odd in ({"interrupt": 1}, {"short": 1}, {"short": 1, "interrupt": 1}):
            status, said = self.place.run("calls", **odd)
            self.assertEqual((0, "", None), (status, said, self.problem(status, said)), odd)

    def test_each_allocation_fails(self):
        _, alone, onwards = self.place.calls_to_fail("allocation")
        self.fail_each("allocation", [{"at": at} for at in some(alone)] + [{"at": at, "onwards": 1} for at in some(onwards)])


def call_test(call, error):
    def test(self):
        total, alone, onwards = self.place.calls_to_fail("calls", call=call, how=error)
        if call in ("perf_event_open", "mmap", "fork", "exec", "write", "fsync", "rename"):
            self.assertGreater(total, 0)
        self.fail_each("calls", [{"call": call, "how": error, "at": at, **more}
                                 for more, calls in (({}, alone), ({"onwards": 1}, onwards)) for at in some(calls)])
    return test


for a_call, an_error in CALLS.items():
    setattr(Recording, f"test_each_{a_call}_fails", call_test(a_call, an_error))


@unittest.skipIf(common.CANNOT_RECORD, common.CANNOT_RECORD)
class Continuous(unittest.TestCase):
    """Recordings of one interval after the other, which take as long as their intervals: so only some calls fail."""

    def run_with(self, **faults):
        """Returns the status, the messages, and the files of the intervals."""
        place = common.Place(common.continuous(self))
        self.addCleanup(place.remove)
        status, said = place.run("calls", **faults)
        files = {p.name: p.read_bytes() for p in place.dir.glob("h-*.folded")}
        left = [name for name in place.left_over() if name not in files]
        self.assertEqual([], left, (faults, said))
        for name, content in files.items():
            self.assertRegex(content, FOLDED, (faults, name))
        return status, said, files

    def test_interrupted_calls(self):
        both = {"interrupt": 1, "short": 1}
        for odd in ({"interrupt": 1}, {"short": 1}) if common.IS_EXHAUSTIVE else (both,):
            for _ in range(5):
                status, said, files = self.run_with(**odd)
                if "hardly ran" not in said:  # an interval without samples, on a machine that does other work
                    break
            self.assertEqual((0, ""), (status, said), odd)
            self.assertNotEqual({}, files)

    def test_failing_calls(self):
        tries = [{"call": "rename", "how": errno.EXDEV, "at": 0, "onwards": 1}]
        if common.IS_EXHAUSTIVE:
            tries += [{"call": "fork", "how": errno.EAGAIN, "at": 1}]
            tries += [{"call": call, "how": CALLS[call], "at": 0, **more}
                      for call in ("fork", "perf_event_open", "rename", "fsync", "mkstemp") for more in ({}, {"onwards": 1})]
        for faults in tries:
            status, said, files = self.run_with(**faults)
            with self.subTest(**faults):
                self.assertIn(status, (0, 1), said)
                self.assertTrue(status == 0 or "error: " in said, said)
                self.assertTrue(status == 1 or files, said)


if __name__ == "__main__":
    common.main()
