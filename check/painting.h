/* Lets a palette colour a tree. */
#ifndef BRZ_CHECK_PAINTING_H
#define BRZ_CHECK_PAINTING_H

#include "check.h"
#include "watch.h"

/* A palette that has prepared for a tree. */
typedef struct check_painting {
    check *check;
    const brz_loaded *loaded;
    const brz_palette *palette;
    const brz_tree *tree;
    brz_instance *instance;
    check_watch watch;
    double largest_delta;
    unsigned newer;
} check_painting;

/* False, said so, if `prepare` failed. `newer`: see watch.h. */
bool check_painting_begin(check_painting *p, check *c, size_t component, const brz_tree *tree,
                          unsigned newer);

/* The colour of a node. May be called from several threads. */
uint32_t check_painting_color(const check_painting *p, uint32_t node, uint64_t seed,
                              double more_delta);

/* Says what is wrong with what it called. */
void check_painting_end(check_painting *p);

/* Colours of all nodes; free() them. NULL if `prepare` failed. */
uint32_t *check_paint_all(check *c, size_t component, const brz_tree *tree, unsigned newer);

/* Tells which trees are being coloured: calls `run` with each, as arrays that cannot be written. */
void check_for_each_painted(check *c, bool usual,
                            void (*run)(check *c, size_t component, const brz_tree *tree,
                                        const char *name));

#endif
