/* Collapses one input with a format to folded stacks, apart from the pipelines of the
 * configuration. */
#ifndef BRZ_FOLD_INPUT_H
#define BRZ_FOLD_INPUT_H

#include "config/session.h"
#include "input/input.h"

/* Appends the stacks, as the output folded prints them. Reports to `console` instead of the
 * session's. Returns false after reporting an error; an input without stacks is none. */
bool brz_fold_input(const brz_session *s, const char *format, const brz_input *input,
                    const brz_console *console, brz_buf *folded);

#endif
