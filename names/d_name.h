/* SPDX-License-Identifier: MIT */
/* Demangles symbols of D. */
#ifndef NAMES_D_NAME_H
#define NAMES_D_NAME_H

#include <brazier/base.h>

/* Returns whether a name may be a mangled one of D: it begins with "_D" and a digit. */
bool brz_d_may_be_mangled(brz_str name);

/* Maximum length of a path. */
#define BRZ_D_NAME_MAX ((size_t)4096)

/* Stores the path of a function in `to`, which has room for BRZ_D_NAME_MAX bytes more than the name
 * has: "_D3std5stdio__T7writelnTAyaZQqFNfQnZv" is std.stdio.writeln. Arguments of functions and
 * templates are left out. Returns the length. Returns 0 if the name is not one of D, or longer. */
size_t brz_d_demangled(brz_str name, char *to);

#endif
