/* SPDX-License-Identifier: MIT */
/* Restricts the files that a configuration may name. */
#include "config/confinement.h"

#include <brazier/plugin.h>

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void brz_inside_finish(brz_inside *inside)
{
    free(inside->path);
    *inside = (brz_inside){0};
}

void brz_confine_refuse(brz_console *console, const brz_yaml *node, const char *why)
{
    const char *remedy =
        node->file->beneath != NULL
            ? "this file was found, not named; --trust-config or --config allows it"
            : "shipped pipelines follow no links; -o FILE does";
    brz_yaml_say(console, BRZ_FATAL, node, "refused: '%s' %s (%s)", node->text.data, why, remedy);
}

/* Reports a refusal. Returns true if the path is accepted, or for system errors, which are reported
 * when the file is opened. */
static bool accept(brz_console *console, const brz_yaml *node, brz_refusal why)
{
    if (why == BRZ_REFUSED_NOT || why == BRZ_REFUSED_ABSENT)
        return true;
    brz_confine_refuse(console, node, brz_refusal_text(why));
    return false;
}

/* Returns the folder that inputs and outputs are relative to: the working directory or, if that is
 * not below the file's folder, the file's folder. */
static const char *working_directory(const brz_beneath *b, char cwd[PATH_MAX])
{
    char *inside = NULL;
    bool is_below = getcwd(cwd, PATH_MAX) != NULL &&
                    brz_beneath_resolve(b, b->path, cwd, &inside) != BRZ_REFUSED_OUTSIDE;
    free(inside);
    return is_below ? cwd : b->path;
}

/* Checks a path as text; it is relative to `from`. */
static bool resolve(brz_console *console, const brz_yaml *node, const brz_beneath *b,
                    const char *from, brz_inside *inside)
{
    inside->folder = b;
    return accept(console, node, brz_beneath_resolve(b, from, node->text.data, &inside->path));
}

bool brz_confine_input(brz_console *console, const brz_yaml *node, brz_inside *inside)
{
    char cwd[PATH_MAX];
    brz_refusal why = BRZ_REFUSED_NOT;
    if (node->file->beneath == NULL || strcmp(node->text.data, "-") == 0)
        return true;
    const brz_beneath *b = node->file->beneath;
    if (!resolve(console, node, b, working_directory(b, cwd), inside))
        return false;
    int fd = brz_beneath_open_file(inside->folder, inside->path, &why);
    if (fd >= 0)
        close(fd);
    return accept(console, node, why);
}

/* Checks a file that will be created or replaced. */
static bool check_target(brz_console *console, const brz_yaml *node, const brz_inside *inside)
{
    const char *name;
    struct stat st;
    brz_refusal why;
    int dir = brz_beneath_open_parent(inside->folder, inside->path, &name, &why);
    if (dir < 0)
        return accept(console, node, why);
    why = brz_beneath_check_target(dir, name, &st);
    close(dir);
    return accept(console, node, why);
}

static bool is_folder_name(const char *path)
{
    size_t n = strlen(path);
    return n > 0 && path[n - 1] == '/';
}

static bool reach_target(brz_console *console, const brz_yaml *node, const brz_beneath *b,
                         const char *from, brz_inside *inside)
{
    if (!resolve(console, node, b, from, inside))
        return false;
    if (is_folder_name(node->text.data))
        return accept(console, node, BRZ_REFUSED_SPECIAL);
    return check_target(console, node, inside);
}

bool brz_confine_output(brz_console *console, const brz_yaml *node, brz_inside *inside)
{
    char cwd[PATH_MAX];
    const brz_yaml_file *f = node->file;
    const brz_beneath *b = f->beneath != NULL ? f->beneath : f->outputs;
    if (b == NULL || strcmp(node->text.data, "-") == 0)
        return true;
    return reach_target(console, node, b, working_directory(b, cwd), inside);
}

static bool ends_with(const char *text, const char *ending)
{
    size_t n = strlen(text), k = strlen(ending);
    return n > k && strcmp(text + n - k, ending) == 0;
}

bool brz_confine_updated_file(brz_console *console, const brz_yaml *node, const char *ending,
                              brz_inside *inside)
{
    const brz_beneath *b = node->file->beneath;
    if (b == NULL)
        return true;
    if (!reach_target(console, node, b, b->path, inside))
        return false;
    if (ends_with(inside->path, ending))
        return true;
    brz_buf why = {0};
    brz_buf_printf(&why, "does not end in '%s'", ending);
    brz_confine_refuse(console, node, brz_buf_text(&why));
    brz_buf_finish(&why);
    return false;
}

bool brz_confine_option(brz_console *console, const brz_yaml *node)
{
    brz_inside inside = {0};
    const brz_beneath *b = node->file->beneath;
    if (b == NULL)
        return true;
    bool good = resolve(console, node, b, b->path, &inside) &&
                accept(console, node, brz_beneath_check(b, inside.path));
    brz_inside_finish(&inside);
    return good;
}
