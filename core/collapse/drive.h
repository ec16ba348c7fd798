/* What the ways of driving a collapser over an input share: drive_ranges.c for plain files,
 * drive_feed.c for one thread and anything else, drive_blocks.c for several threads and a stream.
 */
#ifndef BRZ_DRIVE_H
#define BRZ_DRIVE_H

#include "collapse/collapse.h"

typedef struct brz_drive {
    brz_feed *feed;
    const brz_loaded *loaded;
    const brz_collapser *collapser;
    const void *cfg, *shared;
    brz_run *run;
    const brz_collapse_options *options; /* sizes are at most BRZ_LARGEST_CHUNK */
    uint64_t base;                       /* of this input's offsets, over all inputs */
    brz_instance **instances;            /* one per thread */
    size_t n_instances;
    atomic_bool failed;
    atomic_bool lost; /* `boundary` gave an offset where none can be */
} brz_drive;

/* What is shown to an instance. */
typedef struct brz_piece {
    const uint8_t *data;
    size_t len;
    uint64_t offset, line; /* of its first byte, in this input; line 0: not known */
    uint64_t column;       /* likewise, from 0, if the line is known */
    uint32_t flags;        /* BRZ_CHUNK_* */
} brz_piece;

/* True once nothing more is to be parsed. */
bool brz_drive_is_over(brz_drive *d);

/* From now on that is so, and the input has failed. Who calls it has said why. Any thread. */
void brz_drive_fail(brz_drive *d);

/* Lets an instance parse a piece; returns how much of it was used. */
size_t brz_drive_parse(brz_drive *d, brz_instance *i, const brz_piece *p);

/* Asks the collapser for a boundary; `offset` is that of the first byte, in this input. */
size_t brz_drive_boundary(brz_drive *d, const uint8_t *p, size_t n, size_t from, uint64_t offset);

/* After the last piece of a run: says so if something of it was not used. */
void brz_drive_report_rest(brz_instance *i, const brz_piece *p, size_t used);

/* How many bytes are shown at a time. */
size_t brz_drive_chunk_size(const brz_drive *d);

#define BRZ_LONG_RECORD "record of more than 64 MiB: left out"

/* A thread takes no less of a file at a time, and is not worth starting for less than so much. */
#define BRZ_SMALLEST_RANGE ((size_t)4 << 20)
#define BRZ_WORTH_A_THREAD ((size_t)16 << 20)

/* The ways. Instances are there and open; what goes wrong is told by brz_drive_is_over. */

/* Piece by piece, to one instance. */
void brz_drive_feed(brz_drive *d, brz_instance *i);

/* All of the input at once, for BRZ_WHOLE_INPUT. */
void brz_drive_whole(brz_drive *d, brz_instance *i);

/* Ranges of a plain file, to all instances. */
void brz_drive_ranges(brz_drive *d);

/* Blocks of a stream, to all instances. */
void brz_drive_blocks(brz_drive *d);

#endif
