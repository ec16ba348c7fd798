/* SPDX-License-Identifier: MIT */
/* Builds the trees that palettes and outputs are tested with. */
#include "sample_trees.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/mem.h"
#include "check/guard/host_monitor.h"
#include "profile/compare.h"

/* ---- profiles ------------------------------------------------------------------------------ */

static brz_frame frame(brz_profile *p, const char *name, uint32_t kind)
{
    brz_frame_desc d = {.struct_size = sizeof d, .kind = kind};
    d.name = brz_str_of_text(name);
    return brz_profile_add_frame(p, &d);
}

/* Returns a frame with all its properties. */
static brz_frame full_frame(brz_profile *p, const char *name, const char *module, uint32_t kind)
{
    brz_frame_desc d = {.struct_size = sizeof d, .kind = kind, .line = 42};
    d.name = brz_str_of_text(name);
    d.module = brz_str_of_text(module);
    d.file = BRZ_STR("src/main.c");
    return brz_profile_add_frame(p, &d);
}

static void add(brz_profile *p, const brz_frame *frames, size_t n, int64_t value)
{
    brz_stack s = brz_profile_intern_stack(p, frames, n, 0);
    brz_profile_add_value(p, s, 0, value);
    p->samples.items =
        brz_grow(p->samples.items, p->samples.n, &p->samples.cap, sizeof *p->samples.items);
    p->samples.items[p->samples.n] =
        (brz_profile_sample){.time = BRZ_NO_TIME, .value = value, .stack = s};
    p->samples.n++;
}

static void add_column(brz_profile *p, const char *name, const char *unit, uint32_t decimals)
{
    uint32_t w = brz_profile_add_weight(p, brz_str_of_text(name), brz_str_of_text(unit), decimals,
                                        p->n_weights);
    p->weights[w].flags = strcmp(name, "samples") == 0 ? BRZ_COLUMN_SAMPLES : 0;
}

/* Adds a few dozen stacks with typical names. */
static void fill_typical(brz_profile *p)
{
    static const char *const names[] = {"main",
                                        "std::vector<int>::push_back",
                                        "java/lang/String.format",
                                        "do_syscall_64_[k]",
                                        "py::run (app.py:12)",
                                        "node`v8::Run",
                                        "start_thread",
                                        "malloc",
                                        "-",
                                        "[unknown]",
                                        "core::fmt::Write::write_str",
                                        "jit_code_[j]",
                                        "inlined_[i]",
                                        "waker_[w]",
                                        "--"};
    size_t n = BRZ_COUNT_OF(names);
    brz_frame ids[32], path[6];
    add_column(p, "samples", "samples", 0);
    for (size_t i = 0; i < n; i++)
        ids[i] = i % 2 == 0
                     ? frame(p, names[i], (uint32_t)i % 7)
                     : full_frame(p, names[i], i % 3 == 0 ? "libc.so.6" : "app", (uint32_t)i % 4);
    for (size_t i = 0; i < 60; i++) {
        size_t depth = 1 + i % 6;
        for (size_t k = 0; k < depth; k++)
            path[k] = ids[k == 0 ? 0 : (i * 7 + k * k * 3) % n];
        add(p, path, depth, (int64_t)(1 + i * i % 97));
    }
}

static void fill_nothing(brz_profile *p)
{
    add_column(p, "samples", "samples", 0);
}

static void fill_one(brz_profile *p)
{
    brz_frame f = frame(p, "all", BRZ_KIND_USER);
    add_column(p, "samples", "samples", 0);
    add(p, &f, 1, 1);
}

static void fill_zeros(brz_profile *p)
{
    brz_frame path[] = {frame(p, "a", 0), frame(p, "b", 0)};
    add_column(p, "samples", "samples", 0);
    add(p, path, 1, 0);
    add(p, path, 2, 0);
}

#define DEEP 20000

static void fill_deep(brz_profile *p)
{
    brz_frame *path = brz_calloc(DEEP, sizeof *path),
              two[] = {frame(p, "down", 0), frame(p, "a", 0)};
    add_column(p, "samples", "samples", 0);
    for (size_t i = 0; i < DEEP; i++)
        path[i] = two[i % 2];
    add(p, path, DEEP, 7);
    add(p, path, DEEP / 2, 3);
    free(path);
}

static void fill_wide(brz_profile *p)
{
    char name[32];
    brz_frame path[2] = {frame(p, "main", 0)};
    add_column(p, "samples", "samples", 0);
    for (int i = 0; i < 3000; i++) {
        snprintf(name, sizeof name, "function_%d", i);
        path[1] = frame(p, name, BRZ_KIND_USER);
        add(p, path, 2, 1 + i % 5);
    }
}

/* Adds names that contain markup or line breaks, or are empty. */
static void fill_odd_names(brz_profile *p)
{
    static const char *const names[] = {"",
                                        "<script>alert(1)</script>",
                                        "a & b",
                                        "\"quoted\"",
                                        "it's",
                                        "]]>",
                                        "</script><!--",
                                        "line\nbreak",
                                        "tab\there",
                                        "\x01\x02\x1b[31m\x7f",
                                        "back\\slash",
                                        "\xef\xbf\xbe\xef\xbf\xbf",
                                        "\xe2\x80\xa8\xe2\x80\xae\xe2\x80\xac",
                                        "\xf0\x9f\x94\xa5",
                                        "semi;colon",
                                        "%s%n%d",
                                        "  blanks  ",
                                        "bad\x80utf\xff",
                                        "-->",
                                        "${x}`",
                                        "\xed\xa0\x80"};
    size_t n = BRZ_COUNT_OF(names);
    brz_frame path[3];
    char *longest = brz_calloc(1, 70000);
    memset(longest, 'w', 65536);
    add_column(p, "samples <&> \"", "bytes & more", 0);
    for (size_t i = 0; i < n; i++) {
        path[0] = frame(p, names[i], 0);
        path[1] = full_frame(p, names[(i + 1) % n], names[(i + 5) % n], BRZ_KIND_KERNEL);
        path[2] = frame(p, i == 3 ? longest : names[(i * 5) % n], BRZ_KIND_USER);
        add(p, path, 1 + i % 3, (int64_t)i + 1);
    }
    free(longest);
}

static void fill_extremes(brz_profile *p)
{
    brz_frame path[] = {frame(p, "a", 0), frame(p, "b", 0), frame(p, "c", 0)};
    add_column(p, "weight", "nanoseconds", 9);
    add(p, path, 3, INT64_MAX);
    add(p, path, 2, INT64_MAX / 2);
    add(p, path + 1, 2, 1);
    add(p, path + 2, 1, -5);
}

static void fill_kinds(brz_profile *p)
{
    brz_frame path[2];
    char name[32];
    add_column(p, "samples", "samples", 0);
    path[0] = frame(p, "main", BRZ_KIND_PROCESS);
    for (uint32_t kind = 0; kind < 12; kind++) {
        snprintf(name, sizeof name, "kind %u", kind);
        path[1] = full_frame(p, name, "lib.so",
                             kind < 10    ? kind
                             : kind == 10 ? 0xffff
                                          : UINT32_MAX);
        add(p, path, 2, 1 + kind);
    }
}

/* Adds two columns; some stacks have a value in only one of them. */
static void fill_columns(brz_profile *p)
{
    fill_typical(p);
    add_column(p, "alloc_space", "bytes", 2);
    for (size_t i = 0; i < p->n_stacks; i += 2)
        brz_profile_add_value(p, (brz_stack)i, 1, (int64_t)(i * 1000));
}

/* Adds two columns of gains and losses. */
static void fill_signs(brz_profile *p)
{
    fill_columns(p);
    for (size_t i = 0; i < p->n_stacks; i++) {
        int64_t value = brz_profile_value(p, (brz_stack)i, i % 2);
        if (i % 3 == 0)
            brz_profile_add_value(p, (brz_stack)i, i % 2, -2 * value);
    }
}

/* Adds a time and the number of samples to each stack. */
static void fill_times(brz_profile *p)
{
    add_column(p, "cpu", "nanoseconds", 0);
    fill_typical(p);
    for (size_t i = 0; i < p->n_stacks; i++)
        brz_profile_add_value(p, (brz_stack)i, 1, (int64_t)(1 + i % 3));
}

/* Divides the samples among two processes, states facts about each, and others about the whole. */
static void fill_parts(brz_profile *p)
{
    static const char *const commands[] = {"shop --serve", "worker"};
    fill_typical(p);
    for (size_t i = 0; i < BRZ_COUNT_OF(commands); i++) {
        brz_tag_desc tag = brz_tag_empty();
        tag.flags = BRZ_TAG_PROCESS;
        tag.process = (int64_t)i + 1;
        const brz_metadata m = {.struct_size = sizeof m,
                                .pair_size = sizeof(brz_pair),
                                .start = 1000 * ((int64_t)i + 1),
                                .command = brz_str_of_text(commands[i]),
                                .of = &tag};
        brz_parts_state(&p->parts, &p->strings, &m, i);
        tag.flags |= BRZ_TAG_THREAD;
        brz_tag id = brz_tags_add(&p->tags, &p->strings, &tag);
        for (size_t s = i; s < p->samples.n; s += BRZ_COUNT_OF(commands))
            p->samples.items[s].tag = BRZ_SAMPLE_TAG(id);
    }
    const brz_metadata all = {.struct_size = sizeof all,
                              .pair_size = sizeof(brz_pair),
                              .producer = BRZ_STR("profiler"),
                              .duration = 5000};
    brz_facts_state(&p->facts, &p->strings, &all, 2);
}

/* ---- tree kinds ---------------------------------------------------------------------------- */

enum { PLAIN, COMPARED, BY_TIME };

static const struct {
    check_tree_kind kind;
    void (*fill)(brz_profile *);
    int how;
} kinds[] = {
    {{"a typical tree", true}, fill_typical, PLAIN},
    {{"a tree of two columns", true}, fill_columns, PLAIN},
    {{"a tree of times and samples", true}, fill_times, PLAIN},
    {{"a comparison", true}, fill_columns, COMPARED},
    {{"a tree of gains and losses", true}, fill_signs, PLAIN},
    {{"a comparison of gains and losses", true}, fill_signs, COMPARED},
    {{"a flame chart", true}, fill_typical, BY_TIME},
    {{"a tree of every kind of frame", true}, fill_kinds, PLAIN},
    {{"a tree of two processes with their own metadata", true}, fill_parts, PLAIN},
    {{"an empty tree", false}, fill_nothing, PLAIN},
    {{"a tree of one frame", false}, fill_one, PLAIN},
    {{"a tree that weighs nothing", false}, fill_zeros, PLAIN},
    {{"a stack of 20,000 frames", false}, fill_deep, PLAIN},
    {{"3,000 siblings", false}, fill_wide, PLAIN},
    {{"odd names", false}, fill_odd_names, PLAIN},
    {{"a flame chart of odd names", false}, fill_odd_names, BY_TIME},
    {{"values at the ends of their range", false}, fill_extremes, PLAIN},
};

const check_tree_kind *check_tree_kind_at(size_t i)
{
    return i < BRZ_COUNT_OF(kinds) ? &kinds[i].kind : NULL;
}

void check_sample_tree_build(check_sample_tree *t, size_t kind, const brz_call_tree_options *wanted)
{
    brz_call_tree_options options = *wanted;
    t->profile = brz_profile_create();
    kinds[kind].fill(t->profile);
    options.before = kinds[kind].how == COMPARED ? 0 : BRZ_NO_COLUMN;
    options.after = kinds[kind].how == COMPARED ? 1 : BRZ_NO_COLUMN;
    options.time = kinds[kind].how == BY_TIME ? BRZ_TIME_ORDER : BRZ_TIME_MERGED;
    options.is_signed =
        wanted->is_signed && (brz_has_losses(t->profile, 0) ||
                              (kinds[kind].how == COMPARED && brz_has_losses(t->profile, 1)));
    brz_call_tree_init(&t->call_tree, t->profile, &options);
}

void check_sample_tree_finish(check_sample_tree *t)
{
    brz_call_tree_finish(&t->call_tree);
    brz_profile_destroy(t->profile);
}

/* ---- copies -------------------------------------------------------------------------------- */

/* Copies an array to *at and advances it; enlarges each element by `more` bytes. */
static const void *put(char **at, const void *from, uint64_t n, uint32_t size, uint32_t *stride,
                       uint32_t more)
{
    if (from == NULL)
        return NULL;
    char *to = *at;
    for (uint64_t i = 0; i < n; i++) {
        memcpy(to + (size_t)i * (size + more), (const char *)from + (size_t)i * size, size);
        memset(to + (size_t)i * (size + more) + size, 0xa5, more);
    }
    *stride = size + more;
    *at += ((size_t)n * (size + more) + 63) & ~(size_t)63;
    return to;
}

static size_t room_for(const brz_tree *t, uint32_t more)
{
    size_t n =
        (size_t)t->n_frames * (t->frame_size + more) + (size_t)t->n_nodes * (t->node_size + more);
    n += (size_t)t->n_stacks * (t->stack_size + more) +
         (size_t)t->n_columns * (t->column_size + more);
    n += (size_t)t->n_nodes * (t->change_size + more + 2 * sizeof(int64_t));
    n += (size_t)t->n_tags * (t->tag_size + more) + (size_t)t->n_samples * (t->sample_size + more);
    n += (size_t)t->n_parts * (t->part_size + more);
    return n + 4096;
}

/* Growth of elements: the size of a few additional members. */
#define MORE 24u

const brz_tree *check_tree_protect(check_protected_tree *s, const brz_tree *t, unsigned newer,
                                   check_crash_record *crash_record)
{
    uint32_t more = newer & CHECK_LONGER ? MORE : 0;
    brz_tree *c = &s->longer.tree;
    uint32_t ignored;
    s->map_len = room_for(t, more);
    s->map = mmap(NULL, s->map_len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (s->map == MAP_FAILED)
        brz_out_of_memory(s->map_len);
    char *at = s->map;
    *c = *t;
    c->frames = put(&at, t->frames, t->n_frames, t->frame_size, &c->frame_size, more);
    c->nodes = put(&at, t->nodes, t->n_nodes, t->node_size, &c->node_size, more);
    c->stacks = put(&at, t->stacks, t->n_stacks, t->stack_size, &c->stack_size, more);
    c->columns = put(&at, t->columns, t->n_columns, t->column_size, &c->column_size, more);
    c->changes = put(&at, t->changes, t->n_nodes, t->change_size, &c->change_size, more);
    c->starts = put(&at, t->starts, t->n_nodes, sizeof(int64_t), &ignored, 0);
    c->counts = put(&at, t->counts, t->n_nodes, sizeof(int64_t), &ignored, 0);
    c->tags = put(&at, t->tags, t->n_tags, t->tag_size, &c->tag_size, more);
    c->samples = put(&at, t->samples, t->n_samples, t->sample_size, &c->sample_size, more);
    c->parts = put(&at, t->parts, t->n_parts, t->part_size, &c->part_size, more);
    memset(s->longer.beyond, 0xa5, sizeof s->longer.beyond);
    if (newer & CHECK_LONGER)
        c->struct_size = sizeof s->longer;
    if (newer & CHECK_ODD_FLAGS)
        c->flags |= CHECK_ODD_FLAG;
    mprotect(s->map, s->map_len, PROT_READ);
    s->crash_record = crash_record;
    s->area = check_crash_record_add_area(crash_record, (uintptr_t)s->map,
                                          (uintptr_t)s->map + s->map_len, 51);
    return c;
}

void check_protected_tree_finish(check_protected_tree *s)
{
    check_crash_record_drop_area(s->crash_record, s->area);
    munmap(s->map, s->map_len);
}
