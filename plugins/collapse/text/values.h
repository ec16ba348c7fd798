/* SPDX-License-Identifier: MIT */
/* Values that lines give: the texts of groups. */
#ifndef TEXT_VALUES_H
#define TEXT_VALUES_H

#include <brazier/text.h>

#include "format.h"

/* Labels of a sample at most. Further ones are dropped. */
#define MOST_LABELS 32

/* The texts of groups, parts of a chunk or copies. Data is NULL for groups that took no part. */
typedef struct text_values {
    brz_str of[N_GROUPS];
    brz_label labels[MOST_LABELS];
    uint32_t n_labels;
} text_values;

/* Forgets all values. */
void text_values_clear(text_values *v);

/* Adds the groups of the last match. Values that are known stay. */
void text_values_add(text_values *v, const text_match *match, const matcher *m);

/* Copies the texts to a buffer, which replaces its content, and refers to the copies. */
void text_values_keep(text_values *v, brz_text *buffer, brz_ctx *ctx);

/* Returns a label, or text without data. */
brz_str text_values_label(const text_values *v, brz_str key);

#endif
