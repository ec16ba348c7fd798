/* Demangles symbol names of OCaml. */
#ifndef BRZ_DEMANGLE_OCAML_H
#define BRZ_DEMANGLE_OCAML_H

#include <brazier/base.h>

#include "base/buf.h"

/* Returns whether a name may be a mangled one of OCaml: the path of a module, which begins with a
 * capital letter, behind "caml". Functions of its runtime, such as caml_main, have no such names.
 */
bool brz_may_be_ocaml(brz_str name);

/* Appends the demangled form of such a name: "camlStdlib__$40_197" is Stdlib.@_197. The number at
 * the end distinguishes functions with the same name. Returns false and appends nothing if it is
 * a name of another language: it has no path, or characters that symbols of OCaml lack. */
bool brz_ocaml_demangle(brz_str name, brz_buf *out);

#endif
