/* SPDX-License-Identifier: MIT */
/* Reads pages of async-profiler, whose script has a call for each frame, in pre-order:
 *
 *     f(level, left, width, type, 'name'[, …])   versions 2.0 to 2.9
 *     f(level, left, width, type, name[, …])     with the array cpool of names
 *     f(key, level, distance[, width, …])        since 3.0
 *     u(key[, width, …])                         a frame above the one before
 *     n(key[, width, …])                         a frame to the right of the one before
 *     d=change                                   in comparisons
 *
 * A key is 8 times the number of the name plus the type, and a distance is that from the left edge
 * of the frame before. A missing width is that of the frame before. With keys, the names in cpool
 * are packed: the first character says how much of the name before a name begins with.
 */
#include "canvas.h"

#include <brazier/symbol.h>

#include "../../common/sample_count.h"

#define MOST_ARGUMENTS 8
#define MOST_PREFIX    95

/* The place of a frame. */
typedef struct extent {
    int64_t left, right;
} extent;

/* The state of reading a page: its names, its variant, and the last frame. */
typedef struct canvas {
    brz_ctx *ctx;
    graph *g;
    brz_frame_desc *names; /* of cpool */
    size_t n_names, cap;
    bool has_keys;      /* name and type are one number, and places are distances */
    bool has_old_types; /* types as of version 2.0 */
    bool is_comparison;
    bool is_inside;             /* the last line was one of the calls */
    int64_t level, left, width; /* of the last frame */
    bool is_lost;               /* the last call made no sense: the places of others depend on it */
    bool is_adrift;             /* so places are unknown */
    extent *open;               /* of the frames that call the next one, by depth */
    size_t open_cap;
} canvas;

/* ---- names ----------------------------------------------------------------------------------- */

static brz_str after(brz_str s, size_t n)
{
    return brz_str_of(s.data + n, s.len - n);
}

/* Takes a literal in quotes off a text, and appends its value. Returns false if the text does
 * not begin with a literal. */
static bool take_literal(brz_str *s, brz_ctx *ctx, brz_text *to)
{
    if (s->len == 0 || (s->data[0] != '\'' && s->data[0] != '"'))
        return false;
    char quote = s->data[0];
    for (size_t i = 1, from = 1; i < s->len && s->data[i] != '\n'; i++) {
        bool escapes = s->data[i] == '\\', ends = s->data[i] == quote;
        if (!escapes && !ends)
            continue;
        brz_text_append(to, ctx, brz_str_of(s->data + from, i - from));
        if (ends) {
            *s = after(*s, i + 1);
            return true;
        }
        from = ++i; /* the character after the backslash stands for itself */
    }
    return false;
}

/* Replaces the first character of a packed name by the beginning of the name before. */
static brz_str unpack(brz_ctx *ctx, brz_str packed, brz_str before)
{
    brz_text name = {0};
    if (packed.len == 0)
        return packed;
    size_t n = (unsigned char)packed.data[0] - (size_t)' ';
    n = packed.data[0] < ' ' || n > MOST_PREFIX ? 0 : n;
    brz_text_append(&name, ctx, brz_str_of(before.data, n < before.len ? n : before.len));
    brz_text_append(&name, ctx, after(packed, 1));
    return brz_text_str(&name);
}

static void add_name(canvas *c, brz_str name)
{
    c->names = brz_list_room(c->ctx, c->names, c->n_names, &c->cap, sizeof *c->names);
    c->names[c->n_names++] = (brz_frame_desc){.struct_size = sizeof *c->names, .name = name};
}

/* Skips what separates the elements of an array. */
static void skip_separators(brz_str *s)
{
    while (s->len > 0 && (brz_is_blank(s->data[0]) || s->data[0] == ',' || s->data[0] == '\n' ||
                          s->data[0] == '\r'))
        *s = after(*s, 1);
}

/* Reads the array cpool. Returns what follows it. */
static brz_str read_names(canvas *c, brz_str script)
{
    static const char begin[] = "const cpool = [";
    size_t at = brz_str_find(script, BRZ_STR("const cpool = ["), 0);
    if (at == SIZE_MAX)
        return script;
    brz_str rest = after(script, at + sizeof begin - 1), before = {0};
    for (skip_separators(&rest); rest.len > 0 && rest.data[0] != ']'; skip_separators(&rest)) {
        brz_text name = {0};
        const char *start = rest.data;
        if (!take_literal(&rest, c->ctx, &name)) {
            BRZ_WARN(c->ctx, "canvas.name", start, 0,
                     "a damaged list of names: the rest is missing");
            break;
        }
        brz_str text = brz_text_str(&name);
        before = c->has_keys && c->n_names > 0 ? unpack(c->ctx, text, before) : text;
        add_name(c, before);
    }
    return rest;
}

/* ---- frames ---------------------------------------------------------------------------------- */

/* Sets kind and flags of a frame by its type. */
static void set_type(const canvas *c, brz_frame_desc *d, int64_t type)
{
    static const struct {
        uint32_t kind, flags;
    } old[] = {{BRZ_KIND_USER, BRZ_FRAME_JIT},
               {BRZ_KIND_USER, BRZ_FRAME_JIT | BRZ_FRAME_INLINED},
               {BRZ_KIND_KERNEL, 0},
               {BRZ_KIND_USER, 0},
               {BRZ_KIND_USER, 0}},
      types[] = {{BRZ_KIND_USER, 0},
                 {BRZ_KIND_USER, BRZ_FRAME_JIT},
                 {BRZ_KIND_USER, BRZ_FRAME_JIT | BRZ_FRAME_INLINED},
                 {BRZ_KIND_USER, 0},
                 {BRZ_KIND_USER, 0},
                 {BRZ_KIND_KERNEL, 0},
                 {BRZ_KIND_USER, BRZ_FRAME_JIT}};
    if (c->has_old_types && type >= 0 && type < BRZ_COUNT_OF(old)) {
        d->kind = old[type].kind;
        d->flags = old[type].flags;
    } else if (!c->has_old_types && type >= 0 && type < BRZ_COUNT_OF(types)) {
        d->kind = types[type].kind;
        d->flags = types[type].flags;
    }
}

/* A call in the script. */
typedef struct call {
    char function;
    int64_t arguments[MOST_ARGUMENTS];
    size_t n;
    brz_text name; /* a literal among the arguments */
    const char *at;
} call;

/* Reads the arguments of a call up to its closing parenthesis. Returns false for others than
 * numbers and one literal. */
static bool read_arguments(canvas *c, brz_str s, call *of)
{
    while (s.len > 0 && s.data[0] != ')') {
        uint64_t number;
        int64_t value = -1;
        if (brz_take_u64(&s, &number) && number <= INT64_MAX)
            value = (int64_t)number;
        else if (of->name.len > 0 || !take_literal(&s, c->ctx, &of->name))
            return false;
        if (of->n == MOST_ARGUMENTS)
            return false;
        of->arguments[of->n++] = value;
        if (s.len > 0 && s.data[0] == ',')
            s = after(s, 1);
    }
    return s.len > 0 && brz_trim(brz_str_of(s.data + 1, s.len - 1)).len == 0;
}

static brz_frame find_frame(canvas *c, const call *of, int64_t name, int64_t type)
{
    brz_frame_desc d = {.struct_size = sizeof d};
    if (of->name.len > 0)
        d.name = brz_text_str(&of->name);
    else if (name >= 0 && (uint64_t)name < c->n_names)
        d = c->names[name];
    else
        BRZ_WARN(c->ctx, "canvas.index", of->at, 0,
                 "a frame without a name in the list: [unknown]");
    if (d.name.len == 0)
        d.name = BRZ_STR("[unknown]");
    set_type(c, &d, type);
    return c->ctx->host->frame(c->ctx, &d);
}

/* Returns whether a frame lies within its caller, as far as places are known, and has room there.
 */
static bool fits(const canvas *c, extent place)
{
    if (c->level <= 0)
        return true;
    const extent *caller = &c->open[c->level - 1];
    const graph_node *n = &c->g->nodes[c->g->open[c->level - 1]];
    return c->width <= n->total - n->called &&
           (c->is_adrift || (place.left >= caller->left && place.right <= caller->right));
}

/* Adds the frame of a call. Returns false if it has no caller. */
static bool add_frame(canvas *c, const call *of, int64_t name, int64_t type)
{
    extent place = {c->left, 0};
    size_t deepest = c->g->n == 0 ? 0 : (size_t)c->g->nodes[c->g->n - 1].depth + 1;
    if (c->level < 0 || (uint64_t)c->level > deepest ||
        __builtin_add_overflow(c->left, c->width, &place.right) || !fits(c, place))
        return false;
    c->open = brz_list_room(c->ctx, c->open, (size_t)c->level, &c->open_cap, sizeof *c->open);
    c->open[c->level] = place;
    return graph_add(c->g, c->ctx,
                     &(graph_node){.frame = find_frame(c, of, name, type),
                                   .depth = (uint32_t)c->level,
                                   .is_whole = c->g->n == 0 && c->level == 0,
                                   .total = c->width,
                                   .at = of->at});
}

/* Reads a call of which the first number is a key. After one that makes no sense, the levels of
 * others are unknown until one states its own. */
static bool read_keyed(canvas *c, const call *of)
{
    size_t width = of->function == 'f' ? 3 : 1; /* index of the argument */
    int64_t moved = of->function == 'f' ? of->arguments[2] : of->function == 'n' ? c->width : 0;
    if (of->n < width || (c->is_lost && of->function != 'f'))
        return false;
    c->level = of->function == 'f' ? of->arguments[1] : c->level + (of->function == 'u');
    if (__builtin_add_overflow(c->left, moved, &c->left))
        return false;
    if (of->n > width && of->arguments[width] > 0)
        c->width = of->arguments[width];
    int64_t key = of->arguments[0];
    return add_frame(c, of, key >> 3, key & 7);
}

static bool read_plain(canvas *c, const call *of)
{
    if (of->n < 5 || of->function != 'f' || of->arguments[2] < 0)
        return false;
    c->level = of->arguments[0];
    c->left = of->arguments[1];
    c->width = of->arguments[2];
    return add_frame(c, of, of->arguments[4], of->arguments[3]);
}

/* Returns whether a line is a call that draws a frame. */
static bool is_call(brz_str line)
{
    return line.len >= 3 && line.data[1] == '(' &&
           (line.data[0] == 'f' || line.data[0] == 'u' || line.data[0] == 'n');
}

/* Reads a line that is a call, or stands among calls and should be one. */
static void read_call(canvas *c, brz_str line)
{
    call of = {.at = line.data, .function = line.data[0]};
    c->is_lost = !(is_call(line) && read_arguments(c, after(line, 2), &of) &&
                   (c->has_keys ? read_keyed(c, &of) : read_plain(c, &of)));
    c->is_adrift |= c->is_lost && c->has_keys;
    if (c->is_lost)
        brz_report_lost_weight(c->ctx, "canvas.frame", line.data, line.len,
                               BRZ_STR("not a frame, or none within its caller: left out"), 0);
}

/* Reads a line of the script. An empty one, or a call of what draws the picture, ends the frames.
 */
static void read_line(canvas *c, brz_str line)
{
    bool ends = line.len == 0 || brz_starts_with(line, BRZ_STR("render(")) ||
                brz_starts_with(line, BRZ_STR("search("));
    bool is_change = brz_starts_with(line, BRZ_STR("d="));
    c->is_comparison |= is_change;
    c->is_inside = !ends && (c->is_inside || is_call(line));
    if (c->is_inside && !is_change)
        read_call(c, line);
}

/* ---- scripts --------------------------------------------------------------------------------- */

bool canvas_is_it(brz_str script)
{
    return brz_str_has(script, BRZ_STR("function f(level, left, width")) ||
           brz_str_has(script, BRZ_STR("function f(key, level, left, width"));
}

/* Returns the unit that a script states, or that of older ones. */
static brz_str unit_of(brz_str script)
{
    static const char begin[] = "const units = '";
    size_t at = brz_str_find(script, BRZ_STR("const units = '"), 0);
    brz_str unit, rest;
    if (at == SIZE_MAX ||
        !brz_cut_first(after(script, at + sizeof begin - 1), '\'', &unit, &rest) || unit.len == 0)
        return BRZ_STR("samples");
    return unit;
}

static void report(const canvas *c, brz_str script)
{
    if (brz_str_has(script, BRZ_STR("reverse = true")))
        brz_report(c->ctx, BRZ_NOTE, "picture.reversed", NULL, 0,
                   BRZ_STR("a reversed flame graph: its stacks begin where those of the profile "
                           "ended"));
    if (c->is_comparison)
        brz_report(c->ctx, BRZ_NOTE, "picture.comparison", NULL, 0,
                   BRZ_STR("a comparison: the weights that it shows count, changes are left out"));
}

brz_rc canvas_read(graph *g, brz_ctx *ctx, brz_str script)
{
    canvas c = {.ctx = ctx, .g = g};
    brz_str line, unit = unit_of(script);
    c.has_keys = brz_str_has(script, BRZ_STR("function f(key"));
    c.has_old_types = !brz_str_has(script, BRZ_STR("[0xb2e1b2,"));
    uint32_t column =
        BRZ_DECLARE_COLUMN(ctx, .name = unit, .unit = unit, .flags = sample_count_flags(unit));
    brz_str rest = read_names(&c, script);
    while (brz_take_line(&rest, &line))
        read_line(&c, brz_trim_end(line));
    report(&c, script);
    return graph_count(g, ctx, column);
}
