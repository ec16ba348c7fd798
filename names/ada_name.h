/* SPDX-License-Identifier: MIT */
/* Decodes symbols of GNAT, the compiler of Ada. */
#ifndef NAMES_ADA_NAME_H
#define NAMES_ADA_NAME_H

#include <brazier/base.h>

/* Returns whether a name is surely one of Ada: the path of a unit of its libraries, or the main
 * program, "_ada_main". Names of other units look like names of C with two underscores. */
bool brz_ada_may_be_encoded(brz_str name);

/* Stores the decoded name in `to`, which has room for twice the length of the name:
 * "ada__text_io__put_line__2" is ada.text_io.put_line, and if `full` is set its number stays.
 * Returns the length. Returns 0 if the name is not one of Ada. */
size_t brz_ada_decoded(brz_str name, bool full, char *to);

#endif
