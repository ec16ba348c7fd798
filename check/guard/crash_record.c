/* SPDX-License-Identifier: MIT */
/* Records what a test was doing when its process was lost. */
#include "crash_record.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>

check_crash_record *check_crash_record_create(void)
{
    void *page = mmap(NULL, sizeof(check_crash_record), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return page == MAP_FAILED ? NULL : page;
}

void check_crash_record_destroy(check_crash_record *b)
{
    if (b != NULL)
        munmap(b, sizeof *b);
}

void check_crash_record_clear(check_crash_record *b)
{
    memset(b, 0, sizeof *b);
}

/* ---- crashes ------------------------------------------------------------------------------- */

/* State of the signal handler, which can reach only global variables. */
static check_crash_record *watched;
static struct sigaction before[2];

static void on_crash(int sig, siginfo_t *info, void *context)
{
    const struct sigaction *previous = &before[sig == SIGBUS];
    watched->fault = (uintptr_t)info->si_addr;
    watched->faulted = true;
    sigaction(sig, previous, NULL);
    if (previous->sa_flags & SA_SIGINFO)
        previous->sa_sigaction(sig, info, context);
    else
        raise(sig);
}

void check_crash_record_watch_crashes(check_crash_record *b)
{
    struct sigaction action = {.sa_sigaction = on_crash,
                               .sa_flags = (int)(SA_SIGINFO | SA_ONSTACK | SA_NODEFER)};
    watched = b;
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, &before[0]);
    sigaction(SIGBUS, &action, &before[1]);
}

/* ---- areas --------------------------------------------------------------------------------- */

size_t check_crash_record_add_area(check_crash_record *b, uintptr_t start, uintptr_t end,
                                   unsigned clause)
{
    size_t i = 0;
    for (; i < CHECK_CRASH_AREAS - 1; i++) {
        uintptr_t none = 0;
        if (atomic_compare_exchange_strong(&b->areas[i].end, &none, end))
            break;
    }
    b->areas[i].start = start;
    b->areas[i].clause = clause;
    return i;
}

void check_crash_record_drop_area(check_crash_record *b, size_t area)
{
    atomic_store(&b->areas[area].end, 0);
}

/* Size of the unmapped region around the memory shown to collapsers. */
#define AROUND ((uintptr_t)64 << 10)

/* Describes a faulting address that is in or near an area. Returns the violated clause, or 0. */
static unsigned explain(const check_area *a, uintptr_t fault, brz_buf *to)
{
    uintptr_t end = atomic_load(&a->end);
    bool shown = a->clause == 35;
    if (end == 0 || fault + AROUND < a->start || fault >= end + AROUND)
        return 0;
    if (fault >= a->start && fault < end) {
        brz_buf_add_text(to, "it wrote to what it may only read");
        return a->clause;
    }
    if (shown)
        brz_buf_add_text(to, fault >= end
                                 ? "it went beyond the 64 bytes after what it was shown"
                                 : "it went beyond the 4 KiB in front of what it was shown");
    return shown ? 34 : 0;
}

unsigned check_crash_record_explain(const check_crash_record *b, brz_buf *to)
{
    unsigned clause = 0;
    for (size_t i = 0; i < CHECK_CRASH_AREAS && b->faulted && clause == 0; i++)
        clause = explain(&b->areas[i], b->fault, to);
    return clause;
}
