/* The host's hash of text: seeded once per process, so that no input can be made to collide. */
#ifndef BRZ_HASH_H
#define BRZ_HASH_H

#include <brazier/base.h>

/* Random, the same for the whole process. */
uint64_t brz_hash_seed(void);

/* Reads nothing outside of the text. */
uint64_t brz_hash(brz_str s);

#endif
