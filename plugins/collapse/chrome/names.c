/* SPDX-License-Identifier: MIT */
/* Makes frames of the names of events. Most events are described by their name alone; others have
 * a place in the source: those of Hermes in the arguments, those of tracing-chrome beside the name.
 * brazier writes what it knows of a frame as arguments, and its kind as category. */
#include "trace.h"

#include <brazier/text/integer.h>

#include "../../common/json/text.h"

/* Arguments that describe a frame. */
enum { ARGUMENT_MODULE, ARGUMENT_FILE, ARGUMENT_URL, ARGUMENT_LINE, ARGUMENT_COLUMN, ARGUMENTS };

uint32_t name_of(trace *t, brz_ctx *ctx, const brz_json_token *name)
{
    bool is_new;
    if (name->kind != BRZ_JSON_STRING)
        return NO_NAME;
    brz_str parts[3] = {name->text};
    uint32_t number = trace_key(t, ctx, KEY_NAME, parts, t->n_names, &is_new);
    if (is_new) {
        t->names = brz_list_room(ctx, t->names, t->n_names, &t->names_cap, sizeof *t->names);
        t->names[t->n_names++] = BRZ_NO_FRAME;
    }
    return number;
}

/* Decodes the name of an event into t->text. */
static void decode_name(trace *t, brz_ctx *ctx, const brz_json_token *name)
{
    json_text_into(&t->text, ctx, name);
    if (t->text.len == 0)
        brz_text_append(&t->text, ctx, BRZ_STR("[unknown]"));
}

/* Appends the arguments to the name, without the blanks between them. */
static void append_args(trace *t, brz_ctx *ctx, const brz_json_token *args)
{
    bool quoted = false;
    if (args->kind != BRZ_JSON_OBJECT || args->text.len <= 2)
        return;
    const char *p = args->text.data, *end = p + args->text.len;
    brz_text_append(&t->text, ctx, BRZ_STR(" "));
    brz_text_room(&t->text, ctx, args->text.len);
    for (; p < end; p++) {
        bool escape = quoted && *p == '\\' && p + 1 < end;
        quoted ^= *p == '"';
        if (quoted || (*p != ' ' && *p != '\n' && *p != '\r' && *p != '\t'))
            t->text.data[t->text.len++] = *p;
        if (escape)
            t->text.data[t->text.len++] = *++p;
    }
}

uint32_t name_position(const brz_json_token *t)
{
    uint64_t n;
    bool text = t->kind == BRZ_JSON_NUMBER || t->kind == BRZ_JSON_STRING;
    return text && brz_parse_u64(t->text, &n) && n < UINT32_MAX ? (uint32_t)n : 0;
}

/* Sets kind and flags by the word that brazier writes. */
static void set_kind(brz_frame_desc *d, const brz_json_token *category)
{
    static const char *const words[] = {"process", "user", "kernel", "jit", "inlined", "waker"};
    static const uint32_t kinds[] = {BRZ_KIND_PROCESS, BRZ_KIND_USER, BRZ_KIND_KERNEL};
    static const uint32_t flags[] = {BRZ_FRAME_JIT, BRZ_FRAME_INLINED, BRZ_FRAME_WAKER};
    size_t i = category->kind == BRZ_JSON_STRING ? members_find(category->text, words, 6) : 6;
    if (i < 3)
        d->kind = kinds[i];
    else if (i < 6)
        d->flags = flags[i - 3];
}

/* Makes a frame of an event that has more than a name. */
static brz_frame describe(trace *t, brz_ctx *ctx, const brz_json_token *parts)
{
    static const char *const keys[ARGUMENTS] = {"module", "file", "url", "line", "column"};
    brz_frame_desc d = {.struct_size = sizeof d};
    brz_json_token args[ARGUMENTS] = {{0}};
    members_of(ctx, &parts[EVENT_ARGS], keys, ARGUMENTS, args);
    if (parts[EVENT_FILE].kind == BRZ_JSON_STRING) {
        args[ARGUMENT_URL] = parts[EVENT_FILE];
        args[ARGUMENT_LINE] = parts[EVENT_LINE];
    }
    bool place = t->own || args[ARGUMENT_URL].kind == BRZ_JSON_STRING;
    d.name = brz_text_str(&t->text);
    if (t->own) {
        d.module = json_text_into(&t->module, ctx, &args[ARGUMENT_MODULE]);
        set_kind(&d, &parts[EVENT_CATEGORY]);
    }
    if (place) {
        d.file = json_text_into(&t->file, ctx, &args[t->own ? ARGUMENT_FILE : ARGUMENT_URL]);
        d.line = name_position(&args[ARGUMENT_LINE]);
        d.column = name_position(&args[ARGUMENT_COLUMN]);
    }
    return ctx->host->frame(ctx, &d);
}

brz_frame name_frame(trace *t, brz_ctx *ctx, const brz_json_token *parts, uint32_t name)
{
    const options *o = ctx->cfg;
    bool no_category = parts[EVENT_CATEGORY].kind != BRZ_JSON_STRING;
    bool args = parts[EVENT_ARGS].text.len > 2;
    bool described = t->own || parts[EVENT_FILE].kind == BRZ_JSON_STRING || (no_category && args);
    bool plain = name != NO_NAME && !described && !(o->args && args);
    if (plain && t->names[name] != BRZ_NO_FRAME)
        return t->names[name];
    decode_name(t, ctx, &parts[EVENT_NAME]);
    if (o->args)
        append_args(t, ctx, &parts[EVENT_ARGS]);
    if (!plain)
        return describe(t, ctx, parts);
    t->names[name] = ctx->host->intern(ctx, t->text.data, t->text.len);
    return t->names[name];
}
