/* SPDX-License-Identifier: MIT */
/* A collapser of folded text that stores each stack at its first sample, or with the option `again`
 * at each of its samples. */
#include <brazier/plugin.h>
#include <brazier/symbol.h>

#include <stdlib.h>
#include <string.h>

#define MOST 64

typedef struct options {
    bool again;
} options;

typedef struct state {
    const brz_frame *known[MOST];
    size_t sizes[MOST];
    brz_stack ids[MOST];
    size_t n;
    int64_t now;
} state;

static brz_stack stack_of(brz_ctx *ctx, const brz_frame *frames, size_t n)
{
    state *s = ctx->inst;
    const options *o = ctx->cfg;
    for (size_t i = 0; i < s->n && !o->again; i++)
        if (s->sizes[i] == n && memcmp(s->known[i], frames, n * sizeof *frames) == 0)
            return s->ids[i];
    const brz_frame *copy;
    brz_stack id = ctx->host->stack(ctx, frames, n, 0, &copy);
    if (s->n < MOST) {
        s->known[s->n] = copy;
        s->sizes[s->n] = n;
        s->ids[s->n++] = id;
    }
    return id;
}

/* Reads a line "frame;frame;... value". The first character of the stack is its thread. */
static brz_rc read_line(brz_ctx *ctx, brz_str line)
{
    state *s = ctx->inst;
    brz_frame frames[MOST];
    size_t n = 0, blank = line.len;
    while (blank > 0 && line.data[blank - 1] != ' ')
        blank--;
    int64_t value = strtol(line.data + blank, NULL, 10);
    for (size_t at = 0, end; at + 1 < blank && n < MOST; at = end + 1) {
        for (end = at; end + 1 < blank && line.data[end] != ';';)
            end++;
        frames[n++] = ctx->host->intern(ctx, line.data + at, end - at);
    }
    brz_tag_desc tag = {.struct_size = sizeof tag, .label_size = sizeof(brz_label)};
    tag.thread_name = brz_str_of(line.data, 1);
    brz_count c = {.stack = stack_of(ctx, frames, n), .value = value, .time = s->now++};
    c.tag = ctx->flags & BRZ_CTX_WANTS_TAGS ? ctx->host->tag(ctx, &tag) : BRZ_NO_TAG;
    c.flags = ctx->flags & BRZ_CTX_WANTS_TIME ? BRZ_TIMED : 0;
    return ctx->host->add(ctx, &c, 1, sizeof c);
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    brz_rc rc = BRZ_OK;
    const char *text = (const char *)chunk->data, *end;
    for (; rc == BRZ_OK; *used = (size_t)(end + 1 - text)) {
        end = memchr(text + *used, '\n', chunk->len - *used);
        if (end == NULL)
            return BRZ_OK;
        rc = read_line(ctx, brz_str_of(text + *used, (size_t)(end - text) - *used));
    }
    return rc;
}

static size_t boundary(const void *prelude_data, const uint8_t *buf, size_t n, size_t from)
{
    (void)prelude_data;
    if (from == 0)
        from = 1;
    const uint8_t *found = from > n ? NULL : memchr(buf + from - 1, '\n', n - from + 1);
    return found == NULL ? n : (size_t)(found - buf) + 1;
}

static const brz_collapser collapser = {
    .struct_size = sizeof collapser,
    .flags = BRZ_SPLITTABLE,
    .inst_size = sizeof(state),
    .boundary = boundary,
    .parse = parse,
};

static const brz_option table[] = {{.name = "again",
                                    .type = BRZ_OPTION_BOOL,
                                    .offset = offsetof(options, again),
                                    .dflt = "false",
                                    .help = "store a stack at each of its samples"}};

static const brz_component component = {
    .struct_size = sizeof component,
    .kind = BRZ_COLLAPSER,
    .id = "stored",
    .summary = "folded text, for a test",
    BRZ_OPTIONS(table, options),
    .vtable = &collapser,
};

static const brz_component *const components[] = {&component, NULL};

BRZ_PLUGIN("stored", "1.0", "MIT", "none", components)
