/* SPDX-License-Identifier: MIT */
/* Records a command or running processes into a file. */
#ifndef BRZ_RECORD_RECORDER_H
#define BRZ_RECORD_RECORDER_H

#include "base/diag.h"
#include "record/request.h"
#include "record/result.h"

/* Receives the state a few times per second. */
typedef void brz_record_live_fn(void *context, const brz_record_state *state);

/* Records into an empty file, until the command ends, the time has passed, or a signal arrives
 * (SIGINT, SIGTERM, SIGHUP), which does not reach the handlers of the program. Reports errors and
 * decisions to the console. The caller closes the file. `live` may be NULL. */
brz_record_result brz_record(const brz_record_request *r, int fd, brz_console *console,
                             brz_record_live_fn *live, void *context);

#endif
