#!/usr/bin/env python3
"""Tests the packages that ./dev package builds: contents, hardening, lintian, rpmlint, installation in an empty system.

BRAZIER_PACKAGES names the folder of built packages, as ./dev package --test sets it; without it, the tests are skipped.
BRAZIER_EXHAUSTIVE builds them again and compares the bytes. BRAZIER_BARE_SYSTEM names a debootstrap of Debian 12 to copy,
instead of downloading one."""
import filecmp
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
NAMES = ["brazier", "brazier-compat", "brazier-perf", "brazier-sdk", "libbrazier-dev", "libbrazier0"]
RPMS = ["brazier", "brazier-compat", "brazier-perf", "brazier-sdk", "libbrazier", "libbrazier-devel"]
NOT_BUILT = "no packages: ./dev package --test builds and tests them"
MIRROR = "http://deb.debian.org/debian"


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
                              ("brazier", "usr/lib/.*/brazier/plugins-v0/collapse-perf.so"),
                              ("brazier", "usr/share/brazier/brazier.yaml"),
                              ("brazier", "usr/share/man/man1/brazier.1.gz"),
                              ("brazier-perf", "usr/lib/.*/brazier/plugins-v0/collapse-perf-data.so"),
                              ("brazier-compat", "usr/libexec/brazier/compat/flamegraph.pl"),
                              ("libbrazier0", r"usr/lib/.*/libbrazier.so.0"),
                              ("libbrazier-dev", "usr/include/brazier.h"),
                              ("libbrazier-dev", r"usr/lib/.*/libbrazier.so"),
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
                              ("brazier-perf", "usr/lib/*/brazier/plugins-v0/*.so")):
            symbols = run("readelf", "--dyn-syms", "-W", next((self.files / name).glob(pattern)))
            self.assertIn("__stack_chk_fail", symbols)
            self.assertRegex(symbols, r"__(memcpy|snprintf|vsnprintf|memset|read|fprintf)_chk")

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
        for library in ("libyaml", "zlib", "zstd", "pcre2", "libiberty"):
            self.assertIn(f"STATIC_LINK SPDXRef-Package-{library}\n", sbom)
        self.assertNotIn("PackageVersion: NOASSERTION", sbom)

    @unittest.skipUnless(EXHAUSTIVE, "only with all repeats (./dev package --test --all)")
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
                              ("brazier", "/usr/lib64/brazier/plugins-v0/collapse-perf.so"),
                              ("brazier", "/usr/share/brazier/brazier.yaml"),
                              ("brazier", "/usr/share/man/man1/brazier-diff.1.gz"),
                              ("brazier-perf", "/usr/lib64/brazier/plugins-v0/collapse-perf-data.so"),
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
        shutil.copy(SOURCE / "demo" / "node-typescript.perf.txt.gz", cls.root / "root/perf.txt.gz")

    def inside(self, script):
        return run("unshare", "--mount", "--pid", "--fork", f"--mount-proc={self.root}/proc",
                   "chroot", self.root, "/usr/bin/env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root",
                   "DEBIAN_FRONTEND=noninteractive", "bash", "-e", "-o", "pipefail", "-c", "cd /root\n" + script,
                   timeout=1800)

    def files(self):
        found = subprocess.run(["find", self.root, "-xdev", "-path", self.root / "root", "-prune", "-o", "-print"],
                               capture_output=True, text=True).stdout
        names = {line.removeprefix(str(self.root)) for line in found.splitlines()}
        return {name for name in names if "brazier" in name and not name.startswith("/packages/")}

    def test_install_use_and_purge(self):
        # what the packages need is installed first, since it stays
        self.inside("apt-get update -qq; apt-get install -y --no-install-recommends gcc libc6-dev make pkg-config")
        self.inside("apt-get install -y --no-install-recommends /packages/*.deb")
        self.inside("""
            brazier run perf.txt.gz -o flame.svg -o stacks.folded -o profile.speedscope.json
            brazier perf.txt.gz -o flame.html
            zcat perf.txt.gz | brazier run -o piped.svg
            brazier run perf.txt.gz --to table > table
            brazier diff stacks.folded stacks.folded -o diff.svg
            brazier merge stacks.folded stacks.folded > all.folded
            brazier plugin list > plugins
            grep -q perf-data plugins
            grep -q SELF table
            /usr/libexec/brazier/compat/flamegraph.pl stacks.folded > other.svg
            grep -q '</svg>' flame.svg piped.svg diff.svg other.svg""")
        self.inside("""
            brazier plugin new tally --kind collapser
            cd tally && make check""")
        self.inside("""
            printf '#include <brazier.h>\\n#include <stdio.h>\\nint main(void) { puts(brazier_version()); }\\n' > v.c
            gcc v.c $(pkg-config --cflags --libs brazier) -o v
            [ "brazier $(./v)" = "$(brazier --version)" ]""")
        self.inside(f"dpkg --purge {' '.join(NAMES)}")
        self.assertEqual(set(), self.files())


if __name__ == "__main__":
    unittest.main(verbosity=1)
