/* Provides pieces of a plain file. */
#include "input/window.h"

#include <brazier/collapser.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "input/feed.h"

#define MAPPED ((size_t)4 << 20)

/* The window of this thread, for the signal handler. */
static _Thread_local brz_window *volatile current;

void brz_window_init(brz_window *w, const brz_source *source)
{
    memset(w, 0, sizeof *w);
    w->source = source;
    current = w;
}

static void unmap(brz_window *w)
{
    if (w->map != NULL)
        munmap(w->map, w->map_len);
    w->map = NULL;
}

void brz_window_finish(brz_window *w)
{
    current = NULL;
    unmap(w);
    free(w->buffer);
    memset(w, 0, sizeof *w);
}

/* Returns whether [from, to) of the file is mapped. */
static bool is_mapped(const brz_window *w, uint64_t from, uint64_t to)
{
    return w->map != NULL && from >= w->map_start && to <= w->map_start + w->map_len;
}

static bool map(brz_window *w, uint64_t from, uint64_t to)
{
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    uint64_t start = from / page * page, size = w->source->file_size;
    uint64_t end = to - start > MAPPED ? to : start + MAPPED;
    unmap(w);
    w->map_start = start;
    w->map_len = (size_t)((end < size ? end : size) - start);
    void *p = mmap(NULL, w->map_len, PROT_READ, MAP_PRIVATE, w->source->fd, (off_t)start);
    w->map = p == MAP_FAILED ? NULL : p;
    return w->map != NULL;
}

static void lose(brz_window *w, uint64_t at)
{
    w->lost_at = at;
    w->lost = 1;
}

bool brz_window_rescue(const void *address)
{
    brz_window *w = current;
    uintptr_t start = w == NULL ? 0 : (uintptr_t)w->map, at = (uintptr_t)address;
    if (start == 0 || at < start || at - start >= w->map_len)
        return false;
    size_t page = (size_t)sysconf(_SC_PAGESIZE), offset = (at - start) / page * page;
    void *zeros = mmap(w->map + offset, w->map_len - offset, PROT_READ,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    lose(w, w->map_start + offset);
    return zeros != MAP_FAILED;
}

/* Notes that the file has lost its last byte. If a file ends within a mapped page, the rest of the
 * page is zeros, and reading them raises no signal. */
static void check_end(brz_window *w)
{
    char byte;
    uint64_t at = w->source->file_size - 1;
    if (!w->lost && w->map != NULL && pread(w->source->fd, &byte, 1, (off_t)at) == 0)
        lose(w, at);
}

const char *brz_window_problem(brz_window *w)
{
    char byte;
    check_end(w);
    if (w->lost && w->error == 0 && pread(w->source->fd, &byte, 1, (off_t)w->lost_at) < 0)
        w->error = errno;
    if (w->error != 0)
        return strerror(w->error);
    return w->lost ? BRZ_BECAME_SHORTER : NULL;
}

/* Reads a piece into the buffer, which has its own slack. */
static const uint8_t *read_piece(brz_window *w, uint64_t at, size_t *n)
{
    size_t have = 0;
    if (w->buffer_cap < *n) {
        free(w->buffer);
        w->buffer_cap = *n;
        w->buffer = brz_slack_buffer(w->buffer_cap);
    }
    while (have < *n) {
        ssize_t got =
            pread(w->source->fd, w->buffer + BRZ_SLACK_FRONT + have, *n - have, (off_t)(at + have));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            w->error = errno;
        if (got == 0 && at + have < w->source->file_size)
            lose(w, at + have);
        if (got <= 0)
            break;
        have += (size_t)got;
    }
    *n = have;
    return w->buffer + BRZ_SLACK_FRONT;
}

const uint8_t *brz_window_at(brz_window *w, uint64_t offset, size_t *n)
{
    uint64_t at = w->source->file_start + offset;
    uint64_t to = at + *n + BRZ_SLACK_BACK;
    if (at < BRZ_SLACK_FRONT || to > w->source->file_size)
        return read_piece(w, at, n);
    if (!is_mapped(w, at - BRZ_SLACK_FRONT, to) &&
        (w->source->no_map || !map(w, at - BRZ_SLACK_FRONT, to)))
        return read_piece(w, at, n);
    return w->map + (at - w->map_start);
}
