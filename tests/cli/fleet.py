#!/usr/bin/env python3
"""Tests the recipes of docs/fleet.md: their result equals that of one machine, also after a worker was killed."""
import os
import re
import shutil
import subprocess
import unittest

import common

PAGE = (common.SOURCE / "docs" / "fleet.md").read_text()
PROFILES = 6

# Stands for brazier on a host: as long as the file `kills` has lines, each run removes one and is killed.
KILLED_WORKER = """#!/bin/sh
if [ "$1" = collapse ] && [ -s "$KILLS" ]; then
    sed -i 1d "$KILLS"
    kill -9 $$
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


class Fleet(common.Case):
    def setUp(self):
        super().setUp()
        for i in range(PROFILES):
            self.write(f"profiles/{i}.txt", common.PERF.replace("parse", f"parse{i % 4}"))
        self.want = self.good("merge", *(f"profiles/{i}.txt" for i in range(PROFILES))).out
        self.kills = self.write("kills", "")
        worker = self.write("bin/brazier", KILLED_WORKER)
        worker.chmod(0o755)

    def environment(self, env=None):
        return {**super().environment(env), "REAL": str(common.BRAZIER), "HOSTS": ":",
                "KILLS": str(self.dir / "kills"),
                "PATH": f"{self.dir / 'bin'}:{os.environ['PATH']}", **(env or {})}

    def run_recipe(self, *command):
        return subprocess.run(command, cwd=self.dir, env=self.environment(), capture_output=True,
                              text=True, stdin=subprocess.DEVNULL, timeout=240)

    def check_result(self):
        self.assertEqual(self.want, self.read("all.folded"))
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
        self.assertNotIn("all.folded", self.files())
        r = self.run_recipe("bash", "-c", script)
        self.assertEqual(0, r.returncode, r)
        self.check_result()

    @unittest.skipUnless(shutil.which("sbatch") and shutil.which("slurmctld"), "Slurm is not installed")
    def test_slurm(self):
        self.skipTest("this test does not start slurmctld: run the recipe on a cluster")

    @unittest.skipUnless(os.environ.get("BRAZIER_EXHAUSTIVE"), "only with all repeats (./dev test --all)")
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
