/* SPDX-License-Identifier: MIT */
/* Profiles that fuzz targets make of their inputs, without a collapser. */
#ifndef BRZ_FUZZ_PROFILE_H
#define BRZ_FUZZ_PROFILE_H

#include "profile/profile.h"

/* Reads any bytes as a profile with samples in their order:
 *
 *     input  := [header] line*
 *     header := "weights:" (" " name "/" unit)*
 *     line   := frame (";" frame)* (" " number)*
 *     frame  := name ["{" module "|" file "|" line "|" kind "}"]
 *
 * "\xNN" in a name is that byte. Without a header, lines have one count, or two that are compared.
 * Numbers have up to three decimals. What does not fit is read as something else. */
brz_profile *fuzz_profile_read(const char *data, size_t size);

/* Returns the sum of a column, and sets *saturated if it left the range of 64 bits. */
int64_t fuzz_profile_sum(const brz_profile *p, uint32_t weight, bool *saturated);

/* Ends the process if a text of a stack is not well-formed UTF-8. */
void fuzz_profile_check_texts(const brz_profile *p);

#endif
