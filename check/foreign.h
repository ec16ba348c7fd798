/* Small inputs in formats that are not the plug-in's: one or two of each built-in format, and texts
 * that are no profiles at all. */
#ifndef BRZ_CHECK_FOREIGN_H
#define BRZ_CHECK_FOREIGN_H

#include <brazier/base.h>

typedef struct check_foreign {
    const char *format; /* the id of its collapser; NULL: it is no profile */
    const char *name;   /* of the file */
    const uint8_t *data;
    size_t len;
} check_foreign;

/* The i-th; false behind the last one. */
bool check_foreign_at(size_t i, check_foreign *f);

#endif
