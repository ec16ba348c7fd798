/* A stream of bytes: a file, or what another stream's bytes decode to.
 *
 * Streams are put on top of each other; each owns the one below.
 */
#ifndef BRZ_STREAM_H
#define BRZ_STREAM_H

#include <brazier/base.h>

#include <stdatomic.h>

#include "base/buf.h"

typedef enum brz_stream_state {
    BRZ_STREAM_OPEN,
    BRZ_STREAM_END,     /* all was read */
    BRZ_STREAM_DAMAGED, /* what follows cannot be decoded: what came before is good */
    BRZ_STREAM_FAILED,  /* the system said no */
} brz_stream_state;

typedef struct brz_stream brz_stream;
struct brz_stream {
    /* Up to n bytes, at least one unless the state is no longer OPEN. n > 0. */
    size_t (*read)(brz_stream *, uint8_t *to, size_t n);
    void (*close)(brz_stream *);
    brz_stream_state state;
    brz_buf error;          /* for DAMAGED and FAILED: what is wrong, without the file's name */
    _Atomic uint64_t taken; /* bytes read from a file so far; any thread may look */
};

/* Reads until `n` bytes are there or the stream ends. */
size_t brz_stream_fill(brz_stream *s, uint8_t *to, size_t n);

/* NULL is fine. */
void brz_stream_close(brz_stream *s);

/* From a descriptor, which the stream then owns. */
brz_stream *brz_stream_of_file(int fd);

/* From memory that outlives it. */
brz_stream *brz_stream_of_memory(const void *data, size_t n);

/* Gives up to n bytes, 0 at the end, less than 0 if it cannot. One call at a time, any thread. */
typedef int64_t brz_read_fn(void *context, void *to, size_t n);

/* What a function of the program gives. */
brz_stream *brz_stream_of_function(brz_read_fn *read, void *context);

/* What gzip or zstd data decodes to; several members or frames behind each other are one. */
brz_stream *brz_stream_gunzip(brz_stream *below);
brz_stream *brz_stream_unzstd(brz_stream *below);

/* UTF-16, after its byte order mark, to UTF-8. */
brz_stream *brz_stream_utf16(brz_stream *below, bool big_endian);

/* First the `n` bytes at `head`, which were read from `below` already, then `below`. */
brz_stream *brz_stream_unread(brz_stream *below, const uint8_t *head, size_t n);

/* Reads `below` on a thread of its own, some megabytes ahead. */
brz_stream *brz_stream_ahead(brz_stream *below);

/* For those who write a stream: passes on why `below` ended. */
void brz_stream_end_like(brz_stream *s, const brz_stream *below);

#endif
