/* SPDX-License-Identifier: MIT */
/* Provides the random keys of the host's hash tables. They are generated once per process, so that
 * no input can be crafted to cause collisions; see <brazier/text/hash.h>. */
#ifndef BRZ_HASH_H
#define BRZ_HASH_H

#include <brazier/text/hash.h>

/* Returns a random number, the same for the whole process. */
uint64_t brz_hash_seed(void);

/* Returns the keys that are derived from the seed. */
const brz_hash_keys *brz_hash_host_keys(void);

/* Hashes a text with the host's keys. Reads nothing outside of the text. */
uint64_t brz_hash(brz_str s);

#endif
