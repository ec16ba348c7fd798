/* SPDX-License-Identifier: MIT */
/* Makes the graphs of a change of the picture on a thread, while the viewer answers keys. */
#ifndef BRZ_VIEW_MAKING_H
#define BRZ_VIEW_MAKING_H

#include <pthread.h>

#include "view/places.h"

typedef enum view_change_kind {
    VIEW_CHANGE_ORDER,
    VIEW_CHANGE_REVERSE,
    VIEW_CHANGE_HIDE,
    VIEW_CHANGE_FOCUS,
    VIEW_CHANGE_WEIGHT,
    VIEW_CHANGE_SANDWICH,
    VIEW_CHANGE_FOLD,
} view_change_kind;

/* A change that is being made. Its graphs are read meanwhile, and not destroyed. */
typedef struct view_making {
    view_change_kind kind;
    view_graph *from, *other; /* the graphs that change; `other` may be NULL */
    uint32_t frame;           /* the function that is hidden or shown */
    uint32_t column;          /* of the weight */
    view_place place;         /* that will be shown; the thread adds its graphs */
    bool replaces;            /* the present place, which is not remembered */
    atomic_bool stop, done;
    pthread_t thread;
    bool has_thread;
} view_making;

/* Starts making the graphs of a change; `m` stays where it is. Small ones are made when it returns.
 */
void view_making_start(view_making *m);

/* Returns whether the graphs are made. */
bool view_making_is_done(const view_making *m);

/* Waits until the thread has ended. */
void view_making_wait(view_making *m);

/* Makes the thread end early, waits for that, and drops the graphs. */
void view_making_cancel(view_making *m);

#endif
