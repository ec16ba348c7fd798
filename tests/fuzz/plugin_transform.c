/* SPDX-License-Identifier: MIT */
/* A fuzz target around a transform of a plug-in: its objects are linked in. Its options, a file
 * that an option names, and the profile come from the input.
 *
 *     input := text empty-line profile           (the profile as profile.h has it)
 *
 * The text is the content of each file, and each of its lines a value of each list. The settings
 * choose another option. The result is sound, does not depend on the number of threads, and values
 * stay with their stacks; or the transform fails with a message.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "host/plugin_transform.h"
#include "plugin/component_copy.h"
#include "profile.h"
#include "profile/transform.h"

/* The plug-in's. */
extern const brz_plugin BRZ_PLUGIN_ENTRY;

static brz_console console; /* silent */

/* ---- the component ------------------------------------------------------------------------- */

/* Returns the transform as the loader would; made once. */
static const brz_loaded *load_transform(void)
{
    static brz_loaded loaded;
    static brz_arena memory;
    brz_buf error = {0};
    if (loaded.component != NULL)
        return &loaded;
    bool good = brz_component_copy(BRZ_PLUGIN_ENTRY.components[0], &memory, &loaded, &error);
    FUZZ_REQUIRE(good, "%s", brz_buf_text(&error));
    loaded.plugin = BRZ_PLUGIN_ENTRY.name;
    loaded.version = BRZ_PLUGIN_ENTRY.version;
    loaded.bugs_url = BRZ_PLUGIN_ENTRY.bugs_url;
    loaded.path = "";
    return &loaded;
}

static void set(brz_options *options, const brz_option *o, brz_str value)
{
    brz_buf ignored = {0};
    brz_options_set(options, o, value, BRZ_LAYER_COMMAND_LINE, BRZ_STR("input"), &ignored);
    brz_buf_finish(&ignored);
}

static void add_lines(brz_options *options, const brz_option *o, brz_str text)
{
    while (text.len > 0) {
        const char *newline = memchr(text.data, '\n', text.len);
        size_t n = newline == NULL ? text.len : (size_t)(newline - text.data);
        set(options, o, brz_str_of(text.data, n));
        text = brz_str_from(text, newline == NULL ? n : n + 1);
    }
}

/* Makes the options: names a file in each that takes one, and adds the lines to each list. */
static brz_options *make_options(const fuzz_settings *s, brz_str text)
{
    const brz_component *c = load_transform()->component;
    brz_options *options = fuzz_make_options(c, s);
    for (uint32_t i = 0; i < c->n_options; i++) {
        const brz_option *o = brz_option_at(c, i);
        if (o->flags & BRZ_OPTION_PATH)
            set(options, o, BRZ_STR("/file"));
        else if (o->type == BRZ_OPTION_LIST)
            add_lines(options, o, text);
    }
    return options;
}

/* Returns the text as a file. */
static brz_related_found find_text(void *context, brz_str name, uint32_t flags)
{
    const brz_str *text = context;
    brz_related_found found = {.status = BRZ_RELATED_REFUSED, .fd = memfd_create("text", 0)};
    (void)name;
    (void)flags;
    if (found.fd < 0 || write(found.fd, text->data, text->len) != (ssize_t)text->len)
        return found;
    found.status = BRZ_RELATED_OPENED;
    found.size = text->len;
    brz_buf_add_text(&found.path, "/file");
    return found;
}

/* ---- properties ---------------------------------------------------------------------------- */

/* Applies the transform to a profile of the input. Returns NULL if it fails, with a message. */
static brz_profile *transformed(const fuzz_settings *s, brz_str text, brz_str profile,
                                unsigned threads)
{
    brz_run run = {.console = &console};
    brz_use use = {load_transform(), make_options(s, text)};
    brz_related *related = brz_related_create(find_text, &text, &console);
    const brz_transforming how = {.run = &run, .threads = threads, .related = related};
    brz_profile *p = fuzz_profile_read(profile.data, profile.len);
    size_t errors = console.errors;
    bool good = brz_plugin_transform(&how, &use, p);
    FUZZ_REQUIRE(good || console.errors > errors, "failed without a message");
    brz_related_destroy(related);
    brz_options_destroy(use.options);
    if (good)
        return p;
    brz_profile_destroy(p);
    return NULL;
}

/* Returns whether two results are equal: the names of each stack, in their order. */
static bool are_equal(const brz_profile *a, const brz_profile *b)
{
    if (a->n_stacks != b->n_stacks)
        return false;
    for (size_t s = 0; s < a->n_stacks; s++) {
        const brz_profile_stack *x = &a->stacks[s], *y = &b->stacks[s];
        if (x->n != y->n || (x->frames == NULL) != (y->frames == NULL))
            return false;
        for (uint32_t i = 0; i < x->n && x->frames != NULL; i++)
            if (!brz_str_equal(brz_profile_frame_info(a, x->frames[i]).name,
                               brz_profile_frame_info(b, y->frames[i]).name))
                return false;
    }
    return true;
}

static void check_values(const brz_profile *p, brz_str profile)
{
    brz_profile *before = fuzz_profile_read(profile.data, profile.len);
    for (uint32_t w = 0; w < p->n_weights; w++)
        for (size_t s = 0; s < p->n_stacks; s++)
            FUZZ_REQUIRE(brz_profile_value(p, (brz_stack)s, w) ==
                             brz_profile_value(before, (brz_stack)s, w),
                         "a stack has another value");
    brz_profile_destroy(before);
}

static void check_results(const fuzz_settings *s, brz_str text, brz_str profile)
{
    brz_profile *one = transformed(s, text, profile, 1), *two = transformed(s, text, profile, 3);
    FUZZ_REQUIRE((one == NULL) == (two == NULL), "fails with some numbers of threads");
    if (one != NULL) {
        FUZZ_REQUIRE(are_equal(one, two), "the result depends on the number of threads");
        check_values(one, profile);
    }
    brz_profile_destroy(one);
    brz_profile_destroy(two);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_settings s = fuzz_take_settings(data, &size);
    brz_str input = brz_str_of((const char *)data, size);
    const char *empty = memmem(input.data, input.len, "\n\n", 2);
    size_t n = empty == NULL ? 0 : (size_t)(empty - input.data) + 1;
    console.verbosity = -1;
    check_results(&s, brz_str_of(input.data, n), brz_str_from(input, n));
    return 0;
}

/* Every option. */
bool fuzz_variant(unsigned i, fuzz_settings *s)
{
    unsigned options = load_transform()->component->n_options + 1;
    s->option = (uint8_t)(i % options);
    s->value = (uint8_t)(i / options);
    return i < 4 * options;
}
