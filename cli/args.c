/* Words of a command line. */
#include "args.h"

#include <string.h>

#include "base/suggest.h"
#include "plugin/options.h"

/* Says what is wrong, unless the words are only looked at. */
#define COMPLAIN(a, ...)                                                                           \
    do {                                                                                           \
        if ((a)->console != NULL)                                                                  \
            brz_say((a)->console, BRZ_FATAL, __VA_ARGS__);                                         \
    } while (0)

static const cli_option *find_name(const cli_args *a, const char *name, size_t len)
{
    for (size_t t = 0; a->tables[t] != NULL; t++)
        for (const cli_option *o = a->tables[t]; o->name != NULL; o++)
            if (strlen(o->name) == len && memcmp(o->name, name, len) == 0)
                return o;
    return NULL;
}

static const cli_option *find_letter(const cli_args *a, char letter)
{
    for (size_t t = 0; a->tables[t] != NULL; t++)
        for (const cli_option *o = a->tables[t]; o->name != NULL; o++)
            if (o->letter == letter)
                return o;
    return NULL;
}

const char *cli_args_value(cli_args *a)
{
    if (a->value == NULL)
        a->value = *a->words != NULL ? *a->words++ : NULL;
    if (a->value == NULL)
        COMPLAIN(a, "--%.*s needs a value", (int)a->name_len, a->name);
    return a->value;
}

/* --name, --name=value, --name value */
static cli_token take_long(cli_args *a, const char *word)
{
    a->name = word + 2;
    a->name_len = strcspn(a->name, "=");
    a->value = a->name[a->name_len] == '=' ? a->name + a->name_len + 1 : NULL;
    a->option = find_name(a, a->name, a->name_len);
    if (a->option == NULL)
        return CLI_UNKNOWN;
    if (a->option->value != NULL)
        return cli_args_value(a) != NULL ? CLI_OPTION : CLI_BAD;
    if (a->value == NULL)
        return CLI_OPTION;
    COMPLAIN(a, "--%s takes no value", a->option->name);
    return CLI_BAD;
}

static void say_no_letter(const cli_args *a, char letter)
{
    if (find_name(a, a->word + 1, strlen(a->word) - 1) != NULL)
        COMPLAIN(a, "no option '%s'; did you mean '-%s'?", a->word, a->word);
    else if (strlen(a->word) > 3)
        COMPLAIN(a, "no option '-%c' in '%s'; an option of several letters has two dashes", letter,
                 a->word);
    else
        COMPLAIN(a, "no option '-%c' (--help lists them)", letter);
}

/* -x, -xVALUE, -x VALUE, -xyz */
static cli_token take_letter(cli_args *a)
{
    char letter = *a->letters++;
    a->option = find_letter(a, letter);
    if (a->option == NULL) {
        say_no_letter(a, letter);
        return CLI_BAD;
    }
    a->name = a->option->name;
    a->name_len = strlen(a->name);
    a->value = NULL;
    if (a->option->value == NULL)
        return CLI_OPTION;
    if (*a->letters != '\0')
        a->value = a->letters;
    a->letters = "";
    return cli_args_value(a) != NULL ? CLI_OPTION : CLI_BAD;
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

const char *cli_look_ahead(char **words, const cli_option *const *tables, cli_see_option *see,
                           void *context)
{
    const char *first = NULL;
    cli_args a = {.words = words, .tables = tables};
    for (cli_token t; (t = cli_args_next(&a)) != CLI_END;) {
        if (t == CLI_WORD && first == NULL)
            first = a.value;
        if ((t == CLI_OPTION || t == CLI_WORD) && see != NULL)
            see(context, t == CLI_OPTION ? a.option : NULL, a.value);
    }
    return first;
}

static void offer_all(brz_suggestion *near, const cli_option *table)
{
    for (const cli_option *o = table; o->name != NULL; o++)
        brz_suggestion_offer(near, o->name);
}

void cli_args_say_unknown(const cli_args *a, const brz_component *const *components, size_t n)
{
    brz_suggestion near = {.typed = brz_str_of(a->name, a->name_len)};
    for (size_t t = 0; a->tables[t] != NULL; t++)
        offer_all(&near, a->tables[t]);
    for (size_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < components[i]->n_options; k++)
            brz_suggestion_offer(&near, brz_option_at(components[i], k)->name);
    offer_all(&near, cli_global_options);
    if (near.best != NULL)
        COMPLAIN(a, "no option '--%.*s'; did you mean '--%s'?", (int)a->name_len, a->name,
                 near.best);
    else
        COMPLAIN(a, "no option '--%.*s' (--help lists them)", (int)a->name_len, a->name);
}

/* ---- help ---------------------------------------------------------------------------------- */

#define HELP_COLUMN 30
#define HELP_WIDTH  50 /* of the column; longer words stick out */

/* How many bytes of a text go into a line. */
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

void cli_print_options(FILE *out, const cli_option *table)
{
    for (const cli_option *o = table; o->name != NULL; o++) {
        brz_buf left = {0};
        if (o->help == NULL)
            continue;
        if (o->letter != 0)
            brz_buf_printf(&left, "  -%c, --%s", o->letter, o->name);
        else
            brz_buf_printf(&left, "      --%s", o->name);
        if (o->value != NULL)
            brz_buf_printf(&left, " %s", o->value);
        cli_print_entry(out, brz_buf_text(&left), o->help);
        brz_buf_finish(&left);
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
    for (size_t i = 0; o->choices[i] != NULL; i++)
        brz_buf_printf(b, "%s%s", i > 0 ? "|" : " ", o->choices[i]);
}

void cli_print_component_options(FILE *out, const brz_component *c)
{
    for (uint32_t i = 0; i < c->n_options; i++) {
        const brz_option *o = brz_option_at(c, i);
        brz_buf left = {0}, help = {0};
        if (o->flags & BRZ_OPTION_HIDDEN)
            continue;
        bool is_on = o->type == BRZ_OPTION_BOOL && o->dflt != NULL && strcmp(o->dflt, "true") == 0;
        brz_buf_printf(&left, "      --%s%s", is_on ? "[no-]" : "", o->name);
        if (o->type == BRZ_OPTION_ENUM)
            add_choices(&left, o);
        else if (value_name(o->type) != NULL)
            brz_buf_printf(&left, " %s", value_name(o->type));
        brz_buf_add_text(&help, o->help);
        if (o->dflt != NULL && o->dflt[0] != '\0' && o->type != BRZ_OPTION_BOOL)
            brz_buf_printf(&help, " [%s]", o->dflt);
        cli_print_entry(out, brz_buf_text(&left), brz_buf_text(&help));
        brz_buf_finish(&left);
        brz_buf_finish(&help);
    }
}
