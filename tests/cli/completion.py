#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests that completion in bash, zsh and fish offers the options of --help."""
import os
import re
import shutil
import subprocess
import time
import unittest

import answers
import common
from common import open_terminal

SCRIPTS = common.SOURCE / "packaging" / "completion"

# Typed text, words that must be offered, words that must not.
CASES = [
    ("brazier ", ["run", "collapse", "config", "p.txt"], ["--help"]),
    ("brazier run --ti", ["--title"], ["--to"]),
    ("brazier run --to json --ex", ["--extras"], ["--title"]),
    ("brazier run -o x.html p.txt --in", ["--inverted"], ["--no-legend"]),
    ("brazier run -f perf --ker", ["--kernel"], ["--title"]),
    ("brazier p.txt --o", ["--output"], ["--quiet"]),
    ("brazier co", ["collapse", "config"], ["run"]),
    ("brazier run --o", ["--output"], ["--quiet"]),
    ("brazier collapse ", ["perf", "folded", "guess", "svg"], ["term", "hot"]),
    ("brazier collapse perf --ker", ["--kernel"], ["--jit"]),
    ("brazier flamegraph --no-j", ["--no-javascript"], ["--javascript"]),
    ("brazier run -f ", ["perf", "folded", "guess"], ["term", "p.txt"]),
    ("brazier run --to ", ["svg", "json", "speedscope"], ["perf", "p.txt"]),
    ("brazier run --palette ", ["hot", "aqua", "steady", "mine"], ["svg", "cpu"]),
    ("brazier flamegraph -p hot --numbers ", ["random", "hash", "deterministic", "sum"], ["p.txt"]),
    ("brazier plugin ", ["check", "info", "list", "new", "why"], ["run", "p.txt"]),
    ("brazier plugin check ", ["p.txt"], ["info"]),
    ("brazier plugin check --sa", ["--samples"], ["--schema"]),
    ("brazier plugin check --only sniff/", ["sniff/own", "sniff/quick"], ["parse/golden", "p.txt"]),
    ("brazier plugin new x --kind ", ["collapser", "palette", "output", "transform"], ["p.txt", "perf"]),
    ("brazier plugin info s", ["svg", "speedscope"], ["perf"]),
    ("brazier config show ", ["flame", "cpu"], ["mine", "p.txt"]),
    ("brazier run ", ["flame", "cpu", "p.txt"], ["mine"]),
    ("brazier record -p ", [], ["hot", "p.txt"]),
    ("brazier record -t ", [], ["svg", "p.txt"]),
    ("brazier record -g ", [], ["p.txt"]),
    ("brazier diff --fail-report ", ["text", "json"], ["p.txt"]),
    ("brazier run --label ", ["smart", "tail"], ["KEY=TEXT", "p.txt"]),
    ("brazier record --du", ["--duration"], ["--title"]),
    ("brazier run --detail ", ["functions", "lines", "addresses"], ["p.txt"]),
    ("brazier run --demangle ", ["auto", "full", "none"], ["p.txt"]),
    ("brazier diff --base-on ", ["after", "before", "both"], ["p.txt"]),
    ("brazier run --only ", ["process=", "thread=", "cpu="], ["sniff/own", "p.txt"]),
    ("brazier run --group-by ", ["process", "thread", "cpu"], ["p.txt"]),
    ("brazier run --split-by ", ["process", "thread", "cpu"], ["p.txt"]),
    ("brazier run --palette hot,aq", ["hot,aqua"], ["aqua", "p.txt"]),
    ("brazier run --set ", ["svg.", "perf.", "hot."], ["p.txt"]),
    ("brazier run --set svg.the", ["svg.theme="], ["svg.title="]),
    ("brazier run --set svg.theme=", ["svg.theme=auto", "svg.theme=dark"], ["svg.title="]),
]


class Completion(common.Case):
    def setUp(self):
        super().setUp()
        self.write("p.txt", common.PERF)
        self.write(".brazier.yaml", "palettes: {mine: {use: hot}}\n"
                                    "pipelines: {cpu: {outputs: [{use: svg, to: a.svg}]}}\n")

    def environment(self, env=None):
        return {**super().environment(env), "TERM": "dumb", "COLUMNS": "100",
                "PATH": f"{answers.folder_of(self)}:{os.environ['PATH']}"}

    def check(self, offered):
        """Checks each case; `offered` returns the words that a shell offers after the typed text.
        """
        for typed, wanted, unwanted in CASES:
            with self.subTest(typed):
                words = offered(typed)
                for word in wanted:
                    self.assertIn(word, words)
                for word in unwanted:
                    self.assertNotIn(word, words)

    def run_shell(self, *command):
        p = subprocess.run(command, capture_output=True, text=True, cwd=self.dir,
                           env=self.environment(), timeout=60)
        self.assertEqual("", p.stderr)
        return p.stdout.split("\n")

    @unittest.skipUnless(shutil.which("bash"), "no bash")
    def test_bash(self):
        def offered(typed):
            words = typed.split(" ")
            return self.run_shell("bash", "-c", 'source "$0"; COMP_WORDS=("$@"); '
                                  'COMP_CWORD=$(($# - 1)); _brazier; printf "%s\\n" '
                                  '"${COMPREPLY[@]}"', SCRIPTS / "brazier.bash", *words)
        self.check(offered)

    @unittest.skipUnless(shutil.which("fish"), "no fish")
    def test_fish(self):
        """Completes all cases in one process, which takes long to start."""
        texts = [typed for typed, _, _ in CASES]
        lines = self.run_shell(
            "fish", "--no-config", "-c", f"source {SCRIPTS}/brazier.fish; for typed in $argv; "
            'echo "== $typed"; complete -C "$typed"; end', *texts)
        offered = {}
        for line in lines:
            if line.startswith("== "):
                words = offered.setdefault(line[3:], [])
            else:
                words.append(line.split("\t")[0])
        self.assertEqual(texts, list(offered))
        self.check(offered.get)

    @unittest.skipUnless(shutil.which("zsh"), "no zsh")
    def test_zsh(self):
        """Runs zsh at a terminal, since it completes only typed text."""
        master, slave = open_terminal()
        p = subprocess.Popen(["zsh", "-f", "-i"], stdin=slave, stdout=slave, stderr=slave,
                             cwd=self.dir, env={**self.environment(), "TERM": "xterm"},
                             start_new_session=True)
        os.close(slave)
        self.addCleanup(os.close, master)
        self.addCleanup(p.wait)
        self.addCleanup(p.kill)
        self.expect(master, "[%#] ")
        os.write(master, f"fpath=({SCRIPTS} $fpath); autoload -U compinit; compinit -D -u; "
                 "setopt no_auto_menu no_list_types; LISTMAX=500; PROMPT='READY''>'\n".encode())
        self.expect(master, "READY>")

        def offered(typed):
            wanted = next(words for line, words, _ in CASES if line == typed)
            os.write(master, typed.encode() + b"\t")
            shown, deadline = "", time.monotonic() + 60
            while time.monotonic() < deadline:
                shown += self.drain(master, 0.1).decode(errors="replace")
                words = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|[\x07\x08\r\n]", " ", shown).split()
                words = self.whole(wanted, [word.rstrip("=") for word in words])
                if set(wanted) <= set(words):
                    break
            os.write(master, b"\x15print -r DO''NE\n")
            self.expect(master, r"DONE[\s\S]*READY>")
            return words

        self.check(offered)

    @staticmethod
    def whole(wanted, words):
        """Adds wanted words of which zsh shows only the part after the last separator, or not the "=" at the end."""
        bare = {w: w.rstrip("=.") for w in wanted}
        return words + [w for w in wanted if {bare[w], re.split("[=.,]", bare[w])[-1]} & set(words)]

    def expect(self, fd, pattern, seconds=120.0):
        """Returns the text of a terminal until a pattern matches, or a time limit."""
        shown, deadline = "", time.monotonic() + seconds
        while time.monotonic() < deadline and not re.search(pattern, shown):
            shown += self.drain(fd, 0.1).decode(errors="replace")
        return shown

    def test_every_option_is_offered_by_bash(self):
        for command in [name for name in common.COMMANDS if name != "plugin"] + ["plugin check", "plugin new"]:
            help_text = self.good(*command.split(), "--help").out
            options = re.findall(r"^ +(?:-\w, )?--(\[no-\])?([a-z0-9-]+)", help_text, re.M)
            words = self.run_shell("bash", "-c", f'source {SCRIPTS}/brazier.bash; '
                                   f'COMP_WORDS=(brazier {command} --); COMP_CWORD={len(command.split()) + 1}; _brazier; '
                                   'printf "%s\\n" "${COMPREPLY[@]}"')
            for no, name in options:
                self.assertIn("--" + name, words)
                if no:
                    self.assertIn("--no-" + name, words)


if __name__ == "__main__":
    common.main()
