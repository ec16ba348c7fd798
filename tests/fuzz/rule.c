/* SPDX-License-Identifier: MIT */
/* Fuzzes the parser of the palette "rules": a rule is rejected with a reason, or its texts lie
 * within the input and it has a pattern, kind or annotation. */
#include "fuzz.h"

#include "rule.h"

static bool is_inside(brz_str part, const uint8_t *data, size_t size)
{
    const char *start = (const char *)data;
    return part.len == 0 || (part.data >= start && part.len <= size &&
                             (size_t)(part.data - start) <= size - part.len);
}

static void check_rule(const rule *r, const uint8_t *data, size_t size)
{
    bool conditions = r->has_kind || r->annotation != 0;
    for (size_t i = 0; i < RULE_N_PATTERNS; i++) {
        FUZZ_REQUIRE(is_inside(r->patterns[i], data, size), "a pattern from elsewhere");
        FUZZ_REQUIRE((r->patterns[i].data == NULL) == (r->patterns[i].len == 0), "empty pattern");
        conditions |= r->patterns[i].data != NULL;
    }
    FUZZ_REQUIRE(is_inside(r->legend, data, size), "a legend from elsewhere");
    FUZZ_REQUIRE(conditions, "a rule for nothing");
    FUZZ_REQUIRE(r->color.type != RULE_RAMP || r->color.ramp < RAMP_COUNT, "no such ramp");
    FUZZ_REQUIRE(r->color.type != RULE_COLOR || (r->color.color & 0xff) == 0xff, "not opaque");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    rule r;
    const char *wrong = rule_parse(brz_str_of((const char *)data, size), &r);
    FUZZ_REQUIRE(wrong == NULL || wrong[0] != '\0', "refused without a reason");
    if (wrong == NULL)
        check_rule(&r, data, size);
    return 0;
}

bool fuzz_variant(unsigned i, fuzz_settings *s)
{
    (void)i;
    (void)s;
    return false;
}
