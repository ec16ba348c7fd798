/* SPDX-License-Identifier: MIT */
/* Reads YAML files as trees of nodes with positions. */
#include "base/yaml_tree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <yaml.h>

#include "base/mem.h"
#include "base/utf8.h"

/* ---- messages ------------------------------------------------------------------------------ */

/* Returns the length of the line break at `p`, or 0. Recognises the line breaks of YAML 1.1, by
 * which libyaml counts lines. */
static size_t break_at(const char *p, const char *end)
{
    static const char *const breaks[] = {"\r\n",     "\n",           "\r",
                                         "\xc2\x85", "\xe2\x80\xa8", "\xe2\x80\xa9"};
    if (p == end || (*p != '\r' && *p != '\n' && *p != '\xc2' && *p != '\xe2'))
        return 0;
    for (size_t i = 0; i < BRZ_COUNT_OF(breaks); i++) {
        size_t n = strlen(breaks[i]);
        if ((size_t)(end - p) >= n && memcmp(p, breaks[i], n) == 0)
            return n;
    }
    return 0;
}

/* Returns the text of a line, counted from 1, without a byte order mark. */
static brz_str line_of(const brz_yaml_file *f, size_t line)
{
    const char *p = f->text, *end = f->text + f->len, *stop;
    if (f->len >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0)
        p += 3;
    for (;; p = stop + break_at(stop, end)) {
        for (stop = p; stop < end && break_at(stop, end) == 0;)
            stop++;
        if (--line == 0)
            return brz_str_of(p, (size_t)(stop - p));
        if (stop == end)
            return brz_str_of(end, 0);
    }
}

static void say_at(brz_console *c, int32_t severity, const brz_yaml_file *f, size_t line,
                   size_t column, size_t len, brz_str msg)
{
    brz_str text = line_of(f, line);
    size_t caret = 0; /* libyaml counts characters */
    for (size_t k = 1; k < column && caret < text.len; k++) {
        size_t n = brz_utf8_length(text.data + caret, text.len - caret);
        caret += n > 0 ? n : 1;
    }
    brz_notice r = {
        .severity = severity,
        .code = BRZ_SAYS_CONFIG,
        .msg = msg,
        .line = line,
        .column = column,
        .len = len,
        .count = 1,
        .input = brz_str_of_text(f->name),
    };
    brz_notice_show_line(&r, text, caret > 100 ? caret - 60 : 0, caret);
    brz_say_notice(c, &r);
}

/* Returns whether this message is new for the node's position, and records it. */
static bool is_new(const brz_yaml *node, brz_str msg)
{
    brz_yaml_file *f = node->file;
    for (const brz_yaml_said *s = f->said; s != NULL; s = s->next)
        if (s->line == node->line && s->column == node->column && s->msg.len == msg.len &&
            memcmp(s->msg.data, msg.data, msg.len) == 0)
            return false;
    brz_yaml_said *said = brz_arena_alloc(&f->memory, sizeof *said, 0);
    *said = (brz_yaml_said){node->line, node->column, brz_arena_str(&f->memory, msg), f->said};
    f->said = said;
    return true;
}

const char *brz_yaml_origin(const brz_yaml *node, brz_arena *texts)
{
    brz_buf b = {0};
    brz_buf_printf(&b, "%s:%zu", node->file->name, node->line);
    const char *origin = brz_arena_str(texts, brz_buf_str(&b)).data;
    brz_buf_finish(&b);
    return origin;
}

void brz_yaml_say(brz_console *c, int32_t severity, const brz_yaml *node, const char *format, ...)
{
    va_list args;
    brz_buf b = {0};
    va_start(args, format);
    brz_buf_vprintf(&b, format, args);
    va_end(args);
    size_t len = node->type == BRZ_YAML_SCALAR ? node->text.len : 1;
    bool is_heard = c->out != NULL || c->report != NULL;
    if (!is_heard || is_new(node, brz_buf_str(&b)))
        say_at(c, severity, node->file, node->line, node->column, len, brz_buf_str(&b));
    brz_buf_finish(&b);
}

/* ---- building ------------------------------------------------------------------------------ */

typedef struct anchor {
    brz_str name;
    brz_yaml *node; /* NULL until it is complete: an alias inside it would be a cycle */
    size_t nodes;   /* number of nodes in it */
} anchor;

typedef struct builder {
    brz_yaml_file *file;
    brz_console *console;
    yaml_parser_t parser;
    anchor *anchors;
    size_t n_anchors, anchors_cap;
    size_t nodes, depth;
    bool failed;
} builder;

static brz_yaml *fail(builder *b, const yaml_mark_t *at, const char *why)
{
    if (!b->failed)
        say_at(b->console, BRZ_FATAL, b->file, at->line + 1, at->column + 1, 1,
               brz_str_of_text(why));
    b->failed = true;
    return NULL;
}

static brz_yaml *new_node(builder *b, brz_yaml_type type, const yaml_mark_t *at)
{
    brz_yaml *n = brz_arena_alloc(&b->file->memory, sizeof *n, 0);
    n->type = type;
    n->file = b->file;
    n->line = at->line + 1;
    n->column = at->column + 1;
    if (++b->nodes > BRZ_YAML_MAX_NODES)
        return fail(b, at, "too many nodes");
    return n;
}

/* Returns the line and column of a byte, as libyaml counts them. */
static yaml_mark_t mark_of(const brz_yaml_file *f, size_t offset)
{
    yaml_mark_t mark = {0};
    const char *p = f->text, *end = p + f->len, *at = offset < f->len ? p + offset : end;
    if (f->len >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0)
        p += 3;
    while (p < at) {
        size_t n = break_at(p, end);
        mark.line += n > 0;
        mark.column = n > 0 ? 0 : mark.column + 1;
        n = n > 0 ? n : brz_utf8_length(p, (size_t)(end - p));
        p += n > 0 ? n : 1;
    }
    return mark;
}

/* Returns whether a tab is among the spaces at the beginning of a line, counted from 0. */
static bool is_indented_by_tab(const brz_yaml_file *f, size_t line)
{
    const char *p = f->text, *end = p + f->len;
    while (line > 0 && p < end) {
        size_t n = break_at(p, end);
        line -= n > 0;
        p += n > 0 ? n : 1;
    }
    while (p < end && *p == ' ')
        p++;
    return p < end && *p == '\t';
}

static bool next_event(builder *b, yaml_event_t *e)
{
    if (b->failed)
        return false;
    if (yaml_parser_parse(&b->parser, e))
        return true;
    if (b->parser.error == YAML_MEMORY_ERROR || b->parser.error == YAML_NO_ERROR)
        brz_out_of_memory(0);                   /* libyaml does not always set the error */
    if (b->parser.error == YAML_READER_ERROR) { /* its mark is the parser's, not the reader's */
        yaml_mark_t mark = mark_of(b->file, b->parser.problem_offset);
        fail(b, &mark, b->parser.problem);
        return false;
    }
    const yaml_mark_t *at = b->parser.problem_mark.line + b->parser.problem_mark.column > 0
                                ? &b->parser.problem_mark
                                : &b->parser.mark;
    if (is_indented_by_tab(b->file, at->line))
        fail(b, at, "a tab indents the line; YAML allows only spaces");
    else
        fail(b, at, b->parser.problem != NULL ? b->parser.problem : "not YAML");
    return false;
}

static size_t begin_anchor(builder *b, const yaml_char_t *name)
{
    if (name == NULL)
        return SIZE_MAX;
    const char *text = (const char *)name;
    b->anchors = brz_grow(b->anchors, b->n_anchors, &b->anchors_cap, sizeof *b->anchors);
    b->anchors[b->n_anchors] =
        (anchor){brz_arena_str(&b->file->memory, brz_str_of_text(text)), NULL, b->nodes};
    return b->n_anchors++;
}

static void end_anchor(builder *b, size_t i, brz_yaml *node)
{
    if (i == SIZE_MAX)
        return;
    b->anchors[i].node = node;
    b->anchors[i].nodes = b->nodes - b->anchors[i].nodes;
}

/* Copies a node recursively, because each use is merged separately. */
static brz_yaml *copy_node(builder *b, const brz_yaml *n)
{
    brz_yaml *copy = brz_arena_alloc(&b->file->memory, sizeof *copy, 0);
    *copy = *n;
    copy->next = NULL;
    brz_yaml **at = &copy->first;
    for (const brz_yaml *child = n->first; child != NULL; child = child->next) {
        *at = copy_node(b, child);
        at = &(*at)->next;
    }
    return copy;
}

static brz_yaml *resolve_alias(builder *b, const yaml_event_t *e)
{
    const char *name = (const char *)e->data.alias.anchor;
    for (size_t i = b->n_anchors; i-- > 0;) {
        const anchor *a = &b->anchors[i];
        if (strlen(name) != a->name.len || memcmp(name, a->name.data, a->name.len) != 0)
            continue;
        if (a->node == NULL)
            return fail(b, &e->start_mark, "an alias to a node that contains it");
        b->nodes += a->nodes;
        if (b->nodes > BRZ_YAML_MAX_NODES)
            return fail(b, &e->start_mark, "too many nodes");
        brz_yaml *copy = copy_node(b, a->node);
        copy->key = NULL;
        return copy;
    }
    return fail(b, &e->start_mark, "an alias to an unknown anchor");
}

static brz_yaml *read_node(builder *b, const yaml_event_t *e);

static brz_yaml *read_scalar(builder *b, const yaml_event_t *e)
{
    brz_yaml *n = new_node(b, BRZ_YAML_SCALAR, &e->start_mark);
    if (n == NULL)
        return NULL;
    brz_str text = brz_str_of((const char *)e->data.scalar.value, e->data.scalar.length);
    if (memchr(text.data, '\0', text.len) != NULL) /* a reader of paths would stop there */
        return fail(b, &e->start_mark, "a text with a NUL character");
    n->text = brz_arena_str(&b->file->memory, text);
    bool plain = e->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    n->is_null = plain && (text.len == 0 || strcmp(n->text.data, "~") == 0 ||
                           strcmp(n->text.data, "null") == 0);
    return n;
}

static bool check_key(builder *b, const brz_yaml *map, const brz_yaml *key, const yaml_mark_t *at)
{
    if (key->type != BRZ_YAML_SCALAR) {
        fail(b, at, "a key must be a word");
        return false;
    }
    const brz_yaml *earlier = brz_yaml_get(map, key->text.data);
    if (earlier == NULL)
        return true;
    brz_buf text = {0};
    brz_buf_printf(&text, "duplicate key '%s', first in line %zu", key->text.data,
                   earlier->key->line);
    fail(b, at, brz_buf_text(&text));
    brz_buf_finish(&text);
    return false;
}

/* Reads children up to the end of their list or map. */
static brz_yaml *read_children(builder *b, brz_yaml *parent)
{
    brz_yaml **at = &parent->first, *key = NULL;
    if (++b->depth > BRZ_YAML_MAX_DEPTH)
        return fail(b, &b->parser.mark, "nested too deeply");
    for (;;) {
        yaml_event_t e;
        if (!next_event(b, &e))
            return NULL;
        bool end = e.type == YAML_SEQUENCE_END_EVENT || e.type == YAML_MAPPING_END_EVENT;
        brz_yaml *n = end ? NULL : read_node(b, &e);
        if (n != NULL && parent->type == BRZ_YAML_MAP && key == NULL) {
            key = check_key(b, parent, n, &e.start_mark) ? n : NULL;
            n = NULL;
        }
        yaml_event_delete(&e);
        if (end || b->failed)
            break;
        if (n == NULL)
            continue;
        n->key = key;
        key = NULL;
        *at = n;
        at = &n->next;
        parent->n_children++;
    }
    b->depth--;
    return b->failed ? NULL : parent;
}

/* Reads the node that begins with an event. */
static brz_yaml *read_node(builder *b, const yaml_event_t *e)
{
    brz_yaml *n;
    size_t mark;
    switch (e->type) {
    case YAML_ALIAS_EVENT:
        return resolve_alias(b, e);
    case YAML_SCALAR_EVENT:
        mark = begin_anchor(b, e->data.scalar.anchor);
        n = read_scalar(b, e);
        break;
    case YAML_SEQUENCE_START_EVENT:
        mark = begin_anchor(b, e->data.sequence_start.anchor);
        n = new_node(b, BRZ_YAML_LIST, &e->start_mark);
        n = n == NULL ? NULL : read_children(b, n);
        break;
    case YAML_MAPPING_START_EVENT:
        mark = begin_anchor(b, e->data.mapping_start.anchor);
        n = new_node(b, BRZ_YAML_MAP, &e->start_mark);
        n = n == NULL ? NULL : read_children(b, n);
        break;
    default:
        return fail(b, &e->start_mark, "not a value");
    }
    end_anchor(b, mark, n);
    return n;
}

static void read_documents(builder *b)
{
    yaml_event_t e;
    bool end = false;
    while (!end && next_event(b, &e)) {
        end = e.type == YAML_STREAM_END_EVENT;
        if (e.type == YAML_DOCUMENT_START_EVENT && b->file->root != NULL)
            fail(b, &e.start_mark, "a second document: only one is read");
        bool node = e.type == YAML_SCALAR_EVENT || e.type == YAML_SEQUENCE_START_EVENT ||
                    e.type == YAML_MAPPING_START_EVENT || e.type == YAML_ALIAS_EVENT;
        if (node)
            b->file->root = read_node(b, &e);
        yaml_event_delete(&e);
    }
}

brz_yaml_file *brz_yaml_parse(const char *text, size_t len, const char *name, brz_console *console)
{
    brz_yaml_file *f = brz_calloc(1, sizeof *f);
    f->name = brz_memdup(name, strlen(name));
    f->text = brz_memdup(text, len);
    f->len = len;
    builder b = {.file = f, .console = console};
    if (!yaml_parser_initialize(&b.parser))
        brz_out_of_memory(0);
    yaml_parser_set_input_string(&b.parser, (const unsigned char *)f->text, len);
    read_documents(&b);
    yaml_parser_delete(&b.parser);
    free(b.anchors);
    if (!b.failed)
        return f;
    brz_yaml_destroy(f);
    return NULL;
}

/* Reads and closes `in`, which is NULL if opening failed. */
static brz_yaml_file *read_file(FILE *in, const char *path, brz_console *console)
{
    if (in == NULL && errno == ENOMEM)
        brz_out_of_memory(0);
    if (in == NULL) {
        brz_say(console, BRZ_FATAL, "cannot open '%s': %s", path, strerror(errno));
        return NULL;
    }
    char *text = brz_malloc(BRZ_YAML_MAX_SIZE + 1);
    size_t len = fread(text, 1, BRZ_YAML_MAX_SIZE + 1, in);
    int bad = ferror(in) != 0 ? errno : 0;
    fclose(in);
    brz_yaml_file *f = NULL;
    if (bad != 0)
        brz_say(console, BRZ_FATAL, "cannot read '%s': %s", path, strerror(bad));
    else if (len > BRZ_YAML_MAX_SIZE)
        brz_say(console, BRZ_FATAL, "'%s' is too large for a configuration", path);
    else
        f = brz_yaml_parse(text, len, path, console);
    free(text);
    return f;
}

brz_yaml_file *brz_yaml_read(const char *path, brz_console *console)
{
    if (strcmp(path, "-") == 0)
        return brz_yaml_read_open(fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0), "stdin", console);
    return read_file(fopen(path, "re"), path, console);
}

brz_yaml_file *brz_yaml_read_open(int fd, const char *name, brz_console *console)
{
    FILE *in = fdopen(fd, "r");
    if (in == NULL)
        close(fd);
    return read_file(in, name, console);
}

void brz_yaml_destroy(brz_yaml_file *f)
{
    if (f == NULL)
        return;
    brz_arena_finish(&f->memory);
    free(f->name);
    free(f->text);
    free(f);
}

/* ---- queries -------------------------------------------------------------------------------- */

bool brz_yaml_is(const brz_yaml *scalar, const char *word)
{
    return scalar != NULL && scalar->type == BRZ_YAML_SCALAR && scalar->text.len == strlen(word) &&
           memcmp(scalar->text.data, word, scalar->text.len) == 0;
}

brz_yaml *brz_yaml_get(const brz_yaml *map, const char *key)
{
    if (map == NULL || map->type != BRZ_YAML_MAP)
        return NULL;
    for (brz_yaml *n = map->first; n != NULL; n = n->next)
        if (brz_yaml_is(n->key, key))
            return n;
    return NULL;
}

/* Gives a value without content, as in "pipelines:", the content of another one. */
static void fill(brz_yaml *empty, const brz_yaml *from)
{
    brz_yaml *key = empty->key, *next = empty->next;
    *empty = *from;
    empty->key = key;
    empty->next = next;
}

/* Moves the children of `from` whose keys `map` lacks to `map`, and merges the others. */
static void merge_children(brz_yaml *map, brz_yaml *from)
{
    brz_yaml **end = &map->first;
    while (*end != NULL)
        end = &(*end)->next;
    for (brz_yaml *n = from->first, *next; n != NULL; n = next) {
        next = n->next;
        brz_yaml *own = brz_yaml_get(map, n->key->text.data);
        if (own != NULL && own->is_null && n->type == BRZ_YAML_MAP) {
            fill(own, n);
            continue;
        }
        if (own != NULL) {
            brz_yaml_merge(own, n);
            continue;
        }
        n->next = NULL;
        *end = n;
        end = &n->next;
        map->n_children++;
    }
}

/* Remembers a value that another one replaces, after those that it replaced before. */
static void remember(brz_yaml *nearer, brz_yaml *farther)
{
    while (nearer->farther != NULL)
        nearer = nearer->farther;
    nearer->farther = farther;
}

brz_yaml *brz_yaml_merge(brz_yaml *nearer, brz_yaml *farther)
{
    if (nearer == NULL)
        return farther;
    if (farther != NULL && nearer->type == BRZ_YAML_MAP && farther->type == BRZ_YAML_MAP)
        merge_children(nearer, farther);
    else
        remember(nearer, farther);
    return nearer;
}
