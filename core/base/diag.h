/* What the user is told: errors, warnings and notes, with their place in a file.
 *
 * Reports about input are counted by their code: the first of each is printed with its line and a
 * caret, the others as a number. They are collected per thread and put into input order before
 * anything is printed, so that nothing depends on the number of threads.
 */
#ifndef BRZ_DIAG_H
#define BRZ_DIAG_H

#include <brazier/plugin.h>

#include <stdatomic.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/buf.h"

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
    uint64_t nth;    /* which of those with this code it is, from 1; 0: not one of several */
    uint64_t total;  /* then: how often those happened */
    uint64_t kept;   /* then: how many of them have a place, and are told of one by one */
    brz_str input;   /* the file's name */
    const brz_component *component; /* that reports it; NULL: the host */
} brz_notice;

#define BRZ_NO_OFFSET UINT64_MAX

/* Shows a line from about `from` on, with the place at `at`, and no part of a character. */
void brz_notice_show_line(brz_notice *r, brz_str line, size_t from, size_t at);

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
    FILE *out;            /* where they are printed; NULL: nowhere */
    int verbosity;        /* -1: errors only; 0: warnings and notes; 1: every place; 2: debugging */
    bool color;           /* it is a terminal */
    atomic_size_t errors; /* said so far */
    /* Who is told instead; on any thread, several at once. What the notice points to goes away. */
    void (*report)(void *to, const brz_notice *notice);
    void *to;
} brz_console;

/* Says one message: "brazier: error: …". On any thread. */
void brz_say(brz_console *c, int32_t severity, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same, with a code by which programs know it: BRZ_SAYS_… */
void brz_say_code(brz_console *c, int32_t severity, const char *code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* What the host says, for programs. */
#define BRZ_SAYS_CONFIG    "host.config"    /* a configuration is not right */
#define BRZ_SAYS_COMPONENT "host.component" /* there is no such format, palette, output */
#define BRZ_SAYS_OPTION    "host.option"    /* no such option or transform, or a bad value */
#define BRZ_SAYS_PIPELINE  "host.pipeline"  /* what is read and written does not go together */
#define BRZ_SAYS_PLUGIN    "host.plugin"    /* a plug-in is not used, or gave up */
#define BRZ_SAYS_OPEN      "host.open"      /* an input cannot be opened */
#define BRZ_SAYS_READ      "host.read"      /* an input cannot be read to its end */
#define BRZ_SAYS_FORMAT    "host.format"    /* an input's format is not known */
#define BRZ_SAYS_EMPTY     "host.empty"     /* there are no samples, or none are left */
#define BRZ_SAYS_PATTERN   "host.pattern"   /* an expression hits a limit on a frame's name */
#define BRZ_SAYS_WEIGHT    "host.weight"    /* the input has no such weight */
#define BRZ_SAYS_WRITE     "host.write"     /* an output cannot be written */
#define BRZ_SAYS_LIMIT     "host.limit"     /* the run takes more memory or time than it may */

/* Says a message about a place: "FILE:LINE:COL: warning: …", the line and a caret. What it may hold
 * of an input is made printable, and its count is put into the message. */
void brz_say_notice(brz_console *c, const brz_notice *report);

/* Says sorted reports: all that are kept of each code, numbered, with how many there were. (Printed
 * is the first, and how many more there were.) */
void brz_say_notices(brz_console *c, const brz_notices *r);

/* Appends a notice as it is printed, a newline behind each line; nothing if so many of its code are
 * not shown. Its texts are printable already. */
void brz_notice_print(const brz_notice *r, int verbosity, bool color, brz_buf *b);

/* Appends text that can be printed on a terminal: control characters and malformed UTF-8 are
 * spelled out. */
void brz_add_printable(brz_buf *b, brz_str s);

#endif
