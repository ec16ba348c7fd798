/* SPDX-License-Identifier: MIT */
/* Runs a palette on a tree. */
#ifndef BRZ_CHECK_RUN_PALETTE_H
#define BRZ_CHECK_RUN_PALETTE_H

#include "check/contract/check.h"
#include "check/guard/host_monitor.h"

/* A palette that is prepared for a tree. */
typedef struct check_palette_run {
    check *check;
    const brz_loaded *loaded;
    const brz_palette *palette;
    const brz_tree *tree;
    brz_instance *instance;
    check_host_monitor monitor;
    double largest_delta;
    unsigned newer;
} check_palette_run;

/* Prepares the palette. Returns false after reporting a failure if `prepare` fails. `newer`: see
 * host_monitor.h. */
bool check_palette_run_begin(check_palette_run *p, check *c, size_t component, const brz_tree *tree,
                             unsigned newer);

/* Returns the colour of a node. Several threads may call it. */
uint32_t check_palette_run_color(const check_palette_run *p, uint32_t node, uint64_t seed,
                                 double more_delta);

/* Reports violations in the palette's calls to the host. */
void check_palette_run_end(check_palette_run *p);

/* Returns the colours of all nodes, to be freed with free(), or NULL if `prepare` failed. */
uint32_t *check_palette_colors(check *c, size_t component, const brz_tree *tree, unsigned newer);

/* Calls `run` for each palette and each tree, whose arrays are write-protected. Records the current
 * tree for messages about crashes. */
void check_for_each_palette(check *c, bool typical_only,
                            void (*run)(check *c, size_t component, const brz_tree *tree,
                                        const char *name));

#endif
