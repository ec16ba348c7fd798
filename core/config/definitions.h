/* SPDX-License-Identifier: MIT */
/* Prepares the named definitions of a file for those of other files. */
#ifndef BRZ_DEFINITIONS_H
#define BRZ_DEFINITIONS_H

#include "base/yaml_tree.h"

/* Returns whether a key begins with "x-": its value is for anchors and other programs. */
bool brz_definition_is_extra(const brz_yaml *key);

/* Removes names that begin with "x-" from the maps of formats, palettes, pipelines and options of a
 * file. */
void brz_definitions_drop_extra(brz_yaml *root);

/* Removes the formats from a farther file that a nearer one defines, too: a definition replaces
 * another one as a whole. Either may be NULL. */
void brz_definitions_drop_replaced(const brz_yaml *nearer, brz_yaml *farther);

#endif
