/* SPDX-License-Identifier: MIT */
/* Parses lines of delimited values. */
#include "csv.h"

#include <brazier/text/pieces.h>
#include <brazier/text/trim.h>

#include <string.h>

size_t csv_spaces(brz_str s)
{
    size_t n = 0;
    while (s.len - n >= 8 && brz_are_blanks8(s.data + n))
        n += 8;
    while (n < s.len && s.data[n] == ' ')
        n++;
    return n;
}

/* Returns the position after the closing quote of a cell, or NULL; `p` is after
 * the opening quote. */
static const char *after_closing_quote(const char *p, const char *end, char delimiter)
{
    while (p < end && (p = memchr(p, '"', (size_t)(end - p))) != NULL) {
        if (p + 1 == end || p[1] == delimiter)
            return p + 1;
        p += p[1] == '"' ? 2 : 1;
    }
    return NULL;
}

/* Does the same for cells whose inner quotes are not doubled: the first quote before a delimiter
 * closes the cell. */
static const char *after_any_quote(const char *p, const char *end, char delimiter)
{
    for (; p + 1 < end && (p = memchr(p, '"', (size_t)(end - p - 1))) != NULL; p++)
        if (p[1] == delimiter)
            return p + 1;
    return NULL;
}

/* Most cells without quotes are short numbers: a loop finds their end before a call of memchr()
 * pays off. */
#define SHORT 12

/* Returns the end of a cell. An unclosed quote is ordinary text. */
static const char *cell_end(const char *p, const char *end, char delimiter)
{
    const char *stop = NULL;
    if (p < end && *p == ' ')
        p += csv_spaces(brz_str_of(p, (size_t)(end - p)));
    if (p < end && *p == '"') {
        stop = after_closing_quote(p + 1, end, delimiter);
        if (stop == NULL)
            stop = after_any_quote(p + 1, end, delimiter);
    }
    if (stop != NULL)
        return stop;
    for (int i = 0; i < SHORT && p < end && *p != delimiter; i++)
        p++;
    if (p < end && *p != delimiter)
        p = memchr(p, delimiter, (size_t)(end - p));
    return p != NULL ? p : end;
}

void csv_split(brz_str line, char delimiter, size_t wanted, csv_row *row)
{
    const char *p = line.data, *end = p + line.len;
    row->n = 0;
    while (row->n < wanted && row->n < CSV_CELLS) {
        const char *stop = cell_end(p, end, delimiter);
        row->cells[row->n++] = brz_str_of(p, (size_t)(stop - p));
        if (stop == end)
            break;
        p = stop + 1;
    }
}

/* Returns the number of cells of a text that begins with a delimiter. */
static size_t cells_in(brz_str rest, char delimiter)
{
    const char *p = rest.data, *end = p + rest.len;
    size_t n = 0;
    for (; p < end; n++)
        p = cell_end(p + 1, end, delimiter);
    return n;
}

/* Returns a text without delimiters and blanks at its end. */
static brz_str without_empty_cells(brz_str text, char delimiter)
{
    while (text.len > 0) {
        char c = text.data[text.len - 1];
        if (c != delimiter && c != ' ' && c != '\r')
            break;
        text.len--;
    }
    return text;
}

bool csv_fits(brz_ctx *ctx, const char *code, brz_str line, char delimiter, const csv_row *row,
              csv_columns columns)
{
    const brz_str *last = &row->cells[row->n - 1];
    const char *p = last->data + last->len, *end = line.data + line.len;
    size_t n = row->n;
    for (; n < columns.named && p < end; n++)
        p = cell_end(p + 1, end, delimiter);
    bool ends_in_delimiter = line.len > 0 && end[-1] == delimiter;
    if (n < columns.named || (p == end && n < columns.all && ends_in_delimiter))
        return false;
    brz_str rest = without_empty_cells(brz_str_of(p, (size_t)(end - p)), delimiter);
    if (rest.len == 0)
        return true;
    if (cells_in(rest, delimiter) + 1 < columns.named)
        return false;
    brz_report_lost(ctx, code, rest.data, rest.len,
                    BRZ_STR("more cells than columns: what follows them, such as a row that lost "
                            "its line end, is left out"));
    return true;
}

void csv_report_front(brz_ctx *ctx, const char *code, brz_str front, char delimiter,
                      csv_columns columns)
{
    brz_str line;
    csv_row row;
    while (brz_take_line(&front, &line) && front.len > 0) {
        csv_split(brz_trim(line), delimiter, CSV_CELLS, &row);
        if (row.n > 1 && row.n >= columns.named && row.n <= columns.all + 1)
            brz_report_lost(ctx, code, line.data, line.len,
                            BRZ_STR("a row without the line of titles above it: left out"));
    }
}

/* Returns whether a byte is neither a space, nor a quote, nor part of a multi-byte space. */
static bool is_inner(char c)
{
    return (unsigned char)c > ' ' && (unsigned char)c < 0x7f && c != '"';
}

static bool has_inner_ends(brz_str s)
{
    return s.len > 0 && is_inner(s.data[0]) && is_inner(s.data[s.len - 1]);
}

brz_str csv_bare(brz_str cell)
{
    if (cell.len > 0 && cell.data[0] == ' ')
        cell = brz_str_from(cell, csv_spaces(cell));
    if (has_inner_ends(cell))
        return cell;
    if (cell.len == 0 || cell.data[0] != '"' || cell.data[cell.len - 1] != '"')
        cell = brz_trim(cell);
    if (cell.len < 2 || cell.data[0] != '"')
        return cell;
    size_t closed = cell.data[cell.len - 1] == '"';
    cell = brz_str_of(cell.data + 1, cell.len - 1 - closed);
    return has_inner_ends(cell) ? cell : brz_trim(cell);
}

size_t csv_unescape(brz_str bare, char *out)
{
    const char *p = bare.data, *end = p + bare.len, *quote;
    char *to = out;
    while (p < end && (quote = memchr(p, '"', (size_t)(end - p))) != NULL) {
        size_t n = (size_t)(quote + 1 - p);
        memcpy(to, p, n);
        to += n;
        p = quote + 1;
        p += p < end && *p == '"';
    }
    if (p < end)
        memcpy(to, p, (size_t)(end - p));
    return (size_t)(to - out) + (size_t)(end - p);
}

brz_str csv_cell(const csv_row *row, size_t k)
{
    return k < row->n ? csv_bare(row->cells[k]) : brz_str_of("", 0);
}

static bool is_blank_at(brz_str s, size_t i)
{
    return i < s.len && (s.data[i] == ' ' || s.data[i] == '\t');
}

bool csv_is_padded(const csv_row *row, size_t k)
{
    brz_str cell = k < row->n ? row->cells[k] : brz_str_of("", 0);
    if (cell.len > 0 && cell.data[cell.len - 1] == '\r')
        cell.len--;
    if (cell.len > 1 && cell.data[0] == '"' && cell.data[cell.len - 1] == '"')
        cell = brz_str_of(cell.data + 1, cell.len - 2);
    return is_blank_at(cell, 0) || is_blank_at(cell, cell.len - 1);
}

csv_columns csv_columns_of(const csv_row *header)
{
    csv_columns c = {header->n, header->n};
    while (c.named > 0 && csv_bare(header->cells[c.named - 1]).len == 0)
        c.named--;
    return c;
}

/* Returns whether a cell is not empty, as its first bytes tell. */
static bool begins_inner(brz_str cell)
{
    size_t n = csv_spaces(cell);
    n += n < cell.len && cell.data[n] == '"';
    return n < cell.len && is_inner(cell.data[n]);
}

bool csv_is_blank(const csv_row *row)
{
    for (size_t i = 0; i < row->n; i++)
        if (begins_inner(row->cells[i]) || csv_bare(row->cells[i]).len > 0)
            return false;
    return true;
}
