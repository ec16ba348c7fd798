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
#include "dump/dump.h"

/* Columns, which are declared when they have a value. */
enum { TIME, CPU, MEMORY, FREED, COLUMNS };

typedef struct austin {
    dump dump;
    uint32_t columns[COLUMNS];
    bool declared[COLUMNS];
    bool in_bytes; /* the metric is memory */
} austin;

/* Metrics of a sample. */
typedef struct metrics {
    int64_t metric, idle, memory;
    bool is_full;
} metrics;

/* ---- lines ----------------------------------------------------------------------------------- */

/* Parses "1250" or "1250,0,-4096". */
static bool parse_metrics(brz_str text, metrics *m)
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
    return dump_take(&line, BRZ_STR("P")) && dump_take_number(&line, &process) &&
           dump_take(&line, BRZ_STR(";T")) && line.len > 0;
}

/* Divides a sample into its stack and its metrics. */
static bool parse_sample(brz_str line, brz_str *stack, metrics *m)
{
    brz_str text;
    return brz_cut_last(line, ' ', stack, &text) && parse_metrics(text, m) && begins_stack(*stack);
}

/* Returns the value behind "# mode: " or another key, or an empty text. */
static brz_str heading(brz_str line, brz_str key)
{
    if (!dump_take(&line, BRZ_STR("# ")) || !dump_take(&line, key) ||
        !dump_take(&line, BRZ_STR(": ")))
        return brz_str_of(NULL, 0);
    return brz_trim(line);
}

/* ---- samples --------------------------------------------------------------------------------- */

/* Describes a frame. The name is the text as it is, so that lines of a function stay apart. */
static void describe(dump *d, brz_str text, brz_frame_desc *frame)
{
    brz_str place, number, file, function;
    uint64_t line;
    (void)d;
    frame->name = text;
    if (!brz_cut_last(text, ':', &place, &number) || !brz_parse_u64(number, &line) ||
        line > UINT32_MAX || !brz_cut_last(place, ':', &file, &function))
        return;
    frame->file = file;
    frame->line = (uint32_t)line;
}

static void describe_owner(dump *d, brz_str text, brz_frame_desc *frame)
{
    (void)d;
    frame->kind = BRZ_KIND_PROCESS;
    frame->name = text;
}

/* Sets the tag of a sample from the texts of process and thread, "P12" and "T0:17". */
static void set_tag(dump *d, brz_str process, brz_str thread)
{
    brz_str interpreter, id = dump_behind(thread, 1);
    brz_tag_desc tag = {.thread_name = id};
    uint64_t number;
    if (!dump_wants_tags(d))
        return;
    process = dump_behind(process, 1);
    d->process = dump_take_number(&process, &number) && number <= INT64_MAX ? (int64_t)number : -1;
    brz_cut_last(id, ':', &interpreter, &id);
    if (brz_parse_u64(id, &number) && number <= INT64_MAX) {
        tag.flags = BRZ_TAG_THREAD;
        tag.thread = (int64_t)number;
        tag.thread_name.len = 0;
    }
    dump_tag(d, &tag);
}

static void push_stack(dump *d, brz_str stack)
{
    brz_str process = {0}, thread = {0}, frame;
    brz_path_cut(d->stacks.path, 0);
    brz_take_piece(&stack, ';', &process);
    brz_take_piece(&stack, ';', &thread);
    set_tag(d, process, thread);
    dump_push(d, process, 1, describe_owner);
    dump_push(d, thread, 1, describe_owner);
    while (brz_take_piece(&stack, ';', &frame))
        dump_push(d, frame, 0, describe);
}

/* Counts a value of the current stack, which stays. */
static brz_rc add(austin *a, int column, int64_t value)
{
    static const char *const names[COLUMNS] = {"time", "cpu", "memory", "freed"};
    dump *d = &a->dump;
    const char *name = names[column], *unit = column < MEMORY ? "microseconds" : "bytes";
    if (!a->declared[column])
        a->columns[column] =
            dump_declare(d->ctx, brz_str_of(name, strlen(name)), brz_str_of(unit, strlen(unit)));
    a->declared[column] = true;
    return value == 0 ? BRZ_OK : brz_stacks_count(&d->stacks, d->ctx, a->columns[column], value);
}

static brz_rc add_memory(austin *a, int64_t bytes)
{
    bool is_freed = bytes < 0 && bytes > INT64_MIN;
    brz_rc rc = add(a, MEMORY, is_freed ? 0 : bytes);
    return rc == BRZ_OK ? add(a, FREED, is_freed ? -bytes : 0) : rc;
}

static brz_rc count(austin *a, const metrics *m)
{
    if (a->in_bytes && !m->is_full)
        return add_memory(a, m->metric);
    brz_rc rc = add(a, TIME, m->metric);
    if (!m->is_full || rc != BRZ_OK)
        return rc;
    rc = add(a, CPU, m->idle == 0 ? m->metric : 0);
    return rc == BRZ_OK ? add_memory(a, m->memory) : rc;
}

static brz_rc read_line(void *instance, brz_str line)
{
    austin *a = instance;
    brz_str stack, mode = heading(line, BRZ_STR("mode"));
    metrics m = {0};
    if (mode.len > 0)
        a->in_bytes = brz_str_equal(mode, BRZ_STR("memory"));
    if (brz_starts_with(line, BRZ_STR("# ")) || brz_trim(line).len == 0)
        return BRZ_OK;
    if (!parse_sample(line, &stack, &m)) {
        brz_report_lost(a->dump.ctx, "austin.line", line.data, line.len,
                        BRZ_STR("not a sample of austin: left out"));
        return BRZ_OK;
    }
    push_stack(&a->dump, stack);
    return count(a, &m);
}

static brz_rc end(void *instance, const char *at)
{
    (void)instance;
    (void)at;
    return BRZ_OK;
}

/* ---- plug-in --------------------------------------------------------------------------------- */

/* A score above that of folded text, which samples with one metric are, too. */
#define SNIFF_HEADING (BRZ_SNIFF_RECORDS + 10)

/* Recognises the heading with austin's version, and metrics of the mode "full". */
static int32_t sniff(const brz_head *head)
{
    brz_str text = dump_head_lines(head), line, stack;
    int32_t score = BRZ_SNIFF_NO;
    metrics m;
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

DUMP_PARSE_LINES(read_line, end)

static const char *const globs[] = {"*.austin", NULL};

DUMP_COLLAPSER(austin, .open = dump_open_root_first, .finish = dump_finish, .globs = globs)

SHIPPED_COLLAPSER("austin", .summary = "austin's text, samples of Python programs",
                  .help = "Record with `austin -o samples.austin python3 program.py`. The mode "
                          "\"full\" has processor time and memory as further weights: see "
                          "--weight.")
