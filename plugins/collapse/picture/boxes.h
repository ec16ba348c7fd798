/* SPDX-License-Identifier: MIT */
/* The boxes of a picture. Their places say which frame calls which, and their titles or widths how
 * much they count. */
#ifndef PICTURE_BOXES_H
#define PICTURE_BOXES_H

#include "graph.h"
#include "title.h"

typedef struct box {
    double left, width, y;       /* in one unit; y grows downwards */
    int64_t weight_left, weight; /* the same as weights, if `is_weighed` */
    double percent;              /* of the whole, as the title states it; below 0: unknown */
    int64_t count;               /* in units of 10^-decimals of the picture */
    uint32_t decimals;           /* of the count as it was written */
    uint32_t length_decimals;    /* as written */
    bool has_count;              /* the title states one */
    bool is_weighed;             /* the rectangle has weights */
    bool is_all;                 /* its name is that of the whole */
    brz_frame frame;
    uint32_t row; /* number of its row from the root's */
    const char *at;
} box;

typedef struct boxes {
    box *items;
    size_t n, cap;
    double precision;  /* lengths are multiples of this */
    uint32_t decimals; /* of the most precise count */
    brz_str unit;      /* of the largest count */
    uint32_t *rows;    /* the first box of each row, and the number of boxes at the end */
    uint32_t n_rows;
} boxes;

/* Adds a box. */
void boxes_add(boxes *b, brz_ctx *ctx, const box *item);

/* Makes all counts units of the same fraction, and derives those that are missing or damaged from
 * widths. Without any count, widths count. */
void boxes_weigh(boxes *b, brz_ctx *ctx);

/* Returns the widest box with a count above 0, or NULL. */
const box *boxes_widest(const boxes *b);

/* Adds the boxes to a graph. Reports those that lie in no other one. */
void boxes_nest(boxes *b, brz_ctx *ctx, graph *g);

#endif
