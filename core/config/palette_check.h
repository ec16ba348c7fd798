/* Checks a palette's options before any input is read. */
#ifndef BRZ_PALETTE_CHECK_H
#define BRZ_PALETTE_CHECK_H

#include "base/buf.h"
#include "plugin/component_use.h"

/* Checks the options of a palette by preparing it for a picture of one frame, unless all options
 * have their defaults. Returns false and appends the reason to `error` if that fails. */
bool brz_palette_check_options(const brz_use *use, brz_buf *error);

#endif
