/* SPDX-License-Identifier: MIT */
/* Connects the viewer with a profile that grows.
 *
 * Each picture is a run of its own, with a newer profile. The run calls the output, which shows the
 * picture until a newer one is due; the terminal and what the user has chosen stay. */
#ifndef BRZ_VIEW_LIVE_H
#define BRZ_VIEW_LIVE_H

#include "base/buf.h"

struct viewer;

typedef struct brz_view_live {
    /* Returns whether a newer picture is there. Also called while the picture is paused. */
    bool (*is_due)(void *context, bool is_paused);

    /* Shows only what is added from now on. */
    void (*reset)(void *context);

    /* Shows the last seconds, or all. Appends a message that says so. */
    void (*turn)(void *context, brz_buf *message);

    /* Appends what the picture shows: a few words. */
    void (*describe)(void *context, bool is_paused, brz_buf *b);

    void *context;
    struct viewer *viewer; /* between pictures; NULL before the first one */
    bool is_closed;        /* the user has quit, or the terminal is gone */
} brz_view_live;

#endif
