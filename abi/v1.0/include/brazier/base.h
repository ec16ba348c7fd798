/* SPDX-License-Identifier: MIT */
/** @file
 * Basic types shared by all headers of the SDK: versions, text views, result codes, ids.
 *
 * A plug-in includes <brazier/plugin.h>, which includes the whole interface, and links against
 * nothing.
 *
 * Structs that cross the interface by pointer begin with `struct_size`; the side that fills in the
 * struct sets it to the `sizeof` of the type. Structs grow only at their end, so the size tells the
 * other side which members exist. That side sets members named `reserved` to 0 as well, and the
 * other one ignores them: a later minor may name one, with a meaning in which 0 changes nothing.
 */
#ifndef BRAZIER_BASE_H
#define BRAZIER_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/** The major version of the interface. It is part of the name of the entry symbol and of the
 * plug-in folder, both of which are derived from this line. Within a major version, the interface
 * only grows. */
#define BRZ_ABI_MAJOR 1
/** The minor version of the interface, which counts additions. */
#define BRZ_ABI_MINOR 0

/** The newest minor version that a plug-in uses. Members and services added in later minors are not
 * visible to it, and every host with at least this minor loads it. To raise it, define it before
 * including any header. */
#ifndef BRZ_TARGET_MINOR
#define BRZ_TARGET_MINOR 0
#endif

#if BRZ_TARGET_MINOR > BRZ_ABI_MINOR
#error "BRZ_TARGET_MINOR is newer than these headers"
#endif

#ifdef __cplusplus
#define BRZ_EXTERN_C    extern "C"
#define BRZ_BEGIN_DECLS extern "C" {
#define BRZ_END_DECLS   }
#else
#define BRZ_EXTERN_C    extern /**< declares a symbol with C linkage, in C and C++ */
#define BRZ_BEGIN_DECLS        /**< begins declarations with C linkage */
#define BRZ_END_DECLS          /**< ends them */
#endif

/** Exports a symbol from its shared object. */
#if defined(_WIN32)
#define BRZ_EXPORT __declspec(dllexport)
#else
#define BRZ_EXPORT __attribute__((visibility("default")))
#endif

/** Marks a function that does nothing but prefetch memory. A compiler that does not inline it in
 * time takes the call for one without effects, and removes it. */
#if defined(__GNUC__)
#define BRZ_PREFETCHING __attribute__((always_inline))
#else
#define BRZ_PREFETCHING
#endif

/** The version of these headers, whose inline functions become part of a plug-in: major × 1000000 +
 * minor × 1000 + patch of brazier's version. BRZ_PLUGIN() records it, so that a host recognises
 * plug-ins that contain a faulty version of them. */
#define BRZ_SDK_VERSION 1000u

/** A view of text. It does not own its bytes and is not terminated. Empty text has `len` 0; its
 * `data` may be anything, including NULL. */
typedef struct brz_str {
    const char *data; /**< first byte */
    size_t len;       /**< number of bytes */
} brz_str;

/** A view of a list of texts. */
typedef struct brz_strlist {
    const brz_str *items; /**< array of texts */
    size_t count;         /**< number of texts */
} brz_strlist;

/** The result of a plug-in's function. The host treats any other value as BRZ_ERROR. */
typedef int32_t brz_rc;
#define BRZ_OK    0 /**< success: continue */
#define BRZ_STOP  1 /**< the host asked to stop; return it unchanged */
#define BRZ_ERROR 2 /**< failure; the plug-in has reported the reason through host->diag */

/** Identifies a frame. Ids are dense, start at 0, and are valid only for the instance that received
 * them from the host. */
typedef uint32_t brz_frame;
/** Identifies a stack; the same rules apply. */
typedef uint32_t brz_stack;
/** Identifies a tag, which says where samples were taken: see brz_collapser_host.tag. The same
 * rules apply, except that tag 0 always exists. */
typedef uint32_t brz_tag;
/** The tag of samples without known process, thread, processor and labels. */
#define BRZ_NO_TAG 0u
/** Stands for the absence of a frame. */
#define BRZ_NO_FRAME UINT32_MAX

/* Kinds of code that a frame can stand for. Later minors may add kinds: treat an unknown kind as
 * BRZ_KIND_OTHER. Flags of the frame add how the code was compiled or came to run. */
#define BRZ_KIND_OTHER   0u /**< unknown, or not one of the kinds below */
#define BRZ_KIND_PROCESS 1u /**< a root frame that names a process or thread rather than code */
#define BRZ_KIND_USER    2u /**< user-space code */
#define BRZ_KIND_KERNEL  3u /**< kernel code */

/* Flags of a frame, which combine with every kind. Ignore unknown bits. */
#define BRZ_FRAME_INLINED 1u /**< a call that the compiler inlined */
#define BRZ_FRAME_JIT     2u /**< code compiled at run time */
#define BRZ_FRAME_WAKER   4u /**< a frame in the stack of the thread that woke this one */

/* Categories, each of which stands for a kind or a flag: see brz_frame_category(). */
#define BRZ_CATEGORY_OTHER   0u /**< BRZ_KIND_OTHER, or unknown */
#define BRZ_CATEGORY_PROCESS 1u /**< BRZ_KIND_PROCESS */
#define BRZ_CATEGORY_USER    2u /**< BRZ_KIND_USER */
#define BRZ_CATEGORY_KERNEL  3u /**< BRZ_KIND_KERNEL */
#define BRZ_CATEGORY_JIT     4u /**< BRZ_FRAME_JIT */
#define BRZ_CATEGORY_INLINED 5u /**< BRZ_FRAME_INLINED */
#define BRZ_CATEGORY_WAKER   6u /**< BRZ_FRAME_WAKER */

/** Returns whether a struct filled in by the host is large enough to contain `member`. */
#define BRZ_HAS(ptr, type, member)                                                                 \
    ((ptr)->struct_size >= offsetof(type, member) + sizeof((ptr)->member))

/** Returns the one category that describes a frame best, for outputs and palettes that show a
 * single one: flags come before kinds, and BRZ_FRAME_WAKER before BRZ_FRAME_INLINED before
 * BRZ_FRAME_JIT. */
static inline uint32_t brz_frame_category(uint32_t kind, uint32_t flags)
{
    if (flags & BRZ_FRAME_WAKER)
        return BRZ_CATEGORY_WAKER;
    if (flags & BRZ_FRAME_INLINED)
        return BRZ_CATEGORY_INLINED;
    if (flags & BRZ_FRAME_JIT)
        return BRZ_CATEGORY_JIT;
    return kind <= BRZ_KIND_KERNEL ? kind : BRZ_CATEGORY_OTHER;
}

/** Returns a view of `len` bytes at `data`. */
static inline brz_str brz_str_of(const char *data, size_t len)
{
    brz_str s;
    s.data = data;
    s.len = len;
    return s;
}

/** Returns a view of a terminated text. */
static inline brz_str brz_str_of_text(const char *text)
{
    return brz_str_of(text, strlen(text));
}

/** Returns the text after the first `n` bytes, which it has. */
static inline brz_str brz_str_from(brz_str s, size_t n)
{
    return brz_str_of(s.data + n, s.len - n);
}

/** Copies a text, with a terminating zero byte, to a block of len + 1 bytes. Returns the copy. */
static inline brz_str brz_str_copy(void *block, brz_str s)
{
    char *copy = (char *)block;
    if (s.len > 0)
        memcpy(copy, s.data, s.len);
    copy[s.len] = 0;
    return brz_str_of(copy, s.len);
}

/** Returns the capacity of a list that has been full: 64, or twice as much as before. */
static inline size_t brz_list_grown(size_t cap)
{
    return cap > 0 ? 2 * cap : 64;
}

/** Copies `len` bytes of a list to a larger block. Returns the block. */
static inline void *brz_list_move(void *block, const void *items, size_t len)
{
    if (len > 0)
        memcpy(block, items, len);
    return block;
}

/** Returns the number of elements of an array. */
#define BRZ_COUNT_OF(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

/** Returns a view of a string literal. */
#define BRZ_STR(literal) brz_str_of("" literal, sizeof(literal) - 1)

#endif
