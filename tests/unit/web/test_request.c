/* SPDX-License-Identifier: MIT */
/* Tests which requests a local page answers. */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "web/request.h"

#define TOKEN "0123456789abcdef0123456789abcdef"
#define PORT  40123

static brz_web_item asked(const char *method, const char *path, const char *host)
{
    const brz_web_request r = {method, path, host};
    return brz_web_item_of(&r, TOKEN, PORT);
}

static brz_web_item at(const char *path)
{
    return asked("GET", path, "127.0.0.1:40123");
}

static void only_the_names_below_the_token_are_there(void **state)
{
    (void)state;
    assert_int_equal(at("/" TOKEN "/"), BRZ_WEB_SHELL);
    assert_int_equal(at("/" TOKEN "/page"), BRZ_WEB_PAGE);
    assert_int_equal(at("/" TOKEN "/events"), BRZ_WEB_EVENTS);
    static const char *const others[] = {"",
                                         "/",
                                         "/" TOKEN,
                                         "/" TOKEN "/pag",
                                         "/" TOKEN "/page/",
                                         "/" TOKEN "/../page",
                                         "/" TOKEN "//page",
                                         "/" TOKEN "/etc/passwd",
                                         "//" TOKEN "/page",
                                         TOKEN "/page",
                                         "/page"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_int_equal(at(others[i]), BRZ_WEB_UNKNOWN);
    assert_int_equal(at(NULL), BRZ_WEB_UNKNOWN);
}

static void each_digit_of_the_token_counts(void **state)
{
    (void)state;
    char path[] = "/" TOKEN "/page";
    for (size_t i = 1; i <= BRZ_WEB_TOKEN; i++) {
        path[i] ^= 1;
        assert_int_equal(at(path), BRZ_WEB_UNKNOWN);
        path[i] ^= 1;
    }
    assert_int_equal(at(path), BRZ_WEB_PAGE);
}

static void other_names_of_the_host_are_foreign(void **state)
{
    (void)state;
    static const char *const hosts[] = {"evil.example",    "evil.example:40123", "127.0.0.1",
                                        "127.0.0.1:40124", "localhost",          "127.0.0.1:401230",
                                        "0.0.0.0:40123",   "127.0.0.1.x:40123",  ""};
    for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++)
        assert_int_equal(asked("GET", "/" TOKEN "/", hosts[i]), BRZ_WEB_FOREIGN);
    assert_int_equal(asked("GET", "/" TOKEN "/", NULL), BRZ_WEB_FOREIGN);
    assert_int_equal(asked("GET", "/" TOKEN "/", "LOCALHOST:40123"), BRZ_WEB_SHELL);
}

static void methods_that_write_are_refused(void **state)
{
    (void)state;
    static const char *const methods[] = {"POST", "PUT", "DELETE", "OPTIONS", "TRACE", "get", ""};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        assert_int_equal(asked(methods[i], "/" TOKEN "/", "localhost:40123"), BRZ_WEB_METHOD);
    assert_int_equal(asked("HEAD", "/" TOKEN "/page", "localhost:40123"), BRZ_WEB_PAGE);
}

static void tokens_are_random_digits(void **state)
{
    (void)state;
    char one[BRZ_WEB_TOKEN + 1], other[BRZ_WEB_TOKEN + 1];
    assert_true(brz_web_make_token(one) && brz_web_make_token(other));
    assert_int_equal(strspn(one, "0123456789abcdef"), BRZ_WEB_TOKEN);
    assert_int_equal(strlen(one), BRZ_WEB_TOKEN);
    assert_string_not_equal(one, other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_the_names_below_the_token_are_there),
        cmocka_unit_test(each_digit_of_the_token_counts),
        cmocka_unit_test(other_names_of_the_host_are_foreign),
        cmocka_unit_test(methods_that_write_are_refused),
        cmocka_unit_test(tokens_are_random_digits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
