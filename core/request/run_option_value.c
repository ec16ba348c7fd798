/* SPDX-License-Identifier: MIT */
/* Parses, stores and prints the values of the options of a run. */
#include "request/run_option.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/suggest.h"
#include "plugin/options.h"

/* Enumerations are stored as unsigned. */
_Static_assert(sizeof(brz_time_order) == sizeof(unsigned) &&
                   sizeof(brz_normalize) == sizeof(unsigned) &&
                   sizeof(brz_base_on) == sizeof(unsigned) &&
                   sizeof(brz_fail_report) == sizeof(unsigned) &&
                   sizeof(brz_deltas) == sizeof(unsigned),
               "another size of enumerations");

static size_t member_size(const brz_run_option *o)
{
    static const size_t sizes[] = {
        [BRZ_RUN_FLAG] = sizeof(bool),         [BRZ_RUN_SWITCH] = sizeof(int),
        [BRZ_RUN_TEXT] = sizeof(const char *), [BRZ_RUN_COUNT] = sizeof(size_t),
        [BRZ_RUN_SIZE] = sizeof(uint64_t),     [BRZ_RUN_DURATION] = sizeof(uint64_t),
        [BRZ_RUN_CHOICE] = sizeof(unsigned),   [BRZ_RUN_SHORT] = 0,
    };
    return sizes[o->type];
}

static void store(const brz_run_option *o, brz_request *r, const void *value)
{
    memcpy((char *)r + o->member, value, member_size(o));
}

static void load(const brz_run_option *o, const brz_request *r, void *value)
{
    memcpy(value, (const char *)r + o->member, member_size(o));
}

/* ---- parsing ------------------------------------------------------------------------------- */

static bool set_flag(const brz_run_option *o, brz_request *r, const char *value)
{
    bool on = strcmp(value, "true") == 0;
    int state = on ? 1 : -1;
    if (!on && strcmp(value, "false") != 0)
        return false;
    store(o, r, o->type == BRZ_RUN_FLAG ? (void *)&on : (void *)&state);
    return true;
}

static bool set_count(const brz_run_option *o, brz_request *r, const char *value)
{
    bool digits = value[0] != '\0' && strspn(value, "0123456789") == strlen(value);
    unsigned long n = digits ? strtoul(value, NULL, 10) : 0;
    size_t count = n;
    if (!digits || n < o->least || n > o->most)
        return false;
    store(o, r, &count);
    return true;
}

/* Sets a size or a duration, which is a limit and therefore not 0. */
static bool set_limit(const brz_run_option *o, brz_request *r, const char *value)
{
    uint64_t limit = 0;
    brz_str text = brz_str_of_text(value);
    bool good =
        o->type == BRZ_RUN_SIZE ? brz_parse_size(text, &limit) : brz_parse_duration(text, &limit);
    if (good && limit > 0)
        store(o, r, &limit);
    return good && limit > 0;
}

static bool set_choice(const brz_run_option *o, brz_request *r, const char *value)
{
    for (unsigned i = 0; o->words[i] != NULL; i++)
        if (strcmp(o->words[i], value) == 0) {
            store(o, r, &i);
            return true;
        }
    return false;
}

/* Adds COMPONENT.OPTION=VALUE. */
static bool add_setting(brz_request *r, const char *value, const char *origin)
{
    const char *equals = strchr(value, '=');
    if (equals == NULL)
        return false;
    brz_buf whole = {0};
    brz_buf_printf(&whole, "%s %s", origin, value);
    brz_str option = brz_str_of(value, (size_t)(equals - value));
    bool good = brz_request_set_component(r, option, equals + 1, brz_buf_text(&whole));
    brz_buf_finish(&whole);
    return good;
}

/* Adds the transform of the option's name. The value of `rename` has two arguments. */
static bool add_transform(const brz_run_option *o, brz_request *r, const char *value,
                          const char *origin)
{
    brz_transform_request t = {
        .name = o->name, .args = {value}, .n_args = o->value != NULL, .origin = origin};
    if (o->value == NULL && strcmp(value, "true") != 0)
        return false;
    if (o->takes != NULL) {
        const char *arrow = strstr(value, "=>");
        if (arrow == NULL)
            return false;
        t.args[0] = brz_arena_str(&r->texts, brz_str_of(value, (size_t)(arrow - value))).data;
        t.args[1] = arrow + 2;
        t.n_args = 2;
    }
    brz_request_add_transform(r, &t);
    return true;
}

/* Sets a text, or adds a line to it. */
static void set_text(const brz_run_option *o, brz_request *r, const char *value)
{
    const char *before = NULL;
    load(o, r, &before);
    if ((o->flags & BRZ_RUN_ADDS) && before != NULL) {
        brz_buf b = {0};
        brz_buf_printf(&b, "%s\n%s", before, value);
        value = brz_request_keep(r, brz_buf_text(&b));
        brz_buf_finish(&b);
    }
    store(o, r, &value);
}

/* Sets an option of a type that is not BRZ_RUN_SHORT. Returns false if the value is invalid. */
static bool set_value(const brz_run_option *o, brz_request *r, const char *value,
                      const char *origin)
{
    switch (o->type) {
    case BRZ_RUN_FLAG:
    case BRZ_RUN_SWITCH:
        return set_flag(o, r, value);
    case BRZ_RUN_TEXT:
        set_text(o, r, value);
        return true;
    case BRZ_RUN_COUNT:
        return set_count(o, r, value);
    case BRZ_RUN_SIZE:
    case BRZ_RUN_DURATION:
        return set_limit(o, r, value);
    case BRZ_RUN_CHOICE:
        return set_choice(o, r, value);
    case BRZ_RUN_OUTPUT:
        brz_request_add_output(r, (brz_output_request){.name = value});
        return true;
    case BRZ_RUN_SETTING:
        return add_setting(r, value, origin);
    default:
        return add_transform(o, r, value, origin);
    }
}

/* ---- messages ------------------------------------------------------------------------------ */

void brz_run_option_add_values(const brz_run_option *o, brz_buf *b)
{
    switch (o->type) {
    case BRZ_RUN_COUNT:
        brz_buf_printf(b, "a number from %zu to %zu", o->least, o->most);
        break;
    case BRZ_RUN_SIZE:
        brz_buf_add_text(b, "a size, such as 512M");
        break;
    case BRZ_RUN_DURATION:
        brz_buf_add_text(b, "a duration, such as 90s");
        break;
    case BRZ_RUN_CHOICE:
        brz_buf_add_text(b, "one of ");
        for (size_t i = 0; o->words[i] != NULL; i++)
            brz_buf_printf(b, "%s%s", i > 0 ? ", " : "", o->words[i]);
        break;
    case BRZ_RUN_FLAG:
    case BRZ_RUN_SWITCH:
        brz_buf_add_text(b, "true or false");
        break;
    default:
        brz_buf_add_text(b, o->takes != NULL ? o->takes : o->value != NULL ? "a text" : "true");
    }
}

static void explain(const brz_run_option *o, const char *value, const char *origin, brz_buf *error)
{
    brz_suggestion near = {.typed = brz_str_of_text(value)};
    for (size_t i = 0; o->type == BRZ_RUN_CHOICE && o->words[i] != NULL; i++)
        brz_suggestion_offer(&near, o->words[i]);
    brz_buf_printf(error, "%s takes ", origin);
    brz_run_option_add_values(o, error);
    brz_buf_printf(error, "%s not '%s'", o->type == BRZ_RUN_CHOICE ? ";" : ",", value);
    brz_suggestion_add(&near, error);
}

static bool set_one(const brz_run_option *o, brz_request *r, const char *value, const char *origin,
                    brz_buf *error)
{
    bool good = set_value(o, r, value, origin);
    if (!good && error != NULL)
        explain(o, value, origin, error);
    return good;
}

bool brz_run_option_set(const brz_run_option *o, brz_request *r, const char *value,
                        const char *origin, brz_buf *error)
{
    if (value == NULL)
        value = o->alone != NULL ? o->alone : "true";
    if (o->type != BRZ_RUN_SHORT)
        return set_one(o, r, value, origin, error);
    bool good = strcmp(value, "true") == 0;
    if (!good && error != NULL)
        explain(o, value, origin, error);
    for (size_t i = 0; good && o->sets[i][0] != NULL; i++) {
        const char *name = o->sets[i][0];
        good &=
            set_one(brz_run_option_find(brz_str_of_text(name)), r, o->sets[i][1], origin, error);
    }
    return good;
}

/* ---- values -------------------------------------------------------------------------------- */

bool brz_run_option_is_set(const brz_run_option *o, const brz_request *r)
{
    static const char zeros[sizeof(uint64_t)];
    return memcmp((const char *)r + o->member, zeros, member_size(o)) != 0;
}

/* Returns whether the value of an option allows a run without a profile. */
static bool is_plain(const brz_run_option *o, const brz_request *r)
{
    int value = 0;
    if ((o->flags & BRZ_RUN_PLAIN) || !brz_run_option_is_set(o, r))
        return true;
    if (o->type != BRZ_RUN_CHOICE && o->type != BRZ_RUN_SWITCH)
        return false;
    load(o, r, &value);
    return value <= o->plain_most;
}

bool brz_run_options_are_plain(const brz_request *r)
{
    const brz_run_option *o;
    for (size_t i = 0; (o = brz_run_option_at(i)) != NULL; i++)
        if (!is_plain(o, r))
            return false;
    return true;
}

void brz_run_option_copy(const brz_run_option *o, brz_request *to, const brz_request *from)
{
    memcpy((char *)to + o->member, (const char *)from + o->member, member_size(o));
}

bool brz_run_option_is_looser(const brz_run_option *o, const brz_request *value,
                              const brz_request *than)
{
    if (o->type == BRZ_RUN_SWITCH) {
        int on = 0, was_on = 0;
        load(o, value, &on);
        load(o, than, &was_on);
        return on <= 0 && was_on >= 0;
    }
    uint64_t limit = 0, other = 0;
    load(o, value, &limit);
    load(o, than, &other);
    return limit == 0 || limit > other;
}

/* Appends a text, with quotes unless it is a plain word. */
static void add_text(brz_buf *b, const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-_./";
    if (text[strspn(text, plain)] == '\0')
        brz_buf_add_text(b, text);
    else
        brz_json_string(b, brz_str_of_text(text));
}

/* Appends the lines of a text as a list. */
static void add_lines(brz_buf *b, const char *text)
{
    brz_buf_add_text(b, "[");
    for (;; text++) {
        size_t n = strcspn(text, "\n");
        brz_json_string(b, brz_str_of(text, n));
        text += n;
        if (*text == '\0')
            break;
        brz_buf_add_text(b, ", ");
    }
    brz_buf_add_text(b, "]");
}

/* Appends a number of nanoseconds, exactly: in seconds if milliseconds are enough. */
static void add_duration(brz_buf *b, uint64_t time)
{
    const uint64_t second = 1000000000, millisecond = 1000000;
    unsigned thousandths = (unsigned)(time % second / millisecond);
    if (time % millisecond != 0) {
        brz_buf_printf(b, "%lluns", (unsigned long long)time);
        return;
    }
    brz_buf_printf(b, "%llu", (unsigned long long)(time / second));
    if (thousandths != 0)
        brz_buf_printf(b, ".%03u", thousandths);
    while (thousandths != 0 && thousandths % 10 == 0) {
        b->len--;
        thousandths /= 10;
    }
    brz_buf_add_char(b, 's');
}

void brz_run_option_add_yaml(const brz_run_option *o, const brz_request *r, brz_buf *b)
{
    union {
        bool flag;
        int state;
        const char *text;
        size_t count;
        uint64_t limit;
        unsigned choice;
    } v;
    load(o, r, &v);
    switch (o->type) {
    case BRZ_RUN_FLAG:
        brz_buf_add_text(b, v.flag ? "true" : "false");
        break;
    case BRZ_RUN_SWITCH:
        brz_buf_add_text(b, v.state > 0 ? "true" : "false");
        break;
    case BRZ_RUN_TEXT:
        if ((o->flags & BRZ_RUN_ADDS) && strchr(v.text, '\n') != NULL)
            add_lines(b, v.text);
        else
            add_text(b, v.text);
        break;
    case BRZ_RUN_COUNT:
        brz_buf_printf(b, "%zu", v.count);
        break;
    case BRZ_RUN_SIZE:
        brz_buf_printf(b, "%llu", (unsigned long long)v.limit);
        break;
    case BRZ_RUN_DURATION:
        add_duration(b, v.limit);
        break;
    case BRZ_RUN_CHOICE:
        brz_buf_add_text(b, o->words[v.choice]);
        break;
    default:
        break;
    }
}
