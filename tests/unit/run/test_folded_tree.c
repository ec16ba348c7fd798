/* Tests the call tree that is built directly from plain folded text. */
#include "unit.h"

#include "run/folded_tree.h"

#include <stdio.h>
#include <stdlib.h>

#define LINES 10000

/* A text of LINES lines with three names, two of which are new in each line, and its parts. */
typedef struct fixture {
    char *text;
    size_t len;
    brz_folded_parts parts;
} fixture;

static void begin(fixture *f)
{
    enum { LINE = 20, SLACK = 128 };
    *f = (fixture){.text = calloc(LINES + SLACK, LINE)};
    for (int i = 0; i < LINES; i++)
        f->len += (size_t)snprintf(f->text + f->len, LINE, "main;f%05d;g 1\n", i);
    assert_true(brz_folded_parts_add(&f->parts, brz_str_of(f->text, f->len), 4096));
    for (size_t i = 0; i < f->parts.n; i++) {
        brz_folded_part *part = &f->parts.items[i];
        brz_str text = part->text, before = part->before;
        assert_true(brz_folded_check(&text, &before, &part->totals));
    }
    assert_true(brz_folded_tree_is_possible(&f->parts));
}

/* Builds the tree in two stretches. Returns whether the text is what was checked. */
static bool build(const fixture *f, int64_t *total)
{
    brz_call_tree tree;
    brz_profile *profile = brz_profile_create();
    bool good = brz_folded_tree_init(&tree, profile, &f->parts, 2);
    *total = good ? tree.nodes[0].total : 0;
    brz_call_tree_finish(&tree);
    brz_profile_destroy(profile);
    return good;
}

static void finish(fixture *f)
{
    brz_folded_parts_finish(&f->parts);
    free(f->text);
}

static void stretches_are_joined(void **state)
{
    (void)state;
    fixture f;
    int64_t total;
    begin(&f);
    assert_true(build(&f, &total));
    assert_int_equal(total, LINES);
    finish(&f);
}

/* Another process may write to the file: the stack in front of a stretch is read once by each of
 * two threads. */
static void a_stack_that_changes_between_two_stretches_is_noticed(void **state)
{
    (void)state;
    static const char stacks[][96] = {"main", "main;a;b;c;d;e;f;g;h;i;j;k;l;m;n;o;p;q;r;s;t"};
    for (size_t i = 0; i < sizeof stacks / sizeof *stacks; i++) { /* readable past their ends */
        fixture f;
        int64_t total;
        begin(&f);
        for (size_t k = 1; k < f.parts.n; k++)
            f.parts.items[k].before = brz_str_of(stacks[i], strlen(stacks[i]));
        assert_false(build(&f, &total));
        finish(&f);
    }
}

static void a_line_that_loses_its_newline_is_noticed(void **state)
{
    (void)state;
    fixture f;
    int64_t total;
    begin(&f);
    f.text[f.len - 1] = '1';
    assert_false(build(&f, &total));
    for (size_t i = 0; i < f.parts.n; i++) {
        brz_str text = f.parts.items[i].text;
        f.text[text.data + text.len - 1 - f.text] = '1';
    }
    assert_false(build(&f, &total));
    finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stretches_are_joined),
        cmocka_unit_test(a_stack_that_changes_between_two_stretches_is_noticed),
        cmocka_unit_test(a_line_that_loses_its_newline_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
