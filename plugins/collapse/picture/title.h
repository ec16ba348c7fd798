/* SPDX-License-Identifier: MIT */
/* Parses titles of frames: "name (1,234 samples, 12.34%; +0.5%)". */
#ifndef PICTURE_TITLE_H
#define PICTURE_TITLE_H

#include <brazier/base.h>

typedef struct title {
    brz_str name;
    brz_str unit;      /* what the count counts, such as "samples" or "ms" */
    int64_t count;     /* in units of 10^-decimals */
    uint32_t decimals; /* at most TITLE_DECIMALS */
    double percent;    /* share of the whole; below 0: unknown */
    bool has_count;
    bool is_comparison; /* the title states a change, too */
    bool percent_first; /* the share comes before the count, as d3-flame-graph writes them */
} title;

#define TITLE_DECIMALS 6

/* Parses a title whose entities are decoded. A text in another form is all name. */
void title_parse(brz_str text, title *t);

#endif
