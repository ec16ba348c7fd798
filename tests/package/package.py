#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the packages that ./dev package builds: contents, hardening, lintian and rpmlint.

BRAZIER_PACKAGES names the folder of built packages, as ./dev package --test sets it; without it, the tests are skipped.
BRAZIER_EXHAUSTIVE (--all) builds them again and compares the bytes, and tests in an empty system installation, the commands
of the README, a plug-in, and that nothing is left after removal. BRAZIER_BARE_SYSTEM names a debootstrap of Debian 12 to
copy, instead of downloading one."""
import filecmp
import gzip
import json
import os
import pathlib
import re
import shutil
import subprocess
import tarfile
import tempfile
import time
import unittest

SOURCE = pathlib.Path(os.environ["BRAZIER_SOURCE"])
BUILT = os.environ.get("BRAZIER_PACKAGES")
EXHAUSTIVE = os.environ.get("BRAZIER_EXHAUSTIVE")
NAMES = ["brazier", "brazier-compat", "brazier-perf", "brazier-sdk", "libbrazier-dev", "libbrazier0",
         "python3-brazier"]
RPMS = ["brazier", "brazier-compat", "brazier-perf", "brazier-sdk", "libbrazier", "libbrazier-devel"]
NOT_BUILT = "no packages: ./dev package --test builds and tests them"
ONLY_REPEATED = "only with all repeats (./dev package --test --all)"
# A recording, and what `brazier record` says where the kernel permits none.
RECORDING = "packed.data"
REFUSALS = ("perf_event_paranoid", "seccomp", "CONFIG_PERF_EVENTS", "memory may be locked", "the system forbids")
KEPT_BY_THE_SYSTEM = ["proc", "sys", "dev", "packages", "root/work", "var/log", "var/cache", "var/lib/apt", "var/lib/dpkg"]
MIRROR = "http://deb.debian.org/debian"


# Options that protect every source, and functions of the C library that no protected program calls.
FLAGS = ["-fstack-protector-strong", "-D_FORTIFY_SOURCE=2"]
X86_FLAGS = ["-fcf-protection", "-fstack-clash-protection"]
PLAIN = {"printf", "fprintf", "vprintf", "vfprintf", "dprintf", "vdprintf", "asprintf", "vasprintf"}


def run(*command, **more):
    r = subprocess.run([str(c) for c in command], capture_output=True, text=True, stdin=subprocess.DEVNULL, **more)
    assert r.returncode == 0, f"{command}: {r.returncode}\n{r.stdout[-3000:]}{r.stderr[-3000:]}"
    return r.stdout


def elf_files(folder):
    for file in sorted(folder.rglob("*")):
        if file.is_symlink() or not file.is_file():
            continue
        with file.open("rb") as opened:
            is_elf = opened.read(4) == b"\x7fELF"
        if is_elf:
            yield file


class Hardened:
    def check_hardening(self, folder):
        checked = 0
        for file in elf_files(folder):
            with self.subTest(file.name):
                dynamic, headers = run("readelf", "-dW", file), run("readelf", "-hlW", file)
                self.assertIn("Type:                              DYN", headers)
                self.assertIn("GNU_RELRO", headers)
                self.assertRegex(dynamic, r"BIND_NOW|Flags: .*NOW")
                self.assertNotIn("TEXTREL", dynamic)
                self.assertNotRegex(dynamic, r"R(UN)?PATH")
                self.assertRegex(headers, r"GNU_STACK .* RW +0x")
                if "Advanced Micro Devices X86-64" in headers:
                    code = run("objdump", "-d", "--no-show-raw-insn", file)
                    self.assertIn("endbr64", code, "control-flow protection")
                symbols = run("readelf", "--dyn-syms", "-W", file)
                self.assertEqual(set(), set(re.findall(r" UND (\w+)", symbols)) & PLAIN, "fortified functions")
                checked += 1
        return checked


@unittest.skipUnless(BUILT, NOT_BUILT)
class Packages(Hardened, unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.top = pathlib.Path(tempfile.mkdtemp(prefix="brazier-packages-"))
        cls.addClassCleanup(shutil.rmtree, cls.top, ignore_errors=True)
        cls.folder = pathlib.Path(BUILT).resolve()
        (cls.top / "files").mkdir()
        cls.debs = {file.name.split("_")[0]: file for file in sorted(cls.folder.glob("*.deb"))
                    if "-dbgsym_" not in file.name}
        for name, file in cls.debs.items():
            run("dpkg-deb", "-x", file, cls.top / "files" / name)
        cls.files = cls.top / "files"

    def contents(self, name):
        root = self.files / name
        return {str(p.relative_to(root)) for p in root.rglob("*") if not p.is_dir() or p.is_symlink()}

    def test_each_file_is_in_the_package_that_it_belongs_to(self):
        self.assertEqual(NAMES, sorted(self.debs))
        for name, pattern in (("brazier", "usr/bin/brazier"), ("brazier", "usr/bin/cargo-brazier"),
                              ("brazier", "usr/lib/.*/brazier/plugins-v1/collapse-perf.so"),
                              ("brazier", "usr/lib/.*/brazier/view.so"),
                              ("brazier", "usr/lib/.*/brazier/plugins-v1/output-sqlite.so"),
                              ("brazier", "usr/share/brazier/brazier.yaml"), ("brazier", "usr/share/brazier/formats/index"),
                              ("brazier", "usr/share/man/man1/brazier.1.gz"),
                              ("brazier-perf", "usr/lib/.*/brazier/plugins-v1/collapse-perf-data.so"),
                              ("brazier-compat", "usr/libexec/brazier/compat/flamegraph.pl"),
                              ("libbrazier0", r"usr/lib/.*/libbrazier.so.0"),
                              ("libbrazier-dev", "usr/include/brazier.h"),
                              ("libbrazier-dev", r"usr/lib/.*/libbrazier.so"),
                              ("python3-brazier", "usr/lib/python3/dist-packages/brazier.py"),
                              ("brazier-sdk", "usr/include/brazier/plugin.h"),
                              ("brazier-sdk", "usr/share/brazier/template/.*"),
                              ("brazier-sdk", "usr/share/doc/brazier-sdk/api/html/index.html")):
            owners = [p for p in NAMES if any(re.fullmatch(pattern, f) for f in self.contents(p))]
            self.assertEqual([name], owners, pattern)
        everything = [f for name in NAMES for f in self.contents(name)]
        self.assertEqual(len(everything), len(set(everything)), "a file is in two packages")

    def test_every_object_is_hardened(self):
        self.assertGreater(sum(self.check_hardening(self.files / name) for name in NAMES), 50)
        for name, pattern in (("brazier", "usr/bin/brazier"), ("libbrazier0", "usr/lib/*/libbrazier.so.*.*"),
                              ("brazier-perf", "usr/lib/*/brazier/plugins-v1/*.so")):
            symbols = run("readelf", "--dyn-syms", "-W", next((self.files / name).glob(pattern)))
            self.assertIn("__stack_chk_fail", symbols)
            self.assertRegex(symbols, r"__(memcpy|snprintf|vsnprintf|memset|read|fprintf)_chk")

    def test_only_the_viewer_loads_ncurses(self):
        for pattern, loads in (("usr/bin/brazier", False), ("usr/lib/*/brazier/view.so", True)):
            needed = run("readelf", "-d", "-W", next((self.files / "brazier").glob(pattern)))
            self.assertEqual(loads, "libncursesw" in needed, pattern)

    def test_every_source_is_compiled_with_protection(self):
        builds = [*self.folder.glob("deb/source/obj-*"), *self.folder.glob("rpm/BUILD/*/build/rpm")]
        if not builds:
            self.skipTest("the packages were built elsewhere")
        for build in builds:
            commands = [entry["command"] for entry in json.loads(run("ninja", "-t", "compdb", cwd=build))]
            compiling = [command for command in commands if " -c " in command and command.endswith(".c")]
            self.assertGreater(len(compiling), 300, build)
            flags = FLAGS + (X86_FLAGS if os.uname().machine == "x86_64" else [])
            for command in compiling:
                self.assertEqual([], [flag for flag in flags if flag not in command.split()], command)

    @unittest.skipUnless(shutil.which("lintian"), "lintian is not installed")
    def test_lintian_finds_nothing(self):
        found = run("lintian", "--fail-on", "error,warning", "--allow-root", *self.debs.values(), timeout=900)
        self.assertEqual([], [line for line in found.splitlines() if line[:2] in ("E:", "W:")])

    def test_the_tarball_works_wherever_it_lies(self):
        tars = list(self.folder.glob("brazier-*-linux-*.tar.gz"))
        self.assertEqual(1, len(tars))
        for place in ("here", "there"):
            with tarfile.open(tars[0]) as tar:
                tar.extractall(self.top / place)
        shutil.rmtree(self.top / "here")
        root = next((self.top / "there").iterdir())
        self.assertGreater(self.check_hardening(root), 50)
        env = {"PATH": "/usr/bin:/bin", "HOME": str(self.top)}
        out = run(root / "bin" / "brazier", "run", SOURCE / "demo" / "node-typescript.perf.txt.gz", "-t", "svg", env=env)
        self.assertIn("</svg>", out)
        sbom = (root / "brazier.spdx").read_text()
        for library in ("libyaml", "zlib", "zstd", "pcre2", "libiberty", "libdeflate", "expat", "ncurses", "tinfo"):
            self.assertIn(f"STATIC_LINK SPDXRef-Package-{library}\n", sbom)
        self.assertNotIn("PackageVersion: NOASSERTION", sbom)
        self.assertNotRegex(sbom, r"purl .*\+", "a package URL escapes it")

    @unittest.skipUnless(EXHAUSTIVE, ONLY_REPEATED)
    def test_the_same_source_gives_the_same_bytes(self):
        # another folder, time, umask, locale, time zone, user's home and number of processes
        other = self.top / "another" / "place"
        time.sleep(1)
        run("sh", "-c", 'umask 077; exec "$0" "$1"', SOURCE / "packaging" / "package.sh", other, timeout=6000,
            env={**os.environ, "LANG": "de_DE.UTF-8", "LC_ALL": "tr_TR.UTF-8", "TZ": "Asia/Kathmandu",
                 "HOME": str(self.top), "BRAZIER_JOBS": "3"})
        names = sorted(p.name for p in self.folder.iterdir() if p.suffix in (".deb", ".rpm", ".gz", ".spdx"))
        self.assertGreater(len(names), len(NAMES))
        self.assertEqual((names, [], []), filecmp.cmpfiles(self.folder, other, names, shallow=False))


@unittest.skipUnless(BUILT, NOT_BUILT)
@unittest.skipUnless(shutil.which("rpm"), "rpm is not installed")
class RpmPackages(Hardened, unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.top = pathlib.Path(tempfile.mkdtemp(prefix="brazier-rpm-"))
        cls.addClassCleanup(shutil.rmtree, cls.top, ignore_errors=True)
        cls.rpms = {run("rpm", "-qp", "--queryformat", "%{NAME}", file): file
                    for file in sorted(pathlib.Path(BUILT).resolve().glob("*.rpm"))}

    def query(self, name, *what):
        return run("rpm", "-qp", *what, self.rpms[name]).splitlines()

    def test_each_file_is_in_the_package_that_it_belongs_to(self):
        self.assertEqual(RPMS, sorted(self.rpms))
        files = {name: self.query(name, "--list") for name in RPMS}
        for name, pattern in (("brazier", "/usr/bin/brazier"), ("brazier", "/usr/bin/cargo-brazier"),
                              ("brazier", "/usr/lib64/brazier/plugins-v1/collapse-perf.so"),
                              ("brazier", "/usr/lib64/brazier/view.so"),
                              ("brazier", "/usr/share/brazier/brazier.yaml"), ("brazier", "/usr/share/brazier/formats/index"),
                              ("brazier", "/usr/share/man/man1/brazier-diff.1.gz"),
                              ("brazier", "/usr/lib64/brazier/plugins-v1/output-sqlite.so"),
                              ("brazier-perf", "/usr/lib64/brazier/plugins-v1/collapse-perf-data.so"),
                              ("brazier-compat", "/usr/libexec/brazier/compat/flamegraph.pl"),
                              ("libbrazier", "/usr/lib64/libbrazier.so.0"),
                              ("libbrazier-devel", "/usr/include/brazier.h"),
                              ("libbrazier-devel", "/usr/lib64/libbrazier.so"),
                              ("brazier-sdk", "/usr/include/brazier/plugin.h"),
                              ("brazier-sdk", "/usr/share/brazier/template/collapser/.*"),
                              ("brazier-sdk", "/usr/share/doc/brazier-sdk/api/html/index.html")):
            owners = [p for p in RPMS if any(re.fullmatch(pattern, f) for f in files[p])]
            self.assertEqual([name], owners, pattern)

    def test_packages_name_what_they_need(self):
        self.assertIn("libyaml-0.so.2()(64bit)", self.query("brazier", "--requires"))
        self.assertIn("libdw.so.1()(64bit)", self.query("brazier-perf", "--requires"))
        self.assertNotIn("libdw.so.1()(64bit)", self.query("brazier", "--requires"))
        self.assertIn("libbrazier.so.0()(64bit)", self.query("libbrazier", "--provides"))

    def test_the_version_is_only_in_the_build(self):
        p = subprocess.run(["rpmspec", "--parse", SOURCE / "packaging/rpm/brazier.spec"], capture_output=True, text=True)
        self.assertNotEqual(0, p.returncode)
        self.assertIn("give the version", p.stderr)

    def test_install_use_and_remove(self):
        root = self.top / "root"
        root.mkdir()
        rpm = ("rpm", "--root", root, "--dbpath", "/var/lib/rpm")
        run(*rpm, "--initdb")
        run(*rpm, "--install", "--nodeps", "--noscripts", *self.rpms.values())
        self.assertEqual(RPMS, sorted(run(*rpm, "-qa", "--queryformat", "%{NAME}\n").split()))
        self.assertGreater(self.check_hardening(root / "usr"), 50)
        self.assertEqual("", subprocess.run([str(c) for c in (*rpm, "--verify", "--nodeps", *RPMS)], capture_output=True,
                                            text=True).stdout)
        out = run(root / "usr/bin/brazier", "--no-config", "run", SOURCE / "demo" / "node-typescript.perf.txt.gz", "-t",
                  "svg", env={"PATH": "/usr/bin:/bin", "HOME": str(self.top)})
        self.assertIn("</svg>", out)
        run(*rpm, "--erase", "--nodeps", "--noscripts", *RPMS)
        self.assertEqual([], [str(p) for p in root.rglob("*brazier*")])

    @unittest.skipUnless(shutil.which("rpmlint"), "rpmlint is not installed")
    def test_rpmlint_finds_nothing(self):
        run("rpmlint", "--config", SOURCE / "packaging/rpm/rpmlint.toml", "--strict", *self.rpms.values(), timeout=900)


@unittest.skipUnless(BUILT, NOT_BUILT)
@unittest.skipUnless(EXHAUSTIVE, ONLY_REPEATED)
@unittest.skipUnless(os.geteuid() == 0 and shutil.which("debootstrap"), "needs root and debootstrap")
class Installed(unittest.TestCase):
    """Installs the packages in an empty Debian, uses them, and removes them."""

    @classmethod
    def setUpClass(cls):
        cls.top = pathlib.Path(tempfile.mkdtemp(prefix="brazier-bare-"))
        cls.addClassCleanup(shutil.rmtree, cls.top, ignore_errors=True)
        cls.root = cls.top / "root"
        bare = os.environ.get("BRAZIER_BARE_SYSTEM")
        if bare:
            run("cp", "-a", bare, cls.root)
        else:
            r = subprocess.run(["debootstrap", "--variant=minbase", "bookworm", cls.root, MIRROR],
                               capture_output=True, text=True, timeout=1800)
            if r.returncode != 0:
                raise unittest.SkipTest("no empty system: debootstrap failed: " + r.stdout[-200:])
        folder = pathlib.Path(BUILT).resolve()
        (cls.root / "packages").mkdir()
        for file in folder.glob("*.deb"):
            if "-dbgsym_" not in file.name:
                shutil.copy(file, cls.root / "packages")
        shutil.copy("/etc/resolv.conf", cls.root / "etc/resolv.conf")
        cls.work = cls.root / "root" / "work"
        cls.work.mkdir()
        cls.write_inputs()

    @classmethod
    def write_inputs(cls):
        """Writes the files that the README's commands name."""
        perf = gzip.decompress((SOURCE / "demo" / "node-typescript.perf.txt.gz").read_bytes())
        (cls.work / "perf.txt").write_bytes(perf.replace(b" start_thread+", b" http::serve+"))
        shutil.copy(SOURCE / "tests/golden/collapse/perf-data" / RECORDING, cls.work / "perf.data")
        folded = "main;http::serve;parse 3\nmain;rpc::call 2\nmain;idle 5\n"
        for name in ("before.folded", "after.folded"):
            (cls.work / name).write_text(folded)
        for name in ("host1.folded.gz", "host2.folded.gz"):
            (cls.work / name).write_bytes(gzip.compress(folded.encode()))
        for name, script in (("program", "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done"),
                             ("some-profiler", "cat perf.txt")):
            (cls.work / name).write_text(f"#!/bin/sh\n{script}\n")
            (cls.work / name).chmod(0o755)

    def inside(self, script):
        return run("unshare", "--mount", "--pid", "--fork", f"--mount-proc={self.root}/proc",
                   "chroot", self.root, "/usr/bin/env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin:/root/work", "HOME=/root",
                   "DEBIAN_FRONTEND=noninteractive", "bash", "-e", "-o", "pipefail", "-c", "cd /root/work\n" + script,
                   timeout=1800)

    def files(self):
        """Returns the names of all files but those in which the system keeps what it did, and of this test."""
        found = run("find", self.root, "-xdev", *(word for path in KEPT_BY_THE_SYSTEM
                                                 for word in ("-path", f"{self.root}/{path}", "-prune", "-o")), "-print")
        return {line.removeprefix(str(self.root)) for line in found.splitlines()}

    def readme_commands(self):
        """Returns the commands of the README that call brazier."""
        blocks = re.findall(r"^```sh\n(.*?)^```", (SOURCE / "README.md").read_text(), re.M | re.S)
        lines = [re.sub(r"  +#.*", "", line) for block in blocks for line in block.splitlines()]
        return [line for line in lines if re.match(r"(some-profiler .*\| *)?brazier ", line)]

    def run_readme(self):
        """Runs the commands of the README. Where the kernel permits no recording, those that record are left out."""
        commands = self.readme_commands()
        self.assertGreater(len(commands), 8)
        recording = [command for command in commands if command.startswith("brazier record ")]
        self.assertGreater(len(recording), 1)
        try:
            self.inside("brazier record -o probe.svg -- program")
        except AssertionError as refused:
            if not any(word in str(refused) for word in REFUSALS):
                raise
            print(f"[no recording here: {str(refused)[-300:].strip()}] ", end="")
            commands = [command for command in commands if command not in recording]
        for command in commands:
            out = self.inside(f"rm -f flame.svg diff.svg\n{command}\n"
                              "for f in flame.svg diff.svg; do [ ! -e $f ] || grep -q '</svg>' $f; done")
            if command.endswith("--to table"):
                self.assertIn("SELF", out)
        self.inside("[ -s all.folded ] && [ -s stacks.folded ] && [ -s profile.speedscope.json ]")
        team = re.search(r"^```yaml\n(.*?)^```", (SOURCE / "README.md").read_text(), re.M | re.S)[1]
        (self.work / ".brazier.yaml").write_text(team)
        self.inside("rm -f flame.svg stacks.folded; brazier run perf.txt; grep -q '</svg>' flame.svg; "
                    "[ -s stacks.folded ]; rm .brazier.yaml")

    def test_install_use_and_purge(self):
        # compilers are installed first, since they stay
        self.inside("apt-get update -qq; apt-get install -y --no-install-recommends gcc libc6-dev make pkg-config; "
                    "apt-get autoremove -y --purge")
        before = self.files()
        self.inside("apt-get install -y --no-install-recommends /packages/*.deb")
        self.assertGreater(len(self.files() - before), 200)
        self.run_readme()
        self.inside("""
            brazier perf.txt -o flame.html
            brazier plugin list > plugins
            grep -q perf-data plugins
            /usr/libexec/brazier/compat/flamegraph.pl stacks.folded > other.svg
            grep -q '</svg>' other.svg""")
        self.inside("""
            brazier plugin new tally --kind collapser
            cd tally && make check""")
        self.inside("""
            printf '#include <brazier.h>\\n#include <stdio.h>\\nint main(void) { puts(brazier_version()); }\\n' > v.c
            gcc v.c $(pkg-config --cflags --libs brazier) -o v
            [ "brazier $(./v)" = "$(brazier --version | sed 's/ (commit.*//')" ]""")
        self.inside(f"dpkg --purge {' '.join(NAMES)}")
        self.assertEqual([], sorted(name for name in self.files() if "brazier" in name))
        self.inside("apt-get autoremove -y --purge")
        self.assertEqual((set(), set()), (self.files() - before, before - self.files()))


if __name__ == "__main__":
    unittest.main(verbosity=1)
