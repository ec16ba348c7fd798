/* Adds up files of sorted folded text line by line. */
#ifndef BRZ_PIPELINE_MERGE_H
#define BRZ_PIPELINE_MERGE_H

#include "run/pipeline_parts.h"

/* Inputs that can be added up line by line. */
typedef struct brz_merge brz_merge;

/* Opens and checks the inputs of a run. Returns NULL, without a message, if the run needs a
 * profile: an input is not plain folded text in order, or anything but sums was asked for. */
brz_merge *brz_merge_open(brz_pipeline *p);

/* Writes the sums: the bytes that the output "folded" would write. Returns false after an error,
 * which was reported unless the sink failed or the run is to end. */
bool brz_merge_write(brz_merge *m, brz_sink *sink);

/* Releases the inputs; NULL is allowed. */
void brz_merge_close(brz_merge *m);

#endif
