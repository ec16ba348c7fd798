/* Whether a palette takes the options that it was given, told before an input is read. */
#ifndef BRZ_PALETTE_CHECK_H
#define BRZ_PALETTE_CHECK_H

#include "base/buf.h"
#include "plugin/component_use.h"

/* Has the palette prepare for a picture of one frame, unless nobody set an option of it. If it does
 * not, returns false, and adds what it says is wrong to `error`. */
bool brz_palette_check_options(const brz_use *use, brz_buf *error);

#endif
