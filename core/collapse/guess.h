/* Which format an input is in: asks every collapser, and lets none win by chance. */
#ifndef BRZ_GUESS_H
#define BRZ_GUESS_H

#include "collapse/foreign.h"
#include "input/feed.h"
#include "plugin/registry.h"
#include "profile/wire.h"

/* How sure a collapser is that an input is in its format. */
typedef struct brz_candidate {
    const brz_loaded *loaded;
    int32_t score;
} brz_candidate;

typedef struct brz_guess {
    brz_candidate *items; /* by score, best first; none of 0 */
    size_t n;
    const brz_loaded *winner;   /* NULL: none is sure enough, or two are about as sure */
    const brz_foreign *foreign; /* a format that no collapser reads; NULL: none is recognised */
    brz_buf why_nothing;        /* why there is nothing to look at; empty: there is */
} brz_guess;

/* A winner is at least this sure, and by at least so much surer than the next. */
#define BRZ_GUESS_LEAST 40
#define BRZ_GUESS_AHEAD 10

/* What one collapser says of the beginning of an input, 0 to 100: the best of its magics, its file
 * names and its sniffer. What the sniffer says below 0 is handed on. `input` is its name for a
 * message should the collapser crash, or NULL. */
int32_t brz_guess_score(const brz_loaded *l, const brz_head *head, const char *input);

/* The beginning of an input, as sniffers see it; reads into the feed what is missing. Valid until
 * the feed is filled. */
brz_head brz_guess_head(brz_feed *feed);

/* Looks at what the feed has; reads into it what is missing. The result does not depend on the
 * order in which collapsers were found. */
brz_guess brz_guess_format(brz_registry *registry, brz_feed *feed);

/* The same of the collapsers that are loaded, where no file may be opened. */
brz_guess brz_guess_loaded(const brz_registry *registry, brz_feed *feed);
void brz_guess_finish(brz_guess *g);

/* The same for two processes: one asks and gives what it was told, and judges; the other takes
 * that, and judges for itself. All collapsers are loaded in both. */
brz_guess brz_guess_give(const brz_registry *registry, brz_feed *feed, brz_wire_out *out);
bool brz_guess_take(const brz_registry *registry, brz_wire_in *in, brz_guess *g);

/* Returns what each component of the registry says of an input, 0 for those that are not asked. The
 * caller frees it. */
int32_t *brz_guess_scores(const brz_registry *registry, const brz_head *head, brz_feed *feed,
                          size_t *n);

/* Returns the foreign format that the beginning of an input is in, or NULL. */
const brz_foreign *brz_guess_foreign(const brz_head *head);

/* Adds to `b` why there is no winner, and what to do. */
void brz_guess_explain(const brz_guess *g, const char *input, brz_buf *b);

#endif
