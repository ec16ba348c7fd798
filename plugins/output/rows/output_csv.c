/* SPDX-License-Identifier: MIT */
/* Defines the output "csv". */
#include "../../common/shipped.h"
#include "csv_options.h"

static brz_rc write_rows(brz_output_ctx *ctx, const brz_tree *tree, brz_sink *sink)
{
    return rows_write_stacks(&rows_csv, ctx, tree, sink);
}

static const char *const endings[] = {"csv", NULL};

SHIPPED_WRITER(write_rows, "text/csv", BRZ_OUTPUT_STACKS | BRZ_OUTPUT_FUNCTIONS)

SHIPPED_PLUGIN("csv", BRZ_OUTPUT, &output,
               .summary = "a row per distinct stack with every weight, as comma-separated values",
               BRZ_OPTIONS(options, rows_options))
