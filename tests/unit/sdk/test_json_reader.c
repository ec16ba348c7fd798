/* SPDX-License-Identifier: MIT */
/* The JSON parser of the SDK: accepted and refused texts, tokens, pieces of any size. */
#include "unit.h"

#include <brazier/json.h>

#include <stdlib.h>

/* ---- a context that allocates --------------------------------------------------------------- */

static void *blocks[64];
static size_t n_blocks;

static void *allocate(brz_ctx *ctx, size_t size, size_t align)
{
    (void)ctx;
    (void)align;
    assert_true(n_blocks < 64);
    blocks[n_blocks] = calloc(1, size);
    assert_non_null(blocks[n_blocks]);
    return blocks[n_blocks++];
}

static void release(void)
{
    while (n_blocks > 0)
        free(blocks[--n_blocks]);
}

static const brz_collapser_host host = {.struct_size = sizeof host, .alloc = allocate};
static brz_ctx ctx = {.struct_size = sizeof ctx, .host = &host};

/* ---- helpers --------------------------------------------------------------------------------- */

/* Parses a text that arrives `step` bytes at a time, or with brz_json_next_number(), too, if it
 * arrives as a whole; appends a letter per token, and the text of
 * keys and values, to `tokens`. Returns the last token's kind. */
static brz_json_kind parse_with(brz_json j, const char *text, size_t len, size_t step,
                                brz_buf *tokens, brz_json_count counts[BRZ_JSON_N_DEVIATIONS])
{
    static const char letters[] = "?.!{}[]ks#tfn";
    const char *at = text;
    for (size_t shown = step < len ? step : len;;) {
        const char *end = text + shown;
        brz_json_token t;
        if (step <= len || !brz_json_next_number(&j, &at, end, &t))
            t = brz_json_next(&j, &ctx, &at, end, shown == len);
        if (t.kind == BRZ_JSON_MORE) {
            assert_true(shown < len);
            shown = shown + step < len ? shown + step : len;
            continue;
        }
        brz_buf_printf(tokens, "%c", letters[t.kind]);
        if (t.kind >= BRZ_JSON_KEY)
            brz_buf_add_str(tokens, t.text);
        if (t.kind == BRZ_JSON_ERROR) {
            assert_non_null(j.error);
            at = end;
            assert_int_equal(BRZ_JSON_ERROR, brz_json_next(&j, &ctx, &at, end, true).kind);
        }
        if (t.kind == BRZ_JSON_END || t.kind == BRZ_JSON_ERROR) {
            memcpy(counts, j.deviations, sizeof j.deviations);
            return t.kind;
        }
    }
}

/* Does the same with a parser that follows the grammar. */
static brz_json_kind parse(const char *text, size_t len, size_t step, bool several, brz_buf *tokens)
{
    brz_json_count counts[BRZ_JSON_N_DEVIATIONS];
    brz_json_kind kind =
        parse_with((brz_json){.several = several}, text, len, step, tokens, counts);
    for (size_t i = 0; i < BRZ_JSON_N_DEVIATIONS; i++)
        assert_int_equal(0, counts[i].n);
    return kind;
}

/* Checks that skipping a text ends as reading it does, with this token. */
static void assert_skipped(const char *text, size_t len, brz_json_kind kind)
{
    brz_json j = {0};
    const char *at = text;
    brz_json_token t = brz_json_next(&j, &ctx, &at, text + len, true);
    if (t.kind == BRZ_JSON_OBJECT || t.kind == BRZ_JSON_ARRAY)
        t = brz_json_skip(&j, &ctx, &at, text + len, true, 0);
    if (t.kind > BRZ_JSON_ERROR) {
        assert_int_equal(0, j.depth);
        t = brz_json_next(&j, &ctx, &at, text + len, true);
    }
    assert_int_equal(kind, t.kind);
}

static bool is_json(const char *text)
{
    brz_buf whole = {0}, pieces = {0};
    size_t len = strlen(text);
    brz_json_kind kind = parse(text, len, len + 1, false, &whole);
    assert_skipped(text, len, kind);
    for (size_t step = 1; step <= 3; step++) {
        pieces.len = 0;
        assert_int_equal(kind, parse(text, len, step, false, &pieces));
        assert_string_equal(brz_buf_text(&whole), brz_buf_text(&pieces));
    }
    brz_buf_finish(&whole);
    brz_buf_finish(&pieces);
    release();
    return kind == BRZ_JSON_END;
}

static void assert_tokens(const char *expected, const char *text, bool several)
{
    brz_buf b = {0};
    parse(text, strlen(text), SIZE_MAX, several, &b);
    assert_string_equal(expected, brz_buf_text(&b));
    brz_buf_finish(&b);
    release();
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void texts_of_the_grammar_are_accepted(void **state)
{
    static const char *const texts[] = {
        "[]",
        "{}",
        " [ ] ",
        "[[]   ]",
        "[\"\"]",
        "0",
        "-0",
        "-1",
        "1.5",
        "1e9",
        "1E+2",
        "0.4e-006",
        "[123e65, 0e+1, 20e1, 1E-2, -123, 123.456789, -0.0]",
        "true",
        "false",
        "null",
        "\"\"",
        "\"asd\"",
        "{\"a\":\"b\"}",
        "{\"\":0}",
        "{\"a\":\"b\",\"a\":\"c\"}",
        "[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"]",
        "[\"\\u0060\\u012a\\u12AB\"]",
        "[\"\\uD801\\udc37\"]",
        "[\"\\u0000\"]",
        "[\"a/*b*/c\"]",
        "[\"\x7f\"]",
        "[\"\xe2\x82\xac\"]",
        "[1,null,true,{}]",
        "{\"min\": -1.0e+28, \"max\": 1.0e+28}",
        "[\n]\r\t",
        "[\"new\\u00A0line\"]",
    };
    (void)state;
    for (size_t i = 0; i < BRZ_COUNT_OF(texts); i++)
        if (!is_json(texts[i]))
            fail_msg("refused: %s", texts[i]);
}

static void other_texts_are_refused(void **state)
{
    static const char *const texts[] = {
        "",
        " ",
        "[",
        "]",
        "{",
        "}",
        "[1",
        "[1,",
        "[,1]",
        "[1,]",
        "[1,,2]",
        "[1 2]",
        "[1:2]",
        "[\"a\", 4\n,1,",
        "[}",
        "{]",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\" 1}",
        "{\"a\":1,}",
        "{,}",
        "{\"a\":1 \"b\":2}",
        "{a:1}",
        "{1:1}",
        "{'a':0}",
        "{\"a\":1}}",
        "[]]",
        "[] x",
        "1 2",
        "+1",
        "-",
        "-a",
        "01",
        "-01",
        "1.",
        ".5",
        "1.e1",
        "1e",
        "1e+",
        "0x1",
        "1a",
        "--1",
        "1.2.3",
        "NaN",
        "Infinity",
        "-Infinity",
        "nul",
        "truee",
        "True",
        "tru",
        "fals",
        "[a]",
        "a",
        "\"",
        "\"a",
        "[\"a]",
        "\"\\",
        "\"\\x\"",
        "\"\\u\"",
        "\"\\u12\"",
        "\"\\u12g4\"",
        "\"\\a\"",
        "\"a\nb\"",
        "\"\tb\"",
        "\"\x1f\"",
        "'a'",
        "[\"a\"",
        "{\"a\":\"b\"",
        "/**/1",
        "[1]//",
        "#1",
        "\xef\xbb\xbf{}",
        "[\xc2\xa0 1]",
        "\f[]",
        "[1]\v",
    };
    (void)state;
    for (size_t i = 0; i < BRZ_COUNT_OF(texts); i++)
        if (is_json(texts[i]))
            fail_msg("accepted: %s", texts[i]);
}

static void tokens_come_with_their_texts(void **state)
{
    (void)state;
    assert_tokens("{ka[#1#-2.5e3sx\\ny]ktc{}kbttruekdnnull}.",
                  "{\"a\": [1, -2.5e3, \"x\\ny\"], \"tc\": {}, \"b\": true, \"d\": null}", false);
    assert_tokens("[ffalse]!", "[false] 1", false);
}

static void several_texts_follow_each_other(void **state)
{
    (void)state;
    assert_tokens("{}[]#1#2.", "{}[]\n1 2", true);
    assert_tokens(".", "", true);
    assert_tokens("{}[!", "{} [", true);
}

static void an_error_has_its_place(void **state)
{
    const char text[] = "{\"a\": [1, 2}", *at = text, *end = text + sizeof text - 1;
    brz_json j = {0};
    brz_json_token t;
    (void)state;
    do
        t = brz_json_next(&j, &ctx, &at, end, true);
    while (t.kind != BRZ_JSON_ERROR);
    assert_ptr_equal(end - 1, t.text.data);
    assert_string_equal("a closing bracket that does not match", j.error);
}

/* Texts that programs write in place of JSON: the tokens of a lenient parser, and how often, and
 * where first, they deviate in a way. */
static const struct deviating {
    const char *text, *tokens;
    brz_json_deviation kind;
    size_t n, first;
} deviating[] = {
    {"[NaN, -Infinity,inf]", "[#NaN#-Infinity#inf].", BRZ_JSON_NOT_FINITE, 3, 1},
    {"{\"a\":-nan(ind),\"b\":1.#INF}", "{ka#-nan(ind)kb#1.#INF}.", BRZ_JSON_NOT_FINITE, 2, 5},
    {"[0,+1,.5,5.,007,-.5e3]", "[#0#+1#.5#5.#007#-.5e3].", BRZ_JSON_NOTATION, 5, 3},
    {"[\"a\nb\",\"\t\t\"]", "[sa\nbs\t\t].", BRZ_JSON_CONTROL, 2, 3},
    {"{\"\x01\":\"C:\\Users\"}", "{k\x01sC:\\Users}.", BRZ_JSON_ESCAPE, 1, 8},
    {"[\"\\u12\"]", "[s\\u12].", BRZ_JSON_ESCAPE, 1, 2},
    {"{\"a\":[1,2,],}", "{ka[#1#2]}.", BRZ_JSON_TRAILING, 2, 10},
    {"// a\n{/* * */\"a\"/**/:/***/1,//\n}//", "{ka#1}.", BRZ_JSON_COMMENT, 6, 0},
    {"[1/*,*/,2 // ]\n]\n", "[#1#2].", BRZ_JSON_COMMENT, 2, 2},
};

static void what_programs_write_is_accepted_on_demand(void **state)
{
    (void)state;
    for (size_t i = 0; i < BRZ_COUNT_OF(deviating); i++) {
        const struct deviating *d = &deviating[i];
        size_t len = strlen(d->text);
        for (size_t step = 1; step <= len + 1; step++) {
            brz_buf tokens = {0};
            brz_json_count counts[BRZ_JSON_N_DEVIATIONS];
            parse_with((brz_json){.lenient = true}, d->text, len, step, &tokens, counts);
            assert_string_equal(d->tokens, brz_buf_text(&tokens));
            assert_int_equal(d->n, counts[d->kind].n);
            assert_ptr_equal(d->text + d->first, counts[d->kind].first);
            brz_buf_finish(&tokens);
        }
        assert_false(is_json(d->text));
    }
}

static void a_lenient_parser_refuses_what_has_no_meaning(void **state)
{
    static const char *const texts[] = {
        "[,]",   "[1,,2]", "{,}",     "{\"a\":}", "{\"a\":,}", "[1 2]", "[nane]", "[1.#x]", "[0x1]",
        "[1e]",  "[+]",    "[.]",     "[-]",      "[1.5.5]",   "['a']", "[a]",    "[\"a",   "/",
        "[/*/]", "/* ",    "[1]/*/*", "[\"\\\"]", "[1}",       "[/1]",  "1,",     "[1]/",
    };
    (void)state;
    for (size_t i = 0; i < BRZ_COUNT_OF(texts); i++) {
        size_t len = strlen(texts[i]);
        for (size_t step = 1; step <= len + 1; step++) {
            brz_buf tokens = {0};
            brz_json_count counts[BRZ_JSON_N_DEVIATIONS];
            brz_json lenient = {.lenient = true};
            if (parse_with(lenient, texts[i], len, step, &tokens, counts) != BRZ_JSON_ERROR)
                fail_msg("accepted: %s", texts[i]);
            brz_buf_finish(&tokens);
        }
    }
}

static void nesting_is_bounded(void **state)
{
    static char text[2 * BRZ_JSON_MAX_DEPTH + 4];
    size_t n = BRZ_JSON_MAX_DEPTH;
    brz_buf b = {0};
    (void)state;
    memset(text, '[', n);
    memset(text + n, ']', n);
    assert_int_equal(BRZ_JSON_END, parse(text, 2 * n, 4096, false, &b));
    memset(text, '[', n + 1);
    memset(text + n + 1, ']', n + 1);
    assert_int_equal(BRZ_JSON_ERROR, parse(text, 2 * n + 2, SIZE_MAX, false, &b));
    brz_buf_finish(&b);
    release();
}

static void without_memory_nesting_is_bounded_by_64(void **state)
{
    char text[65];
    const char *at = text;
    brz_json j = {0};
    (void)state;
    memset(text, '[', sizeof text);
    for (int i = 0; i < 64; i++)
        assert_int_equal(BRZ_JSON_ARRAY, brz_json_next(&j, NULL, &at, text + 65, false).kind);
    assert_int_equal(BRZ_JSON_ERROR, brz_json_next(&j, NULL, &at, text + 65, false).kind);
}

static void brackets_are_remembered_at_any_depth(void **state)
{
    brz_buf text = {0}, tokens = {0};
    (void)state;
    for (int i = 0; i < 500; i++)
        brz_buf_add_text(&text, i % 3 == 0 ? "[" : "{\"a\":");
    brz_buf_add_text(&text, "1");
    for (int i = 499; i >= 0; i--)
        brz_buf_add_text(&text, i % 3 == 0 ? "]" : "}");
    assert_int_equal(BRZ_JSON_END, parse(text.data, text.len, 7, false, &tokens));
    brz_buf_finish(&text);
    brz_buf_finish(&tokens);
    release();
}

static void escapes_are_decoded(void **state)
{
    static const struct {
        const char *text, *decoded;
    } cases[] = {
        {"plain", "plain"},
        {"\\\"\\\\\\/\\b\\f\\n\\r\\t", "\"\\/\b\f\n\r\t"},
        {"\\u0041\\u00e9\\u20AC", "A\xc3\xa9\xe2\x82\xac"},
        {"\\ud83d\\ude00!", "\xf0\x9f\x98\x80!"},
        {"\\ud83dx", "\xef\xbf\xbdx"},
        {"\\ude00", "\xef\xbf\xbd"},
        {"\\ud83d\\u0041", "\xef\xbf\xbd"
                           "A"},
        {"a\\nb", "a\nb"},
        {"", ""},
        /* no tokens, but never longer than what they are made of */
        {"\\u\\u\\u", "\\u\\u\\u"},
        {"\\u12g", "\\u12g"},
        {"C:\\Users\\new", "C:\\Users\new"},
        {"it\\'s", "it's"},
        {"\\", "\\"},
    };
    (void)state;
    for (size_t i = 0; i < BRZ_COUNT_OF(cases); i++) {
        brz_text to = {0};
        brz_str text = brz_str_of(cases[i].text, strlen(cases[i].text));
        brz_str wanted = brz_str_of(cases[i].decoded, strlen(cases[i].decoded));
        brz_json_decode(&to, &ctx, text);
        assert_int_equal(wanted.len, to.len);
        assert_memory_equal(wanted.data, to.data, to.len);
        assert_true(brz_json_text_is(text, wanted));
        assert_false(brz_json_text_is(text, BRZ_STR("other")));
        release();
    }
}

static void a_key_is_known_however_it_is_written(void **state)
{
    (void)state;
    assert_true(brz_json_text_is(BRZ_STR("ticks"), BRZ_STR("ticks")));
    assert_true(brz_json_text_is(BRZ_STR("\\u0074icks"), BRZ_STR("ticks")));
    assert_false(brz_json_text_is(BRZ_STR("tick"), BRZ_STR("ticks")));
    assert_false(brz_json_text_is(BRZ_STR("ticks2"), BRZ_STR("ticks")));
    assert_false(brz_json_text_is(BRZ_STR("\\u0074ick"), BRZ_STR("ticks")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_of_the_grammar_are_accepted),
        cmocka_unit_test(other_texts_are_refused),
        cmocka_unit_test(tokens_come_with_their_texts),
        cmocka_unit_test(several_texts_follow_each_other),
        cmocka_unit_test(an_error_has_its_place),
        cmocka_unit_test(what_programs_write_is_accepted_on_demand),
        cmocka_unit_test(a_lenient_parser_refuses_what_has_no_meaning),
        cmocka_unit_test(nesting_is_bounded),
        cmocka_unit_test(without_memory_nesting_is_bounded_by_64),
        cmocka_unit_test(brackets_are_remembered_at_any_depth),
        cmocka_unit_test(escapes_are_decoded),
        cmocka_unit_test(a_key_is_known_however_it_is_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
