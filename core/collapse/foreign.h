/* Formats that brazier recognises but does not read, with what to do about each. Only the content
 * counts, never a file's name. */
#ifndef BRZ_FOREIGN_H
#define BRZ_FOREIGN_H

#include <brazier/base.h>

#include "base/buf.h"

/* A format. */
typedef struct brz_foreign {
    const char *name;   /* with its article: "an SVG picture, not a profile" */
    const char *advice; /* what to do next; FILE stands for the input's name */
    bool vague;         /* only a family is known, such as JSON: nothing is ruled out by it */
} brz_foreign;

/* Returns the format of an input that begins with `head`, or NULL if no signature matches. */
const brz_foreign *brz_foreign_find(brz_str head);

/* Adds to `b` which format an input is in, and what to do about it. */
void brz_foreign_add(const brz_foreign *format, brz_buf *b);

/* Returns the i-th format, or NULL behind the last one. One format may be there several times. */
const brz_foreign *brz_foreign_at(size_t i);

/* Returns the number of a format from brz_foreign_find. */
size_t brz_foreign_number(const brz_foreign *format);

#endif
