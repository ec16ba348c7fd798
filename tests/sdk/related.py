#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests which files host->open_related opens: symbols of a program, the other files of a set.

usage: related.py
"""
import itertools
import os
import unittest

from common import HERE, Case, compile_plugin, main

OPENED, ABSENT, REFUSED = "0", "1", "2"


class Related(Case):
    def setUp(self):
        super().setUp()
        self.plugin = self.dir / "collapse-related.so"
        compile_plugin(HERE / "related.c", self.plugin)
        self.write("set/other.txt", "other")
        self.write("lib/a.so", "as it is")
        self.write("root/lib/b.so", "b in the root")
        self.write("root" + str(self.dir / "lib/a.so"), "a in the root")

    def run_on(self, text, *words):
        path = self.write("set/in.txt", text)
        return self.brazier("--no-config", "run", path, "--from", "related", "--to", "folded",
                            "--plugin", self.plugin, *words)

    def opened(self, name, *words, verb="open"):
        """Returns "STATUS SIZE TEXT" of a file, and the messages."""
        p = self.run_on(f"{verb} {name}\n", *words)
        self.assertEqual(0, p.returncode, p.stderr)
        return p.stdout.rsplit(" ", 1)[0].strip(), p.stderr

    def assert_refused(self, name, why, *words):
        got, said = self.opened(name, *words)
        self.assertEqual(f"{REFUSED} 0", got.strip())
        self.assertIn(f"'{name}' is not read: {why}", said)
        self.assertEqual(1, said.count("warning"), said)

    def test_an_absolute_name_is_opened_as_it_is(self):
        self.assertEqual((f"{OPENED} 8 as it is", ""), self.opened(self.dir / "lib/a.so"))

    def test_a_relative_name_is_beside_the_input(self):
        self.assertEqual((f"{OPENED} 5 other", ""), self.opened("other.txt"))
        p = self.brazier("--no-config", "run", "--from", "related", "--to", "folded", "--plugin",
                         self.plugin, stdin="open other.txt\n")
        self.assertIn("its name is relative, and the input is not in a folder", p.stderr)

    def test_what_is_not_there_is_absent_without_a_message(self):
        self.assertEqual((f"{ABSENT} 0", ""), self.opened("/nowhere/at/all"))
        self.assertEqual((f"{ABSENT} 0", ""), self.opened("nowhere"))

    def test_absent_files_do_not_count_as_opened_ones(self):
        absent = "".join(f"open absent-{i}\n" for i in range(4100))
        p = self.run_on(absent + "open other.txt\n")
        self.assertEqual((0, ""), (p.returncode, p.stderr))
        self.assertEqual({f"{ABSENT} 0  4100", f"{OPENED} 5 other 1"}, set(p.stdout.splitlines()))

    def test_the_number_of_names_is_limited(self):
        p = self.run_on("".join(f"open absent-{i}\n" for i in range(64001)))
        self.assertEqual(0, p.returncode, p.stderr)
        self.assertIn("the input asks for more than 64000 other files: the rest are not read", p.stderr)

    def test_an_empty_file_is_opened(self):
        self.write("set/empty", "")
        self.assertEqual((f"{OPENED} 0", ""), self.opened("empty"))

    def test_files_below_the_sysroot_come_first(self):
        root = ("--sysroot", self.dir / "root")
        self.assertEqual(f"{OPENED} 13 a in the root", self.opened(self.dir / "lib/a.so", *root)[0])
        self.assertEqual(f"{OPENED} 13 b in the root", self.opened("/lib/b.so", *root)[0])
        self.write("lib/c.so", "c")
        self.assertEqual(f"{OPENED} 1 c", self.opened(self.dir / "lib/c.so", *root)[0])

    def test_what_the_input_names_is_read_below_the_sysroot_only(self):
        root = ("--sysroot", self.dir / "root")
        self.write("lib/c.so", "c")
        self.assertEqual((f"{OPENED} 13 a in the root", ""), self.opened(self.dir / "lib/a.so", *root, verb="named"))
        inside = f"{self.dir}/root{self.dir}/lib/a.so"
        self.assertEqual((f"{OPENED} 13 a in the root", ""), self.opened(inside, *root, verb="named"))
        self.assertEqual((f"{ABSENT} 0", ""), self.opened(self.dir / "lib/c.so", *root, verb="named"))
        self.assertEqual((f"{OPENED} 1 c", ""), self.opened(self.dir / "lib/c.so", verb="named"))
        self.assertEqual((f"{OPENED} 5 other", ""), self.opened("other.txt", *root, verb="named"))
        p = self.run_on(f"named {self.dir}/lib/c.so\nopen {self.dir}/lib/c.so\n" * 9, *root)
        self.assertEqual(f"{OPENED} 1 c 9\n{ABSENT} 0  9\n", p.stdout, p.stderr)

    def test_a_sysroot_that_is_not_there_is_a_warning(self):
        self.write("lib/c.so", "c")
        for name, words in itertools.product(("nowhere", "lib/c.so"), ((), ("--isolate",))):
            p = self.run_on(f"named {self.dir}/lib/c.so\n", "--sysroot", name, *words)
            self.assertEqual(0, p.returncode, p.stderr)
            self.assertEqual(1, p.stderr.count(f"warning: --sysroot: there is no folder '{name}', so files that inputs "
                                               "name are not read\n"), p.stderr)

    def test_links_below_the_sysroot_stay_in_it(self):
        root = self.dir / "root"
        (root / "lib/b.so.1").symlink_to("b.so")
        (root / "lib/abs.so").symlink_to("/lib/b.so")
        (root / "lib/out.so").symlink_to("../../../../../../.." + str(self.dir / "set/other.txt"))
        got = self.opened("/lib/b.so.1", "--sysroot", root)[0]
        if got.startswith(REFUSED):
            self.skipTest("this kernel cannot resolve links below a folder")
        self.assertEqual(f"{OPENED} 13 b in the root", got)
        self.assertEqual(f"{OPENED} 13 b in the root", self.opened("/lib/abs.so", "--sysroot", root)[0])
        self.assertEqual(f"{ABSENT} 0", self.opened("/lib/out.so", "--sysroot", root)[0])

    def test_what_is_no_regular_file_is_refused_at_once(self):
        os.mkfifo(self.dir / "set/fifo")
        for name in ("fifo", self.dir / "set", "/dev/zero", "/dev/tty"):
            self.assert_refused(name, "it is not a regular file")
        os.mkfifo(self.dir / "root/fifo")
        self.assert_refused("/fifo", "it is not a regular file", "--sysroot", self.dir / "root")

    def test_odd_names_are_refused(self):
        self.assert_refused("../lib/a.so", "its name has '..' in it")
        self.assert_refused(f"{self.dir}/set/../lib/a.so", "its name has '..' in it")
        self.assert_refused("x" * 5000, "its name is not valid")
        self.write("set/a..b", "dots")
        self.assertEqual(f"{OPENED} 4 dots", self.opened("a..b")[0])

    def test_a_file_that_is_too_large_is_refused(self):
        with (self.dir / "set/large").open("wb") as f:
            f.truncate((8 << 30) + 1)
        self.assert_refused("large", "it is larger than 8 GiB")

    @unittest.skipUnless(os.geteuid() == 0, "not root")
    def test_a_file_that_somebody_planted_is_refused(self):
        self.write("tmp/perf-1.map", "map").chmod(0o644)
        (self.dir / "tmp").chmod(0o1777)
        os.chown(self.dir / "tmp/perf-1.map", 12345, 12345)
        self.assert_refused(self.dir / "tmp/perf-1.map", "it belongs to another user, in a folder "
                            "that everybody can write to")
        (self.dir / "tmp").chmod(0o755)
        self.assertEqual(f"{OPENED} 3 map", self.opened(self.dir / "tmp/perf-1.map")[0])

    def test_what_was_opened_is_listed_with_v(self):
        for words in ((), ("--isolate",)):
            path = self.dir / "root/lib/b.so"
            _, said = self.opened("/lib/b.so", "-v", "--sysroot", self.dir / "root", *words)
            self.assertIn(f"opened {path}, 13 bytes\n", said)
            _, said = self.opened("/nowhere", "-v", "--sysroot", self.dir / "root")
            self.assertIn("there is no '/nowhere'\n", said)

    def test_each_file_is_opened_once(self):
        for words in ((), ("--isolate",), ("-j4", "--range-size", "16")):
            p = self.run_on("open /lib/b.so\nopen /lib/x\n" * 500, "-v", "--sysroot",
                            self.dir / "root", *words)
            self.assertEqual(f"{OPENED} 13 b in the root 500\n{ABSENT} 0  500\n", p.stdout, p.stderr)
            self.assertEqual(1, p.stderr.count("opened "))

    def test_in_isolation_only_files_below_the_sysroot_are_read(self):
        why = "with --isolate, only files below --sysroot DIR are read"
        self.assert_refused(self.dir / "lib/a.so", why, "--isolate")
        self.assert_refused("other.txt", why, "--isolate")
        self.assert_refused("other.txt", why, "--isolate", "--sysroot", self.dir / "root")
        for name, size, text in ((self.dir / "lib/a.so", 13, "a in the root"),
                                 ("/lib/b.so", 13, "b in the root")):
            got = self.opened(name, "--isolate", "--sysroot", self.dir / "root")
            self.assertEqual((f"{OPENED} {size} {text}", ""), got)
        self.assertEqual((f"{OPENED} 5 other", ""),
                         self.opened("other.txt", "--isolate", "--sysroot", self.dir / "set"))
        self.assertEqual((f"{ABSENT} 0", ""),
                         self.opened("absent.txt", "--isolate", "--sysroot", self.dir / "set"))

    def test_many_files_that_are_refused_in_isolation_are_one_warning(self):
        p = self.run_on("".join(f"open /far/{n}\n" for n in range(20)), "--isolate")
        self.assertEqual(0, p.returncode, p.stderr)
        self.assertRegex(p.stderr, "^brazier: warning: [^\n]*: '/far/0', '/far/1', '/far/2' and 17 more are not read: with "
                                   "--isolate, only files below --sysroot DIR are read\n$")

    def test_many_files_are_opened_in_isolation(self):
        for n in range(300):
            self.write(f"root/many/{n}", f"file {n}")
        text = "".join(f"open /many/{n}\n" for n in range(300))
        want = "".join(sorted(f"{OPENED} {len(f'file {n}')} file {n} 1\n" for n in range(300)))
        for words in ((), ("--isolate",), ("--isolate", "-j4", "--range-size", "100")):
            p = self.run_on(text, "--sysroot", self.dir / "root", *words)
            self.assertEqual((0, want, ""), (p.returncode, p.stdout, p.stderr))

    def test_a_configuration_that_was_found_reads_below_its_folder_only(self):
        self.write("set/.brazier.yaml", "pipelines:\n  p:\n    collapse: related\n    inputs: [in.txt]\n"
                                        "    outputs: [{use: folded, to: out.folded}]\n")
        self.write("set/in.txt", f"open {self.dir}/lib/a.so\nopen other.txt\n")
        p = self.brazier("run", "p", "--plugin", self.plugin, cwd=self.dir / "set")
        self.assertEqual(0, p.returncode, p.stderr)
        self.assertIn(f"'{self.dir}/lib/a.so' is not read: it lies outside of the folder of the "
                      "configuration that was found", p.stderr)
        self.assertEqual(f"{OPENED} 5 other 1\n{REFUSED} 0  1\n",
                         (self.dir / "set/out.folded").read_text())

    def test_a_file_that_becomes_shorter_fails_the_run(self):
        path = self.write("set/shrinks", "x" * 100_000)
        p = self.run_on("cut shrinks\n")
        self.assertEqual((1, ""), (p.returncode, p.stdout))
        self.assertIn(f"{path}: cannot be read: it became shorter while it was read", p.stderr)


if __name__ == "__main__":
    main()
