/* SPDX-License-Identifier: MIT */
/* Parses words like Perl's Getopt::Long in its default configuration: names in any case and
 * abbreviated, after one dash, two, or a plus, options anywhere. Reports all errors before the tool
 * refuses the words. */
#include "readers.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* Returns the name of an option "--name", "-name" or "+name", or NULL. */
static const char *name_in(const char *word)
{
    if (word[0] == '+')
        return word + 1;
    if (word[0] != '-' || word[1] == '\0')
        return NULL;
    return word[1] == '-' ? word + 2 : word + 1;
}

static bool begins_with(const char *name, const char *typed, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (tolower((unsigned char)name[i]) != tolower((unsigned char)typed[i]))
            return false;
    return true;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void refuse_ambiguous(compat_words *w, const char *typed, size_t len)
{
    const char **names = NULL;
    size_t n = 0, cap = 0;
    brz_buf b = {0};
    const compat_option *o;
    brz_buf_printf(&b, "Option ");
    for (size_t i = 0; i < len; i++)
        brz_buf_add_char(&b, (char)tolower((unsigned char)typed[i]));
    for (size_t table = 0, row = 0; (o = compat_next_option(w->tool, &table, &row)) != NULL;)
        if (o->name != NULL && begins_with(o->name, typed, len)) {
            names = brz_grow(names, n, &cap, sizeof *names);
            names[n++] = o->name;
        }
    if (names != NULL)
        qsort(names, n, sizeof *names, compare_names);
    for (size_t i = 0; i < n; i++)
        brz_buf_printf(&b, "%s%s", i > 0 ? ", " : " is ambiguous (", names[i]);
    compat_refuse(w, "%s)", brz_buf_text(&b));
    brz_buf_finish(&b);
    free(names);
}

/* Returns the option with that name or with that unique abbreviation, or NULL after reporting an
 * error. */
static const compat_option *find(compat_words *w, const char *word, const char *typed, size_t len)
{
    const compat_option *o, *found = NULL;
    size_t n = 0;
    for (size_t table = 0, row = 0; (o = compat_next_option(w->tool, &table, &row)) != NULL;) {
        if (o->name == NULL || len == 0 || !begins_with(o->name, typed, len))
            continue;
        if (strlen(o->name) == len)
            return o;
        found = o;
        n++;
    }
    if (n == 1)
        return found;
    if (n > 1)
        refuse_ambiguous(w, typed, len);
    else
        compat_refuse_unknown(w, word, typed);
    return NULL;
}

static bool is_integer(const char *value)
{
    value += *value == '+' || *value == '-';
    value += strspn(value, "_");
    return isdigit((unsigned char)*value) && strspn(value, "0123456789_") == strlen(value);
}

static bool is_real(const char *value)
{
    value += *value == '+' || *value == '-';
    if (!isdigit((unsigned char)value[*value == '.']))
        return false;
    value += strspn(value, "0123456789_");
    if (*value == '.') {
        size_t n = strspn(++value, "0123456789_");
        if (n == 0)
            return false;
        value += n;
    }
    if (*value == 'e' || *value == 'E') {
        value++;
        value += *value == '+' || *value == '-';
        size_t n = strspn(value, "0123456789_");
        if (n == 0)
            return false;
        value += n;
    }
    return *value == '\0';
}

/* Converts a number to brazier's syntax: Perl's may have a leading plus, and underscores among its
 * digits. */
static const char *plain_number(compat_words *w, const char *value)
{
    brz_buf b = {0};
    for (const char *p = value + (*value == '+'); *p != '\0'; p++)
        if (*p != '_')
            brz_buf_add_char(&b, *p);
    const char *plain = brz_arena_str(w->text, brz_buf_str(&b)).data;
    brz_buf_finish(&b);
    return plain;
}

static bool add_value(compat_words *w, const compat_option *o, const char *value)
{
    if (o->value == COMPAT_INTEGER && !is_integer(value))
        return compat_refuse(w, "Value \"%s\" invalid for option %s (number expected)", value,
                             o->name);
    if (o->value == COMPAT_REAL && !is_real(value))
        return compat_refuse(w, "Value \"%s\" invalid for option %s (real number expected)", value,
                             o->name);
    bool is_number = o->value == COMPAT_INTEGER || o->value == COMPAT_REAL;
    return compat_add_option(w, o, is_number ? plain_number(w, value) : value);
}

/* Parses an option and its value, which may be the next word. *at is then the index of the last
 * word used. */
static bool read_option(compat_words *w, char ***at, const char *name)
{
    const char *equals = name[0] == '\0' ? NULL : strchr(name + 1, '=');
    size_t len = equals != NULL ? (size_t)(equals - name) : strlen(name);
    const compat_option *o = find(w, **at, name, len);
    if (o == NULL)
        return false;
    if (o->value == COMPAT_NONE && equals != NULL)
        return compat_refuse(w, "Option %s does not take an argument", o->name);
    if (o->value == COMPAT_NONE)
        return compat_add_option(w, o, NULL);
    if (equals != NULL ? equals[1] == '\0' : (*at)[1] == NULL)
        return compat_refuse(w, "Option %s requires an argument", o->name);
    return add_value(w, o, equals != NULL ? equals + 1 : *++*at);
}

bool compat_read_getopt_long(compat_words *w, char **words)
{
    bool good = true, only_files = false;
    for (char **at = words; *at != NULL; at++) {
        const char *name = only_files ? NULL : name_in(*at);
        if (name == NULL)
            good &= compat_add_file(w, *at);
        else if (strcmp(*at, "--") == 0)
            only_files = true;
        else
            good &= read_option(w, &at, name);
    }
    return good;
}
