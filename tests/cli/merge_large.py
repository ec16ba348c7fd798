#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests `brazier merge` of large sorted files, which are checked while they are read: the result is that of a run
that makes a profile, wherever a line makes a profile necessary."""
import functools
import os
import threading

import common
from lib.brazier import IS_EXHAUSTIVE

SIZE = 17 << 20  # bytes of a file: two have more than inputs that are checked before, one more than what is held back
LONG_WAY = ["--chunk-size", "100000"]


def lines(first):
    """Returns every second line from a number on, sorted, with long names: few lines make a file large."""
    return [b"main %06d;%s 3\n" % (i, b"work;" * 195 + b"end") for i in range(first, SIZE * 2 // 1000, 2)]


def sums(*files):
    total = {}
    for file in files:
        for line in file:
            stack, count = line.rsplit(b" ", 1)
            total[stack] = total.get(stack, 0) + int(count)
    return b"".join(b"%s %d\n" % line for line in sorted(total.items()))


class Large(common.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.odd, cls.even = lines(1), lines(0)

    @classmethod
    @functools.cache
    def sum_of_both(cls):
        return sums(cls.odd, cls.even)

    def write_all(self, *files):
        """Writes files of lines. Returns their names."""
        names = [f"{i}.folded" for i in range(len(files))]
        for name, file in zip(names, files):
            self.write(name, b"".join(file))
        return names

    def merged(self, *names, way=("-j1",), to="-"):
        r = self.brazier("merge", "--from", "folded", *names, *way, "-o", to)
        return r.code, r.raw, r.err

    def check_like_a_profile(self, *files):
        names = self.write_all(*files)
        want = self.merged(*names, way=LONG_WAY)
        for threads in ("-j1", "-j3") if IS_EXHAUSTIVE else ("-j3",):
            self.assertTrue(self.merged(*names, way=[threads]) == want, threads)
        return want

    def test_a_short_result_is_held_back(self):
        code, out, err = self.check_like_a_profile(self.odd[:15500], self.odd[2000:15500], self.odd[:15500])
        self.assertEqual((0, ""), (code, err))
        self.assertTrue(out == sums(self.odd[:15500], self.odd[2000:15500], self.odd[:15500]))

    def test_a_long_result_is_written_when_all_inputs_are_checked(self):
        code, out, err = self.check_like_a_profile(self.odd, self.even)
        self.assertEqual((0, ""), (code, err))
        self.assertTrue(out == self.sum_of_both())

    def test_a_line_out_of_order_needs_a_profile(self):
        for files in ((self.odd[:15500],) * 3, (self.odd, self.even)):
            for at in (1000, len(files[-1]) - 2) if IS_EXHAUSTIVE else (1000,):
                last = [*files[-1][:at], files[-1][0], *files[-1][at:]]
                code, out, _ = self.check_like_a_profile(*files[:-1], last)
                self.assertEqual(0, code)
                self.assertTrue(out == sums(*files[:-1], last), at)

    def test_a_bad_line_is_reported_as_by_a_profile(self):
        code, out, err = self.check_like_a_profile(self.odd, [*self.even, b"zz x\n"])
        self.assertEqual(0, code)
        self.assertIn("1.folded:%d:" % (len(self.even) + 1), err)

    def test_a_sum_that_is_too_large(self):
        most = [b"zz %d\n" % (10 ** 15 - 1)]
        file = [*self.odd[:15500], *most]
        code, out, _ = self.check_like_a_profile(file, file, file)
        self.assertTrue(code == 0 and out.endswith(b"zz %d\n" % (3 * (10 ** 15 - 1))))

    def test_a_named_pipe_is_opened_once(self):
        os.mkfifo(self.dir / "to")
        got = []

        def read():
            with open(self.dir / "to", "rb") as pipe:
                got.append(pipe.read())

        files = self.odd, [*self.even, self.even[0]]
        names = self.write_all(*files)
        thread = threading.Thread(target=read)
        thread.start()
        code, _, err = self.merged(*names, to="to")
        thread.join()
        self.assertEqual((0, ""), (code, err))
        self.assertTrue(got[0] == sums(*files))

    def test_an_output_that_cannot_be_made_fails(self):
        code, _, err = self.merged(*self.write_all(self.odd, self.even), to="none/out")
        self.assertEqual(1, code)
        self.assertIn("none/out", err)

    def test_a_run_that_needs_a_profile_replaces_an_earlier_output(self):
        self.write("sub/out", "earlier")
        code, _, _ = self.merged(*self.write_all(self.odd, [*self.even, b"zz x"]), to="sub/out")
        self.assertEqual(0, code)
        self.assertTrue((self.dir / "sub/out").read_bytes() == self.sum_of_both())


if __name__ == "__main__":
    common.main()
