/* SPDX-License-Identifier: MIT */
/* Fuzzes a collapser: joins the plug-in and the host's code between the input and the finished
 * profile.
 *
 * Each input is collapsed as one chunk and in the way that its settings select: from a file or a
 * pipe, in small chunks, by several threads, with the same options. Checked properties:
 * - both ways give the same stacks, weights, and messages with the same positions, and both succeed
 *   or both fail;
 * - the collapser keeps its contract with the host;
 * - its sniffer returns a valid score, and the same score twice;
 * - the weights of the stacks, of the profile and of the root of the call tree agree.
 *
 * A shipped format is a target, too: the collapser that it uses, with its options.
 */
#include "collapser.h"
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/yaml_tree.h"
#include "plugin/component_copy.h"
#include "collapse/collapse.h"
#include "input/feed.h"
#include "profile/call_tree.h"

/* ---- settings ------------------------------------------------------------------------------ */

enum { FROM_FILE, FROM_PIPE, N_ROUTES };

static const size_t sizes[] = {1, 2, 3, 7, 16, 61, 64, 100, 333, 1024, 4096};
static const unsigned threads[] = {1, 1, 3, 2};

#define N_SIZES (sizeof sizes / sizeof sizes[0])
#define N_WAYS  ((unsigned)(N_ROUTES * sizeof threads / sizeof threads[0]))

/* Parameters of a run. */
typedef struct way {
    int route;
    brz_collapse_options collapse;
} way;

static way way_of(const fuzz_settings *s)
{
    way w = {.route = s->way % N_ROUTES};
    w.collapse.threads = threads[s->way / N_ROUTES % 4];
    w.collapse.chunk_size = sizes[s->size % N_SIZES];
    if (w.collapse.threads > 1)
        w.collapse.range_size = sizes[s->size / N_SIZES % N_SIZES];
    return w;
}

/* ---- component ----------------------------------------------------------------------------- */

static const brz_component *find_component(void)
{
    const fuzz_collapser *wanted = fuzz_the_collapser();
    for (const brz_component *const *c = wanted->plugin->components; *c != NULL; c++)
        if ((*c)->kind == BRZ_COLLAPSER && strcmp((*c)->id, wanted->id) == 0)
            return *c;
    fuzz_finding(__FILE__, __LINE__, "the plug-in has no collapser '%s'", wanted->id);
}

/* Returns the component as the loader would create it; created once. */
static const brz_loaded *load(void)
{
    static brz_loaded loaded;
    static brz_arena memory;
    brz_buf error = {0};
    if (loaded.component != NULL)
        return &loaded;
    bool good = brz_component_copy(find_component(), &memory, &loaded, &error);
    FUZZ_REQUIRE(good, "%s", brz_buf_text(&error));
    const brz_plugin *plugin = fuzz_the_collapser()->plugin;
    loaded.plugin = plugin->name;
    loaded.version = plugin->version;
    loaded.bugs_url = plugin->bugs_url;
    loaded.path = "";
    return &loaded;
}

/* ---- options ------------------------------------------------------------------------------- */

static void set_option(brz_options *o, const char *name, brz_str value)
{
    brz_buf error = {0};
    const brz_option *option = brz_option_find(o->component, brz_str_of_text(name), &error);
    FUZZ_REQUIRE(option != NULL &&
                     brz_options_set(o, option, value, BRZ_LAYER_FORMAT, BRZ_STR(""), &error),
                 "%s", brz_buf_text(&error));
}

/* Sets the option `name` to the value of a node, or to each of its items. The items of a map are
 * options whose names begin with that. */
static void set_node(brz_options *o, const char *name, const brz_yaml *node)
{
    char longer[128];
    if (node->type == BRZ_YAML_SCALAR)
        set_option(o, name, node->text);
    for (const brz_yaml *i = node->first; i != NULL; i = i->next) {
        bool is_map = node->type == BRZ_YAML_MAP;
        snprintf(longer, sizeof longer, "%s-%s", name, is_map ? i->key->text.data : "");
        FUZZ_REQUIRE(i->type == BRZ_YAML_SCALAR, "%s is nested too deeply", name);
        set_option(o, is_map ? longer : name, i->text);
    }
}

/* Sets the options of the shipped format, except for one of the settings. */
static void set_format(brz_options *o)
{
    static brz_yaml_file *file;
    static brz_console console;
    const char *format = fuzz_the_collapser()->format;
    console.out = stderr;
    if (format[0] == '\0')
        return;
    if (file == NULL)
        file = brz_yaml_read(format, &console);
    FUZZ_REQUIRE(file != NULL && file->root != NULL, "%s cannot be read", format);
    const brz_yaml *options = brz_yaml_get(file->root, "options");
    for (const brz_yaml *i = options->first; i != NULL; i = i->next)
        set_node(o, i->key->text.data, i);
}

/* ---- one run ------------------------------------------------------------------------------- */

/* The result of a run. */
typedef struct outcome {
    bool good;
    bool saturated; /* sums depend on the order of additions then */
    brz_buf stacks;
    char *said;
} outcome;

static void outcome_finish(outcome *o)
{
    brz_buf_finish(&o->stacks);
    free(o->said);
}

static void add_stack(const brz_tree *t, const brz_stack_info *s, brz_buf *b)
{
    for (uint32_t i = 0; i < s->n; i++) {
        const brz_frame_info *f = brz_frame_at(t, s->frames[i]);
        brz_buf_add_str(b, f->name);
        brz_buf_add_char(b, '\t');
        brz_buf_add_str(b, f->module);
        brz_buf_add_char(b, '\t');
        brz_buf_add_str(b, f->file);
        brz_buf_printf(b, ":%u %u\n", f->line, f->kind);
    }
    for (uint32_t w = 0; w < t->n_columns; w++)
        brz_buf_printf(b, " %lld", (long long)s->values[w]);
    brz_buf_add_char(b, '\n');
}

static void add_profile(const brz_tree *t, brz_buf *b)
{
    for (uint32_t w = 0; w < t->n_columns; w++) {
        const brz_column_info *info = brz_column_at(t, w);
        brz_buf_add_str(b, info->name);
        brz_buf_add_char(b, '/');
        brz_buf_add_str(b, info->unit);
        brz_buf_printf(b, " %u\n", info->decimals);
    }
    for (uint32_t i = 0; i < t->n_stacks; i++)
        add_stack(t, brz_stack_at(t, i), b);
}

/* Checks that the profile and the call tree have the same sums. */
static void check_sums(const brz_profile *p, const brz_tree *t)
{
    bool saturated = false;
    for (uint32_t w = 0; w < p->n_weights; w++) {
        int64_t sum = 0, seen = 0;
        for (size_t i = 0; i < p->n_stacks; i++)
            sum = brz_add_saturated(sum, brz_profile_value(p, (brz_stack)i, w), &saturated);
        for (uint32_t i = 0; i < t->n_stacks; i++)
            seen = brz_add_saturated(seen, brz_stack_at(t, i)->values[w], &saturated);
        FUZZ_REQUIRE(saturated || sum == seen, "column %u: %lld became %lld", w, (long long)sum,
                     (long long)seen);
        FUZZ_REQUIRE(saturated || sum == brz_column_at(t, w)->total, "column %u: its total is off",
                     w);
        FUZZ_REQUIRE(saturated || w != t->main_column || sum == brz_node_at(t, 0)->total,
                     "the root weighs something else");
    }
}

static void look_at_profile(brz_profile *p, outcome *o)
{
    brz_call_tree view;
    if (p == NULL || p->n_stacks == 0)
        return;
    brz_call_tree_options options = {
        .before = BRZ_NO_COLUMN, .after = BRZ_NO_COLUMN, .nodes = true};
    o->saturated = p->saturated;
    o->saturated |= brz_call_tree_init(&view, p, &options);
    add_profile(&view.tree, &o->stacks);
    if (!o->saturated)
        check_sums(p, &view.tree);
    brz_call_tree_finish(&view);
}

/* Compares reports without the text around their positions, of which small chunks contain less. */
static void look_at_reports(brz_notices *reports, brz_console *console, outcome *o)
{
    brz_notices_sort(reports);
    for (size_t i = 0; i < reports->n; i++) {
        brz_notice *n = &reports->items[i];
        bool breach = n->code != NULL && strcmp(n->code, "host.contract") == 0;
        FUZZ_REQUIRE(!breach, "%.*s", (int)n->msg.len, n->msg.data);
        o->saturated |= n->code != NULL && strcmp(n->code, BRZ_SATURATED) == 0;
        n->excerpt.len = 0;
    }
    brz_say_notices(console, reports);
}

static brz_decoding decoding_of(const brz_loaded *loaded)
{
    return brz_decoding_of(((const brz_collapser *)loaded->vtable)->flags);
}

/* Collapses standard input. */
static outcome collapse_stdin(const brz_loaded *loaded, const void *cfg,
                              const brz_collapse_options *options)
{
    outcome o = {0};
    brz_feed feed;
    brz_buf error = {0};
    brz_console console = {.verbosity = 1};
    brz_collected collected = {0};
    size_t said;
    console.out = open_memstream(&o.said, &said);
    brz_run run = {.console = &console};
    brz_source *source = brz_source_open("-", decoding_of(loaded), &error);
    FUZZ_REQUIRE(source != NULL, "%s", brz_buf_text(&error));
    brz_feed_init(&feed, source);
    o.good = brz_collapse(&feed, loaded, cfg, &run, options, &collected);
    look_at_reports(&collected.reports, &console, &o);
    look_at_profile(collected.profile, &o);
    fclose(console.out);
    brz_notices_finish(&collected.reports);
    brz_profile_destroy(collected.profile);
    brz_feed_finish(&feed);
    brz_source_close(source);
    return o;
}

static outcome collapse(const uint8_t *data, size_t size, const void *cfg, const way *w)
{
    if (w->route == FROM_PIPE && size <= FUZZ_PIPE_SIZE)
        fuzz_stdin_pipe(data, size);
    else
        fuzz_stdin_file(data, size);
    return collapse_stdin(load(), cfg, &w->collapse);
}

/* ---- properties ---------------------------------------------------------------------------- */

static void require_same(const char *a, const char *b, const char *what)
{
    FUZZ_REQUIRE(strcmp(a, b) == 0, "%s differ.\n---- at once:\n%s---- in parts:\n%s", what, a, b);
}

/* Compares two results. Saturated sums and runs that failed midway may differ. */
static void compare(const outcome *plain, const outcome *other)
{
    FUZZ_REQUIRE(plain->good == other->good, "one way %s and the other does not.\n%s----\n%s",
                 plain->good ? "works" : "fails", plain->said, other->said);
    if (!plain->good)
        return;
    FUZZ_REQUIRE(plain->saturated == other->saturated, "one way saturates, the other does not");
    if (plain->saturated)
        return;
    require_same(brz_buf_text(&plain->stacks), brz_buf_text(&other->stacks), "stacks");
    require_same(plain->said, other->said, "messages");
}

#define MOST_SNIFFED ((size_t)64 << 10)

static void check_sniffer(const uint8_t *data, size_t size)
{
    const brz_collapser *c = load()->vtable;
    size_t len = size < MOST_SNIFFED ? size : MOST_SNIFFED;
    uint8_t *copy = brz_slack_buffer(len), *text = copy + BRZ_SLACK_FRONT;
    brz_head head = {
        sizeof head, size == len ? BRZ_CHUNK_LAST : 0, text, len, BRZ_STR("input"), text, len};
    if (len > 0)
        memcpy(text, data, len);
    int32_t score = c->sniff(&head);
    FUZZ_REQUIRE(score >= BRZ_SNIFF_NO && score <= BRZ_SNIFF_MAGIC, "a score of %d", (int)score);
    FUZZ_REQUIRE(c->sniff(&head) == score, "the sniffer changed its mind");
    head.len = len / 2;
    head.flags = 0;
    c->sniff(&head);
    free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_settings s = fuzz_take_settings(data, &size);
    const way usual = {.route = FROM_FILE, .collapse.threads = 1}, special = way_of(&s);
    brz_options *options = fuzz_make_options(load()->component, &s);
    set_format(options);
    check_sniffer(data, size);
    outcome plain = collapse(data, size, options->cfg, &usual);
    outcome other = collapse(data, size, options->cfg, &special);
    compare(&plain, &other);
    outcome_finish(&plain);
    outcome_finish(&other);
    brz_options_destroy(options);
    return 0;
}

/* Generates variants: each way and each option at least twice, with varying sizes and values. */
bool fuzz_variant(unsigned i, fuzz_settings *s)
{
    unsigned options = load()->component->n_options + 1;
    s->way = (uint8_t)(i % N_WAYS);
    s->size = (uint8_t)(5 * i);
    s->option = (uint8_t)(i % options);
    s->value = (uint8_t)(i / options + i);
    return i < 2 * (options < N_WAYS ? N_WAYS : options);
}
