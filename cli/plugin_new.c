/* SPDX-License-Identifier: MIT */
/* brazier plugin new: creates a project for a plug-in.
 *
 * The template is part of the SDK and installed beside it, with a folder for each kind and one for
 * common files. If the template is missing, so are the headers that a project needs.
 */
#include "plugin_new.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/ids.h"
#include "base/suggest.h"
#include "base/template.h"
#include "plugin/trust.h"
#include "base/version.h"

enum { OPT_KIND = 1, OPT_DIRECTORY };

const cli_option cli_plugin_new_options[] = {
    {"kind", 0, "collapser|palette|output|transform", "the kind of plug-in", OPT_KIND},
    {"directory", 0, "DIR", "the folder to create, instead of ./NAME", OPT_DIRECTORY},
    {NULL, 0, NULL, NULL, 0},
};

typedef struct new_request {
    const char *name, *kind, *directory;
} new_request;

/* A kind, and the prefix of its files' names. */
static const struct {
    const char *kind, *prefix;
    uint32_t number;
} kinds[] = {
    {"collapser", "collapse", BRZ_COLLAPSER},
    {"palette", "palette", BRZ_PALETTE},
    {"output", "output", BRZ_OUTPUT},
    {"transform", "transform", BRZ_TRANSFORM},
};

#define N_KINDS BRZ_COUNT_OF(kinds)

/* ---- words --------------------------------------------------------------------------------- */

static size_t find_kind(const char *kind)
{
    size_t i = 0;
    while (i < N_KINDS && strcmp(kinds[i].kind, kind) != 0)
        i++;
    return i;
}

/* Reports an unknown kind and suggests one; also recognises prefixes of file names. */
static bool say_no_kind(brz_session *s, const char *kind)
{
    brz_suggestion near = {.typed = brz_str_of_text(kind)};
    brz_buf b = {0};
    for (size_t i = 0; i < N_KINDS; i++) {
        brz_suggestion_offer(&near, kinds[i].kind);
        if (strcmp(kinds[i].prefix, kind) == 0)
            near.best = kinds[i].kind;
    }
    brz_suggestion_add(&near, &b);
    brz_say(&s->console, BRZ_FATAL, "no kind '%s': collapser, palette, output or transform%s", kind,
            brz_buf_text(&b));
    brz_buf_finish(&b);
    return false;
}

/* Appends the valid name that is nearest to an invalid one, or nothing if no letter is left. */
static void add_legal_name(const char *name, brz_buf *b)
{
    for (; *name != '\0' && b->len < BRZ_ID_MAX; name++) {
        char c = *name;
        if (c >= 'A' && c <= 'Z')
            c = (char)(c | 0x20);
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
            brz_buf_add_char(b, c);
        else if (b->len > 0 && b->data[b->len - 1] != '-')
            brz_buf_add_char(b, '-');
    }
    while (b->len > 0 && b->data[b->len - 1] == '-')
        b->data[--b->len] = '\0';
}

static bool say_illegal(brz_session *s, const char *name)
{
    brz_buf legal = {0}, shown = {0};
    add_legal_name(name, &legal);
    brz_add_printable(&shown, brz_str_of_text(name));
    brz_say(&s->console, BRZ_FATAL, "'%s' cannot be a plug-in's name: %s%s%s%s",
            brz_buf_text(&shown), BRZ_ID_RULE, legal.len > 0 ? "; how about '" : "",
            brz_buf_text(&legal), legal.len > 0 ? "'?" : "");
    brz_buf_finish(&legal);
    brz_buf_finish(&shown);
    return false;
}

static bool check_request(brz_session *s, const new_request *r)
{
    if (r->name == NULL || r->kind == NULL) {
        brz_say(&s->console, BRZ_FATAL,
                "%s? brazier plugin new NAME --kind collapser|palette|output|transform",
                r->name == NULL ? "which name" : "of which kind");
        return false;
    }
    if (find_kind(r->kind) == N_KINDS)
        return say_no_kind(s, r->kind);
    if (r->directory != NULL && strcmp(r->directory, "-") == 0) {
        brz_say(&s->console, BRZ_FATAL, "--directory: '-' is not the name of a folder");
        return false;
    }
    return brz_is_id(r->name) || say_illegal(s, r->name);
}

static bool take_words(brz_session *s, char **words, new_request *r)
{
    const cli_option *const tables[] = {cli_plugin_new_options, NULL};
    cli_args a = {.words = words, .tables = tables, .console = &s->console};
    for (cli_token t; (t = cli_args_next(&a)) != CLI_END;) {
        if (t == CLI_WORD && r->name != NULL) {
            brz_say(&s->console, BRZ_FATAL, "one NAME is enough, '%s' is too many", a.value);
            return false;
        }
        if (t == CLI_WORD)
            r->name = a.value;
        else if (t == CLI_OPTION && a.option->id == OPT_KIND)
            r->kind = a.value;
        else if (t == CLI_OPTION)
            r->directory = a.value;
        else if (t == CLI_UNKNOWN)
            cli_args_say_unknown(&a, NULL, 0);
        if (t != CLI_WORD && t != CLI_OPTION)
            return false;
    }
    return check_request(s, r);
}

/* ---- the folder ---------------------------------------------------------------------------- */

/* Returns true if the folder does not exist or is empty. */
static bool is_free(brz_session *s, const char *path)
{
    DIR *dir = opendir(path);
    if (dir == NULL) {
        if (errno != ENOENT)
            brz_say(&s->console, BRZ_FATAL, "%s: %s", path, strerror(errno));
        return errno == ENOENT;
    }
    size_t entries = 0;
    while (readdir(dir) != NULL)
        entries++;
    closedir(dir);
    if (entries > 2) /* itself and its parent */
        brz_say(&s->console, BRZ_FATAL, "%s: exists and is not empty; nothing is written", path);
    return entries <= 2;
}

/* Warns if the host will not load plug-ins from the folder, before the first `make check` does. */
static void warn_of_distrust(brz_session *s, const char *directory)
{
    char path[PATH_MAX];
    brz_buf why = {0};
    if (realpath(directory, path) != NULL && !brz_trust_path(path, &why))
        brz_say(&s->console, BRZ_WARNING, "plug-ins are not loaded from there: %s",
                brz_buf_text(&why));
    brz_buf_finish(&why);
}

/* Notes an existing component with the same name, which would hide the new one or be hidden by it.
 */
static void note_namesake(brz_session *s, const new_request *r)
{
    uint32_t kind = kinds[find_kind(r->kind)].number;
    brz_registry_describe(s->registry, true);
    if (brz_registry_find(s->registry, kind, brz_str_of_text(r->name), NULL) != NULL)
        brz_say(&s->console, BRZ_NOTE, "there is already a %s '%s', which yours will hide", r->kind,
                r->name);
}

static bool write_project(brz_session *s, const new_request *r)
{
    const char *const parts[] = {"common", r->kind};
    char template[PATH_MAX];
    /* the version that the CMake package calls compatible, such as "0.1" of "0.1.0" */
    char version[] = BRZ_VERSION;
    *strrchr(version, '.') = '\0';
    const brz_template_word marks[] = {{"@NAME@", r->name},
                                       {"@PREFIX@", kinds[find_kind(r->kind)].prefix},
                                       {"@BRAZIER@", version},
                                       {NULL, NULL}};
    for (size_t i = 0; i < 2; i++) {
        brz_buf part = {0};
        brz_buf_printf(&part, "template/%s", parts[i]);
        bool found = brz_config_find_shipped(s->registry, brz_buf_text(&part), template);
        brz_buf_finish(&part);
        if (!found) {
            brz_say(&s->console, BRZ_FATAL, "%s: does not exist: brazier's SDK is not installed",
                    template);
            return false;
        }
        if (!brz_template_copy(template, r->directory, marks, &s->console))
            return false;
    }
    return true;
}

int cli_plugin_new(brz_session *s, char **words)
{
    new_request r = {0};
    if (!take_words(s, words, &r))
        return CLI_USAGE;
    if (r.directory == NULL)
        r.directory = r.name;
    if (!is_free(s, r.directory) || !write_project(s, &r))
        return CLI_FAILED;
    note_namesake(s, &r);
    warn_of_distrust(s, r.directory);
    printf("%s: written; next: cd %s && make check\n", r.directory, r.directory);
    return CLI_OK;
}
