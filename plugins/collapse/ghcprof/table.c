/* SPDX-License-Identifier: MIT */
/* Parses the text format of a report:
 *
 *     header := "COST CENTRE" "MODULE" ["SRC"] "no." "entries" "%time" "%alloc" "%time" "%alloc"
 *               ["ticks" "bytes"]
 *     row    := " "* name module [source] no entries time alloc time alloc [ticks bytes]
 *
 * Each space before a name is one level of calls. The first time and alloc are the row's self
 * costs, the others include the rows below it. Rows end at an empty line. Names may contain spaces,
 * so a row is parsed from its end, and its name ends where its module begins: in the header's
 * column, counted in characters.
 */
#include "costs.h"

#include <brazier/symbol.h>

#include <string.h>

/* ---- words --------------------------------------------------------------------------------- */

#define EACH_BYTE(b) (UINT64_C(0x0101010101010101) * (b))

/* Returns whether one of eight bytes is ASCII and not above a space. */
static bool may_be_blank8(const char *p)
{
    uint64_t word = brz_load64(p);
    return ((word - EACH_BYTE(' ' + 1)) & ~word & EACH_BYTE(0x80)) != 0;
}

static brz_str first_word(brz_str *s)
{
    size_t n = 0;
    *s = brz_trim_start(*s);
    while (n + 8 <= s->len && !may_be_blank8(s->data + n))
        n += 8;
    while (n < s->len && !brz_is_blank(s->data[n]))
        n++;
    brz_str word = brz_str_of(s->data, n);
    *s = brz_str_of(s->data + n, s->len - n);
    return word;
}

static brz_str last_word(brz_str *s)
{
    *s = brz_trim_end(*s);
    size_t n = s->len;
    while (n > 0 && !brz_is_blank(s->data[n - 1]))
        n--;
    brz_str word = brz_str_of(s->data + n, s->len - n);
    s->len = n;
    return word;
}

/* Parses a number of at most seven digits, preceded by a space, at the end of the text, all digits
 * at once. Returns false and changes nothing if the text ends differently. */
static bool take_short_number(brz_str *s, int64_t *value)
{
    if (s->len < 8)
        return false;
    uint64_t word = brz_load64(s->data + s->len - 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    /* digits are now 0 to 9, a space is 0x10; only the last byte that is not a digit matters */
    uint64_t v = word ^ EACH_BYTE('0');
    uint64_t odd = (v | ((v & EACH_BYTE(0x7f)) + EACH_BYTE(0x76))) & EACH_BYTE(0x80);
    if (odd == 0)
        return false;
    unsigned front = (unsigned)(64 - __builtin_clzll(odd)); /* bits up to and including that byte */
    if (front == 64 || (word >> (front - 8) & 0xff) != ' ')
        return false;
    v = v >> front << front;
    v = (v * 10 + (v >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
    v = (v * 100 + (v >> 16)) & UINT64_C(0x0000ffff0000ffff);
    *value = (int64_t)((v * 10000 + (v >> 32)) & UINT32_MAX);
    s->len -= (64 - front) / 8;
    return true;
}

/* Removes an integer from the end; parses backwards as long as it cannot overflow. */
static bool take_number(brz_str *s, int64_t *value)
{
    *s = brz_trim_end(*s);
    if (take_short_number(s, value))
        return true;
    size_t end = s->len;
    while (end > 0 && brz_is_blank(s->data[end - 1]))
        end--;
    size_t i = end, least = end > 18 ? end - 18 : 0;
    int64_t power = 1;
    for (*value = 0; i > least && brz_is_digit(s->data[i - 1]); i--, power *= 10)
        *value += (s->data[i - 1] - '0') * power;
    if (i == end || i == 0 || !brz_is_blank(s->data[i - 1]))
        return parse_number(last_word(s), value);
    s->len = i;
    return true;
}

/* Parses a percentage into per mille; cuts off all but one decimal. */
static bool parse_share(brz_str s, int64_t *value)
{
    const char *point = s.len == 0 ? NULL : memchr(s.data, '.', s.len);
    size_t whole = point == NULL ? s.len : (size_t)(point - s.data);
    int64_t tenths = 0;
    if (!parse_number(brz_str_of(s.data, whole), value))
        return false;
    if (point != NULL && !parse_number(brz_str_of(point + 1, s.len - whole - 1), &tenths))
        return false;
    if (point != NULL)
        tenths = point[1] - '0';
    if (__builtin_mul_overflow(*value, 10, value) || __builtin_add_overflow(*value, tenths, value))
        *value = INT64_MAX;
    return true;
}

/* Removes a percentage from the end; usually it has one decimal. */
static bool take_share(brz_str *s, int64_t *value)
{
    *s = brz_trim_end(*s);
    size_t n = s->len;
    if (n < 4 || s->data[n - 2] != '.' || !brz_is_digit(s->data[n - 1]))
        return parse_share(last_word(s), value);
    if (brz_is_digit(s->data[n - 3]) && s->data[n - 4] == ' ') {
        *value = 10 * (s->data[n - 3] - '0') + (s->data[n - 1] - '0');
        s->len = n - 4;
        return true;
    }
    brz_str whole = brz_str_of(s->data, n - 2);
    if (!brz_is_digit(s->data[n - 3]) || !take_number(&whole, value) || *value > INT64_MAX / 100)
        return parse_share(last_word(s), value);
    *value = *value * 10 + (s->data[n - 1] - '0');
    s->len = whole.len;
    return true;
}

/* Returns the number of leading ASCII bytes, at most n, in steps of eight. */
static size_t count_ascii(brz_str s, size_t n)
{
    size_t i = 0;
    while (i + 8 <= n && i + 8 <= s.len &&
           (brz_load64(s.data + i) & UINT64_C(0x8080808080808080)) == 0)
        i += 8;
    return i;
}

/* Returns the number of bytes of the first n characters. */
static size_t bytes_of(brz_str s, size_t n)
{
    size_t i = count_ascii(s, n);
    n -= i;
    while (i < s.len && n > 0) {
        i++;
        while (i < s.len && ((unsigned char)s.data[i] & 0xc0) == 0x80)
            i++;
        n--;
    }
    return i;
}

/* ---- header -------------------------------------------------------------------------------- */

static bool takes(brz_str *s, const char *word)
{
    brz_str rest = *s, found = first_word(&rest);
    if (found.len != strlen(word) || memcmp(found.data, word, found.len) != 0)
        return false;
    *s = rest;
    return true;
}

bool table_begins(brz_str line, columns *found)
{
    brz_str s = line;
    if (line.len == 0 || line.data[0] != 'C' || !takes(&s, "COST") || !takes(&s, "CENTRE") ||
        !takes(&s, "MODULE"))
        return false;
    found->module = (size_t)(s.data - line.data) - strlen("MODULE");
    found->source = takes(&s, "SRC");
    if (!takes(&s, "no.") || !takes(&s, "entries") || !takes(&s, "%time") || !takes(&s, "%alloc") ||
        !takes(&s, "%time") || !takes(&s, "%alloc"))
        return false;
    found->ticks = takes(&s, "ticks") && takes(&s, "bytes");
    return true;
}

static brz_rc begin_table(ghcprof *g, brz_ctx *ctx)
{
    bool has[COSTS] = {[TIME] = true, [ALLOC] = true, [ENTRIES] = true};
    has[TICKS] = has[BYTES] = g->columns.ticks;
    g->in_table = g->seen_table = true;
    g->rows = false;
    brz_rc rc = count_waiting(g, ctx);
    if (rc != BRZ_OK)
        return rc;
    brz_path_cut(g->stacks.path, 0);
    return declare_weights(g, ctx, has, TIME) ? BRZ_OK : BRZ_ERROR;
}

/* ---- rows ---------------------------------------------------------------------------------- */

typedef struct row {
    size_t depth;
    brz_str name, place; /* `place`: module and source */
    bool has_costs;
    int64_t costs[COSTS];
} row;

/* Removes the numbers from the end of a row. */
static bool take_numbers(const columns *c, brz_str *line, int64_t costs[COSTS])
{
    int64_t inherited[2], number;
    if (c->ticks && (!take_number(line, &costs[BYTES]) || !take_number(line, &costs[TICKS])))
        return false;
    return take_share(line, &inherited[0]) && take_share(line, &inherited[1]) &&
           take_share(line, &costs[ALLOC]) && take_share(line, &costs[TIME]) &&
           take_number(line, &costs[ENTRIES]) && take_number(line, &number);
}

/* Returns whether a place, without blanks around it, has more than a source, which most places are:
 * the percentages of a row, if a row follows another one in its line, or a number at its end, if a
 * percentage is divided. */
static bool has_more_than_source(brz_str place)
{
    int64_t value;
    brz_str rest = place, word = first_word(&rest);
    bool is_number = false;
    if (rest.len == 0)
        return false;
    size_t shares = parse_share(word, &value);
    while (rest.len > 0) {
        word = first_word(&rest);
        shares += parse_share(word, &value);
        is_number = take_number(&word, &value) && word.len == 0;
    }
    return shares >= 4 || is_number;
}

static bool parse_row(const columns *c, brz_str line, row *r)
{
    memset(r->costs, 0, sizeof r->costs);
    r->has_costs = take_numbers(c, &line, r->costs);
    if (!r->has_costs)
        return false;
    size_t depth = 0, module = bytes_of(line, c->module);
    while (depth + 8 <= line.len && brz_are_blanks8(line.data + depth))
        depth += 8;
    while (depth < line.len && line.data[depth] == ' ')
        depth++;
    if (depth >= module)
        return false;
    r->depth = depth;
    r->name = brz_trim_end(brz_str_of(line.data + depth, module - depth));
    r->place = brz_trim(brz_str_of(line.data + module, line.len - module));
    brz_str rest = r->place;
    first_word(&rest);
    rest = brz_trim(rest);
    /* otherwise two rows are on the line */
    r->has_costs = c->source ? !has_more_than_source(rest) : rest.len == 0;
    return r->name.len > 0 && r->place.len > 0 && r->has_costs;
}

/* Returns the cache key of a row: name and place without the spaces between them, whose number
 * depends on the depth. */
static brz_frame_key key_of(ghcprof *g, brz_ctx *ctx, const row *r)
{
    brz_text *t = &g->key;
    t->len = 0;
    brz_text_append(t, ctx, r->name);
    brz_text_append(t, ctx, r->place);
    return brz_frame_key_of(&g->frames, t->data, t->len, (uint32_t)r->name.len);
}

static brz_frame frame_of(ghcprof *g, brz_ctx *ctx, const row *r, const brz_frame_key *key)
{
    uint32_t id = brz_frame_cache_find(&g->frames, key);
    if (id != BRZ_CACHE_MISS)
        return id;
    brz_str rest = r->place;
    centre c = {.name = r->name, .module = first_word(&rest)};
    c.source = g->columns.source ? brz_trim(rest) : brz_str_of(rest.data, 0);
    id = centre_frame(g, ctx, &c);
    brz_frame_cache_put(&g->frames, ctx, key, id);
    return id;
}

/* Sets the path to that of the row. The first one of a table calls all others. */
static void open_row(ghcprof *g, brz_ctx *ctx, brz_str line, const row *r, const brz_frame_key *key,
                     bool is_first)
{
    brz_path *path = g->stacks.path;
    size_t n = path->n;
    while (n > 0 && g->depths[n - 1] >= r->depth)
        n--;
    brz_path_cut(path, n);
    size_t most = n == 0 ? 0 : g->depths[n - 1] + 1;
    if (n == 0 && !is_first)
        BRZ_WARN(ctx, "ghcprof.root", line.data, line.len,
                 "a row below the first one that has no callers");
    if (r->depth > most)
        BRZ_WARN(ctx, "ghcprof.level", line.data, r->depth,
                 "a level is skipped: treated as a call of the row above");
    if (n == g->depths_cap)
        g->depths = brz_stacks_double(ctx, g->depths, n, &g->depths_cap, sizeof *g->depths);
    g->depths[n] = r->depth;
    brz_path_push(path, ctx, frame_of(g, ctx, r, key));
}

/* Reports a row without a cost centre, or without its costs. */
static void leave_out(const ghcprof *g, brz_ctx *ctx, brz_str line, const row *r)
{
    static const char code[] = "ghcprof.row";
    brz_str msg = BRZ_STR("not a cost centre with its costs: row left out");
    if (r->has_costs)
        brz_report_lost_weight(ctx, code, line.data, line.len, msg, r->costs[g->counted]);
    else
        brz_report_lost(ctx, code, line.data, line.len, msg);
}

static brz_rc take_row(ghcprof *g, brz_ctx *ctx, brz_str line)
{
    row r;
    if (!parse_row(&g->columns, line, &r)) {
        leave_out(g, ctx, line, &r);
        return BRZ_OK;
    }
    brz_frame_key key = key_of(g, ctx, &r);
    brz_frame_cache_fetch_slot(&g->frames, &key);
    brz_rc rc = count_waiting(g, ctx);
    open_row(g, ctx, line, &r, &key, !g->rows);
    g->rows = true;
    take_costs(g, r.costs);
    return rc;
}

/* Reports a row outside of a table: the titles above it are damaged or missing. Rows have six
 * numbers or more at the end; those of the summary in front of the table have two. */
static void report_outside(brz_ctx *ctx, brz_str line)
{
    static const columns kinds[] = {{.ticks = false}, {.ticks = true}};
    int64_t costs[COSTS];
    brz_str without = line, with = line;
    if (take_numbers(&kinds[0], &without, costs) || take_numbers(&kinds[1], &with, costs))
        brz_report_lost(ctx, "ghcprof.outside", line.data, line.len,
                        BRZ_STR("row of a table without its titles: left out"));
}

brz_rc table_line(ghcprof *g, brz_ctx *ctx, brz_str line)
{
    line = brz_trim_end(line);
    if (!g->in_table && table_begins(line, &g->columns))
        return begin_table(g, ctx);
    if (!g->in_table) {
        report_outside(ctx, line);
        return BRZ_OK;
    }
    if (line.len > 0)
        return take_row(g, ctx, line);
    g->in_table = !g->rows; /* the line below the header is empty, too */
    return BRZ_OK;
}
