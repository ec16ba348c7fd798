/* SPDX-License-Identifier: MIT */
/* Decodes the texts of a file of measureme. */
#include "texts.h"

#include <brazier/binary.h>

#include "../../common/json/text.h"

#define INDEXED_MAX METADATA_ID
#define INVALID_ID  UINT64_C(100000002)
#define FIRST_DATA  UINT64_C(100000003)

#define REFERENCE  0xfe
#define TERMINATOR 0xff

/* Maximum depth of nested texts. */
#define MAX_DEPTH 64

/* ---- the index ------------------------------------------------------------------------------ */

static uint64_t load(const uint8_t *p, uint32_t size)
{
    return size == 8 ? brz_load_u64(p, BRZ_LITTLE_ENDIAN) : brz_load_u32(p, BRZ_LITTLE_ENDIAN);
}

/* Adds an address of the index. Of two addresses of an id, the later one counts. */
static void add_address(texts *t, uint64_t id, uint64_t address)
{
    t->addresses = brz_list_room(t->ctx, t->addresses, t->n_addresses, &t->addresses_cap,
                                 sizeof *t->addresses);
    pair_map_put(&t->places, t->ctx, id, 0, (uint32_t)t->n_addresses);
    t->addresses[t->n_addresses++] = address;
}

void texts_init(texts *t, brz_ctx *ctx, streams *s, size_t input)
{
    uint8_t copy[16];
    stream *index = &s->of[STREAM_INDEX];
    t->ctx = ctx;
    t->data = &s->of[STREAM_TEXTS];
    t->id_size = s->version == 8 ? 4 : 8;
    t->budget = (UINT64_C(1) << 20) + 64 * (uint64_t)input;
    pair_map_init(&t->places, ctx);
    uint64_t at = STREAM_HEADER_SIZE, entry = 2 * (uint64_t)t->id_size;
    for (; index->len >= at + entry && t->n_addresses < PAIR_MISS; at += entry) {
        const uint8_t *p = stream_bytes(index, at, (size_t)entry, copy);
        add_address(t, load(p, t->id_size), load(p + t->id_size, t->id_size));
    }
    if (index->len > at)
        BRZ_WARN(ctx, "measureme.index", NULL, 0,
                 "the index of texts ends within an entry, which is left out");
}

/* Finds the address of an id. Returns false if the file does not say it. */
static bool find_address(const texts *t, uint64_t id, uint64_t *address)
{
    if (id == INVALID_ID)
        return false;
    if (id >= FIRST_DATA) {
        *address = id - FIRST_DATA;
        return *address < t->data->len;
    }
    uint32_t place = pair_map_find(&t->places, id, 0);
    if (place == PAIR_MISS)
        return false;
    *address = t->addresses[place];
    return *address < t->data->len;
}

/* ---- texts ---------------------------------------------------------------------------------- */

/* A text that is being decoded, with the texts that it refers to. */
typedef struct decoding {
    texts *t;
    brz_text *to;
    uint64_t next[MAX_DEPTH]; /* addresses of the next bytes, outermost first */
    size_t depth;
} decoding;

static bool spend(texts *t, uint64_t amount)
{
    if (amount <= t->budget) {
        t->budget -= amount;
        return true;
    }
    if (!t->spent)
        brz_report(t->ctx, BRZ_FATAL, "measureme.size", NULL, 0,
                   BRZ_STR("the names are implausibly large for an input of this size"));
    t->spent = true;
    return false;
}

static void append_damaged(decoding *d)
{
    d->t->damaged++;
    brz_text_append(d->to, d->t->ctx, BRZ_STR("<invalid>"));
}

/* Begins the text with an id. */
static void enter(decoding *d, uint64_t id)
{
    uint64_t address;
    if (!find_address(d->t, id, &address)) {
        d->t->unknown++;
        brz_text_append(d->to, d->t->ctx, BRZ_STR("<unknown>"));
    } else if (d->depth == MAX_DEPTH) {
        append_damaged(d);
    } else {
        d->next[d->depth++] = address;
    }
}

/* Follows a reference. */
static void take_reference(decoding *d)
{
    uint8_t copy[8];
    uint64_t *next = &d->next[d->depth - 1];
    const uint8_t *p = stream_bytes(d->t->data, *next + 1, d->t->id_size, copy);
    if (p == NULL) {
        append_damaged(d);
        d->depth--;
        return;
    }
    *next += 1 + d->t->id_size;
    enter(d, load(p, d->t->id_size));
}

/* Appends the bytes up to the next reference, terminator, page, or separator if `label`. Returns
 * false after the label. */
static bool take_bytes(decoding *d, const uint8_t *p, size_t n, bool label)
{
    size_t len = 0;
    while (len < n && p[len] < REFERENCE && !(label && p[len] == SEPARATOR))
        len++;
    brz_text_append(d->to, d->t->ctx, brz_str_of((const char *)p, len));
    d->next[d->depth - 1] += len;
    return len == n || p[len] >= REFERENCE;
}

bool texts_get(texts *t, uint64_t id, bool label, brz_text *to)
{
    decoding d = {.t = t, .to = to};
    bool goes_on = true;
    to->len = 0;
    brz_text_room(to, t->ctx, 0);
    enter(&d, id);
    while (d.depth > 0 && goes_on) {
        size_t n, before = to->len;
        const uint8_t *p = stream_piece(t->data, d.next[d.depth - 1], &n);
        if (p == NULL) {
            append_damaged(&d);
            d.depth--;
        } else if (*p == TERMINATOR) {
            d.depth--;
        } else if (*p == REFERENCE) {
            take_reference(&d);
        } else {
            goes_on = take_bytes(&d, p, n, label);
        }
        if (!spend(t, 1 + to->len - before))
            return false;
    }
    return true;
}

void texts_report(const texts *t)
{
    brz_report_count(t->ctx, BRZ_WARNING, "measureme.unknown", t->unknown, 0,
                     BRZ_STR("texts that the file does not contain are named <unknown> ({count})"));
    brz_report_count(t->ctx, BRZ_WARNING, "measureme.text", t->damaged, 0,
                     BRZ_STR("damaged texts are named <invalid> ({count})"));
}
