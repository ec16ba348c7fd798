/* SPDX-License-Identifier: MIT */
/* Knows the processes, threads and tracks of a trace, and makes their tags. */
#include "tasks.h"

#include <brazier/symbol.h>
#include <brazier/text/buffer.h>

void tasks_init(tasks *t, brz_ctx *ctx)
{
    *t = (tasks){.ctx = ctx, .tag = BRZ_NO_TAG};
    pair_map_init(&t->of_processes, ctx);
    pair_map_init(&t->of_threads, ctx);
    pair_map_init(&t->processes, ctx);
    pair_map_init(&t->by_uuid, ctx);
    brz_frame_cache_init(&t->tags, ctx);
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Names a process or thread. The last name counts: programs give threads their names late. */
static void set_name(tasks *t, pair_map *of, int64_t id, brz_str name)
{
    if (name.len == 0)
        return;
    t->names = brz_list_room(t->ctx, t->names, t->n_names, &t->names_cap, sizeof *t->names);
    t->names[t->n_names] = name;
    pair_map_put(of, t->ctx, (uint64_t)id, 0, (uint32_t)t->n_names++);
}

static brz_str name_of(const tasks *t, const pair_map *of, int64_t id)
{
    uint32_t i = pair_map_find(of, (uint64_t)id, 0);
    return i == PAIR_MISS ? brz_str_of("", 0) : t->names[i];
}

brz_str tasks_process_name(const tasks *t, int64_t process)
{
    return name_of(t, &t->of_processes, process);
}

/* ---- messages -------------------------------------------------------------------------------- */

enum { TREE_PROCESS = 1, TREE_THREAD = 2 };
enum { TREE_PROCESS_ID = 1, TREE_PROCESS_WORDS = 3 };
enum { TREE_THREAD_ID = 1, TREE_THREAD_NAME = 2, TREE_THREAD_PROCESS = 3 };
enum { PROCESS_ID = 1, PROCESS_WORDS = 2, PROCESS_NAME = 6 };
enum { THREAD_PROCESS = 1, THREAD_ID = 2, THREAD_NAME = 5 };
enum {
    TRACK_UUID = 1,
    TRACK_NAME = 2,
    TRACK_PROCESS = 3,
    TRACK_THREAD = 4,
    TRACK_PARENT = 5,
    TRACK_STATIC_NAME = 10,
    TRACK_ATRACE_NAME = 13,
};

/* Takes a process, whose fields have these numbers. The first word of its command line is its name
 * unless it has one. */
static void take_process(tasks *t, brz_bytes b, uint32_t words, uint32_t name, stated_track *track)
{
    brz_str first = {"", 0}, given = {"", 0};
    int64_t id = 0;
    brz_proto_field f;
    while (brz_proto_next(&b, &f))
        if (f.number == PROCESS_ID)
            id = (int32_t)f.value;
        else if (f.number == words && first.len == 0)
            first = brz_proto_text(&f);
        else if (f.number == name)
            given = brz_proto_text(&f);
    set_name(t, &t->of_processes, id, given.len > 0 ? given : first);
    track->process = id;
    track->has_process = true;
}

static void take_tree_thread(tasks *t, brz_bytes b)
{
    int64_t id = 0, process = 0;
    brz_str name = {"", 0};
    brz_proto_field f;
    while (brz_proto_next(&b, &f))
        if (f.number == TREE_THREAD_ID)
            id = (int32_t)f.value;
        else if (f.number == TREE_THREAD_PROCESS)
            process = (int32_t)f.value;
        else if (f.number == TREE_THREAD_NAME)
            name = brz_proto_text(&f);
    set_name(t, &t->of_threads, id, name);
    pair_map_put(&t->processes, t->ctx, (uint64_t)id, 0, (uint32_t)process & INT32_MAX);
}

void tasks_take_tree(tasks *t, brz_bytes b)
{
    stated_track unused;
    brz_proto_field f;
    while (brz_proto_next(&b, &f))
        if (f.number == TREE_PROCESS && f.type == BRZ_PROTO_BYTES)
            take_process(t, f.part, TREE_PROCESS_WORDS, 0, &unused);
        else if (f.number == TREE_THREAD && f.type == BRZ_PROTO_BYTES)
            take_tree_thread(t, f.part);
}

void tasks_take_process(tasks *t, brz_bytes b, stated_track *track)
{
    take_process(t, b, PROCESS_WORDS, PROCESS_NAME, track);
}

void tasks_take_thread(tasks *t, brz_bytes b, stated_track *track)
{
    brz_str name = {"", 0};
    brz_proto_field f;
    while (brz_proto_next(&b, &f))
        if (f.number == THREAD_PROCESS)
            track->process = (int32_t)f.value;
        else if (f.number == THREAD_ID)
            track->thread = (int64_t)f.value;
        else if (f.number == THREAD_NAME)
            name = brz_proto_text(&f);
    track->has_process = track->has_thread = true;
    set_name(t, &t->of_threads, track->thread, name);
}

void tasks_take_track(tasks *t, brz_bytes b)
{
    stated_track track = {.name = {"", 0}};
    uint64_t uuid = 0;
    brz_proto_field f;
    while (brz_proto_next(&b, &f))
        if (f.number == TRACK_UUID)
            uuid = f.value;
        else if (f.number == TRACK_PARENT)
            track.parent = f.value;
        else if (f.type != BRZ_PROTO_BYTES)
            continue;
        else if (f.number == TRACK_PROCESS)
            tasks_take_process(t, f.part, &track);
        else if (f.number == TRACK_THREAD)
            tasks_take_thread(t, f.part, &track);
        else if (f.number == TRACK_NAME || f.number == TRACK_STATIC_NAME ||
                 f.number == TRACK_ATRACE_NAME)
            track.name = brz_proto_text(&f);
    t->tracks = brz_list_room(t->ctx, t->tracks, t->n_tracks, &t->tracks_cap, sizeof track);
    t->tracks[t->n_tracks] = track;
    pair_map_put(&t->by_uuid, t->ctx, uuid, 0, (uint32_t)t->n_tracks++);
}

const stated_track *tasks_track(const tasks *t, uint64_t uuid)
{
    uint32_t i = pair_map_find(&t->by_uuid, uuid, 0);
    return i == PAIR_MISS ? NULL : &t->tracks[i];
}

brz_bytes track_thread(brz_bytes track)
{
    brz_bytes none = track;
    brz_proto_field f;
    none.at = none.end;
    while (brz_proto_next(&track, &f))
        if (f.number == TRACK_THREAD && f.type == BRZ_PROTO_BYTES)
            return f.part;
    return none;
}

/* ---- tags ------------------------------------------------------------------------------------ */

static bool is_same(const task *a, const task *b)
{
    return a->flags == b->flags && a->process == b->process && a->thread == b->thread &&
           a->cpu == b->cpu && brz_str_equal(a->heap, b->heap) && brz_str_equal(a->track, b->track);
}

/* Finds the process of a thread that is known alone. */
static void complete(const tasks *t, task *of)
{
    uint32_t process = pair_map_find(&t->processes, (uint64_t)of->thread, 0);
    if ((of->flags & BRZ_TAG_PROCESS) != 0 || (of->flags & BRZ_TAG_THREAD) == 0 ||
        process == PAIR_MISS)
        return;
    of->process = process;
    of->flags |= BRZ_TAG_PROCESS;
}

static void add_label(brz_label *labels, brz_tag_desc *tag, const char *key, brz_str text)
{
    if (text.len > 0)
        labels[tag->n_labels++] = (brz_label){.key = brz_str_of_text(key), .text = text};
}

static brz_tag make_tag(tasks *t, task of)
{
    brz_label labels[2] = {{.flags = 0}};
    brz_tag_desc tag = brz_tag_empty();
    complete(t, &of);
    tag.flags = of.flags;
    tag.process = of.process;
    tag.thread = of.thread;
    tag.cpu = of.cpu;
    if (of.flags & BRZ_TAG_PROCESS)
        tag.process_name = name_of(t, &t->of_processes, of.process);
    if (of.flags & BRZ_TAG_THREAD)
        tag.thread_name = name_of(t, &t->of_threads, of.thread);
    add_label(labels, &tag, "heap", of.heap);
    add_label(labels, &tag, "track", of.track);
    tag.labels = labels;
    return t->ctx->host->tag(t->ctx, &tag);
}

/* Returns the key of a task. Its texts stay where they are: their addresses identify them. */
static brz_frame_key key_of(tasks *t, const task *of)
{
    uint64_t parts[] = {(uint64_t)of->process,
                        (uint64_t)of->thread,
                        (uintptr_t)of->heap.data,
                        of->heap.len,
                        (uintptr_t)of->track.data,
                        of->track.len,
                        (uint64_t)of->flags << 32 | of->cpu};
    t->key.len = 0;
    brz_text_append(&t->key, t->ctx, brz_str_of((const char *)parts, sizeof parts));
    return brz_frame_key_of(&t->tags, t->key.data, t->key.len, 0);
}

static brz_tag find_tag(tasks *t, const task *of)
{
    brz_frame_key key = key_of(t, of);
    uint32_t found = brz_frame_cache_find(&t->tags, &key);
    if (found != BRZ_CACHE_MISS)
        return found;
    brz_tag tag = make_tag(t, *of);
    brz_frame_cache_put(&t->tags, t->ctx, &key, tag);
    return tag;
}

brz_tag tasks_tag(tasks *t, const task *of)
{
    if (!(t->ctx->flags & BRZ_CTX_WANTS_TAGS))
        return BRZ_NO_TAG;
    if (t->tag == BRZ_NO_TAG || !is_same(&t->last, of)) {
        t->last = *of;
        t->tag = find_tag(t, of);
    }
    return t->tag;
}
