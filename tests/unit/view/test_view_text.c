/* SPDX-License-Identifier: MIT */
/* Tests the characters that the viewer writes into cells. */
#include "unit.h"

#include <locale.h>

#include "view/text.h"

static void text_is_cut_by_cells_and_harmless(void **state)
{
    static const struct {
        const char *text;
        uint32_t columns, used;
        const wchar_t *want;
    } cases[] = {
        {"main", 10, 4, L"main"},
        {"main", 3, 3, L"ma\x2026"},
        {"main", 1, 1, L"\x2026"},
        {"main", 0, 0, L""},
        {"\346\274\242\345\255\227", 4, 4, L"\x6f22\x5b57"},
        {"\346\274\242\345\255\227", 3, 3, L"\x6f22\x2026"},
        {"\346\274\242\345\255\227", 2, 1, L"\x2026"},
        {"e\314\201", 1, 1, L"e\x301"},
        {"\314\201x", 2, 1, L"x"},
        {"e\314\201\314\201\314\201\314\201\314\201x", 2, 2, L"e\x301\x301\x301x"},
        {"a\033[31mb", 9, 7, L"a\xfffd[31mb"},
        {"a\302\233b\342\200\256c", 9, 5,
         L"a\xfffd"
         L"b\xfffd"
         L"c"},
    };
    wchar_t cells[64];
    (void)state;
    if (setlocale(LC_CTYPE, "C.UTF-8") == NULL)
        skip();
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        assert_int_equal(view_text(cells, str_of(cases[i].text), cases[i].columns), cases[i].used);
        assert_true(wcscmp(cells, cases[i].want) == 0);
    }
}

static void a_terminal_without_unicode_gets_signs(void **state)
{
    wchar_t cells[64];
    (void)state;
    setlocale(LC_CTYPE, "C");
    assert_int_equal(view_text(cells, str_of("a\346\274\242b"), 9), 3);
    assert_true(wcscmp(cells, L"a?b") == 0);
    view_text(cells, str_of("nam\342\200\246me 3 \302\265s \303\2272"), 20);
    assert_true(wcscmp(cells, L"nam~me 3 us x2") == 0);
    view_text(cells, str_of("long name"), 5);
    assert_true(wcscmp(cells, L"long~") == 0);
}

static void characters_are_added_and_removed(void **state)
{
    static const wchar_t characters[] = {L'a', 0xe9, 0x6f22, 0x1f600};
    char text[32];
    size_t len = 0, ends[5] = {0};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(characters); i++) {
        len += view_text_encode(text + len, characters[i]);
        ends[i + 1] = len;
    }
    assert_text(brz_str_of(text, len), "a\303\251\346\274\242\360\237\230\200");
    for (size_t i = COUNT_OF(characters); i > 0; i--) {
        len = view_text_without_last(text, len);
        assert_int_equal(len, ends[i - 1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_cut_by_cells_and_harmless),
        cmocka_unit_test(a_terminal_without_unicode_gets_signs),
        cmocka_unit_test(characters_are_added_and_removed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
