/* SPDX-License-Identifier: MIT */
/* Collects the code of the heaviest functions, for outputs that need it. */
#ifndef BRZ_COLLECT_CODE_H
#define BRZ_COLLECT_CODE_H

#include "collapse/drive.h"

/* Asks the collapser for code at the addresses where stacks of the profile end, and adds that of
 * the heaviest functions to it. Does nothing if the run needs no code, or the collapser offers
 * none. */
void brz_collect_code(const brz_drive *d, brz_profile *p);

#endif
