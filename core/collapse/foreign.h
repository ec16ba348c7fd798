/* Recognises formats that brazier does not read, and says what to do about each. Only the content
 * counts, not the name of a file. */
#ifndef BRZ_FOREIGN_H
#define BRZ_FOREIGN_H

#include <brazier/base.h>

#include "base/buf.h"

/* A foreign format. */
typedef struct brz_foreign {
    const char *name;   /* with its article: "an SVG picture, not a profile" */
    const char *advice; /* what to do next; FILE stands for the input's name */
    bool vague;         /* only a family is known, such as JSON, which rules out nothing */
} brz_foreign;

/* Returns the format of an input that begins with `head`, or NULL if no signature matches. */
const brz_foreign *brz_foreign_find(brz_str head);

/* Appends the name of a format and the advice to `b`. */
void brz_foreign_add(const brz_foreign *format, brz_buf *b);

/* Returns the i-th format, or NULL after the last one. A format may occur several times. */
const brz_foreign *brz_foreign_at(size_t i);

/* Returns the number of a format from brz_foreign_find. */
size_t brz_foreign_number(const brz_foreign *format);

#endif
