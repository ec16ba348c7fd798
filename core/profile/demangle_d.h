/* Demangles symbol names of D. */
#ifndef BRZ_DEMANGLE_D_H
#define BRZ_DEMANGLE_D_H

#include <brazier/base.h>

#include "base/buf.h"

/* Returns whether a name may be a mangled one of D: the length of a name follows "_D". */
bool brz_may_be_d(brz_str name);

/* Appends the demangled form of such a name, with the parameters of functions if wanted. Returns
 * false and appends nothing if it is no mangled name, if its demangled form may be unreasonably
 * long, or if this program was built without a demangler. */
bool brz_d_demangle(brz_str name, bool has_parameters, brz_buf *out);

#endif
