/* SPDX-License-Identifier: MIT */
/* Takes the stacks of several sorted texts in order. */
#include "sorted/loser_tree.h"

#include <stdlib.h>

#include "base/mem.h"

void brz_loser_tree_init(brz_loser_tree *t, uint32_t n)
{
    t->n = n;
    t->players = brz_calloc(n, sizeof *t->players);
    t->nodes = brz_calloc(n, sizeof *t->nodes);
    t->common_prefix = brz_prefix_best();
}

void brz_loser_tree_finish(brz_loser_tree *t)
{
    free(t->players);
    free(t->nodes);
    *t = (brz_loser_tree){.n = 0};
}

/* ---- codes -------------------------------------------------------------------------------------
 *
 * From the highest bit on: 24 bits count the bytes that are not shared, 9 bits are the next byte
 * plus 1, or 0 at the end of the stack. The rest is the number of the player if it is over, or if
 * its whole stack is shared, so that such a match ends without looking at stacks.
 */

#define SHARED_AT 40
#define NEXT_AT   31
#define OVER      (UINT64_MAX << NEXT_AT)

static uint64_t code_of(brz_str stack, size_t shared, uint32_t player)
{
    uint64_t rest = (uint64_t)(BRZ_LOSER_TREE_LONGEST - shared) << SHARED_AT;
    if (shared == stack.len)
        return rest | player;
    return rest | (uint64_t)((unsigned char)stack.data[shared] + 1U) << NEXT_AT;
}

static brz_loser loser_of(const brz_loser_tree *t, uint32_t i)
{
    const brz_player *p = &t->players[i];
    return (brz_loser){.code = p->is_over ? OVER | i : code_of(p->stack, p->shared, i),
                       .player = i};
}

static size_t shared_of(uint64_t code)
{
    return BRZ_LOSER_TREE_LONGEST - (size_t)(code >> SHARED_AT);
}

/* ---- matches -----------------------------------------------------------------------------------
 */

/* Swaps two players if the second one has the smaller code. A branch would be mispredicted in every
 * other match. */
static inline void order(brz_loser *first, brz_loser *second)
{
    uint64_t swaps = (uint64_t)0 - (uint64_t)(second->code < first->code);
    uint64_t code = (first->code ^ second->code) & swaps;
    uint32_t player = (first->player ^ second->player) & (uint32_t)swaps;
    first->code ^= code;
    second->code ^= code;
    first->player ^= player;
    second->player ^= player;
}

/* Puts the winner of a match of players with equal codes first. From then on the code of the loser
 * refers to the winner's stack. */
static void compare(const brz_loser_tree *t, brz_loser *first, brz_loser *second)
{
    brz_str a = t->players[first->player].stack, b = t->players[second->player].stack;
    size_t known = shared_of(first->code) + 1;
    size_t shorter = a.len < b.len ? a.len : b.len, same = known;
    if (known < shorter)
        same += t->common_prefix(a.data + known, b.data + known, shorter - known);
    brz_loser x = {code_of(a, same, first->player), first->player};
    brz_loser y = {code_of(b, same, second->player), second->player};
    bool wins = (x.code >> NEXT_AT) <= (y.code >> NEXT_AT);
    first->player = wins ? x.player : y.player;
    *second = wins ? y : x;
}

/* Plays a match and puts the winner first. */
static inline void play(const brz_loser_tree *t, brz_loser *first, brz_loser *second)
{
    if (first->code == second->code)
        compare(t, first, second);
    else
        order(first, second);
}

static void crown(brz_loser_tree *t, brz_loser winner)
{
    t->nodes[0] = winner;
    if (!t->players[winner.player].is_over)
        t->players[winner.player].shared = shared_of(winner.code);
}

void brz_loser_tree_begin(brz_loser_tree *t)
{
    uint32_t n = t->n;
    brz_loser *winners = brz_calloc((size_t)2 * n, sizeof *winners); /* the leaves from n on */
    for (uint32_t i = 0; i < n; i++)
        winners[n + i] = loser_of(t, i);
    for (uint32_t i = n - 1; i > 0; i--) {
        const brz_loser *players = winners + 2 * (size_t)i;
        winners[i] = players[0];
        t->nodes[i] = players[1];
        play(t, &winners[i], &t->nodes[i]);
    }
    crown(t, winners[1]);
    free(winners);
}

void brz_loser_tree_replay(brz_loser_tree *t)
{
    brz_loser winner = loser_of(t, t->nodes[0].player);
    for (uint32_t i = (t->n + winner.player) / 2; i > 0; i /= 2)
        play(t, &winner, &t->nodes[i]);
    crown(t, winner);
}
