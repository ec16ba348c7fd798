/* Counts the samples of a thread. */
#ifndef FIREFOX_SAMPLES_H
#define FIREFOX_SAMPLES_H

#include "document.h"

/* Declares the columns of all threads. */
brz_rc samples_declare(firefox *f, brz_ctx *ctx);

/* Counts the samples of a thread. */
brz_rc samples_read(firefox *f, brz_ctx *ctx, thread *t);

#endif
