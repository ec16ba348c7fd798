/* SPDX-License-Identifier: MIT */
/* Checks a component of a plug-in and copies its structs in the sizes of this host.
 *
 * A plug-in may be older or newer than this host, so its structs may be shorter or longer than the
 * host's. The rest of the host uses only the copies. Members that the plug-in lacks are zero in
 * them, and members that the host does not know are omitted.
 */
#ifndef BRZ_COMPONENT_COPY_H
#define BRZ_COMPONENT_COPY_H

#include "base/arena.h"
#include "base/buf.h"
#include "plugin/loaded.h"

/* Returns "collapser", "palette", "output" or "transform". */
const char *brz_component_kind_name(uint32_t kind);

/* Returns whether the struct has the members that the host needs. Reads only its size. */
bool brz_component_is_whole(const brz_component *theirs);

/* Returns the size of these members. */
size_t brz_component_least(void);

/* Returns the size of the vtable of a known kind. */
size_t brz_vtable_size(uint32_t kind);

/* Returns whether a collapser, as copied, can recognise its format by content: it has `sniff` or
 * magics. */
bool brz_collapser_recognises(const brz_collapser *c);

/* Fills in `component` and `vtable` of `own`, in memory of the arena. The component must be whole
 * and have a known kind. Returns false and appends the reason to `error` if the component is
 * invalid. */
bool brz_component_copy(const brz_component *theirs, brz_arena *memory, brz_loaded *own,
                        brz_buf *error);

#endif
