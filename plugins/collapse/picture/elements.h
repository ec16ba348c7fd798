/* SPDX-License-Identifier: MIT */
/* Reads the boxes of frames from the elements of an SVG picture. */
#ifndef PICTURE_ELEMENTS_H
#define PICTURE_ELEMENTS_H

#include "boxes.h"
#include "markup.h"

#define PICTURE_DEEPEST 64 /* nested groups whose transformations are known */

#define PICTURE_DECIMALS 9 /* of lengths: further ones are dropped */

/* The distance of an element from the picture's corner. */
typedef struct offset {
    double x, y;
} offset;

/* Facts about a picture besides its frames. */
typedef struct picture_facts {
    bool is_graphviz;
    bool is_reversed; /* its title says that callers come last */
    bool is_comparison;
    bool is_scaled; /* its titles show multiples of the weights */
} picture_facts;

typedef struct elements {
    brz_ctx *ctx;
    boxes boxes;
    picture_facts facts;
    offset offsets[PICTURE_DEEPEST]; /* of open groups */
    size_t depth;                    /* number of open groups, which may be more */
    box pending;                     /* a rectangle that has no title yet */
    brz_str title;                   /* a title, as written, that has no rectangle yet */
    brz_str hover;                   /* what the group's script shows as its title */
    bool has_pending;
    const char *group;      /* the group that has begun last, if it may be a frame's */
    uint64_t n_incomplete;  /* groups that seem to have lost a part */
    const char *incomplete; /* the first of these */
    size_t n_weighed;       /* boxes with weights among their attributes */
    int64_t largest;        /* count that a title states */
    size_t of_decimals[PICTURE_DECIMALS + 1]; /* boxes with so many decimals in their lengths */
    brz_text name;                            /* reused */
} elements;

void elements_init(elements *e, brz_ctx *ctx);

/* Reads the tag that a markup has come to. */
void elements_read(elements *e, markup *m);

/* Completes the boxes when all tags are read, so that they can be nested. */
void elements_finish(elements *e);

#endif
