/* SPDX-License-Identifier: MIT */
/* Converts symbols to readable frame names:
 *
 * 1. "(" at the front marks a process name, which is not a frame, unless it is C++'s (anonymous
 * namespace). 2. Java's "a->b" means that b was inlined into a: each becomes a frame. C++'s
 * operator->, Rust's "-> T" and arrows within brackets are different. 3. In each of them,
 * "[unknown]" is named after its module; ";", which would split a folded line, becomes ":"; the
 * arguments and Java's leading L are removed. 4. The first annotation that applies is appended:
 * _[i], _[k], _[j].
 */
#include "frame_name.h"

#include "../file_path.h"
#include "arguments.h"

#include <brazier/symbol.h>
#include <brazier/text/integer.h>
#include <brazier/text/trim.h>

#include <string.h>

static const brz_str anonymous_namespace = {"(anonymous namespace)", 21};

static bool is_kernel(brz_str module)
{
    if (brz_str_is(module, "[unknown]"))
        return false;
    if (brz_starts_with(module, BRZ_STR("[")) || brz_ends_with(module, BRZ_STR(".ko")))
        return true;
    if (!brz_str_has(module, BRZ_STR("vmlinux")))
        return false;
    size_t i = module.len;
    while (i > 0 && (brz_is_hex(module.data[i - 1]) ||
                     (module.data[i - 1] >= 'g' && module.data[i - 1] <= 'z') ||
                     (module.data[i - 1] >= 'G' && module.data[i - 1] <= 'Z') ||
                     memchr("-._", module.data[i - 1], 3) != NULL))
        i--;
    brz_str name = brz_str_of(module.data + i, module.len - i);
    return brz_str_find(name, BRZ_STR("vmlinux"), 0) != SIZE_MAX;
}

static bool is_jit(brz_str module)
{
    if (brz_starts_with(module, BRZ_STR("/tmp/perf-")) && brz_ends_with(module, BRZ_STR(".map")))
        return true;
    return brz_str_find(module, BRZ_STR("/jitted-"), 0) != SIZE_MAX &&
           brz_ends_with(module, BRZ_STR(".so"));
}

/* Returns a name up to its first round bracket that is in no other one, as inferno shortens it. */
static brz_str cut_at_bracket(brz_str name)
{
    long depth = 0;
    for (size_t i = 0; i < name.len; i++) {
        char c = name.data[i];
        if (brz_is_arrow(name, i)) {
            i++;
            continue;
        }
        brz_str here = brz_str_of(name.data + i, name.len - i);
        bool method = i > 0 && name.data[i - 1] == '.'; /* Go: net/http.(*Client).Do */
        if (c == '(' && depth == 0 && !method && !brz_starts_with(here, anonymous_namespace))
            return brz_str_of(name.data, i);
        depth += brz_bracket(c);
    }
    return name;
}

static void append_short(brz_text *b, brz_ctx *ctx, brz_str piece, bool java)
{
    size_t start = b->len;
    if (java && piece.len > 1 && piece.data[0] == 'L' && memchr(piece.data, '/', piece.len) != NULL)
        piece = brz_str_of(piece.data + 1, piece.len - 1);
    brz_text_append(b, ctx, piece);
    for (char *p = b->data + start, *end = b->data + b->len; p < end; p++)
        if (*p == ';')
            *p = ':';
}

void frame_name_append(brz_text *b, brz_ctx *ctx, brz_str piece, bool java)
{
    static const brz_str jump = {"@plt", 4};
    brz_str name = name_without_arguments(piece);
    append_short(b, ctx, name, java);
    if (name.len < piece.len && brz_ends_with(piece, jump))
        brz_text_append(b, ctx, jump);
}

/* Appends "[libc.so.6]" for code of which only the module is known; with its address if the options
 * ask for it. */
static void append_unknown(brz_text *b, brz_ctx *ctx, const naming *wanted, const frame_line *line)
{
    brz_str module = line->module;
    bool known = module.len > 0 && !brz_str_is(module, "[unknown]");
    brz_text_append(b, ctx, BRZ_STR("["));
    brz_text_append(b, ctx, known ? path_base(module) : BRZ_STR("unknown"));
    if (wanted->addresses) {
        brz_text_append(b, ctx, BRZ_STR(" <"));
        brz_text_append(b, ctx, brz_trim_start(line->address));
        brz_text_append(b, ctx, BRZ_STR(">"));
    }
    brz_text_append(b, ctx, BRZ_STR("]"));
}

/* Returns the flag of a line's code; `inner` says that it was inlined into the previous piece. */
static uint32_t flags_of(brz_str module, bool inner)
{
    if (inner || brz_str_is(module, "inlined"))
        return BRZ_FRAME_INLINED;
    return is_jit(module) || brz_starts_with(module, BRZ_STR("[JIT")) ? BRZ_FRAME_JIT : 0;
}

/* Returns the kind of a line's code. */
static uint32_t kind_of(brz_str module, uint32_t flags)
{
    if (flags & BRZ_FRAME_JIT)
        return BRZ_KIND_USER;
    if (is_kernel(module))
        return BRZ_KIND_KERNEL;
    return module.len == 0 || module.data[0] == '[' ? BRZ_KIND_OTHER : BRZ_KIND_USER;
}

static void append_annotation(brz_text *b, brz_ctx *ctx, const naming *wanted, brz_str module,
                              uint32_t flags, bool inner)
{
    brz_str name = brz_str_of(b->data, b->len);
    if (inner || (wanted->inlined && (flags & BRZ_FRAME_INLINED))) {
        if (!brz_str_has(name, BRZ_STR("_[i]")))
            brz_text_append(b, ctx, BRZ_STR("_[i]"));
    } else if (wanted->kernel && is_kernel(module) && !(flags & BRZ_FRAME_JIT)) {
        brz_text_append(b, ctx, BRZ_STR("_[k]"));
    } else if (wanted->jit && (flags & BRZ_FRAME_JIT)) {
        if (!brz_str_has(name, BRZ_STR("_[j]")))
            brz_text_append(b, ctx, BRZ_STR("_[j]"));
    }
}

static void append_source(brz_text *b, brz_ctx *ctx, const frame_line *line)
{
    char digits[16];
    size_t i = sizeof digits;
    uint32_t n = line->number;
    do {
        digits[--i] = (char)('0' + n % 10);
        n /= 10;
    } while (n > 0);
    brz_text_append(b, ctx, BRZ_STR(":"));
    brz_text_append(b, ctx, line->file);
    brz_text_append(b, ctx, BRZ_STR(":"));
    brz_text_append(b, ctx, brz_str_of(digits + i, sizeof digits - i));
}

/* Parses a hexadecimal number. Returns 0 for another text. */
static uint64_t parse_address(brz_str digits)
{
    uint64_t n;
    digits = brz_trim(digits);
    return digits.len <= 16 && brz_take_hex(&digits, &n) && digits.len == 0 ? n : 0;
}

static brz_frame piece_frame(brz_ctx *ctx, const naming *wanted, const frame_line *line,
                             brz_str piece, bool java, bool inner, brz_text *b)
{
    brz_frame_desc d = {.struct_size = sizeof d, .flags = flags_of(line->module, inner)};
    d.kind = kind_of(line->module, d.flags);
    d.flags |= wanted->waker ? BRZ_FRAME_WAKER : 0;
    b->len = 0;
    if (brz_str_is(piece, "[unknown]"))
        append_unknown(b, ctx, wanted, line);
    else if (wanted->cut_at_bracket)
        append_short(b, ctx, cut_at_bracket(piece), java);
    else
        frame_name_append(b, ctx, piece, java);
    if (wanted->source && line->file.len > 0)
        append_source(b, ctx, line);
    append_annotation(b, ctx, wanted, line->module, d.flags, inner);
    d.file = line->file;
    d.line = line->number;
    d.address = wanted->places ? parse_address(line->address) : 0;
    d.name = brz_str_of(b->data, b->len);
    if (!brz_str_is(line->module, "[unknown]") && !brz_str_is(line->module, "inlined"))
        d.module = line->module;
    return ctx->host->frame(ctx, &d);
}

void frame_name_resolve(brz_ctx *ctx, const naming *wanted, const frame_line *line, brz_str symbol,
                        bool java, brz_text *scratch, brz_frame_list *out)
{
    if (symbol_is_process_name(symbol))
        return;
    brz_str piece;
    if (!brz_str_has(symbol, BRZ_STR("->"))) { /* most have no inlined calls */
        brz_frame_list_push(out, ctx, piece_frame(ctx, wanted, line, symbol, java, false, scratch));
        return;
    }
    long balance = brz_bracket_balance(symbol);
    for (bool more = true, inner = false; more; inner = true) {
        more = brz_take_inlined(&symbol, &balance, &piece);
        brz_frame_list_push(out, ctx, piece_frame(ctx, wanted, line, piece, java, inner, scratch));
    }
}
