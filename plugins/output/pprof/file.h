/* SPDX-License-Identifier: MIT */
/* A pprof file being written, and the parts that its writing consists of. */
#ifndef PPROF_FILE_H
#define PPROF_FILE_H

#include <brazier/write.h>

#include "../../common/pprof_fields.h"
#include "../common/functions.h"
#include "labels.h"
#include "locations.h"
#include "message.h"
#include "sample_type.h"

typedef struct file {
    brz_writer w;
    message profile;    /* of which readers make one with all others */
    message part, item; /* a field of it, and a field of that */
    brz_output_ctx *ctx;
    const brz_tree *tree;
    functions functions;
    locations locations;
    uint32_t *order;    /* weights in output order, the selected one last */
    sample_type *types; /* sample types in that order */
} file;

/* Writes the message `profile`, and empties it. */
static inline void put_profile(file *f)
{
    brz_put(&f->w, f->profile.data, f->profile.len);
    f->profile.len = 0;
}

/* Writes the message `part` as a field of a profile, and empties it. */
static inline void put_part(file *f, uint32_t field)
{
    message_part(&f->profile, field, &f->part);
    put_profile(f);
}

/* Writes a sample for each stack, or for each stack and tag if samples have tags. Adds their
 * locations to f->locations. */
void put_samples(file *f);

/* Writes the locations that samples refer to, and the mappings that these refer to. */
void put_locations(file *f);

#endif
