/* SPDX-License-Identifier: MIT */
/* Adds definitions to files. */
#include "format_insert.h"

#include <brazier/text/pieces.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/temporary.h"
#include "base/write_all.h"
#include "base/yaml_tree.h"

/* ---- places ---------------------------------------------------------------------------------- */

/* The place in a file at which a definition is added. */
typedef struct place {
    size_t offset, indent; /* of its first line, and of its name */
    bool is_first;         /* the file has no formats */
} place;

/* Returns the offset of a line, from 1, or the end of the text. */
static size_t line_offset(brz_str text, size_t line)
{
    brz_str rest = text, one;
    while (line > 1 && brz_take_line(&rest, &one))
        line--;
    return text.len - rest.len;
}

/* Finds the place below the line "formats:". Returns false after reporting that the file has no
 * such place. */
static bool find_place(brz_session *s, const brz_yaml_file *f, const char *name, place *at)
{
    const brz_yaml *formats = brz_yaml_get(f->root, "formats"), *same = brz_yaml_get(formats, name);
    *at = (place){.offset = f->len, .indent = 2, .is_first = true};
    if (f->root != NULL && f->root->type != BRZ_YAML_MAP) {
        brz_yaml_say(&s->console, BRZ_FATAL, f->root, "no configuration: a map is needed");
        return false;
    }
    if (same != NULL) {
        brz_yaml_say(&s->console, BRZ_FATAL, same->key, "the format '%s' exists already", name);
        return false;
    }
    if (formats == NULL)
        return true;
    const brz_yaml *first = formats->type == BRZ_YAML_MAP ? formats->first : NULL;
    bool is_block = first != NULL && first->key->line > formats->key->line;
    if (!formats->is_null && !is_block) {
        brz_yaml_say(&s->console, BRZ_FATAL, formats->key,
                     "a format can be added only below 'formats:', with its name on a line");
        return false;
    }
    at->offset = line_offset(brz_str_of(f->text, f->len), formats->key->line + 1);
    at->indent = is_block ? first->key->column - 1 : 2;
    at->is_first = false;
    return true;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Appends a definition. Its first line is needed only in a file without formats. */
static void add_definition(brz_buf *b, brz_str definition, const place *at)
{
    brz_str line;
    if (b->len > 0 && brz_buf_text(b)[b->len - 1] != '\n')
        brz_buf_add_char(b, '\n');
    if (brz_take_line(&definition, &line) && at->is_first)
        brz_buf_printf(b, "%.*s\n", (int)line.len, line.data);
    while (brz_take_line(&definition, &line)) {
        size_t dropped = line.len < 2 ? line.len : 2;
        if (line.len > 0)
            brz_buf_printf(b, "%*s", (int)at->indent, "");
        brz_buf_add_str(b, brz_str_from(line, dropped));
        brz_buf_add_char(b, '\n');
    }
}

static bool replace(brz_session *s, const char *path, const struct stat *like, brz_str text)
{
    brz_temporary t;
    bool good = brz_temporary_create(&t, AT_FDCWD, path, like) &&
                brz_write_all(t.fd, text.data, text.len) && fsync(t.fd) == 0 &&
                brz_temporary_commit(&t);
    if (!good)
        brz_say(&s->console, BRZ_FATAL, "cannot write '%s': %s", path, strerror(errno));
    brz_temporary_finish(&t);
    return good;
}

/* Adds the definition to a file that has been read. */
static bool insert(brz_session *s, const char *path, const struct stat *like,
                   const brz_yaml_file *f, const cli_definition *d)
{
    place at;
    brz_buf b = {0};
    if (!find_place(s, f, d->name, &at))
        return false;
    brz_buf_add(&b, f->text, at.offset);
    add_definition(&b, d->text, &at);
    brz_buf_add(&b, f->text + at.offset, f->len - at.offset);
    bool good = replace(s, path, like, brz_buf_str(&b));
    brz_buf_finish(&b);
    return good;
}

bool cli_format_insert(brz_session *s, const char *file, const cli_definition *d)
{
    struct stat like;
    if (stat(file, &like) != 0 && errno == ENOENT)
        return replace(s, file, NULL, d->text);
    char *path = realpath(file, NULL);
    brz_yaml_file *f = brz_yaml_read(file, &s->console);
    bool good = f != NULL && path != NULL && insert(s, path, &like, f, d);
    if (f != NULL && path == NULL)
        brz_say(&s->console, BRZ_FATAL, "cannot open '%s': %s", file, strerror(errno));
    brz_yaml_destroy(f);
    free(path);
    return good;
}
