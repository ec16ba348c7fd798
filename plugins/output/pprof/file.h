/* A pprof file being written, and the parts that its writing consists of. */
#ifndef PPROF_FILE_H
#define PPROF_FILE_H

#include <brazier/write.h>

#include "../common/functions.h"
#include "labels.h"
#include "locations.h"
#include "profile.pb-c.h"
#include "sample_type.h"

typedef Brazier__Pprof__Profile Message;

/* The buffer that protobuf-c writes to. */
typedef struct stream {
    ProtobufCBuffer base; /* first: protobuf-c passes it back */
    brz_writer w;
} stream;

typedef struct file {
    stream stream;
    brz_output_ctx *ctx;
    const brz_tree *tree;
    functions functions;
    locations locations;
    uint32_t *order;    /* weights in output order, the selected one last */
    uint32_t *position; /* by weight: its index in that order */
    sample_type *types; /* sample types in that order */
} file;

/* Writes a message, of which readers make one with all others. */
static inline void put(file *f, const Message *m)
{
    protobuf_c_message_pack_to_buffer(&m->base, &f->stream.base);
}

/* Writes a sample for each stack, or for each stack and tag if samples have tags. Adds their
 * locations to f->locations. */
void put_samples(file *f);

/* Writes the locations that samples refer to, and the mappings that these refer to. */
void put_locations(file *f);

#endif
