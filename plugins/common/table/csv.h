/* SPDX-License-Identifier: MIT */
/* Parses lines of delimited values.
 *
 *     row  := cell (delimiter cell)*
 *     cell := blank* ('"' text '"' | text)
 *
 * Within quotes the delimiter is text, and two quotes stand for one. Quotes that should be doubled
 * but are not are accepted: only a quote before a delimiter or before the end closes a cell.
 */
#ifndef COMMON_TABLE_CSV_H
#define COMMON_TABLE_CSV_H

#include <brazier/host.h>

/* Maximum number of cells; further ones are ignored. */
#define CSV_CELLS 256

typedef struct csv_row {
    brz_str cells[CSV_CELLS]; /* raw text of the cells, with spaces and quotes */
    size_t n;
} csv_row;

/* Returns the number of spaces at the beginning of a text: many, where they are the level of a
 * call. */
size_t csv_spaces(brz_str s);

/* Splits a line without newline into at most `wanted` cells. */
void csv_split(brz_str line, char delimiter, size_t wanted, csv_row *row);

/* The number of columns of a header. */
typedef struct csv_columns {
    size_t all;
    size_t named; /* without empty cells at the end, which rows may lack */
} csv_columns;

csv_columns csv_columns_of(const csv_row *header);

/* Returns false if a line, of which `row` has the first cells, has another number of cells than
 * columns: a damaged quote or delimiter merges or divides cells, and then the cells after it are
 * those of other columns. A row that lost its line end has all of the next row after its cells,
 * which is reported with `code`. */
bool csv_fits(brz_ctx *ctx, const char *code, brz_str line, char delimiter, const csv_row *row,
              csv_columns columns);

/* Reports rows in front of a header, which is the last line of `front`: lines with as many cells as
 * that has, whose own header is damaged or missing. */
void csv_report_front(brz_ctx *ctx, const char *code, brz_str front, char delimiter,
                      csv_columns columns);

/* Returns a cell without surrounding spaces and quotes; doubled quotes stay doubled. */
brz_str csv_bare(brz_str cell);

/* Writes a bare cell with doubled quotes made single. Returns the number of bytes written, at most
 * the cell's length. */
size_t csv_unescape(brz_str bare, char *out);

/* Returns the k-th cell without surrounding spaces and quotes; empty if the row is shorter. */
brz_str csv_cell(const csv_row *row, size_t k);

/* Returns whether a cell begins or ends with a blank, also within quotes. Programs write numbers
 * without: one that has blanks lacks a digit in their place. */
bool csv_is_padded(const csv_row *row, size_t k);

/* Returns whether all cells are empty. */
bool csv_is_blank(const csv_row *row);

#endif
