/* SPDX-License-Identifier: MIT */
/* An entry with an SDK version that the host's list of faulty versions has. */
#include "zoo.h"

static const brz_collapser collapser = {COLLAPSER};
static const brz_component component = {COMPONENT};
ONE_COMPONENT
ZOO_ENTRY(.sdk_version = UINT32_MAX)
