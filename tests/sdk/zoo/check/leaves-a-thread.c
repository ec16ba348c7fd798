/* SPDX-License-Identifier: MIT */
/* Starts a thread that never ends.
 *
 * only: contract
 * flags: -pthread
 */
#include "animal.h"

#include <pthread.h>
#include <unistd.h>

static void *wait(void *arg)
{
    for (;;)
        pause();
    return arg;
}

static brz_rc open_instance(brz_ctx *ctx)
{
    pthread_t thread;
    (void)ctx;
    pthread_create(&thread, NULL, wait, NULL);
    return BRZ_OK;
}

COLLAPSER_ANIMAL(.open = open_instance)
