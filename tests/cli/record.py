#!/usr/bin/env python3
"""Tests `brazier record` with small programs, where the kernel permits recording."""
import contextlib
import ctypes
import os
import pathlib
import platform
import re
import resource
import shutil
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
import unittest

import common
from lib.vdso import vdso

COMPILER = shutil.which("gcc") or shutil.which("cc")
PERF = shutil.which("perf")
NOBODY = 65534
PYTHON = next((p for p in ("/usr/bin/python3", sys.executable) if os.access(p, os.X_OK)))  # for everybody

# Decorates tests with a full disk or a limit of the size of files.
has_no_files_of_its_own = unittest.skipIf(common.SANITIZED == "thread",
                                          "ThreadSanitizer maps a temporary file of its own, which is cut off then")


def sees_tracepoints():
    """Returns whether this process may see which tracepoints there are."""
    return any(os.access(f"{folder}/events", os.R_OK | os.X_OK)
               for folder in ("/sys/kernel/tracing", "/sys/kernel/debug/tracing"))


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
    char *at = mmap(NULL, pages * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (size_t i = 0; i < pages; i++)
        at[i * 4096] = 1;
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
        for (;;)
            burn(0.1);
    } else if (strcmp(what, "forever") == 0) {
        puts("ready");
        fflush(stdout);
        for (;;)
            work(0.1);
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
        touch(20000);
    } else if (strcmp(what, "sleep") == 0) {
        for (int i = 0; i < 50; i++)
            usleep(2000);
    } else {
        work(seconds);
    }
    return 0;
}
"""


# A program that runs another one without perf_event_open, as Docker does.
FILTER = r"""
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(int argc, char **argv) {
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_perf_event_open, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ERROR),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {4, code};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
        return 99;
    execv(argv[1], argv + 1);
    return argc;
}
"""

# The end of a library that has a function before(), which sees each call of syscall() before it is made.
INTERPOSER = r"""
long syscall(long number, ...) {
    static long (*real)(long, ...);
    va_list a;
    long w[6];
    va_start(a, number);
    for (int i = 0; i < 6; i++)
        w[i] = va_arg(a, long);
    va_end(a);
    if (real == NULL)
        real = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
    before(number, w);
    return real(number, w[0], w[1], w[2], w[3], w[4], w[5]);
}
"""

# A library that lets the process GROWS create a thread before the perf_event_open numbered AT.
GROW = r"""
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static int calls;

static int threads(const char *pid) {
    char path[64];
    int n = 0;
    snprintf(path, sizeof path, "/proc/%s/task", pid);
    DIR *d = opendir(path);
    while (readdir(d) != NULL)
        n++;
    closedir(d);
    return n;
}
static void grow(const char *pid) {
    int before = threads(pid);
    kill(atoi(pid), SIGUSR1);
    while (threads(pid) == before)
        usleep(1000);
}
static void before(long number, const long *w) {
    (void)w;
    if (number == SYS_perf_event_open && ++calls == atoi(getenv("AT")))
        grow(getenv("GROWS"));
}
""" + INTERPOSER

# A library that moves the clock forward by 1000 seconds: before the first event is turned on if LEAPS is "on", or
# else when the names of AT threads were read. It writes to the file LOG which threads' names are read, "on" and "off".
CLOCK = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int leap, names, ons, offs;

static void say(const char *what) {
    FILE *f = fopen(getenv("LOG"), "a");
    fprintf(f, "%s\n", what);
    fclose(f);
}
int clock_gettime(clockid_t clock, struct timespec *t) {
    long rc = syscall(SYS_clock_gettime, clock, t);
    t->tv_sec += leap;
    return (int)rc;
}
int openat(int folder, const char *path, int flags, ...) {
    if (strstr(path, "/task/") != NULL && strstr(path, "/comm") != NULL) {
        say("name");
        if (++names == atoi(getenv("AT")))
            leap = 1000;
    }
    return (int)syscall(SYS_openat, folder, path, flags, 0);
}
static void before(long number, const long *w) {
    if (number == SYS_ioctl && w[1] == PERF_EVENT_IOC_ENABLE && ons++ == 0) {
        say("on");
        leap = atoi(getenv("AT")) == 0 ? 1000 : 0;
    }
    if (number == SYS_ioctl && w[1] == PERF_EVENT_IOC_DISABLE && offs++ == 0)
        say("off");
}
""" + INTERPOSER

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
    """Executes the command of a program that replaces sudo, as root, once."""

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
        s, _ = self.listener.accept()
        data, fds, _, _ = socket.recv_fds(s, 65536, 3)
        words = common.json.loads(data)
        self.asked = words
        p = subprocess.Popen(words[words.index("--") + 1:], stdin=fds[0], stdout=fds[1], stderr=fds[2],
                             preexec_fn=self.prepare)
        for fd in fds:
            os.close(fd)
        s.send(bytes([p.wait() & 255]))
        s.close()
        self.listener.close()


def refusal():
    """Returns why the kernel permits no recording here, or None."""
    p = subprocess.run([common.BRAZIER, "record", "--no-config", "-e", "cpu-clock", "-g", "fp", "-o", "/dev/null",
                        "--to", "folded", "--", sys.executable, "-c", "sum(range(3000000))"],
                       capture_output=True, text=True)
    known = ("perf_event_paranoid", "seccomp", "CONFIG_PERF_EVENTS", "memory may be locked", "the system forbids")
    return p.stderr.strip() if p.returncode == 1 and any(k in p.stderr for k in known) else None


HAS_PERF_DATA = any(pathlib.Path(common.BRAZIER).resolve().parent.parent.glob(
    "lib*/**/collapse-perf-data.so"))
REASON = ("this build has no collapser perf-data" if not HAS_PERF_DATA else
          "there is no C compiler" if COMPILER is None else
          f"brazier cannot record here: {refusal()}" if refusal() else None)


class Options(common.Case):
    """Tests what needs no permission."""

    def assert_usage(self, words, *args):
        err = self.fails(2, "record", *args).err
        for word in words:
            self.assertIn(word, err)
        self.assertEqual([], self.files())

    def test_something_must_be_recorded(self):
        self.assert_usage(["nothing to record", "-p PID"])
        self.assert_usage(["either processes (-p, -t), or all (-a)"], "-a", "-p", "1")
        self.assert_usage(["either processes (-p, -t), or all (-a)"], "-p", "1", "--cgroup", "x", "--", "true")

    def test_invalid_values(self):
        for args, words in ((["-F", "0"], ["--freq", "'0'", "number from 1"]),
                            (["-F", "fast"], ["--freq", "'fast'"]),
                            (["-c", "-3"], ["--period", "'-3'"]),
                            (["-g", "dwarf,99999"], ["--call-graph", "65528"]),
                            (["-g", "fast"], ["--call-graph", "fp", "dwarf"]),
                            (["-p", "1,x"], ["--pid", "'1,x'"]),
                            (["--duration", "0"], ["--duration", "10s"]),
                            (["--kernel", "maybe"], ["--kernel", "yes, no or auto"]),
                            (["-F", "9", "-c", "9"], ["exclude each other"]),
                            (["--from", "perf"], ["--from", "'perf'", "perf-data"]),
                            (["--frq", "9"], ["'--frq'", "'--freq'"])):
            self.assert_usage(words, *args, "--", "true")

    def test_texts_that_are_empty_or_forgotten_are_refused(self):
        """They are those of a variable that is not set, or the words in front of the command."""
        for option, what in (("--save", "the name of a file"), ("--post-process", "a command"),
                             ("--cgroup", "the name of a control group")):
            self.assert_usage([f"{option}: '' is not {what}"], option, "", "--", "touch", "ran")
            self.assert_usage([f"{option}: '--' is not {what}"], option, "--", "touch", "ran")

    def test_options_that_have_no_effect_are_refused(self):
        self.assert_usage(["--until-exit needs a command"], "-p", os.getpid(), "--until-exit", "--duration", "1s")
        if not HAS_PERF_DATA:
            return
        for option in (["--wall-clock"], ["--states"], ["--off-cpu-min=1ms"]):
            self.assert_usage([f"{option[0].partition('=')[0]} needs --off-cpu"], *option, "--", "touch", "ran")
        for option in (["--wakers"], ["--off-cpu", "--wakers"], ["--off-cpu", "--wakeup-depth", "2"]):
            self.assert_usage([" needs --wakeup"], *option, "--", "touch", "ran")

    @unittest.skipUnless(HAS_PERF_DATA, "built without elfutils")
    def test_options_about_waits_may_be_turned_off_without_them(self):
        for option in ("--wall-clock=false", "--states=no", "--wakers=off", "--no-wall-clock"):
            self.assert_usage(["--weight: 'other' is not recorded"], option, "-w", "other", "--", "touch", "ran")

    def test_a_weight_that_is_not_recorded_is_refused(self):
        """A recording that takes long would be lost."""
        for words in ([], ["-e", "cpu-clock,page-faults"], ["--off-cpu"]):
            self.assert_usage(["--weight: 'page-fault' is not recorded"], *words, "-w", "page-fault", "--", "touch", "ran")
        self.assert_usage(["--weight: 'off-cpu' is not recorded"], "-w", "off-cpu", "--", "touch", "ran")

    def test_the_call_graph_option_of_perf_is_explained(self):
        """It has no value."""
        for words in (["-g", "--"], ["-ag", "--"]):
            self.assert_usage(["--call-graph needs fp, dwarf, dwarf,SIZE, auto or none; callers are recorded without it, too"],
                              *words, "touch", "ran")

    def test_an_output_that_is_named_like_a_recording_is_refused(self):
        """With perf, -o names the recording."""
        self.assert_usage(["-o x.perf.data would be a picture; --save x.perf.data keeps the recording"], "-o", "x.perf.data",
                          "--", "touch", "ran")

    def test_an_invalid_output_is_reported_before_the_command_runs(self):
        r = self.brazier("record", "--to", "sgv", "--", "touch", "ran")
        self.assertEqual(2, r.code, r)
        self.assertIn("sgv", r.err)
        self.assertEqual([], self.files())

    def test_an_output_that_cannot_be_written_is_reported_before_the_command_runs(self):
        """A recording that takes long would be lost."""
        (self.dir / "folder.svg").mkdir()
        for outputs, word in ((["-o", "missing/x.svg"], "'missing': it does not exist"),
                              (["-o", "x.svg", "-o", "missing/x.folded"], "'missing': it does not exist"),
                              (["-o", "folder.svg"], "it is a folder")):
            r = self.brazier("record", *outputs, "--", "touch", "ran")
            self.assertEqual(1, r.code, r)
            self.assertIn(word, r.err)
            self.assertEqual([], self.files())

    def test_the_default_output_follows_no_link(self):
        self.write("secret", "old")
        (self.dir / "flame.svg").symlink_to("secret")
        r = self.brazier("record", "--", "touch", "ran")
        self.assertEqual(1, r.code, r)
        self.assertIn("refused: 'flame.svg' is a symbolic link, and only -o FILE follows links", r.err)
        self.assertEqual("old", self.read("secret"))
        self.assertEqual(["flame.svg", "secret"], self.files())

    @unittest.skipUnless(HAS_PERF_DATA, "this build has no collapser perf-data")
    def test_the_help_shows_each_option_once(self):
        """Options of the collapser whose names the command has cannot be given by these names."""
        names = re.findall(r"^ +(?:-\w, )?--(?:\[no-\])?([\w-]+)", self.brazier("record", "--help").out, re.M)
        self.assertIn("wall-clock", names)
        for name in ("kernel", "off-cpu", "pid", "tid", "wakeup"):
            self.assertEqual(1, names.count(name), name)

    def test_unknown_events(self):
        for event, code, words in (("cpu-clok", 2, ["'cpu-clok'", "'cpu-clock'"]), ("", 2, ["no event ''"]),
                                   ("cycles,", 2, ["no event ''"]),
                                   ("cycles,page-faults,cylces", 2, ["'cylces'", "'cycles'"]),
                                   ("cpu-clok:u", 2, ["no event 'cpu-clok'", "'cpu-clock'"]),
                                   ("cpu-clock:z", 2, ["no modifier 'z' in 'cpu-clock:z'"]),
                                   ("cpu-clock:", 2, ["no event 'cpu-clock:'"]),
                                   ("sched:sched_switch:q", 2, ["no modifier 'q' in 'sched:sched_switch:q'"]),
                                   ("sched:nonsense", 2 if sees_tracepoints() else 1, ["sched:nonsense"])):
            r = self.brazier("record", "-e", event, "--", "touch", "ran")
            self.assertEqual(code, r.code, r)
            for word in words:
                self.assertIn(word, r.err)
            self.assertEqual([], self.files())

    @unittest.skipUnless(os.geteuid() == 0, "only root may see tracepoints")
    def test_an_unknown_tracepoint_is_bad_usage_where_tracepoints_can_be_seen(self):
        mount = 'mount -t tracefs none /sys/kernel/tracing || exit 77; exec "$0" "$@"'
        words = self.command(["record", "-e", "sched:sched_swich:u", "--", "touch", "ran"])
        p = subprocess.run(["unshare", "--mount", "sh", "-c", mount, *words], cwd=self.dir, text=True,
                           env=self.environment(), capture_output=True, timeout=120)
        if p.returncode == 77 or "unshare: " in p.stderr:
            self.skipTest("tracefs cannot be mounted")
        self.assertEqual(2, p.returncode, p.stderr)
        self.assertIn("no tracepoint 'sched:sched_swich'; did you mean 'sched:sched_switch'?", p.stderr)
        self.assertEqual([], self.files())


@unittest.skipIf(REASON, REASON)
class Record(common.Case):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(common.tempfile.mkdtemp(prefix="brazier-record-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        (cls.folder / "program.c").write_text(PROGRAM)
        for name, flag in (("program", "-fomit-frame-pointer"), ("pointers", "-fno-omit-frame-pointer")):
            subprocess.run([COMPILER, "-O1", flag, "-pthread", "-o", cls.folder / name, cls.folder / "program.c"],
                           check=True)
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

    def record(self, *args, code=0, **more):
        """Records into out.folded; returns its lines and the messages. Records again as long as the machine has so
        much to do that it does not run the recorded program meanwhile."""
        for _ in range(50):
            before = self.time_of_programs()
            r = self.brazier("record", "-o", "out.folded", *args, **more)
            if not self.started or r.code == code or self.time_of_programs() > before + 0.02:
                break
        self.assertEqual(code, r.code, r)
        return self.read("out.folded") if (self.dir / "out.folded").exists() else "", r.err

    def amount(self, folded, pattern):
        """Returns the weight of the stacks that match."""
        lines = (line.rpartition(" ") for line in folded.splitlines())
        return sum(int(n) for stack, _, n in lines if re.search(pattern, stack))

    def share(self, folded, pattern):
        """Returns the part of the weight whose stacks match."""
        total = self.amount(folded, "")
        return self.amount(folded, pattern) / total if total else 0

    # ---- commands ----

    def test_a_program_is_recorded(self):
        folded, err = self.record("--", self.program)
        self.assertGreater(self.share(folded, "^program;.*main;work;burn"), 0.5, folded)
        self.assertIn("out.folded is written", err)
        self.assertRegex(err, r"recorded \d+\.\d\d s, \d+ samples of (cycles|cpu-clock)")
        self.assertEqual(["out.folded"], self.files())

    def test_the_default_output_is_a_picture(self):
        r = self.brazier("record", "-F", "500", "--title", "My program", "--", self.program)
        self.assertEqual(0, r.code, r)
        self.assertEqual(["flame.svg"], self.files())
        self.assertIn("My program", self.read("flame.svg"))
        self.brazier("record", "--to", "folded", "--", self.program)
        self.assertEqual(["flame.folded", "flame.svg"], self.files())

    def test_options_of_the_picture_have_the_names_of_run(self):
        r = self.brazier("record", "--colors", "aqua", "--hash", "-o", "x.svg", "--post-process", "cat", "--",
                         self.program)
        self.assertEqual(0, r.code, r)
        r = self.brazier("record", "--colors", "aqua", "--random", "-o", "x.svg", "--", self.program)
        self.assertEqual(0, r.code, r)

    def test_frame_pointers(self):
        folded, err = self.record("--", self.pointers)
        self.assertGreater(self.share(folded, "^pointers;.*main;work;burn"), 0.5, folded)
        self.assertIn("callers by frame pointers, since", err)

    def test_the_choice_of_a_method_looks_at_the_program_behind_a_script(self):
        self.write("script", f"#!{self.pointers}\n").chmod(0o755)
        _, err = self.record("--", "./script")
        self.assertRegex(err, f"callers by frame pointers, since [0-9]+ of [0-9]+ functions of {self.pointers} keep")
        (self.dir / "script").unlink()

    def test_the_choice_of_a_method_looks_at_the_program_behind_env(self):
        for words in ("", "-S ", "-S A=1 "):
            self.write("script", f"#!/usr/bin/env {words}{self.pointers}\n").chmod(0o755)
            _, err = self.record("--", "./script")
            self.assertRegex(err, f"callers by frame pointers, since [0-9]+ of [0-9]+ functions of {self.pointers} keep")
        (self.dir / "script").unlink()

    def test_the_choice_of_a_method_skips_folders_in_path(self):
        (self.top / "bin" / "pointers").mkdir(parents=True)
        _, err = self.record("--", "pointers", env={"PATH": f"{self.top}/bin:{self.folder}:{os.environ['PATH']}"})
        self.assertRegex(err, f"since [0-9]+ of [0-9]+ functions of {self.pointers} keep")

    @unittest.skipUnless(os.uname().machine == "x86_64", "the choice looks at code of x86-64")
    def test_the_choice_of_a_method_looks_at_main(self):
        """Most functions may come from a library with frame pointers that is linked into the program."""
        self.write("library.c", "int work(int);\n" + "".join(f"int f{i}(int x) {{ return work(x) + {i}; }}\n" for i in range(200)))
        self.write("main.c", "int work(int), f0(int);\n"
                   "int main(int n, char **v) { if (n < 2) return 0; return work(f0(n)) + **v; }\n")
        self.write("work.c", "int work(int n) { volatile int i = n; for (; i < 10000000; i++); return 0; }\n")

        def build(*sources):
            subprocess.run([COMPILER, "-o", "p", *sources], cwd=self.dir, check=True)
            return self.record("-e", "cpu-clock", "--", "./p", "x", code=ord("."))[1]
        for name, flag in (("library", "-fno-omit-frame-pointer"), ("main", "-fomit-frame-pointer"),
                           ("work", "-fomit-frame-pointer"), ("main-with", "-fno-omit-frame-pointer")):
            subprocess.run([COMPILER, "-O2", flag, "-c", "-o", f"{name}.o", name.split("-")[0] + ".c"], cwd=self.dir,
                           check=True)
        lacks = "callers by copies of stacks, since main() of ./p keeps no frame pointer"
        self.assertIn(lacks, build("main.o", "library.o", "work.o"))
        self.assertIn(lacks, build("-s", "-no-pie", "main.o", "library.o", "work.o"))
        # A main() that saves the frame pointer behind its first branch.
        self.assertIn("callers by frame pointers, since", build("main-with.o", "library.o", "work.o"))

    @unittest.skipUnless(shutil.which("clang") and shutil.which("ld.lld"), "no compiler for arm64")
    def test_the_choice_of_a_method_on_arm64(self):
        """Functions that call nothing have no frame there and do not count."""
        if platform.machine() not in ("x86_64", "aarch64"):
            self.skipTest("other processors have frame pointers only")
        callers = "".join(f"int f{i}(int x) {{ return g(x) + {i}; }}\n" for i in range(20))
        leaves = "".join(f"int h{i}(int x) {{ return x * {i}; }}\n" for i in range(60))
        self.write("p.c", f"__attribute__((noinline)) int g(int x) {{ return x ^ 5; }}\n{callers}{leaves}"
                          "void _start(void) { for (;;) g(1); }\n")
        for flags, words in ((["-fno-omit-frame-pointer"], "frame pointers, since 20 of 20 functions"),
                             (["-fno-omit-frame-pointer", "-mbranch-protection=standard"],
                              "frame pointers, since 20 of 20 functions"),
                             (["-fomit-frame-pointer"], "copies of stacks, since 0 of 20 functions")):
            subprocess.run(["clang", "--target=aarch64-linux-gnu", "-O1", *flags, "-funwind-tables", "-nostdlib",
                            "-fuse-ld=lld", "-Wl,--eh-frame-hdr", "-o", "p", "p.c"], cwd=self.dir, check=True)
            r = self.brazier("record", "-e", "cpu-clock", "--duration", "100ms", "-o", "out.folded", "--", "./p")
            self.assertIn(f"callers by {words} of ./p keep a frame pointer", r.err)

    @unittest.skipUnless(shutil.which("objcopy"), "there is no objcopy")
    def test_go_programs_have_frame_pointers(self):
        self.write("table", "x")
        subprocess.run(["objcopy", "--add-section", ".gopclntab=table", self.program, "go"], cwd=self.dir, check=True)
        _, err = self.record("--", "./go")
        self.assertIn("callers by frame pointers, since ./go is a Go program", err)

    def test_programs_of_32_bits_are_recorded_by_frame_pointers(self):
        with open(self.program, "rb") as f:
            program = bytearray(f.read())
        program[4] = 1 # ELFCLASS32
        self.write("small", bytes(program))
        os.chmod(self.dir / "small", 0o755)
        r = self.brazier("record", "-e", "cpu-clock", "--duration", "100ms", "-o", "out.folded", "--", "./small")
        self.assertIn("callers by frame pointers, since ./small is not a 64-bit program, whose stacks can be unwound",
                      r.err)

    @unittest.skipUnless(COMPILER, "no compiler")
    def test_compiled_code_of_java_has_frame_pointers_on_request(self):
        self.write("jli.c", "void launch(void) {}\n")
        self.write("main.c", "void launch(void);\nint main(void) { launch(); return 0; }\n")
        subprocess.run([COMPILER, "-shared", "-fPIC", "-o", "libjli.so", "jli.c"], cwd=self.dir, check=True)
        subprocess.run([COMPILER, "-O2", "-fomit-frame-pointer", "-o", "java", "main.c", "libjli.so",
                        "-Wl,-rpath,$ORIGIN"], cwd=self.dir, check=True)
        r = self.brazier("record", "-e", "cpu-clock", "-o", "out.folded", "--", "./java")
        self.assertIn("callers by frame pointers, since ./java starts a Java virtual machine, whose compiled code has "
                      "them with -XX:+PreserveFramePointer", r.err)

    def test_copies_of_stacks(self):
        folded, err = self.record("-g", "dwarf,4096", "--", self.program)
        self.assertGreater(self.share(folded, "^program;.*main;work;burn"), 0.5, folded)
        self.assertNotIn("callers by", err)

    def test_no_callers(self):
        folded, _ = self.record("-g", "none", "--", self.program)
        self.assertGreater(self.share(folded, "^program;burn$"), 0.5, folded)

    def test_children_and_threads(self):
        folded, _ = self.record("--", self.program, "fork")
        self.assertGreater(self.share(folded, "^program;.*child_work;burn"), 0.5, folded)
        folded, _ = self.record("--", self.program, "thread")
        self.assertGreater(self.share(folded, "^(helper|program);.*thread_work;burn"), 0.5, folded)

    def test_the_status_of_the_command_is_kept(self):
        self.record("-F", "9999", "--", "sh", "-c", f"'{self.program}'; exit 7", code=7)
        self.record("--", "sh", "-c", f"'{self.program}'; kill -9 $$", code=128 + 9)

    def test_a_signal_that_ends_the_command_is_reported(self):
        """The shell does not report it, since it sees the status of brazier."""
        for name, number in (("SEGV", 11), ("KILL", 9)):
            _, err = self.record("--", "sh", "-c", f"'{self.program}'; kill -{name} $$", code=128 + number)
            self.assertIn(f"warning: the command was ended by signal {number}: {signal.strsignal(number)}\n", err)
        _, err = self.record("--", "sh", "-c", f"'{self.program}'; exit 139", code=139)
        self.assertNotIn("signal", err)

    def below(self, prepare, *args):
        """Runs the program below a parent that has changed what its children inherit."""
        return subprocess.run(self.command(args), cwd=self.dir, env=self.environment(), capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, preexec_fn=prepare, timeout=120)

    def test_the_status_of_the_command_is_kept_below_a_parent_that_ignores_children(self):
        p = self.below(lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN), "record", "-o", "out.folded", "--", "sh",
                       "-c", f"'{self.program}'; exit 7")
        self.assertEqual(7, p.returncode, p.stderr)

    def test_a_command_below_nohup_outlives_a_hang_up(self):
        p = self.below(lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN), "record", "-o", "out.folded", "--", "sh",
                       "-c", f"kill -HUP $PPID; kill -HUP $$; '{self.program}'; echo end; exit 5")
        self.assertEqual((5, "end\n"), (p.returncode, p.stdout), p.stderr)
        self.assertGreater(self.share(self.read("out.folded"), "work;burn"), 0.3)

    def test_a_command_that_cannot_be_executed(self):
        self.write("out.folded", "old")
        self.write("data", "no program")
        self.write("script", "#!/nonsense/interpreter\n").chmod(0o755)
        for name, word in (("./nonsense", "no such program"), ("./data", "Permission denied"),
                           ("./script", "the interpreter that it names does not exist")):
            folded, err = self.record("--", name, code=127)
            self.assertIn(f"cannot execute '{name}': {word}", err)
            self.assertEqual("old", folded)

    def test_words_of_the_command_are_not_options(self):
        r = self.brazier("record", "-o", "out.folded", "sh", "-c", f"echo $0 $1; '{self.program}'", "-o", "x.svg")
        self.assertEqual((0, "-o x.svg\n"), (r.code, r.out), r)
        self.assertEqual(["out.folded"], self.files())

    def test_the_command_has_the_streams_and_signals_of_the_shell(self):
        r = self.brazier("record", "-o", "out.folded", "--", sys.executable, "-c",
                         "import signal, sys\n"
                         "print(sys.stdin.read(), signal.pthread_sigmask(signal.SIG_BLOCK, []))\n"
                         "sum(range(3000000))", stdin="given")
        self.assertEqual("given set()\n", r.out, r)

    def test_a_command_that_exits_at_once(self):
        r = self.brazier("record", "-o", "out.folded", "-F", "10", "--", self.program, "exit", "0")
        if r.code != 0:  # most often, there is no sample
            self.assertEqual(1, r.code, r)
            self.assertRegex(r.err, "no samples: the program hardly ran in .* ms; -F sets a higher frequency, brazier "
                                    r"record --off-cpu -- \S+ draws where it waits")
            self.assertEqual([], self.files())

    def test_the_recording_in_isolation(self):
        folded, _ = self.record("-g", "fp", "--isolate", "--", self.pointers)
        self.assertGreater(self.share(folded, "^pointers;"), 0.5, folded)

    # ---- events ----

    def test_events_are_columns(self):
        r = self.brazier("record", "-e", "cpu-clock,page-faults", "-e", "task-clock", "-o", "out.folded", "--save",
                         "x.perf.data", "--", "sh", "-c", f"'{self.program}' touch; '{self.program}' work 0.2")
        self.assertEqual(0, r.code, r)
        self.assertEqual(self.brazier("run", "x.perf.data", "-w", "cpu-clock", "-t", "folded").out.split()[-1],
                         self.read("out.folded").split()[-1], "not the first event")
        folded = self.brazier("run", "x.perf.data", "-w", "page-faults", "-t", "folded").out
        # The program has 20,000 page faults. The kernel adapts the period, so the last samples may be missing.
        self.assertGreater(self.amount(folded, ";touch"), 1000, folded)
        self.assertLess(self.amount(folded, ""), 1e6, "page faults, not nanoseconds")
        for clock in ("cpu-clock", "task-clock"):  # `touch` may take as long as `work`
            folded = self.brazier("run", "x.perf.data", "-w", clock, "-t", "folded").out
            self.assertGreater(self.amount(folded, ";work;burn"), 0.1e9, folded)
            self.assertGreater(self.share(folded, ";(work;burn|touch)"), 0.5, folded)

    def test_a_period(self):
        folded, _ = self.record("-g", "fp", "-e", "page-faults", "-c", "1", "--", self.pointers, "touch")
        n = sum(int(line.rpartition(" ")[2]) for line in folded.splitlines() if ";touch" in line)
        self.assertTrue(15000 <= n <= 21000, folded)

    def test_a_frequency_that_is_too_high_is_lowered(self):
        limit = pathlib.Path("/proc/sys/kernel/perf_event_max_sample_rate").read_text().strip()
        _, err = self.record("-g", "fp", "-e", "cpu-clock", "-F", "99999999", "--", self.program, "work", "0.05")
        self.assertIn(f"{limit} samples per second instead of 99999999", err)

    def test_the_highest_frequency(self):
        limit = pathlib.Path("/proc/sys/kernel/perf_event_max_sample_rate").read_text().strip()
        _, err = self.record("-g", "fp", "-e", "cpu-clock", "-F", "max", "--", self.program, "work", "0.05")
        self.assertIn(f"note: {limit} samples per second, the most that the kernel permits", err)

    def test_an_event_that_does_not_occur(self):
        """A higher frequency is no remedy."""
        r = self.fails(1, "record", "-e", "context-switches", "--kernel", "no", "--", self.program, "sleep")
        self.assertRegex(r.err, r"no samples: context-switches did not occur outside the kernel within \d+ ms\n")

    def test_an_event_that_occurs_less_often_than_the_period(self):
        r = self.fails(1, "record", "-e", "cpu-clock", "-c", "600000000000", "--", self.program)
        self.assertRegex(r.err, r"no samples: cpu-clock did not reach the 600000000000 of --period within \d+ ms\n")

    def test_an_event_that_is_named_twice_counts_once(self):
        folded, err = self.record("-g", "fp", "-e", "page-faults,page-faults", "-c", "1", "-e", "page-faults", "--",
                                  self.pointers, "touch")
        self.assertTrue(15000 <= self.amount(folded, ";touch") <= 21000, folded)
        self.assertRegex(err, r"samples of page-faults\n")

    def test_the_status_of_a_command_that_fails_is_kept_without_samples(self):
        r = self.brazier("record", "-e", "major-faults", "-o", "out.folded", "--", self.program, "exit", "7")
        self.assertEqual(7, r.code, r)
        self.assertIn("error: no samples", r.err)
        self.fails(1, "record", "-e", "major-faults", "--ignore-status", "-o", "out.folded", "--", self.program, "exit",
                   "7")
        self.assertEqual([], self.files())

    def test_a_process_that_waits_all_the_time(self):
        p = subprocess.Popen(["sleep", "600"])
        self.addCleanup(p.wait)
        self.addCleanup(p.kill)
        time.sleep(0.2)
        for options in ([], ["--off-cpu"]):
            r = self.fails(1, "record", *options, "-p", p.pid, "--duration", "300ms", "-o", "out.folded")
            self.assertIn(f"gdb -p {p.pid} -batch -ex 'thread apply all bt' | brazier run - ", r.err)
            self.assertNotIn("--switch-events", r.err)

    def test_files_of_parts_are_announced_as_such(self):
        r = self.brazier("record", "--split-by", "process", "-o", "x-{process}.folded", "--", self.program)
        self.assertEqual(0, r.code, r)
        self.assertIn("note: x-{process}.folded is written for each process\n", r.err)

    @unittest.skipUnless(os.geteuid() == 0, "only root may record context switches and tracepoints")
    def test_context_switches_and_tracepoints(self):
        folded, _ = self.record("-e", "context-switches", "--", self.program, "sleep")
        self.assertGreater(self.share(folded, "main"), 0.5, folded)
        if not os.access("/sys/kernel/tracing/events/sched", os.R_OK):
            self.skipTest("tracefs is not mounted")
        folded, _ = self.record("-e", "sched:sched_switch", "--save", "x.perf.data", "--", self.program, "sleep")
        self.assertGreater(self.share(folded, "main"), 0.5, folded)
        if PERF:
            text = subprocess.run([PERF, "script", "-i", "x.perf.data"], cwd=self.dir, capture_output=True, text=True)
            self.assertIn("prev_comm=program", text.stdout, text.stderr)

    # ---- waiting ----

    @unittest.skipUnless(os.geteuid() == 0, "only root may record the scheduler's tracepoints")
    def test_time_off_the_processors(self):
        if not os.access("/sys/kernel/tracing/events/sched", os.R_OK):
            self.skipTest("tracefs is not mounted")
        folded, _ = self.record("--off-cpu", "--", self.program, "sleep")
        self.assertGreater(self.share(folded, "main;.*nanosleep"), 0.5, folded)
        n = sum(int(line.rpartition(" ")[2]) for line in folded.splitlines())
        self.assertGreater(n, 90e6, folded)  # 50 times 2 ms
        folded, _ = self.record("--off-cpu", "-a", "--duration", "300ms")
        self.assertTrue(folded)
        folded, _ = self.record("--wakeup", "--", "sh", "-c", "(sleep 0.2; echo x; sleep 0.1) | cat")
        self.assertRegex(folded, r"(?m)^cat;.*;--;.*;sh \d+$")

    def without_tracefs(self, *args):
        """Records into out.folded where tracefs cannot be seen; returns its lines and the messages."""
        p = self.in_own_mounts("for f in /sys/kernel/debug /sys/kernel/tracing; do [ ! -d $f ] || mount -t tmpfs none $f; done",
                               "record", "-o", "out.folded", *args, "--", self.program, "sleep")
        self.assertEqual(0, p.returncode, p.stderr)
        return self.read("out.folded"), p.stderr

    def test_waits_have_their_stacks_without_tracepoints(self):
        """Rights count, not only the level of paranoia."""
        folded, err = self.without_tracefs("--off-cpu")
        self.assertGreater(self.share(folded, "main;.*nanosleep"), 0.5, folded)
        self.assertNotIn("waits have", err)
        folded, err = self.without_tracefs("--wakeup")
        self.assertGreater(self.share(folded, "main;.*nanosleep"), 0.5, folded)
        self.assertIn("note: wake-ups are not recorded: the tracepoint 'sched:sched_switch' needs tracefs, which is not mounted",
                      err)

    def with_tracefs(self, *args):
        """Records into out.folded where tracefs can be read; returns its lines and the messages."""
        p = self.in_own_mounts("mount -t tracefs none /sys/kernel/tracing", "record", "-o", "out.folded", *args, "--",
                               self.program, "sleep")
        self.assertEqual(0, p.returncode, p.stderr)
        return self.read("out.folded"), p.stderr

    def test_every_switch_counts_whatever_the_period(self):
        folded, err = self.with_tracefs("--off-cpu", "-c", "1000")
        self.assertGreater(self.share(folded, "main;.*nanosleep"), 0.5, folded)
        self.assertNotIn("only some of the switches", err)

    def test_an_event_of_the_scheduler_that_is_named_is_recorded_once(self):
        """With two records of a switch, the thread would seem to leave twice in a row."""
        _, err = self.without_tracefs("--off-cpu", "-e", "cpu-clock,context-switches")
        self.assertRegex(err, r"samples of cpu-clock, context-switches\n")
        folded, err = self.with_tracefs("--off-cpu", "-e", "sched:sched_switch")
        self.assertRegex(err, r"samples of sched:sched_switch\n")
        self.assertNotIn("whose end is not recorded", err)
        self.assertGreater(self.share(folded, "main;.*nanosleep"), 0.5)

    def test_waits_without_the_kernel_have_the_stacks_of_the_program(self):
        for method in ("dwarf", "fp"):
            folded, err = self.without_tracefs("--off-cpu", "--kernel", "no", "-g", method)
            self.assertNotIn("waits have", err)
            self.assertGreater(self.share(folded, "main;" if method == "dwarf" else "nanosleep"), 0.5, folded)
            self.assertNotRegex(folded, "schedule|entry_SYSCALL|el0_svc")
        if os.access("/sys/kernel/tracing/events/sched", os.R_OK):
            folded, _ = self.record("--wakeup", "--kernel", "no", "--", self.program, "sleep")
            self.assertGreater(self.share(folded, "main;.*nanosleep"), 0.5, folded)

    def test_time_off_the_processors_of_an_ordinary_user(self):
        self.skip_unless_nobody_can_run()
        p = self.as_nobody("record", "--off-cpu", "-o", "out.folded", "--", str(self.program), "sleep")
        if p.returncode != 0 and "perf_event_paranoid=" in p.stderr:
            self.skipTest("an ordinary user may not record")
        self.assertEqual(0, p.returncode, p.stderr)
        self.assertGreater(self.share(self.read("out.folded"), "^program;"), 0.9, p.stderr)
        if int(pathlib.Path("/proc/sys/kernel/perf_event_paranoid").read_text()) == 2:
            self.assertIn("note: waits have the stack of the sample before them: kernel.perf_event_paranoid is 2, so you may "
                          "not record tracepoints: ", p.stderr)

    # ---- processes ----

    def start_program(self, *args):
        p = subprocess.Popen([self.program, *args], stdout=subprocess.PIPE)
        self.addCleanup(p.stdout.close)
        self.addCleanup(p.wait)
        self.addCleanup(p.kill)
        self.assertEqual(b"ready\n", p.stdout.readline())
        self.started.append(p.pid)
        return p

    def test_a_running_process(self):
        p = self.start_program("forever")
        folded, err = self.record("-g", "dwarf", "-p", p.pid, "--duration", "200ms")
        self.assertGreater(self.share(folded, "^program;.*main;work;burn"), 0.5, folded)
        _, err = self.record("-p", p.pid, "--duration", "100ms")
        self.assertIn(f"functions of {self.program} keep a frame pointer", err)
        self.assertIsNone(p.poll())
        folded, err = self.record("-g", "fp", "-t", p.pid, "--duration", "200ms")
        self.assertGreater(self.share(folded, "^program;.*burn"), 0.5, folded)
        p.kill()
        threads = self.start_program("threads")
        folded, err = self.record("-g", "dwarf", "-p", threads.pid, "--duration", "200ms")
        self.assertGreater(self.share(folded, "thread_work;burn"), 0.8, folded)

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

    def events_of_a_thread(self, name):
        """Returns the largest number of events with samples of the same thread on a processor."""
        ids = {}
        for kind, _, body in self.records(self.dir / name):
            if kind == 9:
                event, _, _, tid, _, cpu = struct.unpack_from("<QQIIQI", body)
                ids.setdefault((tid, cpu), set()).add(event)
        return max(map(len, ids.values()))

    @unittest.skipIf(common.SANITIZED, "a sanitizer must be loaded first")
    def test_threads_that_begin_while_a_process_is_attached(self):
        """A thread may begin before its creator has events, and after it has them on one processor."""
        self.write("grow.c", GROW)
        subprocess.run([COMPILER, "-shared", "-fPIC", "-o", self.top / "grow.so", self.dir / "grow.c", "-ldl"],
                       check=True)
        self.program = self.pointers
        for at in (1, 4, 5):
            p = self.start_program("grow")
            folded, err = self.record("-g", "fp", "-e", "cpu-clock,page-faults", "-p", p.pid, "--duration", "200ms",
                                      "--save", "x.perf.data", env={
                                          "LD_PRELOAD": self.top / "grow.so", "GROWS": p.pid, "AT": at})
            self.assertIn("thread_work;burn", folded, f"{at}: {err}")
            self.assertLessEqual(self.events_of_a_thread("x.perf.data"), 2)
            p.kill()

    def with_clock(self, at):
        """Records 100 ms below the library CLOCK. Returns what the library wrote, and the messages."""
        self.write("clock.c", CLOCK)
        subprocess.run([COMPILER, "-shared", "-fPIC", "-o", self.top / "clock.so", self.dir / "clock.c", "-ldl"],
                       check=True)
        p = self.start_program("threads")
        log = self.top / "log"
        log.unlink(missing_ok=True)
        r = self.brazier("record", "-g", "fp", "-p", p.pid, "--duration", "100ms", env={
            "LD_PRELOAD": self.top / "clock.so", "AT": at, "LOG": log})
        p.kill()
        return log.read_text().split(), r.err

    @unittest.skipIf(common.SANITIZED, "a sanitizer must be loaded first")
    def test_the_duration_begins_when_the_events_are_on(self):
        """Turning on the events of many threads takes a while."""
        self.program = self.pointers
        log, err = self.with_clock(0)
        self.assertEqual("on", log[0])
        self.assertRegex(err, r"recorded \d{1,2}\.\d\d s")

    @unittest.skipIf(common.SANITIZED, "a sanitizer must be loaded first")
    def test_the_duration_ends_while_the_names_of_threads_are_read(self):
        self.program = self.pointers
        log, err = self.with_clock(2)
        self.assertEqual(["on", "name", "name", "off"], log[:4])
        self.assertLess(4, len(log))
        self.assertIn("recorded 1000.", err)

    @unittest.skipUnless(os.geteuid() == 0, "only root may raise a priority")
    def test_the_recorder_has_priority_over_the_command(self):
        """Among thousands of busy threads, it would lose records and end late."""
        script = "cut -d' ' -f19 /proc/$PPID/stat /proc/$$/stat > nice"
        self.brazier("record", "--", "sh", "-c", script)
        if os.sched_getscheduler(0) == os.SCHED_OTHER and os.nice(0) == 0:
            self.assertEqual("-20\n0\n", self.read("nice"))

    def test_a_thread_stands_for_its_process(self):
        """Mappings belong to processes, so that without it no address would have a name."""
        p = self.start_program("threads")
        threads = [t for t in os.listdir(f"/proc/{p.pid}/task") if int(t) != p.pid]
        folded, err = self.record("-p", threads[0], "-g", "dwarf", "--duration", "300ms")
        self.assertGreater(self.share(folded, "thread_work;burn"), 0.5, folded)
        self.assertIn(f"note: {threads[0]} is a thread of process {p.pid}, which is recorded; -t {threads[0]} records "
                      "the thread\n", err)

    def test_a_process_that_is_named_twice_counts_once(self):
        p = self.start_program("forever")
        self.record("-g", "fp", "-e", "cpu-clock,page-faults", "-p", f"{p.pid},{p.pid}", "-t", p.pid, "--duration",
                    "200ms", "--save", "x.perf.data")
        self.assertLessEqual(self.events_of_a_thread("x.perf.data"), 2)

    @unittest.skipUnless(ctypes.sizeof(ctypes.c_void_p) == 8, "only for 64 bits")
    def test_the_vdso_has_its_build_id(self):
        own = vdso()[1]
        if own is None:
            self.skipTest("no vdso with a build id")
        self.record("-g", "fp", "--save", "x.perf.data", "--", self.pointers)
        self.assertIn(own + bytes([20, 0, 0, 0]) + b"[vdso]\0", (self.dir / "x.perf.data").read_bytes())

    @unittest.skipUnless(shutil.which("readelf"), "there is no readelf")
    def test_mappings_of_a_running_process_have_build_ids(self):
        subprocess.run([COMPILER, "-Wl,--build-id", "-pthread", "-o", self.top / "own", self.folder / "program.c"],
                       check=True)
        note = subprocess.run(["readelf", "-n", self.top / "own"], capture_output=True, text=True, check=True).stdout
        expected = re.search("Build ID: ([0-9a-f]+)", note)[1]
        self.program = self.top / "own"
        p = self.start_program("forever")
        self.record("-g", "fp", "-p", p.pid, "--duration", "200ms", "--save", "x.perf.data")
        found = {}
        for kind, misc, body in self.records(self.dir / "x.perf.data"):
            if kind == 10:
                name = body[64:].split(b"\0")[0].decode()
                found[name] = body[36:36 + body[32]].hex() if misc & 1 << 14 else None
        self.assertEqual(expected, found[str(self.program)])
        # Another file under the name that the kernel shows for a deleted one.
        (self.top / "own").unlink()
        shutil.copy(self.pointers, self.top / "own (deleted)")
        self.record("-g", "fp", "-p", p.pid, "--duration", "200ms", "--save", "x.perf.data")
        ids = [body[36:36 + body[32]].hex() for kind, misc, body in self.records(self.dir / "x.perf.data")
               if kind == 10 and misc & 1 << 14 and body[64:].startswith(bytes(self.top))]
        self.assertEqual([expected], ids)

    def test_a_program_that_was_replaced_while_it_runs(self):
        """The process still has the old one."""
        subprocess.run([COMPILER, "-Wl,--build-id", "-pthread", "-o", self.top / "own", self.folder / "program.c"],
                       check=True)
        self.write("new.c", "int main(void) { return 0; }")
        self.program = self.top / "own"
        p = self.start_program("forever")
        self.program.unlink()
        subprocess.run([COMPILER, "-Wl,--build-id", "-o", self.program, self.dir / "new.c"], check=True)
        folded, err = self.record("-g", "dwarf", "-p", p.pid, "--duration", "200ms")
        self.assertGreater(self.share(folded, "main;work;burn"), 0.5, folded + err)

    def test_a_library_of_a_process_with_other_mounts(self):
        """As in a container: the file of its path is another one outside of it."""
        if os.geteuid() != 0 or shutil.which("unshare") is None:
            self.skipTest("only root can mount, with unshare")
        library = "void WORK(void) { for (volatile long i = 0;; i++) {} }\nvoid run(void) { WORK(); }"
        self.write("run.c", library)
        self.write("main.c", "#include <stdio.h>\nvoid run(void);\nint main(void) { puts(\"ready\"); "
                             "fflush(stdout); run(); return 0; }")
        for folder, name in (("inside", "right"), ("outside", "wrong")):
            (self.top / folder).mkdir()
            subprocess.run([COMPILER, "-O1", "-fno-inline", "-Wl,--build-id", "-shared", "-fPIC", f"-DWORK={name}",
                            "-o", self.top / folder / "librun.so", self.dir / "run.c"], check=True)
        subprocess.run([COMPILER, "-o", self.top / "main", self.dir / "main.c", f"-L{self.top}/outside", "-lrun",
                        f"-Wl,-rpath,{self.top}/outside"], check=True)
        self.program = "unshare"
        p = self.start_program("-m", "sh", "-c", 'mount --bind "$0" "$1" && exec "$2" || echo ready',
                               self.top / "inside", self.top / "outside", self.top / "main")
        if p.poll() is not None or "inside" not in pathlib.Path(f"/proc/{p.pid}/mountinfo").read_text():
            self.skipTest("nothing can be mounted here")
        folded, err = self.record("-g", "dwarf", "-p", p.pid, "--duration", "200ms", "--save", "x.perf.data")
        self.assertGreater(self.share(folded, "main;run;right"), 0.5, folded + err)
        (self.dir / "x.perf.data").chmod(0o644)
        other = self.as_nobody("run", "x.perf.data", "-t", "folded")
        if other.returncode == 0:  # whoever may not look into the process is not told for each file
            self.assertNotIn("is not read", other.stderr)
            self.assertNotRegex(other.stdout, "right|wrong")
        p.kill()
        p.wait()
        r = self.brazier("run", "x.perf.data", "-t", "folded")
        self.assertNotRegex(r.out, "right|wrong")
        self.assertIn("1 file is not the one that was recorded", r.err)

    @staticmethod
    def await_recording(p):
        """Waits until a recorder has events."""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            fds = list(pathlib.Path(f"/proc/{p.pid}/fd").iterdir())
            if any(fd.is_symlink() and "perf_event" in os.readlink(fd) for fd in fds):
                return
            time.sleep(0.05)

    def test_a_process_that_ends(self):
        for seconds in (0.2, 2, 20):  # a recorder that has its events may still have to wait for a processor
            p = self.start_program("forever")
            r = self.start("record", "-o", "out.folded", "-p", str(p.pid))
            self.await_recording(r)
            time.sleep(seconds)
            p.kill()
            p.wait()
            _, err = r.communicate(timeout=60)
            if r.returncode == 0:
                break
        self.assertEqual(0, r.returncode, err)
        self.assertEqual(["out.folded"], self.files())

    @unittest.skipUnless(os.geteuid() == 0, "only root may record control groups")
    def test_control_groups(self):
        r = self.fails(1, "record", "--cgroup", "nonsense", "--duration", "1s")
        self.assertIn("no control group 'nonsense'", r.err)
        r = self.fails(1, "record", "-g", "fp", "--cgroup", str(self.dir), "--duration", "1s")
        self.assertIn("is not a control group that can be recorded", r.err)
        top = next((t for t in ("/sys/fs/cgroup/unified", "/sys/fs/cgroup/perf_event", "/sys/fs/cgroup") if
                    os.path.exists(f"{t}/cgroup.procs")), None)
        if top is None:
            self.skipTest("there is no cgroup of version 2, nor the controller perf_event")
        group = pathlib.Path(top) / f"brazier-{os.getpid()}"
        try:
            group.mkdir()
        except OSError as e:
            self.skipTest(f"no control group can be created: {e}")
        try:
            p = self.start_program("forever")
            (group / "cgroup.procs").write_text(str(p.pid))
            for more in ([], ["-a"]):  # perf wants -a beside a control group
                folded, _ = self.record("--cgroup", str(group), *more, "--duration", "200ms")
                self.assertGreater(self.share(folded, "^program;"), 0.9, folded)
        finally:
            p.kill()
            p.wait()
            group.rmdir()

    def test_no_process(self):
        p = subprocess.Popen(["true"])
        p.wait()
        self.assertEqual(f"brazier: error: no process {p.pid}\n", self.fails(1, "record", "-p", p.pid).err)

    def test_no_thread(self):
        """One of several is missed, too."""
        p = subprocess.Popen(["true"])
        p.wait()
        for words in ([], ["-p", os.getpid()], ["-t", os.getpid()]):
            r = self.fails(1, "record", *words, "-t", p.pid, "--duration", "1ms")
            self.assertEqual(f"brazier: error: no thread {p.pid}\n", r.err)

    @unittest.skipUnless(os.geteuid() == 0, "only root may record all processes")
    def test_all_processes(self):
        p = self.start_program("forever")
        folded, _ = self.record("-a", "--duration", "500ms")
        self.assertIn("program;", folded)
        self.assertIsNone(p.poll())

    @unittest.skipUnless(os.geteuid() == 0, "only root may record all processes")
    def test_all_processes_while_a_command_runs(self):
        p = self.start_program("forever")
        r = self.brazier("record", "-a", "-o", "out.folded", "--", "sh", "-c", "echo begun; sleep 0.5; exit 3")
        self.assertEqual((3, "begun\n"), (r.code, r.out), r)
        self.assertIn("program;", (self.dir / "out.folded").read_text())
        self.assertIsNone(p.poll())

    def test_a_process_while_a_command_runs(self):
        p = self.start_program("forever")
        folded, _ = self.record("-p", p.pid, "--", "sh", "-c", "i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done")
        self.assertEqual({"program"}, {line.split(";")[0] for line in folded.splitlines()})
        self.assertIsNone(p.poll())

    # ---- time and signals ----

    def test_duration_ends_the_command(self):
        folded, _ = self.record("--duration", "300ms", "--", self.program, "forever")
        self.assertGreater(self.share(folded, "work;burn"), 0.5, folded)

    def await_end(self, pids):
        deadline = time.monotonic() + 20
        while any(pathlib.Path(f"/proc/{pid}").exists() for pid in pids) and time.monotonic() < deadline:
            time.sleep(0.05)
        return [pid for pid in pids if pathlib.Path(f"/proc/{pid}").exists()]

    def test_processes_of_the_command_end_with_it(self):
        """Also those that do not end by themselves, but not a daemon, whose parent has ended before."""
        script = "exec > /dev/null 2>&1; sh -c 'sleep 600 & echo $! > daemon'; sleep 600 & echo $! > child; " \
                 "sh -c 'trap \"\" TERM; echo $$ > stubborn; sleep 600; sleep 600; sleep 600'"
        r = self.brazier("record", "-e", "cpu-clock", "--duration", "300ms", "-o", "out.folded", "--", "sh", "-c", script)
        self.assertIn("the command does not end, so it is killed", r.err)
        child, stubborn, daemon = (int(self.read(name)) for name in ("child", "stubborn", "daemon"))
        self.assertEqual([], self.await_end([child, stubborn]))
        os.kill(daemon, signal.SIGKILL)

    def test_processes_that_ignore_ctrl_c_end_with_the_second_one(self):
        (self.dir / "script").write_text(f"trap '' INT\n'{self.program}' stubborn & echo $! > child\n"
                                         f"'{self.program}' stubborn > /dev/null\n")
        code, err = self.interrupt("sh", str(self.dir / "script"), signals=2)
        self.assertEqual(128 + signal.SIGKILL, code, err)
        self.assertEqual([], self.await_end([int(self.read("child"))]))

    def test_a_signal_to_the_recorder_ends_the_processes_of_the_command(self):
        """The command ends at once, and those that it has started do not end with it by themselves."""
        script = "sleep 600 & echo $! > child; sh -c 'trap \"\" TERM; echo $$ > stubborn; sleep 600; sleep 600' & " \
                 "while [ ! -s stubborn ]; do :; done; echo ready; while :; do :; done"
        for sig in (signal.SIGTERM, signal.SIGINT):
            p = self.start("record", "-e", "cpu-clock", "-o", "out.folded", "--", "bash", "-c", f"set -m; {script}")
            self.assertEqual(b"ready\n", p.stdout.readline())
            p.send_signal(sig)
            child, stubborn = (int(self.read(name)) for name in ("child", "stubborn"))
            p.communicate(timeout=60)
            self.assertEqual(128 + sig, p.returncode)
            self.assertEqual([], self.await_end([child, stubborn]))
            (self.dir / "stubborn").unlink()

    def test_processes_that_start_while_the_command_ends_are_killed_too(self):
        """One that survives the signal starts others, which have its output: they were left over."""
        script = "sh -c 'trap \"\" TERM; echo $$ > stubborn; while :; do sleep 600 & echo $! >> started; sleep 0.3; done' & " \
                 "while [ ! -s started ]; do :; done; echo ready; while :; do :; done"
        p = self.start("record", "-e", "cpu-clock", "-o", "out.folded", "--", "bash", "-c", f"set -m; {script}")
        self.assertEqual(b"ready\n", p.stdout.readline())
        p.send_signal(signal.SIGTERM)
        p.communicate(timeout=60)
        self.assertEqual(128 + signal.SIGTERM, p.returncode)
        started = list(map(int, self.read("started").split()))
        self.assertGreater(len(started), 1)
        self.assertEqual([], self.await_end([int(self.read("stubborn")), *started]))

    def test_until_exit_lets_the_command_end(self):
        r = self.brazier("record", "-o", "out.folded", "--duration", "100ms", "--until-exit", "--", "sh", "-c",
                         f"'{self.program}' work 0.5; echo done; exit 3")
        self.assertEqual((3, "done\n"), (r.code, r.out), r)

    def test_until_exit_waits_for_processes_that_the_command_leaves(self):
        folded, _ = self.record("--until-exit", "--", "sh", "-c", f"'{self.program}' fork 0.5 & exec '{self.program}'")
        self.assertGreater(self.share(folded, "child_work;burn"), 0.3, folded)

    def test_a_delay(self):
        folded, _ = self.record("-g", "fp", "--delay", "200ms", "--duration", "400ms", "--", self.pointers, "forever")
        self.assertGreater(self.share(folded, "main;work;burn"), 0.5, folded)

    def test_a_recording_that_ends_before_the_delay(self):
        for options in ([], ["--off-cpu"]):
            r = self.fails(1, "record", *options, "--delay", "600s", "--", self.program)
            self.assertIn("error: no samples: the recording ended before the time of --delay had passed\n", r.err)
            self.assertNotIn("recorded ", r.err)
            self.assertEqual([], self.files())

    def interrupt(self, *command, signals=1):
        """Interrupts a recording like Ctrl-C: the signal goes to the recorder and to the command."""
        p = self.start("record", "-o", "out.folded", "--", *command, start_new_session=True)
        self.assertEqual(b"ready\n", p.stdout.readline())
        time.sleep(0.3)
        for _ in range(signals):
            os.killpg(p.pid, signal.SIGINT)
            time.sleep(0.2)
        out, err = p.communicate(timeout=60)
        deadline = time.monotonic() + 20
        with self.assertRaises(ProcessLookupError):
            while time.monotonic() < deadline:  # the system takes a moment to remove killed orphans
                os.killpg(p.pid, 0)
                time.sleep(0.05)
        return p.returncode, err.decode()

    def test_ctrl_c_ends_the_recording_and_not_the_picture(self):
        code, err = self.interrupt(str(self.program), "forever")
        self.assertEqual(128 + signal.SIGINT, code, err)
        self.assertGreater(self.share(self.read("out.folded"), "work;burn"), 0.5)

    def test_a_command_that_ignores_ctrl_c(self):
        code, err = self.interrupt(str(self.program), "stubborn")
        self.assertEqual(128 + signal.SIGTERM, code, err)
        self.assertGreater(self.share(self.read("out.folded"), "burn"), 0.5)
        code, err = self.interrupt(str(self.program), "stubborn", signals=2)
        self.assertEqual(128 + signal.SIGKILL, code, err)

    @staticmethod
    def is_running(program):
        """Returns whether a process executes a file."""
        for exe in pathlib.Path("/proc").glob("[0-9]*/exe"):
            try:
                if os.readlink(exe) == str(program):
                    return True
            except OSError:
                pass
        return False

    def test_nothing_is_left_after_a_kill(self):
        self.write("out.folded", "old")
        p = self.start("record", "-o", "out.folded", "--save", "x.perf.data", "--", str(self.program), "forever", env=self.environment(
            {"TMPDIR": str(self.dir)}))
        self.assertEqual(b"ready\n", p.stdout.readline())
        p.kill()
        p.wait()
        for stream in (p.stdin, p.stdout, p.stderr):
            stream.close()
        self.assertEqual(["out.folded"], self.files())
        self.assertEqual("old", self.read("out.folded"))
        deadline = time.monotonic() + 60
        while self.is_running(self.program) and time.monotonic() < deadline:
            time.sleep(0.05)
        self.assertFalse(self.is_running(self.program))

    @has_no_files_of_its_own
    def test_a_full_disk(self):
        self.write("out.folded", "old")
        code = "import resource, os, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536)); " \
               "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); os.execv(sys.argv[1], sys.argv[1:])"
        p = subprocess.run([sys.executable, "-c", code, *self.command(
            ["record", "-g", "dwarf", "-o", "out.folded", "--", self.program])], cwd=self.dir,
            env=self.environment(), capture_output=True, text=True)
        self.assertIn("the recording is incomplete, since it cannot be written: File too large", p.stderr)
        self.assertEqual(["out.folded"], self.files())

    @has_no_files_of_its_own
    def test_a_full_disk_below_a_saved_recording(self):
        """TMPDIR is no remedy."""
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536))
        p = self.below(limit, "record", "-g", "dwarf", "-o", "out.folded", "--save", "x.perf.data", "--", self.program)
        self.assertIn("the recording is incomplete, since it cannot be written: File too large\n", p.stderr)

    @has_no_files_of_its_own
    def test_a_full_disk_below_a_saved_recording_keeps_the_names_of_the_kernel(self):
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (131072, 131072))
        words = ["-e", "cpu-clock", "-c", "50000", "-g", "dwarf", "--save", "x.perf.data", "--", self.program, "touch"]
        kernel = "asm_exc_page_fault|do_user_addr_fault|el0_da"
        if not re.search(kernel, self.record(*words)[0]):
            self.skipTest("code of the kernel has no names here")
        p = self.below(limit, "record", "-o", "out.folded", *words)
        self.assertIn("the recording is incomplete", p.stderr)
        self.assertRegex(self.read("out.folded"), kernel, p.stderr)

    @has_no_files_of_its_own
    def test_a_limit_of_the_size_of_files(self):
        """The limit raises a signal, which ends programs that do not ignore it."""
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536))
        p = self.below(limit, "record", "-g", "dwarf", "-o", "out.folded", "--", "sh", "-c",
                       f"'{self.program}'; kill -XFSZ $$")
        self.assertIn("the recording is incomplete, since it cannot be written: File too large", p.stderr)
        self.assertEqual(128 + signal.SIGXFSZ, p.returncode, p.stderr)  # the command's, which does not ignore it
        self.assertEqual(["out.folded"], self.files())
        (self.dir / "out.folded").unlink()

        def forbid():
            resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
        p = self.below(forbid, "record", "-o", "out.folded", "--", self.program)
        self.assertEqual(1, p.returncode, p.stderr)
        self.assertIn("File too large", p.stderr)
        self.assertEqual([], self.files())

    @has_no_files_of_its_own
    def test_a_full_disk_does_not_lengthen_the_duration(self):
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536))
        p = self.below(limit, "record", "-g", "dwarf", "-o", "out.folded", "--duration", "2s", "--", self.program,
                       "forever")
        self.assertIn("the recording is incomplete, since it cannot be written", p.stderr)

    def test_a_line_on_the_terminal(self):
        code, shown = self.on_terminal("record", "-o", "out.folded", "--", self.program, "work", "0.7")
        self.assertEqual(0, code, shown)
        self.assertRegex(shown, r"\rrecording \d\.\d s, \d+ samples?, \d+/s, 0 lost".replace("\\r", "\\r\x1b\\[K"))
        self.assertNotIn(" 1 samples", shown)
        self.assertNotIn("begins soon", shown)

    def test_a_line_on_the_terminal_before_the_delay_has_passed(self):
        _, shown = self.on_terminal("record", "-o", "out.folded", "--delay", "300ms", "--", self.program, "work", "0.7")
        self.assertIn("recording begins soon: 0.", shown)

    # ---- recordings that are read while they are made ----

    # Copies of 64 KiB: about 128 MB per second.
    LARGE = ("-g", "dwarf,65528", "-c", "500000")

    def spool(self, pid):
        """Returns the size of the file without a name, and the size of its blocks."""
        for entry in pathlib.Path(f"/proc/{pid}/fd").iterdir():
            try:
                if str(self.top) in os.readlink(entry) and "(deleted)" in os.readlink(entry):
                    st = entry.stat()
                    if st.st_size > 1 << 20:
                        return st.st_size, st.st_blocks * 512
            except OSError:
                pass
        return 0, 0

    def start_large(self, *args):
        p = self.start("record", "-o", "out.folded", *self.LARGE, *args, "--", str(self.program), "forever",
                       start_new_session=True, env=self.environment({"TMPDIR": str(self.top)}))
        self.addCleanup(self.kill_group, p)
        return p

    @staticmethod
    def kill_group(p):
        """Ends a recording and its command, which a test that fails leaves running."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(p.pid, signal.SIGKILL)

    def await_spool(self, p, size):
        """Waits until the recording is that large. Returns the largest size of its blocks behind that."""
        deadline = time.monotonic() + 60
        while self.spool(p.pid)[0] < size:
            self.assertLess(time.monotonic(), deadline)
            self.assertIsNone(p.poll())
            time.sleep(0.05)
        sizes = []
        for _ in range(10):
            sizes.append(self.spool(p.pid)[1])
            time.sleep(0.02)
        return sorted(sizes)[5]

    def test_a_large_recording_needs_no_large_file(self):
        p = self.start_large()
        self.assertEqual(b"ready\n", p.stdout.readline())
        blocks = self.await_spool(p, 160 << 20)
        status = pathlib.Path(f"/proc/{p.pid}/status").read_text()
        os.killpg(p.pid, signal.SIGINT)
        err = p.communicate(timeout=60)[1].decode()
        self.assertEqual(128 + signal.SIGINT, p.returncode, err)
        self.assertLess(blocks, 96 << 20)
        if not common.SANITIZED:
            self.assertLess(int(re.search(r"VmHWM:\s*(\d+) kB", status)[1]), 64 << 10)
        folded = self.read("out.folded")
        self.assertGreater(self.share(folded, "^program;.*main;work;burn"), 0.5, folded[:2000])
        samples = int(re.search(r", (\d+) samples of", err)[1])
        self.assertEqual(samples, round(self.amount(folded, "") / 500000), err)
        self.assertEqual(1, err.count("out.folded is written"))

    def test_a_large_recording_passes_through_a_command(self):
        p = self.start_large("-e", "page-faults,cpu-clock", "--post-process", "sed s/burn/BURN/")
        self.assertEqual(b"ready\n", p.stdout.readline())
        self.await_spool(p, 100 << 20)
        os.killpg(p.pid, signal.SIGINT)
        err = p.communicate(timeout=60)[1].decode()
        self.assertEqual(128 + signal.SIGINT, p.returncode, err)
        folded = self.read("out.folded")
        self.assertIn("program;", folded)
        self.assertNotIn("burn", folded)
        self.assertLess(self.amount(folded, ""), 1000000)  # page faults, the first event, not nanoseconds

    def test_limits_of_the_reader_of_a_large_recording(self):
        """A reader that ends early does not hold the recording up, and its time begins with the end of that."""
        p = self.start_large("--max-memory", "1M")
        self.assertEqual(b"ready\n", p.stdout.readline())
        self.assertLess(self.await_spool(p, 180 << 20), 96 << 20, "nobody frees the file")
        os.killpg(p.pid, signal.SIGINT)
        err = p.communicate(timeout=60)[1].decode()
        self.assertEqual(128 + signal.SIGINT, p.returncode, err)
        self.assertIn("the limit (max-memory)", err)
        r = self.brazier("record", "-o", "out.folded", *self.LARGE, "--duration", "2s", "--max-time", "1s", "--",
                         self.program, "forever")
        self.assertEqual(0, r.code, r)
        self.assertIn("out.folded is written", r.err)

    def test_a_large_recording_through_sudo(self):
        """The kernel's symbols come before the recording is read."""
        self.skip_unless_nobody_can_run()
        Sudo(self.top)
        p = self.as_nobody("record", "--root", "-o", "out.folded", *self.LARGE, "--duration", "2500ms", "--",
                           str(self.program), "forever", env={"PATH": f"{self.top}/bin:{os.environ['PATH']}"})
        self.assertEqual(0, p.returncode, p.stderr)
        folded = self.read("out.folded")
        self.assertRegex(folded, "entry_SYSCALL_64|asm_|do_syscall", "no code of the kernel")
        self.assertEqual(int(re.search(r", (\d+) samples of", p.stderr)[1]),
                         round(self.amount(folded, "") / 500000), p.stderr)

    def test_a_large_recording_that_is_kept_is_complete(self):
        p = self.start_large("--save", "x.perf.data")
        self.assertEqual(b"ready\n", p.stdout.readline())
        self.await_spool(p, 90 << 20)
        os.killpg(p.pid, signal.SIGINT)
        p.communicate(timeout=60)
        self.assertEqual(128 + signal.SIGINT, p.returncode)
        self.assertGreater((self.dir / "x.perf.data").stat().st_size, 80 << 20)
        self.assertEqual(self.read("out.folded"), self.good("run", "x.perf.data", "-t", "folded", "-q").out)

    def test_nothing_is_left_of_a_large_recording_after_a_kill(self):
        self.write("out.folded", "old")
        p = self.start_large()
        self.assertEqual(b"ready\n", p.stdout.readline())
        self.await_spool(p, 100 << 20)
        os.kill(p.pid, signal.SIGKILL)
        p.communicate()
        self.assertEqual("old", self.read("out.folded"))
        self.assertEqual(["out.folded"], self.files())

    # ---- files ----

    def test_a_saved_recording_is_read_by_perf(self):
        self.record("-g", "fp", "--save", "x.perf.data", "--", self.pointers)
        again = self.brazier("run", "x.perf.data", "-t", "folded")
        self.assertGreater(self.share(again.out, "main;work;burn"), 0.5)
        self.assertEqual(0o600, (self.dir / "x.perf.data").stat().st_mode & 0o777)
        if PERF is None:
            self.skipTest("there is no perf")
        p = subprocess.run([PERF, "script", "-i", "x.perf.data"], cwd=self.dir, capture_output=True, text=True)
        self.assertEqual(0, p.returncode, p.stderr)
        self.assertIn("burn+0x", p.stdout)
        self.assertEqual(len(re.findall(r"^\w+ +\d+ \[", p.stdout, re.M)),
                         len(re.findall(r"^pointers +\d+ \[", p.stdout, re.M)))

    def test_perf_finds_callers_in_saved_copies_of_stacks(self):
        """perf needs to know where the beginning of a file is mapped, which has no code."""
        options = "" if PERF is None else subprocess.run([PERF, "version", "--build-options"], capture_output=True,
                                                         text=True).stdout
        if not re.search(r"(libunwind|dwarf-unwind-support): \[ (on|OK)", options, re.I):
            self.skipTest("there is no perf that unwinds stacks")
        p = self.start_program("forever")
        for words in (["--", self.program], ["-p", p.pid, "--duration", "200ms"]):
            self.record("-g", "dwarf", "--save", "x.perf.data", *words)
            script = subprocess.run([PERF, "script", "--no-inline", "-i", "x.perf.data"], cwd=self.dir,
                                    capture_output=True, text=True)
            self.assertEqual(0, script.returncode, script.stderr)
            self.assertRegex(script.stdout, r"burn\+0x.*\n(.*\n)?.* main\+0x", words)

    def test_a_recording_that_cannot_be_saved(self):
        r = self.fails(1, "record", "--save", "nowhere/x.perf.data", "--", "touch", "ran")
        self.assertIn("cannot create 'nowhere/x.perf.data'", r.err)

    def test_an_output_does_not_replace_the_saved_recording(self):
        (self.dir / "folder").mkdir()
        for name, outputs in (("x.svg", ["-o", "x.svg"]), ("flame.svg", []), ("folder/../x.svg", ["-o", "x.folded", "-o", "x.svg"])):
            r = self.fails(2, "record", "--save", name, *outputs, "--", "touch", "ran")
            self.assertIn(f"{name} would be both the recording and an output\n", r.err)
        self.assertEqual([], self.files())

    def test_each_output_is_named(self):
        _, err = self.record("-o", "x.svg", "--", self.program)
        self.assertIn("note: out.folded is written\nbrazier: note: x.svg is written\n", err)

    def test_a_saved_recording_replaces_no_special_file(self):
        os.mkfifo(self.dir / "pipe")
        (self.dir / "folder").mkdir()
        for name in ("pipe", "folder"):
            r = self.fails(1, "record", "--save", name, "--", "touch", "ran")
            self.assertIn(f"cannot replace '{name}': it is no regular file", r.err)
        self.assertTrue((self.dir / "pipe").is_fifo())
        self.assertFalse((self.dir / "ran").exists())
        self.assertEqual([], self.files())

    # ---- permissions ----

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

    @staticmethod
    def flags_of_first_event(path):
        """Returns the bit field of its attributes."""
        data = path.read_bytes()
        return struct.unpack_from("<Q", data, struct.unpack_from("<Q", data, 24)[0] + 40)[0]

    EXCLUDE_KERNEL, EXCLUDE_CALLCHAIN_KERNEL = 1 << 5, 1 << 21

    def test_stacks_of_programs_alone_have_no_kernel(self):
        """A late interrupt may arrive while the kernel runs."""
        both = self.EXCLUDE_KERNEL | self.EXCLUDE_CALLCHAIN_KERNEL
        for words in (["-e", "cpu-clock:u"], ["-e", "cpu-clock", "--kernel", "no"]):
            r = self.brazier("record", *words, "-g", "fp", "-o", "out.folded", "--save", "x.perf.data", "--", str(self.program))
            self.assertEqual(0, r.code, r)
            self.assertEqual(both, self.flags_of_first_event(self.dir / "x.perf.data") & both)

    def test_stacks_of_an_ordinary_user_have_no_kernel(self):
        self.skip_unless_nobody_can_run()
        self.skip_unless_paranoid()
        p = self.as_nobody("record", "-g", "fp", "-o", "out.folded", "--save", "x.perf.data", "--", str(self.program))
        if p.returncode != 0 and "you may not record anything" in p.stderr:
            self.skipTest("kernel.perf_event_paranoid forbids everything")
        self.assertEqual(0, p.returncode, p.stderr)
        flags = self.flags_of_first_event(self.dir / "x.perf.data")
        self.assertEqual(bool(flags & self.EXCLUDE_KERNEL), bool(flags & self.EXCLUDE_CALLCHAIN_KERNEL))

    def test_an_ordinary_user(self):
        self.skip_unless_nobody_can_run()
        level = int(pathlib.Path("/proc/sys/kernel/perf_event_paranoid").read_text())
        p = self.as_nobody("record", "-o", "out.folded", "--", str(self.program))
        if level > 2 and p.returncode != 0:
            self.assertIn("kernel.perf_event_paranoid", p.stderr)
            return
        self.assertEqual(0, p.returncode, p.stderr)
        self.assertGreater(self.share(self.read("out.folded"), "main;work;burn"), 0.5)
        self.assertEqual(level > 1, "without the kernel: kernel.perf_event_paranoid is" in p.stderr, p.stderr)

    def test_a_saved_recording_replaces_no_protected_file(self):
        self.skip_unless_nobody_can_run()
        kept = self.write("x.perf.data", "old")
        os.chown(kept, NOBODY, NOBODY)
        kept.chmod(0o444)
        p = self.as_nobody("record", "--save", "x.perf.data", "--", "touch", "ran")
        self.assertEqual(1, p.returncode, p.stderr)
        self.assertIn("cannot create 'x.perf.data': Permission denied", p.stderr)
        self.assertEqual("old", self.read("x.perf.data"))
        self.assertEqual(["x.perf.data"], self.files())

    def test_what_an_ordinary_user_may_not_do(self):
        self.skip_unless_nobody_can_run()
        if int(pathlib.Path("/proc/sys/kernel/perf_event_paranoid").read_text()) != 2:
            self.skipTest("kernel.perf_event_paranoid is not 2")
        for args, words in ((["-a", "--duration", "1s"], ["other users' processes", "perf_event_paranoid=0", "--root"]),
                            (["--kernel", "yes", "--", "true"], ["the kernel", "perf_event_paranoid=1", "--kernel no"]),
                            (["-e", "context-switches", "--", "true"], ["perf_event_paranoid=1", "with --root\n"]),
                            (["-e", "cpu-clock:k", "--", "true"], ["perf_event_paranoid=1", "with --root\n"]),
                            (["-p", "1"], ["process 1 belongs to somebody else", "--root"])):
            p = self.as_nobody("record", "-e", "cpu-clock", *args)
            self.assertEqual(1, p.returncode, p.stderr)
            for word in words:
                self.assertIn(word, p.stderr)
            self.assertEqual(1, len([l for l in p.stderr.splitlines() if "error" in l]), p.stderr)

    @unittest.skipIf(common.SANITIZED, "sanitizers do not support programs with capabilities")
    def test_capabilities_of_the_program_permit_the_kernel(self):
        self.skip_unless_nobody_can_run()
        if shutil.which("setcap") is None:
            self.skipTest("there is no setcap")
        (self.dir / "bin").mkdir()
        (self.dir / "lib").symlink_to(common.BRAZIER.parent.parent / "lib")
        copy = shutil.copy(common.BRAZIER.resolve(), self.dir / "bin/brazier")
        if subprocess.run(["setcap", "cap_perfmon,cap_syslog+ep", copy], capture_output=True).returncode != 0:
            self.skipTest("this file system has no capabilities")
        p = self.as_nobody("record", "-e", "cpu-clock", "--kernel", "yes", "-o", "out.folded", "--", self.program,
                           before=("sh", "-c", 'copy=$1; shift 2; exec "$copy" "$@"', "sh", copy))
        self.assertEqual(0, p.returncode, p.stderr)
        self.assertGreater(self.share(self.read("out.folded"), "work;burn"), 0.5)
        self.assertIn("note: the program has rights that you lack, so it uses shipped plug-ins only\n", p.stderr)

    def test_recording_through_sudo(self):
        self.skip_unless_nobody_can_run()
        sudo = Sudo(self.top)
        p = self.as_nobody("record", "--root", "-o", "out.folded", "--save", "x.perf.data", "--", "sh", "-c",
                           f"id -u; '{self.program}' work 0.3; dd if=/dev/zero of=/dev/null bs=1 count=200000 2>/dev/null; exit 5",
                           env={"PATH": f"{self.top}/bin:{os.environ['PATH']}"})
        self.assertEqual((5, f"{NOBODY}\n"), (p.returncode, p.stdout), p.stderr)
        self.assertEqual("--", sudo.asked[0])
        self.assertGreater(self.share(self.read("out.folded"), "main;work;burn"), 0.5)
        self.assertRegex(self.read("out.folded"), "entry_SYSCALL_64|asm_|do_syscall", "no code of the kernel")
        for name in ("out.folded", "x.perf.data"):
            self.assertEqual(NOBODY, (self.dir / name).stat().st_uid)
        self.assertRegex(p.stderr, r"recorded \d+\.\d\d s, [1-9]\d* samples of")

    @has_no_files_of_its_own
    def test_a_full_disk_through_sudo_does_not_end_the_command(self):
        self.skip_unless_nobody_can_run()

        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536))
        Sudo(self.top, limit)
        p = self.as_nobody("record", "--root", "-g", "dwarf", "-o", "out.folded", "--", "sh", "-c",
                           f"'{self.program}' work 0.2; sleep 1; echo end; exit 5",
                           env={"PATH": f"{self.top}/bin:{os.environ['PATH']}"})
        self.assertIn("the recording is incomplete, since it cannot be written", p.stderr)
        self.assertEqual((5, "end\n"), (p.returncode, p.stdout), p.stderr)

    def test_a_short_delay_through_sudo(self):
        self.skip_unless_nobody_can_run()
        sudo = Sudo(self.top)
        p = self.as_nobody("record", "--root", "--delay", "300us", "-o", "out.folded", "--", str(self.program),
                           env={"PATH": f"{self.top}/bin:{os.environ['PATH']}"})
        self.assertEqual(0, p.returncode, p.stderr)
        self.assertIn("--delay=300000ns", sudo.asked)

    def test_all_processes_through_sudo(self):
        self.skip_unless_nobody_can_run()
        Sudo(self.top)
        busy = self.start_program("forever")
        p = self.as_nobody("record", "--root", "-o", "out.folded", "-a", "--duration", "500ms",
                           env={"PATH": f"{self.top}/bin:{os.environ['PATH']}"})
        self.assertEqual(0, p.returncode, p.stderr)
        self.assertIn("program;", self.read("out.folded"))
        self.assertIsNone(busy.poll())

    def test_sudo_that_fails_or_is_missing(self):
        self.skip_unless_nobody_can_run()
        (self.top / "bin").mkdir()
        p = self.as_nobody("record", "--root", "--", "touch", "ran", env={"PATH": f"{self.top}/bin"})
        self.assertEqual(1, p.returncode, p.stderr)
        self.assertIn("sudo cannot be executed", p.stderr)
        (self.top / "bin" / "sudo").write_text("#!/bin/sh\necho no password >&2; exit 1\n")
        (self.top / "bin" / "sudo").chmod(0o755)
        p = self.as_nobody("record", "--root", "--", "touch", "ran", env={"PATH": f"{self.top}/bin:/usr/bin:/bin"})
        self.assertEqual(1, p.returncode, p.stderr)
        self.assertIn("no password", p.stderr)
        self.assertEqual([], self.files())

    def test_a_filter_of_system_calls(self):
        """Docker's answers EPERM, others answer as if the kernel had no such call."""
        self.write("filter.c", FILTER)
        for error in ("EPERM", "ENOSYS"):
            subprocess.run([COMPILER, f"-DERROR={error}", "-o", self.top / error, self.dir / "filter.c"], check=True)
        (self.dir / "filter.c").unlink()
        if os.geteuid() == 0 and shutil.which("setpriv") is None:
            self.skipTest("root needs setpriv to give its capabilities up")
        unconfined = "start the container with --security-opt seccomp=unconfined"
        drop = ["setpriv", "--bounding-set", "-all", "--inh-caps", "-all"] if os.geteuid() == 0 else []
        cases = [("EPERM", "", "--cap-add PERFMON", drop), ("ENOSYS", "", "--cap-add PERFMON", drop),
                 ("EPERM", "systemd-nspawn", "--system-call-filter=perf_event_open", [])]
        if drop:  # old filters forbid it even to those who have the capability
            cases += [("EPERM", "", unconfined, []), ("ENOSYS", "", unconfined, [])]
        for error, container, remedy, before in cases:
            p = subprocess.run([*before, self.top / error, *self.command(["record", "--", "touch", "ran"])],
                               cwd=self.dir, env=self.environment({"container": container}), capture_output=True,
                               text=True)
            self.assertEqual(1, p.returncode, p.stderr)
            for word in ("seccomp", remedy):
                self.assertIn(word, p.stderr)
            self.assertEqual([], self.files())

    def skip_unless_paranoid(self):
        """Skips the test where everybody may record all processes."""
        if int(pathlib.Path("/proc/sys/kernel/perf_event_paranoid").read_text()) < 1:
            self.skipTest("kernel.perf_event_paranoid permits everything")

    def test_root_in_a_container_without_the_capability(self):
        """sudo is no remedy for root."""
        if os.geteuid() != 0 or shutil.which("setpriv") is None:
            self.skipTest("only root can give capabilities up, with setpriv")
        self.skip_unless_paranoid()
        p = subprocess.run(["setpriv", "--bounding-set", "-all", "--inh-caps", "-all", *self.command(
            ["record", "-a", "--duration", "1s"])], cwd=self.dir, env=self.environment(), capture_output=True, text=True)
        self.assertEqual(1, p.returncode, p.stderr)
        self.assertIn("you may not record other users' processes", p.stderr)
        self.assertIn("--cap-add PERFMON", p.stderr)
        self.assertNotIn("--root", p.stderr)
        self.assertEqual([], self.files())

    def test_root_of_a_user_namespace(self):
        """Its capabilities do not count for the kernel's profiler."""
        self.skip_unless_nobody_can_run()
        self.skip_unless_paranoid()
        p = self.as_nobody("record", "-a", "--duration", "1s", before=["unshare", "-Ur"])
        if "unshare" in p.stderr:
            self.skipTest("an ordinary user cannot create a user namespace")
        self.assertEqual(1, p.returncode, p.stderr)
        self.assertIn("you may not record other users' processes", p.stderr)
        self.assertIn("capabilities of a user namespace do not", p.stderr)
        self.assertNotIn("--root", p.stderr)
        self.assertEqual([], self.files())

    # ---- other file systems ----

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

    def test_without_sys_every_processor_is_recorded(self):
        """An empty system for a chroot has no list of processors."""
        last = max(os.sched_getaffinity(0))
        if last == 0 or shutil.which("taskset") is None:
            self.skipTest("there is one processor, or no taskset")
        p = self.in_own_mounts("mount -t tmpfs none /sys", "record", "-g", "fp", "-e", "cpu-clock", "-o", "out.folded", "--",
                               "taskset", "-c", str(last), sys.executable, "-c", "sum(range(9000000))")
        self.assertEqual(0, p.returncode, p.stderr)
        self.assertEqual(["out.folded"], self.files())

    def small_disk(self):
        """Creates a folder, and returns it with the command that mounts a small file system there."""
        folder = self.top / "small"
        folder.mkdir()
        return folder, f"mount -t tmpfs -o size=64k,mode=1777 tmpfs '{folder}'"

    @has_no_files_of_its_own
    def test_a_full_disk_is_named(self):
        folder, mount = self.small_disk()
        p = self.in_own_mounts(mount, "record", "-g", "dwarf", "-o", "out.folded", "--", self.program,
                               env={"TMPDIR": folder})
        self.assertEqual(0, p.returncode, p.stderr)
        self.assertIn(f"the recording is incomplete, since it cannot be written: No space left on device in '{folder}' "
                      "(TMPDIR names another folder for it)\n", p.stderr)
        self.assertEqual(["out.folded"], self.files())

    def record_on_a_small_disk(self, *words, env=None, prepare=None):
        """Records about 16 MiB on a disk of 4 MiB. Returns the number of samples, and of those drawn."""
        folder, mount = self.small_disk()
        p = self.in_own_mounts(mount.replace("size=64k", "size=4m"), "record", *words, "-e", "cpu-clock", "-F", "997",
                               "-g", "dwarf,32768", "-o", "out.folded", "--", self.program, "work", "0.5",
                               env={"TMPDIR": folder, **(env or {})}, prepare=prepare)
        self.assertEqual(0, p.returncode, p.stderr)
        self.assertNotIn("cannot be written", p.stderr)
        recorded = re.search(r"recorded .* s, (\d+) samples of cpu-clock", p.stderr)
        return int(recorded[1]), round(self.amount(self.read("out.folded"), "") * 997 / 1e9)

    def test_a_recording_larger_than_the_disk_is_read_before_it_is_full(self):
        recorded, drawn = self.record_on_a_small_disk()
        self.assertEqual(recorded, drawn)
        self.assertLess(4 << 20, recorded * 32768)

    def test_a_recording_through_sudo_larger_than_the_disk_is_read_before_it_is_full(self):
        self.skip_unless_nobody_can_run()
        if shutil.which("setpriv") is None:
            self.skipTest("there is no setpriv")
        Sudo(self.top)
        recorded, drawn = self.record_on_a_small_disk(
            "--root", env={"PATH": f"{self.top}/bin:{os.environ['PATH']}"},
            prepare=["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"])
        self.assertEqual(recorded, drawn)
        self.assertLess(4 << 20, recorded * 32768)

    def test_a_full_disk_leaves_an_older_recording_as_it_is(self):
        folder, mount = self.small_disk()
        fill = f"{mount}\necho old > '{folder}/x.perf.data'\n! head -c 1M /dev/zero > '{folder}/ballast' 2>&1 || exit 1"
        p = self.in_own_mounts(fill, "record", "-g", "dwarf", "-o", "out.folded", "--save", folder / "x.perf.data", "--",
                               self.program, prepare=["sh", "-c", f'"$@"; code=$?; cat "{folder}/x.perf.data"; exit $code', "sh"])
        self.assertEqual((1, "old\n"), (p.returncode, p.stdout), p.stderr)
        self.assertIn("it cannot be written: No space left on device", p.stderr)
        self.assertIn("error: nothing is recorded, so nothing is drawn or saved\n", p.stderr)
        self.assertNotIn("empty", p.stderr)
        self.assertEqual([], self.files())

    def test_a_full_disk_below_a_recording_saved_through_sudo_is_named(self):
        """TMPDIR is no remedy, which the process that sudo starts cannot know."""
        self.skip_unless_nobody_can_run()
        if shutil.which("setpriv") is None:
            self.skipTest("there is no setpriv")
        folder, mount = self.small_disk()
        Sudo(self.top)
        p = self.in_own_mounts(mount, "record", "--root", "-g", "dwarf", "-o", "out.folded", "--save",
                               folder / "x.perf.data", "--", self.program,
                               prepare=["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"],
                               env={"PATH": f"{self.top}/bin:{os.environ['PATH']}"})
        self.assertEqual(0, p.returncode, p.stderr)
        self.assertIn(f"it cannot be written: No space left on device in '{folder}'\n", p.stderr)
        self.assertEqual(1, p.stderr.count("cannot be written"), p.stderr)

    def test_a_full_disk_below_the_picture(self):
        folder, mount = self.small_disk()
        p = self.in_own_mounts(f"{mount}\nhead -c 60000 /dev/zero > '{folder}/ballast'",
                               "record", "-g", "fp", "-o", folder / "x.svg", "--", self.program,
                               prepare=["sh", "-c", f'"$@"; s=$?; ls "{folder}"; exit $s', "sh"])
        self.assertEqual(1, p.returncode, p.stderr)
        self.assertIn("No space left on device", p.stderr)
        self.assertEqual("ballast\n", p.stdout)

    def test_a_system_without_a_writable_folder(self):
        p = self.in_own_mounts("mount -t tmpfs -o ro tmpfs /var/tmp\nmount -t tmpfs -o ro tmpfs /tmp", "record", "--",
                               "true", env={"TMPDIR": ""})
        if not os.path.exists("/var/tmp") or p.returncode in (126, 127):
            self.skipTest("the program is below /tmp")
        self.assertEqual(1, p.returncode, p.stderr)
        self.assertIn("no file can be created in /var/tmp or /tmp: Read-only file system (TMPDIR names another folder)",
                      p.stderr)

    def test_the_code_of_the_kernel_ends_where_its_list_of_symbols_says(self):
        """Its end is not read from there where the map of the machine's memory has it."""
        symbols = {words[2]: int(words[0], 16) for line in pathlib.Path("/proc/kallsyms").read_text().splitlines()
                   if (words := line.split(" "))[2] in ("_text", "_stext", "_etext")}
        if not all(symbols.values()) or "_etext" not in symbols:
            self.skipTest("the kernel hides addresses")
        hidden = self.write("iomem", "00000000-00000000 : Kernel code\n")
        for prepare in ("true", f"mount --bind '{hidden}' /proc/iomem"):
            p = self.in_own_mounts(prepare, "record", "-g", "fp", "-e", "cpu-clock", "--save", "x.perf.data", "-o",
                                   "out.folded", "--", self.program)
            self.assertEqual(0, p.returncode, p.stderr)
            data = (self.dir / "x.perf.data").read_bytes()
            between = b".{32}" if os.access("/sys/kernel/notes", os.R_OK) else b""  # a build id, and flags
            found = re.search(rb"(.{24})" + between + rb"\[kernel\.kallsyms\](_s?text)\0", data, re.S)
            start, size, _ = struct.unpack("<QQQ", found[1])
            self.assertEqual((symbols[found[2].decode()], symbols["_etext"]), (start, start + size))

    def test_a_sample_of_the_exec_has_the_name_of_the_command(self):
        """The event is on before the kernel reports the new name."""
        p = self.in_own_mounts("mount -t tracefs none /sys/kernel/tracing", "record", "-e", "task:task_rename", "-g",
                               "none", "-o", "out.folded", "--", shutil.which("true"))
        self.assertEqual(0, p.returncode, p.stderr)
        self.assertRegex((self.dir / "out.folded").read_text(), r"\Atrue;\S+ 1\n\Z")

    def test_names_that_the_kernel_hides(self):
        hidden = self.write("kallsyms", "0000000000000000 T _text\n0000000000000000 T _etext\n")
        level = self.write("level", "1\n")
        p = self.in_own_mounts(f"mount --bind '{hidden}' /proc/kallsyms\n"
                               f"mount --bind '{level}' /proc/sys/kernel/kptr_restrict", "record", "-g", "fp", "-o",
                               "out.folded", "--", self.program)
        self.assertEqual(0, p.returncode, p.stderr)
        self.assertIn("the kernel's functions have no names: kernel.kptr_restrict is 1; sudo sysctl "
                      "kernel.kptr_restrict=0 shows them", p.stderr)

    def test_a_recorder_of_sudo_that_ends_early(self):
        self.skip_unless_nobody_can_run()
        (self.top / "bin").mkdir()
        fake = "import socket, struct, sys, time\ns = socket.socket(fileno=0)\n" \
               "s.send(struct.pack('II', 1, 0))\ntime.sleep(0.3)\n"
        (self.top / "bin" / "sudo").write_text(f"#!{PYTHON}\n{fake}")
        (self.top / "bin" / "sudo").chmod(0o755)
        p = self.as_nobody("record", "--root", "--", "sleep", "1", env={"PATH": f"{self.top}/bin:/usr/bin:/bin"})
        self.assertEqual(1, p.returncode, p.stderr)
        self.assertIn("the recorder that sudo started has ended early", p.stderr)
        self.assertEqual([], self.files())

    # ---- limits ----

    def test_the_recorder_of_another_process_needs_something_to_record(self):
        r = self.brazier("record", "--recorder=0")
        self.assertEqual(1, r.code, r)
        self.assertIn("nothing to record", r.err)

    def test_few_descriptors(self):
        code = "import resource, os, sys; resource.setrlimit(resource.RLIMIT_NOFILE, (24, 24)); " \
               "os.execv(sys.argv[1], sys.argv[1:])"
        events = [f"{name}{modifiers}" for name in ("page-faults", "faults", "minor-faults", "major-faults")
                  for modifiers in ("", ":u", ":uu", ":uuu")]
        p = subprocess.run([sys.executable, "-c", code, *self.command(
            ["record", "-e", ",".join(events), "--", "touch", "ran"])], cwd=self.dir,
            env=self.environment(), capture_output=True, text=True)
        self.assertEqual(1, p.returncode, p.stderr)
        self.assertRegex(p.stderr, r"the recording needs \d+ open files, more than are permitted: ulimit -n \d+")
        self.assertEqual([], self.files())

    def test_plugins_that_cannot_be_opened_are_not_said_to_be_missing(self):
        for command in (["record", "-o", "x.svg", "--", "touch", "ran"], ["run", "a.folded", "-o", "x.svg"]):
            self.write("a.folded", "a;b 1\n")
            r = self.brazier(*command, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (4, 4)))
            self.assertEqual(1, r.code, r)
            self.assertRegex(r.err, r"^brazier: error: plug-ins? .*: Too many open files \(ulimit -n permits more\)\n")
            self.assertEqual(1, r.err.count("Too many open files"))
            self.assertNotRegex(r.err, "no (output|collapser)")

    def test_little_locked_memory(self):
        self.skip_unless_nobody_can_run()
        code = "import resource, os, sys; resource.setrlimit(resource.RLIMIT_MEMLOCK, (0, 0)); os.setgid(65534); " \
               "os.setuid(65534); os.execv(sys.argv[1], sys.argv[1:])"
        self.dir.chmod(0o777)
        self.top.chmod(0o755)
        p = subprocess.run([sys.executable, "-c", code, *self.command(
            ["record", "-g", "dwarf", "-o", "out.folded", "--", self.program])], cwd=self.dir,
            env=self.environment(), capture_output=True, text=True)
        if "perf_event_paranoid=" in p.stderr:
            self.skipTest("an ordinary user may not record")
        self.assertEqual(0, p.returncode, p.stderr)
        self.assertGreater(self.share(self.read("out.folded"), "main;work;burn"), 0.5)

    # ---- stacks through a command ----

    def test_stacks_pass_through_a_command(self):
        folded, err = self.record("--post-process", "sed 's/;work;/;toil;/'", "--title", "T", "-o", "x.svg",
                                "--no-inlines", "--", self.program)
        self.assertGreater(self.share(folded, "main;toil;burn"), 0.5, folded)
        self.assertIn("toil", self.read("x.svg"))
        self.assertEqual(1, err.count("x.svg is written"), err)
        self.assertEqual(["out.folded", "x.svg"], self.files())

    def test_a_command_for_stacks_that_fails(self):
        self.write("out.folded", "old")
        folded, err = self.record("--post-process", "cat; exit 3", "--", self.program, code=1)
        self.assertIn("--post-process: 'cat; exit 3' ended with status 3", err)
        self.assertEqual("old", folded)

    # ---- browser ----

    def test_the_picture_is_opened(self):
        opener = self.write("bin/xdg-open", f"#!/bin/sh\necho \"$1\" > '{self.dir}/shown'\n")
        opener.chmod(0o755)
        r = self.brazier("record", "--open", "-o", "x.svg", "--", self.program,
                         env={"PATH": f"{self.dir}/bin:{os.environ['PATH']}"})
        self.assertEqual(0, r.code, r)
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline and not (self.dir / "shown").exists():
            time.sleep(0.05)
        time.sleep(0.1)
        self.assertEqual("x.svg\n", self.read("shown"))

    def test_a_picture_whose_name_looks_like_an_option_is_opened(self):
        opener = self.write("bin/xdg-open", f"#!/bin/sh\necho \"$1\" > '{self.dir}/part'\n"
                            f"mv '{self.dir}/part' '{self.dir}/shown'\n")
        opener.chmod(0o755)
        for name in ("-x.svg", "a:b.svg"):
            r = self.brazier("record", "--open", f"--output={name}", "--", self.program,
                             env={"PATH": f"{self.dir}/bin:{os.environ['PATH']}"})
            self.assertEqual(0, r.code, r)
            deadline = time.monotonic() + 20
            while time.monotonic() < deadline and not (self.dir / "shown").exists():
                time.sleep(0.05)
            self.assertEqual(f"./{name}\n", self.read("shown"))
            (self.dir / "shown").unlink()


if __name__ == "__main__":
    common.main()
