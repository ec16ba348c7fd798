/* SPDX-License-Identifier: MIT */
/* Reads a recording while it is made. */
#include "live_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/scratch.h"
#include "base/thread.h"
#include "base/write_all.h"
#include "record/request.h"

/* Time between two checks of the file. */
#define INTERVAL_MS 50

/* Number of bytes that are passed on at a time. */
#define PIECE ((size_t)1 << 18)

static void wait_a_little(void)
{
    const struct timespec t = {.tv_nsec = INTERVAL_MS * 1000000L};
    nanosleep(&t, NULL);
}

/* ---- passing on ------------------------------------------------------------------------------ */

/* The way from the file to the reader. */
typedef struct feeder {
    cli_live_reader *reader;
    int to;         /* end of the pipe */
    uint64_t at;    /* offset of the next byte */
    uint64_t freed; /* offset up to which the file is freed */
    bool is_unread; /* the reader has ended: new bytes are only freed */
} feeder;

/* Passes a piece on. Returns false at the end. The recording goes on without a reader, for the sake
 * of its command, but its file does not grow. */
static bool pass_on(feeder *f, uint8_t *piece)
{
    bool is_complete = atomic_load(&f->reader->is_complete);
    ssize_t n = pread(f->reader->file, piece, PIECE, (off_t)f->at);
    if (n < 0 && errno == EINTR)
        return true;
    if (n < 0) {
        f->reader->error = errno;
        return false;
    }
    if (n == 0) {
        if (!is_complete)
            wait_a_little();
        return !is_complete;
    }
    f->at += (size_t)n;
    brz_scratch_free_before(f->reader->file, &f->freed, f->at);
    f->is_unread = f->is_unread || !brz_write_all(f->to, piece, (size_t)n);
    return true;
}

static void *feed(void *context)
{
    feeder *f = context;
    uint8_t *piece = brz_malloc(PIECE);
    while (pass_on(f, piece))
        continue;
    close(f->to);
    free(piece);
    return NULL;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Returns whether the file system has less room than the file needs already. */
static bool has_little_room(const cli_live_reader *l, uint64_t size)
{
    struct statvfs fs;
    return size >= BRZ_READ_ALONG_LEAST && fstatvfs(l->file, &fs) == 0 &&
           (uint64_t)fs.f_bavail * fs.f_frsize < size;
}

/* Returns whether the file is to be read now. */
static bool is_due(const cli_live_reader *l)
{
    struct stat st;
    return fstat(l->file, &st) == 0 &&
           (st.st_size >= CLI_LIVE_SIZE || has_little_room(l, (uint64_t)st.st_size));
}

/* Waits until the file is to be read. Returns false if it is complete before. */
static bool await_size(const cli_live_reader *l)
{
    while (!atomic_load(&l->is_complete)) {
        if (is_due(l))
            return true;
        wait_a_little();
    }
    return false;
}

/* Reads the file through a pipe. Returns false if there are no pipes or threads. */
static bool read_along(cli_live_reader *l)
{
    int ends[2];
    pthread_t thread;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    feeder f = {.reader = l, .to = ends[1]};
    if (!brz_thread_start(&thread, feed, &f)) {
        close(ends[0]);
        close(ends[1]);
        return false;
    }
    l->status = l->read(l->context, ends[0]);
    close(ends[0]); /* tells the feeder if the reader has not read everything */
    pthread_join(thread, NULL);
    return true;
}

static void *run(void *context)
{
    cli_live_reader *l = context;
    l->has_read = await_size(l) && read_along(l);
    return NULL;
}

void cli_live_reader_start(cli_live_reader *l, int file, cli_live_read *read, void *context)
{
    l->file = file;
    l->read = read;
    l->context = context;
    l->is_started = brz_thread_start(&l->thread, run, l);
}

bool cli_live_reader_end(cli_live_reader *l, int *status)
{
    if (!l->is_started)
        return false;
    atomic_store(&l->is_complete, true);
    pthread_join(l->thread, NULL);
    l->is_started = false;
    *status = l->status;
    return l->has_read;
}
