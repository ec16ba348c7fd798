/* SPDX-License-Identifier: MIT */
/* Provides the decoded bytes of an input: a file, a pipe, standard input or memory of the program.
 *
 * Gzip and zstd data is recognised by its first bytes and decompressed on a separate thread. Of
 * text, a byte order mark is removed, and UTF-16 is converted to UTF-8. A source whose format is
 * not known yet is decoded as text and returns to its beginning if the format turns out to be
 * binary.
 */
#ifndef BRZ_SOURCE_H
#define BRZ_SOURCE_H

#include "input/stream.h"

/* The decoding of the bytes of an input. */
typedef enum brz_decoding {
    BRZ_DECODE_TEXT,    /* decompress, remove a byte order mark, convert UTF-16 */
    BRZ_DECODE_BINARY,  /* decompress */
    BRZ_DECODE_NOTHING, /* nothing */
    BRZ_DECODE_UNKNOWN, /* as text, until brz_source_settle() */
} brz_decoding;

/* Maximum number of bytes that sniffers receive. */
#define BRZ_HEAD_SIZE ((size_t)64 << 10)

/* Returns the compression of data by its first bytes. */
brz_packing brz_packing_of(const uint8_t *data, size_t n);

/* Returns the compression that the last ending of a file's name says. Sets *n to the length of the
 * name in front of it. */
brz_packing brz_packing_of_name(const char *file, size_t *n);

/* The first bytes of an input, with slack around them. */
typedef struct brz_source_head {
    uint8_t *memory; /* begins with the slack; NULL: none */
    size_t n;        /* number of bytes, at most BRZ_HEAD_SIZE */
    bool whole;      /* there are no more */
    bool ended;      /* the stream has ended, without an error */
} brz_source_head;

typedef struct brz_source {
    char *name;         /* name in messages: the path, or "stdin" */
    brz_stream *stream; /* all decoded bytes */
    brz_stream *file;   /* the lowest stream, whose `taken` measures progress */
    uint64_t file_size; /* size in bytes; 0: unknown */
    int fd;             /* its bytes from file_start on are the decoded ones; -1: none */
    uint64_t file_start;
    brz_decoding decoding;
    brz_stream *encoded;    /* stream of the undecoded bytes */
    int plain;              /* descriptor of a regular file at its beginning; -1: none */
    brz_source_head raw;    /* undecoded bytes */
    brz_source_head binary; /* decompressed bytes, if text differs from them */
    bool wide;              /* the input is UTF-16 */
    bool no_map; /* the file must be read, not mapped, which avoids SIGBUS if it is truncated */
} brz_source;

/* An input that was opened, but not read yet. */
typedef struct brz_found {
    const char *name; /* the path, or "stdin" */
    int fd;           /* -1: none */
    bool whole;       /* a regular file, positioned at its beginning */
    uint64_t size;    /* size of a regular file; 0: unknown */
} brz_found;

/* Returns whether an input is a folder with a file `data` in it, which stands for the folder, as in
 * recordings of several files. Sets `file` to the path of that file. */
bool brz_source_in_folder(const char *path, brz_buf *file);

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

/* Returns the decoding for a collapser with these flags (BRZ_RAW, BRZ_BINARY). */
brz_decoding brz_decoding_of(uint32_t flags);

/* Creates a source that reads an opened input and owns its descriptor. */
brz_source *brz_source_read(const brz_found *found, brz_decoding decoding);

/* Opens and reads an input. Returns NULL and appends the problem to `error` if that fails. */
brz_source *brz_source_open(const char *path, brz_decoding decoding, brz_buf *error);

/* Creates a source that reads and owns a stream. `size` is its size in bytes, or 0 if unknown. */
brz_source *brz_source_of_stream(const char *name, brz_stream *stream, uint64_t size,
                                 brz_decoding decoding);

/* Sets the decoding of a source that was created with BRZ_DECODE_UNKNOWN. Returns true if the
 * source has returned to its beginning, so that bytes which were read from it are invalid. */
bool brz_source_settle(brz_source *s, brz_decoding decoding);

/* The message for a file that shrank after it was opened. */
#define BRZ_BECAME_SHORTER "it became shorter while it was read"

/* Destroys a source and closes its descriptor or stream. NULL is allowed. */
void brz_source_close(brz_source *s);

/* Returns the number of newlines in `n` decoded bytes at an offset, or fewer if they cannot be
 * read; the source must have a descriptor. Stores the offset after the last newline in *line_start,
 * if there is one. */
uint64_t brz_source_count_lines(const brz_source *s, uint64_t from, uint64_t n,
                                uint64_t *line_start);

/* Returns the number of decoded bytes, or 0 if it is not known beforehand. */
uint64_t brz_source_size(const brz_source *s);

/* Returns the last component of the path, to which file name patterns apply. */
brz_str brz_source_file_name(const brz_source *s);

#endif
