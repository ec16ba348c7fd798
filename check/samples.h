/* Samples of a collapser's format: files of a folder.
 *
 *     NAME.in, NAME.txt     a sample
 *     NAME.EXT              likewise, if NAME.folded or a NAME.V.folded is there
 *     NAME.EXT.gz           compressed (or .zst)
 *     NAME.folded           what must come of it
 *     NAME.V.folded         what must come of it with the options in NAME.V.args
 *     NAME.odd, NAME.stderr it is an odd one, that sniff need not know
 */
#ifndef BRZ_CHECK_SAMPLES_H
#define BRZ_CHECK_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What must come of a sample with certain options. */
typedef struct check_golden {
    char *path;   /* of the folded text */
    char **words; /* options, NULL-terminated; NULL: none */
    size_t n_words;
} check_golden;

typedef struct check_sample {
    char *path, *name; /* the name is the path's last part */
    uint8_t *data;     /* decoded, unless the collapser is BRZ_RAW */
    size_t len;
    bool odd; /* something is said about it; sniff need not know it */
    check_golden *goldens;
    size_t n_goldens;
} check_sample;

/* Reads those of a folder, in the order of their names. Files that cannot be read are left out. */
void check_samples_read(const char *folder, bool raw, check_sample **samples, size_t *n);

void check_samples_free(check_sample *samples, size_t n);

#endif
