/* SPDX-License-Identifier: MIT */
/* Holds stacks as nodes of a tree. */
#include "profile/stack_tree.h"

#include <brazier/text/hash.h>

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

void brz_stack_tree_clear(brz_stack_tree *t)
{
    if (t->cap == 0)
        t->nodes = brz_grow(NULL, 0, &t->cap, sizeof *t->nodes);
    t->nodes[0] = (brz_stack_node){0};
    t->n = 1;
    free(t->slots);
    t->slots = NULL;
    t->n_slots = 0;
}

static uint32_t *slot_of(const brz_stack_tree *t, uint32_t parent, brz_frame frame)
{
    uint64_t h = brz_hash_pair(brz_hash_host_keys(), parent, frame);
    size_t mask = t->n_slots - 1, at = (size_t)h & mask;
    for (; t->slots[at] != 0; at = (at + 1) & mask) {
        const brz_stack_node *n = &t->nodes[t->slots[at]];
        if (n->parent == parent && n->frame == frame)
            break;
    }
    return &t->slots[at];
}

static void rehash(brz_stack_tree *t)
{
    free(t->slots);
    t->n_slots = t->n_slots > 0 ? 2 * t->n_slots : 256;
    t->slots = brz_calloc(t->n_slots, sizeof *t->slots);
    for (size_t i = 1; i < t->n; i++)
        *slot_of(t, t->nodes[i].parent, t->nodes[i].frame) = (uint32_t)i;
}

uint32_t brz_stack_tree_child(brz_stack_tree *t, uint32_t parent, brz_frame frame)
{
    if (2 * t->n >= t->n_slots)
        rehash(t);
    uint32_t *slot = slot_of(t, parent, frame);
    if (*slot == 0)
        *slot = brz_stack_tree_add(t, parent, frame);
    return *slot;
}

void brz_stack_tree_store(const brz_stack_tree *t, brz_profile *p, brz_frame **paths)
{
    for (size_t i = t->n; i-- > 0;) {
        if (t->nodes[i].mark == 0 || paths[i] != NULL)
            continue;
        brz_frame *frames = brz_profile_add_frames(p, t->nodes[i].depth);
        uint32_t k = (uint32_t)i;
        for (; k != 0; k = t->nodes[k].parent) {
            frames[t->nodes[k].depth - 1] = t->nodes[k].frame;
            paths[k] = paths[k] != NULL ? paths[k] : frames;
        }
        paths[0] = frames;
    }
}

void brz_stack_tree_finish(brz_stack_tree *t)
{
    free(t->nodes);
    free(t->slots);
    memset(t, 0, sizeof *t);
}
