/* SPDX-License-Identifier: MIT */
/* A message of Protocol Buffers being written, in memory until its length is known.
 *
 *     message := field*    field := varint(8 * number + 0) varint | varint(8 * number + 2) varint
 * bytes
 *
 * Fields that are 0 are left out, as readers assume it. */
#ifndef PPROF_MESSAGE_H
#define PPROF_MESSAGE_H

#include <brazier/output.h>

typedef struct message {
    brz_output_ctx *ctx; /* gives the memory, and ends the program if it has none */
    char *data;
    size_t len, cap;
} message;

/* Adds a number, unless it is 0. Negative ones have the form of int64: two's complement. */
void message_number(message *m, uint32_t field, uint64_t value);

/* Adds a list of numbers in its packed form, unless it is empty. */
void message_numbers(message *m, uint32_t field, const uint64_t *values, size_t n);

/* Adds bytes: a text, or another message. */
void message_bytes(message *m, uint32_t field, brz_str bytes);

/* Adds another message, and empties that. */
void message_part(message *m, uint32_t field, message *part);

#endif
