#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests large recordings, which are read while they are made, and full disks."""
import contextlib
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
import unittest

import common
from lib.sample import SampleLoader
from recording import NOBODY, REASON, RecordCase, Sudo, has_no_files_of_its_own


@unittest.skipIf(REASON, REASON)
class Disk(RecordCase):
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
        kernel = "asm_exc_page_fault|do_user_addr_fault|entry_SYSCALL_64|do_syscall_64|el0_da|el0t_64"  # by any sample
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
        p = self.below(limit, "record", "-g", "dwarf", "-o", "out.folded", "--duration", "1s", "--", self.program,
                       "forever")
        self.assertIn("the recording is incomplete, since it cannot be written", p.stderr)

    # Copies of 64 KiB: about 320 MB per second.
    PERIOD = 200000
    LARGE = ("-g", "dwarf,65528", "-c", str(PERIOD))

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
        """Waits until the recording is that large."""
        deadline = time.monotonic() + 60
        while self.spool(p.pid)[0] < size:
            self.assertLess(time.monotonic(), deadline)
            self.assertIsNone(p.poll())
            time.sleep(0.05)

    def await_free_blocks(self, p):
        """Waits until a recording needs less than half of its size: it may be made faster than it is read."""
        deadline = time.monotonic() + 60
        size, blocks = self.spool(p.pid)
        while blocks >= size / 2:
            self.assertLess(time.monotonic(), deadline, "nobody frees the file")
            self.assertIsNone(p.poll())
            time.sleep(0.05)
            size, blocks = self.spool(p.pid)

    def test_a_large_recording_needs_no_large_file(self):
        p = self.start_large()
        self.assertEqual(b"ready\n", p.stdout.readline())
        self.await_spool(p, 160 << 20)
        self.await_free_blocks(p)
        status = pathlib.Path(f"/proc/{p.pid}/status").read_text()
        os.killpg(p.pid, signal.SIGINT)
        err = p.communicate(timeout=60)[1].decode()
        self.assertEqual(128 + signal.SIGINT, p.returncode, err)
        if not common.SANITIZED:
            self.assertLess(int(re.search(r"VmHWM:\s*(\d+) kB", status)[1]), 64 << 10)
        folded = self.read("out.folded")
        self.assert_callers(folded, "^program;.*main;work;burn")
        samples = int(re.search(r", (\d+) samples of", err)[1])
        self.assertEqual(samples, round(self.amount(folded, "") / self.PERIOD), err)
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
        self.await_spool(p, 180 << 20)
        self.await_free_blocks(p)
        os.killpg(p.pid, signal.SIGINT)
        err = p.communicate(timeout=60)[1].decode()
        self.assertEqual(128 + signal.SIGINT, p.returncode, err)
        self.assertIn("the limit (max-memory)", err)
        slower = ("-c", "500000")  # what is still to be read at the end takes less than the limit
        r = self.brazier("record", "-o", "out.folded", *self.LARGE, *slower, "--duration", "1200ms", "--max-time", "1s", "--",
                         self.program, "forever")
        self.assertEqual(0, r.code, r)
        self.assertIn("out.folded is written", r.err)

    def test_a_large_recording_through_sudo(self):
        """The kernel's symbols come before the recording is read."""
        self.skip_unless_nobody_can_run()
        Sudo(self.top)
        p = self.as_nobody("record", "--root", "-o", "out.folded", *self.LARGE, "--duration", "1s", "--",
                           str(self.program), "forever", env={"PATH": f"{self.top}/bin:{os.environ['PATH']}"})
        self.assertEqual(0, p.returncode, p.stderr)
        folded = self.read("out.folded")
        self.assertRegex(folded, "entry_SYSCALL_64|asm_|do_syscall", "no code of the kernel")
        self.assertEqual(int(re.search(r", (\d+) samples of", p.stderr)[1]),
                         round(self.amount(folded, "") / self.PERIOD), p.stderr)

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
        """Records more than 4 MiB on a disk of 4 MiB, for as long as the machine needs for that. Returns the number of
        samples, and of those drawn."""
        folder, mount = self.small_disk()
        for seconds in (0.5, 2, 8, 32):
            p = self.in_own_mounts(mount.replace("size=64k", "size=4m"), "record", *words, "-e", "cpu-clock", "-F", "997",
                                   "-g", "dwarf,32768", "-o", "out.folded", "--", self.program, "work", str(seconds),
                                   env={"TMPDIR": folder, **(env or {})}, prepare=prepare)
            self.assertEqual(0, p.returncode, p.stderr)
            self.assertNotIn("cannot be written", p.stderr)
            recorded = int(re.search(r"recorded .* s, (\d+) samples of cpu-clock", p.stderr)[1])
            if recorded * 32768 > 4 << 20:
                break
        return recorded, round(self.amount(self.read("out.folded"), "") * 997 / 1e9)

    def test_a_recording_larger_than_the_disk_is_read_before_it_is_full(self):
        recorded, drawn = self.record_on_a_small_disk()
        self.assertEqual(recorded, drawn)

    def test_a_recording_through_sudo_larger_than_the_disk_is_read_before_it_is_full(self):
        self.skip_unless_nobody_can_run()
        if shutil.which("setpriv") is None:
            self.skipTest("there is no setpriv")
        Sudo(self.top)
        recorded, drawn = self.record_on_a_small_disk(
            "--root", env={"PATH": f"{self.top}/bin:{os.environ['PATH']}"},
            prepare=["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"])
        self.assertEqual(recorded, drawn)

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


if __name__ == "__main__":
    common.main(SampleLoader(6))
