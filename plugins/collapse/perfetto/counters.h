/* SPDX-License-Identifier: MIT */
/* Names the counters that samples are taken by. */
#ifndef PERFETTO_COUNTERS_H
#define PERFETTO_COUNTERS_H

#include <brazier/binary.h>

typedef struct counter_name {
    brz_str name, unit;
    uint64_t factor; /* by which values are multiplied */
} counter_name;

/* Stores the counters that the defaults of packets name, at most `most`, the one that causes the
 * samples first. Returns their number. `is_stack_sample`: those of messages StackSample. */
size_t counters_of_defaults(brz_str defaults, bool is_stack_sample, counter_name *to, size_t most);

/* Returns the name and unit in a message StackSample.CounterDescriptor. */
counter_name counter_of_descriptor(brz_bytes message);

#endif
