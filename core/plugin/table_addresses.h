/* SPDX-License-Identifier: MIT */
/* Recognises a table of options that is not where its component says. */
#ifndef BRZ_TABLE_ADDRESSES_H
#define BRZ_TABLE_ADDRESSES_H

#include <brazier/plugin.h>

/* Returns whether the table of options and the texts of its rows lie in loaded objects, as constant
 * data does. A wrong n_options or option_size lets rows begin elsewhere, whose members are no
 * addresses. Leaves a table to later checks that they reject without reading it. */
bool brz_option_table_is_loaded(const brz_component *c);

#endif
