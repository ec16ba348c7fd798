/* SPDX-License-Identifier: MIT */
/* Makes names of files with symbols, and opens them. */
#include "symbol_path.h"

#include <brazier/symbol.h>

/* Opens the file at the path, once or again. */
static bool open_path(symbols *s, const brz_live *again, brz_related_file *file, bool *has_changed)
{
    brz_str path = brz_text_str(&s->path);
    uint32_t flags = s->is_own_path ? 0 : BRZ_RELATED_BY_INPUT;
    *file = (brz_related_file){.struct_size = sizeof *file};
    *has_changed = true;
    if (!s->is_own_path && !brz_starts_with(path, BRZ_STR("/")))
        return false;
    int32_t status = again == NULL ? s->ctx->host->open_related(s->ctx, path, flags, file)
                                   : again->open_again(s->ctx, path, flags, file, has_changed);
    s->was_refused = status == BRZ_RELATED_REFUSED;
    return status == BRZ_RELATED_OPENED && file->len > 0;
}

bool symbol_path_open(symbols *s, brz_related_file *file)
{
    bool unused;
    return open_path(s, NULL, file, &unused);
}

bool symbol_path_open_again(symbols *s, brz_related_file *file, bool *has_changed)
{
    return open_path(s, s->live, file, has_changed);
}

void symbol_path_start(symbols *s, brz_str first)
{
    s->path.len = 0;
    s->is_own_path = false;
    brz_text_append(&s->path, s->ctx, first);
}

void symbol_path_start_own(symbols *s, brz_str first)
{
    symbol_path_start(s, first);
    s->is_own_path = true;
}

void symbol_path_add(symbols *s, brz_str text)
{
    brz_text_append(&s->path, s->ctx, text);
}

void symbol_path_add_digits(symbols *s, const build_id *id, uint32_t from, uint32_t to)
{
    static const char digits[] = "0123456789abcdef";
    for (uint32_t i = from; i < to; i++) {
        char two[2] = {digits[id->bytes[i] >> 4], digits[id->bytes[i] & 15]};
        symbol_path_add(s, brz_str_of(two, 2));
    }
}
