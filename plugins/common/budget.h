/* SPDX-License-Identifier: MIT */
/* The budget of an input: how many frames, and bytes of names and labels, it may describe. Names
 * may be shared by any number of frames, so a small hostile file could describe an enormous
 * profile. Real profiles use a small part of the budget. */
#ifndef COMMON_BUDGET_H
#define COMMON_BUDGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <brazier/host.h>

#define BUDGET_LEAST    (UINT64_C(16) << 20)
#define BUDGET_PER_BYTE 64

/* Returns the budget of an input of `len` bytes. */
static inline uint64_t budget_of(size_t len)
{
    return BUDGET_LEAST + BUDGET_PER_BYTE * (uint64_t)len;
}

/* Takes an amount off a budget. Returns false if too little is left. */
static inline bool budget_take(uint64_t *budget, uint64_t amount)
{
    if (amount > *budget)
        return false;
    *budget -= amount;
    return true;
}

/* Returns the amount for a frame. */
static inline uint64_t budget_for_frame(const brz_frame_desc *d)
{
    return 1 + d->name.len + d->system_name.len + d->module.len + d->file.len + d->build_id.len;
}

#endif
