/* SPDX-License-Identifier: MIT */
/* Reads the fields of an event that Linux prints as text:
 *
 *     payload := (other | field)*
 *     field   := name "=" value | name ":" blank* value | name blank value
 *     value   := ["-"] (digits | "0x" hex-digits) [unit] | text
 *     unit    := "B" | "ns" | "us" | "ms" | " [ns]"
 *
 * as in "bytes_req=64 bytes_alloc=64", "fd: 0x00000003, count: 0x00000010" and "pos 0 len 4096".
 */
#ifndef COMMON_FIELDS_PAYLOAD_H
#define COMMON_FIELDS_PAYLOAD_H

#include <brazier/base.h>

/* A field. */
typedef struct payload_word {
    brz_str name;
    bool is_number;
    int64_t value; /* if it is one; a number that does not fit stays at the limit */
    brz_str unit;  /* as the text after the number names it, in words; empty: it does not */
} payload_word;

/* Removes the next field from the front of a payload. Returns false at the end. `is_hex`: the
 * kernel printed all numbers in hexadecimal digits without "0x". */
bool payload_next(brz_str *rest, bool is_hex, payload_word *out);

#endif
