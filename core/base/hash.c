/* The host's hash of text. */
#include "base/hash.h"

#include <brazier/text/hash.h>

#include <pthread.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

static uint64_t seed;
static pthread_once_t seeded = PTHREAD_ONCE_INIT;

static void make_seed(void)
{
    struct timespec now;
    if (getentropy(&seed, sizeof seed) == 0)
        return;
    clock_gettime(CLOCK_MONOTONIC, &now);
    seed = brz_mix((uint64_t)now.tv_nsec ^ BRZ_HASH_K1, (uint64_t)(uintptr_t)&now);
}

uint64_t brz_hash_seed(void)
{
    pthread_once(&seeded, make_seed);
    return seed;
}

uint64_t brz_hash(brz_str s)
{
    uint64_t h = brz_hash_seed() ^ s.len * BRZ_HASH_K2;
    for (; s.len >= 16; s.data += 16, s.len -= 16)
        h = brz_mix(brz_load64(s.data) ^ h, brz_load64(s.data + 8) ^ BRZ_HASH_K1);
    char tail[16] = {0};
    if (s.len > 0)
        memcpy(tail, s.data, s.len);
    return brz_mix(brz_mix(brz_load64(tail) ^ h, brz_load64(tail + 8) ^ BRZ_HASH_K3), BRZ_HASH_K2);
}
