/* SPDX-License-Identifier: MIT */
/* Defines the output "samples-jsonl": the samples of the input. The host collects them one by one,
 * which takes longer. */
#include "../../common/shipped.h"
#include "jsonl_options.h"

static brz_rc write_rows(brz_output_ctx *ctx, const brz_tree *tree, brz_sink *sink)
{
    return rows_write_samples(&rows_jsonl, ctx, tree, sink);
}

static const char *const endings[] = {"samples.jsonl", "samples.ndjson", NULL};

SHIPPED_WRITER(write_rows, "application/x-ndjson",
               BRZ_OUTPUT_STACKS | BRZ_OUTPUT_FUNCTIONS | BRZ_OUTPUT_TIME)

SHIPPED_PLUGIN("samples-jsonl", BRZ_OUTPUT, &output,
               .summary = "an object per sample with its time, thread and labels, as lines of JSON",
               BRZ_OPTIONS(options, rows_options))
