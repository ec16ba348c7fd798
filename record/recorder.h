/* Records a command or running processes into a file. */
#ifndef BRZ_RECORD_RECORDER_H
#define BRZ_RECORD_RECORDER_H

#include "base/diag.h"
#include "record/request.h"

/* The state of a recording. */
typedef struct brz_record_state {
    uint64_t elapsed; /* in nanoseconds */
    uint64_t samples, lost, throttled;
    bool is_on; /* the delay has passed */
} brz_record_state;

/* Receives the state a few times per second. */
typedef void brz_record_live_fn(void *context, const brz_record_state *state);

/* The result of a recording. */
typedef struct brz_record_result {
    bool recorded;    /* there is a recording, which may be without samples */
    int status;       /* exit status: that of the command; 127 if it cannot be executed */
    bool has_kernel;  /* it includes code of the kernel */
    char events[512]; /* names of the events, separated by commas */
    brz_record_state state;
} brz_record_result;

/* Records into an empty file, until the command ends, the time has passed, or a signal arrives
 * (SIGINT, SIGTERM, SIGHUP), which does not reach the handlers of the program. Reports errors and
 * decisions to the console. The caller closes the file. `live` may be NULL. */
brz_record_result brz_record(const brz_record_request *r, int fd, brz_console *console,
                             brz_record_live_fn *live, void *context);

#endif
