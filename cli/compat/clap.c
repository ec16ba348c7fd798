/* SPDX-License-Identifier: MIT */
/* Parses words like clap, for inferno's programs: full names, combined letters, options anywhere,
 * each at most once. */
#include "readers.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

typedef struct reader {
    compat_words *words;
    char **at; /* the current word */
    const compat_option **seen;
    size_t n_seen, seen_cap;
} reader;

static const compat_option *find(const reader *r, const char *name, size_t len, char letter)
{
    const compat_option *o;
    for (size_t table = 0, row = 0;
         (o = compat_next_option(r->words->tool, &table, &row)) != NULL;) {
        if (letter != 0 && o->letter == letter)
            return o;
        if (letter == 0 && o->name != NULL && strlen(o->name) == len &&
            memcmp(o->name, name, len) == 0)
            return o;
    }
    return NULL;
}

static bool is_seen(const reader *r, const char *name)
{
    for (size_t i = 0; i < r->n_seen; i++)
        if (strcmp(r->seen[i]->name, name) == 0)
            return true;
    return false;
}

/* Returns whether a text is a number of the wanted kind. */
static bool is_number(compat_value wanted, const char *text)
{
    char *end;
    if (wanted == COMPAT_INTEGER)
        return *text != '\0' && text[strspn(text, "0123456789")] == '\0';
    strtod(text, &end);
    return end != text && *end == '\0';
}

/* Returns false after reporting an error if a value that brazier would refuse under the name of its
 * own option is no number. */
static bool check_number(reader *r, const compat_option *o, const char *value)
{
    bool takes_number = o->value == COMPAT_INTEGER || o->value == COMPAT_REAL;
    if (!takes_number || o->ours == NULL || is_number(o->value, value))
        return true;
    return compat_refuse(r->words, "--%s takes a %snumber, not '%s'", o->name,
                         o->value == COMPAT_INTEGER ? "whole " : "", value);
}

static bool add(reader *r, const compat_option *o, const char *value)
{
    if (!check_number(r, o, value))
        return false;
    if (!o->repeats && is_seen(r, o->name))
        return compat_refuse(r->words, "--%s may be given once only", o->name);
    r->seen = brz_grow(r->seen, r->n_seen, &r->seen_cap, sizeof *r->seen);
    r->seen[r->n_seen++] = o;
    return compat_add_option(r->words, o, value);
}

/* Returns the next word as a value, or NULL after reporting an error if it begins with a dash. */
static const char *next_value(reader *r)
{
    const char *value = r->at[1];
    if (value == NULL || (value[0] == '-' && value[1] != '\0')) {
        compat_refuse(r->words, "'%s' needs a value", *r->at);
        return NULL;
    }
    r->at++;
    return value;
}

/* Returns the next word if it is a value, or NULL. */
static const char *optional_value(reader *r)
{
    const char *value = r->at[1];
    if (value == NULL || value[0] == '-')
        return NULL;
    r->at++;
    return value;
}

/* Parses "--name", "--name=value" or "--name value". */
static bool read_long(reader *r, const char *name)
{
    const char *word = *r->at, *equals = strchr(name, '=');
    size_t len = equals != NULL ? (size_t)(equals - name) : strlen(name);
    const compat_option *o = find(r, name, len, 0);
    if (o == NULL)
        return compat_refuse_unknown(r->words, word, name);
    if (o->value == COMPAT_NONE && equals != NULL)
        return compat_refuse(r->words, "this takes no value: '%s'", word);
    if (o->value == COMPAT_NONE)
        return add(r, o, NULL);
    if (o->value == COMPAT_OPTIONAL)
        return add(r, o, equals != NULL ? equals + 1 : optional_value(r));
    const char *value = equals != NULL ? equals + 1 : next_value(r);
    return value != NULL && add(r, o, value);
}

/* Parses "-n4", "-n=4", "-n 4" or "-qv". */
static bool read_letters(reader *r)
{
    const char *word = *r->at;
    for (const char *p = word + 1; *p != '\0'; p++) {
        const compat_option *o = find(r, NULL, 0, *p);
        if (o == NULL)
            return compat_refuse_unknown(r->words, word, word + 1);
        if (o->value == COMPAT_OPTIONAL && p[1] == '\0')
            return add(r, o, optional_value(r));
        if (o->value != COMPAT_NONE) {
            const char *value = p[1] == '=' ? p + 2 : p[1] != '\0' ? p + 1 : next_value(r);
            return value != NULL && add(r, o, value);
        }
        if (!add(r, o, NULL))
            return false;
    }
    return true;
}

static bool take_command(compat_words *w, char **words)
{
    if (*words != NULL)
        w->command = words;
    return true;
}

static bool read_words(reader *r)
{
    bool only_files = false;
    for (; *r->at != NULL; r->at++) {
        const char *word = *r->at;
        bool good = true;
        if (only_files || word[0] != '-' || word[1] == '\0')
            good = compat_add_file(r->words, word);
        else if (strcmp(word, "--") == 0 && r->words->tool->takes_command)
            return take_command(r->words, r->at + 1);
        else if (strcmp(word, "--") == 0)
            only_files = true;
        else
            good = word[1] == '-' ? read_long(r, word + 2) : read_letters(r);
        if (!good)
            return false;
    }
    return true;
}

static bool check_conflicts(const reader *r)
{
    const char *const(*pair)[2] = r->words->tool->conflicts;
    for (; pair != NULL && (*pair)[0] != NULL; pair++)
        if (is_seen(r, (*pair)[0]) && is_seen(r, (*pair)[1]))
            return compat_refuse(r->words, "--%s and --%s exclude each other", (*pair)[0],
                                 (*pair)[1]);
    return true;
}

bool compat_read_clap(compat_words *w, char **words)
{
    reader r = {.words = w, .at = words};
    bool good = read_words(&r) && (w->help || check_conflicts(&r));
    free(r.seen);
    return good;
}
