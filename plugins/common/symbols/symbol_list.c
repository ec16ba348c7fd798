/* SPDX-License-Identifier: MIT */
/* Lists of the kernel's symbols, of which only the lines that are looked up are parsed.
 *
 *     line := address:16 hexadecimal digits " " type:1 letter " " name ("\t[" module "]")? "\n"
 *
 * Opening a list notes the address and the place of each line in an index.
 */
#include "symbol_list.h"

#include "symbol_lines.h"

#include <brazier/binary.h>
#include <brazier/symbol.h>

/* The text of most lines before a name: 16 digits, a blank, a letter, a blank. */
#define LINE_HEAD 19

/* The length of most lines, with their modules, or more. */
#define LINE_USUAL 40

#define EVERY_BYTE UINT64_C(0x0101010101010101)

/* Converts 8 lower-case hexadecimal digits. Returns false for other texts. */
static bool convert_digits(const char *text, uint64_t *value)
{
    uint64_t word = brz_load_u64((const uint8_t *)text, BRZ_LITTLE_ENDIAN);
    uint64_t letters = word >> 6 & EVERY_BYTE;
    uint64_t digits = (word & 0x0f * EVERY_BYTE) + 9 * letters;
    bool good = (word & 0xf0 * EVERY_BYTE) == 0x30 * (EVERY_BYTE + letters) &&
                ((digits + 6 * EVERY_BYTE) & 0x10 * EVERY_BYTE) == letters << 4 &&
                (digits & 0x10 * EVERY_BYTE) == 0;
    digits = (digits << 4 | digits >> 8) & UINT64_C(0x00ff00ff00ff00ff);
    digits = (digits << 8 | digits >> 16) & UINT64_C(0x0000ffff0000ffff);
    *value = (digits << 16 | digits >> 32) & UINT32_MAX;
    return good;
}

/* Returns whether a line has the usual form, but perhaps for its digits. */
static inline bool has_common_form(brz_str line)
{
    const char *p = line.data;
    return line.len > LINE_HEAD && p[16] == ' ' && p[17] > ' ' && p[18] == ' ' && p[19] > ' ';
}

/* Returns whether a line of the usual form may have a name. */
static inline bool may_have_name(brz_str line, brz_str name)
{
    return name.len > 0 && line.data[LINE_HEAD] == name.data[0] &&
           brz_starts_with(brz_str_of(line.data + LINE_HEAD, line.len - LINE_HEAD), name);
}

/* Parses the address of a line of the usual form. Returns false for other lines. */
static bool parse_address(brz_str line, uint64_t *start)
{
    uint64_t high, low;
    if (!has_common_form(line) || !convert_digits(line.data, &high) ||
        !convert_digits(line.data + 8, &low))
        return false;
    *start = high << 32 | low;
    return true;
}

/* Implements symbol_read: the place is the offset of the line. */
static bool read_place(void *context, const symbol_place *place, symbol *s)
{
    const symbol_list *l = context;
    uint64_t offset = (uint64_t)place->table << 32 | place->number;
    brz_str rest = brz_str_of(l->text.data + offset, l->text.len - (size_t)offset), line;
    symbol parsed;
    if (!symbol_lines_take(&rest, &line) || !symbol_lines_parse(line, &parsed))
        return false;
    s->name = parsed.name;
    s->flags |= parsed.flags;
    return true;
}

static void add_place(symbol_list *l, const char *line, uint64_t start)
{
    uint64_t offset = (uint64_t)(line - l->text.data);
    l->has_addresses |= start != 0;
    symbol_index_add(&l->index, (symbol_place){.start = start,
                                               .table = (uint32_t)(offset >> 32),
                                               .number = (uint32_t)offset});
}

/* Adds the place of the symbol in a line, if it has one. */
static void add_line(symbol_list *l, brz_str line, brz_str name, uint64_t *address)
{
    symbol s;
    uint64_t start;
    if (parse_address(line, &start) && !may_have_name(line, name)) {
        if (symbol_lines_is_kept(line.data[17]))
            add_place(l, line.data, start);
        return;
    }
    if (!symbol_lines_parse(line, &s))
        return;
    if (name.len > 0 && brz_str_equal(s.name, name))
        *address = s.start;
    add_place(l, line.data, s.start);
}

void symbol_list_open(symbol_list *l, brz_ctx *ctx, brz_str text, brz_str name, uint64_t *address)
{
    brz_str line, rest = text;
    *l = (symbol_list){.text = text};
    symbol_index_init(&l->index, ctx, read_place, l);
    symbol_index_reserve(&l->index, text.len / LINE_USUAL);
    while (symbol_lines_take(&rest, &line))
        add_line(l, line, name, address);
    symbol_index_finish(&l->index);
}

const symbol *symbol_list_find(symbol_list *l, uint64_t address)
{
    return symbol_index_find(&l->index, address);
}
