/* SPDX-License-Identifier: MIT */
/* Writes the output "firefox": a processed profile of the Firefox Profiler, version 66 of its
 * format.
 *
 * There is a thread for each weight; or for each thread and weight if the profile has threads,
 * times or labels, which are markers. All threads share the tables. The profiler upgrades profiles
 * of older format versions when it reads them.
 */
#include "profile.h"
#include "../../common/shipped.h"

typedef struct options {
    brz_str name;
} options;

static brz_rc write_firefox(brz_output_ctx *ctx, const brz_tree *tree, brz_sink *sink)
{
    const options *o = ctx->cfg;
    profile p = {.ctx = ctx, .name = o->name, .tree = tree};
    paths_init(&p.paths, ctx, tree, PATHS_OF_ALL);
    functions_init(&p.functions, ctx, tree, FUNCTIONS_BY_ORIGIN);
    keys_init(&p.modules, ctx);
    keys_init(&p.files, ctx);
    label_sets_init(&p.labels, ctx, tree);
    p.by_thread = tracks_init(&p.tracks, ctx, tree, &p.labels, TRACKS_WITH_LABELS);
    add_texts_of_labels(&p);
    brz_writer_init(&p.w, ctx, sink);
    put_meta(&p);
    put_tables(&p);
    put_libraries(&p);
    put_threads(&p);
    return brz_writer_finish(&p.w);
}

static const brz_option option_table[] = {
    BRZ_OPTION(options, "name", STR, name, "profile",
               "name of the process in the profiler, if the input does not name it"),
};

static const char *const endings[] = {"firefox.json", "firefox", NULL};

SHIPPED_WRITER(write_firefox, "application/json",
               BRZ_OUTPUT_NODES | BRZ_OUTPUT_STACKS | BRZ_OUTPUT_TIME | BRZ_OUTPUT_FRAMES)

SHIPPED_PLUGIN(
    "firefox", BRZ_OUTPUT, &output,
    .summary = "a profile for the Firefox Profiler, with every weight and thread of the input",
    BRZ_OPTIONS(option_table, options))
