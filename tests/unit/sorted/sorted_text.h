/* SPDX-License-Identifier: MIT */
/* Sources of sorted stacks that tests write as text, a line "NAMES COUNT" per stack. */
#ifndef SORTED_TEXT_H
#define SORTED_TEXT_H

#include "unit.h"

#include "sorted/record.h"
#include "sorted/source.h"

/* Records that are read in pieces. */
typedef struct sorted_text {
    char bytes[4096];
    size_t n, at;
    size_t piece; /* largest number of bytes to give at a time; 0: reading fails */
    brz_sorted_stack stacks[3];
} sorted_text;

/* Stores the stacks of a text as records. */
static inline void sorted_text_init(sorted_text *t, const char *text, size_t piece)
{
    *t = (sorted_text){.piece = piece};
    for (const char *end; (end = strchr(text, '\n')) != NULL; text = end + 1) {
        const char *blank = strchr(text, ' ');
        uint64_t count = strtoull(blank, NULL, 10);
        brz_str names = brz_str_of(text, (size_t)(blank - text));
        assert_true(t->n + names.len + 64 < sizeof t->bytes);
        t->n = (size_t)(brz_record_writer.put(t->bytes + t->n, names, &count, 1) - t->bytes);
    }
}

/* Implements brz_sorted_fill_fn. */
static inline size_t sorted_text_fill(void *context, char *to, size_t n, bool *is_ended)
{
    sorted_text *t = context;
    size_t left = t->n - t->at;
    n = n < t->piece ? n : t->piece;
    n = n < left ? n : left;
    memcpy(to, t->bytes + t->at, n);
    t->at += n;
    *is_ended = t->piece > 0 && t->at == t->n;
    return n;
}

/* Makes a source of the records, from the first one on. */
static inline void sorted_text_open(sorted_text *t, brz_sorted_source *s, size_t buffer)
{
    t->at = 0;
    brz_sorted_source_init(s, &brz_record_reader, buffer, 4096, t->stacks, COUNT_OF(t->stacks));
    s->fill = sorted_text_fill;
    s->context = t;
}

#endif
