/* SPDX-License-Identifier: MIT */
/* Loops forever in its sniffer if it gets a complete header.
 *
 * only: sniff/own
 * limit: 10
 */
#include "animal.h"

#include <unistd.h>

static int32_t sniff(const brz_head *head)
{
    volatile int forever = 1;
    while (head->len > 6 && forever)
        usleep(1000); /* leaves the processor to others */
    return BRZ_SNIFF_NO;
}

COLLAPSER_ANIMAL(.sniff = sniff)
