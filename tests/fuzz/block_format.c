/* SPDX-License-Identifier: MIT */
/* Fuzzes the finder of blocks of lines: blocks are the same however the text is divided, together
 * they are the text, each but the first begins with a beginning, and boundaries are where blocks
 * begin. */
#include "fuzz.h"

#include <brazier/block_format.h>

#include <stdlib.h>
#include <string.h>

static bool begins(brz_str line)
{
    return line.len > 0 && line.data[0] == '#';
}

/* Stores the offsets where blocks end. Shows the text `step` bytes at a time, and more if no block
 * is complete. Returns the number of blocks. */
static size_t divide(const char *text, size_t n, size_t step, size_t *ends)
{
    size_t at = 0, shown = step < n ? step : n, count = 0;
    for (;;) {
        brz_str block;
        size_t from = at;
        while (brz_block_take(text, shown, &at, shown == n, begins, &block)) {
            FUZZ_REQUIRE(block.data == text + from && block.len == at - from && block.len > 0,
                         "a gap between blocks");
            from = at;
            ends[count++] = at;
        }
        FUZZ_REQUIRE(at == from, "moved without a block");
        if (shown == n)
            break;
        shown = n - shown > step ? shown + step : n;
    }
    FUZZ_REQUIRE(at == n, "text is left over");
    return count;
}

static bool is_beginning(const char *text, size_t n, size_t at)
{
    const char *newline = memchr(text + at, '\n', n - at);
    return (at == 0 || text[at - 1] == '\n') && newline != NULL &&
           begins(brz_str_of(text + at, (size_t)(newline - text) - at));
}

/* A line without a newline is no boundary, but may begin the last block. */
static bool is_cut_beginning(const char *text, size_t n, size_t at)
{
    return text[at - 1] == '\n' && memchr(text + at, '\n', n - at) == NULL &&
           begins(brz_str_of(text + at, n - at));
}

static void check_boundaries(const char *text, size_t n)
{
    for (size_t from = 0; from <= n; from += 1 + n / 64) {
        size_t at = brz_block_format_boundary((const uint8_t *)text, n, from, begins);
        FUZZ_REQUIRE(at >= from && at <= n, "a boundary outside");
        FUZZ_REQUIRE(at == n || is_beginning(text, n, at), "a boundary within a block");
        for (size_t i = from; i < at; i++)
            FUZZ_REQUIRE(!is_beginning(text, n, i), "a beginning was passed over");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_settings settings = fuzz_take_settings(data, &size);
    const char *text = (const char *)data;
    if (size == 0 || size > 4096)
        return 0;
    size_t *whole = malloc(size * sizeof *whole), *pieces = malloc(size * sizeof *pieces);
    size_t n = divide(text, size, size, whole);
    FUZZ_REQUIRE(n == divide(text, size, 1 + settings.size, pieces) &&
                     memcmp(whole, pieces, n * sizeof *whole) == 0,
                 "pieces have other blocks");
    for (size_t i = 0; i + 1 < n; i++)
        FUZZ_REQUIRE(is_beginning(text, size, whole[i]) || is_cut_beginning(text, size, whole[i]),
                     "a block without a beginning");
    check_boundaries(text, size);
    free(whole);
    free(pieces);
    return 0;
}

bool fuzz_variant(unsigned i, fuzz_settings *s)
{
    static const uint8_t sizes[] = {0, 1, 2, 15};
    if (i >= sizeof sizes)
        return false;
    s->size = sizes[i];
    return true;
}
