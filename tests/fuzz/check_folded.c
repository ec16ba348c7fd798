/* SPDX-License-Identifier: MIT */
/* Checks folded text: the counts of its lines are those of the profile, and the collapser "folded"
 * reads the same stacks from it, unless the text looks like that of another format. */
#include "fuzz.h"

#include <brazier/symbol.h>
#include <brazier/text/trim.h>
#include "output.h"

#include <string.h>

#include "collapse/foreign.h"
#include "pipeline.h"
#include "profile.h"

/* Takes a count off the end of a line, in units of 10^-decimals. */
static int64_t take_count(brz_str *line, uint32_t decimals)
{
    size_t at = line->len;
    while (at > 0 && line->data[at - 1] != ' ')
        at--;
    FUZZ_REQUIRE(at > 0, "a line without a count");
    brz_str s = brz_str_of(line->data + at, line->len - at);
    bool negative = s.len > 0 && s.data[0] == '-', point = false;
    uint64_t value = 0;
    uint32_t fraction = 0;
    for (size_t i = negative; i < s.len; i++) {
        if (s.data[i] == '.') {
            point = true;
            continue;
        }
        FUZZ_REQUIRE(s.data[i] >= '0' && s.data[i] <= '9', "a count that is no number");
        value = value * 10 + (uint64_t)(s.data[i] - '0');
        fraction += point;
    }
    for (; fraction < decimals; fraction++)
        value *= 10;
    line->len = at - 1;
    return (int64_t)(negative ? 0 - value : value);
}

static void check_sum(const fuzz_written *w, uint32_t column, uint64_t sum)
{
    bool saturated = w->saturated;
    int64_t want = fuzz_profile_sum(w->profile, column, &saturated);
    FUZZ_REQUIRE(saturated || sum == (uint64_t)want, "counts add up to %lld, not %lld",
                 (long long)sum, (long long)want);
}

static const brz_str weight_comment = {"# weight: ", 10};

/* Returns the lines after the comment that names the weight, which an option adds. */
static brz_str without_weight(brz_str text)
{
    size_t end = brz_str_find(text, BRZ_STR("\n"), 0);
    if (end == SIZE_MAX || !brz_starts_with(text, weight_comment))
        return text;
    return brz_str_of(text.data + end + 1, text.len - end - 1);
}

/* Returns false if the format cannot represent a line (one without a frame, or one with a blank
 * before its first or after its last frame) or if all counts are 0, which no run accepts. */
static bool check_lines(const fuzz_written *w)
{
    uint64_t before = 0, after = 0;
    bool has_odd_lines = false, compared = w->subject->before != BRZ_NO_COLUMN;
    uint32_t column = compared ? w->subject->after : w->subject->weight;
    for (brz_str rest = without_weight(w->bytes); rest.len > 0;) {
        size_t end = brz_str_find(rest, BRZ_STR("\n"), 0);
        FUZZ_REQUIRE(end != SIZE_MAX, "no last line break");
        brz_str line = brz_str_of(rest.data, end);
        rest = brz_str_of(rest.data + end + 1, rest.len - end - 1);
        has_odd_lines |= brz_trim(line).len < line.len || memchr(line.data, '-', line.len) != NULL;
        after += (uint64_t)take_count(&line, w->profile->weights[column].decimals);
        if (compared)
            before += (uint64_t)take_count(&line, w->profile->weights[column].decimals);
        has_odd_lines |= line.len > 0 && line.data[line.len - 1] == ' ';
    }
    check_sum(w, column, after);
    if (compared)
        check_sum(w, w->subject->before, before);
    return !has_odd_lines && (before != 0 || after != 0);
}

void fuzz_check_output(const fuzz_written *w)
{
    bool compared = w->subject->before != BRZ_NO_COLUMN;
    bool names_weight = without_weight(w->bytes).len < w->bytes.len;
    brz_setting settings[] = {{.component = "folded",
                               .option = "counts",
                               .value = compared ? "2" : "1",
                               .origin = "check"},
                              {.component = "folded",
                               .option = "weight-line",
                               .value = names_weight ? "true" : "false",
                               .origin = "check"}};
    if (!check_lines(w) || w->saturated || w->bytes.len == 0 || brz_foreign_find(w->bytes) != NULL)
        return;
    brz_input input = {.kind = BRZ_INPUT_MEMORY,
                       .name = "folded text",
                       .data = w->bytes.data,
                       .len = w->bytes.len};
    brz_buf again = {0};
    const brz_request request = {.inputs = &input,
                                 .n_inputs = 1,
                                 .from = "folded",
                                 .demangle = "none",
                                 .settings = settings,
                                 .n_settings = 2};
    bool other_format;
    bool accepted = fuzz_run(&request, &again, &other_format);
    FUZZ_REQUIRE(accepted || other_format, "refused by the collapser:\n%.*s", (int)w->bytes.len,
                 w->bytes.data);
    FUZZ_REQUIRE(!accepted || brz_str_equal(brz_buf_str(&again), w->bytes),
                 "read back as something else:\n%.*s----\n%s", (int)w->bytes.len, w->bytes.data,
                 brz_buf_text(&again));
    brz_buf_finish(&again);
}
