/* SPDX-License-Identifier: MIT */
/* Finds what is allowed in a format, but probably a mistake. */
#ifndef TEXT_DOUBTS_H
#define TEXT_DOUBTS_H

#include "format.h"

/* Implements brz_text_format.doubt: reports roots that no expression has as a group, labels whose
 * names are nearly those of groups with a meaning, and the unit of a weight without a group. */
void text_doubt(const text_shape *shape, const void *cfg, brz_option_faults *doubts);

#endif
