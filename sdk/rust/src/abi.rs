// SPDX-License-Identifier: MIT
//! Types and constants of brazier's plug-in ABI. `abi/make.py` writes this file from the layout table,
//! `tests/sdk/abi_layout.c`; the headers in `sdk/include/brazier` document each member.
//!
//! Members that the plug-in fills in are empty in `NEW`, except for sizes. Functions that it provides are optional;
//! services of the host are not.
#![allow(non_camel_case_types)]

use core::ffi::c_void;
use core::mem::size_of;
use core::ptr::null;

pub type brz_rc = i32;
pub type brz_frame = u32;
pub type brz_stack = u32;
pub type brz_tag = u32;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct brz_str {
    pub data: *const u8,
    pub len: usize,
}
const _: () = assert!(size_of::<brz_str>() == 16);
impl brz_str {
    pub const NEW: Self = Self { data: null(), len: 0 };
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct brz_strlist {
    pub items: *const brz_str,
    pub count: usize,
}
const _: () = assert!(size_of::<brz_strlist>() == 16);
impl brz_strlist {
    pub const NEW: Self = Self { items: null(), count: 0 };
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct brz_option {
    pub name: *const u8,
    pub r#type: u32,
    pub flags: u32,
    pub offset: usize,
    pub dflt: *const u8,
    pub help: *const u8,
    pub choices: *const *const u8,
    pub range: *const u8,
}
const _: () = assert!(size_of::<brz_option>() == 56);
impl brz_option {
    pub const NEW: Self = Self { name: null(), r#type: 0, flags: 0, offset: 0, dflt: null(), help: null(), choices: null(), range: null() };
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct brz_option_faults {
    pub struct_size: u32,
    pub reserved: u32,
    pub add: unsafe extern "C" fn(*mut brz_option_faults, *const u8, u64, brz_str),
}
const _: () = assert!(size_of::<brz_option_faults>() == 16);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct brz_input_desc {
    pub struct_size: u32,
    pub index: u32,
    pub name: brz_str,
    pub size: u64,
}
const _: () = assert!(size_of::<brz_input_desc>() == 32);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct brz_ctx {
    pub struct_size: u32,
    pub index: u32,
    pub host: *const brz_collapser_host,
    pub cfg: *const c_void,
    pub inst: *mut c_void,
    pub seed: u64,
    pub prelude_data: *const c_void,
    pub flags: u32,
    pub reserved: u32,
    pub input: *const brz_input_desc,
}
const _: () = assert!(size_of::<brz_ctx>() == 64);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct brz_diag {
    pub struct_size: u32,
    pub severity: i32,
    pub code: *const u8,
    pub at: *const c_void,
    pub len: usize,
    pub msg: brz_str,
    pub count: u64,
    pub records: u64,
    pub weighed: u64,
    pub missing: i64,
    pub byte_number: u64,
}
const _: () = assert!(size_of::<brz_diag>() == 88);
impl brz_diag {
    pub const NEW: Self = Self { struct_size: size_of::<brz_diag>() as u32, severity: 0, code: null(), at: null(), len: 0, msg: brz_str::NEW, count: 0, records: 0, weighed: 0, missing: 0, byte_number: 0 };
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct brz_frame_desc {
    pub struct_size: u32,
    pub kind: u32,
    pub name: brz_str,
    pub module: brz_str,
    pub file: brz_str,
    pub line: u32,
    pub column: u32,
    pub flags: u32,
    pub first_line: u32,
    pub address: u64,
    pub system_name: brz_str,
    pub build_id: brz_str,
}
const _: () = assert!(size_of::<brz_frame_desc>() == 112);
impl brz_frame_desc {
    pub const NEW: Self = Self { struct_size: size_of::<brz_frame_desc>() as u32, kind: 0, name: brz_str::NEW, module: brz_str::NEW, file: brz_str::NEW, line: 0, column: 0, flags: 0, first_line: 0, address: 0, system_name: brz_str::NEW, build_id: brz_str::NEW };
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct brz_column_desc {
    pub struct_size: u32,
    pub decimals: u32,
    pub name: brz_str,
    pub unit: brz_str,
    pub flags: u32,
    pub reserved: u32,
}
const _: () = assert!(size_of::<brz_column_desc>() == 48);
impl brz_column_desc {
    pub const NEW: Self = Self { struct_size: size_of::<brz_column_desc>() as u32, decimals: 0, name: brz_str::NEW, unit: brz_str::NEW, flags: 0, reserved: 0 };
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct brz_count {
    pub stack: brz_stack,
    pub column: u32,
    pub value: i64,
    pub tag: brz_tag,
    pub flags: u32,
    pub time: i64,
}
const _: () = assert!(size_of::<brz_count>() == 32);
impl brz_count {
    pub const NEW: Self = Self { stack: 0, column: 0, value: 0, tag: 0, flags: 0, time: 0 };
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct brz_values {
    pub struct_size: u32,
    pub flags: u32,
    pub values: *const i64,
    pub n_values: usize,
    pub time: i64,
    pub tag: brz_tag,
    pub reserved: u32,
}
const _: () = assert!(size_of::<brz_values>() == 40);
impl brz_values {
    pub const NEW: Self = Self { struct_size: size_of::<brz_values>() as u32, flags: 0, values: null(), n_values: 0, time: 0, tag: 0, reserved: 0 };
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct brz_legend {
    pub struct_size: u32,
    pub reserved: u32,
    pub add: unsafe extern "C" fn(*mut brz_legend, u32, brz_str),
}
const _: () = assert!(size_of::<brz_legend>() == 16);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct brz_related_file {
    pub struct_size: u32,
    pub reserved: u32,
    pub data: *const u8,
    pub len: usize,
    pub path: brz_str,
}
const _: () = assert!(size_of::<brz_related_file>() == 40);
impl brz_related_file {
    pub const NEW: Self = Self { struct_size: size_of::<brz_related_file>() as u32, reserved: 0, data: null(), len: 0, path: brz_str::NEW };
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct brz_collapser_host {
    pub struct_size: u32,
    pub abi_major: u16,
    pub abi_minor: u16,
    pub name: *const u8,
    pub version: *const u8,
    pub alloc: unsafe extern "C" fn(*mut brz_ctx, usize, usize) -> *mut c_void,
    pub log: unsafe extern "C" fn(*mut brz_ctx, i32, brz_str),
    pub diag: unsafe extern "C" fn(*mut brz_ctx, *const brz_diag),
    pub stopped: unsafe extern "C" fn(*mut brz_ctx) -> bool,
    pub extension: unsafe extern "C" fn(*mut brz_ctx, *const u8) -> *const c_void,
    pub intern: unsafe extern "C" fn(*mut brz_ctx, *const u8, usize) -> brz_frame,
    pub frame: unsafe extern "C" fn(*mut brz_ctx, *const brz_frame_desc) -> brz_frame,
    pub column: unsafe extern "C" fn(*mut brz_ctx, *const brz_column_desc) -> u32,
    pub decimals: unsafe extern "C" fn(*mut brz_ctx, u32, u32),
    pub emit: unsafe extern "C" fn(*mut brz_ctx, *const brz_frame, usize, i64, u32) -> brz_rc,
    pub sample: unsafe extern "C" fn(*mut brz_ctx, *const brz_frame, usize, u32, *const brz_values) -> brz_rc,
    pub stack: unsafe extern "C" fn(*mut brz_ctx, *const brz_frame, usize, u32, *mut *const brz_frame) -> brz_stack,
    pub add: unsafe extern "C" fn(*mut brz_ctx, *const brz_count, usize, usize) -> brz_rc,
    pub enter: unsafe extern "C" fn(*mut brz_ctx, u64, brz_frame, *const brz_values) -> brz_rc,
    pub leave: unsafe extern "C" fn(*mut brz_ctx, u64, *const brz_values) -> brz_rc,
    pub tag: unsafe extern "C" fn(*mut brz_ctx, *const brz_tag_desc) -> brz_tag,
    pub metadata: unsafe extern "C" fn(*mut brz_ctx, *const brz_metadata),
    pub open_related: unsafe extern "C" fn(*mut brz_ctx, brz_str, u32, *mut brz_related_file) -> i32,
    pub in_order: unsafe extern "C" fn(*mut brz_ctx),
    pub load: unsafe extern "C" fn(*mut brz_ctx, brz_str, brz_str, *mut brz_str) -> bool,
    pub save: unsafe extern "C" fn(*mut brz_ctx, brz_str, brz_str, brz_str),
}
const _: () = assert!(size_of::<brz_collapser_host>() == 192);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct brz_label {
    pub key: brz_str,
    pub text: brz_str,
    pub unit: brz_str,
    pub number: i64,
    pub flags: u32,
    pub decimals: u32,
}
const _: () = assert!(size_of::<brz_label>() == 64);
impl brz_label {
    pub const NEW: Self = Self { key: brz_str::NEW, text: brz_str::NEW, unit: brz_str::NEW, number: 0, flags: 0, decimals: 0 };
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct brz_tag_desc {
    pub struct_size: u32,
    pub flags: u32,
    pub process: i64,
    pub thread: i64,
    pub cpu: u32,
    pub label_size: u32,
    pub process_name: brz_str,
    pub thread_name: brz_str,
    pub labels: *const brz_label,
    pub n_labels: u32,
    pub reserved: u32,
}
const _: () = assert!(size_of::<brz_tag_desc>() == 80);
impl brz_tag_desc {
    pub const NEW: Self = Self { struct_size: size_of::<brz_tag_desc>() as u32, flags: 0, process: 0, thread: 0, cpu: 0, label_size: size_of::<brz_label>() as u32, process_name: brz_str::NEW, thread_name: brz_str::NEW, labels: null(), n_labels: 0, reserved: 0 };
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct brz_pair {
    pub key: brz_str,
    pub value: brz_str,
}
const _: () = assert!(size_of::<brz_pair>() == 32);
impl brz_pair {
    pub const NEW: Self = Self { key: brz_str::NEW, value: brz_str::NEW };
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct brz_metadata {
    pub struct_size: u32,
    pub pair_size: u32,
    pub start: i64,
    pub clock_start: i64,
    pub duration: i64,
    pub period: i64,
    pub period_name: brz_str,
    pub period_unit: brz_str,
    pub producer: brz_str,
    pub command: brz_str,
    pub host: brz_str,
    pub architecture: brz_str,
    pub comments: *const brz_str,
    pub pairs: *const brz_pair,
    pub n_comments: u64,
    pub n_pairs: u64,
    pub of: *const brz_tag_desc,
}
const _: () = assert!(size_of::<brz_metadata>() == 176);
impl brz_metadata {
    pub const NEW: Self = Self { struct_size: size_of::<brz_metadata>() as u32, pair_size: size_of::<brz_pair>() as u32, start: 0, clock_start: 0, duration: 0, period: 0, period_name: brz_str::NEW, period_unit: brz_str::NEW, producer: brz_str::NEW, command: brz_str::NEW, host: brz_str::NEW, architecture: brz_str::NEW, comments: null(), pairs: null(), n_comments: 0, n_pairs: 0, of: null() };
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct brz_chunk {
    pub struct_size: u32,
    pub flags: u32,
    pub data: *const u8,
    pub len: usize,
    pub offset: u64,
}
const _: () = assert!(size_of::<brz_chunk>() == 32);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct brz_head {
    pub struct_size: u32,
    pub flags: u32,
    pub data: *const u8,
    pub len: usize,
    pub name: brz_str,
    pub raw: *const u8,
    pub raw_len: usize,
}
const _: () = assert!(size_of::<brz_head>() == 56);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct brz_magic {
    pub offset: u32,
    pub len: u32,
    pub bytes: *const c_void,
    pub score: i32,
    pub flags: u32,
}
const _: () = assert!(size_of::<brz_magic>() == 24);
impl brz_magic {
    pub const NEW: Self = Self { offset: 0, len: 0, bytes: null(), score: 0, flags: 0 };
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct brz_collapser {
    pub struct_size: u32,
    pub flags: u32,
    pub inst_size: usize,
    pub globs: *const *const u8,
    pub magics: *const brz_magic,
    pub n_magics: u32,
    pub magic_size: u32,
    pub sniff: Option<unsafe extern "C" fn(*const brz_head) -> i32>,
    pub prelude: Option<unsafe extern "C" fn(*mut brz_ctx, *const brz_chunk, *mut usize, *mut *const c_void) -> brz_rc>,
    pub boundary: Option<unsafe extern "C" fn(*const c_void, *const u8, usize, usize) -> usize>,
    pub open: Option<unsafe extern "C" fn(*mut brz_ctx) -> brz_rc>,
    pub parse: Option<unsafe extern "C" fn(*mut brz_ctx, *const brz_chunk, *mut usize) -> brz_rc>,
    pub merge: Option<unsafe extern "C" fn(*mut brz_ctx, *mut brz_ctx) -> brz_rc>,
    pub finish: Option<unsafe extern "C" fn(*mut brz_ctx) -> brz_rc>,
    pub close: Option<unsafe extern "C" fn(*mut brz_ctx)>,
    pub record_max: u64,
    pub offer: Option<unsafe extern "C" fn(*const u8) -> *const c_void>,
}
const _: () = assert!(size_of::<brz_collapser>() == 120);
impl brz_collapser {
    pub const NEW: Self = Self { struct_size: size_of::<brz_collapser>() as u32, flags: 0, inst_size: 0, globs: null(), magics: null(), n_magics: 0, magic_size: size_of::<brz_magic>() as u32, sniff: None, prelude: None, boundary: None, open: None, parse: None, merge: None, finish: None, close: None, record_max: 0, offer: None };
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct brz_frame_info {
    pub name: brz_str,
    pub module: brz_str,
    pub file: brz_str,
    pub line: u32,
    pub kind: u32,
    pub system_name: brz_str,
    pub build_id: brz_str,
    pub address: u64,
    pub column: u32,
    pub first_line: u32,
    pub flags: u32,
    pub reserved: u32,
}
const _: () = assert!(size_of::<brz_frame_info>() == 112);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct brz_node {
    pub frame: u32,
    pub parent: u32,
    pub subtree: u32,
    pub depth: u32,
    pub self_: i64,
    pub total: i64,
}
const _: () = assert!(size_of::<brz_node>() == 32);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct brz_change {
    pub before_self: i64,
    pub before_total: i64,
    pub after_self: i64,
    pub after_total: i64,
}
const _: () = assert!(size_of::<brz_change>() == 32);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct brz_stack_info {
    pub frames: *const brz_frame,
    pub n: u32,
    pub n_common: u32,
    pub values: *const i64,
}
const _: () = assert!(size_of::<brz_stack_info>() == 24);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct brz_column_info {
    pub name: brz_str,
    pub unit: brz_str,
    pub decimals: u32,
    pub flags: u32,
    pub total: i64,
}
const _: () = assert!(size_of::<brz_column_info>() == 48);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct brz_tag_info {
    pub flags: u32,
    pub cpu: u32,
    pub process: i64,
    pub thread: i64,
    pub process_name: brz_str,
    pub thread_name: brz_str,
    pub labels: *const brz_label,
    pub n_labels: u32,
    pub label_size: u32,
}
const _: () = assert!(size_of::<brz_tag_info>() == 72);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct brz_sample_info {
    pub time: i64,
    pub values: *const i64,
    pub stack: u32,
    pub tag: u32,
    pub flags: u32,
    pub reserved: u32,
}
const _: () = assert!(size_of::<brz_sample_info>() == 32);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct brz_part_info {
    pub tag: *const brz_tag_info,
    pub metadata: *const brz_metadata,
}
const _: () = assert!(size_of::<brz_part_info>() == 16);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct brz_tree {
    pub struct_size: u32,
    pub frame_size: u32,
    pub node_size: u32,
    pub stack_size: u32,
    pub column_size: u32,
    pub change_size: u32,
    pub n_frames: u32,
    pub n_nodes: u32,
    pub n_stacks: u32,
    pub n_columns: u32,
    pub max_depth: u32,
    pub main_column: u32,
    pub before: u32,
    pub after: u32,
    pub flags: u32,
    pub n_tags: u32,
    pub frames: *const c_void,
    pub nodes: *const c_void,
    pub stacks: *const c_void,
    pub columns: *const c_void,
    pub changes: *const c_void,
    pub starts: *const i64,
    pub tag_size: u32,
    pub sample_size: u32,
    pub n_samples: u64,
    pub tags: *const c_void,
    pub samples: *const c_void,
    pub metadata: *const brz_metadata,
    pub counts: *const i64,
    pub parts: *const c_void,
    pub n_parts: u32,
    pub part_size: u32,
}
const _: () = assert!(size_of::<brz_tree>() == 176);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct brz_color_in {
    pub struct_size: u32,
    pub reserved: u32,
    pub frame: *const brz_frame_info,
    pub node: *const brz_node,
    pub tree: *const brz_tree,
    pub delta: f64,
    pub seed: u64,
}
const _: () = assert!(size_of::<brz_color_in>() == 48);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct brz_palette_ctx {
    pub struct_size: u32,
    pub index: u32,
    pub host: *const brz_palette_host,
    pub cfg: *const c_void,
    pub inst: *mut c_void,
    pub seed: u64,
}
const _: () = assert!(size_of::<brz_palette_ctx>() == 40);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct brz_palette_host {
    pub struct_size: u32,
    pub abi_major: u16,
    pub abi_minor: u16,
    pub name: *const u8,
    pub version: *const u8,
    pub alloc: unsafe extern "C" fn(*mut brz_palette_ctx, usize, usize) -> *mut c_void,
    pub log: unsafe extern "C" fn(*mut brz_palette_ctx, i32, brz_str),
    pub diag: unsafe extern "C" fn(*mut brz_palette_ctx, *const brz_diag),
    pub stopped: unsafe extern "C" fn(*mut brz_palette_ctx) -> bool,
    pub extension: unsafe extern "C" fn(*mut brz_palette_ctx, *const u8) -> *const c_void,
}
const _: () = assert!(size_of::<brz_palette_host>() == 64);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct brz_palette {
    pub struct_size: u32,
    pub depends: u32,
    pub inst_size: usize,
    pub background: [u32; 2],
    pub prepare: Option<unsafe extern "C" fn(*mut brz_palette_ctx, *const brz_tree) -> brz_rc>,
    pub color: Option<unsafe extern "C" fn(*const brz_palette_ctx, *const brz_color_in) -> u32>,
    pub legend: Option<unsafe extern "C" fn(*mut brz_palette_ctx, *const brz_tree, *mut brz_legend)>,
    pub close: Option<unsafe extern "C" fn(*mut brz_palette_ctx)>,
}
const _: () = assert!(size_of::<brz_palette>() == 56);
impl brz_palette {
    pub const NEW: Self = Self { struct_size: size_of::<brz_palette>() as u32, depends: 0, inst_size: 0, background: [0; 2], prepare: None, color: None, legend: None, close: None };
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct brz_sink {
    pub struct_size: u32,
    pub columns: u32,
    pub write: unsafe extern "C" fn(*mut brz_sink, *const c_void, usize) -> brz_rc,
}
const _: () = assert!(size_of::<brz_sink>() == 16);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct brz_output_ctx {
    pub struct_size: u32,
    pub index: u32,
    pub host: *const brz_output_host,
    pub cfg: *const c_void,
    pub inst: *mut c_void,
    pub seed: u64,
}
const _: () = assert!(size_of::<brz_output_ctx>() == 40);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct brz_output_host {
    pub struct_size: u32,
    pub abi_major: u16,
    pub abi_minor: u16,
    pub name: *const u8,
    pub version: *const u8,
    pub alloc: unsafe extern "C" fn(*mut brz_output_ctx, usize, usize) -> *mut c_void,
    pub log: unsafe extern "C" fn(*mut brz_output_ctx, i32, brz_str),
    pub diag: unsafe extern "C" fn(*mut brz_output_ctx, *const brz_diag),
    pub stopped: unsafe extern "C" fn(*mut brz_output_ctx) -> bool,
    pub extension: unsafe extern "C" fn(*mut brz_output_ctx, *const u8) -> *const c_void,
    pub color: unsafe extern "C" fn(*mut brz_output_ctx, *const brz_tree, u32) -> u32,
    pub background: unsafe extern "C" fn(*mut brz_output_ctx, *mut u32),
    pub legend: unsafe extern "C" fn(*mut brz_output_ctx, *const brz_tree, *mut brz_legend),
}
const _: () = assert!(size_of::<brz_output_host>() == 88);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct brz_output {
    pub struct_size: u32,
    pub flags: u32,
    pub inst_size: usize,
    pub media_type: *const u8,
    pub endings: *const *const u8,
    pub write: Option<unsafe extern "C" fn(*mut brz_output_ctx, *const brz_tree, *mut brz_sink) -> brz_rc>,
    pub close: Option<unsafe extern "C" fn(*mut brz_output_ctx)>,
    pub offer: Option<unsafe extern "C" fn(*const u8) -> *const c_void>,
}
const _: () = assert!(size_of::<brz_output>() == 56);
impl brz_output {
    pub const NEW: Self = Self { struct_size: size_of::<brz_output>() as u32, flags: 0, inst_size: 0, media_type: null(), endings: null(), write: None, close: None, offer: None };
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct brz_transform_ctx {
    pub struct_size: u32,
    pub index: u32,
    pub host: *const brz_transform_host,
    pub cfg: *const c_void,
    pub inst: *mut c_void,
    pub seed: u64,
}
const _: () = assert!(size_of::<brz_transform_ctx>() == 40);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct brz_transform_host {
    pub struct_size: u32,
    pub abi_major: u16,
    pub abi_minor: u16,
    pub name: *const u8,
    pub version: *const u8,
    pub alloc: unsafe extern "C" fn(*mut brz_transform_ctx, usize, usize) -> *mut c_void,
    pub log: unsafe extern "C" fn(*mut brz_transform_ctx, i32, brz_str),
    pub diag: unsafe extern "C" fn(*mut brz_transform_ctx, *const brz_diag),
    pub stopped: unsafe extern "C" fn(*mut brz_transform_ctx) -> bool,
    pub extension: unsafe extern "C" fn(*mut brz_transform_ctx, *const u8) -> *const c_void,
    pub intern: unsafe extern "C" fn(*mut brz_transform_ctx, *const u8, usize) -> brz_frame,
    pub frame: unsafe extern "C" fn(*mut brz_transform_ctx, *const brz_frame_desc) -> brz_frame,
    pub open_related: unsafe extern "C" fn(*mut brz_transform_ctx, brz_str, u32, *mut brz_related_file) -> i32,
}
const _: () = assert!(size_of::<brz_transform_host>() == 88);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct brz_stack_edit {
    pub struct_size: u32,
    pub n: u32,
    pub frames: *const brz_frame,
    pub values: *const i64,
    pub n_common: u32,
    pub reserved: u32,
}
const _: () = assert!(size_of::<brz_stack_edit>() == 32);

#[repr(C)]
#[derive(Clone, Copy)]
pub struct brz_transform {
    pub struct_size: u32,
    pub flags: u32,
    pub inst_size: usize,
    pub open: Option<unsafe extern "C" fn(*mut brz_transform_ctx, *const brz_tree) -> brz_rc>,
    pub apply: Option<unsafe extern "C" fn(*mut brz_transform_ctx, *const brz_tree, *mut brz_stack_edit) -> brz_rc>,
    pub close: Option<unsafe extern "C" fn(*mut brz_transform_ctx)>,
}
const _: () = assert!(size_of::<brz_transform>() == 40);
impl brz_transform {
    pub const NEW: Self = Self { struct_size: size_of::<brz_transform>() as u32, flags: 0, inst_size: 0, open: None, apply: None, close: None };
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct brz_component {
    pub struct_size: u32,
    pub kind: u32,
    pub id: *const u8,
    pub summary: *const u8,
    pub help: *const u8,
    pub options: *const brz_option,
    pub n_options: u32,
    pub option_size: u32,
    pub cfg_size: usize,
    pub vtable: *const c_void,
    pub validate: Option<unsafe extern "C" fn(*const c_void, *mut brz_option_faults)>,
}
const _: () = assert!(size_of::<brz_component>() == 72);
impl brz_component {
    pub const NEW: Self = Self { struct_size: size_of::<brz_component>() as u32, kind: 0, id: null(), summary: null(), help: null(), options: null(), n_options: 0, option_size: size_of::<brz_option>() as u32, cfg_size: 0, vtable: null(), validate: None };
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct brz_plugin {
    pub magic: u32,
    pub struct_size: u32,
    pub abi_major: u16,
    pub abi_minor: u16,
    pub flags: u32,
    pub name: *const u8,
    pub version: *const u8,
    pub license: *const u8,
    pub bugs_url: *const u8,
    pub components: *const *const brz_component,
    pub sdk_version: u32,
    pub reserved: u32,
}
const _: () = assert!(size_of::<brz_plugin>() == 64);
impl brz_plugin {
    pub const NEW: Self = Self { magic: 0, struct_size: size_of::<brz_plugin>() as u32, abi_major: 0, abi_minor: 0, flags: 0, name: null(), version: null(), license: null(), bugs_url: null(), components: null(), sdk_version: 0, reserved: 0 };
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct brz_plugin_note {
    pub name_size: u32,
    pub desc_size: u32,
    pub r#type: u32,
    pub name: [u8; 8],
    pub major: u32,
    pub minor: u32,
    pub sdk: u32,
}
const _: () = assert!(size_of::<brz_plugin_note>() == 32);
impl brz_plugin_note {
    pub const NEW: Self = Self { name_size: 0, desc_size: 0, r#type: 0, name: [0; 8], major: 0, minor: 0, sdk: 0 };
}

pub const BRZ_TREE_SELF_DELTAS: u32 = 1;
pub const BRZ_TREE_TIME_ORDER: u32 = 2;
pub const BRZ_TREE_SAMPLES_IN_TIME: u32 = 4;
pub const BRZ_TREE_SIGNED: u32 = 8;
pub const BRZ_ABI_MAJOR: i32 = 1;
pub const BRZ_ABI_MINOR: i32 = 0;
pub const BRZ_TARGET_MINOR: i32 = 0;
pub const BRZ_SDK_VERSION: u32 = 1000;
pub const BRZ_OK: i32 = 0;
pub const BRZ_STOP: i32 = 1;
pub const BRZ_ERROR: i32 = 2;
pub const BRZ_NO_FRAME: u32 = u32::MAX;
pub const BRZ_NO_TAG: u32 = 0;
pub const BRZ_KIND_OTHER: u32 = 0;
pub const BRZ_KIND_PROCESS: u32 = 1;
pub const BRZ_KIND_USER: u32 = 2;
pub const BRZ_KIND_KERNEL: u32 = 3;
pub const BRZ_FRAME_INLINED: u32 = 1;
pub const BRZ_FRAME_JIT: u32 = 2;
pub const BRZ_FRAME_WAKER: u32 = 4;
pub const BRZ_CATEGORY_OTHER: u32 = 0;
pub const BRZ_CATEGORY_PROCESS: u32 = 1;
pub const BRZ_CATEGORY_USER: u32 = 2;
pub const BRZ_CATEGORY_KERNEL: u32 = 3;
pub const BRZ_CATEGORY_JIT: u32 = 4;
pub const BRZ_CATEGORY_INLINED: u32 = 5;
pub const BRZ_CATEGORY_WAKER: u32 = 6;
pub const BRZ_OPTION_BOOL: u32 = 1;
pub const BRZ_OPTION_INT: u32 = 2;
pub const BRZ_OPTION_REAL: u32 = 3;
pub const BRZ_OPTION_STR: u32 = 4;
pub const BRZ_OPTION_ENUM: u32 = 5;
pub const BRZ_OPTION_SIZE: u32 = 6;
pub const BRZ_OPTION_DURATION: u32 = 7;
pub const BRZ_OPTION_COLOR: u32 = 8;
pub const BRZ_OPTION_LIST: u32 = 9;
pub const BRZ_OPTION_REQUIRED: u32 = 1;
pub const BRZ_OPTION_DEPRECATED: u32 = 2;
pub const BRZ_OPTION_HIDDEN: u32 = 4;
pub const BRZ_OPTION_PATH: u32 = 8;
pub const BRZ_OPTION_MAPS: u32 = 16;
pub const BRZ_OPTION_PERCENT_OR_PIXELS: u32 = 32;
pub const BRZ_OPTION_NETWORK: u32 = 64;
pub const BRZ_CTX_WANTS_ORDER: u32 = 1;
pub const BRZ_CTX_WANTS_TAGS: u32 = 2;
pub const BRZ_CTX_WANTS_TIME: u32 = 4;
pub const BRZ_CTX_WANTS_ADDRESSES: u32 = 8;
pub const BRZ_CTX_WANTS_LINES: u32 = 16;
pub const BRZ_CTX_DROPS_ADDRESSES: u32 = 32;
pub const BRZ_CTX_CONFINED: u32 = 64;
pub const BRZ_FATAL: i32 = 0;
pub const BRZ_WARNING: i32 = 1;
pub const BRZ_NOTE: i32 = 2;
pub const BRZ_DEBUG: i32 = 3;
pub const BRZ_LEAF_FIRST: u32 = 1;
pub const BRZ_TIMED: u32 = 2;
pub const BRZ_SAME_SAMPLE: u32 = 8;
pub const BRZ_NESTED: u32 = 4;
pub const BRZ_COLUMN_DEFAULT: u32 = 1;
pub const BRZ_COLUMN_GAUGE: u32 = 2;
pub const BRZ_COLUMN_CLOCK: u32 = 4;
pub const BRZ_COLUMN_GROWTH: u32 = 8;
pub const BRZ_COLUMN_SAMPLES: u32 = 16;
pub const BRZ_COLUMN_BEFORE: u32 = 32;
pub const BRZ_COLUMN_AFTER: u32 = 64;
pub const BRZ_LABEL_NUMBER: u32 = 1;
pub const BRZ_TAG_PROCESS: u32 = 1;
pub const BRZ_TAG_THREAD: u32 = 2;
pub const BRZ_TAG_CPU: u32 = 4;
pub const BRZ_RELATED_BY_INPUT: u32 = 1;
pub const BRZ_RELATED_OPENED: i32 = 0;
pub const BRZ_RELATED_ABSENT: i32 = 1;
pub const BRZ_RELATED_REFUSED: i32 = 2;
pub const BRZ_PRELUDE_SIZE: u32 = 1 << 20;
pub const BRZ_RECORD_MAX: u32 = 64 << 20;
pub const BRZ_SLACK_FRONT: u32 = 4096;
pub const BRZ_SLACK_BACK: u32 = 64;
pub const BRZ_SPLITTABLE: u32 = 1;
pub const BRZ_WHOLE_INPUT: u32 = 2;
pub const BRZ_WHOLE_FILE: u32 = 16;
pub const BRZ_RAW: u32 = 4;
pub const BRZ_BINARY: u32 = 8;
pub const BRZ_MAGIC_RAW: u32 = 1;
pub const BRZ_CHUNK_RANGE_START: u32 = 1;
pub const BRZ_CHUNK_LAST: u32 = 2;
pub const BRZ_CHUNK_INPUT_START: u32 = 4;
pub const BRZ_SNIFF_NO: i32 = 0;
pub const BRZ_SNIFF_NAME: i32 = 20;
pub const BRZ_SNIFF_SHAPE: i32 = 40;
pub const BRZ_SNIFF_RECORDS: i32 = 70;
pub const BRZ_SNIFF_HEADER: i32 = 90;
pub const BRZ_SNIFF_MAGIC: i32 = 100;
pub const BRZ_NO_COLUMN: u32 = u32::MAX;
pub const BRZ_ON_NAME: u32 = 1;
pub const BRZ_ON_MODULE: u32 = 2;
pub const BRZ_ON_KIND: u32 = 4;
pub const BRZ_ON_SOURCE: u32 = 8;
pub const BRZ_ON_DEPTH: u32 = 16;
pub const BRZ_ON_VALUE: u32 = 32;
pub const BRZ_ON_SEED: u32 = 64;
pub const BRZ_ON_PATH: u32 = 128;
pub const BRZ_COLOR_NONE: u32 = 0;
pub const BRZ_OUTPUT_NODES: u32 = 1;
pub const BRZ_OUTPUT_STACKS: u32 = 2;
pub const BRZ_OUTPUT_COLOR: u32 = 4;
pub const BRZ_OUTPUT_LINE_ORDER: u32 = 8;
pub const BRZ_OUTPUT_TAGS: u32 = 16;
pub const BRZ_OUTPUT_TIME: u32 = 32;
pub const BRZ_OUTPUT_FUNCTIONS: u32 = 64;
pub const BRZ_OUTPUT_FRAMES: u32 = 128;
pub const BRZ_OUTPUT_COUNTS: u32 = 256;
pub const BRZ_TRANSFORM_VALUES: u32 = 1;
pub const BRZ_PLUGIN_MAGIC: u32 = 0x4e5a5242;
pub const BRZ_NOTE_TYPE: u32 = 1;
pub const BRZ_NOTE_HINTS: u32 = 2;
pub const BRZ_HINT_NAME: u8 = b'n';
pub const BRZ_HINT_BEGINS: u8 = b'b';
pub const BRZ_HINT_CONTAINS: u8 = b'c';
pub const BRZ_COLLAPSER: u32 = 1;
pub const BRZ_PALETTE: u32 = 2;
pub const BRZ_OUTPUT: u32 = 3;
pub const BRZ_TRANSFORM: u32 = 4;
pub const BRZ_DECODER: u32 = 5;
