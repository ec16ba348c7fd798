/* SPDX-License-Identifier: MIT */
/* Reads where the addresses of a profile lie:
 *
 *     mapping := start "-" end [flags offset device inode] file | start "-" end ":" file
 *              | "0x" start "-0x" end file ["(@" offset ")" [build-id]]
 *     symbol  := "#" TAB "0x" address [TAB name "+0x" offset TAB file ":" line]
 *              | " 0x" address " " name [" (" source ")"]
 *     source := file ":" line | path
 *
 * The first form of a mapping is that of /proc/PID/maps, of which only executable ones count. The
 * second form of a symbol is Java's.
 */
#include "legacy_places.h"

#include <brazier/symbol.h>
#include <brazier/text.h>
#include <brazier/text/find.h>
#include <brazier/text/pieces.h>

#include <stdlib.h>

#include "legacy_words.h"

/* ---- mappings ------------------------------------------------------------------------------ */

/* Takes the columns between the addresses and the file. Returns false if the code cannot run. */
static bool take_columns(brz_str *rest)
{
    uint64_t number;
    brz_str flags = brz_trim_start(*rest);
    if (flags.len < 4 || memchr(flags.data, 'x', 4) == NULL)
        return false;
    *rest = brz_str_of(flags.data + 4, flags.len - 4);
    for (int i = 0; i < 2; i++)
        if (!legacy_take_hex(rest, &number))
            return false;
    return legacy_take(rest, ":") && legacy_take_hex(rest, &number) &&
           legacy_take_decimal(rest, &number);
}

/* Takes an address, with or without "0x". */
static bool take_address(brz_str *line, uint64_t *address)
{
    legacy_take(line, "0x");
    return legacy_take_hex(line, address);
}

/* Returns whether the rest of a mapping is a file without columns in front of it. */
static bool is_file(brz_str rest)
{
    rest = brz_trim_start(rest);
    return brz_starts_with(rest, BRZ_STR("/")) || brz_starts_with(rest, BRZ_STR("["));
}

/* Removes "(@offset) build-id" and "(deleted)" from the end of a file. */
static brz_str without_remarks(brz_str file)
{
    size_t offset = brz_str_find(file, BRZ_STR(" (@"), 0);
    if (offset != SIZE_MAX)
        file.len = offset;
    file = brz_trim(file);
    if (brz_ends_with(file, BRZ_STR(" (deleted)")))
        file.len -= strlen(" (deleted)");
    return file;
}

static bool read_mapping(brz_str line, legacy_mapping *m)
{
    if (!take_address(&line, &m->start) || !legacy_take(&line, "-") ||
        !take_address(&line, &m->end) || m->start >= m->end)
        return false;
    if (!legacy_take(&line, ":") && !is_file(line) && !take_columns(&line))
        return false;
    m->file = without_remarks(brz_trim(line));
    return m->file.len > 0;
}

static int by_start(const void *a, const void *b)
{
    const legacy_mapping *x = a, *y = b;
    return x->start != y->start ? (x->start > y->start) - (x->start < y->start)
                                : (x->end > y->end) - (x->end < y->end);
}

const legacy_mapping *legacy_find_mapping(const legacy_places *p, uint64_t address)
{
    size_t from = 0, to = p->n_mappings;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (p->mappings[middle].start <= address)
            from = middle + 1;
        else
            to = middle;
    }
    return from > 0 && address < p->mappings[from - 1].end ? &p->mappings[from - 1] : NULL;
}

/* ---- symbols ------------------------------------------------------------------------------- */

static uint32_t read_line_number(brz_str text)
{
    uint64_t n = 0;
    return brz_parse_u64(text, &n) && n <= INT32_MAX ? (uint32_t)n : 0;
}

static void set_source(legacy_symbol *s, brz_str text)
{
    brz_str number;
    if (brz_cut_last(text, ':', &s->file, &number))
        s->line = read_line_number(number);
    else
        s->file = text;
}

/* Reads "name+0xoffset TAB file:line". */
static void read_go_symbol(legacy_symbol *s, brz_str rest)
{
    brz_str source;
    s->name = brz_trim(rest);
    if (brz_cut_first(rest, '\t', &s->name, &source))
        set_source(s, brz_trim(source));
    const char *plus = brz_rfind(s->name, '+');
    if (plus != NULL &&
        brz_starts_with(brz_str_of(plus, (size_t)(s->name.data + s->name.len - plus)),
                        BRZ_STR("+0x")))
        s->name.len = (size_t)(plus - s->name.data);
}

/* Cuts "name (source)". Returns false if there is no source. */
static bool cut_source(brz_str text, brz_str *name, brz_str *source)
{
    const char *open = brz_rfind(text, '(');
    if (!brz_ends_with(text, BRZ_STR(")")) || open == NULL || open == text.data || open[-1] != ' ')
        return false;
    size_t at = (size_t)(open - text.data);
    *source = brz_str_of(open + 1, text.len - at - 2);
    *name = brz_trim(brz_str_of(text.data, at));
    return true;
}

/* Reads "name (file:line)", or "name (library)" of native code. Code without a name that is
 * generated when the program runs has an address in place of a name. */
static void read_java_symbol(legacy_symbol *s, brz_str rest)
{
    brz_str source;
    s->name = brz_trim(rest);
    if (cut_source(s->name, &s->name, &source))
        set_source(s, source);
    else if (brz_str_find(s->name, BRZ_STR("generated stub/JIT"), 0) != SIZE_MAX)
        s->name = BRZ_STR("STUB");
}

static bool read_symbol(brz_str line, legacy_symbol *s)
{
    bool go = legacy_take(&line, "#");
    if (!legacy_take(&line, "0x") || !legacy_take_hex(&line, &s->address))
        return false;
    line = brz_trim_start(line);
    if (go)
        read_go_symbol(s, line);
    else
        read_java_symbol(s, line);
    return go || s->name.len > 0;
}

static int by_address(const void *a, const void *b)
{
    const legacy_symbol *x = a, *y = b;
    return x->address != y->address ? (x->address > y->address) - (x->address < y->address)
                                    : (x->position > y->position) - (x->position < y->position);
}

const legacy_symbol *legacy_find_symbol(const legacy_places *p, uint64_t address)
{
    size_t from = 0, to = p->n_symbols;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (p->symbols[middle].address < address)
            from = middle + 1;
        else
            to = middle;
    }
    return from < p->n_symbols && p->symbols[from].address == address ? &p->symbols[from] : NULL;
}

/* ---- lines --------------------------------------------------------------------------------- */

void legacy_places_read(legacy_places *p, brz_ctx *ctx, brz_str text)
{
    brz_str line;
    while (brz_take_line(&text, &line)) {
        legacy_mapping m;
        legacy_symbol s = {.name = {"", 0}, .file = {"", 0}, .position = p->n_symbols};
        if (read_mapping(line, &m)) {
            p->mappings =
                brz_list_room(ctx, p->mappings, p->n_mappings, &p->mappings_cap, sizeof m);
            p->mappings[p->n_mappings++] = m;
        } else if (read_symbol(line, &s)) {
            p->symbols = brz_list_room(ctx, p->symbols, p->n_symbols, &p->symbols_cap, sizeof s);
            p->symbols[p->n_symbols++] = s;
            p->is_go |= brz_starts_with(line, BRZ_STR("#"));
        }
    }
}

/* Returns whether a line without a line end is a mapping or symbol that is not complete. */
static bool breaks_off(brz_str line)
{
    legacy_mapping m;
    legacy_symbol s = {.name = {"", 0}, .file = {"", 0}};
    brz_str text = brz_trim(line);
    bool is_go = brz_str_is(text, "#") || brz_starts_with(text, BRZ_STR("#\t"));
    if (read_mapping(line, &m) || (!is_go && !brz_starts_with(text, BRZ_STR("0x"))))
        return false;
    if (!read_symbol(line, &s))
        return true;
    return is_go ? s.file.len == 0 : s.file.len == 0 && brz_str_has(s.name, BRZ_STR(" ("));
}

void legacy_places_check_end(brz_ctx *ctx, brz_str text)
{
    const char *newline = brz_rfind(text, '\n');
    brz_str line = newline == NULL ? text : brz_str_from(text, (size_t)(newline + 1 - text.data));
    if (breaks_off(line))
        BRZ_WARN(ctx, "pprof.cut-off", line.data, line.len,
                 "the input ends within a line: names of functions may be missing");
}

void legacy_places_sort(legacy_places *p)
{
    if (p->n_mappings > 1)
        qsort(p->mappings, p->n_mappings, sizeof *p->mappings, by_start);
    if (p->n_symbols > 1)
        qsort(p->symbols, p->n_symbols, sizeof *p->symbols, by_address);
}
