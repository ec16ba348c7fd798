/* SPDX-License-Identifier: MIT */
/* Does not recognise its own format.
 *
 * only: sniff
 */
#include "animal.h"

static int32_t sniff(const brz_head *head)
{
    return head->len > 1000000 ? BRZ_SNIFF_HEADER : BRZ_SNIFF_NO;
}

COLLAPSER_ANIMAL(.sniff = sniff)
