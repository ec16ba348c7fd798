#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests that labels, details of frames and metadata of pprof's profiles reach the outputs.

usage: pprof.py PLUGIN [TEST...]
"""
import pathlib
import sys

PLUGIN = pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "cli"))
import common  # noqa: E402

GOLDEN = common.SOURCE / "tests/golden/collapse/pprof"


class Pprof(common.Case):
    def lines(self, name, to, word, *more):
        text = self.good("--plugin", PLUGIN, "run", GOLDEN / name, "-t", to, *more).out
        return [line for line in text.splitlines() if line.split(" ")[0] == word]

    def test_labels_become_tags(self):
        for more in ([], ["--isolate"]):
            samples = self.lines("labels.pprof", "everything-tagged", "sample", *more)
            self.assertEqual(["[,tid=17,size#4096/bytes,user=alice]", "[,pid=1,thread=worker,user=bob]",
                              "[,empty#0,user=alice]"],
                             list(dict.fromkeys(line.split(" ")[1] for line in samples)))

    def test_facts_become_metadata(self):
        self.assertEqual(["meta start 1700000000000000000", "meta duration 3000000000",
                          "meta period 10000000", "meta period-name cpu",
                          "meta period-unit nanoseconds", "meta comment a comment",
                          "meta drop_frames runtime\\..*"],
                         self.lines("cpu.pb", "everything", "meta"))

    def test_the_default_type_is_shown_and_memory_in_use_is_a_gauge(self):
        self.assertEqual(["weight alloc_objects count 0 0", "weight alloc_space bytes 0 0",
                          "weight inuse_objects count 0 2", "weight inuse_space bytes 0 3 shown"],
                         self.lines("heap.pb.gz", "everything", "weight"))

    def test_frames_have_all_details(self):
        stacks = "\n".join(self.lines("cpu.pb", "everything", "stack"))
        self.assertIn("memcpy{|module:/usr/bin/app|file:memcpy.c|system:memcpy|build:abcdef0123456789|"
                      "line:41|first:40|flags:1|address:4194320} 12 120000000", stacks)
        self.assertIn("[kernel.kallsyms]{|module:[kernel.kallsyms]|kind:3|", stacks)


if __name__ == "__main__":
    common.main()
