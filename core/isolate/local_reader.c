/* SPDX-License-Identifier: MIT */
/* Reads inputs in this process. */
#include "isolate/input_reader.h"

static bool guess_here(const brz_reading *r, brz_guess *g)
{
    brz_found found;
    brz_feed feed;
    if (!brz_reading_find(r, &found))
        return false;
    brz_feed_init(&feed, brz_reading_open(r, &found));
    *g = brz_guess_format(r->registry, &feed);
    brz_source *source = feed.source;
    brz_feed_finish(&feed);
    brz_source_close(source);
    return true;
}

/* Guesses the format of the input in the feed. Returns false if it is not to be collapsed. */
static bool choose(const brz_reading *r, brz_feed *feed, brz_use *use)
{
    brz_guess g = brz_guess_winner(r->registry, feed);
    bool good = r->accept(r->context, &g, feed->source->name, false, use);
    brz_guess_finish(&g);
    return good;
}

static brz_related_found find_related(void *context, brz_str name, uint32_t flags)
{
    const brz_reading *r = context;
    return brz_reading_find_related(r, &r->rules, name, flags);
}

static brz_input_end collapse_here(const brz_reading *r, brz_collected *into)
{
    brz_found found;
    brz_feed feed;
    brz_use use = {0};
    if (!brz_reading_find(r, &found))
        return BRZ_INPUT_FAILED;
    brz_related *related = brz_related_create(find_related, (void *)(uintptr_t)r, r->run->console);
    if (found.whole && r->rules.sysroot == NULL)
        brz_related_set_input(related, found.fd);
    brz_source *source = brz_reading_open(r, &found);
    brz_feed_init(&feed, source);
    if (r->uses_cache && r->rules.sysroot == NULL && r->rules.beneath == NULL)
        brz_related_use_cache(related);
    bool good = (r->named != NULL || choose(r, &feed, &use)) &&
                brz_reading_collapse(r, &use, &feed, r->run, related, BRZ_OTHERS_ON_DEMAND, into);
    brz_related_destroy(related);
    brz_use_finish(&use);
    brz_feed_finish(&feed);
    brz_source_close(source);
    return good ? BRZ_INPUT_READ : BRZ_INPUT_FAILED;
}

const brz_input_reader brz_local_reader = {guess_here, collapse_here};
