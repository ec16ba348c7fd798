/* SPDX-License-Identifier: MIT */
/* A component together with its options in a run. */
#ifndef BRZ_COMPONENT_USE_H
#define BRZ_COMPONENT_USE_H

#include "plugin/loaded.h"
#include "plugin/options.h"

typedef struct brz_use {
    const brz_loaded *loaded;
    brz_options *options;
} brz_use;

/* Receives a fault of a configuration: the place that set the option ("FILE:LINE" or the word of
 * the command line; empty for the default), the option, the index of the item in a list or 0, and
 * one line that says what is wrong. */
typedef void brz_use_fault(void *to, brz_str origin, const char *option, uint64_t item,
                           brz_str msg);

/* Lets the component check its options. Returns true if it found no fault. */
bool brz_use_validate(const brz_use *use, brz_use_fault *fault, void *to);

/* Lets the collapser of a format report what is probably a mistake in its options. */
void brz_use_doubt(const brz_use *use, brz_use_fault *doubt, void *to);

/* Does the same as brz_use_validate() for a component that was described and is now loaded in a
 * child process, whose parent could not let it check its options. Does nothing for others. */
bool brz_use_validate_isolated(const brz_use *use, brz_use_fault *fault, void *to);

/* Destroys the options. */
void brz_use_finish(brz_use *use);

#endif
