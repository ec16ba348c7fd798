/* SPDX-License-Identifier: MIT */
/* The note has ABI 2.0, the entry 1.0; the note is read first. */
#include "zoo.h"

static const brz_collapser collapser = {COLLAPSER};
static const brz_component component = {COMPONENT};
ONE_COMPONENT
ZOO_NOTE("brazier", BRZ_NOTE_TYPE, 2, 0)
