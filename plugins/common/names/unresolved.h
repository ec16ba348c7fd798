/* SPDX-License-Identifier: MIT */
/* Makes names for code without a function. */
#ifndef COMMON_NAMES_UNRESOLVED_H
#define COMMON_NAMES_UNRESOLVED_H

#include <brazier/host.h>
#include <brazier/text/buffer.h>

/* Returns whether a module is the kernel or a part of it. */
bool mapping_is_kernel(brz_str module);

/* Returns the name of code of which only the module is known, "[libc.so.6]", or not even that,
 * "[unknown]". Returns its address instead if it is not 0. The text is in `scratch` or static. */
brz_str unresolved_name(brz_text *scratch, brz_ctx *ctx, brz_str module, uint64_t address);

/* Gives a frame without a name its system name, or one as above, which has its address if
 * `addresses` says so. */
void frame_complete_name(brz_frame_desc *d, brz_text *scratch, brz_ctx *ctx, bool addresses);

#endif
