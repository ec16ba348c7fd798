/* SPDX-License-Identifier: MIT */
/* Claims every text.
 *
 * only: sniff
 */
#include "animal.h"

static int32_t sniff(const brz_head *head)
{
    return head->len > 0 && head->data[0] >= ' ' ? BRZ_SNIFF_RECORDS : BRZ_SNIFF_NO;
}

COLLAPSER_ANIMAL(.sniff = sniff)
