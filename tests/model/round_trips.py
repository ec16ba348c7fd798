#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests that brazier reads the profiles that it writes: stacks, names, sums and columns stay the same. Tests
the tags and times that formats have, too.

usage: round_trips.py PLUGIN [TEST...]     PLUGIN is everything.c
"""
import pathlib
import sys

PLUGIN = pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "cli"))
import common  # noqa: E402
from common import SOURCE  # noqa: E402

GOLDEN = SOURCE / "tests/golden/collapse"
ODD_NAMES = 'std::vector<int>::push "back";grüße\\n 7\na b;[unknown];c:\\d 1\na b 2.125\n'


class RoundTrips(common.Case):
    def columns(self, *args):
        """Returns the folded text of each column of a file, by name and unit."""
        names = [line.split(" ")[1] for line in self.everything("everything", "weight", *args)]
        return {name: self.good("run", *args, "-w", name, "--to", "folded").out for name in names}

    def everything(self, to, word, *args):
        """Returns the lines with `word` of an output that writes all that a profile holds."""
        printed = self.good("--plugin", PLUGIN, "run", *args, "--to", to).out
        return [line for line in printed.splitlines() if line.startswith(word)]

    def test_a_speedscope_file_has_all_columns_of_its_profile(self):
        for path in ("xdebug/machines.xt", "ghcprof/report.json", "folded/fractions.txt"):
            with self.subTest(path):
                source = GOLDEN / path
                self.good("run", source, "-o", "x.speedscope.json")
                self.assertEqual(self.columns(source), self.columns("x.speedscope.json"))
                self.assertEqual(self.good("run", source, "--to", "folded").out,
                                 self.good("run", "x.speedscope.json", "--to", "folded").out)

    def test_a_speedscope_file_keeps_names(self):
        self.good("run", "--from", "folded", "-o", "x.speedscope.json", stdin=ODD_NAMES)
        self.assertEqual(self.good("run", "--from", "folded", "--to", "folded", stdin=ODD_NAMES).out,
                         self.good("run", "x.speedscope.json", "--to", "folded").out)

    def scaled(self, columns, factors):
        """Returns the sums of columns, multiplied by a factor for each."""
        return {name: {stack: float(value) * factors.get(name, 1) for stack, value in
                       (line.rsplit(" ", 1) for line in text.splitlines())}
                for name, text in columns.items()}

    def test_a_firefox_profile_has_all_columns_of_its_profile(self):
        for path, factors in (("xdebug/machines.xt", {"time": 1000}), ("ghcprof/report.json", {}),
                              ("folded/fractions.txt", {}), ("speedscope/own.json", {"ns": 10**6})):
            with self.subTest(path):
                source = GOLDEN / path
                self.good("run", source, "-o", "x.firefox.json")
                self.assertEqual(self.scaled(self.columns(source), {}),
                                 self.scaled(self.columns("x.firefox.json"), factors))

    def test_a_chrome_trace_has_all_columns_of_its_profile(self):
        for path, factors in (("xdebug/machines.xt", {"calls": 1000, "memory": 1000}),
                              ("folded/fractions.txt", {"samples": 1000})):
            with self.subTest(path):
                source = GOLDEN / path
                self.good("run", source, "-o", "x.trace.json")
                self.assertEqual(self.scaled(self.columns(source), factors),
                                 self.scaled(self.columns("x.trace.json"), {}))

    def test_a_chrome_trace_keeps_names(self):
        self.good("run", "--from", "folded", "-o", "x.trace.json", "-s", "chrome-trace.count-as=us",
                  stdin=ODD_NAMES)
        self.assertEqual(self.good("run", "--from", "folded", "--to", "folded", stdin=ODD_NAMES).out,
                         self.good("run", "x.trace.json", "--to", "folded").out)

    def test_a_chrome_trace_keeps_what_is_known_of_frames(self):
        self.write("in.txt", "weight time microseconds 0 0\nsample - - "
                   "main{module:app};read{module:vmlinux|file:fs.c|line:12|kind:3};jit{flags:2} 5\n")
        self.good("--plugin", PLUGIN, "run", "in.txt", "--from", "everything", "-o", "x.trace.json")
        self.assertEqual(
            ["stack main{|module:app};read{|module:vmlinux|file:fs.c|line:12|kind:3};jit{|flags:2} 5"],
            self.everything("everything", "stack", "x.trace.json"))

    def test_threads_of_a_chrome_trace_are_tags_with_times(self):
        self.write("x.json", '[{"ph":"M","pid":7,"tid":8,"name":"process_name","args":{"name":"p"}},'
                   '{"ph":"M","pid":7,"tid":8,"name":"thread_name","args":{"name":"t"}},'
                   '{"ph":"X","pid":7,"tid":8,"ts":1.5,"dur":4,"name":"a"},'
                   '{"ph":"X","pid":7,"tid":8,"ts":2,"dur":1,"name":"b"}]')
        tag = "[,pid=7,tid=8,process=p,thread=t]"
        self.assertEqual([f"sample {tag} 1500 a{{}} time=5", f"sample {tag} 2000 a{{}};b{{}} time=10",
                          f"sample {tag} 3000 a{{}} time=25"],
                         self.everything("everything-timed", "sample", "x.json"))

    def test_a_firefox_profile_keeps_names(self):
        self.good("run", "--from", "folded", "-o", "x.firefox.json", stdin=ODD_NAMES)
        self.assertEqual(self.good("run", "--from", "folded", "--to", "folded", stdin=ODD_NAMES).out,
                         self.good("run", "x.firefox.json", "--to", "folded").out)

    def test_a_firefox_profile_keeps_what_is_known_of_frames(self):
        self.write("in.txt", "weight time milliseconds 0 0\nsample - - "
                   "main{module:app};read{module:vmlinux|file:fs.c|line:12|kind:3};jit{flags:2} 5\n")
        self.good("--plugin", PLUGIN, "run", "in.txt", "--from", "everything", "-o", "x.firefox.json")
        self.assertEqual(
            ["stack main{|module:app};read{|module:vmlinux|file:fs.c|line:12|kind:3};jit{|flags:2} 5"],
            self.everything("everything", "stack", "x.firefox.json"))

    def test_threads_of_a_firefox_profile_are_tags_with_times(self):
        lines = self.everything("everything-timed", "sample", GOLDEN / "firefox/shared.json")
        work = ("main{|module:app|file:src/main.c|line:3|kind:2|address:16};"
                "work{|module:app|file:src/main.c|line:14|column:9|first:12|kind:2|address:32}")
        script = work + ";(anonymous){|file:https://example.org/a.js|line:2|first:1}"
        read = work + ";read{|module:vmlinux|kind:3|address:48}"
        wanted = [("7", "app", 0, read, "samples=1 time=1"), ("8", "worker", 0, work, "samples=1 time=1"),
                  ("7", "app", 1, script, "samples=1 time=1"),
                  ("8", "worker", 1, work, "samples=1"),
                  ("7", "app", 2, script, "samples=2 time=1"),
                  ("7", "app", 3, work, "samples=1")]
        self.assertEqual([f"sample [,pid=7,tid={tid},process=app,thread={name}] {ms * 1000000} {stack} {value}"
                          for tid, name, ms, stack, value in wanted], lines)

    def test_processes_of_a_gecko_profile_share_a_clock(self):
        thread = ('{"name":"%s","pid":%d,"tid":1,"samples":{"schema":{"stack":0,"time":1},"data":[[0,1]]},'
                  '"stackTable":{"schema":{"prefix":0,"frame":1},"data":[[null,0]]},'
                  '"frameTable":{"schema":{"location":0},"data":[[0]]},"stringTable":["f"]}')
        self.write("x.json", '{"meta":{"stackwalk":1,"startTime":1000.5},"threads":[%s],"processes":['
                   '{"meta":{"startTime":1003},"threads":[%s]}]}' % (thread % ("a", 1), thread % ("b", 2)))
        self.assertEqual(["sample [,pid=1,tid=1,thread=a] 1000000 f{} samples=1",
                          "sample [,pid=2,tid=1,thread=b] 3500000 f{} samples=1"],
                         self.everything("everything-timed", "sample", "x.json"))

    def test_a_cpuprofile_keeps_stacks_names_and_times(self):
        self.good("run", GOLDEN / "xdebug/machines.xt", "-o", "x.cpuprofile")
        text = self.good("run", GOLDEN / "xdebug/machines.xt", "--to", "folded").out
        self.assertEqual(text, self.good("run", "x.cpuprofile", "--to", "folded").out)
        self.assertIn("weight time microseconds ",
                      self.everything("everything", "weight", "x.cpuprofile")[0])

    def test_a_cpuprofile_shows_counts_as_times(self):
        counts = "main 3\nmain;f 2.125\nmain;f;g 1\n"
        self.good("run", "--from", "folded", "-o", "x.cpuprofile", "-s", "cpuprofile.count-as=us",
                  stdin=counts)
        self.assertEqual(counts, self.good("run", "x.cpuprofile", "--to", "folded").out)
        self.good("run", "--from", "folded", "-o", "y.cpuprofile", stdin=ODD_NAMES)
        times = ["a b 2125", "a b;[unknown];c:\\d 1000", 'std::vector<int>::push "back";grüße\\n 7000']
        self.assertEqual("\n".join(times) + "\n", self.good("run", "y.cpuprofile", "--to", "folded").out)

    def test_a_cpuprofile_keeps_what_is_known_of_frames(self):
        self.write("in.txt", "weight time microseconds 0 0\nsample - - "
                   "main{module:app};read{module:vmlinux|file:fs.c|line:12|kind:3};jit{flags:2} 5\n")
        self.good("--plugin", PLUGIN, "run", "in.txt", "--from", "everything", "-o", "x.cpuprofile")
        self.assertEqual(
            ["stack main{|module:app};read{|module:vmlinux|file:fs.c|line:12|kind:3};jit{|flags:2} 5 1"],
            self.everything("everything", "stack", "x.cpuprofile"))

    def test_samples_of_a_cpuprofile_have_times(self):
        self.write("x.cpuprofile", '{"nodes":[{"id":1,"callFrame":{"functionName":"a"}}],"startTime":5000,'
                   '"samples":[1,1,1],"timeDeltas":[900,10,20.5]}')
        self.assertEqual(["sample [] 5900000 a{} time=100 samples=1", "sample [] 5910000 a{} time=205 samples=1",
                          "sample [] 5930500 a{} samples=1"],
                         self.everything("everything-timed", "sample", "x.cpuprofile"))

    def test_profiles_of_speedscope_are_threads_with_times(self):
        path = GOLDEN / "speedscope/evented.json"
        tags = [f"[,thread=thread {i}]" for i in (1, 2)]
        self.assertEqual([f"sample {tags[0]} 10500000000 run{{}} time=500",
                          f"sample {tags[0]} 11000000000 run{{}};parse{{}} time=250"],
                         self.everything("everything-timed", f"sample {tags[0]}", path)[:2])
        self.assertEqual(
            [f"sample {tags[1]} - load{{|file:load.py|line:8}} time=1500",
             f"sample {tags[1]} - load{{|file:load.py|line:8}};load{{|file:load.py|line:8}} time=500"],
            self.everything("everything-tagged", f"sample {tags[1]}", path))


if __name__ == "__main__":
    common.main()
