/* SPDX-License-Identifier: MIT */
/* Writes JSON strings. */
#include "base/json.h"

void brz_json_string(brz_buf *b, brz_str s)
{
    brz_buf_add_char(b, '"');
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.data[i];
        if (c == '"' || c == '\\')
            brz_buf_printf(b, "\\%c", c);
        else if (c < 0x20 || c == 0x7f)
            brz_buf_printf(b, "\\u%04x", c);
        else
            brz_buf_add_char(b, (char)c);
    }
    brz_buf_add_char(b, '"');
}
