/* SPDX-License-Identifier: MIT */
/* Keeps the bytes of an output in a file without a name. */
#include "sorted/spool.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/read_at.h"
#include "base/scratch.h"
#include "base/write_all.h"

#define PIECE ((size_t)128 << 10)

/* Implements brz_sink. */
static brz_rc write_spool(brz_sink *sink, const void *data, size_t len)
{
    brz_spool *s = (brz_spool *)sink;
    if (!brz_write_all(s->fd, data, len))
        return BRZ_ERROR;
    s->size += len;
    return BRZ_OK;
}

bool brz_spool_init(brz_spool *s)
{
    brz_buf error = {0};
    *s = (brz_spool){.sink = {.struct_size = sizeof s->sink, .write = write_spool}};
    s->fd = brz_scratch_create(&error);
    brz_buf_finish(&error);
    return s->fd >= 0;
}

size_t brz_spool_read(const brz_spool *s, void *to, size_t n, uint64_t at)
{
    return brz_read_at(s->fd, to, n, at);
}

bool brz_spool_release(const brz_spool *s, brz_sink *to, bool *is_read)
{
    char *piece = brz_malloc(PIECE);
    bool is_good = true;
    for (uint64_t at = 0; at < s->size && is_good; at += PIECE) {
        size_t n = s->size - at < PIECE ? (size_t)(s->size - at) : PIECE;
        *is_read = brz_spool_read(s, piece, n, at) == n;
        is_good = *is_read && to->write(to, piece, n) == BRZ_OK;
    }
    free(piece);
    return is_good;
}

void brz_spool_finish(brz_spool *s)
{
    close(s->fd);
}
