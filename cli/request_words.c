/* Takes all words of a command into a request. */
#include "component_options.h"

/* The words of a command on their way into a request. */
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

/* Finds the components once, and not before they are needed: most runs name no option of theirs. */
static bool find_components(taking *t)
{
    if (!t->found)
        t->found = cli_components_find(t->session, t->syntax, t->words, &t->components);
    return t->found;
}

static bool set_component(taking *t)
{
    return find_components(t) &&
           cli_components_set(t->session, t->syntax, &t->components, &t->args, t->request);
}

static bool take_own_option(taking *t)
{
    const cli_option *option = t->args.option;
    bool is_other = cli_is_other_name(option);
    if ((is_other || t->syntax->names_format) && !find_components(t))
        return false;
    if (is_other)
        cli_components_other_name(&t->components, &t->args, t->request);
    else if (t->syntax->names_format && cli_components_format_has(&t->components, option->name))
        return set_component(t);
    else
        return t->syntax->take_option(t->request, &t->args);
    return true;
}

static void take_word(taking *t)
{
    if (t->syntax->names_format && !t->has_word)
        t->request->options.from = t->args.value;
    else
        cli_request_input(t->request, t->args.value);
    t->has_word = true;
}

bool cli_request_words(brz_session *s, const cli_syntax *syntax, char **words, cli_request *r)
{
    taking t = {.session = s,
                .syntax = syntax,
                .words = words,
                .args = {.words = words, .tables = syntax->tables, .console = &s->console},
                .request = r};
    r->options.from = syntax->format;
    r->options.otherwise_to = syntax->output;
    r->options.flags |= (syntax->names_pipeline ? BRAZIER_DEFAULT_PIPELINE : 0) |
                        (syntax->compares ? BRAZIER_COMPARE : 0);
    for (bool good = true; good;) {
        switch (cli_args_next(&t.args)) {
        case CLI_END:
            if (syntax->format != NULL && r->options.from == syntax->format)
                r->options.flags |= BRAZIER_USUAL_FORMAT;
            return true;
        case CLI_WORD:
            take_word(&t);
            break;
        case CLI_OPTION:
            good = take_own_option(&t);
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
