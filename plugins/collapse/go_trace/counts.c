/* SPDX-License-Identifier: MIT */
/* Counts the samples of a trace and the time that goroutines spend in states. */
#include "counts.h"

#include <brazier/tag.h>
#include <brazier/symbol.h>

/* Maximum length of the text of a label. Go writes at most as much. */
#define LABEL_MAX 1024

/* ---- reasons ----------------------------------------------------------------------------- */

/* Groups waits as `go tool trace` does. */
static go_column column_of(brz_str text)
{
    if (brz_str_is(text, "network"))
        return COLUMN_NETWORK;
    bool is_sync = brz_str_has(text, BRZ_STR("chan")) || brz_str_has(text, BRZ_STR("sync")) ||
                   brz_str_has(text, BRZ_STR("select"));
    return is_sync ? COLUMN_SYNC : COLUMN_NONE;
}

uint32_t counts_reason(counts *c, brz_str text)
{
    c->key.len = 0;
    brz_text_append(&c->key, c->ctx, text);
    brz_frame_key key = brz_frame_key_of(&c->by_text, c->key.data, c->key.len, 0);
    uint32_t i = brz_frame_cache_find(&c->by_text, &key);
    if (i != BRZ_CACHE_MISS)
        return i;
    i = (uint32_t)c->n_reasons;
    c->reasons =
        brz_list_room(c->ctx, c->reasons, c->n_reasons, &c->reasons_cap, sizeof *c->reasons);
    c->reasons[c->n_reasons++] = (reason){text, column_of(text)};
    brz_frame_cache_put(&c->by_text, c->ctx, &key, i);
    return i;
}

/* ---- columns ----------------------------------------------------------------------------- */

static void declare(counts *c)
{
    static const char *const names[COLUMN_NONE] = {"waited",  "sync",      "network",
                                                   "syscall", "scheduler", "samples"};
    for (size_t i = 0; i < COLUMN_NONE; i++) {
        bool counts_samples = i == COLUMN_SAMPLES;
        c->columns[i] =
            BRZ_DECLARE_COLUMN(c->ctx, .name = brz_str_of_text(names[i]),
                               .unit = brz_str_of_text(counts_samples ? "samples" : "nanoseconds"));
    }
}

void counts_init(counts *c, brz_ctx *ctx, const stack_store *store)
{
    *c = (counts){.ctx = ctx, .store = store};
    brz_stacks_init(&c->stacks, ctx, BRZ_LEAF_FIRST);
    brz_frame_cache_init(&c->by_text, ctx);
    brz_frame_cache_init(&c->tags, ctx);
    declare(c);
    for (int i = 0; i < GO_N_REASONS; i++)
        counts_reason(c, go_reason_text((go_reason)i));
}

/* ---- tags -------------------------------------------------------------------------------- */

static brz_str state_name(go_state state)
{
    switch (state) {
    case GO_RUNNABLE:
        return BRZ_STR("Runnable");
    case GO_IN_SYSCALL:
        return BRZ_STR("Syscall");
    case GO_WAITING:
        return BRZ_STR("Waiting");
    default:
        return brz_str_of("", 0);
    }
}

static void add_label(brz_label *labels, brz_tag_desc *tag, const char *key, brz_str text)
{
    if (text.len > LABEL_MAX)
        text.len = LABEL_MAX;
    if (text.len > 0)
        labels[tag->n_labels++] = (brz_label){.key = brz_str_of_text(key), .text = text};
}

static brz_tag make_tag(const counts *c, const moment *m)
{
    brz_label labels[3] = {{.flags = 0}};
    brz_tag_desc tag = brz_tag_of_thread((int64_t)m->goroutine, BRZ_STR("goroutine"));
    if (m->goroutine == 0 || m->goroutine > INT64_MAX)
        tag = brz_tag_empty();
    add_label(labels, &tag, "function", m->function);
    add_label(labels, &tag, "state", state_name(m->state));
    add_label(labels, &tag, "reason", c->reasons[m->reason].text);
    tag.labels = labels;
    return c->ctx->host->tag(c->ctx, &tag);
}

/* Finds the tag. Names of functions stay where they are: their addresses identify them. */
static brz_tag tag_of(counts *c, const moment *m)
{
    uint64_t parts[] = {m->goroutine, (uintptr_t)m->function.data, m->function.len,
                        (uint64_t)m->state << 32 | m->reason};
    c->key.len = 0;
    brz_text_append(&c->key, c->ctx, brz_str_of((const char *)parts, sizeof parts));
    brz_frame_key key = brz_frame_key_of(&c->tags, c->key.data, c->key.len, 0);
    uint32_t found = brz_frame_cache_find(&c->tags, &key);
    if (found != BRZ_CACHE_MISS)
        return found;
    brz_tag tag = make_tag(c, m);
    brz_frame_cache_put(&c->tags, c->ctx, &key, tag);
    return tag;
}

/* ---- counting ---------------------------------------------------------------------------- */

/* Makes the stack and the tag of a moment current, if the run needs single samples. */
static void place(counts *c, const moment *m)
{
    if (!c->stacks.ordered)
        return;
    stack_store_restore(c->store, c->ctx, m->stack, c->stacks.path);
    brz_tag tag = (c->ctx->flags & BRZ_CTX_WANTS_TAGS) != 0 ? tag_of(c, m) : BRZ_NO_TAG;
    brz_stacks_place(&c->stacks, tag, BRZ_TIMED, m->time);
}

static int64_t *sum_of(counts *c, uint32_t stack, go_column column)
{
    while (c->n_sums <= stack) {
        c->sums = brz_list_room(c->ctx, c->sums, c->n_sums, &c->sums_cap, sizeof *c->sums);
        c->sums[c->n_sums++] = (sums){{0}};
    }
    return &c->sums[stack].of[column];
}

static brz_rc add(counts *c, const moment *m, go_column column, int64_t value)
{
    if (c->stacks.ordered)
        return brz_stacks_count(&c->stacks, c->ctx, c->columns[column], value);
    brz_stacks_sum(&c->stacks, sum_of(c, m->stack, column), value);
    return BRZ_OK;
}

/* Counts a wait, and the part of the waits to which it belongs. */
static brz_rc add_wait(counts *c, const moment *m, go_column part, int64_t time)
{
    brz_stacks_begin_sample(&c->stacks);
    brz_rc rc = add(c, m, COLUMN_WAITED, time);
    if (rc == BRZ_OK && part != COLUMN_NONE)
        rc = add(c, m, part, time);
    brz_stacks_end_sample(&c->stacks);
    return rc;
}

brz_rc counts_take(counts *c, const moment *m, int64_t time)
{
    c->n_intervals++;
    if (time == 0)
        return BRZ_OK;
    place(c, m);
    if (m->state == GO_RUNNABLE)
        return add(c, m, COLUMN_SCHEDULER, time);
    bool is_call = m->state == GO_IN_SYSCALL;
    return add_wait(c, m, is_call ? COLUMN_SYSCALL : c->reasons[m->reason].column, time);
}

brz_rc counts_take_sample(counts *c, const moment *m)
{
    c->n_samples++;
    place(c, m);
    return add(c, m, COLUMN_SAMPLES, 1);
}

/* Counts the sums of a stack. */
static brz_rc count_sums(counts *c, uint32_t stack)
{
    brz_rc rc = BRZ_OK;
    stack_store_restore(c->store, c->ctx, stack, c->stacks.path);
    for (size_t i = 0; i < COLUMN_NONE && rc == BRZ_OK; i++)
        if (c->sums[stack].of[i] != 0)
            rc = brz_stacks_count(&c->stacks, c->ctx, c->columns[i], c->sums[stack].of[i]);
    return rc;
}

brz_rc counts_finish(counts *c)
{
    brz_rc rc = BRZ_OK;
    for (size_t i = 0; i < c->n_sums && rc == BRZ_OK; i++)
        rc = count_sums(c, (uint32_t)i);
    return rc == BRZ_OK ? brz_stacks_finish(&c->stacks, c->ctx) : rc;
}
