/* SPDX-License-Identifier: MIT */
/* Collapses the text of austin, a sampler of Python programs:
 *
 *     input  := (heading | sample)*
 *     heading := "# " key ":" text
 *     sample := "P" process ";T" thread (";" frame)* blank metric ["," idle "," memory]
 *     frame  := file ":" function ":" line | ":GC:" | ":INVALID:"
 *
 * Frames run from root to leaf. The metric is a time in microseconds, or bytes in the mode
 * "memory"; the mode "full" has both.
 */
#include "sample.h"

/* The layout of metrics: one, or the three of the mode "full". */
enum layout { ANY_LAYOUT, ONE_METRIC, FULL };

/* Properties of the input, detected in its beginning. */
typedef struct beginning {
    enum layout layout; /* that of most samples, if others are rare */
} beginning;

typedef struct austin {
    dump dump;
    austin_columns columns;
    enum layout mode; /* the layout that the last heading tells */
} austin;

/* ---- lines ----------------------------------------------------------------------------------- */

/* Parses "1250" or "1250,0,-4096". */
static bool parse_metrics(brz_str text, austin_metrics *m)
{
    brz_str first, rest, idle, memory;
    m->is_full = brz_cut_first(text, ',', &first, &rest);
    if (!m->is_full)
        return brz_parse_i64(text, &m->metric);
    return brz_cut_first(rest, ',', &idle, &memory) && brz_parse_i64(first, &m->metric) &&
           brz_parse_i64(idle, &m->idle) && brz_parse_i64(memory, &m->memory);
}

/* Recognises the process and the thread in front of a stack. */
static bool begins_stack(brz_str line)
{
    uint64_t process;
    return brz_str_take(&line, "P") && brz_take_u64(&line, &process) && brz_str_take(&line, ";T") &&
           line.len > 0;
}

/* Returns whether a stack ends in a number or a sign after a blank, which is the front of a divided
 * metric. */
static bool ends_in_number(brz_str stack)
{
    brz_str before, number;
    uint64_t value;
    if (!brz_cut_last(stack, ' ', &before, &number))
        return false;
    bool is_sign = brz_str_take(&number, "-") && number.len == 0;
    return is_sign || brz_parse_u64(number, &value);
}

/* Divides a sample into its stack and its metrics. */
static bool parse_sample(brz_str line, brz_str *stack, austin_metrics *m)
{
    brz_str text;
    return brz_cut_last(line, ' ', stack, &text) && parse_metrics(text, m) &&
           begins_stack(*stack) && !ends_in_number(*stack);
}

/* Returns the value after "# mode: " or another key, or an empty text. */
static brz_str heading(brz_str line, brz_str key)
{
    if (!brz_str_take(&line, "# ") || !brz_starts_with(line, key))
        return brz_str_of(NULL, 0);
    line = brz_str_from(line, key.len);
    return brz_str_take(&line, ": ") ? brz_trim(line) : brz_str_of(NULL, 0);
}

/* Returns the layout of metrics in a mode. */
static enum layout layout_of_mode(brz_str mode)
{
    if (brz_str_is(mode, "full"))
        return FULL;
    bool is_one = brz_str_is(mode, "wall") || brz_str_is(mode, "cpu") || brz_str_is(mode, "memory");
    return is_one ? ONE_METRIC : ANY_LAYOUT;
}

/* Finds the layout that three quarters of the samples have, and at least two. */
static enum layout find_layout(brz_str text)
{
    size_t n[2] = {0};
    brz_str line, stack;
    while (brz_block_line(&text, &line)) {
        austin_metrics m;
        if (parse_sample(line, &stack, &m))
            n[m.is_full]++;
    }
    size_t most = n[1] > n[0] ? n[1] : n[0];
    if (most < 2 || n[0] + n[1] - most > most / 3)
        return ANY_LAYOUT;
    return n[1] > n[0] ? FULL : ONE_METRIC;
}

/* Returns whether metrics have another layout than the mode and than most samples. */
static bool is_odd(const austin *a, const austin_metrics *m)
{
    const beginning *begin = a->dump.ctx->prelude_data;
    enum layout own = m->is_full ? FULL : ONE_METRIC, mode = a->mode, most = begin->layout;
    return own != mode && own != most && (mode != ANY_LAYOUT || most != ANY_LAYOUT);
}

/* ---- samples --------------------------------------------------------------------------------- */

static void push_stack(dump *d, brz_str stack)
{
    brz_str process = {0}, thread = {0}, frame;
    brz_take_piece(&stack, ';', &process);
    brz_take_piece(&stack, ';', &thread);
    austin_begin(d, process, thread);
    while (brz_take_piece(&stack, ';', &frame))
        dump_push(d, frame, 0, austin_describe);
}

static brz_rc read_line(void *instance, brz_str line)
{
    austin *a = instance;
    brz_str stack, mode = heading(line, BRZ_STR("mode"));
    austin_metrics m = {0};
    if (mode.len > 0) {
        a->columns.in_bytes = brz_str_is(mode, "memory");
        a->mode = layout_of_mode(mode);
    }
    if (brz_starts_with(line, BRZ_STR("# ")) || brz_trim(line).len == 0)
        return BRZ_OK;
    if (!parse_sample(line, &stack, &m)) {
        brz_report_lost(a->dump.ctx, "austin.line", line.data, line.len,
                        BRZ_STR("not a sample of austin: left out"));
        return BRZ_OK;
    }
    if (is_odd(a, &m)) {
        brz_report_lost(a->dump.ctx, "austin.metrics", line.data, line.len,
                        BRZ_STR("not the metrics that other samples have: left out"));
        return BRZ_OK;
    }
    push_stack(&a->dump, stack);
    return austin_count(&a->columns, &a->dump, &m);
}

/* ---- plug-in --------------------------------------------------------------------------------- */

/* A score above that of folded text, which samples with one metric are, too. */
#define SNIFF_HEADING (BRZ_SNIFF_RECORDS + 10)

/* Recognises the heading with austin's version, and metrics of the mode "full". */
static int32_t sniff(const brz_head *head)
{
    brz_str text = dump_head_lines(head), line, stack;
    int32_t score = BRZ_SNIFF_NO;
    austin_metrics m;
    while (brz_block_line(&text, &line)) {
        if (heading(line, BRZ_STR("austin")).len > 0)
            score = SNIFF_HEADING;
        if (brz_starts_with(line, BRZ_STR("# ")) || brz_trim(line).len == 0)
            continue;
        if (parse_sample(line, &stack, &m) && m.is_full)
            return BRZ_SNIFF_HEADER;
        return begins_stack(line) ? score : BRZ_SNIFF_NO;
    }
    return score;
}

static brz_rc prelude(brz_ctx *ctx, const brz_chunk *chunk, size_t *used, const void **prelude_data)
{
    beginning *found = ctx->host->alloc(ctx, sizeof *found, 0);
    found->layout = find_layout(brz_str_of((const char *)chunk->data, chunk->len));
    *used = 0;
    *prelude_data = found;
    return BRZ_OK;
}

DUMP_PARSE_LINES(read_line, NULL)

static const char *const globs[] = {"*.austin", NULL};

SHIPPED_READER(austin, .prelude = prelude, .open = dump_open_root_first, .finish = dump_finish,
               .globs = globs)

BRZ_HINTS(BRZ_IF_NAME("*.austin") BRZ_IF_CONTAINS("# austin") BRZ_IF_CONTAINS(";T"))

SHIPPED_COLLAPSER("austin", .summary = "austin's text, samples of Python programs",
                  .help = "Record with `austin -o samples.austin python3 program.py`. The mode "
                          "\"full\" has processor time and memory as further weights: see "
                          "--weight.")
