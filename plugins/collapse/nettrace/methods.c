/* SPDX-License-Identifier: MIT */
/* Finds the methods of addresses. */
#include "methods.h"

#include <brazier/symbol.h>
#include <brazier/text/buffer.h>

#include <stdio.h>
#include <stdlib.h>

void methods_init(methods *m, brz_ctx *ctx, bool names_addresses)
{
    m->ctx = ctx;
    m->names_addresses = names_addresses;
    pair_map_init(&m->frames, ctx);
    pair_map_init(&m->modules, ctx);
}

/* ---- events ---------------------------------------------------------------------------------- */

/* Returns the arguments of a signature: "instance void  (int32,string)" has "(int32,string)". */
static brz_str arguments(brz_str signature)
{
    size_t at = brz_str_find(signature, BRZ_STR("("), 0);
    return at == SIZE_MAX ? brz_str_of("", 0) : brz_str_from(signature, at);
}

/* Joins namespace with class, name and arguments. */
static brz_str join(brz_ctx *ctx, brz_str space, brz_str name, brz_str signature)
{
    brz_text text = {0};
    brz_text_append(&text, ctx, space);
    if (space.len > 0 && name.len > 0)
        brz_text_append(&text, ctx, BRZ_STR("."));
    brz_text_append(&text, ctx, name);
    if (text.len > 0)
        brz_text_append(&text, ctx, arguments(signature));
    return brz_text_str(&text);
}

void methods_take(methods *m, brz_bytes b)
{
    method to = {0};
    brz_bytes_u64(&b); /* its id */
    to.module = brz_bytes_u64(&b);
    to.start = brz_bytes_u64(&b);
    to.end = to.start + brz_bytes_u32(&b);
    brz_bytes_u64(&b); /* token and flags */
    brz_str space = take_utf16(&b, m->ctx), name = take_utf16(&b, m->ctx);
    brz_str signature = take_utf16(&b, m->ctx);
    brz_bytes_warn(m->ctx, &b, "nettrace.method");
    if (b.error != NULL || to.end <= to.start)
        return;
    to.name = join(m->ctx, space, name, signature);
    m->items = brz_list_room(m->ctx, m->items, m->n, &m->cap, sizeof *m->items);
    m->items[m->n++] = to;
}

void methods_take_module(methods *m, brz_bytes b)
{
    uint64_t id = brz_bytes_u64(&b);
    brz_bytes_u64(&b); /* id of its assembly */
    brz_bytes_u64(&b); /* flags */
    brz_str il = take_utf16(&b, m->ctx), native = take_utf16(&b, m->ctx);
    brz_bytes_warn(m->ctx, &b, "nettrace.module");
    if (b.error != NULL)
        return;
    m->files = brz_list_room(m->ctx, m->files, m->n_files, &m->files_cap, sizeof *m->files);
    m->files[m->n_files] = il.len > 0 ? il : native;
    pair_map_put(&m->modules, m->ctx, id, 0, (uint32_t)m->n_files++);
}

/* ---- lookups --------------------------------------------------------------------------------- */

/* Compares by the start, then by the rest, so that the order does not depend on the sort. */
static int compare(const void *a, const void *b)
{
    const method *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    if (x->end != y->end)
        return x->end < y->end ? -1 : 1;
    return brz_str_compare(x->name, y->name);
}

void methods_sort(methods *m)
{
    if (m->n > 0)
        qsort(m->items, m->n, sizeof *m->items, compare);
}

/* Returns the method at an address, or NULL. */
static method *find(methods *m, uint64_t address)
{
    size_t low = 0, high = m->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (m->items[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && address < m->items[low - 1].end ? &m->items[low - 1] : NULL;
}

static brz_frame make_frame(methods *m, const method *of)
{
    brz_frame_desc d = {.struct_size = sizeof d, .kind = BRZ_KIND_USER, .name = of->name};
    uint32_t file = pair_map_find(&m->modules, of->module, 0);
    if (file != PAIR_MISS)
        d.module = m->files[file];
    if (d.name.len == 0)
        d.name = BRZ_STR("[unknown]");
    return m->ctx->host->frame(m->ctx, &d);
}

/* Returns the frame of code that is in no method. */
static brz_frame unknown_frame(const methods *m, uint64_t address)
{
    char name[32] = "[unknown]";
    int n = 9;
    if (m->names_addresses)
        n = snprintf(name, sizeof name, "0x%llx", (unsigned long long)address);
    return m->ctx->host->intern(m->ctx, name, (size_t)n);
}

static brz_frame find_frame(methods *m, uint64_t address)
{
    method *of = find(m, address);
    if (of == NULL)
        return unknown_frame(m, address);
    if (!of->has_frame)
        of->frame = make_frame(m, of);
    of->has_frame = true;
    return of->frame;
}

brz_frame methods_frame(methods *m, uint64_t address)
{
    brz_frame frame = pair_map_find(&m->frames, address, 0);
    if (frame != PAIR_MISS)
        return frame;
    frame = find_frame(m, address);
    if (frame != PAIR_MISS)
        pair_map_put(&m->frames, m->ctx, address, 0, frame);
    return frame;
}
