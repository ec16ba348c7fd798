/* SPDX-License-Identifier: MIT */
/* The state and the result of a recording. */
#ifndef BRZ_RECORD_RESULT_H
#define BRZ_RECORD_RESULT_H

#include <stdbool.h>
#include <stdint.h>

/* The state of a recording. */
typedef struct brz_record_state {
    uint64_t elapsed; /* in nanoseconds: of the recording, or of the delay before it */
    uint64_t samples, lost, throttled;
    bool is_on;            /* the delay has passed */
    bool is_idle;          /* all recorded threads have ended */
    int kallsyms;          /* file with the kernel's symbols, if root has read them; 0: none */
    char first_event[128]; /* name of the first of several events; empty: there is one */
} brz_record_state;

/* The result of a recording. */
typedef struct brz_record_result {
    bool is_interrupted;      /* a signal has ended it */
    bool recorded;            /* there is a recording, which may be without samples */
    int status;               /* exit status: that of the command; 127 if it cannot be executed */
    int write_error;          /* errno if the recording is incomplete, since writing failed; or 0 */
    bool has_frequency;       /* an event is sampled by a frequency, not at each occurrence */
    bool has_kernel;          /* an event counts in the kernel */
    bool has_programs;        /* an event counts outside the kernel */
    bool has_chosen_pointers; /* frame pointers were chosen for a program; the user left it open */
    char events[512];         /* names of the events, separated by commas */
    brz_record_state state;
} brz_record_result;

#endif
