/* SPDX-License-Identifier: MIT */
/* Formats weights for readers. */
#include "amount.h"

#include <brazier/digits.h>
#include <brazier/symbol.h>

#include <math.h>

#include "screen_text.h"

/* ---- units --------------------------------------------------------------------------------- */

/* A unit of weights, and its size in the smallest unit of its kind. */
typedef struct known_unit {
    const char *name;
    double size;
} known_unit;

static const known_unit times[] = {
    {"nanoseconds", 1},    {"nanosecond", 1},    {"ns", 1},          {"microseconds", 1e3},
    {"microsecond", 1e3},  {"us", 1e3},          {"\302\265s", 1e3}, {"\316\274s", 1e3},
    {"milliseconds", 1e6}, {"millisecond", 1e6}, {"ms", 1e6},        {"seconds", 1e9},
    {"second", 1e9},       {"sec", 1e9},         {"s", 1e9},         {NULL, 0},
};
static const known_unit sizes[] = {
    {"bytes", 1},
    {"byte", 1},
    {"B", 1},
    {"kilobytes", 1024},
    {"kilobyte", 1024},
    {"KiB", 1024},
    {"megabytes", 0x1p20},
    {"megabyte", 0x1p20},
    {"MiB", 0x1p20},
    {NULL, 0},
};

static const amount_unit time_units[AMOUNT_UNITS] = {
    {"ns", 1}, {"\302\265s", 1e3}, {"ms", 1e6}, {"s", 1e9}, {NULL, 0}};
static const amount_unit size_units[AMOUNT_UNITS] = {
    {"B", 1}, {"KiB", 0x1p10}, {"MiB", 0x1p20}, {"GiB", 0x1p30}, {"TiB", 0x1p40}};

static double size_of(brz_str unit, const known_unit *known)
{
    for (; known->name != NULL; known++)
        if (brz_str_is(unit, known->name))
            return known->size;
    return 0;
}

/* Returns whether a text is one of `words`, which end with NULL. */
static bool is_any(brz_str s, const char *const *words)
{
    for (; *words != NULL; words++)
        if (brz_str_is(s, *words))
            return true;
    return false;
}

/* Returns the word for the things that a weight counts: its unit, or else its name. The sides of a
 * comparison are named after their order instead. */
static brz_str word_of(const brz_column_info *weight)
{
    static const char *const plain[] = {"", "count", "none", NULL};
    if (!is_any(weight->unit, plain))
        return weight->unit;
    bool is_side = (weight->flags & (BRZ_COLUMN_BEFORE | BRZ_COLUMN_AFTER)) != 0;
    return is_side || weight->name.len == 0 ? BRZ_STR("samples") : weight->name;
}

amount_scale amount_scale_of(const brz_column_info *weight, double factor)
{
    amount_scale s = {.steps = 1, .word = word_of(weight)};
    double time = size_of(weight->unit, times), size = size_of(weight->unit, sizes);
    for (uint32_t i = 0; i < weight->decimals; i++)
        s.steps *= 10;
    s.steps /= factor;
    double base = time > 0 ? time : size;
    for (size_t i = 0; i < AMOUNT_UNITS && base > 0 && factor > 0; i++) {
        s.units[i] = time > 0 ? time_units[i] : size_units[i];
        s.units[i].size = s.units[i].size * s.steps / base;
    }
    return s;
}

/* ---- numbers ------------------------------------------------------------------------------- */

/* Writes an integer with thousands separators: 1234567 as "1,234,567". */
static char *format_grouped(char *to, uint64_t v)
{
    char digits[BRZ_NUMBER_ROOM], *end = digits + 24, *start = brz_digits(end, v);
    for (; start < end; start++) {
        *to++ = *start;
        if (end - start > 1 && (end - start) % 3 == 1)
            *to++ = ',';
    }
    return to;
}

void put_count(brz_writer *w, uint64_t count)
{
    char *text = brz_writer_room(w, (size_t)2 * BRZ_NUMBER_ROOM);
    w->used += (size_t)(format_grouped(text, count) - text);
}

/* Writes `v` parts of which `whole` are 1, without trailing zeros; `whole` is a power of ten, at
 * most 10^18. */
static char *format_parts(char *to, uint64_t v, uint64_t whole)
{
    uint64_t rest = v % whole;
    to = format_grouped(to, v / whole);
    if (rest > 0)
        *to++ = '.';
    for (; rest > 0; rest %= whole) {
        rest *= 10;
        *to++ = (char)('0' + rest / whole);
    }
    return to;
}

#define FIRST_EVEN 0x1p53 /* from here on, doubles have no fraction */

/* Returns v / one in parts of which `whole` are 1, rounded to nearest. `v` is not negative. */
static double parts_of(double v, double one, double whole)
{
    double parts = v / one * whole + 0.5;
    return parts < FIRST_EVEN ? (double)(int64_t)parts : parts;
}

#define MOST_PARTS  1.8e19 /* parts that fit into 64 bits */
#define SHARE_SHOWN 0.005  /* smallest share that is not rounded to 0, in percent */

/* Writes v / one with as many decimals as `whole` has zeros, which are doubled until a `v` that is
 * not 0 is not shown as 0. */
static char *format_decimals(char *to, double v, double one, uint64_t whole)
{
    double parts = parts_of(v, one, (double)whole);
    while (v > 0 && parts < 1 && whole <= UINT64_C(10000000000000000)) {
        whole *= 100;
        parts = parts_of(v, one, (double)whole);
    }
    return format_parts(to, parts < MOST_PARTS ? (uint64_t)parts : UINT64_MAX, whole);
}

/* Writes a number of a unit with up to two decimals, and the unit. */
static char *format_unit(char *to, double v, const amount_unit *unit)
{
    to = format_decimals(to, v, unit->size, 100);
    *to++ = ' ';
    for (const char *c = unit->name; c != NULL && *c != '\0'; c++)
        *to++ = *c;
    return to;
}

/* Returns the largest unit of which `v`, as it is shown, is at least one; seconds or bytes for 0.
 */
static const amount_unit *unit_for(const amount_scale *s, double v)
{
    const amount_unit *units = s->units;
    size_t last = AMOUNT_UNITS - 1, i;
    while (units[last].name == NULL)
        last--;
    if (!(v > 0))
        return units[0].name[0] == 'B' ? &units[0] : &units[last];
    for (i = last; i > 0 && v < units[i].size;)
        i--;
    bool is_next = i < last && parts_of(v, units[i].size, 100) >=
                                   parts_of(units[i + 1].size, units[i].size, 100);
    return &units[i + is_next];
}

char *amount_format(char *to, const amount_scale *s, int64_t value)
{
    uint64_t v = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    if (value < 0)
        *to++ = '-';
    if (amount_has_units(s))
        return format_unit(to, (double)v, unit_for(s, (double)v));
    if (s->steps == 1)
        return format_grouped(to, v);
    return format_decimals(to, (double)v, s->steps, 10000);
}

char *amount_share(char *to, double percent)
{
    if (percent == 0 || fabs(percent) >= SHARE_SHOWN)
        return brz_format_fixed(to, percent, 2);
    for (const char *c = percent < 0 ? "-<0.01" : "<0.01"; *c != '\0'; c++)
        *to++ = *c;
    return to;
}

brz_str amount_singular(brz_str word)
{
    static const char *const plurals[] = {"samples", "objects", "allocations",
                                          "calls",   "events",  NULL};
    return is_any(word, plurals) ? brz_str_of(word.data, word.len - 1) : word;
}

brz_str amount_word(const amount_scale *s, const char *text, const char *end)
{
    return amount_is_one(text, end) ? amount_singular(s->word) : s->word;
}

/* Writes a value with its unit or word. */
static void put_number(brz_writer *w, const amount_scale *s, int64_t value)
{
    char text[AMOUNT_ROOM], *end = amount_format(text, s, value);
    brz_put(w, text, (size_t)(end - text));
    if (amount_has_units(s))
        return;
    brz_put_char(w, ' ');
    put_screen_text(w, amount_word(s, text, end), UINT32_MAX);
}

/* ---- totals -------------------------------------------------------------------------------- */

uint32_t amount_samples(const brz_tree *tree, uint32_t weight)
{
    const amount_scale scale = amount_scale_of(brz_column_at(tree, weight), 1);
    for (uint32_t i = 0; i < tree->n_columns && amount_has_units(&scale); i++) {
        const brz_column_info *w = brz_column_at(tree, i);
        if ((w->flags & BRZ_COLUMN_SAMPLES) && w->total > 0)
            return i;
    }
    return BRZ_NO_COLUMN;
}

void put_amount_total(brz_writer *w, const brz_tree *tree, uint32_t weight)
{
    const brz_column_info *info = brz_column_at(tree, weight);
    const amount_scale scale = amount_scale_of(info, 1);
    uint32_t samples = amount_samples(tree, weight);
    if (info->name.len > 0 && !brz_str_equal(info->name, scale.word)) {
        put_screen_text(w, info->name, UINT32_MAX);
        BRZ_PUT(w, ": ");
    }
    put_number(w, &scale, info->total);
    if (samples == BRZ_NO_COLUMN)
        return;
    const amount_scale count = amount_scale_of(brz_column_at(tree, samples), 1);
    BRZ_PUT(w, " in ");
    put_number(w, &count, brz_column_at(tree, samples)->total);
}
