/* SPDX-License-Identifier: MIT */
/* Counts the samples of austin. */
#include "sample.h"

enum { TIME, CPU, MEMORY, FREED };

void austin_describe(dump *d, brz_str text, brz_frame_desc *frame)
{
    brz_str place, number, file, function;
    uint64_t line;
    (void)d;
    frame->name = text;
    if (!brz_cut_last(text, ':', &place, &number) || !brz_parse_u64(number, &line) ||
        line > UINT32_MAX || !brz_cut_last(place, ':', &file, &function))
        return;
    frame->file = file;
    frame->line = (uint32_t)line;
}

static void describe_owner(dump *d, brz_str text, brz_frame_desc *frame)
{
    (void)d;
    frame->kind = BRZ_KIND_PROCESS;
    frame->name = text;
}

/* Sets the tag of a sample from the texts of process and thread, "P12" and "T0:17". */
static void set_tag(dump *d, brz_str process, brz_str thread)
{
    brz_str interpreter, id = brz_str_from(thread, 1);
    brz_tag_desc tag = {.thread_name = id};
    uint64_t number;
    if (!dump_wants_tags(d))
        return;
    process = brz_str_from(process, 1);
    d->process = brz_take_u64(&process, &number) && number <= INT64_MAX ? (int64_t)number : -1;
    brz_cut_last(id, ':', &interpreter, &id);
    if (brz_parse_u64(id, &number) && number <= INT64_MAX) {
        tag.flags = BRZ_TAG_THREAD;
        tag.thread = (int64_t)number;
        tag.thread_name.len = 0;
    }
    dump_tag(d, &tag);
}

void austin_begin(dump *d, brz_str process, brz_str thread)
{
    brz_path_cut(d->stacks.path, 0);
    set_tag(d, process, thread);
    dump_push(d, process, 1, describe_owner);
    dump_push(d, thread, 1, describe_owner);
}

/* Counts a value of the current stack, which stays. */
static brz_rc add(austin_columns *c, dump *d, int column, int64_t value)
{
    static const char *const names[AUSTIN_COLUMNS] = {"time", "cpu", "memory", "freed"};
    const char *name = names[column], *unit = column < MEMORY ? "microseconds" : "bytes";
    if (!c->declared[column])
        c->ids[column] = dump_declare(d->ctx, brz_str_of_text(name), brz_str_of_text(unit));
    c->declared[column] = true;
    return value == 0 ? BRZ_OK : brz_stacks_count(&d->stacks, d->ctx, c->ids[column], value);
}

static brz_rc add_memory(austin_columns *c, dump *d, int64_t bytes)
{
    bool is_freed = bytes < 0 && bytes > INT64_MIN;
    brz_rc rc = add(c, d, MEMORY, is_freed ? 0 : bytes);
    return rc == BRZ_OK ? add(c, d, FREED, is_freed ? -bytes : 0) : rc;
}

static brz_rc add_metrics(austin_columns *c, dump *d, const austin_metrics *m)
{
    if (c->in_bytes && !m->is_full)
        return add_memory(c, d, m->metric);
    brz_rc rc = add(c, d, TIME, m->metric);
    if (!m->is_full || rc != BRZ_OK)
        return rc;
    rc = add(c, d, CPU, m->idle == 0 ? m->metric : 0);
    return rc == BRZ_OK ? add_memory(c, d, m->memory) : rc;
}

brz_rc austin_count(austin_columns *c, dump *d, const austin_metrics *m)
{
    brz_stacks_begin_sample(&d->stacks);
    brz_rc rc = add_metrics(c, d, m);
    brz_stacks_end_sample(&d->stacks);
    return rc;
}
