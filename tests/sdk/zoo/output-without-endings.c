/* SPDX-License-Identifier: MIT */
/* An output without file endings, which the user names. */
#include "zoo.h"

static brz_rc write_nothing(brz_output_ctx *ctx, const brz_tree *tree, brz_sink *sink)
{
    (void)ctx;
    (void)tree;
    (void)sink;
    return BRZ_OK;
}

static const brz_output output = {.struct_size = sizeof output, .write = write_nothing};
static const brz_component component = {COMPONENT_OF(BRZ_OUTPUT, &output)};
ZOO_PLUGIN
