/* SPDX-License-Identifier: MIT */
/* Waits until rings fill. */
#include "record/ring_wait.h"

#include <errno.h>
#include <stdlib.h>

#include "base/mem.h"

/* Number of descriptors before the rings. */
#define OTHERS 2

/* Lets the next event of a processor, from a position on, stand for its ring. */
static void choose(brz_ring_wait *w, size_t processor, size_t from)
{
    const brz_event_set *s = w->set;
    size_t i = from;
    while (i < s->n_fds && s->fds[i].processor != processor)
        i++;
    w->at[processor] = i;
    w->polls[processor + OTHERS] =
        (struct pollfd){.fd = i < s->n_fds ? s->fds[i].fd : -1, .events = POLLIN};
}

void brz_ring_wait_init(brz_ring_wait *w, const brz_event_set *s, int first, int second)
{
    *w = (brz_ring_wait){.set = s,
                         .polls = brz_calloc(s->n_processors + OTHERS, sizeof *w->polls),
                         .at = brz_calloc(s->n_processors + 1, sizeof *w->at)};
    w->polls[0] = (struct pollfd){.fd = first, .events = POLLIN};
    w->polls[1] = (struct pollfd){.fd = second, .events = POLLIN | POLLRDHUP};
    for (size_t i = 0; i < s->n_processors; i++)
        choose(w, i, 0);
}

/* Replaces descriptors whose threads have ended. Returns whether any is left. */
static bool replace_ended(brz_ring_wait *w)
{
    bool any = false;
    for (size_t i = 0; i < w->set->n_processors; i++) {
        const struct pollfd *p = &w->polls[i + OTHERS];
        if (p->fd >= 0 && (p->revents & (POLLHUP | POLLERR | POLLNVAL)) != 0)
            choose(w, i, w->at[i] + 1);
        any |= p->fd >= 0;
    }
    return any;
}

bool brz_ring_wait_for(brz_ring_wait *w, int timeout)
{
    int n = poll(w->polls, (nfds_t)w->set->n_processors + OTHERS, timeout);
    if (n < 0)
        return errno == EINTR;
    return replace_ended(w);
}

void brz_ring_wait_finish(brz_ring_wait *w)
{
    free(w->polls);
    free(w->at);
    *w = (brz_ring_wait){0};
}
