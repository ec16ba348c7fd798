/* SPDX-License-Identifier: MIT */
/* Demangles the names of frames, as the user wants it. */
#ifndef BRZ_DEMANGLE_H
#define BRZ_DEMANGLE_H

#include "names/mangled.h"

#include "base/buf.h"

typedef enum brz_demangle_mode {
    BRZ_DEMANGLE_AUTO, /* names without parameters and hashes */
    BRZ_DEMANGLE_FULL, /* all available details */
    BRZ_DEMANGLE_NONE,
} brz_demangle_mode;

/* Parses a mode. Returns false and appends a message with the valid words to `error` if there is no
 * such mode. */
bool brz_demangle_mode_of(brz_str word, brz_demangle_mode *mode, brz_buf *error);

/* Returns the word of a mode. */
const char *brz_demangle_mode_name(brz_demangle_mode mode);

/* Appends the demangled name, together with the text around it. Returns false and appends nothing
 * if the name is not mangled, if its demangled form is unreasonably long, or if this program was
 * built without a demangler. */
bool brz_demangle(brz_str name, brz_demangle_mode mode, brz_buf *out);

#endif
