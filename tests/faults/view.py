#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The viewer in a terminal: whatever fails, it ends, says why, and leaves the terminal as it was."""
import errno
import os
import re
import select
import signal
import subprocess
import termios
import time
import unittest

import common
from calls import ERRORS
from lib.terminal import open_terminal
from record import some

PATIENCE = 20  # seconds
# How libraries end the program without memory: the C library, which runs no handler, and ncurses, which looks at no result
# before it changes the terminal.
OF_LIBRARIES = re.compile("cannot allocate memory for thread-local data|^brazier: error: segmentation fault\r\n$")
KEYS = b"jkl/parse\nt\x1bq"


class View(unittest.TestCase):
    def setUp(self):
        self.place = common.Place(common.Pipeline("view one.folded", {"one.folded": common.FOLDED}, []))
        self.addCleanup(self.place.remove)
        self.sites = self.place.top / "sites"

    def run_in_terminal(self, library, keys=KEYS, **faults):
        """Returns the status, what the terminal got, and whether its modes are those of before."""
        ours, its = open_terminal()
        before = termios.tcgetattr(its)
        environment = {**self.place.environment, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8",
                       "LD_PRELOAD": str(common.LIBRARIES / f"{library}.so"),
                       **{f"FAULT_{name.upper()}": str(value) for name, value in faults.items()}}
        p = subprocess.Popen(self.place.command, cwd=self.place.dir, env=environment, stdin=its, stdout=its, stderr=its,
                             start_new_session=True)
        shown, deadline, typed = b"", time.monotonic() + PATIENCE, 0
        while p.poll() is None and time.monotonic() < deadline:
            if select.select([ours], [], [], 0.005 if b"main" in shown or typed > 0 else 0.2)[0]:
                shown += os.read(ours, 1 << 16)
            else:
                os.write(ours, keys[typed:typed + 1] or b"\nq"[typed % 2:][:1])
                typed += 1
        ended = p.poll() is not None
        if not ended:
            p.kill()
            p.wait()
        while select.select([ours], [], [], 0)[0]:
            shown += os.read(ours, 1 << 16)
        same = termios.tcgetattr(its) == before
        os.close(ours)
        os.close(its)
        return p.returncode if ended else "does not end", shown.decode(errors="replace"), same

    def check(self, library, tries, good=(0, 1, 2)):
        bad = []
        for faults in tries:
            status, shown, same = self.run_in_terminal(library, **faults)
            if library == "allocation" and OF_LIBRARIES.search(shown):
                continue
            problem = (f"status {status}" if status not in good else
                       "the terminal is not restored" if not same else
                       "no message" if status in (1, 2) and not re.search("error:|: Out of memory", shown) else  # the latter: ncurses
                       f"left behind {self.place.left_over()}" if self.place.left_over() else None)
            if problem is not None:
                bad.append(f"{faults}: {problem}: {shown[-200:]!r}")
                self.place.remove_left_over()
        self.assertEqual([], bad[:20], f"{len(bad)} of {len(tries)}")

    def calls(self, library, **faults):
        """Returns the first call of each stack of callers in a run without faults."""
        self.sites.unlink(missing_ok=True)
        status, shown, same = self.run_in_terminal(library, sites=self.sites, **faults)
        self.assertEqual((0, True), (status, same), shown)
        sites = common.array.array("Q", self.sites.read_bytes())
        if common.IS_EXHAUSTIVE:
            return range(len(sites))
        first = {}
        for at, site in enumerate(sites):
            first.setdefault(site, at)
        return some(sorted(first.values()))

    def test_it_shows_and_ends(self):
        for keys in (KEYS, b"q"):
            status, shown, same = self.run_in_terminal("calls", keys)
            self.assertEqual((0, True), (status, same), shown)
            self.assertIn("parse", shown)

    def test_interrupted_calls(self):
        for odd in ({"interrupt": 1}, {"short": 1}):
            status, shown, same = self.run_in_terminal("calls", **odd)
            self.assertEqual((0, True), (status, same), (odd, shown))
            self.assertIn("parse", shown)

    def test_each_allocation_fails(self):
        calls = self.calls("allocation")
        self.check("allocation", [{"at": at} for at in calls] + [{"at": at, "onwards": 1} for at in calls[::2]])

    def test_it_is_asked_to_end(self):
        calls = self.calls("calls", call="*", how="TERM")
        self.check("calls", [{"call": "*", "how": "TERM", "at": at} for at in calls],
                   good=(0, 128 + signal.SIGTERM, -signal.SIGTERM))


def call_test(call, error):
    def test(self):
        calls = self.calls("calls", call=call, how=error)
        self.check("calls", [{"call": call, "how": error, "at": at, **more}
                             for more, calls in (({}, calls), ({"onwards": 1}, calls[::2])) for at in calls])
    return test


for a_call, an_error in ERRORS.items():
    setattr(View, f"test_each_{a_call}_fails", call_test(a_call, an_error))


if __name__ == "__main__":
    common.main()
