/* SPDX-License-Identifier: MIT */
/* Reads the stacks of an input that has them in order. */
#include "sorted/source.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "input/slack.h"
#include "profile/demangle.h"

void brz_sorted_source_init(brz_sorted_source *s, const brz_sorted_reader *reader, size_t cap,
                            size_t cap_max, brz_sorted_stack *stacks, size_t most)
{
    *s = (brz_sorted_source){.reader = reader, .cap = cap, .stacks = stacks, .most = most};
    s->cap_max = cap_max < cap ? cap : cap_max;
    s->memory = brz_slack_buffer(cap);
    s->rest = brz_str_of((char *)s->memory + BRZ_SLACK_FRONT, 0);
}

void brz_sorted_source_init_samples(brz_sorted_source *s, brz_sample_stack *samples,
                                    brz_sorted_sample_fn *read_sample, void *context,
                                    brz_sorted_stack *stacks)
{
    *s = (brz_sorted_source){.samples = samples,
                             .read_sample = read_sample,
                             .context = context,
                             .stacks = stacks,
                             .most = 1};
}

void brz_sorted_source_finish(brz_sorted_source *s)
{
    free(s->memory);
    *s = (brz_sorted_source){0};
}

/* ---- bytes ---------------------------------------------------------------------------------- */

/* Doubles the buffer, of which `n` bytes from `from` on stay. Returns its first byte. */
static char *enlarge(brz_sorted_source *s, const char *from, size_t n)
{
    s->cap *= 2;
    uint8_t *larger = brz_slack_buffer(s->cap);
    char *start = (char *)larger + BRZ_SLACK_FRONT;
    memcpy(start, from, n);
    free(s->memory);
    s->memory = larger;
    return start;
}

/* Moves the last record and the rest to the beginning of the buffer, which grows if it is full.
 * Returns false if it is too large. */
static bool make_room(brz_sorted_source *s)
{
    const char *from = s->last.len > 0 ? s->last.names : s->rest.data;
    char *start = (char *)s->memory + BRZ_SLACK_FRONT;
    size_t n = (size_t)(s->rest.data + s->rest.len - from);
    size_t in_front = (size_t)(s->rest.data - from);
    if (n == s->cap && 2 * s->cap > s->cap_max)
        return false;
    if (n == s->cap)
        start = enlarge(s, from, n);
    else
        memmove(start, from, n);
    s->last.names = start;
    s->rest.data = start + in_front;
    return true;
}

/* Reads more bytes after the rest. Returns false at the end of the input, or if it is not plain or
 * cannot be read. */
static bool read_more(brz_sorted_source *s)
{
    if (!make_room(s)) {
        s->state = BRZ_SORTED_NOT_PLAIN;
        return false;
    }
    char *start = (char *)s->memory + BRZ_SLACK_FRONT;
    char *to = start + (s->rest.data - start) + s->rest.len;
    size_t n = s->fill(s->context, to, s->cap - (size_t)(to - start), &s->is_ended);
    brz_slack_clear(s->memory, (size_t)(to - start) + n);
    s->rest.len += n;
    s->at += n;
    if (n == 0 && !s->is_ended)
        s->state = BRZ_SORTED_FAILED;
    return n > 0;
}

/* ---- records -------------------------------------------------------------------------------- */

static bool has_mangled(const brz_sorted_stack *s)
{
    const char *at = s->names, *end = at + s->len;
    while (at <= end) {
        const char *stop = memchr(at, ';', (size_t)(end - at));
        stop = stop == NULL ? end : stop;
        if (brz_may_be_mangled(brz_str_of(at, (size_t)(stop - at))))
            return true;
        at = stop + 1;
    }
    return false;
}

/* Returns whether a record is what its reader promises. */
static bool is_valid(const brz_sorted_stack *s)
{
    return s->len <= BRZ_SORTED_LONGEST && s->shared < s->len && s->count > 0 &&
           s->count <= INT64_MAX;
}

/* Returns the number of records in front of the first one that is not valid or has a mangled name.
 */
static size_t count_plain(const brz_sorted_source *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!is_valid(&s->stacks[i]) ||
            ((s->stacks[i].flags & BRZ_SORTED_ODD) && has_mangled(&s->stacks[i])))
            return i;
    return n;
}

/* Takes the records in the buffer. Returns false if there is no whole one. */
static bool take(brz_sorted_source *s)
{
    size_t n = s->most;
    const brz_sorted_stack *before = s->last.len > 0 ? &s->last : NULL;
    bool is_good = s->reader->take(&s->rest, before, s->stacks, &n);
    s->next = 0;
    n = n < s->most ? n : s->most;
    s->n = count_plain(s, n);
    if (s->n < n || (n == 0 && !is_good))
        s->state = BRZ_SORTED_NOT_PLAIN;
    if (n > 0)
        s->last = s->stacks[n - 1];
    return s->n > 0;
}

/* Ends the input. A record that is not complete is left to the collapser. */
static void end(brz_sorted_source *s)
{
    s->state = s->rest.len == 0 && s->last.len > 0 ? BRZ_SORTED_OVER : BRZ_SORTED_NOT_PLAIN;
}

/* Takes the next sample. */
static void take_sample(brz_sorted_source *s)
{
    brz_sorted_sample x = {.n = 0};
    int32_t result = s->read_sample(s->context, &x);
    s->next = s->n = 0;
    if (result == BRZ_SORTED_NEXT && brz_sample_stack_set(s->samples, &x, s->stacks))
        s->n = 1;
    else
        s->state =
            result == BRZ_SORTED_END && s->samples->n > 0 ? BRZ_SORTED_OVER : BRZ_SORTED_NOT_PLAIN;
}

const brz_sorted_stack *brz_sorted_refill(brz_sorted_source *s)
{
    if (s->read_sample != NULL && s->state == BRZ_SORTED_READING) {
        take_sample(s);
        return s->n > 0 ? &s->stacks[s->next++] : NULL;
    }
    while (s->state == BRZ_SORTED_READING) {
        if (take(s))
            return &s->stacks[s->next++];
        if (s->state == BRZ_SORTED_READING && !read_more(s) && s->state == BRZ_SORTED_READING)
            end(s);
    }
    return NULL;
}

/* ---- the weight ------------------------------------------------------------------------------ */

void brz_sorted_source_weight(const brz_sorted_source *s, brz_column_desc *d)
{
    if (s->samples != NULL)
        brz_sample_stack_weight(s->samples, d);
    else
        s->reader->column(d);
}
