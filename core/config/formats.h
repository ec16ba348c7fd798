/* SPDX-License-Identifier: MIT */
/* Formats that configurations define, and those shipped as YAML: the registry's source of them.
 *
 * A format of a configuration is an entry of its section `formats`, a shipped one a file in the
 * folder `formats` beside the shipped configuration. Either is read when a name or a guess needs
 * it.
 */
#ifndef BRZ_FORMATS_H
#define BRZ_FORMATS_H

#include "base/beneath.h"
#include "config/session.h"

typedef struct brz_formats brz_formats;

/* Creates the formats of a session, which must outlive them, and passes them to its registry. */
brz_formats *brz_formats_create(brz_session *s);

/* Destroys the formats; NULL is allowed. */
void brz_formats_destroy(brz_formats *f);

/* Returns the folder to which files that an input names are confined, if a configuration that was
 * found defines the format; otherwise NULL. */
const brz_beneath *brz_format_confines(const brz_loaded *l);

/* Does the same for a guess: a format that was found may take the place of its collapser. */
const brz_beneath *brz_formats_confine_guess(const brz_config *c);

/* The file in the folder of shipped formats that lists them, each with texts that its inputs
 * contain. A line has a name and those texts, each after a tab; a format without texts is never
 * guessed. */
#define BRZ_FORMATS_INDEX "formats/index"

#endif
