#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests unusual inputs: truncated, binary, empty, enormous, in other encodings, damaged,
decompression bombs. For every input, the program ends by itself with status 0 and an output, or
with status 1, a reason and no output."""
import gzip
import os
import random
import subprocess
import unittest

import common
from lib.brazier import IS_EXHAUSTIVE
from lib.fold_many import fold_many

FAULTS = ("Sanitizer", "runtime error", "crashed", "host.contract")
PERF = common.PERF
FOLDED = "main;a;b 3\nmain;a 2\n"
DEEP = 100_000
# Runs without repeats read an eighth of each large input.
PART = 1 if IS_EXHAUSTIVE else 8
# Each small input is read in every fourth format then, the next input in others.
FORMATS_OF_EACH = 1 if IS_EXHAUSTIVE or common.SANITIZED else 4


def noise(n):
    return random.Random(1).randbytes(n)


def zstd(data):
    return subprocess.run(["zstd", "-q", "-c"], input=data, capture_output=True, check=True).stdout


def perf_of(frames):
    lines = "".join(f"\t{i + 4096:16x} f{i} (/opt/app)\n" for i in range(frames))
    return f"app 1/1 [000] 1.0: 1 cycles: \n{lines}\n"


def numbered(n):
    return ";".join(f"f{i}" for i in range(n))


# Small inputs are read in many formats and written by every output.
SMALL = {
    "empty": b"",
    "one-newline": b"\n",
    "newlines": b"\n" * 5000,
    "blanks": b" \t " * 500,
    "one-byte": b"a",
    "nul": b"\0",
    "nuls": b"\0" * 5000,
    "one-line": b"main;a 1\n",
    "no-last-newline": b"main;a 1",
    "crlf": FOLDED.replace("\n", "\r\n").encode(),
    "cr": FOLDED.replace("\n", "\r").encode(),
    "nul-in-a-name": b"main;a\0b 1\nmain;c 2\n",
    "control-characters": bytes(c for c in range(1, 32) if c != 10) + b";a 1\n",
    "not-utf8": b"main;\xff\xfe\x80\xc0\xaf 1\n",
    "surrogates-in-utf8": b"main;\xed\xa0\x80;\xf4\x90\x80\x80 1\n",
    "markup": b"<script>;]]>&amp;\"' 1\n",
    "only-separators": b";;;;; 1\n",
    "counts-alone": b"1\n2\n3\n",
    "negative": b"main -5\n",
    "largest": b"main 9223372036854775807\nmain;a 9223372036854775807\n",
    "too-large": b"main 99999999999999999999999999\n",
    "noise": noise(20_000),
    "noise-in-lines": noise(20_000).replace(b"\0", b"\n"),
    "elf": b"\x7fELF" + noise(2000),
    "mark-only": b"\xef\xbb\xbf",
    "utf16": b"\xff\xfe" + FOLDED.encode("utf-16-le"),
    "utf16-big": b"\xfe\xff" + FOLDED.encode("utf-16-be"),
    "utf16-odd-length": b"\xff\xfe" + FOLDED.encode("utf-16-le")[:-1],
    "utf16-mark-only": b"\xff\xfe",
    "utf16-mark-and-half": b"\xff\xfea",
    "utf16-surrogates": b"\xff\xfe" + b"\x00\xd8;\x00\x00\xdc \x001\x00\n\x00",
    "gz": gzip.compress(FOLDED.encode()),
    "gz-cut": gzip.compress(FOLDED.encode() * 100)[:-9],
    "gz-header": gzip.compress(b"")[:10],
    "gz-magic": b"\x1f\x8b",
    "gz-noise": b"\x1f\x8b\x08\x00" + noise(500),
    "gz-of-nothing": gzip.compress(b""),
    "gz-and-more": gzip.compress(FOLDED.encode()) + b"more",
    "gz-in-gz": gzip.compress(gzip.compress(FOLDED.encode())),
    "zst": zstd(FOLDED.encode()),
    "zst-cut": zstd(FOLDED.encode() * 100)[:-9],
    "zst-magic": b"\x28\xb5\x2f\xfd",
    "zst-noise": b"\x28\xb5\x2f\xfd" + noise(500),
    "zst-of-nothing": zstd(b""),
    "zst-in-gz": gzip.compress(zstd(FOLDED.encode())),
    "json-deep": b"[" * 20_000,
    "json-deeper": b'{"a":' * 20_000,
    "json-cut": b'{"data": {"@": {"\\n    work+7\\n": 1',
    "xml-deep": b"<a>" * 20_000,
    "xml-cut": b'<?xml version="1.0"?><trace-query-result><node',
}

# Large inputs are read in the formats that are most likely to fail.
LARGE = {
    "long-line": (b"main;" + b"a" * (10_000_000 // PART) + b" 1\n", ["folded", "perf"]),
    "long-line-without-a-count": (b"a" * (10_000_000 // PART), ["folded", "perf", "xdebug"]),
    "deep-stack": (f"{numbered(DEEP)} 1\n".encode(), ["folded"]),
    "deep-recursion": ((";".join(["f"] * DEEP) + " 1\n").encode(), ["folded", "recursive"]),
    "deep-perf-stack": (perf_of(DEEP).encode(), ["perf"]),
    "many-lines": (b"x\n" * (2_000_000 // PART), ["folded", "perf", "dtrace"]),
    "gz-bomb": (gzip.compress(b"\0" * (200_000_000 // PART)), ["folded", "perf"]),
    "gz-bomb-of-lines": (gzip.compress(b"\n" * (50_000_000 // PART)), ["folded", "perf"]),
    "zst-bomb": (zstd(b"a;b 1\n" * (10_000_000 // PART)), ["folded"]),
}


class OddInputs(common.Case):
    def ends_well(self, *args, output=None):
        r = self.brazier(*args, timeout=300)
        self.assertIn(r.code, (0, 1), r)
        for word in FAULTS:
            self.assertNotIn(word, r.err, r)
        if r.code == 1:
            self.assertIn("error: ", r.err, r)
        if output is not None:
            self.assertEqual(r.code == 0, output.exists(), r)
            output.unlink(missing_ok=True)
        return r

    def test_every_format_ends_well_with_small_inputs(self):
        formats = self.components("collapser")
        jobs = [(format, self.write(name, data)) for i, (name, data) in enumerate(SMALL.items())
                for format in formats[i % FORMATS_OF_EACH::FORMATS_OF_EACH]]
        for (format, path), r in zip(jobs, fold_many(jobs)):
            with self.subTest(input=path.name, format=format):
                self.assertIn(r.code, (0, 1), r)
                for word in FAULTS:
                    self.assertNotIn(word, r.said, r)
                if r.code == 1:
                    self.assertIn("error: ", r.said, r)
                    self.assertEqual(0, r.written, r)

    def test_the_program_folds_every_small_input(self):
        formats = self.components("collapser")
        for i, (name, data) in enumerate(SMALL.items()):
            with self.subTest(input=name):
                self.ends_well("collapse", formats[i % len(formats)], self.write(name, data))

    def test_every_output_ends_well_with_every_small_input(self):
        outputs = self.components("output")
        made = {o: self.dir / f"made.{o}" for o in outputs}
        uses = ", ".join(f"{{use: {o}, to: {path}}}" for o, path in made.items())
        config = self.write("all.yaml", f"pipelines: {{all: {{collapse: folded, outputs: [{uses}]}}}}")
        for name, data in SMALL.items():
            with self.subTest(input=name):
                r = self.ends_well("--config", config, "run", "all", self.write(name, data))
                for path in made.values():
                    self.assertEqual(r.code == 0, path.exists(), r)
                    path.unlink(missing_ok=True)

    def test_every_small_input_is_guessed_or_refused(self):
        for name, data in SMALL.items():
            with self.subTest(input=name):
                made = self.dir / "made.svg"
                self.ends_well("run", self.write(name, data), "-o", made, output=made)
                self.ends_well("guess", self.dir / name)

    def test_large_inputs_end_well(self):
        formats = self.components("collapser")
        for name, (data, wanted) in LARGE.items():
            path = self.write(name, data)
            for format in set(wanted) & set(formats):
                with self.subTest(input=name, format=format):
                    self.ends_well("collapse", format, path)
            path.unlink()

    def test_a_line_takes_as_long_as_it_is(self):
        """Tests a line that is similar to itself: the number of comparisons must grow only with its
        length."""
        n = 2_000_000 // PART
        two = ";".join(["f;g"] * (n // 2))
        lines = [(";".join(["f"] * n), "f"), (two, two), (";".join(['a:"b'] * n), 'a:"b')]
        for stack, without_recursion in lines:
            path = self.write("line", f"{stack} 3\n")
            for format, wanted in (("folded", stack), ("recursive", without_recursion)):
                with self.subTest(begins=stack[:6], format=format):
                    r = self.brazier("collapse", format, path, timeout=60)
                    self.assertTrue((r.code, r.out) == (0, f"{wanted} 3\n"), r.err)

    def test_every_output_draws_a_deep_stack(self):
        path = self.write("deep", f"{numbered(DEEP if IS_EXHAUSTIVE else DEEP // 4)} 1\n")
        made = self.dir / "made"
        for output in self.components("output"):
            with self.subTest(output=output):
                r = self.ends_well("flamegraph", path, "--to", output, "-o", made, output=made)
                self.assertEqual(0, r.code, r)

    def test_what_could_be_many_things_takes_as_long_as_it_is(self):
        """Tests words that could each begin a sample, a name of many inlined calls, concatenated
        documents: the parser must not scan the same text again for each of them."""
        n = 100_000
        words = "app 100 [000] 1.4: 6 cycles: " * n
        inputs = {
            "perf": (f"{PERF}{words}\n{PERF}{words.replace(': ', ':(x)')}\n", "node;main;parse"),
            "dtrace": (f"\n              jvm`a{'->b' * n}\n              jvm`main\n                2\n",
                       "jvm`main;jvm`a;b_[i];b_[i];"),
            "xctrace": ('<?xml version="1.0"?>\n' * n + "<trace-query-result/>\n", None),
        }
        for format, (text, shown) in inputs.items():
            path = self.write(format, text)
            with self.subTest(format=format):
                r = self.brazier("collapse", format, path, timeout=60)
                self.assertEqual(1 if shown is None else 0, r.code, r.err[-400:])
                self.assertTrue(shown is None or shown in r.out)

    def test_a_count_of_dtrace_that_is_missing_after_the_beginning_costs_its_stack(self):
        frames = "              {}`f{}+0x1\n              {}`main+0x17a\n"
        kernel = [f"\n{frames.format('genunix', i % 9, 'unix')}                1\n" for i in range(20_000)]
        kernel[19_000] = kernel[19_000].replace("                1\n", "")
        both = "\n{}\n{}                1\n".format(frames.format("genunix", 1, "unix"), frames.format("app", 2, "libc"))
        r = self.brazier("collapse", "dtrace", stdin="".join(kernel))
        self.assertEqual(9, len(r.out.splitlines()))
        self.assertIn("left out: 1 record of unknown weight", r.err)
        kernel[19_000] = kernel[0]
        r = self.brazier("collapse", "dtrace", stdin="".join(kernel) + 3 * both)
        self.assertIn("libc`main;app`f2;unix`main;genunix`f1 3\n", r.out)
        self.assertNotIn("left out", r.err)

    def test_a_stack_longer_than_what_is_looked_at_is_guessed(self):
        for stacks in (f"{numbered(DEEP)} 1\n", f"{';'.join(['f'] * DEEP)} 1\nmain;a 2\n"):
            self.assertEqual(stacks, self.good("run", "-t", "folded", stdin=stacks).out)
        for other in ("{" + numbered(DEEP), numbered(DEEP).replace("f7;", "x=7;"), "x" * 10 ** 6,
                      numbered(DEEP).replace("f7;", "f7\t;")):
            self.assertIn("--from", self.fails(1, "run", "-t", "folded", stdin=other).err)

    def test_what_is_good_of_a_cut_off_file_is_used(self):
        whole = "".join(f"main;f{i} 1\n" for i in range(50_000)).encode()
        for pack, name in ((gzip.compress, "a.gz"), (zstd, "a.zst")):
            packed = pack(whole)
            path = self.write(name, packed[:len(packed) // 2])
            r = self.ends_well("collapse", "folded", path)
            self.assertEqual(0, r.code, r)
            self.assertIn("the data before it is used", r.err)
            self.assertGreater(r.out.count("\n"), 1000)

    def test_a_pipe_that_ends_at_any_byte_is_no_different(self):
        data = gzip.compress(FOLDED.encode())
        for n in range(len(data)):
            with self.subTest(bytes=n):
                path = self.write("cut", data[:n])
                file, pipe = (self.brazier("collapse", "folded", path),
                              self.brazier("collapse", "folded", stdin=data[:n]))
                self.assertEqual((file.code, file.out), (pipe.code, pipe.out), (file, pipe))
                self.assertIn(file.code, (0, 1), file)

    @unittest.skipIf(common.SANITIZED, "a sanitizer needs memory of its own")
    def test_a_bomb_does_not_fill_the_memory(self):
        path = self.write("bomb.gz", gzip.compress(b"\0" * 200_000_000, 1))
        p = self.start("collapse", "folded", path, stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(p.pid, 0)
        p.returncode = os.waitstatus_to_exitcode(status)
        self.assertIn(p.returncode, (0, 1))
        self.assertLess(usage.ru_maxrss, 400_000, "kilobytes")

    def test_a_deep_stack_of_papyrus_has_1024_functions_and_ends_in_order(self):
        lines = ["Script_a log opened (PC)"]
        lines += [f"5:PUSH:7:{i}:None:a..f" for i in range(1, 1031)]
        lines += [f"{5 if i > 1024 else 6}:POP:7:{i}:None:a..f" for i in range(1030, 0, -1)]
        r = self.brazier("collapse", "papyrus", stdin="\n".join(lines) + "\n")
        self.assertEqual(0, r.code, r)
        self.assertEqual(";".join(["a..f"] * 1024) + " 1\n", r.out)
        self.assertIn("calls in stacks of more than 1024 functions left out: 6", r.err)
        self.assertNotIn("missing", r.err)


if __name__ == "__main__":
    common.main()
