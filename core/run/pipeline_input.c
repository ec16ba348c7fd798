/* Reads an input of a pipeline, in this process or in a separate one. */
#include "run/pipeline_parts.h"

#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collapse/mismatch.h"
#include "isolate/isolate.h"
#include "input/progress.h"
#include "collapse/guess.h"

/* Returns the number of processors that this process may use, or of all processors if that is
 * unknown. */
static long count_processors(void)
{
#ifdef CPU_COUNT
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return CPU_COUNT(&set);
#endif
    return sysconf(_SC_NPROCESSORS_ONLN);
}

static unsigned thread_count(const brz_request *r)
{
    if (r->threads > 0)
        return (unsigned)r->threads;
    long n = count_processors();
    return n < 1 ? 1 : n > 64 ? 64 : (unsigned)n;
}

/* The state of reading an input. */
typedef struct reading {
    brz_pipeline *pipeline;
    const brz_input *input;
    brz_found found; /* only the name is set for inputs that are not files */
    bool raw;
    brz_collapse_options options;
    bool good;                   /* in isolation: the child's result, or it need not continue */
    const brz_loaded *collapser; /* likewise, once it is known */
} reading;

static brz_source *open_source(const reading *r)
{
    const brz_input *i = r->input;
    if (i->kind == BRZ_INPUT_MEMORY)
        return brz_source_of_stream(i->name, brz_stream_of_memory(i->data, i->len), i->len, r->raw);
    if (i->kind == BRZ_INPUT_FUNCTION)
        return brz_source_of_stream(i->name, brz_stream_of_function(i->read, i->context), 0,
                                    r->raw);
    brz_source *s = brz_source_read(&r->found, r->raw);
    /* a crash in isolation loses nothing else */
    s->no_map = r->pipeline->request->no_map && !brz_pipeline_isolates(r->pipeline);
    return s;
}

/* ---- the collapser ------------------------------------------------------------------------- */

/* Resolves the guessed collapser with its options. */
static bool use_winner(const brz_pipeline *p, const brz_guess *g, bool trusting, brz_use *use)
{
    brz_resolver r = brz_pipeline_resolver(p);
    r.trusting = trusting;
    return brz_resolve_loaded(&r, g->winner, NULL, p->collapse_options, use);
}

/* Checks the options of a guessed collapser, which was unknown before. */
static bool check_guessed(brz_pipeline *p, const brz_use *use)
{
    p->collapse = *use;
    bool good = brz_pipeline_check_settings(p);
    p->misused = !good;
    p->collapse = (brz_use){0};
    return good;
}

/* Reports the guess and resolves the collapser. Returns false after reporting an error. */
static bool accept_guess(brz_pipeline *p, const brz_guess *g, const char *input, brz_use *use)
{
    brz_console *console = &p->session->console;
    if (g->winner == NULL) {
        brz_buf why = {0};
        brz_guess_explain(g, input, &why);
        brz_say_code(console, BRZ_FATAL, BRZ_SAYS_FORMAT, "%s", brz_buf_text(&why));
        brz_buf_finish(&why);
        return false;
    }
    if (console->verbosity > 0)
        brz_say(console, BRZ_NOTE, "%s: guessed %s (%d)", input, g->winner->component->id,
                (int)g->items[0].score);
    return use_winner(p, g, false, use) && check_guessed(p, use);
}

/* ---- in this process ----------------------------------------------------------------------- */

static bool guess(brz_pipeline *p, brz_feed *feed, brz_use *use)
{
    brz_guess g = brz_guess_format(p->session->registry, feed);
    bool good = accept_guess(p, &g, feed->source->name, use);
    brz_guess_finish(&g);
    return good;
}

/* Reports an error if the only input is empty; several inputs may include empty ones. */
static bool check_not_empty(const brz_pipeline *p, brz_feed *feed, brz_console *console)
{
    bool is_empty = p->n_inputs == 1 && brz_guess_head(feed).len == 0 &&
                    feed->source->stream->state == BRZ_STREAM_END;
    if (is_empty)
        brz_say_code(console, BRZ_FATAL, BRZ_SAYS_EMPTY, "%s: the input is empty",
                     feed->source->name);
    return !is_empty;
}

/* Checks the format of an input that was named, with brz_check_format(). If an empty output is
 * allowed, an input in another format is parsed nevertheless and only recorded: it matters if there
 * are no samples. */
static bool check_format(const brz_pipeline *p, const brz_expected_format *expected, brz_feed *feed,
                         brz_console *console, brz_collected *collected)
{
    if (p->request->allow_empty)
        collected->is_foreign |= brz_is_foreign(p->collapse.loaded, feed);
    else if (!check_not_empty(p, feed, console))
        return false;
    return brz_check_format(expected, feed, console);
}

static size_t count_stacks(const brz_collected *c)
{
    return c->profile == NULL ? 0 : c->profile->n_stacks;
}

/* Reads an input whose format was named. Reports an error if it contains stacks although another
 * collapser recognises it; an input without stacks is reported later. */
static bool collapse_named(const reading *r, brz_feed *feed, brz_run *run, brz_console *console,
                           brz_collected *into)
{
    const brz_pipeline *p = r->pipeline;
    const brz_expected_format expected = {p->session->registry, p->collapse.loaded,
                                          !brz_request_from_is_default(p->request) ||
                                              p->request->allow_empty,
                                          brz_pipeline_isolates(p)};
    if (!check_format(p, &expected, feed, console, into))
        return false;
    const brz_loaded *surer = brz_find_surer(&expected, feed);
    size_t before = count_stacks(into);
    brz_head head;
    uint8_t *memory = brz_keep_head(feed, &head);
    bool good =
        brz_collapse(feed, p->collapse.loaded, p->collapse.options->cfg, run, &r->options, into);
    if (good && p->n_inputs == 1 && count_stacks(into) == 0)
        into->looks_like = brz_find_format(&expected, &head, feed);
    free(memory);
    if (!good)
        return false;
    if (surer == NULL || count_stacks(into) == before)
        return true;
    brz_say_surer(&expected, surer, feed->source->name, console);
    return false;
}

static bool read_here(const reading *r)
{
    brz_pipeline *p = r->pipeline;
    brz_use use = p->collapse;
    brz_feed feed;
    brz_source *source = open_source(r);
    brz_feed_init(&feed, source);
    bool good;
    if (p->guess)
        good = guess(p, &feed, &use) && brz_collapse(&feed, use.loaded, use.options->cfg, p->run,
                                                     &r->options, &p->collected);
    else
        good = collapse_named(r, &feed, p->run, &p->session->console, &p->collected);
    brz_progress_tick(r->options.progress, source);
    if (p->guess)
        brz_use_finish(&use);
    brz_feed_finish(&feed);
    brz_source_close(source);
    return good;
}

/* ---- in a separate process
 * -------------------------------------------------------------------- */

/* Guesses the format in the child. The parent reaches the same conclusion and reports it. */
static bool guess_and_give(const reading *r, brz_run *run, brz_feed *feed, brz_wire_out *out,
                           brz_use *use)
{
    brz_guess g = brz_guess_give(r->pipeline->session->registry, feed, out);
    brz_isolated_mute(run, true);
    bool good = g.winner != NULL && use_winner(r->pipeline, &g, true, use);
    brz_isolated_mute(run, false);
    brz_guess_finish(&g);
    return good;
}

/* Returns the number of a collapser in the registry, for collapser_at(). Parent and child have
 * loaded the same collapsers. */
static uint32_t collapser_number(const brz_pipeline *p, const brz_loaded *collapser)
{
    const brz_loaded *l;
    brz_tier tier;
    bool shadowed;
    uint32_t i = 0;
    while ((l = brz_registry_at(p->session->registry, i, &tier, &shadowed)) != NULL &&
           l != collapser)
        i++;
    return i;
}

/* Returns the collapser with this number, or NULL if there is none. */
static const brz_loaded *collapser_at(const brz_pipeline *p, uint32_t number)
{
    brz_tier tier;
    bool shadowed;
    const brz_loaded *l = brz_registry_at(p->session->registry, number, &tier, &shadowed);
    return l != NULL && l->component->kind == BRZ_COLLAPSER ? l : NULL;
}

/* Reads an input in the child. Frees nothing, because the child is about to end. */
static void read_and_give(void *context, brz_run *run, brz_wire_out *out)
{
    const reading *r = context;
    const brz_pipeline *p = r->pipeline;
    brz_use use = p->collapse;
    brz_collected collected = {.offset = p->collected.offset};
    brz_feed feed;
    brz_feed_init(&feed, open_source(r));
    if (p->guess && !guess_and_give(r, run, &feed, out, &use))
        return;
    bool good =
        p->guess ? brz_collapse(&feed, use.loaded, use.options->cfg, run, &r->options, &collected)
                 : collapse_named(r, &feed, run, run->console, &collected);
    brz_progress_tick(r->options.progress, feed.source);
    brz_wire_put_profile(out, collected.profile);
    brz_wire_put_notices(out, &collected.reports);
    brz_wire_put_u64(out, collected.offset);
    brz_wire_put_u32(out, collected.is_foreign);
    brz_wire_put_u32(out, collapser_number(p, collected.looks_like));
    brz_wire_put_u32(out, good);
}

static bool take_guess(reading *r, brz_wire_in *in)
{
    brz_pipeline *p = r->pipeline;
    brz_guess g;
    brz_use use = {0};
    if (!brz_guess_take(p->session->registry, in, &g))
        return false;
    bool good = accept_guess(p, &g, r->found.name, &use);
    r->collapser = good ? use.loaded : NULL;
    brz_use_finish(&use);
    brz_guess_finish(&g);
    return good;
}

/* Copies a code: codes are constants of plug-ins, except those received from the child. */
static const char *keep_code(brz_notices *r, const char *code)
{
    return code == NULL ? NULL : brz_arena_str(&r->text, brz_str_of(code, strlen(code))).data;
}

/* Adds the reports of the child, with its collapser as their component. */
static void take_reports(const reading *r, brz_notices *reports)
{
    brz_notices *all = &r->pipeline->collected.reports;
    for (size_t i = 0; i < reports->n; i++) {
        reports->items[i].component = r->collapser->component;
        reports->items[i].code = keep_code(all, reports->items[i].code);
    }
    for (size_t i = 0; i < reports->n_tallies; i++)
        reports->tallies[i].code = keep_code(all, reports->tallies[i].code);
    brz_notices_absorb(all, reports);
    brz_notices_finish(reports);
}

/* Receives the results in the parent. Discards incomplete ones. */
static void take_input(void *context, brz_wire_in *in)
{
    reading *r = context;
    brz_collected *c = &r->pipeline->collected;
    brz_profile *profile = NULL;
    brz_notices reports = {0};
    uint64_t offset;
    uint32_t is_foreign, format, good;
    if (r->pipeline->guess && !take_guess(r, in))
        return;
    if (brz_wire_take_profile(in, &profile) && brz_wire_take_notices(in, &reports) &&
        brz_wire_take_u64(in, &offset) && brz_wire_take_u32(in, &is_foreign) &&
        brz_wire_take_u32(in, &format) && brz_wire_take_u32(in, &good)) {
        brz_profile_destroy(c->profile);
        c->profile = profile;
        take_reports(r, &reports);
        c->offset = offset > c->offset ? offset : c->offset;
        c->is_foreign |= is_foreign != 0;
        c->looks_like = collapser_at(r->pipeline, format);
        r->good = good != 0;
        return;
    }
    brz_profile_destroy(profile);
    brz_notices_finish(&reports);
}

/* Returns true if collapsers other than the named one may be asked about the input. */
static bool asks_others(const brz_pipeline *p)
{
    return p->guess || brz_request_from_is_default(p->request) ||
           brz_registry_tier_of_file(p->session->registry, p->collapse.loaded->path) ==
               BRZ_TIER_SHIPPED;
}

static brz_input_end read_isolated(reading *r)
{
    brz_isolated task = {
        .run = r->pipeline->run,
        .progress = r->options.progress,
        .name = r->found.name,
        .input = r->found.fd,
        .threads = r->options.threads,
        .memory = r->pipeline->request->limits.memory,
        .plugin = &r->collapser,
        .work = read_and_give,
        .take = take_input,
        .context = r,
    };
    if (asks_others(r->pipeline)) /* the child cannot open files */
        brz_registry_load_all(r->pipeline->session->registry, BRZ_COLLAPSER);
    brz_isolated_end end = brz_isolate(&task);
    brz_found_close(&r->found);
    if (end == BRZ_ISOLATED_LOST)
        return BRZ_INPUT_LOST;
    return end == BRZ_ISOLATED_DONE && r->good ? BRZ_INPUT_READ : BRZ_INPUT_FAILED;
}

/* ---- either way
 * ------------------------------------------------------------------------------- */

/* Opens a file at its location. Returns false and appends the reason to `error` if that fails. */
static bool find_file(const brz_input *i, brz_found *found, brz_buf *error)
{
    brz_refusal why;
    if (i->inside.folder == NULL)
        return brz_source_find(i->name, found, error);
    int fd = brz_beneath_open_file(i->inside.folder, i->inside.path, &why);
    if (fd >= 0)
        brz_source_found(i->name, fd, found);
    else
        brz_buf_printf(error, "cannot open '%s': %s%s", i->name,
                       why == BRZ_REFUSED_ABSENT ? "" : "it ", brz_refusal_text(why));
    return fd >= 0;
}

/* Opens an input that is a file. Returns false after reporting an error. */
static bool find(reading *r)
{
    const brz_input *i = r->input;
    brz_console *console = &r->pipeline->session->console;
    r->found = (brz_found){.name = i->name, .fd = -1};
    if (i->kind == BRZ_INPUT_FILE) {
        brz_buf error = {0};
        if (!find_file(i, &r->found, &error))
            brz_say_code(console, BRZ_FATAL, BRZ_SAYS_OPEN, "%s", brz_buf_text(&error));
        brz_buf_finish(&error);
        return r->found.fd >= 0;
    }
    if (!brz_pipeline_isolates(r->pipeline))
        return true;
    if (i->kind == BRZ_INPUT_FUNCTION)
        brz_say_code(console, BRZ_FATAL, BRZ_SAYS_PIPELINE,
                     "%s: input from a function cannot be read in isolation", i->name);
    else /* the child has the memory and needs no descriptor */
        r->found.fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    return r->found.fd >= 0;
}

uint32_t brz_pipeline_wants(const brz_pipeline *p)
{
    uint32_t wants = p->request->time != BRZ_TIME_MERGED ? BRZ_CTX_ORDERED : 0;
    for (size_t i = 0; i < p->n_outputs; i++) {
        const brz_output *o = p->outputs[i].use.loaded->vtable;
        if (o->flags & (BRZ_OUTPUT_TAGS | BRZ_OUTPUT_TIME))
            wants |= BRZ_CTX_WANTS_TAGS;
        if (o->flags & BRZ_OUTPUT_TIME)
            wants |= BRZ_CTX_WANTS_TIME | BRZ_CTX_ORDERED;
    }
    return wants;
}

brz_input_end brz_pipeline_read_input(brz_pipeline *p, const brz_input *input,
                                      brz_progress *progress)
{
    reading r = {
        .pipeline = p,
        .input = input,
        .collapser = p->guess ? NULL : p->collapse.loaded,
        .raw = !p->guess && (((const brz_collapser *)p->collapse.loaded->vtable)->flags & BRZ_RAW),
        .options = {.threads = thread_count(p->request),
                    .chunk_size = p->request->chunk_size,
                    .range_size = p->request->range_size,
                    .wants = brz_pipeline_wants(p),
                    .progress = progress},
    };
    if (!find(&r))
        return BRZ_INPUT_FAILED;
    if (brz_pipeline_isolates(p))
        return read_isolated(&r);
    return read_here(&r) ? BRZ_INPUT_READ : BRZ_INPUT_FAILED;
}
