/* The stack line of `perf script`, and the lines that may follow it:
 *
 *     frame  := address symbol ["+0x" hex] "(" module ")" | hex symbol
 *     source := "  " (file ":" number | module "[" address "]" | "??:0")
 *     extra  := branch+ | "insn:" ... | "ABI:" ...
 *
 * Symbols and modules may hold blanks and parentheses ("operator() (/opt/my app/bin (deleted))"):
 * the module is the last group of balanced parentheses that stands behind a blank.
 */
#include "frame_line.h"

#include <brazier/symbol.h>
#include <brazier/text/find.h>
#include <brazier/text/trim.h>

#include <string.h>

/* The offset of the "(" that opens the balanced group at the line's end, or SIZE_MAX. */
static size_t balanced_group(brz_str line)
{
    size_t depth = 0;
    for (size_t i = line.len; i-- > 1;) {
        depth += line.data[i] == ')';
        if (line.data[i] == '(' && --depth == 0)
            return brz_is_blank(line.data[i - 1]) ? i : SIZE_MAX;
    }
    return SIZE_MAX;
}

/* The offset of the "(" in front of the module, or SIZE_MAX. A module with parentheses that are not
 * balanced has no blanks. */
static size_t module_start(brz_str line)
{
    if (line.len == 0 || line.data[line.len - 1] != ')')
        return SIZE_MAX;
    size_t group = balanced_group(line);
    const char *blank = brz_rfind(line, ' ');
    if (group == SIZE_MAX && blank != NULL && blank[1] == '(')
        return (size_t)(blank + 1 - line.data);
    return group;
}

bool frame_line_has_module(brz_str line)
{
    return module_start(brz_trim_end(line)) != SIZE_MAX;
}

/* Cut at the last "+0x", if only hex digits follow it. */
static brz_str cut_offset(brz_str symbol)
{
    size_t i = symbol.len;
    while (i > 0 && brz_is_hex(symbol.data[i - 1]))
        i--;
    if (i >= 3 && memcmp(symbol.data + i - 3, "+0x", 3) == 0)
        symbol.len = i - 3;
    return symbol;
}

/* There is at least one blank at `from`. */
static brz_str symbol_between(const char *from, const char *to)
{
    brz_str s = cut_offset(brz_trim(brz_str_of(from, (size_t)(to - from))));
    return s.len > 0 ? s : brz_str_of(from, 1);
}

bool frame_line_parse(brz_str line, frame_line *out)
{
    line = brz_trim(line);
    size_t i = 0, module = module_start(line);
    while (i < line.len && !brz_is_blank(line.data[i]))
        i++;
    if (i == line.len)
        return false;
    out->address = brz_str_of(line.data, i);
    out->file = brz_str_of(line.data, 0);
    out->number = 0;
    if (module != SIZE_MAX && module > i) {
        out->symbol = symbol_between(line.data + i, line.data + module);
        out->module = brz_str_of(line.data + module + 1, line.len - module - 2);
        if (brz_ends_with(out->module, BRZ_STR(" (deleted)")))
            out->module.len -= 10;
        return true;
    }
    out->symbol = symbol_between(line.data + i, line.data + line.len);
    out->module = brz_str_of(line.data, 0);
    return brz_all_hex(line.data, i) && out->symbol.data[0] != '(';
}

static bool parse_number(brz_str s, uint32_t *number)
{
    uint64_t v = 0;
    for (size_t i = 0; i < s.len; i++) {
        if (s.data[i] < '0' || s.data[i] > '9' || v > UINT32_MAX / 10)
            return false;
        v = v * 10 + (uint64_t)(s.data[i] - '0');
    }
    *number = (uint32_t)v;
    return s.len > 0 && v <= UINT32_MAX;
}

bool source_line_parse(brz_str line, brz_str *file, uint32_t *number)
{
    if (!brz_starts_with(line, BRZ_STR("  ")) || brz_is_blank(line.data[2 < line.len ? 2 : 0]))
        return false;
    line = brz_trim(line);
    if (brz_ends_with(line, BRZ_STR(" (inlined)")))
        line.len -= 10;
    *file = brz_str_of(line.data, 0);
    *number = 0;
    const char *colon = brz_rfind(line, ':');
    if (colon == NULL)
        return line.len > 0 && line.data[line.len - 1] == ']';
    size_t at = (size_t)(colon - line.data);
    if (!parse_number(brz_str_of(colon + 1, line.len - at - 1), number))
        return false;
    if (at > 0 && memcmp(line.data, "??", at < 2 ? at : 2) != 0)
        *file = brz_str_of(line.data, at);
    return true;
}

bool extra_line_is(brz_str line)
{
    line = brz_trim_start(line);
    if (brz_starts_with(line, BRZ_STR("insn:")) || brz_starts_with(line, BRZ_STR("ABI:")))
        return true;
    if (!brz_starts_with(line, BRZ_STR("0x")))
        return false;
    const char *slash = memchr(line.data, '/', line.len);
    if (slash == NULL)
        return false;
    size_t at = (size_t)(slash - line.data);
    return at + 3 < line.len && memcmp(slash, "/0x", 3) == 0 && brz_all_hex(line.data + 2, at - 2);
}
