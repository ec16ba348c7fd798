/* SPDX-License-Identifier: MIT */
/* Parses the words of a command line. */
#include "args.h"

#include <string.h>

#include "base/suggest.h"
#include "plain.h"
#include "plugin/options.h"

/* Reports an error, unless the words are only inspected. */
#define COMPLAIN(a, ...)                                                                           \
    do {                                                                                           \
        if ((a)->console != NULL)                                                                  \
            brz_say((a)->console, BRZ_FATAL, __VA_ARGS__);                                         \
    } while (0)

/* Returns the i-th option of a run that the command accepts, or NULL after the last one; advances
 * *i. */
static const brz_run_option *next_run_option(const cli_args *a, size_t *i)
{
    const brz_run_option *o;
    while ((o = brz_run_option_at((*i)++)) != NULL)
        if (o->flags & a->sections)
            return o;
    return NULL;
}

static bool is_word(const char *word, const char *name, size_t len)
{
    return word != NULL && strlen(word) == len && memcmp(word, name, len) == 0;
}

/* Finds an option by its name. Returns false if the command does not accept it. */
static bool find_name(cli_args *a, const char *name, size_t len)
{
    a->option = NULL;
    a->run_option = NULL;
    a->is_off = false;
    for (size_t t = 0; a->tables[t] != NULL; t++)
        for (const cli_option *o = a->tables[t]; o->name != NULL; o++)
            if (is_word(o->name, name, len)) {
                a->option = o;
                return true;
            }
    const brz_run_option *o;
    for (size_t i = 0; (o = next_run_option(a, &i)) != NULL;) {
        a->is_off = is_word(o->off, name, len);
        if (a->is_off || is_word(o->name, name, len)) {
            a->run_option = o;
            return true;
        }
    }
    return false;
}

/* Finds an option by its letter and stores its name. Returns false if the command does not accept
 * it. */
static bool find_letter(cli_args *a, char letter)
{
    const brz_run_option *r;
    for (size_t t = 0; a->tables[t] != NULL; t++)
        for (const cli_option *o = a->tables[t]; o->name != NULL; o++)
            if (o->letter == letter) {
                a->name = o->name;
                return find_name(a, a->name, a->name_len = strlen(a->name));
            }
    for (size_t i = 0; (r = next_run_option(a, &i)) != NULL;)
        if (r->letter == letter) {
            a->name = r->name;
            return find_name(a, a->name, a->name_len = strlen(a->name));
        }
    return false;
}

static bool takes_value(const cli_args *a)
{
    return (a->option != NULL ? a->option->value : a->run_option->value) != NULL;
}

/* Returns whether an option that stands alone may have a value after '='. */
static bool may_take_value(const cli_args *a)
{
    return a->option == NULL && a->run_option->type == BRZ_RUN_CHOICE;
}

static cli_token kind_of_option(const cli_args *a)
{
    return a->option != NULL ? CLI_OPTION : CLI_RUN_OPTION;
}

const char *cli_args_value(cli_args *a)
{
    if (a->value == NULL)
        a->value = *a->words != NULL ? *a->words++ : NULL;
    if (a->value == NULL)
        COMPLAIN(a, "--%.*s needs a value", (int)a->name_len, a->name);
    return a->value;
}

/* Returns whether the value of an option is that of a component's option with the same name. */
static bool is_of_component(const cli_args *a)
{
    const char *value = a->value != NULL ? a->value : *a->words;
    return a->run_option != NULL && (a->run_option->flags & BRZ_RUN_PAIR) && value != NULL &&
           strchr(value, '=') == NULL;
}

/* Parses --name, --name=value and --name value. */
static cli_token take_long(cli_args *a, const char *word)
{
    a->is_letter = false;
    a->name = word + 2;
    a->name_len = (size_t)(strchrnul(a->name, '=') - a->name);
    a->value = a->name[a->name_len] == '=' ? a->name + a->name_len + 1 : NULL;
    if (!find_name(a, a->name, a->name_len) || is_of_component(a))
        return CLI_UNKNOWN;
    if (takes_value(a))
        return cli_args_value(a) != NULL ? kind_of_option(a) : CLI_BAD;
    if (a->value == NULL || may_take_value(a))
        return kind_of_option(a);
    COMPLAIN(a, "--%.*s takes no value", (int)a->name_len, a->name);
    return CLI_BAD;
}

static void say_no_letter(cli_args *a, char letter)
{
    if (find_name(a, a->word + 1, strlen(a->word) - 1))
        COMPLAIN(a, "no option '%s'; did you mean '-%s'?", a->word, a->word);
    else if (strlen(a->word) > 3)
        COMPLAIN(a, "no option '-%c' in '%s'; an option of several letters has two dashes", letter,
                 a->word);
    else
        COMPLAIN(a, "no option '-%c' (--help lists them)", letter);
}

/* Parses -x, -xVALUE, -x VALUE and -xyz. */
static cli_token take_letter(cli_args *a)
{
    char letter = *a->letters++;
    a->is_letter = true;
    if (!find_letter(a, letter)) {
        say_no_letter(a, letter);
        return CLI_BAD;
    }
    a->value = NULL;
    if (!takes_value(a))
        return kind_of_option(a);
    if (*a->letters != '\0')
        a->value = a->letters;
    a->letters = "";
    return cli_args_value(a) != NULL ? kind_of_option(a) : CLI_BAD;
}

cli_token cli_args_next(cli_args *a)
{
    if (a->letters != NULL && *a->letters != '\0')
        return take_letter(a);
    const char *word = *a->words;
    if (word == NULL)
        return CLI_END;
    a->words++;
    if (!a->only_words && strcmp(word, "--") == 0) {
        a->only_words = true;
        return cli_args_next(a);
    }
    if (a->only_words || word[0] != '-' || word[1] == '\0') {
        a->value = word;
        return CLI_WORD;
    }
    if (word[1] == '-')
        return take_long(a, word);
    a->word = word;
    a->letters = word + 1;
    return take_letter(a);
}

const char *cli_look_ahead(cli_args a, cli_see_fn *see, void *context)
{
    const char *first = NULL;
    for (cli_token t; (t = cli_args_next(&a)) != CLI_END;) {
        if (t == CLI_WORD && first == NULL)
            first = a.value;
        if ((t == CLI_OPTION || t == CLI_RUN_OPTION || t == CLI_WORD) && see != NULL)
            see(context, t, &a);
    }
    return first;
}

static void offer_all(brz_suggestion *near, const cli_option *table)
{
    for (const cli_option *o = table; o->name != NULL; o++)
        brz_suggestion_offer(near, o->name);
}

static void offer_run_options(brz_suggestion *near, const cli_args *a)
{
    const brz_run_option *o;
    for (size_t i = 0; (o = next_run_option(a, &i)) != NULL;) {
        brz_suggestion_offer(near, o->name);
        if (o->off != NULL)
            brz_suggestion_offer(near, o->off);
    }
}

/* Offers the name that turns a switch off. If it is the nearest word, *word keeps it. */
static void offer_negated(brz_suggestion *near, const char *name, brz_buf *word)
{
    brz_buf negated = {0};
    brz_buf_printf(&negated, "no-%s", name);
    brz_suggestion_offer(near, brz_buf_text(&negated));
    if (near->best == brz_buf_text(&negated)) {
        brz_buf_finish(word);
        *word = negated;
    } else {
        brz_buf_finish(&negated);
    }
}

/* Returns whether an option is a switch that is on, or off, by default. */
static bool is_switch(const brz_option *o, bool is_on)
{
    return o->type == BRZ_OPTION_BOOL && is_on == (o->dflt != NULL && strcmp(o->dflt, "true") == 0);
}

/* Offers the options of components, then the names that turn switches off: first of those that are
 * on by default. */
static void offer_options(brz_suggestion *near, const brz_component *const *components, size_t n,
                          brz_buf *word)
{
    for (size_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < components[i]->n_options; k++)
            brz_suggestion_offer(near, brz_option_at(components[i], k)->name);
    for (size_t i = 0; i < 2 * n; i++) {
        const brz_component *c = components[i % n];
        for (uint32_t k = 0; k < c->n_options; k++)
            if (is_switch(brz_option_at(c, k), i < n))
                offer_negated(near, brz_option_at(c, k)->name, word);
    }
}

/* Options of one command that users look for in others. */
static const struct {
    const char *option, *command;
} elsewhere[] = {
    {"files-from", "merge"},    {"web", "view"},          {"editor", "view"},
    {"pid", "record"},          {"tid", "record"},        {"freq", "record"},
    {"event", "record"},        {"call-graph", "record"}, {"all-cpus", "record"},
    {"cgroup", "record"},       {"duration", "record"},   {"every", "record"},
    {"save", "record"},         {"open", "record"},       {"live", "record"},
    {"root", "record"},         {"keep-for", "record"},   {"wakeup", "record"},
    {"post-process", "record"},
};

/* Returns the command that has an option which this one lacks, or NULL. */
static const char *command_with(const cli_args *a)
{
    const brz_run_option *o;
    for (size_t i = 0; i < BRZ_COUNT_OF(elsewhere); i++)
        if (is_word(elsewhere[i].option, a->name, a->name_len))
            return elsewhere[i].command;
    for (size_t i = 0; (o = brz_run_option_at(i)) != NULL; i++)
        if (is_word(o->name, a->name, a->name_len) && (o->flags & BRZ_RUN_ABOUT_DIFF))
            return "diff";
    return NULL;
}

void cli_args_say_unknown(const cli_args *a, const brz_component *const *components, size_t n)
{
    brz_suggestion near = {.typed = brz_str_of(a->name, a->name_len)};
    brz_buf word = {0};
    if (a->run_option != NULL) {
        COMPLAIN(a, "--%s takes %s", a->run_option->name, a->run_option->takes);
        return;
    }
    const char *command = command_with(a);
    if (command != NULL) {
        COMPLAIN(a, "no option '--%.*s' here; brazier %s has it", (int)a->name_len, a->name,
                 command);
        return;
    }
    for (size_t t = 0; a->tables[t] != NULL; t++)
        offer_all(&near, a->tables[t]);
    offer_run_options(&near, a);
    offer_options(&near, components, n, &word);
    offer_all(&near, cli_global_options);
    if (near.best != NULL)
        COMPLAIN(a, "no option '--%.*s'; did you mean '--%s'?", (int)a->name_len, a->name,
                 near.best);
    else
        COMPLAIN(a, "no option '--%.*s' (--help lists them)", (int)a->name_len, a->name);
    brz_buf_finish(&word);
}

/* ---- help ---------------------------------------------------------------------------------- */

#define HELP_COLUMN 30
#define HELP_WIDTH  50 /* width of the column; longer words exceed it */

/* Returns the number of bytes of a text that fit into a line. */
static size_t line_length(const char *text)
{
    size_t n = strcspn(text, " "), next = n;
    while (text[next] == ' ') {
        next += 1 + strcspn(text + next + 1, " ");
        if (next > HELP_WIDTH)
            break;
        n = next;
    }
    return n;
}

void cli_print_entry(FILE *out, const char *left, const char *help)
{
    size_t len = strlen(left);
    bool beside = len + 2 <= HELP_COLUMN;
    fputs(left, out);
    if (!beside)
        fputc('\n', out);
    for (int pad = beside ? HELP_COLUMN - (int)len : HELP_COLUMN;; pad = HELP_COLUMN) {
        size_t n = line_length(help);
        fprintf(out, "%*s%.*s\n", pad, "", (int)n, help);
        help += n + strspn(help + n, " ");
        if (*help == '\0')
            return;
    }
}

/* Begins the entry of an option; of one that is on by default, with the word that turns it off. */
static void add_words(brz_buf *b, char letter, const char *name, bool is_on)
{
    if (letter != 0)
        brz_buf_printf(b, "  -%c, ", letter);
    else
        brz_buf_add_text(b, "      ");
    brz_buf_printf(b, "--%s%s", is_on ? "[no-]" : "", name);
}

static void print_option(FILE *out, char letter, const char *name, bool is_on, const char *value,
                         const char *help)
{
    brz_buf left = {0};
    add_words(&left, letter, name, is_on);
    if (value != NULL)
        brz_buf_printf(&left, " %s", value);
    cli_print_entry(out, brz_buf_text(&left), help);
    brz_buf_finish(&left);
}

void cli_print_options(FILE *out, const cli_option *table)
{
    for (const cli_option *o = table; o->name != NULL; o++)
        if (o->help != NULL)
            print_option(out, o->letter, o->name, false, o->value, o->help);
}

/* Returns whether a table, or NULL, has an option with this letter. */
static bool has_letter(const cli_option *table, char letter)
{
    for (const cli_option *o = table; o != NULL && o->name != NULL; o++)
        if (o->letter == letter)
            return true;
    return false;
}

static bool is_among(const char *const *names, const char *name)
{
    while (names != NULL && *names != NULL && strcmp(*names, name) != 0)
        names++;
    return names != NULL && *names != NULL;
}

void cli_print_run_options(FILE *out, unsigned sections, const cli_option *table,
                           const char *const *refused)
{
    const brz_run_option *o;
    for (size_t i = 0; (o = brz_run_option_at(i)) != NULL; i++) {
        brz_buf help = {0};
        if (!(o->flags & sections) || (o->flags & BRZ_RUN_HIDDEN) || is_among(refused, o->name))
            continue;
        brz_buf_add_text(&help, brz_run_option_help(o));
        if (o->dflt != NULL)
            brz_buf_printf(&help, " [%s]", o->dflt);
        char letter = o->letter;
        if (has_letter(table, letter))
            letter = '\0';
        bool is_on = (o->flags & BRZ_RUN_IS_ON) != 0;
        print_option(out, letter, o->name, is_on, o->value, brz_buf_text(&help));
        brz_buf_finish(&help);
    }
}

static const char *value_name(uint32_t type)
{
    switch (type) {
    case BRZ_OPTION_BOOL:
        return NULL;
    case BRZ_OPTION_INT:
    case BRZ_OPTION_REAL:
        return "NUMBER";
    case BRZ_OPTION_SIZE:
        return "SIZE";
    case BRZ_OPTION_DURATION:
        return "DURATION";
    case BRZ_OPTION_COLOR:
        return "COLOR";
    default:
        return "TEXT";
    }
}

static void add_choices(brz_buf *b, const brz_option *o)
{
    for (size_t i = 0; o->choices[i] != NULL; i++) {
        brz_buf_add_char(b, i > 0 ? '|' : ' ');
        cli_add_plain(b, o->choices[i]);
    }
}

/* Appends an option and its values. */
static void add_left(brz_buf *b, const brz_option *o)
{
    add_words(b, '\0', o->name, is_switch(o, true));
    if (o->type == BRZ_OPTION_ENUM)
        add_choices(b, o);
    else if (value_name(o->type) != NULL)
        brz_buf_printf(b, " %s", value_name(o->type));
}

/* Returns whether one of the tables, or NULL, has an option with this name that --help shows. */
static bool has_name(const cli_option *const *tables, const char *name)
{
    for (; tables != NULL && *tables != NULL; tables++)
        for (const cli_option *o = *tables; o->name != NULL; o++)
            if (o->help != NULL && strcmp(o->name, name) == 0)
                return true;
    return false;
}

void cli_print_component_options(FILE *out, const brz_component *c, const cli_option *const *tables)
{
    for (uint32_t i = 0; i < c->n_options; i++) {
        const brz_option *o = brz_option_at(c, i);
        brz_buf left = {0}, help = {0}, dflt = {0};
        if ((o->flags & BRZ_OPTION_HIDDEN) || has_name(tables, o->name))
            continue;
        add_left(&left, o);
        cli_add_plain(&help, o->help);
        if (o->dflt != NULL && o->dflt[0] != '\0' && o->type != BRZ_OPTION_BOOL)
            brz_buf_printf(&help, " [%s]", cli_add_plain(&dflt, o->dflt));
        cli_print_entry(out, brz_buf_text(&left), brz_buf_text(&help));
        brz_buf_finish(&left);
        brz_buf_finish(&help);
        brz_buf_finish(&dflt);
    }
}
