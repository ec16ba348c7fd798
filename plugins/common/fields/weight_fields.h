/* SPDX-License-Identifier: MIT */
/* Weighs samples by fields of their events, such as the bytes that a tracepoint says a call
 * allocated: the option weight-field. Each field of an event is a column, beside that of the
 * event. */
#ifndef COMMON_FIELDS_WEIGHT_FIELDS_H
#define COMMON_FIELDS_WEIGHT_FIELDS_H

#include "known_fields.h"

#include <brazier/option.h>
#include <brazier/text/stacks.h>

/* A row of a table of options whose struct has a member `weight_field`, a brz_strlist. */
#define WEIGHT_FIELD_OPTION(struct_)                                                               \
    BRZ_OPTION(struct_, "weight-field", LIST, weight_field, NULL,                                  \
               "also weigh samples by these fields of their events: bytes_req,bytes_alloc")

/* Reports words that are no names of fields, and fields in excess of the limit. */
void weight_fields_validate(const brz_strlist *option, brz_option_faults *faults);

/* The field in the current sample. */
typedef enum weight_field_state {
    FIELD_ABSENT,
    FIELD_IS_TEXT, /* it has a value that is no number */
    FIELD_IS_NUMBER,
} weight_field_state;

typedef struct weight_field {
    brz_str name;
    weight_field_state state;
    int64_t value;
    brz_str unit;      /* as the value names it; empty: it does not */
    bool is_found;     /* a sample has it as a number */
    uint64_t n_absent; /* samples without it */
    uint64_t n_texts;  /* samples in which it is no number */
} weight_field;

typedef struct weight_fields {
    weight_field *items; /* in the order of the option */
    size_t n;            /* 0: samples are not weighed by fields */
    uint64_t n_samples;
    bool is_merged; /* another instance reports for this one */
} weight_fields;

void weight_fields_init(weight_fields *w, brz_ctx *ctx, const brz_strlist *option);

/* Returns whether the option names a field. */
static inline bool weight_fields_are_on(const weight_fields *w)
{
    return w->n > 0;
}

/* Returns the columns of a new event, by field: BRZ_NO_COLUMN, until a sample has the field. */
uint32_t *weight_fields_new_columns(const weight_fields *w, brz_ctx *ctx);

/* Makes all fields absent, for the next sample. */
void weight_fields_clear(weight_fields *w);

/* Takes the fields of the next sample from a payload that Linux printed as text. */
void weight_fields_take_payload(weight_fields *w, brz_str payload, bool is_hex);

/* Notes that a sample with the current fields is counted. */
void weight_fields_note(weight_fields *w);

/* Returns the column of a field of an event, which is declared with the first number. Returns
 * BRZ_NO_COLUMN if the current sample does not have the field as a number. */
uint32_t weight_fields_column(const weight_fields *w, brz_ctx *ctx, size_t i, brz_str event,
                              uint32_t *columns);

/* Counts the current stack by the current fields. */
brz_rc weight_fields_count(weight_fields *w, brz_ctx *ctx, brz_stacks *stacks, brz_str event,
                           uint32_t *columns);

/* Lets `into` report what `from` has. */
void weight_fields_merge(weight_fields *into, weight_fields *from);

/* Reports samples without the fields. Fails the run for a field that no sample has: see
 * known_fields_report(). */
brz_rc weight_fields_report(const weight_fields *w, brz_ctx *ctx, const known_fields *known,
                            const char *code, const char *advice);

#endif
