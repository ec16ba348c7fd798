/* SPDX-License-Identifier: MIT */
/* Checks outputs that are lines of JSON: an object in each. */
#include "fuzz.h"
#include "output.h"

#include <string.h>

void fuzz_check_output(const fuzz_written *w)
{
    const char *p = w->bytes.data, *end = p + w->bytes.len, *newline;
    for (; p < end; p = newline + 1) {
        newline = memchr(p, '\n', (size_t)(end - p));
        FUZZ_REQUIRE(newline != NULL, "no last line break");
        FUZZ_REQUIRE(*p == '{', "a line that is no object");
        const char *fault = fuzz_json_fault(brz_str_of(p, (size_t)(newline - p)));
        FUZZ_REQUIRE(fault == NULL, "no JSON: %.*s", 40, fault);
    }
}
