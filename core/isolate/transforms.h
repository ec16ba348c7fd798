/* SPDX-License-Identifier: MIT */
/* Applies the transforms of a run, those of plug-ins included: in this process, or in a sandboxed
 * child, which a plug-in that is not shipped cannot leave. The result is the same. */
#ifndef BRZ_ISOLATE_TRANSFORMS_H
#define BRZ_ISOLATE_TRANSFORMS_H

#include "base/run.h"
#include "input/related.h"
#include "plugin/registry.h"
#include "profile/transform.h"

/* Transforms, and how to apply them. */
typedef struct brz_transforms_run {
    brz_registry *registry;
    brz_run *run;
    const brz_transforms *transforms;
    unsigned threads;
    uint32_t drops;      /* BRZ_DROPS_*: attributes that new frames lose */
    const char *sysroot; /* folder in which files are looked for first; NULL: none */
    bool isolates;       /* transforms of plug-ins are applied in a child */
    uint64_t memory;     /* limit of the child in bytes; 0: see brz_isolated */
} brz_transforms_run;

/* The result of the transforms. */
typedef struct brz_transforms_end {
    size_t left_out; /* number of distinct stacks that they removed */
    brz_buf error;   /* message of an expression that hit a limit, or empty; the caller frees it */
} brz_transforms_end;

/* Lets the transforms check their options whose code must not run in this process: in a child,
 * before a run reads anything. Returns false after reporting a failure, and then stores in
 * *is_misused whether options are invalid. */
bool brz_transforms_check_options(const brz_transforms_run *t, bool *is_misused);

/* Applies the transforms to a profile. Returns false after a failure, which was reported unless
 * `error` has a message: the profile can then only be destroyed. */
bool brz_transforms_run_all(const brz_transforms_run *t, brz_profile *p, brz_transforms_end *end);

#endif
