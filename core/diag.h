/* What the user is told: errors, warnings and notes, with their place in a file.
 *
 * Reports about input are counted by their code: the first of each is printed with its line and a
 * caret, the others as a number. They are collected per thread and put into input order before
 * anything is printed, so that nothing depends on the number of threads.
 */
#ifndef BRZ_DIAG_H
#define BRZ_DIAG_H

#include <brazier/host.h>

#include <stdatomic.h>
#include <stdio.h>

#include "arena.h"
#include "buf.h"

/* A report about a place in the input. */
typedef struct brz_notice {
    int32_t severity;
    const char *code; /* what equal reports are counted by; NULL: alone of its sort */
    brz_str msg;
    uint64_t offset; /* of the place, in the decoded input; BRZ_NO_OFFSET: no place */
    uint64_t line;   /* from 1; 0: not found yet */
    uint64_t column; /* from 1, in bytes */
    size_t len;      /* bytes meant */
    brz_str excerpt; /* of the line, or empty */
    size_t caret;    /* where in the excerpt the place is */
    uint64_t count;  /* how often it happened */
    brz_str input;   /* the file's name */
} brz_notice;

#define BRZ_NO_OFFSET UINT64_MAX

/* At most this many of one code are kept with their places. */
#define BRZ_NOTICES_KEPT 8

/* Collects reports; a zeroed one is empty and ready. */
typedef struct brz_notices {
    brz_arena text;
    brz_notice *items;
    size_t n, cap;
    struct brz_notice_tally *tallies;
    size_t n_tallies, tallies_cap;
} brz_notices;

struct brz_notice_tally {
    const char *code;
    brz_str msg; /* of reports without a place, which are counted by it too; else empty */
    uint64_t count;
    size_t kept;
    bool fatal; /* one of them is an error that ends the run */
};

/* Adds a copy of a report, or counts it only if enough of its code are kept. */
void brz_notices_add(brz_notices *r, const brz_notice *report);

/* True if a report of that code would only be counted: it need not say where. */
bool brz_notices_is_full(const brz_notices *r, const char *code);

/* True if one of them is an error that ends the run. */
bool brz_notices_are_fatal(const brz_notices *r);

/* Adds all of `from`, which stays as it is. */
void brz_notices_absorb(brz_notices *r, const brz_notices *from);

/* By input, then place; those without a place last. */
void brz_notices_sort(brz_notices *r);

void brz_notices_finish(brz_notices *r);

/* Where messages go, and how many of them. */
typedef struct brz_console {
    FILE *out;            /* stderr */
    int verbosity;        /* -1: errors only; 0: warnings and notes; 1: every place; 2: debugging */
    bool color;           /* it is a terminal */
    atomic_size_t errors; /* printed so far */
    /* Takes messages, without a place, instead of their being printed; NULL: nobody does. */
    void (*relay)(void *context, int32_t severity, brz_str text);
    void *relay_context;
} brz_console;

/* Prints one message: "brazier: error: …". On any thread. */
void brz_say(brz_console *c, int32_t severity, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Prints a message about a place: "FILE:LINE:COL: warning: …", the line and a caret. */
void brz_say_notice(brz_console *c, const brz_notice *report);

/* Prints sorted reports, the first of each code in full and how many more there were. */
void brz_say_notices(brz_console *c, const brz_notices *r);

/* Appends text that can be printed on a terminal: control characters and malformed UTF-8 are
 * spelled out. */
void brz_add_printable(brz_buf *b, brz_str s);

#endif
