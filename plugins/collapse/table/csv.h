/* A line of delimited values, taken apart.
 *
 *     row  := cell (delimiter cell)*
 *     cell := blank* ('"' text '"' | text)
 *
 * Within quotes the delimiter is text, and two quotes stand for one. Writers that forget to double
 * a quote are understood as well: only one in front of a delimiter or of the end closes a cell.
 */
#ifndef BRZ_TABLE_CSV_H
#define BRZ_TABLE_CSV_H

#include <brazier/base.h>

/* Cells behind these are not looked at. */
#define CSV_CELLS 256

typedef struct csv_row {
    brz_str cells[CSV_CELLS]; /* as they stand there, with blanks and quotes */
    size_t n;
} csv_row;

/* Takes at most `wanted` cells off a line, which has no newline in it. */
void csv_split(brz_str line, char delimiter, size_t wanted, csv_row *row);

/* A cell without blanks and quotes around it; doubled quotes stay doubled. */
brz_str csv_bare(brz_str cell);

/* Writes a bare cell with doubled quotes made single, at most its length, and returns how much. */
size_t csv_unescape(brz_str bare, char *out);

/* The k-th cell, bare; empty if the row has none. */
brz_str csv_cell(const csv_row *row, size_t k);

/* True if no cell says anything. */
bool csv_is_blank(const csv_row *row);

#endif
