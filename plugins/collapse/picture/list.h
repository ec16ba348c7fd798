/* SPDX-License-Identifier: MIT */
/* Reads tree views of async-profiler: pages with a list for the frames that a frame calls. */
#ifndef PICTURE_LIST_H
#define PICTURE_LIST_H

#include "graph.h"
#include "markup.h"

typedef struct list {
    brz_ctx *ctx;
    graph graph;
    uint64_t n_lists; /* that are open */
    int64_t total;    /* of the item whose name follows; below 0: none */
    const char *at;   /* where it begins */
    int64_t own;      /* of that item; below 0: unknown */
    bool in_item;     /* the last tag began an item */
    bool is_open;     /* the last item has no name yet */
    uint64_t n_odd;   /* items without one */
    const char *odd;  /* the first of these */
    brz_text name;    /* reused */
} list;

void list_init(list *l, brz_ctx *ctx);

/* Reads the tag that a markup has come to. */
void list_read(list *l, markup *m);

/* Counts the stacks, when all tags are read. */
brz_rc list_count(list *l);

#endif
