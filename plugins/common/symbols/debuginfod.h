/* SPDX-License-Identifier: MIT */
/* Fetches files by their build ids from servers of debugging information. Loads libdebuginfod for
 * that when the first file is needed. The servers are those of DEBUGINFOD_URLS; files that are
 * fetched stay in the library's cache. */
#ifndef SYMBOLS_DEBUGINFOD_H
#define SYMBOLS_DEBUGINFOD_H

#include <brazier/host.h>
#include <brazier/text/buffer.h>

/* Kinds of files. */
enum debuginfod_kind { DEBUGINFOD_PROGRAM, DEBUGINFOD_DEBUG };

typedef struct debuginfod {
    brz_ctx *ctx;
    void *client; /* NULL: not connected */
    const struct debuginfod_calls *calls;
    bool is_opened;      /* the library was looked for */
    const char *failure; /* reason for sending no requests, static text; NULL: they are sent */
    uint64_t asked, found;
    uint32_t failed; /* requests in sequence that no server answered */
} debuginfod;

/* Fetches a file, and sets `path` to its place. Returns false if no server has it. */
bool debuginfod_fetch(debuginfod *d, enum debuginfod_kind kind, const uint8_t *id, size_t len,
                      brz_text *path);

/* Ends the connection; a zeroed one is allowed. */
void debuginfod_close(debuginfod *d);

#endif
