/* SPDX-License-Identifier: MIT */
/* Shows a recording in the terminal while it is made.
 *
 * Three threads work: the recorder appends to a file; the reader folds what is there, frees it, and
 * now and then copies the profile; the viewer shows the newest copy, with a pipeline and a session
 * of its own, so that the two runs share nothing. A copy is made only when the viewer has shown the
 * one before, so a slow terminal delays nothing. */
#ifndef CLI_LIVE_VIEW_H
#define CLI_LIVE_VIEW_H

#include "cli.h"
#include "collapse/watch.h"
#include "profile/recent.h"
#include "view/view.h"

typedef struct cli_live_view {
    const brz_view *view;
    brazier_session *session;
    cli_request request; /* the viewer's */
    brz_view_live live;
    brz_view_live *live_at;
    brz_watch watch;

    /* The recording. */
    int file;
    bool is_kept; /* what is read is not freed */
    uint64_t at, freed;
    int error; /* why the rest cannot be read, as errno; 0: it can */
    int (*read)(void *context);
    void *context;
    int status; /* of `read` */
    pthread_t reader, viewer;
    bool is_reading, is_viewing;

    /* Used by the reader only. */
    const brz_profile *profile; /* NULL: nothing was read yet */
    brz_recent recent;
    uint64_t seconds; /* that `recent` has */
    uint64_t start, last_tick, next_copy;
    bool has_ended;

    /* Shared by the threads; those that are not atomic under the lock. */
    pthread_mutex_t lock;
    brz_profile *newest; /* not shown yet, or NULL */
    brz_profile *taken;  /* that the viewer shows */
    brz_recent_part part;
    bool is_marked, is_changed; /* the next copy begins here; is made at once */
    bool is_paused;
    atomic_bool is_complete; /* nothing will be added to the file */
    atomic_bool is_final;    /* the last copy is made */
    atomic_bool is_shown;    /* or is to be: nothing else may write to the terminal */
    atomic_bool is_free;     /* nothing else does */

    /* Text held back from the terminal. */
    int output; /* the command's output; -1: none */
    uint64_t output_freed;
    FILE *messages;
    char *text;
    size_t text_len;
} cli_live_view;

/* Prepares to show the last `seconds`, or all. `words` are those of the command, which the syntax
 * parses once more for the viewer. Returns false after reporting an error. */
bool cli_live_view_init(cli_live_view *l, brz_session *s, const cli_syntax *syntax, char **words,
                        void *own, uint64_t seconds);

/* Reads a file that grows, on a thread: `read` runs a pipeline with the input that
 * cli_live_view_add_input() adds. Starts the viewer, too. */
void cli_live_view_start(cli_live_view *l, int file, int (*read)(void *context), void *context);

void cli_live_view_add_input(cli_live_view *l, cli_request *r, const char *name);

/* Says that the file is complete. Waits until it is read and the user has quit, unless `closes`
 * ends the viewer. Returns the exit status of reading. */
int cli_live_view_end(cli_live_view *l, bool closes);

/* Prints what was held back from the terminal, and releases everything. */
void cli_live_view_finish(cli_live_view *l, brz_session *s);

/* Drops what it gets; a pipeline without files has this output. */
extern const brz_loaded cli_no_output;

#endif
