/* SPDX-License-Identifier: MIT */
/* Splits the names of functions into packages. */
#ifndef NAMES_PACKAGE_NAME_H
#define NAMES_PACKAGE_NAME_H

#include <brazier/base.h>

/* The part of a name that is left. */
typedef struct brz_package_name {
    brz_str rest;
    size_t n;       /* bytes of `rest` before the parameters */
    bool is_dotted; /* packages end at dots, not at slashes */
} brz_package_name;

/* Begins to split a name. */
brz_package_name brz_package_name_of(brz_str name);

/* Removes the first package or class from the name and stores it in *piece. Returns false if only
 * the function is left, in `rest`.
 *
 *     java/util/ArrayList:::add     java, util, ArrayList, ::add
 *     java.util.ArrayList.add       java, util, ArrayList.add
 *     net/http.(*Server).Serve      net, http.(*Server).Serve
 *
 * Parameters are not split, nor are paths and names in brackets. Dots are separators if at least
 * two names of packages, in lower case, precede one of a class. */
bool brz_package_name_take(brz_package_name *name, brz_str *piece);

#endif
