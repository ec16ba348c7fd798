/* SPDX-License-Identifier: MIT */
/* Collapses profiling logs of Papyrus, the script language of Skyrim and Fallout 4:
 *
 *     input := (name " log opened (" word ")" | event | "Log closed")*
 *     event := time ":" word ":" stack ":" depth ":" object ":" function
 *
 * Times are milliseconds. "PUSH" begins a function and "POP" ends it. The game runs many stacks in
 * turn, each of which is a thread here. Other words are not of a function that runs: those of a
 * queue, START and STOP.
 */
#include "../common/dump/dump.h"
#include "../common/pair_map.h"

#define NS_PER_MS 1000000

/* Frames of a stack at most; the functions that they call are left out. */
#define MOST_FRAMES 1024

typedef struct event {
    uint64_t time, stack;
    brz_str word, function;
} event;

typedef struct stack {
    uint64_t id;
    brz_path path;   /* the open functions */
    uint64_t hidden; /* number of further open functions */
    uint64_t since;  /* time of the last change */
} stack;

typedef struct papyrus {
    dump dump;
    uint32_t time, calls; /* columns */
    stack *stacks;
    size_t n_stacks, stacks_cap;
    pair_map indices; /* id of a stack -> index */
    uint64_t last;    /* time of the last event */
    uint64_t n_deep, n_back, n_without_begin, n_without_end;
} papyrus;

/* ---- lines ----------------------------------------------------------------------------------- */

/* Removes the object, whose type may have colons: "a:b (123):" or "None:". */
static bool take_object(brz_str *rest)
{
    brz_str object, function;
    size_t at = brz_str_find(*rest, BRZ_STR("):"), 0);
    if (at != SIZE_MAX)
        *rest = brz_str_from(*rest, at + 2);
    else if (brz_cut_first(*rest, ':', &object, &function))
        *rest = function;
    else
        return false;
    return rest->len > 0;
}

/* Returns whether a function has another event after it, whose line a damaged line end joins. */
static bool has_event(brz_str function)
{
    return brz_str_find(function, BRZ_STR(":PUSH:"), 0) != SIZE_MAX ||
           brz_str_find(function, BRZ_STR(":POP:"), 0) != SIZE_MAX;
}

/* Returns whether a word is one that events of the game have. */
static bool is_known(brz_str word)
{
    static const char *const words[] = {"PUSH", "POP", "QUEUE_PUSH", "QUEUE_POP", "START", "STOP"};
    for (size_t i = 0; i < BRZ_COUNT_OF(words); i++)
        if (brz_str_is(word, words[i]))
            return true;
    return false;
}

static bool take_event(brz_str line, event *e)
{
    uint64_t depth;
    brz_str rest;
    if (!brz_take_u64(&line, &e->time) || e->time > INT64_MAX / NS_PER_MS ||
        !brz_str_take(&line, ":") || !brz_cut_first(line, ':', &e->word, &rest) ||
        !brz_take_u64(&rest, &e->stack) || e->stack > INT64_MAX || !brz_str_take(&rest, ":") ||
        !brz_take_u64(&rest, &depth) || !brz_str_take(&rest, ":") || !take_object(&rest))
        return false;
    e->function = rest;
    return is_known(e->word) && !has_event(rest);
}

/* Recognises the first and the last event of a log of stacks: "500:START:...". */
static bool is_mark(brz_str line)
{
    uint64_t time;
    return brz_take_u64(&line, &time) &&
           (brz_starts_with(line, BRZ_STR(":START")) || brz_starts_with(line, BRZ_STR(":STOP")));
}

static bool is_opening(brz_str line)
{
    return brz_str_find(line, BRZ_STR(" log opened ("), 0) != SIZE_MAX;
}

/* ---- stacks ---------------------------------------------------------------------------------- */

static stack *stack_of(papyrus *p, uint64_t id)
{
    brz_ctx *ctx = p->dump.ctx;
    uint32_t i = pair_map_find(&p->indices, id, 0);
    if (i != PAIR_MISS)
        return &p->stacks[i];
    p->stacks = brz_list_room(ctx, p->stacks, p->n_stacks, &p->stacks_cap, sizeof *p->stacks);
    pair_map_put(&p->indices, ctx, id, 0, (uint32_t)p->n_stacks);
    stack *s = &p->stacks[p->n_stacks++];
    *s = (stack){.id = id};
    brz_path_init(&s->path, ctx, 8);
    return s;
}

/* Counts a value for the open functions of a stack. */
static brz_rc count(papyrus *p, stack *s, uint32_t column, uint64_t value)
{
    dump *d = &p->dump;
    brz_tag_desc tag = {.flags = BRZ_TAG_THREAD, .thread = (int64_t)s->id};
    if (s->path.n == 0 || value == 0)
        return BRZ_OK;
    dump_tag(d, &tag);
    brz_stacks_place(&d->stacks, d->stacks.tag, BRZ_TIMED, (int64_t)s->since * NS_PER_MS);
    d->stacks.path = &s->path;
    brz_rc rc = brz_stacks_count(&d->stacks, d->ctx, column, (int64_t)value);
    d->stacks.path = &d->stacks.own;
    return rc;
}

/* Counts the time since the last change of a stack. */
static brz_rc pass(papyrus *p, stack *s, uint64_t time)
{
    brz_rc rc = BRZ_OK;
    if (time > s->since)
        rc = count(p, s, p->time, time - s->since);
    s->since = time;
    return rc;
}

static void describe(dump *d, brz_str text, brz_frame_desc *frame)
{
    brz_str rest;
    (void)d;
    frame->name = text;
    frame->kind = BRZ_KIND_USER;
    brz_cut_first(text, '.', &frame->module, &rest);
}

static brz_frame frame_of(dump *d, brz_str function)
{
    brz_path_cut(d->stacks.path, 0);
    dump_push(d, function, 0, describe);
    return d->stacks.path->ids[0];
}

static brz_rc begin_function(papyrus *p, stack *s, brz_frame frame)
{
    if (s->path.n == MOST_FRAMES) {
        s->hidden++;
        p->n_deep++;
        return BRZ_OK;
    }
    brz_path_push(&s->path, p->dump.ctx, frame);
    return count(p, s, p->calls, 1);
}

/* Ends a function, and those that it calls if their ends are missing. */
static void end_function(papyrus *p, stack *s, brz_frame frame)
{
    size_t n = s->path.n;
    if (s->hidden > 0) {
        s->hidden--;
        return;
    }
    while (n > 0 && s->path.ids[n - 1] != frame)
        n--;
    if (n == 0) {
        p->n_without_begin++;
        return;
    }
    p->n_without_end += s->path.n - n;
    brz_path_cut(&s->path, n - 1);
}

/* Ends a log: functions that are open run until then. */
static brz_rc end_log(papyrus *p)
{
    brz_rc rc = BRZ_OK;
    for (size_t i = 0; i < p->n_stacks && rc == BRZ_OK; i++) {
        stack *s = &p->stacks[i];
        p->n_without_end += s->path.n;
        rc = pass(p, s, p->last);
    }
    p->n_stacks = 0;
    p->last = 0;
    pair_map_reset(&p->indices, p->dump.ctx, 0);
    return rc;
}

static brz_rc read_event(papyrus *p, event *e)
{
    bool begins = brz_str_is(e->word, "PUSH");
    brz_rc rc;
    if (!begins && !brz_str_is(e->word, "POP"))
        return BRZ_OK;
    p->n_back += e->time < p->last;
    p->last = e->time > p->last ? e->time : p->last;
    brz_frame frame = frame_of(&p->dump, e->function);
    stack *s = stack_of(p, e->stack);
    if ((rc = pass(p, s, p->last)) != BRZ_OK)
        return rc;
    if (begins)
        return begin_function(p, s, frame);
    end_function(p, s, frame);
    return BRZ_OK;
}

static brz_rc read_line(void *instance, brz_str line)
{
    papyrus *p = instance;
    event e;
    if (take_event(line, &e))
        return read_event(p, &e);
    if (is_opening(line) && has_event(line))
        brz_report_lost(p->dump.ctx, "papyrus.line", line.data, line.len,
                        BRZ_STR("an event after the opening of a log: left out"));
    if (is_opening(line) || brz_str_is(line, "Log closed"))
        return end_log(p);
    if (brz_trim(line).len > 0 && !is_mark(line))
        brz_report_lost(p->dump.ctx, "papyrus.line", line.data, line.len,
                        BRZ_STR("not an event of Papyrus: left out"));
    return BRZ_OK;
}

static brz_rc finish(brz_ctx *ctx)
{
    papyrus *p = ctx->inst;
    brz_rc rc = end_log(p);
    brz_report_count(ctx, BRZ_NOTE, "papyrus.deep", p->n_deep, 0,
                     BRZ_STR("calls in stacks of more than 1024 functions left out: {count}"));
    brz_report_count(ctx, BRZ_NOTE, "papyrus.back", p->n_back, 0,
                     BRZ_STR("events with an earlier time than the event before them: {count}"));
    brz_report_count(ctx, BRZ_NOTE, "papyrus.no-begin", p->n_without_begin, 0,
                     BRZ_STR("ends of functions whose beginning is missing: {count}"));
    brz_report_count(ctx, BRZ_NOTE, "papyrus.no-end", p->n_without_end, 0,
                     BRZ_STR("functions whose end is missing: {count}"));
    return rc == BRZ_OK ? dump_finish(ctx) : rc;
}

/* ---- plug-in --------------------------------------------------------------------------------- */

/* Recognises an event of a function. */
static bool is_sign(brz_str line)
{
    event e;
    return take_event(line, &e) && (brz_str_is(e.word, "PUSH") || brz_str_is(e.word, "POP") ||
                                    brz_str_is(e.word, "QUEUE_PUSH"));
}

static int32_t sniff(const brz_head *head)
{
    brz_str text = dump_head_lines(head), line;
    bool opened = brz_block_line(&text, &line) && is_opening(line);
    int32_t score = dump_sniff_line(head, is_sign);
    return score == BRZ_SNIFF_NO || opened ? score : BRZ_SNIFF_RECORDS;
}

static brz_rc open_instance(brz_ctx *ctx)
{
    papyrus *p = ctx->inst;
    p->time = dump_declare(ctx, BRZ_STR("time"), BRZ_STR("ms"));
    p->calls = dump_declare(ctx, BRZ_STR("calls"), BRZ_STR("calls"));
    pair_map_init(&p->indices, ctx);
    return dump_open_root_first(ctx);
}

DUMP_PARSE_LINES(read_line, NULL)

SHIPPED_READER(papyrus, .open = open_instance, .finish = finish)

BRZ_HINTS(BRZ_IF_CONTAINS("PUSH") BRZ_IF_CONTAINS("POP"))

SHIPPED_COLLAPSER("papyrus",
                  .summary = "profiling logs of Papyrus, the scripts of Skyrim and Fallout 4",
                  .help = "Times and numbers of calls are weights: see --weight. Papyrus's stacks "
                          "are threads: see --group-by.")
