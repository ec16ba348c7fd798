/* SPDX-License-Identifier: MIT */
/* A list of palettes. */
#include "draw/palette_chain.h"

#include <stdlib.h>

void brz_chain_finish(brz_chain *chain)
{
    for (size_t i = 0; i < chain->n; i++) {
        brz_use_finish(&chain->items[i].use);
        brz_pattern_destroy(chain->items[i].only);
    }
    free(chain->items);
    *chain = (brz_chain){NULL, 0};
}
