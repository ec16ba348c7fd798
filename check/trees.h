/* The trees that palettes and outputs are tested with: typical ones, and unusual ones that are
 * still valid. */
#ifndef BRZ_CHECK_TREES_H
#define BRZ_CHECK_TREES_H

#include "board.h"
#include "profile/call_tree.h"

typedef struct check_tree_kind {
    const char *name;
    bool usual; /* a typical tree; otherwise an unusual one */
} check_tree_kind;

/* Returns the i-th kind of tree, or NULL after the last one. */
const check_tree_kind *check_tree_kind_at(size_t i);

typedef struct check_trees {
    brz_profile *profile;
    brz_call_tree view;
} check_trees;

/* Builds a tree of the i-th kind in the form given by `wanted`. */
void check_tree_make(check_trees *t, size_t kind, const brz_call_tree_options *wanted);
void check_tree_finish(check_trees *t);

/* A copy of a tree in write-protected arrays. If `newer` (see watch.h) asks for it, the structs and
 * array elements are larger, and an unknown flag is set. */
typedef struct check_stretched {
    struct {
        brz_tree tree;
        unsigned char beyond[64];
    } longer;
    void *map;
    size_t map_len;
    check_board *board; /* the board that the memory is registered with */
    size_t area;
} check_stretched;

const brz_tree *check_tree_stretch(check_stretched *s, const brz_tree *t, unsigned newer,
                                   check_board *board);
void check_stretched_finish(check_stretched *s);

#endif
