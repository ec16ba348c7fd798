/* SPDX-License-Identifier: MIT */
/* Explains why the kernel refuses to record, with the remedy. */
#ifndef BRZ_RECORD_REFUSAL_H
#define BRZ_RECORD_REFUSAL_H

#include "record/kernel.h"

#include <stdbool.h>
#include <sys/types.h>

/* A request to the kernel, and its answer. */
typedef struct brz_kernel_refusal {
    int error;         /* errno */
    const char *event; /* name */
    bool tracepoint, hardware;
    bool with_kernel;   /* the user wants code of the kernel */
    bool only_kernel;   /* the event occurs nowhere else */
    bool system_wide;   /* every process, or a control group */
    const char *cgroup; /* recorded control group; NULL: none */
    pid_t process;      /* recorded process of somebody; 0: a command of our own */
    bool is_thread;     /* of the number `process` */
    bool is_foreign;    /* it belongs to another user */
    size_t descriptors; /* number that the recording needs */
    brz_kernel_limits limits;
} brz_kernel_refusal;

/* Appends one sentence about an event that cannot be opened. */
void brz_kernel_refusal_explain(const brz_kernel_refusal *r, brz_buf *b);

/* Appends a note on a recording without the kernel, which the system does not permit. */
void brz_kernel_limits_note_exclusion(const brz_kernel_limits *limits, brz_buf *b);

/* Appends a note on names of the kernel's functions that the system hides. */
void brz_kernel_limits_note_hidden_names(const brz_kernel_limits *limits, brz_buf *b);

/* Appends one sentence about a ring that cannot be mapped. */
void brz_kernel_refusal_explain_ring(const brz_kernel_refusal *r, brz_buf *b);

#endif
