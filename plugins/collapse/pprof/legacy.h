/* SPDX-License-Identifier: MIT */
/* Reads the profiles that pprof's older programs write: text forms, and binary CPU profiles.
 *
 * Both contain stacks of addresses, leaf first. What follows them says in which programs the
 * addresses lie (legacy_places.c). An address other than the leaf's is that of the instruction
 * after a call, so that the code is at the byte in front of it. In profiles of Java, addresses are
 * ids of symbols instead.
 */
#ifndef PPROF_LEGACY_H
#define PPROF_LEGACY_H

#include <brazier/collapser.h>
#include <brazier/text.h>

#include "legacy_places.h"

#define LEGACY_WEIGHTS 4

typedef struct legacy {
    brz_ctx *ctx;
    legacy_places places;
    brz_stacks stacks;
    brz_frame_cache frames; /* by address */
    brz_text scratch;
    bool addresses; /* name unresolved frames by their address */
    bool has_ids;   /* addresses are ids of symbols, not places in memory */
    uint32_t part;  /* number of the profile among those of the input */
    uint32_t columns[LEGACY_WEIGHTS];
    size_t n_columns;
    uint32_t shown; /* of the columns of the profile before */
} legacy;

/* Returns a score for inputs in one of these forms. */
int32_t legacy_text_sniff(brz_str text);
int32_t legacy_java_sniff(brz_str text);
int32_t legacy_binary_sniff(brz_str text);

/* Reads a profile in a form that the function of the same name recognises. */
brz_rc legacy_text_read(legacy *l, brz_str text);
brz_rc legacy_java_read(legacy *l, brz_str text);
brz_rc legacy_binary_read(legacy *l, brz_str text);

/* Returns whether a line of a text begins a profile. */
bool legacy_text_begins(brz_str line);
bool legacy_java_begins(brz_str line);

/* Initialises a reader. */
void legacy_init(legacy *l, brz_ctx *ctx, bool addresses);

/* Forgets places of the profile, so that another one can be read. */
void legacy_restart(legacy *l);

/* Declares a column for each name and unit; the last one is the default. */
void legacy_declare(legacy *l, const char *const (*columns)[2], size_t n);

/* Appends the frame of the code at an address, or of an id, to the current stack. */
void legacy_push(legacy *l, uint64_t address);

/* Appends the frame of the call in front of a return address, or of an id. */
void legacy_push_call(legacy *l, uint64_t address);

/* Replaces the current stack by the frames of calls: "0x1 0x2". Returns false for other text. */
bool legacy_push_calls(legacy *l, brz_str text);

/* Converts a number, and limits it to 64 bits. */
int64_t legacy_integer(double d);

/* Estimates how many objects and bytes a sampled number of them stands for. */
void legacy_scale(uint64_t rate, int64_t count, int64_t size, int64_t values[2]);

/* Counts a value per column for the current stack, which becomes empty. */
brz_rc legacy_count(legacy *l, const int64_t *values);

#endif
