/* SPDX-License-Identifier: MIT */
/* Looks at a profile while its input is read. */
#ifndef BRZ_WATCH_H
#define BRZ_WATCH_H

#include "profile/profile.h"

typedef struct brz_watch {
    /* Called after each piece of the input, on the thread that reads it, also by the functions that
     * the input comes from. The profile stays where it is until the input has ended. */
    void (*look)(void *context, const brz_profile *profile);
    void *context;
} brz_watch;

#endif
