/* SPDX-License-Identifier: MIT */
/* Defines the output "samples-csv": the samples of the input. The host collects them one by one,
 * which takes longer. */
#include "../../common/shipped.h"
#include "csv_options.h"

static brz_rc write_rows(brz_output_ctx *ctx, const brz_tree *tree, brz_sink *sink)
{
    return rows_write_samples(&rows_csv, ctx, tree, sink);
}

static const char *const endings[] = {"samples.csv", NULL};

SHIPPED_WRITER(write_rows, "text/csv", BRZ_OUTPUT_STACKS | BRZ_OUTPUT_FUNCTIONS | BRZ_OUTPUT_TIME)

SHIPPED_PLUGIN(
    "samples-csv", BRZ_OUTPUT, &output,
    .summary = "a row per sample with its time, thread and labels, as comma-separated values",
    BRZ_OPTIONS(options, rows_options))
