# SPDX-License-Identifier: MIT
"""Runs brazier view in tmux: types keys, and reads what the screen shows."""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "cli"))
import common  # noqa: E402

STACKS = common.STACKS
SECONDS = float(os.environ.get("BRAZIER_VIEW_SECONDS", "30"))  # to wait for what the screen shall show
SIZES = [(80, 24), (200, 50), (40, 10)]


class Screen:
    """A terminal of tmux in which a shell runs one command, and then says how that ended."""

    def __init__(self, case, command, size=(80, 24), env=None, term="tmux-256color"):
        self.socket = str(case.top / f"tmux-{time.monotonic_ns()}")
        self.case = case
        settings = case.write(f"tmux-{time.monotonic_ns()}.conf",
                              f"set -g default-terminal {term}\nset -g remain-on-exit on\nset -g escape-time 0\n", case.top)
        variables = {"LANG": "C.UTF-8", **(env or {})}
        assignments = " ".join(f"{k}={shlex.quote(v)}" for k, v in variables.items())
        script = f"trap : INT; cd {case.dir}; env {assignments} {command}; echo ended with $?; stty -a | grep -o ' -\\?echo '; exec cat"
        self.tmux("-f", settings, "new-session", "-d", "-x", size[0], "-y", size[1], "sh", "-c", script)
        case.addCleanup(self.end)

    def tmux(self, *words):
        p = subprocess.run(["tmux", "-u", "-S", self.socket, *map(str, words)], capture_output=True, text=True,
                           env=self.case.environment({"LANG": "C.UTF-8"}), timeout=60)
        self.case.assertEqual(0, p.returncode, p.stderr)
        return p.stdout

    def end(self):
        subprocess.run(["tmux", "-S", self.socket, "kill-server"], capture_output=True, timeout=60)

    def type(self, *keys):
        for key in keys:
            self.tmux("send-keys", key)

    def click(self, row, column, button=0):
        """Presses and releases a button of the mouse, as terminals report it; 64 and 65 are the wheel."""
        place = chr(33 + column) + chr(33 + row)
        for code in (button, 3) if button < 64 else (button,):
            self.tmux("send-keys", "-l", f"\x1b[M{chr(32 + code)}{place}")

    def text(self, colors=False):
        return self.tmux("capture-pane", "-p", *(["-e"] if colors else []))

    def shows(self, pattern, colors=False):
        """Waits until the screen matches a pattern, and returns it."""
        shown, deadline = "", time.monotonic() + SECONDS
        while time.monotonic() < deadline:
            shown = self.text(colors)
            if re.search(pattern, shown, re.M):
                return shown
            time.sleep(0.05)
        self.case.fail(f"no {pattern!r} on the screen:\n{shown}")
        return None

    def process(self):
        """The process of the viewer."""
        shell = self.tmux("display-message", "-p", "#{pane_pid}").strip()
        for _ in range(600):
            children = pathlib.Path(f"/proc/{shell}/task/{shell}/children").read_text().split()
            if children:
                return int(children[0])
            time.sleep(0.05)
        self.case.fail("no viewer runs")
        return None


@unittest.skipUnless(shutil.which("tmux"), "tmux is not installed")
class Case(common.Case):
    def setUp(self):
        super().setUp()
        self.write("stacks.folded", STACKS)

    def view(self, *words, **more):
        command = " ".join(shlex.quote(w) for w in self.command(["view", *words]))
        return Screen(self, command, **more)


def main(*loader):
    os.environ.pop("TMUX", None)
    common.main(*loader)
