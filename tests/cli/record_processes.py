#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests `brazier record` of running processes, and of the time in which they wait."""
import ctypes
import os
import pathlib
import platform
import re
import shutil
import signal
import struct
import subprocess
import time
import unittest

import common
from lib.sample import SampleLoader
from lib.vdso import vdso
from recording import COMPILER, COMPILER_AT_RUN_TIME, PERF, REASON, RecordCase


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
#include <fcntl.h>
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
static void see(const char *path) {
    if (strstr(path, "/task/") == NULL || strstr(path, "/comm") == NULL)
        return;
    say("name");
    if (++names == atoi(getenv("AT")))
        leap = 1000;
}
int open(const char *path, int flags, ...) {
    see(path);
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, 0);
}
int openat(int folder, const char *path, int flags, ...) {
    see(path);
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


@unittest.skipIf(REASON, REASON)
class Processes(RecordCase):
    # ---- waiting ----

    @unittest.skipUnless(os.geteuid() == 0, "only root may record the scheduler's tracepoints")
    def test_time_off_the_processors(self):
        if not os.access("/sys/kernel/tracing/events/sched", os.R_OK):
            self.skipTest("tracefs is not mounted")
        folded, _ = self.record("--off-cpu", "--", self.program, "sleep", until="main;.*nanosleep")
        self.assertGreaterEqual(self.amount(folded, "nanosleep"), 2e6, "nanoseconds")  # a wait of 2 ms at least
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
        self.assert_stacks(folded, "main;.*nanosleep")
        self.assertNotIn("waits have", err)
        folded, err = self.without_tracefs("--wakeup")
        self.assert_stacks(folded, "main;.*nanosleep")
        self.assertIn("note: wake-ups are not recorded: the tracepoint 'sched:sched_switch' needs tracefs, which is not mounted",
                      err)

    def with_tracefs(self, *args):
        """Records into out.folded where tracefs can be read; returns its lines and the messages."""
        p = self.in_own_mounts("mount -t tracefs none /sys/kernel/tracing", "record", "-o", "out.folded", *args, "--",
                               self.program, "sleep")
        self.assertEqual(0, p.returncode, p.stderr)
        return self.read("out.folded"), p.stderr

    def test_every_switch_counts_whatever_the_period(self):
        folded, err = self.with_tracefs("--off-cpu", "-c", "100000")
        self.assert_stacks(folded, "main;.*nanosleep")
        self.assertNotIn("only some of the switches", err)

    def test_an_event_of_the_scheduler_that_is_named_is_recorded_once(self):
        """With two records of a switch, the thread would seem to leave twice in a row."""
        _, err = self.without_tracefs("--off-cpu", "-e", "cpu-clock,context-switches")
        self.assertRegex(err, r"samples of cpu-clock, context-switches\n")
        folded, err = self.with_tracefs("--off-cpu", "-e", "sched:sched_switch")
        self.assertRegex(err, r"samples of sched:sched_switch\n")
        self.assertNotIn("whose end is not recorded", err)
        self.assert_stacks(folded, "main;.*nanosleep")

    def test_waits_without_the_kernel_have_the_stacks_of_the_program(self):
        for method in ("dwarf", "fp"):
            folded, err = self.without_tracefs("--off-cpu", "--kernel", "no", "-g", method)
            self.assertNotIn("waits have", err)
            self.assert_stacks(folded, "main;" if method == "dwarf" else "nanosleep")
            self.assertNotRegex(folded, "schedule|entry_SYSCALL|el0_svc")
        if os.access("/sys/kernel/tracing/events/sched", os.R_OK):
            self.record("--wakeup", "--kernel", "no", "--", self.program, "sleep", until="main;.*nanosleep")

    def test_time_off_the_processors_of_an_ordinary_user(self):
        self.skip_unless_nobody_can_run()
        p = self.as_nobody("record", "--off-cpu", "-o", "out.folded", "--", str(self.program), "sleep")
        if p.returncode != 0 and "perf_event_paranoid=" in p.stderr:
            self.skipTest("an ordinary user may not record")
        self.assertEqual(0, p.returncode, p.stderr)
        self.assert_stacks(self.read("out.folded"), "^program;")
        if int(pathlib.Path("/proc/sys/kernel/perf_event_paranoid").read_text()) == 2:
            self.assertIn("note: waits get the stack of the sample before them: kernel.perf_event_paranoid is 2, so you may "
                          "not record tracepoints: ", p.stderr)

    # ---- processes ----

    def test_a_running_process(self):
        p = self.start_program("forever")
        folded, err = self.record("-g", "dwarf", "-p", p.pid, "--duration", "200ms", until="^program;.*main;work;burn")
        self.assert_callers(folded, "^program;.*main;work;burn")
        _, err = self.record("-p", p.pid, "--duration", "100ms")
        self.assertIn(f"functions of {self.program} keep a frame pointer", err)
        self.assertIsNone(p.poll())
        self.record("-g", "fp", "-t", p.pid, "--duration", "200ms", until="^program;.*burn")
        p.kill()
        threads = self.start_program("threads")
        folded, err = self.record("-g", "dwarf", "-p", threads.pid, "--duration", "200ms", until="thread_work;burn")
        self.assert_callers(folded, "thread_work;burn")

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

    def with_clock(self, at, duration="100ms"):
        """Records for some time below the library CLOCK. Returns what the library wrote, and the messages."""
        self.write("clock.c", CLOCK)
        subprocess.run([COMPILER, "-shared", "-fPIC", "-o", self.top / "clock.so", self.dir / "clock.c", "-ldl"],
                       check=True)
        p = self.start_program("threads")
        log = self.top / "log"
        log.unlink(missing_ok=True)
        r = self.brazier("record", "-g", "fp", "-p", p.pid, "--duration", duration, env={
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
        log, err = self.with_clock(2, "3s")  # a busy machine reads two names in that time
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
        folded, err = self.record("-p", threads[0], "-g", "dwarf", "--duration", "300ms", until="thread_work;burn")
        self.assert_callers(folded, "thread_work;burn")
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
        folded, err = self.record("-g", "dwarf", "-p", p.pid, "--duration", "200ms", until="main;work;burn")
        self.assert_callers(folded, "main;work;burn")

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
        folded, err = self.record("-g", "dwarf", "-p", p.pid, "--duration", "200ms", "--save", "x.perf.data",
                                  until="main;run;right")
        self.assert_callers(folded, "main;run;right")
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

    def start_container(self, n=0):
        """Starts a program that compiles a function, in namespaces of processes and mounts with a /tmp of its own. It
        ends after `n` calls."""
        if os.geteuid() != 0 or shutil.which("unshare") is None:
            self.skipTest("only root can mount, with unshare")
        if platform.machine() != "x86_64":
            self.skipTest("the function is code for x86-64")
        private = self.top / "private"
        private.mkdir(exist_ok=True)
        self.write("compiler.c", COMPILER_AT_RUN_TIME)
        subprocess.run([COMPILER, "-O1", "-fno-omit-frame-pointer", "-Wl,--build-id", "-o", private / "compiler",
                        self.dir / "compiler.c"], check=True)
        self.container = ["unshare", "-fpm", "--mount-proc", "sh", "-c", 'mount --bind "$0" /tmp && exec /tmp/compiler "$1"',
                          private, str(n)]
        if subprocess.run([*self.container[:-1], "1"], capture_output=True).stdout != b"ready\n":
            self.skipTest("nothing can be mounted here")
        for path in private.glob("perf-*"):
            path.unlink()

    def test_compiled_code_of_a_process_in_a_container(self):
        """The map of its functions is in its own /tmp, with its own number."""
        self.start_container()
        p = subprocess.Popen(self.container, stdout=subprocess.PIPE)
        self.addCleanup(p.stdout.close)
        self.addCleanup(p.wait)
        self.assertEqual(b"ready\n", p.stdout.readline())
        inside = int(pathlib.Path(f"/proc/{p.pid}/task/{p.pid}/children").read_text())
        self.addCleanup(lambda: pathlib.Path(f"/proc/{inside}").exists() and os.kill(inside, signal.SIGKILL))
        for words in (["-p", inside], ["-a"]):
            folded, err = self.record("-g", "fp", *words, "--duration", "300ms", "--save", "x.perf.data",
                                      until="^compiler;.*main;made_at_run_time ")
        r = self.brazier("run", "x.perf.data", "-t", "folded")
        self.assertRegex(r.out, "(?m)^compiler;.*main;made_at_run_time ")

    def test_a_container_that_ends_before_the_recording_is_drawn(self):
        """Its mounts are kept until then: with them, the program and the map of its functions."""
        self.start_container(2000)
        folded, err = self.record("-g", "fp", "--", *self.container, until="^compiler;.*main;made_at_run_time ")
        self.assertNotIn("no name, in /tmp/perf-", err)

    def test_files_of_a_container_are_kept_on_request(self):
        """A recording that is read after the end of the container needs its program."""
        self.start_container(30000)
        for words, name in ((["--save", "x.perf.data"], r";\[compiler\]"), (["--save", "x.perf.data", "--keep-files"], ";main")):
            self.record("-g", "fp", *words, "--", *self.container, until="^compiler;")
            r = self.brazier("run", "x.perf.data", "-t", "folded")
            self.assertRegex(r.out, f"(?m)^compiler.*{name}(;| )", r)
        links = list((self.home / ".debug/.build-id").glob("*/*"))
        self.assertEqual([str(self.home / ".debug/tmp/compiler")], [str(p.resolve().parent) for p in links])
        self.assertEqual((self.top / "private/compiler").read_bytes(), (links[0] / "elf").read_bytes())
        if PERF:
            text = subprocess.run([PERF, "script", "-i", self.dir / "x.perf.data"], env=self.environment(),
                                  capture_output=True, text=True).stdout
            self.assertRegex(text, r"main\+0x[0-9a-f]+ \(/tmp/compiler\)")
        _, err = self.record("-g", "fp", "--save", "x.perf.data", "--keep-files", "--", *self.container, until="^compiler;")
        self.assertIn(f"note: 1 file of containers is in {self.home}/.debug\n", err)

    def test_files_are_not_kept_in_the_home_folder_of_another_user(self):
        """Links in it could lead anywhere, and root may have kept $HOME."""
        home = self.top / "another"
        if os.geteuid() == 0:
            home.mkdir()
            os.chown(home, 65534, 65534)
        else:
            home = pathlib.Path("/")
        _, err = self.record("-g", "fp", "--save", "x.perf.data", "--keep-files", "--", self.program, "1", env={"HOME": str(home)},
                             until=".")
        self.assertIn(f"warning: no files of containers are kept: '{home}' is another user's\n", err)

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
            self.program = self.pointers
            self.start_program("forever")
            for more in ([], ["-a"]):  # perf wants -a beside a control group
                folded, _ = self.record("--cgroup", str(group), *more, "--duration", "200ms", until="^program;")
                self.assertNotRegex(folded, "(?m)^pointers;")
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


if __name__ == "__main__":
    common.main(SampleLoader(6))
