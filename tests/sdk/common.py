"""What the tests of the plug-in interface share: where things are, how the program is run."""
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = pathlib.Path(os.environ.get("BRAZIER_SOURCE", HERE.parent.parent))
INCLUDE = SOURCE / "sdk" / "include"
BUILD = pathlib.Path(os.environ["BRAZIER_BUILD"])
BRAZIER = pathlib.Path(os.environ["BRAZIER"])
PLUGINS = pathlib.Path(os.environ["BRAZIER_PLUGINS"])
SANITIZED = bool(os.environ.get("BRAZIER_SANITIZE"))

IS_LP64 = sys.maxsize > 2**32 and os.name == "posix"
IS_X86_64 = platform.machine() == "x86_64"

# The headers that are the interface, as opposed to code that a plug-in compiles into itself.
INTERFACE_HEADERS = ["base", "option", "host", "collapser", "palette", "output", "tree", "plugin"]


def public_headers():
    """Every installed header, as it is included: "brazier/text/lines.h"."""
    return sorted(str(p.relative_to(INCLUDE)) for p in INCLUDE.rglob("*.h"))


class Case(unittest.TestCase):
    """A test with a folder of its own, which nobody but its owner can write, at any umask."""

    maxDiff = None

    def setUp(self):
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="brazier-sdk-", dir=BUILD / "tests"))
        os.chmod(self.dir, 0o755)
        self.addCleanup(shutil.rmtree, self.dir, ignore_errors=True)

    def brazier(self, *args, stdin=None, env=None, cwd=None, program=BRAZIER, timeout=120):
        """Runs the program away from any configuration; `env` adds to a bare environment."""
        bare = {k: v for k, v in os.environ.items()
                if not k.startswith(("BRAZIER", "XDG_")) and k != "HOME"}
        bare["HOME"] = str(self.dir / "no-home")
        bare.update({k: str(v) for k, v in (env or {}).items()})
        return subprocess.run([str(program), *map(str, args)], input=stdin, env=bare,
                              cwd=cwd or self.dir, capture_output=True, text=True,
                              timeout=timeout)

    def write(self, name, text, mode=0o644):
        path = self.dir / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(mode)
        return path

    def install(self, source, to):
        """A copy of a plug-in where only its owner can write."""
        to = self.dir / to
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, to)
        to.chmod(0o755)
        return to


def main():
    """Runs the tests of the calling script; status 77 if there was none that could run."""
    program = unittest.main(exit=False, verbosity=2)
    result = program.result
    if not result.wasSuccessful():
        sys.exit(1)
    sys.exit(77 if result.testsRun == len(result.skipped) else 0)
