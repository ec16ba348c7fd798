/* SPDX-License-Identifier: MIT */
/* Reads the text of `go tool pprof -traces` after the first separator:
 *
 *     trace := (blank* key ":" blanks text)* amount function function* separator
 *     row   := [amount] blanks function ["(inline)"]
 *
 * Functions run from leaf to root; the amount is in front of the leaf.
 */
#include "../../common/table/decimal.h"
#include "reader.h"

/* The last one without a unit. */
static const go_unit units[] = {
    {"ns", "nanoseconds", 1},
    {"us", "nanoseconds", 1000},
    {"\xc2\xb5s", "nanoseconds", 1000},
    {"ms", "nanoseconds", 1000000},
    {"s", "nanoseconds", 1000000000},
    {"mins", "nanoseconds", INT64_C(60000000000)},
    {"hrs", "nanoseconds", INT64_C(3600000000000)},
    {"B", "bytes", 1},
    {"kB", "bytes", INT64_C(1) << 10},
    {"MB", "bytes", INT64_C(1) << 20},
    {"GB", "bytes", INT64_C(1) << 30},
    {"TB", "bytes", INT64_C(1) << 40},
    {"", "count", 1},
};

const go_unit *go_find_unit(brz_str name)
{
    for (size_t i = 0; i < BRZ_COUNT_OF(units); i++)
        if (brz_str_is(name, units[i].name))
            return &units[i];
    return NULL;
}

void go_declare(go *g, const go_unit *u)
{
    brz_str name = g->type.len > 0 ? g->type : BRZ_STR("samples");
    if (g->n_columns > 0)
        return;
    g->base = u->base;
    g->columns[g->n_columns++] = dump_declare(g->dump.ctx, name, brz_str_of_text(u->base));
}

/* Returns whether an amount's unit follows a blank or a tab, which is a damaged byte of it. */
static bool has_damaged_unit(brz_str rest)
{
    brz_str word, name;
    bool is_blank = brz_str_take(&rest, " ") || brz_str_take(&rest, "\t");
    return is_blank && brz_cut_first(rest, ' ', &word, &name) && word.len > 0 &&
           go_find_unit(word) != NULL;
}

/* Returns whether an amount goes on after blanks, of which one is a damaged byte of it, or another
 * amount is after it: three blanks stand between an amount and a function. */
static bool goes_on(brz_str rest)
{
    decimal d;
    bool is_close = dump_take_blanks(&rest) < 3;
    if (rest.len == 0 || !brz_is_digit(rest.data[0]) || !decimal_take(&rest, false, &d))
        return false;
    size_t n = 0;
    while (n < rest.len && !brz_is_blank(rest.data[n]))
        n++;
    return is_close || (n > 0 && n + 3 < rest.len && brz_is_blank(rest.data[n + 1]) &&
                        go_find_unit(brz_str_of(rest.data, n)) != NULL);
}

/* Removes "650ms" and the blanks after it from the front. Returns its unit, or NULL without it. */
static const go_unit *split_amount(brz_str *s, int64_t *value)
{
    brz_str rest = *s;
    decimal d;
    bool negative = brz_str_take(&rest, "-");
    size_t n = 0;
    if (rest.len == 0 || !brz_is_digit(*rest.data) || !decimal_take(&rest, false, &d))
        return NULL;
    while (n < rest.len && !brz_is_blank(rest.data[n]))
        n++;
    const go_unit *u = go_find_unit(brz_str_of(rest.data, n));
    rest = brz_str_from(rest, n);
    bool is_cut = u != NULL && u->name[0] == '\0' &&
                  (d.decimals != 0 || has_damaged_unit(rest) || goes_on(rest));
    if (u == NULL || is_cut || dump_take_blanks(&rest) == 0 || rest.len == 0 ||
        __builtin_mul_overflow(d.digits, u->factor, &d.digits) || !decimal_scale(&d, 0, value))
        return NULL;
    *value = negative ? -*value : *value;
    *s = rest;
    return u;
}

/* Returns whether an amount has a unit like those above. pprof prints 0 without a unit. */
static bool is_amount_here(const go *g, const go_unit *u, int64_t value)
{
    return u != NULL && (g->n_columns == 0 || value == 0 || strcmp(u->base, g->base) == 0);
}

/* Returns whether three blanks are in front of the rest of a line. */
static bool ends_in_blanks(brz_str line, brz_str rest)
{
    size_t at = (size_t)(rest.data - line.data);
    return at >= 3 && memcmp(rest.data - 3, "   ", 3) == 0;
}

static bool has_amount(const go *g, brz_str text)
{
    int64_t value = 0;
    const go_unit *u = split_amount(&text, &value);
    return is_amount_here(g, u, value);
}

bool go_begins_trace(const go *g, brz_str line)
{
    int64_t value = 0;
    brz_str rest = brz_trim(line);
    const go_unit *u = split_amount(&rest, &value);
    bool is_function = rest.len > 0 && !brz_is_digit(rest.data[0]); /* else a sample of -raw */
    return is_function && is_amount_here(g, u, value) && ends_in_blanks(line, rest);
}

/* Begins a trace if the text has an amount, which is removed. */
static bool take_amount(go *g, brz_str *s)
{
    brz_str rest = *s;
    const go_unit *u = split_amount(&rest, &g->value);
    bool is_before_label = brz_str_has(rest, BRZ_STR(":  ")); /* a digit among its blanks */
    if (is_before_label || !is_amount_here(g, u, g->value))
        return false;
    *s = rest;
    go_declare(g, u);
    g->has_value = true;
    return true;
}

/* Returns whether a line is a separator, but for a damaged part. */
static bool is_rule(brz_str text)
{
    size_t dashes = 0;
    for (size_t i = 0; i < text.len; i++)
        dashes += text.data[i] == '-';
    return text.len > 16 && dashes + 4 > text.len;
}

void go_describe(dump *d, brz_str text, brz_frame_desc *frame)
{
    (void)d;
    if (brz_ends_with(text, BRZ_STR(" (inline)"))) {
        text.len -= 9;
        frame->flags = BRZ_FRAME_INLINED;
    }
    frame->name = brz_trim_end(text);
    frame->kind = BRZ_KIND_USER;
}

brz_rc go_end_trace(go *g)
{
    brz_rc rc = BRZ_OK;
    if (g->has_value && dump_depth(&g->dump) > 0 && g->value != 0)
        rc = dump_count(&g->dump, g->columns[0], g->value);
    brz_path_cut(g->dump.stacks.path, 0);
    g->has_value = g->is_lost = false;
    return rc;
}

/* Returns whether a line in front of a trace has labels or numbers of it: " key:  text". */
static bool is_label(brz_str text)
{
    size_t at = brz_str_find(text, BRZ_STR(": "), 0);
    return at != SIZE_MAX && at > 0;
}

/* Ends a trace where the next one begins, though no line separates them. */
static brz_rc end_joined(go *g, brz_str line)
{
    BRZ_WARN(g->dump.ctx, "go.separator", line.data, line.len,
             "a trace begins without a line that ends what is before it");
    return go_end_trace(g);
}

/* Finds an amount after damaged bytes: "@  650ms   main.alpha". */
static bool find_amount(const go *g, brz_str line, int64_t *value)
{
    for (size_t i = 1; i < line.len && i < 64; i++) {
        char before = line.data[i - 1];
        brz_str rest = brz_str_from(line, i);
        bool is_rest = i > 1 && (brz_is_digit(line.data[i - 2]) || line.data[i - 2] == '.');
        if (brz_is_digit(line.data[i]) && !brz_is_digit(before) && before != '.' && !is_rest &&
            split_amount(&rest, value) != NULL && ends_in_blanks(line, rest))
            return g->n_columns > 0;
    }
    return false;
}

/* Reports the first line of a trace that has no amount. */
static void leave_out(go *g, brz_str line)
{
    int64_t value;
    if (g->is_lost)
        return;
    if (find_amount(g, line, &value))
        dump_left_out(&g->dump, "go.trace", line,
                      BRZ_STR("neither an amount nor a label: left out"), value);
    else
        brz_report_lost(g->dump.ctx, "go.trace", line.data, line.len,
                        BRZ_STR("neither an amount nor a label: left out"));
    g->is_lost = true;
}

/* Removes a digit, which is another byte, from the blanks in front of a function: those between an
 * amount and a function are three. */
static bool take_odd_digit(go *g, brz_str line, brz_str *text)
{
    brz_str rest = brz_trim_end(line);
    size_t indent = dump_take_blanks(&rest);
    if (indent == 0 || rest.len < 3 || !brz_is_digit(rest.data[0]) || !brz_is_blank(rest.data[1]))
        return false;
    rest = brz_str_from(rest, 1);
    if (dump_take_blanks(&rest) == 3 || rest.len == 0)
        return false;
    BRZ_WARN(g->dump.ctx, "go.digit", line.data, line.len,
             "a digit among the blanks in front of a function: left out");
    *text = rest;
    return true;
}

brz_rc go_read_trace(go *g, brz_str line)
{
    brz_str text = brz_trim(line);
    brz_rc rc = BRZ_OK;
    if (go_is_separator(line))
        return go_end_trace(g);
    if (text.len == 0 || is_rule(text))
        return BRZ_OK;
    bool has_labels = brz_str_find(text, BRZ_STR(":  "), 0) != SIZE_MAX;
    bool is_function = g->has_value && take_odd_digit(g, line, &text);
    if (g->has_value && !is_function && (has_labels || has_amount(g, text)))
        rc = end_joined(g, line);
    if (g->has_value || take_amount(g, &text))
        dump_push(&g->dump, text, 0, go_describe);
    else if (!is_label(text))
        leave_out(g, line);
    else if (brz_is_digit(text.data[0]))
        BRZ_WARN(g->dump.ctx, "go.digit", line.data, line.len,
                 "a digit among the blanks in front of a label: left out");
    return rc;
}
