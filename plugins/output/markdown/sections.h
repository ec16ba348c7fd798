/* SPDX-License-Identifier: MIT */
/* The parts of a summary, and the choice of what fits into its size.
 *
 * Parts are texts that are ready to be written. A section is a table with a heading; its rows are
 * sorted, and the last one is the least important.
 */
#ifndef MARKDOWN_SECTIONS_H
#define MARKDOWN_SECTIONS_H

#include <brazier/plugin.h>
#include <brazier/write.h>

#define SECTIONS_MOST 5   /* tables of a summary */
#define ROWS_MOST     100 /* rows of a table */

typedef struct section {
    const char *heading;     /* what the rows are, in words */
    const char *noun;        /* the same where rows are left out: "functions" */
    const char *columns;     /* the first two lines of the table */
    brz_str rows[ROWS_MOST]; /* with their line breaks */
    uint32_t n, n_shown;
    uint32_t more; /* rows beyond `n`, which nobody asked for */
} section;

typedef struct summary {
    brz_output_ctx *ctx;
    brz_writer w; /* also makes texts: see summary_take() */
    brz_str title, totals;
    brz_str findings, left_out; /* notes about the input; empty: none */
    section sections[SECTIONS_MOST];
    uint32_t n_sections, n_notes_cut;
} summary;

/* Starts a section. */
section *summary_section(summary *s, const char *heading, const char *noun, const char *columns);

/* Returns what has been written to the writer since the last call, which is less than its buffer,
 * as a text of the instance. */
brz_str summary_take(summary *s);

/* Adds the text that has been written as a row. */
void summary_add_row(summary *s, section *to);

/* Writes the summary, without the least important parts if it is longer than `budget` bytes. */
brz_rc summary_write(summary *s, uint64_t budget);

#endif
