/* SPDX-License-Identifier: MIT */
/* Has a note in the same format, but from another owner. */
#include "zoo.h"

static const brz_collapser collapser = {COLLAPSER};
static const brz_component component = {COMPONENT};
ONE_COMPONENT
ZOO_NOTE("Brazier", BRZ_NOTE_TYPE, BRZ_ABI_MAJOR, 0)
