/* Adds up plain folded texts line by line, or compares two of them: see folded_lines.h.
 *
 * The lines of the result are those of the texts, in the same order, with sums of counts, or with
 * the counts of both. Memory holds a line of each text, and what its buffer has read ahead.
 */
#ifndef BRZ_LINE_MERGE_H
#define BRZ_LINE_MERGE_H

#include <stdatomic.h>

#include <brazier/output.h>

#include "base/buf.h"
#include "run/loser_tree.h"

/* Provides the bytes of texts that are not in memory. */
typedef struct brz_line_reader {
    /* Reads up to `n` bytes, n > 0, of text number `i`. Sets *is_ended behind its last byte.
     * Returns the number of bytes; 0 without *is_ended is an error. */
    size_t (*read)(void *context, uint32_t i, char *to, size_t n, bool *is_ended);
    /* Receives the number of bytes that were merged, now and then; or NULL. */
    void (*tell)(void *context, uint32_t i, uint64_t done);
    void *context;
} brz_line_reader;

/* A text with its next line. */
typedef struct brz_line_text {
    brz_str rest;  /* bytes of the text or its buffer from the next line on */
    size_t taken;  /* number of them that are the next line */
    uint64_t at;   /* offset in the text behind the rest */
    int64_t count; /* of the next line */
    bool is_ended; /* nothing follows the rest */
    char *buffer;  /* NULL: the text is in memory */
    size_t cap;
} brz_line_text;

typedef struct brz_line_merge {
    brz_line_text *texts;
    uint32_t n;
    brz_loser_tree tree; /* of their next lines */
    brz_line_reader reader;
    const atomic_bool *stop; /* ends the merge */
    bool compares;           /* writes the counts of both texts, of which there are two */
    bool checks;             /* the texts have not been checked: see brz_folded_check() */
    uint64_t most;           /* if it checks, the largest sum of a line */
    uint64_t sum;            /* if it checks, the sum of the counts of all lines */
    brz_buf out;
    size_t open_len;    /* length of the stack at the end of `out`, which has no counts yet */
    uint64_t counts[2]; /* of this stack; without a comparison, the first one is their sum */
} brz_line_merge;

/* Prepares the merge of `n` texts, which the caller adds; the other members are the caller's. */
void brz_line_merge_init(brz_line_merge *m, uint32_t n);

/* Adds a text that is in memory. */
void brz_line_merge_add(brz_line_merge *m, uint32_t i, brz_str text);

/* Adds a text that is read into a buffer of `size` bytes, which grows with the longest line. */
void brz_line_merge_add_read(brz_line_merge *m, uint32_t i, size_t size);

/* Writes the result. Returns false if a text cannot be read, or has a line that is not plain.
 * Clears *is_written if the sink fails. After *stop was set, it does one or the other. */
bool brz_line_merge_write(brz_line_merge *m, brz_sink *sink, bool *is_written);

/* Frees a merge; a zeroed one is allowed. */
void brz_line_merge_finish(brz_line_merge *m);

#endif
