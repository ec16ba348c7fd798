/* SPDX-License-Identifier: MIT */
/* The running kernel: its code, its symbols, its build id, and what it permits. */
#ifndef BRZ_RECORD_KERNEL_H
#define BRZ_RECORD_KERNEL_H

#include "base/buf.h"
#include "record/build_id.h"

/* Limits and permissions of the kernel. */
typedef struct brz_kernel_limits {
    long paranoid;      /* kernel.perf_event_paranoid */
    long frequency;     /* kernel.perf_event_max_sample_rate */
    long mlock_kb;      /* kernel.perf_event_mlock_kb */
    long kptr_restrict; /* kernel.kptr_restrict */
    bool has_events;    /* the kernel was built with events */
    bool is_root;       /* sudo would change nothing */
    bool may_perfmon;   /* the process has CAP_PERFMON or CAP_SYS_ADMIN, and they count */
    bool in_namespace;  /* in a user namespace of its own, where capabilities do not count */
    bool has_filter;    /* system calls are filtered (seccomp) */
    bool is_nspawn;     /* in a container of systemd-nspawn */
} brz_kernel_limits;

brz_kernel_limits brz_kernel_limits_read(void);

/* The addresses of the kernel's code. */
typedef struct brz_kernel_map {
    uint64_t start, end; /* 0: unknown */
    const char *symbol;  /* name of the symbol at the start: "_text" or "_stext" */
} brz_kernel_map;

/* Reads the addresses of the running kernel. Returns false if there is no list of its symbols. */
bool brz_kernel_map_read(brz_kernel_map *map);

/* Reads the build id of the running kernel. Returns its length; 0: unknown. */
size_t brz_kernel_build_id(uint8_t id[BRZ_BUILD_ID_MAX]);

/* Appends the build ids of the running kernel and of its vdso as perf stores them (feature
 * BUILD_ID). */
void brz_kernel_add_build_ids(brz_buf *b);

#endif
