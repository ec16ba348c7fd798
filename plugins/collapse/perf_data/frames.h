/* Makes frames of addresses, once per distinct module and address. */
#ifndef PERF_DATA_FRAMES_H
#define PERF_DATA_FRAMES_H

#include "recording.h"

/* The module of addresses that nothing maps. */
#define NO_MODULE 0u

/* An address in a module. */
typedef struct place_of_code {
    uint32_t module;
    uint32_t kind;    /* BRZ_KIND_USER, BRZ_KIND_KERNEL or BRZ_KIND_OTHER */
    uint64_t address; /* in the module; without a module, the address itself */
    bool is_java;
    bool is_waker; /* the code runs in the thread that woke another one */
} place_of_code;

void frames_init(frames *f, recording *p);

/* Returns a value that stands for the frames of an address. */
uint32_t frames_of(recording *p, const place_of_code *place);

/* Appends the frames of a value to the current stack, leaf first. */
void frames_push(recording *p, uint32_t value);

/* Returns the frame that stands for a thread, the root of its stacks. */
brz_frame frames_root(recording *p, thread *of);

/* Returns the frame that stands for a thread that woke another one. */
brz_frame frames_waker_root(recording *p, const thread *of);

#endif
