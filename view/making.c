/* SPDX-License-Identifier: MIT */
/* Makes the graphs of a change of the picture on a thread. */
#include "view/making.h"

#include <time.h>

#include "base/thread.h"

/* How long starting waits: most graphs are made by then, so that the picture changes once. */
#define PAUSES 20
#define PAUSE  1000000L /* nanoseconds */

/* Folds the runs of a graph that was made, if there is one. */
static void fold(const view_making *m, view_graph **graph)
{
    if (*graph != NULL)
        *graph = view_derive_fold(*graph, m->place.order, &m->stop);
}

static void derive(view_making *m)
{
    view_order order = m->place.order;
    view_graph **pane = &m->place.pane.graph, **other = &m->place.other.graph;
    switch (m->kind) {
    case VIEW_CHANGE_ORDER:
        *pane = view_derive_order(m->from, order, &m->stop);
        if (m->other != NULL)
            *other = view_derive_order(m->other, order, &m->stop);
        break;
    case VIEW_CHANGE_REVERSE:
        *pane = view_derive_reverse(m->from, order, &m->stop);
        break;
    case VIEW_CHANGE_HIDE:
        *pane = view_derive_hide(m->from, m->frame, order, &m->stop);
        break;
    case VIEW_CHANGE_FOCUS:
        *pane = view_derive_callees(m->from, m->frame, order, &m->stop);
        break;
    case VIEW_CHANGE_WEIGHT:
        *pane = view_derive_weight(m->from, m->column, order, &m->stop);
        break;
    case VIEW_CHANGE_SANDWICH:
        *pane = view_derive_callees(m->from, m->frame, order, &m->stop);
        *other = view_derive_callers(m->from, m->frame, order, &m->stop);
        break;
    case VIEW_CHANGE_FOLD:
        *pane = m->from; /* kept for this */
        *other = m->other;
        break;
    }
}

static void make(view_making *m)
{
    derive(m);
    if (!m->place.is_open) {
        fold(m, &m->place.pane.graph);
        fold(m, &m->place.other.graph);
    }
    atomic_store(&m->done, true);
}

static void *work(void *making)
{
    make(making);
    return NULL;
}

void view_making_start(view_making *m)
{
    const struct timespec pause = {0, PAUSE};
    m->has_thread = brz_thread_start(&m->thread, work, m);
    if (!m->has_thread)
        make(m);
    for (int i = 0; i < PAUSES && !view_making_is_done(m); i++)
        nanosleep(&pause, NULL);
}

bool view_making_is_done(const view_making *m)
{
    return atomic_load(&m->done);
}

void view_making_wait(view_making *m)
{
    if (m->has_thread)
        pthread_join(m->thread, NULL);
    m->has_thread = false;
}

void view_making_cancel(view_making *m)
{
    atomic_store(&m->stop, true);
    view_making_wait(m);
    view_place_leave(&m->place, NULL);
}
