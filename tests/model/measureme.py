#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests self-profiles of rustc: own times against measureme's rules, threads, times, kinds and metadata.

usage: measureme.py PLUGIN [TEST...]
"""
import pathlib
import random
import sys

PLUGIN = pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "cli"))
import common  # noqa: E402
from lib import measureme  # noqa: E402

GOLDEN = common.SOURCE / "tests/golden/collapse/measureme"


def nested(chance, p, thread, begin, end, depth):
    """Adds nested intervals to a profile, callees first."""
    at = begin
    while depth > 0 and chance.random() < 0.7:
        first = chance.randint(at, end)
        at = chance.randint(first, end)
        nested(chance, p, thread, first, at, depth - 1)
        p.interval(f"f{chance.randrange(5)}", first, at, thread, kind=f"kind{chance.randrange(3)}")


def random_profile(seed, version):
    chance = random.Random(seed)
    p = measureme.Profile(version=version, page=chance.choice((11, 64, 1000)))
    for thread in range(chance.randint(1, 4)):
        begin = chance.randint(0, 1 << 40)
        nested(chance, p, thread, begin, begin + chance.randint(0, 100000), 8)
    p.interval("last", 1 << 41, (1 << 41) + 5, 99)
    return p.file()


class Measureme(common.Case):
    def lines(self, name, to, word, *more):
        text = self.good("--plugin", PLUGIN, "run", GOLDEN / name, "-t", to, *more).out
        return [line for line in text.splitlines() if line.split(" ")[0] == word]

    def test_own_times_are_those_of_measureme(self):
        for seed in range(24):
            data = random_profile(seed, 8 + seed % 2)
            self.write("x.mm_profdata", data)
            self.assertEqual(measureme.folded(data).decode(),
                             self.good("collapse", "measureme", "x.mm_profdata").out, seed)

    def test_intervals_within_each_other_take_memory_for_1024_of_them(self):
        p = measureme.Profile()
        n = 20000
        for i in range(n):
            p.interval("a", n - i, n + 2 * i)
        self.write("deep.mm_profdata", p.file())
        r = self.brazier("collapse", "measureme", "deep.mm_profdata", "--max-memory", "400M")
        self.assertEqual(0, r.code, r.err)
        counts = [int(line.rsplit(" ", 1)[1]) for line in r.out.splitlines()]
        self.assertEqual(1024, len(counts))
        self.assertEqual(3 * (n - 1), sum(counts))
        self.assertEqual(1023, sum(count == 3 for count in counts))
        self.assertIn(f"intervals within 1024 others count for the innermost of these ({n - 1025})", r.err)

    def test_sums_do_not_depend_on_tags_and_times(self):
        for seed in range(6):
            self.write("x.mm_profdata", random_profile(seed, 9))
            plain = self.good("collapse", "measureme", "x.mm_profdata").out
            for more in (["--only", "thread=."], ["--time-range", "0..10000s"]):
                self.assertEqual(plain, self.good("collapse", "measureme", "x.mm_profdata", *more).out)

    def test_threads_and_processes_become_tags(self):
        for more in ([], ["--isolate"]):
            samples = self.lines("usual.mm_profdata", "everything-tagged", "sample", *more)
            self.assertEqual({"[,pid=4711,tid=1,process=demo]", "[,pid=4711,tid=7,process=demo]", "[]"},
                             {line.split(" ")[1] for line in samples})

    def test_periods_are_in_the_order_of_time(self):
        samples = [line.split(" ") for line in self.lines("usual.mm_profdata", "everything-timed", "sample")]
        times = [(int(words[2]), words[-1]) for words in samples if words[2] != "-"]
        self.assertEqual([(100, "time=200"), (300, "time=100"), (400, "time=20"), (420, "time=30"),
                          (450, "time=10"), (460, "time=40"), (500, "time=5"), (505, "time=5"),
                          (510, "time=50"), (560, "time=10"), (570, "time=30"), (600, "time=100"),
                          (700, "time=200"), (800, "time=200")], times)

    def test_kinds_of_events_are_modules(self):
        stacks = "\n".join(self.lines("usual.mm_profdata", "everything", "stack"))
        self.assertIn("type_of{|module:Query|kind:2}", stacks)
        self.assertIn("analysis{|module:GenericActivity|kind:2}", stacks)
        self.assertIn("rustc{|kind:1}", stacks)

    def test_facts_become_metadata(self):
        self.assertEqual(["meta start 1700000000000000000", "meta producer rustc -Z self-profile",
                          "meta command rustc --crate-name demo src/lib.rs", "meta counter wall-time"],
                         self.lines("usual.mm_profdata", "everything", "meta"))

    def test_a_command_that_is_no_json_is_read(self):
        self.assertIn("meta command rustc --crate-name x --cfg feature=\"it's\" \\u{1b}",
                      self.lines("old-description.mm_profdata", "everything", "meta"))

    def test_counters_other_than_time_have_no_times(self):
        self.assertEqual(["weight instructions:u count 0 1 shown"],
                         self.lines("counter.mm_profdata", "everything", "weight"))
        samples = self.lines("counter.mm_profdata", "everything-timed", "sample")
        self.assertEqual({"-"}, {line.split(" ")[2] for line in samples})

    def test_numbers_are_weights_of_their_own(self):
        self.assertEqual(["weight time nanoseconds 0 1 shown", "weight cache_hits count 0 0",
                          "weight artifact_size bytes 0 0"],
                         self.lines("usual.mm_profdata", "everything", "weight"))


if __name__ == "__main__":
    common.main()
