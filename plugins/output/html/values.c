/* SPDX-License-Identifier: MIT */
/* Encodes the values of samples in as few characters as the other columns leave them.
 *
 *     "every": the value of all samples
 *     "values": the different values, frequent ones first, "value": an index into them for each
 *         sample
 *     "value": a value for each sample, "step": the number that it is multiplied by, if not 1
 *
 * Only values that fit in no exact form are rounded to multiples of a step. What rounding removes
 * from a sample is added to the next one of the same call, so that a call's sum over any run of
 * samples is less than a step off.
 */
#include "document.h"

#include <stdlib.h>

#define MOST_DIFFERENT 1856 /* numbers of at most two characters */
#define LARGEST_STEP   ((uint64_t)1000000000000000000)

uint64_t html_next_step(uint64_t step)
{
    uint64_t power = 1;
    while (step / power >= 10)
        power *= 10;
    return step / power == 2 ? 5 * power : 2 * step;
}

/* ---- different values ---------------------------------------------------------------------- */

typedef struct different {
    int64_t value;
    uint32_t samples, rank;
} different;

typedef struct dictionary {
    different *items; /* sorted by value */
    uint32_t *by_rank;
    uint32_t n;
} dictionary;

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static int by_samples(const void *a, const void *b)
{
    const different *x = a, *y = b;
    if (x->samples != y->samples)
        return x->samples > y->samples ? -1 : 1;
    return (x->value > y->value) - (x->value < y->value);
}

/* Returns the position of a value, or that at which to insert it. */
static uint32_t position_of(const dictionary *d, int64_t value)
{
    uint32_t from = 0, to = d->n;
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        if (d->items[middle].value < value)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/* Counts a value. Returns false if there are too many different ones. */
static bool count_value(dictionary *d, int64_t value)
{
    uint32_t at = position_of(d, value);
    if (at < d->n && d->items[at].value == value) {
        d->items[at].samples++;
        return true;
    }
    if (d->n == MOST_DIFFERENT)
        return false;
    memmove(&d->items[at + 1], &d->items[at], (d->n - at) * sizeof *d->items);
    d->items[at] = (different){.value = value, .samples = 1};
    d->n++;
    return true;
}

/* Collects the different values and ranks them. Returns false if there are too many. */
static bool collect(dictionary *d, html_page *p, const html_values *v)
{
    d->items = p->ctx->host->alloc(p->ctx, (MOST_DIFFERENT + 1) * sizeof *d->items, 0);
    for (size_t i = 0; i < v->n; i++)
        if (!count_value(d, v->items[i]))
            return false;
    qsort(d->items, d->n, sizeof *d->items, by_samples);
    for (uint32_t i = 0; i < d->n; i++)
        d->items[i].rank = i;
    d->by_rank = p->ctx->host->alloc(p->ctx, d->n * sizeof *d->by_rank, 0);
    qsort(d->items, d->n, sizeof *d->items, by_value);
    for (uint32_t i = 0; i < d->n; i++)
        d->by_rank[d->items[i].rank] = i;
    return true;
}

/* Returns the number of characters of the different values and their indices. */
static uint64_t dictionary_size(const dictionary *d)
{
    uint64_t size = 0;
    for (uint32_t i = 0; i < d->n; i++)
        size += html_number_size((uint64_t)d->items[i].value) +
                d->items[i].samples * html_number_size(d->items[i].rank);
    return size;
}

static void put_dictionary(html_page *p, const html_values *v, const dictionary *d)
{
    BRZ_PUT(&p->w, ",\n\"values\":");
    html_open_column(&p->w);
    for (uint32_t i = 0; i < d->n; i++)
        html_put_number(&p->w, (uint64_t)d->items[d->by_rank[i]].value);
    html_close_column(&p->w);
    BRZ_PUT(&p->w, ",\n\"value\":");
    html_open_column(&p->w);
    for (size_t i = 0; i < v->n; i++)
        html_put_number(&p->w, d->items[position_of(d, v->items[i])].rank);
    html_close_column(&p->w);
}

/* ---- rounded values ------------------------------------------------------------------------ */

/* The remainder of each call after rounding, plus half a step. */
typedef struct rests {
    uint64_t *items;
    uint64_t step;
} rests;

static void begin_rests(rests *r, const html_values *v, uint64_t step)
{
    r->step = step;
    for (uint32_t i = 0; i < v->n_calls; i++)
        r->items[i] = step / 2;
}

/* Returns the number of steps of a sample. */
static uint64_t steps_of(rests *r, const html_values *v, size_t i)
{
    uint64_t *rest = &r->items[v->calls[i]], value = (uint64_t)v->items[i] + *rest;
    *rest = value % r->step;
    return value / r->step;
}

/* Returns the number of characters of all values at a step. */
static uint64_t rounded_size(rests *r, const html_values *v, uint64_t step)
{
    uint64_t size = 0;
    begin_rests(r, v, step);
    for (size_t i = 0; i < v->n; i++)
        size += html_number_size(steps_of(r, v, i));
    return size;
}

static void put_rounded(html_page *p, rests *r, const html_values *v)
{
    begin_rests(r, v, r->step);
    if (r->step > 1) {
        BRZ_PUT(&p->w, ",\n\"step\":");
        brz_put_u64(&p->w, r->step);
    }
    BRZ_PUT(&p->w, ",\n\"value\":");
    html_open_column(&p->w);
    for (size_t i = 0; i < v->n; i++)
        html_put_number(&p->w, steps_of(r, v, i));
    html_close_column(&p->w);
}

void html_put_values(html_page *p, const html_values *v)
{
    /* A value takes a character at least; large ones among them take a few more. */
    uint64_t least = v->n + v->n / 16, room = v->room > least ? v->room : least;
    dictionary d = {0};
    rests r = {.items = p->ctx->host->alloc(p->ctx, v->n_calls * sizeof *r.items, 0)};
    bool are_few = collect(&d, p, v);
    if (are_few && d.n == 1) {
        BRZ_PUT(&p->w, ",\n\"every\":");
        brz_put_i64(&p->w, v->items[0]);
        return;
    }
    uint64_t size = rounded_size(&r, v, 1), shared = are_few ? dictionary_size(&d) : UINT64_MAX;
    if (shared < size && shared <= room) {
        put_dictionary(p, v, &d);
        return;
    }
    for (uint64_t step = 1; size > room && step < LARGEST_STEP;) {
        step = html_next_step(step);
        size = rounded_size(&r, v, step);
    }
    put_rounded(p, &r, v);
}
