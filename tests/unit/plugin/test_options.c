/* SPDX-License-Identifier: MIT */
/* Tests options: types, ranges, units, precedence of values, and invalid option tables. */
#include "unit.h"

#include "plugin/options.h"

typedef struct config {
    bool flag;
    int64_t number;
    double real;
    brz_str text;
    int32_t choice;
    uint64_t size;
    int64_t duration;
    uint32_t color;
    brz_strlist list;
    int64_t limited;
    double fraction, share;
    uint64_t most;
    int64_t wait;
} config;

static const char *const choices[] = {"red", "green", "blue", NULL};

#define AT(member) offsetof(config, member)

static const brz_option table[] = {
    {"flag", BRZ_OPTION_BOOL, 0, AT(flag), "yes", "help", NULL, NULL},
    {"number", BRZ_OPTION_INT, 0, AT(number), "-7", "help", NULL, NULL},
    {"real", BRZ_OPTION_REAL, 0, AT(real), "0.5", "help", NULL, NULL},
    {"text", BRZ_OPTION_STR, 0, AT(text), "words", "help", NULL, NULL},
    {"choice", BRZ_OPTION_ENUM, 0, AT(choice), "green", "help", choices, NULL},
    {"size", BRZ_OPTION_SIZE, 0, AT(size), "4KiB", "help", NULL, NULL},
    {"duration", BRZ_OPTION_DURATION, 0, AT(duration), "10ms", "help", NULL, NULL},
    {"color", BRZ_OPTION_COLOR, 0, AT(color), "#abcdef", "help", NULL, NULL},
    {"list", BRZ_OPTION_LIST, 0, AT(list), "first", "help", NULL, NULL},
    {"limited", BRZ_OPTION_INT, 0, AT(limited), "5", "help", NULL, "1..64"},
    {"fraction", BRZ_OPTION_REAL, 0, AT(fraction), NULL, "help", NULL, "0..1.5"},
    {"share", BRZ_OPTION_REAL, BRZ_OPTION_PERCENT_OR_PIXELS, AT(share), NULL, "help", NULL,
     "0..100"},
    {"most", BRZ_OPTION_SIZE, 0, AT(most), NULL, "help", NULL, "..64K"},
    {"wait", BRZ_OPTION_DURATION, 0, AT(wait), "1s", "help", NULL, "10ms.."},
    {"hidden", BRZ_OPTION_INT, BRZ_OPTION_HIDDEN, AT(number), NULL, "help", NULL, NULL},
};

static const brz_component component = {
    .struct_size = sizeof component,
    .kind = BRZ_OUTPUT,
    .id = "thing",
    .summary = "a thing",
    .options = table,
    .n_options = BRZ_COUNT_OF(table),
    .option_size = sizeof(brz_option),
    .cfg_size = sizeof(config),
};

static brz_options *make(void)
{
    brz_buf error = {0};
    brz_options *o = brz_options_create(&component, &error);
    assert_string_equal(brz_buf_text(&error), "");
    assert_non_null(o);
    return o;
}

/* Sets an option. Returns false and fills `error` if that fails. */
static bool set(brz_options *o, const char *name, brz_str value, brz_layer layer, brz_buf *error)
{
    const brz_option *option = brz_option_find(&component, str_of(name), NULL);
    assert_non_null(option);
    return brz_options_set(o, option, value, layer, BRZ_STR("here"), error);
}

/* ---- defaults ------------------------------------------------------------------------------ */

static void defaults_fill_the_struct(void **state)
{
    (void)state;
    brz_options *o = make();
    const config *c = o->cfg;
    assert_true(c->flag);
    assert_int_equal(c->number, -7);
    assert_true(c->real == 0.5);
    assert_text(c->text, "words");
    assert_int_equal(c->choice, 1);
    assert_int_equal(c->size, 4096);
    assert_int_equal(c->duration, 10000000);
    assert_int_equal(c->color, 0xabcdefff);
    assert_int_equal(c->list.count, 1);
    assert_text(c->list.items[0], "first");
    assert_int_equal(c->limited, 5);
    assert_true(c->fraction == 0.0);
    assert_int_equal(c->most, 0);
    brz_options_destroy(o);
    brz_options_destroy(NULL);
}

/* ---- types --------------------------------------------------------------------------------- */

static const struct {
    const char *value;
    bool good, means;
} bools[] = {
    {"true", true, true},   {"yes", true, true},     {"on", true, true},  {"false", true, false},
    {"no", true, false},    {"off", true, false},    {"1", false, false}, {"", false, false},
    {"TRUE", false, false}, {"true ", false, false},
};

static const struct {
    const char *value;
    bool good;
    int64_t means;
} ints[] = {
    {"0", true, 0},
    {"-1", true, -1},
    {"007", true, 7},
    {"9223372036854775807", true, INT64_MAX},
    {"-9223372036854775808", true, INT64_MIN},
    {"9223372036854775808", false, 0},
    {"-9223372036854775809", false, 0},
    {"+1", false, 0},
    {" 1", false, 0},
    {"\t1", false, 0},
    {"1 ", false, 0},
    {"1.0", false, 0},
    {"1e3", false, 0},
    {"0x10", false, 0},
    {"", false, 0},
    {"-", false, 0},
    {"00000000000000000000000000000000000000001", false, 0},
};

static const struct {
    const char *value;
    bool good;
    double means;
} reals[] = {
    {"0", true, 0},
    {"-1.5", true, -1.5},
    {".5", true, .5},
    {"5.", true, 5},
    {"007", true, 7},
    {"999999999999999", true, 999999999999999},
    {"1234567890123456", true, 1234567890123456},
    {"1e3", true, 1000},
    {"1E-3", true, .001},
    {"inf", false, 0},
    {"-inf", false, 0},
    {"nan", false, 0},
    {"1e999", false, 0},
    {"0x10", false, 0},
    {"0X10", false, 0},
    {"", false, 0},
    {"-", false, 0},
    {".", false, 0},
    {" 1", false, 0},
    {"1 ", false, 0},
    {"1,5", false, 0},
    {"1.5.2", false, 0},
    {"1e", false, 0},
};

static const struct {
    const char *value;
    bool good;
    uint64_t means;
} sizes[] = {
    {"0", true, 0},
    {"17", true, 17},
    {"17B", true, 17},
    {"64K", true, 65536},
    {"64KiB", true, 65536},
    {"64kB", true, 64000},
    {"64KB", true, 64000},
    {"1.5M", true, 1572864},
    {"2MiB", true, 2097152},
    {"2MB", true, 2000000},
    {"3G", true, 3221225472},
    {"3GiB", true, 3221225472},
    {"3GB", true, 3000000000},
    {"1T", true, 1099511627776},
    {"1TiB", true, 1099511627776},
    {"1TB", true, 1000000000000},
    {"1.001kB", true, 1001}, /* 1000.9999999999999 in binary */
    {"8000000T", true, UINT64_C(8796093022208000000)},
    {"-1", false, 0},
    {"9000000T", false, 0},
    {"1e30", false, 0},
    {"64k", false, 0},
    {"64 K", false, 0},
    {"64Kib", false, 0},
    {"K", false, 0},
    {"", false, 0},
};

static const struct {
    const char *value;
    bool good;
    int64_t means;
} durations[] = {
    {"0", true, 0},
    {"5ns", true, 5},
    {"5us", true, 5000},
    {"10ms", true, 10000000},
    {"1.5s", true, 1500000000},
    {"1.001us", true, 1001},
    {"2min", true, 120000000000},
    {"1h", true, 3600000000000},
    {"10", false, 0},
    {"-1s", false, 0},
    {"1m", false, 0},
    {"1 s", false, 0},
    {"s", false, 0},
    {"", false, 0},
    {"1e10h", false, 0},
};

static const struct {
    const char *value;
    bool good;
    uint32_t means;
} colors[] = {
    {"none", true, 0},
    {"#000000", true, 0x000000ff},
    {"#aBcDeF", true, 0xabcdefff},
    {"#12345678", true, 0x12345678},
    {"#fff", false, 0},
    {"123456", false, 0},
    {"#12345g", false, 0},
    {"#1234567", false, 0},
    {"#123456789", false, 0},
    {"red", false, 0},
    {"", false, 0},
};

/* Checks that a value is accepted or rejected, and that a rejected one changes nothing. */
static void assert_set(brz_options *o, const char *name, const char *value, bool good)
{
    config before = *(const config *)o->cfg;
    brz_buf error = {0};
    size_t n = strlen(value);
    char *exact = exact_copy(value, n);
    bool taken = set(o, name, brz_str_of(exact, n), BRZ_LAYER_CONFIG, &error);
    free(exact); /* the options keep a copy */
    if (taken != good)
        fail_msg("%s: '%s' was %s", name, value, taken ? "taken" : "refused");
    if (!good)
        assert_memory_equal(o->cfg, &before, sizeof before);
    assert_int_equal(error.len > 0, !good);
    if (!good)
        assert_contains(brz_buf_text(&error), name);
    brz_buf_finish(&error);
}

static void each_type_takes_its_values_and_no_others(void **state)
{
    (void)state;
    brz_options *o = make();
    const config *c = o->cfg;
    for (size_t i = 0; i < COUNT_OF(bools); i++) {
        assert_set(o, "flag", bools[i].value, bools[i].good);
        assert_true(!bools[i].good || c->flag == bools[i].means);
    }
    for (size_t i = 0; i < COUNT_OF(ints); i++) {
        assert_set(o, "number", ints[i].value, ints[i].good);
        assert_true(!ints[i].good || c->number == ints[i].means);
    }
    for (size_t i = 0; i < COUNT_OF(reals); i++) {
        assert_set(o, "real", reals[i].value, reals[i].good);
        assert_true(!reals[i].good || c->real == reals[i].means);
    }
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        assert_set(o, "size", sizes[i].value, sizes[i].good);
        if (sizes[i].good)
            assert_int_equal(c->size, sizes[i].means);
    }
    for (size_t i = 0; i < COUNT_OF(durations); i++) {
        assert_set(o, "duration", durations[i].value, durations[i].good);
        if (durations[i].good)
            assert_int_equal(c->duration, durations[i].means);
    }
    for (size_t i = 0; i < COUNT_OF(colors); i++) {
        assert_set(o, "color", colors[i].value, colors[i].good);
        assert_true(!colors[i].good || c->color == colors[i].means);
    }
    brz_options_destroy(o);
}

static void numbers_end_at_a_nul(void **state)
{
    (void)state;
    static const char *const names[] = {"number", "real", "size", "duration"};
    brz_options *o = make();
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        brz_buf error = {0};
        assert_false(set(o, names[i], BRZ_STR("1\0s"), BRZ_LAYER_CONFIG, &error));
        assert_false(set(o, names[i], BRZ_STR("1\0"), BRZ_LAYER_CONFIG, &error));
        brz_buf_finish(&error);
    }
    brz_options_destroy(o);
}

static void texts_are_copied(void **state)
{
    (void)state;
    brz_options *o = make();
    const config *c = o->cfg;
    static const char *const values[] = {"", "x", "with blanks \xc3\xa9", "no"};
    for (size_t i = 0; i < COUNT_OF(values); i++) {
        assert_set(o, "text", values[i], true);
        assert_text(c->text, values[i]);
        assert_int_equal(c->text.data[c->text.len], '\0');
    }
    brz_options_destroy(o);
}

static void a_choice_is_one_of_its_words(void **state)
{
    (void)state;
    brz_options *o = make();
    brz_buf error = {0};
    assert_set(o, "choice", "blue", true);
    assert_int_equal(((const config *)o->cfg)->choice, 2);
    assert_false(set(o, "choice", BRZ_STR("gren"), BRZ_LAYER_CONFIG, &error));
    assert_string_equal(brz_buf_text(&error),
                        "'choice' is one of red, green, blue, not 'gren'; did you mean 'green'?");
    brz_buf_finish(&error);
    assert_set(o, "choice", "", false);
    brz_options_destroy(o);
}

static void errors_name_the_expected_value(void **state)
{
    (void)state;
    static const struct {
        const char *name, *value, *message;
    } cases[] = {
        {"flag", "maybe", "'flag' is true or false, not 'maybe'"},
        {"number", "x", "'number' is a whole number, not 'x'"},
        {"real", "x", "'real' is a number, not 'x'"},
        {"size", "x", "'size' is a size such as 64M, not 'x'"},
        {"duration", "x", "'duration' is a duration such as 10ms, not 'x'"},
        {"color", "x", "'color' is a colour such as #rrggbb, or none, not 'x'"},
        {"limited", "65", "'limited' must be within 1..64, not '65'"},
    };
    brz_options *o = make();
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        brz_buf error = {0};
        assert_false(set(o, cases[i].name, str_of(cases[i].value), BRZ_LAYER_CONFIG, &error));
        assert_string_equal(brz_buf_text(&error), cases[i].message);
        brz_buf_finish(&error);
    }
    assert_string_equal(brz_option_type_name(BRZ_OPTION_STR), "text");
    assert_string_equal(brz_option_type_name(BRZ_OPTION_LIST), "text");
    brz_options_destroy(o);
}

static void ranges_are_closed_and_may_be_open_on_one_side(void **state)
{
    (void)state;
    static const struct {
        const char *name, *value;
        bool good;
    } cases[] = {
        {"limited", "1", true},    {"limited", "64", true},     {"limited", "0", false},
        {"limited", "65", false},  {"limited", "-5", false},    {"fraction", "0", true},
        {"share", "100%", true},   {"share", "101%", false},    {"share", "100.5", false},
        {"share", "0.1px", true},  {"share", "500px", true},    {"share", "-1px", false},
        {"share", "px", false},    {"share", "%", false},       {"share", "1 px", false},
        {"fraction", "1.5", true}, {"fraction", "1.51", false}, {"fraction", "-0.1", false},
        {"most", "0", true},       {"most", "64K", true},       {"most", "65537", false},
        {"wait", "10ms", true},    {"wait", "9ms", false},      {"wait", "100h", true},
    };
    brz_options *o = make();
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_set(o, cases[i].name, cases[i].value, cases[i].good);
    brz_options_destroy(o);
}

/* ---- precedence ---------------------------------------------------------------------------- */

static void the_nearer_layer_wins_in_whatever_order_they_come(void **state)
{
    (void)state;
    for (int nearer = BRZ_LAYER_DEFAULT; nearer <= BRZ_LAYER_COMMAND_LINE; nearer++)
        for (int farther = BRZ_LAYER_DEFAULT; farther <= nearer; farther++) {
            brz_options *o = make();
            brz_buf error = {0};
            assert_true(set(o, "number", BRZ_STR("1"), (brz_layer)nearer, &error));
            assert_true(set(o, "number", BRZ_STR("2"), (brz_layer)farther, &error));
            assert_int_equal(((const config *)o->cfg)->number, farther == nearer ? 2 : 1);
            assert_int_equal(o->values[1].layer, nearer);
            assert_text(o->values[1].text, farther == nearer ? "2" : "1");
            assert_text(o->values[1].origin, "here");
            brz_buf_finish(&error);
            brz_options_destroy(o);
        }
}

static void a_bad_value_of_a_farther_layer_is_reported_too(void **state)
{
    (void)state;
    brz_options *o = make();
    brz_buf error = {0};
    assert_true(set(o, "number", BRZ_STR("1"), BRZ_LAYER_COMMAND_LINE, &error));
    assert_false(set(o, "number", BRZ_STR("x"), BRZ_LAYER_CONFIG, &error));
    brz_buf_finish(&error);
    brz_options_destroy(o);
}

static void items_of_one_layer_make_a_list_and_replace_farther_ones(void **state)
{
    (void)state;
    brz_options *o = make();
    brz_buf error = {0};
    const config *c = o->cfg;
    char item[16];
    for (int i = 0; i < 50; i++) {
        int n = snprintf(item, sizeof item, "item %d", i);
        assert_true(set(o, "list", brz_str_of(item, (size_t)n), BRZ_LAYER_PIPELINE, &error));
    }
    assert_int_equal(c->list.count, 50);
    for (int i = 0; i < 50; i++) {
        snprintf(item, sizeof item, "item %d", i);
        assert_text(c->list.items[i], item);
    }
    assert_true(set(o, "list", BRZ_STR("far"), BRZ_LAYER_CONFIG, &error));
    assert_int_equal(c->list.count, 50);
    assert_true(set(o, "list", BRZ_STR("near"), BRZ_LAYER_COMMAND_LINE, &error));
    assert_int_equal(c->list.count, 1);
    assert_text(c->list.items[0], "near");
    assert_int_equal(o->values[8].n_items, 1);
    brz_buf_finish(&error);
    brz_options_destroy(o);
}

static void an_empty_default_of_a_list_is_no_item(void **state)
{
    (void)state;
    static const brz_option options[] = {{"list", BRZ_OPTION_LIST, 0, 0, "", "help", NULL, NULL}};
    const brz_component c = {.id = "c",
                             .options = options,
                             .n_options = 1,
                             .option_size = sizeof(brz_option),
                             .cfg_size = sizeof(brz_strlist)};
    brz_buf error = {0};
    brz_options *o = brz_options_create(&c, &error);
    assert_int_equal(((const brz_strlist *)o->cfg)->count, 0);
    brz_options_destroy(o);
    brz_buf_finish(&error);
}

static void a_required_option_must_be_given(void **state)
{
    (void)state;
    static const brz_option options[] = {
        {"other", BRZ_OPTION_INT, 0, 0, NULL, "help", NULL, NULL},
        {"file", BRZ_OPTION_STR, BRZ_OPTION_REQUIRED, 8, NULL, "where it is", NULL, NULL}};
    const brz_component c = {.id = "c",
                             .options = options,
                             .n_options = 2,
                             .option_size = sizeof(brz_option),
                             .cfg_size = 8 + sizeof(brz_str)};
    brz_buf error = {0};
    brz_options *o = brz_options_create(&c, &error);
    assert_false(brz_options_check(o, &error));
    assert_string_equal(brz_buf_text(&error), "'c' needs its option 'file': where it is");
    assert_true(
        brz_options_set(o, &options[1], BRZ_STR("x"), BRZ_LAYER_CONFIG, BRZ_STR(""), &error));
    assert_true(brz_options_check(o, &error));
    brz_options_destroy(o);
    brz_buf_finish(&error);
}

/* ---- tables -------------------------------------------------------------------------------- */

static void options_are_found_by_name_and_others_suggested(void **state)
{
    (void)state;
    brz_buf error = {0};
    assert_ptr_equal(brz_option_find(&component, BRZ_STR("real"), &error), &table[2]);
    assert_null(brz_option_find(&component, BRZ_STR("rea"), NULL));
    assert_null(brz_option_find(&component, BRZ_STR("colour"), &error));
    assert_string_equal(brz_buf_text(&error),
                        "'thing' has no option 'colour'; did you mean 'color'?");
    brz_buf_clear(&error);
    assert_non_null(brz_option_find(&component, BRZ_STR("hidden"), &error));
    assert_null(brz_option_find(&component, BRZ_STR("hiddem"), &error));
    assert_string_equal(brz_buf_text(&error), "'thing' has no option 'hiddem'");
    brz_buf_finish(&error);
}

/* An option of a newer host, with additional members. */
typedef struct longer_option {
    brz_option option;
    uint64_t more;
} longer_option;

static void options_may_be_longer_than_this_host_knows(void **state)
{
    (void)state;
    static const longer_option options[] = {
        {{"a", BRZ_OPTION_INT, 0, 0, "1", "help", NULL, NULL}, 99},
        {{"b", BRZ_OPTION_INT, 0, 8, "2", "help", NULL, NULL}, 99}};
    const brz_component c = {.id = "c",
                             .options = &options[0].option,
                             .n_options = 2,
                             .option_size = sizeof(longer_option),
                             .cfg_size = 16};
    brz_buf error = {0};
    brz_options *o = brz_options_create(&c, &error);
    assert_int_equal(((const int64_t *)o->cfg)[1], 2);
    const brz_option *b = brz_option_find(&c, BRZ_STR("b"), &error);
    assert_true(brz_options_set(o, b, BRZ_STR("5"), BRZ_LAYER_CONFIG, BRZ_STR(""), &error));
    assert_int_equal(((const int64_t *)o->cfg)[0], 1);
    assert_int_equal(((const int64_t *)o->cfg)[1], 5);
    brz_options_destroy(o);
    brz_buf_finish(&error);
}

static void an_invalid_table_is_rejected(void **state)
{
    (void)state;
    static const char *const nothing[] = {NULL};
    static const struct {
        brz_option option;
        const char *message;
    } cases[] = {
        {{NULL, BRZ_OPTION_INT, 0, 0, NULL, "h", NULL, NULL}, "'c' has an option without a name"},
        {{"o", BRZ_OPTION_INT, 0, 0, NULL, NULL, NULL, NULL}, "option 'o' of 'c' lacks its help"},
        {{"o", 0, 0, 0, NULL, "h", NULL, NULL}, "has an unknown type"},
        {{"o", 10, 0, 0, NULL, "h", NULL, NULL}, "has an unknown type"},
        {{"o", BRZ_OPTION_INT, 0, 17, NULL, "h", NULL, NULL}, "lies outside"},
        {{"o", BRZ_OPTION_INT, 0, 9, NULL, "h", NULL, NULL}, "lies outside"},
        {{"o", BRZ_OPTION_STR, 0, 1, NULL, "h", NULL, NULL}, "lies outside"},
        {{"o", BRZ_OPTION_INT, 0, SIZE_MAX, NULL, "h", NULL, NULL}, "lies outside"},
        {{"o", BRZ_OPTION_ENUM, 0, 0, NULL, "h", NULL, NULL}, "has no choices"},
        {{"o", BRZ_OPTION_ENUM, 0, 0, NULL, "h", nothing, NULL}, "has no choices"},
        {{"o", BRZ_OPTION_ENUM, 0, 0, "pink", "h", choices, NULL}, "'o' is one of red"},
        {{"o", BRZ_OPTION_INT, 0, 0, "x", "h", NULL, NULL}, "'o' is a whole number, not 'x'"},
        {{"o", BRZ_OPTION_INT, 0, 0, "", "h", NULL, NULL}, "'o' is a whole number, not ''"},
        {{"o", BRZ_OPTION_INT, 0, 0, "9", "h", NULL, "1..8"}, "'o' must be within 1..8"},
        {{"o", BRZ_OPTION_INT, 0, 0, "1", "h", NULL, "1-8"}, "has an invalid range"},
        {{"o", BRZ_OPTION_INT, BRZ_OPTION_PERCENT_OR_PIXELS, 0, "1", "h", NULL, NULL},
         "is a percentage, but not a real number"},
        {{"o", BRZ_OPTION_INT, BRZ_OPTION_NETWORK, 0, "1", "h", NULL, NULL},
         "allows the network, but is not true or false"},
        {{"o", BRZ_OPTION_INT, 0, 0, "1", "h", NULL, "a..8"}, "has an invalid range"},
        {{"o", BRZ_OPTION_REAL, 0, 0, "1", "h", NULL, "0..x"}, "has an invalid range"},
        {{"o", BRZ_OPTION_STR, 0, 0, "1", "h", NULL, "0..5"}, "has an invalid range"},
        {{"o", BRZ_OPTION_BOOL, 0, 0, "sure", "h", NULL, NULL}, "'o' is true or false"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const brz_component c = {.id = "c",
                                 .options = &cases[i].option,
                                 .n_options = 1,
                                 .option_size = sizeof(brz_option),
                                 .cfg_size = 16};
        brz_buf error = {0};
        assert_null(brz_options_create(&c, &error));
        assert_contains(brz_buf_text(&error), cases[i].message);
        brz_buf_finish(&error);
    }
}

static void a_component_without_options_has_none(void **state)
{
    (void)state;
    const brz_component c = {.id = "c"};
    brz_buf error = {0};
    brz_options *o = brz_options_create(&c, &error);
    assert_non_null(o);
    assert_true(brz_options_check(o, &error));
    assert_null(brz_option_find(&c, BRZ_STR("x"), &error));
    brz_options_destroy(o);
    brz_buf_finish(&error);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_fill_the_struct),
        cmocka_unit_test(each_type_takes_its_values_and_no_others),
        cmocka_unit_test(numbers_end_at_a_nul),
        cmocka_unit_test(texts_are_copied),
        cmocka_unit_test(a_choice_is_one_of_its_words),
        cmocka_unit_test(errors_name_the_expected_value),
        cmocka_unit_test(ranges_are_closed_and_may_be_open_on_one_side),
        cmocka_unit_test(the_nearer_layer_wins_in_whatever_order_they_come),
        cmocka_unit_test(a_bad_value_of_a_farther_layer_is_reported_too),
        cmocka_unit_test(items_of_one_layer_make_a_list_and_replace_farther_ones),
        cmocka_unit_test(an_empty_default_of_a_list_is_no_item),
        cmocka_unit_test(a_required_option_must_be_given),
        cmocka_unit_test(options_are_found_by_name_and_others_suggested),
        cmocka_unit_test(options_may_be_longer_than_this_host_knows),
        cmocka_unit_test(an_invalid_table_is_rejected),
        cmocka_unit_test(a_component_without_options_has_none),
    };
    return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
