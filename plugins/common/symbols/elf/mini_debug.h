/* SPDX-License-Identifier: MIT */
/* Unpacks the symbols that stripped programs of some distributions have: .gnu_debugdata, an ELF
 * file in xz format. */
#ifndef SYMBOLS_MINI_DEBUG_H
#define SYMBOLS_MINI_DEBUG_H

#include "elf_image.h"

/* The result of unpacking. */
enum mini_debug_state {
    MINI_DEBUG_NONE,     /* the image has none, or it is damaged or too large */
    MINI_DEBUG_UNPACKED, /* it is opened */
    MINI_DEBUG_PACKED,   /* this build cannot unpack it */
};

/* Opens the packed image in `e` as `inner`, which owns its bytes. */
enum mini_debug_state mini_debug_open(const elf_image *e, brz_ctx *ctx, elf_image *inner);

#endif
