/* The collapser for folded text in all its dialects:
 *
 *     line   := stack blank count [blank count] | comment | empty
 *     stack  := frame (";" frame)*
 *     count  := digits ["." digits] | "." digits
 *     comment := "#" [blank …]
 *
 * Frames may be empty and may hold blanks; the counts are the last words. Whether lines have one
 * count or two (before and after) is decided once per input, since a name may end in digits.
 * Neighbouring lines mostly begin alike: what they share is not parsed again.
 */
#include <brazier/plugin.h>
#include <brazier/symbol.h>
#include <brazier/text.h>

#include <string.h>

enum { COUNTS_AUTO, COUNTS_ONE, COUNTS_TWO };

typedef struct options {
    int32_t counts;
} options;

/* What the beginning of the input tells. */
typedef struct prelude_result {
    bool two_counts;
} prelude_result;

typedef struct folded {
    brz_lines lines;
    brz_stacks stacks;
    brz_frame_cache frames;
    brz_prefix_fn *common_prefix;
    brz_str before;    /* the stack of the line before, in this chunk; empty: none */
    size_t *frame_end; /* where each of its frames ends in it */
    size_t frame_ends_cap;
    uint32_t decimals[2];
    bool two_counts;
} folded;

/* ---- a line -------------------------------------------------------------------------------- */

/* A number, as the decimal fraction digits * 10^-decimals. */
typedef struct number {
    int64_t digits;
    uint32_t decimals;
} number;

typedef struct folded_line {
    brz_str stack;
    number counts[2];
    size_t n_counts;
} folded_line;

#define MAX_DECIMALS 9

static bool parse_number(brz_str s, number *n)
{
    bool point = false, digit = false;
    *n = (number){0, 0};
    for (size_t i = 0; i < s.len; i++) {
        char c = s.data[i];
        if (c == '.' && !point) {
            point = true;
            continue;
        }
        if (c < '0' || c > '9')
            return false;
        digit = true;
        if (point && n->decimals == MAX_DECIMALS)
            continue;
        n->decimals += point;
        if (__builtin_mul_overflow(n->digits, 10, &n->digits) ||
            __builtin_add_overflow(n->digits, c - '0', &n->digits))
            return false;
    }
    while (n->decimals > 0 && n->digits % 10 == 0) {
        n->digits /= 10;
        n->decimals--;
    }
    return digit;
}

/* Takes a count off the end of `s`, with the blanks in front of it. */
static bool take_count(brz_str *s, number *n)
{
    size_t i = s->len;
    while (i > 0 && ((s->data[i - 1] >= '0' && s->data[i - 1] <= '9') || s->data[i - 1] == '.'))
        i--;
    if (i == 0 || i == s->len || !brz_is_blank(s->data[i - 1]))
        return false;
    if (!parse_number(brz_str_of(s->data + i, s->len - i), n))
        return false;
    while (i > 0 && brz_is_blank(s->data[i - 1]))
        i--;
    s->len = i;
    return true;
}

/* Takes a line apart, which is trimmed and not empty. The last count is counts[0], the one before
 * it, if there are two, counts[1]. */
static bool parse_line(brz_str line, bool two, folded_line *out)
{
    out->stack = line;
    out->n_counts = 0;
    if (!take_count(&out->stack, &out->counts[0]))
        return false;
    out->n_counts = 1;
    if (two && take_count(&out->stack, &out->counts[1]))
        out->n_counts = 2;
    return out->stack.len > 0;
}

static bool is_comment(brz_str line)
{
    return line.data[0] == '#' && (line.len == 1 || line.data[1] == ' ');
}

/* The line without blanks around it, which are rare. */
static brz_str trimmed(brz_str line)
{
    if (line.len > 0 && (unsigned char)line.data[0] > ' ' && (line.data[0] & 0x80) == 0 &&
        line.data[line.len - 1] >= '0' && line.data[line.len - 1] <= '9')
        return line;
    return brz_trim(line);
}

/* ---- frames -------------------------------------------------------------------------------- */

static uint32_t kind_of(brz_str name)
{
    if (brz_display_name(name).len == name.len)
        return BRZ_KIND_OTHER;
    switch (name.data[name.len - 2]) {
    case 'k':
        return BRZ_KIND_KERNEL;
    case 'i':
        return BRZ_KIND_INLINED;
    case 'j':
        return BRZ_KIND_JIT;
    default:
        return BRZ_KIND_WAKER;
    }
}

static brz_frame frame_of(folded *f, brz_ctx *ctx, brz_str name)
{
    brz_frame_key key = brz_frame_key_of(&f->frames, name.data, name.len, 0);
    uint32_t id = brz_frame_cache_find(&f->frames, &key);
    if (id != BRZ_CACHE_MISS)
        return id;
    brz_frame_desc d = {.struct_size = sizeof d, .kind = kind_of(name), .name = name};
    id = ctx->host->frame(ctx, &d);
    brz_frame_cache_put(&f->frames, ctx, &key, id);
    return id;
}

/* Keeps the frames that the stack has in common with the one before, each with the ';' behind it,
 * and returns where in the text the others begin. */
static size_t keep_common_frames(folded *f, brz_str stack)
{
    size_t shorter = stack.len < f->before.len ? stack.len : f->before.len;
    size_t same = shorter == 0 ? 0 : f->common_prefix(stack.data, f->before.data, shorter);
    size_t frames = shorter == 0 ? 0 : f->stacks.path->n;
    while (frames > 0 && f->frame_end[frames - 1] >= same)
        frames--;
    brz_path_cut(f->stacks.path, frames);
    return frames == 0 ? 0 : f->frame_end[frames - 1] + 1;
}

/* Pushes a frame that ends at `end` in its stack. */
static void push_frame(folded *f, brz_ctx *ctx, brz_str name, size_t end)
{
    brz_path *path = f->stacks.path;
    if (path->n == f->frame_ends_cap)
        f->frame_end =
            brz_stacks_double(ctx, f->frame_end, path->n, &f->frame_ends_cap, sizeof *f->frame_end);
    f->frame_end[path->n] = end;
    brz_path_push(path, ctx, frame_of(f, ctx, name));
}

static void push_frames(folded *f, brz_ctx *ctx, brz_str stack)
{
    const char *p = stack.data + keep_common_frames(f, stack), *end = stack.data + stack.len;
    for (;;) {
        const char *stop = memchr(p, ';', (size_t)(end - p));
        stop = stop == NULL ? end : stop;
        push_frame(f, ctx, brz_str_of(p, (size_t)(stop - p)), (size_t)(stop - stack.data));
        if (stop == end)
            break;
        p = stop + 1;
    }
    f->before = stack;
}

/* ---- counts -------------------------------------------------------------------------------- */

static int64_t power_of_ten(uint32_t n)
{
    int64_t v = 1;
    while (n-- > 0)
        v *= 10;
    return v;
}

/* The number in the units of its column, which becomes finer if need be; at the end of its range if
 * it is too large: that is what becomes of one that was there before the column became finer. */
static int64_t scale(folded *f, brz_ctx *ctx, uint32_t weight, const number *n)
{
    uint32_t *decimals = &f->decimals[weight];
    int64_t value;
    if (n->decimals > *decimals) {
        brz_stacks_flush(&f->stacks, ctx);
        brz_stacks_rescale(&f->stacks, weight, power_of_ten(n->decimals - *decimals));
        ctx->host->decimals(ctx, weight, n->decimals);
        *decimals = n->decimals;
    }
    if (!__builtin_mul_overflow(n->digits, power_of_ten(*decimals - n->decimals), &value))
        return value;
    f->stacks.saturated = true;
    return INT64_MAX;
}

static brz_rc count(folded *f, brz_ctx *ctx, const folded_line *l)
{
    for (size_t i = 0; i < l->n_counts; i++) {
        /* before and after, or the only one */
        uint32_t weight = l->n_counts == 2 ? (uint32_t)(1 - i) : f->two_counts;
        int64_t value = scale(f, ctx, weight, &l->counts[i]);
        brz_rc rc = brz_stacks_count(&f->stacks, ctx, weight, value);
        if (rc != BRZ_OK)
            return rc;
    }
    return BRZ_OK;
}

static brz_rc take_line(folded *f, brz_ctx *ctx, brz_str line)
{
    folded_line l;
    brz_str text = trimmed(line);
    if (text.len == 0 || is_comment(text))
        return BRZ_OK;
    if (!parse_line(text, f->two_counts, &l)) {
        BRZ_WARN(ctx, "folded.line", text.data, text.len, "not a stack and a count: line left out");
        return BRZ_OK;
    }
    push_frames(f, ctx, l.stack);
    return count(f, ctx, &l);
}

/* ---- the collapser's calls ----------------------------------------------------------------- */

/* Lines have two counts if every one of the first megabyte has. */
static brz_rc prelude(brz_ctx *ctx, const brz_chunk *chunk, size_t *used, const void **shared)
{
    prelude_result *r = ctx->host->alloc(ctx, sizeof *r, 0);
    const options *o = ctx->cfg;
    brz_lines lines;
    brz_str line;
    size_t with_one = 0, with_two = 0;
    *used = 0;
    *shared = r;
    brz_lines_init(&lines, ctx);
    brz_lines_start(&lines, chunk->data, chunk->len);
    while (with_one == 0 && brz_lines_next(&lines, &line)) {
        folded_line l;
        line = brz_trim(line);
        if (line.len == 0 || is_comment(line) || !parse_line(line, true, &l))
            continue;
        with_one += l.n_counts == 1;
        with_two += l.n_counts == 2;
    }
    r->two_counts =
        o->counts == COUNTS_AUTO ? with_one == 0 && with_two > 0 : o->counts == COUNTS_TWO;
    return BRZ_OK;
}

static size_t boundary(const void *shared, const uint8_t *buf, size_t n, size_t from)
{
    (void)shared;
    if (from == 0 || buf[from - 1] == '\n')
        return from;
    const uint8_t *newline = memchr(buf + from, '\n', n - from);
    return newline == NULL ? n : (size_t)(newline - buf) + 1;
}

static brz_rc open_instance(brz_ctx *ctx)
{
    folded *f = ctx->inst;
    const prelude_result *r = ctx->shared;
    brz_lines_init(&f->lines, ctx);
    brz_stacks_init(&f->stacks, ctx, 0);
    brz_frame_cache_init(&f->frames, ctx);
    f->two_counts = r->two_counts;
    f->common_prefix = brz_prefix_best();
    f->frame_ends_cap = 256;
    f->frame_end = ctx->host->alloc(ctx, f->frame_ends_cap * sizeof *f->frame_end, 0);
    brz_weight_desc samples = {
        .struct_size = sizeof samples, .name = BRZ_STR("samples"), .unit = BRZ_STR("samples")};
    brz_weight_desc before = samples;
    before.name = BRZ_STR("before");
    if (f->two_counts)
        ctx->host->weight(ctx, &before);
    if (f->two_counts)
        samples.name = BRZ_STR("after");
    ctx->host->weight(ctx, &samples);
    return BRZ_OK;
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    folded *f = ctx->inst;
    brz_str line;
    f->before.len = 0;
    brz_lines_start(&f->lines, chunk->data, chunk->len);
    while (brz_lines_next(&f->lines, &line)) {
        brz_rc rc = take_line(f, ctx, line);
        if (rc != BRZ_OK)
            return rc;
    }
    line = brz_lines_rest(&f->lines);
    *used = chunk->len - line.len;
    if (!(chunk->flags & BRZ_CHUNK_LAST))
        return BRZ_OK;
    *used = chunk->len;
    return take_line(f, ctx, line);
}

static brz_rc finish(brz_ctx *ctx)
{
    folded *f = ctx->inst;
    return brz_stacks_finish(&f->stacks, ctx);
}

/* Folded text has no header: nearly all of the first lines must be stacks with counts, and some
 * should have several frames. */
static int32_t sniff(const brz_head *head)
{
    brz_str text = brz_str_of((const char *)head->data, head->len);
    size_t good = 0, bad = 0, deep = 0;
    while (text.len > 0 && good + bad < 100) {
        const char *newline = memchr(text.data, '\n', text.len);
        if (newline == NULL && !(head->flags & BRZ_CHUNK_LAST))
            break;
        size_t n = newline == NULL ? text.len : (size_t)(newline - text.data);
        brz_str line = brz_trim(brz_str_of(text.data, n));
        folded_line l;
        n += newline != NULL;
        text = brz_str_of(text.data + n, text.len - n);
        if (line.len == 0 || is_comment(line))
            continue;
        bool parsed = parse_line(line, false, &l);
        good += parsed;
        bad += !parsed;
        deep += parsed && memchr(l.stack.data, ';', l.stack.len) != NULL;
    }
    bool clean = bad * 10 <= good;
    if (good == 0 || bad * 2 > good || (!clean && deep == 0))
        return BRZ_SNIFF_NO;
    return clean && deep > 0 ? BRZ_SNIFF_RECORDS : BRZ_SNIFF_SHAPE;
}

/* ---- the plug-in --------------------------------------------------------------------------- */

static const char *const counts_choices[] = {"auto", "1", "2", NULL};

static const brz_option option_table[] = {
    {.name = "counts",
     .type = BRZ_OPTION_ENUM,
     .offset = offsetof(options, counts),
     .dflt = "auto",
     .help = "how many counts a line has; two are those before and after a change",
     .choices = counts_choices},
};

static const char *const globs[] = {"*.folded", "*.collapsed", NULL};

static const brz_collapser collapser = {
    .struct_size = sizeof collapser,
    .flags = BRZ_SPLITTABLE,
    .inst_size = sizeof(folded),
    .globs = globs,
    .sniff = sniff,
    .prelude = prelude,
    .boundary = boundary,
    .open = open_instance,
    .parse = parse,
    .finish = finish,
};

static const brz_component component = {
    .struct_size = sizeof component,
    .kind = BRZ_COLLAPSER,
    .id = "folded",
    .summary = "folded stacks: frames joined by ';', a blank, a count",
    .options = option_table,
    .n_options = BRZ_COUNT_OF(option_table),
    .option_size = sizeof(brz_option),
    .cfg_size = sizeof(options),
    .vtable = &collapser,
};

static const brz_component *const components[] = {&component, NULL};

BRZ_PLUGIN("folded", BRZ_SHIPPED_VERSION, "MIT", BRZ_SHIPPED_URL, components)
