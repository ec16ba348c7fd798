/* Makes frames of V8's call frames. */
#include "frame.h"

#include <brazier/text/integer.h>

#include "../json/frame_kind.h"
#include "../json/text.h"

void frame_member(call_frame *f, brz_str key, const brz_json_token *value)
{
    if (brz_json_text_is(key, BRZ_STR("functionName")))
        f->name = *value;
    else if (brz_json_text_is(key, BRZ_STR("url")))
        f->url = *value;
    else if (brz_json_text_is(key, BRZ_STR("lineNumber")))
        f->line = *value;
    else if (brz_json_text_is(key, BRZ_STR("columnNumber")))
        f->column = *value;
    else if (brz_json_text_is(key, BRZ_STR("module")))
        f->module = *value;
    else if (brz_json_text_is(key, BRZ_STR("kind")))
        f->kind = *value;
}

/* Converts a number that counts from 0. Returns 0 for other values, such as -1. */
static uint32_t from_one(const brz_json_token *t)
{
    uint64_t n;
    bool good = t->kind == BRZ_JSON_NUMBER && brz_parse_u64(t->text, &n) && n < UINT32_MAX;
    return good ? (uint32_t)n + 1 : 0;
}

brz_frame frame_of(frame_texts *t, brz_ctx *ctx, const call_frame *f)
{
    brz_frame_desc d = {.struct_size = sizeof d};
    d.name = json_text_into(&t->name, ctx, &f->name);
    if (d.name.len == 0)
        d.name = BRZ_STR("(anonymous)");
    d.file = json_text_into(&t->url, ctx, &f->url);
    d.module = json_text_into(&t->module, ctx, &f->module);
    d.line = from_one(&f->line);
    d.column = from_one(&f->column);
    if (d.line == 0 && d.module.len == 0) { /* native code: a library, or nothing */
        d.module = d.file;
        d.file.len = 0;
    }
    json_set_kind(&d, &f->kind);
    return ctx->host->frame(ctx, &d);
}
