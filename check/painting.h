/* Runs a palette on a tree. */
#ifndef BRZ_CHECK_PAINTING_H
#define BRZ_CHECK_PAINTING_H

#include "check.h"
#include "watch.h"

/* A palette that is prepared for a tree. */
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

/* Prepares the palette. Returns false after reporting a failure if `prepare` fails. `newer`: see
 * watch.h. */
bool check_painting_begin(check_painting *p, check *c, size_t component, const brz_tree *tree,
                          unsigned newer);

/* Returns the colour of a node. Several threads may call it. */
uint32_t check_painting_color(const check_painting *p, uint32_t node, uint64_t seed,
                              double more_delta);

/* Reports violations in the palette's calls to the host. */
void check_painting_end(check_painting *p);

/* Returns the colours of all nodes, to be freed with free(), or NULL if `prepare` failed. */
uint32_t *check_paint_all(check *c, size_t component, const brz_tree *tree, unsigned newer);

/* Calls `run` for each palette and each tree, whose arrays are write-protected. Records the current
 * tree for messages about crashes. */
void check_for_each_painted(check *c, bool usual,
                            void (*run)(check *c, size_t component, const brz_tree *tree,
                                        const char *name));

#endif
