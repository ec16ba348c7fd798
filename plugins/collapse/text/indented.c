/* SPDX-License-Identifier: MIT */
/* Collapses call trees that are printed as indented rows, whose options describe the format:
 *
 *     input := (header | ignored | blank | begin row* [end])*
 *
 * A row that is further to the right than the row above is called by it, or calls it if the trees
 * run from leaf to root. Without the option "begin", rows may be anywhere. A row that the option
 * "orphan" describes shows that the line which begins its tree is missing.
 */
#include "../../common/shipped.h"

#include "depth.h"
#include "explain.h"
#include "options.h"
#include "samples.h"

typedef struct options {
    text_options text;
    brz_str begin, end, orphan;
    int32_t depth, amount, order;
} options;

enum { OWN, TOTAL };
enum { ROOT_FIRST, LEAF_FIRST };

static const text_source sources[] = {
    TEXT_COMMON_SOURCES,
    TEXT_SOURCE(SLOT_BEGIN, options, begin, "begin", false, NULL),
    TEXT_SOURCE(SLOT_END, options, end, "end", false, NULL),
    TEXT_SOURCE(SLOT_ORPHAN, options, orphan, "orphan", false, NULL),
};

static const text_shape shape = {sources, BRZ_COUNT_OF(sources), true, false};

/* A row whose rows below are being read. */
typedef struct row {
    size_t depth;
    int64_t left;      /* of its amount, what no row below has taken */
    uint32_t decimals; /* of `left` */
    bool has_amount;
} row;

typedef struct tree {
    text_samples samples;
    row *rows; /* one for each frame of the path after the roots */
    size_t n, cap;
    size_t roots; /* frames of the path that are no rows */
    bool inside;
} tree;

/* ---- lines ----------------------------------------------------------------------------------- */

/* Returns whether a row outside of trees shows that the beginning of its tree is missing. */
static bool is_orphan(text_format *f, brz_str line)
{
    text_match other = {NULL, line};
    return text_format_uses(f, SLOT_ORPHAN) && text_format_find(f, SLOT_ORPHAN, line, &other);
}

static int32_t classify(text_format *f, brz_str line, bool *inside, text_match *match)
{
    bool bounded = text_format_uses(f, SLOT_BEGIN);
    if (text_format_find(f, SLOT_IGNORE, line, match))
        return BRZ_LINE_IGNORED;
    if (text_format_find(f, SLOT_BEGIN, line, match)) {
        *inside = true;
        return BRZ_LINE_BEGIN;
    }
    if (*inside && text_format_find(f, SLOT_END, line, match)) {
        *inside = false;
        return BRZ_LINE_END;
    }
    if (bounded && !*inside)
        *inside = is_orphan(f, line);
    if ((*inside || !bounded) && text_format_find(f, SLOT_FRAME, line, match))
        return BRZ_LINE_FRAME;
    if (text_format_find(f, SLOT_HEADER, line, match))
        return BRZ_LINE_HEADER;
    if (brz_trim(line).len == 0)
        return BRZ_LINE_BLANK;
    return bounded && !*inside ? BRZ_LINE_IGNORED : BRZ_LINE_UNMATCHED;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Counts a row without the rows below it, whose path is the current one. */
static brz_rc count_row(tree *t, const row *r)
{
    text_samples *s = &t->samples;
    if (!r->has_amount)
        return BRZ_OK;
    if (r->left <= 0)
        return BRZ_OK;
    return brz_stacks_count(&s->dump.stacks, s->dump.ctx, s->weight.column,
                            text_weight_now(&s->weight, &s->dump.stacks, r->left, r->decimals));
}

/* Ends the rows that are as far to the right as `depth`. */
static brz_rc close_rows(tree *t, size_t depth)
{
    brz_rc rc = BRZ_OK;
    while (rc == BRZ_OK && t->n > 0 && t->rows[t->n - 1].depth >= depth) {
        rc = count_row(t, &t->rows[--t->n]);
        brz_path_cut(t->samples.dump.stacks.path, t->roots + t->n);
    }
    return rc;
}

/* Reads the amount of a row. Reports an amount that is no number; the row then has none. */
static void read_amount(tree *t, brz_str line, row *r)
{
    text_samples *s = &t->samples;
    bool is_given = !s->format.has_weight || text_value(s, GROUP_WEIGHT).len > 0;
    r->has_amount = is_given && text_read_weight(s, line, &r->left);
    r->decimals = s->weight.decimals;
    if (r->has_amount && r->left < 0)
        BRZ_WARN(s->dump.ctx, "text.negative", line.data, line.len,
                 "a row with less than nothing: its amount is left out");
}

/* Subtracts the amount of a row from what the row above has left. Reports the first row that has
 * more than that. */
static void take_from_above(tree *t, const row *r, brz_str line)
{
    const text_weight *w = &t->samples.weight;
    row *above = &t->rows[t->n - 1];
    bool had_enough = above->has_amount && above->left >= 0;
    above->left = text_weight_now(w, &t->samples.dump.stacks, above->left, above->decimals);
    above->decimals = w->decimals;
    if (__builtin_sub_overflow(above->left, r->left, &above->left))
        above->left = INT64_MIN;
    if (had_enough && above->left < 0)
        BRZ_WARN(t->samples.dump.ctx, "text.total", line.data, line.len,
                 "the rows down to this one have more than the row above them: they count alone");
}

static brz_rc open_row(tree *t, const text_match *match)
{
    text_samples *s = &t->samples;
    const options *o = s->dump.ctx->cfg;
    row r = {.depth = text_depth_of((text_depth)o->depth, match, &s->format.matcher)};
    brz_str line = match->line;
    text_values_clear(&s->values);
    text_values_add(&s->values, match, &s->format.matcher);
    brz_rc rc = close_rows(t, r.depth);
    if (rc != BRZ_OK)
        return rc;
    read_amount(t, line, &r);
    if (o->amount == TOTAL && t->n > 0 && r.has_amount)
        take_from_above(t, &r, line);
    t->rows = brz_list_room(s->dump.ctx, t->rows, t->n, &t->cap, sizeof r);
    t->rows[t->n++] = r;
    dump_push(&s->dump, line, SLOT_FRAME, text_describe);
    return s->weight.status;
}

/* Begins a tree. Its line has the roots and what its samples have in common; without a match, they
 * are not known. */
static brz_rc begin_tree(tree *t, const text_match *match)
{
    text_samples *s = &t->samples;
    brz_rc rc = close_rows(t, 0);
    text_values_clear(&s->section);
    if (match->expression != NULL)
        text_values_add(&s->section, match, &s->format.matcher);
    text_values_keep(&s->section, &s->section_copies, s->dump.ctx);
    text_values_clear(&s->values);
    brz_path_cut(s->dump.stacks.path, 0);
    if (!s->roots_last)
        text_push_roots(s);
    t->roots = dump_depth(&s->dump);
    text_place(s, match->line);
    return rc;
}

/* Begins a tree whose first line is missing, at its first row, which may be damaged. */
static brz_rc begin_orphan(tree *t, brz_str line)
{
    const text_match none = {NULL, line};
    BRZ_WARN(t->samples.dump.ctx, "text.no-begin", line.data, line.len,
             "the line that begins this tree is missing: its rows count without what it says");
    return begin_tree(t, &none);
}

static brz_rc read_line(void *instance, brz_str line)
{
    tree *t = instance;
    text_match match = {NULL, line};
    brz_rc rc = BRZ_OK;
    bool was_inside = t->inside;
    text_format_forget(&t->samples.format);
    int32_t role = classify(&t->samples.format, line, &t->inside, &match);
    if (t->samples.format.failed)
        return BRZ_ERROR;
    if (t->inside && !was_inside && role != BRZ_LINE_BEGIN)
        rc = begin_orphan(t, line);
    if (rc != BRZ_OK)
        return rc;
    switch (role) {
    case BRZ_LINE_BEGIN:
        rc = begin_tree(t, &match);
        break;
    case BRZ_LINE_END:
        rc = close_rows(t, 0);
        break;
    case BRZ_LINE_FRAME:
        rc = open_row(t, &match);
        break;
    case BRZ_LINE_HEADER:
        text_take_header(&t->samples, &match);
        break;
    case BRZ_LINE_UNMATCHED:
        text_report_lost(&t->samples, "text.line", line,
                         BRZ_STR("fits no expression of the format: left out"));
        break;
    default:
        break;
    }
    return rc == BRZ_OK ? text_status(&t->samples) : rc;
}

static brz_rc end_input(void *instance, const char *at)
{
    tree *t = instance;
    (void)at;
    return close_rows(t, 0);
}

/* ---- plug-in --------------------------------------------------------------------------------- */

static brz_rc prelude(brz_ctx *ctx, const brz_chunk *chunk, size_t *used, const void **shared)
{
    const options *o = ctx->cfg;
    *used = 0;
    return text_read_header(ctx, chunk, &shape, o->begin.len > 0 ? SLOT_BEGIN : SLOT_FRAME, shared);
}

TEXT_OPEN

static void validate(const void *cfg, brz_option_faults *faults)
{
    const options *o = cfg;
    text_format_validate(&shape, cfg, faults);
    if (o->order == LEAF_FIRST && o->text.roots.count > 0)
        faults->add(faults, "roots", 0, BRZ_STR("trees that run from leaf to root have no roots"));
}

DUMP_PARSE_LINES(read_line, end_input)

TEXT_OFFER

SHIPPED_READER(tree, .prelude = prelude, .open = open_instance, .finish = text_finish,
               .close = text_close, .offer = offer)

static const char *const orders[] = {"root-first", "leaf-first", NULL};
static const char *const amounts[] = {"own", "total", NULL};

static const brz_option option_table[] = {
    BRZ_OPTION(options, "frame", STR, text.frame,
               "^\\s*+(?<function>\\S(?:.*\\S)?)\\s++(?<weight>[0-9][0-9.,]*)$",
               "expression for rows: groups function, weight, module, file, line, depth"),
    BRZ_OPTION(
        options, "depth", ENUM, depth, "blanks",
        "what shows the depth of a row: blanks in front, the column of the function, a group",
        .choices = text_depths),
    BRZ_OPTION(options, "amount", ENUM, amount, "own",
               "whether the weight of a row includes those of the rows below", .choices = amounts),
    BRZ_OPTION(options, "order", ENUM, order, "root-first",
               "whether the rows below are called by a row, or call it", .choices = orders),
    BRZ_OPTION(options, "begin", STR, begin, "",
               "expression for the line in front of a tree [trees are anywhere]"),
    BRZ_OPTION(options, "end", STR, end, "", "expression for the line after a tree"),
    BRZ_OPTION(
        options, "orphan", STR, orphan, "",
        "expression for a row that begins a tree if the line in front of the tree is missing"),
    TEXT_LINE_OPTIONS(options),
    TEXT_WEIGHT_OPTIONS(options),
};

BRZ_HINTS("")

SHIPPED_COLLAPSER("indented", .summary = "call trees of indented rows, which options describe",
                  .help = "A format in the configuration gives these options a name.",
                  BRZ_OPTIONS(option_table, options), .validate = validate)
