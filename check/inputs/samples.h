/* SPDX-License-Identifier: MIT */
/* Samples of a collapser's format, stored as files in a folder.
 *
 *     NAME.in, NAME.txt     a sample
 *     NAME.EXT              a sample, if NAME.folded or NAME.V.folded exists
 *     NAME.EXT.gz           a compressed sample (or .zst)
 *     NAME.folded           the expected result
 *     NAME.V.folded         the expected result with the options in NAME.V.args
 *     NAME.odd, NAME.stderr mark a sample that sniff need not recognise
 */
#ifndef BRZ_CHECK_SAMPLES_H
#define BRZ_CHECK_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "input/source.h"

/* The expected result of a sample with certain options. */
typedef struct check_golden {
    char *path;   /* path of the expected folded text */
    char **words; /* options, NULL-terminated; NULL: none */
    size_t n_words;
} check_golden;

typedef struct check_sample {
    char *path, *name; /* the name is the last part of the path */
    uint8_t *data;     /* decoded, as the flags of the collapser demand */
    size_t len;
    bool odd; /* a warning is expected; sniff need not recognise it */
    check_golden *goldens;
    size_t n_goldens;
} check_sample;

/* Reads the samples of a folder in the order of their names. Leaves out files that cannot be
 * read. */
void check_samples_read(const char *folder, brz_decoding decoding, check_sample **samples,
                        size_t *n);

void check_samples_free(check_sample *samples, size_t n);

#endif
