# SPDX-License-Identifier: MIT
"""Runs brazier, as many processes or in one.

A process costs more time than most runs. In this process and with these words, the result is the same: therefore tests
of many inputs and of the command line run most of their command lines in one process (command_lines.c), which also finds
state that one run leaves to the next. Those of many inputs run every fourth one as a process if BRAZIER_EXHAUSTIVE=1 is in the environment: where
starting is slow, all of them would take longer than all other tests together. Those of the command line then run all.
"""
import atexit
import itertools
import os
import pathlib
import select
import signal
import subprocess
import sys
import tempfile

BRAZIER = os.environ["BRAZIER"]
IS_EXHAUSTIVE = os.environ.get("BRAZIER_EXHAUSTIVE") == "1"
# Programs of another processor need an emulator, which BRAZIER starts.
COMMAND_LINES = None if os.environ.get("BRAZIER_EMULATED") == "ON" else \
    pathlib.Path(BRAZIER).resolve().parent.parent / "tests" / "command_lines"
ENVIRONMENT = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "NO_COLOR")}
# Options that limit the process itself.
OF_PROCESSES = ("--max-memory", "--max-time")
# Limit of a run that does not end, which is far from what a slow machine needs.
SECONDS = 600
NO_PIPE = 255
# Signals that Python ignores, and programs that it starts must not.
IGNORED = [getattr(signal, name) for name in ("SIGPIPE", "SIGXFSZ") if hasattr(signal, name)]


class Run:
    """The result of a command line, with the members of subprocess.CompletedProcess."""

    def __init__(self, returncode, stdout, stderr):
        self.returncode, self.stdout, self.stderr = returncode, stdout, stderr


class Outputs:
    """Files for standard output and standard error."""

    def __init__(self):
        self.files = [tempfile.TemporaryFile(buffering=0) for _ in range(2)]

    def read(self):
        return [os.pread(f.fileno(), os.fstat(f.fileno()).st_size, 0) for f in self.files]

    def close(self):
        for file in self.files:
            file.close()


# ---- a process for each -----------------------------------------------------------------------

def filled_pipe(data):
    """Returns the end of a pipe from which these bytes can be read, or None if a pipe does not hold as many."""
    end, to = os.pipe()
    os.set_blocking(to, False)
    try:
        fits = os.write(to, data) == len(data)
    except BlockingIOError:
        fits = False
    os.close(to)
    if fits:
        return end
    os.close(end)
    return None


SAID = tempfile.TemporaryFile(buffering=0)


def run_process(args, input=None):
    """Runs brazier as a process. Its messages go to a file, because then the pipe of its output can be read without a
    second one. The subprocess module takes longer than most runs."""
    fd = os.open(os.devnull, os.O_RDONLY) if input is None else filled_pipe(input)
    if fd is None:
        p = subprocess.run([BRAZIER, *args], capture_output=True, env=ENVIRONMENT, input=input)
        return Run(p.returncode, p.stdout, p.stderr)
    output, to = os.pipe()
    SAID.seek(0)
    SAID.truncate()
    process = os.posix_spawn(BRAZIER, [BRAZIER, *args], ENVIRONMENT, setsigdef=IGNORED, file_actions=[
        (os.POSIX_SPAWN_DUP2, fd, 0), (os.POSIX_SPAWN_DUP2, to, 1), (os.POSIX_SPAWN_DUP2, SAID.fileno(), 2)])
    os.close(fd)
    os.close(to)
    with open(output, "rb") as f:
        out = f.read()
    code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    SAID.seek(0)
    return Run(code, out, SAID.read())


# ---- one process for all ----------------------------------------------------------------------

class Process:
    """A process that runs command lines, in a folder and an environment of their own if it is given some."""

    def __init__(self, folder=None, environment=None):
        requests, self.requests = os.pipe()
        self.answers, answers = os.pipe()
        self.outputs = Outputs()
        out, err = self.outputs.files
        self.process = subprocess.Popen([COMMAND_LINES, str(requests), str(answers)], env=environment or ENVIRONMENT, cwd=folder,
                                        stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                        pass_fds=(requests, answers))
        os.close(requests)
        os.close(answers)
        self.to = os.fdopen(self.requests, "wb")

    def run(self, args, input, folder=None, environment=None):
        """Runs a command line, in a folder and an environment for this and later ones if it is given some. Returns the
        result, or None if no pipe holds the input. A crash is a result with the number of the signal, and ends the
        process."""
        variables = [f"{name}={value}" for name, value in (environment or {}).items()]
        words = b"".join(os.fsencode(word) + b"\0" for word in [*args, *([folder] if variables else []), *variables])
        self.to.write(b"%d %d %d\n" % (len(args), len(variables), -1 if input is None else len(input)) + words +
                      (input or b""))
        try:
            self.to.flush()
        except BrokenPipeError:
            pass
        answer = os.read(self.answers, 1) if select.select([self.answers], [], [], SECONDS)[0] else b""
        if answer == bytes([NO_PIPE]):
            return None
        code = answer[0] if answer else self.kill()
        return Run(code, *self.outputs.read())

    def kill(self):
        self.process.kill()
        code = self.process.wait()
        return code if code != 0 else -signal.SIGKILL

    def finish(self):
        """Ends the process. Returns its faults, which a sanitizer reports at the end."""
        try:
            self.to.close()
        except BrokenPipeError:
            pass
        os.close(self.answers)
        if self.process.returncode is not None:
            return ""
        code = self.process.wait()
        said = self.outputs.read()[1].decode(errors="replace")
        self.outputs.close()
        return "" if code == 0 else f"exit status {code}: " + said


current = None


def finish():
    """Ends the process of all runs. Its faults fail the test, whatever that has found."""
    global current
    faults, current = current.finish() if current is not None else "", None
    if faults:
        print(f"FAILED: the process of many command lines: {faults}")
        sys.stdout.flush()
        os._exit(1)


atexit.register(finish)


def can_share(args):
    return COMMAND_LINES is not None and COMMAND_LINES.exists() and \
        not any(word.startswith(OF_PROCESSES) for word in args)


def try_shared(args, input=None, folder=None, environment=None):
    """Runs brazier in the process of all such runs. Returns None if that is impossible."""
    global current
    if not can_share(args):
        return None
    if current is None:
        current = Process()
    result = current.run(args, input, folder, environment)
    if result is not None and result.returncode < 0:
        finish()
    return result


def run_shared(args, input=None):
    """Runs brazier in the process of all such runs, if that is possible."""
    result = try_shared(args, input)
    return run_process(args, input) if result is None else result


numbers = itertools.count()


def run(args, input=None):
    """Runs brazier, in exhaustive runs every fourth time as a process."""
    is_alone = IS_EXHAUSTIVE and next(numbers) % 4 == 0
    return (run_process if is_alone else run_shared)([str(word) for word in args], input)
