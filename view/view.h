/* SPDX-License-Identifier: MIT */
/* The viewer as an output of a run: shows the finished call tree in the terminal until the user
 * quits.
 *
 * As an output it receives what every output does: the call tree, the colours of the run's palettes
 * and the word when to stop. It is no plug-in, since it needs the terminal's keys. It is a module
 * of the program, loaded by the commands that use it, so that others do not load ncurses. */
#ifndef BRZ_VIEW_VIEW_H
#define BRZ_VIEW_VIEW_H

#include "base/buf.h"
#include "base/mem.h"
#include "base/terminal_guard.h"
#include "plugin/loaded.h"
#include "view/live.h"

/* File name of the module. */
#define BRZ_VIEW_MODULE "view.so"

/* The viewer. */
typedef struct brz_view {
    const char *version; /* of the program that it belongs to */
    const brz_loaded *output;

    /* The output for a profile that grows. What it gets in place of options is the address of a
     * pointer to a brz_view_live. */
    const brz_loaded *live_output;

    /* Gives the terminal back after the last profile. */
    void (*close_live)(brz_view_live *live);

    /* Checks that the viewer can use the terminal. Returns false and appends the reason to `error`
     * if not. */
    bool (*check)(brz_buf *error);

    /* Returns what gives the terminal back if the program ends in the middle of its work. */
    brz_terminal_guard *(*guard)(void);

    /* Sets what ends the program without memory: a module has its own allocator. */
    void (*set_out_of_memory)(brz_out_of_memory_fn *f);
} brz_view;

/* Returns the viewer, in the program or the module that contains it. */
typedef const brz_view *brz_view_entry(void);
brz_view_entry brz_view_linked;

/* Finds or loads the viewer, which stays loaded. Returns NULL and appends the reason to `error` if
 * there is none. */
const brz_view *brz_view_load(brz_buf *error);

#endif
