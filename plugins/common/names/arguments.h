/* SPDX-License-Identifier: MIT */
/* The arguments of a function in its name, as demanglers and compilers at run time print it. */
#ifndef NAMES_ARGUMENTS_H
#define NAMES_ARGUMENTS_H

#include <brazier/base.h>

/* Returns the offset of the "(" that opens the function's own arguments, or name.len. These are not
 * its arguments: those of a function around it ("f(int)::{lambda()#1}"), "(anonymous namespace)",
 * the call "operator()", types ("decltype(x)", Go's ".(*T)", Zig's "List(u8).append"), a place in
 * the source, words in the path of a script ("JS:f (native) /x.js:1:2"). */
size_t name_arguments(brz_str name);

/* Returns the name without arguments, the qualifiers after them, and blanks in front of them. */
brz_str name_without_arguments(brz_str name);

/* Returns the length of the sign of an operator, which follows the word "operator", or 0. */
size_t name_operator_length(brz_str sign);

#endif
