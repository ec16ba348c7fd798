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

static void explain_level(const brz_kernel_refusal *r, brz_buf *b)
{
    long level = permitted_level(r);
    brz_buf_printf(b,
                   "kernel.perf_event_paranoid is %ld, so you may not record %s: "
                   "sudo sysctl kernel.perf_event_paranoid=%ld permits it, as does the capability "
                   "CAP_PERFMON, or record with --root",
                   r->limits.paranoid, subject_of(r), level);
    if (r->with_kernel && !r->tracepoint && !r->system_wide && !r->only_kernel)
        brz_buf_add_text(b, ", or without the kernel (--kernel no)");
}

static void explain_permission(const brz_kernel_refusal *r, brz_buf *b)
{
    bool by_filter = r->error == EPERM && r->limits.has_filter;
    if (by_filter)
        brz_buf_add_text(b,
                         "a filter of system calls (seccomp) forbids perf_event_open, as Docker's "
                         "does: start the container with --cap-add PERFMON, or with "
                         "--security-opt seccomp=unconfined");
    else if (!r->limits.may_perfmon && r->limits.paranoid > permitted_level(r))
        explain_level(r, b);
    else if (r->process > 0)
        brz_buf_printf(b, "process %d belongs to somebody else: record with --root", r->process);
    else
        brz_buf_printf(b, "the system forbids to record %s (%s): record with --root", r->event,
                       strerror(r->error));
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
        brz_buf_printf(b, "no process %d", r->process);
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
