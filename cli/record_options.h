/* SPDX-License-Identifier: MIT */
/* The options of `brazier record`. */
#ifndef BRZ_CLI_RECORD_OPTIONS_H
#define BRZ_CLI_RECORD_OPTIONS_H

#include "cli.h"
#include "record/request.h"

/* The part of the words that a request takes. With --post-process there are two requests. */
typedef enum cli_record_part {
    CLI_RECORD_WHOLE,
    CLI_RECORD_FOLD, /* options about the input and the stacks */
    CLI_RECORD_DRAW, /* options about outputs */
    CLI_RECORD_VIEW, /* those about the picture in the terminal */
} cli_record_part;

/* The command line of `brazier record`. */
typedef struct cli_record {
    brz_record_request request;
    const char **outputs;
    size_t n_outputs, outputs_cap; /* 0: the default one */
    const char *to;                /* the format; NULL: not given */
    const char *save;              /* file of the recording; NULL: it is not kept */
    const char *post_process;
    const char *split_by;
    uint64_t every, keep;                  /* of continuous recording, in nanoseconds; 0: none */
    const char *weight;                    /* the weight to show; NULL: not given */
    const char *waits;                     /* name of an option about waits; NULL: none is given */
    bool counts_wakers, counts_wall_clock; /* the collapser has columns for these times */
    const char *wakers; /* name of an option about wake-ups; NULL: none is given */
    cli_record_part part;
    bool is_live;
    uint64_t recent; /* of --live, in nanoseconds; 0: the default */
    bool opens, ignores_status;
    bool keeps_files; /* of containers, in the build-id cache */
    bool only_checks; /* nothing is recorded: cargo brazier checks words before it builds */
    bool isolates;    /* the recording is read in isolation */
} cli_record;

extern const cli_option cli_record_options[];

/* Implements cli_take_fn; `own` of the request is a cli_record. */
cli_taken cli_record_take(cli_request *r, cli_token token, const cli_args *a);

/* Checks options that depend on each other. Returns false after reporting an error. */
bool cli_record_check(cli_record *c, brz_console *console);

void cli_record_finish(cli_record *c);

#endif
