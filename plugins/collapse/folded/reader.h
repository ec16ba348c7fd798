/* SPDX-License-Identifier: MIT */
/* Reads folded text for the collapser `folded`. */
#ifndef FOLDED_READER_H
#define FOLDED_READER_H

#include "line.h"
#include "names.h"
#include "runs.h"
#include "seen.h"
#include "semicolons.h"

#include <brazier/plugin.h>
#include <brazier/text.h>

typedef struct folded_options {
    int32_t counts, recursion;
    bool trim;
} folded_options;

/* Properties of the input, detected at its beginning. */
typedef struct folded_prelude_result {
    bool two_counts;
    folded_weight weight; /* what the first lines name; an empty name: nothing */
} folded_prelude_result;

typedef struct folded {
    brz_lines lines;
    brz_stacks stacks; /* root first */
    brz_frame_cache frames;
    runs runs;
    brz_prefix_fn *common_prefix;
    semicolons_fn *semicolons;
    names names;
    bool merge_recursion; /* merges consecutive frames of the same function */
    bool two_counts;
    bool trims;      /* a last frame of blanks loses them */
    bool has_quotes; /* the chunk contains a '"' */
    uint32_t decimals[2];
    brz_str before;    /* stack of the previous line; no data: none */
    size_t *frame_end; /* end offset of each of its frames */
    size_t frame_ends_cap;
    bool is_sorted;  /* no stack sorted before the previous one, so none is looked up */
    size_t entry[2]; /* if sorted: entry of the previous stack by weight, or SIZE_MAX */
    char *kept;      /* if sorted: copy of `before` between chunks */
    size_t kept_cap;
    size_t n_waiting;    /* number of counts of the previous line that are still to be added */
    int64_t waiting[2];  /* these counts by weight; a single count belongs to the last weight */
    uint32_t weights[2]; /* their weights */
    seen seen;
} folded;

/* Choices of the option `recursion`. */
enum { KEEP_RECURSION, MERGE_RECURSION };

#define FOLDED_OPTIONS 3u
extern const brz_option folded_options_table[FOLDED_OPTIONS];

brz_rc folded_prelude(brz_ctx *ctx, const brz_chunk *chunk, size_t *used,
                      const void **prelude_data);
size_t folded_boundary(const void *prelude_data, const uint8_t *buf, size_t n, size_t from);
brz_rc folded_open(brz_ctx *ctx);
brz_rc folded_parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used);
brz_rc folded_finish(brz_ctx *ctx);

/* Detects folded text, which has no header: nearly all of the first lines must be stacks with
 * counts, and at least one should have several frames. */
int32_t folded_sniff(const brz_head *head);

#endif
