/* Reads symbols from text. */
#include "symbol_lines.h"

#include <brazier/binary.h>
#include <brazier/symbol.h>
#include <brazier/text/trim.h>

static bool take_line(brz_str *text, brz_str *line)
{
    if (text->len == 0)
        return false;
    const char *end = memchr(text->data, '\n', text->len);
    size_t n = end == NULL ? text->len : (size_t)(end - text->data);
    *line = brz_str_of(text->data, n);
    n += end != NULL;
    *text = brz_str_of(text->data + n, text->len - n);
    return true;
}

/* Returns the value of a hexadecimal digit, without branches. */
static unsigned digit_of(char c)
{
    return ((unsigned)c & 15) + ((unsigned)c >> 6) * 9;
}

/* Takes a hexadecimal number, perhaps with 0x, and the blanks behind it. */
static bool take_hex(brz_str *line, uint64_t *value)
{
    size_t i = 0, digits = 0;
    if (brz_starts_with(*line, BRZ_STR("0x")))
        i = 2;
    *value = 0;
    for (; i < line->len && brz_is_hex(line->data[i]) && digits < 16; i++, digits++)
        *value = *value << 4 | digit_of(line->data[i]);
    if (digits == 0 || i == line->len || (line->data[i] != ' ' && line->data[i] != '\t'))
        return false;
    while (i < line->len && (line->data[i] == ' ' || line->data[i] == '\t'))
        i++;
    *line = brz_str_of(line->data + i, line->len - i);
    return true;
}

/* ---- kallsyms ---------------------------------------------------------------------------------
 */

/* Returns whether symbols of a type are code or data of the kernel. */
static bool is_kept(char type)
{
    return memchr("tTwWdDbB", type, 8) != NULL;
}

/* Parses a line of the list. Returns false if it has no symbol that counts. */
static bool parse_line(brz_str line, symbol *s)
{
    *s = (symbol){.end = 0};
    if (!take_hex(&line, &s->start) || line.len < 3 || line.data[1] != ' ' ||
        !is_kept(line.data[0]))
        return false;
    char type = line.data[0];
    s->flags = type == 'w' || type == 'W' ? SYMBOL_WEAK : 0;
    s->flags |= type >= 'A' && type <= 'Z' ? SYMBOL_GLOBAL : 0;
    s->name = brz_str_of(line.data + 2, line.len - 2);
    const char *tab = memchr(s->name.data, '\t', s->name.len);
    s->name.len = tab == NULL ? s->name.len : (size_t)(tab - s->name.data);
    s->name = brz_trim(s->name);
    return true;
}

bool symbol_lines_kallsyms(symbol_table *t, brz_ctx *ctx, brz_str text, brz_str name,
                           uint64_t *address)
{
    brz_str line;
    bool known = false;
    while (take_line(&text, &line)) {
        symbol s;
        if (!parse_line(line, &s))
            continue;
        if (name.len > 0 && brz_str_equal(s.name, name))
            *address = s.start;
        known |= s.start != 0;
        symbol_table_add(t, ctx, s);
    }
    return known;
}

/* ---- kallsyms, line by line -------------------------------------------------------------------
 */

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

/* The first half of a line's digits: most lines share it with the one before. */
typedef struct high_digits {
    char text[8];
    uint64_t value;
} high_digits;

/* Parses what precedes the name in a line of the usual form, which `text` begins with. Returns
 * false for other lines. */
static bool parse_head(brz_str text, high_digits *high, uint64_t *start)
{
    const char *p = text.data;
    uint64_t low;
    if (text.len <= LINE_HEAD || p[16] != ' ' || p[17] <= ' ' || p[18] != ' ' || p[19] <= ' ' ||
        !convert_digits(p + 8, &low))
        return false;
    if (memcmp(p, high->text, 8) != 0) {
        if (!convert_digits(p, &high->value))
            return false;
        memcpy(high->text, p, 8);
    }
    *start = high->value << 32 | low;
    return true;
}

/* Implements symbol_read: the place is the offset of the line. */
static bool read_place(void *context, const symbol_place *place, symbol *s)
{
    const symbol_list *l = context;
    uint64_t offset = (uint64_t)place->table << 32 | place->number;
    brz_str rest = brz_str_of(l->text.data + offset, l->text.len - (size_t)offset), line;
    symbol parsed;
    if (!take_line(&rest, &line) || !parse_line(line, &parsed))
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

/* Adds the place of the symbol in a line of an unusual form, if it has one. */
static void add_line(symbol_list *l, brz_str line, brz_str name, uint64_t *address)
{
    symbol s;
    if (!parse_line(line, &s))
        return;
    if (name.len > 0 && brz_str_equal(s.name, name))
        *address = s.start;
    add_place(l, line.data, s.start);
}

/* Takes a line of the usual form, and adds the place of its symbol. Returns false for other lines,
 * and for those that may have the name. */
static bool take_usual(symbol_list *l, brz_str *text, high_digits *high, brz_str name)
{
    uint64_t start;
    const char *p = text->data;
    if (!parse_head(*text, high, &start) || (name.len > 0 && name.len <= text->len - LINE_HEAD &&
                                             memcmp(p + LINE_HEAD, name.data, name.len) == 0))
        return false;
    const char *line_end = memchr(p + LINE_HEAD, '\n', text->len - LINE_HEAD);
    size_t n = line_end == NULL ? text->len : (size_t)(line_end - p) + 1;
    if (is_kept(p[17]))
        add_place(l, p, start);
    *text = brz_str_of(p + n, text->len - n);
    return true;
}

void symbol_list_open(symbol_list *l, brz_ctx *ctx, brz_str text, brz_str name, uint64_t *address)
{
    brz_str line;
    high_digits high = {.text = "-"};
    *l = (symbol_list){.text = text};
    symbol_index_init(&l->index, ctx, read_place, l);
    symbol_index_reserve(&l->index, text.len / LINE_USUAL);
    while (text.len > 0)
        if (!take_usual(l, &text, &high, name) && take_line(&text, &line))
            add_line(l, line, name, address);
    symbol_index_finish(&l->index);
}

/* ---- maps of compilers ------------------------------------------------------------------------
 */

void symbol_lines_map(symbol_table *t, brz_ctx *ctx, brz_str text)
{
    brz_str line;
    while (take_line(&text, &line)) {
        symbol s = {.flags = SYMBOL_SIZED};
        uint64_t size;
        if (!take_hex(&line, &s.start) || !take_hex(&line, &size) || brz_trim(line).len == 0)
            continue;
        s.end = s.start + size < s.start ? UINT64_MAX : s.start + size;
        s.name = brz_trim_end(line);
        symbol_table_add(t, ctx, s);
    }
    symbol_table_finish_in_order(t, ctx);
}
