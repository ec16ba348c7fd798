# SPDX-License-Identifier: MIT
"""Shared by the tests of the command line: a temporary folder, and running the program in it."""
import functools
import json
import os
import pathlib
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
from lib.brazier import IS_EXHAUSTIVE, try_shared  # noqa: E402
from lib.terminal import open_terminal  # noqa: E402

SOURCE = pathlib.Path(os.environ["BRAZIER_SOURCE"])
BRAZIER = pathlib.Path(os.environ["BRAZIER"])
PLUGINS = pathlib.Path(os.environ["BRAZIER_PLUGINS"])
SANITIZED = os.environ.get("BRAZIER_SANITIZE", "")
DEMO = SOURCE / "demo" / "node-typescript.perf.txt.gz"


def listed_commands():
    """The commands that --help lists."""
    help_text = subprocess.run([BRAZIER, "--no-config", "--help"], capture_output=True, text=True).stdout
    return [line.split()[0] for line in help_text.split("Commands:\n")[1].split("\n\n")[0].splitlines()]


COMMANDS = listed_commands()

STACKS = "main;emit 10\nmain;emit;write 20\nmain;parse;lex 25\nmain;parse;read 40\n"

# Commands and words that are about processes, signals or terminals: each run is a process of its own.
ALONE = [["record"], ["view"], ["plugin", "check"]]
WORDS_ALONE = {"--open", "--web", "--live", "--root", "--editor"}

# Options that change the way to the result of a run, but not the result.
WAYS = [[], ["-j3", "--range-size", "1"], ["-j1", "--chunk-size", "64"], ["--isolate"]]

# A recording of two threads on two processors.
THREADS_PERF = """node 1421/1421 [002] 10.500000: 10 cpu-clock:
\tffffffff81050 do_page_fault ([kernel.kallsyms])
\t55d000100 main (/opt/app/bin/node)

worker 1421/1422 [001] 10.600000: 5 cpu-clock:
\t3a0c12345 parse (/opt/app/bin/node)
\t55d000100 main (/opt/app/bin/node)

node 1421/1421 [001] 11.600000: 7 cpu-clock:
\t55d000100 main (/opt/app/bin/node)

"""

PERF = """node 1421 [002] 10.5: 10 cpu-clock:
\tffffffff81050 do_page_fault ([kernel.kallsyms])
\t7f3a00010 malloc+0x10 (/usr/lib/libc-2.31.so)
\t55d000100 main (/opt/app/bin/node)

node 1421 [002] 10.6: 5 cpu-clock:
\t3a0c12345 parse (/opt/app/bin/node)
\t55d000100 main (/opt/app/bin/node)

"""
PERF_STACKS = "node;main;malloc;do_page_fault 10\nnode;main;parse 5\n"


class Result:
    def __init__(self, args, code, out, err):
        self.args, self.code, self.raw = args, code, out
        self.err = err.decode(errors="replace")

    @functools.cached_property
    def out(self):
        return self.raw.decode(errors="replace")

    def __repr__(self):
        return f"brazier {' '.join(self.args)}: {self.code}\n{self.out[:600]}{self.err}"


class Case(unittest.TestCase):
    """A test with a temporary folder and an empty home."""

    maxDiff = None

    def setUp(self):
        self.top = pathlib.Path(tempfile.mkdtemp(prefix="brazier-cli-")).resolve()
        self.addCleanup(shutil.rmtree, self.top, ignore_errors=True)
        self.dir = self.top / "work"
        self.home = self.top / "home"
        self.dir.mkdir()
        self.home.mkdir()

    # ---- files ----

    def write(self, name, content, folder=None):
        """Writes a file of text or bytes in the test's folder and returns its path."""
        path = (folder or self.dir) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def read(self, name):
        return (self.dir / name).read_text()

    def files(self):
        """Returns the names of all files in the test's folder, including hidden ones."""
        return sorted(str(p.relative_to(self.dir)) for p in self.dir.rglob("*") if p.is_file())

    # ---- the program ----

    def environment(self, env=None):
        """Returns an environment with only the variables that programs and sanitizers need."""
        bare = {k: v for k, v in os.environ.items()
                if not k.startswith(("BRAZIER", "XDG_", "LC_", "LANG")) and k != "HOME"}
        bare["HOME"] = str(self.home)
        bare.update({k: str(v) for k, v in (env or {}).items()})
        return bare

    def command(self, args):
        return [str(BRAZIER), *(str(a) for a in args)]

    shares = not IS_EXHAUSTIVE  # a process with other runs; not in tests of what a process has of its own
    seen_commands = set()  # commands that a process of their own has run

    def can_share(self, words, env):
        """Returns whether the process of many command lines does the same: the second and later times of a command
        that is none of processes, signals or terminals, and that no variable of the program's start concerns."""
        command = words[:2 if words[:1] in (["plugin"], ["config"], ["format"]) else 1]
        if not self.shares or command[:1] in ALONE or command in ALONE or tuple(command) not in self.seen_commands:
            self.seen_commands.add(tuple(command))
            return False
        return not WORDS_ALONE.intersection(words) and not any(name.endswith("_SECONDS") for name in env or {})

    def brazier(self, *args, stdin=None, env=None, cwd=None, timeout=120, **more):
        """Runs the program; `stdin` is text or bytes that a pipe delivers. Most runs share a process (lib/brazier.py)."""
        words = [str(a) for a in args]
        given = stdin.encode() if isinstance(stdin, str) else stdin
        where = {"cwd": cwd or self.dir, "env": self.environment(env)}
        p = None
        if not more and self.can_share(words, env):
            p = try_shared(words, given, where["cwd"], where["env"])
        if p is None:
            source = {"input": given} if given is not None else {"stdin": subprocess.DEVNULL}
            p = subprocess.run(self.command(args), capture_output=True, timeout=timeout, **where, **source, **more)
        return Result(words, p.returncode, p.stdout, p.stderr)

    def in_shell(self, script, *args):
        """Runs a line of sh, in which $0 is the program and $1, ... are the words."""
        p = subprocess.run(["sh", "-c", script, *self.command(args)], cwd=self.dir,
                           env=self.environment(), stdin=subprocess.DEVNULL, capture_output=True,
                           timeout=120)
        return Result([script], p.returncode, p.stdout, p.stderr)

    def good(self, *args, **more):
        """Runs the program, which must succeed without messages."""
        r = self.brazier(*args, **more)
        self.assertEqual((0, ""), (r.code, r.err), r)
        return r

    def fails(self, code, *args, **more):
        """Runs the program, which must end with that status and report the reason, only on stderr.
        """
        r = self.brazier(*args, **more)
        self.assertEqual(code, r.code, r)
        self.assertIn("error: ", r.err, r)
        self.assertNotIn("error: ", r.out, r)
        return r

    def start(self, *args, **more):
        options = {"cwd": self.dir, "env": self.environment(), "stdin": subprocess.PIPE,
                   "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more}
        return subprocess.Popen(self.command(args), **options)

    def on_terminal(self, *args, stdin=None, feed=None, cwd=None, env=None):
        """Runs the program with a terminal as standard error (and as input and output, if `stdin`
        is None); `feed` yields pieces for its standard input. Returns the status and the terminal's
        text."""
        master, slave = open_terminal()
        piped = feed is not None or stdin is not None
        p = subprocess.Popen(self.command(args), cwd=cwd or self.dir, env=self.environment(env),
                             stdin=subprocess.PIPE if piped else slave,
                             stdout=subprocess.DEVNULL if piped else slave, stderr=slave,
                             close_fds=True)
        os.close(slave)
        shown = b""
        for piece in feed if feed is not None else [stdin] if stdin is not None else []:
            p.stdin.write(piece)
            p.stdin.flush()
            shown += self.drain(master, 0.05)
        if piped:
            p.stdin.close()
        deadline = time.monotonic() + 60
        while p.poll() is None and time.monotonic() < deadline:
            shown += self.drain(master, 0.05)
        shown += self.drain(master, 0.05)
        os.close(master)
        if p.poll() is None:
            p.kill()
            self.fail(f"brazier {args} does not end; it said {shown!r}")
        return p.returncode, shown.decode(errors="replace")

    @staticmethod
    def drain(fd, seconds):
        data = b""
        while select.select([fd], [], [], seconds)[0]:
            try:
                piece = os.read(fd, 65536)
            except OSError:  # the other side is closed
                break
            if not piece:
                break
            data += piece
        return data

    # ---- what components there are ----

    def components(self, kind):
        """Returns the ids of the shipped components of a kind."""
        found = json.loads(self.good("plugin", "list", "--json").out)
        return [c["id"] for c in found if c["kind"] == kind]


def main(loader=unittest.defaultTestLoader):
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    unittest.main(verbosity=1, testLoader=loader)
