#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the recipes of docs/fleet.md: their result equals that of one machine, also after a worker was killed."""
import os
import pathlib
import re
import shutil
import subprocess
import unittest

import common
from lib import daemons

PAGE = (common.SOURCE / "docs" / "fleet.md").read_text()
PROFILES = 6

# Stands for brazier on a host: as long as the file `kills` has lines, each run removes one and is killed, or hangs.
KILLED_WORKER = """#!/bin/sh
if [ "$1" = collapse ] && [ -s "$KILLS" ]; then
    how=$(flock "$KILLS.lock" sh -c 'sed -n 1p "$KILLS"; sed -i 1d "$KILLS"')
    [ -n "$how" ] || exec "$REAL" "$@"
    [ "$how" = hang ] || kill -9 $$
    echo "$SLURMD_NODENAME $$" >"$KILLS.hung~"
    mv "$KILLS.hung~" "$KILLS.hung"
    exec sleep 600
fi
exec "$REAL" "$@"
"""


def recipe(heading, language):
    """The block of code in a section of the page."""
    section = PAGE.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return re.search(rf"^```{language}\n(.*?)^```$", section, re.M | re.S).group(1)


def python_with(module):
    """A Python that has a module, or None."""
    for python in ("python3", "/usr/bin/python3"):
        found = subprocess.run([python, "-c", f"import {module}"], capture_output=True)
        if found.returncode == 0:
            return python
    return None


DASK = python_with("distributed")
EXHAUSTIVE = unittest.skipUnless(os.environ.get("BRAZIER_EXHAUSTIVE"), "only with all repeats (./dev test --all)")


def needs(programs):
    missing = [p for p in programs if daemons.program(p) is None]
    return unittest.skipIf(missing, f"not installed: {', '.join(missing)}")


class Fleet(common.Case):
    def setUp(self):
        super().setUp()
        for i in range(PROFILES):
            self.write(f"profiles/{i}.txt", common.PERF.replace("parse", f"parse{i % 4}"))
        self.want = self.on_one_machine()
        self.kills = self.write("kills", "")
        worker = self.write("bin/brazier", KILLED_WORKER)
        worker.chmod(0o755)

    def on_one_machine(self):
        """The bytes of the sum, without the parts."""
        for i in range(PROFILES):
            self.good("collapse", "guess", f"profiles/{i}.txt", "-o", f"part{i}.pb.gz")
        self.good("merge", *(f"part{i}.pb.gz" for i in range(PROFILES)), "-o", "sum.pb.gz")
        direct = self.good("merge", *(f"profiles/{i}.txt" for i in range(PROFILES))).out
        self.assertEqual(direct, self.good("run", "sum.pb.gz", "-t", "folded").out)
        sum_of_parts = (self.dir / "sum.pb.gz").read_bytes()
        for path in self.dir.glob("*.pb.gz"):
            path.unlink()
        return sum_of_parts

    def environment(self, env=None):
        return {**super().environment(env), "REAL": str(common.BRAZIER), "HOSTS": ":",
                "KILLS": str(self.dir / "kills"),
                "PATH": f"{self.dir / 'bin'}:{os.environ['PATH']}", **(env or {})}

    def folder(self, name):
        folder = self.top / name
        folder.mkdir()
        return folder

    def run_recipe(self, *command, env=None):
        return subprocess.run(command, cwd=self.dir, env=self.environment(env), capture_output=True,
                              text=True, stdin=subprocess.DEVNULL, timeout=240)

    def check_result(self):
        self.assertEqual(self.want, (self.dir / "all.pb.gz").read_bytes())
        self.assertEqual([f for f in self.files() if "~" in f or ".tmp" in f], [])

    @unittest.skipUnless(shutil.which("parallel"), "GNU parallel is not installed")
    def test_gnu_parallel(self):
        script = "set -e -o pipefail\n" + recipe("GNU parallel", "sh")
        self.write("kills", "x\n" * 2)
        r = self.run_recipe("bash", "-c", script)
        self.assertEqual(0, r.returncode, r)
        self.assertEqual("", self.read("kills"))
        self.check_result()

    @unittest.skipUnless(shutil.which("parallel"), "GNU parallel is not installed")
    def test_gnu_parallel_resumes(self):
        script = "set -e -o pipefail\n" + recipe("GNU parallel", "sh").replace("--retries 3", "--retries 1")
        self.write("kills", "x\n" * 3)
        r = self.run_recipe("bash", "-c", script)
        self.assertNotEqual(0, r.returncode, r)
        self.assertNotIn("all.pb.gz", self.files())
        r = self.run_recipe("bash", "-c", script)
        self.assertEqual(0, r.returncode, r)
        self.check_result()

    def test_a_host_with_another_weight_is_not_added(self):
        self.write("profiles/5.txt", common.PERF.replace("cpu-clock", "cycles"))
        for i in range(PROFILES):
            self.good("collapse", "guess", f"profiles/{i}.txt", "-o", f"{i}.pb.gz")
        files = [f"{i}.pb.gz" for i in range(PROFILES)]
        r = self.fails(1, "merge", *files, "-o", "all.pb.gz")
        self.assertIn("5.pb.gz: has 'cycles' in count, but 0.pb.gz has 'cpu-clock' in nanoseconds", r.err)
        self.assertNotIn("all.pb.gz", self.files())
        r = self.fails(1, "merge", *files, "-o", "all.pb.gz", "--keep-going")
        self.assertIn("left out: 1 of 6 inputs", r.err)
        self.assertEqual(self.good("merge", *files[:-1]).out, self.good("merge", "all.pb.gz").out)

    @EXHAUSTIVE
    @unittest.skipUnless(shutil.which("parallel"), "GNU parallel is not installed")
    @needs(daemons.SSH_NEEDS)
    @unittest.skipUnless(daemons.can_unshare(), "the SSH server needs root, and mounts of its own")
    @unittest.skipIf(common.BRAZIER.is_relative_to(pathlib.Path.home()), "brazier is in the home, which is replaced")
    def test_gnu_parallel_over_ssh(self):
        self.write("kills", "x\n" * 2)
        known = {k: self.environment()[k] for k in ("REAL", "KILLS", "PATH")}
        with daemons.Ssh(self.folder("ssh"), known) as server:
            r = self.run_recipe("bash", "-c", "set -e -o pipefail\n" + recipe("GNU parallel", "sh"),
                                env={"HOSTS": "2/here,2/there", "PARALLEL_SSH": f"ssh -F {server.config}"})
        self.assertEqual(0, r.returncode, r)
        self.assertEqual("", self.read("kills"))
        self.assertEqual({"here", "there"}, {line.split()[1] for line in self.read("fold.log").splitlines()[1:]})
        self.check_result()

    @EXHAUSTIVE
    @needs(daemons.SLURM_NEEDS)
    def test_slurm(self):
        script = "set -e -o pipefail\n" + recipe("Slurm", "sh")
        with daemons.Slurm(self.folder("slurm")) as cluster:
            self.write("kills", "x\n" * 2)
            r = self.run_recipe("bash", "-c", script, env=cluster.environment)
            self.assertNotEqual(0, r.returncode, r)
            self.assertNotIn("all.pb.gz", self.files())
            folded = {f for f in self.files() if f.startswith("profiles/") and f.endswith(".pb.gz")}
            self.assertEqual(PROFILES - 2, len(folded))
            r = self.run_recipe("bash", "-c", script, env=cluster.environment)
        self.assertEqual(0, r.returncode, r)
        self.check_result()

    @EXHAUSTIVE
    @needs(daemons.SLURM_NEEDS)
    def test_slurm_loses_a_node(self):
        script = "set -e -o pipefail\n" + recipe("Slurm", "sh")
        self.write("kills", "hang\n")
        with daemons.Slurm(self.folder("slurm")) as cluster:
            jobs = subprocess.Popen(["bash", "-c", script], cwd=self.dir, env=self.environment(cluster.environment),
                                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                    stdin=subprocess.DEVNULL)
            self.addCleanup(jobs.kill)
            daemons.wait_for((self.dir / "kills.hung").exists)
            node, pid = self.read("kills.hung").split()
            cluster.lose_node(node, int(pid))
            cluster.start_node(node)
            said = jobs.communicate(timeout=240)[0]
        self.assertEqual(0, jobs.returncode, said)
        self.check_result()

    @EXHAUSTIVE
    @unittest.skipUnless(DASK, "python3-distributed is not installed")
    def test_dask(self):
        self.write("fleet_dask.py", recipe("Dask", "python").replace("fan_in=100", "fan_in=4"))
        self.write("kills", "x\n" * 2)
        r = self.run_recipe(DASK, "fleet_dask.py")
        self.assertEqual(0, r.returncode, r)
        self.assertEqual("", self.read("kills"))
        self.check_result()


if __name__ == "__main__":
    common.main()
