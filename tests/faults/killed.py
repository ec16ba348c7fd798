#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A run that is killed leaves each output as it was, or complete; the next run removes what it left of
temporary files. A run that is asked to end leaves none.

Each run is killed at each call. It is asked to end at every fourth one, or at each if BRAZIER_EXHAUSTIVE=1 is in the
environment."""
import random
import signal
import subprocess
import time

import common

# Calls between which what is on the disk changes, and those that a run may wait in.
CALLS = "open,read,write,flock,fchmod,fsync,close,rename,poll,fork"
SEED = 20240229


class Killed(common.Case):
    def end_by(self, name, how, check):
        place = self.place(name)
        expected = place.expect()
        step = 1 if common.IS_EXHAUSTIVE or how == "KILL" else 4
        for at in range(0, len(place.sites("calls", call=CALLS, how=how)), step):
            status, said = place.run("calls", call=CALLS, how=how, at=at)
            with self.subTest(at=at, how=how):
                self.assertTrue(common.are_whole(place.outputs(), place.old(), expected[0]), said)
                check(place, status, said)
        status, said = place.run(None)
        self.assertEqual((0, expected[0]), (status, place.outputs()), said)
        self.assertEqual([], place.left_over())

    def kill(self, name):
        left = []

        def check(place, status, said):
            self.assertIn(status, (0, 1, -signal.SIGKILL), said)  # 1: a process of isolation's
            left.extend(place.left_over())
        self.end_by(name, "KILL", check)
        self.assertIn(f".{common.PIPELINES[name].outputs[0]}.brazier-1", left)

    def ask_to_end(self, name):
        def check(place, status, said):
            self.assertIn(status, (0, 128 + signal.SIGTERM), said)
            self.assertEqual([], place.left_over())
        self.end_by(name, "TERM", check)

    def test_at_random_moments(self):
        dice = random.Random(SEED)
        place = self.place("config")
        start = time.monotonic()
        expected = place.expect()
        duration = time.monotonic() - start
        for _ in range(100 if common.IS_EXHAUSTIVE else 30):
            place.prepare()
            p = subprocess.Popen(place.command, cwd=place.dir, env=place.environment,
                                 stderr=subprocess.DEVNULL)
            time.sleep(dice.random() * duration)
            p.kill()
            p.wait()
            self.assertTrue(common.are_whole(place.outputs(), place.old(), expected[0]))
        self.assertEqual((0, ""), place.run(None))
        self.assertEqual([], place.left_over())


for a_name in ("config", "palette-map", "isolate", "gzip", "diff", "folded-pprof"):
    method = a_name.replace("-", "_")
    setattr(Killed, f"test_at_each_call_of_{method}", lambda self, name=a_name: self.kill(name))
    setattr(Killed, f"test_asked_to_end_at_each_call_of_{method}",
            lambda self, name=a_name: self.ask_to_end(name))


if __name__ == "__main__":
    common.main()
