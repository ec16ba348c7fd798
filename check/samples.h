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

#include "subject.h"

/* Reads those of a folder, in the order of their names. Files that cannot be read are left out. */
void check_samples_read(const char *folder, bool raw, check_sample **samples, size_t *n);

void check_samples_free(check_sample *samples, size_t n);

#endif
