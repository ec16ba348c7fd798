/* SPDX-License-Identifier: MIT */
/* Collapses one input with a format to folded stacks, apart from the pipelines of the
 * configuration. */
#ifndef BRZ_FOLD_INPUT_H
#define BRZ_FOLD_INPUT_H

#include "config/session.h"
#include "input/input.h"

/* A way of dividing an input, which does not change its stacks. 0: the usual one. */
typedef struct brz_fold_way {
    size_t chunk_size, range_size, threads;
} brz_fold_way;

/* Appends the stacks, as the output folded prints them. Reports to `console` instead of the
 * session's. Returns false after reporting an error. An input without stacks is not an error. */
bool brz_fold_input(const brz_session *s, const char *format, const brz_input *input,
                    const brz_fold_way *way, const brz_console *console, brz_buf *folded);

#endif
