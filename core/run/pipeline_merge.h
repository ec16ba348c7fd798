/* Adds up files of sorted folded text line by line. */
#ifndef BRZ_PIPELINE_MERGE_H
#define BRZ_PIPELINE_MERGE_H

#include "run/execution.h"

/* Inputs that can be added up line by line. */
typedef struct brz_merge brz_merge;

/* The result of writing the sums. */
typedef enum brz_merge_end {
    BRZ_MERGE_WRITTEN,
    BRZ_MERGE_FAILED,       /* reported unless the sink failed or the run is to end */
    BRZ_MERGE_NEEDS_PROFILE /* no sink was opened */
} brz_merge_end;

/* Opens the sink of the sums. Returns NULL after reporting an error. */
typedef brz_sink *brz_merge_open_sink(void *context);

/* Opens the inputs of a run. Returns NULL, without a message, if the run needs a profile: an input
 * is not plain folded text in order, or anything but sums was asked for. */
brz_merge *brz_merge_open(const brz_execution *x);

/* Writes the sums: the bytes that the output "folded" would write. If the inputs are not checked
 * before, they are while they are read, and the first bytes are held back. */
brz_merge_end brz_merge_write(brz_merge *m, brz_merge_open_sink *open_sink, void *context);

/* Releases the inputs; NULL is allowed. */
void brz_merge_close(brz_merge *m);

#endif
