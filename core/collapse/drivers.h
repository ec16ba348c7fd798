/* SPDX-License-Identifier: MIT */
/* The drivers: strategies for passing an input to open instances of a collapser. They report
 * failures through brz_drive_is_over(). */
#ifndef BRZ_DRIVERS_H
#define BRZ_DRIVERS_H

#include "collapse/drive.h"

/* Minimum size of a file's range, and size of input per additional thread. */
#define BRZ_SMALLEST_RANGE ((size_t)4 << 20)
#define BRZ_WORTH_A_THREAD ((size_t)16 << 20)

/* Passes the input piece by piece to one instance. */
void brz_drive_feed(brz_drive *d, brz_instance *i);

/* Passes a plain file at once, as a mapping. Returns false unless it can be mapped. */
bool brz_drive_file(brz_drive *d, brz_instance *i);

/* Passes the whole input at once, from memory. */
void brz_drive_whole(brz_drive *d, brz_instance *i);

/* Distributes ranges of a plain file among all instances. */
void brz_drive_ranges(brz_drive *d);

/* Distributes blocks of a stream among all instances. */
void brz_drive_blocks(brz_drive *d);

#endif
