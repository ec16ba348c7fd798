/* Pushes the frames of call chains. */
#ifndef PERF_DATA_CHAIN_H
#define PERF_DATA_CHAIN_H

#include "recording.h"
#include "sample.h"

/* Modes of the processor, as in the header of records. */
enum { MODE_UNKNOWN, MODE_KERNEL, MODE_USER, MODE_HV, MODE_GUEST_KERNEL, MODE_GUEST_USER };

/* The content of a call chain. */
typedef struct chain_end {
    uint64_t n_user;  /* addresses of user code */
    bool is_deferred; /* the user part follows in a record of its own, which has the cookie */
    uint64_t cookie;
} chain_end;

/* Pushes the frames of a sample's call chain, leaf first. `mode` is that of the sample. */
chain_end chain_push(recording *p, const thread *of, const event *v, const sample *s,
                     uint32_t mode);

/* Pushes the frames of the user part of a call chain: `n` words. */
void chain_push_user(recording *p, const thread *of, const uint8_t *words, uint64_t n);

/* Pushes the frames of an address. The instruction of a call lies before the address to which it
 * returns. Returns the entry of the address; the next call may replace it. */
known_code *chain_push_address(recording *p, const thread *of, uint32_t mode, uint64_t ip,
                               bool is_caller);

#endif
