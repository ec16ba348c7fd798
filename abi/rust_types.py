#!/usr/bin/env python3
"""Writes the types and constants of the plug-in ABI in Rust, sdk/rust/src/abi.rs, from the layout table.

usage: rust_types.py          (a part of make.py)
"""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "tests" / "sdk" / "abi_layout.c"
RUST = ROOT / "sdk" / "rust" / "src" / "abi.rs"

HEADING = """// SPDX-License-Identifier: MIT
//! Types and constants of brazier's plug-in ABI. `abi/make.py` writes this file from the layout table,
//! `tests/sdk/abi_layout.c`; the headers in `sdk/include/brazier` document each member.
//!
//! Members that the plug-in fills in are empty in `NEW`, except for sizes. Functions that it provides are optional;
//! services of the host are not.
#![allow(non_camel_case_types)]

use core::ffi::c_void;
use core::mem::size_of;
use core::ptr::null;
"""

NAMES = {"char": "u8", "void": "c_void", "bool": "bool", "size_t": "usize", "double": "f64",
         **{f"{u}int{bits}_t": f"{u or 'i'}{bits}" for u in ("", "u") for bits in (8, 16, 32, 64)}}
KEYWORDS = {"type": "r#type", "self": "self_"}
NUMBERS = {"brz_rc": "i32", "brz_frame": "u32", "brz_stack": "u32", "brz_tag": "u32"}
# Structs whose functions the host provides.
PROVIDED = re.compile(r"brz_(\w+_host|sink|legend|option_faults)$")
# Other structs that the host alone fills in.
READ = re.compile(r"brz_(\w+_ctx|ctx|\w+_info|input_desc|node|change|tree|stack_edit|chunk|head|color_in)$")


def pointer(text):
    """The type of a value, "const brz_str *", in Rust."""
    text = text.strip()
    if text.endswith("*"):
        inner = text[:-1].strip()
        is_const = inner.startswith("const ") if "*" not in inner else inner.endswith("const")
        return ("*const " if is_const else "*mut ") + pointer(re.sub(r"\*\s*const$", "*", inner))
    text = re.sub(r"^const ", "", text)
    return NAMES.get(text, text)


def parameter(text):
    """The type of "const brz_chunk *chunk", "uint32_t colors[2]" or "brz_ctx *"."""
    text = re.sub(r"(\w+)\[\d+\]$", r"*\1", text.strip())
    named = re.match(r"(.*(?:\*|\s))(\w+)$", text)
    return pointer(named[1] if named and named[1].strip() not in ("", "const") else text)


def function(text):
    result, parameters = re.match(r"(.*?)\s*\(\*\)\((.*)\)$", text, re.S).groups()
    result = pointer(result)
    ending = "" if result == "c_void" else f" -> {result}"
    return f"unsafe extern \"C\" fn({', '.join(map(parameter, parameters.split(',')))}){ending}"


def member_type(struct, text, n):
    if "(*)" in text:
        return function(text) if PROVIDED.match(struct) else f"Option<{function(text)}>"
    return f"[{pointer(text)}; {n}]" if n else pointer(text)


def empty(struct, member, kind):
    """The value of a member in NEW."""
    sizes = {"struct_size": struct, "option_size": "brz_option", "magic_size": "brz_magic", "label_size": "brz_label",
             "pair_size": "brz_pair"}
    if member in sizes:
        return f"size_of::<{sizes[member]}>() as u32"
    if kind.startswith("Option<"):
        return "None"
    if kind.startswith("*"):
        return "null()" if kind.startswith("*const") else f"null::<{kind.split(' ', 1)[1]}>() as {kind}"
    if kind.startswith("["):
        return "[0; %s]" % kind.rstrip("]").split("; ")[1]
    return f"{kind}::NEW" if kind.startswith("brz_") and kind not in NUMBERS else {"bool": "false", "f64": "0.0"}.get(kind, "0")


def structs(table):
    """Yields (name, size, [(member, type)]) of each struct, and requires their members in the order of offsets."""
    found = {}
    rows = re.findall(r"^(SIZE|AT|AT_ARRAY)\((\w+), (.*?)\);$", table, re.M | re.S)
    for row, name, rest in rows:
        if row == "SIZE":
            found[name] = (int(rest), [])
            continue
        member, offset, kind = re.match(r"(\w+), (\d+),\s*(.*)", " ".join(rest.split())).groups()
        kind, n = (kind.rsplit(", ", 1) if row == "AT_ARRAY" else (kind, None))
        found[name][1].append((int(offset), member, member_type(name, kind, n)))
    for name, (size, members) in found.items():
        assert members == sorted(members, key=lambda m: m[0]), name
        yield name, size, [(member, kind) for _, member, kind in members]


def rust_struct(name, size, members):
    def word(member):
        return KEYWORDS.get(member, member)
    lines = ["", "#[repr(C)]", "#[derive(Clone, Copy)]", f"pub struct {name} {{"]
    lines += [f"    pub {word(m)}: {kind}," for m, kind in members]
    lines += ["}", f"const _: () = assert!(size_of::<{name}>() == {size});"]
    if not PROVIDED.match(name) and not READ.match(name):
        values = ", ".join(f"{word(m)}: {empty(name, m, kind)}" for m, kind in members)
        lines += [f"impl {name} {{", f"    pub const NEW: Self = Self {{ {values} }};", "}"]
    return lines


def constant(name, value):
    value = value.strip("()")
    kind = "u32" if value == "UINT32_MAX" or re.search(r"\du\b", value) else "i32"
    if value.startswith("'"):
        return f"pub const {name}: u8 = b{value};"
    return f"pub const {name}: {kind} = {re.sub(r'(?<=[0-9a-f])u', '', value).replace('UINT32_MAX', 'u32::MAX')};"


def text_of():
    table = re.sub(r"/\*.*?\*/", "", TABLE.read_text(), flags=re.S)
    lines = [HEADING, *(f"pub type {name} = {kind};" for name, kind in NUMBERS.items())]
    for name, size, members in structs(table):
        lines += rust_struct(name, size, members)
    lines += ["", *(constant(*row) for row in re.findall(r"^VALUE\((\w+), (.*)\);$", table, re.M))]
    return "\n".join(lines) + "\n"


def main():
    RUST.parent.mkdir(parents=True, exist_ok=True)
    RUST.write_text(text_of())
    print(f"wrote {RUST.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
