/* SPDX-License-Identifier: MIT */
/* Builds chains of palettes from names and configurations. */
#ifndef BRZ_PALETTE_CHAIN_BUILD_H
#define BRZ_PALETTE_CHAIN_BUILD_H

#include "draw/palette_chain.h"
#include "config/resolve.h"

/* Appends the palettes that a configuration's node describes: a name, {use: NAME, options: ...,
 * only: ..., background: ...}, or a list of these. Returns false after reporting an error; palettes
 * appended before stay. */
bool brz_chain_add(const brz_resolver *r, const brz_yaml *node, brz_chain *chain);

/* Appends the palettes that a name stands for: a palette of the configuration, or a plug-in. `at`
 * is the node that contains the name, or NULL. */
bool brz_chain_add_named(const brz_resolver *r, brz_str name, const brz_yaml *at, brz_chain *chain);

/* Appends the palettes of several names separated by commas. */
bool brz_chain_add_names(const brz_resolver *r, const char *names, brz_chain *chain);

/* Appends the default palettes: the configuration's palette "default", or
 * BRZ_DEFAULT_PALETTE. */
bool brz_chain_add_default(const brz_resolver *r, brz_chain *chain);

/* Appends the default palettes of comparisons: BRZ_COMPARING_PALETTE, then those. */
bool brz_chain_add_comparing(const brz_resolver *r, brz_chain *chain);

#endif
