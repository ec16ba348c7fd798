/* SPDX-License-Identifier: MIT */
/* Lists the plug-ins that are linked into the program.
 *
 * A static program (BRZ_STATIC of CMake) cannot load code, so it contains the shipped plug-ins.
 * They enter the registry through the same steps as loaded ones, under the names that their files
 * have elsewhere.
 */
#ifndef BRZ_BUILT_IN_H
#define BRZ_BUILT_IN_H

#include <brazier/plugin.h>

/* The note of BRZ_HINTS(). */
typedef struct brz_hints_note {
    uint32_t name_size, desc_size, type;
    char name[8];
    char hints[]; /* desc_size bytes */
} brz_hints_note;

typedef struct brz_built_in {
    const char *file; /* such as "collapse-perf.so" */
    const brz_plugin *entry;
    const brz_hints_note *hints; /* NULL: the plug-in has none */
} brz_built_in;

/* Returns the plug-ins, as an array that ends with a `file` of NULL, or NULL if the program loads
 * its plug-ins. */
const brz_built_in *brz_built_in_plugins(void);

#endif
