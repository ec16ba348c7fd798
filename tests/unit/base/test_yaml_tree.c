/* SPDX-License-Identifier: MIT */
/* Tests YAML trees: positions, aliases, and files that expand to huge trees. */
#include "unit.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/yaml_tree.h"

/* ---- trees as text ------------------------------------------------------------------------- */

static void print(brz_buf *b, const brz_yaml *n)
{
    size_t children = 0;
    switch (n->type) {
    case BRZ_YAML_SCALAR:
        brz_buf_printf(b, n->is_null ? "~%.*s" : "%.*s", (int)n->text.len, n->text.data);
        return;
    default:
        brz_buf_add_char(b, n->type == BRZ_YAML_MAP ? '{' : '[');
        for (const brz_yaml *k = n->first; k != NULL; k = k->next, children++) {
            brz_buf_add_text(b, k == n->first ? "" : ", ");
            if (n->type == BRZ_YAML_MAP)
                brz_buf_printf(b, "%s: ", k->key->text.data);
            print(b, k);
        }
        brz_buf_add_char(b, n->type == BRZ_YAML_MAP ? '}' : ']');
        assert_int_equal(children, n->n_children);
    }
}

static void assert_tree(const brz_yaml *root, const char *want)
{
    brz_buf b = {0};
    if (root != NULL)
        print(&b, root);
    assert_string_equal(brz_buf_text(&b), want);
    brz_buf_finish(&b);
}

static brz_yaml_file *parse(const char *text, ear *e)
{
    size_t n = strlen(text);
    char *exact = exact_copy(text, n);
    brz_yaml_file *f = brz_yaml_parse(exact, n, "a.yaml", &e->console);
    free(exact);
    return f;
}

static void what_is_written_is_read(void **state)
{
    (void)state;
    static const struct {
        const char *text, *tree;
    } cases[] = {
        {"", ""},
        {"# only a comment\n", ""},
        {"word", "word"},
        {"a: 1\nb: [x, 'y z', \"q\\n\"]\n", "{a: 1, b: [x, y z, q\n]}"},
        {"- {m: n}\n- ~\n- null\n- 'null'\n- ''\n-\n", "[{m: n}, ~~, ~null, null, , ~]"},
        {"a: &x {b: 1}\nc: *x\n", "{a: {b: 1}, c: {b: 1}}"},
        {"a: &x 1\nb: &x 2\nc: *x\n", "{a: 1, b: 2, c: 2}"},
        {"- &k key\n- {*k : 1}\n", "[key, {key: 1}]"},
        {"a:\n  - b\n  - c:\n      d\n", "{a: [b, {c: d}]}"},
        {"%YAML 1.1\n---\na: b\n...\n", "{a: b}"},
        {"\xef\xbb\xbf"
         "a: b\n",
         "{a: b}"},
        {"a: |\n  two\n  lines\n", "{a: two\nlines\n}"},
    };
    ear e;
    ear_open(&e);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        brz_yaml_file *f = parse(cases[i].text, &e);
        assert_non_null(f);
        assert_tree(f->root, cases[i].tree);
        brz_yaml_destroy(f);
    }
    assert_string_equal(ear_heard(&e), "");
    brz_yaml_destroy(NULL);
    ear_close(&e);
}

static void errors_have_a_position(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"a: [1, 2\nb: 3\n", "a.yaml:2:"},
        {"a: 1\n  b: 2\n", "a.yaml:2:4: error: mapping values are not allowed"},
        {"\ta: 1\n", "a.yaml:1:1: error: "},
        {"a: 1\nb: 2\na: 3\n",
         "a.yaml:3:1: error: duplicate key 'a', first in line 1\n    a: 3\n    ^\n"},
        {"a: *b\n", "a.yaml:1:4: error: an alias to an unknown anchor\n    a: *b\n       ^\n"},
        {"a: &x [*x]\n", "a.yaml:1:8: error: an alias to a node that contains it"},
        {"a: &x {b: {c: *x}}\n", "a.yaml:1:15: error: an alias to a node that contains it"},
        {"{[1]: 2}\n", "a.yaml:1:2: error: a key must be a word"},
        {"? {a: b}\n: c\n", "a.yaml:1:3: error: a key must be a word"},
        {"a: 1\n---\nb: 2\n", "a.yaml:2:1: error: a second document: only one is read"},
        {"a: \"\xff\"\n", "a.yaml:1:"},
        {"a: {to: \"x\\0y\"}\n",
         "a.yaml:1:9: error: a text with a NUL character\n    a: {to: \"x\\0y\"}\n            ^\n"},
        {"\"a\\x00\": 1\n", "a.yaml:1:1: error: a text with a NUL character"},
        {"[\"\\u0000\"]\n", "a.yaml:1:2: error: a text with a NUL character"},
        {"a: '", "a.yaml:1:"},
        {"\xc3\xa9: \xc3\xa9\n\xc3\xa9\xc3\xa9: *x\n",
         "a.yaml:2:5: error: an alias to an unknown anchor\n    \xc3\xa9\xc3\xa9: *x\n   "
         "     ^\n"},
        {"a: 1\r\nb: *x\r\n",
         "a.yaml:2:4: error: an alias to an unknown anchor\n    b: *x\n       ^\n"},
        {"# \xc2\x85# \r# \xe2\x80\xa9\nb: *x",
         "a.yaml:5:4: error: an alias to an unknown anchor\n    b: *x\n       ^\n"},
        {"\xef\xbb\xbf"
         "a: *x\n",
         "a.yaml:1:4: error: an alias to an unknown anchor\n    a: *x\n       ^\n"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        ear e;
        ear_open(&e);
        assert_null(parse(cases[i].text, &e));
        assert_contains(ear_heard(&e), cases[i].message);
        assert_int_equal(e.console.errors, 1);
        ear_close(&e);
    }
}

/* Repeats a part n times between a beginning and an end. */
static char *repeat(const char *begin, const char *part, size_t n, const char *end)
{
    brz_buf b = {0};
    brz_buf_add_text(&b, begin);
    for (size_t i = 0; i < n; i++)
        brz_buf_add_text(&b, part);
    brz_buf_add_text(&b, end);
    return b.data;
}

static void assert_parses(char *text, bool good, const char *message)
{
    ear e;
    ear_open(&e);
    brz_yaml_file *f = parse(text, &e);
    assert_int_equal(f != NULL, good);
    if (!good)
        assert_contains(ear_heard(&e), message);
    brz_yaml_destroy(f);
    ear_close(&e);
    free(text);
}

static void depth_has_a_limit(void **state)
{
    (void)state;
    assert_parses(repeat("", "[", BRZ_YAML_MAX_DEPTH, ""), false, "a.yaml:");
    brz_buf b = {0};
    for (size_t n = BRZ_YAML_MAX_DEPTH; n <= BRZ_YAML_MAX_DEPTH + 1; n++) {
        brz_buf_clear(&b);
        for (size_t i = 0; i < n; i++)
            brz_buf_add_char(&b, '[');
        for (size_t i = 0; i < n; i++)
            brz_buf_add_char(&b, ']');
        char *text = exact_copy(b.data, b.len + 1);
        assert_parses(text, n == BRZ_YAML_MAX_DEPTH, "nested too deeply");
    }
    brz_buf_finish(&b);
}

static void the_number_of_nodes_has_a_limit(void **state)
{
    (void)state;
    assert_parses(repeat("", "- x\n", BRZ_YAML_MAX_NODES - 1, ""), true, "");
    assert_parses(repeat("", "- x\n", BRZ_YAML_MAX_NODES, ""), false, "too many nodes");
}

static void nodes_multiplied_by_aliases_count(void **state)
{
    (void)state;
    char laughs[600];
    int n = snprintf(laughs, sizeof laughs, "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n");
    for (int i = 1; i < 10; i++)
        n += snprintf(laughs + n, sizeof laughs - (size_t)n,
                      "a%d: &a%d [*a%d,*a%d,*a%d,*a%d,*a%d]\n", i, i, i - 1, i - 1, i - 1, i - 1,
                      i - 1);
    ear e;
    ear_open(&e);
    assert_null(brz_yaml_parse(laughs, (size_t)n, "a.yaml", &e.console));
    assert_contains(ear_heard(&e), "too many nodes");
    ear_close(&e);
    assert_parses(repeat("- &a [x, x, x]\n", "- *a\n", 4000, ""), true, "");
    assert_parses(repeat("- &a [x, x, x]\n", "- *a\n", 5000, ""), false, "too many nodes");
}

static void an_alias_is_a_copy_of_its_own(void **state)
{
    (void)state;
    ear e;
    ear_open(&e);
    brz_yaml_file *f = parse("a: &x {k: 1}\nb: *x\n", &e), *g = parse("b: {l: 2}\n", &e);
    brz_yaml *root = brz_yaml_merge(f->root, g->root);
    assert_tree(root, "{a: {k: 1}, b: {k: 1, l: 2}}");
    brz_yaml_destroy(f);
    brz_yaml_destroy(g);
    ear_close(&e);
}

/* ---- accessors ----------------------------------------------------------------------------- */

static void values_are_found_by_their_keys(void **state)
{
    (void)state;
    ear e;
    ear_open(&e);
    brz_yaml_file *f = parse("one: 1\n\ntwo:\n  three: [x]\n", &e);
    const brz_yaml *two = brz_yaml_get(f->root, "two"), *three = brz_yaml_get(two, "three");
    assert_int_equal(three->type, BRZ_YAML_LIST);
    assert_int_equal(three->line, 4);
    assert_int_equal(three->column, 10);
    assert_int_equal(three->key->line, 4);
    assert_int_equal(three->key->column, 3);
    assert_ptr_equal(three->file, f);
    assert_true(brz_yaml_is(brz_yaml_get(f->root, "one"), "1"));
    assert_false(brz_yaml_is(brz_yaml_get(f->root, "one"), "11"));
    assert_false(brz_yaml_is(two, "two"));
    assert_true(brz_yaml_is(two->key, "two"));
    assert_false(brz_yaml_is(NULL, ""));
    assert_null(brz_yaml_get(f->root, "thre"));
    assert_null(brz_yaml_get(three, "x"));
    assert_null(brz_yaml_get(NULL, "x"));
    brz_yaml_destroy(f);
    ear_close(&e);
}

static void nearer_files_win_key_by_key(void **state)
{
    (void)state;
    static const struct {
        const char *nearer, *farther, *merged;
    } cases[] = {
        {"a: 1", "a: 2\nb: 3", "{a: 1, b: 3}"},
        {"a: {x: 1}", "a: {x: 2, y: {z: 3}}", "{a: {x: 1, y: {z: 3}}}"},
        {"a: [1]", "a: [2, 3]", "{a: [1]}"},
        {"a: 1", "a: {x: 2}", "{a: 1}"},
        {"a: {x: 2}", "a: 1", "{a: {x: 2}}"},
        {"a: ~", "a: 1", "{a: ~~}"},
        {"a:\nb: 1", "a: {x: 2}\nc: 3", "{a: {x: 2}, b: 1, c: 3}"},
        {"a: {b: ~}", "a: {b: {c: 1}}", "{a: {b: {c: 1}}}"},
        {"a: ''", "a: {x: 2}", "{a: }"},
        {"", "a: 1", "{a: 1}"},
        {"a: 1", "", "{a: 1}"},
        {"", "", ""},
        {"a: {b: {c: {d: 1}}}", "a: {b: {c: {e: 2}, f: 3}, g: 4}\nh: 5",
         "{a: {b: {c: {d: 1, e: 2}, f: 3}, g: 4}, h: 5}"},
    };
    ear e;
    ear_open(&e);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        brz_yaml_file *near = parse(cases[i].nearer, &e), *far = parse(cases[i].farther, &e);
        assert_tree(brz_yaml_merge(near->root, far->root), cases[i].merged);
        brz_yaml_destroy(near);
        brz_yaml_destroy(far);
    }
    ear_close(&e);
}

static void a_value_remembers_the_one_that_it_replaced(void **state)
{
    (void)state;
    ear e;
    ear_open(&e);
    brz_yaml_file *first = parse("a: {b: 1, c: 2}", &e), *second = parse("a: {b: 3}", &e);
    brz_yaml_file *third = parse("a: {b: 4, c: 5}", &e);
    brz_yaml *root = brz_yaml_merge(brz_yaml_merge(first->root, second->root), third->root);
    const brz_yaml *b = brz_yaml_get(brz_yaml_get(root, "a"), "b");
    const brz_yaml *c = brz_yaml_get(brz_yaml_get(root, "a"), "c");
    assert_true(brz_yaml_is(b, "1"));
    assert_true(brz_yaml_is(b->farther, "3"));
    assert_ptr_equal(b->farther->file, second);
    assert_true(brz_yaml_is(c, "2"));
    assert_true(brz_yaml_is(c->farther, "5"));
    assert_null(c->farther->farther);
    brz_yaml_destroy(first);
    brz_yaml_destroy(second);
    brz_yaml_destroy(third);
    ear_close(&e);
}

static void a_message_shows_its_node(void **state)
{
    (void)state;
    ear e;
    ear_open(&e);
    brz_yaml_file *f = parse("key: value\nmap: {a: b}\n", &e);
    brz_yaml_say(&e.console, BRZ_WARNING, f->root->first, "%s %d", "number", 7);
    assert_string_equal(ear_heard(&e),
                        "a.yaml:1:6: warning: number 7\n    key: value\n         ^~~~~\n");
    ear_forget(&e);
    brz_yaml_say(&e.console, BRZ_FATAL, brz_yaml_get(f->root, "map"), "bad");
    assert_string_equal(ear_heard(&e), "a.yaml:2:6: error: bad\n    map: {a: b}\n         ^\n");
    brz_yaml_destroy(f);
    ear_close(&e);
}

static void a_message_that_nobody_hears_is_reported_later(void **state)
{
    (void)state;
    ear e;
    brz_console deaf = {.out = NULL};
    ear_open(&e);
    brz_yaml_file *f = parse("key: value\n", &e);
    brz_yaml_say(&deaf, BRZ_FATAL, f->root->first, "bad");
    for (size_t i = 0; i < 2; i++) {
        brz_yaml_say(&e.console, BRZ_FATAL, f->root->first, "bad");
        assert_string_equal(ear_heard(&e), i == 0 ? "a.yaml:1:6: error: bad\n    key: value\n"
                                                    "         ^~~~~\n"
                                                  : "");
        ear_forget(&e);
    }
    brz_yaml_destroy(f);
    ear_close(&e);
}

static void a_value_remembers_all_that_it_replaced(void **state)
{
    (void)state;
    ear e;
    ear_open(&e);
    brz_yaml_file *files[] = {parse("a: 1\n", &e), parse("a: 2\n", &e), parse("a: 3\n", &e)};
    brz_yaml *root = brz_yaml_merge(brz_yaml_merge(files[0]->root, files[1]->root), files[2]->root);
    const brz_yaml *a = brz_yaml_get(root, "a");
    assert_true(brz_yaml_is(a, "1"));
    assert_true(brz_yaml_is(a->farther, "2"));
    assert_true(brz_yaml_is(a->farther->farther, "3"));
    for (size_t i = 0; i < 3; i++)
        brz_yaml_destroy(files[i]);
    ear_close(&e);
}

static void only_the_part_of_a_long_line_around_the_error_is_shown(void **state)
{
    (void)state;
    ear e;
    ear_open(&e);
    char *text = repeat("a: [", "word, ", 100, "*x]\n");
    assert_null(parse(text, &e));
    const char *excerpt = strchr(ear_heard(&e), '\n') + 1, *caret = strchr(excerpt, '\n') + 1;
    assert_true(caret - excerpt < 180);
    assert_int_equal(excerpt[strcspn(caret, "^")], '*');
    free(text);
    ear_close(&e);
}

/* ---- files --------------------------------------------------------------------------------- */

static void a_file_is_read_or_an_error_reported(void **state)
{
    (void)state;
    ear e;
    ear_open(&e);
    char *folder = folder_make(), *path = path_in(folder, "c.yaml");
    assert_null(brz_yaml_read(path, &e.console));
    assert_contains(ear_heard(&e), "error: cannot open '");
    ear_forget(&e);
    assert_null(brz_yaml_read(folder, &e.console));
    assert_contains(ear_heard(&e), "error: cannot read '");
    ear_forget(&e);
    file_write_text(path, "a: b\n");
    brz_yaml_file *f = brz_yaml_read(path, &e.console);
    assert_tree(f->root, "{a: b}");
    assert_string_equal(f->name, path);
    brz_yaml_destroy(f);
    free(path);
    folder_remove(folder);
    ear_close(&e);
}

static void a_file_too_large_is_refused(void **state)
{
    (void)state;
    ear e;
    ear_open(&e);
    char *folder = folder_make(), *path = path_in(folder, "c.yaml");
    char *text = repeat("", " ", BRZ_YAML_MAX_SIZE + 1, "");
    file_write(path, text, BRZ_YAML_MAX_SIZE);
    brz_yaml_file *f = brz_yaml_read(path, &e.console);
    assert_non_null(f);
    assert_null(f->root);
    brz_yaml_destroy(f);
    file_write(path, text, BRZ_YAML_MAX_SIZE + 1);
    assert_null(brz_yaml_read(path, &e.console));
    assert_contains(ear_heard(&e), "is too large for a configuration");
    free(text);
    free(path);
    folder_remove(folder);
    ear_close(&e);
}

/* Any prefix of a file gives a tree or a message. */
static void every_beginning_of_a_file_is_read_or_refused(void **state)
{
    (void)state;
    static const char text[] = "version: 1\npalettes: &p\n  ours: {use: rules, options: {rules: "
                               "[{match: '^x', color: \"#fff\"}]}}\nother: *p\n";
    for (size_t n = 0; n < sizeof text; n++) {
        ear e;
        ear_open(&e);
        char *exact = exact_copy(text, n);
        brz_yaml_file *f = brz_yaml_parse(exact, n, "a.yaml", &e.console);
        assert_int_equal(f == NULL, e.console.errors == 1);
        brz_yaml_destroy(f);
        free(exact);
        ear_close(&e);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(errors_have_a_position),
        cmocka_unit_test(depth_has_a_limit),
        cmocka_unit_test(the_number_of_nodes_has_a_limit),
        cmocka_unit_test(nodes_multiplied_by_aliases_count),
        cmocka_unit_test(an_alias_is_a_copy_of_its_own),
        cmocka_unit_test(values_are_found_by_their_keys),
        cmocka_unit_test(nearer_files_win_key_by_key),
        cmocka_unit_test(a_value_remembers_the_one_that_it_replaced),
        cmocka_unit_test(a_message_shows_its_node),
        cmocka_unit_test(a_message_that_nobody_hears_is_reported_later),
        cmocka_unit_test(a_value_remembers_all_that_it_replaced),
        cmocka_unit_test(only_the_part_of_a_long_line_around_the_error_is_shown),
        cmocka_unit_test(a_file_is_read_or_an_error_reported),
        cmocka_unit_test(a_file_too_large_is_refused),
        cmocka_unit_test(every_beginning_of_a_file_is_read_or_refused),
    };
    return cmocka_run_group_tests_name("yaml_tree", tests, NULL, NULL);
}
