#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the faults that `brazier plugin check` must find in plug-ins that load but violate the
contract.

zoo/check/NAME.c is an animal. Its first comment contains the tests to run after "only:", compiler
options after "flags:" and a test's time limit after "limit:". zoo/check/expected/NAME.txt is the
expected report without machine-dependent parts. --update writes the expected files; read them
before you commit.
"""
import concurrent.futures
import json
import re
import signal
import struct
import subprocess
import sys
import time
import unittest
import xml.etree.ElementTree as ET

import common

ZOO = common.HERE / "zoo" / "check"
EXPECTED = ZOO / "expected"
SAMPLES = ZOO / "samples"
# Section types in an ELF file: the loader's data, and the symbols for other objects.
SHT_DYNAMIC, SHT_DYNSYM = 6, 11
GOOD = {"good-collapser", "good-validate", "good-unguessed", "good-palette", "good-output", "good-transform",
        "option-of-a-command"}
# Tests that are meaningless with a sanitizer, which changes time, heap and stack.
UNSANITIZED = {"writes-while-loading", "slow-sniff", "slow-to-load", "leaks", "palette-leaks", "output-leaks", "transform-leaks", "grows", "executable-stack", "deep-recursion"}
# Seconds of processor time for each test with random inputs: more than for plug-ins without faults.
EFFORT = "0.05" if common.SANITIZED else "0.025"
ANIMALS = sorted(p.stem for p in ZOO.glob("*.c"))


def words_after(source, key):
    found = re.search(rf"^ \* {key}: (.*)$", source.read_text(), re.M)
    return found.group(1).split() if found else []


class Zoo(common.Case):
    def make(self, name):
        source = ZOO / f"{name}.c"
        path = self.dir / f"{name}.so"
        common.compile_plugin(source, path, "-D_GNU_SOURCE", "-O1", "-Wextra", *common.override_flags(),
                              *words_after(source, "flags"))
        return path

    def check(self, path, *words, limit="60"):
        return self.brazier("plugin", "check", path, "--samples", SAMPLES, "--seed", "7",
                            "--effort", EFFORT, "--time-limit", limit, *words)

    @classmethod
    def setUpClass(cls):
        """Starts the checks of animals that do not end: they wait for their time limits while other tests run. Not
        if some tests were selected, which may be others."""
        super().setUpClass()
        cls.waiting = {}
        for name in ANIMALS if {*sys.argv[1:]} <= {"--update"} else []:
            if words_after(ZOO / f"{name}.c", "limit"):
                animal = cls(f"test_animal_{name.replace('-', '_')}")
                cls.addClassCleanup(animal.doCleanups)
                animal.setUp()
                done = concurrent.futures.ThreadPoolExecutor(1).submit(animal.check_animal, name)
                cls.waiting[name] = (animal, done)

    def check_animal(self, name):
        """Checks an animal with the tests and the time limit that it names. Returns the tests and the process."""
        path = self.make(name)
        tests = words_after(ZOO / f"{name}.c", "only")
        only = [] if tests == ["all"] else [w for t in tests if t != "--only" for w in ("--only", t)]
        limit = words_after(ZOO / f"{name}.c", "limit") or ["60"]
        return only, self.check(path, "--quiet", *only, limit=limit[0])

    def test_faults_of_options_point_at_their_origin(self):
        path = self.make("good-validate")
        self.write("in.folded", "a 1\n")
        config = self.write("own.yaml", "options:\n  zoo:\n    least: 7\n    names: [a, b c]\n")
        p = self.brazier("--plugin", path, "--config", config, "config", "check")
        self.assertEqual(2, p.returncode, p)
        self.assertIn("own.yaml:3:12: error: 'least' of 'zoo': is larger than 'most'\n"
                      "        least: 7\n               ^\n",
                      p.stderr)
        self.assertIn("own.yaml:4:16: error: 'names' of 'zoo': has a blank or is empty\n"
                      "        names: [a, b c]\n                   ^~~\n", p.stderr)
        p = self.brazier("--plugin", path, "run", "no-such-file", "-o", "out.zoo", "-s", "zoo.least=8")
        self.assertEqual(2, p.returncode, p)
        self.assertEqual("brazier: error: --set zoo.least=8: 'least' of 'zoo': is larger than 'most'\n",
                         p.stderr)
        p = self.brazier("--plugin", path, "run", "in.folded", "-o", "out.zoo", "-s", "zoo.least=5")
        self.assertEqual((0, ""), (p.returncode, p.stderr))

    def replacements(self):
        return [
            (re.escape(str(self.dir)), "DIR"),
            (re.escape(str(SAMPLES)), "SAMPLES"),
            (r"each left \d+ (bytes|mappings)", r"each left N \1"),
            (r"take \d+ KiB more", "take N KiB more"),
            (r"takes \d+\.\d+ ms", "takes N ms"),
            (r"within [\d.]+ seconds", "within N seconds"),
            (r"\d+ of \d+ bytes of its writable data have changed, the first at 0x[0-9a-f]+",
             "N of N bytes of its writable data have changed, the first at ADDRESS"),
            (r"threads: (?:[1-9]\d+|[2-9])", "threads: MANY"),
            (r"\bat 0x[0-9a-f]+", "at ADDRESS"),
            (r"flags 0x?[0-9a-f]+", "flags FLAGS"),
            (r"umask: \d+", "umask: MASK"),
            (r"rounding: [1-9]\d*", "rounding: CHANGED"),
            (r"(?m)\b9\d{9} 1$", "TIME 1"),
            (r"needs lib\S+( (lib|ld-)\S+)*", "needs LIBRARIES"),
            (r"needs no library", "needs LIBRARIES"),
        ]

    def meet(self, name):
        if common.SANITIZED and name in UNSANITIZED:
            self.skipTest("a sanitizer has its own time and heap")
        animal, done = self.waiting.get(name, (self, None))
        only, p = done.result() if done is not None else self.check_animal(name)
        self.assertEqual(0 if name in GOOD else 1, p.returncode, p.stdout + p.stderr)
        if common.SANITIZED:
            return
        text = re.sub(r"^DIR.*\n", "", p.stdout, flags=re.M)
        p.stdout = "".join(line for line in text.splitlines(True) if "      again: " not in line)
        t = common.Transcripts(self, animal.replacements())
        t.add(f"brazier plugin check {name}.so" + "".join(f" {w}" for w in only), p)
        t.check(EXPECTED / f"{name}.txt")

    # ---- reports ----------------------------------------------------------------------------

    def test_json_says_the_same_as_text(self):
        p = self.check(self.make("points-elsewhere"), "--json", "--only", "contract")
        printed = json.loads(p.stdout)
        self.assertEqual(1, p.returncode)
        self.assertEqual(7, printed["seed"])
        failed = [t for t in printed["tests"] if t["status"] == "failed"]
        self.assertEqual(["contract/diag"], [t["name"] for t in failed])
        self.assertEqual({"BRZ-C19"}, {f["clause"] for f in failed[0]["failures"]})
        self.assertEqual(len(printed["tests"]), printed["passed"] + printed["failed"] + printed["skipped"])

    def test_junit_can_be_read(self):
        self.check(self.make("raw-names-in-json"), "--junit", "junit.xml", "--only", "output")
        suite = ET.parse(self.dir / "junit.xml").getroot()
        self.assertEqual("testsuite", suite.tag)
        self.assertEqual("5", suite.get("tests"))
        self.assertEqual("1", suite.get("failures"))
        failure = suite.find("testcase[@name='well-formed']/failure")
        self.assertEqual("BRZ-C48", failure.get("type"))

    def test_one_test_can_be_run_in_the_process_of_the_program(self):
        path = self.make("takes-half-lines")
        apart = self.check(path, "--quiet", "--only", "parse/chunks")
        here = self.check(path, "--quiet", "--in-process", "parse/chunks")
        self.assertEqual((1, apart.stdout), (here.returncode, here.stdout))

    def test_the_same_seed_gives_the_same_faults(self):
        path = self.make("crash-on-half-a-record")
        one = self.check(path, "--only", "robustness/truncated").stdout
        self.assertEqual(one, self.check(path, "--only", "robustness/truncated").stdout)

    def test_inputs_that_show_a_fault_are_kept(self):
        (self.dir / "kept").mkdir()
        self.check(self.make("takes-half-lines"), "--keep", "kept", "--only", "robustness/flips")
        self.assertTrue((self.dir / "kept" / "robustness-flips-1").exists())

    def test_inputs_with_which_a_test_is_lost_are_kept(self):
        (self.dir / "kept").mkdir()
        for animal, test, limit in (("crash-on-half-a-record", "robustness-truncated", "60"),
                                    ("endless-on-blanks", "robustness-long-line", "1")):
            p = self.check(self.make(animal), "--keep", "kept", "--only", test.replace("-", "/", 1), limit=limit)
            self.assertIn(f"; the input is in kept/{test}-lost\n", p.stdout)
            self.assertTrue((self.dir / "kept" / f"{test}-lost").exists())
        self.check(self.make("good-collapser"), "--keep", "kept", "--only", "robustness")
        self.assertEqual([], list((self.dir / "kept").iterdir()))

    def test_a_missing_folder_for_inputs_is_an_error(self):
        p = self.check(self.make("good-collapser"), "--keep", "nowhere")
        self.assertEqual(2, p.returncode)
        self.assertEqual("brazier: error: --keep nowhere: No such file or directory\n", p.stderr)

    def test_a_failure_names_the_command_that_repeats_it(self):
        p = self.check(self.make("takes-half-lines"), "--only", "parse/chunks")
        again = re.search(r"^      again: brazier (.*)$", p.stdout, re.M).group(1).split()
        self.assertIn("--samples", again)
        self.assertEqual(1, self.brazier(*again).returncode)

    def test_a_sample_without_a_result_shows_the_reason(self):
        self.write("samples/odd.txt", "no sample\n")
        self.write("samples/odd.folded", "main 1\n")
        self.write("samples/odd.odd", "a test\n")
        p = self.brazier("plugin", "check", self.make("good-collapser"), "--samples", "samples", "--only", "parse/golden")
        self.assertEqual(1, p.returncode)
        self.assertRegex(p.stdout, r"expected +main 1\n +seen +brazier: error: .*")

    def test_an_option_that_commands_take_is_a_warning(self):
        p = self.check(self.make("option-of-a-command"), "--only", "static/options")
        self.assertEqual(0, p.returncode)
        self.assertIn("ok    static/options: warning: brazier has options of the same names, which commands take instead: "
                      "'drop' of zoo\n", p.stdout)

    def test_tests_are_listed_with_what_they_try(self):
        p = self.brazier("plugin", "check", "--list")
        self.assertEqual(0, p.returncode)
        self.assertRegex(p.stdout, r"(?m)^sniff/own +\S")

    def test_a_group_can_be_left_out(self):
        path = self.make("sets-a-variable")
        self.assertEqual(1, self.check(path).returncode)
        self.assertEqual(0, self.check(path, "--skip", "contract").returncode)

    def test_a_signal_ends_it(self):
        path = self.make("endless-sniff")
        p = subprocess.Popen([common.BRAZIER, "plugin", "check", path, "--samples", SAMPLES,
                              "--only", "sniff/own"], stdout=subprocess.PIPE, text=True)
        self.assertIn("seed", p.stdout.readline())
        time.sleep(0.5)
        p.send_signal(signal.SIGINT)
        out, _ = p.communicate(timeout=120)
        self.assertIn("skip  sniff/own: interrupted", out)
        self.assertNotEqual(0, p.returncode)

    def test_wrong_words_are_wrong(self):
        path = self.make("good-palette")
        for words in (["--only", "pallete"], ["--seed", "x"], ["--time-limit", "0"],
                      ["--samples", "nowhere"], ["another.so"], ["--unknown"]):
            with self.subTest(words):
                p = self.brazier("plugin", "check", path, *words)
                self.assertEqual((2, ""), (p.returncode, p.stdout))
                self.assertIn("error: ", p.stderr)
        self.assertEqual(2, self.brazier("plugin", "check").returncode)

    def test_samples_are_found_beside_the_file(self):
        path = self.make("good-collapser")
        self.assertIn("There are no samples", self.brazier("plugin", "check", path,
                                                           "--only", "parse").stdout)
        (self.dir / "tests").mkdir()
        for name in ("first.in", "first.folded"):
            self.write(f"tests/{name}", (SAMPLES / name).read_text())
        p = self.brazier("plugin", "check", path, "--only", "parse/golden")
        self.assertEqual(0, p.returncode)
        self.assertIn("ok    parse/golden: 1 files", p.stdout)

    def test_a_golden_file_that_differs(self):
        path = self.make("good-collapser")
        self.write("tests/a.in", "zoo 1\nmain 1\n")
        self.write("tests/a.folded", "main 2\n")
        p = self.brazier("plugin", "check", path, "--only", "parse/golden")
        self.assertEqual(1, p.returncode)
        self.assertIn("zoo: a.in does not give a.folded", p.stdout)

    def test_a_file_that_is_refused(self):
        path = self.make("good-palette")
        path.chmod(0o757)
        p = self.check(path)
        self.assertEqual(1, p.returncode)
        self.assertIn("FAIL  static/load", p.stdout)
        self.assertIn("BRZ-C4: ", p.stdout)

    @unittest.skipUnless(common.IS_LP64, "the places of an ELF file of 64 bits")
    def test_tables_of_symbols_and_libraries_that_are_larger_than_the_file_end_with_it(self):
        path = self.make("good-palette")
        whole = self.check(path, "--only", "static").stdout
        image = bytearray(path.read_bytes())
        sections, = struct.unpack_from("=Q", image, 0x28)
        size, n = struct.unpack_from("=HH", image, 0x3a)
        for at in range(sections, sections + n * size, size):
            kind, = struct.unpack_from("=I", image, at + 4)
            if kind in (SHT_DYNAMIC, SHT_DYNSYM):
                struct.pack_into("=Q", image, at + 32, 1 << 62)
        path.write_bytes(image)
        printed = self.check(path, "--only", "static/symbols", "--only", "static/object").stdout
        self.assertNotIn("it does not end", printed)
        self.assertIn("needs ", whole)
        line = next(line for line in whole.splitlines() if "needs " in line)
        self.assertIn(line, printed)

    def test_two_of_one_id_in_one_folder(self):
        (self.dir / "both").mkdir()
        for name in ("good-collapser", "prints"):
            self.make(name).rename(self.dir / "both" / f"{name}.so")
        p = self.brazier("--plugin-dir", self.dir / "both", "collapse", "zoo", SAMPLES / "first.in")
        self.assertNotEqual(0, p.returncode)
        self.assertIn("good-collapser.so", p.stderr)
        self.assertIn("prints.so", p.stderr)


def animal_test(name):
    def test(self):
        self.meet(name)
    return test


for animal in ANIMALS:
    setattr(Zoo, f"test_animal_{animal.replace('-', '_')}", animal_test(animal))


class Clauses(unittest.TestCase):
    """The clauses in the program have the wording of the document."""

    def test_every_clause_is_as_documented(self):
        page = (common.SOURCE / "docs" / "plugin-abi.md").read_text()
        rows = re.findall(r"^\| BRZ-C(\d+) \| (.*?) \|", page, re.M)
        rows.sort(key=lambda row: int(row[0]))
        self.assertEqual(list(range(1, len(rows) + 1)), [int(n) for n, _ in rows])
        code = (common.SOURCE / "check/contract/clauses.c").read_text()
        table = code[code.index("clauses[] = {"):code.index("};")]
        table = re.sub(r'"\s*\n\s*"', "", table)
        printed = [t.replace('\\"', '"') for t in re.findall(r'"((?:[^"\\]|\\.)*)"', table)]
        self.assertEqual([t.replace("`", "") for _, t in rows], printed[1:])

    def test_every_test_that_is_documented_exists(self):
        page = (common.SOURCE / "docs" / "plugin-abi.md").read_text()
        catalog = (common.SOURCE / "check/tests/catalog.c").read_text()
        tests = set(re.findall(r'\{"(\w+/[\w-]+)"', catalog))
        groups = {t.split("/")[0] for t in tests}
        named = {n for n in re.findall(r"`(\w+/[\w-]+)`", page) if n.split("/")[0] in groups}
        self.assertEqual(set(), named - tests)

    def test_no_expected_text_is_left_over(self):
        self.assertEqual(set(), {p.stem for p in EXPECTED.iterdir()} - set(ANIMALS))


if __name__ == "__main__":
    common.main()
