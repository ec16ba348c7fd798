/* SPDX-License-Identifier: MIT */
/* Tables with a row per stack or per sample, for databases, as CSV or as lines of JSON.
 *
 * A row has the same columns in the same order in all rows; the two formats differ in how a column
 * is written, which row_format describes. The components are csv and jsonl with the distinct
 * stacks, and samples-csv and samples-jsonl with the samples.
 */
#ifndef OUTPUT_ROWS_H
#define OUTPUT_ROWS_H

#include <brazier/plugin.h>
#include <brazier/write.h>

typedef struct rows_options {
    bool units;    /* names of weights end with their units */
    bool header;   /* CSV begins with the names of the columns */
    bool formulas; /* texts that spreadsheets take for formulas stay as they are */
} rows_options;

/* State of one table being written. */
typedef struct rows {
    brz_writer w;
    brz_output_ctx *ctx;
    const brz_tree *tree;
    const rows_options *options;
    brz_str *frames;  /* by frame: its name as the format has it in a stack */
    brz_str *weights; /* by column of the tree: the name of its column in the table */
    brz_str *labels;  /* by tag: its labels as text; no data: not made yet */
    bool first;       /* nothing of the row has been written yet */
} rows;

/* A format of tables. A column is written by one call; `name` is its name. */
typedef struct row_format {
    /* Returns the name of a frame as `stack` writes it. */
    brz_str (*frame)(const rows *r, brz_str name);
    void (*header)(rows *r, const brz_str *names, size_t n);
    void (*begin)(rows *r);
    void (*stack)(rows *r, brz_str name, const brz_stack_info *s);
    void (*text)(rows *r, brz_str name, brz_str text); /* empty: absent */
    /* Writes a multiple of 10^-decimals. */
    void (*number)(rows *r, brz_str name, int64_t value, uint32_t decimals);
    void (*absent)(rows *r, brz_str name);
    void (*labels)(rows *r, brz_str name, uint32_t tag); /* the tag has some */
    void (*end)(rows *r);
} row_format;

extern const row_format rows_csv, rows_jsonl;

/* Writes a row per distinct stack. */
brz_rc rows_write_stacks(const row_format *format, brz_output_ctx *ctx, const brz_tree *tree,
                         brz_sink *sink);

/* Writes a row per sample; one per stack if the profile has no samples. */
brz_rc rows_write_samples(const row_format *format, brz_output_ctx *ctx, const brz_tree *tree,
                          brz_sink *sink);

#endif
