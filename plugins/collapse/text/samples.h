/* SPDX-License-Identifier: MIT */
/* Counts the samples of a format: what all shapes have in common.
 *
 * A value of a sample comes from its own lines, or else from the section, or else from the header
 * of the file.
 */
#ifndef TEXT_SAMPLES_H
#define TEXT_SAMPLES_H

#include "../../common/dump/dump.h"

#include "total.h"
#include "values.h"

/* The values of the header of a file. */
typedef struct text_header {
    text_format format; /* without machine code, for `boundary` */
    text_values values;
    brz_text copies;
} text_header;

/* A sample that may not count. */
typedef struct text_kept {
    size_t frames, depth; /* where its frames are in the list */
    int64_t value, time;
    brz_tag tag;
    uint32_t timed, decimals; /* decimals of the value */
} text_kept;

/* The state of an instance; the first member of a shape's state. */
typedef struct text_samples {
    dump dump;
    text_format format;
    text_weight weight;
    text_total total;
    text_slot frame_slot; /* for text_describe() */
    bool roots_last;      /* frames are pushed from leaf to root */
    text_values values;   /* of the sample */
    text_values section;
    brz_text section_copies;
    bool keeps; /* samples count in `finish`, unless they are forgotten before */
    text_kept *kept;
    size_t n_kept, kept_cap;
    brz_frame_list kept_frames;
} text_samples;

/* Implements brz_collapser.prelude for a shape: reads the header of the file. `first` is the slot
 * of the lines before which it ends. */
brz_rc text_read_header(brz_ctx *ctx, const brz_chunk *chunk, const text_shape *shape,
                        text_slot first, const void **shared);

/* Implements brz_collapser.open for a shape. `flags` is BRZ_LEAF_FIRST or BRZ_NESTED. */
brz_rc text_open(brz_ctx *ctx, const text_shape *shape, uint32_t flags);

/* Defines open_instance() of a shape, whose `options` have an `order`, one of which is LEAF_FIRST.
 */
#define TEXT_OPEN                                                                                  \
    static brz_rc open_instance(brz_ctx *ctx)                                                      \
    {                                                                                              \
        const options *o = ctx->cfg;                                                               \
        return text_open(ctx, &shape, o->order == LEAF_FIRST ? BRZ_LEAF_FIRST : BRZ_NESTED);       \
    }

/* Implements brz_collapser.finish. */
brz_rc text_finish(brz_ctx *ctx);

/* Implements brz_collapser.close. */
void text_close(brz_ctx *ctx);

/* Returns a value of the sample. */
brz_str text_value(const text_samples *t, text_group g);

/* Fills in a frame from its text, by the expressions of `frame_slot`. Implements dump_describe. */
void text_describe(dump *d, brz_str text, brz_frame_desc *frame);

/* Appends the frames of the option `roots`. */
void text_push_roots(text_samples *t);

/* Reads the weight of the sample. Returns false, after a report about `part`, if it has none. */
bool text_read_weight(text_samples *t, brz_str part, int64_t *value);

/* Returns the weight if it does not depend on the sample. */
bool text_weight_is_fixed(text_samples *t, int64_t *value);

/* Reads the weight of a sample that is left out. Returns false if it has none. */
bool text_own_weight(text_samples *t, int64_t *value);

/* Sets the tag and the time of the sample. Reports a time that it cannot parse. */
void text_place(text_samples *t, brz_str part);

/* Counts the sample: its frames without the roots, with its place. `part` is the sample for
 * messages. */
brz_rc text_count(text_samples *t, brz_str part);

/* Forgets the samples that are kept. */
void text_forget_kept(text_samples *t);

/* Reports a record that is left out, whose weight is known if it is fixed. */
void text_report_lost(text_samples *t, const char *code, brz_str line, brz_str msg);

/* Reports a line that fits no expression, and is no record of its own. */
void text_report_unmatched(text_samples *t, brz_str line);

/* Takes a line of the header, which the header has read already: warns if its values differ. */
void text_take_header(text_samples *t, const text_match *match);

/* Returns BRZ_ERROR after a match that failed. */
static inline brz_rc text_status(const text_samples *t)
{
    return t->format.failed ? BRZ_ERROR : BRZ_OK;
}

#endif
