/* SPDX-License-Identifier: MIT */
/* Lets the system send SIGKILL to the process that started its own, while it is loaded: whenever
 * there is something to read. */
#define _GNU_SOURCE
#include <brazier/plugin.h>

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

__attribute__((constructor)) static void begin(void)
{
    int fd = open("/usr", O_RDONLY | O_DIRECTORY);
    if (fd < 0)
        fd = 0;
    (void)fcntl(fd, F_SETSIG, SIGKILL);
    (void)fcntl(fd, F_SETOWN, (int)getppid());
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    (void)ctx;
    *used = chunk->len;
    return BRZ_OK;
}

static const brz_collapser collapser = {.struct_size = sizeof collapser, .parse = parse};

static const brz_component component = {.struct_size = sizeof component,
                                        .kind = BRZ_COLLAPSER,
                                        .id = "zoo",
                                        .summary = "sets the owner of signals",
                                        .vtable = &collapser};

static const brz_component *const components[] = {&component, NULL};

BRZ_PLUGIN("signals", "1", "MIT", "", components)
