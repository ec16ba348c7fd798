/* A profile and its reports as bytes: how a child process hands over what it has read.
 *
 * Both ends are the same program on the same machine, so numbers are as they lie in memory. But the
 * child may have run somebody's broken or hostile plug-in: whoever takes believes nothing. Counts
 * allocate nothing before what they announce is there, ids are looked up, and the first fault ends
 * the taking.
 */
#ifndef BRZ_WIRE_H
#define BRZ_WIRE_H

#include "base/diag.h"
#include "profile/profile.h"

#define BRZ_WIRE_BUFFER ((size_t)64 << 10)

/* The giving end. Zero it but for `write`. */
typedef struct brz_wire_out brz_wire_out;
struct brz_wire_out {
    void (*write)(brz_wire_out *, const void *data, size_t n); /* takes all of it */
    size_t used;
    uint8_t buffer[BRZ_WIRE_BUFFER];
};

/* What is put may be given later: see brz_wire_flush. */
void brz_wire_put(brz_wire_out *w, const void *data, size_t n);
void brz_wire_put_u32(brz_wire_out *w, uint32_t v);
void brz_wire_put_u64(brz_wire_out *w, uint64_t v);
void brz_wire_put_str(brz_wire_out *w, brz_str s);

/* Gives all that there is, its order included. NULL is given as such. The profile is sealed. */
void brz_wire_put_profile(brz_wire_out *w, const brz_profile *p);
void brz_wire_put_notices(brz_wire_out *w, const brz_notices *r);

/* Gives what was put and not given yet. */
void brz_wire_flush(brz_wire_out *w);

/* The taking end. Zero it but for `read` and `left`. */
typedef struct brz_wire_in brz_wire_in;
struct brz_wire_in {
    size_t (*read)(brz_wire_in *, void *to, size_t n); /* up to n bytes; 0: there are no more */
    uint64_t left;                                     /* more bytes than these are a fault */
    const char *fault;                                 /* the first one, in words; NULL: none */
    size_t at, end;
    uint8_t buffer[BRZ_WIRE_BUFFER];
};

/* True if nothing more comes, without a fault. */
bool brz_wire_is_at_end(brz_wire_in *w);

/* Remembers a fault unless there was one; returns false. */
bool brz_wire_reject(brz_wire_in *w, const char *why);

/* These return false once there is a fault, and then leave what they would set as it is. */
bool brz_wire_take(brz_wire_in *w, void *to, size_t n);
bool brz_wire_take_u32(brz_wire_in *w, uint32_t *v);
bool brz_wire_take_u64(brz_wire_in *w, uint64_t *v);
/* Replaces what is in `b`. */
bool brz_wire_take_str(brz_wire_in *w, brz_buf *b);

/* *p becomes a new profile, or NULL if that was given. */
bool brz_wire_take_profile(brz_wire_in *w, brz_profile **p);
/* Adds what was given to `into`. */
bool brz_wire_take_notices(brz_wire_in *w, brz_notices *into);

#endif
