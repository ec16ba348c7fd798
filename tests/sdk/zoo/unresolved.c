/* SPDX-License-Identifier: MIT */
/* Calls an undefined function. */
#include "zoo.h"

brz_rc no_such_function(void);

static brz_rc call_it(brz_ctx *ctx)
{
    (void)ctx;
    return no_such_function();
}

static const brz_collapser collapser = {COLLAPSER, .open = call_it};
static const brz_component component = {COMPONENT};
ZOO_PLUGIN
