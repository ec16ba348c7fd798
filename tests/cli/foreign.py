#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests files of formats that brazier does not read, and files in another format than the named
one."""
import io
import tarfile

import common
from common import PERF, STACKS

PERF_DATA = b"PERFILE2" + b"\0" * 96
MEMRAY = b"memray\0" + b"\0" * 96
EVENT_PIPE = b"Nettrace" + b"\0" * 96
PDF = b"%PDF-1.7\n"
SVG = '<?xml version="1.0"?>\n<svg version="1.1"><title>main 5</title></svg>\n'
PAGE = "<!DOCTYPE html>\n<html><body><p>main 5</p></body></html>\n"
NODE_LOG = "v8-version,11,3,244,8,-node.38,0\nmain 1\n"
# The folded reader accepts every line except the first.
WINDOWS = ("Process Name,Process,Stack,Module,Weight,TimeStamp\n" +
           "".join(f"app,app.exe ({i}),[Root]/a!b;c,a,1,0 {i}\n" for i in range(50)))
TABLE = "Function,Module,Samples\n" + "".join(f"f{i};g,lib,x {i}\n" for i in range(50))
GHC = ("\tt +RTS -p -RTS\n\nCOST CENTRE MODULE SRC no.  entries  %time %alloc   %time %alloc\n\n"
       "MAIN        MAIN   <built-in>  1  0  1.0  1.0  100.0  100.0\n\nticks\n  5\n")

GO_TREE = ("File: demo\nType: cpu\nDuration: 1s, Total samples = 20ms (2%)\nShowing nodes accounting for 20ms, 100% of 20ms total\n" +
           57 * "-" + "+" + 13 * "-" + "\n      flat  flat%   sum%        cum   cum%   calls calls% + context \t \t \n" +
           57 * "-" + "+" + 13 * "-" + "\n                                              20ms   100% |   main.main\n"
           "      20ms   100%   100%       20ms   100%                | main.parse\n")
GO_GRAPH = ('digraph "demo" {\nnode [style=filled fillcolor="#f8f8f8"]\nsubgraph cluster_L { "File: demo" [shape=box '
            'label="File: demo\\lShowing nodes accounting for 20ms, 100% of 20ms total\\l"] }\n'
            'N1 [label="main\\nmain\\n0 of 20ms (100%)" id="node1"]\n}\n')


class Foreign(common.Case):
    def names(self, what, *args, **more):
        r = self.fails(1, *args, **more)
        self.assertEqual("", r.out)
        self.assertIn(what, r.err)
        return r.err

    def test_guess_and_run_name_a_foreign_format_and_the_next_step(self):
        for name, content, what, step in (
                ("a.bin", MEMRAY, "this is a file of memray", "`memray flamegraph"),
                ("b.trace", EVENT_PIPE, "this is a .NET EventPipe trace", "`dotnet-trace convert"),
                ("c.pdf", PDF, "this is a PDF document, not a profile", "drawn from"),
                ("d.json", '{"sample_types":[],"samples":[{"locations":[]}]}', "an OpenTelemetry profile",
                 "that was sent to Pyroscope"),
                ("t.txt", GO_TREE, "this is a report of `go tool pprof -tree`", "`go tool pprof -traces`"),
                ("t.dot", GO_GRAPH, "this is a graph of `go tool pprof -dot`", "give the profile itself"),
                ("e.csv", WINDOWS, "Windows Performance Analyzer", "does not read"),
                ("f.csv", TABLE, "a table of comma-separated values", "VTune")):
            self.write(name, content)
            for args in (["guess", name], ["guess", "--isolate", name], ["run", name],
                         ["run", "--isolate", name]):
                with self.subTest(" ".join(args)):
                    self.assertIn(step, self.names(what, *args))

    def test_pictures_and_pages_without_a_flame_graph_are_rejected_with_the_next_step(self):
        self.write("c.svg", SVG)
        self.write("c.html", PAGE)
        for name, what in (("c.svg", "a picture, but no flame graph in it"),
                           ("c.html", "a page, but no flame graph in it")):
            for args in (["run", name], ["run", "--isolate", name], ["run", "--from", name[2:], name]):
                with self.subTest(" ".join(args)):
                    self.assertIn("give brazier the profile that it shows", self.names(what, *args))

    def test_an_archive_of_texts_is_no_text_whatever_header_these_have(self):
        for form in (tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT):
            archive = io.BytesIO()
            with tarfile.open(fileobj=archive, mode="w", format=form) as tar:
                member = tarfile.TarInfo("perf.txt")
                member.size = len(PERF)
                tar.addfile(member, io.BytesIO(PERF.encode()))
            self.write("a.bin", archive.getvalue())
            for args in (["guess", "a.bin"], ["run", "a.bin"], ["run", "--isolate", "a.bin"]):
                self.names("this is a tar archive; unpack it", *args)
        self.assertIn("(90)", self.good("guess", self.write("perf.txt", PERF)).out)

    def test_no_file_ending_suggests_a_format_that_the_content_rules_out(self):
        self.write("node.prof", NODE_LOG)
        self.assertNotIn("ghcprof", self.names("a log of `node --prof`", "guess", "node.prof"))
        self.write("other.prof", "Lorem ipsum dolor sit amet\n" * 20)
        err = self.names("no format that brazier knows", "guess", "other.prof")
        self.assertNotIn("--from ghcprof", err)

    def test_a_format_that_is_named_but_wrong_is_an_error(self):
        self.write("perf.txt", PERF)
        self.write("ghc.prof", GHC)
        self.write("x.csv", WINDOWS)
        self.write("p.data", PERF_DATA)
        self.write("n.prof", NODE_LOG)
        for path, format_, what in (
                ("perf.txt", "dtrace", "it looks like perf"),
                ("perf.txt", "folded", "it looks like perf"),
                ("ghc.prof", "dtrace", "looks like ghcprof, not like dtrace; --from ghcprof reads it"),
                ("x.csv", "folded", "Windows Performance Analyzer"),
                ("p.data", "perf", "this is a perf.data file"),
                ("n.prof", "folded", "a log of `node --prof`")):
            for more in ([], ["--isolate"], ["-j1"]):
                with self.subTest(f"{path} {format_} {more}"):
                    err = self.names("", "run", "--from", format_, "--to", "folded", path, *more)
                    self.assertIn(what, err)

    def test_a_format_that_is_denied_is_named_with_the_reason(self):
        self.write("p.data", PERF_DATA)
        self.write("c.yaml", "deny: [perf-data]\n")
        err = self.names("this is a perf.data file", "--config", "c.yaml", "run", "p.data", "-o", "x.svg")
        self.assertIn("--from perf-data reads it, or says why it is not available", err)
        err = self.fails(2, "--config", "c.yaml", "run", "--from", "perf-data", "p.data", "-o", "x.svg").err
        self.assertIn("no collapser 'perf-data': the configuration does not allow", err)

    def test_a_format_that_is_named_and_right_is_read_though_it_cannot_be_guessed(self):
        flat = "app  ffffffff81d33d80 read_zero+0x0 ([kernel.kallsyms])\n"
        self.fails(1, "guess", stdin=flat)
        self.assertEqual("app;read_zero 1\n", self.good("collapse", "perf", stdin=flat).out)

    def test_stacks_that_look_a_little_foreign_are_read(self):
        for text in ("{main};a 1\n", "[unknown];a 1\n", "f<a, b, c>;g 1\n", "goroutine 1;a 1\n"):
            self.assertEqual(text, self.good("run", "--to", "folded", stdin=text).out)
        self.write("x.svg", STACKS)
        self.assertEqual(STACKS, self.good("run", "--to", "folded", "x.svg").out)

    def test_several_inputs_lose_none_of_the_others_errors(self):
        self.write("f.bin", MEMRAY)
        self.write("s.pdf", PDF)
        err = self.fails(1, "guess", "f.bin", "s.pdf").err
        self.assertIn("memray", err)
        self.assertIn("PDF", err)


if __name__ == "__main__":
    common.main()
