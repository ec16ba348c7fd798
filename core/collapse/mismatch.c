/* SPDX-License-Identifier: MIT */
/* Detects inputs that are not in the expected format. */
#include "collapse/mismatch.h"

#include <stdlib.h>
#include <string.h>

#include <brazier/draft/text_format.h>

#include "collapse/condition.h"

/* Returns whether others are missing, which is recorded. */
static bool lacks_others(brz_expected_format *e)
{
    e->lacks_others = e->others == BRZ_OTHERS_MISSING;
    return e->lacks_others;
}

/* Reports an error and returns false if another collapser recognises the input. Returns false if
 * others are missing. */
static bool check_others(brz_expected_format *e, brz_feed *feed, brz_console *console)
{
    if (lacks_others(e))
        return false;
    brz_guess g = e->others == BRZ_OTHERS_LOADED ? brz_guess_loaded(e->registry, feed)
                                                 : brz_guess_format(e->registry, feed);
    bool good = g.winner == NULL || g.winner == e->collapser;
    if (!good)
        brz_say_code(console, BRZ_FATAL, BRZ_SAYS_FORMAT,
                     "%s: looks like %s, not like %s; add --from %s, or use brazier run, which "
                     "guesses the format",
                     feed->source->name, g.winner->component->id, e->collapser->component->id,
                     g.winner->component->id);
    brz_guess_finish(&g);
    return good;
}

static bool is_shipped(const brz_expected_format *e)
{
    return brz_registry_ships(e->registry, e->collapser);
}

static bool reads_binary(const brz_expected_format *e)
{
    return (((const brz_collapser *)e->collapser->vtable)->flags & BRZ_BINARY) != 0;
}

/* Returns whether a foreign format rules out the expected one, which has this score. */
static bool rules_out(const brz_expected_format *e, brz_foreign f, const brz_head *head,
                      int32_t score)
{
    bool vague = brz_foreign_is_vague(f),
         binary = brz_is_binary(brz_str_of((const char *)head->data, head->len));
    if (reads_binary(e))
        return !vague && score < BRZ_SNIFF_HEADER;
    if (!is_shipped(e))
        return binary && score == 0;
    if (vague)
        return score < BRZ_GUESS_LEAST && (binary || !e->is_chosen);
    return score < BRZ_SNIFF_HEADER;
}

static bool say_foreign(brz_foreign f, const char *input, brz_console *console)
{
    brz_buf what = {0};
    brz_foreign_add(f, &what);
    brz_say_code(console, BRZ_FATAL, BRZ_SAYS_FORMAT, "%s: %s", input, brz_buf_text(&what));
    brz_buf_finish(&what);
    return false;
}

static bool reads_any_bytes(const brz_expected_format *e)
{
    return (((const brz_collapser *)e->collapser->vtable)->flags & BRZ_RAW) != 0;
}

/* Returns whether the user describes the format with options, which `sniff` does not know. */
static bool is_described_by_options(const brz_expected_format *e)
{
    const brz_collapser *c = e->collapser->vtable;
    return c->offer != NULL && c->offer(BRZ_TEXT_FORMAT_ID) != NULL;
}

bool brz_check_format(brz_expected_format *e, brz_feed *feed, brz_console *console)
{
    if (reads_any_bytes(e))
        return true;
    brz_head head = brz_guess_head_for(feed, e->collapser);
    int32_t score = brz_guess_score(e->collapser, &head, feed->source->name);
    if (head.len == 0 || score >= BRZ_SNIFF_HEADER)
        return true;
    brz_foreign foreign = brz_guess_foreign(&head);
    if (foreign != NULL && rules_out(e, foreign, &head, score))
        return (!brz_foreign_is_vague(foreign) || check_others(e, feed, console)) &&
               say_foreign(foreign, feed->source->name, console);
    if (e->is_chosen || score >= BRZ_GUESS_LEAST)
        return true;
    return check_others(e, feed, console);
}

const brz_loaded *brz_find_surer(brz_expected_format *e, brz_feed *feed)
{
    brz_head head = brz_guess_head_for(feed, e->collapser);
    size_t n;
    bool shadowed;
    const brz_loaded *found = NULL;
    if (head.len == 0 || reads_any_bytes(e) || !is_shipped(e) ||
        brz_guess_score(e->collapser, &head, feed->source->name) >= BRZ_SNIFF_RECORDS)
        return NULL;
    if (lacks_others(e) || is_described_by_options(e))
        return NULL;
    brz_head text = brz_guess_head(feed);
    if (e->others == BRZ_OTHERS_ON_DEMAND)
        brz_guess_load(e->registry, &text, feed);
    int32_t *scores = brz_guess_scores(e->registry, &text, feed, &n);
    for (size_t i = 0; i < n && found == NULL; i++) {
        brz_tier tier;
        const brz_loaded *l = brz_registry_at(e->registry, i, &tier, &shadowed);
        if (l != e->collapser && tier == BRZ_TIER_SHIPPED && scores[i] >= BRZ_SNIFF_HEADER)
            found = l;
    }
    free(scores);
    return found;
}

void brz_say_surer(const brz_expected_format *e, const brz_loaded *surer, const char *input,
                   brz_console *console)
{
    const char *id = surer->component->id;
    brz_say_code(console, BRZ_FATAL, BRZ_SAYS_FORMAT,
                 "%s: looks like %s, not like %s; --from %s reads it", input, id,
                 e->collapser->component->id, id);
}

/* Returns whether the head consists of blank lines and comments. */
static bool is_blank(const brz_head *head)
{
    bool in_comment = false, at_start = true;
    for (size_t i = 0; i < head->len; i++) {
        uint8_t c = head->data[i];
        in_comment = c != '\n' && (in_comment || (at_start && c == '#'));
        at_start = c == '\n' || (at_start && (c == ' ' || c == '\t' || c == '\r'));
        if (!at_start && !in_comment)
            return false;
    }
    return true;
}

bool brz_is_foreign(const brz_loaded *collapser, brz_feed *feed)
{
    brz_head head = brz_guess_head_for(feed, collapser);
    head.name = BRZ_STR("");
    return !is_blank(&head) && brz_guess_score(collapser, &head, feed->source->name) <= 0;
}

uint8_t *brz_keep_head(brz_feed *feed, brz_head *head)
{
    *head = brz_guess_head(feed);
    if (feed->ended)
        return NULL; /* the feed keeps the bytes */
    uint8_t *memory = brz_slack_buffer(head->len);
    memcpy(memory + BRZ_SLACK_FRONT, head->data, head->len);
    head->data = memory + BRZ_SLACK_FRONT;
    return memory;
}

const brz_loaded *brz_find_format(brz_expected_format *e, const brz_head *head, brz_feed *feed)
{
    if (lacks_others(e))
        return NULL;
    if (e->others == BRZ_OTHERS_ON_DEMAND)
        brz_guess_load(e->registry, head, feed);
    brz_guess g = brz_guess_by_head(e->registry, head, feed);
    const brz_loaded *found = g.winner != e->collapser ? g.winner : NULL;
    brz_guess_finish(&g);
    return found;
}
