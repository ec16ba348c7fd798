/* SPDX-License-Identifier: MIT */
/* Walks through a JSON document, and finds keys at the beginning of a file. */
#include "cursor.h"

#include <string.h>

void cursor_start(cursor *c, brz_ctx *ctx, brz_str text)
{
    memset(c, 0, sizeof *c);
    c->parser.lenient = true;
    c->ctx = ctx;
    c->at = text.data;
    c->end = text.len > 0 ? text.data + text.len : text.data;
}

/* Notes how the document ends. Returns false at its end. */
static bool has_token(cursor *c)
{
    c->failed = c->token.kind == BRZ_JSON_ERROR;
    c->cut = c->token.kind == BRZ_JSON_MORE;
    return !c->failed && !c->cut;
}

bool cursor_next(cursor *c)
{
    if (c->failed || c->cut)
        return false;
    c->token = brz_json_next(&c->parser, c->ctx, &c->at, c->end, false);
    return has_token(c);
}

bool cursor_member(cursor *c, brz_str *key)
{
    if (!cursor_next(c) || c->token.kind != BRZ_JSON_KEY)
        return false;
    *key = c->token.text;
    return cursor_next(c);
}

bool cursor_element(cursor *c)
{
    if (!c->failed && !c->cut && brz_json_next_number(&c->parser, &c->at, c->end, &c->token))
        return true;
    return cursor_next(c) && c->token.kind != BRZ_JSON_ARRAY_CLOSE;
}

static bool opens(const cursor *c)
{
    return c->token.kind == BRZ_JSON_OBJECT || c->token.kind == BRZ_JSON_ARRAY;
}

brz_str cursor_skip(cursor *c)
{
    const char *start = c->token.text.data;
    if (!opens(c))
        return c->token.text;
    size_t outside = c->parser.depth - 1;
    if (!c->failed && !c->cut) {
        c->token = brz_json_skip(&c->parser, c->ctx, &c->at, c->end, false, outside);
        has_token(c);
    }
    return brz_str_of(start, (size_t)(c->at - start));
}

brz_str cursor_array(cursor *c)
{
    bool array = c->token.kind == BRZ_JSON_ARRAY;
    brz_str text = cursor_skip(c);
    return array ? text : brz_str_of(NULL, 0);
}

bool cursor_enter(cursor *c, brz_json_kind bracket)
{
    if (c->token.kind == bracket)
        return true;
    cursor_skip(c);
    return false;
}

bool cursor_open(cursor *c, brz_ctx *ctx, const brz_chunk *chunk)
{
    cursor_start(c, ctx, brz_str_of((const char *)chunk->data, chunk->len));
    return cursor_next(c) && cursor_enter(c, BRZ_JSON_OBJECT);
}

/* Reads what follows the document, which should be blank. */
static void read_after(cursor *c)
{
    if (c->parser.state == BRZ_JSON_DONE && !cursor_next(c))
        c->cut = false;
}

static const struct {
    const char *code, *message;
} deviations[BRZ_JSON_N_DEVIATIONS] = {
    [BRZ_JSON_NOT_FINITE] = {"json.not-finite",
                             "NaN or an infinity, which JSON does not have: an unknown value"},
    [BRZ_JSON_NOTATION] = {"json.notation", "a notation that JSON does not have: read as a number"},
    [BRZ_JSON_CONTROL] = {"json.control",
                          "a string has control characters, which JSON does not allow: kept"},
    [BRZ_JSON_ESCAPE] = {"json.escape",
                         "a string has an unknown escape sequence: its backslash is kept"},
    [BRZ_JSON_TRAILING] = {"json.trailing-comma",
                           "a comma after the last value, which JSON does not allow: skipped"},
    [BRZ_JSON_COMMENT] = {"json.comment", "a comment, which JSON does not have: skipped"},
};

void cursor_report_deviations(brz_ctx *ctx, const brz_json *parser)
{
    for (size_t i = 0; i < BRZ_JSON_N_DEVIATIONS; i++) {
        const brz_json_count *found = &parser->deviations[i];
        brz_diag d = brz_diag_of(BRZ_NOTE, deviations[i].code, found->first, 0,
                                 brz_str_of_text(deviations[i].message));
        d.count = found->n;
        if (found->n > 0)
            ctx->host->diag(ctx, &d);
    }
}

void cursor_report(cursor *c, const char *const codes[2])
{
    read_after(c);
    cursor_report_deviations(c->ctx, &c->parser);
    if (c->failed)
        brz_report(c->ctx, BRZ_WARNING, codes[0], c->token.text.data, c->token.text.len,
                   BRZ_STR("not JSON from here on: the rest is left out"));
    if (c->cut)
        brz_report(c->ctx, BRZ_WARNING, codes[1], NULL, 0,
                   BRZ_STR("the input ends within the profile: the part that was read is counted"));
}

/* ---- the beginning of a file --------------------------------------------------------------- */

#define LEVELS 6

/* Returns whether the keys of the objects that are open are those of a path. */
static bool is_path(const brz_str *keys, size_t n, const char *path)
{
    for (size_t i = 0; i < n; i++) {
        const char *dot = strchr(path, '.');
        size_t length = dot == NULL ? strlen(path) : (size_t)(dot - path);
        if (!brz_json_text_is(keys[i], brz_str_of(path, length)) || (dot == NULL) != (i + 1 == n))
            return false;
        path += length + 1;
    }
    return n > 0;
}

static uint32_t matching(const brz_str *keys, size_t n, const char *const *paths)
{
    uint32_t found = 0;
    for (size_t i = 0; paths[i] != NULL; i++)
        if (is_path(keys, n, paths[i]))
            found |= UINT32_C(1) << i;
    return found;
}

static uint32_t find_paths(const brz_head *head, brz_json_kind kind, const char *const *paths)
{
    brz_str keys[LEVELS] = {{0}};
    size_t objects = 0;
    uint32_t found = 0;
    cursor c;
    cursor_start(&c, NULL, brz_str_of((const char *)head->data, head->len));
    if (!cursor_next(&c) || c.token.kind != kind)
        return 0;
    do {
        objects += c.token.kind == BRZ_JSON_OBJECT;
        objects -= c.token.kind == BRZ_JSON_OBJECT_CLOSE;
        if (c.token.kind != BRZ_JSON_KEY || objects == 0 || objects > LEVELS)
            continue;
        keys[objects - 1] = c.token.text;
        found |= matching(keys, objects, paths);
    } while (c.token.kind != BRZ_JSON_END && cursor_next(&c));
    return found;
}

uint32_t cursor_paths(const brz_head *head, const char *const *paths)
{
    return find_paths(head, BRZ_JSON_OBJECT, paths);
}

uint32_t cursor_element_paths(const brz_head *head, const char *const *paths)
{
    return find_paths(head, BRZ_JSON_ARRAY, paths);
}
