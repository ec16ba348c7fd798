#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests brazier format new: drafts of formats for texts of many shapes, and adding them to configurations."""
import unittest

import common
from common import PLUGINS

CI = """2026-11-30T01:00:00.120Z runner-3 INFO  pipeline started (commit 81ab23f)
2026-11-30T01:00:00.450Z runner-3 INFO  step checkout finished in 1.8s
2026-11-30T01:00:02.250Z runner-3 INFO  step build/deps/restore finished in 14.2s
2026-11-30T01:00:16.450Z runner-3 WARN  cache miss for key node-20-abc
2026-11-30T01:00:16.900Z runner-3 INFO  step build/compile/core finished in 61s
2026-11-30T01:02:09.700Z runner-3 INFO  step test/unit finished in 1m35s
2026-11-30T01:03:44.700Z runner-3 INFO  step test/e2e finished in 230.4s
"""
TRACER = """-- trace buffer dump, tick = 1 us --
[      102] main task: > app_main
[      105] main task:   > init_clock
[      140] main task:   < init_clock
[      205] idle: > wfi
[      300] idle: < wfi
[      341] main task: < app_main
"""
ENGINE = """Frame,Thread,Scope,Calls,SelfMs,TotalMs
1,Main,GameLoop,1,0.412,16.633
1,Main,GameLoop/Update,1,1.204,7.911
1,Main,"GameLoop/Render, main",1,8.310,8.310
1,Worker0,JobQueue/Skinning,14,3.000,3.000
2,Main,GameLoop/Update,1,1.311,8.012
"""
MEMORY = """Memory report 2026-11-30 01:22:10 (build 4711)

812.5 MB (100.0%) process
  512.0 MB (63.0%) gpu
    300.5 MB (37.0%) textures
    211.5 MB (26.0%) buffers
  300.5 MB (37.0%) heap
    220.0 MB (27.1%) scripts
     80.5 MB ( 9.9%) audio
"""
COLLECTOR = """[0.004s][info][gc] Using G1
[0.123s][info][gc] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 24M->4M(256M) 3.456ms
[0.323s][info][gc] GC(1) Pause Young (Normal) (G1 Evacuation Pause) 150M->20M(256M) 5.120ms
[0.544s][info][gc] GC(3) Pause Remark 20M->20M(256M) 1.250ms
[0.551s][info][gc] GC(3) Concurrent Mark Cycle 27.200ms
"""
DRAFTS = {
    "folded": ("main;a;b 10\nmain;c 5\nmain;d 6\n", "main;a;b 10\nmain;c 5\nmain;d 6\n"),
    "log": ("12:00:01 [x] handle > parse > lex 12ms\n12:00:02 [x] handle > write 3ms\n12:00:03 [y] handle > read 7ms\n",
            "handle;parse;lex 12\nhandle;read 7\nhandle;write 3\n"),
    "dump": ("Thread 12 (sleeping)\n    at foo (a.c:12)\n    at main (a.c:33)\n\nThread 13 (run)\n    at bar (a.c:1)\n"
             "    at main (a.c:33)\n", "main;bar 1\nmain;foo 1\n"),
    "counted": ("10 samples\n  foo\n  main\n20 samples\n  bar\n  main\n", "main;bar 20\nmain;foo 10\n"),
    "words": ("2026-03-01T12:00:00 INFO [a] up\n2026-03-01T12:00:01 TRACE [a] request=1 path=main>parse>lex took 12.5 ms\n"
              "2026-03-01T12:00:02 TRACE [b] request=2 path=main>write took 3 ms\n", "main;parse;lex 12.5\nmain;write 3\n"),
    "columns": ("count,stack\n12,main/parse\n3,main/write\n", "main;parse 12\nmain;write 3\n"),
    "tree": ("Total: 12.5s\n|- configure   2.5s\n|  `- detect   1.0s\n`- compile    10.0s\n   \u2514\u2500 a.c  4.0s\n",
             "Total;compile 6\nTotal;compile;a.c 4\nTotal;configure 1.5\nTotal;configure;detect 1\n"),
    "heads": ("=== stacks ===\n\n[thread 7 main]\n  at read (io.c:12)\n  at main (m.c:3)\n\n=== stacks ===\n\n[thread 18 w]\n"
              "  at wait (c.c:8)\n  at run (w.c:1)\n", "main;read 1\nrun;wait 1\n"),
    "sizes": ("Site #1: 4096 bytes, 12 objects\n    a.c:10 make\n    m.c:5 main\nSite #2: 512 bytes, 1 object\n    a.c:10 make\n",
              "main;make 4096\nmake 512\n"),
    "gdb": ("Thread A\n#0 foo (a.c:3)\n#1 main\n\nThread B\n#0 bar\n#1 main\n", "main;bar 1\nmain;foo 1\n"),
    # Logs that brazier does not know.
    "ci": (CI, "build;compile;core 61\nbuild;deps;restore 14.2\ncheckout 1.8\ntest;e2e 230.4\ntest;unit 95\n"),
    "tracer": (TRACER, "app_main 204000000000\napp_main;init_clock 35000000000\nwfi 95000000000\n"),
    "engine": (ENGINE, "GameLoop 0.412\nGameLoop;Render, main 8.31\nGameLoop;Update 2.515\nJobQueue;Skinning 3\n"),
    "memory": (MEMORY, "process;gpu;buffers 211.5\nprocess;gpu;textures 300.5\nprocess;heap;audio 80.5\n"
                       "process;heap;scripts 220\n"),
    "collector": (COLLECTOR, "Concurrent Mark Cycle 27.2\nPause Remark 1.25\nPause Young (Normal) 8.576\n"),
    # Rows with a number in front: in brackets, or to the right of others.
    "brackets": ("[12.5ms] compile\n  [3.1ms] parse\n  [8.0ms] generate\n    [2.5ms] emit\n[1.2s] link\n  [700ms] relocate\n",
                 "compile 1.4\ncompile;generate 5.5\ncompile;generate;emit 2.5\ncompile;parse 3.1\nlink 500\nlink;relocate 700\n"),
    "right": ("1,500 main\n  900   parse\n   40     lex\n  600   write\n", "main;parse 860\nmain;parse;lex 40\nmain;write 600\n"),
    "own": ("main 1\n  parse 5\n    lex 7\n  write 3\n", "main 1\nmain;parse 5\nmain;parse;lex 7\nmain;write 3\n"),
    "two-depths": ("[2ms] a\n  [1ms] b\n  [1ms] c\n[5ms] d\n  [3ms] b\n", "a;b 1\na;c 1\nd 2\nd;b 3\n"),
    # Rows with a number at the end, below headings, or after brackets.
    "tests": ("=== RUN   TestA\n--- PASS: TestA (0.52s)\n    --- PASS: TestA/sub1 (0.30s)\n    --- PASS: TestA/sub2 (0.20s)\n"
              "        --- PASS: TestA/sub2/deep (0.10s)\n--- FAIL: TestB (1.40s)\n    --- PASS: TestB/x (0.30s)\n",
              "--- FAIL: TestB 1.1\n--- FAIL: TestB;--- PASS: TestB/x 0.3\n--- PASS: TestA 0.02\n--- PASS: TestA;--- PASS: TestA/sub1 0.3\n"
              "--- PASS: TestA;--- PASS: TestA/sub2 0.1\n--- PASS: TestA;--- PASS: TestA/sub2;--- PASS: TestA/sub2/deep 0.1\n"),
    "headings": ("LOG from Compiler\n    make hook: 1532.1 ms\n    finish: 0.5 ms\nLOG from Compilation\n    seal: 120.2 ms\n",
                 "LOG from Compilation;seal 120.2\nLOG from Compiler;finish 0.5\nLOG from Compiler;make hook 1532.1\n"),
    "after-brackets": ("[main] sync: 150 ms\n[main]   fetch: 120 ms\n[main]     dns: 20 ms\n[main]     tls: 60 ms\n[main]   store: 30 ms\n"
                       "[bg] sweep: 15 ms\n[bg]   scan: 10 ms\n",
                       "sweep 5\nsweep;scan 10\nsync;fetch 40\nsync;fetch;dns 20\nsync;fetch;tls 60\nsync;store 30\n"),
    "flat": ("parse: 12 ms\nlex: 3 ms\nparse: 8 ms\n", "lex 3\nparse 20\n"),
    # Stacks between blank lines, and above or below their count.
    "paragraphs": ("foo (a.c:12)\nbar (a.c:20)\nmain (a.c:33)\n\nbaz (a.c:1)\nmain (a.c:33)\n\nfoo (a.c:12)\nmain (a.c:40)\n",
                   "main;bar;foo 1\nmain;baz 1\nmain;foo 1\n"),
    "root-first": ("main\nparse\nlex\n\nmain\nwrite\n", "main;parse;lex 1\nmain;write 1\n"),
    "all-indented": ("  foo\n  main\n\n  bar\n  main\n", "main;bar 1\nmain;foo 1\n"),
    "counts-above": ("10\nfoo\nbar\nmain\n\n3\nbaz\nmain\n", "main;bar;foo 10\nmain;baz 3\n"),
    "counts-below": ("foo\nmain\n  12 samples\n\nbar\nmain\n  3 samples\n", "main;bar 3\nmain;foo 12\n"),
    "weights-in-heads": ("sample 1: weight 10\nfoo\nmain\n\nsample 2: weight 3\nbaz\nmain\n", "main;baz 3\nmain;foo 10\n"),
}
# Profiles of several threads, and their stacks by thread.
THREADS = {
    "rows": ("Thread main (1 samples)\nmain 120\n  parse 40\n    lex 10\n  write 20\nThread worker-1 (2 samples)\nrun 200\n  wait 150\n"
             "  take 5\n",
             "main;main 60\nmain;main;parse 30\nmain;main;parse;lex 10\nmain;main;write 20\nworker-1;run 45\nworker-1;run;take 5\n"
             "worker-1;run;wait 150\n"),
    "calls": ("1.000 [T1] enter main\n1.001 [T2] enter work\n1.005 [T1] enter parse\n1.010 [T1] leave parse\n1.020 [T2] leave work\n"
              "1.030 [T1] leave main\n", "T1;main 25000000\nT1;main;parse 5000000\nT2;work 19000000\n"),
    "bars": ("00:00:01.234 | T3 | --> sensor\n00:00:01.236 | T3 |   --> read\n00:00:01.240 | T4 | --> idle\n"
             "00:00:01.250 | T3 |   <-- read\n00:00:01.260 | T3 | <-- sensor\n00:00:01.290 | T4 | <-- idle\n",
             "T3;sensor 12000000\nT3;sensor;read 14000000\nT4;idle 50000000\n"),
    "lines": ("tid=12 main;parse;lex 12\ntid=13 main;write 3\ntid=12 main;parse 7\n",
              "12;main;parse 7\n12;main;parse;lex 12\n13;main;write 3\n"),
    "log": ("12:00:01 [x] handle > parse 12ms\n12:00:02 [y] handle > read 7ms\n", "x;handle;parse 12\ny;handle;read 7\n"),
    "blocks": ("Thread worker-1\n  read (a.c:1)\n  run (a.c:2)\n\nThread worker-2\n  wait (a.c:3)\n  run (a.c:2)\n",
               "worker-1;run;read 1\nworker-2;run;wait 1\n"),
}


@unittest.skipUnless(all((PLUGINS / f"collapse-{name}.so").exists() for name in ("lines", "blocks", "indented", "calls")),
                     "not built")
class FormatNew(common.Case):
    def draft(self, text):
        """Drafts a format for a text, as new.yaml, and returns the result."""
        self.write("in.log", text)
        r = self.brazier("format", "new", "mine", "in.log")
        self.assertEqual(0, r.code, r)
        self.assertIn("note: a first guess", r.err)
        self.write("new.yaml", r.out)
        return r

    # ---- drafts ----

    def test_a_draft_folds_the_file(self):
        for name, (text, folded) in DRAFTS.items():
            with self.subTest(name):
                self.draft(text)
                r = self.brazier("--config", "new.yaml", "collapse", "mine", "in.log")
                self.assertEqual((0, folded), (r.code, r.out), self.read("new.yaml"))
                self.assertEqual("new.yaml: good\n", self.good("config", "check", "new.yaml").out.split("\n")[0] + "\n")

    def test_a_draft_passes_its_check(self):
        for name, (text, _) in {**DRAFTS, **THREADS}.items():
            with self.subTest(name):
                self.draft(text)
                r = self.brazier("--config", "new.yaml", "format", "check", "mine", "in.log")
                self.assertEqual(0, r.code, (r, self.read("new.yaml")))

    def test_a_draft_keeps_threads_apart(self):
        for name, (text, folded) in THREADS.items():
            with self.subTest(name):
                self.draft(text)
                r = self.good("--config", "new.yaml", "collapse", "mine", "in.log", "--group-by", "thread")
                self.assertEqual(folded, r.out, self.read("new.yaml"))

    def test_a_draft_leaves_out_what_is_no_sample(self):
        for name, roles in (("words", "S.*I"), ("columns", "S.*I"), ("heads", "B.*F.*E.*I"), ("ci", "S.*I"), ("engine", "S.*I")):
            self.draft(DRAFTS[name][0])
            tried = self.good("format", "try", "in.log", "-f", "new.yaml").out
            self.assertRegex(tried.split("\nLines: ")[1].replace("\n", " "), rf"^\d+   {roles}")
            self.assertNotIn("fit nothing", tried)

    def test_lines_that_fit_nothing_are_counted(self):
        r = self.draft(MEMORY)
        self.assertIn("note: 1 of the first 8 lines fit nothing: brazier format try in.log marks them with '?'\n", r.err)
        self.assertNotIn("fit nothing", self.draft("a;b 1\na;c 2\n").err)

    def test_units_of_rows_are_converted(self):
        self.draft("a > b 12ms\na > c 2s\na > d 5us\na > b 3ms\n")
        self.assertEqual("a;b 15\na;c 2000\na;d 0.005\n", self.good("--config", "new.yaml", "collapse", "mine", "in.log").out)

    def test_bytes_that_are_not_utf_8_are_in_no_example(self):
        self.draft("é;ü 3\nmain;d 6\n")
        self.assertIn("é;ü 3", self.read("new.yaml"))
        (self.dir / "in.log").write_bytes(b"main;a\xff;b 10\nmain;caf\xe9 5\nmain;d 6\n")
        r = self.brazier("format", "new", "mine", "in.log")
        self.write("new.yaml", r.out)
        self.assertIn("folded: |2\n          main;d 6\n", r.out)
        self.assertIn("new.yaml: good\n", self.good("config", "check", "new.yaml").out)
        self.assertEqual(3, len(self.good("--config", "new.yaml", "collapse", "mine", "in.log").out.splitlines()))
        (self.dir / "in.log").write_bytes(b"caf\xe9;a 10\ncaf\xe9;b 5\n")
        r = self.brazier("format", "new", "mine", "in.log")
        self.write("new.yaml", r.out)
        self.assertNotIn("examples", r.out)
        self.assertIn("new.yaml: good\n", self.brazier("config", "check", "new.yaml").out)

    def test_what_heads_have_in_common_may_end_within_a_character(self):
        (self.dir / "in.log").write_bytes("Fädenä 1\n  a\n  main\nFädenö 2\n  b\n  main\n".encode())
        r = self.brazier("format", "new", "mine", "in.log")
        self.write("new.yaml", r.out)
        self.assertIn("new.yaml: good\n", self.good("config", "check", "new.yaml").out)

    # ---- adding to a configuration ----

    def test_a_draft_is_added_to_a_configuration(self):
        self.write("in.log", "a;b 1\na;c 2\n")
        for before, after in (
                (None, "formats:\n  mine:\n    use: lines\n"),
                ("palettes: {p: {use: hot}}", "palettes: {p: {use: hot}}\nformats:\n  mine:\n    use: lines\n"),
                ("formats:\n", "formats:\n  mine:\n    use: lines\n"),
                ("# ours\nformats:  # all\n    # the first one\n    other:\n        use: perf\npalettes: {}\n",
                 "# ours\nformats:  # all\n    mine:\n      use: lines\n")):
            with self.subTest(before):
                (self.dir / "f.yaml").unlink(missing_ok=True)
                if before is not None:
                    self.write("f.yaml", before)
                r = self.brazier("format", "new", "mine", "in.log", "-f", "f.yaml")
                self.assertEqual((0, ""), (r.code, r.out), r)
                self.assertIn("see the role of each line: brazier format try in.log -f f.yaml --format mine\n", r.err)
                self.assertTrue(self.read("f.yaml").startswith(after), self.read("f.yaml"))
                self.assertIn("f.yaml: good\n", self.brazier("config", "check", "f.yaml").out)
                self.assertEqual("a;b 1\na;c 2\n", self.good("--config", "f.yaml", "collapse", "mine", "in.log").out)
                self.assertIn("Stacks: 2\n", self.good("format", "try", "in.log", "-f", "f.yaml", "--format", "mine").out)
        self.assertTrue(self.read("f.yaml").endswith("    # the first one\n    other:\n        use: perf\npalettes: {}\n"))

    def test_adding_keeps_what_is_there(self):
        self.write("in.log", "a;b 1\na;c 2\n")
        for text, message in (("formats:\n  mine: {use: perf}\n", "f.yaml:2:3: error: the format 'mine' exists already\n"),
                              ("formats: {other: {use: perf}}\n",
                               "f.yaml:1:1: error: a format can be added only below 'formats:', with its name on a line\n"),
                              ("formats: [\n", "f.yaml:2:1: error: "), ("[1]\n", "f.yaml:1:1: error: no configuration: a map is needed\n")):
            self.write("f.yaml", text)
            self.assertIn(message, self.fails(1, "format", "new", "mine", "in.log", "-f", "f.yaml").err)
            self.assertEqual(text, self.read("f.yaml"))
        self.assertIn("cannot write 'none/f.yaml'", self.fails(1, "format", "new", "mine", "in.log", "-f", "none/f.yaml").err)

    # ---- refusals ----

    def test_a_text_of_no_format_leads_to_a_draft(self):
        self.write("in.log", DRAFTS["words"][0])
        for command in ("run", "guess", "format try"):
            r = self.brazier(*command.split(), "in.log")
            option = "--format" if command == "format try" else "--from"
            self.assertIn(f"in no format that brazier knows; {option} FORMAT names one (brazier plugin list shows them), and "
                          "brazier format new drafts one for a text", r.err)

    def test_a_text_without_a_shape_is_refused(self):
        for text in ("lorem ipsum dolor\nsit amet\nconsectetur\n",
                     "2026-11-30 10:00:01 LOG:  duration: 12.345 ms  statement: SELECT a WHERE id = 12\n"
                     "2026-11-30 10:00:02 LOG:  duration: 0.345 ms  statement: SELECT b WHERE id = 13\n",
                     "This is a text.\nIt has paragraphs.\n\nThey are no stacks.\nNothing occurs twice.\n"):
            self.write("in.log", text)
            r = self.fails(1, "format", "new", "mine", "in.log")
            self.assertEqual("", r.out)
            self.assertIn("in.log: no shape was found", r.err)

    def test_words_that_it_cannot_use_are_refused(self):
        self.write("empty", "")
        self.write("binary", bytes(range(32)) * 40)
        for code, message, args in ((1, "empty: the input is empty", ["mine", "empty"]), (1, "binary: is binary", ["mine", "binary"]),
                                    (2, "the name of a format is 1 to 32 of a-z", ["Mine", "empty"]),
                                    (2, "which name, and which file?", ["mine"]),
                                    (2, "one FILE is enough, 'c' is too many", ["mine", "empty", "c"]),
                                    (2, "no option '--x'", ["mine", "empty", "--x"])):
            self.assertIn(message, self.fails(code, "format", "new", *args).err)


if __name__ == "__main__":
    common.main()
