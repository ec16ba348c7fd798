/* SPDX-License-Identifier: MIT */
/* Defines valid identifiers: ids of components and names of plug-ins and options, which need no
 * quoting on a command line or in a configuration. */
#ifndef BRZ_IDS_H
#define BRZ_IDS_H

#include <stdbool.h>
#include <stddef.h>

#define BRZ_ID_MAX  32
#define BRZ_ID_RULE "1 to 32 of a-z, 0-9 and '-', the first not '-'"

static inline bool brz_is_id_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
}

static inline bool brz_is_id(const char *s)
{
    size_t n = 0;
    while (n <= BRZ_ID_MAX && brz_is_id_byte(s[n]))
        n++;
    return n >= 1 && n <= BRZ_ID_MAX && s[n] == '\0' && s[0] != '-';
}

#endif
