/* SPDX-License-Identifier: MIT */
/* Reads profiles in text form:
 *
 *     profile    := header line* [("--- Memory map: ---" | "MAPPED_LIBRARIES:") mapping*]
 *     header     := "heap profile: " n ": " n " [" n ": " n "] @ " kind ["/" rate]
 *                 | "--- contentionz " n " ---" | "--- mutex:" | "--- threadz " n " ---"
 *                 | name " profile: total " n | "heap_v2/" rate
 *     heap       := n ": " bytes " [" n ": " bytes "] @" address*
 *     contention := cycles n "@" address* | key "=" value
 *     thread     := "--- Thread " id " (name: " name "/" number ") stack: ---" address-line*
 *     count      := n "@" address*
 *     jemalloc   := "@" address* | "t" ("*" | n) ": " n ": " bytes " [" n ": " bytes "]"
 *
 * Allocations are those of a sample: their numbers are scaled as the rate demands. The numbers in a
 * header are the sums of those of the stacks, and tell what is missing.
 */
#include "legacy.h"

#include <brazier/symbol.h>
#include <brazier/text/pieces.h>

#include "legacy_words.h"

typedef enum form { NO_FORM, HEAP, JEMALLOC, GROWTH, CONTENTION, THREADS, COUNTS } form;

/* Numbers of objects and bytes; of counts, the first one is 0. */
typedef struct sums {
    int64_t objects, bytes;
} sums;

typedef struct header {
    form form;
    bool has_total;
    sums total;     /* in use */
    uint64_t rate;  /* of a heap: average number of bytes between samples; 0: every allocation */
    bool has_freed; /* a heap profile has separate values for memory in use and memory allocated */
    brz_str name;   /* of counts */
} header;

typedef struct reader {
    legacy *to;
    header header;
    sums sum;        /* of the samples so far, and of those whose numbers have been reported */
    bool is_joined;  /* a line has another sample after its own */
    uint64_t cycles; /* of contention: cycles per second; 0: times are nanoseconds */
    uint64_t period; /* of contention: number of events per sample */
    bool in_thread, has_same, has_last;
    bool skips;            /* the lines of a thread that has been left out */
    brz_str stack;         /* of jemalloc: the line of addresses, until its numbers follow */
    brz_str thread;        /* the line that begins the thread */
    brz_stacks_entry last; /* stack of the last thread */
    uint64_t leaf;         /* address of the thread's leaf */
    size_t n_addresses;    /* of the thread so far */
} reader;

/* ---- header -------------------------------------------------------------------------------- */

/* Takes "n: bytes [n: bytes]". */
static bool take_numbers(brz_str *line, int64_t n[4])
{
    return legacy_take_signed(line, &n[0]) && legacy_take(line, ": ") &&
           legacy_take_signed(line, &n[1]) && brz_starts_with(*line, BRZ_STR(" ")) &&
           legacy_take(line, "[") && legacy_take_signed(line, &n[2]) && legacy_take(line, ": ") &&
           legacy_take_signed(line, &n[3]) && legacy_take(line, "]");
}

/* Takes "n: bytes [n: bytes] @". */
static bool take_heap_numbers(brz_str *line, int64_t n[4])
{
    return take_numbers(line, n) && legacy_take(line, "@");
}

/* Reads the kind of a heap profile and its rate. Go states twice the rate. */
static bool read_kind(brz_str kind, header *h)
{
    brz_str name = kind, rate = BRZ_STR("");
    brz_cut_first(kind, '/', &name, &rate);
    bool twice = brz_str_equal(name, BRZ_STR("heap"));
    bool sampled = twice || brz_ends_with(name, BRZ_STR("_v2"));
    if (brz_starts_with(name, BRZ_STR("growth")) || brz_starts_with(name, BRZ_STR("fragmentation")))
        h->form = GROWTH;
    if (!brz_starts_with(name, BRZ_STR("heap")))
        return h->form == GROWTH;
    h->form = HEAP;
    if (sampled && rate.len > 0 && !legacy_take_decimal(&rate, &h->rate))
        return false;
    h->rate /= twice ? 2 : 1;
    return true;
}

static bool read_heap_header(brz_str line, header *h)
{
    int64_t n[4];
    if (!legacy_take(&line, "heap profile:") || !take_heap_numbers(&line, n))
        return false;
    h->has_total = true;
    h->total = (sums){n[0], n[1]};
    h->has_freed = (n[2] != 0 && n[0] != n[2]) || (n[3] != 0 && n[1] != n[3]);
    return read_kind(brz_trim(line), h);
}

/* Reads jemalloc's "heap_v2/524288". */
static bool read_jemalloc_header(brz_str line, header *h)
{
    h->form = JEMALLOC;
    return legacy_take(&line, "heap_v2/") && legacy_take_decimal(&line, &h->rate) &&
           brz_trim(line).len == 0;
}

/* Reads "threadcreate profile: total 7". */
static bool read_count_header(brz_str line, header *h)
{
    brz_str rest;
    uint64_t total;
    if (!brz_cut_first(line, ' ', &h->name, &rest) || h->name.len == 0)
        return false;
    h->form = COUNTS;
    if (!legacy_take(&rest, "profile: total") || !legacy_take_decimal(&rest, &total) ||
        brz_trim(rest).len > 0)
        return false;
    h->has_total = true;
    h->total = (sums){0, (int64_t)total};
    return true;
}

static bool read_header(brz_str line, header *h)
{
    *h = (header){0};
    line = brz_trim(line);
    if (brz_starts_with(line, BRZ_STR("--- contention")) ||
        brz_starts_with(line, BRZ_STR("--- mutex:")))
        h->form = CONTENTION;
    else if (brz_starts_with(line, BRZ_STR("--- thread")) ||
             brz_starts_with(line, BRZ_STR("--- Thread")))
        h->form = THREADS;
    return h->form != NO_FORM || read_heap_header(line, h) || read_jemalloc_header(line, h) ||
           read_count_header(line, h);
}

/* Takes the first line that is not blank. */
static bool take_first_line(brz_str *text, brz_str *line)
{
    while (brz_take_line(text, line))
        if (brz_trim(*line).len > 0)
            return true;
    return false;
}

int32_t legacy_text_sniff(brz_str text)
{
    header h;
    brz_str line;
    return take_first_line(&text, &line) && read_header(line, &h) ? BRZ_SNIFF_HEADER : BRZ_SNIFF_NO;
}

bool legacy_text_begins(brz_str line)
{
    header h;
    return !brz_starts_with(line, BRZ_STR("--- Thread ")) && read_header(line, &h);
}

/* ---- columns ------------------------------------------------------------------------------- */

static void declare(reader *r)
{
    static const char *const heap[][2] = {{"alloc_objects", "count"},
                                          {"alloc_space", "bytes"},
                                          {"inuse_objects", "count"},
                                          {"inuse_space", "bytes"}};
    static const char *const growth[][2] = {{"objects", "count"}, {"space", "bytes"}};
    static const char *const contention[][2] = {{"contentions", "count"}, {"delay", "nanoseconds"}};
    static const char *const thread[][2] = {{"thread", "count"}};
    char name[64];
    const char *const counts[][2] = {{name, "count"}};
    size_t n = r->header.name.len < sizeof name - 1 ? r->header.name.len : sizeof name - 1;
    memcpy(name, r->header.name.data != NULL ? r->header.name.data : "", n);
    name[n] = '\0';
    switch (r->header.form) {
    case HEAP:
    case JEMALLOC:
        if (r->header.has_freed)
            legacy_declare(r->to, heap, 4);
        else
            legacy_declare(r->to, growth, 2);
        break;
    case GROWTH:
        legacy_declare(r->to, growth, 2);
        break;
    case CONTENTION:
        legacy_declare(r->to, contention, 2);
        break;
    case THREADS:
        legacy_declare(r->to, thread, 1);
        break;
    default:
        legacy_declare(r->to, counts, 1);
    }
}

/* ---- lines --------------------------------------------------------------------------------- */

static void add(int64_t *sum, int64_t value)
{
    if (__builtin_add_overflow(*sum, value, sum))
        *sum = value > 0 ? INT64_MAX : INT64_MIN;
}

static void add_sums(reader *r, int64_t objects, int64_t bytes)
{
    add(&r->sum.objects, objects);
    add(&r->sum.bytes, bytes);
}

/* Reports a sample whose numbers are known, but not its stack. */
static bool leave_out(reader *r, brz_str line, sums of)
{
    int64_t values[2];
    legacy_scale(r->header.rate, of.objects, of.bytes, values);
    brz_report_lost_weight(r->to->ctx, "pprof.line", line.data, line.len,
                           BRZ_STR("not the stack of a sample: left out"), values[1]);
    return true;
}

/* Reports a line. The total in the header tells what it weighs. */
static void leave_out_line(const reader *r, brz_str line)
{
    static const brz_str msg = {"not a sample: left out", 22};
    if (r->header.has_total || r->in_thread)
        brz_report_lost_weight(r->to->ctx, "pprof.line", line.data, line.len, msg, 0);
    else
        brz_report_lost(r->to->ctx, "pprof.line", line.data, line.len, msg);
}

/* Compares the sums of the samples with the header's. */
static void check_total(const reader *r)
{
    int64_t values[2];
    const sums *total = &r->header.total, *sum = &r->sum;
    sums missing;
    if (!r->header.has_total || __builtin_sub_overflow(total->bytes, sum->bytes, &missing.bytes) ||
        __builtin_sub_overflow(total->objects, sum->objects, &missing.objects) ||
        (missing.bytes <= 0 && !r->is_joined) || missing.bytes == 0)
        return;
    legacy_scale(r->header.rate, missing.objects, missing.bytes, values);
    brz_report_lost_weight(r->to->ctx, "pprof.total", NULL, 0,
                           BRZ_STR("samples are missing: the sum is not the header's"), values[1]);
}

static bool read_heap(reader *r, brz_str line, brz_rc *rc)
{
    int64_t n[4];
    int64_t values[LEGACY_WEIGHTS];
    size_t in_use = r->to->n_columns - 2;
    brz_str whole = line;
    if (!take_heap_numbers(&line, n))
        return false;
    add_sums(r, n[0], n[1]);
    if (!legacy_push_calls(r->to, line)) {
        r->is_joined |= brz_str_find(line, BRZ_STR(" @ "), 0) != SIZE_MAX;
        return leave_out(r, whole, (sums){n[0], n[1]});
    }
    legacy_scale(r->header.rate, n[2], n[3], values);
    legacy_scale(r->header.rate, n[0], n[1], values + in_use);
    *rc = legacy_count(r->to, values);
    return true;
}

/* ---- jemalloc ------------------------------------------------------------------------------ */

/* Takes the "t*:" of numbers of all threads. */
static bool take_all_threads(brz_str *line)
{
    return legacy_take(line, "t*:");
}

/* Learns from the first line whether jemalloc counted freed memory, too. */
static void read_totals(reader *r, brz_str text)
{
    int64_t n[4];
    brz_str line;
    if (!brz_take_line(&text, &line) || !take_all_threads(&line) || !take_numbers(&line, n))
        return;
    r->header.has_freed = n[2] != 0 || n[3] != 0;
    r->header.has_total = true;
    r->header.total = (sums){n[0], n[1]};
}

/* Reports a stack of jemalloc that no numbers followed. */
static void end_stack(reader *r)
{
    static const brz_str msg = {"a stack without the numbers of all threads: left out", 52};
    if (r->stack.len > 0 && r->header.has_total)
        brz_report_lost_weight(r->to->ctx, "pprof.stack", r->stack.data, r->stack.len, msg, 0);
    else if (r->stack.len > 0)
        brz_report_lost(r->to->ctx, "pprof.stack", r->stack.data, r->stack.len, msg);
    r->stack.len = 0;
}

static bool read_jemalloc(reader *r, brz_str line, brz_rc *rc)
{
    uint64_t thread;
    int64_t n[4];
    int64_t values[LEGACY_WEIGHTS];
    brz_str stack = line;
    if (legacy_take(&line, "@")) {
        end_stack(r);
        if (!legacy_push_calls(r->to, line))
            return false;
        r->stack = stack;
        return true;
    }
    bool all = take_all_threads(&line);
    if (!all && (!legacy_take(&line, "t") || !legacy_take_decimal(&line, &thread) ||
                 !legacy_take(&line, ":")))
        return false;
    bool is_of_stack = all && r->stack.len > 0;
    r->stack.len = all ? 0 : r->stack.len;
    if (!take_numbers(&line, n))
        return false;
    if (!is_of_stack)
        return true; /* the numbers of one thread, or of all stacks */
    add_sums(r, n[0], n[1]);
    legacy_scale(r->header.rate, n[2], n[3], values);
    legacy_scale(r->header.rate, n[0], n[1], values + r->to->n_columns - 2);
    *rc = legacy_count(r->to, values);
    return true;
}

/* ---- contention and counts ----------------------------------------------------------------- */

/* Reads "cycles/second = 3201000000". */
static bool read_attribute(reader *r, brz_str line)
{
    brz_str key, value;
    uint64_t number;
    if (!brz_cut_first(line, '=', &key, &value))
        return false;
    key = brz_trim(key);
    if (!brz_str_equal(key, BRZ_STR("cycles/second")) &&
        !brz_str_equal(key, BRZ_STR("sampling period")))
        return true;
    if (!legacy_take_decimal(&value, &number))
        return false;
    *(key.data[0] == 'c' ? &r->cycles : &r->period) = number;
    return true;
}

static bool read_contention(reader *r, brz_str line, brz_rc *rc)
{
    uint64_t delay, count;
    int64_t values[2];
    if (read_attribute(r, line))
        return true;
    if (!legacy_take_decimal(&line, &delay) || !legacy_take_decimal(&line, &count) ||
        !legacy_take_at(&line) || !legacy_push_calls(r->to, line))
        return false;
    uint64_t period = r->period > 0 ? r->period : 1;
    double gigahertz = r->cycles > 0 ? (double)r->cycles / 1e9 : 1;
    values[0] = legacy_integer((double)count * (double)period);
    values[1] = legacy_integer((double)delay * (double)period / gigahertz);
    *rc = legacy_count(r->to, values);
    return true;
}

static bool read_count(reader *r, brz_str line, brz_rc *rc)
{
    uint64_t count;
    brz_str whole = line;
    if (!legacy_take_decimal(&line, &count) || !legacy_take_at(&line))
        return false;
    add_sums(r, 0, (int64_t)count);
    if (!legacy_push_calls(r->to, line))
        return leave_out(r, whole, (sums){0, (int64_t)count});
    const int64_t value = (int64_t)count;
    *rc = legacy_count(r->to, &value);
    return true;
}

/* ---- threads ------------------------------------------------------------------------------- */

/* Sets the tag of a thread: "--- Thread 7f794964e700 (name: thread1/14751) stack: ---". */
static void set_tag(reader *r, brz_str line)
{
    brz_tag_desc d = {.struct_size = sizeof d, .flags = BRZ_TAG_THREAD};
    size_t name = brz_str_find(line, BRZ_STR("(name: "), 0);
    size_t end = brz_str_find(line, BRZ_STR(") stack"), 0);
    brz_str number, both;
    uint64_t id;
    brz_stacks_place(&r->to->stacks, BRZ_NO_TAG, 0, 0);
    if (!(r->to->ctx->flags & BRZ_CTX_WANTS_TAGS) || name == SIZE_MAX || end == SIZE_MAX ||
        end < name + 7)
        return;
    both = brz_str_of(line.data + name + 7, end - name - 7);
    if (!brz_cut_last(both, '/', &d.thread_name, &number) || !legacy_take_decimal(&number, &id))
        return;
    d.thread = (int64_t)id;
    brz_stacks_place(&r->to->stacks, r->to->ctx->host->tag(r->to->ctx, &d), 0, 0);
}

static brz_rc end_thread(reader *r)
{
    legacy *l = r->to;
    bool in_thread = r->in_thread;
    r->in_thread = false;
    if (!in_thread)
        return BRZ_OK;
    if (l->stacks.path->n > 0) {
        r->last = *brz_stacks_entry_of(&l->stacks, l->ctx, 0);
        r->last.column = l->columns[0];
        r->has_last = true;
    } else if (!r->has_same || !r->has_last) {
        brz_report_lost_weight(l->ctx, "pprof.thread", r->thread.data, r->thread.len,
                               BRZ_STR("a thread without a stack: left out"), 1);
        return BRZ_OK;
    }
    brz_path_cut(l->stacks.path, 0);
    return brz_stacks_send(&l->stacks, l->ctx, &r->last, 1);
}

/* Appends the frame of an address. The leaf follows no call; programs that find it in two ways
 * repeat it. */
static void push_thread_address(reader *r, uint64_t address)
{
    size_t n = r->n_addresses++;
    if (n == 0)
        legacy_push(r->to, r->leaf = address);
    else if (n > 1 || address != r->leaf)
        legacy_push_call(r->to, address);
}

/* Reports a thread in the lines of another one, and skips its lines. */
static void leave_out_thread(reader *r, brz_str line, brz_str msg)
{
    if (!r->skips)
        brz_report_lost_weight(r->to->ctx, "pprof.thread", line.data, line.len, msg, 1);
    r->skips = true;
}

/* Looks for a thread that begins after the name of a function, in the same line. */
static void check_name(reader *r, brz_str name)
{
    size_t at = brz_str_find(name, BRZ_STR("--- Thread "), 0);
    if (at != SIZE_MAX)
        leave_out_thread(r, brz_str_from(name, at),
                         BRZ_STR("a thread that begins within a line: left out"));
}

/* Finds the addresses of the thread that began this one after the name of a function: the line end
 * between them is damaged. */
static bool take_creator(const reader *r, brz_str *name)
{
    static const brz_str mark = {" creator: 0x", 12};
    size_t at = brz_str_find(*name, mark, 0);
    if (at == SIZE_MAX)
        return false;
    BRZ_WARN(r->to->ctx, "pprof.joined", name->data, name->len,
             "several functions on one line: divided");
    *name = brz_str_from(*name, at + mark.len - 2);
    return true;
}

/* Finds another address and name after the name of a function: the line end between them is
 * damaged.
 */
static bool take_second(const reader *r, brz_str *name)
{
    size_t at = brz_str_find(*name, BRZ_STR(" 0x"), 0);
    uint64_t address;
    if (at == SIZE_MAX)
        return false;
    brz_str rest = brz_str_from(*name, at);
    if (!legacy_take(&rest, "0x") || !legacy_take_hex(&rest, &address) ||
        !brz_starts_with(rest, BRZ_STR(":")))
        return false;
    BRZ_WARN(r->to->ctx, "pprof.joined", name->data, name->len,
             "several functions on one line: divided");
    *name = brz_str_from(*name, at);
    return true;
}

/* Appends the frames of "PC: 0x1 0x2", or of "0x3: name". */
static bool push_thread_addresses(reader *r, brz_str line)
{
    uint64_t address;
    bool begins = legacy_take(&line, "PC:");
    bool is_checked = false, any = begins || legacy_take(&line, "creator:");
    if (begins && r->n_addresses > 0)
        leave_out_thread(r, line, BRZ_STR("a thread without its first line: left out"));
    if (r->skips)
        return true;
    while (legacy_take(&line, "0x") && legacy_take_hex(&line, &address)) {
        push_thread_address(r, address);
        any = true;
        if (legacy_take(&line, ":")) {
            if (!is_checked) /* the rest of the line */
                check_name(r, line);
            is_checked = true;
            if (!take_second(r, &line) && !take_creator(r, &line))
                return true;
        }
    }
    return any && brz_trim(line).len == 0;
}

static bool read_thread(reader *r, brz_str line, brz_rc *rc)
{
    if (brz_starts_with(line, BRZ_STR("--- Thread "))) {
        *rc = end_thread(r);
        r->in_thread = true;
        r->thread = line;
        r->has_same = r->skips = false;
        r->n_addresses = 0;
        set_tag(r, line);
        return true;
    }
    if (!r->in_thread)
        return false;
    if (brz_starts_with(line, BRZ_STR("[same as previous thread]"))) {
        if (r->n_addresses > 0 || r->has_same)
            leave_out_thread(r, line, BRZ_STR("a thread without its first line: left out"));
        return r->has_same = true;
    }
    return push_thread_addresses(r, line);
}

/* ---- the profile --------------------------------------------------------------------------- */

static bool read_line(reader *r, brz_str line, brz_rc *rc)
{
    switch (r->header.form) {
    case CONTENTION:
        return read_contention(r, line, rc);
    case THREADS:
        return read_thread(r, line, rc);
    case COUNTS:
        return read_count(r, line, rc);
    case JEMALLOC:
        return read_jemalloc(r, line, rc);
    default:
        return read_heap(r, line, rc);
    }
}

/* Returns whether the line begins the list of mappings. */
static bool begins_mappings(brz_str line)
{
    return brz_starts_with(line, BRZ_STR("--- Memory map:")) ||
           brz_starts_with(line, BRZ_STR("MAPPED_LIBRARIES:"));
}

/* Divides the text at the line that begins the list of mappings. */
static void divide(brz_str text, brz_str *samples, brz_str *rest)
{
    brz_str line;
    *samples = *rest = text;
    while (brz_take_line(rest, &line))
        if (begins_mappings(line)) {
            samples->len = (size_t)(line.data - text.data);
            return;
        }
}

static brz_rc read_samples(reader *r, brz_str text)
{
    brz_rc rc = BRZ_OK;
    brz_str line;
    while (rc == BRZ_OK && brz_take_line(&text, &line)) {
        line = brz_trim(line);
        if (line.len > 0 && !legacy_is_comment(line) && !read_line(r, line, &rc))
            leave_out_line(r, line);
    }
    end_stack(r);
    check_total(r);
    return rc == BRZ_OK ? end_thread(r) : rc;
}

static bool is_sample(brz_str line)
{
    int64_t n[4];
    uint64_t number;
    brz_str heap = line;
    if (take_heap_numbers(&heap, n) || brz_starts_with(line, BRZ_STR("--- Thread ")))
        return true;
    if (!legacy_take_decimal(&line, &number))
        return false;
    legacy_take_decimal(&line, &number);
    return legacy_take(&line, "@");
}

/* Reports the samples after the mappings, whose header is damaged. */
static void report_samples(legacy *l, brz_str mappings)
{
    brz_str line;
    while (brz_take_line(&mappings, &line))
        if (is_sample(brz_trim(line)))
            brz_report_lost(l->ctx, "pprof.mappings", line.data, line.len,
                            BRZ_STR("a sample after the mappings, without a header: left out"));
}

brz_rc legacy_text_read(legacy *l, brz_str text)
{
    reader r = {.to = l};
    brz_str line, samples, rest, all = text;
    if (!take_first_line(&text, &line) || !read_header(line, &r.header))
        return BRZ_ERROR;
    if (brz_starts_with(line, BRZ_STR("--- Thread ")))
        text = all;
    read_totals(&r, text);
    declare(&r);
    divide(text, &samples, &rest);
    if (r.header.form != THREADS)
        legacy_places_read(&l->places, l->ctx, samples);
    legacy_places_read(&l->places, l->ctx, rest);
    report_samples(l, rest);
    legacy_places_check_end(l->ctx, all);
    legacy_places_sort(&l->places);
    brz_rc rc = read_samples(&r, samples);
    return rc == BRZ_OK ? brz_stacks_flush(&l->stacks, l->ctx) : rc;
}
