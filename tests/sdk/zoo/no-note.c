/* SPDX-License-Identifier: MIT */
/* Has the entry, but no note: not made with BRZ_PLUGIN. */
#include "zoo.h"

static const brz_collapser collapser = {COLLAPSER};
static const brz_component component = {COMPONENT};
ONE_COMPONENT
BRZ_EXTERN_C BRZ_EXPORT const brz_plugin BRZ_PLUGIN_ENTRY;
const brz_plugin BRZ_PLUGIN_ENTRY = {ENTRY};
