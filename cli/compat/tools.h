/* SPDX-License-Identifier: MIT */
/* The tools that brazier replaces. */
#ifndef BRZ_CLI_COMPAT_TOOLS_H
#define BRZ_CLI_COMPAT_TOOLS_H

#include "tool.h"

/* Returns the tool with that name, or NULL. */
const compat_tool *compat_find_tool(const char *name);

/* Returns the name of the tool nearest to `name`, or NULL. */
const char *compat_nearest_tool(const char *name);

#endif
