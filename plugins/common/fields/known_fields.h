/* SPDX-License-Identifier: MIT */
/* The fields that the events of an input have, for the message about one that none of them has. */
#ifndef COMMON_FIELDS_KNOWN_FIELDS_H
#define COMMON_FIELDS_KNOWN_FIELDS_H

#include <brazier/host.h>

typedef struct known_field {
    brz_str event, name;
} known_field;

/* A zeroed set is empty. */
typedef struct known_fields {
    known_field *items; /* in the order of their names, then of their events */
    size_t n, cap;
} known_fields;

/* Adds a field with numbers, unless the set has it or is full. Copies the texts. */
void known_fields_add(known_fields *k, brz_ctx *ctx, brz_str event, brz_str name);

/* Adds the fields with numbers of a payload that Linux printed as text. */
void known_fields_add_payload(known_fields *k, brz_ctx *ctx, brz_str event, brz_str payload,
                              bool is_hex);

/* Fails the run because no sample that is counted has a field. The message names the nearest one
 * and those that exist, or an event that has the field and is not counted; `advice` is for an input
 * whose events have no fields. */
brz_rc known_fields_report(const known_fields *k, brz_ctx *ctx, const char *code, brz_str field,
                           const char *advice);

#endif
