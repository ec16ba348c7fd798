/* SPDX-License-Identifier: MIT */
/* Opens the events of a recording. */
#include "record/event_set.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "record/refusal.h"

/* Pages of a ring: as many as ordinary users may lock, more for copies of stacks, and at least. */
#define RING_PAGES       128
#define RING_PAGES_DWARF 1024
#define RING_PAGES_MIN   4

/* Passes over the threads of a process that creates threads. */
#define ATTEMPTS 8

static int open_event(const brz_event *e, pid_t target, int cpu, int cgroup)
{
    unsigned long flags = PERF_FLAG_FD_CLOEXEC | (cgroup >= 0 ? PERF_FLAG_PID_CGROUP : 0);
    return (int)syscall(SYS_perf_event_open, &e->attr, cgroup >= 0 ? cgroup : target, cpu, -1,
                        flags);
}

/* Controls an event. The C library's function takes requests of different types in glibc and musl.
 */
static int control(int fd, unsigned long request, uintptr_t argument)
{
    return (int)syscall(SYS_ioctl, fd, request, argument);
}

/* ---- places ---------------------------------------------------------------------------------- */

static void add_processor(brz_event_set *s, int number)
{
    s->processors =
        brz_grow(s->processors, s->n_processors, &s->processors_cap, sizeof *s->processors);
    s->processors[s->n_processors++] = (brz_processor){.number = number, .fd = -1};
}

/* Adds the processors of the list of the kernel, such as "0-3,6"; where that is hidden, as many as
 * there are. */
static void add_processors(brz_event_set *s)
{
    brz_buf list = {0};
    brz_buf_read_file(&list, "/sys/devices/system/cpu/online");
    for (const char *at = brz_buf_text(&list); *at >= '0' && *at <= '9'; at += *at == ',') {
        char *end;
        long first = strtol(at, &end, 10);
        long last = *end == '-' ? strtol(end + 1, &end, 10) : first;
        for (long i = first; i <= last && i < 65536; i++)
            add_processor(s, (int)i);
        at = end;
    }
    brz_buf_finish(&list);
    long unlisted = s->n_processors == 0 ? sysconf(_SC_NPROCESSORS_ONLN) : 0;
    for (long i = 0; i < unlisted; i++)
        add_processor(s, (int)i);
}

/* Opens the folder of a control group. Returns false after reporting an error. */
static bool open_cgroup(brz_event_set *s, const char *name, brz_console *console)
{
    static const char *const folders[] = {"", "/sys/fs/cgroup/unified/",
                                          "/sys/fs/cgroup/perf_event/", "/sys/fs/cgroup/"};
    brz_buf path = {0};
    for (size_t i = name[0] == '/' ? 0 : 1; i < 4 && s->cgroup < 0; i++) {
        brz_buf_clear(&path);
        brz_buf_printf(&path, "%s%s", folders[i], name);
        s->cgroup = open(brz_buf_text(&path), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    }
    brz_buf_finish(&path);
    if (s->cgroup < 0)
        brz_say(console, BRZ_FATAL, "no control group '%s' below /sys/fs/cgroup", name);
    return s->cgroup >= 0;
}

/* ---- opening --------------------------------------------------------------------------------- */

/* Returns whether a process or thread belongs to another user. */
static bool is_foreign(pid_t pid)
{
    char path[32];
    struct stat st;
    snprintf(path, sizeof path, "/proc/%d", pid);
    return stat(path, &st) == 0 && st.st_uid != geteuid();
}

static brz_kernel_refusal refusal_of(const brz_event_set *s, const brz_event *e,
                                     const brz_record_request *r, int error)
{
    pid_t process = !brz_records_command(r) && s->targets.n > 0 ? s->targets.list[0] : 0;
    return (brz_kernel_refusal){
        .error = error,
        .event = e->name,
        .tracepoint = brz_event_is_tracepoint(e),
        .hardware = e->attr.type == PERF_TYPE_HARDWARE || e->attr.type == PERF_TYPE_RAW,
        .with_kernel = !e->attr.exclude_kernel,
        .only_kernel = brz_event_counts_each(e) || e->kernel_only,
        .system_wide = r->all || r->cgroup != NULL,
        .cgroup = r->cgroup,
        .process = process,
        .is_thread = r->n_processes == 0 && r->n_threads > 0,
        .is_foreign = process > 0 && is_foreign(process),
        .descriptors = s->targets.n * s->n_processors * s->n,
        .limits = s->limits,
    };
}

static void say_refusal(const brz_event_set *s, const brz_event *e, const brz_record_request *r,
                        int error, brz_console *console)
{
    brz_buf why = {0};
    const brz_kernel_refusal refusal = refusal_of(s, e, r, error);
    brz_kernel_refusal_explain(&refusal, &why);
    brz_say(console, BRZ_FATAL, "%s", brz_buf_text(&why));
    brz_buf_finish(&why);
}

static bool is_missing(int error)
{
    return error == ENOENT || error == ENODEV || error == EOPNOTSUPP || error == ENXIO;
}

/* Requests less after a refusal. Returns false if nothing is left to give up. */
static bool step_down(brz_event_set *s, brz_event *e, const brz_record_request *r, int error)
{
    struct perf_event_attr *a = &e->attr;
    if (is_missing(error) && e->is_default && a->type == PERF_TYPE_HARDWARE) {
        brz_event_use_clock(e);
        s->falls_back = true;
        return true;
    }
    bool forbidden = error == EACCES || error == EPERM;
    if (forbidden && r->kernel == BRZ_KERNEL_AUTO && !a->exclude_kernel && !r->all &&
        r->cgroup == NULL && !brz_event_counts_each(e) && !e->kernel_only) {
        a->exclude_kernel = a->exclude_callchain_kernel = 1;
        s->excludes_kernel = true;
        return true;
    }
    if ((error == EINVAL || forbidden) && a->ksymbol) {
        a->ksymbol = 0;
        return true;
    }
    if (error == EINVAL && a->build_id) {
        a->build_id = 0;
        return true;
    }
    return false;
}

/* Opens an event for the first target that lives. The first thread of a process may have ended
 * although others run. */
static int try_event(const brz_event_set *s, const brz_event *e)
{
    int fd = -1;
    errno = ESRCH;
    for (size_t t = 0; t < s->targets.n && fd < 0 && errno == ESRCH; t++)
        fd = open_event(e, s->targets.list[t], s->processors[0].number, s->cgroup);
    return fd;
}

/* Finds attributes of an event that the kernel accepts. Returns false after reporting the reason if
 * it accepts none. */
static bool settle(brz_event_set *s, brz_event *e, const brz_record_request *r,
                   brz_console *console)
{
    for (;;) {
        int fd = try_event(s, e);
        int error = errno;
        if (fd >= 0) {
            close(fd);
            return true;
        }
        if (!step_down(s, e, r, error)) {
            say_refusal(s, e, r, error, console);
            return false;
        }
    }
}

/* Raises the limit on descriptors as far as the system permits. */
static void raise_descriptors(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

static void keep_descriptor(brz_event_set *s, brz_event *e, int fd, const brz_processor *p)
{
    uint64_t id = 0;
    s->fds = brz_grow(s->fds, s->n_fds, &s->fds_cap, sizeof *s->fds);
    s->fds[s->n_fds++] = (brz_event_fd){fd, (size_t)(p - s->processors)};
    if (control(fd, PERF_EVENT_IOC_ID, (uintptr_t)&id) == 0) {
        e->ids = brz_grow(e->ids, e->n_ids, &e->ids_cap, sizeof *e->ids);
        e->ids[e->n_ids++] = id;
    }
}

/* Opens an event for a thread on a processor. A thread that has ended is left out. Returns false
 * after reporting the reason if that fails. */
static bool open_one(brz_event_set *s, brz_event *e, pid_t target, brz_processor *p,
                     const brz_record_request *r, brz_console *console)
{
    int fd = open_event(e, target, p->number, s->cgroup);
    if (fd < 0 && errno == ESRCH && s->targets.n > 1)
        return true;
    if (fd < 0) {
        say_refusal(s, e, r, errno, console);
        return false;
    }
    keep_descriptor(s, e, fd, p);
    if (p->fd < 0)
        p->fd = fd;
    return true;
}

static bool open_all(brz_event_set *s, const brz_record_request *r, brz_console *console)
{
    for (size_t c = 0; c < s->n_processors; c++)
        for (size_t t = 0; t < s->targets.n; t++)
            for (size_t i = 0; i < s->n; i++)
                if (!open_one(s, &s->events[i], s->targets.list[t], &s->processors[c], r, console))
                    return false;
    return true;
}

static void close_all(brz_event_set *s)
{
    for (size_t i = 0; i < s->n_fds; i++)
        close(s->fds[i].fd);
    s->n_fds = 0;
    for (size_t i = 0; i < s->n; i++)
        s->events[i].n_ids = 0;
    for (size_t c = 0; c < s->n_processors; c++)
        s->processors[c].fd = -1;
}

/* Adds threads that the processes have created meanwhile. Returns their number. */
static size_t add_new_threads(brz_event_set *s, const brz_record_request *r)
{
    brz_targets found = {0};
    for (size_t i = 0; i < r->n_processes; i++)
        brz_targets_add_process(&found, r->processes[i]);
    size_t n = brz_targets_merge(&s->targets, &found);
    brz_targets_finish(&found);
    return n;
}

/* Opens all events, again if a thread was created meanwhile: it has events if its creator had them
 * by then. The kernel does not show whether it has them, and with a second event its samples would
 * count twice. Returns false after reporting the reason. */
static bool open_until_complete(brz_event_set *s, const brz_record_request *r, brz_console *console)
{
    size_t n = 0;
    for (unsigned i = 0; i < ATTEMPTS; i++) {
        if (i > 0)
            close_all(s);
        if (!open_all(s, r, console))
            return false;
        n = add_new_threads(s, r);
        if (n == 0)
            return true;
    }
    brz_say(console, BRZ_WARNING,
            "threads are created faster than they can be recorded: %zu or fewer may be missing", n);
    return true;
}

/* ---- rings ----------------------------------------------------------------------------------- */

static void unmap_rings(brz_event_set *s)
{
    for (size_t i = 0; i < s->n_processors; i++)
        brz_ring_unmap(&s->processors[i].ring);
}

/* Maps the rings of all processors, or none. Returns false with the reason in errno. */
static bool try_rings(brz_event_set *s, size_t pages)
{
    for (size_t i = 0; i < s->n_processors; i++) {
        brz_processor *p = &s->processors[i];
        if (p->fd < 0 || brz_ring_map(&p->ring, p->fd, pages))
            continue;
        int error = errno;
        unmap_rings(s);
        errno = error;
        return false;
    }
    return true;
}

/* Maps rings of equal size: as many pages as are permitted. Returns false after reporting the
 * reason if that fails. */
static bool map_rings(brz_event_set *s, size_t pages, brz_console *console)
{
    while (!try_rings(s, pages)) {
        if ((errno == EPERM || errno == ENOMEM) && pages > RING_PAGES_MIN) {
            pages /= 2;
            continue;
        }
        brz_buf why = {0};
        const brz_kernel_refusal refusal = {.error = errno, .limits = s->limits};
        brz_kernel_refusal_explain_ring(&refusal, &why);
        brz_say(console, BRZ_FATAL, "%s", brz_buf_text(&why));
        brz_buf_finish(&why);
        return false;
    }
    return true;
}

/* Lets all events of a processor write to its ring. */
static bool share_rings(brz_event_set *s, const brz_record_request *r, brz_console *console)
{
    for (size_t i = 0; i < s->n_fds; i++) {
        int output = s->processors[s->fds[i].processor].fd;
        if (s->fds[i].fd == output ||
            control(s->fds[i].fd, PERF_EVENT_IOC_SET_OUTPUT, (uintptr_t)output) == 0)
            continue;
        say_refusal(s, &s->events[0], r, errno, console);
        return false;
    }
    return true;
}

bool brz_event_set_open(brz_event_set *s, const brz_record_request *r, brz_console *console)
{
    if (r->cgroup != NULL && !open_cgroup(s, r->cgroup, console))
        return false;
    if (r->all || r->cgroup != NULL)
        brz_targets_add(&s->targets, -1);
    brz_targets_sort(&s->targets);
    add_processors(s);
    for (size_t i = 0; i < s->n; i++)
        if (!settle(s, &s->events[i], r, console))
            return false;
    raise_descriptors();
    size_t pages = r->call_graph == BRZ_CALL_GRAPH_DWARF ? RING_PAGES_DWARF : RING_PAGES;
    return open_until_complete(s, r, console) && map_rings(s, pages, console) &&
           share_rings(s, r, console);
}

void brz_event_set_enable(brz_event_set *s, bool on)
{
    for (size_t i = 0; i < s->n_fds; i++)
        control(s->fds[i].fd, on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
}

size_t brz_event_set_time_at(const brz_event_set *s)
{
    bool has_id = (s->events[0].attr.sample_type & PERF_SAMPLE_IDENTIFIER) != 0;
    return sizeof(struct perf_event_header) + (has_id ? 24 : 16);
}

void brz_event_set_finish(brz_event_set *s)
{
    unmap_rings(s);
    close_all(s);
    for (size_t i = 0; i < s->n; i++)
        brz_event_finish(&s->events[i]);
    if (s->cgroup >= 0)
        close(s->cgroup);
    free(s->processors);
    brz_targets_finish(&s->targets);
    free(s->fds);
}
