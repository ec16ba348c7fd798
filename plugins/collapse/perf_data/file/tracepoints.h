/* SPDX-License-Identifier: MIT */
/* The layouts of tracepoints' payloads, which the recording describes in the kernel's words. */
#ifndef PERF_DATA_TRACEPOINTS_H
#define PERF_DATA_TRACEPOINTS_H

#include <brazier/text/buffer.h>
#include <brazier/binary.h>

/* The tracepoints that matter here. */
enum tracepoint_kind { TRACEPOINT_OTHER, TRACEPOINT_SWITCH, TRACEPOINT_WAKE };

/* A field of a payload. */
typedef struct payload_field {
    uint32_t offset, size; /* size 0: there is no such field */
} payload_field;

/* The line of a field in a description. */
typedef struct described_field {
    brz_str name;
    uint64_t offset, size;
    bool is_signed, is_array;
} described_field;

/* Parses "\tfield:int prev_pid;\toffset:24;\tsize:4;\tsigned:1;". Returns false for other lines. */
bool tracepoints_field(brz_str line, described_field *out);

/* Removes the next line from the front of a description. */
brz_str tracepoints_line(brz_str *text);

/* Maximum number of letters of a state. */
#define STATE_LETTERS_MAX 16

/* A bit of a thread's state, and the letter that the kernel prints for it. */
typedef struct state_letter {
    uint64_t bit;
    char letter;
} state_letter;

typedef struct tracepoint {
    uint64_t id; /* the configuration of its event */
    enum tracepoint_kind kind;
    payload_field flags;                     /* of any kind */
    payload_field prev_pid, state, next_pid; /* of a switch */
    payload_field pid;                       /* of a wake-up */
    state_letter letters[STATE_LETTERS_MAX];
    uint32_t n_letters;
} tracepoint;

typedef struct tracepoints {
    tracepoint *items;
    size_t n, cap;
} tracepoints;

/* Reads the recorded descriptions; `order` of `b` does not matter. Returns false if they are
 * damaged: those before the damage are kept. */
bool tracepoints_read(tracepoints *t, brz_ctx *ctx, brz_bytes b);

/* Returns the tracepoint with an id, or NULL if it is not one that matters. */
const tracepoint *tracepoints_find(const tracepoints *t, uint64_t id);

/* Returns whether a payload has a field, and sets *value to it, without its sign. */
bool payload_value(brz_bytes payload, payload_field field, uint64_t *value);

/* Returns the letter of a thread's state: R if no bit is set that has a letter. */
char tracepoint_letter(const tracepoint *t, uint64_t state);

#endif
