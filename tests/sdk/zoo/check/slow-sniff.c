/* SPDX-License-Identifier: MIT */
/* Needs quadratic time in its sniffer.
 *
 * only: sniff/quick
 */
#include "animal.h"

static int32_t sniff(const brz_head *head)
{
    volatile size_t pairs = 0;
    for (size_t i = 0; i < head->len; i += 16)
        for (size_t k = 0; k < head->len; k += 16)
            pairs += head->data[i] == head->data[k];
    return good_sniff(head);
}

COLLAPSER_ANIMAL(.sniff = sniff)
