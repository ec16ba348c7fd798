/* SPDX-License-Identifier: MIT */
/* The options of `cargo brazier`, `cargo flamegraph` and `flamegraph`. */
#ifndef BRZ_CLI_CARGO_OPTIONS_H
#define BRZ_CLI_CARGO_OPTIONS_H

#include "compat/tool.h"

/* Options that brazier's words do not replace. */
typedef enum cargo_note {
    CARGO_NOTHING,
    /* the picture */
    CARGO_OUTPUT,
    CARGO_OPEN,
    CARGO_POST_PROCESS,
    CARGO_NO_INLINE,
    CARGO_SKIP_AFTER,
    CARGO_QUALITY,
    CARGO_VERBOSE,
    CARGO_COMPLETIONS,
    CARGO_VERSION,
    /* the recording */
    CARGO_ROOT,
    CARGO_FREQUENCY,
    CARGO_EVENT,
    CARGO_COMMAND,
    CARGO_COMPRESSION,
    CARGO_IGNORE_STATUS,
    CARGO_PERF_DATA,
    CARGO_PID,
    /* the target */
    CARGO_BIN,
    CARGO_EXAMPLE,
    CARGO_TEST,
    CARGO_BENCH,
    CARGO_UNIT_TEST,
    CARGO_UNIT_TEST_KIND,
    CARGO_UNIT_BENCH,
    CARGO_PACKAGE,
    CARGO_DEV,
    CARGO_PROFILE,
    CARGO_MANIFEST_PATH,
    CARGO_FEATURES,
    CARGO_NO_DEFAULT_FEATURES,
    CARGO_ALL_FEATURES,
    CARGO_TARGET,
} cargo_note;

extern const compat_option cargo_graph_options[], cargo_target_options[], cargo_option_aliases[];
extern const char *const cargo_conflicts[][2];

/* Builds and records a program, or refuses to. */
compat_prepare_fn cargo_prepare;

/* Shows the picture with --open. */
compat_complete_fn cargo_complete;

#endif
