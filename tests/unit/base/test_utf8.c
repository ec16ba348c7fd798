/* SPDX-License-Identifier: MIT */
/* Tests UTF-8: code points at all limits, and all maximal malformed parts. */
#include "unit.h"

#include "base/utf8.h"

/* Decodes by Unicode's definition, independently of the tested code: returns the code point of a
 * well-formed sequence of exactly n bytes, or UINT32_MAX. */
static uint32_t decode(const unsigned char *p, size_t n)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    static const unsigned char mask[] = {0, 0x80, 0xe0, 0xf0, 0xf8},
                               lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    if (n < 1 || n > 4 || (p[0] & mask[n]) != lead[n])
        return UINT32_MAX;
    uint32_t code = p[0] & (unsigned char)~mask[n];
    for (size_t i = 1; i < n; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return UINT32_MAX;
        code = code << 6 | (p[i] & 0x3f);
    }
    bool surrogate = code >= 0xd800 && code <= 0xdfff;
    return code < least[n] || code > 0x10ffff || surrogate ? UINT32_MAX : code;
}

static bool is_well_formed(const unsigned char *p, size_t n)
{
    return decode(p, n) != UINT32_MAX;
}

/* Returns whether further bytes could complete these n bytes to a character. */
static bool is_beginning(const unsigned char *p, size_t n)
{
    unsigned char all[4];
    memcpy(all, p, n);
    for (size_t length = n + 1; length <= 4; length++)
        for (unsigned fill = 0x80; fill <= 0xbf; fill += 0x0f) {
            memset(all + n, (int)fill, length - n);
            if (is_well_formed(all, length))
                return true;
        }
    return false;
}

static void all_code_points_survive_a_round_trip(void **state)
{
    (void)state;
    for (uint32_t code = 0; code <= 0x110010; code++) {
        char text[4];
        size_t n = brz_utf8_encode(code, text);
        bool is_char = code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
        if (decode((unsigned char *)text, n) != (is_char ? code : 0xfffd))
            fail_msg("U+%04X", code);
        if (brz_utf8_length(text, n) != n || (n > 1 && brz_utf8_length(text, n - 1) != 0))
            fail_msg("length of U+%04X", code);
    }
}

static void lengths_change_at_the_limits_of_unicode(void **state)
{
    (void)state;
    static const struct {
        uint32_t code;
        const char *text;
    } cases[] = {
        {0x24, "$"},
        {0x7f, "\x7f"},
        {0x80, "\xc2\x80"},
        {0x7ff, "\xdf\xbf"},
        {0x800, "\xe0\xa0\x80"},
        {0xd7ff, "\xed\x9f\xbf"},
        {0xd800, "\xef\xbf\xbd"},
        {0xdfff, "\xef\xbf\xbd"},
        {0xe000, "\xee\x80\x80"},
        {0xfeff, "\xef\xbb\xbf"},
        {0xffff, "\xef\xbf\xbf"},
        {0x10000, "\xf0\x90\x80\x80"},
        {0x10ffff, "\xf4\x8f\xbf\xbf"},
        {0x110000, "\xef\xbf\xbd"},
        {UINT32_MAX, "\xef\xbf\xbd"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char text[4];
        size_t n = brz_utf8_encode(cases[i].code, text);
        assert_text(brz_str_of(text, n), cases[i].text);
    }
}

#define FFFD "\xef\xbf\xbd"

static void every_maximal_part_becomes_one_replacement(void **state)
{
    (void)state;
    static const struct {
        const char *text, *repaired;
    } cases[] = {
        {"plain", "plain"},
        {"\x80", FFFD},
        {"\xbf\xbf", FFFD FFFD},
        {"\xc0\xaf", FFFD FFFD}, /* overlong: not part of any character */
        {"\xc1\xbf", FFFD FFFD},
        {"\xc2", FFFD},
        {"\xc2 ", FFFD " "},
        {"\xe0\x80\xaf", FFFD FFFD FFFD}, /* the second byte cannot follow E0 */
        {"\xe0\xa0", FFFD},
        {"\xe2\x82", FFFD},
        {"\xe2\x82x", FFFD "x"},
        {"\xed\xa0\x80", FFFD FFFD FFFD}, /* a surrogate */
        {"\xf0\x8f\xbf\xbf", FFFD FFFD FFFD FFFD},
        {"\xf0\x90\x80", FFFD},
        {"\xf1\x80\x80\xe1\x80\xc2\x62\x80", FFFD FFFD FFFD "b" FFFD}, /* Unicode, table 3-8 */
        {"\xf4\x90\x80\x80", FFFD FFFD FFFD FFFD},
        {"\xf5\x80", FFFD FFFD},
        {"\xff\xfe", FFFD FFFD},
        {"a\xe2\x82\xac\xe2\x82z", "a\xe2\x82\xac" FFFD "z"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        brz_buf b = {0};
        size_t n = strlen(cases[i].text);
        char *exact = exact_copy(cases[i].text, n);
        brz_utf8_repair(&b, brz_str_of(exact, n));
        assert_text(brz_buf_str(&b), cases[i].repaired);
        assert_int_equal(brz_utf8_valid(brz_str_of(exact, n)),
                         strcmp(cases[i].text, cases[i].repaired) == 0);
        brz_buf_finish(&b);
        free(exact);
    }
}

/* Repairs text by the definition. */
static void repair_slowly(const unsigned char *p, size_t n, brz_buf *b)
{
    for (size_t i = 0; i < n;) {
        size_t len = 1;
        while (len < 4 && i + len < n && is_beginning(p + i, len) &&
               (is_well_formed(p + i, len + 1) || (len < 3 && is_beginning(p + i, len + 1))))
            len++;
        if (is_well_formed(p + i, len))
            brz_buf_add(b, (const char *)p + i, len);
        else
            brz_buf_add_text(b, FFFD);
        i += len;
    }
}

static void random_bytes_are_repaired_by_the_definition(void **state)
{
    (void)state;
    static const unsigned char likely[] = {0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0,
                                           0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xed,
                                           0xef, 0xf0, 0xf1, 0xf4, 0xf5, 0xff};
    dice d = {2};
    for (int round = 0; round < 100000; round++) {
        unsigned char bytes[12];
        size_t n = roll_below(&d, sizeof bytes + 1);
        for (size_t i = 0; i < n; i++)
            bytes[i] = likely[roll_below(&d, sizeof likely)];
        brz_buf got = {0}, want = {0};
        brz_utf8_repair(&got, brz_str_of((char *)bytes, n));
        repair_slowly(bytes, n, &want);
        assert_int_equal(got.len, want.len);
        assert_memory_equal(brz_buf_text(&got), brz_buf_text(&want), want.len);
        assert_true(brz_utf8_valid(brz_buf_str(&got)));
        bool same = got.len == n && memcmp(brz_buf_text(&got), bytes, n) == 0;
        assert_int_equal(brz_utf8_valid(brz_str_of((char *)bytes, n)), same);
        brz_buf_finish(&got);
        brz_buf_finish(&want);
    }
}

static void validity_is_found_at_every_place_of_a_long_text(void **state)
{
    (void)state;
    for (size_t n = 1; n < 40; n++)
        for (size_t bad = 0; bad < n; bad++) {
            char *text = exact_copy("abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz", n);
            assert_true(brz_utf8_valid(brz_str_of(text, n)));
            text[bad] = (char)0x80;
            assert_false(brz_utf8_valid(brz_str_of(text, n)));
            text[bad] = (char)0xf0; /* an incomplete character */
            assert_false(brz_utf8_valid(brz_str_of(text, n)));
            free(text);
        }
    assert_true(brz_utf8_valid(brz_str_of(NULL, 0)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_code_points_survive_a_round_trip),
        cmocka_unit_test(lengths_change_at_the_limits_of_unicode),
        cmocka_unit_test(every_maximal_part_becomes_one_replacement),
        cmocka_unit_test(random_bytes_are_repaired_by_the_definition),
        cmocka_unit_test(validity_is_found_at_every_place_of_a_long_text),
    };
    return cmocka_run_group_tests_name("utf8", tests, NULL, NULL);
}
