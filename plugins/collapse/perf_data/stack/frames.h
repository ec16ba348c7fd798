/* SPDX-License-Identifier: MIT */
/* Makes frames of addresses, once per distinct module and address. */
#ifndef PERF_DATA_FRAMES_H
#define PERF_DATA_FRAMES_H

#include "../file/recording.h"

/* Flag of a value: a position in `lists`, not a frame. */
#define FRAMES_LIST 0x80000000u

/* Flag of an id in a path: a position in `pending`, not a frame. */
#define FRAMES_PENDING 0x80000000u

void frames_init(frames *f, recording *p);

/* Packs what determines the frames of code, besides its address; see known_code. KNOWN_MAPPED and
 * the module are added for mapped addresses. */
static inline uint64_t frames_context(uint32_t kind, bool is_java, bool is_waker)
{
    return KNOWN_USED | kind << 2 | (uint64_t)is_waker << 1 | is_java;
}

/* Counts the classes of frames in the current path. `n` is the number of the sample: of many, some
 * are counted. */
void frames_count_classes(recording *p, uint64_t n);

/* Returns whether at least one of 100 counted samples has a frame of a class. */
bool frames_are_many(const recording *p, enum frame_class c);

/* Makes the frames of code that had to wait for the end. */
void frames_resolve_pending(recording *p);

/* Makes the frames of such code that has names by now, while the recording is shown. */
void frames_name_pending(recording *p);

/* Returns whether an id stands for code whose frames are not made yet. */
static inline bool frames_is_unnamed(const recording *p, uint32_t id)
{
    return (id & FRAMES_PENDING) != 0 && !p->frames.pending[id & ~FRAMES_PENDING].is_named;
}

/* Makes the frames of an address that is not known. Returns the place of its entry, which the
 * next call may replace. */
const recent_code *frames_learn(recording *p, uint64_t address, uint64_t context);

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

/* Appends the frames of an id, which are made. */
static inline void frames_push_id(recording *p, uint32_t id)
{
    if (id & FRAMES_PENDING)
        frames_push(p, p->frames.pending[id & ~FRAMES_PENDING].value);
    else
        brz_path_push(p->stacks.path, p->ctx, id);
}

/* Returns the frame that stands for a thread, the root of its stacks. */
brz_frame frames_root(recording *p, thread *of);

/* Returns the frame that stands for a thread that woke another one. */
brz_frame frames_waker_root(recording *p, const thread *of);

#endif
