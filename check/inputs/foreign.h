/* SPDX-License-Identifier: MIT */
/* Small inputs in formats other than the plug-in's: one or two of each built-in format, and texts
 * that are not profiles. */
#ifndef BRZ_CHECK_FOREIGN_H
#define BRZ_CHECK_FOREIGN_H

#include <brazier/base.h>

typedef struct check_foreign {
    uint32_t since;     /* minor of the first host that has it */
    const char *format; /* id of the format's collapser; NULL: not a profile */
    const char *name;   /* file name */
    const uint8_t *data;
    size_t len;
} check_foreign;

/* Stores the i-th input for a plug-in of this minor in *f: those that its author could test it
 * with. Returns false after the last one. */
bool check_foreign_at(uint32_t minor, size_t i, check_foreign *f);

#endif
