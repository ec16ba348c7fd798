/* SPDX-License-Identifier: MIT */
/* Checks summaries in Markdown: UTF-8 within the budget, in which all that is not within a code
 * span is from a small alphabet, so that no name makes a link, an image, a mention or HTML; and
 * tables whose rows have as many cells as their heads. */
#include "base/utf8.h"
#include "fuzz.h"
#include "output.h"

#include <string.h>

#define BUDGET 4096 /* the default */

/* Returns the number of backticks at a position. */
static size_t fence_at(brz_str s, size_t at)
{
    size_t n = 0;
    while (at + n < s.len && s.data[at + n] == '`')
        n++;
    return n;
}

/* Returns the position after the code span that begins with a fence of `n` backticks at `at`. */
static size_t span_end(brz_str s, size_t at, size_t n)
{
    for (at += n; at < s.len;) {
        size_t run = fence_at(s, at);
        if (run == n)
            return at + run;
        at += run > 0 ? run : 1;
    }
    FUZZ_REQUIRE(false, "a code span without an end");
    return s.len;
}

static bool is_known(unsigned char c)
{
    return c >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
           (c >= 'A' && c <= 'Z') || memchr(" #*|:-,.;%()+<'", c, 15) != NULL;
}

/* Checks a line outside of its code spans. */
static void check_words(brz_str line)
{
    for (size_t i = 0; i < line.len;) {
        size_t fence = fence_at(line, i);
        if (fence > 0) {
            i = span_end(line, i, fence);
            continue;
        }
        FUZZ_REQUIRE(is_known((unsigned char)line.data[i]), "the byte %u outside of code",
                     (unsigned char)line.data[i]);
        bool is_tag = line.data[i] == '<' && (i + 1 == line.len || line.data[i + 1] != '0');
        FUZZ_REQUIRE(!is_tag, "a tag"); /* "<0.01%" is a share */
        i++;
    }
}

/* Returns the number of "|" that divide a line into cells: those without a backslash in front. */
static size_t count_bars(brz_str line)
{
    size_t n = 0, backslashes = 0;
    for (size_t i = 0; i < line.len; i++) {
        n += line.data[i] == '|' && backslashes % 2 == 0;
        backslashes = line.data[i] == '\\' ? backslashes + 1 : 0;
    }
    return n;
}

static void check_line(brz_str line, size_t *bars)
{
    bool is_row = line.len > 0 && line.data[0] == '|';
    for (size_t i = 0; i < line.len; i++)
        FUZZ_REQUIRE((unsigned char)line.data[i] >= 0x20 && line.data[i] != 0x7f,
                     "a control character");
    check_words(line);
    if (is_row && *bars > 0)
        FUZZ_REQUIRE(count_bars(line) == *bars, "a row with another number of cells");
    *bars = is_row ? count_bars(line) : 0;
}

void fuzz_check_output(const fuzz_written *w)
{
    size_t start = 0, bars = 0;
    FUZZ_REQUIRE(brz_utf8_valid(w->bytes), "not UTF-8");
    FUZZ_REQUIRE(w->bytes.len <= BUDGET, "longer than the budget");
    for (size_t i = 0; i < w->bytes.len; i++) {
        if (w->bytes.data[i] != '\n')
            continue;
        check_line(brz_str_of(w->bytes.data + start, i - start), &bars);
        start = i + 1;
    }
    FUZZ_REQUIRE(start == w->bytes.len, "no last line break");
}
