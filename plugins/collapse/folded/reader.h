/* Reads folded text: what the collapsers `folded` and `recursive` have in common. */
#ifndef FOLDED_READER_H
#define FOLDED_READER_H

#include "line.h"
#include "runs.h"
#include "seen.h"

#include <brazier/plugin.h>
#include <brazier/text.h>

typedef struct folded_options {
    int32_t counts;
} folded_options;

/* What the beginning of the input tells. */
typedef struct folded_prelude_result {
    bool two_counts;
} folded_prelude_result;

typedef struct folded {
    brz_lines lines;
    brz_stacks stacks; /* root first */
    brz_frame_cache frames;
    runs runs;
    brz_prefix_fn *common_prefix;
    bool merge_recursion; /* a frame that calls itself is one frame */
    bool two_counts;
    bool has_quotes; /* the chunk has a '"' */
    uint32_t decimals[2];
    brz_str before;    /* the stack of the line before, in this chunk; empty: none */
    size_t *frame_end; /* where each of its frames ends in it */
    size_t frame_ends_cap;
    size_t n_waiting;    /* counts of the line before that are not counted yet */
    int64_t waiting[2];  /* by weight; of one count, the last weight's */
    uint32_t weights[2]; /* theirs */
    seen seen;
} folded;

#define FOLDED_OPTIONS 1u
extern const brz_option folded_options_table[FOLDED_OPTIONS];

brz_rc folded_prelude(brz_ctx *ctx, const brz_chunk *chunk, size_t *used, const void **shared);
size_t folded_boundary(const void *shared, const uint8_t *buf, size_t n, size_t from);
brz_rc folded_open(brz_ctx *ctx, bool merge_recursion);
brz_rc folded_parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used);
brz_rc folded_finish(brz_ctx *ctx);

/* Folded text has no header: of the first lines, nearly all must be stacks with counts, and at
 * least one should have several frames. */
int32_t folded_sniff(const brz_head *head);

#endif
