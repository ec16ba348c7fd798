/* SPDX-License-Identifier: MIT */
/* Provides the random keys of the host's hash tables. */
#include "base/hash.h"

#include <pthread.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

static uint64_t seed;
static brz_hash_keys keys;
static pthread_once_t seeded = PTHREAD_ONCE_INIT;

static uint64_t random_seed(void)
{
    uint64_t random;
    struct timespec now;
    if (getentropy(&random, sizeof random) == 0)
        return random;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_nsec ^ (uint64_t)now.tv_sec << 32 ^ (uint64_t)(uintptr_t)&now;
}

static void make_seed(void)
{
    seed = random_seed();
    keys = brz_hash_keys_of(seed);
}

uint64_t brz_hash_seed(void)
{
    pthread_once(&seeded, make_seed);
    return seed;
}

const brz_hash_keys *brz_hash_host_keys(void)
{
    pthread_once(&seeded, make_seed);
    return &keys;
}

uint64_t brz_hash(brz_str s)
{
    return brz_hash_str(brz_hash_host_keys(), s);
}
