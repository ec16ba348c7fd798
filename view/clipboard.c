/* SPDX-License-Identifier: MIT */
/* Copies text to the clipboard of the terminal's user. */
#include "view/clipboard.h"

#include "view/text.h"

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void add_base64(brz_buf *b, brz_str data)
{
    for (size_t i = 0; i < data.len; i += 3) {
        uint32_t group = 0, n = data.len - i < 3 ? (uint32_t)(data.len - i) : 3;
        for (uint32_t k = 0; k < 3; k++)
            group = group << 8 | (k < n ? (unsigned char)data.data[i + k] : 0);
        for (uint32_t k = 0; k < 4; k++)
            brz_buf_add_char(b, k <= n ? digits[group >> (18 - 6 * k) & 63] : '=');
    }
}

void view_clipboard_add(brz_buf *b, brz_str text)
{
    brz_buf harmless = {0};
    view_text_add_harmless(&harmless, text);
    brz_buf_add_text(b, "\033]52;c;");
    add_base64(b, brz_buf_str(&harmless));
    brz_buf_add_text(b, "\033\\");
    brz_buf_finish(&harmless);
}
