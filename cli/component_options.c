/* SPDX-License-Identifier: MIT */
/* Implements options of components as options of a command.
 *
 * The components of a run depend on words in any position (--to, --palette, the name of a
 * pipeline), so the words are inspected first. Then a pipeline is built as for a run, which finds
 * the components.
 */
#include "component_options.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/suggest.h"
#include "plugin/options.h"

enum { OPT_COLORS = 200, OPT_COLORDIFFUSION, OPT_HASH, OPT_DETERMINISTIC, OPT_RANDOM, OPT_SUM };

const cli_option cli_other_names[] = {
    {"colors", 0, "NAME", NULL, OPT_COLORS},
    {"colordiffusion", 0, NULL, NULL, OPT_COLORDIFFUSION},
    {"hash", 0, NULL, NULL, OPT_HASH},
    {"deterministic", 0, NULL, NULL, OPT_DETERMINISTIC},
    {"random", 0, NULL, NULL, OPT_RANDOM},
    {"sum", 0, NULL, NULL, OPT_SUM},
    {NULL, 0, NULL, NULL, 0},
};

/* ---- which components there are ------------------------------------------------------------ */

/* A request for a pipeline that is built only to find its components. */
typedef struct survey {
    brz_session *session;
    const cli_syntax *syntax;
    brz_request request;
    bool has_word;
} survey;

static void see_word(survey *v, const char *word)
{
    if (v->syntax->names_format && !v->has_word)
        v->request.from = word;
    if (v->syntax->names_pipeline && v->request.pipeline == NULL &&
        !(v->syntax->compares && (v->has_word || cli_is_file(word))) &&
        cli_is_pipeline(v->session, word))
        v->request.pipeline = word;
    v->has_word = true;
}

/* Returns whether the first of these names, which commas separate, is that of a palette. */
static bool is_palette(brz_session *s, const char *names)
{
    brz_str first = brz_str_of(names, strcspn(names, ","));
    return brz_config_find(s->config, "palettes", first) != NULL ||
           brz_registry_find(s->registry, BRZ_PALETTE, first, NULL) != NULL;
}

/* Handles the alternative name of an option that determines the components of a run. */
static void see_other_name(survey *v, const cli_args *a)
{
    if (a->option->id == OPT_COLORS && is_palette(v->session, a->value))
        v->request.palette = a->value;
    else if (a->option->id == OPT_COLORDIFFUSION)
        v->request.palette = "diffusion";
}

static void see(void *context, cli_token token, const cli_args *a)
{
    survey *v = context;
    if (token == CLI_WORD)
        see_word(v, a->value);
    else if (token == CLI_OPTION)
        see_other_name(v, a);
    else if (token == CLI_RUN_OPTION && (a->run_option->flags & BRZ_RUN_CHOOSES) != 0)
        brz_run_option_set(a->run_option, &v->request, a->is_off ? "false" : a->value, a->name,
                           NULL);
}

/* Builds the pipeline, records its components, which stay loaded, and destroys it. */
static bool build(brz_session *s, const survey *v, cli_components *c)
{
    brz_verdict verdict;
    brz_pipeline *p = brz_pipeline_create(s, &v->request, &verdict);
    c->n = p == NULL ? 0 : brz_pipeline_components(p, c->list, CLI_MAX_COMPONENTS);
    brz_pipeline_destroy(p);
    return p != NULL;
}

static void leave_out_outputs(cli_components *c)
{
    size_t kept = 0;
    for (size_t i = 0; i < c->n; i++)
        if (c->list[i]->kind != BRZ_OUTPUT)
            c->list[kept++] = c->list[i];
    c->n = kept;
}

bool cli_components_find(brz_session *s, const cli_syntax *syntax, char **words, cli_components *c)
{
    survey v = {.session = s,
                .syntax = syntax,
                .request = {.otherwise_to = syntax->output,
                            .otherwise_from = syntax->format,
                            .no_pipeline = !syntax->names_pipeline || syntax->compares,
                            .compare = syntax->compares,
                            .is_survey = true}};
    brz_session quiet = *s;
    quiet.console = (brz_console){.out = NULL}; /* the run reports it again */
    const cli_args a = {.words = words, .tables = syntax->tables, .sections = syntax->sections};
    cli_look_ahead(a, see, &v);
    bool good = build(&quiet, &v, c) || build(s, &v, c);
    if (syntax->lacks_output)
        leave_out_outputs(c);
    brz_request_finish(&v.request);
    return good;
}

/* ---- setting options ----------------------------------------------------------------------- */

static const brz_option *find_option(const brz_component *c, const char *name, size_t len)
{
    return brz_option_find(c, brz_str_of(name, len), NULL);
}

/* Returns the first option with the name among components of a kind, and the number of components
 * that have it. */
static const brz_option *find_in_kind(const cli_components *c, uint32_t kind, const char *name,
                                      size_t len, size_t *n)
{
    const brz_option *first = NULL;
    *n = 0;
    for (size_t i = 0; i < c->n; i++) {
        const brz_option *o = c->list[i]->kind == kind ? find_option(c->list[i], name, len) : NULL;
        first = first == NULL ? o : first;
        *n += o != NULL;
    }
    return first;
}

/* An option by its name, the kind of its components, and their number. */
typedef struct match {
    const brz_option *option;
    const char *name;
    size_t len, n;
    uint32_t kind;
} match;

static bool find_match(const cli_syntax *syntax, const cli_components *c, const char *name,
                       size_t len, match *m)
{
    const uint32_t first = syntax->names_format ? BRZ_COLLAPSER : BRZ_OUTPUT;
    const uint32_t second = syntax->names_format ? BRZ_OUTPUT : BRZ_COLLAPSER;
    const uint32_t kinds[] = {first, second, BRZ_PALETTE, BRZ_TRANSFORM};
    *m = (match){.name = name, .len = len};
    for (size_t i = 0; i < BRZ_COUNT_OF(kinds) && m->option == NULL; i++) {
        m->kind = kinds[i];
        m->option = find_in_kind(c, kinds[i], name, len, &m->n);
    }
    return m->option != NULL;
}

/* Sets the option in each component that has it. The pipeline is not certain before all words are
 * parsed, so the run may lack some of several components. */
static void set(const cli_components *c, const match *m, const char *value, const cli_args *a,
                cli_request *r)
{
    for (size_t i = 0; i < c->n; i++) {
        const brz_option *o =
            c->list[i]->kind == m->kind ? find_option(c->list[i], m->name, m->len) : NULL;
        if (o != NULL)
            cli_request_set_component(r, c->list[i], o->name, value, m->n > 1, a);
    }
}

/* Returns whether an option begins with "no-". */
static bool is_negated(const cli_args *a)
{
    return a->name_len > 3 && memcmp(a->name, "no-", 3) == 0;
}

/* Returns the option of a component, or the switch that it turns off; NULL: it has neither. */
static const brz_option *option_of(const brz_component *c, const cli_args *a, bool *is_off)
{
    const brz_option *o = find_option(c, a->name, a->name_len);
    *is_off = o == NULL && is_negated(a);
    return *is_off ? find_option(c, a->name + 3, a->name_len - 3) : o;
}

/* Returns the value of an option, or of a switch that is turned off; NULL after reporting that it
 * is missing. */
static const char *value_of(const brz_option *o, bool is_off, cli_args *a)
{
    if (is_off)
        return "false";
    if (o->type != BRZ_OPTION_BOOL)
        return cli_args_value(a);
    return a->value != NULL ? a->value : "true";
}

/* The components that a search among all of them has found. */
typedef struct found_components {
    const brz_component **list;
    size_t n, cap;
} found_components;

static void add_found(found_components *f, const brz_component *c)
{
    f->list = brz_grow(f->list, f->n, &f->cap, sizeof *f->list);
    f->list[f->n++] = c;
}

/* Finds the components of a kind, 0 for all, that have an option; without `a`, all of the kind. The
 * caller frees the list. */
static found_components find_all(brz_session *s, uint32_t kind, const cli_args *a)
{
    found_components all = {.n = 0};
    const brz_loaded *l;
    brz_tier tier;
    bool shadowed, is_off;
    bool describes = brz_registry_describe(s->registry, true);
    brz_registry_load_all(s->registry, kind);
    brz_registry_describe(s->registry, describes);
    for (size_t i = 0; (l = brz_registry_at(s->registry, i, &tier, &shadowed)) != NULL; i++)
        if (!shadowed && (kind == 0 || l->component->kind == kind) &&
            (a == NULL || option_of(l->component, a, &is_off) != NULL))
            add_found(&all, l->component);
    return all;
}

/* Reports that no component has the option, and suggests a similar name. The format that is guessed
 * may be any. */
static void say_similar(brz_session *s, const cli_args *a, const cli_components *c, bool is_guessed)
{
    found_components all = {.n = 0}, formats = {.n = 0};
    if (is_guessed)
        formats = find_all(s, BRZ_COLLAPSER, NULL);
    for (size_t i = 0; i < c->n; i++)
        add_found(&all, c->list[i]);
    for (size_t i = 0; i < formats.n; i++)
        add_found(&all, formats.list[i]);
    cli_args_say_unknown(a, all.list, all.n);
    free(formats.list);
    free(all.list);
}

/* Returns whether one of the components is an output. */
static bool has_output(const found_components *list)
{
    for (size_t i = 0; i < list->n; i++)
        if (list->list[i]->kind == BRZ_OUTPUT)
            return true;
    return false;
}

/* Reports that no component of the run has the option, and lists others that do: of a command
 * without outputs, another command. */
static void say_owners(brz_session *s, const cli_syntax *syntax, const cli_args *a,
                       const found_components *owners)
{
    static const char *const uses[] = {[BRZ_COLLAPSER] = "from",
                                       [BRZ_PALETTE] = "palette",
                                       [BRZ_OUTPUT] = "to",
                                       [BRZ_TRANSFORM] = "transform"};
    brz_buf b = {0};
    for (size_t i = 0; i < owners->n; i++)
        brz_buf_printf(&b, "%s--%s %s", i > 0 ? ", " : "", uses[owners->list[i]->kind],
                       owners->list[i]->id);
    brz_say(&s->console, BRZ_FATAL, "no option '--%.*s' here; %s one with %s", (int)a->name_len,
            a->name, syntax->lacks_output && has_output(owners) ? "brazier run has" : "there is",
            brz_buf_text(&b));
    brz_buf_finish(&b);
}

/* Returns whether the same words set the option in all formats: it is a switch in each, or none.
 * Only switches are turned off. */
static bool agree(const found_components *formats, const cli_args *a)
{
    size_t n_switches = 0;
    for (size_t i = 0; i < formats->n; i++) {
        bool is_off;
        bool is_switch = option_of(formats->list[i], a, &is_off)->type == BRZ_OPTION_BOOL;
        if (is_off && (!is_switch || a->value != NULL))
            return false;
        n_switches += is_switch;
    }
    return n_switches == 0 || n_switches == formats->n;
}

/* Sets the option in each format that has it: which one the input has is guessed later. Returns
 * false after reporting a missing value. */
static bool set_for_guessed(const found_components *formats, cli_args *a, cli_request *r)
{
    bool is_off;
    const brz_option *o = option_of(formats->list[0], a, &is_off);
    const char *value = value_of(o, is_off, a);
    for (size_t i = 0; i < formats->n && value != NULL; i++)
        cli_request_set_for_guessed(r, formats->list[i],
                                    option_of(formats->list[i], a, &is_off)->name, value, a);
    return value != NULL;
}

/* Reports an option that the run does not have. */
static void say_unknown(brz_session *s, const cli_syntax *syntax, const cli_args *a,
                        const cli_components *c, bool is_guessed)
{
    found_components owners = find_all(s, 0, a);
    if (owners.n > 0 && a->run_option == NULL)
        say_owners(s, syntax, a, &owners);
    else
        say_similar(s, a, c, is_guessed);
    free(owners.list);
}

/* Handles an option that no component of the run has: the format may be guessed. Returns false
 * after reporting an error. */
static bool set_unknown(brz_session *s, const cli_syntax *syntax, const cli_components *c,
                        cli_args *a, cli_request *r)
{
    bool good = false, is_guessed = cli_components_format(c) == NULL;
    found_components formats = {.n = 0};
    if (is_guessed)
        formats = find_all(s, BRZ_COLLAPSER, a);
    if (formats.n > 0 && agree(&formats, a))
        good = set_for_guessed(&formats, a, r);
    else
        say_unknown(s, syntax, a, c, is_guessed);
    free(formats.list);
    return good;
}

static bool has_choice(const brz_option *o, const char *choice)
{
    for (size_t i = 0; o->choices != NULL && o->choices[i] != NULL; i++)
        if (strcmp(o->choices[i], choice) == 0)
            return true;
    return false;
}

/* Returns false after reporting an error if a value is neither a pair for the option of the run nor
 * one of the choices of the component's option with the same name. */
static bool check_pair(const cli_args *a, const brz_option *o, const char *value)
{
    brz_buf choices = {0};
    if (a->run_option == NULL || o->type != BRZ_OPTION_ENUM || has_choice(o, value))
        return true;
    for (size_t i = 0; o->choices[i] != NULL; i++)
        brz_buf_printf(&choices, "%s%s", i > 0 ? ", " : "", o->choices[i]);
    brz_say(a->console, BRZ_FATAL, "--%s takes %s, or one of %s; not '%s'", a->run_option->name,
            a->run_option->takes, brz_buf_text(&choices), value);
    brz_buf_finish(&choices);
    return false;
}

bool cli_components_set(brz_session *s, const cli_syntax *syntax, const cli_components *c,
                        cli_args *a, cli_request *r)
{
    match m;
    bool found = find_match(syntax, c, a->name, a->name_len, &m);
    bool is_off = !found && is_negated(a) && a->value == NULL;
    if (is_off)
        found = find_match(syntax, c, a->name + 3, a->name_len - 3, &m) &&
                m.option->type == BRZ_OPTION_BOOL;
    if (!found)
        return set_unknown(s, syntax, c, a, r);
    const char *value = value_of(m.option, is_off, a);
    if (value == NULL || !check_pair(a, m.option, value))
        return false;
    set(c, &m, value, a, r);
    return true;
}

const brz_component *cli_components_format(const cli_components *c)
{
    for (size_t i = 0; i < c->n; i++)
        if (c->list[i]->kind == BRZ_COLLAPSER)
            return c->list[i];
    return NULL;
}

bool cli_components_format_has(const cli_components *c, const char *name, size_t len)
{
    const brz_component *format = cli_components_format(c);
    return format != NULL && find_option(format, name, len) != NULL;
}

/* ---- other names --------------------------------------------------------------------------- */

/* Sets the source of variation of each palette to the sum of names, or the nearest that the palette
 * has. */
static void set_sum(const cli_components *c, const cli_args *a, cli_request *r)
{
    for (size_t i = 0; i < c->n; i++) {
        const brz_option *o =
            c->list[i]->kind == BRZ_PALETTE ? find_option(c->list[i], "numbers", 7) : NULL;
        if (o != NULL)
            cli_request_set_component(r, c->list[i], o->name,
                                      has_choice(o, "sum") ? "sum" : "deterministic", false, a);
    }
}

/* Sets the option `colors` of the palettes that have it, if the value is one of its choices.
 * Returns false if no palette has such a choice: then the value is the name of a palette. */
static bool set_colors(const cli_components *c, const cli_args *a, cli_request *r)
{
    const match colors = {.name = "colors", .len = 6, .n = 1, .kind = BRZ_PALETTE};
    size_t n;
    const brz_option *o = find_in_kind(c, BRZ_PALETTE, colors.name, colors.len, &n);
    if (o == NULL || !has_choice(o, a->value))
        return false;
    set(c, &colors, a->value, a, r);
    return true;
}

bool cli_components_other_name(const cli_components *c, const cli_args *a, cli_request *r)
{
    const match numbers = {.name = "numbers", .len = 7, .n = 1, .kind = BRZ_PALETTE};
    if (a->option->id == OPT_COLORS)
        return set_colors(c, a, r) || cli_request_set(r, "palette", a->value, a);
    if (a->option->id == OPT_COLORDIFFUSION)
        return cli_request_set(r, "palette", "diffusion", a);
    if (a->option->id == OPT_SUM)
        set_sum(c, a, r);
    else
        set(c, &numbers, a->option->name, a, r);
    return true;
}

/* ---- help ---------------------------------------------------------------------------------- */

void cli_components_print(FILE *out, const cli_components *c, const cli_option *const *tables)
{
    for (size_t i = 0; i < c->n; i++) {
        if (c->list[i]->n_options == 0)
            continue;
        fprintf(out, "\nOptions of the %s %s:\n", brz_component_kind_name(c->list[i]->kind),
                c->list[i]->id);
        cli_print_component_options(out, c->list[i], tables);
    }
}

void cli_components_help(brz_session *s, const cli_syntax *syntax, char **words, FILE *out)
{
    cli_components c;
    if (cli_components_find(s, syntax, words, &c))
        cli_components_print(out, &c, syntax->tables);
}
