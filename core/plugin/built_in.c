/* SPDX-License-Identifier: MIT */
/* Returns the table that cmake/BrzBuiltIn.cmake writes for a static program. */
#include "plugin/built_in.h"

#include <stddef.h>

#include "base/built_with.h"

#if BRZ_STATIC
extern const brz_built_in brz_built_in_table[];

const brz_built_in *brz_built_in_plugins(void)
{
    return brz_built_in_table;
}
#else
const brz_built_in *brz_built_in_plugins(void)
{
    return NULL;
}
#endif
