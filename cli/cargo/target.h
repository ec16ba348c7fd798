/* SPDX-License-Identifier: MIT */
/* Chooses the target of cargo to build. */
#ifndef BRZ_CLI_CARGO_TARGET_H
#define BRZ_CLI_CARGO_TARGET_H

#include "compat/words.h"
#include "options.h"

struct brz_json_token;

/* A target. The texts live as long as those of the words. */
typedef struct cargo_target {
    cargo_note how; /* CARGO_BIN to CARGO_UNIT_BENCH */
    const char *name;
    const char *package; /* NULL: cargo's choice */
    bool is_library;     /* of unit tests: it is a library and no program */
} cargo_target;

/* Returns $CARGO or "cargo". */
const char *cargo_program(void);

/* Finds the target that the options name, or the only one. Returns false after reporting an error.
 */
bool cargo_target_find(cargo_target *t, const compat_words *w);

/* Compares the name of a target, a string of JSON, with that of a user. */
bool cargo_is_named(const struct brz_json_token *name, const char *wanted);

/* Returns true if a target's kinds, an array of JSON, are those of a library. */
bool cargo_is_library(const struct brz_json_token *kinds);

#endif
