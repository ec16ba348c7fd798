/* SPDX-License-Identifier: MIT */
/* Buffers with readable bytes on both sides. */
#include "input/slack.h"

#include <string.h>

#include "base/mem.h"

void brz_slack_clear(uint8_t *p, size_t n)
{
    memset(p + BRZ_SLACK_FRONT + n, 0, BRZ_SLACK_BACK);
}

uint8_t *brz_slack_buffer(size_t cap)
{
    uint8_t *p = brz_malloc(BRZ_SLACK_FRONT + cap + BRZ_SLACK_BACK);
    memset(p, 0, BRZ_SLACK_FRONT);
    brz_slack_clear(p, cap);
    return p;
}

uint8_t *brz_slack_large_buffer(size_t *cap)
{
    uint8_t *p = brz_large_page();
    *cap = BRZ_LARGE_PAGE - BRZ_SLACK_FRONT - BRZ_SLACK_BACK;
    memset(p, 0, BRZ_SLACK_FRONT);
    brz_slack_clear(p, *cap);
    return p;
}
