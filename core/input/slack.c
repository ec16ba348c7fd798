/* SPDX-License-Identifier: MIT */
/* Buffers with readable bytes on both sides. */
#include "input/slack.h"

#include <string.h>

#include "base/mem.h"

uint8_t *brz_slack_buffer(size_t cap)
{
    return brz_calloc(BRZ_SLACK_FRONT + cap + BRZ_SLACK_BACK, 1);
}

uint8_t *brz_slack_large_buffer(size_t *cap)
{
    uint8_t *p = brz_large_page();
    *cap = BRZ_LARGE_PAGE - BRZ_SLACK_FRONT - BRZ_SLACK_BACK;
    memset(p, 0, BRZ_SLACK_FRONT);
    memset(p + BRZ_SLACK_FRONT + *cap, 0, BRZ_SLACK_BACK);
    return p;
}
