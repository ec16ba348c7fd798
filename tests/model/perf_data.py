#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests that processes, threads, processors, times, details of frames and metadata of recordings of
perf reach the outputs.

usage: perf_data.py PLUGIN [TEST...]
"""
import pathlib
import sys
import unittest

PLUGIN = pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "cli"))
import common  # noqa: E402
from lib import perf_data  # noqa: E402
from lib.elf import Elf  # noqa: E402
from lib.perf_data import CPU, Event, IN_USER, Recording, USUAL  # noqa: E402

HAS_PERF_DATA = any(common.BRAZIER.resolve().parent.parent.glob("lib*/**/collapse-perf-data.so"))
ID = bytes(range(1, 21))


def recording():
    r = Recording(Event("cpu-clock:u", sample_type=USUAL | CPU), Event("faults", 1, 2, USUAL | CPU))
    r.comm(10, "app")
    r.fork(10, 10, tid=11, ptid=10)
    r.comm(10, "worker", tid=11)
    r.mmap2(10, 0x555555554000, 0x1000, "/srv/app", 0x1000, build_id=ID)
    for tid, cpu, time in ((10, 0, 1000), (11, 1, 3000), (11, 1, 2000), (10, 1, 4000)):
        r.sample(10, [IN_USER, 0x555555554110], tid=tid, cpu=cpu, time=time, period=time)
    r.describe(command=("perf", "record", "./app", "a b"))
    r.features[21] = r.pack("QQ", 1000, 4000)
    r.features[29] = r.pack("IIQQ", 1, 1, 1700000000000000000, 500)
    r.features[1] = b""
    return r


@unittest.skipUnless(HAS_PERF_DATA, "this build has no collapser perf-data")
class PerfData(common.Case):
    def lines(self, to, word, *more, layout="file"):
        e = Elf(build_id=ID)
        e.symbol("main", 0x100, 0x40)
        (self.dir / "root/srv").mkdir(parents=True, exist_ok=True)
        (self.dir / "root/srv/app").write_bytes(e.bytes())
        self.write("p.data", getattr(recording(), layout)())
        text = self.good("--quiet", "--plugin", PLUGIN, "run", "p.data", "-t", to, "--sysroot",
                         self.dir / "root", *more).out
        return [line for line in text.splitlines() if line.split(" ")[0] == word]

    def test_threads_and_processors_become_tags(self):
        for layout in ("file", "pipe"):
            for more in ([], ["--isolate"]):
                samples = self.lines("everything-tagged", "sample", *more, layout=layout)
                self.assertEqual({"[,pid=10,tid=10,cpu=0,process=app,thread=app]",
                                  "[,pid=10,tid=11,cpu=1,process=app,thread=worker]",
                                  "[,pid=10,tid=10,cpu=1,process=app,thread=app]"},
                                 {line.split(" ")[1] for line in samples})

    def test_samples_have_times_in_order(self):
        samples = self.lines("everything-timed", "sample")
        self.assertEqual(["1000", "2000", "3000", "4000"], [line.split(" ")[2] for line in samples])

    def test_tags_follow_the_name_of_the_process(self):
        r = Recording(Event("cpu-clock", sample_type=USUAL))
        r.comm(10, "old")
        r.fork(10, 10, tid=11, ptid=10)
        r.comm(10, "worker", tid=11)
        r.sample(10, [IN_USER, 0x1000], tid=11, time=10)
        r.comm(10, "new", time=11)
        r.sample(10, [IN_USER, 0x1000], tid=11, time=12)
        self.write("p.data", r.file())
        text = self.brazier("--plugin", PLUGIN, "run", "p.data", "-t", "everything-tagged").out
        self.assertEqual({"[,pid=10,tid=11,process=old,thread=worker]",
                          "[,pid=10,tid=11,process=new,thread=worker]"},
                         {line.split(" ")[1] for line in text.splitlines() if line.startswith("sample")})

    def test_facts_become_metadata(self):
        facts = self.lines("everything", "meta")
        for fact in ("start 1700000000000000000", "clock-start 500", "duration 3000", "host box",
                     "producer perf 6.1", "command perf record ./app a b", "architecture x86_64",
                     "os_release 6.18.0"):
            self.assertIn("meta " + fact, facts)

    def test_frames_have_all_details(self):
        stacks = "\n".join(self.lines("everything", "stack"))
        self.assertIn("main{", stacks)
        for detail in ("module:/srv/app", "build:" + ID.hex(), "kind:2", "address:4368"):
            self.assertIn(detail, stacks)

    def test_events_without_samples_are_no_weights(self):
        self.assertEqual(1, len(self.lines("everything", "weight")))


if __name__ == "__main__":
    common.main()
