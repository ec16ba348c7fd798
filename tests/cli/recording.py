# SPDX-License-Identifier: MIT
"""Recording small programs in tests: the programs, and a case that examines their recordings."""
import os
import pathlib
import re
import shutil
import socket
import struct
import subprocess
import sys
import threading
import unittest

import common
from lib.compiled import compile_once

COMPILER = shutil.which("gcc") or shutil.which("cc")
PERF = shutil.which("perf")
NOBODY = 65534
HARDLY_RAN = "the program hardly ran"  # among the messages of a recording without samples
PYTHON = next((p for p in ("/usr/bin/python3", sys.executable) if os.access(p, os.X_OK)))  # for everybody

# Decorates tests with a full disk or a limit of the size of files.
has_no_files_of_its_own = unittest.skipIf(common.SANITIZED == "thread",
                                          "ThreadSanitizer maps a temporary file of its own, which is cut off then")


# A program whose functions are known. Its first word says what it does. As long as nothing else is said, it
# uses the processor for 50 ms, which is 50 samples.
PROGRAM = r"""
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned long sink;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}
__attribute__((noinline)) void burn(double seconds) {
    double end = now() + seconds;
    while (now() < end)
        for (int i = 0; i < 10000; i++)
            sink += i;
    sink++;
}
__attribute__((noinline)) void work(double seconds) { burn(seconds); sink++; }
__attribute__((noinline)) void child_work(double seconds) { burn(seconds); sink++; }
__attribute__((noinline)) void *thread_work(void *seconds) {
    burn(*(double *)seconds);
    sink++;
    return NULL;
}
__attribute__((noinline)) void touch(size_t pages) {
    size_t size = (size_t)sysconf(_SC_PAGESIZE);
    char *at = mmap(NULL, pages * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    madvise(at, pages * size, MADV_NOHUGEPAGE); /* a page fault for each page */
    for (size_t i = 0; i < pages; i++)
        at[i * size] = 1;
    sink++;
}
int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "work";
    double seconds = argc > 2 ? atof(argv[2]) : 0.05;
    if (strcmp(what, "fork") == 0) {
        if (fork() == 0) {
            child_work(seconds);
            _exit(0);
        }
        wait(NULL);
    } else if (strcmp(what, "thread") == 0) {
        pthread_t t;
        pthread_create(&t, NULL, thread_work, &seconds);
        pthread_setname_np(t, "helper");
        pthread_join(t, NULL);
    } else if (strcmp(what, "threads") == 0) {
        pthread_t t;
        seconds = 600;
        pthread_create(&t, NULL, thread_work, &seconds);
        pthread_create(&t, NULL, thread_work, &seconds);
        puts("ready");
        fflush(stdout);
        pthread_join(t, NULL);
    } else if (strcmp(what, "exit") == 0) {
        return argc > 2 ? atoi(argv[2]) : 0;
    } else if (strcmp(what, "stubborn") == 0) {
        signal(SIGINT, SIG_IGN);
        puts("ready");
        fflush(stdout);
        for (;; usleep(30000)) /* the tests do something else meanwhile */
            burn(0.03);
    } else if (strcmp(what, "forever") == 0) {
        puts("ready");
        fflush(stdout);
        for (;; usleep(30000))
            work(0.03);
    } else if (strcmp(what, "grow") == 0) {
        sigset_t set;
        int got;
        pthread_t t;
        seconds = 600;
        sigemptyset(&set);
        sigaddset(&set, SIGUSR1);
        sigprocmask(SIG_BLOCK, &set, NULL);
        puts("ready");
        fflush(stdout);
        sigwait(&set, &got);
        pthread_create(&t, NULL, thread_work, &seconds);
        pthread_join(t, NULL);
    } else if (strcmp(what, "touch") == 0) {
        touch(argc > 2 ? (size_t)atoi(argv[2]) : 20000);
    } else if (strcmp(what, "sleep") == 0) {
        for (int i = 0; i < 50; i++)
            usleep(2000);
    } else {
        work(seconds);
    }
    return 0;
}
"""


# A program that makes a function in memory and writes its name where profilers look for it. It calls it until a count is
# reached; 0: for ever. The name follows after a number of calls, or at once.
COMPILER_AT_RUN_TIME = r"""
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
int main(int argc, char **argv) {
    /* push %rbp; mov %rsp, %rbp; dec %rdi; jnz back to that; pop %rbp; ret */
    static const unsigned char code[] = {0x55, 0x48, 0x89, 0xe5, 0x48, 0xff, 0xcf, 0x75, 0xfb, 0x5d, 0xc3};
    void *at = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    long n = argc > 1 ? atol(argv[1]) : 0;
    char name[64];
    memcpy(at, code, sizeof code);
    snprintf(name, sizeof name, "/tmp/perf-%d.map", getpid());
    for (long i = argc > 2 ? atol(argv[2]) : 0; i > 0; i--)
        ((void (*)(long))at)(100000);
    FILE *map = fopen(name, "w");
    fprintf(map, "%lx %zx made_at_run_time\n", (unsigned long)at, sizeof code);
    fclose(map);
    puts("ready");
    fflush(stdout);
    for (long i = 0; n == 0 || i < n; i++)
        ((void (*)(long))at)(100000);
    return 0;
}
"""


# A program in the place of sudo: it passes its words and streams to a server, see Sudo.
SUDO = """#!{python}
import array, json, socket, sys
s = socket.socket(socket.AF_UNIX)
s.connect("{socket}")
words = json.dumps(sys.argv[1:]).encode()
s.sendmsg([words], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0, 1, 2]))])
sys.exit(s.recv(1)[0])
"""


class Sudo(threading.Thread):
    """Executes the commands of a program that replaces sudo, as root."""

    def __init__(self, folder, prepare=None):
        super().__init__(daemon=True)
        self.asked = []
        self.prepare = prepare
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(folder / "socket"))
        (folder / "socket").chmod(0o777)
        self.listener.listen()
        (folder / "bin").mkdir()
        (folder / "bin" / "sudo").write_text(SUDO.format(python=PYTHON, socket=folder / "socket"))
        (folder / "bin" / "sudo").chmod(0o755)
        self.start()

    def run(self):
        while True:
            connection, _ = self.listener.accept()
            with connection:
                self.execute(connection)

    def execute(self, connection):
        data, fds, _, _ = socket.recv_fds(connection, 65536, 3)
        words = common.json.loads(data)
        self.asked = words
        p = subprocess.Popen(words[words.index("--") + 1:], stdin=fds[0], stdout=fds[1], stderr=fds[2],
                             preexec_fn=self.prepare)
        for fd in fds:
            os.close(fd)
        connection.send(bytes([p.wait() & 255]))



def refusal():
    """Returns why the kernel permits no recording here, or None."""
    p = subprocess.run([common.BRAZIER, "record", "--no-config", "-e", "cpu-clock", "-g", "fp", "-o", "/dev/null",
                        "--to", "folded", "--", "true"],
                       capture_output=True, text=True)
    known = ("perf_event_paranoid", "seccomp", "CONFIG_PERF_EVENTS", "memory may be locked", "the system forbids")
    return p.stderr.strip() if p.returncode == 1 and any(k in p.stderr for k in known) else None


HAS_PERF_DATA = any(pathlib.Path(common.BRAZIER).resolve().parent.parent.glob(
    "lib*/**/collapse-perf-data.so"))
REASON = ("this build has no collapser perf-data" if not HAS_PERF_DATA else
          "there is no C compiler" if COMPILER is None else
          f"brazier cannot record here: {refusal()}" if refusal() else None)


class RecordCase(common.Case):
    """Records a program. It counts what is in a recording and weighs nothing, since each machine takes another time for
    each piece of work."""

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(common.tempfile.mkdtemp(prefix="brazier-record-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        (cls.folder / "program.c").write_text(PROGRAM)
        for name, flag in (("program", "-fomit-frame-pointer"), ("pointers", "-fno-omit-frame-pointer")):
            compile_once([COMPILER, "-O1", flag, "-pthread"], cls.folder / "program.c", cls.folder / name)
        cls.folder.chmod(0o755)
        cls.program, cls.pointers = cls.folder / "program", cls.folder / "pointers"

    def setUp(self):
        super().setUp()
        self.started = []

    def time_of_programs(self):
        """Returns the processor time that the programs of start_program() have used, in seconds."""
        ticks = 0
        for path in (pathlib.Path(f"/proc/{pid}/stat") for pid in self.started):
            if path.exists():
                fields = path.read_text().rpartition(")")[2].split()
                ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")

    def record(self, *args, code=0, until="", **more):
        """Records into out.folded, whose stacks must match `until`; returns its lines and the messages. Records again
        as long as the machine has so much to do that it does not run the recorded program meanwhile."""
        for _ in range(50):
            before = self.time_of_programs()
            r = self.brazier("record", "-o", "out.folded", *args, **more)
            folded = self.read("out.folded") if (self.dir / "out.folded").exists() else ""
            is_idle = HARDLY_RAN in r.err or (self.started and self.time_of_programs() < before + 0.02)
            if re.search(until, folded, re.M) if r.code == code else not is_idle:
                break
        self.assertEqual(code, r.code, r)
        self.assertRegex(folded, f"(?m){until}", r.err)
        return folded, r.err

    def amount(self, folded, pattern):
        """Returns the weight of the stacks that match."""
        lines = (line.rpartition(" ") for line in folded.splitlines())
        return sum(int(n) for stack, _, n in lines if re.search(pattern, stack))

    def assert_stacks(self, folded, pattern):
        """Checks that a sample has such a stack. How many there are beside others depends on the machine: some take longer
        for a system call, or to load a program."""
        self.assertRegex(folded, f"(?m){pattern}")

    def assert_callers(self, folded, stack):
        """Checks that the function at the end of a stack has samples, and that its callers are known in all of them."""
        function = stack.rpartition(";")[2]
        found = [line for line in folded.splitlines() if re.search(f";{function}(;| [0-9]+$)", line)]
        self.assertNotEqual([], found, folded)
        self.assertEqual([], [line for line in found if not re.search(stack, line)])

    def below(self, prepare, *args):
        """Runs the program below a parent that has changed what its children inherit."""
        return subprocess.run(self.command(args), cwd=self.dir, env=self.environment(), capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, preexec_fn=prepare, timeout=120)

    def start_program(self, *args):
        p = subprocess.Popen([self.program, *args], stdout=subprocess.PIPE)
        self.addCleanup(p.stdout.close)
        self.addCleanup(p.wait)
        self.addCleanup(p.kill)
        self.assertEqual(b"ready\n", p.stdout.readline())
        self.started.append(p.pid)
        return p

    @staticmethod
    def records(path):
        """Yields the type, the misc bits and the body of each record of a file."""
        data = path.read_bytes()
        at, size = struct.unpack_from("<QQ", data, 40)
        end = at + size
        while at < end:
            kind, misc, n = struct.unpack_from("<IHH", data, at)
            yield kind, misc, data[at + 8:at + n]
            at += n

    def as_nobody(self, *args, env=None, before=(), **more):
        """Runs the program as a user without rights, through other programs."""
        def drop():
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
        self.top.chmod(0o755)
        self.dir.chmod(0o777)
        return subprocess.run([*before, *self.command(args)], cwd=self.dir, env=self.environment(env),
                              capture_output=True, text=True, stdin=subprocess.DEVNULL, preexec_fn=drop, timeout=120,
                              **more)

    def skip_unless_nobody_can_run(self):
        if os.geteuid() != 0:
            self.skipTest("only root can become another user")
        if self.as_nobody("--version").returncode != 0:
            self.skipTest("another user cannot run the program in its folder")

    def skip_unless_paranoid(self):
        """Skips the test where everybody may record all processes."""
        if int(pathlib.Path("/proc/sys/kernel/perf_event_paranoid").read_text()) < 1:
            self.skipTest("kernel.perf_event_paranoid permits everything")

    def in_own_mounts(self, script, *args, prepare=None, env=None):
        """Runs a script that mounts something, and then the program, with mounts of their own."""
        if os.geteuid() != 0 or shutil.which("unshare") is None:
            self.skipTest("only root can mount, with unshare")
        self.top.chmod(0o755)
        self.dir.chmod(0o777)
        p = subprocess.run(["unshare", "-m", "sh", "-ec", f"{script}\nexec \"$@\"", "sh", *(prepare or []),
                            *self.command(args)], cwd=self.dir, env=self.environment(env), capture_output=True,
                           text=True, stdin=subprocess.DEVNULL, timeout=120)
        if re.search("^(mount|unshare): ", p.stderr, re.M):
            self.skipTest(f"nothing can be mounted here: {p.stderr}")
        return p
