/* The words every other header of the SDK is written in: versions, text, results, ids.
 *
 * A plug-in includes <brazier/plugin.h>, which brings all of the interface, and links nothing.
 */
#ifndef BRAZIER_BASE_H
#define BRAZIER_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The major is part of the entry symbol's name and of that of the folder with plug-ins, which are
 * both made of this line; while it is 0 the interface may still change between releases of brazier.
 * The minor counts additions. */
#define BRZ_ABI_MAJOR 0
#define BRZ_ABI_MINOR 0

/* What a plug-in may use: members and services newer than this minor do not exist for it, and
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
#define BRZ_EXTERN_C extern
#define BRZ_BEGIN_DECLS
#define BRZ_END_DECLS
#endif

#if defined(_WIN32)
#define BRZ_EXPORT __declspec(dllexport)
#else
#define BRZ_EXPORT __attribute__((visibility("default")))
#endif

/* A view of text: not terminated, not owned. Empty text has len 0 and any data. */
typedef struct brz_str {
    const char *data;
    size_t len;
} brz_str;

/* A view of several texts. */
typedef struct brz_strlist {
    const brz_str *items;
    size_t count;
} brz_strlist;

/* What a plug-in's function answers. Any other value than these counts as BRZ_ERROR. */
typedef int32_t brz_rc;
#define BRZ_OK    0 /* go on */
#define BRZ_STOP  1 /* the host asked to stop: hand it up unchanged */
#define BRZ_ERROR 2 /* cannot go on; the reason was reported through host->diag */

/* Ids are dense, start at 0 and belong to the instance that got them from the host. */
typedef uint32_t brz_frame;
typedef uint32_t brz_stack;
#define BRZ_NO_FRAME UINT32_MAX

/* What sort of code a frame is. More may come: treat an unknown kind as BRZ_KIND_OTHER. */
#define BRZ_KIND_OTHER   0u
#define BRZ_KIND_PROCESS 1u /* a root that names a process or thread, not code */
#define BRZ_KIND_USER    2u
#define BRZ_KIND_KERNEL  3u
#define BRZ_KIND_JIT     4u
#define BRZ_KIND_INLINED 5u
#define BRZ_KIND_WAKER   6u

/* True if the host-filled struct behind `ptr` reaches as far as `member`. */
#define BRZ_HAS(ptr, type, member)                                                                 \
    ((ptr)->struct_size >= offsetof(type, member) + sizeof((ptr)->member))

static inline brz_str brz_str_of(const char *data, size_t len)
{
    brz_str s;
    s.data = data;
    s.len = len;
    return s;
}

/* The view of a string literal. */
#define BRZ_STR(literal) brz_str_of("" literal, sizeof(literal) - 1)

#endif
