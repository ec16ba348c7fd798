/* SPDX-License-Identifier: MIT */
/* Reads a recording while it is made, so that its file stays small.
 *
 * The file is a queue: the recorder appends to it, and a thread passes it on through a pipe and
 * frees what it has read. A short recording stays in the file, and is read at its end: the reader
 * begins when the file has CLI_LIVE_SIZE bytes. So most recordings do not contain the work of their
 * reader. It begins earlier if the file system has less room than the file has bytes.
 */
#ifndef CLI_LIVE_READER_H
#define CLI_LIVE_READER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

/* Size of a file in bytes from which on it is read. */
#define CLI_LIVE_SIZE (64 << 20)

/* Reads an input up to its end; the descriptor belongs to the caller. Returns an exit status. */
typedef int cli_live_read(void *context, int input);

typedef struct cli_live_reader {
    int file;
    cli_live_read *read;
    void *context;
    pthread_t thread;
    bool is_started;
    atomic_bool is_complete; /* nothing will be added to the file */
    bool has_read;
    int status;
    int error; /* why the rest of the file could not be read, as errno; 0: it could */
} cli_live_reader;

/* Starts a thread that waits for the file to grow. `read` is called on it, at most once. Without a
 * thread, the file is never read here. */
void cli_live_reader_start(cli_live_reader *l, int file, cli_live_read *read, void *context);

/* Says that the file is complete, and waits until it is read if that has begun. Sets *status to the
 * result. Returns false if the file is still to be read. */
bool cli_live_reader_end(cli_live_reader *l, int *status);

#endif
