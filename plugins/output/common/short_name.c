/* SPDX-License-Identifier: MIT */
/* Shortens names for labels. */
#include "short_name.h"

#include <string.h>

#include "../../common/names/name_parts.h"
#include "columns.h"

#define DOTS  "\342\200\246" /* … */
#define LEAST 4              /* letters of a name that is cut */

/* A name on its way to a label: its function's part with closed brackets, and its place. */
typedef struct shortening {
    brz_str name;
    name_parts parts;
    char *text;      /* the function's part, with <…> and (…) */
    char *out;       /* room for the label */
    size_t len, own; /* length of `text`, and the beginning of the function's own name in it */
    size_t *starts;  /* beginnings of the namespaces and packages in it */
    size_t n_starts;
    const char *opens, *closes; /* text around the place */
} shortening;

static void add(shortening *s, const char *data, size_t n)
{
    memcpy(s->text + s->len, data, n);
    s->len += n;
}

/* Adds a group of brackets; its content becomes "…" if that is shorter. Receivers of Go's methods
 * stay: "(*Server)". */
static void add_group(shortening *s, size_t from, size_t to)
{
    const char *at = s->name.data + from;
    bool stays = to - from < 4 || (at[0] != '<' && at[0] != '(') || (at[0] == '(' && at[1] == '*');
    if (stays) {
        add(s, at, to - from);
        return;
    }
    add(s, at, 1);
    add(s, DOTS, sizeof DOTS - 1);
    add(s, s->name.data + to - 1, 1);
}

/* Writes the function's part with closed brackets, and notes where its components begin. */
static void close_brackets(shortening *s)
{
    const name_parts *p = &s->parts;
    name_reader r = {.text = s->name, .end = p->function_end};
    while (r.at < r.end) {
        if (r.at == p->own.from) {
            s->own = s->len;
            add(s, s->name.data + r.at, p->own.to - p->own.from);
            r.at = p->own.to;
            continue;
        }
        size_t group = name_group_end(&r), n = 0;
        if (group > r.at) {
            add_group(s, r.at, group);
            r.at = group;
            continue;
        }
        if (r.at + 1 == p->qualified)
            n = 1;
        else if (r.at >= p->line_end && r.at < p->own.from)
            n = name_separator(&r);
        add(s, s->name.data + r.at, n > 0 ? n : 1);
        r.at += n > 0 ? n : 1;
        if (n > 0)
            s->starts[s->n_starts++] = s->len;
    }
}

static size_t width_of(brz_str s, size_t from, size_t to)
{
    return columns_of(brz_str_of(s.data + from, to - from));
}

static bool has_place(const shortening *s)
{
    return s->parts.place.to > s->parts.place.from;
}

/* Returns a writer's position after a text. */
static char *put(char *to, const char *data, size_t n)
{
    memcpy(to, data, n);
    return to + n;
}

static char *put_dots(char *to)
{
    return put(to, DOTS, sizeof DOTS - 1);
}

/* Joins the function's part from `from` on with the place from `place` on; SIZE_MAX omits it. Dots
 * stand for what is missing: in front, or else in front of the place or instead of it. */
static brz_str joined(const shortening *s, size_t from, size_t place)
{
    const name_range *p = &s->parts.place;
    char *to = from > 0 ? put_dots(s->out) : s->out;
    to = put(to, s->text + from, s->len - from);
    if (has_place(s) && place != SIZE_MAX) {
        to = put(to, s->opens, strlen(s->opens));
        to = from == 0 && place > p->from ? put_dots(to) : to;
        to = put(to, s->name.data + place, p->to - place);
        to = put(to, s->closes, strlen(s->closes));
    } else if (has_place(s) && from == 0) {
        to = put_dots(to);
    }
    return brz_str_of(s->out, (size_t)(to - s->out));
}

/* Drops leading namespaces and packages until the rest fits, and the whole place with them at the
 * latest. Returns false if not even the own name with its brackets fits. */
static bool drop_front(const shortening *s, size_t room, brz_str *label)
{
    brz_str text = brz_str_of(s->text, s->len);
    const name_range *p = &s->parts.place;
    size_t around = has_place(s) ? strlen(s->opens) + strlen(s->closes) : 0;
    size_t place = has_place(s) ? width_of(s->name, p->from, p->to) : 0;
    size_t width = columns_of(text), from = 0, dots = 0;
    for (size_t i = 0; dots + width + around + place > room && i <= s->n_starts; i++) {
        size_t next = i < s->n_starts ? s->starts[i] : s->own;
        width -= next > from ? width_of(text, from, next) : 0;
        from = next > from ? next : from;
        dots = from > 0;
    }
    size_t folder = p->from;
    for (size_t i = p->from; dots + width + around + place > room && i + 1 < p->to; i++) {
        if (s->name.data[i] != '/' && s->name.data[i] != '\\')
            continue;
        place -= width_of(s->name, folder, i + 1);
        folder = i + 1;
        dots = 1;
    }
    bool fits = dots + width + around + place <= room;
    bool fits_alone = width + (from > 0 || has_place(s)) <= room;
    if (fits || fits_alone)
        *label = joined(s, from, fits ? folder : SIZE_MAX);
    return fits || fits_alone;
}

/* Cuts the end off the function's own name or the middle out of it. */
static brz_str cut_own(const shortening *s, size_t room)
{
    brz_str own = brz_str_of(s->name.data + s->parts.own.from, s->parts.own.to - s->parts.own.from);
    bool is_whole = columns_of(own) < room;
    if (!is_whole && room <= LEAST)
        return brz_str_of(s->out, 0);
    size_t n = room - 1, after = n >= 7 && !is_whole ? n / 3 : 0;
    brz_str front = is_whole ? own : columns_first(own, n - after), back = columns_last(own, after);
    char *to = put_dots(put(s->out, front.data, front.len));
    to = put(to, back.data, back.len);
    return brz_str_of(s->out, (size_t)(to - s->out));
}

void short_names_init(short_names *n, brz_output_ctx *ctx)
{
    *n = (short_names){.ctx = ctx};
}

static void make_room(short_names *n, size_t len)
{
    if (len <= n->cap)
        return;
    n->cap = 2 * len + 256;
    n->text = n->ctx->host->alloc(n->ctx, 2 * n->cap, 1);
    n->out = n->ctx->host->alloc(n->ctx, 3 * n->cap, 1);
    n->starts = n->ctx->host->alloc(n->ctx, (n->cap + 1) * sizeof *n->starts, 0);
}

brz_str short_name(short_names *n, brz_str name, size_t room)
{
    brz_str label;
    if (columns_of(name) <= room)
        return name;
    if (room < LEAST)
        return brz_str_of(name.data, 0);
    shortening s = {.name = name, .parts = name_parts_of(name), .opens = " ", .closes = ""};
    if (has_place(&s) && s.parts.place.to < name.len) {
        s.opens = " (";
        s.closes = ")";
    }
    make_room(n, name.len);
    s.text = n->text;
    s.out = n->out;
    s.starts = n->starts;
    close_brackets(&s);
    return drop_front(&s, room, &label) ? label : cut_own(&s, room);
}
