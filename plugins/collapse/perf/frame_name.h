/* From a symbol and its module to the frames that stand for it. */
#ifndef PERF_FRAME_NAME_H
#define PERF_FRAME_NAME_H

#include "frame_line.h"

#include <brazier/host.h>

/* Which annotations and additions the run wants. */
typedef struct naming {
    bool addresses; /* put addresses into the names of unresolved frames */
    bool kernel;    /* _[k] */
    bool jit;       /* _[j] */
    bool inlined;   /* _[i] also where perf itself says (inlined) */
    bool source;    /* ":file:line" behind names of which it is known */
} naming;

/* A list that grows in the instance's memory. */
typedef struct frame_list {
    brz_frame *ids;
    size_t n, cap;
} frame_list;

/* Text that is put together, in the instance's memory; 32 bytes behind it can be read. */
typedef struct text_buffer {
    char *data;
    size_t len, cap;
} text_buffer;

/* Appends the frames of a stack line to `out`, root first; more than one where a name tells of
 * inlined calls ("a->b"), none where the line names no code. `symbol` comes without its offset and
 * with Rust's mangling undone. */
void frame_name_resolve(brz_ctx *ctx, const naming *wanted, const frame_line *line, brz_str symbol,
                        bool java, text_buffer *scratch, frame_list *out);

void frame_list_push(frame_list *list, brz_ctx *ctx, brz_frame id);
void text_buffer_append(text_buffer *b, brz_ctx *ctx, brz_str s);

bool module_is_kernel(brz_str module);
bool module_is_jit(brz_str module);

#endif
