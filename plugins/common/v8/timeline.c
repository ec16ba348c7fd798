/* SPDX-License-Identifier: MIT */
/* Counts the samples of V8's CPU profiles. A sample lasts until the next one. */
#include "timeline.h"

#include "../json/text.h"

/* The samples being read. */
typedef struct reading {
    const timeline *t;
    brz_ctx *ctx;
    tree *nodes;
    column *time;
    uint32_t count; /* weight of the number of samples */
    size_t part;    /* index of the next part */
    cursor samples, times;
    amount now, last; /* time of the sample that was read last, and of the latest one */
    brz_str id;       /* node of the sample that was read last, as written */
    uint32_t node;    /* its index, or NO_NODE */
    brz_str unread;   /* text of the last sample in place of a time; empty: it is a time */
    bool has_clock;   /* a time is known */
    size_t surplus;   /* times that no sample has */
    uint64_t untimed, backwards;
} reading;

void timeline_add(timeline *t, brz_ctx *ctx, const timeline_part *part)
{
    t->parts = brz_list_room(ctx, t->parts, t->n, &t->cap, sizeof *part);
    t->parts[t->n++] = *part;
}

/* ---- arrays -------------------------------------------------------------------------------- */

static void begin_array(cursor *c, brz_ctx *ctx, brz_str array)
{
    cursor_start(c, ctx, array);
    cursor_next(c);
}

static size_t count_elements(brz_ctx *ctx, brz_str array)
{
    cursor c;
    size_t n = 0;
    begin_array(&c, ctx, array);
    for (; cursor_element(&c); n++)
        cursor_skip(&c);
    return n;
}

bool timeline_has_elements(brz_ctx *ctx, brz_str array)
{
    cursor c;
    begin_array(&c, ctx, array);
    return array.len > 0 && cursor_element(&c);
}

void timeline_measure(timeline *t, brz_ctx *ctx)
{
    for (size_t i = 0; i < t->n; i++) {
        t->n_samples += count_elements(ctx, t->parts[i].samples);
        t->n_times += count_elements(ctx, t->parts[i].times);
    }
    t->has_times = t->n_samples > 1 && t->n_times > 1;
}

/* Reads the next sample. Returns false at the end. */
static bool next_sample(reading *r)
{
    while (!cursor_element(&r->samples)) {
        if (r->part == r->t->n)
            return false;
        const timeline_part *part = &r->t->parts[r->part++];
        begin_array(&r->samples, r->ctx, part->samples);
        begin_array(&r->times, r->ctx, part->times);
        if (r->t->absolute && r->t->n_times > r->t->n_samples && cursor_element(&r->times))
            cursor_skip(&r->times); /* the first time is that at which the recording began */
    }
    return true;
}

/* ---- samples ------------------------------------------------------------------------------- */

static brz_rc refine(reading *r, uint32_t decimals)
{
    brz_rc rc = column_refine(r->time, r->ctx, &r->nodes->stacks, decimals);
    decimals = r->time->decimals;
    r->now = (amount){amount_in(r->now, decimals), decimals};
    r->last = (amount){amount_in(r->last, decimals), decimals};
    return rc;
}

/* Reports that it is unknown how long samples lasted beside one without a time. */
static void report_unread(reading *r)
{
    if (r->unread.len > 0)
        brz_report_lost(r->ctx, "cpuprofile.time", r->unread.data, r->unread.len,
                        BRZ_STR("not a number, or too large: the sample has no duration"));
    r->unread.len = 0;
}

/* Sets the time of the next sample. Those before it have no duration if none of them has a time. */
static void set_clock(reading *r, int64_t value)
{
    r->now.value = value;
    if (!r->has_clock && r->unread.len > 0) {
        r->last = r->now;
        report_unread(r);
    }
    r->has_clock = true;
}

/* Handles a time that is not a number. Without a delta, what passed is unknown. Without a time, it
 * is known together with what passes until the next one. */
static void miss_time(reading *r, brz_str text)
{
    if (r->t->absolute && r->unread.len == 0) {
        r->unread = text;
        return;
    }
    brz_report_lost(r->ctx, "cpuprofile.time", text.data, text.len,
                    BRZ_STR("not a number, or too large: taken for 0"));
    if (r->now.value < r->last.value)
        r->now = r->last;
}

/* Reads the time of the next sample. A time that is missing is that of the sample before. */
static brz_rc read_time(reading *r)
{
    amount a;
    brz_json_token t;
    if (!r->t->has_times)
        return BRZ_OK;
    if (!cursor_element(&r->times)) {
        r->untimed++;
        return BRZ_OK;
    }
    t = r->times.token;
    cursor_skip(&r->times);
    if (!column_read(r->time, r->ctx, &t, &a)) {
        miss_time(r, t.text);
        return BRZ_OK;
    }
    brz_rc rc = refine(r, a.decimals);
    int64_t value = amount_in(a, r->time->decimals);
    if (r->t->absolute)
        set_clock(r, value);
    else
        brz_stacks_sum(&r->nodes->stacks, &r->now.value, value);
    return rc;
}

/* Converts a time to nanoseconds. */
static int64_t nanoseconds(amount a)
{
    int64_t value = amount_in(a, 3);
    for (uint32_t d = a.decimals; d > 3; d--)
        value /= 10;
    return value;
}

/* Reports a sample whose node is unknown. */
static void leave_out(const reading *r, int64_t lasted)
{
    brz_str message = BRZ_STR("not the id of a node: the sample is left out");
    int64_t weight = !r->t->has_times ? 1 : lasted > 0 ? lasted : 0;
    if (r->t->has_times || r->count == 0)
        brz_report_lost_weight(r->ctx, "cpuprofile.sample", r->id.data, r->id.len, message, weight);
    else
        brz_report_lost(r->ctx, "cpuprofile.sample", r->id.data, r->id.len, message);
}

/* Returns how long the sample that was read last lasted. Reports what passed since the last known
 * time if its own is unknown. */
static int64_t take_duration(reading *r)
{
    int64_t lasted = time_passed(r->last.value, r->now.value);
    if (r->unread.len == 0)
        return lasted;
    if (lasted <= 0)
        return 0;
    brz_report_lost_weight(r->ctx, "cpuprofile.time", r->unread.data, r->unread.len,
                           BRZ_STR("not a number, or too large: the time of the samples before and "
                                   "after it is left out"),
                           lasted);
    r->unread.len = 0;
    r->last = r->now;
    return 0;
}

/* Counts the sample that was read last; it ends now. */
static brz_rc end_sample(reading *r)
{
    int64_t lasted = take_duration(r);
    r->backwards += lasted < 0;
    brz_rc rc = BRZ_OK;
    brz_stacks_place(&r->nodes->stacks, r->t->tag, r->t->has_times ? BRZ_TIMED : 0,
                     r->t->has_times ? nanoseconds(r->last) : 0);
    if (r->node == NO_NODE)
        leave_out(r, lasted);
    brz_stacks_begin_sample(&r->nodes->stacks);
    if (r->node != NO_NODE && lasted > 0)
        rc = tree_count(r->nodes, r->ctx, r->node, r->time->weight, lasted);
    if (r->node != NO_NODE && rc == BRZ_OK)
        rc = tree_count(r->nodes, r->ctx, r->node, r->count, 1);
    brz_stacks_end_sample(&r->nodes->stacks);
    if (lasted > 0)
        r->last = r->now;
    return rc;
}

/* Counts the last sample. It ends with a further time, if there is one. A last sample of the root
 * only ends the one before. */
static brz_rc end_samples(reading *r)
{
    if (r->node != NO_NODE && r->t->has_times && r->nodes->nodes[r->node].is_top)
        return BRZ_OK;
    cursor more = r->times;
    brz_rc rc = r->t->has_times && cursor_element(&more) ? read_time(r) : BRZ_OK;
    return rc == BRZ_OK ? end_sample(r) : rc;
}

/* Returns the time at which the first delta begins. */
static amount start_of(const reading *r)
{
    amount start;
    bool known =
        r->t->has_times && !r->t->absolute && column_read(r->time, r->ctx, &r->t->start, &start);
    return known ? start : (amount){0, 0};
}

/* Digits of two ids. */
#define TWO_IDS 40

/* Returns whether an id consists of those of two nodes, which are joined. */
static bool is_two_ids(const reading *r, brz_str id)
{
    for (size_t n = 1; n < id.len && id.len <= TWO_IDS; n++) {
        brz_json_token first = {BRZ_JSON_NUMBER, brz_str_of(id.data, n)};
        brz_json_token second = {BRZ_JSON_NUMBER, brz_str_from(id, n)};
        if (tree_find(r->nodes, &first) != NO_NODE && tree_find(r->nodes, &second) != NO_NODE)
            return true;
    }
    return false;
}

/* Finds the node of a sample. Two ids that are joined have two times. */
static brz_rc find_node(reading *r, const brz_json_token *id)
{
    r->id = id->text;
    r->node = tree_find(r->nodes, id);
    if (r->node != NO_NODE || r->surplus == 0 || !is_two_ids(r, id->text))
        return BRZ_OK;
    r->surplus--;
    return read_time(r);
}

static brz_rc read_samples(reading *r)
{
    bool first = true;
    brz_rc rc = BRZ_OK;
    for (; rc == BRZ_OK && next_sample(r); first = false) {
        brz_json_token id = r->samples.token;
        cursor_skip(&r->samples);
        rc = read_time(r);
        if (first)
            r->last = r->now;
        else if (rc == BRZ_OK)
            rc = end_sample(r);
        if (rc == BRZ_OK)
            rc = find_node(r, &id);
    }
    return rc == BRZ_OK && !first ? end_samples(r) : rc;
}

brz_rc timeline_count(const timeline *t, brz_ctx *ctx, tree *nodes, column *time, uint32_t count)
{
    reading r = {.t = t, .ctx = ctx, .nodes = nodes, .time = time, .count = count, .node = NO_NODE};
    r.samples.cut = true; /* no part is open */
    r.surplus = t->n_times > t->n_samples ? t->n_times - t->n_samples : 0;
    r.now = start_of(&r);
    brz_rc rc = refine(&r, r.now.decimals);
    if (rc == BRZ_OK)
        rc = read_samples(&r);
    report_unread(&r);
    brz_report_count(ctx, BRZ_WARNING, "cpuprofile.untimed", r.untimed, 0,
                     BRZ_STR("samples without a time have no duration ({count})"));
    brz_report_count(
        ctx, BRZ_WARNING, "cpuprofile.backwards", r.backwards, 0,
        BRZ_STR("samples with an earlier time than the sample before them get its time ({count})"));
    return rc;
}
