#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests outputs: several in one pass, each written completely or not at all."""
import fcntl
import json
import os
import re
import shutil
import signal
import stat
import subprocess
import termios
import time
import unittest

import common
from common import PERF, PERF_STACKS, STACKS, THREADS_PERF

ENDLESS = "/dev/zero"
STRACE = shutil.which("strace")


class Outputs(common.Case):
    # ---- choosing ----

    def test_an_svg_on_standard_output_is_what_nothing_asked_for_gives(self):
        self.write("p.txt", PERF)
        self.assertTrue(self.good("run", "p.txt").out.startswith("<?xml"))
        self.assertTrue(self.good("flamegraph", stdin=STACKS).out.startswith("<?xml"))

    def test_a_title_says_what_is_known_of_the_recording(self):
        def title(to, *options, **facts):
            profile = {**facts, "sample_count": 3, "root_frame": {"function": "a", "time": 3, "children": []}}
            made = self.good("run", "-", "--from", "pyinstrument", "-t", to, "-o", "-", *options, stdin=json.dumps(profile)).out
            return re.search(r'<text id="title"[^>]*>([^<]*)|<title>([^<]*)', made).group(1 if to == "svg" else 2)
        for to in ("svg", "html"):
            self.assertEqual("Flame Graph", title(to))
            self.assertEqual("app.py: time", title(to, program="app.py"))
            self.assertEqual("Mine", title(to, "--title", "Mine", program="app.py"))
            self.assertEqual("a?b?c&lt;d: time", title(to, program="a\u202eb\nc<d"))
            long = title(to, program="x" * 5000)
            self.assertTrue(len(long) < 200 and ("\u2026" in long or ".." in long), long)
        for name, expected in (("pprof/cpu.pb", "cpu.pb: cpu, 3 s, 28 samples"), ("heaptrack/crlf.txt", "./demo --size 5: allocations, 20 ms"),
                               ("perf-data/big-endian-pipe.data", "perf record ./app: cpu-clock on box")):
            made = self.good("-q", "run", common.SOURCE / "tests/golden/collapse" / name, "-t", "svg", "-o", "-").out
            self.assertEqual(expected, re.search(r'<text id="title"[^>]*>([^<]*)', made).group(1))

    def test_a_title_names_the_file_and_the_number_of_samples(self):
        def title(*words, stdin=None):
            return re.search(r'<text id="title"[^>]*>([^<]*)', self.good(*words, "-o", "-", stdin=stdin).out).group(1)
        self.write("folder/a\u202e<b>.folded", STACKS)
        self.write("one.folded", "main;f 1\n")
        self.write("two.folded", "main;f 1\nmain;g 4\n")
        self.assertEqual("a?&lt;b&gt;.folded: 95 samples", title("run", "folder/a\u202e<b>.folded"))
        self.assertEqual("one.folded: 1 sample", title("run", "one.folded"))
        self.assertEqual("one.folded → two.folded: 5 samples", title("diff", "one.folded", "two.folded", "-t", "svg"))
        for words in (["run", "one.folded", "two.folded"], ["run", "one.folded", "--no-compact"]):
            self.assertEqual("Flame Graph", title(*words))
        self.assertEqual("Flame Graph", title("run", "-", stdin="main;f 1\n"))
        self.assertEqual("Mine", title("run", "one.folded", "--title", "Mine"))

    def test_an_unknown_background_is_an_error(self):
        for name in ("nosuch", "#12345", "#12345g"):
            r = self.fails(2, "flamegraph", f"--bgcolors={name}", "-o", "a.svg", stdin=STACKS)
            self.assertIn(f"yellow, blue, green, grey or #rrggbb, not '{name}'", r.err)
        self.assertEqual([], self.files())

    def test_it_just_works(self):
        self.write("perf.txt", PERF)
        r = self.good("run", "perf.txt", "-o", "flame.svg")
        self.assertEqual("", r.out)
        self.assertIn("\nmalloc", self.read("flame.svg"))
        self.assertEqual(["flame.svg", "perf.txt"], self.files())

    def test_a_real_recording_just_works(self):
        self.good("run", common.DEMO, "--no-compact", "-o", "flame.svg")
        self.assertGreater(self.read("flame.svg").count("<title>"), 500)

    def test_a_files_ending_chooses_the_format(self):
        for name, start in (("a.svg", "<?xml"), ("a.folded", "main;emit 10"), ("a.txt", "main;emit"),
                            ("a.json", '{"name"'), ("a.speedscope.json", '{"$schema"'),
                            ("a.speedscope", '{"$schema"'), ("b.c.svg", "<?xml")):
            self.good("run", "-o", name, stdin=STACKS)
            self.assertTrue(self.read(name).startswith(start), name)

    def unpacked(self, name):
        program = "gzip" if name.endswith(".gz") else "zstd"
        return subprocess.run([program, "-dc", self.dir / name], capture_output=True, check=True).stdout

    def test_a_second_ending_compresses_the_file(self):
        for name in ("a.svg", "a.folded", "a.txt", "a.json", "a.speedscope.json", "a.html", "a.b.folded"):
            self.good("run", "-o", name, "-o", f"{name}.gz", "-o", f"{name}.zst", stdin=STACKS)
            for packed in (f"{name}.gz", f"{name}.zst"):
                self.assertEqual((self.dir / name).read_bytes(), self.unpacked(packed), packed)

    def test_compressed_files_have_no_time_and_no_name(self):
        self.good("run", "-o", "a.folded.gz", "-o", "b.folded.gz", stdin=STACKS)
        first = (self.dir / "a.folded.gz").read_bytes()
        self.assertEqual(b"\x1f\x8b\x08\0\0\0\0\0", first[:8])
        self.assertEqual(first, (self.dir / "b.folded.gz").read_bytes())

    def test_formats_that_are_compressed_are_not_compressed_twice(self):
        names = ["a.pprof", "a.pb.gz", "a.pprof.gz"]
        self.good("run", *(w for n in names for w in ("-o", n)), stdin=STACKS)
        self.assertEqual(1, len({(self.dir / n).read_bytes() for n in names}))

    def test_commands_with_a_usual_format_compress_it(self):
        self.write("a.folded", STACKS)
        for command in (["merge", "a.folded"], ["collapse", "folded", "a.folded"],
                        ["run", "a.folded", "--to", "folded"]):
            for name in ("all.gz", "all.zst", "all.folded.gz", "all.unknown.zst"):
                self.good(*command, "-o", name)
                self.assertEqual(STACKS.encode(), self.unpacked(name), name)

    def test_an_unknown_ending_in_front_of_the_second_one_is_an_error(self):
        r = self.fails(2, "run", "-o", "a.nosuch.gz", stdin=STACKS)
        self.assertIn("no output writes files with that ending", r.err)
        self.assertEqual([], self.files())

    def test_a_failed_run_leaves_no_compressed_file(self):
        self.write("old.folded.gz", "earlier")
        self.write("p.txt", PERF)
        for name in ("old.folded.gz", "new.folded.zst"):
            self.fails(1, "run", "p.txt", "--keep", "nothing", "-o", name)
        self.assertEqual("earlier", self.read("old.folded.gz"))
        self.assertEqual(["old.folded.gz", "p.txt"], self.files())

    def test_a_compressed_file_is_read_back(self):
        self.good("run", "-o", "a.folded.gz", "-o", "b.folded.zst", stdin=STACKS)
        want = self.good("merge", "a.folded.gz").out
        self.assertEqual(STACKS, want)
        self.assertEqual(want, self.good("merge", "b.folded.zst").out)

    def test_files_of_tags_are_compressed(self):
        self.write("p.txt", PERF)
        self.good("run", "p.txt", "--split-by", "thread", "-o", "x-{thread}.folded.gz")
        [name] = [f for f in self.files() if f.startswith("x-")]
        self.assertEqual(PERF_STACKS.encode(), self.unpacked(name))

    def test_to_wins_over_the_ending(self):
        self.good("run", "-o", "x.svg", "--to", "folded", stdin=STACKS)
        self.assertEqual(STACKS, self.read("x.svg"))
        self.assertEqual(STACKS, self.good("run", "--to=folded", "-o", "-", stdin=STACKS).out)

    def test_collapse_and_flamegraph_know_what_to_write_to_any_file(self):
        self.good("collapse", "folded", "-o", "stacks", stdin=STACKS)
        self.assertEqual(STACKS, self.read("stacks"))
        self.good("flamegraph", "-o", "picture", stdin=STACKS)
        self.assertTrue(self.read("picture").startswith("<?xml"))
        self.good("collapse", "folded", "-o", "x.json", stdin=STACKS)
        self.assertEqual("root", json.loads(self.read("x.json"))["name"])

    def test_options_of_the_output_that_an_ending_chooses(self):
        self.good("flamegraph", "-o", "x.json", "--root=everything", stdin=STACKS)
        self.assertEqual("everything", json.loads(self.read("x.json"))["name"])

    def test_several_outputs_in_one_pass_are_as_each_alone(self):
        names = ["a.svg", "a.folded", "a.json", "a.speedscope.json"]
        self.good("run", *(w for n in names for w in ("-o", n)), stdin=PERF)
        for name in names:
            self.good("run", "-o", "alone-" + name, stdin=PERF)
            self.assertEqual(self.read(name), self.read("alone-" + name))

    def test_one_of_them_may_be_standard_output(self):
        r = self.good("run", "-o", "a.svg", "-o", "-", "--to", "folded", stdin=PERF)
        self.assertEqual(PERF_STACKS, r.out)

    @unittest.skipUnless(STRACE, "strace is not installed")
    def test_system_calls_grow_with_the_number_of_outputs(self):
        """Tests that no output is compared with all others, which resolves their paths again and again."""
        self.write("a.folded", STACKS)
        counts = []
        for n in (20, 80, 320):
            outputs = [word for i in range(n) for word in ("-o", f"x{i}.folded")]
            words = self.command(["run", "a.folded", *outputs])
            env = self.environment()
            env["ASAN_OPTIONS"] = env.get("ASAN_OPTIONS", "") + ":detect_leaks=0"  # which cannot be traced
            done = subprocess.run([STRACE, "-f", "-o", "trace", *words], capture_output=True, cwd=self.dir, env=env)
            self.assertEqual(0, done.returncode, done.stderr)
            counts.append(len(self.read("trace").splitlines()))
        few, some, many = counts
        self.assertLess(many - some, 5 * (some - few), counts)

    # ---- inputs ----

    def test_a_merge_may_replace_one_of_its_inputs(self):
        self.write("a.folded", STACKS)
        self.write("b.folded", STACKS)
        self.good("merge", "a.folded", "b.folded", "-o", "a.folded")
        self.assertEqual(["main;emit 20", "main;emit;write 40", "main;parse;lex 50",
                          "main;parse;read 80"], self.read("a.folded").splitlines())
        self.good("merge", "a.folded", "-o", "sum.pb.gz")
        self.good("merge", "sum.pb.gz", "b.folded", "-o", "sum.pb.gz")
        self.assertIn("main;emit 30\n", self.good("run", "sum.pb.gz", "-t", "folded").out)

    def refuses(self, *args, **more):
        """The program must refuse to replace an input, and leave all files as they are."""
        before = {name: self.read(name) for name in self.files()}
        r = self.fails(2, *args, **more)
        self.assertRegex(r.err, "would be (both an input and|replaced by)")
        self.assertEqual((before, ""), ({name: self.read(name) for name in self.files()}, r.out))

    def test_an_output_does_not_replace_an_input(self):
        self.write("a.folded", STACKS)
        self.write("b.folded", STACKS)
        for output in (["-t", "svg"], ["-t", "folded"], ["-o", "x.svg", "-t", "json"]):
            self.refuses("run", "a.folded", "-o", "a.folded", *output)
        self.refuses("collapse", "folded", "a.folded", "-o", "a.folded")
        self.refuses("flamegraph", "b.folded", "a.folded", "-o", "./a.folded")
        self.refuses("diff", "a.folded", "b.folded", "-o", "b.folded")
        self.refuses("diff", "a.folded", "--before", "0s..1s", "--after", "1s..2s", "-o", "a.folded")
        self.refuses("run", "a.folded", "-o", "x.svg", "--palette-map", "a.folded")

    def test_an_output_does_not_replace_an_input_by_another_name(self):
        path = self.write("a.folded", STACKS)
        os.link(path, self.dir / "hard")
        os.symlink("a.folded", self.dir / "soft")
        for name in ("hard", "soft"):
            self.refuses("run", "a.folded", "-o", name, "-t", "folded")
            self.refuses("run", name, "-o", "a.folded", "-t", "folded")

    def redirected(self, *args, mode, **more):
        with open(self.dir / "a.folded", mode) as file:
            return subprocess.run(self.command(args), cwd=self.dir, env=self.environment(), text=True,
                                  stderr=subprocess.PIPE, **{**more, "stdout" if mode == "a" else "stdin": file})

    def test_an_output_does_not_replace_a_redirected_input(self):
        self.write("a.folded", STACKS)
        for args, mode in ((["run", "-", "-o", "a.folded", "-t", "svg"], "r"),
                           (["run", "/dev/stdin", "-o", "a.folded", "-t", "svg"], "r"),
                           (["run", "a.folded", "-t", "folded"], "a"),
                           (["merge", "a.folded", "-o", "/dev/stdout"], "a"),
                           (["--as", "inferno-flamegraph", "a.folded"], "a")):
            r = self.redirected(*args, mode=mode)
            self.assertEqual(2, r.returncode, r)
            self.assertIn("would be both an input and an output: it is the same file as", r.stderr)
            self.assertEqual((STACKS, ["a.folded"]), (self.read("a.folded"), self.files()))

    def test_a_merge_does_not_replace_an_input_by_a_format_that_is_not_read(self):
        self.write("a.folded", STACKS)
        self.refuses("merge", "a.folded", "-o", "a.folded", "-t", "term")
        self.refuses("merge", "a.folded", "-o", "a.folded", "-t", "table")

    def test_a_merge_does_not_replace_its_list_of_inputs(self):
        self.write("a.folded", STACKS)
        self.write("list", "a.folded\n")
        self.refuses("merge", "--files-from", "list", "-o", "list")

    def named(self):
        """Writes a file for each option of a component that takes a file, and a configuration."""
        self.write("perf.txt", THREADS_PERF)
        self.write("attributes", "main\thref=x\n")
        self.write("symbols", "0 t main\n")
        self.write("c.yaml", "pipelines:\n  p: {collapse: guess, outputs: [{use: svg, to: attributes, "
                             "options: {nameattr: attributes}}]}\n")
        self.write(".brazier.yaml", "version: 1\n")
        for name in ("hard.svg", "x-node-1421.svg"):
            os.link(self.dir / "attributes", self.dir / name)

    def test_an_output_does_not_replace_a_file_that_is_read_besides(self):
        self.named()
        recording = common.SOURCE / "tests/golden/collapse/perf-data/threads.data"
        for words in (["perf.txt", "--nameattr", "attributes", "-o", "attributes", "-t", "svg"],
                      ["perf.txt", "--nameattr=./attributes", "-o", "hard.svg"],
                      ["perf.txt", "--nameattr=attributes", "-o", "x.svg", "--palette-map", "attributes"],
                      ["--config=c.yaml", "perf.txt", "-o", "c.yaml", "-t", "svg"],
                      ["--config=c.yaml", "p", "perf.txt"],
                      ["perf.txt", "-o", ".brazier.yaml", "-t", "svg"],
                      [recording, "-f", "perf-data", "--kallsyms", "symbols", "-o", "symbols", "-t", "svg"],
                      [recording, "--kallsyms", "symbols", "-o", "symbols", "-t", "svg"],
                      [recording, "--set", "perf-data.kallsyms=symbols", "-o", "symbols", "-t", "svg"],
                      ["perf.txt", "--split-by", "process", "-o", "x-{process}.svg", "--nameattr", "attributes"]):
            with self.subTest(words):
                before = {name: self.read(name) for name in self.files()}
                r = self.fails(2, "run", *map(str, words))
                self.assertRegex(r.err, "(would be both|refused: it is) (a configuration of the run|the file of the option '(nameattr|kallsyms)')")
                self.assertEqual((before, ""), ({name: self.read(name) for name in self.files()}, r.out))

    def test_files_of_tags_do_not_replace_an_input(self):
        self.write("x-node-1421.folded", THREADS_PERF)
        r = self.fails(2, "run", "x-node-1421.folded", "-f", "perf", "--split-by", "process", "-o", "x-{process}.folded")
        self.assertIn("x-node-1421.folded: refused: it is an input", r.err)
        self.assertEqual(THREADS_PERF, self.read("x-node-1421.folded"))
        os.link(self.dir / "x-node-1421.folded", self.dir / "other")
        self.fails(2, "run", "other", "-f", "perf", "--split-by", "process", "-o", "x-{process}.folded")
        self.assertEqual(THREADS_PERF, self.read("x-node-1421.folded"))

    # ---- files ----

    def test_a_file_is_replaced_and_keeps_its_mode(self):
        path = self.write("x.svg", "before")
        path.chmod(0o640)
        self.good("run", "-o", "x.svg", stdin=STACKS)
        self.assertEqual(0o640, stat.S_IMODE(path.stat().st_mode))
        self.assertTrue(path.read_text().startswith("<?xml"))

    def test_a_new_files_mode_is_as_the_umask_says(self):
        self.good("run", "-o", "x.svg", stdin=STACKS, umask=0o027)
        self.assertEqual(0o640, stat.S_IMODE((self.dir / "x.svg").stat().st_mode))

    def test_a_link_stays_a_link(self):
        target = self.write("there/target.svg", "before")
        (self.dir / "x.svg").symlink_to("there/target.svg")
        self.good("run", "-o", "x.svg", stdin=STACKS)
        self.assertTrue((self.dir / "x.svg").is_symlink())
        self.assertTrue(target.read_text().startswith("<?xml"))
        self.assertEqual(["there/target.svg", "x.svg"], self.files())

    def test_a_folder_that_is_not_there_is_an_error(self):
        self.assertIn("no/x.svg", self.fails(1, "run", "-o", "no/x.svg", stdin=STACKS).err)

    def test_a_folder_is_no_output(self):
        (self.dir / "x.svg").mkdir()
        self.assertIn("x.svg", self.fails(1, "run", "-o", "x.svg", stdin=STACKS).err)

    def test_devices_are_written_to_directly(self):
        self.good("run", "--to", "svg", "-o", "/dev/null", stdin=STACKS)
        self.assertEqual(STACKS, self.good("run", "--to", "folded", "-o", "/dev/stdout",
                                           stdin=STACKS).out)

    def test_names_of_open_files_are_these_files(self):
        """Tests that the text before and after the output in the same file stays."""
        self.write("in.folded", STACKS)
        run = '"$0" run in.folded -t folded -o'
        for name in ("-", "/dev/stdout", "/dev/fd/1"):
            for script in (f"(echo above; {run} {name}; echo below) > all",
                           f"echo above > all; {run} {name} >> all; echo below >> all"):
                r = self.in_shell(script)
                self.assertEqual("", r.err)
                self.assertEqual("above\n" + STACKS + "below\n", self.read("all"), script)
        self.in_shell(f"(echo above; {run} /dev/fd/7) 7>&1 > /dev/null 7> all")
        self.assertEqual(STACKS, self.read("all"))
        r = self.in_shell(f"{run} /dev/stderr")
        self.assertEqual((0, STACKS), (r.code, r.err))
        r = self.in_shell(f"{run} /dev/fd/77")
        self.assertEqual((1, "brazier: error: /dev/fd/77: cannot be opened: Bad file descriptor\n"),
                         (r.code, r.err))

    def test_two_names_of_one_file_are_two_outputs_to_it(self):
        (self.dir / "link.svg").symlink_to("a.svg")
        (self.dir / "here").symlink_to(".")
        self.write("there.svg", "earlier picture")
        (self.dir / "linked.svg").symlink_to("there.svg")
        for a, b in (("a.svg", "./a.svg"), ("a.svg", "link.svg"), ("a.svg", "here/a.svg"),
                     ("there.svg", "linked.svg"), ("a.svg", self.dir / "a.svg")):
            for first, second in ((a, b), (b, a)):
                r = self.fails(2, "run", "-o", first, "-o", second, stdin=STACKS)
                self.assertIn(f"two outputs to {second}", r.err)
        r = self.fails(2, "run", "-t", "folded", "-o", "-", "-o", "/dev/stdout", stdin=STACKS)
        self.assertIn("two outputs to", r.err)
        self.assertIn("the palette map", self.fails(2, "run", "-o", "a.svg", "--palette-map",
                                                    "./a.svg", stdin=STACKS).err)
        self.assertEqual("earlier picture", self.read("there.svg"))
        os.link(self.dir / "there.svg", self.dir / "hard.svg")
        self.good("run", "-o", "there.svg", "-o", "hard.svg", stdin=STACKS)

    def test_an_output_without_a_name(self):
        r = self.fails(2, "run", "-o", "", stdin=STACKS)
        self.assertIn("an output has the name of a file", r.err)

    def test_nothing_else_stays_behind(self):
        for i in range(3):
            self.good("run", "-o", "x.svg", "-o", "x.folded", stdin=STACKS)
        self.assertEqual(["x.folded", "x.svg"], self.files())

    # ---- whole or not at all ----

    def assert_kept(self, code, *args, **more):
        """Tests that a run that fails leaves earlier outputs as they were."""
        self.write("x.svg", "earlier picture")
        self.write("x.folded", "earlier stacks")
        before = self.files()
        r = self.fails(code, *args, "-o", "x.svg", "-o", "x.folded", **more)
        self.assertEqual(("earlier picture", "earlier stacks"),
                         (self.read("x.svg"), self.read("x.folded")))
        self.assertEqual(before, self.files())
        return r

    def test_a_run_without_samples_keeps_the_earlier_output(self):
        self.assert_kept(1, "run", stdin="")
        self.assert_kept(1, "run", "--from", "perf", stdin="#\n")
        self.assertIn("left no samples", self.assert_kept(1, "run", "--drop", ".",
                                                          stdin=STACKS).err)

    def test_a_run_that_is_not_possible_keeps_the_earlier_output(self):
        self.assert_kept(2, "run", "-o", "x.unknown", stdin=STACKS)
        self.assert_kept(1, "run", "-o", "no/such/folder.svg", stdin=STACKS)
        self.assert_kept(1, "run", "--weight", "apples", stdin=STACKS)
        self.assert_kept(2, "run", "--set", "svg.width=wide", stdin=STACKS)

    def test_a_full_disk_keeps_the_earlier_output_of_the_others(self):
        r = self.assert_kept(1, "run", "--to", "svg", "-o", "/dev/full", stdin=STACKS)
        self.assertIn("/dev/full", r.err)
        self.assertIn("No space left", r.err)

    def test_a_full_disk_behind_standard_output_is_an_error(self):
        with open("/dev/full", "wb") as full:
            for args in (["run"], ["collapse", "folded"], ["flamegraph"]):
                p = subprocess.run(self.command(args), input=STACKS.encode(), stdout=full,
                                   stderr=subprocess.PIPE, env=self.environment())
                self.assertEqual(1, p.returncode)
                self.assertIn(b"error: stdout", p.stderr)
            for args in (["--help"], ["plugin", "list"], ["config", "schema"], ["--version"]):
                p = subprocess.run(self.command(args), stdout=full, stderr=subprocess.PIPE,
                                   env=self.environment())
                self.assertEqual(1, p.returncode, args)
                reason = b"" if args == ["config", "schema"] else b": No space left on device"  # it is longer than a buffer
                self.assertEqual(b"brazier: error: stdout: cannot be written" + reason + b"\n", p.stderr, args)

    @unittest.skipIf("thread" in common.SANITIZED, "its runtime has large files, too")
    def test_a_file_that_grows_too_large_is_removed(self):
        many = "".join(f"main;f{i:06} {i + 1}\n" for i in range(20000))
        limited = ["bash", "-c", 'ulimit -f 8; trap "" XFSZ; exec "$0" "$@"']
        self.write("x.folded", "earlier")
        p = subprocess.run([*limited, *self.command(["run", "-o", "x.folded"])],
                           input=many.encode(), capture_output=True, cwd=self.dir,
                           env=self.environment())
        self.assertEqual(1, p.returncode, p.stderr)
        self.assertIn(b"x.folded: cannot be written: File too large", p.stderr)
        self.assertEqual(["x.folded"], self.files())
        self.assertEqual("earlier", self.read("x.folded"))

    def test_a_reader_that_went_away_is_an_error_not_a_death(self):
        many = "".join(f"main;f{i:06} {i + 1}\n" for i in range(20000))
        r, w = os.pipe()
        os.close(r)
        self.write("x.svg", "earlier picture")
        p = subprocess.run(self.command(["run", "--to=folded", "-o", "x.svg", "-o", "-"]),
                           input=many.encode(), stdout=w, stderr=subprocess.PIPE, cwd=self.dir,
                           env=self.environment())
        os.close(w)
        self.assertEqual(1, p.returncode)
        self.assertIn(b"stdout: cannot be written: its reader has closed it", p.stderr)
        self.assertEqual("earlier picture", self.read("x.svg"))
        self.assertEqual(["x.svg"], self.files())

    def test_an_output_never_takes_the_place_of_a_closed_stream(self):
        """Tests closed standard streams: the first file that is opened must not take their place.
        """
        self.write("in.folded", STACKS)
        for closed in ("<&-", ">&-", "<&- >&-", "<&- >&- 2>&-", "<&- 2>&-"):
            self.in_shell(f'exec "$0" -vv run in.folded -f folded -o x.folded --drop lex {closed}')
            self.assertEqual(STACKS.replace("main;parse;lex 25\n", ""), self.read("x.folded"), closed)
            os.unlink(self.dir / "x.folded")
        r = self.in_shell('exec "$0" run in.folded -t folded -o - -o x.folded >&-')
        self.assertEqual(1, r.code, r)
        self.assertIn("stdout: cannot be written: Bad file descriptor", r.err)
        self.assertEqual(["in.folded"], self.files())

    # ---- interrupted ----

    def interrupted(self, sig, *args):
        """Returns the status of a run that receives a signal while it waits for input."""
        p = self.start("run", *args)
        p.stdin.write((STACKS * 20_000).encode())  # more than a pipe holds: the run is reading
        p.stdin.flush()
        p.send_signal(sig)
        try:
            p.stdin.write(STACKS.encode() * 1000)
            p.stdin.close()
        except BrokenPipeError:
            pass
        p.stdin = None
        out, _ = p.communicate(timeout=60)
        self.assertEqual(b"", out)
        return p.returncode

    def test_a_run_that_is_interrupted_keeps_the_earlier_output(self):
        for sig in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            self.write("x.svg", "earlier picture")
            self.assertEqual(128 + sig, self.interrupted(sig, "-o", "x.svg", "-o", "x.folded"))
            self.assertEqual("earlier picture", self.read("x.svg"))
            self.assertEqual(["x.svg"], self.files())

    def stuck_on_fifo(self, *args):
        """Starts a run whose second output is a full pipe, so that its first one is being written.
        """
        fifo = self.dir / "fifo"
        os.mkfifo(fifo)
        p = self.start("run", "--to=folded", "-o", "x.folded", "-o", "fifo", *args)
        many = "".join(f"main;f{i:06}{'x' * 100} {i + 1}\n" for i in range(20000))
        reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
        p.stdin.write(many.encode())
        p.stdin.close()
        p.stdin = None
        before = 0
        for _ in range(600):  # until something is in it, and no more comes
            time.sleep(0.1)
            waiting = int.from_bytes(fcntl.ioctl(reader, termios.FIONREAD, b"\0\0\0\0"), "little")
            if waiting == before > 0:
                return p, reader
            before = waiting
        self.fail(f"the pipe does not fill: {p.poll()}")

    def test_a_run_that_is_killed_while_it_writes_keeps_the_earlier_output(self):
        self.write("x.folded", "earlier")
        p, reader = self.stuck_on_fifo()
        p.kill()
        p.communicate(timeout=60)
        os.close(reader)
        self.assertEqual("earlier", self.read("x.folded"))

    def test_a_run_that_is_interrupted_while_it_writes_leaves_nothing_behind(self):
        self.write("x.folded", "earlier")
        p, reader = self.stuck_on_fifo()
        p.send_signal(signal.SIGTERM)
        time.sleep(0.2)
        os.close(reader)
        p.communicate(timeout=60)
        self.assertNotEqual(0, p.returncode)
        self.assertEqual("earlier", self.read("x.folded"))
        self.assertEqual(["x.folded"], self.files())


if __name__ == "__main__":
    common.main()
