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

typedef struct austin {
    dump dump;
    austin_columns columns;
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

/* Returns whether a stack ends in a number behind a blank, which is the front of a divided metric.
 */
static bool ends_in_number(brz_str stack)
{
    brz_str before, number;
    uint64_t value;
    return brz_cut_last(stack, ' ', &before, &number) && brz_parse_u64(number, &value);
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
    if (mode.len > 0)
        a->columns.in_bytes = brz_str_is(mode, "memory");
    if (brz_starts_with(line, BRZ_STR("# ")) || brz_trim(line).len == 0)
        return BRZ_OK;
    if (!parse_sample(line, &stack, &m)) {
        brz_report_lost(a->dump.ctx, "austin.line", line.data, line.len,
                        BRZ_STR("not a sample of austin: left out"));
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

DUMP_PARSE_LINES(read_line, NULL)

static const char *const globs[] = {"*.austin", NULL};

SHIPPED_READER(austin, .open = dump_open_root_first, .finish = dump_finish, .globs = globs)

BRZ_HINTS(BRZ_IF_NAME("*.austin") BRZ_IF_CONTAINS("# austin") BRZ_IF_CONTAINS(";T"))

SHIPPED_COLLAPSER("austin", .summary = "austin's text, samples of Python programs",
                  .help = "Record with `austin -o samples.austin python3 program.py`. The mode "
                          "\"full\" has processor time and memory as further weights: see "
                          "--weight.")
