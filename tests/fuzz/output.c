/* SPDX-License-Identifier: MIT */
/* A fuzz target around any output: the plug-in's objects are linked in, the profile is made of the
 * input (profile.h), and what is written goes through a check of its format (output.h).
 *
 * The settings choose a comparison, an order in time, the palette and an option of the output. The
 * output writes what it is about, or the run fails with a message; and it writes the same twice.
 */
#include "output.h"

#include <brazier/symbol.h>

#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "host/instance.h"
#include "plugin/component_copy.h"
#include "plugin/registry.h"
#include "profile.h"
#include "profile/compare.h"

/* The plug-in's. */
extern const brz_plugin BRZ_PLUGIN_ENTRY;

static brz_console console; /* silent */

/* ---- components ---------------------------------------------------------------------------- */

/* Returns the output as the loader would; made once. */
static const brz_loaded *load_output(void)
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

static const char *const palettes[] = {NULL, "hot", "rules", "heat", "diff", "module", "wakeup"};

#define N_PALETTES (sizeof palettes / sizeof palettes[0])

static const brz_loaded *load_palette(const char *name)
{
    static brz_registry *registry;
    const brz_registry_options shipped = {.shipped_only = true};
    brz_buf error = {0};
    if (registry == NULL)
        registry = brz_registry_create(&shipped, &console);
    const brz_loaded *l =
        brz_registry_find(registry, BRZ_PALETTE, brz_str_of(name, strlen(name)), &error);
    FUZZ_REQUIRE(l != NULL, "%s", brz_buf_text(&error));
    return l;
}

/* Adds a rule for frames that match the name of the first one. */
static void add_rule(brz_options *options, const brz_profile *p)
{
    brz_buf rule = {0}, ignored = {0};
    brz_buf_add_text(&rule, "(*LIMIT_MATCH=1000)");
    if (p->n_stacks > 0 && p->stacks[0].n > 0)
        brz_buf_add_str(&rule, brz_profile_frame_info(p, p->stacks[0].frames[0]).name);
    brz_buf_add_text(&rule, " = #010203");
    brz_options_set(options, brz_option_find(options->component, BRZ_STR("rules"), NULL),
                    brz_buf_str(&rule), BRZ_LAYER_COMMAND_LINE, BRZ_STR("input"), &ignored);
    brz_buf_finish(&rule);
    brz_buf_finish(&ignored);
}

/* Makes the chain of one palette that the settings choose, or of none. */
static brz_chain make_chain(const fuzz_settings *s, const brz_profile *p)
{
    static brz_chain_item item;
    const char *name = palettes[s->size % N_PALETTES];
    brz_buf error = {0};
    if (name == NULL)
        return (brz_chain){NULL, 0};
    item = (brz_chain_item){.use.loaded = load_palette(name)};
    item.use.options = brz_options_create(item.use.loaded->component, &error);
    FUZZ_REQUIRE(item.use.options != NULL, "%s", brz_buf_text(&error));
    if (strcmp(name, "rules") == 0)
        add_rule(item.use.options, p);
    return (brz_chain){&item, 1};
}

/* ---- writing ------------------------------------------------------------------------------- */

static brz_subject subject_of(brz_profile *p, const fuzz_settings *s)
{
    brz_subject subject = {.weight = s->way % (uint32_t)p->n_weights,
                           .color_weight = s->way / 2 % (uint32_t)p->n_weights,
                           .before = BRZ_NO_COLUMN,
                           .after = BRZ_NO_COLUMN,
                           .drawing.deltas = (brz_deltas)(s->way >> 3 & 1),
                           .drawing.time = (brz_time_order)(s->way >> 4 & 3),
                           .drawing.negate = s->way >> 6 & 1};
    if (subject.drawing.time > BRZ_TIME_BACK)
        subject.drawing.time = BRZ_TIME_MERGED;
    if ((s->way >> 2 & 1) == 0 && brz_find_comparison(p, &subject.before, &subject.after)) {
        brz_align_comparison(p, subject.before, subject.after);
        subject.weight = subject.after;
    }
    return subject;
}

static int keep(void *to, const void *data, size_t len)
{
    brz_buf_add(to, data, len);
    return 0;
}

/* Writes the output; returns false if that fails, which is reported. */
static bool write_output(brz_profile *p, const brz_subject *subject, const fuzz_settings *s,
                         brz_buf *out)
{
    brz_run run = {.console = &console};
    brz_output_use use = {
        .use.loaded = load_output(), .palettes = make_chain(s, p), .diffusion = s->way >> 7};
    use.use.options = fuzz_make_options(use.use.loaded->component, s);
    brz_file_sink *sink = brz_file_sink_to(keep, out, "output", &console);
    size_t errors = console.errors;
    bool good = brz_render(p, subject, &use, 1, &sink, &run) && brz_file_sink_complete(sink);
    FUZZ_REQUIRE(good || console.errors > errors, "failed without a message");
    brz_file_sink_destroy(sink);
    brz_options_destroy(use.use.options);
    for (size_t i = 0; i < use.palettes.n; i++)
        brz_options_destroy(use.palettes.items[i].use.options);
    return good;
}

static bool is_saturated(const brz_profile *p)
{
    bool saturated = p->saturated;
    for (uint32_t w = 0; w < p->n_weights; w++)
        fuzz_profile_sum(p, w, &saturated);
    return saturated;
}

static void check_twice(brz_profile *p, const fuzz_settings *s)
{
    brz_buf first = {0}, second = {0};
    brz_subject subject = subject_of(p, s);
    bool good = write_output(p, &subject, s, &first);
    FUZZ_REQUIRE(good == write_output(p, &subject, s, &second), "fails now and then");
    if (good) {
        const fuzz_written written = {brz_buf_str(&first), p, &subject, is_saturated(p)};
        FUZZ_REQUIRE(brz_str_equal(brz_buf_str(&first), brz_buf_str(&second)),
                     "writes something else the second time");
        fuzz_check_output(&written);
    }
    brz_buf_finish(&first);
    brz_buf_finish(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_settings s = fuzz_take_settings(data, &size);
    console.verbosity = -1;
    brz_profile *p = fuzz_profile_read((const char *)data, size);
    if (p->n_stacks > 0)
        check_twice(p, &s);
    brz_profile_destroy(p);
    return 0;
}

/* Every option, with each palette and in each way. */
bool fuzz_variant(unsigned i, fuzz_settings *s)
{
    unsigned options = load_output()->component->n_options + 1;
    s->way = (uint8_t)(i * 37);
    s->size = (uint8_t)i;
    s->option = (uint8_t)(i % options);
    s->value = (uint8_t)(i / options + i);
    return i < (options < 16 ? 16 : options);
}
