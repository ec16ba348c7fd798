/* SPDX-License-Identifier: MIT */
/* Reads bytes past the head in its sniffer.
 *
 * only: sniff/prefixes
 */
#include "animal.h"

static int32_t sniff(const brz_head *head)
{
    return head->data[head->len] == '\n' ? good_sniff(head) : BRZ_SNIFF_SHAPE;
}

COLLAPSER_ANIMAL(.sniff = sniff)
