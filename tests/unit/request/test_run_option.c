/* SPDX-License-Identifier: MIT */
/* Tests the table of the options of a run, and the pages that describe its rows. */
#include "unit.h"

#include "profile/transform.h"
#include "request/run_option.h"

static const brz_run_option *option(const char *name)
{
    const brz_run_option *o = brz_run_option_find(str_of(name));
    assert_non_null(o);
    return o;
}

/* Sets an option of a request. Returns true if the value is valid. */
static bool set(brz_request *r, const char *name, const char *value)
{
    brz_buf error = {0};
    bool good = brz_run_option_set(option(name), r, value, name, &error);
    assert_int_equal(good, error.len == 0);
    brz_buf_finish(&error);
    return good;
}

/* ---- the table ----------------------------------------------------------------------------- */

static void no_two_options_have_the_same_word_or_letter(void **state)
{
    (void)state;
    const brz_run_option *a, *b;
    for (size_t i = 0; (a = brz_run_option_at(i)) != NULL; i++)
        for (size_t k = i + 1; (b = brz_run_option_at(k)) != NULL; k++) {
            assert_string_not_equal(a->name, b->name);
            assert_true(a->letter == 0 || a->letter != b->letter);
            assert_true(a->off == NULL || strcmp(a->off, b->name) != 0);
        }
}

static void each_option_has_what_its_type_needs(void **state)
{
    (void)state;
    const brz_run_option *o;
    for (size_t i = 0; (o = brz_run_option_at(i)) != NULL; i++) {
        assert_non_null(brz_run_option_help(o));
        assert_true((o->type == BRZ_RUN_SWITCH) == (o->off != NULL));
        assert_true((o->type == BRZ_RUN_CHOICE) == (o->words != NULL));
        assert_true((o->type == BRZ_RUN_SHORT) == (o->sets != NULL));
        assert_true((o->type == BRZ_RUN_COUNT) == (o->most > 0));
        if (o->flags & BRZ_RUN_GUARD)
            assert_true((o->flags & BRZ_RUN_KEY) && o->type != BRZ_RUN_TEXT);
        if (o->flags & BRZ_RUN_KEY)
            assert_true(o->type != BRZ_RUN_TEXT || o->takes != NULL);
    }
}

static void each_transform_has_an_option(void **state)
{
    (void)state;
    const brz_transform_kind *k;
    for (size_t i = 0; (k = brz_transform_kind_at(i)) != NULL; i++) {
        const brz_run_option *o = option(k->name);
        assert_int_equal(o->flags & BRZ_RUN_SECTIONS, BRZ_RUN_ABOUT_TRANSFORMS);
        assert_true((k->args == BRZ_TRANSFORM_NONE) == (o->value == NULL));
    }
}

static void short_options_set_other_ones(void **state)
{
    (void)state;
    const brz_run_option *o;
    for (size_t i = 0; (o = brz_run_option_at(i)) != NULL; i++) {
        brz_request r = {0};
        if (o->type == BRZ_RUN_SHORT)
            assert_true(set(&r, o->name, NULL));
        brz_request_finish(&r);
    }
}

/* ---- values -------------------------------------------------------------------------------- */

static void a_value_is_stored_and_printed(void **state)
{
    (void)state;
    static const struct {
        const char *name, *value, *yaml;
    } cases[] = {
        {"negate", NULL, "true"},
        {"isolate", NULL, "true"},
        {"isolate", "false", "false"},
        {"weight", "cpu-clock", "cpu-clock"},
        {"weight", "a b", "\"a b\""},
        {"jobs", "7", "7"},
        {"max-memory", "2K", "2048"},
        {"max-time", "1500ms", "1.5s"},
        {"max-time", "90s", "90s"},
        {"max-time", "1234567891ns", "1234567891ns"},
        {"max-time", "1234567890ms", "1234567.89s"},
        {"base-on", "both", "both"},
        {"normalize", NULL, "yes"},
        {"order", "time-back", "time-back"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        brz_request r = {0}, copy = {0};
        brz_buf b = {0};
        const brz_run_option *o = option(cases[i].name);
        assert_false(brz_run_option_is_set(o, &r));
        assert_true(set(&r, cases[i].name, cases[i].value));
        assert_true(brz_run_option_is_set(o, &r));
        brz_run_option_copy(o, &copy, &r);
        brz_run_option_add_yaml(o, &copy, &b);
        assert_text(brz_buf_str(&b), cases[i].yaml);
        brz_buf_finish(&b);
        brz_request_finish(&r);
    }
}

static void a_choice_is_stored_as_its_enumeration(void **state)
{
    (void)state;
    brz_request r = {0};
    assert_true(set(&r, "base-on", "both") && r.base_on == BRZ_BASE_ON_BOTH);
    assert_true(set(&r, "base-on", "before") && r.base_on == BRZ_BASE_ON_BEFORE);
    assert_true(set(&r, "base-on", "after") && r.base_on == BRZ_BASE_ON_AFTER);
    assert_true(set(&r, "normalize", "yes") && r.normalize == BRZ_NORMALIZE_YES);
    assert_true(set(&r, "normalize-down", NULL) && r.normalize == BRZ_NORMALIZE_FLOOR);
    assert_true(set(&r, "normalize", "no") && r.normalize == BRZ_NORMALIZE_NO);
    assert_true(set(&r, "deltas", "self") && r.drawing.deltas == BRZ_DELTAS_SELF);
    assert_true(set(&r, "deltas", "total") && r.drawing.deltas == BRZ_DELTAS_TOTAL);
    assert_true(set(&r, "flamechart", NULL) && r.drawing.time == BRZ_TIME_ORDER);
    assert_true(set(&r, "flamechart-back", NULL) && r.drawing.time == BRZ_TIME_BACK);
    assert_true(set(&r, "order", "merged") && r.drawing.time == BRZ_TIME_MERGED);
}

static void an_invalid_value_changes_nothing(void **state)
{
    (void)state;
    static const struct {
        const char *name, *value;
    } cases[] = {
        {"negate", "1"},      {"isolate", "maybe"}, {"jobs", "1025"},
        {"jobs", ""},         {"jobs", "+1"},       {"jobs", "99999999999999999999"},
        {"chunk-size", "0"},  {"max-memory", "0"},  {"max-memory", "x"},
        {"max-time", "-1s"},  {"base-on", ""},      {"rename", "a=b"},
        {"set", "a=b.c"},     {"set", ".a=b"},      {"set", "a.=b"},
        {"reverse", "false"}, {"cp", "false"},
    };
    static const brz_request zeros;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        brz_request r = {0};
        assert_false(set(&r, cases[i].name, cases[i].value));
        assert_memory_equal(&r, &zeros, sizeof r);
    }
}

static void lists_grow(void **state)
{
    (void)state;
    brz_request r = {0};
    assert_true(set(&r, "output", "a.svg") && set(&r, "output", "b.svg"));
    assert_true(set(&r, "set", "svg.title=a=b") && set(&r, "set", "?vtune.round=true"));
    assert_true(set(&r, "rename", "a=>b=>c") && set(&r, "reverse", NULL));
    assert_int_equal(r.n_outputs, 2);
    assert_string_equal(r.outputs[1].name, "b.svg");
    assert_int_equal(r.n_settings, 2);
    assert_string_equal(r.settings[0].component, "svg");
    assert_string_equal(r.settings[0].option, "title");
    assert_string_equal(r.settings[0].value, "a=b");
    assert_string_equal(r.settings[0].origin, "set svg.title=a=b");
    assert_true(r.settings[1].if_there && !r.settings[0].if_there);
    assert_int_equal(r.n_transforms, 2);
    assert_string_equal(r.transforms[0].args[0], "a");
    assert_string_equal(r.transforms[0].args[1], "b=>c");
    assert_int_equal(r.transforms[1].n_args, 0);
    brz_request_finish(&r);
}

static void a_guard_knows_the_looser_value(void **state)
{
    (void)state;
    static const struct {
        const char *name, *value, *than;
        bool is_looser;
    } cases[] = {
        {"isolate", "false", "true", true},   {"isolate", "true", "false", false},
        {"isolate", "false", "false", false}, {"isolate", "true", "true", false},
        {"max-memory", "2M", "1M", true},     {"max-memory", "1M", "2M", false},
        {"max-time", "1s", "1s", false},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        brz_request a = {0}, b = {0}, none = {0};
        const brz_run_option *o = option(cases[i].name);
        assert_true(set(&a, cases[i].name, cases[i].value));
        assert_true(set(&b, cases[i].name, cases[i].than));
        assert_int_equal(brz_run_option_is_looser(o, &a, &b), cases[i].is_looser);
        assert_true(brz_run_option_is_looser(o, &none, &a) || strcmp(cases[i].value, "false") == 0);
    }
}

/* ---- pages --------------------------------------------------------------------------------- */

static char *read_page(const char *name)
{
    char path[4096];
    brz_buf text = {0};
    const char *source = getenv("BRAZIER_SOURCE");
    if (source == NULL)
        skip();
    snprintf(path, sizeof path, "%s/docs/%s", source, name);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    for (int c; (c = getc(f)) != EOF;)
        brz_buf_add_char(&text, (char)c);
    fclose(f);
    return text.data;
}

/* Checks that a page has the line, or the beginning of one, that an option requires. */
static void check_page(const char *page, const brz_buf *line)
{
    if (strstr(page, brz_buf_text(line)) == NULL)
        print_error("missing: %s\n", brz_buf_text(line) + 1);
    assert_non_null(strstr(page, brz_buf_text(line)));
}

/* Adds the value of an option as a cell of a table shows it. */
static void add_value(brz_buf *line, const char *value)
{
    for (; *value != 0; value++) {
        if (*value == '|')
            brz_buf_add_char(line, '\\');
        brz_buf_add_char(line, *value);
    }
}

static bool is_plain_with(const char *name, const char *value)
{
    brz_request r = {0};
    assert_true(set(&r, name, value));
    bool good = brz_run_options_are_plain(&r);
    brz_request_finish(&r);
    return good;
}

static void an_option_needs_a_profile_unless_its_row_says_otherwise(void **state)
{
    (void)state;
    brz_request none = {0};
    assert_true(brz_run_options_are_plain(&none));
    assert_true(is_plain_with("jobs", "2"));
    assert_true(is_plain_with("isolate", "false"));
    assert_true(is_plain_with("normalize", "no"));
    assert_true(is_plain_with("quality", "line"));
    assert_false(is_plain_with("quality", "text"));
    assert_false(is_plain_with("isolate", "true"));
    assert_false(is_plain_with("normalize", "yes"));
    assert_false(is_plain_with("sysroot", "/"));
    assert_false(is_plain_with("group-by", "thread"));
}

static void the_page_of_components_has_each_option_with_its_letter_and_value(void **state)
{
    (void)state;
    const brz_run_option *o;
    char *page = read_page("components.md");
    for (size_t i = 0; (o = brz_run_option_at(i)) != NULL; i++) {
        brz_buf line = {0};
        if (!(o->flags & BRZ_RUN_SECTIONS) || (o->flags & BRZ_RUN_HIDDEN))
            continue;
        brz_buf_add_text(&line, "\n| ");
        if (o->letter != 0)
            brz_buf_printf(&line, "`-%c`, ", o->letter);
        brz_buf_printf(&line, "`--%s%s%s", o->flags & BRZ_RUN_IS_ON ? "[no-]" : "", o->name,
                       o->value != NULL ? " " : "");
        add_value(&line, o->value != NULL ? o->value : "");
        brz_buf_add_text(&line, "` | ");
        check_page(page, &line);
        brz_buf_finish(&line);
    }
    free(page);
}

static void the_manual_page_has_each_option_with_its_letter_and_value(void **state)
{
    (void)state;
    const brz_run_option *o;
    char *page = read_page("man/brazier.1");
    for (size_t i = 0; (o = brz_run_option_at(i)) != NULL; i++) {
        brz_buf line = {0};
        if (!(o->flags & BRZ_RUN_SECTIONS) || (o->flags & BRZ_RUN_HIDDEN))
            continue;
        brz_buf_add_text(&line, "\n.It ");
        if (o->letter != 0)
            brz_buf_printf(&line, "Fl %c , ", o->letter);
        brz_buf_printf(&line, "Fl -%s%s", o->name, o->value != NULL ? " Ar " : "\n");
        check_page(page, &line);
        brz_buf_finish(&line);
    }
    free(page);
}

static void the_page_of_the_library_has_each_option_that_only_programs_have(void **state)
{
    (void)state;
    const brz_run_option *o;
    char *page = read_page("library.md");
    for (size_t i = 0; (o = brz_run_option_at(i)) != NULL; i++) {
        brz_buf line = {0};
        if (o->flags & BRZ_RUN_SECTIONS)
            continue;
        brz_buf_printf(&line, "\n| `%s%s%s` | %s", o->name, o->value != NULL ? " " : "",
                       o->value != NULL ? o->value : "", brz_run_option_help(o));
        check_page(page, &line);
        brz_buf_finish(&line);
    }
    free(page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_two_options_have_the_same_word_or_letter),
        cmocka_unit_test(each_option_has_what_its_type_needs),
        cmocka_unit_test(each_transform_has_an_option),
        cmocka_unit_test(short_options_set_other_ones),
        cmocka_unit_test(a_value_is_stored_and_printed),
        cmocka_unit_test(a_choice_is_stored_as_its_enumeration),
        cmocka_unit_test(an_invalid_value_changes_nothing),
        cmocka_unit_test(lists_grow),
        cmocka_unit_test(a_guard_knows_the_looser_value),
        cmocka_unit_test(an_option_needs_a_profile_unless_its_row_says_otherwise),
        cmocka_unit_test(the_page_of_components_has_each_option_with_its_letter_and_value),
        cmocka_unit_test(the_manual_page_has_each_option_with_its_letter_and_value),
        cmocka_unit_test(the_page_of_the_library_has_each_option_that_only_programs_have),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
