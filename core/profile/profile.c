/* SPDX-License-Identifier: MIT */
/* Stores profiles: frames, stacks of frames, and the weights of each stack. */
#include "profile/profile.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/text.h"
#include "profile/unit_name.h"

#include <brazier/text/integer.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

brz_profile *brz_profile_create(void)
{
    return brz_calloc(1, sizeof(brz_profile));
}

void brz_profile_destroy(brz_profile *p)
{
    if (p == NULL)
        return;
    for (size_t i = 0; i < p->n_weights; i++)
        free(p->weights[i].values);
    brz_strings_finish(&p->strings);
    free(p->frames);
    brz_table_free(p->frame_slots, p->n_frame_slots * sizeof *p->frame_slots);
    free(p->stacks);
    brz_arena_finish(&p->paths);
    brz_table_free(p->stack_slots, p->n_stack_slots * sizeof *p->stack_slots);
    free(p->weights);
    brz_samples_finish(&p->samples);
    brz_tags_finish(&p->tags);
    brz_facts_finish(&p->facts);
    brz_parts_finish(&p->parts);
    brz_codes_finish(&p->codes);
    free(p);
}

void brz_profile_replace(brz_profile *p, brz_profile *by)
{
    brz_profile before = *p;
    *p = *by;
    *by = before;
    brz_profile_destroy(by);
}

/* ---- tables -------------------------------------------------------------------------------- */

/* Returns a free slot for an item with this hash. Half of the hash selects the slot. */
static uint64_t *free_slot(uint64_t *slots, size_t n, uint64_t hash)
{
    size_t at = (size_t)(hash >> 32) & (n - 1);
    while (slots[at] != 0)
        at = (at + 1) & (n - 1);
    return &slots[at];
}

/* Makes room for `used` items in a table of slots, each of which holds half of the hash of an item
 * and the number of the item, counted from 1. A free slot is 0. Growing fourfold touches fewer
 * pages than two times twofold. */
static void reserve_slots(uint64_t **slots, size_t *n_slots, size_t used)
{
    if (2 * used <= *n_slots)
        return;
    uint64_t *old = *slots;
    size_t old_n = *n_slots;
    *n_slots = old_n > 0 ? old_n : 256;
    while (*n_slots < 2 * used)
        *n_slots *= 4;
    *slots = brz_table_alloc(*n_slots * sizeof **slots);
    for (size_t i = 0; i < old_n; i++)
        if (old[i] != 0)
            *free_slot(*slots, *n_slots, old[i]) = old[i];
    brz_table_free(old, old_n * sizeof *old);
}

/* ---- frames -------------------------------------------------------------------------------- */

/* Hashes every member by itself: members that share bits would let an input that was crafted for it
 * cause collisions under any keys. */
static uint64_t frame_hash(const brz_profile_frame *f)
{
    const brz_hash_keys *keys = brz_hash_host_keys();
    brz_words members = {{(uint64_t)f->name << 32 | f->module, (uint64_t)f->file << 32 | f->line,
                          (uint64_t)f->system_name << 32 | f->build_id, f->address}};
    uint64_t hash = brz_words_hash(keys, &members, (uint64_t)f->first_line << 32 | f->column);
    return brz_hash_pair(keys, hash, (uint64_t)f->kind << 32 | f->flags);
}

static void fill_frame_slot(brz_profile *p, uint64_t hash, size_t frame)
{
    *free_slot(p->frame_slots, p->n_frame_slots, hash) = hash >> 32 << 32 | (frame + 1);
}

void brz_profile_rehash_frames(brz_profile *p)
{
    if (p->n_frame_slots == 0)
        return;
    memset(p->frame_slots, 0, p->n_frame_slots * sizeof *p->frame_slots);
    for (size_t i = 0; i < p->n_frames; i++)
        fill_frame_slot(p, frame_hash(&p->frames[i]), i);
}

brz_frame brz_profile_intern_frame(brz_profile *p, const brz_profile_frame *f)
{
    reserve_slots(&p->frame_slots, &p->n_frame_slots, p->n_frames + 1);
    uint64_t hash = frame_hash(f), slot;
    size_t mask = p->n_frame_slots - 1, at = (size_t)(hash >> 32) & mask;
    for (; (slot = p->frame_slots[at]) != 0; at = (at + 1) & mask)
        if ((slot ^ hash) >> 32 == 0 && memcmp(&p->frames[(uint32_t)slot - 1], f, sizeof *f) == 0)
            return (uint32_t)slot - 1;
    if (p->n_frames >= UINT32_MAX / 2)
        brz_out_of_memory(p->n_frames);
    p->frames = brz_grow(p->frames, p->n_frames, &p->frames_cap, sizeof *p->frames);
    p->frames[p->n_frames] = *f;
    fill_frame_slot(p, hash, p->n_frames++);
    return (brz_frame)(p->n_frames - 1);
}

/* Interns a text that the last frame probably has, too: its module or file. `last` is the id of
 * that. */
static uint32_t intern_like(brz_strings *t, brz_str text, uint32_t last)
{
    if (text.len == 0)
        return 0;
    return brz_str_equal(brz_strings_at(t, last), text) ? last : brz_strings_intern(t, text);
}

brz_frame brz_profile_add_frame(brz_profile *p, const brz_frame_desc *d)
{
    uint32_t name = brz_strings_intern(&p->strings, d->name);
    const brz_profile_frame none = {0},
                            *last = p->n_frames > 0 ? &p->frames[p->n_frames - 1] : &none;
    brz_profile_frame f = {
        .name = name,
        .module = intern_like(&p->strings, d->module, last->module),
        .file = intern_like(&p->strings, d->file, last->file),
        .line = d->line,
        .kind = d->kind,
        .flags = d->flags,
        .column = d->column,
        .first_line = d->first_line,
        .address = d->address,
    };
    if (d->system_name.len > 0)
        f.system_name = brz_strings_intern(&p->strings, d->system_name);
    if (d->build_id.len > 0)
        f.build_id = brz_strings_intern(&p->strings, d->build_id);
    return brz_profile_intern_frame(p, &f);
}

brz_frame_info brz_profile_frame_info(const brz_profile *p, brz_frame frame)
{
    const brz_profile_frame *f = &p->frames[frame];
    return (brz_frame_info){
        .name = brz_strings_at(&p->strings, f->name),
        .module = brz_strings_at(&p->strings, f->module),
        .file = brz_strings_at(&p->strings, f->file),
        .line = f->line,
        .kind = f->kind,
        .system_name = brz_strings_at(&p->strings, f->system_name),
        .build_id = brz_strings_at(&p->strings, f->build_id),
        .address = f->address,
        .column = f->column,
        .first_line = f->first_line,
        .flags = f->flags,
    };
}

/* ---- stacks -------------------------------------------------------------------------------- */

brz_frame *brz_profile_add_frames(brz_profile *p, size_t n)
{
    p->n_ids += n;
    return brz_arena_alloc(&p->paths, n * sizeof(brz_frame), 0);
}

/* Returns a copy of frames with room for `cap`. */
static brz_frame *copy_frames(brz_profile *p, const brz_frame *frames, size_t n, size_t cap)
{
    brz_frame *own = brz_arena_alloc(&p->paths, cap * sizeof *own, 0);
    if (n > 0)
        memcpy(own, frames, n * sizeof *own);
    p->n_ids += n;
    return own;
}

/* Returns the frames of a stack that begins with all of the last one. Appends `rest` to these, or
 * to a copy with more room. */
static brz_frame *extend_last(brz_profile *p, const brz_frame *rest, size_t n)
{
    const brz_profile_stack *last = &p->stacks[p->n_stacks - 1];
    bool is_end = p->growing == last->frames && p->growing_n == last->n;
    if (!is_end || n > p->growing_cap) {
        p->growing_cap = 2 * n;
        p->growing = copy_frames(p, last->frames, last->n, p->growing_cap);
    }
    memcpy(p->growing + last->n, rest, (n - last->n) * sizeof *rest);
    p->growing_n = n;
    p->n_ids += n - last->n;
    return p->growing;
}

static void check_size(const brz_profile *p, size_t n)
{
    if (n > UINT32_MAX || p->n_stacks >= UINT32_MAX - 1)
        brz_out_of_memory(n);
}

brz_stack brz_profile_add_stored(brz_profile *p, brz_frame *frames, size_t n, uint32_t flags)
{
    check_size(p, n);
    p->stacks = brz_grow(p->stacks, p->n_stacks, &p->stacks_cap, sizeof *p->stacks);
    p->stacks[p->n_stacks] = (brz_profile_stack){
        .frames = frames, .n = (uint32_t)n, .leaf_first = (flags & BRZ_LEAF_FIRST) != 0};
    return (brz_stack)p->n_stacks++;
}

brz_stack brz_profile_add_nested(brz_profile *p, const brz_frame *rest, size_t n)
{
    const brz_profile_stack *last = &p->stacks[p->n_stacks - 1];
    p->is_shared = true;
    return brz_profile_add_stored(p, n <= last->n ? last->frames : extend_last(p, rest, n), n, 0);
}

brz_stack brz_profile_add_stack(brz_profile *p, const brz_frame *frames, size_t n, uint32_t flags)
{
    if (!(flags & BRZ_NESTED) || p->n_stacks == 0)
        return brz_profile_add_stored(p, copy_frames(p, frames, n, n), n, flags);
    size_t last = p->stacks[p->n_stacks - 1].n;
    return brz_profile_add_nested(p, frames + (last < n ? last : n), n);
}

size_t brz_profile_n_nested(const brz_profile *p, size_t s)
{
    if (s == 0 || p->stacks[s].frames != p->stacks[s - 1].frames)
        return 0;
    uint32_t before = p->stacks[s - 1].n, n = p->stacks[s].n;
    return before < n ? before : n;
}

uint32_t brz_stacks_n_common(const brz_profile_stack *a, const brz_profile_stack *b)
{
    uint32_t n = a->n < b->n ? a->n : b->n, i = a->frames == b->frames ? n : 0;
    while (i < n && a->frames[i] == b->frames[i])
        i++;
    return i;
}

static int compare_frames(const void *a, const void *b)
{
    const brz_profile_stack *x = *(brz_profile_stack *const *)a,
                            *y = *(brz_profile_stack *const *)b;
    uintptr_t own = (uintptr_t)x->frames, other = (uintptr_t)y->frames;
    return own != other ? (own > other) - (own < other) : (x > y) - (x < y);
}

brz_profile_stack **brz_profile_stacks_by_frames(brz_profile *p)
{
    brz_profile_stack **stacks = brz_calloc(p->n_stacks + 1, sizeof(brz_profile_stack *));
    for (size_t i = 0; i < p->n_stacks; i++)
        stacks[i] = &p->stacks[i];
    if (p->is_shared && p->n_stacks > 0)
        qsort(stacks, p->n_stacks, sizeof(brz_profile_stack *), compare_frames);
    return stacks;
}

brz_arena brz_profile_take_frames(brz_profile *p)
{
    brz_arena paths = p->paths;
    p->paths = (brz_arena){0};
    p->growing = NULL;
    p->n_ids = p->growing_cap = 0;
    return paths;
}

void brz_profile_reverse_stack(brz_profile_stack *s)
{
    for (uint32_t i = 0, j = s->n; i + 1 < j; i++) {
        brz_frame f = s->frames[i];
        s->frames[i] = s->frames[--j];
        s->frames[j] = f;
    }
    s->leaf_first = false;
}

void brz_profile_seal(brz_profile *p)
{
    for (size_t i = 0; i < p->n_stacks; i++)
        if (p->stacks[i].leaf_first)
            brz_profile_reverse_stack(&p->stacks[i]);
}

/* ---- interned stacks ----------------------------------------------------------------------- */

static uint64_t stack_hash(const brz_frame *frames, size_t n)
{
    const brz_hash_keys *k = brz_hash_host_keys();
    uint64_t h = BRZ_HASH_EMPTY;
    for (size_t i = 0; i < n; i++)
        h = brz_hash_step(k, h, frames[i]);
    return brz_hash_pair(k, h, 0);
}

static bool has_frames(const brz_profile *p, brz_stack s, const brz_frame *frames, size_t n)
{
    const brz_profile_stack *stack = &p->stacks[s];
    return stack->n == n && (n == 0 || memcmp(stack->frames, frames, n * sizeof *frames) == 0);
}

/* Returns the slot of the interned stack with these frames, or a free slot for it. */
static uint64_t *find_slot(const brz_profile *p, const brz_frame *frames, size_t n, uint64_t hash)
{
    size_t mask = p->n_stack_slots - 1, at = (size_t)(hash >> 32) & mask;
    for (; p->stack_slots[at] != 0; at = (at + 1) & mask) {
        uint64_t slot = p->stack_slots[at];
        if ((slot ^ hash) >> 32 == 0 && has_frames(p, (brz_stack)(uint32_t)slot - 1, frames, n))
            break;
    }
    return &p->stack_slots[at];
}

static void fill_slot(brz_profile *p, uint64_t *slot, uint64_t hash, brz_stack s)
{
    *slot = hash >> 32 << 32 | (s + 1);
    p->n_interned++;
}

/* Looks the stack up before it is stored: one that shares frames cannot be given back. */
static brz_stack intern_nested(brz_profile *p, const brz_frame *frames, size_t n)
{
    uint64_t hash = stack_hash(frames, n), *slot = find_slot(p, frames, n, hash);
    if (*slot == 0)
        fill_slot(p, slot, hash, brz_profile_add_stack(p, frames, n, BRZ_NESTED));
    return (brz_stack)(uint32_t)*slot - 1;
}

brz_stack brz_profile_intern_stack(brz_profile *p, const brz_frame *frames, size_t n,
                                   uint32_t flags)
{
    reserve_slots(&p->stack_slots, &p->n_stack_slots, p->n_interned + 1);
    if (flags & BRZ_NESTED)
        return intern_nested(p, frames, n);
    brz_stack s = brz_profile_add_stack(p, frames, n, flags);
    brz_profile_stack *stack = &p->stacks[s];
    if (flags & BRZ_LEAF_FIRST)
        brz_profile_reverse_stack(stack);
    uint64_t hash = stack_hash(stack->frames, n);
    uint64_t *slot = find_slot(p, stack->frames, n, hash);
    if (*slot == 0) {
        fill_slot(p, slot, hash, s);
        return s;
    }
    brz_arena_give_back(&p->paths, stack->frames);
    p->n_ids -= n;
    p->n_stacks--;
    return (brz_stack)(uint32_t)*slot - 1;
}

/* The hash of each prefix of a stack. Stacks mostly share the first frames of the previous one, so
 * these are not hashed again. */
typedef struct prefixes {
    brz_frame *frames;
    uint64_t *hashes; /* of the first 0, 1, ... n_hashed frames */
    size_t n, n_hashed, cap;
} prefixes;

static void finish_prefixes(prefixes *x)
{
    free(x->frames);
    free(x->hashes);
}

/* Replaces the frames from `shared` on by those of a stack, mapped by `map`, if any. */
static void set_prefixes(prefixes *x, const brz_profile_stack *s, size_t shared,
                         const brz_frame *map)
{
    if (s->n >= x->cap) {
        x->cap = 2 * (size_t)s->n + 64;
        x->frames = brz_realloc(x->frames, x->cap, sizeof *x->frames);
        x->hashes = brz_realloc(x->hashes, x->cap, sizeof *x->hashes);
        x->hashes[0] = BRZ_HASH_EMPTY;
    }
    for (size_t i = shared; i < s->n; i++)
        x->frames[i] = map == NULL ? s->frames[i] : map[s->frames[i]];
    x->n = s->n;
    x->n_hashed = x->n_hashed < shared ? x->n_hashed : shared;
}

static uint64_t hash_prefixes(prefixes *x)
{
    const brz_hash_keys *k = brz_hash_host_keys();
    for (; x->n_hashed < x->n; x->n_hashed++)
        x->hashes[x->n_hashed + 1] =
            brz_hash_step(k, x->hashes[x->n_hashed], x->frames[x->n_hashed]);
    return brz_hash_pair(k, x->hashes[x->n], 0);
}

/* Returns the number of leading frames that a stack shares with the previous one. */
static size_t shared_with_previous(const brz_profile *p, size_t s)
{
    if (s == 0)
        return 0;
    return brz_stacks_n_common(&p->stacks[s - 1], &p->stacks[s]);
}

bool brz_profile_intern_all(brz_profile *p)
{
    prefixes x = {0};
    bool distinct = true;
    reserve_slots(&p->stack_slots, &p->n_stack_slots, p->n_interned + p->n_stacks);
    for (size_t s = 0; s < p->n_stacks && distinct; s++) {
        set_prefixes(&x, &p->stacks[s], shared_with_previous(p, s), NULL);
        uint64_t hash = hash_prefixes(&x), *slot = find_slot(p, x.frames, x.n, hash);
        distinct = *slot == 0;
        if (distinct)
            fill_slot(p, slot, hash, (brz_stack)s);
    }
    finish_prefixes(&x);
    if (distinct)
        return true;
    memset(p->stack_slots, 0, p->n_stack_slots * sizeof *p->stack_slots);
    p->n_interned = 0;
    return false;
}

/* ---- weights ------------------------------------------------------------------------------- */

uint32_t brz_profile_find_weight(const brz_profile *p, brz_str name)
{
    for (size_t i = 0; i < p->n_weights; i++) {
        brz_str s = brz_strings_at(&p->strings, p->weights[i].name);
        if (brz_str_equal(s, name))
            return (uint32_t)i;
    }
    return BRZ_NO_COLUMN;
}

/* Returns the column whose name has this id in the string table. */
static uint32_t find_interned(const brz_profile *p, uint32_t name)
{
    for (size_t i = 0; i < p->n_weights; i++)
        if (p->weights[i].name == name)
            return (uint32_t)i;
    return BRZ_NO_COLUMN;
}

/* Records a column with two units, unless another one that sorts before it is recorded: the order
 * in which threads find columns does not matter. */
static void record_clash(brz_profile *p, brz_unit_clash clash)
{
    const uint32_t old[] = {p->clash.name, p->clash.units[0], p->clash.units[1]};
    const uint32_t new[] = {clash.name, clash.units[0], clash.units[1]};
    int d = 0;
    for (size_t i = 0; i < 3 && d == 0; i++)
        d = brz_strings_compare(&p->strings, new[i], old[i]);
    if (p->clash.name == 0 || d < 0)
        p->clash = clash;
}

/* Compares the unit of a column with another one for the same column. */
static void check_unit(brz_profile *p, const brz_profile_weight *w, brz_str unit)
{
    brz_unit_clash clash = {.name = w->name};
    brz_str own = brz_strings_at(&p->strings, w->unit);
    if (brz_str_equal(own, unit) || !brz_units_differ(own, unit))
        return;
    bool is_after = brz_str_compare(own, unit) > 0;
    clash.units[is_after] = w->unit;
    clash.units[!is_after] = brz_strings_intern(&p->strings, unit);
    record_clash(p, clash);
}

/* Takes over the clash of another profile. */
static void absorb_clash(brz_profile *p, const brz_profile *from)
{
    const brz_strings *theirs = &from->strings;
    if (from->clash.name == 0)
        return;
    record_clash(
        p, (brz_unit_clash){
               brz_strings_intern(&p->strings, brz_strings_at(theirs, from->clash.name)),
               {brz_strings_intern(&p->strings, brz_strings_at(theirs, from->clash.units[0])),
                brz_strings_intern(&p->strings, brz_strings_at(theirs, from->clash.units[1]))}});
}

uint32_t brz_profile_add_weight(brz_profile *p, brz_str name, brz_str unit, uint32_t decimals,
                                uint64_t position)
{
    uint32_t interned = brz_strings_intern(&p->strings, name), w = find_interned(p, interned);
    if (w != BRZ_NO_COLUMN)
        check_unit(p, &p->weights[w], unit);
    if (w == BRZ_NO_COLUMN && p->n_weights == BRZ_PROFILE_MAX_WEIGHTS)
        w = BRZ_PROFILE_MAX_WEIGHTS - 1;
    if (w == BRZ_NO_COLUMN) {
        p->weights = brz_grow(p->weights, p->n_weights, &p->weights_cap, sizeof *p->weights);
        w = (uint32_t)p->n_weights++;
        p->weights[w] = (brz_profile_weight){
            .name = interned,
            .unit = brz_strings_intern(&p->strings, unit),
            .position = position,
        };
    }
    if (position < p->weights[w].position) {
        p->weights[w].position = position;
        p->weights[w].unit = brz_strings_intern(&p->strings, unit);
    }
    brz_profile_set_decimals(p, w, decimals);
    return w;
}

static int64_t multiply_saturated(int64_t a, int64_t b, bool *saturated)
{
    int64_t product;
    if (!__builtin_mul_overflow(a, b, &product))
        return product;
    *saturated = true;
    return a > 0 ? INT64_MAX : INT64_MIN;
}

void brz_profile_set_decimals(brz_profile *p, uint32_t weight, uint32_t decimals)
{
    brz_profile_weight *w = &p->weights[weight];
    decimals = decimals < 9 ? decimals : 9;
    if (decimals <= w->decimals)
        return;
    int64_t factor = brz_power_of_ten(decimals - w->decimals);
    for (size_t i = 0; i < w->n_values; i++)
        w->values[i] = multiply_saturated(w->values[i], factor, &p->saturated);
    for (size_t i = 0; i < p->samples.n; i++)
        if (p->samples.items[i].weight == weight)
            p->samples.items[i].value =
                multiply_saturated(p->samples.items[i].value, factor, &p->saturated);
    w->decimals = decimals;
}

/* Makes room for a value of each stack. */
static void grow_values(const brz_profile *p, brz_profile_weight *w)
{
    size_t n = p->stacks_cap;
    w->values = brz_realloc(w->values, n, sizeof *w->values);
    memset(w->values + w->n_values, 0, (n - w->n_values) * sizeof *w->values);
    w->n_values = n;
}

void brz_profile_add_value(brz_profile *p, brz_stack stack, uint32_t weight, int64_t value)
{
    brz_profile_weight *w = &p->weights[weight];
    if (stack >= w->n_values)
        grow_values(p, w);
    w->values[stack] = brz_add_saturated(w->values[stack], value, &p->saturated);
}

int64_t brz_profile_value(const brz_profile *p, brz_stack stack, uint32_t weight)
{
    const brz_profile_weight *w = &p->weights[weight];
    return stack < w->n_values ? w->values[stack] : 0;
}

void brz_profile_sum_samples(brz_profile *p)
{
    for (size_t w = 0; w < p->n_weights; w++)
        if (p->weights[w].n_values > 0)
            memset(p->weights[w].values, 0, p->weights[w].n_values * sizeof *p->weights[w].values);
    for (size_t i = 0; i < p->samples.n; i++) {
        const brz_profile_sample *s = &p->samples.items[i];
        brz_profile_add_value(p, s->stack, s->weight, s->value);
    }
}

static int by_position(const void *a, const void *b)
{
    const brz_profile_weight *x = a, *y = b;
    return (x->position > y->position) - (x->position < y->position);
}

void brz_profile_sort_weights(brz_profile *p)
{
    uint32_t names[BRZ_PROFILE_MAX_WEIGHTS], moved[BRZ_PROFILE_MAX_WEIGHTS];
    size_t n = p->n_weights;
    if (n < 2)
        return;
    for (size_t i = 0; i < n; i++)
        names[i] = p->weights[i].name;
    qsort(p->weights, n, sizeof *p->weights, by_position);
    for (size_t old = 0; old < n; old++)
        for (uint32_t now = 0; now < n; now++)
            if (p->weights[now].name == names[old])
                moved[old] = now;
    for (size_t i = 0; i < p->samples.n; i++)
        p->samples.items[i].weight = moved[p->samples.items[i].weight] & 0xff;
    brz_samples_rehash(&p->samples);
}

bool brz_profile_describe_full(const brz_profile *p, brz_buf *b)
{
    size_t most = p->tags.most > 0 ? p->tags.most : BRZ_MAX_TAGS;
    if (p->tags.left_out > 0)
        brz_buf_printf(b,
                       "more than %zu different tags (process, thread, processor, labels): samples "
                       "with others have none (%" PRIu64 " times)",
                       most - 1, p->tags.left_out);
    if (p->facts.left_out > 0)
        brz_buf_printf(b, "%smore than %d comments or pairs of metadata: %" PRIu64 " are left out",
                       b->len > 0 ? "; " : "", BRZ_MAX_FACTS, p->facts.left_out);
    if (p->parts.tags.left_out > 0)
        brz_buf_printf(b, "%smore than %d profiles in the input: facts about others are left out",
                       b->len > 0 ? "; " : "", BRZ_MAX_PARTS);
    return b->len > 0;
}

/* ---- renumbering stacks -------------------------------------------------------------------- */

/* Forgets which stacks are interned. */
static void forget_interned(brz_profile *p)
{
    if (p->n_interned > 0)
        memset(p->stack_slots, 0, p->n_stack_slots * sizeof *p->stack_slots);
    p->n_interned = 0;
}

static void move_values(const brz_profile *p, brz_profile_weight *w, const brz_stack *moved,
                        size_t kept)
{
    for (size_t s = 0; s < p->n_stacks; s++) /* missing values are 0 */
        if (moved[s] != BRZ_NO_STACK && moved[s] < w->n_values)
            w->values[moved[s]] = s < w->n_values ? w->values[s] : 0;
    for (size_t s = kept; s < p->n_stacks && s < w->n_values; s++)
        w->values[s] = 0;
}

void brz_profile_move_stacks(brz_profile *p, const brz_stack *moved, size_t kept)
{
    for (size_t s = 0; s < p->n_stacks; s++)
        if (moved[s] != BRZ_NO_STACK)
            p->stacks[moved[s]] = p->stacks[s];
    for (size_t w = 0; w < p->n_weights; w++)
        move_values(p, &p->weights[w], moved, kept);
    size_t n = 0;
    for (size_t i = 0; i < p->samples.n; i++) {
        brz_profile_sample sample = p->samples.items[i];
        if (moved[sample.stack] == BRZ_NO_STACK)
            continue;
        sample.stack = moved[sample.stack];
        p->samples.items[n++] = sample;
    }
    p->samples.n = n;
    p->n_stacks = kept;
    brz_samples_rehash(&p->samples);
    forget_interned(p);
}

void brz_profile_drop_unused(brz_profile *p)
{
    brz_stack *moved = brz_calloc(p->n_stacks, sizeof *moved), kept = 0;
    memset(moved, 0xff, p->n_stacks * sizeof *moved);
    for (size_t i = 0; i < p->samples.n; i++)
        moved[p->samples.items[i].stack] = 0;
    for (size_t s = 0; s < p->n_stacks; s++)
        if (moved[s] != BRZ_NO_STACK)
            moved[s] = kept++;
    brz_profile_move_stacks(p, moved, kept);
    free(moved);
}

brz_profile_stack *brz_profile_take_stacks(brz_profile *p)
{
    brz_profile_stack *stacks = p->stacks;
    p->stacks = NULL;
    p->n_stacks = p->stacks_cap = p->n_ids = 0;
    forget_interned(p);
    for (size_t w = 0; w < p->n_weights; w++) {
        free(p->weights[w].values);
        p->weights[w].values = NULL;
        p->weights[w].n_values = 0;
    }
    return stacks;
}

/* ---- merging ------------------------------------------------------------------------------- */

brz_frame *brz_profile_absorb_frames(brz_profile *into, const brz_profile *from)
{
    brz_frame *map = brz_calloc(from->n_frames, sizeof *map);
    for (size_t i = 0; i < from->n_frames; i++) {
        brz_frame_info info = brz_profile_frame_info(from, (brz_frame)i);
        brz_frame_desc d = {.kind = info.kind,
                            .name = info.name,
                            .module = info.module,
                            .file = info.file,
                            .line = info.line,
                            .column = info.column,
                            .flags = info.flags,
                            .first_line = info.first_line,
                            .address = info.address,
                            .system_name = info.system_name,
                            .build_id = info.build_id};
        map[i] = brz_profile_add_frame(into, &d);
    }
    return map;
}

/* Returns an array that maps the ids of stacks to the new ones. */
typedef brz_stack *absorb_stacks(brz_profile *into, const brz_profile *from);

/* Adds all stacks. */
static brz_stack *absorb_all(brz_profile *into, const brz_profile *from)
{
    brz_frame *map = brz_profile_absorb_frames(into, from);
    brz_stack *stacks = brz_calloc(from->n_stacks, sizeof *stacks);
    prefixes x = {0};
    for (size_t s = 0; s < from->n_stacks; s++) {
        set_prefixes(&x, &from->stacks[s], shared_with_previous(from, s), map);
        uint32_t flags = brz_profile_n_nested(from, s) > 0 ? BRZ_NESTED : 0;
        stacks[s] = brz_profile_add_stack(into, x.frames, x.n, flags);
    }
    finish_prefixes(&x);
    free(map);
    return stacks;
}

#define NO_STACK UINT32_MAX

/* Returns the first of a few stacks from `next` on that has these frames, or NO_STACK. */
static brz_stack find_near(const brz_profile *p, brz_stack next, const prefixes *x)
{
    for (brz_stack s = next; s < p->n_stacks && s < next + 4; s++)
        if (has_frames(p, s, x->frames, x->n))
            return s;
    return NO_STACK;
}

/* Returns the interned stack with these frames, which it adds with these flags if necessary. */
static brz_stack find_or_add(brz_profile *p, prefixes *x, uint32_t flags)
{
    reserve_slots(&p->stack_slots, &p->n_stack_slots, p->n_interned + 1);
    uint64_t hash = hash_prefixes(x), *slot = find_slot(p, x->frames, x->n, hash);
    if (*slot == 0)
        fill_slot(p, slot, hash, brz_profile_add_stack(p, x->frames, x->n, flags));
    return (brz_stack)(uint32_t)*slot - 1;
}

/* Adds the stacks that are not there yet. Those of two inputs mostly are in the same order, so the
 * stacks after the last one found are tried before the table. If the stacks of `into` are not
 * interned, there is no table, and some stacks are stored twice. */
static brz_stack *absorb_new(brz_profile *into, const brz_profile *from)
{
    brz_frame *map = brz_profile_absorb_frames(into, from);
    brz_stack *stacks = brz_calloc(from->n_stacks, sizeof *stacks), next = 0;
    bool is_interned = into->n_interned == into->n_stacks;
    prefixes x = {0};
    for (size_t s = 0; s < from->n_stacks; s++) {
        bool follows = s > 0 && stacks[s - 1] + 1 == into->n_stacks; /* the last one stored */
        uint32_t flags = follows && brz_profile_n_nested(from, s) > 0 ? BRZ_NESTED : 0;
        set_prefixes(&x, &from->stacks[s], shared_with_previous(from, s), map);
        stacks[s] = find_near(into, next, &x);
        if (stacks[s] == NO_STACK && is_interned)
            stacks[s] = find_or_add(into, &x, flags);
        if (stacks[s] != NO_STACK)
            next = stacks[s] + 1;
        else
            stacks[s] = brz_profile_add_stack(into, x.frames, x.n, flags);
    }
    finish_prefixes(&x);
    free(map);
    return stacks;
}

/* Adds the values of a column to the column `name`. Returns its index. */
static uint32_t absorb_weight(brz_profile *into, const brz_profile *from, size_t i, brz_str name,
                              uint64_t position, const brz_stack *stacks)
{
    const brz_profile_weight *w = &from->weights[i];
    uint32_t number = brz_profile_add_weight(into, name, brz_strings_at(&from->strings, w->unit),
                                             w->decimals, position);
    into->weights[number].flags |= w->flags;
    int64_t factor = brz_power_of_ten(into->weights[number].decimals - w->decimals);
    for (size_t s = 0; s < from->n_stacks && s < w->n_values; s++) {
        int64_t value = multiply_saturated(w->values[s], factor, &into->saturated);
        if (value != 0)
            brz_profile_add_value(into, stacks[s], number, value);
    }
    return number;
}

/* Adds samples and tags. `numbers` are the new indices of the columns; samples of a column that has
 * BRZ_NO_COLUMN are left out. */
static void absorb_samples(brz_profile *into, const brz_profile *from, const brz_stack *stacks,
                           const uint32_t *numbers)
{
    if (into->samples.which < from->samples.which)
        into->samples.which = from->samples.which;
    brz_tag *tags = brz_tags_absorb(&into->tags, &into->strings, &from->tags, &from->strings);
    bool has_sample = false; /* a value of the present sample was added */
    for (size_t i = 0; i < from->samples.n; i++) {
        brz_profile_sample s = from->samples.items[i];
        uint32_t weight = numbers[s.weight];
        has_sample &= s.is_more;
        if (weight == BRZ_NO_COLUMN)
            continue;
        s.is_more = has_sample;
        has_sample = true;
        int64_t factor =
            brz_power_of_ten(into->weights[weight].decimals - from->weights[s.weight].decimals);
        s.value = multiply_saturated(s.value, factor, &into->saturated);
        s.weight = weight & 0xff;
        s.stack = stacks[s.stack];
        s.tag = BRZ_SAMPLE_TAG(tags == NULL ? BRZ_NO_TAG : tags[s.tag]);
        brz_samples_add(&into->samples, &s, &into->saturated);
    }
    free(tags);
}

void brz_profile_absorb_facts(brz_profile *into, const brz_profile *from)
{
    brz_facts_absorb(&into->facts, &into->strings, &from->facts, &from->strings);
    brz_parts_absorb(&into->parts, &into->strings, &from->parts, &from->strings);
    brz_codes_absorb(&into->codes, &from->codes);
}

static void absorb(brz_profile *into, const brz_profile *from, absorb_stacks *store)
{
    uint32_t numbers[BRZ_PROFILE_MAX_WEIGHTS];
    brz_stack *stacks = store(into, from);
    for (size_t i = 0; i < from->n_weights; i++)
        numbers[i] =
            absorb_weight(into, from, i, brz_strings_at(&from->strings, from->weights[i].name),
                          from->weights[i].position, stacks);
    absorb_samples(into, from, stacks, numbers);
    brz_profile_absorb_facts(into, from);
    into->saturated |= from->saturated;
    absorb_clash(into, from);
    free(stacks);
}

void brz_profile_absorb(brz_profile *into, const brz_profile *from)
{
    absorb(into, from, absorb_all);
}

void brz_profile_absorb_distinct(brz_profile *into, const brz_profile *from)
{
    absorb(into, from, absorb_new);
}

void brz_profile_keep_column(brz_profile *p, uint32_t weight, brz_str name)
{
    brz_profile_weight kept = p->weights[weight];
    for (size_t i = 0; i < p->n_weights; i++)
        if (i != weight)
            free(p->weights[i].values);
    kept.name = brz_strings_intern(&p->strings, name);
    kept.position = 0;
    p->weights[0] = kept;
    p->n_weights = 1;
    brz_samples_keep_weight(&p->samples, weight);
}

uint32_t brz_profile_absorb_column(brz_profile *into, const brz_profile *from, uint32_t weight,
                                   brz_str name)
{
    brz_stack *stacks = absorb_new(into, from);
    uint32_t number = absorb_weight(into, from, weight, name, into->n_weights, stacks);
    uint32_t numbers[BRZ_PROFILE_MAX_WEIGHTS];
    for (size_t i = 0; i < BRZ_PROFILE_MAX_WEIGHTS; i++)
        numbers[i] = i == weight ? number : BRZ_NO_COLUMN;
    absorb_samples(into, from, stacks, numbers);
    brz_profile_absorb_facts(into, from);
    into->saturated |= from->saturated;
    free(stacks);
    return number;
}
