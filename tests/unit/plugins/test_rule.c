/* SPDX-License-Identifier: MIT */
/* Tests rules of the palette "rules", as users write them. */
#include "unit.h"

#include "palettes/rule.h"

/* Parses a copy of the text without terminator. */
static const char *parse(const char *text, rule *r, char **copy)
{
    size_t n = strlen(text);
    *copy = exact_copy(text, n);
    return rule_parse(brz_str_of(*copy, n), r);
}

static void a_pattern_and_a_colour_are_a_rule(void **state)
{
    (void)state;
    static const struct {
        const char *text, *pattern;
        int type;
        uint32_t color;
    } rules[] = {
        {"a = #010203", "a", RULE_COLOR, BRZ_RGB(1, 2, 3)},
        {"a=#01020304", "a", RULE_COLOR, BRZ_RGB(1, 2, 3)},
        {"^x=y == red", "^x=y =", RULE_RAMP, RAMP_RED},
        {"  a b\t=  orange ", "a b", RULE_RAMP, RAMP_ORANGE},
        {"a=next", "a", RULE_NEXT, 0},
    };
    for (size_t i = 0; i < COUNT_OF(rules); i++) {
        rule r;
        char *copy;
        assert_null(parse(rules[i].text, &r, &copy));
        assert_text(r.patterns[RULE_NAME], rules[i].pattern);
        assert_int_equal(r.color.type, rules[i].type);
        if (r.color.type == RULE_COLOR)
            assert_int_equal(r.color.color, rules[i].color);
        if (r.color.type == RULE_RAMP)
            assert_int_equal(r.color.ramp, rules[i].color);
        free(copy);
    }
}

static void lines_of_a_map_are_a_rule(void **state)
{
    (void)state;
    rule r;
    char *copy;
    assert_null(parse("match: ^a: b\nmodule: libc\nfile: \\.c$\nkind: kernel\nannotation: k\n"
                      "color: mem\nlegend: all of it\n",
                      &r, &copy));
    assert_text(r.patterns[RULE_NAME], "^a: b");
    assert_text(r.patterns[RULE_MODULE], "libc");
    assert_text(r.patterns[RULE_FILE], "\\.c$");
    assert_true(r.has_kind);
    assert_int_equal(r.kind, BRZ_KIND_KERNEL);
    assert_int_equal(r.annotation, 'k');
    assert_int_equal(r.color.type, RULE_RAMP);
    assert_int_equal(r.color.ramp, RAMP_MEM);
    assert_text(r.legend, "all of it");
    free(copy);
}

static void errors_in_rules_are_described(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } rules[] = {
        {"", "PATTERN = COLOUR"},
        {"red", "PATTERN = COLOUR"},
        {"= red", "no pattern"},
        {"a = crimson", "a colour is"},
        {"a =", "a colour is"},
        {"a = #12345", "a colour is"},
        {"\n", "KEY: VALUE"},
        {"match\n", "KEY: VALUE"},
        {"match: a\n", "no color"},
        {"color: red\n", "a rule needs match"},
        {"match: \ncolor: red\n", "pattern is empty"},
        {"match: a\ncolor: crimson\n", "a colour is"},
        {"match: a\ncolour: red\n", "a rule has"},
        {"kind: kernal\ncolor: red\n", "a kind is"},
        {"annotation: x\ncolor: red\n", "an annotation is"},
        {"annotation: kk\ncolor: red\n", "an annotation is"},
    };
    for (size_t i = 0; i < COUNT_OF(rules); i++) {
        rule r;
        char *copy;
        const char *wrong = parse(rules[i].text, &r, &copy);
        assert_non_null(wrong);
        assert_contains(wrong, rules[i].says);
        free(copy);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pattern_and_a_colour_are_a_rule),
        cmocka_unit_test(lines_of_a_map_are_a_rule),
        cmocka_unit_test(errors_in_rules_are_described),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
