/* SPDX-License-Identifier: MIT */
/* Serialises the description of a plug-in, with which a child process reports what it loaded.
 *
 * The reader treats the bytes as untrusted, since the child has run code of the plug-in. It checks
 * counts, lengths and characters; brz_plugin_accept_description() checks the rest, as for a plug-in
 * that is loaded here.
 */
#ifndef BRZ_DESCRIPTION_H
#define BRZ_DESCRIPTION_H

#include "plugin/loader.h"
#include "profile/wire.h"

/* Writes the description of a loaded plug-in. */
void brz_description_put(brz_wire_out *out, const brz_plugin_file *file);

/* Reads a description. Returns an entry in memory of the arena, whose components have functions
 * that do nothing, or NULL after a fault of `in`. Stores brz_plugin_file.left_out. */
const brz_plugin *brz_description_take(brz_wire_in *in, brz_arena *memory, const char **left_out);

#endif
