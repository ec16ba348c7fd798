/* SPDX-License-Identifier: MIT */
/* A fuzz target around `diff`: the input is two folded texts, with a line "====" between them.
 *
 * What a comparison says of each side is what that side says alone, unless it is normalized; then
 * both sides have the same stacks as before.
 */
#include "fuzz.h"

#include <brazier/symbol.h>

#include <stdlib.h>
#include <string.h>

#include "pipeline.h"

static const char between[] = "====\n";

enum { BEFORE, AFTER };

static brz_input input_of(const char *name, const char *data, size_t len)
{
    return (brz_input){.kind = BRZ_INPUT_MEMORY, .name = name, .data = data, .len = len};
}

/* One count per line, so that a frame that ends in a number is one. */
static brz_setting one_count[] = {
    {.component = "folded", .option = "counts", .value = "1", .origin = "target"}};

static bool fold(brz_input *inputs, size_t n, const fuzz_settings *s, brz_buf *out)
{
    const brz_request r = {.inputs = inputs,
                           .n_inputs = n,
                           .from = "folded",
                           .demangle = "none",
                           .settings = one_count,
                           .n_settings = 1,
                           .compare = n > 1,
                           .normalize = n > 1 ? (brz_normalize)(s->way % 3) : BRZ_NORMALIZE_NO,
                           .base_on = (brz_base_on)(s->way / 3 % 3),
                           .drawing.negate = s->way / 9 % 2,
                           .drawing.deltas = (brz_deltas)(s->way / 18 % 2)};
    return fuzz_run(&r, out, NULL);
}

static brz_str take_line(brz_str *rest)
{
    size_t end = brz_str_find(*rest, BRZ_STR("\n"), 0);
    FUZZ_REQUIRE(end != SIZE_MAX, "no last line break");
    brz_str line = brz_str_of(rest->data, end);
    *rest = brz_str_of(rest->data + end + 1, rest->len - end - 1);
    return line;
}

/* Takes a word off the end of a line, and the blank in front of it. */
static brz_str take_word(brz_str *line)
{
    size_t at = line->len;
    while (at > 0 && line->data[at - 1] != ' ')
        at--;
    FUZZ_REQUIRE(at > 0, "a count is missing");
    brz_str word = brz_str_of(line->data + at, line->len - at);
    line->len = at - 1;
    return word;
}

/* Appends the lines of one side of a comparison. */
static void add_side(brz_str compared, int side, brz_buf *b)
{
    while (compared.len > 0) {
        brz_str line = take_line(&compared), after = take_word(&line), before = take_word(&line);
        brz_str count = side == BEFORE ? before : after;
        if (brz_str_equal(count, BRZ_STR("0")))
            continue;
        brz_buf_add_str(b, line);
        brz_buf_add_char(b, ' ');
        brz_buf_add_str(b, count);
        brz_buf_add_char(b, '\n');
    }
}

/* Appends the lines of a profile that have a count other than 0. */
static void add_counted(brz_str folded, brz_buf *b)
{
    while (folded.len > 0) {
        brz_str line = take_line(&folded), stack = line;
        if (brz_str_equal(take_word(&stack), BRZ_STR("0")))
            continue;
        brz_buf_add_str(b, line);
        brz_buf_add_char(b, '\n');
    }
}

/* Checks that a side of the comparison is the side alone. */
static void check_side(const brz_buf *compared, brz_input *side, int which, const fuzz_settings *s)
{
    brz_buf folded = {0}, alone = {0}, found = {0};
    if (fold(side, 1, s, &folded))
        add_counted(brz_buf_str(&folded), &alone);
    add_side(brz_buf_str(compared), which, &found);
    FUZZ_REQUIRE(strcmp(brz_buf_text(&alone), brz_buf_text(&found)) == 0,
                 "%s is not what it is alone:\n%s----\n%s", which == BEFORE ? "before" : "after",
                 brz_buf_text(&alone), brz_buf_text(&found));
    brz_buf_finish(&folded);
    brz_buf_finish(&alone);
    brz_buf_finish(&found);
}

static bool has_large_counts(const uint8_t *data, size_t size)
{
    size_t run = 0;
    for (size_t i = 0; i < size && run < 15; i++)
        run = (data[i] >= '0' && data[i] <= '9') || data[i] == '.' ? run + 1 : 0;
    return run >= 15;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_settings s = fuzz_take_settings(data, &size);
    const char *text = (const char *)data;
    size_t middle =
        brz_str_find(brz_str_of(text, size), brz_str_of(between, sizeof between - 1), 0);
    size_t n = middle == SIZE_MAX ? size : middle;
    size_t used = middle == SIZE_MAX ? size : middle + sizeof between - 1;
    brz_input inputs[] = {input_of("before", text, n), input_of("after", text + used, size - used)};
    brz_buf compared = {0};
    bool good = fold(inputs, 2, &s, &compared);
    if (good && s.way % 3 == BRZ_NORMALIZE_NO && !has_large_counts(data, size)) {
        check_side(&compared, &inputs[BEFORE], BEFORE, &s);
        check_side(&compared, &inputs[AFTER], AFTER, &s);
    }
    brz_buf_finish(&compared);
    return 0;
}

bool fuzz_variant(unsigned i, fuzz_settings *s)
{
    s->way = (uint8_t)i;
    return i < 36;
}
