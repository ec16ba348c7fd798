/* SPDX-License-Identifier: MIT */
/* Fuzzes the reader of YAML files.
 *
 * An accepted file is a tree with correct counts and positions, and any of its nodes can be
 * reported; merging it with itself does not change it. A rejected file causes a message.
 */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/yaml_tree.h"

static brz_yaml_file *parse(const uint8_t *data, size_t size, brz_console *console)
{
    size_t before = atomic_load(&console->errors);
    brz_yaml_file *f = brz_yaml_parse((const char *)data, size, "input.yaml", console);
    size_t said = atomic_load(&console->errors) - before;
    FUZZ_REQUIRE((f == NULL) == (said > 0), "%s, %zu messages", f == NULL ? "refused" : "accepted",
                 said);
    return f;
}

static void add_scalar(const brz_yaml *n, brz_buf *b)
{
    FUZZ_REQUIRE(n->text.data[n->text.len] == '\0', "a text that does not end");
    FUZZ_REQUIRE(n->first == NULL && n->n_children == 0, "a scalar with children");
    brz_buf_printf(b, "%c", n->is_null ? '~' : '\'');
    brz_buf_add_str(b, n->text);
}

/* Appends a text that is unique to the tree, and checks all its nodes. */
static void add_tree(const brz_yaml *n, brz_console *console, brz_buf *b)
{
    size_t children = 0;
    FUZZ_REQUIRE(n->line > 0 && n->column > 0, "no place");
    brz_yaml_say(console, BRZ_NOTE, n, "here");
    if (n->type == BRZ_YAML_SCALAR) {
        add_scalar(n, b);
        return;
    }
    brz_buf_add_char(b, n->type == BRZ_YAML_MAP ? '{' : '[');
    for (const brz_yaml *k = n->first; k != NULL; k = k->next, children++) {
        FUZZ_REQUIRE((k->key != NULL) == (n->type == BRZ_YAML_MAP), "keys are for maps");
        if (k->key != NULL)
            add_scalar(k->key, b);
        brz_buf_add_char(b, ':');
        add_tree(k, console, b);
    }
    brz_buf_add_char(b, n->type == BRZ_YAML_MAP ? '}' : ']');
    FUZZ_REQUIRE(children == n->n_children, "%zu children, counted as %zu", children,
                 n->n_children);
}

static void check_merged_with_itself(const brz_yaml_file *f, brz_yaml_file *twin,
                                     brz_console *console)
{
    brz_buf before = {0}, after = {0};
    add_tree(f->root, console, &before);
    brz_yaml *merged = brz_yaml_merge(twin->root, f->root);
    FUZZ_REQUIRE(merged != NULL, "merging lost everything");
    add_tree(merged, console, &after);
    FUZZ_REQUIRE(strcmp(brz_buf_text(&before), brz_buf_text(&after)) == 0,
                 "merged with itself, it is something else");
    brz_buf_finish(&before);
    brz_buf_finish(&after);
}

/* Merges the first half, as the nearer file, with the second one. */
static void merge_halves(const uint8_t *data, size_t size, brz_console *console)
{
    brz_buf b = {0};
    brz_yaml_file *nearer = parse(data, size / 2, console);
    brz_yaml_file *farther = parse(data + size / 2, size - size / 2, console);
    brz_yaml *merged = brz_yaml_merge(nearer == NULL ? NULL : nearer->root,
                                      farther == NULL ? NULL : farther->root);
    if (merged != NULL)
        add_tree(merged, console, &b);
    brz_buf_finish(&b);
    brz_yaml_destroy(nearer);
    brz_yaml_destroy(farther);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *said = NULL;
    size_t n_said;
    brz_console console = {.out = open_memstream(&said, &n_said)};
    brz_yaml_file *f = parse(data, size, &console);
    brz_yaml_file *twin = f == NULL ? NULL : parse(data, size, &console);
    if (f != NULL && f->root != NULL)
        check_merged_with_itself(f, twin, &console);
    merge_halves(data, size, &console);
    brz_yaml_destroy(f);
    brz_yaml_destroy(twin);
    fclose(console.out);
    free(said);
    return 0;
}

bool fuzz_variant(unsigned i, fuzz_settings *s)
{
    (void)i;
    (void)s;
    return false;
}
