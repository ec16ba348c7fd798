# SPDX-License-Identifier: MIT
"""Folds many files as many formats in few processes: see fold_many.c."""
import os
import pathlib
import select
import subprocess
import tempfile

BRAZIER = os.environ["BRAZIER"]
PROGRAM = pathlib.Path(os.environ["BRAZIER_BUILD"]) / "tests" / "lib" / "fold_many"
OK, FAILED = 0, 2
# Limit of a run that does not end, which is far from what a slow machine needs.
SECONDS = 600


class Folded:
    """The result of a file as a format: the exit status that the program has, the number of bytes written and of
    messages, and the most important message."""

    def __init__(self, code, written, messages, said):
        self.code, self.written, self.messages, self.said = code, written, messages, said

    def __repr__(self):
        return f"{self.code}, {self.written} bytes, {self.messages} messages: {self.said}"


def by_the_program(format, path):
    p = subprocess.run([BRAZIER, "run", "--to", "folded", "--from", format, str(path)], capture_output=True,
                       stdin=subprocess.DEVNULL, timeout=SECONDS)
    said = p.stderr.decode(errors="replace")
    return Folded(p.returncode, len(p.stdout), said.count("\n"), said)


def answers(jobs):
    """Yields the results of the first jobs, until the process that runs them has ended; then, if it crashed, how."""
    with tempfile.TemporaryFile() as said:
        p = subprocess.Popen([str(PROGRAM)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said)
        done = 0
        for format, path in jobs:
            p.stdin.write(f"{format}\t{path}\n".encode())
            p.stdin.flush()
            line = p.stdout.readline() if select.select([p.stdout], [], [], SECONDS)[0] else b""
            if not line.endswith(b"\n"):
                break
            status, written, messages, text = line.decode(errors="replace").rstrip("\n").split("\t")
            yield Folded({OK: 0, FAILED: 1}.get(int(status), 2), int(written), int(messages), text)
            done += 1
        p.stdin.close()
        if done < len(jobs):
            p.kill()
        code = p.wait()
        said.seek(0)
        text = said.read().decode(errors="replace")
        if done < len(jobs) or code != 0 or text:
            yield Folded(code, 0, 0, f"the process that folds crashed, or does not end: {text}")


def fold_many(jobs):
    """Returns the result of each job, (format, path). Each is run by the program if there is no library."""
    if not PROGRAM.exists():
        return [by_the_program(*job) for job in jobs]
    results = []
    while len(results) < len(jobs):
        results += answers(jobs[len(results):])
    return [*results[:len(jobs) - 1], results[-1]]  # the process may fail after the last one
