/* SPDX-License-Identifier: MIT */
/* From an earlier minor whose collapsers had no `merge`, `finish` and `close`. The memory after
 * the struct does not belong to it. */
#include "zoo.h"

typedef struct earlier_collapser {
    uint32_t struct_size, flags;
    size_t inst_size;
    const char *const *globs;
    const brz_magic *magics;
    uint32_t n_magics, magic_size;
    int32_t (*sniff)(const brz_head *);
    brz_rc (*prelude)(brz_ctx *, const brz_chunk *, size_t *, const void **);
    size_t (*boundary)(const void *, const uint8_t *, size_t, size_t);
    brz_rc (*open)(brz_ctx *);
    brz_rc (*parse)(brz_ctx *, const brz_chunk *, size_t *);
    void *not_merge, *not_finish, *not_close;
} earlier_collapser;

static const earlier_collapser collapser = {
    .struct_size = offsetof(earlier_collapser, not_merge),
    .sniff = sniff,
    .parse = parse,
    .not_merge = (void *)8,
    .not_finish = (void *)8,
    .not_close = (void *)8,
};
static const brz_component component = {COMPONENT};
ZOO_PLUGIN
