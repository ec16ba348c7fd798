/* SPDX-License-Identifier: MIT */
/* An entry and a note of a plug-in that states no version of the SDK. */
#include "zoo.h"

static const brz_collapser collapser = {COLLAPSER};
static const brz_component component = {COMPONENT};
ONE_COMPONENT
static const struct {
    uint32_t name_size, desc_size, type;
    char name[8];
    uint32_t major, minor;
} own_note __attribute__((used, section(".note.brz.plugin"), aligned(4))) = {
    8, 8, BRZ_NOTE_TYPE, "brazier", BRZ_ABI_MAJOR, BRZ_TARGET_MINOR};
BRZ_EXTERN_C BRZ_EXPORT const brz_plugin BRZ_PLUGIN_ENTRY;
const brz_plugin BRZ_PLUGIN_ENTRY = {ENTRY, .struct_size = offsetof(brz_plugin, sdk_version)};
