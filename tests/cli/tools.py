# SPDX-License-Identifier: MIT
"""Shared by the tests of other tools' names: calls a tool as a script does."""
import os
import subprocess

import common

FOLDER = common.BRAZIER.parent.parent / "libexec" / "brazier" / "compat"
LINKS = """inferno-collapse-dtrace inferno-collapse-ghcprof inferno-collapse-guess
inferno-collapse-perf inferno-collapse-recursive inferno-collapse-sample inferno-collapse-vsprof
inferno-collapse-vtune inferno-collapse-xctrace inferno-diff-folded inferno-flamegraph""".split()
SCRIPTS = """difffolded.pl files.pl flamegraph.pl pkgsplit-perf.pl range-perf.pl stackcollapse-aix.pl stackcollapse-bpftrace.pl
stackcollapse-chrome-tracing.py stackcollapse-elfutils.pl stackcollapse-faulthandler.pl
stackcollapse-gdb.pl stackcollapse-go.pl stackcollapse-ibmjava.pl stackcollapse-instruments.pl
stackcollapse-java-exceptions.pl stackcollapse-jstack.pl stackcollapse-ljp.awk
stackcollapse-perf-sched.awk stackcollapse-perf.pl stackcollapse-pmc.pl
stackcollapse-recursive.pl stackcollapse-sample.awk stackcollapse-stap.pl stackcollapse-vsprof.pl
stackcollapse-vtune-mc.pl stackcollapse-vtune.pl stackcollapse-wcp.pl stackcollapse-xdebug.php
stackcollapse.pl""".split()
NAMES = LINKS + SCRIPTS
# Names that read no profiles: their words are folders or numbers.
HELPERS = ["files.pl", "range-perf.pl"]
# Names that record programs instead of reading files.
RECORDERS = ["cargo-flamegraph", "flamegraph"]

# The options that give brazier's pictures the looks of the other tools' pictures.
LOOKS = ["--no-legend", "--no-compact", "--unit=plain", "--countname=samples", "--label=tail", "--label-color=black",
         "--palette=diff,hot"]

STACKS = "main;parse;read 40\nmain;parse;lex 25\nmain 35\n"
SAMPLE = ("Call graph:\n    2 Thread_1\n    + 2 start  (in dyld) + 1  [0x1]\n\n"
          "Total number in stack (recursive counted multiple, when >=5):\n")

XDEBUG = ("Version: 3.2.0\nFile format: 4\nTRACE START [2024-01-01 00:00:00]\n"
          "1\t0\t0\t0.000100\t100\t{main}\t1\t\ta.php\t0\t0\n"
          "2\t1\t0\t0.000200\t100\tf\t1\t\ta.php\t3\t0\n2\t1\t1\t0.000250\t100\n"
          "1\t0\t1\t0.000300\t100\n\t\t\t0.000400\t100\nTRACE END   [2024-01-01 00:00:00]\n")


class ToolCase(common.Case):
    called = set()  # tools that have run as a script runs them

    def call(self, name, *args, stdin=None, env=None):
        """Runs a tool as a script does: by its name, found through PATH. What that runs, runs from the second time on in
        the process of many command lines, if there is no more to it."""
        if self.shares and env is None and name in self.called:
            return self.brazier("--as", name, *args, stdin=stdin)
        if name in NAMES and os.path.splitext(name)[1] in ("", ".pl"):
            self.called.add(name)
        env = self.environment(env)
        env["PATH"] = f"{FOLDER}{os.pathsep}{env['PATH']}"
        given = {"input": stdin.encode()} if stdin is not None else {"stdin": subprocess.DEVNULL}
        p = subprocess.run([name, *args], cwd=self.dir, env=env, capture_output=True, timeout=60,
                           **given)
        return common.Result([str(name), *args], p.returncode, p.stdout, p.stderr)

    def gives(self, expected, name, *args, stdin=None):
        r = self.call(name, *args, stdin=stdin)
        self.assertEqual((0, "", expected), (r.code, r.err, r.out), r)

    def draws(self, ours, name, *args, stdin=STACKS):
        """Checks that the tool's picture is that of `brazier flamegraph` with the options `ours`,
        and returns it."""
        r = self.call(name, *args, stdin=stdin)
        same = self.call(common.BRAZIER, "-q", "--no-config", "flamegraph", *LOOKS,
                         "--deltas=self", *ours, stdin=stdin)
        self.assertEqual((0, "", 0), (r.code, r.err, same.code), r)
        self.assertEqual(same.out, r.out, f"{name} {args}")
        return r.out
