/* SPDX-License-Identifier: MIT */
/* Builds a pipeline from words, and runs it. */
#include "cli.h"
#include "interrupt.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/suggest.h"

void cli_print_section(FILE *out, const char *heading, const cli_option *table)
{
    fprintf(out, "\n%s:\n", heading);
    cli_print_options(out, table);
}

void cli_print_run_section(FILE *out, const char *heading, unsigned sections)
{
    cli_print_run_section_beside(out, heading, sections, NULL, NULL);
}

void cli_print_run_section_beside(FILE *out, const char *heading, unsigned sections,
                                  const cli_option *table, const char *const *refused)
{
    fprintf(out, "\n%s:\n", heading);
    cli_print_run_options(out, sections, table, refused);
}

/* ---- collecting ---------------------------------------------------------------------------- */

void cli_request_begin(cli_request *r, brz_session *s, const cli_syntax *syntax)
{
    r->shows_progress = s->console.verbosity >= 0 && isatty(STDERR_FILENO);
    const brazier_pipeline_options options = {
        .struct_size = sizeof options,
        .flags = BRAZIER_STANDARD_STREAMS | BRAZIER_MAP_FILES | BRAZIER_CHECK_STDOUT |
                 BRAZIER_STRICT_LIMITS |
                 (syntax->names_pipeline && !syntax->compares ? BRAZIER_DEFAULT_PIPELINE : 0),
        .on_progress = r->shows_progress ? cli_progress_line_show : NULL,
        .context = &r->progress,
    };
    r->pipeline = brazier_pipeline_create(brz_lib_session(s), &options);
    brazier_pipeline_set(r->pipeline, "quality", "line", NULL);
    if (syntax->format != NULL)
        brazier_pipeline_set(r->pipeline, "otherwise-from", syntax->format, NULL);
    if (syntax->output != NULL)
        brazier_pipeline_set(r->pipeline, "otherwise-to", syntax->output, NULL);
    if (syntax->compares)
        brazier_pipeline_set(r->pipeline, "compare", "true", NULL);
    if (syntax->updates)
        brazier_pipeline_set(r->pipeline, "in-place", "true", NULL);
}

void cli_request_input(cli_request *r, const char *file)
{
    r->inputs = brz_grow(r->inputs, r->n_inputs, &r->inputs_cap, sizeof *r->inputs);
    r->inputs[r->n_inputs++] = file;
}

bool cli_request_set(cli_request *r, const char *option, const char *value, const cli_args *a)
{
    brz_buf origin = {0};
    brz_buf_add_text(&origin, "--");
    brz_buf_add(&origin, a->name, a->name_len);
    brazier_status status = brazier_pipeline_set(r->pipeline, option, value, brz_buf_text(&origin));
    brz_buf_finish(&origin);
    return status == BRAZIER_OK;
}

/* Returns whether -p has the number of a process, as in `brazier record`. */
static bool is_process(const cli_args *a)
{
    return a->is_letter && strcmp(a->run_option->name, "palette") == 0 && a->value[0] != '\0' &&
           a->value[strspn(a->value, "0123456789")] == '\0';
}

bool cli_request_option(cli_request *r, const cli_args *a)
{
    if (is_process(a)) {
        brz_say(a->console, BRZ_FATAL,
                "-p is --palette here; brazier record -p %s records a process", a->value);
        return false;
    }
    return cli_request_set(r, a->run_option->name, a->is_off ? "false" : a->value, a);
}

/* Sets an option of a component. `mark` says what it means if the run does not use that: see
 * brz_request_set_component(). */
static void set_marked(cli_request *r, const char *mark, const brz_component *c, const char *option,
                       const char *value, const cli_args *a)
{
    brz_buf name = {0};
    brz_buf_printf(&name, "%s%s.%s", r->lenient ? "?" : mark, c->id, option);
    cli_request_set(r, brz_buf_text(&name), value, a);
    brz_buf_finish(&name);
}

void cli_request_set_component(cli_request *r, const brz_component *c, const char *option,
                               const char *value, bool if_there, const cli_args *a)
{
    set_marked(r, if_there ? "?" : "", c, option, value, a);
}

void cli_request_set_for_guessed(cli_request *r, const brz_component *c, const char *option,
                                 const char *value, const cli_args *a)
{
    set_marked(r, "*", c, option, value, a);
}

void cli_suggest_component(brz_session *s, brz_str typed, brz_buf *b)
{
    const brz_loaded *l;
    brz_tier tier;
    bool shadowed;
    brz_suggestion near = {.typed = typed};
    bool describes = brz_registry_describe(s->registry, true);
    brz_registry_load_all(s->registry, 0);
    brz_registry_describe(s->registry, describes);
    for (size_t i = 0; (l = brz_registry_at(s->registry, i, &tier, &shadowed)) != NULL; i++)
        brz_suggestion_offer(&near, l->component->id);
    brz_suggestion_add(&near, b);
}

/* ---- terminals ------------------------------------------------------------------------------ */

/* Notes that input is expected from the terminal, if standard input is named and is one. */
static void say_waiting(brz_session *s, const cli_request *r)
{
    for (size_t i = 0; i < r->n_inputs; i++)
        if (strcmp(r->inputs[i], "-") == 0 && isatty(STDIN_FILENO)) {
            brz_say(&s->console, BRZ_NOTE, "reading from the terminal; Ctrl-D ends the input");
            return;
        }
}

bool cli_check_input(brz_session *s, size_t n_inputs, const char *pipeline)
{
    if (n_inputs > 0 || pipeline != NULL || !isatty(STDIN_FILENO))
        return true;
    brz_say(&s->console, BRZ_FATAL,
            "nothing to read: name a file, or pipe a profile in (- reads what is typed)");
    return false;
}

/* ---- running ------------------------------------------------------------------------------- */

void cli_request_finish(cli_request *r)
{
    brazier_pipeline_destroy(r->pipeline);
    free(r->inputs);
}

static int exit_status(brazier_status status)
{
    switch (status) {
    case BRAZIER_OK:
        return CLI_OK;
    case BRAZIER_MISUSED:
        return CLI_USAGE;
    case BRAZIER_EXCEEDED:
        return CLI_EXCEEDED;
    default:
        return CLI_FAILED;
    }
}

int cli_request_run(brz_session *s, cli_request *r)
{
    for (size_t i = 0; i < r->n_inputs; i++)
        brazier_pipeline_add_input_file(r->pipeline, r->inputs[i]);
    say_waiting(s, r);
    if (r->shows_progress)
        cli_progress_line_init(&r->progress);
    cli_interruptible(brz_lib_run(r->pipeline));
    brazier_status status = brazier_pipeline_run(r->pipeline);
    cli_interruptible(NULL);
    if (r->shows_progress)
        cli_progress_line_finish(&r->progress);
    return exit_status(status);
}
