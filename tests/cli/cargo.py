#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests `cargo brazier`, `cargo flamegraph` and `flamegraph`: their options, the programs that they build
with cargo, and the pictures that they draw.

usage: cargo.py [TEST...]
"""
import os
import pathlib
import pwd
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

import common
import tools
from lib.perf_data import IN_USER, Recording
from lib import svg  # noqa: E402
from lib.sample import SampleLoader

# Folders that cargo needs, although the home of a test is empty.
HOME = pathlib.Path(pwd.getpwuid(os.getuid()).pw_dir)
HOMES = {name: os.environ.get(name, str(HOME / path))
         for name, path in (("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup"))}

MANIFEST = """[package]
name = "work-it"
version = "0.1.0"
edition = "2021"

[features]
extra = []

[[bench]]
name = "speed"
harness = false
"""

# Runs for some time by its own clock, and does some work however little of a processor it gets, so that there are samples.
LIBRARY = """
#[inline(never)]
pub fn busy_loop(n: u64) -> u64 {
    let start = std::time::Instant::now();
    let (mut x, mut rounds) = (n, 0);
    while start.elapsed().as_millis() < 100 || rounds < 1000 {
        rounds += 1;
        for i in 0..10000u64 {
            let y = x.wrapping_mul(6364136223846793005).wrapping_add(i);
            x = unsafe { std::ptr::read_volatile(&y) };
        }
    }
    x
}
#[cfg(test)]
mod tests { #[test] fn unit() { assert_ne!(super::busy_loop(1), 1); } }
"""
CALL = "work_it::busy_loop(1)"
PROGRAM = """fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    println!("words {words:?} extra {} folder {:?} {}", cfg!(feature = "extra"),
             std::env::var("CARGO_MANIFEST_DIR").is_ok(), CALL);
    if words.iter().any(|w| w == "fail") { std::process::exit(3); }
}
""".replace("CALL", CALL)
FILES = {
    "Cargo.toml": MANIFEST, "src/lib.rs": LIBRARY, "src/main.rs": PROGRAM,
    "examples/show.rs": "fn main() { println!(\"example {}\", %s); }" % CALL,
    "tests/whole.rs": "#[test] fn whole() { assert_ne!(%s, 1); }" % CALL,
    "benches/speed.rs": "fn main() { println!(\"bench {}\", %s); }" % CALL,
}


def can_build():
    """Returns why cargo cannot be tested, or None."""
    if shutil.which("cargo") is None or shutil.which("rustc") is None:
        return "there is no cargo"
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "a.rs").write_text("fn main() {}")
        p = subprocess.run(["rustc", "a.rs"], cwd=folder, capture_output=True, text=True,
                           env={**os.environ, **HOMES})
    return None if p.returncode == 0 else f"rustc builds no programs here: {p.stderr.strip()}"


def can_record():
    """Returns why programs cannot be recorded, or None."""
    with tempfile.TemporaryDirectory() as folder:
        p = subprocess.run([common.BRAZIER, "--no-config", "record", "-g", "dwarf", "-o", "x.svg", "--",
                            "sh", "-c", "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done"],
                           cwd=folder, capture_output=True, text=True)
        drawn = pathlib.Path(folder, "x.svg").exists()
    return None if drawn else f"programs cannot be recorded here: {p.stderr.strip()}"


NO_CARGO = can_build()
NO_EVENTS = can_record()
HAS_PERF_DATA = any(common.PLUGINS.glob("collapse-perf-data.so"))


class CargoCase(tools.ToolCase):
    """Calls the tools with the environment that cargo needs."""

    def tool(self, *words, env=None):
        mine = {**HOMES, "CARGO_NET_OFFLINE": "true", "CARGO_TERM_COLOR": "never"}
        path = f"{common.BRAZIER.parent}{os.pathsep}{os.environ['PATH']}"
        r = self.call(*map(str, words), env={**mine, "PATH": path, **(env or {})})
        return r

    def names(self, picture):
        return svg.names((self.dir / picture).read_bytes())

    def draws(self, name, *words, picture="flamegraph.svg", env=None):
        """Checks that a picture is drawn. Returns the names in it, and what was said."""
        r = self.tool(*words, env=env)
        self.assertEqual(0, r.code, r)
        found = self.names(picture)
        self.assertTrue(any(name in one for one in found), (name, found, r))
        return r

    def refuses(self, status, message, *words, env=None):
        r = self.tool(*words, env=env)
        self.assertEqual(status, r.code, r)
        self.assertIn(message, r.err)
        self.assertEqual([], list(self.dir.glob("*.svg")))
        return r


@unittest.skipUnless(tools.FOLDER.exists(), "built without the names of other tools")
class Words(CargoCase):
    """Tests words that are refused before cargo runs or anything is recorded."""

    def test_words_that_exclude_each_other_are_refused(self):
        for words, why in ((["--bin", "a", "--bench", "b"], "--bin and --bench exclude each other"),
                           (["--unit-test", "--test", "x"], "--test and --unit-test exclude each other"),
                           (["--dev", "--release"], "--dev and --release exclude each other"),
                           (["--cmd", "record", "--freq", "9"], "--cmd and --freq exclude each other"),
                           (["--flamechart", "--reverse"], "--flamechart and --reverse exclude each other"),
                           (["--pid", "1", "--bin", "x"], "--pid and --bin exclude each other"),
                           (["--perfdata", "x", "--test", "y"], "--perfdata and --test exclude each other"),
                           (["--pid", "1", "--perfdata", "x"], "--pid and --perfdata exclude each other")):
            self.refuses(2, why, "cargo-flamegraph", "flamegraph", *words)

    def test_a_program_follows_two_dashes(self):
        self.refuses(2, "'ls' is no option; the program and its words follow --", "flamegraph", "ls")
        self.refuses(2, "'ls' is no option; words for the program follow --, and --bin NAME", "cargo-brazier", "ls")
        self.refuses(2, "did you mean '--bin'?", "cargo-brazier", "--bn", "x")
        self.refuses(2, "--image-width takes a whole number, not 'wide'", "cargo-brazier", "--image-width", "wide")
        self.refuses(2, "--min-width takes a number, not '1%'", "cargo-brazier", "--min-width=1%")
        self.refuses(2, "nothing to record", "flamegraph")
        self.refuses(2, "nothing to record", "flamegraph", "--")
        self.refuses(2, "--pid and a program exclude", "flamegraph", "--pid", "1", "--", "ls")
        self.refuses(2, "--perfdata and a program", "flamegraph", "--perfdata", "x", "--", "ls")

    def test_an_option_without_its_value_is_named(self):
        self.refuses(2, "error: flamegraph: '--pid' needs a value\n", "flamegraph", "--pid")

    def test_a_mistyped_option_is_refused_with_the_nearest(self):
        self.refuses(2, "did you mean 'features'?", "cargo-flamegraph", "flamegraph", "--featres", "x")

    def test_the_program_named_flamegraph_knows_no_targets(self):
        self.refuses(2, "no option '--bench'", "flamegraph", "--bench", "x")

    def test_completions(self):
        for shell, word in (("bash", "--unit-test-kind "), ("zsh", "--unit-test-kind="),
                            ("fish", "-l unit-test-kind"), ("powershell", "@('--unit-test-kind', '"),
                            ("elvish", "edit:complex-candidate '--unit-test-kind' ")):
            self.assertIn(word, self.tool("cargo-brazier", "brazier", "--completions", shell).out)
            script = self.write("script", self.tool("flamegraph", "--shell-completions", shell).out)
            if shell in ("bash", "zsh", "fish") and shutil.which(shell):
                subprocess.run([shell, "-n", script], check=True)
        self.refuses(2, "takes bash, zsh, fish, powershell or elvish", "flamegraph", "--completions", "tcsh")

    def test_completions_for_shells_that_tests_lack(self):
        """Each line is of a known form, and each option of the help has one."""
        options = re.findall(r"^ +(?:-\w, )?--([a-z-]+)", self.tool("flamegraph", "--help").out, re.M)
        self.assertIn("post-process", options)
        for shell, line, head, tail in (
                ("powershell", r"        , @\('--([a-z-]+)', '[^']+'\)", 4, 4),
                ("elvish", r"    edit:complex-candidate '--([a-z-]+)' &display='--\1  [^']+'", 6, 1)):
            lines = self.tool("flamegraph", "--completions", shell).out.splitlines()
            found = [re.fullmatch(line, x) for x in lines[head:-tail]]
            self.assertNotIn(None, found, lines)
            self.assertLessEqual(set(options), {f[1] for f in found})
            rest = "".join(lines[:head] + lines[-tail:])
            for pair in ("()", "{}", "[]"):
                self.assertEqual(rest.count(pair[0]), rest.count(pair[1]), pair)

    def test_the_version(self):
        for words in (["flamegraph", "--version"], ["cargo-flamegraph", "flamegraph", "-V"]):
            r = self.tool(*words)
            self.assertRegex(r.out, rf"^{words[0]} of brazier \d+\.\d+\.\d+\n$")
            self.assertEqual((0, ""), (r.code, r.err))

    def test_options_are_checked_before_the_target_is_built(self):
        """A build may take minutes."""
        cargo = self.write("cargo", "#!/bin/sh\necho built >> built\nexit 1\n")
        cargo.chmod(0o755)
        for words, status, why in ((["-F", "0"], 2, "--freq: '0'"), (["-e", "nonsense"], 2, "no event 'nonsense'"),
                                   (["--palette", "nonsense"], 2, "no palette 'nonsense'"),
                                   (["--post-process", ""], 2, "--post-process: '' is not a command"),
                                   (["-o", "x.nonsense"], 2, "x.nonsense: no output"),
                                   (["-o", "missing/x.svg"], 1, "'missing': it does not exist")):
            self.refuses(status, why, "cargo-flamegraph", "flamegraph", *words, "--", "a", env={"CARGO": str(cargo)})
            self.assertEqual(["cargo"], self.files())
        self.refuses(1, "cargo", "cargo-flamegraph", "flamegraph", "-F", "9", env={"CARGO": str(cargo)})
        self.assertEqual(["built", "cargo"], self.files())

    def test_without_cargo_the_message_says_so(self):
        self.refuses(1, "no-such-cargo is not installed", "cargo-flamegraph", "flamegraph",
                     env={"CARGO": "no-such-cargo"})


@unittest.skipUnless(tools.FOLDER.exists(), "built without the names of other tools")
@unittest.skipUnless(HAS_PERF_DATA, "this build has no collapser perf-data")
class Recordings(CargoCase):
    """Tests pictures of recordings that are there already."""

    def setUp(self):
        super().setUp()
        r = Recording()
        r.comm(10, "app")
        r.mmap2(10, 0x400000, 0x100000, "/usr/bin/some_app")
        for i in range(20):
            r.sample(10, [IN_USER, 0x400010 + i], time=i + 1)
        self.write("some.data", r.file())

    def test_a_recording_is_drawn(self):
        for name in (["flamegraph"], ["cargo-flamegraph", "flamegraph"], ["cargo-brazier", "brazier"]):
            self.draws("[some_app]", *name, "--perfdata", "some.data")
            (self.dir / "flamegraph.svg").unlink()

    def test_options_of_the_picture_are_passed_on(self):
        self.draws("[some_app]", "flamegraph", "--perfdata", "some.data", "-o", "x.svg", "--title", "My title",
                   "--subtitle", "and more", "--notes", "a note", "--palette", "aqua", "--image-width", "900",
                   "--min-width", "0.5", "--inverted", "--deterministic", "--no-inline", picture="x.svg")
        text = self.read("x.svg")
        for part in ("My title", "and more", "a note", 'width="900"'):
            self.assertIn(part, text)

    @unittest.skipIf(os.geteuid() != 0, "only root can become another user")
    def test_a_recording_of_root_is_given_to_the_user_and_no_file_behind_a_link(self):
        self.write("bin/sudo", f"#!/bin/sh\necho \"$*\" >> '{self.dir}/asked'\n[ \"$1\" = chown ] || exec \"$@\"\n")
        self.write("bin/perf", "#!/bin/sh\ncp some.data own.data\n")
        for name in ("sudo", "perf"):
            (self.dir / "bin" / name).chmod(0o755)
        self.top.chmod(0o755)
        self.dir.chmod(0o777)
        (self.dir / "some.data").chmod(0o644)

        def become_nobody():
            os.setgroups([])
            os.setgid(65534)
            os.setuid(65534)
        p = subprocess.run([tools.FOLDER / "flamegraph", "--root", "--cmd", "record -o own.data", "--", "true"],
                           cwd=self.dir, preexec_fn=become_nobody, capture_output=True, text=True,
                           env=self.environment({"PATH": f"{self.dir}/bin:{os.environ['PATH']}"}))
        self.assertEqual(0, p.returncode, p.stderr)
        self.assertEqual("chown -h -- 65534 own.data", self.read("asked").splitlines()[-1])

    def test_the_default_output_follows_no_link(self):
        self.write("secret", "old")
        (self.dir / "flamegraph.svg").symlink_to("secret")
        r = self.tool("flamegraph", "--perfdata", "some.data")
        self.assertEqual(1, r.code, r)
        self.assertIn("refused: 'flamegraph.svg' is a symbolic link, and only -o FILE follows links", r.err)
        self.assertEqual("old", self.read("secret"))
        self.draws("[some_app]", "flamegraph", "--perfdata", "some.data", "-o", "flamegraph.svg")

    def test_the_picture_is_that_of_brazier(self):
        self.draws("[some_app]", "flamegraph", "--perfdata", "some.data")
        self.good("-q", "run", *tools.LOOKS, "some.data", "-o", "ours.svg")
        self.assertEqual(self.read("ours.svg"), self.read("flamegraph.svg"))

    def test_the_option_that_the_line_on_quality_names_exists(self):
        for name in (["flamegraph"], ["cargo-brazier", "brazier"]):
            r = self.draws("[some_app]", *name, "--perfdata", "some.data")
            self.assertIn("(--quality tells what helps)", r.err)
            for more in ([], ["--post-process", "cat"]):
                r = self.draws("[some_app]", *name, "--perfdata", "some.data", "--quality", *more)
                self.assertRegex(r.err, r"quality: \d findings, explained in")

    def test_stacks_pass_through_a_command(self):
        self.draws("other_app", "flamegraph", "--perfdata", "some.data", "--post-process",
                   "sed s/some_app/other_app/ | cat")

    def test_a_command_that_fails_leaves_no_picture(self):
        self.refuses(1, "ended with status 7", "flamegraph", "--perfdata", "some.data", "--post-process",
                     "cat; exit 7")
        self.refuses(1, "ended with status 127", "flamegraph", "--perfdata", "some.data", "--post-process",
                     "no-such-command")

    def test_a_second_interrupt_leaves_no_files(self):
        tmp = self.dir / "tmp"
        tmp.mkdir()
        p = subprocess.Popen([tools.FOLDER / "flamegraph", "--perfdata", "some.data", "--post-process",
                              "trap '' INT; echo ready >&2; sleep 600"], cwd=self.dir, stdin=subprocess.DEVNULL,
                             stderr=subprocess.PIPE, start_new_session=True,
                             env=self.environment({"TMPDIR": tmp}))
        self.addCleanup(p.stderr.close)
        self.addCleanup(os.killpg, p.pid, signal.SIGKILL)
        while b"ready" not in p.stderr.readline():
            self.assertIsNone(p.poll())
        while p.poll() is None:
            os.kill(p.pid, signal.SIGINT)
            time.sleep(0.05)
        self.assertEqual([], list(tmp.iterdir()))
        self.assertEqual([], list(self.dir.glob("*.svg")))

    def test_a_signal_ends_the_command_for_stacks_with_what_it_has_started(self):
        for words in (["flamegraph", "--perfdata", "some.data"], ["cargo-brazier", "brazier", "--perfdata", "some.data"]):
            p = subprocess.Popen([common.BRAZIER.parent / words[0] if words[0] != "flamegraph" else tools.FOLDER / words[0],
                                  *words[1:], "--post-process", "sleep 600 & echo $! > child; echo ready >&2; wait; cat"],
                                 cwd=self.dir, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True,
                                 env=self.environment())
            self.addCleanup(p.stderr.close)
            while b"ready" not in p.stderr.readline():
                self.assertIsNone(p.poll())
            p.send_signal(signal.SIGTERM)
            self.assertEqual(128 + signal.SIGTERM, p.wait(timeout=60))
            child = pathlib.Path("/proc", self.read("child").strip())
            deadline = time.monotonic() + 20
            while child.exists() and time.monotonic() < deadline:
                time.sleep(0.05)
            self.assertFalse(child.exists())
            self.assertEqual([], list(self.dir.glob("*.svg")))

    def start_build(self, script, **environment):
        """Starts cargo brazier with a script in the place of cargo, and waits until that is ready."""
        cargo = self.write("bin/cargo", "#!/bin/sh\n" + script)
        cargo.chmod(0o755)
        p = subprocess.Popen([common.BRAZIER.parent / "cargo-brazier", "brazier", "--bin", "x"], cwd=self.dir,
                             stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True,
                             env=self.environment({"CARGO": str(cargo), **environment}))
        self.addCleanup(p.stderr.close)
        while b"ready" not in p.stderr.readline():
            self.assertIsNone(p.poll())
        return p

    def test_a_signal_ends_the_build(self):
        p = self.start_build("echo $$ > child; echo ready >&2\nsleep 600\nexit 0\n")
        p.send_signal(signal.SIGTERM)
        self.assertEqual(128 + signal.SIGTERM, p.wait(timeout=60))
        self.assertEqual(b"", p.stderr.read().replace(b"brazier: error: cargo build failed with status 143\n", b""))
        self.assertFalse(pathlib.Path("/proc", self.read("child").strip()).exists())

    def test_a_signal_ends_what_is_started_while_it_comes(self):
        self.end_while_it_starts_others()

    def test_nothing_stays_stopped_if_ending_it_takes_longer_than_a_run_may_take_to_stop(self):
        self.end_while_it_starts_others(BRAZIER_STOP_SECONDS="0.001")

    def end_while_it_starts_others(self, **environment):
        p = self.start_build("echo ready >&2\ni=0\nwhile [ $i -lt 500 ]; do sleep 600 & i=$((i+1)); done\nwait\n",
                             **environment)
        time.sleep(0.02)
        p.send_signal(signal.SIGTERM)
        self.assertEqual(128 + signal.SIGTERM, p.wait(timeout=60))
        self.addCleanup(self.end_session, p.pid)
        deadline = time.monotonic() + 20
        while self.of_session(p.pid) and time.monotonic() < deadline:
            time.sleep(0.05)
        self.assertEqual([], self.of_session(p.pid))

    @staticmethod
    def of_session(leader):
        """The processes of a session that run."""
        found = []
        for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
            try:
                words = path.read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue  # it has ended
            if int(words[3]) == leader and words[0] != "Z":
                found.append(int(path.parent.name))
        return found

    def end_session(self, leader):
        for pid in self.of_session(leader):
            os.kill(pid, signal.SIGKILL)

    def test_an_empty_command_for_stacks_is_refused(self):
        for option in (["--post-process", ""], ["--post-process="]):
            self.refuses(2, "--post-process: '' is not a command", "flamegraph", "--perfdata", "some.data", *option)

    def test_a_recording_that_is_missing(self):
        self.refuses(1, "missing.data", "flamegraph", "--perfdata", "missing.data")
        self.refuses(1, "missing.data", "flamegraph", "--perfdata", "missing.data", "--post-process", "cat")

    def test_the_picture_is_opened(self):
        tool = self.write("bin/xdg-open", "#!/bin/sh\necho opened $1 > opened\n")
        tool.chmod(0o755)
        path = f"{tool.parent}{os.pathsep}{os.environ['PATH']}"
        self.draws("[some_app]", "flamegraph", "--perfdata", "some.data", "--open", env={"PATH": path})
        for _ in range(1000):
            if (self.dir / "opened").exists() and self.read("opened") != "":
                break
            subprocess.run(["sleep", "0.01"])
        self.assertEqual("opened flamegraph.svg\n", self.read("opened"))


@unittest.skipIf(NO_CARGO, NO_CARGO or "")
@unittest.skipUnless(tools.FOLDER.exists(), "built without the names of other tools")
class WorkspaceCase(CargoCase):
    """Writes a package, whose targets are built once for all tests of a class: it is always in the same folder, and
    its files are older than what cargo made of them."""

    @classmethod
    def setUpClass(cls):
        cls.built = tempfile.TemporaryDirectory(prefix="brazier-cargo-")
        cls.addClassCleanup(cls.built.cleanup)

    def setUp(self):
        super().setUp()
        self.target = pathlib.Path(self.built.name, "target")
        self.dir = pathlib.Path(self.built.name, "work").resolve()
        shutil.rmtree(self.dir, ignore_errors=True)
        for name, text in FILES.items():
            os.utime(super().write(name, text), (1e9, 1e9))

    def write(self, name, content, folder=None):
        """Writes a file. What cargo makes of a package with another source stays apart."""
        self.target = self.top / "target"
        return super().write(name, content, folder)

    def tool(self, *words, env=None):
        return super().tool(*words, env={"CARGO_TARGET_DIR": str(self.target), **(env or {})})

    def cargo(self, *words):
        return ["cargo-flamegraph", "flamegraph", *words]


class Targets(WorkspaceCase):
    """Tests targets that cannot be chosen or built."""

    def test_several_programs_are_listed(self):
        self.write("src/bin/second.rs", "fn main() {}")
        r = self.refuses(1, "name one of several targets with --bin or -p", *self.cargo())
        self.assertIn("second (program of work-it)", r.err)
        self.assertIn("work-it (program of work-it)", r.err)
        self.refuses(1, "name one of several targets with --bin: ", *self.cargo("-p", "work-it"))

    def test_a_package_that_does_not_exist(self):
        self.refuses(1, "no package 'work_it' in this workspace; did you mean 'work-it'?", *self.cargo("-p", "work_it"))
        self.refuses(1, "no package 'nonsense' in this workspace\n", *self.cargo("-p", "nonsense"))

    def test_a_package_without_programs(self):
        (self.dir / "src/main.rs").unlink()
        self.refuses(1, "there is no program to run here: name a target", *self.cargo())

    def test_a_build_that_fails(self):
        self.write("src/main.rs", "fn main() { no_such_function(); }")
        r = self.refuses(1, "cargo build failed with status 101", *self.cargo())
        self.assertIn("no_such_function", r.err)

    def test_a_target_that_is_missing(self):
        self.refuses(1, "cargo build failed", *self.cargo("--example", "nothing"))

    def test_a_folder_without_a_package(self):
        (self.dir / "Cargo.toml").unlink()
        self.refuses(1, "cargo locate-project failed", *self.cargo())

    def test_unit_tests_of_a_target_that_does_not_exist(self):
        self.refuses(1, "no library or program 'wrk-it' in this workspace; did you mean 'work-it'?",
                     *self.cargo("--unit-test=wrk-it"))
        self.refuses(1, "no program 'nonsense' in this workspace\n",
                     *self.cargo("--unit-bench", "nonsense", "--unit-test-kind", "bin"))

    def test_unit_tests_of_two_targets_need_a_kind(self):
        self.refuses(1, "--unit-test-kind", *self.cargo("--unit-test", "--verbose"))
        self.refuses(1, "--unit-bench NAME, --unit-test-kind", *self.cargo("--unit-bench", "work-it"))
        self.refuses(1, "--unit-test-kind takes lib or bin", *self.cargo("--unit-test", "--unit-test-kind", "x"))


@unittest.skipIf(NO_EVENTS, NO_EVENTS or "")
class Records(WorkspaceCase):
    """Tests programs that are built, recorded and drawn."""

    def test_the_only_program_is_run_with_its_arguments(self):
        r = self.draws("busy_loop", *self.cargo("--", "one", "--two"))
        self.assertIn('words ["one", "--two"] extra false folder true', r.out)
        self.assertIn("the target is work-it (program of work-it)", r.err)

    def test_cargo_finds_the_commands(self):
        for name in ("brazier", "flamegraph"):
            path = f"{common.BRAZIER.parent}{os.pathsep}{tools.FOLDER}{os.pathsep}{os.environ['PATH']}"
            self.draws("busy_loop", "cargo", name, "-o", f"{name}.svg", picture=f"{name}.svg",
                       env={"PATH": path})

    def test_each_kind_of_target(self):
        for words, said in ((["--bin", "work-it"], "words"), (["--example", "show"], "example"),
                            (["--test", "whole"], "test whole"), (["--bench", "speed"], "bench"),
                            (["--unit-test", "work-it", "--unit-test-kind", "lib"], "tests::unit"),
                            (["--unit-test", "--unit-test-kind=lib"], "tests::unit")):
            r = self.draws("busy_loop", *self.cargo(*words))
            self.assertIn(said, r.out)
            (self.dir / "flamegraph.svg").unlink()

    def test_the_program_that_the_manifest_prefers(self):
        self.write("src/bin/second.rs", "fn main() {}")
        self.write("Cargo.toml", MANIFEST.replace("[features]", 'default-run = "work-it"\n[features]'))
        self.draws("busy_loop", *self.cargo())

    def test_features_and_the_path_of_the_manifest(self):
        inner = self.dir / "inner"
        inner.mkdir()
        for words, said in ((["--features", "extra"], "extra true"), (["-f", "extra"], "extra true"),
                            (["--all-features"], "extra true"), (["--no-default-features"], "extra false")):
            r = self.draws("busy_loop", *self.cargo(*words, "--manifest-path", f"{self.dir}/Cargo.toml"))
            self.assertIn(said, r.out)

    def test_a_member_of_a_workspace(self):
        self.write("Cargo.toml", '[workspace]\nmembers = ["a", "b"]\nresolver = "2"\n')
        for name in ("a", "b"):
            self.write(f"{name}/Cargo.toml", MANIFEST.replace("work-it", name).split("[features]")[0])
            self.write(f"{name}/src/lib.rs", LIBRARY)
            self.write(f"{name}/src/main.rs", f"fn main() {{ println!(\"{name} {{}}\", {name}::busy_loop(1)); }}")
        for name in ("src/lib.rs", "src/main.rs"):
            (self.dir / name).unlink()
        self.refuses(1, "a (program of a), b (program of b)", *self.cargo())
        self.assertRegex(self.draws("b::busy_loop", *self.cargo("-p", "b")).out, r"^b \d+$")

    def test_missing_debugging_information_is_a_warning(self):
        for words, profile in (([], "release"), (["--bench", "speed"], "bench")):
            r = self.draws("busy_loop", *self.cargo(*words))
            self.assertIn(f"add 'debug = true' below [profile.{profile}] in Cargo.toml, or set "
                          f"CARGO_PROFILE_{profile.upper()}_DEBUG=true", r.err)
            r = self.draws("busy_loop", *self.cargo(*words),
                           env={f"CARGO_PROFILE_{profile.upper()}_DEBUG": "true"})
            self.assertNotIn("debugging information, so", r.err)
        self.assertNotIn("debugging information, so", self.draws("busy_loop", *self.cargo("--dev")).err)

    def test_the_status_of_the_program(self):
        r = self.tool(*self.cargo("--", "fail"))
        self.assertEqual(3, r.code, r)
        self.assertTrue((self.dir / "flamegraph.svg").exists())
        self.draws("busy_loop", *self.cargo("--ignore-status", "--", "fail"))

    def test_stacks_pass_through_a_command(self):
        self.draws("lazy_loop", *self.cargo("--post-process", "sed s/busy_loop/lazy_loop/"))
        (self.dir / "flamegraph.svg").unlink()
        self.refuses(1, "ended with status 9", *self.cargo("--post-process", "cat; exit 9"))

    def draws_inlined_functions(self, *words):
        self.draws("busy_loop", *self.cargo(*words, "-F", "4999", "--post-process", "cat"),
                   env={"CARGO_PROFILE_RELEASE_DEBUG": "true"})
        has = any("wrapping_" in name for name in self.names("flamegraph.svg"))
        (self.dir / "flamegraph.svg").unlink()
        return has

    def test_inlined_functions_are_left_out_of_processed_stacks(self):
        """A busy machine takes few samples, perhaps none in an inlined function; then the program is recorded again."""
        self.assertTrue(any(self.draws_inlined_functions() for _ in range(20)))
        self.assertFalse(self.draws_inlined_functions("--no-inline"))

    def test_options_of_the_picture_hold_for_recordings(self):
        self.draws("busy_loop", *self.cargo(
            "--title", "My title", "--subtitle", "and more", "--notes", "a note", "--colors", "aqua", "--hash",
            "--deterministic", "--image-width", "900", "--min-width", "0.5", "--inverted", "--no-inline",
            "--skip-after", "main", "--flamechart", "-z", "-F", "1999", "-e", "cpu-clock"))
        text = self.read("flamegraph.svg")
        for part in ("My title", "and more", "a note", 'width="900"'):
            self.assertIn(part, text)
        self.draws("busy_loop", *self.cargo("--hash", "--reverse", "--palette", "blue", "--post-process", "cat"))

    def test_callers_are_complete_in_release_builds(self):
        self.draws("busy_loop", *self.cargo())
        self.assertIn("main", self.names("flamegraph.svg"))

    def test_commands_are_shown(self):
        r = self.draws("busy_loop", *self.cargo("--verbose", "--freq", "499"))
        self.assertIn("build --release --package work-it --bin work-it --message-format=json", r.err)

    def test_a_program_without_samples_has_a_remedy_that_exists(self):
        """brazier record has the option, and this program has not."""
        r = self.refuses(1, "no samples: the program hardly ran", "flamegraph", "-F", "1", "--", "true")
        remedy = "brazier record --off-cpu -- true"
        self.assertIn(f"{remedy} draws where it waits", r.err)
        self.assertNotIn("no option", self.brazier(*remedy.split()[1:]).err)

    def test_a_running_process(self):
        program = subprocess.Popen(["sh", "-c", "ulimit -t 1; while :; do :; done"])
        self.addCleanup(program.wait)
        r = self.tool("flamegraph", "--pid", program.pid, "-o", "x.svg")
        self.assertEqual(0, r.code, r)
        self.assertTrue((self.dir / "x.svg").exists())

    @unittest.skipIf(shutil.which("perf") is None, "there is no perf")
    def test_words_of_perf(self):
        """Without -B, perf reads the recording again for build ids, which fails in Debian's perf now and then."""
        self.draws("busy_loop", *self.cargo("--cmd", "record -B -e cpu-clock -F 499 --call-graph dwarf -o own.data"))
        self.assertTrue((self.dir / "own.data").exists())
        self.refuses_failed_recording()

    def refuses_failed_recording(self):
        (self.dir / "flamegraph.svg").unlink()
        self.refuses(1, "the recording failed with status", *self.cargo("--cmd", "record --no-such-option"))
        self.refuses(1, "no-such-perf is not installed", *self.cargo("--cmd", "record"),
                     env={"PERF": "no-such-perf"})


if __name__ == "__main__":
    common.main(SampleLoader(6))
