/* Makes frames of the rows of frame tables. */
#ifndef FIREFOX_FRAME_H
#define FIREFOX_FRAME_H

#include "document.h"

/* Returns the frame of a row of the frame table that a thread uses, or BRZ_NO_FRAME if there is no
 * such row. */
brz_frame frame_of(firefox *f, brz_ctx *ctx, thread *t, int64_t row);

#endif
