/* SPDX-License-Identifier: MIT */
/* Serialises a profile and its reports, with which a child process returns its results.
 *
 * Both ends are the same program on the same machine, so numbers have their native representation.
 * But the child may have run a broken or hostile plug-in, so the reader validates everything:
 * counts allocate no memory before the announced data arrives, ids are checked, and the first fault
 * ends reading.
 */
#ifndef BRZ_WIRE_H
#define BRZ_WIRE_H

#include "base/diag.h"
#include "profile/profile.h"

#define BRZ_WIRE_BUFFER ((size_t)64 << 10)

/* A writer. Zero it except for `write`. */
typedef struct brz_wire_out brz_wire_out;
struct brz_wire_out {
    void (*write)(brz_wire_out *, const void *data, size_t n); /* writes all n bytes */
    size_t used;
    uint8_t buffer[BRZ_WIRE_BUFFER];
};

/* Write a value. The data may be buffered: see brz_wire_flush(). */
void brz_wire_put(brz_wire_out *w, const void *data, size_t n);
void brz_wire_put_u32(brz_wire_out *w, uint32_t v);
void brz_wire_put_u64(brz_wire_out *w, uint64_t v);
void brz_wire_put_str(brz_wire_out *w, brz_str s);

/* Writes a profile, including the order of its contents. NULL is allowed. The profile must be
 * sealed. */
void brz_wire_put_profile(brz_wire_out *w, const brz_profile *p);
void brz_wire_put_notices(brz_wire_out *w, const brz_notices *r);

/* Writes buffered data. */
void brz_wire_flush(brz_wire_out *w);

/* A reader. Zero it except for `read` and `left`. */
typedef struct brz_wire_in brz_wire_in;
struct brz_wire_in {
    size_t (*read)(brz_wire_in *, void *to, size_t n); /* reads up to n bytes; 0: end of data */
    uint64_t left;                                     /* limit; more bytes are a fault */
    const char *fault;                                 /* description of the first fault, or NULL */
    size_t at, end;
    uint8_t buffer[BRZ_WIRE_BUFFER];
};

/* Returns whether the end was reached without a fault. */
bool brz_wire_is_at_end(brz_wire_in *w);

/* Records a fault unless there is one already. Returns false. */
bool brz_wire_reject(brz_wire_in *w, const char *why);

/* Read a value. Return false after a fault, without changing the value. */
bool brz_wire_take(brz_wire_in *w, void *to, size_t n);
bool brz_wire_take_u32(brz_wire_in *w, uint32_t *v);
bool brz_wire_take_u64(brz_wire_in *w, uint64_t *v);
/* Reads a text into `b`, replacing its contents. */
bool brz_wire_take_str(brz_wire_in *w, brz_buf *b);

/* Reads a profile. Sets *p to a new profile, or NULL if NULL was written. */
bool brz_wire_take_profile(brz_wire_in *w, brz_profile **p);
/* Reads notices and adds them to `into`. */
bool brz_wire_take_notices(brz_wire_in *w, brz_notices *into);

#endif
