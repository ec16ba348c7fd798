/* SPDX-License-Identifier: MIT */
/* Reads the members of a dump in either encoding. */
#include "input.h"

#include "../../common/json/text.h"

static const char *const keys[N_MEMBERS] = {
    [MODE] = "mode",
    [INTERVAL] = "interval",
    [FRAMES] = "frames",
    [RAW] = "raw",
    [TIMESTAMPS] = "raw_sample_timestamps",
    [SAMPLES] = "samples",
};

/* Reads a dump in Ruby's format. What lies before the first error is read. */
static void read_ruby(input *in, const brz_chunk *chunk)
{
    marshal *m = &in->ruby;
    marshal_start(m, in->ctx, chunk->data, chunk->len, keys, N_MEMBERS, in->offsets);
    if (m->bytes.error != NULL)
        brz_bytes_warn(in->ctx, &m->bytes, "stackprof.marshal");
    else if (brz_bytes_left(&m->bytes) > 0)
        BRZ_WARN(in->ctx, "stackprof.rest", m->bytes.at, 0,
                 "more after the end of the dump: left out");
}

void input_read(input *in, brz_ctx *ctx, const brz_chunk *chunk)
{
    static const char *const codes[] = {"stackprof.json", "stackprof.cut-off"};
    in->ctx = ctx;
    in->is_ruby = chunk->len >= 2 && memcmp(chunk->data, "\x04\x08", 2) == 0;
    if (in->is_ruby)
        read_ruby(in, chunk);
    else
        members_of_input(ctx, chunk, codes, keys, N_MEMBERS, in->members);
}

/* Returns the value of a member in Ruby's format: an empty one if there is none. */
static marshal_value ruby_value(const input *in, member which)
{
    if (in->offsets[which] == 0)
        return (marshal_value){0};
    return marshal_value_at(&in->ruby, in->offsets[which]);
}

brz_str input_text(const input *in, member which, brz_text *scratch)
{
    if (!in->is_ruby)
        return json_text_into(scratch, in->ctx, &in->members[which]);
    return ruby_value(in, which).text;
}

uint32_t input_number(const input *in, member which)
{
    if (!in->is_ruby)
        return members_number(&in->members[which], 0);
    const marshal_value v = ruby_value(in, which);
    return v.integer > 0 && v.integer <= UINT32_MAX ? (uint32_t)v.integer : 0;
}

/* Returns the place of a byte in Ruby's format. */
static brz_str byte_at(const input *in, size_t offset)
{
    return brz_str_of((const char *)in->ruby.bytes.start + offset, 0);
}

brz_str input_place(const input *in, member which)
{
    return in->is_ruby ? byte_at(in, in->offsets[which]) : in->members[which].text;
}

bool numbers_open(number_list *list, const input *in, member which)
{
    *list = (number_list){.in = in};
    if (!in->is_ruby)
        return members_open(&list->json, in->ctx, &in->members[which], BRZ_JSON_ARRAY);
    return in->offsets[which] > 0 && marshal_open(&in->ruby, in->offsets[which], '[', &list->ruby);
}

static number_found next_ruby(number_list *list)
{
    marshal_value v;
    if (!marshal_next(&list->ruby, &v))
        return NUMBERS_END;
    list->at = byte_at(list->in, v.at);
    list->number = v.integer;
    return v.kind == MARSHAL_INTEGER ? NUMBER : NO_NUMBER;
}

number_found numbers_next(number_list *list)
{
    if (list->in->is_ruby)
        return next_ruby(list);
    cursor *c = &list->json;
    if (!cursor_element(c))
        return NUMBERS_END;
    list->at = cursor_skip(c);
    return members_integer(c->ctx, &c->token, &list->number) ? NUMBER : NO_NUMBER;
}
