// SPDX-License-Identifier: MIT
//! Plug-ins for brazier in Rust, without dependencies.
//!
//! [`Collapser`] is a trait whose methods get safe views of what the host passes; [`plugin!`] defines the entry from
//! a table of components. `abi` has the types of the interface itself, for palettes, outputs and all that the trait
//! lacks: `docs/plugin-abi.md` describes the contract, and the C headers each member.
//!
//! A panic fails the run with a message, and does not unwind into the host.
#![allow(clippy::missing_safety_doc)]

pub mod abi;

use abi::*;
use std::ffi::c_void;
use std::mem::size_of;
use std::panic::{catch_unwind, AssertUnwindSafe};

/// The run is ending: return it from the method.
#[derive(Debug, Clone, Copy)]
pub struct Ending(brz_rc);

pub type Result<T = ()> = std::result::Result<T, Ending>;

fn result_of(rc: brz_rc) -> Result {
    if rc == BRZ_OK { Ok(()) } else { Err(Ending(rc)) }
}

fn rc_of(result: Result) -> brz_rc {
    match result {
        Ok(()) => BRZ_OK,
        Err(Ending(rc)) => rc,
    }
}

/// Returns a view of bytes, which is valid as long as they are.
pub const fn str_of(bytes: &[u8]) -> brz_str {
    brz_str { data: bytes.as_ptr(), len: bytes.len() }
}

unsafe fn slice_of<'a, T>(data: *const T, n: usize) -> &'a [T] {
    if n == 0 { &[] } else { std::slice::from_raw_parts(data, n) }
}

/// Returns a diagnostic. `code` and the text are static; a plug-in adds other members.
fn diag_of(severity: i32, code: &'static [u8], msg: &'static str) -> brz_diag {
    assert!(code.last() == Some(&0), "a code ends with a zero byte");
    brz_diag { severity, code: code.as_ptr(), msg: str_of(msg.as_bytes()), count: 1, ..brz_diag::NEW }
}

/// Calls `work`, and reports a panic instead of unwinding into the host.
fn guarded(work: impl FnOnce() -> Result, report: impl FnOnce(&brz_diag)) -> brz_rc {
    catch_unwind(AssertUnwindSafe(|| rc_of(work()))).unwrap_or_else(|_| {
        report(&diag_of(BRZ_FATAL, b"rust.panic\0", "the plug-in panicked"));
        BRZ_ERROR
    })
}

// ---- collapsers ----------------------------------------------------------------------------------

/// A reader of one format. A value is the state of one instance: there is one per thread.
pub trait Collapser: Default + Send {
    /// `BRZ_SPLITTABLE` and others.
    const FLAGS: u32 = 0;

    /// Returns how likely the first bytes of an input are in this format, `BRZ_SNIFF_NO` to `BRZ_SNIFF_MAGIC`.
    fn sniff(head: &[u8], is_whole: bool) -> i32;

    /// With `BRZ_SPLITTABLE`: returns an offset from `from` on at which a record can begin, or `buf.len()`.
    fn boundary(buf: &[u8], from: usize) -> usize {
        line_start(buf, from)
    }

    /// Declares columns.
    fn open(&mut self, _host: &mut Host) -> Result {
        Ok(())
    }

    /// Parses whole records at the beginning of a chunk, and returns how many bytes it used. If the chunk is the
    /// last one, no bytes follow.
    fn parse(&mut self, host: &mut Host, chunk: &[u8], is_last: bool) -> Result<usize>;

    /// Emits samples that the instance still holds.
    fn finish(&mut self, _host: &mut Host) -> Result {
        Ok(())
    }
}

/// Returns the offset of the first line that begins at or after `from`, or the end.
pub fn line_start(buf: &[u8], from: usize) -> usize {
    if from == 0 || from >= buf.len() || buf[from - 1] == b'\n' {
        return from.min(buf.len());
    }
    buf[from..].iter().position(|&c| c == b'\n').map_or(buf.len(), |i| from + i + 1)
}

/// The services of the host for a collapser.
pub struct Host<'a> {
    ctx: &'a mut brz_ctx,
}

impl Host<'_> {
    fn services(&self) -> &brz_collapser_host {
        unsafe { &*self.ctx.host }
    }

    /// The context, for services that have no method here.
    pub fn raw(&mut self) -> *mut brz_ctx {
        self.ctx
    }

    /// What the run uses: `BRZ_CTX_WANTS_TAGS` and others.
    pub fn flags(&self) -> u32 {
        self.ctx.flags
    }

    /// Returns the frame of a name.
    pub fn frame(&mut self, name: &[u8]) -> brz_frame {
        unsafe { (self.services().intern)(self.ctx, name.as_ptr(), name.len()) }
    }

    /// Returns the frame with these attributes, whose texts must be valid during the call.
    pub unsafe fn described_frame(&mut self, frame: &brz_frame_desc) -> brz_frame {
        (self.services().frame)(self.ctx, frame)
    }

    /// Declares a column and returns its index.
    pub fn column(&mut self, name: &str, unit: &str) -> u32 {
        let column = brz_column_desc { name: str_of(name.as_bytes()), unit: str_of(unit.as_bytes()), ..brz_column_desc::NEW };
        unsafe { (self.services().column)(self.ctx, &column) }
    }

    /// Returns the tag of a thread if the run uses tags, and `BRZ_NO_TAG` otherwise.
    pub fn thread(&mut self, thread: i64, name: &[u8]) -> brz_tag {
        if self.ctx.flags & BRZ_CTX_WANTS_TAGS == 0 {
            return BRZ_NO_TAG;
        }
        let tag = brz_tag_desc { flags: BRZ_TAG_THREAD, thread, thread_name: str_of(name), ..brz_tag_desc::NEW };
        unsafe { (self.services().tag)(self.ctx, &tag) }
    }

    /// Adds a sample with a value for each column. `flags` is `BRZ_LEAF_FIRST` or 0.
    pub fn sample(&mut self, frames: &[brz_frame], flags: u32, values: &[i64], time: Option<i64>, tag: brz_tag) -> Result {
        let values = brz_values {
            flags: if time.is_some() { BRZ_TIMED } else { 0 },
            values: values.as_ptr(),
            n_values: values.len(),
            time: time.unwrap_or(0),
            tag,
            ..brz_values::NEW
        };
        result_of(unsafe { (self.services().sample)(self.ctx, frames.as_ptr(), frames.len(), flags, &values) })
    }

    /// Reports bytes of the current chunk that are left out; `code` ends with a zero byte.
    pub fn lost(&mut self, code: &'static [u8], at: &[u8], msg: &'static str) {
        let diag = brz_diag { at: at.as_ptr().cast(), len: at.len(), records: 1, ..diag_of(BRZ_WARNING, code, msg) };
        unsafe { (self.services().diag)(self.ctx, &diag) }
    }

    /// Reports a reason for which the rest of the input cannot be parsed: return the result.
    pub fn fail<T>(&mut self, code: &'static [u8], msg: &'static str) -> Result<T> {
        unsafe { (self.services().diag)(self.ctx, &diag_of(BRZ_FATAL, code, msg)) }
        Err(Ending(BRZ_ERROR))
    }
}

unsafe extern "C" fn sniff<T: Collapser>(head: *const brz_head) -> i32 {
    let head = &*head;
    let bytes = slice_of(head.data, head.len);
    catch_unwind(|| T::sniff(bytes, head.flags & BRZ_CHUNK_LAST != 0)).unwrap_or(BRZ_SNIFF_NO)
}

unsafe extern "C" fn boundary<T: Collapser>(_: *const c_void, buf: *const u8, n: usize, from: usize) -> usize {
    let bytes = slice_of(buf, n);
    catch_unwind(|| T::boundary(bytes, from)).unwrap_or(n)
}

/// The memory of an instance, which is zeroed at first.
#[repr(C)]
struct Slot<T> {
    value: T,
    is_open: bool,
}

unsafe fn with<T: Collapser>(ctx: *mut brz_ctx, work: impl FnOnce(&mut T, &mut Host) -> Result) -> brz_rc {
    let slot = &mut *(*ctx).inst.cast::<Slot<T>>();
    let diag = (*(*ctx).host).diag;
    guarded(|| work(&mut slot.value, &mut Host { ctx: &mut *ctx }), |d| diag(ctx, d))
}

unsafe extern "C" fn open<T: Collapser>(ctx: *mut brz_ctx) -> brz_rc {
    let slot = (*ctx).inst.cast::<Slot<T>>();
    let diag = (*(*ctx).host).diag;
    let create = || {
        slot.write(Slot { value: T::default(), is_open: true });
        (*slot).value.open(&mut Host { ctx: &mut *ctx })
    };
    guarded(create, |d| diag(ctx, d))
}

unsafe extern "C" fn parse<T: Collapser>(ctx: *mut brz_ctx, chunk: *const brz_chunk, used: *mut usize) -> brz_rc {
    let chunk = &*chunk;
    let bytes = slice_of(chunk.data, chunk.len);
    with(ctx, |instance: &mut T, host| {
        *used = instance.parse(host, bytes, chunk.flags & BRZ_CHUNK_LAST != 0)?;
        Ok(())
    })
}

unsafe extern "C" fn finish<T: Collapser>(ctx: *mut brz_ctx) -> brz_rc {
    with(ctx, |instance: &mut T, host| instance.finish(host))
}

unsafe extern "C" fn close<T: Collapser>(ctx: *mut brz_ctx) {
    let slot = (*ctx).inst.cast::<Slot<T>>();
    if (*slot).is_open {
        let _ = catch_unwind(AssertUnwindSafe(|| std::ptr::drop_in_place(slot)));
    }
}

/// Returns the table of a collapser's functions.
pub const fn collapser<T: Collapser>() -> brz_collapser {
    assert!(std::mem::align_of::<Slot<T>>() <= 64, "an instance is aligned to 64 bytes");
    brz_collapser {
        flags: T::FLAGS,
        inst_size: size_of::<Slot<T>>(),
        sniff: Some(sniff::<T>),
        boundary: if T::FLAGS & BRZ_SPLITTABLE != 0 { Some(boundary::<T>) } else { None },
        open: Some(open::<T>),
        parse: Some(parse::<T>),
        finish: Some(finish::<T>),
        close: Some(close::<T>),
        ..brz_collapser::NEW
    }
}

// ---- the entry -----------------------------------------------------------------------------------

/// Constant data with pointers to other constant data.
#[repr(transparent)]
pub struct Constant<T>(pub T);
unsafe impl<T> Sync for Constant<T> {}

/// The ELF note from which the host recognises a plug-in.
pub const NOTE: brz_plugin_note = brz_plugin_note {
    name_size: 8,
    desc_size: 12,
    r#type: BRZ_NOTE_TYPE,
    name: *b"brazier\0",
    major: BRZ_ABI_MAJOR as u32,
    minor: BRZ_TARGET_MINOR as u32,
    sdk: BRZ_SDK_VERSION,
};

/// Defines the entry of a plug-in; use it once. Each component has a kind, a table of functions, an id, a summary
/// and a help: `plugin!("steps", "1.0", "MIT", "https://example.org/bugs", [(BRZ_COLLAPSER, brz_collapser,
/// collapser::<Steps>(), "steps", "steps of a program", "Record with `steps`.")])`.
#[macro_export]
macro_rules! plugin {
    ($name:literal, $version:literal, $license:literal, $bugs_url:literal,
     [$(($kind:expr, $type:ty, $vtable:expr, $id:literal, $summary:literal, $help:literal)),+ $(,)?]) => {
        static COMPONENTS: [$crate::Constant<*const $crate::abi::brz_component>; [$($id),+].len() + 1] = [
            $({
                static VTABLE: $crate::Constant<$type> = $crate::Constant($vtable);
                static COMPONENT: $crate::Constant<$crate::abi::brz_component> =
                    $crate::Constant($crate::abi::brz_component {
                        kind: $kind,
                        id: concat!($id, "\0").as_ptr(),
                        summary: concat!($summary, "\0").as_ptr(),
                        help: concat!($help, "\0").as_ptr(),
                        vtable: &VTABLE as *const _ as *const ::std::ffi::c_void,
                        ..$crate::abi::brz_component::NEW
                    });
                $crate::Constant(&COMPONENT as *const _ as *const $crate::abi::brz_component)
            },)+
            $crate::Constant(::std::ptr::null()),
        ];

        #[used]
        #[link_section = ".note.brz.plugin"]
        static NOTE: $crate::abi::brz_plugin_note = $crate::NOTE;

        #[no_mangle]
        #[allow(non_upper_case_globals)]
        pub static brz_plugin_v1: $crate::Constant<$crate::abi::brz_plugin> =
            $crate::Constant($crate::abi::brz_plugin {
                magic: $crate::abi::BRZ_PLUGIN_MAGIC,
                abi_major: $crate::abi::BRZ_ABI_MAJOR as u16,
                abi_minor: $crate::abi::BRZ_TARGET_MINOR as u16,
                name: concat!($name, "\0").as_ptr(),
                version: concat!($version, "\0").as_ptr(),
                license: concat!($license, "\0").as_ptr(),
                bugs_url: concat!($bugs_url, "\0").as_ptr(),
                components: &COMPONENTS as *const _ as *const *const $crate::abi::brz_component,
                sdk_version: $crate::abi::BRZ_SDK_VERSION,
                ..$crate::abi::brz_plugin::NEW
            });
    };
}
