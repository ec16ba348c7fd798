/* SPDX-License-Identifier: MIT */
/* Parses a component's options. */
#include "plugin/options.h"

#include <brazier/color.h>

#include <brazier/symbol.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/ids.h"
#include "base/mem.h"
#include "base/suggest.h"

/* ---- option tables --------------------------------------------------------------------------- */

const brz_option *brz_option_at(const brz_component *c, uint32_t i)
{
    return (const brz_option *)brz_at(c->options, c->option_size, i);
}

const brz_option *brz_option_find(const brz_component *c, brz_str name, brz_buf *error)
{
    brz_suggestion near = {.typed = name};
    for (uint32_t i = 0; i < c->n_options; i++) {
        const brz_option *o = brz_option_at(c, i);
        if (brz_str_is(name, o->name))
            return o;
    }
    if (error == NULL)
        return NULL;
    for (uint32_t i = 0; i < c->n_options; i++)
        if (!(brz_option_at(c, i)->flags & BRZ_OPTION_HIDDEN))
            brz_suggestion_offer(&near, brz_option_at(c, i)->name);
    brz_buf_printf(error, "'%s' has no option '%.*s'", c->id, (int)name.len, name.data);
    brz_suggestion_add(&near, error);
    return NULL;
}

const char *brz_option_type_name(uint32_t type)
{
    static const char *const names[] = {
        [BRZ_OPTION_BOOL] = "true or false",
        [BRZ_OPTION_INT] = "a whole number",
        [BRZ_OPTION_REAL] = "a number",
        [BRZ_OPTION_SIZE] = "a size such as 64M",
        [BRZ_OPTION_DURATION] = "a duration such as 10ms",
        [BRZ_OPTION_COLOR] = "a colour such as #rrggbb, or none",
        [BRZ_OPTION_LIST] = NULL,
    };
    return names[type] != NULL ? names[type] : "text";
}

/* ---- values -------------------------------------------------------------------------------- */

/* A parsed value of any type. */
typedef union value {
    bool b;
    int64_t i;
    uint64_t u;
    double d;
    brz_str s;
    int32_t e;
    uint32_t c;
} value;

bool brz_parse_bool(brz_str s, bool *on)
{
    *on = brz_str_is(s, "true") || brz_str_is(s, "yes") || brz_str_is(s, "on");
    return *on || brz_str_is(s, "false") || brz_str_is(s, "no") || brz_str_is(s, "off");
}

/* Parses the digits in front of a unit, which `s` becomes. Returns false if they do not make up the
 * whole number, or if there are more than a double holds exactly. */
static bool parse_digits(brz_str *s, int64_t *number)
{
    size_t n = 0;
    int64_t i = 0;
    for (; n < s->len && s->data[n] >= '0' && s->data[n] <= '9' && n < 15; n++)
        i = 10 * i + (s->data[n] - '0');
    if (n == 0 || (n < s->len && memchr("0123456789.eEpPxX", s->data[n], 17) != NULL))
        return false;
    *number = i;
    *s = brz_str_of(s->data + n, s->len - n);
    return true;
}

static bool parse_int(brz_str s, value *v)
{
    char text[32], *end;
    brz_str rest = s;
    if (parse_digits(&rest, &v->i) && rest.len == 0)
        return true;
    if (s.len == 0 || s.len >= sizeof text || memchr("0123456789-", s.data[0], 11) == NULL)
        return false;
    memcpy(text, s.data, s.len);
    text[s.len] = '\0';
    errno = 0;
    v->i = strtoll(text, &end, 10);
    return end == text + s.len && errno == 0;
}

/* Parses the number in front of a unit. `s` becomes the unit. */
static bool parse_number(brz_str *s, double *d)
{
    char text[64], *end;
    int64_t whole;
    if (parse_digits(s, &whole)) {
        *d = (double)whole;
        return true;
    }
    if (s->len == 0 || s->len >= sizeof text || memchr("0123456789.-", s->data[0], 12) == NULL ||
        memchr(s->data, 'x', s->len) != NULL || memchr(s->data, 'X', s->len) != NULL)
        return false;
    memcpy(text, s->data, s->len);
    text[s->len] = '\0';
    *d = strtod(text, &end);
    size_t used = (size_t)(end - text);
    *s = brz_str_of(s->data + used, s->len - used);
    return used > 0 && isfinite(*d);
}

static bool parse_real(brz_str s, value *v)
{
    return parse_number(&s, &v->d) && s.len == 0;
}

static bool ends_with_px(brz_str s)
{
    return s.len > 2 && memcmp(s.data + s.len - 2, "px", 2) == 0;
}

static bool parse_percent_or_pixels(brz_str s, value *v)
{
    bool pixels = ends_with_px(s);
    s.len -= pixels ? 2 : s.len > 1 && s.data[s.len - 1] == '%' ? 1 : 0;
    if (!parse_real(s, v) || (pixels && v->d < 0))
        return false;
    v->d = pixels ? -v->d : v->d;
    return true;
}

typedef struct unit {
    char name[4];
    double factor;
} unit;

/* Parses a number with a unit of the table. The result is in the table's smallest unit. */
static bool parse_with_unit(brz_str s, const unit *units, double *d)
{
    if (!parse_number(&s, d) || *d < 0)
        return false;
    if (*d <= 0 && s.len == 0)
        return true;
    for (; units->factor > 0; units++) {
        if (!brz_str_is(s, units->name))
            continue;
        *d *= units->factor;
        return *d < 9.2e18;
    }
    return false;
}

static bool parse_size(brz_str s, value *v)
{
    static const unit units[] = {
        {"", 1},
        {"B", 1},
        {"K", 1024},
        {"KiB", 1024},
        {"M", 1048576},
        {"MiB", 1048576},
        {"G", 1073741824},
        {"GiB", 1073741824},
        {"kB", 1e3},
        {"KB", 1e3},
        {"MB", 1e6},
        {"GB", 1e9},
        {"T", 1099511627776.0},
        {"TiB", 1099511627776.0},
        {"TB", 1e12},
        {"", 0},
    };
    double d;
    if (!parse_with_unit(s, units, &d))
        return false;
    v->u = (uint64_t)(d + 0.5);
    return true;
}

static bool parse_duration(brz_str s, value *v)
{
    static const unit units[] = {
        {"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"min", 60e9}, {"h", 3600e9}, {"", 0},
    };
    double d;
    if (!parse_with_unit(s, units, &d))
        return false;
    v->i = (int64_t)(d + 0.5);
    return true;
}

bool brz_parse_size(brz_str s, uint64_t *bytes)
{
    value v;
    bool good = parse_size(s, &v);
    *bytes = good ? v.u : 0;
    return good;
}

bool brz_parse_duration(brz_str s, uint64_t *nanoseconds)
{
    value v;
    bool good = parse_duration(s, &v) && v.i >= 0;
    *nanoseconds = good ? (uint64_t)v.i : 0;
    return good;
}

static bool parse_color(brz_str s, value *v)
{
    v->c = 0;
    return brz_str_is(s, "none") || brz_parse_color(s, &v->c);
}

static bool parse_enum(brz_str s, const brz_option *o, value *v, brz_buf *error)
{
    brz_suggestion near = {.typed = s};
    for (v->e = 0; o->choices[v->e] != NULL; v->e++)
        if (brz_str_is(s, o->choices[v->e]))
            return true;
    for (int32_t i = 0; o->choices[i] != NULL; i++)
        brz_suggestion_offer(&near, o->choices[i]);
    brz_buf_printf(error, "'%s' is one of ", o->name);
    for (int32_t i = 0; o->choices[i] != NULL; i++)
        brz_buf_printf(error, "%s%s", i > 0 ? ", " : "", o->choices[i]);
    brz_buf_printf(error, ", not '%.*s'", (int)s.len, s.data);
    brz_suggestion_add(&near, error);
    return false;
}

static bool parse_value(brz_str s, const brz_option *o, value *v)
{
    switch (o->type) {
    case BRZ_OPTION_BOOL:
        return brz_parse_bool(s, &v->b);
    case BRZ_OPTION_INT:
        return parse_int(s, v);
    case BRZ_OPTION_REAL:
        return o->flags & BRZ_OPTION_PERCENT_OR_PIXELS ? parse_percent_or_pixels(s, v)
                                                       : parse_real(s, v);
    case BRZ_OPTION_SIZE:
        return parse_size(s, v);
    case BRZ_OPTION_DURATION:
        return parse_duration(s, v);
    case BRZ_OPTION_COLOR:
        return parse_color(s, v);
    default:
        v->s = s;
        return true;
    }
}

/* Returns -1, 0 or 1 if `a` is less than, equal to or greater than `b`. */
static int compare_values(uint32_t type, const value *a, const value *b)
{
    switch (type) {
    case BRZ_OPTION_REAL:
        return (a->d > b->d) - (a->d < b->d);
    case BRZ_OPTION_SIZE:
        return (a->u > b->u) - (a->u < b->u);
    default:
        return (a->i > b->i) - (a->i < b->i);
    }
}

/* The limits of a range, both optional. */
typedef struct limits {
    value low, high;
    bool has_low, has_high;
} limits;

/* Parses a range "low..high" with optional limits. Returns false if it is invalid. */
static bool read_limits(const brz_option *o, limits *l)
{
    const char *dots = strstr(o->range, "..");
    if (dots == NULL)
        return false;
    brz_str low = brz_str_of(o->range, (size_t)(dots - o->range));
    brz_str high = brz_str_of_text(dots + 2);
    l->has_low = low.len > 0;
    l->has_high = high.len > 0;
    if ((l->has_low && !parse_value(low, o, &l->low)) ||
        (l->has_high && !parse_value(high, o, &l->high)))
        return false;
    return !l->has_low || !l->has_high || compare_values(o->type, &l->low, &l->high) <= 0;
}

static bool is_in_range(brz_str s, const brz_option *o, const value *v)
{
    limits l = {.has_low = false};
    if (o->range == NULL || ((o->flags & BRZ_OPTION_PERCENT_OR_PIXELS) && ends_with_px(s)) ||
        !read_limits(o, &l))
        return true;
    return (!l.has_low || compare_values(o->type, v, &l.low) >= 0) &&
           (!l.has_high || compare_values(o->type, v, &l.high) <= 0);
}

static const char *type_name_of(const brz_option *o)
{
    return o->flags & BRZ_OPTION_PERCENT_OR_PIXELS ? "a number of percent, or of pixels such as 1px"
                                                   : brz_option_type_name(o->type);
}

/* Parses and checks a value. Appends a message to `error` if it is invalid. */
static bool read_value(brz_str s, const brz_option *o, value *v, brz_buf *error)
{
    if (o->type == BRZ_OPTION_ENUM)
        return parse_enum(s, o, v, error);
    if (!parse_value(s, o, v)) {
        brz_buf_printf(error, "'%s' is %s, not '%.*s'", o->name, type_name_of(o), (int)s.len,
                       s.data);
        return false;
    }
    if (is_in_range(s, o, v))
        return true;
    brz_buf_printf(error, "'%s' must be within %s, not '%.*s'", o->name, o->range, (int)s.len,
                   s.data);
    return false;
}

/* ---- the configuration struct ---------------------------------------------------------------- */

/* The sizes and alignments of the C types that the types of options have. */
#define LAYOUT(type)                                                                               \
    {                                                                                              \
        sizeof(type), _Alignof(type)                                                               \
    }
static const struct {
    size_t size, alignment;
} layouts[] = {
    [BRZ_OPTION_BOOL] = LAYOUT(bool),        [BRZ_OPTION_INT] = LAYOUT(int64_t),
    [BRZ_OPTION_REAL] = LAYOUT(double),      [BRZ_OPTION_STR] = LAYOUT(brz_str),
    [BRZ_OPTION_ENUM] = LAYOUT(int32_t),     [BRZ_OPTION_SIZE] = LAYOUT(uint64_t),
    [BRZ_OPTION_DURATION] = LAYOUT(int64_t), [BRZ_OPTION_COLOR] = LAYOUT(uint32_t),
    [BRZ_OPTION_LIST] = LAYOUT(brz_strlist),
};

size_t brz_option_size(const brz_option *o)
{
    return layouts[o->type].size;
}

static void store(brz_options *o, const brz_option *option, const value *v)
{
    memcpy((char *)o->cfg + option->offset, v, brz_option_size(option));
}

static void add_item(brz_options *o, const brz_option *option, brz_option_value *v, brz_str item)
{
    if (v->n_items == v->items_cap) {
        size_t cap = v->items_cap > 0 ? 2 * v->items_cap : 8;
        brz_str *items = brz_arena_alloc(&o->text, cap * sizeof *items, 0);
        brz_str *origins = brz_arena_alloc(&o->text, cap * sizeof *origins, 0);
        if (v->n_items > 0) {
            memcpy(items, v->items, v->n_items * sizeof *items);
            memcpy(origins, v->origins, v->n_items * sizeof *origins);
        }
        v->items = items;
        v->origins = origins;
        v->items_cap = cap;
    }
    v->origins[v->n_items] = v->origin;
    v->items[v->n_items++] = item;
    brz_strlist list = {v->items, v->n_items};
    memcpy((char *)o->cfg + option->offset, &list, sizeof list);
}

static brz_option_value *value_of(const brz_options *o, const brz_option *option)
{
    const char *first = (const char *)o->component->options;
    return &o->values[(size_t)((const char *)option - first) / o->component->option_size];
}

/* Stores a value that was read from a text, which must live as long as the options. */
static void set_value(brz_options *o, const brz_option *option, const value *v, brz_str text,
                      brz_layer layer, brz_str origin)
{
    brz_option_value *set = value_of(o, option);
    value own = *v;
    if (layer > set->layer)
        set->n_items = set->items_cap = 0;
    set->layer = layer;
    set->text = text;
    set->origin = origin;
    if (option->type == BRZ_OPTION_STR)
        own.s = text;
    if (option->type == BRZ_OPTION_LIST)
        add_item(o, option, set, text);
    else
        store(o, option, &own);
}

bool brz_options_set(brz_options *o, const brz_option *option, brz_str text, brz_layer layer,
                     brz_str origin, brz_buf *error)
{
    value v = {0};
    if (!read_value(text, option, &v, error))
        return false;
    if (layer >= value_of(o, option)->layer)
        set_value(o, option, &v, brz_arena_str(&o->text, text), layer,
                  brz_arena_str(&o->text, origin));
    return true;
}

/* ---- life cycle ------------------------------------------------------------------------------ */

static bool has_range(uint32_t type)
{
    return type == BRZ_OPTION_INT || type == BRZ_OPTION_REAL || type == BRZ_OPTION_SIZE ||
           type == BRZ_OPTION_DURATION;
}

/* Returns whether no option in front of this one has its name. */
static bool is_first(const brz_component *c, const brz_option *o)
{
    const brz_option *other;
    for (uint32_t i = 0; (other = brz_option_at(c, i)) != o; i++)
        if (strcmp(other->name, o->name) == 0)
            return false;
    return true;
}

/* Returns a description of the fault in an option of the table, or NULL. */
static const char *option_fault(const brz_component *c, const brz_option *o)
{
    limits l;
    if (o->help == NULL)
        return "lacks its help";
    if (o->type < BRZ_OPTION_BOOL || o->type > BRZ_OPTION_LIST)
        return "has an unknown type";
    if (o->offset > c->cfg_size || c->cfg_size - o->offset < brz_option_size(o))
        return "lies outside of the component's struct";
    if (o->offset % layouts[o->type].alignment != 0)
        return "lies where no member of its type can be: its offset is not aligned";
    if (o->type == BRZ_OPTION_ENUM && (o->choices == NULL || o->choices[0] == NULL))
        return "has no choices";
    if (o->range != NULL && (!has_range(o->type) || !read_limits(o, &l)))
        return "has an invalid range";
    if ((o->flags & BRZ_OPTION_REQUIRED) && o->dflt != NULL)
        return "is required and has a default";
    if ((o->flags & BRZ_OPTION_PATH) && o->type != BRZ_OPTION_STR && o->type != BRZ_OPTION_LIST)
        return "is a path, but not a text";
    if ((o->flags & BRZ_OPTION_PERCENT_OR_PIXELS) && o->type != BRZ_OPTION_REAL)
        return "is a percentage, but not a real number";
    if ((o->flags & BRZ_OPTION_NETWORK) && o->type != BRZ_OPTION_BOOL)
        return "allows the network, but is not true or false";
    if ((o->flags & BRZ_OPTION_MAPS) && o->type != BRZ_OPTION_LIST)
        return "has maps as items, but is not a list";
    return is_first(c, o) ? NULL : "is defined twice";
}

static bool check_option(const brz_component *c, const brz_option *o, brz_buf *error)
{
    if (!brz_is_id(o->name)) {
        brz_buf_printf(error, "'%s' has an option called '%s', which is not a valid name: %s",
                       c->id, o->name, BRZ_ID_RULE);
        return false;
    }
    const char *fault = option_fault(c, o);
    if (fault != NULL)
        brz_buf_printf(error, "option '%s' of '%s' %s", o->name, c->id, fault);
    return fault == NULL;
}

static bool has_default(const brz_option *option)
{
    return option->dflt != NULL && (option->type != BRZ_OPTION_LIST || option->dflt[0] != '\0');
}

static bool check_default(const brz_component *c, const brz_option *option, brz_buf *error)
{
    brz_buf why = {0};
    value v = {0};
    bool good = !has_default(option) || read_value(brz_str_of_text(option->dflt), option, &v, &why);
    if (!good)
        brz_buf_printf(error, "'%s' has an invalid default: %s", c->id, brz_buf_text(&why));
    brz_buf_finish(&why);
    return good;
}

/* Sets an option to its default, which was checked. */
static void set_default(brz_options *o, const brz_option *option)
{
    brz_buf unused = {0};
    value v = {0};
    if (!has_default(option))
        return;
    brz_str text = brz_str_of_text(option->dflt);
    if (option->type == BRZ_OPTION_ENUM)
        parse_enum(text, option, &v, &unused);
    else
        parse_value(text, option, &v);
    brz_buf_finish(&unused);
    set_value(o, option, &v, text, BRZ_LAYER_DEFAULT, BRZ_STR(""));
}

/* Checks the options of a component. Checks first that all have names, because later checks search
 * by name. */
static bool check_table(const brz_component *c, brz_buf *error)
{
    for (uint32_t i = 0; i < c->n_options; i++)
        if (brz_option_at(c, i)->name == NULL) {
            brz_buf_printf(error, "'%s' has an option without a name", c->id);
            return false;
        }
    for (uint32_t i = 0; i < c->n_options; i++)
        if (!check_option(c, brz_option_at(c, i), error))
            return false;
    return true;
}

bool brz_options_are_valid(const brz_component *c, brz_buf *error)
{
    if (!check_table(c, error))
        return false;
    for (uint32_t i = 0; i < c->n_options; i++)
        if (!check_default(c, brz_option_at(c, i), error))
            return false;
    return true;
}

brz_options *brz_options_create(const brz_component *c, brz_buf *error)
{
    return brz_options_are_valid(c, error) ? brz_options_create_checked(c) : NULL;
}

brz_options *brz_options_create_checked(const brz_component *c)
{
    brz_options *o = brz_calloc(1, sizeof *o);
    o->component = c;
    o->cfg = brz_calloc(c->cfg_size, 1);
    o->values = brz_calloc(c->n_options, sizeof *o->values);
    for (uint32_t i = 0; i < c->n_options; i++)
        set_default(o, brz_option_at(c, i));
    return o;
}

void brz_options_destroy(brz_options *o)
{
    if (o == NULL)
        return;
    brz_arena_finish(&o->text);
    free(o->cfg);
    free(o->values);
    free(o);
}

bool brz_options_check(const brz_options *o, brz_buf *error)
{
    for (uint32_t i = 0; i < o->component->n_options; i++) {
        const brz_option *option = brz_option_at(o->component, i);
        if (!(option->flags & BRZ_OPTION_REQUIRED) || o->values[i].layer != BRZ_LAYER_DEFAULT)
            continue;
        brz_buf_printf(error, "'%s' needs its option '%s': %s", o->component->id, option->name,
                       option->help);
        return false;
    }
    return true;
}
