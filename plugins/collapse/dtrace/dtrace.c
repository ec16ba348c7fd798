/* SPDX-License-Identifier: MIT */
/* Collapses DTrace's output of aggregations by stack(), ustack() or jstack():
 *
 *     input   := header stack*
 *     header  := (line without a frame)* blank
 *     stack   := [keys] frame+ (count | [keys] count | distribution)
 *     frame   := blanks [module "`"] function ["+0x" hex] | blanks "0x" hex
 *     keys    := line that is indented less than frames: "  bash    read"
 *     distribution := "value  --- Distribution --- count" ("512 |@@@@  3")+ blank
 *
 * Stacks are leaf first. Blank lines within a stack are ignored: stack() and ustack() of one
 * aggregation form one stack. A line that consists of digits always ends a stack, so the text after
 * it can be parsed independently. A stack with more blank lines than the others of the input is one
 * whose count is missing, and the next one. If only the beginning of the input was seen, other
 * aggregations may follow it, so this holds if both parts are of the kernel, or of processes.
 */
#include "followers.h"
#include "../../common/shipped.h"
#include "frame_name.h"
#include "layout.h"
#include "lines.h"

#include <brazier/plugin.h>
#include <brazier/symbol.h>
#include <brazier/text.h>

#include <string.h>

typedef struct options {
    bool includeoffset;
} options;

typedef struct dtrace {
    const options *options;
    const layout *layout;
    brz_lines lines;
    brz_stacks stacks;      /* leaf first */
    brz_frame_cache frames; /* maps line text to a frame, or to LIST and an index into `lists` */
    followers followers;
    brz_frame_list lists; /* n, ids: the frames of lines that do not stand for a single one */
    brz_frame_list found; /* the last result of frame_name_resolve */
    brz_text scratch;

    /* state of the current stack */
    uint32_t last;        /* its last line in `followers`; 0: not there */
    size_t indent;        /* indentation of its frames */
    size_t blanks;        /* its blank lines, those in front of it included */
    bool pending;         /* `first` holds its first line, which is a frame or keys */
    size_t first_indent;  /* indentation of that line */
    brz_text first;       /* text of that line */
    brz_frame_list roots; /* frames of its keys, root first */
    bool distribution;    /* rows of a distribution are being read */
    size_t n_blanks;      /* length of the last line, if it has blanks alone: a count is damaged */
    bool has_more_parts;  /* it has more blank lines than those at the beginning of the input */
    brz_text leaf;        /* module of its first frame, if that is certain */
    int64_t sum;          /* sum of these rows */
    int64_t value;        /* of the last one that is positive, or 0 */
} dtrace;

#define LIST  0x80000000u
#define FRONT 64 /* padding before the text in `first`, which functions may read */

/* Contexts in `frames`. */
enum { INNER, LEAF };

/* ---- frames -------------------------------------------------------------------------------- */

static uint32_t resolve(dtrace *d, brz_ctx *ctx, brz_str text)
{
    d->found.n = 0;
    frame_name_resolve(ctx, text, &d->scratch, &d->found);
    if (d->found.n == 1 && d->found.ids[0] < LIST)
        return d->found.ids[0];
    uint32_t place = (uint32_t)d->lists.n;
    brz_frame_list_push(&d->lists, ctx, (uint32_t)d->found.n);
    for (size_t i = 0; i < d->found.n; i++)
        brz_frame_list_push(&d->lists, ctx, d->found.ids[i]);
    return place | LIST;
}

static void push_list(dtrace *d, brz_ctx *ctx, uint32_t place)
{
    const brz_frame *ids = d->lists.ids + place;
    for (size_t i = ids[0]; i > 0; i--)
        brz_path_push(d->stacks.path, ctx, ids[i]);
}

static inline void push_value(dtrace *d, brz_ctx *ctx, uint32_t value)
{
    if (value & LIST)
        push_list(d, ctx, value & ~LIST);
    else
        brz_path_push(d->stacks.path, ctx, value);
}

/* Finds the cached value of a line, of which *text becomes what is kept: never the leaf's offset,
 * others only if the option says so. Returns BRZ_CACHE_MISS if there is none. */
static uint32_t find_value(dtrace *d, brz_str *text, uint32_t context, brz_frame_key *key)
{
    if (context == LEAF || !d->options->includeoffset)
        *text = frame_name_cut_offset(*text);
    *key = brz_frame_key_of(&d->frames, text->data, text->len, context);
    return brz_frame_cache_find(&d->frames, key);
}

static uint32_t add_value(dtrace *d, brz_ctx *ctx, brz_str text, const brz_frame_key *key)
{
    uint32_t value = resolve(d, ctx, text);
    brz_frame_cache_put(&d->frames, ctx, key, value);
    return value;
}

static uint32_t context_of(const dtrace *d)
{
    return d->options->includeoffset && d->stacks.path->n == 0 ? LEAF : INNER;
}

static void push_frame(dtrace *d, brz_ctx *ctx, brz_str text)
{
    brz_frame_key key;
    uint32_t value = find_value(d, &text, context_of(d), &key);
    push_value(d, ctx, value != BRZ_CACHE_MISS ? value : add_value(d, ctx, text, &key));
    d->last = 0;
}

/* Divides a line that is two lines of frames, of which the second is indented like the first. The
 * line break between them may be another byte. */
static bool divide_frames(brz_str line, size_t indent, brz_str *first, brz_str *second)
{
    static const char blanks[] = "                ";
    if (indent < 4 || indent >= sizeof blanks)
        return false;
    size_t at = brz_str_find(line, brz_str_of(blanks, indent), 0);
    if (at == SIZE_MAX || at == 0)
        return false;
    *first = brz_trim_end(brz_str_of(line.data, at));
    *second = brz_trim_start(brz_str_from(line, at));
    brz_str without_byte = brz_str_of(first->data, first->len > 0 ? first->len - 1 : 0);
    if (frame_name_cut_offset(without_byte).len < without_byte.len)
        first->len = frame_name_cut_offset(*first).len < first->len ? first->len : first->len - 1;
    return line_is_frame(*first) && line_is_frame(*second);
}

/* Pushes both frames of a line that is two. */
static void push_two_frames(dtrace *d, brz_ctx *ctx, brz_str line, brz_str first, brz_str second)
{
    BRZ_WARN(ctx, "dtrace.joined", line.data, line.len, "two lines in one: they are read apart");
    if (d->stacks.path->n == 0)
        brz_text_append(&d->leaf, ctx, line_module(first));
    push_frame(d, ctx, first);
    push_frame(d, ctx, second);
}

/* Pushes the frame of a line that is certainly one, or two. `line` follows `indent` bytes of
 * indentation in the chunk. */
static void push_certain_frame(dtrace *d, brz_ctx *ctx, brz_str line, size_t indent)
{
    uint32_t context = context_of(d), last = d->last, value;
    brz_frame_key place, key;
    brz_str text = line, first, second;
    place = brz_frame_key_of(&d->followers.places, line.data - indent, line.len + indent, context);
    uint32_t known = followers_find(&d->followers, last, &place);
    value = known != 0 ? d->followers.lines[known].value : find_value(d, &text, context, &key);
    if (value == BRZ_CACHE_MISS && divide_frames(line, indent, &first, &second)) {
        push_two_frames(d, ctx, line, first, second);
        return;
    }
    if (d->stacks.path->n == 0)
        brz_text_append(&d->leaf, ctx, line_module(line));
    if (value == BRZ_CACHE_MISS)
        value = add_value(d, ctx, text, &key);
    if (known == 0)
        known = followers_add(&d->followers, ctx, last, &place, (uint32_t)indent, value);
    push_value(d, ctx, value);
    d->last = known;
}

/* ---- keys ---------------------------------------------------------------------------------- */

/* Adds the keys of a line, separated by two spaces, to the roots. */
static void add_keys(dtrace *d, brz_ctx *ctx, brz_str line)
{
    brz_frame_desc key = {.struct_size = sizeof key, .kind = BRZ_KIND_PROCESS};
    while (line.len > 0) {
        size_t n = brz_str_find(line, BRZ_STR("  "), 0);
        n = n == SIZE_MAX ? line.len : n;
        d->scratch.len = 0;
        brz_text_append(&d->scratch, ctx, brz_str_of(line.data, n));
        for (size_t i = 0; i < n; i++)
            if (d->scratch.data[i] == ';')
                d->scratch.data[i] = ':';
        key.name = brz_text_str(&d->scratch);
        brz_frame_list_push(&d->roots, ctx, ctx->host->frame(ctx, &key));
        line = brz_trim_start(brz_str_of(line.data + n, line.len - n));
    }
}

/* Decides whether the first line was a frame or keys: the next line is indented by `indent`, and
 * keys are indented less than frames. */
static void decide_first(dtrace *d, brz_ctx *ctx, size_t indent)
{
    brz_str line = brz_str_of(d->first.data + FRONT, d->first.len - FRONT);
    d->pending = false;
    if (indent > d->first_indent)
        add_keys(d, ctx, line);
    else
        push_frame(d, ctx, line);
}

/* ---- stacks -------------------------------------------------------------------------------- */

static void begin_stack(dtrace *d)
{
    brz_path_cut(d->stacks.path, 0);
    d->roots.n = 0;
    d->pending = d->distribution = false;
    d->last = 0;
    d->sum = d->value = 0;
    d->blanks = d->n_blanks = d->leaf.len = 0;
    d->has_more_parts = false;
}

static brz_rc end_stack(dtrace *d, brz_ctx *ctx, brz_str line, int64_t value)
{
    if (d->pending)
        decide_first(d, ctx, 0);
    if (d->stacks.path->n == 0) {
        begin_stack(d);
        brz_report_lost_weight(ctx, "dtrace.count", line.data, line.len,
                               BRZ_STR("count without a stack: left out"), value);
        return BRZ_OK;
    }
    for (size_t i = d->roots.n; i > 0; i--)
        brz_path_push(d->stacks.path, ctx, d->roots.ids[i - 1]);
    d->stacks.saturated |= value == INT64_MAX || value == INT64_MIN;
    brz_rc rc = brz_stacks_count(&d->stacks, ctx, 0, value);
    begin_stack(d);
    return rc;
}

/* Leaves out a stack whose count is damaged. */
static void leave_out(dtrace *d, brz_ctx *ctx, brz_str line)
{
    brz_report_lost(ctx, "dtrace.bad-count", line.data, line.len,
                    BRZ_STR("not a count: the stack above is left out"));
    begin_stack(d);
}

/* Handles the first line of a stack. */
static void take_first_line(dtrace *d, brz_ctx *ctx, brz_str line, size_t indent)
{
    int64_t value;
    brz_str names = line;
    if (line_is_frame(line) && line_take_count(&names, &value)) {
        leave_out(d, ctx, line);
        return;
    }
    if (line_is_frame(line)) {
        push_certain_frame(d, ctx, line, indent);
        return;
    }
    if (line_is_header(line) || line_is_message(line))
        return;
    d->pending = true;
    d->first_indent = indent;
    d->first.len = 0;
    brz_text_room(&d->first, ctx, FRONT);
    memset(d->first.data, 0, FRONT);
    d->first.len = FRONT;
    brz_text_append(&d->first, ctx, line);
}

static bool is_power_of_two(int64_t n)
{
    return n > 0 && (n & (n - 1)) == 0;
}

/* Warns in front of a row of quantize() if rows are missing: each value is twice the one above. */
static void see_value(dtrace *d, brz_ctx *ctx, brz_str line)
{
    int64_t value, above = d->value;
    brz_str text, bar;
    if (!brz_cut_first(line, '|', &text, &bar) || !line_is_count(brz_trim(text), &value))
        value = 0;
    d->value = value;
    if (is_power_of_two(above) && is_power_of_two(value) && value / 2 > above)
        BRZ_WARN(ctx, "dtrace.rows", line.data, 0,
                 "the values between this row and the one above are missing");
}

static void take_row(dtrace *d, brz_ctx *ctx, brz_str line)
{
    int64_t n = 0;
    see_value(d, ctx, line);
    const char *last = brz_rfind(line, ' ');
    size_t at = last == NULL ? 0 : (size_t)(last + 1 - line.data);
    if (!line_is_count(brz_str_from(line, at), &n))
        brz_report_lost(ctx, "dtrace.row", line.data, line.len,
                        BRZ_STR("not a row of a distribution: left out"));
    brz_stacks_sum(&d->stacks, &d->sum, n);
}

/* Begins a distribution at one of its rows. */
static void begin_distribution(dtrace *d, brz_ctx *ctx, brz_str line)
{
    BRZ_WARN(ctx, "dtrace.distribution", line.data, line.len,
             "a row of a distribution without a heading above it");
    d->distribution = true;
    d->last = 0;
}

/* Returns whether a line ends the distribution above it. A row begins with digits, or has a bar.
 * The blank line after the last one may be missing. */
static bool ends_distribution(brz_str line)
{
    int64_t value;
    if (line.len == 0 || line_is_frame(line) || line_is_count(line, &value))
        return true;
    return !brz_is_digit(line.data[0]) && memchr(line.data, '|', line.len) == NULL;
}

/* Handles a line of keys below a stack whose count is damaged, at the end of the line, or missing.
 * Keys without a count have blanks at their end and begin the next stack. */
static void take_keys_without_count(dtrace *d, brz_ctx *ctx, brz_str line, size_t indent)
{
    leave_out(d, ctx, line);
    if (line.data[line.len] != ' ')
        return;
    take_first_line(d, ctx, line, indent);
    d->indent = indent;
}

/* Handles a line below the first frame that may not be a frame. */
static brz_rc take_odd_line(dtrace *d, brz_ctx *ctx, brz_str line, size_t indent)
{
    int64_t value;
    if (line_is_message(line))
        return BRZ_OK;
    if (line_is_distribution(line)) {
        d->distribution = true;
        d->last = 0;
        return BRZ_OK;
    }
    bool has_keys = indent < d->indent && !line_is_frame(line);
    if (has_keys && line_take_count(&line, &value)) {
        add_keys(d, ctx, line);
        return end_stack(d, ctx, line, value);
    }
    if (has_keys && !line_is_header(line) && brz_str_find(line, BRZ_STR("  "), 0) != SIZE_MAX) {
        take_keys_without_count(d, ctx, line, indent);
        return BRZ_OK;
    }
    push_frame(d, ctx, line);
    return BRZ_OK;
}

/* Number of characters of a line with a count: dtrace pads counts with blanks in front. */
#define COUNT_WIDTH 17

/* Returns whether a line below the first frame of a stack is a damaged count, or ends in a count
 * because the newline in front of that is damaged. Frames have the same indentation. */
static inline bool is_damaged(const dtrace *d, brz_str line, size_t indent)
{
    int64_t value;
    bool is_indented = indent == d->indent;
    if (is_indented && line.data[0] > '9' && !brz_is_digit(line.data[line.len - 1]))
        return false;
    if (line_is_damaged_count(line))
        return true;
    bool is_right = indent + line.len == COUNT_WIDTH && !line_is_frame(line);
    if (indent > d->indent && (is_right || line_is_digits_after_byte(line)))
        return true;
    return indent >= d->indent && line_is_frame(line) && line_take_count(&line, &value);
}

/* Handles a line below the first line of a stack that is neither blank nor a count. */
static inline brz_rc take_next_line(dtrace *d, brz_ctx *ctx, brz_str line, size_t indent)
{
    char c = line.data[0];
    if (is_damaged(d, line, indent)) {
        leave_out(d, ctx, line);
        return BRZ_OK;
    }
    if (c == 'v' || c == 'd' || indent < d->indent) /* "value", "dtrace:" or keys */
        return take_odd_line(d, ctx, line, indent);
    if (line_is_frame(line))
        push_certain_frame(d, ctx, line, indent);
    else if (line_is_distribution(line))
        return take_odd_line(d, ctx, line, indent);
    else
        push_frame(d, ctx, line);
    d->indent = indent;
    return BRZ_OK;
}

static void take_second_line(dtrace *d, brz_ctx *ctx, brz_str line, size_t indent)
{
    if (!line_is_header(line)) {
        decide_first(d, ctx, indent);
        return;
    }
    d->pending = false;
    BRZ_WARN(ctx, "dtrace.line", line.data, 0, "the line above is not part of a stack: left out");
}

/* Leaves out a stack without a count. `line` follows it, or the first blank line of the next one.
 */
static void leave_out_uncounted(dtrace *d, brz_ctx *ctx, brz_str line)
{
    brz_report_lost(ctx, "dtrace.no-count", line.data, 0,
                    BRZ_STR("the stack above has no count: left out"));
    begin_stack(d);
    d->blanks = 1;
}

/* Handles a blank line, which may begin a stack although the one before it has no count yet. */
static void take_blank(dtrace *d, brz_ctx *ctx, brz_str line)
{
    bool in_front = d->stacks.path->n == 0 && !d->pending;
    d->blanks = layout_next_blank(d->blanks, in_front);
    if (in_front || d->blanks <= d->layout->most_blanks)
        return;
    if (d->layout->is_certain) {
        leave_out_uncounted(d, ctx, line);
        return;
    }
    d->has_more_parts = true;
    d->last = 0;
}

/* Returns whether a line of blanks alone is a count of one digit that is another byte, or missing.
 */
static bool is_count_without_digit(size_t indent)
{
    return indent == COUNT_WIDTH || indent == COUNT_WIDTH - 1;
}

/* Handles a line without text. Many blanks are those of a count: a line of its length has lost its
 * digit, others show with the next line what they are. */
static void take_empty_line(dtrace *d, brz_ctx *ctx, brz_str line, size_t indent)
{
    d->n_blanks = indent;
    if (indent > 0)
        d->last = 0;
    if (is_count_without_digit(indent) && d->stacks.path->n > 0)
        leave_out(d, ctx, brz_str_of(line.data - indent, indent));
    else if (indent < COUNT_WIDTH / 2)
        take_blank(d, ctx, line);
}

/* Decides whether a stack with more parts than others is two: a line follows the last blank one. */
static void decide_parts(dtrace *d, brz_ctx *ctx, brz_str line)
{
    d->has_more_parts = false;
    if (line_is_frame(line) &&
        layout_are_related(d->layout, brz_text_str(&d->leaf), line_module(line)))
        leave_out_uncounted(d, ctx, line);
    else
        BRZ_WARN(ctx, "dtrace.parts", line.data, 0,
                 "a stack has more parts than those at the beginning of the input: it may be two "
                 "stacks, if a count is missing");
}

/* Leaves out the stack above a line, which follows a line of `n_blanks` blanks alone, if no other
 * line was its count. */
static void see_blanks_above(dtrace *d, brz_ctx *ctx, brz_str line, size_t indent, size_t n_blanks)
{
    if (n_blanks >= COUNT_WIDTH / 2 && d->stacks.path->n > 0 && indent == d->indent)
        take_blank(d, ctx, line);
    if (d->has_more_parts)
        decide_parts(d, ctx, line);
}

static inline brz_rc take_line(dtrace *d, brz_ctx *ctx, brz_str line, size_t indent)
{
    int64_t value;
    bool count = line.len > 0 && line_is_count(line, &value);
    if (indent == 0 && d->layout->is_indented && line.len > 0 &&
        (count || line_is_damaged_count(line))) {
        if ((d->n_blanks > 0 || line.len == COUNT_WIDTH) && d->stacks.path->n > 0)
            leave_out(d, ctx, line);
        else
            BRZ_WARN(ctx, "dtrace.line", line.data, line.len,
                     "a number that is no count: left out");
        return BRZ_OK;
    }
    if (d->distribution && ends_distribution(line)) {
        brz_rc rc = end_stack(d, ctx, line, d->sum);
        if (rc != BRZ_OK || line.len == 0)
            return rc;
    }
    if (!count && !d->distribution && line_is_row(line))
        begin_distribution(d, ctx, line);
    if (d->distribution) {
        take_row(d, ctx, line);
        return BRZ_OK;
    }
    if (line.len == 0) {
        take_empty_line(d, ctx, line, indent);
        return BRZ_OK;
    }
    if (count) {
        if (d->has_more_parts)
            decide_parts(d, ctx, line);
        return end_stack(d, ctx, line, value);
    }
    see_blanks_above(d, ctx, line, indent, d->n_blanks);
    d->n_blanks = 0;
    if (d->pending && !line_is_message(line))
        take_second_line(d, ctx, line, indent);
    if (d->stacks.path->n > 0)
        return take_next_line(d, ctx, line, indent);
    take_first_line(d, ctx, line, indent);
    d->indent = indent;
    return BRZ_OK;
}

/* ---- lines --------------------------------------------------------------------------------- */

#define BLANKS UINT64_C(0x2020202020202020)

/* Counts the spaces at the beginning of a line in a chunk; checks first for as many as on the
 * previous line. */
static inline size_t count_blanks(brz_str line, size_t expected)
{
    size_t n = 0;
    if (expected >= 8 && expected <= 16 && line.len > expected && brz_load64(line.data) == BLANKS &&
        brz_load64(line.data + expected - 8) == BLANKS)
        n = expected;
    while (n < line.len && line.data[n] == ' ')
        n++;
    return n;
}

static inline brz_rc take_raw_line(dtrace *d, brz_ctx *ctx, brz_str raw)
{
    uint32_t expected = followers_expect(&d->followers, d->last, raw);
    if (expected != 0) {
        const follower *known = &d->followers.lines[expected];
        push_value(d, ctx, known->value);
        d->last = expected;
        d->indent = known->indent;
        return BRZ_OK;
    }
    size_t blanks = count_blanks(raw, d->indent);
    brz_str line = brz_str_of(raw.data + blanks, raw.len - blanks);
    if (line.len > 0 &&
        ((line.data[0] | line.data[line.len - 1]) & 0x80 || (unsigned char)line.data[0] <= ' ' ||
         (unsigned char)line.data[line.len - 1] <= ' '))
        line = brz_trim(line);
    return take_line(d, ctx, line, (size_t)(line.data - raw.data));
}

/* ---- entry points -------------------------------------------------------------------------- */

/* Finds the end of the header: after the first blank line, or before the first frame and the lines
 * above it that have its indentation. If the prelude contains neither, there is no header. The
 * stacks after it show their layout. */
static brz_rc prelude(brz_ctx *ctx, const brz_chunk *chunk, size_t *used, const void **prelude_data)
{
    brz_lines lines;
    brz_str line;
    size_t first = 0, indent_above = 0; /* of lines of the same indentation */
    layout *found = ctx->host->alloc(ctx, sizeof *found, 0);
    *used = 0;
    *prelude_data = found;
    brz_lines_init(&lines, ctx);
    brz_lines_start(&lines, chunk->data, chunk->len);
    while (brz_lines_next(&lines, &line)) {
        brz_str text = brz_trim(line);
        size_t start = (size_t)((const uint8_t *)line.data - chunk->data);
        size_t indent = (size_t)(text.data - line.data);
        if (indent == 0 || indent != indent_above) {
            first = start;
            indent_above = indent;
        }
        if (text.len > 0 && !line_is_frame(text))
            continue;
        *used = text.len > 0 ? first : start + line.len + 1;
        break;
    }
    found->is_certain = (chunk->flags & BRZ_CHUNK_LAST) != 0;
    layout_find(found, ctx, brz_str_of((const char *)chunk->data + *used, chunk->len - *used));
    return BRZ_OK;
}

/* Finds a boundary: the position after a count. */
static size_t boundary(const void *prelude_data, const uint8_t *buf, size_t n, size_t from)
{
    size_t start = brz_line_start(buf, n, from);
    brz_str text = brz_str_of((const char *)buf + start, n - start), line;
    const layout *found = prelude_data;
    int64_t value;
    while (brz_cut_first(text, '\n', &line, &text)) {
        bool may_be_count = !found->is_indented || (line.len > 0 && brz_is_blank(line.data[0]));
        line = brz_trim(line);
        if (may_be_count && line.len > 0 && line_is_count(line, &value))
            return n - text.len;
    }
    return n;
}

static brz_rc open_instance(brz_ctx *ctx)
{
    dtrace *d = ctx->inst;
    d->options = ctx->cfg;
    d->layout = ctx->prelude_data;
    brz_lines_init(&d->lines, ctx);
    brz_stacks_init(&d->stacks, ctx, BRZ_LEAF_FIRST);
    brz_frame_cache_init(&d->frames, ctx);
    followers_init(&d->followers, ctx);
    return BRZ_OK;
}

/* Ends the input, or a part of it that ends after a count. */
static brz_rc end_run(dtrace *d, brz_ctx *ctx, brz_str last)
{
    if (d->distribution)
        return end_stack(d, ctx, last, d->sum);
    if (d->pending)
        decide_first(d, ctx, 0);
    if (d->stacks.path->n > 0)
        brz_report_lost(ctx, "dtrace.cut-off", last.data, last.len,
                        BRZ_STR("the input ends within a stack, before its count: left out"));
    begin_stack(d);
    return BRZ_OK;
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    dtrace *d = ctx->inst;
    brz_str line;
    brz_rc rc = BRZ_OK;
    if (chunk->flags & BRZ_CHUNK_RANGE_START)
        begin_stack(d);
    brz_lines_start(&d->lines, chunk->data, chunk->len);
    while (rc == BRZ_OK && brz_lines_next(&d->lines, &line))
        rc = take_raw_line(d, ctx, line);
    line = brz_lines_rest(&d->lines);
    *used = chunk->len - line.len;
    if (rc != BRZ_OK || !(chunk->flags & BRZ_CHUNK_LAST))
        return rc;
    *used = chunk->len;
    rc = line.len > 0 ? take_raw_line(d, ctx, line) : BRZ_OK;
    return rc == BRZ_OK ? end_run(d, ctx, brz_str_of(line.data, 0)) : rc;
}

static brz_rc finish(brz_ctx *ctx)
{
    dtrace *d = ctx->inst;
    return brz_stacks_finish(&d->stacks, ctx);
}

/* ---- format detection ---------------------------------------------------------------------- */

/* Properties of the lines seen so far. */
typedef struct evidence {
    bool header;   /* "CPU ID FUNCTION:NAME" */
    bool stacks;   /* a blank line has ended a header */
    size_t ticks;  /* frames of the current stack that have a module */
    size_t frames; /* frames of the current stack */
    bool other;    /* the current stack has other lines */
    int32_t score;
} evidence;

/* Examines a line. Returns true when the result is certain. */
static bool see_line(evidence *e, brz_str line)
{
    int64_t value;
    if (line.len == 0) {
        e->stacks = true;
        return false;
    }
    if (line_is_count(line, &value)) {
        bool sure = e->header || (e->ticks > 0 && !e->other);
        if (e->frames > 0)
            e->score = sure ? BRZ_SNIFF_HEADER : e->other ? BRZ_SNIFF_NO : BRZ_SNIFF_SHAPE;
        e->frames = e->ticks = 0;
        return e->score != BRZ_SNIFF_NO || e->other;
    }
    if (line_is_header(line)) {
        e->header = true;
        return false;
    }
    if (line_is_distribution(line) && e->ticks > 0 && !e->other) {
        e->score = BRZ_SNIFF_HEADER;
        return true;
    }
    bool frame = line_is_frame(line);
    e->frames += frame;
    e->ticks += frame && line.data[0] != '0';
    e->other |= !frame && (e->stacks || e->frames > 0);
    return false;
}

/* Detects the format: a stack of module`function lines or addresses, followed by a count. */
static int32_t sniff(const brz_head *head)
{
    brz_str text = brz_head_lines(head), line;
    evidence e = {0};
    for (size_t lines = 0; lines < 4000 && brz_take_line(&text, &line); lines++)
        if (see_line(&e, brz_trim(line)))
            break;
    return e.score == BRZ_SNIFF_NO && e.header && !e.other ? BRZ_SNIFF_RECORDS : e.score;
}

/* ---- plug-in ------------------------------------------------------------------------------- */

static const brz_option option_table[] = {
    BRZ_OPTION(options, "includeoffset", BOOL, includeoffset, "false",
               "keep offsets (+0x1f) on all frames but the leaf"),
};

SHIPPED_READER(dtrace, .flags = BRZ_SPLITTABLE, .prelude = prelude, .boundary = boundary,
               .open = open_instance, .finish = finish)

SHIPPED_COLLAPSER(
    "dtrace", .summary = "DTrace, aggregations by stack(), ustack() or jstack()",
    .help = "Record with `dtrace -x ustackframes=100 -n 'profile-97 { @[ustack()] = count(); }'`.",
    BRZ_OPTIONS(option_table, options))
