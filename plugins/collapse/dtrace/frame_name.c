/* SPDX-License-Identifier: MIT */
/* Converts a stack line to readable frames:
 *
 *     line := [module "`"] function ["+0x" hex]
 *
 * 1. A name with "::" loses its argument list, or its last template arguments if it has no argument
 * list. 2. An empty name becomes "-". 3. Rust's mangling is removed; an offset that is kept stays
 * at the end. 4. Java's "a->b" means that b was inlined into a: each becomes a frame, and the L in
 * front of a class's path is removed.
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

/* Returns the position of the first "(" in s[from, to) that is not closed there, or `to`. */
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

/* Returns whether the bracket at `at` opens an argument list or template arguments. */
static bool opens_arguments(brz_str text, size_t at)
{
    brz_str rest = brz_str_of(text.data + at, text.len - at);
    return (rest.data[0] == '(' && !brz_starts_with(rest, BRZ_STR("(anonymous"))) ||
           rest.data[0] == '<';
}

/* Removes the arguments of a C++ function: the text from the last bracket after the first "::" on,
 * or from the beginning of the argument list if that bracket is within it. */
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

/* Returns the length of the text before the function. */
static size_t module_len(brz_str text)
{
    const char *tick = text.len == 0 ? NULL : memchr(text.data, '`', text.len);
    return tick == NULL ? 0 : (size_t)(tick + 1 - text.data);
}

/* Copies the text to `out` with Rust's mangling removed. */
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

/* Returns a frame; `inner` says that it was inlined into the one before it. */
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
    d.flags = inner ? BRZ_FRAME_INLINED : 0;
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
    brz_text_room(scratch, ctx, len + 4); /* keeps the text in place while it grows */
    brz_str name = brz_text_str(scratch);
    brz_str in = brz_str_of(name.data, module > 0 ? module - 1 : 0);
    long balance = brz_bracket_balance(name);
    brz_str piece;
    for (bool more = true, inner = false; more; inner = true) {
        more = brz_take_inlined(&name, &balance, &piece);
        brz_frame_list_push(out, ctx, piece_frame(ctx, piece, in, inner, scratch));
    }
}
