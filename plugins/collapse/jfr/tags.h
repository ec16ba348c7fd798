/* Makes tags of events: their threads and labels. */
#ifndef JFR_TAGS_H
#define JFR_TAGS_H

#include "constants.h"

/* Returns the tag of an event: its thread, the state of that, and values that are names or ids. */
brz_tag tags_of(brz_ctx *ctx, chunk *c, const object *event);

#endif
