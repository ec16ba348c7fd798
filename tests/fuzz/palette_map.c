/* SPDX-License-Identifier: MIT */
/* Fuzzes the reader of palette maps.
 *
 * The number of invalid lines is at most that of lines; the map read is written, and reading and
 * writing the result again gives the same bytes without invalid lines.
 */
#include "fuzz.h"

#include <string.h>

#include "draw/palette_map.h"

static size_t count_lines(brz_str text)
{
    size_t n = text.len > 0 && text.data[text.len - 1] != '\n';
    for (size_t i = 0; i < text.len; i++)
        n += text.data[i] == '\n';
    return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    brz_palette_map *m = brz_palette_map_create(), *again = brz_palette_map_create();
    brz_buf first = {0}, second = {0};
    brz_str text = brz_str_of((const char *)data, size);
    size_t bad = brz_palette_map_parse(m, text);
    FUZZ_REQUIRE(bad <= count_lines(text), "%zu bad ones of %zu lines", bad, count_lines(text));
    brz_palette_map_print(m, &first);
    bad = brz_palette_map_parse(again, brz_buf_str(&first));
    FUZZ_REQUIRE(bad == 0, "%zu lines cannot be read back", bad);
    brz_palette_map_print(again, &second);
    FUZZ_REQUIRE(first.len == second.len &&
                     memcmp(brz_buf_text(&first), brz_buf_text(&second), first.len) == 0,
                 "read back, it is something else");
    brz_buf_finish(&first);
    brz_buf_finish(&second);
    brz_palette_map_destroy(m);
    brz_palette_map_destroy(again);
    return 0;
}

bool fuzz_variant(unsigned i, fuzz_settings *s)
{
    (void)i;
    (void)s;
    return false;
}
