#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests `brazier record` without the rights of root, with some of them, and through sudo."""
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import unittest

import common
from recording import COMPILER, NOBODY, PYTHON, REASON, RecordCase, Sudo


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
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, CALL, 0, 1),
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


@unittest.skipIf(REASON, REASON)
class Rights(RecordCase):
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
        self.assert_callers(self.read("out.folded"), "main;work;burn")
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
        self.assert_stacks(self.read("out.folded"), "work;burn")
        self.assertIn("note: the program has rights that you lack, so it uses shipped plug-ins only\n", p.stderr)

    def test_recording_through_sudo(self):
        self.skip_unless_nobody_can_run()
        sudo = Sudo(self.top)
        p = self.as_nobody("record", "--root", "-o", "out.folded", "--save", "x.perf.data", "--", "sh", "-c",
                           f"id -u; '{self.program}' work 0.3; dd if=/dev/zero of=/dev/null bs=1 count=200000 2>/dev/null; exit 5",
                           env={"PATH": f"{self.top}/bin:{os.environ['PATH']}"})
        self.assertEqual((5, f"{NOBODY}\n"), (p.returncode, p.stdout), p.stderr)
        self.assertEqual("--", sudo.asked[0])
        self.assert_callers(self.read("out.folded"), "main;work;burn")
        self.assertRegex(self.read("out.folded"), "entry_SYSCALL_64|asm_|do_syscall", "no code of the kernel")
        for name in ("out.folded", "x.perf.data"):
            self.assertEqual(NOBODY, (self.dir / name).stat().st_uid)
        self.assertRegex(p.stderr, r"recorded \d+\.\d\d s, [1-9]\d* samples of")

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

    def test_sudo_that_fails_without_a_word(self):
        self.skip_unless_nobody_can_run()
        (self.top / "bin").mkdir()
        for script, words in (("exit 1", "sudo ended with status 1"), ("exit 137", "sudo ended with status 137"),
                              ("kill -9 $$", "sudo was ended by signal 9")):
            (self.top / "bin" / "sudo").write_text(f"#!/bin/sh\n{script}\n")
            (self.top / "bin" / "sudo").chmod(0o755)
            p = self.as_nobody("record", "--root", "--", "touch", "ran", env={"PATH": f"{self.top}/bin:/usr/bin:/bin"})
            self.assertEqual(1, p.returncode, p.stderr)
            self.assertIn(f"brazier: note: nothing is recorded: {words}\n", p.stderr)

    def build_filter(self, name, call, error):
        """Makes a program that executes its words, whose calls of this sort fail."""
        self.write("filter.c", FILTER)
        subprocess.run([COMPILER, f"-DCALL=__NR_{call}", f"-DERROR={error}", "-o", self.top / name,
                        self.dir / "filter.c"], check=True)
        (self.dir / "filter.c").unlink()

    def test_files_of_short_processes_are_found_outside_by_kernels_without_openat2(self):
        self.build_filter("old", "openat2", "ENOSYS")
        # The processes begin and end between two looks at new ones.
        script = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; sleep 1; for i in 1 2 3 4 5 6 7 8 9; do /bin/true; done"
        p = subprocess.run([self.top / "old", *self.command(["record", "--keep-files", "--save", "x.perf.data", "-o", "x.folded",
                                                             "--", "sh", "-c", script])],
                           cwd=self.dir, env=self.environment(), capture_output=True, text=True)
        self.assertIn("0 files of containers", p.stderr)
        self.assertNotIn("perhaps of containers", p.stderr)

    def test_a_filter_of_system_calls(self):
        """Docker's answers EPERM, others answer as if the kernel had no such call."""
        for error in ("EPERM", "ENOSYS"):
            self.build_filter(error, "perf_event_open", error)
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

    def test_the_kernel_ends_the_recording_of_programs_with_rights_of_others(self):
        self.skip_unless_nobody_can_run()
        program = self.top / "privileged"
        shutil.copy(self.program, program)
        program.chmod(0o4755)
        p = self.as_nobody("record", "-e", "cpu-clock", "-o", "out.folded", "--", program)
        self.assertIn(f"warning: {program} runs with the rights of another user, so the kernel ends its recording when "
                      "it starts; --root records it", p.stderr)
        p = self.as_nobody("record", "-e", "cpu-clock", "-o", "out.folded", "--", self.program)
        self.assertNotIn("rights of another user", p.stderr)

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
        self.assert_callers(self.read("out.folded"), "main;work;burn")


if __name__ == "__main__":
    common.main()
