/* SPDX-License-Identifier: MIT */
/* The labels of samples: distinct sets of them, and the ways to write one.
 *
 * For outputs that set BRZ_OUTPUT_TAGS or BRZ_OUTPUT_TIME. Processes, threads and processors do not
 * matter.
 */
#ifndef OUTPUT_COMMON_LABEL_SETS_H
#define OUTPUT_COMMON_LABEL_SETS_H

#include <brazier/plugin.h>
#include <brazier/write.h>

typedef struct label_sets {
    const brz_tag_info **items; /* by number: a tag with the set; NULL for 0, the empty set */
    uint32_t *of_tags;          /* by tag: the number of its set */
    uint32_t n;                 /* at least 1; without labels, 1 */
} label_sets;

/* Numbers the sets of labels of all tags. The memory belongs to the plug-in instance. */
void label_sets_init(label_sets *s, brz_output_ctx *ctx, const brz_tree *tree);

/* Writes the labels of a tag as an object, whose members are texts, numbers, {"value": number,
 * "unit": text}, or lists of these if several labels have the same key. */
void label_set_put(brz_writer *w, const brz_tag_info *tag);

/* Returns a label as text: "host=a", "size=512 bytes". The memory belongs to the instance. */
brz_str label_text(brz_output_ctx *ctx, const brz_label *label);

/* Returns all labels of a tag as text, divided by ", ". The memory belongs to the instance. */
brz_str label_set_text(brz_output_ctx *ctx, const brz_tag_info *tag);

#endif
