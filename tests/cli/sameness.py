#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests that the same words and input give the same bytes in any environment."""
import gzip
import subprocess

import common
from lib.compiled import locale_folder

MANY = "".join(f"main;w{i % 13};f{i % 211};g{i % 1009} {i % 5 + 1}\n" for i in range(12000))


class Sameness(common.Case):
    shares = False  # each process has other keys of hash tables

    def outputs(self, *args, **more):
        """Returns the files that a run of every output writes, by name."""
        names = [f"x.{o}" for o in ("svg", "folded", "json", "speedscope.json")]
        self.good("run", *args, *(w for n in names for w in ("-o", n)), "--set", "svg.title=same", **more)
        return {n: (self.dir / n).read_bytes() for n in names}

    def test_threads_and_chunks(self):
        self.write("many.folded", MANY)
        for source in (["many.folded"], [str(common.DEMO)]):
            usual = self.outputs(*source)
            for way in (["-j1"], ["-j2"], ["-j3", "--range-size=20000"], ["-j16"],
                        ["-j1", "--chunk-size=100"], ["-j7", "--chunk-size=1000"]):
                self.assertEqual(usual, self.outputs(*source, *way), way)

    def test_isolation(self):
        self.write("many.folded", MANY)
        (self.dir / "many.folded.gz").write_bytes(gzip.compress(MANY.encode()))
        (self.dir / "many.utf16").write_bytes(("\ufeff" + MANY).encode("utf-16-le"))
        (self.dir / "cut.folded.gz").write_bytes(gzip.compress(MANY.encode())[:-2000])
        for args in (["many.folded"], [common.DEMO], ["many.folded.gz"], ["many.utf16"],
                     ["many.folded", "many.folded.gz", "many.utf16"],
                     ["--flamechart", "many.folded"], ["--flamechart", common.DEMO],
                     ["many.folded", "--drop", "f7", "-j3", "--range-size", "20000"]):
            self.assertEqual(self.outputs(*args), self.outputs(*args, "--isolate"), args)
        for other, status in (("many.folded", 0), (common.DEMO, 1)):  # the latter has another weight
            said = ["run", "cut.folded.gz", other, "-t", "folded", "-v"]
            usual = self.brazier(*said)
            self.assertIn("the data before it is used", usual.err)
            self.assertEqual((status, usual.out, usual.err), self.isolated(*said))
        self.assertEqual(self.outputs(stdin=MANY), self.outputs("--isolate", stdin=MANY))
        self.assertEqual(self.outputs(stdin=MANY),
                         self.outputs("--isolate", "-j3", "--range-size=9999", stdin=MANY))

    def isolated(self, *args):
        """Returns status, output and messages of an isolated run, without its note about isolation.
        """
        r = self.brazier(*args, "--isolate")
        lines = r.err.splitlines(keepends=True)
        return r.code, r.out, "".join(x for x in lines if "read in isolation: " not in x)

    def test_two_runs(self):
        self.assertEqual(self.outputs(common.DEMO), self.outputs(common.DEMO))

    def test_a_file_and_a_pipe(self):
        self.write("many.folded", MANY)
        self.assertEqual(self.outputs("many.folded"), self.outputs(stdin=MANY))

    def test_two_steps_and_one(self):
        stacks = self.good("collapse", "perf", common.DEMO).out
        count = ["--countname=cycles", "--palette=hot", "--title=same"]  # by name: stacks of text have no modules
        two = self.good("flamegraph", *count, stdin=stacks).raw
        one = self.good("flamegraph", *count, "--from=perf", common.DEMO).raw
        self.assertEqual(two, one)

    def test_locales(self):
        usual = self.outputs(stdin="main;a 1.5\nmain;b 2.25\nmain;äö 1234567\n")
        for name in ("C", "C.UTF-8", "POSIX", "de_DE.UTF-8", "tr_TR.UTF-8", "nonsense"):
            folder = locale_folder(*name.split(".")) if "_" in name else None
            env = {"LC_ALL": name, "LANG": name, **({} if folder is None else {"LOCPATH": folder})}
            self.assertEqual(usual, self.outputs(
                stdin="main;a 1.5\nmain;b 2.25\nmain;äö 1234567\n", env=env), name)
            self.assertIn("(1.5 samples, ", self.good("flamegraph", "--factor=1.5", "--no-compact", env=env,
                                                      stdin="a 1.0\nb 2.5\n").out)

    def test_the_folder_it_is_run_in(self):
        self.write("in.folded", common.STACKS)
        here = self.good("flamegraph", "in.folded").raw
        self.assertEqual(here, self.good("flamegraph", self.dir / "in.folded", cwd="/").raw)

    def test_the_environment(self):
        usual = self.outputs(stdin=common.STACKS)
        for env in ({"TZ": "Asia/Kathmandu"}, {"COLUMNS": "20", "TERM": "dumb"},
                    {"POSIXLY_CORRECT": "1"}, {"MALLOC_PERTURB_": "85"}):
            self.assertEqual(usual, self.outputs(stdin=common.STACKS, env=env), env)

    def test_closed_standard_streams(self):
        self.write("in.folded", common.STACKS)
        usual = self.outputs("in.folded")
        for closed in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-"):
            p = subprocess.run(["sh", "-c", f'exec "$0" "$@" {closed}',
                                *self.command(["run", "in.folded", "-o", "y.svg", "--title", "same"])],
                               cwd=self.dir, env=self.environment())
            self.assertEqual(0, p.returncode, closed)
            self.assertEqual(usual["x.svg"], (self.dir / "y.svg").read_bytes(), closed)
            p = subprocess.run(["sh", "-c", f'exec "$0" "$@" {closed}', *self.command(
                ["run", "in.folded", "--isolate", "-o", "z.svg", "--title", "same"])],
                               cwd=self.dir, env=self.environment())
            self.assertEqual(0, p.returncode, closed)
            self.assertEqual(usual["x.svg"], (self.dir / "z.svg").read_bytes(), closed)


if __name__ == "__main__":
    common.main()
