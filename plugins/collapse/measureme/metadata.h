/* Reads the description of a recording:
 *
 *     { "start_time": ns since 1970, "process_id": N, "cmd": "…",
 *       "counter": { "name": "wall-time" | "instructions:u" | …, "units": […] } }
 *
 * The command is quoted as Rust's debugging format does it, which is not always JSON. Older files
 * have no counter.
 */
#ifndef COLLAPSE_MEASUREME_METADATA_H
#define COLLAPSE_MEASUREME_METADATA_H

#include "texts.h"
#include "threads.h"

typedef struct metadata {
    process process;
    brz_str command, counter;
    int64_t start;
} metadata;

/* Reads the description and states it to the host. Returns false if the run fails. */
bool metadata_read(metadata *m, brz_ctx *ctx, texts *t);

#endif
