/* SPDX-License-Identifier: MIT */
/* Prints the sizes of files and folders as folded stacks, as files.pl does. */
#include "helpers.h"

#include <errno.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "call.h"

/* Returns a byte of a path as a part of a stack: names keep only letters, digits, dots and dashes.
 */
static char stack_byte(char c)
{
    bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                    c == '.' || c == '-';
    if (c == '/')
        return ';';
    if (!is_plain)
        return '_';
    return c;
}

/* Prints a line for a file. The root folder has no name and no line. */
static void print_size(const FTSENT *file, brz_buf *line)
{
    const char *path = file->fts_path + (file->fts_path[0] == '/');
    if (*path == '\0')
        return;
    line->len = 0;
    for (; *path != '\0'; path++)
        brz_buf_add_char(line, stack_byte(*path));
    brz_buf_printf(line, " %lld\n", (long long)file->fts_statp->st_size);
    fwrite(line->data, 1, line->len, stdout);
}

/* Prints the files below the paths, which end with a NULL. */
static void print_sizes(const compat_words *w, char *const *paths, int flags)
{
    brz_buf line = {0};
    const FTSENT *file;
    FTS *walk = fts_open(paths, FTS_PHYSICAL | flags, NULL);
    while (walk != NULL && !ferror(stdout) && (file = fts_read(walk)) != NULL) {
        if (file->fts_info == FTS_DNR || file->fts_info == FTS_NS || file->fts_info == FTS_ERR)
            brz_say(w->console, BRZ_WARNING, "%s: cannot read '%s': %s", w->tool->name,
                    file->fts_path, strerror(file->fts_errno));
        else if (file->fts_info != FTS_DP && file->fts_info != FTS_DC)
            print_size(file, &line);
    }
    if (walk != NULL)
        fts_close(walk);
    brz_buf_finish(&line);
}

/* Returns a copy of a list of paths, without slashes at their ends. */
static char **copy_paths(char **words, size_t n)
{
    char **paths = brz_calloc(n + 1, sizeof *paths);
    for (size_t i = 0; i < n; i++) {
        size_t len = strlen(words[i]);
        paths[i] = brz_memdup(words[i], len + 1);
        while (len > 1 && paths[i][len - 1] == '/')
            paths[i][--len] = '\0';
    }
    return paths;
}

int compat_print_file_sizes(struct cli_compat *c)
{
    const compat_words *w = &c->theirs;
    bool one = compat_noted_value(w, HELPER_ONE_FILE_SYSTEM) != NULL;
    if (w->n == 0) {
        brz_say(w->console, BRZ_FATAL, "%s: expected a folder (--help describes the options)",
                w->tool->name);
        return w->tool->usage_status;
    }
    char **paths = copy_paths(w->list, w->n);
    print_sizes(w, paths, one ? FTS_XDEV : 0);
    for (size_t i = 0; i < w->n; i++)
        free(paths[i]);
    free(paths);
    return 0;
}
