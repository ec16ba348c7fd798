/* SPDX-License-Identifier: MIT */
/* Reports diagnostics to the user: errors, warnings and notes with their position in a file.
 *
 * Reports about input are counted by their code: the first of each is printed with its line and a
 * caret, the others as a number. They are collected per thread and sorted into input order before
 * anything is printed, so that the output does not depend on the number of threads.
 */
#ifndef BRZ_DIAG_H
#define BRZ_DIAG_H

#include <brazier/plugin.h>

#include <stdatomic.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/buf.h"

/* Records of the input, such as samples or rows, that are missing from the result. */
typedef struct brz_left_out {
    uint64_t records;
    uint64_t weighed;  /* number of records that `weight` covers */
    int64_t weight;    /* in units of 10^-decimals of the first column's unit */
    uint32_t decimals; /* at most 9 */
} brz_left_out;

/* Adds `from` to `to`, in the decimals of the more precise one. Sums stay at the limits of their
 * types. */
void brz_left_out_add(brz_left_out *to, const brz_left_out *from);

/* A report about a position in the input. */
typedef struct brz_notice {
    int32_t severity;
    const char *code; /* counts equal reports; NULL: not counted */
    brz_str msg;
    uint64_t offset; /* position in the decoded input; BRZ_NO_OFFSET: no position */
    uint64_t line;   /* from 1; 0: not determined yet */
    uint64_t column; /* from 1, in bytes */
    uint64_t byte;   /* position in a binary input, from 1, instead of a line; 0: none */
    size_t len;      /* number of bytes concerned */
    brz_str excerpt; /* part of the line, or empty */
    size_t caret;    /* offset of the position in the excerpt */
    uint64_t count;  /* number of occurrences */
    uint64_t nth;    /* number among those with this code, from 1; 0: not one of several */
    uint64_t total;  /* with `nth`: total number of occurrences */
    uint64_t kept;   /* with `nth`: number of reports with a position, which are listed */
    brz_str input;   /* name of the file */
    brz_left_out left_out;
    const brz_component *component; /* its source; NULL: the host */
} brz_notice;

#define BRZ_NO_OFFSET UINT64_MAX

/* The beginning of the codes of findings about the quality of a profile: see report/quality.h. */
#define BRZ_FINDING "quality."

/* Returns whether a report is such a finding. */
bool brz_notice_is_finding(const brz_notice *r);

/* Sets the excerpt to the part of a line from about `from` on, with the position at `at`. Does not
 * split characters. */
void brz_notice_show_line(brz_notice *r, brz_str line, size_t from, size_t at);

/* Maximum number of reports with a position that are kept per code. */
#define BRZ_NOTICES_KEPT 8

/* A collection of reports. A zeroed one is empty. */
typedef struct brz_notices {
    brz_arena text;
    brz_notice *items;
    size_t n, cap;
    struct brz_notice_tally *tallies;
    size_t n_tallies, tallies_cap;
    brz_left_out left_out; /* sum over all reports, including those that are only counted */
} brz_notices;

struct brz_notice_tally {
    const char *code;
    brz_str msg; /* of reports without a position, which it counts, too; otherwise empty */
    uint64_t count;
    size_t kept;
    bool fatal; /* at least one of them is an error that ends the run */
};

/* Adds a copy of a report, or only counts it if enough reports with its code are kept. */
void brz_notices_add(brz_notices *r, const brz_notice *report);

/* Returns whether a report with this code would only be counted, so that its position need not be
 * determined. */
bool brz_notices_is_full(const brz_notices *r, const char *code);

/* Returns the number of occurrences of a report without a position. */
uint64_t brz_notices_count(const brz_notices *r, const brz_notice *report);

/* Returns whether any report is an error that ends the run. */
bool brz_notices_are_fatal(const brz_notices *r);

/* Returns the position of the first error that ends the run, or BRZ_NO_OFFSET. */
uint64_t brz_notices_first_fatal(const brz_notices *r);

/* Removes the reports with a position after `offset`, and no longer counts them: a run that ends
 * there has none, unless threads were ahead. */
void brz_notices_forget_after(brz_notices *r, uint64_t offset);

/* Adds all reports of `from`, without changing it. */
void brz_notices_absorb(brz_notices *r, const brz_notices *from);

/* Sorts reports by input and position; those without a position come last. */
void brz_notices_sort(brz_notices *r);

void brz_notices_finish(brz_notices *r);

/* The destination of messages, and their count. */
typedef struct brz_console {
    FILE *out;     /* file to print to; NULL: none */
    int verbosity; /* -1: errors only; 0: warnings and notes; 1: every position; 2: debugging */
    bool color;    /* use terminal colours */
    atomic_size_t errors; /* number of errors so far */
    /* Receives messages instead of `out`; on any thread, possibly concurrently. The notice is valid
     * only during the call. */
    void (*report)(void *to, const brz_notice *notice);
    void *to;
} brz_console;

/* Reports a message: "brazier: error: ...". May be called on any thread. */
void brz_say(brz_console *c, int32_t severity, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Reports a message with one of the codes BRZ_SAYS_..., for programs. */
void brz_say_code(brz_console *c, int32_t severity, const char *code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Reports a message of several lines, whose texts must be printable. */
void brz_say_lines(brz_console *c, int32_t severity, const char *code, brz_str lines);

/* The codes of the host's messages. */
#define BRZ_SAYS_CONFIG    "host.config"    /* invalid configuration */
#define BRZ_SAYS_COMPONENT "host.component" /* unknown format, palette or output */
#define BRZ_SAYS_OPTION    "host.option"    /* unknown option or transform, or a bad value */
#define BRZ_SAYS_PIPELINE  "host.pipeline"  /* inputs and outputs do not fit together */
#define BRZ_SAYS_PLUGIN    "host.plugin"    /* a plug-in is not used, or failed */
#define BRZ_SAYS_OPEN      "host.open"      /* an input cannot be opened */
#define BRZ_SAYS_READ      "host.read"      /* an input cannot be read completely */
#define BRZ_SAYS_FORMAT    "host.format"    /* the format of an input is unknown */
#define BRZ_SAYS_EMPTY     "host.empty"     /* no samples, or none left */
#define BRZ_SAYS_PATTERN   "host.pattern"   /* an expression hits a limit on a frame's name */
#define BRZ_SAYS_WEIGHT    "host.weight"    /* unknown weight */
#define BRZ_SAYS_WRITE     "host.write"     /* an output cannot be written */
#define BRZ_SAYS_LIMIT     "host.limit"     /* the run exceeds its limit on memory or time */
#define BRZ_SAYS_FULL      "host.full"      /* more tags or metadata than a profile can hold */
#define BRZ_SAYS_LEFT_OUT  "host.left-out"  /* the number of records missing from the result */
#define BRZ_SAYS_QUALITY   "host.quality"   /* the findings about the quality of the profile */
#define BRZ_SAYS_THRESHOLD "host.threshold" /* the thresholds of a comparison */

/* Reports a message about a position: "FILE:LINE:COL: warning: ...", the line and a caret. Makes
 * text from inputs printable, and replaces "{count}" in the message. */
void brz_say_notice(brz_console *c, const brz_notice *report);

/* Appends the message of a report, printable, with its count in place of "{count}". After it,
 * "{one|more}" of lower-case words stands for the first words if the count is 1, else for the
 * second ones. */
void brz_notice_add_message(brz_buf *b, const brz_notice *r);

/* Reports a sorted collection without findings: all kept reports of each code, numbered, with the
 * total. Of these, the first is printed, with the number of the others. */
void brz_say_notices(brz_console *c, const brz_notices *r);

/* Appends the number of records left out, and their weight as far as it is known. Appends nothing
 * if there are no such records. */
void brz_add_left_out(brz_buf *b, const brz_left_out *left_out, brz_str weight);

/* Reports the number of records left out, and their weight as far as it is known. `weight` names
 * the weight, unless it is empty. Reports nothing if there are no such records. */
void brz_say_left_out(brz_console *c, const brz_left_out *left_out, brz_str weight);

/* Appends a notice in its printed form, with a newline after each line; appends nothing if its code
 * has already been printed often enough. Its texts must be printable. */
void brz_notice_print(const brz_notice *r, int verbosity, bool color, brz_buf *b);

/* Appends text in a form that is safe on a terminal: escapes control characters, those that change
 * the direction of text, and malformed UTF-8. */
void brz_add_printable(brz_buf *b, brz_str s);

#endif
