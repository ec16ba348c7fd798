/* SPDX-License-Identifier: MIT */
/* Makes texts of plug-ins safe to show. */
#include "plain.h"

#include <string.h>

#include "base/diag.h"

const char *cli_add_plain(brz_buf *b, const char *text)
{
    brz_add_printable(b, brz_str_of_text(text));
    return brz_buf_text(b);
}

const char *cli_add_plain_lines(brz_buf *b, const char *text)
{
    for (const char *at = text;; at++) {
        size_t n = strcspn(at, "\n");
        brz_add_printable(b, brz_str_of(at, n));
        at += n;
        if (*at == '\0')
            return brz_buf_text(b);
        brz_buf_add_char(b, '\n');
    }
}
