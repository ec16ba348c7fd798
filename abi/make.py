#!/usr/bin/env python3
"""Records the plug-in ABI: its types in abi/vMAJOR.abi and, for Rust, in sdk/rust/src/abi.rs, and a copy of the
headers in abi/vMAJOR.MINOR/include.

A recorded minor is never overwritten: a change of the ABI raises BRZ_ABI_MINOR first.

usage: make.py          (./dev abi)
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import rust_types  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
INCLUDE = HERE.parent / "sdk" / "include"

# Leaves out paths and compilers, which are not part of the ABI.
ABIDW = ["abidw", "--no-corpus-path", "--no-comp-dir-path", "--no-show-locs", "--no-elf-needed",
         "--type-id-style", "hash"]


def version_of(include):
    """(major, minor) of a folder of headers."""
    text = (include / "brazier" / "base.h").read_text()
    return tuple(int(re.search(rf"^#define BRZ_ABI_{word} (\d+)$", text, re.M)[1])
                 for word in ("MAJOR", "MINOR"))


def build_probe(include, folder):
    """The probe, compiled with the headers in `include`."""
    probe = folder / "probe.so"
    subprocess.run(["gcc", "-std=c11", "-g", "-O0", "-shared", "-fPIC", f"-I{include}",
                    f"-ffile-prefix-map={HERE.parent}=.", str(HERE / "probe.c"), "-o", str(probe)],
                   check=True)
    return probe


def write_abi(include, to):
    """Writes what abidw makes of the headers in `include`."""
    with tempfile.TemporaryDirectory() as folder:
        probe = build_probe(include, pathlib.Path(folder))
        subprocess.run([*ABIDW, "--headers-dir", str(include), "--out-file", str(to), str(probe)],
                       check=True)


def main():
    major, minor = version_of(INCLUDE)
    copy = HERE / f"v{major}.{minor}" / "include"
    if copy.exists():
        print(f"make.py: ABI {major}.{minor} is recorded already: raise BRZ_ABI_MINOR first",
              file=sys.stderr)
        return 1
    write_abi(INCLUDE, HERE / f"v{major}.abi")
    print(f"recorded the types in abi/v{major}.abi")
    rust_types.main()
    shutil.copytree(INCLUDE, copy)
    print(f"copied the headers to abi/v{major}.{minor}/include")
    return 0


if __name__ == "__main__":
    sys.exit(main())
