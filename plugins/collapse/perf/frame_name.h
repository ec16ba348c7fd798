/* From a symbol and its module to the frames that stand for it. */
#ifndef PERF_FRAME_NAME_H
#define PERF_FRAME_NAME_H

#include "frame_line.h"

#include <brazier/text/buffer.h>

/* Which annotations and additions the run wants. */
typedef struct naming {
    bool addresses; /* put addresses into the names of unresolved frames */
    bool kernel;    /* _[k] */
    bool jit;       /* _[j] */
    bool inlined;   /* _[i] also where perf itself says (inlined) */
    bool source;    /* ":file:line" behind names of which it is known */
} naming;

/* Appends the frames of a stack line to `out`, root first; more than one where a name tells of
 * inlined calls ("a->b"), none where the line names no code. `symbol` comes without its offset and
 * with Rust's mangling undone. */
void frame_name_resolve(brz_ctx *ctx, const naming *wanted, const frame_line *line, brz_str symbol,
                        bool java, brz_text *scratch, brz_frame_list *out);

bool module_is_kernel(brz_str module);
bool module_is_jit(brz_str module);

#endif
