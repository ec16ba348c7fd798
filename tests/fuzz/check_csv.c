/* SPDX-License-Identifier: MIT */
/* Checks outputs that are comma-separated values: UTF-8, lines that end with CR LF, the same number
 * of cells in each, and quotes around whole cells only. */
#include "base/utf8.h"
#include "fuzz.h"
#include "output.h"

/* Returns the end of the cell at `p`. */
static const char *cell_end(const char *p, const char *end)
{
    if (p == end || *p != '"') {
        for (; p < end && *p != ',' && *p != '\r'; p++)
            FUZZ_REQUIRE(*p != '"' && *p != '\n', "a quote or line break in a cell without quotes");
        return p;
    }
    for (p++; p < end && (*p != '"' || (p + 1 < end && p[1] == '"')); p += 1 + (*p == '"'))
        FUZZ_REQUIRE((unsigned char)*p >= 0x20 && *p != 0x7f, "a control character");
    FUZZ_REQUIRE(p < end, "a quote that nothing ends");
    return p + 1;
}

void fuzz_check_output(const fuzz_written *w)
{
    const char *p = w->bytes.data, *end = p + w->bytes.len;
    size_t n_first = 0;
    FUZZ_REQUIRE(brz_utf8_valid(w->bytes), "not UTF-8");
    while (p < end) {
        size_t n = 0;
        do
            p = cell_end(p + (n > 0), end);
        while (++n > 0 && p < end && *p == ',');
        FUZZ_REQUIRE(end - p >= 2 && p[0] == '\r' && p[1] == '\n', "no line break after a row");
        FUZZ_REQUIRE(n_first == 0 || n == n_first, "%zu cells after a row of %zu", n, n_first);
        n_first = n;
        p += 2;
    }
}
