#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the options that select samples by tag and time, and that group stacks by tag.

usage: selection.py PLUGIN [TEST...]
"""
import pathlib
import re
import sys

PLUGIN = pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "cli"))
import common  # noqa: E402

LABELS = """weight n count 0 0
sample pid=7,url=/a - f 1
sample pid=7,process=app,url=/b,url=/a - f 2
sample bytes#4/KiB - g 4
"""


class Selection(common.Case):
    def select(self, *words, text=common.THREADS_PERF):
        """Returns what a run gives, as one text; it is the same in all ways to run."""
        self.write("in.txt", text)
        printed = [self.brazier("--plugin", PLUGIN, "run", "in.txt", "-t", "folded", *words, *way)
                for way in common.WAYS]
        for r in printed:
            self.assertEqual((printed[0].code, printed[0].out, printed[0].err), (r.code, r.out, r.err), r)
        return printed[0].out + printed[0].err

    def test_threads_become_root_frames(self):
        self.assertEqual("node 1421;node;main 7\n"
                         "node 1421;node;main;do_page_fault 10\n"
                         "worker 1422;worker;main;parse 5\n", self.select("--group-by", "thread"))

    def test_a_process_has_one_name_and_several_parts_are_several_frames(self):
        self.assertEqual("node 1421;CPU 1;node;main 7\n"
                         "node 1421;CPU 1;worker;main;parse 5\n"
                         "node 1421;CPU 2;node;main;do_page_fault 10\n",
                         self.select("--group-by", "process,cpu"))

    def test_each_sample_of_perf_has_its_own_time_and_thread(self):
        self.write("in.txt", "".join(
            f"t{i % 2} 7/{i % 2} {i}.5: 1 cycles: \n\t{i % 3 + 16:16x} f{i % 3} (/bin/app)\n"
            "\t            2000 main (/bin/app)\n\n" for i in range(1, 10)))
        for way in common.WAYS:
            printed = self.good("--plugin", PLUGIN, "run", "in.txt", "-t", "everything-timed", *way).out
            self.assertEqual([f"sample [,pid=7,tid={i % 2},thread=t{i % 2}] {i}500000000 ".replace(",tid=0", "") +
                              f"t{i % 2};main;f{i % 3} cycles=1" for i in range(1, 10)],
                             [re.sub(r"\{.*?\}", "", line) for line in printed.splitlines() if line[:6] == "sample"])

    def test_groups_are_added_after_the_transforms(self):
        self.assertEqual("worker 1422;parse 5\n",
                         self.select("--group-by", "thread", "--base", "parse"))

    def test_labels_become_root_frames(self):
        self.assertEqual("no url;g 4\nurl: /a,/b;f 2\nurl: /a;f 1\n",
                         self.select("--group-by", "url", text=LABELS))
        self.assertEqual("bytes: 4 KiB;g 4\nno bytes;f 3\n",
                         self.select("--group-by", "bytes", text=LABELS))

    def test_a_process_without_a_name_has_that_of_its_other_samples(self):
        self.assertEqual("app 7;f 3\nno process;g 4\n",
                         self.select("--group-by", "process", text=LABELS))

    def test_a_process_that_runs_another_program_has_the_name_of_each(self):
        text = "weight n count 0 0\nsample pid=7,process=sh - f 1\nsample pid=7,process=app - f 2\nsample pid=7 - g 4\n"
        self.assertEqual("app 7;f 2\napp 7;g 4\nsh 7;f 1\n", self.select("--group-by", "process", text=text))
        self.assertEqual("f 1\n", self.select("--only", "process=^sh ", text=text))

    def test_samples_are_selected_by_thread_process_cpu_and_label(self):
        self.assertEqual("worker;main;parse 5\n", self.select("--only", "thread=^worker"))
        self.assertEqual("worker;main;parse 5\n", self.select("--only", "thread= 1422$"))
        self.assertEqual("node;main 7\nworker;main;parse 5\n", self.select("--only", "cpu=^1$"))
        self.assertEqual(3, self.select("--only", "process=node").count("\n"))
        self.assertEqual("f 2\n", self.select("--only", "url=b", text=LABELS))

    def test_samples_are_selected_by_time(self):
        self.assertEqual("worker;main;parse 5\n", self.select("--time-range", "50ms..1s"))
        self.assertEqual("node;main;do_page_fault 10\n", self.select("--time-range", "..100ms"))
        self.assertEqual("node;main 7\nworker;main;parse 5\n", self.select("--time-range", "100ms.."))

    def test_the_options_combine(self):
        self.assertEqual("node 1421;node;main 7\n", self.select(
            "--time-range", "1s..", "--only", "thread=node", "--group-by", "thread"))

    def test_a_run_that_selects_nothing_fails(self):
        for words, reason in (
                (["--only", "thread=nobody"],
                 "'only' selects no samples; 'thread' has the values node 1421, worker 1422"),
                (["--time-range", "1h.."], "'time-range' selects no samples; the last sample is at 1.100s"),
                (["--time-range", "1h..", "--only", "cpu=7"],
                 "'only' and 'time-range' select no samples; 'cpu' has the values 1, 2; the last sample is at 1.100s")):
            self.assertEqual(f"brazier: error: {reason}\n", self.select(*words))

    def test_the_values_of_a_message_are_few_and_sorted(self):
        text = "weight n count 0 0\n" + "".join(f"sample url=/{i}{'x' * 100} - f 1\n" for i in (3, 9, 1, 7, 5, 8, 2))
        self.assertEqual("brazier: error: 'only' selects no samples; 'url' has the values " +
                         "".join(f"/{i}{'x' * 58}..., " for i in (1, 2, 3, 5, 7)) + "...\n",
                         self.select("--only", "url=z", text=text))

    def test_an_input_without_the_part_is_an_error(self):
        self.assertEqual("brazier: error: no sample of the input has the label 'url'; "
                         "it has cpu, process, thread\n", self.select("--group-by", "url"))
        self.assertEqual("brazier: error: no sample of the input has the label 'ulr'; "
                         "it has process and the labels bytes, url; did you mean 'url'?\n",
                         self.select("--group-by", "ulr", text=LABELS))
        self.assertEqual("brazier: error: the input does not say to which thread samples belong; "
                         "it has process and the labels bytes, url\n",
                         self.select("--only", "thread=x", text=LABELS))
        self.assertEqual("brazier: error: the input does not say to which thread samples belong\n",
                         self.select("--only", "thread=x", text="a;b 1\n"))
        self.assertEqual("brazier: error: the samples of the input have no times\n",
                         self.select("--time-range", "1s..", text="a;b 1\n"))

    def test_invalid_values_are_bad_usage(self):
        for words in (["--time-range", "2s..1s"], ["--time-range", "1s"], ["--time-range", "x..y"], ["--only", "thread"],
                      ["--only", "thread=("], ["--group-by", "thread,,cpu"]):
            self.write("in.txt", common.THREADS_PERF)
            r = self.brazier("run", "in.txt", "-t", "folded", *words)
            self.assertEqual((2, ""), (r.code, r.out), r)
            self.assertIn("error", r.err)

    def test_a_pipeline_may_select_and_group(self):
        self.write("in.txt", common.THREADS_PERF)
        self.write("c.yaml", "pipelines:\n  p:\n    only: thread=worker\n    group-by: cpu\n"
                             "    outputs: [folded]\n")
        r = self.brazier("--config", "c.yaml", "run", "p", "in.txt")
        self.assertEqual((0, "CPU 1;worker;main;parse 5\n"), (r.code, r.out), r)

    def test_several_only_must_all_hold(self):
        self.assertEqual("node;main 7\n", self.select("--only", "cpu=^1$", "--only", "thread=node"))
        self.assertEqual("f 2\n", self.select("--only", "url=b", "--only", "url=a", text=LABELS))
        self.assertEqual("brazier: error: 'only' selects no samples\n",
                         self.select("--only", "thread=node", "--only", "thread=worker"))
        self.assertEqual("brazier: error: no sample of the input has the label 'url'; "
                         "it has cpu, process, thread\n",
                         self.select("--only", "thread=node", "--only", "url=x"))

    def test_a_pipeline_may_have_a_list_of_only(self):
        self.write("in.txt", common.THREADS_PERF)
        self.write("c.yaml", "pipelines:\n  p:\n    only: [cpu=^1$, thread=node]\n    outputs: [folded]\n")
        r = self.brazier("--config", "c.yaml", "run", "p", "in.txt")
        self.assertEqual((0, "node;main 7\n"), (r.code, r.out), r)
        r = self.brazier("--config", "c.yaml", "run", "p", "in.txt", "--only", "thread=worker")
        self.assertEqual((0, "worker;main;parse 5\n"), (r.code, r.out), r)
        shown = self.good("--config", "c.yaml", "config", "show", "p").out
        self.assertIn('only: ["cpu=^1$", "thread=node"]  # c.yaml:3\n', shown)

    def test_a_part_that_groups_twice_is_bad_usage(self):
        self.write("in.txt", common.THREADS_PERF)
        for value in ("thread,thread", "cpu,thread,cpu", "url,url"):
            r = self.brazier("run", "in.txt", "-t", "folded", "--group-by", value)
            self.assertEqual((2, ""), (r.code, r.out), r)
            self.assertEqual(f"brazier: error: 'group-by' has '{value.split(',')[-1]}' twice\n", r.err)

    def test_a_time_without_a_unit_is_named(self):
        self.write("in.txt", common.THREADS_PERF)
        for value, bare in (("..5", "5"), ("1.5..2s", "1.5"), ("1s..2", "2")):
            r = self.brazier("run", "in.txt", "-t", "folded", "--time-range", value)
            self.assertEqual(2, r.code, r)
            self.assertTrue(r.err.endswith(f"; '{bare}' has no unit, such as s, ms or us\n"), r.err)
        self.assertNotIn("unit", self.brazier("run", "in.txt", "-t", "folded", "--time-range", "2s..1s").err)

    def test_errors_of_a_configuration_have_its_line(self):
        self.write("in.txt", common.THREADS_PERF)
        for key, value in (("only", "thread"), ("only", "thread=("), ("only", "[cpu=1, thread]"),
                           ("time-range", "1..2s"), ("group-by", "thread,thread"), ("split-by", "a/b")):
            self.write("c.yaml", f"pipelines:\n  p:\n    {key}: {value!r}\n    outputs: [folded]\n"
                       .replace("'[", "[").replace("]'", "]"))
            r = self.brazier("--config", "c.yaml", "run", "p", "in.txt")
            self.assertEqual(2, r.code, r)
            self.assertRegex(r.err, rf"^c\.yaml:3:\d+: error: .*('{key}'|expression)")

    def test_a_column_in_two_units_is_an_error(self):
        text = "weight n ms 0 0\nweight n bytes 0 0\nsample - - f 1\nsample - - f 2\n"
        self.assertEqual("brazier: error: in.txt: 'n' is in both bytes and ms, which cannot be added\n",
                         self.select(text=text))
        self.assertEqual("f 3\n", self.select(text=text.replace("bytes", "milliseconds")))

    def test_both_sides_of_a_comparison_are_selected(self):
        self.write("a.txt", common.THREADS_PERF)
        self.write("b.txt", common.THREADS_PERF.replace(": 5 ", ": 50 "))
        r = self.brazier("diff", "a.txt", "b.txt", "-t", "folded", "--only", "thread=worker")
        self.assertEqual((0, "worker;main;parse 5 50\n"), (r.code, r.out), r)


if __name__ == "__main__":
    common.main()
