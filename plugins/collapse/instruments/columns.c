/* SPDX-License-Identifier: MIT */
/* Parses the columns of a call tree of Instruments. */
#include "columns.h"

#include "../../common/table/decimal.h"

#include <brazier/symbol.h>
#include <brazier/text.h>

/* ---- titles ---------------------------------------------------------------------------------- */

static bool is_sum(brz_str title)
{
    return brz_starts_with(title, BRZ_STR("Weight")) ||
           brz_starts_with(title, BRZ_STR("Running")) ||
           brz_starts_with(title, BRZ_STR("Bytes Used")) || brz_str_is(title, "Count") ||
           brz_starts_with(title, BRZ_STR("# "));
}

/* Returns the unit in a title such as "Self (ms)". */
static brz_str unit_of(brz_str title)
{
    static const char *const units[] = {"(s)", "(ms)", "(us)"};
    static const brz_str texts[] = {{"s", 1}, {"ms", 2}, {"us", 2}};
    for (size_t i = 0; i < BRZ_COUNT_OF(units); i++)
        if (brz_ends_with(title, brz_str_of_text(units[i])))
            return texts[i];
    return brz_str_of(NULL, 0);
}

/* Adds a column. One with the rows' own amounts hides the sums before it, which still give its
 * unit. */
static void add_column(columns *c, brz_str title, size_t cell)
{
    bool is_self = brz_starts_with(title, BRZ_STR("Self"));
    if (c->n == COLUMNS_MOST || (!is_self && !is_sum(title)))
        return;
    if (is_self && c->n > 0 && !c->items[c->n - 1].is_self) {
        c->items[c->n - 1].is_hidden = true;
        c->n_shown--;
    }
    c->items[c->n++] = (column){.cell = cell, .unit = unit_of(title), .is_self = is_self};
    c->n_shown++;
}

bool columns_read_titles(columns *c, brz_str line)
{
    brz_str title;
    *c = (columns){.n = 0};
    for (size_t cell = 0; brz_take_piece(&line, '\t', &title); cell++) {
        title = brz_trim(title);
        if (cell == 0 && !is_sum(title))
            return false;
        c->n_cells = cell;
        if (brz_starts_with(title, BRZ_STR("Symbol Name")))
            return c->n > 0;
        add_column(c, title, cell);
    }
    return false;
}

/* ---- amounts --------------------------------------------------------------------------------- */

typedef struct unit {
    const char *name;
    amount_kind kind;
    int64_t factor; /* in nanoseconds, bytes or cycles, before the zeros */
    int32_t zeros;
} unit;

static const unit units[] = {
    {"ns", AMOUNT_TIME, 1, 0},
    {"us", AMOUNT_TIME, 1, 3},
    {"\xc2\xb5s", AMOUNT_TIME, 1, 3},
    {"\xce\xbcs", AMOUNT_TIME, 1, 3},
    {"ms", AMOUNT_TIME, 1, 6},
    {"s", AMOUNT_TIME, 1, 9},
    {"min", AMOUNT_TIME, 60, 9},
    {"h", AMOUNT_TIME, 3600, 9},
    {"hr", AMOUNT_TIME, 3600, 9},
    {"Bytes", AMOUNT_BYTES, 1, 0},
    {"B", AMOUNT_BYTES, 1, 0},
    {"KB", AMOUNT_BYTES, INT64_C(1) << 10, 0},
    {"KiB", AMOUNT_BYTES, INT64_C(1) << 10, 0},
    {"MB", AMOUNT_BYTES, INT64_C(1) << 20, 0},
    {"MiB", AMOUNT_BYTES, INT64_C(1) << 20, 0},
    {"GB", AMOUNT_BYTES, INT64_C(1) << 30, 0},
    {"GiB", AMOUNT_BYTES, INT64_C(1) << 30, 0},
    {"TB", AMOUNT_BYTES, INT64_C(1) << 40, 0},
    {"cycles", AMOUNT_CYCLES, 1, 0},
    {"c", AMOUNT_CYCLES, 1, 0},
    {"Kc", AMOUNT_CYCLES, 1, 3},
    {"Mc", AMOUNT_CYCLES, 1, 6},
    {"Gc", AMOUNT_CYCLES, 1, 9},
    {"Tc", AMOUNT_CYCLES, 1, 12},
    {"", AMOUNT_COUNT, 1, 0},
};

static const unit *find_unit(brz_str name)
{
    for (size_t i = 0; i < BRZ_COUNT_OF(units); i++)
        if (brz_str_is(name, units[i].name))
            return &units[i];
    return NULL;
}

/* Removes a unit from the front: letters. */
static brz_str take_unit(brz_str *s)
{
    size_t n = 0;
    *s = brz_trim_start(*s);
    while (n < s->len && !brz_is_blank(s->data[n]) && !brz_is_digit(s->data[n]) &&
           brz_space_at(s->data + n, s->len - n) == 0)
        n++;
    brz_str name = brz_str_of(s->data, n);
    *s = brz_str_of(s->data + n, s->len - n);
    return name;
}

/* Removes commas between digits, which group them. */
static size_t without_commas(brz_str s, char *out, size_t room)
{
    size_t n = 0;
    for (size_t i = 0; i < s.len && n < room; i++) {
        bool groups =
            i > 0 && i + 1 < s.len && brz_is_digit(s.data[i - 1]) && brz_is_digit(s.data[i + 1]);
        if (s.data[i] != ',' || !groups)
            out[n++] = s.data[i];
    }
    return n;
}

/* Returns whether nothing follows an amount, or its share of the whole: "100.0%". */
static bool is_end_or_share(brz_str rest)
{
    rest = brz_trim(rest);
    return rest.len == 0 || brz_ends_with(rest, BRZ_STR("%"));
}

/* Returns whether a number has a fraction other than 0. */
static bool has_fraction(decimal d)
{
    for (; d.decimals > 0; d.decimals--, d.digits /= 10)
        if (d.digits % 10 != 0)
            return true;
    return false;
}

/* Returns whether a unit cannot be divided: a number with a fraction had a larger unit, such as
 * "Mc", before it was damaged. */
static bool is_smallest(const unit *u)
{
    return u->kind != AMOUNT_TIME && u->factor == 1 && u->zeros == 0;
}

/* Returns half of the last digit's value, if the amount is rounded: those with a fraction or in a
 * larger unit are, but not "0 s". */
static int64_t rounding_of(const decimal *d, const unit *u)
{
    decimal half = {5 * u->factor, d->decimals + 1 - u->zeros};
    int64_t value = 0;
    bool is_exact = d->decimals == 0 && (d->digits == 0 || (u->factor == 1 && u->zeros == 0));
    return !is_exact && decimal_scale(&half, 0, &value) ? value + 1 : 0;
}

/* Parses "96.08 Gc  100.0%", "84671" and "-". An amount of nothing fits every kind. */
static bool read_amount(const column *c, brz_str cell, int64_t *amount, int64_t *rounding,
                        amount_kind *kind)
{
    char text[64];
    decimal d;
    *rounding = 0;
    cell = brz_trim(cell);
    *amount = 0;
    *kind = AMOUNT_NONE;
    if (cell.len == 0 || brz_str_is(cell, "-"))
        return true;
    brz_str s = brz_str_of(text, without_commas(cell, text, sizeof text));
    if (!brz_is_digit(text[0]) || !decimal_take(&s, false, &d) ||
        text[s.data - text - 1] == '.') /* a digit beside the point is missing */
        return false;
    brz_str name = take_unit(&s);
    const unit *u = find_unit(name.len == 0 ? c->unit : name);
    if (u == NULL || (is_smallest(u) && has_fraction(d)) || !is_end_or_share(s))
        return false;
    *rounding = rounding_of(&d, u);
    if (__builtin_mul_overflow(d.digits, u->factor, &d.digits))
        return false;
    d.decimals -= u->zeros;
    *kind = u->kind;
    return decimal_scale(&d, 0, amount);
}

/* Sets the kind of a column to that of an amount. Returns false if it has another kind already. */
static bool agree_kind(columns *c, size_t i, amount_kind kind)
{
    column *own = &c->items[i];
    if (kind == AMOUNT_NONE && i > 0 && c->items[i - 1].is_hidden)
        kind = c->items[i - 1].kind;
    if (own->kind == AMOUNT_NONE)
        own->kind = kind;
    return kind == AMOUNT_NONE || kind == own->kind;
}

/* Returns whether an own amount is larger than the one with those of the rows below, more than
 * rounding explains. */
static bool exceeds_total(const amounts *a, size_t i)
{
    int64_t most;
    return a->totals[i] > 0 && !__builtin_add_overflow(a->totals[i], a->rounding[i], &most) &&
           a->own[i] > most;
}

static bool read_cells(columns *c, brz_str cells, amounts *a)
{
    brz_str cell;
    size_t i = 0, shown = 0, k = 0;
    for (; brz_take_piece(&cells, '\t', &cell); k++) {
        int64_t amount, rounding;
        amount_kind kind;
        if (i == c->n || c->items[i].cell != k)
            continue;
        if (!read_amount(&c->items[i], cell, &amount, &rounding, &kind) || !agree_kind(c, i, kind))
            return false;
        if (i == 0 || !c->items[i - 1].is_hidden) {
            a->totals[shown] = amount;
            a->rounding[shown] = 0;
        }
        if (__builtin_add_overflow(a->rounding[shown], rounding, &a->rounding[shown]))
            a->rounding[shown] = INT64_MAX;
        if (!c->items[i].is_hidden) {
            a->own[shown] = amount;
            if (exceeds_total(a, shown++))
                return false;
        }
        i++;
    }
    return i == c->n && k == c->n_cells;
}

bool columns_read(columns *c, brz_str cells, amounts *a)
{
    columns before = *c;
    if (read_cells(c, cells, a))
        return true;
    *c = before; /* a damaged row does not tell the kinds of columns */
    return false;
}

size_t columns_rows(const columns *c, brz_str cells)
{
    brz_str cell;
    size_t n = 0;
    while (brz_take_piece(&cells, '\t', &cell))
        n++;
    return c->n_cells > 0 && n % c->n_cells == 0 ? n / c->n_cells : 0;
}

bool columns_read_own(const columns *c, brz_str cells, size_t row, int64_t *own)
{
    const column *shown = columns_shown(c, 0);
    const column *total = shown > c->items && shown[-1].is_hidden ? shown - 1 : NULL;
    brz_str cell = cells;
    amount_kind kind;
    int64_t rounding, most = INT64_MAX;
    for (size_t k = 0; k <= row * c->n_cells + shown->cell; k++) {
        if (!brz_take_piece(&cells, '\t', &cell))
            return false;
        if (total != NULL && k == row * c->n_cells + total->cell &&
            !(read_amount(total, cell, &most, &rounding, &kind) && most > 0 &&
              !__builtin_add_overflow(most, rounding, &most)))
            most = INT64_MAX;
    }
    return read_amount(shown, cell, own, &rounding, &kind) && *own - rounding <= most &&
           (kind == AMOUNT_NONE || kind == shown->kind);
}

bool columns_find_both(const columns *c, size_t *shown)
{
    size_t i = 0;
    while (i < c->n && !c->items[i].is_hidden)
        i++;
    *shown = i;
    return i < c->n;
}

bool columns_have_totals(const columns *c, size_t i)
{
    const column *shown = columns_shown(c, i);
    return !shown->is_self || (shown > c->items && shown[-1].is_hidden);
}

const column *columns_shown(const columns *c, size_t i)
{
    const column *at = c->items;
    for (; at->is_hidden || i > 0; at++)
        i -= !at->is_hidden;
    return at;
}
