/* A sink that compresses: what is written to it goes on to another sink as gzip.
 *
 * Neither a time nor a name is in it, so that equal bytes give equal files.
 */
#ifndef PPROF_GZIP_H
#define PPROF_GZIP_H

#include <brazier/plugin.h>
#include <zlib.h>

typedef struct gzip {
    brz_sink base; /* first: what is written to */
    brz_sink *to;
    z_stream stream;
    brz_rc rc; /* what went wrong first, or BRZ_OK */
} gzip;

void gzip_init(gzip *g, brz_sink *to);

/* Writes what is left, and says whether all went well. */
brz_rc gzip_finish(gzip *g);

#endif
