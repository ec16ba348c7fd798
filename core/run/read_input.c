/* SPDX-License-Identifier: MIT */
/* Reads an input of a pipeline, and decides on the format that was guessed. */
#include "run/execution.h"

#include <string.h>

#include "config/formats.h"

/* Resolves the guessed collapser with its options. */
static bool use_winner(const brz_execution *x, const brz_guess *g, bool trusting, brz_use *use)
{
    brz_resolver r = brz_execution_resolver(x);
    r.trusting = trusting;
    return brz_resolve_loaded(&r, g->winner, NULL, x->plan->collapse_options, use);
}

/* Checks the options of a guessed collapser, which was unknown before. */
static bool check_winner(const brz_execution *x, const char *name, const brz_use *use)
{
    const brz_pipeline *p = x->plan;
    brz_resolver r = brz_execution_resolver(x);
    const brz_used_components used = brz_pipeline_used(p, use->loaded);
    return brz_settings_check_guessed(&r, name, use->loaded->component->id) &&
           brz_settings_check(&r, &used) && brz_pipeline_check_guessed_places(p, use);
}

/* Reports that no format was recognised. */
static void say_no_format(brz_console *console, const brz_guess *g, const char *name)
{
    brz_buf why = {0};
    brz_guess_explain(g, name, "--from", &why);
    brz_say_code(console, BRZ_FATAL, brz_guess_code(g), "%s", brz_buf_text(&why));
    brz_buf_finish(&why);
}

/* Reports the guess and resolves the collapser. Returns false after reporting an error. */
static bool accept_guess(void *context, const brz_guess *g, const char *name, bool is_child,
                         brz_use *use)
{
    brz_execution *x = context;
    brz_console *console = brz_execution_console(x);
    if (is_child)
        return g->winner != NULL && use_winner(x, g, true, use);
    if (g->winner == NULL) {
        say_no_format(console, g, name);
        return false;
    }
    if (console->verbosity > 0)
        brz_say(console, BRZ_NOTE, "%s: guessed %s (%d)", name, g->winner->component->id,
                (int)g->items[0].score);
    x->is_misused = !use_winner(x, g, false, use) || !check_winner(x, name, use);
    return !x->is_misused;
}

/* Returns where files that an input names may lie. A configuration that was found confines them. */
static brz_related_rules rules_of(const brz_pipeline *p, const brz_input *input)
{
    bool has_path = input->kind == BRZ_INPUT_FILE && strcmp(input->name, "-") != 0;
    brz_related_rules rules = {.sysroot = p->request->sysroot,
                               .input = has_path ? input->name : NULL,
                               .beneath = input->inside.folder};
    if (rules.beneath == NULL && p->collapse_options != NULL)
        rules.beneath = p->collapse_options->file->beneath;
    if (rules.beneath == NULL)
        rules.beneath = p->guess ? brz_formats_confine_guess(p->session->config)
                                 : brz_format_confines(p->collapse.loaded);
    return rules;
}

/* Returns how collapsers read the input of this index. */
static brz_collapse_options options_of(const brz_pipeline *p, size_t input, brz_progress *progress)
{
    const brz_request *r = p->request;
    return (brz_collapse_options){.threads = brz_request_threads(r),
                                  .chunk_size = r->chunk_size,
                                  .range_size = r->range_size,
                                  .input = (uint32_t)input,
                                  .wants = brz_pipeline_wants(p),
                                  .drops = brz_pipeline_drops(p),
                                  .wants_code = brz_pipeline_wants_code(p),
                                  .progress = progress,
                                  .watch = r->watch};
}

/* Takes over a profile that another run has read. */
static brz_input_end take_profile(const brz_input *input, brz_profile **profile)
{
    *profile = *input->profile;
    *input->profile = NULL;
    return BRZ_INPUT_READ;
}

brz_input_end brz_execution_read_input(brz_execution *x, size_t input, brz_profile **profile)
{
    const brz_pipeline *p = x->plan;
    if (p->inputs[input].kind == BRZ_INPUT_PROFILE)
        return take_profile(&p->inputs[input], profile);
    const brz_request *request = p->request;
    const brz_input_reader *reader =
        brz_pipeline_isolates(p) ? &brz_isolated_reader : &brz_local_reader;
    brz_progress progress = {request->progress, request->progress_context, &x->run->stop};
    const brz_reading reading = {
        .registry = p->session->registry,
        .run = x->run,
        .input = &p->inputs[input],
        .no_map = request->no_map,
        .named = p->guess ? NULL : &p->collapse,
        .is_default = brz_request_from_is_default(request),
        .is_only = p->n_inputs == 1,
        .allow_empty = request->allow_empty,
        .options = options_of(p, input, &progress),
        .uses_cache = request->cache >= 0,
        .rules = rules_of(p, &p->inputs[input]),
        .memory = request->limits.memory,
        .accept = accept_guess,
        .context = x,
    };
    brz_input_end end = reader->collapse(&reading, &x->collected);
    *profile = x->collected.profile;
    x->collected.profile = NULL;
    x->is_misused |= end == BRZ_INPUT_MISUSED;
    return end;
}
