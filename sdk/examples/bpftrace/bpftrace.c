/* SPDX-License-Identifier: MIT */
/* Collapses bpftrace's output: maps with stacks in their keys, and stacks printed by probes, as
 * text or with -f json.
 *
 * key.c parses entries of maps, text.c and json.c the lines around them, stack_line.c those of a
 * stack; symbols.c caches symbols, and sample.c assembles stacks.
 */
#include "reader.h"

#include <brazier/plugin.h>
#include <brazier/symbol.h>

#ifndef BRZ_SHIPPED_VERSION
#define BRZ_SHIPPED_VERSION "1.0"
#define BRZ_SHIPPED_URL     "the author of this copy"
#endif

/* ---- entry points ---------------------------------------------------------------------------- */

/* Stores the name of the map of all entries, which may be empty. Returns false if there are several
 * maps. */
static bool find_only_map(brz_str text, brz_str *map)
{
    brz_str line, name, rest;
    *map = brz_str_of(NULL, 0);
    while (brz_take_line(&text, &line)) {
        if (!map_begins(line, &name, &rest))
            continue;
        if (map->data != NULL && !brz_str_equal(*map, name))
            return false;
        *map = name;
    }
    return true;
}

/* Detects JSON: any line may be the first one, since bpftrace's own messages may come before it. */
static brz_rc prelude(brz_ctx *ctx, const brz_chunk *chunk, size_t *used, const void **prelude_data)
{
    bpftrace_prelude *found = ctx->host->alloc(ctx, sizeof *found, 0);
    brz_str text = brz_str_of((const char *)chunk->data, chunk->len), rest = text, line, map;
    while (rest.len > 0 && !found->json) {
        found->json = json_line_is(rest.data, rest.data + rest.len);
        brz_take_line(&rest, &line);
    }
    found->plain = !found->json && keys_are_plain(text);
    if (!found->json)
        layout_find(&found->layout, text);
    found->one_map = !found->json && find_only_map(text, &map);
    if (found->one_map)
        found->map = brz_text_keep(ctx, map);
    *used = 0;
    *prelude_data = found;
    return BRZ_OK;
}

static bool ends_with_blank_line(brz_str text)
{
    return brz_ends_with(text, BRZ_STR("\n\n")) || brz_ends_with(text, BRZ_STR("\n\r\n"));
}

static bool begins_with_blank_line(brz_str text)
{
    return brz_starts_with(text, BRZ_STR("\n")) || brz_starts_with(text, BRZ_STR("\r\n"));
}

/* Returns whether parsing can start at a line, with the text before it and after it. */
static bool is_start(const bpftrace_prelude *found, brz_str before, brz_str line, brz_str after)
{
    brz_str name, rest;
    if (!line_begins_record(line, found->plain))
        return false;
    if (map_begins(line, &name, &rest))
        return true;
    if (line_is_rest_of_key(line)) /* of the key above */
        return false;
    if (found->layout.few_headers || layout_is_damaged(&found->layout, line))
        return false;
    if (!found->layout.is_indented && stack_line_is_damaged(brz_trim(line)))
        return false; /* a line of an event that has begun */
    return !found->layout.has_blanks || (brz_trim(line).len > 1 && ends_with_blank_line(before) &&
                                         begins_with_blank_line(after));
}

static size_t boundary(const void *prelude_data, const uint8_t *buf, size_t n, size_t from)
{
    const bpftrace_prelude *found = prelude_data;
    size_t start = brz_line_start(buf, n, from);
    while (start < n) {
        brz_str before = brz_str_of((const char *)buf, start), line;
        brz_str rest = brz_str_of((const char *)buf + start, n - start);
        if (found->json
                ? json_line_is_map(rest.data, rest.data + rest.len)
                : brz_cut_first(rest, '\n', &line, &rest) && is_start(found, before, line, rest))
            return start;
        start = brz_line_start(buf, n, start + 1);
    }
    return n;
}

static brz_rc open_instance(brz_ctx *ctx)
{
    bpftrace *b = ctx->inst;
    b->options = ctx->cfg;
    b->prelude = ctx->prelude_data;
    brz_lines_init(&b->lines, ctx);
    brz_stacks_init(&b->stacks, ctx, 0);
    symbols_init(b, ctx);
    return BRZ_OK;
}

static brz_rc parse_text(bpftrace *b, brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    brz_rc rc = BRZ_OK;
    brz_lines_start(&b->lines, chunk->data, chunk->len);
    while (rc == BRZ_OK && brz_lines_take(&b->lines, chunk, &b->where))
        rc = text_line(b, ctx, b->where);
    if (rc != BRZ_OK)
        return rc;
    brz_str rest = brz_lines_rest(&b->lines);
    if (!(chunk->flags & BRZ_CHUNK_LAST)) {
        const char *stop = b->state == IN_KEY ? b->entry.data : rest.data;
        if (b->pending.len > 0)
            stop = b->pending_line.data;
        b->pending.len = 0;
        b->state = b->state == IN_KEY
                       ? OUTSIDE
                       : b->state; /* the unfinished entry is presented again with its end */
        *used = (size_t)(stop - (const char *)chunk->data);
        return BRZ_OK;
    }
    *used = chunk->len;
    return text_end(b, ctx);
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    bpftrace *b = ctx->inst;
    const char *p = (const char *)chunk->data;
    bool last = (chunk->flags & BRZ_CHUNK_LAST) != 0;
    brz_rc rc;
    if (!b->prelude->json)
        return parse_text(b, ctx, chunk, used);
    *used = (size_t)(json_take(b, ctx, p, p + chunk->len, last, &rc) - p);
    return rc;
}

/* Reports entries without frames. Only those with an empty stack in their key are samples: a map
 * whose keys have no stacks usually counts something else. */
static void report_frameless(const bpftrace *b, brz_ctx *ctx)
{
    brz_diag d =
        brz_diag_of(BRZ_NOTE, "bpftrace.frameless", NULL, 0,
                    BRZ_STR("entries without a stack left out: {count} (frameless counts them)"));
    d.count = b->n_frameless;
    d.records = b->n_empty;
    d.weighed = b->n_empty_weighed;
    d.missing = b->empty_weight;
    if (d.count > 0)
        ctx->host->diag(ctx, &d);
}

static brz_rc finish(brz_ctx *ctx)
{
    bpftrace *b = ctx->inst;
    report_frameless(b, ctx);
    brz_report_count(ctx, BRZ_NOTE, "bpftrace.value", b->n_other_values, 0,
                     BRZ_STR("histograms and other values that are not counts left out: {count}"));
    return brz_stacks_finish(&b->stacks, ctx);
}

/* ---- format detection ------------------------------------------------------------------------ */

typedef struct signs {
    bool attaching; /* bpftrace's start message */
    bool in_key;
    size_t frames_in_key, frames, maps, values;
} signs;

static void look_at(signs *s, brz_str line)
{
    brz_str name, rest, trimmed = brz_trim(line);
    bool indented = line.len > 0 && brz_is_blank(line.data[0]);
    bool frame = indented ? stack_line_is(trimmed) : stack_line_is_flat(trimmed);
    s->attaching |= brz_starts_with(line, BRZ_STR("Attaching ")) &&
                    brz_str_find(line, BRZ_STR(" probe"), 0) != SIZE_MAX;
    if (map_begins(line, &name, &rest)) {
        s->maps++;
        s->in_key = brz_str_find(rest, BRZ_STR("]: "), 0) == SIZE_MAX;
    } else if (s->in_key && brz_str_find(line, BRZ_STR("]: "), 0) != SIZE_MAX) {
        s->in_key = false;
        s->values++;
    } else {
        s->frames += frame;
        s->frames_in_key += frame && s->in_key;
    }
}

/* Detects the format by a key with a stack, or by bpftrace's start message and a stack; both are
 * unmistakable. */
static int32_t sniff(const brz_head *head)
{
    brz_str text = brz_str_of((const char *)head->data, head->len), line;
    signs s = {0};
    for (size_t lines = 0; text.len > 0 && lines < 2000; lines++) {
        const char *p = text.data, *end = p + text.len;
        brz_take_line(&text, &line);
        if (json_line_is(p, end) &&
            (json_line_is_map(p, end) || brz_str_find(line, BRZ_STR("\"probes\""), 0) != SIZE_MAX))
            return BRZ_SNIFF_HEADER;
        look_at(&s, brz_trim_end(line));
    }
    if (s.frames_in_key > 0 || (s.attaching && s.frames > 0))
        return BRZ_SNIFF_HEADER;
    if (s.attaching || (s.maps > 0 && s.values > 0))
        return BRZ_SNIFF_RECORDS;
    return BRZ_SNIFF_NO;
}

/* ---- plug-in --------------------------------------------------------------------------------- */

static const char *const roots_choices[] = {"all", "names", "none", NULL};
static const char *const stacks_choices[] = {"auto",        "kernel",      "user",
                                             "kernel-user", "user-kernel", NULL};

static const brz_option options[] = {
    BRZ_OPTION(bpftrace_options, "addrs", BOOL, addrs, "false",
               "name unresolved frames by their address"),
    BRZ_OPTION(bpftrace_options, "frameless", BOOL, frameless, "false",
               "count map entries without a stack under the rest of their key"),
    BRZ_OPTION(bpftrace_options, "inlined", BOOL, inlined, "false",
               "mark inlined functions with _[i]"),
    BRZ_OPTION(bpftrace_options, "kernel", BOOL, kernel, "false", "mark kernel code with _[k]"),
    BRZ_OPTION(bpftrace_options, "offsets", BOOL, offsets, "false", "keep the +offset of symbols"),
    BRZ_OPTION(bpftrace_options, "roots", ENUM, roots, "all",
               "parts of a key or header that become root frames: all, names without numbers, none",
               .choices = roots_choices),
    BRZ_OPTION(bpftrace_options, "stacks", ENUM, stacks, "auto",
               "stacks in a key, in its order; auto: detect by names and addresses",
               .choices = stacks_choices),
};

static const brz_collapser collapser = {
    .struct_size = sizeof collapser,
    .flags = BRZ_SPLITTABLE,
    .inst_size = sizeof(bpftrace),
    .sniff = sniff,
    .prelude = prelude,
    .boundary = boundary,
    .open = open_instance,
    .parse = parse,
    .finish = finish,
};

static const brz_component component = {
    .struct_size = sizeof component,
    .kind = BRZ_COLLAPSER,
    .id = "bpftrace",
    .summary = "bpftrace: maps keyed by stacks, and stacks printed, as text or JSON",
    .help = "Record with `bpftrace -e 'profile:hz:99 { @[kstack, ustack, comm] = count(); }'`. "
            "Each map is a weight of its own: see -w.",
    BRZ_OPTIONS(options, bpftrace_options),
    .vtable = &collapser,
};

static const brz_component *const components[] = {&component, NULL};

BRZ_HINTS(BRZ_IF_CONTAINS("@") BRZ_IF_CONTAINS("Attaching ") BRZ_IF_CONTAINS("\"type\"")
              BRZ_IF_CONTAINS("\\u00"))

BRZ_PLUGIN("bpftrace", BRZ_SHIPPED_VERSION, "MIT", BRZ_SHIPPED_URL, components)
