/* SPDX-License-Identifier: MIT */
/* Tests descriptions of plug-ins, whose bytes come from a process that has run foreign code. */
#include "unit.h"

#include "base/mem.h"
#include "isolate/description.h"

#include <brazier/symbol.h>

#include <stdlib.h>

/* ---- a plug-in ------------------------------------------------------------------------------- */

struct config {
    int64_t number;
    int32_t choice;
};

static const char *const choices[] = {"one", "two", NULL};

static const brz_option options[] = {
    BRZ_OPTION(struct config, "number", INT, number, "7", "a number", .range = "1..9"),
    BRZ_OPTION(struct config, "choice", ENUM, choice, "two", "a choice", .choices = choices),
};

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    (void)ctx;
    *used = chunk->len;
    return BRZ_OK;
}

static brz_rc write_output(brz_output_ctx *ctx, const brz_tree *tree, brz_sink *sink)
{
    (void)ctx;
    (void)tree;
    (void)sink;
    return BRZ_OK;
}

static const char *const endings[] = {"zoo", "zoo.txt", NULL};
static const brz_collapser collapser = {
    .struct_size = sizeof collapser, .flags = BRZ_BINARY, .parse = parse};
static const brz_output output = {
    .struct_size = sizeof output, .endings = endings, .write = write_output};
static const brz_component first = {.struct_size = sizeof first,
                                    .kind = BRZ_COLLAPSER,
                                    .id = "zoo",
                                    .summary = "an animal",
                                    .help = "Two\nlines.",
                                    .vtable = &collapser,
                                    BRZ_OPTIONS(options, struct config)};
static const brz_component second = {.struct_size = sizeof second,
                                     .kind = BRZ_OUTPUT,
                                     .id = "zoo",
                                     .summary = "an animal",
                                     .vtable = &output};
static const brz_component *const components[] = {&first, &second, NULL};
static const brz_plugin plugin = {.magic = BRZ_PLUGIN_MAGIC,
                                  .struct_size = sizeof plugin,
                                  .name = "zoo",
                                  .version = "1.0",
                                  .license = "MIT",
                                  .bugs_url = "https://example.org",
                                  .components = components,
                                  .sdk_version = BRZ_SDK_VERSION};

/* ---- the wire -------------------------------------------------------------------------------- */

typedef struct out {
    brz_wire_out out; /* must be first */
    brz_buf bytes;
} out;

static void keep(brz_wire_out *w, const void *data, size_t n)
{
    brz_buf_add(&((out *)w)->bytes, data, n);
}

typedef struct in {
    brz_wire_in in; /* must be first */
    brz_str rest;
} in;

static size_t give(brz_wire_in *w, void *to, size_t n)
{
    in *i = (in *)w;
    n = n < i->rest.len ? n : i->rest.len;
    if (n > 0)
        memcpy(to, i->rest.data, n);
    i->rest = brz_str_of(i->rest.data + n, i->rest.len - n);
    return n;
}

/* Returns the description of the plug-in as bytes. */
static brz_buf describe(void)
{
    brz_arena memory = {0};
    brz_buf error = {0};
    brz_plugin_file file = {.path = "/zoo.so"};
    out *w = brz_calloc(1, sizeof *w);
    w->out.write = keep;
    assert_true(brz_plugin_accept_description(&file, &plugin, &memory, &error));
    brz_description_put(&w->out, &file);
    brz_wire_flush(&w->out);
    brz_buf bytes = w->bytes;
    free(w);
    brz_buf_finish(&error);
    brz_arena_finish(&memory);
    return bytes;
}

/* Reads a description. Returns whether it is valid, and in *file the components if so. */
static bool read_description(brz_str bytes, brz_arena *memory, brz_plugin_file *file)
{
    brz_buf error = {0};
    in *w = brz_calloc(1, sizeof *w);
    w->in.read = give;
    w->in.left = bytes.len;
    w->rest = bytes;
    *file = (brz_plugin_file){.path = "/zoo.so"};
    const char *left_out = NULL;
    const brz_plugin *entry = brz_description_take(&w->in, memory, &left_out);
    bool good = entry != NULL && brz_plugin_accept_description(file, entry, memory, &error);
    assert_true(good || w->in.fault != NULL || error.len > 0);
    brz_buf_finish(&error);
    free(w);
    return good;
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void a_description_has_everything_that_lists_show(void **state)
{
    (void)state;
    brz_arena memory = {0};
    brz_plugin_file file;
    brz_buf bytes = describe();
    assert_true(read_description(brz_buf_str(&bytes), &memory, &file));
    assert_true(file.is_described);
    assert_int_equal(file.n_components, 2);
    const brz_loaded *a = &file.components[0], *b = &file.components[1];
    assert_string_equal(a->plugin, "zoo");
    assert_string_equal(a->component->help, "Two\nlines.");
    assert_int_equal(a->component->n_options, 2);
    assert_int_equal(a->component->cfg_size, sizeof(struct config));
    assert_string_equal(a->component->options[1].choices[1], "two");
    assert_int_equal(((const brz_collapser *)a->vtable)->flags, BRZ_BINARY);
    assert_false(brz_collapser_recognises(a->vtable));
    assert_string_equal(((const brz_output *)b->vtable)->endings[1], "zoo.txt");
    brz_buf_finish(&bytes);
    brz_arena_finish(&memory);
}

static void functions_of_the_plugin_are_absent(void **state)
{
    (void)state;
    brz_arena memory = {0};
    brz_plugin_file file;
    brz_buf bytes = describe();
    assert_true(read_description(brz_buf_str(&bytes), &memory, &file));
    const brz_collapser *c = file.components[0].vtable;
    assert_true(c->parse != parse);
    assert_int_equal(c->parse(NULL, &(brz_chunk){.len = 1}, &(size_t){0}), BRZ_ERROR);
    brz_buf_finish(&bytes);
    brz_arena_finish(&memory);
}

static void a_description_that_is_cut_off_is_refused(void **state)
{
    (void)state;
    brz_buf bytes = describe();
    for (size_t n = 0; n < bytes.len; n++) {
        brz_arena memory = {0};
        brz_plugin_file file;
        assert_false(read_description(brz_str_of(bytes.data, n), &memory, &file));
        brz_arena_finish(&memory);
    }
    brz_buf_finish(&bytes);
}

static void damaged_bytes_do_no_harm(void **state)
{
    (void)state;
    static const uint8_t values[] = {0, 1, 0x1b, 0x7f, 0xff};
    brz_buf bytes = describe();
    for (size_t i = 0; i < bytes.len * sizeof values; i++) {
        brz_arena memory = {0};
        brz_plugin_file file;
        char *at = bytes.data + i / sizeof values, before = *at;
        *at = (char)values[i % sizeof values];
        read_description(brz_buf_str(&bytes), &memory, &file);
        *at = before;
        brz_arena_finish(&memory);
    }
    brz_buf_finish(&bytes);
}

/* Replaces the beginning of a text of the description. Returns whether that is still valid. */
static bool is_valid_with(const char *text)
{
    brz_arena memory = {0};
    brz_plugin_file file;
    brz_buf bytes = describe();
    size_t at = brz_str_find(brz_buf_str(&bytes), BRZ_STR("an animal"), 0);
    assert_true(at != SIZE_MAX);
    memcpy(bytes.data + at, text, strlen(text));
    bool good = read_description(brz_buf_str(&bytes), &memory, &file);
    brz_arena_finish(&memory);
    brz_buf_finish(&bytes);
    return good;
}

static void texts_that_control_a_terminal_are_refused(void **state)
{
    (void)state;
    assert_true(is_valid_with("zoo"));
    assert_true(is_valid_with("\xc2\xa0"));
    assert_false(is_valid_with("\x1b["));
    assert_false(is_valid_with("\xc2\x9b")); /* the same, of two bytes */
    assert_false(is_valid_with("\x9b"));
    assert_false(is_valid_with("\xe4")); /* not UTF-8 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_description_has_everything_that_lists_show),
        cmocka_unit_test(functions_of_the_plugin_are_absent),
        cmocka_unit_test(a_description_that_is_cut_off_is_refused),
        cmocka_unit_test(damaged_bytes_do_no_harm),
        cmocka_unit_test(texts_that_control_a_terminal_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
