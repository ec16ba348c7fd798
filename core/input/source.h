/* An input: a file, a pipe, standard input, or bytes of the program's, as the decoded bytes a
 * collapser reads.
 *
 * Gzip and zstd are recognised by their first bytes and undone on a thread of their own; a byte
 * order mark is dropped, UTF-16 becomes UTF-8.
 */
#ifndef BRZ_SOURCE_H
#define BRZ_SOURCE_H

#include "input/stream.h"

typedef struct brz_source {
    char *name;         /* as the user knows it: the path, or "stdin" */
    brz_stream *stream; /* the decoded bytes, from the first one */
    brz_stream *file;   /* the lowest stream, of which `taken` tells the progress */
    uint64_t file_size; /* 0: not known */
    int fd;             /* >= 0: decoded bytes are the file's, from file_start: pread may be used */
    uint64_t file_start;
    bool wide;   /* it was UTF-16 */
    bool no_map; /* the file is read, not mapped: no SIGBUS if somebody truncates it */
} brz_source;

/* An input that was found, and of which nothing was read. */
typedef struct brz_found {
    const char *name; /* the path, or "stdin" */
    int fd;           /* -1: there is none */
    bool whole;       /* a regular file, from its beginning */
    uint64_t size;    /* of a regular file; 0: not known */
} brz_found;

/* Checks that a file is there, without opening it. On failure returns false and adds what is wrong
 * to `error`. */
bool brz_source_check(const char *path, brz_buf *error);

/* Opens `path`, which outlives it, "-" or NULL being standard input. On failure returns false and
 * adds what is wrong to `error`. */
bool brz_source_find(const char *path, brz_found *found, brz_buf *error);

/* The same for a file that is open already, at its beginning. */
void brz_source_found(const char *path, int fd, brz_found *found);

/* Closes one that is not, or no longer, read here. */
void brz_found_close(const brz_found *found);

/* Reads what was found, whose descriptor the source then owns. `raw` leaves compression and
 * encoding alone. */
brz_source *brz_source_read(const brz_found *found, bool raw);

/* Both. */
brz_source *brz_source_open(const char *path, bool raw, brz_buf *error);

/* The same of a stream, which the source then owns, whose name is `name` and of which `size` bytes
 * are known to be there (0: it is not known how many). */
brz_source *brz_source_of_stream(const char *name, brz_stream *stream, uint64_t size, bool raw);

/* The words for a file that has fewer bytes than it had when it was opened. */
#define BRZ_BECAME_SHORTER "it became shorter while it was read"

/* Closes it with its descriptor or stream. NULL is fine. */
void brz_source_close(brz_source *s);

/* How many newlines there are in `n` decoded bytes from an offset, of a source with a descriptor;
 * fewer if they cannot be read. If there is one, *line_start becomes what is behind the last one.
 */
uint64_t brz_source_count_lines(const brz_source *s, uint64_t from, uint64_t n,
                                uint64_t *line_start);

/* The path's last part, which file name patterns look at. */
brz_str brz_source_file_name(const brz_source *s);

#endif
