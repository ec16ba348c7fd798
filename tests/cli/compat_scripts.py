#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the small scripts that replace FlameGraph's: run by their interpreter or by name, from any
folder, with every argument, signal and status passed on."""
import os
import pathlib
import shutil
import signal
import subprocess
import unittest

import common
import tools

CORPUS = pathlib.Path(os.environ.get("BRAZIER_CORPUS", common.SOURCE.parent / "shared" / "corpus"))
# Arguments that a shell would change.
ODD = "a  b 'c' \"d\" $HOME `x` \\n * ; | & #"


def awks():
    """Returns the installed awk programs."""
    found = [[p] for p in ("mawk", "gawk", "original-awk", "awk") if shutil.which(p)]
    return found + ([["busybox", "awk"]] if shutil.which("busybox") else [])


@unittest.skipUnless(tools.FOLDER.exists(), "built without the names of other tools")
class Scripts(tools.ToolCase):
    def setUp(self):
        super().setUp()
        self.write("in.folded", tools.STACKS)
        self.write("in.sample", tools.SAMPLE)
        self.write("in.xt", tools.XDEBUG)

    def needs(self, program):
        if shutil.which(program) is None:
            self.skipTest(f"{program} is not installed")

    def run_in(self, folder, *command, stdin=None, path=None):
        env = self.environment()
        env["PATH"] = path or env["PATH"]
        given = {"input": stdin.encode()} if stdin is not None else {"stdin": subprocess.DEVNULL}
        p = subprocess.run([str(c) for c in command], cwd=folder, env=env, capture_output=True,
                           timeout=60, **given)
        return common.Result([str(c) for c in command], p.returncode, p.stdout, p.stderr)

    def same(self, expected, r):
        self.assertEqual((0, "", expected), (r.code, r.err, r.out), r)

    # ---- interpreters ----

    def runs(self, interpreter, script, *args, expected, stdin=None):
        """Checks the ways to name a script to its interpreter."""
        folder = tools.FOLDER
        for where, path in ((folder, script), (folder, f"./{script}"), (self.dir, folder / script),
                            (folder.parent, f"compat/{script}")):
            with self.subTest(interpreter=interpreter, path=path):
                self.same(expected, self.run_in(where, *interpreter, path, *args, stdin=stdin))

    def test_perl_runs_the_scripts_that_end_in_pl(self):
        self.needs("perl")
        file = str(self.dir / "in.folded")
        picture = self.call("flamegraph.pl", "--title", ODD, file).out
        self.assertIn("`x` \\n * ; |", picture)
        self.runs(["perl"], "flamegraph.pl", "--title", ODD, file, expected=picture)
        self.runs(["perl"], "flamegraph.pl", "--title", ODD, expected=picture, stdin=tools.STACKS)
        self.runs(["perl"], "stackcollapse-perf.pl", expected=common.PERF_STACKS,
                  stdin=common.PERF)
        for name in tools.SCRIPTS:
            if name.endswith(".pl"):
                r = self.run_in(self.dir, "perl", tools.FOLDER / name, "--help")
                self.assertEqual((0, ""), (r.code, r.err), r)
                self.assertIn(f"usage: {name}", r.out)

    def test_awk_runs_the_script_that_ends_in_awk(self):
        file = str(self.dir / "in.sample")
        odd = self.write(f"{ODD}.txt", tools.SAMPLE)
        self.assertNotEqual([], awks())
        for awk in awks():
            awk = [*awk, "-f"]
            self.runs(awk, "stackcollapse-sample.awk", file, expected="Thread_1;dyld`start 2\n")
            self.runs(awk, "stackcollapse-sample.awk", "MODULES=0", expected="Thread_1;start 2\n",
                      stdin=tools.SAMPLE)
            self.runs(awk, "stackcollapse-sample.awk", "MODULES=0", str(odd),
                      expected="Thread_1;start 2\n")
            r = self.run_in(tools.FOLDER, *awk, "stackcollapse-sample.awk", "missing")
            self.assertEqual((2, ""), (r.code, r.out), r)

    def test_php_runs_the_script_that_ends_in_php(self):
        self.needs("php")
        file = self.write(f"{ODD}.xt", tools.XDEBUG)
        self.runs(["php"], "stackcollapse-xdebug.php", str(file),
                  expected="{main} 150\n{main};f 50\n")
        self.runs(["php"], "stackcollapse-xdebug.php", "-c", str(file),
                  expected="{main} 1\n{main};f 1\n")
        self.runs(["php", "-d", "disable_functions=pcntl_exec"], "stackcollapse-xdebug.php",
                  str(file), expected="{main} 150\n{main};f 50\n")
        for php in (["php"], ["php", "-d", "disable_functions=pcntl_exec"]):
            r = self.run_in(tools.FOLDER, *php, "stackcollapse-xdebug.php", "missing")
            self.assertEqual((1, ""), (r.code, r.out), r)

    def test_scripts_run_without_their_interpreter(self):
        programs = self.top / "bin"
        programs.mkdir()
        for name in ("sh", "env", "sed", "readlink"):
            (programs / name).symlink_to(shutil.which(name))
        for name in tools.SCRIPTS:
            r = self.run_in(tools.FOLDER, f"./{name}", "--help", path=str(programs))
            self.assertEqual((0, ""), (r.code, r.err), r)
            self.assertIn(f"usage: {name}", r.out)
        self.same("Thread_1;start 2\n",
                  self.run_in(tools.FOLDER, "./stackcollapse-sample.awk", "MODULES=0",
                              self.dir / "in.sample", path=str(programs)))
        self.same("{main} 150\n{main};f 50\n",
                  self.run_in(tools.FOLDER, "./stackcollapse-xdebug.php", self.dir / "in.xt",
                              path=str(programs)))

    # ---- where they and brazier are ----

    def interpreters(self, script):
        """Returns the ways to run a script: by itself, and by each installed interpreter."""
        ways = [[]]
        if script.endswith(".pl") and shutil.which("perl"):
            ways.append(["perl"])
        if script.endswith(".awk"):
            ways += [[*awk, "-f"] for awk in awks()]
        if script.endswith(".php") and shutil.which("php"):
            ways.append(["php"])
        return ways

    CALLS = (("flamegraph.pl", "in.folded"), ("stackcollapse-sample.awk", "in.sample"),
             ("stackcollapse-xdebug.php", "in.xt"))

    def test_a_copy_finds_brazier_in_the_path(self):
        place = self.dir / "a copy's folder"
        place.mkdir()
        path = f"{common.BRAZIER.parent}{os.pathsep}{os.environ['PATH']}"
        for script, file in self.CALLS:
            shutil.copy(tools.FOLDER / script, place)
            expected = self.call(script, str(self.dir / file)).out
            for way in self.interpreters(script):
                for name in (place / script, script):
                    if name == script and not way:
                        continue
                    with self.subTest(way=way, name=name):
                        self.same(expected, self.run_in(place, *way, name, self.dir / file,
                                                        path=path))

    def test_a_link_finds_the_brazier_it_belongs_to(self):
        for script, file in self.CALLS:
            (self.dir / script).symlink_to(tools.FOLDER / script)
            expected = self.call(script, file).out
            for way in self.interpreters(script):
                for where, path in ((self.dir, f"./{script}"), (self.top, self.dir / script)):
                    with self.subTest(way=way, path=path):
                        self.same(expected, self.run_in(where, *way, path, self.dir / file))

    def test_a_moved_installation_finds_its_own_brazier(self):
        place = self.dir / "an installation's folder"
        folder = place / tools.FOLDER.relative_to(common.BRAZIER.parent.parent)
        folder.mkdir(parents=True)
        brazier = place / "bin" / "brazier"
        brazier.parent.mkdir()
        brazier.write_text('#!/bin/sh\nprintf "[%s]" "$@"\n')
        brazier.chmod(0o755)
        for script, _ in self.CALLS:
            shutil.copy(tools.FOLDER / script, folder)
            for way in self.interpreters(script):
                for where, path in ((folder, f"./{script}"), (self.dir, folder / script)):
                    with self.subTest(way=way, path=path):
                        self.same(f"[--as][{script}][{ODD}][][x]",
                                  self.run_in(where, *way, path, ODD, "", "x"))

    def test_without_brazier_the_shell_says_so(self):
        programs = self.top / "bin"
        programs.mkdir()
        for name in ("sh", "env", "sed", "readlink"):
            (programs / name).symlink_to(shutil.which(name))
        for script, _ in self.CALLS:
            shutil.copy(tools.FOLDER / script, self.dir)
            r = self.run_in(self.dir, f"./{script}", path=str(programs))
            self.assertEqual((127, ""), (r.code, r.out), r)
            self.assertIn("brazier", r.err)

    # ---- statuses and signals ----

    def test_a_closed_pipe_ends_a_script_in_silence(self):
        stacks = "".join(f"main;function_number_{i} 1\n" for i in range(20000))
        self.write("big.folded", stacks)
        self.write("big.sample", "Call graph:\n" + "".join(
            f"    1 Thread_{i}\n" for i in range(40000)) + "Total number in stack\n")
        trace = tools.XDEBUG.splitlines(keepends=True)
        calls = [f"2\t{i}\t0\t0.0002\t1\tfunction_number_{i}\t1\t\ta.php\t3\t0\n"
                 f"2\t{i}\t1\t0.0002\t1\n" for i in range(20000)]
        self.write("big.xt", "".join([*trace[:4], *calls, *trace[6:]]))
        for script, *words in (("flamegraph.pl", "--minwidth=0", "big.folded"),
                               ("stackcollapse-recursive.pl", "big.folded"),
                               ("difffolded.pl", "big.folded", "big.folded"),
                               ("stackcollapse-sample.awk", "big.sample"),
                               ("stackcollapse-xdebug.php", "-c", "big.xt")):
            for way in self.interpreters(script):
                with self.subTest(way=way, script=script):
                    self.assertEqual((-signal.SIGPIPE, 141)[script.endswith(".awk") and way != []],
                                     self.status_into_closed_pipe(*way, script, *words))

    def status_into_closed_pipe(self, *command):
        """Runs a script whose reader takes one byte; there must be no message."""
        script = next(c for c in command if c in tools.SCRIPTS)
        command = [tools.FOLDER / c if c == script else c for c in command]
        p = subprocess.Popen(command, cwd=self.dir, env=self.environment(),
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE)
        self.assertEqual(1, len(p.stdout.read(1)))
        p.stdout.close()
        self.assertEqual(b"", p.stderr.read())
        p.stderr.close()
        return p.wait(timeout=60)

    def test_a_closed_pipe_is_an_error_of_inferno(self):
        self.write("big.folded", "".join(f"main;f{i} 1\n" for i in range(200000)))
        p = subprocess.Popen([tools.FOLDER / "inferno-collapse-recursive", "big.folded"],
                             cwd=self.dir, env=self.environment(), stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE)
        p.stdout.read(1)
        p.stdout.close()
        self.assertIn(b"its reader has closed it", p.stderr.read())
        p.stderr.close()
        self.assertEqual(1, p.wait(timeout=60))

    def test_a_closed_pipe_leaves_no_file_after(self):
        self.write("big.folded", "".join(f"main;f{i} 1\n" for i in range(20000)))
        before = self.files()
        self.status_into_closed_pipe("flamegraph.pl", "--cp", "--minwidth=0", "big.folded")
        self.assertEqual(before, self.files())

    # ---- FlameGraph's own test ----

    def test_flamegraphs_own_test_passes(self):
        """Runs the commands of FlameGraph's test.sh in a folder with its layout. The expected files
        are inferno's, which keeps quotes that FlameGraph removes from names."""
        self.needs("perl")
        expected = CORPUS / "perf" / "expected"
        if not expected.exists():
            self.skipTest("the corpus is not there")
        results = self.dir / "test" / "results"
        results.mkdir(parents=True)
        for name in ("stackcollapse-perf.pl", "flamegraph.pl"):
            (self.dir / name).symlink_to(tools.FOLDER / name)
        for text in sorted((CORPUS / "perf").glob("perf-*.txt")):
            (self.dir / "test" / text.name).symlink_to(text)
            for option in "pid tid kernel jit all addrs".split():
                folded = (expected / f"{text.stem}.{option}.folded").read_text()
                result = results / f"{text.stem}-collapsed-{option}.txt"
                result.write_text(folded.replace("'", "").replace('"', ""))
        self.assertGreater(len(list(results.iterdir())), 40)
        r = self.run_in(self.dir, "bash", "-euo", "pipefail", "-c", r"""
            for opt in pid tid kernel jit all addrs; do
                for file in test/*.txt; do
                    want=test/results/$(basename "$file" .txt)-collapsed-$opt.txt
                    perl ./stackcollapse-perf.pl --"$opt" "$file" 2>/dev/null | diff -u - "$want"
                    ./stackcollapse-perf.pl --"$opt" "$file" 2>/dev/null | diff -u - "$want"
                    perl ./flamegraph.pl "$want" >/dev/null
                done
            done""")
        self.assertEqual((0, ""), (r.code, r.out), r)


if __name__ == "__main__":
    common.main()
