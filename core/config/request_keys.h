/* SPDX-License-Identifier: MIT */
/* Layers a request over the keys of a pipeline that are options of a run. */
#ifndef BRZ_REQUEST_KEYS_H
#define BRZ_REQUEST_KEYS_H

#include "config/session.h"
#include "request/request.h"

/* Sets the options of the run from the keys of `pipeline`, which may be NULL, where the request
 * does not set them. Texts are in `texts`, or belong to the configuration. Stores the keys that
 * apply, by option, or NULL; release the array with free(). Returns false after reporting an error
 * if a value is invalid. */
bool brz_request_set_keys(brz_session *s, const brz_yaml *pipeline, brz_arena *texts,
                          brz_request *request, const brz_yaml ***keys);

/* Checks that a pipeline has no keys other than those with structure and options of a run. Returns
 * false after reporting the others. */
bool brz_request_check_keys(brz_console *console, const brz_yaml *pipeline);

#endif
