/* SPDX-License-Identifier: MIT */
/* Finds pipelines of the configuration by name. */
#ifndef BRZ_NAMED_PIPELINE_H
#define BRZ_NAMED_PIPELINE_H

#include "base/suggest.h"
#include "config/session.h"
#include "request/request.h"

/* Returns a suggestion for a pipeline with a similar name. */
brz_suggestion brz_named_pipeline_suggest(brz_config *c, const char *name);

/* Finds the pipeline that the request names, or else "default"; stores NULL if there is no such
 * default. Returns false after reporting an error if no pipeline has the requested name. */
bool brz_named_pipeline_find(brz_session *s, const brz_request *r, const brz_yaml **node);

#endif
