/* Makes frames of the names of events. */
#ifndef CHROME_NAMES_H
#define CHROME_NAMES_H

#include "trace.h"

/* Returns the number of a name, or NO_NAME if it is not a text. */
uint32_t name_of(trace *t, brz_ctx *ctx, const brz_json_token *name);

/* Returns the frame of an event, whose name has a number. */
brz_frame name_frame(trace *t, brz_ctx *ctx, const brz_json_token *parts, uint32_t name);

/* Returns a line or column, which may be written as text; 0 if it is neither. */
uint32_t name_position(const brz_json_token *t);

#endif
