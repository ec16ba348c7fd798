/* SPDX-License-Identifier: MIT */
/* Makes a database in a file without a name. */
#include "scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Bytes that are copied at once. */
#define PIECE (64 << 10)

/* Settings of a database that nobody else sees: a failure discards it, so it needs no journal. */
static const char settings[] = "PRAGMA journal_mode = OFF;"
                               "PRAGMA synchronous = OFF;"
                               "PRAGMA locking_mode = EXCLUSIVE;"
                               "PRAGMA cache_size = -16384;";

/* Reports a failure of the system. */
static bool fail(scratch *s, const char *what, int error)
{
    char text[PATH_MAX + 200];
    snprintf(text, sizeof text,
             "the scratch file of the database %s: %s (TMPDIR chooses its "
             "folder)",
             what, strerror(error));
    return database_refuse(&s->d, text);
}

static const char *folder_of_scratch(void)
{
    const char *folder = getenv("TMPDIR");
    return folder == NULL || folder[0] == '\0' ? "/tmp" : folder;
}

/* Creates a file; its name is removed as soon as the database is open, before anything is reported:
 * lack of memory for a message ends the program. */
static bool create(scratch *s, char path[PATH_MAX])
{
    int n = snprintf(path, PATH_MAX, "%s/brazier-XXXXXX", folder_of_scratch());
    if (n < 0 || n >= PATH_MAX)
        return fail(s, "cannot be created", ENAMETOOLONG);
    s->fd = mkostemp(path, O_CLOEXEC);
    return s->fd >= 0 || fail(s, "cannot be created", errno);
}

bool scratch_open(scratch *s, brz_output_ctx *ctx)
{
    char path[PATH_MAX];
    *s = (scratch){.d.ctx = ctx, .fd = -1};
    if (!create(s, path))
        return false;
    int rc = database_connect(&s->d, ctx, path, NULL, SQLITE_OPEN_READWRITE);
    unlink(path);
    return database_is_open(&s->d, rc) && database_run(&s->d, settings);
}

brz_rc scratch_copy(scratch *s, brz_sink *sink)
{
    char *piece = s->d.ctx->host->alloc(s->d.ctx, PIECE, 64);
    brz_rc rc = BRZ_OK;
    off_t at = 0;
    while (rc == BRZ_OK) {
        ssize_t n = pread(s->fd, piece, PIECE, at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            fail(s, "cannot be read", errno);
        if (n <= 0)
            break;
        rc = sink->write(sink, piece, (size_t)n);
        at += n;
    }
    return s->d.failed ? BRZ_ERROR : rc;
}

void scratch_close(scratch *s)
{
    database_close(&s->d);
    if (s->fd >= 0)
        close(s->fd);
}
