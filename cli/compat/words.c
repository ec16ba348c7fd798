/* SPDX-License-Identifier: MIT */
/* Collects brazier's words for a tool's words. */
#include "words.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/suggest.h"

void compat_add(compat_words *w, const char *word)
{
    w->list = brz_grow(w->list, w->n + 1, &w->cap, sizeof *w->list);
    w->list[w->n++] = (char *)(uintptr_t)word;
    w->list[w->n] = NULL;
}

/* Adds the text of a buffer and frees the buffer. */
static void add_copy(compat_words *w, brz_buf *b)
{
    compat_add(w, brz_arena_str(w->text, brz_buf_str(b)).data);
    brz_buf_finish(b);
}

void compat_addf(compat_words *w, const char *format, ...)
{
    brz_buf b = {0};
    va_list args;
    va_start(args, format);
    brz_buf_vprintf(&b, format, args);
    va_end(args);
    add_copy(w, &b);
}

static void note(compat_words *w, int number, const char *value)
{
    w->noted = brz_grow(w->noted, w->n_noted, &w->noted_cap, sizeof *w->noted);
    w->noted[w->n_noted++] = (compat_noted){number, value};
}

const char *compat_noted_value(const compat_words *w, int number)
{
    for (size_t i = w->n_noted; i > 0; i--)
        if (w->noted[i - 1].note == number)
            return w->noted[i - 1].value != NULL ? w->noted[i - 1].value : "";
    return NULL;
}

void compat_words_finish(compat_words *w)
{
    free(w->list);
    free(w->noted);
}

/* ---- messages ------------------------------------------------------------------------------ */

bool compat_refuse(compat_words *w, const char *format, ...)
{
    brz_buf b = {0};
    va_list args;
    va_start(args, format);
    brz_buf_vprintf(&b, format, args);
    va_end(args);
    brz_say(w->console, BRZ_FATAL, "%s: %s", w->tool->name, brz_buf_text(&b));
    brz_buf_finish(&b);
    w->status = w->tool->usage_status;
    return false;
}

bool compat_refuse_unknown(compat_words *w, const char *word, const char *name)
{
    brz_suggestion near = {.typed = brz_str_of(name, strcspn(name, "="))};
    brz_buf b = {0};
    const compat_option *o;
    for (size_t table = 0, row = 0; (o = compat_next_option(w->tool, &table, &row)) != NULL;)
        if (o->name != NULL)
            brz_suggestion_offer(&near, o->name);
    if (near.best != NULL)
        brz_buf_printf(&b, "; did you mean '--%s'?", near.best);
    compat_refuse(w, "no option '%s'%s", word, brz_buf_text(&b));
    brz_buf_finish(&b);
    return false;
}

/* ---- options ------------------------------------------------------------------------------- */

/* Returns whether a text is 0, as awk sees it. */
static bool is_zero(const char *text)
{
    char *end;
    return strtod(text, &end) == 0 && *end == '\0';
}

/* Handles "MODULES=0" and similar variables, which awk accepts among the files. */
static bool take_variable(compat_words *w, const char *word)
{
    const compat_variable *v = w->tool->variables;
    for (; v != NULL && v->name != NULL; v++) {
        size_t n = strlen(v->name);
        if (strncmp(word, v->name, n) != 0 || word[n] != '=')
            continue;
        if (v->ours != NULL && is_zero(word + n + 1) == v->if_zero)
            compat_add(w, v->ours);
        return true;
    }
    return false;
}

/* Returns the unit to append to a value; empty if the value has one. */
static const char *unit_for(const char *value, const char *unit)
{
    size_t len = strlen(value);
    return len > 0 && strchr("0123456789.", value[len - 1]) == NULL ? "" : unit;
}

static bool is_background(const char *value)
{
    static const char *const names[] = {"yellow", "blue", "green", "grey"};
    for (size_t i = 0; i < BRZ_COUNT_OF(names); i++)
        if (strcmp(value, names[i]) == 0)
            return true;
    return value[0] == '#' && strlen(value) == 7 &&
           strspn(value + 1, "0123456789abcdefABCDEF") == 6;
}

bool compat_add_option(compat_words *w, const compat_option *o, const char *value)
{
    if (o->value == COMPAT_BACKGROUND && !is_background(value))
        return compat_refuse(w, "--%s takes yellow, blue, green, grey or #rrggbb, not '%s'",
                             o->name, value);
    if (o->value == COMPAT_VARIABLE)
        return take_variable(w, value) || compat_refuse(w, "no variable '%s'", value);
    if (o->name != NULL && strcmp(o->name, "help") == 0)
        w->help = true;
    if (o->note != 0)
        note(w, o->note, value);
    if (o->ours == NULL)
        return true;
    const char *percent = strchr(o->ours, '%');
    if (percent == NULL || value == NULL) {
        compat_add(w, o->ours);
        return true;
    }
    brz_buf b = {0};
    brz_buf_printf(&b, "%.*s%s%s", (int)(percent - o->ours), o->ours, value,
                   unit_for(value, percent + 1));
    add_copy(w, &b);
    return true;
}

/* ---- files --------------------------------------------------------------------------------- */

/* Returns the errno of opening a file, or 0. */
static int open_error(const char *path)
{
    struct stat is;
    if (strcmp(path, "-") == 0)
        return 0;
    if (stat(path, &is) == 0 && S_ISDIR(is.st_mode))
        return EISDIR;
    return access(path, R_OK) == 0 ? 0 : errno;
}

/* Reports a file that cannot be opened, unless the run does so for this tool. Returns false if the
 * file is left out. */
static bool check_file(compat_words *w, const char *path)
{
    int error = w->tool->missing == COMPAT_MISSING_FAILS ? 0 : open_error(path);
    if (error == 0)
        return true;
    brz_say(w->console, w->tool->missing == COMPAT_MISSING_SKIPS ? BRZ_WARNING : BRZ_FATAL,
            "%s: cannot open '%s': %s", w->tool->name, path, strerror(error));
    if (w->tool->missing == COMPAT_MISSING_ERRNO && w->status < 0)
        w->status = error;
    w->n_missing++;
    return false;
}

bool compat_add_file(compat_words *w, const char *word)
{
    if (take_variable(w, word))
        return true;
    if (w->tool->takes_command)
        return compat_refuse(w,
                             w->tool->subcommand != NULL
                                 ? "'%s' is no option; words for the program follow --, and --bin "
                                   "NAME chooses the program"
                                 : "'%s' is no option; the program and its words follow --",
                             word);
    if (++w->n_files > w->tool->most_files)
        return compat_refuse(w, "one file too many: '%s'", word);
    if (!check_file(w, word))
        return true;
    if (word[0] != '-' || word[1] == '\0') {
        compat_add(w, word);
        return true;
    }
    brz_buf b = {0};
    brz_buf_printf(&b, "./%s", word);
    add_copy(w, &b);
    return true;
}
