/* Where an output's bytes go: a file that appears whole or not at all, standard output, or a
 * function of the program.
 *
 * A file is written under another name in the same folder (draw/temporary.h) and renamed when all
 * of it is on the disk; until then an earlier file of its name is what everybody sees. Pipes and
 * devices are written directly; a reader that is gone is an error, whatever the process does about
 * SIGPIPE.
 */
#ifndef BRZ_SINK_H
#define BRZ_SINK_H

#include <brazier/output.h>

#include "base/beneath.h"
#include "base/diag.h"

typedef struct brz_file_sink brz_file_sink;

/* Opens `path`, "-" or NULL being standard output. NULL after saying what is wrong. /dev/stdout,
 * /dev/stderr and /dev/fd/N are the process's descriptors as they are: what was written to them
 * before, and will be after, stays beside it. */
brz_file_sink *brz_file_sink_open(const char *path, brz_console *console);

/* Opens a file where it may lie: by its name if `inside` has no folder, else below that folder,
 * through no link; it may replace regular files only. `name` is its name in messages. */
brz_file_sink *brz_file_sink_open_inside(const brz_inside *inside, const char *name,
                                         brz_console *console);

/* Checks, before there is anything to write, that a file can be created at a path or replaced.
 * False after saying what is wrong. Other things may still fail when the file is opened. */
bool brz_file_sink_check(const char *path, brz_console *console);

/* True if what is written to one replaces, or is mixed up with, what is written to the other. */
bool brz_is_same_place(const char *path, const char *other);

/* True if what is written to a path shows on a terminal. */
bool brz_is_terminal(const char *path);

/* Takes bytes in their order; what is not 0 fails the output. */
typedef int brz_write_fn(void *context, const void *data, size_t len);

/* A sink that gives all to a function; `name` is what it is called in messages. Never NULL. */
brz_file_sink *brz_file_sink_to(brz_write_fn *write, void *context, const char *name,
                                brz_console *console);

/* What an output writes to. */
brz_sink *brz_file_sink_sink(brz_file_sink *f);

/* All was written: flushes it to the disk. False, after saying why, if anything failed. */
bool brz_file_sink_complete(brz_file_sink *f);

/* After that: gives the file its name. */
bool brz_file_sink_commit(brz_file_sink *f);

/* Frees it; what was not committed never was. NULL is fine. */
void brz_file_sink_destroy(brz_file_sink *f);

/* What messages call it. */
const char *brz_file_sink_name(const brz_file_sink *f);

#endif
