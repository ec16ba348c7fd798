/* SPDX-License-Identifier: MIT */
/* Recognises a line of its format, and a name, which its hints do not mention.
 *
 * only: sniff/hints
 */
#include "animal.h"

static int32_t sniff(const brz_head *head)
{
    return head->len > 3 && memcmp(head->data, "zoo", 3) == 0 ? BRZ_SNIFF_HEADER : BRZ_SNIFF_NO;
}

static const char *const globs[] = {"*.zoo", NULL};

BRZ_HINTS(BRZ_IF_NAME("*.zebra") BRZ_IF_CONTAINS("a line of zebras"))

COLLAPSER_ANIMAL(.sniff = sniff, .globs = globs)
