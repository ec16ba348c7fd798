/* SPDX-License-Identifier: MIT */
/* Parses all words of a command into a request. */
#include "component_options.h"

/* The state of parsing the words of a command into a request. */
typedef struct taking {
    brz_session *session;
    const cli_syntax *syntax;
    char **words;
    cli_args args;
    cli_request *request;
    cli_components components;
    bool found; /* the components are known */
    bool has_word;
} taking;

/* Finds the components when they are first needed, since most runs set none of their options. */
static bool find_components(taking *t)
{
    if (!t->found)
        t->found = cli_components_find(t->session, t->syntax, t->words, &t->components);
    return t->found;
}

/* Sets an option of a component. The command sees it, too. */
static bool set_component(taking *t)
{
    if (t->syntax->take != NULL &&
        t->syntax->take(t->request, CLI_UNKNOWN, &t->args) == CLI_TAKE_FAILED)
        return false;
    return find_components(t) &&
           cli_components_set(t->session, t->syntax, &t->components, &t->args, t->request);
}

/* Parses an option of the command's tables: its own, or another name of an option of components. */
static bool take_table_option(taking *t)
{
    if (t->syntax->take != NULL) {
        cli_taken taken = t->syntax->take(t->request, CLI_OPTION, &t->args);
        if (taken != CLI_TAKE_DEFAULT)
            return taken == CLI_TAKE_DONE;
    }
    return find_components(t) && cli_components_other_name(&t->components, &t->args, t->request);
}

/* Sets an option of the run, unless the format that the command names has an option with this name.
 * Options of formats have no letters. */
static bool take_run_option(taking *t)
{
    bool is_ambiguous = t->syntax->names_format && !t->args.is_letter;
    if (is_ambiguous && !find_components(t))
        return false;
    if (t->syntax->take != NULL) {
        cli_taken taken = t->syntax->take(t->request, CLI_RUN_OPTION, &t->args);
        if (taken != CLI_TAKE_DEFAULT)
            return taken == CLI_TAKE_DONE;
    }
    if (is_ambiguous && cli_components_format_has(&t->components, t->args.name, t->args.name_len))
        return set_component(t);
    return cli_request_option(t->request, &t->args);
}

static void take_word(taking *t)
{
    if (t->syntax->names_format && !t->has_word)
        brazier_pipeline_set(t->request->pipeline, "from", t->args.value, NULL);
    else
        cli_request_input(t->request, t->args.value);
    t->has_word = true;
}

bool cli_request_words(brz_session *s, const cli_syntax *syntax, char **words, cli_request *r)
{
    taking t = {.session = s,
                .syntax = syntax,
                .words = words,
                .args = {.words = words,
                         .tables = syntax->tables,
                         .sections = syntax->sections,
                         .console = &s->console},
                .request = r};
    cli_request_begin(r, s, syntax);
    for (bool good = true; good;) {
        switch (cli_args_next(&t.args)) {
        case CLI_END:
            return true;
        case CLI_WORD:
            if (syntax->runs_command) {
                r->command = t.args.words - 1;
                return true;
            }
            take_word(&t);
            break;
        case CLI_OPTION:
            good = take_table_option(&t);
            break;
        case CLI_RUN_OPTION:
            good = take_run_option(&t);
            break;
        case CLI_UNKNOWN:
            good = set_component(&t);
            break;
        default:
            good = false;
        }
    }
    return false;
}
