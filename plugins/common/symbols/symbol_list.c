/* Lists of the kernel's symbols, of which only a few lines are parsed.
 *
 *     line := address:16 hexadecimal digits " " type:1 letter " " name ("\t[" module "]")? "\n"
 *
 * The kernel writes its own symbols in the order of their addresses. Opening a list compares the
 * digits of its lines: those up to the first one that is out of order, or has another form, are
 * searched where they are. The places of the others, such as those of modules, are in an index. A
 * list in which many addresses are looked up is indexed as a whole, which then costs less.
 */
#include "symbol_list.h"

#include "address_rank.h"
#include "symbol_lines.h"

#include <brazier/binary.h>
#include <brazier/symbol.h>
#include <brazier/text/lines.h>

#include <inttypes.h>
#include <stdio.h>

/* The text of most lines before a name: 16 digits, a blank, a letter, a blank. */
#define LINE_HEAD 19

/* The length of most lines, with their modules, or more. */
#define LINE_USUAL 40

/* Longer lines are not searched where they are. */
#define LINE_MAX_LENGTH 1024

/* Number of lines that lookups read before the whole list is indexed. */
#define READ_MAX ((size_t)1 << 15)

#define EVERY_BYTE UINT64_C(0x0101010101010101)

/* ---- digits --------------------------------------------------------------------------------- */

/* Returns whether all bytes are lower-case hexadecimal digits. Stores their values. */
static inline bool take_digits(uint64_t word, uint64_t *digits)
{
    uint64_t letters = word >> 6 & EVERY_BYTE;
    *digits = (word & 0x0f * EVERY_BYTE) + 9 * letters;
    return (word & 0xf0 * EVERY_BYTE) == 0x30 * (EVERY_BYTE + letters) &&
           ((*digits + 6 * EVERY_BYTE) & 0x10 * EVERY_BYTE) == letters << 4 &&
           (*digits & 0x10 * EVERY_BYTE) == 0;
}

/* Converts 8 lower-case hexadecimal digits. Returns false for other texts. */
static bool convert_digits(const char *text, uint64_t *value)
{
    uint64_t digits;
    bool good = take_digits(brz_load_u64((const uint8_t *)text, BRZ_LITTLE_ENDIAN), &digits);
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

/* ---- the index ------------------------------------------------------------------------------ */

/* The first half of a line's digits: most lines share it with the one before. */
typedef struct high_digits {
    char text[8];
    uint64_t value;
} high_digits;

/* Parses the address of a line of the usual form. Returns false for other lines. */
static bool parse_address(brz_str line, high_digits *high, uint64_t *start)
{
    uint64_t low, value;
    if (!has_common_form(line) || !convert_digits(line.data + 8, &low))
        return false;
    if (memcmp(line.data, high->text, 8) != 0) {
        if (!convert_digits(line.data, &value))
            return false;
        high->value = value;
        memcpy(high->text, line.data, 8);
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
static void add_line(symbol_list *l, brz_str line, high_digits *high, brz_str name,
                     uint64_t *address)
{
    symbol s;
    uint64_t start;
    if (parse_address(line, high, &start) && !may_have_name(line, name)) {
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

/* Indexes the lines after those in order. */
static void index_rest(symbol_list *l, brz_str name, uint64_t *address)
{
    high_digits high = {.text = {'0', '0', '0', '0', '0', '0', '0', '0'}};
    brz_str line, rest = brz_str_of(l->text.data + l->ordered, l->text.len - l->ordered);
    symbol_index_init(&l->index, l->ctx, read_place, l);
    symbol_index_reserve(&l->index, rest.len / LINE_USUAL);
    while (symbol_lines_take(&rest, &line))
        add_line(l, line, &high, name, address);
    symbol_index_finish(&l->index);
}

static void index_whole(symbol_list *l)
{
    uint64_t unused;
    l->ordered = 0;
    index_rest(l, brz_str_of("", 0), &unused);
}

/* ---- lines in order ------------------------------------------------------------------------- */

/* The digits of a line, in halves whose order is that of the addresses. */
typedef struct digits {
    uint64_t high, low;
} digits;

/* The lines in order that were found. */
typedef struct ordering {
    digits last;
    uint64_t odd; /* see odd_bytes() */
} ordering;

static inline digits digits_at(const char *line)
{
    const uint8_t *p = (const uint8_t *)line;
    return (digits){brz_load_u64(p, BRZ_BIG_ENDIAN), brz_load_u64(p + 8, BRZ_BIG_ENDIAN)};
}

/* Returns bits that are set if bytes are neither like digits, 0x30 to 0x3f, nor like small letters,
 * 0x60 to 0x7f. Of lines with others, such as capitals and blanks, the addresses may have another
 * order than the texts. */
static inline uint64_t odd_bytes(uint64_t word)
{
    uint64_t like_digits = word << 1 & word << 2 & ~word, like_letters = word & word << 1;
    return ~(like_letters | like_digits) & 0x40 * EVERY_BYTE;
}

/* Continues with the digits of a line. Returns false if they precede those of the line before, or
 * if the first half of them is invalid. Notes odd bytes in the other half. */
static inline bool follows(ordering *o, digits d)
{
    uint64_t unused;
    if (d.high != o->last.high ? d.high < o->last.high || !take_digits(d.high, &unused)
                               : d.low < o->last.low)
        return false;
    o->odd |= odd_bytes(d.low);
    o->last = d;
    return true;
}

/* Returns whether a line that a newline ends may have a name. */
static inline bool begins_name(brz_str line, brz_str name)
{
    const char *p = line.data + LINE_HEAD;
    return name.len > 0 && p[0] == name.data[0] && (name.len == 1 || p[1] == name.data[1]);
}

/* Finds the lines in order, and the address of a name in them. */
static void find_order(symbol_list *l, brz_str name, uint64_t *address)
{
    brz_lines lines;
    brz_str line;
    symbol s;
    ordering o = {.last = {0, 0}};
    size_t ordered = 0;
    brz_lines_init(&lines, l->ctx);
    brz_lines_start(&lines, (const uint8_t *)l->text.data, l->text.len);
    while (brz_lines_next(&lines, &line) && has_common_form(line) && line.len <= LINE_MAX_LENGTH &&
           follows(&o, digits_at(line.data))) {
        ordered = (size_t)(line.data + line.len + 1 - l->text.data);
        if (begins_name(line, name) && symbol_lines_parse(line, &s) && brz_str_equal(s.name, name))
            *address = s.start;
    }
    l->ordered = o.odd == 0 ? ordered : 0;
}

/* Returns the start of the line that has the byte at an offset, which is in a line in order. */
static size_t line_start(const symbol_list *l, size_t at)
{
    while (at > 0 && l->text.data[at - 1] != '\n')
        at--;
    return at;
}

/* Returns the end of the line at an offset, after its newline. */
static size_t line_end(const symbol_list *l, size_t at)
{
    const char *end = memchr(l->text.data + at, '\n', l->ordered - at);
    return end == NULL ? l->ordered : (size_t)(end - l->text.data) + 1;
}

/* Returns the address of the line at an offset, which has a symbol. */
static uint64_t address_at(const symbol_list *l, size_t at)
{
    uint64_t high = 0, low = 0;
    convert_digits(l->text.data + at, &high);
    convert_digits(l->text.data + at + 8, &low);
    return high << 32 | low;
}

/* Returns whether the line at an offset has a symbol that counts. The first half of its digits is
 * known to be valid. */
static bool is_kept(symbol_list *l, size_t at)
{
    uint64_t low;
    const char *p = l->text.data + at;
    l->n_read++;
    return symbol_lines_is_kept(p[17]) && convert_digits(p + 8, &low) &&
           address_at(l, at) != UINT64_MAX;
}

/* Returns the digits of an address. */
static digits digits_of(uint64_t address)
{
    char text[17];
    snprintf(text, sizeof text, "%016" PRIx64, address);
    return digits_at(text);
}

/* Returns the first line in order that is after an address. */
static size_t first_behind(symbol_list *l, uint64_t address)
{
    size_t low = 0, high = l->ordered;
    digits to = digits_of(address);
    while (low < high) {
        size_t middle = line_start(l, low + (high - low) / 2);
        digits d = digits_at(l->text.data + middle);
        l->n_read++;
        if (d.high < to.high || (d.high == to.high && d.low <= to.low))
            low = line_end(l, middle);
        else
            high = middle;
    }
    return low;
}

/* Returns the last line before an offset that has a symbol which counts, or SIZE_MAX. */
static size_t kept_before(symbol_list *l, size_t at)
{
    while (at > 0) {
        at = line_start(l, at - 1);
        if (is_kept(l, at))
            return at;
    }
    return SIZE_MAX;
}

/* Returns the first line from an offset on that has a symbol which counts, or l->ordered. */
static size_t kept_from(symbol_list *l, size_t at)
{
    while (at < l->ordered && !is_kept(l, at))
        at = line_end(l, at);
    return at;
}

/* ---- finding -------------------------------------------------------------------------------- */

/* The symbols around an address: those at `start`, up to `end`. */
typedef struct extent {
    bool has_start, has_end;
    uint64_t start, end;
} extent;

static void widen_start(extent *e, uint64_t start)
{
    if (!e->has_start || start > e->start)
        e->start = start;
    e->has_start = true;
}

static void widen_end(extent *e, uint64_t end)
{
    if (!e->has_end || end < e->end)
        e->end = end;
    e->has_end = true;
}

/* Returns the extent around an address. `line` is the last line at or before it, `rank` the number
 * of such places in the index. */
static extent extent_of(symbol_list *l, size_t line, size_t behind, size_t rank)
{
    const symbol_index *x = &l->index;
    extent e = {.has_start = false};
    if (line != SIZE_MAX)
        widen_start(&e, address_at(l, line));
    if (rank > 0)
        widen_start(&e, x->places[rank - 1].start);
    if (behind < l->ordered)
        widen_end(&e, address_at(l, behind));
    if (rank < x->n)
        widen_end(&e, x->places[rank].start);
    return e;
}

/* Adds the symbol of a line. */
static void add_symbol(symbol_list *l, symbol_table *t, uint64_t offset, uint64_t start)
{
    symbol s = {.start = start};
    symbol_place place = {
        .start = start, .table = (uint32_t)(offset >> 32), .number = (uint32_t)offset};
    if (read_place(l, &place, &s))
        symbol_table_add(t, l->ctx, s);
}

/* Returns the symbols that begin at an address, in the order of the list. */
static symbol_table symbols_at(symbol_list *l, size_t line, size_t rank, uint64_t start)
{
    symbol_table t = {.n = 0};
    const symbol_place *places = l->index.places;
    for (; line != SIZE_MAX && address_at(l, line) == start; line = kept_before(l, line))
        add_symbol(l, &t, line, start);
    for (size_t i = rank; i > 0 && places[i - 1].start == start; i--)
        add_symbol(l, &t, (uint64_t)places[i - 1].table << 32 | places[i - 1].number, start);
    return t;
}

/* Looks an address up in the lines in order and in the index. Returns its symbol, or NULL. */
static symbol *look_up(symbol_list *l, uint64_t address)
{
    size_t behind = first_behind(l, address), line = kept_before(l, behind);
    size_t rank = address_rank(l->index.places, l->index.n, sizeof *l->index.places, address);
    extent e = extent_of(l, line, kept_from(l, behind), rank);
    if (!e.has_start)
        return NULL;
    symbol_table t = symbols_at(l, line, rank, e.start);
    symbol_table_order(&t);
    if (t.n == 0)
        return NULL;
    t.items[0].end = e.has_end ? e.end : symbol_last_end(&t.items[0]);
    return address < t.items[0].end ? t.items : NULL;
}

/* Keeps a symbol, so that other addresses in it need no search. */
static void keep(symbol_list *l, const symbol *s)
{
    size_t at = address_rank(l->found, l->n_found, sizeof *l->found, s->start);
    l->found = brz_list_room(l->ctx, l->found, l->n_found, &l->cap_found, sizeof *l->found);
    memmove(l->found + at + 1, l->found + at, (l->n_found - at) * sizeof *l->found);
    l->found[at] = (listed_symbol){s->start, s};
    l->n_found++;
}

const symbol *symbol_list_find(symbol_list *l, uint64_t address)
{
    size_t rank = address_rank(l->found, l->n_found, sizeof *l->found, address);
    if (rank > 0 && address < l->found[rank - 1].symbol->end)
        return l->found[rank - 1].symbol;
    if (l->ordered > 0 && l->n_read > READ_MAX)
        index_whole(l);
    if (l->ordered == 0)
        return symbol_index_find(&l->index, address);
    const symbol *s = look_up(l, address);
    if (s != NULL)
        keep(l, s);
    return s;
}

/* ---- opening -------------------------------------------------------------------------------- */

void symbol_list_open(symbol_list *l, brz_ctx *ctx, brz_str text, brz_str name, uint64_t *address)
{
    *l = (symbol_list){.ctx = ctx, .text = text};
    find_order(l, name, address);
    index_rest(l, name, address);
    size_t last = kept_before(l, l->ordered);
    l->has_addresses |= last != SIZE_MAX && address_at(l, last) != 0;
}
