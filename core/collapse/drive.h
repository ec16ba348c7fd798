/* SPDX-License-Identifier: MIT */
/* The calls of a collapser that all drivers make for an input. */
#ifndef BRZ_DRIVE_H
#define BRZ_DRIVE_H

#include "collapse/collapse_options.h"
#include "input/feed.h"
#include "host/instance.h"

typedef struct brz_drive {
    brz_feed *feed;
    const brz_loaded *loaded;
    const brz_collapser *collapser;
    const void *cfg, *shared;
    brz_run *run;
    const brz_collapse_options *options; /* sizes are at most BRZ_LARGEST_CHUNK */
    uint64_t base;                       /* position of this input within the run */
    brz_instance **instances;            /* one per thread */
    size_t n_instances;
    bool in_order;              /* one thread parses the whole input */
    _Atomic uint64_t failed_at; /* where the input fails; UINT64_MAX: nowhere */
    atomic_bool lost;           /* `boundary` returned an offset outside its range */
} brz_drive;

/* The bytes passed to one call of `parse`. */
typedef struct brz_piece {
    const uint8_t *data;
    size_t len;
    uint64_t offset, line; /* of the first byte, in this input; line 0: unknown */
    uint64_t column;       /* of the first byte, from 0, if the line is known */
    uint32_t flags;        /* BRZ_CHUNK_* */
} brz_piece;

/* Returns whether parsing should end. */
bool brz_drive_is_over(brz_drive *d);

/* Returns whether parsing of the records from `offset` on should end. What stands in front of the
 * place of a failure is parsed, so that the failure that is reported is the first one of the input.
 */
bool brz_drive_is_over_at(brz_drive *d, uint64_t offset);

/* Marks the input as failed; the caller has reported why. Any thread may call it. */
void brz_drive_fail(brz_drive *d);

/* Marks the input as failed from `offset` on. */
void brz_drive_fail_at(brz_drive *d, uint64_t offset);

/* Lets an instance parse a piece. Returns the number of bytes used. */
size_t brz_drive_parse(brz_drive *d, brz_instance *i, const brz_piece *p);

/* Asks the collapser for its first boundary at or after `from`. Returns n if p[0..n) has no
 * boundary. `offset` is the position of p[0] in this input. */
size_t brz_drive_boundary(brz_drive *d, const uint8_t *p, size_t n, size_t from, uint64_t offset);

/* Returns whether the input has ended with an error, so that what is left may be a part of a
 * record. Collapsers that split inputs read such a piece as one that is not the last. */
bool brz_drive_is_cut(const brz_drive *d);

/* Reports the unused rest of the last piece of a run as a truncated record, unless parsing has
 * ended before that rest. */
void brz_drive_report_rest(brz_drive *d, brz_instance *i, const brz_piece *p, size_t used);

/* Reports a breach of the contract, which fails the input. */
void brz_drive_report_breach(brz_instance *i, const char *call, const char *what);

/* Checks the result of a collapser's function. A failure fails the input from `offset` on and is
 * reported, unless the collapser has reported it. */
void brz_drive_check(brz_drive *d, brz_instance *i, const char *call, uint64_t offset, brz_rc rc);

/* Returns the number of bytes to pass at a time. */
size_t brz_drive_chunk_size(const brz_drive *d);

/* Limit on the maximum size of a record that collapsers may set. */
#define BRZ_LARGEST_RECORD (UINT64_C(1) << 40)

/* Returns the maximum size of a record. */
uint64_t brz_drive_record_max(const brz_drive *d);

/* Sets *size to the number of bytes to pass next: the chunk size if `used` bytes were used, or
 * twice as many as before if none were. Returns false if a record exceeds the maximum size and must
 * be skipped. */
bool brz_drive_advance_or_grow(const brz_drive *d, size_t used, size_t *size);

/* Reports a record at `at` that exceeds the maximum size. Returns true if it can be skipped, up to
 * a newline after that size. Fails a binary input, in which nothing says where the next one begins.
 */
bool brz_drive_skips_record(brz_drive *d, brz_instance *i, const uint8_t *at);

#endif
