/* SPDX-License-Identifier: MIT */
/* Defines the output "jsonl". */
#include "../../common/shipped.h"
#include "jsonl_options.h"

static brz_rc write_rows(brz_output_ctx *ctx, const brz_tree *tree, brz_sink *sink)
{
    return rows_write_stacks(&rows_jsonl, ctx, tree, sink);
}

static const char *const endings[] = {"jsonl", "ndjson", NULL};

SHIPPED_WRITER(write_rows, "application/x-ndjson", BRZ_OUTPUT_STACKS | BRZ_OUTPUT_FUNCTIONS)

SHIPPED_PLUGIN("jsonl", BRZ_OUTPUT, &output,
               .summary = "an object per distinct stack with every weight, as lines of JSON",
               BRZ_OPTIONS(options, rows_options))
