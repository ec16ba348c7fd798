/* SPDX-License-Identifier: MIT */
/* Collapses one input with a format to folded stacks. */
#include "fold_input.h"

#include "run/pipeline.h"

static int take_bytes(void *context, const void *data, size_t size)
{
    brz_buf_add(context, data, size);
    return 0;
}

bool brz_fold_input(const brz_session *s, const char *format, const brz_input *input,
                    const brz_fold_way *way, const brz_console *console, brz_buf *folded)
{
    brz_verdict verdict;
    brz_session own = *s;
    own.console = *console;
    brz_run run = {.console = &own.console};
    brz_request r = {.no_pipeline = true,
                     .no_standard_streams = true,
                     .allow_empty = true,
                     .from = format,
                     .threads = way->threads > 0 ? way->threads : 1,
                     .chunk_size = way->chunk_size,
                     .range_size = way->range_size,
                     .cache = -1};
    brz_request_add_input(&r, *input);
    brz_request_add_output(
        &r, (brz_output_request){
                .name = "stacks", .format = "folded", .write = take_bytes, .context = folded});
    brz_pipeline *p = brz_pipeline_create(&own, &r, &verdict);
    if (p != NULL)
        verdict = brz_pipeline_run(p, &run);
    brz_pipeline_destroy(p);
    brz_request_finish(&r);
    return verdict == BRZ_VERDICT_OK;
}
