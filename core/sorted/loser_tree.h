/* SPDX-License-Identifier: MIT */
/* Finds the first of the next stacks of several sorted inputs: a loser tree.
 *
 * Each player holds the next stack of a text. A node remembers the loser of its match, so that only
 * the matches above the last winner are played again.
 *
 * A node holds the code of its player: the number of bytes that the stack shares with the one that
 * beat it, and the byte after them (offset-value coding: W. M. Conner, IBM Technical Disclosure
 * Bulletin 20/7, 1977). Codes of the same match refer to the same stack. More shared bytes come
 * first, then the smaller byte; the loser then shares with the winner what it shared before. Stacks
 * are read only if their codes are equal. Each byte is therefore compared about once, for any
 * number of texts.
 */
#ifndef BRZ_LOSER_TREE_H
#define BRZ_LOSER_TREE_H

#include <brazier/text/find.h>

#include <stdint.h>

/* Maximum length of a stack. */
#define BRZ_LOSER_TREE_LONGEST ((UINT32_C(1) << 24) - 2)

typedef struct brz_player {
    brz_str stack; /* up to BRZ_LOSER_TREE_LONGEST bytes, with 32 readable ones after it */
    size_t shared; /* of the first player: bytes in common with the stack that was taken last */
    bool is_over;  /* the text has no more stacks */
} brz_player;

/* A player in a match. */
typedef struct brz_loser {
    uint64_t code; /* the smaller one comes first */
    uint32_t player;
} brz_loser;

typedef struct brz_loser_tree {
    brz_player *players; /* by text */
    brz_loser *nodes;    /* losers by node, from 1 on; at 0 the winner of all */
    uint32_t n;
    brz_prefix_fn *common_prefix;
} brz_loser_tree;

/* Allocates a tree of `n` players, from 1 to 2^31 - 1, which the caller fills in: `shared` is 0. */
void brz_loser_tree_init(brz_loser_tree *t, uint32_t n);

/* Plays all matches. */
void brz_loser_tree_begin(brz_loser_tree *t);

/* Returns the player whose stack comes first. All players are over if it is. Of equal stacks any
 * one comes first. */
static inline uint32_t brz_loser_tree_first(const brz_loser_tree *t)
{
    return t->nodes[0].player;
}

/* Plays the matches of the first player again, whose stack was taken and replaced by the next one
 * of its text; `shared` counts the bytes that both have in common. */
void brz_loser_tree_replay(brz_loser_tree *t);

/* Frees a tree; a zeroed one is allowed. */
void brz_loser_tree_finish(brz_loser_tree *t);

#endif
