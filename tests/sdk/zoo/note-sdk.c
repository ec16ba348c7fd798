/* SPDX-License-Identifier: MIT */
/* A note with the SDK version of a damaged file, which the host's list of faulty versions has. */
#include "zoo.h"

static const brz_collapser collapser = {COLLAPSER};
static const brz_component component = {COMPONENT};
ONE_COMPONENT
__attribute__((used, section(".note.brz.plugin"),
               aligned(4))) static const brz_plugin_note own_note = {
    8, 12, BRZ_NOTE_TYPE, "brazier", BRZ_ABI_MAJOR, BRZ_TARGET_MINOR, UINT32_MAX};
BRZ_EXTERN_C BRZ_EXPORT const brz_plugin BRZ_PLUGIN_ENTRY;
const brz_plugin BRZ_PLUGIN_ENTRY = {ENTRY};
