/* SPDX-License-Identifier: MIT */
/* Guesses the format of an input. */
#include "collapse/guess.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/format_score.h"
#include "collapse/hints.h"
#include "plugin/budget.h"
#include "plugin/crash.h"
#include "plugin/process_state.h"
#include "base/mem.h"

/* Maximum score of a third-party collapser if a shipped one is certain. */
#define OUTSIDER_LIMIT 89

static int32_t score_magics(const brz_collapser *c, const brz_head *head)
{
    int32_t best = 0;
    for (uint32_t i = 0; i < c->n_magics; i++) {
        const brz_magic *m = brz_at(c->magics, c->magic_size, i);
        bool raw = (m->flags & BRZ_MAGIC_RAW) != 0;
        const uint8_t *data = raw ? head->raw : head->data;
        size_t len = raw ? head->raw_len : head->len;
        if (data != NULL && m->len > 0 && m->offset <= len && len - m->offset >= m->len &&
            memcmp(data + m->offset, m->bytes, m->len) == 0 && m->score > best)
            best = m->score;
    }
    return best;
}

static int32_t score_name(const brz_collapser *c, const brz_head *head)
{
    for (const char *const *glob = c->globs; glob != NULL && *glob != NULL; glob++)
        if (brz_name_matches(head->name, *glob))
            return BRZ_SNIFF_NAME;
    return 0;
}

static int32_t score_plugin(const brz_loaded *l, const brz_head *head, const char *input)
{
    const brz_collapser *c = l->vtable;
    int32_t magic = score_magics(c, head), name = score_name(c, head);
    brz_call_enter(l, "sniff", input, 0, head->len);
    int32_t sniffed = magic >= BRZ_SNIFF_MAGIC ? 0 : c->sniff(head);
    brz_call_leave();
    int32_t best = magic > sniffed ? magic : sniffed;
    return best > name ? best : name;
}

int32_t brz_guess_score(const brz_loaded *l, const brz_head *head, const char *input)
{
    if (l->format == NULL)
        return score_plugin(l, head, input);
    int32_t own = brz_format_score(l, head, input);
    int32_t theirs = score_plugin(brz_loaded_plain(l), head, input);
    return own > theirs ? own : theirs;
}

/* Returns the score of a collapser in a guess. A format competes with the collapser that it uses
 * only if that leaves texts to the expressions of formats, or has the same id. */
static int32_t score_guessed(const brz_loaded *l, const brz_head *head, const char *input)
{
    bool competes = l->format == NULL || brz_text_format_of(l) != NULL || brz_format_replaces(l);
    return competes ? brz_guess_score(l, head, input) : brz_format_score(l, head, input);
}

static int by_score(const void *a, const void *b)
{
    const brz_candidate *x = a, *y = b;
    if (x->score != y->score)
        return x->score > y->score ? -1 : 1;
    return strcmp(x->loaded->component->id, y->loaded->component->id);
}

static void limit_outsiders(brz_guess *g, const brz_tier *tiers)
{
    bool shipped_is_sure = false;
    for (size_t i = 0; i < g->n; i++)
        shipped_is_sure |= tiers[i] == BRZ_TIER_SHIPPED && g->items[i].score > OUTSIDER_LIMIT;
    for (size_t i = 0; i < g->n && shipped_is_sure; i++)
        if (tiers[i] != BRZ_TIER_SHIPPED && g->items[i].score > OUTSIDER_LIMIT)
            g->items[i].score = OUTSIDER_LIMIT;
}

static size_t count_components(const brz_registry *registry)
{
    brz_tier tier;
    bool shadowed;
    size_t n = 0;
    while (brz_registry_at(registry, n, &tier, &shadowed) != NULL)
        n++;
    return n;
}

brz_head brz_guess_head(brz_feed *feed)
{
    brz_feed_fill(feed, BRZ_HEAD_SIZE);
    size_t len = brz_feed_len(feed);
    const brz_source_head *raw = &feed->source->raw;
    brz_head head = {.struct_size = sizeof head, .data = brz_feed_data(feed)};
    head.len = len < BRZ_HEAD_SIZE ? len : BRZ_HEAD_SIZE;
    head.flags = feed->ended && len == head.len ? BRZ_CHUNK_LAST : 0;
    head.name = brz_source_file_name(feed->source);
    head.raw = raw->memory + BRZ_SLACK_FRONT;
    head.raw_len = raw->n;
    return head;
}

/* The beginning of an input in the other forms that collapsers demand: NULL, or without bytes, if
 * it is the same. */
typedef struct other_heads {
    const brz_source_head *raw, *binary;
} other_heads;

/* Returns the beginning of the input, decoded as a collapser demands. `head` is the beginning as
 * text. */
static brz_head head_for(const brz_head *head, const other_heads *others, const brz_loaded *l)
{
    brz_head own = *head;
    brz_decoding wanted = brz_decoding_of(((const brz_collapser *)l->vtable)->flags);
    const brz_source_head *other = wanted == BRZ_DECODE_NOTHING  ? others->raw
                                   : wanted == BRZ_DECODE_BINARY ? others->binary
                                                                 : NULL;
    if (other == NULL || other->memory == NULL)
        return own;
    own.data = other->memory + BRZ_SLACK_FRONT;
    own.len = other->n;
    own.flags = other->whole ? BRZ_CHUNK_LAST : 0;
    return own;
}

static other_heads heads_of(const brz_source *s)
{
    return (other_heads){&s->raw, &s->binary};
}

brz_head brz_guess_head_for(brz_feed *feed, const brz_loaded *l)
{
    brz_head head = brz_guess_head(feed);
    other_heads others = heads_of(feed->source);
    return head_for(&head, &others, l);
}

static brz_str text_of(const brz_head *head)
{
    return brz_str_of((const char *)head->data, head->len);
}

brz_foreign brz_guess_foreign(const brz_head *head)
{
    return brz_foreign_find(text_of(head));
}

/* Calls the sniffers. Shipped ones, whose time the tests bound, share a budget until the next other
 * one: each renewal is a system call. */
static int32_t *score_all(const brz_registry *registry, const brz_head *head,
                          const other_heads *others, const char *input, size_t *n)
{
    brz_tier tier;
    bool shadowed, shares = false;
    *n = count_components(registry);
    int32_t *scores = brz_calloc(*n, sizeof *scores);
    brz_budget budget = brz_budget_begin();
    for (size_t i = 0; i < *n; i++) {
        const brz_loaded *l = brz_registry_at(registry, i, &tier, &shadowed);
        if (l->component->kind != BRZ_COLLAPSER || shadowed)
            continue;
        if (!shares || tier != BRZ_TIER_SHIPPED)
            brz_budget_renew(&budget);
        shares = tier == BRZ_TIER_SHIPPED;
        brz_head own = head_for(head, others, l);
        scores[i] = score_guessed(l, &own, input);
        if (tier != BRZ_TIER_SHIPPED) /* the tests check the others */
            brz_process_state_check(l, "sniff", brz_registry_console(registry));
    }
    brz_budget_end(&budget);
    return scores;
}

int32_t *brz_guess_scores(const brz_registry *registry, const brz_head *head, brz_feed *feed,
                          size_t *n)
{
    *n = count_components(registry);
    if (feed->source->stream->state == BRZ_STREAM_FAILED)
        return brz_calloc(*n, sizeof(int32_t)); /* half an input may look like another format */
    other_heads others = heads_of(feed->source);
    return score_all(registry, head, &others, feed->source->name, n);
}

/* Returns the score from which a shipped collapser counts. If the format is foreign, the text
 * merely resembles those of collapsers that do not recognise a header of their own. */
static int32_t least_score(brz_foreign foreign)
{
    if (foreign == NULL)
        return 1;
    return brz_foreign_is_sure(foreign) ? INT32_MAX : BRZ_SNIFF_HEADER;
}

/* Collects the candidates whose scores count. */
static void find_candidates(brz_guess *g, const brz_registry *registry, const int32_t *scores,
                            size_t n)
{
    bool shadowed;
    brz_tier *tiers = brz_calloc(n, sizeof *tiers);
    int32_t least = least_score(g->foreign);
    g->items = brz_calloc(n, sizeof *g->items);
    for (size_t i = 0; i < n; i++) {
        brz_tier tier;
        const brz_loaded *l = brz_registry_at(registry, i, &tier, &shadowed);
        if (l == NULL || l->component->kind != BRZ_COLLAPSER || shadowed ||
            scores[i] < (tier == BRZ_TIER_SHIPPED ? least : 1))
            continue;
        tiers[g->n] = tier;
        g->items[g->n++] =
            (brz_candidate){l, scores[i] > BRZ_SNIFF_MAGIC ? BRZ_SNIFF_MAGIC : scores[i]};
    }
    limit_outsiders(g, tiers);
    free(tiers);
}

static brz_guess evaluate(const brz_registry *registry, const int32_t *scores, size_t n,
                          brz_foreign foreign)
{
    brz_guess g = {.foreign = foreign};
    find_candidates(&g, registry, scores, n);
    qsort(g.items, g.n, sizeof *g.items, by_score);
    int32_t second = g.n > 1 ? g.items[1].score : 0;
    if (g.n > 0 && !brz_registry_is_incomplete(registry) && g.items[0].score >= BRZ_GUESS_LEAST &&
        g.items[0].score >= second + BRZ_GUESS_AHEAD)
        g.winner = g.items[0].loaded;
    return g;
}

/* Sets the reason why the format of an input cannot be guessed, if there is one. */
static void set_reason(brz_guess *g, const brz_registry *registry, brz_feed *feed)
{
    const brz_stream *s = feed->source->stream;
    bool is_damaged = s->state == BRZ_STREAM_DAMAGED;
    if (brz_registry_is_incomplete(registry)) {
        brz_buf_add_text(&g->why_nothing, "the format may be one of a plug-in that cannot be read");
    } else if (s->state == BRZ_STREAM_FAILED) {
        g->nothing = BRZ_NOTHING_READ;
        brz_buf_printf(&g->why_nothing, "cannot be read: %s", brz_buf_text(&s->error));
    } else if (brz_feed_len(feed) == 0) {
        g->nothing = is_damaged ? BRZ_NOTHING_READ : BRZ_NOTHING_THERE;
        brz_buf_add_text(&g->why_nothing,
                         is_damaged ? brz_buf_text(&s->error) : "the input is empty");
    }
}

static bool may_recognise(const void *context, brz_str hints)
{
    return brz_hints_hold(context, hints);
}

/* Returns whether one of the texts occurs that a file of a format contains. */
static bool may_contain(const void *context, brz_text_list contains)
{
    for (; *contains != NULL; contains++)
        if (brz_hinted_occurs(context, brz_str_of_text(*contains)))
            return true;
    return false;
}

static brz_str form_of(const brz_source_head *h)
{
    return brz_str_of((const char *)h->memory + BRZ_SLACK_FRONT, h->n);
}

/* Loads the collapsers that may recognise an input. */
static void load_hinted(brz_registry *registry, const brz_head *head, const other_heads *others)
{
    brz_hinted h = {0};
    brz_hinted_init(&h, head->name);
    brz_hinted_add(&h, text_of(head));
    if (others->raw != NULL && others->raw->memory != NULL)
        brz_hinted_add(&h, form_of(others->raw));
    if (others->binary != NULL && others->binary->memory != NULL)
        brz_hinted_add(&h, form_of(others->binary));
    const brz_format_test formats = {may_contain, &h};
    brz_registry_load_hinted(registry, may_recognise, &h, &formats);
}

void brz_guess_load(brz_registry *registry, const brz_head *head, brz_feed *feed)
{
    other_heads others = heads_of(feed->source);
    load_hinted(registry, head, &others);
}

brz_guess brz_guess_format(brz_registry *registry, brz_feed *feed)
{
    brz_head head = brz_guess_head(feed);
    brz_guess_load(registry, &head, feed);
    return brz_guess_loaded(registry, feed);
}

/* Returns the shipped collapser with an id, or NULL if it is missing or not allowed, or if a
 * plug-in of the user replaces it. */
static const brz_loaded *find_shipped(brz_registry *registry, brz_str id)
{
    const brz_loaded *l = brz_registry_find(registry, BRZ_COLLAPSER, id, NULL);
    bool is_shipped = l != NULL && brz_registry_ships(registry, l);
    return is_shipped && !brz_registry_is_incomplete(registry) ? l : NULL;
}

/* Returns the collapser that is certain of an input by its magic number, or NULL. */
static const brz_loaded *find_certain(brz_registry *registry, brz_feed *feed)
{
    brz_head head = brz_guess_head(feed);
    brz_str id = brz_foreign_reader(text_of(&head));
    if (id.len == 0 || feed->source->stream->state == BRZ_STREAM_FAILED)
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

brz_guess brz_guess_by_head(const brz_registry *registry, const brz_head *head, brz_feed *feed)
{
    size_t n;
    int32_t *scores = brz_guess_scores(registry, head, feed, &n);
    brz_guess g = evaluate(registry, scores, n, brz_guess_foreign(head));
    free(scores);
    return g;
}

brz_guess brz_guess_text(brz_registry *registry, const brz_head *head, const brz_source_head *raw,
                         const char *input)
{
    size_t n;
    other_heads others = {.raw = raw};
    load_hinted(registry, head, &others);
    int32_t *scores = score_all(registry, head, &others, input, &n);
    brz_guess g = evaluate(registry, scores, n, brz_guess_foreign(head));
    free(scores);
    return g;
}

brz_guess brz_guess_loaded(const brz_registry *registry, brz_feed *feed)
{
    brz_head head = brz_guess_head(feed);
    brz_guess g = brz_guess_by_head(registry, &head, feed);
    set_reason(&g, registry, feed);
    return g;
}

brz_guess brz_guess_give(const brz_registry *registry, brz_feed *feed, brz_wire_out *out)
{
    size_t n;
    brz_head head = brz_guess_head(feed);
    int32_t *scores = brz_guess_scores(registry, &head, feed, &n);
    brz_guess g = evaluate(registry, scores, n, brz_guess_foreign(&head));
    set_reason(&g, registry, feed);
    brz_wire_put_str(out, brz_buf_str(&g.why_nothing));
    brz_wire_put_u32(out, g.nothing);
    brz_wire_put_u32(out, brz_foreign_number(g.foreign));
    brz_wire_put(out, scores, n * sizeof *scores);
    brz_wire_flush(out);
    free(scores);
    return g;
}

bool brz_guess_take(const brz_registry *registry, brz_wire_in *in, brz_guess *g)
{
    size_t n = count_components(registry);
    int32_t *scores = brz_calloc(n, sizeof *scores);
    uint32_t foreign, nothing;
    brz_buf why = {0};
    bool good = brz_wire_take_str(in, &why) && brz_wire_take_u32(in, &nothing) &&
                nothing <= BRZ_NOTHING_THERE && brz_wire_take_u32(in, &foreign) &&
                brz_wire_take(in, scores, n * sizeof *scores);
    if (good) {
        *g = evaluate(registry, scores, n, brz_foreign_at(foreign));
        g->why_nothing = why;
        g->nothing = (brz_guess_nothing)nothing;
    } else {
        brz_buf_finish(&why);
    }
    free(scores);
    return good;
}

void brz_guess_finish(brz_guess *g)
{
    free(g->items);
    brz_buf_finish(&g->why_nothing);
    memset(g, 0, sizeof *g);
}

/* Appends the id of a candidate, or id@plug-in if another candidate has the same id. */
static void add_name(const brz_guess *g, const brz_candidate *c, brz_buf *b)
{
    const char *id = c->loaded->component->id;
    size_t same = 0;
    for (size_t i = 0; i < g->n; i++)
        same += strcmp(g->items[i].loaded->component->id, id) == 0;
    brz_buf_printf(b, same > 1 ? "%s@%s" : "%s", id, c->loaded->plugin);
}

static void explain_unknown(const brz_guess *g, const char *option, brz_buf *b)
{
    brz_buf_add_text(b, "in no format that brazier knows");
    if (g->n > 0) {
        brz_buf_add_text(b, ", though its name is like those of ");
        add_name(g, &g->items[0], b);
    }
    brz_buf_printf(b,
                   "; %s FORMAT names one (brazier plugin list shows them), and brazier format new "
                   "drafts one for a text",
                   option);
}

void brz_guess_explain(const brz_guess *g, const char *input, const char *option, brz_buf *b)
{
    brz_buf_printf(b, "%s: ", input);
    if (g->why_nothing.len > 0) {
        brz_buf_add_str(b, brz_buf_str(&g->why_nothing));
        return;
    }
    if (g->foreign != NULL && (g->n == 0 || g->items[0].score < BRZ_GUESS_LEAST)) {
        brz_foreign_add(g->foreign, b);
        return;
    }
    if (g->n == 0 || g->items[0].score <= BRZ_SNIFF_NAME) {
        explain_unknown(g, option, b);
        return;
    }
    brz_buf_add_text(b, g->items[0].score < BRZ_GUESS_LEAST ? "the format is not clear: perhaps"
                                                            : "could be in several formats:");
    for (size_t i = 0; i < g->n && i < 5; i++) {
        brz_buf_add_text(b, i > 0 ? ", " : " ");
        add_name(g, &g->items[i], b);
        brz_buf_printf(b, " (%d)", (int)g->items[i].score);
    }
    brz_buf_printf(b, "; %s ", option);
    add_name(g, &g->items[0], b);
    brz_buf_add_text(b, " says which");
}

const char *brz_guess_code(const brz_guess *g)
{
    static const char *const codes[] = {[BRZ_NOTHING_KNOWN] = BRZ_SAYS_FORMAT,
                                        [BRZ_NOTHING_READ] = BRZ_SAYS_READ,
                                        [BRZ_NOTHING_THERE] = BRZ_SAYS_EMPTY};
    return codes[g->nothing];
}
