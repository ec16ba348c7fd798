/* SPDX-License-Identifier: MIT */
/* Fuzzes the JSON parser of the SDK: a text has the same tokens however it is divided, tokens lie
 * within it, brackets match, decoded strings are no longer than written ones, and an error is
 * permanent. */
#include "fuzz.h"

#include <brazier/json.h>

#include <stdlib.h>
#include <string.h>

/* ---- a context that allocates --------------------------------------------------------------- */

static void *blocks[256];
static size_t n_blocks;

static void *allocate(brz_ctx *ctx, size_t size, size_t align)
{
    (void)ctx;
    (void)align;
    FUZZ_REQUIRE(n_blocks < sizeof blocks / sizeof blocks[0], "too many allocations");
    blocks[n_blocks] = calloc(1, size);
    FUZZ_REQUIRE(blocks[n_blocks] != NULL, "out of memory");
    return blocks[n_blocks++];
}

static void release(void)
{
    while (n_blocks > 0)
        free(blocks[--n_blocks]);
}

static const brz_collapser_host host = {.struct_size = sizeof host, .alloc = allocate};
static brz_ctx ctx = {.struct_size = sizeof ctx, .host = &host};

/* ---- properties ------------------------------------------------------------------------------ */

/* A token and its place; without padding, to be compared as bytes. */
typedef struct place {
    size_t kind, at, len;
} place;

static bool is_string(brz_json_kind kind)
{
    return kind == BRZ_JSON_KEY || kind == BRZ_JSON_STRING;
}

static void check_string(brz_text *decoded, brz_str text)
{
    decoded->len = 0;
    brz_json_decode(decoded, &ctx, text);
    FUZZ_REQUIRE(decoded->len <= text.len, "decoded to more than was written");
    FUZZ_REQUIRE(brz_json_text_is(text, brz_text_str(decoded)), "not the text that it is");
}

/* Stores the tokens of a text that arrives `step` bytes at a time, the last one included. Returns
 * their number. */
static size_t parse(const char *text, size_t n, size_t step, brz_json j, place *tokens)
{
    brz_text decoded = {0};
    const char *at = text;
    size_t count = 0, depth = 0;
    for (size_t shown = step < n ? step : n;;) {
        brz_json_token t;
        if (step <= n || !brz_json_next_number(&j, &at, text + shown, &t))
            t = brz_json_next(&j, &ctx, &at, text + shown, shown == n);
        FUZZ_REQUIRE(at >= text && at <= text + shown, "out of range");
        FUZZ_REQUIRE(t.text.data >= text && t.text.data + t.text.len <= text + shown,
                     "a token out of range");
        if (t.kind == BRZ_JSON_MORE) {
            FUZZ_REQUIRE(shown < n, "more is wanted at the end");
            shown = n - shown > step ? shown + step : n;
            continue;
        }
        tokens[count++] = (place){t.kind, (size_t)(t.text.data - text), t.text.len};
        depth += t.kind == BRZ_JSON_OBJECT || t.kind == BRZ_JSON_ARRAY;
        depth -= t.kind == BRZ_JSON_OBJECT_CLOSE || t.kind == BRZ_JSON_ARRAY_CLOSE;
        FUZZ_REQUIRE(t.kind == BRZ_JSON_ERROR || depth == j.depth, "another depth");
        if (is_string(t.kind))
            check_string(&decoded, t.text);
        if (t.kind == BRZ_JSON_END || t.kind == BRZ_JSON_ERROR)
            break;
    }
    FUZZ_REQUIRE((tokens[count - 1].kind == BRZ_JSON_ERROR) == (j.error != NULL), "no reason");
    if (j.error != NULL)
        FUZZ_REQUIRE(brz_json_next(&j, &ctx, &at, text + n, true).kind == BRZ_JSON_ERROR,
                     "an error was forgotten");
    release();
    return count;
}

/* Requires that text that is no string's can be decoded within bounds, too. */
static void check_any_text(const char *text, size_t n)
{
    brz_text decoded = {0};
    check_string(&decoded, brz_str_of(text, n));
    release();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_settings settings = fuzz_take_settings(data, &size);
    const char *text = (const char *)data;
    place *whole = calloc(size + 1, sizeof *whole), *pieces = calloc(size + 1, sizeof *pieces);
    brz_json parser = {.several = settings.way & 1, .lenient = settings.way & 2};
    size_t n = parse(text, size, size + 1, parser, whole);
    FUZZ_REQUIRE(n == parse(text, size, 1 + settings.size, parser, pieces) &&
                     memcmp(whole, pieces, n * sizeof *whole) == 0,
                 "pieces have other tokens");
    check_any_text(text, size);
    free(whole);
    free(pieces);
    return 0;
}

bool fuzz_variant(unsigned i, fuzz_settings *s)
{
    static const uint8_t sizes[] = {0, 1, 2, 15};
    if (i >= 4 * sizeof sizes)
        return false;
    s->size = sizes[i / 4];
    s->way = i % 4;
    return true;
}
