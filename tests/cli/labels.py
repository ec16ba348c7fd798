#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests labels of inputs: --label KEY=TEXT."""
import gzip
import json

import common
from common import PERF, STACKS

HOSTS = ["web-01.eu.folded", "web-02.folded.gz"]


class Labels(common.Case):
    def setUp(self):
        super().setUp()
        self.write(HOSTS[0], "main;a 3\nmain;b 1\n")
        self.write(HOSTS[1], gzip.compress(b"main;a 5\n"))

    def grouped(self, *arguments, by="host", **more):
        return self.good(*arguments, "-t", "folded", "--group-by", by, **more).out

    WANT = "host: web-01.eu;main;a 3\nhost: web-01.eu;main;b 1\nhost: web-02;main;a 5\n"

    def test_each_input_is_labelled_with_its_name(self):
        for command in ("merge", "run"):
            self.assertEqual(self.WANT, self.grouped(command, *HOSTS, "--label", "host={name}"))
            self.assertEqual(self.WANT, self.grouped(command, *HOSTS, "--label=host={name}", "--isolate"))

    def test_labels_reach_pprof(self):
        self.good("merge", *HOSTS, "--label", "host={name}", "-o", "all.pb.gz")
        self.assertEqual(self.WANT, self.grouped("run", "all.pb.gz"))

    def profiles_of(self, n):
        """Merges so many inputs. Returns the messages, and the sums of speedscope's profiles by name."""
        names = [str(self.write(f"in/{i}.folded", "main;a 2\n")) for i in range(n)]
        r = self.brazier("merge", *names, "--label", "host={name}", "-t", "speedscope")
        self.assertEqual(0, r.code, r)
        return r.err, {p["name"]: sum(p["weights"]) for p in json.loads(r.out)["profiles"]}

    def test_speedscope_has_a_profile_for_each_label(self):
        self.assertEqual(("", {f"host={i}": 2 for i in range(256)}), self.profiles_of(256))

    def test_speedscope_leaves_out_more_labels_and_says_so(self):
        err, profiles = self.profiles_of(257)
        self.assertEqual({"samples": 514}, profiles)
        self.assertIn("note: speedscope: the samples have more than 256 different sets of labels", err)

    def test_a_flame_chart_in_json_leaves_out_labels_and_says_so(self):
        r = self.brazier("merge", *HOSTS, "--label", "host={name}", "--flamechart", "-t", "json")
        self.assertEqual(0, r.code, r)
        self.assertIn("note: json: the labels of samples are left out, since stacks are in the order of time", r.err)
        self.assertNotIn("labels", r.out)

    def test_a_sample_keeps_a_label_that_it_has(self):
        self.good("merge", *HOSTS, "--label", "host={name}", "-o", "all.pb.gz")
        self.good("merge", "all.pb.gz", HOSTS[0], "--label", "host={name}", "-o", "more.pb.gz")
        self.assertEqual(self.WANT.replace("eu;main;a 3", "eu;main;a 6").replace("eu;main;b 1", "eu;main;b 2"),
                         self.grouped("run", "more.pb.gz"))

    def test_several_labels_and_the_whole_path(self):
        self.write("x/p.tar.folded", "a 1\n")
        got = self.grouped("merge", "x/p.tar.folded", "--label", "host={name}", "--label", "from=<{path}|{name}>",
                           by="host,from")
        self.assertEqual("host: p.tar;from: <x/p.tar.folded|p.tar>;a 1\n", got)

    def test_names_without_endings_and_standard_input(self):
        for name in (".hidden", "plain", "x.gz"):
            self.write(name, "a 1\n")
            self.assertEqual(f"host: {name.removesuffix('.gz')};a 1\n",
                             self.grouped("merge", "--from", "folded", name, "--label", "host={name}"))
        self.assertEqual("host: stdin;a 1\n", self.grouped("merge", "-", "--label", "host={name}", stdin="a 1\n"))

    def test_labels_select_and_divide(self):
        label = ("--label", "host={name}")
        self.assertEqual("main;a 5\n", self.good("merge", *HOSTS, *label, "--only", "host=2").out)
        self.good("merge", *HOSTS, *label, "--split-by", "host", "-o", "x-{host}.folded")
        self.assertEqual("main;a 5\n", self.read("x-web-02.folded"))

    def test_labels_stand_beside_threads(self):
        self.write("p.txt", PERF)
        want = self.good("run", "p.txt", "-t", "folded", "--group-by", "thread").out
        got = self.grouped("run", "p.txt", "--label", "host={name}", by="host,thread")
        self.assertEqual("".join(f"host: p;{line}" for line in want.splitlines(True)), got)

    def test_an_input_that_is_left_out_has_no_label(self):
        r = self.fails(1, "merge", "--keep-going", "no.folded", *HOSTS, "--label", "host={name}", "--group-by", "host")
        self.assertEqual(self.WANT, r.out)
        self.assertIn("left out: 1 of 3 inputs", r.err)

    def test_an_output_without_labels_is_an_error(self):
        for output in ("-", "x.folded", "x.svg"):
            r = self.fails(2, "merge", *HOSTS, "--label", "host={name}", "-o", output)
            self.assertIn("has no place for labels; write pprof, as in -o all.pb.gz, or add --group-by host", r.err)
        self.good("merge", *HOSTS, "--label", "host={name}", "-o", "x.folded", "-o", "x.pb.gz")

    def test_invalid_labels_are_errors(self):
        for label, why in (("=x", "it takes KEY=TEXT"), ("host=", "it takes KEY=TEXT"),
                           ("host={nmae}", "{nmae} stands for nothing; {name} and {path} do"),
                           ("cpu={name}", "'cpu' is not the name of a label")):
            r = self.fails(2, "merge", *HOSTS, "--label", label, "-o", "x.pb.gz")
            self.assertIn(f"--label: {why}", r.err)
        self.fails(2, "merge", *HOSTS, "--label", "host", "-o", "x.pb.gz")

    def test_labels_of_pictures_are_another_option(self):
        name = "a_function_whose_name_is_so_long_that_a_narrow_picture_shows_its_end_only"
        pictures = [self.good("run", "--width", "300", "--no-compact", "--label", label, stdin=f"{name} 1\n").out
                    for label in ("smart", "tail")]
        self.assertEqual(2, len(set(pictures)))
        self.assertIn("<svg", self.good("merge", "-t", "svg", "--label=tail", stdin=STACKS).out)


if __name__ == "__main__":
    common.main()
