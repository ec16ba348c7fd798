#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests collapsers of blocks of lines: <brazier/block_format.h>, by a collapser for Java's thread
dumps that consists of two functions.

usage: block_format.py
"""
import random
import re
import shutil

from common import BRAZIER, EFFORT, HERE, PLUGINS, Case, compile_plugin, main

HEADING = """2026-11-22 05:01:43
Full thread dump OpenJDK 64-Bit Server VM (17.0.15+6 mixed mode, sharing):

Threads class SMR info:
_java_thread_list=0x00007f71d8009080, length=15, elements={
0x00007f725c017f10, 0x00007f725c0c2fb0
}

"""

DUMP = HEADING + """"main" #1 prio=5 cpu=1704.16ms tid=0x00007f725c017f10 nid=0x6d3a runnable  [0x0]
   java.lang.Thread.State: RUNNABLE
\tat Sample.alpha(Sample.java:5)
\t- locked <0x00000000fe9002e8> (a java.lang.Object)
\tat Sample.main(app@1.0/Sample.java:16)

"Signal Dispatcher" #4 daemon prio=9 tid=0x00007f725c0cbdf0 nid=0x6d43 waiting on condition  [0x0]
   java.lang.Thread.State: RUNNABLE

"Finalizer" #3 daemon prio=8 tid=0x00007f725c0c4390 nid=0x6d42 in Object.wait()  [0x00007f7261a09000]
   java.lang.Thread.State: WAITING (on object monitor)
\tat java.lang.Object.wait(java.base@17.0.15/Native Method)

"poller "7"" #9 prio=5 tid=0x00007f725c0c4391 nid=0x6d44 runnable  [0x0]
   java.lang.Thread.State: RUNNABLE
\tat sun.nio.ch.EPoll.epollWait(java.base@17.0.15/Native Method)

"worker; "2"" #10 prio=5 tid=0x00007f725c0c4392 nid=0x6d45 runnable  [0x0]
   java.lang.Thread.State: RUNNABLE
\tat Sample.alpha(Sample.java:5)

"VM Thread" os_prio=0 tid=0x00007f725c0c4393 nid=0x6d46 runnable

JNI global refs: 15, weak refs: 0

"""

FOLDED = "main;Sample.main;Sample.alpha 1\nworker: \"2\";Sample.alpha 1\n"


class BlockFormat(Case):

    def setUp(self):
        super().setUp()
        self.plugin = self.dir / "collapse-threads.so"
        compile_plugin(HERE / "jstack.c", self.plugin)

    def fold(self, text, *words):
        """Returns the folded result and the messages."""
        path = self.dir / "in.txt"
        path.write_bytes(text.encode())
        p = self.brazier("--no-config", "collapse", "threads", path, "--plugin", self.plugin, *words)
        self.assertEqual(0, p.returncode, p.stderr)
        return p.stdout, p.stderr

    def test_the_collapser_has_no_more_than_eighty_lines(self):
        licence, *lines = (HERE / "jstack.c").read_text().splitlines()
        self.assertIn("SPDX", licence)
        self.assertLessEqual(len(lines), 80)

    def test_runnable_threads_are_samples_below_their_names(self):
        self.assertEqual((FOLDED, ""), self.fold(DUMP))

    def test_several_dumps_add_up(self):
        self.assertEqual(re.sub(" 1\n", " 3\n", FOLDED), self.fold(3 * DUMP)[0])

    def test_lines_of_other_systems_and_a_last_line_without_an_end(self):
        self.assertEqual((FOLDED, ""), self.fold(DUMP.replace("\n", "\r\n")))
        cut = DUMP[:DUMP.index("\n\"VM Thread")].rstrip("\n")
        self.assertEqual((FOLDED, ""), self.fold(cut))

    def test_attributes_of_frames_are_kept(self):
        p = self.brazier("--no-config", "run", self.write("in.txt", DUMP), "--from", "threads", "--to",
                         "json", "--plugin", self.plugin)
        self.assertRegex(p.stdout, r'"name":"Sample.main"[^{]*"module":"app@1.0"')

    def test_an_odd_block_is_left_out_with_its_place(self):
        odd = '"" #1 prio=5 tid=0x1 nid=0x1 runnable\n   java.lang.Thread.State: RUNNABLE\n\n'
        out, said = self.fold(HEADING + odd + DUMP[len(HEADING):] + odd)
        self.assertEqual(FOLDED, out)
        self.assertIn("in.txt:9:1: warning: not a block of this format: left out", said)
        self.assertIn("and 1 more like this", said)

    def test_a_part_that_costs_no_sample_is_a_warning_alone(self):
        out, said = self.fold(DUMP.replace("alpha(Sample.java:5)", "alpha", 1))
        self.assertEqual(FOLDED, out)
        self.assertIn("in.txt:11:5: warning: a frame without its file", said)
        self.assertNotIn("left out", said)

    def test_how_the_input_is_divided_does_not_show(self):
        dice = random.Random(1)
        text = HEADING
        for n in range(2000):
            text += f'"t{dice.randint(0, 9)}" #{n} tid=0x{n:x} nid=0x1 x\n   java.lang.Thread.State: '
            text += dice.choice(["RUNNABLE", "RUNNABLE", "BLOCKED"]) + "\n"
            text += "".join(f"\tat {dice.choice('abcdefgh') * dice.choice([1, 40])}(X.java:1)\n"
                            for _ in range(dice.randint(0, 9))) + "\n"
            text += HEADING if n % 100 == 99 else ""
        want = self.fold(text)
        self.assertGreater(len(want[0].splitlines()), 1000)
        for words in (["--chunk-size", "64"], ["-j4", "--range-size", "1000"], ["-j1"]):
            self.assertEqual(want, self.fold(text, *words), words)
        p = self.brazier("--no-config", "collapse", "threads", "--plugin", self.plugin, "-j4",
                         "--range-size", "1000", stdin=text)
        self.assertEqual(want[0], p.stdout)

    def program_without(self, collapser):
        """Returns a copy of the program that has all shipped plug-ins but this collapser."""
        program, plugins = self.dir / "bin/brazier", self.dir / "lib/brazier" / PLUGINS.name
        for folder in (program.parent, plugins):
            folder.mkdir(parents=True)
        shutil.copy2(BRAZIER, program)
        for path in PLUGINS.glob("*.so"):
            if path.name != f"collapse-{collapser}.so":
                shutil.copy2(path, plugins)
        return program

    def test_it_is_recognised_by_blocks_that_are_all_its_own(self):
        program = self.program_without("jstack")
        odd = '"" #1 tid=0x1\n   java.lang.Thread.State: RUNNABLE\n'
        for text, score in [(DUMP, 70), (DUMP[len(HEADING):], 70), (HEADING, 0), (odd + DUMP, 0),
                            ("", 0)]:
            path = self.write("in.txt", text)
            p = self.brazier("guess", path, "--plugin", self.plugin, "-v", program=program)
            found = f"threads ({score})" in p.stdout + p.stderr
            self.assertEqual(score > 0, found, (text, p.stdout, p.stderr))

    def test_a_block_of_a_format_without_samples_is_reported(self):
        p = self.brazier("collapse", "threads", self.write("in.txt", HEADING), "--plugin", self.plugin)
        self.assertEqual((1, ""), (p.returncode, p.stdout))
        self.assertIn("no samples in it", p.stderr)

    def test_it_keeps_the_contract(self):
        samples = self.dir / "samples"
        self.write("samples/dump.txt", DUMP)
        self.write("samples/twice.txt", DUMP + DUMP[:900])
        words = ["plugin", "check", self.plugin, "--samples", samples, "--seed", "1", "--effort", EFFORT]
        p = self.brazier(*words, "--quiet", "--skip", "sniff/foreign", timeout=300)
        self.assertEqual(0, p.returncode, p.stdout + p.stderr)
        # It claims thread dumps, which the shipped jstack reads too, and no other format.
        p = self.brazier(*words, "--only", "sniff/foreign", timeout=300)
        self.assertEqual([("dumps.txt", "jstack")],
                         re.findall(r": (\S+) \((\S+)\) scores", p.stdout), p.stdout + p.stderr)


if __name__ == "__main__":
    main()
