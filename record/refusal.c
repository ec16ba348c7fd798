/* SPDX-License-Identifier: MIT */
/* Explains refusals of the kernel. */
#include "record/refusal.h"

#include <errno.h>
#include <string.h>

/* Returns the highest level of kernel.perf_event_paranoid at which the request is permitted. */
static long permitted_level(const brz_kernel_refusal *r)
{
    if (r->tracepoint)
        return -1;
    if (r->system_wide)
        return 0;
    return r->with_kernel ? 1 : 2;
}

static const char *subject_of(const brz_kernel_refusal *r)
{
    if (r->tracepoint)
        return "tracepoints";
    if (r->system_wide)
        return "other users' processes";
    return r->with_kernel ? "the kernel" : "anything";
}

/* Appends the ways to get more rights than the level gives. */
static void add_permission(const brz_kernel_limits *l, long level, brz_buf *b)
{
    bool is_contained = l->is_root || l->in_namespace;
    brz_buf_printf(b, "sudo sysctl kernel.perf_event_paranoid=%ld permits it", level);
    if (is_contained)
        brz_buf_add_text(b, " outside of this container");
    if (l->in_namespace)
        brz_buf_add_text(b, ", capabilities of a user namespace do not");
    else if (l->is_root)
        brz_buf_add_text(b, ", as does the capability CAP_PERFMON: start it with --cap-add "
                            "PERFMON");
    else
        brz_buf_add_text(b, ", as does the capability CAP_PERFMON, or record with --root");
}

static void explain_level(const brz_kernel_refusal *r, brz_buf *b)
{
    brz_buf_printf(b, "kernel.perf_event_paranoid is %ld, so you may not record %s: ",
                   r->limits.paranoid, subject_of(r));
    add_permission(&r->limits, permitted_level(r), b);
    if (r->with_kernel && !r->tracepoint && !r->system_wide && !r->only_kernel)
        brz_buf_add_text(b, ", or without the kernel (--kernel no)");
}

static void explain_filter(const brz_kernel_refusal *r, brz_buf *b)
{
    brz_buf_add_text(b, "a filter of system calls (seccomp) forbids perf_event_open, as ");
    if (r->limits.is_nspawn)
        brz_buf_add_text(b, "systemd-nspawn's does: start the container with "
                            "--system-call-filter=perf_event_open");
    else if (r->limits.may_perfmon)
        brz_buf_add_text(b, "old ones do even with CAP_PERFMON: start the container with "
                            "--security-opt seccomp=unconfined");
    else
        brz_buf_add_text(b, "Docker's does: start the container with --cap-add PERFMON, or with "
                            "--security-opt seccomp=unconfined");
}

/* Appends the remedy for rights of root that are missing. */
static void add_root(const brz_kernel_refusal *r, const char *capability, brz_buf *b)
{
    if (r->limits.is_root || r->limits.in_namespace)
        brz_buf_printf(b, "the capability %s is missing, as in containers", capability);
    else
        brz_buf_add_text(b, "record with --root");
}

static void explain_permission(const brz_kernel_refusal *r, brz_buf *b)
{
    if (r->error == EPERM && r->limits.has_filter) {
        explain_filter(r, b);
    } else if (!r->is_foreign && !r->limits.may_perfmon &&
               r->limits.paranoid > permitted_level(r)) {
        explain_level(r, b);
    } else if (r->process > 0) {
        brz_buf_printf(b, "%s %d belongs to somebody else: ", r->is_thread ? "thread" : "process",
                       r->process);
        add_root(r, "CAP_SYS_PTRACE", b);
    } else {
        brz_buf_printf(b, "the system forbids to record %s (%s): ", r->event, strerror(r->error));
        add_root(r, "CAP_PERFMON", b);
    }
}

void brz_kernel_limits_note_exclusion(const brz_kernel_limits *limits, brz_buf *b)
{
    brz_buf_printf(b, "without the kernel: kernel.perf_event_paranoid is %ld; ", limits->paranoid);
    if (limits->in_namespace)
        brz_buf_add_text(b, "level 1 outside of this container records it");
    else if (limits->is_root)
        brz_buf_add_text(b, "a container with --cap-add PERFMON, or level 1, records it");
    else
        brz_buf_add_text(b, "--root or level 1 records it");
}

/* At level 0 of kptr_restrict, the kernel shows addresses to those whom it permits to record it. */
void brz_kernel_limits_note_hidden_names(const brz_kernel_limits *limits, brz_buf *b)
{
    bool by_pointers = limits->kptr_restrict > 0;
    const char *name = by_pointers ? "kernel.kptr_restrict" : "kernel.perf_event_paranoid";
    long level = by_pointers ? limits->kptr_restrict : limits->paranoid;
    brz_buf_printf(b,
                   "the kernel's functions have no names: %s is %ld; sudo sysctl %s=%d shows them",
                   name, level, name, by_pointers ? 0 : 1);
    if (limits->is_root || limits->in_namespace)
        brz_buf_add_text(b, " outside of this container");
    if (limits->kptr_restrict < 2 && !limits->in_namespace)
        brz_buf_printf(b, ", as does %s",
                       limits->is_root ? "the capability CAP_SYSLOG: start it with --cap-add SYSLOG"
                                       : "CAP_SYSLOG or --root");
}

static void explain_missing(const brz_kernel_refusal *r, brz_buf *b)
{
    if (r->hardware)
        brz_buf_printf(b,
                       "this machine has no counter for %s, like most virtual machines: "
                       "-e cpu-clock samples by time",
                       r->event);
    else
        brz_buf_printf(b, "this kernel has no event %s (%s)", r->event, strerror(r->error));
}

/* Returns whether the kernel does not accept the folder as a control group. */
static bool is_about_cgroup(const brz_kernel_refusal *r)
{
    return r->cgroup != NULL && (r->error == EBADF || r->error == EINVAL || r->error == ENOENT);
}

void brz_kernel_refusal_explain(const brz_kernel_refusal *r, brz_buf *b)
{
    if (is_about_cgroup(r)) {
        brz_buf_printf(
            b,
            "'%s' is not a control group that can be recorded: it must be one of version "
            "2, or of the controller perf_event",
            r->cgroup);
        return;
    }
    switch (r->error) {
    case EACCES:
    case EPERM:
        explain_permission(r, b);
        break;
    case ENOENT:
    case ENODEV:
    case ENXIO:
    case EOPNOTSUPP:
        explain_missing(r, b);
        break;
    case ESRCH:
        brz_buf_printf(b, "no %s %d", r->is_thread ? "thread" : "process", r->process);
        break;
    case EMFILE:
    case ENFILE:
        brz_buf_printf(b,
                       "the recording needs %zu open files, more than are permitted: ulimit -n %zu",
                       r->descriptors, r->descriptors + 64);
        break;
    case ENOMEM:
        brz_buf_add_text(b,
                         "the kernel has no memory for the events: record fewer events or threads");
        break;
    case ENOSYS:
        if (r->limits.has_filter && r->limits.has_events)
            explain_filter(r, b);
        else
            brz_buf_add_text(b, "this kernel was built without perf events (CONFIG_PERF_EVENTS)");
        break;
    default:
        brz_buf_printf(b, "the kernel refuses to record %s: %s", r->event, strerror(r->error));
    }
}

void brz_kernel_refusal_explain_ring(const brz_kernel_refusal *r, brz_buf *b)
{
    if (r->error == EPERM || r->error == ENOMEM || r->error == EAGAIN)
        brz_buf_printf(b,
                       "no memory may be locked for the recording: ulimit -l unlimited permits it, "
                       "or sudo sysctl kernel.perf_event_mlock_kb=%ld",
                       r->limits.mlock_kb * 4);
    else
        brz_buf_printf(b, "the memory of the recording cannot be mapped: %s", strerror(r->error));
}
