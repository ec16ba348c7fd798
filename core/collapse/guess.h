/* SPDX-License-Identifier: MIT */
/* Guesses the format of an input: asks every collapser and accepts only a clear winner. */
#ifndef BRZ_GUESS_H
#define BRZ_GUESS_H

#include "collapse/foreign.h"
#include "input/feed.h"
#include "plugin/registry.h"
#include "profile/wire.h"

/* A collapser and its score for an input. */
typedef struct brz_candidate {
    const brz_loaded *loaded;
    int32_t score;
} brz_candidate;

/* The kind of reason why there is nothing to recognise. */
typedef enum brz_guess_nothing {
    BRZ_NOTHING_KNOWN, /* there may be something, in an unknown format */
    BRZ_NOTHING_READ,  /* the input cannot be read */
    BRZ_NOTHING_THERE, /* the input is empty */
} brz_guess_nothing;

typedef struct brz_guess {
    brz_candidate *items; /* scores above 0, best first */
    size_t n;
    const brz_loaded *winner; /* NULL: no score is high enough, or two are too close */
    brz_foreign foreign;      /* recognised format that no collapser reads, or NULL */
    brz_buf why_nothing;      /* reason why there is nothing to recognise, or empty */
    brz_guess_nothing nothing;
} brz_guess;

/* Minimum score of a winner, and minimum distance to the next score. */
#define BRZ_GUESS_LEAST 40
#define BRZ_GUESS_AHEAD 10

/* Returns a collapser's score for the beginning of an input, decoded as the collapser demands, 0 to
 * 100: the best of its magic numbers, file names and sniffer. Negative scores of the sniffer are
 * returned unchanged. `input` is the name for a message if the collapser crashes, or NULL. */
int32_t brz_guess_score(const brz_loaded *l, const brz_head *head, const char *input);

/* Returns the beginning of the input, as the feed has it. Reads missing bytes into the feed. Valid
 * until the feed is filled. */
brz_head brz_guess_head(brz_feed *feed);

/* Returns the beginning of the input, decoded as a collapser demands; likewise. */
brz_head brz_guess_head_for(brz_feed *feed, const brz_loaded *l);

/* Loads the collapsers that may recognise an input by their hints. Others score 0 for it. `head` is
 * its beginning as text. */
void brz_guess_load(brz_registry *registry, const brz_head *head, brz_feed *feed);

/* Guesses the format of the input in the feed. Reads missing bytes into it. The result does not
 * depend on the order in which collapsers were found. */
brz_guess brz_guess_format(brz_registry *registry, brz_feed *feed);

/* Does the same with less to load: if the input begins with a magic number that only one shipped
 * collapser has, no other one is asked. The winner is the same, and then the only candidate. */
brz_guess brz_guess_winner(brz_registry *registry, brz_feed *feed);

/* Guesses among the collapsers that are already loaded, for processes that may not open files. */
brz_guess brz_guess_loaded(const brz_registry *registry, brz_feed *feed);

/* Does the same for a beginning that was kept before the feed advanced. */
brz_guess brz_guess_by_head(const brz_registry *registry, const brz_head *head, brz_feed *feed);

/* Guesses by the beginning of a text in ASCII that was read without a source, with slack around it.
 * `raw` is the undecoded beginning, or NULL if that is the same. */
brz_guess brz_guess_text(brz_registry *registry, const brz_head *head, const brz_source_head *raw,
                         const char *input);

void brz_guess_finish(brz_guess *g);

/* Guess in two processes: one calls the collapsers, sends the scores and evaluates them; the other
 * one receives the scores and evaluates them, too. Both have loaded all collapsers. */
brz_guess brz_guess_give(const brz_registry *registry, brz_feed *feed, brz_wire_out *out);
bool brz_guess_take(const brz_registry *registry, brz_wire_in *in, brz_guess *g);

/* Returns the score of each component of the registry; 0 for those that are not asked. The caller
 * frees the array. */
int32_t *brz_guess_scores(const brz_registry *registry, const brz_head *head, brz_feed *feed,
                          size_t *n);

/* Returns the foreign format of an input by its beginning, or NULL. */
brz_foreign brz_guess_foreign(const brz_head *head);

/* Appends a message that says why there is no winner and what to do: `option` names a format. */
void brz_guess_explain(const brz_guess *g, const char *input, const char *option, brz_buf *b);

/* Returns the code of that message. */
const char *brz_guess_code(const brz_guess *g);

#endif
