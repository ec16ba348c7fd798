/* Whether text is well-formed: XML 1.0 (without what a DTD would add), JSON, UTF-8.
 *
 * Not parsers: nothing is built, the text is walked once, however deep it is.
 */
#ifndef BRZ_CHECK_WALK_H
#define BRZ_CHECK_WALK_H

#include <brazier/base.h>

/* Where a text stops to be well-formed, and why. */
typedef struct check_flaw {
    size_t at;
    const char *what; /* NULL: nothing is wrong */
} check_flaw;

check_flaw check_walk_xml(brz_str text);
check_flaw check_walk_json(brz_str text);
check_flaw check_walk_utf8(brz_str text);

#endif
