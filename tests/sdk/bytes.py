#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests which bytes collapsers of text, of binary data and of raw bytes receive, however the format
was chosen, and how positions in binary inputs are reported.

usage: bytes.py
"""
import gzip
import io
import random
import resource
import subprocess
import unittest

from common import BRAZIER, HERE, SANITIZED, Case, compile_plugin, main

BOM = b"\xef\xbb\xbf"


def packed(data, name=""):
    """Returns gzip data with a file name in its header."""
    to = io.BytesIO()
    with gzip.GzipFile(name, "wb", fileobj=to, mtime=0) as f:
        f.write(data)
    return to.getvalue()


class Bytes(Case):
    def setUp(self):
        super().setUp()
        self.plugin = self.dir / "collapse-bytes.so"
        compile_plugin(HERE / "bytes.c", self.plugin)

    def run_on(self, data, *words, form="file", name="in"):
        """Runs on bytes in a file or a pipe. Returns status, output and messages."""
        path = self.dir / name
        path.write_bytes(data)
        given = [path] if form == "file" else []
        p = subprocess.run(
            [str(w) for w in (BRAZIER, "--no-config", "run", *given, "--plugin", self.plugin,
                              "--to", "folded", *words)],
            input=data if form == "pipe" else None, capture_output=True, cwd=self.dir, timeout=60,
            stdin=None if form == "pipe" else subprocess.DEVNULL)
        return p.returncode, p.stdout.decode(), p.stderr.decode()

    def received(self, data, *words, **more):
        """Returns (index, size, number of bytes, sum) as the collapser tells them."""
        code, out, said = self.run_on(data, *words, **more)
        self.assertEqual(0, code, said)
        return tuple(int(frame.split("=")[1]) for frame in out.split(";")[:4])

    def assert_received(self, expected, data, *words, **more):
        total = 0
        for byte in expected:
            total = (total * 31 + byte) % 2**32
        for form in ("file", "pipe"):
            for extra in ((), ("--isolate",), ("--chunk-size", "64")):
                got = self.received(data, *words, *extra, form=form, **more)
                self.assertEqual((len(expected), total), got[2:], (form, words, extra))

    def test_text_is_decoded(self):
        text = "text ä\n".encode() * 50
        for data in (text, BOM + text, packed(text), packed(BOM + text),
                     text.decode().encode("utf-16")):
            self.assert_received(text, data)
            self.assert_received(text, data, "--from", "b-text")

    def test_binary_data_is_decompressed_and_nothing_else(self):
        data = BOM + b"binary\0\n" + bytes(range(256)) * 1000
        for given in (data, packed(data), packed(packed(data))):
            self.assert_received(data, given)
            self.assert_received(data, given, "--from", "b-binary")

    def test_what_looks_like_utf_16_is_left_alone(self):
        for data in (b"\xff\xfe" + b"a\0b\0" * 100, b"a\0b\0c\0d\0" * 100, b"\0a\0b\0c\0d" * 100):
            self.assert_received(data, data, "--from", "b-binary")
            self.assert_received(data, packed(data), "--from", "b-whole")

    def test_raw_bytes_are_those_of_the_file(self):
        data = packed(random.Random(1).randbytes(300_000), "raw")
        self.assert_received(data, data)
        self.assert_received(data, data, "--from", "b-raw")
        text = BOM + b"text\n"
        self.assert_received(text, text, "--from", "b-raw")

    def test_a_magic_number_may_be_that_of_the_raw_bytes(self):
        self.assert_received(b"anything\n" * 20_000, packed(b"anything\n" * 20_000, "packed"))

    def test_large_compressed_inputs_return_to_their_beginning(self):
        data = packed(random.Random(2).randbytes(5_000_000), "raw")
        self.assert_received(data, data)

    def test_a_whole_input_is_passed_at_once(self):
        for n in (0, 1, 4095, 4096, 4097, 70_000, 3_000_000):
            data = random.Random(n).randbytes(n)
            if n > 0:
                self.assert_received(data, data, "--from", "b-whole")

    @unittest.skipIf(SANITIZED, "a sanitizer reserves addresses")
    def test_a_whole_file_is_mapped_not_copied(self):
        path = self.dir / "large"
        with path.open("wb") as f:
            f.write(b"a")
            f.truncate(2 << 30)
        p = subprocess.run([BRAZIER, "--no-config", "run", path, "--plugin", self.plugin, "--from",
                            "b-ends", "--to", "folded"], capture_output=True, text=True, timeout=60,
                           preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA,
                                                                 (512 << 20, 512 << 20)))
        self.assertEqual((0, f"first=97;last=0;bytes={2 << 30} 1\n"), (p.returncode, p.stdout),
                         p.stderr)

    def test_a_whole_file_that_becomes_shorter_fails_the_run(self):
        for size in (2_000_000, 489 * 4096):
            code, out, said = self.run_on(b"x" * size, "--from", "b-cut")
            self.assertEqual((1, ""), (code, out))
            self.assertIn("cannot be read: it became shorter while it was read", said)

    def test_the_size_of_a_plain_file_is_known(self):
        for words, data, size in ((["b-binary"], b"x" * 1000, 1000),
                                  (["b-text"], BOM + b"text\n", 5),
                                  (["b-raw"], packed(b"x"), len(packed(b"x"))),
                                  (["b-binary"], packed(b"x" * 1000), 0)):
            self.assertEqual(size, self.received(data, "--from", *words)[1])
        self.assertEqual(0, self.received(b"x" * 1000, "--from", "b-binary", form="pipe")[1])

    def test_inputs_have_names_and_numbers(self):
        for name in ("one", "two"):
            (self.dir / name).write_bytes(b"text\n")
        for words in ((), ("--isolate",), ("--from", "b-text")):
            p = self.brazier("--no-config", "run", "one", "two", "--plugin", self.plugin, "--to",
                             "folded", *words)
            self.assertEqual(["input=0;size=5;bytes=5;sum=", "input=1;size=5;bytes=5;sum="],
                             [line[:27] for line in p.stdout.splitlines()], p.stderr)
            self.assertEqual(["one 1", "two 1"],
                             [line.split(";")[-1] for line in p.stdout.splitlines()])

    def test_positions_in_binary_inputs_are_byte_offsets(self):
        data = b"\n\xff" * 2000 + b"\xee\n" + b"\n\xff" * 40_000 + b"\xee"
        for form, given in (("file", data), ("pipe", data), ("file", packed(data))):
            for words in ((), ("--isolate",), ("--chunk-size", "64")):
                code, _, said = self.run_on(given, "--from", "b-binary", "-v", *words, form=form,
                                            name="in.pb")
                self.assertEqual(0, code, said)
                name = self.dir / "in.pb" if form == "file" else "stdin"
                self.assertIn(f"{name}: byte 0xfa0: warning: an odd byte: counted\n", said)
                self.assertIn(f"{name}: byte 0x14822: warning: an odd byte: counted\n", said)
                self.assertNotIn("^", said)

    def test_positions_are_those_in_their_own_input(self):
        (self.dir / "first").write_bytes(b"x" * 100)
        code, _, said = self.run_on(b"xx\xee", "--from", "b-raw", self.dir / "first", name="last")
        self.assertEqual(0, code, said)
        self.assertIn("last: byte 0x2: warning", said)

    def test_records_may_be_limited(self):
        record = bytes([14]) + b"x" * 14
        self.assertEqual((0, "record 1000\n", ""),
                         self.run_on(record * 1000, "--from", "b-records", "--chunk-size", "16"))
        for form in ("file", "pipe"):
            for words in ((), ("--chunk-size", "16")):
                code, out, said = self.run_on(record * 3 + b"\xff" * 50, "--from", "b-records",
                                              "--chunk-size", "16", form=form)
                self.assertEqual((1, ""), (code, out))
                self.assertIn("byte 0x2d: error: record of more than 16 bytes, which the format does "
                              "not allow", said)

    def test_a_line_that_is_too_long_is_left_out_wherever_chunks_end(self):
        data = b"one!\n" + b"x" * 150 + b"\n" + b"y" * 20 + b"\ntwo!\n"
        for form in ("file", "pipe"):
            for size in (16, 50, 64):
                code, out, said = self.run_on(data + b"z!\n" * 500, "--from", "b-lines",
                                              "--chunk-size", size, form=form)
                self.assertEqual((0, "record 502\n"), (code, out), (form, size, said))
                self.assertIn(":2:1: warning: record of more than 100 bytes: left out", said)


if __name__ == "__main__":
    main()
