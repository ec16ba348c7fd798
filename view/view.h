/* The viewer as an output of a run: shows the finished call tree in the terminal until the user
 * quits.
 *
 * As an output it receives what every output does: the call tree, the colours of the run's palettes
 * and the word when to stop. It is no plug-in, since it needs the terminal's keys. */
#ifndef BRZ_VIEW_VIEW_H
#define BRZ_VIEW_VIEW_H

#include "base/buf.h"
#include "plugin/loaded.h"

/* Returns the output, or NULL if this build has no viewer. */
const brz_loaded *brz_view_output(void);

/* Checks that the viewer can use the terminal. Returns false and appends the reason to `error` if
 * not. */
bool brz_view_check(brz_buf *error);

#endif
