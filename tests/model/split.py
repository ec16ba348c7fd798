#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests --split-by: a file for each process, thread, cpu or label.

usage: split.py PLUGIN [TEST...]
"""
import json
import os
import pathlib
import sys

PLUGIN = pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "cli"))
import common  # noqa: E402

LABELS = "weight n count 0 0\nsample url=/a - f 1\nsample url=/b - f 2\nsample - - g 4\n"
PROFILES = """weights: samples/samples/samples
about: start=1000000000 duration=5000000000
about: dump=one start=2000000000 clock-start=1000000000
about: dump=two start=3500000000
tag: dump=one cpu=1
f 1
tag: dump=two cpu=2
f 2
tag: cpu=1
g 4
"""
DESCRIBED = pathlib.Path(os.environ["BRAZIER_BUILD"]) / "tests/plugins/collapse-described.so"


class Split(common.Case):
    def take(self, pattern="f-*"):
        """Returns the texts of files by name, and removes the files."""
        found = {}
        for path in sorted(self.dir.glob(pattern)):
            found[path.name] = path.read_text()
            path.unlink()
        return found

    def split(self, part, *words, text=common.THREADS_PERF):
        """Returns the files of a run, which are the same in all ways to run."""
        self.write("in.txt", text)
        found = []
        for way in common.WAYS:
            r = self.brazier("--plugin", PLUGIN, "run", "in.txt", "--split-by", part, "-o", f"f-{{{part}}}.folded",
                             *words, *way)
            self.assertEqual((0, "", ""), (r.code, r.out, r.err), r)
            found.append(self.take())
            self.assertEqual(found[0], found[-1], way)
        return found[0]

    def test_each_thread_has_a_file(self):
        self.assertEqual({"f-node-1421.folded": "node;main 7\nnode;main;do_page_fault 10\n",
                          "f-worker-1422.folded": "worker;main;parse 5\n"}, self.split("thread"))

    def test_each_cpu_and_process_has_a_file(self):
        self.assertEqual({"f-1.folded": "node;main 7\nworker;main;parse 5\n",
                          "f-2.folded": "node;main;do_page_fault 10\n"}, self.split("cpu"))
        self.assertEqual(["f-node-1421.folded"], list(self.split("process")))

    def test_samples_without_the_label_have_a_file(self):
        self.assertEqual({"f-_a.folded": "f 1\n", "f-_b.folded": "f 2\n", "f-no-url.folded": "g 4\n"},
                         self.split("url", text=LABELS))

    def test_the_option_combines_with_others(self):
        self.assertEqual({"f-worker-1422.folded": "CPU 1;main;parse 5\n"},
                         self.split("thread", "--only", "thread=worker", "--group-by", "cpu", "--hide", "^worker$"))

    def test_each_output_has_its_files(self):
        self.write("in.txt", common.THREADS_PERF)
        r = self.brazier("run", "in.txt", "--split-by", "thread", "-o", "f-{thread}.folded", "-o", "f-{thread}.svg")
        self.assertEqual((0, ""), (r.code, r.err), r)
        files = self.take()
        self.assertEqual(4, len(files))
        self.assertIn("\nparse<", files["f-worker-1422.svg"])
        self.assertNotIn("\nparse", files["f-node-1421.svg"])

    def test_both_sides_of_a_comparison_are_split(self):
        self.write("a.txt", common.THREADS_PERF)
        self.write("b.txt", common.THREADS_PERF.replace(": 5 ", ": 50 "))
        r = self.brazier("diff", "a.txt", "b.txt", "--split-by", "thread", "-o", "f-{thread}.folded")
        self.assertEqual((0, ""), (r.code, r.err), r)
        self.assertEqual("worker;main;parse 5 50\n", self.take()["f-worker-1422.folded"])

    def starts(self, text, part, *words):
        """Returns the beginning of each file's profile in milliseconds, by file."""
        self.write("in.txt", text)
        found = []
        for way in common.WAYS:
            r = self.brazier("--plugin", DESCRIBED, "run", "in.txt", "--split-by", part, "-o", f"f-{{{part}}}.firefox",
                             *words, *way)
            self.assertEqual(0, r.code, r)
            found.append({name: json.loads(text)["meta"]["startTime"] for name, text in self.take().items()})
            self.assertEqual(found[0], found[-1], way)
        return found[0]

    def test_files_have_the_metadata_of_their_profile(self):
        words = ["--from", "described"]
        self.assertEqual({"f-one.firefox": 2000, "f-two.firefox": 3500, "f-no-dump.firefox": 1000},
                         self.starts(PROFILES, "dump", *words))
        self.assertEqual({"f-1.firefox": 1000, "f-2.firefox": 3500}, self.starts(PROFILES, "cpu", *words))
        self.assertEqual({"f-1.firefox": 2000}, self.starts(PROFILES, "cpu", *words, "--only", "dump=one"))

    def test_processes_of_firefox_begin_at_their_times(self):
        gecko = (common.SOURCE / "tests/golden/collapse/firefox/gecko.json").read_text()
        starts = self.starts(gecko, "process")
        self.assertEqual(1000, starts["f-1.firefox"])
        self.assertIn(1002.5, starts.values())

    def test_names_are_safe(self):
        names = ["../../etc/x", ".hidden", "-rf", "a b", "a-b", "a\x1bb", "\u202egnp", "\u00e9t\u00e9", "n" * 400,
                 "C:\\x", "a|b", "$(x)"]
        text = "weight n count 0 0\n" + "".join(f"sample url={n.replace(' ', chr(0xa0))} - f 1\n" for n in names)
        self.write("in.txt", text)
        r = self.brazier("--plugin", PLUGIN, "run", "in.txt", "--split-by", "url", "-o", "{url}.folded")
        self.assertEqual(0, r.code, r)
        expected = {"_._.._etc_x", "_hidden", "_rf", "a_b", "a_b~2", "a_b~3", "a-b", "_gnp", "\u00e9t\u00e9", "n" * 120,
                    "C__x", "__x_"}
        self.assertEqual({e + ".folded" for e in expected}, set(self.take("*.folded")))

    def test_too_many_values_are_an_error_without_files(self):
        self.write("in.txt", "weight n count 0 0\n" + "".join(f"sample url={i} - f 1\n" for i in range(1001)))
        words = ["--plugin", PLUGIN, "run", "in.txt", "--split-by", "url", "-o", "f-{url}.folded"]
        r = self.brazier(*words)
        self.assertEqual((1, "brazier: error: 'split-by: url' would write 1001 files, more than 1000; choose some "
                             "with 'only'\n"), (r.code, r.err), r)
        self.assertEqual({}, self.take())
        self.assertEqual(0, self.brazier(*words, "--only", "url=..").code)
        self.assertEqual(991, len(self.take()))

    def test_names_without_the_part_are_bad_usage(self):
        self.write("in.txt", common.THREADS_PERF)
        for words in (["-o", "x.svg"], [], ["-t", "folded"], ["-o", "{cpu}.svg"], ["-o", "{thread}", "-t", "folded"],
                      ["-o", "{thread}/x.svg"], ["-o", "-", "-t", "folded"]):
            r = self.brazier("run", "in.txt", "--split-by", "thread", *words)
            self.assertEqual((2, ""), (r.code, r.out), r)
            self.assertIn("'split-by' writes a file for each thread: ", r.err)
        for part in ("", "a/b"):
            r = self.brazier("run", "in.txt", "--split-by", part, "-o", f"{{{part}}}.svg")
            self.assertEqual(2, r.code, r)

    def test_an_input_without_the_part_is_an_error(self):
        self.write("in.txt", "a;b 1\n")
        r = self.brazier("run", "in.txt", "--split-by", "thread", "-o", "f-{thread}.folded")
        self.assertEqual((1, "brazier: error: the input does not say to which thread samples belong\n"),
                         (r.code, r.err), r)

    def test_a_value_without_weight_has_no_file(self):
        self.write("in.txt", "weight n count 0 0\nsample url=a - f 1\nsample url=b - f 0\n")
        r = self.brazier("--plugin", PLUGIN, "run", "in.txt", "--split-by", "url", "-o", "f-{url}.folded")
        self.assertEqual((0, "brazier: warning: f-b.folded: not written: all of its samples have a weight of 0\n"),
                         (r.code, r.err), r)
        self.assertEqual({"f-a.folded": "f 1\n"}, self.take())

    def test_a_value_without_weight_has_an_empty_file_if_that_is_allowed(self):
        self.write("in.txt", "weight n count 0 0\nsample url=a - f 1\nsample url=b - f 0\n")
        words = ["--plugin", PLUGIN, "run", "in.txt", "--split-by", "url", "--as-it-was", "-o"]
        r = self.brazier(*words, "f-{url}.folded")
        self.assertEqual((0, ""), (r.code, r.err), r)
        self.assertEqual({"f-a.folded": "f 1\n", "f-b.folded": "f 0\n"}, self.take())
        r = self.brazier(*words, "f-{url}.svg")
        self.assertEqual((0, "brazier: warning: f-b.svg: not written: all of its samples have a weight of 0\n"),
                         (r.code, r.err), r)
        self.assertEqual(["f-a.svg"], list(self.take()))

    def test_an_empty_input_has_no_files(self):
        self.write("in.txt", "weight n count 0 0\n")
        words = ["--plugin", PLUGIN, "run", "in.txt", "--split-by", "url", "-o", "f-{url}.folded"]
        r = self.brazier(*words, "--as-it-was")
        self.assertEqual((0, "brazier: warning: in.txt: no samples in it\n"), (r.code, r.err), r)
        self.assertEqual({}, self.take())
        self.assertEqual(1, self.brazier(*words).code)

    def test_an_input_without_weight_is_an_error(self):
        self.write("in.txt", "weight n count 0 0\nsample url=a - f 0\nsample url=b - f 0\n")
        r = self.brazier("--plugin", PLUGIN, "run", "in.txt", "--split-by", "url", "-o", "f-{url}.folded")
        self.assertEqual(1, r.code, r)
        self.assertIn("brazier: error: in.txt: all samples have a weight of 0\n", r.err)
        self.assertEqual({}, self.take())

    def test_a_name_that_is_too_long_is_an_error_before_any_file(self):
        self.write("in.txt", "weight n count 0 0\nsample url=a - f 1\nsample url=" + "b" * 100 + " - f 2\n")
        to = "f-" + "x" * 160 + "{url}.folded"
        r = self.brazier("--plugin", PLUGIN, "run", "in.txt", "--split-by", "url", "-o", to)
        self.assertEqual(1, r.code, r)
        self.assertIn("the name is longer than 255 bytes", r.err)
        self.assertEqual({}, self.take())

    def test_a_folder_has_no_part_in_its_name(self):
        self.write("in.txt", common.THREADS_PERF)
        (self.dir / "node-1421").mkdir()
        r = self.brazier("run", "in.txt", "--split-by", "thread", "-o", "{thread}/f-{thread}.folded")
        self.assertEqual((2, "brazier: error: 'split-by' writes a file for each thread: '{thread}/f-{thread}.folded' "
                             "may have {thread} only in the name of the file, not of a folder\n"), (r.code, r.err), r)

    def test_a_filled_name_keeps_the_rules_of_a_configuration_that_was_found(self):
        self.write("repo/in.txt", "weight n count 0 0\nsample url=a - f 1\nsample url=git - f 1\n")
        repo = self.dir / "repo"
        (repo / "git~1").mkdir()
        for to, code, why in (("{url}~1/x-{url}.folded", 2, "only in the name of the file"),
                              ("{url}~1.folded", 1, "git~1.folded: refused: it is hidden")):
            self.write("repo/.brazier.yaml", "pipelines:\n  p:\n    split-by: url\n"
                                             f"    outputs: [{{use: folded, to: '{to}'}}]\n")
            r = self.brazier("--plugin", PLUGIN, "run", "p", "in.txt", cwd=repo)
            self.assertEqual(code, r.code, r)
            self.assertIn(why, r.err)
            self.assertEqual([], list(repo.glob("**/*.folded")))

    def test_columns_in_units_that_do_not_fit_are_an_error(self):
        self.write("a.txt", "weight n bytes 0 0\nsample - - f 1\n")
        self.write("b.txt", "weight n nanoseconds 0 0\nsample - - f 2\n")
        for command in ("run", "diff"):
            r = self.brazier("--plugin", PLUGIN, command, "a.txt", "b.txt", "-t", "folded")
            self.assertEqual((1, ""), (r.code, r.out), r)
            self.assertIn("brazier: error: b.txt: 'n' is in nanoseconds here and in bytes in a.txt, which cannot be added" if command == "run" else
                          "brazier: error: b.txt: has 'n' in nanoseconds, but a.txt has 'n' in bytes, which cannot be compared", r.err)

    def test_no_file_replaces_another_one_of_the_run(self):
        self.write("f-1.perf", common.THREADS_PERF)
        r = self.brazier("run", "f-1.perf", "--from", "perf", "--to", "folded", "--split-by", "cpu", "-o",
                         "f-{cpu}.perf")
        self.assertEqual((2, "brazier: error: f-1.perf: refused: it is an input\n"), (r.code, r.err), r)
        self.assertEqual(["f-1.perf"], list(self.take()))
        self.write("in.txt", common.THREADS_PERF)
        r = self.brazier("run", "in.txt", "--split-by", "cpu", "-o", "f-1{cpu}.folded", "-o", "f-{cpu}1.folded")
        self.assertEqual((1, "brazier: error: f-11.folded: refused: it is another output\n"), (r.code, r.err), r)
        self.assertEqual({}, self.take())

    def test_a_configuration_that_was_found_writes_below_its_folder(self):
        self.write("repo/in.txt", "weight n count 0 0\nsample url=../x - f 1\nsample url=y - g 2\n")
        config = "pipelines:\n  p:\n    split-by: url\n    outputs: [{use: folded, to: 'f-{url}.folded'}]\n"
        self.write("repo/.brazier.yaml", config)
        words = ["--plugin", PLUGIN, "run", "p", "in.txt"]
        repo = self.dir / "repo"
        r = self.brazier(*words, cwd=repo)
        self.assertEqual((0, ""), (r.code, r.err), r)
        self.assertEqual({"f-_._x.folded": "f 1\n", "f-y.folded": "g 2\n"}, self.take("repo/f-*"))
        os.symlink("/dev/null", repo / "f-y.folded")
        r = self.brazier(*words, cwd=repo)
        self.assertEqual(1, r.code, r)
        self.assertIn("refused", r.err)
        self.write("repo/.brazier.yaml", config.replace("f-{url}.folded", "{url}"))
        r = self.brazier(*words, cwd=repo)
        self.assertEqual(2, r.code, r)


if __name__ == "__main__":
    common.main()
