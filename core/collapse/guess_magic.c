/* Guesses the format of an input by a magic number, without loading other collapsers. */
#include "collapse/guess.h"

#include <string.h>

#include "base/mem.h"

/* A magic number at the beginning of an input: a shipped collapser is certain of it, and no other
 * one has it. */
typedef struct known_magic {
    char bytes[9];
    uint8_t len;
    const char *id;
} known_magic;

static const known_magic known_magics[] = {
    {"PERFILE2", 8, "perf-data"},
    {"2ELIFREP", 8, "perf-data"},
    {"PERFFILE", 8, "perf-data"},
    {"ELIFFREP", 8, "perf-data"},
    {"FLR", 4, "jfr"},
};

/* Returns the id of the shipped collapser whose magic number an input begins with, or NULL. */
static const char *id_by_magic(const brz_head *head)
{
    for (size_t i = 0; i < BRZ_COUNT_OF(known_magics); i++) {
        const known_magic *m = &known_magics[i];
        if (head->len >= m->len && memcmp(head->data, m->bytes, m->len) == 0)
            return m->id;
    }
    return NULL;
}

/* Returns the shipped collapser with an id, or NULL if it is missing or not allowed, or if a
 * plug-in of the user replaces it. */
static const brz_loaded *find_shipped(brz_registry *registry, const char *id)
{
    const brz_loaded *l =
        brz_registry_find(registry, BRZ_COLLAPSER, brz_str_of(id, strlen(id)), NULL);
    bool is_shipped = l != NULL && brz_registry_tier_of_file(registry, l->path) == BRZ_TIER_SHIPPED;
    return is_shipped && !brz_registry_is_incomplete(registry) ? l : NULL;
}

/* Returns the collapser that is certain of an input by its magic number, or NULL. */
static const brz_loaded *find_certain(brz_registry *registry, brz_feed *feed)
{
    brz_head head = brz_guess_head(feed);
    const char *id = id_by_magic(&head);
    if (id == NULL || feed->source->stream->state == BRZ_STREAM_FAILED)
        return NULL;
    const brz_loaded *l = find_shipped(registry, id);
    if (l == NULL)
        return NULL;
    head = brz_guess_head_for(feed, l);
    return brz_guess_score(l, &head, feed->source->name) == BRZ_SNIFF_MAGIC ? l : NULL;
}

brz_guess brz_guess_winner(brz_registry *registry, brz_feed *feed)
{
    const brz_loaded *certain = find_certain(registry, feed);
    if (certain == NULL)
        return brz_guess_format(registry, feed);
    brz_guess g = {.n = 1, .winner = certain};
    g.items = brz_calloc(1, sizeof *g.items);
    g.items[0] = (brz_candidate){certain, BRZ_SNIFF_MAGIC};
    return g;
}
