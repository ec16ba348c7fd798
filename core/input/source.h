/* Provides the decoded bytes of an input: a file, a pipe, standard input or memory of the program.
 *
 * Gzip and zstd data is recognised by its first bytes and decompressed on a separate thread. A byte
 * order mark is removed, and UTF-16 is converted to UTF-8.
 */
#ifndef BRZ_SOURCE_H
#define BRZ_SOURCE_H

#include "input/stream.h"

typedef struct brz_source {
    char *name;         /* name in messages: the path, or "stdin" */
    brz_stream *stream; /* all decoded bytes */
    brz_stream *file;   /* the lowest stream, whose `taken` measures progress */
    uint64_t file_size; /* size in bytes; 0: unknown */
    int fd;             /* -1, or the decoded bytes are the file's from file_start: use pread() */
    uint64_t file_start;
    bool wide;   /* the input is UTF-16 */
    bool no_map; /* the file must be read, not mapped, which avoids SIGBUS if it is truncated */
} brz_source;

/* An input that was opened, but not read yet. */
typedef struct brz_found {
    const char *name; /* the path, or "stdin" */
    int fd;           /* -1: none */
    bool whole;       /* a regular file, positioned at its beginning */
    uint64_t size;    /* size of a regular file; 0: unknown */
} brz_found;

/* Checks that a file exists and is readable, without opening it. Returns false and appends the
 * problem to `error` if not. */
bool brz_source_check(const char *path, brz_buf *error);

/* Opens `path`, which must outlive `found`; "-" or NULL is standard input. Returns false and
 * appends the problem to `error` if that fails. */
bool brz_source_find(const char *path, brz_found *found, brz_buf *error);

/* Does the same for a file that is already open and at its beginning. */
void brz_source_found(const char *path, int fd, brz_found *found);

/* Closes an input that is not, or no longer, read by this process. */
void brz_found_close(const brz_found *found);

/* Creates a source that reads an opened input and owns its descriptor. `raw` disables decompression
 * and conversion. */
brz_source *brz_source_read(const brz_found *found, bool raw);

/* Opens and reads an input. Returns NULL and appends the problem to `error` if that fails. */
brz_source *brz_source_open(const char *path, bool raw, brz_buf *error);

/* Creates a source that reads and owns a stream. `size` is its size in bytes, or 0 if unknown. */
brz_source *brz_source_of_stream(const char *name, brz_stream *stream, uint64_t size, bool raw);

/* The message for a file that shrank after it was opened. */
#define BRZ_BECAME_SHORTER "it became shorter while it was read"

/* Destroys a source and closes its descriptor or stream. NULL is allowed. */
void brz_source_close(brz_source *s);

/* Returns the number of newlines in `n` decoded bytes at an offset, or fewer if they cannot be
 * read; the source must have a descriptor. Stores the offset after the last newline in *line_start,
 * if there is one. */
uint64_t brz_source_count_lines(const brz_source *s, uint64_t from, uint64_t n,
                                uint64_t *line_start);

/* Returns the last component of the path, to which file name patterns apply. */
brz_str brz_source_file_name(const brz_source *s);

#endif
