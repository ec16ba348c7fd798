/* SPDX-License-Identifier: MIT */
/* Checks outputs that are text for terminals or line-oriented files: UTF-8 without control
 * characters, but for colours, and a line break after the last line. */
#include "base/utf8.h"
#include "fuzz.h"
#include "output.h"

/* Returns the length, less one, of an escape sequence for a colour in front of a text. */
static size_t color_length(brz_str s)
{
    size_t n = 2;
    if (s.data[0] != '\033')
        return 0;
    FUZZ_REQUIRE(s.len > 2 && s.data[1] == '[', "an escape");
    while (n < s.len && ((s.data[n] >= '0' && s.data[n] <= '9') || s.data[n] == ';'))
        n++;
    FUZZ_REQUIRE(n < s.len && s.data[n] == 'm', "an escape that is no colour");
    return n;
}

void fuzz_check_output(const fuzz_written *w)
{
    FUZZ_REQUIRE(brz_utf8_valid(w->bytes), "not UTF-8");
    for (size_t i = 0; i < w->bytes.len; i++) {
        unsigned char c = (unsigned char)w->bytes.data[i];
        i += color_length(brz_str_of(w->bytes.data + i, w->bytes.len - i));
        FUZZ_REQUIRE(c >= 0x20 || c == '\n' || c == '\033', "control character %u", c);
        FUZZ_REQUIRE(c != 0x7f, "a delete character");
    }
    FUZZ_REQUIRE(w->bytes.len == 0 || w->bytes.data[w->bytes.len - 1] == '\n',
                 "no last line break");
}
