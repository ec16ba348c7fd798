/* SPDX-License-Identifier: MIT */
/* An input of a run: where its bytes come from. */
#ifndef BRZ_INPUT_H
#define BRZ_INPUT_H

#include "base/beneath.h"
#include "input/stream.h"

struct brz_profile;

/* The source of an input's bytes. */
typedef enum brz_input_kind {
    BRZ_INPUT_FILE, /* a file or pipe; "-" is standard input */
    BRZ_INPUT_MEMORY,
    BRZ_INPUT_FUNCTION,
    BRZ_INPUT_DESCRIPTOR, /* an open regular file, which the run does not close */
    BRZ_INPUT_PROFILE,    /* a profile that another run has read */
} brz_input_kind;

typedef struct brz_input {
    brz_input_kind kind;
    const char *name;  /* path of the file; for other inputs, the name in messages */
    brz_inside inside; /* location of a file that must lie below some folder */
    int fd;            /* descriptor of an open file */
    const void *data;  /* bytes in memory */
    size_t len;
    brz_read_fn *read; /* function that returns the bytes */
    void *context;
    bool is_live;                 /* the function returns bytes while they arrive */
    struct brz_profile **profile; /* profile that the run takes over */
} brz_input;

#endif
