/* SPDX-License-Identifier: MIT */
/* Lists the versions of the SDK whose inline functions, which plug-ins contain, are faulty. */
#ifndef BRZ_SDK_VERSION_H
#define BRZ_SDK_VERSION_H

#include <stddef.h>
#include <stdint.h>

/* A range of faulty versions. */
typedef struct brz_sdk_fault {
    uint32_t first, last;
    const char *what; /* follows "which" in a message */
} brz_sdk_fault;

#define BRZ_SDK_TEXT 32

/* Writes a version as "0.1.0", or "unknown" for 0. Returns `text`. */
const char *brz_sdk_version_text(uint32_t version, char text[BRZ_SDK_TEXT]);

/* Returns the fault of a version according to a table, or NULL. */
const char *brz_sdk_fault_in(const brz_sdk_fault *table, size_t n, uint32_t version);

/* Returns the fault of a version, or NULL. The host refuses plug-ins of such a version. */
const char *brz_sdk_fault_of(uint32_t version);

#endif
