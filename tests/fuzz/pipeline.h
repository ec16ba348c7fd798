/* SPDX-License-Identifier: MIT */
/* Runs of whole pipelines, from inputs in memory to folded text in memory. */
#ifndef BRZ_FUZZ_PIPELINE_H
#define BRZ_FUZZ_PIPELINE_H

#include "run/pipeline.h"

/* Runs a pipeline with shipped plug-ins and without a configuration. The request's outputs are
 * replaced by folded text, which is appended to `out`. Returns false if the run failed, for which
 * there was a message. Unless it is NULL, *other_format becomes whether the message said that the
 * input is in another format. */
bool fuzz_run(const brz_request *request, brz_buf *out, bool *other_format);

#endif
