/* Files without a name, which disappear when they are closed. */
#ifndef BRZ_SCRATCH_H
#define BRZ_SCRATCH_H

#include "base/buf.h"

/* Creates a file in $TMPDIR, or else in /var/tmp or /tmp. It disappears with the process, however
 * that ends. Returns its descriptor, or -1 after appending the reason to `error`.
 */
int brz_scratch_create(brz_buf *error);

#endif
