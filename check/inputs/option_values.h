/* SPDX-License-Identifier: MIT */
/* Tries values of a component's options other than their defaults. */
#ifndef BRZ_CHECK_OPTION_VALUES_H
#define BRZ_CHECK_OPTION_VALUES_H

#include "plugin/loaded.h"
#include "plugin/options.h"

/* Returns the defaults with another value of one option, or NULL after the last such value. *next
 * is 0 at first. Appends "--NAME=VALUE" to `name`. Leaves out values that the option or `validate`
 * does not accept, files, and what uses the network. */
brz_options *check_next_options(const brz_loaded *l, size_t *next, brz_buf *name);

#endif
