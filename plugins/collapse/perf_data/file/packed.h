/* SPDX-License-Identifier: MIT */
/* Reads compressed records. */
#ifndef PERF_DATA_PACKED_H
#define PERF_DATA_PACKED_H

#include "walk.h"

/* Handles an unpacked record. */
typedef brz_rc packed_visit(recording *p, const record *r);

/* Unpacks a compressed record of the current stream, and visits the records in it. Reports damage,
 * and goes on after it where it can. */
brz_rc packed_take(recording *p, const record *r, packed_visit *visit);

/* Reports an unpacked record that the end of a stream cuts off. */
void packed_finish(recording *p, const stream *s);

#endif
