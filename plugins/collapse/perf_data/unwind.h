/* Unwinds copies of user stacks. */
#ifndef PERF_DATA_UNWIND_H
#define PERF_DATA_UNWIND_H

#include "recording.h"
#include "sample.h"

/* Handles an address of a stack, leaf first. `is_caller` says that it is a return address. */
typedef void unwind_visit(recording *p, const thread *of, uint64_t ip, bool is_caller);

/* Unwinds the user stack of a sample. Returns why it ends. */
enum unwind_end unwind_sample(recording *p, const thread *of, const event *v, const sample *s,
                              unwind_visit *visit);

/* Releases what it has read. */
void unwind_close(recording *p);

#endif
