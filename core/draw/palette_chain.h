/* SPDX-License-Identifier: MIT */
/* A list of palettes, in the order in which the host requests the colour of a frame from them. */
#ifndef BRZ_PALETTE_CHAIN_H
#define BRZ_PALETTE_CHAIN_H

#include "base/pattern.h"
#include "plugin/component_use.h"

typedef struct brz_chain_item {
    brz_use use;
    brz_pattern *only;      /* pattern of the names that the palette colours; NULL: all names */
    uint32_t background[2]; /* the user's choice; BRZ_COLOR_NONE: the palette's background */
} brz_chain_item;

typedef struct brz_chain {
    brz_chain_item *items;
    size_t n;
} brz_chain;

/* Destroys the palettes of a chain and their options. */
void brz_chain_finish(brz_chain *chain);

#endif
