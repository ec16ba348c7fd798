#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the report on the quality of a profile.

usage: quality.py [TEST...]
"""
import json
import os
import unittest

import common
from lib.elf import Elf
from lib.perf_data import BP_SP_IP, CPU, Event, FREQ, IN_KERNEL, IN_USER, KERNEL_MODE, KERNEL_PID, Recording, \
    REGS_USER, SAMPLE_ID_ALL, STACK_USER, USUAL, CALLCHAIN
from perf_data import APP, HAS_PERF_DATA, ID, OTHER, program

KERNEL = 0xffffffff81000000


def recording(*events, samples=100, chain=(IN_USER, APP + 0x110, APP + 0x150), step=1001001, cpu=0, start=None,
              build_id=ID):
    """Samples of a program that is mapped at APP, which are enough not to be few."""
    one, parts = Recording(*events), []
    one.comm(10, "app")
    one.mmap2(10, APP, 0x1000, "/srv/app", 0x1000, build_id=build_id)
    if start is not None:
        start(one)
    parts.append(one.data)
    for i in range(samples):
        one.data = b""
        one.sample(10, list(chain), time=(1 << 30) + i * step, cpu=cpu)
        parts.append(one.data)
    one.data = b"".join(parts)
    return one


@unittest.skipUnless(HAS_PERF_DATA, "this build has no collapser perf-data")
class Quality(common.Case):
    def setUp(self):
        super().setUp()
        self.put("/srv/app", program(ID).bytes())

    def put(self, path, data):
        self.write("root" + path, data)

    def run_on(self, r, *words):
        self.write("p.data", r.file())
        p = self.brazier("run", "p.data", "-t", "folded", "--sysroot", self.dir / "root", *words)
        self.assertEqual(0, p.code, p)
        return p.err

    def findings(self, r, *words):
        """The findings by their codes."""
        err = self.run_on(r, "--quality=json", *words)
        line = next(x for x in err.splitlines() if x.startswith("{"))
        return {f["code"]: f for f in json.loads(line)["findings"]}

    def found(self, r, *words):
        return sorted(self.findings(r, *words))

    # ---- forms

    def test_a_good_profile_has_no_message(self):
        self.assertEqual("", self.run_on(recording()))
        self.assertEqual("brazier: note: quality: 0 findings\n", self.run_on(recording(), "--quality"))

    def test_one_line_names_the_findings(self):
        err = self.run_on(recording(samples=3, start=lambda r: r.change(2, r.pack("QQ", 0, 40), time=2)))
        self.assertEqual("brazier: warning: quality: 40 records were lost; 3 samples are few, so shares are rough "
                         "(--quality tells what helps)\n", err)

    def test_an_output_has_the_findings_of_the_line_in_any_form_of_the_report(self):
        self.write("p.data", recording(
            samples=3, start=lambda r: r.change(2, r.pack("QQ", 0, 40), time=2)).file())
        for more in ([], ["--quality"], ["--quality=json"], ["--quiet"], ["--isolate"]):
            p = self.brazier("run", "p.data", "-t", "markdown", "--sysroot", self.dir / "root", *more)
            self.assertEqual("Quality of the recording: 40 records were lost; 3 samples are few, so shares are rough",
                             p.out.splitlines()[-1], more)

    def test_a_summary_of_a_good_profile_has_no_line_about_it(self):
        self.write("p.data", recording().file())
        self.assertNotIn("Quality", self.good("run", "p.data", "-t", "markdown", "--sysroot", self.dir / "root").out)

    def test_the_report_tells_what_helps(self):
        for more in ([], ["--isolate"]):
            err = self.run_on(recording(samples=3), "--quality", *more)
            self.assertEqual("brazier: note: quality: 1 finding, explained in docs/quality.md\n"
                             "  few-samples: 3 samples are few, so shares are rough\n"
                             "      record longer, or with a higher -F\n", err)

    def test_losses_name_the_options_of_both_recorders(self):
        """brazier record has no option -m."""
        lost = recording(samples=3, start=lambda r: r.change(2, r.pack("QQ", 0, 40), time=2))
        self.assertEqual("the recorder could not keep up; record with a lower -F, or larger buffers (perf record -m 16M)",
                         self.findings(lost)["lost"]["remedy"])

    def test_a_report_that_is_asked_for_is_not_hidden_by_quiet(self):
        data = recording(samples=10)
        err = self.run_on(data, "--quality=json", "-q")
        self.assertEqual(["brazier: note: quality as JSON:"], [x for x in err.splitlines() if not x.startswith("{")])
        self.assertIn("  few-samples: ", self.run_on(data, "--quality", "-q"))
        self.assertEqual("", self.run_on(data, "-q"))

    def test_findings_as_json(self):
        found = self.findings(recording(samples=3))
        self.assertEqual({"few-samples": {"code": "few-samples", "severity": "note", "count": 3, "details": [],
                                          "finding": "3 samples are few, so shares are rough",
                                          "remedy": "record longer, or with a higher -F"}}, found)

    def test_each_finding_as_a_message(self):
        self.assertEqual("p.data: note: 3 samples are few, so shares are rough: record longer, or with a higher -F\n",
                         self.run_on(recording(samples=3), "--quality=each"))

    def test_findings_name_their_input_if_there_are_several(self):
        """Equal ones are not added up: 60 of 40 stacks would make no sense."""
        lost = recording(samples=3, start=lambda r: r.change(2, r.pack("QQ", 0, 40), time=2))
        self.write("a.data", lost.file())
        for name in ("b.data", "c.data"):
            self.write(name, recording(samples=3).file())
        words = ["run", "a.data", "b.data", "c.data", "-t", "folded", "--sysroot", self.dir / "root"]
        few = "3 samples are few, so shares are rough"
        for more in ([], ["--isolate"], ["-j1"]):
            err = self.brazier(*words, *more).err
            self.assertEqual(f"brazier: warning: quality: a.data: 40 records were lost; a.data: {few}; b.data: {few}; "
                             f"c.data: {few} (--quality tells what helps)\n", err)
            err = self.brazier(*words, *more, "--quality").err
            self.assertRegex(err, f"  lost: warning: a.data: 40 records were lost\n.*\n  few-samples: a.data: {few}\n.*\n"
                                  f"  few-samples: b.data: {few}\n.*\n  few-samples: c.data: {few}\n")
            err = self.brazier(*words, *more, "--quality=each").err
            for name in ("a", "b", "c"):
                self.assertIn(f"{name}.data: note: {few}: record longer", err)
            err = self.brazier(*words, *more, "--quality=json").err
            found = json.loads(next(x for x in err.splitlines() if x.startswith("{")))["findings"]
            self.assertEqual([("a.data", 40), ("a.data", 3), ("b.data", 3), ("c.data", 3)],
                             [(f["input"], f["count"]) for f in found])

    def test_modules_without_names_belong_to_their_input(self):
        for name, path in (("a", "/srv/liba.so"), ("b", "/srv/libb.so")):
            self.put(path, self.stripped())
            r = recording(chain=(IN_USER, 2 * APP + 0x110, APP + 0x150),
                          start=lambda one: one.mmap2(10, 2 * APP, 0x1000, path, 0x1000))
            self.write(f"{name}.data", r.file())
        err = self.brazier("run", "a.data", "b.data", "-t", "folded", "--sysroot", self.dir / "root", "--quality").err
        for name in ("a", "b"):
            self.assertRegex(err, rf"unknown: {name}\.data: 1 address has no name, in /srv/lib{name}\.so\n[^\n]*\n"
                                  rf"        /srv/lib{name}\.so: 1 address: [^\n]*\n(?!        )")

    def test_an_unknown_form_is_refused(self):
        r = self.fails(2, "run", "p.data", "--quality=jsn")
        self.assertIn("did you mean 'json'?", r.err)

    def test_other_formats_tell_which_code_has_no_name(self):
        self.write("p.txt", "app 10 1.0: 3 cycles:\n\t1234 main+0x1 (/usr/bin/app)\n\n"
                            "app 10 1.0: 1 cycles:\n\t1234 [unknown] (/usr/lib/libx.so)\n\t99 [unknown] ([unknown])\n")
        r = self.good("run", "p.txt", "-t", "folded")
        for more in ([], ["--isolate"]):
            r = self.brazier("run", "p.txt", "-t", "folded", "--quality", *more)
            self.assertEqual(
                "brazier: note: quality: 1 finding, explained in docs/quality.md\n"
                "  unknown: 2 frames stand for code without names, with 25 % of the weight\n"
                "      install the symbols of their modules where the profiler looks for them\n"
                "        /usr/lib/libx.so: the profiler found no symbols of it\n"
                "        no module: the profiler found no symbols of it\n", r.err)

    def test_files_of_sorted_folded_text_are_examined_too(self):
        filler = "".join("b;%07d%s 1\n" % (i, "x" * 90) for i in range(11000))
        self.write("a.folded", "a;[unknown] 11000\n" + filler)
        r = self.brazier("merge", "--from", "folded", "a.folded", "-o", "b.folded", "--quality")
        self.assertIn("unknown: 1 frame stands for code without names, with 50 % of the weight", r.err)

    # ---- findings

    def test_stacks_that_continue_on_another_stack(self):
        """`call` has moved to another stack, and keeps its own in the frame pointer."""
        e = Elf(build_id=ID)
        e.symbol("leaf", 0x100, 0x100)
        e.symbol("call", 0x200, 0x100)
        e.unwinding((0x100, 0x100, b""), (0x200, 0x100, b"\x0c\x06\x10\x86\x02"))
        self.put("/srv/app", e.bytes())
        event = Event("cpu-clock", registers=BP_SP_IP, stack=1024, sample_type=USUAL | REGS_USER | STACK_USER)
        r = Recording(event)
        r.comm(10, "app")
        r.mmap2(10, APP, 0x1000, "/srv/app", 0x1000, build_id=ID)
        r.stack(10, APP + 0x110, 0x7fff0000, 0x7ff00000, [APP + 0x210, 0], time=9)
        found = self.findings(r)["stack-elsewhere"]
        self.assertEqual((1, "note", "1 of 1 copied stacks continues on another stack, which is not copied"),
                         (found["count"], found["severity"], found["finding"]))
        self.assertIn("--call-graph fp", found["remedy"])
        self.assertIn("1 of 1 copied stacks continues on another stack, which is not copied (", self.run_on(r))
        self.assertIn("  stack-elsewhere: 1 of 1 copied stacks continues", self.run_on(r, "--quality"))
        self.assertEqual("app;call;leaf 1\n", self.brazier("run", "p.data", "-t", "folded", "--sysroot",
                                                          self.dir / "root").out)

    def test_modules_without_names_and_their_packages(self):
        self.put("/usr/lib/libload.so", self.stripped())
        self.put("/var/lib/dpkg/info/libother.list", "/usr/lib/libload.so.1\n/usr/lib\n")
        self.put("/var/lib/dpkg/info/libload1:amd64.list", "/lib\n/lib/libload.so\n")
        self.put("/var/lib/dpkg/info/libload1:amd64.md5sums", "/usr/lib/libload.so\n")

        def lib(r):
            r.mmap2(10, 0x7f0000000000, 0x1000, "/usr/lib/libload.so", 0x1000)
            r.mmap2(10, 0x7f0000010000, 0x1000, "/usr/lib/absent.so", 0x1000)
        for more in ([], ["--isolate"]):
            found = self.findings(recording(chain=(IN_USER, 0x7f0000000f00, 0x7f0000000e00, 0x7f0000010010),
                                            start=lib), *more)
            details = {d["subject"]: d for d in found["unknown"]["details"]}
            self.assertEqual("libload1-dbgsym", details["/usr/lib/libload.so"]["package"])
            self.assertIn("its file is stripped", details["/usr/lib/libload.so"]["text"])
            self.assertIn("its file is not here", details["/usr/lib/absent.so"]["text"])
            self.assertNotIn("package", details["/usr/lib/absent.so"])
            self.assertEqual(3, found["unknown"]["count"])
        err = self.run_on(recording(chain=(IN_USER, 0x7f0000000f00), start=lib), "--quality")
        self.assertIn("/usr/lib/libload.so: 1 address: its file is stripped, and its debugging symbols are not "
                      "installed; install libload1-dbgsym\n", err)

    def test_lists_of_packages_outside_of_the_root_are_not_read(self):
        self.put("/usr/lib/libload.so", self.stripped())
        outside = self.dir / "outside"
        outside.mkdir()
        (outside / "secret.list").write_text("/usr/lib/libload.so\n")
        info = self.dir / "root/var/lib/dpkg/info"

        def lib(r):
            r.mmap2(10, 0x7f0000000000, 0x1000, "/usr/lib/libload.so", 0x1000)

        def package():
            found = self.findings(recording(chain=(IN_USER, 0x7f0000000f00), start=lib))
            return found["unknown"]["details"][0].get("package")
        info.mkdir(parents=True)
        (info / "secret.list").symlink_to(outside / "secret.list")
        self.assertIsNone(package())
        (info / "secret.list").unlink()
        info.rmdir()
        info.symlink_to(outside)
        self.assertIsNone(package())
        info.unlink()
        outside.rename(info)
        self.assertEqual("secret-dbgsym", package())

    @staticmethod
    def stripped():
        e = Elf()
        e.symbol("exported", 0x800, 0x10, dynamic=True)
        return e.bytes()

    def test_kernel_symbols_that_the_kernel_hides(self):
        chain = (IN_KERNEL, KERNEL + 4, IN_USER, APP + 0x110, APP + 0x150)
        for offset, remedy in ((0, "kernel.kptr_restrict=0"), (KERNEL, "--kallsyms FILE")):
            found = self.findings(recording(chain=chain, start=self.kernel(offset)))
            self.assertEqual(["kernel"], sorted(found))
            self.assertIn(remedy, found["kernel"]["remedy"])

    def test_compiled_code_without_a_map(self):
        found = self.findings(recording(chain=(IN_USER, 0x7f0000000010, APP + 0x110),
                                        start=lambda r: r.mmap(10, 0x7f0000000000, 0x1000, "//anon")))
        self.assertEqual(["jit"], sorted(found))
        self.assertIn("--perf-basic-prof", found["jit"]["remedy"])

    def test_stacks_without_frame_pointers(self):
        chain = (IN_USER, APP + 0x110, 0x1234, APP + 0x110)
        self.assertIn("frame-pointers", self.found(recording(chain=chain)))
        self.assertEqual("100 of 100 stacks have callers where no code is mapped",
                         self.findings(recording(chain=chain))["frame-pointers"]["finding"])
        chain = (IN_KERNEL, KERNEL, IN_USER, APP + 0x110)
        self.assertEqual(["single-frame"], self.found(recording(chain=chain, start=self.kernel(KERNEL)), "--from",
                                                      "perf-data", "--kallsyms", self.kallsyms()))

    @staticmethod
    def kernel(offset):
        return lambda r: r.mmap(KERNEL_PID, KERNEL, 0x1000000, "[kernel.kallsyms]_text", offset, 0, KERNEL_MODE)

    def kallsyms(self):
        self.write("kallsyms", f"{KERNEL:x} T startup\n")
        return self.dir / "kallsyms"

    # ---- files without a check

    def test_files_are_reported_if_the_recording_has_no_build_ids(self):
        r = recording(build_id=None)
        self.assertEqual("brazier: note: quality: 1 file may differ from the one that was recorded, since the recording "
                         "has no build id of it (--quality tells what helps)\n", self.run_on(r))
        for more in ([], ["--isolate"]):
            found = self.findings(r, *more)["unchecked"]
            self.assertEqual(1, found["count"])
            self.assertIn("--buildid-mmap", found["remedy"])
            self.assertEqual([("/srv/app", "the recording lacks its build id")],
                             [(d["subject"], d["text"]) for d in found["details"]])

    def test_only_the_report_names_files_that_the_recording_does_not_list(self):
        def lib(r):
            r.mmap2(10, 0x7f0000000000, 0x1000, "/usr/lib/lib.so", 0x1000)
        self.put("/usr/lib/lib.so", program(OTHER).bytes())
        r = recording(chain=(IN_USER, APP + 0x110, 0x7f0000000110), start=lib)
        self.assertEqual("", self.run_on(r))
        self.assertEqual(["/usr/lib/lib.so"], [d["subject"] for d in self.findings(r)["unchecked"]["details"]])

    def test_only_the_report_names_files_without_build_ids(self):
        self.put("/srv/app", program().bytes())
        r = recording(build_id=None)
        self.assertEqual("", self.run_on(r))
        self.assertIn("/srv/app: it has no build id", self.run_on(r, "--quality"))
        found = self.findings(r)["unchecked"]
        self.assertEqual("1 file may differ from the one that was recorded, since it has no build id", found["finding"])
        self.assertIn("-Wl,--build-id", found["remedy"])
        self.assertNotIn("brazier record", found["remedy"])

    def test_files_that_are_not_used_are_not_unchecked(self):
        (self.dir / "root/srv/app").unlink()
        self.assertEqual(["unknown"], self.found(recording(build_id=None)))
        self.put("/srv/app", program(OTHER).bytes())
        self.assertEqual(["build-id"], self.found(recording()), "the names that are missing are the consequence")

    def changed(self, moment, build_id=None, **more):
        """The message about a recording of a program outside of any sysroot that is changed `moment` seconds after it."""
        path = self.write("app", program(ID).bytes())
        r = recording(build_id=build_id, start=lambda r: r.mmap2(10, APP, 0x1000, str(path), 0x1000, build_id=build_id), **more)
        data = self.write("p.data", r.file())
        os.utime(data, (1_000_000, 1_000_000))
        os.utime(path, (1_000_000 + moment, 1_000_000 + moment))
        return path, self.brazier("run", data, "-t", "folded", "--quality=json")

    def test_a_file_that_is_newer_than_the_recording(self):
        path, r = self.changed(1)
        found = json.loads(next(x for x in r.err.splitlines() if x.startswith("{")))["findings"]
        self.assertEqual(("newer", "warning", 1), tuple(found[0][k] for k in ("code", "severity", "count")))
        self.assertIn("was changed after the recording", found[0]["finding"])
        self.assertIn("brazier record", found[0]["remedy"])
        self.assertEqual([str(path)], [d["subject"] for d in found[0]["details"]])
        self.assertEqual("app;load;main 100\n", r.out, "it is used nevertheless")
        self.assertEqual(["newer"], [f["code"] for f in found], "a file has one of both findings")

    def test_files_that_are_as_old_as_the_recording_or_older(self):
        for moment in (0, -1):
            self.assertNotIn('"newer"', self.changed(moment)[1].err)

    def test_times_do_not_matter_if_there_is_a_build_id(self):
        self.assertNotIn('"newer"', self.changed(1, ID)[1].err)

    def test_times_of_copies_do_not_matter(self):
        self.changed(1)
        os.utime(self.dir / "p.data", (1, 1))
        r = self.brazier("run", "p.data", "-t", "folded", "--quality=json", "--sysroot", "/")
        self.assertIn('"unchecked"', r.err)
        self.assertNotIn('"newer"', r.err)

    # ---- interpreters

    def test_interpreters_whose_functions_have_no_frames(self):
        """Most of the samples: nothing else helps, such as symbols of the interpreter."""
        for path, function, language, remedy in (
                ("/usr/bin/python3.11", "_PyEval_EvalFrameDefault", "Python", "python 3.12 or later with -X perf"),
                ("/usr/bin/php8.2", "execute_ex", "PHP", "Excimer"),
                ("/usr/bin/perl", "Perl_runops_standard", "Perl", "-d:NYTProf"),
                ("/usr/lib/x86_64-linux-gnu/libruby-3.1.so.3.1.2", "rb_vm_exec", "Ruby", "rbspy record"),
                ("/srv/server", "execute_ex", "PHP", "Excimer")):
            e = Elf(build_id=OTHER)
            e.symbol(function, 0x100, 0x40, dynamic=True)
            self.put(path, e.bytes())
            r = recording(chain=(IN_USER, 2 * APP + 0x200, 2 * APP + 0x110, APP + 0x110, APP + 0x150),
                          start=lambda one, path=path: one.mmap2(10, 2 * APP, 0x1000, path, 0x1000, build_id=OTHER))
            found = next(iter(self.findings(r).values()))
            self.assertEqual(("interpreter", "warning"), (found["code"], found["severity"]), path)
            self.assertEqual(f"100 of 100 samples are in the interpreter of {language}, whose functions have no frames",
                             found["finding"])
            self.assertIn(remedy, found["remedy"])

    def test_names_that_only_begin_like_those_of_interpreters(self):
        for path in ("/usr/bin/phpstorm", "/usr/lib/libperlite.so", "/usr/bin/rubymine"):
            self.put(path, program(OTHER).bytes())
            r = recording(chain=(IN_USER, 2 * APP + 0x110, APP + 0x110), start=lambda one, path=path: one.mmap2(
                10, 2 * APP, 0x1000, path, 0x1000, build_id=OTHER))
            self.assertEqual([], self.found(r), path)

    def test_an_interpreter_that_takes_a_tenth_of_the_time(self):
        self.put("/usr/bin/perl", program(OTHER).bytes())
        r = recording(samples=90, start=lambda one: one.mmap2(10, 2 * APP, 0x1000, "/usr/bin/perl", 0x1000, build_id=OTHER))
        for i in range(10):
            r.sample(10, [IN_USER, 2 * APP + 0x110], time=(2 << 30) + i * 1001001)
        found = self.findings(r)["interpreter"]
        self.assertEqual(("note", 10), (found["severity"], found["count"]))

    def test_python_whose_functions_have_frames(self):
        self.put("/usr/bin/python3.12", program(OTHER).bytes())
        self.put("/tmp/perf-10.map", "7f0000000000 100 py::work:/srv/work.py\n")

        def start(one):
            one.mmap2(10, 2 * APP, 0x1000, "/usr/bin/python3.12", 0x1000, build_id=OTHER)
            one.mmap(10, 0x7f0000000000, 0x1000, "//anon")
        self.assertEqual([], self.found(recording(chain=(IN_USER, 2 * APP + 0x110, 0x7f0000000010), start=start)))

    def test_a_virtual_machine_of_java_without_a_map(self):
        def start(one):
            one.comm(10, "java")
            one.mmap(10, 0x7f0000000000, 0x1000, "//anon")
        found = self.findings(recording(chain=(IN_USER, 0x7f0000000010, APP + 0x110), start=start))
        self.assertEqual(["jit"], sorted(found))
        self.assertIn("`jcmd PID Compiler.perfmap`", found["jit"]["remedy"])

    # ---- stacks

    def test_samples_without_stacks(self):
        r = recording(Event("cpu-clock", sample_type=USUAL & ~CALLCHAIN))
        self.assertEqual(["no-stacks"], self.found(r))

    def test_stacks_as_deep_as_the_kernel_records(self):
        found = self.findings(recording(chain=(IN_USER, *([APP + 0x110] * 127))))
        self.assertEqual("100 of 100 stacks are as deep as the kernel records, so their roots are missing",
                         found["depth"]["finding"])

    def test_timers_in_step(self):
        for period, flags in ((1000, FREQ), (100, FREQ), (4000000, 0)):
            r = recording(Event("cpu-clock", period=period, flags=SAMPLE_ID_ALL | flags))
            self.assertEqual(["lock-step"], self.found(r), period)
        for period, flags in ((997, FREQ), (999, FREQ), (4000, FREQ), (1001001, 0)):
            r = recording(Event("cpu-clock", period=period, flags=SAMPLE_ID_ALL | flags))
            self.assertEqual([], self.found(r), period)

    def test_samples_at_the_same_moment_of_each_millisecond(self):
        event = Event("cycles", 0, 0, USUAL | CPU)
        self.assertEqual(["lock-step"], self.found(recording(event, samples=1000, step=3000000, cpu=5)))
        self.assertEqual([], self.found(recording(event, samples=999, step=3000000)))
        self.assertEqual([], self.found(recording(event, samples=1000, step=3001001)))


if __name__ == "__main__":
    common.main()
