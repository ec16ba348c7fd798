/* Fast path for stacks in perf's most common form: reads all lines of a stack at once, from its
 * last line, the root, upwards.
 *
 * A stack usually ends like an earlier one, byte for byte, since programs change at the leaves. Its
 * text is therefore compared, from the end, with the last stack that had the same outermost lines;
 * the frames of the common lines, and the hash of that part of the stack, are already known.
 *
 * A stack is counted only after the next one has been read: by then its entry in the stack table,
 * which exceeds the nearest caches, has been prefetched.
 */
#include "perf.h"

#include <string.h>

#define FIRST_DEPTH 64

void fast_path_init(perf *p, brz_ctx *ctx)
{
    known_lines_init(&p->known_lines, ctx, KNOWN_LINE_SETS_FIRST);
    p->known_stacks = ctx->host->alloc(ctx, KNOWN_STACKS * sizeof *p->known_stacks, 64);
}

/* Returns the stack to compare with, by the addresses of the outermost line and the one above
 * it. */
static perf_known_stack *known_stack(perf *p, brz_ctx *ctx, size_t n)
{
    brz_str last = brz_lines_at(&p->lines, n - 1),
            above = brz_lines_at(&p->lines, n < 2 ? 0 : n - 2);
    const brz_hash_keys *k = &p->known_lines.keys;
    uint64_t a = brz_load64(last.data + 1) ^ brz_load64(above.data + 1) * k->times;
    uint64_t b = brz_load64(last.data + 9) ^ brz_load64(above.data + 9) * k->times;
    perf_known_stack *known = &p->known_stacks[brz_hash_pair(k, a, b) % KNOWN_STACKS];
    if (known->path.ids == NULL)
        brz_path_init(&known->path, ctx, FIRST_DEPTH);
    return known;
}

#define SHORTEST 22 /* bytes of a common line: address, one-letter symbol and module */

/* Returns the end of the symbol in [symbol, end): its offset, "+0x" and up to 16 hex digits, or the
 * end. */
static inline const char *end_of_symbol(const char *symbol, const char *end)
{
    const char *from = end - symbol > 20 ? end - 20 : symbol;
    const char *plus = brz_rfind_near(from, end, '+');
    if (plus == NULL || end - plus < 3 || plus[1] != '0' || plus[2] != 'x')
        return end;
    return brz_all_hex_near(plus + 3, (size_t)(end - plus - 3)) ? plus : end;
}

/* Parses "\t%16x symbol+0xoffset (module)": an address in a fixed column, one space, a module
 * without spaces. Returns false for any other form. */
static inline bool parse_common_line(brz_str line, frame_line *out)
{
    const char *s = line.data, *end = line.data + line.len;
    if (line.len < SHORTEST || s[0] != '\t' || s[17] != ' ' || end[-1] != ')' || end[-2] == ')')
        return false;
    const char *symbol = s + 18, *blank = brz_rfind_near(symbol, end, ' ');
    if (blank == NULL || blank[1] != '(' || blank == symbol)
        return false;
    if (symbol[0] == ' ' || symbol[0] == '+' || blank[-1] == ' ' ||
        ((symbol[0] | blank[-1]) & 0x80) != 0)
        return false;
    if (memchr(blank + 2, '(', (size_t)(end - blank - 2)) != NULL)
        return false;
    out->address = brz_str_of(s + 1, 16);
    out->symbol = brz_str_of(symbol, (size_t)(end_of_symbol(symbol, blank) - symbol));
    out->module = brz_str_of(blank + 2, (size_t)(end - blank - 3));
    out->file = brz_str_of(s, 0);
    out->number = 0;
    return true;
}

/* Returns the number of trailing lines that a stack of n lines shares with a known one. */
static size_t shared_lines(const perf *p, const perf_known_stack *known, size_t n)
{
    if (known->chunk != p->chunk || known->java != p->java || p->options->skip_after.count > 0)
        return 0;
    const char *start = (const char *)p->lines.next;
    brz_str last_line = brz_lines_at(&p->lines, n - 1);
    const char *end = last_line.data + last_line.len;
    size_t len = (size_t)(end - start), most = len < known->len ? len : known->len;
    const char *same = end - p->common_suffix(end, known->end, most);
    size_t shared = 0;
    /* a line is shared only together with the end of the line above it */
    while (shared < n && brz_lines_at(&p->lines, n - 1 - shared).data > same)
        shared++;
    return shared;
}

static void make_room(perf_known_stack *known, brz_ctx *ctx, size_t n)
{
    if (n < known->depths_cap)
        return;
    size_t cap = 2 * n + FIRST_DEPTH;
    uint32_t *depths = ctx->host->alloc(ctx, cap * sizeof *depths, 0);
    if (known->depths != NULL)
        memcpy(depths, known->depths, known->depths_cap * sizeof *depths);
    known->depths = depths;
    known->depths_cap = cap;
}

/* Starts the path with the frames of the shared lines, below the sample's root. */
static void keep_shared(const perf *p, brz_ctx *ctx, perf_known_stack *known, size_t shared)
{
    brz_path *path = &known->path;
    if (shared > 0 && known->root == p->root) {
        brz_path_cut(path, known->depths[shared]);
        return;
    }
    brz_path_cut(path, 0);
    brz_path_push(path, ctx, p->root);
    known->depths[0] = 1;
    for (size_t i = 1; shared > 0 && i < known->depths[shared]; i++)
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

/* Number of lines looked up together. */
#define BATCH 16

/* Parses an unknown line and caches its value. Returns false if the line is not in the common form.
 * A value that ends a stack depends only on options, so it is valid for equal lines, too. */
static bool learn_line(perf *p, brz_ctx *ctx, brz_str text, const known_line_place *place,
                       uint32_t *value)
{
    frame_line line;

    if (!parse_common_line(text, &line))
        return false;
    brz_frame_key key = symbol_key(p, ctx, &line);
    *value = symbol_value(p, ctx, &line, &key);
    known_lines_put(&p->known_lines, place, text, *value);
    return true;
}

/* Pushes the frames of `n` lines from line `first` upwards. Returns false at a line in another
 * form. Prefetches the cache entries of all lines before it uses the first. */
static bool push_batch(perf *p, brz_ctx *ctx, perf_known_stack *known, size_t first, size_t n)
{
    known_line_place places[BATCH];

    known_lines_room(&p->known_lines, ctx);
    for (size_t i = 0; i < n; i++) {
        brz_str line = brz_lines_at(&p->lines, first - i);
        if (line.len < SHORTEST)
            return false;
        places[i] = known_lines_find(&p->known_lines, line, p->java);
    }
    for (size_t i = 0; i < n; i++) {
        brz_str line = brz_lines_at(&p->lines, first - i);
        uint32_t value;
        if (!known_lines_value(&p->known_lines, &places[i], line, &value) &&
            !learn_line(p, ctx, line, &places[i], &value))
            return false;
        push_value(p, ctx, &known->path, value);
        *known->next_depth++ = (uint32_t)known->path.n;
    }
    return true;
}

/* Pushes the frames of the lines above the shared ones. */
static bool push_lines(perf *p, brz_ctx *ctx, perf_known_stack *known, size_t n, size_t shared)
{
    known->next_depth = known->depths + shared + 1;
    for (size_t i = shared; i < n; i += BATCH)
        if (!push_batch(p, ctx, known, n - 1 - i, n - i < BATCH ? n - i : BATCH))
            return false;
    return true;
}

/* Stores the stack for comparison with later ones. */
static void remember(const perf *p, perf_known_stack *known, size_t n)
{
    brz_str line = brz_lines_at(&p->lines, n - 1);
    known->end = line.data + line.len;
    known->len = (size_t)(known->end - (const char *)p->lines.next);
    known->chunk = p->chunk;
    known->root = p->root;
    known->java = p->java;
}

/* Returns whether a line ends in any kind of space: it may be blank and end the sample. */
static bool may_be_blank(brz_str line)
{
    unsigned char last = (unsigned char)line.data[line.len - 1];
    return last <= ' ' || last >= 0x80;
}

/* Skips a stack that is not counted. */
static bool skip_lines(perf *p, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        brz_str line = brz_lines_at(&p->lines, i);
        if (line.len == 0 || line.data[0] != '\t' || may_be_blank(line))
            return false;
    }
    brz_lines_skip(&p->lines, n + 1);
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

/* Leaves up to n lines to be read one by one. Returns false. */
static bool leave_lines(perf *p, size_t n)
{
    p->fast_path_from = (const uint8_t *)brz_lines_at(&p->lines, n).data;
    return false;
}

/* Reads the lines between an event line and a blank line, counts them as a stack, and ends the
 * sample. Returns false and changes nothing if there are no lines, or if one is not in the common
 * form. */
bool fast_path_take_stack(perf *p, brz_ctx *ctx, brz_rc *rc)
{
    size_t n = count_common_lines(p);
    if (n == 0)
        return false;
    if (p->state == LEFT_OUT)
        return skip_lines(p, n) || leave_lines(p, n);
    perf_known_stack *known = known_stack(p, ctx, n);
    if (p->pending_stack.path == &known->path)
        *rc = fast_path_count_pending(p, ctx);
    size_t shared = shared_lines(p, known, n);
    make_room(known, ctx, n);
    keep_shared(p, ctx, known, shared);
    if (!push_lines(p, ctx, known, n, shared)) {
        known->chunk = 0;
        return leave_lines(p, n);
    }
    remember(p, known, n);
    brz_lines_skip(&p->lines, n + 1);
    p->state = OUTSIDE;
    if (*rc == BRZ_OK)
        *rc = fast_path_count_pending(p, ctx);
    set_pending_stack(p, &known->path);
    if (p->needs_places && *rc == BRZ_OK)
        *rc = fast_path_count_pending(p, ctx); /* the next sample has another tag or time */
    return true;
}
