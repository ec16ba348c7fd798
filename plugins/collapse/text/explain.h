/* SPDX-License-Identifier: MIT */
/* Offers the draft <brazier/draft/text_format.h>: recognises an input by a configuration, and
 * explains it line by line. */
#ifndef TEXT_EXPLAIN_H
#define TEXT_EXPLAIN_H

#include "doubts.h"
#include "format.h"

/* Returns the role of a line (BRZ_LINE_FRAME and others), and its match if it has one. *inside says
 * whether a block is open. */
typedef int32_t text_classify(text_format *f, brz_str line, bool *inside, text_match *match);

/* A shape that explains itself. */
typedef struct text_explainer {
    const text_shape *shape;
    text_classify *classify;
} text_explainer;

/* Implement the functions of brz_text_format. */
int32_t text_sniff(const text_explainer *by, const void *cfg, const brz_head *head);
void text_explain(const text_explainer *by, const void *cfg, brz_str text, brz_text_lines *to);

/* Defines `offer` of a shape from its `shape` and `classify`, and `sniff`, which recognises
 * nothing: it does not know the options. */
#define TEXT_OFFER                                                                                 \
    static int32_t sniff(const brz_head *head)                                                     \
    {                                                                                              \
        (void)head;                                                                                \
        return BRZ_SNIFF_NO;                                                                       \
    }                                                                                              \
    static const text_explainer explainer = {&shape, classify};                                    \
    static int32_t sniff_format(const void *cfg, const brz_head *head)                             \
    {                                                                                              \
        return text_sniff(&explainer, cfg, head);                                                  \
    }                                                                                              \
    static void explain_format(const void *cfg, brz_str text, brz_text_lines *to)                  \
    {                                                                                              \
        text_explain(&explainer, cfg, text, to);                                                   \
    }                                                                                              \
    static void doubt(const void *cfg, brz_option_faults *doubts)                                  \
    {                                                                                              \
        text_doubt(&shape, cfg, doubts);                                                           \
    }                                                                                              \
    static const void *offer(const char *id)                                                       \
    {                                                                                              \
        static const brz_text_format functions = {.struct_size = sizeof functions,                 \
                                                  .sniff = sniff_format,                           \
                                                  .explain = explain_format,                       \
                                                  .doubt = doubt};                                 \
        return strcmp(id, BRZ_TEXT_FORMAT_ID) == 0 ? &functions : NULL;                            \
    }

#endif
