/* SPDX-License-Identifier: MIT */
/* The collapser that collapser.c fuzzes. */
#ifndef BRZ_FUZZ_COLLAPSER_H
#define BRZ_FUZZ_COLLAPSER_H

#include <brazier/plugin.h>

typedef struct fuzz_collapser {
    const brz_plugin *plugin;
    const char *id;     /* of the component in the plug-in */
    const char *format; /* file of the shipped format whose options it has, or an empty text */
} fuzz_collapser;

/* Returns the collapser of this program. A target of libFuzzer is linked with it
 * (linked_collapser.c); the program that replays files loads the shipped plug-in
 * (loaded_collapser.c). */
const fuzz_collapser *fuzz_the_collapser(void);

#endif
