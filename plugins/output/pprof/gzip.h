/* A compressing sink: passes the bytes written to it on to another sink as gzip.
 *
 * The header contains neither time nor name, so equal input produces equal files.
 */
#ifndef PPROF_GZIP_H
#define PPROF_GZIP_H

#include <brazier/plugin.h>
#include <zlib.h>

typedef struct gzip {
    brz_sink base; /* first: the sink to write to */
    brz_sink *to;
    z_stream stream;
    brz_rc rc; /* the first error, or BRZ_OK */
} gzip;

/* The host gives the memory, and ends the program if it has none. */
void gzip_init(gzip *g, brz_output_ctx *ctx, brz_sink *to);

/* Writes the remaining bytes. Returns the first error, or BRZ_OK. */
brz_rc gzip_finish(gzip *g);

#endif
