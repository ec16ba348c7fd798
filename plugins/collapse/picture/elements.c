/* SPDX-License-Identifier: MIT */
/* Reads the boxes of frames from the elements of an SVG picture:
 *
 *     <g …><title>name (count unit, share)</title><rect x= y= width= …/><text …>…</text></g>
 *     <rect x= y= width= onmouseover="s('name (count unit, share)')"/>
 *     <g class="func_g" onmouseover="s('name (count unit, share)')"><rect x= y= width= …/></g>
 *     <g transform="translate(x,y)"><rect width= …/><title>…</title></g>
 *
 * Rectangles without a title are decoration. inferno and brazier add weights as fg:x and fg:w. The
 * scripts of pictures keep places in _orig_x and _orig_width while they are zoomed.
 */
#include "elements.h"

#include <math.h>

#include <brazier/symbol.h>

void elements_init(elements *e, brz_ctx *ctx)
{
    *e = (elements){.ctx = ctx};
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* Parses a length with an optional unit. Stores the number of its decimals if that is larger. */
static bool parse_length(brz_str s, double *length, uint32_t *decimals)
{
    brz_str whole, fraction;
    int64_t value;
    s = brz_trim(s);
    while (s.len > 0 && !brz_is_digit(s.data[s.len - 1]) && s.data[s.len - 1] != '.')
        s.len--;
    if (!brz_parse_scaled(s, PICTURE_DECIMALS, &value))
        return false;
    *length = (double)value / (double)brz_power_of_ten(PICTURE_DECIMALS);
    if (brz_cut_first(s, '.', &whole, &fraction) && fraction.len > *decimals)
        *decimals = fraction.len < PICTURE_DECIMALS ? (uint32_t)fraction.len : PICTURE_DECIMALS;
    return true;
}

/* ---- titles ---------------------------------------------------------------------------------- */

/* Returns a text whose entities are decoded, until the next call. */
static brz_str decoded(elements *e, brz_str text)
{
    e->name.len = 0;
    if (!markup_decode(&e->name, e->ctx, text))
        brz_report(e->ctx, BRZ_NOTE, "picture.xml", text.data, text.len,
                   BRZ_STR("a name that is not well-formed XML: read as it is"));
    return brz_text_str(&e->name);
}

/* Returns the text that a script shows: s('text'), in which quotes are escaped. */
static brz_str hovered(elements *e, brz_str script)
{
    brz_str before, text;
    if (!brz_cut_first(script, '\'', &before, &text) || !brz_cut_last(text, '\'', &text, &before))
        return brz_str_of(NULL, 0);
    decoded(e, text);
    brz_text *to = &e->name;
    size_t n = 0;
    for (size_t i = 0; i < to->len; i++) {
        i += to->data[i] == '\\' && i + 1 < to->len;
        to->data[n++] = to->data[i];
    }
    to->len = n;
    return brz_text_str(to);
}

/* Adds the rectangle with the title of its frame. */
static void add(elements *e, brz_str text)
{
    title t;
    box *x = &e->pending;
    title_parse(text, &t);
    if (t.name.len == 0 && !t.has_count)
        t.name = BRZ_STR("[unknown]");
    x->frame = e->ctx->host->intern(e->ctx, t.name.data, t.name.len);
    x->is_all = brz_str_is(t.name, t.percent_first ? "root" : "all");
    x->percent = t.percent;
    x->has_count = t.has_count;
    x->count = t.count;
    x->decimals = t.decimals;
    e->facts.is_comparison |= t.is_comparison;
    if (t.has_count && (e->boxes.unit.len == 0 || t.count > e->largest)) {
        e->largest = t.count;
        e->boxes.unit = brz_text_keep(e->ctx, t.unit);
    }
    boxes_add(&e->boxes, e->ctx, x);
    e->group = NULL;
    e->n_weighed += x->is_weighed;
    e->of_decimals[x->length_decimals]++;
    e->has_pending = false;
    e->title = e->hover = brz_str_of(NULL, 0);
}

/* ---- elements -------------------------------------------------------------------------------- */

/* Parses "translate(x,y)" or "translate(x y)"; other transformations change nothing. */
static offset parse_transform(brz_str s)
{
    offset o = {0, 0};
    brz_str before, y;
    uint32_t decimals = 0;
    if (!brz_str_take(&s, "translate(") || !brz_cut_first(s, ')', &s, &before))
        return o;
    char divider = brz_cut_first(s, ',', &before, &y) ? ',' : ' ';
    if (!brz_cut_first(s, divider, &s, &y) || !parse_length(y, &o.y, &decimals))
        o.y = 0;
    if (!parse_length(s, &o.x, &decimals))
        o.x = 0;
    return o;
}

static offset current(const elements *e)
{
    size_t n = e->depth < PICTURE_DEEPEST ? e->depth : PICTURE_DEEPEST;
    return n == 0 ? (offset){0, 0} : e->offsets[n - 1];
}

/* Ends the group that has begun last, if it has not ended yet. Notes one that should be a frame's:
 * groups of frames have no id, contain no groups, and have a title and a rectangle. */
static void end_frame(elements *e)
{
    if (e->group != NULL) {
        e->incomplete = e->n_incomplete == 0 ? e->group : e->incomplete;
        e->n_incomplete++;
    }
    e->group = NULL;
    e->has_pending = false;
    e->title = e->hover = brz_str_of(NULL, 0);
}

/* Opens a group. A group around it is a frame's only if it has a title. */
static void open_group(elements *e, const markup *m)
{
    static const char *const keys[] = {"transform", "onmouseover", "class", "id"};
    brz_str values[4];
    markup_attributes(m, keys, 4, values);
    if (e->title.len == 0)
        e->group = NULL;
    end_frame(e);
    offset here = current(e), moved = parse_transform(values[0]);
    if (e->depth < PICTURE_DEEPEST)
        e->offsets[e->depth] = (offset){here.x + moved.x, here.y + moved.y};
    e->depth++;
    e->group = values[3].len == 0 ? m->text.data : NULL;
    e->hover = values[1];
    e->facts.is_graphviz |=
        brz_str_is(values[2], "graph") && brz_starts_with(values[3], BRZ_STR("graph"));
}

static void close_group(elements *e)
{
    end_frame(e);
    e->depth -= e->depth > 0;
}

enum { X, Y, WIDTH, FG_X, FG_W, HOVER, ORIG_X, ORIG_WIDTH, N_KEYS };

static const char *const rect_keys[N_KEYS] = {"x",    "y",           "width",   "fg:x",
                                              "fg:w", "onmouseover", "_orig_x", "_orig_width"};

/* Reads the weights among the attributes of a rectangle; places are weights then. */
static bool read_weights(box *x, const brz_str *values)
{
    int64_t left, width;
    if (!brz_parse_i64(values[FG_X], &left) || !brz_parse_i64(values[FG_W], &width) || left < 0 ||
        width < 0)
        return false;
    x->weight_left = left;
    x->weight = width;
    return true;
}

/* Reads the place of a rectangle. Returns false if it has none. */
static bool read_place(elements *e, const brz_str *values, box *x)
{
    offset here = current(e);
    uint32_t decimals = 0, ignored = 0;
    brz_str left = values[ORIG_X].len > 0 ? values[ORIG_X] : values[X];
    brz_str width = values[ORIG_WIDTH].len > 0 ? values[ORIG_WIDTH] : values[WIDTH];
    if (!parse_length(width, &x->width, &decimals) || x->width < 0 ||
        (left.len > 0 && !parse_length(left, &x->left, &decimals)) ||
        (values[Y].len > 0 && !parse_length(values[Y], &x->y, &ignored)))
        return false;
    x->left += here.x;
    x->y += here.y;
    x->length_decimals = decimals;
    return true;
}

static void read_rectangle(elements *e, const markup *m)
{
    brz_str values[N_KEYS], text;
    markup_attributes(m, rect_keys, N_KEYS, values);
    e->pending = (box){.at = m->text.data};
    if (!read_place(e, values, &e->pending)) {
        if (e->title.len > 0 || e->hover.len > 0 || values[HOVER].len > 0)
            brz_report_lost_weight(e->ctx, "picture.place", m->text.data, 0,
                                   BRZ_STR("a frame without a place: its caller counts it"), 0);
        e->group = NULL;
        e->title = brz_str_of(NULL, 0);
        return;
    }
    bool has_title = e->title.data != NULL;
    brz_str hover = values[HOVER].len > 0 ? values[HOVER] : has_title ? e->title : e->hover;
    e->pending.is_weighed = read_weights(&e->pending, values);
    e->has_pending = true;
    if (has_title)
        add(e, decoded(e, e->title));
    else if (hover.len > 0 && (text = hovered(e, hover)).len > 0)
        add(e, text);
}

/* Reads a title. Outside of groups, it is one of a frame only if it states a count. */
static void read_title(elements *e, markup *m)
{
    static const char *const ends[] = {"rect", "title", "g", "text"};
    brz_str text = markup_content(m, ends, BRZ_COUNT_OF(ends));
    title t;
    title_parse(text, &t);
    if (e->has_pending && (e->depth > 0 || t.has_count))
        add(e, decoded(e, text));
    else if (e->depth > 0 || t.has_count)
        e->title = text;
}

/* Reads a text outside of frames: the title of the picture may say that it is reversed. */
static void read_text(elements *e, markup *m)
{
    static const char *const ends[] = {"rect", "title", "g", "text"};
    brz_str text = markup_content(m, ends, BRZ_COUNT_OF(ends));
    if (e->boxes.n == 0)
        e->facts.is_reversed |=
            brz_str_has(text, BRZ_STR("everse")) || brz_str_has(text, BRZ_STR("Backtrace"));
}

static bool is_group(const markup *m)
{
    return brz_str_is(m->name, "g") || brz_str_is(m->name, "a");
}

void elements_read(elements *e, markup *m)
{
    if (m->kind == MARKUP_OPEN && is_group(m)) {
        if (!m->is_empty)
            open_group(e, m);
    } else if (m->kind == MARKUP_CLOSE && is_group(m)) {
        close_group(e);
    } else if (markup_is(m, MARKUP_OPEN, "rect")) {
        read_rectangle(e, m);
    } else if (markup_is(m, MARKUP_OPEN, "title")) {
        read_title(e, m);
    } else if (markup_is(m, MARKUP_OPEN, "text")) {
        read_text(e, m);
    }
}

/* ---- weights --------------------------------------------------------------------------------- */

/* Returns what lengths are multiples of. A few longer fractions may be damage. */
static double precision_of(const elements *e)
{
    size_t n = 0;
    uint32_t decimals = PICTURE_DECIMALS;
    while (decimals > 0 && (n += e->of_decimals[decimals]) * 4 < e->boxes.n)
        decimals--;
    return 1 / (double)brz_power_of_ten(decimals);
}

/* Returns the widest box with a weight, or NULL. */
static const box *widest_weighed(const boxes *b)
{
    const box *widest = NULL;
    for (size_t i = 0; i < b->n; i++)
        if (b->items[i].is_weighed && b->items[i].weight > 0 && b->items[i].width > 0 &&
            (widest == NULL || b->items[i].width > widest->width))
            widest = &b->items[i];
    return widest;
}

/* Makes lengths weights. Rectangles that lack theirs keep their proportions. */
static void use_weights(elements *e)
{
    boxes *b = &e->boxes;
    const box *widest = widest_weighed(b);
    if (widest == NULL)
        return;
    double scale = (double)widest->weight / widest->width;
    double zero = widest->left - (double)widest->weight_left / scale;
    for (size_t i = 0; i < b->n; i++) {
        box *x = &b->items[i];
        if (!x->is_weighed)
            BRZ_WARN(e->ctx, "picture.weight", x->at, 0,
                     "a frame without its weight, which others have: its width counts");
        x->left = x->is_weighed ? (double)x->weight_left : (x->left - zero) * scale;
        x->width = x->is_weighed ? (double)x->weight : round(x->width * scale);
    }
    b->precision = 0;
}

/* ---- units ----------------------------------------------------------------------------------- */

typedef struct unit {
    const char *shown;
    double size;
    const char *const *names; /* of thousands of the smallest unit, or the smallest alone */
} unit;

static const char *const times[] = {"nanoseconds", "microseconds", "milliseconds", "seconds"};
static const char *const bytes[] = {"bytes", NULL, NULL, NULL};

static const unit units[] = {
    {"ns", 1, times},
    {"µs", 1e3, times},
    {"us", 1e3, times},
    {"ms", 1e6, times},
    {"s", 1e9, times},
    {"B", 1, bytes},
    {"KiB", 1024, bytes},
    {"MiB", 1048576, bytes},
    {"GiB", 1073741824.0, bytes},
    {"TiB", 1099511627776.0, bytes},
};

static bool is_about(double a, double b)
{
    return fabs(a - b) <= 0.01 * fabs(b);
}

/* Returns the name of the unit of weights, of which titles show `ratio` of a larger unit each; NULL
 * if it is not known. */
static const char *unit_of_weights(brz_str shown, double ratio)
{
    for (size_t i = 0; i < BRZ_COUNT_OF(units); i++) {
        if (!brz_str_is(shown, units[i].shown))
            continue;
        double size = ratio * units[i].size;
        for (size_t k = 0; k < 4 && units[i].names[k] != NULL; k++) {
            if (is_about(size, 1))
                return units[i].names[k];
            size /= 1000;
        }
    }
    return NULL;
}

/* Makes weights the counts, in units of 10^-`decimals`. */
static void count_weights(boxes *b, uint32_t decimals)
{
    b->decimals = decimals;
    for (size_t i = 0; i < b->n; i++) {
        box *x = &b->items[i];
        x->count = x->width < 9e18 ? (int64_t)x->width : INT64_MAX;
        x->count = x->is_weighed ? x->weight : x->count;
        x->decimals = decimals;
        x->has_count = true;
        x->percent = -1;
    }
}

/* Returns the number of decimals of weights that titles show as fractions. */
static uint32_t decimals_of(const boxes *b, double ratio)
{
    for (uint32_t n = 1; n <= TITLE_DECIMALS && b->decimals > 0; n++)
        if (is_about(ratio * (double)brz_power_of_ten(n), 1))
            return n;
    return 0;
}

/* Decides what counts in a picture whose rectangles have weights: these, unless titles state the
 * same, which tells damage to either. */
static void choose_counts(elements *e)
{
    boxes *b = &e->boxes;
    const box *x = boxes_widest(b);
    double ratio = x == NULL || x->width <= 0
                       ? 0
                       : (double)x->count / (double)brz_power_of_ten(x->decimals) / x->width;
    if (fabs(ratio - 1) < 1e-9)
        return;
    const char *unit_name = unit_of_weights(b->unit, ratio);
    uint32_t decimals = unit_name != NULL ? 0 : decimals_of(b, ratio);
    if (unit_name != NULL)
        b->unit = brz_str_of_text(unit_name);
    e->facts.is_scaled = unit_name == NULL && decimals == 0 && x != NULL;
    if (x == NULL)
        b->unit = BRZ_STR("samples");
    count_weights(b, decimals);
}

/* Reports groups that lack a title or a rectangle where most have both. */
static void report_incomplete(const elements *e)
{
    brz_diag d = brz_diag_of(BRZ_WARNING, "picture.part", e->incomplete, 0,
                             BRZ_STR("frames that lack a part, which callers count: {count}"));
    d.count = d.records = d.weighed = e->n_incomplete;
    if (e->n_incomplete > 0 && e->n_incomplete < e->boxes.n)
        e->ctx->host->diag(e->ctx, &d);
}

void elements_finish(elements *e)
{
    boxes *b = &e->boxes;
    report_incomplete(e);
    b->precision = precision_of(e);
    if (e->n_weighed * 2 > b->n) {
        use_weights(e);
        choose_counts(e);
    }
    boxes_weigh(b, e->ctx);
}
