/* SPDX-License-Identifier: MIT */
/* Parses the output of `bpftrace -f json`, one object per line:
 *
 *     {"type": "map", "data": {"@name": {"key": 5, …}}}
 *     {"type": "printf", "data": "text"}
 *
 * A map with all its entries is on a single line of unlimited length: it is parsed entry by entry,
 * and only the current entry needs to be in memory. The output of printf and print is concatenated
 * and parsed as text.
 */
#include "reader.h"

#include <brazier/symbol.h>

/* Result of looking for a part of a line; MORE: depends on bytes that have not arrived yet. */
typedef enum found { NO, YES, MORE } found;

/* A position in the input. `end` is the end of its line, as far as that has arrived. */
typedef struct cursor {
    const char *p, *end;
    bool last; /* the line ends at `end` */
} cursor;

/* Reads the next token of the line; its kind is BRZ_JSON_ERROR if the line ends too early. */
static brz_json_token next_token(brz_json *j, brz_ctx *ctx, cursor *c)
{
    return brz_json_next(j, ctx, &c->p, c->end, c->last);
}

/* Reads a token that has to be of a kind; returns its text in *text unless that is NULL. */
static found take(brz_json *j, brz_ctx *ctx, cursor *c, brz_json_kind kind, brz_str *text)
{
    brz_json_token t = next_token(j, ctx, c);
    if (t.kind == BRZ_JSON_MORE)
        return MORE;
    if (text != NULL)
        *text = t.text;
    return t.kind == kind ? YES : NO;
}

/* Reads the rest of an object or array, whose opening bracket was read. Returns in *total the text
 * of its own member "total", if it is an object that has one. */
static found take_nested(brz_json *j, brz_ctx *ctx, cursor *c, brz_str *total)
{
    size_t depth = j->depth;
    bool is_total = false;
    while (j->depth >= depth) {
        brz_json_token t = next_token(j, ctx, c);
        if (t.kind == BRZ_JSON_MORE)
            return MORE;
        if (t.kind == BRZ_JSON_ERROR || t.kind == BRZ_JSON_END)
            return NO;
        if (is_total && t.kind == BRZ_JSON_NUMBER)
            *total = t.text;
        is_total = t.kind == BRZ_JSON_KEY && j->depth == depth &&
                   brz_json_text_is(t.text, BRZ_STR("total"));
    }
    return YES;
}

/* ---- entries of a map ------------------------------------------------------------------------ */

/* Returns whether a value ends here: another member or the end of the object follows. */
static found ends_value(const cursor *c)
{
    const char *p = c->p;
    while (p < c->end && brz_is_blank(*p))
        p++;
    if (p == c->end)
        return c->last ? NO : MORE;
    return *p == ',' || *p == '}' ? YES : NO;
}

/* Reads the value of an entry: a number, or an object of statistics, of which the total counts.
 * Other values are returned as they are written. */
static found take_value(brz_json *j, brz_ctx *ctx, cursor *c, brz_str *value)
{
    brz_json_token t = next_token(j, ctx, c);
    if (t.kind == BRZ_JSON_MORE)
        return MORE;
    if (t.kind <= BRZ_JSON_ERROR)
        return NO;
    *value = t.text;
    if (t.kind != BRZ_JSON_OBJECT && t.kind != BRZ_JSON_ARRAY)
        return ends_value(c);
    brz_str total = {0};
    found f = take_nested(j, ctx, c, &total);
    *value = total.len > 0 ? total : brz_str_of(t.text.data, (size_t)(c->p - t.text.data));
    return f;
}

static void take_key(bpftrace *b, brz_ctx *ctx, brz_str key)
{
    b->decoded.len = 0;
    brz_json_decode(&b->decoded, ctx, key);
    brz_str text = brz_text_str(&b->decoded), line;
    bool items = true; /* the line contains items, not a frame */
    sample_begin(b);
    while (brz_take_piece(&text, '\n', &line)) {
        if (items)
            key_items(b, ctx, line, false);
        else
            sample_frame(b, ctx, line);
        items = text.len > 0 && text.data[0] == ',';
        if (items)
            text = brz_str_of(text.data + 1, text.len - 1);
    }
}

/* Parses an entry, or the end of the map. An entry that has not arrived whole is read again. */
static found take_entry(bpftrace *b, brz_ctx *ctx, cursor *c, brz_rc *rc)
{
    brz_json before = b->parser;
    cursor at = *c;
    brz_str value;
    brz_json_token key = next_token(&b->parser, ctx, &at);
    found f = key.kind == BRZ_JSON_MORE ? MORE : key.kind == BRZ_JSON_KEY ? YES : NO;
    if (key.kind == BRZ_JSON_OBJECT_CLOSE) {
        b->json = IN_REST;
        *c = at;
        return YES;
    }
    if (f == YES)
        f = take_value(&b->parser, ctx, &at, &value);
    if (f == MORE)
        b->parser = before;
    if (f != YES)
        return f;
    take_key(b, ctx, key.text);
    *rc = value_take(b, ctx, value);
    *c = at;
    return YES;
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Parses the front of a line up to its data: {"type": "…", "data": */
static found take_type(brz_json *j, cursor *c, brz_str *type)
{
    brz_str key;
    found f = take(j, NULL, c, BRZ_JSON_OBJECT, NULL);
    if (f == YES)
        f = take(j, NULL, c, BRZ_JSON_KEY, &key);
    if (f == YES && !brz_json_text_is(key, BRZ_STR("type")))
        return NO;
    if (f == YES)
        f = take(j, NULL, c, BRZ_JSON_STRING, type);
    if (f == YES)
        f = take(j, NULL, c, BRZ_JSON_KEY, &key);
    return f == YES && !brz_json_text_is(key, BRZ_STR("data")) ? NO : f;
}

/* Returns a cursor at p that ends with the line: to JSON, a newline is as good as a blank. */
static cursor line_at(const char *p, const char *end)
{
    const char *newline = memchr(p, '\n', (size_t)(end - p));
    cursor c = {p, newline != NULL ? newline : end, newline != NULL};
    return c;
}

/* Returns whether [p, end) begins like a line of this format. */
bool json_line_is(const char *p, const char *end)
{
    brz_str type;
    cursor c = line_at(p, end);
    brz_json j = {0};
    return take_type(&j, &c, &type) == YES;
}

static bool has_entries(brz_str type)
{
    return brz_str_is(type, "map") || brz_str_is(type, "stats");
}

/* Returns whether [p, end) begins like a line with a map, which starts a new record. */
bool json_line_is_map(const char *p, const char *end)
{
    brz_str type;
    cursor c = line_at(p, end);
    brz_json j = {0};
    return take_type(&j, &c, &type) == YES && has_entries(type);
}

static brz_rc end_text(bpftrace *b, brz_ctx *ctx)
{
    brz_rc rc = b->partial.len > 0 ? text_line(b, ctx, brz_text_str(&b->partial)) : BRZ_OK;
    b->partial.len = 0;
    return rc == BRZ_OK ? text_end(b, ctx) : rc;
}

static bool is_nested(brz_json_token t)
{
    return t.kind == BRZ_JSON_OBJECT || t.kind == BRZ_JSON_ARRAY;
}

static void report_line(bpftrace *b, brz_ctx *ctx)
{
    report_lost(b, ctx, "bpftrace.json",
                BRZ_STR("not in bpftrace's JSON format: the rest of a line is left out"));
}

/* Parses a map's name, up to its first entry. Skips a map without keys; counts an array in its
 * place. */
static found begin_map(bpftrace *b, brz_ctx *ctx, cursor *c, brz_rc *rc)
{
    brz_json_token data = next_token(&b->parser, ctx, c), name = data, map = data;
    found f = data.kind == BRZ_JSON_MORE ? MORE : data.kind == BRZ_JSON_OBJECT ? YES : NO;
    if (f == YES) {
        name = next_token(&b->parser, ctx, c);
        f = name.kind == BRZ_JSON_MORE ? MORE : name.kind == BRZ_JSON_KEY ? YES : NO;
    }
    if (f == YES) {
        map = next_token(&b->parser, ctx, c);
        f = map.kind == BRZ_JSON_MORE ? MORE : map.kind == BRZ_JSON_OBJECT ? YES : NO;
    }
    if (f == MORE)
        return MORE;
    bool is_map = name.kind == BRZ_JSON_KEY && brz_starts_with(name.text, BRZ_STR("@"));
    b->n_other_values += data.kind == BRZ_JSON_ARRAY || (is_map && map.kind == BRZ_JSON_ARRAY);
    if (data.kind <= BRZ_JSON_ERROR || map.kind <= BRZ_JSON_ERROR ||
        (data.kind == BRZ_JSON_OBJECT && !is_map && name.kind != BRZ_JSON_OBJECT_CLOSE))
        report_line(b, ctx);
    *rc = end_text(b, ctx);
    b->json = IN_REST;
    if (f != YES || !is_map)
        return YES;
    b->map.len = 0;
    brz_text_append(&b->map, ctx, brz_str_from(name.text, 1));
    b->json = IN_ENTRIES;
    return YES;
}

/* Parses the complete lines that printf or print wrote. */
static brz_rc take_text(bpftrace *b, brz_ctx *ctx, brz_str escaped)
{
    brz_rc rc = BRZ_OK;
    brz_json_decode(&b->partial, ctx, escaped);
    brz_str text = brz_text_str(&b->partial), line;
    while (rc == BRZ_OK && brz_cut_first(text, '\n', &line, &text))
        rc = text_line(b, ctx, line);
    if (text.len > 0)
        memmove(b->partial.data, text.data, text.len);
    b->partial.len = text.len;
    return rc;
}

static bool is_text(brz_str type)
{
    return brz_str_is(type, "printf") || brz_str_is(type, "value");
}

static bool is_histogram(brz_str type)
{
    return brz_str_is(type, "hist") || brz_str_is(type, "lhist") || brz_str_is(type, "tseries");
}

/* Returns whether lines of a type have no stacks. */
static bool is_other(brz_str type)
{
    static const char *const types[] = {
        "attached_probes", "lost_events", "time",   "cat",          "join", "syscall",
        "error",           "warning",     "system", "helper_error", "info", "debug"};
    for (size_t i = 0; i < BRZ_COUNT_OF(types); i++)
        if (brz_str_is(type, types[i]))
            return true;
    return is_histogram(type);
}

/* Parses the text that a line carries. Skips other data; counts it if it is nested. */
static found take_text_line(bpftrace *b, brz_ctx *ctx, cursor *c, brz_rc *rc)
{
    brz_json_token t = next_token(&b->parser, ctx, c);
    if (t.kind == BRZ_JSON_MORE)
        return MORE;
    bool is_scalar = t.kind > BRZ_JSON_ERROR && t.kind != BRZ_JSON_STRING && !is_nested(t);
    found ends = is_scalar ? ends_value(c) : YES;
    if (ends == MORE)
        return MORE;
    if (t.kind == BRZ_JSON_STRING)
        *rc = take_text(b, ctx, t.text);
    b->n_other_values += is_nested(t);
    if (t.kind <= BRZ_JSON_ERROR || ends == NO)
        report_line(b, ctx);
    b->json = IN_REST;
    return YES;
}

/* Bytes of a line that show whether it was in the format. */
#define SHOWN 64

/* Returns whether a line that is not in the format was so before it was damaged: messages of
 * bpftrace, which are skipped, have no members. */
static found is_damaged(const cursor *c)
{
    size_t len = (size_t)(c->end - c->p);
    brz_str line = brz_str_of(c->p, len < SHOWN ? len : SHOWN);
    if (len < SHOWN && !c->last)
        return MORE;
    return brz_starts_with(line, BRZ_STR("{")) ||
                   brz_str_find(line, BRZ_STR("\"type\""), 0) != SIZE_MAX ||
                   brz_str_find(line, BRZ_STR("\"data\""), 0) != SIZE_MAX
               ? YES
               : NO;
}

/* Skips a line without stacks. Reports one that was in the format, or is of a type that is not
 * known. */
static found take_other_line(bpftrace *b, brz_ctx *ctx, const cursor *c, found f, brz_str type)
{
    found damaged = f == YES ? (is_other(type) ? NO : YES) : is_damaged(c);
    if (damaged == MORE)
        return MORE;
    b->n_other_values += f == YES ? is_histogram(type) : c->p < c->end && *c->p == '[';
    if (damaged == YES)
        report_line(b, ctx);
    b->json = IN_REST;
    return f;
}

/* Parses a line, or the front of one with a map. A front that has not arrived whole is read again.
 */
static found take_line(bpftrace *b, brz_ctx *ctx, cursor *c, brz_rc *rc)
{
    brz_str type;
    cursor at = *c;
    brz_json_reset(&b->parser);
    found f = take_type(&b->parser, &at, &type);
    if (f == YES && has_entries(type)) {
        f = begin_map(b, ctx, &at, rc);
    } else if (f == YES && is_text(type)) {
        f = take_text_line(b, ctx, &at, rc);
    } else if (f != MORE) {
        f = take_other_line(b, ctx, c, f, type);
    }
    if (f == MORE) {
        b->json = AT_LINE;
        return MORE;
    }
    *c = at;
    return YES;
}

/* Moves past the end of the line, or to another line that is joined with it. */
static found skip_rest(bpftrace *b, cursor *c)
{
    static const brz_str beginning = {"{\"type\"", 7};
    size_t len = (size_t)(c->end - c->p), at = brz_str_find(brz_str_of(c->p, len), beginning, 0);
    if (at == SIZE_MAX && !c->last) {
        c->p += len < beginning.len ? 0 : len - beginning.len + 1; /* it may begin there */
        return MORE;
    }
    c->p = at == SIZE_MAX ? c->end : c->p + at;
    b->json = AT_LINE;
    return YES;
}

static found take_next(bpftrace *b, brz_ctx *ctx, cursor *c, brz_rc *rc)
{
    if (b->json == IN_REST)
        return skip_rest(b, c);
    if (b->json == IN_ENTRIES)
        return take_entry(b, ctx, c, rc);
    return take_line(b, ctx, c, rc);
}

/* Parses a line as far as it is there; returns where it stopped. */
static const char *take_one(bpftrace *b, brz_ctx *ctx, cursor c, brz_rc *rc)
{
    found f = YES;
    while (*rc == BRZ_OK && f != MORE && (c.p < c.end || (c.last && b->json != AT_LINE))) {
        bool in_entries = b->json == IN_ENTRIES;
        f = take_next(b, ctx, &c, rc);
        if (f == NO && in_entries) /* the rest of the line is lost */
            report_line(b, ctx);
        if (f == NO)
            b->json = IN_REST;
    }
    return c.p;
}

const char *json_take(bpftrace *b, brz_ctx *ctx, const char *p, const char *end, bool last,
                      brz_rc *rc)
{
    *rc = BRZ_OK;
    while (p < end && *rc == BRZ_OK) {
        cursor c = line_at(p, end);
        p = take_one(b, ctx, c, rc);
        if (!c.last || p < c.end)
            break;
        p = c.end + 1;
    }
    if (!last || *rc != BRZ_OK)
        return p;
    if (b->json == IN_ENTRIES || (b->json != IN_REST && p < end))
        report_lost(b, ctx, "bpftrace.cut-off", BRZ_STR("a line is cut off: its end is left out"));
    b->json = AT_LINE;
    *rc = end_text(b, ctx);
    return end;
}
