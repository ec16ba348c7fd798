/* SPDX-License-Identifier: MIT */
/* Converts a symbol and its module to frames. */
#ifndef COMMON_NAMES_FRAME_NAME_H
#define COMMON_NAMES_FRAME_NAME_H

#include "frame_line.h"

#include <brazier/text/buffer.h>

/* Annotations and additions that the options ask for. */
typedef struct naming {
    bool addresses;      /* put addresses into the names of unresolved frames */
    bool kernel;         /* _[k] */
    bool jit;            /* _[j] */
    bool inlined;        /* _[i], also if perf itself prints (inlined) */
    bool source;         /* ":file:line" after names whose source is known */
    bool places;         /* frames differ in their addresses */
    bool waker;          /* frames belong to a thread that woke another one */
    bool cut_at_bracket; /* names end at their first round bracket, as in inferno */
} naming;

/* Appends a name as frames have it: without arguments and Java's leading L, with the "@plt" of a
 * jump to a library, and with ":" for ";". */
void frame_name_append(brz_text *b, brz_ctx *ctx, brz_str piece, bool java);

/* Appends the frames of a stack line to `out`, root first: several if a name contains inlined
 * calls ("a->b"), none if the line names no code. `symbol` has no offset, and Rust's mangling is
 * removed. */
void frame_name_resolve(brz_ctx *ctx, const naming *wanted, const frame_line *line, brz_str symbol,
                        bool java, brz_text *scratch, brz_frame_list *out);

#endif
