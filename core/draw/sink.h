/* SPDX-License-Identifier: MIT */
/* Destinations of an output's bytes: a file that appears completely or not at all, standard output,
 * or a function of the program.
 *
 * A file is written under another name in the same folder (base/temporary.h) and renamed when all
 * its data is on the disk; until then, an earlier file of that name remains visible. Pipes and
 * devices are written directly. A pipe without a reader is an error, regardless of what the process
 * does about SIGPIPE.
 */
#ifndef BRZ_SINK_H
#define BRZ_SINK_H

#include <brazier/output.h>
#include <sys/stat.h>

#include "base/beneath.h"
#include "base/diag.h"
#include "input/stream.h"

typedef struct brz_file_sink brz_file_sink;

/* Opens `path`; "-" or NULL is standard output. Returns NULL after reporting an error. /dev/stdout,
 * /dev/stderr and /dev/fd/N are the descriptors of the process, whose earlier and later contents
 * are preserved. */
brz_file_sink *brz_file_sink_open(const char *path, brz_console *console);

/* Opens a file at its location: by its name if `inside` has no folder, or else below that folder
 * without following links, where it may replace only regular files. `name` is its name in
 * messages. */
brz_file_sink *brz_file_sink_open_inside(const brz_inside *inside, const char *name,
                                         brz_console *console);

/* Returns whether an output appears as a whole at its location, as a file does: a pipe, a device
 * and a descriptor of the process receive its bytes one after the other. */
bool brz_file_sink_appears_whole(const brz_inside *inside, const char *name);

/* Checks, before there is anything to write, that a file can be created or replaced at a path; its
 * folder may be missing if `makes_folder` is set. Returns false after reporting an error. Opening
 * the file may still fail for other reasons. */
bool brz_file_sink_check(const char *path, bool makes_folder, brz_console *console);

/* Creates the missing folders on the way to a file. Opening the file reports failures. */
void brz_file_sink_make_folder(const char *path);

/* Returns whether writing to one path replaces or mixes with the data written to the other. */
bool brz_is_same_place(const char *path, const char *other);

/* Returns whether a path stands for a descriptor of the process, whose file is not replaced as a
 * whole. */
bool brz_is_descriptor(const char *path);

/* Returns a text that is the same for all paths for which brz_is_same_place() holds. Release it
 * with free(). */
char *brz_place_of(const char *path);

/* Stores the state of the file that a path leads to, as stat() does. Returns false if the path
 * leads to no file. */
bool brz_place_stat(const char *path, struct stat *st);

/* Returns whether a path leads to a terminal. */
bool brz_is_terminal(const char *path);

/* Receives the bytes of an output in order. A nonzero result fails the output. */
typedef int brz_write_fn(void *context, const void *data, size_t len);

/* Creates a sink that passes all bytes to a function; `name` is its name in messages. Never returns
 * NULL. */
brz_file_sink *brz_file_sink_to(brz_write_fn *write, void *context, const char *name,
                                brz_console *console);

/* Compresses the bytes of a sink to which nothing was written yet. */
void brz_file_sink_pack(brz_file_sink *f, brz_packing packing);

/* Returns the sink that an output writes to. */
brz_sink *brz_file_sink_sink(brz_file_sink *f);

/* Completes a sink after all bytes were written: flushes them to the disk. Returns false after
 * reporting an error if anything failed. */
bool brz_file_sink_complete(brz_file_sink *f);

/* Renames a completed file to its final name. Returns false after reporting an error. */
bool brz_file_sink_commit(brz_file_sink *f);

/* Destroys a sink; removes a file that was not committed. NULL is allowed. */
void brz_file_sink_destroy(brz_file_sink *f);

/* Returns the name of the sink in messages. */
const char *brz_file_sink_name(const brz_file_sink *f);

#endif
