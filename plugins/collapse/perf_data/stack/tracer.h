/* SPDX-License-Identifier: MIT */
/* The stack of a sample as values of its addresses, before its frames are pushed.
 *
 * Tracing looks up addresses and unwinds copies of stacks. It changes nothing but the trace. A
 * tracer with a `reader`, however, names addresses and reads rules that are not known yet, and
 * pushes the frames to the current stack instead of keeping values.
 */
#ifndef PERF_DATA_TRACER_H
#define PERF_DATA_TRACER_H

#include "frames.h"
#include "../file/sample.h"

#include <brazier/symbol.h>

/* Modes of the processor, as in the header of records. */
enum { MODE_UNKNOWN, MODE_KERNEL, MODE_USER, MODE_HV, MODE_GUEST_KERNEL, MODE_GUEST_USER };

/* Value of an address whose frames are not known: see `unnamed`. */
#define TRACE_UNNAMED UINT32_MAX

/* An address in a module: see known_code. */
typedef struct unnamed_code {
    uint64_t address, context;
} unnamed_code;

/* Memory for traces. */
typedef struct trace_room {
    uint32_t *values;
    size_t n_values;
    unnamed_code *unnamed;
    size_t n_unnamed;
} trace_room;

typedef struct trace {
    uint32_t *values;      /* leaf first */
    unnamed_code *unnamed; /* addresses with the value TRACE_UNNAMED, in the same order */
    uint64_t hash;         /* as that of a brz_path, if there is a root */
    uint64_t cookie;
    uint64_t sp, stack_end; /* the stack that was unwound: from its pointer to the last frame */
    uint32_t n, n_unnamed;
    uint32_t n_user;    /* addresses of user code in the call chain */
    bool is_pushed;     /* the frames are on the current stack; there are no values */
    bool is_hashed;     /* all values are frames, and the root stands after the last one */
    bool is_deferred;   /* the user part follows in a record of its own, which has the cookie */
    bool is_bad;        /* the call chain has an unknown marker */
    bool is_unmapped;   /* a caller lies where nothing is mapped */
    bool is_unwound;    /* from the copy of the stack, up to `end` */
    bool is_incomplete; /* the room is too small, or rules are not known */
    uint8_t end;        /* enum unwind_end */
} trace;

/* The mapping of the code that a thread has found last, in which the next one mostly lies, too. */
typedef struct recent_mapping {
    uint64_t context;     /* of code in its address space without a mapping */
    uint64_t start, size; /* without markers; size 0: none */
    uint64_t shift;       /* from an address in the mapping to that in its module */
    uint64_t in_module;   /* context of code in the mapping */
} recent_mapping;

/* The inputs of a trace, and its result. */
typedef struct tracer {
    const recording *p;
    recording *reader; /* the same, to read symbols on demand and push frames; or NULL */
    maps_view user, kernel;
    bool is_java;
    bool is_starting;       /* the thread is in an exec, and its registers are those of before */
    bool can_wait;          /* stacks may wait for their user part */
    recent_code *recent;    /* of this thread */
    recent_mapping last[2]; /* of other code and of user code, in the current address spaces */
    trace_room *room;       /* NULL with a reader */
    trace *to;
} tracer;

/* An address that was looked up. */
typedef struct traced_code {
    uint64_t address, context;
    known_code *known; /* NULL: not known yet */
    uint32_t value;
} traced_code;

/* Code that a thread runs in a mode. */
typedef struct code {
    const maps_view *maps; /* NULL: not known */
    uint64_t context;      /* of its addresses without a mapping */
    bool is_user;
} code;

/* Returns the kind of code that runs in a mode. */
static inline uint32_t trace_kind(uint32_t mode)
{
    if (mode == MODE_USER || mode == MODE_GUEST_USER)
        return BRZ_KIND_USER;
    return mode == MODE_KERNEL || mode == MODE_GUEST_KERNEL ? BRZ_KIND_KERNEL : BRZ_KIND_OTHER;
}

/* Returns the code that runs in a mode. */
static inline code trace_code(const tracer *t, uint32_t mode)
{
    code c = {.is_user = mode == MODE_USER};
    c.context = frames_context(trace_kind(mode), t->is_java, t->p->frames.of_waker);
    if (c.is_user)
        c.maps = t->user.maps != NULL ? &t->user : NULL;
    else if (mode == MODE_KERNEL)
        c.maps = &t->kernel;
    return c;
}

/* Names an address that is not known. Returns NULL without a reader. */
const recent_code *trace_name(tracer *t, uint64_t address, uint64_t context);

/* Appends an address, unless the room is too small. A reader pushes its frames at once. */
static inline void trace_append(tracer *t, const traced_code *at)
{
    trace *to = t->to;
    bool is_known = at->known != NULL;
    if (t->reader != NULL) {
        frames_push(t->reader, at->value);
        to->n++;
        return;
    }
    if (to->n == t->room->n_values || (!is_known && to->n_unnamed == t->room->n_unnamed)) {
        to->is_incomplete = true;
        return;
    }
    to->values[to->n++] = at->value;
    if (!is_known)
        to->unnamed[to->n_unnamed++] = (unnamed_code){at->address, at->context};
}

/* Bytes after the kernel's code that have the code of its start, which recordings leave out. Its
 * functions are the outermost ones of a processor that is idle. */
#define START_CODE (UINT64_C(64) << 20)

/* Returns whether an address without a mapping belongs to the code of the kernel's start. */
static inline bool trace_is_start_code(const recording *p, const code *c, uint64_t at)
{
    return !c->is_user && c->maps != NULL && p->kernel_end > 0 && at - p->kernel_end < START_CODE;
}

/* Looks up an address of code, which may have no name yet. */
static inline traced_code trace_look_up(const tracer *t, const code *c, uint64_t address)
{
    const recording *p = t->p;
    traced_code at = {.address = address, .context = c->context, .value = TRACE_UNNAMED};
    const map_range *r = c->maps == NULL ? NULL : maps_view_find(c->maps, at.address);
    if (r != NULL) {
        at.address += r->offset - r->start;
        at.context |= (uint64_t)r->module << KNOWN_MODULE | KNOWN_MAPPED;
    } else if (trace_is_start_code(p, c, at.address)) {
        at.context |= (uint64_t)p->kernel_module << KNOWN_MODULE | KNOWN_MAPPED;
    }
    const recent_code *known = code_table_find(&p->frames.known, t->recent, at.address, at.context);
    if (known != NULL) {
        at.known = known->known;
        at.value = known->value;
    }
    return at;
}

/* Looks up an address of code and appends it. */
static inline traced_code trace_code_at(tracer *t, const code *c, uint64_t ip, bool is_caller)
{
    bool is_after = is_caller && !t->p->frames.by_perf_script && ip > 0;
    traced_code at = trace_look_up(t, c, ip - is_after);
    t->to->is_unmapped |=
        is_caller && c->is_user && c->maps != NULL && !(at.context & KNOWN_MAPPED);
    const recent_code *named = at.known == NULL ? trace_name(t, at.address, at.context) : NULL;
    if (named != NULL) {
        at.known = named->known;
        at.value = named->value;
    }
    trace_append(t, &at);
    return at;
}

/* Looks up an address and appends it. The instruction of a call lies before the address to which it
 * returns. */
traced_code trace_address(tracer *t, uint32_t mode, uint64_t ip, bool is_caller);

/* Appends the root after the values, if all of them are frames. */
void trace_root(tracer *t, brz_frame root);

#endif
