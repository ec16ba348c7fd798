/* SPDX-License-Identifier: MIT */
/* Parses format 1, for machines: fields separated by tabs.
 *
 *     entry  := level number "0" time memory name user-defined included file line arguments…
 *     exit   := level number "1" time memory
 *     return := level number "R" "" "" value
 *     assign := level "" "A" …
 *     end    := "" "" "" time memory
 *
 * A well-known script merges runs of tabs in the files it reads, which removes empty fields: such
 * files are supported, too.
 */
#include "numbers.h"
#include "trace.h"

#include <brazier/symbol.h>

/* Number of fields up to the included file. Later fields are needed only for new names. */
#define N_FIELDS 8

/* Returns a bit mask of the tabs among the 64 bytes at p. */
static inline uint64_t tabs_at(const char *p)
{
#if BRZ_HAVE_SSE2
    return brz_byte_mask64(p, '\t');
#else
    uint64_t mask = 0;
    for (int i = 0; i < 64; i++)
        mask |= (uint64_t)(p[i] == '\t') << i;
    return mask;
#endif
}

/* Splits a line, which lies in a chunk, into its first fields. Returns their number. */
static size_t split(brz_str line, brz_str fields[N_FIELDS])
{
    const char *start = line.data, *end = line.data + line.len;
    size_t n = 0;
    for (const char *p = line.data; p < end; p += 64) {
        uint64_t mask = tabs_at(p);
        if (end - p < 64)
            mask &= (UINT64_C(1) << (end - p)) - 1;
        for (; mask != 0; mask &= mask - 1) {
            const char *tab = p + __builtin_ctzll(mask);
            fields[n++] = brz_str_of(start, (size_t)(tab - start));
            if (n == N_FIELDS)
                return n;
            start = tab + 1;
        }
    }
    fields[n++] = brz_str_of(start, (size_t)(end - start));
    return n;
}

static bool is(brz_str s, char c)
{
    return s.len == 1 && s.data[0] == c;
}

static bool is_include(brz_str name)
{
    return brz_starts_with(name, BRZ_STR("include")) || brz_starts_with(name, BRZ_STR("require")) ||
           brz_str_is(name, "eval");
}

/* Returns the text from the name to the line of the call; these fields are adjacent. */
static brz_str text_between(brz_str first, brz_str last)
{
    return brz_str_of(first.data, (size_t)(last.data + last.len - first.data));
}

/* Returns another line after a call: the field after file and line is the number of arguments, and
 * has more than that if the line lost its end. */
static brz_str joined_in(brz_str place)
{
    brz_str file, line, rest = place;
    size_t n = 0;
    if (!brz_cut_first(rest, '\t', &file, &rest) || !brz_cut_first(rest, '\t', &line, &rest))
        return brz_str_of(NULL, 0);
    while (n < rest.len && rest.data[n] >= '0' && rest.data[n] <= '9')
        n++;
    bool has_more = rest.len > 2 && rest.data[0] == '0' && rest.data[1] == '\t';
    bool is_number = (n == 0 || n == rest.len || rest.data[n] == '\t') &&
                     !(n > 1 && rest.data[0] == '0') && !has_more;
    return is_number ? brz_str_of(NULL, 0) : brz_str_from(rest, rest.data[0] == '0' ? 1 : n);
}

static enum line_says take_entry(brz_str line, const brz_str *f, size_t n, entry *e)
{
    if (n < 6 || f[5].len == 0)
        return SAYS_ODD;
    e->name = f[5];
    e->user_defined = n > 6 && is(f[6], '1');
    e->key = text_between(f[5], n > 7 ? f[7] : f[n - 1]);
    if (n < N_FIELDS)
        return SAYS_ENTRY;
    const char *place = f[7].data; /* of the file: field 7 if tabs were merged, else 8 */
    if (f[7].len == 0 || is_include(e->name)) {
        e->included = f[7];
        place += f[7].len + (f[7].data + f[7].len < line.data + line.len);
    }
    e->place = brz_str_of(place, (size_t)(line.data + line.len - place));
    e->joined = joined_in(e->place);
    return SAYS_ENTRY;
}

/* Fills in file and line of a call. */
void computerized_place(entry *e)
{
    brz_str f[N_FIELDS];
    if (e->place.len == 0 || split(e->place, f) < 2)
        return;
    e->file = f[0];
    e->line = f[1];
}

/* Parses the end of a trace: time and memory, preceded only by tabs. */
static enum line_says take_end(brz_str line, entry *e)
{
    brz_str fields[N_FIELDS];
    while (line.len > 0 && line.data[0] == '\t')
        line = brz_str_of(line.data + 1, line.len - 1);
    bool good = split(line, fields) == 2 && parse_seconds(fields[0], &e->time) &&
                parse_bytes(fields[1], &e->memory);
    return good ? SAYS_END : SAYS_ODD;
}

/* Parses a line that begins with a tab, or with a number and a tab. */
enum line_says computerized_line(brz_str line, entry *e)
{
    brz_str f[N_FIELDS];
    uint64_t level;
    if (line.data[0] == '\t')
        return take_end(line, e);
    size_t n = split(line, f);
    if (n < 3)
        return SAYS_ODD;
    if (is(f[1], 'A') || is(f[2], 'A') || is(f[2], 'R'))
        return SAYS_NOTHING;
    bool entry_or_exit = (is(f[2], '0') || is(f[2], '1')) && n >= 5;
    if (!entry_or_exit || !parse_number(f[0], &level) || level > UINT32_MAX ||
        !parse_number(f[1], &e->number) || !parse_seconds(f[3], &e->time) ||
        !parse_bytes(f[4], &e->memory))
        return SAYS_ODD;
    e->level = (uint32_t)level;
    if (is(f[2], '0'))
        return take_entry(line, f, n, e);
    return n == 5 ? SAYS_EXIT : SAYS_ODD;
}
