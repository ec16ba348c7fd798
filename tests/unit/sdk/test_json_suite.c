/* SPDX-License-Identifier: MIT */
/* Tests the JSON parser of the SDK against the names and verdicts of the public JSON parsing test
 * suite (JSONTestSuite): y_ texts are accepted, n_ texts are refused, and i_ texts are either, but
 * always the same. The texts are written after the names. */
#include "unit.h"

#include <brazier/json.h>

#include <stdlib.h>

#define TEXT(literal)                                                                              \
    {                                                                                              \
        "" literal, sizeof(literal) - 1                                                            \
    }

static const struct {
    const char *name;
    brz_str text;
} cases[] = {
    {"y_array_arraysWithSpaces", TEXT("[[]   ]")},
    {"y_array_empty", TEXT("[]")},
    {"y_array_empty-string", TEXT("[\"\"]")},
    {"y_array_ending_with_newline", TEXT("[\"a\"]")},
    {"y_array_false", TEXT("[false]")},
    {"y_array_heterogeneous", TEXT("[null, 1, \"1\", {}]")},
    {"y_array_null", TEXT("[null]")},
    {"y_array_with_1_and_newline", TEXT("[1\n]")},
    {"y_array_with_leading_space", TEXT(" [1]")},
    {"y_array_with_several_null", TEXT("[1,null,null,null,2]")},
    {"y_array_with_trailing_space", TEXT("[2] ")},
    {"y_number", TEXT("[123e65]")},
    {"y_number_0e+1", TEXT("[0e+1]")},
    {"y_number_0e1", TEXT("[0e1]")},
    {"y_number_after_space", TEXT("[ 4]")},
    {"y_number_double_close_to_zero",
     TEXT("[-0.000000000000000000000000000000000000000000000000000000000000000000000000000001]")},
    {"y_number_int_with_exp", TEXT("[20e1]")},
    {"y_number_minus_zero", TEXT("[-0]")},
    {"y_number_negative_int", TEXT("[-123]")},
    {"y_number_negative_one", TEXT("[-1]")},
    {"y_number_negative_zero", TEXT("[-0]")},
    {"y_number_real_capital_e", TEXT("[1E22]")},
    {"y_number_real_capital_e_neg_exp", TEXT("[1E-2]")},
    {"y_number_real_capital_e_pos_exp", TEXT("[1E+2]")},
    {"y_number_real_exponent", TEXT("[123e45]")},
    {"y_number_real_fraction_exponent", TEXT("[123.456e78]")},
    {"y_number_real_neg_exp", TEXT("[1e-2]")},
    {"y_number_real_pos_exponent", TEXT("[1e+2]")},
    {"y_number_simple_int", TEXT("[123]")},
    {"y_number_simple_real", TEXT("[123.456789]")},
    {"y_object", TEXT("{\"asd\":\"sdf\", \"dfg\":\"fgh\"}")},
    {"y_object_basic", TEXT("{\"asd\":\"sdf\"}")},
    {"y_object_duplicated_key", TEXT("{\"a\":\"b\",\"a\":\"c\"}")},
    {"y_object_duplicated_key_and_value", TEXT("{\"a\":\"b\",\"a\":\"b\"}")},
    {"y_object_empty", TEXT("{}")},
    {"y_object_empty_key", TEXT("{\"\":0}")},
    {"y_object_escaped_null_in_key", TEXT("{\"foo\\u0000bar\": 42}")},
    {"y_object_extreme_numbers", TEXT("{ \"min\": -1.0e+28, \"max\": 1.0e+28 }")},
    {"y_object_long_strings",
     TEXT("{\"x\":[{\"id\": \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"}], \"id\": "
          "\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"}")},
    {"y_object_simple", TEXT("{\"a\":[]}")},
    {"y_object_string_unicode",
     TEXT("{\"title\":\"\\u041f\\u043e\\u043b\\u0442\\u043e\\u0440\\u0430\" }")},
    {"y_object_with_newlines", TEXT("{\n\"a\": \"b\"\n}")},
    {"y_string_1_2_3_bytes_UTF-8_sequences", TEXT("[\"\\u0060\\u012a\\u12AB\"]")},
    {"y_string_accepted_surrogate_pair", TEXT("[\"\\uD801\\udc37\"]")},
    {"y_string_accepted_surrogate_pairs", TEXT("[\"\\ud83d\\ude39\\ud83d\\udc8d\"]")},
    {"y_string_allowed_escapes", TEXT("[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"]")},
    {"y_string_backslash_and_u_escaped_zero", TEXT("[\"\\\\u0000\"]")},
    {"y_string_backslash_doublequotes", TEXT("[\"\\\"\"]")},
    {"y_string_comments", TEXT("[\"a/*b*/c/*d//e\"]")},
    {"y_string_double_escape_a", TEXT("[\"\\\\a\"]")},
    {"y_string_double_escape_n", TEXT("[\"\\\\n\"]")},
    {"y_string_escaped_control_character", TEXT("[\"\\u0012\"]")},
    {"y_string_escaped_noncharacter", TEXT("[\"\\uFFFF\"]")},
    {"y_string_in_array", TEXT("[\"asd\"]")},
    {"y_string_in_array_with_leading_space", TEXT("[ \"asd\"]")},
    {"y_string_last_surrogates_1_and_2", TEXT("[\"\\uDBFF\\uDFFF\"]")},
    {"y_string_nbsp_uescaped", TEXT("[\"new\\u00A0line\"]")},
    {"y_string_nonCharacterInUTF-8_U+10FFFF", TEXT("[\"\364\217\277\277\"]")},
    {"y_string_nonCharacterInUTF-8_U+FFFF", TEXT("[\"\357\277\277\"]")},
    {"y_string_null_escape", TEXT("[\"\\u0000\"]")},
    {"y_string_one-byte-utf-8", TEXT("[\"\\u002c\"]")},
    {"y_string_pi", TEXT("[\"\317\200\"]")},
    {"y_string_reservedCharacterInUTF-8_U+1BFFF", TEXT("[\"\360\233\277\277\"]")},
    {"y_string_simple_ascii", TEXT("[\"asd \"]")},
    {"y_string_space", TEXT("\" \"")},
    {"y_string_surrogates_U+1D11E_MUSICAL_SYMBOL_G_CLEF", TEXT("[\"\\uD834\\uDd1e\"]")},
    {"y_string_three-byte-utf-8", TEXT("[\"\\u0821\"]")},
    {"y_string_two-byte-utf-8", TEXT("[\"\\u0123\"]")},
    {"y_string_u+2028_line_sep", TEXT("[\"\342\200\250\"]")},
    {"y_string_u+2029_par_sep", TEXT("[\"\342\200\251\"]")},
    {"y_string_uEscape", TEXT("[\"\\u0061\\u30af\\u30EA\\u30b9\"]")},
    {"y_string_uescaped_newline", TEXT("[\"new\\u000Aline\"]")},
    {"y_string_unescaped_char_delete", TEXT("[\"\177\"]")},
    {"y_string_unicode", TEXT("[\"\\uA66D\"]")},
    {"y_string_unicodeEscapedBackslash", TEXT("[\"\\u005C\"]")},
    {"y_string_unicode_2", TEXT("[\"\342\215\202\343\210\264\342\215\202\"]")},
    {"y_string_unicode_U+10FFFE_nonchar", TEXT("[\"\\uDBFF\\uDFFE\"]")},
    {"y_string_unicode_U+1FFFE_nonchar", TEXT("[\"\\uD83F\\uDFFE\"]")},
    {"y_string_unicode_U+200B_ZERO_WIDTH_SPACE", TEXT("[\"\\u200B\"]")},
    {"y_string_unicode_U+2064_invisible_plus", TEXT("[\"\\u2064\"]")},
    {"y_string_unicode_U+FDD0_nonchar", TEXT("[\"\\uFDD0\"]")},
    {"y_string_unicode_U+FFFE_nonchar", TEXT("[\"\\uFFFE\"]")},
    {"y_string_unicode_escaped_double_quote", TEXT("[\"\\u0022\"]")},
    {"y_string_utf8", TEXT("[\"\342\202\254\360\235\204\236\"]")},
    {"y_string_with_del_character", TEXT("[\"a\177a\"]")},
    {"y_structure_lonely_false", TEXT("false")},
    {"y_structure_lonely_int", TEXT("42")},
    {"y_structure_lonely_negative_real", TEXT("-0.1")},
    {"y_structure_lonely_null", TEXT("null")},
    {"y_structure_lonely_string", TEXT("\"asd\"")},
    {"y_structure_lonely_true", TEXT("true")},
    {"y_structure_string_empty", TEXT("\"\"")},
    {"y_structure_trailing_newline", TEXT("[\"a\"]\n")},
    {"y_structure_true_in_array", TEXT("[true]")},
    {"y_structure_whitespace_array", TEXT(" [] ")},
    {"n_array_1_true_without_comma", TEXT("[1 true]")},
    {"n_array_a_invalid_utf8", TEXT("[a\345]")},
    {"n_array_colon_instead_of_comma", TEXT("[\"\": 1]")},
    {"n_array_comma_after_close", TEXT("[\"\"],")},
    {"n_array_comma_and_number", TEXT("[,1]")},
    {"n_array_double_comma", TEXT("[1,,2]")},
    {"n_array_double_extra_comma", TEXT("[\"x\",,]")},
    {"n_array_extra_close", TEXT("[\"x\"]]")},
    {"n_array_extra_comma", TEXT("[\"\",]")},
    {"n_array_incomplete", TEXT("[\"x\"")},
    {"n_array_incomplete_invalid_value", TEXT("[x")},
    {"n_array_inner_array_no_comma", TEXT("[3[4]]")},
    {"n_array_invalid_utf8", TEXT("[\377]")},
    {"n_array_items_separated_by_semicolon", TEXT("[1:2]")},
    {"n_array_just_comma", TEXT("[,]")},
    {"n_array_just_minus", TEXT("[-]")},
    {"n_array_missing_value", TEXT("[   , \"\"]")},
    {"n_array_newlines_unclosed", TEXT("[\"a\",\n4\n,1,")},
    {"n_array_number_and_comma", TEXT("[1,]")},
    {"n_array_number_and_several_commas", TEXT("[1,,]")},
    {"n_array_spaces_vertical_tab_formfeed", TEXT("[\"\013a\"\\f]")},
    {"n_array_star_inside", TEXT("[*]")},
    {"n_array_unclosed", TEXT("[\"\"")},
    {"n_array_unclosed_trailing_comma", TEXT("[1,")},
    {"n_array_unclosed_with_new_lines", TEXT("[1,\n1\n,1")},
    {"n_array_unclosed_with_object_inside", TEXT("[{}")},
    {"n_incomplete_false", TEXT("[fals]")},
    {"n_incomplete_null", TEXT("[nul]")},
    {"n_incomplete_true", TEXT("[tru]")},
    {"n_multidigit_number_then_00", TEXT("123\000")},
    {"n_number_++", TEXT("[++1234]")},
    {"n_number_+1", TEXT("[+1]")},
    {"n_number_+Inf", TEXT("[+Inf]")},
    {"n_number_-01", TEXT("[-01]")},
    {"n_number_-1.0.", TEXT("[-1.0.]")},
    {"n_number_-2.", TEXT("[-2.]")},
    {"n_number_-NaN", TEXT("[-NaN]")},
    {"n_number_.-1", TEXT("[.-1]")},
    {"n_number_.2e-3", TEXT("[.2e-3]")},
    {"n_number_0.1.2", TEXT("[0.1.2]")},
    {"n_number_0.3e", TEXT("[0.3e]")},
    {"n_number_0.3e+", TEXT("[0.3e+]")},
    {"n_number_0.e1", TEXT("[0.e1]")},
    {"n_number_0_capital_E", TEXT("[0E]")},
    {"n_number_0_capital_E+", TEXT("[0E+]")},
    {"n_number_0e", TEXT("[0e]")},
    {"n_number_0e+", TEXT("[0e+]")},
    {"n_number_1.0e", TEXT("[1.0e]")},
    {"n_number_1.0e+", TEXT("[1.0e+]")},
    {"n_number_1.0e-", TEXT("[1.0e-]")},
    {"n_number_1_000", TEXT("[1 000.0]")},
    {"n_number_1eE2", TEXT("[1eE2]")},
    {"n_number_2.e+3", TEXT("[2.e+3]")},
    {"n_number_2.e-3", TEXT("[2.e-3]")},
    {"n_number_2.e3", TEXT("[2.e3]")},
    {"n_number_9.e+", TEXT("[9.e+]")},
    {"n_number_Inf", TEXT("[Inf]")},
    {"n_number_NaN", TEXT("[NaN]")},
    {"n_number_U+FF11_fullwidth_digit_one", TEXT("[\357\274\221]")},
    {"n_number_expression", TEXT("[1+2]")},
    {"n_number_hex_1_digit", TEXT("[0x1]")},
    {"n_number_hex_2_digits", TEXT("[0x42]")},
    {"n_number_infinity", TEXT("[Infinity]")},
    {"n_number_invalid+-", TEXT("[0e+-1]")},
    {"n_number_invalid-negative-real", TEXT("[-123.123foo]")},
    {"n_number_invalid-utf-8-in-bigger-int", TEXT("[123\345]")},
    {"n_number_invalid-utf-8-in-exponent", TEXT("[1e1\345]")},
    {"n_number_invalid-utf-8-in-int", TEXT("[0\345]\n")},
    {"n_number_minus_infinity", TEXT("[-Infinity]")},
    {"n_number_minus_sign_with_trailing_garbage", TEXT("[-foo]")},
    {"n_number_minus_space_1", TEXT("[- 1]")},
    {"n_number_neg_int_starting_with_zero", TEXT("[-012]")},
    {"n_number_neg_real_without_int_part", TEXT("[-.123]")},
    {"n_number_neg_with_garbage_at_end", TEXT("[-1x]")},
    {"n_number_real_garbage_after_e", TEXT("[1ea]")},
    {"n_number_real_with_invalid_utf8_after_e", TEXT("[1e\345]")},
    {"n_number_real_without_fractional_part", TEXT("[1.]")},
    {"n_number_starting_with_dot", TEXT("[.123]")},
    {"n_number_with_alpha", TEXT("[1.2a-3]")},
    {"n_number_with_alpha_char", TEXT("[1.8011670033376514H-308]")},
    {"n_number_with_leading_zero", TEXT("[012]")},
    {"n_object_bad_value", TEXT("[\"x\", truth]")},
    {"n_object_bracket_key", TEXT("{[: \"x\"}")},
    {"n_object_comma_instead_of_colon", TEXT("{\"x\", null}")},
    {"n_object_double_colon", TEXT("{\"x\"::\"b\"}")},
    {"n_object_emoji", TEXT("{\360\237\207\250\360\237\207\255}")},
    {"n_object_garbage_at_end", TEXT("{\"a\":\"a\" 123}")},
    {"n_object_key_with_single_quotes", TEXT("{key: 'value'}")},
    {"n_object_lone_continuation_byte_in_key_and_trailing_comma", TEXT("{\"\271\":\"0\",}")},
    {"n_object_missing_colon", TEXT("{\"a\" b}")},
    {"n_object_missing_key", TEXT("{:\"b\"}")},
    {"n_object_missing_semicolon", TEXT("{\"a\" \"b\"}")},
    {"n_object_missing_value", TEXT("{\"a\":")},
    {"n_object_no-colon", TEXT("{\"a\"")},
    {"n_object_non_string_key", TEXT("{1:1}")},
    {"n_object_non_string_key_but_huge_number_instead", TEXT("{9999E9999:1}")},
    {"n_object_repeated_null_null", TEXT("{null:null,null:null}")},
    {"n_object_several_trailing_commas", TEXT("{\"id\":0,,,,,}")},
    {"n_object_single_quote", TEXT("{'a':0}")},
    {"n_object_trailing_comma", TEXT("{\"id\":0,}")},
    {"n_object_trailing_comment", TEXT("{\"a\":\"b\"}/**/")},
    {"n_object_trailing_comment_open", TEXT("{\"a\":\"b\"}/**//")},
    {"n_object_trailing_comment_slash_open", TEXT("{\"a\":\"b\"}//")},
    {"n_object_trailing_comment_slash_open_incomplete", TEXT("{\"a\":\"b\"}/")},
    {"n_object_two_commas_in_a_row", TEXT("{\"a\":\"b\",,\"c\":\"d\"}")},
    {"n_object_unquoted_key", TEXT("{a: \"b\"}")},
    {"n_object_unterminated-value", TEXT("{\"a\":\"a")},
    {"n_object_with_single_string", TEXT("{ \"foo\" : \"bar\", \"a\" }")},
    {"n_object_with_trailing_garbage", TEXT("{\"a\":\"b\"}#")},
    {"n_single_space", TEXT(" ")},
    {"n_string_1_surrogate_then_escape", TEXT("[\"\\uD800\\\"]")},
    {"n_string_1_surrogate_then_escape_u", TEXT("[\"\\uD800\\u\"]")},
    {"n_string_1_surrogate_then_escape_u1", TEXT("[\"\\uD800\\u1\"]")},
    {"n_string_1_surrogate_then_escape_u1x", TEXT("[\"\\uD800\\u1x\"]")},
    {"n_string_accentuated_char_no_quotes", TEXT("[\303\251]")},
    {"n_string_backslash_00", TEXT("[\"\\\000\"]")},
    {"n_string_escape_x", TEXT("[\"\\x00\"]")},
    {"n_string_escaped_backslash_bad", TEXT("[\"\\\\\\\"]")},
    {"n_string_escaped_ctrl_char_tab", TEXT("[\"\\\t\"]")},
    {"n_string_escaped_emoji", TEXT("[\"\\\360\237\214\200\"]")},
    {"n_string_incomplete_escape", TEXT("[\"\\\"]")},
    {"n_string_incomplete_escaped_character", TEXT("[\"\\u00A\"]")},
    {"n_string_incomplete_surrogate", TEXT("[\"\\uD834\\uDd\"]")},
    {"n_string_incomplete_surrogate_escape_invalid", TEXT("[\"\\uD800\\uD800\\x\"]")},
    {"n_string_invalid-utf-8-in-escape", TEXT("[\"\\u\345\"]")},
    {"n_string_invalid_backslash_esc", TEXT("[\"\\a\"]")},
    {"n_string_invalid_unicode_escape", TEXT("[\"\\uqqqq\"]")},
    {"n_string_invalid_utf8_after_escape", TEXT("[\"\\\345\"]")},
    {"n_string_leading_uescaped_thinspace", TEXT("[\\u0020\"asd\"]")},
    {"n_string_no_quotes_with_bad_escape", TEXT("[\\n]")},
    {"n_string_single_doublequote", TEXT("\"")},
    {"n_string_single_quote", TEXT("['single quote']")},
    {"n_string_single_string_no_double_quotes", TEXT("abc")},
    {"n_string_start_escape_unclosed", TEXT("[\"\\")},
    {"n_string_unescaped_ctrl_char", TEXT("[\"a\000a\"]")},
    {"n_string_unescaped_newline", TEXT("[\"new\nline\"]")},
    {"n_string_unescaped_tab", TEXT("[\"\t\"]")},
    {"n_string_unicode_CapitalU", TEXT("\"\\UA66D\"")},
    {"n_string_with_trailing_garbage", TEXT("\"\"x")},
    {"n_structure_U+2060_word_joined", TEXT("[\342\201\240]")},
    {"n_structure_UTF8_BOM_no_data", TEXT("\357\273\277")},
    {"n_structure_angle_bracket_.", TEXT("<.>")},
    {"n_structure_angle_bracket_null", TEXT("[<null>]")},
    {"n_structure_array_trailing_garbage", TEXT("[1]x")},
    {"n_structure_array_with_extra_array_close", TEXT("[1]]")},
    {"n_structure_array_with_unclosed_string", TEXT("[\"asd]")},
    {"n_structure_ascii-unicode-identifier", TEXT("a\303\245")},
    {"n_structure_capitalized_True", TEXT("[True]")},
    {"n_structure_close_unopened_array", TEXT("1]")},
    {"n_structure_comma_instead_of_closing_brace", TEXT("{\"x\": true,")},
    {"n_structure_double_array", TEXT("[][]")},
    {"n_structure_end_array", TEXT("]")},
    {"n_structure_incomplete_UTF8_BOM", TEXT("\357\273{}")},
    {"n_structure_lone-invalid-utf-8", TEXT("\345")},
    {"n_structure_lone-open-bracket", TEXT("[")},
    {"n_structure_no_data", TEXT("")},
    {"n_structure_null-byte-outside-string", TEXT("[\000]")},
    {"n_structure_number_with_trailing_garbage", TEXT("2@")},
    {"n_structure_object_followed_by_closing_object", TEXT("{}}")},
    {"n_structure_object_unclosed_no_value", TEXT("{\"\":")},
    {"n_structure_object_with_comment", TEXT("{\"a\":/*comment*/\"b\"}")},
    {"n_structure_object_with_trailing_garbage", TEXT("{\"a\": true} \"x\"")},
    {"n_structure_open_array_apostrophe", TEXT("['")},
    {"n_structure_open_array_comma", TEXT("[,")},
    {"n_structure_open_array_open_object", TEXT("[{")},
    {"n_structure_open_array_open_string", TEXT("[\"a")},
    {"n_structure_open_array_string", TEXT("[\"a\"")},
    {"n_structure_open_object", TEXT("{")},
    {"n_structure_open_object_close_array", TEXT("{]")},
    {"n_structure_open_object_comma", TEXT("{,")},
    {"n_structure_open_object_open_array", TEXT("{[")},
    {"n_structure_open_object_open_string", TEXT("{\"a")},
    {"n_structure_open_object_string_with_apostrophes", TEXT("{'a'")},
    {"n_structure_open_open", TEXT("[\"\\{[\"\\{[\"\\{[\"\\{")},
    {"n_structure_single_eacute", TEXT("\351")},
    {"n_structure_single_star", TEXT("*")},
    {"n_structure_trailing_#", TEXT("{\"a\":\"b\"}#{}")},
    {"n_structure_uescaped_LF_before_string", TEXT("[\\u000A\"\"]")},
    {"n_structure_unclosed_array", TEXT("[1")},
    {"n_structure_unclosed_array_partial_null", TEXT("[ false, nul")},
    {"n_structure_unclosed_array_unfinished_false", TEXT("[ true, fals")},
    {"n_structure_unclosed_array_unfinished_true", TEXT("[ false, tru")},
    {"n_structure_unclosed_object", TEXT("{\"asd\":\"asd\"")},
    {"n_structure_unicode-identifier", TEXT("\303\245")},
    {"n_structure_whitespace_U+2060_word_joiner", TEXT("[\342\201\240]")},
    {"n_structure_whitespace_formfeed", TEXT("[\014]")},
    {"i_number_double_huge_neg_exp", TEXT("[123.456e-789]")},
    {"i_number_huge_exp",
     TEXT("[0.4e006699999999999999999999999999999999999999999999999999999999999999999999999999]")},
    {"i_number_neg_int_huge_exp", TEXT("[-1e+9999]")},
    {"i_number_pos_double_huge_exp", TEXT("[1.5e+9999]")},
    {"i_number_real_neg_overflow", TEXT("[-123123e100000]")},
    {"i_number_real_pos_overflow", TEXT("[123123e100000]")},
    {"i_number_real_underflow", TEXT("[123e-10000000]")},
    {"i_number_too_big_neg_int", TEXT("[-123123123123123123123123123123]")},
    {"i_number_too_big_pos_int", TEXT("[100000000000000000000]")},
    {"i_number_very_big_negative_int", TEXT("[-237462374673276894279832749832423479823246327846]")},
    {"i_object_key_lone_2nd_surrogate", TEXT("{\"\\uDFAA\":0}")},
    {"i_string_1st_surrogate_but_2nd_missing", TEXT("[\"\\uDADA\"]")},
    {"i_string_1st_valid_surrogate_2nd_invalid", TEXT("[\"\\uD888\\u1234\"]")},
    {"i_string_UTF-16LE_with_BOM", TEXT("\377\376[\000\"\000\351\000\"\000]\000")},
    {"i_string_UTF-8_invalid_sequence", TEXT("[\"\346\227\245\321\210\372\"]")},
    {"i_string_UTF8_surrogate_U+D800", TEXT("[\"\355\240\200\"]")},
    {"i_string_incomplete_surrogate_and_escape_valid", TEXT("[\"\\uD800\\n\"]")},
    {"i_string_incomplete_surrogate_pair", TEXT("[\"\\uDd1ea\"]")},
    {"i_string_incomplete_surrogates_escape_valid", TEXT("[\"\\uD800\\uD800\\n\"]")},
    {"i_string_invalid_lonely_surrogate", TEXT("[\"\\ud800\"]")},
    {"i_string_invalid_surrogate", TEXT("[\"\\ud800abc\"]")},
    {"i_string_invalid_utf-8", TEXT("[\"\377\"]")},
    {"i_string_inverted_surrogates_U+1D11E", TEXT("[\"\\uDd1e\\uD834\"]")},
    {"i_string_iso_latin_1", TEXT("[\"\351\"]")},
    {"i_string_lone_second_surrogate", TEXT("[\"\\uDFAA\"]")},
    {"i_string_lone_utf8_continuation_byte", TEXT("[\"\201\"]")},
    {"i_string_not_in_unicode_range", TEXT("[\"\364\277\277\277\"]")},
    {"i_string_overlong_sequence_2_bytes", TEXT("[\"\300\257\"]")},
    {"i_string_overlong_sequence_6_bytes", TEXT("[\"\374\203\277\277\277\277\"]")},
    {"i_string_overlong_sequence_6_bytes_null", TEXT("[\"\374\200\200\200\200\200\"]")},
    {"i_string_truncated-utf-8", TEXT("[\"\340\377\"]")},
    {"i_string_utf16BE_no_BOM", TEXT("\000[\000\"\000\351\000\"\000]")},
    {"i_string_utf16LE_no_BOM", TEXT("[\000\"\000\351\000\"\000]\000")},
    {"i_structure_UTF-8_BOM_empty_object", TEXT("\357\273\277{}")},
};

/* ---- a context that allocates --------------------------------------------------------------- */

static void *blocks[64];
static size_t n_blocks;

static void *allocate(brz_ctx *ctx, size_t size, size_t align)
{
    (void)ctx;
    (void)align;
    assert_true(n_blocks < COUNT_OF(blocks));
    blocks[n_blocks] = calloc(1, size);
    assert_non_null(blocks[n_blocks]);
    return blocks[n_blocks++];
}

static const brz_collapser_host host = {.struct_size = sizeof host, .alloc = allocate};
static brz_ctx ctx = {.struct_size = sizeof ctx, .host = &host};

/* ---- the suite ------------------------------------------------------------------------------- */

/* Parses a text that arrives `step` bytes at a time, or with brz_json_next_number(), too, if it
 * arrives as a whole, and decodes its strings. Returns true if it is accepted. */
static bool accepts(brz_str text, size_t step)
{
    brz_json j = {0};
    brz_text decoded = {0};
    const char *at = text.data;
    for (size_t shown = step < text.len ? step : text.len;;) {
        brz_json_token t;
        if (step <= text.len || !brz_json_next_number(&j, &at, text.data + shown, &t))
            t = brz_json_next(&j, &ctx, &at, text.data + shown, shown == text.len);
        assert_true(t.text.data >= text.data && t.text.data + t.text.len <= text.data + shown);
        if (t.kind == BRZ_JSON_MORE) {
            assert_true(shown < text.len);
            shown = text.len - shown > step ? shown + step : text.len;
        }
        if (t.kind == BRZ_JSON_KEY || t.kind == BRZ_JSON_STRING) {
            decoded.len = 0;
            brz_json_decode(&decoded, &ctx, t.text);
            assert_true(brz_json_text_is(t.text, brz_text_str(&decoded)));
        }
        if (t.kind == BRZ_JSON_END || t.kind == BRZ_JSON_ERROR) {
            assert_true((t.kind == BRZ_JSON_ERROR) == (j.error != NULL));
            break;
        }
    }
    while (n_blocks > 0)
        free(blocks[--n_blocks]);
    return j.error == NULL;
}

static void check(const char *name, brz_str text)
{
    bool accepted = accepts(text, text.len + 1);
    for (size_t step = 1; step <= 3; step++)
        if (accepts(text, step) != accepted)
            fail_msg("%s: the verdict depends on the pieces", name);
    if (name[0] == 'y' && !accepted)
        fail_msg("%s is refused", name);
    if (name[0] == 'n' && accepted)
        fail_msg("%s is accepted", name);
}

static void texts_get_the_verdict_of_their_name(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check(cases[i].name, cases[i].text);
}

/* Repeats a text. */
static void check_repeated(const char *name, const char *part, size_t n, const char *end)
{
    brz_buf b = {0};
    for (size_t i = 0; i < n; i++)
        brz_buf_add_text(&b, part);
    brz_buf_add_text(&b, end);
    check(name, brz_buf_str(&b));
    brz_buf_finish(&b);
}

static void deep_texts_get_the_verdict_of_their_name(void **state)
{
    (void)state;
    check_repeated("n_structure_100000_opening_arrays", "[", 100000, "");
    check_repeated("n_structure_open_array_object", "[{\"\":", 50000, "\n");
    brz_buf b = {0};
    for (int i = 0; i < 1000; i++)
        brz_buf_add_char(&b, i < 500 ? '[' : ']');
    check("i_structure_500_nested_arrays", brz_buf_str(&b));
    brz_buf_finish(&b);
}

static void numbers_and_strings_of_any_value_are_accepted(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        if (strncmp(cases[i].name, "i_number", 8) == 0 ||
            strncmp(cases[i].name, "i_object", 8) == 0)
            assert_true(accepts(cases[i].text, 8));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_get_the_verdict_of_their_name),
        cmocka_unit_test(deep_texts_get_the_verdict_of_their_name),
        cmocka_unit_test(numbers_and_strings_of_any_value_are_accepted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
