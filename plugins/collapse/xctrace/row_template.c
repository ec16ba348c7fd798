/* SPDX-License-Identifier: MIT */
/* Reads rows that differ from an earlier one only in digits, as most rows do once their backtraces
 * have been written out:
 *
 *     <row><sample-time id="14" fmt="00:00.059">59</sample-time><weight ref="9"/>…</row>
 *
 * A template of such a row is a list of pieces: a text that must be present, followed by a hole for
 * a number. Templates are learned from rows that fast_path.c has read, so a row with the same texts
 * nests correctly, too. Nothing in a hole can end a value or a text. Rows that need special
 * treatment, such as a reference to a missing element, are left to the other readers.
 */
#include "reader.h"

#include <brazier/symbol.h>
#include <brazier/text/hash.h>

/* Number of digits parsed at once; maximum bytes of a hole whose number is not needed. */
#define DIGITS 8u
#define LOOSE  24u

/* ---- numbers --------------------------------------------------------------------------------- */

/* Loads eight bytes, the first one into the lowest bits. */
static uint64_t load_first_lowest(const char *p)
{
    uint64_t word = brz_load64(p);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

#define EACH_BYTE(b) (UINT64_C(0x0101010101010101) * (b))

/* Returns the number of leading bytes, of eight, that lie between `from` and `to`, both below
 * 0x80. */
static size_t count_within(uint64_t word, uint8_t from, uint8_t to)
{
    uint64_t low = word & EACH_BYTE(0x7f);
    uint64_t above = low + EACH_BYTE(0x7fu - to);
    uint64_t below = ~((low | EACH_BYTE(0x80)) - EACH_BYTE(from));
    uint64_t odd = (word | above | below) & EACH_BYTE(0x80);
    return odd == 0 ? 8 : (size_t)__builtin_ctzll(odd) / 8;
}

/* Returns the number formed by the n leading digits, 1 to 8; adds up adjacent digits in pairs. */
static uint32_t number_in(uint64_t word, size_t n)
{
    uint64_t v = (word ^ EACH_BYTE('0')) << (64 - 8 * n);
    v = (v * 10 + (v >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
    v = (v * 100 + (v >> 16)) & UINT64_C(0x0000ffff0000ffff);
    return (uint32_t)(v * 10000 + (v >> 32));
}

/* Returns the length of the bytes from "." to ":", which occur in times and numbers and have no
 * meaning in XML. */
static size_t loose_length(const char *p)
{
    size_t n = 0, more;
    do {
        more = count_within(load_first_lowest(p + n), '.', ':');
        n += more;
    } while (more == 8 && n < LOOSE);
    return n;
}

static bool is_loose(brz_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (s.data[i] < '.' || s.data[i] > ':')
            return false;
    return s.len < LOOSE;
}

/* ---- learning -------------------------------------------------------------------------------- */

/* State of learning a row: `literal` is the beginning of the text that is not in a piece yet. */
typedef struct lesson {
    const xctrace *x;
    const char *p, *literal;
    size_t depth;
    row_template row;
} lesson;

static bool add_piece(lesson *l, const char *literal, size_t n, template_piece piece)
{
    if (l->row.n == TEMPLATE_PIECES)
        return false;
    piece.len = (uint32_t)n;
    memcpy(piece.text, literal, n);
    memset(piece.mask, 0xff, n);
    l->row.pieces[l->row.n++] = piece;
    l->row.longest += n + (piece.hole == HOLE_NONE ? 0 : LOOSE + 8);
    return true;
}

/* Ends the literal at `end` and adds a hole as long as the text there. */
static bool add_hole(lesson *l, const char *end, template_hole hole, element_kind kind, size_t len)
{
    for (; end - l->literal > (ptrdiff_t)TEMPLATE_TEXT; l->literal += TEMPLATE_TEXT)
        if (!add_piece(l, l->literal, TEMPLATE_TEXT, (template_piece){.hole = HOLE_NONE}))
            return false;
    bool added = add_piece(l, l->literal, (size_t)(end - l->literal),
                           (template_piece){.hole = hole, .kind = kind});
    l->literal = end + len;
    return added;
}

static brz_str up_to(const char *p, const char *stops)
{
    const char *end = p;
    while (strchr(stops, *end) == NULL)
        end++;
    return brz_str_of(p, (size_t)(end - p));
}

/* Learns the attributes of a tag. An element that is looked up must be a child of the row with a
 * reference as its only attribute. */
static bool learn_attributes(lesson *l, element_kind kind, bool matters)
{
    size_t n = 0;
    for (;; n++) {
        while (*l->p == ' ' || *l->p == '\n')
            l->p++;
        if (*l->p == '/' || *l->p == '>')
            return !matters || n == 1;
        brz_str name = up_to(l->p, "=");
        brz_str value = up_to(name.data + name.len + 2, "\"");
        l->p = value.data + value.len + 1;
        if (matters && !brz_str_is(name, "ref"))
            return false;
        template_hole hole = matters ? HOLE_REF : HOLE_ANY;
        if (is_loose(value) ? !add_hole(l, value.data, hole, kind, value.len) : matters)
            return false;
    }
}

static bool learn_start(lesson *l)
{
    brz_str name = up_to(l->p, " \n/>");
    element_kind kind = element_kind_of(name);
    bool matters = element_matters(l->x, kind);
    l->p = name.data + name.len;
    if ((kind == ELEMENT_ROW) != (l->depth == 0) || (matters && l->depth != 1) ||
        !learn_attributes(l, kind, matters))
        return false;
    bool is_empty = *l->p == '/';
    l->p += is_empty ? 2 : 1;
    l->depth += !is_empty;
    return is_empty || !matters;
}

static bool learn_text(lesson *l)
{
    brz_str text = up_to(l->p, "<");
    l->p = text.data + text.len;
    return !is_loose(text) || add_hole(l, text.data, HOLE_ANY, ELEMENT_OTHER, text.len);
}

static bool learn_end(lesson *l)
{
    l->depth--;
    l->p = strchr(l->p, '>') + 1;
    return true;
}

void row_templates_learn(xctrace *x, brz_str row)
{
    lesson l = {.x = x, .p = row.data, .literal = row.data};
    do {
        bool good = *l.p != '<'     ? learn_text(&l)
                    : l.p[1] == '/' ? learn_end(&l)
                                    : (l.p++, learn_start(&l));
        if (!good)
            return;
    } while (l.depth > 0);
    if (!add_hole(&l, l.p, HOLE_NONE, ELEMENT_OTHER, 0))
        return;
    x->templates.rows[x->templates.next] = l.row;
    x->templates.next = (x->templates.next + 1) % N_TEMPLATES;
}

/* ---- reading --------------------------------------------------------------------------------- */

static bool has_text(const template_piece *piece, const char *p)
{
    uint64_t odd = 0;
    for (size_t i = 0; i < TEMPLATE_TEXT; i += 8)
        odd |= (brz_load64(p + i) ^ brz_load64(piece->text + i)) & brz_load64(piece->mask + i);
    return odd == 0;
}

/* Returns the value that a number refers to, and its number of digits; NO_VALUE if the reference is
 * unusual. */
static uint32_t value_at(const xctrace *x, element_kind kind, const char *p, size_t *n)
{
    uint64_t word = load_first_lowest(p);
    *n = count_within(word, '0', '9');
    if (*n == 0 || *p == '0')
        return NO_VALUE;
    return ids_numbered(&x->ids, kind, number_in(word, *n));
}

/* Reads a row by a template. Returns its end, or NULL if the row differs; then only x->row has
 * changed. */
static const char *read_row(xctrace *x, const row_template *row, const char *p)
{
    row_begin(x);
    for (const template_piece *piece = row->pieces, *end = piece + row->n; piece < end; piece++) {
        size_t n = 0;
        if (!has_text(piece, p))
            return NULL;
        p += piece->len;
        if (piece->hole == HOLE_ANY) {
            n = loose_length(p);
        } else if (piece->hole == HOLE_REF) {
            uint32_t value = value_at(x, piece->kind, p, &n);
            if (value == NO_VALUE)
                return NULL;
            row_give(&x->row, piece->kind, value);
        }
        p += n;
    }
    return p;
}

/* Reads rows by templates. Text must follow the rows, so that reports about them can show it. */
const uint8_t *row_templates_read(xctrace *x, const uint8_t *at, const uint8_t *end, size_t spare)
{
    while (at < end && x->rc == BRZ_OK) {
        const char *p = (const char *)at, *stop = NULL;
        while (p < (const char *)end && *p == '\n')
            p++;
        for (size_t i = 0; i < N_TEMPLATES && stop == NULL; i++) {
            const row_template *row = &x->templates.rows[i];
            if (row->n > 0 &&
                (size_t)((const char *)end - p) > row->longest + TEMPLATE_TEXT + spare)
                stop = read_row(x, row, p);
        }
        if (stop == NULL)
            break;
        x->here = brz_str_of(p, (size_t)(stop - p));
        row_end(x);
        at = (const uint8_t *)stop;
    }
    x->here = brz_str_of(NULL, 0);
    return at;
}
