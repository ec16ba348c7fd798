/* SPDX-License-Identifier: MIT */
/* Parses the stack line of `perf script`, and the lines that may follow it:
 *
 *     frame  := address symbol ["+0x" hex] "(" module ")" | hex symbol | TAB hex
 *     source := "  " (file ":" number | module "[" address "]" | "??:0")
 *     extra  := branch+ | "insn:" ... | "ilen:" ... | "ABI:" ... | hex | size+
 *
 * Symbols and modules may contain spaces and parentheses ("operator() (/opt/my app/bin
 * (deleted))"): the module is the last group of balanced parentheses that follows a space.
 */
#include "frame_line.h"

#include <brazier/symbol.h>
#include <brazier/text/find.h>
#include <brazier/text/integer.h>
#include <brazier/text/trim.h>

#include <string.h>

/* Returns the offset of the "(" that opens the balanced group at the line's end, or SIZE_MAX. */
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

static bool has_balanced_parens(brz_str s)
{
    long depth = 0;
    for (size_t i = 0; i < s.len; i++)
        depth += s.data[i] == '(' ? 1 : s.data[i] == ')' ? -1 : 0;
    return depth == 0;
}

/* Returns the offset of the "(" in front of the module, or SIZE_MAX. A module with unbalanced
 * parentheses contains no spaces; "(long)>::operator()" is the end of a symbol. */
static size_t module_start(brz_str line)
{
    if (line.len == 0 || line.data[line.len - 1] != ')')
        return SIZE_MAX;
    size_t group = balanced_group(line);
    const char *blank = brz_rfind(line, ' ');
    if (group != SIZE_MAX || blank == NULL || blank[1] != '(')
        return group;
    size_t at = (size_t)(blank + 1 - line.data);
    return has_balanced_parens(brz_str_of(blank + 1, line.len - at)) ? SIZE_MAX : at;
}

#define MOST_DIGITS 16 /* of an offset */

/* Removes the text from the last "+0x" on, if only hex digits of an offset follow it. */
static brz_str cut_offset(brz_str symbol)
{
    size_t i = symbol.len;
    while (i > 0 && symbol.len - i < MOST_DIGITS && brz_is_hex(symbol.data[i - 1]))
        i--;
    if (i >= 3 && memcmp(symbol.data + i - 3, "+0x", 3) == 0)
        symbol.len = i - 3;
    return symbol;
}

/* Returns the symbol between two positions; there is at least one space at `from`. */
static brz_str symbol_between(const char *from, const char *to)
{
    brz_str s = cut_offset(brz_trim(brz_str_of(from, (size_t)(to - from))));
    return s.len > 0 ? s : brz_str_of(from, 1);
}

bool symbol_is_process_name(brz_str symbol)
{
    return brz_starts_with(symbol, BRZ_STR("(")) &&
           !brz_starts_with(symbol, BRZ_STR("(anonymous namespace)"));
}

/* Returns the end of the first word. */
static size_t word_end(brz_str s)
{
    size_t i = 0;
    while (i < s.len && !brz_is_blank(s.data[i]))
        i++;
    return i;
}

/* Returns the end of the symbol of a line without a module: the line's end, or the blank in front
 * of a module that is cut off before its closing bracket. */
static const char *symbol_end(brz_str line, size_t from)
{
    const char *end = line.data + line.len, *open = brz_rfind(line, '(');
    bool is_cut = open != NULL && open > line.data + from + 1 && open[-1] == ' ' &&
                  memchr(open, ')', (size_t)(end - open)) == NULL;
    return is_cut ? open - 1 : end;
}

bool frame_line_parse(brz_str line, frame_line *out)
{
    bool indented = line.len > 0 && line.data[0] == '\t';
    line = brz_trim(line);
    size_t i = word_end(line), module = module_start(line);
    if (i == line.len && !(indented && brz_all_hex(line.data, i)))
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
    out->symbol = i == line.len ? brz_str_of(line.data, 0)
                                : symbol_between(line.data + i, symbol_end(line, i));
    out->module = brz_str_of(line.data, 0);
    return brz_all_hex(line.data, i) && !symbol_is_process_name(out->symbol);
}

static brz_str after(brz_str s, size_t at)
{
    return brz_trim_start(brz_str_of(s.data + at, s.len - at));
}

/* Removes the columns that perf prints after a stack of one line. */
static brz_str cut_columns_after(brz_str s)
{
    const char *close = brz_rfind(s, ')');
    while (close != NULL) {
        size_t at = (size_t)(close + 1 - s.data);
        if (at == s.len || extra_line_is(after(s, at)))
            return brz_str_of(s.data, at);
        close = brz_rfind(brz_str_of(s.data, at - 1), ')');
    }
    return s;
}

/* Shorter hexadecimal words may be names: "add", "face". */
#define LONGEST_HEX_NAME 6

/* Removes the columns that perf prints before the stack line: numbers, and "|OP LOAD|LVL L1 hit|…".
 * The address is the last word of hex digits that a symbol follows. */
static brz_str cut_columns_in_front(brz_str s)
{
    size_t op = brz_str_find(s, BRZ_STR(" |OP "), 0);
    const char *bar = op == SIZE_MAX ? NULL : brz_rfind(s, '|');
    if (bar != NULL)
        s = after(s, (size_t)(bar + 1 - s.data));
    while (bar != NULL && s.len > 0 && !brz_all_hex(s.data, word_end(s)))
        s = after(s, word_end(s));
    for (;;) {
        brz_str next = after(s, word_end(s));
        size_t n = word_end(next);
        brz_str symbol = after(next, n);
        if (n <= LONGEST_HEX_NAME || !brz_all_hex(next.data, n) || symbol.len == 0 ||
            symbol.data[0] == '(')
            return s;
        s = next;
    }
}

bool frame_line_parse_in_line(brz_str text, frame_line *out)
{
    text = cut_columns_in_front(cut_columns_after(brz_trim(text)));
    return module_start(text) != SIZE_MAX && frame_line_parse(text, out) &&
           brz_all_hex(out->address.data, out->address.len);
}

/* perf prints the address of a stack that follows other text in 16 columns, after a space. */
#define ADDRESS_DIGITS  16
#define ADDRESS_COLUMNS 17

/* Returns the offset of the last word of hex digits that occupies the columns of an address and is
 * followed by text, or SIZE_MAX. The first word never counts, since no column determines its
 * beginning. */
static size_t last_address(brz_str text)
{
    size_t found = SIZE_MAX, end = word_end(text);
    while (end < text.len) {
        size_t at = text.len - after(text, end).len;
        size_t n = word_end(brz_str_of(text.data + at, text.len - at));
        if (n <= ADDRESS_DIGITS && at + n - end >= ADDRESS_COLUMNS && at + n < text.len &&
            brz_all_hex(text.data + at, n))
            found = at;
        end = at + n;
    }
    return found;
}

/* Returns whether the text is a single word, or has spaces only within brackets or after
 * "operator". */
static bool is_one_symbol(brz_str s)
{
    long depth = 0;
    for (size_t i = 0; i < s.len; i++) {
        depth += memchr("<([{", s.data[i], 4) != NULL;
        depth -= memchr(">)]}", s.data[i], 4) != NULL;
        if (brz_is_blank(s.data[i]) && depth == 0)
            return brz_str_find(s, BRZ_STR("operator"), 0) != SIZE_MAX;
    }
    return s.len > 0;
}

bool frame_line_parse_after_payload(brz_str text, frame_line *out)
{
    text = cut_columns_after(brz_trim(text));
    size_t at = last_address(text);
    if (at == SIZE_MAX || !frame_line_parse(after(text, at), out))
        return false;
    return out->module.len > 0 || is_one_symbol(out->symbol);
}

static bool parse_number(brz_str s, uint32_t *number)
{
    uint64_t v;
    if (!brz_parse_u64(s, &v) || v > UINT32_MAX)
        return false;
    *number = (uint32_t)v;
    return true;
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

/* Recognises the size of a page: "4K" or "N/A". */
static bool is_page_size(brz_str w)
{
    size_t n = 0;
    while (n < w.len && brz_is_digit(w.data[n]))
        n++;
    return brz_str_is(w, "N/A") ||
           (n > 0 && n + 1 == w.len && memchr("BKMGT", w.data[n], 5) != NULL);
}

/* Recognises a physical address, sizes of pages, or both, as -F +phys_addr and +data_page_size
 * print them. */
static bool are_columns(brz_str line)
{
    size_t numbers = 0;
    while (line.len > 0) {
        brz_str w = brz_str_of(line.data, word_end(line));
        bool size = is_page_size(w);
        if (!size && (numbers++ > 0 || !brz_all_hex(w.data, w.len)))
            return false;
        line = after(line, w.len);
    }
    return true;
}

/* Recognises branches: "0x401000/0x401010/P/-/-/3 …". */
static bool is_branches(brz_str line)
{
    size_t at = 2;
    if (!brz_starts_with(line, BRZ_STR("0x")))
        return false;
    while (at < line.len && brz_is_hex(line.data[at]))
        at++;
    return at + 3 < line.len && memcmp(line.data + at, "/0x", 3) == 0;
}

bool extra_line_is(brz_str line)
{
    line = brz_trim(line);
    return brz_starts_with(line, BRZ_STR("insn:")) || brz_starts_with(line, BRZ_STR("ilen:")) ||
           brz_starts_with(line, BRZ_STR("ABI:")) || is_branches(line) || are_columns(line);
}
