/* Takes the stacks of several sorted texts in order. */
#include "run/loser_tree.h"

#include <stdlib.h>

#include "base/mem.h"
#include "run/folded_lines.h"

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

static brz_str behind(brz_str s, size_t n)
{
    return brz_str_of(s.data + n, s.len - n);
}

/* Compares stacks of which `known` bytes are equal. Sets the number of all bytes that are. */
static bool comes_first(brz_prefix_fn *f, brz_str a, brz_str b, size_t known, size_t *shared)
{
    size_t same = known + brz_folded_shared(f, behind(a, known), behind(b, known));
    *shared = same;
    if (same == a.len || same == b.len)
        return a.len <= b.len;
    return (unsigned char)a.data[same] < (unsigned char)b.data[same];
}

/* Plays a match of two players, whose numbers of shared bytes refer to the same stack. From then on
 * that of the loser refers to the winner's. Returns whether the first one wins. */
static bool play(const brz_loser_tree *t, uint32_t first, uint32_t second)
{
    brz_player *a = &t->players[first], *b = &t->players[second];
    size_t shared;
    if (a->is_over || b->is_over)
        return b->is_over;
    if (a->shared != b->shared)
        return a->shared > b->shared;
    bool wins = comes_first(t->common_prefix, a->stack, b->stack, a->shared, &shared);
    (wins ? b : a)->shared = shared;
    return wins;
}

void brz_loser_tree_begin(brz_loser_tree *t)
{
    uint32_t n = t->n;
    uint32_t *winners = brz_calloc((size_t)2 * n, sizeof *winners); /* the leaves from n on */
    for (uint32_t i = 0; i < n; i++)
        winners[n + i] = i;
    for (uint32_t i = n - 1; i > 0; i--) {
        uint32_t a = winners[2 * i], b = winners[2 * i + 1];
        bool wins = play(t, a, b);
        winners[i] = wins ? a : b;
        t->nodes[i] = wins ? b : a;
    }
    t->nodes[0] = winners[1];
    free(winners);
}

void brz_loser_tree_replay(brz_loser_tree *t)
{
    uint32_t winner = t->nodes[0];
    for (uint32_t i = (t->n + winner) / 2; i > 0; i /= 2) {
        if (play(t, winner, t->nodes[i]))
            continue;
        uint32_t loser = winner;
        winner = t->nodes[i];
        t->nodes[i] = loser;
    }
    t->nodes[0] = winner;
}
