/* SPDX-License-Identifier: MIT */
/* Builds the trees for tests of palettes and outputs: typical ones, and valid but unusual ones. */
#ifndef BRZ_CHECK_SAMPLE_TREES_H
#define BRZ_CHECK_SAMPLE_TREES_H

#include "check/guard/crash_record.h"
#include "profile/call_tree.h"

typedef struct check_tree_kind {
    const char *name;
    bool typical; /* a typical tree; otherwise an unusual one */
} check_tree_kind;

/* Returns the i-th kind of tree, or NULL after the last one. */
const check_tree_kind *check_tree_kind_at(size_t i);

typedef struct check_sample_tree {
    brz_profile *profile;
    brz_call_tree call_tree;
} check_sample_tree;

/* Builds a tree of the i-th kind in the form given by `wanted`. */
void check_sample_tree_build(check_sample_tree *t, size_t kind,
                             const brz_call_tree_options *wanted);
void check_sample_tree_finish(check_sample_tree *t);

/* A copy of a tree in write-protected arrays. If `newer` (see host_monitor.h) asks for it, the
 * structs and array elements are larger, and an unknown flag is set. */
typedef struct check_protected_tree {
    struct {
        brz_tree tree;
        unsigned char beyond[64];
    } longer;
    void *map;
    size_t map_len;
    check_crash_record *crash_record; /* the crash_record that the memory is registered with */
    size_t area;
} check_protected_tree;

const brz_tree *check_tree_protect(check_protected_tree *s, const brz_tree *t, unsigned newer,
                                   check_crash_record *crash_record);
void check_protected_tree_finish(check_protected_tree *s);

#endif
