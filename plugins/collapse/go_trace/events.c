/* SPDX-License-Identifier: MIT */
/* The kinds of events of execution traces. */
#include "events.h"

#define PLAIN(n_)                                                                                  \
    {                                                                                              \
        .n = (n_)                                                                                  \
    }

/* ---- Go 1.22 and later ------------------------------------------------------------------- */

const go_kind go_kinds[GO_KINDS] = {
    [9] = PLAIN(3),  /* number of processors */
    [10] = PLAIN(3), /* a processor starts, stops, is stolen, is in a state */
    [11] = PLAIN(1),
    [12] = PLAIN(4),
    [13] = PLAIN(3),
    [14] = {4, GO_CREATE, 1, 0, 3, 2, GO_RUNNABLE},
    [15] = {2, GO_CREATE_IN_SYSCALL, 1, 0, 0, 0, GO_IN_SYSCALL},
    [16] = {3, GO_START, 1, 2, 0, 0, 0},
    [17] = {1, GO_END, 0, 0, 0, 0, 0},
    [18] = {1, GO_END, 0, 0, 0, 0, 0},
    [19] = {3, GO_STOP, 0, 0, 2, 1, 0},
    [20] = {3, GO_BLOCK, 0, 0, 2, 1, 0},
    [21] = {4, GO_UNBLOCK, 1, 2, 3, 0, 0},
    [22] = {3, GO_SYSCALL, 0, 0, 2, 0, 0},
    [23] = {1, GO_SYSCALL_END, 0, 0, 0, 0, 0},
    [24] = {1, GO_SYSCALL_EXIT_OWN, 0, 0, 0, 0, 0},
    [25] = {4, GO_STATUS, 1, 0, 0, 3, 0},
    [26] = PLAIN(3), /* the world stops */
    [27] = PLAIN(1),
    [28] = PLAIN(2), /* garbage collection, sweeping, assistance */
    [29] = PLAIN(3),
    [30] = PLAIN(2),
    [31] = PLAIN(2),
    [32] = PLAIN(2),
    [33] = PLAIN(3),
    [34] = PLAIN(2),
    [35] = PLAIN(2),
    [36] = PLAIN(1),
    [37] = PLAIN(2), /* size of the heap, and its goal */
    [38] = PLAIN(2),
    [39] = PLAIN(2), /* label, tasks, regions, log */
    [40] = PLAIN(5),
    [41] = PLAIN(3),
    [42] = PLAIN(4),
    [43] = PLAIN(4),
    [44] = PLAIN(5),
    [45] = {3, GO_SWITCH, 1, 2, 0, 0, 0},
    [46] = {3, GO_SWITCH_END, 1, 2, 0, 0, 0},
    [47] = {4, GO_CREATE, 1, 0, 3, 2, GO_WAITING},
    [48] = {5, GO_STATUS, 1, 0, 4, 3, 0},
    [128] = PLAIN(4), /* experiment: spans, objects and stacks in memory */
    [129] = PLAIN(4),
    [130] = PLAIN(2),
    [131] = PLAIN(3),
    [132] = PLAIN(3),
    [133] = PLAIN(2),
    [134] = PLAIN(3),
    [135] = PLAIN(3),
    [136] = PLAIN(2),
};

/* ---- Go up to 1.21 ----------------------------------------------------------------------- */

/* An old kind, since a version of Go. */
typedef struct old_kind {
    go_kind kind;
    uint32_t since;
} old_kind;

static const old_kind old_kinds[] = {
    [4] = {PLAIN(3), 5}, /* number of processors; a processor starts, stops */
    [5] = {PLAIN(2), 5},
    [6] = {PLAIN(1), 5},
    [7] = {PLAIN(3), 7}, /* garbage collection; the world stops; sweeping */
    [8] = {PLAIN(1), 5},
    [9] = {PLAIN(2), 10},
    [10] = {PLAIN(1), 5},
    [11] = {PLAIN(2), 5},
    [12] = {PLAIN(3), 9},
    [13] = {{4, GO_CREATE, 1, 0, 3, 2, GO_RUNNABLE}, 5},
    [14] = {{3, GO_START, 1, 2, 0, 0, 0}, 7},
    [15] = {{1, GO_END, 0, 0, 0, 0, 0}, 5},
    [16] = {{2, GO_END, 0, 0, 1, 0, GO_FOREVER}, 5},
    [17] = {{2, GO_STOP, 0, 0, 1, 0, GO_YIELD}, 5},
    [18] = {{2, GO_STOP, 0, 0, 1, 0, GO_PREEMPTED}, 5},
    [19] = {{2, GO_BLOCK, 0, 0, 1, 0, GO_SLEEP}, 5},
    [20] = {{2, GO_BLOCK, 0, 0, 1, 0, GO_NO_REASON}, 5},
    [21] = {{4, GO_UNBLOCK, 1, 2, 3, 0, 0}, 7},
    [22] = {{2, GO_BLOCK, 0, 0, 1, 0, GO_CHAN_SEND}, 5},
    [23] = {{2, GO_BLOCK, 0, 0, 1, 0, GO_CHAN_RECEIVE}, 5},
    [24] = {{2, GO_BLOCK, 0, 0, 1, 0, GO_SELECT}, 5},
    [25] = {{2, GO_BLOCK, 0, 0, 1, 0, GO_SYNC}, 5},
    [26] = {{2, GO_BLOCK, 0, 0, 1, 0, GO_COND}, 5},
    [27] = {{2, GO_BLOCK, 0, 0, 1, 0, GO_NETWORK}, 5},
    [28] = {{2, GO_SYSCALL, 0, 0, 1, 0, 0}, 5},
    [29] = {{4, GO_SYSCALL_EXIT, 1, 2, 0, 3, 0}, 5},
    [30] = {{1, GO_SYSCALL_LEAVE, 0, 0, 0, 0, 0}, 5},
    [31] = {{2, GO_STATUS, 1, 0, 0, 0, GO_WAITING}, 5},
    [32] = {{2, GO_STATUS, 1, 0, 0, 0, GO_IN_SYSCALL}, 5},
    [33] = {PLAIN(2), 5}, /* size of the heap, and its goal */
    [34] = {PLAIN(2), 5},
    [36] = {PLAIN(1), 5}, /* the last wake-up was futile */
    [38] = {{2, GO_START, 1, 0, 0, 0, 0}, 7},
    [39] = {{3, GO_UNBLOCK, 1, 0, 2, 0, 0}, 7},
    [40] = {{3, GO_SYSCALL_EXIT, 1, 0, 0, 2, 0}, 7},
    [41] = {{4, GO_START, 1, 2, 0, 0, 0}, 8},
    [42] = {{2, GO_BLOCK, 0, 0, 1, 0, GO_ASSIST}, 8},
    [43] = {PLAIN(2), 9}, /* assistance to garbage collection */
    [44] = {PLAIN(1), 9},
    [45] = {PLAIN(5), 11}, /* tasks, regions, log */
    [46] = {PLAIN(3), 11},
    [47] = {PLAIN(5), 11},
    [48] = {PLAIN(4), 11},
    [49] = {{5, GO_SAMPLE, 3, 0, 4, 1, 0}, 19},
};

/* Kinds that had fewer arguments before the version that the table above states. */
static const go_kind older_kinds[] = {
    [7] = PLAIN(2),
    [9] = PLAIN(1),
    [12] = PLAIN(1),
    [14] = {2, GO_START, 1, 0, 0, 0, 0},
    [21] = {3, GO_UNBLOCK, 1, 0, 2, 0, 0},
};

const go_kind *go_old_kind_of(uint8_t type, uint32_t version)
{
    if (type >= BRZ_COUNT_OF(old_kinds) || old_kinds[type].kind.n == 0)
        return NULL;
    if (version >= old_kinds[type].since)
        return &old_kinds[type].kind;
    return type < BRZ_COUNT_OF(older_kinds) && older_kinds[type].n > 0 ? &older_kinds[type] : NULL;
}

/* ---- reasons ----------------------------------------------------------------------------- */

brz_str go_reason_text(go_reason reason)
{
    static const char *const texts[GO_N_REASONS] = {
        "",        "forever",           "preempted",    "runtime.Gosched",
        "sleep",   "chan send",         "chan receive", "select",
        "sync",    "sync.(*Cond).Wait", "network",      "GC mark assist wait for work",
        "syscall",
    };
    return brz_str_of_text(texts[reason]);
}
