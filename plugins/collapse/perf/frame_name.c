/* How a symbol becomes readable:
 *
 * 1. "(" in front: a process name, no frame, unless it is C++'s (anonymous namespace).
 * 2. "a->b" is Java's way of telling that b was inlined into a: one frame each. C++'s operator->,
 *    Rust's "-> T" and arrows within brackets are not that.
 * 3. Each of them: "[unknown]" is named after its module; ";", which would split a folded line,
 *    becomes ":"; an argument list is cut off; Java's leading L goes.
 * 4. The first annotation that applies is added: _[i], _[k], _[j].
 */
#include "frame_name.h"

#include <brazier/symbol.h>
#include <brazier/text/find.h>
#include <brazier/text/trim.h>

#include <string.h>

static const brz_str anonymous_namespace = {"(anonymous namespace)", 21};

void frame_list_push(frame_list *list, brz_ctx *ctx, brz_frame id)
{
    if (list->n == list->cap) {
        size_t cap = list->cap > 0 ? 2 * list->cap : 64;
        brz_frame *ids = ctx->host->alloc(ctx, cap * sizeof *ids, 0);
        if (list->n > 0)
            memcpy(ids, list->ids, list->n * sizeof *ids);
        list->ids = ids;
        list->cap = cap;
    }
    list->ids[list->n++] = id;
}

void text_buffer_append(text_buffer *b, brz_ctx *ctx, brz_str s)
{
    if (b->cap - b->len < s.len + 32) {
        size_t cap = 2 * (b->len + s.len) + 256;
        char *data = ctx->host->alloc(ctx, cap, 0);
        if (b->len > 0)
            memcpy(data, b->data, b->len);
        b->data = data;
        b->cap = cap;
    }
    if (s.len > 0)
        memcpy(b->data + b->len, s.data, s.len);
    b->len += s.len;
}

bool module_is_kernel(brz_str module)
{
    if (brz_str_equal(module, BRZ_STR("[unknown]")))
        return false;
    if (brz_starts_with(module, BRZ_STR("[")) || brz_ends_with(module, BRZ_STR(".ko")))
        return true;
    size_t i = module.len;
    while (i > 0 && (brz_is_hex(module.data[i - 1]) ||
                     (module.data[i - 1] >= 'g' && module.data[i - 1] <= 'z') ||
                     (module.data[i - 1] >= 'G' && module.data[i - 1] <= 'Z') ||
                     memchr("-._", module.data[i - 1], 3) != NULL))
        i--;
    brz_str name = brz_str_of(module.data + i, module.len - i);
    return brz_str_find(name, BRZ_STR("vmlinux"), 0) != SIZE_MAX;
}

bool module_is_jit(brz_str module)
{
    if (brz_starts_with(module, BRZ_STR("/tmp/perf-")) && brz_ends_with(module, BRZ_STR(".map")))
        return true;
    return brz_str_find(module, BRZ_STR("/jitted-"), 0) != SIZE_MAX &&
           brz_ends_with(module, BRZ_STR(".so"));
}

/* How a character changes the depth of brackets. */
static int bracket(char c)
{
    if (c == '<' || c == '{' || c == '[' || c == '(')
        return 1;
    return c == '>' || c == '}' || c == ']' || c == ')' ? -1 : 0;
}

static bool is_arrow(brz_str s, size_t at)
{
    return at + 1 < s.len && s.data[at] == '-' && s.data[at + 1] == '>';
}

/* True if the arrow at `at` joins a caller and what was inlined into it. */
static bool arrow_divides(brz_str s, size_t at)
{
    brz_str before = brz_str_of(s.data, at);
    if (brz_ends_with(before, BRZ_STR("operator")))
        return false;
    bool blank_after = at + 2 < s.len && s.data[at + 2] == ' ';
    return !brz_ends_with(before, BRZ_STR(" ")) && !blank_after;
}

/* Where the first dividing arrow stands, or s.len. Arrows within brackets do not divide, if the
 * brackets of the name are balanced at all. */
static size_t find_divide(brz_str s)
{
    if (brz_str_find(s, BRZ_STR("->"), 0) == SIZE_MAX)
        return s.len;
    long depth = 0;
    size_t at_depth_0 = s.len, anywhere = s.len;
    for (size_t i = 0; i < s.len; i++) {
        if (!is_arrow(s, i)) {
            depth += bracket(s.data[i]);
            continue;
        }
        if (arrow_divides(s, i)) {
            anywhere = anywhere < i ? anywhere : i;
            if (depth == 0 && at_depth_0 == s.len)
                at_depth_0 = i;
        }
        i++;
    }
    return depth == 0 ? at_depth_0 : anywhere;
}

/* Where the argument list of a function begins, or name.len. */
static size_t find_arguments(brz_str name)
{
    long depth = 0;
    for (size_t i = 0; i < name.len; i++) {
        char c = name.data[i];
        if (is_arrow(name, i)) {
            i++;
            continue;
        }
        brz_str here = brz_str_of(name.data + i, name.len - i);
        bool method = i > 0 && name.data[i - 1] == '.'; /* Go: net/http.(*Client).Do */
        if (c == '(' && depth == 0 && !method && !brz_starts_with(here, anonymous_namespace))
            return i;
        depth += bracket(c);
    }
    return name.len;
}

static void append_tidy(text_buffer *b, brz_ctx *ctx, brz_str piece, bool java)
{
    size_t start = b->len;
    piece.len = find_arguments(piece);
    if (java && piece.len > 1 && piece.data[0] == 'L' && memchr(piece.data, '/', piece.len) != NULL)
        piece = brz_str_of(piece.data + 1, piece.len - 1);
    text_buffer_append(b, ctx, piece);
    for (char *p = b->data + start, *end = b->data + b->len; p < end; p++)
        if (*p == ';')
            *p = ':';
}

/* "[libc.so.6]" for code of which only the module is known; with its address if that is wanted. */
static void append_unknown(text_buffer *b, brz_ctx *ctx, const naming *wanted,
                           const frame_line *line)
{
    brz_str module = line->module;
    bool known = module.len > 0 && !brz_str_equal(module, BRZ_STR("[unknown]"));
    const char *slash = known ? brz_rfind(module, '/') : NULL;
    if (slash != NULL)
        module = brz_str_of(slash + 1, module.len - (size_t)(slash + 1 - module.data));
    text_buffer_append(b, ctx, BRZ_STR("["));
    text_buffer_append(b, ctx, known ? module : BRZ_STR("unknown"));
    if (wanted->addresses) {
        text_buffer_append(b, ctx, BRZ_STR(" <"));
        text_buffer_append(b, ctx, brz_trim_start(line->address));
        text_buffer_append(b, ctx, BRZ_STR(">"));
    }
    text_buffer_append(b, ctx, BRZ_STR("]"));
}

/* What sort of code the line is of; `inner`: it was inlined into the piece before it. */
static uint32_t kind_of(brz_str module, bool inner)
{
    if (inner || brz_str_equal(module, BRZ_STR("inlined")))
        return BRZ_KIND_INLINED;
    if (module_is_jit(module) || brz_starts_with(module, BRZ_STR("[JIT")))
        return BRZ_KIND_JIT;
    if (module_is_kernel(module))
        return BRZ_KIND_KERNEL;
    return module.len == 0 || module.data[0] == '[' ? BRZ_KIND_OTHER : BRZ_KIND_USER;
}

static bool contains(brz_str s, brz_str needle)
{
    return brz_str_find(s, needle, 0) != SIZE_MAX;
}

static void append_annotation(text_buffer *b, brz_ctx *ctx, const naming *wanted, brz_str module,
                              uint32_t kind, bool inner)
{
    brz_str name = brz_str_of(b->data, b->len);
    if (inner || (wanted->inlined && kind == BRZ_KIND_INLINED)) {
        if (!contains(name, BRZ_STR("_[i]")))
            text_buffer_append(b, ctx, BRZ_STR("_[i]"));
    } else if (wanted->kernel && module_is_kernel(module) && kind != BRZ_KIND_JIT) {
        text_buffer_append(b, ctx, BRZ_STR("_[k]"));
    } else if (wanted->jit && kind == BRZ_KIND_JIT) {
        if (!contains(name, BRZ_STR("_[j]")))
            text_buffer_append(b, ctx, BRZ_STR("_[j]"));
    }
}

static void append_source(text_buffer *b, brz_ctx *ctx, const frame_line *line)
{
    char digits[16];
    size_t i = sizeof digits;
    uint32_t n = line->number;
    do {
        digits[--i] = (char)('0' + n % 10);
        n /= 10;
    } while (n > 0);
    text_buffer_append(b, ctx, BRZ_STR(":"));
    text_buffer_append(b, ctx, line->file);
    text_buffer_append(b, ctx, BRZ_STR(":"));
    text_buffer_append(b, ctx, brz_str_of(digits + i, sizeof digits - i));
}

static brz_frame piece_frame(brz_ctx *ctx, const naming *wanted, const frame_line *line,
                             brz_str piece, bool java, bool inner, text_buffer *b)
{
    brz_frame_desc d = {.struct_size = sizeof d, .kind = kind_of(line->module, inner)};
    b->len = 0;
    if (brz_str_equal(piece, BRZ_STR("[unknown]")))
        append_unknown(b, ctx, wanted, line);
    else
        append_tidy(b, ctx, piece, java);
    if (wanted->source && line->file.len > 0)
        append_source(b, ctx, line);
    append_annotation(b, ctx, wanted, line->module, d.kind, inner);
    d.file = line->file;
    d.line = line->number;
    d.name = brz_str_of(b->data, b->len);
    if (!brz_str_equal(line->module, BRZ_STR("[unknown]")) &&
        !brz_str_equal(line->module, BRZ_STR("inlined")))
        d.module = line->module;
    return ctx->host->frame(ctx, &d);
}

void frame_name_resolve(brz_ctx *ctx, const naming *wanted, const frame_line *line, brz_str symbol,
                        bool java, text_buffer *scratch, frame_list *out)
{
    if (brz_starts_with(symbol, BRZ_STR("(")) && !brz_starts_with(symbol, anonymous_namespace))
        return;
    for (bool inner = false;; inner = true) {
        size_t at = find_divide(symbol);
        brz_str piece = brz_str_of(symbol.data, at);
        frame_list_push(out, ctx, piece_frame(ctx, wanted, line, piece, java, inner, scratch));
        if (at == symbol.len)
            break;
        symbol = brz_str_of(symbol.data + at + 2, symbol.len - at - 2);
    }
}
