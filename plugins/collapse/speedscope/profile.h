/* Counts the samples and events of profiles. */
#ifndef SPEEDSCOPE_PROFILE_H
#define SPEEDSCOPE_PROFILE_H

#include "file.h"

brz_rc profile_read(speedscope *s, brz_ctx *ctx, const outline *o);

#endif
