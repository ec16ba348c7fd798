/* Opens inputs that are plain folded text, which a run can use without a collapser: see
 * folded_lines.h. */
#ifndef BRZ_SORTED_INPUTS_H
#define BRZ_SORTED_INPUTS_H

#include "input/mapping.h"
#include "input/source.h"
#include "run/folded_parts.h"
#include "run/execution.h"

/* Inputs that stay mapped. If there are more, all are unmapped after they have been checked. */
#define BRZ_SORTED_INPUTS_MAPPED 256

/* Descriptors that are left to the rest of the process: the other inputs are closed after they have
 * been checked, and opened for each buffer. */
#define BRZ_SORTED_INPUTS_SPARE 128

typedef struct brz_sorted_input {
    const char *name;
    int fd;           /* -1: closed */
    brz_mapping file; /* zeroed: closed */
    brz_str text;     /* its bytes; empty: closed */
    size_t size;      /* of the file */
    uint64_t device, inode;
    bool is_recognised; /* its beginning is known to be folded text */
    brz_packing packing;
    int scratch;        /* of a compressed input: the file with its text; -1: none */
    uint64_t start;     /* offset of its text there */
    uint64_t text_size; /* size of the text; 0: a previous input contains it */
} brz_sorted_input;

typedef struct brz_sorted_inputs {
    brz_sorted_input *items;
    size_t n;
    size_t n_open;          /* of many inputs, the first ones stay open */
    uint64_t total;         /* bytes of all inputs */
    uint64_t count;         /* sum of the counts of all lines that were checked */
    brz_folded_parts parts; /* of all inputs in order, checked; empty if they are closed */
    bool is_large;          /* memory of bytes that were used is to be given back */
    bool unpacks;           /* compressed inputs are allowed */
    size_t n_packed;        /* number of compressed inputs */
    int *scratch;           /* files with their texts */
    size_t n_scratch;
} brz_sorted_inputs;

/* Returns whether a component is the shipped one for folded text. */
bool brz_is_shipped_folded(const brz_pipeline *p, const brz_loaded *l);

/* Returns whether the request asks for nothing but the sums of its inputs' counts, apart from
 * comparing inputs and settings. */
bool brz_sorted_inputs_suffice(const brz_pipeline *p);

/* Finds the files of such a run. Returns false, without a message, if one of them is not a regular
 * file, or if all together are small. */
bool brz_sorted_inputs_find(brz_sorted_inputs *s, const brz_pipeline *p);

/* Opens the files, and checks the beginning of each. Returns false, without a message, if one is
 * certainly not plain folded text, or is compressed. */
bool brz_sorted_inputs_begin(brz_sorted_inputs *s, const brz_pipeline *p);

/* Checks all lines of the files, which it opens. Returns false, without a message, if one of them
 * is not plain folded text, or if the run is to end. Compressed files are rejected, too, unless
 * `unpacks`; then brz_packed_inputs_read() checks them. */
bool brz_sorted_inputs_check(brz_sorted_inputs *s, const brz_execution *x, bool unpacks);

/* Finds, opens and checks the inputs, which may not be compressed. */
bool brz_sorted_inputs_open(brz_sorted_inputs *s, const brz_execution *x);

/* Returns whether the beginning of a text certainly makes it folded text: otherwise a run may
 * report something. `raw` is the beginning of the file if that is compressed, or else NULL. There
 * is slack around both. */
bool brz_sorted_input_is_recognised(const brz_sorted_input *i, const brz_pipeline *p, brz_str text,
                                    const brz_source_head *raw);

/* Returns whether the first lines of a text are plain. */
bool brz_sorted_input_begins_plainly(brz_str text);

/* Number of bytes at the beginning of a text that show its format. Each line is checked, too, so
 * that more would only take time. */
#define BRZ_SORTED_INPUTS_HEAD ((size_t)8 << 10)

/* Opens a closed input again. Returns a descriptor, or -1 if it cannot be opened or has changed. */
int brz_sorted_input_reopen(const brz_sorted_input *i);

/* Reports an open input that has become shorter since it was opened. Returns false if there is one.
 */
bool brz_sorted_inputs_are_whole(const brz_sorted_inputs *s, brz_console *console);

/* Releases the inputs; zeroed ones are allowed. */
void brz_sorted_inputs_close(brz_sorted_inputs *s);

#endif
