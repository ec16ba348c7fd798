# SPDX-License-Identifier: MIT
"""Helpers of the tests of the plug-in interface: locations, and ways to run the program."""
import contextlib
import functools
import hashlib
import os
import pathlib
import platform
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from lib.compiled import kept_folder  # noqa: E402

SOURCE = pathlib.Path(os.environ.get("BRAZIER_SOURCE", HERE.parent.parent))
INCLUDE = SOURCE / "sdk" / "include"
BUILD = pathlib.Path(os.environ["BRAZIER_BUILD"])
BRAZIER = pathlib.Path(os.environ["BRAZIER"])
PLUGINS = pathlib.Path(os.environ["BRAZIER_PLUGINS"])
SANITIZED = bool(os.environ.get("BRAZIER_SANITIZE"))
# Seconds of processor time for each test with random inputs of `brazier plugin check`. A sanitizer slows them down.
EFFORT = "0.03" if SANITIZED else "0.015"
# Set by ./dev test --all: all repeats of what a test has already shown once.
EXHAUSTIVE = os.environ.get("BRAZIER_EXHAUSTIVE") == "1"
CC = os.environ.get("BRAZIER_CC", "cc")
CXX = os.environ.get("BRAZIER_CXX", "c++")

IS_LP64 = sys.maxsize > 2**32 and os.name == "posix"
IS_X86_64 = platform.machine() == "x86_64"

def version_of(headers):
    """Returns (major, minor) of the interface in a folder of headers."""
    text = (headers / "brazier" / "base.h").read_text()
    return tuple(int(re.search(rf"^#define BRZ_ABI_{word} (\d+)$", text, re.M)[1])
                 for word in ("MAJOR", "MINOR"))


# A shell ignores signals of what it runs in the background, and programs inherit that.
for ignored in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
    if signal.getsignal(ignored) == signal.SIG_IGN:
        signal.signal(ignored, signal.SIG_DFL)

ABI_MAJOR, ABI_MINOR = version_of(INCLUDE)
ENTRY = f"brz_plugin_v{ABI_MAJOR}"

# Headers of the interface, as opposed to code that is compiled into plug-ins.
INTERFACE_HEADERS = ["base", "option", "tag", "metadata", "host", "collapser", "palette", "output", "transform", "tree", "plugin"]


def public_headers():
    """Returns every installed header as written in an #include: "brazier/text/lines.h"."""
    return sorted(str(p.relative_to(INCLUDE)) for p in INCLUDE.rglob("*.h"))


def fingerprint(files, compilers):
    """Returns a hash of files, of compilers and of the C library, whose headers are used, too."""
    digest = hashlib.sha256(repr([os.confstr("CS_GNU_LIBC_VERSION"), platform.machine()]).encode())
    for file in sorted(files):
        digest.update(str(file).encode() + b"\0" + file.read_bytes())
    for compiler in filter(shutil.which, compilers):
        version = subprocess.run([compiler, "--version"], capture_output=True).stdout
        digest.update(os.path.realpath(shutil.which(compiler)).encode() + b"\0" + version)
    return digest.hexdigest()


@functools.lru_cache
def compiled():
    """Returns the folder of plug-ins that were compiled before, with these headers and sources."""
    files = [*INCLUDE.rglob("*.h"), *(p for p in HERE.rglob("*") if p.suffix in (".c", ".cpp", ".h"))]
    top = kept_folder("compiled")
    folder = top / fingerprint(files, [])
    folder.mkdir(parents=True, exist_ok=True)
    for other in top.iterdir():
        if other != folder:
            shutil.rmtree(other, ignore_errors=True)
    return folder


@functools.lru_cache
def compilers():
    return fingerprint([], [CC, CXX])


@functools.lru_cache
def is_gcc():
    p = subprocess.run([CC, "-dM", "-E", "-x", "c", "/dev/null"], capture_output=True, text=True)
    return "__clang__" not in p.stdout


def override_flags():
    """Returns the flag for sources that change a member of a macro's initialiser."""
    return ["-Wno-override-init" if is_gcc() else "-Wno-initializer-overrides"]


def compile_source(source, to, flags):
    is_c = source.suffix == ".c"
    command = [CC, "-std=c11"] if is_c else [CXX, "-std=c++17"]
    p = subprocess.run([*command, "-Wall", "-shared", "-fPIC", "-fvisibility=hidden",
                        f"-I{INCLUDE}", *flags, str(source), "-o", str(to)],
                       capture_output=True, text=True)
    if p.returncode or p.stderr:
        raise AssertionError(f"{source}: {p.stderr}")


def compile_plugin(source, to, *flags):
    """Builds a shared object from one source file without a build system. A source of these tests is compiled
    once in a build tree, as long as nothing changes."""
    if HERE not in source.parents:
        compile_source(source, to, flags)
    else:
        name = hashlib.sha256(repr([str(source), flags, compilers()]).encode()).hexdigest()
        kept = compiled() / f"{name}.so"
        if not kept.exists():
            part = kept.with_suffix(f".{os.getpid()}")
            compile_source(source, part, flags)
            part.rename(kept)
        shutil.copyfile(kept, to)
    to.chmod(0o755)


@contextlib.contextmanager
def unless_passed(name, files, compilers):
    """Yields whether a test must run that depends on these files and compilers alone: in this build
    tree it has not passed yet with what they are now, with all repeats if they are wanted."""
    name += "-all" if EXHAUSTIVE else ""
    files = [*files, *INCLUDE.rglob("*.h"), pathlib.Path(__file__)]
    passed = BUILD / "tests" / "passed"
    stamp = passed / f"{name}.{fingerprint(files, compilers)}"
    if stamp.exists():
        print("[passed before, nothing has changed] ", end="")
        yield False
        return
    yield True
    passed.mkdir(parents=True, exist_ok=True)
    for old in passed.glob(f"{name}.*"):
        old.unlink()
    stamp.touch()


class Case(unittest.TestCase):
    """A test with a folder of its own, in which plug-ins are trusted at any umask."""

    maxDiff = None

    def setUp(self):
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="brazier-sdk-")).resolve()
        self.addCleanup(shutil.rmtree, self.dir, ignore_errors=True)

    def brazier(self, *args, stdin=None, env=None, cwd=None, program=BRAZIER, timeout=120, **more):
        """Runs the program without any configuration; `env` adds to a minimal environment."""
        bare = {k: v for k, v in os.environ.items()
                if not k.startswith(("BRAZIER", "XDG_")) and k != "HOME"}
        bare["HOME"] = str(self.dir / "no-home")
        bare.update({k: str(v) for k, v in (env or {}).items()})
        return subprocess.run([str(program), *map(str, args)], input=stdin, env=bare,
                              cwd=cwd or self.dir, capture_output=True, text=True,
                              timeout=timeout, **more)

    def write(self, name, text, mode=0o644):
        path = self.dir / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(mode)
        return path

    def install(self, source, to):
        """Copies a plug-in so that only its owner can write to it."""
        to = self.dir / to
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, to)
        to.chmod(0o755)
        return to


class Transcripts:
    """Commands with their output and status, compared with a golden file."""

    UPDATE = "--update" in sys.argv

    def __init__(self, case, replace):
        self.case = case
        self.replace = replace  # [(regular expression, text)]
        self.text = ""

    def add(self, shown, process):
        """Records the output of a command under the words that a reader would type."""
        text = process.stdout + process.stderr
        for pattern, by in self.replace:
            text = re.sub(pattern, by, text)
        if text and not text.endswith("\n"):
            text += "\n"
        self.text += f"$ {shown}\n{text}[{process.returncode}]\n"

    def check(self, golden):
        if self.UPDATE:
            golden.parent.mkdir(exist_ok=True)
            golden.write_text(self.text)
        self.case.assertTrue(golden.exists(), f"{golden} is missing:\n{self.text}")
        self.case.assertMultiLineEqual(golden.read_text(), self.text, golden.name)


def main(loader=unittest.defaultTestLoader):
    """Runs the tests of the calling script that a loader takes; exits with status 77 if none of them could run."""
    words = [word for word in sys.argv if word != "--update"]
    program = unittest.main(argv=words, exit=False, verbosity=2, testLoader=loader)
    result = program.result
    if not result.wasSuccessful():
        sys.exit(1)
    sys.exit(77 if result.testsRun == len(result.skipped) else 0)
