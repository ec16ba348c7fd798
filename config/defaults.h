/* SPDX-License-Identifier: MIT */
/* The shipped components that a run uses if neither the command line nor a configuration names one.
 * core takes their names from here only. */
#ifndef BRZ_DEFAULTS_H
#define BRZ_DEFAULTS_H

#define BRZ_DEFAULT_OUTPUT  "svg"
#define BRZ_DEFAULT_PALETTE "package"

/* The default first palette when profiles are compared. It has no colours for other data. */
#define BRZ_COMPARING_PALETTE "diff"

/* Replaces an unknown palette in the command lines of other tools. */
#define BRZ_SUBSTITUTE_PALETTE "hot"

#endif
