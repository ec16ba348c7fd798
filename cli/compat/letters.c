/* SPDX-License-Identifier: MIT */
/* Parses single-letter options of Perl's Getopt::Std and PHP's getopt(). Unlike these, it also
 * accepts options after files, and refuses unknown ones. */
#include "readers.h"

#include <string.h>

static const compat_option *find(const compat_words *w, char letter)
{
    const compat_option *o;
    for (size_t table = 0, row = 0; (o = compat_next_option(w->tool, &table, &row)) != NULL;)
        if (o->letter == letter)
            return o;
    return NULL;
}

static bool read_letters(compat_words *w, const char *word)
{
    for (const char *p = strcmp(word, "--help") == 0 ? "h" : word + 1; *p != '\0'; p++) {
        const compat_option *o = find(w, *p);
        if (o == NULL)
            return compat_refuse_unknown(w, word, word + 1);
        compat_add_option(w, o, NULL);
    }
    return true;
}

bool compat_read_letters(compat_words *w, char **words)
{
    bool good = true, only_files = false;
    for (; *words != NULL && good; words++) {
        const char *word = *words;
        if (only_files || word[0] != '-' || word[1] == '\0')
            good = compat_add_file(w, word);
        else if (strcmp(word, "--") == 0)
            only_files = true;
        else
            good = read_letters(w, word);
    }
    return good;
}
