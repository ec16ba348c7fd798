#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests that outputs write the threads, labels, times, metadata and details of a profile, by reading them back.

usage: outputs.py PLUGIN [TEST...]     PLUGIN is everything.c
"""
import json
import pathlib
import re
import sys

PLUGIN = pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "cli"))
sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "property"))
import common  # noqa: E402
import read_back  # noqa: E402

WEIGHTS = "weight cpu nanoseconds 0 1\nweight alloc bytes 0 0\n"
MAIN = "main{module:/bin/app|file:app.c|system:_Z4main|build:abc123|line:12|column:3|first:10|address:4096}"
WORK = "work{module:/bin/app|file:app.c|system:work|build:abc123|line:22|first:20|address:4128}"
LEAF = "leaf{module:/bin/app|file:leaf.h|system:leaf|build:abc123|line:5|flags:1|address:4128}"
TIMED = """sample pid=1,tid=2,thread=a,cpu=7 1000 main;f 10 0
sample pid=1,tid=2,thread=a 1010 main;g 5 0
sample pid=1,tid=3,thread=b 1005 main;f 20 0
sample pid=1,tid=3,thread=b 1040 main;f 1 0
sample pid=1,tid=3,thread=b 1041 main;g;h 2 64
"""


class Case(common.Case):
    def convert(self, text, name, *words):
        """Writes a file from a text of the format "everything", in all ways with the same bytes."""
        self.write("in.txt", text)
        for i, way in enumerate(common.WAYS):
            self.good("--plugin", PLUGIN, "run", "in.txt", "--from", "everything", "-o", f"{i}-{name}",
                      *words, *way)
        written = [(self.dir / f"{i}-{name}").read_bytes() for i in range(len(common.WAYS))]
        for other in written[1:]:
            self.assertEqual(written[0], other)
        return self.dir / f"0-{name}"

    def lines(self, path, to, word, *words):
        printed = self.good("--plugin", PLUGIN, "run", path, "--to", to, *words).out
        return [line for line in printed.splitlines() if line.split(" ")[0] == word]

    def samples(self, path, to):
        """Returns the samples without the details of their frames."""
        return [re.sub(r"\{.*?\}", "", line)[len("sample "):] for line in self.lines(path, to, "sample")]


class Frames(Case):
    STACKS = ["f{|module:a|line:2};g{|line:3}", "f{|module:a|line:7};g{|line:3}", "f{|module:b|line:2};g{|line:3}"]
    TEXT = "weight n count 0 0\n" + "".join(f"sample - - {stack.replace('{|', '{')} {i + 1}\n" for i, stack
                                            in enumerate((STACKS[1], STACKS[2], STACKS[0], STACKS[1])))

    def test_stacks_differ_by_all_attributes_of_their_frames(self):
        self.write("in.txt", self.TEXT)
        for way in common.WAYS:
            self.assertEqual([f"stack {stack} {n}" for stack, n in zip(self.STACKS, (3, 5, 2))],
                             self.lines("in.txt", "everything-exact", "stack", *way))
        self.assertEqual([f"stack {self.STACKS[0]} 10"], self.lines("in.txt", "everything", "stack"))

    def test_outputs_with_tables_keep_functions_of_the_same_name_apart(self):
        for name in ("x.firefox.json", "x.pb.gz"):
            with self.subTest(name):
                stacks = self.lines(self.convert(self.TEXT, name), "everything-exact", "stack")
                self.assertEqual([f"stack {stack} {n}" for stack, n in zip(self.STACKS, (3, 5, 2))],
                                 [re.sub(r"\|system:\w+", "", line) for line in stacks])

    def test_speedscope_keeps_lines_of_the_same_function_apart(self):
        file = json.loads(self.convert(self.TEXT, "x.speedscope.json").read_text())
        self.assertEqual([("f", "a", 2), ("g", None, 3), ("f", "a", 7), ("f", "b", 2)],
                         [(f["name"], f.get("file"), f.get("line")) for f in file["shared"]["frames"]])
        self.assertEqual(([[0, 1], [2, 1], [3, 1]], [3, 5, 2]),
                         tuple(file["profiles"][0][key] for key in ("samples", "weights")))


class Pprof(Case):
    def test_an_interval_of_speedscope_ends_at_the_last_time(self):
        text = "weight time nanoseconds 0 0\nsample - 5 f 1\nsample - 9223372036854775800 g 100\n"
        file = json.loads(self.convert(text, "x.speedscope.json").read_text())
        self.assertEqual([5, 6, 9223372036854775800, 9223372036854775807],
                         [event["at"] for event in file["profiles"][0]["events"]])

    def test_tags_become_labels(self):
        text = WEIGHTS + f"""sample pid=1,process=app,tid=2,thread=worker,cpu=3,size#9/KiB,url=/b - {MAIN} 5 100
sample - - {MAIN};{WORK} 1 0
sample tid=4 - {MAIN} 2 50
sample tid=4 - {MAIN} 3 0
"""
        all_of = "[,pid=1,tid=2,cpu=3,process=app,thread=worker,size#9/KiB,url=/b]"
        self.assertEqual(sorted(["[] - main;work cpu=1", "[,tid=4] - main alloc=50 cpu=5",
                                 f"{all_of} - main alloc=100 cpu=5"]),
                         sorted(self.samples(self.convert(text, "x.pb.gz"), "everything-tagged")))

    def test_decimals_of_labels_become_a_finer_unit_or_a_part_of_the_name(self):
        text = WEIGHTS + f"sample wait#1.5/seconds,share#0.25/percent - {MAIN} 5 0\n"
        self.assertEqual(["[,share_e2#25/percent,wait#1500/milliseconds] - main cpu=5"],
                         self.samples(self.convert(text, "x.pb.gz"), "everything-tagged"))

    def test_labels_that_say_the_same_are_not_repeated(self):
        text = WEIGHTS + "sample tid=2,thread=w,thread_id#2/,cpu=1 - main 5 0\nsample cpu=1,cpu#2/x - main 5 0\n"
        self.assertEqual(["[,tid=2,cpu=1,thread=w,thread_id#2] - main cpu=5", "[,cpu#2/x] - main cpu=5"],
                         sorted(self.samples(self.convert(text, "x.pb.gz"), "everything-tagged"), key=len,
                                reverse=True))

    def test_frames_keep_their_details(self):
        text = WEIGHTS + f"sample - - {MAIN};{WORK};{LEAF} 5 100\n"
        stack = ";".join((MAIN, WORK, LEAF)).replace("{", "{|")
        self.assertEqual([f"stack {stack} 100 5"],
                         self.lines(self.convert(text, "x.pb.gz"), "everything", "stack"))

    def test_an_inlined_call_is_a_line_of_its_location(self):
        text = WEIGHTS + f"sample - - {MAIN};{WORK};{LEAF} 5 100\nsample - - {MAIN};{WORK} 5 100\n"
        file = read_back.fields(self.convert(text, "x.pb.gz", "-s", "pprof.compress=off").read_bytes())
        places = [read_back.fields(v) for k, v in file if k == 4]
        self.assertEqual([(4096, [12]), (4128, [22]), (4128, [5, 22])],
                         [(read_back.one(p, 3), [read_back.one(read_back.fields(v), 2) for k, v in p if k == 4])
                          for p in places])

    def test_an_address_without_a_function_stays_one(self):
        text = WEIGHTS + "sample - - [libc.so.6]{module:/lib/libc.so.6|address:16};[unknown]{address:32} 5 0\n"
        path = self.convert(text, "x.pb.gz", "-s", "pprof.compress=off")
        places = [read_back.fields(v) for k, v in read_back.fields(path.read_bytes()) if k == 4]
        self.assertEqual([[], []], [[v for k, v in p if k == 4] for p in places])
        self.assertEqual(["stack [libc.so.6]{|module:/lib/libc.so.6|address:16};[unknown]{|address:32} 0 5"],
                         self.lines(path, "everything", "stack"))

    def test_mappings_say_what_is_known(self):
        text = WEIGHTS + f"sample - - {MAIN};x{{module:b.so|address:9}};y{{module:old.so}};{WORK};{LEAF} 5 0\n"
        file = read_back.fields(self.convert(text, "x.pb.gz", "-s", "pprof.compress=off").read_bytes())
        texts = [v.decode() for k, v in file if k == 6]
        mappings = [read_back.fields(v) for k, v in file if k == 3]
        self.assertEqual([("/bin/app", "abc123", [1, 1, 1, 1]), ("b.so", "", [1, 0, 0, 0]),
                          ("old.so", "", [1, 1, 1, 0])],
                         [(texts[read_back.one(m, 5)], texts[read_back.one(m, 6)],
                           [read_back.one(m, i) for i in (7, 8, 9, 10)]) for m in mappings])

    def test_facts_become_fields_and_comments(self):
        facts = {"start": 1700000000000000000, "duration": 42, "period": 99, "period-name": "cpu",
                 "period-unit": "hertz", "producer": "everything 1.0", "command": "./app --fast",
                 "host": "there", "architecture": "x86_64", "drop_frames": "main.*", "kernel": "6.1"}
        text = WEIGHTS + "".join(f"meta {k} {v}\n" for k, v in facts.items()) + \
            "meta comment a\nsample - - main 1 1\n"
        version = self.good("--version").out.split()[1]
        self.assertEqual(["meta start 1700000000000000000", "meta duration 42", "meta period 99",
                          "meta period-name cpu", "meta period-unit hertz", "meta comment a",
                          "meta comment producer: everything 1.0", "meta comment command: ./app --fast",
                          "meta comment host: there", "meta comment architecture: x86_64",
                          "meta comment kernel: 6.1", f"meta comment brazier@{version}",
                          "meta drop_frames main.*"],
                         self.lines(self.convert(text, "x.pb.gz"), "everything", "meta"))

    def test_a_second_conversion_gives_the_same_bytes(self):
        text = WEIGHTS + "meta comment a\n" + \
            f"sample pid=1,thread=w - {MAIN};{WORK} 1 2\nsample x=1 - {MAIN} 1 2\n"
        first = self.convert(text, "x.pb.gz")
        self.good("run", first, "-o", "y.pb.gz")
        self.good("run", "y.pb.gz", "-o", "z.pb.gz")
        self.assertEqual((self.dir / "y.pb.gz").read_bytes(), (self.dir / "z.pb.gz").read_bytes())


class Speedscope(Case):
    def test_each_thread_and_weight_is_a_profile(self):
        path = self.convert(WEIGHTS + TIMED, "x.speedscope.json", "-w", "cpu")
        file = json.loads(path.read_text())
        self.assertEqual(["a [1/2]", "b [1/3] (cpu)", "b [1/3] (alloc)"], [p["name"] for p in file["profiles"]])
        self.assertEqual(["sampled", "evented", "sampled"], [p["type"] for p in file["profiles"]])
        self.assertEqual([(1000, 1015), (1005, 1043), (0, 64)],
                         [(p["startValue"], p["endValue"]) for p in file["profiles"]])
        self.assertEqual(1, file["activeProfileIndex"])

    def test_threads_weights_and_times_come_back(self):
        path = self.convert(WEIGHTS + TIMED, "x.speedscope.json")
        a, b = "[,pid=1,tid=2,thread=a]", "[,pid=1,tid=3,thread=b]"
        self.assertEqual([f"{b} - main;g;h alloc=64", f"{a} 1000 main;f cpu=10", f"{b} 1005 main;f cpu=20",
                          f"{a} 1010 main;g cpu=5", f"{b} 1040 main;f cpu=1", f"{b} 1041 main;g;h cpu=2"],
                         self.samples(path, "everything-timed"))

    def test_samples_that_overlap_keep_their_order_only(self):
        text = WEIGHTS + "sample thread=a 10 f 5 0\nsample thread=a 14 g 5 0\n"
        path = self.convert(text, "x.speedscope.json")
        self.assertEqual(["[,thread=a] - f cpu=5", "[,thread=a] - g cpu=5"],
                         self.samples(path, "everything-timed"))

    def test_stacks_of_threads_without_times_are_summed(self):
        text = WEIGHTS + "sample thread=a - f;g 5 0\nsample thread=a - f 1 0\nsample thread=b - f 2 0\n" \
            "sample thread=a - f;g 7 0\nsample cpu=1 - f 1 0\n"
        file = json.loads(self.convert(text, "x.speedscope.json").read_text())
        self.assertEqual([("thread", [[0]], [1]), ("a", [[0], [0, 1]], [1, 12]), ("b", [[0]], [2])],
                         [(p["name"], p["samples"], p["weights"]) for p in file["profiles"]])

    def test_processors_alone_make_no_threads(self):
        text = WEIGHTS + "sample cpu=1 - f 5 0\nsample cpu=2 - f 1 0\n"
        plain = re.sub("sample [^ ]*", "sample -", text)
        self.assertEqual(self.convert(text, "x.speedscope.json").read_text(),
                         self.convert(plain, "y.speedscope.json").read_text())

    def test_each_set_of_labels_is_a_profile(self):
        text = WEIGHTS + "sample cpu=1 - f 5 0\nsample x=y - f 1 0\nsample cpu=2,x=y - f;g 2 0\nsample x=z - f 4 3\n"
        file = json.loads(self.convert(text, "x.speedscope.json").read_text())
        self.assertEqual([("cpu", [[0]], [5], {}), ("x=y", [[0], [0, 1]], [1, 2], {"x": "y"}),
                          ("x=z (cpu)", [[0]], [4], {"x": "z"}), ("x=z (alloc)", [[0]], [3], {"x": "z"})],
                         [(p["name"], p["samples"], p["weights"], p["brazier"].get("labels", {}))
                          for p in file["profiles"]])

    def test_a_second_conversion_gives_the_same_bytes(self):
        first = self.convert(WEIGHTS + TIMED, "x.speedscope.json")
        self.good("run", first, "-o", "y.speedscope.json")
        self.assertEqual(first.read_text(), (self.dir / "y.speedscope.json").read_text())


class Firefox(Case):
    META = "meta start 1700000000123456000\nmeta clock-start 400\nmeta period 5000\n" \
        "meta period-unit microseconds\nmeta command ./app\nmeta architecture x86_64\nmeta host there\n" \
        "meta comment c\nmeta processor fast\nmeta kernel 6.1\n"

    def test_each_thread_and_weight_is_a_thread(self):
        threads = json.loads(self.convert(WEIGHTS + TIMED, "x.firefox.json", "-w", "cpu").read_text())["threads"]
        self.assertEqual([("a", "1", 2), ("b (cpu)", "1", 3), ("b (alloc)", "1", 4)],
                         [(t["name"], t["pid"], t["tid"]) for t in threads])
        self.assertEqual([[0.001, 0.00101], [0.001005, 0.00104, 0.001041], [0.001041]],
                         [t["samples"]["time"] for t in threads])
        self.assertEqual([[0.00001, 0.000005], [0.00002, 0.000001, 0.000002], [64]],
                         [t["samples"]["weight"] for t in threads])

    def test_only_threads_of_the_shown_weight_are_visible_at_first(self):
        meta = json.loads(self.convert(WEIGHTS + TIMED, "x.firefox.json", "-w", "cpu").read_text())["meta"]
        self.assertEqual(([1], [0, 1]), (meta["initialSelectedThreads"], meta["initialVisibleThreads"]))

    def test_threads_weights_and_times_come_back(self):
        path = self.convert(WEIGHTS + TIMED, "x.firefox.json")
        a, b = "[,pid=1,tid=2,thread=a]", "[,pid=1,tid=3,thread=b]"
        self.assertEqual([f"{a} 1000 main;f cpu=10", f"{b} 1005 main;f cpu=20", f"{a} 1010 main;g cpu=5",
                          f"{b} 1040 main;f cpu=1", f"{b} 1041 main;g;h cpu=2", f"{b} 1041 main;g;h alloc=64"],
                         self.samples(path, "everything-timed"))

    def test_processes_have_names(self):
        text = WEIGHTS + "sample pid=7,tid=7,process=app - f 1 0\nsample pid=7,tid=8 - f 1 0\n" \
            "sample thread=w - f 1 0\nsample pid=9,tid=9 - f 1 0\n"
        threads = json.loads(self.convert(text, "x.firefox.json").read_text())["threads"]
        self.assertEqual([("w", "profile", "10", 10, True), ("app", "app", "7", 8, False),
                          ("app", "app", "7", 7, True), ("thread", "profile", "9", 9, True)],
                         [(t["name"], t["processName"], t["pid"], t["tid"], t["isMainThread"]) for t in threads])

    def test_facts_are_in_the_description(self):
        path = self.convert(WEIGHTS + self.META + TIMED, "x.firefox.json")
        meta = json.loads(path.read_text())["meta"]
        self.assertEqual((1700000000123.456, 5, "./app", "x86_64", "fast"),
                         tuple(meta[k] for k in ("startTime", "interval", "arguments", "abi", "CPUName")))
        self.assertEqual([("host", "there"), ("kernel", "6.1"), ("comment", "c")],
                         [(e["label"], e["value"]) for e in meta["extra"][0]["entries"]])
        self.assertEqual(["meta start 1700000000123456000", "meta period 5000000"],
                         [line for line in self.lines(path, "everything", "meta")
                          if "start" in line or line.startswith("meta period ")])
        self.assertIn("[,pid=1,tid=2,thread=a] 600 main;f cpu=10", self.samples(path, "everything-timed"))

    def test_frames_keep_their_details(self):
        text = WEIGHTS + f"sample - - {MAIN};{WORK};{LEAF} 5 100\n".replace("abc123", 5 * "0123abcd")
        path = self.convert(text, "x.firefox.json")
        library = json.loads(path.read_text())["libs"][0]
        self.assertEqual((5 * "0123abcd", "CDAB23012301CDAB0123ABCD0123ABCD0"),
                         (library["codeId"], library["breakpadId"]))
        stack = self.lines(path, "everything", "stack")[0]
        for part in ("|line:12|column:3|first:10|", "|address:4096}", "leaf{|module:/bin/app|file:leaf.h|line:5|"):
            self.assertIn(part, stack)

    def test_a_second_conversion_gives_the_same_bytes(self):
        first = self.convert("weight cpu milliseconds 0 1\nweight alloc bytes 0 0\n" + TIMED, "x.firefox.json")
        self.good("run", first, "-o", "y.firefox.json")
        self.good("run", "y.firefox.json", "-o", "z.firefox.json")
        self.assertEqual((self.dir / "y.firefox.json").read_text(), (self.dir / "z.firefox.json").read_text())


class ChromeTrace(Case):
    def events(self, text, *words):
        """Returns the trace, names {(pid, tid): name} and calls {(pid, tid): [(name, begin, end, depth)]}."""
        trace = json.loads(self.convert(text, "x.trace.json", *words).read_text())
        names, calls, open_calls = {}, {}, {}
        for e in trace["traceEvents"]:
            at = e["pid"], e["tid"]
            if e["ph"] == "M" and e["name"].endswith("_name"):
                names[at[:1] if e["name"] == "process_name" else at] = e["args"]["name"]
            elif e["ph"] == "B":
                calls.setdefault(at, []).append([e["name"], e["ts"], None, len(open_calls.setdefault(at, []))])
                open_calls[at].append(calls[at][-1])
            elif e["ph"] == "E":
                open_calls[at].pop()[2] = e["ts"]
        self.assertFalse(any(open_calls.values()))
        return trace, names, {at: [tuple(c) for c in of] for at, of in calls.items()}

    def test_threads_have_calls_at_their_times(self):
        _, names, calls = self.events(WEIGHTS + TIMED.replace("tid=2", "tid=2,process=app"), "-w", "cpu",
                                      "-s", "chrome-trace.count-as=ns")
        self.assertEqual({(1,): "app", (1, 2): "a", (1, 3): "b (cpu)", (1, 4): "b (alloc)"}, names)
        self.assertEqual({
            (1, 2): [("main", 1, 1.015, 0), ("f", 1, 1.01, 1), ("g", 1.01, 1.015, 1)],
            (1, 3): [("main", 1.005, 1.025, 0), ("f", 1.005, 1.025, 1), ("main", 1.04, 1.043, 0),
                     ("f", 1.04, 1.041, 1), ("g", 1.041, 1.043, 1), ("h", 1.041, 1.043, 2)],
            (1, 4): [("main", 1.041, 1.105, 0), ("g", 1.041, 1.105, 1), ("h", 1.041, 1.105, 2)]}, calls)

    def test_threads_weights_and_times_are_read_back(self):
        meta = "meta start 5000000\nmeta command ./app\nmeta pair kernel 6.1\n"
        path = self.convert("weight cpu microseconds 0 1\nweight alloc bytes 0 0\n" +
                            "sample process=app,pid=1,tid=2,thread=a 1700000000000001500 main;f 10 0\n"
                            "sample process=app,pid=1,tid=2,thread=a 1700000000000020000 main;g 5 0\n"
                            "sample thread=b 1700000000000020000 main 5 70\n" + meta,
                            "x.trace.json", "-s", "chrome-trace.count-as=ns")
        a, b = "[,pid=1,tid=2,process=app,thread=a]", "[,thread=b]"
        self.assertEqual([f"sample {a} 1700000000000001500 main{{}};f{{}} cpu=1000",
                          f"sample {b} 1700000000000020000 main{{}} cpu=500",
                          f"sample {b} 1700000000000020000 main{{}} alloc=7",
                          f"sample {a} 1700000000000020000 main{{}};g{{}} cpu=500"],
                         self.lines(path, "everything-timed", "sample"))
        self.assertEqual(["meta start 5000000", "meta command ./app", "meta pair kernel 6.1"],
                         [x for x in self.lines(path, "everything", "meta") if "producer" not in x])
        self.assertEqual("main 0.07\n", self.good("run", path, "-w", "alloc", "--to", "folded").out)

    def test_the_shown_weight_comes_back(self):
        for text in (TIMED, re.sub("sample [^ ]* [^ ]*", "sample - -", TIMED)):
            for i, weight in enumerate(("cpu", "alloc")):
                path = self.convert(WEIGHTS + text, f"{i}.trace.json", "-w", weight)
                shown = [line for line in self.lines(path, "everything", "weight") if line.endswith(" shown")]
                self.assertEqual([weight], [line.split(" ")[1] for line in shown])

    def test_a_sample_begins_when_the_one_before_it_ends(self):
        text = WEIGHTS + "sample thread=a 1000 f 50 0\nsample thread=a 1040 g 50 0\nsample thread=a 1200 f 1 0\n"
        _, _, calls = self.events(text)
        self.assertEqual({(1, 1): [("f", 1, 1.05, 0), ("g", 1.05, 1.1, 0), ("f", 1.2, 1.201, 0)]}, calls)

    def test_samples_that_are_longer_than_their_time_follow_one_another(self):
        self.write("in.txt", "weight n count 0 0\nsample thread=a 1000 f 1\nsample thread=a 1040 g 1\n")
        r = self.brazier("--plugin", PLUGIN, "run", "in.txt", "--from", "everything", "-t", "chrome-trace")
        self.assertEqual(0, r.code)
        self.assertIn("the samples of a thread are longer than the time", r.err)
        self.assertEqual([0, 1000, 1000, 2000], [e["ts"] for e in json.loads(r.out)["traceEvents"] if "ts" in e])

    def test_threads_without_times_have_their_stacks_in_order(self):
        text = WEIGHTS + "sample thread=a - f;g 5 0\nsample thread=a - f 1 0\nsample thread=b - f 2 0\n" \
            "sample thread=a - f;g 7 0\n"
        _, names, calls = self.events(text)
        self.assertEqual({(1,): "profile", (1, 1): "a", (1, 2): "b"}, names)
        self.assertEqual({(1, 1): [("f", 0, 0.013, 0), ("g", 0.001, 0.013, 1)], (1, 2): [("f", 0, 0.002, 0)]},
                         calls)

    def test_arguments_and_facts_say_what_is_known(self):
        trace, _, _ = self.events(WEIGHTS + Firefox.META + f"sample thread=a - {MAIN} 5 0\n")
        self.assertIn({"module": "/bin/app", "file": "app.c", "line": 12, "column": 3, "address": 4096},
                      [e.get("args") for e in trace["traceEvents"]])
        facts = trace["otherData"]
        del facts["creator"]
        self.assertEqual({"command": "./app", "host": "there", "architecture": "x86_64",
                          "start": 1700000000123456000, "clockStart": 400, "period": 5000,
                          "periodUnit": "microseconds", "comments": ["c"],
                          "facts": {"processor": "fast", "kernel": "6.1"}}, facts)


class Cpuprofile(Case):
    def test_samples_of_one_thread_keep_their_times(self):
        text = "weight time microseconds 0 1\nweight samples samples 0 0\n" + "".join(
            f"sample - {at} {stack} {time} 1\n" for at, stack, time in
            ((5000, "f", 2), (7000, "f;g", 0), (7000, "f", 3), (10000, "f", 1), (11000, "h", 0)))
        path = self.convert(text, "x.cpuprofile")
        self.assertEqual(["[] 5000 f time=2 samples=1", "[] 7000 f;g samples=1", "[] 7000 f time=3 samples=1",
                          "[] 10000 f time=1 samples=1", "[] 11000 h samples=1"], self.samples(path, "everything-timed"))
        file = json.loads(path.read_text())
        self.assertEqual((5, 11, [0, 2, 0, 3, 1, 0]), (file["startTime"], file["endTime"], file["timeDeltas"]))

    def test_samples_with_gaps_or_of_several_threads_are_summed(self):
        for more in ("- 5000 f 2", "thread=b 3000 f 2"):
            file = json.loads(self.convert(f"weight time microseconds 0 1\nsample - 1000 f 2\nsample {more}\n",
                                           "x.cpuprofile").read_text())
            self.assertEqual((0, 4, [2, 1]), (file["startTime"], file["endTime"], file["samples"]))

    def test_functions_of_the_same_name_are_nodes_of_their_own(self):
        nodes = json.loads(self.convert(Frames.TEXT, "x.cpuprofile").read_text())["nodes"]
        self.assertEqual([("(root)", 0), ("f", 2), ("g", 3), ("f", 7), ("g", 3), ("f", 2), ("g", 3)],
                         [(n["callFrame"]["functionName"], n["callFrame"]["lineNumber"] + 1) for n in nodes])


if __name__ == "__main__":
    common.main()
