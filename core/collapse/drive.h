/* A collapser at work on one input: the calls into it that every driver makes. */
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
    uint64_t base;                       /* offset of this input, over all inputs of the run */
    brz_instance **instances;            /* one per thread */
    size_t n_instances;
    atomic_bool failed;
    atomic_bool lost; /* `boundary` returned an offset outside its range */
} brz_drive;

/* The bytes that one call of `parse` receives. */
typedef struct brz_piece {
    const uint8_t *data;
    size_t len;
    uint64_t offset, line; /* of the first byte, in this input; line 0: not known */
    uint64_t column;       /* likewise, from 0, if the line is known */
    uint32_t flags;        /* BRZ_CHUNK_* */
} brz_piece;

/* Returns true once nothing more is to be parsed. */
bool brz_drive_is_over(brz_drive *d);

/* Marks the input as failed; the caller has reported why. Any thread may call it. */
void brz_drive_fail(brz_drive *d);

/* Lets an instance parse a piece. Returns the number of bytes used. */
size_t brz_drive_parse(brz_drive *d, brz_instance *i, const brz_piece *p);

/* Returns the collapser's first boundary at or behind `from`, or n; `offset` is that of p[0] in
 * this input. */
size_t brz_drive_boundary(brz_drive *d, const uint8_t *p, size_t n, size_t from, uint64_t offset);

/* Reports what is left of the last piece of a run, if `used` bytes of it were used. */
void brz_drive_report_rest(brz_instance *i, const brz_piece *p, size_t used);

/* Reports a call that breaks the contract, which fails the input. */
void brz_drive_report_breach(brz_instance *i, const char *call, const char *what);

/* Checks the result of a call into the collapser. Fails the input, and reports it unless the
 * collapser did. */
void brz_drive_check(brz_drive *d, brz_instance *i, const char *call, brz_rc rc);

/* Returns the number of bytes to show at a time. */
size_t brz_drive_chunk_size(const brz_drive *d);

/* Sets *size, the number of bytes to show next: the chunk size after `used` bytes were used, twice
 * as many after none. Returns false if a record does not even fit into BRZ_RECORD_MAX: it is to be
 * skipped. */
bool brz_drive_advance_or_grow(const brz_drive *d, size_t used, size_t *size);

/* Reports a record that is skipped because it is too long. */
void brz_drive_report_long_record(brz_instance *i, const uint8_t *at);

#endif
