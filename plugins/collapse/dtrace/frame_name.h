/* From the text of a stack line to the frames that stand for it. */
#ifndef DTRACE_FRAME_NAME_H
#define DTRACE_FRAME_NAME_H

#include <brazier/text/buffer.h>

/* The text without its offset: "+0x" and hex digits at the end. Reads up to 63 bytes in front of
 * the text and 15 behind it, as is possible in a chunk. */
brz_str frame_name_cut_offset(brz_str text);

/* Appends the frames of a stack line to `out`, root first; more than one where the line tells of
 * inlined calls ("a->b"). `text` is not touched; `scratch` is. */
void frame_name_resolve(brz_ctx *ctx, brz_str text, brz_text *scratch, brz_frame_list *out);

#endif
