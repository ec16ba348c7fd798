/* SPDX-License-Identifier: MIT */
/* Implements the descriptions of SDK versions. */
#include "plugin/sdk_version.h"

#include <stdio.h>

/* The faulty versions. No released version is known to be faulty; the number in the table is what a
 * damaged file contains. */
static const brz_sdk_fault faults[] = {
    {UINT32_MAX, UINT32_MAX, "no SDK has"},
};

const char *brz_sdk_version_text(uint32_t version, char text[BRZ_SDK_TEXT])
{
    if (version == 0)
        snprintf(text, BRZ_SDK_TEXT, "unknown");
    else
        snprintf(text, BRZ_SDK_TEXT, "%u.%u.%u", version / 1000000, version / 1000 % 1000,
                 version % 1000);
    return text;
}

const char *brz_sdk_fault_in(const brz_sdk_fault *table, size_t n, uint32_t version)
{
    for (size_t i = 0; i < n; i++)
        if (version >= table[i].first && version <= table[i].last)
            return table[i].what;
    return NULL;
}

const char *brz_sdk_fault_of(uint32_t version)
{
    return brz_sdk_fault_in(faults, sizeof faults / sizeof faults[0], version);
}
