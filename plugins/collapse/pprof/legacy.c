/* SPDX-License-Identifier: MIT */
/* Makes stacks of addresses. */
#include "legacy.h"

#include <math.h>

#include "legacy_words.h"
#include "../../common/names/unresolved.h"
#include "../../common/sample_count.h"

/* ---- frames -------------------------------------------------------------------------------- */

static brz_frame make_frame(legacy *l, uint64_t address)
{
    const legacy_mapping *m = l->has_ids ? NULL : legacy_find_mapping(&l->places, address);
    const legacy_symbol *s = legacy_find_symbol(&l->places, address);
    brz_frame_desc d = {.struct_size = sizeof d, .address = l->has_ids ? 0 : address};
    if (m != NULL)
        d.module = m->file;
    if (s != NULL) {
        d.name = s->name;
        d.file = s->file;
        d.line = s->line;
    }
    d.kind = mapping_is_kernel(d.module) ? BRZ_KIND_KERNEL : BRZ_KIND_OTHER;
    if (d.name.len == 0)
        d.name = unresolved_name(&l->scratch, l->ctx, d.module, l->addresses ? address : 0);
    return l->ctx->host->frame(l->ctx, &d);
}

void legacy_push(legacy *l, uint64_t address)
{
    char bytes[64] = {0}; /* the key's hash reads beyond the number */
    memcpy(bytes, &address, sizeof address);
    brz_frame_key key = brz_frame_key_of(&l->frames, bytes, sizeof address, l->part);
    uint32_t frame = brz_frame_cache_find(&l->frames, &key);
    if (frame == BRZ_CACHE_MISS) {
        frame = make_frame(l, address);
        brz_frame_cache_put(&l->frames, l->ctx, &key, frame);
    }
    brz_path_push(l->stacks.path, l->ctx, frame);
}

void legacy_push_call(legacy *l, uint64_t address)
{
    legacy_push(l, address - (!l->has_ids && address > 0));
}

/* Removes the root if it is runtime.goexit, which calls each goroutine: Go states the symbols of
 * all other callers, and omits this one from its profiles that contain the names. */
static void cut_goexit(legacy *l, uint64_t root)
{
    size_t n = l->stacks.path->n;
    if (l->places.is_go && n > 1 && legacy_find_symbol(&l->places, root - 1) == NULL)
        brz_path_cut(l->stacks.path, n - 1);
}

bool legacy_push_calls(legacy *l, brz_str text)
{
    uint64_t address = 0;
    brz_path_cut(l->stacks.path, 0);
    while (legacy_take_address(&text, &address))
        legacy_push_call(l, address);
    cut_goexit(l, address);
    return brz_trim(text).len == 0;
}

/* ---- estimates ----------------------------------------------------------------------------- */

int64_t legacy_integer(double d)
{
    if (d >= 0x1p63)
        return INT64_MAX;
    return d >= -0x1p63 ? (int64_t)d : INT64_MIN;
}

void legacy_scale(uint64_t rate, int64_t count, int64_t size, int64_t values[2])
{
    values[0] = count;
    values[1] = size;
    if (rate <= 1)
        return;
    double average = count != 0 ? fabs((double)size / (double)count) : 0;
    double factor = average > 0 ? -1 / expm1(-average / (double)rate) : 0;
    values[0] = legacy_integer((double)count * factor);
    values[1] = legacy_integer((double)size * factor);
}

/* ---- counting ------------------------------------------------------------------------------ */

void legacy_init(legacy *l, brz_ctx *ctx, bool addresses)
{
    l->ctx = ctx;
    l->addresses = addresses;
    brz_stacks_init(&l->stacks, ctx, BRZ_LEAF_FIRST);
    brz_frame_cache_init(&l->frames, ctx);
}

void legacy_restart(legacy *l)
{
    l->places.n_mappings = l->places.n_symbols = 0;
    l->places.is_go = l->has_ids = false;
    l->part++;
}

void legacy_declare(legacy *l, const char *const (*columns)[2], size_t n)
{
    for (size_t k = 0; k < n; k++) { /* the shown one first: reports state what it lacks */
        size_t i = (k + n - 1) % n;
        brz_column_desc d = {.struct_size = sizeof d, .flags = i + 1 == n ? BRZ_COLUMN_DEFAULT : 0};
        d.name = brz_str_of(columns[i][0], strlen(columns[i][0]));
        d.flags |= sample_count_flags(d.name);
        d.unit = brz_str_of(columns[i][1], strlen(columns[i][1]));
        l->columns[i] = l->ctx->host->column(l->ctx, &d);
    }
    l->n_columns = n;
    uint32_t shown = n > 0 ? l->columns[n - 1] : 0;
    if (l->part > 0 && shown != l->shown)
        BRZ_WARN(l->ctx, "pprof.weights", NULL, 0,
                 "profiles of different weights follow each other: see --weight");
    l->shown = shown;
}

brz_rc legacy_count(legacy *l, const int64_t *values)
{
    brz_stacks_entry entry = *brz_stacks_entry_of(&l->stacks, l->ctx, 0);
    brz_rc rc = BRZ_OK;
    brz_stacks_begin_sample(&l->stacks);
    for (size_t i = 0; i < l->n_columns && rc == BRZ_OK; i++) {
        entry.column = l->columns[i];
        if (values[i] != 0)
            rc = brz_stacks_send(&l->stacks, l->ctx, &entry, values[i]);
    }
    brz_stacks_end_sample(&l->stacks);
    brz_path_cut(l->stacks.path, 0);
    return rc;
}
