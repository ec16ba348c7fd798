/* SPDX-License-Identifier: MIT */
/* Checks outputs that are one JSON text, or lines of JSON. */
#include "fuzz.h"
#include "output.h"

void fuzz_check_output(const fuzz_written *w)
{
    const char *fault = fuzz_json_fault(w->bytes);
    FUZZ_REQUIRE(fault == NULL, "no JSON from byte %zu on: %.*s", (size_t)(fault - w->bytes.data),
                 40, fault);
}
