/* SPDX-License-Identifier: MIT */
/* The open events of a recording, and the rings of the processors that receive their records. */
#ifndef BRZ_RECORD_EVENT_SET_H
#define BRZ_RECORD_EVENT_SET_H

#include "base/diag.h"
#include "record/event.h"
#include "record/kernel.h"
#include "record/request.h"
#include "record/ring.h"
#include "record/targets.h"

/* A processor with its ring, and the descriptor that becomes readable when the ring fills. */
typedef struct brz_processor {
    int number;
    int fd; /* -1: no event */
    brz_ring ring;
} brz_processor;

/* An open event, and its processor by position. */
typedef struct brz_event_fd {
    int fd;
    size_t processor;
} brz_event_fd;

typedef struct brz_event_set {
    brz_event events[BRZ_EVENTS_MAX];
    size_t n;
    brz_processor *processors;
    size_t n_processors, processors_cap;
    brz_targets targets;
    int cgroup; /* descriptor; -1: none */
    brz_event_fd *fds;
    size_t n_fds, fds_cap;
    brz_kernel_limits limits;
    uint64_t wished_frequency; /* higher than the kernel permits; 0: as it was wished */
    bool excludes_kernel;      /* the system does not permit to record it */
    bool falls_back;           /* there is no hardware counter, cpu-clock is used */
} brz_event_set;

/* Parses the events of a request and sets their attributes. Returns false after reporting an error.
 */
bool brz_event_set_init(brz_event_set *s, const brz_record_request *r, brz_console *console);

/* Opens the events for the targets, including threads that the processes of the request create
 * meanwhile, and maps the rings. Returns false after reporting the reason. */
bool brz_event_set_open(brz_event_set *s, const brz_record_request *r, brz_console *console);

/* Turns all events on or off. */
void brz_event_set_enable(brz_event_set *s, bool on);

/* Returns the place of the time in samples. */
size_t brz_event_set_time_at(const brz_event_set *s);

void brz_event_set_finish(brz_event_set *s);

#endif
