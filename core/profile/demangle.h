/* Names as programmers wrote them, from the names that compilers gave to linkers. */
#ifndef BRZ_DEMANGLE_H
#define BRZ_DEMANGLE_H

#include <brazier/base.h>

#include "base/buf.h"

typedef enum brz_demangle_mode {
    BRZ_DEMANGLE_AUTO, /* names alone: no parameters, no hashes */
    BRZ_DEMANGLE_FULL, /* all that is known */
    BRZ_DEMANGLE_NONE,
} brz_demangle_mode;

/* The mode of that name; false, with the names there are added to `error`, if there is none. */
bool brz_demangle_mode_of(brz_str word, brz_demangle_mode *mode, brz_buf *error);

/* True if a name may be a mangled one: Rust (legacy and v0) or C++ (Itanium), perhaps behind
 * "module`" and in front of "@plt" or an annotation such as _[k]. Quick, and never false for one
 * that brz_demangle changes. */
bool brz_may_be_mangled(brz_str name);

/* Appends the demangled name, with what stands around it. False, with nothing appended, if the name
 * is none that is mangled, if its demangled form would be unreasonably long, or if this program was
 * built without a demangler. */
bool brz_demangle(brz_str name, brz_demangle_mode mode, brz_buf *out);

#endif
