/* SPDX-License-Identifier: MIT */
/* Applies records that change the state of threads, address spaces and the kernel. */
#ifndef PERF_DATA_CHANGES_H
#define PERF_DATA_CHANGES_H

#include "recording.h"

/* Types of records that the kernel writes. */
enum {
    RECORD_MMAP = 1,
    RECORD_LOST = 2,
    RECORD_COMM = 3,
    RECORD_EXIT = 4,
    RECORD_THROTTLE = 5,
    RECORD_UNTHROTTLE = 6,
    RECORD_FORK = 7,
    RECORD_READ = 8,
    RECORD_SAMPLE = 9,
    RECORD_MMAP2 = 10,
    RECORD_AUX = 11,
    RECORD_ITRACE_START = 12,
    RECORD_LOST_SAMPLES = 13,
    RECORD_SWITCH = 14,
    RECORD_SWITCH_CPU_WIDE = 15,
    RECORD_NAMESPACES = 16,
    RECORD_KSYMBOL = 17,
    RECORD_CALLCHAIN_DEFERRED = 22,
    RECORD_KERNEL_LAST = 22,
};

/* Bits of `misc`. */
#define MISC_CPUMODE        7u
#define MISC_MAP_TIMEOUT    (1u << 12)
#define MISC_MMAP_DATA      (1u << 13)
#define MISC_COMM_EXEC      (1u << 13)
#define MISC_FORK_EXEC      (1u << 13)
#define MISC_SWITCH_OUT     (1u << 13)
#define MISC_SWITCH_PREEMPT (1u << 14)
#define MISC_MMAP_BUILD_ID  (1u << 14)
#define MISC_LOST_BY_FILTER (1u << 15)

/* Applies a record of the kernel that is not a sample. `body` excludes header and trailer. Returns
 * false if it is damaged. */
bool changes_apply(recording *p, uint32_t type, uint16_t misc, brz_bytes body);

/* Returns whether a record changes the names of addresses in another way than by mappings of a
 * process: through the code of the kernel, or the files of compilers. */
bool changes_affect_names(uint32_t type, uint16_t misc, brz_bytes body);

#endif
