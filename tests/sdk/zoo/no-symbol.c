/* SPDX-License-Identifier: MIT */
/* Has the note of a plug-in, but no entry. */
#include <brazier/plugin.h>

BRZ_PLUGIN_NOTE
BRZ_EXPORT int something_else;
