/* SPDX-License-Identifier: MIT */
/* Fast path for stacks in perf's most common form: reads all lines of a stack at once, from its
 * last line, the root, upwards.
 *
 * A stack usually ends like an earlier one, byte for byte, since programs change at the leaves. Its
 * text is therefore compared, from the end, with the last stack that had the same outermost lines;
 * the frames of the common lines, and the hash of that part of the stack, are already known.
 *
 * A stack is counted only when the next one is read: by then its entry in the stack table, which
 * exceeds the nearest caches, has been prefetched.
 */
#include "address_columns.h"
#include "reader.h"

#include <brazier/symbol.h>

#include <string.h>

#define FIRST_DEPTH 64

void fast_path_init(perf *p, brz_ctx *ctx)
{
    known_lines_init(&p->known_lines, ctx);
    p->known_stacks = ctx->host->alloc(ctx, KNOWN_STACKS * sizeof *p->known_stacks, 64);
    p->newlines = ctx->host->alloc(ctx, NEWLINE_MAP_WORDS * sizeof *p->newlines, 64);
}

/* Returns the newlines above the end of a stack without its last `n` bytes. */
static inline newlines_above lines_above(const perf *p, brz_str stack, size_t n)
{
    return newlines_above_of(p->newlines, (size_t)(stack.data - p->mapped) + stack.len - n - 1);
}

/* Returns the beginning of the line that ends at the last newline. */
static inline const char *line_above(const perf *p, newlines_above *above)
{
    return p->mapped + newlines_above_next(above) + 1;
}

/* Makes room for twice as many marks. */
static void double_marks(perf_known_stack *known, brz_ctx *ctx)
{
    size_t cap = known->cap > 0 ? 2 * known->cap : FIRST_DEPTH;
    perf_mark *marks = ctx->host->alloc(ctx, cap * sizeof *marks, 0);
    if (known->marks != NULL)
        memcpy(marks, known->marks, known->cap * sizeof *marks);
    known->marks = marks;
    known->cap = cap;
}

/* Returns the stack to compare with, by the addresses of the outermost line and the one above
 * it. */
static perf_known_stack *known_stack(perf *p, brz_ctx *ctx, brz_str stack)
{
    newlines_above lines = lines_above(p, stack, 0);
    const char *last = line_above(p, &lines);
    const char *above = last > stack.data ? line_above(p, &lines) : last;
    const brz_hash_keys *k = &p->known_lines.keys;
    uint64_t a = brz_load64(last + 1) ^ brz_load64(above + 1) * k->times;
    uint64_t b = brz_load64(last + 9) ^ brz_load64(above + 9) * k->times;
    perf_known_stack *known = &p->known_stacks[brz_hash_pair(k, a, b) % KNOWN_STACKS];
    if (known->path.ids == NULL)
        brz_path_init(&known->path, ctx, FIRST_DEPTH);
    if (known->marks == NULL)
        double_marks(known, ctx);
    return known;
}

#define SHORTEST 22 /* bytes of a common line: address, one-letter symbol and module */

/* Returns the end of the symbol in [symbol, end): its offset, "+0x" and up to 16 hex digits, or the
 * end. */
static inline const char *end_of_symbol(const char *symbol, const char *end)
{
    const char *digits = end;
    while (digits - symbol > 3 && end - digits < 16 && brz_is_hex(digits[-1]))
        digits--;
    bool has_offset = digits - symbol >= 3 && memcmp(digits - 3, "+0x", 3) == 0;
    return has_offset ? digits - 3 : end;
}

/* A stack line in the common form. */
typedef struct common_line {
    brz_str symbol;
    const perf_module *module;
} common_line;

/* Returns whether a line ends with a blank and a module in brackets. */
static inline bool ends_with_module(brz_str line, const perf_module *module)
{
    if (line.len < SHORTEST + module->len || !module->is_plain)
        return false;
    const char *at = line.data + line.len - 1 - module->len;
    return at[-1] == '(' && at[-2] == ' ' && memcmp(at, module->text, module->len) == 0;
}

/* Returns the module in brackets at the end of a line, or NULL. It is mostly that of the line
 * before. */
static const perf_module *parse_module(perf *p, brz_ctx *ctx, brz_str line)
{
    if (p->last_module != NULL && ends_with_module(line, p->last_module))
        return p->last_module;
    const char *end = line.data + line.len - 1, *blank = brz_rfind_near(line.data + 18, end, ' ');
    if (blank == NULL || blank[1] != '(')
        return NULL;
    const perf_module *m = symbol_module(p, ctx, brz_str_of(blank + 2, (size_t)(end - blank - 2)));
    if (!m->is_plain)
        return NULL;
    p->last_module = m->len < MODULE_TEXT ? m : NULL;
    return m;
}

/* Parses "\t%16x symbol+0xoffset (module)": an address in a fixed column, one space, a module
 * without spaces. Returns false for any other form. */
static inline bool parse_common_line(perf *p, brz_ctx *ctx, brz_str line, common_line *out)
{
    const char *s = line.data, *end = line.data + line.len;
    if (line.len < SHORTEST || s[0] != '\t' || s[17] != ' ' || end[-1] != ')' ||
        !is_address_columns(s + 1))
        return false;
    out->module = parse_module(p, ctx, line);
    if (out->module == NULL)
        return false;
    const char *blank = end - out->module->len - 3;
    out->symbol = brz_str_of(s + 18, (size_t)(end_of_symbol(s + 18, blank) - s - 18));
    return blank > s + 18 && !brz_is_blank(s[18]) && s[18] != '+' && !brz_is_blank(blank[-1]) &&
           ((s[18] | blank[-1]) & 0x80) == 0;
}

/* Returns the number of outermost lines that a stack shares with a known one. A line is shared only
 * together with the end of the line above it, or with the beginning of both stacks. */
static size_t shared_lines(const perf *p, const perf_known_stack *known, brz_str stack)
{
    if (known->chunk != p->chunk || known->java != p->java || p->options->skip_after.count > 0)
        return 0;
    size_t most = stack.len < known->len ? stack.len : known->len;
    size_t same = p->common_suffix(stack.data + stack.len, known->end, most);
    if (same == known->len && same == stack.len)
        return known->n;
    size_t shared = known->n;
    while (known->marks[shared].from_end >= same && shared > 0)
        shared--;
    return shared;
}

static inline void add_mark(perf_known_stack *known, brz_ctx *ctx, perf_mark mark)
{
    if (++known->n == known->cap)
        double_marks(known, ctx);
    known->marks[known->n] = mark;
}

/* Starts the path with the frames of the shared lines, below the sample's root. */
static void keep_shared(const perf *p, brz_ctx *ctx, perf_known_stack *known, size_t shared)
{
    brz_path *path = &known->path;
    known->n = shared;
    if (shared > 0 && known->root == p->root) {
        brz_path_cut(path, known->marks[shared].depth);
        return;
    }
    brz_path_cut(path, 0);
    brz_path_push(path, ctx, p->root);
    known->marks[0] = (perf_mark){1, 0};
    for (size_t i = 1; shared > 0 && i < known->marks[shared].depth; i++)
        brz_path_push(path, ctx, path->ids[i]); /* under another root only the hash changes */
}

static inline void push_value(const perf *p, brz_ctx *ctx, brz_path *path, uint32_t value)
{
    if (!(value & LIST)) {
        brz_path_push(path, ctx, value);
        return;
    }
    size_t n;
    bool stops;
    const brz_frame *frames = symbol_frames(p, &value, &n, &stops);
    if (stops)
        brz_path_cut(path, 0);
    for (size_t i = 0; i < n; i++)
        brz_path_push(path, ctx, frames[i]);
}

/* Returns the value of a line whose symbol has none yet. */
static uint32_t resolve_line(perf *p, brz_ctx *ctx, brz_str text, const common_line *line)
{
    frame_line f = {.address = brz_str_of(text.data + 1, 16), .symbol = line->symbol};
    f.module = brz_str_of(text.data + text.len - 1 - line->module->len, line->module->len);
    f.file = brz_str_of(text.data, 0);
    return symbol_value(p, ctx, &f, line->module);
}

/* Finds the value of a line without the name of a function, "[unknown] (module)": many have an
 * address that occurs only once, which is not a part of the key. */
static inline bool nameless_value(const perf *p, brz_str line, uint32_t *value)
{
    const perf_nameless *n = &p->nameless[line.len % KNOWN_NAMELESS];
    *value = n->value;
    return n->len == line.len && n->java == p->java && line.data[0] == '\t' &&
           line.data[17] == ' ' && is_address_columns(line.data + 1) &&
           memcmp(n->text, line.data + 18, line.len - 18) == 0;
}

static void keep_nameless(perf *p, brz_str line, uint32_t value)
{
    perf_nameless *n = &p->nameless[line.len % KNOWN_NAMELESS];
    if (line.len - 18 > sizeof n->text)
        return;
    n->len = (uint16_t)line.len;
    n->java = p->java;
    n->value = value;
    memcpy(n->text, line.data + 18, line.len - 18);
}

/* Parses an unknown line and caches its value. Returns false if the line is not in the common form.
 * A value that ends a stack depends only on options, so it is valid for equal lines, too. */
__attribute__((noinline)) static bool learn_line(perf *p, brz_ctx *ctx, brz_str text,
                                                 const known_line_place *place, uint32_t *value)
{
    common_line line;
    if (!parse_common_line(p, ctx, text, &line))
        return false;
    brz_frame_key key = symbol_key(p, line.symbol, line.module);
    if (!symbol_find(p, &key, value))
        *value = resolve_line(p, ctx, text, &line);
    if (*value == TWO_LINES)
        return false;
    if (line.symbol.data[0] == '[' && !symbol_varies(p, line.symbol))
        keep_nameless(p, text, *value);
    else
        known_lines_put(&p->known_lines, place, text, *value);
    return true;
}

/* Pushes the frames of a line. Returns false if it has another form. */
static inline bool push_line(perf *p, brz_ctx *ctx, brz_path *path, brz_str line)
{
    if (line.len < SHORTEST)
        return false;
    uint32_t value;
    if (line.data[18] == '[' && nameless_value(p, line, &value)) {
        push_value(p, ctx, path, value);
        return true;
    }
    known_line_place place = known_lines_find(&p->known_lines, line, p->java);
    if (!known_lines_value(&p->known_lines, &place, line, &value) &&
        !learn_line(p, ctx, line, &place, &value))
        return false;
    push_value(p, ctx, path, value);
    return true;
}

/* Pushes the frames of the lines above the shared ones. */
static bool push_lines(perf *p, brz_ctx *ctx, perf_known_stack *known, brz_str stack)
{
    size_t from_end = known->marks[known->n].from_end;
    if (from_end == stack.len)
        return true;
    newlines_above above = lines_above(p, stack, from_end);
    const char *bottom = stack.data + stack.len, *end = bottom - from_end;
    while (end > stack.data) {
        const char *start = line_above(p, &above);
        if (!push_line(p, ctx, &known->path, brz_str_of(start, (size_t)(end - 1 - start))))
            return false;
        add_mark(known, ctx, (perf_mark){(uint32_t)known->path.n, (uint32_t)(bottom - start)});
        end = start;
    }
    return true;
}

/* Stores the stack for comparison with later ones. */
static void remember(const perf *p, perf_known_stack *known, brz_str stack)
{
    known->end = stack.data + stack.len;
    known->len = stack.len;
    known->chunk = p->chunk;
    known->root = p->root;
    known->java = p->java;
}

/* Returns whether a line of a sample that is left out can end it: a blank line, which may end in
 * any kind of space, or a shifted event line. */
static bool may_end_sample(brz_str line)
{
    unsigned char last = (unsigned char)line.data[line.len - 1];
    return last <= ' ' || last >= 0x80 || last == ':';
}

/* Skips a stack that is not counted. */
static bool skip_lines(perf *p, brz_str stack)
{
    newlines_above above = lines_above(p, stack, 0);
    for (const char *end = stack.data + stack.len, *start; end > stack.data; end = start) {
        start = line_above(p, &above);
        brz_str line = brz_str_of(start, (size_t)(end - 1 - start));
        if (line.len == 0 || line.data[0] != '\t' || may_end_sample(line))
            return false;
    }
    p->state = OUTSIDE;
    return true;
}

brz_rc fast_path_count_pending(perf *p, brz_ctx *ctx)
{
    if (p->pending_stack.path == NULL)
        return BRZ_OK;
    p->stacks.path = p->pending_stack.path;
    p->pending_stack.path = NULL;
    return brz_stacks_count(&p->stacks, ctx, p->pending_stack.weight, p->pending_stack.period);
}

/* Makes a stack the pending one. */
static void set_pending_stack(perf *p, brz_path *path)
{
    if (path->n == 1 && path->ids[0] == p->root && !p->options->frameless) {
        event_leave_out_frameless(p);
        return;
    }
    p->pending_stack = (perf_pending_stack){path, p->weight, p->period};
    p->stacks.path = path;
    brz_stacks_fetch(&p->stacks, p->weight);
}

/* Counts the pending stack by all weights of its sample, which is the current one. */
static brz_rc count_at_once(perf *p, brz_ctx *ctx)
{
    if (!weight_fields_are_on(&p->fields) || p->pending_stack.path == NULL)
        return fast_path_count_pending(p, ctx);
    p->stacks.path = p->pending_stack.path;
    p->pending_stack.path = NULL;
    return fields_count(p, ctx);
}

/* Counts the stack of the current sample. Returns false and changes nothing if a line is not in the
 * common form. */
static bool count_stack(perf *p, brz_ctx *ctx, brz_str stack, brz_rc *rc)
{
    perf_known_stack *known = known_stack(p, ctx, stack);
    *rc = fast_path_count_pending(p, ctx);
    keep_shared(p, ctx, known, shared_lines(p, known, stack));
    if (!push_lines(p, ctx, known, stack)) {
        known->chunk = 0;
        return false;
    }
    remember(p, known, stack);
    p->state = OUTSIDE;
    set_pending_stack(p, &known->path);
    if (p->needs_places && *rc == BRZ_OK)
        *rc = count_at_once(p, ctx); /* the next sample has another tag, time or field */
    return true;
}

/* Takes the lines between an event line and a blank line as the stack of the current sample, and
 * ends the sample. Returns false and changes nothing if one of them is not in the common form. */
static bool take_stack(perf *p, brz_ctx *ctx, brz_str stack, brz_rc *rc)
{
    if (stack.len == 0 || stack.data[0] != '\t')
        return false;
    return p->state == LEFT_OUT ? skip_lines(p, stack) : count_stack(p, ctx, stack, rc);
}

/* Returns the number of lines up to the blank line if they may be a common stack, or 0. Lines known
 * to have another form are not examined again for each event line among them. */
static size_t count_common_lines(perf *p)
{
    const brz_lines *l = &p->lines;
    if (l->next < p->fast_path_from || l->next == l->end || *l->next != '\t')
        return 0;
    size_t n = brz_lines_until_empty(&p->lines);
    if (n == SIZE_MAX)
        p->fast_path_from = l->block_end;
    return n == SIZE_MAX ? 0 : n;
}

void fast_path_take_stack(perf *p, brz_ctx *ctx, brz_rc *rc)
{
    size_t n = count_common_lines(p);
    if (n == 0)
        return;
    const char *start = (const char *)p->lines.next, *blank = brz_lines_at(&p->lines, n).data;
    size_t len = (size_t)(blank - start);
    p->mapped = start - 1; /* the newline of the event line */
    if (len < NEWLINE_MAP_BYTES)
        p->blank_line(p->mapped, blank, p->newlines);
    if (len < NEWLINE_MAP_BYTES && take_stack(p, ctx, brz_str_of(start, len), rc))
        brz_lines_skip(&p->lines, n + 1);
    else
        p->fast_path_from = (const uint8_t *)blank;
}

/* Returns whether a text ends with a blank line. */
static bool ends_blank(brz_str text)
{
    const char *end = text.data + text.len;
    return text.len >= 2 && end[-1] == '\n' && end[-2] == '\n';
}

/* Reads a known event line and its stack, up to the end of a blank line. Returns the beginning of
 * the lines that are still to be read. */
static inline const char *take_sample(perf *p, brz_ctx *ctx, brz_str sample, brz_rc *rc)
{
    if (!ends_blank(sample) || sample.len > NEWLINE_MAP_BYTES)
        return sample.data;
    p->mapped = sample.data;
    const char *newline = sample.data + newline_first(p->newlines);
    if (!event_begin_known(p, brz_str_of(sample.data, (size_t)(newline - sample.data))))
        return sample.data;
    const char *stack = newline + 1, *blank = sample.data + sample.len - 1;
    if (stack < blank && take_stack(p, ctx, brz_str_of(stack, (size_t)(blank - stack)), rc))
        return blank + 1;
    p->fast_path_from = (const uint8_t *)blank;
    return stack;
}

const char *fast_path_take_samples(perf *p, brz_ctx *ctx, brz_str text, const char **stop,
                                   brz_rc *rc)
{
    const char *at = text.data, *end = text.data + text.len;
    for (*stop = at; at == *stop && at < end && *rc == BRZ_OK;) {
        *stop = p->blank_line(at, end, p->newlines);
        at = take_sample(p, ctx, brz_str_of(at, (size_t)(*stop - at)), rc);
    }
    return at;
}
