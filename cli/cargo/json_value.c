/* SPDX-License-Identifier: MIT */
/* Finds values in a JSON text that is in memory. */
#include "json_value.h"

#include <string.h>

/* Reads the value whose first token is `first` to its end. */
static json_value whole_value(brz_json *j, const char **at, const char *end, brz_json_token first)
{
    if (first.kind != BRZ_JSON_OBJECT && first.kind != BRZ_JSON_ARRAY)
        return first;
    size_t depth = j->depth;
    while (j->depth >= depth) {
        brz_json_token t = brz_json_next(j, NULL, at, end, true);
        if (t.kind == BRZ_JSON_ERROR || t.kind == BRZ_JSON_END)
            return (json_value){.kind = BRZ_JSON_MORE};
    }
    first.text.len = (size_t)(*at - first.text.data);
    return first;
}

json_value json_value_of(brz_str text)
{
    brz_json parser = {0};
    const char *at = text.data, *end = text.data + text.len;
    return whole_value(&parser, &at, end, brz_json_next(&parser, NULL, &at, end, true));
}

json_value json_member(json_value object, const char *key)
{
    brz_json parser = {0};
    const char *at = object.text.data, *end = at + object.text.len;
    if (object.kind != BRZ_JSON_OBJECT)
        return (json_value){.kind = BRZ_JSON_MORE};
    brz_json_token t;
    brz_json_next(&parser, NULL, &at, end, true); /* the bracket */
    while ((t = brz_json_next(&parser, NULL, &at, end, true)).kind == BRZ_JSON_KEY) {
        bool found = brz_json_text_is(t.text, brz_str_of_text(key));
        t = brz_json_next(&parser, NULL, &at, end, true);
        json_value v = whole_value(&parser, &at, end, t);
        if (found)
            return v;
    }
    return (json_value){.kind = BRZ_JSON_MORE};
}

json_walk json_walk_of(json_value array)
{
    json_walk w = {.at = array.text.data, .end = array.text.data + array.text.len};
    if (array.kind != BRZ_JSON_ARRAY)
        w.end = w.at;
    else
        brz_json_next(&w.parser, NULL, &w.at, w.end, true);
    return w;
}

bool json_walk_next(json_walk *w, json_value *element)
{
    if (w->at == w->end)
        return false;
    brz_json_token t = brz_json_next(&w->parser, NULL, &w->at, w->end, true);
    *element = whole_value(&w->parser, &w->at, w->end, t);
    return t.kind != BRZ_JSON_ARRAY_CLOSE && t.kind != BRZ_JSON_ERROR && t.kind != BRZ_JSON_END;
}

bool json_is(json_value v, const char *text)
{
    return v.kind == BRZ_JSON_STRING && brz_json_text_is(v.text, brz_str_of_text(text));
}

bool json_has(json_value array, const char *text)
{
    json_value element;
    for (json_walk w = json_walk_of(array); json_walk_next(&w, &element);)
        if (json_is(element, text))
            return true;
    return false;
}

void json_append(json_value v, brz_buf *to)
{
    const char *p = v.text.data, *end = p + v.text.len;
    char bytes[4];
    if (v.kind != BRZ_JSON_STRING && v.kind != BRZ_JSON_NUMBER)
        return;
    while (p < end)
        brz_buf_add(to, bytes, brz_json_take_character(&p, end, bytes));
}

const char *json_keep(brz_arena *arena, json_value v)
{
    brz_buf b = {0};
    json_append(v, &b);
    const char *text = brz_arena_str(arena, brz_buf_str(&b)).data;
    brz_buf_finish(&b);
    return text;
}
