/* SPDX-License-Identifier: MIT */
/* Counts what a recording lacks, and reports it at the end. */
#ifndef PERF_DATA_LOSSES_H
#define PERF_DATA_LOSSES_H

#include <brazier/host.h>

/* Reasons for the end of a stack that was unwound. */
enum unwind_end {
    UNWIND_COMPLETE,   /* this is the outermost frame */
    UNWIND_IMPOSSIBLE, /* another processor, or the registers are missing */
    UNWIND_CUT,        /* the copy of the stack ends */
    UNWIND_ABSENT,     /* likewise, since the kernel could copy no more */
    UNWIND_NO_RULES,   /* the code has no rules, nor a frame pointer */
    UNWIND_UNMAPPED,   /* nothing is mapped at the address */
    UNWIND_BAD_STACK,  /* the rules lead to nowhere */
    UNWIND_ELSEWHERE,  /* the caller's frame is on another stack, which was not copied */
    UNWIND_DEEP,       /* more frames than are shown */
    UNWIND_ENDS,
};

typedef struct losses {
    uint64_t lost;              /* records that the kernel dropped, by LOST records */
    uint64_t lost_samples;      /* likewise, by LOST_SAMPLES records */
    uint64_t throttled;         /* times that the kernel slowed the sampling down */
    uint64_t aux_lost;          /* pieces of hardware traces that were cut or collided */
    uint64_t map_timeouts;      /* processes whose mappings perf did not read in time */
    uint64_t unknown_type;      /* records of unknown types */
    uint64_t unknown_event;     /* records of events that the recording does not describe */
    uint64_t bad_chains;        /* call chains with an unknown marker */
    uint64_t deferred;          /* user call chains that come later */
    uint64_t aux;               /* pieces of hardware traces, which are not decoded */
    uint64_t aux_bytes;         /* their size, by AUX records */
    uint64_t traces;            /* threads with instruction traces */
    uint64_t ends[UNWIND_ENDS]; /* stacks that were unwound */
    uint64_t stack_needed;      /* bytes of the largest one that was cut */
    uint64_t stack_at_least;    /* the same of stacks of which no copy reached the end */
    uint64_t no_column;         /* samples of too many events */
    uint64_t bad_payloads;      /* switches and wake-ups whose fields are missing */
    uint64_t no_frames;         /* samples without a frame */
} losses;

/* Reports records that came too late to be put in order. */
void losses_report_late(uint64_t count, brz_ctx *ctx);

/* The facts about a recording on which reports of losses depend. */
typedef struct losses_of {
    uint64_t n_samples;
    uint32_t stack_copied; /* bytes of each stack that were to be copied */
    bool lacks_files;      /* files or maps of code are missing, which is why rules are */
} losses_of;

/* Reports what was counted. The line at the end names what affects at least one of 100 samples. */
void losses_report(const losses *l, const losses_of *of, brz_ctx *ctx);

#endif
