/* SPDX-License-Identifier: MIT */
/* Reads the text with which a method trace begins. */
#include "names.h"

#include <brazier/symbol.h>

#include <stdio.h>

/* ---- the text -------------------------------------------------------------------------------- */

typedef enum section { SECTION_FACTS, SECTION_THREADS, SECTION_METHODS, N_SECTIONS } section;

static void read_fact(art_names *n, brz_str line)
{
    brz_str key, value;
    if (!brz_cut_first(line, '=', &key, &value))
        return;
    if (brz_str_is(key, "clock"))
        n->clock = value;
    else if (brz_str_is(key, "pid"))
        brz_parse_u64(value, &n->process);
    else if (brz_str_is(key, "num-method-calls"))
        n->has_calls = brz_parse_u64(value, &n->n_calls);
    else if (brz_str_is(key, "data-file-overflow"))
        n->overflowed = brz_str_is(value, "true");
}

static void read_thread(art_names *n, brz_str line)
{
    brz_str id, name;
    uint64_t number;
    if (!brz_cut_first(line, '\t', &id, &name) || !brz_parse_u64(id, &number)) {
        BRZ_WARN(n->ctx, "art-trace.thread", line.data, line.len,
                 "not a thread: its name is missing");
        return;
    }
    n->threads = brz_list_room(n->ctx, n->threads, n->n_threads, &n->threads_cap, sizeof name);
    n->threads[n->n_threads] = name;
    pair_map_put(&n->thread_ids, n->ctx, number, 0, (uint32_t)n->n_threads++);
}

/* Parses "0x1468". */
static bool parse_id(brz_str id, uint64_t *number)
{
    brz_str_take(&id, "0x");
    return brz_take_hex(&id, number) && id.len == 0;
}

static void read_method(art_names *n, brz_str line)
{
    brz_str id, rest;
    uint64_t number = 0;
    if (!brz_cut_first(line, '\t', &id, &rest) || !parse_id(id, &number) || rest.len == 0 ||
        memchr(rest.data, '\t', rest.len) == NULL) {
        BRZ_WARN(n->ctx, "art-trace.method", line.data, line.len,
                 "not a method: its name is missing");
        return;
    }
    n->lines = brz_list_room(n->ctx, n->lines, n->n_methods, &n->lines_cap, sizeof rest);
    n->lines[n->n_methods] = rest;
    pair_map_put(&n->methods, n->ctx, number, 0, (uint32_t)n->n_methods++);
}

/* Takes a line without its end. Returns false at the end of the input. */
static bool take_line(brz_bytes *b, brz_str *line)
{
    const uint8_t *end = brz_bytes_left(b) > 0 ? memchr(b->at, '\n', brz_bytes_left(b)) : NULL;
    if (end == NULL)
        return false;
    *line = brz_bytes_text(b, (uint64_t)(end - b->at));
    brz_bytes_skip(b, 1);
    if (brz_ends_with(*line, BRZ_STR("\r")))
        line->len--;
    return true;
}

void art_names_read(art_names *n, brz_ctx *ctx, brz_bytes *b)
{
    static const char *const titles[N_SECTIONS] = {"*version", "*threads", "*methods"};
    static void (*const read[N_SECTIONS])(art_names *, brz_str) = {read_fact, read_thread,
                                                                   read_method};
    size_t now = SECTION_FACTS;
    brz_str line = {0};
    n->ctx = ctx;
    pair_map_init(&n->methods, ctx);
    pair_map_init(&n->thread_ids, ctx);
    while (take_line(b, &line)) {
        size_t title = brz_str_index(line, titles, N_SECTIONS);
        if (brz_str_is(line, "*end"))
            break;
        if (title < N_SECTIONS)
            now = title;
        else
            read[now](n, line);
    }
    if (!brz_str_is(line, "*end"))
        brz_bytes_fail(b, "the text before the records has no end");
    n->frames = ctx->host->alloc(ctx, (n->n_methods + 1) * sizeof *n->frames, 8);
    for (size_t i = 0; i <= n->n_methods; i++)
        n->frames[i] = BRZ_NO_FRAME;
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Describes "java.lang.String TAB length TAB ()I TAB String.java". */
static brz_frame describe(const art_names *n, brz_str line)
{
    brz_frame_desc d = {.struct_size = sizeof d, .kind = BRZ_KIND_USER};
    brz_str column[5] = {{0}};
    uint64_t number;
    brz_text name = {0};
    for (size_t i = 0; i < 5; i++)
        if (!brz_take_piece(&line, '\t', &column[i]))
            break;
    brz_text_append(&name, n->ctx, column[0]);
    if (column[0].len > 0)
        brz_text_append(&name, n->ctx, BRZ_STR("."));
    brz_text_append(&name, n->ctx, column[1]);
    for (char *c = name.data; c < name.data + name.len; c++)
        *c = *c == '/' ? '.' : *c; /* Dalvik's classes have slashes */
    d.name = brz_text_str(&name);
    d.file = column[3];
    if (brz_parse_u64(column[4], &number) && number < UINT32_MAX)
        d.first_line = (uint32_t)number;
    return n->ctx->host->frame(n->ctx, &d);
}

/* Names a method without a line by its id. */
static brz_frame describe_nameless(art_names *n, uint32_t method)
{
    char text[32];
    int length = snprintf(text, sizeof text, "[method 0x%x]", (unsigned)method);
    n->n_nameless++;
    return n->ctx->host->intern(n->ctx, text, (size_t)length);
}

brz_frame art_names_frame(art_names *n, uint32_t method)
{
    uint32_t i = pair_map_find(&n->methods, method, 0);
    if (i == PAIR_MISS)
        return describe_nameless(n, method);
    if (n->frames[i] == BRZ_NO_FRAME)
        n->frames[i] = describe(n, n->lines[i]);
    return n->frames[i];
}

brz_str art_names_thread(const art_names *n, uint32_t thread)
{
    uint32_t i = pair_map_find(&n->thread_ids, thread, 0);
    return i == PAIR_MISS ? brz_str_of("", 0) : n->threads[i];
}
