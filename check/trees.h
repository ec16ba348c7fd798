/* Trees that palettes and outputs are tried with: usual ones, and some that no profile should be,
 * but may. */
#ifndef BRZ_CHECK_TREES_H
#define BRZ_CHECK_TREES_H

#include "board.h"
#include "profile/call_tree.h"

typedef struct check_tree_kind {
    const char *name;
    bool usual; /* else what odd profiles are made of */
} check_tree_kind;

/* The i-th; NULL behind the last one. */
const check_tree_kind *check_tree_kind_at(size_t i);

typedef struct check_trees {
    brz_profile *profile;
    brz_call_tree view;
} check_trees;

/* Makes a tree of the i-th kind in the form that `wanted` says. */
void check_tree_make(check_trees *t, size_t kind, const brz_call_tree_options *wanted);
void check_tree_finish(check_trees *t);

/* A copy of a tree whose arrays cannot be written. If `newer` says so (watch.h), it is in a longer
 * struct, with elements that are larger, and has a flag that nobody knows. */
typedef struct check_stretched {
    struct {
        brz_tree tree;
        unsigned char beyond[64];
    } longer;
    void *map;
    size_t map_len;
    check_board *board; /* is told where it is */
    size_t area;
} check_stretched;

const brz_tree *check_tree_stretch(check_stretched *s, const brz_tree *t, unsigned newer,
                                   check_board *board);
void check_stretched_finish(check_stretched *s);

#endif
