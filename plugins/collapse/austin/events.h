/* Reads the values of austin's binary form. */
#ifndef AUSTIN_EVENTS_H
#define AUSTIN_EVENTS_H

#include <brazier/binary.h>

/* Types of events. */
enum {
    MOJO_METADATA = 1, /* text, text */
    MOJO_STACK,        /* process [interpreter, from version 3 on] thread as text */
    MOJO_FRAME,        /* key, file, function, line [line, column, column, from version 2 on] */
    MOJO_FRAME_INVALID,
    MOJO_FRAME_REFERENCE, /* key */
    MOJO_FRAME_KERNEL,    /* text */
    MOJO_GC,
    MOJO_IDLE,
    MOJO_TIME,             /* number */
    MOJO_MEMORY,           /* number */
    MOJO_STRING,           /* key, text */
    MOJO_STRING_REFERENCE, /* key */
};

#define MOJO_VERSION_COLUMNS      2
#define MOJO_VERSION_INTERPRETERS 3

/* Takes a number: six bits, the sign and a bit for more, then seven bits and a bit for more. */
int64_t mojo_take_number(brz_bytes *b);

#endif
