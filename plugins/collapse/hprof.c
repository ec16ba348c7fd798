/* SPDX-License-Identifier: MIT */
/* Collapses the text output of hprof, the profiling agent of Java 1.2 to 8 and of Android:
 *
 *     input  := heading (thread | trace | table | dump)*
 *     thread := "THREAD START (obj=" hex ", id = " id ', name="' name '", group="' group '")'
 *             | "THREAD END (id = " id ")"
 *     trace  := "TRACE " number ":" ["(thread=" id ")"] (indented frame)* | indented "<empty>"
 *     table  := title " BEGIN (" ["total = " number] ... ")" titles row* title " END"
 *     row    := rank percent percent count trace name                    of the processor, of locks
 *             | rank percent percent bytes objects bytes objects trace name             of "SITES"
 *     dump   := ("HEAP DUMP" | "MONITOR DUMP") " BEGIN" line* title " END"
 *
 * Frames run from leaf to root. hprof writes its tables at each signal and at the end. It clears
 * its counts after each, so that tables are added up, except "SITES", whose last table counts.
 */
#include "../common/dump/java_frame.h"

#include "../common/pair_map.h"
#include "../common/table/decimal.h"

/* Shares of the processor have two decimals. */
#define PERCENT_WHOLE 10000

enum { SAMPLES, TIME, CALLS, LOCK_TIME, LOCKS, LIVE, LIVE_OBJECTS, ALLOC, ALLOC_OBJECTS, COLUMNS };

typedef enum section {
    TOP,    /* between records */
    PROSE,  /* in the heading */
    FRAMES, /* after a TRACE */
    SAMPLE_TABLE,
    TIME_TABLE,
    LOCK_TABLE,
    SITE_TABLE,
    OTHER, /* in a dump */
} section;

typedef struct options {
    int32_t packages;
} options;

typedef struct trace {
    size_t first, n; /* frames */
    int64_t thread;  /* -1: unknown */
} trace;

typedef struct site {
    uint32_t trace; /* index */
    int64_t values[4];
} site;

typedef struct hprof {
    dump dump;
    uint32_t columns[COLUMNS];
    bool is_declared[COLUMNS];
    section section;
    uint64_t number;    /* of the trace that is being read */
    uint64_t total;     /* of the table; 0: unknown */
    int64_t sum;        /* of the table's rows so far */
    int64_t last_accum; /* hundredths of a percent; -1: unknown */
    uint64_t last_rank; /* UINT64_MAX: unknown */
    trace current;
    trace *traces;
    size_t n_traces, traces_cap;
    brz_frame_list frames;
    pair_map indices; /* number of a trace -> index */
    brz_str *names;   /* of threads */
    size_t n_names, names_cap;
    pair_map threads; /* id -> index of the name */
    site *sites;      /* of the last table */
    size_t n_sites, sites_cap;
    uint64_t n_rounded;
} hprof;

/* Reports a line. The total of a table of samples tells what its rows weigh. */
static void leave_out(hprof *h, brz_str line, brz_str msg)
{
    h->last_rank = UINT64_MAX;
    if (h->section == SAMPLE_TABLE && h->total > 0)
        brz_report_lost_weight(h->dump.ctx, "hprof.line", line.data, line.len, msg, 0);
    else
        brz_report_lost(h->dump.ctx, "hprof.line", line.data, line.len, msg);
}

/* Returns a column, which is declared when a table needs it: the first one is the default. */
static uint32_t column_of(hprof *h, uint32_t i)
{
    static const struct {
        const char *name, *unit;
    } columns[COLUMNS] = {
        [SAMPLES] = {"samples", "samples"},
        [TIME] = {"time", "ms"},
        [CALLS] = {"calls", "calls"},
        [LOCK_TIME] = {"monitor_time", "ms"},
        [LOCKS] = {"monitor_contentions", "contentions"},
        [LIVE] = {"live_bytes", "bytes"},
        [LIVE_OBJECTS] = {"live_objects", "objects"},
        [ALLOC] = {"alloc_bytes", "bytes"},
        [ALLOC_OBJECTS] = {"alloc_objects", "objects"},
    };
    if (!h->is_declared[i])
        h->columns[i] = dump_declare(h->dump.ctx, brz_str_of_text(columns[i].name),
                                     brz_str_of_text(columns[i].unit));
    h->is_declared[i] = true;
    return h->columns[i];
}

/* Returns a value that is missing from a column, as far as it is missing from the shown one. */
static int64_t weight_of(hprof *h, uint32_t column, int64_t value)
{
    return column_of(h, column) == 0 ? value : 0;
}

/* Ends a table: compares the sum of samples with the total. Tables of times omit rows of less than
 * a ten-thousandth. */
static void end_table(hprof *h)
{
    int64_t missing = (int64_t)h->total - h->sum;
    if (h->section == SAMPLE_TABLE && h->total > 0 && missing > 0)
        brz_report_lost_weight(h->dump.ctx, "hprof.total", NULL, 0,
                               BRZ_STR("rows are missing: the sum is less than the total"),
                               weight_of(h, SAMPLES, missing));
    h->total = 0;
    h->section = TOP;
}

/* ---- threads and traces ---------------------------------------------------------------------- */

static bool read_thread(hprof *h, brz_str line)
{
    brz_ctx *ctx = h->dump.ctx;
    brz_str name, rest;
    uint64_t id;
    size_t at = brz_str_find(line, BRZ_STR(", name=\""), 0);
    if (at == SIZE_MAX || !dump_number_after(line, BRZ_STR("id = "), &id))
        return false;
    rest = brz_str_from(line, at + 8);
    if ((at = brz_str_find(rest, BRZ_STR("\", group=\""), 0)) == SIZE_MAX &&
        (at = brz_str_find(rest, BRZ_STR("\""), 0)) == SIZE_MAX)
        return false;
    name = brz_str_of(rest.data, at);
    h->names = brz_list_room(ctx, h->names, h->n_names, &h->names_cap, sizeof *h->names);
    pair_map_put(&h->threads, ctx, id, 0, (uint32_t)h->n_names);
    h->names[h->n_names++] = brz_text_keep(ctx, name);
    return true;
}

/* Begins a trace: "TRACE 300015: (thread=200001)". */
static bool begin_trace(hprof *h, brz_str line)
{
    uint64_t id;
    if (!brz_str_take(&line, "TRACE ") || !brz_take_u64(&line, &h->number) ||
        !brz_str_take(&line, ":"))
        return false;
    end_table(h);
    h->current = (trace){.first = h->frames.n, .thread = -1};
    if (dump_number_after(line, BRZ_STR("(thread="), &id))
        h->current.thread = (int64_t)id;
    h->section = FRAMES;
    return true;
}

static void end_trace(hprof *h)
{
    brz_ctx *ctx = h->dump.ctx;
    h->section = TOP;
    h->current.n = h->frames.n - h->current.first;
    h->traces = brz_list_room(ctx, h->traces, h->n_traces, &h->traces_cap, sizeof *h->traces);
    pair_map_put(&h->indices, ctx, h->number, 0, (uint32_t)h->n_traces);
    h->traces[h->n_traces++] = h->current;
}

/* Returns the place without what stands there for an unknown line: "Unknown line", "Native method".
 */
static brz_str without_words(brz_str place)
{
    brz_str file, line;
    if (!brz_cut_last(place, ':', &file, &line) || (line.len > 0 && brz_is_digit(*line.data)))
        return place;
    return file;
}

static void describe(dump *d, brz_str text, brz_frame_desc *frame)
{
    const options *o = d->ctx->cfg;
    brz_str name, place = brz_str_of(NULL, 0);
    java_frame_describe(d, text, (java_packages)o->packages, frame);
    frame->file = brz_str_of(NULL, 0);
    frame->module = brz_str_of(NULL, 0);
    frame->line = frame->column = 0;
    if (!brz_cut_last(text, '(', &name, &place) || !brz_ends_with(place, BRZ_STR(")")))
        return;
    place.len--;
    dump_place(without_words(place), frame);
    if (brz_str_is(frame->file, "<Unknown Source>") || brz_str_is(frame->file, "Unknown Source") ||
        brz_str_is(frame->file, "Native Method"))
        frame->file = brz_str_of(NULL, 0);
}

static void read_frame(hprof *h, brz_str text)
{
    dump *d = &h->dump;
    if (brz_str_is(text, "<empty>"))
        return;
    brz_path_cut(d->stacks.path, 0);
    dump_push(d, text, 0, describe);
    brz_frame_list_push(&h->frames, d->ctx, d->stacks.path->ids[0]);
}

/* Reads a frame, or two whose line break is damaged: a tab is in front of each. */
static void read_frames(hprof *h, brz_str line)
{
    brz_str first, second, text = brz_trim(line);
    if (!brz_cut_first(text, '\t', &first, &second)) {
        read_frame(h, text);
        return;
    }
    BRZ_WARN(h->dump.ctx, "hprof.joined", line.data, line.len,
             "two lines in one: they are read apart");
    first = brz_trim(first);
    first.len -= first.len > 1 && !brz_ends_with(first, BRZ_STR(")"));
    read_frame(h, brz_trim(first));
    read_frame(h, brz_trim(second));
}

/* Reads the first frame of a trace, which is in the line of the trace if their line break is
 * damaged. */
static void read_joined_frame(hprof *h, brz_str line)
{
    brz_str first, second;
    if (!brz_cut_first(line, '\t', &first, &second))
        return;
    BRZ_WARN(h->dump.ctx, "hprof.joined", line.data, line.len,
             "two lines in one: they are read apart");
    read_frame(h, brz_trim(second));
}

/* ---- counts ---------------------------------------------------------------------------------- */

static void set_tag(hprof *h, const trace *t)
{
    brz_tag_desc tag = {.flags = t->thread >= 0 ? BRZ_TAG_THREAD : 0};
    uint32_t name = PAIR_MISS;
    if (t->thread >= 0) {
        tag.thread = t->thread;
        name = pair_map_find(&h->threads, (uint64_t)t->thread, 0);
    }
    if (name != PAIR_MISS)
        tag.thread_name = h->names[name];
    dump_tag(&h->dump, &tag);
}

static void push_trace(hprof *h, uint32_t index)
{
    dump *d = &h->dump;
    const trace *t = &h->traces[index];
    brz_frame_desc unknown = {.kind = BRZ_KIND_USER};
    brz_path_cut(d->stacks.path, 0);
    for (size_t i = 0; i < t->n; i++)
        brz_path_push(d->stacks.path, d->ctx, h->frames.ids[t->first + i]);
    if (t->n == 0)
        brz_path_push(d->stacks.path, d->ctx, dump_frame(d, &unknown));
    set_tag(h, t);
}

static brz_rc count(hprof *h, uint32_t column, int64_t value)
{
    uint32_t weight = column_of(h, column);
    return value == 0 ? BRZ_OK : brz_stacks_count(&h->dump.stacks, h->dump.ctx, weight, value);
}

/* Counts the sites of the last table, and forgets them. */
static brz_rc count_sites(hprof *h)
{
    brz_rc rc = BRZ_OK;
    for (size_t i = 0; i < h->n_sites && rc == BRZ_OK; i++) {
        push_trace(h, h->sites[i].trace);
        brz_stacks_begin_sample(&h->dump.stacks);
        for (uint32_t k = 0; k < 4 && rc == BRZ_OK; k++)
            rc = count(h, LIVE + k, h->sites[i].values[k]);
        brz_stacks_end_sample(&h->dump.stacks);
    }
    h->n_sites = 0;
    return rc;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static bool take_count(brz_str *line, int64_t *value)
{
    uint64_t n;
    if (dump_take_blanks(line) == 0 || !brz_take_u64(line, &n) || n > INT64_MAX)
        return false;
    *value = (int64_t)n;
    return true;
}

/* Removes a percentage, in hundredths of a percent. */
static bool take_percent(brz_str *line, int64_t *value)
{
    decimal number;
    dump_take_blanks(line);
    return decimal_take(line, true, &number) && decimal_scale(&number, 2, value) &&
           brz_str_take(line, "%");
}

/* The numbers in front of a row: its place in the table, its share, and that of all rows so far. */
typedef struct shares {
    uint64_t rank;
    int64_t self, accum;
} shares;

static bool take_shares(brz_str *line, shares *s)
{
    dump_take_blanks(line);
    return brz_take_u64(line, &s->rank) && take_percent(line, &s->self) &&
           take_percent(line, &s->accum);
}

/* Reports a row at the end of a name or of titles, which have no percentages. */
static void check_end(hprof *h, brz_str text)
{
    if (text.len > 0 && memchr(text.data, '%', text.len) != NULL)
        leave_out(h, text, BRZ_STR("a row that follows another one in its line: left out"));
}

/* Returns the index of a trace that a row names. An unknown one becomes a trace of the method. */
static bool take_trace(hprof *h, brz_str line, bool is_method, uint32_t *index)
{
    int64_t number;
    if (!take_count(&line, &number))
        return false;
    check_end(h, line);
    *index = pair_map_find(&h->indices, (uint64_t)number, 0);
    if (*index != PAIR_MISS)
        return true;
    h->number = (uint64_t)number;
    h->current = (trace){.first = h->frames.n, .thread = -1};
    line = brz_trim(line);
    if (is_method && line.len > 0)
        read_frame(h, line);
    section before = h->section;
    end_trace(h);
    h->section = before;
    h->dump.n_incomplete++;
    *index = (uint32_t)h->n_traces - 1;
    return true;
}

/* Returns the part of the total, rounded to the nearest. */
static bool part_of(uint64_t total, int64_t percent, int64_t *value)
{
    int64_t product;
    if (total > INT64_MAX || __builtin_mul_overflow((int64_t)total, percent, &product) ||
        product > INT64_MAX - PERCENT_WHOLE)
        return false;
    *value = (product + PERCENT_WHOLE / 2) / PERCENT_WHOLE;
    return true;
}

/* Returns the column of a table with a row for each trace. */
static uint32_t column_of_table(const hprof *h)
{
    return h->section == TIME_TABLE ? TIME : h->section == LOCK_TABLE ? LOCK_TIME : SAMPLES;
}

/* Reports rows that are missing, with the part of the total that the row after them shows. A table
 * of samples has a sum that is exact. */
static void check_rank(hprof *h, const shares *s, brz_str line)
{
    static const brz_str msg = {"rows in front of this one are missing", 37};
    int64_t missing = 0, gap = 0;
    if (s->accum > h->last_accum && s->accum - h->last_accum > s->self)
        gap = s->accum - h->last_accum - s->self;
    bool is_gap = h->last_rank != UINT64_MAX && s->rank > h->last_rank + 1;
    h->last_rank = s->rank;
    h->last_accum = s->accum;
    if (!is_gap)
        return;
    bool is_timed = h->section == TIME_TABLE || h->section == LOCK_TABLE;
    if (is_timed && gap > 0 && part_of(h->total, gap, &missing)) {
        brz_report_lost_weight(h->dump.ctx, "hprof.rank", line.data, line.len, msg,
                               weight_of(h, column_of_table(h), missing));
    } else if (h->total == 0) {
        brz_report_lost(h->dump.ctx, "hprof.rank", line.data, line.len, msg);
    }
}

static void add_to_sum(hprof *h, int64_t value)
{
    if (__builtin_add_overflow(h->sum, value, &h->sum))
        h->sum = INT64_MAX;
}

/* Returns the count of a row that has no trace. Its share of the total tells the count if another
 * number stands in its place, such as that of the trace. */
static int64_t count_of_share(const hprof *h, const shares *s, int64_t n)
{
    int64_t part = 0;
    if (h->total <= 0 || !part_of(h->total, s->self, &part))
        return n;
    uint64_t off = (uint64_t)(n > part ? n - part : part - n);
    return off > h->total / 10000 + 1 ? part : n;
}

/* Reports a row that has no trace. */
static void leave_out_row(hprof *h, brz_str line, bool is_weighed, int64_t weight)
{
    static const brz_str msg = {"not a row of the table: left out", 32};
    if (!is_weighed) {
        leave_out(h, line, msg);
        return;
    }
    add_to_sum(h, weight);
    weight = weight_of(h, column_of_table(h), weight);
    brz_report_lost_weight(h->dump.ctx, "hprof.line", line.data, line.len, msg, weight);
}

static brz_rc read_row(hprof *h, section table, brz_str line)
{
    brz_str rest = line;
    int64_t n = 0, time = 0;
    shares s = {0};
    uint32_t index;
    bool timed = table != SAMPLE_TABLE;
    bool is_weighed = take_shares(&rest, &s) && take_count(&rest, &n) &&
                      (!timed || (h->total > 0 && part_of(h->total, s.self, &time)));
    if (is_weighed)
        check_rank(h, &s, line);
    if (!is_weighed || !take_trace(h, rest, table != LOCK_TABLE, &index)) {
        leave_out_row(h, line, is_weighed, timed ? time : count_of_share(h, &s, n));
        return BRZ_OK;
    }
    add_to_sum(h, timed ? time : n);
    push_trace(h, index);
    h->n_rounded += timed;
    if (!timed)
        return count(h, SAMPLES, n);
    brz_rc rc = count(h, table == TIME_TABLE ? TIME : LOCK_TIME, time);
    return rc == BRZ_OK ? count(h, table == TIME_TABLE ? CALLS : LOCKS, n) : rc;
}

static void read_site(hprof *h, brz_str line)
{
    brz_str rest = line;
    shares of;
    site s = {0};
    bool good = take_shares(&rest, &of);
    for (size_t k = 0; k < 4; k++)
        good = good && take_count(&rest, &s.values[k]);
    if (good)
        check_rank(h, &of, line);
    if (!good || !take_trace(h, rest, false, &s.trace)) {
        leave_out(h, line, BRZ_STR("not a row of the table: left out"));
        return;
    }
    h->sites = brz_list_room(h->dump.ctx, h->sites, h->n_sites, &h->sites_cap, sizeof *h->sites);
    h->sites[h->n_sites++] = s;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static const struct {
    const char *title;
    section section;
} titles[] = {
    {"CPU SAMPLES BEGIN", SAMPLE_TABLE}, {"CPU TIME (ms) BEGIN", TIME_TABLE},
    {"MONITOR TIME BEGIN", LOCK_TABLE},  {"SITES BEGIN", SITE_TABLE},
    {"HEAP DUMP BEGIN", OTHER},          {"MONITOR DUMP BEGIN", OTHER},
};

/* Reads "(total = 100)", which a table of times needs. */
static void read_total(hprof *h, brz_str line)
{
    size_t at = brz_str_find(line, BRZ_STR("= "), 0);
    brz_str number = at == SIZE_MAX ? brz_str_of(NULL, 0) : brz_str_from(line, at + 2);
    bool has_total = h->section != SITE_TABLE && h->section != OTHER;
    if (brz_take_u64(&number, &h->total) && h->total <= INT64_MAX &&
        (brz_starts_with(number, BRZ_STR(")")) || brz_starts_with(number, BRZ_STR(" ms)"))))
        return;
    h->total = 0;
    if (has_total)
        BRZ_WARN(h->dump.ctx, "hprof.total", line.data, line.len, "a table without its total");
}

/* Begins a table. Returns false for other lines. */
static bool begin_table(hprof *h, brz_str line)
{
    for (size_t i = 0; i < BRZ_COUNT_OF(titles); i++) {
        if (!brz_starts_with(line, brz_str_of_text(titles[i].title)))
            continue;
        end_table(h);
        h->section = titles[i].section;
        h->sum = h->last_accum = 0;
        h->last_rank = 0;
        read_total(h, line);
        if (h->section == SITE_TABLE)
            h->n_sites = 0;
        return true;
    }
    return false;
}

/* Reads a line that begins a record, in whatever section. Returns false for other lines. */
static bool begin_record(hprof *h, brz_str line)
{
    if (line.len == 0 || line.data[0] < 'C' || line.data[0] > 'T')
        return false;
    if (begin_table(h, line) || begin_trace(h, line))
        return true;
    if (!(brz_starts_with(line, BRZ_STR("THREAD START (")) && read_thread(h, line)) &&
        !brz_starts_with(line, BRZ_STR("THREAD END (")))
        return false;
    end_table(h);
    return true;
}

/* Recognises the end of a table, and the titles of its columns. */
static bool is_frame_of_table(hprof *h, brz_str line)
{
    brz_str text = brz_trim(line);
    if (brz_ends_with(line, BRZ_STR(" END")) && !brz_is_digit(*text.data)) {
        end_table(h);
        return true;
    }
    bool is_titles =
        brz_starts_with(text, BRZ_STR("rank ")) || brz_starts_with(text, BRZ_STR("percent "));
    if (is_titles)
        check_end(h, text);
    return is_titles || text.len == 0;
}

static brz_rc read_other_line(hprof *h, brz_str line)
{
    brz_str text = brz_trim(line);
    switch (h->section) {
    case TOP:
        if (text.len > 0)
            leave_out(h, line, BRZ_STR("not a record of hprof: left out"));
        return BRZ_OK;
    case PROSE:
        return BRZ_OK;
    case OTHER:
        is_frame_of_table(h, line);
        return BRZ_OK;
    default:
        break;
    }
    if (is_frame_of_table(h, line))
        return BRZ_OK;
    brz_rc rc = BRZ_OK;
    if (h->section != SITE_TABLE)
        rc = read_row(h, h->section, line);
    else
        read_site(h, line);
    if (brz_ends_with(line, BRZ_STR(" END"))) /* a row that lost its line end */
        end_table(h);
    return rc;
}

static brz_rc begin_file(hprof *h)
{
    end_table(h);
    brz_rc rc = count_sites(h);
    h->section = PROSE;
    h->n_traces = h->frames.n = h->n_names = 0;
    pair_map_reset(&h->indices, h->dump.ctx, 0);
    pair_map_reset(&h->threads, h->dump.ctx, 0);
    return rc;
}

/* Returns whether the second line of a heading follows other records: the first one is damaged. */
static bool is_second_heading(hprof *h, brz_str line)
{
    bool is = h->section == TOP && h->n_traces > 0 &&
              brz_starts_with(line, BRZ_STR("Header for -")) && brz_str_has(line, BRZ_STR("hprof"));
    if (is)
        BRZ_WARN(h->dump.ctx, "hprof.heading", line.data, line.len,
                 "another output begins without its first line");
    return is;
}

static brz_rc read_line(void *instance, brz_str line)
{
    hprof *h = instance;
    if (h->section == FRAMES) {
        if (line.len > 0 && brz_is_blank(*line.data) && brz_trim(line).len > 0) {
            read_frames(h, line);
            return BRZ_OK;
        }
        end_trace(h);
    }
    if (brz_starts_with(line, BRZ_STR("JAVA PROFILE ")) || is_second_heading(h, line))
        return begin_file(h);
    if (!begin_record(h, line))
        return read_other_line(h, line);
    if (h->section == FRAMES)
        read_joined_frame(h, line);
    return BRZ_OK;
}

static brz_rc finish(brz_ctx *ctx)
{
    hprof *h = ctx->inst;
    end_table(h);
    brz_rc rc = count_sites(h);
    brz_report_count(
        ctx, BRZ_NOTE, "hprof.rounded", h->n_rounded, 0,
        BRZ_STR("times that are exact only to a ten-thousandth of the total: {count}"));
    return rc == BRZ_OK ? dump_finish(ctx) : rc;
}

/* ---- plug-in --------------------------------------------------------------------------------- */

static bool is_sign(brz_str line)
{
    return brz_starts_with(line, BRZ_STR("THREAD START (obj=")) ||
           brz_starts_with(line, BRZ_STR("CPU SAMPLES BEGIN (total = ")) ||
           brz_starts_with(line, BRZ_STR("CPU TIME (ms) BEGIN (total = ")) ||
           brz_starts_with(line, BRZ_STR("SITES BEGIN (ordered by "));
}

static int32_t sniff(const brz_head *head)
{
    brz_str text = dump_head_lines(head), line;
    if (brz_block_line(&text, &line) && brz_starts_with(line, BRZ_STR("JAVA PROFILE 1.0")))
        return BRZ_SNIFF_HEADER;
    return dump_sniff_line(head, is_sign);
}

static brz_rc open_instance(brz_ctx *ctx)
{
    hprof *h = ctx->inst;
    pair_map_init(&h->indices, ctx);
    pair_map_init(&h->threads, ctx);
    return dump_open(ctx);
}

DUMP_PARSE_LINES(read_line, NULL)

static const brz_option option_table[] = {
    JAVA_PACKAGES_OPTION(options),
};

SHIPPED_READER(hprof, .open = open_instance, .finish = finish)

BRZ_HINTS(BRZ_IF_BEGINS("JAVA PROFILE 1.0") BRZ_IF_CONTAINS("THREAD START (obj=")
              BRZ_IF_CONTAINS("CPU SAMPLES BEGIN (total = ")
                  BRZ_IF_CONTAINS("CPU TIME (ms) BEGIN (total = ")
                      BRZ_IF_CONTAINS("SITES BEGIN (ordered by "))

SHIPPED_COLLAPSER("hprof", .summary = "text output of hprof, Java's old profiling agent",
                  .help =
                      "Record with `java -agentlib:hprof=cpu=samples,depth=30,thread=y PROGRAM`, "
                      "which Java 8 and older have. Tables of samples, times and calls, locks "
                      "and allocation sites are weights: see --weight.",
                  BRZ_OPTIONS(option_table, options))
