"""Installs brazier into a temporary folder, for tests that use nothing else."""
import os
import pathlib
import shutil
import subprocess
import tempfile

from common import BUILD, CC, CXX, Case


class Installed(Case):
    @classmethod
    def setUpClass(cls):
        cls.prefix = pathlib.Path(tempfile.mkdtemp(prefix="brazier-prefix-")).resolve()
        cls.addClassCleanup(shutil.rmtree, cls.prefix, ignore_errors=True)
        subprocess.run(["cmake", "--install", BUILD, "--prefix", cls.prefix], check=True,
                       stdout=subprocess.DEVNULL)
        cls.program = cls.prefix / "bin" / "brazier"
        cls.shipped = next(cls.prefix.glob("**/plugins-v*"))
        cls.env = {
            **{k: v for k, v in os.environ.items() if not k.startswith(("BRAZIER", "XDG_"))},
            "PATH": f"{cls.prefix / 'bin'}:{os.environ['PATH']}",
            "PKG_CONFIG_PATH": str(next(cls.prefix.glob("**/pkgconfig"))),
            "CC": CC,
            "CXX": CXX,
            "CMAKE_GENERATOR": "Ninja",  # does not depend on make
            "HOME": str(cls.prefix),
            "CHECKFLAGS": "--effort 0.03",  # of make check; the whole is for people
        }

    def run_here(self, *command, **more):
        p = subprocess.run([str(word) for word in command], cwd=self.dir, text=True,
                           capture_output=True, timeout=300, env={**self.env, **more})
        self.assertEqual(p.returncode, 0, f"{command}\n{p.stdout}{p.stderr}")
        return p.stdout
