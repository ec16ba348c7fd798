/* Takes the stacks of several sorted texts in order: a loser tree.
 *
 * Each player holds the next stack of a text. A node remembers the loser of its match, so that only
 * the matches above the last winner are played again. Players know how many bytes their stacks have
 * in common with the stack that was taken last. The one with more of them comes first; other bytes
 * are compared only if the numbers are equal. Each byte is therefore compared about once, for any
 * number of texts.
 */
#ifndef BRZ_LOSER_TREE_H
#define BRZ_LOSER_TREE_H

#include <brazier/text/find.h>

#include <stdint.h>

typedef struct brz_player {
    brz_str stack;
    size_t shared; /* bytes in common with the stack that was taken last */
    bool is_over;  /* the text has no more stacks */
} brz_player;

typedef struct brz_loser_tree {
    brz_player *players; /* by text */
    uint32_t *nodes;     /* losers by node, from 1 on; at 0 the winner of all */
    uint32_t n;
    brz_prefix_fn *common_prefix;
} brz_loser_tree;

/* Allocates a tree of `n` players, at least 1, which the caller fills in: `shared` is 0. */
void brz_loser_tree_init(brz_loser_tree *t, uint32_t n);

/* Plays all matches. */
void brz_loser_tree_begin(brz_loser_tree *t);

/* Returns the player whose stack comes first. All players are over if it is. Of equal stacks any
 * one comes first. */
static inline uint32_t brz_loser_tree_first(const brz_loser_tree *t)
{
    return t->nodes[0];
}

/* Plays the matches of the first player again, whose stack was taken and replaced by the next one
 * of its text. */
void brz_loser_tree_replay(brz_loser_tree *t);

/* Frees a tree; a zeroed one is allowed. */
void brz_loser_tree_finish(brz_loser_tree *t);

#endif
