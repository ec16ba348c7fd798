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
#include "reader.h"

#include <string.h>

#define FIRST_DEPTH 64

#define LONGEST_STACK (64u << 10) /* bytes of a stack that is read at once */

void fast_path_init(perf *p, brz_ctx *ctx)
{
    known_lines_init(&p->known_lines, ctx, KNOWN_LINE_SETS_FIRST);
    p->known_stacks = ctx->host->alloc(ctx, KNOWN_STACKS * sizeof *p->known_stacks, 64);
    p->line_ends =
        ctx->host->alloc(ctx, (LONGEST_STACK + BRZ_NEWLINE_SPARE) * sizeof(uint32_t), 64);
}

/* Returns the beginning of the line that ends with the newline before `end`. */
static inline const char *line_above(const char *from, const char *end)
{
    const char *newline = end > from ? brz_rfind_near(from, end - 1, '\n') : NULL;
    return newline == NULL ? from : newline + 1;
}

/* Returns the stack to compare with, by the addresses of the outermost line and the one above
 * it. */
static perf_known_stack *known_stack(perf *p, brz_ctx *ctx, brz_str stack)
{
    const char *last = line_above(stack.data, stack.data + stack.len);
    const char *above = line_above(stack.data, last);
    const brz_hash_keys *k = &p->known_lines.keys;
    uint64_t a = brz_load64(last + 1) ^ brz_load64(above + 1) * k->times;
    uint64_t b = brz_load64(last + 9) ^ brz_load64(above + 9) * k->times;
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
    const char *from = end - symbol > 19 ? end - 19 : symbol;
    const char *plus = brz_rfind_near(from, end, '+');
    if (plus == NULL || end - plus < 3 || plus[1] != '0' || plus[2] != 'x')
        return end;
    return brz_all_hex_near(plus + 3, (size_t)(end - plus - 3)) ? plus : end;
}

/* Returns whether the 16 columns of an address have blanks and then hexadecimal digits. */
static inline bool is_address(const char *column)
{
    size_t i = 0;
    while (i < 15 && column[i] == ' ')
        i++;
    return brz_all_hex_near(column + i, 16 - i);
}

static inline bool has_bracket(const char *from, const char *end)
{
    size_t n = (size_t)(end - from);
    return memchr(from, '(', n) != NULL || memchr(from, ')', n) != NULL;
}

/* Parses "\t%16x symbol+0xoffset (module)": an address in a fixed column, one space, a module
 * without spaces. Returns false for any other form. */
static inline bool parse_common_line(brz_str line, frame_line *out)
{
    const char *s = line.data, *end = line.data + line.len;
    if (line.len < SHORTEST || s[0] != '\t' || s[17] != ' ' || end[-1] != ')')
        return false;
    const char *symbol = s + 18, *blank = brz_rfind_near(symbol, end, ' ');
    if (blank == NULL || blank[1] != '(' || blank == symbol)
        return false;
    if (brz_is_blank(symbol[0]) || symbol[0] == '+' || brz_is_blank(blank[-1]) ||
        ((symbol[0] | blank[-1]) & 0x80) != 0)
        return false;
    if (has_bracket(blank + 2, end - 1) || !is_address(s + 1))
        return false;
    out->address = brz_str_of(s + 1, 16);
    out->symbol = brz_str_of(symbol, (size_t)(end_of_symbol(symbol, blank) - symbol));
    out->module = brz_str_of(blank + 2, (size_t)(end - blank - 3));
    out->file = brz_str_of(s, 0);
    out->number = 0;
    return true;
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

static void make_room(perf_known_stack *known, brz_ctx *ctx, size_t n)
{
    if (n < known->cap)
        return;
    size_t cap = 2 * n + FIRST_DEPTH;
    perf_mark *marks = ctx->host->alloc(ctx, cap * sizeof *marks, 0);
    if (known->marks != NULL)
        memcpy(marks, known->marks, known->cap * sizeof *marks);
    known->marks = marks;
    known->cap = cap;
}

/* Starts the path with the frames of the shared lines, below the sample's root. */
static void keep_shared(const perf *p, brz_ctx *ctx, perf_known_stack *known, size_t shared)
{
    brz_path *path = &known->path;
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

/* Returns line i of a text whose lines are in the index. */
static inline brz_str line_at(const perf *p, const char *text, size_t i)
{
    size_t start = i == 0 ? 0 : (size_t)p->line_ends[i - 1] + 1;
    return brz_str_of(text + start, p->line_ends[i] - start);
}

/* Pushes the frames of `n` lines from line `first` upwards. Returns false at a line in another
 * form. Prefetches the cache entries of all lines before it uses the first. */
static bool push_batch(perf *p, brz_ctx *ctx, perf_known_stack *known, brz_str stack, size_t first,
                       size_t n)
{
    known_line_place places[BATCH];

    known_lines_room(&p->known_lines, ctx);
    for (size_t i = 0; i < n; i++) {
        brz_str line = line_at(p, stack.data, first - i);
        if (line.len < SHORTEST)
            return false;
        places[i] = known_lines_find(&p->known_lines, line, p->java);
    }
    for (size_t i = 0; i < n; i++) {
        brz_str line = line_at(p, stack.data, first - i);
        uint32_t value;
        if (!known_lines_value(&p->known_lines, &places[i], line, &value) &&
            !learn_line(p, ctx, line, &places[i], &value))
            return false;
        push_value(p, ctx, &known->path, value);
        *++known->last =
            (perf_mark){(uint32_t)known->path.n, (uint32_t)(stack.data + stack.len - line.data)};
    }
    return true;
}

/* Stores the ends of the lines in the first `n` bytes of a stack in the index. Returns the number
 * of lines. */
static size_t index_lines(perf *p, const char *text, size_t n)
{
    size_t whole = (n + 63) / 64 * 64; /* the chunk is followed by as many bytes */
    size_t found = p->lines.index((const uint8_t *)text, whole, p->line_ends);
    while (found > 0 && p->line_ends[found - 1] >= n)
        found--;
    return found;
}

/* Pushes the frames of the lines above the shared ones. */
static bool push_lines(perf *p, brz_ctx *ctx, perf_known_stack *known, brz_str stack, size_t shared)
{
    size_t n = index_lines(p, stack.data, stack.len - known->marks[shared].from_end);
    make_room(known, ctx, shared + n);
    known->last = known->marks + shared;
    for (size_t i = 0; i < n; i += BATCH)
        if (!push_batch(p, ctx, known, stack, n - 1 - i, n - i < BATCH ? n - i : BATCH))
            return false;
    return true;
}

/* Stores the stack for comparison with later ones. */
static void remember(const perf *p, perf_known_stack *known, brz_str stack)
{
    known->end = stack.data + stack.len;
    known->len = stack.len;
    known->n = (size_t)(known->last - known->marks);
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
static bool skip_lines(perf *p, brz_str stack)
{
    size_t n = index_lines(p, stack.data, stack.len);
    for (size_t i = 0; i < n; i++) {
        brz_str line = line_at(p, stack.data, i);
        if (line.len == 0 || line.data[0] != '\t' || may_be_blank(line))
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

/* Counts the stack of the current sample. Returns false and changes nothing if a line is not in the
 * common form. */
static bool count_stack(perf *p, brz_ctx *ctx, brz_str stack, brz_rc *rc)
{
    perf_known_stack *known = known_stack(p, ctx, stack);
    if (p->pending_stack.path == &known->path)
        *rc = fast_path_count_pending(p, ctx);
    make_room(known, ctx, 1);
    size_t shared = shared_lines(p, known, stack);
    keep_shared(p, ctx, known, shared);
    if (!push_lines(p, ctx, known, stack, shared)) {
        known->chunk = 0;
        return false;
    }
    remember(p, known, stack);
    p->state = OUTSIDE;
    if (*rc == BRZ_OK)
        *rc = fast_path_count_pending(p, ctx);
    set_pending_stack(p, &known->path);
    if (p->needs_places && *rc == BRZ_OK)
        *rc = fast_path_count_pending(p, ctx); /* the next sample has another tag or time */
    return true;
}

/* Takes the lines between an event line and a blank line as the stack of the current sample, and
 * ends the sample. Returns false and changes nothing if one of them is not in the common form. */
static bool take_stack(perf *p, brz_ctx *ctx, brz_str stack, brz_rc *rc)
{
    if (stack.len == 0 || stack.len > LONGEST_STACK - 64 || stack.data[0] != '\t')
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
    if (take_stack(p, ctx, brz_str_of(start, (size_t)(blank - start)), rc))
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

const char *fast_path_take_sample(perf *p, brz_ctx *ctx, brz_str sample, brz_rc *rc)
{
    const char *newline = memchr(sample.data, '\n', sample.len);
    if (!ends_blank(sample) ||
        !event_begin_known(p, brz_str_of(sample.data, (size_t)(newline - sample.data))))
        return sample.data;
    const char *stack = newline + 1, *blank = sample.data + sample.len - 1;
    if (stack < blank && take_stack(p, ctx, brz_str_of(stack, (size_t)(blank - stack)), rc))
        return blank + 1;
    p->fast_path_from = (const uint8_t *)blank;
    return stack;
}
