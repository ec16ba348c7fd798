/* How a stack line becomes readable:
 *
 *     line := [module "`"] function ["+0x" hex]
 *
 * 1. A name with "::" loses its argument list, or its last template arguments where it has no
 *    argument list.
 * 2. An empty name is "-".
 * 3. The function loses Rust's mangling; an offset that is kept stays at its end.
 * 4. "a->b" is Java's way of telling that b was inlined into a: one frame each, and the L in front
 *    of a class's path goes.
 */
#include "frame_name.h"

#include <brazier/symbol.h>
#include <brazier/text/find.h>
#include <brazier/text/trim.h>

#include <string.h>

brz_str frame_name_cut_offset(brz_str text)
{
    const char *end = text.data + text.len;
    const char *from = text.len > 20 ? end - 20 : text.data;
    const char *plus = brz_rfind_near(from, end, '+');
    if (plus == NULL || end - plus < 4 || plus[1] != '0' || plus[2] != 'x')
        return text;
    if (!brz_all_hex_near(plus + 3, (size_t)(end - plus - 3)))
        return text;
    return brz_str_of(text.data, (size_t)(plus - text.data));
}

/* Where the first "(" in s[from, to) stands that is not closed there, or `to`. */
static size_t find_unclosed(brz_str s, size_t from, size_t to)
{
    size_t depth = 0, first = to;
    for (size_t i = from; i < to; i++) {
        if (s.data[i] == '(' && depth++ == 0)
            first = i;
        if (s.data[i] == ')' && depth > 0 && --depth == 0)
            first = to;
    }
    return first;
}

/* True for the bracket in front of an argument list, or of template arguments. */
static bool opens_arguments(brz_str text, size_t at)
{
    brz_str rest = brz_str_of(text.data + at, text.len - at);
    return (rest.data[0] == '(' && !brz_starts_with(rest, BRZ_STR("(anonymous"))) ||
           rest.data[0] == '<';
}

/* Without the arguments of a C++ function: all from the last bracket behind the first "::", or,
 * where that is one within the argument list, from the list's beginning. */
static brz_str cut_arguments(brz_str text)
{
    size_t scope = brz_str_find(text, BRZ_STR("::"), 0);
    if (scope == SIZE_MAX)
        return text;
    size_t at = text.len;
    while (at > scope && !opens_arguments(text, at - 1))
        at--;
    if (at == scope)
        return text;
    return brz_str_of(text.data, find_unclosed(text, scope, at - 1));
}

/* How much of the text is in front of its function. */
static size_t module_len(brz_str text)
{
    const char *tick = text.len == 0 ? NULL : memchr(text.data, '`', text.len);
    return tick == NULL ? 0 : (size_t)(tick + 1 - text.data);
}

/* Puts the text into `out` with Rust's mangling undone. */
static void repair(brz_ctx *ctx, brz_str text, brz_text *out)
{
    size_t module = module_len(text);
    brz_text_append(out, ctx, text);
    if (module == 0)
        return;
    brz_str function = brz_trim_end(brz_str_of(text.data + module, text.len - module));
    const char *plus = brz_rfind(function, '+');
    size_t len = plus == NULL ? function.len : (size_t)(plus - function.data);
    out->len = module + brz_rust_repair(brz_str_of(function.data, len), out->data + module);
    brz_text_append(out, ctx, brz_str_of(function.data + len, function.len - len));
}

/* One frame; `inner`: it was inlined into the one before it. */
static brz_frame piece_frame(brz_ctx *ctx, brz_str piece, brz_str module, bool inner,
                             brz_text *scratch)
{
    brz_frame_desc d = {.struct_size = sizeof d, .module = module};
    size_t start = scratch->len;
    if (piece.len > 1 && piece.data[0] == 'L' && memchr(piece.data, '/', piece.len) != NULL)
        piece = brz_str_of(piece.data + 1, piece.len - 1);
    brz_text_append(scratch, ctx, piece);
    for (char *p = scratch->data + start, *end = scratch->data + scratch->len; p < end; p++)
        if (*p == ';')
            *p = ':';
    if (inner)
        brz_text_append(scratch, ctx, BRZ_STR("_[i]"));
    d.kind = inner ? BRZ_KIND_INLINED : BRZ_KIND_OTHER;
    d.name = brz_str_of(scratch->data + start, scratch->len - start);
    scratch->len = start;
    return ctx->host->frame(ctx, &d);
}

void frame_name_resolve(brz_ctx *ctx, brz_str text, brz_text *scratch, brz_frame_list *out)
{
    text = cut_arguments(text);
    scratch->len = 0;
    repair(ctx, text.len == 0 ? BRZ_STR("-") : text, scratch);
    size_t len = scratch->len, module = module_len(brz_text_str(scratch));
    brz_text_room(scratch, ctx, len + 4); /* so that what is in it stays where it is */
    brz_str name = brz_text_str(scratch);
    brz_str in = brz_str_of(name.data, module > 0 ? module - 1 : 0);
    long balance = brz_bracket_balance(name);
    brz_str piece;
    for (bool more = true, inner = false; more; inner = true) {
        more = brz_take_inlined(&name, &balance, &piece);
        brz_frame_list_push(out, ctx, piece_frame(ctx, piece, in, inner, scratch));
    }
}
