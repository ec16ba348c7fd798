/* SPDX-License-Identifier: MIT */
/* Transforms stacks between the input and the call tree.
 *
 * Stacks that share frames still do so afterwards: a transform maps each of these frames once.
 * Those that share none are changed in place, unless they become longer. The result of a transform
 * for a frame (whether its name matches, its new name) is computed once per frame and cached.
 */
#include "profile/transform.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/mem.h"
#include "base/pattern.h"
#include "base/suggest.h"
#include "base/text.h"
#include "names/package_name.h"
#include "profile/demangle.h"
#include "profile/stack_tree.h"

typedef struct brz_transform_step brz_transform_step;

/* The frames that a transform writes. What it has made of the first frames of a stack are those
 * from `start` to `end`. */
typedef struct mapped {
    brz_frame *frames;
    uint32_t start, end;
    bool matches; /* one of the frames of the stack does */
} mapped;

/* Maps the frames from `i` to `n` of a stack, those before which have been mapped. `frames` may be
 * those of `to`. */
typedef void map_fn(brz_transform_step *t, brz_profile *p, const brz_frame *frames, uint32_t i,
                    uint32_t n, mapped *to);

#define NOT_COMPUTED UINT32_MAX

/* The stacks that a transform leaves out. */
typedef enum leaves_out {
    NO_STACK,
    EMPTY_STACKS,
    MATCHES,
    OTHERS,
} leaves_out;

struct brz_transform_step {
    const struct kind *kind;
    brz_pattern *pattern;
    brz_str *names;
    size_t n_names, names_cap;
    brz_str with;
    brz_demangle_mode mode;
    brz_use use;           /* transform of a plug-in; zero for others */
    const char *origin;    /* where it was written, or NULL */
    uint32_t *results;     /* by frame: cached results */
    struct pieces *pieces; /* of split names; results are indices */
    size_t n_results;
    bool needed;    /* for the current profile */
    brz_buf *error; /* message of a failed match; if not empty, nothing is matched any more */
};

/* Lists of frames, each after its length. */
typedef struct pieces {
    uint32_t *items;
    size_t n, cap;
} pieces;

struct kind {
    brz_transform_kind public;
    map_fn *map; /* NULL: stacks are reversed */
    uint32_t (*compute)(const brz_transform_step *, brz_profile *, brz_frame);
    leaves_out leaves_out;
    bool (*is_needed)(const brz_transform_step *, const brz_profile *); /* NULL: always needed */
};

/* Returns the result for a frame, from the cache or computed. */
static uint32_t frame_result(brz_transform_step *t, brz_profile *p, brz_frame frame)
{
    if (frame >= t->n_results) {
        size_t n = p->frames_cap;
        t->results = brz_realloc(t->results, n, sizeof *t->results);
        memset(t->results + t->n_results, 0xff, (n - t->n_results) * sizeof *t->results);
        t->n_results = n;
    }
    if (t->results[frame] == NOT_COMPUTED) {
        uint32_t a = t->kind->compute(t, p, frame);
        t->results[frame] = a; /* the call may have added frames, but no results */
    }
    return t->results[frame];
}

static brz_str name_of(const brz_profile *p, brz_frame frame)
{
    return brz_strings_at(&p->strings, p->frames[frame].name);
}

/* ---- results per frame ----------------------------------------------------------------------- */

static uint32_t match_pattern(const brz_transform_step *t, brz_profile *p, brz_frame frame)
{
    return t->error->len == 0 &&
           brz_pattern_search(t->pattern, name_of(p, frame), t->error) == BRZ_MATCH_FOUND;
}

static uint32_t match_name(const brz_transform_step *t, brz_profile *p, brz_frame frame)
{
    brz_str name = name_of(p, frame);
    for (size_t i = 0; i < t->n_names; i++)
        if (brz_str_equal(name, t->names[i]))
            return 1;
    return 0;
}

/* Returns the frame with another name. */
static brz_frame renamed(brz_profile *p, brz_frame frame, brz_str name)
{
    brz_profile_frame f = p->frames[frame];
    f.name = brz_strings_intern(&p->strings, name);
    return brz_profile_intern_frame(p, &f);
}

static uint32_t replace_name(const brz_transform_step *t, brz_profile *p, brz_frame frame)
{
    brz_buf b = {0};
    brz_match m = BRZ_MATCH_NONE;
    if (t->error->len == 0)
        m = brz_pattern_replace(t->pattern, name_of(p, frame), t->with, &b, t->error);
    if (m == BRZ_MATCH_FOUND)
        frame = renamed(p, frame, brz_buf_str(&b));
    brz_buf_finish(&b);
    return frame;
}

/* Keeps the mangled name as the system name, unless the frame has one. */
static uint32_t demangle_name(const brz_transform_step *t, brz_profile *p, brz_frame frame)
{
    brz_buf b = {0};
    if (brz_demangle(name_of(p, frame), t->mode, &b)) {
        brz_profile_frame f = p->frames[frame];
        f.system_name = f.system_name == 0 ? f.name : f.system_name;
        f.name = brz_strings_intern(&p->strings, brz_buf_str(&b));
        frame = brz_profile_intern_frame(p, &f);
    }
    brz_buf_finish(&b);
    return frame;
}

/* Returns whether any frame may have a mangled name; most profiles have none. */
static bool any_mangled(const brz_transform_step *t, const brz_profile *p)
{
    for (size_t i = 0; i < p->n_frames && t->mode != BRZ_DEMANGLE_NONE; i++)
        if (brz_may_be_mangled(name_of(p, (brz_frame)i)))
            return true;
    return false;
}

/* Removes the module from a name: "libc`malloc" becomes "malloc". */
static uint32_t strip_module(const brz_transform_step *t, brz_profile *p, brz_frame frame)
{
    (void)t;
    brz_str name = name_of(p, frame);
    const char *tick = name.len > 1 ? memchr(name.data + 1, '`', name.len - 1) : NULL;
    if (tick != NULL && tick + 1 < name.data + name.len)
        name = brz_str_of(tick + 1, (size_t)(name.data + name.len - tick - 1));
    brz_profile_frame f = p->frames[frame];
    f.name = brz_strings_intern(&p->strings, name);
    f.module = 0;
    return brz_profile_intern_frame(p, &f);
}

static void add_piece(pieces *list, uint32_t item)
{
    list->items = brz_grow(list->items, list->n, &list->cap, sizeof *list->items);
    list->items[list->n++] = item;
}

/* Lists the frames of the packages in a name, and of its function, which keeps the attributes.
 * Returns the index of the list. */
static uint32_t split_name(const brz_transform_step *t, brz_profile *p, brz_frame frame)
{
    pieces *list = t->pieces;
    uint32_t start = (uint32_t)list->n;
    brz_profile_frame original = p->frames[frame];
    brz_buf copy = {0}; /* interning a piece may move the name */
    brz_str piece, name = name_of(p, frame);
    brz_buf_add(&copy, name.data, name.len);
    brz_package_name rest = brz_package_name_of(brz_buf_str(&copy));
    add_piece(list, 1);
    while (original.kind != BRZ_KIND_PROCESS && brz_package_name_take(&rest, &piece)) {
        brz_profile_frame package = {.kind = original.kind};
        package.name = brz_strings_intern(&p->strings, piece);
        add_piece(list, brz_profile_intern_frame(p, &package));
        list->items[start]++;
    }
    add_piece(list, list->items[start] == 1 ? frame : renamed(p, frame, rest.rest));
    brz_buf_finish(&copy);
    return start;
}

/* ---- frames of stacks ------------------------------------------------------------------------ */

static void replace(brz_transform_step *t, brz_profile *p, const brz_frame *frames, uint32_t i,
                    uint32_t n, mapped *to)
{
    const uint32_t *results = t->results;
    size_t n_results = t->n_results;
    brz_frame *out = to->frames + to->end;
    to->end += n - i;
    for (; i < n; i++) {
        uint32_t result = frames[i] < n_results ? results[frames[i]] : NOT_COMPUTED;
        if (result == NOT_COMPUTED) {
            result = frame_result(t, p, frames[i]);
            results = t->results;
            n_results = t->n_results;
        }
        *out++ = result;
    }
}

static void copy(mapped *to, const brz_frame *frames, uint32_t i, uint32_t n)
{
    if (to->frames != frames && n > i)
        memcpy(to->frames + to->end, frames + i, (n - i) * sizeof *frames);
    to->end += n - i;
}

static void find_match(brz_transform_step *t, brz_profile *p, const brz_frame *frames, uint32_t i,
                       uint32_t n, mapped *to)
{
    for (uint32_t k = i; k < n && !to->matches; k++)
        to->matches = frame_result(t, p, frames[k]);
    copy(to, frames, i, n);
}

static void hide(brz_transform_step *t, brz_profile *p, const brz_frame *frames, uint32_t i,
                 uint32_t n, mapped *to)
{
    for (; i < n; i++)
        if (!frame_result(t, p, frames[i]))
            to->frames[to->end++] = frames[i];
}

/* Makes the innermost matching frame the root. */
static void cut_above(brz_transform_step *t, brz_profile *p, const brz_frame *frames, uint32_t i,
                      uint32_t n, mapped *to)
{
    uint32_t k = n;
    while (k > i && !frame_result(t, p, frames[k - 1]))
        k--;
    to->matches = to->matches || k > i;
    to->start = k > i ? to->end + k - 1 - i : to->start;
    copy(to, frames, i, n);
}

static void merge_recursion(brz_transform_step *t, brz_profile *p, const brz_frame *frames,
                            uint32_t i, uint32_t n, mapped *to)
{
    (void)t;
    for (; i < n; i++)
        if (to->end == to->start ||
            p->frames[frames[i]].name != p->frames[to->frames[to->end - 1]].name)
            to->frames[to->end++] = frames[i];
}

static void split_packages(brz_transform_step *t, brz_profile *p, const brz_frame *frames,
                           uint32_t i, uint32_t n, mapped *to)
{
    for (; i < n; i++) {
        uint32_t at = frame_result(t, p, frames[i]);
        const uint32_t *list = t->pieces->items + at;
        memcpy(to->frames + to->end, list + 1, list[0] * sizeof *list);
        to->end += list[0];
    }
}

/* ---- kinds of transforms --------------------------------------------------------------------- */

static const struct kind kinds[] = {
    {{"demangle", "demangle names of C++, Rust, OCaml, D, Haskell and Ada", BRZ_TRANSFORM_MODE},
     .map = replace,
     .compute = demangle_name,
     .is_needed = any_mangled},
    {{"keep", "keep only stacks with a frame that matches", BRZ_TRANSFORM_PATTERN},
     .map = find_match,
     .compute = match_pattern,
     .leaves_out = OTHERS},
    {{"drop", "leave out stacks with a frame that matches", BRZ_TRANSFORM_PATTERN},
     .map = find_match,
     .compute = match_pattern,
     .leaves_out = MATCHES},
    {{"hide", "remove frames that match from their stacks", BRZ_TRANSFORM_PATTERN},
     .map = hide,
     .compute = match_pattern,
     .leaves_out = EMPTY_STACKS},
    {{"skip-after", "make the innermost frame with that name the root", BRZ_TRANSFORM_NAMES},
     .map = cut_above,
     .compute = match_name},
    {{"base", "like skip-after, but leave out stacks without it", BRZ_TRANSFORM_NAMES},
     .map = cut_above,
     .compute = match_name,
     .leaves_out = OTHERS},
    {{"reverse", "reverse stacks: leaves become roots", BRZ_TRANSFORM_NONE}, .map = NULL},
    {{"merge-recursion", "merge consecutive frames of a function that calls itself",
      BRZ_TRANSFORM_NONE},
     .map = merge_recursion},
    {{"rename", "replace matches in names", BRZ_TRANSFORM_REPLACE},
     .map = replace,
     .compute = replace_name},
    {{"strip-module", "remove modules from names (libc`malloc)", BRZ_TRANSFORM_NONE},
     .map = replace,
     .compute = strip_module},
    {{"split-packages", "make a frame of each package in a name (java/util/List)",
      BRZ_TRANSFORM_NONE},
     .map = split_packages,
     .compute = split_name},
};

#define N_KINDS (sizeof kinds / sizeof kinds[0])

const brz_transform_kind *brz_transform_kind_at(size_t i)
{
    return i < N_KINDS ? &kinds[i].public : NULL;
}

const brz_transform_kind *brz_transform_find(brz_str name, brz_buf *error)
{
    brz_suggestion near = {.typed = name};
    for (size_t i = 0; i < N_KINDS; i++) {
        const char *word = kinds[i].public.name;
        if (brz_str_is(name, word))
            return &kinds[i].public;
        brz_suggestion_offer(&near, word);
    }
    brz_buf_printf(error, "no transform '%.*s'", (int)name.len, name.data);
    brz_suggestion_add(&near, error);
    return NULL;
}

/* ---- lists of transforms --------------------------------------------------------------------- */

static brz_str copy_text(brz_str s)
{
    return brz_str_of(brz_memdup(s.data, s.len), s.len);
}

static void add_name(brz_transform_step *t, brz_str name)
{
    t->names = brz_grow(t->names, t->n_names, &t->names_cap, sizeof *t->names);
    t->names[t->n_names++] = copy_text(name);
}

/* Returns the number of arguments; SIZE_MAX means one or more. */
static size_t args_wanted(brz_transform_args args)
{
    switch (args) {
    case BRZ_TRANSFORM_NONE:
        return 0;
    case BRZ_TRANSFORM_PATTERN:
    case BRZ_TRANSFORM_MODE:
        return 1;
    case BRZ_TRANSFORM_REPLACE:
        return 2;
    default:
        return SIZE_MAX;
    }
}

static bool check_args(const brz_transform_kind *kind, size_t n, brz_buf *error)
{
    static const char *const wanted[] = {"nothing", "an expression", "a name or a list of names",
                                         "an expression and a replacement", "auto, full or none"};
    size_t right = args_wanted(kind->args);
    if (n == right || (right == SIZE_MAX && n > 0))
        return true;
    brz_buf_printf(error, "'%s' takes %s", kind->name, wanted[kind->args]);
    return false;
}

static void finish_step(brz_transform_step *t)
{
    for (size_t i = 0; i < t->n_names; i++)
        free((char *)(uintptr_t)t->names[i].data);
    free(t->names);
    free((char *)(uintptr_t)t->with.data);
    free(t->results);
    if (t->pieces != NULL)
        free(t->pieces->items);
    free(t->pieces);
    brz_pattern_destroy(t->pattern);
    brz_use_finish(&t->use);
}

static void add_step(brz_transforms *list, const brz_transform_step *t)
{
    list->steps = brz_grow(list->steps, list->n, &list->cap, sizeof *list->steps);
    list->steps[list->n++] = *t;
}

bool brz_transforms_add(brz_transforms *list, const brz_transform_kind *kind, const brz_str *args,
                        size_t n_args, brz_buf *error)
{
    if (!check_args(kind, n_args, error))
        return false;
    brz_transform_step t = {.kind = (const struct kind *)(const void *)kind};
    if (kind->args == BRZ_TRANSFORM_MODE && !brz_demangle_mode_of(args[0], &t.mode, error))
        return false;
    if (kind->args == BRZ_TRANSFORM_PATTERN || kind->args == BRZ_TRANSFORM_REPLACE) {
        t.pattern = brz_pattern_create(args[0], error);
        if (t.pattern == NULL)
            return false;
    }
    if (kind->args == BRZ_TRANSFORM_REPLACE) {
        t.with = copy_text(args[1]);
        if (!brz_pattern_check_replacement(t.pattern, t.with, error)) {
            finish_step(&t);
            return false;
        }
    }
    for (size_t i = 0; i < n_args && kind->args == BRZ_TRANSFORM_NAMES; i++)
        add_name(&t, args[i]);
    if (t.kind->compute == split_name)
        t.pieces = brz_calloc(1, sizeof *t.pieces);
    add_step(list, &t);
    return true;
}

void brz_transforms_add_use(brz_transforms *list, brz_use use)
{
    static const struct kind of_plugin = {.public = {.args = BRZ_TRANSFORM_NONE}};
    add_step(list, &(brz_transform_step){.kind = &of_plugin, .use = use});
}

const brz_use *brz_transforms_use(const brz_transforms *list, size_t i)
{
    return list->steps[i].use.loaded != NULL ? &list->steps[i].use : NULL;
}

bool brz_transforms_extend(brz_transforms *list, const brz_transform_kind *kind, brz_str name)
{
    if (list->n == 0 || &list->steps[list->n - 1].kind->public != kind ||
        kind->args != BRZ_TRANSFORM_NAMES)
        return false;
    add_name(&list->steps[list->n - 1], name);
    return true;
}

const char *brz_transforms_name(const brz_transforms *list, size_t i)
{
    const brz_use *use = brz_transforms_use(list, i);
    return use != NULL ? use->loaded->component->id : list->steps[i].kind->public.name;
}

bool brz_transforms_may_leave_out(const brz_transforms *list, size_t i)
{
    return brz_transforms_use(list, i) != NULL || list->steps[i].kind->leaves_out != NO_STACK;
}

void brz_transforms_set_origin(brz_transforms *list, const char *origin)
{
    if (list->n > 0)
        list->steps[list->n - 1].origin = origin;
}

const char *brz_transforms_origin(const brz_transforms *list, size_t i)
{
    return list->steps[i].origin;
}

static void add_names(const brz_transform_step *t, brz_buf *b)
{
    brz_buf_add_char(b, '[');
    for (size_t i = 0; i < t->n_names; i++) {
        brz_buf_add_text(b, i > 0 ? ", " : "");
        brz_json_string(b, t->names[i]);
    }
    brz_buf_add_char(b, ']');
}

void brz_transforms_add_yaml(const brz_transforms *list, size_t i, brz_buf *b)
{
    const brz_transform_step *t = &list->steps[i];
    const brz_transform_kind *kind = &t->kind->public;
    brz_buf_add_text(b, kind->name);
    if (kind->args != BRZ_TRANSFORM_NONE)
        brz_buf_add_text(b, ": ");
    if (kind->args == BRZ_TRANSFORM_MODE)
        brz_buf_add_text(b, brz_demangle_mode_name(t->mode));
    else if (kind->args == BRZ_TRANSFORM_NAMES)
        add_names(t, b);
    else if (kind->args == BRZ_TRANSFORM_PATTERN)
        brz_json_string(b, brz_pattern_text(t->pattern));
    if (kind->args != BRZ_TRANSFORM_REPLACE)
        return;
    brz_buf_add_text(b, "{match: ");
    brz_json_string(b, brz_pattern_text(t->pattern));
    brz_buf_add_text(b, ", with: ");
    brz_json_string(b, t->with);
    brz_buf_add_char(b, '}');
}

void brz_transforms_finish(brz_transforms *list)
{
    for (size_t i = 0; i < list->n; i++)
        finish_step(&list->steps[i]);
    free(list->steps);
    memset(list, 0, sizeof *list);
}

/* ---- applying transforms --------------------------------------------------------------------- */

/* Discards cached results of another profile. */
static void prepare_steps(const brz_transforms *list, const brz_profile *p, brz_buf *error)
{
    bool any = false;
    for (size_t i = 0; i < list->n; i++) {
        brz_transform_step *t = &list->steps[i];
        free(t->results);
        t->results = NULL;
        t->n_results = 0;
        if (t->pieces != NULL)
            t->pieces->n = 0;
        t->error = error;
        /* names that earlier transforms produce are not known yet */
        t->needed = any || t->kind->is_needed == NULL || t->kind->is_needed(t, p);
        any |= t->needed;
    }
}

/* Returns room for what a transform makes of frames. */
static brz_frame *room_for(brz_transform_step *t, brz_profile *p, brz_frame *frames, uint32_t n)
{
    size_t room = n;
    for (uint32_t i = 0; i < n && t->pieces != NULL; i++) {
        uint32_t list = frame_result(t, p, frames[i]);
        room += t->pieces->items[list] - 1;
    }
    if (!p->is_shared && room == n)
        return frames;
    p->n_ids -= p->is_shared ? 0 : n; /* those of the shorter stack are not used any more */
    return brz_profile_add_frames(p, room);
}

/* Stores what a transform has made of a stack, or its absence. */
static void store(leaves_out which, brz_profile_stack *stack, const mapped *to)
{
    bool is_empty = to->start == to->end, is_match = to->matches == (which == MATCHES);
    stack->n = to->end - to->start;
    stack->frames = to->frames + to->start;
    if (which == EMPTY_STACKS ? is_empty : which != NO_STACK && is_match)
        stack->frames = NULL;
}

static void map_stack(brz_transform_step *t, brz_profile *p, brz_profile_stack *stack)
{
    mapped to = {.frames = room_for(t, p, stack->frames, stack->n)};
    t->kind->map(t, p, stack->frames, 0, stack->n, &to);
    store(t->kind->leaves_out, stack, &to);
}

/* Stacks that share frames: they begin with each other. */
typedef struct group {
    brz_profile_stack **stacks;
    size_t n;
    brz_frame *frames; /* of the longest one */
    uint32_t longest;
} group;

/* Returns the group of the first one of `n` stacks. */
static group first_group(brz_profile_stack **stacks, size_t n)
{
    group g = {.stacks = stacks, .frames = stacks[0]->frames};
    for (; g.n < n && stacks[g.n]->frames == g.frames; g.n++)
        g.longest = stacks[g.n]->n > g.longest ? stacks[g.n]->n : g.longest;
    return g;
}

static void map_group(brz_transform_step *t, brz_profile *p, const group *g)
{
    mapped to = {.frames = room_for(t, p, g->frames, g->longest)};
    mapped *prefixes = brz_calloc((size_t)g->longest + 1, sizeof *prefixes);
    prefixes[0] = to;
    for (uint32_t i = 0; i < g->longest; i++) {
        t->kind->map(t, p, g->frames, i, i + 1, &to);
        prefixes[i + 1] = to;
    }
    for (size_t i = 0; i < g->n; i++)
        store(t->kind->leaves_out, g->stacks[i], &prefixes[g->stacks[i]->n]);
    free(prefixes);
}

static void reverse_alone(brz_profile *p, brz_profile_stack *stack)
{
    brz_frame *frames = brz_profile_add_frames(p, stack->n);
    if (stack->n > 0)
        memcpy(frames, stack->frames, stack->n * sizeof *frames);
    stack->frames = frames;
    brz_profile_reverse_stack(stack);
}

/* Returns the node for the reverse of a stack. The mark of a node is its last child. */
static uint32_t reversed(brz_stack_tree *tree, const brz_profile_stack *stack)
{
    uint32_t node = 0, last;
    for (uint32_t i = stack->n; i > 0; i--, node = last) {
        last = tree->nodes[node].mark;
        if (last == 0 || tree->nodes[last].frame != stack->frames[i - 1])
            last = brz_stack_tree_child(tree, node, stack->frames[i - 1]);
        tree->nodes[node].mark = last;
    }
    return node;
}

/* Reverses stacks that share frames; then they may share others, which are looked for if there are
 * many stacks. */
static void reverse_group(brz_profile *p, const group *g)
{
    const size_t few = 8;
    for (size_t s = 0; s < g->n && g->n <= few; s++)
        reverse_alone(p, g->stacks[s]);
    if (g->n <= few)
        return;
    brz_stack_tree tree = {0};
    uint32_t *nodes = brz_calloc(g->n, sizeof *nodes);
    brz_stack_tree_clear(&tree);
    for (size_t s = 0; s < g->n; s++)
        nodes[s] = reversed(&tree, g->stacks[s]);
    for (size_t i = 0; i < tree.n; i++)
        tree.nodes[i].mark = 0;
    for (size_t s = 0; s < g->n; s++)
        tree.nodes[nodes[s]].mark = 1;
    brz_frame **paths = brz_calloc(tree.n, sizeof *paths);
    brz_stack_tree_store(&tree, p, paths);
    for (size_t s = 0; s < g->n; s++)
        g->stacks[s]->frames = paths[nodes[s]];
    free(paths);
    free(nodes);
    brz_stack_tree_finish(&tree);
}

/* Applies a transform to the stacks of a profile some of which share frames. */
static void apply_to_groups(brz_transform_step *t, brz_profile *p)
{
    brz_profile_stack **stacks = brz_profile_stacks_by_frames(p);
    brz_arena before = brz_profile_take_frames(p);
    group g;
    for (size_t s = 0; s < p->n_stacks && t->error->len == 0; s += g.n) {
        g = first_group(stacks + s, p->n_stacks - s);
        if (t->kind->map == NULL)
            reverse_group(p, &g);
        else if (g.n == 1)
            map_stack(t, p, g.stacks[0]);
        else
            map_group(t, p, &g);
    }
    brz_arena_finish(&before);
    free(stacks);
}

/* Applies a transform to each stack. Stops when a match fails. */
static void apply_step(brz_transform_step *t, brz_profile *p)
{
    if (p->is_shared) {
        apply_to_groups(t, p);
        return;
    }
    for (size_t s = 0; s < p->n_stacks && t->error->len == 0; s++)
        if (t->kind->map == NULL)
            brz_profile_reverse_stack(&p->stacks[s]);
        else
            map_stack(t, p, &p->stacks[s]);
}

/* Removes the stacks that a transform has left out. Returns their number. */
static size_t remove_stacks(brz_profile *p)
{
    size_t before = p->n_stacks;
    uint32_t *moved = brz_calloc(p->n_stacks, sizeof *moved);
    uint32_t kept = 0;
    for (size_t s = 0; s < p->n_stacks; s++)
        moved[s] = p->stacks[s].frames == NULL ? BRZ_NO_STACK : kept++;
    brz_profile_move_stacks(p, moved, kept);
    free(moved);
    return before - kept;
}

bool brz_transforms_apply(const brz_transforms *list, brz_profile *p, brz_use_transform *apply_use,
                          void *context, size_t *left_out, brz_buf *error)
{
    bool good = true;
    *left_out = 0;
    prepare_steps(list, p, error);
    for (size_t i = 0; i < list->n && good; i++) {
        const brz_use *use = brz_transforms_use(list, i);
        if (!list->steps[i].needed)
            continue;
        if (use != NULL)
            good = apply_use(context, use, p);
        else
            apply_step(&list->steps[i], p);
        good &= error->len == 0;
        if (good)
            *left_out += remove_stacks(p);
    }
    return good;
}
