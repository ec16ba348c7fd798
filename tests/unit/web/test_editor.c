/* SPDX-License-Identifier: MIT */
/* Tests the addresses that open an editor. */
#include "unit.h"

#include "web/editor.h"

static void names_and_addresses_of_editors_are_known(void **state)
{
    (void)state;
    assert_string_equal(brz_web_editor("idea"), "idea://open?file={file}&line={line}");
    for (size_t i = 0; brz_web_editor_name(i) != NULL; i++)
        assert_string_equal(brz_web_editor(brz_web_editor(brz_web_editor_name(i))),
                            brz_web_editor(brz_web_editor_name(i)));
    assert_string_equal(brz_web_editor("my-editor://x{file}"), "my-editor://x{file}");
}

static void addresses_that_run_scripts_or_are_none_are_refused(void **state)
{
    (void)state;
    static const char *const words[] = {
        "javascript:alert('{file}')",
        "JavaScript:{file}",
        "data:text/html,{file}",
        "vbscript:{file}",
        "blob:{file}",
        "about:{file}",
        "emacs",
        "://{file}",
        "vscode://file",
        "x://{file}\"><b>",
        "x://{file} y",
        "x://{file}\n",
        "",
        "1x://{file}",
        "{file}",
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        assert_null(brz_web_editor(words[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_and_addresses_of_editors_are_known),
        cmocka_unit_test(addresses_that_run_scripts_or_are_none_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
