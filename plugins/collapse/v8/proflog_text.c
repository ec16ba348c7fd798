/* SPDX-License-Identifier: MIT */
/* Collapses the text that `node --prof-process` prints:
 *
 *     text    := "Statistical profiling result from " name ", (" ticks " ticks, " ticks
 *                " unaccounted, " ticks " excluded)." part*
 *     part    := "[" title "]:" remark* row*
 *     row     := ticks percent [percent] blanks name
 *
 * The rows of the bottom-up profile are functions, each with its callers below it: a caller is
 * further to the right by two blanks, and its ticks are those of the row above that it called. It
 * leaves out functions and callers with few ticks, and the callers of the sixth row of a stack. The
 * parts of libraries, JavaScript and C++ have all functions, without callers: what the bottom-up
 * profile lacks of their ticks is counted as stacks of one frame.
 */
#include "../../common/names/unresolved.h"
#include "../../common/pair_map.h"
#include "../../common/table/level_tree.h"
#include "../../common/v8/code_name.h"

#include <stdio.h>

typedef enum part {
    PART_LIBRARIES,
    PART_SCRIPTS,
    PART_NATIVE,
    PART_BOTTOM_UP,
    PART_OTHER, /* counts again what the others have */
    PART_NONE,  /* there was no title yet */
} part;

/* Levels of rows that are read; the text has six. */
#define LEVELS 64

/* The ticks of a function that the bottom-up profile does not have. */
typedef struct rest {
    brz_frame frame;
    int64_t ticks;
} rest;

typedef struct proflog_text {
    dump dump;
    level_tree tree; /* of the bottom-up profile, the leaf at the top */
    part part;
    int64_t ticks[LEVELS]; /* of the rows of the tree */
    size_t lost_level;     /* of the last caller that is left out; SIZE_MAX: none */
    bool has_total, has_text, has_bottom_up;
    bool is_titled;                       /* the line of the columns is still to come */
    int64_t total, unaccounted, excluded; /* as the first line states them */
    int64_t counted;
    rest *rests;
    size_t n_rests, rests_cap;
    pair_map by_frame; /* an index of `rests` */
    uint64_t n_open;   /* ticks of stacks whose callers are not known */
} proflog_text;

typedef struct row {
    int64_t ticks;
    uint64_t share; /* in tenths of a per cent */
    size_t blanks;  /* in front of the name */
    brz_str name;
} row;

/* ---- frames ---------------------------------------------------------------------------------- */

/* Removes the kind of a script's code, "LazyCompile: *". Returns false for other code. */
static bool take_kind(brz_str *name)
{
    static const char *const kinds[] = {
        "JS: ", "LazyCompile: ", "Function: ", "Script: ", "Eval: "};
    for (size_t i = 0; i < BRZ_COUNT_OF(kinds); i++)
        if (brz_str_take(name, kinds[i])) {
            if (name->len > 0 && strchr("*~^+", *name->data) != NULL)
                *name = brz_str_from(*name, 1);
            return true;
        }
    return false;
}

static bool is_path(brz_str name)
{
    return brz_starts_with(name, BRZ_STR("/")) ||
           (name.len > 3 && name.data[1] == ':' && name.data[2] == '\\');
}

static void describe(dump *d, brz_str name, brz_frame_desc *frame)
{
    const proflog_text *p = (const proflog_text *)d;
    frame->kind = BRZ_KIND_USER;
    if (brz_str_is(name, "UNKNOWN")) {
        frame->kind = BRZ_KIND_OTHER;
    } else if (take_kind(&name)) {
        code_describe_script(name, frame);
    } else if (p->part == PART_LIBRARIES || is_path(name)) {
        frame->module = name;
        frame->name = unresolved_name(&d->text, d->ctx, name, 0);
    } else {
        frame->name = p->part == PART_NATIVE ? code_without_letter(name) : name;
    }
}

/* Returns the frame of a name. All parts name a function alike. */
static brz_frame frame_of(proflog_text *p, brz_str name)
{
    brz_path *path = p->dump.stacks.path;
    dump_push(&p->dump, name, 0, describe);
    brz_path_cut(path, path->n - 1);
    return path->ids[path->n];
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Takes "71.5%", in tenths. */
static bool take_percent(brz_str *s, uint64_t *tenths)
{
    brz_str after = *s;
    uint64_t whole, tenth;
    if (!brz_take_u64(&after, &whole) || whole > 1000 || !brz_str_take(&after, ".") ||
        !brz_take_u64(&after, &tenth) || tenth > 9 || !brz_str_take(&after, "%"))
        return false;
    *tenths = whole * 10 + tenth;
    *s = after;
    return true;
}

/* Returns whether a name has a percentage between blanks: it is two rows whose lines were joined.
 */
static bool has_percent(brz_str name)
{
    size_t at = 0;
    while ((at = brz_str_find(name, BRZ_STR("%  "), at + 1)) != SIZE_MAX)
        if (brz_is_digit(name.data[at - 1]))
            return true;
    return false;
}

/* Parses a row; `is_flat` if it may have a second percentage. */
static bool parse_row(brz_str line, bool is_flat, row *r)
{
    brz_str s = line;
    uint64_t ticks, nonlib;
    dump_take_blanks(&s);
    if (!brz_take_u64(&s, &ticks) || ticks > INT64_MAX || dump_take_blanks(&s) == 0 ||
        !take_percent(&s, &r->share) || (r->blanks = dump_take_blanks(&s)) == 0)
        return false;
    brz_str after = s;
    if (is_flat && take_percent(&after, &nonlib) && dump_take_blanks(&after) > 0)
        s = after;
    r->ticks = (int64_t)ticks;
    r->name = brz_trim(s);
    return r->name.len > 0 && !has_percent(r->name);
}

/* Returns whether ticks are the share that a row states. */
static bool is_share(const row *r, int64_t whole)
{
    double tenths = whole > 0 ? (double)r->ticks * 1000 / (double)whole : 0;
    double difference = tenths - (double)r->share;
    return difference < 1 && difference > -1;
}

/* Warns if the ticks of a row are not the share in the total that it states. */
static void check_total(const proflog_text *p, const row *r, brz_str line)
{
    if (p->has_total && !is_share(r, p->total))
        BRZ_WARN(p->dump.ctx, "v8log-text.share", line.data, line.len,
                 "the ticks and their share in the total contradict each other");
}

static void leave_out(const proflog_text *p, brz_str line, const char *text)
{
    brz_str why = brz_str_of_text(text);
    if (p->has_total) /* the missing ticks are known at the end */
        brz_report(p->dump.ctx, BRZ_WARNING, "v8log-text.row", line.data, line.len, why);
    else
        brz_report_lost(p->dump.ctx, "v8log-text.row", line.data, line.len, why);
}

/* Leaves out a line before the first title. */
static void leave_out_untitled(const proflog_text *p, brz_str line)
{
    row r;
    if (parse_row(line, true, &r))
        leave_out(p, line, "a row without a title that says what it is: left out");
}

/* ---- functions without callers --------------------------------------------------------------- */

/* Adds ticks to what the bottom-up profile lacks, or takes them from it. */
static void add_rest(proflog_text *p, brz_frame frame, int64_t ticks)
{
    uint32_t i = pair_map_find(&p->by_frame, frame, 0);
    if (i == PAIR_MISS) {
        i = (uint32_t)p->n_rests;
        p->rests =
            brz_list_room(p->dump.ctx, p->rests, p->n_rests, &p->rests_cap, sizeof *p->rests);
        p->rests[p->n_rests++] = (rest){frame, 0};
        pair_map_put(&p->by_frame, p->dump.ctx, frame, 0, i);
    }
    brz_stacks_sum(&p->dump.stacks, &p->rests[i].ticks, ticks);
}

static void read_flat(proflog_text *p, brz_str line)
{
    row r;
    if (!parse_row(line, true, &r)) {
        leave_out(p, line, "not a row of ticks: left out");
        return;
    }
    check_total(p, &r, line);
    add_rest(p, frame_of(p, r.name), r.ticks);
}

/* Counts what the bottom-up profile lacks. */
static brz_rc count_rests(proflog_text *p)
{
    brz_rc rc = BRZ_OK;
    for (size_t i = 0; i < p->n_rests && rc == BRZ_OK; i++) {
        const rest *r = &p->rests[i];
        if (r->ticks <= 0)
            continue;
        p->counted += r->ticks;
        brz_path_cut(p->dump.stacks.path, 0);
        level_tree_push(&p->tree, p->dump.ctx, r->frame)[0] = r->ticks;
        rc = level_tree_pop(&p->tree, p->dump.ctx);
    }
    return rc;
}

/* ---- the bottom-up profile ------------------------------------------------------------------- */

/* Blanks in front of the names of functions, and those that callers have more. */
enum { FIRST_BLANKS = 2, STEP = 2 };

/* Removes the last row. Ticks that no caller of it has are those of stacks that begin there, or of
 * callers that are not shown. */
static brz_rc pop_row(proflog_text *p)
{
    size_t level = level_tree_depth(&p->tree) - 1;
    int64_t left = level_tree_values(&p->tree, level)[0];
    p->n_open += left > 0 ? (uint64_t)left : 0;
    return level_tree_pop(&p->tree, p->dump.ctx);
}

static brz_rc cut_rows(proflog_text *p, size_t depth)
{
    brz_rc rc = BRZ_OK;
    while (rc == BRZ_OK && level_tree_depth(&p->tree) > depth)
        rc = pop_row(p);
    return rc;
}

/* Leaves out a caller and those above it. Its ticks stay with the row that it called. */
static void leave_out_caller(proflog_text *p, brz_str line, size_t level, const char *why)
{
    p->lost_level = level;
    brz_report(p->dump.ctx, BRZ_WARNING, "v8log-text.caller", line.data, line.len,
               brz_str_of_text(why));
}

/* Adds a caller of the last row, whose ticks it takes. */
static void read_caller(proflog_text *p, brz_str line, const row *r, size_t level)
{
    int64_t *left = level_tree_values(&p->tree, level - 1);
    if (!is_share(r, p->ticks[level - 1]) || r->ticks > *left) {
        leave_out_caller(p, line, level, "not a share of the row above: a caller is left out");
        return;
    }
    *left -= r->ticks;
    level_tree_push(&p->tree, p->dump.ctx, frame_of(p, r->name))[0] = r->ticks;
    p->ticks[level] = r->ticks;
}

static void read_function(proflog_text *p, brz_str line, const row *r)
{
    brz_frame frame = frame_of(p, r->name);
    check_total(p, r, line);
    p->counted += r->ticks;
    add_rest(p, frame, -r->ticks);
    level_tree_push(&p->tree, p->dump.ctx, frame)[0] = r->ticks;
    p->ticks[0] = r->ticks;
}

static brz_rc read_bottom_up(proflog_text *p, brz_str line)
{
    row r;
    if (!parse_row(line, false, &r) || r.blanks < FIRST_BLANKS ||
        (r.blanks - FIRST_BLANKS) % STEP != 0) {
        leave_out(p, line, "not a row of ticks: left out");
        return BRZ_OK;
    }
    size_t level = (r.blanks - FIRST_BLANKS) / STEP;
    if (level > p->lost_level)
        return BRZ_OK; /* a caller of one that is left out, which has been reported */
    p->lost_level = SIZE_MAX;
    brz_rc rc = cut_rows(p, level);
    if (level == 0)
        read_function(p, line, &r);
    else if (level > level_tree_depth(&p->tree) || level >= LEVELS)
        leave_out_caller(p, line, level, "a caller without the row that it called: left out");
    else
        read_caller(p, line, &r, level);
    return rc;
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Takes a number of ticks after a word. */
static int64_t ticks_before(brz_str line, brz_str word)
{
    size_t at = brz_str_find(line, word, 0), from = at;
    uint64_t ticks;
    while (at != SIZE_MAX && from > 0 && brz_is_digit(line.data[from - 1]))
        from--;
    if (at == SIZE_MAX || !brz_parse_u64(brz_str_of(line.data + from, at - from), &ticks) ||
        ticks > INT64_MAX)
        return -1;
    return (int64_t)ticks;
}

static void read_totals(proflog_text *p, brz_str line)
{
    p->total = ticks_before(line, BRZ_STR(" ticks"));
    p->unaccounted = ticks_before(line, BRZ_STR(" unaccounted"));
    p->excluded = ticks_before(line, BRZ_STR(" excluded"));
    p->has_total = p->total >= 0 && p->unaccounted >= 0 && p->excluded >= 0;
    if (!p->has_total) {
        BRZ_WARN(p->dump.ctx, "v8log-text.totals", line.data, line.len,
                 "no numbers of ticks: it is unknown whether some are missing");
        return;
    }
    static const char unknown[64] = "UNKNOWN"; /* dump_push() reads beyond the end of a text */
    if (p->unaccounted > 0)
        add_rest(p, frame_of(p, brz_str_of(unknown, 7)), p->unaccounted);
}

/* Returns the part that a title names. */
static part part_of(brz_str title)
{
    static const char *const titles[] = {
        "[Shared libraries]:", "[JavaScript]:", "[C++]:", "[Bottom up (heavy) profile]:"};
    return (part)brz_str_index(title, titles, BRZ_COUNT_OF(titles));
}

/* Reads the titles of columns, which tell the bottom-up profile, too. */
static void read_columns(proflog_text *p, brz_str line)
{
    if (brz_str_find(line, BRZ_STR("parent"), 0) != SIZE_MAX) {
        p->part = PART_BOTTOM_UP;
        p->has_bottom_up = true;
    } else if (!p->is_titled) {
        BRZ_WARN(p->dump.ctx, "v8log-text.part", line.data, line.len,
                 "rows without a title that says what they are: left out");
        p->part = PART_OTHER;
    }
    p->is_titled = false;
}

static bool is_remark(brz_str line)
{
    static const char *const words[] = {"Note: ", "amount of ", "Callers occupying "};
    for (size_t i = 0; i < BRZ_COUNT_OF(words); i++)
        if (brz_starts_with(line, brz_str_of_text(words[i])))
            return true;
    return false;
}

static bool begins_text(brz_str line)
{
    return brz_starts_with(line, BRZ_STR("Statistical profiling result from "));
}

static brz_rc end_text(proflog_text *p);

static brz_rc begin_text(proflog_text *p, brz_str line)
{
    brz_rc rc = end_text(p);
    p->part = PART_NONE;
    p->has_text = true;
    p->has_bottom_up = false;
    p->lost_level = SIZE_MAX;
    read_totals(p, line);
    return rc;
}

static brz_rc read_line(void *instance, brz_str line)
{
    proflog_text *p = instance;
    brz_str text = brz_trim(line);
    if (begins_text(line))
        return begin_text(p, line);
    if (text.len > 0 && *text.data == '[' && brz_ends_with(text, BRZ_STR("]:"))) {
        p->part = part_of(text);
        p->is_titled = true;
        return BRZ_OK;
    }
    if (brz_starts_with(text, BRZ_STR("ticks "))) {
        read_columns(p, line);
        return BRZ_OK;
    }
    if (text.len == 0 || is_remark(text) || p->part == PART_OTHER)
        return BRZ_OK;
    if (p->part == PART_BOTTOM_UP)
        return read_bottom_up(p, line);
    if (p->part == PART_NONE)
        leave_out_untitled(p, line);
    else
        read_flat(p, line);
    return BRZ_OK;
}

/* ---- the end --------------------------------------------------------------------------------- */

static void report(const proflog_text *p)
{
    brz_ctx *ctx = p->dump.ctx;
    int64_t missing = p->has_total ? p->total - p->excluded - p->counted : 0;
    brz_report_count(ctx, BRZ_NOTE, "v8log-text.callers", p->n_open, 0,
                     BRZ_STR("the text leaves out callers that are rare or far: stacks with "
                             "{count} ticks may lack some"));
    if (p->has_text && !p->has_bottom_up)
        BRZ_WARN(ctx, "v8log-text.bottom-up", NULL, 0,
                 "a text without its bottom-up profile: functions have no callers");
    if (missing > 0)
        brz_report_lost_weight(ctx, "v8log-text.missing", NULL, 0,
                               BRZ_STR("ticks that the text states are in none of its rows"),
                               missing);
    if (missing < 0)
        BRZ_WARN(ctx, "v8log-text.total", NULL, 0, "the rows have more ticks than the text states");
}

static brz_rc end_text(proflog_text *p)
{
    brz_rc rc = cut_rows(p, 0);
    if (rc == BRZ_OK)
        rc = count_rests(p);
    report(p);
    p->has_total = false;
    p->counted = 0;
    p->n_open = 0;
    for (size_t i = 0; i < p->n_rests; i++)
        p->rests[i].ticks = 0;
    return rc;
}

static brz_rc end_input(void *instance, const char *at)
{
    (void)at;
    return end_text(instance);
}

/* ---- plug-in --------------------------------------------------------------------------------- */

static brz_rc open_text(brz_ctx *ctx)
{
    proflog_text *p = ctx->inst;
    brz_rc rc = dump_open(ctx);
    p->part = PART_NONE;
    p->lost_level = SIZE_MAX;
    pair_map_init(&p->by_frame, ctx);
    level_tree_init(&p->tree, ctx, &p->dump.stacks, 1);
    level_tree_declare(&p->tree, ctx, BRZ_STR("ticks"), "samples", 0);
    return rc;
}

DUMP_PARSE_LINES(read_line, end_input)

static int32_t sniff(const brz_head *head)
{
    return dump_sniff_line(head, begins_text);
}

SHIPPED_READER(proflog_text, .open = open_text, .finish = dump_finish)

BRZ_HINTS(BRZ_IF_CONTAINS("Statistical profiling result from "))

SHIPPED_COLLAPSER("v8log-text", .summary = "text of `node --prof-process`",
                  .help = "It leaves out rare callers. `node --prof-process --preprocess -j "
                          "isolate*.log > log.json` makes JSON with all stacks, which v8log reads.")
