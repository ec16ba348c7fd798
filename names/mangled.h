/* SPDX-License-Identifier: MIT */
/* Demangles symbol names of C++, Rust, OCaml, D, Haskell and Ada. */
#ifndef NAMES_MANGLED_H
#define NAMES_MANGLED_H

#include <brazier/base.h>

/* Maximum length of a demangled name, without the text around it. */
#define BRZ_DEMANGLED_MAX ((size_t)65536)

/* Returns whether a name may be mangled: Rust (legacy and v0), C++ (Itanium), OCaml, D, Haskell
 * (GHC) or Ada (libraries of GNAT), possibly after "module`" and before "@plt" or an annotation
 * such as _[k]. Fast; never false for a name that brz_demangled() changes. */
bool brz_may_be_mangled(brz_str name);

/* Stores the demangled name, together with the text around it, in `to`, which has room for
 * name.len + BRZ_DEMANGLED_MAX bytes. Parameters and hashes are included if `full` is set. Returns
 * the length. Returns 0 if the name is not mangled, if its demangled form is unreasonably long, or
 * if this library was built without a demangler. */
size_t brz_demangled(brz_str name, bool full, char *to);

#endif
