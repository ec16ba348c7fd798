/* SPDX-License-Identifier: MIT */
/* Tests the beginning of an input for the conditions of a signature (config/foreign.txt). */
#ifndef BRZ_CONDITION_H
#define BRZ_CONDITION_H

#include <brazier/base.h>

/* The beginning of an input. */
typedef struct brz_beginning {
    brz_str bytes;
    brz_str text; /* the same without a byte order mark and blank lines */
} brz_beginning;

/* Returns whether all conditions hold, such as `starts "Begin" text ", Time,"`. */
bool brz_conditions_hold(brz_str conditions, const brz_beginning *of);

/* Returns true if the beginning of a file is binary: it has many control characters including
 * zeros. */
bool brz_is_binary(brz_str bytes);

#endif
