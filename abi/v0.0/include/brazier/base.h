/** @file
 * The words every other header of the SDK is written in: versions, text, results, ids.
 *
 * A plug-in includes <brazier/plugin.h>, which brings all of the interface, and links nothing.
 *
 * Every struct that crosses the border begins with `struct_size`, which whoever fills it sets to
 * its `sizeof`: structs grow at their end, so that is how the other side knows what is there.
 * Members called `reserved` are 0.
 */
#ifndef BRAZIER_BASE_H
#define BRAZIER_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The major version of the interface, which is part of the entry symbol's name and of that of the
 * folder with plug-ins: both are made of this line. While it is 0 the interface may still change
 * between releases of brazier. */
#define BRZ_ABI_MAJOR 0
/** The minor version: it counts additions. */
#define BRZ_ABI_MINOR 0

/** What a plug-in may use: members and services newer than this minor do not exist for it, and
 * every host of at least this minor loads it. Define it before including to raise it. */
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
#define BRZ_EXTERN_C    extern /**< declares a symbol of C, in C++ too */
#define BRZ_BEGIN_DECLS        /**< begins declarations of C's symbols */
#define BRZ_END_DECLS          /**< ends them */
#endif

/** Makes a symbol visible outside of its shared object. */
#if defined(_WIN32)
#define BRZ_EXPORT __declspec(dllexport)
#else
#define BRZ_EXPORT __attribute__((visibility("default")))
#endif

/** A view of text: not terminated, not owned. Empty text has len 0 and any data. */
typedef struct brz_str {
    const char *data; /**< its first byte */
    size_t len;       /**< how many bytes */
} brz_str;

/** A view of several texts. */
typedef struct brz_strlist {
    const brz_str *items; /**< one after the other */
    size_t count;         /**< how many texts */
} brz_strlist;

/** What a plug-in's function answers. Any other value than these counts as BRZ_ERROR. */
typedef int32_t brz_rc;
#define BRZ_OK    0 /**< go on */
#define BRZ_STOP  1 /**< the host asked to stop: hand it up unchanged */
#define BRZ_ERROR 2 /**< cannot go on; the reason was reported through host->diag */

/** The id of a frame. Ids are dense, start at 0 and belong to the instance that got them from the
 * host. */
typedef uint32_t brz_frame;
/** The id of a stack, likewise. */
typedef uint32_t brz_stack;
/** No frame at all. */
#define BRZ_NO_FRAME UINT32_MAX

/* What sort of code a frame is. More may come: treat an unknown kind as BRZ_KIND_OTHER. */
#define BRZ_KIND_OTHER   0u /**< not known, or of no kind below */
#define BRZ_KIND_PROCESS 1u /**< a root that names a process or thread, not code */
#define BRZ_KIND_USER    2u /**< the program, in user space */
#define BRZ_KIND_KERNEL  3u /**< the kernel */
#define BRZ_KIND_JIT     4u /**< code that was compiled while the program ran */
#define BRZ_KIND_INLINED 5u /**< a call that the compiler inlined */
#define BRZ_KIND_WAKER   6u /**< the stack of who woke the thread */

/** True if the host-filled struct behind `ptr` reaches as far as `member`. */
#define BRZ_HAS(ptr, type, member)                                                                 \
    ((ptr)->struct_size >= offsetof(type, member) + sizeof((ptr)->member))

/** The view of `len` bytes. */
static inline brz_str brz_str_of(const char *data, size_t len)
{
    brz_str s;
    s.data = data;
    s.len = len;
    return s;
}

/** The view of a string literal. */
#define BRZ_STR(literal) brz_str_of("" literal, sizeof(literal) - 1)

#endif
