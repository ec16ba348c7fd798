/* SPDX-License-Identifier: MIT */
/* Checks whether text is well-formed XML 1.0, JSON or UTF-8. A build without expat checks XML like
 * UTF-8.
 *
 * The checkers build nothing; they read the text once, without recursion.
 */
#ifndef BRZ_CHECK_WELL_FORMED_H
#define BRZ_CHECK_WELL_FORMED_H

#include <brazier/base.h>

/* The first flaw of a text, and its description. */
typedef struct check_flaw {
    size_t at;
    const char *what; /* NULL: no flaw */
} check_flaw;

check_flaw check_well_formed_xml(brz_str text);
check_flaw check_well_formed_json(brz_str text);
check_flaw check_well_formed_utf8(brz_str text);

#endif
