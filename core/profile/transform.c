/* Transforms stacks between the input and the call tree.
 *
 * Stacks are changed in place, unless a transform makes them longer. The result of a transform for
 * a frame (whether its name matches, its new name) is computed once per frame and cached.
 *
 * Stacks that begin with others share their frames. If all transforms only replace frames or select
 * stacks, these stay shared: each transform remembers how many of the shared frames it has seen.
 * Other transforms first give each stack frames of its own.
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

typedef struct brz_transform brz_transform;

/* Transforms the frames of a stack in place. Returns the number of frames left, or LEFT_OUT to
 * remove the stack. */
typedef size_t step_fn(brz_transform *t, brz_profile *p, brz_frame *frames, size_t n);

/* Stores the frames of a stack that may become longer in `stack`, which has `n` frames. Returns
 * their number. */
typedef size_t grow_fn(brz_transform *t, brz_profile *p, brz_profile_stack *stack, size_t n);

#define LEFT_OUT     SIZE_MAX
#define NOT_COMPUTED UINT32_MAX
#define NO_MATCH     SIZE_MAX

struct brz_transform {
    const struct kind *kind;
    brz_pattern *pattern;
    brz_str *names;
    size_t n_names, names_cap;
    brz_str with;
    brz_demangle_mode mode;
    const char *origin;    /* where it was written, or NULL */
    uint32_t *results;     /* by frame: cached results */
    struct pieces *pieces; /* of split names; results are indices */
    size_t n_results;
    bool needed;    /* for the current profile */
    size_t n_done;  /* frames seen of those that the current stacks share */
    size_t match;   /* the first of these that matches, or NO_MATCH */
    brz_buf *error; /* message of a failed match; if not empty, nothing is matched any more */
};

/* Lists of frames, each after its length. */
typedef struct pieces {
    uint32_t *items;
    size_t n, cap;
} pieces;

struct kind {
    brz_transform_kind public;
    step_fn *run;
    uint32_t (*compute)(const brz_transform *, brz_profile *, brz_frame);
    bool (*is_needed)(const brz_transform *, const brz_profile *); /* NULL: always needed */
    grow_fn *grow;                                                 /* instead of `run`, or NULL */
};

/* Returns the result for a frame, from the cache or computed. */
static uint32_t frame_result(brz_transform *t, brz_profile *p, brz_frame frame)
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

static uint32_t match_pattern(const brz_transform *t, brz_profile *p, brz_frame frame)
{
    return t->error->len == 0 &&
           brz_pattern_search(t->pattern, name_of(p, frame), t->error) == BRZ_MATCH_FOUND;
}

static uint32_t match_name(const brz_transform *t, brz_profile *p, brz_frame frame)
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

static uint32_t replace_name(const brz_transform *t, brz_profile *p, brz_frame frame)
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
static uint32_t demangle_name(const brz_transform *t, brz_profile *p, brz_frame frame)
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
static bool any_mangled(const brz_transform *t, const brz_profile *p)
{
    for (size_t i = 0; i < p->n_frames && t->mode != BRZ_DEMANGLE_NONE; i++)
        if (brz_may_be_mangled(name_of(p, (brz_frame)i)))
            return true;
    return false;
}

/* Removes the module from a name: "libc`malloc" becomes "malloc". */
static uint32_t strip_module(const brz_transform *t, brz_profile *p, brz_frame frame)
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
static uint32_t split_name(const brz_transform *t, brz_profile *p, brz_frame frame)
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

/* ---- steps --------------------------------------------------------------------------------- */

static bool any_frame(brz_transform *t, brz_profile *p, const brz_frame *frames, size_t n)
{
    for (; t->match == NO_MATCH && t->n_done < n; t->n_done++)
        if (frame_result(t, p, frames[t->n_done]))
            t->match = t->n_done;
    return t->match < n;
}

static size_t run_keep(brz_transform *t, brz_profile *p, brz_frame *frames, size_t n)
{
    return any_frame(t, p, frames, n) ? n : LEFT_OUT;
}

static size_t run_drop(brz_transform *t, brz_profile *p, brz_frame *frames, size_t n)
{
    return any_frame(t, p, frames, n) ? LEFT_OUT : n;
}

static size_t run_hide(brz_transform *t, brz_profile *p, brz_frame *frames, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (!frame_result(t, p, frames[i]))
            frames[kept++] = frames[i];
    return kept > 0 ? kept : LEFT_OUT;
}

/* Makes the innermost matching frame the root. */
static size_t cut_above(brz_transform *t, brz_profile *p, brz_frame *frames, size_t n)
{
    size_t i = n;
    while (i > 0 && !frame_result(t, p, frames[i - 1]))
        i--;
    if (i == 0)
        return LEFT_OUT;
    memmove(frames, frames + i - 1, (n - i + 1) * sizeof *frames);
    return n - i + 1;
}

static size_t run_skip_after(brz_transform *t, brz_profile *p, brz_frame *frames, size_t n)
{
    size_t left = cut_above(t, p, frames, n);
    return left == LEFT_OUT ? n : left;
}

static size_t run_reverse(brz_transform *t, brz_profile *p, brz_frame *frames, size_t n)
{
    (void)t;
    (void)p;
    for (size_t i = 0; i < n / 2; i++) {
        brz_frame f = frames[i];
        frames[i] = frames[n - 1 - i];
        frames[n - 1 - i] = f;
    }
    return n;
}

static size_t run_merge_recursion(brz_transform *t, brz_profile *p, brz_frame *frames, size_t n)
{
    (void)t;
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || p->frames[frames[i]].name != p->frames[frames[kept - 1]].name)
            frames[kept++] = frames[i];
    return kept;
}

static size_t run_replace(brz_transform *t, brz_profile *p, brz_frame *frames, size_t n)
{
    for (; t->n_done < n; t->n_done++)
        frames[t->n_done] = frame_result(t, p, frames[t->n_done]);
    return n;
}

static size_t grow_by_packages(brz_transform *t, brz_profile *p, brz_profile_stack *stack, size_t n)
{
    size_t total = 0, at = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t list = frame_result(t, p, stack->frames[i]);
        total += t->pieces->items[list];
    }
    if (total == n)
        return n;
    brz_frame *longer = brz_arena_alloc(&p->paths, total * sizeof *longer, 0);
    for (size_t i = 0; i < n; i++) {
        const uint32_t *list = t->pieces->items + frame_result(t, p, stack->frames[i]);
        memcpy(longer + at, list + 1, list[0] * sizeof *longer);
        at += list[0];
    }
    stack->frames = longer;
    p->n_ids += total - n;
    return total;
}

/* ---- kinds of transforms --------------------------------------------------------------------- */

static const struct kind kinds[] = {
    {{"demangle", "demangle names of C++, Rust and OCaml", BRZ_TRANSFORM_MODE},
     run_replace,
     demangle_name,
     any_mangled,
     NULL},
    {{"keep", "keep only stacks with a frame that matches", BRZ_TRANSFORM_PATTERN},
     run_keep,
     match_pattern,
     NULL,
     NULL},
    {{"drop", "leave out stacks with a frame that matches", BRZ_TRANSFORM_PATTERN},
     run_drop,
     match_pattern,
     NULL,
     NULL},
    {{"hide", "remove frames that match from their stacks", BRZ_TRANSFORM_PATTERN},
     run_hide,
     match_pattern,
     NULL,
     NULL},
    {{"skip-after", "make the innermost frame with that name the root", BRZ_TRANSFORM_NAMES},
     run_skip_after,
     match_name,
     NULL,
     NULL},
    {{"base", "like skip-after, but leave out stacks without it", BRZ_TRANSFORM_NAMES},
     cut_above,
     match_name,
     NULL,
     NULL},
    {{"reverse", "reverse stacks: leaves become roots", BRZ_TRANSFORM_NONE},
     run_reverse,
     NULL,
     NULL,
     NULL},
    {{"merge-recursion", "merge consecutive frames of a function that calls itself",
      BRZ_TRANSFORM_NONE},
     run_merge_recursion,
     NULL,
     NULL,
     NULL},
    {{"rename", "replace matches in names", BRZ_TRANSFORM_REPLACE},
     run_replace,
     replace_name,
     NULL,
     NULL},
    {{"strip-module", "remove modules from names (libc`malloc)", BRZ_TRANSFORM_NONE},
     run_replace,
     strip_module,
     NULL,
     NULL},
    {{"split-packages", "make a frame of each package in a name (java/util/List)",
      BRZ_TRANSFORM_NONE},
     .compute = split_name,
     .grow = grow_by_packages},
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

static void add_name(brz_transform *t, brz_str name)
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

static void finish_step(brz_transform *t)
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
}

bool brz_transforms_add(brz_transforms *list, const brz_transform_kind *kind, const brz_str *args,
                        size_t n_args, brz_buf *error)
{
    if (!check_args(kind, n_args, error))
        return false;
    brz_transform t = {.kind = (const struct kind *)(const void *)kind};
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
    if (t.kind->grow != NULL)
        t.pieces = brz_calloc(1, sizeof *t.pieces);
    list->steps = brz_grow(list->steps, list->n, &list->cap, sizeof *list->steps);
    list->steps[list->n++] = t;
    return true;
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
    return list->steps[i].kind->public.name;
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

static void add_names(const brz_transform *t, brz_buf *b)
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
    const brz_transform *t = &list->steps[i];
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

static size_t apply_to_stack(const brz_transforms *list, brz_profile *p, brz_stack s)
{
    brz_profile_stack *stack = &p->stacks[s];
    size_t n = stack->n;
    for (size_t i = 0; i < list->n && n != LEFT_OUT; i++) {
        brz_transform *t = &list->steps[i];
        if (t->needed)
            n = t->kind->grow != NULL ? t->kind->grow(t, p, stack, n)
                                      : t->kind->run(t, p, stack->frames, n);
    }
    return n;
}

/* Discards cached results of another profile. Returns whether any transform is needed for this
 * one. */
static bool prepare_steps(const brz_transforms *list, const brz_profile *p, brz_buf *error)
{
    bool any = false;
    for (size_t i = 0; i < list->n; i++) {
        brz_transform *t = &list->steps[i];
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
    return any;
}

/* Returns whether all transforms that are needed leave frames at their places and stacks as long as
 * they are, so that these may share frames. */
static bool keep_places(const brz_transforms *list)
{
    for (size_t i = 0; i < list->n; i++) {
        step_fn *run = list->steps[i].kind->run;
        if (list->steps[i].needed && run != run_replace && run != run_keep && run != run_drop)
            return false;
    }
    return true;
}

static void begin_frames(const brz_transforms *list)
{
    for (size_t i = 0; i < list->n; i++) {
        list->steps[i].n_done = 0;
        list->steps[i].match = NO_MATCH;
    }
}

/* Applies the transforms to each stack and records its new id. Stops when a match fails. Returns
 * the number of stacks left. */
static size_t apply_to_stacks(const brz_transforms *list, brz_profile *p, uint32_t *moved,
                              const brz_buf *error)
{
    const brz_frame *shared = NULL;
    size_t kept = 0;
    for (size_t s = 0; s < p->n_stacks && error->len == 0; s++) {
        if (s == 0 || p->stacks[s].frames != shared)
            begin_frames(list);
        shared = p->stacks[s].frames;
        size_t n = apply_to_stack(list, p, (brz_stack)s);
        moved[s] = n == LEFT_OUT ? BRZ_NO_STACK : (uint32_t)kept++;
        p->stacks[s].n = n == LEFT_OUT ? 0 : (uint32_t)n;
    }
    return kept;
}

bool brz_transforms_apply(const brz_transforms *list, brz_profile *p, size_t *left_out,
                          brz_buf *error)
{
    *left_out = 0;
    if (!prepare_steps(list, p, error))
        return true;
    if (!keep_places(list))
        brz_profile_unshare(p);
    uint32_t *moved = brz_calloc(p->n_stacks, sizeof *moved);
    size_t before = p->n_stacks, kept = apply_to_stacks(list, p, moved, error);
    if (error->len == 0) {
        brz_profile_move_stacks(p, moved, kept);
        *left_out = before - kept;
    }
    free(moved);
    return error->len == 0;
}
