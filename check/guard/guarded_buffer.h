/* SPDX-License-Identifier: MIT */
/* Guarded memory for plug-ins: they can read the bytes and the promised slack around them, but
 * cannot write, and cannot access anything else. */
#ifndef BRZ_CHECK_GUARDED_BUFFER_H
#define BRZ_CHECK_GUARDED_BUFFER_H

#include "crash_record.h"

/* Pages that a buffer needs, in two places. */
typedef struct check_guarded_pages {
    uint8_t *map;
    size_t map_len;
    uint8_t *start, *end; /* the accessible pages */
    uint8_t *written;     /* the same pages, to write to them */
} check_guarded_pages;

/* Number of pages kept for later buffers: one for each thread of a test, and some. */
#define CHECK_SPARE_PAGES 16

/* Pages of buffers that are no longer used. They are inaccessible, but need not be mapped again,
 * which takes longer than to run a collapser on a short input. */
typedef struct check_guarded_pool {
    check_crash_record *crash_record;
    check_guarded_pages *_Atomic spare[CHECK_SPARE_PAGES];
} check_guarded_pool;

/* Unmaps the spare pages. */
void check_guarded_pool_finish(check_guarded_pool *pool);

typedef struct check_guarded_buffer {
    check_guarded_pool *pool;
    check_guarded_pages *pages;
    size_t area;
    unsigned clause; /* violated by writes to it */
    uint8_t *shown;  /* bytes shown at present */
    size_t shown_len;
} check_guarded_buffer;

/* Initialises a buffer for chunks of an input or, with the clause that writes to it violate, for
 * others. */
void check_guarded_buffer_init(check_guarded_buffer *g, check_guarded_pool *pool);
void check_guarded_buffer_init_for(check_guarded_buffer *g, check_guarded_pool *pool,
                                   unsigned clause);
void check_guarded_buffer_finish(check_guarded_buffer *g);

/* Shows a copy of n bytes until the next call and fills the memory around it with `slack`.
 * `at_front` places it next to the page before it; otherwise it is next to the page after it. */
const uint8_t *check_guarded_buffer_set(check_guarded_buffer *g, const uint8_t *data, size_t n,
                                        uint8_t slack, bool at_front);

/* Overwrites the bytes shown. */
void check_guarded_buffer_overwrite(check_guarded_buffer *g);

#endif
