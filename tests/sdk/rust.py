#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the crate for plug-ins in Rust, sdk/rust: it has the layout of the interface, and plug-ins that use it work.

usage: rust.py
"""
import os
import re
import shutil
import subprocess
import sys
import unittest

from common import BUILD, EFFORT, ENTRY, SOURCE, Case, main

sys.path.insert(0, str(SOURCE / "abi"))
import rust_types  # noqa: E402

CRATE = SOURCE / "sdk" / "rust"
STEPS = "main > load > parse: 12.5\nmain > draw: 3\r\n\nmain > load > parse: 0.25"
FOLDED = "main;draw 3000000\nmain;load;parse 12750000\n"
PROJECT = """[package]
name = "outside"
version = "0.1.0"
edition = "2021"
[lib]
crate-type = ["cdylib"]
[dependencies]
brazier-plugin = {{ path = "{crate}" }}
"""



def find_cargo():
    """Returns the folder of a cargo and a rustc that run, or None. Those of rustup need their owner's home."""
    for cargo in (shutil.which("cargo"), "/usr/bin/cargo"):
        folder = cargo and os.path.dirname(cargo)
        if folder and all(os.access(f"{folder}/{name}", os.X_OK) and
                          subprocess.run([f"{folder}/{name}", "--version"], capture_output=True).returncode == 0
                          for name in ("cargo", "rustc")):
            return folder
    return None


CARGO = find_cargo()


class Generated(unittest.TestCase):
    def test_its_types_are_those_of_the_layout_table(self):
        self.assertEqual(rust_types.text_of(), rust_types.RUST.read_text(), "run abi/make.py")

    def test_what_is_written_by_hand_is_short_and_has_no_dependencies(self):
        self.assertLessEqual(len((CRATE / "src/lib.rs").read_text().splitlines()), 300)
        self.assertNotIn("dependencies", (CRATE / "Cargo.toml").read_text())

    def test_the_entry_has_the_name_of_the_major(self):
        self.assertIn(f"pub static {ENTRY}:", (CRATE / "src/lib.rs").read_text())


@unittest.skipUnless(CARGO, "no cargo and rustc that run")
class Plugins(Case):
    def build(self, folder, *words):
        """Builds a project without the network. What cargo has built before stays in the build tree."""
        env = {**os.environ, "CARGO_TARGET_DIR": str(BUILD / "tests" / "rust"), "PATH": f"{CARGO}:{os.environ['PATH']}"}
        p = subprocess.run(["cargo", "build", "--offline", *words], cwd=folder, env=env, capture_output=True, text=True)
        self.assertEqual(0, p.returncode, p.stderr)
        self.assertNotIn("warning:", p.stderr)
        return BUILD / "tests" / "rust"

    def steps(self):
        # cargo writes Cargo.lock beside the manifest.
        crate = BUILD / "tests" / "rust-crate"
        shutil.copytree(CRATE, crate, dirs_exist_ok=True)
        built = self.build(crate, "--release", "--example", "steps")
        return self.install(built / "release/examples/libsteps.so", "collapse-steps.so")

    def collapse(self, plugin, text, *words):
        path = self.write("in.txt", text)
        return self.brazier("--no-config", "collapse", "guess", path, "--plugin", plugin, *words)

    def test_the_example_reads_its_format_however_it_is_divided(self):
        plugin = self.steps()
        for words in ([], ["--chunk-size", "16"], ["-j3", "--range-size", "8"], ["--isolate"]):
            p = self.collapse(plugin, STEPS, *words)
            self.assertEqual((0, FOLDED, ""), (p.returncode, p.stdout, p.stderr), words)
        p = self.brazier("--no-config", "collapse", "steps", self.write("odd.txt", "main > a: 1\nodd\n"), "--plugin", plugin)
        self.assertEqual((0, "main;a 1000000\n"), (p.returncode, p.stdout))
        self.assertIn("odd.txt:2:1: warning: not a step: left out", p.stderr)

    def test_the_example_exports_its_entry_alone_and_keeps_the_contract(self):
        plugin = self.steps()
        shown = subprocess.run(["nm", "-D", "--defined-only", plugin], capture_output=True, text=True).stdout
        self.assertEqual([ENTRY], re.findall(r"\S+$", shown, re.M))
        self.write("samples/a.txt", STEPS)
        self.write("samples/a.folded", FOLDED)
        p = self.brazier("plugin", "check", plugin, "--samples", self.dir / "samples", "--effort", EFFORT, "--quiet",
                         timeout=300)
        self.assertEqual(0, p.returncode, p.stdout + p.stderr)

    def test_a_panic_in_a_project_elsewhere_fails_the_run_with_a_message(self):
        project = BUILD / "tests" / "rust-project"
        text = (CRATE / "examples/steps/main.rs").read_text()
        pushes = "self.frames.push(host.frame(trim(name)));"
        self.assertIn(pushes, text)
        (project / "src").mkdir(parents=True, exist_ok=True)
        (project / "Cargo.toml").write_text(PROJECT.format(crate=CRATE))
        (project / "src/lib.rs").write_text(text.replace(pushes, f'assert!(trim(name) != b"panic"); {pushes}'))
        plugin = self.install(self.build(project) / "debug/liboutside.so", "collapse-steps.so")
        p = self.collapse(plugin, STEPS)
        self.assertEqual((0, FOLDED), (p.returncode, p.stdout), p.stderr)
        p = self.collapse(plugin, "main > panic: 1\n")
        self.assertEqual((1, ""), (p.returncode, p.stdout))
        self.assertIn("error: the plug-in panicked", p.stderr)


if __name__ == "__main__":
    main()
