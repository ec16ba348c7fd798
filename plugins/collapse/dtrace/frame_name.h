/* SPDX-License-Identifier: MIT */
/* Converts the text of a stack line to frames. */
#ifndef DTRACE_FRAME_NAME_H
#define DTRACE_FRAME_NAME_H

#include <brazier/text/buffer.h>

/* Returns the text without its offset: "+0x" and hex digits at the end. Reads up to 63 bytes in
 * front of the text and 15 after it, which chunks permit. */
brz_str frame_name_cut_offset(brz_str text);

/* Appends the frames of a stack line to `out`, root first; several if the line contains inlined
 * calls ("a->b"). Does not change `text`; overwrites `scratch`. */
void frame_name_resolve(brz_ctx *ctx, brz_str text, brz_text *scratch, brz_frame_list *out);

#endif
