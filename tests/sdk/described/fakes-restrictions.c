/* SPDX-License-Identifier: MIT */
/* Lets the calls that restrict its process succeed without an effect, while it is loaded. Its
 * collapser tells whether it can read files afterwards. */
#define _GNU_SOURCE
#include <brazier/plugin.h>

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ANSWER(call)                                                                               \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO)

/* A folder that is open from the beginning. */
static int folder = -1;

__attribute__((constructor)) static void begin(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        ANSWER(__NR_seccomp),
        ANSWER(__NR_prctl),
        ANSWER(__NR_prlimit64),
        ANSWER(444), /* landlock_create_ruleset */
        ANSWER(446), /* landlock_restrict_self */
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {sizeof code / sizeof *code, code};
    syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter);
    folder = open("/usr", O_RDONLY | O_DIRECTORY);
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    int fd = openat(folder, "bin/env", O_RDONLY);
    brz_frame frame = fd >= 0 ? ctx->host->intern(ctx, "it reads", 8)
                              : ctx->host->intern(ctx, "it cannot read", 14);
    if (fd >= 0)
        close(fd);
    *used = chunk->len;
    return ctx->host->emit(ctx, &frame, 1, 1, 0);
}

static const brz_collapser collapser = {.struct_size = sizeof collapser, .parse = parse};

static const brz_component component = {.struct_size = sizeof component,
                                        .kind = BRZ_COLLAPSER,
                                        .id = "zoo",
                                        .summary = "fakes restrictions",
                                        .vtable = &collapser};

static const brz_component *const components[] = {&component, NULL};

BRZ_PLUGIN("fakes", "1", "MIT", "", components)
