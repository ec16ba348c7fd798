/* SPDX-License-Identifier: MIT */
/* Checks the examples of formats that configurations define: inputs with their stacks. */
#ifndef BRZ_FORMAT_EXAMPLES_H
#define BRZ_FORMAT_EXAMPLES_H

#include "config/session.h"
#include "plugin/format.h"

/* Collapses the text of each example and compares the stacks, in any order. Reports those that
 * differ, with the expected and the real lines beside each other. Notes a format without examples.
 * Returns false after reporting an error. */
bool brz_format_check_examples(brz_session *s, const brz_loaded *format);

#endif
