/* Holds back the first bytes of an output until it is certain that they are right. */
#ifndef BRZ_HELD_SINK_H
#define BRZ_HELD_SINK_H

#include <brazier/output.h>

#include "base/buf.h"

typedef struct brz_held_sink {
    brz_sink sink; /* must be first: to write to */
    brz_buf held;
    size_t most;  /* maximum number of bytes that are held back */
    brz_sink *to; /* NULL: they are held back */
    /* Makes certain that the bytes are right when there are more than `most`. Returns the sink that
     * receives all bytes, or NULL if none may. */
    brz_sink *(*release)(void *context);
    void *context;
} brz_held_sink;

/* Prepares a sink. The caller calls brz_held_sink_finish(). */
void brz_held_sink_init(brz_held_sink *s, size_t most, brz_sink *(*release)(void *), void *context);

/* Writes the bytes that are held back to a sink, which receives later ones, too. Returns false if
 * that fails. */
bool brz_held_sink_release(brz_held_sink *s, brz_sink *to);

/* Frees the bytes that are held back. */
void brz_held_sink_finish(brz_held_sink *s);

#endif
