/* SPDX-License-Identifier: MIT */
/* The interface between the fuzz target for outputs (output.c) and the checks of one output. */
#ifndef BRZ_FUZZ_OUTPUT_H
#define BRZ_FUZZ_OUTPUT_H

#include "base/buf.h"
#include "draw/render.h"

/* An output's bytes and where they come from. */
typedef struct fuzz_written {
    brz_str bytes;
    const brz_profile *profile;
    const brz_subject *subject;
    bool saturated; /* a sum left the range of 64 bits */
} fuzz_written;

/* Ends the process if the bytes are not of the output's format, or say something else than the
 * profile. Each file check_*.c defines it for one format. */
void fuzz_check_output(const fuzz_written *w);

/* Returns the place of the first fault in a JSON text, by RFC 8259; NULL if it has none. */
const char *fuzz_json_fault(brz_str text);

#endif
