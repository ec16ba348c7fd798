/* SPDX-License-Identifier: MIT */
/* Tests the well-formedness checks of XML, JSON and UTF-8. */
#include "unit.h"

#include "check/drive/well_formed.h"

typedef check_flaw check_fn(brz_str text);

typedef struct text_case {
    const char *text;
    const char *what; /* NULL: well-formed */
} text_case;

static void check_all(check_fn *check, const text_case *cases, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        check_flaw flaw = check(brz_str_of(cases[i].text, strlen(cases[i].text)));
        if (cases[i].what == NULL && flaw.what != NULL)
            fail_msg("%s: %s at %zu", cases[i].text, flaw.what, flaw.at);
        if (cases[i].what != NULL && (flaw.what == NULL || strcmp(flaw.what, cases[i].what) != 0))
            fail_msg("%s: '%s' instead of '%s'", cases[i].text, flaw.what, cases[i].what);
    }
}

#define CHECK_ALL_TEXTS(check, cases) check_all(check, cases, sizeof(cases) / sizeof(cases)[0])

static void well_formed_json_has_no_flaw(void **state)
{
    static const text_case cases[] = {
        {"{}", NULL},
        {" [ ] ", NULL},
        {"null", NULL},
        {"-0.5e+10", NULL},
        {"0", NULL},
        {"\"a\\u00e4\\n\\\\\\\"\"", NULL},
        {"[1, [2, {\"a\": [true, false]}], {}]", NULL},
        {"{\"a\": {\"b\": {\"c\": []}}, \"d\": \"\xc3\xa4\"}", NULL},
    };
    (void)state;
    CHECK_ALL_TEXTS(check_well_formed_json, cases);
}

static void flaws_in_json_have_a_position(void **state)
{
    static const text_case cases[] = {
        {"", "the text ends too early"},
        {"[1,]", "expected a value"},
        {"[1 2]", "expected a comma"},
        {"[1}", "a closing bracket that does not match"},
        {"{\"a\" 1}", "expected a colon"},
        {"{a: 1}", "expected a key"},
        {"{\"a\": 1,}", "expected a key"},
        {"[", "the text ends too early"},
        {"01", "expected a value"},
        {"1.", "expected a value"},
        {"NaN", "expected a value"},
        {"nul", "expected a value"},
        {"\"a", "a string without end"},
        {"\"a\nb\"", "a control character in a string"},
        {"\"\\x\"", "an unknown escape sequence in a string"},
        {"\"\\u12g4\"", "an unknown escape sequence in a string"},
        {"\"\x80\"", "malformed UTF-8"},
        {"{} {}", "more text after the value"},
    };
    (void)state;
    CHECK_ALL_TEXTS(check_well_formed_json, cases);
    assert_int_equal(check_well_formed_json(BRZ_STR("[1, x]")).at, 4);
}

static void well_formed_xml_has_no_flaw(void **state)
{
    static const text_case cases[] = {
        {"<a/>", NULL},
        {"<?xml version=\"1.0\"?>\n<!DOCTYPE svg>\n<!-- c --><svg:a b='1' c=\"2\"></svg:a>\n",
         NULL},
        {"<a>&lt;&#10;&#x1F525;<b/>text<c>&amp;</c></a>", NULL},
        {"<a><![CDATA[ <not> & ]] markup ]]></a>", NULL},
        {"<a b='&quot;>'/>", NULL},
        {"<\xc3\xa4>\xe2\x90\x80</\xc3\xa4>", NULL},
    };
    (void)state;
    CHECK_ALL_TEXTS(check_well_formed_xml, cases);
}

static void flaws_in_xml_have_a_position(void **state)
{
    static const text_case cases[] = {
        {"", "no element found"},
        {"text", "syntax error"},
        {"<a>", "no element found"},
        {"<a></b>", "mismatched tag"},
        {"<a/><b/>", "junk after document element"},
        {"<a b=1/>", "not well-formed (invalid token)"},
        {"<a b='1' b='2'/>", "duplicate attribute"},
        {"<a b='<'/>", "not well-formed (invalid token)"},
        {"<a b/>", "not well-formed (invalid token)"},
        {"<a>x & y</a>", "not well-formed (invalid token)"},
        {"<a>&nbsp;</a>", "undefined entity"},
        {"<a>&#0;</a>", "reference to invalid character number"},
        {"<a>\x01</a>", "not well-formed (invalid token)"},
        {"<a>\x80</a>", "not well-formed (invalid token)"},
        {"<a>\xef\xbf\xbe</a>", "not well-formed (invalid token)"},
        {"<a>]]></a>", "not well-formed (invalid token)"},
        {"<a><!-- -- --></a>", "not well-formed (invalid token)"},
        {"<a><b</a>", "not well-formed (invalid token)"},
        {"<a><1/></a>", "not well-formed (invalid token)"},
    };
    (void)state;
    CHECK_ALL_TEXTS(check_well_formed_xml, cases);
    assert_int_equal(check_well_formed_xml(BRZ_STR("<a>ok & </a>")).at, 7);
}

static void depth_needs_no_recursion(void **state)
{
    enum { DEEP = 200000, DEEP_JSON = 100000 };
    char *text = malloc(3 * DEEP + 4 * DEEP);
    (void)state;
    memset(text, '[', DEEP_JSON);
    memset(text + DEEP_JSON, ']', DEEP_JSON);
    assert_null(check_well_formed_json(brz_str_of(text, 2 * (size_t)DEEP_JSON)).what);
    for (size_t i = 0; i < DEEP; i++) {
        memcpy(text + 3 * i, "<a>", 3);
        memcpy(text + 3 * (size_t)DEEP + 4 * i, "</a>", 4);
    }
    assert_null(check_well_formed_xml(brz_str_of(text, 7 * (size_t)DEEP)).what);
    free(text);
}

static void utf8_is_well_formed_or_rejected(void **state)
{
    static const text_case cases[] = {
        {"", NULL}, {"a\xc3\xa4\n", NULL}, {"a\xc3", "malformed UTF-8"}};
    (void)state;
    CHECK_ALL_TEXTS(check_well_formed_utf8, cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(well_formed_json_has_no_flaw),
        cmocka_unit_test(flaws_in_json_have_a_position),
        cmocka_unit_test(well_formed_xml_has_no_flaw),
        cmocka_unit_test(flaws_in_xml_have_a_position),
        cmocka_unit_test(depth_needs_no_recursion),
        cmocka_unit_test(utf8_is_well_formed_or_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
