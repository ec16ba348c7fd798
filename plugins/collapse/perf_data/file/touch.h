/* SPDX-License-Identifier: MIT */
/* Reads from the beginnings of records in advance. */
#ifndef PERF_DATA_TOUCH_H
#define PERF_DATA_TOUCH_H

#include "../../../common/words.h"

/* Records of a mapped file. */
typedef struct touch_range {
    const uint8_t *at;    /* a record */
    const uint8_t *until; /* no record from here on is touched */
    const uint8_t *end;   /* of all records */
    uint32_t order;       /* of the bytes of integers */
} touch_range;

/* Reads from the beginnings of the records of a range, so that the system maps their pages and they
 * are in a cache. Returns where it stopped: at a record, or before one that is damaged or that the
 * end of the records cuts. */
const uint8_t *touch_records(touch_range r);

#endif
