/* Keeps the open calls of each thread. A report names threads only where a processor switches
 * between them, unless it has a column of them: until then, its thread has no name. */
#include "threads.h"

enum { NAMES, PROCESSORS }; /* contexts of keys */

void threads_init(threads *t, brz_ctx *ctx)
{
    brz_frame_cache_init(&t->ids, ctx);
}

static uint32_t add_thread(threads *t, brz_ctx *ctx)
{
    thread new = {0};
    brz_path_init(&new.path, ctx, 16);
    new.tag = BRZ_NO_TAG;
    t->items = brz_list_room(ctx, t->items, t->n, &t->cap, sizeof new);
    t->items[t->n] = new;
    return (uint32_t)t->n++;
}

/* Gives a thread its name, "NAME-PID". */
static void name_thread(thread *of, dump *d, brz_str name)
{
    brz_str pid;
    uint64_t number;
    brz_tag_desc tag = {.struct_size = sizeof tag, .label_size = sizeof(brz_label)};
    of->name = brz_text_keep(d->ctx, name);
    if (!dump_wants_tags(d) || !brz_cut_last(name, '-', &tag.thread_name, &pid))
        return;
    if (brz_parse_u64(pid, &number) && number <= INT64_MAX) {
        tag.flags = BRZ_TAG_THREAD;
        tag.thread = (int64_t)number;
    }
    of->tag = d->ctx->host->tag(d->ctx, &tag);
}

static uint32_t find_named(threads *t, dump *d, brz_str name)
{
    brz_frame_key key = brz_frame_key_of(&t->ids, name.data, name.len, NAMES);
    uint32_t index = brz_frame_cache_find(&t->ids, &key);
    if (index != BRZ_CACHE_MISS)
        return index;
    index = add_thread(t, d->ctx);
    name_thread(&t->items[index], d, name);
    brz_frame_cache_put(&t->ids, d->ctx, &key, index);
    return index;
}

thread *threads_named(threads *t, dump *d, brz_str name)
{
    uint32_t index = find_named(t, d, name); /* which may move the list */
    return &t->items[index];
}

/* Returns where the thread of a processor is noted. */
static uint32_t *find_running(threads *t, dump *d, brz_str cpu)
{
    brz_frame_key key = brz_frame_key_of(&t->ids, cpu.data, cpu.len, PROCESSORS);
    uint32_t index = brz_frame_cache_find(&t->ids, &key);
    if (index != BRZ_CACHE_MISS)
        return &t->running[index];
    index = (uint32_t)t->n_processors;
    t->running =
        brz_list_room(d->ctx, t->running, t->n_processors, &t->processors_cap, sizeof *t->running);
    t->running[t->n_processors++] = add_thread(t, d->ctx);
    brz_frame_cache_put(&t->ids, d->ctx, &key, index);
    return &t->running[index];
}

thread *threads_running(threads *t, dump *d, brz_str cpu)
{
    const uint32_t *index = find_running(t, d, cpu);
    return &t->items[*index];
}

void threads_switch(threads *t, dump *d, brz_str cpu, brz_str from, brz_str to)
{
    uint32_t *running = find_running(t, d, cpu);
    brz_frame_key key = brz_frame_key_of(&t->ids, from.data, from.len, NAMES);
    if (t->items[*running].name.len == 0 && brz_frame_cache_find(&t->ids, &key) == BRZ_CACHE_MISS) {
        name_thread(&t->items[*running], d, from);
        brz_frame_cache_put(&t->ids, d->ctx, &key, *running);
    }
    *running = find_named(t, d, to);
}
