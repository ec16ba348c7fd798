/* Makes frames of addresses, once per distinct module and address. */
#ifndef PERF_DATA_FRAMES_H
#define PERF_DATA_FRAMES_H

#include "recording.h"

/* Flag of a value: a position in `lists`, not a frame. */
#define FRAMES_LIST 0x80000000u

void frames_init(frames *f, recording *p);

/* Packs what the frames of code depend on beside its address; see known_code. KNOWN_MAPPED and
 * the module are added for mapped addresses. */
static inline uint64_t frames_context(uint32_t kind, bool is_java, bool is_waker)
{
    return KNOWN_USED | kind << 2 | (uint64_t)is_waker << 1 | is_java;
}

/* Looks up an address and stores it in `k`. */
void frames_learn(recording *p, known_code *k, uint64_t address, uint64_t context);

/* Returns the entry of an address. The next call may replace it. */
static inline known_code *frames_of(recording *p, uint64_t address, uint64_t context)
{
    uint64_t mixed = address ^ address >> 14 ^ context >> (KNOWN_MODULE - 7);
    known_code *k = &p->frames.known[mixed % KNOWN_CODE];
    if (k->address != address || k->context != context)
        frames_learn(p, k, address, context);
    return k;
}

/* Appends the frames of a list to the current stack, leaf first. */
void frames_push_list(recording *p, uint32_t value);

/* Appends the frames of a value to the current stack, leaf first. */
static inline void frames_push(recording *p, uint32_t value)
{
    if (value & FRAMES_LIST)
        frames_push_list(p, value);
    else
        brz_path_push(p->stacks.path, p->ctx, value);
}

/* Returns the frame that stands for a thread, the root of its stacks. */
brz_frame frames_root(recording *p, thread *of);

/* Returns the frame that stands for a thread that woke another one. */
brz_frame frames_waker_root(recording *p, const thread *of);

#endif
