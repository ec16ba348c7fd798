/* Buffers with readable bytes on both sides. */
#include "input/slack.h"

#include "base/mem.h"

uint8_t *brz_slack_buffer(size_t cap)
{
    return brz_calloc(BRZ_SLACK_FRONT + cap + BRZ_SLACK_BACK, 1);
}
