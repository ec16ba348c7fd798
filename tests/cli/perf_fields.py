# SPDX-License-Identifier: MIT
"""Tests text of `perf script -F FIELDS` with every combination of fields."""
import itertools
import unittest

import common

# The fields of an event line as perf prints them, in its order.
FIELDS = {
    "comm": lambda s: f"{s['comm']} ",
    "pid,tid": lambda s: f"{s['pid']:5}/{s['tid']:<5} ",
    "pid": lambda s: f"{s['pid']:5} ",
    "cpu": lambda s: f"[{s['cpu']:03}] ",
    "time": lambda s: f"{s['time']:12.6f}: ",
    "period": lambda s: f"{s['period']:10} ",
    "event": lambda s: f"{s['event']}: ",
}
SAMPLES = [
    {"comm": "my app", "pid": 4926, "tid": 4927, "cpu": 3, "time": 5412.758825, "period": 1001001,
     "event": "cpu-clock:u", "leaf": "alpha"},
    {"comm": "sh", "pid": 26533, "tid": 26533, "cpu": 12, "time": 5413.000001, "period": 9, "event": "cpu-clock:u",
     "leaf": "beta"},
    {"comm": "my app", "pid": 4926, "tid": 4926, "cpu": 0, "time": 5413.1, "period": 77, "event": "faults",
     "leaf": "gamma"},
]
COMBINATIONS = [fields for n in range(len(FIELDS) + 1) for fields in itertools.combinations(FIELDS, n)
                if not {"pid", "pid,tid"} <= set(fields)]


def text(fields):
    lines = ["".join(FIELDS[f](s) for f in fields) + f"\n\t{0x401000:16x} {s['leaf']} (/opt/app)\n"
             f"\t{0x401100:16x} main (/opt/app)\n\n" for s in SAMPLES]
    return "".join(line.lstrip("\n") for line in lines)


class PerfFields(common.Case):
    def folded(self, fields):
        sums = {}
        for s in SAMPLES:
            if "event" in fields and s["event"] != SAMPLES[0]["event"]:
                continue
            root = s["comm"].replace(" ", "_") if "comm" in fields else "[unknown]"
            stack = f"{root};main;{s['leaf']}"
            sums[stack] = sums.get(stack, 0) + (s["period"] if "period" in fields else 1)
        return "".join(sorted(f"{stack} {n}\n" for stack, n in sums.items()))

    def test_the_root_is_the_process_whatever_other_fields_there_are(self):
        for fields in COMBINATIONS:
            with self.subTest(fields=fields):
                self.write("p.txt", text(fields))
                self.assertEqual(self.folded(fields), self.brazier("collapse", "perf", "-q", "p.txt").out)

    def test_ids_are_those_of_the_text(self):
        for fields in COMBINATIONS:
            if not {"pid", "pid,tid"} & set(fields):
                continue
            with self.subTest(fields=fields):
                self.write("p.txt", text(fields))
                out = self.brazier("collapse", "perf", "-q", "--tid", "p.txt").out
                root = "my_app" if "comm" in fields else "[unknown]"
                ids = "4926/4927" if "pid,tid" in fields else "?/4926"
                self.assertIn(f"{root}-{ids};main;alpha ", out)


if __name__ == "__main__":
    unittest.main()
