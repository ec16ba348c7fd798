/* SPDX-License-Identifier: MIT */
/* Tests labels of inputs: their words, and the tags that samples get. */
#include "unit.h"

#include "profile/tag_text.h"
#include "profile/input_labels.h"

static void assert_check(const char *labels, const char *want)
{
    brz_buf error = {0};
    assert_int_equal(brz_input_labels_check(str_of(labels), &error), want == NULL);
    assert_contains(brz_buf_text(&error), want == NULL ? "" : want);
    brz_buf_finish(&error);
}

static void labels_are_checked(void **state)
{
    (void)state;
    assert_check("host={name}", NULL);
    assert_check("a=b=c", NULL);
    assert_check("a={", NULL);
    assert_check("a={name}\nb=x{path}}", NULL);
    assert_check("host", "it takes KEY=TEXT");
    assert_check("a=b\n", "it takes KEY=TEXT");
    assert_check("a=b\n=c", "it takes KEY=TEXT");
    assert_check("thread=x", "'thread' is not the name of a label");
    assert_check("a={name}{}", "{} stands for nothing");
    assert_check("a={name}{Name}", "{Name} stands for nothing");
}

/* Adds a sample with a label, or without a tag if `text` is NULL. */
static void add_sample(brz_profile *p, brz_stack stack, const char *key, const char *text)
{
    const brz_label label = {.key = str_of(key), .text = str_of(text == NULL ? "" : text)};
    const brz_tag_desc d = {
        .struct_size = sizeof d, .labels = &label, .label_size = sizeof label, .n_labels = 1};
    brz_profile_sample s = {.time = BRZ_NO_TIME, .value = 1, .stack = stack};
    s.tag = (text == NULL ? BRZ_NO_TAG : brz_tags_add(&p->tags, &p->strings, &d)) & 0x7fffff;
    brz_samples_add(&p->samples, &s, &p->saturated);
}

/* Returns the value of the samples whose tag has this text for the label. */
static int64_t value_of(const brz_profile *p, const char *key, const char *text)
{
    int64_t value = 0;
    brz_tag_texts texts;
    brz_tag_part part = brz_tag_part_of(str_of(key));
    brz_tag_texts_init(&texts, p);
    for (size_t i = 0; i < p->samples.n; i++) {
        brz_buf b = {0};
        if (brz_tag_texts_add(&texts, &b, p->samples.items[i].tag, &part) &&
            strcmp(brz_buf_text(&b), text) == 0)
            value += p->samples.items[i].value;
        brz_buf_finish(&b);
    }
    brz_tag_texts_finish(&texts);
    return value;
}

static void samples_get_the_labels_that_they_lack(void **state)
{
    (void)state;
    brz_profile *p = brz_profile_create();
    brz_frame_desc d = {.struct_size = sizeof d, .name = BRZ_STR("f")};
    brz_frame frame = brz_profile_add_frame(p, &d);
    brz_stack stack = brz_profile_add_stack(p, &frame, 1, 0);
    p->samples.which = BRZ_SAMPLES_SUMMED;
    add_sample(p, stack, "host", NULL);
    add_sample(p, stack, "host", "web-01");
    add_sample(p, stack, "host", "web-02");
    add_sample(p, stack, "user", "me");
    brz_input_labels_add(str_of("host={name}\nfrom=<{path}>"), "a.b/web-02.eu.folded.zst", p);
    assert_int_equal(value_of(p, "host", "web-01"), 1);
    assert_int_equal(value_of(p, "host", "web-02"), 1);
    assert_int_equal(value_of(p, "host", "web-02.eu"), 2);
    assert_int_equal(value_of(p, "from", "<a.b/web-02.eu.folded.zst>"), 4);
    assert_int_equal(value_of(p, "user", "me"), 1);
    brz_profile_destroy(p);
}

static void a_profile_without_tags_gets_one(void **state)
{
    (void)state;
    static const char *const names[][2] = {
        {"-", "stdin"}, {"x.folded", "x"}, {".hidden", ".hidden"}, {"a/.x.gz", ".x"},
        {"x.gz", "x"},  {"x.tar.gz", "x"}, {"a.b/c", "c"},         {"x.gz.folded", "x.gz"}};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        brz_profile *p = brz_profile_create();
        brz_frame_desc d = {.struct_size = sizeof d, .name = BRZ_STR("f")};
        brz_frame frame = brz_profile_add_frame(p, &d);
        p->samples.which = BRZ_SAMPLES_SUMMED;
        add_sample(p, brz_profile_add_stack(p, &frame, 1, 0), "host", NULL);
        brz_input_labels_add(str_of("host={name}"), names[i][0], p);
        assert_int_equal(value_of(p, "host", names[i][1]), 1);
        brz_profile_destroy(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_are_checked),
        cmocka_unit_test(samples_get_the_labels_that_they_lack),
        cmocka_unit_test(a_profile_without_tags_gets_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
