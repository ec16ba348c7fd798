# SPDX-License-Identifier: MIT
"""Installs brazier into a temporary folder, for tests that use nothing else."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

from common import BUILD, CC, CXX, EFFORT, HERE, Case, fingerprint

KEPT = BUILD / "tests" / "compiled-once"
KEPT_SECONDS = 7 * 24 * 3600


def compiler_once(folder, name, compiler):
    """Writes a command into a folder that compiles each text once in this build tree. Returns its path."""
    script = folder / name
    script.write_text(f"#!/bin/sh\nexec sh '{HERE / 'compile_once.sh'}' '{KEPT}' '{fingerprint([], [compiler])}' "
                      f"'{compiler}' \"$@\"\n")
    script.chmod(0o755)
    return str(script)


def forget_old_results():
    KEPT.mkdir(parents=True, exist_ok=True)
    for result in KEPT.iterdir():
        try:
            if result.stat().st_mtime < time.time() - KEPT_SECONDS:
                result.unlink()
        except FileNotFoundError:  # another test removed it
            pass


class Installed(Case):
    @classmethod
    def setUpClass(cls):
        cls.prefix = pathlib.Path(tempfile.mkdtemp(prefix="brazier-prefix-")).resolve()
        cls.addClassCleanup(shutil.rmtree, cls.prefix, ignore_errors=True)
        subprocess.run(["cmake", "--install", BUILD, "--prefix", cls.prefix], check=True,
                       stdout=subprocess.DEVNULL)
        forget_old_results()
        compilers = pathlib.Path(tempfile.mkdtemp(prefix="brazier-compilers-")).resolve()
        cls.addClassCleanup(shutil.rmtree, compilers, ignore_errors=True)
        cls.about_compilers = compilers / "about"
        cls.about_compilers.mkdir()
        cls.program = cls.prefix / "bin" / "brazier"
        cls.shipped = next(cls.prefix.glob("**/plugins-v*"))
        cls.env = {
            **{k: v for k, v in os.environ.items() if not k.startswith(("BRAZIER", "XDG_"))},
            "PATH": f"{cls.prefix / 'bin'}:{os.environ['PATH']}",
            "PKG_CONFIG_PATH": str(next(cls.prefix.glob("**/pkgconfig"))),
            "CC": compiler_once(compilers, "cc", CC),
            "CXX": compiler_once(compilers, "c++", CXX),
            "CMAKE_GENERATOR": "Ninja",  # does not depend on make
            "HOME": str(cls.prefix),
            "CHECKFLAGS": f"--effort {EFFORT}",  # of make check; the whole is for people
        }

    def configure(self, source, build, *options):
        """Configures a project in a new folder. What CMake finds out about the compiler in the first one of a class
        is copied to the others: it does not look again, as in a folder that is configured again."""
        about = pathlib.Path(build) / "CMakeFiles"
        shutil.copytree(self.about_compilers, about)
        p = subprocess.run([str(word) for word in ("cmake", "-S", source, "-B", build, *options)], cwd=self.dir,
                           env=self.env, capture_output=True, text=True, timeout=300)
        for file in about.glob("*/CMake*.cmake"):
            kept = self.about_compilers / file.relative_to(about)
            kept.parent.mkdir(exist_ok=True)
            shutil.copy(file, kept)
        return p

    def run_here(self, *command, **more):
        p = subprocess.run([str(word) for word in command], cwd=self.dir, text=True,
                           capture_output=True, timeout=300, env={**self.env, **more})
        self.assertEqual(p.returncode, 0, f"{command}\n{p.stdout}{p.stderr}")
        return p.stdout
