/* SPDX-License-Identifier: MIT */
/* A file without a name, in which a database is made before its bytes go to the sink.
 *
 * SQLite writes pages in any order, and writes some of them again, but a sink takes bytes in order.
 */
#ifndef SQLITE_SCRATCH_H
#define SQLITE_SCRATCH_H

#include "database.h"

typedef struct scratch {
    database d;
    int fd; /* -1: none */
} scratch;

/* Creates the file and opens it as an empty database. Returns false after reporting an error. Close
 * it in any case. */
bool scratch_open(scratch *s, brz_output_ctx *ctx);

/* Passes the bytes of the finished database to a sink. Returns its last result. */
brz_rc scratch_copy(scratch *s, brz_sink *sink);

void scratch_close(scratch *s);

#endif
