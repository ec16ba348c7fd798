/* Takes over a component of a plug-in: checks it, and copies its structs in this host's sizes.
 *
 * A plug-in may be older or newer than this host, so its structs may be shorter or longer than
 * ours. In the copies, which are all that the rest of the host ever sees, what the plug-in does not
 * have is zero, and what it has more is left out.
 */
#ifndef BRZ_COMPONENT_COPY_H
#define BRZ_COMPONENT_COPY_H

#include "base/arena.h"
#include "base/buf.h"
#include "plugin/loaded.h"

/* "collapser", "palette", "output". */
const char *brz_component_kind_name(uint32_t kind);

/* Fills in `component` and `vtable` of `own`, in memory of the arena. False, with the reason added
 * to `error`, for one that cannot be used. Its kind is one that this host knows. */
bool brz_component_copy(const brz_component *theirs, brz_arena *memory, brz_loaded *own,
                        brz_buf *error);

#endif
