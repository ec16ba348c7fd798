#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests that the source of bytes makes no difference: files, pipes, compressed or in another
encoding."""
import gzip
import json
import os
import random
import socket
import subprocess
import threading
import unittest
import zlib

import common
from common import PERF, PERF_STACKS, STACKS


def zstd(data):
    return subprocess.run(["zstd", "-q", "-c"], input=data, capture_output=True, check=True).stdout


class Inputs(common.Case):
    def collapse(self, *args, **more):
        return self.good("collapse", *args, **more).out

    # ---- places ----

    def test_a_file(self):
        self.write("p.txt", PERF)
        self.assertEqual(PERF_STACKS, self.collapse("perf", "p.txt"))

    def test_standard_input_without_a_word_and_with_a_dash(self):
        self.assertEqual(PERF_STACKS, self.collapse("perf", stdin=PERF))
        self.assertEqual(PERF_STACKS, self.collapse("perf", "-", stdin=PERF))

    def test_a_file_as_standard_input(self):
        with open(self.write("p.txt", PERF), "rb") as f:
            p = subprocess.run(self.command(["collapse", "perf"]), stdin=f, cwd=self.dir,
                               env=self.environment(), capture_output=True)
        self.assertEqual((0, PERF_STACKS, ""), (p.returncode, p.stdout.decode(), p.stderr.decode()))

    def test_standard_input_that_was_read_in_part_before(self):
        path = self.write("p.txt", "skipped;this 1\n" + STACKS)
        with open(path, "rb", buffering=0) as f:
            os.lseek(f.fileno(), len("skipped;this 1\n"), os.SEEK_SET)
            p = subprocess.run(self.command(["collapse", "folded"]), stdin=f, cwd=self.dir,
                               env=self.environment(), capture_output=True)
        self.assertEqual((0, STACKS), (p.returncode, p.stdout.decode()), p.stderr)

    def test_a_named_pipe(self):
        fifo = self.dir / "fifo"
        os.mkfifo(fifo)
        writer = threading.Thread(target=fifo.write_text, args=(PERF,))
        writer.start()
        self.assertEqual(PERF_STACKS, self.collapse("perf", "fifo"))
        writer.join()

    def test_chunks_larger_than_the_largest_record(self):
        """Tests records of up to 64 MiB, the limit, in larger chunks."""
        line = "main;" + "x" * 1000 + " 1\n"
        n = (65 << 20) // len(line)
        self.write("large.folded", n * line)
        for words in (["-j1"], ["-j2", "--range-size=68000000"]):
            got = self.good("collapse", "folded", "large.folded", "--chunk-size=68000000", *words)
            self.assertEqual((line.replace(" 1", f" {n}"), ""), (got.out, got.err), words)

    def test_a_pipe_that_brings_a_byte_at_a_time(self):
        p = self.start("collapse", "perf")
        for byte in PERF.encode():
            p.stdin.write(bytes([byte]))
            p.stdin.flush()
        out, err = p.communicate(timeout=60)
        self.assertEqual((PERF_STACKS, b""), (out.decode(), err))

    def test_a_socket(self):
        ours, theirs = socket.socketpair()
        with ours, theirs:
            p = self.start("collapse", "perf", stdin=theirs)
            ours.sendall(PERF.encode())
            ours.shutdown(socket.SHUT_WR)
            out, err = p.communicate(timeout=60)
        self.assertEqual((PERF_STACKS, b""), (out.decode(), err))

    def test_several_files_are_added_up(self):
        self.write("a.folded", "main;a 1\nmain;b 2\n")
        self.write("b.folded", "main;b 3\nmain;c 4\n")
        self.assertEqual("main;a 1\nmain;b 5\nmain;c 4\n",
                         self.collapse("folded", "a.folded", "b.folded"))
        self.assertEqual("main;a 1\nmain;b 5\nmain;c 4\n",
                         self.collapse("folded", "-", "b.folded", stdin="main;a 1\nmain;b 2\n"))

    def test_files_of_several_formats_are_guessed_one_by_one(self):
        self.write("a.txt", PERF)
        self.write("b.folded", "node;main;malloc 7\n")
        perf = PERF.replace("cpu-clock", "samples")
        self.write("a.txt", perf)
        self.assertEqual("node;main;malloc 7\nnode;main;malloc;do_page_fault 10\n"
                         "node;main;parse 5\n", self.collapse("guess", "a.txt", "b.folded"))

    def test_a_file_that_was_measured_in_something_else_is_reported(self):
        self.write("a.txt", PERF)
        self.write("b.folded", "node;main;malloc 7\n")
        r = self.fails(1, "collapse", "guess", "a.txt", "b.folded")
        self.assertIn("b.folded: has 'samples', but a.txt has 'cpu-clock' in nanoseconds, which cannot be added", r.err)
        r = self.fails(1, "collapse", "guess", "a.txt", "b.folded", "--weight", "samples")
        self.assertIn("a.txt: has no values of 'samples', but of 'cpu-clock' in nanoseconds", r.err)

    def test_more_weights_than_there_can_be_fail_the_run(self):
        def events(n):
            return "".join(f"p 1 1.0: 1 event{i}: \n\t    7f0000001000 f (/a)\n\n" for i in range(n))
        self.assertEqual("p;f 1\n", self.collapse("perf", "--event", "all", stdin=events(255)))
        for more in ([], ["--isolate"], ["-j2", "--range-size", "1000"]):
            self.write("many.perf", events(300))
            p = self.fails(1, "collapse", "perf", "--event", "all", "many.perf", *more)
            self.assertIn("many.perf: more than 255 weights", p.err)

    def test_names_with_blanks_and_other_letters(self):
        for name in ("a file", "naïve.folded", "new\nline", "-", "%s"):
            self.write(name, STACKS)
            self.assertEqual(STACKS, self.collapse("folded", f"./{name}"))

    # ---- what is not there ----

    def test_a_missing_file_is_named(self):
        for args in (["run", "no.txt"], ["collapse", "perf", "no.txt"], ["flamegraph", "no.txt"],
                     ["guess", "no.txt"]):
            self.assertIn("no.txt", self.fails(1, *args).err)

    def test_a_missing_file_among_others_leaves_nothing_behind(self):
        self.write("a.folded", STACKS)
        self.fails(1, "run", "a.folded", "no.txt", "-o", "x.svg")
        self.assertEqual(["a.folded"], self.files())

    def test_a_folder_is_no_input(self):
        self.assertIn("irectory", self.fails(1, "run", ".", "-o", "x.svg").err)

    @unittest.skipIf(common.SANITIZED, "a sanitizer needs memory of its own")
    def test_a_long_name_of_a_process_is_kept_once(self):
        name = {"ph": "M", "name": "process_name", "pid": 1, "tid": 1, "args": {"name": "x" * 100_000}}
        samples = [{"ph": "P", "name": "s", "pid": 1, "tid": 1, "ts": i, "sf": 1} for i in range(4000)]
        trace = json.dumps({"stackFrames": {"1": {"name": "a"}}, "traceEvents": [name, *samples]})
        r = self.good("run", "--from", "chrome-trace", "--max-memory", "200M", "--only", "process=x",
                      "--to", "folded", stdin=trace)
        self.assertEqual("a 4000\n", r.out)

    @unittest.skipIf(common.SANITIZED, "a sanitizer needs memory of its own")
    def test_nested_calls_share_frames_after_transforms(self):
        def trace(name):
            return json.dumps([{"ph": "X", "pid": 1, "tid": 1, "ts": i, "dur": 50_000 - 2 * i, "name": name % (i % 9)}
                               for i in range(20_000)])

        for name, args in [("f%d", ["--keep", "f3"]), ("f%d", ["--drop", "^swapper"]), ("f%d", ["--rename", "f=>g"]),
                           ("f%d", ["--group-by", "thread"]), ("_ZN3foo2f%dEv", [])]:
            with self.subTest(name=name, args=args):
                self.good("run", "--from", "chrome-trace", "--max-memory", "200M", "--to", "table", *args, stdin=trace(name))

    def test_an_empty_input_is_an_error(self):
        self.write("e", "")
        for args in (["run", "e"], ["collapse", "perf", "e"], ["flamegraph", "e"], ["guess", "e"]):
            self.fails(1, *args)
        self.fails(1, "run", stdin="")

    def test_an_input_without_samples_is_an_error(self):
        self.assertIn("no samples", self.fails(1, "collapse", "perf", stdin="# only a comment\n").err)

    def test_the_message_on_an_unreadable_format_says_how_to_name_one(self):
        r = self.fails(1, "run", stdin="Lorem ipsum dolor sit amet\n" * 20)
        self.assertIn("--from", r.err)

    def test_an_input_that_cannot_be_read_is_not_called_empty(self):
        memory = "/proc/self/mem"  # its first page is a hole
        if not os.path.exists(memory):
            self.skipTest("no such file here")
        for args in (["run"], ["run", "--isolate"], ["collapse", "folded"], ["guess"],
                     ["guess", "--isolate"]):
            r = self.fails(1, *args, memory)
            self.assertRegex(r.err, "cannot be read: (Input/output error|I/O error)") # of glibc and musl

    def test_compressed_input_that_ends_before_its_first_byte_is_not_called_empty(self):
        for isolate in ([], ["--isolate"]):
            r = self.fails(1, "run", *isolate, stdin=gzip.compress(b"")[:9])
            self.assertEqual("brazier: error: stdin: gzip data ends early\n", r.err)

    def test_a_closed_standard_input_is_an_error(self):
        for command in ("run -t folded", "collapse folded", "guess"):
            r = self.in_shell(f'exec "$0" {command} <&-')
            self.assertEqual(1, r.code, r)
            self.assertIn("stdin: cannot be read: Bad file descriptor", r.err)

    # ---- compression ----

    def test_gzip(self):
        self.write("p.txt.gz", gzip.compress(PERF.encode()))
        self.assertEqual(PERF_STACKS, self.collapse("perf", "p.txt.gz"))
        self.assertEqual(PERF_STACKS, self.collapse("perf", stdin=gzip.compress(PERF.encode())))

    def test_gzip_in_several_members(self):
        half = PERF.index("node", 5)
        parts = [PERF[:half].encode(), PERF[half:].encode()]
        self.assertEqual(PERF_STACKS, self.collapse(
            "perf", stdin=b"".join(gzip.compress(part) for part in parts)))

    def test_zstd(self):
        self.write("p.zst", zstd(PERF.encode()))
        self.assertEqual(PERF_STACKS, self.collapse("perf", "p.zst"))
        self.assertEqual(PERF_STACKS, self.collapse("perf", stdin=zstd(PERF.encode())))

    def test_compressed_files_in_order_are_added_up_with_and_without_room_for_their_text(self):
        letters = random.Random(1)
        lines = [f"stack {i:05};{letters.randbytes(90).hex()}x" for i in range(14000)]
        self.write("a.folded.gz", gzip.compress("".join(f"{s} 1\n" for s in lines).encode(), 1))
        self.write("b.folded.zst", zstd("".join(f"{s} 2\n" for s in lines[::2]).encode()))
        want = "".join(f"{s} {3 - i % 2 * 2}\n" for i, s in enumerate(lines))
        for place in (self.dir, self.dir / "nowhere"):
            r = self.good("merge", "a.folded.gz", "b.folded.zst", env={"TMPDIR": str(place)})
            self.assertEqual(want, r.out)
        self.assertEqual(["a.folded.gz", "b.folded.zst"], self.files())

    def test_zstd_in_several_frames(self):
        half = PERF.index("node", 5)
        data = zstd(PERF[:half].encode()) + zstd(PERF[half:].encode())
        self.assertEqual(PERF_STACKS, self.collapse("perf", stdin=data))

    def test_zstd_frames_to_be_skipped(self):
        skipped = b"\x5a\x2a\x4d\x18\x04\0\0\0size"
        data = skipped + zstd(PERF.encode()) + skipped
        self.assertEqual(PERF_STACKS, self.collapse("perf", stdin=data))
        self.assertEqual(PERF_STACKS, self.collapse("guess", stdin=data))

    def test_compression_is_seen_in_the_bytes_not_in_the_name(self):
        self.write("plain.gz", PERF)
        self.assertEqual(PERF_STACKS, self.collapse("perf", "plain.gz"))
        self.write("packed.txt", zstd(PERF.encode()))
        self.assertEqual(PERF_STACKS, self.collapse("perf", "packed.txt"))

    def test_compressed_input_that_is_cut_off_is_used_as_far_as_it_goes(self):
        lines = [f"main;f{i:05} {i + 1}\n" for i in range(20000)]
        for pack in (gzip.compress, zstd):
            whole = pack("".join(lines).encode())
            r = self.brazier("collapse", "folded", stdin=whole[:len(whole) // 2])
            self.assertEqual(0, r.code, r)
            self.assertIn("warning: stdin: ", r.err)
            self.assertIn("ends early: the data before it is used", r.err)
            got = r.out.splitlines(keepends=True)
            self.assertEqual(lines[:len(got)], got)
            self.assertTrue(1000 < len(got) < 19000, len(got))

    def test_a_record_at_the_end_of_compressed_input_that_is_cut_off_does_not_count(self):
        """A half line or stack looks like a whole one."""
        records = {
            "folded": ("main;f%05d %d\n", ""),
            "recursive": ("main;f%05d %d\n", ""),
            "perf": ("app 1 [000] 1.%06d: 7 cycles:\n\t1 f%05d (/a)\n\t2 main (/a)\n\n", ""),
            "dtrace": ("  a`f%05d\n  a`main\n  %d\n\n", "header\n\n"),
        }
        for form, (record, header) in records.items():
            text = header + "".join(record % (i, i + 1) for i in range(5000))
            whole = gzip.compress(text.encode())
            for size in range(len(whole) // 2, len(whole) // 2 + (12 if common.IS_EXHAUSTIVE else 4)):
                self.write("cut.gz", whole[:size])
                read = zlib.decompressobj(31).decompress(whole[:size]).decode()
                end = read.rfind("\n\n" if form in ("perf", "dtrace") else "\n") + 1
                self.write("part.txt", read[:end + 1] if form in ("perf", "dtrace") else read[:end])
                expected = self.brazier("collapse", form, "-q", "part.txt").out
                for words in ([], ["-j1"], ["-j3", "--range-size", "2000"], ["--isolate"]):
                    with self.subTest(form=form, size=size, words=words):
                        r = self.brazier("collapse", form, "cut.gz", *words)
                        self.assertEqual(expected, r.out)
                        self.assertIn("ends early", r.err)
                        if end < len(read) - 1:
                            self.assertIn("the input ends within a record: left out", r.err)

    def test_compressed_input_that_is_damaged_is_reported(self):
        data = bytearray(gzip.compress(STACKS.encode()))
        data[-6] ^= 0x55  # in the checksum
        r = self.brazier("collapse", "folded", stdin=bytes(data))
        self.assertEqual((0, STACKS), (r.code, r.out), r)
        self.assertIn("gzip data is damaged", r.err)
        self.assertIn("no samples", self.fails(1, "collapse", "folded",
                                               stdin=b"\x1f\x8b\x08 garbage" * 9).err)

    # ---- encodings ----

    def test_byte_order_marks(self):
        text = "main;naïve;関数 3\n"
        for encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"):
            mark = {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}.get(encoding, b"")
            self.assertEqual(text, self.collapse("folded", stdin=mark + text.encode(encoding)))

    def test_utf16_without_a_byte_order_mark(self):
        text = "main;naïve;関数 3\n"
        for encoding in ("utf-16-le", "utf-16-be"):
            for data in (text.encode(encoding), gzip.compress(text.encode(encoding))):
                self.assertEqual(text, self.collapse("folded", stdin=data))
                self.assertEqual(text, self.collapse("guess", self.write("in", data)))

    def test_utf16_in_gzip(self):
        self.assertEqual(PERF_STACKS,
                         self.collapse("perf", stdin=gzip.compress(PERF.encode("utf-16"))))

    def test_utf16_is_guessed(self):
        self.assertEqual(PERF_STACKS, self.collapse("guess", stdin=PERF.encode("utf-16")))

    def test_bytes_that_are_no_utf8_become_a_mark(self):
        self.assertEqual("main;caf\ufffd 3\n", self.collapse("folded", stdin=b"main;caf\xe9 3\n"))

    def test_line_ends_of_other_systems(self):
        self.assertEqual(STACKS, self.collapse("folded", stdin=STACKS.replace("\n", "\r\n")))
        self.assertEqual(PERF_STACKS, self.collapse("perf", stdin=PERF.replace("\n", "\r\n")))

    def test_the_last_line_needs_no_end(self):
        self.assertEqual(STACKS, self.collapse("folded", stdin=STACKS.rstrip()))
        self.assertEqual(PERF_STACKS, self.collapse("perf", stdin=PERF.rstrip()))

    def test_a_real_recording(self):
        packed = self.collapse("perf", common.DEMO)
        plain = self.collapse("perf", stdin=gzip.decompress(common.DEMO.read_bytes()))
        self.assertEqual(packed, plain)
        self.assertGreater(len(packed.splitlines()), 100)


if __name__ == "__main__":
    common.main()
