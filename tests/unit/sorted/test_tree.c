/* SPDX-License-Identifier: MIT */
/* Tests the call tree that is built from sorted stacks. */
#include "sorted_text.h"

#include "sorted/tree.h"

static void describe(brz_frame_desc *d)
{
    d->kind = d->name.len == 1 ? 0 : BRZ_KIND_KERNEL;
}

static void weight(brz_column_desc *d)
{
    d->name = d->unit = BRZ_STR("ticks");
}

/* A tree with what it is made of. */
typedef struct fixture {
    brz_sorted_reader reader;
    brz_sorted_source source;
    brz_profile *profile;
    brz_call_tree tree;
    bool is_complete;
} fixture;

static void build(fixture *f, const char *text, bool stops)
{
    sorted_text t;
    atomic_bool stop = stops;
    *f = (fixture){.reader = brz_record_reader, .profile = brz_profile_create()};
    f->reader.describe = describe;
    f->reader.column = weight;
    sorted_text_init(&t, text, 20);
    sorted_text_open(&t, &f->source, 32);
    f->source.reader = &f->reader;
    f->is_complete = brz_sorted_tree_init(&f->tree, f->profile, &f->source, &stop);
}

static void finish(fixture *f)
{
    brz_call_tree_finish(&f->tree);
    brz_profile_destroy(f->profile);
    brz_sorted_source_finish(&f->source);
}

/* Appends a line per node: its depth, name, values, and the number of nodes in its subtree. */
static void print(const brz_call_tree *v, brz_buf *b)
{
    for (uint32_t i = 0; i < v->tree.n_nodes; i++) {
        const brz_node *n = &v->nodes[i];
        brz_str name = v->frames[n->frame].name;
        brz_buf_printf(b, "%u %.*s %d/%d %u <%u\n", n->depth, (int)name.len, name.data,
                       (int)n->self, (int)n->total, n->subtree, n->parent);
    }
}

static void nodes_have_sums_and_callers(void **state)
{
    (void)state;
    fixture f;
    brz_buf b = {0};
    build(&f, "a 1\na;b 2\na;b;c;dd 3\na;b;cc 4\na;bb 5\nb;b 6\n", false);
    assert_true(f.is_complete);
    print(&f.tree, &b);
    assert_string_equal(brz_buf_text(&b), "0  0/21 9 <0\n"
                                          "1 a 1/15 6 <0\n"
                                          "2 b 2/9 4 <1\n"
                                          "3 c 0/3 2 <2\n"
                                          "4 dd 3/3 1 <3\n"
                                          "3 cc 4/4 1 <2\n"
                                          "2 bb 5/5 1 <1\n"
                                          "1 b 0/6 2 <0\n"
                                          "2 b 6/6 1 <7\n");
    assert_int_equal(f.tree.tree.max_depth, 4);
    assert_int_equal(f.tree.weights[0].total, 21);
    assert_text(f.tree.weights[0].name, "ticks");
    assert_int_equal(f.tree.frames[f.tree.nodes[4].frame].kind, BRZ_KIND_KERNEL);
    brz_buf_finish(&b);
    finish(&f);
}

/* The lines "a 1" and "a !b 1" sort the other way round. */
static void another_order_of_lines_needs_a_collapser(void **state)
{
    (void)state;
    fixture f;
    sorted_text t = {.piece = 90};
    const uint64_t one = 1;
    f = (fixture){.reader = brz_record_reader, .profile = brz_profile_create()};
    f.reader.describe = describe;
    f.reader.column = weight;
    t.n = (size_t)(brz_record_writer.put(t.bytes, BRZ_STR("a"), &one, 1) - t.bytes);
    t.n = (size_t)(brz_record_writer.put(t.bytes + t.n, BRZ_STR("a !b"), &one, 1) - t.bytes);
    sorted_text_open(&t, &f.source, 32);
    f.source.reader = &f.reader;
    atomic_bool stop = false;
    assert_false(brz_sorted_tree_init(&f.tree, f.profile, &f.source, &stop));
    assert_int_equal(f.source.state, BRZ_SORTED_NOT_PLAIN);
    finish(&f);
}

static void a_name_that_is_not_printable_needs_a_collapser(void **state)
{
    (void)state;
    static const char *const names[] = {"\303\244", "a\tb", "\177",
                                        "a name longer than 32 bytes \1 it is"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        fixture f;
        char text[64];
        snprintf(text, sizeof text, "a;%s 1\n", names[i]);
        build(&f, text, false);
        assert_false(f.is_complete);
        assert_int_equal(f.source.state, BRZ_SORTED_NOT_PLAIN);
        finish(&f);
    }
}

static void a_run_that_is_to_end_has_no_tree(void **state)
{
    (void)state;
    fixture f;
    build(&f, "a 1\nb 2\n", true);
    assert_false(f.is_complete);
    finish(&f);
}

static void a_sum_that_is_too_large_needs_a_collapser(void **state)
{
    (void)state;
    fixture f;
    build(&f, "a 9223372036854775807\nb 1\n", false);
    assert_false(f.is_complete);
    assert_int_equal(f.source.state, BRZ_SORTED_NOT_PLAIN);
    finish(&f);
}

static void names_that_become_one_frame_need_a_collapser(void **state)
{
    (void)state;
    fixture f;
    build(&f, "a;b\xfe 1\na;b\xff 1\n", false);
    assert_false(f.is_complete);
    assert_int_equal(f.source.state, BRZ_SORTED_NOT_PLAIN);
    finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_have_sums_and_callers),
        cmocka_unit_test(another_order_of_lines_needs_a_collapser),
        cmocka_unit_test(a_name_that_is_not_printable_needs_a_collapser),
        cmocka_unit_test(a_run_that_is_to_end_has_no_tree),
        cmocka_unit_test(a_sum_that_is_too_large_needs_a_collapser),
        cmocka_unit_test(names_that_become_one_frame_need_a_collapser),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
