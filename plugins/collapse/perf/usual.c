/* A stack of which every line is as perf prints nearly all of them, taken as a whole: from its last
 * line, the root, upwards.
 *
 * A stack mostly ends like the one before it, line for line and byte for byte: what a program does
 * changes at the leaves. So the two texts are compared from their ends; the frames of the lines
 * they share, and the hash of that much of the stack, are there already.
 */
#include "perf.h"

#include <string.h>

void forget_last_stack(perf *p)
{
    p->last_stack.end = NULL;
}

/* Where the symbol in [symbol, end) ends: at its offset, "+0x" and up to 16 hex digits, if it has
 * one. */
static inline const char *end_of_symbol(const char *symbol, const char *end)
{
    const char *from = end - symbol > 20 ? end - 20 : symbol;
    const char *plus = brz_rfind_near(from, end, '+');
    if (plus == NULL || end - plus < 3 || plus[1] != '0' || plus[2] != 'x')
        return end;
    return brz_all_hex_near(plus + 3, (size_t)(end - plus - 3)) ? plus : end;
}

/* "\t%16x symbol+0xoffset (module)": address in a fixed place, one blank, a module without blanks.
 * False for anything that needs a closer look. */
static inline bool parse_usual_line(brz_str line, frame_line *out)
{
    const char *s = line.data, *end = line.data + line.len;
    if (line.len < 22 || s[0] != '\t' || s[17] != ' ' || end[-1] != ')')
        return false;
    const char *symbol = s + 18, *blank = brz_rfind_near(symbol, end, ' ');
    if (blank == NULL || blank[1] != '(' || blank == symbol)
        return false;
    if (symbol[0] == ' ' || symbol[0] == '+' || blank[-1] == ' ' ||
        ((symbol[0] | blank[-1]) & 0x80) != 0)
        return false;
    out->address = brz_trim_start(brz_str_of(s + 1, 16));
    out->symbol = brz_str_of(symbol, (size_t)(end_of_symbol(symbol, blank) - symbol));
    out->module = brz_str_of(blank + 2, (size_t)(end - blank - 3));
    out->file = brz_str_of(s, 0);
    out->number = 0;
    return true;
}

/* How many of its last lines a stack of n lines has in common with the last stack. */
static size_t shared_lines(const perf *p, const brz_lines *lines, size_t n)
{
    const perf_last_stack *last = &p->last_stack;
    if (last->end == NULL || last->java != p->java)
        return 0;
    const char *start = (const char *)lines->next;
    brz_str last_line = brz_lines_at(lines, n - 1);
    const char *end = last_line.data + last_line.len;
    size_t len = (size_t)(end - start), most = len < last->len ? len : last->len;
    const char *same = end - p->common_suffix(end, last->end, most);
    size_t shared = 0;
    /* a line is shared if it is so together with the end of the line above */
    while (shared < n && brz_lines_at(lines, n - 1 - shared).data > same)
        shared++;
    return shared;
}

static void make_room(perf *p, brz_ctx *ctx, size_t n)
{
    perf_last_stack *last = &p->last_stack;
    if (n < last->depths_cap)
        return;
    size_t cap = 2 * n + 256;
    uint32_t *depths = ctx->host->alloc(ctx, cap * sizeof *depths, 0);
    if (last->depths != NULL)
        memcpy(depths, last->depths, last->depths_cap * sizeof *depths);
    last->depths = depths;
    last->depths_cap = cap;
}

/* Makes the stack begin with the frames of the shared lines, under the sample's root. */
static void keep_shared(perf *p, brz_ctx *ctx, size_t shared)
{
    perf_last_stack *last = &p->last_stack;
    brz_stacks *s = &p->stacks;
    if (shared > 0 && last->root == p->root) {
        brz_stacks_cut(s, last->depths[shared]);
        return;
    }
    brz_stacks_cut(s, 0);
    brz_stacks_push(s, ctx, p->root);
    last->depths[0] = 1;
    for (size_t i = 1; shared > 0 && i < last->depths[shared]; i++)
        brz_stacks_push(s, ctx, s->ids[i]); /* under another root: only the hash is another */
}

static inline void push_value(perf *p, brz_ctx *ctx, uint32_t value)
{
    if (!(value & LIST)) {
        brz_stacks_push(&p->stacks, ctx, value);
        return;
    }
    size_t n;
    bool stops;
    const brz_frame *frames = symbol_frames(p, &value, &n, &stops);
    if (stops)
        brz_stacks_cut(&p->stacks, 0);
    for (size_t i = 0; i < n; i++)
        brz_stacks_push(&p->stacks, ctx, frames[i]);
}

/* Pushes the frames of the lines above the shared ones; false at one that is not usual. */
static bool push_lines(perf *p, brz_ctx *ctx, size_t n, size_t shared)
{
    perf_last_stack *last = &p->last_stack;
    for (size_t i = shared; i < n; i++) {
        frame_line line;
        if (!parse_usual_line(brz_lines_at(&p->lines, n - 1 - i), &line))
            return false;
        push_value(p, ctx, symbol_value(p, ctx, &line));
        last->depths[i + 1] = (uint32_t)p->stacks.n;
    }
    return true;
}

/* The stack becomes the one that the next is compared with. */
static void remember(perf *p, size_t n)
{
    perf_last_stack *last = &p->last_stack;
    brz_str line = brz_lines_at(&p->lines, n - 1);
    last->end = line.data + line.len;
    last->len = (size_t)(last->end - (const char *)p->lines.next);
    last->root = p->root;
    last->java = p->java;
}

/* Passes over a stack that is not counted. */
static bool skip_lines(perf *p, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        brz_str line = brz_lines_at(&p->lines, i);
        if (line.len == 0 || line.data[0] != '\t')
            return false;
    }
    brz_lines_skip(&p->lines, n + 1);
    p->state = OUTSIDE;
    return true;
}

/* After an event line: takes the lines up to the blank one, counts them as a stack, and ends the
 * sample. False, with nothing taken, if they are not all usual or there are none. */
bool take_usual_stack(perf *p, brz_ctx *ctx, brz_rc *rc)
{
    size_t n = brz_lines_until_empty(&p->lines);
    if (n == 0 || n == SIZE_MAX)
        return false;
    if (p->state == LEFT_OUT)
        return skip_lines(p, n);
    size_t shared = p->options->skip_after.count > 0 ? 0 : shared_lines(p, &p->lines, n);
    make_room(p, ctx, n);
    keep_shared(p, ctx, shared);
    if (!push_lines(p, ctx, n, shared)) {
        forget_last_stack(p);
        return false;
    }
    remember(p, n);
    brz_lines_skip(&p->lines, n + 1);
    p->state = OUTSIDE;
    bool frameless = p->stacks.n == 1 && p->stacks.ids[0] == p->root;
    p->n_frameless += frameless && !p->options->frameless;
    *rc = frameless && !p->options->frameless
              ? BRZ_OK
              : brz_stacks_count(&p->stacks, ctx, p->weight, p->period);
    return true;
}
