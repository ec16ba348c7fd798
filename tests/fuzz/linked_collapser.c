/* SPDX-License-Identifier: MIT */
/* Gives collapser.c the collapser that is linked into a target. Only this file is compiled for each
 * of them. */
#include "collapser.h"

#ifndef FUZZ_FORMAT
#define FUZZ_FORMAT ""
#endif

/* The entry of the plug-in. */
extern const brz_plugin BRZ_PLUGIN_ENTRY;

const fuzz_collapser *fuzz_the_collapser(void)
{
    static const fuzz_collapser linked = {&BRZ_PLUGIN_ENTRY, FUZZ_ID, FUZZ_FORMAT};
    return &linked;
}
